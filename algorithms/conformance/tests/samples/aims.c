/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples for the kit that go with objectives: of some ways of dealing the agents over the present partitions
 * they put the one that costs least, and each does one thing that it must not. */
#include <corridor/plugin.h>

#include <math.h>

enum {
    HONEST,
    AIMS_AT_NOTHING,
    AIMS_BACKWARDS,
    AIMS_AT_THE_MEASURE,
    FAILS_WITHOUT_A_NUMBER,
    READS_STEPS_BEYOND
};

enum { WAYS = 40 };

/* Agents are swapped: a way of its own for each number. */
static void deal(const struct cor_task *task, uint32_t way, uint32_t *members) {
    const uint32_t n = task->agent_count;
    uint64_t state = way * UINT64_C(0x9E3779B97F4A7C15) + 1;
    for (uint32_t i = 0; i < n; i++)
        members[i] = task->members[i];
    for (uint32_t i = n; way > 0 && i > 1; i--) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint32_t other = (uint32_t)((state >> 33) % i), kept = members[i - 1];
        members[i - 1] = members[other];
        members[other] = kept;
    }
}

/* The range of the means: what the experiment would make small. */
static double range_of(const struct cor_task *task, const uint32_t *members) {
    double low = INFINITY, high = -INFINITY;
    for (uint32_t b = 0; b < task->block_count; b++) {
        const uint32_t start = task->block_start[b], end = task->block_start[b + 1];
        double sum = 0;
        for (uint32_t m = start; m < end; m++)
            sum += task->values[0][members[m]];
        low = fmin(low, sum / (end - start));
        high = fmax(high, sum / (end - start));
    }
    return high - low;
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    uint32_t *members = host->alloc(host, task->agent_count * sizeof *members), best = 0;
    double least = INFINITY, sum = 0;
    if (!members)
        return COR_FAILED;
    for (uint32_t way = 0; way < WAYS && MISDEED != AIMS_AT_NOTHING; way++) {
        deal(task, way, members);
        double cost = host->cost(host, task->block_count, task->block_start, members);
        if (MISDEED == FAILS_WITHOUT_A_NUMBER && isnan(cost) && task->objective)
            return COR_FAILED;
        if (MISDEED == AIMS_AT_THE_MEASURE)
            cost = range_of(task, members);
        if (MISDEED == AIMS_BACKWARDS)
            cost = -cost;
        if (cost < least) {
            least = cost;
            best = way;
        }
    }
    for (uint32_t s = 0; MISDEED == READS_STEPS_BEYOND && task->objective && s <= task->objective->step_count;
         s++)
        sum += ((const volatile struct cor_objective_step *)task->objective->steps)[s].constant;
    deal(task, MISDEED == AIMS_AT_NOTHING ? 7 : best, members);
    for (uint32_t b = 0; b < task->block_count; b++)
        if (!host->put_block(host, members + task->block_start[b],
                             task->block_start[b + 1] - task->block_start[b]))
            return COR_FAILED;
    *host->spent += sum < 0 ? 2 : 1;
    return COR_DONE;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,          .name = "aims",
    .version = "1.0",       .summary = "the cheapest of some ways of dealing",
    .budget_unit = "calls", .capabilities = COR_AIMS,
    .result = result,
};
