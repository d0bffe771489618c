/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "timing.h"

#include <corridor/json.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void the_median_lies_in_the_middle(void **state) {
    (void)state;
    double odd[] = {9, 1, 5}, even[] = {8, 1, 2, 4}, one[] = {7};
    assert_float_equal(bench_median(odd, 3), 5, 0);
    assert_float_equal(bench_median(even, 4), 3, 0);
    assert_float_equal(bench_median(one, 1), 7, 0);
}

static void a_slope_is_the_power_of_the_upper_half(void **state) {
    (void)state;
    const double size[] = {1, 10, 100, 1000, 10000}, square[] = {1, 100, 1e4, 1e6, 1e8},
                 late[] = {1, 1, 1, 1e3, 1e6}; /* constant, and from the third on of power 3 */
    assert_float_equal(bench_slope(size, square, 5), 2, 1e-12);
    assert_float_equal(bench_slope(size, late, 5), 3, 1e-12);
    assert_float_equal(bench_slope(size, square, 2), 2, 1e-12);
    assert_true(isnan(bench_slope(size, square, 1)));
}

static const char *holds(enum bench_better better, enum bench_limits limits, double must, double aim,
                         double value, double reference) {
    const struct bench_row row = {"", "", better, limits, must, aim, NULL, NULL};
    const struct bench_figure figure = {value, reference, ""};
    return bench_holds(&row, &figure);
}

static void a_limit_that_is_just_met_holds(void **state) {
    (void)state;
    assert_string_equal(holds(BENCH_LESS, BENCH_ON_VALUE, 3, 2, 2, NAN), "aim");
    assert_string_equal(holds(BENCH_LESS, BENCH_ON_VALUE, 3, 2, 2.1, NAN), "must");
    assert_string_equal(holds(BENCH_LESS, BENCH_ON_VALUE, 3, 2, 3, NAN), "must");
    assert_string_equal(holds(BENCH_LESS, BENCH_ON_VALUE, 3, 2, 3.1, NAN), "no");
    assert_string_equal(holds(BENCH_MORE, BENCH_ON_VALUE, 2, 4, 4, NAN), "aim");
    assert_string_equal(holds(BENCH_MORE, BENCH_ON_VALUE, 2, 4, 2, NAN), "must");
    assert_string_equal(holds(BENCH_MORE, BENCH_ON_VALUE, 2, 4, 1.9, NAN), "no");
    assert_string_equal(holds(BENCH_MORE, BENCH_ON_RATIO, 3, NAN, 9, 3), "must");
    assert_string_equal(holds(BENCH_MORE, BENCH_ON_RATIO, 3, NAN, 8, 3), "no");
    assert_string_equal(holds(BENCH_MORE, BENCH_ON_RATIO, 3, NAN, 8, NAN), "not measured");
    assert_string_equal(holds(BENCH_MORE, BENCH_ON_VALUE, NAN, NAN, 8, 3), "-");
}

static double now, calls[2];

static double clock_of_test(void) {
    return now;
}

/* Two units of work in three seconds; every other call is disturbed. */
static double slow(void *context) {
    (void)context;
    now += 3 + 100 * ((int)calls[0]++ == 4);
    return 2;
}

static double fast(void *context) {
    (void)context;
    calls[1]++;
    now += 1;
    return 4;
}

static void times_are_medians_of_whole_slices(void **state) {
    (void)state;
    const struct bench_care care = {3, 6, clock_of_test};
    struct bench_times times = bench_measure(slow, fast, NULL, care);
    assert_float_equal(times.seconds, 1.5, 1e-12); /* the repeat with the disturbance is not the median */
    assert_float_equal(times.reference, 0.25, 1e-12);
    assert_float_equal(calls[1], 18, 0); /* six seconds a repeat */
    assert_true(isnan(bench_measure(fast, NULL, NULL, care).reference));
}

static void twice(const void *context, void *answer) {
    *(double *)answer = 2 * *(const double *)context;
}

static void a_child_answers(void **state) {
    (void)state;
    double question = 21, answer = 0;
    assert_true(bench_in_child(twice, &question, &answer, sizeof answer) >= 0);
    assert_float_equal(answer, 42, 0);
}

static void two_figures(const struct bench_places *places, struct bench_figure *figures) {
    (void)places;
    figures[0] = (struct bench_figure){10, 5, "a note"};
    figures[1] = (struct bench_figure){3, 5, ""};
}

static void another(const struct bench_places *places, struct bench_figure *figures) {
    (void)places;
    figures[0].value = 1;
}

/* Cost of the first curve is size squared, of the second nothing below 100. */
static void two_costs(const struct bench_places *places, uint32_t size, double *cost) {
    (void)places;
    cost[0] = (double)size * size;
    cost[1] = size < 100 ? (double)NAN : size;
}

static double number_at(const struct cor_json *object, const char *key) {
    struct cor_json value;
    double number;
    assert_true(cor_json_find(object, key, &value));
    assert_int_equal(cor_json_real(&value, -1e9, 1e9, &number, NULL), COR_OK);
    return number;
}

static void assert_null_at(const struct cor_json *object, const char *key) {
    struct cor_json value;
    assert_true(cor_json_find(object, key, &value));
    assert_true(cor_json_is_null(&value));
}

static void a_report_is_written_as_measured(void **state) {
    (void)state;
    static const struct bench_row rows[] = {
        {"one", "s", BENCH_LESS, BENCH_ON_RATIO, 2, NAN, "something", two_figures},
        {"two", "s", BENCH_LESS, BENCH_ON_VALUE, 2, 1, NULL, two_figures},
        {"three", "s", BENCH_LESS, BENCH_ON_VALUE, 2, 1, NULL, another},
        {0},
    };
    static const struct bench_sweep sweeps[] = {
        {"agents", {10, 100, 1000}, two_costs, {{"square", "us", "why"}, {"late", "us", NULL}}}, {0}};
    static const struct bench_part part = {"part", "what", rows, sweeps, false};
    const struct bench_part *parts[] = {&part, NULL};
    char path[] = "bench-test-XXXXXX";
    struct bench_report *report = bench_report_create();
    int file = mkstemp(path);
    assert_true(file >= 0 && close(file) == 0);
    bench_report_rows(report, parts, NULL);
    bench_report_curves(report, parts, NULL);
    bench_report_end(report);
    bench_report_write(report, path);
    bench_report_destroy(report);
    struct cor_json_document *document;
    struct cor_json list, points, worse;
    bool is_worse;
    assert_int_equal(cor_json_read(path, &document, NULL), COR_OK);
    struct cor_json root = cor_json_root(document);
    assert_true(cor_json_find(&root, "rows", &list));
    assert_int_equal(cor_json_size(&list), 3);
    struct cor_json one = cor_json_at(&list, 0), two = cor_json_at(&list, 1), three = cor_json_at(&list, 2);
    assert_float_equal(number_at(&one, "ratio"), 2, 0);
    assert_float_equal(number_at(&two, "value"), 3, 0);
    assert_null_at(&two, "reference"); /* a row without a yardstick has none */
    assert_null_at(&two, "note");
    assert_float_equal(number_at(&three, "value"), 1, 0);
    assert_true(cor_json_find(&root, "curves", &list));
    assert_int_equal(cor_json_size(&list), 2);
    struct cor_json square = cor_json_at(&list, 0), late = cor_json_at(&list, 1);
    assert_float_equal(number_at(&square, "exponent"), 2, 1e-12);
    assert_true(cor_json_find(&square, "worse_than_linear", &worse));
    assert_int_equal(cor_json_bool(&worse, &is_worse, NULL), COR_OK);
    assert_true(is_worse);
    assert_float_equal(number_at(&late, "exponent"), 1, 1e-12);
    assert_true(cor_json_find(&late, "points", &points));
    assert_int_equal(cor_json_size(&points), 2);
    cor_json_destroy(document);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_median_lies_in_the_middle),
        cmocka_unit_test(a_slope_is_the_power_of_the_upper_half),
        cmocka_unit_test(a_limit_that_is_just_met_holds),
        cmocka_unit_test(times_are_medians_of_whole_slices),
        cmocka_unit_test(a_child_answers),
        cmocka_unit_test(a_report_is_written_as_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
