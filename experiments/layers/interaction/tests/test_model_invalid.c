/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs over the list tests/invalid/cases.txt: each experiment is refused with exactly the message there -
 * when it is read, when its constraints are analysed, or when its suites are generated. tests/invalid/suites
 * has a list of suite files of the experiment beside it, tests/invalid/suites_tree of one whose structures
 * are trees, tests/invalid/suites_presence of one whose agents come and go. Files in tests/invalid/named are
 * what the others name. tests/invalid/parameters.txt is run by test_parameters.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/configurations.h>
#include <corridor/solve.h>
#include <corridor/suite.h>

#include "invalid_corpus.h"

#define CORPUS TEST_SOURCE_DIR "/experiments/layers/interaction/tests/invalid"

static enum cor_status analyse_all(const struct cor_experiment *experiment, struct cor_error *error) {
    enum cor_status status = COR_OK;
    char note[2048];
    for (uint32_t a = 0; a < experiment->arm_count && status == COR_OK; a++)
        status = cor_parameter_laws_analyse(experiment->arms[a].laws, note, sizeof note, error);
    return status;
}

static enum cor_status generate_all(const struct cor_experiment *experiment, struct cor_error *error) {
    enum cor_status status = COR_OK;
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        for (uint32_t s = 0; s < experiment->suite_count && status == COR_OK; s++) {
            struct cor_suite *suite;
            status = cor_suite_generate(experiment, a, s, &suite, error);
            assert_true((suite != NULL) == (status == COR_OK));
            cor_suite_destroy(suite);
        }
    return status;
}

static enum cor_status try_experiment(const char *path, struct cor_error *error) {
    struct cor_experiment *experiment;
    enum cor_status status = cor_experiment_read(path, &experiment, error);
    assert_true((experiment != NULL) == (status == COR_OK));
    if (status == COR_OK)
        status = analyse_all(experiment, error);
    if (status == COR_OK)
        status = cor_experiment_combine(experiment, error);
    if (status == COR_OK)
        status = generate_all(experiment, error);
    cor_experiment_destroy(experiment);
    return status;
}

static struct cor_experiment *experiment_of_suites(void) {
    struct cor_experiment *experiment;
    struct cor_error error = COR_NO_ERROR;
    if (cor_experiment_read("experiment.json", &experiment, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    return experiment;
}

static enum cor_status try_suite(const char *path, struct cor_error *error) {
    struct cor_experiment *experiment = experiment_of_suites();
    struct cor_suite *suite;
    enum cor_status status = cor_suite_read(experiment, path, &suite, error);
    assert_true((suite != NULL) == (status == COR_OK));
    cor_suite_destroy(suite);
    cor_experiment_destroy(experiment);
    return status;
}

static void invalid_experiments_are_refused_in_so_many_words(void **state) {
    (void)state;
    invalid_build = cor_solver_is_there() ? "" : ".without-z3";
    invalid_corpus(CORPUS "/cases.txt", 100, try_experiment);
}

static void invalid_suites_are_refused_in_so_many_words(void **state) {
    (void)state;
    invalid_corpus(CORPUS "/suites/cases.txt", 40, try_suite);
    invalid_corpus(CORPUS "/suites_tree/cases.txt", 15, try_suite);
    invalid_corpus(CORPUS "/suites_presence/cases.txt", 8, try_suite);
}

/* What the invalid ones were made of is valid: each is wrong in the one thing that its name says. */
static void the_experiment_and_suite_they_were_made_of_are_valid(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(chdir(CORPUS "/suites"), 0);
    if (try_experiment("../valid.json", &error) != COR_OK || try_suite("valid.json", &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    assert_int_equal(chdir(CORPUS "/suites_tree"), 0);
    if (try_suite("valid.json", &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    assert_int_equal(chdir(CORPUS "/suites_presence"), 0);
    if (try_suite("valid.json", &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
}

static void missing_files_are_told(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(chdir(CORPUS "/suites"), 0);
    assert_int_equal(try_experiment("nowhere.json", &error), COR_STATUS_FILE);
    assert_string_equal(error.place, "nowhere.json");
    assert_string_equal(error.cause, "cannot open: No such file or directory");
    error = COR_NO_ERROR;
    assert_int_equal(try_suite("nowhere.json", &error), COR_STATUS_FILE);
    assert_string_equal(error.place, "nowhere.json");
    error = COR_NO_ERROR;
    assert_int_equal(try_experiment(".", &error), COR_STATUS_INPUT);
}

/* The status alone may be wanted. */
static void the_error_may_be_left_out(void **state) {
    (void)state;
    struct invalid_folder folder = invalid_enter(CORPUS "/cases.txt");
    assert_int_equal(try_experiment("arm-fault-unknown.json", NULL), COR_STATUS_INPUT);
    assert_int_equal(try_experiment("arm-algorithm-unknown.json", NULL), COR_STATUS_INPUT);
    assert_int_equal(try_experiment("model-file-missing.json", NULL), COR_STATUS_FILE);
    invalid_leave(&folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invalid_experiments_are_refused_in_so_many_words),
        cmocka_unit_test(invalid_suites_are_refused_in_so_many_words),
        cmocka_unit_test(the_experiment_and_suite_they_were_made_of_are_valid),
        cmocka_unit_test(missing_files_are_told),
        cmocka_unit_test(the_error_may_be_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
