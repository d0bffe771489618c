/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search: rows that cover the tuples of a problem, one by one at first; then a row less and a row less,
 * each time repaired by changing cells (tabu search: Nurmela, "Upper bounds for covering arrays by tabu
 * search", 2004; under constraints: Lin et al., "TCA", ASE 2015). */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_COMBINE_SEARCH_H
#define CORRIDOR_EXPERIMENTS_ENGINES_COMBINE_SEARCH_H

#include "logic.h"

#include <corridor/rng.h>

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
