/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of belief sets that are relations (cor_design_make_relation), while a case goes on. A row has a
 * value of each field that the design gives the set; its key tells it from others. The row in scope is that
 * of the key values that a plan sees. Other belief sets have no rows here: their fields hold their values. */
#ifndef CORRIDOR_ROWS_H
#define CORRIDOR_ROWS_H

#include <corridor/design.h>

#define COR_ROWS_MOST 1000 /* with which a case begins */

struct cor_rows {
    const struct cor_design *design; /* borrowed */
    struct cor_row_set {
        struct cor_value *values; /* owned; row after row */
        uint32_t count;
        size_t capacity;
    } * sets; /* owned; [belief] */
};

/* No rows, for a design that must outlive them. */
enum cor_status cor_rows_init(struct cor_rows *rows, const struct cor_design *design,
                              struct cor_error *error) COR_MUST_USE;

/* Frees what the rows hold. Idempotent. */
void cor_rows_fini(struct cor_rows *rows);

/* The rows with which a case begins that posts the event: that of the key in scope, if "exists" says so, and
 * as many others as "count" says beyond it: the first integer of the key is one more, two more and so on,
 * other fields have what the design says that they start with. */
enum cor_status cor_rows_begin(struct cor_rows *rows, uint32_t event, const struct cor_value *fields,
                               const struct cor_value *arguments, struct cor_error *error) COR_MUST_USE;

/* The row of these key values, in the order of the fields; NULL: there is none. Valid until rows change. */
struct cor_value *cor_rows_find(const struct cor_rows *rows, uint32_t belief, const struct cor_value *keys);

/* The row is there, instead of one of the same key. */
enum cor_status cor_rows_insert(struct cor_rows *rows, uint32_t belief, const struct cor_value *row,
                                struct cor_error *error) COR_MUST_USE;

/* No row has the key. */
void cor_rows_remove(struct cor_rows *rows, uint32_t belief, const struct cor_value *keys);

/* Makes slots show the rows of the keys in them: their fields, "exists" and "count". */
void cor_rows_view(const struct cor_rows *rows, struct cor_value *slots);

/* The key of a row, or of the row in scope of slots (from the first field of the set on): the key fields
 * alone. `keys` has room for the set's key_count. */
void cor_rows_key(const struct cor_design *design, uint32_t belief, const struct cor_value *row,
                  struct cor_value *keys);

/* Are the rows of the set the same, in whatever order? */
bool cor_rows_equal(const struct cor_rows *a, const struct cor_rows *b, uint32_t belief);

#endif
