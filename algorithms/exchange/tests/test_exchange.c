/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What agents that change places reach: never more than the optimum, which another algorithm finds, never
 * outside the limits, and never worse than where they began. */
#include "../../host/tests/tasks.h"

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
/* clang-format on */

extern const struct cor_algorithm cor_algorithm_exchange, cor_algorithm_exact;
static const struct cor_algorithm *const exchange = &cor_algorithm_exchange;
static const struct cor_algorithm *const exact = &cor_algorithm_exact;

static struct test_task task;

static void run(const struct cor_algorithm *algorithm, struct cor_outcome *outcome) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_session *session;
    const struct cor_session_definition definition = cor_default_session(algorithm);
    struct cor_rules rules = task.rules;
    struct cor_task own = task.task;
    own.rules = &rules;
    rules.parameter_count = cor_algorithm_parameter_count(algorithm);
    assert_int_equal(cor_session_create(&definition, &session, &error), COR_OK);
    assert_int_equal(cor_session_reorganize(session, &own, &task.name, outcome, &error), COR_OK);
    cor_session_destroy(session);
}

/* Root mean square of the deviations of block means from the mean of all. */
static double rms(uint32_t blocks, const uint32_t *start, const uint32_t *members) {
    double all = 0, squares = 0;
    for (uint32_t i = 0; i < task.task.agent_count; i++)
        all += task.values[i] / task.task.agent_count;
    for (uint32_t b = 0; b < blocks; b++) {
        double mean = 0;
        for (uint32_t m = start[b]; m < start[b + 1]; m++)
            mean += task.values[members[m]] / (start[b + 1] - start[b]);
        squares += (mean - all) * (mean - all);
    }
    return sqrt(squares / blocks);
}

static double rms_of(const struct cor_outcome *outcome) {
    return rms(outcome->solution.block_count, outcome->solution.start, outcome->solution.members);
}

static void assert_limits_kept(const struct cor_outcome *outcome) {
    assert_int_equal(outcome->smoke, COR_SMOKE_NONE);
    assert_true(test_is_partitioning(&outcome->solution, task.task.agent_count));
    assert_in_range(outcome->solution.block_count, task.rules.count_min, task.rules.count_max);
    for (uint32_t b = 0; b < outcome->solution.block_count; b++)
        assert_in_range(cor_lists_size(&outcome->solution, b), task.rules.size_min, task.rules.size_max);
}

static void make(uint64_t seed, uint32_t agents_most) {
    struct cor_rng rng = test_rng(seed + 7000);
    uint32_t n = 2 + cor_rng_below(&rng, agents_most - 1), k = 1 + cor_rng_below(&rng, n);
    test_make(&task, exchange, n, k, seed);
    test_recut(&task, &rng);
    test_limit(&task);
    task.rules.budget = 100000;
    test_set(&task, exchange, "start_at_current", seed % 2 == 0 ? 0 : 1);
    test_set(&task, exchange, "one_way", seed % 4 < 2 ? 0 : 1);
}

static void the_optimum_is_never_beaten_and_often_met(void **state) {
    (void)state;
    struct cor_outcome outcome;
    uint32_t met = 0;
    cor_outcome_init(&outcome);
    for (uint64_t seed = 0; seed < 400; seed++) {
        make(seed, 10);
        run(exchange, &outcome);
        assert_limits_kept(&outcome);
        double reached = rms_of(&outcome);
        task.parameters[0] = 0; /* of the exact one: rms */
        run(exact, &outcome);
        assert_limits_kept(&outcome);
        assert_true(reached >= rms_of(&outcome) - 1e-12);
        met += reached < rms_of(&outcome) + 1e-9;
    }
    assert_true(met > 100);
    cor_outcome_fini(&outcome);
}

static void limits_are_kept_whatever_the_budget(void **state) {
    (void)state;
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    for (uint64_t seed = 0; seed < 300; seed++) {
        make(seed, 60);
        task.rules.budget = 1 + seed * seed % 500;
        run(exchange, &outcome);
        assert_limits_kept(&outcome);
        assert_true(outcome.spent <= task.rules.budget);
    }
    cor_outcome_fini(&outcome);
}

/* With the present number of blocks, as one starts from them. */
static void the_present_structure_gets_no_worse(void **state) {
    (void)state;
    struct cor_outcome outcome;
    uint32_t better = 0;
    cor_outcome_init(&outcome);
    for (uint64_t seed = 0; seed < 200; seed++) {
        make(seed, 60);
        test_set(&task, exchange, "start_at_current", 1);
        double before = rms(task.task.block_count, task.start, task.members);
        run(exchange, &outcome);
        assert_int_equal(outcome.solution.block_count, task.task.block_count);
        assert_true(rms_of(&outcome) <= before + 1e-12);
        better += rms_of(&outcome) < before - 1e-3;
    }
    assert_true(better > 100);
    cor_outcome_fini(&outcome);
}

/* 0 0 | 1 1: a single change of places makes both means 1/2; then nothing is left to gain. */
static void two_pairs_of_equals_are_mixed_by_one_swap(void **state) {
    (void)state;
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    test_make(&task, exchange, 4, 2, 1);
    for (uint32_t i = 0; i < 4; i++) {
        task.members[i] = i;
        task.values[i] = i / 2;
    }
    run(exchange, &outcome);
    assert_int_equal(outcome.solution.block_count, 2);
    assert_true(rms_of(&outcome) == 0);
    assert_int_equal(outcome.spent, 5); /* one turn with a gain, then one without for each agent */
    assert_int_equal(outcome.stop, COR_STOP_DONE);
    cor_outcome_fini(&outcome);
}

/* A fixed point: no swap of two agents and no move that the limits allow brings the means closer. */
static void nothing_is_left_to_gain(void **state) {
    (void)state;
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    for (uint64_t seed = 0; seed < 100; seed++) {
        make(seed, 20);
        test_set(&task, exchange, "one_way", 0);
        run(exchange, &outcome);
        double reached = rms_of(&outcome);
        const struct cor_lists *s = &outcome.solution;
        for (uint32_t a = 0; a < s->member_count; a++)
            for (uint32_t b = a + 1; b < s->member_count; b++) {
                uint32_t held = s->members[a];
                s->members[a] = s->members[b];
                s->members[b] = held;
                assert_true(rms_of(&outcome) >= reached - 1e-7);
                s->members[b] = s->members[a];
                s->members[a] = held;
            }
    }
    cor_outcome_fini(&outcome);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_optimum_is_never_beaten_and_often_met),
        cmocka_unit_test(limits_are_kept_whatever_the_budget),
        cmocka_unit_test(the_present_structure_gets_no_worse),
        cmocka_unit_test(two_pairs_of_equals_are_mixed_by_one_swap),
        cmocka_unit_test(nothing_is_left_to_gain),
    };
    return cmocka_run_group_tests_name("exchange", tests, NULL, NULL);
}
