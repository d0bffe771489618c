/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A result file of a search: its tables in memory, and the test files in it. */
#ifndef CORRIDOR_SEARCH_RESULT_H
#define CORRIDOR_SEARCH_RESULT_H

#include <corridor/failure_class.h>
#include <corridor/result.h>
#include <corridor/search_schema.h>

/* Tables of such a file, [enum cor_search_table]; the result must outlive them. */
struct cor_search_result {
    struct cor_result *result;            /* borrowed */
    const struct cor_result_header *head; /* borrowed */
    void *rows[COR_SEARCH_TABLE_COUNT];   /* owned; row structs, by arm and suite */
    uint64_t count[COR_SEARCH_TABLE_COUNT];
};

/* Reads its tables. COR_STATUS_INPUT: rows name what the catalogs or vectors do not have, or contradict each
 * other. */
enum cor_status cor_search_result_init(struct cor_result *result, struct cor_search_result *search,
                                       struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_search_result_fini(struct cor_search_result *search);

/* Row `index` of a table. */
const void *cor_search_row(const struct cor_search_result *search, enum cor_search_table table,
                           uint64_t index);

/* First row of a table that is of the island, and how many there are. */
uint64_t cor_search_rows_of(const struct cor_search_result *search, enum cor_search_table table, uint16_t arm,
                            uint32_t island, uint64_t *count);

/* Bytes of vectors/text as text, freed with free(). */
enum cor_status cor_search_text(const struct cor_search_result *search, uint64_t start, uint32_t size,
                                char **text, struct cor_error *error) COR_MUST_USE;

/* The test file of a finding or of a test in the corpus by ARM/ISLAND/TEST, freed with free().
 * COR_STATUS_INPUT if none was kept under this key. */
enum cor_status cor_search_test_text(const struct cor_search_result *search, const char *key, char **text,
                                     struct cor_error *error) COR_MUST_USE;

/* The class of a finding. */
struct cor_failure_class cor_search_class(const struct cor_search_finding_row *row);

#endif
