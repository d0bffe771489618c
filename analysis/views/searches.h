/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the sheets of searches share. */
#ifndef CORRIDOR_ANALYSIS_VIEWS_SEARCHES_H
#define CORRIDOR_ANALYSIS_VIEWS_SEARCHES_H

#include <corridor/arms.h>
#include <corridor/search_result.h>
#include <corridor/sheet.h>

extern const struct cor_sheet_definition views__search_shares, views__search_pairs, views__search_curves,
    views__search_regions, views__search_stages;

/* The name of an arm of searches by its code. */
static inline const char *views__search_arm_name(const struct cor_layer_tables *search, uint16_t arm) {
    return cor_arm_entry(search->head, cor_arm_of_code(search->head, arm))->name;
}

/* A search that knows nothing of the others. */
struct views__repetition {
    const char *name, *target; /* of the search, of what was searched; borrowed */
    uint16_t target_code, arm;
    uint64_t first, cases; /* cases up to the first failure, 0: none; in all */
    uint64_t classes;
};

/* Searches beside each other, by arm: how many found something, after how many cases, curves, and each
 * against each on the same target. Those of an arm stand together. */
enum cor_status views__compare_repetitions(const struct views__repetition *repetitions, size_t count,
                                           double level, struct cor_sheets *sheets,
                                           struct cor_error *error) COR_MUST_USE;

#endif
