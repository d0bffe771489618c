/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the modules of this folder share: how agents become a graph, and a labelling of its vertices a
 * solution.
 *
 * Graph partitioners keep together what heavy edges join. Partitions are to resemble each other, so each is
 * to hold agents that differ: the weight of an edge is the DISSIMILARITY of its ends. (By similarity, the
 * least cut would keep alike agents together and make the partitions as different as can be: the fault
 * "wrong_sign".) */
#ifndef CORRIDOR_ALGORITHMS_PARTITIONERS_GRAPH_H
#define CORRIDOR_ALGORITHMS_PARTITIONERS_GRAPH_H

#include <corridor/feasible.h>

#include <math.h>

/* The one fault and the one counter that all have. */
#define PARTITIONER_FAULTS                                                        \
    {                                                                             \
        {"wrong_sign", "edges weigh likeness: alike agents are kept together"}, { \
            0                                                                     \
        }                                                                         \
    }
#define PARTITIONER_COUNTERS                                          \
    {                                                                 \
        {"empty", "a partition of the solution has no members", 1}, { \
            0                                                         \
        }                                                             \
    }

/* Every pair of agents that differ is an edge; both directions are listed, agent after agent. Memory is the
 * reorganization's. */
struct partitioner_graph {
    int32_t vertex_count, edge_count; /* edges: directions counted */
    int32_t *first;                   /* [vertex + 1] its first edge */
    int32_t *end, *weight;            /* [edge]; weights are 1 or more */
    uint32_t part_count;              /* to ask for: the present one, brought within the limits */
};

/* The greatest weight: so much for the two agents that differ most. Lower for many agents, so that all
 * weights together fit 31 bits. */
static inline double partitioner_scale(uint32_t agent_count) {
    double most = 1073741824.0 / agent_count / agent_count;
    return most < 1000 ? floor(most) : 1000;
}

/* From 0 for equal agents to the scale. Where all agents are equal no pair differs less than another. */
static inline int32_t partitioner_weight(double a, double b, double span, double scale, int wrong_sign) {
    double dissimilarity = span > 0 ? floor(fabs(a - b) / span * scale + 0.5) : 1;
    return (int32_t)(wrong_sign ? scale - dissimilarity : dissimilarity);
}

static inline double partitioner_span(const double *values, uint32_t count) {
    double least = values[0], most = values[0];
    for (uint32_t i = 1; i < count; i++) {
        least = values[i] < least ? values[i] : least;
        most = values[i] > most ? values[i] : most;
    }
    return most - least;
}

static inline void partitioner_join(struct partitioner_graph *graph, const double *values, int wrong_sign) {
    uint32_t n = (uint32_t)graph->vertex_count;
    double span = partitioner_span(values, n), scale = partitioner_scale(n);
    int32_t edge = 0;
    for (uint32_t i = 0; i < n; i++) {
        graph->first[i] = edge;
        for (uint32_t j = 0; j < n; j++) {
            int32_t weight = partitioner_weight(values[i], values[j], span, scale, wrong_sign);
            if (i == j || weight < 1)
                continue;
            graph->end[edge] = (int32_t)j;
            graph->weight[edge++] = weight;
        }
    }
    graph->first[n] = graph->edge_count = edge;
}

static inline int partitioner_ask_parts(struct partitioner_graph *graph, const struct cor_task *task,
                                        const struct cor_host *host) {
    uint32_t low, high;
    if (!cor_feasible_counts(task->rules, task->agent_count, &low, &high)) {
        host->complain(host, "no partitioning keeps the limits on size and number of blocks");
        return 0;
    }
    graph->part_count = task->block_count < low ? low : task->block_count > high ? high : task->block_count;
    return 1;
}

/* The graph of the task; 0: memory is out, the limits admit nothing, or there are too many agents. */
static inline int partitioner_graph_make(struct partitioner_graph *graph, const struct cor_task *task,
                                         const struct cor_host *host) {
    size_t n = task->agent_count;
    if (n > 30000) {
        host->complain(host, "too many agents: a graph of all pairs is made of up to 30000");
        return 0;
    }
    if (!partitioner_ask_parts(graph, task, host))
        return 0;
    graph->vertex_count = (int32_t)n;
    graph->first = host->alloc(host, (n + 1) * sizeof *graph->first);
    graph->end = host->alloc(host, n * n * sizeof *graph->end);
    graph->weight = host->alloc(host, n * n * sizeof *graph->weight);
    if (!graph->first || !graph->end || !graph->weight)
        return 0;
    partitioner_join(graph, task->values[0], task->rules->fault == 1);
    if (task->rules->fault == 1)
        *host->fault = (struct cor_fault_counts){1, 1, 1, 1};
    return 1;
}

/* 31 bits for a generator of the library's own, which must begin anew with each reorganization. */
static inline int32_t partitioner_seed(const struct cor_host *host) {
    return (int32_t)(cor_random_word(host->random[COR_STREAM_ALGORITHM]) >> 33);
}

/* Puts part after part, empty ones as they are; part[vertex] is 0 .. part_count - 1. */
static inline enum cor_progress partitioner_put(const int32_t *part, uint32_t part_count,
                                                const struct cor_task *task, const struct cor_host *host) {
    uint32_t *members = host->alloc(host, task->agent_count * sizeof *members);
    if (!members)
        return COR_FAILED;
    for (uint32_t p = 0; p < part_count; p++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < task->agent_count; i++)
            if (part[i] == (int32_t)p)
                members[count++] = i;
        if (count == 0)
            cor_count(host, 0, 0);
        if (!host->put_block(host, members, count))
            return COR_FAILED;
    }
    ++*host->spent;
    return COR_DONE;
}

/* A library at work: the part of each vertex into `part`; how many parts there are, 0 if it has failed. */
typedef uint32_t partitioner_cut(const struct partitioner_graph *graph, const struct cor_rules *rules,
                                 const struct cor_host *host, int32_t *part);

/* The result() of all modules: from the task to the graph, from the parts to the solution. */
static inline enum cor_progress partitioner_solve(partitioner_cut *cut, const char *complaint,
                                                  const struct cor_task *task, const struct cor_host *host) {
    struct partitioner_graph graph;
    int32_t *part = host->alloc(host, task->agent_count * sizeof *part);
    if (!part || !partitioner_graph_make(&graph, task, host))
        return COR_FAILED;
    uint32_t part_count = cut(&graph, task->rules, host, part);
    if (part_count > 0)
        return partitioner_put(part, part_count, task, host);
    host->complain(host, complaint);
    return COR_FAILED;
}

#endif
