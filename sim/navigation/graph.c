/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/graph.h>

#include <corridor/array.h>

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
