/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The environment of a suite with traps as a planning problem: what the planners of experiments/engines/plan
 * see. A state is the joint state of the chains that traps speak of, an outcome an arc between two of them.
 * Traps are hit where they may be, for some reaction of the system. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_CONDITIONS_TESTS_ENVIRONMENT_PROBLEM_H
#define CORRIDOR_EXPERIMENTS_ENGINES_CONDITIONS_TESTS_ENVIRONMENT_PROBLEM_H

#include "../steering_internal.h"

#include <corridor/planning_problem.h>
#include <corridor/steering.h>

#include <string.h>

/* Who takes the arcs. */
enum cor_environment_choice {
    COR_ENVIRONMENT_CHOSEN, /* the tester: each is an input with that one outcome */
    COR_ENVIRONMENT_LEFT    /* nobody: there is one input, and its outcomes have their probabilities */
};

/* Such a problem. `problem` points to this struct itself, which is not to be moved or copied. */
struct cor_environment_problem {
    struct cor_planning_problem problem; /* what planners see */
    struct cor_steering *steering;       /* borrowed */
    enum cor_environment_choice choice;
};

static enum cor_status expand(void *self, const void *state, struct cor_expansion *expansion,
                              struct cor_error *error) {
    const struct cor_environment_problem *p = self;
    const struct cor_joint *joint = p->steering->joint;
    uint32_t x;
    memcpy(&x, state, sizeof x);
    if (p->choice == COR_ENVIRONMENT_LEFT)
        COR_TRY(cor_expansion_input(&p->problem, expansion, &(uint32_t){0}, error));
    for (uint32_t arc = joint->first[x]; arc < joint->first[x + 1]; arc++) {
        if (p->choice == COR_ENVIRONMENT_CHOSEN)
            COR_TRY(cor_expansion_input(&p->problem, expansion, &joint->next[arc], error));
        const double probability = p->choice == COR_ENVIRONMENT_CHOSEN ? 1 : joint->probability[arc];
        const struct cor_steering *s = p->steering;
        uint64_t hits[COR_CASE_TRAPS_MAX / 64] = {0};
        for (uint32_t t = 0; t < s->traps->count; t++)
            if (s->plans[t].hit[arc])
                cor_trap_add(hits, t);
        COR_TRY(cor_expansion_outcome(&p->problem, expansion, (struct cor_expanded_outcome){arc, probability},
                                      &s->joint->next[arc], hits, error));
    }
    return COR_OK;
}

static void environment_problem_init(struct cor_environment_problem *problem, struct cor_steering *steering,
                                     enum cor_environment_choice choice) {
    *problem = (struct cor_environment_problem){
        .problem = {.self = problem,
                    .state_size = sizeof(uint32_t),
                    .input_size = sizeof(uint32_t),
                    .trap_count = steering->traps->count,
                    .trap_words = steering->traps->words,
                    .after = steering->traps->after,
                    .expand = expand},
        .steering = steering,
        .choice = choice,
    };
}

static void environment_problem_pack(const struct cor_environment_problem *problem,
                                     const struct cor_walk *walk, uint32_t number, void *state) {
    const struct cor_steering *s = problem->steering;
    uint8_t states[COR_CONDITION_ENVIRONMENTS_MAX];
    for (uint32_t c = 0; c < s->joint->chain_count; c++)
        states[c] = cor_walk_at(walk, number)[s->chain[c]];
    const uint32_t joint = cor_joint_state(s->joint, states);
    memcpy(state, &joint, sizeof joint);
}

#endif
