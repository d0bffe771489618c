/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A result file of a search: its tables in memory, and the test files in it. */
#ifndef CORRIDOR_SEARCH_RESULT_H
#define CORRIDOR_SEARCH_RESULT_H

#include <corridor/failure_class.h>
#include <corridor/layer_tables.h>
#include <corridor/search_schema.h>

/* Reads its tables. COR_STATUS_INPUT: rows name what the catalogs or vectors do not have, or contradict each
 * other. */
enum cor_status cor_search_result_init(struct cor_result *result, struct cor_layer_tables *search,
                                       struct cor_error *error) COR_MUST_USE;

/* Bytes of vectors/text as text, freed with free(). */
enum cor_status cor_search_text(const struct cor_layer_tables *search, uint64_t start, uint32_t size,
                                char **text, struct cor_error *error) COR_MUST_USE;

/* The test file of a finding or of a test in the corpus by ARM/ISLAND/TEST, freed with free().
 * COR_STATUS_INPUT if none was kept under this key. */
enum cor_status cor_search_test_text(const struct cor_layer_tables *search, const char *key, char **text,
                                     struct cor_error *error) COR_MUST_USE;

/* The class of a finding. */
struct cor_failure_class cor_search_class(const struct cor_search_finding_row *row);

#endif
