/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/process_again.h>

#include <stdlib.h>

struct cor_process_again {
    const struct cor_process_arm *arm;
    struct process_layer__rig *rig; /* owned */
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
    process_layer__rig_destroy(again->rig);
    process_layer__seen_fini(&again->seen);
    process_layer__report_fini(&again->report);
    free(again);
}

struct cor_process_runner *cor_process_again_runner(struct cor_process_again *again) {
    return again->rig->runner;
}

enum cor_status cor_process_again_run(struct cor_process_again *again, uint32_t suite, uint32_t sequence,
                                      const struct cor_process_schedule **schedule,
                                      const struct cor_process_outcome **outcome, struct cor_error *error) {
    const bool learns = again->arm->generators[sequence % again->arm->generator_count]->learn != NULL;
    *schedule = &again->report.schedule;
    *outcome = &again->report.outcome;
    if (!learns || again->next == 0 || suite != again->suite || sequence < again->next) {
        process_layer__seen_clear(&again->seen);
        COR_TRY(process_layer__rig_restart(again->rig, error));
        again->next = learns ? 0 : sequence;
    }
    again->suite = suite;
    for (; again->next < sequence; again->next++)
        COR_TRY(process_layer__rig_run(again->rig, suite, again->next, &again->seen, &again->report, error));
    COR_TRY(process_layer__rig_run(again->rig, suite, sequence, &again->seen, &again->report, error));
    again->next = learns ? sequence + 1 : 0;
    return COR_OK;
}
