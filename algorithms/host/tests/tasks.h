/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For tests of algorithms: random tasks, a look at solutions, and a digest of outcomes. */
#ifndef CORRIDOR_ALGORITHMS_HOST_TESTS_TASKS_H
#define CORRIDOR_ALGORITHMS_HOST_TESTS_TASKS_H

#include <corridor/hash.h>
#include <corridor/host.h>

#include <stdlib.h>
#include <string.h>

enum { TEST_AGENTS_MAX = 1024, TEST_PARAMETERS_MAX = 64 };

/* A task with all it points to; big, so keep it static or on the heap. */
struct test_task {
    struct cor_task task;
    struct cor_rules rules;
    const double *columns[1];
    double values[TEST_AGENTS_MAX];
    double parameters[TEST_PARAMETERS_MAX];
    uint32_t members[TEST_AGENTS_MAX], start[TEST_AGENTS_MAX + 1];
    struct cor_stream_name name;
};

static inline struct cor_rng test_rng(uint64_t seed) {
    return cor_rng_named(&(struct cor_stream_name){.seed = seed, .purpose = COR_PURPOSE_TEST});
}

static inline void test_set(struct test_task *test, const struct cor_algorithm *algorithm, const char *name,
                            double value) {
    int index = cor_algorithm_parameter(algorithm, name);
    COR_ASSERT(index >= 0);
    test->parameters[index] = value;
}

/* n agents with uniform values in k blocks of about equal size, no limits, default parameters. */
static inline void test_make(struct test_task *test, const struct cor_algorithm *algorithm, uint32_t n,
                             uint32_t k, uint64_t seed) {
    struct cor_rng rng = test_rng(seed);
    memset(test, 0, sizeof *test);
    for (uint32_t i = 0; i < n; i++) {
        test->values[i] = cor_rng_unit(&rng);
        test->members[i] = i;
    }
    cor_rng_shuffle(&rng, test->members, n);
    for (uint32_t b = 0; b <= k; b++)
        test->start[b] = (uint32_t)((uint64_t)b * n / k);
    test->columns[0] = test->values;
    uint32_t count = cor_algorithm_parameter_count(algorithm);
    for (uint32_t i = 0; i < count; i++)
        test->parameters[i] = algorithm->parameters[i].value;
    test->rules = (struct cor_rules){.struct_size = sizeof test->rules,
                                     .value_count = 1,
                                     .size_min = 1,
                                     .size_max = COR_NO_LIMIT,
                                     .count_min = 1,
                                     .count_max = COR_NO_LIMIT,
                                     .parameter_count = count,
                                     .parameters = test->parameters,
                                     .threshold = 0.05,
                                     .budget = 2000};
    test->task = (struct cor_task){.struct_size = sizeof test->task,
                                   .agent_count = n,
                                   .rules = &test->rules,
                                   .values = test->columns,
                                   .block_count = k,
                                   .block_start = test->start,
                                   .members = test->members};
    test->name = (struct cor_stream_name){.seed = seed, .identity = seed + 1};
}

/* Uneven blocks: the same agents cut at random places. */
static inline void test_recut(struct test_task *test, struct cor_rng *rng) {
    uint32_t n = test->task.agent_count, b = 0;
    for (uint32_t i = 1; i < n; i++) {
        uint32_t draw = cor_rng_below(rng, n);
        if (draw < test->task.block_count)
            test->start[++b] = i;
    }
    test->start[b + 1] = n;
    test->task.block_count = b + 1;
}

/* Limits that the present structure keeps, so that a solution exists. */
static inline void test_limit(struct test_task *test) {
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t b = 0; b < test->task.block_count; b++) {
        uint32_t size = test->start[b + 1] - test->start[b];
        least = size < least ? size : least;
        most = size > most ? size : most;
    }
    test->rules.size_min = least;
    test->rules.size_max = most;
    test->rules.count_min = test->task.block_count > 1 ? test->task.block_count - 1 : 1;
    test->rules.count_max = test->task.block_count + 1;
}

/* Parameters drawn within their ranges; those that a constraint ties together (c_...) and thresholds stay. */
static inline void test_draw(struct test_task *test, const struct cor_algorithm *algorithm,
                             const char *const *names, struct cor_rng *rng) {
    for (; *names; names++) {
        int index = cor_algorithm_parameter(algorithm, *names);
        COR_ASSERT(index >= 0);
        const struct cor_parameter *parameter = &algorithm->parameters[index];
        if (parameter->is_integer) {
            int64_t drawn = cor_rng_between(rng, (int64_t)parameter->min, (int64_t)parameter->max);
            test->parameters[index] = (double)drawn;
        } else {
            double u = cor_rng_unit(rng);
            test->parameters[index] = parameter->min + u * (parameter->max - parameter->min);
        }
    }
}

/* How often agents occur: every agent of 0 .. n-1 once, and no block empty, makes a partitioning. */
struct test_occurrences {
    uint32_t missing, repeated, unknown, empty;
};

static inline struct test_occurrences test_count(const struct cor_lists *lists, uint32_t n) {
    struct test_occurrences found = {0};
    uint8_t seen[TEST_AGENTS_MAX] = {0};
    for (uint32_t i = 0; i < lists->member_count; i++) {
        uint32_t agent = lists->members[i];
        if (agent >= n)
            found.unknown++;
        else if (seen[agent] < 2)
            seen[agent]++;
    }
    for (uint32_t i = 0; i < n; i++) {
        found.missing += seen[i] == 0;
        found.repeated += seen[i] > 1;
    }
    for (uint32_t b = 0; b < lists->block_count; b++)
        found.empty += cor_lists_size(lists, b) == 0;
    return found;
}

static inline int test_is_partitioning(const struct cor_lists *lists, uint32_t n) {
    struct test_occurrences found = test_count(lists, n);
    return !found.missing && !found.repeated && !found.unknown && !found.empty && lists->member_count == n;
}

/* Largest minus smallest block mean of a partitioning. */
static inline double test_range(const struct test_task *test, const struct cor_lists *lists) {
    double least = 1e300, most = -1e300;
    for (uint32_t b = 0; b < lists->block_count; b++) {
        double sum = 0;
        for (uint32_t i = 0; i < cor_lists_size(lists, b); i++)
            sum += test->values[cor_lists_block(lists, b)[i]];
        sum /= cor_lists_size(lists, b);
        least = sum < least ? sum : least;
        most = sum > most ? sum : most;
    }
    return most - least;
}

#endif
