/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The subject of the layer: its tests are schedules of an arm, its choices their events. They are executed in
 * this process, in a child of the program's, or in a cell. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/process_law.h>
#include <corridor/process_stabilize.h>
#include <corridor/process_story.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench {
    const struct cor_process_arm *arm;
    struct process_layer__rules_bench
        *rules;                         /* owned; of tests of rules, and all else is zero; NULL: of others */
    struct process_layer__rig *rig;     /* owned */
    struct process_layer__apart *apart; /* owned; NULL: nothing was executed in a cell */
    size_t event_most;                  /* of a schedule there */
    bool is_doubted;                    /* the test expects a difference: it is looked for more closely */
    bool is_careful;                    /* each schedule has a fresh child */
    struct process_layer__trier by;     /* of schedules that no generator makes */
    struct cor_process_schedule schedule; /* of the test under way */
    struct process_layer__report report;  /* of the last run, */
    bool is_made;                         /* by a generator */
    struct process_layer__suite
        suite;     /* of the last sequence; what it has seen, and which classes of failures */
    uint32_t next; /* the next sequence of the suite; 0: nothing was learnt */
    struct futures {
        struct cor_process_experiment experiment; /* the bench's, but that its one arm has that generator */
        struct cor_process_arm arm;
        struct cor_process_law *law;          /* owned; NULL: nobody asked for futures */
        struct cor_process_schedule schedule; /* owned; whose they are */
        struct cor_choices choices;           /* owned; the same */
        uint32_t ahead;
        struct cor_process_trajectory next[1 + COR_FORKS_AHEAD]; /* those that were said ahead; */
        uint32_t next_at, next_count;                            /* from next_at on they were not followed */
    } futures;
};

/* ---- choices and events, one to one */

struct cor_choice process_layer__choice_of(const struct cor_process_event *event) {
    return (struct cor_choice){.at = event->tick,
                               .kind = event->kind,
                               .who = event->process,
                               .of = event->peer,
                               .what = event->what,
                               .nth = event->ordinal};
}

struct cor_process_event process_layer__event_of(const struct cor_choice *choice) {
    return (struct cor_process_event){.tick = choice->at,
                                      .kind = (uint8_t)choice->kind,
                                      .process = (uint8_t)choice->who,
                                      .peer = (uint8_t)choice->of,
                                      .what = (uint8_t)choice->what,
                                      .ordinal = choice->nth};
}

static enum cor_status take_choices(struct cor_choices *choices, const struct cor_process_schedule *schedule,
                                    struct cor_error *error) {
    COR_TRY(COR_RESERVE(&choices->items, &choices->capacity, schedule->count, error));
    for (size_t e = 0; e < schedule->count; e++)
        choices->items[e] = process_layer__choice_of(&schedule->events[e]);
    choices->count = schedule->count;
    return COR_OK;
}

enum cor_status process_layer__schedule_of(const struct cor_choices *choices,
                                           struct cor_process_schedule *schedule, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&schedule->events, &schedule->capacity, choices->count, error));
    for (size_t c = 0; c < choices->count; c++)
        schedule->events[c] = process_layer__event_of(&choices->items[c]);
    schedule->count = choices->count;
    return COR_OK;
}

/* ---- executing */

/* A cell for schedules of so many events. */
static enum cor_status need_apart(struct bench *bench, size_t event_count, struct cor_error *error) {
    const size_t most = event_count > bench->arm->events ? event_count : bench->arm->events;
    if (bench->apart && bench->event_most >= most)
        return COR_OK;
    process_layer__apart_destroy(bench->apart);
    bench->apart = NULL;
    bench->event_most = most;
    return process_layer__apart_create(bench->rig, most, &bench->apart, error);
}

/* Schedules that are not made by the generators of the arm: nobody learns from them, or counts states. */
static enum cor_status prepare(struct bench *bench, size_t event_most, struct cor_error *error) {
    if (bench->arm->is_apart)
        return need_apart(bench, event_most, error);
    cor_process_runner_forget(bench->rig->runner);
    cor_process_runner_listen(bench->rig->runner, NULL);
    return COR_OK;
}

/* In this process. What is expected to come out otherwise is executed twice by one child. */
static enum cor_status execute_here(void *self, const struct cor_stream_name *name,
                                    const struct cor_process_schedule *schedule,
                                    struct process_layer__report *report, struct cor_error *error) {
    const struct bench *bench = self;
    struct cor_process_runner *runner = bench->rig->runner;
    const bool is_doubted = bench->is_doubted && process_layer__has_child(bench->rig);
    bool differs = false;
    if (is_doubted || bench->is_careful)
        cor_process_runner_forget(runner);
    COR_TRY(cor_process_replay(runner, name, schedule, &report->schedule, &report->outcome, error));
    if (is_doubted)
        COR_TRY(process_layer__look_again(runner, name, schedule, &report->outcome, &differs, error));
    if (differs)
        process_layer__end_by(&report->outcome, COR_PROCESS_END_LEAKED, PROCESS_LAYER__OTHERWISE);
    return COR_OK;
}

/* One schedule, wherever the arm is executed; *died: of the cell. */
static enum cor_status execute_lone(struct bench *bench, const struct cor_stream_name *name,
                                    const struct cor_process_schedule *schedule, bool *died,
                                    struct cor_error *error) {
    const struct process_layer__task task = {
        .work = PROCESS_LAYER__EXECUTE, .name = name, .schedule = schedule, .is_doubted = bench->is_doubted};
    *died = false;
    COR_TRY(prepare(bench, schedule->count, error));
    return bench->arm->is_apart
               ? process_layer__apart_execute(bench->apart, &task, &bench->report, died, error)
               : execute_here(bench, name, schedule, &bench->report, error);
}

static void expect(struct bench *bench, const struct cor_subject_test *test) {
    bench->is_doubted = strcmp(test->expected, cor_process_end_word(COR_PROCESS_END_LEAKED)) == 0;
}

static struct cor_run run_of(const struct cor_process_arm *arm, const struct cor_process_outcome *outcome,
                             size_t choices) {
    _Static_assert(COR_PROCESS_END_NONE == 0 && COR_NONE == UINT32_MAX, "class 0 is no failure");
    return (struct cor_run){.class = (uint64_t)outcome->end << 32 | (uint32_t)(outcome->violated + 1),
                            .digest = outcome->digest,
                            .choices = choices,
                            .failure = cor_process_outcome_word(arm->corridor, outcome),
                            .sentence = outcome->sentence};
}

static enum cor_status run(void *self, const struct cor_subject_test *test, struct cor_choices *happened,
                           struct cor_run *run, struct cor_error *error) {
    struct bench *bench = self;
    bool died;
    if (bench->rules)
        return process_layer__rules_run(bench->rules, test, happened, run, error);
    const struct cor_stream_name name =
        cor_process_stream_name(bench->rig->experiment, test->suite, test->sequence);
    expect(bench, test);
    bench->is_made = false;
    COR_TRY(process_layer__schedule_of(&test->choices, &bench->schedule, error));
    COR_TRY(bench->by.execute
                ? bench->by.execute(bench->by.self, &name, &bench->schedule, &bench->report, error)
                : execute_lone(bench, &name, &bench->schedule, &died, error));
    *run = run_of(bench->arm, &bench->report.outcome, bench->report.schedule.count);
    return happened && run->class != 0 ? take_choices(happened, &bench->report.schedule, error) : COR_OK;
}

/* is_whole: as one of all of its suite. */
static enum cor_status run_one(struct bench *bench, uint32_t sequence, bool is_whole,
                               struct cor_error *error) {
    struct process_layer__suite *suite = &bench->suite;
    bool is_first;
    if (!bench->arm->is_apart && is_whole) {
        COR_TRY(process_layer__rig_run_settled(bench->rig, suite, sequence, &bench->report, error));
        return process_layer__has_failed(&bench->report.outcome)
                   ? process_layer__keep_class(suite, &bench->report.outcome, &is_first, error)
                   : COR_OK;
    }
    if (!bench->arm->is_apart)
        return process_layer__rig_run(bench->rig, suite->suite, sequence, &suite->seen, &bench->report,
                                      error);
    COR_TRY(need_apart(bench, 0, error));
    return process_layer__apart_again(bench->apart, suite->suite, sequence, &suite->seen, bench->is_doubted,
                                      &bench->report, error);
}

/* Where its generator learns, sequences before it in the suite are executed, too, unless the last one was
 * among them. */
static enum cor_status make(void *self, struct cor_subject_test *test, struct cor_run *run,
                            struct cor_error *error) {
    struct bench *bench = self;
    const struct cor_process_arm *arm = bench->arm;
    const uint32_t sequence = test->sequence;
    expect(bench, test);
    const bool learns = arm->generators[sequence % arm->generator_count]->learn != NULL,
               is_whole = learns || (bench->is_doubted && process_layer__has_child(bench->rig));
    if (!is_whole || bench->next == 0 || test->suite != bench->suite.suite || sequence < bench->next) {
        process_layer__seen_clear(&bench->suite.seen);
        bench->suite.kept_count = 0;
        if (learns && bench->apart)
            process_layer__apart_end(bench->apart);
        COR_TRY(process_layer__rig_restart(bench->rig, error));
        bench->next = is_whole ? 0 : sequence;
    }
    bench->suite.suite = test->suite;
    for (; bench->next < sequence; bench->next++)
        COR_TRY(run_one(bench, bench->next, is_whole, error));
    COR_TRY(run_one(bench, sequence, is_whole, error));
    bench->next = is_whole ? sequence + 1 : 0;
    bench->is_made = true;
    *run = run_of(bench->arm, &bench->report.outcome, bench->report.schedule.count);
    return take_choices(&test->choices, &bench->report.schedule, error);
}

/* ---- futures: by a law that plays the first events, and then has the generator that is asked for */

static bool future_of(uint32_t index, struct cor_future *future) {
    if (index >= COR_PROCESS_GENERATOR_COUNT)
        return false;
    const struct cor_schedule_generator_kind *kind = process_layer__generators[index];
    *future = (struct cor_future){kind->name, kind->meaning, kind->fork ? NULL : kind->no_law};
    return true;
}

static void close_futures(struct futures *own) {
    cor_process_law_destroy(own->law);
    cor_process_schedule_fini(&own->schedule);
    cor_choices_fini(&own->choices);
    *own = (struct futures){.law = NULL};
}

/* The law of the futures of that test. */
static enum cor_status need_law(struct bench *bench, const struct cor_subject_test *test,
                                const struct cor_fork *fork, struct cor_error *error) {
    struct futures *own = &bench->futures;
    const struct cor_schedule_generator_kind *kind = process_layer__generators[fork->future];
    const struct cor_choices *choices = &test->choices;
    if (own->law && own->arm.generators[0] == kind && own->ahead == fork->ahead &&
        own->choices.count == choices->count &&
        memcmp(own->choices.items, choices->items, choices->count * sizeof *choices->items) == 0)
        return COR_OK;
    close_futures(own);
    COR_TRY(cor_choices_copy(&own->choices, choices, error));
    COR_TRY(process_layer__schedule_of(choices, &own->schedule, error));
    own->experiment = *bench->rig->experiment;
    own->arm = *bench->arm;
    own->experiment.arms = &own->arm;
    own->arm.generators[0] = kind;
    own->arm.generator_count = 1;
    if (own->arm.events < COR_PROCESS_EVENTS) /* of a kept test: no more than it has, it may be */
        own->arm.events = COR_PROCESS_EVENTS;
    own->arm.events = (uint32_t)choices->count + (fork->ahead > 0 ? fork->ahead : own->arm.events);
    own->ahead = fork->ahead;
    COR_TRY(cor_process_law_create(&own->experiment, 0, NULL, &(struct cor_process_height){.of = NULL},
                                   &own->law, error));
    cor_process_law_play(own->law, &own->schedule);
    return COR_OK;
}

/* As it was said ahead; or with those that are said now. */
static const struct cor_process_trajectory *next_of(struct futures *own, const struct cor_subject_test *test,
                                                    const struct cor_fork *fork) {
    const struct cor_process_trajectory *said = &own->next[own->next_at];
    if (fork->seed_count == 0 && own->next_at < own->next_count && said->seed == fork->seed &&
        said->forks[1].steps == fork->choices && said->forks[1].digest == fork->forked) {
        own->next_at++;
        return said;
    }
    own->next_at = 1;
    own->next_count = 1 + fork->seed_count;
    for (uint32_t n = 0; n < own->next_count; n++)
        own->next[n] = (struct cor_process_trajectory){
            .suite = test->suite,
            .sequence = test->sequence,
            .fork_count = 2,
            .forks = {{.number = test->sequence}, {fork->choices, fork->forked, test->sequence}},
            .until = COR_NONE,
            .height = -INFINITY,
            .target = INFINITY,
            .seed = n == 0 ? fork->seed : fork->seeds[n - 1],
            .ahead = fork->ahead};
    cor_process_law_ahead(own->law, own->next, own->next_count);
    return own->next;
}

static enum cor_status follow(void *self, const struct cor_subject_test *test, const struct cor_fork *fork,
                              struct cor_run *run, struct cor_error *error) {
    struct bench *bench = self;
    if (bench->rules)
        return cor_fail(error, COR_STATUS_INPUT, test->experiment->path, "leave out --curve",
                        "a run of rules has no law: a daemon chooses who moves");
    COR_TRY(need_law(bench, test, fork, error));
    COR_TRY(cor_process_law_follow(bench->futures.law, next_of(&bench->futures, test, fork), NULL, error));
    const struct cor_process_outcome *outcome = cor_process_law_outcome(bench->futures.law);
    const struct cor_process_event *next = cor_process_law_next(bench->futures.law);
    *run = run_of(bench->arm, outcome, outcome->events);
    run->forked = cor_process_law_forked(bench->futures.law);
    run->does_not_repeat =
        outcome->end == COR_PROCESS_END_LEAKED && strcmp(outcome->sentence, PROCESS_LAYER__OTHERWISE) == 0;
    run->is_cut = run->class == 0 && outcome->is_cut_short;
    run->goes_on = next != NULL;
    if (next)
        run->next = process_layer__choice_of(next);
    return COR_OK;
}

static char *text_of(const struct cor_subject_test *test, const struct cor_choice *choice) {
    const struct cor_process_experiment *experiment = (const void *)test->experiment;
    const struct cor_stabilize_scene *scene = test->scene;
    if (scene && !scene->is_mixed)
        return process_layer__rules_text(choice);
    const struct cor_process_event event = process_layer__event_of(choice);
    const struct cor_process_arm *arm = &experiment->arms[test->arm];
    return cor_process_tell_event(cor_process_description(arm->program), arm->count, &event);
}

static void close_bench(void *self) {
    struct bench *bench = self;
    if (!bench)
        return;
    process_layer__rules_bench_close(bench->rules);
    close_futures(&bench->futures);
    process_layer__apart_destroy(bench->apart);
    process_layer__rig_destroy(bench->rig);
    process_layer__seen_fini(&bench->suite.seen);
    free(bench->suite.kept);
    cor_process_schedule_fini(&bench->schedule);
    process_layer__report_fini(&bench->report);
    free(bench);
}

static enum cor_status open_bench(const struct cor_experiment_head *head, uint32_t arm, void **self,
                                  struct cor_error *error) {
    const struct cor_process_experiment *experiment = (const void *)head;
    struct bench *bench = cor_calloc(1, sizeof *bench);
    *self = NULL;
    COR_TRY(cor_made(bench, error));
    bench->arm = &experiment->arms[arm];
    const enum cor_status status =
        experiment->scene
            ? process_layer__rules_bench_open(experiment, arm, &bench->rules, error)
            : process_layer__rig_create(experiment, arm, &bench->arm->traps, &bench->rig, error);
    if (status == COR_OK)
        *self = bench;
    else
        close_bench(bench);
    return status;
}

/* ---- what comes by itself */

static bool comes_by_itself(const struct cor_choice *choice) {
    return choice->kind == COR_PROCESS_EVENT_DELIVER || choice->kind == COR_PROCESS_EVENT_TIME_OUT ||
           choice->kind == COR_PROCESS_EVENT_DISK || choice->kind == COR_PROCESS_EVENT_TICK ||
           choice->kind == COR_PROCESS_EVENT_DEFAULT;
}

static enum cor_status keep(struct cor_choices *left, const struct cor_choice *choice,
                            struct cor_error *error) {
    COR_TRY(COR_RESERVE(&left->items, &left->capacity, left->count + 1, error));
    left->items[left->count++] = *choice;
    return COR_OK;
}

/* What comes by itself up to that tick, if that is later than the last one left. */
static enum cor_status keep_default(const struct cor_process_arm *arm, uint64_t tick,
                                    struct cor_choices *left, struct cor_error *error) {
    struct cor_choice all = {.at = tick, .kind = COR_PROCESS_EVENT_DEFAULT, .nth = UINT32_MAX};
    if (left->count > 0 && left->items[left->count - 1].at >= tick)
        return COR_OK;
    for (uint32_t s = 0; s < arm->environment.state_count; s++)
        if (arm->environment.weather[s].delay[0] < all.nth)
            all.nth = arm->environment.weather[s].delay[0];
    return keep(left, &all, error);
}

/* A loss as one with those of its link up to the end of the marked choices around it; false: it is one of
 * them, and not the first. */
static bool join_losses(const struct cor_choices *choices, const bool *marked, size_t at,
                        struct cor_choice *joined) {
    const struct cor_choice own = choices->items[at];
    size_t last = at;
    for (size_t c = at; c-- > 0 && marked[c];)
        if (choices->items[c].kind == own.kind && choices->items[c].who == own.who &&
            choices->items[c].of == own.of)
            return false;
    for (size_t c = at; c < choices->count && marked[c]; c++)
        if (choices->items[c].kind == own.kind && choices->items[c].who == own.who &&
            choices->items[c].of == own.of)
            last = c;
    if (last > at)
        *joined = (struct cor_choice){.at = own.at,
                                      .kind = COR_PROCESS_EVENT_LOSE_ALL,
                                      .who = own.who,
                                      .of = own.of,
                                      .nth = (uint32_t)(choices->items[last].at - own.at)};
    return true;
}

/* What stays comes before what comes by itself in the same tick: a message that is lost is still there. */
static enum cor_status by_itself(const struct cor_subject_test *test, const bool *marked, bool as_one,
                                 struct cor_choices *left, struct cor_error *error) {
    const struct cor_process_experiment *experiment = (const void *)test->experiment;
    const struct cor_process_arm *arm = &experiment->arms[test->arm];
    const struct cor_choices *choices = &test->choices;
    for (size_t c = 0; c < choices->count; c++) {
        struct cor_choice own = choices->items[c], *choice = &own;
        const bool is_joined = as_one && marked[c] && own.kind == COR_PROCESS_EVENT_LOSE &&
                               !join_losses(choices, marked, c, &own),
                   is_left = is_joined || (marked[c] && comes_by_itself(choice)),
                   is_last = marked[c] && (c + 1 == choices->count || !marked[c + 1]);
        if (marked[c] && !is_left && choice->at > 0)
            COR_TRY(keep_default(arm, choice->at - 1, left, error));
        if (!is_left)
            COR_TRY(keep(left, choice, error));
        if (is_last && is_left)
            COR_TRY(keep_default(arm, choice->at, left, error));
    }
    return COR_OK;
}

/* ---- shrinking */

/* Events that are executed before it is tried what comes by itself: a program in another language makes about
 * ten thousand a second, others a million. */
#define PATIENCE_CHILD 32768
#define PATIENCE 4194304

/* Does what is left of a schedule fail otherwise than that did, each in a fresh child? Or that itself in the
 * child that had all others? */
static enum cor_status compare(struct bench *bench, const struct cor_subject_test *left,
                               const struct cor_choices *choices, bool *differs, struct cor_error *error) {
    struct cor_subject_test whole = *left;
    struct cor_run used, wanted, come;
    whole.choices = *choices;
    COR_TRY(run(bench, &whole, NULL, &used, error));
    const bool is_by_machine = bench->report.outcome.is_by_machine;
    cor_process_runner_forget(bench->rig->runner);
    COR_TRY(run(bench, &whole, NULL, &wanted, error));
    cor_process_runner_forget(bench->rig->runner);
    COR_TRY(run(bench, left, NULL, &come, error));
    *differs = wanted.class != come.class ||
               (!is_by_machine && (used.digest != wanted.digest || used.class != wanted.class));
    return COR_OK;
}

/* In this process. A child of the program's tries one after the other, and may let pass what failed because
 * it had others; where what is left does not hold in a fresh one, it is *hasty. */
static enum cor_status shrink_here(struct bench *bench, struct cor_shrinking *shrinking,
                                   const struct cor_choices *whole, bool *differs, bool *hasty,
                                   struct cor_error *error) {
    struct cor_error said = COR_NO_ERROR;
    *hasty = process_layer__has_child(bench->rig);
    bench->by = (struct process_layer__trier){bench, execute_here};
    const enum cor_status status = cor_shrink_tests(shrinking, bench, &said);
    *differs = status == COR_STATUS_INPUT && *hasty && !bench->is_careful;
    if (*differs)
        return COR_OK;
    if (status != COR_OK)
        return cor_fail(error, status, said.place, said.remedy, "%s", said.cause);
    const uint32_t best = shrinking->shrunk.best;
    return *hasty ? compare(bench, &shrinking->tests[best], &whole[best], differs, error) : COR_OK;
}

/* What was done in haste is all done again with care, where what is left does not hold. */
static enum cor_status shrink(void *self, struct cor_shrinking *shrinking, bool *differs,
                              struct cor_error *error) {
    struct bench *bench = self;
    const uint32_t count = shrinking->count;
    if (bench->rules)
        return process_layer__rules_shrink(bench->rules, bench, shrinking, differs, error);
    struct cor_choices *whole = cor_calloc(count, sizeof *whole);
    enum cor_status status = COR_OK;
    size_t most = 0;
    bool hasty = false;
    *differs = false;
    COR_TRY(cor_made(whole, error));
    expect(bench, &shrinking->tests[0]);
    if (shrinking->patience == 0)
        shrinking->patience = process_layer__has_child(bench->rig) ? PATIENCE_CHILD : PATIENCE;
    for (uint32_t t = 0; t < count; t++) {
        COR_TRY_OUT(cor_choices_copy(&whole[t], &shrinking->tests[t].choices, error));
        most = whole[t].count > most ? whole[t].count : most;
    }
    COR_TRY_OUT(prepare(bench, most, error));
    for (bench->is_careful = false;; bench->is_careful = true) {
        const struct process_layer__task task = {.work = PROCESS_LAYER__SHRINK,
                                                 .shrinking = shrinking,
                                                 .bench = bench,
                                                 .by = &bench->by,
                                                 .is_patient = bench->is_careful,
                                                 .is_doubted = bench->is_doubted};
        COR_TRY_OUT(bench->arm->is_apart
                        ? process_layer__apart_shrink(bench->apart, &task, differs, &hasty, error)
                        : shrink_here(bench, shrinking, whole, differs, &hasty, error));
        if (!*differs || !hasty || bench->is_careful)
            break;
        for (uint32_t t = 0; t < count; t++)
            COR_TRY_OUT(cor_choices_copy(&shrinking->tests[t].choices, &whole[t], error));
    }
out:
    bench->is_careful = false;
    bench->by = (struct process_layer__trier){0};
    for (uint32_t t = 0; t < count; t++)
        cor_choices_fini(&whole[t]);
    free(whole);
    return status;
}

/* ---- the story */

/* Where the program cannot go on it is told up to there, and then what it died of. */
enum cor_status cor_process_tell(void *self, const struct cor_subject_test *test, enum cor_story_form form,
                                 char **text, struct cor_error *error) {
    struct bench *bench = self;
    if (bench->rules)
        return process_layer__rules_tell(bench->rules, test, form, text, error);
    struct cor_process_schedule *happened = &bench->report.schedule;
    struct cor_process_death death = {.event = NULL};
    const struct cor_stream_name name =
        cor_process_stream_name(bench->rig->experiment, test->suite, test->sequence);
    struct process_layer__task task = {
        .work = PROCESS_LAYER__TELL, .name = &name, .schedule = &bench->schedule, .form = form};
    bool died;
    *text = NULL;
    expect(bench, test);
    COR_TRY(process_layer__schedule_of(&test->choices, &bench->schedule, error));
    if (bench->arm->is_apart || bench->is_doubted)
        COR_TRY(execute_lone(bench, &name, &bench->schedule, &died, error));
    death.outcome = bench->report.outcome;
    if (!bench->arm->is_apart) {
        const bool leaks = bench->is_doubted && death.outcome.end == COR_PROCESS_END_LEAKED;
        COR_TRY(prepare(bench, bench->schedule.count, error));
        return cor_process_story(bench->rig->runner, &name, &bench->schedule, leaks ? &death : NULL, form,
                                 text, error);
    }
    if (died || death.outcome.end == COR_PROCESS_END_LEAKED) {
        task.schedule = happened;
        task.death = &death;
    }
    if (died && happened->count > 0)
        death.event = &happened->events[--happened->count];
    return process_layer__apart_story(bench->apart, &task, text, error);
}

/* ---- what became of what is expected */

static bool has(const struct cor_process_constraints *set, uint32_t constraint) {
    return set->words[constraint / 64] >> constraint % 64 & 1;
}

/* Was nothing of the schedule executed? NULL: something was. Time alone is something where there is nothing
 * else in it, and somebody runs. */
static const char *why_idle(const struct cor_process_setting *setting,
                            const struct cor_process_schedule *schedule,
                            const struct cor_process_outcome *outcome) {
    bool is_time_alone = schedule->count > 0, starts = !setting->cluster.starts_later;
    for (size_t e = 0; e < schedule->count; e++) {
        const uint8_t kind = schedule->events[e].kind;
        is_time_alone =
            is_time_alone && (kind == COR_PROCESS_EVENT_TICK || kind == COR_PROCESS_EVENT_DEFAULT);
        starts = starts || kind == COR_PROCESS_EVENT_RESTART || kind == COR_PROCESS_EVENT_JOIN;
    }
    return !is_time_alone && outcome->events == 0 ? "no event of the schedule was possible"
           : !starts                              ? "no event of the schedule starts a process"
                                                  : NULL;
}

/* A constraint in whose judgement something lacks, of those expected; COR_NONE: there is none. */
static uint32_t find_open(const struct cor_process_setting *setting,
                          const struct cor_process_outcome *outcome, const char *expected, bool is_reached) {
    const struct cor_corridor *corridor = setting->corridor;
    const bool all = strcmp(expected, cor_process_end_word(COR_PROCESS_END_NONE)) == 0;
    for (uint32_t c = 0; c < corridor->constraint_count; c++)
        if ((all || strcmp(corridor->constraints[c].name, expected) == 0) &&
            (has(&outcome->open, c) || (has(&outcome->so_far, c) && !is_reached)))
            return c;
    return COR_NONE;
}

/* Is it a question about a history that is expected, and nothing came that could be wrong? */
static bool is_untold(const struct cor_corridor *corridor, const struct cor_process_outcome *outcome,
                      const char *expected) {
    for (uint32_t c = 0; c < corridor->constraint_count; c++)
        if (strcmp(corridor->constraints[c].name, expected) == 0)
            return corridor->constraints[c].channel != COR_NONE &&
                   corridor->channels[corridor->constraints[c].channel].is_history &&
                   !has(&outcome->tested, c);
    return false;
}

/* By what is expected alone: a constraint, the word of an end; "none": by all. A formula that holds so far is
 * open, unless the schedule reaches the tick at which it failed. */
static enum cor_expected find(const void *self, const struct cor_subject_test *test, char *why, size_t size) {
    const struct bench *bench = self;
    if (bench->rules)
        return process_layer__rules_find(bench->rules, test, why, size);
    const struct cor_process_outcome *outcome = &bench->report.outcome;
    const struct cor_process_setting setting =
        cor_process_setting_of(bench->rig->experiment, bench->rig->arm);
    const struct cor_process_schedule *schedule = bench->is_made ? NULL : &bench->schedule;
    const char *none = cor_process_end_word(COR_PROCESS_END_NONE), *expected = test->expected,
               *word = cor_process_outcome_word(setting.corridor, outcome);
    const uint64_t tick = schedule ? test->at : 0;
    const bool fails = strcmp(word, none) != 0;
    const char *idle = schedule && !fails ? why_idle(&setting, schedule, outcome) : NULL;
    uint32_t open;
    snprintf(why, size, "nothing fails");
    if (fails)
        snprintf(why, size, "%s: %s", word, outcome->sentence);
    if (fails && (strcmp(word, expected) == 0 || strcmp(expected, none) == 0))
        return COR_EXPECTED_COMES;
    if (fails)
        snprintf(why, size, "%s was not judged to the end, for the schedule ended with %s: %s", expected,
                 word, outcome->sentence);
    else if (idle)
        snprintf(why, size, "nothing was run: %s", idle);
    else if (outcome->is_cut_short)
        snprintf(why, size, "the schedule was cut short after %u cases and %u events", outcome->cases,
                 outcome->events);
    else if (schedule && outcome->ticks < tick) /* less than it says, where its last events did not happen */
        snprintf(why, size, "the schedule ends at tick %" PRIu64 ", and what is expected came at %" PRIu64,
                 outcome->ticks, tick);
    else if ((open = find_open(&setting, outcome, expected,
                               tick > 0 && outcome->cases * setting.case_ticks >= tick)) != COR_NONE)
        snprintf(why, size, "%s is not decided after %u of %u cases",
                 setting.corridor->constraints[open].name, outcome->cases, setting.case_count);
    else if (is_untold(setting.corridor, outcome, expected))
        snprintf(why, size, "%s was put to no test: no call returned anything that could be wrong", expected);
    else
        return COR_EXPECTED_IS_GONE;
    return COR_EXPECTED_IS_OPEN;
}

static const char *why_otherwise(const struct cor_experiment_head *head, uint32_t arm) {
    const struct cor_process_experiment *experiment = (const void *)head;
    return cor_process_way_of(experiment->arms[arm].command) == COR_PROCESS_BUILT_IN
               ? "was the program changed since?"
               : "the program may remember other schedules, or look at a clock; else it was changed since";
}

const struct cor_subject process_layer__subject = {
    .test = "schedule",
    .choice = "event",
    .measure = "message",
    .measured = COR_PROCESS_EVENT_DELIVER,
    .lesser = COR_PROCESS_EVENT_LOSE,
    .open = open_bench,
    .close = close_bench,
    .make = make,
    .run = run,
    .future = future_of,
    .follow = follow,
    .text = text_of,
    .find = find,
    .shrink = shrink,
    .by_itself = by_itself,
    .is_default = COR_PROCESS_EVENT_DEFAULT,
    .read = process_layer__test_read,
    .write = process_layer__test_write,
    .has_sentences = true,
    .why_otherwise = why_otherwise,
};
