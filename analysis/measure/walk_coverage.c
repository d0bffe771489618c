/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much of the environment profiles the walks of a sequence cover. */
#include "measure.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORD sizeof(uint64_t) /* flags are counted a word at a time */

/* Flags of a profile, in whole words. */
static size_t flags_of(uint32_t states) {
    return ((size_t)states * states + WORD - 1) / WORD * WORD;
}

enum cor_status measure__walker_create(struct cor_result *result, struct measure__walker **walker,
                                       struct cor_error *error) {
    *walker = cor_calloc(1, sizeof **walker);
    return *walker ? cor_walk_window_init(&(*walker)->window, result, error) : cor_fail_memory(error);
}

void measure__walker_destroy(struct measure__walker *walker) {
    if (!walker)
        return;
    cor_walk_window_fini(&walker->window);
    free(walker->profile);
    free(walker->has);
    free(walker->took);
    free(walker);
}

enum cor_status measure__walker_begin(struct measure__walker *w, const struct cor_suite_rows *suite,
                                      struct cor_error *error) {
    const struct cor_profile_row *profile = suite->table[COR_TABLE_PROFILES].row;
    const struct cor_transition_row *transition = suite->table[COR_TABLE_TRANSITIONS].row;
    w->profile_count = w->has_count = 0;
    w->chain = suite->table[COR_TABLE_CHAINS].row;
    w->chain_count = suite->table[COR_TABLE_CHAINS].count;
    COR_TRY(cor_environment_check(suite, error));
    for (size_t p = 0; p < suite->table[COR_TABLE_PROFILES].count; p++) {
        const struct cor_profile_row *row = &profile[p];
        const size_t flags = flags_of(row->states);
        COR_TRY(COR_RESERVE(&w->profile, &w->profile_capacity, w->profile_count + 1, error));
        COR_TRY(COR_RESERVE(&w->has, &w->has_capacity, w->has_count + flags, error));
        COR_TRY(COR_RESERVE(&w->took, &w->took_capacity, flags, error));
        w->profile[w->profile_count++] =
            (struct measure__walked_profile){.states = row->states, .arcs = row->arcs, .start = w->has_count};
        memset(w->has + w->has_count, 0, flags);
        w->has_count += flags;
    }
    for (size_t t = 0; t < suite->table[COR_TABLE_TRANSITIONS].count; t++) {
        const struct cor_transition_row *row = &transition[t];
        const struct measure__walked_profile *walked = &w->profile[row->profile];
        if (row->probability > 0)
            w->has[walked->start + (size_t)row->from * walked->states + row->to] = 1;
    }
    return COR_OK;
}

/* What one chain has covered so far. */
struct tour {
    const uint8_t *has; /* of its profile */
    uint8_t *took;      /* all transitions it took */
    size_t flags;
    uint32_t states;
    uint64_t outside;
    bool begun;
    uint8_t first, here;
};

/* How many flags of `took` are set, of those in `has` or of the others. Each is 0 or 1, so a product has
 * their sum in its highest byte. */
static uint32_t count_flags(const uint8_t *took, const uint8_t *has, size_t flags, bool others) {
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t count = 0;
    for (size_t i = 0; i < flags; i += WORD) {
        uint64_t set, known;
        memcpy(&set, took + i, WORD);
        memcpy(&known, has + i, WORD);
        count += (set & (others ? known ^ ones : known)) * ones >> 56;
    }
    return (uint32_t)count;
}

static void follow(struct tour *tour, const uint8_t *states, size_t count) {
    if (!tour->begun) {
        tour->first = tour->here = *states++;
        tour->begun = true;
        count--;
    }
    if (count == 0)
        return;
    /* The hot loop of the tables: a campaign has a hundred million such steps. A flag is set, whether it was
     * or not, so that no step waits for another, and what is set is counted once the chain has ended. */
    tour->took[tour->here * tour->states + states[0]] = 1;
    for (size_t i = 1; i < count; i++)
        tour->took[states[i - 1] * tour->states + states[i]] = 1;
    if (count_flags(tour->took, tour->has, tour->flags, true) > 0) {
        /* Steps that the profile gives no probability: hardly any file has some. */
        uint8_t here = tour->here;
        uint64_t outside = 0;
        for (size_t i = 0; i < count; here = states[i++])
            outside += !tour->has[here * tour->states + states[i]];
        tour->outside += outside;
    }
    tour->here = states[count - 1];
}

static enum cor_status cover_chain(struct measure__walker *w, const struct measure__walked_profile *profile,
                                   uint64_t position, uint64_t left, struct tour *tour,
                                   struct cor_error *error) {
    *tour = (struct tour){.has = w->has + profile->start,
                          .took = w->took,
                          .flags = flags_of(profile->states),
                          .states = profile->states};
    memset(tour->took, 0, tour->flags);
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

enum cor_status measure__walker_cover(struct measure__walker *w, const struct cor_sequence_row *row,
                                      struct measure__walk_coverage *coverage, struct cor_error *error) {
    uint64_t length = (uint64_t)row->cases + 1, with_arcs = 0;
    double states = 0, arcs = 0, state_share = 0, arc_share = 0;
    *coverage = (struct measure__walk_coverage){NAN, NAN, NAN, NAN, 0};
    for (size_t c = 0; c < w->chain_count; c++) {
        const struct measure__walked_profile *profile = &w->profile[w->chain[c].profile];
        struct tour tour;
        COR_TRY(cover_chain(w, profile, row->walk_start + c * length, length, &tour, error));
        states += profile->states;
        arcs += profile->arcs;
        /* The first state, and those that a step leads to. */
        uint8_t seen[COR_BYTE_STATES] = {0};
        uint32_t count = 0;
        seen[tour.first] = 1;
        for (uint32_t from = 0; from < tour.states; from++)
            for (uint32_t to = 0; to < tour.states; to++)
                seen[to] |= tour.took[from * tour.states + to];
        for (uint32_t s = 0; s < tour.states; s++)
            count += seen[s];
        state_share += 100.0 * count / profile->states;
        if (profile->arcs > 0) {
            arc_share += 100.0 * count_flags(tour.took, tour.has, tour.flags, false) / profile->arcs;
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
