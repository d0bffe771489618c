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

void record__h5_close(hid_t object) {
    if (object > 0)
        H5Idec_ref(object);
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

hid_t record__h5_type(enum cor_type type) {
    switch (type) {
    case COR_TYPE_U8:
        return H5T_STD_U8LE;
    case COR_TYPE_U16:
        return H5T_STD_U16LE;
    case COR_TYPE_U32:
        return H5T_STD_U32LE;
    case COR_TYPE_U64:
        return H5T_STD_U64LE;
    case COR_TYPE_F32:
        return H5T_IEEE_F32LE;
    case COR_TYPE_F64:
        return H5T_IEEE_F64LE;
    }
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

enum cor_status record__layout_failed(const struct record__layout *layout, struct cor_error *error) {
    return record__h5_fail(error, COR_STATUS_FILE, layout->place, REMEDY, "cannot write", &layout->cause);
}

herr_t record__layout_put_attribute(hid_t object, const char *name, hid_t type, size_t count,
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

herr_t record__layout_put_words(const struct record__layout *layout, hid_t object, ...) {
    va_list words;
    herr_t result = 0;
    va_start(words, object);
    for (const char *name; result >= 0 && (name = va_arg(words, const char *));)
        result = record__layout_put_attribute(object, name, layout->text, 0,
                                              &(const char *){va_arg(words, const char *)});
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
hid_t record__layout_create_group(const struct record__layout *layout, hid_t parent, const char *name,
                                  const char *encoding, const char *meaning, uint32_t member_count) {
    hid_t group = H5I_INVALID_HID;
    if (set_room(layout->group_list, member_count) >= 0)
        group = H5Gcreate2(parent, name, H5P_DEFAULT, layout->group_list, H5P_DEFAULT);
    if (group >= 0 && record__layout_put_words(layout, group, "encoding-type", encoding, "encoding-version",
                                               "1.0.0", "long_name", meaning, NULL) >= 0)
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

hid_t record__layout_create_dataset(struct record__layout *layout, hid_t parent, const char *name, hid_t type,
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
herr_t record__layout_put_text(struct record__layout *layout, const char *name, const char *text,
                               const char *meaning) {
    hid_t space = H5Screate(H5S_SCALAR), list = dataset_list(layout, 0, 0), dataset = H5I_INVALID_HID;
    if (space >= 0 && list >= 0)
        dataset = H5Dcreate2(layout->file, name, layout->text, space, H5P_DEFAULT, list, H5P_DEFAULT);
    herr_t result =
        dataset >= 0 ? H5Dwrite(dataset, layout->text, H5S_ALL, H5S_ALL, layout->text_transfer, &text) : -1;
    if (result >= 0)
        result = record__layout_put_words(layout, dataset, "long_name", meaning, NULL);
    if (dataset >= 0 && H5Dclose(dataset) < 0)
        result = -1;
    record__h5_close(space);
    return result;
}

enum cor_status record__layout_create(struct record__layout *layout, const char *path, const char *place,
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

enum cor_status record__layout_close(struct record__layout *layout, struct cor_error *error) {
    hid_t file = layout->file;
    layout->file = H5I_INVALID_HID;
    return H5Fclose(file) >= 0 ? COR_OK : record__layout_failed(layout, error);
}

void record__layout_fini(struct record__layout *layout) {
    for (size_t i = 0; i < RECORD__ITEM_SIZES; i++)
        record__h5_close(layout->of_datasets[i].list);
    record__h5_close(layout->text_transfer);
    record__h5_close(layout->group_list);
    record__h5_close(layout->text);
    record__h5_close(layout->file);
    record__h5_listen(NULL);
}

static enum cor_status put_texts(struct record__layout *layout, const struct cor_result_header *header,
                                 struct cor_error *error) {
    enum cor_status status = COR_OK;
    char *schema = record__schema_json(header->layer);
    COR_TRY(cor_made(schema, error));
    if (record__layout_put_text(layout, "experiment", header->experiment,
                                "the experiment, JSON with all files it names") < 0 ||
        record__layout_put_text(layout, "provenance", header->provenance, "what it was run with, JSON") < 0 ||
        record__layout_put_text(layout, "schema", schema, "tables, vectors and catalogs of this file, JSON") <
            0)
        status = record__layout_failed(layout, error);
    free(schema);
    return status;
}

static herr_t put_items(struct record__layout *layout, hid_t group, const char *name, hid_t type,
                        size_t count, const void *items) {
    hid_t dataset = record__layout_create_dataset(layout, group, name, type, 0, count, 0);
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
    hid_t group =
        record__layout_create_group(layout, parent, schema->group, "corridor-catalog", schema->meaning, 3);
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
        status = record__layout_failed(layout, error);
out:
    record__h5_close(group);
    free(codes);
    free(names);
    free(descriptions);
    return status;
}

enum cor_status record__layout_put_head(struct record__layout *layout, const struct cor_result_header *header,
                                        struct cor_error *error) {
    char version[32], seed[32];
    const struct cor_layer_schema *layer = header->layer;
    snprintf(version, sizeof version, "%u.%u.0", (unsigned)layer->major, (unsigned)layer->minor);
    snprintf(seed, sizeof seed, "0x%016" PRIx64, header->seed);
    if (record__layout_put_words(layout, layout->file, "format", layer->format, "format_version", version,
                                 "creator", "corridor", "creator_version", CORRIDOR_VERSION, "default",
                                 layer->main_table, "seed", seed, NULL) < 0 ||
        record__layout_put_attribute(layout->file, "complete", H5T_STD_U8LE, 0,
                                     &(uint8_t){header->complete != 0}) < 0 ||
        record__layout_put_attribute(layout->file, "planned_suites", H5T_STD_U64LE, 0,
                                     &header->planned_suites) < 0)
        return record__layout_failed(layout, error);
    COR_TRY(put_texts(layout, header, error));
    hid_t parent = record__layout_create_group(layout, layout->file, "catalog", "corridor-catalogs",
                                               "words of codes", layer->catalog_count);
    if (parent < 0)
        return record__layout_failed(layout, error);
    enum cor_status status = COR_OK;
    for (uint32_t c = 0; c < header->layer->catalog_count; c++)
        COR_TRY_OUT(put_catalog(layout, parent, header, c, error));
out:
    H5Gclose(parent);
    return status;
}
