/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the sheets of searches share. */
#ifndef CORRIDOR_VIEWS_SEARCHES_H
#define CORRIDOR_VIEWS_SEARCHES_H

#include <corridor/search_result.h>
#include <corridor/sheet.h>

extern const struct cor_sheet_definition cor__search_shares, cor__search_pairs, cor__search_curves,
    cor__search_regions, cor__search_stages;

/* The name of an arm of searches by its code. */
const char *cor__search_arm_name(const struct cor_search_result *search, uint16_t arm);

/* Generators beside each other, where an arm of the experiment was searched by more than one: shares that
 * found something, curves, and each generator against each. */
enum cor_status cor__compare_searches(const struct cor_search_result *search, double level,
                                      struct cor_sheets *sheets, struct cor_error *error) COR_MUST_USE;

/* Regions that were learned, and searches that learn regions and found none. */
enum cor_status cor__put_search_regions(const struct cor_search_result *search, double level,
                                        struct cor_sheets *sheets, struct cor_error *error) COR_MUST_USE;

/* Stages of splitting, where there are any, and level functions that never rose. */
void cor__put_search_stages(const struct cor_search_result *search, struct cor_sheets *sheets);

#endif
