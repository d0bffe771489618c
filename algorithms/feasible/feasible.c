/* SPDX-License-Identifier: MIT
 *
 * Random feasible partitionings. */
#include <corridor/feasible.h>

static uint32_t at_least_one(uint32_t value) {
    return value > 0 ? value : 1;
}

static uint32_t smaller(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* k blocks hold between k * size_min and k * size_max agents, and every number between: so k is feasible
 * exactly if agent_count lies there. */
int cor_feasible_counts(const struct cor_rules *rules, uint32_t agent_count, uint32_t *count_low,
                        uint32_t *count_high) {
    if (agent_count == 0 || rules->size_max == 0)
        return 0;
    uint32_t fewest = (agent_count - 1) / rules->size_max + 1;
    uint32_t most = agent_count / at_least_one(rules->size_min);
    uint32_t low = fewest > rules->count_min ? fewest : at_least_one(rules->count_min);
    uint32_t high = smaller(most, rules->count_max);
    if (low > high || rules->size_min > rules->size_max)
        return 0;
    *count_low = low;
    *count_high = high;
    return 1;
}

int cor_feasible_keeps(const struct cor_rules *rules, uint32_t block_count, const uint32_t *block_start) {
    if (block_count < rules->count_min || block_count > rules->count_max)
        return 0;
    for (uint32_t b = 0; b < block_count; b++) {
        uint32_t size = block_start[b + 1] - block_start[b];
        if (size < at_least_one(rules->size_min) || size > rules->size_max)
            return 0;
    }
    return 1;
}

/* Adds `surplus` to the sizes one by one, each to a block drawn from those below their cap. caps == NULL: all
 * caps are `cap`. The caps leave room enough. `open` is scratch for the blocks below their cap. */
static void throw_balls(uint32_t *sizes, uint32_t count, uint32_t surplus, const uint32_t *caps, uint32_t cap,
                        uint32_t *open, struct cor_random *random) {
    uint32_t open_count = 0;
    for (uint32_t b = 0; b < count; b++)
        if (sizes[b] < (caps ? caps[b] : cap))
            open[open_count++] = b;
    while (surplus-- > 0) {
        uint32_t place = cor_random_below(random, open_count);
        uint32_t block = open[place];
        if (++sizes[block] == (caps ? caps[block] : cap))
            open[place] = open[--open_count];
    }
}

int cor_feasible_draw(const struct cor_rules *rules, uint32_t agent_count, enum cor_size_rule size_rule,
                      struct cor_random *random, struct cor_feasible_partitioning *partitioning) {
    uint32_t low, high;
    if (!cor_feasible_counts(rules, agent_count, &low, &high))
        return 0;
    uint32_t count = low + cor_random_below(random, high - low + 1);
    uint32_t size_min = at_least_one(rules->size_min), size_max = smaller(rules->size_max, agent_count);
    uint32_t *sizes = partitioning->block_start + 1;
    uint32_t *caps = partitioning->scratch, *open = partitioning->scratch + agent_count;
    if (size_rule == COR_SIZES_SKEWED) {
        /* A cap for every block, uniform in size_min .. size_max; raised at random until they leave room for
         * all agents. */
        uint64_t room = 0;
        for (uint32_t b = 0; b < count; b++) {
            caps[b] = size_min + cor_random_below(random, size_max - size_min + 1);
            room += caps[b];
        }
        if (room < agent_count)
            throw_balls(caps, count, (uint32_t)(agent_count - room), NULL, size_max, open, random);
    }
    for (uint32_t b = 0; b < count; b++)
        sizes[b] = size_min;
    throw_balls(sizes, count, agent_count - count * size_min, size_rule == COR_SIZES_SKEWED ? caps : NULL,
                size_max, open, random);
    /* The agents in random order (Fisher-Yates, inside out). */
    for (uint32_t i = 0; i < agent_count; i++) {
        uint32_t place = cor_random_below(random, i + 1);
        partitioning->members[i] = partitioning->members[place];
        partitioning->members[place] = i;
    }
    partitioning->block_count = count;
    partitioning->block_start[0] = 0;
    for (uint32_t b = 0; b < count; b++)
        sizes[b] += partitioning->block_start[b]; /* sizes become starts: sizes[b] is block_start[b + 1] */
    return 1;
}

uint32_t cor_feasible_count(const struct cor_rules *rules, uint32_t agent_count, uint32_t wanted) {
    uint32_t low, high;
    if (!cor_feasible_counts(rules, agent_count, &low, &high))
        return 0;
    wanted = wanted < low ? low : wanted;
    return wanted > high ? high : wanted;
}

/* Sifts the agent at `at` down in the heap of those with the lowest values on top. */
static void sift(const double *values, uint32_t *heap, uint32_t at, uint32_t count) {
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && values[heap[child + 1]] < values[heap[child]])
            child++;
        if (values[heap[at]] <= values[heap[child]])
            return;
        const uint32_t agent = heap[at];
        heap[at] = heap[child];
        heap[child] = agent;
    }
}

void cor_feasible_order(const double *values, uint32_t *order, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t i = count / 2; i-- > 0;)
        sift(values, order, i, count);
    for (uint32_t left = count; left > 1;) {
        const uint32_t lowest = order[0];
        order[0] = order[--left];
        order[left] = lowest;
        sift(values, order, 0, left);
    }
}
