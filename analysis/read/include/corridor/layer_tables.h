/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables and vectors of a result file of any layer in memory, as its schema says, and the rows of one suite
 * of each. Rows begin with arm and suite, and stand in their order. */
#ifndef CORRIDOR_LAYER_TABLES_H
#define CORRIDOR_LAYER_TABLES_H

#include <corridor/result.h>

/* The arrays are indexed as in the schema; the result must outlive them. */
struct cor_layer_tables {
    struct cor_result *result;            /* borrowed */
    const struct cor_result_header *head; /* borrowed */
    void *rows[COR_TABLES_MAX];           /* owned; row structs; NULL: not read */
    uint64_t count[COR_TABLES_MAX];
    void *items[COR_VECTORS_MAX]; /* owned; NULL: not read */
    uint64_t item_count[COR_VECTORS_MAX];
};

#define COR_ALL_TABLES UINT64_MAX
#define COR_ALL_VECTORS UINT64_MAX

/* Reads the tables and vectors whose bits are set. COR_STATUS_INPUT: suites of a table are out of order, or
 * of an arm that there is not, or not in the layer's first table, which has one row a suite (of that, if it
 * is read); a code or flag means nothing. */
enum cor_status cor_layer_tables_init(struct cor_result *result, uint64_t table_bits, uint64_t vector_bits,
                                      struct cor_layer_tables *tables, struct cor_error *error) COR_MUST_USE;

/* Reads one more table. */
enum cor_status cor_layer_tables_add(struct cor_layer_tables *tables, uint32_t table,
                                     struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_layer_tables_fini(struct cor_layer_tables *tables);

/* Row `index` of a table. */
const void *cor_layer_row(const struct cor_layer_tables *tables, uint32_t table, uint64_t index);

/* First row of a table that is of the suite, and how many there are. */
uint64_t cor_layer_rows_of(const struct cor_layer_tables *tables, uint32_t table, uint16_t arm,
                           uint32_t suite, uint64_t *count);

/* A suite that somebody asks for has to be there: a row of the table has it, of that arm, or of any with
 * SIZE_MAX. COR_STATUS_INPUT, at "--suite": none has; and which there are. */
enum cor_status cor_layer_suite_find(const struct cor_layer_tables *tables, uint32_t table, size_t arm,
                                     uint32_t suite, struct cor_error *error) COR_MUST_USE;

#endif
