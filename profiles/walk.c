/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/walk.h>

#include <stdlib.h>
#include <string.h>

void cor_walk_init(struct cor_walk *walk) {
    *walk = (struct cor_walk){0};
}

void cor_walk_fini(struct cor_walk *walk) {
    free(walk->states);
    free(walk->memory);
    cor_walk_init(walk);
}

enum cor_status cor_walk_resize(struct cor_walk *walk, uint32_t chain_count, uint32_t case_count,
                                struct cor_error *error) {
    size_t rows = (size_t)case_count + 1; /* the states before the first case have a row of their own */
    if (chain_count > 0 && rows > SIZE_MAX / chain_count)
        return cor_fail_memory(error);
    COR_TRY(COR_RESERVE(&walk->states, &walk->capacity, chain_count * rows, error));
    walk->chain_count = chain_count;
    walk->case_count = walk->known = case_count;
    return COR_OK;
}

enum cor_status cor_walk_of_chains(struct cor_walk *walk, uint32_t chain_count, uint32_t case_count,
                                   const uint8_t *states, struct cor_error *error) {
    COR_TRY(cor_walk_resize(walk, chain_count, case_count, error));
    for (uint32_t chain = 0; chain < chain_count; chain++)
        for (uint32_t i = 0; i <= case_count; i++)
            walk->states[(size_t)i * chain_count + chain] = *states++;
    return COR_OK;
}

enum cor_status cor_source_find(const char *name, const struct cor_source **source, struct cor_error *error) {
#define COR_SOURCE(name) &cor_source_##name,
    static const struct cor_source *const sources[] = {COR_SOURCES(COR_SOURCE)};
#undef COR_SOURCE
    enum { COUNT = sizeof sources / sizeof *sources };
    const char *known[COUNT + 1] = {NULL};
    for (size_t i = 0; i < COUNT; i++) {
        known[i] = sources[i]->name;
        if (strcmp(known[i], name) == 0) {
            *source = sources[i];
            return COR_OK;
        }
    }
    char remedy[256];
    cor_known_names(name, known, remedy, sizeof remedy);
    return cor_fail(error, COR_STATUS_INPUT, NULL, remedy, "unknown source of walks \"%s\"", name);
}

static enum cor_status reserve_memory(struct cor_walk *walk, struct cor_error *error) {
    const struct cor_source *source = walk->definition.source;
    walk->memory_size = source->memory ? source->memory(&walk->definition) : source->memory_size;
    return cor_array_reserve(&walk->memory, &walk->memory_capacity, walk->memory_size, 1, error);
}

enum cor_status cor_walk_begin(struct cor_walk *walk, const struct cor_walk_definition *definition,
                               struct cor_error *error) {
    const struct cor_source *source = definition->source;
    COR_ASSERT(!definition->branch || definition->branch->prefix <= definition->case_count ||
               source == &cor_source_recorded);
    COR_ASSERT(!definition->case_identity || source == &cor_source_recorded);
    COR_TRY(cor_walk_resize(walk, definition->chain_count, definition->case_count, error));
    walk->definition = *definition;
    walk->definition.name.purpose = COR_PURPOSE_WALK;
    COR_TRY(reserve_memory(walk, error));
    if (walk->memory_size > 0)
        memset(walk->memory, 0, walk->memory_size);
    COR_TRY(source->begin(walk, error));
    COR_ASSERT(walk->known <= walk->case_count && (source->next || walk->known == walk->case_count));
    return COR_OK;
}

enum cor_status cor_walk_reach(struct cor_walk *walk, uint32_t number, const struct cor_observation *observed,
                               struct cor_error *error) {
    COR_ASSERT(number >= 1 && number <= walk->case_count && walk->known + 1 >= number);
    if (number <= walk->known)
        return COR_OK;
    COR_TRY(walk->definition.source->next(walk, observed, error));
    COR_ASSERT(walk->known >= number && walk->known <= walk->case_count);
    return COR_OK;
}

bool cor_walk_sees(const struct cor_walk *walk) {
    return walk->definition.source->see != NULL;
}

void cor_walk_see(struct cor_walk *walk, uint32_t number, const struct cor_reaction *reaction) {
    if (walk->definition.source->see)
        walk->definition.source->see(walk, number, reaction);
}

void cor_walk_end(struct cor_walk *walk) {
    walk->case_count = walk->known;
    if (walk->definition.source->end)
        walk->definition.source->end(walk);
}

void cor_walk_cut(struct cor_walk *walk, uint32_t last) {
    COR_ASSERT(!walk->definition.source->next && last <= walk->known);
    walk->case_count = walk->known = last;
}

void cor_walk_fork(struct cor_walk *walk, uint32_t prefix, uint32_t sequence) {
    COR_ASSERT(walk->definition.source->again && prefix <= walk->known);
    walk->definition.name.sequence = sequence;
    walk->definition.source->again(walk, prefix);
}

enum cor_status cor_walk_copy(struct cor_walk *walk, const struct cor_walk *other, struct cor_error *error) {
    COR_TRY(cor_walk_resize(walk, other->chain_count, other->case_count, error));
    walk->definition = other->definition;
    COR_TRY(reserve_memory(walk, error));
    walk->known = other->known;
    if (walk->chain_count > 0)
        memcpy(walk->states, other->states, ((size_t)other->known + 1) * other->chain_count);
    if (walk->memory_size > 0)
        memcpy(walk->memory, other->memory, walk->memory_size);
    return COR_OK;
}

static enum cor_status begin_recorded(struct cor_walk *walk, struct cor_error *error) {
    const struct cor_walk *recorded = walk->definition.recorded;
    (void)error;
    COR_ASSERT(recorded->chain_count == walk->chain_count && recorded->case_count == walk->case_count);
    if (walk->chain_count > 0)
        memcpy(walk->states, recorded->states, ((size_t)walk->case_count + 1) * walk->chain_count);
    return COR_OK;
}

const struct cor_source cor_source_recorded = {
    .name = "recorded", .meaning = "as written in a suite file", .begin = begin_recorded};

/* ---- the sources that observe nothing: each chain goes its own way, by its profile or uniformly, and the
 * whole walk is drawn at the beginning.
 *
 * Case i takes 32 bits: the low half of word i / 2 of the chain's stream when i is even, the high half when
 * it is odd, so a longer walk begins with the shorter one. Case 0 is drawn from the profile's law of the
 * first state by either source: walks of both set out from the same states. Behind the prefix of a branch
 * each case takes a word of the branch's own stream, and of it the high half */

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
