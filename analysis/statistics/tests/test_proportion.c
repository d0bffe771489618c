/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/descriptive.h>

#include "near.h"

/* R's prop.test and binom.test, see make_expected.R. */
#include "expected.h"

static void bounds_agree_with_r(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(proportions); i++) {
        const double *e = proportions[i];
        struct cor_bounds wilson = cor_proportion_wilson((uint64_t)e[0], (uint64_t)e[1], e[2]);
        struct cor_bounds exact = cor_proportion_clopper_pearson((uint64_t)e[0], (uint64_t)e[1], e[2]);
        assert_near(wilson.low, e[3], 1e-12);
        assert_near(wilson.high, e[4], 1e-12);
        assert_near(exact.low / (e[5] > 0 ? e[5] : 1), e[5] > 0, 1e-8); /* relative: some are tiny */
        assert_near(exact.high, e[6], 1e-9);
    }
}

static double binomial(uint64_t n, uint64_t k, double p) {
    return exp(lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1) +
               (double)k * log(p) + (double)(n - k) * log1p(-p));
}

/* What Clopper-Pearson means: at its lower end so many or more successes, at its upper end so few or fewer,
 * have half of what the level leaves; and its coverage, summed over all outcomes, is never below the level.
 */
static void clopper_pearson_covers_as_enumeration_says(void **state) {
    (void)state;
    for (uint64_t n = 1; n <= 40; n += 13) {
        for (uint64_t k = 1; k < n; k++) {
            struct cor_bounds b = cor_proportion_clopper_pearson(k, n, 0.9);
            double above = 0, below = 0;
            for (uint64_t i = 0; i <= n; i++) {
                above += i >= k ? binomial(n, i, b.low) : 0;
                below += i <= k ? binomial(n, i, b.high) : 0;
            }
            assert_near(above, 0.05, 1e-10);
            assert_near(below, 0.05, 1e-10);
        }
        for (double p = 0.01; p < 1; p += 0.01) {
            double covered = 0;
            for (uint64_t k = 0; k <= n; k++) {
                struct cor_bounds b = cor_proportion_clopper_pearson(k, n, 0.9);
                covered += b.low <= p && p <= b.high ? binomial(n, k, p) : 0;
            }
            assert_true(covered >= 0.9 - 1e-12);
        }
    }
}

/* Wilson's ends solve (k / n - p)^2 = z^2 p (1 - p) / n; z = 1.6448536269514722 for 90 %. */
static void wilson_ends_solve_their_equation(void **state) {
    (void)state;
    double z = 1.6448536269514722;
    for (uint64_t n = 1; n <= 50; n += 7)
        for (uint64_t k = 0; k <= n; k++) {
            struct cor_bounds b = cor_proportion_wilson(k, n, 0.9);
            double share = (double)k / (double)n, ends[] = {b.low, b.high};
            for (int e = 0; e < 2; e++)
                assert_near((share - ends[e]) * (share - ends[e]),
                            z * z * ends[e] * (1 - ends[e]) / (double)n, 1e-14);
            assert_true(b.low <= share && share <= b.high && b.low < b.high);
        }
}

static void no_observations_have_no_bounds(void **state) {
    (void)state;
    assert_true(isnan(cor_proportion_wilson(0, 0, 0.95).low) &&
                isnan(cor_proportion_wilson(0, 0, 0.95).high));
    assert_true(isnan(cor_proportion_clopper_pearson(0, 0, 0.95).low));
    assert_true(isnan(cor_proportion_clopper_pearson(0, 0, 0.95).high));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_agree_with_r),
        cmocka_unit_test(clopper_pearson_covers_as_enumeration_says),
        cmocka_unit_test(wilson_ends_solve_their_equation),
        cmocka_unit_test(no_observations_have_no_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
