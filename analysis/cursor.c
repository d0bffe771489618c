/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cursor.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 16384 /* of a buffer: a quarter of a chunk of the file */

/* What every row begins with. */
struct key {
    uint16_t arm;
    uint32_t suite;
};

enum cor_status cor__damaged(struct cor_error *error, enum cor_table table, const char *format, ...) {
    char place[64], cause[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cause, sizeof cause, format, arguments);
    va_end(arguments);
    snprintf(place, sizeof place, "table %s", cor_schema(table)->group);
    return cor_fail(error, COR_STATUS_INPUT, place, "the file was not written by this program, or is damaged",
                    "%s", cause);
}

static uint64_t column_bit(const struct cor_table_schema *schema, const char *name) {
    uint32_t index = 0;
    while (index < schema->column_count && strcmp(schema->columns[index].name, name) != 0)
        index++;
    COR_ASSERT(index < schema->column_count);
    return UINT64_C(1) << index;
}

enum cor_status cor__cursor_init(struct cor__cursor *cursor, struct cor_result *result, enum cor_table table,
                                 const char *const *columns, struct cor_error *error) {
    const struct cor_table_schema *schema = cor_schema(table);
    *cursor = (struct cor__cursor){.result = result, .table = table};
    cursor->columns = column_bit(schema, "arm") | column_bit(schema, "suite");
    for (; *columns; columns++)
        cursor->columns |= column_bit(schema, *columns);
    cursor->rows = cor_calloc(ROWS, schema->row_size);
    return cursor->rows ? COR_OK : cor_fail_memory(error);
}

void cor__cursor_fini(struct cor__cursor *cursor) {
    free(cursor->rows);
    cursor->rows = NULL;
}

/* Makes the buffer hold the next row, if there is one. */
static enum cor_status fill(struct cor__cursor *cursor, struct cor_error *error) {
    if (cursor->used < cursor->held)
        return COR_OK;
    uint64_t left = cor_result_size(cursor->result, cursor->table) - cursor->next;
    cursor->used = 0;
    cursor->held = left < ROWS ? (size_t)left : ROWS;
    if (cursor->held == 0)
        return COR_OK;
    enum cor_status status = cor_result_read_columns(cursor->result, cursor->table, cursor->columns,
                                                     cursor->next, cursor->held, cursor->rows, error);
    cursor->next += cursor->held;
    return status;
}

static const unsigned char *present(const struct cor__cursor *cursor, struct key *key) {
    if (cursor->used == cursor->held)
        return NULL;
    const unsigned char *row = cursor->rows + cursor->used * cor_schema(cursor->table)->row_size;
    memcpy(key, row, sizeof *key);
    return row;
}

static enum cor_status orphan(const struct cor__cursor *cursor, const struct key *key,
                              struct cor_error *error) {
    return cor__damaged(error, cursor->table,
                        "row %" PRIu64 " is of arm %u, suite %" PRIu32 ": no such suite, or not "
                        "in ascending order of arm and suite",
                        cursor->next - cursor->held + cursor->used, key->arm, key->suite);
}

enum cor_status cor__cursor_next(struct cor__cursor *cursor, uint16_t arm, uint32_t suite, const void **row,
                                 struct cor_error *error) {
    struct key key;
    enum cor_status status = fill(cursor, error);
    *row = NULL;
    const unsigned char *found = status == COR_OK ? present(cursor, &key) : NULL;
    if (!found || key.arm > arm || (key.arm == arm && key.suite > suite))
        return status;
    if (key.arm != arm || key.suite != suite)
        return orphan(cursor, &key, error);
    *row = found;
    cursor->used++;
    return COR_OK;
}

enum cor_status cor__cursor_any(struct cor__cursor *cursor, const void **row, struct cor_error *error) {
    struct key key;
    enum cor_status status = fill(cursor, error);
    *row = status == COR_OK ? present(cursor, &key) : NULL;
    cursor->used += *row != NULL;
    return status;
}

enum cor_status cor__cursor_end(struct cor__cursor *cursor, struct cor_error *error) {
    struct key key;
    enum cor_status status = fill(cursor, error);
    return status == COR_OK && present(cursor, &key) ? orphan(cursor, &key, error) : status;
}
