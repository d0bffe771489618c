/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The least expected moves: value iteration where a goal can be met almost surely. Elsewhere they are
 * infinite, and iterating would not end. */
#include "game.h"

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A sweep that changes no value by more than this part of it is the last. */
#define PRECISION 1e-13

/* Arcs looked at before iterating is given up. */
#define WORK_MAX UINT64_C(1000000000)

struct solver {
    const struct plan__game *g;
    bool *within;      /* owned; [node] in the set that is being narrowed */
    uint32_t *outside; /* owned; [input] arcs that leave it */
    uint32_t *order;   /* owned; nodes of it from the goals on */
    bool *met;         /* owned; [node] in `order` */
    uint32_t count;
};

/* The greatest set from each node of which a goal can be met without leaving it: there inputs exist that meet
 * one almost surely. */
static void narrow(struct solver *s) {
    const struct plan__game *g = s->g;
    bool changed = true;
    memset(s->within, true, g->node_count * sizeof *s->within);
    while (changed) {
        /* Nodes from which, by inputs that stay within the set, a goal can be met. */
        s->count = 0;
        for (uint32_t n = 0; n < g->node_count; n++) {
            s->met[n] = g->is_goal[n];
            if (g->is_goal[n])
                s->order[s->count++] = n;
        }
        for (uint32_t at = 0; at < s->count; at++)
            for (uint32_t i = g->first_source[s->order[at]]; i < g->first_source[s->order[at] + 1]; i++) {
                const uint32_t input = g->sources[i], node = g->owner[input];
                if (s->outside[input] > 0 || s->met[node])
                    continue;
                s->met[node] = true;
                s->order[s->count++] = node;
            }
        changed = false;
        for (uint32_t n = 0; n < g->node_count; n++) {
            if (!s->within[n] || s->met[n])
                continue;
            s->within[n] = false;
            changed = true;
            for (uint32_t i = g->first_source[n]; i < g->first_source[n + 1]; i++)
                s->outside[g->sources[i]]++;
        }
    }
}

/* The best input of a node and its value. */
static double best_of(const struct solver *s, uint32_t node, const double *probabilities, const double *moves,
                      uint32_t *choice) {
    double best = HUGE_VAL;
    for (uint32_t i = s->g->first_input[node]; i < s->g->first_input[node + 1]; i++) {
        if (s->outside[i] > 0)
            continue;
        /* The expected moves by an input. */
        double value = 1;
        for (uint32_t a = s->g->first_arc[i]; a < s->g->first_arc[i + 1]; a++)
            value += probabilities[a] * moves[s->g->targets[a]];
        if (value < best) {
            best = value;
            *choice = i;
        }
    }
    return best;
}

/* Values grow from 0 towards the least solution; those near a goal first. */
static bool iterate(const struct solver *s, const double *probabilities, double *moves, uint32_t *choice) {
    for (uint64_t work = 0; work < WORK_MAX; work += s->g->arc_count + 1) {
        double change = 0;
        for (uint32_t at = 0; at < s->count; at++) {
            const uint32_t node = s->order[at];
            if (s->g->is_goal[node])
                continue;
            const double value = best_of(s, node, probabilities, moves, &choice[node]);
            const double step = fabs(value - moves[node]) / value;
            change = step > change ? step : change;
            moves[node] = value;
        }
        if (change <= PRECISION)
            return true;
    }
    return false;
}

enum cor_status plan__game_expect(const struct plan__game *game, const double *probabilities, double *moves,
                                  uint32_t *choice, bool *exact, struct cor_error *error) {
    struct solver s = {.g = game};
    enum cor_status status = COR_OK;
    s.within = cor_calloc(game->node_count, sizeof *s.within);
    s.met = cor_calloc(game->node_count, sizeof *s.met);
    s.order = cor_calloc(game->node_count, sizeof *s.order);
    s.outside = cor_calloc(game->input_count, sizeof *s.outside);
    if (!s.within || !s.met || !s.order || !s.outside)
        COR_TRY_OUT(cor_fail_memory(error));
    narrow(&s);
    for (uint32_t n = 0; n < game->node_count; n++) {
        moves[n] = s.within[n] ? 0 : HUGE_VAL;
        choice[n] = COR_NONE;
    }
    *exact = iterate(&s, probabilities, moves, choice);
out:
    free(s.within);
    free(s.met);
    free(s.order);
    free(s.outside);
    return status;
}
