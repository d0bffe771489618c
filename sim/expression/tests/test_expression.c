/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expressions against random trees: a tree is printed, parsed again, and must give what the tree gives when
 * it is evaluated here, recursively and in 128 bits. */
#include "integer_trees.h"

static bool holds(const char *text, const int64_t *values) {
    struct cor_expression expression = parsed(text, true);
    bool answer = cor_expression_holds(&expression, values);
    cor_expression_fini(&expression);
    return answer;
}

static bool value_of(const char *text, const int64_t *values, int64_t *value) {
    struct cor_expression expression = parsed(text, false);
    bool defined = cor_expression_value(&expression, values, value);
    cor_expression_fini(&expression);
    return defined;
}

static void numbers_are_computed(void **unused) {
    (void)unused;
    const int64_t v[VARIABLES] = {17, 3, 5, -2, 0};
    const struct {
        const char *text;
        int64_t value;
    } cases[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"10 - 4 - 3", 3},
        {"100 / 10 / 5", 2},
        {"2 * 7 / 3", 4},
        {"2 * (7 / 3)", 4},
        {"7 / 3 * 2", 4},
        {"-s_min * 2", -6},
        {"- -s_min", 3},
        {"1 - -1", 2},
        {"-7 / 2", -4},
        {"7 / -2", -4},
        {"-7 / -2", 3},
        {"-7 % 3", 2},
        {"7 % -3", -2},
        {"-7 % -3", -1},
        {"6 % 3", 0},
        {"-(7 / 2)", -3},
        {"ceil_div(7, 2)", 4},
        {"ceil_div(-7, 2)", -3},
        {"ceil_div(7, -2)", -3},
        {"ceil_div(-7, -2)", 4},
        {"ceil_div(6, 2)", 3},
        {"min(4, 2)", 2},
        {"min(4, 2, 3, 1, 9)", 1},
        {"max(4, 2, 30, 1)", 30},
        {"abs(-4)", 4},
        {"abs(n_min - agents)", 19},
        {"agents / s_min", 5},
        {"ceil_div(agents, s_max) + 1", 5},
        {"  agents\n\t/ s_min ", 5},
        {"9223372036854775807", INT64_MAX},
        {"-9223372036854775807 - 1", INT64_MIN},
        {"(-9223372036854775807 - 1) % -1", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value;
        assert_true(value_of(cases[i].text, v, &value));
        if (value != cases[i].value)
            fail_msg("%s is %lld", cases[i].text, (long long)value);
    }
}

static void undefined_numbers_have_no_value_and_hold_nowhere(void **unused) {
    (void)unused;
    const int64_t v[VARIABLES] = {17, 3, 5, -2, 0};
    static const char *const cases[] = {
        "9223372036854775807 + 1",
        "-9223372036854775807 - 2",
        "3037000500 * 3037000500",
        "agents / n_max",
        "agents % n_max",
        "ceil_div(agents, n_max)",
        "0 * (1 / n_max)",
        "(-9223372036854775807 - 1) / -1",
        "-(-9223372036854775807 - 1)",
        "abs(-9223372036854775807 - 1)",
        "ceil_div(-9223372036854775807 - 1, -1)",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value;
        assert_false(value_of(cases[i], v, &value));
        char constraint[200];
        const char *const also[] = {"%s >= 0", "%s < 0", "not (%s == 0)", "1 == 1 or %s == 0",
                                    "1 == 2 implies %s == 0"};
        for (size_t a = 0; a < sizeof also / sizeof *also; a++) {
            const char *hole = strchr(also[a], '%');
            snprintf(constraint, sizeof constraint, "%.*s%s%s", (int)(hole - also[a]), also[a], cases[i],
                     hole + 2);
            assert_false(holds(constraint, v));
        }
    }
}

static void conditions_hold_where_they_should_and_only_there(void **unused) {
    (void)unused;
    const int64_t v[VARIABLES] = {17, 3, 5, -2, 0};
    static const char *const hold[] = {
        "n_min * s_min <= agents",
        "true",
        "!false",
        "false || true",
        "true || true && false", /* and binds tighter than or, */
        "false && false || true",
        "!false || true && false", /* not tighter than and, */
        "!1 > 2",                  /* and comparisons tighter than not */
        "!s_min == s_max",
        "1 != 2 && !(1 == 2)",
        "false implies false && false",
        "2 <= s_min <= s_max <= agents",
        "3 = s_min == 3",
        "1 < 2 > 1",
        "1 != 2 != 1",
        "s_max > s_min",
        "s_max >= 5",
        "not s_max < 5",
        "not not 1 < 2",
        "1 < 2 or 1 > 2 and 1 > 2",
        "1 > 2 implies 2 > 3 implies 3 > 4",
        "1 < 2 implies 1 < 2",
        "not 1 > 2 and 1 < 2",
        "(1 < 2) and ((s_min) < (s_max))",
        "1 > 2 or 1 < 2 implies 1 < 2",
        "1 < 2 and not 2 < 1 or 3 < 2",
    };
    static const char *const fail[] = {
        "s_min > s_max",
        "false",
        "!true",
        "true && false",
        "true && !true || false",
        "true || true implies false",
        "!1 < 2",
        "!!(1 > 2)",
        "not (true and (false || true))",
        "2 <= s_min <= 2 <= agents",
        "5 > 4 > 4",
        "1 < 2 implies 1 > 2",
        "not 1 < 2 or 1 > 2",
        "(1 < 2 or 1 < 2) and 1 > 2",
        "(1 > 2 implies 2 > 3) implies 3 > 4",
        "not (1 < 2 and 2 < 3)",
    };
    for (size_t i = 0; i < sizeof hold / sizeof *hold; i++)
        if (!holds(hold[i], v))
            fail_msg("%s should hold", hold[i]);
    for (size_t i = 0; i < sizeof fail / sizeof *fail; i++)
        if (holds(fail[i], v))
            fail_msg("%s should not hold", fail[i]);
}

static void the_variables_read_are_known(void **unused) {
    (void)unused;
    struct cor_expression expression = parsed("n_min * s_min <= 7", true);
    assert_int_equal(cor_expression_last_variable(&expression), 3);
    assert_true(cor_expression_reads(&expression, 1) && cor_expression_reads(&expression, 3));
    assert_false(cor_expression_reads(&expression, 0));
    assert_string_equal(expression.text, "n_min * s_min <= 7");
    cor_expression_fini(&expression);
    cor_expression_fini(&expression);
    expression = parsed("1 + 1", false);
    assert_int_equal(cor_expression_last_variable(&expression), -1);
    cor_expression_fini(&expression);
}

static void signs_are_shown_as_words(void **unused) {
    (void)unused;
    static const char *const cases[][2] = {
        {"1 < 2 && 2 < 3", "1 < 2 and 2 < 3"},
        {"1<2&&2<3||!3<2", "1<2 and 2<3 or not 3<2"},
        {"!!(!true)", "not not (not true)"},
        {"1 != 2 && !(1!=1)", "1 != 2 and not (1!=1)"},
        {"  not false or true ", "  not false or true "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cor_expression given = parsed(cases[i][0], true), shown = parsed(cases[i][1], true);
        assert_string_equal(given.text, cases[i][1]);
        assert_string_equal(shown.text, cases[i][1]);
        assert_int_equal(given.node_count, shown.node_count);
        for (uint32_t n = 0; n < given.node_count; n++) {
            const struct cor_node *a = &given.nodes[n], *b = &shown.nodes[n];
            assert_true(a->operator== b->operator&& a->left == b->left && a->right == b->right &&
                        a->constant == b->constant && a->variable == b->variable);
        }
        cor_expression_fini(&given);
        cor_expression_fini(&shown);
    }
}

static void complaints_say_column_cause_and_remedy(void **unused) {
    (void)unused;
    static const char known[] = "known: agents, s_min, s_max, n_min, n_max";
    const struct {
        const char *text, *cause, *remedy; /* remedy NULL: that of an unknown name */
        bool constraint;
    } cases[] = {
        {"", "column 1 of \"\": expected a number, a name or \"(\", found the end", "", true},
        {"agents <=", "column 10 of \"agents <=\": expected a number, a name or \"(\", found the end", "",
         true},
        {"agents <= (2", "column 13 of \"agents <= (2\": expected an operator or \")\", found the end", "",
         true},
        {"agents s_min", "column 8 of \"agents s_min\": expected an operator or the end, found \"s_min\"", "",
         true},
        {"2 <= ) 3", "column 6 of \"2 <= ) 3\": expected a number, a name or \"(\", found \")\"", "", true},
        {"1 < 2, 3", "column 6 of \"1 < 2, 3\": expected an operator or the end, found \",\"", "", true},
        {"* 2 < 3", "column 1 of \"* 2 < 3\": expected a number, a name or \"(\", found \"*\"", "", true},
        {"agent < 3", "column 1 of \"agent < 3\": there is no parameter \"agent\"",
         "did you mean \"agents\"? ", true},
        {"2 < zzzzzzz", "column 5 of \"2 < zzzzzzz\": there is no parameter \"zzzzzzz\"", NULL, true},
        {"2 < mn(1, 2)", "column 5 of \"2 < mn(1, 2)\": there is no function \"mn\"",
         "did you mean \"min\"? known: min, max, abs, ceil_div", true},
        {"abs(1, 2) < 3", "column 1 of \"abs(1, 2) < 3\": \"abs\" takes one argument, and here are 2", "",
         true},
        {"min(1) < 3", "column 1 of \"min(1) < 3\": \"min\" takes two arguments or more, and here is 1", "",
         true},
        {"ceil_div(1, 2, 3) < 3",
         "column 1 of \"ceil_div(1, 2, 3) < 3\": \"ceil_div\" takes two arguments, and here are 3", "", true},
        {"agents < 0.5",
         "column 10 of \"agents < 0.5\": constraints are over integers, and this is a real number",
         "scale it: 2 * x <= y instead of x <= 0.5 * y", true},
        {"1 < 2x", "column 6 of \"1 < 2x\": a number runs into a name", "", true},
        {"1 < 9223372036854775808", "column 5 of \"1 < 9223372036854775808\": the number is too large",
         "the largest is 9223372036854775807", true},
        {"1 < 2 & 2 < 3", "column 7 of \"1 < 2 & 2 < 3\": \"&\" means nothing here", "write \"and\"", true},
        {"1 < 2 | 2 < 3", "column 7 of \"1 < 2 | 2 < 3\": \"|\" means nothing here", "write \"or\"", true},
        {"1 < 2 && 3", "column 7 of \"1 < 2 && 3\": \"&&\" joins conditions, and this is a number",
         "compare the number with another", true},
        {"!agents", "column 1 of \"!agents\": \"!\" joins conditions, and this is a number",
         "compare the number with another", true},
        {"true + 1 < 2", "column 6 of \"true + 1 < 2\": \"+\" works on numbers, and this is a condition", "",
         true},
        {"false", "column 1 of \"false\": it is a condition where a number is expected", "", false},
        {"1 < 2 &&", "column 9 of \"1 < 2 &&\": expected a number, a name or \"(\", found the end", "", true},
        {"1 < 2 ! 2 < 3", "column 7 of \"1 < 2 ! 2 < 3\": expected an operator or the end, found \"!\"", "",
         true},
        {"true(1)", "column 5 of \"true(1)\": expected an operator or the end, found \"(\"", "", true},
        {"s_min \xE2\x89\xA4 3", "column 7 of \"s_min ??? 3\": \"\xE2\x89\xA4\" means nothing here",
         "write <=", true},
        {"agents not in 3", "column 8 of \"agents not in 3\": expected an operator or the end, found \"not\"",
         "write !=; of several x != 1 and x != 2", true},
        {"agents in 3", "column 8 of \"agents in 3\": expected an operator or the end, found \"in\"",
         "write a comparison each: x == 1 or x == 2", true},
        {"agents contains 3",
         "column 8 of \"agents contains 3\": expected an operator or the end, found \"contains\"", "", true},
        {"agents", "column 1 of \"agents\": it is a number where a condition is expected",
         "compare it with another: a <= b", true},
        {"1 < 2", "column 1 of \"1 < 2\": it is a condition where a number is expected", "", false},
        {"(1 < 2) < 3", "column 9 of \"(1 < 2) < 3\": \"<\" works on numbers, and this is a condition", "",
         true},
        {"3 + not 1 < 2", "column 3 of \"3 + not 1 < 2\": \"+\" works on numbers, and this is a condition",
         "", true},
        {"1 < 2 and agents",
         "column 7 of \"1 < 2 and agents\": \"and\" joins conditions, and this is a number",
         "compare the number with another", true},
        {"agents implies 1 < 2",
         "column 8 of \"agents implies 1 < 2\": \"implies\" joins conditions, and this is a number",
         "compare the number with another", true},
        {"not agents", "column 1 of \"not agents\": \"not\" joins conditions, and this is a number",
         "compare the number with another", true},
        {"-(1 < 2)", "column 1 of \"-(1 < 2)\": \"-\" works on numbers, and this is a condition", "", true},
        {"max(1, 2 < 3) < 4",
         "column 1 of \"max(1, 2 < 3) < 4\": \"max\" works on numbers, and this is a condition", "", true},
        {"abs(2 < 3) < 4",
         "column 1 of \"abs(2 < 3) < 4\": \"abs\" works on numbers, and this is a condition", "", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cor_expression expression;
        struct cor_error error = COR_NO_ERROR;
        enum cor_status status =
            cor_expression_parse(cases[i].text, names, cases[i].constraint, "f: /c/0", &expression, &error);
        assert_int_equal(status, COR_STATUS_INPUT);
        assert_int_equal(error.status, COR_STATUS_INPUT);
        assert_string_equal(error.place, "f: /c/0");
        assert_string_equal(error.cause, cases[i].cause);
        char remedy[200];
        bool guess = cases[i].remedy && strncmp(cases[i].remedy, "did you mean \"agents\"", 21) == 0;
        snprintf(remedy, sizeof remedy, "%s%s", cases[i].remedy ? cases[i].remedy : "",
                 !cases[i].remedy || guess ? known : "");
        assert_string_equal(error.remedy, remedy);
        assert_null(expression.nodes);
    }
}

/* `count` times `piece`, then `middle`, then `count` times `end`. */
static enum cor_status parse_nested(int count, const char *piece, const char *middle, const char *end,
                                    char *cause) {
    size_t size = (size_t)count * (strlen(piece) + strlen(end)) + strlen(middle) + 1;
    char *text = calloc(size, 1);
    assert_non_null(text);
    for (int i = 0; i < count; i++)
        strcat(text, piece);
    strcat(text, middle);
    for (int i = 0; i < count; i++)
        strcat(text, end);
    struct cor_expression expression;
    struct cor_error error = COR_NO_ERROR;
    enum cor_status status = cor_expression_parse(text, names, false, NULL, &expression, &error);
    cor_expression_fini(&expression);
    snprintf(cause, sizeof error.cause, "%s", error.cause);
    free(text);
    return status;
}

static void what_is_too_deep_or_too_wide_is_refused(void **unused) {
    (void)unused;
    char cause[1024];
    assert_int_equal(parse_nested(199, "(", "1", ")", cause), COR_OK);
    assert_int_equal(parse_nested(200, "(", "1", ")", cause), COR_STATUS_INPUT);
    assert_non_null(strstr(cause, "it is nested more than 200 deep"));
    assert_int_equal(parse_nested(2000, "(", "1", ")", cause), COR_STATUS_INPUT);
    assert_int_equal(parse_nested(199, "- ", "1", "", cause), COR_OK);
    assert_int_equal(parse_nested(200, "- ", "1", "", cause), COR_STATUS_INPUT);
    assert_int_equal(parse_nested(199, "1 + ", "1", "", cause), COR_OK);
    assert_int_equal(parse_nested(200, "1 + ", "1", "", cause), COR_STATUS_INPUT);
    assert_int_equal(parse_nested(100, "abs(", "1", ")", cause), COR_OK);
    /* Wide but not deep: 10 sums of 99 terms make 1 + 10 * (2 * 99) nodes and more. */
    assert_int_equal(parse_nested(1, "", "0", "", cause), COR_OK);
    char wide[8000] = "max(0";
    for (int i = 0; i < 10; i++) {
        strcat(wide, ", 1");
        for (int j = 0; j < 98; j++)
            strcat(wide, " + 1");
    }
    strcat(wide, ")");
    assert_int_equal(parse_nested(1, "", wide, "", cause), COR_STATUS_INPUT);
    assert_non_null(strstr(cause, "it has more than 1000 parts"));
}

static void values_agree_with_those_of_random_trees(void **unused) {
    (void)unused;
    struct cor_rng rng = stream(1);
    int defined_count = 0, undefined_count = 0;
    for (int round = 0; round < 30000; round++) {
        struct forest forest = {.used = 0};
        bool constraint = round % 2;
        struct tree *tree = constraint ? random_condition(&rng, &forest, 3) : random_number(&rng, &forest, 4);
        char text[20000] = "";
        print(&rng, tree, text);
        struct cor_expression expression = parsed(text, constraint);
        for (int i = 0; i < 5; i++) {
            int64_t values[VARIABLES], expected = 0, found = 0;
            for (int v = 0; v < VARIABLES; v++)
                values[v] = random_value(&rng);
            bool defined = evaluate(tree, values, &expected);
            if (constraint) {
                assert_int_equal(cor_expression_holds(&expression, values), defined && expected);
            } else {
                assert_int_equal(cor_expression_value(&expression, values, &found), defined);
                assert_true(!defined || found == expected);
            }
            defined_count += defined;
            undefined_count += !defined;
        }
        cor_expression_fini(&expression);
    }
    assert_true(defined_count > 20000 && undefined_count > 20000);
}

/* Whatever the variables are within their ranges, a defined value lies within its interval. */
static void defined_values_lie_within_their_interval(void **unused) {
    (void)unused;
    struct cor_rng rng = stream(2);
    int tight = 0;
    for (int round = 0; round < 20000; round++) {
        struct forest forest = {.used = 0};
        struct tree *tree = random_number(&rng, &forest, 3);
        char text[20000] = "";
        int64_t low[VARIABLES], high[VARIABLES], values[VARIABLES], value;
        print(&rng, tree, text);
        struct cor_expression expression = parsed(text, false);
        for (int v = 0; v < VARIABLES; v++) {
            int64_t a = random_value(&rng), b = random_value(&rng);
            low[v] = a < b ? a : b;
            high[v] = a < b ? b : a;
        }
        struct cor_value_range interval = cor_expression_interval(&expression, low, high);
        struct cor_real_range reals[VARIABLES];
        for (int v = 0; v < VARIABLES; v++)
            reals[v] = (struct cor_real_range){(double)low[v], (double)high[v]};
        const struct cor_real_range real = cor_expression_real_range(&expression, reals);
        for (int i = 0; i < 20; i++) {
            for (int v = 0; v < VARIABLES; v++) {
                uint32_t kind = cor_rng_below(&rng, 3);
                bool narrow = (uint64_t)high[v] - (uint64_t)low[v] < 100;
                values[v] = kind == 0 || (kind == 2 && !narrow) ? low[v]
                            : kind == 1                         ? high[v]
                                                                : cor_rng_between(&rng, low[v], high[v]);
            }
            if (!cor_expression_value(&expression, values, &value))
                continue;
            if (value < interval.low || value > interval.high)
                fail_msg("%s is %lld, outside %lld .. %lld", text, (long long)value, (long long)interval.low,
                         (long long)interval.high);
            tight += value == interval.low || value == interval.high;
            /* Reals round what is as large as 2^63 by so much. */
            if ((double)value < real.low - 8192 || (double)value > real.high + 8192)
                fail_msg("%s is %lld, outside %g .. %g", text, (long long)value, real.low, real.high);
        }
        cor_expression_fini(&expression);
    }
    assert_true(tight > 10000); /* they are worth something, too */
}

static void intervals_have_the_known_bounds(void **unused) {
    (void)unused;
    const int64_t low[VARIABLES] = {2, -3, 2, 0, -4}, high[VARIABLES] = {1000, 5, 7, 0, -2};
    const struct {
        const char *text;
        int64_t low, high;
    } cases[] = {
        {"agents / 2", 1, 500},
        {"agents - s_min", -3, 1003},
        {"s_min * s_min", -15, 25},
        {"abs(s_min)", 0, 5},
        {"agents % s_max", 0, 6},
        {"s_max % agents", 0, 7},
        {"s_min % n_max", -3, 0},
        {"agents / n_max", -500, -1},
        {"ceil_div(agents, s_max)", 1, 500},
        {"min(agents, s_max)", 2, 7},
        {"max(agents, s_max)", 2, 1000},
        {"s_max / s_min", -7, 7},
        {"agents * 9223372036854775807", INT64_MAX, INT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cor_expression expression = parsed(cases[i].text, false);
        struct cor_value_range found = cor_expression_interval(&expression, low, high);
        if (found.low != cases[i].low || found.high != cases[i].high)
            fail_msg("%s: %lld .. %lld", cases[i].text, (long long)found.low, (long long)found.high);
        cor_expression_fini(&expression);
    }
    struct cor_expression expression = parsed("1 + agents / n_min", false);
    struct cor_value_range none = cor_expression_interval(&expression, low, high);
    assert_true(none.low > none.high);
    cor_expression_fini(&expression);
}

/* Whatever the text, it is parsed or complained about, at a column that it has. */
static void assert_handled(const char *text) {
    struct cor_expression expression;
    struct cor_error error = COR_NO_ERROR;
    const int64_t values[VARIABLES] = {7, 0, -1, INT64_MAX, INT64_MIN};
    bool constraint = text[0] % 2;
    enum cor_status status = cor_expression_parse(text, names, constraint, NULL, &expression, &error);
    if (status == COR_OK) {
        int64_t value;
        if (constraint)
            (void)cor_expression_holds(&expression, values);
        else
            (void)cor_expression_value(&expression, values, &value);
        cor_expression_fini(&expression);
        return;
    }
    unsigned long column = 0;
    assert_int_equal(status, COR_STATUS_INPUT);
    assert_int_equal(sscanf(error.cause, "column %lu of \"", &column), 1);
    assert_true(column >= 1 && column <= strlen(text) + 1);
}

static void any_text_is_parsed_or_complained_about_at_a_column(void **unused) {
    (void)unused;
    struct cor_rng rng = stream(3);
    static const char *const words[] = {"(",     ")",   ",",   "<=",       "<",
                                        "=",     "!=",  ">=",  ">",        "+",
                                        "-",     "*",   "/",   "%",        "1",
                                        "42",    "and", "or",  "not",      "implies",
                                        "min",   "max", "abs", "ceil_div", "agents",
                                        "s_min", " ",   "0.5", "x",        "true",
                                        "false", "&&",  "||",  "!",        "99999999999999999999"};
    for (int round = 0; round < 60000; round++) {
        char text[400] = "";
        uint32_t length = cor_rng_below(&rng, 30);
        for (uint32_t i = 0; i < length; i++) {
            if (round % 2 == 0) {
                text[i] = (char)(1 + cor_rng_below(&rng, 255));
            } else {
                uint32_t word = cor_rng_below(&rng, sizeof words / sizeof *words);
                strncat(text, words[word], sizeof text - strlen(text) - 2);
                strcat(text, " ");
            }
        }
        assert_handled(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_computed),
        cmocka_unit_test(undefined_numbers_have_no_value_and_hold_nowhere),
        cmocka_unit_test(conditions_hold_where_they_should_and_only_there),
        cmocka_unit_test(the_variables_read_are_known),
        cmocka_unit_test(signs_are_shown_as_words),
        cmocka_unit_test(complaints_say_column_cause_and_remedy),
        cmocka_unit_test(what_is_too_deep_or_too_wide_is_refused),
        cmocka_unit_test(values_agree_with_those_of_random_trees),
        cmocka_unit_test(defined_values_lie_within_their_interval),
        cmocka_unit_test(intervals_have_the_known_bounds),
        cmocka_unit_test(any_text_is_parsed_or_complained_about_at_a_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
