/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scotch: SCOTCH (Pellegrini and Roman 1996) cuts the dissimilarity graph of the agents into the present
 * number of parts. It balances the parts but knows no limits on their size. */
#include "graph.h"

#include <scotch.h>

enum parameter { IMBALANCE };

static const struct cor_parameter parameters[] = {
    [IMBALANCE] = {"imbalance", "1", "a part may be larger than the average by this share", 0.05, 0.001, 1,
                   0},
    {0}};
static const struct cor_counter counters[] = PARTITIONER_COUNTERS;
static const struct cor_fault faults[] = PARTITIONER_FAULTS;

/* What SCOTCH asks to be set up and taken down. */
struct scotch {
    SCOTCH_Context context;
    SCOTCH_Graph graph, bound; /* bound: the graph in the context */
    SCOTCH_Strat strategy;
};

/* A context of its own: one thread, deterministic, a generator that begins with this seed. */
static int seed(SCOTCH_Context *context, int32_t value) {
    if (SCOTCH_contextOptionSetNum(context, SCOTCH_OPTIONNUMDETERMINISTIC, 1) != 0 ||
        SCOTCH_contextThreadSpawn(context, 1, NULL) != 0 || SCOTCH_contextRandomClone(context) != 0)
        return 0;
    SCOTCH_contextRandomSeed(context, value);
    return 1;
}

_Static_assert(sizeof(SCOTCH_Num) == sizeof(int32_t), "SCOTCH of 32 bits");

static int cut_with(struct scotch *scotch, const struct partitioner_graph *graph, double imbalance,
                    const struct cor_host *host, int32_t *part) {
    SCOTCH_Num parts = (SCOTCH_Num)graph->part_count;
    if (!seed(&scotch->context, partitioner_seed(host)) ||
        SCOTCH_graphBuild(&scotch->graph, 0, graph->vertex_count, graph->first, NULL, NULL, NULL,
                          graph->edge_count, graph->end, graph->weight) != 0 ||
        SCOTCH_contextBindGraph(&scotch->context, &scotch->graph, &scotch->bound) != 0)
        return 0;
    return SCOTCH_stratGraphMapBuild(&scotch->strategy, SCOTCH_STRATQUALITY | SCOTCH_STRATBALANCE, parts,
                                     imbalance) == 0 &&
           SCOTCH_graphPart(&scotch->bound, parts, &scotch->strategy, part) == 0;
}

static uint32_t cut(const struct partitioner_graph *graph, const struct cor_rules *rules,
                    const struct cor_host *host, int32_t *part) {
    struct scotch scotch;
    if (SCOTCH_contextInit(&scotch.context) != 0)
        return 0;
    SCOTCH_graphInit(&scotch.graph);
    SCOTCH_graphInit(&scotch.bound);
    SCOTCH_stratInit(&scotch.strategy);
    int done = cut_with(&scotch, graph, rules->parameters[IMBALANCE], host, part);
    SCOTCH_stratExit(&scotch.strategy);
    SCOTCH_graphExit(&scotch.bound);
    SCOTCH_graphExit(&scotch.graph);
    SCOTCH_contextExit(&scotch.context);
    return done ? graph->part_count : 0;
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    return partitioner_solve(cut, "SCOTCH reports an error", task, host);
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,
    .name = "scotch",
    .version = "1.0",
    .summary = "SCOTCH cuts the graph of dissimilarities into the present number of parts",
    .budget_unit = "calls",
    .capabilities = COR_LIMITS,
    .parameters = parameters,
    .counters = counters,
    .faults = faults,
    .result = result,
};
