/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Properties asked of rows of tests beside a model, made by hand, as the schema of the efsm layer says how
 * they become cases. */
#include <corridor/efsm_schema.h>
#include <corridor/efsm_terms.h>
#include <corridor/property.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct cor_catalog_entry places[] = {{0, "down", ""}, {1, "up", ""}},
                                      inputs[] = {{0, "OPEN", ""}, {1, "SEND", ""}},
                                      transitions[] = {{0, "-", ""}, {1, "open", ""}, {2, "ack", ""}},
                                      traps[] = {{0, "far", ""}, {1, "near", ""}, {2, "left", ""}};

/* Three moves; "near" is covered by the second, "far" by none, and "left" is a column. */
static double ask_test(const struct cor_efsm_test_row *test, const char *text) {
    static const struct cor_efsm_move_row moves[] = {
        {.move = 1, .location = 0, .input = 0, .transition = 1, .allowed = 1, .outputs = 1, .left = 3},
        {.move = 2,
         .location = 1,
         .input = 1,
         .transition = 2,
         .allowed = 1,
         .outputs = 1,
         .left = 2,
         .gained = 1},
        {.move = 3, .location = 1, .input = 1, .left = UINT32_MAX}};
    static const struct cor_efsm_trap_row covered[] = {{.trap = 0}, {.trap = 1, .move = 2}};
    const struct cor_asked_rows suite[COR_ASKED_COUNT] = {[COR_ASKED_CASES] = {moves, test->moves},
                                                          [COR_ASKED_BESIDE] = {test, 1},
                                                          [COR_ASKED_MET] = {covered, 2},
                                                          [COR_ASKED_LOOKED_FOR] = {covered, 2}};
    const struct cor_result_header head = {.layer = &cor_efsm_schema,
                                           .catalog = {[COR_EFSM_CATALOG_LOCATION] = places,
                                                       [COR_EFSM_CATALOG_INPUT] = inputs,
                                                       [COR_EFSM_CATALOG_TRANSITION] = transitions,
                                                       [COR_EFSM_CATALOG_TRAP] = traps},
                                           .catalog_size = {[COR_EFSM_CATALOG_LOCATION] = 2,
                                                            [COR_EFSM_CATALOG_INPUT] = 2,
                                                            [COR_EFSM_CATALOG_TRANSITION] = 3,
                                                            [COR_EFSM_CATALOG_TRAP] = 3}};
    struct cor_property_value value;
    struct cor_property *property;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_property_parse_of(&head, text, NULL, &property, &error), COR_OK);
    assert_int_equal(cor_property_ask_rows(property, suite, 0, &value, &error), COR_OK);
    assert_int_equal(value.cases, test->moves);
    assert_int_equal(value.has_failed, test->verdict == COR_TEST_FAIL);
    cor_property_destroy(property);
    return value.value;
}

/* What each of four ways in which a test may end says of a property; -1: unknown. */
static void test_moves(void **state) {
    static const struct {
        const char *text;
        double passed, failed, trouble, nothing;
    } table[] = {
        {"P [ eventually failed ]", 0, 1, -1, -1},
        {"P [ always not failed ]", 1, 0, -1, -1},
        {"P [ next[2, 2] (failed) ]", 0, 1, -1, -1},
        {"P [ next[1, 1] (failed) ]", 0, 0, 0, -1},
        {"P [ eventually near ]", 1, 1, 1, -1},
        {"P [ next[1, 1] (near) ]", 1, 1, 1, -1},
        {"P [ eventually far ]", 0, 0, -1, -1},
        {"P [ eventually location = 'up' ]", 1, 1, 1, -1},
        {"P [ eventually transition = 'ack' ]", 1, 1, 1, -1},
        {"P [ always allowed ]", 0, 0, -1, -1},
        {"P [ eventually left = 1 ]", -1, -1, -1, -1},
        {"P [ eventually left = 2 ]", 1, 1, 1, -1},
        {"P [ always verdict = 'pass' ]", 1, 0, 0, -1},
        {"P [ verdict = 'trouble' ]", 0, 0, 1, -1},
        {"P [ always verdict = 'trouble' ]", 0, 0, -1, -1},
        {"P [ always moves = 3 ]", 1, 1, -1, -1},
        {"E [ moves ]", 3, 3, -1, -1},
        {"E [ sum gained ]", 1, 1, -1, -1},
        {"E [ max case ]", 3, 3, -1, -1},
        {"E [ sum outputs ]", 2, 2, -1, -1},
        {"E [ outputs at 2 ]", 1, 1, 1, -1},
        {"E [ planned ]", -1, 4, -1, -1},
    };
    const struct cor_efsm_test_row ways[] = {
        {.verdict = COR_TEST_PASS, .moves = 3, .planned = UINT32_MAX},
        {.verdict = COR_TEST_FAIL, .moves = 3, .failed = 3, .planned = 4},
        {.verdict = COR_TEST_TROUBLE, .trouble = COR_SYSTEM_DIED, .moves = 3},
        {.verdict = COR_TEST_PASS}};
    (void)state;
    for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
        const double expected[] = {table[t].passed, table[t].failed, table[t].trouble, table[t].nothing};
        for (size_t w = 0; w < 4; w++) {
            const double found = ask_test(&ways[w], table[t].text);
            if (expected[w] < 0 ? !isnan(found) : found != expected[w])
                fail_msg("%s, way %zu: %g, expected %g", table[t].text, w, found, expected[w]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_moves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
