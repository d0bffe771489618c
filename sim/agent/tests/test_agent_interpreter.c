/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the interpreter does, by traces written by hand, one for each reading of the paper. */
#include "tests/designs.h"

/* The trace of the event with these arguments must be `expected`, within these limits. */
static void assert_trace_of(const struct cor_agent_code *code, uint32_t event, const int64_t *arguments,
                            uint32_t steps, uint32_t rounds, const char *expected) {
    struct cor_interpreter *interpreter = cor_interpreter_create(code);
    struct cor_trace trace, again;
    struct cor_value values[8];
    assert_non_null(interpreter);
    cor_trace_init(&trace);
    cor_trace_init(&again);
    for (uint32_t p = 0; p < code->design->events[event].parameter_count; p++)
        values[p] = cor_integer(arguments[p]);
    const struct cor_agent_case unit_case = {
        .event = event, .arguments = values, .beliefs = code->start, .steps = steps, .rounds = rounds};
    MUST(cor_interpreter_run(interpreter, &unit_case, &trace, error));
    MUST(cor_interpreter_run(interpreter, &unit_case, &again, error));
    assert_true(cor_trace_equal(&trace, &again));
    char *text = cor_trace_print(code->design, &trace);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
    cor_trace_fini(&trace);
    cor_trace_fini(&again);
    cor_interpreter_destroy(interpreter);
}

/* The same for a design as it stands, which is destroyed. */
static void assert_trace(struct cor_design *design, uint32_t event, const int64_t *arguments, uint32_t steps,
                         uint32_t rounds, const char *expected) {
    struct cor_agent_code *code = cor_agent_code_create(design);
    assert_non_null(code);
    assert_trace_of(code, event, arguments, steps, rounds, expected);
    cor_agent_code_destroy(code);
    cor_design_destroy(design);
}

static void an_event_without_an_applicable_plan_is_quiet(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    uint32_t event = add_event(design, "Ask", WORDS("N"));
    add_plan(design, "Small", event, "N < 5", NULL);
    assert_trace(design, event, (int64_t[]){7}, 100, 10,
                 "posted Ask(N=7)\n"
                 "  context of Small does not hold\n"
                 "quiet after 0 steps\n");
}

static void all_contexts_are_reported_and_the_first_applicable_plan_is_started(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    uint32_t event = add_event(design, "Ask", WORDS("N"));
    MUST(cor_design_add_message(design, "Hello", NULL, NULL, error));
    MUST(cor_design_add_action(design, "Wave", NULL, NULL, error));
    add_plan(design, "Small", event, "N < 5", NULL);
    add_plan(design, "Large", event, "N >= 5", WORDS("send Hello", "do Wave"));
    add_plan(design, "Any", event, NULL, WORDS("do Wave"));
    assert_trace(design, event, (int64_t[]){7}, 100, 10,
                 "posted Ask(N=7)\n"
                 "  context of Small does not hold\n"
                 "  context of Large holds\n"
                 "  context of Any holds\n"
                 "  started Large\n"
                 "    sent Hello\n"
                 "    did Wave\n"
                 "  completed Large\n"
                 "quiet after 3 steps\n");
}

static void when_a_plan_fails_the_next_that_was_applicable_is_tried(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    add_belief(design, "b", WORDS("F"));
    uint32_t event = add_event(design, "Ask", NULL);
    /* The first makes the second's context false: it was applicable when the event was posted, and that
     * counts. */
    add_plan(design, "First", event, NULL, WORDS("set b.F to 1", "fail"));
    add_plan(design, "Second", event, "F = 0", WORDS("set F to F + 1", "fail"));
    add_plan(design, "Never", event, "F = 5", NULL);
    add_plan(design, "Third", event, NULL, WORDS("set F to F * 10"));
    assert_trace(design, event, NULL, 100, 10,
                 "posted Ask()\n"
                 "  context of First holds\n"
                 "  context of Second holds\n"
                 "  context of Never does not hold\n"
                 "  context of Third holds\n"
                 "  started First\n"
                 "    wrote b.F = 1\n"
                 "  failed First\n"
                 "  started Second\n"
                 "    wrote b.F = 2\n"
                 "  failed Second\n"
                 "  started Third\n"
                 "    wrote b.F = 20\n"
                 "  completed Third\n"
                 "quiet after 8 steps\n");
}

static void a_post_waits_and_its_plan_fails_when_no_plan_succeeds(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    add_belief(design, "b", WORDS("F"));
    uint32_t top = add_event(design, "Top", NULL), low = add_event(design, "Low", WORDS("N"));
    add_plan(design, "Upper", top, NULL,
             WORDS("post Low", "with N = 2", "set F to F + 1", "post Low", "with N = 1", "set F to F + 100"));
    add_plan(design, "Last", top, NULL, WORDS("set F to -1"));
    add_plan(design, "Even", low, "N % 2 = 0", WORDS("set F to 10"));
    assert_trace(design, top, NULL, 100, 10,
                 "posted Top()\n"
                 "  context of Upper holds\n"
                 "  context of Last holds\n"
                 "  started Upper\n"
                 "    posted Low(N=2)\n"
                 "      context of Even holds\n"
                 "      started Even\n"
                 "        wrote b.F = 10\n"
                 "      completed Even\n"
                 "    wrote b.F = 11\n"
                 "    posted Low(N=1)\n"
                 "      context of Even does not hold\n"
                 "  failed Upper\n"
                 "  started Last\n"
                 "    wrote b.F = -1\n"
                 "  completed Last\n"
                 "quiet after 8 steps\n");
}

static void a_message_says_what_its_arguments_are_when_it_is_sent(void **unused) {
    (void)unused;
    for (int64_t n = 7; n < 9; n++) {
        struct cor_design *design = new_design();
        uint32_t index, top = add_event(design, "Top", WORDS("N"));
        MUST(cor_design_add_message(design, "Told", NULL, NULL, error));
        MUST(cor_design_add_message_parameter(design, "Much", COR_DOMAIN_INTEGER, NULL, &index, error));
        MUST(cor_design_add_message_parameter(design, "N", COR_DOMAIN_INTEGER, NULL, &index, error));
        add_plan(design, "Say", top, NULL,
                 WORDS("send Told", "with N = N", "with Much = 10 / (8 - N)", "send Told", "with Much = 0",
                       "with N = N + 1"));
        assert_trace(design, top, &n, 100, 10,
                     n == 7 ? "posted Top(N=7)\n"
                              "  context of Say holds\n"
                              "  started Say\n"
                              "    sent Told(Much=10, N=7)\n"
                              "    sent Told(Much=0, N=8)\n"
                              "  completed Say\n"
                              "quiet after 3 steps\n"
                            : "posted Top(N=8)\n"
                              "  context of Say holds\n"
                              "  started Say\n"
                              "  failed Say\n" /* no value: nothing is sent, and the step is taken */
                              "quiet after 2 steps\n");
    }
}

static void an_optional_post_may_fail(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    uint32_t top = add_event(design, "Top", WORDS("N")), low = add_event(design, "Low", WORDS("M", "N"));
    MUST(cor_design_add_message(design, "Done", NULL, NULL, error));
    /* Behind the posts the parameters are those of Top again. */
    add_plan(design, "Upper", top, NULL,
             WORDS("try Low", "with M = 1", "with N = 2", "if N = 7", "send Done", "end", "try Low",
                   "with N = N + 1", "with M = 5"));
    add_plan(design, "Fails", low, "M = 5", WORDS("if M + N = 13", "fail", "end"));
    assert_trace(design, top, (int64_t[]){7}, 100, 10,
                 "posted Top(N=7)\n"
                 "  context of Upper holds\n"
                 "  started Upper\n"
                 "    posted Low(M=1, N=2)\n"
                 "      context of Fails does not hold\n"
                 "    sent Done\n"
                 "    posted Low(M=5, N=8)\n"
                 "      context of Fails holds\n"
                 "      started Fails\n"
                 "      failed Fails\n"
                 "  completed Upper\n"
                 "quiet after 8 steps\n");
}

static void an_event_that_nothing_handles_fails_its_post(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    uint32_t top = add_event(design, "Top", NULL);
    add_event(design, "Low", NULL);
    add_plan(design, "Upper", top, NULL, WORDS("post Low"));
    assert_trace(design, top, NULL, 100, 10,
                 "posted Top()\n"
                 "  context of Upper holds\n"
                 "  started Upper\n"
                 "    posted Low()\n"
                 "  failed Upper\n"
                 "quiet after 2 steps\n");
}

static void a_value_that_is_undefined_fails_the_plan(void **unused) {
    (void)unused;
    static const char *const set[] = {"set F to 1 / F", NULL}, *const argument[] = {"try Low",
                                                                                    "with N = 1 % F", NULL};
    static const char *const condition[] = {"if 1 / F = 0 or true", "fail", "end", NULL};
    static const char *const *const bodies[] = {set, argument, condition};
    static const char *const ends[] = {"failed", "failed", "completed"};
    for (int i = 0; i < 3; i++) {
        struct cor_design *design = new_design();
        add_belief(design, "b", WORDS("F"));
        uint32_t top = add_event(design, "Top", NULL);
        add_event(design, "Low", WORDS("N"));
        add_plan(design, "Upper", top, NULL, bodies[i]);
        char expected[300];
        snprintf(expected, sizeof expected,
                 "posted Top()\n  context of Upper holds\n  started Upper\n  %s Upper\nquiet after 2 steps\n",
                 ends[i]);
        assert_trace(design, top, NULL, 100, 10, expected);
    }
}

static void ifs_and_whiles_nest(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    add_belief(design, "b", WORDS("I", "Sum"));
    uint32_t top = add_event(design, "Top", WORDS("N"));
    add_plan(design, "Count", top, NULL,
             WORDS("while I < N", "if I % 2 = 0", "if I = 2", "set Sum to Sum + 100", "else", "end", "else",
                   "set Sum to Sum + I", "end", "set I to I + 1", "end", "set I to -1"));
    assert_trace(design, top, (int64_t[]){4}, 100, 10,
                 "posted Top(N=4)\n"
                 "  context of Count holds\n"
                 "  started Count\n"
                 "    wrote b.I = 1\n"
                 "    wrote b.Sum = 1\n"
                 "    wrote b.I = 2\n"
                 "    wrote b.Sum = 101\n"
                 "    wrote b.I = 3\n"
                 "    wrote b.Sum = 104\n"
                 "    wrote b.I = 4\n"
                 "    wrote b.I = -1\n"
                 "  completed Count\n"
                 "quiet after 20 steps\n");
}

static void a_rule_posts_what_is_recorded_and_not_run(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    add_belief(design, "load", WORDS("*Id", "Level", "Least"));
    add_belief(design, "other", WORDS("Level"));
    uint32_t low = add_event(design, "Low", WORDS("Id", "Level")),
             top = add_event(design, "Top", WORDS("Id"));
    MUST(cor_design_add_rule(design, 0, "Level < Least", low, "rule", error));
    cor_design_set_start(design, 2, cor_integer(3));
    cor_design_set_start(design, 1, cor_integer(4));
    add_plan(design, "Take", top, NULL,
             WORDS("set load.Level to load.Level - 1", "set load.Level to load.Level - 1",
                   "set other.Level to 9"));
    add_plan(design, "Fill", low, NULL, WORDS("set load.Level to 100"));
    /* The key of the row is the parameter in scope. */
    assert_trace(design, top, (int64_t[]){42}, 100, 10,
                 "posted Top(Id=42)\n"
                 "  context of Take holds\n"
                 "  started Take\n"
                 "    wrote load.Level = 3\n"
                 "    wrote load.Level = 2\n"
                 "    posted Low(Id=42, Level=2) by a rule\n"
                 "    wrote other.Level = 9\n"
                 "  completed Take\n"
                 "quiet after 4 steps\n");
}

static void a_key_has_the_value_in_scope(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    add_belief(design, "row", WORDS("*Id", "Copy"));
    uint32_t top = add_event(design, "Top", WORDS("Id")), low = add_event(design, "Low", NULL);
    cor_design_set_start(design, 0, cor_integer(1));
    add_plan(design, "Upper", top, "row.Id = 5",
             WORDS("set Copy to row.Id", "post Low", "set Copy to row.Id * 10", "set row.Id to 8",
                   "set Copy to row.Id", "post Low", "set Copy to row.Id"));
    add_plan(design, "Lower", low, NULL, WORDS("set Copy to row.Id"));
    assert_trace(design, top, (int64_t[]){5}, 100, 10,
                 "posted Top(Id=5)\n"
                 "  context of Upper holds\n"
                 "  started Upper\n"
                 "    wrote row.Copy = 5\n"
                 "    posted Low()\n"
                 "      context of Lower holds\n"
                 "      started Lower\n"
                 "        wrote row.Copy = 1\n"
                 "      completed Lower\n"
                 "    wrote row.Copy = 50\n"
                 "    wrote row.Id = 8\n"
                 "    wrote row.Copy = 5\n"
                 "    posted Low()\n"
                 "      context of Lower holds\n"
                 "      started Lower\n"
                 "        wrote row.Copy = 8\n"
                 "      completed Lower\n"
                 "    wrote row.Copy = 5\n"
                 "  completed Upper\n"
                 "quiet after 12 steps\n");
}

static void a_loop_without_end_ends_by_the_step_limit(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    uint32_t top = add_event(design, "Top", NULL);
    add_plan(design, "Loops", top, NULL, WORDS("while true", "end"));
    assert_trace(design, top, NULL, 1000, 10,
                 "posted Top()\n"
                 "  context of Loops holds\n"
                 "  started Loops\n"
                 "steps after 1000 steps\n");
}

/* A plan that posts its own trigger, event 0, without end. */
static struct cor_design *ring(void) {
    struct cor_design *design = new_design();
    add_event(design, "Again", NULL);
    add_plan(design, "Self", 0, NULL, WORDS("post Again"));
    return design;
}

static void a_plan_that_posts_to_itself_ends_by_the_limit_of_rounds(void **unused) {
    (void)unused;
    assert_trace(ring(), 0, NULL, 1000, 2,
                 "posted Again()\n"
                 "  context of Self holds\n"
                 "  started Self\n"
                 "    posted Again()\n"
                 "      context of Self holds\n"
                 "      started Self\n"
                 "        posted Again()\n"
                 "          context of Self holds\n"
                 "          started Self\n"
                 "            posted Again()\n"
                 "              context of Self holds\n"
                 "rounds after 6 steps\n");
    assert_trace(ring(), 0, NULL, 1000, 0,
                 "posted Again()\n"
                 "  context of Self holds\n"
                 "  started Self\n"
                 "    posted Again()\n"
                 "      context of Self holds\n"
                 "rounds after 2 steps\n");
    assert_trace(ring(), 0, NULL, 3, 10,
                 "posted Again()\n"
                 "  context of Self holds\n"
                 "  started Self\n"
                 "    posted Again()\n"
                 "      context of Self holds\n"
                 "      started Self\n"
                 "steps after 3 steps\n");
}

/* Deeper than any stack of calls: the interpreter has its own. */
static void a_million_rounds_deep_is_no_deeper_than_one(void **unused) {
    (void)unused;
    struct cor_design *design = ring();
    struct cor_agent_code *code = cor_agent_code_create(design);
    struct cor_interpreter *interpreter = cor_interpreter_create(code);
    struct cor_trace trace;
    cor_trace_init(&trace);
    struct cor_agent_case unit_case = {.event = 0, .steps = 3000000, .rounds = 1000000};
    MUST(cor_interpreter_run(interpreter, &unit_case, &trace, error));
    assert_int_equal(trace.end, COR_TRACE_END_ROUNDS);
    assert_int_equal(trace.steps, 2 * 1000001);
    assert_int_equal(trace.events[trace.event_count - 3].kind, COR_TRACE_STARTED);
    unit_case.steps = 0;
    MUST(cor_interpreter_run(interpreter, &unit_case, &trace, error));
    assert_int_equal(trace.end, COR_TRACE_END_STEPS);
    assert_int_equal(trace.event_count, 2);
    cor_trace_fini(&trace);
    cor_interpreter_destroy(interpreter);
    cor_agent_code_destroy(code);
    cor_design_destroy(design);
}

static void a_failure_climbs_through_all_that_waited(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    uint32_t a = add_event(design, "A", NULL), b = add_event(design, "B", NULL),
             c = add_event(design, "C", NULL);
    MUST(cor_design_add_message(design, "Reached", NULL, NULL, error));
    add_plan(design, "OnA", a, NULL, WORDS("try B", "send Reached"));
    add_plan(design, "OnB", b, NULL, WORDS("post C", "send Reached"));
    add_plan(design, "OnC", c, NULL, WORDS("fail"));
    assert_trace(design, a, NULL, 100, 10,
                 "posted A()\n"
                 "  context of OnA holds\n"
                 "  started OnA\n"
                 "    posted B()\n"
                 "      context of OnB holds\n"
                 "      started OnB\n"
                 "        posted C()\n"
                 "          context of OnC holds\n"
                 "          started OnC\n"
                 "          failed OnC\n"
                 "      failed OnB\n"
                 "    sent Reached\n"
                 "  completed OnA\n"
                 "quiet after 7 steps\n");
}

static void values_of_all_kinds_pass_through(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    uint32_t colour = 0, event = 0;
    MUST(cor_design_add_type(design, "Colour", WORDS("red", "it's blue"), 2, NULL, &colour, error));
    MUST(cor_design_add_belief(design, "b", NULL, NULL, error));
    MUST(cor_design_add_field(design, "C", colour, false, NULL, NULL, error));
    MUST(cor_design_add_field(design, "R", COR_DOMAIN_REAL, false, NULL, NULL, error));
    MUST(cor_design_add_field(design, "S", COR_DOMAIN_STRING, false, NULL, NULL, error));
    MUST(cor_design_add_field(design, "B", COR_DOMAIN_BOOLEAN, false, NULL, NULL, error));
    MUST(cor_design_add_event(design, "E", COR_EVENT_KIND_PERCEPT, NULL, &event, error));
    MUST(cor_design_add_parameter(design, "N", COR_DOMAIN_INTEGER, NULL, NULL, error));
    add_plan(design, "P", event, "C = 'red' and S = null and not B and R = 0.0",
             WORDS("set C to 'it''s blue'", "set R to N", "set R to R / 4", "set S to 'any'",
                   "set B to R < N", "set S to null", "set B to False"));
    assert_trace(design, event, (int64_t[]){3}, 100, 10,
                 "posted E(N=3)\n"
                 "  context of P holds\n"
                 "  started P\n"
                 "    wrote b.C = 'it''s blue'\n"
                 "    wrote b.R = 3.0\n"
                 "    wrote b.R = 0.75\n"
                 "    wrote b.S = 'any'\n"
                 "    wrote b.B = true\n"
                 "    wrote b.S = null\n"
                 "    wrote b.B = false\n"
                 "  completed P\n"
                 "quiet after 8 steps\n");
}

static void branches_say_which_ways_were_taken(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    uint32_t event = add_event(design, "E", WORDS("N"));
    add_plan(design, "Empty", event, "N < 0", WORDS("if true", "end"));
    uint32_t plan =
        add_plan(design, "P", event, NULL,
                 WORDS("if N > 1", "if N > 2", "end", "end", "while N < 0", "end", "if N = 1", "end"));
    struct cor_agent_code *code = cor_agent_code_create(design);
    struct cor_interpreter *interpreter = cor_interpreter_create(code);
    struct cor_trace trace;
    cor_trace_init(&trace);
    const uint8_t *branches = cor_interpreter_branches(interpreter, plan);
    assert_int_equal(code->plans[plan]->branch_count, 4);
    assert_int_equal(code->plans[plan]->branch_statements[3], 3);
    static const uint8_t expected[3][4] = {{2, 0, 2, 1}, {3, 2, 2, 3}, {3, 3, 2, 3}};
    for (int64_t n = 1; n <= 3; n++) {
        struct cor_value value = cor_integer(n);
        const struct cor_agent_case unit_case = {
            .event = event, .arguments = &value, .steps = 10, .rounds = 1};
        MUST(cor_interpreter_run(interpreter, &unit_case, &trace, error));
        assert_memory_equal(branches, expected[n - 1], 4);
    }
    cor_interpreter_clear_branches(interpreter);
    assert_memory_equal(branches, ((uint8_t[]){0, 0, 0, 0}), 4);
    cor_trace_fini(&trace);
    cor_interpreter_destroy(interpreter);
    cor_agent_code_destroy(code);
    cor_design_destroy(design);
}

static void a_changed_plan_does_what_the_change_says(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    uint32_t event = add_event(design, "E", WORDS("N")), other = add_event(design, "F", WORDS("N"));
    MUST(cor_design_add_message(design, "M", NULL, NULL, error));
    uint32_t first = add_plan(design, "First", event, "N > 0", WORDS("send M"));
    add_plan(design, "Second", event, NULL, NULL);
    struct cor_agent_code *code = cor_agent_code_create(design);
    struct cor_plan_change change = {.plan = first, .changes_context = true, .context = "N < 0"};
    MUST(cor_agent_code_change(code, &change, error));
    assert_trace_of(code, event, (int64_t[]){1}, 10, 1,
                    "posted E(N=1)\n  context of First does not hold\n  context of Second holds\n"
                    "  started Second\n  completed Second\nquiet after 1 step\n");
    struct cor_body body = make_body(WORDS("fail"));
    change = (struct cor_plan_change){.plan = first, .body = &body};
    MUST(cor_agent_code_change(code, &change, error));
    assert_trace_of(
        code, event, (int64_t[]){1}, 10, 1,
        "posted E(N=1)\n  context of First holds\n  context of Second holds\n"
        "  started First\n  failed First\n  started Second\n  completed Second\nquiet after 3 steps\n");
    change = (struct cor_plan_change){.plan = first, .trigger = "F", .changes_context = true};
    MUST(cor_agent_code_change(code, &change, error));
    assert_trace_of(
        code, other, (int64_t[]){-1}, 10, 1,
        "posted F(N=-1)\n  context of First holds\n  started First\n    sent M\n  completed First\n"
        "quiet after 2 steps\n");
    change = (struct cor_plan_change){.plan = first, .trigger = "misspelt"};
    MUST(cor_agent_code_change(code, &change, error));
    assert_int_equal(code->plans[first]->trigger, COR_NONE);
    change = (struct cor_plan_change){.plan = first, .absent = true};
    MUST(cor_agent_code_change(code, &change, error));
    assert_trace_of(code, event, (int64_t[]){1}, 10, 1,
                    "posted E(N=1)\n  context of Second holds\n  started Second\n  completed Second\nquiet "
                    "after 1 step\n");
    cor_body_fini(&body);
    cor_agent_code_destroy(code);
    cor_design_destroy(design);
}

static void a_silenced_rule_posts_nothing(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    add_belief(design, "b", WORDS("F"));
    uint32_t event = add_event(design, "E", NULL);
    MUST(cor_design_add_rule(design, 0, "true", event, NULL, error));
    add_plan(design, "P", event, NULL, WORDS("set F to 1"));
    struct cor_agent_code *code = cor_agent_code_create(design);
    assert_trace_of(
        code, event, NULL, 10, 1,
        "posted E()\n  context of P holds\n  started P\n    wrote b.F = 1\n    posted E() by a rule\n"
        "  completed P\nquiet after 2 steps\n");
    cor_agent_code_silence(code, 0);
    assert_trace_of(code, event, NULL, 10, 1,
                    "posted E()\n  context of P holds\n  started P\n    wrote b.F = 1\n  completed P\n"
                    "quiet after 2 steps\n");
    cor_agent_code_destroy(code);
    cor_design_destroy(design);
}

/* What an agent in another language reports becomes the trace that the interpreter makes. */
static void reports_make_the_trace_of_the_interpreter(void **unused) {
    (void)unused;
    struct cor_design *design = new_design();
    add_belief(design, "b", WORDS("F"));
    uint32_t top = add_event(design, "Top", WORDS("N")), low = add_event(design, "Low", WORDS("N"));
    MUST(cor_design_add_message(design, "M", NULL, NULL, error));
    MUST(cor_design_add_action(design, "A", NULL, NULL, error));
    add_plan(design, "Upper", top, NULL,
             WORDS("try Low", "with N = 1", "post Low", "with N = 2", "do A", "fail"));
    add_plan(design, "Lower", low, "N = 2", WORDS("set F to N", "send M"));
    struct cor_trace made, reported;
    cor_trace_init(&made);
    cor_trace_init(&reported);
    struct cor_value seven = cor_integer(7), one = cor_integer(1), two = cor_integer(2);
    MUST(cor_trace_posted(&reported, top, &seven, 1, COR_POSTER_CASE, error));
    MUST(cor_trace_context(&reported, 0, top, true, error));
    MUST(cor_trace_started(&reported, 0, top, error));
    MUST(cor_trace_posted(&reported, low, &one, 1, COR_POSTER_PLAN, error));
    MUST(cor_trace_context(&reported, 1, low, false, error));
    MUST(cor_trace_posted(&reported, low, &two, 1, COR_POSTER_PLAN, error));
    MUST(cor_trace_context(&reported, 1, low, true, error));
    MUST(cor_trace_started(&reported, 1, low, error));
    assert_int_equal(cor_trace_open_plan(&reported), 1);
    MUST(cor_trace_wrote(&reported, 0, two, error));
    MUST(cor_trace_sent(&reported, 0, NULL, 0, error));
    MUST(cor_trace_ended(&reported, true, error));
    MUST(cor_trace_did(&reported, 0, error));
    assert_int_equal(cor_trace_open_plan(&reported), 0);
    MUST(cor_trace_ended(&reported, false, error));
    assert_int_equal(cor_trace_open_plan(&reported), COR_NONE);
    reported.end = COR_TRACE_END_QUIET;
    reported.steps = 8;
    struct cor_agent_code *code = cor_agent_code_create(design);
    struct cor_interpreter *interpreter = cor_interpreter_create(code);
    const struct cor_agent_case unit_case = {
        .event = top, .arguments = &seven, .beliefs = code->start, .steps = 100, .rounds = 10};
    MUST(cor_interpreter_run(interpreter, &unit_case, &made, error));
    char *a = cor_trace_print(design, &made), *b = cor_trace_print(design, &reported);
    assert_string_equal(a, b);
    assert_true(cor_trace_equal(&made, &reported));
    free(a);
    free(b);
    cor_trace_fini(&made);
    cor_trace_fini(&reported);
    cor_interpreter_destroy(interpreter);
    cor_agent_code_destroy(code);
    cor_design_destroy(design);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_without_an_applicable_plan_is_quiet),
        cmocka_unit_test(a_message_says_what_its_arguments_are_when_it_is_sent),
        cmocka_unit_test(all_contexts_are_reported_and_the_first_applicable_plan_is_started),
        cmocka_unit_test(when_a_plan_fails_the_next_that_was_applicable_is_tried),
        cmocka_unit_test(a_post_waits_and_its_plan_fails_when_no_plan_succeeds),
        cmocka_unit_test(an_optional_post_may_fail),
        cmocka_unit_test(an_event_that_nothing_handles_fails_its_post),
        cmocka_unit_test(a_value_that_is_undefined_fails_the_plan),
        cmocka_unit_test(ifs_and_whiles_nest),
        cmocka_unit_test(a_rule_posts_what_is_recorded_and_not_run),
        cmocka_unit_test(a_key_has_the_value_in_scope),
        cmocka_unit_test(a_loop_without_end_ends_by_the_step_limit),
        cmocka_unit_test(a_plan_that_posts_to_itself_ends_by_the_limit_of_rounds),
        cmocka_unit_test(a_million_rounds_deep_is_no_deeper_than_one),
        cmocka_unit_test(a_failure_climbs_through_all_that_waited),
        cmocka_unit_test(values_of_all_kinds_pass_through),
        cmocka_unit_test(branches_say_which_ways_were_taken),
        cmocka_unit_test(a_changed_plan_does_what_the_change_says),
        cmocka_unit_test(a_silenced_rule_posts_nothing),
        cmocka_unit_test(reports_make_the_trace_of_the_interpreter),
    };
    return cmocka_run_group_tests_name("agent_interpreter", tests, NULL, NULL);
}
