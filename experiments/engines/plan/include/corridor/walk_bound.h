/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many moves a walk takes at least that is to hit many traps: by the least flow through a graph that uses
 * each arc that is needed (the rural postman's problem without the demand that all hangs together). */
#ifndef CORRIDOR_WALK_BOUND_H
#define CORRIDOR_WALK_BOUND_H

#include <corridor/efsm.h>

#define COR_NO_WALK UINT32_MAX /* as a bound: proven, no walk uses all */

/* Of a graph: arcs as pairs of nodes, and which of them a walk from `start` has to use; it may end anywhere.
 * 0: not found within the work that it may take. */
enum cor_status cor_walk_bound(uint32_t node_count, const uint32_t (*arcs)[2], const bool *needed,
                               uint32_t arc_count, uint32_t start, uint32_t *bound,
                               struct cor_error *error) COR_MUST_USE;

/* Of a model from a location, guards aside: transitions are the arcs, and each is needed that alone hits a
 * trap that is not in `covered`, a set of traps. `resets`: how often a walk may begin again, a move each. */
enum cor_status cor_efsm_walk_bound(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                    uint32_t location, const uint64_t *covered, uint32_t resets,
                                    uint32_t *bound, struct cor_error *error) COR_MUST_USE;

#endif
