/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hdf5_file.h"
#include "pack.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A shorter list is stored as it is, in one piece: the index of its one chunk would be larger than what
 * packing saves. */
#define PLAIN_ROWS 1024

/* A column or vector on its way into the file. */
struct column {
    hid_t dataset;
    enum cor_type type;
    size_t item_size;
    uint64_t total, written; /* items */
    unsigned char *buffer;   /* owned, `block` items */
    size_t block, used;      /* items */
    uint64_t hash;
    const struct column *vector; /* that its items count within; NULL = they are no offsets */
    uint32_t packed_crc;         /* CRC32C of its chunks as they are packed, one after the other */
    bool unsaid; /* of a later table or vector in which nothing is: no part of the fingerprint, and of a table
                    none of the file */
};

static bool is_packed(const struct column *column) {
    return column->total >= PLAIN_ROWS;
}

struct record__writer {
    const struct cor_layer_schema *layer; /* borrowed */
    struct record__layout layout;
    struct record__packer packer;
    uint64_t head_hash, content_hash; /* the latter at the end */
    struct column *columns;           /* owned: of all tables, in order */
    size_t column_count;
    struct column vectors[COR_VECTORS_MAX];
};

static enum cor_status create_column(struct record__writer *writer, hid_t group, const char *name,
                                     enum cor_type type, uint64_t total, struct column *column,
                                     struct cor_error *error) {
    column->type = type;
    column->item_size = cor_type_size(type);
    column->total = total;
    column->hash = COR_HASH_SEED;
    column->block = total < RECORD__BLOCK_ROWS ? (size_t)total : RECORD__BLOCK_ROWS;
    column->buffer = malloc(column->block * column->item_size + 1); /* one more, as there may be no rows */
    COR_TRY(cor_made(column->buffer, error));
    column->dataset =
        record__layout_create_dataset(&writer->layout, group, name, record__h5_type(type), column->item_size,
                                      total, is_packed(column) ? column->block : 0);
    return column->dataset >= 0 ? COR_OK : record__layout_failed(&writer->layout, error);
}

static herr_t describe_column(const struct record__writer *writer, hid_t dataset,
                              const struct cor_column *column) {
    if (record__layout_put_words(&writer->layout, dataset, "units", column->unit, "long_name",
                                 column->meaning, NULL) < 0)
        return -1;
    if (column->family == COR_FAMILY_NONE)
        return 0;
    /* The codes of a family as the CF conventions have it: numbers beside words. */
    uint8_t values[256];
    char words[1024] = "";
    size_t count = 0, length = 0;
    for (const struct cor_term *term = cor_terms(column->family); term->word && count < sizeof values;
         term++) {
        values[count++] = (uint8_t)term->number;
        length += (size_t)snprintf(words + length, sizeof words - length, "%s%s", length > 0 ? " " : "",
                                   term->word);
        COR_ASSERT(length < sizeof words);
    }
    if (record__layout_put_attribute(dataset, "flag_values", H5T_STD_U8LE, count, values) < 0)
        return -1;
    return record__layout_put_words(&writer->layout, dataset, "flag_meanings", words, NULL);
}

static herr_t put_column_order(const struct record__writer *writer, hid_t group,
                               const struct cor_table_schema *schema) {
    const char *names[64];
    for (uint32_t c = 0; c < schema->column_count; c++)
        names[c] = schema->columns[c].name;
    return record__layout_put_attribute(group, "column-order", writer->layout.text, schema->column_count,
                                        names);
}

/* The vector that the column at `offset` of a table counts within, NULL if it does not. */
static const struct column *vector_of(const struct record__writer *writer, uint32_t table, size_t offset) {
    for (uint32_t i = 0; i < writer->layer->offset_count; i++)
        if (writer->layer->offsets[i].table == table && writer->layer->offsets[i].offset == offset)
            return &writer->vectors[writer->layer->offsets[i].vector];
    return NULL;
}

/* Half of all columns are of tables that few campaigns have rows of, and to make a column costs as much as to
 * pack ten thousand items. */
static void leave_out(struct record__writer *writer, const struct cor_table_schema *schema) {
    for (uint32_t c = 0; c < schema->column_count; c++)
        writer->columns[writer->column_count++] =
            (struct column){.dataset = H5I_INVALID_HID, .hash = COR_HASH_SEED, .unsaid = true};
}

static enum cor_status create_table(struct record__writer *writer, uint32_t table, uint64_t rows,
                                    struct cor_error *error) {
    const struct cor_table_schema *schema = &writer->layer->tables[table];
    enum cor_status status = COR_OK;
    if (record__is_left_out(schema, rows)) {
        leave_out(writer, schema);
        return COR_OK;
    }
    hid_t group = record__layout_create_group(&writer->layout, writer->layout.file, schema->group,
                                              "corridor-table", schema->meaning, schema->column_count);
    if (group < 0 || put_column_order(writer, group, schema) < 0)
        COR_TRY_OUT(record__layout_failed(&writer->layout, error));
    for (uint32_t c = 0; c < schema->column_count; c++) {
        const struct cor_column *its = &schema->columns[c];
        struct column *column = &writer->columns[writer->column_count++];
        column->vector = vector_of(writer, table, its->offset);
        COR_TRY_OUT(create_column(writer, group, its->name, its->type, rows, column, error));
        if (describe_column(writer, column->dataset, its) < 0)
            COR_TRY_OUT(record__layout_failed(&writer->layout, error));
    }
out:
    record__h5_close(group);
    return status;
}

static enum cor_status fill_file(struct record__writer *writer, const struct cor_result_header *header,
                                 const struct record__counts *counts, struct cor_error *error) {
    COR_TRY(record__layout_put_head(&writer->layout, header, error));
    for (uint32_t t = 0; t < writer->layer->table_count; t++)
        COR_TRY(create_table(writer, t, counts->rows[t], error));
    enum cor_status status = COR_OK;
    hid_t group =
        record__layout_create_group(&writer->layout, writer->layout.file, "vectors", "corridor-vectors",
                                    "long lists that rows point into", writer->layer->vector_count);
    if (group < 0)
        COR_TRY_OUT(record__layout_failed(&writer->layout, error));
    for (uint32_t v = 0; v < writer->layer->vector_count; v++) {
        const struct cor_vector_schema *schema = &writer->layer->vectors[v];
        struct column *column = &writer->vectors[v];
        column->unsaid = schema->since > 0 && counts->items[v] == 0;
        COR_TRY_OUT(
            create_column(writer, group, schema->dataset, schema->type, counts->items[v], column, error));
        if (record__layout_put_words(&writer->layout, column->dataset, "units", "1", "long_name",
                                     schema->meaning, NULL) < 0)
            COR_TRY_OUT(record__layout_failed(&writer->layout, error));
    }
out:
    record__h5_close(group);
    return status;
}

enum cor_status record__writer_create(const char *path, const char *place,
                                      const struct cor_result_header *header,
                                      const struct record__counts *counts, struct record__writer **writer,
                                      struct cor_error *error) {
    struct record__writer *made = cor_calloc(1, sizeof *made);
    *writer = NULL;
    COR_TRY(cor_made(made, error));
    made->layer = header->layer;
    made->head_hash = record__content_hash_head(header);
    /* beside its tables a file has the vectors, the catalogs and three texts */
    enum cor_status status =
        record__layout_create(&made->layout, path, place, header->layer->table_count + 5, error);
    if (status == COR_OK)
        status = record__packer_init(&made->packer, RECORD__BLOCK_ROWS * sizeof(uint64_t), error);
    size_t count = 0;
    for (uint32_t t = 0; t < header->layer->table_count; t++)
        count += header->layer->tables[t].column_count;
    made->columns = cor_calloc(count, sizeof *made->columns);
    if (!made->columns)
        status = cor_fail_memory(error);
    if (status == COR_OK)
        status = fill_file(made, header, counts, error);
    if (status == COR_OK)
        *writer = made;
    else
        record__writer_destroy(made);
    return status;
}

/* Writes the buffer as the next chunk. A chunk is always whole: the last one is filled up with zeroes. */
static herr_t write_chunk(struct record__writer *writer, struct column *column) {
    hsize_t first = column->written;
    size_t size, used = column->used * column->item_size;
    memset(column->buffer + used, 0, column->block * column->item_size - used);
    const unsigned char *packed =
        record__pack(&writer->packer, column->type, column->buffer, column->block, &size);
    column->packed_crc = record__crc32c(column->packed_crc, packed, size);
    return H5Dwrite_chunk(column->dataset, H5P_DEFAULT, 0, &first, size, packed);
}

/* Folds into the fingerprint of each column what its buffer holds. */
static void fold_buffers(struct column *columns, size_t count) {
    enum { AT_ONCE = 64 };
    struct cor_hash_part parts[AT_ONCE];
    struct column *of[AT_ONCE];
    size_t used = 0;
    for (size_t c = 0; c < count; c++) {
        if (columns[c].used > 0) {
            of[used] = &columns[c];
            parts[used++] = (struct cor_hash_part){columns[c].hash, columns[c].buffer,
                                                   columns[c].used * columns[c].item_size};
        }
        if (used < AT_ONCE && c + 1 < count)
            continue;
        cor_hash_parts(parts, used);
        for (; used > 0; used--)
            of[used - 1]->hash = parts[used - 1].hash;
    }
}

/* Writes what the buffer holds, which has been folded in. */
static enum cor_status flush(struct record__writer *writer, struct column *column, struct cor_error *error) {
    COR_ASSERT(column->used <= column->block && column->written + column->used <= column->total);
    if (column->used == 0)
        return COR_OK;
    herr_t result = is_packed(column) ? write_chunk(writer, column)
                                      : H5Dwrite(column->dataset, record__h5_type(column->type), H5S_ALL,
                                                 H5S_ALL, H5P_DEFAULT, column->buffer);
    if (result < 0)
        return record__layout_failed(&writer->layout, error);
    column->written += column->used;
    column->used = 0;
    return COR_OK;
}

/* Appends items, for which there is room in the buffer. */
static void append(struct column *column, const unsigned char *items, size_t count) {
    memcpy(column->buffer + column->used * column->item_size, items, count * column->item_size);
    column->used += count;
}

/* Appends offsets, shifted by the items that earlier suites put into the vector. */
static enum cor_status append_offsets(struct record__writer *writer, struct column *column,
                                      const struct record__frame *frame, const unsigned char *items,
                                      size_t count, struct cor_error *error) {
    enum { AT_ONCE = 512 };
    size_t vector = (size_t)(column->vector - writer->vectors);
    uint64_t base = column->vector->written + column->vector->used, starts[AT_ONCE];
    while (count > 0) {
        const size_t part = count < AT_ONCE ? count : AT_ONCE;
        memcpy(starts, items, part * sizeof *starts);
        for (size_t i = 0; i < part; i++) {
            if (starts[i] > frame->counts.items[vector])
                return cor_fail(error, COR_STATUS_INTERNAL, writer->layout.place, NULL,
                                "a row of suite %u of arm %u points behind the end of vectors/%s",
                                frame->header.suite, frame->header.arm,
                                writer->layer->vectors[vector].dataset);
            starts[i] += base;
        }
        append(column, (const unsigned char *)starts, part);
        items += part * sizeof *starts;
        count -= part;
    }
    return COR_OK;
}

/* Appends `rows` of a suite to columns of one length, whose items lie one column behind the other from `*at`
 * on, and leaves it behind them. The buffers of these columns are full at the same time. */
static enum cor_status put_rows(struct record__writer *writer, struct column *columns, size_t column_count,
                                const struct record__frame *frame, uint64_t rows, const unsigned char **at,
                                struct cor_error *error) {
    const struct column *first = columns;
    if (rows > first->total - first->written - first->used)
        return cor_fail(error, COR_STATUS_FILE, writer->layout.place, NULL,
                        "a journal changed while it was merged");
    size_t part;
    for (uint64_t done = 0; done < rows; done += part) {
        const size_t room = first->block - first->used;
        part = rows - done < room ? (size_t)(rows - done) : room;
        const unsigned char *items = *at;
        for (struct column *column = columns; column < columns + column_count; column++) {
            const unsigned char *from = items + done * column->item_size;
            if (column->vector)
                COR_TRY(append_offsets(writer, column, frame, from, part, error));
            else
                append(column, from, part);
            items += rows * column->item_size;
        }
        if (first->used < first->block)
            continue;
        fold_buffers(columns, column_count);
        for (size_t c = 0; c < column_count; c++)
            COR_TRY(flush(writer, &columns[c], error));
    }
    for (size_t c = 0; c < column_count; c++)
        *at += rows * columns[c].item_size;
    return COR_OK;
}

enum cor_status record__writer_put(struct record__writer *writer, const struct record__frame *frame,
                                   struct cor_error *error) {
    const struct cor_layer_schema *layer = writer->layer;
    COR_ASSERT(frame->layer == layer);
    const unsigned char *at = frame->bytes + RECORD__FRAME_HEADER_SIZE + record__frame_counts_size(layer);
    struct column *columns = writer->columns;
    for (uint32_t t = 0; t < layer->table_count; t++) {
        const uint32_t count = layer->tables[t].column_count;
        COR_TRY(put_rows(writer, columns, count, frame, frame->counts.rows[t], &at, error));
        columns += count;
    }
    for (uint32_t v = 0; v < layer->vector_count; v++)
        COR_TRY(put_rows(writer, &writer->vectors[v], 1, frame, frame->counts.items[v], &at, error));
    return COR_OK;
}

/* Writes the rest of a column and folds its fingerprint in. */
static enum cor_status finish_column(struct record__writer *writer, struct column *column, uint64_t *hash,
                                     struct cor_error *error) {
    COR_TRY(flush(writer, column, error));
    if (column->written != column->total)
        return cor_fail(error, COR_STATUS_FILE, writer->layout.place, NULL,
                        "a journal changed while it was merged");
    hid_t dataset = column->dataset;
    column->dataset = H5I_INVALID_HID;
    if (dataset >= 0 && H5Dclose(dataset) < 0)
        return record__layout_failed(&writer->layout, error);
    if (!column->unsaid) {
        *hash = cor_hash_word(*hash, column->total);
        *hash = cor_hash_word(*hash, column->hash);
    }
    return COR_OK;
}

enum cor_status record__writer_finish(struct record__writer *writer, struct cor_error *error) {
    uint64_t *hash = &writer->content_hash;
    char text[32];
    *hash = writer->head_hash;
    fold_buffers(writer->columns, writer->column_count);
    fold_buffers(writer->vectors, writer->layer->vector_count);
    for (size_t c = 0; c < writer->column_count; c++)
        COR_TRY(finish_column(writer, &writer->columns[c], hash, error));
    for (uint32_t v = 0; v < writer->layer->vector_count; v++)
        COR_TRY(finish_column(writer, &writer->vectors[v], hash, error));
    snprintf(text, sizeof text, "0x%016" PRIx64, *hash);
    if (record__layout_put_words(&writer->layout, writer->layout.file, RECORD__CONTENT_HASH, text, NULL) < 0)
        return record__layout_failed(&writer->layout, error);
    return record__layout_close(&writer->layout, error);
}

static bool holds_column(const struct record__writer *writer, const struct column *column, hid_t dataset) {
    if (column->total == 0)
        return true;
    if (is_packed(column)) {
        /* Are the chunks in the file those that were written? None is larger than what the packer packs
         * into. */
        uint32_t crc = 0;
        for (hsize_t first = 0; first < column->total; first += column->block) {
            hsize_t size;
            uint32_t left_out; /* filters */
            if (H5Dget_chunk_storage_size(dataset, &first, &size) < 0 || size > writer->packer.packed_size ||
                H5Dread_chunk(dataset, H5P_DEFAULT, &first, &left_out, writer->packer.packed) < 0 ||
                left_out != 0)
                return false;
            crc = record__crc32c(crc, writer->packer.packed, (size_t)size);
        }
        return crc == column->packed_crc;
    }
    return record__h5_read(dataset, column->type, 0, column->total, column->buffer) >= 0 &&
           cor_hash_bytes(COR_HASH_SEED, column->buffer, column->total * column->item_size) == column->hash;
}

bool record__writer_wrote(const struct record__writer *writer, struct cor_result *result) {
    struct cor_error ignored = COR_NO_ERROR;
    const struct column *column = writer->columns;
    bool same = record__content_hash_head(&result->head) == writer->head_hash &&
                result->content_hash == writer->content_hash;
    for (uint32_t t = 0; t < writer->layer->table_count; t++) {
        if (column->unsaid) {
            same = same && !result->tables[t].columns;
            column += writer->layer->tables[t].column_count;
            continue;
        }
        same = same && record__open_columns(result, t, UINT64_MAX, &ignored) == COR_OK;
        for (uint32_t c = 0; c < writer->layer->tables[t].column_count; c++, column++)
            same = same && result->tables[t].rows == column->total &&
                   holds_column(writer, column, result->tables[t].columns[c].id);
    }
    for (size_t v = 0; v < COR_VECTORS_MAX; v++)
        same = same && result->vectors[v].items == writer->vectors[v].total &&
               holds_column(writer, &writer->vectors[v], result->vectors[v].dataset.id);
    return same;
}

static void destroy_column(struct column *column) {
    record__h5_close(column->dataset);
    free(column->buffer);
}

void record__writer_destroy(struct record__writer *writer) {
    if (!writer)
        return;
    for (size_t c = 0; c < writer->column_count; c++)
        destroy_column(&writer->columns[c]);
    for (size_t v = 0; v < COR_VECTORS_MAX; v++)
        destroy_column(&writer->vectors[v]);
    record__layout_fini(&writer->layout);
    record__packer_fini(&writer->packer);
    free(writer->columns);
    free(writer);
}
