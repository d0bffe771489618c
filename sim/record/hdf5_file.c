/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hdf5_file.h"

#include <corridor/hash.h>

#include <stdio.h>
#include <string.h>

/* Takes the first entry it is shown, the innermost. A failed system call tells its numbers and addresses, of
 * which only the message is for readers: "..., error message = 'No space left on device', ...". */
static herr_t take_entry(unsigned depth, const H5E_error2_t *entry, void *data) {
    static const char mark[] = "error message = '";
    struct cor__h5_cause *cause = data;
    (void)depth;
    const char *text = entry->desc ? entry->desc : "unknown cause";
    const char *message = strstr(text, mark);
    if (message)
        text = message + sizeof mark - 1;
    size_t length = message ? strcspn(text, "'") : strlen(text);
    snprintf(cause->text, sizeof cause->text, "%.*s", (int)length, text);
    return 1;
}

/* HDF5 calls this when one of its functions is about to return a failure. */
static herr_t note_cause(hid_t stack, void *data) {
    struct cor__h5_cause *cause = data;
    if (cause->text[0] == '\0')
        H5Ewalk2(stack, H5E_WALK_UPWARD, take_entry, cause);
    return 0;
}

void cor__h5_listen(struct cor__h5_cause *cause) {
    if (cause)
        cause->text[0] = '\0';
    H5Eset_auto2(H5E_DEFAULT, cause ? note_cause : NULL, cause);
}

enum cor_status cor__h5_fail(struct cor_error *error, enum cor_status status, const char *place,
                             const char *remedy, const char *what, const struct cor__h5_cause *cause) {
    const char *text = cause->text[0] ? cause->text : "unknown cause";
    return cor_fail(error, status, place, remedy, "%s: %s", what, text);
}

hid_t cor__h5_access(void) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0)
        return access;
    if (H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0 &&
        H5Pset_file_locking(access, 0, 1) >= 0)
        return access;
    H5Pclose(access);
    return H5I_INVALID_HID;
}

hid_t cor__h5_file_type(enum cor_type type) {
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

hid_t cor__h5_memory_type(enum cor_type type) {
    switch (type) {
    case COR_TYPE_U8:
        return H5T_NATIVE_UINT8;
    case COR_TYPE_U16:
        return H5T_NATIVE_UINT16;
    case COR_TYPE_U32:
        return H5T_NATIVE_UINT32;
    case COR_TYPE_U64:
        return H5T_NATIVE_UINT64;
    case COR_TYPE_F32:
        return H5T_NATIVE_FLOAT;
    case COR_TYPE_F64:
        return H5T_NATIVE_DOUBLE;
    }
    return H5I_INVALID_HID;
}

hid_t cor__h5_text_type(void) {
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0)
        return type;
    if (type >= 0)
        H5Tclose(type);
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

static void close_range(hid_t space, hid_t memory) {
    if (space >= 0)
        H5Sclose(space);
    if (memory >= 0)
        H5Sclose(memory);
}

herr_t cor__h5_read(hid_t dataset, enum cor_type type, uint64_t first, uint64_t count, void *items) {
    hid_t space, memory;
    herr_t result = select_range(dataset, first, count, &space, &memory);
    if (result >= 0)
        result = H5Dread(dataset, cor__h5_memory_type(type), memory, space, H5P_DEFAULT, items);
    close_range(space, memory);
    return result;
}

static uint64_t hash_text(uint64_t hash, const char *text) {
    return cor_hash_bytes(hash, text, strlen(text));
}

uint64_t cor__content_hash_head(const struct cor_result_header *header) {
    uint64_t hash = hash_text(COR_HASH_SEED, header->experiment);
    hash = cor_hash_word(hash, header->seed);
    hash = cor_hash_word(hash, header->complete != 0);
    hash = cor_hash_word(hash, header->planned_suites);
    for (size_t c = 0; c < COR_CATALOG_COUNT; c++) {
        hash = cor_hash_word(hash, header->catalog_size[c]);
        for (size_t i = 0; i < header->catalog_size[c]; i++) {
            hash = cor_hash_word(hash, header->catalog[c][i].code);
            hash = hash_text(hash, header->catalog[c][i].name);
            hash = hash_text(hash, header->catalog[c][i].description);
        }
    }
    return hash;
}
