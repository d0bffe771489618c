/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Continuous execution: with equal clocks and no durations the rows are the stepwise ones, bit for bit, in
 * all arms of the demo and with all faults of the testbed; and ticks, cases and structures in between are
 * those that were reckoned by hand, on the small world of scene.h. */
#include "scene.h"

#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/terms.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LIBRARY TEST_SOURCE_DIR "/experiments/library/"
#define OK(call) assert_int_equal(call, COR_OK)

static char *read_text(const char *path) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = cor_calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

/* An experiment of the library, with shorter sequences and these words before its model. */
static struct cor_experiment *open_experiment(const char *name, const char *more) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_json_document *document;
    struct cor_experiment *experiment;
    char *path = cor_format(LIBRARY "%s", name), *text = read_text(path), *at = strstr(text, "\"model\"");
    assert_non_null(at);
    char *edited = cor_format("%.*s%s%s", (int)(at - text), text, more, at),
         *cases = strstr(edited, "\"cases\":");
    assert_non_null(cases);
    char *end = strchr(cases, '\n');
    char *shorter = cor_format("%.*s\"cases\": [10, 30],%s", (int)(cases - edited), edited, end);
    OK(cor_json_parse(shorter, path, &document, &error));
    if (cor_experiment_take(path, document, NULL, &experiment, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    free(path);
    free(text);
    free(edited);
    free(shorter);
    return experiment;
}

/* Two sequences of suite `index` of the arm, executed; the stepwise rows of it. */
static struct cor_record *execute(const struct cor_experiment *experiment, uint32_t arm, uint32_t index) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_suite *suite;
    struct cor_session *session;
    struct cor_record *record;
    struct cor_runner *runner;
    OK(cor_suite_generate(experiment, arm, index, &suite, &error));
    OK(cor_session_create(&suite->arm->session, &session, &error));
    OK(cor_record_create(&cor_interaction_schema, &record, &error));
    const struct cor_execution execution = {suite, session, true};
    OK(cor_runner_create(&execution, record, &runner, &error));
    for (uint32_t s = 0; s < 2; s++) {
        const struct cor_walk_definition walk = cor_suite_walk_definition(suite, s, NULL);
        OK(cor_sequence_begin(runner, &walk, &error));
        while (!cor_sequence_is_over(runner))
            OK(cor_sequence_case(runner, &error));
        OK(cor_sequence_end(runner, &error));
    }
    OK(cor_runner_finish(runner, &error));
    cor_runner_destroy(runner);
    cor_session_destroy(session);
    cor_suite_destroy(suite);
    return record;
}

/* Forgets what only continuous execution writes. */
static void forget_time(struct cor_record *record) {
    struct cor_record_mark mark = cor_record_mark(record);
    mark.rows[COR_TABLE_TICKS] = mark.rows[COR_TABLE_SNAPSHOTS] = 0;
    cor_record_rewind(record, &mark);
}

static void check_equal(const char *name, const char *clocks, uint32_t suites) {
    struct cor_experiment *stepwise = open_experiment(name, ""), *continuous = open_experiment(name, clocks);
    size_t reorganizations = 0;
    for (uint32_t arm = 0; arm < stepwise->arm_count; arm++) {
        for (uint32_t suite = 0; suite < suites; suite++) {
            struct cor_record *a = execute(stepwise, arm, suite), *b = execute(continuous, arm, suite);
            const size_t runs = cor_record_size(a, COR_TABLE_REORGANIZATIONS);
            assert_int_equal(cor_record_size(a, COR_TABLE_TICKS), 0);
            assert_int_equal(cor_record_size(a, COR_TABLE_SNAPSHOTS), 0);
            assert_int_equal(cor_record_size(b, COR_TABLE_TICKS), runs);
            assert_int_equal(cor_record_size(b, COR_TABLE_SNAPSHOTS), cor_record_size(a, COR_TABLE_CASES));
            assert_false(cor_record_equal(a, b));
            forget_time(b);
            if (!cor_record_equal(a, b))
                fail_msg("%s, arm %s, suite %u", name, stepwise->arms[arm].name, suite);
            reorganizations += runs;
            cor_record_destroy(a);
            cor_record_destroy(b);
        }
    }
    assert_true(reorganizations > 5 * stepwise->arm_count);
    cor_experiment_destroy(stepwise);
    cor_experiment_destroy(continuous);
}

static void equal_clocks_without_durations_give_the_stepwise_rows(void **unused) {
    (void)unused;
    check_equal("demo.json", "\"execution\": {\"continuous\": {\"case\": 1}},", 1);
    check_equal("testbed_faults.json", "\"execution\": {\"continuous\": {\"case\": 1000}},", 1);
}

/* A case is 100 ticks, as are all clocks; each unit takes 10, of which the scripted algorithm spends 7, and
 * each move 5. */
static void scene_in_time(struct scene *scene) {
    scene_init(scene, &scene_scripted);
    scene->arm.clocks = (struct cor_clocks){.case_ticks = 100,
                                            .agent_least = 100,
                                            .agent_most = 100,
                                            .monitor_ticks = 100,
                                            .unit_ticks = 10,
                                            .move_ticks = 5};
}

static void check_ticks(struct scene *scene, size_t index, uint32_t case_, uint64_t alarm, uint64_t asked,
                        uint64_t solution, uint64_t adopted, uint32_t moves) {
    const struct cor_tick_row *row = scene_row(scene, COR_TABLE_TICKS, index);
    assert_int_equal(row->case_, case_);
    assert_int_equal(row->alarm, alarm);
    assert_int_equal(row->asked, asked);
    assert_int_equal(row->solution, solution);
    assert_int_equal(row->adopted, adopted);
    assert_int_equal(row->moves, moves);
}

/* The alarm of case 2 is answered at tick 100 + 70 + 8 * 5 = 210. At tick 200 six moves begin to be too many:
 * those at 175 .. 195 are made, that at 200 comes behind the monitor, so it sees 0 1 4 5|2|3|6 7 there, with
 * means 1/2, 1, 1, 0; the snapshot of case 2, at 199, sees the same. */
static void a_reorganization_spans_cases(void **unused) {
    (void)unused;
    struct scene scene;
    scene_in_time(&scene);
    scene_sequence(&scene, "002222", "000000");
    assert_string_equal(scene_cases(&scene), "0.1 - inside - passed not_judged not_judged 0\n"
                                             "0.2 alarm outside reorganized passed passed passed 1\n"
                                             "0.3 alarm outside - passed not_judged not_judged 1\n"
                                             "0.4 - inside - passed not_judged not_judged 0\n"
                                             "0.5 - inside - passed not_judged not_judged 0\n");
    assert_int_equal(cor_record_size(scene.record, COR_TABLE_TICKS), 1);
    check_ticks(&scene, 0, 2, 100, 100, 170, 210, 8);
    const struct cor_snapshot_row *second = scene_row(&scene, COR_TABLE_SNAPSHOTS, 1),
                                  *third = scene_row(&scene, COR_TABLE_SNAPSHOTS, 2);
    assert_int_equal(second->tick, 199);
    assert_int_equal(second->under_way, 1);
    assert_int_equal(second->perceptions, SCENE_AGENTS);
    assert_int_equal(second->looks, 1);
    assert_int_equal(second->inside, COR_INSIDE_OUTSIDE);
    assert_true(second->dissimilarity == 1);
    assert_int_equal(third->under_way, 0);
    assert_int_equal(third->inside, COR_INSIDE_INSIDE);
    assert_true(third->dissimilarity == 0);
    scene_fini(&scene);
}

/* Moves at 157, 214 and so on: the snapshot of case 5, at 499, sees the seventh, made at that tick, which
 * leaves 0 1 4 5|2 3 6|7 with means 1/2, 2/3, 0. With moves every 25 ticks the eighth is made at 300, behind
 * the monitor, who sees the same. */
static void what_is_made_at_a_tick_is_seen_behind_it(void **unused) {
    (void)unused;
    struct scene scene;
    scene_in_time(&scene);
    scene.arm.clocks.unit_ticks = 0;
    scene.arm.clocks.move_ticks = 57;
    scene_sequence(&scene, "002222222", "000000000");
    check_ticks(&scene, 0, 2, 100, 100, 100, 556, 8);
    for (uint32_t c = 1; c < 5; c++) {
        const struct cor_snapshot_row *row = scene_row(&scene, COR_TABLE_SNAPSHOTS, c);
        assert_int_equal(row->under_way, 1);
        assert_true(row->dissimilarity == (c < 4 ? 1 : 2 / 3.));
    }
    scene_fini(&scene);
    scene_in_time(&scene);
    scene.arm.clocks.unit_ticks = 0;
    scene.arm.clocks.move_ticks = 25;
    scene_sequence(&scene, "002222", "000000");
    check_ticks(&scene, 0, 2, 100, 100, 100, 300, 8);
    const struct cor_case_row *row = scene_row(&scene, COR_TABLE_CASES, 3);
    assert_int_equal(row->alarm, 1);
    assert_true(row->dissimilarity == (float)(2 / 3.));
    const struct cor_snapshot_row *after = scene_row(&scene, COR_TABLE_SNAPSHOTS, 3);
    assert_true(after->dissimilarity == 0);
    scene_fini(&scene);
}

/* A new alarm waits; and what is under way when the last case ends comes to its end. */
static void what_is_under_way_at_the_end_ends(void **unused) {
    (void)unused;
    struct scene scene;
    scene_in_time(&scene);
    scene.arm.clocks.unit_ticks = 50; /* 350 ticks for a solution */
    scene_sequence(&scene, "2222", "0000");
    assert_string_equal(scene_cases(&scene), "0.1 alarm outside reorganized passed passed passed 1\n"
                                             "0.2 alarm outside - passed not_judged not_judged 1\n"
                                             "0.3 alarm outside - passed not_judged not_judged 1\n");
    check_ticks(&scene, 0, 1, 0, 0, 350, 390, 8);
    scene_fini(&scene);
}

/* A structure that fails ends the sequence when it is adopted: case 3, though the row says case 2. */
static void a_failure_ends_the_sequence_when_it_is_adopted(void **unused) {
    (void)unused;
    struct scene scene;
    scene_in_time(&scene);
    SCENE_SCRIPT(&scene, MANY);
    scene_sequence(&scene, "002222", "000000");
    assert_string_equal(scene_cases(&scene), "0.1 - inside - passed not_judged not_judged 0\n"
                                             "0.2 alarm outside reorganized passed failed failed 1\n"
                                             "0.3 alarm outside - passed not_judged not_judged 1\n");
    check_ticks(&scene, 0, 2, 100, 100, 170, 210, 8);
    assert_string_equal(scene_violations(&scene), "0.2 gray count_above_maximum - - 3 4\n"
                                                  "0.2 black count_above_maximum - - 3 4\n");
    const struct cor_snapshot_row *last = scene_row(&scene, COR_TABLE_SNAPSHOTS, 2);
    assert_int_equal(last->tick, 210);
    assert_int_equal(cor_sequence_first_failure(scene.runner), 2);
    scene_fini(&scene);
}

/* A monitor that looks at 0 and 250 sees the state of then; in the other cases the oracle alone looks, and
 * its snapshots say what it sees. */
static void a_slow_monitor_looks_when_its_clock_ticks(void **unused) {
    (void)unused;
    struct scene scene;
    scene_in_time(&scene);
    scene.arm.clocks.unit_ticks = scene.arm.clocks.move_ticks = 0;
    scene.arm.clocks.monitor_ticks = 250;
    scene_sequence(&scene, "002222", "000000");
    assert_string_equal(scene_cases(&scene), "0.1 - inside - passed not_judged not_judged 0\n"
                                             "0.2 - not_looked - not_judged not_judged not_judged 1\n"
                                             "0.3 alarm outside reorganized passed passed passed 1\n"
                                             "0.4 - not_looked - not_judged not_judged not_judged 0\n"
                                             "0.5 - not_looked - not_judged not_judged not_judged 0\n");
    check_ticks(&scene, 0, 3, 250, 250, 250, 250, 8);
    const struct cor_snapshot_row *second = scene_row(&scene, COR_TABLE_SNAPSHOTS, 1);
    assert_int_equal(second->inside, COR_INSIDE_OUTSIDE);
    assert_int_equal(second->looks, 0);
    scene_fini(&scene);
}

/* Looks at 0, 40, 80; agents perceive at 60 for the first time after the environment has changed with the
 * case. One reorganization a case, so what is outside again at 80 is answered at 120. */
static void clocks_of_their_own(void **unused) {
    (void)unused;
    struct scene scene;
    scene_in_time(&scene);
    scene.arm.clocks.unit_ticks = scene.arm.clocks.move_ticks = 0;
    scene.arm.clocks.monitor_ticks = 40;
    scene.arm.clocks.agent_least = scene.arm.clocks.agent_most = 160;
    SCENE_SCRIPT(&scene, STAY, GOOD);
    scene_sequence(&scene, "02222", "00000");
    assert_string_equal(scene_cases(&scene), "0.1 alarm outside reorganized passed passed passed 1\n"
                                             "0.2 alarm outside reorganized passed passed passed 1\n"
                                             "0.3 - inside - passed not_judged not_judged 0\n"
                                             "0.4 - inside - passed not_judged not_judged 0\n");
    check_ticks(&scene, 0, 1, 0, 0, 0, 0, 8);
    check_ticks(&scene, 1, 2, 120, 120, 120, 120, 8);
    const uint32_t perceptions[] = {SCENE_AGENTS, SCENE_AGENTS, 0, SCENE_AGENTS}, looks[] = {3, 2, 3, 2};
    for (size_t c = 0; c < 4; c++) {
        const struct cor_snapshot_row *row = scene_row(&scene, COR_TABLE_SNAPSHOTS, c);
        assert_int_equal(row->perceptions, perceptions[c]);
        assert_int_equal(row->looks, looks[c]);
    }
    scene_fini(&scene);
}

/* Periods of the agents' own: they perceive as often as multiples of the periods, drawn here once more, lie
 * in a case. */
static void agents_perceive_once_a_period(void **unused) {
    (void)unused;
    struct scene scene;
    scene_in_time(&scene);
    scene.arm.clocks.unit_ticks = scene.arm.clocks.move_ticks = 0;
    scene.arm.clocks.agent_least = 30;
    scene.arm.clocks.agent_most = 270;
    scene_sequence(&scene, "000000000000", "000000000000");
    uint64_t period[SCENE_AGENTS];
    for (uint32_t i = 0; i < SCENE_AGENTS; i++) {
        struct cor_stream_name name = scene.suite.name;
        name.purpose = COR_PURPOSE_AGENT_CLOCK;
        name.entity = i;
        struct cor_rng rng = cor_rng_named(&name);
        period[i] = (uint64_t)cor_rng_between(&rng, 30, 270);
    }
    for (uint32_t c = 0; c < 11; c++) {
        uint32_t expected = 0;
        for (uint32_t i = 0; i < SCENE_AGENTS; i++)
            for (uint64_t tick = 0; tick < 1100; tick += period[i])
                expected += tick / 100 == c;
        const struct cor_snapshot_row *row = scene_row(&scene, COR_TABLE_SNAPSHOTS, c);
        assert_int_equal(row->perceptions, expected);
    }
    scene_fini(&scene);
}

/* With a delay of two cases the algorithm is asked 200 ticks after the alarm, in the case that its rows are
 * of. */
static void a_delay_is_time_before_it_is_asked(void **unused) {
    (void)unused;
    struct scene scene;
    scene_in_time(&scene);
    scene.arm.activation_delay = 2;
    scene_sequence(&scene, "2222222", "0000000");
    check_ticks(&scene, 0, 3, 0, 200, 270, 310, 8);
    assert_int_equal(cor_record_size(scene.record, COR_TABLE_REORGANIZATIONS), 1);
    scene_fini(&scene);
}

/* What fits an argument is left out. */
int main(int argc, char **argv) {
    if (argc > 1)
        cmocka_set_skip_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_clocks_without_durations_give_the_stepwise_rows),
        cmocka_unit_test(a_reorganization_spans_cases),
        cmocka_unit_test(what_is_made_at_a_tick_is_seen_behind_it),
        cmocka_unit_test(what_is_under_way_at_the_end_ends),
        cmocka_unit_test(a_failure_ends_the_sequence_when_it_is_adopted),
        cmocka_unit_test(a_slow_monitor_looks_when_its_clock_ticks),
        cmocka_unit_test(clocks_of_their_own),
        cmocka_unit_test(agents_perceive_once_a_period),
        cmocka_unit_test(a_delay_is_time_before_it_is_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
