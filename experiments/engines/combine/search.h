/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search: rows that cover the tuples of a problem, one by one at first; then a row less and a row less,
 * each time repaired by changing cells (tabu search: Nurmela, "Upper bounds for covering arrays by tabu
 * search", 2004; under constraints: Lin et al., "TCA", ASE 2015). */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_COMBINE_SEARCH_H
#define CORRIDOR_EXPERIMENTS_ENGINES_COMBINE_SEARCH_H

#include "internal.h"

#include <corridor/rng.h>

/* ---- the constraints as the generator needs them: asked of a row that one level of was changed, and of rows
 * that are to be completed */

/* ---- what one search is about: parameters with the levels that it may use, numbered from 0; blocks, the
 * sets of parameters that are covered together; and tuples, the combinations of levels of a block, numbered
 * through. A model gives one problem for its valid values and one for each parameter with invalid ones */

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

struct combine__logic;

/* The constraints of the problem's model over the levels of the problem; NULL if there are none. */
enum cor_status combine__logic_create(const struct combine__problem *problem, struct combine__logic **logic,
                                      struct cor_error *error) COR_MUST_USE;
void combine__logic_destroy(struct combine__logic *logic);

/* Does the row satisfy all constraints that read `parameter`? */
bool combine__logic_allows(const struct combine__logic *logic, const uint16_t *row, uint32_t parameter);

enum combine__answer { COMBINE__NO, COMBINE__YES, COMBINE__UNDECIDED };

/* Can the cells that are not fixed be chosen such that all constraints hold? If so they are, near what they
 * were. Undecided after too many choices. */
enum combine__answer combine__logic_complete(struct combine__logic *logic, uint16_t *row, const bool *fixed);

/* From now on fewer choices are too many. */
void combine__logic_hurry(struct combine__logic *logic);

/* Where the cells that are fixed cannot be completed: which constraints are at odds, by index in the model,
 * none of them to spare. */
void combine__logic_conflict(struct combine__logic *logic, const uint16_t *row, const bool *fixed,
                             bool *at_odds);

/* The constraints whose highest parameter is this one: does the row up to it satisfy them? */
bool combine__logic_allows_prefix(const struct combine__logic *logic, const uint16_t *row,
                                  uint32_t parameter);

/* Numbers parameters by what constraints join, directly or through others; COMBINE__NO_PARAMETER: none reads
 * it.
 */
void combine__logic_clusters(const struct combine__logic *logic, uint32_t *cluster);

struct combine__search;

/* A search without rows. `logic` may be NULL; both are borrowed. */
enum cor_status combine__search_create(const struct combine__problem *problem, struct combine__logic *logic,
                                       const struct cor_rng *rng, struct combine__search **search,
                                       struct cor_error *error) COR_MUST_USE;
void combine__search_destroy(struct combine__search *search);

/* A tuple that no row can hold need not be covered. Before any row. */
void combine__search_exclude(struct combine__search *search, uint32_t tuple);

/* Tuples that no row has yet. */
size_t combine__search_open(const struct combine__search *search);

/* Adds a row to keep, before any other: its fixed cells as they are, the others so that it covers much. It
 * can be completed. */
enum cor_status combine__search_keep(struct combine__search *search, const uint16_t *row, const bool *fixed,
                                     struct cor_error *error) COR_MUST_USE;

/* Adds rows until all is covered. */
enum cor_status combine__search_cover(struct combine__search *search, uint32_t tries,
                                      struct cor_error *error) COR_MUST_USE;

/* Searches for fewer rows, down to `least`, until `moves` are made or `work` is done. */
enum cor_status combine__search_shrink(struct combine__search *search, size_t least, uint64_t moves,
                                       uint64_t work, struct cor_error *error) COR_MUST_USE;

/* The best rows that cover all: their number; copied, the kept ones first. */
size_t combine__search_row_count(const struct combine__search *search);
void combine__search_rows(const struct combine__search *search, uint16_t *rows);

/* Moves made so far. */
uint64_t combine__search_moves(const struct combine__search *search);

#endif
