/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A module that can be used: one block for each agent. */
#include <corridor/plugin.h>

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    for (uint32_t i = 0; i < task->agent_count; i++)
        host->put_block(host, &i, 1);
    *host->spent = 1;
    return COR_DONE;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {COR_ALGORITHM,          .name = "singles",
                                                   .version = "1.0",       .summary = "every agent alone",
                                                   .budget_unit = "calls", .result = result};
