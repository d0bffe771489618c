/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "game.h"
#include "frequencies.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <math.h>
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

/* ---- the worst case by ranks, and the best case by distances: backwards from the goals */

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

/* ---- the least expected moves: value iteration where a goal can be met almost surely. Elsewhere they are
 * infinite, and iterating would not end */

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

/* ---- frequencies */

struct key {
    uint64_t rivals, label;
};

void plan__frequencies_init(struct plan__frequencies *frequencies, const double *weights) {
    *frequencies = (struct plan__frequencies){.weights = weights, .keys.size = sizeof(struct key)};
}

static uint64_t hash_of(const uint32_t *labels, uint32_t count) {
    return cor_hash_bytes(COR_HASH_SEED, labels, count * sizeof *labels);
}

enum cor_status plan__frequencies_learn(struct plan__frequencies *frequencies, const uint32_t *labels,
                                        uint32_t count, uint32_t label, struct cor_error *error) {
    const struct key key = {hash_of(labels, count), label};
    const uint32_t before = frequencies->keys.count;
    uint32_t number;
    if (count < 2)
        return COR_OK;
    COR_TRY(COR_RESERVE(&frequencies->counts, &frequencies->count_capacity, before + 1, error));
    COR_TRY(cor_pool_add(&frequencies->keys, &key, sizeof key, &number, error));
    if (number == before)
        frequencies->counts[number] = 0;
    frequencies->counts[number]++;
    frequencies->seen++;
    return COR_OK;
}

static double weight_of(const struct plan__frequencies *frequencies, uint64_t rivals, uint32_t label) {
    const struct key key = {rivals, label};
    if (frequencies->weights)
        return frequencies->weights[label];
    const uint32_t number = cor_pool_find(&frequencies->keys, &key, sizeof key);
    return 1 + (number == COR_NONE ? 0 : (double)frequencies->counts[number]);
}

void plan__frequencies_fill(const struct plan__frequencies *frequencies, const uint32_t *labels,
                            uint32_t count, double *probabilities) {
    const uint64_t rivals = hash_of(labels, count);
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += isnan(probabilities[i]) ? weight_of(frequencies, rivals, labels[i]) : 0;
    for (uint32_t i = 0; i < count; i++)
        if (isnan(probabilities[i]))
            probabilities[i] = weight_of(frequencies, rivals, labels[i]) / sum;
}

void plan__frequencies_fini(struct plan__frequencies *frequencies) {
    cor_pool_fini(&frequencies->keys);
    free(frequencies->counts);
    frequencies->counts = NULL;
}
