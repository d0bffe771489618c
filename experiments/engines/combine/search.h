/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search: rows that cover the tuples of a problem, one by one at first; then a row less and a row less,
 * each time repaired by changing cells (tabu search: Nurmela, "Upper bounds for covering arrays by tabu
 * search", 2004; under constraints: Lin et al., "TCA", ASE 2015). */
#ifndef CORRIDOR_COMBINE_SEARCH_H
#define CORRIDOR_COMBINE_SEARCH_H

#include "logic.h"

#include <corridor/rng.h>

struct cor__search;

/* A search without rows. `logic` may be NULL; both are borrowed. */
enum cor_status cor__search_create(const struct cor__problem *problem, struct cor__logic *logic,
                                   const struct cor_rng *rng, struct cor__search **search,
                                   struct cor_error *error) COR_MUST_USE;
void cor__search_destroy(struct cor__search *search);

/* A tuple that no row can hold need not be covered. Before any row. */
void cor__search_exclude(struct cor__search *search, uint32_t tuple);

/* Tuples that no row has yet. */
size_t cor__search_open(const struct cor__search *search);

/* Adds a row to keep, before any other: its fixed cells as they are, the others so that it covers much. It
 * can be completed. */
enum cor_status cor__search_keep(struct cor__search *search, const uint16_t *row, const bool *fixed,
                                 struct cor_error *error) COR_MUST_USE;

/* Adds rows until all is covered. */
enum cor_status cor__search_cover(struct cor__search *search, uint32_t tries,
                                  struct cor_error *error) COR_MUST_USE;

/* Searches for fewer rows, down to `least`, until `moves` are made or `work` is done. */
enum cor_status cor__search_shrink(struct cor__search *search, size_t least, uint64_t moves, uint64_t work,
                                   struct cor_error *error) COR_MUST_USE;

/* The best rows that cover all: their number; copied, the kept ones first. */
size_t cor__search_row_count(const struct cor__search *search);
void cor__search_rows(const struct cor__search *search, uint16_t *rows);

/* Moves made so far. */
uint64_t cor__search_moves(const struct cor__search *search);

#endif
