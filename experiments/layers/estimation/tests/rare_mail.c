/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fails with a probability that is known exactly: when as many messages of a reorganization came as the
 * parameter says, 0: none, or 9: whatever came. Each agent sends one, to the other of two. Else it leaves the
 * structure as it is. */
#include <corridor/plugin.h>

struct agent {
    uint32_t heard, has_sent;
};

static enum cor_progress begin(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)host;
    *(uint32_t *)state = task->agent_count;
    return COR_CONTINUE;
}

static enum cor_progress wake(const struct cor_agent *me, const struct cor_rules *rules,
                              const struct cor_host *host) {
    struct agent *self = me->state;
    (void)rules;
    if (!self->has_sent)
        host->send(host, me->id ^ 1, 1, NULL, 0);
    self->has_sent = 1;
    return COR_DONE;
}

static enum cor_progress receive(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host, const struct cor_message *message) {
    (void)rules;
    (void)host;
    (void)message;
    ((struct agent *)me->state)->heard++;
    return COR_DONE;
}

static enum cor_progress restart(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host) {
    (void)me;
    (void)rules;
    (void)host;
    return COR_DONE;
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    uint32_t heard = 0;
    for (uint32_t i = 0; i < *(uint32_t *)state; i++)
        heard += ((const struct agent *)host->agent(host, i)->state)->heard;
    const double wanted = task->rules->parameters[0];
    const int fails = (double)heard == wanted || wanted == 9;
    for (uint32_t b = fails ? 1 : 0; b < task->block_count; b++)
        if (!host->put_block(host, task->members + task->block_start[b],
                             task->block_start[b + 1] - task->block_start[b]))
            return COR_FAILED;
    return COR_DONE;
}

static const struct cor_parameter parameters[] = {
    {"heard", "messages", "with which it fails; 9 = any", 0, 0, 9, 1}, {0}};

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,
    .name = "rare_mail",
    .version = "1",
    .summary = "fails as rarely as is known",
    .budget_unit = "rounds",
    .parameters = parameters,
    .state_size = sizeof(uint32_t),
    .agent_size = sizeof(struct agent),
    .begin = begin,
    .wake = wake,
    .receive = receive,
    .restart = restart,
    .result = result,
};
