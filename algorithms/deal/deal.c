/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * deal: the agents, highest value first, are dealt back and forth into the present number of blocks (1 2 3 3
 * 2 1 1 2 ...). O(n log n), no draw, no limits kept: a fixed baseline whose result depends on the values and
 * the block count alone. */
#include <corridor/plugin.h>

/* Merges the sorted runs [low, middle) and [middle, high) of `from` into `to`. An agent of the left run goes
 * first unless the other is strictly higher: with agents in ascending order at the start, ties stay in order
 * of index. */
static void merge(const double *values, const uint32_t *from, uint32_t *to, uint32_t low, uint32_t middle,
                  uint32_t high) {
    uint32_t left = low, right = middle;
    for (uint32_t at = low; at < high; at++) {
        if (left < middle && (right == high || !(values[from[right]] > values[from[left]])))
            to[at] = from[left++];
        else
            to[at] = from[right++];
    }
}

/* Agents by descending value; returns one of the two arrays, which hold `count` items each. */
static uint32_t *sort_by_value(const double *values, uint32_t *agents, uint32_t *other, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        agents[i] = i;
    for (uint64_t width = 1; width < count; width *= 2) {
        for (uint64_t low = 0; low < count; low += 2 * width) {
            uint64_t middle = low + width < count ? low + width : count;
            uint64_t high = low + 2 * width < count ? low + 2 * width : count;
            merge(values, agents, other, (uint32_t)low, (uint32_t)middle, (uint32_t)high);
        }
        uint32_t *sorted = other;
        other = agents;
        agents = sorted;
    }
    return agents;
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    uint32_t n = task->agent_count, k = task->block_count;
    uint32_t *agents = host->alloc(host, (n + (size_t)1) * sizeof *agents);
    uint32_t *other = host->alloc(host, (n + (size_t)1) * sizeof *other);
    if (!agents || !other)
        return COR_FAILED;
    const uint32_t *order = sort_by_value(task->values[0], agents, other, n);
    uint32_t *block = order == agents ? other : agents;
    for (uint32_t b = 0; b < k; b++) {
        uint32_t size = 0;
        int backwards = 0;
        for (uint64_t first = 0; first < n; first += k, backwards = !backwards) {
            uint64_t turn = first + (backwards ? k - 1 - b : b);
            if (turn < n)
                block[size++] = order[turn];
        }
        if (size > 0 && !host->put_block(host, block, size))
            return COR_FAILED;
    }
    ++*host->spent;
    return COR_DONE;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,
    .name = "deal",
    .version = "1.0",
    .summary = "highest first, dealt back and forth into the present number of blocks",
    .budget_unit = "calls",
    .result = result,
};
