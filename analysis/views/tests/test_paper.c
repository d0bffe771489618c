/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "views.h"

#include <corridor/tables.h>

#include <math.h>
#include <string.h>

static void assert_near(double found, double expected, double tolerance) {
    assert_true(fabs(found - expected) <= tolerance * (1 + fabs(expected)));
}

/* Figures that follow from published ones; the shares of reorganizing cases as worked out by hand from
 * Table 2. */
static void derived_figures_follow_from_published_ones(void **state) {
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
        assert_true(views__paper_derive("reorganizing_cases_pct", expected[i].column, &mean));
        assert_true(fabs(mean / 100 - expected[i].share) < 0.00061);
        assert_true(views__paper_derive("failures_detected_gray_only_pct", expected[i].column, &mean));
        assert_near(mean, expected[i].gray_only, 1e-12);
    }
    assert_false(views__paper_derive("reorganizing_cases_pct", "PSOPP", &mean));
    assert_false(views__paper_derive("agents", "PSOPP-F1", &mean));
    assert_true(isnan(mean));
}

/* Every printed figure of the paper is found under a metric of ours. */
static void every_published_figure_is_found_under_a_metric(void **state) {
    (void)state;
    static const char *const columns[] = {"PSOPP-F1",  "PSOPP-F2", "PSOPP-F3", "PSOPP-F4", "PSOPP-F5",
                                          "PSOPP-F5d", "SPADA-F1", "SPADA-F2", "SPADA-F3", "SPADA-F4"};
    double mean, sd;
    size_t found = 0, given = 0, lines = 0;
    for (int m = 0; m < COR_TABLE_METRICS; m++) {
        const struct cor_metric_schema *schema = cor_metric_schema((enum cor_metric)m);
        if (strcmp(schema->id, schema->published_id) != 0)
            continue; /* a second reading of a row counted already */
        for (size_t c = 0; c < 10; c++) {
            bool there = views__paper_figure(schema->id, columns[c], &mean, &sd);
            found += there;
            given += isnan(mean) ? 0u : 1u;
        }
    }
    while (views__paper_table1[lines + 1])
        lines++;
    assert_int_equal(lines, 40);
    for (lines = 0; views__paper_table2[lines + 1];)
        lines++;
    assert_int_equal(lines, 160);
    assert_int_equal(found, 200);
    assert_int_equal(given, 196); /* SPADA: no depth in the black box */
    assert_true(views__paper_figure("ep_transitions", "SPADA-F4", &mean, &sd));
    assert_true(mean == 212.72 && sd == 136.51); /* Table 1, last cell but one row */
    assert_true(views__paper_figure("failures_total", "PSOPP-F5d", &mean, &sd));
    assert_true(mean == 376 && isnan(sd));
    assert_false(views__paper_figure("failures_total", "PSOPP-F", &mean, &sd));
    assert_true(isnan(mean) && !views__paper_has("PSOPP-F") && views__paper_has("PSOPP-F5"));
}

/* Holds the copied figures against slips: failures / 700 = failures per sequence, in print's rounding, and
 * undetected + gray = 100, in all ten columns. */
static void published_figures_satisfy_their_identities(void **state) {
    (void)state;
    static const char *const columns[] = {"PSOPP-F1",  "PSOPP-F2", "PSOPP-F3", "PSOPP-F4", "PSOPP-F5",
                                          "PSOPP-F5d", "SPADA-F1", "SPADA-F2", "SPADA-F3", "SPADA-F4"};
    for (size_t c = 0; c < 10; c++) {
        double total, each, undetected, gray, sd;
        assert_true(views__paper_figure("failures_total", columns[c], &total, &sd));
        assert_true(views__paper_figure("failures_per_sequence", columns[c], &each, &sd));
        assert_true(views__paper_figure("undetected_failures_pct", columns[c], &undetected, &sd));
        assert_true(views__paper_figure("detected_failures_gray_pct", columns[c], &gray, &sd));
        assert_true(fabs(total / 700 - each) < 0.0051);
        assert_true(fabs(undetected + gray - 100) < 1e-9);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derived_figures_follow_from_published_ones),
        cmocka_unit_test(every_published_figure_is_found_under_a_metric),
        cmocka_unit_test(published_figures_satisfy_their_identities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
