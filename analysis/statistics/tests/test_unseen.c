/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/unseen.h>

#include <stdbool.h>

#include "near.h"

/* Spiders in two canopy treatments (Sackett et al., Ecosphere 2, 2011; Ellison et al. 2010), as in the manual
 * of the R package iNEXT, which prints for them seen, Chao1, s.e. and the 95 % bounds. */
static const uint64_t girdled[26] = {46, 22, 17, 15, 15, 9, 8, 6, 6, 4, 2, 2, 2,
                                     2,  1,  1,  1,  1,  1, 1, 1, 1, 1, 1, 1, 1};
static const uint64_t logged[37] = {88, 22, 16, 15, 13, 10, 8, 8, 7, 7, 7, 5, 4, 4, 4, 3, 3, 3, 3,
                                    2,  2,  2,  2,  1,  1,  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static void chao_agrees_with_published_figures(void **state) {
    (void)state;
    struct cor_unseen_counts counts = cor_unseen_count(girdled, 26);
    assert_true(counts.draws == 168 && counts.classes == 26 && counts.once == 12 && counts.twice == 4);
    struct cor_chao c = cor_chao(&counts, 0.95);
    assert_true(fabs(c.classes - 43.893) < 0.0005 && fabs(c.error - 14.306) < 0.0005);
    assert_true(fabs(c.bounds.low - 30.511) < 0.0005 && fabs(c.bounds.high - 96.971) < 0.0005);
    counts = cor_unseen_count(logged, 37);
    c = cor_chao(&counts, 0.95);
    assert_true(fabs(c.classes - 61.403) < 0.0005 && fabs(c.error - 18.532) < 0.0005);
    assert_true(fabs(c.bounds.low - 43.502) < 0.0005 && fabs(c.bounds.high - 128.583) < 0.0005);
}

/* By hand: n = 5, three classes once, one twice absent: 4 + 4/5 * 3; without singletons nothing is missing.
 */
static void chao_without_singletons_or_doubletons_is_as_by_hand(void **state) {
    (void)state;
    struct cor_unseen_counts counts = cor_unseen_count((const uint64_t[]){1, 3, 1, 0, 1}, 5);
    struct cor_chao c = cor_chao(&counts, 0.95);
    assert_true(counts.draws == 6 && counts.classes == 4 && counts.twice == 0);
    assert_near(c.classes, 4 + 5.0 / 6 * 3, 1e-14);
    assert_true(c.bounds.low > 4 && c.bounds.low < c.classes && c.classes < c.bounds.high);
    counts = cor_unseen_count((const uint64_t[]){5, 2}, 2);
    c = cor_chao(&counts, 0.95);
    assert_near(c.classes, 2, 0);
    assert_near(c.error, 0, 0);
    assert_true(isnan(c.bounds.low) && isnan(c.bounds.high));
    counts = cor_unseen_count((const uint64_t[]){1}, 1);
    assert_near(cor_chao(&counts, 0.95).classes, 1, 0);
    counts = cor_unseen_count(NULL, 0);
    assert_true(isnan(cor_chao(&counts, 0.95).classes) && isnan(cor_missing_mass(&counts, 0.95).mass));
    assert_true(isnan(cor_missing_mass(&counts, 0.95).error) &&
                isnan(cor_missing_mass(&counts, 0.95).draws_to_next));
}

static void missing_mass_is_as_worked_out_by_hand(void **state) {
    (void)state;
    struct cor_unseen_counts counts = {.draws = 100, .classes = 40, .once = 20, .twice = 10};
    struct cor_missing_mass m = cor_missing_mass(&counts, 0.95);
    assert_near(m.mass, 0.2, 1e-15);
    assert_near(m.error, sqrt(20 * 0.8 + 20) / 100, 1e-15);
    assert_near(m.bounds.low, 0.2 - 1.959963984540054 * 0.06, 1e-12);
    assert_near(m.bounds.high, 0.2 + 1.959963984540054 * 0.06, 1e-12);
    assert_near(m.draws_to_next, 5, 1e-15);
    counts = (struct cor_unseen_counts){.draws = 9, .classes = 2}; /* no singletons */
    m = cor_missing_mass(&counts, 0.95);
    assert_true(m.mass <= 0 && isnan(m.bounds.low) && isnan(m.draws_to_next));
    counts = (struct cor_unseen_counts){.draws = 3, .classes = 3, .once = 3}; /* nothing twice */
    m = cor_missing_mass(&counts, 0.95);
    assert_near(m.mass, 1, 0);
    assert_true(isnan(m.bounds.high));
    counts = (struct cor_unseen_counts){.draws = 5, .classes = 4, .once = 3, .twice = 1};
    m = cor_missing_mass(&counts, 0.999);
    assert_true(m.bounds.low >= 0 && m.bounds.high <= 1);
}

/* 300 classes with p ~ 1 / rank: over samples the estimate is unbiased for the mean missing mass of n - 1
 * draws (Good: E f1 / n = sum p (1 - p)^(n - 1)), its interval covers the missing mass of the sample, Chao's
 * bound stays below 300. */
static void missing_mass_is_unbiased_and_covered_in_simulation(void **state) {
    (void)state;
    enum { CLASSES = 300, DRAWS = 500, SAMPLES = 400 };
    double p[CLASSES], sum = 0, estimate = 0, classes = 0, squares = 0;
    int covered = 0;
    for (int i = 0; i < CLASSES; i++)
        sum += p[i] = 1.0 / (i + 1);
    for (int i = 0; i < CLASSES; i++)
        p[i] /= sum;
    struct cor_rng rng = stream(1);
    for (int s = 0; s < SAMPLES; s++) {
        uint64_t seen[CLASSES] = {0};
        for (int d = 0; d < DRAWS; d++) {
            double left = cor_rng_unit(&rng);
            int i = 0;
            while (i < CLASSES - 1 && left >= p[i])
                left -= p[i++];
            seen[i]++;
        }
        double missing = 0;
        for (int i = 0; i < CLASSES; i++)
            missing += seen[i] == 0 ? p[i] : 0;
        struct cor_unseen_counts counts = cor_unseen_count(seen, CLASSES);
        struct cor_missing_mass m = cor_missing_mass(&counts, 0.9);
        estimate += m.mass / SAMPLES;
        squares += m.mass * m.mass / SAMPLES;
        classes += cor_chao(&counts, 0.9).classes / SAMPLES;
        covered += m.bounds.low <= missing && missing <= m.bounds.high;
    }
    double expected = 1 - cor_coverage_expected(p, CLASSES, DRAWS - 1).mass;
    double error = sqrt((squares - estimate * estimate) / SAMPLES);
    assert_true(fabs(estimate - expected) < 4 * error);
    assert_in_range(covered, 336, 384); /* 90 % of 400 within 4 standard errors */
    assert_true(classes < CLASSES && classes > 0.7 * CLASSES);
}

/* All 3^5 sequences of five draws. */
static void expected_coverage_agrees_with_enumeration(void **state) {
    (void)state;
    const double p[] = {0.5, 0.3, 0.2};
    double classes = 0, mass = 0;
    for (int all = 0; all < 243; all++) {
        double chance = 1;
        bool seen[3] = {false};
        for (int d = 0, rest = all; d < 5; d++, rest /= 3) {
            chance *= p[rest % 3];
            seen[rest % 3] = true;
        }
        for (int i = 0; i < 3; i++) {
            classes += seen[i] ? chance : 0;
            mass += seen[i] ? chance * p[i] : 0;
        }
    }
    struct cor_coverage_expected found = cor_coverage_expected(p, 3, 5);
    assert_near(found.classes, classes, 1e-14);
    assert_near(found.mass, mass, 1e-14);
}

static void expected_coverage_is_exact_for_sure_and_tiny_chances(void **state) {
    (void)state;
    const double sure[] = {1, 0}, tiny[] = {1e-18};
    assert_near(cor_coverage_expected(sure, 2, 0).classes, 0, 0);
    assert_near(cor_coverage_expected(sure, 2, 1).classes, 1, 0);
    assert_near(cor_coverage_expected(sure, 2, 7).mass, 1, 0);
    assert_near(cor_coverage_expected(tiny, 1, 1000).classes * 1e15, 1, 1e-12); /* 1 - (1 - p)^m would be 0 */
    assert_near(cor_coverage_expected(NULL, 0, 3).mass, 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chao_agrees_with_published_figures),
        cmocka_unit_test(chao_without_singletons_or_doubletons_is_as_by_hand),
        cmocka_unit_test(missing_mass_is_as_worked_out_by_hand),
        cmocka_unit_test(missing_mass_is_unbiased_and_covered_in_simulation),
        cmocka_unit_test(expected_coverage_agrees_with_enumeration),
        cmocka_unit_test(expected_coverage_is_exact_for_sure_and_tiny_chances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
