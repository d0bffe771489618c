/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "coverage.h"

#include "cursor.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW (4u << 20) /* bytes of walks read at a time */
#define NO_ARC UINT32_MAX /* mark of a transition that the profile does not have: above every stamp */
#define STATES_MAX 256u   /* a walk holds a byte a state */

enum cor_status cor__environment_init(struct cor__environment *environment, struct cor_result *result,
                                      struct cor_error *error) {
    *environment = (struct cor__environment){.result = result};
    environment->window = cor_calloc(WINDOW, 1);
    return environment->window ? COR_OK : cor_fail_memory(error);
}

void cor__environment_fini(struct cor__environment *environment) {
    free(environment->profile);
    free(environment->chain);
    free(environment->mark);
    free(environment->window);
    *environment = (struct cor__environment){0};
}

void cor__environment_clear(struct cor__environment *environment) {
    environment->profile_count = environment->chain_count = environment->mark_count = 0;
    environment->stamp = 0;
}

enum cor_status cor__environment_put_profile(struct cor__environment *e, const struct cor_profile_row *row,
                                             struct cor_error *error) {
    if (row->profile != e->profile_count || row->states == 0 || row->states > STATES_MAX)
        return cor__damaged(error, COR_TABLE_PROFILES,
                            "arm %u, suite %" PRIu32 ": profile %u of %u states, expected "
                            "profile %zu of 1 to %u states",
                            row->arm, row->suite, row->profile, row->states, e->profile_count, STATES_MAX);
    size_t marks = (size_t)row->states * row->states;
    enum cor_status status = COR_RESERVE(&e->profile, &e->profile_capacity, e->profile_count + 1, error);
    if (status == COR_OK)
        status = COR_RESERVE(&e->mark, &e->mark_capacity, e->mark_count + marks, error);
    if (status != COR_OK)
        return status;
    e->profile[e->profile_count++] =
        (struct cor__profile){.states = row->states, .arcs = row->arcs, .start = e->mark_count};
    for (size_t i = 0; i < marks; i++)
        e->mark[e->mark_count++] = NO_ARC;
    return COR_OK;
}

enum cor_status cor__environment_put_transition(struct cor__environment *e,
                                                const struct cor_transition_row *row,
                                                struct cor_error *error) {
    struct cor__profile *profile = row->profile < e->profile_count ? &e->profile[row->profile] : NULL;
    if (!profile || row->from >= profile->states || row->to >= profile->states)
        return cor__damaged(error, COR_TABLE_TRANSITIONS,
                            "arm %u, suite %" PRIu32 ": profile %u has no transition %u to %u", row->arm,
                            row->suite, row->profile, row->from, row->to);
    uint32_t *mark = &e->mark[profile->start + (size_t)row->from * profile->states + row->to];
    if (row->probability > 0 && *mark == NO_ARC) {
        *mark = 0;
        profile->listed++;
    }
    return COR_OK;
}

enum cor_status cor__environment_put_chain(struct cor__environment *e, const struct cor_chain_row *row,
                                           struct cor_error *error) {
    if (row->chain != e->chain_count || row->profile >= e->profile_count)
        return cor__damaged(error, COR_TABLE_CHAINS,
                            "arm %u, suite %" PRIu32 ": chain %" PRIu32 " of profile %u, "
                            "expected chain %zu of one of %zu profiles",
                            row->arm, row->suite, row->chain, row->profile, e->chain_count, e->profile_count);
    enum cor_status status = COR_RESERVE(&e->chain, &e->chain_capacity, e->chain_count + 1, error);
    if (status == COR_OK)
        e->chain[e->chain_count++] = row->profile;
    return status;
}

enum cor_status cor__environment_look(struct cor__environment *e, uint64_t position, uint64_t wanted,
                                      const uint8_t **bytes, size_t *count, struct cor_error *error) {
    if (position < e->window_start || position - e->window_start >= e->window_size) {
        uint64_t size = cor_result_vector_size(e->result, COR_VECTOR_WALK);
        uint64_t left = position < size ? size - position : 0;
        e->window_start = position;
        e->window_size = 0;
        if (left == 0)
            return cor__damaged(error, COR_TABLE_SEQUENCES,
                                "a walk begins or ends behind the %" PRIu64 " bytes of "
                                "vectors/walk",
                                size);
        size_t taken = left < WINDOW ? (size_t)left : WINDOW;
        enum cor_status status =
            cor_result_read_vector(e->result, COR_VECTOR_WALK, position, taken, e->window, error);
        if (status != COR_OK)
            return status;
        e->window_size = taken;
    }
    size_t offset = (size_t)(position - e->window_start), held = e->window_size - offset;
    *bytes = e->window + offset;
    *count = wanted < held ? (size_t)wanted : held;
    return COR_OK;
}

static uint8_t greatest(const uint8_t *bytes, size_t count) {
    uint8_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = bytes[i] > most ? bytes[i] : most;
    return most;
}

/* A stamp that no mark of the suite bears. */
static void next_stamp(struct cor__environment *e) {
    if (++e->stamp < NO_ARC)
        return;
    for (size_t i = 0; i < e->mark_count; i++)
        if (e->mark[i] != NO_ARC)
            e->mark[i] = 0;
    e->stamp = 1;
}

/* What one chain has covered so far. */
struct tour {
    uint32_t *mark; /* of its profile */
    uint32_t states, stamp, taken;
    uint64_t outside;
    bool begun;
    uint8_t here;
    uint8_t seen[STATES_MAX];
};

/* The hot loop of the tables: a campaign has a hundred million such steps, so no hashing and no sets. A
 * transition is new to this chain if its mark is older than the chain's stamp, which one comparison tells for
 * arcs and the rest. */
static void follow(struct tour *tour, const uint8_t *states, size_t count) {
    size_t i = 0;
    if (!tour->begun) {
        tour->here = states[i++];
        tour->seen[tour->here] = 1;
        tour->begun = true;
    }
    uint32_t here = tour->here, taken = 0;
    uint64_t outside = 0;
    for (; i < count; i++) {
        uint32_t *mark = &tour->mark[here * tour->states + states[i]];
        outside += *mark == NO_ARC;
        if (*mark < tour->stamp) {
            *mark = tour->stamp;
            taken++;
        }
        here = states[i];
        tour->seen[here] = 1;
    }
    tour->here = (uint8_t)here;
    tour->taken += taken;
    tour->outside += outside;
}

static enum cor_status cover_chain(struct cor__environment *e, const struct cor__profile *profile,
                                   uint64_t position, uint64_t left, struct tour *tour,
                                   struct cor_error *error) {
    next_stamp(e);
    *tour = (struct tour){.mark = e->mark + profile->start, .states = profile->states, .stamp = e->stamp};
    while (left > 0) {
        const uint8_t *states = NULL;
        size_t count = 0;
        enum cor_status status = cor__environment_look(e, position, left, &states, &count, error);
        if (status != COR_OK)
            return status;
        if (greatest(states, count) >= profile->states)
            return cor__damaged(error, COR_TABLE_SEQUENCES,
                                "a walk visits state %u of a profile of %" PRIu32 " states",
                                greatest(states, count), profile->states);
        follow(tour, states, count);
        position += count;
        left -= count;
    }
    return COR_OK;
}

static uint32_t seen_states(const struct tour *tour) {
    uint32_t seen = 0;
    for (uint32_t s = 0; s < tour->states; s++)
        seen += tour->seen[s];
    return seen;
}

enum cor_status cor__environment_cover(struct cor__environment *e, const struct cor_sequence_row *row,
                                       struct cor__coverage *coverage, struct cor_error *error) {
    uint64_t length = (uint64_t)row->cases + 1, with_arcs = 0;
    double states = 0, arcs = 0, state_share = 0, arc_share = 0;
    *coverage =
        (struct cor__coverage){.states = NAN, .arcs = NAN, .state_coverage = NAN, .arc_coverage = NAN};
    for (size_t c = 0; c < e->chain_count; c++) {
        const struct cor__profile *profile = &e->profile[e->chain[c]];
        struct tour tour;
        enum cor_status status = cover_chain(e, profile, row->walk_start + c * length, length, &tour, error);
        if (status != COR_OK)
            return status;
        states += profile->states;
        arcs += profile->arcs;
        state_share += 100.0 * seen_states(&tour) / profile->states;
        if (profile->arcs > 0) {
            arc_share += 100.0 * tour.taken / profile->arcs;
            with_arcs++;
        }
        coverage->steps_outside += tour.outside;
    }
    if (e->chain_count > 0) {
        coverage->states = states / (double)e->chain_count;
        coverage->arcs = arcs / (double)e->chain_count;
        coverage->state_coverage = state_share / (double)e->chain_count;
    }
    if (with_arcs > 0)
        coverage->arc_coverage = arc_share / (double)with_arcs;
    return COR_OK;
}
