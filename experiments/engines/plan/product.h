/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shortest plans, a kind system given: over states together with what is covered. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_PLAN_PRODUCT_H
#define CORRIDOR_EXPERIMENTS_ENGINES_PLAN_PRODUCT_H

#include "state_graph.h"

#include <corridor/astar.h>
#include <corridor/planner.h>

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

/* ---- where states are too many to look at: a plan by a lower bound, for planners that walk along plans */

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

/* ---- A walk over many traps, where states together with what is covered are more than anybody can look at:
 * component by component of the graph of states, so that nothing is left behind that could be covered before
 * a move that cannot be taken back; within a component by the least flow that uses an arc of each trap (the
 * rural postman's problem), what does not hang together joined by detours */

struct plan__walk {
    bool is_found;  /* the plan has it; else nothing is known: states are too many, or traps wait for one
                       another or deny one */
    bool is_whole;  /* it covers all that is left */
    bool is_split;  /* proven: no walk does */
    uint32_t bound; /* no walk that covers all is shorter; 0: not known */
};

/* From `state` with `covered`, a kind system given. The plan is emptied first; its `lost` has what no move
 * hits that can be met. */
enum cor_status plan__walk_all(struct plan__graph *graph, const void *state, const uint64_t *covered,
                               struct plan__plan *plan, struct plan__walk *walk,
                               struct cor_error *error) COR_MUST_USE;

/* ---- how far each trap is from each state, the others and what it waits for aside; and so at least how many
 * moves a set of traps takes */

#define PLAN__FAR UINT32_MAX

struct plan__distances {
    const struct cor_planning_problem *problem; /* borrowed */
    uint32_t *moves; /* owned; [trap][state] to the end of the move that hits it; NULL: not known */
    uint32_t state_count;
    uint32_t hits_max; /* new traps that one move can hit */
};

/* Adds the traps that none of the sets covers; is there any? */
bool plan__find_uncovered(const struct cor_planning_problem *problem, const struct cor_pool *sets,
                          uint64_t *lost);

#endif
