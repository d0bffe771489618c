/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole reads and writes of files (short transfers and interrupted calls are finished here), and their
 * checksums. */
#include "frame.h"

#include <corridor/array.h>
#include <corridor/bytes.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <isa-l/crc.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum cor_status cor_record_create(const struct cor_layer_schema *layer, struct cor_record **record,
                                  struct cor_error *error) {
    COR_ASSERT(layer->table_count <= COR_TABLES_MAX && layer->vector_count <= COR_VECTORS_MAX);
    COR_TRY(cor_made(*record = cor_calloc(1, sizeof **record), error));
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

/* Bytes of the head of the record's frame: all before the vectors. These follow as they are in the record, so
 * that the long lists of many failures are never in memory twice. */
static size_t frame_head_size(const struct cor_record *record) {
    const struct cor_layer_schema *layer = record->layer;
    size_t size = RECORD__FRAME_HEADER_SIZE + record__frame_counts_size(layer);
    for (uint32_t t = 0; t < layer->table_count; t++)
        for (uint32_t c = 0; c < layer->tables[t].column_count; c++)
            size += column_bytes(&layer->tables[t].columns[c], record->tables[t].count);
    return size;
}

/* Bytes of a vector of the record. */
static size_t frame_vector_size(const struct cor_record *record, uint32_t vector) {
    COR_ASSERT(vector < record->layer->vector_count);
    return record->vectors[vector].count * cor_type_size(record->layer->vectors[vector].type);
}

static const void *frame_items(const struct cor_record *record, uint32_t vector, size_t first, size_t *count,
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

/* Writes the head, frame_head_size bytes; its checksum of the payload is over the vectors too. Any
 * NaN is written as the same NaN: which one an operation gives is the compiler's choice. */
static void frame_pack_head(const struct cor_record *record, unsigned char *frame) {
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
            const void *items = frame_items(record, v, at, &count, block);
            payload_crc = record__crc32c(payload_crc, items, count * item_size);
        }
        payload_size += frame_vector_size(record, v);
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

/* Reads the counts, the first bytes of a payload of `payload_size` bytes; false unless they make up exactly
 * that size. */
static bool frame_counts(const struct cor_layer_schema *layer, const unsigned char *payload,
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

/* Unpacks a payload, whose counts have been read, into a record, which is cleared first. */
static enum cor_status frame_unpack(const struct record__frame_header *header,
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

/* ---- journal */

enum cor_status record__file_open(const char *path, int *file, uint64_t *size, struct cor_error *error) {
    struct stat status;
    /* Without O_NONBLOCK a named pipe would wait here for its writer. */
    *file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*file < 0)
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot open");
    if (fstat(*file, &status) == 0 && S_ISREG(status.st_mode)) {
        *size = (uint64_t)status.st_size;
        return COR_OK;
    }
    close(*file);
    *file = -1;
    if (S_ISDIR(status.st_mode)) {
        char inside[512];
        snprintf(inside, sizeof inside, "%.400s%sresults.h5", path, path[strlen(path) - 1] == '/' ? "" : "/");
        return cor_fail(error, COR_STATUS_FILE, path,
                        stat(inside, &status) == 0
                            ? "the result file in it is results.h5"
                            : "corridor merge makes a result file of a campaign's folder",
                        "is a folder, not a file");
    }
    return cor_fail(error, COR_STATUS_FILE, path, NULL, "not a regular file");
}

enum cor_status record__file_read(int file, const char *path, uint64_t offset, void *bytes, size_t size,
                                  struct cor_error *error) {
    unsigned char *at = bytes;
    while (size > 0) {
        ssize_t got = pread(file, at, size, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot read");
        if (got == 0)
            return cor_fail(error, COR_STATUS_FILE, path, NULL, "the file became shorter while it was read");
        at += got;
        offset += (uint64_t)got;
        size -= (size_t)got;
    }
    return COR_OK;
}

/* Writes all bytes at the end of a file opened for appending. */
static enum cor_status file_write(int file, const char *path, const void *bytes, size_t size,
                                  struct cor_error *error) {
    if (cor_write_all(file, bytes, size, 0))
        return COR_OK;
    return cor_fail_errno(error, COR_STATUS_FILE, path,
                          "make room on the disk, then run the same command again", "cannot write");
}

int cor_sync(int file) {
    int done;
    do
        done = fsync(file);
    while (done != 0 && errno == EINTR);
    return done;
}

int cor_sync_data(int file) {
    int done;
    do
        done = fdatasync(file);
    while (done != 0 && errno == EINTR);
    return done;
}

enum cor_status cor_file_sync(const char *path, struct cor_error *error) {
    int file;
    uint64_t size;
    COR_TRY(record__file_open(path, &file, &size, error));
    enum cor_status status = cor_sync_data(file) == 0 ? COR_OK
                                                      : cor_fail_errno(error, COR_STATUS_FILE, path, NULL,
                                                                       "cannot make the file durable");
    close(file);
    return status;
}

enum cor_status cor_file_sync_folder(const char *path, struct cor_error *error) {
    enum cor_status status = COR_OK;
    /* The folder of a path, in memory of its own. */
    const char *slash = strrchr(path, '/');
    char *folder =
        !slash ? cor_strdup(".") : cor_format("%.*s", slash == path ? 1 : (int)(slash - path), path);
    COR_TRY(cor_made(folder, error));
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* Some network file systems cannot sync a folder and say EINVAL: then there is nothing to be done. */
    if (file < 0 || (cor_sync(file) != 0 && errno != EINVAL))
        status =
            cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot make its entry in the folder durable");
    if (file >= 0)
        close(file);
    free(folder);
    return status;
}

/* The last 16 bytes of a result file: "CORCRC32", CRC32C of all bytes before, CRC32C of these twelve. */
#define SEAL_MAGIC "CORCRC32"
enum { SEAL_MAGIC_SIZE = 8, SEAL_SIZE = 16 };
/* The head of a file in HDF5's format, superblock of version 2 or 3: where in it the end of the file stands.
 */
enum { SUPERBLOCK_END = 28, SUPERBLOCK_SIZE = 48 };
#define TAKE_ANOTHER "take another copy, or merge the journals again"

static enum cor_status file_crc(int file, const char *path, uint64_t offset, uint64_t size,
                                unsigned char *block, uint32_t *crc, struct cor_error *error) {
    COR_ASSERT(file >= 0);
    *crc = 0;
    while (size > 0) {
        size_t part = size < RECORD__FILE_BLOCK ? (size_t)size : RECORD__FILE_BLOCK;
        COR_TRY(record__file_read(file, path, offset, block, part, error));
        *crc = record__crc32c(*crc, block, part);
        offset += part;
        size -= part;
    }
    return COR_OK;
}

/* A result file while it is sealed, or its seal is looked at. */
struct sealing {
    int file;
    uint64_t size;
    unsigned char *block; /* owned */
};

static enum cor_status begin_sealing(struct sealing *sealing, const char *path, struct cor_error *error) {
    COR_TRY(record__file_open(path, &sealing->file, &sealing->size, error));
    sealing->block = malloc(RECORD__FILE_BLOCK);
    return cor_made(sealing->block, error);
}

static void end_sealing(const struct sealing *sealing) {
    if (sealing->file >= 0)
        close(sealing->file);
    free(sealing->block);
}

enum cor_status record__checksum_append(const char *path, const char *place, struct cor_error *error) {
    unsigned char seal[SEAL_SIZE] = SEAL_MAGIC;
    struct sealing sealing = {.file = -1};
    enum cor_status status = COR_OK;
    uint32_t crc;
    int end = -1;
    COR_TRY_OUT(begin_sealing(&sealing, path, error));
    COR_TRY_OUT(file_crc(sealing.file, place, 0, sealing.size, sealing.block, &crc, error));
    memcpy(seal + SEAL_MAGIC_SIZE, &crc, 4);
    crc = record__crc32c(0, seal, 12);
    memcpy(seal + 12, &crc, 4);
    end = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (end < 0)
        COR_TRY_OUT(cor_fail_errno(error, COR_STATUS_FILE, place, NULL, "cannot open for writing"));
    COR_TRY_OUT(file_write(end, place, seal, sizeof seal, error));
    if (cor_sync(end) != 0)
        status = cor_fail_errno(error, COR_STATUS_FILE, place, NULL, "cannot make the file durable");
out:
    if (end >= 0 && close(end) != 0 && status == COR_OK)
        status = cor_fail_errno(error, COR_STATUS_FILE, place, NULL, "cannot close");
    end_sealing(&sealing);
    return status;
}

/* Where the file ends for HDF5, as its superblock says; 0: it is of a version that our files never have, as
 * those of other programs may. */
static uint64_t end_for_hdf5(const unsigned char head[SUPERBLOCK_SIZE]) {
    if (memcmp(head, "\211HDF\r\n\032\n", 8) != 0 || (head[8] != 2 && head[8] != 3) || head[9] != 8)
        return 0;
    uint64_t end = 0;
    for (int i = 7; i >= 0; i--)
        end = end << 8 | head[SUPERBLOCK_END + i];
    return end;
}

/* There is no whole seal. None at all is there where another program has written the file, which ends where
 * HDF5 says; what is behind that is one that was damaged. */
static enum cor_status check_no_seal(const struct sealing *sealing, const char *path,
                                     struct cor_error *error) {
    unsigned char head[SUPERBLOCK_SIZE];
    if (sealing->size < sizeof head)
        return COR_OK;
    COR_TRY(record__file_read(sealing->file, path, 0, head, sizeof head, error));
    const uint64_t end = end_for_hdf5(head);
    if (end == 0 || sealing->size <= end)
        return COR_OK;
    return cor_fail(error, COR_STATUS_INPUT, path, TAKE_ANOTHER,
                    "the file is damaged: the %" PRIu64 " bytes behind the end of its data are not the %d "
                    "of a checksum",
                    sealing->size - end, (int)SEAL_SIZE);
}

enum cor_status record__checksum_check(const char *path, bool *sealed, struct cor_error *error) {
    unsigned char seal[SEAL_SIZE], head[12];
    struct sealing sealing = {.file = -1};
    enum cor_status status = COR_OK;
    uint32_t seal_crc, expected, found;
    *sealed = false;
    COR_TRY_OUT(begin_sealing(&sealing, path, error));
    if (sealing.size < SEAL_SIZE)
        goto out;
    COR_TRY_OUT(record__file_read(sealing.file, path, sealing.size - SEAL_SIZE, seal, sizeof seal, error));
    memcpy(&seal_crc, seal + 12, 4);
    memcpy(&expected, seal + SEAL_MAGIC_SIZE, 4);
    if (memcmp(seal, SEAL_MAGIC, SEAL_MAGIC_SIZE) != 0 || seal_crc != record__crc32c(0, seal, 12)) {
        status = check_no_seal(&sealing, path, error);
        goto out;
    }
    COR_TRY_OUT(file_crc(sealing.file, path, 0, sealing.size - SEAL_SIZE, sealing.block, &found, error));
    *sealed = found == expected;
    if (found == expected)
        goto out;
    COR_TRY_OUT(record__file_read(sealing.file, path, 0, head, sizeof head, error));
    /* A program that opens an HDF5 file for writing says so in its superblock, until it closes the file. */
    if (memcmp(head, "\211HDF\r\n\032\n", 8) == 0 && head[8] >= 2 && (head[11] & 1))
        status = cor_fail(error, COR_STATUS_FILE, path, "close it there: what it holds is as it was",
                          "is open for writing in another program, or was not closed by it");
    else
        status = cor_fail(error, COR_STATUS_INPUT, path, TAKE_ANOTHER,
                          "the file is damaged: its checksum is wrong");
out:
    end_sealing(&sealing);
    return status;
}

/* ---- journal */

struct cor_journal {
    int file;
    bool broken;    /* a write failed: what lies behind the last whole frame is unknown, so nothing more is
                      appended */
    size_t pending; /* bytes written since the last sync */
    uint64_t size;  /* bytes written */
    char *path;     /* owned */
    unsigned char *head; /* owned: of the frame being written */
    size_t head_capacity;
};

enum cor_status cor_journal_create(const char *path, struct cor_journal **journal, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_journal *made = cor_calloc(1, sizeof *made);
    *journal = NULL;
    COR_TRY(cor_made(made, error));
    made->path = cor_strdup(path);
    made->file = made->path ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (!made->path)
        status = cor_fail_memory(error);
    else if (made->file < 0)
        status = cor_fail_errno(error, errno == EEXIST ? COR_STATUS_EXISTS : COR_STATUS_FILE, path, NULL,
                                "cannot create the journal");
    else
        status = cor_file_sync_folder(path, error);
    if (status == COR_OK)
        *journal = made;
    else
        cor_journal_close(made);
    return status;
}

static enum cor_status write_bytes(struct cor_journal *journal, const void *bytes, size_t size,
                                   struct cor_error *error) {
    COR_TRY(file_write(journal->file, journal->path, bytes, size, error));
    journal->pending += size;
    journal->size += size;
    return COR_OK;
}

/* A failed write or sync leaves unknown bytes; syncing again could even report success (the kernel drops what
 * it could not write). So the journal is closed for good and its whole frames stay. */
static enum cor_status check_sound(const struct cor_journal *journal, struct cor_error *error) {
    if (!journal->broken)
        return COR_OK;
    return cor_fail(error, COR_STATUS_FILE, journal->path, "run the same command again",
                    "an earlier write to this journal failed");
}

enum cor_status cor_journal_write(struct cor_journal *journal, const struct cor_record *record,
                                  struct cor_error *error) {
    COR_ASSERT(journal->file >= 0);
    COR_TRY(check_sound(journal, error));
    size_t head_size = frame_head_size(record);
    COR_TRY(COR_RESERVE(&journal->head, &journal->head_capacity, head_size, error));
    frame_pack_head(record, journal->head);
    enum cor_status status = COR_OK;
    uint32_t block[RECORD__FRAME_BLOCK];
    COR_TRY_OUT(write_bytes(journal, journal->head, head_size, error));
    for (uint32_t v = 0; v < record->layer->vector_count; v++) {
        const size_t item_size = cor_type_size(record->layer->vectors[v].type);
        for (size_t at = 0, count; at < record->vectors[v].count; at += count) {
            const void *items = frame_items(record, v, at, &count, block);
            COR_TRY_OUT(write_bytes(journal, items, count * item_size, error));
        }
    }
out:
    journal->broken = status != COR_OK;
    return status;
}

enum cor_status cor_record_frame(const struct cor_record *record, unsigned char **bytes, size_t *capacity,
                                 size_t *size, struct cor_error *error) {
    size_t head_size = frame_head_size(record);
    *size = head_size;
    for (uint32_t v = 0; v < record->layer->vector_count; v++)
        *size += frame_vector_size(record, v);
    COR_TRY(COR_RESERVE(bytes, capacity, *size, error));
    frame_pack_head(record, *bytes);
    unsigned char *to = *bytes + head_size;
    uint32_t block[RECORD__FRAME_BLOCK];
    for (uint32_t v = 0; v < record->layer->vector_count; v++) {
        const size_t item_size = cor_type_size(record->layer->vectors[v].type);
        for (size_t at = 0, count; at < record->vectors[v].count; at += count, to += count * item_size) {
            const void *items = frame_items(record, v, at, &count, block);
            memcpy(to, items, count * item_size);
        }
    }
    return COR_OK;
}

enum cor_status cor_journal_write_frame(struct cor_journal *journal, const struct cor_layer_schema *layer,
                                        const struct cor_journal_entry *wanted, const unsigned char *bytes,
                                        size_t size, struct cor_suite_counts *counts,
                                        struct cor_error *error) {
    struct record__frame_header header;
    struct record__counts sizes;
    const unsigned char *payload = bytes + RECORD__FRAME_HEADER_SIZE;
    COR_TRY(check_sound(journal, error));
    if (size < RECORD__FRAME_HEADER_SIZE || !record__frame_header(bytes, &header) ||
        header.version != RECORD__FRAME_VERSION || header.schema != record__schema_hash(layer) ||
        header.arm != wanted->arm || header.suite != wanted->suite || header.origin != wanted->origin ||
        header.payload_size != size - RECORD__FRAME_HEADER_SIZE ||
        header.payload_crc != record__crc32c(0, payload, (size_t)header.payload_size) ||
        !frame_counts(layer, payload, header.payload_size, &sizes))
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL,
                        "what came is not suite %u of arm %u, or damaged", wanted->suite, wanted->arm);
    enum cor_status status = file_write(journal->file, journal->path, bytes, size, error);
    journal->pending += size;
    journal->size += size;
    journal->broken = status != COR_OK;
    *counts = header.counts;
    return status;
}

enum cor_status cor_journal_sync(struct cor_journal *journal, struct cor_error *error) {
    COR_TRY(check_sound(journal, error));
    if (journal->pending > 0 && cor_sync_data(journal->file) != 0) {
        journal->broken = true;
        return cor_fail_errno(error, COR_STATUS_FILE, journal->path, NULL, "cannot make the journal durable");
    }
    journal->pending = 0;
    return COR_OK;
}

size_t cor_journal_pending(const struct cor_journal *journal) {
    return journal->pending;
}

uint64_t cor_journal_size(const struct cor_journal *journal) {
    return journal->size;
}

enum cor_status cor_journal_append(struct cor_journal *journal, const struct cor_record *record,
                                   struct cor_error *error) {
    COR_TRY(cor_journal_write(journal, record, error));
    return cor_journal_sync(journal, error);
}

void cor_journal_close(struct cor_journal *journal) {
    if (!journal)
        return;
    if (journal->file >= 0)
        close(journal->file);
    COR_FREE(journal->path, journal->head, journal);
}

/* Suites that are whole; those of which the header alone is; all whose header is. */
enum wanted { WHOLE, DAMAGED, HEADS };

struct scan {
    uint64_t schema;  /* record__schema_hash of the layer; 0: any, for heads alone are wanted */
    const char *path; /* borrowed */
    int file;
    uint64_t size; /* of the file */
    enum wanted wanted;
    unsigned char *block; /* owned, RECORD__FILE_BLOCK bytes */
};

/* A frame of another version or of a build with other rows is not damage: reading on would lose suites
 * silently. */
static enum cor_status check_build(uint64_t schema, const char *path,
                                   const struct record__frame_header *header, struct cor_error *error) {
    if (header->version == RECORD__FRAME_VERSION && header->schema == schema)
        return COR_OK;
    return cor_fail(error, COR_STATUS_FILE, path, "finish the campaign with the version it was begun with",
                    "the journal was written by another version of corridor");
}

/* Is there a frame of the kind looked for at `offset`? Fills *entry then; entry->size 0 says no. */
static enum cor_status look_for_frame(struct scan *scan, uint64_t offset, struct cor_journal_entry *entry,
                                      struct cor_error *error) {
    unsigned char bytes[RECORD__FRAME_HEADER_SIZE];
    struct record__frame_header header;
    uint32_t crc = 0;
    *entry = (struct cor_journal_entry){0};
    COR_TRY(record__file_read(scan->file, scan->path, offset, bytes, sizeof bytes, error));
    if (!record__frame_header(bytes, &header))
        return COR_OK;
    if (scan->wanted != HEADS)
        COR_TRY(check_build(scan->schema, scan->path, &header, error));
    if (header.payload_size > scan->size - offset - sizeof bytes)
        return COR_OK;
    if (scan->wanted != HEADS)
        COR_TRY(file_crc(scan->file, scan->path, offset + sizeof bytes, header.payload_size, scan->block,
                         &crc, error));
    if (scan->wanted == HEADS || (crc == header.payload_crc) == (scan->wanted == WHOLE))
        *entry = (struct cor_journal_entry){
            header.arm,   header.suite, header.origin, offset, sizeof bytes + header.payload_size,
            header.counts};
    return COR_OK;
}

/* The first place at or after *offset where a frame may begin; the end of the file if there is none. */
static enum cor_status next_magic(struct scan *scan, uint64_t *offset, struct cor_error *error) {
    while (scan->size - *offset >= RECORD__FRAME_MAGIC_SIZE) {
        uint64_t rest = scan->size - *offset;
        size_t part = rest < RECORD__FILE_BLOCK ? (size_t)rest : RECORD__FILE_BLOCK;
        COR_TRY(record__file_read(scan->file, scan->path, *offset, scan->block, part, error));
        size_t last = part - RECORD__FRAME_MAGIC_SIZE;
        for (size_t i = 0; i <= last; i++)
            if (scan->block[i] == (unsigned char)RECORD__FRAME_MAGIC[0] &&
                memcmp(scan->block + i, RECORD__FRAME_MAGIC, RECORD__FRAME_MAGIC_SIZE) == 0) {
                *offset += i;
                return COR_OK;
            }
        *offset += last + 1;
    }
    *offset = scan->size;
    return COR_OK;
}

/* Goes through the file. Where no whole frame begins, something is damaged or torn: the next magic is looked
 * for, so that only the suites that were hit are missing. */
static enum cor_status scan_file(struct scan *scan, uint64_t from, struct cor_journal_entry **entries,
                                 size_t *count, uint64_t *torn, struct cor_error *error) {
    size_t capacity = 0;
    uint64_t offset = from < scan->size ? from : scan->size, end = offset; /* end: of the last whole frame */
    while (scan->size - offset >= RECORD__FRAME_HEADER_SIZE) {
        struct cor_journal_entry entry;
        COR_TRY(look_for_frame(scan, offset, &entry, error));
        if (entry.size == 0) {
            offset++;
            COR_TRY(next_magic(scan, &offset, error));
            continue;
        }
        COR_TRY(COR_RESERVE(entries, &capacity, *count + 1, error));
        (*entries)[(*count)++] = entry;
        offset = end = entry.offset + entry.size;
    }
    *torn = scan->size - end;
    return COR_OK;
}

static enum cor_status open_and_scan(const struct cor_layer_schema *layer, const char *path,
                                     enum wanted wanted, uint64_t from, struct cor_journal_entry **entries,
                                     size_t *count, uint64_t *torn, struct cor_error *error) {
    struct scan scan = {
        .schema = layer ? record__schema_hash(layer) : 0, .path = path, .file = -1, .wanted = wanted};
    *entries = NULL;
    *count = 0;
    *torn = 0;
    COR_TRY(record__file_open(path, &scan.file, &scan.size, error));
    scan.block = malloc(RECORD__FILE_BLOCK);
    enum cor_status status =
        scan.block ? scan_file(&scan, from, entries, count, torn, error) : cor_fail_memory(error);
    if (status != COR_OK) {
        free(*entries);
        *entries = NULL;
        *count = 0;
    }
    free(scan.block);
    close(scan.file);
    return status;
}

enum cor_status cor_journal_scan(const struct cor_layer_schema *layer, const char *path,
                                 struct cor_journal_entry **entries, size_t *count, uint64_t *torn,
                                 struct cor_error *error) {
    return open_and_scan(layer, path, WHOLE, 0, entries, count, torn, error);
}

enum cor_status cor_journal_scan_from(const struct cor_layer_schema *layer, const char *path, uint64_t from,
                                      struct cor_journal_entry **entries, size_t *count, uint64_t *torn,
                                      struct cor_error *error) {
    return open_and_scan(layer, path, WHOLE, from, entries, count, torn, error);
}

enum cor_status cor_journal_scan_damaged(const struct cor_layer_schema *layer, const char *path,
                                         struct cor_journal_entry **entries, size_t *count,
                                         struct cor_error *error) {
    uint64_t unused;
    return open_and_scan(layer, path, DAMAGED, 0, entries, count, &unused, error);
}

enum cor_status cor_journal_scan_heads(const char *path, struct cor_journal_entry **entries, size_t *count,
                                       struct cor_error *error) {
    uint64_t unused;
    return open_and_scan(NULL, path, HEADS, 0, entries, count, &unused, error);
}

static enum cor_status bad_sizes(const char *path, const struct cor_journal_entry *entry,
                                 struct cor_error *error) {
    return cor_fail(error, COR_STATUS_FILE, path, NULL, "the sizes in suite %u of arm %u do not add up",
                    entry->suite, entry->arm);
}

/* Checks what was read against the entry and the checksums. */
static enum cor_status check_frame(const char *path, const struct cor_journal_entry *entry,
                                   struct record__frame *frame, struct cor_error *error) {
    const unsigned char *payload = frame->bytes + RECORD__FRAME_HEADER_SIZE;
    uint64_t payload_size = entry->size - RECORD__FRAME_HEADER_SIZE;
    if (!record__frame_header(frame->bytes, &frame->header) || frame->header.arm != entry->arm ||
        frame->header.suite != entry->suite || frame->header.origin != entry->origin ||
        frame->header.payload_size != payload_size ||
        frame->header.payload_crc != record__crc32c(0, payload, (size_t)payload_size))
        return cor_fail(error, COR_STATUS_FILE, path, "run the same command again",
                        "suite %u of arm %u is damaged, though it was whole before", entry->suite,
                        entry->arm);
    frame->schema = frame->schema != 0 ? frame->schema : record__schema_hash(frame->layer);
    COR_TRY(check_build(frame->schema, path, &frame->header, error));
    return frame_counts(frame->layer, payload, payload_size, &frame->counts) ? COR_OK
                                                                             : bad_sizes(path, entry, error);
}

enum cor_status record__journal_frame(const char *path, const struct cor_journal_entry *entry,
                                      struct record__frame *frame, struct cor_error *error) {
    int file = -1;
    uint64_t file_size;
    enum cor_status status = COR_OK;
    COR_TRY(record__file_open(path, &file, &file_size, error));
    if (entry->size < RECORD__FRAME_HEADER_SIZE || entry->size > file_size)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_FILE, path, NULL, "the journal is shorter than it was"));
    frame->size = (size_t)entry->size;
    COR_TRY_OUT(COR_RESERVE(&frame->bytes, &frame->capacity, frame->size, error));
    COR_TRY_OUT(record__file_read(file, path, entry->offset, frame->bytes, frame->size, error));
    status = check_frame(path, entry, frame, error);
out:
    close(file);
    return status;
}

enum cor_status record__journal_counts(const struct cor_layer_schema *layer, const char *path,
                                       const struct cor_journal_entry *entry, struct record__counts *counts,
                                       struct cor_error *error) {
    unsigned char bytes[8 * (COR_TABLES_MAX + COR_VECTORS_MAX)];
    COR_ASSERT(entry->size >= RECORD__FRAME_HEADER_SIZE && record__frame_counts_size(layer) <= sizeof bytes);
    int file = -1;
    uint64_t file_size, payload_size = entry->size - RECORD__FRAME_HEADER_SIZE;
    COR_TRY(record__file_open(path, &file, &file_size, error));
    enum cor_status status = record__file_read(file, path, entry->offset + RECORD__FRAME_HEADER_SIZE, bytes,
                                               record__frame_counts_size(layer), error);
    close(file);
    COR_TRY(status);
    return frame_counts(layer, bytes, payload_size, counts) ? COR_OK : bad_sizes(path, entry, error);
}

enum cor_status cor_journal_read(const char *path, const struct cor_journal_entry *entry,
                                 struct cor_record *record, struct cor_error *error) {
    struct record__frame frame = {.layer = record->layer, .schema = record->schema};
    enum cor_status status = record__journal_frame(path, entry, &frame, error);
    if (status == COR_OK)
        status = frame_unpack(&frame.header, &frame.counts, frame.bytes + RECORD__FRAME_HEADER_SIZE, record,
                              error);
    free(frame.bytes);
    return status;
}
