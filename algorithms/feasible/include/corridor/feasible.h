/* SPDX-License-Identifier: MIT
 *
 * Random partitionings that keep limits on the size and number of blocks (algorithms/README.md): the starting
 * points of PSOPP and all of the algorithm `random`. Knows only plugin.h, so that an algorithm outside
 * Corridor can take it along. */
#ifndef CORRIDOR_FEASIBLE_H
#define CORRIDOR_FEASIBLE_H

#include <corridor/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How large the blocks are. */
enum cor_size_rule {
    COR_SIZES_BALLS,  /* surplus agents fall one by one on blocks below size_max: near-balanced sizes */
    COR_SIZES_SKEWED, /* each block first draws a cap of its own in size_min .. size_max: very unequal sizes
                       */
    COR_SIZES_COUNT
};

/* The numbers of blocks for which the rules admit a partitioning of `agent_count` agents: every number in
 * *count_low .. *count_high, and no other. 0 = there is none (the two are then not set). agent_count >= 1. A
 * size_min or count_min of 0 counts as 1: blocks are never empty. */
int cor_feasible_counts(const struct cor_rules *rules, uint32_t agent_count, uint32_t *count_low,
                        uint32_t *count_high);

/* Of these numbers the one that is nearest to `wanted`; 0: there is none. */
uint32_t cor_feasible_count(const struct cor_rules *rules, uint32_t agent_count, uint32_t wanted);

/* Puts the agents 0 .. count-1 into `order`, highest value first, in O(count log count). */
void cor_feasible_order(const double *values, uint32_t *order, uint32_t count);

/* 1 if a structure of `block_count` blocks keeps the rules. block_start as in cor_task. */
int cor_feasible_keeps(const struct cor_rules *rules, uint32_t block_count, const uint32_t *block_start);

/* Where a random partitioning goes; all memory is the caller's. */
struct cor_feasible_partitioning {
    uint32_t block_count;
    uint32_t *block_start; /* room for agent_count + 1 */
    uint32_t *members;     /* room for agent_count */
    uint32_t *scratch;     /* room for 2 * agent_count */
};

/* Draws a feasible partitioning in O(agent_count): the number of blocks uniform over the feasible ones, sizes
 * by `size_rule`, members by a uniform shuffle. Every feasible partitioning can come out. 0 = there is none.
 */
int cor_feasible_draw(const struct cor_rules *rules, uint32_t agent_count, enum cor_size_rule size_rule,
                      struct cor_random *random, struct cor_feasible_partitioning *partitioning);

#ifdef __cplusplus
}
#endif
#endif
