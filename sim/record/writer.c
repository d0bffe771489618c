/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hdf5_file.h"
#include "pack.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes the first entry it is shown, the innermost. A failed system call tells its numbers and addresses, of
 * which only the message is for readers: "..., error message = 'No space left on device', ...". */
static herr_t take_entry(unsigned depth, const H5E_error2_t *entry, void *data) {
    static const char mark[] = "error message = '";
    struct record__h5_cause *cause = data;
    (void)depth;
    const char *text = entry->desc ? entry->desc : "unknown cause";
    const char *message = strstr(text, mark);
    if (message)
        text = message + sizeof mark - 1;
    size_t length = message ? strcspn(text, "'") : strlen(text);
    snprintf(cause->text, sizeof cause->text, "%.*s", (int)length, text);
    cause->is_memory = entry->maj_num == H5E_RESOURCE && entry->min_num == H5E_NOSPACE;
    return 1;
}

/* HDF5 calls this when one of its functions is about to return a failure. */
static herr_t note_cause(hid_t stack, void *data) {
    struct record__h5_cause *cause = data;
    if (cause->text[0] == '\0')
        H5Ewalk2(stack, H5E_WALK_UPWARD, take_entry, cause);
    return 0;
}

void record__h5_listen(struct record__h5_cause *cause) {
    if (cause)
        *cause = (struct record__h5_cause){.text = ""};
    H5Eset_auto2(H5E_DEFAULT, cause ? note_cause : NULL, cause);
}

enum cor_status record__h5_fail(struct cor_error *error, enum cor_status status, const char *place,
                                const char *remedy, const char *what, const struct record__h5_cause *cause) {
    const char *text = cause->text[0] ? cause->text : "unknown cause";
    if (cause->is_memory)
        return cor_fail_memory(error);
    return cor_fail(error, status, place, remedy, "%s: %s", what, text);
}

/* Of CPU time: at least, and bytes for which a second is added. The slowest files are read at ten times that
 * speed. */
enum { SECONDS_LEAST = 4, BYTES_A_SECOND = 4 << 20 };

uint32_t cor_result_seconds(uint64_t file_size) {
    const uint64_t more = file_size / BYTES_A_SECOND, most = UINT32_MAX / 2;
    return SECONDS_LEAST + (uint32_t)(more < most ? more : most);
}

struct record__watch record__watch_begin(uint64_t file_size) {
    const struct itimerval limit = {.it_value.tv_sec = cor_result_seconds(file_size)};
    struct record__watch watch;
    if (setitimer(ITIMER_PROF, &limit, &watch.before) != 0)
        watch.before = (struct itimerval){0};
    return watch;
}

void record__watch_end(const struct record__watch *watch) {
    setitimer(ITIMER_PROF, &watch->before, NULL);
}

/* Without HDF5's buffer for pieces of datasets: where reading into it failed, it was taken for filled the
 * next time. */
hid_t record__h5_access(void) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0)
        return access;
    if (H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0 &&
        H5Pset_file_locking(access, 0, 1) >= 0 && H5Pset_sieve_buf_size(access, 0) >= 0)
        return access;
    H5Pclose(access);
    return H5I_INVALID_HID;
}

hid_t record__h5_text_type(void) {
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0)
        return type;
    record__h5_close(type);
    return H5I_INVALID_HID;
}

#define TEXT_BUFFER 16384 /* bytes: a thousand texts at a time */

hid_t record__h5_text_transfer(void) {
    hid_t list = H5Pcreate(H5P_DATASET_XFER);
    if (list >= 0 && H5Pset_buffer(list, TEXT_BUFFER, NULL, NULL) >= 0)
        return list;
    record__h5_close(list);
    return H5I_INVALID_HID;
}

/* A selection of a range in the file, and a memory space of its size. */
static herr_t select_range(hid_t dataset, uint64_t first, uint64_t count, hid_t *space, hid_t *memory) {
    hsize_t start = first, size = count;
    *space = H5Dget_space(dataset);
    *memory = H5Screate_simple(1, &size, NULL);
    if (*space < 0 || *memory < 0)
        return -1;
    return H5Sselect_hyperslab(*space, H5S_SELECT_SET, &start, NULL, &size, NULL);
}

herr_t record__h5_read(hid_t dataset, enum cor_type type, uint64_t first, uint64_t count, void *items) {
    hid_t space, memory;
    COR_ASSERT(count > 0);
    herr_t result = select_range(dataset, first, count, &space, &memory);
    if (result >= 0)
        result = H5Dread(dataset, record__h5_type(type), memory, space, H5P_DEFAULT, items);
    record__h5_close(space);
    record__h5_close(memory);
    return result;
}

static uint64_t hash_text(uint64_t hash, const char *text) {
    return cor_hash_bytes(hash, text, strlen(text));
}

uint64_t record__content_hash_head(const struct cor_result_header *header) {
    uint64_t hash = hash_text(COR_HASH_SEED, header->experiment);
    hash = cor_hash_word(hash, header->seed);
    hash = cor_hash_word(hash, header->complete != 0);
    hash = cor_hash_word(hash, header->planned_suites);
    for (uint32_t c = 0; c < header->layer->catalog_count; c++) {
        if (header->layer->catalogs[c].since > 0 && header->catalog_size[c] == 0)
            continue;
        hash = cor_hash_word(hash, header->catalog_size[c]);
        for (size_t i = 0; i < header->catalog_size[c]; i++) {
            hash = cor_hash_word(hash, header->catalog[c][i].code);
            hash = hash_text(hash, header->catalog[c][i].name);
            hash = hash_text(hash, header->catalog[c][i].description);
        }
    }
    return hash;
}

#define REMEDY "make room on the disk, then run the same command again"

/* COR_STATUS_FILE with the first cause of failure. */
static enum cor_status layout_failed(const struct record__layout *layout, struct cor_error *error) {
    return record__h5_fail(error, COR_STATUS_FILE, layout->place, REMEDY, "cannot write", &layout->cause);
}

/* An attribute of `count` values, 0 = one scalar. */
static herr_t layout_put_attribute(hid_t object, const char *name, hid_t type, size_t count,
                                   const void *values) {
    hsize_t size = count;
    hid_t space = count == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, NULL);
    hid_t attribute = space >= 0 ? H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    herr_t result = attribute >= 0 ? H5Awrite(attribute, type, values) : -1;
    if (attribute >= 0 && H5Aclose(attribute) < 0)
        result = -1;
    record__h5_close(space);
    return result;
}

/* Attributes that are texts: name, text, name, text, .. NULL. */
static herr_t layout_put_words(const struct record__layout *layout, hid_t object, ...) {
    va_list words;
    herr_t result = 0;
    va_start(words, object);
    for (const char *name; result >= 0 && (name = va_arg(words, const char *));)
        result =
            layout_put_attribute(object, name, layout->text, 0, &(const char *){va_arg(words, const char *)});
    va_end(words);
    return result;
}

/* Without times of creation, so that equal content gives equal bytes, and with members in the order of
 * creation. */
static herr_t set_group_list(hid_t list) {
    if (H5Pset_obj_track_times(list, 0) < 0 || H5Pset_attr_phase_change(list, 32, 16) < 0)
        return -1;
    if (H5Pset_link_phase_change(list, 128, 64) < 0)
        return -1;
    return H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
}

/* Room in the header of a group for so many members and for its attributes, which take as much as ten
 * members: where HDF5 is not told, it makes room for four, and more elsewhere whenever there is none left. */
static herr_t set_room(hid_t list, uint32_t member_count) {
    enum { NAME_LENGTH = 16, ATTRIBUTES = 10 };
    return H5Pset_est_link_info(list, member_count + ATTRIBUTES, NAME_LENGTH);
}

/* A group that says what it is, in the manner of AnnData. */
static hid_t layout_create_group(const struct record__layout *layout, hid_t parent, const char *name,
                                 const char *encoding, const char *meaning, uint32_t member_count) {
    hid_t group = H5I_INVALID_HID;
    if (set_room(layout->group_list, member_count) >= 0)
        group = H5Gcreate2(parent, name, H5P_DEFAULT, layout->group_list, H5P_DEFAULT);
    if (group >= 0 && layout_put_words(layout, group, "encoding-type", encoding, "encoding-version", "1.0.0",
                                       "long_name", meaning, NULL) >= 0)
        return group;
    record__h5_close(group);
    return H5I_INVALID_HID;
}

/* How a dataset of `chunk_rows` items a chunk is stored; 0 = in one piece. */
static hid_t create_list(size_t chunk_rows, size_t item_size) {
    hsize_t chunk = chunk_rows;
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    if (list < 0)
        return list;
    if (H5Pset_obj_track_times(list, 0) >= 0 &&
        (chunk_rows == 0 ||
         (H5Pset_chunk(list, 1, &chunk) >= 0 && (item_size == 1 || H5Pset_shuffle(list) >= 0) &&
          H5Pset_deflate(list, RECORD__DEFLATE_LEVEL) >= 0 && H5Pset_fletcher32(list) >= 0)))
        return list;
    H5Pclose(list);
    return H5I_INVALID_HID;
}

/* The same, borrowed: a file has a hundred datasets and next to no different lists, and to make one is as
 * much work as to make a dataset. */
static hid_t dataset_list(struct record__layout *layout, size_t chunk_rows, size_t item_size) {
    COR_ASSERT(item_size < RECORD__ITEM_SIZES);
    const size_t i = chunk_rows == 0 ? 0 : item_size;
    if (layout->of_datasets[i].list <= 0 || layout->of_datasets[i].chunk_rows != chunk_rows) {
        record__h5_close(layout->of_datasets[i].list);
        layout->of_datasets[i].list = create_list(chunk_rows, item_size);
        layout->of_datasets[i].chunk_rows = chunk_rows;
    }
    return layout->of_datasets[i].list;
}

/* A list of `total` items in packed chunks of `chunk_rows`, 0 = as it is and in one piece; negative on
 * failure. */
static hid_t layout_create_dataset(struct record__layout *layout, hid_t parent, const char *name, hid_t type,
                                   size_t item_size, uint64_t total, size_t chunk_rows) {
    hsize_t size = total;
    hid_t space = H5Screate_simple(1, &size, NULL), list = dataset_list(layout, chunk_rows, item_size);
    hid_t dataset = H5I_INVALID_HID;
    if (space >= 0 && list >= 0)
        dataset = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    record__h5_close(space);
    return dataset;
}

/* One text, for instance /experiment. Fixed-length strings would crash the netCDF4 engine of xarray
 * (libnetcdf 4.9.0). */
static herr_t layout_put_text(struct record__layout *layout, const char *name, const char *text,
                              const char *meaning) {
    hid_t space = H5Screate(H5S_SCALAR), list = dataset_list(layout, 0, 0), dataset = H5I_INVALID_HID;
    if (space >= 0 && list >= 0)
        dataset = H5Dcreate2(layout->file, name, layout->text, space, H5P_DEFAULT, list, H5P_DEFAULT);
    herr_t result =
        dataset >= 0 ? H5Dwrite(dataset, layout->text, H5S_ALL, H5S_ALL, layout->text_transfer, &text) : -1;
    if (result >= 0)
        result = layout_put_words(layout, dataset, "long_name", meaning, NULL);
    if (dataset >= 0 && H5Dclose(dataset) < 0)
        result = -1;
    record__h5_close(space);
    return result;
}

/* Creates the file `path`, which must not exist, for about `member_count` texts and groups. Fails half-built:
 * layout_fini all the same. */
static enum cor_status layout_create(struct record__layout *layout, const char *path, const char *place,
                                     uint32_t member_count, struct cor_error *error) {
    *layout = (struct record__layout){.place = place, .file = H5I_INVALID_HID};
    record__h5_listen(&layout->cause);
    /* What HDF5 frees of a hundred datasets it takes again for the next ones; beyond its usual limits it
     * would give it back to the heap in between. */
    H5set_free_list_limits(-1, -1, -1, -1, -1, -1);
    hid_t access = record__h5_access(), list = H5Pcreate(H5P_FILE_CREATE);
    layout->text = record__h5_text_type();
    layout->text_transfer = record__h5_text_transfer();
    layout->group_list = H5Pcreate(H5P_GROUP_CREATE);
    /* Chunks are written whole and once: a cache would only copy them and hold memory. */
    if (access >= 0 && H5Pset_cache(access, 0, 1, 0, 1.0) >= 0 && list >= 0 && layout->text >= 0 &&
        layout->text_transfer >= 0 && layout->group_list >= 0 && set_group_list(list) >= 0 &&
        set_room(list, member_count) >= 0 && set_group_list(layout->group_list) >= 0)
        layout->file = H5Fcreate(path, H5F_ACC_EXCL, list, access);
    enum cor_status status = layout->file >= 0 ? COR_OK
                                               : record__h5_fail(error, COR_STATUS_FILE, layout->place, NULL,
                                                                 "cannot create the file", &layout->cause);
    record__h5_close(list);
    record__h5_close(access);
    return status;
}

static enum cor_status put_texts(struct record__layout *layout, const struct cor_result_header *header,
                                 struct cor_error *error) {
    enum cor_status status = COR_OK;
    char *schema = record__schema_json(header->layer);
    COR_TRY(cor_made(schema, error));
    if (layout_put_text(layout, "experiment", header->experiment,
                        "the experiment, JSON with all files it names") < 0 ||
        layout_put_text(layout, "provenance", header->provenance, "what it was run with, JSON") < 0 ||
        layout_put_text(layout, "schema", schema, "tables, vectors and catalogs of this file, JSON") < 0)
        status = layout_failed(layout, error);
    free(schema);
    return status;
}

static herr_t put_items(struct record__layout *layout, hid_t group, const char *name, hid_t type,
                        size_t count, const void *items) {
    hid_t dataset = layout_create_dataset(layout, group, name, type, 0, count, 0);
    herr_t result = dataset >= 0 ? 0 : -1;
    if (result >= 0 && count > 0)
        result = H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, layout->text_transfer, items);
    if (dataset >= 0 && H5Dclose(dataset) < 0)
        result = -1;
    return result;
}

static enum cor_status put_catalog(struct record__layout *layout, hid_t parent,
                                   const struct cor_result_header *header, uint32_t catalog,
                                   struct cor_error *error) {
    enum cor_status status = COR_OK;
    const struct cor_catalog_schema *schema = &header->layer->catalogs[catalog];
    const struct cor_catalog_entry *entries = header->catalog[catalog];
    size_t count = header->catalog_size[catalog];
    uint16_t *codes = cor_calloc(count, sizeof *codes);
    const char **names = cor_calloc(count, sizeof *names),
               **descriptions = cor_calloc(count, sizeof *descriptions);
    hid_t group = layout_create_group(layout, parent, schema->group, "corridor-catalog", schema->meaning, 3);
    if (!codes || !names || !descriptions)
        COR_TRY_OUT(cor_fail_memory(error));
    for (size_t i = 0; i < count; i++) {
        codes[i] = entries[i].code;
        names[i] = entries[i].name;
        descriptions[i] = entries[i].description;
    }
    if (group < 0 || put_items(layout, group, "code", H5T_STD_U16LE, count, codes) < 0 ||
        put_items(layout, group, "name", layout->text, count, names) < 0 ||
        put_items(layout, group, "description", layout->text, count, descriptions) < 0)
        status = layout_failed(layout, error);
out:
    record__h5_close(group);
    COR_FREE(codes, names, descriptions);
    return status;
}

/* Attributes of the file, texts and catalogs . */
static enum cor_status layout_put_head(struct record__layout *layout, const struct cor_result_header *header,
                                       struct cor_error *error) {
    char version[32], seed[32];
    const struct cor_layer_schema *layer = header->layer;
    snprintf(version, sizeof version, "%u.%u.0", (unsigned)layer->major, (unsigned)layer->minor);
    snprintf(seed, sizeof seed, "0x%016" PRIx64, header->seed);
    if (layout_put_words(layout, layout->file, "format", layer->format, "format_version", version, "creator",
                         "corridor", "creator_version", CORRIDOR_VERSION, "default", layer->main_table,
                         "seed", seed, NULL) < 0 ||
        layout_put_attribute(layout->file, "complete", H5T_STD_U8LE, 0, &(uint8_t){header->complete != 0}) <
            0 ||
        layout_put_attribute(layout->file, "planned_suites", H5T_STD_U64LE, 0, &header->planned_suites) < 0)
        return layout_failed(layout, error);
    COR_TRY(put_texts(layout, header, error));
    hid_t parent = layout_create_group(layout, layout->file, "catalog", "corridor-catalogs", "words of codes",
                                       layer->catalog_count);
    if (parent < 0)
        return layout_failed(layout, error);
    enum cor_status status = COR_OK;
    for (uint32_t c = 0; c < header->layer->catalog_count; c++)
        COR_TRY_OUT(put_catalog(layout, parent, header, c, error));
out:
    H5Gclose(parent);
    return status;
}

/* ---- writer */

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
    column->dataset = layout_create_dataset(&writer->layout, group, name, record__h5_type(type),
                                            column->item_size, total, is_packed(column) ? column->block : 0);
    return column->dataset >= 0 ? COR_OK : layout_failed(&writer->layout, error);
}

static herr_t describe_column(const struct record__writer *writer, hid_t dataset,
                              const struct cor_column *column) {
    if (layout_put_words(&writer->layout, dataset, "units", column->unit, "long_name", column->meaning,
                         NULL) < 0)
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
    if (layout_put_attribute(dataset, "flag_values", H5T_STD_U8LE, count, values) < 0)
        return -1;
    return layout_put_words(&writer->layout, dataset, "flag_meanings", words, NULL);
}

static herr_t put_column_order(const struct record__writer *writer, hid_t group,
                               const struct cor_table_schema *schema) {
    const char *names[64];
    for (uint32_t c = 0; c < schema->column_count; c++)
        names[c] = schema->columns[c].name;
    return layout_put_attribute(group, "column-order", writer->layout.text, schema->column_count, names);
}

/* The vector that the column at `offset` of a table counts within, NULL if it does not. */
static const struct column *vector_of(const struct record__writer *writer, uint32_t table, size_t offset) {
    for (uint32_t i = 0; i < writer->layer->offset_count; i++)
        if (writer->layer->offsets[i].table == table && writer->layer->offsets[i].offset == offset)
            return &writer->vectors[writer->layer->offsets[i].vector];
    return NULL;
}

static enum cor_status create_table(struct record__writer *writer, uint32_t table, uint64_t rows,
                                    struct cor_error *error) {
    const struct cor_table_schema *schema = &writer->layer->tables[table];
    enum cor_status status = COR_OK;
    if (record__is_left_out(schema, rows)) {
        /* Half of all columns are of tables that few campaigns have rows of, and to make a column costs as
         * much as to pack ten thousand items. */
        for (uint32_t c = 0; c < schema->column_count; c++)
            writer->columns[writer->column_count++] =
                (struct column){.dataset = H5I_INVALID_HID, .hash = COR_HASH_SEED, .unsaid = true};
        return COR_OK;
    }
    hid_t group = layout_create_group(&writer->layout, writer->layout.file, schema->group, "corridor-table",
                                      schema->meaning, schema->column_count);
    if (group < 0 || put_column_order(writer, group, schema) < 0)
        COR_TRY_OUT(layout_failed(&writer->layout, error));
    for (uint32_t c = 0; c < schema->column_count; c++) {
        const struct cor_column *its = &schema->columns[c];
        struct column *column = &writer->columns[writer->column_count++];
        column->vector = vector_of(writer, table, its->offset);
        COR_TRY_OUT(create_column(writer, group, its->name, its->type, rows, column, error));
        if (describe_column(writer, column->dataset, its) < 0)
            COR_TRY_OUT(layout_failed(&writer->layout, error));
    }
out:
    record__h5_close(group);
    return status;
}

static enum cor_status fill_file(struct record__writer *writer, const struct cor_result_header *header,
                                 const struct record__counts *counts, struct cor_error *error) {
    COR_TRY(layout_put_head(&writer->layout, header, error));
    for (uint32_t t = 0; t < writer->layer->table_count; t++)
        COR_TRY(create_table(writer, t, counts->rows[t], error));
    enum cor_status status = COR_OK;
    hid_t group = layout_create_group(&writer->layout, writer->layout.file, "vectors", "corridor-vectors",
                                      "long lists that rows point into", writer->layer->vector_count);
    if (group < 0)
        COR_TRY_OUT(layout_failed(&writer->layout, error));
    for (uint32_t v = 0; v < writer->layer->vector_count; v++) {
        const struct cor_vector_schema *schema = &writer->layer->vectors[v];
        struct column *column = &writer->vectors[v];
        column->unsaid = schema->since > 0 && counts->items[v] == 0;
        COR_TRY_OUT(
            create_column(writer, group, schema->dataset, schema->type, counts->items[v], column, error));
        if (layout_put_words(&writer->layout, column->dataset, "units", "1", "long_name", schema->meaning,
                             NULL) < 0)
            COR_TRY_OUT(layout_failed(&writer->layout, error));
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
    enum cor_status status = layout_create(&made->layout, path, place, header->layer->table_count + 5, error);
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
        return layout_failed(&writer->layout, error);
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
        return layout_failed(&writer->layout, error);
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
    if (layout_put_words(&writer->layout, writer->layout.file, RECORD__CONTENT_HASH, text, NULL) < 0)
        return layout_failed(&writer->layout, error);
    /* Closes the file, which writes what HDF5 still holds. */
    hid_t file = writer->layout.file;
    writer->layout.file = H5I_INVALID_HID;
    return H5Fclose(file) >= 0 ? COR_OK : layout_failed(&writer->layout, error);
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

bool record__writer_wrote(const struct record__writer *writer, const struct cor_result *result) {
    const struct column *column = writer->columns;
    bool same = record__content_hash_head(&result->head) == writer->head_hash &&
                result->content_hash == writer->content_hash;
    for (uint32_t t = 0; t < writer->layer->table_count; t++) {
        if (column->unsaid) {
            same = same && !result->tables[t].columns;
            column += writer->layer->tables[t].column_count;
            continue;
        }
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
    for (size_t i = 0; i < RECORD__ITEM_SIZES; i++)
        record__h5_close(writer->layout.of_datasets[i].list);
    record__h5_close(writer->layout.text_transfer);
    record__h5_close(writer->layout.group_list);
    record__h5_close(writer->layout.text);
    record__h5_close(writer->layout.file);
    record__h5_listen(NULL);
    record__packer_fini(&writer->packer);
    COR_FREE(writer->columns, writer);
}
