/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

void cor_suite_set_profile(struct cor_suite *suite, uint32_t index, struct cor_profile *profile) {
    COR_ASSERT(profile->state_count == suite->profiles[index]->state_count && !suite->steering);
    if (suite->owned_profiles[index])
        cor_profile_destroy(suite->profiles[index]);
    suite->profiles[index] = profile;
    suite->owned_profiles[index] = true;
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
    COR_TRY(interaction__suite_describe(to, error));
    /* Those of the model are borrowed, as they were. */
    for (uint32_t e = 0; e < from->experiment->model->environment_count; e++) {
        to->owned_profiles[e] = from->owned_profiles[e];
        to->profiles[e] = from->owned_profiles[e] ? cor_profile_share(from->profiles[e]) : from->profiles[e];
        to->environment_of_profile[e] = from->environment_of_profile[e];
        to->random_states[e] = from->random_states[e];
    }
    to->recorded = cor_calloc(1, sizeof *to->recorded);
    COR_TRY(cor_made(to->recorded, error));
    free(walk->memory);
    to->case_counts[0] = walk->known;
    to->recorded[0] = (struct cor_walk){.chain_count = walk->chain_count,
                                        .case_count = walk->known,
                                        .known = walk->known,
                                        .states = walk->states,
                                        .capacity = walk->capacity};
    cor_walk_init(walk);
    return COR_OK;
}

enum cor_status cor_suite_of_walk(const struct cor_suite *suite, const struct cor_arm *arm,
                                  struct cor_walk *walk, struct cor_suite **alone, struct cor_error *error) {
    COR_ASSERT(arm->algorithm == suite->arm->algorithm && arm->laws == suite->arm->laws);
    COR_ASSERT(walk->chain_count == suite->configuration->chain_count);
    COR_TRY(interaction__suite_create(suite->experiment, suite->arm_index, suite->index, 1, alone, error));
    enum cor_status status = fill(suite, walk, *alone, error);
    (*alone)->arm = arm;
    if (status == COR_OK)
        return COR_OK;
    cor_suite_destroy(*alone);
    *alone = NULL;
    return status;
}
