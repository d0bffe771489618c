/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Guests that searches are measured on. Each returns the structure as it found it, and says by a probe how
 * many agents are at an extreme of their weather. The fault "rare" forgets an agent when EXTREME of them are,
 * a conjunction of rare states of several chains. With NOISE its probes say nothing: they count buckets at
 * random, so that nearly every test looks new. */
#include <corridor/plugin.h>

#define EXTREME 8
#define BUCKETS 64

static const struct cor_counter counters[] = {{"extreme", "agents at an extreme, by their number", BUCKETS},
                                              {0}};
static const struct cor_fault faults[] = {{"rare", "forgets an agent when eight agents are at an extreme"},
                                          {0}};

/* Levels of storm and flood in experiments/layers/search/tests/study/weather.json. */
static int is_extreme(double value) {
    return value < 0.35;
}

static uint32_t count_extremes(const struct cor_task *task) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < task->agent_count; i++)
        count += is_extreme(task->values[0][i]) ? 1 : 0;
    return count < BUCKETS ? count : BUCKETS - 1;
}

static void probe(const struct cor_task *task, const struct cor_host *host) {
#ifdef NOISE
    (void)task;
    for (uint32_t i = 0; i < BUCKETS; i++)
        cor_count(host, 0, cor_random_below(host->random[COR_STREAM_ALGORITHM], BUCKETS));
#else
    cor_count(host, 0, count_extremes(task));
#endif
}

/* Whether the fault strikes now. */
static int strikes(const struct cor_task *task, const struct cor_host *host) {
    if (task->rules->fault == 0)
        return 0;
    const uint32_t extremes = count_extremes(task);
    host->fault->reached++;
    host->fault->held += extremes * 2 >= EXTREME ? 1 : 0;
    host->fault->activated += extremes >= EXTREME ? 1 : 0;
    host->fault->in_result = extremes >= EXTREME ? 1 : 0;
    return extremes >= EXTREME;
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    probe(task, host);
    const uint32_t forgotten = strikes(task, host) ? 1 : 0;
    for (uint32_t b = 0; b < task->block_count; b++) {
        const uint32_t size = task->block_start[b + 1] - task->block_start[b];
        const uint32_t left = b == 0 ? forgotten : 0;
        if (size > left && !host->put_block(host, task->members + task->block_start[b] + left, size - left))
            return COR_FAILED;
    }
    ++*host->spent;
    return COR_DONE;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,          .name = NAME,
    .version = "1",         .summary = "a guest that searches are measured on",
    .budget_unit = "calls", .counters = counters,
    .faults = faults,       .result = result,
};
