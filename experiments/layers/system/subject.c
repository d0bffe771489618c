/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The subject of the layer: its tests are commands of test agents to a world, with the judge that objected or
 * the goal that failed behind them. A test of a campaign is carried out as it is, by its goals, and taken
 * apart before it is made smaller. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/fields.h>
#include <corridor/hash.h>
#include <corridor/rng.h>
#include <corridor/subject.h>
#include <corridor/subject_file.h>
#include <corridor/system_terms.h>
#include <corridor/world_program.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench {
    const struct cor_system_experiment *experiment;
    uint32_t arm;
    const struct system_layer__world *world; /* of the arm */
    struct cor_record *record;               /* owned; of the last run */
    struct system_layer__script **taken;     /* owned, and each: of tests that were taken apart */
    size_t taken_count, taken_capacity;
    bool is_careful;   /* no world goes on with another test, whatever it says of its reset */
    bool is_shrinking; /* what fails alike without the arm's change is no failure */
    /* Of the last run: */
    char *failure, *sentence; /* owned; failure NULL: it did not fail */
    bool *happened;           /* owned; [step] */
    uint32_t happened_count;
    uint32_t at;       /* cycle of the failure */
    uint32_t made;     /* suite, if it was a test with its goals; else COR_NONE */
    bool is_known;     /* the world has all that the test names */
    uint64_t *replies; /* owned; [cycle] */
    size_t reply_count;
    uint32_t otherwise; /* the cycle in which it was answered otherwise the second time; COR_NONE: in none */
};

static const struct cor_system_test_row *row_of(const struct bench *bench) {
    return cor_record_at(bench->record, COR_SYSTEM_TABLE_TESTS, 0);
}

/* ---- executing */

static void begin(struct bench *bench) {
    COR_FREE(bench->failure, bench->sentence, bench->happened, bench->replies);
    bench->failure = bench->sentence = NULL;
    bench->happened = NULL;
    bench->replies = NULL;
    bench->reply_count = bench->happened_count = 0;
    bench->made = bench->otherwise = COR_NONE;
}

/* A test, with its choices; of one that was not taken apart with its goals. What cannot be read, since what
 * it names is gone from the world, is not known, and does not fail. */
static enum cor_status carry_out(struct bench *bench, const struct cor_subject_test *test,
                                 struct cor_error *error) {
    const struct cor_system_experiment *experiment = bench->experiment;
    const struct system_layer__script *script = test->scene;
    struct system_layer__rig *rig = NULL;
    struct cor_suite_counts tally;
    struct cor_error said = COR_NO_ERROR;
    begin(bench);
    if (bench->is_careful)
        cor_world_programs_part(experiment->programs);
    enum cor_status status = system_layer__rig_create(
        experiment, bench->arm, test->suite % experiment->entry_count, script, NULL, &rig, &said);
    bench->is_known = status == COR_OK;
    if (status == COR_STATUS_INPUT && script)
        return cor_made(bench->sentence = cor_strdup(said.cause), error);
    if (status != COR_OK)
        return cor_fail(error, status, said.place, said.remedy, "%s", said.cause);
    rig->follows = true;
    bench->made = script ? COR_NONE : test->suite;
    bench->happened_count = script ? script->count : 0;
    for (uint32_t s = 0; s < bench->happened_count; s++)
        rig->plays[s] = false;
    for (size_t c = 0; script && c < test->choices.count; c++)
        rig->plays[test->choices.items[c].what] = true;
    cor_record_begin(bench->record, (uint16_t)bench->arm, test->suite);
    status =
        system_layer__run(rig, test->suite / experiment->entry_count, NULL, bench->record, &tally, error);
    bench->happened = rig->happened;
    bench->replies = rig->replies;
    bench->reply_count = rig->reply_count;
    rig->happened = NULL;
    rig->replies = NULL;
    system_layer__rig_destroy(rig);
    COR_TRY(status);
    /* Why it failed, or ended without: of the judge, or of the test. */
    const struct system_layer__ended ended = system_layer__ended_of(bench->experiment, bench->record);
    const struct cor_system_verdict_row *by = NULL;
    COR_TRY(system_layer__failure(&ended, script ? script->expected : NULL, &bench->failure, &by, error));
    bench->at = by ? by->cycle : ended.test->decided;
    const uint64_t start = by ? by->why_start : ended.test->why_start;
    const uint32_t bytes = by ? by->why_bytes : ended.test->why_bytes;
    bench->sentence = cor_format("%.*s", (int)bytes, bytes > 0 ? ended.texts + start : "");
    return cor_made(bench->sentence, error);
}

static struct cor_run run_of(const struct bench *bench) {
    size_t happened = 0;
    for (uint32_t s = 0; s < bench->happened_count; s++)
        happened += bench->happened[s];
    return (struct cor_run){.class = cor_failure_class(bench->failure),
                            .digest = bench->is_known ? row_of(bench)->replies : 0,
                            .choices = happened,
                            .failure = bench->failure ? bench->failure : COR_NO_FAILURE,
                            .sentence = bench->sentence};
}

/* Was anything not done that an assert is about, or judged with? Then it is not the same that it says. */
static bool lacks_needed(const struct bench *bench, const struct system_layer__script *script) {
    for (uint32_t s = 0; s < bench->happened_count; s++)
        if (script->steps[s].need != SYSTEM_LAYER__PLAIN && !bench->happened[s])
            return true;
    return false;
}

/* *fails: also in the system without the arm's change, and without the same things. */
static enum cor_status try_sound(const struct bench *bench, const struct cor_subject_test *test, bool *fails,
                                 struct cor_error *error) {
    struct system_layer__script *script = test->scene;
    struct bench other = *bench;
    other.failure = other.sentence = NULL;
    other.happened = NULL;
    other.replies = NULL;
    script->is_sound = true;
    const enum cor_status status = carry_out(&other, test, error);
    script->is_sound = false;
    *fails = !other.is_known || (other.failure && strcmp(other.failure, script->expected) == 0);
    begin(&other);
    return status;
}

/* Once more in a world that had nothing before: in which cycle is it answered otherwise? */
static enum cor_status look_again(struct bench *bench, const struct cor_subject_test *test,
                                  struct cor_error *error) {
    COR_FREED uint64_t *first = bench->replies;
    const size_t count = bench->reply_count;
    uint32_t cycle = 0;
    bench->replies = NULL;
    cor_world_programs_part(bench->experiment->programs);
    const enum cor_status status = carry_out(bench, test, error);
    while (cycle < count && cycle < bench->reply_count && first[cycle] == bench->replies[cycle])
        cycle++;
    if (cycle < count || cycle < bench->reply_count)
        bench->otherwise = cycle;
    return status;
}

static bool is_program(const struct cor_system_experiment *experiment) {
    return experiment->guest_count > 0 || experiment->runs_code;
}

static enum cor_status run(void *self, const struct cor_subject_test *test, struct cor_choices *happened,
                           struct cor_run *run, struct cor_error *error) {
    struct bench *bench = self;
    const struct system_layer__script *script = test->scene;
    const struct cor_choices *choices = &test->choices;
    bool fails = false;
    COR_TRY(carry_out(bench, test, error));
    const bool is_same = bench->failure && script && strcmp(bench->failure, script->expected) == 0;
    if (is_same && bench->is_shrinking && script->compares)
        COR_TRY(try_sound(bench, test, &fails, error));
    else if (script && !is_same && !bench->is_shrinking && is_program(bench->experiment))
        COR_TRY(look_again(bench, test, error)); /* before it is said that nothing fails */
    *run = run_of(bench);
    if (fails || (is_same && lacks_needed(bench, script)))
        run->class = 0;
    if (!happened || run->class == 0 || !script)
        return COR_OK;
    COR_TRY(COR_RESERVE(&happened->items, &happened->capacity, choices->count, error));
    happened->count = 0;
    for (size_t c = 0; c < choices->count; c++)
        if (bench->happened[choices->items[c].what])
            happened->items[happened->count++] = choices->items[c];
    return COR_OK;
}

/* ---- futures: the test's own commands, drawn */

static bool future_of(uint32_t index, struct cor_future *future) {
    *future = (struct cor_future){
        "uniform",
        "each of the test's own commands alike, again and again; those that an assert needs come last", NULL};
    return index == 0;
}

/* A command that no assert needs. */
static bool is_plain(const struct cor_choice *choice) {
    return choice->kind == SYSTEM_LAYER__DO && choice->nth == SYSTEM_LAYER__PLAIN;
}

/* The first choices, so many of its commands that are drawn, and those of the rest that an assert needs; in
 * `behind`, of the latter two, which step of the test each is. */
static void draw_steps(const struct cor_subject_test *test, const struct cor_fork *fork,
                       struct system_layer__script *drawn, struct cor_choices *choices, uint32_t *behind) {
    const struct system_layer__script *script = test->scene;
    const struct cor_choice *all = test->choices.items;
    const uint32_t count = (uint32_t)test->choices.count;
    struct cor_rng rng =
        cor_rng_named(&(struct cor_stream_name){.seed = fork->seed, .purpose = COR_PURPOSE_WHY});
    uint32_t plain = 0, left = 0;
    for (uint32_t c = 0; c < count; c++) {
        plain += is_plain(&all[c]);
        left += is_plain(&all[c]) && c >= fork->choices;
        if (c < fork->choices)
            drawn->steps[drawn->count++] = script->steps[all[c].what];
    }
    left = plain == 0 ? 0 : fork->ahead > 0 ? fork->ahead : left;
    for (uint32_t n = 0; n < left; n++) {
        uint32_t which = cor_rng_below(&rng, plain) + 1, c = 0;
        while ((which -= is_plain(&all[c])) > 0)
            c++;
        behind[drawn->count - fork->choices] = all[c].what;
        drawn->steps[drawn->count++] = script->steps[all[c].what];
    }
    for (uint32_t c = fork->choices; c < count; c++)
        if (all[c].nth != SYSTEM_LAYER__PLAIN) {
            behind[drawn->count - fork->choices] = all[c].what;
            drawn->steps[drawn->count++] = script->steps[all[c].what];
        }
    for (uint32_t s = 0; s < drawn->count; s++)
        choices->items[choices->count++] = (struct cor_choice){.what = s};
}

/* What the world draws by itself, and who pursues a goal behind all commands, it draws as in the test. */
static enum cor_status follow(void *self, const struct cor_subject_test *test, const struct cor_fork *fork,
                              struct cor_run *run, struct cor_error *error) {
    struct bench *bench = self;
    const struct system_layer__script *script = test->scene;
    struct system_layer__script drawn = *script;
    struct cor_subject_test other = *test;
    const size_t most = test->choices.count + fork->ahead + 1;
    for (size_t c = 1; c < test->choices.count; c++)
        if (test->choices.items[c].who != test->choices.items[0].who)
            return cor_fail(error, COR_STATUS_INPUT, "--curve",
                            "corridor why without it says which are needed",
                            "several test agents take turns in the test: none of their commands come first");
    COR_FREED struct system_layer__step *steps = cor_calloc(most, sizeof *steps);
    COR_FREED uint32_t *behind = cor_calloc(most, sizeof *behind);
    COR_FINISHED(cor_choices) struct cor_choices choices = {.items = cor_calloc(most, sizeof *choices.items)};
    COR_TRY(cor_made(steps && behind ? choices.items : NULL, error));
    drawn.steps = steps;
    drawn.count = 0;
    draw_steps(test, fork, &drawn, &choices, behind);
    other.scene = &drawn;
    other.choices = choices;
    COR_TRY(carry_out(bench, &other, error));
    const bool is_same = bench->failure && strcmp(bench->failure, script->expected) == 0;
    bool fails = false;
    if (is_same && script->compares)
        COR_TRY(try_sound(bench, &other, &fails, error));
    *run = run_of(bench);
    if (fails || (is_same && lacks_needed(bench, &drawn)))
        run->class = 0;
    /* A cycle for each command that was possible. */
    size_t cycles = 0;
    for (uint32_t s = 0; s < drawn.count; s++) {
        const bool happened = s < bench->happened_count && bench->happened[s]; /* none: no world was there */
        cycles += s < fork->choices && steps[s].kind == SYSTEM_LAYER__DO && happened;
        if (s >= fork->choices && happened && !run->goes_on) {
            run->goes_on = true;
            run->next = (struct cor_choice){.what = behind[s - fork->choices], .kind = steps[s].kind};
        }
    }
    /* The test itself came behind them without trouble: a world that did not says nothing of what follows. */
    const bool is_cut = !bench->is_known || (row_of(bench)->trouble != 0 && bench->at <= cycles);
    run->forked = is_cut                         ? 2
                  : cycles == 0                  ? 1
                  : cycles <= bench->reply_count ? bench->replies[cycles - 1]
                                                 : run->digest;
    run->does_not_repeat = is_cut || (fork->forked != 0 && fork->forked != run->forked);
    return COR_OK;
}

/* As the campaign has it, by its goals. */
static enum cor_status make(void *self, struct cor_subject_test *test, struct cor_run *run,
                            struct cor_error *error) {
    struct bench *bench = self;
    test->choices.count = 0;
    test->scene = NULL;
    bench->is_careful = true;
    COR_TRY(carry_out(bench, test, error));
    *run = run_of(bench);
    return COR_OK;
}

static void close_bench(void *self) {
    COR_FREED struct bench *bench = self;
    if (!bench)
        return;
    begin(bench);
    for (size_t t = 0; t < bench->taken_count; t++)
        system_layer__script_destroy(bench->taken[t]);
    free(bench->taken);
    cor_record_destroy(bench->record);
}

static enum cor_status open_bench(const struct cor_experiment_head *head, uint32_t arm, void **self,
                                  struct cor_error *error) {
    struct bench *bench = cor_calloc(1, sizeof *bench);
    *self = NULL;
    COR_TRY(cor_made(bench, error));
    bench->experiment = (const void *)head;
    bench->arm = arm;
    bench->world = bench->experiment->arms[arm].changed ? bench->experiment->arms[arm].changed
                                                        : bench->experiment->world;
    const enum cor_status status = cor_record_create(&cor_system_schema, &bench->record, error);
    if (status == COR_OK)
        *self = bench;
    else
        close_bench(bench);
    return status;
}

/* ---- taking apart */

/* The steps of its scene, which is a script, but for those that are gone; NULL: none is. */
static enum cor_status system_layer__choices(struct cor_subject_test *test, const bool *gone,
                                             struct cor_error *error) {
    const struct system_layer__script *script = test->scene;
    struct cor_choices *choices = &test->choices;
    COR_TRY(COR_RESERVE(&choices->items, &choices->capacity, script->count, error));
    choices->count = 0;
    for (uint32_t s = 0; s < script->count; s++)
        if (!gone || !gone[s])
            choices->items[choices->count++] = (struct cor_choice){.at = script->steps[s].cycle,
                                                                   .what = s,
                                                                   .nth = script->steps[s].need,
                                                                   .who = (uint16_t)script->steps[s].actor,
                                                                   .kind = script->steps[s].kind};
    return COR_OK;
}

struct taking {
    struct bench *bench;
    struct cor_subject_test *test; /* gets the script that is tried, and its choices */
};

static enum cor_status run_taken(void *self, struct system_layer__script *script, const bool *gone,
                                 const char **failure, struct cor_error *error) {
    const struct taking *taking = self;
    taking->test->scene = script;
    COR_TRY(system_layer__choices(taking->test, gone, error));
    COR_TRY(carry_out(taking->bench, taking->test, error));
    *failure = taking->bench->failure;
    return COR_OK;
}

/* *is_alike: its commands alone, with the goal behind them that is needed, fail as it does; else why not. */
static enum cor_status take_apart(struct bench *bench, struct cor_subject_test *test, bool *is_alike,
                                  char *why, size_t size, struct cor_error *error) {
    struct taking self = {bench, test};
    const struct system_layer__taking taking = {.experiment = bench->experiment,
                                                .arm = bench->arm,
                                                .suite = test->suite,
                                                .record = bench->record,
                                                .run = run_taken,
                                                .self = &self};
    *is_alike = true;
    if (test->scene)
        return COR_OK;
    if (bench->made != test->suite) /* others were since */
        COR_TRY(carry_out(bench, test, error));
    COR_TRY(COR_RESERVE(&bench->taken, &bench->taken_capacity, bench->taken_count + 1, error));
    struct system_layer__script **script = &bench->taken[bench->taken_count];
    COR_TRY(system_layer__take_apart(&taking, script, error));
    *is_alike = *script != NULL;
    bench->taken_count += *is_alike;
    if (*is_alike)
        test->expected = (*script)->expected;
    else
        snprintf(why, size, "its commands alone do not fail so (%.150s): what is judged depends on goals",
                 test->expected);
    return COR_OK;
}

/* Whether the failure has to be one that the system has not without the arm's change. */
static enum cor_status compare(struct bench *bench, const struct cor_subject_test *test,
                               struct cor_error *error) {
    struct system_layer__script *script = test->scene;
    const bool is_changed = script->unchanged || bench->world != bench->experiment->world;
    bool fails = false;
    if (is_changed)
        COR_TRY(try_sound(bench, test, &fails, error));
    script->compares = is_changed && !fails;
    return COR_OK;
}

/* Each in a world of its own: what one remembers of another is no cause. */
static enum cor_status make_apart(void *self, struct cor_subject_test *test, bool *can, char *why,
                                  size_t size, struct cor_error *error) {
    struct bench *bench = self;
    bench->is_careful = bench->is_shrinking = true;
    COR_TRY(take_apart(bench, test, can, why, size, error));
    return *can ? compare(bench, test, error) : COR_OK;
}

/* ---- shrinking */

/* A command that leads nowhere new: behind it the test agent stood where it stands behind the other. */
static bool is_loop(const struct cor_subject_test *test, uint32_t from, uint32_t to) {
    const struct system_layer__step *steps = ((const struct system_layer__script *)test->scene)->steps;
    const uint32_t *cell = steps[test->choices.items[from].what].cell;
    return cell[0] != COR_NONE &&
           memcmp(cell, steps[test->choices.items[to].what].cell, sizeof steps->cell) == 0;
}

/* The world of a script without the things that are gone, NULL: with all; and so that without the arm's
 * change. COR_STATUS_INPUT: it cannot be so. */
static enum cor_status make_worlds(const struct bench *bench, struct system_layer__script *script, bool *gone,
                                   struct cor_error *error) {
    const struct system_layer__world *sound =
        script->unchanged ? script->unchanged : bench->experiment->world;
    script->smaller = script->sound = NULL;
    script->gone = gone;
    if (!gone)
        return COR_OK;
    COR_TRY(bench->world->maker->leave_out(bench->world, bench->world, gone, &script->smaller, error));
    return sound == bench->world ? COR_OK
                                 : sound->maker->leave_out(sound, bench->world, gone, &script->sound, error);
}

struct things {
    struct bench *bench;
    struct cor_shrinking *shrinking;
    const struct cor_subject_test *test;
};

static enum cor_status try_things(void *self, bool *gone, bool *stays, struct cor_error *error) {
    const struct things *things = self;
    struct system_layer__script *script = things->test->scene;
    const struct system_layer__script before = *script;
    struct cor_error said = COR_NO_ERROR;
    struct cor_run come;
    *stays = false;
    if (!cor_shrinking_goes_on(things->shrinking))
        return COR_OK;
    enum cor_status status = make_worlds(things->bench, script, gone, &said);
    if (status == COR_OK)
        status = run(things->bench, things->test, NULL, &come, &said);
    *stays = status == COR_OK && come.class != 0 && strcmp(come.failure, script->expected) == 0;
    struct system_layer__script made = *script;
    if (!*stays)
        *script = before;
    script->gone = before.gone; /* the caller's own is kept in it */
    system_layer__world_destroy(*stays ? before.sound : made.sound);
    system_layer__world_destroy(*stays ? before.smaller : made.smaller);
    return status == COR_OK || status == COR_STATUS_INPUT
               ? COR_OK
               : cor_fail(error, status, said.place, said.remedy, "%s", said.cause);
}

static enum cor_status shrink_scene(void *self, struct cor_shrinking *shrinking,
                                    const struct cor_subject_test *test, bool *moved,
                                    struct cor_error *error) {
    struct bench *bench = self;
    const struct system_layer__world *world = bench->world;
    struct system_layer__script *script = test->scene;
    const uint32_t count =
        system_layer__has_things(bench->experiment, script) ? world->maker->count_things(world) : 0;
    struct things things = {bench, shrinking, test};
    if (count == 0)
        return COR_OK;
    if (!script->gone) {
        bool *gone = cor_calloc(count, sizeof *gone);
        COR_TRY(cor_made(gone, error));
        COR_TRY(make_worlds(bench, script, gone, error));
    }
    const struct cor_minimizing parts = {.count = count,
                                         .try = try_things,
                                         .self = &things,
                                         .gone = script->gone,
                                         .tries = &shrinking->progress.tries};
    return cor_minimize(&parts, COR_MINIMIZE_SET, moved, error);
}

#define NAMED_MOST 20

/* "of the world 2 of 40 things are left: start t, button b1". */
static void say_scene(const struct bench *bench, const struct cor_subject_test *test, char *text,
                      size_t size) {
    const struct system_layer__world *world = bench->world;
    const struct system_layer__script *script = test->scene;
    const uint32_t count = script->gone ? world->maker->count_things(world) : 0;
    uint32_t left = 0, named = 0;
    char name[200];
    for (uint32_t t = 0; t < count; t++)
        left += !script->gone[t];
    if (count == 0)
        return;
    size_t length = (size_t)snprintf(text, size, "of the world %u of %u things are left", left, count);
    for (uint32_t t = 0; t < count && named < NAMED_MOST; t++) {
        if (script->gone[t])
            continue;
        world->maker->name_thing(world, t, name, sizeof name);
        if (length + strlen(name) + 12 > size)
            break;
        length += (size_t)snprintf(text + length, size - length, "%s%s", named++ ? ", " : ": ", name);
    }
    if (named < left)
        snprintf(text + length, size - length, ", ..");
}

/* Of so few commands all sets are tried; of a world that is a program only pairs. */
#define SETS_MOST 10

/* Does a world that went on from one test to the next still show what it showed when it was new? And does
 * what is left fail alike in a fresh one? */
static enum cor_status settle(struct bench *bench, const struct cor_subject_test *left,
                              const struct cor_choices *whole, const struct cor_run *wanted, bool *settled,
                              struct cor_error *error) {
    struct system_layer__script *script = left->scene;
    struct cor_subject_test all = *left;
    struct cor_run come;
    *settled = true;
    if (!bench->is_careful) {
        bool *gone = script->gone;
        all.choices = *whole;
        script->gone = NULL;
        const enum cor_status status = run(bench, &all, NULL, &come, error);
        script->gone = gone;
        COR_TRY(status);
        *settled = come.class == wanted->class && come.digest == wanted->digest;
    }
    bench->is_careful = true;
    COR_TRY(run(bench, left, NULL, &come, error));
    *settled = *settled && come.class == wanted->class;
    return COR_OK;
}

/* Is another test worth it? Says so, if it takes long. */
static bool goes_on(struct cor_shrinking *shrinking, uint32_t test) {
    shrinking->progress.test = test;
    return !shrinking->go_on || shrinking->go_on(shrinking->self, &shrinking->progress) || test == 0;
}

/* Tests that are taken apart, in worlds that go on from one to the next; where one remembers, all once more
 * with care. */
static enum cor_status shrink_taken(struct bench *bench, struct cor_shrinking *shrinking, bool *differs,
                                    struct cor_error *error) {
    const uint32_t count = shrinking->count;
    const bool is_hasty = is_program(bench->experiment);
    COR_FREED struct cor_choices *whole = cor_calloc(count, sizeof *whole);
    COR_FREED struct cor_run *wanted = cor_calloc(count, sizeof *wanted);
    bool settled = false;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_made(whole ? wanted : NULL, error));
    for (uint32_t t = 0; t < count; t++) {
        if (!goes_on(shrinking, t)) {
            shrinking->count = t;
            break;
        }
        COR_TRY_OUT(cor_choices_copy(&whole[t], &shrinking->tests[t].choices, error));
        COR_TRY_OUT(compare(bench, &shrinking->tests[t], error));
        COR_TRY_OUT(run(bench, &shrinking->tests[t], NULL, &wanted[t], error));
    }
    shrinking->sets_most = is_hasty ? 0 : SETS_MOST;
    for (bool is_careful = !is_hasty; !settled; is_careful = true) {
        struct cor_error said = COR_NO_ERROR;
        bench->is_careful = is_careful;
        status = cor_shrink_tests(shrinking, bench, &said);
        if (status != COR_OK && (is_careful || status != COR_STATUS_INPUT))
            COR_TRY_OUT(cor_fail(error, status, said.place, said.remedy, "%s", said.cause));
        const uint32_t best = shrinking->shrunk.best;
        if (status == COR_OK)
            COR_TRY_OUT(settle(bench, &shrinking->tests[best], &whole[best], &wanted[best], &settled, error));
        status = COR_OK;
        if (settled || is_careful)
            break;
        for (uint32_t t = 0; t < count; t++) {
            /* The world as it was, and all choices. */
            struct system_layer__script *script = shrinking->tests[t].scene;
            system_layer__world_destroy(script->sound);
            system_layer__world_destroy(script->smaller);
            free(script->gone);
            script->sound = script->smaller = NULL;
            script->gone = NULL;
            COR_TRY_OUT(cor_choices_copy(&shrinking->tests[t].choices, &whole[t], error));
        }
    }
    *differs = !settled;
    if (!settled)
        goto out;
    shrinking->tests[shrinking->shrunk.best].at = bench->at; /* it was carried out last */
    say_scene(bench, &shrinking->tests[shrinking->shrunk.best], shrinking->scene, sizeof shrinking->scene);
out:
    for (uint32_t t = 0; t < count && whole; t++)
        cor_choices_fini(&whole[t]);
    return status;
}

static enum cor_status shrink(void *self, struct cor_shrinking *shrinking, bool *differs,
                              struct cor_error *error) {
    struct bench *bench = self;
    uint32_t left = 0;
    bool is_alike;
    enum cor_status status = COR_OK;
    *differs = false;
    bench->is_careful = bench->is_shrinking = true;
    for (uint32_t t = 0; t < shrinking->count && !*differs && goes_on(shrinking, t); t++) {
        COR_TRY_OUT(take_apart(bench, &shrinking->tests[t], &is_alike, shrinking->why,
                               t == 0 ? sizeof shrinking->why : 0, error));
        *differs = t == 0 && !is_alike;
        if (is_alike) { /* one that has no choices is freed as one that has */
            const struct cor_subject_test taken = shrinking->tests[t];
            shrinking->tests[t] = shrinking->tests[left];
            shrinking->tests[left++] = taken;
        }
    }
    shrinking->count = left;
    if (!*differs)
        status = shrink_taken(bench, shrinking, differs, error);
out:
    bench->is_careful = bench->is_shrinking = false;
    return status;
}

/* ---- what became of what is expected */

/* Commands of a kind that were done. */
static uint32_t count_done(const struct bench *bench, const struct system_layer__script *script,
                           uint16_t kind) {
    uint32_t done = 0;
    for (uint32_t s = 0; s < bench->happened_count; s++)
        done += bench->happened[s] && script->steps[s].kind == kind;
    return done;
}

/* "assert d1.open: d1.open does not hold"; what a goal failed by says its sentence once more. */
static void say_failure(const struct bench *bench, char *text, size_t size) {
    static const char of[] = "goal of ";
    const char *failure = bench->failure, *sentence = bench->sentence, *goal = failure + sizeof of - 1;
    const bool is_goal = strncmp(failure, of, sizeof of - 1) == 0;
    if (is_goal && strncmp(sentence, goal, strlen(goal)) == 0)
        snprintf(text, size, "%s%s", of, sentence);
    else
        snprintf(text, size, "%s%s%s", failure, sentence[0] ? ": " : "", sentence);
}

static enum cor_expected find(const void *self, const struct cor_subject_test *test, char *why, size_t size) {
    const struct bench *bench = self;
    const struct system_layer__script *script = test->scene;
    const struct cor_run come = run_of(bench);
    const bool expects_none = strcmp(test->expected, COR_NO_FAILURE) == 0;
    const bool expects_goal = strncmp(test->expected, "goal of ", 8) == 0;
    const uint32_t setups = script ? count_done(bench, script, SYSTEM_LAYER__SETUP) : 0;
    const uint32_t commands = script ? count_done(bench, script, SYSTEM_LAYER__DO) : 0;
    char failed[1000];
    enum cor_expected found = COR_EXPECTED_IS_OPEN;
    uint64_t mark;
    if (script && bench->is_known && lacks_needed(bench, script))
        snprintf(why, size, "the command that the assert is about was not done");
    else if (bench->failure && (expects_none || strcmp(bench->failure, test->expected) == 0)) {
        say_failure(bench, why, size);
        found = COR_EXPECTED_COMES;
    } else if (!bench->is_known)
        snprintf(why, size, "the world lacks what the test names: %s", bench->sentence);
    else if (bench->otherwise != COR_NONE)
        snprintf(why, size,
                 "the world cannot go on from cycle %u: run again it answered otherwise in cycle %u",
                 row_of(bench)->cycles, bench->otherwise);
    else if (bench->failure) {
        say_failure(bench, failed, sizeof failed);
        snprintf(why, size, "%s was not judged to the end, for the test failed by %s", test->expected,
                 failed);
    } else if (script && test->choices.count > 0 && come.choices == 0)
        snprintf(why, size, "nothing was done: no command of the schedule was possible");
    else if (row_of(bench)->verdict != COR_TEST_PASS)
        snprintf(why, size, "there is no verdict: %s", bench->sentence);
    else if (script && script->commands != COR_NONE &&
             (setups < script->setups || commands < script->commands))
        snprintf(why, size,
                 "%u commands were done behind %u setups, and what is expected came behind %u and %u",
                 commands, setups, script->commands, script->setups);
    else if (script && row_of(bench)->cycles < test->at && !expects_goal)
        snprintf(why, size, "the test ends with cycle %u, and what is expected came in cycle %" PRIu64,
                 row_of(bench)->cycles, test->at);
    else {
        snprintf(why, size, "nothing fails in %u cycles", row_of(bench)->cycles);
        found = COR_EXPECTED_IS_GONE;
    }
    const size_t length = strlen(why);
    if (script && script->mark != 0 && system_layer__mark(test, &mark, NULL) == COR_OK &&
        mark != script->mark)
        snprintf(why + length, size - length, "; the world was changed since the test was made");
    return found;
}

static const char *why_otherwise(const struct cor_experiment_head *head, uint32_t arm) {
    (void)arm;
    return is_program((const void *)head)
               ? "the world may look at a clock, or draw by lot; else it was changed since"
               : "was this program changed since? Its worlds are not those of the file";
}

/* ---- the story, a turn a line */

void system_layer__print_turn(struct cor_bytes *story, const struct cor_system_cycle_row *row,
                              const char *test_agent, const char *command, const char *goal) {
    cor_bytes_print(story, "%7u  %-12s %-6s  %-36.*s", row->cycle, test_agent,
                    cor_term_word(COR_FAMILY_TURN, row->turn), (int)row->command_bytes, command);
    if (row->column != COR_NONE)
        cor_bytes_print(story, "  [%u, %u]", row->column, row->row);
    if (row->column != COR_NONE && row->floor > 0)
        cor_bytes_print(story, " floor %u", row->floor);
    if (goal[0])
        cor_bytes_print(story, "  %s", goal);
    if (row->trouble > 0)
        cor_bytes_print(story, "  %s", cor_term_word(COR_FAMILY_SYSTEM, row->trouble));
    cor_bytes_print(story, "\n");
}

enum cor_status system_layer__told(void *self, const struct cor_subject_test *test, enum cor_story_form form,
                                   char **text, struct cor_error *error) {
    struct bench *bench = self;
    struct cor_bytes story = {0};
    struct cor_run come;
    char why[1200];
    (void)form;
    *text = NULL;
    COR_TRY(run(bench, test, NULL, &come, error));
    const struct cor_words *names = bench->experiment->names;
    const size_t turns = bench->is_known ? cor_record_size(bench->record, COR_SYSTEM_TABLE_CYCLES) : 0;
    for (size_t i = 0; i < turns; i++) {
        const struct cor_system_cycle_row *row = cor_record_at(bench->record, COR_SYSTEM_TABLE_CYCLES, i);
        const char *texts = cor_record_items(bench->record, COR_SYSTEM_VECTOR_TEXT, NULL);
        system_layer__print_turn(&story, row, cor_words_text(&names[COR_SYSTEM_NAMES_AGENT], row->test_agent),
                                 row->command_bytes > 0 ? texts + row->command_start : "",
                                 row->goal > 0 ? cor_words_text(&names[COR_SYSTEM_NAMES_GOAL], row->goal)
                                               : "");
    }
    (void)find(bench, test, why, sizeof why);
    cor_bytes_print(&story, "%s\n", why);
    *text = cor_bytes_text_take(&story, error);
    return *text ? COR_OK : COR_STATUS_MEMORY;
}

/* ---- test files: what test agents do in a world, a command a line, with all that it takes to do it again.
 * An experiment with one arm (corridor/subject_file.h), and beside its members
 *   "system_test": {"suite": 0, "expected": "assert d1.open", "cycle": 7, "goal": {..}, "agent": "t", ..}
 * (of a goal that failed, and of what came when the test ended: "commands": 3, "setups": 1, too)
 *   "schedule": [["setup", {"do": ..}], ["do", {"do": "press", "on": "b1", "agent": "t"}], ..] */

#define SCHEDULE_MOST COR_SYSTEM_TURNS_MAX

static const char *const kinds[] = {"setup", "do", "about", "judged", NULL};

/* ---- what is read */

struct reading {
    uint32_t suite, cycle, commands, setups; /* cycle, commands: COR_NONE: not said */
    const char *expected, *agent;
    uint64_t mark;
    bool is_whole;
    struct cor_json expected_at, agent_at;
    struct system_layer__script *script;
};

static enum cor_status read_sound(const struct cor_json *json, void *into, struct cor_error *error) {
    struct system_layer__script *script = ((struct reading *)into)->script;
    script->compares = true;
    return system_layer__world_read(json, NULL, &script->unchanged, error);
}

/* {"goal": ..}, as a document of its own. */
static enum cor_status read_goal(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    char place[512], *goal = cor_json_text(json), *text = goal ? cor_format("{\"goal\": %s}", goal) : NULL;
    free(goal);
    COR_TRY(cor_made(text, error));
    cor_json_place(json->parent, place, sizeof place);
    const enum cor_status status = cor_json_parse(text, place, &reading->script->goal, error);
    free(text);
    return status;
}

static const struct cor_field fields[] = {
    {"suite", COR_REQUIRED, COR_INTEGER_FIELD(struct reading, suite, 0, UINT32_MAX - 1)},
    {"expected", COR_REQUIRED, COR_STRING_FIELD(struct reading, expected),
     COR_PLACE_AT(struct reading, expected_at)},
    {"cycle", COR_OPTIONAL, COR_INTEGER_FIELD(struct reading, cycle, 0, COR_SYSTEM_CYCLES_MAX)},
    {"commands", COR_OPTIONAL, COR_INTEGER_FIELD(struct reading, commands, 0, SCHEDULE_MOST)},
    {"setups", COR_OPTIONAL, COR_INTEGER_FIELD(struct reading, setups, 0, SCHEDULE_MOST)},
    {"goal", COR_OPTIONAL, COR_READ_FIELD(read_goal)},
    {"agent", COR_OPTIONAL, COR_STRING_FIELD(struct reading, agent), COR_PLACE_AT(struct reading, agent_at)},
    {"whole", COR_OPTIONAL, COR_BOOL_FIELD(struct reading, is_whole)},
    {"sound", COR_OPTIONAL, COR_READ_FIELD(read_sound)},
    {"world", COR_OPTIONAL, COR_SEED_FIELD(struct reading, mark)},
    {0}};

/* How far the text goes on behind this word and a blank; NULL: it does not begin so. */
static const char *behind(const char *text, const char *word) {
    const size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && text[length] == ' ' ? text + length + 1 : NULL;
}

/* Could a test of the experiment fail by that? */
static bool is_failure(const struct cor_system_experiment *experiment, const struct cor_system_test *test,
                       const char *text) {
    static const char *const ends[] = {"failed:", "is stalled:", "is unreachable:"};
    const struct cor_words *checks = &experiment->names[COR_SYSTEM_NAMES_CHECK];
    const char *rest = behind(text, "the world");
    for (int t = 1; rest && t < COR_SYSTEM_CODES; t++)
        if (strcmp(rest, cor_term_word(COR_FAMILY_SYSTEM, t)) == 0)
            return true;
    rest = behind(text, "goal of");
    for (uint32_t a = 0; rest && a < test->agent_count; a++)
        for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
            const char *end = behind(rest, test->agents[a]);
            if (end && strncmp(end, ends[e], strlen(ends[e])) == 0)
                return true;
        }
    for (int j = 1; j < COR_JUDGE_CODES; j++) {
        rest = behind(text, cor_term_word(COR_FAMILY_JUDGE, j));
        for (uint32_t w = 0; rest && w < checks->count; w++) {
            const char *name = cor_words_text(checks, w);
            const size_t length = strlen(name);
            if (strncmp(rest, name, length) == 0 &&
                (rest[length] == '\0' || strcmp(rest + length, SYSTEM_LAYER__IN_THE_END) == 0))
                return true;
        }
    }
    return false;
}

static enum cor_status read_schedule(const struct cor_json *json, struct system_layer__script *script,
                                     struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, SCHEDULE_MOST, error));
    COR_TRY(cor_made(script->steps = cor_calloc(cor_json_size(json) + 1, sizeof *script->steps), error));
    COR_JSON_CHILDREN(item, json) {
        /* ["do", {"do": "press", "on": "b1", "agent": "t"}] */
        struct system_layer__step *step = &script->steps[script->count++];
        int kind;
        COR_TRY(cor_json_expect_array(&item, 2, 2, error));
        const struct cor_json first = cor_json_at(&item, 0), command = cor_json_at(&item, 1);
        COR_TRY(cor_json_one_of(&first, kinds, "command", &kind, error));
        *step = (struct system_layer__step){.cell = {COR_NONE, 0, 0},
                                            .kind = kind == 0 ? SYSTEM_LAYER__SETUP : SYSTEM_LAYER__DO,
                                            .need = (uint8_t)(kind == 0 ? 0 : kind - 1)};
        char place[512], *text;
        COR_TRY(cor_json_expect_object(&command, NULL, error));
        COR_TRY(cor_made(text = cor_json_text(&command), error));
        cor_json_place(&command, place, sizeof place);
        const enum cor_status status = cor_json_parse(text, place, &step->command, error);
        free(text);
        COR_TRY(status);
    }
    return COR_OK;
}

/* Whose command it is: of the first test agent, if it does not say. */
static uint32_t actor_of(const struct system_layer__step *step, const struct cor_system_test *test) {
    const struct cor_json command = cor_json_root(step->command);
    struct cor_json member;
    const char *name = test->agents[0];
    uint32_t actor = 0;
    if (cor_json_find(&command, "agent", &member) && cor_json_string(&member, &name, NULL) != COR_OK)
        return 0;
    while (actor + 1 < test->agent_count && strcmp(test->agents[actor], name) != 0)
        actor++;
    return actor;
}

/* Commands that set the world up come first; an assert is about one, and is judged with the last of its test
 * agent. */
static enum cor_status check_order(const struct reading *reading, const struct cor_json *schedule,
                                   const struct cor_system_test *test, struct cor_error *error) {
    const struct system_layer__script *script = reading->script;
    const bool is_assert =
        behind(reading->expected, cor_term_word(COR_FAMILY_JUDGE, COR_JUDGE_ASSERT)) != NULL;
    const struct system_layer__step *needed = NULL;
    for (uint32_t s = 0; s < script->count; s++) {
        struct system_layer__step *step = &script->steps[s];
        const struct cor_json item = cor_json_at(schedule, s);
        step->actor = actor_of(step, test);
        if (step->kind == SYSTEM_LAYER__SETUP && s > 0 && script->steps[s - 1].kind != SYSTEM_LAYER__SETUP)
            return cor_json_fail(&item, error, "put it before all others",
                                 "the world is set up before test agents do anything");
        if (needed && needed->need == SYSTEM_LAYER__JUDGED && needed->actor == step->actor)
            return cor_json_fail(&item, error, "\"about\" in the place of \"judged\", or leave this one out",
                                 "behind the command that is judged its test agent does another");
        if (step->need == SYSTEM_LAYER__PLAIN)
            continue;
        if (!is_assert || needed)
            return cor_json_fail(&item, error, "[\"do\", ..]",
                                 is_assert ? "an assert is about one command"
                                           : "only an assert is about a command");
        needed = step;
    }
    return COR_OK;
}

/* What comes in no cycle of its own comes behind so many commands: a goal may end sooner, or never. */
static bool counts_commands(const char *expected, uint64_t cycle) {
    return strcmp(expected, COR_NO_FAILURE) != 0 && (cycle == 0 || behind(expected, "goal of"));
}

/* Somebody has the goal; an assert, and a goal that failed, need one. */
static enum cor_status check_goal(const struct reading *reading, const struct cor_system_test *test,
                                  struct cor_error *error) {
    const struct system_layer__script *script = reading->script;
    uint32_t a = 0;
    while (script->actor && a < test->agent_count && strcmp(test->agents[a], script->actor) != 0)
        a++;
    if (script->actor && a == test->agent_count)
        return cor_json_fail(&reading->agent_at, error, "one of \"agents\"",
                             "there is no test agent \"%.80s\"", script->actor);
    if (!script->goal && (behind(script->expected, "goal of") || behind(script->expected, "assert")))
        return cor_json_fail(&reading->expected_at, error, "\"goal\" and \"agent\" beside it",
                             "\"%.80s\" is said of a goal, and there is none", script->expected);
    return COR_OK;
}

static enum cor_status system_layer__test_read(const char *text, const char *path,
                                               const struct cor_layer_options *options,
                                               struct cor_subject_test *test, struct cor_error *error) {
    COR_DESTROYED(system_layer__script) struct system_layer__script *script = cor_calloc(1, sizeof *script);
    struct reading reading = {.script = script, .cycle = COR_NONE, .commands = COR_NONE};
    COR_FINISHED(cor_subject_file) struct cor_subject_file file = {0};
    struct cor_system_experiment *experiment = NULL;
    enum cor_status status = COR_OK;
    *test = (struct cor_subject_test){0};
    COR_TRY_OUT(cor_made(script, error));
    COR_TRY_OUT(cor_subject_file_read(text, path, COR_KIND_SYSTEM_TEST, &file, error));
    COR_TRY_OUT(cor_json_fields(&file.own, fields, &reading, error));
    COR_TRY_OUT(cor_made(script->expected = cor_strdup(reading.expected), error));
    if (reading.agent)
        COR_TRY_OUT(cor_made(script->actor = cor_strdup(reading.agent), error));
    script->setups = reading.setups;
    script->commands = reading.commands;
    script->mark = reading.mark;
    script->is_whole = reading.is_whole;
    if (!script->goal != !script->actor)
        COR_TRY_OUT(cor_json_fail(&file.own, error, "\"goal\" and \"agent\", or neither",
                                  script->goal ? "has a goal, and no test agent for it"
                                               : "has a test agent, and no goal for it"));
    COR_TRY_OUT(read_schedule(&file.schedule, script, error));
    status = system_layer__experiment_parse(file.experiment, path, options, script, reading.suite,
                                            &experiment, error);
    script = NULL; /* it is the experiment's */
    COR_TRY_OUT(status);
    COR_TRY_OUT(cor_subject_file_check_arms(&file, &experiment->head, error));
    const struct cor_system_test *of =
        &experiment->tests[experiment->entries[reading.suite % experiment->entry_count].test];
    COR_TRY_OUT(check_goal(&reading, of, error));
    if (strcmp(reading.expected, COR_NO_FAILURE) != 0 && !is_failure(experiment, of, reading.expected))
        COR_TRY_OUT(cor_json_fail(&reading.expected_at, error,
                                  "\"JUDGE CHECK\", as \"assert d1.open\", \"the world died\", "
                                  "\"goal of TEST_AGENT failed: WHY\", or \"" COR_NO_FAILURE "\"",
                                  "\"%.80s\" is nothing that this test could fail by", reading.expected));
    /* With less done, that nothing fails says nothing. */
    if (strcmp(reading.expected, COR_NO_FAILURE) != 0 && reading.cycle == COR_NONE)
        COR_TRY_OUT(cor_json_fail(&reading.expected_at, error, "\"cycle\": NUMBER beside it",
                                  "it is not said when \"%.80s\" comes", reading.expected));
    COR_TRY_OUT(counts_commands(reading.expected, reading.cycle) && reading.commands == COR_NONE
                    ? cor_json_fail(&reading.expected_at, error, "\"commands\": NUMBER beside it",
                                    "it is not said behind how many commands \"%.80s\" comes",
                                    reading.expected)
                    : COR_OK);
    COR_TRY_OUT(check_order(&reading, &file.schedule, of, error));
    if (options)
        COR_TRY_OUT(
            system_layer__guests_look(experiment, options->isolation_required, &test->warnings, error));
    *test = (struct cor_subject_test){.experiment = &experiment->head,
                                      .suite = reading.suite,
                                      .scene = experiment->script,
                                      .expected = experiment->script->expected,
                                      .at = reading.cycle == COR_NONE ? 0 : reading.cycle,
                                      .warnings = test->warnings};
    COR_TRY_OUT(system_layer__choices(test, NULL, error));
out:
    if (status != COR_OK) {
        cor_choices_fini(&test->choices);
        test->experiment = NULL;
        cor_system_experiment_destroy(experiment);
    }
    return status;
}

/* ---- what is written */

static bool has_things(const struct cor_subject_test *test) {
    return system_layer__has_things((const void *)test->experiment, test->scene);
}

/* As it is written: with the arm's change, and without the things that are gone, if it can be so. */
static const struct system_layer__world *world_of(const struct cor_subject_test *test) {
    const struct system_layer__script *script = test->scene;
    const struct cor_system_experiment *experiment = (const void *)test->experiment;
    return script->gone                                              ? script->smaller
           : has_things(test) && experiment->arms[test->arm].changed ? experiment->arms[test->arm].changed
                                                                     : experiment->world;
}

static void put_world(const struct system_layer__world *world, const char *key,
                      struct cor_json_writer *writer) {
    cor_json_open_object(writer, key);
    world->maker->put(world, writer);
    cor_json_close(writer);
}

enum cor_status system_layer__mark(const struct cor_subject_test *test, uint64_t *mark,
                                   struct cor_error *error) {
    const struct cor_system_experiment *experiment = (const void *)test->experiment;
    const struct cor_system_arm *arm = &experiment->arms[test->arm];
    const char *const parts[] = {arm->digest, has_things(test) ? NULL : arm->mutant};
    struct cor_json_writer *writer;
    COR_FREED char *text = NULL;
    COR_TRY(cor_json_writer_create(&writer, error));
    put_world(world_of(test), NULL, writer);
    COR_TRY(cor_json_text_take(writer, 0, &text, error));
    *mark = cor_hash_bytes(COR_HASH_SEED, text, strlen(text));
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        *mark = cor_hash_bytes(*mark, parts[p] ? parts[p] : "", parts[p] ? strlen(parts[p]) : 0);
    return COR_OK;
}

static char *text_of(const struct cor_subject_test *test, const struct cor_choice *choice) {
    const struct system_layer__script *script = test->scene;
    const struct cor_json root = cor_json_root(script->steps[choice->what].command);
    return cor_json_text(&root);
}

/* A kind of line is what the command is, and what an assert needs of it. */
static char *choice_line(const struct cor_subject_test *test, const struct cor_choice *choice) {
    char *command = text_of(test, choice), *line = NULL;
    if (command)
        line = cor_format("[\"%s\", %s]", kinds[choice->kind == SYSTEM_LAYER__SETUP ? 0 : 1 + choice->nth],
                          command);
    free(command);
    return line;
}

static void put(const struct cor_subject_test *test, struct cor_json_writer *writer) {
    const struct system_layer__script *script = test->scene;
    const struct system_layer__world *sound =
        script->unchanged ? script->unchanged
                          : ((const struct cor_system_experiment *)(const void *)test->experiment)->world;
    int64_t setups = 0;
    uint64_t mark;
    for (size_t c = 0; c < test->choices.count; c++)
        setups += test->choices.items[c].kind == SYSTEM_LAYER__SETUP;
    cor_json_put_integer(writer, "suite", test->suite);
    cor_json_put_string(writer, "expected", test->expected);
    cor_json_put_integer(writer, "cycle", (int64_t)test->at);
    if (counts_commands(test->expected, test->at)) {
        cor_json_put_integer(writer, "commands", (int64_t)test->choices.count - setups);
        if (setups > 0)
            cor_json_put_integer(writer, "setups", setups);
    }
    if (script->goal) {
        const struct cor_json root = cor_json_root(script->goal);
        const struct cor_json goal = cor_json_at(&root, 0);
        cor_json_put_value(writer, "goal", &goal);
        cor_json_put_string(writer, "agent", script->actor);
        if (script->is_whole)
            cor_json_put_bool(writer, "whole", true);
    }
    if (script->compares && has_things(test))
        put_world(script->gone ? script->sound : sound, "sound", writer);
    if (system_layer__mark(test, &mark, NULL) == COR_OK) /* it is for people */
        cor_json_put_word(writer, "world", mark);
}

static bool put_member(const struct cor_subject_test *test, const char *key, struct cor_json_writer *writer) {
    const struct system_layer__script *script = test->scene;
    const struct cor_system_experiment *experiment = (const void *)test->experiment;
    if (strcmp(key, "system") == 0)
        put_world(world_of(test), key, writer);
    else if (strcmp(key, "runs") == 0 && experiment->runs == 0) /* without its stop they have an end */
        cor_json_put_integer(writer, key, test->suite / experiment->entry_count + 1);
    else if (strcmp(key, "arms") == 0 && has_things(test)) {
        /* Its policy; its change is in the world, and what test agents do there is a schedule. */
        const struct cor_json root = cor_json_root(experiment->document);
        struct cor_json arms, policy;
        cor_json_open_array(writer, key);
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "name", experiment->arms[test->arm].name);
        if (cor_json_find(&root, key, &arms)) {
            const struct cor_json arm = cor_json_at(&arms, test->arm);
            if (cor_json_find(&arm, "policy", &policy))
                cor_json_put_value(writer, "policy", &policy);
        }
        cor_json_close(writer);
        cor_json_close(writer);
    } else if (strcmp(key, "goals") == 0 && script->goals) {
        const struct cor_json goals = cor_json_root(script->goals);
        cor_json_put_value(writer, key, &goals);
    } else
        return false;
    return true;
}

static enum cor_status system_layer__test_write(const struct cor_subject_test *test, char **text,
                                                struct cor_error *error) {
    static const char *const left_out[] = {"name", "description", "stop", "properties", NULL};
    static const struct cor_subject_file_form form = {COR_KIND_SYSTEM_TEST, left_out, put, choice_line,
                                                      put_member};
    return cor_subject_file_text(&form, test, text, error);
}

const struct cor_subject system_layer__subject = {
    .test = "test",
    .choice = "command",
    .measure = "turn",
    .measured = SYSTEM_LAYER__DO,
    .lesser = COR_NO_KIND,
    .open = open_bench,
    .close = close_bench,
    .make = make,
    .run = run,
    .future = future_of,
    .follow = follow,
    .text = text_of,
    .find = find,
    .apart = make_apart,
    .shrink = shrink,
    .shrink_scene = shrink_scene,
    .is_loop = is_loop,
    .read = system_layer__test_read,
    .write = system_layer__test_write,
    .why_otherwise = why_otherwise,
};
