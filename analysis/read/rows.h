/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All rows of a table in memory, of any layer: rows begin with arm and suite, and stand in their order.
 * Private to this room. */
#ifndef CORRIDOR_READ_ROWS_H
#define CORRIDOR_READ_ROWS_H

#include <corridor/result.h>

/* Reads table `table` into *rows, which is the caller's to free, also on failure. COR_STATUS_INPUT: suites
 * are out of order, or of an arm that there is not; a code or flag means nothing. */
enum cor_status read__rows_load(struct cor_result *result, uint32_t table, void **rows, uint64_t *count,
                                struct cor_error *error) COR_MUST_USE;

/* Is each row of that table of a suite, of which the first table has one row each? `rows`, `count`: of all
 * tables of the layer. COR_STATUS_INPUT. */
enum cor_status read__rows_belong(const struct cor_layer_schema *layer, uint32_t table, void *const *rows,
                                  const uint64_t *count, struct cor_error *error) COR_MUST_USE;

/* The first of `count` rows of the table that is of the suite, and how many there are. */
uint64_t read__rows_of(const struct cor_table_schema *schema, const void *rows, uint64_t count, uint16_t arm,
                       uint32_t suite, uint64_t *found);

/* A file that cannot be what this program wrote. */
enum cor_status read__rows_fail(const char *place, const char *cause, struct cor_error *error) COR_MUST_USE;

#endif
