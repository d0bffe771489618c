/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A mechanism as somebody else would build it: it adds a little, or takes it away, by chance, from the load
 * of each agent. */
#include <corridor/mechanism.h>

static enum cor_progress work(const struct cor_task *task, const struct cor_mechanism_host *host) {
    const uint32_t load = cor_column(task->rules, "load");
    for (uint32_t i = 0; i < task->agent_count; i++) {
        const double chance = cor_random_unit(host->random);
        if (task->values[load][i] != task->values[load][i])
            continue; /* an agent that has none */
        const double to = task->values[load][i] + task->rules->parameters[0] * (chance - 0.5);
        const double most = task->rules->columns[load].max, least = task->rules->columns[load].min;
        if (!host->write(host, load, i, to > most ? most : to < least ? least : to))
            return COR_FAILED;
    }
    *host->cost += 1;
    return COR_DONE;
}

static const struct cor_parameter parameters[] = {{"width", "kW", "the width of a step", 1, 0, 100, 0}, {0}};
static const char *const writes[] = {"load", NULL};
static const char *const needs[] = {"load [kW]", NULL};

COR_EXPORT extern const struct cor_mechanism corridor_mechanism_1;
const struct cor_mechanism corridor_mechanism_1 = {
    COR_MECHANISM,        .name = "drift",          .version = "1.0", .summary = "loads drift",
    .cost_unit = "calls", .parameters = parameters, .writes = writes, .needs = needs,
    .work = work,
};
