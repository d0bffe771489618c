/* SPDX-License-Identifier: MIT
 *
 * corridor/module.h - what all modules share, algorithms (plugin.h) and agents under test (aut.h): how the
 * constant is exported, how a newer field is asked for, and random streams. Included by both; it is installed
 * beside them. */
#ifndef CORRIDOR_MODULE_H
#define CORRIDOR_MODULE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Before the one constant that a module exports, which is all that it exports. */
#define COR_EXPORT __attribute__((visibility("default")))

/* Does this object, perhaps of an older or newer host, have the field? */
#define COR_HAS(type, object, field) \
    ((object)->struct_size >= offsetof(type, field) + sizeof((object)->field))

/* A stream of uniform 64-bit words, named by the host: (seed, arm, suite, sequence, case, purpose, agent).
 * What one stream gives never depends on what another gave. Draw in a statement of its own: the order in
 * which a compiler evaluates two draws in one argument list is not fixed. */
struct cor_random {
    const uint64_t *next, *end;          /* words not yet used */
    void (*refill)(struct cor_random *); /* host */
};

static inline uint64_t cor_random_word(struct cor_random *random) {
    if (random->next == random->end)
        random->refill(random);
    return *random->next++;
}

/* Uniform in 0 .. bound-1, exactly; bound >= 1. */
static inline uint32_t cor_random_below(struct cor_random *random, uint32_t bound) {
    uint64_t product = (cor_random_word(random) >> 32) * bound;
    if ((uint32_t)product < bound) {
        uint32_t threshold = (0u - bound) % bound;
        while ((uint32_t)product < threshold)
            product = (cor_random_word(random) >> 32) * bound;
    }
    return (uint32_t)(product >> 32);
}

/* Uniform in [0, 1), multiples of 2^-53. */
static inline double cor_random_unit(struct cor_random *random) {
    return (double)(cor_random_word(random) >> 11) * (1.0 / 9007199254740992.0);
}

#ifdef __cplusplus
}
#endif
#endif
