/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Configurations that meet traps: which can be met at all is held against all configurations of a small
 * model, one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/configurations.h>
#include <corridor/solve.h>
#include <corridor/suite.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OK(call)                                                             \
    do {                                                                     \
        if ((call) != COR_OK)                                                \
            fail_msg("%s: %s (%s)", error.place, error.cause, error.remedy); \
    } while (0)

static struct cor_error error;

/* Of agents 4 .. 12, sizes 2 <= s_min <= s_max <= agents, numbers 1 <= n_min <= n_max <= agents / 2. */
static enum cor_status read_with(const char *traps, uint32_t agents, struct cor_experiment **experiment) {
    char text[4096];
    struct cor_json_document *document;
    error = COR_NO_ERROR;
    snprintf(
        text, sizeof text,
        "{\"corridor_experiment\": 1, \"name\": \"small\", \"seed\": 14, \"suites\": 6, \"sequences\": 1, "
        "\"cases\": 5, \"model\": {\"corridor_model\": 1, \"parameters\": [{\"agents\": [4, %u]}, {\"s_min "
        "<= s_max\": [2, \"agents\"], \"n_min <= n_max\": [1, \"agents / 2\"]}], \"constraints\": [\"n_min "
        "* s_min <= agents\", \"n_max * s_max >= agents\", \"ceil_div(agents, s_max) <= agents / s_min\"], "
        "\"agents\": \"agents\", \"structure\": {\"size_min\": \"s_min\", \"size_max\": \"s_max\", "
        "\"count_min\": \"n_min\", \"count_max\": \"n_max\"}, \"environments\": {\"sky\": {\"random\": "
        "{\"states\": 3}}}, \"types\": {\"any\": {\"level\": [0.1, 0.9]}}, \"invariant\": {\"threshold\": "
        "0.3}}, \"arms\": [{\"name\": \"A\", \"algorithm\": \"psopp\", \"parameters\": {\"particles\": [1, "
        "4]}, \"configurations\": {\"traps\": [%s]}}]}",
        agents, traps);
    OK(cor_json_parse(text, "text", &document, &error));
    COR_TRY(cor_experiment_take("text", document, NULL, experiment, &error));
    const enum cor_status status = cor_experiment_combine(*experiment, &error);
    if (status != COR_OK)
        cor_experiment_destroy(*experiment);
    return status;
}

static const char *const traps[] = {
    "n_min == n_max",
    "partitions == n_max and partitions * s_max == agents",
    "s_min == s_max and n_min < n_max",
    "agents == 7 and s_min == 3 and partitions == 2",
    "agents == 7 and s_min == 4 and partitions == 2",
    "partitions * s_min == agents and partitions == 5",
    "agents % 5 == 1 and s_max == agents and partitions == n_min + 2",
    "s_min > 6",
    "n_min > 6",
    "partitions == 4 and s_min == 3 and s_max == 3 and agents != 12",
};
#define TRAPS (sizeof traps / sizeof *traps)

static bool judge(size_t trap, int n, int a, int b, int c, int d, int k) {
    switch (trap) {
    case 0:
        return c == d;
    case 1:
        return k == d && k * b == n;
    case 2:
        return a == b && c < d;
    case 3:
        return n == 7 && a == 3 && k == 2;
    case 4:
        return n == 7 && a == 4 && k == 2;
    case 5:
        return k * a == n && k == 5;
    case 6:
        return n % 5 == 1 && b == n && k == c + 2;
    case 7:
        return a > 6;
    case 8:
        return c > 6;
    default:
        return k == 4 && a == 3 && b == 3 && n != 12;
    }
}

/* Whether there is a configuration, with a number of partitions within its limits, that meets the trap. */
static bool can_be_met(size_t trap) {
    for (int n = 4; n <= 12; n++)
        for (int a = 2; a <= n; a++)
            for (int b = a; b <= n; b++)
                for (int c = 1; c <= n / 2; c++)
                    for (int d = c; d <= n / 2; d++) {
                        if (c * a > n || d * b < n || (n + b - 1) / b > n / a)
                            continue;
                        for (int k = c; k <= d; k++)
                            if (k * a <= n && k * b >= n && judge(trap, n, a, b, c, d, k))
                                return true;
                        if ((trap == 0 || trap == 2 || trap == 7 || trap == 8) &&
                            judge(trap, n, a, b, c, d, 0))
                            return true;
                    }
    return false;
}

static int parameter(const struct cor_suite *suite, const char *name) {
    return (int)suite->parameters[cor_parameter_laws_find(suite->arm->laws, name)];
}

static void check_suites(const struct cor_experiment *experiment, size_t trap) {
    for (uint32_t s = 0; s < experiment->suite_count; s++) {
        struct cor_suite *suite;
        OK(cor_suite_generate(experiment, 0, s, &suite, &error));
        const struct cor_configuration *c = suite->configuration;
        assert_true(judge(trap, (int)c->agent_count, (int)c->limits.size_min, (int)c->limits.size_max,
                          (int)c->limits.count_min, (int)c->limits.count_max, (int)c->initial_partitions));
        assert_int_equal(parameter(suite, "n_max"), c->limits.count_max);
        assert_in_range(c->initial_partitions, c->limits.count_min, c->limits.count_max);
        cor_suite_destroy(suite);
    }
}

static void suites_meet_their_trap_and_what_none_can_meet_is_refused(void **unused) {
    (void)unused;
    if (!cor_solver_is_there())
        skip();
    uint32_t refused = 0;
    for (size_t t = 0; t < TRAPS; t++) {
        char quoted[300];
        struct cor_experiment *experiment;
        snprintf(quoted, sizeof quoted, "\"%s\"", traps[t]);
        const enum cor_status status = read_with(quoted, 12, &experiment);
        assert_int_equal(status == COR_OK, can_be_met(t));
        if (status != COR_OK) {
            assert_int_equal(status, COR_STATUS_INPUT);
            assert_non_null(strstr(error.cause, "no parameters that the arm can draw meet the trap"));
            refused++;
            continue;
        }
        check_suites(experiment, t);
        cor_experiment_destroy(experiment);
    }
    assert_true(refused >= 2);
}

static void traps_come_in_turn_and_a_suite_is_a_function_of_its_number(void **unused) {
    (void)unused;
    struct cor_experiment *experiment;
    OK(read_with("\"n_min == n_max\", \"n_min < n_max and partitions == n_min\"", 12, &experiment));
    for (uint32_t s = 6; s-- > 0;) {
        struct cor_suite *one, *other;
        OK(cor_suite_generate(experiment, 0, s, &one, &error));
        OK(cor_suite_generate(experiment, 0, s, &other, &error));
        assert_int_equal(parameter(one, "n_min") == parameter(one, "n_max"), s % 2 == 0);
        if (s % 2 == 1)
            assert_int_equal(one->configuration->initial_partitions, parameter(one, "n_min"));
        assert_int_equal(cor_configuration_hash(one->configuration),
                         cor_configuration_hash(other->configuration));
        cor_suite_destroy(one);
        cor_suite_destroy(other);
    }
    cor_experiment_destroy(experiment);
}

/* One configuration in some 10^10: draws do not find it. Of those that are left the first is taken, whichever
 * z3 comes upon: the smallest s_max of 3 s_max >= 997, then the smallest of the others. */
static void what_is_never_drawn_is_the_first_solution(void **unused) {
    (void)unused;
    if (!cor_solver_is_there())
        skip();
    struct cor_experiment *experiment;
    OK(read_with("\"agents == 997 and s_min == 331 and n_max == 3 and partitions == 3\"", 1000, &experiment));
    for (uint32_t s = 0; s < 2; s++) {
        struct cor_suite *suite;
        OK(cor_suite_generate(experiment, 0, s, &suite, &error));
        const struct cor_configuration *c = suite->configuration;
        assert_true(c->agent_count == 997 && c->limits.size_min == 331 && c->initial_partitions == 3);
        assert_int_equal(parameter(suite, "s_max"), 333);
        assert_int_equal(parameter(suite, "n_min"), 1);
        assert_int_equal(parameter(suite, "particles"), 1);
        cor_suite_destroy(suite);
    }
    cor_experiment_destroy(experiment);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suites_meet_their_trap_and_what_none_can_meet_is_refused),
        cmocka_unit_test(traps_come_in_turn_and_a_suite_is_a_function_of_its_number),
        cmocka_unit_test(what_is_never_drawn_is_the_first_solution)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
