/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sequence taken out of its suite, held against the rows it had there; and what leaving out cases and
 * agents does to the draws of those that stay: nothing. */
#include "scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Executes each sequence of all suites as a test, backwards, so that none follows the one it followed. */
static void check_all(bool branching) {
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    struct cor_tester *tester;
    uint32_t continued = 0, failing = 0, smoke = 0;
    scene_open(&scene, scene_faults, branching);
    OK(cor_tester_create(&tester, &error));
    for (uint32_t i = 0; i < 2 * scene.experiment->arm_count; i++) {
        scene_execute(&scene, i / 2, i % 2);
        for (size_t row = cor_record_size(scene.record, COR_TABLE_SEQUENCES); row-- > 0;) {
            struct cor_test_result result, again;
            struct cor_test *test = scene_test(&scene, row), *copy;
            OK(cor_tester_execute(tester, test, 0, &result, &error));
            scene_compare(&scene, row, cor_tester_record(tester));
            OK(cor_test_copy(test, &copy, &error));
            assert_int_equal(cor_test_hash(copy), cor_test_hash(test));
            OK(cor_tester_execute(tester, copy, 0, &again, &error));
            assert_int_equal(again.hash, result.hash);
            continued += test->continues;
            failing += result.case_ > 0;
            smoke += result.class.smoke != COR_SMOKE_NONE;
            cor_test_destroy(copy);
            cor_test_destroy(test);
        }
    }
    cor_tester_destroy(tester);
    scene_close(&scene);
    if (failing < 20 || (branching && continued < 20))
        fail_msg("%u failing, %u continued, %u with smoke", failing, continued, smoke);
}

static void a_test_gives_the_rows_of_its_sequence(void **state) {
    (void)state;
    check_all(false);
}

static void a_test_of_a_branch_gives_the_rows_of_its_sequence(void **state) {
    (void)state;
    check_all(true);
}

/* A result file of all suites of the scene. */
static struct cor_result *make_result(struct scene *scene, const char *folder) {
    struct cor_error error = COR_NO_ERROR;
    char journal_path[256], result_path[256];
    const char *journals[] = {journal_path};
    struct cor_journal *journal;
    struct cor_result *result;
    const struct cor_result_header header = {.layer = &cor_interaction_schema,
                                             .experiment = scene->experiment->text,
                                             .provenance = "{}",
                                             .complete = 1};
    snprintf(journal_path, sizeof journal_path, "%s/journal", folder);
    snprintf(result_path, sizeof result_path, "%s/result.h5", folder);
    OK(cor_journal_create(journal_path, &journal, &error));
    for (uint32_t i = 0; i < 2 * scene->experiment->arm_count; i++) {
        scene_execute(scene, i / 2, i % 2);
        OK(cor_journal_append(journal, scene->record, &error));
    }
    cor_journal_close(journal);
    OK(cor_result_merge(journals, 1, &header, result_path, 0, &error));
    OK(cor_result_open(result_path, &result, &error));
    unlink(journal_path);
    unlink(result_path);
    return result;
}

static void expect(enum cor_status status, const struct cor_error *error, const char *words) {
    assert_int_equal(status, COR_STATUS_INPUT);
    if (!strstr(error->cause, words))
        fail_msg("\"%s\" says nothing of \"%s\"", error->cause, words);
}

static void a_test_of_a_result_file_gives_the_rows_of_its_sequence(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    struct cor_tester *tester;
    char folder[] = "/tmp/corridor-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    scene_open(&scene, scene_faults, true);
    struct cor_result *result = make_result(&scene, folder);
    OK(cor_tester_create(&tester, &error));
    for (uint32_t i = 0; i < 2 * scene.experiment->arm_count; i++) {
        struct cor_suite *suite;
        scene_execute(&scene, i / 2, i % 2);
        OK(cor_suite_of_result(result, scene.experiment, i / 2, i % 2, &suite, &error));
        for (size_t row = 0; row < cor_record_size(scene.record, COR_TABLE_SEQUENCES); row++) {
            struct cor_test_result came;
            struct cor_test *test;
            OK(cor_test_of_result(result, suite, (uint32_t)row, &test, &error));
            OK(cor_tester_execute(tester, test, 0, &came, &error));
            scene_compare(&scene, row, cor_tester_record(tester));
            cor_test_destroy(test);
        }
        struct cor_test *none;
        struct cor_error said = COR_NO_ERROR;
        expect(cor_test_of_result(result, suite, 999, &none, &said), &said, "has no sequence 999");
        cor_suite_destroy(suite);
    }
    struct cor_suite *suite;
    struct cor_error said = COR_NO_ERROR;
    expect(cor_suite_of_result(result, scene.experiment, 0, 7, &suite, &said), &said, "is not in the file");
    said = COR_NO_ERROR;
    scene.experiment->seed++;
    expect(cor_suite_of_result(result, scene.experiment, 0, 0, &suite, &said), &said,
           "another configuration");
    cor_tester_destroy(tester);
    cor_result_close(result);
    scene_close(&scene);
    rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_test_gives_the_rows_of_its_sequence),
        cmocka_unit_test(a_test_of_a_branch_gives_the_rows_of_its_sequence),
        cmocka_unit_test(a_test_of_a_result_file_gives_the_rows_of_its_sequence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
