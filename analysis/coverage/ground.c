/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ground.h"

#include "cursor.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH_CELLS_MAX (1u << 24) /* 64 MB: lengths of walks of a suite */

const uint32_t cor__points[COR__POINTS] = {1,   2,    5,    10,   20,    50,    100,   200,
                                           500, 1000, 2000, 5000, 10000, 20000, 50000, 100000};

void cor__tally_add(struct cor__tally *sum, const struct cor__tally *tally) {
    sum->states += tally->states;
    sum->arcs += tally->arcs;
    sum->likely_states += tally->likely_states;
    sum->likely_arcs += tally->likely_arcs;
    sum->state_mass += tally->state_mass;
    sum->arc_mass += tally->arc_mass;
}

uint32_t cor__length_bucket(uint32_t cases) {
    if (cases < 128)
        return cases;
    uint32_t octave = 0;
    while (cases >> octave >= 64)
        octave++;
    return 128 + (octave - 2) * 32 + ((cases >> octave) - 32); /* cases >> octave: 32 .. 63 */
}

uint32_t cor__bucket_length(uint32_t bucket) {
    return bucket < 128 ? bucket : (32 + (bucket - 128) % 32) << ((bucket - 128) / 32 + 2);
}

/* ---- the profiles of a suite */

static void site_fini(struct cor__site *site) {
    cor__law_fini(&site->law);
    free(site->taken);
    free(site->taken_said);
    free(site->visits);
    free(site->visits_said);
    free(site->arc_mark);
    free(site->state_mark);
    free(site->length);
    free(site->point_first);
    *site = (struct cor__site){0};
}

static enum cor_status site_init(struct cor__site *site, const struct cor_profile_row *row, bool lengths,
                                 struct cor_error *error) {
    size_t states = row->states, cells = states * states;
    *site = (struct cor__site){.environment = row->environment};
    enum cor_status status = cor__law_init(&site->law, row->states, error);
    if (status != COR_OK)
        return status;
    site->taken = cor_calloc(cells, sizeof *site->taken);
    site->taken_said = cor_calloc(cells, sizeof *site->taken_said);
    site->visits = cor_calloc(states, sizeof *site->visits);
    site->visits_said = cor_calloc(states, sizeof *site->visits_said);
    site->arc_mark = cor_calloc(cells, sizeof *site->arc_mark);
    site->state_mark = cor_calloc(states, sizeof *site->state_mark);
    site->point_first = cor_calloc(COR__POINTS * states, sizeof *site->point_first);
    if (lengths)
        site->length = cor_calloc(states * COR__LENGTHS, sizeof *site->length);
    if (site->taken && site->taken_said && site->visits && site->visits_said && site->arc_mark &&
        site->state_mark && site->point_first && (site->length || !lengths))
        return COR_OK;
    site_fini(site);
    return cor_fail_memory(error);
}

enum cor_status cor__ground_init(struct cor__ground *ground, struct cor_result *result,
                                 struct cor_error *error) {
    *ground = (struct cor__ground){0};
    return cor__environment_init(&ground->environment, result, error);
}

void cor__ground_clear(struct cor__ground *ground) {
    for (size_t p = 0; p < ground->site_count; p++)
        site_fini(&ground->site[p]);
    cor__environment_clear(&ground->environment);
    ground->site_count = ground->cells = ground->length_cells = 0;
    ground->stamp = ground->sequence_stamp = ground->sequences = 0;
}

void cor__ground_fini(struct cor__ground *ground) {
    cor__ground_clear(ground);
    free(ground->site);
    cor__pairs_fini(&ground->pairs);
    cor__environment_fini(&ground->environment);
    *ground = (struct cor__ground){0};
}

enum cor_status cor__ground_profile(struct cor__ground *ground, const struct cor_profile_row *row,
                                    struct cor_error *error) {
    size_t p = ground->site_count;
    ground->cells += (size_t)row->states * row->states;
    if (ground->cells > COR_COVERAGE_CELLS_MAX)
        return cor__damaged(error, COR_TABLE_PROFILES,
                            "arm %u, suite %" PRIu32 ": profile %u of %u states brings the suite above %u "
                            "transitions that could be",
                            row->arm, row->suite, row->profile, row->states, COR_COVERAGE_CELLS_MAX);
    enum cor_status status = cor__environment_put_profile(&ground->environment, row, error);
    if (status == COR_OK)
        status = COR_RESERVE(&ground->site, &ground->site_capacity, p + 1, error);
    if (status != COR_OK)
        return status;
    ground->length_cells += (size_t)row->states * COR__LENGTHS;
    status = site_init(&ground->site[p], row, ground->length_cells <= LENGTH_CELLS_MAX, error);
    ground->site_count += status == COR_OK;
    return status;
}

enum cor_status cor__ground_transition(struct cor__ground *ground, const struct cor_transition_row *row,
                                       struct cor_error *error) {
    enum cor_status status = cor__environment_put_transition(&ground->environment, row, error);
    if (status != COR_OK)
        return status;
    struct cor__site *site = &ground->site[row->profile];
    size_t cell = (size_t)row->from * site->law.states + row->to;
    site->law.arc[cell] = row->probability;
    site->taken_said[cell] += row->count;
    return COR_OK;
}

enum cor_status cor__ground_visit(struct cor__ground *ground, const struct cor_visit_row *row,
                                  struct cor_error *error) {
    if (row->profile >= ground->site_count || row->state >= ground->site[row->profile].law.states)
        return cor__damaged(error, COR_TABLE_VISITS,
                            "arm %u, suite %" PRIu32 ": there is no state %u of a profile %u", row->arm,
                            row->suite, row->state, row->profile);
    ground->site[row->profile].visits_said[row->state] += row->count;
    return COR_OK;
}

enum cor_status cor__ground_chain(struct cor__ground *ground, const struct cor_chain_row *row,
                                  struct cor_error *error) {
    enum cor_status status = cor__environment_put_chain(&ground->environment, row, error);
    if (status == COR_OK)
        ground->site[row->profile].chains++;
    return status;
}

enum cor_status cor__ground_begin(struct cor__ground *ground, struct cor_error *error) {
    enum cor_status status = COR_OK;
    for (size_t p = 0; p < ground->site_count && status == COR_OK; p++)
        status = cor__law_solve(&ground->site[p].law, error);
    cor__pairs_choose(&ground->pairs, ground->environment.chain_count);
    for (size_t i = 0; i < ground->pairs.chains; i++)
        ground->pairs.law[i] = &ground->site[ground->environment.chain[ground->pairs.chain[i]]].law;
    return status == COR_OK ? cor__pairs_begin(&ground->pairs, error) : status;
}

/* ---- the walks */

/* One chain under way. */
struct tour {
    struct cor__ground *ground;
    struct cor__site *site;
    struct cor__tally seen; /* by this chain */
    uint32_t steps;
    size_t point; /* next of cor__points */
    uint8_t first, here;
    bool begun;
};

static void see_state(struct tour *tour, uint32_t state) {
    struct cor__site *site = tour->site;
    const struct cor__law *law = &site->law;
    uint32_t before = site->state_mark[state];
    struct cor__tally new = {
        .states = 1, .likely_states = law->likely_state[state], .state_mass = law->share[state]};
    if (before == tour->ground->stamp)
        return;
    site->state_mark[state] = tour->ground->stamp;
    cor__tally_add(&tour->seen, &new);
    if (before <= tour->ground->sequence_stamp)
        cor__tally_add(&site->sequence, &new);
    if (before == 0)
        cor__tally_add(&site->suite, &new);
}

/* A transition that is new to this chain. */
static void see_arc(struct tour *tour, uint32_t from, uint32_t to) {
    struct cor__site *site = tour->site;
    const struct cor__law *law = &site->law;
    size_t cell = (size_t)from * law->states + to;
    uint32_t before = site->arc_mark[cell];
    site->arc_mark[cell] = tour->ground->stamp;
    see_state(tour, to);
    if (!(law->arc[cell] > 0)) /* outside of the profile */
        return;
    struct cor__tally new = {
        .arcs = 1, .likely_arcs = law->likely_arc[cell], .arc_mass = cor__law_mass(law, from, to)};
    cor__tally_add(&tour->seen, &new);
    if (before <= tour->ground->sequence_stamp)
        cor__tally_add(&site->sequence, &new);
    if (before == 0)
        cor__tally_add(&site->suite, &new);
}

/* The hot loop: a campaign has a hundred million such steps. Nearly none of them is new to its chain. */
static void follow(struct tour *tour, const uint8_t *states, size_t count) {
    struct cor__site *site = tour->site;
    const uint32_t n = site->law.states, stamp = tour->ground->stamp;
    uint32_t *mark = site->arc_mark, here = tour->here;
    uint64_t *taken = site->taken;
    for (size_t i = 0; i < count; i++) {
        size_t cell = (size_t)here * n + states[i];
        taken[cell]++;
        if (mark[cell] != stamp)
            see_arc(tour, here, states[i]);
        here = states[i];
    }
    tour->here = (uint8_t)here;
    tour->steps += (uint32_t)count;
}

static void begin_tour(struct tour *tour, uint8_t first) {
    tour->first = tour->here = first;
    tour->begun = true;
    tour->site->visits[first]++;
    see_state(tour, first);
}

static void note_point(struct tour *tour) {
    struct cor__site *site = tour->site;
    site->point_count[tour->point]++;
    cor__tally_add(&site->point_sum[tour->point], &tour->seen);
    site->point_first[tour->point * site->law.states + tour->first]++;
    tour->point++;
}

static void go(struct tour *tour, const uint8_t *states, size_t count) {
    if (!tour->begun) {
        begin_tour(tour, *states);
        states++;
        count--;
    }
    while (count > 0) {
        size_t left = tour->point < COR__POINTS ? cor__points[tour->point] - tour->steps : count;
        size_t now = left < count ? left : count;
        follow(tour, states, now);
        states += now;
        count -= now;
        if (tour->point < COR__POINTS && tour->steps == cor__points[tour->point])
            note_point(tour);
    }
}

static uint8_t greatest(const uint8_t *bytes, size_t count) {
    uint8_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = bytes[i] > most ? bytes[i] : most;
    return most;
}

static enum cor_status walk_chain(struct cor__ground *ground, size_t chain,
                                  const struct cor_sequence_row *row, struct cor_error *error) {
    uint64_t left = (uint64_t)row->cases + 1, position = row->walk_start + chain * left;
    struct tour tour = {.ground = ground, .site = &ground->site[ground->environment.chain[chain]]};
    if (ground->stamp == UINT32_MAX)
        return cor__damaged(error, COR_TABLE_CHAINS, "arm %u, suite %" PRIu32 ": too many chains", row->arm,
                            row->suite);
    ground->stamp++;
    while (left > 0) {
        const uint8_t *states = NULL;
        size_t count = 0;
        enum cor_status status =
            cor__environment_look(&ground->environment, position, left, &states, &count, error);
        if (status == COR_OK && greatest(states, count) >= tour.site->law.states)
            status = cor__damaged(error, COR_TABLE_SEQUENCES,
                                  "arm %u, suite %" PRIu32 ", sequence %u: a walk visits state %u of a "
                                  "profile of %" PRIu32 " states",
                                  row->arm, row->suite, row->sequence, greatest(states, count),
                                  tour.site->law.states);
        if (status == COR_OK)
            status = cor__pairs_put(&ground->pairs, chain, states, count, error);
        if (status != COR_OK)
            return status;
        go(&tour, states, count);
        position += count;
        left -= count;
    }
    cor__tally_add(&tour.site->chain_sum, &tour.seen);
    tour.site->chain_count++;
    tour.site->walks++;
    tour.site->steps += row->cases;
    if (tour.site->length)
        tour.site->length[tour.first * COR__LENGTHS + cor__length_bucket(row->cases)]++;
    return COR_OK;
}

enum cor_status cor__ground_walk(struct cor__ground *ground, const struct cor_sequence_row *row,
                                 struct cor_error *error) {
    ground->sequence_stamp = ground->stamp;
    for (size_t c = 0; c < ground->environment.chain_count; c++) {
        enum cor_status status = walk_chain(ground, c, row, error);
        if (status != COR_OK)
            return status;
    }
    cor__pairs_end_sequence(&ground->pairs);
    ground->sequences++;
    for (size_t p = 0; p < ground->site_count; p++) {
        struct cor__site *site = &ground->site[p];
        if (site->chains == 0)
            continue;
        cor__tally_add(&site->sequence_sum, &site->sequence);
        site->sequence_count++;
        site->sequence = (struct cor__tally){0};
        for (size_t k = 0; k < COR__POINTS; k++)
            if (cor__points[k] == ground->sequences)
                site->after[k] = site->suite;
    }
    return COR_OK;
}

/* Each step enters a state, each first state is visited, too. */
static void count_visits(struct cor__site *site) {
    uint32_t n = site->law.states;
    for (size_t cell = 0; cell < (size_t)n * n; cell++) {
        site->visits[cell % n] += site->taken[cell];
        if (!(site->law.arc[cell] > 0))
            site->steps_outside += site->taken[cell];
    }
}

enum cor_status cor__ground_end(struct cor__ground *ground, const struct cor_suite_row *suite,
                                struct cor_error *error) {
    cor__pairs_end(&ground->pairs);
    for (size_t p = 0; p < ground->site_count; p++) {
        struct cor__site *site = &ground->site[p];
        uint32_t n = site->law.states;
        count_visits(site);
        for (uint32_t i = 0; i < n; i++)
            if (site->visits[i] != site->visits_said[i])
                return cor__damaged(error, COR_TABLE_VISITS,
                                    "arm %u, suite %" PRIu32 ": state %" PRIu32 " of profile %zu is said to "
                                    "be visited %" PRIu64 " times, the walks visit it %" PRIu64 " times",
                                    suite->arm, suite->suite, i, p, site->visits_said[i], site->visits[i]);
        for (uint32_t c = 0; c < n * n; c++)
            if (site->taken[c] != site->taken_said[c])
                return cor__damaged(error, COR_TABLE_TRANSITIONS,
                                    "arm %u, suite %" PRIu32 ": %" PRIu32 " to %" PRIu32 " of profile %zu is "
                                    "said to be taken %" PRIu64 " times, the walks take it %" PRIu64 " times",
                                    suite->arm, suite->suite, c / n, c % n, p, site->taken_said[c],
                                    site->taken[c]);
    }
    return COR_OK;
}
