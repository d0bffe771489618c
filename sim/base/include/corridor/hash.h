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

/* `size` bytes more; the length counts, so that ("a", "bc") and ("ab", "c") differ. */
static inline uint64_t cor_hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    hash = cor_hash_word(hash, size);
    for (; size >= 8; at += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        hash = cor_hash_word(hash, word);
    }
    if (size > 0) {
        uint64_t word = 0;
        memcpy(&word, at, size);
        hash = cor_hash_word(hash, word);
    }
    return hash;
}

#endif
