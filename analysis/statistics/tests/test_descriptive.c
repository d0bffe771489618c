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
        size_t n = (size_t)e[0];
        struct cor_moments moments = {0};
        double sorted[6];
        for (size_t v = 0; v < n; v++)
            cor_moments_put(&moments, sorted[v] = e[1 + v]);
        cor_sort(sorted, n);
        assert_int_equal(moments.n, n);
        assert_near(moments.mean, e[7], 1e-14);
        assert_near(cor_moments_sd(&moments), e[8], 1e-14);
        for (int q = 0; q < 5; q++)
            assert_near(cor_quantile(sorted, n, q / 4.0), e[9 + q], 1e-14);
    }
}

static void descriptions_without_numbers_are_not_defined(void **state) {
    (void)state;
    const double infinite[] = {1, INFINITY, INFINITY};
    assert_true(isinf(cor_quantile(infinite, 3, 0.75)) && cor_quantile(infinite, 3, 0) == 1);
    assert_true(isnan(cor_quantile(NULL, 0, 0.5)));
    struct cor_moments none = {0};
    struct cor_ratio_moments no_ratio = {0};
    assert_true(none.mean == 0 && isnan(cor_moments_sd(&none)));
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
