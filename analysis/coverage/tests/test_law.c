/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Laws against closed formulas, and against walks that are all enumerated. */
#include "walks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/array.h>
#include <corridor/rng.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OK(call) assert_int_equal((call), COR_OK)

static void assert_close(double found, double expected, double tolerance) {
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.17g is not %.17g", found, expected);
}

static void make_law(struct coverage__law *law, uint32_t states, const double *arc) {
    OK(coverage__law_init(law, states, NULL));
    memcpy(law->arc, arc, (size_t)states * states * sizeof *arc);
    OK(coverage__law_solve(law, NULL));
}

static void shares_of_two_states_follow_the_formula(void **state) {
    (void)state;
    for (int i = 1; i <= 9; i++)
        for (int j = 1; j <= 9; j++) {
            double a = pow(10, -i), b = pow(10, -j); /* share of the first: b / (a + b) */
            struct coverage__law law;
            make_law(&law, 2, (const double[]){1 - a, a, b, 1 - b});
            assert_true(law.sound);
            assert_close(law.share[0] / (b / (a + b)), 1, 1e-12);
            assert_close(law.share[1] / (a / (a + b)), 1, 1e-12);
            assert_close(coverage__law_mass(&law, 0, 1) / coverage__law_mass(&law, 1, 0), 1, 1e-12);
            coverage__law_fini(&law);
        }
}

/* Gambler's ruin on 0 .. 3, with equal chances: from a uniform start each end holds a half. */
static void two_closed_classes_hold_a_half_each(void **state) {
    (void)state;
    static const double arc[] = {1, 0, 0, 0, .5, 0, .5, 0, 0, .5, 0, .5, 0, 0, 0, 1};
    struct coverage__law law;
    uint8_t reached[4] = {0};
    make_law(&law, 4, arc);
    assert_close(law.share[0], 0.5, 1e-15);
    assert_close(law.share[1] + law.share[2], 0, 0);
    assert_close(law.share[3], 0.5, 1e-15);
    assert_int_equal(law.arcs, 6);
    assert_int_equal(law.likely_states, 2);
    assert_int_equal(law.likely_arcs, 2);
    OK(coverage__law_reach(&law, reached, NULL));
    assert_memory_equal(reached, ((uint8_t[]){1, 0, 0, 1}), 4);
    reached[2] = 1;
    OK(coverage__law_reach(&law, reached, NULL));
    assert_memory_equal(reached, ((uint8_t[]){1, 1, 1, 1}), 4);
    coverage__law_fini(&law);
}

/* The same, begun in 1, of which two of three go to 0; begun in 0, nothing else is likely, or reached. */
static void a_start_decides_between_closed_classes(void **state) {
    (void)state;
    static const double arc[] = {1, 0, 0, 0, .5, 0, .5, 0, 0, .5, 0, .5, 0, 0, 0, 1};
    for (uint32_t first = 0; first < 4; first++) {
        struct coverage__law law;
        uint8_t reached[4] = {0};
        OK(coverage__law_init(&law, 4, NULL));
        memcpy(law.arc, arc, sizeof arc);
        for (uint32_t i = 0; i < 4; i++)
            law.start[i] = i == first;
        OK(coverage__law_solve(&law, NULL));
        assert_close(law.share[3], first / 3.0, 1e-15);
        assert_close(law.share[0], 1 - first / 3.0, 1e-15);
        OK(coverage__law_reach(&law, reached, NULL));
        assert_int_equal(reached[0], first < 3);
        assert_int_equal(reached[3], first > 0);
        assert_int_equal(law.likely_states, first % 3 == 0 ? 1 : 2);
        coverage__law_fini(&law);
    }
}

static void a_periodic_law_has_even_shares(void **state) {
    (void)state;
    struct coverage__law law;
    make_law(&law, 3, (const double[]){0, 1, 0, 0, 0, 1, 1, 0, 0});
    for (uint32_t i = 0; i < 3; i++)
        assert_close(law.share[i], 1.0 / 3, 1e-15);
    assert_int_equal(law.likely_states, 3);
    coverage__law_fini(&law);
}

/* Likely: the fewest that hold 95 %; what weighs the same comes along. */
static void likely_states_are_the_fewest_that_hold_95_percent(void **state) {
    (void)state;
    static const double alike[] = {.6, .36, .02, .02, .6, .36, .02, .02,
                                   .6, .36, .02, .02, .6, .36, .02, .02};
    static const double enough[] = {.6, .35, .03, .02, .6, .35, .03, .02,
                                    .6, .35, .03, .02, .6, .35, .03, .02};
    static const double more[] = {.6, .3, .05, .05, .6, .3, .05, .05, .6, .3, .05, .05, .6, .3, .05, .05};
    struct coverage__law law;
    make_law(&law, 4, alike);
    assert_memory_equal(law.likely_state, ((uint8_t[]){1, 1, 0, 0}), 4);
    coverage__law_fini(&law);
    make_law(&law, 4, enough); /* 0.95 exactly, rounding aside */
    assert_memory_equal(law.likely_state, ((uint8_t[]){1, 1, 0, 0}), 4);
    coverage__law_fini(&law);
    make_law(&law, 4, more); /* 0.95 needs one of two that are alike */
    assert_memory_equal(law.likely_state, ((uint8_t[]){1, 1, 1, 1}), 4);
    coverage__law_fini(&law);
}

static void rows_that_are_no_distribution_make_a_law_unsound(void **state) {
    (void)state;
    const double rows[][4] = {{.5, .4, .5, .5}, {NAN, 1, .5, .5}, {-.5, 1.5, .5, .5}, {INFINITY, 0, .5, .5},
                              {0, 0, .5, .5},   {1, 1, 0, 0},     {1e300, 0, 0, 1},   {.5, .5 + 1e-5, 0, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct coverage__law law;
        make_law(&law, 2, rows[i]);
        assert_false(law.sound);
        assert_close(law.share[0] + law.share[1], 0, 0);
        assert_int_equal(law.likely_states + law.likely_arcs, 0);
        coverage__law_fini(&law);
    }
    struct coverage__law law;
    make_law(&law, 2, (const double[]){.5, .5 + 1e-9, 0, 1});
    assert_true(law.sound);
    coverage__law_fini(&law);
}

struct sums {
    double states, arcs, missed, chance;
};

/* Adds what each walk of `left` more steps sees, weighted by its chance; `arc` is the one that may be missed.
 */
static void enumerate(const struct coverage__law *law, uint32_t here, uint32_t left, double chance,
                      uint32_t states, uint32_t arcs, uint32_t arc, struct sums *sums) {
    states |= 1u << here;
    if (left == 0) {
        double seen_states = 0, seen_arcs = 0;
        for (uint32_t bit = 0; bit < 32; bit++) {
            seen_states += states >> bit & 1;
            seen_arcs += arcs >> bit & 1;
        }
        sums->states += chance * seen_states;
        sums->arcs += chance * seen_arcs;
        sums->missed += arcs >> arc & 1 ? 0 : chance;
        sums->chance += chance;
        return;
    }
    for (uint32_t to = 0; to < law->states; to++) {
        uint32_t cell = here * law->states + to;
        if (law->arc[cell] > 0)
            enumerate(law, to, left - 1, chance * law->arc[cell], states, arcs | 1u << cell, arc, sums);
    }
}

static void compare_with_walks(const struct coverage__law *law) {
    static const uint32_t at[] = {0, 1, 2, 5, 9};
    enum { POINTS = sizeof at / sizeof *at };
    double states[POINTS * 4], arcs[POINTS * 4];
    size_t done = 0;
    uint32_t n = law->states;
    struct coverage__miss miss;
    OK(coverage__law_expect(law, at, POINTS, 1e9, states, arcs, &done, NULL));
    OK(coverage__miss_init(&miss, law, NULL));
    assert_int_equal(done, POINTS);
    for (size_t k = 0; k < POINTS; k++)
        for (uint32_t first = 0; first < n; first++)
            for (uint32_t cell = 0; cell < n * n; cell++) {
                struct sums sums = {0};
                enumerate(law, first, at[k], 1, 0, 0, cell, &sums);
                assert_close(sums.chance, 1, 1e-12);
                assert_close(states[k * n + first], sums.states, 1e-12);
                assert_close(arcs[k * n + first], sums.arcs, 1e-12);
                coverage__miss_begin(&miss, cell / n, cell % n);
                for (uint32_t step = 0; step < at[k]; step++)
                    coverage__miss_step(&miss);
                assert_close(miss.now[first], sums.missed, 1e-12);
            }
    coverage__miss_fini(&miss);
}

static void expectations_agree_with_enumerated_walks(void **state) {
    (void)state;
    struct coverage__law law;
    make_law(&law, 2, (const double[]){.9, .1, .3, .7});
    compare_with_walks(&law);
    coverage__law_fini(&law);
    make_law(&law, 2, (const double[]){0, 1, 1, 0});
    compare_with_walks(&law);
    coverage__law_fini(&law);
    make_law(&law, 3, (const double[]){.5, .25, .25, 0, 1e-6, 1 - 1e-6, .2, 0, .8});
    compare_with_walks(&law);
    coverage__law_fini(&law);
    make_law(&law, 1, (const double[]){1});
    compare_with_walks(&law);
    coverage__law_fini(&law);
}

/* From state 0 of two, the other is first seen after a geometric wait: 2 - (1 - a)^n states by case n. */
static void expectations_follow_the_formula_and_stop_at_the_limit(void **state) {
    (void)state;
    static const uint32_t at[] = {1, 10, 100, 1000, 10000};
    double states[10], arcs[10];
    size_t done = 0;
    struct coverage__law law;
    make_law(&law, 2, (const double[]){.999, .001, .5, .5});
    OK(coverage__law_expect(&law, at, 5, 1e9, states, arcs, &done, NULL));
    assert_int_equal(done, 5);
    for (size_t k = 0; k < done; k++)
        assert_close(states[2 * k], 2 - pow(.999, at[k]), 1e-11);
    /* 2 x 2 x 8 columns a step: at[2] is within 3200, at[3] is not */
    OK(coverage__law_expect(&law, at, 5, 3200, states, arcs, &done, NULL));
    assert_int_equal(done, 3);
    coverage__law_fini(&law);
}

/* Walks of two lengths, from both states: chances multiply. */
static void the_chance_of_missing_is_the_product_over_walks(void **state) {
    (void)state;
    uint32_t *length = cor_calloc(2 * COVERAGE__LENGTHS, sizeof *length);
    struct coverage__law law;
    struct sums sums[3] = {{0}};
    double chance;
    assert_non_null(length);
    make_law(&law, 2, (const double[]){.9, .1, .3, .7});
    OK(coverage__missed_chance(&law, length, 0, 1, &chance, NULL));
    assert_true(isnan(chance)); /* no walks */
    length[0 * COVERAGE__LENGTHS + 4] = 3;
    length[0 * COVERAGE__LENGTHS + 7] = 1;
    length[1 * COVERAGE__LENGTHS + 0] = 5;
    length[1 * COVERAGE__LENGTHS + 7] = 2;
    enumerate(&law, 0, 4, 1, 0, 0, 1, &sums[0]);
    enumerate(&law, 0, 7, 1, 0, 0, 1, &sums[1]);
    enumerate(&law, 1, 7, 1, 0, 0, 1, &sums[2]);
    OK(coverage__missed_chance(&law, length, 0, 1, &chance, NULL));
    assert_close(chance, pow(sums[0].missed, 3) * sums[1].missed * pow(sums[2].missed, 2), 1e-14);
    OK(coverage__missed_chance(&law, NULL, 0, 1, &chance, NULL));
    assert_true(isnan(chance));
    coverage__law_fini(&law);
    free(length);
}

static void length_buckets_ascend_and_err_by_a_32nd_at_most(void **state) {
    (void)state;
    uint32_t last = 0;
    for (uint32_t cases = 0; cases < 200000; cases++) {
        uint32_t bucket = coverage__length_bucket(cases), least = coverage__bucket_length(bucket);
        assert_true(bucket == last || bucket == last + 1);
        assert_true(least <= cases && cases - least <= cases / 32);
        assert_true(cases >= 128 || least == cases);
        last = bucket;
    }
    assert_true(coverage__length_bucket(UINT32_MAX) < COVERAGE__LENGTHS);
    assert_int_equal(coverage__length_bucket(UINT32_MAX), COVERAGE__LENGTHS - 1);
}

/* Against the definition of stationarity, on random chains of all sizes. */
static void shares_of_random_laws_are_stationary(void **state) {
    (void)state;
    for (uint32_t n = 1; n <= 256; n += n < 40 ? 3 : 31) {
        struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = n, .purpose = COR_PURPOSE_TEST});
        struct coverage__law law;
        OK(coverage__law_init(&law, n, NULL));
        for (uint32_t i = 0; i < n; i++) {
            double sum = 0;
            for (uint32_t j = 0; j < n; j++) {
                double weight = j == (i + 1) % n || cor_rng_below(&rng, 3) == 0 ? cor_rng_unit(&rng) : 0;
                sum += law.arc[i * n + j] = weight * weight * weight * weight + (j == (i + 1) % n ? 1e-9 : 0);
            }
            for (uint32_t j = 0; j < n; j++)
                law.arc[i * n + j] /= sum;
        }
        OK(coverage__law_solve(&law, NULL));
        assert_true(law.sound);
        double total = 0, likely = 0;
        for (uint32_t j = 0; j < n; j++) {
            double in = 0;
            for (uint32_t i = 0; i < n; i++)
                in += coverage__law_mass(&law, i, j);
            assert_close(in / law.share[j], 1, 1e-9);
            total += law.share[j];
            likely += law.likely_state[j] ? law.share[j] : 0;
        }
        assert_close(total, 1, 1e-12);
        assert_true(likely >= 0.95 - 1e-9);
        coverage__law_fini(&law);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_of_two_states_follow_the_formula),
        cmocka_unit_test(two_closed_classes_hold_a_half_each),
        cmocka_unit_test(a_start_decides_between_closed_classes),
        cmocka_unit_test(a_periodic_law_has_even_shares),
        cmocka_unit_test(likely_states_are_the_fewest_that_hold_95_percent),
        cmocka_unit_test(rows_that_are_no_distribution_make_a_law_unsound),
        cmocka_unit_test(expectations_agree_with_enumerated_walks),
        cmocka_unit_test(expectations_follow_the_formula_and_stop_at_the_limit),
        cmocka_unit_test(the_chance_of_missing_is_the_product_over_walks),
        cmocka_unit_test(length_buckets_ascend_and_err_by_a_32nd_at_most),
        cmocka_unit_test(shares_of_random_laws_are_stationary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
