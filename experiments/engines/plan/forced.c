/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The worst case by ranks, and the best case by distances: backwards from the goals. */
#include "game.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* Backwards: a node has its number once `wanted` of the arcs of one of its inputs - all, or one - lead to
 * nodes that have theirs. */
static enum cor_status number_nodes(const struct plan__game *g, bool all, uint32_t *number,
                                    struct cor_error *error) {
    uint32_t *queue = cor_calloc(g->node_count, sizeof *queue), end = 0;
    uint32_t *pending = cor_calloc(g->input_count, sizeof *pending);
    enum cor_status status = COR_OK;
    if (!queue || !pending)
        COR_TRY_OUT(cor_fail_memory(error));
    for (uint32_t i = 0; i < g->input_count; i++)
        pending[i] = all ? g->first_arc[i + 1] - g->first_arc[i] : 1;
    for (uint32_t n = 0; n < g->node_count; n++) {
        number[n] = g->is_goal[n] ? 0 : PLAN__FAR;
        if (g->is_goal[n])
            queue[end++] = n;
    }
    for (uint32_t at = 0; at < end; at++)
        for (uint32_t s = g->first_source[queue[at]]; s < g->first_source[queue[at] + 1]; s++) {
            const uint32_t input = g->sources[s], node = g->owner[input];
            if (number[node] != PLAN__FAR || --pending[input] > 0)
                continue;
            number[node] = number[queue[at]] + 1;
            queue[end++] = node;
        }
out:
    free(queue);
    free(pending);
    return status;
}

enum cor_status plan__game_distance(const struct plan__game *game, uint32_t *distance,
                                    struct cor_error *error) {
    return number_nodes(game, false, distance, error);
}

/* The greatest rank of what the input may lead to. */
static uint32_t worst_of(const struct plan__game *g, uint32_t input, const uint32_t *ranks) {
    uint32_t worst = 0;
    for (uint32_t a = g->first_arc[input]; a < g->first_arc[input + 1]; a++)
        worst = ranks[g->targets[a]] > worst ? ranks[g->targets[a]] : worst;
    return worst;
}

enum cor_status plan__game_rank(const struct plan__game *game, uint32_t *ranks, uint32_t *choice,
                                struct cor_error *error) {
    COR_TRY(number_nodes(game, true, ranks, error));
    for (uint32_t n = 0; n < game->node_count; n++) {
        choice[n] = COR_NONE;
        for (uint32_t i = game->first_input[n]; i < game->first_input[n + 1]; i++)
            if (ranks[n] != PLAN__FAR && worst_of(game, i, ranks) == ranks[n] - 1) {
                choice[n] = i;
                break;
            }
    }
    return COR_OK;
}
