/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Modules: what a sound one does is what the interpreter does; and whatever a hostile one does, the case has
 * its end, other cases are as ever, and nothing is left behind. */
#include "tests/courier.h"

/* Nobody is waited for who does not come back, and everybody else has time. */
static enum cor_status open_module(const struct courier *made, const char *path, const char *fault,
                                   bool hangs, struct cor_aut_session **session, struct cor_error *error) {
    struct cor_aut_definition definition = cor_default_aut(made->design);
    definition.way = cor_aut_way_of(path);
    definition.agent = path;
    definition.fault = fault;
    definition.cpu_seconds = hangs ? 0.1 : 20;
    definition.answer_seconds = hangs ? 0.3 : 300;
    return cor_aut_open(&definition, session, error);
}

static struct cor_aut_session *opened_for(const struct courier *made, const char *fault, bool hangs) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_aut_session *session;
    sound(open_module(made, "./courier.so", fault, hangs, &session, &error), &error);
    return session;
}

static struct cor_aut_session *opened(const struct courier *made, const char *fault) {
    return opened_for(made, fault, false);
}

static void a_module_says_who_it_is(void **state) {
    (void)state;
    struct courier made = courier_make();
    struct cor_aut_session *session = opened(&made, NULL);
    assert_string_equal(cor_aut_name(session), "Courier");
    assert_string_equal(cor_aut_version(session), "1");
    assert_true(cor_aut_fault_count(session) > 40);
    assert_string_equal(cor_aut_fault_name(session, 0), "segfault");
    assert_string_equal(cor_aut_fault_meaning(session, 0), "does what it is called after");
    assert_int_equal(cor_aut_trigger(session, 0), made.pickup);
    assert_int_equal(cor_aut_trigger(session, 2), made.pickup + 1);
    assert_null(cor_aut_interpreter(session));
    cor_aut_close(session);
    session = opened(&made, "unwired");
    for (uint32_t plan = 0; plan < 3; plan++)
        assert_int_equal(cor_aut_trigger(session, plan), COR_NONE);
    cor_aut_close(session);
    assert_nobody_left();
    courier_free(&made);
}

/* To begin takes as long as it takes, however soon a case is to have its end. */
static void a_module_has_time_to_begin(void **state) {
    (void)state;
    struct courier made = courier_make();
    struct cor_aut_definition definition = cor_default_aut(made.design);
    struct cor_error error = COR_NO_ERROR;
    struct cor_aut_session *session;
    definition.way = cor_aut_way_of("./courier.so");
    definition.agent = "./courier.so";
    definition.answer_seconds = 1e-9;
    sound(cor_aut_open(&definition, &session, &error), &error);
    assert_string_equal(cor_aut_name(session), "Courier");
    cor_aut_close(session);
    courier_free(&made);
}

static void a_module_is_alike_with_the_interpreter(void **state) {
    (void)state;
    struct courier made = courier_make();
    struct cor_aut_session *session = opened(&made, NULL);
    for (int64_t kilos = -20; kilos < 200; kilos++)
        assert_alike(&made, session, kilos);
    cor_aut_close(session);
    courier_free(&made);
}

/* Cases announced, in any number and then kept to or not, change nothing. */
static void announcing_cases_changes_nothing(void **state) {
    (void)state;
    struct courier made = courier_make();
    struct cor_aut_session *session = opened(&made, NULL);
    struct parcel parcels[COR_AUT_AHEAD_MOST];
    struct cor_agent_case cases[COR_AUT_AHEAD_MOST];
    struct cor_error error = COR_NO_ERROR;
    for (uint32_t count = 0; count <= COR_AUT_AHEAD_MOST; count += count < 4 ? 1 : 63) {
        for (uint32_t i = 0; i < count; i++) {
            parcel_make(&made, (int64_t)i - 5, &parcels[i]);
            cases[i] = parcels[i].asked;
        }
        sound(cor_aut_ahead(session, cases, count, &error), &error);
        uint32_t kept = count > 100 ? 100 : count;
        for (uint32_t i = 0; i < kept; i++)
            assert_alike(&made, session, (int64_t)i - 5);
        assert_alike(&made, session, 77);
        assert_alike(&made, session, 78);
    }
    sound(cor_aut_restart(session, &error), &error);
    assert_alike(&made, session, 1);
    cor_aut_close(session);
    courier_free(&made);
}

/* A word that came after the process was begun reaches it, and one that the design has not comes back. */
static void words_go_to_and_fro(void **state) {
    (void)state;
    struct courier made = courier_make();
    struct cor_error error = COR_NO_ERROR;
    struct cor_aut_session *session = opened(&made, "new_words");
    assert_alike(&made, session, 1);
    sound(cor_words_intern(&made.design->words, "cardboard", &made.paper, &error), &error);
    assert_alike(&made, session, 2);
    struct parcel parcel;
    struct cor_trace trace;
    cor_trace_init(&trace);
    parcel_make(&made, WRONG_KILOS, &parcel);
    run_into(session, &parcel.asked, &trace);
    char *text = cor_trace_print(made.design, &trace);
    assert_non_null(strstr(text, "wrote load.Note = 'news'"));
    assert_non_null(strstr(text, "posted Deliver(Kilos=13, What='more news')"));
    free(text);
    cor_trace_fini(&trace);
    cor_aut_close(session);
    courier_free(&made);
}

/* What an agent believes otherwise than it was told comes right behind the event of the case. */
static void an_agent_may_begin_otherwise(void **state) {
    (void)state;
    struct courier made = courier_make();
    struct cor_aut_session *session = opened(&made, "begins_empty");
    struct parcel parcel;
    struct cor_trace trace;
    cor_trace_init(&trace);
    parcel_make(&made, WRONG_KILOS, &parcel);
    run_into(session, &parcel.asked, &trace);
    char *text = cor_trace_print(made.design, &trace);
    assert_int_equal(trace.end, COR_TRACE_END_QUIET);
    assert_int_equal(trace.events[1].kind, COR_TRACE_WROTE);
    assert_int_equal(trace.events[1].plan, COR_NONE);
    assert_non_null(strstr(text, "wrote load.Note = 'none'\n"));
    free(text);
    cor_trace_fini(&trace);
    cor_aut_close(session);
    courier_free(&made);
}

static const struct {
    const char *fault;
    enum cor_trace_end end, or_end;
    const char *garbled; /* part of what is said */
} hostile[] = {
    {"segfault", COR_TRACE_END_CRASHED, 0, ""},
    {"aborts", COR_TRACE_END_CRASHED, 0, ""},
    {"traps", COR_TRACE_END_CRASHED, 0, ""},
    {"recurses", COR_TRACE_END_CRASHED, 0, ""},
    {"kills_itself", COR_TRACE_END_CRASHED, 0, ""},
    {"kills_its_group", COR_TRACE_END_CRASHED, 0, ""},
    {"wild_name", COR_TRACE_END_CRASHED, 0, ""},
    {"confesses", COR_TRACE_END_CRASHED, 0, ""},
    {"exits", COR_TRACE_END_EXITED, 0, ""},
    {"exits_with_3", COR_TRACE_END_EXITED, 0, ""},
    {"spins", COR_TRACE_END_HUNG, 0, ""},
    {"spins_unsignalled", COR_TRACE_END_HUNG, 0, ""},
    {"is_deaf", COR_TRACE_END_HUNG, 0, ""},
    {"sleeps", COR_TRACE_END_HUNG, 0, ""},
    {"stops", COR_TRACE_END_HUNG, 0, ""},
    {"becomes_another", COR_TRACE_END_CRASHED, COR_TRACE_END_HUNG, ""}, /* where calls are not forbidden */
    {"takes_the_request", COR_TRACE_END_HUNG, COR_TRACE_END_QUIET,
     ""}, /* whether one was there to be taken */
    {"pretends", COR_TRACE_END_HUNG, 0, ""},
    {"steps_on", COR_TRACE_END_STEPS, 0, ""},
    {"unknown_plan", COR_TRACE_END_GARBLED, 0, "context \"Tkae??[31m\": the design has no such plan"},
    {"unknown_event", COR_TRACE_END_GARBLED, 0, "posted \"Delivr\": the design has no such event"},
    {"unknown_message", COR_TRACE_END_GARBLED, 0, "sent \"Bill\": the design has no such message"},
    {"unknown_action", COR_TRACE_END_GARBLED, 0, "did \"Fly\": the design has no such action"},
    {"unknown_field", COR_TRACE_END_GARBLED, 0, "wrote \"load.Wait\": the design has no such field"},
    {"unknown_parameter", COR_TRACE_END_GARBLED, 0,
     "posted \"Deliver\": the event has no parameter \"Pounds\""},
    {"null_names", COR_TRACE_END_GARBLED, 0, "sent: a name is missing, of the message"},
    {"null_field", COR_TRACE_END_GARBLED, 0, "the design has no such field"},
    {"null_parameter", COR_TRACE_END_GARBLED, 0, "has no parameter \"\""},
    {"not_a_number", COR_TRACE_END_GARBLED, 0, "wrote: a real that is not finite"},
    {"bad_kind", COR_TRACE_END_GARBLED, 0, "wrote: a value of kind 77, which there is not"},
    {"bad_word", COR_TRACE_END_GARBLED, 0, "wrote: a word that is not UTF-8"},
    {"many_words", COR_TRACE_END_GARBLED, 0, "more than 16384 bytes of words"},
    {"ends_another", COR_TRACE_END_GARBLED, 0, "ended by plan \"Bring\", but the plan at work is \"Take\""},
    {"ends_twice", COR_TRACE_END_GARBLED, 0, "ended by plan \"Take\", which has not started"},
    {"says_for_another", COR_TRACE_END_GARBLED, 0,
     "sent by plan \"Bring\", but the plan at work is \"Take\""},
    {"reports_on", COR_TRACE_END_GARBLED, 0, "more is reported than 65536 things in one case"},
    {"looks_on", COR_TRACE_END_GARBLED, 0, "more is reported than 65536 things in one case"},
    {"returns_7", COR_TRACE_END_GARBLED, 0, "run() gave 7, though nothing had asked it to stop"},
    {"closes_descriptors", COR_TRACE_END_GARBLED, 0, "closed descriptors of its host"},
    {"writes_by_nobody", COR_TRACE_END_GARBLED, 0,
     "wrote \"load.Weight\" by no plan, when the case had begun"},
    {"scribbles", COR_TRACE_END_GARBLED, COR_TRACE_END_CRASHED, ""},
};

static const char *word_of(enum cor_trace_end end) {
    return cor_term_word(COR_FAMILY_TRACE_END, (int)end);
}

/* Both alone and among cases announced. */
static void whatever_a_module_does_is_its_end_of_the_case(void **state) {
    (void)state;
    struct courier made = courier_make();
    struct cor_error error = COR_NO_ERROR;
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        const bool hangs = hostile[i].end == COR_TRACE_END_HUNG || hostile[i].or_end == COR_TRACE_END_HUNG;
        struct cor_aut_session *session = opened_for(&made, hostile[i].fault, hangs);
        struct parcel parcels[3];
        struct cor_agent_case cases[3];
        for (int p = 0; p < 3; p++) {
            parcel_make(&made, (int64_t[]){5, WRONG_KILOS, 7}[p], &parcels[p]);
            cases[p] = parcels[p].asked;
        }
        for (uint32_t announced = 0; announced <= 3; announced += 3) {
            char garbled[256];
            sound(cor_aut_ahead(session, cases, announced, &error), &error);
            assert_alike_in_the_end(&made, session, 5, hangs ? 100 : 0);
            enum cor_trace_end end = end_of_wrong(&made, session, garbled, sizeof garbled);
            if (end != hostile[i].end && end != hostile[i].or_end)
                fail_msg("%s: %s, not %s (%s; %s)", hostile[i].fault, word_of(end), word_of(hostile[i].end),
                         garbled, cor_aut_last_words(session));
            if (!strstr(garbled, hostile[i].garbled))
                fail_msg("%s: \"%s\" does not say \"%s\"", hostile[i].fault, garbled, hostile[i].garbled);
            assert_alike_in_the_end(&made, session, 7, hangs ? 100 : 0);
        }
        cor_aut_close(session);
        assert_nobody_left();
    }
    courier_free(&made);
}

/* What an agent does beside its answer does not change it, nor what comes after. */
static void what_a_module_does_besides_stays_its_own(void **state) {
    (void)state;
    static const char *const deeds[] = {"kills_its_parent", "leaves_a_child", "leaves_a_daemon",
                                        "prints",           "changes_itself", "speaks_on_descriptors"};
    struct courier made = courier_make();
    struct cor_error error = COR_NO_ERROR;
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++) {
        char garbled[256];
        struct cor_aut_session *session = opened(&made, deeds[i]);
        for (int again = 0; again < 3; again++) {
            enum cor_trace_end end = end_of_wrong(&made, session, garbled, sizeof garbled);
            bool harmless =
                end == COR_TRACE_END_QUIET || i == 0 || i == 5; /* its keeper is killed, if it can be */
            if (!harmless)
                fail_msg("%s: %s (%s; %s)", deeds[i], word_of(end), garbled, cor_aut_last_words(session));
            if (i == 0)
                sound(cor_aut_restart(session, &error),
                      &error); /* the agent may die a little later than its keeper */
            assert_alike(&made, session, 7);
        }
        cor_aut_close(session);
        if (i == 0)
            bury_orphans();
        assert_nobody_left();
    }
    courier_free(&made);
}

static void last_words_are_kept(void **state) {
    (void)state;
    struct courier made = courier_make();
    struct cor_aut_session *session = opened(&made, "confesses");
    char garbled[256];
    assert_string_equal(cor_aut_last_words(session), "");
    end_of_wrong(&made, session, garbled, sizeof garbled);
    assert_non_null(strstr(cor_aut_last_words(session), "the brakes failed"));
    cor_aut_close(session);
    courier_free(&made);
}

static void unusable_modules_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *path, *fault;
        enum cor_status status;
        const char *cause, *remedy;
    } bad[] = {
        {"./courier_major.so", NULL, COR_STATUS_PLUGIN, "version 2.2, but this is 1.2", "<corridor/aut.h>"},
        {"./courier_minor.so", NULL, COR_STATUS_PLUGIN, "version 1.9, but this is 1.2", "<corridor/aut.h>"},
        {"./courier_symbol.so", NULL, COR_STATUS_PLUGIN, "exports no constant \"corridor_aut_1\"",
         "<corridor/aut.h>"},
        {"./courier_run.so", NULL, COR_STATUS_PLUGIN, "it has no run()", "<corridor/aut.h>"},
        {"./courier_fault.so", NULL, COR_STATUS_PLUGIN, "two faults have the same name", "a name of its own"},
        {"./courier_crash.so", NULL, COR_STATUS_PLUGIN, "did not get through being loaded", ""},
        {"./courier_exit.so", NULL, COR_STATUS_PLUGIN, "ended by itself with exit code 5", ""},
        {"./courier_hang.so", NULL, COR_STATUS_PLUGIN, "did not get on", ""},
#ifndef __SANITIZE_ADDRESS__ /* whose shadow needs more than any limit */
        {"./courier_large.so", NULL, COR_STATUS_PLUGIN, "ended by itself with exit code 6", ""},
#endif
        {"./no_elf.so", NULL, COR_STATUS_PLUGIN, "cannot load the module", ""},
        {"absent.so", NULL, COR_STATUS_FILE, "cannot open: No such file", ""},
        {"./courier.so", "exit", COR_STATUS_INPUT, "agent \"Courier\" has no fault \"exit\"",
         "did you mean \"exits\"?"},
    };
    struct courier made = courier_make();
    FILE *text = fopen("no_elf.so", "w");
    fputs("this is no module\n", text);
    fclose(text);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct cor_error error = COR_NO_ERROR;
        struct cor_aut_session *session;
        assert_int_equal(open_module(&made, bad[i].path, bad[i].fault, true, &session, &error),
                         bad[i].status);
        assert_null(session);
        if (!strstr(error.cause, bad[i].cause) || !strstr(error.remedy, bad[i].remedy))
            fail_msg("%s: \"%s\" (%s) does not say \"%s\" (%s)", bad[i].path, error.cause, error.remedy,
                     bad[i].cause, bad[i].remedy);
        assert_non_null(strstr(error.place, strchr(bad[i].path, '/') ? bad[i].path : "./absent.so"));
        assert_nobody_left();
    }
    courier_free(&made);
}

/* Whoever dies takes its agents along. */
static void an_agent_does_not_outlive_its_session(void **state) {
    (void)state;
    struct courier made = courier_make();
    pid_t owner = fork();
    if (owner == 0) {
        struct parcel parcel;
        struct cor_trace trace;
        struct cor_error error = COR_NO_ERROR;
        struct cor_aut_session *session = opened(&made, "leaves_a_daemon");
        cor_trace_init(&trace);
        parcel_make(&made, WRONG_KILOS, &parcel);
        if (cor_aut_run(session, &parcel.asked, &trace, &error) == COR_OK)
            kill(getpid(), SIGKILL);
        _exit(1);
    }
    int how;
    assert_int_equal(waitpid(owner, &how, 0), owner);
    assert_true(WIFSIGNALED(how));
    bury_orphans();
    courier_free(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_module_says_who_it_is),
        cmocka_unit_test(a_module_has_time_to_begin),
        cmocka_unit_test(a_module_is_alike_with_the_interpreter),
        cmocka_unit_test(announcing_cases_changes_nothing),
        cmocka_unit_test(words_go_to_and_fro),
        cmocka_unit_test(an_agent_may_begin_otherwise),
        cmocka_unit_test(whatever_a_module_does_is_its_end_of_the_case),
        cmocka_unit_test(what_a_module_does_besides_stays_its_own),
        cmocka_unit_test(last_words_are_kept),
        cmocka_unit_test(unusable_modules_are_refused),
        cmocka_unit_test(an_agent_does_not_outlive_its_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
