/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The suites of one arm, one after the other: all rows of a suite from the tables that are wanted, checked.
 */
#ifndef CORRIDOR_TREE_SUITE_ROWS_H
#define CORRIDOR_TREE_SUITE_ROWS_H

#include "cursor.h"

#include <stdbool.h>

/* Rows of one table in the present suite. */
struct cor__rows {
    unsigned char *rows; /* owned */
    size_t count, capacity /* bytes */, row_size;
};

struct cor__suite_rows {
    struct cor_result *result; /* borrowed */
    uint16_t arm;
    uint32_t only;   /* suite, or COR_ANY_SUITE */
    bool read;       /* that suite has been read */
    uint64_t tables; /* bit t = table t is wanted */
    struct cor__cursor cursor[COR_TABLE_COUNT];
    struct cor__rows rows[COR_TABLE_COUNT]; /* of the present suite, but for SUITES */
    struct cor_suite_row suite;
    uint8_t *walk; /* owned; of one sequence, chain after chain */
    size_t walk_capacity;
};

#define COR__STATES_MAX 64 /* of a profile */

#define COR__TABLE(TABLE) (UINT64_C(1) << COR_TABLE_##TABLE)

/* Begins before the first suite of `arm`, or before suite `only`. SUITES, CHAINS, PROFILES, SEQUENCES and
 * REORGANIZATIONS are always read; `tables` names others. COR_STATUS_INPUT if there is no such suite. */
enum cor_status cor__suite_rows_init(struct cor__suite_rows *rows, struct cor_result *result, uint16_t arm,
                                     uint32_t only, uint64_t tables, struct cor_error *error) COR_MUST_USE;
void cor__suite_rows_fini(struct cor__suite_rows *rows);

/* Reads the next suite; *there says whether there was one. Chains, profiles and sequences are numbered as
 * they lie; reorganizations, cases and failures lie by sequence and case. */
enum cor_status cor__suite_rows_next(struct cor__suite_rows *rows, bool *there,
                                     struct cor_error *error) COR_MUST_USE;

/* The walk of a sequence into rows->walk: state of chain c at case i is walk[c * (cases + 1) + i]. */
enum cor_status cor__suite_rows_walk(struct cor__suite_rows *rows, const struct cor_sequence_row *sequence,
                                     struct cor_error *error) COR_MUST_USE;

/* The rows of a table of the present suite, as an array of its row struct. */
static inline const void *cor__rows_of(const struct cor__suite_rows *rows, enum cor_table table,
                                       size_t *count) {
    *count = rows->rows[table].count;
    return rows->rows[table].rows;
}

/* Whether a verdict is a detection. */
static inline bool cor__detected(uint8_t gray, uint8_t black) {
    return gray == COR_VERDICT_FAILED || gray == COR_VERDICT_SMOKE || black == COR_VERDICT_FAILED ||
           black == COR_VERDICT_SMOKE;
}

#endif
