/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/descriptive.h>

#include "near.h"

/* Spiders in two canopy treatments (Sackett et al., Ecosphere 2, 2011; Ellison et al. 2010), as in the manual
 * of the R package iNEXT, which prints for them seen and Chao1. */
static const uint64_t girdled[26] = {46, 22, 17, 15, 15, 9, 8, 6, 6, 4, 2, 2, 2,
                                     2,  1,  1,  1,  1,  1, 1, 1, 1, 1, 1, 1, 1};
static const uint64_t logged[37] = {88, 22, 16, 15, 13, 10, 8, 8, 7, 7, 7, 5, 4, 4, 4, 3, 3, 3, 3,
                                    2,  2,  2,  2,  1,  1,  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static void chao_agrees_with_published_figures(void **state) {
    (void)state;
    struct cor_unseen_counts counts = cor_unseen_count(girdled, 26);
    assert_true(counts.draws == 168 && counts.classes == 26 && counts.once == 12 && counts.twice == 4);
    assert_true(fabs(cor_chao(&counts) - 43.893) < 0.0005);
    counts = cor_unseen_count(logged, 37);
    assert_true(fabs(cor_chao(&counts) - 61.403) < 0.0005);
}

/* By hand: n = 6, three classes once, none twice: 4 + 5/6 * 3; without singletons nothing is missing. */
static void chao_without_singletons_or_doubletons_is_as_by_hand(void **state) {
    (void)state;
    struct cor_unseen_counts counts = cor_unseen_count((const uint64_t[]){1, 3, 1, 0, 1}, 5);
    assert_true(counts.draws == 6 && counts.classes == 4 && counts.twice == 0);
    assert_near(cor_chao(&counts), 4 + 5.0 / 6 * 3, 1e-14);
    counts = cor_unseen_count((const uint64_t[]){5, 2}, 2);
    assert_near(cor_chao(&counts), 2, 0);
    counts = cor_unseen_count((const uint64_t[]){1}, 1);
    assert_near(cor_chao(&counts), 1, 0);
    counts = cor_unseen_count(NULL, 0);
    assert_true(isnan(cor_chao(&counts)) && isnan(cor_missing_mass(&counts)));
}

static void missing_mass_is_the_share_of_singletons(void **state) {
    (void)state;
    assert_near(cor_missing_mass(&(struct cor_unseen_counts){.draws = 100, .once = 20, .twice = 10}), 0.2,
                1e-15);
    assert_near(cor_missing_mass(&(struct cor_unseen_counts){.draws = 9, .classes = 2}), 0, 0);
    assert_near(cor_missing_mass(&(struct cor_unseen_counts){.draws = 3, .classes = 3, .once = 3}), 1, 0);
}

/* 300 classes with p ~ 1 / rank: over samples the estimate is unbiased for the mean missing mass of n - 1
 * draws (Good: E f1 / n = sum p (1 - p)^(n - 1)), Chao's bound stays below 300. */
static void missing_mass_is_unbiased_in_simulation(void **state) {
    (void)state;
    enum { CLASSES = 300, DRAWS = 500, SAMPLES = 400 };
    double p[CLASSES], sum = 0, expected = 0, estimate = 0, classes = 0, squares = 0;
    for (int i = 0; i < CLASSES; i++)
        sum += p[i] = 1.0 / (i + 1);
    for (int i = 0; i < CLASSES; i++) {
        p[i] /= sum;
        expected += p[i] * pow(1 - p[i], DRAWS - 1);
    }
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
        struct cor_unseen_counts counts = cor_unseen_count(seen, CLASSES);
        double mass = cor_missing_mass(&counts);
        estimate += mass / SAMPLES;
        squares += mass * mass / SAMPLES;
        classes += cor_chao(&counts) / SAMPLES;
    }
    double error = sqrt((squares - estimate * estimate) / SAMPLES);
    assert_true(fabs(estimate - expected) < 4 * error);
    assert_true(classes < CLASSES && classes > 0.7 * CLASSES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chao_agrees_with_published_figures),
        cmocka_unit_test(chao_without_singletons_or_doubletons_is_as_by_hand),
        cmocka_unit_test(missing_mass_is_the_share_of_singletons),
        cmocka_unit_test(missing_mass_is_unbiased_in_simulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
