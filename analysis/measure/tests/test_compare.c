/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What may be claimed: sums made by hand, one metric at a time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/compare.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SUITES 20
#define OK(call) assert_int_equal((call), COR_OK)

/* Two files with one arm. */
struct files {
    struct cor_catalog_entry arm[2];
    struct cor_result_header head[2];
    struct cor_suite_sums suite[2][SUITES];
    struct cor_arm_measurement measured[2];
    struct cor_measurement measurement[2];
};

static void begin(struct files *files) {
    memset(files, 0, sizeof *files);
    for (int i = 0; i < 2; i++) {
        files->arm[i] = (struct cor_catalog_entry){0, "arm", "{\"algorithm\":\"spada\"}"};
        files->head[i].catalog[COR_CATALOG_ARM] = &files->arm[i];
        files->head[i].catalog_size[COR_CATALOG_ARM] = 1;
        files->measured[i].entry = &files->arm[i];
        files->measurement[i] = (struct cor_measurement){
            .head = &files->head[i], .arm = &files->measured[i], .arm_count = 1, .suite = files->suite[i]};
    }
}

/* One more suite of both, equal in configuration, with these values of the metric. */
static void add(struct files *files, enum cor_metric metric, double a, double b) {
    const double value[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        struct cor_suite_sums *suite = &files->suite[i][files->measured[i].suites];
        suite->suite = (uint32_t)files->measured[i].suites++;
        files->measurement[i].suite_count++;
        suite->configuration_hash = 77;
        suite->y[metric] = 4 * value[i];
        suite->x[metric] = 4;
    }
}

static struct cor_comparison *compare(struct files *files) {
    struct cor_comparison *made = NULL;
    struct cor_error error = COR_NO_ERROR;
    OK(cor_compare(&files->measurement[0], &files->measurement[1], 0.95, NULL, &made, &error));
    assert_int_equal(made->arm_count, 1);
    return made;
}

/* All of n pairs on one side: p of the signed rank is 2 / 2^n (Wilcoxon 1945). */
static void claims_need_enough_pairs(void **state) {
    (void)state;
    for (int n = 4; n <= 9; n++) {
        struct files files;
        begin(&files);
        for (int s = 0; s < n; s++)
            add(&files, COR_METRIC_MOVED, 10 + s, 11.5 + 2.25 * s);
        struct cor_comparison *made = compare(&files);
        const struct cor_compared *it = &made->arm[0].metric[COR_METRIC_MOVED];
        assert_true(made->arm[0].paired);
        assert_int_equal(made->tests, 1);
        assert_float_equal(it->p_holm, 2.0F / (float)(1 << n), 1e-12F);
        assert_int_equal(it->verdict, n >= 6 ? COR_COMPARE_B_HIGHER : COR_COMPARE_NO_CLAIM);
        assert_int_equal(it->better, n >= 6 ? -1 : 0);
        assert_int_equal(made->worse, n >= 6);
        cor_comparison_destroy(made);
    }
}

/* Nineteen suites say a little more, one says much less: p is small, but which is higher? */
static void ranks_that_contradict_the_means_allow_no_claim(void **state) {
    struct files files;
    (void)state;
    begin(&files);
    for (int s = 0; s < SUITES - 1; s++)
        add(&files, COR_METRIC_SUCCESS, 10, 11 + 0.01 * s);
    add(&files, COR_METRIC_SUCCESS, 100, 0);
    struct cor_comparison *made = compare(&files);
    const struct cor_compared *it = &made->arm[0].metric[COR_METRIC_SUCCESS];
    assert_true(it->p_holm < 0.01 && it->difference.mean < 0);
    assert_int_equal(it->verdict, COR_COMPARE_NO_CLAIM);
    cor_comparison_destroy(made);
}

static void the_metric_says_whether_higher_is_better(void **state) {
    static const struct {
        enum cor_metric metric;
        int better; /* of B, which is higher */
    } expected[] = {{COR_METRIC_SUCCESS, 1}, {COR_METRIC_MOVED, -1}, {COR_METRIC_EFFICIENCY, 0}};
    (void)state;
    for (size_t e = 0; e < 3; e++) {
        struct files files;
        begin(&files);
        for (int s = 0; s < 10; s++)
            add(&files, expected[e].metric, 0.1, 0.2 + 0.01 * s);
        struct cor_comparison *made = compare(&files);
        assert_int_equal(made->arm[0].metric[expected[e].metric].verdict, COR_COMPARE_B_HIGHER);
        assert_int_equal(made->arm[0].metric[expected[e].metric].better, expected[e].better);
        cor_comparison_destroy(made);
    }
}

/* Pairs without a value on one side, or with one that is no number, take no part. */
static void pairs_without_a_number_take_no_part(void **state) {
    struct files files;
    (void)state;
    begin(&files);
    for (int s = 0; s < 10; s++)
        add(&files, COR_METRIC_AFTER, 1, 2);
    files.suite[0][3].y[COR_METRIC_AFTER] = NAN;
    files.suite[1][4].y[COR_METRIC_AFTER] = INFINITY;
    files.suite[1][5].x[COR_METRIC_AFTER] = 0;
    struct cor_comparison *made = compare(&files);
    const struct cor_compared *it = &made->arm[0].metric[COR_METRIC_AFTER];
    assert_int_equal(it->n[0], 7);
    assert_int_equal(it->n[1], 7);
    assert_float_equal(it->difference.mean, 1, 1e-12);
    assert_int_equal(it->difference.interval,
                     COR_INTERVAL_NONE); /* all differences alike: nothing to resample */
    assert_non_null(made->arm[0].metric[COR_METRIC_MOVED].not_compared);
    assert_non_null(made->arm[0].metric[COR_METRIC_CPU_CASE].not_compared);
    cor_comparison_destroy(made);
}

static void one_other_configuration_unpairs(void **state) {
    struct files files;
    (void)state;
    begin(&files);
    for (int s = 0; s < 10; s++)
        add(&files, COR_METRIC_SPENT, s, s + 1);
    files.suite[1][9].configuration_hash = 78;
    struct cor_comparison *made = compare(&files);
    assert_false(made->arm[0].paired);
    assert_int_equal(made->arm[0].common, 10);
    assert_int_equal(made->arm[0].equal, 9);
    assert_null(made->arm[0].metric[COR_METRIC_SPENT].not_compared);
    cor_comparison_destroy(made);
    files.arm[1].description = "{\"algorithm\":\"psopp\"}"; /* its budget has another unit */
    made = compare(&files);
    assert_non_null(made->arm[0].metric[COR_METRIC_SPENT].not_compared);
    cor_comparison_destroy(made);
}

/* Suites 0 1 3 and 1 2 3: 1 and 3 are common, wherever they stand. */
static void suites_in_common_are_those_of_one_number(void **state) {
    static const struct cor_suite_sums one[] = {{.suite = 0}, {.suite = 1}, {.suite = 3}},
                                       other[] = {{.suite = 1}, {.suite = 2}, {.suite = 3}};
    const struct cor_suite_list lists[] = {{one, 3}, {other, 3}};
    struct cor_error error = COR_NO_ERROR;
    size_t *place, count;
    (void)state;
    OK(cor_common_suites(lists, 2, &place, &count, &error));
    assert_int_equal(count, 2);
    assert_int_equal(place[0], 1);
    assert_int_equal(place[1], 0);
    assert_int_equal(place[2], 2);
    assert_int_equal(place[3], 2);
    free(place);
}

/* Lengths 1, 2, 2, 5: between the two in the middle lies the median, also where they differ. */
static void lengths_have_the_median_of_their_middle(void **state) {
    uint64_t four[] = {0, 1, 2, 0, 0, 1}, two[] = {0, 1, 0, 0, 1};
    const struct cor_lengths of_four = {four, 6, 4, 1}, of_two = {two, 5, 2, 0};
    (void)state;
    struct cor_length_figures f = cor_lengths_describe(&of_four);
    assert_float_equal(f.median, 2, 0);
    assert_float_equal(f.mean, 2.5, 0);
    assert_float_equal(f.max, 5, 0);
    assert_int_equal(f.cut_off, 1);
    assert_float_equal(cor_lengths_describe(&of_two).median, 2.5, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(claims_need_enough_pairs),
        cmocka_unit_test(ranks_that_contradict_the_means_allow_no_claim),
        cmocka_unit_test(the_metric_says_whether_higher_is_better),
        cmocka_unit_test(pairs_without_a_number_take_no_part),
        cmocka_unit_test(one_other_configuration_unpairs),
        cmocka_unit_test(suites_in_common_are_those_of_one_number),
        cmocka_unit_test(lengths_have_the_median_of_their_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
