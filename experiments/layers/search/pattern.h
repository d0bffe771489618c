/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A pattern space (Cherel, Cottineau, Reuillon, PLOS ONE 10, 2015): up to three amounts of a sequence, each
 * cut into cells of a width. A search that is to fill it takes the cell of a test for its only feature, so
 * that tests in cells that few came to are changed the more often. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SEARCH_PATTERN_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SEARCH_PATTERN_H

#include <corridor/generator.h>

#define SEARCH_LAYER__PATTERN_AXES 3

struct search_layer__pattern;

/* One that no test was seen of, from "AMOUNT by WIDTH; ..": amounts as of cor_measure_parse. `fixed`: a
 * number of tests that does not depend on what they are, and that the budget surely suffices for; of these
 * shares are unbiased. COR_STATUS_INPUT at `place`. */
enum cor_status search_layer__pattern_create(const char *text, const char *place, uint64_t fixed,
                                             struct search_layer__pattern **pattern,
                                             struct cor_error *error) COR_MUST_USE;

/* Frees it. NULL is allowed. */
void search_layer__pattern_destroy(struct search_layer__pattern *pattern);

/* Counts the test in its cell, and makes that the only feature of `seen`, in arrays of the pattern that are
 * valid until the next call. Cells beyond COR_FEATURES share features. Tests that do not say their
 * amounts have a cell of their own, and no feature. */
enum cor_status search_layer__pattern_see(struct search_layer__pattern *pattern, struct cor_seen *seen,
                                          struct cor_error *error) COR_MUST_USE;

/* Writes its cells down. */
enum cor_status search_layer__pattern_put(const struct search_layer__pattern *pattern,
                                          struct cor_record *record, struct cor_error *error) COR_MUST_USE;

#endif
