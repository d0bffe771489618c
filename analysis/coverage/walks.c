/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "walks.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH_CELLS_MAX (1u << 24) /* 64 MB: lengths of walks of a suite */

const uint32_t coverage__points[COVERAGE__POINTS] = {1,   2,    5,    10,   20,    50,    100,   200,
                                                     500, 1000, 2000, 5000, 10000, 20000, 50000, 100000};

static void tally_add(struct coverage__tally *sum, const struct coverage__tally *tally) {
    sum->states += tally->states;
    sum->arcs += tally->arcs;
    sum->likely_states += tally->likely_states;
    sum->likely_arcs += tally->likely_arcs;
    sum->state_mass += tally->state_mass;
    sum->arc_mass += tally->arc_mass;
}

uint32_t coverage__length_bucket(uint32_t cases) {
    if (cases < 128)
        return cases;
    uint32_t octave = 0;
    while (cases >> octave >= 64)
        octave++;
    return 128 + (octave - 2) * 32 + ((cases >> octave) - 32); /* cases >> octave: 32 .. 63 */
}

static void walked_fini(struct coverage__walked *walked) {
    coverage__law_fini(&walked->law);
    free(walked->taken);
    free(walked->taken_too);
    free(walked->taken_said);
    free(walked->visits);
    free(walked->visits_said);
    free(walked->arc_mark);
    free(walked->state_mark);
    free(walked->length);
    free(walked->point_first);
    free(walked->missed);
    *walked = (struct coverage__walked){0};
}

static enum cor_status walked_init(struct coverage__walked *walked, const struct cor_profile_row *row,
                                   bool lengths, struct cor_error *error) {
    size_t states = row->states, cells = states * states;
    *walked = (struct coverage__walked){.environment = row->environment};
    COR_TRY(coverage__law_init(&walked->law, row->states, error));
    walked->taken = cor_calloc(cells, sizeof *walked->taken);
    walked->taken_too = cor_calloc(cells, sizeof *walked->taken_too);
    walked->taken_said = cor_calloc(cells, sizeof *walked->taken_said);
    walked->visits = cor_calloc(states, sizeof *walked->visits);
    walked->visits_said = cor_calloc(states, sizeof *walked->visits_said);
    walked->arc_mark = cor_calloc(cells, sizeof *walked->arc_mark);
    walked->state_mark = cor_calloc(states, sizeof *walked->state_mark);
    walked->point_first = cor_calloc(COVERAGE__POINTS * states, sizeof *walked->point_first);
    walked->missed = cor_calloc(cells, sizeof *walked->missed);
    for (size_t cell = 0; cell < cells && walked->missed; cell++)
        walked->missed[cell] = NAN;
    if (lengths)
        walked->length = cor_calloc(states * COVERAGE__LENGTHS, sizeof *walked->length);
    if (walked->taken && walked->taken_too && walked->taken_said && walked->visits && walked->visits_said &&
        walked->arc_mark && walked->state_mark && walked->point_first && walked->missed &&
        (walked->length || !lengths))
        return COR_OK;
    walked_fini(walked);
    return cor_fail_memory(error);
}

const struct cor_reading coverage__walks_readings[COVERAGE__WALKS_READINGS] = {
    {COR_TABLE_PROFILES, (const char *const[]){"profile", "environment", "states", NULL}},
    {COR_TABLE_TRANSITIONS, (const char *const[]){"profile", "from", "to", "probability", "count", NULL}},
    {COR_TABLE_VISITS, (const char *const[]){"profile", "state", "count", NULL}},
    {COR_TABLE_CHAINS, (const char *const[]){"chain", "profile", NULL}},
    {COR_TABLE_SEQUENCES, (const char *const[]){"sequence", "cases", "executed", "walk_start", NULL}},
};

enum cor_status coverage__walks_init(struct coverage__walks *walks, struct cor_result *result,
                                     struct cor_error *error) {
    *walks = (struct coverage__walks){0};
    cor_state_names_init(&walks->names, result);
    return cor_walk_window_init(&walks->window, result, error);
}

static void clear(struct coverage__walks *walks) {
    for (size_t p = 0; p < walks->profile_count; p++)
        walked_fini(&walks->profile[p]);
    walks->profile_count = 0;
    walks->stamp = walks->sequence_stamp = walks->sequences = 0;
    walks->cases = 0;
}

void coverage__walks_fini(struct coverage__walks *walks) {
    clear(walks);
    free(walks->profile);
    coverage__pairs_fini(&walks->pairs);
    cor_walk_window_fini(&walks->window);
    cor_state_names_fini(&walks->names);
    *walks = (struct coverage__walks){0};
}

static enum cor_status begin_profiles(struct coverage__walks *walks, const struct cor_suite_rows *suite,
                                      struct cor_error *error) {
    const struct cor_profile_row *row = suite->table[COR_TABLE_PROFILES].row;
    size_t count = suite->table[COR_TABLE_PROFILES].count, cells = 0, lengths = 0;
    COR_TRY(COR_RESERVE(&walks->profile, &walks->profile_capacity, count, error));
    for (size_t p = 0; p < count; p++) {
        cells += (size_t)row[p].states * row[p].states;
        lengths += (size_t)row[p].states * COVERAGE__LENGTHS;
        if (cells > COR_COVERAGE_CELLS_MAX)
            return cor_damaged(
                error, COR_TABLE_PROFILES,
                "arm %u, suite %" PRIu32
                ": profile %u of %u states brings the suite above %u transitions that could be",
                row[p].arm, row[p].suite, row[p].profile, row[p].states, COR_COVERAGE_CELLS_MAX);
        COR_TRY(walked_init(&walks->profile[p], &row[p], lengths <= LENGTH_CELLS_MAX, error));
        cor_profile_start(&walks->names, row[p].environment, row[p].states, walks->profile[p].law.start);
        walks->profile_count++;
    }
    return COR_OK;
}

/* Laws and counts as the tables have them. */
static enum cor_status take_counts(struct coverage__walks *walks, const struct cor_suite_rows *suite,
                                   struct cor_error *error) {
    const struct cor_transition_row *arc = suite->table[COR_TABLE_TRANSITIONS].row;
    const struct cor_visit_row *visit = suite->table[COR_TABLE_VISITS].row;
    for (size_t i = 0; i < suite->table[COR_TABLE_TRANSITIONS].count; i++) {
        struct coverage__walked *walked = &walks->profile[arc[i].profile];
        size_t cell = (size_t)arc[i].from * walked->law.states + arc[i].to;
        walked->law.arc[cell] = arc[i].probability;
        walked->taken_said[cell] += arc[i].count;
    }
    for (size_t i = 0; i < suite->table[COR_TABLE_VISITS].count; i++) {
        if (visit[i].profile >= walks->profile_count ||
            visit[i].state >= walks->profile[visit[i].profile].law.states)
            return cor_damaged(error, COR_TABLE_VISITS,
                               "arm %u, suite %" PRIu32 ": there is no state %u of a profile %u",
                               visit[i].arm, visit[i].suite, visit[i].state, visit[i].profile);
        walks->profile[visit[i].profile].visits_said[visit[i].state] += visit[i].count;
    }
    return COR_OK;
}

/* One chain under way. */
struct tour {
    struct coverage__walks *walks;
    struct coverage__walked *walked;
    struct coverage__tally seen; /* by this chain */
    uint32_t steps;
    size_t point; /* next of coverage__points */
    uint8_t first, here;
    bool begun;
};

static void see_state(struct tour *tour, uint32_t state) {
    struct coverage__walked *walked = tour->walked;
    const struct coverage__law *law = &walked->law;
    uint32_t before = walked->state_mark[state];
    struct coverage__tally new = {
        .states = 1, .likely_states = law->likely_state[state], .state_mass = law->share[state]};
    if (before == tour->walks->stamp)
        return;
    walked->state_mark[state] = tour->walks->stamp;
    tally_add(&tour->seen, &new);
    if (before <= tour->walks->sequence_stamp)
        tally_add(&walked->sequence, &new);
    if (before == 0)
        tally_add(&walked->suite, &new);
}

/* A transition that is new to this chain. Not inlined: the loop that nearly never calls it needs the
 * registers. */
__attribute__((noinline)) static void see_arc(struct tour *tour, uint32_t from, uint32_t to) {
    struct coverage__walked *walked = tour->walked;
    const struct coverage__law *law = &walked->law;
    size_t cell = (size_t)from * law->states + to;
    uint32_t before = walked->arc_mark[cell];
    walked->arc_mark[cell] = tour->walks->stamp;
    see_state(tour, to);
    if (!(law->arc[cell] > 0)) /* outside of the profile */
        return;
    struct coverage__tally new = {
        .arcs = 1, .likely_arcs = law->likely_arc[cell], .arc_mass = coverage__law_mass(law, from, to)};
    tally_add(&tour->seen, &new);
    if (before <= tour->walks->sequence_stamp)
        tally_add(&walked->sequence, &new);
    if (before == 0)
        tally_add(&walked->suite, &new);
}

/* The hot loop: a campaign has a hundred million such steps. Nearly none of them is new to its chain. Every
 * other step counts elsewhere, as one that goes where the last one went would wait for its count. */
static void follow(struct tour *tour, const uint8_t *states, size_t count) {
    struct coverage__walked *walked = tour->walked;
    const uint32_t n = walked->law.states, stamp = tour->walks->stamp;
    uint32_t *mark = walked->arc_mark, here = tour->here;
    uint64_t *taken = walked->taken, *other = walked->taken_too;
    for (size_t i = 0; i < count; i++) {
        const uint32_t to = states[i];
        const size_t cell = (size_t)here * n + to;
        uint64_t *counts = i % 2 == 0 ? taken : other;
        counts[cell]++;
        if (mark[cell] != stamp)
            see_arc(tour, here, to);
        here = to;
    }
    tour->here = (uint8_t)here;
    tour->steps += (uint32_t)count;
}

static void go(struct tour *tour, const uint8_t *states, size_t count) {
    if (!tour->begun) {
        const uint8_t first = *states;
        tour->first = tour->here = first;
        tour->begun = true;
        tour->walked->visits[first]++;
        see_state(tour, first);
        states++;
        count--;
    }
    while (count > 0) {
        size_t left = tour->point < COVERAGE__POINTS ? coverage__points[tour->point] - tour->steps : count;
        size_t now = left < count ? left : count;
        follow(tour, states, now);
        states += now;
        count -= now;
        if (tour->point < COVERAGE__POINTS && tour->steps == coverage__points[tour->point]) {
            struct coverage__walked *walked = tour->walked;
            walked->point_count[tour->point]++;
            tally_add(&walked->point_sum[tour->point], &tour->seen);
            walked->point_first[tour->point * walked->law.states + tour->first]++;
            tour->point++;
        }
    }
}

static enum cor_status walk_sequence(struct coverage__walks *walks, const struct cor_sequence_row *row,
                                     struct cor_error *error) {
    walks->sequence_stamp = walks->stamp;
    for (size_t c = 0; c < walks->chain_count; c++) {
        uint64_t left = (uint64_t)row->cases + 1, position = row->walk_start + c * left;
        struct tour tour = {.walks = walks, .walked = &walks->profile[walks->chain[c].profile]};
        if (walks->stamp == UINT32_MAX)
            return cor_damaged(error, COR_TABLE_CHAINS, "arm %u, suite %" PRIu32 ": too many chains",
                               row->arm, row->suite);
        walks->stamp++;
        while (left > 0) {
            const uint8_t *states;
            size_t count;
            COR_TRY(cor_walk_look(&walks->window, position, left, tour.walked->law.states, &states, &count,
                                  error));
            COR_TRY(coverage__pairs_put(&walks->pairs, c, states, count, error));
            go(&tour, states, count);
            position += count;
            left -= count;
        }
        tally_add(&tour.walked->chain_sum, &tour.seen);
        tour.walked->chain_count++;
        tour.walked->walks++;
        tour.walked->steps += row->cases;
        if (tour.walked->length)
            tour.walked->length[tour.first * COVERAGE__LENGTHS + coverage__length_bucket(row->cases)]++;
    }
    coverage__pairs_end_sequence(&walks->pairs);
    walks->sequences++;
    walks->cases += row->cases;
    for (size_t p = 0; p < walks->profile_count; p++) {
        struct coverage__walked *walked = &walks->profile[p];
        if (walked->chains == 0)
            continue;
        tally_add(&walked->sequence_sum, &walked->sequence);
        walked->sequence_count++;
        walked->sequence = (struct coverage__tally){0};
        for (size_t k = 0; k < COVERAGE__POINTS; k++)
            if (coverage__points[k] == walks->sequences)
                walked->after[k] = walked->suite;
    }
    return COR_OK;
}

static enum cor_status check_counts(const struct coverage__walks *walks, const struct cor_suite_row *suite,
                                    struct cor_error *error) {
    for (size_t p = 0; p < walks->profile_count; p++) {
        const struct coverage__walked *walked = &walks->profile[p];
        uint32_t n = walked->law.states;
        for (uint32_t i = 0; i < n; i++)
            if (walked->visits[i] != walked->visits_said[i])
                return cor_damaged(error, COR_TABLE_VISITS,
                                   "arm %u, suite %" PRIu32 ": state %" PRIu32
                                   " of profile %zu is said to be visited %" PRIu64
                                   " times, the walks visit it %" PRIu64 " times",
                                   suite->arm, suite->suite, i, p, walked->visits_said[i], walked->visits[i]);
        for (uint32_t c = 0; c < n * n; c++)
            if (walked->taken[c] != walked->taken_said[c])
                return cor_damaged(error, COR_TABLE_TRANSITIONS,
                                   "arm %u, suite %" PRIu32 ": %" PRIu32 " to %" PRIu32
                                   " of profile %zu is said to be taken %" PRIu64
                                   " times, the walks take it %" PRIu64 " times",
                                   suite->arm, suite->suite, c / n, c % n, p, walked->taken_said[c],
                                   walked->taken[c]);
    }
    return COR_OK;
}

enum cor_status coverage__walks_read(struct coverage__walks *walks, const struct cor_suite_rows *suite,
                                     struct cor_error *error) {
    clear(walks);
    walks->chain = suite->table[COR_TABLE_CHAINS].row;
    walks->chain_count = suite->table[COR_TABLE_CHAINS].count;
    COR_TRY(cor_environment_check(suite, error));
    COR_TRY(begin_profiles(walks, suite, error));
    COR_TRY(take_counts(walks, suite, error));
    for (size_t c = 0; c < walks->chain_count; c++)
        walks->profile[walks->chain[c].profile].chains++;
    for (size_t p = 0; p < walks->profile_count; p++)
        COR_TRY(coverage__law_solve(&walks->profile[p].law, error));
    coverage__pairs_choose(&walks->pairs, walks->chain_count);
    for (size_t i = 0; i < walks->pairs.chains; i++)
        walks->pairs.law[i] = &walks->profile[walks->chain[walks->pairs.chain[i]].profile].law;
    COR_TRY(coverage__pairs_begin(&walks->pairs, error));
    for (uint32_t s = 0; s < suite->row.sequences; s++)
        if (suite->sequence[s].row)
            COR_TRY(walk_sequence(walks, suite->sequence[s].row, error));
    coverage__pairs_end(&walks->pairs);
    for (size_t p = 0; p < walks->profile_count; p++) {
        /* Each step enters a state, each first state is visited, too. */
        struct coverage__walked *walked = &walks->profile[p];
        uint32_t n = walked->law.states;
        for (size_t cell = 0; cell < (size_t)n * n; cell++) {
            walked->taken[cell] += walked->taken_too[cell];
            walked->visits[cell % n] += walked->taken[cell];
            if (!(walked->law.arc[cell] > 0))
                walked->steps_outside += walked->taken[cell];
        }
    }
    COR_TRY(check_counts(walks, &suite->row, error));
    for (size_t p = 0; p < walks->profile_count; p++) {
        struct coverage__walked *it = &walks->profile[p];
        if (it->walks > 0)
            COR_TRY(coverage__find_open(&it->law, it->visits, it->taken, &it->open, error));
    }
    return COR_OK;
}
