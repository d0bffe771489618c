/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * random: a fresh random partitioning within the limits, whatever the present structure and the values are.
 * The baseline that any algorithm has to beat, and a cheap SOuT for tests of the testbed. */
#include <corridor/feasible.h>

static const struct cor_parameter parameters[] = {{"size_rule", "1", "block sizes: 0 near-balanced, 1 skewed",
                                                   COR_SIZES_BALLS, COR_SIZES_BALLS, COR_SIZES_SKEWED, 1},
                                                  {0}};

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    uint32_t n = task->agent_count;
    struct cor_feasible_partitioning drawn = {
        .block_start = host->alloc(host, (n + (size_t)1) * sizeof(uint32_t)),
        .members = host->alloc(host, (n + (size_t)1) * sizeof(uint32_t)),
        .scratch = host->alloc(host, (2 * (size_t)n + 1) * sizeof(uint32_t)),
    };
    if (!drawn.block_start || !drawn.members || !drawn.scratch)
        return COR_FAILED;
    enum cor_size_rule rule = task->rules->parameters[0] != 0 ? COR_SIZES_SKEWED : COR_SIZES_BALLS;
    if (!cor_feasible_draw(task->rules, n, rule, host->random[COR_STREAM_ALGORITHM], &drawn)) {
        host->complain(host, "no partitioning keeps the limits on size and number of blocks");
        return COR_FAILED;
    }
    for (uint32_t b = 0; b < drawn.block_count; b++) {
        uint32_t size = drawn.block_start[b + 1] - drawn.block_start[b];
        if (!host->put_block(host, drawn.members + drawn.block_start[b], size))
            return COR_FAILED;
    }
    ++*host->spent;
    return COR_DONE;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,
    .name = "random",
    .version = "1.0",
    .summary = "a random partitioning within the limits",
    .budget_unit = "calls",
    .capabilities = COR_LIMITS,
    .parameters = parameters,
    .result = result,
};
