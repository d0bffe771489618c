/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * exact: the best partitioning there is within the limits, by dynamic programming over subsets with the
 * number of blocks (Yeh 1986; Rothkopf, Pekec, Harstad 1998): the best way to cut S into j blocks is, for
 * some block T that holds the lowest agent of S, T and the best way to cut S less T into j - 1. O(k 3^n), so
 * up to 18 agents. What other algorithms reach can be held against it. */
#include <corridor/feasible.h>

#include <math.h>

#define AGENTS_MAX 18

enum parameter { MEASURE, PARAMETERS };
enum counter { PARTITIONS, COUNTERS };

/* What is least: sums decompose over blocks for a given number of them, and so do maxima. A range does not.
 */
enum measure { RMS, MAX_DEVIATION };

static const struct cor_parameter parameters[] = {
    [MEASURE] = {"measure", "1", "what is least: 0 rms, 1 max_deviation (a range is at most twice that)", RMS,
                 RMS, MAX_DEVIATION, 1},
    {0}};

static const struct cor_counter counters[] = {
    [PARTITIONS] = {"partitions", "an optimum was found, by its number of partitions", AGENTS_MAX + 1}, {0}};

/* Sets of agents are bits. `best` has rows of `row` numbers of blocks; INFINITY: no such way. */
struct table {
    uint32_t agent_count, size_min, size_max, count_low, count_high, row;
    enum measure measure;
    double *cost; /* [set] of a block, INFINITY: too small or too large */
    double *best; /* [set * row + number of blocks] */
};

static uint32_t size_of(uint32_t set) {
    return (uint32_t)__builtin_popcount(set);
}

static uint32_t lowest_of(uint32_t set) {
    return set & (~set + 1);
}

static double both(const struct table *table, double block, double rest) {
    if (table->measure == RMS)
        return block + rest;
    return block > rest ? block : rest;
}

static int is_block(const struct table *table, uint32_t set) {
    uint32_t size = size_of(set);
    return size >= table->size_min && size <= table->size_max;
}

/* (block mean - mean of all)^2, or its root, of every set, INFINITY where the limits allow no such block.
 * Values less the mean of all keep their digits. */
static void price_blocks(struct table *table, const double *values) {
    double sum = 0;
    for (uint32_t i = 0; i < table->agent_count; i++)
        sum += values[i];
    double centre = sum / table->agent_count;
    uint32_t sets = UINT32_C(1) << table->agent_count;
    table->cost[0] = 0;
    for (uint32_t set = 1; set < sets; set++) {
        uint32_t low = lowest_of(set);
        table->cost[set] = table->cost[set ^ low] + (values[__builtin_ctz(set)] - centre);
    }
    for (uint32_t set = 1; set < sets; set++) {
        double deviation = fabs(table->cost[set] / size_of(set));
        double cost = table->measure == RMS ? deviation * deviation : deviation;
        table->cost[set] = is_block(table, set) ? cost : INFINITY;
    }
}

/* The best ways to cut `set`, for each number of blocks. */
static void cut(struct table *table, uint32_t set) {
    uint32_t low = lowest_of(set), others = set ^ low;
    double *best = table->best + (size_t)set * table->row;
    for (uint32_t j = 0; j < table->row; j++)
        best[j] = INFINITY;
    for (uint32_t chosen = others;; chosen = (chosen - 1) & others) {
        uint32_t block = chosen | low;
        const double *rest = table->best + (size_t)(set ^ block) * table->row;
        if (table->cost[block] < INFINITY)
            for (uint32_t j = 1; j < table->row; j++) {
                double cost = both(table, table->cost[block], rest[j - 1]);
                best[j] = cost < best[j] ? cost : best[j];
            }
        if (chosen == 0)
            return;
    }
}

/* The number of blocks of the optimum; the least of equals. */
static uint32_t best_count(const struct table *table) {
    const double *best = table->best + (((size_t)1 << table->agent_count) - 1) * table->row;
    uint32_t count = table->count_low;
    for (uint32_t j = table->count_low; j <= table->count_high; j++) {
        double least = table->measure == RMS ? best[count] / count : best[count];
        if ((table->measure == RMS ? best[j] / j : best[j]) < least)
            count = j;
    }
    return count;
}

/* The first block of the best way to cut `set` into `count` blocks: the one by which its cost came about. */
static uint32_t first_block(const struct table *table, uint32_t set, uint32_t count) {
    uint32_t low = lowest_of(set), others = set ^ low, chosen = others;
    double least = table->best[(size_t)set * table->row + count];
    for (;; chosen = (chosen - 1) & others) {
        uint32_t block = chosen | low;
        double rest = table->best[(size_t)(set ^ block) * table->row + count - 1];
        if (chosen == 0 || both(table, table->cost[block], rest) == least)
            return block;
    }
}

static int put_set(uint32_t set, const struct cor_host *host) {
    uint32_t members[AGENTS_MAX], count = 0;
    for (; set != 0; set ^= lowest_of(set))
        members[count++] = (uint32_t)__builtin_ctz(set);
    return host->put_block(host, members, count);
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    const struct cor_rules *rules = task->rules;
    struct table table = {.agent_count = task->agent_count,
                          .size_min = rules->size_min,
                          .size_max = rules->size_max,
                          .measure = rules->parameters[MEASURE] != 0 ? MAX_DEVIATION : RMS};
    if (table.agent_count > AGENTS_MAX) {
        host->complain(host, "too many agents: an exact optimum is found for up to 18");
        return COR_FAILED;
    }
    if (!cor_feasible_counts(rules, table.agent_count, &table.count_low, &table.count_high)) {
        host->complain(host, "no partitioning keeps the limits on size and number of blocks");
        return COR_FAILED;
    }
    table.row = table.count_high + 1;
    size_t sets = (size_t)1 << table.agent_count;
    table.cost = host->alloc(host, sets * sizeof *table.cost);
    table.best = host->alloc(host, sets * table.row * sizeof *table.best);
    if (!table.cost || !table.best)
        return COR_FAILED;
    price_blocks(&table, task->values[0]);
    /* Blocks go by their lowest agent, so what is left of the first on never holds agent 0. */
    uint32_t all = (UINT32_C(1) << table.agent_count) - 1;
    for (uint32_t j = 0; j < table.row; j++)
        table.best[j] = j == 0 ? 0 : INFINITY;
    for (uint32_t set = 2; set < all; set += 2)
        cut(&table, set);
    cut(&table, all);
    uint32_t count = best_count(&table), left = (UINT32_C(1) << table.agent_count) - 1;
    if (!(table.best[(size_t)left * table.row + count] < INFINITY)) {
        host->complain(host, "no optimum: the squares of the values are no finite numbers");
        return COR_FAILED;
    }
    cor_count(host, PARTITIONS, count);
    for (uint32_t j = count; j > 0; j--) {
        uint32_t block = first_block(&table, left, j);
        if (!put_set(block, host))
            return COR_FAILED;
        left ^= block;
    }
    ++*host->spent;
    return COR_DONE;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,
    .name = "exact",
    .version = "1.0",
    .summary = "the best partitioning within the limits, by dynamic programming; up to 18 agents",
    .budget_unit = "calls",
    .capabilities = COR_LIMITS,
    .parameters = parameters,
    .counters = counters,
    .result = result,
};
