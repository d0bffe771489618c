/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Properties asked of rows of tests of running systems, made by hand, as the schema of the system layer says
 * how they become cases. */
#include <corridor/property.h>
#include <corridor/system_schema.h>
#include <corridor/system_terms.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct cor_catalog_entry actions[] = {{0, "wait", ""}, {1, "look", ""}, {2, "move", ""}},
                                      states[] = {{0, "inside", ""}, {1, "lit", ""}, {2, "seen", ""}};
static const struct cor_result_header head = {
    .layer = &cor_system_schema,
    .catalog = {[COR_SYSTEM_CATALOG_ACTION] = actions, [COR_SYSTEM_CATALOG_STATE] = states},
    .catalog_size = {[COR_SYSTEM_CATALOG_ACTION] = 3, [COR_SYSTEM_CATALOG_STATE] = 3}};

static double ask(const struct cor_system_test_row *test, const struct cor_system_cycle_row *turns,
                  size_t count, const char *text) {
    const struct cor_asked_rows suite[COR_ASKED_COUNT] = {
        [COR_ASKED_CASES] = {turns, count}, [COR_ASKED_BESIDE] = {test, 1}};
    struct cor_property_value value;
    struct cor_property *property;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_property_parse_of(&head, text, NULL, &property, &error), COR_OK);
    assert_int_equal(cor_property_ask_rows(property, suite, 0, &value, &error), COR_OK);
    assert_int_equal(value.cases, count);
    assert_int_equal(value.has_failed, test->verdict == COR_TEST_FAIL);
    cor_property_destroy(property);
    return value.value;
}

/* What each of four ways in which a test may end says of a property; -1: unknown. Two test agents look, and
 * take a turn each in both cycles; "lit" is unknown in the last turn of the first, "seen" never holds. */
static void test_turns(void **state) {
    static const struct cor_system_cycle_row turns[] = {
        {.cycle = 0, .action = 1, .column = UINT32_MAX},
        {.cycle = 0, .action = 1, .column = UINT32_MAX},
        {.cycle = 1, .action = 2, .state = 1, .reward = 0.5, .column = 3},
        {.cycle = 1, .action = 2, .state = 1, .state_unknown = 2, .reward = 0.25, .column = 4},
        {.cycle = 2, .action = 0, .state = 2, .column = 4},
        {.cycle = 2, .action = 0, .state = 3, .column = 5}};
    static const struct {
        const char *text;
        double passed, failed, trouble, open;
    } table[] = {
        {"P [ eventually failed ]", 0, 1, -1, -1},
        {"P [ next[3, 3] (failed) ]", 0, 1, 0, -1},
        {"P [ next[2, 2] (failed) ]", 0, 0, 0, -1},
        {"E [ sum failed ]", 0, 1, -1, -1},
        {"P [ eventually inside ]", 1, 1, 1, 1},
        {"P [ next[4, 4] (inside) ]", 0, 0, 0, 0},
        {"P [ next[5, 5] (inside) ]", 1, 1, -1, 1},
        {"P [ eventually seen ]", 0, 0, -1, 0},
        {"P [ next[3, 3] (lit) ]", -1, -1, -1, -1},
        {"P [ next[4, 4] (lit) ]", 1, 1, 1, 1},
        {"P [ eventually (action = 'move' and inside) ]", 1, 1, 1, 1},
        {"P [ eventually column > 4 ]", 1, 1, -1, 1},
        {"P [ always column > 2 ]", -1, -1, -1, -1},
        {"P [ eventually (cycle = 1 and column = 4) ]", 1, 1, 1, 1},
        {"P [ always verdict = 'fail' ]", 0, 1, 0, 0},
        {"E [ cycles ]", 2, 2, -1, 2},
        {"E [ sum reward ]", 0.75, 0.75, -1, 0.75},
        {"E [ max case ]", 6, 6, -1, 6},
    };
    const struct cor_system_test_row ways[] = {
        {.verdict = COR_TEST_PASS, .cycles = 2},
        {.verdict = COR_TEST_FAIL, .cycles = 2, .decided = 1},
        {.verdict = COR_TEST_TROUBLE, .cycles = 2, .trouble = COR_SYSTEM_HUNG},
        {.verdict = COR_TEST_INCONCLUSIVE, .cycles = 2, .unknown = 1}};
    (void)state;
    for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
        const double expected[] = {table[t].passed, table[t].failed, table[t].trouble, table[t].open};
        for (size_t w = 0; w < 4; w++) {
            const double found = ask(&ways[w], turns, sizeof turns / sizeof *turns, table[t].text);
            if (expected[w] < 0 ? !isnan(found) : found != expected[w])
                fail_msg("%s, way %zu: %g, expected %g", table[t].text, w, found, expected[w]);
        }
    }
}

/* Of a test that was cut since it kept too many turns nothing is known of those that would have come. */
static void test_cut(void **state) {
    const struct cor_system_test_row test = {.verdict = COR_TEST_INCONCLUSIVE};
    struct cor_system_cycle_row *turns = calloc(COR_SYSTEM_TURNS_MAX, sizeof *turns);
    (void)state;
    assert_non_null(turns);
    assert_true(ask(&test, turns, COR_SYSTEM_TURNS_MAX - 16, "P [ eventually seen ]") == 0);
    assert_true(isnan(ask(&test, turns, COR_SYSTEM_TURNS_MAX - 15, "P [ eventually seen ]")));
    free(turns);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_turns), cmocka_unit_test(test_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
