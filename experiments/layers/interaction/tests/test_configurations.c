/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Configurations as a covering array: what the suites have together, against all values there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/configurations.h>
#include <corridor/suite.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "{\"corridor_experiment\": 1, \"name\": \"small\", \"seed\": 7, \"mode\": \"paired\", \"suites\": 30,"
    " \"sequences\": 1, \"cases\": 5, \"model\": {\"corridor_model\": 1,"
    " \"parameters\": [{\"agents\": [2, 21]},"
    "  {\"s_min <= s_max\": [2, \"agents\"], \"lazy\": [0.0, 0.3]}],"
    " \"constraints\": [\"2 * s_min <= agents + 2\"],"
    " \"agents\": \"agents\", \"idle_ratio\": \"lazy\", \"structure\": {\"size_min\": \"s_min\"},"
    " \"environments\": {\"weather\": {\"random\": {\"states\": 3}}},"
    " \"types\": {\"agent\": {\"level\": [0.2, 1.0]}}, \"invariant\": {\"threshold\": 0.3}},"
    " \"arms\": [{\"name\": \"free\", \"algorithm\": \"random\"},"
    "  {\"name\": \"combined\", \"algorithm\": \"random\", \"configurations\": %s}]}";

static struct cor_experiment *experiment_with(const char *configurations, struct cor_error *error) {
    struct cor_json_document *document;
    struct cor_experiment *experiment = NULL;
    char filled[4096];
    snprintf(filled, sizeof filled, text, configurations);
    if (cor_json_parse(filled, "small.json", &document, error) == COR_OK &&
        cor_experiment_take("small.json", document, NULL, &experiment, error) == COR_OK &&
        cor_experiment_combine(experiment, error) == COR_OK)
        return experiment;
    cor_experiment_destroy(experiment);
    return NULL;
}

static struct cor_experiment *made(const char *configurations) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_experiment *experiment = experiment_with(configurations, &error);
    if (!experiment)
        fail_msg("%s: %s", error.place, error.cause);
    return experiment;
}

/* The parameters of a suite: agents, s_min, s_max, lazy. */
static void draw(const struct cor_experiment *experiment, uint32_t arm, uint32_t index, double *values) {
    static const char *const names[] = {"agents", "s_min", "s_max", "lazy"};
    struct cor_error error = COR_NO_ERROR;
    struct cor_suite *suite;
    if (cor_suite_generate(experiment, arm, index, &suite, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    for (size_t i = 0; i < 4; i++)
        values[i] = suite->parameters[cor_parameter_laws_find(experiment->arms[arm].laws, names[i])];
    cor_suite_destroy(suite);
}

/* Thirds of what each can be: 2 to 21, and 0 to 0.3. */
static int third(size_t parameter, double value) {
    if (parameter == 3)
        return value < 0.1 ? 0 : value < 0.2 ? 1 : 2;
    return value <= 7 ? 0 : value <= 14 ? 1 : 2; /* 20 whole numbers: 6, 7 and 7 */
}

static void all_pairs_of_classes_that_can_be_are_drawn(void **unused) {
    struct cor_experiment *experiment = made("{\"combine\": 2}");
    const struct cor_configurations *c = experiment->arms[1].configurations;
    bool possible[4][4][3][3] = {0}, seen[4][4][3][3] = {0};
    (void)unused;
    assert_int_equal(c->parameter_count, 4);
    for (int agents = 2; agents <= 21; agents++)
        for (int s_min = 2; s_min <= agents && 2 * s_min <= agents + 2; s_min++)
            for (int s_max = s_min; s_max <= agents; s_max++)
                for (int lazy = 0; lazy < 3; lazy++) {
                    double values[] = {agents, s_min, s_max, 0.05 + 0.1 * lazy};
                    for (size_t i = 0; i < 4; i++)
                        for (size_t j = 0; j < i; j++)
                            possible[i][j][third(i, values[i])][third(j, values[j])] = true;
                }
    for (uint32_t s = 0; s < c->row_count; s++) {
        double values[4];
        draw(experiment, 1, s, values);
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < i; j++)
                seen[i][j][third(i, values[i])][third(j, values[j])] = true;
    }
    assert_memory_equal(seen, possible, sizeof seen);
    assert_true(c->row_count >= 9 && c->row_count <= 12);
    assert_int_equal(c->covered + c->impossible + c->undrawn, 6 * 9);
    cor_experiment_destroy(experiment);
}

static void suites_begin_again_behind_the_last_row_and_others_are_as_ever(void **unused) {
    struct cor_experiment *experiment =
        made("{\"combine\": 1, \"classes\": {\"agents\": [2, [3, 10], [20, 21]]}}");
    const struct cor_configurations *c = experiment->arms[1].configurations;
    double values[4], free_values[4], others[4];
    (void)unused;
    assert_int_equal(c->row_count, 3);
    for (uint32_t s = 0; s < 12; s++) {
        draw(experiment, 1, s, values);
        const struct cor_class *class = &c->classes[c->rows[s % 3]];
        assert_true(values[0] >= class->low && values[0] <= class->high);
    }
    draw(experiment, 0, 5, free_values);
    struct cor_experiment *other = made("{\"combine\": 2}");
    draw(other, 0, 5, others);
    assert_memory_equal(free_values, others, sizeof others);
    cor_experiment_destroy(other);
    cor_experiment_destroy(experiment);
}

static void the_array_is_the_same_each_time(void **unused) {
    struct cor_experiment *one = made("{\"combine\": 3}"), *other = made("{\"combine\": 3}");
    const struct cor_configurations *a = one->arms[1].configurations, *b = other->arms[1].configurations;
    (void)unused;
    assert_int_equal(a->row_count, b->row_count);
    assert_memory_equal(a->rows, b->rows, a->row_count * a->parameter_count * sizeof *a->rows);
    cor_experiment_destroy(one);
    cor_experiment_destroy(other);
}

static void what_is_wrong_is_said_with_its_place(void **unused) {
    static const struct {
        const char *configurations, *place, *cause, *remedy;
    } cases[] = {
        {"{}", "small.json: /arms/1/configurations", "lacks the key \"combine\"", ""},
        {"{\"combine\": 7}", "small.json: /arms/1/configurations/combine", "is 7, expected 1 to 6", ""},
        {"{\"combine\": 2, \"clases\": 3}", "small.json: /arms/1/configurations/clases",
         "unknown key \"clases\"", "did you mean \"classes\"? known: combine, classes"},
        {"{\"combine\": 2, \"classes\": {\"agents\": 3}}", "small.json: /arms/1/configurations",
         "combines 2 parameters, but 1 has classes", "lower it, or give more parameters classes"},
        {"{\"combine\": 1, \"classes\": {\"agent\": 3}}", "small.json: /arms/1/configurations/classes/agent",
         "\"agent\" is no parameter that is drawn from a range",
         "did you mean \"agents\"? known: agents, s_min, s_max, lazy"},
        {"{\"combine\": 1, \"classes\": {\"budget\": 3}}",
         "small.json: /arms/1/configurations/classes/budget",
         "\"budget\" is no parameter that is drawn from a range", "known: agents, s_min, s_max, lazy"},
        {"{\"combine\": 1, \"classes\": {\"agents\": []}}",
         "small.json: /arms/1/configurations/classes/agents", "has 0 items, expected 1 to 100", ""},
        {"{\"combine\": 1, \"classes\": {\"agents\": [[2, 5], [5, 9]]}}",
         "small.json: /arms/1/configurations/classes/agents/1", "begins before the class in front of it ends",
         "write classes in order, with nothing in two of them"},
        {"{\"combine\": 1, \"classes\": {\"agents\": [[2.5, 5]]}}",
         "small.json: /arms/1/configurations/classes/agents/0", "\"agents\" is drawn from whole numbers",
         "write whole numbers"},
        {"{\"combine\": 1, \"classes\": {\"agents\": [[1, 5]]}}",
         "small.json: /arms/1/configurations/classes/agents/0/0", "is 1, expected 2 to 21", ""},
        {"{\"combine\": 2, \"classes\": {\"agents\": [[2, 5]], \"s_min\": [[9, 11]]}}",
         "small.json: /arms/1/configurations", "no classes go together under the constraints",
         "make the classes wider"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cor_error error = COR_NO_ERROR;
        assert_null(experiment_with(cases[i].configurations, &error));
        assert_string_equal(error.place, cases[i].place);
        assert_string_equal(error.cause, cases[i].cause);
        assert_string_equal(error.remedy, cases[i].remedy);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs_of_classes_that_can_be_are_drawn),
        cmocka_unit_test(suites_begin_again_behind_the_last_row_and_others_are_as_ever),
        cmocka_unit_test(the_array_is_the_same_each_time),
        cmocka_unit_test(what_is_wrong_is_said_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
