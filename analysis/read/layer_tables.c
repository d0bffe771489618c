/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/layer_tables.h>

#include "scan.h"

#include <corridor/arms.h>
#include <corridor/array.h>

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct cor_row_key key_at(const void *rows, size_t row_size, uint64_t index) {
    return cor_row_key_of((const unsigned char *)rows + index * row_size);
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

enum cor_status cor_layer_tables_add(struct cor_layer_tables *tables, uint32_t table,
                                     struct cor_error *error) {
    COR_ASSERT(!tables->rows[table]);
    const struct cor_result_header *head = cor_result_head(tables->result);
    const struct cor_table_schema *schema = &head->layer->tables[table];
    struct cor_row_key before = {0};
    tables->count[table] = cor_result_size(tables->result, table);
    COR_TRY(cor_made(tables->rows[table] = cor_calloc(tables->count[table], schema->row_size), error));
    if (tables->count[table] > 0)
        COR_TRY(cor_result_read(tables->result, table, 0, tables->count[table], tables->rows[table], error));
    for (uint64_t i = 0; i < tables->count[table]; i++) {
        const struct cor_row_key key = key_at(tables->rows[table], schema->row_size, i);
        if (cor_row_key_before(key, before))
            return read__foreign(error, schema->group,
                                 "row %" PRIu64 ": arm %u, suite %" PRIu32 " is out of order", i, key.arm,
                                 key.suite);
        if (key.arm >= cor_arm_count(head)) /* whose codes are their places (result.c) */
            return read__foreign(error, schema->group,
                                 "row %" PRIu64 ": arm is %u, which is beyond the entries of catalog/arm", i,
                                 key.arm);
        before = key;
    }
    COR_TRY(read__check_codes(head, table, UINT64_MAX, tables->rows[table], 0, (size_t)tables->count[table],
                              error));
    if (!tables->rows[0])
        return COR_OK;
    /* Is each row of that table of a suite, of which the first table has one row each? */
    const struct cor_layer_schema *layer = tables->head->layer;
    const size_t size = layer->tables[table].row_size, suite_size = layer->tables[0].row_size;
    uint64_t suite = 0;
    for (uint64_t i = 0; i < tables->count[table]; i++) {
        const struct cor_row_key key = key_at(tables->rows[table], size, i);
        while (suite < tables->count[0] &&
               cor_row_key_before(key_at(tables->rows[0], suite_size, suite), key))
            suite++;
        if (suite == tables->count[0] || !cor_row_key_equal(key_at(tables->rows[0], suite_size, suite), key))
            return read__foreign(error, layer->tables[table].group,
                                 "row %" PRIu64 " is of arm %u, suite %" PRIu32 ": no such suite", i, key.arm,
                                 key.suite);
        if (table == 0 && suite++ != i)
            return read__foreign(error, layer->tables[table].group, "arm %u, suite %" PRIu32 " occurs twice",
                                 key.arm, key.suite);
    }
    return COR_OK;
}

enum cor_status cor_layer_tables_init(struct cor_result *result, uint64_t table_bits, uint64_t vector_bits,
                                      struct cor_layer_tables *tables, struct cor_error *error) {
    enum cor_status status = COR_OK;
    *tables = (struct cor_layer_tables){.result = result, .head = cor_result_head(result)};
    for (uint32_t t = 0; t < tables->head->layer->table_count; t++)
        if (table_bits >> t & 1)
            COR_TRY_OUT(cor_layer_tables_add(tables, t, error));
    for (uint32_t v = 0; v < tables->head->layer->vector_count; v++)
        if (vector_bits >> v & 1) {
            const uint64_t count = cor_result_vector_size(tables->result, v);
            tables->items[v] = cor_calloc(count, cor_type_size(tables->head->layer->vectors[v].type));
            COR_TRY_OUT(cor_made(tables->items[v], error));
            tables->item_count[v] = count;
            if (count > 0)
                COR_TRY_OUT(cor_result_read_vector(tables->result, v, 0, count, tables->items[v], error));
        }
out:
    if (status != COR_OK)
        cor_layer_tables_fini(tables);
    return status;
}

void cor_layer_tables_fini(struct cor_layer_tables *tables) {
    for (int t = 0; t < COR_TABLES_MAX; t++)
        free(tables->rows[t]);
    for (int v = 0; v < COR_VECTORS_MAX; v++)
        free(tables->items[v]);
    *tables = (struct cor_layer_tables){0};
}

const void *cor_layer_row(const struct cor_layer_tables *tables, uint32_t table, uint64_t index) {
    COR_ASSERT(index < tables->count[table]);
    return (const unsigned char *)tables->rows[table] + index * tables->head->layer->tables[table].row_size;
}

uint64_t cor_layer_rows_of(const struct cor_layer_tables *tables, uint32_t table, uint16_t arm,
                           uint32_t suite, uint64_t *count) {
    const struct cor_table_schema *schema = &tables->head->layer->tables[table];
    const struct cor_row_key key = {arm, suite};
    const uint64_t first = rows_up_to(schema, tables->rows[table], tables->count[table], key, false);
    *count = rows_up_to(schema, tables->rows[table], tables->count[table], key, true) - first;
    return first;
}

enum cor_status read__check_texts(const struct cor_layer_tables *tables, struct cor_error *error) {
    const struct cor_layer_schema *layer = tables->head->layer;
    for (uint32_t t = 0; t < layer->table_count; t++)
        for (uint32_t c = 0; c < layer->tables[t].column_count; c++) {
            const struct cor_column *column = &layer->tables[t].columns[c];
            const uint32_t text = cor_column_text(layer, t, c);
            if (text == layer->vector_count)
                continue;
            const uint64_t size = tables->item_count[text];
            for (uint64_t i = 0; i < tables->count[t]; i++) {
                const unsigned char *row = cor_layer_row(tables, t, i);
                uint64_t start;
                uint32_t bytes;
                memcpy(&start, row + column[0].offset, sizeof start);
                memcpy(&bytes, row + column[1].offset, sizeof bytes);
                if (start > size || bytes > size - start || bytes > INT_MAX)
                    return read__foreign(error, layer->tables[t].group,
                                         "row %" PRIu64 ": %s and %s name bytes %" PRIu64 " to %" PRIu64
                                         " of vectors/%s, which has %" PRIu64,
                                         i, column[0].name, column[1].name, start, start + bytes,
                                         layer->vectors[text].dataset, size);
            }
        }
    return COR_OK;
}

enum cor_status cor_layer_suite_find(const struct cor_layer_tables *tables, uint32_t table, size_t arm,
                                     uint32_t suite, struct cor_error *error) {
    uint32_t first = UINT32_MAX, last = 0;
    char known[100] = "";
    for (uint64_t i = 0; i < tables->count[table]; i++) {
        const struct cor_row_key key = cor_row_key_of(cor_layer_row(tables, table, i));
        if (arm != SIZE_MAX && key.arm != arm)
            continue;
        if (key.suite == suite)
            return COR_OK;
        first = key.suite < first ? key.suite : first;
        last = key.suite > last ? key.suite : last;
    }
    if (first == last)
        snprintf(known, sizeof known, "known: %" PRIu32, first);
    else if (first < last)
        snprintf(known, sizeof known, "known: %" PRIu32 " to %" PRIu32, first, last);
    if (arm == SIZE_MAX)
        return cor_fail(error, COR_STATUS_INPUT, "--suite", known,
                        "no arm has a suite %" PRIu32 " in this file", suite);
    return cor_fail(error, COR_STATUS_INPUT, "--suite", known, "arm %s has no suite %" PRIu32 " in this file",
                    cor_arm_entry(tables->head, arm)->name, suite);
}
