/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The optimum against all partitionings there are, listed by a search that shares nothing with it. */
#include "../../host/tests/tasks.h"

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
/* clang-format on */

extern const struct cor_algorithm cor_algorithm_exact;
static const struct cor_algorithm *const exact = &cor_algorithm_exact;

static struct test_task task;

/* All partitionings of the agents of `task`, one after another, as restricted growth strings. */
struct listing {
    uint32_t label[16], size[16], found;
    double least_rms, least_deviation, least_range;
};

static void judge(struct listing *listing, uint32_t blocks) {
    uint32_t n = task.task.agent_count;
    double sum[16] = {0}, all = 0, squares = 0, most = 0, low = INFINITY, high = -INFINITY;
    if (blocks < task.rules.count_min || blocks > task.rules.count_max)
        return;
    for (uint32_t b = 0; b < blocks; b++)
        if (listing->size[b] < task.rules.size_min || listing->size[b] > task.rules.size_max)
            return;
    for (uint32_t i = 0; i < n; i++) {
        sum[listing->label[i]] += task.values[i];
        all += task.values[i] / n;
    }
    for (uint32_t b = 0; b < blocks; b++) {
        double deviation = sum[b] / listing->size[b] - all;
        squares += deviation * deviation;
        most = fabs(deviation) > most ? fabs(deviation) : most;
        low = fmin(low, deviation);
        high = fmax(high, deviation);
    }
    listing->found++;
    listing->least_range = fmin(listing->least_range, high - low);
    listing->least_rms = fmin(listing->least_rms, sqrt(squares / blocks));
    listing->least_deviation = fmin(listing->least_deviation, most);
}

static void list_from(struct listing *listing, uint32_t agent, uint32_t blocks) {
    if (agent == task.task.agent_count) {
        judge(listing, blocks);
        return;
    }
    for (uint32_t b = 0; b <= blocks; b++) {
        listing->label[agent] = b;
        listing->size[b]++;
        list_from(listing, agent + 1, b == blocks ? blocks + 1 : blocks);
        listing->size[b]--;
    }
}

static struct listing list_all(void) {
    struct listing listing = {.least_rms = INFINITY, .least_deviation = INFINITY, .least_range = INFINITY};
    list_from(&listing, 0, 0);
    return listing;
}

static void run(struct cor_outcome *outcome) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_session *session;
    const struct cor_session_definition definition = cor_default_session(exact);
    assert_int_equal(cor_session_create(&definition, &session, &error), COR_OK);
    assert_int_equal(cor_session_reorganize(session, &task.task, &task.name, outcome, &error), COR_OK);
    cor_session_destroy(session);
}

/* Of a solution: root mean square, largest and range of the deviations of block means from the mean of all.
 */
static double measure_of(const struct cor_lists *solution, int measure) {
    double all = 0, squares = 0, most = 0, low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < task.task.agent_count; i++)
        all += task.values[i] / task.task.agent_count;
    for (uint32_t b = 0; b < solution->block_count; b++) {
        double mean = 0;
        for (uint32_t m = 0; m < cor_lists_size(solution, b); m++)
            mean += task.values[cor_lists_block(solution, b)[m]] / cor_lists_size(solution, b);
        squares += (mean - all) * (mean - all);
        most = fmax(most, fabs(mean - all));
        low = fmin(low, mean);
        high = fmax(high, mean);
    }
    return measure == 2 ? high - low : measure == 1 ? most : sqrt(squares / solution->block_count);
}

static void make(uint32_t n, uint32_t size_min, uint32_t size_max, uint32_t count_min, uint32_t count_max,
                 uint64_t seed) {
    test_make(&task, exact, n, 1, seed);
    task.rules.size_min = size_min;
    task.rules.size_max = size_max;
    task.rules.count_min = count_min;
    task.rules.count_max = count_max;
}

/* The numbers are known from the recurrence N(n, k) = sum over s of C(n-1, s-1) N(n-s, k-1). */
static void the_listing_is_complete(void **state) {
    (void)state;
    static const uint32_t known[][6] = {
        {6, 2, 3, 2, 3, 25}, {8, 2, 4, 2, 4, 630}, {10, 2, 5, 1, 5, 16716}, {8, 1, 8, 1, 8, 4140}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        make(known[i][0], known[i][1], known[i][2], known[i][3], known[i][4], i);
        assert_int_equal(list_all().found, known[i][5]);
    }
}

static void no_partitioning_within_the_limits_is_better(void **state) {
    (void)state;
    struct cor_outcome outcome;
    uint32_t possible = 0;
    cor_outcome_init(&outcome);
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct cor_rng rng = test_rng(seed);
        uint32_t n = 1 + cor_rng_below(&rng, 9), size_min = 1 + cor_rng_below(&rng, 3);
        uint32_t size_max = size_min + cor_rng_below(&rng, n), count_min = 1 + cor_rng_below(&rng, 3);
        make(n, size_min, size_max, count_min, count_min + cor_rng_below(&rng, n), seed);
        const struct listing listing = list_all();
        for (int measure = 0; measure <= 2; measure++) {
            const double least = measure == 2   ? listing.least_range
                                 : measure == 1 ? listing.least_deviation
                                                : listing.least_rms;
            test_set(&task, exact, "measure", measure);
            run(&outcome);
            assert_int_equal(outcome.smoke, listing.found > 0 ? COR_SMOKE_NONE : COR_SMOKE_COMPLAINED);
            if (listing.found == 0)
                continue;
            assert_true(test_is_partitioning(&outcome.solution, n));
            assert_in_range(outcome.solution.block_count, task.rules.count_min, task.rules.count_max);
            for (uint32_t b = 0; b < outcome.solution.block_count; b++)
                assert_in_range(cor_lists_size(&outcome.solution, b), size_min, size_max);
            assert_true(fabs(measure_of(&outcome.solution, measure) - least) < 1e-12);
            possible++;
        }
    }
    assert_true(possible > 200);
    cor_outcome_fini(&outcome);
}

/* 0 5 1 4 2 3: pairs that add up to 5 are the only optimum of three blocks of two. */
static void pairs_of_equal_sum_are_found(void **state) {
    (void)state;
    static const double values[] = {0, 0.5, 0.1, 0.4, 0.2, 0.3};
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    make(6, 2, 2, 3, 3, 1);
    memcpy(task.values, values, sizeof values);
    run(&outcome);
    assert_int_equal(outcome.solution.block_count, 3);
    for (uint32_t b = 0; b < 3; b++) {
        const uint32_t *pair = cor_lists_block(&outcome.solution, b);
        assert_int_equal(pair[0] / 2, pair[1] / 2);
        assert_int_equal(pair[0] + 1, pair[1]);
    }
    cor_outcome_fini(&outcome);
}

/* Equal agents, so that every partitioning is best: 18 go, 19 are refused in words. */
static void up_to_eighteen_agents(void **state) {
    (void)state;
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    for (uint32_t n = 18; n <= 19; n++) {
        make(n, 6, 6, 3, 3, 1);
        for (uint32_t i = 0; i < n; i++)
            task.values[i] = 0.5;
        run(&outcome);
        assert_int_equal(outcome.smoke, n == 18 ? COR_SMOKE_NONE : COR_SMOKE_COMPLAINED);
        assert_int_equal(test_is_partitioning(&outcome.solution, n), n == 18);
    }
    assert_string_equal(outcome.complaint, "too many agents: an exact optimum is found for up to 18");
    for (uint32_t n = 12; n <= 13; n++) {
        make(n, 4, 5, 3, 3, 1);
        test_set(&task, exact, "measure", 2);
        run(&outcome);
        assert_int_equal(outcome.smoke, n == 12 ? COR_SMOKE_NONE : COR_SMOKE_COMPLAINED);
    }
    assert_string_equal(outcome.complaint, "too many agents: the optimum of what is no sum, mean "
                                           "or maximum over partitions is found for up to 12");
    cor_outcome_fini(&outcome);
}

/* Values whose squares are no numbers have no optimum: refused in words, not answered with empty blocks. */
static void values_too_large_to_square_are_refused(void **state) {
    (void)state;
    static const double huge[] = {1e100, 1.7e308, (double)INFINITY, (double)NAN};
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    for (size_t i = 0; i < sizeof huge / sizeof *huge; i++) {
        make(4, 1, 3, 2, 2, 1);
        for (uint32_t agent = 0; agent < 4; agent++)
            task.values[agent] = agent == 0 ? huge[i] : agent == 1 ? -huge[i] : 0.5;
        run(&outcome);
        if (outcome.smoke == COR_SMOKE_NONE)
            assert_true(test_is_partitioning(&outcome.solution, 4));
        else
            assert_string_equal(outcome.complaint,
                                "no optimum: the squares of the values are no finite numbers");
        assert_int_equal(outcome.smoke == COR_SMOKE_NONE, isfinite(huge[i])); /* 1.7e308 - 1.7e308 is 0 */
    }
    make(4, 1, 3, 2, 2, 1);
    for (uint32_t agent = 0; agent < 4; agent++)
        task.values[agent] = 1.7e308;
    run(&outcome);
    assert_int_equal(outcome.smoke, COR_SMOKE_COMPLAINED);
    cor_outcome_fini(&outcome);
}

/* What is unknown is worse than any number, so where no partitioning has one each is best: none is refused,
 * and one that has a number is found beside those that have none. Every way in which a whole is put together.
 */
static void an_objective_that_is_not_known_is_no_failure(void **state) {
    (void)state;
    static const uint32_t wholes[] = {COR_OBJECTIVE_SUM_OF, COR_OBJECTIVE_MEAN_OF, COR_OBJECTIVE_GREATEST_OF,
                                      COR_OBJECTIVE_LEAST_OF};
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    for (uint64_t seed = 0; seed < 60; seed++) {
        /* 1 over the size less 3 of each block: unknown for one of three. */
        struct cor_objective_step steps[] = {
            {COR_OBJECTIVE_CONSTANT, 0, 0, 0, 0, COR_OBJECTIVE_NO_FILTER, 1},
            {COR_OBJECTIVE_CONSTANT, 0, 0, 0, 0, COR_OBJECTIVE_NO_FILTER, 3},
            {COR_OBJECTIVE_COUNT, 1, 0, 0, 0, COR_OBJECTIVE_NO_FILTER, 0},
            {COR_OBJECTIVE_SUBTRACT, 1, 2, 1, 0, COR_OBJECTIVE_NO_FILTER, 0},
            {COR_OBJECTIVE_DIVIDE, 1, 0, 3, 0, COR_OBJECTIVE_NO_FILTER, 0},
            {wholes[seed % 4], 0, COR_NO_BLOCK, 4, 0, COR_OBJECTIVE_NO_FILTER, 0}};
        const struct cor_objective objective = {sizeof steps / sizeof *steps, 0, steps, NULL};
        const bool is_unknown = seed % 3 == 0;
        struct cor_rng rng = test_rng(seed);
        if (is_unknown) /* blocks of 3 alone */
            make(3 + 3 * cor_rng_below(&rng, 3), seed % 2 ? 0 : 3, 3, 1, 12, seed);
        else
            make(6, 2, 4, 2, 3, seed); /* 3 and 3 have no number, 2 and 4, 2 and 2 and 2 do */
        steps[1].constant = is_unknown && seed % 2 ? (double)NAN : 3;
        task.task.objective = &objective;
        run(&outcome);
        assert_int_equal(outcome.smoke, COR_SMOKE_NONE);
        assert_true(test_is_partitioning(&outcome.solution, task.task.agent_count));
        assert_in_range(outcome.solution.block_count, task.rules.count_min, task.rules.count_max);
        for (uint32_t b = 0; b < outcome.solution.block_count; b++) {
            const uint32_t size = cor_lists_size(&outcome.solution, b);
            assert_in_range(size, task.rules.size_min > 0 ? task.rules.size_min : 1, task.rules.size_max);
            assert_true(is_unknown || size != 3);
        }
    }
    task.task.objective = NULL;
    cor_outcome_fini(&outcome);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_listing_is_complete),
        cmocka_unit_test(no_partitioning_within_the_limits_is_better),
        cmocka_unit_test(pairs_of_equal_sum_are_found),
        cmocka_unit_test(up_to_eighteen_agents),
        cmocka_unit_test(values_too_large_to_square_are_refused),
        cmocka_unit_test(an_objective_that_is_not_known_is_no_failure),
    };
    return cmocka_run_group_tests_name("exact", tests, NULL, NULL);
}
