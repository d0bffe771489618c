/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The four faults of paper 003, 6.1, as rows of a table: f1 and f2 spoil the conversion of the structure into
 * the graph, f3 and f4 that of the graph into sets. They draw from their own stream, so a run equals the
 * fault-free one up to the first activation. */
#include "spada.h"

static bool strikes(const struct cor_task *task, const struct cor_host *host, bool condition) {
    host->fault->reached++;
    if (!condition)
        return false;
    host->fault->held++;
    double u = cor_random_unit(host->random[COR_STREAM_FAULT]);
    return u < task->rules->parameters[SPADA_P_ACTIVATE];
}

static uint32_t draw(const struct cor_host *host, uint32_t bound) {
    return cor_random_below(host->random[COR_STREAM_FAULT], bound);
}

static uint32_t forget_none(const struct cor_task *task, const struct cor_host *host) {
    (void)task;
    (void)host;
    return SPADA_NOBODY;
}

static uint32_t forget_if(const struct cor_task *task, const struct cor_host *host, bool condition) {
    if (!strikes(task, host, condition))
        return SPADA_NOBODY;
    host->fault->activated++;
    return draw(host, task->block_count);
}

static uint32_t forget_f1(const struct cor_task *task, const struct cor_host *host) {
    return forget_if(task, host, task->block_count > task->rules->parameters[SPADA_F1_THRESHOLD]);
}

static uint32_t forget_f2(const struct cor_task *task, const struct cor_host *host) {
    return forget_if(task, host, task->block_count < task->rules->parameters[SPADA_F2_THRESHOLD]);
}

static void deface_none(struct spada_sets *sets, const struct cor_task *task, const struct cor_host *host) {
    (void)sets;
    (void)task;
    (void)host;
}

static void corrupted(const struct cor_host *host) {
    host->fault->activated++;
    host->fault->in_result = 1;
}

/* Arbitrary members are deleted until the set is as large as the threshold. */
static void deface_f3(struct spada_sets *sets, const struct cor_task *task, const struct cor_host *host) {
    double threshold = task->rules->parameters[SPADA_F3_THRESHOLD];
    for (uint32_t i = 0; i < sets->count; i++) {
        struct spada_set *set = &sets->sets[i];
        if (!strikes(task, host, set->count > threshold))
            continue;
        while (set->count > threshold) {
            uint32_t deleted = draw(host, set->count);
            set->members[deleted] = set->members[--set->count];
        }
        corrupted(host);
    }
}

/* The set becomes a copy of another one, as that is by then. A lone set has no other, and what copies its own
 * copy stays as it was: no corruption. */
static void deface_f4(struct spada_sets *sets, const struct cor_task *task, const struct cor_host *host) {
    double threshold = task->rules->parameters[SPADA_F4_THRESHOLD];
    for (uint32_t i = 0; i < sets->count; i++) {
        if (!strikes(task, host, sets->sets[i].count > threshold) || sets->count < 2)
            continue;
        uint32_t drawn = draw(host, sets->count - 1);
        const struct spada_set *other = &sets->sets[drawn < i ? drawn : drawn + 1];
        if (other->members == sets->sets[i].members)
            continue;
        sets->sets[i] = *other;
        corrupted(host);
    }
}

const struct spada_seams spada__seams[] = {
    {forget_none, deface_none}, /* no fault */
    {forget_f1, deface_none},   {forget_f2, deface_none}, {forget_none, deface_f3}, {forget_none, deface_f4},
};

const struct cor_fault spada__faults[] = {
    {"f1", "a partition is not represented in the graph if there are more than f1_threshold"},
    {"f2", "a partition is not represented in the graph if there are fewer than f2_threshold"},
    {"f3", "partitions of more than f3_threshold agents are cut down to it"},
    {"f4", "partitions of more than f4_threshold agents are replaced by a copy of another"},
    {0},
};
