/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs over the list tests/invalid/cases.txt: each design is refused with exactly the message there - when it
 * is read, or when the cases of its units are made. faults-NAME.json are faults of the design valid.json. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/agent_fault.h>
#include <corridor/unit_cases.h>

#include "invalid_corpus.h"

#define CORPUS TEST_SOURCE_DIR "/experiments/layers/agent/tests/invalid"

static enum cor_status make_all_cases(const struct cor_design_file *file, struct cor_error *error) {
    enum cor_status status = COR_OK;
    for (uint32_t u = 0; u < file->order.units.count && status == COR_OK; u++) {
        struct cor_unit_cases cases;
        status = cor_unit_cases_init(&cases, file, u, NULL, error);
        cor_unit_cases_fini(&cases);
    }
    return status;
}

static enum cor_status try_design(const char *path, struct cor_error *error) {
    struct cor_design_file *file;
    enum cor_status status = cor_design_file_read(path, &file, error);
    assert_true((file != NULL) == (status == COR_OK));
    if (status == COR_OK)
        status = make_all_cases(file, error);
    cor_design_file_destroy(file);
    return status;
}

static enum cor_status try_faults(const char *path, struct cor_error *error) {
    struct cor_design_file *file;
    struct cor_agent_faults faults;
    assert_int_equal(cor_design_file_read("valid.json", &file, error), COR_OK);
    enum cor_status status = cor_agent_faults_read(&faults, path, file->design, error);
    cor_agent_faults_fini(&faults);
    cor_design_file_destroy(file);
    return status;
}

static enum cor_status try_file(const char *path, struct cor_error *error) {
    return strncmp(path, "faults-", 7) == 0 ? try_faults(path, error) : try_design(path, error);
}

static void invalid_designs_and_faults_are_refused_in_so_many_words(void **state) {
    (void)state;
    invalid_corpus(CORPUS "/cases.txt", 60, try_file);
}

/* What the invalid files were made of is valid: each is wrong in the one thing that its name says. */
static void the_design_and_faults_they_were_made_of_are_valid(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(chdir(CORPUS), 0);
    if (try_design("valid.json", &error) != COR_OK || try_faults("valid-faults.json", &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
}

static void missing_files_are_told(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(chdir(CORPUS), 0);
    assert_int_equal(try_design("nowhere.json", &error), COR_STATUS_FILE);
    assert_string_equal(error.place, "nowhere.json");
    assert_string_equal(error.cause, "cannot open: No such file or directory");
    error = COR_NO_ERROR;
    assert_int_equal(try_faults("nowhere.json", &error), COR_STATUS_FILE);
    assert_string_equal(error.place, "nowhere.json");
}

/* The status alone may be wanted. */
static void the_error_may_be_left_out(void **state) {
    (void)state;
    struct invalid_folder folder = invalid_enter(CORPUS "/cases.txt");
    assert_int_equal(try_design("plan-trigger-unknown.json", NULL), COR_STATUS_INPUT);
    assert_int_equal(try_design("cases-conditions-exclude-all.json", NULL), COR_STATUS_UNSATISFIABLE);
    invalid_leave(&folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invalid_designs_and_faults_are_refused_in_so_many_words),
        cmocka_unit_test(the_design_and_faults_they_were_made_of_are_valid),
        cmocka_unit_test(missing_files_are_told),
        cmocka_unit_test(the_error_may_be_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
