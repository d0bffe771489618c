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

#endif
