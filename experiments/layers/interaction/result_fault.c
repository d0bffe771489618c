/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Faults of the result: what the testbed does to a solution on its way from the algorithm to adoption,
 * whatever the algorithm. A fault is a row of a table: where it can strike, and what it does there. */
#include "loop.h"

#include <corridor/array.h>

#include <string.h>

/* A solution being spoilt. */
struct spoiling {
    struct cor_lists *solution;
    struct cor_rng rng;
};

static uint32_t below(struct spoiling *spoiling, uint32_t bound) {
    return cor_rng_below(&spoiling->rng, bound);
}

/* Another block than `block`, all equally likely. */
static uint32_t other_block(struct spoiling *spoiling, uint32_t block) {
    uint32_t count = spoiling->solution->block_count, step = below(spoiling, count - 1);
    return (uint32_t)(((uint64_t)block + 1 + step) % count);
}

static uint32_t block_of(const struct cor_lists *lists, uint32_t slot) {
    uint32_t block = 0;
    while (lists->start[block + 1] <= slot)
        block++;
    return block;
}

static void remove_slot(struct cor_lists *lists, uint32_t slot) {
    uint32_t block = block_of(lists, slot);
    memmove(lists->members + slot, lists->members + slot + 1,
            (lists->member_count - slot - 1) * sizeof *lists->members);
    lists->member_count--;
    for (uint32_t b = block + 1; b <= lists->block_count; b++)
        lists->start[b]--;
}

/* Appends an agent to a block. */
static enum cor_status insert(struct cor_lists *lists, uint32_t block, uint32_t agent,
                              struct cor_error *error) {
    COR_TRY(COR_RESERVE(&lists->members, &lists->member_capacity, (size_t)lists->member_count + 1, error));
    uint32_t slot = lists->start[block + 1];
    memmove(lists->members + slot + 1, lists->members + slot,
            (lists->member_count - slot) * sizeof *lists->members);
    lists->members[slot] = agent;
    lists->member_count++;
    for (uint32_t b = block + 1; b <= lists->block_count; b++)
        lists->start[b]++;
    return COR_OK;
}

/* The block and all who are in it; blocks below it then stand below the one above it. */
static void remove_block(struct cor_lists *lists, uint32_t block) {
    for (uint32_t b = 0; lists->nests && b < lists->block_count; b++)
        if (lists->parent[b] == block)
            lists->parent[b] = lists->parent[block];
    for (uint32_t b = 0; lists->nests && b < lists->block_count; b++)
        lists->parent[b] -= lists->parent[b] != COR_NOBODY && lists->parent[b] > block;
    if (lists->nests)
        memmove(lists->parent + block, lists->parent + block + 1,
                (lists->block_count - block - 1) * sizeof *lists->parent);
    uint32_t from = lists->start[block], to = lists->start[block + 1];
    memmove(lists->members + from, lists->members + to, (lists->member_count - to) * sizeof *lists->members);
    lists->member_count -= to - from;
    for (uint32_t b = block; b < lists->block_count; b++)
        lists->start[b] = lists->start[b + 1] - (to - from);
    lists->block_count--;
}

static bool has_members(const struct cor_lists *lists) {
    return lists->member_count > 0;
}

static bool has_blocks(const struct cor_lists *lists) {
    return lists->block_count > 0;
}

static bool has_two_blocks(const struct cor_lists *lists) {
    return lists->block_count > 1 && lists->member_count > 0;
}

/* Blocks of at least so many members. */
static uint32_t blocks_of(const struct cor_lists *lists, uint32_t size_min) {
    uint32_t count = 0;
    for (uint32_t b = 0; b < lists->block_count; b++)
        count += cor_lists_size(lists, b) >= size_min;
    return count;
}

static bool has_two_inhabited(const struct cor_lists *lists) {
    return blocks_of(lists, 1) > 1;
}

static bool has_divisible(const struct cor_lists *lists) {
    return blocks_of(lists, 2) > 0;
}

static enum cor_status drop_agent(struct spoiling *s, struct cor_error *error) {
    (void)error;
    remove_slot(s->solution, below(s, s->solution->member_count));
    return COR_OK;
}

static enum cor_status duplicate_agent(struct spoiling *s, struct cor_error *error) {
    uint32_t slot = below(s, s->solution->member_count);
    uint32_t agent = s->solution->members[slot];
    uint32_t block = other_block(s, block_of(s->solution, slot));
    return insert(s->solution, block, agent, error);
}

static enum cor_status move_agent(struct spoiling *s, struct cor_error *error) {
    uint32_t slot = below(s, s->solution->member_count);
    uint32_t agent = s->solution->members[slot];
    uint32_t block = other_block(s, block_of(s->solution, slot));
    remove_slot(s->solution, slot);
    return insert(s->solution, block, agent, error);
}

static enum cor_status swap_agents(struct spoiling *s, struct cor_error *error) {
    struct cor_lists *lists = s->solution;
    (void)error;
    uint32_t slot = below(s, lists->member_count), block = block_of(lists, slot);
    uint32_t size = cor_lists_size(lists, block);
    uint32_t other = below(s, lists->member_count - size); /* among those of other blocks */
    if (other >= lists->start[block])
        other += size;
    uint32_t agent = lists->members[slot];
    lists->members[slot] = lists->members[other];
    lists->members[other] = agent;
    return COR_OK;
}

static enum cor_status drop_partition(struct spoiling *s, struct cor_error *error) {
    (void)error;
    remove_block(s->solution, below(s, s->solution->block_count));
    return COR_OK;
}

static enum cor_status merge_partitions(struct spoiling *s, struct cor_error *error) {
    struct cor_lists *lists = s->solution;
    uint32_t from = below(s, lists->block_count), to = other_block(s, from);
    while (cor_lists_size(lists, from) > 0) {
        uint32_t agent = lists->members[lists->start[from]];
        remove_slot(lists, lists->start[from]);
        COR_TRY(insert(lists, to, agent, error));
    }
    remove_block(lists, from);
    return COR_OK;
}

/* The how manieth block of two members or more. */
static uint32_t divisible_block(const struct cor_lists *lists, uint32_t number) {
    uint32_t block = 0;
    for (;; block++)
        if (cor_lists_size(lists, block) >= 2 && number-- == 0)
            return block;
}

/* Any size of the two parts, then any members, is equally likely. */
static enum cor_status split_partition(struct spoiling *s, struct cor_error *error) {
    struct cor_lists *lists = s->solution;
    uint32_t block = divisible_block(lists, below(s, blocks_of(lists, 2)));
    uint32_t size = cor_lists_size(lists, block), first = 1 + below(s, size - 1);
    COR_TRY(COR_RESERVE(&lists->start, &lists->start_capacity, (size_t)lists->block_count + 2, error));
    if (lists->nests) {
        /* The new block stands beside the old one. */
        COR_TRY(COR_RESERVE(&lists->parent, &lists->parent_capacity, (size_t)lists->block_count + 1, error));
        for (uint32_t b = 0; b < lists->block_count; b++)
            lists->parent[b] += lists->parent[b] != COR_NOBODY && lists->parent[b] > block;
        memmove(lists->parent + block + 1, lists->parent + block,
                (lists->block_count - block) * sizeof *lists->parent);
    }
    cor_rng_shuffle(&s->rng, lists->members + lists->start[block], size);
    memmove(lists->start + block + 2, lists->start + block + 1,
            (lists->block_count - block) * sizeof *lists->start);
    lists->start[block + 1] = lists->start[block] + first;
    lists->block_count++;
    return COR_OK;
}

static const struct {
    bool (*holds)(const struct cor_lists *solution); /* can it strike here? */
    enum cor_status (*spoil)(struct spoiling *spoiling, struct cor_error *error);
} rows[COR_RESULT_FAULT_CODES] = {
    [COR_RESULT_FAULT_AGENT_DROPPED] = {has_members, drop_agent},
    [COR_RESULT_FAULT_AGENT_DUPLICATED] = {has_two_blocks, duplicate_agent},
    [COR_RESULT_FAULT_AGENT_MOVED] = {has_two_blocks, move_agent},
    [COR_RESULT_FAULT_AGENTS_SWAPPED] = {has_two_inhabited, swap_agents},
    [COR_RESULT_FAULT_PARTITION_DROPPED] = {has_blocks, drop_partition},
    [COR_RESULT_FAULT_PARTITIONS_MERGED] = {has_two_blocks, merge_partitions},
    [COR_RESULT_FAULT_PARTITION_SPLIT] = {has_divisible, split_partition},
};

static struct cor_rng stream_of(const struct cor_stream_name *name) {
    struct cor_stream_name own = *name;
    own.purpose = COR_PURPOSE_RESULT_FAULT;
    own.entity = 0;
    return cor_rng_named(&own);
}

static bool strikes(const struct cor_runner *r, struct cor_rng *rng) {
    return cor_rng_unit(rng) < r->suite->arm->result.probability;
}

static struct cor_lists exchange_lists(struct cor_lists *lists, struct cor_lists with) {
    struct cor_lists before = *lists;
    *lists = with;
    return before;
}

static enum cor_status spoil(struct cor_runner *r, struct cor_rng *rng, struct cor_fault_counts *counts,
                             struct cor_error *error) {
    enum cor_result_fault fault = r->suite->arm->result.fault;
    struct spoiling spoiling = {.solution = &r->outcome.solution};
    counts->held = rows[fault].holds(&r->outcome.solution);
    if (!counts->held || !strikes(r, rng))
        return COR_OK;
    counts->activated = 1;
    spoiling.rng = *rng;
    return rows[fault].spoil(&spoiling, error);
}

enum cor_status interaction__result_spoil(struct cor_runner *r, const struct cor_case *this_case,
                                          struct cor_error *error) {
    enum cor_result_fault fault = r->suite->arm->result.fault;
    if (fault <= COR_RESULT_FAULT_NONE)
        return COR_OK;
    struct cor_fault_counts counts = {.reached = 1};
    struct cor_rng rng = stream_of(&this_case->name);
    if (fault == COR_RESULT_FAULT_LATE) {
        counts.held = 1;
        counts.activated = r->sequence.is_held_back;
    } else if (fault == COR_RESULT_FAULT_STALE) {
        /* The solution of the reorganization before in place of this one, which is kept for the next. */
        struct cor_sequence *s = &r->sequence;
        COR_TRY(cor_lists_copy(&r->answer, &r->outcome.solution, error));
        counts.held = s->has_answer;
        if (s->has_answer && strikes(r, &rng)) {
            counts.activated = 1;
            r->outcome.solution = exchange_lists(&r->answer_before, r->outcome.solution);
        }
        r->answer_before = exchange_lists(&r->answer, r->answer_before);
        s->has_answer = true;
    } else {
        COR_TRY(spoil(r, &rng, &counts, error));
    }
    counts.in_result = counts.activated;
    r->outcome.fault = counts;
    /* The moves of an algorithm that distributes its solution itself are those to the solution it had. */
    if (counts.activated > 0 && fault != COR_RESULT_FAULT_LATE)
        r->outcome.has_moves = false;
    return COR_OK;
}

void interaction__result_keep_columns(struct cor_runner *r) {
    const size_t agents = r->configuration->agent_count;
    const double *const *columns = cor_state_columns(r->state);
    for (uint32_t column = 0; column <= r->configuration->attribute_count; column++)
        memcpy(r->values_before + column * agents, columns[column], agents * sizeof *r->values_before);
}

bool interaction__result_is_late(struct cor_runner *r, const struct cor_case *this_case) {
    struct cor_sequence *s = &r->sequence;
    if (r->suite->arm->result.fault != COR_RESULT_FAULT_LATE || s->is_held_back)
        return false;
    struct cor_rng rng = stream_of(&this_case->name);
    if (!strikes(r, &rng))
        return false;
    interaction__result_keep_columns(r);
    s->asked = this_case->name;
    s->is_held_back = true;
    return true;
}
