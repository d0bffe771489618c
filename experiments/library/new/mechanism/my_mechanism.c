/* SPDX-License-Identifier: CC0-1.0
 *
 * my_mechanism: draws organizations together. In each case the members of each are shifted, all alike, so that
 * their mean goes `share` of the way to the mean of all agents. It costs what values are moved by. */
#include <corridor/mechanism.h>

enum { SHARE }; /* of the parameters below */

/* Of these agents, or of the first `count` if they are NULL. */
static double mean_of(const double *value, const uint32_t *members, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += value[members ? members[i] : i];
    return sum / count;
}

static enum cor_progress work(const struct cor_task *task, const struct cor_mechanism_host *host) {
    const double *value = task->values[0], share = task->rules->parameters[SHARE];
    const double all = mean_of(value, NULL, task->agent_count);
    const double least = task->rules->columns[0].min, most = task->rules->columns[0].max;
    for (uint32_t block = 0; block < task->block_count; block++) {
        const uint32_t *members = task->members + task->block_start[block];
        const uint32_t count = task->block_start[block + 1] - task->block_start[block];
        const double shift = share * (all - mean_of(value, members, count));
        for (uint32_t i = 0; i < count; i++) {
            const double before = value[members[i]];
            double to = before + shift;
            to = to > most ? most : to < least ? least : to; /* a number out of range is refused */
            if (!host->write(host, 0, members[i], to))
                return COR_FAILED;
            *host->cost += to > before ? to - before : before - to;
        }
    }
    return COR_DONE;
}

static const struct cor_parameter parameters[] = {
    {"share", "1", "of the way to the mean of all, what an organization goes in a case", 0.5, 0, 1, 0}, {0}};
static const char *const writes[] = {"value", NULL}; /* and nothing else */

COR_EXPORT extern const struct cor_mechanism corridor_mechanism_1;
const struct cor_mechanism corridor_mechanism_1 = {
    COR_MECHANISM,
    .name = "my_mechanism",
    .version = "1.0",
    .summary = "draws the means of organizations together",
    .cost_unit = "value",
    .parameters = parameters,
    .writes = writes,
    .work = work,
};
