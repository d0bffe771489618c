/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Several intentions in one case: what each does by itself, who waits for whom, and that an interleaving is a
 * function of its name. */
#include "tests/designs.h"

#include <corridor/turns.h>

/* A design with its agent and interpreter, and the trace of the case run last. */
struct tested {
    struct cor_design *design;
    struct cor_agent_code *code;
    struct cor_interpreter *interpreter;
    struct cor_trace trace;
};

static void begin(struct tested *tested, struct cor_design *design) {
    tested->design = design;
    tested->code = cor_agent_code_create(design);
    assert_non_null(tested->code);
    tested->interpreter = cor_interpreter_create(tested->code);
    assert_non_null(tested->interpreter);
    cor_trace_init(&tested->trace);
}

static void end(struct tested *tested) {
    cor_interpreter_destroy(tested->interpreter);
    cor_agent_code_destroy(tested->code);
    cor_design_destroy(tested->design);
    cor_trace_fini(&tested->trace);
}

static const struct cor_trace *run(struct tested *tested, uint32_t interleaving, uint32_t steps) {
    const struct cor_agent_case asked = {
        .beliefs = tested->code->start, .seed = 7, .interleaving = interleaving, .steps = steps, .rounds = 3};
    MUST(cor_interpreter_run(tested->interpreter, &asked, &tested->trace, error));
    return &tested->trace;
}

/* The field's value at the end. */
static int64_t last(const struct cor_trace *trace, uint32_t field) {
    int64_t value = 0;
    for (uint32_t i = 0; i < trace->event_count; i++)
        if (trace->events[i].kind == COR_TRACE_WROTE && trace->events[i].subject == field)
            value = trace->values[trace->events[i].value].as.integer;
    return value;
}

static uint32_t count(const struct cor_trace *trace, uint8_t kind, uint8_t flag) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < trace->event_count; i++)
        found += trace->events[i].kind == kind && trace->events[i].flag == flag;
    return found;
}

/* Two strands read, wait and write; a third plan does nothing that they see. */
static struct cor_design *make_lost_update(void) {
    struct cor_design *design = new_design();
    add_belief(design, "b", WORDS("Sum", "A", "B"));
    const uint32_t go = add_event(design, "Go", NULL);
    MUST(cor_design_add_action(design, "Wave", NULL, NULL, error));
    add_plan(design, "Add", go, NULL,
             WORDS("parallel", "strand", "set b.A to Sum", "set b.Sum to A + 1", "end", "strand",
                   "set b.B to Sum", "set b.Sum to B + 10", "end", "end", "do Wave"));
    return design;
}

static void strands_take_turns_and_the_plan_waits_for_all(void **unused) {
    struct tested tested;
    bool seen[12] = {false};
    (void)unused;
    begin(&tested, make_lost_update());
    for (uint32_t i = 0; i < 64; i++) {
        const struct cor_trace *trace = run(&tested, i, 100);
        const int64_t sum = last(trace, 0);
        assert_int_equal(trace->end, COR_TRACE_END_QUIET);
        assert_int_equal(trace->intention_count, 3);
        assert_int_equal(trace->steps, 8); /* a start, two strands, four writes, an action */
        assert_true(sum == 1 || sum == 10 || sum == 11);
        seen[sum] = true;
        /* The action comes behind all that the strands do, and the end last. */
        assert_int_equal(trace->events[trace->event_count - 2].kind, COR_TRACE_DID);
        assert_int_equal(trace->events[trace->event_count - 1].kind, COR_TRACE_ENDED);
        assert_int_equal(trace->events[trace->event_count - 1].flag, 1);
        /* Each strand by itself is in order. */
        for (uint32_t intention = 1; intention < 3; intention++) {
            uint32_t fields[2], written = 0;
            for (uint32_t e = 0; e < trace->event_count; e++)
                if (trace->events[e].intention == intention) {
                    assert_int_equal(trace->events[e].parent, 2);
                    assert_true(written < 2);
                    fields[written++] = trace->events[e].subject;
                }
            assert_int_equal(written, 2);
            assert_int_equal(fields[0], intention);
            assert_int_equal(fields[1], 0);
        }
    }
    assert_true(seen[1] && seen[10] && seen[11]);
    end(&tested);
}

static void an_interleaving_is_a_function_of_its_name(void **unused) {
    struct tested tested, again;
    (void)unused;
    begin(&tested, make_lost_update());
    begin(&again, make_lost_update());
    for (uint32_t i = 0; i < 16; i++) {
        run(&tested, i, 100);
        run(&again, 15 - i, 100); /* what was run before does not count */
        run(&again, i, 100);
        assert_true(cor_trace_equal(&tested.trace, &again.trace));
    }
    end(&tested);
    end(&again);
}

static void who_posts_and_goes_on_does_not_fail_with_it(void **unused) {
    struct tested tested;
    (void)unused;
    struct cor_design *design = new_design();
    add_belief(design, "b", WORDS("N"));
    const uint32_t go = add_event(design, "Go", NULL), on = add_event(design, "On", WORDS("P"));
    add_plan(design, "First", go, NULL,
             WORDS("aside On", "with P = 3", "aside On", "with P = 0", "set b.N to N + 1"));
    add_plan(design, "Second", on, "P > 0", WORDS("set b.N to N + 2", "fail"));
    begin(&tested, design);
    for (uint32_t i = 0; i < 16; i++) {
        const struct cor_trace *trace = run(&tested, i, 100);
        assert_int_equal(trace->end, COR_TRACE_END_QUIET);
        assert_int_equal(last(trace, 0), 3);
        assert_int_equal(count(trace, COR_TRACE_POSTED, COR_POSTER_ASIDE), 2);
        assert_int_equal(count(trace, COR_TRACE_STARTED, 0), 2);
        assert_int_equal(count(trace, COR_TRACE_ENDED, 1), 1); /* the poster */
        assert_int_equal(count(trace, COR_TRACE_ENDED, 0), 1);
        assert_int_equal(count(trace, COR_TRACE_CONTEXT, 0), 1);
    }
    end(&tested);
}

static void a_plan_fails_when_one_of_its_strands_has_and_all_have_ended(void **unused) {
    struct tested tested;
    (void)unused;
    struct cor_design *design = new_design();
    add_belief(design, "b", WORDS("N", "M"));
    const uint32_t go = add_event(design, "Go", NULL), on = add_event(design, "On", NULL);
    add_plan(design, "First", go, NULL,
             WORDS("parallel", "strand", "post On", "set b.M to 1", "end", "strand", "set b.N to N + 1",
                   "set b.N to N + 1", "end", "end", "set b.N to 100"));
    add_plan(design, "Instead", go, NULL, WORDS("set b.N to N + 10"));
    add_plan(design, "Second", on, NULL, WORDS("fail"));
    begin(&tested, design);
    for (uint32_t i = 0; i < 16; i++) {
        const struct cor_trace *trace = run(&tested, i, 100);
        assert_int_equal(last(trace, 0), 12); /* the other strand came to its end, then another plan */
        assert_int_equal(last(trace, 1), 0);
        assert_int_equal(count(trace, COR_TRACE_ENDED, 0), 2);
        assert_int_equal(count(trace, COR_TRACE_ENDED, 1), 1);
        assert_int_equal(trace->open, COR_NONE);
    }
    end(&tested);
}

static void a_limit_is_the_fault_of_who_took_most_steps(void **unused) {
    struct tested tested;
    (void)unused;
    struct cor_design *design = new_design();
    add_belief(design, "b", WORDS("N"));
    const uint32_t go = add_event(design, "Go", NULL), on = add_event(design, "On", NULL);
    add_plan(design, "First", go, NULL,
             WORDS("aside On", "set b.N to 1", "set b.N to 2", "set b.N to 3", "set b.N to 4"));
    const uint32_t spins = add_plan(design, "Spins", on, NULL, WORDS("while N >= 0", "end"));
    begin(&tested, design);
    for (uint32_t i = 0; i < 16; i++) {
        const struct cor_trace *trace = run(&tested, i, 40);
        assert_int_equal(trace->end, COR_TRACE_END_STEPS);
        assert_int_equal(cor_trace_open_plan(trace), spins);
    }
    end(&tested);
}

static void who_waits_in_a_loop_is_not_starved_nor_starves(void **unused) {
    struct tested tested;
    (void)unused;
    struct cor_design *design = new_design();
    add_belief(design, "b", WORDS("Flag"));
    const uint32_t go = add_event(design, "Go", NULL);
    add_plan(design, "Wait", go, NULL,
             WORDS("parallel", "strand", "while Flag = 0", "end", "set b.Flag to 2", "end", "strand",
                   "set b.Flag to 1", "end", "strand", "while Flag < 2", "end", "end", "end"));
    begin(&tested, design);
    for (uint32_t i = 0; i < 200; i++) {
        assert_int_equal(run(&tested, i, 1000)->end, COR_TRACE_END_QUIET);
        assert_int_equal(last(&tested.trace, 0), 2);
    }
    end(&tested);
}

/* Rounds are starts within each other, steps and intentions are of the whole case. */
static void what_multiplies_comes_to_a_limit(void **unused) {
    struct tested tested;
    (void)unused;
    struct cor_design *design = new_design();
    const uint32_t go = add_event(design, "Go", NULL), on = add_event(design, "On", NULL);
    add_plan(design, "First", go, NULL, WORDS("aside On", "aside On", "aside On", "aside On", "aside On"));
    add_plan(design, "Breeds", on, NULL, WORDS("aside On", "aside On"));
    begin(&tested, design);
    assert_int_equal(run(&tested, 2, 100)->end, COR_TRACE_END_STEPS);
    assert_int_equal(run(&tested, 2, 10000000)->end, COR_TRACE_END_STEPS);
    assert_int_equal(tested.trace.intention_count, COR_INTENTIONS_MOST);
    end(&tested);
    design = new_design();
    const uint32_t again = add_event(design, "Go", NULL);
    add_plan(design, "Nests", again, NULL,
             WORDS("parallel", "strand", "post Go", "end", "strand", "end", "end"));
    begin(&tested, design);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(run(&tested, i, 1000)->end, COR_TRACE_END_ROUNDS);
    end(&tested);
}

static void a_trace_names_its_intentions(void **unused) {
    struct tested tested;
    (void)unused;
    struct cor_design *design = new_design();
    const uint32_t go = add_event(design, "Go", NULL), on = add_event(design, "On", NULL);
    MUST(cor_design_add_action(design, "Wave", NULL, NULL, error));
    add_plan(design, "First", go, NULL, WORDS("aside On"));
    add_plan(design, "Second", on, NULL, WORDS("do Wave"));
    begin(&tested, design);
    run(&tested, 0, 100);
    char *text = cor_trace_print(tested.design, &tested.trace);
    assert_string_equal(text, "  0 posted Go()\n"
                              "  0   context of First holds\n"
                              "  0   started First\n"
                              "  0     posted On() and goes on\n"
                              "  0   completed First\n"
                              "  1       context of Second holds\n"
                              "  1       started Second\n"
                              "  1         did Wave\n"
                              "  1       completed Second\n"
                              "quiet after 4 steps\n");
    free(text);
    end(&tested);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strands_take_turns_and_the_plan_waits_for_all),
        cmocka_unit_test(an_interleaving_is_a_function_of_its_name),
        cmocka_unit_test(who_posts_and_goes_on_does_not_fail_with_it),
        cmocka_unit_test(a_plan_fails_when_one_of_its_strands_has_and_all_have_ended),
        cmocka_unit_test(a_limit_is_the_fault_of_who_took_most_steps),
        cmocka_unit_test(who_waits_in_a_loop_is_not_starved_nor_starves),
        cmocka_unit_test(what_multiplies_comes_to_a_limit),
        cmocka_unit_test(a_trace_names_its_intentions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
