/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shortest plans where states are too many for breadth-first search: A* (a kind system given), led by a lower
 * bound of the moves that are left. Where the plan is as long as the bound of its start it is proven to be
 * shortest; else the gap between the two is said. */
#ifndef CORRIDOR_ASTAR_H
#define CORRIDOR_ASTAR_H

#include <corridor/efsm_problem.h>
#include <corridor/planner.h>

#define COR_BOUND_LOST UINT32_MAX /* as a bound: proven, what is left cannot be covered from here */

/* A lower bound of the moves left, and the way that it would take. */
struct cor_guide {
    void *self;

    /* Moves that are needed at least to cover all traps not in `covered`, of which there is one;
     * COR_BOUND_LOST. *moves is what is known already, 0 = nothing, and stays where no more is found. */
    enum cor_status (*bound)(void *self, const void *state, const uint64_t *covered, uint32_t *moves,
                             struct cor_error *error);

    /* Whether the move is on the way that was found with the bound of the state before, or followed to there.
     * No work; a hint where to look first. */
    bool (*follow)(void *self, const void *from, const uint64_t *from_covered, const void *input,
                   uint32_t label, const void *state, const uint64_t *covered);

    /* How often the bound took work of a solver, and how long in seconds; for reports. */
    void (*spent)(const void *self, uint64_t *questions, double *seconds);
};

/* What the search came to: a plan, or why there is none. Filled by cor_plan_by_bound, freed by
 * cor_bounded_plan_fini. */
struct cor_bounded_plan {
    uint32_t length;           /* moves; COR_NONE: no plan was found */
    uint32_t bound;            /* no plan is shorter; COR_BOUND_LOST: there is none */
    enum cor_plan_proof proof; /* BOUND: length == bound or there is none; FIXPOINT: there is none, for all
                             states were looked at; NONE: a gap, or the budget ended the search */
    unsigned char *inputs;     /* owned; [move][input_size] */
    uint32_t *labels;          /* owned; [move] outcomes that are hoped for */
    unsigned char *states;     /* owned; [move][state_size] behind each */
    uint64_t expanded, seen;   /* states whose moves were tried; states altogether */
    uint64_t bytes;            /* of memory at most */
    uint64_t questions;        /* that the guide asked a solver */
    double seconds;            /* it took for these; no part of any result */
};

/* A plan from `state` with `covered`, within a budget of states seen. Nothing left to cover: length 0.
 * `bound` is sound even where `expand` leaves inputs out; then only FIXPOINT would not be, and is not said:
 * `is_partial` tells (cor_efsm_problem_is_partial). */
enum cor_status cor_plan_by_bound(const struct cor_planning_problem *problem, const struct cor_guide *guide,
                                  const void *state, const uint64_t *covered, uint64_t state_budget,
                                  bool is_partial, struct cor_bounded_plan *plan,
                                  struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_bounded_plan_fini(struct cor_bounded_plan *plan);

/* The state equation as a guide for a model and a goal: counts of transitions that balance locations and
 * variables (docs/look-up/efsm.md, "Beyond explicit search"). Without a solver in the build its bounds are 0.
 * All is borrowed until it is destroyed. */
enum cor_status cor_efsm_guide_create(const struct cor_efsm_problem *problem, const struct cor_efsm *model,
                                      const struct cor_efsm_goal *goal, struct cor_guide **guide,
                                      struct cor_error *error) COR_MUST_USE;

/* NULL is allowed. */
void cor_efsm_guide_destroy(struct cor_guide *guide);

#endif
