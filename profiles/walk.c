/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/walk.h>

#include <corridor/array.h>

#include <stdlib.h>

/* Chains walked side by side. Each step of a chain waits for the step before it, so walking several at once
 * fills the processor's waiting time; it changes nothing in what is drawn, each chain having a stream of its
 * own. */
enum { LANES = 8 };

struct lane {
    const struct cor_profile *profile;
    uint32_t state;
    struct cor_rng rng;
};

void cor_walk_init(struct cor_walk *walk) {
    *walk = (struct cor_walk){0};
}

void cor_walk_fini(struct cor_walk *walk) {
    free(walk->states);
    cor_walk_init(walk);
}

enum cor_status cor_walk_resize(struct cor_walk *walk, uint32_t chain_count, uint32_t case_count,
                                struct cor_error *error) {
    size_t rows = (size_t)case_count + 1; /* the states before the first case have a row of their own */
    if (chain_count > 0 && rows > SIZE_MAX / chain_count)
        return cor_fail_memory(error);
    enum cor_status status = COR_RESERVE(&walk->states, &walk->capacity, chain_count * rows, error);
    if (status != COR_OK)
        return status;
    walk->chain_count = chain_count;
    walk->case_count = case_count;
    return COR_OK;
}

/* One draw of 32 bits: the next state of a lane. */
static inline uint8_t step(struct lane *lane, uint64_t bits, enum cor_source source) {
    uint8_t next;
    if (source == COR_SOURCE_UNIFORM)
        next = (uint8_t)((bits & UINT32_MAX) * lane->profile->state_count >> 32);
    else
        next = cor_profile_next(lane->profile, lane->state, (uint32_t)bits);
    lane->state = next;
    return next;
}

/* The next words of all lanes; returns how many of each. All lanes began together, so they run out together.
 */
static uint32_t take_words(struct lane *lane, uint32_t lane_count, const uint64_t **words) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < lane_count; k++)
        words[k] = cor_rng_words(&lane[k].rng, &count);
    return count;
}

/* Fills the columns at `states` of a walk. Cases are taken in pairs: a word of 64 bits serves two draws, low
 * half first. The first state of all comes from the law of the first state whatever the source. */
static inline void walk_lanes(struct lane *lane, uint32_t lane_count, const struct cor_walk *walk,
                              uint8_t *restrict states, enum cor_source source) {
    const uint64_t *words[LANES] = {NULL};
    uint32_t left = 0;
    for (uint32_t i = 0; i <= walk->case_count; i += 2, left--) {
        uint8_t *now = states + (size_t)i * walk->chain_count, *next = now + walk->chain_count;
        if (left == 0)
            left = take_words(lane, lane_count, words);
        for (uint32_t k = 0; k < lane_count; k++)
            now[k] = step(&lane[k], *words[k], i == 0 ? COR_SOURCE_PROFILE : source);
        for (uint32_t k = 0; k < lane_count && i < walk->case_count; k++)
            next[k] = step(&lane[k], *words[k] >> 32, source);
        for (uint32_t k = 0; k < lane_count; k++)
            words[k]++;
    }
}

enum cor_status cor_walk_generate(const struct cor_profile *const *profiles, const uint16_t *profile_of_chain,
                                  uint32_t chain_count, uint32_t case_count, enum cor_source source,
                                  const struct cor_stream_name *name, struct cor_walk *walk,
                                  struct cor_error *error) {
    struct lane lanes[LANES];
    struct cor_stream_name of_chain = *name;
    COR_ASSERT(source == COR_SOURCE_PROFILE || source == COR_SOURCE_UNIFORM);
    enum cor_status status = cor_walk_resize(walk, chain_count, case_count, error);
    if (status != COR_OK)
        return status;
    of_chain.purpose = COR_PURPOSE_WALK;
    for (uint32_t first = 0; first < chain_count; first += LANES) {
        uint32_t lane_count = chain_count - first < LANES ? chain_count - first : LANES;
        for (uint32_t k = 0; k < lane_count; k++) {
            of_chain.entity = first + k;
            lanes[k].profile = profiles[profile_of_chain[first + k]];
            lanes[k].state = lanes[k].profile->state_count; /* the row of the first state */
            lanes[k].rng = cor_rng_named(&of_chain);
        }
        if (source == COR_SOURCE_PROFILE)
            walk_lanes(lanes, lane_count, walk, walk->states + first, COR_SOURCE_PROFILE);
        else
            walk_lanes(lanes, lane_count, walk, walk->states + first, COR_SOURCE_UNIFORM);
    }
    return COR_OK;
}
