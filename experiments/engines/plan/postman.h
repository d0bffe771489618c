/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A walk over many traps, where states together with what is covered are more than anybody can look at:
 * component by component of the graph of states, so that nothing is left behind that could be covered before
 * a move that cannot be taken back; within a component by the least flow that uses an arc of each trap (the
 * rural postman's problem), what does not hang together joined by detours. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_PLAN_POSTMAN_H
#define CORRIDOR_EXPERIMENTS_ENGINES_PLAN_POSTMAN_H

#include "product.h"

struct plan__walk {
    bool is_found;  /* the plan has it; else nothing is known: states are too many, or traps wait for one
                       another */
    bool is_whole;  /* it covers all that is left */
    bool is_split;  /* proven: no walk does */
    uint32_t bound; /* no walk that covers all is shorter; 0: not known */
};

/* From `state` with `covered`, a kind system given. The plan is emptied first; its `lost` has what no move
 * hits that can be met. */
enum cor_status plan__walk_all(struct plan__graph *graph, const void *state, const uint64_t *covered,
                               struct plan__plan *plan, struct plan__walk *walk,
                               struct cor_error *error) COR_MUST_USE;

#endif
