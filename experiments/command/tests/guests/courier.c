/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Faults of order. Agents 0 and 1 hand a parcel to and fro, `hops` times, while all others send agent 1 word,
 * once, and an answer comes back. Sound, agent 1 does not care when; each fault is one order that it does not
 * bear, of depth 1, 2 or 3: then an agent is missing in the solution. */
#include <corridor/plugin.h>

#include <string.h>

enum { PARCEL, WORD, ANSWER };
enum { SOUND, LATE, BETWEEN, BETWEEN_AND_LATE };

struct agent_state {
    uint32_t agent_count, hops;
    uint32_t last;   /* hop of the parcel that came last, from 1; 0: none */
    uint32_t first;  /* 1 + the hop behind which the word of agent 2 came */
    uint32_t second; /* likewise of agent 3 */
};

static const struct cor_parameter parameters[] = {
    {"hops", "", "times that the parcel is handed over", 31, 1, 999, 1}, {.name = NULL}};
static const struct cor_fault faults[] = {
    {"late", "the word of agent 2 comes after the parcel's last hop"},
    {"between", "the word of agent 2 comes between the two hops in the middle"},
    {"between_and_late", "as before, and that of agent 3 after the last hop"},
    {.name = NULL}};

static enum cor_progress begin(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    for (uint32_t i = 0; i < task->agent_count; i++) {
        struct agent_state *its = host->agent(host, i)->state;
        its->agent_count = task->agent_count;
        its->hops = (uint32_t)task->rules->parameters[0];
    }
    return COR_CONTINUE;
}

static enum cor_progress wake(const struct cor_agent *me, const struct cor_rules *rules,
                              const struct cor_host *host) {
    uint32_t hop = 1;
    (void)rules;
    if (me->id == 0)
        (void)host->send(host, 1, PARCEL, &hop, sizeof hop);
    else if (me->id > 1)
        (void)host->send(host, 1, WORD, NULL, 0);
    return COR_DONE;
}

static enum cor_progress receive(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host, const struct cor_message *message) {
    struct agent_state *its = me->state;
    (void)rules;
    if (message->kind == PARCEL) {
        memcpy(&its->last, message->payload, sizeof its->last);
        uint32_t next = its->last + 1;
        if (next <= its->hops)
            (void)host->send(host, message->from, PARCEL, &next, sizeof next);
    } else if (message->kind == WORD) {
        if (message->from == 2)
            its->first = 1 + its->last;
        if (message->from == 3)
            its->second = 1 + its->last;
        (void)host->send(host, message->from, ANSWER, NULL, 0);
    }
    return COR_DONE;
}

/* Odd hops end at agent 1. */
static int is_last(uint32_t hop, const struct agent_state *its) {
    return hop + 1 >= its->hops && hop > 0;
}

static int is_middle(uint32_t hop, const struct agent_state *its) {
    return hop == (its->hops / 2 | 1);
}

static int is_broken(uint32_t fault, const struct agent_state *its) {
    int late = its->first > 0 && is_last(its->first - 1, its),
        between = its->first > 0 && is_middle(its->first - 1, its),
        second = its->second > 0 && is_last(its->second - 1, its);
    return fault == LATE ? late : fault == BETWEEN ? between : fault == BETWEEN_AND_LATE && between && second;
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    const struct agent_state *its = host->agent(host, 1)->state;
    uint32_t fault = task->rules->fault;
    (void)state;
    int broken = is_broken(fault, its);
    if (fault != SOUND) {
        host->fault->reached++;
        host->fault->held += broken != 0;
        host->fault->activated += broken != 0;
        host->fault->in_result = broken != 0;
    }
    for (uint32_t b = 0; b < task->block_count; b++) {
        uint32_t from = task->block_start[b], to = task->block_start[b + 1];
        from += b == 0 && broken;
        if (to > from)
            host->put_block(host, task->members + from, to - from);
    }
    return COR_DONE;
}

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {
    COR_ALGORITHM,
    .name = "courier",
    .version = "1",
    .summary = "hands a parcel to and fro; its faults are orders of mail that it does not bear",
    .budget_unit = "rounds",
    .agent_size = sizeof(struct agent_state),
    .parameters = parameters,
    .faults = faults,
    .begin = begin,
    .wake = wake,
    .receive = receive,
    .result = result};
