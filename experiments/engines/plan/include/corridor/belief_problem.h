/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model and a goal as a planning problem where answers do not always tell which transition was taken: its
 * states are sets of states that the system may be in, an outcome of an input is an answer, and a trap is hit
 * when every explanation of the answer hits it. A set is numbered when it is first met; the number stands for
 * it. */
#ifndef CORRIDOR_BELIEF_PROBLEM_H
#define CORRIDOR_BELIEF_PROBLEM_H

#include <corridor/efsm_conformance.h>
#include <corridor/efsm_problem.h>

/* States that a system may be in at most; more are COR_STATUS_INPUT. */
#define COR_BELIEF_STATES_MAX 10000

/* A possible state as a row: location, a value for each variable, those of other kinds than the state's at
 * their least, and the transition before if a trap asks for it, else COR_NONE. */
size_t cor_belief_width(const struct cor_efsm *model);

/* The initial state as a row. */
void cor_belief_start(const struct cor_efsm *model, int64_t *row);

/* Why an input can be answered as it was, and what follows from it. Used again for input after input. */
struct cor_belief_step {
    int64_t *rows; /* owned; [row][width]: the states that the system may be in then, sorted, none twice */
    uint32_t count;
    uint64_t *hits;                       /* owned; traps that every explanation hits */
    struct cor_efsm_explanation *why;     /* owned; [why_count] */
    uint32_t why_count, taken;            /* explanations; thereof by transitions */
    struct cor_efsm_explanations scratch; /* owned */
    size_t row_capacity, hit_capacity, why_capacity;
};

/* What follows when a system in one of these states answers so to the input; count 0: the observation is not
 * allowed. `observation` NULL: whatever it answers. */
enum cor_status cor_belief_follow(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                  const int64_t *rows, uint32_t count, uint32_t input, const int64_t *values,
                                  const struct cor_efsm_observation *observation,
                                  struct cor_belief_step *step, struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_belief_step_fini(struct cor_belief_step *step);

struct cor_belief_problem;

/* All are borrowed until the problem is destroyed; `inner` is of the same model and goal. */
enum cor_status cor_belief_problem_create(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                          const struct cor_efsm_problem *inner,
                                          struct cor_belief_problem **problem,
                                          struct cor_error *error) COR_MUST_USE;

/* From now on: asked each time a set of states is looked at, with how many were since the problem was made;
 * anything but COR_OK ends the planner's search with it. */
void cor_belief_problem_watch(struct cor_belief_problem *problem,
                              enum cor_status (*looked)(void *context, uint64_t sets,
                                                        struct cor_error *error),
                              void *context);

/* NULL is allowed. */
void cor_belief_problem_destroy(struct cor_belief_problem *problem);

/* What planners see of it; lives as long as it does. Inputs are those of `inner`. */
const struct cor_planning_problem *cor_belief_planning_problem(const struct cor_belief_problem *problem);

/* The state that is this set: rows sorted, none twice. */
enum cor_status cor_belief_problem_state(struct cor_belief_problem *problem, const int64_t *rows,
                                         uint32_t count, void *state, struct cor_error *error) COR_MUST_USE;

#endif
