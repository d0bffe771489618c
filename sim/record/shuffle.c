/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * HDF5's shuffle filter: the first bytes of all items, then the second bytes, and so on. Sixteen items at a
 * time are as many vectors as an item has bytes. */
#include "hdf5_file.h"

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
