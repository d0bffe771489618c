/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pack.h"

#include "hdf5_file.h"

#include <stdlib.h>
#include <string.h>

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
    free(packer->shuffled);
    free(packer->packed);
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
