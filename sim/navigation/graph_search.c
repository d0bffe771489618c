/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One search over the edges of a graph: nodes in the order of their distance, then of their number. A world
 * gives no bound of what is left, so nothing is aimed at. */
#include "scratch.h"

#include <corridor/array.h>

static bool is_before(struct navigation__turn a, struct navigation__turn b) {
    return a.distance < b.distance || (a.distance == b.distance && a.node < b.node);
}

static enum cor_status put_turn(struct cor_navigator *navigator, struct navigation__turn turn,
                                struct cor_error *error) {
    COR_TRY(COR_RESERVE(&navigator->turns, &navigator->turn_capacity, navigator->turn_count + 1, error));
    size_t at = navigator->turn_count++;
    for (; at > 0 && is_before(turn, navigator->turns[(at - 1) / 2]); at = (at - 1) / 2)
        navigator->turns[at] = navigator->turns[(at - 1) / 2];
    navigator->turns[at] = turn;
    return COR_OK;
}

static struct navigation__turn take_turn(struct cor_navigator *navigator) {
    struct navigation__turn *turns = navigator->turns;
    const struct navigation__turn first = turns[0], last = turns[--navigator->turn_count];
    size_t at = 0;
    for (size_t below; (below = 2 * at + 1) < navigator->turn_count; at = below) {
        if (below + 1 < navigator->turn_count && is_before(turns[below + 1], turns[below]))
            below++;
        if (!is_before(turns[below], last))
            break;
        turns[at] = turns[below];
    }
    turns[at] = last;
    return first;
}

/* A node is found at a distance. Of those before it that give the same distance the least number counts: all
 * of them had their turn before this node has, as weights are positive. */
static enum cor_status reach(struct cor_navigator *navigator, uint32_t node, uint64_t distance,
                             uint32_t before, struct cor_error *error) {
    struct navigation__node *known = &navigator->nodes[node];
    const bool is_new = known->generation != navigator->generation;
    if (!is_new && known->distance == distance && before < known->before)
        known->before = before;
    if (!is_new && known->distance <= distance)
        return COR_OK;
    *known = (struct navigation__node){distance, navigator->generation, before};
    return put_turn(navigator, (struct navigation__turn){distance, node}, error);
}

/* What a search looks for: the node `to`, or an unknown one, or nothing, so that it finds all. */
struct errand {
    uint32_t to; /* COR_GRAPH_NO_NODE: none */
    bool to_unknown;
};

static enum cor_status search_nodes(struct cor_navigator *navigator, const struct cor_graph *graph,
                                    uint32_t from, struct errand errand, uint32_t *end,
                                    struct cor_error *error) {
    COR_ASSERT(from < graph->node_count);
    *end = COR_GRAPH_NO_NODE;
    COR_TRY(navigation__begin(navigator, 0, graph->node_count, error));
    COR_TRY(reach(navigator, from, 0, from, error));
    while (navigator->turn_count > 0) {
        const struct navigation__turn turn = take_turn(navigator);
        if (turn.distance != navigator->nodes[turn.node].distance)
            continue; /* found nearer since */
        if (turn.node == errand.to || (errand.to_unknown && !graph->nodes[turn.node].known)) {
            *end = turn.node;
            break;
        }
        for (uint32_t i = graph->nodes[turn.node].first; i; i = graph->edges[i - 1].next) {
            const struct cor_graph_edge *edge = &graph->edges[i - 1];
            COR_TRY(reach(navigator, edge->to, turn.distance + edge->weight, turn.node, error));
        }
    }
    return COR_OK;
}

static enum cor_status find_path(struct cor_navigator *navigator, const struct cor_graph *graph,
                                 uint32_t from, struct errand errand, struct cor_path *path,
                                 struct cor_error *error) {
    uint32_t end, count = 1;
    path->found = false;
    path->count = 0;
    COR_TRY(search_nodes(navigator, graph, from, errand, &end, error));
    if (end == COR_GRAPH_NO_NODE)
        return COR_OK;
    for (uint32_t node = end; node != from; node = navigator->nodes[node].before)
        count++;
    COR_TRY(navigation__found(path, count, navigator->nodes[end].distance, graph->revision, error));
    for (uint32_t node = end; count-- > 0; node = navigator->nodes[node].before)
        path->numbers[count] = node;
    return COR_OK;
}

enum cor_status cor_graph_path(struct cor_navigator *navigator, const struct cor_graph *graph, uint32_t from,
                               uint32_t to, struct cor_path *path, struct cor_error *error) {
    COR_ASSERT(to < graph->node_count);
    return find_path(navigator, graph, from, (struct errand){to, false}, path, error);
}

enum cor_status cor_graph_frontier(struct cor_navigator *navigator, const struct cor_graph *graph,
                                   uint32_t from, struct cor_path *path, struct cor_error *error) {
    return find_path(navigator, graph, from, (struct errand){COR_GRAPH_NO_NODE, true}, path, error);
}

enum cor_status cor_graph_flood(struct cor_navigator *navigator, const struct cor_graph *graph, uint32_t from,
                                struct cor_error *error) {
    uint32_t end;
    return search_nodes(navigator, graph, from, (struct errand){COR_GRAPH_NO_NODE, false}, &end, error);
}

uint64_t cor_graph_distance(const struct cor_navigator *navigator, uint32_t node) {
    COR_ASSERT(node < navigator->node_count);
    const struct navigation__node *known = &navigator->nodes[node];
    return known->generation == navigator->generation ? known->distance : COR_GRAPH_UNREACHED;
}
