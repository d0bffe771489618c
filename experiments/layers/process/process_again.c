/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/process_again.h>

#include <stdlib.h>
#include <string.h>

struct cor_process_again {
    const struct cor_process_arm *arm;
    struct process_layer__rig *rig;     /* owned */
    struct process_layer__apart *apart; /* owned; NULL: nothing was executed in a cell */
    size_t event_most;                  /* of a schedule there */
    bool is_doubted;                    /* the file expects a difference */
    bool is_careful;                    /* each schedule has a fresh child */
    struct process_layer__suite
        suite; /* of the last sequence; what it has seen, and which classes of failures */
    struct process_layer__report report;
    uint32_t next; /* the next sequence of the suite; 0: nothing was learnt */
};

enum cor_status cor_process_again_create(const struct cor_process_experiment *experiment, uint32_t arm,
                                         struct cor_process_again **again, struct cor_error *error) {
    *again = cor_calloc(1, sizeof **again);
    COR_TRY(cor_made(*again, error));
    (*again)->arm = &experiment->arms[arm];
    const enum cor_status status =
        process_layer__rig_create(experiment, arm, &experiment->arms[arm].traps, &(*again)->rig, error);
    if (status != COR_OK) {
        cor_process_again_destroy(*again);
        *again = NULL;
    }
    return status;
}

void cor_process_again_destroy(struct cor_process_again *again) {
    if (!again)
        return;
    process_layer__apart_destroy(again->apart);
    process_layer__rig_destroy(again->rig);
    process_layer__seen_fini(&again->suite.seen);
    free(again->suite.kept);
    process_layer__report_fini(&again->report);
    free(again);
}

struct cor_process_runner *cor_process_again_runner(struct cor_process_again *again) {
    return again->rig->runner;
}

void cor_process_again_expect(struct cor_process_again *again, const char *word) {
    again->is_doubted = strcmp(word, cor_process_end_word(COR_PROCESS_END_LEAKED)) == 0;
}

/* A cell for schedules of so many events. */
static enum cor_status need_apart(struct cor_process_again *again, size_t event_count,
                                  struct cor_error *error) {
    const size_t most = event_count > again->arm->events ? event_count : again->arm->events;
    if (again->apart && again->event_most >= most)
        return COR_OK;
    process_layer__apart_destroy(again->apart);
    again->apart = NULL;
    again->event_most = most;
    return process_layer__apart_create(again->rig, most, &again->apart, error);
}

/* is_whole: as one of all of its suite. */
static enum cor_status run_one(struct cor_process_again *again, uint32_t sequence, bool is_whole,
                               struct cor_error *error) {
    struct process_layer__suite *suite = &again->suite;
    bool is_first;
    if (!again->arm->is_apart && is_whole) {
        COR_TRY(process_layer__rig_run_settled(again->rig, suite, sequence, &again->report, error));
        return process_layer__has_failed(&again->report.outcome)
                   ? process_layer__keep_class(suite, &again->report.outcome, &is_first, error)
                   : COR_OK;
    }
    if (!again->arm->is_apart)
        return process_layer__rig_run(again->rig, suite->suite, sequence, &suite->seen, &again->report,
                                      error);
    COR_TRY(need_apart(again, 0, error));
    return process_layer__apart_again(again->apart, suite->suite, sequence, &suite->seen, again->is_doubted,
                                      &again->report, error);
}

enum cor_status cor_process_again_run(struct cor_process_again *again, uint32_t suite, uint32_t sequence,
                                      const struct cor_process_schedule **schedule,
                                      const struct cor_process_outcome **outcome, struct cor_error *error) {
    const bool learns = again->arm->generators[sequence % again->arm->generator_count]->learn != NULL,
               is_whole = learns || (again->is_doubted && process_layer__has_child(again->rig));
    *schedule = &again->report.schedule;
    *outcome = &again->report.outcome;
    if (!is_whole || again->next == 0 || suite != again->suite.suite || sequence < again->next) {
        process_layer__seen_clear(&again->suite.seen);
        again->suite.kept_count = 0;
        if (learns && again->apart)
            process_layer__apart_end(again->apart);
        COR_TRY(process_layer__rig_restart(again->rig, error));
        again->next = is_whole ? 0 : sequence;
    }
    again->suite.suite = suite;
    for (; again->next < sequence; again->next++)
        COR_TRY(run_one(again, again->next, is_whole, error));
    COR_TRY(run_one(again, sequence, is_whole, error));
    again->next = is_whole ? sequence + 1 : 0;
    return COR_OK;
}

/* Schedules that are not made by the generators of the arm: nobody learns from them, or counts states. */
static enum cor_status prepare(struct cor_process_again *again, const struct cor_process_schedule *schedules,
                               uint32_t count, struct cor_error *error) {
    size_t most = 0;
    if (!again->arm->is_apart) {
        cor_process_runner_forget(again->rig->runner);
        cor_process_runner_listen(again->rig->runner, NULL);
        return COR_OK;
    }
    for (uint32_t s = 0; s < count; s++)
        most = schedules[s].count > most ? schedules[s].count : most;
    return need_apart(again, most, error);
}

/* In this process. What is expected to come out otherwise is executed twice by one child. */
static enum cor_status execute_here(void *self, const struct cor_stream_name *name,
                                    const struct cor_process_schedule *schedule,
                                    struct cor_process_schedule *executed,
                                    struct cor_process_outcome *outcome, struct cor_error *error) {
    const struct cor_process_again *again = self;
    struct cor_process_runner *runner = again->rig->runner;
    const bool is_doubted = again->is_doubted && process_layer__has_child(again->rig);
    bool differs = false;
    if (is_doubted || again->is_careful)
        cor_process_runner_forget(runner);
    COR_TRY(cor_process_replay(runner, name, schedule, executed, outcome, error));
    if (is_doubted)
        COR_TRY(process_layer__look_again(runner, name, schedule, outcome, &differs, error));
    if (differs)
        process_layer__end_by(outcome, COR_PROCESS_END_LEAKED, PROCESS_LAYER__OTHERWISE);
    return COR_OK;
}

static enum cor_status replay(struct cor_process_again *again, const struct cor_stream_name *name,
                              struct cor_process_schedule *schedule, bool *died, struct cor_error *error) {
    const struct process_layer__task task = {.work = PROCESS_LAYER__EXECUTE,
                                             .names = name,
                                             .schedules = schedule,
                                             .count = 1,
                                             .is_doubted = again->is_doubted};
    *died = false;
    COR_TRY(prepare(again, schedule, 1, error));
    return again->arm->is_apart
               ? process_layer__apart_execute(again->apart, &task, &again->report, died, error)
               : execute_here(again, name, schedule, &again->report.schedule, &again->report.outcome, error);
}

enum cor_status cor_process_again_replay(struct cor_process_again *again, const struct cor_stream_name *name,
                                         struct cor_process_schedule *schedule,
                                         const struct cor_process_schedule **executed,
                                         const struct cor_process_outcome **outcome,
                                         struct cor_error *error) {
    bool died;
    *executed = &again->report.schedule;
    *outcome = &again->report.outcome;
    return replay(again, name, schedule, &died, error);
}

static enum cor_status copy(struct cor_process_schedule *to, const struct cor_process_schedule *from,
                            struct cor_error *error) {
    to->count = 0;
    for (size_t e = 0; e < from->count; e++)
        COR_TRY(cor_process_schedule_add(to, &from->events[e], error));
    return COR_OK;
}

/* Does what is left of a schedule fail otherwise than that did, each in a fresh child? Or that itself in the
 * child that had all others? */
static enum cor_status compare(struct cor_process_again *again, const struct cor_stream_name *name,
                               const struct cor_process_schedule *whole,
                               const struct cor_process_schedule *left, bool *differs,
                               struct cor_error *error) {
    struct cor_process_outcome used, wanted, outcome;
    COR_TRY(execute_here(again, name, whole, NULL, &used, error));
    cor_process_runner_forget(again->rig->runner);
    COR_TRY(execute_here(again, name, whole, NULL, &wanted, error));
    cor_process_runner_forget(again->rig->runner);
    COR_TRY(execute_here(again, name, left, NULL, &outcome, error));
    *differs = !cor_process_outcome_is_same(&wanted, &outcome) ||
               (!used.is_by_machine &&
                (used.digest != wanted.digest || !cor_process_outcome_is_same(&wanted, &used)));
    return COR_OK;
}

/* In this process. A child of the program's tries one after the other; where what is left does not hold in a
 * fresh one, it is all done again with care. */
static enum cor_status shrink_here(struct cor_process_again *again, const struct process_layer__task *task,
                                   uint32_t *best, struct cor_process_shrinking *shrinking, bool *differs,
                                   struct cor_error *error) {
    const struct cor_process_trier trier = {again, execute_here, again->arm->count};
    const bool has_child = process_layer__has_child(again->rig);
    enum cor_status status = COR_OK;
    struct cor_process_schedule *whole = cor_calloc(task->count, sizeof *whole);
    COR_TRY(cor_made(whole, error));
    for (uint32_t i = 0; i < task->count && has_child; i++)
        COR_TRY_OUT(copy(&whole[i], &task->schedules[i], error));
    for (again->is_careful = false;; again->is_careful = true) {
        struct cor_error said = COR_NO_ERROR;
        status = task->is_lone ? cor_process_shrink_by(&trier, task->names, task->schedules, task->definition,
                                                       shrinking, &said)
                               : cor_process_shrink_best(&trier, task->names, task->schedules, task->count,
                                                         task->definition, best, shrinking, &said);
        /* A child that had others may let pass what failed. */
        *differs = status == COR_STATUS_INPUT && has_child && !again->is_careful;
        if (status != COR_OK && !*differs)
            COR_TRY_OUT(cor_fail(error, status, said.place, said.remedy, "%s", said.cause));
        if (has_child && !*differs)
            COR_TRY_OUT(
                compare(again, &task->names[*best], &whole[*best], &task->schedules[*best], differs, error));
        if (!*differs || again->is_careful)
            break;
        for (uint32_t i = 0; i < task->count; i++)
            COR_TRY_OUT(copy(&task->schedules[i], &whole[i], error));
    }
out:
    again->is_careful = false;
    for (uint32_t i = 0; i < task->count; i++)
        cor_process_schedule_fini(&whole[i]);
    free(whole);
    return status;
}

enum cor_status cor_process_again_shrink(struct cor_process_again *again, const struct cor_stream_name *names,
                                         struct cor_process_schedule *schedules, uint32_t count, bool is_lone,
                                         const struct cor_process_shrink_definition *definition,
                                         uint32_t *best, struct cor_process_shrinking *shrinking,
                                         bool *differs, struct cor_error *error) {
    const struct process_layer__task task = {.work = PROCESS_LAYER__SHRINK,
                                             .names = names,
                                             .schedules = schedules,
                                             .count = count,
                                             .definition = definition,
                                             .is_lone = is_lone,
                                             .is_doubted = again->is_doubted};
    *best = 0;
    *differs = false;
    COR_TRY(prepare(again, schedules, count, error));
    return again->arm->is_apart
               ? process_layer__apart_shrink(again->apart, &task, best, shrinking, differs, error)
               : shrink_here(again, &task, best, shrinking, differs, error);
}

/* Where the program cannot go on it is told up to there, and then what it died of. */
enum cor_status cor_process_again_story(struct cor_process_again *again, const struct cor_stream_name *name,
                                        struct cor_process_schedule *schedule,
                                        enum cor_process_story_form form, char **text,
                                        struct cor_error *error) {
    struct cor_process_schedule *happened = &again->report.schedule;
    struct cor_process_death death = {.event = NULL};
    struct process_layer__task task = {
        .work = PROCESS_LAYER__TELL, .names = name, .schedules = schedule, .count = 1, .form = form};
    bool died;
    *text = NULL;
    if (again->arm->is_apart || again->is_doubted)
        COR_TRY(replay(again, name, schedule, &died, error));
    death.outcome = again->report.outcome;
    if (!again->arm->is_apart) {
        const bool leaks = again->is_doubted && death.outcome.end == COR_PROCESS_END_LEAKED;
        COR_TRY(prepare(again, schedule, 1, error));
        return cor_process_story(again->rig->runner, name, schedule, leaks ? &death : NULL, form, text,
                                 error);
    }
    if (died || death.outcome.end == COR_PROCESS_END_LEAKED) {
        task.schedules = happened;
        task.death = &death;
    }
    if (died && happened->count > 0)
        death.event = &happened->events[--happened->count];
    return process_layer__apart_story(again->apart, &task, text, error);
}
