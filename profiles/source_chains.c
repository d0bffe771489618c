/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sources that observe nothing: each chain goes its own way, by its profile or uniformly, and the whole
 * walk is drawn at the beginning.
 *
 * Case i takes 32 bits: the low half of word i / 2 of the chain's stream when i is even, the high half when
 * it is odd, so a longer walk begins with the shorter one. Case 0 is drawn from the profile's law of the
 * first state by either source: walks of both set out from the same states. Behind the prefix of a branch
 * each case takes a word of the branch's own stream, and of it the high half. */
#include <corridor/walk.h>

#include <string.h>

/* Chains walked side by side. Each step of a chain waits for the step before it, so walking several at once
 * fills the processor's waiting time; it changes nothing in what is drawn, each chain having a stream of its
 * own. */
enum { LANES = 8 };

struct lane {
    const struct cor_profile *profile;
    uint32_t state;
    struct cor_rng rng;
};

/* The state after `state`, by 32 bits. */
static inline uint8_t next_state(const struct cor_profile *profile, uint32_t state, uint32_t bits,
                                 bool is_uniform) {
    return is_uniform ? (uint8_t)((uint64_t)bits * profile->state_count >> 32)
                      : cor_profile_next(profile, state, bits);
}

/* Fills the columns at `states` of a walk up to case `last`. Cases are taken in pairs: a word of 64 bits
 * serves two draws, low half first. The first state of all comes from the law of the first state whatever the
 * source. Inlined with constants, so that for all lanes at once the loops over lanes are none. */
__attribute__((always_inline)) static inline void walk_lanes(struct lane *lane, uint32_t lane_count,
                                                             uint32_t chain_count, uint32_t last,
                                                             uint8_t *restrict states, bool is_uniform) {
    const uint64_t *words[LANES] = {NULL};
    struct cor_profile profile[LANES]; /* what is drawn from, here: bytes that are written might change it */
    uint32_t state[LANES], left = 0;
    for (uint32_t k = 0; k < lane_count; k++) {
        profile[k].alias = lane[k].profile->alias;
        profile[k].state_count = lane[k].profile->state_count;
        state[k] = lane[k].state;
    }
    for (uint32_t i = 0; i <= last; i += 2) {
        uint8_t *now = states + (size_t)i * chain_count, *next = now + chain_count;
        if (left == 0) /* All lanes began together, so they run out together. */
            for (uint32_t k = 0; k < lane_count; k++)
                words[k] = cor_rng_words(&lane[k].rng, &left);
        left--;
#pragma GCC unroll 8
        for (uint32_t k = 0; k < lane_count; k++) {
            state[k] = next_state(&profile[k], state[k], (uint32_t)*words[k], i > 0 && is_uniform);
            now[k] = (uint8_t)state[k];
        }
        if (i == last)
            break;
#pragma GCC unroll 8
        for (uint32_t k = 0; k < lane_count; k++) {
            state[k] = next_state(&profile[k], state[k], (uint32_t)(*words[k] >> 32), is_uniform);
            next[k] = (uint8_t)state[k];
        }
#pragma GCC unroll 8
        for (uint32_t k = 0; k < lane_count; k++)
            words[k]++;
    }
}

/* Draws cases 0 .. last of the sequence called `name`. */
static void draw_cases(struct cor_walk *walk, struct cor_stream_name name, uint32_t last, bool is_uniform) {
    const struct cor_walk_definition *d = &walk->definition;
    struct lane lanes[LANES];
    for (uint32_t first = 0; first < walk->chain_count; first += LANES) {
        uint32_t lane_count = walk->chain_count - first < LANES ? walk->chain_count - first : LANES;
        for (uint32_t k = 0; k < lane_count; k++) {
            name.entity = first + k;
            lanes[k].profile = d->profiles[d->profile_of_chain[first + k]];
            lanes[k].state = lanes[k].profile->state_count; /* the row of the first state */
            lanes[k].rng = cor_rng_named(&name);
        }
        if (is_uniform)
            walk_lanes(lanes, lane_count, walk->chain_count, last, walk->states + first, true);
        else if (lane_count == LANES)
            walk_lanes(lanes, LANES, walk->chain_count, last, walk->states + first, false);
        else
            walk_lanes(lanes, lane_count, walk->chain_count, last, walk->states + first, false);
    }
}

/* Draws the cases behind case `prefix`, which is known, to the end. */
static void draw_on(struct cor_walk *walk, uint32_t prefix, bool is_uniform) {
    struct cor_stream_name name = walk->definition.name;
    for (uint32_t chain = 0; chain < walk->chain_count; chain++) {
        const struct cor_profile *profile =
            walk->definition.profiles[walk->definition.profile_of_chain[chain]];
        name.entity = chain;
        struct cor_rng rng = cor_rng_named(&name);
        uint8_t *state = walk->states + (size_t)prefix * walk->chain_count + chain;
        for (uint32_t i = prefix; i < walk->case_count; i++, state += walk->chain_count)
            state[walk->chain_count] =
                next_state(profile, *state, (uint32_t)(cor_rng_word(&rng) >> 32), is_uniform);
    }
}

static void begin_chains(struct cor_walk *walk, bool is_uniform) {
    const struct cor_walk_definition *d = &walk->definition;
    struct cor_stream_name name = d->name;
    if (!d->branch) {
        draw_cases(walk, name, walk->case_count, is_uniform);
        return;
    }
    name.sequence = d->branch->parent;
    if (!d->recorded)
        draw_cases(walk, name, d->branch->prefix, is_uniform);
    else if (walk->chain_count > 0)
        memcpy(walk->states, d->recorded->states, ((size_t)d->branch->prefix + 1) * walk->chain_count);
    draw_on(walk, d->branch->prefix, is_uniform);
}

static enum cor_status begin_profile(struct cor_walk *walk, struct cor_error *error) {
    (void)error;
    begin_chains(walk, false);
    return COR_OK;
}

static enum cor_status begin_uniform(struct cor_walk *walk, struct cor_error *error) {
    (void)error;
    begin_chains(walk, true);
    return COR_OK;
}

static void again_profile(struct cor_walk *walk, uint32_t prefix) {
    draw_on(walk, prefix, false);
}

static void again_uniform(struct cor_walk *walk, uint32_t prefix) {
    draw_on(walk, prefix, true);
}

const struct cor_source cor_source_profile = {.name = "profile",
                                              .meaning = "the profile's own probabilities",
                                              .begin = begin_profile,
                                              .again = again_profile};
const struct cor_source cor_source_uniform = {.name = "uniform",
                                              .meaning = "all states equally likely",
                                              .begin = begin_uniform,
                                              .again = again_uniform};
