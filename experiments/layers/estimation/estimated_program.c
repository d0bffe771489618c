/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules of a distributed program, one by one or restarted: a trajectory that comes to a level is kept as
 * the steps at which what is random was drawn anew, and executed again from its beginning. Generators keep
 * what they have drawn - delays of messages under way, weights of a schedule -, and so does the weather of
 * the case under way: what is not drawn anew is a part of the state, and the estimate is unbiased all the
 * same. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/case_condition.h>
#include <corridor/process_law.h>
#include <corridor/terms.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(COR_PROCESS_FORKS_MAX == COR_LEVELS_MAX + 1, "a fork for each stage");

static bool program_matches(const struct estimation_layer__program *program,
                            const struct cor_process_outcome *outcome);
static bool program_leaks(const struct estimation_layer__program *program,
                          const struct cor_process_outcome *outcome);
static uint32_t program_until(const struct estimation_layer__program *program);

static enum cor_status run_schedules(struct estimation_layer__executor *x,
                                     struct estimation_layer__repetition *repetition,
                                     struct cor_error *error) {
    const struct cor_estimation *e = x->estimation;
    for (uint32_t s = 0; s < e->sequences; s++) {
        const struct cor_process_trajectory trajectory = {.suite = x->name.suite,
                                                          .sequence = s,
                                                          .fork_count = 1,
                                                          .forks[0].number = s,
                                                          .until = program_until(e->program),
                                                          .height = -INFINITY,
                                                          .target = INFINITY,
                                                          .is_last = s + 1 == e->sequences};
        COR_TRY(cor_process_law_follow(x->schedules, &trajectory, x->watch, error));
        const bool matches = program_matches(e->program, cor_process_law_outcome(x->schedules));
        x->cases += cor_process_law_cases(x->schedules);
        repetition->leaked += program_leaks(e->program, cor_process_law_outcome(x->schedules));
        estimation_layer__repetition_add(repetition, cor_weight_of(matches), matches);
        cor_watch_show(x->watch, x->cases);
    }
    return COR_OK;
}

static void begin_schedule(struct estimation_layer__executor *x,
                           const struct estimation_layer__split_stage *stage, uint32_t number,
                           uint32_t entry) {
    const struct cor_estimation *e = x->estimation;
    struct cor_process_trajectory *trajectory = (struct cor_process_trajectory *)x->paths[2] + number;
    *trajectory = (struct cor_process_trajectory){.suite = x->name.suite,
                                                  .sequence = stage->sequence,
                                                  .until = program_until(e->program),
                                                  .height = -INFINITY};
    if (stage->stage > 0)
        *trajectory = ((const struct cor_process_trajectory *)x->paths[stage->stage % 2])[entry];
    trajectory->forks[trajectory->fork_count++].number = estimation_layer__number(e, stage, number);
    trajectory->target = stage->target;
    trajectory->is_last =
        stage->stage == 0 && number + 1 == e->efforts[0] && stage->sequence + 1 == e->sequences;
}

static enum cor_status follow_schedules(struct estimation_layer__executor *x,
                                        struct estimation_layer__split_stage *stage,
                                        struct cor_error *error) {
    const struct cor_estimation *e = x->estimation;
    const struct cor_process_trajectory *trajectories = x->paths[2];
    const uint32_t count = (uint32_t)e->efforts[stage->stage], to = (stage->stage + 1) % 2;
    cor_process_law_ahead(x->schedules, trajectories, count);
    for (uint32_t t = 0; t < count; t++) {
        COR_TRY(cor_process_law_follow(x->schedules, &trajectories[t], x->watch, error));
        const struct cor_process_outcome *outcome = cor_process_law_outcome(x->schedules);
        const bool matches = program_matches(e->program, outcome);
        const double height = cor_process_law_height(x->schedules);
        x->cases += cor_process_law_cases(x->schedules);
        x->highest[t] = matches ? INFINITY : height;
        stage->failed += matches;
        stage->leaked += program_leaks(e->program, outcome);
        stage->failed_weight += matches;
        if (matches || cor_process_law_is_over(x->schedules) || !(height >= stage->target))
            continue; /* what is over fails no more */
        struct cor_process_trajectory *entry = (struct cor_process_trajectory *)x->paths[to] + stage->reached;
        *entry = trajectories[t];
        entry->height = height;
        entry->forks[entry->fork_count] = cor_process_law_fork(x->schedules, 0);
        x->weights[to][stage->reached++] = 1;
        stage->reached_weight++;
    }
    return COR_OK;
}

/* ---- what is asked of a distributed program: a constraint, an end or a trap, and how near to it a schedule
 * has come */

#define NAME_SIZE 24

struct estimation_layer__program {
    struct cor_process_experiment *experiment; /* owned */
    uint32_t arm;
    bool any;                 /* failure counts: else */
    uint32_t constraint;      /* a constraint; COR_NONE: */
    enum cor_process_end end; /* an end; NONE: */
    uint32_t target;          /* one of the conditions: */
    uint32_t trap;            /* that of this trap */
    struct cor_process_traps
        conditions;           /* owned; that are looked for: of the level, behind them the target */
    uint32_t condition_count; /* of the level, in their order; 0: how far the first is from holding */
};

/* Conditions that are looked for, as they are written: of the level, and the one that is counted. */
struct conditions {
    char names[COR_LEVELS_MAX + 1][NAME_SIZE];
    char *texts[COR_LEVELS_MAX + 1]; /* owned */
    uint32_t count;
};

static enum cor_status add(struct conditions *conditions, const char *text, size_t length,
                           struct cor_error *error) {
    snprintf(conditions->names[conditions->count], NAME_SIZE, "level_%u_of_estimate", conditions->count + 1);
    conditions->texts[conditions->count] = cor_format("%.*s", (int)length, text);
    return cor_made(conditions->texts[conditions->count++], error);
}

static const char *text_of_trap(const struct cor_process_arm *arm, uint32_t trap) {
    return arm->traps.corridor->constraints[arm->traps.first + trap].text;
}

/* A condition of the level: the text, or that of the trap that it names. */
static enum cor_status add_condition(const struct cor_json *json, const struct cor_process_arm *arm,
                                     const char *text, size_t length, struct conditions *conditions,
                                     struct cor_error *error) {
    char name[256];
    while (length > 0 && text[0] == ' ') {
        text++;
        length--;
    }
    while (length > 0 && text[length - 1] == ' ')
        length--;
    if (conditions->count == COR_LEVELS_MAX)
        return cor_json_fail(json, error, "leave some out", "a level has at most %d conditions",
                             COR_LEVELS_MAX);
    if (length == 0)
        return cor_json_fail(json, error, "conditions with one semicolon between them",
                             "condition %u of the level is empty", conditions->count + 1);
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    const uint32_t trap = length < sizeof name ? cor_process_trap(arm, name) : COR_NONE;
    if (trap == COR_NONE)
        return add(conditions, text, length, error);
    text = text_of_trap(arm, trap);
    return add(conditions, text, strlen(text), error);
}

/* Conditions with semicolons between them. */
static enum cor_status read_text(const struct cor_json *json, const struct cor_process_arm *arm,
                                 const char *text, struct conditions *conditions, struct cor_error *error) {
    for (;; text++) {
        const size_t length = strcspn(text, ";");
        COR_TRY(add_condition(json, arm, text, length, conditions, error));
        text += length;
        if (!*text)
            return COR_OK;
    }
}

static enum cor_status read_level(const struct cor_json *json, const struct cor_process_arm *arm,
                                  struct conditions *conditions, struct cor_error *error) {
    const char *text;
    if (cor_json_is_array(json)) {
        COR_TRY(cor_json_expect_array(json, 1, COR_LEVELS_MAX, error));
        COR_JSON_CHILDREN(item, json) {
            COR_TRY(cor_json_string(&item, &text, error));
            COR_TRY(add_condition(&item, arm, text, strlen(text), conditions, error));
        }
        return COR_OK;
    }
    COR_TRY(cor_json_string(json, &text, error));
    return read_text(json, arm, text, conditions, error);
}

/* *trap: that is counted, COR_NONE: none is. */
static enum cor_status read_class(struct estimation_layer__program *e, const struct cor_json *root,
                                  const char *text, uint32_t *trap, struct cor_error *error) {
    const struct cor_process_arm *arm = &e->experiment->arms[e->arm];
    const struct cor_corridor *corridor = arm->corridor;
    *trap = e->constraint = e->target = COR_NONE;
    e->any = !text || strcmp(text, "any") == 0;
    if (e->any)
        return COR_OK;
    for (uint32_t c = 0; c < corridor->constraint_count; c++)
        if (strcmp(corridor->constraints[c].name, text) == 0)
            e->constraint = c;
    if (e->constraint != COR_NONE && arm->watched && !arm->watched[e->constraint])
        return cor_json_fail(root, error, "name it in \"watch\", too, or leave \"watch\" out",
                             "constraint \"%.80s\" is not watched in arm \"%.80s\": nothing violates it",
                             text, arm->name);
    for (int k = 0; k < COR_PROCESS_END_COUNT && e->constraint == COR_NONE; k++)
        if (k != COR_PROCESS_END_NONE && strcmp(cor_process_end_word((enum cor_process_end)k), text) == 0)
            e->end = (enum cor_process_end)k;
    *trap = cor_process_trap(arm, text);
    if (e->constraint != COR_NONE || e->end != COR_PROCESS_END_NONE || *trap != COR_NONE)
        return COR_OK;
    const char *names[64] = {"any"};
    char known[1024];
    size_t count = 1;
    for (uint32_t c = 0; c < corridor->constraint_count && count < 40; c++)
        names[count++] = corridor->constraints[c].name;
    for (uint32_t t = 0; t < arm->traps.count && count < 63; t++)
        names[count++] = arm->traps.corridor->constraints[arm->traps.first + t].name;
    names[count] = NULL;
    cor_known_names(text, names, known, sizeof known);
    return cor_json_fail(root, error, known,
                         "\"%.80s\" is no constraint of the corridor, no end of a process and no trap of arm "
                         "\"%.80s\"",
                         text, arm->name);
}

static enum cor_status make_conditions(struct estimation_layer__program *e, const struct cor_json *at,
                                       const struct conditions *conditions, struct cor_error *error) {
    const char *names[COR_LEVELS_MAX + 1], *texts[COR_LEVELS_MAX + 1];
    struct cor_error said = COR_NO_ERROR;
    uint32_t wrong;
    if (conditions->count == 0)
        return COR_OK;
    for (uint32_t c = 0; c < conditions->count; c++) {
        names[c] = conditions->names[c];
        texts[c] = conditions->texts[c];
    }
    const enum cor_status status = cor_process_traps_make(&e->experiment->arms[e->arm], names, texts,
                                                          conditions->count, &e->conditions, &wrong, &said);
    if (status == COR_STATUS_INPUT)
        return cor_json_fail(at, error, said.remedy, "%s", said.cause);
    if (status != COR_OK)
        *error = said;
    return status;
}

/* The conditions of the level, and behind them the one that is counted. */
static enum cor_status take(struct estimation_layer__program *e, const struct cor_json *at,
                            struct conditions *conditions, uint32_t *condition_count,
                            struct cor_error *error) {
    const struct cor_process_arm *arm = &e->experiment->arms[e->arm];
    cor_process_traps_fini(&e->conditions);
    e->condition_count = conditions->count == 1 ? 0 : conditions->count;
    *condition_count = e->condition_count;
    e->target = e->trap == COR_NONE ? COR_NONE : conditions->count;
    if (e->trap != COR_NONE)
        COR_TRY(add(conditions, text_of_trap(arm, e->trap), strlen(text_of_trap(arm, e->trap)), error));
    return make_conditions(e, at, conditions, error);
}

static void fini_conditions(struct conditions *conditions) {
    for (uint32_t c = 0; c < conditions->count; c++)
        free(conditions->texts[c]);
}

static enum cor_status ask_program(struct estimation_layer__program *e,
                                   const struct estimation_layer__asked *asked, uint32_t *condition_count,
                                   struct cor_error *error) {
    struct conditions conditions = {.count = 0};
    enum cor_status status = COR_OK;
    e->arm = asked->arm;
    const struct cor_process_arm *arm = &e->experiment->arms[e->arm];
    const char *name, *why = cor_process_no_law(arm, &name);
    if (asked->method == COR_ESTIMATION_LIKELIHOOD)
        return cor_json_fail(
            asked->root, error, "method \"plain\" or \"splitting\"",
            "method \"likelihood\" changes walks, parameters and draws of algorithms, and the "
            "experiment is of a distributed program");
    if (e->experiment->explored)
        return cor_json_fail(asked->root, error, "take an experiment without \"configurations\"",
                             "configurations of arm %.80s are chosen, not drawn", arm->name);
    COR_TRY(
        why ? cor_json_fail(asked->root, error, "name an arm with generators timed, random, burst or swarm",
                            "schedules of arm \"%.80s\" have no law to estimate by: of generator \"%s\", %s",
                            arm->name, name, why)
            : COR_OK);
    COR_TRY(read_class(e, asked->root, asked->failure, &e->trap, error));
    if (asked->level)
        COR_TRY_OUT(read_level(asked->level, &e->experiment->arms[asked->arm], &conditions, error));
    COR_TRY_OUT(take(e, asked->level ? asked->level : asked->root, &conditions, condition_count, error));
out:
    fini_conditions(&conditions);
    return status;
}

static enum cor_status take_level(struct estimation_layer__program *e, const struct cor_json *root,
                                  const char *text, uint32_t *condition_count, struct cor_error *error) {
    COR_ENDED_BY(fini_conditions) struct conditions conditions = {.count = 0};
    COR_TRY(read_text(root, &e->experiment->arms[e->arm], text, &conditions, error));
    return take(e, root, &conditions, condition_count, error);
}

/* ---- levels that are derived */

/* A condition as it was written, in one line. */
static void put_condition(struct cor_bytes *bytes, const char *text) {
    for (; *text; text++)
        cor_bytes_put(bytes, (unsigned char)*text < ' ' ? " " : text, 1);
}

/* How far what is counted is from being so: the trap's condition, or that of what is violated, denied. */
static void put_degree(const struct estimation_layer__program *e, struct cor_bytes *bytes) {
    const struct cor_process_arm *arm = &e->experiment->arms[e->arm];
    if (e->trap != COR_NONE)
        put_condition(bytes, text_of_trap(arm, e->trap));
    for (uint32_t c = 0; c < arm->corridor->constraint_count && e->trap == COR_NONE; c++) {
        /* An invariant that is watched and has a condition, whose violation counts. */
        const struct cor_constraint *asked = &arm->corridor->constraints[c];
        if ((!e->any && e->constraint != c) || asked->kind == COR_CONSTRAINT_TEMPORAL ||
            asked->channel != COR_NONE || (arm->watched && !arm->watched[c]))
            continue;
        cor_bytes_print(bytes, "%snot (", bytes->size > 0 ? " or " : "");
        put_condition(bytes, arm->corridor->constraints[c].text);
        cor_bytes_print(bytes, "%s", ")");
    }
}

/* The traps of the arm, in their order, but for the one that is counted. */
static void put_traps(const struct estimation_layer__program *e, struct cor_bytes *bytes) {
    const struct cor_process_arm *arm = &e->experiment->arms[e->arm];
    uint32_t count = 0;
    for (uint32_t t = 0; t < arm->traps.count && count < COR_LEVELS_MAX; t++)
        if (t != e->trap) {
            cor_bytes_print(bytes, "%s", count++ > 0 ? "; " : "");
            put_condition(bytes, text_of_trap(arm, t));
        }
}

static enum cor_status list_levels(const struct estimation_layer__program *e, const struct cor_json *root,
                                   const char *failure, char *levels[2], uint32_t *count,
                                   struct cor_error *error) {
    void (*const puts[])(const struct estimation_layer__program *, struct cor_bytes *) = {put_degree,
                                                                                          put_traps};
    *count = 0;
    for (size_t p = 0; p < sizeof puts / sizeof *puts; p++) {
        struct cor_bytes bytes = {0};
        puts[p](e, &bytes);
        const bool is_none = bytes.size == 0;
        levels[*count] = cor_bytes_text_take(&bytes, error);
        COR_TRY(levels[*count] ? COR_OK : COR_STATUS_MEMORY);
        if (is_none)
            free(levels[*count]);
        else
            ++*count;
    }
    return *count > 0
               ? COR_OK
               : cor_json_fail(root, error,
                               "\"level\": a condition over what processes show, or several, the nearest to "
                               "failing last; or \"traps\" in the experiment",
                               "splitting needs a level function: of \"%.80s\" no schedule can be said to "
                               "come nearer to it",
                               failure);
}

/* ---- the experiment */

static enum cor_status read_program(const char *path, const struct cor_json *json,
                                    const struct cor_layer_options *options,
                                    struct estimation_layer__program **program, struct cor_error *error) {
    COR_FREED char *text = NULL;
    struct estimation_layer__program *made = *program = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    if (options->algorithm || options->fresh_processes)
        return cor_fail(error, COR_STATUS_INPUT, path, "leave the option out",
                        "is an experiment with a distributed program, which has no algorithms or fresh "
                        "processes");
    COR_TRY(cor_made(text = cor_json_text(json), error));
    return cor_process_experiment_parse(text, path, options, &made->experiment, error);
}

static void destroy_program(struct estimation_layer__program *program) {
    if (!program)
        return;
    cor_process_traps_fini(&program->conditions);
    cor_process_experiment_destroy(program->experiment);
    free(program);
}

static const struct cor_experiment_head *head_of(const struct estimation_layer__program *program) {
    return &program->experiment->head;
}

static struct estimation_layer__program_size size_of(const struct estimation_layer__program *program,
                                                     uint32_t arm) {
    return (struct estimation_layer__program_size){program->experiment->sequences,
                                                   program->experiment->arms[arm].cases};
}

static void put_program(const struct estimation_layer__program *program, struct cor_json_writer *writer) {
    const struct cor_process_arm *arm = &program->experiment->arms[program->arm];
    const struct cor_process *description = cor_process_description(arm->program);
    const char *digest = cor_process_digest(arm->program);
    cor_json_open_object(writer, "program");
    cor_json_put_string(writer, "name", description->name);
    cor_json_put_string(writer, "version", description->version);
    if (digest)
        cor_json_put_string(writer, "sha256", digest);
    cor_json_close(writer);
}

/* ---- a schedule */

/* The level that a schedule is at; of conditions, that it has come to. */
static double height_of(const void *data, const struct cor_process_law *law) {
    const struct estimation_layer__program *program = data;
    if (program->condition_count == 0) {
        const uint64_t degree = cor_process_law_degree(law, 0);
        return degree == COR_DEGREE_INFINITE ? -INFINITY : -(double)degree;
    }
    const uint64_t met = cor_process_law_outcome(law)->met & ((UINT64_C(1) << program->condition_count) - 1);
    return met == 0 ? 0 : 64 - __builtin_clzll(met);
}

static enum cor_status open_law(const struct estimation_layer__program *program, bool has_levels, void **law,
                                struct cor_error *error) {
    const struct cor_process_height height = {has_levels ? height_of : NULL, program};
    struct cor_process_law *made;
    const enum cor_status status = cor_process_law_create(program->experiment, program->arm,
                                                          &program->conditions, &height, &made, error);
    *law = made;
    return status;
}

/* The trap with which a schedule ends since it is what was asked for; COR_NONE: something else is. */
static uint32_t program_until(const struct estimation_layer__program *program) {
    return program->target;
}

/* Has it come out otherwise when it was executed again, so that nobody knows whether it is what was asked
 * for? */
static bool program_leaks(const struct estimation_layer__program *e,
                          const struct cor_process_outcome *outcome) {
    return outcome->violated == COR_NONE && outcome->end == COR_PROCESS_END_LEAKED && !e->any &&
           e->end != COR_PROCESS_END_LEAKED;
}

/* Has a schedule ended as it was asked for? */
static bool program_matches(const struct estimation_layer__program *e,
                            const struct cor_process_outcome *outcome) {
    if (program_leaks(e, outcome))
        return false;
    if (e->target != COR_NONE && (outcome->met >> e->target & 1) != 0)
        return true;
    if (outcome->violated == COR_NONE && outcome->end == COR_PROCESS_END_NONE)
        return false;
    return e->any || (e->constraint != COR_NONE && outcome->violated == e->constraint) ||
           (e->end != COR_PROCESS_END_NONE && outcome->violated == COR_NONE && outcome->end == e->end);
}

static void close_law(void *law) {
    cor_process_law_destroy(law);
}

const struct estimation_layer__programs estimation_layer__distributed = {
    "process",       sizeof(struct cor_process_trajectory),
    read_program,    destroy_program,
    head_of,         size_of,
    ask_program,     take_level,
    list_levels,     put_program,
    open_law,        close_law,
    run_schedules,   begin_schedule,
    follow_schedules};
