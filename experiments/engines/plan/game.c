/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "game.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* Arcs at most, per state of the budget. */
#define ARCS_PER_STATE 20

static enum cor_status add_key(struct plan__game *g, const uint32_t *key, bool is_goal, uint32_t depth,
                               uint32_t *node) {
    COR_TRY(cor_pool_add(&g->keys, key, g->keys.size, node, g->error));
    if (*node < g->node_count)
        return COR_OK;
    COR_TRY(COR_RESERVE(&g->depth, &g->depth_capacity, g->node_count + 1, g->error));
    COR_TRY(COR_RESERVE(&g->is_goal, &g->goal_capacity, g->node_count + 1, g->error));
    g->depth[g->node_count] = depth;
    g->is_goal[g->node_count++] = is_goal;
    return COR_OK;
}

/* The number of a state with a set, met after so many moves. */
static enum cor_status add_node(struct plan__game *g, uint32_t state, const uint64_t *covered, bool is_goal,
                                uint32_t depth, uint32_t *node) {
    uint32_t key[2] = {state, 0};
    COR_TRY(cor_pool_add(&g->sets, covered, g->sets.size, &key[1], g->error));
    return add_key(g, key, is_goal, depth, node);
}
/* A node that leads nowhere stands for all states that found no room. */
static enum cor_status add_unknown(struct plan__game *g, uint32_t depth, uint32_t *node) {
    const uint32_t key[2] = {COR_NONE, COR_NONE};
    g->open_depth = depth < g->open_depth ? depth : g->open_depth;
    return add_key(g, key, false, depth, node);
}

/* Where an arc leads from a node. */
static enum cor_status add_arc(struct plan__game *g, uint32_t node, const struct plan__arc *arc,
                               const uint64_t *hits, uint64_t *covered, uint64_t *hit) {
    const struct cor_planning_problem *problem = g->graph->problem;
    const size_t size = problem->trap_words * sizeof *hits;
    uint32_t target;
    const uint32_t *key = cor_pool_item(&g->keys, node);
    memcpy(covered, cor_pool_item(&g->sets, key[1]), size);
    memcpy(hit, hits, size);
    const bool more = arc->hits && cor_cover(problem, covered, hit);
    const bool is_goal = more && (g->first_gain || cor_all_covered(problem, covered));
    if (arc->target != COR_NONE)
        COR_TRY(add_node(g, arc->target, covered, is_goal, g->depth[node] + 1, &target));
    else
        COR_TRY(add_unknown(g, g->depth[node] + 1, &target));
    COR_TRY(COR_RESERVE(&g->targets, &g->target_capacity, g->arc_count + 1, g->error));
    COR_TRY(COR_RESERVE(&g->labels, &g->label_capacity, g->arc_count + 1, g->error));
    COR_TRY(COR_RESERVE(&g->probabilities, &g->probability_capacity, g->arc_count + 1, g->error));
    g->targets[g->arc_count] = target;
    g->labels[g->arc_count] = arc->label;
    g->probabilities[g->arc_count++] = arc->probability;
    return COR_OK;
}

/* Looks at nodes in the order they were met. */
static enum cor_status look_at_all(struct plan__game *g, uint64_t *covered, uint64_t *hit) {
    const uint64_t budget = g->graph->state_budget;
    uint32_t n = 0;
    COR_TRY(COR_RESERVE(&g->first_arc, &g->first_arc_capacity, 1, g->error));
    g->first_arc[0] = 0;
    for (; n < g->node_count && g->node_count <= budget && g->arc_count <= ARCS_PER_STATE * budget; n++) {
        COR_TRY(COR_RESERVE(&g->first_input, &g->first_input_capacity, n + 2, g->error));
        g->first_input[n] = g->input_count;
        if (!g->is_goal[n]) {
            const uint32_t *key = cor_pool_item(&g->keys, n), words = g->graph->problem->trap_words;
            struct plan__moves moves;
            if (key[0] == COR_NONE)
                continue;
            COR_TRY(plan__graph_moves(g->graph, key[0], &moves, g->error));
            COR_TRY(COR_RESERVE(&g->first_arc, &g->first_arc_capacity, g->input_count + moves.input_count + 1,
                                g->error));
            COR_TRY(
                COR_RESERVE(&g->owner, &g->owner_capacity, g->input_count + moves.input_count + 1, g->error));
            for (uint32_t i = 0; i < moves.input_count; i++) {
                for (uint32_t a = moves.first[i] - moves.first[0]; a < moves.first[i + 1] - moves.first[0];
                     a++)
                    COR_TRY(add_arc(g, n, &moves.arcs[a], moves.hits + (size_t)a * words, covered, hit));
                g->owner[g->input_count++] = n;
                g->first_arc[g->input_count] = g->arc_count;
            }
        }
    }
    g->open_count = n;
    if (n < g->node_count && g->depth[n] < g->open_depth)
        g->open_depth = g->depth[n];
    COR_TRY(COR_RESERVE(&g->first_input, &g->first_input_capacity, g->node_count + 1, g->error));
    for (; n <= g->node_count; n++)
        g->first_input[n] = g->input_count;
    return COR_OK;
}

enum cor_status plan__game_make(struct plan__game *game, struct plan__graph *graph, const void *state,
                                const uint64_t *covered, bool first_gain, struct cor_error *error) {
    const uint32_t words = graph->problem->trap_words;
    uint64_t *now = cor_calloc(words, sizeof *now), *hit = cor_calloc(words, sizeof *hit);
    enum cor_status status = COR_OK;
    uint32_t first, node;
    *game = (struct plan__game){.graph = graph,
                                .first_gain = first_gain,
                                .open_depth = COR_NONE,
                                .keys.size = 2 * sizeof(uint32_t),
                                .sets.size = words * sizeof *covered,
                                .error = error};
    if (!now || !hit)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(plan__graph_begin(graph, state, &first, error));
    COR_TRY_OUT(add_node(game, first, covered, false, 0, &node));
    COR_TRY_OUT(look_at_all(game, now, hit));
    game->first_source = cor_calloc(game->node_count + 2, sizeof *game->first_source);
    game->sources = cor_calloc(game->arc_count, sizeof *game->sources);
    if (!game->first_source || !game->sources)
        COR_TRY_OUT(cor_fail_memory(game->error));
    for (uint32_t a = 0; a < game->arc_count; a++)
        game->first_source[game->targets[a] + 2]++;
    for (uint32_t n = 0; n < game->node_count; n++)
        game->first_source[n + 2] += game->first_source[n + 1];
    for (uint32_t i = 0; i < game->input_count; i++)
        for (uint32_t a = game->first_arc[i]; a < game->first_arc[i + 1]; a++)
            game->sources[game->first_source[game->targets[a] + 1]++] = i;
out:
    free(now);
    free(hit);
    return status;
}

uint32_t plan__game_find(const struct plan__game *game, const void *state, const uint64_t *covered) {
    const uint32_t key[2] = {cor_pool_find(&game->graph->states, state, game->graph->states.size),
                             cor_pool_find(&game->sets, covered, game->sets.size)};
    return key[0] == COR_NONE || key[1] == COR_NONE ? COR_NONE : cor_pool_find(&game->keys, key, sizeof key);
}

void plan__game_fini(struct plan__game *game) {
    cor_pool_fini(&game->keys);
    cor_pool_fini(&game->sets);
    free(game->depth);
    free(game->is_goal);
    free(game->first_input);
    free(game->first_arc);
    free(game->owner);
    free(game->targets);
    free(game->labels);
    free(game->probabilities);
    free(game->first_source);
    free(game->sources);
    *game = (struct plan__game){0};
}
