/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The only place that sees Random123 and gsl_rng.h. */
#include <corridor/rng.h>

#include <gsl/gsl_rng.h>
#include <Random123/philox.h>

enum { BLOCK = 4 }; /* words of a Philox block */

/* A name fits the six words of Philox4x64 without hashing, so no two names can collide:
 *   key     = (seed, purpose and entity)
 *   counter = (block of draws, identity of the case, suite and sequence, ordinal and arm) */
static inline void take_name(const struct cor_stream_name *name, uint64_t key[2], uint64_t counter[BLOCK]) {
    key[0] = name->seed;
    key[1] = (uint64_t)name->purpose << 32 | name->entity;
    counter[0] = 0;
    counter[1] = name->identity;
    counter[2] = (uint64_t)name->suite << 32 | name->sequence;
    counter[3] = (uint64_t)name->ordinal << 32 | name->arm;
}

struct cor_rng cor_rng_named(const struct cor_stream_name *name) {
    struct cor_rng rng; /* its words are not looked at before they are made, and clearing them takes long */
    take_name(name, rng.key, rng.counter);
    rng.used = COR_RNG_BUFFER;
    return rng;
}

uint64_t cor_rng_first_word(const struct cor_stream_name *name) {
    philox4x64_key_t key;
    philox4x64_ctr_t counter;
    take_name(name, key.v, counter.v);
    return philox4x64(counter, key).v[0];
}

void base__rng_refill(struct cor_rng *rng) {
    philox4x64_key_t key = {{rng->key[0], rng->key[1]}};
    /* Most streams give a few words in all, so their first refill is one block, at the end of the buffer. */
    unsigned first = rng->counter[0] == 0 ? COR_RNG_BUFFER - BLOCK : 0;
    for (unsigned at = first; at < COR_RNG_BUFFER; at += BLOCK) {
        philox4x64_ctr_t counter = {{rng->counter[0]++, rng->counter[1], rng->counter[2], rng->counter[3]}};
        philox4x64_ctr_t block = philox4x64(counter, key);
        for (unsigned i = 0; i < BLOCK; i++)
            rng->word[at + i] = block.v[i];
    }
    rng->used = first;
}

void cor_rng_shuffle(struct cor_rng *rng, uint32_t *items, uint32_t count) {
    for (uint32_t left = count; left > 1; left--) {
        uint32_t other = cor_rng_below(rng, left), held = items[left - 1];
        items[left - 1] = items[other];
        items[other] = held;
    }
}

static void gsl_set(void *state, unsigned long seed) {
    *(struct cor_rng *)state =
        cor_rng_named(&(struct cor_stream_name){.seed = seed, .purpose = COR_PURPOSE_TEST});
}

static unsigned long gsl_get(void *state) {
    return (unsigned long)(cor_rng_word(state) >> 32);
}

static double gsl_get_double(void *state) {
    return cor_rng_unit(state);
}

const void *cor_rng_gsl_type(void) {
    static const gsl_rng_type type = {"philox4x64", UINT32_MAX,    0, sizeof(struct cor_rng), gsl_set,
                                      gsl_get,      gsl_get_double};
    return &type;
}
