/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Algorithms that are programs: what they declare, what a sound one answers, and that whatever a hostile one
 * does is smoke of that reorganization alone.
 *
 * test_external [NUMBERS]: of so many drawn ones it is looked at how short they are. */
#include "external.h"
#include "tests/tasks.h"

#include <corridor/array.h>

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define PYTHON "python3 -I -S "
#define GUEST PYTHON TEST_SOURCE_SHELL "/algorithms/host/tests/programs/guest.py "
#define EXAMPLE PYTHON TEST_SOURCE_SHELL "/algorithms/examples/python/my_algo.py"

static struct test_task task; /* big */
static struct cor_registry *registry;

static int open_registry(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    return cor_registry_create(NULL, &registry, &error) == COR_OK ? 0 : -1;
}

static int close_registry(void **state) {
    (void)state;
    cor_registry_destroy(registry);
    return 0;
}

static void sound(enum cor_status status, const struct cor_error *error) {
    if (status != COR_OK)
        fail_msg("%s: %s", error->place, error->cause);
}

static const struct cor_algorithm *program(const char *command) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_algorithm *algorithm;
    sound(cor_registry_command(registry, command, &algorithm, &error), &error);
    return algorithm;
}

static struct cor_session *session_within(const struct cor_algorithm *algorithm, double answer_seconds,
                                          double cpu_seconds) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_session *session;
    struct cor_session_definition definition = cor_default_session(algorithm);
    definition.answer_seconds = answer_seconds;
    definition.cpu_seconds = cpu_seconds;
    sound(cor_session_create(&definition, &session, &error), &error);
    return session;
}

static struct cor_session *session_of(const struct cor_algorithm *algorithm, double seconds) {
    return session_within(algorithm, seconds, 20);
}

static void run(struct cor_session *session, struct cor_outcome *outcome) {
    struct cor_error error = COR_NO_ERROR;
    sound(cor_session_reorganize(session, &task.task, &task.name, outcome, &error), &error);
}

static bool is_present(const struct cor_outcome *outcome) {
    const struct cor_lists *solution = &outcome->solution;
    return solution->block_count == task.task.block_count &&
           memcmp(solution->start, task.start, (solution->block_count + 1) * sizeof *task.start) == 0 &&
           memcmp(solution->members, task.members, task.task.agent_count * sizeof *task.members) == 0;
}

static void nobody_is_left(void) {
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void what_a_program_declares_is_what_a_module_would(void **state) {
    (void)state;
    const struct cor_algorithm *guest = program(GUEST "one_shot");
    assert_true(cor_algorithm_is_program(guest));
    assert_string_equal(guest->name, "guest");
    assert_string_equal(guest->version, "3");
    assert_string_equal(guest->budget_unit, "turns");
    assert_int_equal(guest->capabilities, COR_KEEPS | COR_LIMITS);
    assert_int_equal(cor_algorithm_parameter_count(guest), 2);
    assert_string_equal(guest->parameters[0].name, "shift");
    assert_string_equal(guest->parameters[0].unit, "");
    assert_true(guest->parameters[0].is_integer);
    assert_string_equal(guest->parameters[1].unit, "1/s");
    assert_true(guest->parameters[1].value == 0.25 && guest->parameters[1].max == 1.);
    assert_string_equal(guest->constraints[0], "rate <= 1");
    assert_null(guest->constraints[1]);
    assert_int_equal(guest->counters[1].bucket_count, 3);
    assert_true(cor_algorithm_fault_count(guest) > 40);
    assert_non_null(guest->adopt);
    assert_null(guest->begin);
    assert_ptr_equal(program(GUEST "one_shot"), guest); /* asked once */
    assert_non_null(program(GUEST "centralised")->step);
    assert_non_null(program(GUEST "decentralised")->restart);
    nobody_is_left();
}

static const struct {
    const char *says, *cause;
} hellos[] = {
    {"", "ended without an answer"},
    {"hello", "is not valid JSON"},
    {"[]", "is an array, expected an object"},
    {"{\"id\":1}", "\"protocol\""},
    {"{\"id\":1,\"protocol\":2,\"name\":\"a\",\"is_new\":1}", "speaks protocol 2, but this is protocol 1"},
    {"{\"id\":1,\"protocol\":0}", "speaks protocol 0, but this is protocol 1"},
    {"{\"id\":1,\"failed\":\"I speak 9\"}", "says that it cannot go on: I speak 9"},
    {"{\"id\":2,\"protocol\":1,\"name\":\"a\",\"version\":\"1\",\"summary\":\"s\"}", "is 2, expected 1"},
    {"{\"id\":1,\"protocol\":1,\"name\":\"a\",\"version\":\"1\"}", "\"summary\""},
    {"{\"id\":1,\"protocol\":1,\"name\":\"A b\",\"version\":\"1\",\"summary\":\"s\"}",
     "algorithm \"A b\" cannot be used"},
    {"{\"id\":1,\"protocol\":1,\"name\":\"a\",\"version\":\"1\",\"summary\":\"s\",\"shape\":\"round\"}",
     "unknown shape"},
    {"{\"id\":1,\"protocol\":1,\"name\":\"a\",\"version\":\"1\",\"summary\":\"s\",\"capabilities\":["
     "\"anytime\"]}",
     "no usable shape"},
    {"{\"id\":1,\"protocol\":1,\"name\":\"a\",\"version\":\"1\",\"summary\":\"s\",\"parameters\":[{\"name\":"
     "\"p\",\"meaning\":\"m\","
     "\"default\":3,\"min\":0,\"max\":1}]}",
     "parameter \"p\" cannot be used"},
    {"{\"id\":1,\"protocol\":1,\"name\":\"a\",\"version\":\"1\",\"summary\":\"s\",\"faults\":{\"none\":\"m\"}"
     "}",
     "fault \"none\" cannot be used"},
    {"{\"id\":1,\"protocol\":1,\"name\":\"a\",\"version\":\"1\",\"summary\":\"s\",\"sumary\":\"s\"}",
     "unknown key \"sumary\""},
};

static void a_hello_that_will_not_do_is_refused_with_the_reason(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof hellos / sizeof *hellos; i++) {
        struct cor_error error = COR_NO_ERROR;
        const struct cor_algorithm *algorithm;
        uint32_t before = cor_registry_size(registry);
        char *command =
            cor_format("read line; printf '%%s%s' '%s'", hellos[i].says[0] ? "\\n" : "", hellos[i].says);
        assert_int_equal(cor_registry_command(registry, command, &algorithm, &error), COR_STATUS_PLUGIN);
        if (!strstr(error.cause, hellos[i].cause))
            fail_msg("%s: %s", hellos[i].says, error.cause);
        assert_string_equal(error.place, command);
        assert_int_equal(cor_registry_size(registry), before);
        free(command);
    }
    nobody_is_left();
}

static void the_example_gives_the_rows_of_deal(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    const struct cor_algorithm *deal;
    sound(cor_registry_find(registry, "deal", &deal, &error), &error);
    struct cor_session *sessions[] = {session_of(deal, 60), session_of(program(EXAMPLE), 60)};
    struct cor_outcome outcomes[2];
    struct cor_rng rng = test_rng(3);
    for (int s = 0; s < 2; s++)
        cor_outcome_init(&outcomes[s]);
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t n = 1 + cor_rng_below(&rng, 60);
        uint32_t k = 1 + cor_rng_below(&rng, n);
        for (int s = 0; s < 2; s++) {
            test_make(&task, s == 0 ? deal : program(EXAMPLE), n, k, i);
            for (uint32_t a = 0; i % 3 == 0 && a < n; a++)
                task.values[a] = floor(4 * task.values[a]) / 4; /* equal ones */
            run(sessions[s], &outcomes[s]);
            assert_int_equal(outcomes[s].smoke, COR_SMOKE_NONE);
        }
        const struct cor_lists *a = &outcomes[0].solution, *b = &outcomes[1].solution;
        assert_int_equal(a->block_count, b->block_count);
        assert_memory_equal(a->start, b->start, (a->block_count + 1) * sizeof *a->start);
        assert_memory_equal(a->members, b->members, n * sizeof *a->members);
        assert_int_equal(outcomes[0].spent, outcomes[1].spent);
    }
    for (int s = 0; s < 2; s++) {
        cor_outcome_fini(&outcomes[s]);
        cor_session_destroy(sessions[s]);
    }
    nobody_is_left();
}

static void an_answer_may_say_more_than_blocks(void **state) {
    (void)state;
    const struct cor_algorithm *guest = program(GUEST "one_shot");
    struct cor_session *session = session_of(guest, 60);
    struct cor_outcome outcome;
    struct cor_error error = COR_NO_ERROR;
    cor_outcome_init(&outcome);
    test_make(&task, guest, 12, 5, 1);
    test_set(&task, guest, "shift", 2);
    sound(cor_algorithm_fault(guest, "counted", &task.rules.fault, &error), &error);
    for (uint64_t times = 1; times <= 3; times++) { /* it is told what it kept */
        run(session, &outcome);
        assert_int_equal(outcome.smoke, COR_SMOKE_NONE);
        assert_int_equal(outcome.spent, times);
    }
    assert_int_equal(cor_lists_block(&outcome.solution, 0)[0], task.members[task.start[2]]);
    assert_true(outcome.fault.reached == 4 && outcome.fault.held == 3 && outcome.fault.activated == 2 &&
                outcome.fault.in_result == 1);
    assert_true(outcome.has_moves);
    assert_int_equal(outcome.move_count, 1);
    assert_int_equal(outcome.moves[0].agent, task.members[task.start[2]]);
    assert_int_equal(outcome.moves[0].block, 1);
    const uint32_t *start;
    const uint64_t *cells = cor_session_counters(session, &start);
    assert_int_equal(cells[start[0]], 3);
    assert_int_equal(cells[start[1]] + cells[start[1] + 1] + cells[start[1] + 2], 15);
    cor_session_restart(session);
    run(session, &outcome);
    assert_int_equal(outcome.spent, 1);
    cor_outcome_fini(&outcome);
    cor_session_destroy(session);
}

static void the_host_keeps_the_loop_and_the_budget_of_a_centralised_program(void **state) {
    (void)state;
    const struct cor_algorithm *guest = program(GUEST "centralised");
    struct cor_error error = COR_NO_ERROR;
    struct cor_session_definition definition = cor_default_session(guest);
    struct cor_session *session;
    struct cor_outcome outcome;
    definition.interim_units = 10;
    sound(cor_session_create(&definition, &session, &error), &error);
    cor_outcome_init(&outcome);
    test_make(&task, guest, 5, 2, 1);
    task.rules.budget = 40;
    run(session, &outcome);
    assert_int_equal(outcome.stop, COR_STOP_BUDGET);
    assert_int_equal(outcome.spent, 40);
    assert_int_equal(cor_lists_block(&outcome.solution, 0)[0], 40);
    assert_int_equal(outcome.interim_count, 4);
    assert_int_equal(cor_lists_block(&outcome.interims[1].solution, 0)[0], 20);
    task.rules.budget = 1000000;
    run(session, &outcome);
    assert_int_equal(outcome.stop, COR_STOP_STAGNATED);
    assert_int_equal(cor_lists_block(&outcome.solution, 0)[0], 1000);
    cor_outcome_fini(&outcome);
    cor_session_destroy(session);
}

/* Each agent tells the next one who it is; the last one's mail is for nobody. */
static void the_host_carries_the_mail_of_a_decentralised_program(void **state) {
    (void)state;
    const struct cor_algorithm *guest = program(GUEST "decentralised");
    struct cor_session *session = session_of(guest, 60);
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    test_make(&task, guest, 7, 3, 1);
    run(session, &outcome);
    assert_int_equal(outcome.smoke, COR_SMOKE_NONE);
    assert_int_equal(outcome.stop, COR_STOP_QUIET);
    assert_int_equal(outcome.messages, 6);
    assert_int_equal(outcome.rounds, 2);
    assert_int_equal(cor_lists_size(&outcome.solution, 0), 0);
    for (uint32_t i = 1; i < 7; i++) {
        assert_int_equal(cor_lists_size(&outcome.solution, i), 1);
        assert_int_equal(cor_lists_block(&outcome.solution, i)[0], i - 1);
    }
    cor_session_destroy(session);
    struct cor_session_definition definition = cor_default_session(guest);
    struct cor_error error = COR_NO_ERROR;
    definition.agents = (struct cor_crash_definition){COR_CRASH_FAULT_CRASHED, 1, 1};
    sound(cor_session_create(&definition, &session, &error), &error);
    task.rules.budget = 20;
    run(session, &outcome);
    assert_int_equal(outcome.smoke, COR_SMOKE_NONE);
    assert_true(outcome.fault.activated >= 7); /* all crash in the first round, with mail for nobody */
    cor_outcome_fini(&outcome);
    cor_session_destroy(session);
    nobody_is_left();
}

static void take_fault(const struct cor_algorithm *guest, const char *fault) {
    struct cor_error error = COR_NO_ERROR;
    sound(cor_algorithm_fault(guest, fault, &task.rules.fault, &error), &error);
}

static void how_a_process_ended_is_told(void **state) {
    (void)state;
    const struct cor_algorithm *guest = program(GUEST "one_shot");
    struct cor_session *session = session_of(guest, 60);
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    test_make(&task, guest, 9, 4, 1);
    take_fault(guest, "segfaults");
    run(session, &outcome);
    assert_true(outcome.fate.signal == 11 && outcome.fate.exit_code == 0 && outcome.fate.place == 0);
    take_fault(guest, "last_words");
    run(session, &outcome);
    assert_true(outcome.fate.signal == 0 && outcome.fate.exit_code == 7);
    task.rules.fault = 0;
    run(session, &outcome);
    assert_true(outcome.fate.signal == 0 && outcome.fate.exit_code == 0);
    cor_outcome_fini(&outcome);
    cor_session_destroy(session);
}

/* Its id says of which reorganization it is; the next one is asked for in a fresh process, and counts once.
 */
static void a_second_answer_that_comes_late_does_not_spoil_the_next_reorganization(void **state) {
    (void)state;
    const struct cor_algorithm *guest = program(GUEST "one_shot");
    struct cor_session *session = session_of(guest, 60);
    struct cor_outcome outcome;
    const uint32_t *start;
    cor_outcome_init(&outcome);
    test_make(&task, guest, 9, 4, 1);
    take_fault(guest, "answers_late");
    run(session, &outcome);
    assert_true(outcome.smoke == COR_SMOKE_NONE && !outcome.has_late);
    task.rules.fault = 0;
    for (int i = 0; i < 2; i++) {
        run(session, &outcome);
        if (outcome.smoke != COR_SMOKE_NONE)
            fail_msg("%d: %s", i, outcome.complaint);
        assert_int_equal(outcome.spent, i + 1); /* what it keeps says so */
        assert_true(is_present(&outcome));
        assert_int_equal(outcome.has_late, i == 0);
        assert_int_equal(cor_session_counters(session, &start)[start[0]], i + 1);
    }
    cor_outcome_fini(&outcome);
    cor_session_destroy(session);
    nobody_is_left();
}

/* When the next one has begun, and has counted: what it counted so far is of nobody. */
static void what_is_counted_before_a_late_answer_comes_counts_once(void **state) {
    (void)state;
    const struct cor_algorithm *guest = program(GUEST "centralised later");
    struct cor_session *session = session_of(guest, 60);
    struct cor_outcome outcome;
    const uint32_t *start;
    uint64_t spent = 0;
    cor_outcome_init(&outcome);
    test_make(&task, guest, 9, 4, 1);
    task.rules.budget = 20;
    for (int i = 0; i < 3; i++) {
        run(session, &outcome);
        if (outcome.smoke != COR_SMOKE_NONE)
            fail_msg("%d: %s", i, outcome.complaint);
        assert_int_equal(outcome.has_late, i > 0);
        assert_int_equal(cor_session_counters(session, &start)[start[0]], i + 1);
        assert_true(i == 0 || outcome.spent == spent);
        spent = outcome.spent;
    }
    cor_outcome_fini(&outcome);
    cor_session_destroy(session);
    nobody_is_left();
}

/* It answers by the number of its requests: otherwise the second time than in a fresh process. */
static void a_program_that_remembers_is_found_out_when_it_is_asked_again(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    const struct cor_algorithm *guest = program(GUEST "one_shot");
    struct cor_session *session = session_of(guest, 60);
    static const enum cor_confirmation expected[] = {COR_CONFIRMATION_SAME, COR_CONFIRMATION_DIFFERENT};
    struct cor_session_memory before = {0};
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    test_make(&task, guest, 9, 4, 1);
    take_fault(guest, "remembers");
    assert_true(cor_session_can_confirm(session));
    for (int i = 0; i < 2; i++) {
        enum cor_confirmation confirmation;
        cor_session_restart(session); /* a sequence begins with a fresh process */
        for (int k = 0; k <= i; k++) {
            sound(cor_session_save(session, &before, &error), &error);
            run(session, &outcome);
        }
        sound(cor_session_confirm(session, &before, &task.task, &task.name, &outcome, &confirmation, &error),
              &error);
        assert_int_equal(confirmation, expected[i]);
        assert_int_equal(outcome.smoke, i == 0 ? COR_SMOKE_NONE : COR_SMOKE_LEAKED);
    }
    task.rules.fault = 0;
    cor_session_memory_fini(&before);
    cor_outcome_fini(&outcome);
    cor_session_destroy(session);
    nobody_is_left();
}

/* A process is killed once it has answered: by whom, and why, nobody can tell. */
static void who_kills_a_program_makes_no_difference(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    const struct cor_algorithm *guest = program(GUEST "one_shot");
    struct cor_session *session = session_of(guest, 60);
    struct cor_session_memory before = {0};
    struct cor_outcome outcome;
    enum cor_confirmation confirmation;
    cor_outcome_init(&outcome);
    test_make(&task, guest, 9, 4, 1);
    take_fault(guest, "is_killed_later");
    cor_session_restart(session);
    run(session, &outcome);
    assert_int_equal(outcome.smoke, COR_SMOKE_NONE);
    const uint64_t digest = cor_outcome_digest(&outcome);
    sound(cor_session_save(session, &before, &error), &error);
    run(session, &outcome);
    assert_int_equal(outcome.smoke, COR_SMOKE_CRASHED);
    sound(cor_session_confirm(session, &before, &task.task, &task.name, &outcome, &confirmation, &error),
          &error);
    assert_int_equal(confirmation, COR_CONFIRMATION_SAME);
    assert_int_equal(outcome.smoke, COR_SMOKE_NONE);
    assert_true(cor_outcome_digest(&outcome) == digest);
    task.rules.fault = 0;
    cor_session_memory_fini(&before);
    cor_outcome_fini(&outcome);
    cor_session_destroy(session);
    nobody_is_left();
}

static const struct {
    const char *fault;
    enum cor_smoke smoke;
    const char *complaint; /* part of it */
} hostile[] = {
    {"raises", COR_SMOKE_EXITED, "ZeroDivisionError"},
    {"segfaults", COR_SMOKE_CRASHED, "signal 11"},
    {"aborts", COR_SMOKE_CRASHED, "signal 6"},
    {"kills_its_group", COR_SMOKE_CRASHED, "signal 9"},
    {"kills_its_parent", COR_SMOKE_CRASHED, ""},
    {"exits", COR_SMOKE_EXITED, "exit code 0"},
    {"last_words", COR_SMOKE_EXITED, "exit code 7; it last said: the sky is falling"},
    {"spins", COR_SMOKE_HUNG, "did not get on"},
    {"sleeps", COR_SMOKE_OVERDUE, "no answer in 0.3 s"},
    {"stops", COR_SMOKE_OVERDUE, ""},
    {"trickles", COR_SMOKE_OVERDUE, ""},
    {"ignores_sigterm", COR_SMOKE_OVERDUE, ""},
    {"no_json", COR_SMOKE_GARBLED, "Traceback (most recent call last):"},
    {"no_object", COR_SMOKE_GARBLED, "[1, 2]\": is an array"},
    {"empty_line", COR_SMOKE_GARBLED, ""},
    {"binary", COR_SMOKE_GARBLED, ""},
    {"deep", COR_SMOKE_GARBLED, ""},
    {"half_a_line", COR_SMOKE_GARBLED, "half a line, and no more"},
    {"wrong_id", COR_SMOKE_GARBLED, "but asked was"},
    {"id_before", COR_SMOKE_GARBLED, "it goes on speaking after its answer"},
    {"no_id", COR_SMOKE_GARBLED, "\"id\""},
    {"text_id", COR_SMOKE_GARBLED, "expected an integer"},
    {"unknown_key", COR_SMOKE_GARBLED, "\"bolcks\""},
    {"no_blocks", COR_SMOKE_GARBLED, "\"blocks\""},
    {"null_blocks", COR_SMOKE_GARBLED, "expected an array"},
    {"block_of_text", COR_SMOKE_GARBLED, "expected an integer"},
    {"negative_agent", COR_SMOKE_GARBLED, "-1"},
    {"half_an_agent", COR_SMOKE_GARBLED, "expected an integer"},
    {"great_agent", COR_SMOKE_GARBLED, "1152921504606846976"},
    {"greater_agent", COR_SMOKE_GARBLED, "too big integer"},
    {"nan", COR_SMOKE_GARBLED, "NaN"},
    {"counts_undeclared", COR_SMOKE_GARBLED, "declares no counter \"moons\""},
    {"counts_backwards", COR_SMOKE_GARBLED, "-1"},
    {"spends_backwards", COR_SMOKE_GARBLED, "-1"},
    {"bad_progress", COR_SMOKE_GARBLED, "sideways"},
    {"answers_twice", COR_SMOKE_GARBLED, "it goes on speaking after its answer"},
    {"closes_output", COR_SMOKE_GARBLED, "closed its output"},
    {"closes_all", COR_SMOKE_GARBLED, "closed its output"},
    {"floods", COR_SMOKE_GARBLED, "a line of more than 16777216 bytes"},
    {"fails", COR_SMOKE_COMPLAINED, "no way"},
    {"absurd", COR_SMOKE_OVERFLOW, ""},
    {"leaves_a_child", COR_SMOKE_NONE, ""},
    {"invents", COR_SMOKE_NONE, ""},
    {"writes_errors", COR_SMOKE_NONE, ""},
};

static void whatever_a_program_does_is_smoke_of_that_reorganization(void **state) {
    (void)state;
    const struct cor_algorithm *guest = program(GUEST "one_shot");
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        struct cor_error error = COR_NO_ERROR;
        const enum cor_smoke expected = hostile[i].smoke; /* who never comes back is not waited for */
        struct cor_session *session = session_within(guest, expected == COR_SMOKE_OVERDUE ? 0.3 : 60,
                                                     expected == COR_SMOKE_HUNG ? 0.2 : 20);
        test_make(&task, guest, 12, 4, i);
        sound(cor_algorithm_fault(guest, hostile[i].fault, &task.rules.fault, &error), &error);
        run(session, &outcome);
        if (outcome.smoke != hostile[i].smoke || !strstr(outcome.complaint, hostile[i].complaint))
            fail_msg("%s: smoke %s: %s", hostile[i].fault,
                     cor_term_word(COR_FAMILY_SMOKE, (int)outcome.smoke), outcome.complaint);
        assert_true((outcome.stop == COR_STOP_FAILED) == (outcome.smoke != COR_SMOKE_NONE));
        ((struct host__external_session *)session)->local.base.definition.answer_seconds =
            60; /* a busy machine */
        task.rules.fault = 0;
        run(session, &outcome);
        assert_int_equal(outcome.smoke, COR_SMOKE_NONE);
        assert_true(is_present(&outcome));
        cor_session_destroy(session);
        nobody_is_left();
    }
    cor_outcome_fini(&outcome);
}

/* However little an answer may take: an interpreter has to be loaded first. */
static void a_program_has_time_to_begin(void **state) {
    (void)state;
    const struct cor_algorithm *guest =
        program("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; exec " GUEST "one_shot");
    struct cor_error error = COR_NO_ERROR;
    struct cor_session *session;
    struct cor_session_definition definition = cor_default_session(guest);
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    definition.cpu_seconds = 0.05;
    test_make(&task, guest, 12, 5, 1);
    sound(cor_session_create(&definition, &session, &error), &error);
    run(session, &outcome);
    if (outcome.smoke != COR_SMOKE_NONE)
        fail_msg("%s: %s", cor_term_word(COR_FAMILY_SMOKE, (int)outcome.smoke), outcome.complaint);
    cor_session_destroy(session);
    cor_outcome_fini(&outcome);
    nobody_is_left();
}

static void a_shell_in_between_does_not_hide_a_crash(void **state) {
    (void)state;
    const struct cor_algorithm *guest = program(GUEST "one_shot; exit $?");
    struct cor_session *session = session_of(guest, 60);
    struct cor_outcome outcome;
    struct cor_error error = COR_NO_ERROR;
    cor_outcome_init(&outcome);
    test_make(&task, guest, 12, 4, 1);
    sound(cor_algorithm_fault(guest, "segfaults", &task.rules.fault, &error), &error);
    run(session, &outcome);
    assert_int_equal(outcome.smoke, COR_SMOKE_CRASHED);
    cor_outcome_fini(&outcome);
    cor_session_destroy(session);
}

static void only_what_the_hello_declares_may_be_answered(void **state) {
    (void)state;
    static const char *const faults[] = {"keeps_undeclared", "moves_undeclared"};
    const struct cor_algorithm *guest = program(GUEST "one_shot plain");
    struct cor_session *session = session_of(guest, 60);
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    for (size_t i = 0; i < 2; i++) {
        struct cor_error error = COR_NO_ERROR;
        test_make(&task, guest, 12, 4, 1);
        sound(cor_algorithm_fault(guest, faults[i], &task.rules.fault, &error), &error);
        run(session, &outcome);
        assert_int_equal(outcome.smoke, COR_SMOKE_GARBLED);
        assert_non_null(strstr(outcome.complaint, "its hello does not declare"));
    }
    task.rules.fault = 0;
    run(session, &outcome);
    assert_true(is_present(&outcome));
    assert_false(outcome.has_moves);
    cor_session_destroy(session);
    session = session_of(program(GUEST "one_shot changes"), 60);
    run(session, &outcome);
    assert_int_equal(outcome.smoke, COR_SMOKE_GARBLED);
    assert_non_null(strstr(outcome.complaint, "otherwise who it is"));
    cor_session_destroy(session);
    cor_outcome_fini(&outcome);
}

static uint32_t number_count = 20000;

/* The fewest digits that printf needs for the same number, tried one by one. */
static void numbers_are_as_short_as_they_can_be(void **state) {
    (void)state;
    struct cor_rng rng = test_rng(11);
    struct cor_bytes line = {0};
    for (uint32_t i = 0; i < number_count; i++) {
        uint64_t bits = cor_rng_word(&rng);
        double value, again;
        memcpy(&value, &bits, sizeof value);
        value = i % 4 == 0 ? cor_rng_unit(&rng) : i % 4 == 1 ? (double)(bits % 1000) / 64 : value;
        cor_bytes_clear(&line);
        host__line_real(&line, value);
        if (!isfinite(value)) {
            assert_string_equal(cor_bytes_text(&line), "null");
            continue;
        }
        char *end;
        again = strtod(cor_bytes_text(&line), &end);
        assert_true(*end == '\0' && memcmp(&again, &value, sizeof value) == 0);
        assert_non_null(strpbrk(cor_bytes_text(&line), ".e"));
        char shorter[40];
        for (int digits = 1; digits < 17 && fabs(value) > 1e-307; digits++) { /* tiny ones have fewer bits */
            snprintf(shorter, sizeof shorter, "%.*e", digits - 1, value);
            again = strtod(shorter, NULL);
            if (memcmp(&again, &value, sizeof value) != 0)
                continue;
            size_t count = 0, zeros = 0; /* those in front and behind are none */
            for (const char *c = cor_bytes_text(&line); *c && *c != 'e'; c++) {
                zeros += *c == '0';
                count = *c > '0' && *c <= '9' ? count + (count > 0 ? zeros : 0) + 1 : count;
                zeros = *c > '0' && *c <= '9' ? 0 : zeros;
            }
            assert_true(count <= (size_t)digits);
            break;
        }
    }
    cor_bytes_fini(&line);
}

static const char traffic_file[] = "test_external.traffic";

static struct cor_traffic *recording(void) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_traffic *traffic;
    sound(cor_traffic_record(traffic_file, true, &traffic, &error), &error);
    return traffic;
}

/* A registry of its own: hello, then reorganizations with these faults. */
static enum cor_status talk(struct cor_traffic *traffic, const char *command, const char *const *faults,
                            uint64_t seed, char *said, size_t size, struct cor_error *error) {
    struct cor_registry *own;
    const struct cor_algorithm *guest;
    struct cor_session *session = NULL;
    struct cor_outcome outcome;
    enum cor_status status;
    said[0] = '\0';
    cor_outcome_init(&outcome);
    COR_TRY_OUT(cor_registry_create(NULL, &own, error));
    cor_registry_use_traffic(own, traffic);
    COR_TRY_OUT(cor_registry_command(own, command, &guest, error));
    struct cor_session_definition definition = cor_default_session(guest);
    COR_TRY_OUT(cor_session_create(&definition, &session, error));
    for (; *faults; faults++) {
        test_make(&task, guest, 12, 4, seed);
        COR_TRY_OUT(cor_algorithm_fault(guest, *faults, &task.rules.fault, error));
        COR_TRY_OUT(cor_session_reorganize(session, &task.task, &task.name, &outcome, error));
        size_t used = strlen(said);
        snprintf(said + used, size - used, "%d %d %d %d %llu %s\n", (int)outcome.smoke, (int)outcome.stop,
                 (int)outcome.fate.signal, (int)outcome.fate.exit_code,
                 (unsigned long long)cor_outcome_digest(&outcome), outcome.complaint);
    }
out:
    cor_session_destroy(session);
    cor_outcome_fini(&outcome);
    cor_registry_destroy(own);
    return status;
}

static void a_replay_is_as_the_program_was_without_it(void **state) {
    (void)state;
    static const char *const faults[] = {
        "none", "raises",        "none",   "last_words", "no_json", "half_a_line", "wrong_id", "segfaults",
        "none", "answers_twice", "floods", "closes_all", "none",    "fails",       NULL};
    struct cor_error error = COR_NO_ERROR;
    char said[16384], again[16384];
    struct cor_traffic *traffic = recording();
    sound(talk(traffic, GUEST "one_shot", faults, 1, said, sizeof said, &error), &error);
    cor_traffic_close(traffic);
    sound(cor_traffic_replay(traffic_file, &traffic, &error), &error);
    assert_string_equal(cor_traffic_digest(traffic, GUEST "one_shot"), "-");
    sound(talk(traffic, GUEST "one_shot", faults, 1, again, sizeof again, &error), &error);
    assert_string_equal(said, again);
    assert_non_null(strstr(said, " 11 0 ")); /* segfaults */
    nobody_is_left();
    cor_traffic_close(traffic);

    /* Another task: the line is named. Another program: so it is. */
    sound(cor_traffic_replay(traffic_file, &traffic, &error), &error);
    assert_int_equal(talk(traffic, GUEST "one_shot", faults, 2, again, sizeof again, &error),
                     COR_STATUS_INPUT);
    assert_string_equal(error.place, "test_external.traffic:8");
    cor_traffic_close(traffic);
    error = COR_NO_ERROR;
    sound(cor_traffic_replay(traffic_file, &traffic, &error), &error);
    assert_int_equal(talk(traffic, GUEST "centralised", faults, 1, again, sizeof again, &error),
                     COR_STATUS_INPUT);
    assert_string_equal(error.place, "test_external.traffic:2");
    cor_traffic_close(traffic);
}

static void what_is_no_traffic_is_refused_with_the_line(void **state) {
    (void)state;
    static const struct {
        const char *text, *place;
    } files[] = {{"", ":1"},
                 {"corridor traffic 2\n", ":1"},
                 {"corridor traffic 1", ":1"},
                 {"corridor traffic 1\n0 > {}\n", ":2"},
                 {"corridor traffic 1\n0 = -\n", ":2"},
                 {"corridor traffic 1\n0 = - x\n0 ? y\n", ":3"},
                 {"corridor traffic 1\n0 = - x\n0 ! 1 x\n", ":3"},
                 {"corridor traffic 1\n0 = - x\n0 < half", ":3"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct cor_error error = COR_NO_ERROR;
        struct cor_traffic *traffic;
        FILE *file = fopen(traffic_file, "w");
        fputs(files[i].text, file);
        fclose(file);
        assert_int_equal(cor_traffic_replay(traffic_file, &traffic, &error), COR_STATUS_INPUT);
        assert_null(traffic);
        if (!strstr(error.place, files[i].place))
            fail_msg("%zu: %s: %s", i, error.place, error.cause);
    }
    struct cor_error error = COR_NO_ERROR;
    struct cor_traffic *traffic;
    assert_int_equal(cor_traffic_record(traffic_file, false, &traffic, &error), COR_STATUS_EXISTS);
    unlink(traffic_file);
}

int main(int count, char **words) {
    if (count > 1)
        number_count = (uint32_t)strtoul(words[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_program_declares_is_what_a_module_would),
        cmocka_unit_test(a_hello_that_will_not_do_is_refused_with_the_reason),
        cmocka_unit_test(the_example_gives_the_rows_of_deal),
        cmocka_unit_test(an_answer_may_say_more_than_blocks),
        cmocka_unit_test(the_host_keeps_the_loop_and_the_budget_of_a_centralised_program),
        cmocka_unit_test(the_host_carries_the_mail_of_a_decentralised_program),
        cmocka_unit_test(how_a_process_ended_is_told),
        cmocka_unit_test(a_second_answer_that_comes_late_does_not_spoil_the_next_reorganization),
        cmocka_unit_test(what_is_counted_before_a_late_answer_comes_counts_once),
        cmocka_unit_test(a_program_that_remembers_is_found_out_when_it_is_asked_again),
        cmocka_unit_test(who_kills_a_program_makes_no_difference),
        cmocka_unit_test(whatever_a_program_does_is_smoke_of_that_reorganization),
        cmocka_unit_test(a_program_has_time_to_begin),
        cmocka_unit_test(a_shell_in_between_does_not_hide_a_crash),
        cmocka_unit_test(only_what_the_hello_declares_may_be_answered),
        cmocka_unit_test(numbers_are_as_short_as_they_can_be),
        cmocka_unit_test(a_replay_is_as_the_program_was_without_it),
        cmocka_unit_test(what_is_no_traffic_is_refused_with_the_line),
    };
    return cmocka_run_group_tests(tests, open_registry, close_registry);
}
