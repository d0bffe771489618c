/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure.h"
#include "two_suites.h"

#include <math.h>
#include <stdlib.h>

enum { STATES = 9, CHAINS = 2, CASES = 2200000 /* the second chain is read in two pieces */ };

/* Any states, and some steps that the profile does not have. */
static uint8_t *draw_walk(size_t size, uint8_t states) {
    uint8_t *walk = malloc(size);
    uint64_t word = 1;
    assert_non_null(walk);
    for (size_t i = 0; i < size; i++) {
        word = word * UINT64_C(6364136223846793005) + 1442695040888963407u;
        walk[i] = (uint8_t)((word >> 40) % states);
    }
    return walk;
}

static bool has(unsigned from, unsigned to) {
    return (from * 5 + to) % 7 != 0;
}

/* The same by sets, chain after chain. */
static struct measure__walk_coverage cover(const uint8_t *walk, uint32_t length, uint32_t arcs) {
    struct measure__walk_coverage sum = {0};
    for (uint32_t c = 0; c < CHAINS; c++, walk += length) {
        bool took[STATES][STATES] = {{false}}, seen[STATES] = {false};
        uint32_t states = 1, taken = 0;
        seen[walk[0]] = true;
        for (uint32_t i = 1; i < length; i++) {
            const uint8_t from = walk[i - 1], to = walk[i];
            states += !seen[to];
            seen[to] = true;
            sum.steps_outside += !has(from, to);
            taken += has(from, to) && !took[from][to];
            took[from][to] = true;
        }
        sum.state_coverage += 100.0 * states / STATES / CHAINS;
        sum.arc_coverage += 100.0 * taken / arcs / CHAINS;
    }
    return sum;
}

/* Short and long walks, one after the other, each from nothing. */
static void walks_cover_what_sets_say(void **state) {
    static const uint32_t cases[] = {0, 1, 3, 20, CASES, 40, 3, 1};
    (void)state;
    struct small small;
    struct measure__walker *walker = NULL;
    struct measure__walk_coverage coverage;
    struct cor_suite_rows suite = {.row = {.suite = 0}};
    struct cor_profile_row profile = {.states = STATES};
    const struct cor_chain_row chain[CHAINS] = {{.chain = 0}, {.chain = 1}};
    struct cor_transition_row transition[STATES * STATES];
    uint8_t *walk = draw_walk((size_t)CHAINS * (CASES + 1), STATES);
    for (uint16_t t = 0; t < STATES * STATES; t++) {
        transition[t] = (struct cor_transition_row){.from = t / STATES, .to = t % STATES};
        transition[t].probability = has(t / (unsigned)STATES, t % (unsigned)STATES) ? 0.5 : 0;
        profile.arcs += has(t / (unsigned)STATES, t % (unsigned)STATES);
    }
    small_open(&small, "walks");
    cor_record_begin(small.record, 0, 0);
    put_suite(&small, 10, 1, 1, 1);
    put_sequence(&small, 0, CASES, 0, walk, (size_t)CHAINS * (CASES + 1));
    small_append(&small);
    struct cor_result *result = small_finish(&small, two_arms, 1);
    suite.table[COR_TABLE_PROFILES].row = &profile;
    suite.table[COR_TABLE_CHAINS].row = chain;
    suite.table[COR_TABLE_TRANSITIONS].row = transition;
    suite.table[COR_TABLE_PROFILES].count = 1;
    suite.table[COR_TABLE_CHAINS].count = CHAINS;
    suite.table[COR_TABLE_TRANSITIONS].count = STATES * STATES;
    OK(measure__walker_create(result, &walker, &small.error));
    OK(measure__walker_begin(walker, &suite, &small.error));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct measure__walk_coverage truth = cover(walk, cases[i] + 1, profile.arcs);
        const struct cor_sequence_row row = {.cases = cases[i]};
        OK(measure__walker_cover(walker, &row, &coverage, &small.error));
        assert_true(fabs(coverage.arc_coverage - truth.arc_coverage) < 1e-9);
        assert_true(fabs(coverage.state_coverage - truth.state_coverage) < 1e-9);
        assert_int_equal(coverage.steps_outside, truth.steps_outside);
    }
    measure__walker_destroy(walker);
    small_close(&small, result);
    free(walk);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_cover_what_sets_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
