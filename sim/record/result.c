/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result_private.h"

#include "frame.h"
#include "schema_json.h"

#include <corridor/hash.h>

#include <stdio.h>

uint64_t cor_result_size(const struct cor_result *result, enum cor_table table) {
    COR_ASSERT((int)table >= 0 && table < COR_TABLE_COUNT);
    return result->tables[table].rows;
}

uint64_t cor_result_vector_size(const struct cor_result *result, enum cor_vector vector) {
    COR_ASSERT((int)vector >= 0 && vector < COR_VECTOR_COUNT);
    return result->vectors[vector].items;
}

const struct cor_result_header *cor_result_head(const struct cor_result *result) {
    return &result->head;
}

const char *cor_result_name(const struct cor_result *result, enum cor_catalog catalog, uint16_t code) {
    COR_ASSERT((int)catalog >= 0 && catalog < COR_CATALOG_COUNT);
    const struct cor_catalog_entry *entries = result->head.catalog[catalog];
    for (size_t i = 0; i < result->head.catalog_size[catalog]; i++)
        if (entries[i].code == code)
            return entries[i].name;
    return "?";
}

/* Reads a range of a column without gaps. */
static enum cor_status read_range(struct cor_result *result, hid_t dataset, enum cor_type type,
                                  const char *group, const char *name, uint64_t first, uint64_t count,
                                  void *items, struct cor_error *error) {
    char what[200];
    cor__h5_listen(&result->cause);
    if (count == 0 || cor__h5_read(dataset, type, first, count, items) >= 0)
        return COR_OK;
    snprintf(what, sizeof what, "cannot read /%s/%s from row %llu on", group, name,
             (unsigned long long)first);
    return cor__h5_fail(error, COR_STATUS_INPUT, result->path, "the file is damaged: take another copy", what,
                        &result->cause);
}

/* Reads a range of a column into the field of row structs, a block at a time. */
static enum cor_status read_column(struct cor_result *result, enum cor_table table, uint32_t index,
                                   uint64_t first, uint64_t count, unsigned char *rows,
                                   struct cor_error *error) {
    const struct cor_table_schema *schema = cor_schema(table);
    const struct cor_column *column = &schema->columns[index];
    while (count > 0) {
        /* up to the end of a block, so that no chunk is unpacked twice */
        uint64_t room = COR__BLOCK_ROWS - first % COR__BLOCK_ROWS, part = count < room ? count : room;
        enum cor_status status = read_range(result, result->tables[table].columns[index], column->type,
                                            schema->group, column->name, first, part, result->block, error);
        if (status != COR_OK)
            return status;
        cor__scatter(column->type, result->block, (size_t)part, rows + column->offset, schema->row_size);
        rows += part * schema->row_size;
        first += part;
        count -= part;
    }
    return COR_OK;
}

enum cor_status cor_result_read_columns(struct cor_result *result, enum cor_table table, uint64_t columns,
                                        uint64_t first, uint64_t count, void *rows, struct cor_error *error) {
    uint64_t size = cor_result_size(result, table);
    COR_ASSERT(first <= size && count <= size - first);
    for (uint32_t c = 0; c < cor_schema(table)->column_count; c++)
        if (columns >> c & 1) {
            enum cor_status status = read_column(result, table, c, first, count, rows, error);
            if (status != COR_OK)
                return status;
        }
    return COR_OK;
}

enum cor_status cor_result_read(struct cor_result *result, enum cor_table table, uint64_t first,
                                uint64_t count, void *rows, struct cor_error *error) {
    return cor_result_read_columns(result, table, UINT64_MAX, first, count, rows, error);
}

enum cor_status cor_result_read_vector(struct cor_result *result, enum cor_vector vector, uint64_t first,
                                       uint64_t count, void *items, struct cor_error *error) {
    uint64_t size = cor_result_vector_size(result, vector);
    const struct cor_vector_schema *schema = cor_vector(vector);
    COR_ASSERT(first <= size && count <= size - first);
    return read_range(result, result->vectors[vector].dataset, schema->type, "vectors", schema->dataset,
                      first, count, items, error);
}

/* Folds a column in, block by block, just as the writer does. */
static enum cor_status hash_dataset(struct cor_result *result, hid_t dataset, enum cor_type type,
                                    const char *group, const char *name, uint64_t total, uint64_t *hash,
                                    struct cor_error *error) {
    uint64_t column_hash = COR_HASH_SEED;
    for (uint64_t first = 0; first < total; first += COR__BLOCK_ROWS) {
        uint64_t part = total - first < COR__BLOCK_ROWS ? total - first : COR__BLOCK_ROWS;
        enum cor_status status =
            read_range(result, dataset, type, group, name, first, part, result->block, error);
        if (status != COR_OK)
            return status;
        column_hash = cor_hash_bytes(column_hash, result->block, (size_t)part * cor_type_size(type));
    }
    *hash = cor_hash_word(*hash, total);
    *hash = cor_hash_word(*hash, column_hash);
    return COR_OK;
}

enum cor_status cor_result_hash(struct cor_result *result, uint64_t *hash, struct cor_error *error) {
    enum cor_status status = COR_OK;
    *hash = cor__content_hash_head(&result->head);
    for (enum cor_table t = 0; t < COR_TABLE_COUNT; t++) {
        const struct cor_table_schema *schema = cor_schema(t);
        if (cor__table_since(t) > 0 && result->tables[t].rows == 0)
            continue;
        for (uint32_t c = 0; c < schema->column_count && status == COR_OK; c++)
            status =
                hash_dataset(result, result->tables[t].columns[c], schema->columns[c].type, schema->group,
                             schema->columns[c].name, result->tables[t].rows, hash, error);
    }
    for (enum cor_vector v = 0; v < COR_VECTOR_COUNT && status == COR_OK; v++)
        status = hash_dataset(result, result->vectors[v].dataset, cor_vector(v)->type, "vectors",
                              cor_vector(v)->dataset, result->vectors[v].items, hash, error);
    return status;
}

enum cor_status cor_result_verify(struct cor_result *result, struct cor_error *error) {
    uint64_t hash;
    enum cor_status status = cor_result_hash(result, &hash, error);
    if (status == COR_OK && hash != result->content_hash)
        status =
            cor_fail(error, COR_STATUS_INPUT, result->path, "take another copy, or merge the journals again",
                     "the content is not what was written: its fingerprint differs from " COR__CONTENT_HASH);
    return status;
}
