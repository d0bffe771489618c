/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much of the environment profiles the walks of a sequence cover. */
#include "measure.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define NO_ARC UINT32_MAX /* mark of a transition that the profile does not have: above every stamp */

enum cor_status cor__walker_create(struct cor_result *result, struct cor__walker **walker,
                                   struct cor_error *error) {
    *walker = cor_calloc(1, sizeof **walker);
    return *walker ? cor_walk_window_init(&(*walker)->window, result, error) : cor_fail_memory(error);
}

void cor__walker_destroy(struct cor__walker *walker) {
    if (!walker)
        return;
    cor_walk_window_fini(&walker->window);
    free(walker->profile);
    free(walker->mark);
    free(walker);
}

static enum cor_status put_profile(struct cor__walker *w, const struct cor_profile_row *row,
                                   struct cor_error *error) {
    size_t marks = (size_t)row->states * row->states;
    COR_TRY(COR_RESERVE(&w->profile, &w->profile_capacity, w->profile_count + 1, error));
    COR_TRY(COR_RESERVE(&w->mark, &w->mark_capacity, w->mark_count + marks, error));
    w->profile[w->profile_count++] =
        (struct cor__walked_profile){.states = row->states, .arcs = row->arcs, .start = w->mark_count};
    for (size_t i = 0; i < marks; i++)
        w->mark[w->mark_count++] = NO_ARC;
    return COR_OK;
}

static void put_transition(struct cor__walker *w, const struct cor_transition_row *row) {
    const struct cor__walked_profile *profile = &w->profile[row->profile];
    uint32_t *mark = &w->mark[profile->start + (size_t)row->from * profile->states + row->to];
    if (row->probability > 0)
        *mark = 0;
}

enum cor_status cor__walker_begin(struct cor__walker *w, const struct cor_suite_rows *suite,
                                  struct cor_error *error) {
    const struct cor_profile_row *profile = suite->table[COR_TABLE_PROFILES].row;
    const struct cor_transition_row *transition = suite->table[COR_TABLE_TRANSITIONS].row;
    w->profile_count = w->mark_count = 0;
    w->stamp = 0;
    w->chain = suite->table[COR_TABLE_CHAINS].row;
    w->chain_count = suite->table[COR_TABLE_CHAINS].count;
    COR_TRY(cor_environment_check(suite, error));
    for (size_t p = 0; p < suite->table[COR_TABLE_PROFILES].count; p++)
        COR_TRY(put_profile(w, &profile[p], error));
    for (size_t t = 0; t < suite->table[COR_TABLE_TRANSITIONS].count; t++)
        put_transition(w, &transition[t]);
    return COR_OK;
}

/* A stamp that no mark of the suite bears. */
static void next_stamp(struct cor__walker *w) {
    if (++w->stamp < NO_ARC)
        return;
    for (size_t i = 0; i < w->mark_count; i++)
        if (w->mark[i] != NO_ARC)
            w->mark[i] = 0;
    w->stamp = 1;
}

/* What one chain has covered so far. */
struct tour {
    uint32_t *mark; /* of its profile */
    uint32_t states, stamp, taken;
    uint64_t outside;
    bool begun;
    uint8_t here;
    uint8_t seen[COR_BYTE_STATES];
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

static enum cor_status cover_chain(struct cor__walker *w, const struct cor__walked_profile *profile,
                                   uint64_t position, uint64_t left, struct tour *tour,
                                   struct cor_error *error) {
    next_stamp(w);
    *tour = (struct tour){.mark = w->mark + profile->start, .states = profile->states, .stamp = w->stamp};
    while (left > 0) {
        const uint8_t *states = NULL;
        size_t count = 0;
        COR_TRY(cor_walk_look(&w->window, position, left, profile->states, &states, &count, error));
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

enum cor_status cor__walker_cover(struct cor__walker *w, const struct cor_sequence_row *row,
                                  struct cor__walk_coverage *coverage, struct cor_error *error) {
    uint64_t length = (uint64_t)row->cases + 1, with_arcs = 0;
    double states = 0, arcs = 0, state_share = 0, arc_share = 0;
    *coverage = (struct cor__walk_coverage){NAN, NAN, NAN, NAN, 0};
    for (size_t c = 0; c < w->chain_count; c++) {
        const struct cor__walked_profile *profile = &w->profile[w->chain[c].profile];
        struct tour tour;
        COR_TRY(cover_chain(w, profile, row->walk_start + c * length, length, &tour, error));
        states += profile->states;
        arcs += profile->arcs;
        state_share += 100.0 * seen_states(&tour) / profile->states;
        if (profile->arcs > 0) {
            arc_share += 100.0 * tour.taken / profile->arcs;
            with_arcs++;
        }
        coverage->steps_outside += tour.outside;
    }
    if (w->chain_count > 0) {
        coverage->states = states / (double)w->chain_count;
        coverage->arcs = arcs / (double)w->chain_count;
        coverage->state_coverage = state_share / (double)w->chain_count;
    }
    if (with_arcs > 0)
        coverage->arc_coverage = arc_share / (double)with_arcs;
    return COR_OK;
}
