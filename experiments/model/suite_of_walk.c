/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

static enum cor_status copy_profile(const struct cor_profile *from, struct cor_profile **copy,
                                    struct cor_error *error) {
    return cor_profile_create(from->name, from->state_count, (const char *const *)from->states,
                              from->probability, from->start, copy, error);
}

static enum cor_status copy_profiles(const struct cor_suite *from, struct cor_suite *to,
                                     struct cor_error *error) {
    for (uint32_t e = 0; e < from->experiment->model->environment_count; e++) {
        COR_TRY(copy_profile(from->profiles[e], &to->profiles[e], error));
        to->owned_profiles[e] = true;
        to->environment_of_profile[e] = from->environment_of_profile[e];
        to->random_states[e] = from->random_states[e];
    }
    return COR_OK;
}

static enum cor_status take_walk(struct cor_suite *suite, struct cor_walk *walk, struct cor_error *error) {
    suite->recorded = cor_calloc(1, sizeof *suite->recorded);
    COR_TRY(cor_made(suite->recorded, error));
    free(walk->memory);
    suite->case_counts[0] = walk->known;
    suite->recorded[0] = (struct cor_walk){.chain_count = walk->chain_count,
                                           .case_count = walk->known,
                                           .known = walk->known,
                                           .states = walk->states,
                                           .capacity = walk->capacity};
    cor_walk_init(walk);
    return COR_OK;
}

static enum cor_status fill(const struct cor_suite *from, struct cor_walk *walk, struct cor_suite *to,
                            struct cor_error *error) {
    const struct cor_arm *arm = from->arm;
    to->name = from->name;
    to->budget = from->budget;
    to->draw = from->draw;
    to->attempts = from->attempts;
    to->start_partitions = from->start_partitions;
    to->fallback = from->fallback;
    to->pilot_rate = from->pilot_rate;
    memcpy(to->parameters, from->parameters, arm->parameter_count * sizeof *to->parameters);
    memcpy(to->algorithm_parameters, from->algorithm_parameters,
           cor_algorithm_parameter_count(arm->algorithm) * sizeof *to->algorithm_parameters);
    COR_TRY(cor_configuration_copy(from->configuration, &to->configuration, error));
    COR_TRY(copy_profiles(from, to, error));
    return take_walk(to, walk, error);
}

enum cor_status cor_suite_of_walk(const struct cor_suite *suite, const struct cor_arm *arm,
                                  struct cor_walk *walk, struct cor_suite **alone, struct cor_error *error) {
    COR_ASSERT(arm->algorithm == suite->arm->algorithm && arm->laws == suite->arm->laws);
    COR_ASSERT(walk->chain_count == suite->configuration->chain_count);
    COR_TRY(cor__suite_create(suite->experiment, suite->arm_index, suite->index, 1, alone, error));
    enum cor_status status = fill(suite, walk, *alone, error);
    (*alone)->arm = arm;
    if (status == COR_OK)
        return COR_OK;
    cor_suite_destroy(*alone);
    *alone = NULL;
    return status;
}
