/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Designs: every complaint word by word, conditions, slots, and the names of units. */
#include "tests/designs.h"

/* A call must fail with these texts. */
#define FAILS(call, said, helps)                                         \
    do {                                                                 \
        struct cor_error *error = &(struct cor_error){.status = COR_OK}; \
        assert_int_equal((call), COR_STATUS_INPUT);                      \
        assert_string_equal(error->cause, said);                         \
        assert_string_equal(error->remedy, helps);                       \
        assert_string_equal(error->place, "here");                       \
    } while (0)

static void names_are_possible_and_new(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    static const char identifier[] =
        "letters, digits and _, not a digit first, and none of the words of expressions";
    static const char again[] = "give one of them another name";
    FAILS(cor_design_add_type(design, "my type", WORDS("a"), 1, "here", NULL, error),
          "\"my type\" cannot be the name of a type", identifier);
    FAILS(cor_design_add_type(design, "float", WORDS("a"), 1, "here", NULL, error),
          "there is a type \"float\" already", again);
    FAILS(cor_design_add_type(design, "Colour", NULL, 0, "here", NULL, error),
          "the type \"Colour\" has no words", "list the words it consists of");
    cor_design_destroy(design);
    design = new_design();
    FAILS(cor_design_add_type(design, "Colour", WORDS("a", "b", "a"), 3, "here", NULL, error),
          "the type \"Colour\" has \"a\" twice", "leave one of them out");
    cor_design_destroy(design);
    design = new_design();
    add_belief(design, "load", WORDS("Weight"));
    FAILS(cor_design_add_field(design, "Weight", 0, false, "here", NULL, error),
          "there is a field \"Weight\" already", again);
    FAILS(cor_design_add_field(design, "3rd", 0, false, "here", NULL, error),
          "\"3rd\" cannot be the name of a field", identifier);
    FAILS(cor_design_add_belief(design, "not", "here", NULL, error),
          "\"not\" cannot be the name of a belief set", identifier);
    cor_design_destroy(design);
    design = new_design();
    add_event(design, "an event", WORDS("N"));
    FAILS(cor_design_add_parameter(design, "N", 0, "here", NULL, error), "there is a parameter \"N\" already",
          again);
    FAILS(cor_design_add_event(design, "an event", COR_EVENT_KIND_PERCEPT, "here", NULL, error),
          "there is an event \"an event\" already", again);
    cor_design_destroy(design);
    design = new_design();
    FAILS(cor_design_add_event(design, "", COR_EVENT_KIND_PERCEPT, "here", NULL, error),
          "\"\" cannot be the name of an event", "write text without control characters");
    cor_design_destroy(design);
    design = new_design();
    FAILS(cor_design_add_message(design, "a\033b", "here", NULL, error),
          "\"a\033b\" cannot be the name of a message", "write text without control characters");
    MUST(cor_design_add_action(design, "Go", NULL, NULL, error));
    FAILS(cor_design_add_action(design, "Go", "here", NULL, error), "there is an action \"Go\" already",
          again);
    cor_design_destroy(design);
    design = new_design();
    add_event(design, "E", NULL);
    add_plan(design, "E", 0, NULL, NULL); /* names of different kinds may be equal */
    FAILS(cor_design_add_plan(design, "E", 0, "here", NULL, error), "there is a plan \"E\" already", again);
    cor_design_destroy(design);
}

static void what_is_not_there_is_said_with_what_was_probably_meant(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    uint32_t index;
    FAILS(cor_design_look_up(design, COR_NAME_TYPE, "flot", "here", &index, error),
          "there is no type \"flot\"", "did you mean \"float\"? known: int, float, bool, string");
    FAILS(cor_design_look_up(design, COR_NAME_EVENT, "E", "here", &index, error), "there is no event \"E\"",
          "the design has none");
    add_belief(design, "load", WORDS("Weight", "Open"));
    add_belief(design, "post", WORDS("Weight", "Fee"));
    MUST(cor_design_look_up_field(design, "Fee", NULL, &index, error));
    assert_int_equal(index, 3);
    MUST(cor_design_look_up_field(design, "post.Weight", NULL, &index, error));
    assert_int_equal(index, 2);
    FAILS(cor_design_look_up_field(design, "Weight", "here", &index, error),
          "\"Weight\" could be load.Weight or post.Weight", "write load.Weight or post.Weight");
    FAILS(cor_design_look_up_field(design, "load.Opan", "here", &index, error),
          "there is no field \"load.Opan\"",
          "did you mean \"load.Open\"? known: load.Weight, load.Open, post.Weight, post.Fee");
    assert_int_equal(cor_design_find(design, COR_NAME_BELIEF, "post"), 1);
    assert_int_equal(cor_design_find(design, COR_NAME_PLAN, "post"), COR_NONE);
    cor_design_destroy(design);
}

/* A body that cannot be compiled. */
static void assert_refused(struct cor_design *design, const char *const *lines, const char *place,
                           const char *cause, const char *remedy) {
    struct cor_body body = make_body(lines);
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_design_set_code_take(design, 0, NULL, "place of the context", &body, &error),
                     COR_STATUS_INPUT);
    assert_string_equal(error.place, place);
    assert_string_equal(error.cause, cause);
    assert_string_equal(error.remedy, remedy);
    assert_null(body.statements);
}

static void bodies_use_what_the_design_has(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    uint32_t colour;
    MUST(cor_design_add_type(design, "Colour", WORDS("red", "blue"), 2, NULL, &colour, error));
    add_belief(design, "load", WORDS("Weight"));
    add_event(design, "Lift", WORDS("Kilos"));
    add_event(design, "Empty", NULL);
    MUST(cor_design_add_event(design, "Paint", COR_EVENT_KIND_INTERNAL, NULL, NULL, error));
    MUST(cor_design_add_parameter(design, "Tint", colour, NULL, NULL, error));
    MUST(cor_design_add_message(design, "Done", NULL, NULL, error));
    add_plan(design, "P", 0, NULL, NULL);
    assert_refused(design, WORDS("post Lfit"), "post Lfit", "there is no event \"Lfit\"",
                   "did you mean \"Lift\"? known: Lift, Empty, Paint");
    assert_refused(design, WORDS("send Don"), "send Don", "there is no message \"Don\"",
                   "did you mean \"Done\"? known: Done");
    assert_refused(design, WORDS("do Anything"), "do Anything", "there is no action \"Anything\"",
                   "the design has none");
    assert_refused(design, WORDS("set load.Wait to 3"), "set load.Wait to 3",
                   "there is no field \"load.Wait\"", "did you mean \"load.Weight\"? known: load.Weight");
    assert_refused(design, WORDS("set Weight to Kilo"), "set Weight to Kilo",
                   "column 1 of \"Kilo\": there is no \"Kilo\"",
                   "did you mean \"Kilos\"? known: Weight, Kilos");
    assert_refused(design, WORDS("set Weight to 0.5"), "set Weight to 0.5",
                   "column 1 of \"0.5\": it is a real number where an integer is expected", "");
    assert_refused(design, WORDS("if Weight", "end"), "if Weight",
                   "column 1 of \"Weight\": it is a number where a condition is expected",
                   "compare it with another: a <= b");
    assert_refused(design, WORDS("post Lift"), "post Lift",
                   "the event \"Lift\" is posted without its parameter \"Kilos\"", "give it a value");
    assert_refused(design, WORDS("post Lift", "with Kilo = 1"), "post Lift",
                   "the event \"Lift\" has no parameter \"Kilo\"", "did you mean \"Kilos\"? known: Kilos");
    assert_refused(design, WORDS("post Empty", "with N = 1"), "post Empty",
                   "the event \"Empty\" has no parameter \"N\"", "it has no parameters");
    assert_refused(design, WORDS("try Lift", "with Kilos = 1", "with Kilos = 2"), "try Lift",
                   "\"Kilos\" is given twice", "leave one of them out");
    assert_refused(design, WORDS("while true", "post Paint", "with Tint = 'rad'", "end"), "post Paint",
                   "column 1 of \"'rad'\": Colour has no 'rad'", "did you mean \"red\"? known: red, blue");
    struct cor_body body = make_body(NULL);
    FAILS(cor_design_set_code_take(design, 0, "Kilos > 'red'", "here", &body, error),
          "column 7 of \"Kilos > 'red'\": \">\" orders numbers, and this is a word",
          "words and null have = and != only");
    cor_design_destroy(design);
}

static void a_change_that_cannot_be_leaves_the_plan_alone(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    add_event(design, "E", WORDS("N"));
    add_event(design, "F", NULL);
    MUST(cor_design_add_message(design, "M", NULL, NULL, error));
    add_plan(design, "P", 0, "N > 0", WORDS("send M"));
    struct cor_agent_code *code = cor_agent_code_create(design);
    struct cor_body body = make_body(WORDS("post G"));
    const struct cor_plan_change changes[] = {
        {.plan = 0, .place = "here", .body = &body},
        {.plan = 0, .place = "here", .trigger = "F"}, /* that has no N */
        {.plan = 0, .place = "here", .changes_context = true, .context = "N >"},
    };
    static const char *const causes[] = {
        "there is no event \"G\"", "column 1 of \"N > 0\": there is no \"N\"",
        "column 4 of \"N >\": expected a value, a name or \"(\", found the end"};
    for (int i = 0; i < 3; i++) {
        struct cor_error error = COR_NO_ERROR;
        assert_int_equal(cor_agent_code_change(code, &changes[i], &error), COR_STATUS_INPUT);
        assert_string_equal(error.cause, causes[i]);
        assert_ptr_equal(code->plans[0], &design->plans[0].code);
    }
    cor_body_fini(&body);
    cor_agent_code_destroy(code);
    cor_design_destroy(design);
}

static void rules_post_what_their_set_has(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    add_belief(design, "load", WORDS("*Id", "Weight"));
    add_belief(design, "other", WORDS("Weight"));
    uint32_t event = add_event(design, "Low", WORDS("Weight", "Id"));
    MUST(cor_design_add_event(design, "Odd", COR_EVENT_KIND_BELIEF, NULL, NULL, error));
    MUST(cor_design_add_parameter(design, "Weight", COR_DOMAIN_REAL, NULL, NULL, error));
    MUST(cor_design_add_rule(design, 0, "Weight < 3 and other.Weight > load.Weight", event, NULL, error));
    assert_int_equal(design->rules[0].fields.items[0], 1);
    assert_int_equal(design->rules[0].fields.items[1], 0);
    FAILS(cor_design_add_rule(design, 0, "true", 1, "here", error),
          "\"load\" posts \"Odd\", but has no field \"Weight\" of type float",
          "the parameters of an event that a rule posts are fields of its belief set");
    FAILS(cor_design_add_rule(design, 1, "Weight", event, "here", error),
          "column 1 of \"Weight\": it is a number where a condition is expected",
          "compare it with another: a <= b");
    cor_design_destroy(design);
}

static void conditions_are_read(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    uint32_t colour;
    MUST(cor_design_add_type(design, "Colour", WORDS("red", "blue&red", "it's"), 3, NULL, &colour, error));
    add_belief(design, "load", WORDS("Weight"));
    MUST(cor_design_add_event(design, "E", COR_EVENT_KIND_PERCEPT, NULL, NULL, error));
    MUST(cor_design_add_parameter(design, "N", COR_DOMAIN_INTEGER, NULL, NULL, error));
    MUST(cor_design_add_parameter(design, "R", COR_DOMAIN_REAL, NULL, NULL, error));
    MUST(cor_design_add_parameter(design, "B", COR_DOMAIN_BOOLEAN, NULL, NULL, error));
    MUST(cor_design_add_parameter(design, "S", COR_DOMAIN_STRING, NULL, NULL, error));
    MUST(cor_design_add_parameter(design, "C", colour, NULL, NULL, error));
    enum { N = 1, R, B, S, C };
    uint32_t blue = cor_words_find(&design->words, "blue&red"), its = cor_words_find(&design->words, "it's");
    const struct {
        uint32_t slot;
        const char *text;
        enum cor_condition_relation relation;
        uint32_t other;
        struct cor_value value;
    } cases[] = {
        {N, ">=0", COR_RELATION_GREATER_EQUAL, COR_NONE, cor_integer(0)},
        {N, " <= -200 ", COR_RELATION_LESS_EQUAL, COR_NONE, cor_integer(-200)},
        {N, "< 2.5", COR_RELATION_LESS, COR_NONE, cor_real(2.5)},
        {N, "<Weight", COR_RELATION_LESS, 0, cor_null()},
        {N, "> R", COR_RELATION_GREATER, R, cor_null()},
        {0, "!= N", COR_RELATION_NOT_EQUAL, N, cor_null()},
        {R, ">=0", COR_RELATION_GREATER_EQUAL, COR_NONE, cor_real(0)},
        {R, "= N", COR_RELATION_EQUAL, N, cor_null()},
        {B, "== True", COR_RELATION_EQUAL, COR_NONE, cor_integer(1)},
        {S, "!=null", COR_RELATION_NOT_EQUAL, COR_NONE, cor_null()},
        {S, "= 'it''s'", COR_RELATION_EQUAL, COR_NONE, cor_word(its)},
        {C, "== blue&red", COR_RELATION_EQUAL, COR_NONE, cor_word(blue)},
        {C, "== it's", COR_RELATION_EQUAL, COR_NONE, cor_word(its)},
        {C, "!= 'blue&red'", COR_RELATION_NOT_EQUAL, COR_NONE, cor_word(blue)},
        {C, "!= S", COR_RELATION_NOT_EQUAL, S, cor_null()},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cor_condition condition;
        MUST(cor_design_parse_condition(design, cases[i].text, 0, cases[i].slot, NULL, &condition, error));
        assert_int_equal(condition.relation, cases[i].relation);
        assert_int_equal(condition.other, cases[i].other);
        if (condition.other == COR_NONE)
            assert_true(cor_value_equal(condition.value, cases[i].value));
    }
    const struct {
        uint32_t slot;
        const char *text, *cause, *remedy;
    } bad[] = {
        {N, "5", "\"5\" begins with none of < <= = == != >= >", "such as \">= 0\" or \"!= null\""},
        {N, "", "\"\" begins with none of < <= = == != >= >", "such as \">= 0\" or \"!= null\""},
        {N, ">=", "column 6 of \"N >= \": expected a value, a name or \"(\", found the end", ""},
        {N, "> 'a'", "column 3 of \"N > 'a'\": \">\" orders numbers, and this is a word",
         "words and null have = and != only"},
        {N, "= null", "column 3 of \"N = null\": N (int) is never null",
         "only what is of type string can be null"},
        {N, "< Wight", "column 5 of \"N < Wight\": there is no \"Wight\"",
         "did you mean \"Weight\"? known: Weight, N, R, B, S, C"},
        {N, "< R + 1", "\"R + 1\" is neither a constant nor a name", "say more in the context"},
        {N, "= 1 / 0", "\"1 / 0\" is neither a constant nor a name", "say more in the context"},
        {C, "= 'rad'", "column 3 of \"C = 'rad'\": C (Colour) is never 'rad'",
         "did you mean \"red\"? known: red, blue&red, it's"},
        {C, "< red", "column 3 of \"C < 'red'\": \"<\" orders numbers, and this is a word",
         "words and null have = and != only"},
        {0, "= S", "column 13 of \"load.Weight = S\": \"=\" compares load.Weight (int) with S (string)",
         "words stand in single quotes: 'word'"},
        {B, "= 1", "column 3 of \"B = 1\": \"=\" compares B (bool) with the number 1",
         "a condition stands by itself: x, not x, x = true"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct cor_condition condition;
        FAILS(cor_design_parse_condition(design, bad[i].text, 0, bad[i].slot, "here", &condition, error),
              bad[i].cause, bad[i].remedy);
    }
    cor_design_destroy(design);
}

static void conditions_hold_where_they_should_and_only_there(void **unused) {
    (void)unused;
    const struct cor_value slots[] = {cor_integer(7), cor_real(7), cor_null(), cor_word(3)};
    const struct {
        struct cor_value value;
        uint32_t other;
        struct cor_value constant;
        const char *holds; /* < <= = != >= > */
    } cases[] = {
        {cor_integer(3), COR_NONE, cor_integer(5), "++.+.."},
        {cor_integer(5), COR_NONE, cor_integer(5), ".++.+."},
        {cor_real(5.5), COR_NONE, cor_integer(5), "...+++"},
        {cor_integer(7), 1, cor_null(), ".++.+."},
        {cor_null(), COR_NONE, cor_null(), "..+..."},
        {cor_null(), 0, cor_null(), "...+.."},
        {cor_word(3), 3, cor_null(), "..+..."},
        {cor_word(4), 3, cor_null(), "...+.."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int r = 0; r < 6; r++) {
            const struct cor_condition condition = {(enum cor_condition_relation)r, cases[i].other,
                                                    cases[i].constant};
            if (cor_condition_holds(&condition, cases[i].value, slots) != (cases[i].holds[r] == '+'))
                fail_msg("case %zu, relation %d", i, r);
        }
}

static void slots_are_fields_and_then_parameters(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    add_belief(design, "load", WORDS("*Id", "Weight"));
    add_belief(design, "post", WORDS("*Id", "Fee"));
    uint32_t event = add_event(design, "E", WORDS("Weight", "Id")), none = add_event(design, "F", NULL);
    assert_int_equal(cor_design_slot_count(design, event), 6);
    assert_int_equal(cor_design_slot_count(design, COR_NONE), 4);
    assert_string_equal(cor_design_slot_name(design, event, 1), "load.Weight");
    assert_string_equal(cor_design_slot_name(design, event, 4), "Weight");
    const struct cor_value fields[] = {cor_integer(1), cor_integer(2), cor_integer(3), cor_integer(4)};
    const struct cor_value arguments[] = {cor_integer(50), cor_integer(60)};
    struct cor_value slots[6];
    static const int64_t seen[] = {60, 2, 60, 4, 50, 60}, plain[] = {1, 2, 3, 4};
    cor_design_view(design, event, fields, arguments, slots);
    for (int s = 0; s < 6; s++)
        assert_int_equal(slots[s].as.integer, seen[s]);
    cor_design_view(design, none, fields, NULL, slots);
    for (int s = 0; s < 4; s++)
        assert_int_equal(slots[s].as.integer, plain[s]);
    cor_design_destroy(design);
}

static void parts_of_a_plan_are_noted_once(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    add_belief(design, "load", WORDS("Weight"));
    add_event(design, "E", WORDS("N"));
    uint32_t plan = add_plan(design, "P", 0, NULL, NULL), variable = 7;
    MUST(cor_design_add_variable(design, plan, 0, NULL, &variable, error));
    assert_int_equal(variable, 0);
    MUST(cor_design_add_variable_condition(design, plan, 0, "< N", NULL, error));
    MUST(cor_design_add_bound(design, plan, 0, cor_integer(100), error));
    MUST(cor_design_add_parameter_condition(design, 0, 0, ">= 0", NULL, error));
    assert_int_equal(design->plans[plan].variables[0].conditions[0].other, 1);
    assert_int_equal(design->plans[plan].variables[0].bounds[0].as.integer, 100);
    assert_int_equal(design->events[0].parameters[0].condition_count, 1);
    assert_int_equal(design->events[0].handlers.items[0], plan);
    FAILS(cor_design_add_variable(design, plan, 0, "here", NULL, error),
          "the plan \"P\" has a variable \"load.Weight\" already", "say all of it in one place");
    MUST(cor_design_add_use(design, &design->plans[plan].posts, 3, NULL, error));
    FAILS(cor_design_add_use(design, &design->plans[plan].posts, 3, "here", error), "it is listed twice",
          "leave one of them out");
    cor_design_destroy(design);
}

static void units_are_called_by_what_is_in_them(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    struct cor_units units;
    add_event(design, "e4", NULL);
    static const char *const plans[] = {"P1", "P2", "P3"};
    for (int p = 0; p < 3; p++)
        add_plan(design, plans[p], 0, NULL, NULL);
    cor_units_init(&units);
    MUST(cor_units_add(&units, COR_UNIT_KIND_PLAN, 0, (uint32_t[]){1}, 1, error));
    MUST(cor_units_add(&units, COR_UNIT_KIND_RING, COR_NONE, (uint32_t[]){2, 0, 1}, 3, error));
    MUST(cor_units_add(&units, COR_UNIT_KIND_EVENT, 0, (uint32_t[]){0, 1, 2}, 3, error));
    static const char *const names[] = {"PT(P2)", "CT(P3,P1,P2)", "ET(e4)"};
    for (uint32_t u = 0; u < 3; u++) {
        char *name = cor_unit_name(design, &units, u);
        assert_string_equal(name, names[u]);
        free(name);
    }
    assert_int_equal(cor_unit_members(&units, &units.units[1])[0], 2);
    cor_units_fini(&units);
    cor_units_fini(&units);
    cor_design_destroy(design);
    cor_design_destroy(NULL);
}

/* Names are found without looking through all of them: a design of 100,000 plans is filled at once. */
static void many_plans_are_many_but_no_trouble(void **unused) {
    (void)unused;
    enum { MANY = 100000 };
    struct cor_design *design = new_design();
    char name[32], posts[32];
    for (uint32_t i = 0; i <= MANY; i++) {
        sprintf(name, "e%u", i);
        add_event(design, name, NULL);
    }
    for (uint32_t i = 0; i < MANY; i++) {
        sprintf(name, "P%u", i);
        sprintf(posts, "post e%u", i + 1);
        add_plan(design, name, i, NULL, i + 1 < MANY ? WORDS(posts) : NULL);
    }
    assert_int_equal(cor_design_find(design, COR_NAME_PLAN, "P99999"), 99999);
    struct cor_agent_code *code = cor_agent_code_create(design);
    struct cor_interpreter *interpreter = cor_interpreter_create(code);
    struct cor_trace trace;
    cor_trace_init(&trace);
    const struct cor_agent_case unit_case = {.event = 0, .steps = UINT32_MAX, .rounds = 0};
    MUST(cor_interpreter_run(interpreter, &unit_case, &trace, error));
    assert_int_equal(trace.end, COR_TRACE_END_QUIET);
    assert_int_equal(trace.steps, 2 * MANY - 1);
    assert_int_equal(trace.event_count, 4 * MANY);
    cor_trace_fini(&trace);
    cor_interpreter_destroy(interpreter);
    cor_agent_code_destroy(code);
    cor_design_destroy(design);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_possible_and_new),
        cmocka_unit_test(what_is_not_there_is_said_with_what_was_probably_meant),
        cmocka_unit_test(bodies_use_what_the_design_has),
        cmocka_unit_test(a_change_that_cannot_be_leaves_the_plan_alone),
        cmocka_unit_test(rules_post_what_their_set_has),
        cmocka_unit_test(conditions_are_read),
        cmocka_unit_test(conditions_hold_where_they_should_and_only_there),
        cmocka_unit_test(slots_are_fields_and_then_parameters),
        cmocka_unit_test(parts_of_a_plan_are_noted_once),
        cmocka_unit_test(units_are_called_by_what_is_in_them),
        cmocka_unit_test(many_plans_are_many_but_no_trouble),
    };
    return cmocka_run_group_tests_name("agent_design", tests, NULL, NULL);
}
