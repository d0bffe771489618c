/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scan.h"

#include <corridor/suite_reader.h>

#include <corridor/array.h>

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 2048 /* of a buffer at most: it and the chunks it is filled from stay in the cache */

/* A group that contradicts itself or another. */
static enum cor_status fail_group(struct cor_error *error, const char *group, const char *format,
                                  va_list arguments) {
    char place[64], cause[512];
    vsnprintf(cause, sizeof cause, format, arguments);
    snprintf(place, sizeof place, "table %s", group);
    return cor_fail(error, COR_STATUS_INPUT, place, "the file was not written by this program, or is damaged",
                    "%s", cause);
}

enum cor_status read__foreign(struct cor_error *error, const char *group, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    enum cor_status status = fail_group(error, group, format, arguments);
    va_end(arguments);
    return status;
}

enum cor_status cor_damaged(struct cor_error *error, enum cor_table table, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    enum cor_status status = fail_group(error, cor_schema(table)->group, format, arguments);
    va_end(arguments);
    return status;
}

static uint64_t column_bit(const struct cor_table_schema *schema, const char *name) {
    uint32_t index = 0;
    while (index < schema->column_count && strcmp(schema->columns[index].name, name) != 0)
        index++;
    COR_ASSERT(index < schema->column_count);
    return UINT64_C(1) << index;
}

enum cor_status read__scan_init(struct read__scan *scan, struct cor_result *result, enum cor_table table,
                                const char *const *columns, struct cor_error *error) {
    const struct cor_table_schema *schema = cor_schema(table);
    *scan = (struct read__scan){.result = result, .table = table};
    scan->columns = columns ? column_bit(schema, "arm") | column_bit(schema, "suite") : UINT64_MAX;
    for (; columns && *columns; columns++)
        scan->columns |= column_bit(schema, *columns);
    const uint64_t size = cor_result_size(result, table);
    scan->rows = cor_calloc(size < ROWS ? (size_t)size : ROWS, schema->row_size);
    return scan->rows ? COR_OK : cor_fail_memory(error);
}

void read__scan_fini(struct read__scan *scan) {
    free(scan->rows);
    scan->rows = NULL;
}

/* A row with a value that no build of this program writes makes all figures doubtful, whoever reads them. */
static enum cor_status mean_nothing(const struct cor_table_schema *schema, const struct cor_column *column,
                                    uint64_t row, unsigned value, struct cor_error *error) {
    return read__foreign(error, schema->group, "row %" PRIu64 ": %s is %u, which means nothing", row,
                         column->name, value);
}

static enum cor_status check_bytes(const struct cor_table_schema *schema, const struct cor_column *column,
                                   const unsigned char *rows, uint64_t first, size_t count,
                                   struct cor_error *error) {
    bool holds[256], any = false;
    for (int value = 0; value < 256; value++) {
        holds[value] = cor_column_holds(column, (uint8_t)value);
        any = any || !holds[value];
    }
    for (size_t i = 0; any && i < count; i++) {
        const uint8_t value = rows[i * schema->row_size + column->offset];
        if (!holds[value])
            return mean_nothing(schema, column, first + i, value, error);
    }
    return COR_OK;
}

static bool is_in_catalog(const struct cor_result_header *head, uint32_t catalog, uint16_t code) {
    size_t i = 0;
    while (i < head->catalog_size[catalog] && head->catalog[catalog][i].code != code)
        i++;
    return i < head->catalog_size[catalog];
}

static enum cor_status check_catalog(const struct cor_result_header *head,
                                     const struct cor_table_schema *schema, const struct cor_column *column,
                                     const unsigned char *rows, uint64_t first, size_t count,
                                     struct cor_error *error) {
    const uint32_t catalog = cor_column_catalog(head->layer, column);
    const bool zero = cor_column_explains_zero(column);
    if (catalog == 0 || catalog == head->layer->catalog_count) /* arms: whether there is such a suite */
        return COR_OK;
    for (size_t i = 0, known = SIZE_MAX; i < count; i++) {
        uint16_t code;
        memcpy(&code, rows + i * schema->row_size + column->offset, sizeof code);
        if (code == known || (code == 0 && zero))
            continue;
        if (!is_in_catalog(head, catalog, code))
            return mean_nothing(schema, column, first + i, code, error);
        known = code;
    }
    return COR_OK;
}

static bool is_share(const struct cor_column *column) {
    static const char *const endings[] = {"probability", "rate", "share", "inertia"};
    const size_t length = strlen(column->name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t size = strlen(endings[i]);
        if (length >= size && strcmp(column->name + length - size, endings[i]) == 0)
            return column->type == COR_TYPE_F64 && strcmp(column->unit, "1") == 0;
    }
    return false;
}

/* NaN where the column says what that means. */
static enum cor_status check_shares(const struct cor_table_schema *schema, const struct cor_column *column,
                                    const unsigned char *rows, uint64_t first, size_t count,
                                    struct cor_error *error) {
    const bool may_lack = strstr(column->meaning, "NaN") != NULL;
    for (size_t i = 0; i < count; i++) {
        double value;
        memcpy(&value, rows + i * schema->row_size + column->offset, sizeof value);
        if (!(value >= 0 && value <= 1) && !(may_lack && isnan(value)))
            return read__foreign(error, schema->group, "row %" PRIu64 ": %s is %g, not between 0 and 1",
                                 first + i, column->name, value);
    }
    return COR_OK;
}

enum cor_status read__check_codes(const struct cor_result_header *head, uint32_t table, uint64_t columns,
                                  const unsigned char *rows, uint64_t first, size_t count,
                                  struct cor_error *error) {
    const struct cor_table_schema *schema = &head->layer->tables[table];
    for (uint32_t c = 0; c < schema->column_count; c++)
        if (columns >> c & 1) {
            if (schema->columns[c].type == COR_TYPE_U8)
                COR_TRY(check_bytes(schema, &schema->columns[c], rows, first, count, error));
            if (is_share(&schema->columns[c]))
                COR_TRY(check_shares(schema, &schema->columns[c], rows, first, count, error));
            COR_TRY(check_catalog(head, schema, &schema->columns[c], rows, first, count, error));
        }
    return COR_OK;
}

/* Makes the buffer hold the next row, if there is one. */
static enum cor_status fill(struct read__scan *scan, struct cor_error *error) {
    if (scan->used < scan->held)
        return COR_OK;
    uint64_t left = cor_result_size(scan->result, scan->table) - scan->next;
    scan->used = 0;
    scan->held = left < ROWS ? (size_t)left : ROWS;
    if (scan->held == 0)
        return COR_OK;
    COR_TRY(cor_result_read_columns(scan->result, scan->table, scan->columns, scan->next, scan->held,
                                    scan->rows, error));
    scan->next += scan->held;
    if (scan->table == COR_TABLE_VIOLATIONS) /* box and check are judged together by those who count them */
        return COR_OK;
    return read__check_codes(cor_result_head(scan->result), scan->table, scan->columns, scan->rows,
                             scan->next - scan->held, scan->held, error);
}

/* The next row in the buffer, NULL if it is used up. */
static const unsigned char *present(const struct read__scan *scan) {
    return scan->used == scan->held ? NULL : scan->rows + scan->used * cor_schema(scan->table)->row_size;
}

static enum cor_status orphan(const struct read__scan *scan, struct cor_row_key key,
                              struct cor_error *error) {
    return cor_damaged(error, scan->table,
                       "row %" PRIu64 " is of arm %u, suite %" PRIu32
                       ": no such suite, or not in ascending order of arm and suite",
                       scan->next - scan->held + scan->used, key.arm, key.suite);
}

enum cor_status read__scan_seek(struct read__scan *scan, uint16_t arm, uint32_t suite,
                                struct cor_error *error) {
    const struct cor_row_key wanted = {arm, suite};
    uint64_t low = 0, high = cor_result_size(scan->result, scan->table);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        COR_TRY(cor_result_read_columns(scan->result, scan->table, COR_ROW_KEY_COLUMNS, middle, 1, scan->rows,
                                        error));
        if (cor_row_key_before(cor_row_key_of(scan->rows), wanted))
            low = middle + 1;
        else
            high = middle;
    }
    scan->next = low;
    scan->used = scan->held = 0;
    return COR_OK;
}

enum cor_status read__scan_next(struct read__scan *scan, uint16_t arm, uint32_t suite, const void **rows,
                                size_t *count, struct cor_error *error) {
    const struct cor_row_key wanted = {arm, suite};
    size_t size = cor_schema(scan->table)->row_size;
    *count = 0;
    COR_TRY(fill(scan, error));
    const unsigned char *row = *rows = present(scan);
    if (row && cor_row_key_before(cor_row_key_of(row), wanted))
        return orphan(scan, cor_row_key_of(row), error);
    for (; scan->used < scan->held; row += size, scan->used++, ++*count)
        if (!cor_row_key_equal(cor_row_key_of(row), wanted))
            break;
    return COR_OK;
}

enum cor_status read__scan_any(struct read__scan *scan, const void **row, struct cor_error *error) {
    COR_TRY(fill(scan, error));
    *row = present(scan);
    scan->used += *row != NULL;
    return COR_OK;
}

enum cor_status read__scan_end(struct read__scan *scan, struct cor_error *error) {
    COR_TRY(fill(scan, error));
    const unsigned char *row = present(scan);
    return row ? orphan(scan, cor_row_key_of(row), error) : COR_OK;
}

enum cor_status read__unlike(const char *place, const char *cause, struct cor_error *error) {
    return cor_fail(error, COR_STATUS_INPUT, place, "take another copy, or run the experiment again", "%s",
                    cause);
}
