/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loop over hand-made worlds: what it writes into each table is known beforehand. */
#include "scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static size_t rows(const struct scene *scene, enum cor_table table) {
    return cor_record_size(scene->record, table);
}

static const struct cor_reorganization_row *reorganization(struct scene *scene, size_t index) {
    return scene_row(scene, COR_TABLE_REORGANIZATIONS, index);
}

static const struct cor_sequence_row *sequence(struct scene *scene, size_t index) {
    return scene_row(scene, COR_TABLE_SEQUENCES, index);
}

/* One case outside, answered well. 0.25 apart is inside; 0.5, by one group of the way, is the edge. */
static void an_alarm_is_answered(void **state) {
    (void)state;
    struct scene scene;
    scene_init(&scene, &scene_scripted);
    scene_sequence(&scene, "001200", "000001");
    scene_finish(&scene);
    assert_string_equal(scene_cases(&scene), "0.1 - inside - passed not_judged not_judged 0\n"
                                             "0.2 - inside - passed not_judged not_judged 0.25\n"
                                             "0.3 alarm outside reorganized passed passed passed 1\n"
                                             "0.4 - inside - passed not_judged not_judged 0\n"
                                             "0.5 - inside - passed not_judged not_judged 0\n");
    assert_string_equal(scene_violations(&scene), "");
    assert_int_equal(rows(&scene, COR_TABLE_REORGANIZATIONS), 1);
    const struct cor_reorganization_row *row = reorganization(&scene, 0);
    const struct cor_reorganization_row expected = {
        .arm = 4,
        .suite = 6,
        .case_ = 3,
        .gray = COR_VERDICT_PASSED,
        .black = COR_VERDICT_PASSED,
        .agreement = COR_VERDICT_PASSED,
        .stop = COR_STOP_DONE,
        .smoke = COR_SMOKE_NONE,
        .spent = 7,
        .partitions_before = 2,
        .partitions_after = 2,
        .moved = 4, /* of each partition, half has gone */
        .inside_after = COR_INSIDE_INSIDE,
        .dissimilarity_before = 1,
        .dissimilarity_after = 0,
    };
#define SAME(column) assert_true(row->column == expected.column)
    SAME(arm);
    SAME(suite);
    SAME(sequence);
    SAME(case_);
    SAME(gray);
    SAME(black);
    SAME(agreement);
    SAME(stop);
    SAME(smoke);
    SAME(gray_violations);
    SAME(black_violations);
    SAME(interim_looks);
    SAME(interim_failed);
    SAME(spent);
    SAME(rounds);
    SAME(messages);
    SAME(messages_lost);
    SAME(partitions_before);
    SAME(partitions_after);
    SAME(moved);
    SAME(fault_reached);
    SAME(fault_held);
    SAME(fault_activated);
    SAME(fault_in_result);
    SAME(adoption_fault);
    SAME(own_moves);
    SAME(inside_after);
    SAME(dissimilarity_before);
    SAME(dissimilarity_after);
    assert_int_equal(rows(&scene, COR_TABLE_FAILURES), 0);
    scene_fini(&scene);
}

static void on_the_edge_either_answer_is_right(void **state) {
    (void)state;
    struct scene scene;
    scene_init(&scene, &scene_scripted);
    scene.configuration->threshold = 0.25;
    scene_sequence(&scene, "01", "00");
    assert_string_equal(scene_cases(&scene), "0.1 - edge - passed not_judged not_judged 0.25\n");
    scene_fini(&scene);
}

/* SPADA's case: without limits the structure is a partitioning whatever the solution is, so only the gray box
 * sees it, and the sequence goes on. */
static void gray_failures_go_on(void **state) {
    (void)state;
    struct scene scene;
    scene_init(&scene, &scene_free);
    scene.configuration->threshold = 0.1;
    SCENE_SCRIPT(&scene, MISS, STAY, REPEAT, STAY, INVENT);
    scene_sequence(&scene, "022222222", "000000000");
    scene_finish(&scene);
    assert_string_equal(scene_cases(&scene),
                        "0.1 alarm outside reorganized passed failed passed 1\n"
                        /* 7 has stayed behind, alone: means 1/2, 2/3 and 0 */
                        "0.2 alarm outside reorganized passed passed passed 0.666667\n"
                        "0.3 alarm outside reorganized passed failed passed 1\n"
                        /* 0 was listed twice and is in the later block: means 1/3 and 3/5 */
                        "0.4 alarm outside reorganized passed passed passed 0.266667\n"
                        "0.5 alarm outside reorganized passed failed passed 1\n"
                        "0.6 - inside - passed not_judged not_judged 0\n"
                        "0.7 - inside - passed not_judged not_judged 0\n"
                        "0.8 - inside - passed not_judged not_judged 0\n");
    assert_string_equal(scene_violations(&scene), "0.1 gray agent_missing 7 - 1 0\n"
                                                  "0.3 gray agent_repeated 0 1 1 2\n"
                                                  "0.5 gray agent_unknown 99 1 8 99\n");
    assert_int_equal(sequence(&scene, 0)->executed, 8);
    const struct cor_reorganization_row *missed = reorganization(&scene, 0);
    assert_int_equal(missed->gray_violations, 1);
    assert_int_equal(missed->black_violations, 0);
    assert_int_equal(missed->agreement, COR_VERDICT_NOT_JUDGED); /* nothing was accepted */
    assert_int_equal(missed->partitions_after, 3);
    scene_fini(&scene);
}

/* The first failure of the black box ends the sequence, and only that. The walk is recorded whole. */
static void a_sequence_stops_at_its_first_black_failure(void **state) {
    (void)state;
    struct scene scene;
    scene_init(&scene, &scene_scripted);
    scene.suite.sequence_count = 3;
    SCENE_SCRIPT(&scene, GOOD, SMALL, GOOD);
    scene_sequence(&scene, "020122", "000000");
    scene_sequence(&scene, "02", "00"); /* begins anew: the second call of the script is far away */
    scene_sequence(&scene, "002022", "000020");
    scene_finish(&scene);
    assert_string_equal(scene_cases(&scene), "0.1 alarm outside reorganized passed passed passed 1\n"
                                             "0.2 - inside - passed not_judged not_judged 0\n"
                                             "0.3 - inside - passed not_judged not_judged 0\n"
                                             "0.4 - inside - passed not_judged not_judged 0\n"
                                             "0.5 - inside - passed not_judged not_judged 0\n"
                                             "1.1 alarm outside reorganized passed passed passed 1\n"
                                             "2.1 - inside - passed not_judged not_judged 0\n"
                                             "2.2 alarm outside reorganized passed passed passed 1\n"
                                             "2.3 - inside - passed not_judged not_judged 0\n"
                                             "2.4 - inside - passed not_judged not_judged 0\n"
                                             "2.5 - inside - passed not_judged not_judged 0\n");
    scene_fini(&scene);

    scene_init(&scene, &scene_scripted);
    scene.suite.sequence_count = 2;
    SCENE_SCRIPT(&scene, SMALL);
    scene_sequence(&scene, "00201", "00012");
    scene_sequence(&scene, "12", "00");
    scene_finish(&scene);
    assert_string_equal(scene_cases(&scene), "0.1 - inside - passed not_judged not_judged 0\n"
                                             "0.2 alarm outside reorganized passed failed failed 1\n"
                                             "1.1 alarm outside reorganized passed failed failed 1\n");
    assert_string_equal(scene_violations(&scene), "0.2 gray size_below_minimum - 0 2 1\n"
                                                  "0.2 black size_below_minimum - 0 2 1\n"
                                                  "1.1 gray size_below_minimum - 0 2 1\n"
                                                  "1.1 black size_below_minimum - 0 2 1\n");
    assert_int_equal(rows(&scene, COR_TABLE_SEQUENCES), 2);
    const struct cor_sequence_row *first = sequence(&scene, 0);
    assert_int_equal(first->cases, 4);
    assert_int_equal(first->executed, 2);
    assert_int_equal(first->walk_start, 0);
    const struct cor_sequence_row *second = sequence(&scene, 1);
    assert_int_equal(second->sequence, 1);
    assert_int_equal(second->cases, 1);
    assert_int_equal(second->executed, 1);
    assert_int_equal(second->walk_start, 10); /* two chains of five states each lie before it */
    scene_fini(&scene);
}

/* Alarm at case 2, reorganization two cases later, whatever alarms come or stay away in between. */
static void activation_may_be_delayed(void **state) {
    (void)state;
    struct scene scene;
    scene_init(&scene, &scene_scripted);
    scene.arm.activation_delay = 2;
    SCENE_SCRIPT(&scene, STAY);
    scene_sequence(&scene, "002202220", "000000000");
    scene_finish(&scene);
    assert_string_equal(scene_cases(&scene), "0.1 - inside - passed not_judged not_judged 0\n"
                                             "0.2 alarm outside - passed not_judged not_judged 1\n"
                                             "0.3 alarm outside - passed not_judged not_judged 1\n"
                                             "0.4 - inside reorganized passed passed passed 0\n"
                                             "0.5 alarm outside - passed not_judged not_judged 1\n"
                                             "0.6 alarm outside - passed not_judged not_judged 1\n"
                                             "0.7 alarm outside reorganized passed passed passed 1\n"
                                             "0.8 - inside - passed not_judged not_judged 0\n");
    assert_true(reorganization(&scene, 0)->dissimilarity_before == 0);
    scene_fini(&scene);
    /* The measure before a reorganization is there even where nobody looked for R-Detect. */
    scene_init(&scene, &scene_scripted);
    scene.arm.activation_delay = 1;
    scene.arm.look_every = 0;
    scene_sequence(&scene, "021", "000");
    scene_finish(&scene);
    assert_string_equal(scene_cases(&scene), "0.1 alarm outside - passed not_judged not_judged 1\n"
                                             "0.2 - not_looked reorganized not_judged passed passed 0.25\n");
    assert_true(reorganization(&scene, 0)->dissimilarity_before == 0.25);
    scene_fini(&scene);
}

/* The alarm is in every row; the oracle's own look is where it was asked to look, and at every alarm. */
static void the_oracle_looks_as_often_as_told(void **state) {
    (void)state;
    struct scene scene;
    scene_init(&scene, &scene_scripted);
    scene.arm.look_every = 0;
    scene_sequence(&scene, "00200", "00000");
    assert_string_equal(scene_cases(&scene), "0.1 - not_looked - not_judged not_judged not_judged 0\n"
                                             "0.2 alarm outside reorganized passed passed passed 1\n"
                                             "0.3 - not_looked - not_judged not_judged not_judged 0\n"
                                             "0.4 - not_looked - not_judged not_judged not_judged 0\n");
    scene_fini(&scene);
    scene_init(&scene, &scene_scripted);
    scene.arm.look_every = 3;
    scene_sequence(&scene, "02011111", "00011111");
    assert_string_equal(scene_cases(&scene), "0.1 alarm outside reorganized passed passed passed 1\n"
                                             "0.2 - not_looked - not_judged not_judged not_judged 0\n"
                                             "0.3 - inside - passed not_judged not_judged 0\n"
                                             "0.4 - not_looked - not_judged not_judged not_judged 0\n"
                                             "0.5 - not_looked - not_judged not_judged not_judged 0\n"
                                             "0.6 - inside - passed not_judged not_judged 0\n"
                                             "0.7 - not_looked - not_judged not_judged not_judged 0\n");
    scene_fini(&scene);
}

static void smoke_stops_without_adoption(void **state) {
    (void)state;
    struct scene scene;
    scene_init(&scene, &scene_scripted);
    SCENE_SCRIPT(&scene, COMPLAIN);
    scene_sequence(&scene, "0222", "0000");
    scene_finish(&scene);
    assert_string_equal(scene_cases(&scene), "0.1 alarm outside reorganized passed smoke smoke 1\n");
    const struct cor_reorganization_row *row = reorganization(&scene, 0);
    assert_int_equal(row->smoke, COR_SMOKE_COMPLAINED);
    assert_int_equal(row->stop, COR_STOP_FAILED);
    assert_int_equal(row->agreement, COR_VERDICT_NOT_JUDGED);
    assert_int_equal(row->inside_after, COR_INSIDE_NOT_LOOKED);
    assert_int_equal(row->partitions_after, 2);
    assert_true(isnan(row->dissimilarity_after));
    const struct cor_failure_row *failure = scene_row(&scene, COR_TABLE_FAILURES, 0);
    assert_int_equal(failure->gray, COR_VERDICT_SMOKE);
    assert_int_equal(failure->blocks, 0);
    assert_int_equal(failure->labels, SCENE_AGENTS);
    scene_fini(&scene);
}

static void interim_solutions_are_judged_not_adopted(void **state) {
    (void)state;
    struct scene scene;
    struct cor_error error = COR_NO_ERROR;
    scene_init(&scene, &scene_anytime);
    struct cor_session_definition definition = cor_default_session(&scene_anytime);
    definition.interim_units = 2;
    assert_int_equal(cor_session_create(&definition, &scene.session, &error), COR_OK);
    scene_sequence(&scene, "02", "00");
    scene_finish(&scene);
    assert_string_equal(scene_cases(&scene), "0.1 alarm outside reorganized passed passed passed 1\n");
    assert_string_equal(scene_violations(&scene), "0.1 interim agent_missing 7 - 1 0\n");
    const struct cor_reorganization_row *row = reorganization(&scene, 0);
    assert_int_equal(row->interim_looks, 2); /* after two units and after four; after six it is done */
    assert_int_equal(row->interim_failed, 1);
    assert_int_equal(row->spent, 6);
    assert_int_equal(row->gray_violations, 0);
    scene_fini(&scene);
}

/* A fault's life: four counters, and a row with the solution even when the boxes see nothing. */
static void an_activated_fault_is_kept(void **state) {
    (void)state;
    static const uint32_t expected[3][4] = {{2, 1, 1, 0}, {3, 2, 1, 1}, {1, 0, 0, 0}};
    struct scene scene;
    scene_init(&scene, &scene_free);
    scene.configuration->threshold = 0.1;
    scene.arm.fault = 1;
    SCENE_SCRIPT(&scene, STAY, MISS, GOOD);
    scene_sequence(&scene, "02222", "00000");
    scene_finish(&scene);
    assert_string_equal(scene_cases(&scene), "0.1 alarm outside reorganized passed passed passed 1\n"
                                             "0.2 alarm outside reorganized passed failed passed 1\n"
                                             "0.3 alarm outside reorganized passed passed passed 0.666667\n"
                                             "0.4 - inside - passed not_judged not_judged 0\n");
    for (size_t i = 0; i < 3; i++) {
        const struct cor_reorganization_row *row = reorganization(&scene, i);
        assert_int_equal(row->fault_reached, expected[i][0]);
        assert_int_equal(row->fault_held, expected[i][1]);
        assert_int_equal(row->fault_activated, expected[i][2]);
        assert_int_equal(row->fault_in_result, expected[i][3]);
    }
    assert_int_equal(rows(&scene, COR_TABLE_FAILURES), 2);
    const struct cor_failure_row *masked = scene_row(&scene, COR_TABLE_FAILURES, 0);
    assert_int_equal(masked->case_, 1);
    assert_int_equal(masked->gray, COR_VERDICT_PASSED);
    scene_fini(&scene);
}

static void the_algorithm_may_distribute_itself(void **state) {
    (void)state;
    struct scene scene;
    scene_init(&scene, &scene_mover);
    scene_sequence(&scene, "022", "000");
    scene_finish(&scene);
    assert_string_equal(scene_cases(&scene), "0.1 alarm outside reorganized passed passed passed 1\n"
                                             "0.2 - inside - passed not_judged not_judged 0.266667\n");
    assert_string_equal(scene_violations(&scene), "0.1 black structure_differs 0 1 0 1\n");
    assert_int_equal(reorganization(&scene, 0)->agreement, COR_VERDICT_FAILED);
    assert_int_equal(reorganization(&scene, 0)->own_moves, 1);
    assert_int_equal(reorganization(&scene, 0)->adoption_fault, 0);
    assert_int_equal(rows(&scene, COR_TABLE_FAILURES), 1);
    scene_fini(&scene);
}

static void assert_vector(struct scene *scene, enum cor_vector vector, uint64_t start,
                          const uint32_t *expected, size_t count) {
    size_t size;
    const uint32_t *items = scene_items(scene, vector, &size);
    assert_true(start + count <= size);
    assert_memory_equal(items + start, expected, count * sizeof *expected);
}

static void failures_hold_structure_and_solution(void **state) {
    (void)state;
    struct scene scene;
    scene_init(&scene, &scene_free);
    scene.configuration->threshold = 0.1;
    scene.log_solutions = true;
    SCENE_SCRIPT(&scene, INVENT, EMPTY);
    scene_sequence(&scene, "0221", "0002");
    scene_finish(&scene);
    assert_string_equal(scene_cases(&scene), "0.1 alarm outside reorganized passed failed passed 1\n"
                                             "0.2 - inside - passed not_judged not_judged 0\n"
                                             "0.3 - inside - passed not_judged not_judged 0\n");
    assert_int_equal(rows(&scene, COR_TABLE_FAILURES), 1);
    const struct cor_failure_row *row = scene_row(&scene, COR_TABLE_FAILURES, 0);
    assert_int_equal(row->case_, 1);
    assert_int_equal(row->gray, COR_VERDICT_FAILED);
    assert_int_equal(row->black, COR_VERDICT_PASSED);
    assert_int_equal(row->blocks, 2);
    assert_int_equal(row->members, 9);
    assert_int_equal(row->labels, SCENE_AGENTS);
    assert_vector(&scene, COR_VECTOR_SOLUTION_BLOCK_SIZE, row->block_start, (const uint32_t[]){4, 5}, 2);
    assert_vector(&scene, COR_VECTOR_SOLUTION_MEMBER, row->member_start,
                  (const uint32_t[]){0, 1, 4, 5, 2, 3, 6, 7, 99}, 9);
    assert_vector(&scene, COR_VECTOR_STRUCTURE, row->structure_start,
                  (const uint32_t[]){0, 0, 0, 0, 1, 1, 1, 1}, 8);
    scene_fini(&scene);
}

/* Passed reorganizations are kept too when all solutions are logged, with the structure they found. */
static void all_solutions_can_be_logged(void **state) {
    (void)state;
    for (int log = 0; log <= 1; log++) {
        struct scene scene;
        scene_init(&scene, &scene_scripted);
        scene.log_solutions = log != 0;
        SCENE_SCRIPT(&scene, GOOD, STAY);
        scene_sequence(&scene, "020", "000");
        scene_sequence(&scene, "02", "00");
        scene_finish(&scene);
        assert_int_equal(rows(&scene, COR_TABLE_REORGANIZATIONS), 2);
        assert_int_equal(rows(&scene, COR_TABLE_FAILURES), log ? 2 : 0);
        if (log) {
            const struct cor_failure_row *row = scene_row(&scene, COR_TABLE_FAILURES, 1);
            assert_int_equal(row->sequence, 1);
            assert_int_equal(row->gray, COR_VERDICT_PASSED);
            assert_int_equal(row->block_start, 2);
            assert_int_equal(row->structure_start, 8);
        }
        scene_fini(&scene);
    }
}

static uint64_t count_of(struct scene *scene, enum cor_table table, uint32_t from, uint32_t to) {
    for (size_t i = 0; i < rows(scene, table); i++) {
        if (table == COR_TABLE_VISITS) {
            const struct cor_visit_row *row = scene_row(scene, table, i);
            if (row->state == from)
                return row->count;
        } else {
            const struct cor_transition_row *row = scene_row(scene, table, i);
            if (row->from == from && row->to == to)
                return row->count;
        }
    }
    return UINT64_MAX; /* no such row */
}

/* Coverage is over what was generated: also where the black box had stopped the execution. */
static void walks_are_counted_whole(void **state) {
    (void)state;
    struct scene scene;
    scene_init(&scene, &scene_scripted);
    SCENE_SCRIPT(&scene, SMALL);
    scene_sequence(&scene, "02211", "00112"); /* stops at case 1 */
    scene_sequence(&scene, "01", "12");
    scene_finish(&scene);
    assert_int_equal(sequence(&scene, 0)->executed, 1);
    const uint8_t expected[] = {0, 2, 2, 1, 1, 0, 0, 1, 1, 2, 0, 1, 1, 2};
    size_t size;
    const uint8_t *walks = scene_items(&scene, COR_VECTOR_WALK, &size);
    assert_int_equal(size, sizeof expected);
    assert_memory_equal(walks, expected, sizeof expected);
    assert_int_equal(rows(&scene, COR_TABLE_VISITS), 3);
    assert_int_equal(count_of(&scene, COR_TABLE_VISITS, 0, 0), 4);
    assert_int_equal(count_of(&scene, COR_TABLE_VISITS, 1, 0), 6);
    assert_int_equal(count_of(&scene, COR_TABLE_VISITS, 2, 0), 4);
    assert_int_equal(count_of(&scene, COR_TABLE_TRANSITIONS, 0, 0), 1);
    assert_int_equal(count_of(&scene, COR_TABLE_TRANSITIONS, 0, 1), 2);
    assert_int_equal(count_of(&scene, COR_TABLE_TRANSITIONS, 0, 2), 1); /* not in the profile, but taken */
    assert_int_equal(count_of(&scene, COR_TABLE_TRANSITIONS, 1, 0), 0); /* in the profile, not taken */
    assert_int_equal(count_of(&scene, COR_TABLE_TRANSITIONS, 1, 1), 2);
    assert_int_equal(count_of(&scene, COR_TABLE_TRANSITIONS, 1, 2), 2);
    assert_int_equal(count_of(&scene, COR_TABLE_TRANSITIONS, 2, 0), UINT64_MAX); /* neither */
    assert_int_equal(count_of(&scene, COR_TABLE_TRANSITIONS, 2, 1), 1);
    assert_int_equal(count_of(&scene, COR_TABLE_TRANSITIONS, 2, 2), 1);
    scene_fini(&scene);
}

/* A walk longer than the buffer it is turned round in. */
static void long_walks_are_kept_chain_after_chain(void **state) {
    (void)state;
    enum { CASES = 3000 };
    struct scene scene;
    char first[CASES + 2], second[CASES + 2];
    for (size_t i = 0; i <= CASES; i++) {
        first[i] = (char)('0' + (i * i / 7) % 2);
        second[i] = (char)('0' + (i / 3) % 2);
    }
    first[CASES + 1] = second[CASES + 1] = '\0';
    scene_init(&scene, &scene_scripted);
    scene_sequence(&scene, first, second);
    scene_finish(&scene);
    size_t size;
    const uint8_t *walk = scene_items(&scene, COR_VECTOR_WALK, &size);
    assert_int_equal(size, 2 * (CASES + 1));
    for (size_t i = 0; i <= CASES; i++) {
        assert_int_equal(walk[i], first[i] - '0');
        assert_int_equal(walk[CASES + 1 + i], second[i] - '0');
    }
    assert_int_equal(rows(&scene, COR_TABLE_CASES), CASES);
    scene_fini(&scene);
}

/* Counters are the suite's: a session that served another suite before begins at 0; and each sequence's. */
static void counters_are_the_suites_own(void **state) {
    (void)state;
    struct scene scene;
    scene_init(&scene, &scene_free);
    scene.configuration->threshold = 0.1;
    scene.arm.first_counter_code = 11;
    SCENE_SCRIPT(&scene, MISS, STAY, GOOD);
    for (int suite = 0; suite < 2; suite++) {
        scene.sequences = 0;
        scene_sequence(&scene, "0222", "0000");
        scene_sequence(&scene, "0222", "0000");
        const uint32_t *start;
        const uint64_t *of_sequence = cor_runner_counters(scene.runner, &start);
        assert_int_equal(of_sequence[start[0]], 3);
        for (uint32_t deed = 0; deed < SCENE_DEED_COUNT; deed++)
            assert_int_equal(of_sequence[start[1] + deed], deed == MISS || deed == STAY || deed == GOOD);
        scene_finish(&scene);
        assert_int_equal(rows(&scene, COR_TABLE_COUNTERS), 1 + SCENE_DEED_COUNT);
        const struct cor_counter_row *calls = scene_row(&scene, COR_TABLE_COUNTERS, 0);
        assert_int_equal(calls->counter, 11);
        assert_int_equal(calls->count, 6);
        for (uint16_t deed = 0; deed < SCENE_DEED_COUNT; deed++) {
            const struct cor_counter_row *row = scene_row(&scene, COR_TABLE_COUNTERS, 1u + deed);
            assert_int_equal(row->counter, 12);
            assert_int_equal(row->bucket, deed);
            assert_int_equal(row->count, deed == MISS || deed == STAY || deed == GOOD ? 2 : 0);
        }
    }
    scene_fini(&scene);
}

static void the_configuration_is_written_down(void **state) {
    (void)state;
    struct scene scene;
    scene_init(&scene, &scene_scripted);
    static uint16_t codes[] = {9, 3};
    static double values[] = {0.5, 12};
    scene.environment[0] = 2;
    scene.arm.parameter_codes = codes;
    scene.suite.parameters = values;
    scene.arm.parameter_count = 2;
    scene.suite.attempts = 17;
    scene.suite.fallback = true;
    scene.suite.sequence_count = 3;
    scene_sequence(&scene, "0", "0"); /* no case at all is a sequence, too */
    assert_int_equal(rows(&scene, COR_TABLE_SUITES), 1);
    const struct cor_suite_row *suite = scene_row(&scene, COR_TABLE_SUITES, 0);
    assert_int_equal(suite->arm, 4);
    assert_int_equal(suite->suite, 6);
    assert_int_equal(suite->agents, 8);
    assert_int_equal(suite->groups, 2);
    assert_int_equal(suite->chains, 2);
    assert_int_equal(suite->sequences, 3);
    assert_int_equal(suite->size_min, 2);
    assert_int_equal(suite->size_max, 5);
    assert_int_equal(suite->count_min, 2);
    assert_int_equal(suite->count_max, 3);
    assert_int_equal(suite->limits_judged, 1);
    assert_int_equal(suite->measure, COR_MEASURE_RANGE);
    assert_true(suite->threshold == 0.5 && suite->pilot_rate == 0.25);
    assert_int_equal(suite->attempts, 17);
    assert_int_equal(suite->fallback, 1);
    assert_true(suite->configuration_hash == cor_configuration_hash(scene.configuration));
    for (uint32_t i = 0; i < 2; i++) {
        const struct cor_parameter_row *parameter = scene_row(&scene, COR_TABLE_PARAMETERS, i);
        assert_int_equal(parameter->parameter, codes[i]);
        assert_true(parameter->value == values[i]);
        const struct cor_group_row *group = scene_row(&scene, COR_TABLE_GROUPS, i);
        assert_int_equal(group->group, i);
        assert_int_equal(group->size, 4);
        assert_int_equal(group->chain, i);
        const struct cor_chain_row *chain = scene_row(&scene, COR_TABLE_CHAINS, i);
        assert_int_equal(chain->chain, i);
        assert_int_equal(chain->profile, 0);
        assert_int_equal(chain->location, i);
    }
    assert_int_equal(rows(&scene, COR_TABLE_AGENTS), 8);
    for (uint32_t i = 0; i < 8; i++) {
        const struct cor_agent_row *agent = scene_row(&scene, COR_TABLE_AGENTS, i);
        assert_int_equal(agent->agent, i);
        assert_int_equal(agent->group, i / 4);
        assert_int_equal(agent->partition, i / 4);
        assert_true(agent->inertia == 1 && agent->value == 0);
    }
    assert_int_equal(rows(&scene, COR_TABLE_PROFILES), 1);
    const struct cor_profile_row *profile = scene_row(&scene, COR_TABLE_PROFILES, 0);
    assert_int_equal(profile->environment, 2);
    assert_int_equal(profile->states, 3);
    assert_int_equal(profile->arcs, 7);
    scene_fini(&scene);
}

/* The same suite twice, by the same session, is the same to the byte: rows, counts, state hashes. */
static void a_suite_repeats_itself(void **state) {
    (void)state;
    static uint8_t before[COR_TABLE_COUNT][8192];
    size_t sizes[COR_TABLE_COUNT];
    struct scene scene;
    scene_init(&scene, &scene_free);
    scene.configuration->idle_ratio = 0.3;
    scene.configuration->adoption =
        (struct cor_adoption_definition){.fault = COR_ADOPTION_FAULT_MISDIRECTED, .probability = 0.2};
    SCENE_SCRIPT(&scene, MISS, STAY);
    for (int time = 0; time < 2; time++) {
        scene.sequences = 0;
        scene_sequence(&scene, "020212021", "002100120");
        scene_sequence(&scene, "012010212", "202010120");
        scene_finish(&scene);
        for (enum cor_table t = 0; t < COR_TABLE_COUNT; t++) {
            size_t count = rows(&scene, t), bytes = count * cor_schema(t)->row_size;
            assert_true(bytes <= sizeof before[t]);
            if (time == 0)
                sizes[t] = count;
            assert_int_equal(count, sizes[t]);
            for (size_t i = 0; i < count; i++) {
                uint8_t *kept = before[t] + i * cor_schema(t)->row_size;
                if (time == 0)
                    memcpy(kept, scene_row(&scene, t, i), cor_schema(t)->row_size);
                else
                    assert_memory_equal(scene_row(&scene, t, i), kept, cor_schema(t)->row_size);
            }
        }
    }
    assert_true(sequence(&scene, 0)->state_hash != sequence(&scene, 1)->state_hash);
    scene_fini(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_alarm_is_answered),
        cmocka_unit_test(on_the_edge_either_answer_is_right),
        cmocka_unit_test(gray_failures_go_on),
        cmocka_unit_test(a_sequence_stops_at_its_first_black_failure),
        cmocka_unit_test(activation_may_be_delayed),
        cmocka_unit_test(the_oracle_looks_as_often_as_told),
        cmocka_unit_test(smoke_stops_without_adoption),
        cmocka_unit_test(interim_solutions_are_judged_not_adopted),
        cmocka_unit_test(an_activated_fault_is_kept),
        cmocka_unit_test(the_algorithm_may_distribute_itself),
        cmocka_unit_test(failures_hold_structure_and_solution),
        cmocka_unit_test(all_solutions_can_be_logged),
        cmocka_unit_test(walks_are_counted_whole),
        cmocka_unit_test(long_walks_are_kept_chain_after_chain),
        cmocka_unit_test(counters_are_the_suites_own),
        cmocka_unit_test(the_configuration_is_written_down),
        cmocka_unit_test(a_suite_repeats_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
