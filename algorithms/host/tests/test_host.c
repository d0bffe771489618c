/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contract of plugin.h, held against every algorithm in the registry and every fault of it: who adds an
 * algorithm is tested here without writing a line.
 *
 * test_host digest: prints one word over many reorganizations of all algorithms; the test starts itself so,
 * twice. */
#include "session.h"
#include "tests/tasks.h"

#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct test_task task; /* big */
static const char *own_path;
static struct cor_registry *registry;

/* The largest budget that keeps this test quick, in whatever unit the algorithm counts. */
#define BUDGET 400u

/* Agents at most in a task: all algorithms take any number, but for one that says so. */
static uint32_t agents_most(const struct cor_algorithm *algorithm, uint64_t seed) {
    if (strcmp(algorithm->name, "exact") == 0)
        return 10;
    return seed % 10 == 0 ? 300 : 40;
}

/* A random task for `algorithm`: uneven blocks, limits that the present structure keeps. */
static void make_task(const struct cor_algorithm *algorithm, uint64_t seed, uint32_t fault) {
    struct cor_rng rng = test_rng(seed + 1000);
    uint32_t n = 1 + cor_rng_below(&rng, agents_most(algorithm, seed));
    uint32_t k = 1 + cor_rng_below(&rng, n);
    test_make(&task, algorithm, n, k, seed);
    test_recut(&task, &rng);
    test_limit(&task);
    task.rules.budget = BUDGET;
    task.rules.fault = fault;
}

static struct cor_session *open_session(const struct cor_session_definition *definition) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_session *session;
    assert_int_equal(cor_session_create(definition, &session, &error), COR_OK);
    return session;
}

static uint64_t run(struct cor_session *session, struct cor_outcome *outcome) {
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_session_reorganize(session, &task.task, &task.name, outcome, &error), COR_OK);
    return cor_outcome_digest(outcome);
}

/* One reorganization in a session of its own. */
static uint64_t run_fresh(const struct cor_session_definition *definition, struct cor_outcome *outcome) {
    struct cor_session *session = open_session(definition);
    cor_session_restart(session);
    uint64_t digest = run(session, outcome);
    cor_session_destroy(session);
    return digest;
}

/* Calls `check` for every algorithm and every fault of it, none included. */
static void for_each(void (*check)(const struct cor_algorithm *algorithm, uint32_t fault)) {
    for (uint32_t i = 0; i < cor_registry_size(registry); i++) {
        const struct cor_algorithm *algorithm = cor_registry_at(registry, i);
        for (uint32_t fault = 0; fault <= cor_algorithm_fault_count(algorithm); fault++)
            check(algorithm, fault);
    }
}

static const struct cor_mail_schedule schedules[] = {
    {.mode = COR_MAIL_IN_ORDER},
    {.mode = COR_MAIL_SHUFFLED},
    {.mode = COR_MAIL_DELAYED, .delay_max = 5},
    {.mode = COR_MAIL_LOSSY, .loss_ratio = 0.05},
    {.mode = COR_MAIL_DUPLICATED, .duplicate_ratio = 0.05},
    {.mode = COR_MAIL_PCT, .depth = 3, .messages = 100},
    {.mode = COR_MAIL_BOUNDED, .bound = 3, .messages = 100, .index = -1},
    {.mode = COR_MAIL_RECORDED}};

/* How many of them differ for an algorithm. */
static size_t schedule_count(const struct cor_algorithm *algorithm) {
    return algorithm->wake ? sizeof schedules / sizeof *schedules : 1;
}

/* A warm session, used for other tasks in between, gives what a fresh one gives. */
static void same_name_same_outcome(const struct cor_algorithm *algorithm, uint32_t fault) {
    struct cor_session_definition definition = cor_default_session(algorithm);
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    for (size_t s = 0; s < schedule_count(algorithm); s++) {
        definition.mail = schedules[s];
        struct cor_session *warm = open_session(&definition);
        for (uint64_t seed = 0; seed < 12; seed++) {
            make_task(algorithm, seed, fault);
            cor_session_restart(warm);
            uint64_t first = run(warm, &outcome);
            struct cor_fault_counts counts = outcome.fault;
            assert_true(run_fresh(&definition, &outcome) == first);
            assert_memory_equal(&outcome.fault, &counts, sizeof counts);
        }
        cor_session_destroy(warm);
    }
    cor_outcome_fini(&outcome);
}

static void outcomes_are_functions_of_the_name(void **state) {
    (void)state;
    for_each(same_name_same_outcome);
}

static void steps_do_not_show(const struct cor_algorithm *algorithm, uint32_t fault) {
    static const uint64_t slices[] = {1, 7, 64, 399};
    struct cor_session_definition definition = cor_default_session(algorithm);
    struct cor_session *session = open_session(&definition);
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    for (uint64_t seed = 0; algorithm->step && seed < 12; seed++) {
        make_task(algorithm, seed, fault);
        cor_session_restart(session);
        session->slice_units = UINT64_MAX;
        uint64_t whole = run(session, &outcome);
        for (size_t i = 0; i < sizeof slices / sizeof *slices; i++) {
            cor_session_restart(session);
            session->slice_units = slices[i];
            assert_true(run(session, &outcome) == whole);
        }
    }
    cor_outcome_fini(&outcome);
    cor_session_destroy(session);
}

static void step_size_is_invisible(void **state) {
    (void)state;
    for_each(steps_do_not_show);
}

static void looks_do_not_show(const struct cor_algorithm *algorithm, uint32_t fault) {
    if (!(algorithm->capabilities & COR_ANYTIME))
        return;
    struct cor_session_definition blind = cor_default_session(algorithm), seeing = blind;
    seeing.interim_units = 50;
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    for (uint64_t seed = 0; seed < 12; seed++) {
        make_task(algorithm, seed, fault);
        uint64_t expected = run_fresh(&blind, &outcome);
        assert_true(run_fresh(&seeing, &outcome) == expected);
        assert_true(outcome.interim_count <= BUDGET / 50);
        for (size_t i = 0; fault == 0 && i < outcome.interim_count; i++)
            assert_true(test_is_partitioning(&outcome.interims[i].solution, task.task.agent_count));
    }
    cor_outcome_fini(&outcome);
}

static void interim_looks_are_invisible(void **state) {
    (void)state;
    for_each(looks_do_not_show);
}

static void limits_hold(const struct cor_algorithm *algorithm, const struct cor_lists *solution) {
    if (!(algorithm->capabilities & COR_LIMITS))
        return;
    assert_in_range(solution->block_count, task.rules.count_min, task.rules.count_max);
    for (uint32_t b = 0; b < solution->block_count; b++)
        assert_in_range(cor_lists_size(solution, b), task.rules.size_min, task.rules.size_max);
}

static void results_partition(const struct cor_algorithm *algorithm, uint32_t fault) {
    struct cor_session_definition definition = cor_default_session(algorithm);
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    for (size_t s = 0; fault == 0 && s < schedule_count(algorithm); s++) {
        if (schedules[s].mode == COR_MAIL_LOSSY || schedules[s].mode == COR_MAIL_DUPLICATED)
            continue;
        definition.mail = schedules[s];
        struct cor_session *session = open_session(&definition);
        for (uint64_t seed = 0; seed < 200; seed++) {
            make_task(algorithm, seed, 0);
            run(session, &outcome);
            assert_int_equal(outcome.smoke, COR_SMOKE_NONE);
            assert_int_not_equal(outcome.stop, COR_STOP_FAILED);
            assert_true(outcome.spent <= BUDGET);
            assert_true(test_is_partitioning(&outcome.solution, task.task.agent_count));
            limits_hold(algorithm, &outcome.solution);
            assert_int_equal(outcome.fault.reached + outcome.fault.held + outcome.fault.activated, 0);
            assert_int_equal(outcome.fault.in_result, 0);
        }
        cor_session_destroy(session);
    }
    cor_outcome_fini(&outcome);
}

static void results_without_fault_are_partitionings(void **state) {
    (void)state;
    for_each(results_partition);
}

/* The seam of a fault may be reached and its condition hold; as long as nothing is corrupted, nothing may
 * differ. */
static void dormant_fault_does_not_show(const struct cor_algorithm *algorithm, uint32_t fault) {
    struct cor_session_definition definition = cor_default_session(algorithm);
    struct cor_session *session = open_session(&definition);
    struct cor_outcome outcome;
    uint32_t dormant = 0;
    cor_outcome_init(&outcome);
    for (uint64_t seed = 0; seed < 60; seed++) {
        make_task(algorithm, seed, 0);
        if (seed % 2 == 0 && cor_algorithm_parameter(algorithm, "p_activate") >= 0)
            test_set(&task, algorithm, "p_activate", 0);
        cor_session_restart(session);
        uint64_t sound = run(session, &outcome);
        task.rules.fault = fault;
        cor_session_restart(session);
        uint64_t faulty = run(session, &outcome);
        assert_true(outcome.fault.held <= outcome.fault.reached);
        assert_true(outcome.fault.activated <= outcome.fault.held);
        assert_true(outcome.fault.in_result <= 1);
        if (outcome.fault.activated == 0) {
            assert_true(faulty == sound);
            assert_int_equal(outcome.fault.in_result, 0);
            dormant++;
        }
    }
    assert_true(dormant > 0);
    cor_outcome_fini(&outcome);
    cor_session_destroy(session);
}

static void runs_equal_the_sound_one_up_to_the_first_activation(void **state) {
    (void)state;
    for_each(dormant_fault_does_not_show);
}

/* With any limit the outcome is the one without limit, or memory smoke; from some limit on it is the former.
 */
static void limit_is_smoke(const struct cor_algorithm *algorithm, uint32_t fault) {
    struct cor_session_definition definition = cor_default_session(algorithm);
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    for (uint64_t seed = 0; seed < 4; seed++) {
        make_task(algorithm, seed * 10 + 1, fault);
        definition.memory_limit = cor_default_session(algorithm).memory_limit;
        uint64_t expected = run_fresh(&definition, &outcome);
        int enough = 0;
        for (size_t limit = 16; limit <= (size_t)64 << 20; limit = limit * 5 / 4 + 8) {
            definition.memory_limit = limit;
            uint64_t digest = run_fresh(&definition, &outcome);
            if (outcome.smoke == COR_SMOKE_NONE) {
                assert_true(digest == expected);
                enough = 1;
            } else {
                assert_int_equal(outcome.smoke, COR_SMOKE_MEMORY);
                assert_int_equal(outcome.stop, COR_STOP_FAILED);
                assert_false(enough);
            }
        }
        assert_true(enough);
    }
    cor_outcome_fini(&outcome);
}

static void memory_limit_is_smoke(void **state) {
    (void)state;
    for_each(limit_is_smoke);
}

static uint64_t total;

static void add_digests(const struct cor_algorithm *algorithm, uint32_t fault) {
    struct cor_session_definition definition = cor_default_session(algorithm);
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    for (size_t s = 0; s < schedule_count(algorithm); s++) {
        definition.mail = schedules[s];
        for (uint64_t seed = 0; seed < 5; seed++) {
            make_task(algorithm, seed, fault);
            uint64_t digest = run_fresh(&definition, &outcome);
            total = cor_hash_word(total, digest);
        }
    }
    cor_outcome_fini(&outcome);
}

/* What `test_host digest` prints in the given environment. */
static void digest_in(char *const environment[], char *text, int size) {
    char word[] = "digest";
    char *const arguments[] = {(char *)(uintptr_t)own_path, word, NULL};
    int ends[2], exit_status;
    pid_t child;
    posix_spawn_file_actions_t actions;
    assert_int_equal(pipe(ends), 0);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    assert_int_equal(posix_spawn(&child, own_path, &actions, NULL, arguments, environment), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    FILE *stream = fdopen(ends[0], "r");
    assert_non_null(stream);
    assert_non_null(fgets(text, size, stream));
    fclose(stream);
    assert_int_equal(waitpid(child, &exit_status, 0), child);
    assert_int_equal(exit_status, 0);
}

/* Two fresh processes whose environment, locale, heap fill and addresses differ agree with each other and
 * with this one: nothing is drawn but from the streams, and nothing uninitialised is read. */
static void fresh_processes_agree(void **state) {
    (void)state;
    static char fill_a[] = "MALLOC_PERTURB_=85", fill_b[] = "MALLOC_PERTURB_=170",
                locale[] = "LC_ALL=de_DE.UTF-8", zone[] = "TZ=Asia/Kolkata",
                more[] = "PADDING=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
    char *const first[] = {fill_a, NULL}, *const second[] = {fill_b, locale, zone, more, NULL};
    char a[64], b[64], own[64];
    digest_in(first, a, sizeof a);
    digest_in(second, b, sizeof b);
    total = COR_HASH_SEED;
    for_each(add_digests);
    snprintf(own, sizeof own, "%016llx\n", (unsigned long long)total);
    assert_string_equal(a, b);
    assert_string_equal(a, own);
}

int main(int argument_count, char **arguments) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_are_functions_of_the_name),
        cmocka_unit_test(step_size_is_invisible),
        cmocka_unit_test(interim_looks_are_invisible),
        cmocka_unit_test(results_without_fault_are_partitionings),
        cmocka_unit_test(runs_equal_the_sound_one_up_to_the_first_activation),
        cmocka_unit_test(memory_limit_is_smoke),
        cmocka_unit_test(fresh_processes_agree),
    };
    struct cor_error error = COR_NO_ERROR;
    own_path = arguments[0];
    if (cor_registry_create(NULL, &registry, &error) != COR_OK)
        return 1;
    int failed = 0;
    if (argument_count > 1) {
        total = COR_HASH_SEED;
        for_each(add_digests);
        printf("%016llx\n", (unsigned long long)total);
    } else {
        failed = cmocka_run_group_tests(tests, NULL, NULL);
    }
    cor_registry_destroy(registry);
    return failed;
}
