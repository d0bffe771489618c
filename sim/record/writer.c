/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "writer.h"

#include "hdf5_file.h"
#include "schema_json.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Higher levels cost more than they save: figures in docs/result-file.md. */
#ifndef COR__DEFLATE_LEVEL
#define COR__DEFLATE_LEVEL 3
#endif
/* A shorter list is stored as it is, in one piece: the index of its one chunk would be larger than what
 * packing saves. */
#define PLAIN_ROWS 1024
#define ENCODING_VERSION "1.0.0"
#define REMEDY "make room on the disk, then run the same command again"

/* A column or vector on its way into the file. */
struct column {
    hid_t dataset;
    enum cor_type type;
    size_t item_size;
    uint64_t total, written; /* items */
    unsigned char *buffer;   /* owned, `block` items */
    size_t block, used;      /* items */
    uint64_t hash;
};

struct cor__writer {
    const char *path, *place; /* borrowed */
    struct cor__h5_cause cause;
    hid_t file, text, group_list;
    uint64_t head_hash;
    struct column *columns; /* owned: of all tables, in order */
    size_t column_count;
    struct column vectors[COR_VECTOR_COUNT];
};

static enum cor_status failed(const struct cor__writer *writer, struct cor_error *error) {
    return cor__h5_fail(error, writer->place, REMEDY, "cannot write", &writer->cause);
}

/* --------------------------------------------------------------------------------------------------
 * attributes */

static herr_t put_attribute(hid_t object, const char *name, hid_t type, hid_t memory_type, size_t count,
                            const void *values) {
    hsize_t size = count;
    hid_t space = count == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, NULL);
    hid_t attribute = space >= 0 ? H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    herr_t result = attribute >= 0 ? H5Awrite(attribute, memory_type, values) : -1;
    if (attribute >= 0 && H5Aclose(attribute) < 0)
        result = -1;
    if (space >= 0)
        H5Sclose(space);
    return result;
}

static herr_t put_text_attribute(const struct cor__writer *writer, hid_t object, const char *name,
                                 const char *text) {
    return put_attribute(object, name, writer->text, writer->text, 0, &text);
}

static herr_t put_number_attribute(hid_t object, const char *name, enum cor_type type, const void *number) {
    return put_attribute(object, name, cor__h5_file_type(type), cor__h5_memory_type(type), 0, number);
}

/* The codes of a family as the CF conventions have it: numbers beside words. */
static herr_t put_flags(const struct cor__writer *writer, hid_t dataset, enum cor_family family) {
    uint8_t values[256];
    char words[1024] = "";
    size_t count = 0, length = 0;
    for (const struct cor_term *term = cor_terms(family); term->word && count < sizeof values; term++) {
        values[count++] = (uint8_t)term->number;
        length += (size_t)snprintf(words + length, sizeof words - length, "%s%s", length > 0 ? " " : "",
                                   term->word);
        COR_ASSERT(length < sizeof words);
    }
    if (put_attribute(dataset, "flag_values", H5T_STD_U8LE, H5T_NATIVE_UINT8, count, values) < 0)
        return -1;
    return put_text_attribute(writer, dataset, "flag_meanings", words);
}

/* ------------------------------------------------------------------------------------------ groups and
 * datasets */

/* Without times of creation, so that equal content gives equal bytes, and with members in the order of
 * creation. */
static herr_t set_group_list(hid_t list) {
    if (H5Pset_obj_track_times(list, 0) < 0 || H5Pset_attr_phase_change(list, 32, 16) < 0)
        return -1;
    if (H5Pset_link_phase_change(list, 128, 64) < 0)
        return -1;
    return H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
}

/* A group that says what it is, in the manner of AnnData. */
static hid_t create_group(const struct cor__writer *writer, hid_t parent, const char *name,
                          const char *encoding, const char *meaning) {
    hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, writer->group_list, H5P_DEFAULT);
    if (group >= 0 && put_text_attribute(writer, group, "encoding-type", encoding) >= 0 &&
        put_text_attribute(writer, group, "encoding-version", ENCODING_VERSION) >= 0 &&
        put_text_attribute(writer, group, "long_name", meaning) >= 0)
        return group;
    if (group >= 0)
        H5Gclose(group);
    return H5I_INVALID_HID;
}

/* How a dataset of `chunk_rows` items a chunk is stored; 0 = in one piece. */
static hid_t dataset_list(size_t chunk_rows, size_t item_size) {
    hsize_t chunk = chunk_rows;
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    if (list < 0)
        return list;
    herr_t result = H5Pset_obj_track_times(list, 0);
    if (chunk_rows > 0 && result >= 0)
        result = H5Pset_chunk(list, 1, &chunk);
    if (chunk_rows > 0 && item_size > 1 && result >= 0)
        result = H5Pset_shuffle(list);
    if (chunk_rows > 0 && result >= 0)
        result = H5Pset_deflate(list, COR__DEFLATE_LEVEL);
    if (chunk_rows > 0 && result >= 0)
        result = H5Pset_fletcher32(list);
    if (result >= 0)
        return list;
    H5Pclose(list);
    return H5I_INVALID_HID;
}

/* Chunks are written whole and once: a cache would only copy them and hold memory. */
static hid_t uncached(void) {
    hid_t list = H5Pcreate(H5P_DATASET_ACCESS);
    if (list >= 0 && H5Pset_chunk_cache(list, 1, 0, 1.0) >= 0)
        return list;
    if (list >= 0)
        H5Pclose(list);
    return H5I_INVALID_HID;
}

static hid_t create_dataset(hid_t parent, const char *name, hid_t type, size_t item_size, uint64_t total,
                            size_t chunk_rows) {
    hsize_t size = total;
    hid_t space = H5Screate_simple(1, &size, NULL), list = dataset_list(chunk_rows, item_size),
          access = uncached();
    hid_t dataset = H5I_INVALID_HID;
    if (space >= 0 && list >= 0 && access >= 0)
        dataset = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, list, access);
    if (space >= 0)
        H5Sclose(space);
    if (list >= 0)
        H5Pclose(list);
    if (access >= 0)
        H5Pclose(access);
    return dataset;
}

/* One text, for instance /experiment. Fixed-length strings would crash the netCDF4 engine of xarray
 * (libnetcdf 4.9.0). */
static herr_t put_text(const struct cor__writer *writer, const char *name, const char *text,
                       const char *meaning) {
    hid_t space = H5Screate(H5S_SCALAR), list = dataset_list(0, 0), dataset = H5I_INVALID_HID;
    if (space >= 0 && list >= 0)
        dataset = H5Dcreate2(writer->file, name, writer->text, space, H5P_DEFAULT, list, H5P_DEFAULT);
    herr_t result = dataset >= 0 ? H5Dwrite(dataset, writer->text, H5S_ALL, H5S_ALL, H5P_DEFAULT, &text) : -1;
    if (result >= 0)
        result = put_text_attribute(writer, dataset, "long_name", meaning);
    if (dataset >= 0 && H5Dclose(dataset) < 0)
        result = -1;
    if (list >= 0)
        H5Pclose(list);
    if (space >= 0)
        H5Sclose(space);
    return result;
}

/* ----------------------------------------------------------------------------------------------------
 * catalogs */

static herr_t put_items(hid_t group, const char *name, hid_t type, hid_t memory_type, size_t count,
                        const void *items) {
    hid_t dataset = create_dataset(group, name, type, 0, count, 0);
    herr_t result = dataset >= 0 ? 0 : -1;
    if (result >= 0 && count > 0)
        result = H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, items);
    if (dataset >= 0 && H5Dclose(dataset) < 0)
        result = -1;
    return result;
}

static enum cor_status put_catalog(const struct cor__writer *writer, hid_t parent,
                                   const struct cor_result_header *header, enum cor_catalog catalog,
                                   struct cor_error *error) {
    enum cor_status status = COR_OK;
    const struct cor_catalog_entry *entries = header->catalog[catalog];
    size_t count = header->catalog_size[catalog];
    uint16_t *codes = cor_calloc(count, sizeof *codes);
    const char **names = cor_calloc(count, sizeof *names),
               **descriptions = cor_calloc(count, sizeof *descriptions);
    hid_t group = create_group(writer, parent, cor_catalog_group(catalog), "corridor-catalog",
                               cor_catalog_meaning(catalog));
    if (!codes || !names || !descriptions) {
        status = cor_fail_memory(error);
        goto out;
    }
    for (size_t i = 0; i < count; i++) {
        codes[i] = entries[i].code;
        names[i] = entries[i].name;
        descriptions[i] = entries[i].description;
    }
    if (group < 0 || put_items(group, "code", H5T_STD_U16LE, H5T_NATIVE_UINT16, count, codes) < 0 ||
        put_items(group, "name", writer->text, writer->text, count, names) < 0 ||
        put_items(group, "description", writer->text, writer->text, count, descriptions) < 0)
        status = failed(writer, error);
out:
    if (group >= 0)
        H5Gclose(group);
    free(codes);
    free(names);
    free(descriptions);
    return status;
}

static enum cor_status put_catalogs(const struct cor__writer *writer, const struct cor_result_header *header,
                                    struct cor_error *error) {
    hid_t parent = create_group(writer, writer->file, "catalog", "corridor-catalogs", "words of codes");
    if (parent < 0)
        return failed(writer, error);
    enum cor_status status = COR_OK;
    for (enum cor_catalog c = 0; c < COR_CATALOG_COUNT && status == COR_OK; c++)
        status = put_catalog(writer, parent, header, c, error);
    H5Gclose(parent);
    return status;
}

/* --------------------------------------------------------------------------------------------- tables and
 * vectors */

static enum cor_status create_column(const struct cor__writer *writer, hid_t group, const char *name,
                                     enum cor_type type, uint64_t total, struct column *column,
                                     struct cor_error *error) {
    column->type = type;
    column->item_size = cor_type_size(type);
    column->total = total;
    column->hash = COR_HASH_SEED;
    column->block = total < COR__BLOCK_ROWS ? (size_t)total : COR__BLOCK_ROWS;
    column->buffer = cor_calloc(column->block, column->item_size);
    if (!column->buffer)
        return cor_fail_memory(error);
    column->dataset = create_dataset(group, name, cor__h5_file_type(type), column->item_size, total,
                                     total < PLAIN_ROWS ? 0 : column->block);
    return column->dataset >= 0 ? COR_OK : failed(writer, error);
}

static herr_t describe_column(const struct cor__writer *writer, hid_t dataset,
                              const struct cor_column *column) {
    if (put_text_attribute(writer, dataset, "units", column->unit) < 0 ||
        put_text_attribute(writer, dataset, "long_name", column->meaning) < 0)
        return -1;
    return column->family == COR_FAMILY_NONE ? 0 : put_flags(writer, dataset, column->family);
}

static herr_t put_column_order(const struct cor__writer *writer, hid_t group,
                               const struct cor_table_schema *schema) {
    const char *names[64];
    for (uint32_t c = 0; c < schema->column_count; c++)
        names[c] = schema->columns[c].name;
    return put_attribute(group, "column-order", writer->text, writer->text, schema->column_count, names);
}

static enum cor_status create_table(struct cor__writer *writer, enum cor_table table, uint64_t rows,
                                    struct cor_error *error) {
    const struct cor_table_schema *schema = cor_schema(table);
    enum cor_status status = COR_OK;
    hid_t group = create_group(writer, writer->file, schema->group, "corridor-table", schema->meaning);
    if (group < 0 || put_column_order(writer, group, schema) < 0)
        status = failed(writer, error);
    for (uint32_t c = 0; c < schema->column_count && status == COR_OK; c++) {
        struct column *column = &writer->columns[writer->column_count++];
        status = create_column(writer, group, schema->columns[c].name, schema->columns[c].type, rows, column,
                               error);
        if (status == COR_OK && describe_column(writer, column->dataset, &schema->columns[c]) < 0)
            status = failed(writer, error);
    }
    if (group >= 0)
        H5Gclose(group);
    return status;
}

static enum cor_status create_vectors(struct cor__writer *writer, const uint64_t *items,
                                      struct cor_error *error) {
    enum cor_status status = COR_OK;
    hid_t group =
        create_group(writer, writer->file, "vectors", "corridor-vectors", "long lists that rows point into");
    if (group < 0)
        status = failed(writer, error);
    for (enum cor_vector v = 0; v < COR_VECTOR_COUNT && status == COR_OK; v++) {
        const struct cor_vector_schema *schema = cor_vector(v);
        struct column *column = &writer->vectors[v];
        status = create_column(writer, group, schema->dataset, schema->type, items[v], column, error);
        if (status == COR_OK &&
            (put_text_attribute(writer, column->dataset, "units", "1") < 0 ||
             put_text_attribute(writer, column->dataset, "long_name", schema->meaning) < 0))
            status = failed(writer, error);
    }
    if (group >= 0)
        H5Gclose(group);
    return status;
}

/* ----------------------------------------------------------------------------------------------------
 * creating */

static enum cor_status create_file(struct cor__writer *writer, struct cor_error *error) {
    hid_t access = cor__h5_access(), list = H5Pcreate(H5P_FILE_CREATE);
    writer->text = cor__h5_text_type();
    writer->group_list = H5Pcreate(H5P_GROUP_CREATE);
    if (access >= 0 && list >= 0 && writer->text >= 0 && writer->group_list >= 0 &&
        set_group_list(list) >= 0 && set_group_list(writer->group_list) >= 0)
        writer->file = H5Fcreate(writer->path, H5F_ACC_EXCL, list, access);
    enum cor_status status = writer->file >= 0 ? COR_OK
                                               : cor__h5_fail(error, writer->place, NULL,
                                                              "cannot create the file", &writer->cause);
    if (list >= 0)
        H5Pclose(list);
    if (access >= 0)
        H5Pclose(access);
    return status;
}

static enum cor_status put_header(const struct cor__writer *writer, const struct cor_result_header *header,
                                  struct cor_error *error) {
    char version[32], seed[32];
    snprintf(version, sizeof version, "%d.%d.0", COR_FORMAT_MAJOR, COR_FORMAT_MINOR);
    snprintf(seed, sizeof seed, "0x%016" PRIx64, header->seed);
    if (put_text_attribute(writer, writer->file, "format", COR_FORMAT_NAME) < 0 ||
        put_text_attribute(writer, writer->file, "format_version", version) < 0 ||
        put_text_attribute(writer, writer->file, "creator", "corridor") < 0 ||
        put_text_attribute(writer, writer->file, "creator_version", CORRIDOR_VERSION) < 0 ||
        put_text_attribute(writer, writer->file, "default", "/cases") < 0 ||
        put_text_attribute(writer, writer->file, "seed", seed) < 0 ||
        put_number_attribute(writer->file, "complete", COR_TYPE_U8, &(uint8_t){header->complete != 0}) < 0 ||
        put_number_attribute(writer->file, "planned_suites", COR_TYPE_U64, &header->planned_suites) < 0)
        return failed(writer, error);
    return COR_OK;
}

static enum cor_status put_texts(const struct cor__writer *writer, const struct cor_result_header *header,
                                 struct cor_error *error) {
    enum cor_status status = COR_OK;
    char *schema = cor__schema_json();
    if (!schema)
        return cor_fail_memory(error);
    if (put_text(writer, "experiment", header->experiment, "the experiment, JSON with all files it names") <
            0 ||
        put_text(writer, "provenance", header->provenance, "what it was run with, JSON") < 0 ||
        put_text(writer, "schema", schema, "tables, vectors and catalogs of this file, JSON") < 0)
        status = failed(writer, error);
    free(schema);
    return status;
}

static size_t all_columns(void) {
    size_t count = 0;
    for (enum cor_table t = 0; t < COR_TABLE_COUNT; t++)
        count += cor_schema(t)->column_count;
    return count;
}

static enum cor_status fill_file(struct cor__writer *writer, const struct cor_result_header *header,
                                 const struct cor__counts *counts, struct cor_error *error) {
    enum cor_status status = put_header(writer, header, error);
    if (status == COR_OK)
        status = put_texts(writer, header, error);
    if (status == COR_OK)
        status = put_catalogs(writer, header, error);
    for (enum cor_table t = 0; t < COR_TABLE_COUNT && status == COR_OK; t++)
        status = create_table(writer, t, counts->rows[t], error);
    if (status == COR_OK)
        status = create_vectors(writer, counts->items, error);
    return status;
}

enum cor_status cor__writer_create(const char *path, const char *place,
                                   const struct cor_result_header *header, const struct cor__counts *counts,
                                   struct cor__writer **writer, struct cor_error *error) {
    struct cor__writer *made = cor_calloc(1, sizeof *made);
    *writer = NULL;
    if (!made)
        return cor_fail_memory(error);
    cor__h5_listen(&made->cause);
    made->path = path;
    made->place = place;
    made->file = made->text = made->group_list = H5I_INVALID_HID;
    for (size_t v = 0; v < COR_VECTOR_COUNT; v++)
        made->vectors[v].dataset = H5I_INVALID_HID;
    made->head_hash = cor__content_hash_head(header);
    made->columns = cor_calloc(all_columns(), sizeof *made->columns);
    enum cor_status status = made->columns ? create_file(made, error) : cor_fail_memory(error);
    if (status == COR_OK)
        status = fill_file(made, header, counts, error);
    if (status == COR_OK)
        *writer = made;
    else
        cor__writer_destroy(made);
    return status;
}

/* ---------------------------------------------------------------------------------------------------
 * appending */

static enum cor_status flush(const struct cor__writer *writer, struct column *column,
                             struct cor_error *error) {
    if (column->used == 0)
        return COR_OK;
    column->hash = cor_hash_bytes(column->hash, column->buffer, column->used * column->item_size);
    if (cor__h5_write(column->dataset, column->type, column->written, column->used, column->buffer) < 0)
        return failed(writer, error);
    column->written += column->used;
    column->used = 0;
    return COR_OK;
}

static enum cor_status append(const struct cor__writer *writer, struct column *column,
                              const unsigned char *items, uint64_t count, struct cor_error *error) {
    if (count > column->total - column->written - column->used)
        return cor_fail(error, COR_STATUS_FILE, writer->place, NULL, "a journal changed while it was merged");
    while (count > 0) {
        size_t room = column->block - column->used, part = count < room ? (size_t)count : room;
        memcpy(column->buffer + column->used * column->item_size, items, part * column->item_size);
        column->used += part;
        items += part * column->item_size;
        count -= part;
        if (column->used == column->block) {
            enum cor_status status = flush(writer, column, error);
            if (status != COR_OK)
                return status;
        }
    }
    return COR_OK;
}

/* Columns that count within the vectors of their suite. */
struct offset_column {
    enum cor_table table;
    size_t offset; /* in the row struct */
    enum cor_vector vector;
};

static const struct offset_column offset_columns[] = {
    {COR_TABLE_SEQUENCES, offsetof(struct cor_sequence_row, walk_start), COR_VECTOR_WALK},
    {COR_TABLE_FAILURES, offsetof(struct cor_failure_row, block_start), COR_VECTOR_SOLUTION_BLOCK_SIZE},
    {COR_TABLE_FAILURES, offsetof(struct cor_failure_row, member_start), COR_VECTOR_SOLUTION_MEMBER},
    {COR_TABLE_FAILURES, offsetof(struct cor_failure_row, structure_start), COR_VECTOR_STRUCTURE},
};

static const struct offset_column *find_offset_column(enum cor_table table, size_t offset) {
    for (size_t i = 0; i < sizeof offset_columns / sizeof *offset_columns; i++)
        if (offset_columns[i].table == table && offset_columns[i].offset == offset)
            return &offset_columns[i];
    return NULL;
}

/* Appends offsets, shifted by the items that earlier suites put into the vector. */
static enum cor_status append_offsets(struct cor__writer *writer, struct column *column,
                                      enum cor_vector vector, const struct cor__frame *frame,
                                      const unsigned char *items, uint64_t count, struct cor_error *error) {
    uint64_t base = writer->vectors[vector].written + writer->vectors[vector].used;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t start;
        memcpy(&start, items + 8 * i, 8);
        if (start > frame->counts.items[vector])
            return cor_fail(error, COR_STATUS_INTERNAL, writer->place, NULL,
                            "a row of suite %u of arm %u points behind the end of vectors/%s",
                            frame->header.suite, frame->header.arm, cor_vector(vector)->dataset);
        start += base;
        enum cor_status status = append(writer, column, (const unsigned char *)&start, 1, error);
        if (status != COR_OK)
            return status;
    }
    return COR_OK;
}

enum cor_status cor__writer_put(struct cor__writer *writer, const struct cor__frame *frame,
                                struct cor_error *error) {
    const unsigned char *at = frame->bytes + COR__FRAME_HEADER_SIZE + COR__FRAME_COUNTS_SIZE;
    struct column *column = writer->columns;
    for (enum cor_table t = 0; t < COR_TABLE_COUNT; t++) {
        uint64_t rows = frame->counts.rows[t];
        for (uint32_t c = 0; c < cor_schema(t)->column_count; c++, column++) {
            const struct offset_column *offset = find_offset_column(t, cor_schema(t)->columns[c].offset);
            enum cor_status status =
                offset ? append_offsets(writer, column, offset->vector, frame, at, rows, error)
                       : append(writer, column, at, rows, error);
            if (status != COR_OK)
                return status;
            at += rows * column->item_size;
        }
    }
    for (size_t v = 0; v < COR_VECTOR_COUNT; v++) {
        enum cor_status status = append(writer, &writer->vectors[v], at, frame->counts.items[v], error);
        if (status != COR_OK)
            return status;
        at += frame->counts.items[v] * writer->vectors[v].item_size;
    }
    return COR_OK;
}

/* ---------------------------------------------------------------------------------------------------
 * finishing */

/* Writes the rest of a column and folds its fingerprint in. */
static enum cor_status finish_column(const struct cor__writer *writer, struct column *column, uint64_t *hash,
                                     struct cor_error *error) {
    enum cor_status status = flush(writer, column, error);
    if (status != COR_OK)
        return status;
    if (column->written != column->total)
        return cor_fail(error, COR_STATUS_FILE, writer->place, NULL, "a journal changed while it was merged");
    hid_t dataset = column->dataset;
    column->dataset = H5I_INVALID_HID;
    if (H5Dclose(dataset) < 0)
        return failed(writer, error);
    *hash = cor_hash_word(*hash, column->total);
    *hash = cor_hash_word(*hash, column->hash);
    return COR_OK;
}

enum cor_status cor__writer_finish(struct cor__writer *writer, uint64_t *hash, struct cor_error *error) {
    enum cor_status status = COR_OK;
    char text[32];
    *hash = writer->head_hash;
    for (size_t c = 0; c < writer->column_count && status == COR_OK; c++)
        status = finish_column(writer, &writer->columns[c], hash, error);
    for (size_t v = 0; v < COR_VECTOR_COUNT && status == COR_OK; v++)
        status = finish_column(writer, &writer->vectors[v], hash, error);
    if (status != COR_OK)
        return status;
    snprintf(text, sizeof text, "0x%016" PRIx64, *hash);
    hid_t file = writer->file;
    if (put_text_attribute(writer, file, COR__CONTENT_HASH, text) < 0)
        return failed(writer, error);
    writer->file = H5I_INVALID_HID;
    return H5Fclose(file) >= 0 ? COR_OK : failed(writer, error);
}

static void destroy_column(struct column *column) {
    if (column->dataset > 0)
        H5Dclose(column->dataset);
    free(column->buffer);
}

void cor__writer_destroy(struct cor__writer *writer) {
    if (!writer)
        return;
    for (size_t c = 0; c < writer->column_count; c++)
        destroy_column(&writer->columns[c]);
    for (size_t v = 0; v < COR_VECTOR_COUNT; v++)
        destroy_column(&writer->vectors[v]);
    if (writer->group_list >= 0)
        H5Pclose(writer->group_list);
    if (writer->text >= 0)
        H5Tclose(writer->text);
    if (writer->file >= 0)
        H5Fclose(writer->file);
    cor__h5_listen(NULL);
    free(writer->columns);
    free(writer);
}
