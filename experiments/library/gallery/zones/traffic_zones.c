/* SPDX-License-Identifier: CC0-1.0
 *
 * traffic_zones: junctions, most cars first, go to the zone with the least cars, those of main roads to two
 * zones. */
#include <corridor/plugin.h>

static const struct cor_parameter parameters[] = {
    {"apart", "cars", "zones differ by so many at most", 120, 0, 1000000, 0}, {0}};

enum { NONE, LEAVES_OUT };
static const struct cor_fault faults[] = {
    {"leaves_out", "a main road is in one zone only, once all zones have more cars than they may differ by"},
    {0}};

enum road { MAIN, SIDE, CLOSED };
static const char *const needs[] = {"road", "cars", NULL};

/* The zone with the least cars, that `but` left out; COR_NO_BLOCK: there is none. */
static uint32_t emptiest(const double *cars, uint32_t zones, uint32_t but) {
    uint32_t best = COR_NO_BLOCK;
    for (uint32_t zone = 0; zone < zones; zone++)
        if (zone != but && (best == COR_NO_BLOCK || cars[zone] < cars[best]))
            best = zone;
    return best;
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    const struct cor_rules *rules = task->rules;
    const uint32_t n = task->agent_count, zones = rules->count_min;
    const double *road = task->values[cor_column(rules, "road")],
                 *cars = task->values[cor_column(rules, "cars")];
    if (zones < 2) {
        host->complain(host, "needs two zones at least");
        return COR_FAILED;
    }
    uint32_t *order = host->alloc(host, n * sizeof *order), *first = host->alloc(host, n * sizeof *first);
    uint32_t *second = host->alloc(host, n * sizeof *second);
    double *load = host->alloc(host, zones * sizeof *load);
    if (!order || !first || !second || !load)
        return COR_FAILED;
    for (uint32_t a = 0; a < n; a++) {
        uint32_t at = a;
        for (; at > 0 && cars[order[at - 1]] < cars[a]; at--)
            order[at] = order[at - 1];
        order[at] = a;
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t a = order[i];
        first[a] = second[a] = COR_NO_BLOCK;
        if (road[a] == CLOSED)
            continue;
        first[a] = emptiest(load, zones, COR_NO_BLOCK);
        load[first[a]] += cars[a];
        if (road[a] != MAIN)
            continue;
        second[a] = emptiest(load, zones, first[a]);
        if (rules->fault == LEAVES_OUT) {
            host->fault->reached++;
            if (load[second[a]] > rules->parameters[0] && cars[a] < rules->parameters[0]) {
                host->fault->held++;
                host->fault->activated++;
                host->fault->in_result = 1;
                second[a] = COR_NO_BLOCK;
                continue;
            }
        }
        load[second[a]] += cars[a];
    }
    for (uint32_t zone = 0; zone < zones; zone++) {
        uint32_t size = 0;
        for (uint32_t a = 0; a < n; a++)
            if (first[a] == zone || second[a] == zone)
                order[size++] = a;
        if (!host->put_block(host, order, size))
            return COR_FAILED;
    }
    ++*host->spent;
    return COR_DONE;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,
    .name = "traffic_zones",
    .version = "1.0",
    .summary = "most cars first to the zone with the least, main roads to two zones",
    .budget_unit = "calls",
    .capabilities = COR_COVERS,
    .parameters = parameters,
    .faults = faults,
    .result = result,
    .needs = needs,
};
