/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Routines against random trees, which are evaluated recursively and in 128 bits: values and constraints of
 * several parts over one array of cells, run in any order. */
#include "integer_trees.h"

#include <corridor/routine.h>

enum { PARTS = 4 };

static void begin_cells(const struct cor_routine *routine, const int64_t *values, int64_t *cells) {
    memcpy(cells, routine->cells, routine->cell_count * sizeof *cells);
    memcpy(cells, values, VARIABLES * sizeof *cells);
}

struct formula {
    struct forest forest;
    struct tree *tree;
    struct cor_expression expression;
};

static void formula_init(struct formula *formula, struct cor_rng *rng, bool constraint) {
    static char text[20000];
    text[0] = '\0';
    formula->forest.used = 0;
    formula->tree =
        constraint ? random_condition(rng, &formula->forest, 3) : random_number(rng, &formula->forest, 3);
    print(rng, formula->tree, text);
    formula->expression = parsed(text, constraint);
}

/* Each part has two numbers, which both stand when it has run, and two constraints. */
static void parts_give_what_trees_give(void **unused) {
    (void)unused;
    static struct formula formulas[PARTS][4];
    static int64_t cells[COR_CELLS_MAX];
    struct cor_error error = COR_NO_ERROR;
    struct cor_rng rng = stream(3);
    uint32_t held = 0, failed = 0, undefined = 0;
    for (int round = 0; round < 2000; round++) {
        struct cor_routine routine;
        struct cor_part parts[PARTS];
        uint16_t at[PARTS][2];
        assert_int_equal(cor_routine_init(&routine, VARIABLES, &error), COR_OK);
        for (int p = 0; p < PARTS; p++) {
            parts[p] = cor_routine_begin(&routine);
            for (int f = 0; f < 4; f++) {
                struct formula *formula = &formulas[p][f];
                formula_init(formula, &rng, f >= 2);
                if (f < 2)
                    assert_int_equal(
                        cor_routine_add_value(&routine, &formula->expression, &parts[p], &at[p][f], &error),
                        COR_OK);
                else
                    assert_int_equal(
                        cor_routine_add_constraint(&routine, &formula->expression, &parts[p], &error),
                        COR_OK);
            }
        }
        int64_t values[VARIABLES];
        for (int v = 0; v < VARIABLES; v++)
            values[v] = random_value(&rng);
        begin_cells(&routine, values, cells);
        for (int run = 0; run < 3 * PARTS; run++) {
            uint32_t p = cor_rng_below(&rng, PARTS);
            int64_t given[4] = {0};
            bool defined = true;
            for (int f = 0; f < 4; f++)
                defined = evaluate(formulas[p][f].tree, values, &given[f]) && defined;
            const bool holds = defined && given[2] && given[3];
            assert_int_equal(cor_routine_run(&routine, parts[p], cells), holds);
            for (int f = 0; f < 2 && holds; f++)
                assert_true(cells[at[p][f]] == given[f]);
            assert_memory_equal(cells, values, sizeof values);
            held += holds;
            failed += defined && !holds;
            undefined += !defined;
        }
        for (int p = 0; p < PARTS; p++)
            for (int f = 0; f < 4; f++)
                cor_expression_fini(&formulas[p][f].expression);
        cor_routine_fini(&routine);
        cor_routine_fini(&routine);
    }
    assert_true(held > 1000 && failed > 1000 && undefined > 1000);
}

/* Names and constants are no operations: they stand in cells, before anything is run. */
static void names_and_constants_take_no_operation(void **unused) {
    (void)unused;
    static const char *const texts[] = {"s_max", "17"};
    const int64_t values[VARIABLES] = {10, 11, 12, 13, 14}, expected[] = {12, 17};
    int64_t cells[COR_CELLS_MAX];
    struct cor_error error = COR_NO_ERROR;
    struct cor_routine routine;
    uint16_t at[2];
    assert_int_equal(cor_routine_init(&routine, VARIABLES, &error), COR_OK);
    struct cor_part part = cor_routine_begin(&routine);
    for (int i = 0; i < 2; i++) {
        struct cor_expression expression = parsed(texts[i], false);
        assert_int_equal(cor_routine_add_value(&routine, &expression, &part, &at[i], &error), COR_OK);
        cor_expression_fini(&expression);
    }
    assert_int_equal(part.end - part.first, 0);
    begin_cells(&routine, values, cells);
    for (int i = 0; i < 2; i++)
        assert_true(cells[at[i]] == expected[i]);
    cor_routine_fini(&routine);
}

/* What must hold is looked at where it is known: behind a conjunction no operation is left. */
static void conjunctions_take_no_operation(void **unused) {
    (void)unused;
    struct cor_error error = COR_NO_ERROR;
    struct cor_routine routine;
    assert_int_equal(cor_routine_init(&routine, VARIABLES, &error), COR_OK);
    struct cor_part part = cor_routine_begin(&routine);
    struct cor_expression expression =
        parsed("2 <= s_min <= s_max <= agents and (n_min < 3 or n_max < 3)", true);
    assert_int_equal(cor_routine_add_constraint(&routine, &expression, &part, &error), COR_OK);
    assert_int_equal(part.end - part.first, 6);
    cor_expression_fini(&expression);
    cor_routine_fini(&routine);
}

static void too_many_cells_are_refused(void **unused) {
    (void)unused;
    struct cor_error error = COR_NO_ERROR;
    struct cor_routine routine;
    struct cor_expression expression = parsed("agents + 1 < 7", true);
    enum cor_status status = COR_OK;
    uint32_t added = 0;
    assert_int_equal(cor_routine_init(&routine, VARIABLES, &error), COR_OK);
    struct cor_part part = cor_routine_begin(&routine);
    for (; status == COR_OK; added++)
        status = cor_routine_add_constraint(&routine, &expression, &part, &error);
    assert_int_equal(status, COR_STATUS_INPUT);
    assert_non_null(strstr(error.cause, "more than 4096 different numbers"));
    assert_in_range(added, 1000, 4096);
    cor_expression_fini(&expression);
    cor_routine_fini(&routine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_give_what_trees_give),
        cmocka_unit_test(names_and_constants_take_no_operation),
        cmocka_unit_test(conjunctions_take_no_operation),
        cmocka_unit_test(too_many_cells_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
