/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs: what a sound one says is what the interpreter does; and whatever a hostile one does, the case has
 * its end, other cases are as ever, and nothing is left behind.
 *
 * test_program [in-full]: with who is given all the time to begin that there is. */
#include "tests/courier.h"

#include <corridor/array.h>

static bool is_full;

#define PROGRAM "python3 -I -S " TEST_SOURCE_SHELL "/algorithms/agents/tests/courier.py"

static enum cor_status open_program(const struct courier *made, const char *command, const char *fault,
                                    double seconds, struct cor_aut_session **session,
                                    struct cor_error *error) {
    struct cor_aut_definition definition = cor_default_aut(made->design);
    definition.way = cor_aut_way_of(command);
    definition.agent = command;
    definition.fault = fault;
    definition.design_json = "{\"agent\": \"Courier\"}";
    definition.answer_seconds = seconds;
    definition.is_free = strstr(command, "begins_once") != NULL; /* it makes a file */
    return cor_aut_open(&definition, session, error);
}

static struct cor_aut_session *opened(const struct courier *made, const char *fault, double seconds) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_aut_session *session;
    sound(open_program(made, PROGRAM, fault, seconds, &session, &error), &error);
    return session;
}

static void a_program_says_who_it_is(void **state) {
    (void)state;
    struct courier made = courier_make();
    struct cor_aut_session *session = opened(&made, NULL, 60);
    assert_string_equal(cor_aut_name(session), "Courier");
    assert_string_equal(cor_aut_version(session), "2");
    assert_true(cor_aut_fault_count(session) > 40);
    assert_string_equal(cor_aut_fault_name(session, 0), "raises");
    assert_int_equal(cor_aut_trigger(session, 0), made.pickup);
    cor_aut_close(session);
    session = opened(&made, "unwired", 60);
    assert_int_equal(cor_aut_trigger(session, 0), COR_NONE);
    cor_aut_close(session);
    assert_nobody_left();
    courier_free(&made);
}

static void a_program_is_alike_with_the_interpreter(void **state) {
    (void)state;
    static const char *const faults[] = {NULL, "says_all_at_once"};
    struct courier made = courier_make();
    struct cor_error error = COR_NO_ERROR;
    for (int i = 0; i < 2; i++) {
        struct cor_aut_session *session = opened(&made, faults[i], 60);
        for (int64_t kilos = -20; kilos < 200; kilos++)
            assert_alike(&made, session, kilos);
        sound(cor_aut_restart(session, &error), &error);
        assert_alike(&made, session, 1);
        cor_aut_close(session);
    }
    courier_free(&made);
}

/* The end of a case of an agent that shows whether it had one before. */
static enum cor_trace_end end_of_next(const struct courier *made, struct cor_aut_session *session) {
    struct parcel parcel;
    struct cor_trace trace;
    cor_trace_init(&trace);
    parcel_make(made, 5, &parcel);
    run_into(session, &parcel.asked, &trace);
    const enum cor_trace_end end = trace.end;
    cor_trace_fini(&trace);
    return end;
}

/* A suite begins in a fresh process, but of an agent that says that it forgets; a case is repeated in one in
 * any event. */
static void a_program_that_forgets_serves_many_suites(void **state) {
    (void)state;
    struct courier made = courier_make();
    struct cor_error error = COR_NO_ERROR;
    for (int forgets = 0; forgets < 2; forgets++) {
        struct cor_aut_session *session = opened(&made, forgets ? "says_that_it_forgets" : "remembers", 60);
        assert_int_equal(end_of_next(&made, session), COR_TRACE_END_QUIET);
        assert_int_equal(end_of_next(&made, session), COR_TRACE_END_ROUNDS);
        sound(cor_aut_begin_suite(session, &error), &error);
        assert_int_equal(end_of_next(&made, session), forgets ? COR_TRACE_END_ROUNDS : COR_TRACE_END_QUIET);
        sound(cor_aut_restart(session, &error), &error);
        assert_int_equal(end_of_next(&made, session), COR_TRACE_END_QUIET);
        cor_aut_close(session);
    }
    courier_free(&made);
}

static const struct {
    const char *fault;
    enum cor_trace_end end;
    const char *garbled; /* part of what is said */
} hostile[] = {
    {"raises", COR_TRACE_END_EXITED, ""},
    {"exits", COR_TRACE_END_EXITED, ""},
    {"exits_with_3", COR_TRACE_END_EXITED, ""},
    {"segfaults", COR_TRACE_END_CRASHED, ""},
    {"kills_its_group", COR_TRACE_END_CRASHED, ""},
    {"is_silent", COR_TRACE_END_HUNG, ""},
    {"spins", COR_TRACE_END_HUNG, ""},
    {"stops", COR_TRACE_END_HUNG, ""},
    {"trickles", COR_TRACE_END_HUNG, ""},
    {"ignores_sigterm", COR_TRACE_END_HUNG, ""},
    {"no_json", COR_TRACE_END_GARBLED, "Traceback (most recent call last):"},
    {"no_object", COR_TRACE_END_GARBLED, "\"[1, 2]\": "},
    {"empty_line", COR_TRACE_END_GARBLED, ""},
    {"binary", COR_TRACE_END_GARBLED, ""},
    {"deep", COR_TRACE_END_GARBLED, ""},
    {"twice_a_key", COR_TRACE_END_GARBLED, "duplicate"},
    {"half_a_line", COR_TRACE_END_GARBLED, "half a line, and no more"},
    {"wrong_id", COR_TRACE_END_GARBLED, "but asked was"},
    {"no_id", COR_TRACE_END_GARBLED, "\"id\""},
    {"text_id", COR_TRACE_END_GARBLED, "expected an integer"},
    {"says_nothing_known", COR_TRACE_END_GARBLED, "it says none of context, started,"},
    {"unknown_key", COR_TRACE_END_GARBLED, "\"buy\""},
    {"missing_key", COR_TRACE_END_GARBLED, "\"holds\""},
    {"number_for_a_name", COR_TRACE_END_GARBLED, "expected a string"},
    {"unknown_plan", COR_TRACE_END_GARBLED, "started \"Tkae\": the design has no such plan"},
    {"unknown_event", COR_TRACE_END_GARBLED, "posted \"Delivr\": the design has no such event"},
    {"unknown_message", COR_TRACE_END_GARBLED, "sent \"Bill\": the design has no such message"},
    {"unknown_action", COR_TRACE_END_GARBLED, "did \"Fly\": the design has no such action"},
    {"unknown_field", COR_TRACE_END_GARBLED, "wrote \"load.Wait\": the design has no such field"},
    {"unknown_parameter", COR_TRACE_END_GARBLED, "the event has no parameter \"Pounds\""},
    {"list_for_a_value", COR_TRACE_END_GARBLED, "expected"},
    {"too_large", COR_TRACE_END_GARBLED, "too big integer"},
    {"not_a_number", COR_TRACE_END_GARBLED, "NaN"},
    {"says_for_another", COR_TRACE_END_GARBLED, "but the plan at work is \"Take\""},
    {"ends_another", COR_TRACE_END_GARBLED, "but the plan at work is \"Take\""},
    {"finishes_twice", COR_TRACE_END_GARBLED, "it goes on speaking after its answer"},
    {"finishes_oddly", COR_TRACE_END_GARBLED, "\"well\""},
    {"lines_behind_the_last", COR_TRACE_END_GARBLED, "which are the last"},
    {"lines_with_an_id", COR_TRACE_END_GARBLED, "unknown key \"id\""},
    {"lines_in_lines", COR_TRACE_END_GARBLED, "it says none of context, started,"},
    {"lines_and_more", COR_TRACE_END_GARBLED, "unknown key \"did\""},
    {"no_lines", COR_TRACE_END_GARBLED, "expected at least 1"},
    {"line_of_lines_is_none", COR_TRACE_END_GARBLED, "it says none of context, started,"},
    {"closes_output", COR_TRACE_END_GARBLED, "closed its output"},
    {"closes_all", COR_TRACE_END_GARBLED, "closed its output"},
    {"floods", COR_TRACE_END_GARBLED, "a line of more than"},
    {"reports_on", COR_TRACE_END_GARBLED, "more is reported than 65536 things in one case"},
};

static const char *word_of(enum cor_trace_end end) {
    return cor_term_word(COR_FAMILY_TRACE_END, (int)end);
}

static void whatever_a_program_does_is_its_end_of_the_case(void **state) {
    (void)state;
    struct courier made = courier_make();
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        char garbled[256];
        const bool hangs = hostile[i].end == COR_TRACE_END_HUNG;
        struct cor_aut_session *session = opened(&made, hostile[i].fault, hangs ? 0.3 : 60);
        assert_alike_in_the_end(&made, session, 5, hangs ? 100 : 0);
        enum cor_trace_end end = end_of_wrong(&made, session, garbled, sizeof garbled);
        if (end != hostile[i].end || !strstr(garbled, hostile[i].garbled))
            fail_msg("%s: %s (%s), not %s (%s); %s", hostile[i].fault, word_of(end), garbled,
                     word_of(hostile[i].end), hostile[i].garbled, cor_aut_last_words(session));
        assert_alike_in_the_end(&made, session, 7, hangs ? 100 : 0);
        cor_aut_close(session);
        assert_nobody_left();
    }
    courier_free(&made);
}

static void what_a_program_does_besides_stays_its_own(void **state) {
    (void)state;
    static const char *const deeds[] = {"leaves_a_child", "leaves_a_daemon", "writes_errors",
                                        "kills_its_parent"};
    struct courier made = courier_make();
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++) {
        char garbled[256];
        struct cor_aut_session *session = opened(&made, deeds[i], 60);
        enum cor_trace_end end = end_of_wrong(&made, session, garbled, sizeof garbled);
        if (end != COR_TRACE_END_QUIET && i != 3) /* its keeper is killed, if it can be */
            fail_msg("%s: %s (%s; %s)", deeds[i], word_of(end), garbled, cor_aut_last_words(session));
        assert_alike(&made, session, 7);
        cor_aut_close(session);
        if (i == 3)
            bury_orphans();
        assert_nobody_left();
    }
    courier_free(&made);
}

/* Gone between two cases: the first of them was answered, the second was not. */
static void a_program_that_is_gone_has_exited_in_the_next_case(void **state) {
    (void)state;
    struct courier made = courier_make();
    struct parcel parcel;
    struct cor_trace trace;
    cor_trace_init(&trace);
    parcel_make(&made, 7, &parcel);
    struct cor_aut_session *session = opened(&made, "exits_between", 60);
    assert_alike(&made, session, WRONG_KILOS);
    run_into(session, &parcel.asked, &trace);
    assert_int_equal(trace.end, COR_TRACE_END_EXITED);
    assert_alike(&made, session, 7);
    cor_aut_close(session);
    cor_trace_fini(&trace);
    courier_free(&made);
}

static void what_it_wrote_last_is_kept(void **state) {
    (void)state;
    struct courier made = courier_make();
    char garbled[256];
    struct cor_aut_session *session = opened(&made, "raises", 60);
    end_of_wrong(&made, session, garbled, sizeof garbled);
    assert_non_null(strstr(cor_aut_last_words(session), "ZeroDivisionError: division by zero"));
    assert_non_null(strstr(cor_aut_last_words(session), "exit code 1"));
    cor_aut_close(session);
    courier_free(&made);
}

static void a_program_without_a_hello_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *command, *fault;
        enum cor_status status;
        const char *cause;
    } bad[] = {
        {PROGRAM " silent", NULL, COR_STATUS_PLUGIN, "said nothing in time"},
        {PROGRAM " ends", NULL, COR_STATUS_PLUGIN, "ended by itself with exit code 4"},
        {PROGRAM " floods", NULL, COR_STATUS_PLUGIN, "a line without an end"},
        {PROGRAM " garbage", NULL, COR_STATUS_PLUGIN, "is not valid JSON"},
        {PROGRAM " nameless", NULL, COR_STATUS_PLUGIN, "\"agent\""},
        {PROGRAM " wrong", NULL, COR_STATUS_PLUGIN, "it answers 2, but asked was 1"},
        {PROGRAM " listless", NULL, COR_STATUS_PLUGIN, "expected an object"},
        {"./there_is_no_such_program", NULL, COR_STATUS_FILE, "cannot open: No such file"},
        {"there_is_no_such_program", NULL, COR_STATUS_PLUGIN, "there is no program"},
        {"true", NULL, COR_STATUS_PLUGIN, "ended"},
        {PROGRAM, "raise", COR_STATUS_INPUT, "agent \"Courier\" has no fault \"raise\""},
    };
    struct courier made = courier_make();
    for (size_t i = is_full ? 0 : 1; i < sizeof bad / sizeof *bad; i++) {
        struct cor_error error = COR_NO_ERROR;
        struct cor_aut_session *session;
        enum cor_status status =
            open_program(&made, bad[i].command, bad[i].fault, i == 0 ? 1 : 60, &session, &error);
        if (status != bad[i].status || !strstr(error.cause, bad[i].cause) ||
            !strstr(error.place, bad[i].command))
            fail_msg("%s: %s: \"%s\" (%s) does not say \"%s\"", bad[i].command, error.place, error.cause,
                     error.remedy, bad[i].cause);
        assert_null(session);
        assert_nobody_left();
    }
    courier_free(&made);
}

/* One that leaves a lock behind, say. */
static void a_program_that_does_not_begin_again_is_given_up_at_last(void **state) {
    (void)state;
    struct courier made = courier_make();
    struct cor_error error = COR_NO_ERROR;
    struct cor_aut_session *session;
    struct parcel parcel;
    struct cor_trace trace;
    char *lock = cor_format("lock-%d", (int)getpid());
    char *command = cor_format(PROGRAM " begins_once %s", lock);
    cor_trace_init(&trace);
    parcel_make(&made, WRONG_KILOS, &parcel);
    sound(open_program(&made, command, "exits", 60, &session, &error), &error);
    assert_alike(&made, session, 5);
    run_into(session, &parcel.asked, &trace);
    assert_int_equal(trace.end, COR_TRACE_END_EXITED);
    for (int again = 0; again < 3; again++) {
        run_into(session, &parcel.asked, &trace);
        assert_int_equal(trace.end, COR_TRACE_END_GARBLED);
        assert_non_null(
            strstr(trace.garbled, "it does not begin again: the program ended without an answer"));
    }
    assert_int_equal(cor_aut_run(session, &parcel.asked, &trace, &error), COR_STATUS_PLUGIN);
    assert_non_null(strstr(error.cause, "there is one of us already"));
    cor_aut_close(session);
    cor_trace_fini(&trace);
    unlink(lock);
    free(command);
    free(lock);
    assert_nobody_left();
    courier_free(&made);
}

int main(int count, char **words) {
    is_full = count > 1 && strcmp(words[1], "in-full") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_says_who_it_is),
        cmocka_unit_test(a_program_is_alike_with_the_interpreter),
        cmocka_unit_test(a_program_that_forgets_serves_many_suites),
        cmocka_unit_test(whatever_a_program_does_is_its_end_of_the_case),
        cmocka_unit_test(what_a_program_does_besides_stays_its_own),
        cmocka_unit_test(a_program_that_is_gone_has_exited_in_the_next_case),
        cmocka_unit_test(what_it_wrote_last_is_kept),
        cmocka_unit_test(a_program_that_does_not_begin_again_is_given_up_at_last),
        cmocka_unit_test(a_program_without_a_hello_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
