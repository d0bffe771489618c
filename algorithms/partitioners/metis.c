/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * metis: METIS (Karypis and Kumar 1998) cuts the dissimilarity graph of the agents into the present number of
 * parts. It balances the parts but knows no limits on their size. */
#include "graph.h"

#include <metis.h>

enum parameter { IMBALANCE, RECURSIVE };

static const struct cor_parameter parameters[] = {
    [IMBALANCE] = {"imbalance", "1", "a part may be larger than the average by this share", 0.03, 0.001, 1,
                   0},
    [RECURSIVE] = {"recursive", "1", "0: k parts at once, 1: by recursive bisection", 0, 0, 1, 1},
    {0}};
static const struct cor_counter counters[] = PARTITIONER_COUNTERS;
static const struct cor_fault faults[] = PARTITIONER_FAULTS;

_Static_assert(sizeof(idx_t) == sizeof(int32_t), "METIS of 32 bits");

/* METIS takes what it only reads as if it might be written. */
static uint32_t cut(const struct partitioner_graph *graph, const struct cor_rules *rules,
                    const struct cor_host *host, int32_t *part) {
    idx_t options[METIS_NOPTIONS], vertices = graph->vertex_count, constraints = 1;
    idx_t parts = (idx_t)graph->part_count, edges_cut;
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = partitioner_seed(host);
    options[METIS_OPTION_UFACTOR] = (idx_t)floor(rules->parameters[IMBALANCE] * 1000 + 0.5);
    if (parts == 1 || graph->edge_count == 0) /* nothing to cut; not a case for METIS */
        return graph->part_count;
    int said = (rules->parameters[RECURSIVE] != 0 ? METIS_PartGraphRecursive : METIS_PartGraphKway)(
        &vertices, &constraints, graph->first, graph->end, NULL, NULL, graph->weight, &parts, NULL, NULL,
        options, &edges_cut, part);
    return said == METIS_OK ? graph->part_count : 0;
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    return partitioner_solve(cut, "METIS reports an error", task, host);
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,
    .name = "metis",
    .version = "1.0",
    .summary = "METIS cuts the graph of dissimilarities into the present number of parts",
    .budget_unit = "calls",
    .capabilities = COR_LIMITS,
    .parameters = parameters,
    .counters = counters,
    .faults = faults,
    .result = result,
};
