/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An algorithm that sends a tree of messages, and notes in which order they arrive. Message i was sent in the
 * handling of message parent[i] < i, or in the first turn of agent 0; those of one handling in ascending
 * order. Message i goes to agent i modulo the number of agents. */
#ifndef CORRIDOR_ALGORITHMS_HOST_TESTS_TREES_H
#define CORRIDOR_ALGORITHMS_HOST_TESTS_TREES_H

#include "tests/tasks.h"

enum { TREE_MOST = 4096, TREE_ROOT = -1 };

static struct tree {
    int parent[TREE_MOST];
    uint32_t size;
    uint32_t arrived[TREE_MOST], count; /* in their order */
} tree;

static inline void tree_send(const struct cor_agent *me, const struct cor_host *host, int parent,
                             uint32_t agents) {
    (void)me;
    for (uint32_t i = 0; i < tree.size; i++)
        if (tree.parent[i] == parent)
            (void)host->send(host, i % agents, i, &i, sizeof i);
}

static inline enum cor_progress tree_begin(void *state, const struct cor_task *task,
                                           const struct cor_host *host) {
    (void)state;
    (void)task;
    (void)host;
    tree.count = 0;
    return COR_CONTINUE;
}

static inline enum cor_progress tree_wake(const struct cor_agent *me, const struct cor_rules *rules,
                                          const struct cor_host *host) {
    if (me->id == 0)
        tree_send(me, host, TREE_ROOT, rules->count_max);
    return COR_DONE;
}

static inline enum cor_progress tree_receive(const struct cor_agent *me, const struct cor_rules *rules,
                                             const struct cor_host *host, const struct cor_message *message) {
    uint32_t said;
    memcpy(&said, message->payload, sizeof said);
    COR_ASSERT(said == message->kind && said % rules->count_max == me->id && tree.count < TREE_MOST);
    tree.arrived[tree.count++] = message->kind;
    tree_send(me, host, (int)message->kind, rules->count_max);
    return COR_DONE;
}

static inline enum cor_progress tree_result(void *state, const struct cor_task *task,
                                            const struct cor_host *host) {
    (void)state;
    host->put_block(host, task->members, task->agent_count);
    return COR_DONE;
}

#define TREES                                                                                           \
    {                                                                                                   \
        COR_ALGORITHM, .name = "trees", .version = "1", .summary = "a sample", .budget_unit = "rounds", \
                       .begin = tree_begin, .wake = tree_wake, .receive = tree_receive,                 \
                       .result = tree_result                                                            \
    }

/* The number of agents goes where an agent sees it. */
static inline void tree_task(struct test_task *task, const struct cor_algorithm *algorithm, uint32_t agents,
                             uint64_t seed) {
    test_make(task, algorithm, agents, 1, seed);
    task->rules.count_max = agents;
    task->rules.budget = 1000000;
}

#endif
