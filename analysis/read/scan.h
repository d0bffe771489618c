/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table of the result file read from front to back, suite after suite, a buffer at a time. */
#ifndef CORRIDOR_ANALYSIS_READ_SCAN_H
#define CORRIDOR_ANALYSIS_READ_SCAN_H

#include <corridor/layer_tables.h>

struct read__scan {
    struct cor_result *result; /* borrowed */
    enum cor_table table;
    uint64_t columns;    /* that are read, as for cor_result_read_columns */
    uint64_t next;       /* first row that is not in the buffer yet */
    unsigned char *rows; /* owned */
    size_t held, used;
};

/* Starts at the first row. `columns` names what is read beside arm and suite, NULL-terminated; NULL = all. */
enum cor_status read__scan_init(struct read__scan *scan, struct cor_result *result, enum cor_table table,
                                const char *const *columns, struct cor_error *error) COR_MUST_USE;
void read__scan_fini(struct read__scan *scan);

/* Goes to the first row that does not lie before that suite. */
enum cor_status read__scan_seek(struct read__scan *scan, uint16_t arm, uint32_t suite,
                                struct cor_error *error) COR_MUST_USE;

/* The next rows of that suite, as many as lie in the buffer; *count is 0 when it has no more. Rows lie in
 * ascending order of (arm, suite): a row that lies before that suite belongs to none and is COR_STATUS_INPUT.
 * Valid until the next call. */
enum cor_status read__scan_next(struct read__scan *scan, uint16_t arm, uint32_t suite, const void **rows,
                                size_t *count, struct cor_error *error) COR_MUST_USE;

/* The next row whatever its suite, NULL in *row at the end of the table. */
enum cor_status read__scan_any(struct read__scan *scan, const void **row,
                               struct cor_error *error) COR_MUST_USE;

/* Complains about rows that are left after the last suite. */
enum cor_status read__scan_end(struct read__scan *scan, struct cor_error *error) COR_MUST_USE;

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

#endif
