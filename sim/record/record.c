/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frame.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* How every row begins; COR_TABLE_COLUMNS asserts it. */
struct row_head {
    uint16_t arm;
    uint32_t suite;
};

enum cor_status cor_record_create(const struct cor_layer_schema *layer, struct cor_record **record,
                                  struct cor_error *error) {
    COR_ASSERT(layer->table_count <= COR_TABLES_MAX && layer->vector_count <= COR_VECTORS_MAX);
    *record = cor_calloc(1, sizeof **record);
    COR_TRY(cor_made(*record, error));
    (*record)->layer = layer;
    return COR_OK;
}

void cor_record_destroy(struct cor_record *record) {
    if (!record)
        return;
    for (size_t t = 0; t < COR_TABLES_MAX; t++)
        free(record->tables[t].items);
    for (size_t v = 0; v < COR_VECTORS_MAX; v++)
        free(record->vectors[v].items);
    free(record);
}

void cor_record_begin(struct cor_record *record, uint16_t arm, uint32_t suite) {
    record->arm = arm;
    record->suite = suite;
    for (size_t t = 0; t < COR_TABLES_MAX; t++)
        record->tables[t].count = 0;
    for (size_t v = 0; v < COR_VECTORS_MAX; v++)
        record->vectors[v].count = 0;
}

void *cor_record_row(struct cor_record *record, uint32_t table, struct cor_error *error) {
    COR_ASSERT(table < record->layer->table_count);
    size_t row_size = record->layer->tables[table].row_size;
    struct cor__store *store = &record->tables[table];
    if (store->count == store->capacity &&
        cor_array_reserve(&store->items, &store->capacity, store->count + 1, row_size, error) != COR_OK)
        return NULL;
    struct row_head *row = (void *)((unsigned char *)store->items + store->count * row_size);
    memset(row, 0, row_size);
    row->arm = record->arm;
    row->suite = record->suite;
    store->count++;
    return row;
}

enum cor_status cor_record_put(struct cor_record *record, uint32_t vector, const void *items, size_t count,
                               uint64_t *start, struct cor_error *error) {
    COR_ASSERT(vector < record->layer->vector_count);
    size_t item_size = cor_type_size(record->layer->vectors[vector].type);
    struct cor__store *store = &record->vectors[vector];
    if (count > SIZE_MAX - store->count)
        return cor_fail_memory(error);
    COR_TRY(cor_array_reserve(&store->items, &store->capacity, store->count + count, item_size, error));
    if (count > 0)
        memcpy((unsigned char *)store->items + store->count * item_size, items, count * item_size);
    if (start)
        *start = store->count;
    store->count += count;
    return COR_OK;
}

size_t cor_record_size(const struct cor_record *record, uint32_t table) {
    COR_ASSERT(table < record->layer->table_count);
    return record->tables[table].count;
}

void *cor_record_at(struct cor_record *record, uint32_t table, size_t index) {
    COR_ASSERT(index < cor_record_size(record, table));
    return (unsigned char *)record->tables[table].items + index * record->layer->tables[table].row_size;
}

const void *cor_record_items(const struct cor_record *record, uint32_t vector, size_t *count) {
    COR_ASSERT(vector < record->layer->vector_count);
    if (count)
        *count = record->vectors[vector].count;
    return record->vectors[vector].items;
}

struct cor_record_mark cor_record_mark(const struct cor_record *record) {
    struct cor_record_mark mark;
    for (size_t t = 0; t < COR_TABLES_MAX; t++)
        mark.rows[t] = record->tables[t].count;
    for (size_t v = 0; v < COR_VECTORS_MAX; v++)
        mark.items[v] = record->vectors[v].count;
    return mark;
}

void cor_record_rewind(struct cor_record *record, const struct cor_record_mark *mark) {
    for (size_t t = 0; t < COR_TABLES_MAX; t++) {
        COR_ASSERT(mark->rows[t] <= record->tables[t].count);
        record->tables[t].count = mark->rows[t];
    }
    for (size_t v = 0; v < COR_VECTORS_MAX; v++) {
        COR_ASSERT(mark->items[v] <= record->vectors[v].count);
        record->vectors[v].count = mark->items[v];
    }
}
