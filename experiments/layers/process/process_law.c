/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/process_law.h>

#include <stdlib.h>

struct cor_process_law {
    const struct cor_process_arm *arm;
    const struct cor_process_traps *traps;
    struct process_layer__rig *rig; /* owned */
    struct cor_process_course course;
    struct cor_process_outcome outcome;
    uint32_t suite;
    uint64_t steps;
};

const char *cor_process_no_law(const struct cor_process_arm *arm, const char **name) {
    for (uint32_t g = 0; g < arm->generator_count; g++)
        if (!arm->generators[g]->fork) {
            *name = arm->generators[g]->name;
            return arm->generators[g]->no_law;
        }
    return NULL;
}

enum cor_status cor_process_law_create(const struct cor_process_experiment *experiment, uint32_t arm,
                                       const struct cor_process_traps *traps, struct cor_process_law **law,
                                       struct cor_error *error) {
    struct cor_process_law *made = *law = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->arm = &experiment->arms[arm];
    made->traps = traps ? traps : &made->arm->traps;
    const enum cor_status status = process_layer__rig_create(experiment, arm, made->traps, &made->rig, error);
    if (status != COR_OK) {
        cor_process_law_destroy(made);
        *law = NULL;
        return status;
    }
    cor_process_runner_listen(made->rig->runner, NULL); /* nobody counts states */
    return COR_OK;
}

void cor_process_law_destroy(struct cor_process_law *law) {
    if (!law)
        return;
    process_layer__rig_destroy(law->rig);
    free(law);
}

enum cor_status cor_process_law_begin(struct cor_process_law *law, uint32_t suite, uint32_t sequence,
                                      uint32_t number, struct cor_error *error) {
    const struct cor_stream_name name = cor_process_stream_name(law->rig->experiment, suite, number);
    const uint32_t g = sequence % law->arm->generator_count;
    COR_TRY(process_layer__rig_weather(law->rig, suite, number, error));
    law->course = (struct cor_process_course){.kind = law->arm->generators[g],
                                              .generator = law->rig->generators[g],
                                              .weather = law->rig->weather,
                                              .weather_count = law->arm->cases};
    law->suite = suite;
    law->steps = 0;
    return cor_process_run_begin(law->rig->runner, &name, &law->course, &law->outcome, error);
}

void cor_process_law_fork(struct cor_process_law *law, uint32_t number) {
    const struct cor_stream_name name = cor_process_stream_name(law->rig->experiment, law->suite, number);
    cor_process_run_fork(law->rig->runner, &law->course, &name);
}

enum cor_status cor_process_law_step(struct cor_process_law *law, bool *is_over, struct cor_error *error) {
    COR_TRY(cor_process_run_step(law->rig->runner, &law->course, is_over, error));
    law->steps++;
    return *is_over ? cor_process_run_end(law->rig->runner, &law->course, error) : COR_OK;
}

const struct cor_process_outcome *cor_process_law_outcome(const struct cor_process_law *law) {
    return &law->outcome;
}

uint64_t cor_process_law_steps(const struct cor_process_law *law) {
    return law->steps;
}

uint32_t cor_process_law_cases(const struct cor_process_law *law) {
    return law->outcome.cases < law->arm->cases ? law->outcome.cases + 1 : law->outcome.cases;
}

uint64_t cor_process_law_degree(const struct cor_process_law *law, uint32_t trap) {
    return cor_observed_degree(cor_process_runner_trapped(law->rig->runner), law->traps->first + trap);
}
