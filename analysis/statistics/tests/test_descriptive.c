/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/descriptive.h>

#include "expected.h"
#include "near.h"

/* mean, sd and quantile(type = 7) of R: see make_expected.R. */
static void descriptions_agree_with_r(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(described); i++) {
        const double *e = described[i];
        struct cor_description d;
        assert_int_equal(cor_describe(e + 1, (size_t)e[0], &d, NULL), COR_OK);
        const double found[] = {
            d.mean,           d.sd,           d.min, d.lower_quartile, d.median, d.upper_quartile, d.max,
            d.geometric_mean, d.harmonic_mean};
        for (size_t f = 0; f < COUNT(found); f++)
            assert_near(found[f], e[7 + f], 1e-14);
        assert_int_equal(d.n, (size_t)e[0]);
    }
}

static void descriptions_without_numbers_are_not_defined(void **state) {
    (void)state;
    struct cor_description d;
    const double with_nan[] = {1, NAN, 3}, infinite[] = {1, INFINITY, INFINITY};
    assert_int_equal(cor_describe(NULL, 0, &d, NULL), COR_OK);
    assert_true(d.n == 0 && isnan(d.mean) && isnan(d.sd) && isnan(d.min) && isnan(d.median) && isnan(d.max));
    assert_true(isnan(d.geometric_mean) && isnan(d.harmonic_mean));
    assert_int_equal(cor_describe(with_nan, 3, &d, NULL), COR_OK);
    assert_true(d.n == 3 && isnan(d.mean) && isnan(d.median) && isnan(d.max) && isnan(d.harmonic_mean));
    assert_true(isinf(cor_quantile(infinite, 3, 0.75)) && cor_quantile(infinite, 3, 0) == 1);
    assert_true(isnan(cor_quantile(NULL, 0, 0.5)));
    struct cor_moments none = {0};
    struct cor_ratio_moments no_ratio = {0};
    assert_true(isnan(cor_moments_mean(&none)) && isnan(cor_moments_sd(&none)));
    assert_true(isnan(cor_ratio_moments_ratio(&no_ratio)) && isnan(cor_ratio_moments_error(&no_ratio)));
    cor_ratio_moments_put(&no_ratio, 1, 2);
    assert_near(cor_ratio_moments_ratio(&no_ratio), 0.5, 0);
    assert_true(isnan(cor_ratio_moments_error(&no_ratio)));
}

/* The linearised error from its definition, and no cancellation beside a large mean. */
static void errors_do_not_cancel_beside_a_large_mean(void **state) {
    (void)state;
    const double y[] = {11.5, 10, 23, 5}, x[] = {3, 1, 4, 2};
    for (int shift = 0; shift < 2; shift++) {
        struct cor_ratio_moments m = {0};
        double far = shift * 1e9, sum_y = 0, squares = 0;
        for (int c = 0; c < 4; c++) {
            cor_ratio_moments_put(&m, y[c] + far * x[c], x[c]);
            sum_y += y[c];
        }
        for (int c = 0; c < 4; c++)
            squares += (y[c] - sum_y / 10 * x[c]) * (y[c] - sum_y / 10 * x[c]);
        assert_near(cor_ratio_moments_ratio(&m), sum_y / 10 + far, 1e-15);
        if (shift == 0)
            assert_near(cor_ratio_moments_error(&m), sqrt(4.0 / 3 * squares) / 10, 1e-14);
    }
    struct cor_moments m = {0};
    for (int i = 0; i < 3; i++)
        cor_moments_put(&m, 1e9 + i);
    assert_near(cor_moments_sd(&m), 1, 1e-9);
}

static void values_are_sorted_with_infinities_outermost(void **state) {
    (void)state;
    double values[] = {3, -INFINITY, 3, 0, INFINITY, -2};
    cor_sort(values, 6);
    for (int i = 1; i < 6; i++)
        assert_true(values[i - 1] <= values[i]);
    assert_true(values[1] == -2 && values[4] == 3);
    cor_sort(NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions_agree_with_r),
        cmocka_unit_test(descriptions_without_numbers_are_not_defined),
        cmocka_unit_test(errors_do_not_cancel_beside_a_large_mean),
        cmocka_unit_test(values_are_sorted_with_infinities_outermost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
