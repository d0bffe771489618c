/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scratch.h"

#include <corridor/array.h>
#include <corridor/graph.h>

#include <stdlib.h>

struct cor_graph *cor_graph_create(void) {
    return cor_calloc(1, sizeof(struct cor_graph));
}

void cor_graph_destroy(struct cor_graph *graph) {
    if (!graph)
        return;
    free(graph->nodes);
    free(graph->edges);
    free(graph);
}

enum cor_status cor_graph_grow(struct cor_graph *graph, uint32_t node_count, struct cor_error *error) {
    if (node_count > COR_GRAPH_NODES_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "a graph of %u nodes: %u are the most",
                        node_count, COR_GRAPH_NODES_MAX);
    COR_TRY(COR_RESERVE(&graph->nodes, &graph->node_capacity, node_count, error));
    if (graph->node_count < node_count)
        graph->revision++;
    while (graph->node_count < node_count)
        graph->nodes[graph->node_count++] = (struct cor_graph_node){0, false};
    return COR_OK;
}

/* Where the index of the edge stands in the list of its node; that of the list's end if there is none. */
static uint32_t *find_edge(const struct cor_graph *graph, uint32_t from, uint32_t to) {
    uint32_t *place = &graph->nodes[from].first;
    while (*place && graph->edges[*place - 1].to != to)
        place = &graph->edges[*place - 1].next;
    return place;
}

static enum cor_status add_edge(struct cor_graph *graph, uint32_t from, uint32_t to, uint32_t weight,
                                struct cor_error *error) {
    uint32_t edge = graph->spare;
    if (edge) {
        graph->spare = graph->edges[edge - 1].next;
    } else {
        if (graph->edge_count == COR_GRAPH_EDGES_MAX)
            return cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "more than %u edges", COR_GRAPH_EDGES_MAX);
        COR_TRY(COR_RESERVE(&graph->edges, &graph->edge_capacity, (size_t)graph->edge_count + 1, error));
        edge = ++graph->edge_count;
    }
    graph->edges[edge - 1] = (struct cor_graph_edge){to, weight, graph->nodes[from].first};
    graph->nodes[from].first = edge;
    graph->revision++;
    return COR_OK;
}

enum cor_status cor_graph_set(struct cor_graph *graph, uint32_t from, uint32_t to, uint32_t weight,
                              struct cor_error *error) {
    if (from >= graph->node_count || to >= graph->node_count)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "nodes are numbered from 0",
                        "an edge from node %u to node %u of a graph of %u nodes", from, to,
                        graph->node_count);
    uint32_t *place = find_edge(graph, from, to);
    if (!*place)
        return weight > 0 ? add_edge(graph, from, to, weight, error) : COR_OK;
    const uint32_t index = *place;
    struct cor_graph_edge *edge = &graph->edges[index - 1];
    const uint32_t before = edge->weight;
    if (weight == before)
        return COR_OK;
    edge->weight = weight;
    if (weight == 0) {
        *place = edge->next;
        edge->next = graph->spare;
        graph->spare = index;
    }
    graph->revision++;
    if (weight == 0 || weight > before)
        graph->shut = graph->revision;
    return COR_OK;
}

uint32_t cor_graph_weight(const struct cor_graph *graph, uint32_t from, uint32_t to) {
    COR_ASSERT(from < graph->node_count && to < graph->node_count);
    const uint32_t edge = *find_edge(graph, from, to);
    return edge ? graph->edges[edge - 1].weight : 0;
}

void cor_graph_set_known(struct cor_graph *graph, uint32_t node, bool known) {
    COR_ASSERT(node < graph->node_count);
    if (graph->nodes[node].known != known)
        graph->revision++;
    graph->nodes[node].known = known;
}

/* ---- one search over the edges of a graph: nodes in the order of their distance, then of their number. A
 * world gives no bound of what is left, so nothing is aimed at */

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
