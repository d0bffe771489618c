/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shortest plans, a kind system given: over states together with what is covered. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_PLAN_PRODUCT_H
#define CORRIDOR_EXPERIMENTS_ENGINES_PLAN_PRODUCT_H

#include "state_graph.h"

/* What came of a search. */
enum plan__found {
    PLAN__FOUND_ALL,  /* a plan that covers all that is left: no other is shorter */
    PLAN__FOUND_PART, /* all was looked at, not all can be covered together: a shortest of the plans that
                        cover most */
    PLAN__FOUND_NONE, /* all was looked at: nothing can be covered */
    PLAN__FOUND_CUT   /* the budget ended the search */
};

/* A way, move by move. */
struct plan__plan {
    unsigned char *states; /* owned; [move][state_size] before it */
    uint64_t *covered;     /* owned; [move][trap_words] before it */
    unsigned char *inputs; /* owned; [move][input_size] */
    uint32_t *labels;      /* owned; [move] outcome that is hoped for */
    uint32_t length;
    size_t state_capacity, covered_capacity, input_capacity, label_capacity;
    uint64_t *lost;     /* owned; [trap_words] out of reach from the first state, proven; empty for ALL */
    uint32_t bound;     /* CUT: no plan that covers all is shorter; 0: not known */
    uint64_t looked_at; /* states, each with what is covered there */
};

/* From `state` with `covered`; `first_gain`: a plan that covers anything more counts as one that covers all,
 * and what is covered is not told apart on the way. The plan is emptied first. */
enum cor_status plan__search_product(struct plan__graph *graph, const void *state, const uint64_t *covered,
                                     bool first_gain, struct plan__plan *plan, enum plan__found *found,
                                     struct cor_error *error) COR_MUST_USE;

/* One move more at the end. */
enum cor_status plan__plan_add(const struct cor_planning_problem *problem, struct plan__plan *plan,
                               const void *state, const uint64_t *covered, const void *input, uint32_t label,
                               struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void plan__plan_fini(struct plan__plan *plan);

#endif
