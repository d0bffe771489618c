/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profiles of a test, towards few arcs. A recorded walk draws nothing by them: what comes of the test is the
 * same with any others (cor_test_hash asserts it), so nothing is executed. Arcs are those of positive
 * probability; the law of the first state counts as a row behind the last. */
#include "shrinker.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cor_profile *profile_at(const struct cor_test *test, uint32_t p) {
    return test->suite->profiles[p];
}

static const double *row_at(const struct cor_profile *profile, uint32_t row) {
    return row == profile->state_count ? profile->start
                                       : profile->probability + (size_t)row * profile->state_count;
}

uint64_t sequence__test_arcs(const struct cor_test *test) {
    uint64_t arcs = 0;
    for (uint32_t p = 0; p < test->suite->configuration->profile_count; p++) {
        const struct cor_profile *profile = profile_at(test, p);
        for (uint32_t row = 0; row <= profile->state_count; row++)
            for (uint32_t to = 0; to < profile->state_count; to++)
                arcs += row_at(profile, row)[to] > 0;
    }
    return arcs;
}

/* The arcs of a profile that are needed: those that the walk takes; one, the first, of a row of which it
 * takes none. */
struct needed {
    bool arc[COR_PROFILE_STATES_MAX + 1][COR_PROFILE_STATES_MAX];
};

static void find_needed(const struct cor_test *test, uint32_t p, struct needed *needed) {
    const struct cor_profile *profile = profile_at(test, p);
    memset(needed, 0, sizeof *needed);
    const struct cor_configuration *c = test->suite->configuration;
    const struct cor_walk *walk = &test->suite->recorded[0];
    for (uint32_t chain = 0; chain < c->chain_count; chain++) {
        uint32_t from = profile_at(test, p)->state_count;
        for (uint32_t i = 0; c->profile_of_chain[chain] == p && i <= walk->case_count; i++) {
            const uint8_t to = cor_walk_at(walk, i)[chain];
            needed->arc[from][to] = true;
            from = to;
        }
    }
    for (uint32_t row = 0; row <= profile->state_count; row++) {
        const double *law = row_at(profile, row);
        uint32_t first = profile->state_count, taken = 0;
        for (uint32_t to = profile->state_count; to-- > 0;) {
            needed->arc[row][to] = needed->arc[row][to] && law[to] > 0; /* jumps are no arcs */
            taken += needed->arc[row][to];
            first = law[to] > 0 ? to : first;
        }
        COR_ASSERT(first < profile->state_count); /* a law has mass */
        if (taken == 0)
            needed->arc[row][first] = true;
    }
}

/* The law without the arcs that are not there any more: those that are left share it equally. */
static void share(const bool *there, uint32_t count, double *law) {
    uint32_t left = 0;
    for (uint32_t to = 0; to < count; to++)
        left += there[to];
    for (uint32_t to = 0; to < count; to++)
        law[to] = there[to] ? 1.0 / left : 0;
}

/* Gives the test a profile of such arcs instead; rows that keep theirs keep their probabilities. */
static enum cor_status replace(struct cor_test *test, uint32_t p, const struct needed *left,
                               struct cor_error *error) {
    const struct cor_profile *profile = profile_at(test, p);
    const uint32_t count = profile->state_count;
    struct cor_profile *other = NULL;
    double *laws = cor_calloc(((size_t)count + 1) * count, sizeof *laws);
    COR_TRY(cor_made(laws, error));
    for (uint32_t row = 0; row <= count; row++) {
        double *law = laws + (size_t)row * count;
        bool fewer = false;
        memcpy(law, row_at(profile, row), count * sizeof *law);
        for (uint32_t to = 0; to < count; to++)
            fewer = fewer || (law[to] > 0 && !left->arc[row][to]);
        if (fewer)
            share(left->arc[row], count, law);
    }
    const enum cor_status status =
        cor_profile_create(profile->name, count, (const char *const *)profile->states, laws,
                           laws + (size_t)count * count, &other, error);
    if (status == COR_OK)
        cor_suite_set_profile(test->suite, p, other);
    free(laws);
    return status;
}

enum cor_status sequence__test_drop_arcs(struct cor_test *test, struct cor_error *error) {
    struct needed needed;
    for (uint32_t p = 0; p < test->suite->configuration->profile_count; p++) {
        find_needed(test, p, &needed);
        COR_TRY(replace(test, p, &needed, error));
    }
    return COR_OK;
}

/* Needless arcs one after another: finds number `index`; how many there are, if there are not so many. */
static uint64_t find_needless(const struct cor_test *test, uint64_t index, uint32_t *p, uint32_t *row,
                              uint32_t *to) {
    struct needed needed;
    uint64_t at = 0;
    for (*p = 0; *p < test->suite->configuration->profile_count; ++*p) {
        const struct cor_profile *profile = profile_at(test, *p);
        find_needed(test, *p, &needed);
        for (*row = 0; *row <= profile->state_count; ++*row)
            for (*to = 0; *to < profile->state_count; ++*to)
                if (row_at(profile, *row)[*to] > 0 && !needed.arc[*row][*to] && at++ == index)
                    return at;
    }
    return at;
}

uint64_t sequence__test_needless_arcs(const struct cor_test *test) {
    uint32_t p, row, to;
    return find_needless(test, UINT64_MAX, &p, &row, &to);
}

static const char *state_name(const struct cor_profile *profile, uint32_t state) {
    return profile->states[state] ? profile->states[state] : "";
}

enum cor_status sequence__test_drop_arc(struct cor_test *test, uint64_t index, char *text, size_t size,
                                        struct cor_error *error) {
    struct needed left;
    uint32_t p, row, to;
    find_needless(test, index, &p, &row, &to);
    COR_ASSERT(p < test->suite->configuration->profile_count);
    const struct cor_profile *profile = profile_at(test, p);
    for (uint32_t r = 0; r <= profile->state_count; r++)
        for (uint32_t t = 0; t < profile->state_count; t++)
            left.arc[r][t] = row_at(profile, r)[t] > 0 && (r != row || t != to);
    const char *environment =
        test->suite->experiment->model->environments[test->suite->environment_of_profile[p]].name;
    if (row == profile->state_count)
        snprintf(text, size, "%s, which may begin as %s", environment, state_name(profile, to));
    else
        snprintf(text, size, "the arc of %s from %s to %s", environment, state_name(profile, row),
                 state_name(profile, to));
    return replace(test, p, &left, error);
}
