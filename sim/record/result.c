/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hdf5_file.h"

#include <corridor/hash.h>

#include <stdio.h>
#include <string.h>

uint64_t cor_result_size(const struct cor_result *result, uint32_t table) {
    COR_ASSERT(table < result->layer->table_count);
    return result->tables[table].rows;
}

uint64_t cor_result_vector_size(const struct cor_result *result, uint32_t vector) {
    COR_ASSERT(vector < result->layer->vector_count);
    return result->vectors[vector].items;
}

const struct cor_result_header *cor_result_head(const struct cor_result *result) {
    return &result->head;
}

static const struct cor_catalog_entry *find_entry(const struct cor_result *result, uint32_t catalog,
                                                  uint16_t code) {
    static const struct cor_catalog_entry none = {.name = "?", .description = ""};
    COR_ASSERT(catalog < result->layer->catalog_count);
    const struct cor_catalog_entry *entries = result->head.catalog[catalog];
    for (size_t i = 0; i < result->head.catalog_size[catalog]; i++)
        if (entries[i].code == code)
            return &entries[i];
    return &none;
}

const char *cor_result_name(const struct cor_result *result, uint32_t catalog, uint16_t code) {
    return find_entry(result, catalog, code)->name;
}

const char *cor_result_description(const struct cor_result *result, uint32_t catalog, uint16_t code) {
    return find_entry(result, catalog, code)->description;
}

/* Reads a range of a column without gaps. */
static enum cor_status read_range(struct cor_result *result, struct record__dataset *dataset,
                                  enum cor_type type, const char *group, const char *name, uint64_t first,
                                  uint64_t count, void *items, struct cor_error *error) {
    char what[200];
    record__h5_listen(&result->cause);
    if (count == 0 || record__unpack(result->unpacker, dataset, type, first, count, items))
        return COR_OK;
    record__h5_listen(&result->cause);
    if (record__h5_read(dataset->id, type, first, count, items) >= 0)
        return COR_OK;
    snprintf(what, sizeof what, "cannot read /%s/%s from row %llu on", group, name,
             (unsigned long long)first);
    return record__h5_fail(error, COR_STATUS_INPUT, result->path, "the file is damaged: take another copy",
                           what, &result->cause);
}

/* A block of the value that stands for a column the file is too old to have. */
static void fill_missing(const struct cor_column *column, unsigned char *block, size_t count) {
    size_t size = cor_type_size(column->type);
    double real = column->missing;
    uint64_t bits = column->type == COR_TYPE_F32 || column->type == COR_TYPE_F64 ? 0 : (uint64_t)real;
    float single = (float)real;
    for (size_t i = 0; i < count; i++)
        memcpy(block + i * size,
               column->type == COR_TYPE_F64   ? (const void *)&real
               : column->type == COR_TYPE_F32 ? (const void *)&single
                                              : (const void *)&bits,
               size);
}

/* Reads a range of a column into the field of row structs, a block at a time. */
static enum cor_status read_column(struct cor_result *result, uint32_t table, uint32_t index, uint64_t first,
                                   uint64_t count, unsigned char *rows, struct cor_error *error) {
    const struct cor_table_schema *schema = &result->layer->tables[table];
    const struct cor_column *column = &schema->columns[index];
    struct record__dataset *dataset = count > 0 ? &result->tables[table].columns[index] : NULL;
    const bool has_it = record__has_column(result, column);
    while (count > 0) {
        /* up to the end of a block, so that no chunk is unpacked twice */
        uint64_t room = RECORD__BLOCK_ROWS - first % RECORD__BLOCK_ROWS, part = count < room ? count : room;
        const unsigned char *items = NULL;
        record__h5_listen(&result->cause);
        if (has_it)
            items = record__unpacked(result->unpacker, dataset, column->type, first, &part);
        else
            fill_missing(column, result->block, (size_t)part);
        if (has_it && !items)
            COR_TRY(read_range(result, dataset, column->type, schema->group, column->name, first, part,
                               result->block, error));
        record__scatter(column->type, items ? items : result->block, (size_t)part, rows + column->offset,
                        schema->row_size);
        rows += part * schema->row_size;
        first += part;
        count -= part;
    }
    return COR_OK;
}

enum cor_status cor_result_read_columns(struct cor_result *result, uint32_t table, uint64_t columns,
                                        uint64_t first, uint64_t count, void *rows, struct cor_error *error) {
    uint64_t size = cor_result_size(result, table);
    COR_ASSERT(first <= size && count <= size - first);
    if (count == 0)
        return COR_OK;
    const struct record__watch watch = record__watch_begin(result->file_size);
    enum cor_status status = record__open_columns(result, table, columns, error);
    for (uint32_t c = 0; c < result->layer->tables[table].column_count && status == COR_OK; c++)
        if (columns >> c & 1)
            status = read_column(result, table, c, first, count, rows, error);
    record__watch_end(&watch);
    return status;
}

enum cor_status cor_result_read(struct cor_result *result, uint32_t table, uint64_t first, uint64_t count,
                                void *rows, struct cor_error *error) {
    return cor_result_read_columns(result, table, UINT64_MAX, first, count, rows, error);
}

enum cor_status cor_result_read_vector(struct cor_result *result, uint32_t vector, uint64_t first,
                                       uint64_t count, void *items, struct cor_error *error) {
    uint64_t size = cor_result_vector_size(result, vector);
    const struct cor_vector_schema *schema = &result->layer->vectors[vector];
    COR_ASSERT(first <= size && count <= size - first);
    const struct record__watch watch = record__watch_begin(result->file_size);
    const enum cor_status status = read_range(result, &result->vectors[vector].dataset, schema->type,
                                              "vectors", schema->dataset, first, count, items, error);
    record__watch_end(&watch);
    return status;
}

/* Folds a column in, block by block, just as the writer does. */
static enum cor_status hash_dataset(struct cor_result *result, struct record__dataset *dataset,
                                    enum cor_type type, const char *group, const char *name, uint64_t total,
                                    uint64_t *hash, struct cor_error *error) {
    uint64_t column_hash = COR_HASH_SEED;
    for (uint64_t first = 0; first < total; first += RECORD__BLOCK_ROWS) {
        uint64_t part = total - first < RECORD__BLOCK_ROWS ? total - first : RECORD__BLOCK_ROWS;
        COR_TRY(read_range(result, dataset, type, group, name, first, part, result->block, error));
        column_hash = cor_hash_bytes(column_hash, result->block, (size_t)part * cor_type_size(type));
    }
    *hash = cor_hash_word(*hash, total);
    *hash = cor_hash_word(*hash, column_hash);
    return COR_OK;
}

static enum cor_status hash_content(struct cor_result *result, bool with_aside, uint64_t *hash,
                                    struct cor_error *error) {
    const struct cor_layer_schema *layer = result->layer;
    *hash = record__content_hash_head(&result->head);
    for (uint32_t t = 0; t < layer->table_count; t++) {
        const struct cor_table_schema *schema = &layer->tables[t];
        const struct record__result_table *table = &result->tables[t];
        if (record__is_left_out(schema, table->rows) || (schema->is_aside && !with_aside))
            continue;
        COR_TRY(record__open_columns(result, t, UINT64_MAX, error));
        for (uint32_t c = 0; c < schema->column_count; c++)
            if (record__has_column(result, &schema->columns[c]))
                COR_TRY(hash_dataset(result, &table->columns[c], schema->columns[c].type, schema->group,
                                     schema->columns[c].name, table->rows, hash, error));
    }
    for (uint32_t v = 0; v < layer->vector_count; v++) {
        const struct cor_vector_schema *schema = &layer->vectors[v];
        if ((schema->since > 0 && result->vectors[v].items == 0) || (schema->is_aside && !with_aside))
            continue;
        COR_TRY(hash_dataset(result, &result->vectors[v].dataset, schema->type, "vectors", schema->dataset,
                             result->vectors[v].items, hash, error));
    }
    return COR_OK;
}

/* All of the file as one call. */
static enum cor_status hash_watched(struct cor_result *result, bool with_aside, uint64_t *hash,
                                    struct cor_error *error) {
    const struct record__watch watch = record__watch_begin(result->file_size);
    const enum cor_status status = hash_content(result, with_aside, hash, error);
    record__watch_end(&watch);
    return status;
}

enum cor_status record__content_hash(struct cor_result *result, uint64_t *hash, struct cor_error *error) {
    return hash_watched(result, true, hash, error);
}

enum cor_status cor_result_hash(struct cor_result *result, uint64_t *hash, struct cor_error *error) {
    return hash_watched(result, false, hash, error);
}

bool cor_result_is_sealed(const struct cor_result *result) {
    return result->sealed;
}

enum cor_status cor_result_check_seal(struct cor_result *result, struct cor_error *error) {
    return result->sealed ? COR_OK : cor_result_verify(result, error);
}

enum cor_status cor_result_verify(struct cor_result *result, struct cor_error *error) {
    uint64_t hash;
    COR_TRY(record__content_hash(result, &hash, error));
    if (hash == result->content_hash)
        return COR_OK;
    return cor_fail(
        error, COR_STATUS_INPUT, result->path, "take another copy, or read it as it is: --unsealed",
        "the content is not what was written: its fingerprint differs from " RECORD__CONTENT_HASH);
}
