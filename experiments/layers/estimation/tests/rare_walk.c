/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fails with a probability that is known exactly: when, for the `streak`-th reorganization in a row, the
 * first of two agents has a high value and the second a low one, and the parameters a and b are both 1. The
 * probe tells how long the row is. Else it leaves the structure as it is. */
#include <corridor/plugin.h>

#include <string.h>

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    const double *values = task->values[0], *p = task->rules->parameters;
    uint32_t count = 0;
    (void)state;
    if (task->kept_size == sizeof count)
        memcpy(&count, task->kept, sizeof count);
    count = values[0] > 0.8 && values[1] < 0.2 ? count + 1 : 0;
    if (!host->keep(host, &count, sizeof count))
        return COR_FAILED;
    cor_count(host, 0, count < 9 ? count : 9);
    const int fails = count >= p[0] && p[1] <= 1 && p[2] <= 1;
    for (uint32_t b = fails ? 1 : 0; b < task->block_count; b++)
        if (!host->put_block(host, task->members + task->block_start[b],
                             task->block_start[b + 1] - task->block_start[b]))
            return COR_FAILED;
    return COR_DONE;
}

static const struct cor_parameter parameters[] = {
    {"streak", "reorganizations", "in a row, with which it fails; 0 = any", 1, 0, 9, 1},
    {"a", "1", "fails with 1 alone", 1, 1, 1000000, 1},
    {"b", "1", "fails with 1 alone", 1, 1, 1000000, 1},
    {"idle", "1", "read by nobody: a region that speaks of it cannot be counted out", 0, 0, 1, 0},
    {0}};
static const struct cor_counter counters[] = {{"row", "reorganizations in a row", 10}, {0}};

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,
    .name = "rare_walk",
    .version = "1",
    .summary = "fails as rarely as is known",
    .budget_unit = "calls",
    .capabilities = COR_KEEPS,
    .parameters = parameters,
    .counters = counters,
    .result = result,
};
