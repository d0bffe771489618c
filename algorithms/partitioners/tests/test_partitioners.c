/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * test_partitioners MODULE.so ...: those that could be built.
 *
 * test_partitioners digest MODULE.so ...: prints one word over many reorganizations of all of them; the test
 * starts itself so, twice. */
#include "../../host/tests/tasks.h"

/* clang-format off */
#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
/* clang-format on */

static struct test_task task; /* big */
static struct cor_registry *registry;
static const struct cor_algorithm *modules[8];
static int module_count, argument_count_of_test;
static char **arguments_of_test;

static void run(const struct cor_algorithm *algorithm, struct cor_outcome *outcome) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_session *session;
    const struct cor_session_definition definition = cor_default_session(algorithm);
    assert_int_equal(cor_session_create(&definition, &session, &error), COR_OK);
    assert_int_equal(cor_session_reorganize(session, &task.task, &task.name, outcome, &error), COR_OK);
    cor_session_destroy(session);
}

static double mean_of(const struct cor_lists *lists, uint32_t block) {
    double sum = 0;
    for (uint32_t m = 0; m < cor_lists_size(lists, block); m++)
        sum += task.values[cor_lists_block(lists, block)[m]];
    return sum / cor_lists_size(lists, block);
}

/* Four agents, 0 0 1 1, two parts of two. By dissimilarity the edges are the four between a 0 and a 1, of the
 * greatest weight each: {0 0 | 1 1} cuts all four, {0 1 | 0 1} two of them. So the least cut mixes, and the
 * means are 1/2 and 1/2. By likeness the edges are 0-0 and 1-1; the least cut is none, with means 0 and 1. */
static void make_four(const struct cor_algorithm *algorithm, uint32_t fault) {
    test_make(&task, algorithm, 4, 2, 1);
    task.rules.fault = fault;
    for (uint32_t i = 0; i < 4; i++)
        task.values[i] = i / 2;
}

static void agents_that_differ_stay_together(void **state) {
    (void)state;
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    for (int m = 0; m < module_count; m++) {
        make_four(modules[m], 0);
        run(modules[m], &outcome);
        assert_true(test_is_partitioning(&outcome.solution, 4));
        for (uint32_t b = 0; b < outcome.solution.block_count; b++)
            assert_true(mean_of(&outcome.solution, b) == 0.5);
        assert_int_equal(outcome.fault.reached + outcome.fault.activated + outcome.fault.in_result, 0);
    }
    cor_outcome_fini(&outcome);
}

static void with_the_wrong_sign_the_alike_stay_together(void **state) {
    (void)state;
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    for (int m = 0; m < module_count; m++) {
        make_four(modules[m], 1);
        run(modules[m], &outcome);
        assert_true(test_is_partitioning(&outcome.solution, 4));
        assert_int_equal(outcome.solution.block_count, 2);
        assert_true(mean_of(&outcome.solution, 0) + mean_of(&outcome.solution, 1) == 1);
        assert_true(mean_of(&outcome.solution, 0) * mean_of(&outcome.solution, 1) == 0);
        assert_int_equal(outcome.fault.activated, 1);
        assert_int_equal(outcome.fault.in_result, 1);
    }
    cor_outcome_fini(&outcome);
}

static void make_random(const struct cor_algorithm *algorithm, uint64_t seed) {
    struct cor_rng rng = test_rng(seed + 3000);
    uint32_t n = 1 + cor_rng_below(&rng, 60), k = 1 + cor_rng_below(&rng, n);
    test_make(&task, algorithm, n, k, seed);
    if (seed % 5 == 0)
        for (uint32_t i = 0; i < n; i++)
            task.values[i] = 0.25;
}

/* Every agent is in one part; parts without members are put as they are, and counted. */
static void every_agent_is_put_once_and_empty_parts_as_they_are(void **state) {
    (void)state;
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    for (int m = 0; m < module_count; m++) {
        uint32_t empty = 0, parts = 0;
        for (uint64_t seed = 0; seed < 300; seed++) {
            make_random(modules[m], seed);
            run(modules[m], &outcome);
            assert_int_equal(outcome.smoke, COR_SMOKE_NONE);
            const struct test_occurrences found = test_count(&outcome.solution, task.task.agent_count);
            assert_int_equal(found.missing + found.repeated + found.unknown, 0);
            if (strcmp(modules[m]->name, "leiden") != 0)
                assert_int_equal(outcome.solution.block_count, task.task.block_count);
            empty += found.empty;
            parts += outcome.solution.block_count;
        }
        print_message("%-7s %u of %u parts are empty\n", modules[m]->name, empty, parts);
    }
    cor_outcome_fini(&outcome);
}

/* Cutting heavy edges apart is not what it does: its parts differ less than those of the wrong sign. */
static void parts_resemble_each_other_more_than_with_the_wrong_sign(void **state) {
    (void)state;
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    for (int m = 0; m < module_count; m++) {
        double range[2] = {0, 0};
        for (uint32_t fault = 0; fault <= 1; fault++)
            for (uint64_t seed = 0; seed < 20; seed++) {
                test_make(&task, modules[m], 40, 4, seed);
                task.rules.fault = fault;
                run(modules[m], &outcome);
                if (test_is_partitioning(&outcome.solution, 40))
                    range[fault] += test_range(&task, &outcome.solution);
            }
        print_message("%-7s mean range of 40 agents: %.3f, wrong sign %.3f\n", modules[m]->name,
                      range[0] / 20, range[1] / 20);
        assert_true(range[0] < range[1] / 2);
    }
    cor_outcome_fini(&outcome);
}

static uint64_t digest_all(void) {
    struct cor_outcome outcome;
    uint64_t total = COR_HASH_SEED;
    cor_outcome_init(&outcome);
    for (int m = 0; m < module_count; m++)
        for (uint64_t seed = 0; seed < 60; seed++) {
            make_random(modules[m], seed);
            run(modules[m], &outcome);
            total = cor_hash_word(total, cor_outcome_digest(&outcome));
        }
    cor_outcome_fini(&outcome);
    return total;
}

static void what_came_before_does_not_show(void **state) {
    (void)state;
    uint64_t first = digest_all();
    make_random(modules[0], 12345);
    assert_true(digest_all() == first);
}

/* What `test_partitioners digest` prints in the given environment. */
static void digest_in(char *const environment[], char *text, int size) {
    char word[] = "digest", *arguments[16] = {arguments_of_test[0], word};
    int ends[2], exit_status;
    pid_t child;
    posix_spawn_file_actions_t actions;
    for (int i = 1; i < argument_count_of_test; i++)
        arguments[i + 1] = arguments_of_test[i];
    assert_int_equal(pipe(ends), 0);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    assert_int_equal(posix_spawn(&child, arguments[0], &actions, NULL, arguments, environment), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    FILE *stream = fdopen(ends[0], "r");
    assert_non_null(stream);
    assert_non_null(fgets(text, size, stream));
    fclose(stream);
    assert_int_equal(waitpid(child, &exit_status, 0), child);
    assert_int_equal(exit_status, 0);
}

/* With another heap fill, locale and addresses; the generators of the libraries are seeded anew each time. */
static void fresh_processes_agree(void **state) {
    (void)state;
    static char fill_a[] = "MALLOC_PERTURB_=85", fill_b[] = "MALLOC_PERTURB_=170",
                locale[] = "LC_ALL=de_DE.UTF-8", threads[] = "OMP_NUM_THREADS=4",
                leaks[] = "ASAN_OPTIONS=detect_leaks=0";
    char *const first[] = {fill_a, leaks, NULL}, *const second[] = {fill_b, locale, threads, leaks, NULL};
    char a[64], b[64], own[64];
    digest_in(first, a, sizeof a);
    digest_in(second, b, sizeof b);
    snprintf(own, sizeof own, "%016llx\n", (unsigned long long)digest_all());
    assert_string_equal(a, b);
    assert_string_equal(a, own);
}

static int load(int count, char **paths) {
    struct cor_error error = COR_NO_ERROR;
    if (cor_registry_create(NULL, &registry, &error) != COR_OK)
        return 0;
    for (; module_count < count; module_count++)
        if (cor_registry_find(registry, paths[module_count], &modules[module_count], &error) != COR_OK) {
            fprintf(stderr, "%s: %s\n", error.place, error.cause);
            return 0;
        }
    return count > 0;
}

int main(int argument_count, char **arguments) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agents_that_differ_stay_together),
        cmocka_unit_test(with_the_wrong_sign_the_alike_stay_together),
        cmocka_unit_test(every_agent_is_put_once_and_empty_parts_as_they_are),
        cmocka_unit_test(parts_resemble_each_other_more_than_with_the_wrong_sign),
        cmocka_unit_test(what_came_before_does_not_show),
        cmocka_unit_test(fresh_processes_agree),
    };
    int digest = argument_count > 1 && strcmp(arguments[1], "digest") == 0;
    argument_count_of_test = argument_count;
    arguments_of_test = arguments;
    if (!load(argument_count - 1 - digest, arguments + 1 + digest))
        return 1;
    int failed = 0;
    if (digest)
        printf("%016llx\n", (unsigned long long)digest_all());
    else
        failed = cmocka_run_group_tests_name("partitioners", tests, NULL, NULL);
    cor_registry_destroy(registry);
    return failed;
}
