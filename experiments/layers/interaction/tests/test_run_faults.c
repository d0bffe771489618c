/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two algorithms of paper 003 through the whole loop, on suites of the paper's own laws. Without a fault
 * no box fails (003, 6.1: a week of it). With one, forced to strike wherever its seam is reached, the gray
 * box reports it if and only if the solution is broken, by a count that shares nothing with the oracle. */
#include <corridor/run.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define OK(call)                                                    \
    do {                                                            \
        if ((call) != COR_OK)                                       \
            fail_msg("%s: %s %s", #call, error.place, error.cause); \
    } while (0)

/* Reorganizations at least, without a fault and with one; fewer where sanitizers watch. */
#ifdef __SANITIZE_ADDRESS__
#define FAULT_FREE 300
#define FORCED 50
#else
#define FAULT_FREE 2000
#define FORCED 300
#endif

static const char head[] = "{\"corridor_experiment\": 1, \"name\": \"loop\", \"seed\": \"0x6\",\n"
                           " \"suites\": 1000, \"sequences\": 3, \"cases\": [50, 200],\n"
                           " \"model\": \"" TEST_SOURCE_DIR "/experiments/library/models/paper.json\",\n \"arms\": [";

/* The laws of the paper, but for the size of the systems and the effort. */
#define SPADA                                                                                          \
    "\"algorithm\": \"spada\", \"parameters\": {\"acquaintances\": [1, 20], \"candidates\": [1, 10], " \
    "\"integrations\": [1, 10], \"budget\": 2000"
#define PSOPP                                                                                      \
    "\"algorithm\": \"psopp\", \"parameters\": {\"particles\": [1, 4], \"start_at_current\": [0, " \
    "\"particles\"], \"c_random + c_own + c_best\": 1, \"budget\": [100, 400]"
#define SMALL ", \"agents\": [2, 60]"

static struct cor_experiment *experiment_of(const char *arms) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_experiment *experiment;
    char path[] = "/tmp/corridor-test-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *stream = fdopen(file, "w");
    assert_non_null(stream);
    fprintf(stream, "%s%s]}\n", head, arms);
    assert_int_equal(fclose(stream), 0);
    enum cor_status status = cor_experiment_read(path, &experiment, &error);
    unlink(path);
    OK(status);
    return experiment;
}

/* What has been seen of an arm. */
struct tally {
    uint64_t cases, reorganizations, activated, in_result, gray, black, masked;
};

/* Runs suite `index` of an arm into `record`. */
static void run_suite(const struct cor_experiment *experiment, uint32_t arm, uint32_t index,
                      struct cor_session *session, struct cor_record *record, struct cor_suite **suite) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_runner *runner;
    OK(cor_suite_generate(experiment, arm, index, suite, &error));
    const struct cor_execution execution = {*suite, session, true};
    OK(cor_runner_create(&execution, record, &runner, &error));
    for (uint32_t s = 0; s < experiment->sequence_count; s++) {
        const struct cor_walk_definition walk = cor_suite_walk_definition(*suite, s, NULL);
        OK(cor_sequence_begin(runner, &walk, &error));
        while (!cor_sequence_is_over(runner))
            OK(cor_sequence_case(runner, &error));
        OK(cor_sequence_end(runner, &error));
    }
    OK(cor_runner_finish(runner, &error));
    cor_runner_destroy(runner);
}

/* Is the solution of a row of `failures` what the arm promises? Counted here, by columns of its own. */
static bool is_sound(const struct cor_record *record, const struct cor_failure_row *row,
                     const struct cor_configuration *c, bool limited) {
    const uint32_t *sizes = cor_record_items(record, COR_VECTOR_SOLUTION_BLOCK_SIZE, NULL);
    const uint32_t *members = cor_record_items(record, COR_VECTOR_SOLUTION_MEMBER, NULL);
    uint32_t *times = calloc(c->agent_count, sizeof *times), total = 0;
    bool sound = !limited || (row->blocks >= c->limits.count_min && row->blocks <= c->limits.count_max);
    assert_non_null(times);
    for (uint32_t b = 0; b < row->blocks; b++) {
        uint32_t size = sizes[row->block_start + b];
        sound = sound && size > 0 && (!limited || (size >= c->limits.size_min && size <= c->limits.size_max));
        total += size;
    }
    assert_int_equal(total, row->members);
    for (uint32_t m = 0; m < row->members; m++) {
        uint32_t agent = members[row->member_start + m];
        sound = sound && agent < c->agent_count && times[agent]++ == 0;
    }
    free(times);
    return sound && row->members == c->agent_count;
}

/* Every reorganization of a suite, each with its solution (all are logged). */
static void judge_suite(struct cor_record *record, const struct cor_suite *suite, struct tally *tally) {
    bool limited = strcmp(suite->arm->algorithm->name, "psopp") == 0;
    size_t count = cor_record_size(record, COR_TABLE_REORGANIZATIONS);
    assert_int_equal(cor_record_size(record, COR_TABLE_FAILURES), count);
    for (size_t i = 0; i < count; i++) {
        const struct cor_reorganization_row *row = cor_record_at(record, COR_TABLE_REORGANIZATIONS, i);
        const struct cor_failure_row *kept = cor_record_at(record, COR_TABLE_FAILURES, i);
        assert_int_equal(row->case_, kept->case_);
        bool sound = is_sound(record, kept, suite->configuration, limited);
        bool gray = row->gray == COR_VERDICT_FAILED, black = row->black == COR_VERDICT_FAILED;
        assert_true(row->smoke == COR_SMOKE_NONE);
        assert_int_equal(gray, !sound);
        assert_true(!black || gray);                /* what the black box sees, the gray box has seen */
        assert_true(!gray || row->fault_in_result); /* nothing fails that no fault has touched */
        assert_true(!row->fault_in_result || row->fault_activated > 0);
        assert_true(row->fault_held <= row->fault_reached && row->fault_activated <= row->fault_held);
        assert_true(gray || row->agreement == COR_VERDICT_PASSED);
        tally->activated += row->fault_activated > 0;
        tally->in_result += row->fault_in_result;
        tally->gray += gray;
        tally->black += black;
        tally->masked += row->fault_activated > 0 && !gray && !black;
    }
    tally->reorganizations += count;
    tally->cases += cor_record_size(record, COR_TABLE_CASES);
}

/* Runs suites of an arm until there are so many reorganizations, and such in which its fault was activated.
 */
static void run_arm(const struct cor_experiment *experiment, uint32_t arm, uint64_t reorganizations,
                    uint64_t activated, struct tally *tally) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_session *session;
    struct cor_record *record;
    OK(cor_session_create(&experiment->arms[arm].session, &session, &error));
    OK(cor_record_create(&cor_interaction_schema, &record, &error));
    *tally = (struct tally){0};
    for (uint32_t index = 0; tally->reorganizations < reorganizations || tally->activated < activated;
         index++) {
        struct cor_suite *suite;
        assert_true(index < experiment->suite_count);
        run_suite(experiment, arm, index, session, record, &suite);
        judge_suite(record, suite, tally);
        if (suite->arm->fault == 0)
            assert_int_equal(cor_record_size(record, COR_TABLE_VIOLATIONS), 0); /* of any box, R-Detect too */
        cor_suite_destroy(suite);
    }
    cor_session_destroy(session);
    cor_record_destroy(record);
}

/* Item 3, reduced: as many reorganizations as a test may take; the paper let it run for about a week. */
static void without_faults_no_box_fails(void **state) {
    (void)state;
    struct cor_experiment *experiment =
        experiment_of("{\"name\": \"spada\", " SPADA "}}, {\"name\": \"psopp\", " PSOPP "}}");
    for (uint32_t arm = 0; arm < experiment->arm_count; arm++) {
        struct tally tally;
        run_arm(experiment, arm, FAULT_FREE, 0, &tally);
        assert_true(tally.cases > FAULT_FREE);
        assert_int_equal(tally.activated + tally.in_result + tally.gray + tally.black, 0);
    }
    cor_experiment_destroy(experiment);
}

/* Item 5. Thresholds are such that the condition of the fault holds wherever its seam is reached. */
static void forced_faults_are_reported(void **state) {
    (void)state;
    static const char arms[] =
        "{\"name\": \"s1\", \"fault\": \"f1\", " SPADA SMALL ", \"f1_threshold\": 0}},"
        "{\"name\": \"s2\", \"fault\": \"f2\", " SPADA SMALL ", \"f2_threshold\": 1000000}},"
        "{\"name\": \"s3\", \"fault\": \"f3\", " SPADA SMALL ", \"f3_threshold\": 1}},"
        "{\"name\": \"s4\", \"fault\": \"f4\", " SPADA SMALL ", \"f4_threshold\": 0}},"
        "{\"name\": \"p1\", \"fault\": \"f1\", " PSOPP SMALL ", \"t1\": 1000000}},"
        "{\"name\": \"p2\", \"fault\": \"f2\", " PSOPP SMALL ", \"t1\": 1000000}},"
        "{\"name\": \"p3\", \"fault\": \"f3\", " PSOPP SMALL ", \"t1\": 1000000}},"
        "{\"name\": \"p4\", \"fault\": \"f4\", " PSOPP SMALL ", \"t1\": 1000000}},"
        "{\"name\": \"p5\", \"fault\": \"f5\", " PSOPP SMALL ", \"t1\": 1000000}},"
        "{\"name\": \"p5d\", \"fault\": \"f5\", " PSOPP SMALL ", \"t1\": 1000000}, "
        "\"set\": {\"n_max\": \"n_min\"}}";
    struct cor_experiment *experiment = experiment_of(arms);
    for (uint32_t arm = 0; arm < experiment->arm_count; arm++) {
        const char *name = experiment->arms[arm].name;
        struct tally tally;
        run_arm(experiment, arm, FORCED, 20, &tally);
        print_message("%-4s %5llu reorganizations: activated in %llu, in the result of %llu, gray %llu, "
                      "black %llu, masked %llu\n",
                      name, (unsigned long long)tally.reorganizations, (unsigned long long)tally.activated,
                      (unsigned long long)tally.in_result, (unsigned long long)tally.gray,
                      (unsigned long long)tally.black, (unsigned long long)tally.masked);
        assert_true(tally.in_result >= 1 && tally.gray >= 1);
        if (name[0] == 's') {
            assert_int_equal(tally.black, 0);
            assert_int_equal(tally.masked, 0); /* SPADA's conversions come last: nothing heals */
        }
    }
    cor_experiment_destroy(experiment);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_faults_no_box_fails),
        cmocka_unit_test(forced_faults_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
