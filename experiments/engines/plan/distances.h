/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far each trap is from each state, the others and what it waits for aside; and so at least how many
 * moves a set of traps takes. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_PLAN_DISTANCES_H
#define CORRIDOR_EXPERIMENTS_ENGINES_PLAN_DISTANCES_H

#include "state_graph.h"

#define PLAN__FAR UINT32_MAX

struct plan__distances {
    const struct cor_planning_problem *problem; /* borrowed */
    uint32_t *moves; /* owned; [trap][state] to the end of the move that hits it; NULL: not known */
    uint32_t state_count;
    uint32_t hits_max; /* new traps that one move can hit */
};

/* Of all traps that are not in `covered`, for all states that can be met from those of the graph. Not known
 * where these are more than its budget. */
enum cor_status plan__distances_make(struct plan__distances *distances, struct plan__graph *graph,
                                     const uint64_t *covered, struct cor_error *error) COR_MUST_USE;

/* Moves that all traps but those of `covered` take at least: at least 1 unless all are covered; PLAN__FAR:
 * one of them is out of reach. At most one less behind each move. */
uint32_t plan__distances_bound(const struct plan__distances *distances, uint32_t state,
                               const uint64_t *covered);

/* Frees what it holds. Idempotent. */
void plan__distances_fini(struct plan__distances *distances);

#endif
