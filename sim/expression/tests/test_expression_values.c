/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expressions over values: random trees printed and parsed again, against the evaluation of value_trees.h;
 * every message word by word; and words, domains and values by themselves. */
#include "tests/value_trees.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct cor_words words;
static uint32_t colours[ENUMERATED];
static struct cor_domain integers = {.type = COR_VALUE_TYPE_INTEGER, .name = "int"};
static struct cor_domain reals = {.type = COR_VALUE_TYPE_REAL, .name = "float"};
static struct cor_domain truths = {.type = COR_VALUE_TYPE_BOOLEAN, .name = "bool"};
static struct cor_domain strings = {.type = COR_VALUE_TYPE_STRING, .name = "string"};
static struct cor_domain colour = {
    .type = COR_VALUE_TYPE_ENUMERATION, .name = "Colour", .words = colours, .word_count = ENUMERATED};

static const struct cor_symbol symbols[] = {
    {"Count", &integers}, {"Price", &reals},          {"Urgent", &truths},     {"Title", &strings},
    {"Tint", &colour},    {"load.Weight", &integers}, {"load.Open", &truths},  {"post.Weight", &integers},
    {"post.Fee", &reals}, {"Fee", &integers},         {"Angle (deg)", &reals}, {"", &integers},
};
enum { SYMBOLS = sizeof symbols / sizeof *symbols };

static struct cor_scope scope = {.symbols = symbols, .symbol_count = SYMBOLS, .words = &words};

static int make_words(void **unused) {
    (void)unused;
    cor_words_init(&words);
    uint32_t number;
    for (int i = 0; i < 40; i++) { /* so that the numbers of the pool are not 0 .. */
        char text[20];
        snprintf(text, sizeof text, "before %d", i);
        if (cor_words_intern(&words, text, &number, NULL) != COR_OK)
            return -1;
    }
    for (int i = 0; i < POOL; i++) {
        if (cor_words_intern(&words, pool[i], &number, NULL) != COR_OK)
            return -1;
        if (i < ENUMERATED)
            colours[i] = number;
    }
    return 0;
}

static int free_words(void **unused) {
    (void)unused;
    cor_words_fini(&words);
    cor_words_fini(&words);
    return 0;
}

static struct cor_expression parsed(const char *text, const struct cor_domain *domain) {
    struct cor_expression expression;
    struct cor_error error = COR_NO_ERROR;
    if (cor_expression_parse_value(text, &scope, domain, NULL, &expression, &error) != COR_OK)
        fail_msg("%s: %s (%s)", text, error.cause, error.remedy);
    return expression;
}

static const struct readable names[] = {
    {"Count", COR_VALUE_TYPE_INTEGER, 0},       {"Price", COR_VALUE_TYPE_REAL, 1},
    {"Urgent", COR_VALUE_TYPE_BOOLEAN, 2},      {"Title", COR_VALUE_TYPE_STRING, 3},
    {"Tint", COR_VALUE_TYPE_ENUMERATION, 4},    {"load.Weight", COR_VALUE_TYPE_INTEGER, 5},
    {"Open", COR_VALUE_TYPE_BOOLEAN, 6},        {"post.Weight", COR_VALUE_TYPE_INTEGER, 7},
    {"post.Fee", COR_VALUE_TYPE_REAL, 8},       {"Fee", COR_VALUE_TYPE_INTEGER, 9},
    {"[Angle (deg)]", COR_VALUE_TYPE_REAL, 10}, {"[load.Open]", COR_VALUE_TYPE_BOOLEAN, 6},
};

static const struct cor_domain *const domains[] = {&integers, &reals, &truths, &strings, &colour};

/* One tree with some values: the expression that was parsed from its text must give what the tree gives. */
static void compare(const struct tree *tree, const struct cor_expression *expression, const char *text,
                    const struct plain *plain, int counts[2]) {
    struct cor_value values[SYMBOLS], found;
    struct plain expected;
    for (int v = 0; v < SYMBOLS - 1; v++)
        values[v] = real_value(&plain[v], &words);
    bool defined = tree_value(tree, plain, &expected);
    counts[defined]++;
    if (expression->is_constraint)
        assert_int_equal(cor_expression_judge(expression, values), defined && expected.integer);
    assert_int_equal(cor_expression_evaluate(expression, values, &found), defined);
    if (defined && !cor_value_equal(found, real_value(&expected, &words)))
        fail_msg("%s", text);
}

static void values_agree_with_those_of_random_trees(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
    int counts[2] = {0, 0}, integer_only = 0;
    for (int round = 0; round < 40000; round++) {
        struct forest forest = {.names = names, .name_count = sizeof names / sizeof *names, .rng = &rng};
        enum cor_value_type type = (enum cor_value_type)(round % 5);
        struct tree *tree = random_tree(&forest, type, 4);
        char text[40000] = "";
        print_tree(tree, text);
        struct cor_expression expression = parsed(text, domains[type]);
        assert_int_equal(expression.is_constraint, type == COR_VALUE_TYPE_BOOLEAN);
        integer_only += expression.integer_only;
        for (int i = 0; i < 5; i++) {
            struct plain plain[SYMBOLS];
            for (int v = 0; v < SYMBOLS - 1; v++)
                plain[v] = random_plain(&rng, symbols[v].domain->type);
            compare(tree, &expression, text, plain, counts);
        }
        cor_expression_fini(&expression);
    }
    assert_true(counts[0] > 20000 && counts[1] > 100000 && integer_only > 3000);
}

static void conditions_hold_where_they_should_and_only_there(void **unused) {
    (void)unused;
    uint32_t any = cor_words_find(&words, "any");
    const struct cor_value values[SYMBOLS] = {
        cor_integer(5), cor_real(2.5),  cor_integer(1), cor_word(any),  cor_word(colours[1]), cor_integer(7),
        cor_integer(0), cor_integer(8), cor_real(0.1),  cor_integer(3), cor_real(90),         cor_integer(0)};
    static const char *const hold[] = {
        "Urgent",
        "not Open",
        "!Open && Urgent",
        "Urgent = true",
        "Open == False",
        "Urgent != Open",
        "Urgent = (Count > 3)",
        "Price * 2 = Count",
        "Price < Count < 5.5",
        "2.5e0 = Price",
        "25e-1 = Price and Price != 2.5E1",
        "Count / 2 = 2",
        "Count / 2.0 = 2.5",
        "min(Count, Price) = 2.5",
        "max(1, 2.0) / 4 = 0.5",
        "abs(-Price) = 2.5",
        "Title = 'any'",
        "Title != null",
        "null = null",
        "'a' != 'b'",
        "Title != 'null'",
        "Tint = 'it''s'",
        "Tint != Title",
        "Tint = 'red' or Tint = 'it''s'",
        "load.Weight + 1 = post.Weight",
        "Open implies Title = null",
        "Fee = 3 and post.Fee = 0.1",
        "[Angle (deg)] = 90",
        "[Count] = Count",
        "0.1 + 0.2 != 0.3",
    };
    static const char *const fail[] = {
        "Open",           "Title = null",      "Price / 0 < 1 or true",
        "1e308 * 10 > 0", "Tint = 'red'",      "Urgent = Open",
        "Title = ''",     "not (1 / 0.0 = 0)", "Price > 1e308 * 10 - 1e308 * 10",
    };
    for (size_t i = 0; i < sizeof hold / sizeof *hold + sizeof fail / sizeof *fail; i++) {
        bool should = i < sizeof hold / sizeof *hold;
        const char *text = should ? hold[i] : fail[i - sizeof hold / sizeof *hold];
        struct cor_expression expression = parsed(text, &truths);
        if (cor_expression_judge(&expression, values) != should)
            fail_msg("%s", text);
        cor_expression_fini(&expression);
    }
}

/* What integers alone say is z3's, too, and gives the same by either way of evaluating. */
static void integers_alone_are_known_as_such(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        bool integer_only;
    } cases[] = {
        {"Count + 1 < 3", true},   {"true", true},
        {"Count < 3.0", false},    {"Urgent", false},
        {"Title = null", false},   {"(Count < 3) = (Fee < 3)", false},
        {"not (Count < 3)", true}, {"Count < 3 implies Fee = 2", true},
        {"Count < Price", false},  {"Tint = 'red'", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cor_expression expression = parsed(cases[i].text, &truths);
        if (expression.integer_only != cases[i].integer_only)
            fail_msg("%s", cases[i].text);
        for (int64_t n = 0; n < 6 && expression.integer_only; n++) {
            int64_t plain[SYMBOLS] = {n, [9] = n};
            struct cor_value values[SYMBOLS] = {[0] = cor_integer(n), [9] = cor_integer(n)};
            assert_int_equal(cor_expression_holds(&expression, plain),
                             cor_expression_judge(&expression, values));
        }
        cor_expression_fini(&expression);
    }
}

static void results_are_of_the_domain_that_was_asked_for(void **unused) {
    (void)unused;
    struct cor_value values[SYMBOLS] = {cor_integer(5), cor_real(2.5), cor_integer(1), cor_null(),
                                        cor_word(colours[2])};
    static const struct {
        const char *text;
        int domain; /* of domains */
        uint8_t kind;
    } cases[] = {
        {"Count", 0, COR_VALUE_INTEGER}, {"Count", 1, COR_VALUE_REAL},     {"7", 1, COR_VALUE_REAL},
        {"Price", 1, COR_VALUE_REAL},    {"Urgent", 2, COR_VALUE_INTEGER}, {"Title", 3, COR_VALUE_NULL},
        {"null", 3, COR_VALUE_NULL},     {"'new'", 3, COR_VALUE_WORD},     {"Tint", 3, COR_VALUE_WORD},
        {"Tint", 4, COR_VALUE_WORD},     {"'red'", 4, COR_VALUE_WORD},     {"true", 2, COR_VALUE_INTEGER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cor_value value;
        struct cor_expression expression = parsed(cases[i].text, domains[cases[i].domain]);
        assert_true(cor_expression_evaluate(&expression, values, &value));
        assert_int_equal(value.kind, cases[i].kind);
        assert_true(cor_domain_has(domains[cases[i].domain], value));
        cor_expression_fini(&expression);
    }
}

static void complaints_say_column_cause_and_remedy(void **unused) {
    (void)unused;
    static const char known[] = "known: Count, Price, Urgent, Title, Tint, load.Weight, Open, post.Weight, "
                                "post.Fee, Fee, Angle (deg)";
    const struct {
        const char *text;
        const struct cor_domain *domain;
        const char *cause, *remedy; /* remedy that ends in "known": with all names */
    } cases[] = {
        {"Count = 'red'", &truths,
         "column 7 of \"Count = 'red'\": \"=\" compares Count (int) with the word 'red'",
         "words stand in single quotes: 'word'"},
        {"Tint == 5", &truths, "column 6 of \"Tint == 5\": \"==\" compares Tint (Colour) with the number 5",
         "words stand in single quotes: 'word'"},
        {"Title != Price * 2", &truths,
         "column 7 of \"Title != Price * 2\": \"!=\" compares Title (string) with a real number",
         "words stand in single quotes: 'word'"},
        {"Urgent = 1", &truths, "column 8 of \"Urgent = 1\": \"=\" compares Urgent (bool) with the number 1",
         "a condition stands by itself: x, not x, x = true"},
        {"Tint = 'rad'", &truths, "column 6 of \"Tint = 'rad'\": Tint (Colour) is never 'rad'",
         "did you mean \"red\"? known: red, it's, not & or"},
        {"'purple' != Tint", &truths, "column 10 of \"'purple' != Tint\": Tint (Colour) is never 'purple'",
         "known: red, it's, not & or"},
        {"Tint = null", &truths, "column 6 of \"Tint = null\": Tint (Colour) is never null",
         "only what is of type string can be null"},
        {"null != Count", &truths, "column 6 of \"null != Count\": Count (int) is never null",
         "only what is of type string can be null"},
        {"Count + 1 = null", &truths, "column 11 of \"Count + 1 = null\": \"=\" compares a number with null",
         ""},
        {"Title < 'a'", &truths, "column 7 of \"Title < 'a'\": \"<\" orders numbers, and this is a word",
         "words and null have = and != only"},
        {"null >= Count", &truths, "column 6 of \"null >= Count\": \">=\" orders numbers, and this is null",
         "words and null have = and != only"},
        {"Urgent <= Open", &truths,
         "column 8 of \"Urgent <= Open\": \"<=\" works on numbers, and this is a condition", ""},
        {"Title + 1 = 2", &truths,
         "column 7 of \"Title + 1 = 2\": \"+\" works on numbers, and this is a word", ""},
        {"-null = 2", &truths, "column 1 of \"-null = 2\": \"-\" works on numbers, and this is null", ""},
        {"Urgent and Title", &truths,
         "column 8 of \"Urgent and Title\": \"and\" joins conditions, and this is a word",
         "compare the word with another"},
        {"not Price", &truths, "column 1 of \"not Price\": \"not\" joins conditions, and this is a number",
         "compare the number with another"},
        {"Urgent or null", &truths,
         "column 8 of \"Urgent or null\": \"or\" joins conditions, and this is null", ""},
        {"Price % 2 = 0", &truths,
         "column 7 of \"Price % 2 = 0\": \"%\" works on integers, and this is a real number", ""},
        {"ceil_div(Count, 0.5) = 1", &truths,
         "column 1 of \"ceil_div(Count, 0.5) = 1\": \"ceil_div\" works on integers, and this is a real "
         "number",
         ""},
        {"Weight = 1", &truths, "column 1 of \"Weight = 1\": \"Weight\" could be load.Weight or post.Weight",
         "write load.Weight or post.Weight"},
        {"Opan", &truths, "column 1 of \"Opan\": there is no \"Opan\"", "did you mean \"Open\"? known"},
        {"load.Weigth = 2", &truths, "column 1 of \"load.Weigth = 2\": there is no \"load.Weigth\"",
         "did you mean \"load.Weight\"? known"},
        {"[Zzzzzzzzzzzz] = 2", &truths, "column 1 of \"[Zzzzzzzzzzzz] = 2\": there is no \"Zzzzzzzzzzzz\"",
         "known"},
        {"[] = 2", &truths, "column 1 of \"[] = 2\": there is no \"\"", "known"},
        {"mni(1, 2) = 1", &truths, "column 1 of \"mni(1, 2) = 1\": there is no function \"mni\"",
         "did you mean \"min\"? known: min, max, abs, ceil_div"},
        {"Title = 'any", &truths, "column 9 of \"Title = 'any\": this word has no closing \"'\"", ""},
        {"Title = 'a\tb'", &truths, "column 9 of \"Title = 'a?b'\": this word has control characters",
         "write words without control characters"},
        {"[Title = 'any'", &truths, "column 1 of \"[Title = 'any'\": this name has no closing \"]\"", ""},
        {"Title = \"any\"", &truths, "column 9 of \"Title = \"any\"\": \"\"\" means nothing here",
         "words stand in single quotes: 'word'"},
        {"Count < 1.", &truths, "column 10 of \"Count < 1.\": \".\" means nothing here", ""},
        {"Count < 1.5x", &truths, "column 12 of \"Count < 1.5x\": a number runs into a name", ""},
        {"Count < 1e999", &truths, "column 9 of \"Count < 1e999\": the number is too large",
         "the largest is 1.7976931348623157e308"},
        {"Count < 9223372036854775808", &truths,
         "column 9 of \"Count < 9223372036854775808\": the number is too large",
         "the largest is 9223372036854775807"},
        {"Count <", &truths, "column 8 of \"Count <\": expected a value, a name or \"(\", found the end", ""},
        {"Count 'a'", &truths, "column 7 of \"Count 'a'\": expected an operator or the end, found \"'a'\"",
         ""},
        {"Count", &truths, "column 1 of \"Count\": it is a number where a condition is expected",
         "compare it with another: a <= b"},
        {"Price", &truths, "column 1 of \"Price\": it is a number where a condition is expected",
         "compare it with another: a <= b"},
        {"'a'", &truths, "column 1 of \"'a'\": it is a word where a condition is expected", ""},
        {"Price", &integers, "column 1 of \"Price\": it is a real number where an integer is expected", ""},
        {"Urgent", &integers, "column 1 of \"Urgent\": it is a condition where an integer is expected", ""},
        {"Title", &integers, "column 1 of \"Title\": Title (string) is given where an integer is expected",
         ""},
        {"null", &reals, "column 1 of \"null\": it is null where a number is expected", ""},
        {"Count + 1", &strings, "column 1 of \"Count + 1\": it is a number where a word is expected", ""},
        {"null", &colour, "column 1 of \"null\": it is null where one of Colour is expected", ""},
        {"Title", &colour, "column 1 of \"Title\": Title (string) is given where one of Colour is expected",
         ""},
        {"Count", &colour, "column 1 of \"Count\": it is a number where one of Colour is expected", ""},
        {"'rde'", &colour, "column 1 of \"'rde'\": Colour has no 'rde'",
         "did you mean \"red\"? known: red, it's, not & or"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cor_expression expression;
        struct cor_error error = COR_NO_ERROR;
        enum cor_status status = cor_expression_parse_value(cases[i].text, &scope, cases[i].domain,
                                                            "d: /plans/0", &expression, &error);
        assert_int_equal(status, COR_STATUS_INPUT);
        assert_string_equal(error.place, "d: /plans/0");
        assert_string_equal(error.cause, cases[i].cause);
        char remedy[400];
        size_t length = strlen(cases[i].remedy);
        bool all = length >= 5 && strcmp(cases[i].remedy + length - 5, "known") == 0;
        snprintf(remedy, sizeof remedy, "%.*s%s", (int)(all ? length - 5 : length), cases[i].remedy,
                 all ? known : "");
        assert_string_equal(error.remedy, remedy);
        assert_null(expression.nodes);
    }
}

static void a_bare_name_means_that_of_the_home_first(void **unused) {
    (void)unused;
    struct cor_scope home = scope;
    home.home = "post";
    assert_int_equal(cor_scope_find(&scope, "Weight"), COR_NONE);
    assert_int_equal(cor_scope_find(&home, "Weight"), 7);
    assert_int_equal(cor_scope_find(&home, "Fee"), 9); /* what is called so goes first */
    assert_int_equal(cor_scope_find(&scope, "Open"), 6);
    assert_int_equal(cor_scope_find(&scope, "load.Open"), 6);
    assert_int_equal(cor_scope_find(&scope, "load"), COR_NONE);
    assert_int_equal(cor_scope_find(&scope, ""), COR_NONE);
}

static void what_is_shown_keeps_quotes_and_brackets(void **unused) {
    (void)unused;
    struct cor_expression expression = parsed("!Urgent&&Title != 'a && !b' || [Angle (deg)] > 1", &truths);
    assert_string_equal(expression.text, "not Urgent and Title != 'a && !b' or [Angle (deg)] > 1");
    struct cor_expression again = parsed(expression.text, &truths);
    assert_int_equal(again.node_count, expression.node_count);
    cor_expression_fini(&expression);
    cor_expression_fini(&again);
}

static void any_text_is_parsed_or_complained_about_at_a_column(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 2, .purpose = COR_PURPOSE_TEST});
    static const char *const pieces[] = {
        "(",    ")",     ",",     "<=",    "<",      "=",       "!=",       ">",   "+",      "-",
        "*",    "/",     "%",     "1",     "0.5",    "1e9",     "and",      "or",  "not",    "implies",
        "min",  "abs",   "Count", "Price", "Urgent", "Title",   "Tint",     "Fee", "'red'",  "null",
        "true", "False", "'",     "[",     "]",      "[Count]", "post.Fee", ".",   "Weight", "ceil_div"};
    const struct cor_value values[SYMBOLS] = {
        cor_integer(7),       cor_real(0),    cor_integer(1), cor_null(),
        cor_word(colours[0]), cor_integer(1), cor_integer(0), cor_integer(INT64_MIN),
        cor_real(-1e300),     cor_integer(0), cor_real(2)};
    int good = 0;
    for (int round = 0; round < 80000; round++) {
        char text[500] = "";
        uint32_t length = 1 + cor_rng_below(&rng, round % 3 == 0 ? 12 : 5);
        for (uint32_t i = 0; i < length; i++) {
            uint32_t piece = cor_rng_below(&rng, sizeof pieces / sizeof *pieces);
            uint32_t byte = 1 + cor_rng_below(&rng, 255);
            if (round % 4 == 0)
                text[i] = (char)byte;
            else
                sprintf(text + strlen(text), "%s ", pieces[piece]);
        }
        struct cor_expression expression;
        struct cor_error error = COR_NO_ERROR;
        struct cor_value value;
        const struct cor_domain *domain = domains[round % 5];
        if (cor_expression_parse_value(text, &scope, domain, NULL, &expression, &error) == COR_OK) {
            if (cor_expression_evaluate(&expression, values, &value))
                assert_true(cor_domain_has(domain, value));
            cor_expression_fini(&expression);
            good++;
            continue;
        }
        unsigned long column = 0;
        assert_int_equal(sscanf(error.cause, "column %lu of \"", &column), 1);
        assert_true(column >= 1 && column <= strlen(text) + 1);
    }
    assert_true(good > 500);
}

static void words_are_numbered_as_they_come(void **unused) {
    (void)unused;
    struct cor_words own;
    cor_words_init(&own);
    assert_int_equal(cor_words_find(&own, "a"), COR_NONE);
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 3000; i++) {
            char text[20];
            uint32_t number;
            snprintf(text, sizeof text, "%x and more", i * 2654435761u);
            assert_int_equal(cor_words_intern_part(&own, text, strlen(text) - 5, &number, NULL), COR_OK);
            assert_int_equal(number, i);
            assert_int_equal(strlen(cor_words_text(&own, i)), strlen(text) - 5);
        }
    assert_int_equal(own.count, 3000);
    assert_int_equal(cor_words_find(&own, "no such"), COR_NONE);
    cor_words_fini(&own);
}

static void values_are_shown_as_they_are_written(void **unused) {
    (void)unused;
    const struct {
        struct cor_value value;
        const struct cor_domain *domain;
        const char *text;
    } cases[] = {
        {cor_integer(-12), &integers, "-12"},
        {cor_integer(1), &truths, "true"},
        {cor_integer(0), &truths, "false"},
        {cor_integer(1), NULL, "1"},
        {cor_null(), &strings, "null"},
        {cor_word(colours[1]), &colour, "'it''s'"},
        {cor_real(0.1), &reals, "0.1"},
        {cor_real(3), &reals, "3.0"},
        {cor_real(-1e300), &reals, "-1e+300"},
        {cor_real(0.1 + 0.2), &reals, "0.30000000000000004"},
        {cor_real(123456789), &reals, "123456789.0"},
        {cor_real(1.0 / 3), NULL, "0.3333333333333333"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[100];
        cor_value_text(cases[i].value, cases[i].domain, &words, text, sizeof text);
        assert_string_equal(text, cases[i].text);
        char little[4];
        cor_value_text(cases[i].value, cases[i].domain, &words, little, sizeof little);
        assert_true(strlen(little) < sizeof little);
    }
}

static void a_domain_has_its_values_and_no_others(void **unused) {
    (void)unused;
    const struct cor_value values[] = {
        cor_null(),         cor_integer(1),       cor_integer(2),          cor_real(0.5),
        cor_real(INFINITY), cor_word(colours[0]), cor_word(colours[2] + 1)};
    static const char *const has[] = {".++....", "...+...", ".+.....", "+....++", ".....+."};
    for (int d = 0; d < 5; d++)
        for (int v = 0; v < 7; v++)
            assert_int_equal(cor_domain_has(domains[d], values[v]), has[d][v] == '+');
    struct cor_value value = cor_integer(3);
    assert_true(cor_domain_fit(&reals, &value) && value.kind == COR_VALUE_REAL && value.as.real == 3);
    assert_false(cor_domain_fit(&integers, &value));
    assert_false(cor_value_equal(cor_integer(3), cor_real(3)));
    assert_true(cor_value_equal(cor_real(0.0), cor_real(-0.0)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_agree_with_those_of_random_trees),
        cmocka_unit_test(conditions_hold_where_they_should_and_only_there),
        cmocka_unit_test(integers_alone_are_known_as_such),
        cmocka_unit_test(results_are_of_the_domain_that_was_asked_for),
        cmocka_unit_test(complaints_say_column_cause_and_remedy),
        cmocka_unit_test(a_bare_name_means_that_of_the_home_first),
        cmocka_unit_test(what_is_shown_keeps_quotes_and_brackets),
        cmocka_unit_test(any_text_is_parsed_or_complained_about_at_a_column),
        cmocka_unit_test(words_are_numbered_as_they_come),
        cmocka_unit_test(values_are_shown_as_they_are_written),
        cmocka_unit_test(a_domain_has_its_values_and_no_others),
    };
    return cmocka_run_group_tests_name("expression_values", tests, make_words, free_words);
}
