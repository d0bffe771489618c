/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading chunks as the writer packs them. HDF5's own filter unpacks with zlib, which takes more than twice
 * as long as libdeflate. Whatever is not exactly so is left to HDF5, which also finds the words for what is
 * damaged. */
#include "hdf5_file.h"

#include <corridor/array.h>

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

enum { CHECKSUM_SIZE = 4, CHUNK_BYTES = 1 << 20 /* what HDF5 holds of a dataset, too */ };

struct record__unpacker {
    struct libdeflate_decompressor *decompressor;
    unsigned char *packed, *shuffled; /* owned, CHUNK_BYTES each, `packed` with room for what packing adds */
};

enum { PACKED_BYTES = CHUNK_BYTES + CHUNK_BYTES / 16 };

uint32_t record__fletcher32(const unsigned char *bytes, size_t size) {
    enum { WORDS = 360 }; /* sums of so many do not overflow */
    uint32_t a = 0, b = 0;
    size_t words = size / 2;
    while (words > 0) {
        size_t part = words < WORDS ? words : WORDS;
        words -= part;
        for (; part > 0; part--, bytes += 2) {
            a += (uint32_t)(bytes[0] << 8 | bytes[1]);
            b += a;
        }
        a = (a & 0xFFFF) + (a >> 16);
        b = (b & 0xFFFF) + (b >> 16);
    }
    if (size % 2 > 0) {
        a += (uint32_t)(bytes[0] << 8);
        b += a;
        a = (a & 0xFFFF) + (a >> 16);
        b = (b & 0xFFFF) + (b >> 16);
    }
    a = (a & 0xFFFF) + (a >> 16);
    b = (b & 0xFFFF) + (b >> 16);
    return b << 16 | a;
}

void record__unpacker_destroy(struct record__unpacker *unpacker) {
    if (!unpacker)
        return;
    libdeflate_free_decompressor(unpacker->decompressor);
    free(unpacker->packed);
    free(unpacker->shuffled);
    free(unpacker);
}

enum cor_status record__unpacker_create(struct record__unpacker **unpacker, struct cor_error *error) {
    struct record__unpacker *made = *unpacker = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->decompressor = libdeflate_alloc_decompressor();
    made->packed = malloc(PACKED_BYTES);
    made->shuffled = malloc(CHUNK_BYTES);
    if (made->decompressor && made->packed && made->shuffled)
        return COR_OK;
    record__unpacker_destroy(made);
    *unpacker = NULL;
    return cor_fail_memory(error);
}

/* Whether filter number `index` is this one; `first` its first value, 0 if it has none. */
static bool is_filter(hid_t list, unsigned index, H5Z_filter_t filter, unsigned *first) {
    unsigned flags, values[32] = {0};
    size_t count = 32;
    const bool same = H5Pget_filter2(list, index, &flags, &count, values, 0, NULL, NULL) == filter;
    *first = values[0];
    return same;
}

/* Whether the filters are those of the writer, in its order. */
static bool is_packed(hid_t list, size_t item_size) {
    const unsigned shuffles = item_size > 1;
    unsigned value;
    if (H5Pget_layout(list) != H5D_CHUNKED || H5Pget_nfilters(list) != (int)shuffles + 2)
        return false;
    if (shuffles && (!is_filter(list, 0, H5Z_FILTER_SHUFFLE, &value) || value != item_size))
        return false;
    return is_filter(list, shuffles, H5Z_FILTER_DEFLATE, &value) &&
           is_filter(list, shuffles + 1, H5Z_FILTER_FLETCHER32, &value);
}

/* Rows of its chunks if they are packed as ours; 0 if not. */
static uint64_t rows_of_chunk(hid_t list, size_t item_size) {
    hsize_t rows = 0;
    return is_packed(list, item_size) && H5Pget_chunk(list, 1, &rows) == 1 && rows <= CHUNK_BYTES / item_size
               ? rows
               : 0;
}

/* Reads all of a list that is short, so that HDF5 is asked once: each of its calls costs more than the list.
 */
static void read_all(struct record__dataset *dataset, enum cor_type type) {
    const uint64_t size = H5Dget_storage_size(dataset->id), rows = size / cor_type_size(type);
    if (rows == 0 || size > CHUNK_BYTES)
        return;
    dataset->held = malloc((size_t)size);
    if (!dataset->held ||
        H5Dread(dataset->id, record__h5_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, dataset->held) < 0)
        return;
    dataset->rows = rows;
    dataset->first = 0;
}

/* Finds out once how a dataset is stored: its chunks' rows, 0 if it is HDF5's to read. */
static void look(struct record__dataset *dataset, enum cor_type type) {
    if (dataset->looked_at)
        return;
    dataset->looked_at = true;
    dataset->first = UINT64_MAX;
    hid_t list = H5Dget_create_plist(dataset->id);
    const uint64_t rows = list >= 0 ? rows_of_chunk(list, cor_type_size(type)) : 0;
    if (rows > 0)
        dataset->held = malloc((size_t)rows * cor_type_size(type));
    if (dataset->held)
        dataset->rows = rows;
    else if (list >= 0 && H5Pget_layout(list) == H5D_CONTIGUOUS)
        read_all(dataset, type);
    record__h5_close(list);
}

/* Makes the dataset hold the chunk that begins with that row. */
static bool hold(const struct record__unpacker *unpacker, struct record__dataset *dataset, size_t item_size,
                 hsize_t first) {
    const size_t bytes = (size_t)dataset->rows * item_size;
    unsigned char *to = item_size > 1 ? unpacker->shuffled : dataset->held;
    hsize_t size;
    uint32_t left_out /* filters */, checksum;
    if (dataset->first == first)
        return true;
    dataset->first = UINT64_MAX;
    if (H5Dget_chunk_storage_size(dataset->id, &first, &size) < 0 || size <= CHECKSUM_SIZE ||
        size > PACKED_BYTES ||
        H5Dread_chunk(dataset->id, H5P_DEFAULT, &first, &left_out, unpacker->packed) < 0 || left_out != 0)
        return false;
    const size_t packed = (size_t)size - CHECKSUM_SIZE;
    memcpy(&checksum, unpacker->packed + packed, CHECKSUM_SIZE);
    if (checksum != record__fletcher32(unpacker->packed, packed) ||
        libdeflate_zlib_decompress(unpacker->decompressor, unpacker->packed, packed, to, bytes, NULL) !=
            LIBDEFLATE_SUCCESS)
        return false;
    if (item_size > 1)
        record__unshuffle(unpacker->shuffled, (size_t)dataset->rows, item_size, dataset->held);
    dataset->first = first;
    return true;
}

const unsigned char *record__unpacked(const struct record__unpacker *unpacker,
                                      struct record__dataset *dataset, enum cor_type type, uint64_t first,
                                      uint64_t *count) {
    const size_t item_size = cor_type_size(type);
    look(dataset, type);
    if (dataset->rows == 0)
        return NULL;
    const uint64_t into = first % dataset->rows, room = dataset->rows - into;
    if (!hold(unpacker, dataset, item_size, first - into))
        return NULL;
    *count = *count < room ? *count : room;
    return dataset->held + into * item_size;
}

bool record__unpack(const struct record__unpacker *unpacker, struct record__dataset *dataset,
                    enum cor_type type, uint64_t first, uint64_t count, void *items) {
    const size_t item_size = cor_type_size(type);
    unsigned char *to = items;
    while (count > 0) {
        uint64_t part = count;
        const unsigned char *from = record__unpacked(unpacker, dataset, type, first, &part);
        if (!from)
            return false;
        memcpy(to, from, (size_t)part * item_size);
        to += part * item_size;
        first += part;
        count -= part;
    }
    return true;
}

void record__dataset_close(struct record__dataset *dataset) {
    record__h5_close(dataset->id);
    free(dataset->held);
    *dataset = (struct record__dataset){0};
}
