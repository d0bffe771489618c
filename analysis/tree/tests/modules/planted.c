/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Algorithms with a fault whose cause lies in the environment: they leave the structure as it is, but forget
 * an agent when a value is what it can be in one state of the environment only - that of some agent, or, with
 * FIRST, that of agent 0. */
#include <corridor/plugin.h>

#include <stdbool.h>

#define STORM 0.95 /* levels of the other states stay below */

static bool struck(const struct cor_task *task) {
#ifdef FIRST
    return task->values[0][0] >= STORM;
#else
    for (uint32_t i = 0; i < task->agent_count; i++)
        if (task->values[0][i] >= STORM)
            return true;
    return false;
#endif
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    for (uint32_t b = 0; b < task->block_count; b++) {
        uint32_t size = task->block_start[b + 1] - task->block_start[b];
        if (b == 0 && struck(task))
            size--;
        if (!host->put_block(host, task->members + task->block_start[b], size))
            return COR_FAILED;
    }
    return COR_DONE;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,          .name = NAME,     .version = "1", .summary = "a planted fault, for tests",
    .budget_unit = "calls", .result = result,
};
