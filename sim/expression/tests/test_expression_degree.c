/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Degrees against the published table, written down once more here, recursively and in 128 bits; what ranges
 * decide against values drawn from them; and printed expressions, which are parsed again. */
#include "integer_trees.h"

__extension__ typedef __int128 wide;

static const wide infinite = (wide)UINT64_MAX;

static wide cut(wide degree) {
    return degree > infinite ? infinite : degree;
}

static bool is_leaf(const struct tree *tree) {
    return tree->op == COR_OPERATOR_CONSTANT;
}

/* The degree of the tree, or of its denial. Every part is defined. */
static wide degree(const struct tree *tree, const int64_t *values, bool denied) {
    if (tree->op == COR_OPERATOR_NOT)
        return degree(tree->left, values, !denied);
    if (tree->op == COR_OPERATOR_AND || tree->op == COR_OPERATOR_OR) {
        wide a = degree(tree->left, values, denied), b = degree(tree->right, values, denied);
        return (tree->op == COR_OPERATOR_AND) != denied ? cut(a + b) : a < b ? a : b;
    }
    int64_t left = 0, right = 0;
    assert_true(evaluate(tree->left, values, &left) && evaluate(tree->right, values, &right));
    wide a = left, b = right, found = 0;
    switch (tree->op) {
    case COR_OPERATOR_LESS: /* denied: b <= a */
        found = !denied ? (a < b ? 0 : a - b + 1) : (b <= a ? 0 : b - a);
        break;
    case COR_OPERATOR_LESS_EQUAL: /* denied: b < a */
        found = !denied ? (a <= b ? 0 : a - b) : (b < a ? 0 : b - a + 1);
        break;
    default:
        found = (tree->op == COR_OPERATOR_EQUAL) != denied ? (a < b ? b - a : a - b) : a == b;
    }
    return found > 0 && is_leaf(tree->left) && is_leaf(tree->right) ? infinite : cut(found);
}

static void degrees_are_those_of_the_published_table(void **unused) {
    (void)unused;
    const int64_t v[VARIABLES] = {17, 3, 5, -2, 0};
    const struct {
        const char *text;
        uint64_t degree;
    } cases[] = {
        {"agents = 17", 0},
        {"agents = 20", 3},
        {"20 = agents", 3},
        {"agents != 17", 1},
        {"agents != 16", 0},
        {"agents >= 17", 0},
        {"agents >= 19", 2},
        {"agents > 17", 1},
        {"agents > 19", 3},
        {"agents < 17", 1},
        {"agents <= 10", 7},
        {"agents = 20 and s_min = 5", 5},
        {"agents = 20 or s_min = 5", 2},
        {"not (agents = 17 or s_min = 3)", 2},
        {"not (agents = 17 and s_min = 3)", 1},
        {"not (agents < 20)", 3},
        {"agents = 20 and agents = 20", 6},
        {"true", 0},
        {"false", COR_DEGREE_INFINITE},
        {"3 = 4", COR_DEGREE_INFINITE},
        {"agents = 17 and false", COR_DEGREE_INFINITE},
        {"agents = 20 or false", 3},
        {"not true", COR_DEGREE_INFINITE},
        {"agents / n_max = 1", COR_DEGREE_INFINITE},
        {"agents * 542551296285575047 = 9223372036854775799", 0},
        {"-9223372036854775807 - 1 = agents * 542551296285575047", UINT64_C(18446744073709551607)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cor_expression expression = parsed(cases[i].text, true);
        uint64_t found = cor_expression_degree(&expression, v);
        if (found != cases[i].degree)
            fail_msg("%s: %llu", cases[i].text, (unsigned long long)found);
        cor_expression_fini(&expression);
    }
}

static void degrees_agree_with_those_of_random_trees_and_are_0_where_they_hold(void **unused) {
    (void)unused;
    struct cor_rng rng = stream(11);
    int held = 0, far = 0;
    for (int round = 0; round < 20000; round++) {
        struct forest forest = {.used = 0};
        struct tree *tree = random_condition(&rng, &forest, 3);
        char text[20000] = "";
        print(&rng, tree, text);
        struct cor_expression expression = parsed(text, true);
        for (int i = 0; i < 4; i++) {
            int64_t values[VARIABLES], whole;
            for (int v = 0; v < VARIABLES; v++)
                values[v] = random_value(&rng);
            uint64_t found = cor_expression_degree(&expression, values);
            bool holds = cor_expression_holds(&expression, values);
            wide expected = evaluate(tree, values, &whole) ? degree(tree, values, false) : infinite;
            if (found != expected || holds != (found == 0))
                fail_msg("%s: %llu", text, (unsigned long long)found);
            held += holds;
            far += found > 0 && found < COR_DEGREE_INFINITE;
        }
        cor_expression_fini(&expression);
    }
    assert_true(held > 8000 && far > 8000);
}

static void degrees_do_not_depend_on_the_order_of_conjuncts(void **unused) {
    (void)unused;
    struct cor_rng rng = stream(12);
    for (int round = 0; round < 3000; round++) {
        struct forest forest = {.used = 0};
        struct tree *a = random_condition(&rng, &forest, 2), *b = random_condition(&rng, &forest, 2);
        enum cor_operator joins = round % 2 ? COR_OPERATOR_AND : COR_OPERATOR_OR;
        char one[20000] = "", other[20000] = "";
        print(&rng, plant(&forest, joins, a, b), one);
        print(&rng, plant(&forest, joins, b, a), other);
        struct cor_expression first = parsed(one, true), second = parsed(other, true);
        int64_t values[VARIABLES];
        for (int v = 0; v < VARIABLES; v++)
            values[v] = random_value(&rng);
        assert_true(cor_expression_degree(&first, values) == cor_expression_degree(&second, values));
        cor_expression_fini(&first);
        cor_expression_fini(&second);
    }
}

/* Small ranges, so that each of their values is tried. */
static void what_ranges_decide_is_true_of_all_their_values(void **unused) {
    (void)unused;
    struct cor_rng rng = stream(13);
    int count[3] = {0};
    for (int round = 0; round < 6000; round++) {
        struct forest forest = {.used = 0};
        struct tree *tree = random_condition(&rng, &forest, 2);
        char text[20000] = "";
        print(&rng, tree, text);
        struct cor_expression expression = parsed(text, true);
        int64_t low[VARIABLES], high[VARIABLES], values[VARIABLES], whole;
        for (int v = 0; v < VARIABLES; v++) {
            low[v] = cor_rng_between(&rng, -20, 20);
            high[v] = low[v] + cor_rng_below(&rng, 3);
            values[v] = low[v];
        }
        enum cor_decision decision = cor_expression_decide(&expression, low, high);
        count[decision]++;
        for (int v = 0; v < VARIABLES;) {
            bool holds = cor_expression_holds(&expression, values);
            bool defined = evaluate(tree, values, &whole);
            if ((holds && decision == COR_DECISION_NEVER) ||
                (!holds && defined && decision == COR_DECISION_ALWAYS))
                fail_msg("%s", text);
            for (v = 0; v < VARIABLES && values[v]++ == high[v]; v++)
                values[v] = low[v];
        }
        cor_expression_fini(&expression);
    }
    assert_true(count[COR_DECISION_NEVER] > 1000 && count[COR_DECISION_ALWAYS] > 1000);
}

static void ranges_decide_what_they_can(void **unused) {
    (void)unused;
    const int64_t low[VARIABLES] = {2, -3, 2, 0, -4}, high[VARIABLES] = {1000, 5, 7, 0, -2};
    const struct {
        const char *text;
        enum cor_decision decision;
    } cases[] = {
        {"s_max < 8", COR_DECISION_ALWAYS},
        {"s_max < 2", COR_DECISION_NEVER},
        {"s_max < 7", COR_DECISION_OPEN},
        {"n_min = 0", COR_DECISION_ALWAYS},
        {"n_min != 0", COR_DECISION_NEVER},
        {"n_max = s_min", COR_DECISION_OPEN},
        {"n_max = agents", COR_DECISION_NEVER},
        {"s_max < 2 or n_min = 0", COR_DECISION_ALWAYS},
        {"s_max < 2 and s_min = 0", COR_DECISION_NEVER},
        {"not (s_max < 2 and s_min = 0)", COR_DECISION_ALWAYS},
        {"agents / n_min = 1 or true", COR_DECISION_NEVER},
        {"s_max + agents <= 1007", COR_DECISION_ALWAYS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cor_expression expression = parsed(cases[i].text, true);
        if (cor_expression_decide(&expression, low, high) != cases[i].decision)
            fail_msg("%s", cases[i].text);
        cor_expression_fini(&expression);
    }
}

static void printed_expressions_are_parsed_to_the_same(void **unused) {
    (void)unused;
    struct cor_rng rng = stream(14);
    for (int round = 0; round < 10000; round++) {
        struct forest forest = {.used = 0};
        bool constraint = round % 2;
        struct tree *tree = constraint ? random_condition(&rng, &forest, 3) : random_number(&rng, &forest, 4);
        char text[20000] = "";
        print(&rng, tree, text);
        struct cor_expression expression = parsed(text, constraint);
        char *printed = cor_expression_print(&expression, expression.node_count - 1,
                                             &(const struct cor_naming){.names = names});
        struct cor_expression again = parsed(printed, constraint);
        assert_int_equal(again.node_count, expression.node_count);
        for (uint32_t i = 0; i < again.node_count; i++) {
            assert_int_equal(again.nodes[i].operator, expression.nodes[i].operator);
            assert_int_equal(again.nodes[i].left, expression.nodes[i].left);
            assert_int_equal(again.nodes[i].right, expression.nodes[i].right);
            assert_int_equal(again.nodes[i].constant, expression.nodes[i].constant);
        }
        free(printed);
        cor_expression_fini(&again);
        cor_expression_fini(&expression);
    }
}

static void printing_uses_no_brackets_that_are_not_needed(void **unused) {
    (void)unused;
    static const char *const same[] = {
        "agents - (s_min - 1) < 3 && (agents < 1 || !(s_min == 2))",
        "agents * (s_min + 1) % 3 != -agents",
        "min(agents, max(1, s_min)) <= abs(n_min) + ceil_div(4, 2) / 2",
        "true && agents > 3 && 4 >= s_min || false",
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct cor_expression expression = parsed(same[i], true);
        char *printed = cor_expression_print(&expression, expression.node_count - 1,
                                             &(const struct cor_naming){.names = names});
        assert_string_equal(printed, same[i]);
        free(printed);
        cor_expression_fini(&expression);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(degrees_are_those_of_the_published_table),
        cmocka_unit_test(degrees_agree_with_those_of_random_trees_and_are_0_where_they_hold),
        cmocka_unit_test(degrees_do_not_depend_on_the_order_of_conjuncts),
        cmocka_unit_test(what_ranges_decide_is_true_of_all_their_values),
        cmocka_unit_test(ranges_decide_what_they_can),
        cmocka_unit_test(printed_expressions_are_parsed_to_the_same),
        cmocka_unit_test(printing_uses_no_brackets_that_are_not_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
