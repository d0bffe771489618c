/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planning against choice: all states with what is covered there that can be met from one on, what leads
 * where, and what each reading makes of it. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_PLAN_GAME_H
#define CORRIDOR_EXPERIMENTS_ENGINES_PLAN_GAME_H

#include "distances.h"

/* Nodes, their inputs, and what each input may lead to. Node 0 is where it begins. */
struct plan__game {
    struct plan__graph *graph; /* borrowed */
    bool first_gain;           /* whatever covers more ends it */
    struct cor_pool keys;      /* of nodes: state, set */
    struct cor_pool sets;
    uint32_t node_count, open_count; /* open: those from open_count on were not looked at, and lead nowhere */
    uint32_t open_depth;             /* moves to the first of these; COR_NONE: all were looked at */
    uint32_t *depth;                 /* owned; [node] moves from node 0 at least */
    bool *is_goal;                   /* owned; [node] */
    uint32_t *first_input;           /* owned; [node + 1] */
    uint32_t *first_arc;             /* owned; [input + 1] */
    uint32_t *owner;                 /* owned; [input] node */
    uint32_t *targets, *labels;      /* owned; [arc] nodes and outcomes */
    double *probabilities;           /* owned; [arc] NaN = unknown */
    uint32_t input_count, arc_count;
    uint32_t *first_source, *sources; /* owned; [node + 1], and the inputs that may lead there, each as often
                                         as it does */
    size_t depth_capacity, goal_capacity, first_input_capacity, first_arc_capacity, owner_capacity,
        target_capacity, label_capacity, probability_capacity;
    struct cor_error *error;
};

/* All that can be met from the state, breadth first, within the graph's budget. */
enum cor_status plan__game_make(struct plan__game *game, struct plan__graph *graph, const void *state,
                                const uint64_t *covered, bool first_gain,
                                struct cor_error *error) COR_MUST_USE;
void plan__game_fini(struct plan__game *game);

/* The node; COR_NONE: it is none of the game. */
uint32_t plan__game_find(const struct plan__game *game, const void *state, const uint64_t *covered);

/* The least ranks: 0 of a goal, else 1 + the least over inputs of the greatest over what each may lead to:
 * moves within which a goal is met whatever the system chooses. PLAN__FAR: it can prevent that. `choice`: the
 * first input with that rank. Arrays of node_count, the caller's. */
enum cor_status plan__game_rank(const struct plan__game *game, uint32_t *ranks, uint32_t *choice,
                                struct cor_error *error) COR_MUST_USE;

/* The same for a kind system: moves to the nearest goal. */
enum cor_status plan__game_distance(const struct plan__game *game, uint32_t *distance,
                                    struct cor_error *error) COR_MUST_USE;

/* The least expected moves to a goal with these probabilities of arcs, all above 0; infinite where no way of
 * giving inputs meets one almost surely. `exact`: sweeps were ended by a fixpoint, not by their number. */
enum cor_status plan__game_expect(const struct plan__game *game, const double *probabilities, double *moves,
                                  uint32_t *choice, bool *exact, struct cor_error *error) COR_MUST_USE;

#endif
