/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "walk_mutations.h"

#include <corridor/array.h>

static const struct cor_profile *profile_of(const struct cor_test *test, uint32_t chain) {
    return test->suite->profiles[test->suite->configuration->profile_of_chain[chain]];
}

static uint8_t *state_at(struct cor_walk *walk, uint32_t index, uint32_t chain) {
    return walk->states + (size_t)index * walk->chain_count + chain;
}

/* The chain behind case `from` anew. */
static void draw_on(struct cor_test *test, uint32_t chain, uint32_t from, struct cor_rng *rng) {
    struct cor_walk *walk = &test->suite->recorded[0];
    const struct cor_profile *profile = profile_of(test, chain);
    for (uint32_t i = from; i < walk->case_count; i++) {
        const uint32_t bits = (uint32_t)(cor_rng_word(rng) >> 32);
        *state_at(walk, i + 1, chain) = cor_profile_next(profile, *state_at(walk, i, chain), bits);
    }
}

/* One chain or all of them. */
static void draw_chains(const struct cor_test *test, struct cor_rng *rng, uint32_t *first, uint32_t *end) {
    const uint32_t chains = test->suite->recorded[0].chain_count;
    const uint32_t all = cor_rng_below(rng, 2);
    *first = all || chains == 0 ? 0 : cor_rng_below(rng, chains);
    *end = all || chains == 0 ? chains : *first + 1;
}

void search_layer__walk_branch(struct cor_test *test, uint32_t from, struct cor_rng *rng) {
    for (uint32_t chain = 0; chain < test->suite->recorded[0].chain_count; chain++)
        draw_on(test, chain, from, rng);
}

static bool hold(struct cor_test *test, uint32_t chain, uint32_t from, uint32_t cases, struct cor_rng *rng) {
    struct cor_walk *walk = &test->suite->recorded[0];
    const struct cor_profile *profile = profile_of(test, chain);
    const uint8_t state = *state_at(walk, from, chain);
    if (!(profile->probability[(size_t)state * profile->state_count + state] > 0))
        return false;
    const uint32_t end = cases < walk->case_count - from ? from + cases : walk->case_count;
    for (uint32_t i = from + 1; i <= end; i++)
        *state_at(walk, i, chain) = state;
    draw_on(test, chain, end, rng);
    return true;
}

bool search_layer__walk_hold(struct cor_test *test, uint32_t from, struct cor_rng *rng) {
    uint32_t first, end;
    bool any = false;
    const uint32_t half = test->suite->recorded[0].case_count / 2;
    const uint32_t cases = 2 + (half > 2 ? cor_rng_below(rng, half) : 0);
    draw_chains(test, rng, &first, &end);
    for (uint32_t chain = first; chain < end; chain++)
        any = hold(test, chain, from, cases, rng) || any;
    return any;
}

/* The least likely transition; of several the first. */
static uint32_t rarest(const struct cor_profile *profile, uint32_t from) {
    const double *row = &profile->probability[(size_t)from * profile->state_count];
    uint32_t rare = profile->state_count;
    for (uint32_t to = 0; to < profile->state_count; to++)
        if (row[to] > 0 && (rare == profile->state_count || row[to] < row[rare]))
            rare = to;
    COR_ASSERT(rare < profile->state_count);
    return rare;
}

bool search_layer__walk_rare_arc(struct cor_test *test, uint32_t from, struct cor_rng *rng) {
    struct cor_walk *walk = &test->suite->recorded[0];
    uint32_t first, end;
    if (from >= walk->case_count)
        return false;
    draw_chains(test, rng, &first, &end);
    for (uint32_t chain = first; chain < end; chain++) {
        *state_at(walk, from + 1, chain) =
            (uint8_t)rarest(profile_of(test, chain), *state_at(walk, from, chain));
        draw_on(test, chain, from + 1, rng);
    }
    return end > first;
}

/* The chain behind case `from` as in the other walk behind the first case from `begin` on that is alike. */
static bool splice(struct cor_test *test, const struct cor_walk *other, uint32_t chain, uint32_t from,
                   uint32_t begin, struct cor_rng *rng) {
    struct cor_walk *walk = &test->suite->recorded[0];
    const uint8_t state = *state_at(walk, from, chain);
    uint32_t at = begin, i = from;
    while (at < other->case_count && cor_walk_at(other, at)[chain] != state)
        at++;
    if (at >= other->case_count)
        return false;
    for (; i < walk->case_count && at < other->case_count; i++, at++)
        *state_at(walk, i + 1, chain) = cor_walk_at(other, at + 1)[chain];
    draw_on(test, chain, i, rng);
    return true;
}

bool search_layer__walk_splice(struct cor_test *test, const struct cor_test *other_test, uint32_t from,
                               struct cor_rng *rng) {
    const struct cor_walk *other = &other_test->suite->recorded[0];
    uint32_t first, end;
    bool any = false;
    COR_ASSERT(other->chain_count == test->suite->recorded[0].chain_count);
    const uint32_t begin = other->case_count > 1 ? cor_rng_below(rng, other->case_count) : 0;
    draw_chains(test, rng, &first, &end);
    for (uint32_t chain = first; chain < end; chain++)
        any = splice(test, other, chain, from, begin, rng) || any;
    return any;
}

enum cor_status search_layer__draws_branch(struct cor_test *test, uint32_t from, uint64_t *identities,
                                           struct cor_error *error) {
    const uint32_t cases = cor_test_cases(test);
    if (!test->case_identity) {
        test->case_identity = cor_calloc(cases, sizeof *test->case_identity);
        COR_TRY(cor_made(test->case_identity, error));
        for (uint32_t i = 0; i < from; i++)
            test->case_identity[i] = i + 1;
    }
    for (uint32_t i = from; i < cases; i++)
        test->case_identity[i] = ++*identities;
    return COR_OK;
}
