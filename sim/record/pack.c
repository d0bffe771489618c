/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hdf5_file.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>

enum { CHECKSUM_SIZE = 4 };

struct cor__packer {
    unsigned char *shuffled, *packed; /* owned */
    size_t packed_size;
    struct libdeflate_compressor *compressor;
};

enum cor_status cor__packer_create(size_t chunk_bytes, struct cor__packer **packer, struct cor_error *error) {
    struct cor__packer *made = *packer = cor_calloc(1, sizeof *made);
    if (!made)
        return cor_fail_memory(error);
    made->compressor = libdeflate_alloc_compressor(COR__DEFLATE_LEVEL);
    if (made->compressor) {
        made->packed_size = libdeflate_zlib_compress_bound(made->compressor, chunk_bytes) + CHECKSUM_SIZE;
        made->shuffled = malloc(chunk_bytes);
        made->packed = malloc(made->packed_size);
    }
    if (made->shuffled && made->packed)
        return COR_OK;
    cor__packer_destroy(made);
    *packer = NULL;
    return cor_fail_memory(error);
}

void cor__packer_destroy(struct cor__packer *packer) {
    if (!packer)
        return;
    libdeflate_free_compressor(packer->compressor);
    free(packer->shuffled);
    free(packer->packed);
    free(packer);
}

/* First bytes of all items, then second bytes, and so on. Sizes are constants for the compiler. */
#define SHUFFLE(size)                            \
    for (size_t byte = 0; byte < (size); byte++) \
        for (size_t i = 0; i < count; i++)       \
    *to++ = items[i * (size) + byte]

static void shuffle(const unsigned char *items, size_t count, size_t item_size, unsigned char *to) {
    switch (item_size) {
    case 2:
        SHUFFLE(2);
        break;
    case 4:
        SHUFFLE(4);
        break;
    default:
        SHUFFLE(8);
        break;
    }
}

/* Fletcher's checksum as HDF5 has it: big-endian words of 16 bits, an odd byte as the upper half of one. */
static uint32_t fletcher32(const unsigned char *bytes, size_t size) {
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

const unsigned char *cor__pack(struct cor__packer *packer, enum cor_type type, const unsigned char *items,
                               size_t count, size_t *size) {
    size_t item_size = cor_type_size(type);
    const unsigned char *from = items;
    if (item_size > 1) {
        shuffle(items, count, item_size, packer->shuffled);
        from = packer->shuffled;
    }
    *size = libdeflate_zlib_compress(packer->compressor, from, count * item_size, packer->packed,
                                     packer->packed_size - CHECKSUM_SIZE);
    COR_ASSERT(*size > 0); /* there is room for any chunk */
    uint32_t checksum = fletcher32(packer->packed, *size);
    memcpy(packer->packed + *size, &checksum, CHECKSUM_SIZE);
    *size += CHECKSUM_SIZE;
    return packer->packed;
}

unsigned char *cor__packer_memory(struct cor__packer *packer, size_t *size) {
    *size = packer->packed_size;
    return packer->packed;
}
