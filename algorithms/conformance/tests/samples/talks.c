/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A decentralised algorithm that keeps to plugin.h, but for one thing: MISDEED. Every agent tells its
 * neighbours a number, and goes to one of two partitions by what it was told. */
#include <corridor/plugin.h>

enum misdeed {
    HONEST,
    READS_VALUES_BEFORE,
    READS_STATE_BEHIND,
    KEEPS_THE_TASK,
    COUNTER_IS_BLACKBOARD,
    SPENT_IS_BLACKBOARD,
    STATIC_IS_BLACKBOARD,
    BEGIN_SHARES_MEMORY,
    SENDS_NOTHING,
    CANNOT_BEAR_REPEATED_MAIL,
    CANNOT_BEAR_RESTARTS,
    GRAPH_CHANGES_RESULT,
    GRAPH_FAILS
};

struct self {
    const struct cor_task *task;
    uint64_t *shared;
    uint64_t sum;
    uint32_t agents, turns, heard[2];
    uint64_t base; /* with it a whole number of 16 bytes: the next agent's state follows */
};

static uint64_t board; /* a static is a misdeed itself */

static enum cor_progress begin(void *state, const struct cor_task *task, const struct cor_host *host) {
    uint64_t *shared = host->alloc(host, sizeof *shared);
    (void)state;
    if (!shared)
        return COR_FAILED;
    if (MISDEED == STATIC_IS_BLACKBOARD)
        board = 0;
    for (uint32_t i = 0; i < task->agent_count; i++) {
        struct self *self = host->agent(host, i)->state;
        self->agents = task->agent_count;
        self->base = host->counters[host->counter_start[0]];
        self->sum = MISDEED == SENDS_NOTHING ? i : 0;
        self->task = MISDEED == KEEPS_THE_TASK ? task : 0;
        self->shared = MISDEED == BEGIN_SHARES_MEMORY ? shared : 0;
    }
    return COR_DONE;
}

/* What an agent cannot know. */
static uint64_t forbidden(const struct cor_agent *me, const struct cor_host *host) {
    struct self *self = me->state;
    switch ((enum misdeed)MISDEED) {
    case READS_VALUES_BEFORE:
        return me->id > 0 ? ((const volatile double *)me->values)[-1] > 0.5 : 0;
    case READS_STATE_BEHIND:
        return me->id + 1 < self->agents ? ((const volatile struct self *)me->state)[1].turns : 0;
    case KEEPS_THE_TASK:
        return self->task ? self->task->agent_count : 0;
    case COUNTER_IS_BLACKBOARD:
        cor_count(host, 0, 0);
        return host->counters[host->counter_start[0]] - self->base;
    case SPENT_IS_BLACKBOARD:
        return (*host->spent)++;
    case STATIC_IS_BLACKBOARD:
        return board++;
    case BEGIN_SHARES_MEMORY:
        return self->shared ? (*self->shared)++ : 0;
    default:
        return 0;
    }
}

static enum cor_progress wake(const struct cor_agent *me, const struct cor_rules *rules,
                              const struct cor_host *host) {
    struct self *self = me->state;
    uint64_t number = cor_random_below(me->random, 100);
    (void)rules;
    self->sum += forbidden(me, host);
    if (MISDEED != SENDS_NOTHING && self->turns < 3) {
        host->send(host, me->id + 1, 0, &number, sizeof number);
        host->send(host, me->id > 0 ? me->id - 1 : 0, 0, &number, sizeof number);
    }
    return ++self->turns < 3 ? COR_CONTINUE : COR_DONE;
}

static enum cor_progress receive(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host, const struct cor_message *message) {
    struct self *self = me->state;
    (void)rules;
    (void)host;
    self->sum += *(const uint64_t *)message->payload;
    if (MISDEED == CANNOT_BEAR_REPEATED_MAIL && ++self->heard[message->from > me->id] > 4)
        return COR_FAILED;
    return COR_DONE;
}

static enum cor_progress restart(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host) {
    (void)me;
    (void)rules;
    (void)host;
    return MISDEED == CANNOT_BEAR_RESTARTS ? COR_FAILED : COR_CONTINUE;
}

static void put_side(const struct cor_task *task, const struct cor_host *host, uint64_t side,
                     uint32_t *block) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < task->agent_count; i++) {
        const struct self *self = host->agent(host, i)->state;
        if (self->sum % 2 == side)
            block[count++] = i;
    }
    if (count > 0)
        host->put_block(host, block, count);
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    uint32_t *block = host->alloc(host, task->agent_count * sizeof *block);
    (void)state;
    if (!block)
        return COR_FAILED;
    put_side(task, host, 0, block);
    put_side(task, host, 1, block);
    return COR_DONE;
}

static void graph(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    if (MISDEED == GRAPH_FAILS)
        host->complain(host, "no graph");
    for (uint32_t i = 0; i + 1 < task->agent_count; i++)
        host->put_edge(host, i, i + 1, 0);
    if (MISDEED == GRAPH_CHANGES_RESULT)
        ((struct self *)host->agent(host, 0)->state)->sum++;
}

static const struct cor_counter counters[] = {{"greetings", "nothing is counted", 1}, {0}};

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {COR_ALGORITHM,
                                                   .name = "talks",
                                                   .version = "1.0",
                                                   .summary = "agents go where they are told",
                                                   .budget_unit = "rounds",
                                                   .agent_size = sizeof(struct self),
                                                   .counters = counters,
                                                   .begin = begin,
                                                   .wake = wake,
                                                   .receive = receive,
                                                   .result = result,
                                                   .graph = graph,
                                                   .restart =
                                                       MISDEED == CANNOT_BEAR_REPEATED_MAIL ? 0 : restart};
