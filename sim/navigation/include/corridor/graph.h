/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is known of a world of places and ways: numbered nodes and directed edges, as a world gives them. An
 * edge's weight is a positive integer, so that lengths are exact and ties are ties; who has lengths in metres
 * counts millimetres. A node is unknown until somebody was there to see its edges. */
#ifndef CORRIDOR_GRAPH_H
#define CORRIDOR_GRAPH_H

#include <corridor/error.h>

#include <stdint.h>

#define COR_GRAPH_NODES_MAX (1u << 24)
#define COR_GRAPH_EDGES_MAX (1u << 26)
#define COR_GRAPH_NO_NODE UINT32_MAX

/* A node; its edges are a list. */
struct cor_graph_node {
    uint32_t first; /* 1 + index of an edge; 0: none */
    bool known;
};

/* An edge of the node in whose list it stands, or one that is spare. */
struct cor_graph_edge {
    uint32_t to, weight;
    uint32_t next; /* as `first` */
};

/* A graph. Its nodes and edges are changed by the functions below alone. */
struct cor_graph {
    uint32_t node_count;
    uint32_t edge_count; /* places in use or spare */
    uint32_t spare;      /* list of edges that were taken away, as `first` */
    size_t node_capacity, edge_capacity;
    struct cor_graph_node *nodes; /* owned; [node_count] */
    struct cor_graph_edge *edges; /* owned; [edge_count] */
    uint64_t revision;            /* number of changes */
    uint64_t shut; /* the revision that last took an edge away or made it longer; 0: none did */
};

/* A graph without nodes; NULL when memory is out. Freed by cor_graph_destroy. */
struct cor_graph *cor_graph_create(void);

/* Frees it; NULL is none. */
void cor_graph_destroy(struct cor_graph *graph);

/* Adds unknown nodes without edges until there are `node_count`; takes none away. COR_STATUS_INPUT beyond
 * COR_GRAPH_NODES_MAX. */
enum cor_status cor_graph_grow(struct cor_graph *graph, uint32_t node_count,
                               struct cor_error *error) COR_MUST_USE;

/* The edge from a node to another has this weight from now on; 0: there is none. Takes as long as the node
 * has edges. COR_STATUS_INPUT for nodes that there are not, and beyond COR_GRAPH_EDGES_MAX edges. */
enum cor_status cor_graph_set(struct cor_graph *graph, uint32_t from, uint32_t to, uint32_t weight,
                              struct cor_error *error) COR_MUST_USE;

/* The weight of an edge between nodes of the graph; 0: there is none. */
uint32_t cor_graph_weight(const struct cor_graph *graph, uint32_t from, uint32_t to);

/* Somebody was there, or that is forgotten. */
void cor_graph_set_known(struct cor_graph *graph, uint32_t node, bool known);

#endif
