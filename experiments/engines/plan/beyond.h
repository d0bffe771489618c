/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where states are too many to look at: a plan by a lower bound, for planners that walk along plans. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_PLAN_BEYOND_H
#define CORRIDOR_EXPERIMENTS_ENGINES_PLAN_BEYOND_H

#include "product.h"

#include <corridor/astar.h>

struct plan__beyond {
    struct cor_guide *guide;   /* owned; NULL: not needed so far */
    bool has_plan;             /* the last plan is from here */
    enum cor_plan_proof proof; /* of its length */
};

/* A plan from `state` that covers all that is left, into `plan` (*found ALL), or the proof that the one trap
 * that is left is out of reach (*found NONE). Else nothing is changed: it is no model's problem, or was too
 * much here, too. */
enum cor_status plan__plan_beyond(struct plan__beyond *beyond,
                                  const struct cor_planner_definition *definition, const void *state,
                                  const uint64_t *covered, struct plan__plan *plan, enum plan__found *found,
                                  struct cor_error *error) COR_MUST_USE;

/* Idempotent. */
void plan__beyond_fini(struct plan__beyond *beyond);

#endif
