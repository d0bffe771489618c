/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many moves are needed at least, a kind system given: the state equation of a model. Each transition
 * gets a count; the counts balance the locations, are connected with the present one, add up to what the last
 * move needs of each variable, cross each threshold that has to be crossed, and their least sum is asked of
 * z3. The order of moves, and guards on the way but for their thresholds, are left out: no plan is shorter,
 * but it may be longer. It does not depend on how large domains are. */
#ifndef CORRIDOR_EFSM_BOUND_H
#define CORRIDOR_EFSM_BOUND_H

#include <corridor/efsm.h>
#include <corridor/solve.h>

struct cor_efsm_bound;

/* Both are borrowed until it is destroyed. Sets of traps have a bit each, in 64-bit words. */
enum cor_status cor_efsm_bound_create(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                      struct cor_efsm_bound **bound, struct cor_error *error) COR_MUST_USE;

/* NULL is allowed. */
void cor_efsm_bound_destroy(struct cor_efsm_bound *bound);
COR_DESTROYS(cor_efsm_bound, struct cor_efsm_bound)

/* Moves that are needed at least from this state to cover all traps not in `covered`, of which there is one
 * at least: 1 or more; UINT32_MAX: proven, what is left cannot be covered. *moves is what is known already, 0
 * = nothing, and stays where no more is found: the model is too large for a question, z3 did not decide, or
 * is not in this build. */
enum cor_status cor_efsm_bound_moves(struct cor_efsm_bound *bound, uint32_t location, const int64_t *values,
                                     const uint64_t *covered, uint32_t *moves,
                                     struct cor_error *error) COR_MUST_USE;

/* Whether a move is on a way that was found with the bound of the state before it, or followed to there, of
 * late: the counts less this move are right for the state behind. Then the bound there is one less, as far as
 * this equation goes; else it may be as well. `inputs`: of the move, a value for each variable of the model.
 */
bool cor_efsm_bound_follow(struct cor_efsm_bound *bound, uint32_t location, const int64_t *values,
                           const uint64_t *covered, uint32_t transition, const int64_t *inputs,
                           const int64_t *next, const uint64_t *next_covered);

/* What z3 was asked for it. */
struct cor_solver_statistics cor_efsm_bound_statistics(const struct cor_efsm_bound *bound);

#endif
