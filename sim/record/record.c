/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frame.h"

#include <corridor/array.h>
#include <corridor/bytes.h>

#include <isa-l/crc.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum cor_status cor_record_create(const struct cor_layer_schema *layer, struct cor_record **record,
                                  struct cor_error *error) {
    COR_ASSERT(layer->table_count <= COR_TABLES_MAX && layer->vector_count <= COR_VECTORS_MAX);
    *record = cor_calloc(1, sizeof **record);
    COR_TRY(cor_made(*record, error));
    (*record)->layer = layer;
    (*record)->schema = record__schema_hash(layer);
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

void cor_record_only_write(struct cor_record *record) {
    record->is_only_written = true;
    for (uint32_t v = 0; v < record->layer->vector_count; v++) {
        COR_ASSERT(record->vectors[v].capacity == 0);
        record->vectors[v].narrow = record->layer->vectors[v].type == COR_TYPE_U32;
    }
}

void cor_record_begin(struct cor_record *record, uint16_t arm, uint32_t suite) {
    record->arm = arm;
    record->suite = suite;
    record->counts = (struct cor_suite_counts){0};
    for (size_t t = 0; t < COR_TABLES_MAX; t++)
        record->tables[t].count = 0;
    for (size_t v = 0; v < COR_VECTORS_MAX; v++) {
        struct record__store *store = &record->vectors[v];
        store->count = 0;
        if (store->narrow > 1) {
            store->capacity *= store->narrow;
            store->narrow = 1;
        }
    }
}

void *cor_record_row(struct cor_record *record, uint32_t table, struct cor_error *error) {
    COR_ASSERT(table < record->layer->table_count);
    size_t row_size = record->layer->tables[table].row_size;
    struct record__store *store = &record->tables[table];
    if (store->count == store->capacity &&
        cor_array_reserve(&store->items, &store->capacity, store->count + 1, row_size, error) != COR_OK)
        return NULL;
    struct cor_row_key *row = (void *)((unsigned char *)store->items + store->count * row_size);
    memset(row, 0, row_size);
    row->arm = record->arm;
    row->suite = record->suite;
    store->count++;
    return row;
}

static uint32_t narrow_item(const struct record__store *store, size_t at) {
    return store->narrow == 1   ? ((const uint8_t *)store->items)[at]
           : store->narrow == 2 ? ((const uint16_t *)store->items)[at]
                                : ((const uint32_t *)store->items)[at];
}

static enum cor_status put_narrow(struct record__store *store, const uint32_t *items, size_t count,
                                  struct cor_error *error) {
    uint32_t bits = 0;
    for (size_t i = 0; i < count; i++)
        bits |= items[i];
    const size_t bytes = bits <= UINT8_MAX ? 1 : bits <= UINT16_MAX ? 2 : 4;
    if (bytes > store->narrow) {
        /* Holds what is there in items of so many bytes. From the last on: none is overwritten before it is
         * read. */
        size_t capacity = store->capacity * store->narrow / bytes;
        COR_TRY(cor_array_reserve(&store->items, &capacity, store->count, bytes, error));
        for (size_t i = store->count; i-- > 0;) {
            const uint32_t item = narrow_item(store, i);
            if (bytes == 2)
                ((uint16_t *)store->items)[i] = (uint16_t)item;
            else
                ((uint32_t *)store->items)[i] = item;
        }
        store->capacity = capacity;
        store->narrow = bytes;
    }
    COR_TRY(cor_array_reserve(&store->items, &store->capacity, store->count + count, store->narrow, error));
    for (size_t i = 0, at = store->count; i < count; i++, at++)
        if (store->narrow == 1)
            ((uint8_t *)store->items)[at] = (uint8_t)items[i];
        else if (store->narrow == 2)
            ((uint16_t *)store->items)[at] = (uint16_t)items[i];
        else
            ((uint32_t *)store->items)[at] = items[i];
    return COR_OK;
}

enum cor_status cor_record_put(struct cor_record *record, uint32_t vector, const void *items, size_t count,
                               uint64_t *start, struct cor_error *error) {
    COR_ASSERT(vector < record->layer->vector_count);
    size_t item_size = cor_type_size(record->layer->vectors[vector].type);
    struct record__store *store = &record->vectors[vector];
    if (count > SIZE_MAX - store->count)
        return cor_fail_memory(error);
    if (store->narrow > 0)
        COR_TRY(put_narrow(store, items, count, error));
    else
        COR_TRY(cor_array_reserve(&store->items, &store->capacity, store->count + count, item_size, error));
    if (count > 0 && store->narrow == 0)
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

/* Where rows have the case, of tables whose keys are arm, suite, sequence and case; of others their size. */
static size_t case_offset(const struct cor_table_schema *table) {
    enum { CASE = 3 };
    const bool is_of_cases = table->column_count > CASE && strcmp(table->columns[CASE].name, "case") == 0;
    return is_of_cases ? table->columns[CASE].offset : table->row_size;
}

static uint32_t case_of(const unsigned char *row, size_t offset) {
    uint32_t number;
    memcpy(&number, row + offset, sizeof number);
    return number;
}

void cor_record_sort_cases(struct cor_record *record, const struct cor_record_mark *first) {
    enum { ROW_MAX = 512 };
    for (uint32_t t = 0; t < record->layer->table_count; t++) {
        const size_t size = record->layer->tables[t].row_size,
                     offset = case_offset(&record->layer->tables[t]);
        unsigned char *rows = record->tables[t].items, held[ROW_MAX];
        COR_ASSERT(size <= ROW_MAX);
        if (offset == size)
            continue;
        /* Insertion: what comes late is late by a few cases. */
        for (size_t i = first->rows[t] + 1; i < record->tables[t].count; i++) {
            const uint32_t number = case_of(rows + i * size, offset);
            size_t to = i;
            while (to > first->rows[t] && case_of(rows + (to - 1) * size, offset) > number)
                to--;
            if (to == i)
                continue;
            memcpy(held, rows + i * size, size);
            memmove(rows + (to + 1) * size, rows + to * size, (i - to) * size);
            memcpy(rows + to * size, held, size);
        }
    }
}

const void *cor_record_items(const struct cor_record *record, uint32_t vector, size_t *count) {
    COR_ASSERT(vector < record->layer->vector_count && record->vectors[vector].narrow == 0);
    if (count)
        *count = record->vectors[vector].count;
    return record->vectors[vector].items;
}

void cor_record_count(struct cor_record *record, const struct cor_suite_counts *counts) {
    record->counts = *counts;
}

void cor_record_origin(struct cor_record *record, uint64_t origin) {
    record->origin = origin;
}

static bool store_equal(const struct record__store *a, const struct record__store *b, size_t item_size) {
    return a->count == b->count && (a->count == 0 || memcmp(a->items, b->items, a->count * item_size) == 0);
}

bool cor_record_equal(const struct cor_record *a, const struct cor_record *b) {
    const struct cor_layer_schema *layer = a->layer;
    COR_ASSERT(b->layer == layer && !a->is_only_written && !b->is_only_written);
    for (uint32_t t = 0; t < layer->table_count; t++)
        if (!layer->tables[t].is_aside &&
            !store_equal(&a->tables[t], &b->tables[t], layer->tables[t].row_size))
            return false;
    for (uint32_t v = 0; v < layer->vector_count; v++)
        if (!layer->vectors[v].is_aside &&
            !store_equal(&a->vectors[v], &b->vectors[v], cor_type_size(layer->vectors[v].type)))
            return false;
    return true;
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

/* A record as checksummed bytes, column after column. The header ends with its own checksum. */
enum { AT_CRC = RECORD__FRAME_HEADER_SIZE - 4 };

_Static_assert(sizeof RECORD__FRAME_MAGIC == RECORD__FRAME_MAGIC_SIZE + 1, "eight letters");

static size_t column_bytes(const struct cor_column *column, uint64_t rows) {
    return (size_t)rows * cor_type_size(column->type);
}

size_t record__frame_head_size(const struct cor_record *record) {
    const struct cor_layer_schema *layer = record->layer;
    size_t size = RECORD__FRAME_HEADER_SIZE + record__frame_counts_size(layer);
    for (uint32_t t = 0; t < layer->table_count; t++)
        for (uint32_t c = 0; c < layer->tables[t].column_count; c++)
            size += column_bytes(&layer->tables[t].columns[c], record->tables[t].count);
    return size;
}

size_t record__frame_vector_size(const struct cor_record *record, uint32_t vector) {
    COR_ASSERT(vector < record->layer->vector_count);
    return record->vectors[vector].count * cor_type_size(record->layer->vectors[vector].type);
}

const void *record__frame_items(const struct cor_record *record, uint32_t vector, size_t first, size_t *count,
                                uint32_t block[RECORD__FRAME_BLOCK]) {
    const struct record__store *store = &record->vectors[vector];
    COR_ASSERT(vector < record->layer->vector_count && first < store->count);
    const size_t left = store->count - first;
    if (store->narrow == 0 || store->narrow == 4) {
        *count = left;
        return (const unsigned char *)store->items +
               first * cor_type_size(record->layer->vectors[vector].type);
    }
    *count = left < RECORD__FRAME_BLOCK ? left : RECORD__FRAME_BLOCK;
    for (size_t i = 0; i < *count; i++)
        block[i] = narrow_item(store, first + i);
    return block;
}

/* Copies of one size, so that the compiler makes of each a load and a store. */
#define GATHER(size)                   \
    for (size_t i = 0; i < count; i++) \
    memcpy(column + i * (size), field + i * row_size, (size))
#define SCATTER(size)                  \
    for (size_t i = 0; i < count; i++) \
    memcpy(field + i * row_size, column + i * (size), (size))

/* From the field of `count` row structs to a column without gaps. */
static void gather(enum cor_type type, const unsigned char *field, size_t row_size, size_t count,
                   unsigned char *column) {
    switch (type) {
    case COR_TYPE_U8:
        GATHER(1);
        break;
    case COR_TYPE_U16:
        GATHER(2);
        break;
    case COR_TYPE_U32:
        GATHER(4);
        break;
    case COR_TYPE_U64:
        GATHER(8);
        break;
    case COR_TYPE_F32:
        for (size_t i = 0; i < count; i++) {
            float value;
            memcpy(&value, field + i * row_size, 4);
            if (isnan(value))
                value = NAN;
            memcpy(column + i * 4, &value, 4);
        }
        break;
    case COR_TYPE_F64:
        for (size_t i = 0; i < count; i++) {
            double value;
            memcpy(&value, field + i * row_size, 8);
            if (isnan(value))
                value = (double)NAN;
            memcpy(column + i * 8, &value, 8);
        }
        break;
    }
}

void record__scatter(enum cor_type type, const unsigned char *column, size_t count, unsigned char *field,
                     size_t row_size) {
    switch (cor_type_size(type)) {
    case 1:
        SCATTER(1);
        break;
    case 2:
        SCATTER(2);
        break;
    case 4:
        SCATTER(4);
        break;
    default:
        SCATTER(8);
        break;
    }
}

static unsigned char *pack_tables(const struct cor_record *record, unsigned char *at) {
    for (uint32_t t = 0; t < record->layer->table_count; t++) {
        const struct cor_table_schema *schema = &record->layer->tables[t];
        const struct record__store *store = &record->tables[t];
        for (uint32_t c = 0; c < schema->column_count && store->count > 0; c++) {
            const struct cor_column *column = &schema->columns[c];
            const unsigned char *field = (const unsigned char *)store->items + column->offset;
            gather(column->type, field, schema->row_size, store->count, at);
            at += column_bytes(column, store->count);
        }
    }
    return at;
}

void record__frame_pack_head(const struct cor_record *record, unsigned char *frame) {
    unsigned char *payload = frame + RECORD__FRAME_HEADER_SIZE;
    struct cor_bytes counts = cor_bytes_into(payload, record__frame_counts_size(record->layer));
    for (uint32_t t = 0; t < record->layer->table_count; t++)
        cor_bytes_put_number(&counts, record->tables[t].count, 8);
    for (uint32_t v = 0; v < record->layer->vector_count; v++)
        cor_bytes_put_number(&counts, record->vectors[v].count, 8);
    size_t payload_size = (size_t)(pack_tables(record, payload + counts.size) - payload);
    uint32_t payload_crc = record__crc32c(0, payload, payload_size);
    for (uint32_t v = 0; v < record->layer->vector_count; v++) {
        const size_t item_size = cor_type_size(record->layer->vectors[v].type);
        uint32_t block[RECORD__FRAME_BLOCK];
        for (size_t at = 0, count; at < record->vectors[v].count; at += count) {
            const void *items = record__frame_items(record, v, at, &count, block);
            payload_crc = record__crc32c(payload_crc, items, count * item_size);
        }
        payload_size += record__frame_vector_size(record, v);
    }
    struct cor_bytes header = cor_bytes_into(frame, RECORD__FRAME_HEADER_SIZE);
    cor_bytes_put(&header, RECORD__FRAME_MAGIC, RECORD__FRAME_MAGIC_SIZE);
    cor_bytes_put_number(&header, RECORD__FRAME_VERSION, 2);
    cor_bytes_put_number(&header, record->arm, 2);
    cor_bytes_put_number(&header, record->suite, 4);
    cor_bytes_put_number(&header, payload_size, 8);
    cor_bytes_put_number(&header, record->schema, 8);
    cor_bytes_put_number(&header, record->origin, 8);
    cor_bytes_put_number(&header, record->counts.cases, 4);
    cor_bytes_put_number(&header, record->counts.reorganizations, 4);
    cor_bytes_put_number(&header, record->counts.failures, 4);
    cor_bytes_put_number(&header, record->counts.asked_again, 4);
    cor_bytes_put_number(&header, record->counts.differed, 4);
    cor_bytes_put_number(&header, record->counts.by_machine, 4);
    cor_bytes_put_number(&header, payload_crc, 4);
    cor_bytes_put_number(&header, record__crc32c(0, frame, AT_CRC), 4);
    COR_ASSERT(header.size == RECORD__FRAME_HEADER_SIZE);
}

bool record__frame_header(const unsigned char *bytes, struct record__frame_header *header) {
    struct cor_bytes_reader reader = cor_bytes_reader(bytes, RECORD__FRAME_HEADER_SIZE);
    const void *magic = cor_bytes_take(&reader, RECORD__FRAME_MAGIC_SIZE);
    header->version = (uint16_t)cor_bytes_take_number(&reader, 2);
    header->arm = (uint16_t)cor_bytes_take_number(&reader, 2);
    header->suite = (uint32_t)cor_bytes_take_number(&reader, 4);
    header->payload_size = cor_bytes_take_number(&reader, 8);
    header->schema = cor_bytes_take_number(&reader, 8);
    header->origin = cor_bytes_take_number(&reader, 8);
    header->counts.cases = (uint32_t)cor_bytes_take_number(&reader, 4);
    header->counts.reorganizations = (uint32_t)cor_bytes_take_number(&reader, 4);
    header->counts.failures = (uint32_t)cor_bytes_take_number(&reader, 4);
    header->counts.asked_again = (uint32_t)cor_bytes_take_number(&reader, 4);
    header->counts.differed = (uint32_t)cor_bytes_take_number(&reader, 4);
    header->counts.by_machine = (uint32_t)cor_bytes_take_number(&reader, 4);
    header->payload_crc = (uint32_t)cor_bytes_take_number(&reader, 4);
    return memcmp(magic, RECORD__FRAME_MAGIC, RECORD__FRAME_MAGIC_SIZE) == 0 &&
           cor_bytes_take_number(&reader, 4) == record__crc32c(0, bytes, AT_CRC);
}

/* Takes `count` items from the bytes that are left; false if they are not there. */
static bool take(uint64_t *left, uint64_t count, size_t item_size) {
    if (count > *left / item_size)
        return false;
    *left -= count * item_size;
    return true;
}

bool record__frame_counts(const struct cor_layer_schema *layer, const unsigned char *payload,
                          uint64_t payload_size, struct record__counts *counts) {
    uint64_t left = payload_size;
    *counts = (struct record__counts){0};
    if (!take(&left, 1, record__frame_counts_size(layer)))
        return false;
    memcpy(counts->rows, payload, 8 * layer->table_count);
    memcpy(counts->items, payload + 8 * layer->table_count, 8 * layer->vector_count);
    for (uint32_t t = 0; t < layer->table_count; t++)
        for (uint32_t c = 0; c < layer->tables[t].column_count; c++)
            if (!take(&left, counts->rows[t], cor_type_size(layer->tables[t].columns[c].type)))
                return false;
    for (uint32_t v = 0; v < layer->vector_count; v++)
        if (!take(&left, counts->items[v], cor_type_size(layer->vectors[v].type)))
            return false;
    return left == 0;
}

enum cor_status record__frame_unpack(const struct record__frame_header *header,
                                     const struct record__counts *counts, const unsigned char *payload,
                                     struct cor_record *record, struct cor_error *error) {
    const struct cor_layer_schema *layer = record->layer;
    const unsigned char *at = payload + record__frame_counts_size(layer);
    cor_record_begin(record, header->arm, header->suite);
    record->counts = header->counts;
    record->origin = header->origin;
    for (uint32_t t = 0; t < layer->table_count; t++) {
        const struct cor_table_schema *schema = &layer->tables[t];
        struct record__store *store = &record->tables[t];
        /* Makes room for `count` zeroed items. */
        const size_t count = (size_t)counts->rows[t];
        COR_TRY(cor_array_reserve(&store->items, &store->capacity, count, schema->row_size, error));
        if (count > 0)
            memset(store->items, 0, count * schema->row_size);
        store->count = count;
        for (uint32_t c = 0; c < schema->column_count && store->count > 0; c++) {
            const struct cor_column *column = &schema->columns[c];
            record__scatter(column->type, at, store->count, (unsigned char *)store->items + column->offset,
                            schema->row_size);
            at += column_bytes(column, store->count);
        }
    }
    for (uint32_t v = 0; v < layer->vector_count; v++) {
        COR_TRY(cor_record_put(record, v, at, (size_t)counts->items[v], NULL, error));
        at += counts->items[v] * cor_type_size(layer->vectors[v].type);
    }
    return COR_OK;
}

uint32_t record__crc32c(uint32_t crc, const void *bytes, size_t size) {
    unsigned char *at = (unsigned char *)(uintptr_t)bytes; /* it is only read */
    crc = ~crc;
    while (size > 0) {
        int part = size < INT_MAX ? (int)size : INT_MAX;
        crc = crc32_iscsi(at, part, crc);
        at += part;
        size -= (size_t)part;
    }
    return ~crc;
}
