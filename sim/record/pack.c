/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * HDF5's shuffle filter: the first bytes of all items, then the second bytes, and so on. Sixteen items at a
 * time are as many vectors as an item has bytes. */
#include "pack.h"
#include "hdf5_file.h"

#include <corridor/array.h>

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char vector __attribute__((vector_size(16)));
enum { LANES = sizeof(vector) };

/* Bytes of two vectors in turn: of their first halves, and of their second halves. */
static inline vector weave_first(vector a, vector b) {
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

static inline vector weave_second(vector a, vector b) {
    return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

/* And back: every other byte of two vectors. */
static inline vector even(vector a, vector b) {
    return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}

static inline vector odd(vector a, vector b) {
    return __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}

/* Vector i and the one half of all further on become neighbours, byte by byte; done once for each power of
 * two in `size`, all bytes of an item lie together. */
static inline void weave(vector *vectors, size_t size) {
    vector woven[8];
    for (size_t i = 0; i < size / 2; i++) {
        woven[2 * i] = weave_first(vectors[i], vectors[i + size / 2]);
        woven[2 * i + 1] = weave_second(vectors[i], vectors[i + size / 2]);
    }
    memcpy(vectors, woven, size * sizeof *vectors);
}

static inline void part(vector *vectors, size_t size) {
    vector parted[8];
    for (size_t i = 0; i < size / 2; i++) {
        parted[i] = even(vectors[2 * i], vectors[2 * i + 1]);
        parted[i + size / 2] = odd(vectors[2 * i], vectors[2 * i + 1]);
    }
    memcpy(vectors, parted, size * sizeof *vectors);
}

/* `size` is a constant for the compiler in each of these. */
static inline void shuffle(const unsigned char *items, size_t count, size_t size, unsigned char *to) {
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        vector vectors[8];
        memcpy(vectors, items + i * size, size * sizeof *vectors);
        for (size_t power = 2; power <= size; power *= 2)
            part(vectors, size);
        for (size_t byte = 0; byte < size; byte++)
            memcpy(to + byte * count + i, &vectors[byte], sizeof *vectors);
    }
    for (; i < count; i++)
        for (size_t byte = 0; byte < size; byte++)
            to[byte * count + i] = items[i * size + byte];
}

static inline void unshuffle(const unsigned char *from, size_t count, size_t size, unsigned char *items) {
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        vector vectors[8];
        for (size_t byte = 0; byte < size; byte++)
            memcpy(&vectors[byte], from + byte * count + i, sizeof *vectors);
        for (size_t power = 2; power <= size; power *= 2)
            weave(vectors, size);
        memcpy(items + i * size, vectors, size * sizeof *vectors);
    }
    for (; i < count; i++)
        for (size_t byte = 0; byte < size; byte++)
            items[i * size + byte] = from[byte * count + i];
}

void record__shuffle(const unsigned char *items, size_t count, size_t item_size, unsigned char *to) {
    switch (item_size) {
    case 2:
        shuffle(items, count, 2, to);
        break;
    case 4:
        shuffle(items, count, 4, to);
        break;
    default:
        shuffle(items, count, 8, to);
        break;
    }
}

void record__unshuffle(const unsigned char *from, size_t count, size_t item_size, unsigned char *items) {
    switch (item_size) {
    case 2:
        unshuffle(from, count, 2, items);
        break;
    case 4:
        unshuffle(from, count, 4, items);
        break;
    default:
        unshuffle(from, count, 8, items);
        break;
    }
}

/* ---- pack */

enum {
    HEADER_SIZE = 2, /* of the zlib format */
    STORED_SIZE = 5, /* in front of bytes that are stored as they are */
    FIRST_SIZE = 4,  /* the bytes of a chunk that are */
    ADLER_SIZE = 4,
    FLETCHER_SIZE = 4
};

enum cor_status record__packer_init(struct record__packer *packer, size_t chunk_bytes,
                                    struct cor_error *error) {
    COR_ASSERT(chunk_bytes >= 1024);
    memset(packer, 0, sizeof *packer);
    /* What cannot be packed is stored, with 5 bytes for each 64 KB. */
    packer->packed_size = chunk_bytes + chunk_bytes / 16;
    packer->shuffled = malloc(chunk_bytes);
    packer->packed = malloc(packer->packed_size);
    return packer->shuffled && packer->packed ? COR_OK : cor_fail_memory(error);
}

void record__packer_fini(struct record__packer *packer) {
    COR_FREE(packer->shuffled, packer->packed);
}

/* In the zlib format; returns how many bytes of packer->packed it takes. The first bytes are stored as they
 * are: where nothing stands in front, ISA-L 2.30 takes the address of its stream for the third byte and those
 * behind, and so what it finds to be repeated depends on it. */
static size_t deflate(struct record__packer *packer, unsigned char *bytes, size_t size) {
    static const unsigned char head[HEADER_SIZE + STORED_SIZE] = {
        0x78, 0x01,                                  /* 32 KB of memory, fast */
        0,    FIRST_SIZE, 0, 0xFF - FIRST_SIZE, 0xFF /* not the last block; its size, and that inverted */
    };
    unsigned char *to = packer->packed, *end = to + packer->packed_size - ADLER_SIZE - FLETCHER_SIZE;
    COR_ASSERT(size >= 4 * FIRST_SIZE);
    memcpy(to, head, sizeof head);
    memcpy(to + sizeof head, bytes, FIRST_SIZE);
    to += sizeof head + FIRST_SIZE;
    /* Behind `first`, which is a dictionary: it stands in front of them in the chunk. Returns how many bytes
     * of `to`, which has room for `room`, they take. */
    unsigned char *rest = bytes + FIRST_SIZE;
    const size_t rest_size = size - FIRST_SIZE;
    const size_t room = (size_t)(end - to);
    struct isal_zstream *stream = &packer->stream;
    isal_deflate_init(stream);
    stream->level = RECORD__DEFLATE_LEVEL;
    stream->level_buf = packer->work;
    stream->level_buf_size = sizeof packer->work;
    stream->next_out = to;
    stream->avail_out = (uint32_t)room;
    int done = isal_deflate_set_dict(stream, bytes, FIRST_SIZE);
    COR_ASSERT(done == COMP_OK);
    stream->end_of_stream = 1;
    stream->next_in = rest;
    stream->avail_in = (uint32_t)rest_size;
    done = isal_deflate(stream);
    COR_ASSERT(done == COMP_OK && stream->avail_in == 0 && stream->internal_state.state == ZSTATE_END);
    to += stream->total_out;
    uint32_t adler = isal_adler32(1, bytes, size);
    for (unsigned i = 0; i < ADLER_SIZE; i++)
        *to++ = (unsigned char)(adler >> (24 - 8 * i));
    return (size_t)(to - packer->packed);
}

const unsigned char *record__pack(struct record__packer *packer, enum cor_type type,
                                  const unsigned char *items, size_t count, size_t *size) {
    size_t item_size = cor_type_size(type);
    unsigned char *from = (unsigned char *)(uintptr_t)items; /* it is only read */
    if (item_size > 1) {
        from = packer->shuffled;
        record__shuffle(items, count, item_size, from);
    }
    *size = deflate(packer, from, count * item_size);
    uint32_t checksum = record__fletcher32(packer->packed, *size);
    memcpy(packer->packed + *size, &checksum, FLETCHER_SIZE);
    *size += FLETCHER_SIZE;
    return packer->packed;
}

/* ---- reading chunks as the writer packs them. HDF5's own filter unpacks with zlib, which takes more than
 * twice as long as libdeflate. Whatever is not exactly so is left to HDF5, which also finds the words for
 * what is damaged */

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
    COR_FREE(unpacker->packed, unpacker->shuffled, unpacker);
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
    /* Finds out once how a dataset is stored: its chunks' rows, 0 if it is HDF5's to read. */
    if (!dataset->looked_at) {
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

void record__h5_close(hid_t object) {
    if (object > 0)
        H5Idec_ref(object);
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
