/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state equation of a model as a guide. */
#include <corridor/array.h>
#include <corridor/astar.h>
#include <corridor/efsm_bound.h>

#include <stdlib.h>

struct efsm_guide {
    struct cor_guide head;
    const struct cor_efsm_problem *problem;
    struct cor_efsm_bound *bound; /* owned */
};

static enum cor_status bound(void *self, const void *state, const uint64_t *covered, uint32_t *moves,
                             struct cor_error *error) {
    const struct efsm_guide *g = self;
    int64_t values[COR_EFSM_VARIABLES_MAX];
    uint32_t location, last;
    cor_efsm_problem_unpack(g->problem, state, &location, values, &last);
    return cor_efsm_bound_moves(g->bound, location, values, covered, moves, error);
}

static bool follow(void *self, const void *from, const uint64_t *from_covered, const void *input,
                   uint32_t label, const void *state, const uint64_t *covered) {
    const struct efsm_guide *g = self;
    int64_t values[COR_EFSM_VARIABLES_MAX], inputs[COR_EFSM_VARIABLES_MAX], next[COR_EFSM_VARIABLES_MAX];
    uint32_t location, target, last, input_label;
    cor_efsm_problem_unpack(g->problem, from, &location, values, &last);
    cor_efsm_problem_unpack(g->problem, state, &target, next, &last);
    cor_efsm_problem_unpack_input(g->problem, input, &input_label, inputs);
    return cor_efsm_bound_follow(g->bound, location, values, from_covered, label, inputs, next, covered);
}

static void spent(const void *self, uint64_t *questions, double *seconds) {
    const struct efsm_guide *g = self;
    const struct cor_solver_statistics statistics = cor_efsm_bound_statistics(g->bound);
    const struct cor_question_count sum = cor_solver_statistics_sum(&statistics);
    *questions = sum.asked;
    *seconds = sum.seconds;
}

enum cor_status cor_efsm_guide_create(const struct cor_efsm_problem *problem, const struct cor_efsm *model,
                                      const struct cor_efsm_goal *goal, struct cor_guide **guide,
                                      struct cor_error *error) {
    struct efsm_guide *g = cor_calloc(1, sizeof *g);
    *guide = NULL;
    COR_TRY(cor_made(g, error));
    g->head = (struct cor_guide){.self = g, .bound = bound, .follow = follow, .spent = spent};
    g->problem = problem;
    const enum cor_status status = cor_efsm_bound_create(model, goal, &g->bound, error);
    if (status != COR_OK) {
        free(g);
        return status;
    }
    *guide = &g->head;
    return COR_OK;
}

void cor_efsm_guide_destroy(struct cor_guide *guide) {
    if (!guide)
        return;
    struct efsm_guide *g = guide->self;
    cor_efsm_bound_destroy(g->bound);
    free(g);
}
