/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bound of a goal: by its state equation, and by those of landmarks. A landmark of a trap is a transition
 * that every way through the graph to it uses, whatever the guards: a plan must bring about what its guard
 * needs, too, and go on from there to the trap. */
#include <corridor/efsm_bound.h>

#include "bound_part.h"

#include <corridor/array.h>

#include <stdlib.h>

/* The state equation of a landmark, as a goal of its own. */
struct landmark {
    struct cor_efsm_goal goal;
    struct cor_efsm_trap trap;
    uint32_t transition;
    struct efsm__bound_part *part; /* owned; NULL: not needed so far */
};

struct cor_efsm_bound {
    const struct cor_efsm *model;
    const struct cor_efsm_goal *goal;
    struct efsm__bound_part *whole; /* owned */
    struct landmark *landmarks;     /* owned; [transition] */
    uint32_t *distance, *queue;     /* owned; [location], of a search through the graph */
};

enum cor_status cor_efsm_bound_create(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                      struct cor_efsm_bound **bound, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_efsm_bound *b = *bound = cor_calloc(1, sizeof *b);
    COR_TRY(cor_made(b, error));
    b->model = model;
    b->goal = goal;
    b->landmarks = cor_calloc(model->transition_count, sizeof *b->landmarks);
    b->distance = cor_calloc(model->location_count, sizeof *b->distance);
    b->queue = cor_calloc(model->location_count, sizeof *b->queue);
    if (!b->landmarks || !b->distance || !b->queue)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(efsm__bound_part_create(model, goal, &b->whole, error));
out:
    if (status != COR_OK) {
        cor_efsm_bound_destroy(b);
        *bound = NULL;
    }
    return status;
}

void cor_efsm_bound_destroy(struct cor_efsm_bound *bound) {
    if (!bound)
        return;
    for (uint32_t t = 0; bound->landmarks && t < bound->model->transition_count; t++)
        efsm__bound_part_destroy(bound->landmarks[t].part);
    efsm__bound_part_destroy(bound->whole);
    free(bound->landmarks);
    free(bound->distance);
    free(bound->queue);
    free(bound);
}

static void add_statistics(struct cor_solver_statistics *to, const struct efsm__bound_part *part) {
    if (!part || !part->solver)
        return;
    const struct cor_solver_statistics more = cor_solver_statistics(part->solver);
    cor_solver_statistics_add(to, &more);
}

struct cor_solver_statistics cor_efsm_bound_statistics(const struct cor_efsm_bound *bound) {
    struct cor_solver_statistics statistics = {0};
    add_statistics(&statistics, bound->whole);
    for (uint32_t t = 0; t < bound->model->transition_count; t++)
        add_statistics(&statistics, bound->landmarks[t].part);
    return statistics;
}

/* Moves through the graph from a location to the end of one that the trap names, without one transition
 * (COR_NONE: with all); UINT32_MAX: there is no way. */
static uint32_t graph_distance(struct cor_efsm_bound *b, uint32_t from, const struct cor_efsm_trap *trap,
                               uint32_t without) {
    const struct cor_efsm *model = b->model;
    uint32_t first = 0, last = 0;
    for (uint32_t l = 0; l < model->location_count; l++)
        b->distance[l] = UINT32_MAX;
    b->distance[from] = 0;
    b->queue[last++] = from;
    while (first < last) {
        const uint32_t l = b->queue[first++];
        for (uint32_t t = 0; t < model->transition_count; t++) {
            if (t == without || model->transitions[t].source != l)
                continue;
            for (uint32_t i = 0; i < trap->transition_count; i++)
                if (trap->transitions[i] == t)
                    return b->distance[l] + 1;
            if (b->distance[model->transitions[t].target] == UINT32_MAX) {
                b->distance[model->transitions[t].target] = b->distance[l] + 1;
                b->queue[last++] = model->transitions[t].target;
            }
        }
    }
    return UINT32_MAX;
}

/* Whether what the transition needs of the state has to be counted up: some variable that changes. */
static bool needs_much(const struct cor_efsm_bound *b, uint32_t transition) {
    const struct efsm__state_equation *eq = &b->whole->equation;
    EFSM__FOR_STATE_VARIABLES(eq, v)
    if (eq->is_touched[v] && cor_expression_reads(&b->model->transitions[transition].guard, v))
        return true;
    return false;
}

/* The one trap that is open; COR_NONE: there are several. */
static uint32_t only_open(const struct cor_efsm_bound *b, const uint64_t *covered) {
    uint32_t open = COR_NONE;
    for (uint32_t i = 0; i < b->goal->trap_count; i++)
        if (!(covered[i / 64] >> i % 64 & 1)) {
            if (open != COR_NONE)
                return COR_NONE;
            open = i;
        }
    return open;
}

/* Raises *moves to what the landmarks between here and the trap need. */
static enum cor_status ask_landmarks(struct cor_efsm_bound *b, uint32_t location, const int64_t *values,
                                     const struct cor_efsm_trap *trap, uint32_t *moves,
                                     struct cor_error *error) {
    for (uint32_t t = 0; t < b->model->transition_count && *moves != UINT32_MAX; t++) {
        static const uint64_t nothing[1] = {0};
        if (!needs_much(b, t) || graph_distance(b, location, trap, t) != UINT32_MAX)
            continue;
        const uint32_t behind = graph_distance(b, b->model->transitions[t].target, trap, COR_NONE);
        if ((trap->transition_count == 1 && trap->transitions[0] == t) || behind == UINT32_MAX)
            continue; /* it is the trap's own */
        uint32_t before = *moves > behind ? *moves - behind : 0;
        if (!b->landmarks[t].part) {
            struct landmark *landmark = &b->landmarks[t];
            landmark->transition = t;
            landmark->trap = (struct cor_efsm_trap){
                .transitions = &landmark->transition, .transition_count = 1, .previous = COR_NONE};
            landmark->goal = (struct cor_efsm_goal){.traps = &landmark->trap, .trap_count = 1, .optimum = -1};
            COR_TRY(efsm__bound_part_create(b->model, &landmark->goal, &landmark->part, error));
        }
        COR_TRY(efsm__bound_part_moves(b->landmarks[t].part, location, values, nothing, &before, error));
        if (before >= UINT32_MAX - behind)
            *moves = UINT32_MAX;
        else if (before + behind > *moves)
            *moves = before + behind;
    }
    return COR_OK;
}

enum cor_status cor_efsm_bound_moves(struct cor_efsm_bound *b, uint32_t location, const int64_t *values,
                                     const uint64_t *covered, uint32_t *moves, struct cor_error *error) {
    COR_TRY(efsm__bound_part_moves(b->whole, location, values, covered, moves, error));
    const uint32_t trap = only_open(b, covered);
    if (trap == COR_NONE)
        return COR_OK;
    return ask_landmarks(b, location, values, &b->goal->traps[trap], moves, error);
}

bool cor_efsm_bound_follow(struct cor_efsm_bound *b, uint32_t location, const int64_t *values,
                           const uint64_t *covered, uint32_t transition, const int64_t *inputs,
                           const int64_t *next, const uint64_t *next_covered) {
    static const uint64_t nothing[1] = {0};
    bool follows = false;
    for (uint32_t t = 0; t < b->model->transition_count; t++) {
        if (!b->landmarks[t].part || !efsm__bound_part_knows(b->landmarks[t].part, location, values, nothing))
            continue;
        if (!efsm__bound_part_follow(b->landmarks[t].part, location, values, nothing, transition, inputs,
                                     next, nothing))
            return false;
        follows = true;
    }
    return follows || efsm__bound_part_follow(b->whole, location, values, covered, transition, inputs, next,
                                              next_covered);
}
