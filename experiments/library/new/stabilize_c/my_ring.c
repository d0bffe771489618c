/* SPDX-License-Identifier: MIT
 *
 * Dijkstra's first ring (CACM 17(11), 1974): the privilege goes round, and from any values it becomes one. There are
 * no messages: a process reads its neighbours' variables. */
#include <corridor/process.h>

static const struct cor_process_name faults[] = {{"few", "two values less than there are processes"}};
static const struct cor_process_name variables[] = {{"x", "who differs from its left neighbour may move"}};

/* What may hold anything: each variable with its values, 0 .. domain - 1. */
static uint32_t domain(const struct cor_process_host *host, uint32_t variable) {
    (void)variable;
    return host->fault == 1 ? host->count - 2 : host->count;
}

static uint32_t reads(const struct cor_process_host *host, uint32_t *processes) {
    processes[0] = (host->self + host->count - 1) % host->count;
    return 1;
}

/* From its own variables, views[0], and those of its left neighbour: how many rows may come next; 0: nothing is to
 * do. */
static uint32_t rule(const struct cor_process_host *host, const uint32_t *const *views, uint32_t *next) {
    const uint32_t own = views[0][0], left = views[1][0];
    next[0] = host->self == 0 ? (own + 1) % domain(host, 0) : left;
    return host->self == 0 ? own == left : own != left;
}

COR_EXPORT const struct cor_process corridor_process_1;
const struct cor_process corridor_process_1 = {
    COR_PROCESS,
    .name = "my_ring",
    .version = "1",
    .faults = faults,
    .fault_count = 1,
    .variables = variables,
    .variable_count = 1,
    .domain = domain,
    .reads = reads,
    .rule = rule,
};
