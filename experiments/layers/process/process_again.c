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
    bool is_doubted;                    /* expected is that something comes out otherwise */
    struct process_layer__seen seen;
    struct process_layer__report report;
    uint32_t suite, next; /* the next sequence of the suite; 0: nothing was learnt */
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
    process_layer__seen_fini(&again->seen);
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

static enum cor_status run_one(struct cor_process_again *again, uint32_t suite, uint32_t sequence,
                               struct cor_error *error) {
    if (!again->arm->is_apart)
        return process_layer__rig_run(again->rig, suite, sequence, &again->seen, &again->report, error);
    COR_TRY(need_apart(again, 0, error));
    return process_layer__apart_again(again->apart, suite, sequence, &again->seen, again->is_doubted,
                                      &again->report, error);
}

enum cor_status cor_process_again_run(struct cor_process_again *again, uint32_t suite, uint32_t sequence,
                                      const struct cor_process_schedule **schedule,
                                      const struct cor_process_outcome **outcome, struct cor_error *error) {
    const bool learns = again->arm->generators[sequence % again->arm->generator_count]->learn != NULL;
    *schedule = &again->report.schedule;
    *outcome = &again->report.outcome;
    if (!learns || again->next == 0 || suite != again->suite || sequence < again->next) {
        process_layer__seen_clear(&again->seen);
        if (learns && again->apart)
            process_layer__apart_end(again->apart);
        COR_TRY(process_layer__rig_restart(again->rig, error));
        again->next = learns ? 0 : sequence;
    }
    again->suite = suite;
    for (; again->next < sequence; again->next++)
        COR_TRY(run_one(again, suite, again->next, error));
    COR_TRY(run_one(again, suite, sequence, error));
    again->next = learns ? sequence + 1 : 0;
    return COR_OK;
}

/* Schedules that are not made by the generators of the arm: nobody learns from them, or counts states. */
static enum cor_status prepare(struct cor_process_again *again, const struct cor_process_schedule *schedules,
                               uint32_t count, struct cor_error *error) {
    size_t most = 0;
    if (!again->arm->is_apart) {
        cor_process_runner_listen(again->rig->runner, NULL);
        return COR_OK;
    }
    for (uint32_t s = 0; s < count; s++)
        most = schedules[s].count > most ? schedules[s].count : most;
    return need_apart(again, most, error);
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
               : cor_process_replay(again->rig->runner, name, schedule, &again->report.schedule,
                                    &again->report.outcome, error);
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

enum cor_status cor_process_again_shrink(struct cor_process_again *again, const struct cor_stream_name *names,
                                         struct cor_process_schedule *schedules, uint32_t count, bool is_lone,
                                         const struct cor_process_shrink_definition *definition,
                                         uint32_t *best, struct cor_process_shrinking *shrinking,
                                         bool *differs, struct cor_error *error) {
    struct cor_process_runner *runner = again->rig->runner;
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
    if (again->arm->is_apart)
        return process_layer__apart_shrink(again->apart, &task, best, shrinking, differs, error);
    const struct cor_process_trier trier = cor_process_trier_of(runner);
    return is_lone
               ? cor_process_shrink(runner, names, schedules, definition, shrinking, error)
               : cor_process_shrink_best(&trier, names, schedules, count, definition, best, shrinking, error);
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
    if (!again->arm->is_apart) {
        COR_TRY(prepare(again, schedule, 1, error));
        return cor_process_story(again->rig->runner, name, schedule, NULL, form, text, error);
    }
    COR_TRY(replay(again, name, schedule, &died, error));
    death.outcome = again->report.outcome;
    if (died || death.outcome.end == COR_PROCESS_END_LEAKED) {
        task.schedules = happened;
        task.death = &death;
    }
    if (died && happened->count > 0)
        death.event = &happened->events[--happened->count];
    return process_layer__apart_story(again->apart, &task, text, error);
}
