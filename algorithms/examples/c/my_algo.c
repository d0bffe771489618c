/* SPDX-License-Identifier: CC0-1.0
 *
 * my_algo: an algorithm under test for Corridor, as a module. It includes one header and links nothing; the header
 * is the manual. */
#include <corridor/plugin.h>

enum { EXTRA }; /* the parameters, in the order of the list below */
enum { FORGET = 1 }; /* the faults: 0 is none */

/* Agents by descending value; equal ones by their number. */
static void sort_agents(const double *values, uint32_t *order, uint32_t count) {
    for (uint32_t agent = 0; agent < count; agent++) {
        uint32_t at = agent;
        for (; at > 0 && values[order[at - 1]] < values[agent]; at--)
            order[at] = order[at - 1];
        order[at] = agent;
    }
}

/* One reorganization, a function of the task alone: no clock, and random numbers only from host->random[..]. */
static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state; /* there is none: state_size is 0 */
    const struct cor_rules *rules = task->rules;
    uint32_t n = task->agent_count, dealt = n, count = task->block_count + (uint32_t)rules->parameters[EXTRA];
    uint32_t *order = host->alloc(host, n * sizeof *order); /* released by the host */
    uint32_t *block = host->alloc(host, n * sizeof *block);
    if (!order || !block)
        return COR_FAILED;
    if (count > n)
        count = n;
    sort_agents(task->values[0], order, n); /* column 0 is what the invariant measures */
    if (rules->fault == FORGET) {
        host->fault->reached++, host->fault->held++, host->fault->activated++, host->fault->in_result = 1;
        dealt--;
    }
    for (uint32_t b = 0; b < count; b++) { /* 0 1 2 2 1 0 0 1 2 ... */
        uint32_t size = 0;
        for (uint32_t turn = 0; turn < dealt; turn++) {
            uint32_t place = turn % (2 * count);
            if (place == b || place == 2 * count - 1 - b)
                block[size++] = order[turn];
        }
        if (size > 0)
            host->put_block(host, block, size);
    }
    ++*host->spent;
    return COR_DONE;
}

/* Parameters are set or drawn by the experiment; a fault is a change of the algorithm that is chosen by name, to see
 * whether the tests find it. */
static const struct cor_parameter parameters[] = {
    {"extra", "partitions", "so many partitions more than there are", 0, 0, 100, 1}, {0}};
static const struct cor_fault faults[] = {{"forget", "the agent of the least value is forgotten"}, {0}};

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,
    .name = "my_algo",
    .version = "1.0",
    .summary = "highest first, dealt back and forth into the present number of partitions",
    .budget_unit = "calls",
    .parameters = parameters,
    .faults = faults,
    .result = result,
};
