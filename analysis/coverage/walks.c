/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "walks.h"

#include <corridor/array.h>
#include <corridor/descriptive.h>

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
    COR_FREE(walked->taken, walked->taken_too, walked->taken_said, walked->visits, walked->visits_said,
             walked->arc_mark, walked->state_mark, walked->length, walked->point_first, walked->missed);
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
    /* Laws and counts as the tables have them. */
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

/* ---- one profile: its law, what is reachable and likely, what walks are expected to see */

enum cor_status coverage__law_init(struct coverage__law *law, uint32_t states, struct cor_error *error) {
    size_t cells = (size_t)states * states;
    *law = (struct coverage__law){.states = states};
    law->arc = cor_calloc(cells, sizeof *law->arc);
    law->start = cor_calloc(states, sizeof *law->start);
    law->share = cor_calloc(states, sizeof *law->share);
    law->likely_state = cor_calloc(states, 1);
    law->likely_arc = cor_calloc(cells, 1);
    for (uint32_t i = 0; i < states && law->start; i++)
        law->start[i] = 1.0 / states;
    if (law->arc && law->start && law->share && law->likely_state && law->likely_arc)
        return COR_OK;
    coverage__law_fini(law);
    return cor_fail_memory(error);
}

void coverage__law_fini(struct coverage__law *law) {
    COR_FREE(law->arc, law->start, law->share, law->likely_state, law->likely_arc);
    *law = (struct coverage__law){0};
}

bool coverage__law_equal(const struct coverage__law *law, const struct coverage__law *other) {
    size_t cells = (size_t)law->states * law->states;
    return law->states == other->states && memcmp(law->arc, other->arc, cells * sizeof *law->arc) == 0;
}

/* leads[from * n + to]: there is a way of any length, also of none. */
static uint8_t *find_ways(const struct coverage__law *law) {
    uint32_t n = law->states;
    uint8_t *leads = cor_calloc((size_t)n * n, 1);
    if (!leads)
        return NULL;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            leads[i * n + j] = i == j || law->arc[i * n + j] > 0;
    for (uint32_t by = 0; by < n; by++)
        for (uint32_t i = 0; i < n; i++)
            if (leads[i * n + by])
                for (uint32_t j = 0; j < n; j++)
                    leads[i * n + j] |= leads[by * n + j];
    return leads;
}

enum cor_status coverage__law_reach(const struct coverage__law *law, uint8_t *reached,
                                    struct cor_error *error) {
    uint32_t n = law->states;
    uint8_t *leads = find_ways(law);
    if (!leads)
        return cor_fail_memory(error);
    for (uint32_t i = 0; i < n; i++)
        if ((reached[i] & 1) || law->share[i] > 0)
            for (uint32_t j = 0; j < n; j++)
                reached[j] |= (uint8_t)(leads[i * n + j] << 1);
    for (uint32_t i = 0; i < n; i++)
        reached[i] = reached[i] > 0;
    free(leads);
    return COR_OK;
}

/* State reduction (Grassmann, Taksar and Heyman, Operations Research 33(5), 1985): states are removed one by
 * one, the chain watched only while it is in the others. Nothing is subtracted, so rare states come out with
 * a small relative error, too. */
struct reduction {
    uint32_t n;
    double *arc;        /* [n * n], of the chain as watched so far */
    double *mass;       /* [n]: where the first state comes to rest */
    uint32_t *class_of; /* [n] */
    uint32_t *member;   /* [n]: of the class being solved */
};

/* Who goes through a transient state goes on to where it leads, in proportion. */
static bool pass_through(struct reduction *chain, uint32_t state, const uint8_t *left) {
    uint32_t n = chain->n;
    double out = 0, *arc = chain->arc + (size_t)state * n;
    for (uint32_t to = 0; to < n; to++)
        out += left[to] ? arc[to] : 0;
    if (!(out > 0))
        return false;
    for (uint32_t to = 0; to < n; to++) {
        if (!left[to])
            continue;
        double share = arc[to] / out;
        chain->mass[to] += chain->mass[state] * share;
        for (uint32_t from = 0; from < n; from++)
            if (left[from])
                chain->arc[(size_t)from * n + to] += chain->arc[(size_t)from * n + state] * share;
    }
    return true;
}

static bool solve_class(struct reduction *chain, uint32_t count, double mass, double *share) {
    const uint32_t *member = chain->member;
    uint32_t n = chain->n;
#define ARC(i, j) chain->arc[(size_t)member[i] * n + member[j]]
    for (uint32_t k = count - 1; k > 0; k--) {
        double out = 0;
        for (uint32_t j = 0; j < k; j++)
            out += ARC(k, j);
        if (!(out > 0))
            return false;
        for (uint32_t i = 0; i < k; i++) {
            ARC(i, k) /= out;
            for (uint32_t j = 0; j < k; j++)
                ARC(i, j) += ARC(i, k) * ARC(k, j);
        }
    }
    double sum = share[member[0]] = 1;
    for (uint32_t k = 1; k < count; k++) {
        double visits = 0; /* of k between two visits of the first member */
        for (uint32_t i = 0; i < k; i++)
            visits += share[member[i]] * ARC(i, k);
        share[member[k]] = visits;
        sum += visits;
    }
#undef ARC
    for (uint32_t k = 0; k < count; k++)
        share[member[k]] *= mass / sum;
    return sum < 1e300;
}

/* False if its probabilities are too small to tell. */
static bool solve_all(struct reduction *chain, uint8_t *left, double *share) {
    uint32_t n = chain->n;
    for (uint32_t i = 0; i < n; i++) {
        if (chain->class_of[i] < n)
            continue;
        left[i] = 0;
        if (!pass_through(chain, i, left))
            return false;
    }
    for (uint32_t c = 0; c < n; c++) {
        uint32_t count = 0;
        double mass = 0;
        for (uint32_t i = 0; i < n; i++)
            if (chain->class_of[i] == c) {
                chain->member[count++] = i;
                mass += chain->mass[i];
            }
        if (count > 0 && !solve_class(chain, count, mass, share))
            return false;
    }
    return true;
}

static enum cor_status find_share(struct coverage__law *law, struct cor_error *error) {
    uint32_t n = law->states;
    uint8_t *leads = find_ways(law), *left = cor_calloc(n, 1);
    struct reduction chain = {.n = n};
    chain.arc = cor_calloc((size_t)n * n, sizeof *chain.arc);
    chain.mass = cor_calloc(n, sizeof *chain.mass);
    chain.class_of = cor_calloc(n, sizeof *chain.class_of);
    chain.member = cor_calloc(n, sizeof *chain.member);
    enum cor_status status = COR_OK;
    if (leads && left && chain.arc && chain.mass && chain.class_of && chain.member) {
        memcpy(chain.arc, law->arc, (size_t)n * n * sizeof *chain.arc);
        memset(left, 1, n);
        for (uint32_t i = 0; i < n; i++)
            chain.mass[i] = law->start[i];
        /* class_of[state]: the least state of its closed class, or n if it is transient. */
        for (uint32_t i = 0; i < n; i++) {
            chain.class_of[i] = n;
            for (uint32_t j = 0; j < n; j++) {
                if (leads[i * n + j] && !leads[j * n + i]) { /* a way out and none back */
                    chain.class_of[i] = n;
                    break;
                }
                if (leads[i * n + j] && chain.class_of[i] == n)
                    chain.class_of[i] = j;
            }
        }
        law->sound = solve_all(&chain, left, law->share);
        if (!law->sound)
            memset(law->share, 0, n * sizeof *law->share);
    } else {
        status = cor_fail_memory(error);
    }
    COR_FREE(leads, left, chain.arc, chain.mass, chain.class_of, chain.member);
    return status;
}

/* The least mass in the smallest set that holds COVERAGE__LIKELY_MASS. What weighs as much belongs to it, too
 * (up to rounding), so no order of states decides. */
static double least_likely(double *mass, size_t count) {
    double sum = 0;
    size_t i = count;
    cor_sort(mass, count);
    while (i > 0 && sum < COVERAGE__LIKELY_MASS * (1 - 1e-12))
        sum += mass[--i];
    return i < count ? mass[i] * (1 - 1e-9) : 0;
}

enum cor_status coverage__law_solve(struct coverage__law *law, struct cor_error *error) {
    law->arcs = 0;
    for (size_t i = 0; i < (size_t)law->states * law->states; i++)
        law->arcs += law->arc[i] > 0;
    /* NaN, what is no probability, and rows that sum to something else make the law unsound; NaN fails every
     * comparison. */
    for (uint32_t i = 0; i < law->states; i++) {
        double sum = 0;
        for (uint32_t j = 0; j < law->states; j++) {
            double p = law->arc[(size_t)i * law->states + j];
            if (!(p >= 0 && p <= 1 + COVERAGE__ROW_SLACK))
                return COR_OK;
            sum += p;
        }
        if (!(fabs(sum - 1) <= COVERAGE__ROW_SLACK))
            return COR_OK;
    }
    COR_TRY(find_share(law, error));
    if (!law->sound)
        return COR_OK;
    size_t n = law->states, cells = n * n;
    double *mass = cor_calloc(cells, sizeof *mass);
    if (!mass)
        return cor_fail_memory(error);
    memcpy(mass, law->share, n * sizeof *mass);
    double least = least_likely(mass, n);
    for (size_t i = 0; i < n; i++) {
        law->likely_state[i] = law->share[i] > 0 && law->share[i] >= least;
        law->likely_states += law->likely_state[i];
    }
    for (size_t i = 0; i < cells; i++)
        mass[i] = law->share[i / n] * law->arc[i];
    least = least_likely(mass, cells);
    for (size_t i = 0; i < cells; i++) {
        double its = law->share[i / n] * law->arc[i];
        law->likely_arc[i] = its > 0 && its >= least;
        law->likely_arcs += law->likely_arc[i];
    }
    free(mass);
    return COR_OK;
}

/* Sums side by side, in registers; rows are padded to whole LANES. */
typedef double pair __attribute__((vector_size(16)));
enum { PAIRS = 4, LANES = 2 * PAIRS };

static size_t padded(size_t count) {
    return (count + LANES - 1) / LANES * LANES;
}

static inline pair pair_at(const double *at) {
    pair its;
    memcpy(&its, at, sizeof its);
    return its;
}

/* to[lane] = the sum of factor[i] * rows[i * stride + lane], in the order of the rows. */
static inline void sum_rows(const double *factor, const double *rows, size_t count, size_t stride,
                            double *to) {
    pair sum[PAIRS];
    pair a = {0}, b = {0}, c = {0}, d = {0};
    for (size_t i = 0; i < count; i++) {
        const double *row = rows + i * stride;
        a += factor[i] * pair_at(row);
        b += factor[i] * pair_at(row + 2);
        c += factor[i] * pair_at(row + 4);
        d += factor[i] * pair_at(row + 6);
    }
    sum[0] = a;
    sum[1] = b;
    sum[2] = c;
    sum[3] = d;
    memcpy(to, sum, sizeof sum);
}

/* Chances of not having seen one transition or state, by first state, and what takes them some steps on. */
struct unseen {
    size_t states, stride;
    uint32_t doublings;
    double
        *into; /* owned: [doublings + 1][states * stride], the powers 2^k of P', each [to * stride + from] */
    double *now, *next; /* owned, [stride] */
};

static void walk(struct unseen *unseen, uint32_t steps) {
    for (uint32_t k = unseen->doublings; steps > 0; k--)
        for (; steps >= UINT32_C(1) << k; steps -= UINT32_C(1) << k) {
            const double *into = unseen->into + k * unseen->states * unseen->stride;
            for (size_t s = 0; s < unseen->stride; s += LANES)
                sum_rows(unseen->now, into + s, unseen->states, unseen->stride, unseen->next + s);
            double *past = unseen->now;
            unseen->now = unseen->next;
            unseen->next = past;
        }
}

/* Adds the chances of having seen it after each of so many steps. */
static void add_seen(struct unseen *unseen, const struct coverage__law *law, size_t from, size_t to,
                     const uint32_t *at, size_t count, double *seen) {
    /* P' for a transition, or for a state, where from == states: nothing leaves it. There are as many squares
     * as spare more steps than each of them takes. */
    const size_t n = unseen->states, stride = unseen->stride;
    for (size_t t = 0; t < n; t++)
        for (size_t s = 0; s < n; s++)
            unseen->into[t * stride + s] =
                (from < n ? s == from && t == to : s == to) ? 0 : law->arc[s * n + t];
    for (uint32_t k = 0; k < unseen->doublings; k++) {
        const double *its = unseen->into + k * n * stride;
        double *square = unseen->into + (k + 1) * n * stride;
        for (size_t t = 0; t < n; t++)
            for (size_t s = 0; s < n; s += LANES)
                sum_rows(its + t * stride, its + s, n, stride, square + t * stride + s);
    }
    for (size_t s = 0; s < n; s++)
        unseen->now[s] = from < n || s != to;
    for (size_t k = 0; k < count; k++) {
        walk(unseen, at[k] - (k > 0 ? at[k - 1] : 0));
        for (size_t s = 0; s < law->states; s++)
            seen[k * law->states + s] += 1 - unseen->now[s];
    }
}

enum cor_status coverage__law_expect(const struct coverage__law *law, const uint32_t *at, size_t count,
                                     double work, double *seen_states, double *seen_arcs, size_t *done,
                                     struct cor_error *error) {
    const size_t n = law->states;
    const double a_step = (double)n * (double)n * (double)padded(law->arcs + n);
    struct unseen unseen = {.states = n, .stride = padded(n)};
    *done = 0;
    while (*done < count && (double)at[*done] * a_step <= work)
        ++*done;
    if (*done == 0) /* too much memory also */
        return COR_OK;
    while (n < at[*done - 1] >> (unseen.doublings + 1))
        unseen.doublings++;
    unseen.into = cor_calloc((unseen.doublings + 1) * n * unseen.stride, sizeof *unseen.into);
    unseen.now = cor_calloc(unseen.stride, sizeof *unseen.now);
    unseen.next = cor_calloc(unseen.stride, sizeof *unseen.next);
    const enum cor_status status = unseen.into && unseen.now && unseen.next ? COR_OK : cor_fail_memory(error);
    if (status == COR_OK) {
        for (size_t i = 0; i < *done * n; i++)
            seen_states[i] = seen_arcs[i] = 0;
        for (size_t i = 0; i < n; i++) {
            add_seen(&unseen, law, n, i, at, *done, seen_states);
            for (size_t j = 0; j < n; j++)
                if (law->arc[i * n + j] > 0)
                    add_seen(&unseen, law, i, j, at, *done, seen_arcs);
        }
    }
    COR_FREE(unseen.into, unseen.now, unseen.next);
    return status;
}

enum cor_status coverage__miss_init(struct coverage__miss *miss, const struct coverage__law *law,
                                    struct cor_error *error) {
    const size_t n = law->states, stride = padded(n);
    *miss = (struct coverage__miss){.law = law, .stride = stride};
    miss->into = cor_calloc(n * stride, sizeof *miss->into);
    miss->now = cor_calloc(stride, sizeof *miss->now);
    miss->next = cor_calloc(stride, sizeof *miss->next);
    if (!miss->into || !miss->now || !miss->next) {
        coverage__miss_fini(miss);
        return cor_fail_memory(error);
    }
    for (size_t s = 0; s < n; s++)
        for (size_t t = 0; t < n; t++)
            miss->into[t * stride + s] = law->arc[s * n + t];
    return COR_OK;
}

void coverage__miss_fini(struct coverage__miss *miss) {
    COR_FREE(miss->into, miss->now, miss->next);
    *miss = (struct coverage__miss){0};
}

void coverage__miss_begin(struct coverage__miss *miss, uint32_t from, uint32_t to) {
    miss->into[miss->to * miss->stride + miss->from] =
        miss->law->arc[miss->from * miss->law->states + miss->to];
    miss->from = from;
    miss->to = to;
    miss->into[miss->to * miss->stride + miss->from] = 0;
    for (size_t s = 0; s < miss->law->states; s++)
        miss->now[s] = 1;
}

void coverage__miss_step(struct coverage__miss *miss) {
    for (size_t s = 0; s < miss->stride; s += LANES)
        sum_rows(miss->now, miss->into + s, miss->law->states, miss->stride, miss->next + s);
    double *past = miss->now;
    miss->now = miss->next;
    miss->next = past;
}

/* ---- pairs */

void coverage__covered_add(struct cor_covered *covered, double seen, double possible, uint64_t count) {
    if (!(possible > 0) || count == 0)
        return;
    covered->n += count;
    covered->share_sum += seen / possible;
    covered->covered += seen;
    covered->possible += possible * (double)count;
}

void coverage__covered_merge(struct cor_covered *sum, const struct cor_covered *covered) {
    sum->n += covered->n;
    sum->share_sum += covered->share_sum;
    sum->covered += covered->covered;
    sum->possible += covered->possible;
}

void coverage__pairs_merge(struct cor_pair_coverage *sum, const struct cor_pair_coverage *pairs) {
    sum->pairs += pairs->pairs;
    sum->pairs_looked_at += pairs->pairs_looked_at;
    coverage__covered_merge(&sum->sequence, &pairs->sequence);
    coverage__covered_merge(&sum->suite, &pairs->suite);
    coverage__covered_merge(&sum->sequence_mass, &pairs->sequence_mass);
    coverage__covered_merge(&sum->suite_mass, &pairs->suite_mass);
}

void coverage__pairs_fini(struct coverage__pairs *pairs) {
    for (size_t i = 0; i < COR_COVERAGE_CHAINS_MAX; i++)
        free(pairs->walk[i]);
    free(pairs->mark);
    *pairs = (struct coverage__pairs){0};
}

void coverage__pairs_choose(struct coverage__pairs *pairs, size_t chain_count) {
    size_t chosen = chain_count < COR_COVERAGE_CHAINS_MAX ? chain_count : COR_COVERAGE_CHAINS_MAX;
    pairs->chains = chosen;
    pairs->of_chains = chain_count > 0 ? (uint64_t)chain_count * (chain_count - 1) / 2 : 0;
    for (size_t i = 0; i < chosen; i++)
        pairs->chain[i] = (uint32_t)(i * chain_count / chosen);
}

enum cor_status coverage__pairs_begin(struct coverage__pairs *pairs, struct cor_error *error) {
    size_t cells = 0;
    for (size_t i = 0; i < pairs->chains; i++)
        for (size_t j = i + 1; j < pairs->chains; j++)
            cells += (size_t)pairs->law[i]->states * pairs->law[j]->states;
    COR_TRY(COR_RESERVE(&pairs->mark, &pairs->mark_capacity, cells, error));
    if (cells > 0)
        memset(pairs->mark, 0, cells * sizeof *pairs->mark);
    pairs->mark_count = cells;
    pairs->sequences = 0;
    memset(pairs->held, 0, sizeof pairs->held);
    pairs->found = (struct cor_pair_coverage){
        .pairs = pairs->of_chains,
        .pairs_looked_at = pairs->chains > 0 ? pairs->chains * (pairs->chains - 1) / 2 : 0};
    return COR_OK;
}

enum cor_status coverage__pairs_put(struct coverage__pairs *pairs, size_t number, const uint8_t *states,
                                    size_t count, struct cor_error *error) {
    size_t i = 0;
    while (i < pairs->chains && pairs->chain[i] != number)
        i++;
    if (i == pairs->chains)
        return COR_OK;
    size_t room = COVERAGE__PAIR_STATES_MAX - pairs->held[i], taken = count < room ? count : room;
    COR_TRY(COR_RESERVE(&pairs->walk[i], &pairs->capacity[i], pairs->held[i] + taken, error));
    if (taken == 0)
        return COR_OK;
    memcpy(pairs->walk[i] + pairs->held[i], states, taken);
    pairs->held[i] += taken;
    return COR_OK;
}

/* What two chains showed, in the sequence or in the suite. */
struct seen {
    double count, mass;
};

void coverage__pairs_end_sequence(struct coverage__pairs *pairs) {
    uint32_t *mark = pairs->mark;
    pairs->sequences++;
    for (size_t a = 0; a < pairs->chains; a++)
        for (size_t b = a + 1; b < pairs->chains; b++) {
            size_t cells = (size_t)pairs->law[a]->states * pairs->law[b]->states;
            /* A suite has a hundred million such looks, so what is not new to the sequence must cost
             * little. */
            const struct coverage__law *one = pairs->law[a], *other = pairs->law[b];
            const uint8_t *here = pairs->walk[a], *there = pairs->walk[b];
            struct seen seen = {0};
            for (size_t i = 0; i < pairs->held[a]; i++) {
                uint32_t *cell = &mark[(size_t)here[i] * other->states + there[i]];
                if (*cell == pairs->sequences)
                    continue;
                *cell = pairs->sequences;
                seen.count++;
                seen.mass += one->share[here[i]] * other->share[there[i]];
            }
            coverage__covered_add(&pairs->found.sequence, seen.count, (double)cells, 1);
            if (pairs->law[a]->sound && pairs->law[b]->sound)
                coverage__covered_add(&pairs->found.sequence_mass, seen.mass, 1, 1);
            mark += cells;
        }
    memset(pairs->held, 0, sizeof pairs->held);
}

void coverage__pairs_end(struct coverage__pairs *pairs) {
    const uint32_t *mark = pairs->mark;
    for (size_t a = 0; a < pairs->chains && pairs->sequences > 0; a++)
        for (size_t b = a + 1; b < pairs->chains; b++) {
            const struct coverage__law *one = pairs->law[a], *other = pairs->law[b];
            struct seen seen = {0};
            for (uint32_t i = 0; i < one->states; i++)
                for (uint32_t j = 0; j < other->states; j++)
                    if (*mark++ > 0) {
                        seen.count++;
                        seen.mass += one->share[i] * other->share[j];
                    }
            coverage__covered_add(&pairs->found.suite, seen.count, (double)one->states * other->states, 1);
            if (one->sound && other->sound)
                coverage__covered_add(&pairs->found.suite_mass, seen.mass, 1, 1);
        }
}

/* ---- expectation */

/* It is much work for profiles that are drawn anew for each suite, so that it is done for so many of them,
 * evenly spaced, and for as many cases as this allows. */
#define PROFILES 128
#define WORK 2e7 /* multiplications a profile */

uint64_t coverage__expectation_stride(uint64_t profiles) {
    return profiles == 0 ? 1 : (profiles - 1) / PROFILES + 1;
}

static void forget(struct coverage__remembered *remembered) {
    coverage__law_fini(&remembered->law);
    COR_FREE(remembered->expectation.states, remembered->expectation.arcs);
    remembered->expectation = (struct coverage__expectation){0};
}

void coverage__expectations_fini(struct coverage__expectations *expectations) {
    for (size_t i = 0; i < expectations->remembered_count; i++)
        forget(&expectations->remembered[i]);
    COR_FREE(expectations->remembered, expectations->of_profile);
    *expectations = (struct coverage__expectations){0};
}

/* Two profiles of one environment in a suite: what is remembered is that of the later one. */
static bool overtaken(const struct coverage__walks *walks, size_t p) {
    for (size_t q = p + 1; q < walks->profile_count; q++)
        if (walks->profile[q].walks > 0 && walks->profile[p].environment == walks->profile[q].environment &&
            !coverage__law_equal(&walks->profile[p].law, &walks->profile[q].law))
            return true;
    return false;
}

enum cor_status coverage__expect(struct coverage__expectations *expectations,
                                 const struct coverage__walks *walks, bool by_profile, uint64_t suite,
                                 struct cor_error *error) {
    bool chosen = suite % expectations->stride == 0;
    COR_TRY(COR_RESERVE(&expectations->of_profile, &expectations->capacity, walks->profile_count, error));
    for (size_t p = 0; p < walks->profile_count; p++) {
        expectations->of_profile[p] = (struct coverage__expectation){0};
        if (by_profile && walks->profile[p].walks > 0 && !overtaken(walks, p)) {
            /* Of one profile; *expectation stays as it is if there is none. */
            const struct coverage__walked *walked = &walks->profile[p];
            size_t i = 0;
            while (i < expectations->remembered_count &&
                   expectations->remembered[i].environment != walked->environment)
                i++;
            bool known = i < expectations->remembered_count && expectations->remembered[i].law.arc &&
                         coverage__law_equal(&expectations->remembered[i].law, &walked->law);
            if (!known && !chosen)
                continue;
            if (i == expectations->remembered_count) {
                COR_TRY(COR_RESERVE(&expectations->remembered, &expectations->remembered_capacity,
                                    expectations->remembered_count + 1, error));
                expectations->remembered[expectations->remembered_count++] =
                    (struct coverage__remembered){.environment = walked->environment};
            }
            if (!known) {
                struct coverage__remembered *remembered = &expectations->remembered[i];
                struct coverage__expectation *expectation = &remembered->expectation;
                size_t numbers = (size_t)COVERAGE__POINTS * walked->law.states;
                forget(remembered);
                COR_TRY(coverage__law_init(&remembered->law, walked->law.states, error));
                memcpy(remembered->law.arc, walked->law.arc,
                       (size_t)walked->law.states * walked->law.states * sizeof *walked->law.arc);
                if (walked->law.sound) {
                    expectation->states = cor_calloc(numbers, sizeof *expectation->states);
                    expectation->arcs = cor_calloc(numbers, sizeof *expectation->arcs);
                    if (!expectation->states || !expectation->arcs)
                        return cor_fail_memory(error);
                    COR_TRY(coverage__law_expect(&walked->law, coverage__points, COVERAGE__POINTS, WORK,
                                                 expectation->states, expectation->arcs, &expectation->done,
                                                 error));
                }
            }
            expectations->of_profile[p] = expectations->remembered[i].expectation;
        }
    }
    return COR_OK;
}
