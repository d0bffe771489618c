/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model and a goal as a planning problem. A state is the location, the values of the state variables, and
 * the last transition where a trap asks for what came before; an input is a label with its parameters; an
 * outcome's label is the transition. Inputs of equal effect - the same rivals with the same successors and
 * hits - are merged, the least kept; answers do not matter to a planner, and merging none that differ in them
 * would make an echo of 30,000 values 30,000 inputs. */
#ifndef CORRIDOR_EFSM_PROBLEM_H
#define CORRIDOR_EFSM_PROBLEM_H

#include <corridor/efsm.h>
#include <corridor/planning_problem.h>

struct cor_efsm_problem;

/* Both are borrowed until the problem is destroyed. Probabilities of outcomes are unknown (NaN). */
enum cor_status cor_efsm_problem_create(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                        struct cor_efsm_problem **problem,
                                        struct cor_error *error) COR_MUST_USE;

/* NULL is allowed. */
void cor_efsm_problem_destroy(struct cor_efsm_problem *problem);
COR_DESTROYS(cor_efsm_problem, struct cor_efsm_problem)

/* What planners see of it; lives as long as it does. */
const struct cor_planning_problem *cor_efsm_planning_problem(const struct cor_efsm_problem *problem);

/* A state as bytes and back. `values`: a value for each variable of the model, of which those of the state
 * count, and are set. `last`: the transition before, COR_NONE = none; forgotten where no trap of the goal
 * wants it right before. */
void cor_efsm_problem_pack(const struct cor_efsm_problem *problem, uint32_t location, const int64_t *values,
                           uint32_t last, void *state);
void cor_efsm_problem_unpack(const struct cor_efsm_problem *problem, const void *state, uint32_t *location,
                             int64_t *values, uint32_t *last);

/* The initial state. */
void cor_efsm_problem_start(const struct cor_efsm_problem *problem, void *state);

/* An input as bytes and back: a label, and the values of its parameters in `values`. */
void cor_efsm_problem_pack_input(const struct cor_efsm_problem *problem, uint32_t label,
                                 const int64_t *values, void *input);
void cor_efsm_problem_unpack_input(const struct cor_efsm_problem *problem, const void *input, uint32_t *label,
                                   int64_t *values);

/* Resets. A problem that allows them has one input more: to begin again, as a move of its own without a label
 * (COR_NONE as an outcome). */

#define COR_RESETS_ANY UINT32_MAX /* as often as it likes */

/* Right after it was created: `most` times. They are counted in the states, COR_RESETS_ANY aside. */
void cor_efsm_problem_allow_resets(struct cor_efsm_problem *problem, uint32_t most);

/* How often, 0 = it does not. */
uint32_t cor_efsm_problem_resets(const struct cor_efsm_problem *problem);

/* Whether the input is one. */
bool cor_efsm_problem_is_reset(const struct cor_efsm_problem *problem, const void *input);

/* The state in which one reset more leaves the system. */
void cor_efsm_problem_reset(const struct cor_efsm_problem *problem, const void *from, void *state);

/* `state`, which was packed, as one that is come to from `from` without a reset. */
void cor_efsm_problem_carry(const struct cor_efsm_problem *problem, const void *from, void *state);

/* Whether inputs had to be left out, because those of some label have more than 10^5 values that bounds could
 * not tell to be alike: then nothing that follows from looking at all is a proof. */
bool cor_efsm_problem_is_partial(const struct cor_efsm_problem *problem);

#endif
