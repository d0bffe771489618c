/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beyond.h"

#include <corridor/array.h>
#include <corridor/solve.h>

#include <stdlib.h>
#include <string.h>

/* The only trap that is left; COR_NONE: there are several. */
static uint32_t only_open(const struct cor_planning_problem *problem, const uint64_t *covered) {
    uint32_t open = COR_NONE;
    for (uint32_t t = 0; t < problem->trap_count; t++)
        if (!cor_trap_is_in(covered, t)) {
            if (open != COR_NONE)
                return COR_NONE;
            open = t;
        }
    return open;
}

/* Move by move, with what is covered before each. */
static enum cor_status take_moves(const struct cor_planning_problem *problem,
                                  const struct cor_bounded_plan *from, const void *state,
                                  const uint64_t *covered, struct plan__plan *plan, struct cor_error *error) {
    struct cor_expansion expansion = {0};
    enum cor_status status = COR_OK;
    uint64_t *now = cor_calloc(2 * (size_t)problem->trap_words, sizeof *now);
    COR_TRY_OUT(cor_made(now, error));
    memcpy(now, covered, problem->trap_words * sizeof *now);
    plan__plan_fini(plan);
    for (uint32_t i = 0; i < from->length; i++) {
        const unsigned char *input = from->inputs + i * problem->input_size;
        const unsigned char *next = from->states + i * problem->state_size;
        uint64_t *hits = now + problem->trap_words;
        COR_TRY_OUT(plan__plan_add(problem, plan, state, now, input, from->labels[i], error));
        COR_TRY_OUT(cor_expand(problem, state, &expansion, error));
        for (uint32_t n = 0; n < expansion.input_count; n++)
            for (uint32_t o = expansion.first[n]; o < expansion.first[n + 1]; o++)
                if (memcmp(expansion.inputs + n * problem->input_size, input, problem->input_size) == 0 &&
                    expansion.outcomes[o].label == from->labels[i])
                    memcpy(hits, expansion.hits + (size_t)o * problem->trap_words,
                           problem->trap_words * sizeof *hits);
        cor_cover(problem, now, hits);
        state = next;
    }
out:
    free(now);
    cor_expansion_fini(&expansion);
    return status;
}

enum cor_status plan__plan_beyond(struct plan__beyond *beyond,
                                  const struct cor_planner_definition *definition, const void *state,
                                  const uint64_t *covered, struct plan__plan *plan, enum plan__found *found,
                                  struct cor_error *error) {
    const struct cor_planning_problem *problem = definition->problem;
    struct cor_bounded_plan bounded = {.length = COR_NONE};
    const uint32_t open = only_open(problem, covered);
    enum cor_status status = COR_OK;
    beyond->has_plan = false;
    beyond->proof = COR_PROOF_NONE;
    if (!definition->efsm || !cor_solver_is_there())
        return COR_OK;
    if (!beyond->guide)
        COR_TRY(cor_efsm_guide_create(definition->efsm, definition->model, definition->goal, &beyond->guide,
                                      error));
    COR_TRY_OUT(cor_plan_by_bound(problem, beyond->guide, state, covered, definition->state_budget,
                                  cor_efsm_problem_is_partial(definition->efsm), &bounded, error));
    if (bounded.length != COR_NONE && bounded.length > 0) {
        COR_TRY_OUT(take_moves(problem, &bounded, state, covered, plan, error));
        *found = PLAN__FOUND_ALL;
        beyond->has_plan = true;
        beyond->proof = bounded.proof;
    } else if (bounded.length == COR_NONE && bounded.proof != COR_PROOF_NONE && open != COR_NONE) {
        if (!plan->lost)
            plan->lost = cor_calloc(problem->trap_words, sizeof *plan->lost);
        COR_TRY_OUT(cor_made(plan->lost, error));
        memset(plan->lost, 0, problem->trap_words * sizeof *plan->lost);
        cor_trap_add(plan->lost, open);
        plan->length = 0;
        *found = PLAN__FOUND_NONE;
        beyond->proof = bounded.proof;
    }
out:
    cor_bounded_plan_fini(&bounded);
    return status;
}

void plan__beyond_fini(struct plan__beyond *beyond) {
    cor_efsm_guide_destroy(beyond->guide);
    *beyond = (struct plan__beyond){.guide = NULL};
}
