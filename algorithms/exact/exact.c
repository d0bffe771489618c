/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * exact: the best partitioning there is within the limits, by dynamic programming over subsets with the
 * number of blocks (Yeh 1986; Rothkopf, Pekec, Harstad 1998): the best way to cut S into j blocks is, for
 * some block T that holds the lowest agent of S, T and the best way to cut S less T into j - 1. O(k 3^n), so
 * up to 18 agents. Objectives that are no sum, mean or maximum over blocks: by going through all
 * partitionings, up to 12 agents. What other algorithms reach can be held against it. */
#include <corridor/feasible.h>
#include <corridor/objective.h>

#include <math.h>

#define AGENTS_MAX 18
#define LISTED_MAX 12 /* agents whose partitionings are gone through: 4 million of them */

enum parameter { MEASURE, PARAMETERS };
enum counter { PARTITIONS, COUNTERS };

/* What is least: sums decompose over blocks for a given number of them, and so do maxima. A range does not.
 */
enum measure { RMS, MAX_DEVIATION, RANGE };

/* How the cost of blocks makes that of all. */
enum joint { ADDED, AVERAGED, HIGHEST };

static const struct cor_parameter parameters[] = {
    [MEASURE] = {"measure", "1", "what is least: 0 rms, 1 max_deviation, 2 range (up to 12 agents)", RMS, RMS,
                 RANGE, 1},
    {0}};

static const struct cor_counter counters[] = {
    [PARTITIONS] = {"partitions", "an optimum was found, by its number of partitions", AGENTS_MAX + 1}, {0}};

/* Sets of agents are bits. `best` has rows of `row` numbers of blocks; INFINITY: no such way. */
struct table {
    uint32_t agent_count, size_min, size_max, count_low, count_high, row;
    enum joint joint;
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
    if (table->joint != HIGHEST)
        return block + rest;
    return block > rest ? block : rest;
}

static int is_block(const struct table *table, uint32_t set) {
    uint32_t size = size_of(set);
    return size >= table->size_min && size <= table->size_max;
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
        double least = table->joint == AVERAGED ? best[count] / count : best[count];
        if ((table->joint == AVERAGED ? best[j] / j : best[j]) < least)
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

static int make_room(struct table *table, const struct cor_host *host) {
    size_t sets = (size_t)1 << table->agent_count;
    table->cost = host->alloc(host, sets * sizeof *table->cost);
    table->best = host->alloc(host, sets * table->row * sizeof *table->best);
    return table->cost && table->best;
}

/* Some partitioning within the limits. What is unknown is worse than any number, so where the objective is
 * not known of any of them, each is as good as the best. */
static enum cor_progress put_any(const struct table *table, const struct cor_host *host) {
    const uint32_t least = table->size_min > 0 ? table->size_min : 1, room = table->size_max - least;
    uint32_t left = (UINT32_C(1) << table->agent_count) - 1,
             spare = table->agent_count - table->count_low * least;
    cor_count(host, PARTITIONS, table->count_low);
    for (uint32_t b = 0; b < table->count_low; b++) {
        const uint32_t more = spare < room ? spare : room;
        uint32_t block = 0;
        spare -= more;
        for (uint32_t i = 0; i < least + more; i++) {
            block |= lowest_of(left);
            left ^= lowest_of(left);
        }
        if (!put_set(block, host))
            return COR_FAILED;
    }
    ++*host->spent;
    return COR_DONE;
}

/* The optimum, once blocks have their costs; `trouble`: what it means if it is no number, NULL: that all are
 * equal. */
static enum cor_progress find(struct table *table, const char *trouble, const struct cor_host *host) {
    /* Blocks go by their lowest agent, so what is left of the first on never holds agent 0. */
    uint32_t all = (UINT32_C(1) << table->agent_count) - 1;
    for (uint32_t j = 0; j < table->row; j++)
        table->best[j] = j > 0 ? INFINITY : table->joint == HIGHEST ? -INFINITY : 0;
    for (uint32_t set = 2; set < all; set += 2)
        cut(table, set);
    cut(table, all);
    uint32_t count = best_count(table), left = all;
    if (!(table->best[(size_t)left * table->row + count] < INFINITY)) {
        if (!trouble)
            return put_any(table, host);
        host->complain(host, trouble);
        return COR_FAILED;
    }
    cor_count(host, PARTITIONS, count);
    for (uint32_t j = count; j > 0; j--) {
        uint32_t block = first_block(table, left, j);
        if (!put_set(block, host))
            return COR_FAILED;
        left ^= block;
    }
    ++*host->spent;
    return COR_DONE;
}

/* All partitionings within the limits, one after another, and the best so far. */
struct search {
    const struct table *table;
    struct cor_objective_work *work;
    uint32_t chosen[AGENTS_MAX], best[AGENTS_MAX], best_count; /* blocks, as sets; 0: none */
    double least;
};

/* Blocks that hold the lowest agent of what is left, one after another. */
static void go_on(struct search *search, uint32_t left, uint32_t count) {
    const struct table *table = search->table;
    if (left == 0) {
        if (count < table->count_low)
            return;
        double total = cor_objective_total(search->work, search->chosen, count);
        if (isnan(total) || !(search->best_count == 0 || total < search->least))
            return;
        search->least = total;
        search->best_count = count;
        for (uint32_t b = 0; b < count; b++)
            search->best[b] = search->chosen[b];
        return;
    }
    if (count == table->count_high)
        return;
    uint32_t low = lowest_of(left), others = left ^ low;
    for (uint32_t taken = others;; taken = (taken - 1) & others) {
        search->chosen[count] = taken | low;
        if (is_block(table, taken | low))
            go_on(search, left ^ (taken | low), count + 1);
        if (taken == 0)
            return;
    }
}

/* Measures every set as a block. */
static int measure_sets(const struct table *table, const struct cor_task *task, const struct cor_host *host,
                        struct cor_objective_work *work) {
    uint32_t sets = UINT32_C(1) << table->agent_count, members[AGENTS_MAX];
    void *memory = host->alloc(host, cor_objective_bytes(task->objective, sets, AGENTS_MAX));
    if (!memory)
        return 0;
    cor_objective_begin(work, task, sets, AGENTS_MAX, memory);
    for (uint32_t set = 1; set < sets; set++) {
        uint32_t count = 0;
        for (uint32_t left = set; left != 0; left ^= lowest_of(left))
            members[count++] = (uint32_t)__builtin_ctz(left);
        if (is_block(table, set))
            cor_objective_measure(work, set, members, count);
    }
    return 1;
}

/* max(o in organizations: mean(o)) - min(o in organizations: mean(o)), of the value. */
static const struct cor_objective_step range_steps[] = {
    {COR_OBJECTIVE_SUM, 1, 0, 0, 0, COR_OBJECTIVE_NO_FILTER, 0},
    {COR_OBJECTIVE_COUNT, 1, 0, 0, 0, COR_OBJECTIVE_NO_FILTER, 0},
    {COR_OBJECTIVE_DIVIDE, 1, 0, 1, 0, COR_OBJECTIVE_NO_FILTER, 0},
    {COR_OBJECTIVE_GREATEST_OF, 0, COR_NO_BLOCK, 2, 0, COR_OBJECTIVE_NO_FILTER, 0},
    {COR_OBJECTIVE_LEAST_OF, 0, COR_NO_BLOCK, 2, 0, COR_OBJECTIVE_NO_FILTER, 0},
    {COR_OBJECTIVE_SUBTRACT, 0, 3, 4, 0, COR_OBJECTIVE_NO_FILTER, 0}};
static const struct cor_objective range = {sizeof range_steps / sizeof *range_steps, 0, range_steps, NULL};

/* The optimum of the task's objective. */
static enum cor_progress find_objective(struct table *table, const struct cor_task *task,
                                        const struct cor_host *host) {
    struct cor_objective_work work;
    if (!measure_sets(table, task, host, &work))
        return COR_FAILED;
    enum cor_objective_form form = cor_objective_form(&work);
    if (form == COR_OBJECTIVE_ANY && table->agent_count > LISTED_MAX) {
        host->complain(host, "too many agents: the optimum of what is no sum, mean or maximum "
                             "over partitions is found for up to 12");
        return COR_FAILED;
    }
    if (form == COR_OBJECTIVE_ANY) {
        struct search search = {.table = table, .work = &work};
        go_on(&search, (UINT32_C(1) << table->agent_count) - 1, 0);
        if (search.best_count == 0)
            return put_any(table, host);
        cor_count(host, PARTITIONS, search.best_count);
        for (uint32_t b = 0; b < search.best_count; b++)
            if (!put_set(search.best[b], host))
                return COR_FAILED;
        ++*host->spent;
        return COR_DONE;
    }
    table->joint = form == COR_OBJECTIVE_ADDED ? ADDED : form == COR_OBJECTIVE_AVERAGED ? AVERAGED : HIGHEST;
    if (!make_room(table, host))
        return COR_FAILED;
    for (uint32_t set = 1; set < UINT32_C(1) << table->agent_count; set++) {
        double part = is_block(table, set) ? cor_objective_part(&work, set) : INFINITY;
        table->cost[set] = isnan(part) ? INFINITY : part;
    }
    return find(table, NULL, host);
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    const struct cor_rules *rules = task->rules;
    const enum measure measure = (enum measure)rules->parameters[MEASURE];
    struct table table = {.agent_count = task->agent_count,
                          .size_min = rules->size_min,
                          .size_max = rules->size_max,
                          .joint = measure == RMS ? AVERAGED : HIGHEST};
    if (table.agent_count > AGENTS_MAX) {
        host->complain(host, "too many agents: an exact optimum is found for up to 18");
        return COR_FAILED;
    }
    if (!cor_feasible_counts(rules, table.agent_count, &table.count_low, &table.count_high)) {
        host->complain(host, "no partitioning keeps the limits on size and number of blocks");
        return COR_FAILED;
    }
    table.row = table.count_high + 1;
    struct cor_task ranged = *task;
    ranged.objective = task->objective ? task->objective : &range;
    if (task->objective || measure == RANGE)
        return find_objective(&table, &ranged, host);
    if (!make_room(&table, host))
        return COR_FAILED;
    /* (block mean - mean of all)^2, or its root, of every set, INFINITY where the limits allow no such block.
     * Values less the mean of all keep their digits. */
    double sum = 0;
    for (uint32_t i = 0; i < table.agent_count; i++)
        sum += task->values[0][i];
    double centre = sum / table.agent_count;
    uint32_t sets = UINT32_C(1) << table.agent_count;
    table.cost[0] = 0;
    for (uint32_t set = 1; set < sets; set++) {
        uint32_t low = lowest_of(set);
        table.cost[set] = table.cost[set ^ low] + (task->values[0][__builtin_ctz(set)] - centre);
    }
    for (uint32_t set = 1; set < sets; set++) {
        double deviation = fabs(table.cost[set] / size_of(set));
        double cost = measure == RMS ? deviation * deviation : deviation;
        table.cost[set] = is_block(&table, set) ? cost : INFINITY;
    }
    return find(&table, "no optimum: the squares of the values are no finite numbers", host);
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,
    .name = "exact",
    .version = "1.0",
    .summary = "the best partitioning within the limits, by dynamic programming; up to 18 agents",
    .budget_unit = "calls",
    .capabilities = COR_LIMITS | COR_AIMS | COR_COMES_AND_GOES,
    .parameters = parameters,
    .counters = counters,
    .result = result,
};
