/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/descriptive.h>
#include <corridor/interval.h>
#include <corridor/metric.h>

#include <math.h>
#include <string.h>

#include "intervals.h"

static void assert_near(double found, double expected, double tolerance) {
    if (isnan(expected))
        assert_true(isnan(found));
    else
        assert_true(fabs(found - expected) <= tolerance * (1 + fabs(expected)));
}

/* Observations of suites under way. */
struct observed {
    struct cor_moments all;
    double y[1024], x[1024];
    uint32_t suites; /* ended so far */
};

static void observe(struct observed *observed, double value) {
    cor_moments_put(&observed->all, value);
    observed->y[observed->suites] += value;
    observed->x[observed->suites]++;
}

static struct cor_estimate estimate_of(const struct observed *observed, enum cor_metric_kind kind,
                                       double level) {
    bool percentage = kind == COR_KIND_PERCENT || kind == COR_KIND_SHARE;
    const struct cor_suite_sample sample = {.y = observed->y,
                                            .x = observed->x,
                                            .suites = observed->suites,
                                            .mean = observed->all.n > 0 ? &observed->all.mean : NULL,
                                            .least = kind == COR_KIND_DEPTH ? 1 : 0,
                                            .whole = percentage ? 100 : 0,
                                            .level = level};
    struct cor_estimate estimate;
    struct cor_error error = COR_NO_ERROR;
    enum cor_interval method = kind == COR_KIND_TOTAL ? COR_INTERVAL_NONE : COR_INTERVAL_LINEARISED;
    assert_int_equal(cor_estimate_ratio(method, &sample, &estimate, &error), COR_OK);
    if (kind != COR_KIND_SHARE && kind != COR_KIND_TOTAL)
        estimate.sd = cor_moments_sd(&observed->all);
    return estimate;
}

/* Means, spreads and intervals as scipy has them: see make_intervals.py. */
static void means_spreads_and_intervals_agree_with_scipy(void **state) {
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct observed observed = {.suites = 0};
        for (const double *value = cases[c].suites; *value > -2; value++) {
            if (*value >= 0)
                observe(&observed, *value);
            else
                observed.suites++;
        }
        struct cor_estimate figure = estimate_of(&observed, cases[c].kind, cases[c].level);
        assert_near(figure.mean, cases[c].mean, 1e-13);
        assert_near(figure.sd, cases[c].sd, 1e-13);
        assert_int_equal(figure.interval, cases[c].interval);
        assert_near(figure.low, cases[c].low, 1e-7); /* the t quantiles of GSL and scipy agree to 8 digits */
        assert_near(figure.high, cases[c].high, 1e-7);
    }
}

/* A spread that is tiny beside the mean survives: sums of squares would lose it. */
static void a_tiny_spread_beside_a_large_mean_survives(void **state) {
    (void)state;
    struct observed observed = {.suites = 0};
    for (int suite = 0; suite < 3; suite++, observed.suites++)
        for (int i = 0; i < 4; i++)
            observe(&observed, 1e9 + suite);
    struct cor_estimate figure = estimate_of(&observed, COR_KIND_MEAN, 0.95);
    assert_near(figure.mean, 1e9 + 1, 1e-15);
    assert_near(figure.sd, sqrt(8.0 / 11), 1e-6);
    /* Suites of equal size: the interval of three means 0, 1, 2, and t(.975; 2) = 4.30265273 from a printed
     * table. */
    assert_near(figure.high - figure.mean, 4.30265273 / sqrt(3), 1e-6);
}

/* Suites of one mean and many sizes are alike, whatever rounding leaves of their residuals; one value that
 * is off by a ten-thousandth is no rounding. */
static void suites_alike_up_to_rounding_have_no_interval(void **state) {
    (void)state;
    for (int off = 0; off < 2; off++) {
        struct observed observed = {.suites = 0};
        for (int suite = 0; suite < 1000; suite++, observed.suites++)
            for (int i = 0; i < 1 + suite * 7 % 11; i++)
                observe(&observed, 100.0 * 3 / 7);
        if (off > 0) {
            observe(&observed, 100.0 * 3 / 7 * (1 + 1e-4));
            observed.suites++;
        }
        struct cor_estimate figure = estimate_of(&observed, COR_KIND_PERCENT, 0.95);
        assert_int_equal(figure.interval, off > 0 ? COR_INTERVAL_LINEARISED : COR_INTERVAL_NONE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_spreads_and_intervals_agree_with_scipy),
        cmocka_unit_test(a_tiny_spread_beside_a_large_mean_survives),
        cmocka_unit_test(suites_alike_up_to_rounding_have_no_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
