/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One suite after the other, with all its rows of the tables that are wanted, in order. */
#ifndef CORRIDOR_PERFORMANCE_BOOK_H
#define CORRIDOR_PERFORMANCE_BOOK_H

#include "cursor.h"

/* Rows of one table in the present suite. */
struct cor__page {
    unsigned char *rows; /* owned; `count` row structs of the table */
    size_t count, capacity /* bytes */;
};

struct cor__book {
    struct cor__cursor cursor[COR_TABLE_COUNT]; /* those of tables that are not read stay zero */
    struct cor__page page[COR_TABLE_COUNT];     /* of the present suite; by sequence and case */
    struct cor_suite_row suite;                 /* the present one */
    bool with_cases;
    bool *continues; /* owned; [sequence of the suite] it continues another one (branching): left out */
    size_t continues_capacity;
    uint64_t left_out; /* such sequences so far */
};

/* Begins before the first suite. Sequences that continue failed ones are left out with all their rows: they
 * were chosen because those failed, and repeat what happened in them. Sequences and reorganizations are
 * always read; `with_cases` says whether cases are, or else violations. */
enum cor_status cor__book_init(struct cor__book *book, struct cor_result *result, bool with_cases,
                               struct cor_error *error) COR_MUST_USE;
void cor__book_fini(struct cor__book *book);

/* Reads the next suite; *there says whether there was one. Rows of a sequence that the suite does not have,
 * sequences that occur twice and rows that belong to no suite are COR_STATUS_INPUT. */
enum cor_status cor__book_next(struct cor__book *book, bool *there, struct cor_error *error) COR_MUST_USE;

/* The rows of a table of the present suite. */
static inline const void *cor__book_rows(const struct cor__book *book, enum cor_table table, size_t *count) {
    *count = book->page[table].count;
    return book->page[table].rows;
}

/* Whether a verdict is a detection. */
static inline bool cor__detection(uint8_t verdict) {
    return verdict == COR_VERDICT_FAILED || verdict == COR_VERDICT_SMOKE;
}

/* Where the arm of that code stands in the catalog; its size if it does not. */
size_t cor__arm_index(const struct cor_result_header *head, uint16_t code);

/* Complains about a suite of an arm that the catalog does not have. */
enum cor_status cor__arm_missing(uint16_t code, struct cor_error *error);

#endif
