/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What one search is about: parameters with the levels that it may use, numbered from 0; blocks, the sets of
 * parameters that are covered together; and tuples, the combinations of levels of a block, numbered through.
 * A model gives one problem for its valid values and one for each parameter with invalid ones. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_COMBINE_PROBLEM_H
#define CORRIDOR_EXPERIMENTS_ENGINES_COMBINE_PROBLEM_H

#include "internal.h"

#define COMBINE__BLOCKS_MAX 8000000
#define COMBINE__TUPLES_MAX 40000000 /* each takes 16 bytes of a search */

/* A tuple of it is first + sum of level[i] * stride[i]. */
struct combine__block {
    uint32_t first, count; /* number of parameters */
    uint32_t parameter[COR_COMBINE_STRENGTH_MAX], stride[COR_COMBINE_STRENGTH_MAX];
};

/* A block of two as one of its parameters sees it. */
struct combine__pair {
    uint32_t first, self_stride, other, other_stride, block;
};

struct combine__problem {
    const struct cor_combine_model *model; /* borrowed while the problem lives */
    uint32_t parameter_count;
    uint32_t *level_count; /* owned, as all below; of each parameter */
    uint32_t *level_start; /* parameter_count + 1: where its levels begin in level_map and among all levels */
    uint32_t *level_map;   /* the level of the model that a level of the problem is */
    struct combine__block *blocks;
    size_t block_count, block_capacity;
    uint32_t tuple_count;
    /* Blocks by parameter: pairs, and larger or single ones by index. */
    struct combine__pair *pairs;
    uint32_t *pair_start;
    uint32_t *others, *other_start;
};

/* No parameter: the problem of the valid values. */
#define COMBINE__NO_PARAMETER UINT32_MAX

/* The levels of a tuple in its block. */
void combine__block_levels(const struct combine__problem *problem, const struct combine__block *block,
                           uint32_t tuple, uint32_t *levels);

/* The tuple that a row of levels has in a block. */
static inline uint32_t combine__block_tuple(const struct combine__block *block, const uint16_t *row) {
    uint32_t tuple = block->first;
    for (uint32_t i = 0; i < block->count; i++)
        tuple += row[block->parameter[i]] * block->stride[i];
    return tuple;
}

#endif
