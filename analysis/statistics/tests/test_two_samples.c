/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/two_samples.h>

#include <corridor/descriptive.h>

#include <string.h>

#include "expected.h"
#include "near.h"

static struct cor_rank_test mann_whitney(const double *a, size_t n, const double *b, size_t m) {
    struct cor_rank_test test;
    assert_int_equal(cor_mann_whitney(a, n, b, m, &test, NULL), COR_OK);
    return test;
}

static struct cor_rank_test signed_rank(const double *a, const double *b, size_t n) {
    struct cor_rank_test test;
    assert_int_equal(cor_signed_rank(a, b, n, &test, NULL), COR_OK);
    return test;
}

/* e: U, p, exact, A12, DeLong's error, bounds. */
static void compare_two(const double *a, size_t n, const double *b, size_t m, const double *e) {
    struct cor_rank_test test = mann_whitney(a, n, b, m), turned = mann_whitney(b, m, a, n);
    assert_near(test.statistic, e[0], 1e-12);
    assert_near(test.p, e[1], 1e-9);
    assert_int_equal(test.method, isnan(e[1]) ? COR_TEST_NONE : e[2] > 0 ? COR_TEST_EXACT : COR_TEST_NORMAL);
    assert_true(isnan(test.z) == (test.method != COR_TEST_NORMAL));
    assert_near(turned.p, test.p, 1e-13);
    assert_near(turned.statistic + test.statistic, (double)(n * m), 1e-12);
    struct cor_effect_size effect;
    assert_int_equal(cor_a12(a, n, b, m, 0.95, &effect, NULL), COR_OK);
    assert_near(effect.a12, e[3], 1e-13);
    assert_near(effect.error, e[4], 1e-13);
    assert_near(effect.bounds.low, e[5], 1e-9);
    assert_near(effect.bounds.high, e[6], 1e-9);
}

#define COMPARE_TWO(name) compare_two(name##_a, COUNT(name##_a), name##_b, COUNT(name##_b), name##_test)

/* wilcox.test of R and the variance of DeLong in pROC: see make_expected.R. */
static void two_samples_agree_with_r(void **state) {
    (void)state;
    COMPARE_TWO(tiny);
    COMPARE_TWO(exact);
    COMPARE_TWO(apart);
    COMPARE_TWO(limit);
    COMPARE_TWO(tied);
    COMPARE_TWO(large);
    COMPARE_TWO(coarse);
    COMPARE_TWO(constant);
}

#define COMPARE_PAIRED(name)                                                                           \
    do {                                                                                               \
        struct cor_rank_test test =                                                                    \
            signed_rank(paired_##name##_a, paired_##name##_b, COUNT(paired_##name##_a));               \
        assert_near(test.statistic, paired_##name##_test[0], 1e-12);                                   \
        assert_near(test.p, paired_##name##_test[1], 1e-9);                                            \
        assert_int_equal(test.method, paired_##name##_test[2] > 0 ? COR_TEST_EXACT : COR_TEST_NORMAL); \
    } while (0)

static void paired_samples_agree_with_r(void **state) {
    (void)state;
    COMPARE_PAIRED(one);
    COMPARE_PAIRED(exact);
    COMPARE_PAIRED(limit);
    COMPARE_PAIRED(zeros);
    COMPARE_PAIRED(tied);
    COMPARE_PAIRED(large);
}

/* p by all ways to choose which of n + m values are of sample a. */
static void exact_p_agrees_with_all_choices_enumerated(void **state) {
    (void)state;
    for (uint32_t n = 1; n <= 5; n++)
        for (uint32_t m = 1; m <= 5; m++) {
            double statistic[1024];
            uint32_t count = 0;
            for (uint32_t choice = 0; choice < 1u << (n + m); choice++) {
                uint32_t chosen = 0, below = 0, wins = 0;
                for (uint32_t i = 0; i < n + m; i++) {
                    chosen += choice >> i & 1;
                    wins += choice >> i & 1 ? below : 0;
                    below += !(choice >> i & 1);
                }
                if (chosen == n)
                    statistic[count++] = wins;
            }
            for (uint32_t choice = 0; choice < 1u << (n + m); choice++) {
                double a[10], b[10];
                uint32_t in_a = 0, in_b = 0, lower = 0, upper = 0;
                for (uint32_t i = 0; i < n + m; i++) {
                    if (choice >> i & 1)
                        a[in_a++] = i * i;
                    else
                        b[in_b++] = i * i;
                }
                if (in_a != n)
                    continue;
                struct cor_rank_test test = mann_whitney(a, n, b, m);
                for (uint32_t i = 0; i < count; i++) {
                    lower += statistic[i] <= test.statistic;
                    upper += statistic[i] >= test.statistic;
                }
                assert_int_equal(test.method, COR_TEST_EXACT);
                assert_near(test.p, fmin(1, 2.0 * (lower < upper ? lower : upper) / count), 1e-14);
            }
        }
}

/* p by all signs of n differences. */
static void signed_rank_p_agrees_with_all_signs_enumerated(void **state) {
    (void)state;
    const double zero[8] = {0};
    for (uint32_t n = 1; n <= 8; n++)
        for (uint32_t signs = 0; signs < 1u << n; signs++) {
            double difference[8];
            uint32_t sum = 0, lower = 0, upper = 0;
            for (uint32_t i = 0; i < n; i++) {
                difference[i] = signs >> i & 1 ? i + 1.5 : -1.5 - i;
                sum += signs >> i & 1 ? i + 1 : 0;
            }
            for (uint32_t other = 0; other < 1u << n; other++) {
                uint32_t its = 0;
                for (uint32_t i = 0; i < n; i++)
                    its += other >> i & 1 ? i + 1 : 0;
                lower += its <= sum;
                upper += its >= sum;
            }
            struct cor_rank_test test = signed_rank(difference, zero, n);
            assert_near(test.statistic, sum, 0);
            assert_near(test.p, fmin(1, 2.0 * (lower < upper ? lower : upper) / (1u << n)), 1e-14);
        }
}

/* Where counting ends: both p are those of scipy 1.10.1 (mannwhitneyu, methods exact and asymptotic). */
static void the_normal_law_takes_over_where_counting_ends(void **state) {
    (void)state;
    double a[COR_MANN_WHITNEY_EXACT + 1], b[COR_MANN_WHITNEY_EXACT + 1];
    for (int i = 0; i <= COR_MANN_WHITNEY_EXACT; i++) {
        a[i] = i;
        b[i] = 1.03 * i + 5.517;
    }
    struct cor_rank_test exact = mann_whitney(a, COR_MANN_WHITNEY_EXACT, b, COR_MANN_WHITNEY_EXACT);
    struct cor_rank_test normal = mann_whitney(a, COR_MANN_WHITNEY_EXACT + 1, b, COR_MANN_WHITNEY_EXACT);
    assert_true(exact.method == COR_TEST_EXACT && normal.method == COR_TEST_NORMAL);
    assert_near(exact.p, 0.009483607191205003, 1e-14);
    assert_near(normal.p, 0.01957785382225964, 1e-12);
}

static void tests_and_effects_without_values_are_not_defined(void **state) {
    (void)state;
    const double one[] = {1}, with_nan[] = {1, NAN}, same[] = {4, 4};
    assert_true(isnan(mann_whitney(one, 1, NULL, 0).p) && isnan(mann_whitney(NULL, 0, NULL, 0).statistic));
    assert_true(isnan(mann_whitney(with_nan, 2, one, 1).p));
    assert_int_equal(mann_whitney(same, 2, same, 2).method, COR_TEST_NONE);
    assert_true(isnan(signed_rank(NULL, NULL, 0).p) && isnan(signed_rank(same, same, 2).p));
    assert_true(isnan(signed_rank(with_nan, same, 2).p));
    struct cor_effect_size effect;
    assert_int_equal(cor_a12(one, 1, NULL, 0, 0.95, &effect, NULL), COR_OK);
    assert_true(isnan(effect.a12) && isnan(effect.error) && isnan(effect.bounds.low));
    assert_int_equal(cor_a12(with_nan, 2, same, 2, 0.95, &effect, NULL), COR_OK);
    assert_true(isnan(effect.a12));
    assert_string_equal(cor_test_method_word(COR_TEST_NORMAL), "normal");
}

static void mcnemar_agrees_with_r_and_with_all_outcomes(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(mcnemar); i++)
        assert_near(cor_mcnemar((uint64_t)mcnemar[i][0], (uint64_t)mcnemar[i][1]), mcnemar[i][2], 1e-9);
    assert_near(cor_mcnemar(0, 0), 1, 0);
    for (uint32_t n = 1; n <= 16; n++) /* all outcomes of n fair coins */
        for (uint32_t k = 0; k <= n; k++) {
            uint32_t lower = 0, upper = 0;
            for (uint32_t coins = 0; coins < 1u << n; coins++) {
                uint32_t heads = 0;
                for (uint32_t i = 0; i < n; i++)
                    heads += coins >> i & 1;
                lower += heads <= k;
                upper += heads >= k;
            }
            assert_near(cor_mcnemar(k, n - k), fmin(1, 2.0 * (lower < upper ? lower : upper) / (1u << n)),
                        1e-12);
        }
}

static void holm_agrees_with_r(void **state) {
    (void)state;
    double p[COUNT(holm_p)];
    memcpy(p, holm_p, sizeof p);
    assert_int_equal(cor_holm(p, COUNT(p), NULL), COR_OK);
    for (size_t i = 0; i < COUNT(p); i++)
        assert_near(p[i], holm_adjusted[i], 1e-15);
    assert_int_equal(cor_holm(NULL, 0, NULL), COR_OK);
}

/* Limits of Vargha and Delaney: .56, .64, .71 and their mirror images. */
static void magnitudes_have_the_limits_of_vargha_and_delaney(void **state) {
    (void)state;
    static const struct {
        double a12;
        const char *word;
    } cases[] = {{0.5, "negligible"}, {0.559, "negligible"}, {0.56, "small"},  {0.44, "small"},
                 {0.639, "small"},    {0.64, "medium"},      {0.36, "medium"}, {0.709, "medium"},
                 {0.71, "large"},     {0.29, "large"},       {0, "large"},     {1, "large"},
                 {NAN, "none"}};
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_string_equal(cor_magnitude_word(cor_magnitude_of(cases[i].a12)), cases[i].word);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_samples_agree_with_r),
        cmocka_unit_test(paired_samples_agree_with_r),
        cmocka_unit_test(exact_p_agrees_with_all_choices_enumerated),
        cmocka_unit_test(signed_rank_p_agrees_with_all_signs_enumerated),
        cmocka_unit_test(the_normal_law_takes_over_where_counting_ends),
        cmocka_unit_test(tests_and_effects_without_values_are_not_defined),
        cmocka_unit_test(mcnemar_agrees_with_r_and_with_all_outcomes),
        cmocka_unit_test(holm_agrees_with_r),
        cmocka_unit_test(magnitudes_have_the_limits_of_vargha_and_delaney),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
