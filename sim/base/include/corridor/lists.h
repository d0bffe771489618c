/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A raw list of lists of agents: what an algorithm proposes, and what a structure looks like from outside. It
 * may miss, repeat or invent agents and hold empty blocks; nothing here repairs that (docs/architecture.md,
 * the oracle never trusts the algorithm). Where organizations nest, each block may name one that it stands
 * below, which need not be there. */
#ifndef CORRIDOR_LISTS_H
#define CORRIDOR_LISTS_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Blocks 0 .. block_count - 1 of agents. Begins with cor_lists_init; what is in it lives until the lists
 * change. */
struct cor_lists {
    uint32_t *members;      /* owned; block after block */
    uint32_t *start;        /* owned; block b is members[start[b] .. start[b + 1]) */
    size_t member_capacity; /* items */
    size_t start_capacity;  /* items */
    uint32_t *parent;       /* owned; [block] the block above it, COR_NOBODY: none; only where they nest */
    size_t parent_capacity; /* items */
    bool nests;             /* some block was hung: else no block has a parent */
    uint32_t member_count;
    uint32_t block_count;
};

/* An empty list of lists; frees nothing. */
void cor_lists_init(struct cor_lists *lists);

/* Frees what the lists hold. Idempotent. */
void cor_lists_fini(struct cor_lists *lists);

/* No blocks; keeps the memory. */
void cor_lists_clear(struct cor_lists *lists);

/* Appends a block of `count` members (copied). COR_STATUS_MEMORY leaves the lists as they were. */
enum cor_status cor_lists_put(struct cor_lists *lists, const uint32_t *members, size_t count,
                              struct cor_error *error) COR_MUST_USE;

/* Says which block stands above `block`, which is below block_count; `parent` may be anything. */
enum cor_status cor_lists_hang(struct cor_lists *lists, uint32_t block, uint32_t parent,
                               struct cor_error *error) COR_MUST_USE;

/* The parents of all blocks; NULL: no block has one. Borrowed until the lists change. */
static inline const uint32_t *cor_lists_parents(const struct cor_lists *lists) {
    return lists->nests ? lists->parent : NULL;
}

/* Makes `copy` (initialised) equal to `lists`. */
enum cor_status cor_lists_copy(struct cor_lists *copy, const struct cor_lists *lists,
                               struct cor_error *error) COR_MUST_USE;

/* The members of a block below block_count, cor_lists_size of them; borrowed until the lists change. NULL
 * where no block has any: there is no place behind nothing. */
static inline const uint32_t *cor_lists_block(const struct cor_lists *lists, uint32_t block) {
    return lists->members ? lists->members + lists->start[block] : NULL;
}

/* How many entries a block below block_count has, repeated ones included. */
static inline uint32_t cor_lists_size(const struct cor_lists *lists, uint32_t block) {
    return lists->start[block + 1] - lists->start[block];
}

/* Whether both have the same members in the same blocks, in the same order; parents are not looked at. */
bool cor_lists_same_blocks(const struct cor_lists *a, const struct cor_lists *b);

/* Which block of `before` each block of `now` goes on with, owner[block of now]: with which it shares most
 * members (of several the first) among those that no block in front of it goes on with; UINT32_MAX: with
 * none. Agents from agent_count on are passed over. */
enum cor_status cor_lists_succeed(const struct cor_lists *before, const struct cor_lists *now,
                                  uint32_t agent_count, uint32_t *owner,
                                  struct cor_error *error) COR_MUST_USE;

/* How many times on end something was so of each block, in several rows. A block that goes on with another
 * has its numbers, by cor_lists_succeed. Begins with cor_streaks_init. */
struct cor_streaks {
    struct cor_lists blocks; /* owned; for which there are numbers */
    uint32_t *counts;        /* owned; [row][block] */
    size_t capacity;         /* items */
    uint32_t row_count;
};

/* No blocks; frees nothing. cor_streaks_fini frees what they hold, and is idempotent. */
void cor_streaks_init(struct cor_streaks *streaks, uint32_t rows);
void cor_streaks_fini(struct cor_streaks *streaks);

/* Nothing was so yet. */
void cor_streaks_clear(struct cor_streaks *streaks);

/* The blocks are now these. */
enum cor_status cor_streaks_follow(struct cor_streaks *streaks, const struct cor_lists *now,
                                   uint32_t agent_count, struct cor_error *error) COR_MUST_USE;

/* One time more, of a block: is it so? How many times on end it is. */
static inline uint32_t cor_streaks_count(struct cor_streaks *streaks, uint32_t row, uint32_t block,
                                         bool is_so) {
    uint32_t *count = &streaks->counts[(size_t)row * streaks->blocks.block_count + block];
    return *count = is_so ? *count + 1 : 0;
}

/* Makes `copy` (initialised, of as many rows) equal to `streaks`. */
enum cor_status cor_streaks_copy(struct cor_streaks *copy, const struct cor_streaks *streaks,
                                 struct cor_error *error) COR_MUST_USE;

#define COR_UNLIMITED UINT32_MAX

/* What a structure must keep to, beside being a partitioning (003, 5 and 6). Configuration, oracle and tables
 * mean this. */
struct cor_limits {
    uint32_t size_min, size_max;   /* agents per partition, inclusive; 1 .. COR_UNLIMITED = none */
    uint32_t count_min, count_max; /* partitions, inclusive; 0 .. COR_UNLIMITED = none */
};

/* No constraint but that of being a partitioning: what the papers hold SPADA to. */
#define COR_NO_LIMITS ((struct cor_limits){1, COR_UNLIMITED, 0, COR_UNLIMITED})

/* A move on the way from a structure to a solution: the agent goes to the partition of solution block
 * `block`. */
struct cor_move {
    uint32_t agent, block;
};

#endif
