/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table of the result file read from front to back, suite after suite, a buffer at a time. */
#ifndef CORRIDOR_ANALYSIS_CURSOR_H
#define CORRIDOR_ANALYSIS_CURSOR_H

#include <corridor/result.h>

struct cor__cursor {
    struct cor_result *result; /* borrowed */
    enum cor_table table;
    uint64_t columns;    /* that are read, as for cor_result_read_columns */
    uint64_t next;       /* first row that is not in the buffer yet */
    unsigned char *rows; /* owned */
    size_t held, used;
};

/* Starts at the first row. `columns` names what is read beside arm and suite, NULL-terminated. */
enum cor_status cor__cursor_init(struct cor__cursor *cursor, struct cor_result *result, enum cor_table table,
                                 const char *const *columns, struct cor_error *error) COR_MUST_USE;
void cor__cursor_fini(struct cor__cursor *cursor);

/* The next row of that suite, NULL in *row when it has no more. Rows lie in ascending order of (arm, suite):
 * a row that lies before that suite belongs to none and is COR_STATUS_INPUT. Valid until the next call. */
enum cor_status cor__cursor_next(struct cor__cursor *cursor, uint16_t arm, uint32_t suite, const void **row,
                                 struct cor_error *error) COR_MUST_USE;

/* The next row whatever its suite, NULL in *row at the end of the table. */
enum cor_status cor__cursor_any(struct cor__cursor *cursor, const void **row,
                                struct cor_error *error) COR_MUST_USE;

/* Complains about rows that are left after the last suite. */
enum cor_status cor__cursor_end(struct cor__cursor *cursor, struct cor_error *error) COR_MUST_USE;

/* A table that contradicts itself or another; `format` completes "table x: ". */
enum cor_status cor__damaged(struct cor_error *error, enum cor_table table, const char *format, ...)
    COR_PRINTF(3, 4);

#endif
