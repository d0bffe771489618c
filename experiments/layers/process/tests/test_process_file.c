/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs over the list tests/invalid_file/cases.txt: experiments with distributed programs are refused with
 * exactly the message there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "invalid_corpus.h"

#include <corridor/json.h>
#include <corridor/process_experiment.h>

#define CORPUS TEST_SOURCE_DIR "/experiments/layers/process/tests/invalid_file"

static enum cor_status read_file(const char *path, struct cor_error *error) {
    struct cor_process_experiment *experiment = NULL;
    char *text = NULL;
    size_t length;
    enum cor_status status = cor_json_read_text(path, &text, &length, error);
    if (status == COR_OK)
        status = cor_process_experiment_parse(text, path, NULL, &experiment, error);
    cor_process_experiment_destroy(experiment);
    free(text);
    return status;
}

static void invalid_files_are_refused_in_so_many_words(void **state) {
    (void)state;
    invalid_corpus(CORPUS "/cases.txt", 60, read_file);
}

static void the_file_they_were_made_of_is_valid(void **state) {
    (void)state;
    assert_int_equal(chdir(CORPUS), 0);
    struct cor_error error = COR_NO_ERROR;
    if (read_file("valid.json", &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invalid_files_are_refused_in_so_many_words),
        cmocka_unit_test(the_file_they_were_made_of_is_valid),
    };
    return cmocka_run_group_tests_name("process_file", tests, NULL, NULL);
}
