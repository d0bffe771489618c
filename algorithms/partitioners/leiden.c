/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * leiden: the communities that the Leiden method (Traag, Waltman, van Eck 2019) of igraph finds in the
 * dissimilarity graph of the agents, by modularity. How many there are and how large they get is its own
 * affair. */
#include "graph.h"

#include <igraph.h>

enum parameter { RESOLUTION, BETA, ITERATIONS };

static const struct cor_parameter parameters[] = {
    [RESOLUTION] = {"resolution", "1", "of the modularity: higher for more and smaller communities", 1, 0,
                    100, 0},
    [BETA] = {"beta", "1", "randomness of the refinement", 0.01, 1e-6, 10, 0},
    [ITERATIONS] = {"iterations", "1", "passes of the method", 2, 1, 1000, 1},
    {0}};
static const struct cor_counter counters[] = PARTITIONER_COUNTERS;
static const struct cor_fault faults[] = PARTITIONER_FAULTS;

/* The graph as igraph has it; a reserve of its vectors that fails leaves the others whole. */
struct communities {
    igraph_t graph;
    igraph_vector_int_t ends, of; /* edge after edge; [vertex] its community */
    igraph_vector_t weight, strength;
    igraph_integer_t count;
};

/* Each edge once; the strength of a vertex is the weight of its edges. Returns the weight of all edges. */
static double list_edges(struct communities *c, const struct partitioner_graph *graph) {
    igraph_integer_t edge = 0;
    double total = 0;
    for (int32_t v = 0; v < graph->vertex_count; v++)
        for (int32_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
            VECTOR(c->strength)[v] += graph->weight[e];
            if (graph->end[e] < v)
                continue;
            VECTOR(c->ends)[2 * edge] = v;
            VECTOR(c->ends)[2 * edge + 1] = graph->end[e];
            VECTOR(c->weight)[edge++] = graph->weight[e];
            total += graph->weight[e];
        }
    return total;
}

static int find(struct communities *c, const struct partitioner_graph *graph, const double *parameters_of,
                int32_t random_seed) {
    double total = list_edges(c, graph), quality;
    double resolution = total > 0 ? parameters_of[RESOLUTION] / (2 * total) : 0;
    if (igraph_create(&c->graph, &c->ends, graph->vertex_count, IGRAPH_UNDIRECTED) != IGRAPH_SUCCESS)
        return 0;
    igraph_rng_seed(igraph_rng_default(), (igraph_uint_t)random_seed);
    int done = igraph_community_leiden(&c->graph, &c->weight, &c->strength, resolution, parameters_of[BETA],
                                       false, (igraph_integer_t)parameters_of[ITERATIONS], &c->of, &c->count,
                                       &quality) == IGRAPH_SUCCESS;
    igraph_destroy(&c->graph);
    return done;
}

/* The community of each vertex into `part`; the number of communities, 0 if igraph has failed. */
static uint32_t cut(const struct partitioner_graph *graph, const struct cor_rules *rules,
                    const struct cor_host *host, int32_t *part) {
    struct communities c = {.count = 0};
    igraph_set_error_handler(igraph_error_handler_ignore); /* the usual one ends the process */
    int made = igraph_vector_int_init(&c.ends, graph->edge_count) == IGRAPH_SUCCESS;
    made = igraph_vector_int_init(&c.of, graph->vertex_count) == IGRAPH_SUCCESS && made;
    made = igraph_vector_init(&c.weight, graph->edge_count / 2) == IGRAPH_SUCCESS && made;
    made = igraph_vector_init(&c.strength, graph->vertex_count) == IGRAPH_SUCCESS && made;
    int done = made && find(&c, graph, rules->parameters, partitioner_seed(host));
    for (int32_t v = 0; done && v < graph->vertex_count; v++)
        part[v] = (int32_t)VECTOR(c.of)[v];
    igraph_vector_destroy(&c.strength);
    igraph_vector_destroy(&c.weight);
    igraph_vector_int_destroy(&c.of);
    igraph_vector_int_destroy(&c.ends);
    return done ? (uint32_t)c.count : 0;
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    return partitioner_solve(cut, "igraph reports an error", task, host);
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,
    .name = "leiden",
    .version = "1.0",
    .summary = "igraph's Leiden method finds communities in the graph of dissimilarities",
    .budget_unit = "calls",
    .capabilities = COR_LIMITS,
    .parameters = parameters,
    .counters = counters,
    .faults = faults,
    .result = result,
};
