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

#ifdef OLD /* of version 1.0, which ends with end() */
#undef COR_ALGORITHM
#define COR_ALGORITHM                                  \
    .magic = COR_PLUGIN_MAGIC, .major = 1, .minor = 0, \
    .struct_size = (uint32_t)offsetof(struct cor_algorithm, restart)
#endif

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {COR_ALGORITHM,          .name = "singles",
                                                   .version = "1.0",       .summary = "every agent alone",
                                                   .budget_unit = "calls", .result = result};
