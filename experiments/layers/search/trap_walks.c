/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trap_walks.h"

#include <corridor/steering.h>
#include <corridor/test.h>
#include <corridor/vocabulary.h>

static enum cor_status refuse(const char *place, struct cor_error *error, const char *remedy,
                              const char *cause) {
    return cor_fail(error, COR_STATUS_INPUT, place, remedy, "%s", cause);
}

enum cor_status search_layer__trap_walks_init(const struct cor_generator_definition *definition,
                                              struct search_layer__trap_walks *walks,
                                              struct cor_error *error) {
    const struct cor_arm *arm = &definition->experiment->arms[definition->arm];
    struct cor_vocabulary *vocabulary;
    walks->arm = *arm;
    walks->arm.traps = NULL;
    if (arm->source != &cor_source_profile)
        return refuse(arm->name, error, "name an arm whose environment is \"profile\"",
                      "its walks do not follow the profiles: there is no likeliest one");
    COR_TRY(cor_model_vocabulary(definition->experiment->model, arm, &vocabulary, error));
    COR_TRY(cor_case_traps_parse(definition->options->trap, COR_PROFILE_SHARE_MIN, vocabulary, "trap",
                                 &walks->arm.traps, error));
    walks->arm.source = &cor_source_traps;
    /* A walk is made before the system reacts. */
    for (uint32_t t = 0; t < walks->arm.traps->count; t++) {
        const struct cor_case_condition_part *whole =
            cor_case_condition_root(&walks->arm.traps->traps[t].condition);
        if (whole->reads_reaction)
            return refuse(walks->arm.name, error,
                          "environments and parameters alone; an arm with \"traps\", in a campaign, is "
                          "steered by reactions, too",
                          "the trap speaks of reactions, and a walk is made before the system reacts");
        if (whole->environments == 0)
            return refuse(walks->arm.name, error, "name a state of an environment",
                          "the trap speaks of no environment: no walk leads to it");
    }
    return COR_OK;
}

void search_layer__trap_walks_fini(struct search_layer__trap_walks *walks) {
    cor_case_traps_destroy(walks->arm.traps);
    walks->arm.traps = NULL;
}

enum cor_status search_layer__trap_walks_test(const struct search_layer__trap_walks *walks,
                                              struct cor_suite *suite, struct cor_proposal *proposal,
                                              struct cor_error *error) {
    struct cor_walk walk;
    bool by_profile;
    enum cor_status status = COR_OK;
    suite->arm = &walks->arm;
    cor_walk_init(&walk);
    COR_TRY_OUT(cor_suite_steer(suite, error));
    COR_TRY_OUT(cor_suite_walk(suite, 0, &walk, error));
    /* To its end, case by case, by what is known of the environment alone. */
    const struct cor_reaction nothing = {.counted = NULL};
    for (uint32_t number = 1; number <= walk.case_count; number++) {
        struct cor_observation observed = {.name = walk.definition.name};
        observed.name.identity = number;
        COR_TRY_OUT(cor_walk_reach(&walk, number, &observed, error));
        cor_walk_see(&walk, number, &nothing);
    }
    cor_walk_end(&walk);
    proposal->has_weight = cor_steering_weight(&walk, &proposal->weight, &by_profile);
    COR_TRY_OUT(cor_test_of_sequence(suite, 0, NULL, &walk, &proposal->test, error));
out:
    cor_walk_fini(&walk);
    return status;
}
