/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/descriptive.h>

#include "near.h"

/* R's t.test, and Korn's and Graubard's bounds: see make_weighted.R. */
#include "weighted.h"

static struct cor_weighted put_all(const double *values, unsigned count, bool backwards) {
    struct cor_weighted w = {0};
    for (unsigned i = 0; i < count; i++)
        cor_weighted_put(&w, values[backwards ? count - 1 - i : i]);
    return w;
}

/* Relative, as some values are tiny; 0 and NaN are exact. */
static void assert_alike(double found, double expected, double tolerance) {
    if (isnan(expected) || expected == 0)
        assert_near(found, expected, 1e-15);
    else
        assert_near(found / expected, 1, tolerance);
}

static void means_and_their_errors_agree_with_r_in_any_order(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(weighted); i++)
        for (int backwards = 0; backwards < 2; backwards++) {
            const struct cor_weighted w = put_all(weighted[i].value, weighted[i].count, backwards != 0);
            assert_int_equal(w.n, weighted[i].count);
            assert_alike(cor_weighted_mean(&w), weighted[i].mean, 1e-12);
            assert_alike(cor_weighted_error(&w), weighted[i].error, 1e-9);
            assert_alike(cor_weighted_effective(&w), weighted[i].effective, 1e-12);
        }
}

static void bounds_of_means_agree_with_r(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(weighted); i++) {
        const struct cor_weighted w = put_all(weighted[i].value, weighted[i].count, false);
        const struct cor_bounds bounds = cor_weighted_bounds(&w, weighted[i].extra, weighted[i].level);
        assert_alike(bounds.low, weighted[i].low, 1e-8);
        assert_alike(bounds.high, weighted[i].high, 1e-8);
    }
}

static void bounds_of_clustered_shares_agree_with_r(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(clustered); i++) {
        const struct cor_weighted w = put_all(clustered[i].share, clustered[i].count, false);
        const struct cor_bounds bounds = cor_proportion_clustered(&w, clustered[i].size, clustered[i].level);
        assert_alike(bounds.low, clustered[i].low, 1e-7);
        assert_alike(bounds.high, clustered[i].high, 1e-7);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_and_their_errors_agree_with_r_in_any_order),
        cmocka_unit_test(bounds_of_means_agree_with_r),
        cmocka_unit_test(bounds_of_clustered_shares_agree_with_r),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
