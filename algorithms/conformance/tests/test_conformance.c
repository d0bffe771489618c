/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kit over samples that each do one thing they must not, over the built-in algorithms, and over the
 * partitioners, whose findings docs/evidence/partitioners.md tells.
 *
 * test_conformance [all] module...: those of the partitioners; all: each sample by all checks.
 * test_conformance child ...: started by the kit. */
#include <corridor/conformance.h>
#include <corridor/host.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char own_path[4096];
static char **modules; /* of partitioners, ended by NULL */
static size_t stride =
    9; /* each so many'th sample is held against all checks, others against the one meant */
static size_t sample_number;

static struct cor_conformance_report check(const char *algorithm, const char *only) {
    static const char *const words[] = {"child", NULL};
    const struct cor_conformance_definition definition = {.algorithm = algorithm,
                                                          .program = own_path,
                                                          .words = words,
                                                          .only = only,
                                                          .seed = -1,
                                                          .cpu_seconds = 20};
    struct cor_conformance_report report;
    struct cor_error error = COR_NO_ERROR;
    if (cor_conformance_run(&definition, &report, &error) != COR_OK)
        fail_msg("%s: %s", algorithm, error.cause);
    return report;
}

/* Checks that are broken, "name: evidence" with a bar between. */
static void list_broken(const struct cor_conformance_report *report, char *text, size_t size) {
    text[0] = '\0';
    for (size_t i = 0; i < COR_CONFORMANCE_COUNT; i++)
        if (report->finding[i].verdict == COR_CONFORMANCE_BROKEN)
            snprintf(text + strlen(text), size - strlen(text), "%s%s: %s", text[0] ? " | " : "",
                     cor_conformance_name(i), report->finding[i].said);
}

static void expect_nothing(const char *algorithm) {
    struct cor_conformance_report report = check(algorithm, NULL);
    char broken[4096];
    list_broken(&report, broken, sizeof broken);
    if (broken[0])
        fail_msg("%s breaks %s", algorithm, broken);
    cor_conformance_report_fini(&report);
}

/* The sample breaks the check, with that evidence, and so many in all. */
static void expect_among(const char *sample, enum cor_conformance_check meant, const char *evidence,
                         size_t count) {
    char path[256], broken[4096];
    snprintf(path, sizeof path, "./%s.so", sample);
    const bool is_by_all = count > 1 || sample_number++ % stride == 0;
    struct cor_conformance_report report = check(path, is_by_all ? NULL : cor_conformance_name(meant));
    list_broken(&report, broken, sizeof broken);
    const struct cor_conformance_finding *finding = &report.finding[meant];
    if (finding->verdict != COR_CONFORMANCE_BROKEN || cor_conformance_broken(&report) != count ||
        !strstr(finding->said, evidence))
        fail_msg("%s should break %s (%s), and %zu in all, but breaks: %s", sample,
                 cor_conformance_name(meant), evidence, count, broken);
    /* What all tasks show together no task shows again. */
    if (strstr(evidence, "asked to make"))
        assert_int_equal(finding->agents, 0);
    cor_conformance_report_fini(&report);
}

static void expect_one(const char *sample, enum cor_conformance_check meant, const char *evidence) {
    expect_among(sample, meant, evidence, 1);
}

static void honest_samples_break_nothing(void **state) {
    (void)state;
    expect_nothing("./honest.so");
    expect_nothing("./honest_keeps.so");
    expect_nothing("./honest_talks.so");
    expect_nothing("./honest_kinds.so");
    expect_nothing("./honest_aims.so");
    expect_nothing("./aims_at_nothing.so");
    COR_WITH_PROCESS(expect_nothing("./honest_processes.so");)
}

static void what_depends_on_more_than_the_task_is_caught(void **state) {
    (void)state;
    expect_one("uses_rand", COR_CHECK_OF_repeatable, "the second time");
    expect_one("keeps_statics", COR_CHECK_OF_repeatable, "the second time");
    expect_one("uses_time", COR_CHECK_OF_clock, "two processes");
    expect_one("uses_clock", COR_CHECK_OF_clock, "two processes");
    expect_one("uses_address_of_local", COR_CHECK_OF_addresses, "two processes");
    expect_one("uses_address_of_code", COR_CHECK_OF_addresses, "two processes");
    expect_one("uses_environment", COR_CHECK_OF_environment, "two processes");
    expect_one("uses_fresh_memory", COR_CHECK_OF_uninitialised, "two processes");
    expect_one("counts_steps", COR_CHECK_OF_steps, "steps of at most 1 give another outcome");
    expect_one("look_changes_result", COR_CHECK_OF_anytime, "differs when interim solutions");
    expect_one("look_shows_nothing", COR_CHECK_OF_anytime, "interim solution 1, after 50 units");
    expect_one("graph_changes_result", COR_CHECK_OF_repeatable, "differs when its graph is asked for");
    expect_one("graph_fails", COR_CHECK_OF_repeatable, "differs when its graph is asked for");
    expect_one("keeps_behind_the_back", COR_CHECK_OF_keeps, "in a fresh session that got what was kept");
}

static void what_answers_wrongly_is_caught(void **state) {
    (void)state;
    expect_one("forgets_agent", COR_CHECK_OF_results, "agent 6 is missing");
    expect_one("repeats_agent", COR_CHECK_OF_results, "twice");
    expect_one("invents_agent", COR_CHECK_OF_results, "lists agent 19 of 7");
    expect_one("fails_silently", COR_CHECK_OF_results, "without a word");
    expect_one("ignores_budget", COR_CHECK_OF_budget, "it spent 100 of a budget of 1");
    expect_one("ignores_limits", COR_CHECK_OF_limits, "which should be");
    expect_one("misuses_parameter", COR_CHECK_OF_parameters, "with width = 8 agent 3 is missing");
    expect_one("drops_nan", COR_CHECK_OF_values, "is missing");
    expect_one("miscounts_fault", COR_CHECK_OF_faults, "its condition held 0 times, activated 1");
    expect_one("fault_shows_early", COR_CHECK_OF_faults, "was never activated");
    expect_one("trusts_alloc", COR_CHECK_OF_memory, "signal 11");
}

static void another_aim_is_caught(void **state) {
    (void)state;
    expect_one(
        "aims_backwards", COR_CHECK_OF_aims,
        "asked to make the greatest sum of a partition small, it makes it larger than when asked for the "
        "opposite");
    expect_one("aims_at_the_measure", COR_CHECK_OF_aims,
               "asked to make the range of the means of partitions large, it makes it smaller than it was");
    expect_one("fails_without_a_number", COR_CHECK_OF_aims, "without a word");
    expect_one("reads_steps_beyond", COR_CHECK_OF_aims, "read past the end of the task's objective->steps");
}

static void structures_of_another_kind_are_caught(void **state) {
    (void)state;
    expect_one("covers_not", COR_CHECK_OF_kinds, "asked for a covering: an agent is missing");
    expect_one("nests_round", COR_CHECK_OF_kinds,
               "asked for a hierarchy: a block of the solution stands above itself");
    expect_one("orphans", COR_CHECK_OF_kinds, "asked for a tree: it has not one block without a parent");
    expect_one("twice_in_a_block", COR_CHECK_OF_kinds, "lists an agent twice");
    expect_one("reads_parents_beyond", COR_CHECK_OF_kinds, "read past the end of the task's block_parent");
}

static void what_takes_the_process_along_is_a_finding(void **state) {
    (void)state;
    expect_one("crashes_with_many", COR_CHECK_OF_sizes, "signal 11");
    expect_one("exits_with_many", COR_CHECK_OF_sizes, "exit code 0");
    expect_one("exits_when_loaded", COR_CHECK_OF_loads, "exit code 0");
    expect_one("crashes_when_loaded", COR_CHECK_OF_loads, "signal 6");
    expect_one("grows_when_loaded", COR_CHECK_OF_loads, "signal 6");
    expect_one("crashes_when_garbled", COR_CHECK_OF_garbled, "signal 11");
    expect_one("crashes_when_mixed", COR_CHECK_OF_garbled, "signal 11");
    expect_one("missing", COR_CHECK_OF_loads, "No such file");
}

static void what_touches_more_than_its_own_is_caught(void **state) {
    (void)state;
    expect_among("counts_beyond", COR_CHECK_OF_counters, "bucket 2 of counter \"steps\", which has 2", 2);
    expect_among("counts_beyond", COR_CHECK_OF_results, "it counted bucket 2 of counter \"steps\"", 2);
    expect_one("writes_task", COR_CHECK_OF_read_only, "begin() wrote the task's values[0][0]");
    expect_one("writes_rules", COR_CHECK_OF_read_only, "begin() wrote the rules");
    expect_one("reads_beyond", COR_CHECK_OF_read_only, "begin() read past the end of the task's values");
    expect_one("reads_values_before", COR_CHECK_OF_decentralized, "read the values of agent");
    expect_one("reads_state_behind", COR_CHECK_OF_decentralized, "differs when agents are kept apart");
    expect_one("keeps_the_task", COR_CHECK_OF_decentralized, "read the task");
    expect_one("counter_is_blackboard", COR_CHECK_OF_decentralized, "differs when agents are kept apart");
    expect_one("spent_is_blackboard", COR_CHECK_OF_decentralized, "differs when agents are kept apart");
    expect_one("static_is_blackboard", COR_CHECK_OF_decentralized,
               "wrote a variable of the module, at offset 0x");
    expect_one("begin_shares_memory", COR_CHECK_OF_decentralized,
               "that the states of several agents lead to");
}

static void mail_and_crashes_are_borne(void **state) {
    (void)state;
    expect_one("cannot_bear_repeated_mail", COR_CHECK_OF_mail, "smoke: complained");
    expect_one("cannot_bear_restarts", COR_CHECK_OF_restarts, "smoke: complained");
}

/* Of distributed programs, where these are in the build. */
COR_WITH_PROCESS(
    static void processes_keep_to_their_host(void **state) {
        (void)state;
        expect_one("counts_in_a_variable", COR_CHECK_OF_variables,
                   "in input process 0 wrote a variable of the module, at offset 0x");
        expect_among("listens_to_a_variable", COR_CHECK_OF_repeatable,
                     "the same schedule goes another way the second time: event 1, input at process 0,", 2);
        expect_among("talks_by_a_variable", COR_CHECK_OF_lives,
                     "told again alone, life 2 of process 1 goes another way in its call 3, receive()", 2);
        expect_one("keeps_malloc", COR_CHECK_OF_alone,
                   "got memory from the C library and kept it: a crash does not forget it");
        expect_among("asks_the_time", COR_CHECK_OF_alone, "in input process 0 called time() of the C library",
                     2);
        expect_among("asks_the_time", COR_CHECK_OF_clock, "two processes give different outcomes", 2);
        expect_one("starts_a_thread", COR_CHECK_OF_alone, "called pthread_create() of the C library");
        expect_one("opens_a_file", COR_CHECK_OF_alone, "called open() of the C library");
        expect_one("writes_somewhere", COR_CHECK_OF_alone, "called write() of the C library");
        expect_one("sleeps_a_little", COR_CHECK_OF_alone, "called nanosleep() of the C library");
        expect_among("draws_rand", COR_CHECK_OF_alone, "called rand() of the C library", 2);
        expect_one("sends_its_address", COR_CHECK_OF_addresses, "two processes give different outcomes");
        expect_one("sends_fresh_memory", COR_CHECK_OF_uninitialised, "two processes give different outcomes");
        expect_one("sends_a_variable_of_its_environment", COR_CHECK_OF_environment,
                   "two processes give different outcomes");
        expect_one("observes_and_counts", COR_CHECK_OF_looks, "observe() of process 0 changes its state");
        expect_one("shows_too_much", COR_CHECK_OF_looks, "writes behind its 2 attributes");
        expect_one("shows_half", COR_CHECK_OF_looks, "called twice, shows two values of kept, or none");
    }

    static void processes_live_through_what_comes(void **state) {
        (void)state;
        expect_one("trusts_its_store", COR_CHECK_OF_extremes,
                   "restart at process 0, process 0 ends the run (abort): in start: it called abort");
        expect_one("trusts_its_cell", COR_CHECK_OF_extremes, "in start: it called abort");
        expect_one("cannot_bear_errors", COR_CHECK_OF_extremes,
                   "disk-error at process 0, process 0 ends the run (abort): in completed: it called abort");
        expect_one("cannot_bear_doubles", COR_CHECK_OF_survives, "in receive: it called abort");
        expect_one("sends_to_nobody", COR_CHECK_OF_survives,
                   "in input: it sent to process 1; there are processes 0 to 0");
        struct cor_conformance_report report = check("./hangs_alone.so", "survives");
        assert_int_equal(report.finding[COR_CHECK_OF_survives].verdict, COR_CONFORMANCE_BROKEN);
        assert_non_null(
            strstr(report.finding[COR_CHECK_OF_survives].said, "(hang): in receive: it did not come back"));
        cor_conformance_report_fini(&report);
    })

/* What is asked of the other kind is said not to apply, and only where it was asked for. */
/* Mechanisms and monitors. */
static void what_works_beside_is_checked(void **state) {
    (void)state;
    static const char *const good[] = {"./mechanism_honest.so",
                                       "./mechanism_writes_all_sorts.so",
                                       "./monitor_honest.so",
                                       "./monitor_never_alarms.so",
                                       "balance",
                                       "lagging"};
    static const struct {
        const char *sample;
        enum cor_conformance_check meant;
        const char *evidence;
        size_t count;
    } bad[] = {
        {"mechanism_keeps_statics", COR_CHECK_OF_repeatable, "when it begins anew", 1},
        {"mechanism_uses_clock", COR_CHECK_OF_clock, "two processes", 1},
        {"mechanism_uses_address_of_local", COR_CHECK_OF_addresses, "two processes", 1},
        {"mechanism_uses_fresh_memory", COR_CHECK_OF_uninitialised, "two processes", 1},
        {"mechanism_uses_environment", COR_CHECK_OF_environment, "two processes", 1},
        {"mechanism_leaves_the_range", COR_CHECK_OF_works,
         "as \"load\" of agent 0; right: a number from -1000000 to 1000000", 1},
        {"mechanism_spreads_nan", COR_CHECK_OF_works, "wrote NaN as \"load\"", 1},
        {"mechanism_writes_what_it_is_shown", COR_CHECK_OF_works, "changed load that it was shown", 2},
        {"mechanism_misuses_parameter", COR_CHECK_OF_parameters, "says that it cost -2", 1},
        {"mechanism_fails_silently", COR_CHECK_OF_works, "the mechanism sample failed", 2},
        {"monitor_keeps_statics", COR_CHECK_OF_repeatable, "the second time", 1},
        {"monitor_uses_clock", COR_CHECK_OF_clock, "two processes", 1},
        {"monitor_uses_address_of_local", COR_CHECK_OF_addresses, "two processes", 1},
        {"monitor_uses_fresh_memory", COR_CHECK_OF_uninitialised, "two processes", 1},
        {"monitor_uses_environment", COR_CHECK_OF_environment, "two processes", 1},
        {"monitor_alarms_for_others", COR_CHECK_OF_works, "but it watches", 1},
        {"monitor_fault_is_nonsense", COR_CHECK_OF_works, "gave 2, which is neither 0 nor 1", 1},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        expect_nothing(good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_among(bad[i].sample, bad[i].meant, bad[i].evidence, bad[i].count);
    static const char *const crashes[] = {"./mechanism_crashes_with_many.so",
                                          "./monitor_crashes_with_many.so"};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
        struct cor_conformance_report report = check(crashes[i], "works");
        const struct cor_conformance_finding *finding = &report.finding[COR_CHECK_OF_works];
        assert_int_equal(finding->verdict, COR_CONFORMANCE_BROKEN);
        assert_true(finding->agents > 25 && strstr(finding->said, "signal 6"));
        assert_true(report.kind == COR_CONFORMANCE_BESIDE &&
                    strcmp(report.shape, i == 0 ? "mechanism" : "monitor") == 0);
        cor_conformance_report_fini(&report);
    }
    struct cor_conformance_report report = check("./monitor_never_alarms.so", "works");
    assert_string_equal(report.finding[COR_CHECK_OF_works].remark,
                        "it raised no alarm, whatever it was shown: the column value alone");
    cor_conformance_report_fini(&report);
    COR_WITH_PROCESS(report = check("balance", "alone");
                     assert_string_equal(report.finding[COR_CHECK_OF_alone].said,
                                         "it is asked of distributed programs alone");
                     cor_conformance_report_fini(&report);)
    report = check("deal", "works");
    assert_string_equal(report.finding[COR_CHECK_OF_works].said,
                        "it is asked of mechanisms and monitors alone");
    cor_conformance_report_fini(&report);
}

COR_WITH_PROCESS(static void each_kind_has_its_checks(void **state) {
    (void)state;
    struct cor_conformance_report report = check("./honest_processes.so", "budget");
    assert_int_equal(report.finding[COR_CHECK_OF_budget].verdict, COR_CONFORMANCE_NOT_APPLICABLE);
    assert_string_equal(report.finding[COR_CHECK_OF_budget].said, "it is asked of algorithms alone");
    assert_true(cor_conformance_is_of_processes(&report));
    cor_conformance_report_fini(&report);
    report = check("deal", "lives");
    assert_int_equal(report.finding[COR_CHECK_OF_lives].verdict, COR_CONFORMANCE_NOT_APPLICABLE);
    assert_string_equal(report.finding[COR_CHECK_OF_lives].said, "it is asked of distributed programs alone");
    cor_conformance_report_fini(&report);
})

/* No misdeed, but a reader should know. */
static void who_sends_no_mail_is_named(void **state) {
    (void)state;
    struct cor_conformance_report report = check("./sends_nothing.so", NULL);
    char broken[4096];
    list_broken(&report, broken, sizeof broken);
    assert_string_equal(broken, "");
    assert_non_null(report.finding[COR_CHECK_OF_decentralized].remark);
    assert_non_null(
        strstr(report.finding[COR_CHECK_OF_decentralized].remark, "sends no mail, and still moves agents"));
    cor_conformance_report_fini(&report);
}

/* Says no when a check is asked that is called so. */
static bool says_no(void *check, const struct cor_conformance_progress *progress) {
    return strcmp(progress->check, check) != 0;
}

static void who_hangs_is_ended(void **state) {
    (void)state;
    static const char *const words[] = {"child", NULL};
    struct cor_conformance_definition definition = {.algorithm = "./hangs_with_many.so",
                                                    .program = own_path,
                                                    .words = words,
                                                    .only = "sizes",
                                                    .seed = -1,
                                                    .cpu_seconds = 0.2};
    struct cor_conformance_report report;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_conformance_run(&definition, &report, &error), COR_OK);
    assert_int_equal(report.finding[COR_CHECK_OF_sizes].verdict, COR_CONFORMANCE_BROKEN);
    assert_string_equal(report.finding[COR_CHECK_OF_sizes].said, "its process did not get on, and was ended");
    assert_int_equal(report.finding[COR_CHECK_OF_sizes].agents, 64);
    cor_conformance_report_fini(&report);
    /* Whoever naps uses hardly any time, and is seen to use some at each look. */
    definition.algorithm = "./naps_with_many.so";
    definition.cpu_seconds = 1;
    assert_int_equal(cor_conformance_run(&definition, &report, &error), COR_OK);
    assert_int_equal(report.finding[COR_CHECK_OF_sizes].verdict, COR_CONFORMANCE_BROKEN);
    assert_string_equal(report.finding[COR_CHECK_OF_sizes].said,
                        "its process did not get on, and was ended: nothing was heard of it for 4 s");
    assert_int_equal(report.finding[COR_CHECK_OF_sizes].agents, 64);
    definition.cpu_seconds = 0.2;
    cor_conformance_report_fini(&report);
    definition.algorithm = "./hangs_when_garbled.so";
    definition.only = "garbled";
    assert_int_equal(cor_conformance_run(&definition, &report, &error), COR_OK);
    assert_int_equal(report.finding[COR_CHECK_OF_garbled].verdict, COR_CONFORMANCE_BROKEN);
    assert_string_equal(report.finding[COR_CHECK_OF_garbled].said,
                        "its process did not get on, and was ended");
    cor_conformance_report_fini(&report);
    /* Whoever does not come back once is not waited for in each check, where all ask the same. */
    definition.algorithm = "./mechanism_hangs_with_many.so";
    definition.only = NULL;
    assert_int_equal(cor_conformance_run(&definition, &report, &error), COR_OK);
    assert_int_equal(cor_conformance_broken(&report), 1);
    assert_int_equal(report.finding[COR_CHECK_OF_repeatable].verdict, COR_CONFORMANCE_BROKEN);
    assert_int_equal(report.finding[COR_CHECK_OF_works].verdict, COR_CONFORMANCE_NOT_APPLICABLE);
    assert_string_equal(report.finding[COR_CHECK_OF_works].said, "rests on its coming back: see repeatable");
    assert_false(report.is_stopped);
    cor_conformance_report_fini(&report);
    /* And not at all where nobody wants to wait. */
    definition.cpu_seconds = 1000;
    definition.doing = says_no;
    definition.self = (char[]){"repeatable"};
    assert_int_equal(cor_conformance_run(&definition, &report, &error), COR_OK);
    assert_true(report.is_stopped && report.finding[COR_CHECK_OF_loads].verdict == COR_CONFORMANCE_HELD);
    assert_int_equal(report.finding[COR_CHECK_OF_repeatable].verdict, COR_CONFORMANCE_NOT_RUN);
    assert_int_equal(report.finding[COR_CHECK_OF_works].verdict, COR_CONFORMANCE_NOT_RUN);
    cor_conformance_report_fini(&report);
}

static void builtins_keep_to_the_contract(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_registry *registry;
    assert_int_equal(cor_registry_create(NULL, &registry, &error), COR_OK);
    for (uint32_t i = 0; i < cor_registry_size(registry); i++)
        expect_nothing(cor_registry_at(registry, i)->name);
    for (size_t i = 0; cor_conformance_program(i); i++)
        expect_nothing(cor_conformance_program(i));
    cor_registry_destroy(registry);
}

/* What each partitioner breaks, by the end of its path: docs/evidence/partitioners.md tells why. */
static void partitioners_break_what_their_page_says(void **state) {
    (void)state;
    static const struct {
        const char *name;
        enum cor_conformance_check broken[8];
    } known[] = {{"leiden.so", {COR_CHECK_OF_results, COR_CHECK_OF_limits}},
                 {"metis.so",
                  {COR_CHECK_OF_results, COR_CHECK_OF_sizes, COR_CHECK_OF_limits, COR_CHECK_OF_parameters,
                   COR_CHECK_OF_values}},
                 {"scotch.so", {COR_CHECK_OF_results, COR_CHECK_OF_sizes, COR_CHECK_OF_parameters}}};
    for (char **module = modules; *module; module++)
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            if (!strstr(*module, known[k].name))
                continue;
            struct cor_conformance_report report = check(*module, NULL);
            size_t expected = 0;
            char broken[4096];
            list_broken(&report, broken, sizeof broken);
            for (size_t i = 0; i < 8 && known[k].broken[i] != COR_CHECK_OF_loads; i++, expected++)
                if (report.finding[known[k].broken[i]].verdict != COR_CONFORMANCE_BROKEN)
                    fail_msg("%s keeps %s", *module, cor_conformance_name(known[k].broken[i]));
            if (cor_conformance_broken(&report) != expected)
                fail_msg("%s breaks %s", *module, broken);
            cor_conformance_report_fini(&report);
        }
}

int main(int count, char **words) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(honest_samples_break_nothing),
        cmocka_unit_test(what_depends_on_more_than_the_task_is_caught),
        cmocka_unit_test(what_answers_wrongly_is_caught),
        cmocka_unit_test(structures_of_another_kind_are_caught),
        cmocka_unit_test(another_aim_is_caught),
        cmocka_unit_test(what_takes_the_process_along_is_a_finding),
        cmocka_unit_test(what_touches_more_than_its_own_is_caught),
        cmocka_unit_test(mail_and_crashes_are_borne),
        COR_WITH_PROCESS(cmocka_unit_test(processes_keep_to_their_host), )
            COR_WITH_PROCESS(cmocka_unit_test(processes_live_through_what_comes), )
                cmocka_unit_test(what_works_beside_is_checked),
        COR_WITH_PROCESS(cmocka_unit_test(each_kind_has_its_checks), )
            cmocka_unit_test(who_sends_no_mail_is_named),
        cmocka_unit_test(who_hangs_is_ended),
        cmocka_unit_test(builtins_keep_to_the_contract),
        cmocka_unit_test(partitioners_break_what_their_page_says),
    };
    if (count > 1 && strcmp(words[1], "child") == 0)
        return cor_conformance_child(count - 2, words + 2);
    ssize_t length = readlink("/proc/self/exe", own_path, sizeof own_path - 1);
    if (length < 0)
        return 1;
    const bool is_full = count > 1 && strcmp(words[1], "all") == 0;
    stride = is_full ? 1 : stride;
    modules = words + 1 + is_full;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
