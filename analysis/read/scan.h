/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table of the result file read from front to back, suite after suite, a buffer at a time. */
#ifndef CORRIDOR_ANALYSIS_READ_SCAN_H
#define CORRIDOR_ANALYSIS_READ_SCAN_H

#include <corridor/layer_tables.h>
#include <corridor/suite_reader.h>

struct read__scan {
    struct cor_result *result; /* borrowed */
    enum cor_table table;
    uint64_t columns;    /* that are read, as for cor_result_read_columns */
    uint64_t next;       /* first row that is not in the buffer yet */
    unsigned char *rows; /* owned */
    size_t held, used;
};

/* Do columns hold only codes and flags that mean something, by the schema and the file's catalogs? `rows` are
 * rows of that table, the first of them row `first`; `columns` as in struct read__scan. COR_STATUS_INPUT. */
enum cor_status read__check_codes(const struct cor_result_header *head, uint32_t table, uint64_t columns,
                                  const unsigned char *rows, uint64_t first, size_t count,
                                  struct cor_error *error) COR_MUST_USE;

/* Do texts of rows, as cor_column_text finds them, lie within their vectors? Then "%.*s" can say how long
 * they are. COR_STATUS_INPUT. */
enum cor_status read__check_texts(const struct cor_layer_tables *tables,
                                  struct cor_error *error) COR_MUST_USE;

/* A table of any layer that contradicts itself or another; `format` completes "table GROUP: ". */
enum cor_status read__foreign(struct cor_error *error, const char *group, const char *format, ...)
    COR_PRINTF(3, 4);

/* A file that cannot be what this program wrote. */
enum cor_status read__unlike(const char *place, const char *cause, struct cor_error *error) COR_MUST_USE;

/* As cor_suite_check, without chains and profiles (suite_reader.c). */
enum cor_status read__check_numbers(const struct cor_suite_rows *suite, const struct cor_result *result,
                                    struct cor_error *error) COR_MUST_USE;

#endif
