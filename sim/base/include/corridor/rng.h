/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Named random streams. Every random draw of Corridor comes from a stream whose NAME says what it is for, so
 * what one stream gives never depends on what another gave, on the order of work or on the number of workers.
 * The generator is Philox4x64-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011) from
 * Random123: word i of a stream is a pure function of (name, i).
 *
 * Draw in a statement of its own: the order in which a compiler evaluates two draws in one argument list is
 * not fixed, and compilers differ. */
#ifndef CORRIDOR_RNG_H
#define CORRIDOR_RNG_H

#include <corridor/terms.h>

#include <stdint.h>

/* The name of a stream. What does not apply is 0. Two names that differ give independent streams. */
struct cor_stream_name {
    uint64_t seed;     /* of the campaign */
    uint64_t identity; /* of the case; it travels with the case, so deleting another case shifts nothing */
    uint32_t arm;      /* 1 + index; 0 = shared by all arms (paired suites) */
    uint32_t suite, sequence;
    uint32_t entity; /* agent, chain, group: what `purpose` says */
    enum cor_purpose purpose;
    uint32_t ordinal; /* 0 = the first, or the only one, of what the rest names; what happens again in a case
                         has the next */
};

#define COR_RNG_BUFFER 16 /* words held; made at a time, but for the first four of a stream */

/* A stream and how far it was taken; owns nothing, and a copy goes on by itself. `key` and `counter` are
 * those of Philox, made of the name; counter[0] is the next block of four words. */
struct cor_rng {
    uint64_t key[2], counter[4];
    uint32_t used; /* words of `word` already given, or never made; COR_RNG_BUFFER: all */
    uint64_t word[COR_RNG_BUFFER];
};

/* The stream of that name, at its beginning. */
struct cor_rng cor_rng_named(const struct cor_stream_name *name);

/* First word of the named stream. Three times as fast as opening it, if one word is enough. */
uint64_t cor_rng_first_word(const struct cor_stream_name *name);

/* Fills the end of `word` with the next words of the stream, `used` telling from where: four at the beginning
 * of a stream, COR_RNG_BUFFER later. To be called when all are given. Callers use cor_rng_word. */
void base__rng_refill(struct cor_rng *rng);

/* The next 64 uniform bits. */
static inline uint64_t cor_rng_word(struct cor_rng *rng) {
    if (rng->used == COR_RNG_BUFFER)
        base__rng_refill(rng);
    return rng->word[rng->used++];
}

/* All words that the stream has ready, at least one: the next *count of it, which are thereby given. Two
 * streams at the same position return the same count. */
static inline const uint64_t *cor_rng_words(struct cor_rng *rng, uint32_t *count) {
    if (rng->used == COR_RNG_BUFFER)
        base__rng_refill(rng);
    const uint64_t *words = rng->word + rng->used;
    *count = COR_RNG_BUFFER - rng->used;
    rng->used = COR_RNG_BUFFER;
    return words;
}

/* Uniform in 0 .. bound-1, exactly (Lemire's multiplication with rejection); bound >= 1. */
static inline uint32_t cor_rng_below(struct cor_rng *rng, uint32_t bound) {
    uint64_t product = (cor_rng_word(rng) >> 32) * bound;
    if ((uint32_t)product < bound) {
        uint32_t threshold = (0u - bound) % bound;
        while ((uint32_t)product < threshold)
            product = (cor_rng_word(rng) >> 32) * bound;
    }
    return (uint32_t)(product >> 32);
}

/* Uniform in low .. high, both included; low <= high, high - low < 2^32 - 1. */
static inline int64_t cor_rng_between(struct cor_rng *rng, int64_t low, int64_t high) {
    return low + (int64_t)cor_rng_below(rng, (uint32_t)(high - low + 1));
}

/* A word as a number in [0, 1), a multiple of 2^-53. */
static inline double cor_rng_unit_of(uint64_t word) {
    return (double)(word >> 11) * (1.0 / 9007199254740992.0);
}

/* Uniform in [0, 1), multiples of 2^-53. */
static inline double cor_rng_unit(struct cor_rng *rng) {
    return cor_rng_unit_of(cor_rng_word(rng));
}

/* The first of these of the stream of that name. */
static inline double cor_rng_first_unit(const struct cor_stream_name *name) {
    return cor_rng_unit_of(cor_rng_first_word(name));
}

/* Fisher-Yates: a uniform permutation of the items. */
void cor_rng_shuffle(struct cor_rng *rng, uint32_t *items, uint32_t count);

/* The same generator as a gsl_rng_type, for the distributions of GSL: gsl_rng_alloc(cor_rng_gsl_type()), then
 * gsl_rng_set(r, seed) gives the stream {.seed = seed, .purpose = COR_PURPOSE_TEST}. Returned as void so that
 * users of this header need not see GSL: it points to a gsl_rng_type. */
const void *cor_rng_gsl_type(void);

#endif
