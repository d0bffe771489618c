/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rows.h"

#include "scan.h"

#include <corridor/arms.h>
#include <corridor/array.h>

#include <inttypes.h>
#include <string.h>

static struct cor_row_key key_at(const void *rows, size_t row_size, uint64_t index) {
    return cor_row_key_of((const unsigned char *)rows + index * row_size);
}

enum cor_status read__rows_fail(const char *place, const char *cause, struct cor_error *error) {
    return cor_fail(error, COR_STATUS_INPUT, place, "take another copy, or run the experiment again", "%s",
                    cause);
}

enum cor_status read__rows_load(struct cor_result *result, uint32_t table, void **rows, uint64_t *count,
                                struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(result);
    const struct cor_table_schema *schema = &head->layer->tables[table];
    struct cor_row_key before = {0};
    *count = cor_result_size(result, table);
    *rows = cor_calloc(*count, schema->row_size);
    COR_TRY(cor_made(*rows, error));
    if (*count > 0)
        COR_TRY(cor_result_read(result, table, 0, *count, *rows, error));
    for (uint64_t i = 0; i < *count; i++) {
        const struct cor_row_key key = key_at(*rows, schema->row_size, i);
        if (cor_row_key_before(key, before))
            return read__rows_fail(schema->group, "suites are out of order", error);
        if (key.arm >= cor_arm_count(head))
            return read__rows_fail(schema->group, "a row is of an arm that there is not", error);
        before = key;
    }
    return read__check_codes(schema, UINT64_MAX, *rows, 0, (size_t)*count, error);
}

enum cor_status read__rows_belong(const struct cor_layer_schema *layer, uint32_t table, void *const *rows,
                                  const uint64_t *count, struct cor_error *error) {
    const size_t size = layer->tables[table].row_size, suite_size = layer->tables[0].row_size;
    uint64_t suite = 0;
    for (uint64_t i = 0; i < count[table]; i++) {
        const struct cor_row_key key = key_at(rows[table], size, i);
        while (suite < count[0] && cor_row_key_before(key_at(rows[0], suite_size, suite), key))
            suite++;
        if (suite == count[0] || !cor_row_key_equal(key_at(rows[0], suite_size, suite), key))
            return read__foreign(error, layer->tables[table].group,
                                 "row %" PRIu64 " is of arm %u, suite %" PRIu32 ": no such suite", i, key.arm,
                                 key.suite);
        if (table == 0 && suite++ != i)
            return read__foreign(error, layer->tables[table].group, "arm %u, suite %" PRIu32 " occurs twice",
                                 key.arm, key.suite);
    }
    return COR_OK;
}

/* Rows at the beginning whose key lies before `key`, or is it. */
static uint64_t rows_up_to(const struct cor_table_schema *schema, const void *rows, uint64_t count,
                           struct cor_row_key key, bool too) {
    uint64_t low = 0, high = count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const struct cor_row_key at = key_at(rows, schema->row_size, middle);
        if (cor_row_key_before(at, key) || (too && cor_row_key_equal(at, key)))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint64_t read__rows_of(const struct cor_table_schema *schema, const void *rows, uint64_t count, uint16_t arm,
                       uint32_t suite, uint64_t *found) {
    const struct cor_row_key key = {arm, suite};
    const uint64_t first = rows_up_to(schema, rows, count, key, false);
    *found = rows_up_to(schema, rows, count, key, true) - first;
    return first;
}
