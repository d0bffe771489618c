/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * States of a problem as numbers, met and expanded as they are asked for, within a budget; and sets of
 * covered traps as numbers. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_PLAN_STATE_GRAPH_H
#define CORRIDOR_EXPERIMENTS_ENGINES_PLAN_STATE_GRAPH_H

#include <corridor/planning_problem.h>
#include <corridor/pool.h>
#include <corridor/value.h>

/* An outcome; target COR_NONE: the budget left no room for the state. */
struct plan__arc {
    uint32_t target, label;
    double probability;
    bool hits; /* any trap */
};

/* What can be done in a state; borrowed until the graph is used again. */
struct plan__moves {
    uint32_t input_count;
    const unsigned char *inputs; /* [input][input_size] */
    const uint32_t *first;       /* [input + 1]: input i has arcs first[i] - first[0] .. */
    const struct plan__arc *arcs;
    const uint64_t *hits; /* [arc][trap_words] */
};

struct plan__graph {
    const struct cor_planning_problem *problem; /* borrowed */
    uint64_t state_budget;
    struct cor_pool states;
    uint32_t *expanded; /* owned; [state] 1 + its number among those whose moves are kept, 0: they are not */
    size_t expanded_capacity;
    /* The moves that are kept. */
    uint64_t *first_input;  /* owned; [number + 1] */
    uint32_t *first_arc;    /* owned; [input + 1] */
    unsigned char *inputs;  /* owned */
    struct plan__arc *arcs; /* owned */
    uint64_t *hits;         /* owned */
    size_t first_input_capacity, first_arc_capacity, input_capacity, arc_capacity, hit_capacity;
    uint32_t kept;
    uint64_t input_count, arc_count;
    bool is_cut; /* some state found no room */
    bool lacks;  /* likewise, in a search before this one: arcs without a target are among those that are kept
                  */
    struct cor_expansion expansion;
    struct plan__arc *scratch; /* owned; arcs of moves that are not kept */
    size_t scratch_capacity;
};

void plan__graph_init(struct plan__graph *graph, const struct cor_planning_problem *problem,
                      uint64_t state_budget);

/* The number of the state from which a search begins. If states found no room, all are forgotten first. */
enum cor_status plan__graph_begin(struct plan__graph *graph, const void *state, uint32_t *number,
                                  struct cor_error *error) COR_MUST_USE;

/* The same of a search that ends where it comes to an arc without a target: a state that is known keeps what
 * is. */
enum cor_status plan__graph_resume(struct plan__graph *graph, const void *state, uint32_t *number,
                                   struct cor_error *error) COR_MUST_USE;

/* What can be done there. */
enum cor_status plan__graph_moves(struct plan__graph *graph, uint32_t state, struct plan__moves *moves,
                                  struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void plan__graph_fini(struct plan__graph *graph);

#endif
