/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "moments.h"
#include "paper.h"

#include <math.h>
#include <string.h>

#include "intervals.h"

static void assert_near(double found, double expected, double tolerance) {
    if (isnan(expected))
        assert_true(isnan(found));
    else
        assert_true(fabs(found - expected) <= tolerance * (1 + fabs(expected)));
}

/* Means, spreads and intervals as scipy has them: see make_intervals.py. */
static void test_intervals(void **state) {
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct cor__moments moments = {0};
        struct cor_figure figure;
        for (const double *value = cases[c].suites; *value > -2; value++) {
            if (*value >= 0)
                cor__moments_put(&moments, *value);
            else
                cor__moments_end_suite(&moments);
        }
        cor__moments_figure(&moments, cases[c].kind, cases[c].level, &figure);
        assert_near(figure.mean, cases[c].mean, 1e-13);
        assert_near(figure.sd, cases[c].sd, 1e-13);
        assert_int_equal(figure.interval, cases[c].interval);
        assert_near(figure.low, cases[c].low, 1e-7); /* the t quantiles of GSL and scipy agree to 8 digits */
        assert_near(figure.high, cases[c].high, 1e-7);
    }
}

/* A spread that is tiny beside the mean survives: sums of squares would lose it. */
static void test_no_cancellation(void **state) {
    (void)state;
    struct cor__moments moments = {0};
    struct cor_figure figure;
    for (int suite = 0; suite < 3; suite++) {
        for (int i = 0; i < 4; i++)
            cor__moments_put(&moments, 1e9 + suite);
        cor__moments_end_suite(&moments);
    }
    cor__moments_figure(&moments, COR_KIND_MEAN, 0.95, &figure);
    assert_near(figure.mean, 1e9 + 1, 1e-15);
    assert_near(figure.sd, sqrt(8.0 / 11), 1e-6);
    /* Suites of equal size: the interval of three means 0, 1, 2, and t(.975; 2) = 4.30265273 from a printed
     * table. */
    assert_near(figure.high - figure.mean, 4.30265273 / sqrt(3), 1e-6);
}

/* Suites of one mean and many sizes are alike, whatever rounding leaves of their residuals; one value that
 * is off by a ten-thousandth is no rounding. */
static void test_alike(void **state) {
    (void)state;
    for (int off = 0; off < 2; off++) {
        struct cor__moments moments = {0};
        struct cor_figure figure;
        for (int suite = 0; suite < 1000; suite++) {
            for (int i = 0; i < 1 + suite * 7 % 11; i++)
                cor__moments_put(&moments, 100.0 * 3 / 7);
            cor__moments_end_suite(&moments);
        }
        if (off > 0) {
            cor__moments_put(&moments, 100.0 * 3 / 7 * (1 + 1e-4));
            cor__moments_end_suite(&moments);
        }
        cor__moments_figure(&moments, COR_KIND_PERCENT, 0.95, &figure);
        assert_int_equal(figure.interval, off > 0 ? COR_INTERVAL_LINEARISED : COR_INTERVAL_NONE);
    }
}

/* Counts at once are the same as one by one. */
static void test_shares(void **state) {
    (void)state;
    static const uint64_t part[] = {3, 0, 5, 1}, whole[] = {7, 2, 5, 0};
    struct cor__moments once = {0}, each = {0};
    struct cor_figure one, other;
    for (int suite = 0; suite < 4; suite++) {
        cor__moments_put_share(&once, part[suite], whole[suite]);
        for (uint64_t i = 0; i < whole[suite]; i++)
            cor__moments_put(&each, i < part[suite] ? 100 : 0);
        cor__moments_end_suite(&once);
        cor__moments_end_suite(&each);
    }
    cor__moments_figure(&once, COR_KIND_SHARE, 0.95, &one);
    cor__moments_figure(&each, COR_KIND_SHARE, 0.95, &other);
    assert_int_equal(one.n, 14);
    assert_int_equal(one.suites, 3);
    assert_near(one.mean, 800.0 / 14, 1e-14);
    assert_near(one.mean, other.mean, 1e-14);
    assert_near(one.low, other.low, 1e-14);
    assert_near(one.high, other.high, 1e-14);
    assert_near(one.error, other.error, 1e-14);
}

/* Figures that follow from published ones; the shares of reorganizing cases as worked out by hand from
 * Table 2. */
static void test_derived(void **state) {
    (void)state;
    static const struct {
        const char *column;
        double share, gray_only;
    } expected[] = {
        {"PSOPP-F1", .173, 2.39},  {"PSOPP-F2", .173, 2.31},  {"PSOPP-F3", .186, 8.79},
        {"PSOPP-F4", .182, 0},     {"PSOPP-F5", .176, 18.75}, {"PSOPP-F5d", .139, 7.71},
        {"SPADA-F1", .182, 100},   {"SPADA-F2", .164, 100},   {"SPADA-F3", .163, 0.16},
        {"SPADA-F4", .169, 90.48},
    };
    double mean;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_true(cor__paper_derive("reorganizing_cases_pct", expected[i].column, &mean));
        assert_true(fabs(mean / 100 - expected[i].share) < 0.00061);
        assert_true(cor__paper_derive("failures_detected_gray_only_pct", expected[i].column, &mean));
        assert_near(mean, expected[i].gray_only, 1e-12);
    }
    assert_false(cor__paper_derive("reorganizing_cases_pct", "PSOPP", &mean));
    assert_false(cor__paper_derive("agents", "PSOPP-F1", &mean));
    assert_true(isnan(mean));
}

/* Every printed figure of the paper is found under a metric of ours. */
static void test_paper(void **state) {
    (void)state;
    static const char *const columns[] = {"PSOPP-F1",  "PSOPP-F2", "PSOPP-F3", "PSOPP-F4", "PSOPP-F5",
                                          "PSOPP-F5d", "SPADA-F1", "SPADA-F2", "SPADA-F3", "SPADA-F4"};
    double mean, sd;
    size_t found = 0, given = 0, lines = 0;
    for (int m = 0; m < COR_METRIC_COUNT; m++) {
        const struct cor_metric_schema *schema = cor_old_metric_schema((enum cor_metric)m);
        if (strcmp(schema->id, schema->published_id) != 0)
            continue; /* a second reading of a row counted already */
        for (size_t c = 0; c < 10; c++) {
            bool there = cor__paper_figure(schema->id, columns[c], &mean, &sd);
            found += there;
            given += isnan(mean) ? 0u : 1u;
        }
    }
    while (cor__paper_table1[lines + 1])
        lines++;
    assert_int_equal(lines, 40);
    for (lines = 0; cor__paper_table2[lines + 1];)
        lines++;
    assert_int_equal(lines, 160);
    assert_int_equal(found, 200);
    assert_int_equal(given, 196); /* SPADA: no depth in the black box */
    assert_true(cor__paper_figure("ep_transitions", "SPADA-F4", &mean, &sd));
    assert_true(mean == 212.72 && sd == 136.51); /* Table 1, last cell but one row */
    assert_true(cor__paper_figure("failures_total", "PSOPP-F5d", &mean, &sd));
    assert_true(mean == 376 && isnan(sd));
    assert_false(cor__paper_figure("failures_total", "PSOPP-F", &mean, &sd));
    assert_true(isnan(mean) && !cor__paper_has("PSOPP-F") && cor__paper_has("PSOPP-F5"));
}

/* Holds the copied figures against slips: failures / 700 = failures per sequence, in print's rounding, and
 * undetected + gray = 100, in all ten columns. */
static void test_paper_identities(void **state) {
    (void)state;
    static const char *const columns[] = {"PSOPP-F1",  "PSOPP-F2", "PSOPP-F3", "PSOPP-F4", "PSOPP-F5",
                                          "PSOPP-F5d", "SPADA-F1", "SPADA-F2", "SPADA-F3", "SPADA-F4"};
    for (size_t c = 0; c < 10; c++) {
        double total, each, undetected, gray, sd;
        assert_true(cor__paper_figure("failures_total", columns[c], &total, &sd));
        assert_true(cor__paper_figure("failures_per_sequence", columns[c], &each, &sd));
        assert_true(cor__paper_figure("undetected_failures_pct", columns[c], &undetected, &sd));
        assert_true(cor__paper_figure("detected_failures_gray_pct", columns[c], &gray, &sd));
        assert_true(fabs(total / 700 - each) < 0.0051);
        assert_true(fabs(undetected + gray - 100) < 1e-9);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_no_cancellation),
        cmocka_unit_test(test_alike),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_derived),
        cmocka_unit_test(test_paper),
        cmocka_unit_test(test_paper_identities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
