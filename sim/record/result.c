/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opening a result file that may be anything: each thing is looked at before it is believed. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "hdf5_file.h"

#include <corridor/array.h>
#include <corridor/built.h>
#include <corridor/child.h>
#include <corridor/hash.h>
#include <corridor/kinds.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define DAMAGED "take another copy, or merge the journals again"
enum { LEAST_ROOM = 12 << 20, FILE_ROOM = 96 << 20, LAST_ROOM = 4 << 20 }; /* bytes */

#define FOREIGN "give a result file that `corridor` has written"

enum { CHUNK_LIMIT = 1 << 20, CATALOG_LIMIT = 65536 };

struct trial {
    struct cor_result *result;
    const struct cor_layer_schema *const *layers;
    bool whole; /* all of it is to be read, and to be what was written */
};

/* Whether so many bytes of memory could be had. */
static bool has_room(size_t bytes) {
    void *room =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return room != MAP_FAILED && munmap(room, bytes) == 0;
}

static enum cor_status wrong(const struct cor_result *result, struct cor_error *error, const char *group,
                             const char *name, const char *what) {
    return cor_fail(error, COR_STATUS_INPUT, result->path, DAMAGED, "/%s%s%s %s", group, name[0] ? "/" : "",
                    name, what);
}

/* HDF5 could not. */
static enum cor_status unread(const struct cor_result *result, struct cor_error *error, const char *what) {
    return record__h5_fail(error, COR_STATUS_INPUT, result->path, DAMAGED, what, &result->cause);
}

static enum cor_status no_hdf5(const char *path, int file, uint64_t size, struct cor_error *error) {
    char text[4096] = "";
    enum cor_kind kind;
    const uint64_t most = sizeof text - 1;
    if (size > 0)
        COR_TRY(record__file_read(file, path, 0, text, (size_t)(size < most ? size : most), error));
    if (cor_kind_of_text(text, &kind))
        return cor_fail(error, COR_STATUS_INPUT, path, cor_kind_reader(kind), "is %s, not a result file",
                        cor_kind_what(kind));
    return cor_fail(error, COR_STATUS_INPUT, path, FOREIGN, "not an HDF5 file%s",
                    *cor_behind_blanks(text) == '{' ? ", but JSON" : "");
}

/* A scalar attribute of that class; negative if it is not there or something else. */
static hid_t open_attribute(const struct cor_result *result, const char *name, H5T_class_t class,
                            size_t size) {
    if (H5Aexists(result->file, name) <= 0)
        return H5I_INVALID_HID;
    hid_t attribute = H5Aopen(result->file, name, H5P_DEFAULT);
    hid_t type = attribute >= 0 ? H5Aget_type(attribute) : -1;
    hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1;
    int good = type >= 0 && space >= 0 && H5Tget_class(type) == class &&
               H5Sget_simple_extent_type(space) == H5S_SCALAR &&
               (class == H5T_STRING ? H5Tis_variable_str(type) > 0 : H5Tget_size(type) == size);
    record__h5_close(type);
    record__h5_close(space);
    if (good)
        return attribute;
    record__h5_close(attribute);
    return H5I_INVALID_HID;
}

/* A short text attribute into `text`; 0 if it is not there, not a text, or longer. */
static int read_text_attribute(const struct cor_result *result, const char *name, char *text, size_t size) {
    int good = 0;
    char *read = NULL;
    hid_t attribute = open_attribute(result, name, H5T_STRING, 0), type = record__h5_text_type();
    if (attribute >= 0 && type >= 0 && H5Aread(attribute, type, &read) >= 0 && read) {
        good = snprintf(text, size, "%s", read) < (int)size;
        H5free_memory(read);
    }
    record__h5_close(type);
    record__h5_close(attribute);
    return good;
}

static int read_number_attribute(const struct cor_result *result, const char *name, enum cor_type type,
                                 void *number) {
    hid_t attribute = open_attribute(result, name, H5T_INTEGER, cor_type_size(type));
    int good = attribute >= 0 && H5Aread(attribute, record__h5_type(type), number) >= 0;
    record__h5_close(attribute);
    return good;
}

/* "0x" and sixteen hexadecimal digits. */
static int read_hex_attribute(const struct cor_result *result, const char *name, uint64_t *number) {
    char text[32];
    if (!read_text_attribute(result, name, text, sizeof text) || strlen(text) != 18 ||
        strncmp(text, "0x", 2) != 0 || strspn(text + 2, "0123456789abcdef") != 16)
        return 0;
    *number = strtoull(text + 2, NULL, 16);
    return 1;
}

/* The layer of a format, NULL if none of these is it. */
static const struct cor_layer_schema *layer_of(const struct cor_layer_schema *const *layers,
                                               const char *format) {
    while (*layers && strcmp((*layers)->format, format) != 0)
        layers++;
    return *layers;
}

static enum cor_status check_version(struct cor_result *result, const struct cor_layer_schema *const *layers,
                                     struct cor_error *error) {
    char format[64], version[32];
    unsigned major, minor, patch;
    char end;
    const bool is_named = read_text_attribute(result, "format", format, sizeof format);
    result->layer = is_named ? layer_of(layers, format) : NULL;
#define LEFT_OUT(word)                                                                  \
    if (is_named && !result->layer && strcmp(format, COR_##word##_FORMAT_NAME) == 0)    \
        return cor_fail(error, COR_STATUS_INPUT, result->path, cor_layer_absent(#word), \
                        "is a result file of the \"" #word "\" layer, which is not in this program");
    COR_LEFT_OUT(LEFT_OUT)
#undef LEFT_OUT
    if (!result->layer)
        return cor_fail(
            error, COR_STATUS_INPUT, result->path, FOREIGN,
            "an HDF5 file, but not a result file: its attribute \"format\" is not \"" COR_FORMAT_NAME "\"");
    if (!read_text_attribute(result, "format_version", version, sizeof version) ||
        sscanf(version, "%4u.%4u.%4u%c", &major, &minor, &patch, &end) != 3)
        return cor_fail(error, COR_STATUS_INPUT, result->path, DAMAGED, "no attribute \"format_version\"");
    if (major != result->layer->major)
        return cor_fail(error, COR_STATUS_INPUT, result->path,
                        major > result->layer->major ? "use a newer version of corridor"
                                                     : "use an older version of corridor",
                        "written in format %s; this version reads %u.x", version,
                        (unsigned)result->layer->major);
    result->minor = minor;
    return COR_OK;
}

/* Opens an object if it is one of this very file: links into other files are not followed. */
static hid_t open_object(hid_t parent, const char *name, H5I_type_t type) {
    H5L_info_t link;
    if (H5Lget_info(parent, name, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
        return H5I_INVALID_HID;
    hid_t object = H5Oopen(parent, name, H5P_DEFAULT);
    if (object < 0 || H5Iget_type(object) == type)
        return object;
    H5Oclose(object);
    return H5I_INVALID_HID;
}

/* Only filters that HDF5 has built in: others would load code from wherever the environment says. */
static int has_known_filters(hid_t list) {
    int count = H5Pget_nfilters(list);
    for (int i = 0; i < count; i++) {
        unsigned flags, values[32];
        size_t value_count = 32;
        H5Z_filter_t filter = H5Pget_filter2(list, (unsigned)i, &flags, &value_count, values, 0, NULL, NULL);
        if (filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_FLETCHER32)
            return 0;
    }
    return count >= 0;
}

/* Does the file really hold `total` items? Chunks that are absent would be read as zeroes. */
static int holds_chunks(hid_t dataset, hid_t list, uint64_t total) {
    hsize_t chunk = 0, present = 0;
    hid_t space = H5Dget_space(dataset);
    int good = space >= 0 && H5Pget_chunk(list, 1, &chunk) == 1 && chunk > 0 && chunk <= CHUNK_LIMIT &&
               H5Dget_num_chunks(dataset, space, &present) >= 0 &&
               present == total / chunk + (total % chunk > 0);
    record__h5_close(space);
    return good;
}

static int is_stored_here(const struct cor_result *result, hid_t dataset, uint64_t total, size_t item_size) {
    if (total == 0)
        return 1;
    hid_t list = H5Dget_create_plist(dataset);
    int good = list >= 0 && H5Pget_external_count(list) == 0 && has_known_filters(list);
    H5D_layout_t layout = list >= 0 ? H5Pget_layout(list) : H5D_LAYOUT_ERROR;
    uint64_t size = H5Dget_storage_size(dataset);
    if (layout == H5D_CHUNKED)
        good = good && size <= result->file_size && holds_chunks(dataset, list, total);
    else if (layout == H5D_CONTIGUOUS || layout == H5D_COMPACT)
        good = good && size <= result->file_size && total == size / item_size && size % item_size == 0;
    else
        good = 0;
    record__h5_close(list);
    return good;
}

/* Number of items of a one-dimensional dataset; 0 and *good 0 if it is another. */
static uint64_t dataset_size(hid_t dataset, int *good) {
    hsize_t size = 0;
    hid_t space = H5Dget_space(dataset);
    *good = space >= 0 && H5Sget_simple_extent_type(space) == H5S_SIMPLE &&
            H5Sget_simple_extent_ndims(space) == 1 && H5Sget_simple_extent_dims(space, &size, NULL) == 1;
    record__h5_close(space);
    return *good ? size : 0;
}

static int has_type(hid_t dataset, hid_t expected) {
    hid_t type = H5Dget_type(dataset);
    int same = type >= 0 && H5Tequal(type, expected) > 0;
    record__h5_close(type);
    return same;
}

/* Opens a column or vector and tells its length. */
static enum cor_status open_column(const struct cor_result *result, hid_t group, const char *group_name,
                                   const char *name, enum cor_type type, hid_t *dataset, uint64_t *size,
                                   struct cor_error *error) {
    int good;
    *dataset = open_object(group, name, H5I_DATASET);
    if (*dataset < 0)
        return wrong(result, error, group_name, name, "is missing");
    if (!has_type(*dataset, record__h5_type(type)))
        return wrong(result, error, group_name, name, "has another type than the format says");
    *size = dataset_size(*dataset, &good);
    if (!good)
        return wrong(result, error, group_name, name, "is not a list");
    if (!result->is_compared && !is_stored_here(result, *dataset, *size, cor_type_size(type)))
        return wrong(result, error, group_name, name, "is not stored whole in this file in a known way");
    return COR_OK;
}

/* Whether the file is young enough to have that column. */
static bool has_column(const struct cor_result *result, const struct cor_column *column) {
    return result->minor >= column->since;
}

/* Opens those columns of a table (bits, as for cor_result_read_columns) that the file has and that are not
 * open. One that is open has been looked at. */
static enum cor_status open_columns(struct cor_result *result, uint32_t table, uint64_t columns,
                                    struct cor_error *error) {
    const struct cor_table_schema *schema = &result->layer->tables[table];
    enum cor_status status = COR_OK;
    hid_t group = H5I_INVALID_HID;
    for (uint32_t c = 0; c < schema->column_count; c++) {
        if ((columns >> c & 1) == 0 || !has_column(result, &schema->columns[c]) ||
            result->tables[table].columns[c].id > 0)
            continue;
        if (group < 0)
            group = open_object(result->file, schema->group, H5I_GROUP);
        if (group < 0)
            COR_TRY_OUT(wrong(result, error, schema->group, "", "is missing"));
        /* Of a column that the file has and that is not open; it has as many rows as the table's first. */
        const struct cor_column *column = &schema->columns[c];
        struct record__result_table *opened = &result->tables[table];
        struct record__dataset *dataset = &opened->columns[c];
        uint64_t rows;
        status =
            open_column(result, group, schema->group, column->name, column->type, &dataset->id, &rows, error);
        if (status == COR_OK && c > 0 && rows != opened->rows)
            status =
                wrong(result, error, schema->group, column->name, "is longer or shorter than the others");
        if (status == COR_OK)
            opened->rows = rows;
        else
            record__dataset_close(dataset);
        if (status != COR_OK)
            goto out;
    }
out:
    record__h5_close(group);
    return status;
}

static void close_columns(struct cor_result *result, uint32_t table) {
    struct record__dataset *columns = result->tables[table].columns;
    for (uint32_t c = 0; columns && c < result->layer->tables[table].column_count; c++)
        record__dataset_close(&columns[c]);
}

/* Which columns are opened with the file: each is a dataset, and to open one costs more than to read a short
 * one. */
enum opening {
    OPEN_ALL,     /* looked at and kept open */
    OPEN_TO_LOOK, /* looked at */
    OPEN_TO_READ, /* the others are looked at when they are read: somebody has looked at all before */
};

/* Copies `count` texts of a dataset into memory of their own. */
static enum cor_status read_texts(const struct cor_result *result, hid_t dataset, size_t count, char **texts,
                                  struct cor_error *error) {
    enum cor_status status = COR_OK;
    hid_t type = record__h5_text_type(), space = H5Dget_space(dataset), transfer = record__h5_text_transfer();
    COR_FREED char **read = cor_calloc(count, sizeof *read);
    COR_TRY_OUT(cor_made(read, error));
    if (type < 0 || space < 0 || transfer < 0 || H5Dread(dataset, type, H5S_ALL, H5S_ALL, transfer, read) < 0)
        COR_TRY_OUT(unread(result, error, "cannot read a text"));
    for (size_t i = 0; i < count; i++) {
        COR_TRY_OUT(cor_made(texts[i] = cor_strdup(read[i] ? read[i] : ""), error));
    }
out:
    if (read && type >= 0 && space >= 0)
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, read);
    record__h5_close(type);
    record__h5_close(space);
    record__h5_close(transfer);
    return status;
}

static int is_text(hid_t dataset) {
    hid_t type = H5Dget_type(dataset);
    int text = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0;
    record__h5_close(type);
    return text;
}

static enum cor_status read_text(const struct cor_result *result, const char *name, char **text,
                                 struct cor_error *error) {
    hid_t dataset = open_object(result->file, name, H5I_DATASET);
    if (dataset < 0)
        return wrong(result, error, name, "", "is missing");
    hid_t space = H5Dget_space(dataset);
    int good = space >= 0 && H5Sget_simple_extent_type(space) == H5S_SCALAR && is_text(dataset) &&
               is_stored_here(result, dataset, 1, 16);
    enum cor_status status =
        good ? read_texts(result, dataset, 1, text, error) : wrong(result, error, name, "", "is not a text");
    record__h5_close(space);
    H5Dclose(dataset);
    return status;
}

/* A text column of a catalog. */
static enum cor_status read_words(const struct cor_result *result, hid_t group, const char *group_name,
                                  const char *name, size_t count, char **words, struct cor_error *error) {
    int good = 0;
    hid_t dataset = open_object(group, name, H5I_DATASET);
    if (dataset < 0)
        return wrong(result, error, group_name, name, "is missing");
    uint64_t size = dataset_size(dataset, &good);
    good = good && size == count && is_text(dataset) && is_stored_here(result, dataset, size, 16);
    enum cor_status status =
        good ? COR_OK : wrong(result, error, group_name, name, "is not a list of texts of its length");
    if (good && count > 0)
        status = read_texts(result, dataset, count, words, error);
    H5Dclose(dataset);
    return status;
}

/* Reads the three columns of a catalog into entries. */
static enum cor_status fill_catalog(struct cor_result *result, uint32_t catalog, hid_t group, hid_t codes,
                                    size_t count, struct cor_error *error) {
    const char *name = result->layer->catalogs[catalog].group;
    enum cor_status status = COR_OK;
    COR_FREED uint16_t *numbers = cor_calloc(count, sizeof *numbers);
    COR_FREED char **names = cor_calloc(count, sizeof *names),
                   **descriptions = cor_calloc(count, sizeof *descriptions);
    struct cor_catalog_entry *entries = cor_calloc(count, sizeof *entries);
    if (!numbers || !names || !descriptions || !entries)
        COR_TRY_OUT(cor_fail_memory(error));
    if (count > 0 && record__h5_read(codes, COR_TYPE_U16, 0, count, numbers) < 0)
        COR_TRY_OUT(unread(result, error, "cannot read a catalog"));
    COR_TRY_OUT(read_words(result, group, name, "name", count, names, error));
    COR_TRY_OUT(read_words(result, group, name, "description", count, descriptions, error));
    for (size_t i = 0; i < count; i++) {
        if (!cor_is_printable(names[i]))
            COR_TRY_OUT(wrong(result, error, name, "name", "holds a name with control characters"));
        if (catalog == 0 && numbers[i] != i) /* some find an arm by its code, some by its place */
            COR_TRY_OUT(wrong(result, error, name, "code", "of arms does not count from 0 on"));
    }
out:
    /* what was read so far is freed with the result */
    for (size_t i = 0; entries && numbers && names && descriptions && i < count; i++)
        entries[i] = (struct cor_catalog_entry){numbers[i], names[i], descriptions[i]};
    result->head.catalog[catalog] = result->catalogs[catalog] = entries;
    result->head.catalog_size[catalog] = entries ? count : 0;
    return status;
}

static enum cor_status read_catalog(struct cor_result *result, hid_t parent, uint32_t catalog,
                                    struct cor_error *error) {
    const char *name = result->layer->catalogs[catalog].group;
    hid_t codes = H5I_INVALID_HID, group = open_object(parent, name, H5I_GROUP);
    uint64_t count = 0;
    if (group < 0)
        return wrong(result, error, "catalog", name, "is missing");
    enum cor_status status = COR_OK;
    COR_TRY_OUT(open_column(result, group, name, "code", COR_TYPE_U16, &codes, &count, error));
    if (count > CATALOG_LIMIT)
        COR_TRY_OUT(wrong(result, error, "catalog", name, "has more entries than there are codes"));
    status = fill_catalog(result, catalog, group, codes, (size_t)count, error);
out:
    record__h5_close(codes);
    H5Gclose(group);
    return status;
}

static enum cor_status read_catalogs(struct cor_result *result, struct cor_error *error) {
    enum cor_status status = COR_OK;
    hid_t parent = open_object(result->file, "catalog", H5I_GROUP);
    if (parent < 0)
        return wrong(result, error, "catalog", "", "is missing");
    for (uint32_t c = 0; c < result->layer->catalog_count; c++)
        if (result->minor >= result->layer->catalogs[c].since)
            COR_TRY_OUT(read_catalog(result, parent, c, error));
out:
    H5Gclose(parent);
    return status;
}

static enum cor_status read_head_and_tables(struct cor_result *result,
                                            const struct cor_layer_schema *const *layers,
                                            enum opening opening, struct cor_error *error) {
    hid_t access = record__h5_access();
    if (access >= 0)
        result->file = H5Fopen(result->path, H5F_ACC_RDONLY, access);
    record__h5_close(access);
    if (result->file < 0)
        return unread(result, error, "damaged or truncated");
    uint8_t complete;
    COR_TRY(check_version(result, layers, error));
    result->head.layer = result->layer;
    if (!read_hex_attribute(result, "seed", &result->head.seed) ||
        !read_hex_attribute(result, RECORD__CONTENT_HASH, &result->content_hash) ||
        !read_number_attribute(result, "complete", COR_TYPE_U8, &complete) ||
        !read_number_attribute(result, "planned_suites", COR_TYPE_U64, &result->head.planned_suites))
        return cor_fail(error, COR_STATUS_INPUT, result->path, DAMAGED,
                        "an attribute of the file is missing or of another type: seed, " RECORD__CONTENT_HASH
                        ", complete or planned_suites");
    result->head.complete = complete != 0;
    COR_TRY(read_text(result, "experiment", &result->experiment, error));
    COR_TRY(read_text(result, "provenance", &result->provenance, error));
    result->head.experiment = result->experiment;
    result->head.provenance = result->provenance;
    COR_TRY(read_catalogs(result, error));
    for (uint32_t t = 0; t < result->layer->table_count; t++) {
        const struct cor_table_schema *schema = &result->layer->tables[t];
        struct record__result_table *opened = &result->tables[t];
        if (result->minor < schema->since ||
            (record__is_left_out(schema, 0) && H5Lexists(result->file, schema->group, H5P_DEFAULT) == 0))
            continue;
        COR_TRY(cor_made(opened->columns = cor_calloc(schema->column_count, sizeof *opened->columns), error));
        COR_TRY(open_columns(result, t, opening == OPEN_TO_READ ? 1 : UINT64_MAX, error));
        if (opening == OPEN_TO_LOOK)
            close_columns(result, t);
    }
    enum cor_status status = COR_OK;
    hid_t group = open_object(result->file, "vectors", H5I_GROUP);
    if (group < 0)
        return wrong(result, error, "vectors", "", "is missing");
    for (uint32_t v = 0; v < result->layer->vector_count; v++) {
        const struct cor_vector_schema *schema = &result->layer->vectors[v];
        if (result->minor < schema->since)
            continue;
        COR_TRY_OUT(open_column(result, group, "vectors", schema->dataset, schema->type,
                                &result->vectors[v].dataset.id, &result->vectors[v].items, error));
    }
out:
    H5Gclose(group);
    return status;
}

static enum cor_status read_file(struct cor_result *result, const struct cor_layer_schema *const *layers,
                                 enum opening opening, struct cor_error *error) {
    struct cor_error said = COR_NO_ERROR;
    const struct record__watch watch = record__watch_begin(result->file_size);
    const enum cor_status status = read_head_and_tables(result, layers, opening, &said);
    record__watch_end(&watch);
    if (status != COR_OK && (result->cause.is_memory || !has_room(LAST_ROOM))) /* it may all be there */
        return cor_fail_memory(error);
    if (status != COR_OK && error && error->status == COR_OK)
        *error = said;
    return status;
}

enum opening_way {
    OPEN_HERE,        /* in this process at once */
    OPEN_AFTER_CHILD, /* where a child could */
    OPEN_IN_CHILD,    /* there alone, and all of it */
    OPEN_UNCHECKED,   /* here, and its bytes are not looked at before */
    OPEN_TO_COMPARE,  /* here, by its writer */
    OPEN_WRITTEN,     /* here, once its writer has done so */
};

/* In a child: HDF5 believes sizes and addresses, and a file that was damaged, or made so, can end the process
 * that opens it, or hold it for ever. What it is like to read all of a file that bears no seal is found out
 * here, too. */
static enum cor_status try_file(void *argument, void *answer, size_t size, struct cor_error *error) {
    struct trial *trial = argument;
    (void)answer;
    (void)size;
    COR_TRY(read_file(trial->result, trial->layers, OPEN_TO_LOOK, error));
    struct cor_error ignored = COR_NO_ERROR;
    enum cor_status status = COR_OK;
    if (trial->whole || !trial->result->sealed)
        status = cor_result_verify(trial->result, trial->whole ? error : &ignored);
    cor_result_close(trial->result);       /* the child's own: that may be the end, too */
    return trial->whole ? status : COR_OK; /* else whoever asks is told */
}

/* How it goes in a child. */
static enum cor_status open_in_child(const struct trial *trial, struct cor_error *error) {
    struct cor_error trouble = COR_NO_ERROR;
    const struct cor_result *result = trial->result;
    const enum cor_status status = cor_in_child(try_file, (void *)(uintptr_t)trial, NULL, 0, &trouble);
    if (status == COR_STATUS_INTERNAL)
        return cor_fail(error, COR_STATUS_INPUT, result->path, DAMAGED,
                        "damaged: HDF5 ends the process that reads it");
    if (status == COR_STATUS_INTERRUPTED)
        return cor_fail(error, COR_STATUS_INPUT, result->path, DAMAGED,
                        "damaged: to read it takes more than %u s", cor_result_seconds(result->file_size));
    if (status != COR_OK && error) /* who only looks whether it can be opened has none */
        *error = trouble;
    return status;
}

static enum cor_status open_how(struct cor_result *result, const struct cor_layer_schema *const *layers,
                                enum opening_way way, struct cor_error *error) {
    /* What can be said of a file before HDF5 looks into it. */
    int file;
    COR_TRY(record__file_open(result->path, &file, &result->file_size, error));
    /* HDF5 does not survive it everywhere when memory ends: it begins only where there is enough. */
    const uint64_t file_size = result->file_size;
    const uint64_t more = file_size < FILE_ROOM / 2 ? 2 * file_size : FILE_ROOM;
    enum cor_status status = has_room(LEAST_ROOM + (size_t)more) ? COR_OK : cor_fail_memory(error);
    if (status == COR_OK && H5Fis_hdf5(result->path) <= 0)
        status = no_hdf5(result->path, file, result->file_size, error);
    close(file);
    COR_TRY(status);
    if (way != OPEN_UNCHECKED)
        COR_TRY(record__checksum_check(result->path, &result->sealed, error));
    result->is_compared = way == OPEN_TO_COMPARE;
    if (way == OPEN_AFTER_CHILD || way == OPEN_IN_CHILD)
        COR_TRY(open_in_child(&(struct trial){result, layers, way == OPEN_IN_CHILD}, error));
    return way == OPEN_IN_CHILD
               ? COR_OK
               : read_file(result, layers,
                           way == OPEN_HERE || way == OPEN_TO_COMPARE ? OPEN_ALL : OPEN_TO_READ, error);
}

static enum cor_status open_result(const struct cor_layer_schema *const *layers, const char *path,
                                   enum opening_way way, struct cor_result **result,
                                   struct cor_error *error) {
    COR_ASSERT(layers && *layers);
    struct cor_result *made = cor_calloc(1, sizeof *made);
    *result = NULL;
    COR_TRY(cor_made(made, error));
    record__h5_listen(&made->cause);
    made->file = H5I_INVALID_HID;
    made->path = cor_strdup(path);
    made->block = malloc(RECORD__BLOCK_ROWS * sizeof(uint64_t));
    enum cor_status status = record__unpacker_create(&made->unpacker, error);
    if (status == COR_OK)
        status = made->path && made->block ? open_how(made, layers, way, error) : cor_fail_memory(error);
    if (status == COR_OK)
        *result = made;
    else
        cor_result_close(made);
    return status;
}

enum cor_status cor_result_open_as(const struct cor_layer_schema *const *layers, const char *path,
                                   struct cor_result **result, struct cor_error *error) {
    return open_result(layers, path, OPEN_HERE, result, error);
}

enum cor_status cor_result_open_written(const char *path, struct cor_result **result,
                                        struct cor_error *error) {
    return open_result(cor_layer_schemas(), path, OPEN_WRITTEN, result, error);
}

enum cor_status record__result_reread(const struct cor_layer_schema *layer, const char *path,
                                      struct cor_result **result, struct cor_error *error) {
    const struct cor_layer_schema *const layers[] = {layer, NULL};
    COR_TRY(open_result(layers, path, OPEN_TO_COMPARE, result, error));
    enum cor_status status = COR_OK;
    for (uint32_t t = 0; t < layer->table_count && status == COR_OK; t++)
        if ((*result)->tables[t].columns)
            status = open_columns(*result, t, UINT64_MAX, error);
    if (status != COR_OK) {
        cor_result_close(*result);
        *result = NULL;
    }
    return status;
}

enum cor_status cor_result_glance(const char *path, struct cor_result **result, struct cor_error *error) {
    return open_result(cor_layer_schemas(), path, OPEN_UNCHECKED, result, error);
}

enum cor_status cor_result_open(const char *path, struct cor_result **result, struct cor_error *error) {
    return open_result(cor_layer_schemas(), path, OPEN_AFTER_CHILD, result, error);
}

enum cor_status cor_result_try(const char *path, struct cor_error *error) {
    struct cor_result *result;
    const enum cor_status status = open_result(cor_layer_schemas(), path, OPEN_IN_CHILD, &result, error);
    cor_result_close(result);
    return status;
}

void cor_result_close(struct cor_result *result) {
    if (!result)
        return;
    const struct record__watch watch = record__watch_begin(result->file_size);
    for (uint32_t t = 0; result->layer && t < result->layer->table_count; t++) {
        close_columns(result, t);
        free(result->tables[t].columns);
    }
    for (uint32_t v = 0; v < COR_VECTORS_MAX; v++)
        record__dataset_close(&result->vectors[v].dataset);
    for (uint32_t c = 0; c < COR_CATALOGS_MAX; c++) {
        COR_FREED struct cor_catalog_entry *entries = result->catalogs[c];
        for (size_t i = 0; entries && i < result->head.catalog_size[c]; i++) {
            /* the header borrows what is owned here */
            COR_FREE((void *)(uintptr_t)entries[i].name, (void *)(uintptr_t)entries[i].description);
        }
    }
    record__h5_close(result->file);
    record__h5_listen(NULL);
    record__watch_end(&watch);
    COR_FREE(result->experiment, result->provenance, result->block);
    record__unpacker_destroy(result->unpacker);
    COR_FREE(result->path, result);
}

/* ---- result */

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

/* Reads a range of a column into the field of row structs, a block at a time. */
static enum cor_status read_column(struct cor_result *result, uint32_t table, uint32_t index, uint64_t first,
                                   uint64_t count, unsigned char *rows, struct cor_error *error) {
    const struct cor_table_schema *schema = &result->layer->tables[table];
    const struct cor_column *column = &schema->columns[index];
    struct record__dataset *dataset = count > 0 ? &result->tables[table].columns[index] : NULL;
    const bool has_it = has_column(result, column);
    while (count > 0) {
        /* up to the end of a block, so that no chunk is unpacked twice */
        uint64_t room = RECORD__BLOCK_ROWS - first % RECORD__BLOCK_ROWS, part = count < room ? count : room;
        const unsigned char *items = NULL;
        record__h5_listen(&result->cause);
        if (has_it)
            items = record__unpacked(result->unpacker, dataset, column->type, first, &part);
        else {
            /* A block of the value that stands for a column the file is too old to have. */
            size_t size = cor_type_size(column->type);
            double real = column->missing;
            uint64_t bits = column->type == COR_TYPE_F32 || column->type == COR_TYPE_F64 ? 0 : (uint64_t)real;
            float single = (float)real;
            for (size_t i = 0; i < (size_t)part; i++)
                memcpy(result->block + i * size,
                       column->type == COR_TYPE_F64   ? (const void *)&real
                       : column->type == COR_TYPE_F32 ? (const void *)&single
                                                      : (const void *)&bits,
                       size);
        }
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
    if (result->tell)
        result->tell(result->told, result->layer->tables[table].group, first, size);
    COR_ENDED_BY(record__watch_end) const struct record__watch watch = record__watch_begin(result->file_size);
    enum cor_status status = open_columns(result, table, columns, error);
    for (uint32_t c = 0; c < result->layer->tables[table].column_count && status == COR_OK; c++)
        if (columns >> c & 1)
            status = read_column(result, table, c, first, count, rows, error);
    return status;
}

void cor_result_tell(struct cor_result *result, cor_result_told *tell, void *self) {
    result->tell = tell;
    result->told = self;
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
    COR_ENDED_BY(record__watch_end) const struct record__watch watch = record__watch_begin(result->file_size);
    return read_range(result, &result->vectors[vector].dataset, schema->type, "vectors", schema->dataset,
                      first, count, items, error);
}

/* Folds a column in, block by block, just as the writer does. */
static enum cor_status hash_dataset(struct cor_result *result, struct record__dataset *dataset,
                                    enum cor_type type, const char *group, const char *name, uint64_t total,
                                    uint64_t *hash, struct cor_error *error) {
    uint64_t column_hash = COR_HASH_SEED;
    for (uint64_t first = 0; first < total; first += RECORD__BLOCK_ROWS) {
        uint64_t part = total - first < RECORD__BLOCK_ROWS ? total - first : RECORD__BLOCK_ROWS;
        if (result->tell)
            result->tell(result->told, group, first, total);
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
        COR_TRY(open_columns(result, t, UINT64_MAX, error));
        for (uint32_t c = 0; c < schema->column_count; c++)
            if (has_column(result, &schema->columns[c]))
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
    COR_ENDED_BY(record__watch_end) const struct record__watch watch = record__watch_begin(result->file_size);
    return hash_content(result, with_aside, hash, error);
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
