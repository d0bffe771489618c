/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A 64-bit fingerprint, fed word by word: equal on every machine of the same byte order. Not for secrets. */
#ifndef CORRIDOR_HASH_H
#define CORRIDOR_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define COR_HASH_SEED UINT64_C(0x9E3779B97F4A7C15)

/* One word more: the finaliser of SplitMix64 over the running value. */
static inline uint64_t cor_hash_word(uint64_t hash, uint64_t word) {
    uint64_t mixed = (hash ^ word) + UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94D049BB133111EB);
    return mixed ^ (mixed >> 31);
}

/* 1 to 7 bytes as a word, without a copy in memory: processors wait where a word is read that was written in
 * parts. */
static inline uint64_t cor_hash__few(const unsigned char *at, size_t size) {
    uint32_t first, last;
    if (size < 4)
        return at[0] | (uint64_t)at[size / 2] << 8 * (size / 2) | (uint64_t)at[size - 1] << 8 * (size - 1);
    memcpy(&first, at, 4);
    memcpy(&last, at + size - 4, 4);
    return first | (uint64_t)last << 8 * (size - 4);
}

/* What is left of bytes whose length has been folded in. */
static inline uint64_t cor_hash__rest(uint64_t hash, const unsigned char *at, size_t size) {
    for (; size >= 8; at += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        hash = cor_hash_word(hash, word);
    }
    return size > 0 ? cor_hash_word(hash, cor_hash__few(at, size)) : hash;
}

/* `size` bytes more; the length counts, so that ("a", "bc") and ("ab", "c") differ. */
static inline uint64_t cor_hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    return cor_hash__rest(cor_hash_word(hash, size), bytes, size);
}

/* Bytes for a fingerprint of their own. */
struct cor_hash_part {
    uint64_t hash;
    const void *bytes; /* borrowed */
    size_t size;
};

/* The hash of each part becomes cor_hash_bytes of it. Four side by side, as each word waits for the one
 * before, for 14 cycles: of one alone the processor has little to do. */
void cor_hash_parts(struct cor_hash_part *parts, size_t count);

#endif
