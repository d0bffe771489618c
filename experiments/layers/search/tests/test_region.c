/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "region_learning.h"
#include <corridor/array.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(call)                    \
    do {                                 \
        if ((call) != COR_OK)            \
            fail_msg("%s", error.cause); \
    } while (0)

/* The demo's arm PSOPP-F5, with constraints if `more` is some. */
static struct cor_experiment *take_experiment(const char *more) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_experiment *experiment = NULL;
    struct cor_json_document *document = NULL;
    char *text = cor_format(
        "{\"corridor_experiment\": 1, \"name\": \"regions\", \"seed\": 7, \"suites\": 5, \"sequences\": 2,"
        " \"cases\": [20, 40], \"model\": \"%s/experiments/library/models/smart_grid.json\", \"arms\": "
        "[{\"name\": "
        "\"F5\","
        " \"algorithm\": \"psopp\", \"fault\": \"f5\", \"parameters\": {\"particles\": [1, 4],"
        " \"start_at_current\": [0, \"particles\"], \"c_random + c_own + c_best\": 1}, \"constraints\": "
        "[%s]}]}",
        TEST_SOURCE_DIR, more);
    assert_non_null(text);
    REQUIRE(cor_json_parse(text, "regions.json", &document, &error));
    REQUIRE(cor_experiment_take("regions.json", document, NULL, &experiment, &error));
    free(text);
    return experiment;
}

static struct cor_rng stream(uint32_t entity) {
    const struct cor_stream_name name = {.seed = 3, .purpose = COR_PURPOSE_TEST, .entity = entity};
    return cor_rng_named(&name);
}

static void quantities_are_parameters_limits_and_sides_of_constraints(void **unused) {
    (void)unused;
    static const char *const expected[] = {"agents",
                                           "s_min",
                                           "s_max",
                                           "n_min",
                                           "n_max",
                                           "places",
                                           "particles",
                                           "start_at_current",
                                           "budget",
                                           "s_max - s_min",
                                           "n_max - n_min",
                                           "agents / s_min - n_min",
                                           "n_max - ceil_div(agents, s_max)",
                                           "agents / s_min - ceil_div(agents, s_max)",
                                           "min(n_max, agents / s_min) - max(n_min, ceil_div(agents, s_max))",
                                           "n_min * s_min",
                                           "agents - n_min * s_min",
                                           "n_max * s_max",
                                           "n_max * s_max - agents",
                                           "ceil_div(agents, s_max)",
                                           "agents / s_min"};
    struct cor_error error = COR_NO_ERROR;
    struct cor_experiment *experiment = take_experiment("");
    struct cor_region_quantities quantities;
    REQUIRE(cor_region_quantities_init(&experiment->arms[0], &quantities, &error));
    for (size_t e = 0; e < sizeof expected / sizeof *expected; e++) {
        bool found = false;
        for (uint32_t q = 0; q < quantities.count; q++)
            found = found || strcmp(quantities.texts[q], expected[e]) == 0;
        if (!found)
            fail_msg("%s is not among the quantities", expected[e]);
    }
    for (uint32_t q = 0; q < quantities.count; q++) {
        assert_null(strstr(quantities.texts[q], "c_own")); /* real: not in the language */
        for (uint32_t other = 0; other < q; other++)
            assert_string_not_equal(quantities.texts[q], quantities.texts[other]);
    }
    cor_region_quantities_fini(&quantities);
    cor_experiment_destroy(experiment);
}

static void rows_are_what_the_constraints_say(void **unused) {
    (void)unused;
    struct cor_error error = COR_NO_ERROR;
    struct cor_experiment *experiment = take_experiment("");
    const struct cor_parameter_laws *laws = experiment->arms[0].laws;
    struct cor_region_quantities quantities;
    struct cor_region region;
    struct cor_region_texts texts;
    REQUIRE(cor_region_quantities_init(&experiment->arms[0], &quantities, &error));
    REQUIRE(cor_region_init(&region, quantities.count, &error));
    int64_t *integers = cor_calloc(cor_parameter_laws_capacity(laws), sizeof *integers),
            *row = cor_calloc(quantities.count, sizeof *row);
    double *reals = cor_calloc(cor_parameter_laws_capacity(laws), sizeof *reals);
    uint32_t inside = 0;
    struct cor_rng rng = stream(1);
    for (uint32_t q = 0; q < quantities.count; q++) {
        if (strcmp(quantities.texts[q], "s_min") == 0)
            region.low[q] = 20;
        if (strcmp(quantities.texts[q], "agents") == 0) {
            region.low[q] = 100;
            region.high[q] = 800;
        }
        if (strcmp(quantities.texts[q], "agents / s_min - n_min") == 0)
            region.high[q] = 9;
    }
    REQUIRE(cor_region_texts_make(&quantities, &region, &texts, &error));
    char *joined = cor_region_texts_join(&texts);
    assert_string_equal(joined, "100 <= agents <= 800 and s_min >= 20 and agents / s_min - n_min <= 9");
    struct cor_expression all = {0};
    REQUIRE(cor_expression_parse(joined, cor_parameter_laws_names(laws), true, NULL, &all, &error));
    for (int i = 0; i < 500; i++) {
        struct cor_draw draw;
        REQUIRE(cor_parameter_laws_draw(laws, &rng, integers, reals, &draw, &error));
        assert_true(cor_region_quantities_row(&quantities, integers, row));
        assert_int_equal(cor_region_has(&region, row), cor_expression_holds(&all, integers));
        inside += cor_region_has(&region, row);
    }
    assert_in_range(inside, 50, 450);
    cor_expression_fini(&all);
    free(joined);
    free(integers);
    free(reals);
    free(row);
    cor_region_texts_fini(&texts);
    cor_region_fini(&region);
    cor_region_quantities_fini(&quantities);
    cor_experiment_destroy(experiment);
}

static void narrowed_laws_draw_what_the_constraints_in_the_file_draw(void **unused) {
    (void)unused;
    static const char *const more[] = {"s_min >= 20", "agents >= 100", "particles <= 2"};
    struct cor_error error = COR_NO_ERROR;
    struct cor_experiment *plain = take_experiment(""),
                          *written =
                              take_experiment("\"s_min >= 20\", \"agents >= 100\", \"particles <= 2\"");
    struct cor_parameter_laws *narrowed = NULL, *refused = NULL;
    const struct cor_parameter_laws *laws = written->arms[0].laws;
    REQUIRE(cor_parameter_laws_narrow(plain->arms[0].laws, more, 3, "here", &narrowed, &error));
    const uint32_t capacity = cor_parameter_laws_capacity(laws);
    assert_int_equal(cor_parameter_laws_capacity(narrowed), capacity);
    int64_t *integers = cor_calloc(2 * capacity, sizeof *integers);
    double *reals = cor_calloc(2 * capacity, sizeof *reals);
    struct cor_rng one = stream(2), other = stream(2);
    for (int i = 0; i < 200; i++) {
        struct cor_draw draw, drawn;
        REQUIRE(cor_parameter_laws_draw(laws, &one, integers, reals, &draw, &error));
        REQUIRE(
            cor_parameter_laws_draw(narrowed, &other, integers + capacity, reals + capacity, &drawn, &error));
        assert_memory_equal(integers, integers + capacity, capacity * sizeof *integers);
        assert_memory_equal(reals, reals + capacity, capacity * sizeof *reals);
        assert_int_equal(draw.attempts, drawn.attempts);
        assert_true(integers[cor_parameter_laws_find(laws, "s_min")] >= 20);
    }
    assert_int_equal(cor_parameter_laws_narrow(plain->arms[0].laws, (const char *const[]){"s_mim >= 20"}, 1,
                                               "here", &refused, &error),
                     COR_STATUS_INPUT);
    assert_null(refused);
    assert_non_null(strstr(error.cause, "s_mim"));
    free(integers);
    free(reals);
    cor_parameter_laws_destroy(narrowed);
    cor_experiment_destroy(plain);
    cor_experiment_destroy(written);
}

/* All ways in which the strikes can lie in the rows, counted. */
static double chance_by_counting(struct cor_region_count inside, struct cor_region_count outside) {
    const uint32_t rows = inside.rows + outside.rows, struck = inside.struck + outside.struck;
    uint32_t all = 0, as_many = 0;
    for (uint32_t ways = 0; ways < 1u << rows; ways++) {
        uint32_t total = 0, within = 0;
        for (uint32_t r = 0; r < rows; r++) {
            total += ways >> r & 1;
            within += r < inside.rows ? ways >> r & 1 : 0;
        }
        all += total == struck;
        as_many += total == struck && within >= inside.struck;
    }
    return (double)as_many / all;
}

static void chance_is_that_of_all_ways_in_which_strikes_can_lie(void **unused) {
    (void)unused;
    for (uint32_t rows = 1; rows <= 9; rows++)
        for (uint32_t in = 0; in <= rows; in++)
            for (uint32_t a = 0; a <= in; a++)
                for (uint32_t b = 0; b <= rows - in; b++) {
                    const struct cor_region_count inside = {in, a}, outside = {rows - in, b};
                    assert_true(fabs(cor_region_chance(inside, outside) -
                                     chance_by_counting(inside, outside)) < 1e-12);
                }
    assert_true(cor_region_chance((struct cor_region_count){3000, 2000},
                                  (struct cor_region_count){27000, 2000}) < 1e-200);
}

static void without_rows_or_strikes_the_region_is_everything(void **unused) {
    (void)unused;
    struct cor_error error = COR_NO_ERROR;
    struct cor_region region;
    static const int64_t rows[40] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
    bool struck[40] = {false};
    const struct cor_region_definition definition = cor_default_region();
    struct cor_region_data data = {.quantity_count = 1, .rows = rows, .struck = struck};
    REQUIRE(cor_region_init(&region, 1, &error));
    REQUIRE(cor_region_learn(&data, &definition, &region, &error));
    assert_int_equal(cor_region_sides(&region), 0);
    data.row_count = 40;
    REQUIRE(cor_region_learn(&data, &definition, &region, &error));
    assert_int_equal(cor_region_sides(&region), 0);
    for (int r = 0; r < 40; r++)
        struck[r] = true;
    REQUIRE(cor_region_learn(&data, &definition, &region, &error));
    assert_int_equal(cor_region_sides(&region), 0);
    cor_region_fini(&region);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantities_are_parameters_limits_and_sides_of_constraints),
        cmocka_unit_test(rows_are_what_the_constraints_say),
        cmocka_unit_test(narrowed_laws_draw_what_the_constraints_in_the_file_draw),
        cmocka_unit_test(chance_is_that_of_all_ways_in_which_strikes_can_lie),
        cmocka_unit_test(without_rows_or_strikes_the_region_is_everything)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
