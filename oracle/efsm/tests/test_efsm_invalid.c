/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs over the list tests/invalid/cases.txt: each model is refused with exactly the message there. And what
 * the program does with models that are cut off anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/efsm.h>

#include "invalid_corpus.h"

#define CORPUS TEST_SOURCE_DIR "/oracle/efsm/tests/invalid"

static enum cor_status try_model(const char *path, struct cor_error *error) {
    struct cor_efsm *model;
    enum cor_status status = cor_efsm_read(path, &model, error);
    assert_true((model != NULL) == (status == COR_OK));
    cor_efsm_destroy(model);
    return status;
}

static void invalid_models_are_refused_in_so_many_words(void **state) {
    (void)state;
    invalid_corpus(CORPUS "/cases.txt", 90, try_model);
}

static void the_model_they_were_made_of_is_valid(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(chdir(CORPUS), 0);
    if (try_model("valid.json", &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    assert_int_equal(try_model("nowhere.json", &error), COR_STATUS_FILE);
    assert_string_equal(error.cause, "cannot open: No such file or directory");
    assert_int_equal(try_model("vars-too-many.json", NULL), COR_STATUS_INPUT); /* the error may be left out */
}

static char *text_of(const char *path) {
    char *text;
    size_t length;
    assert_int_equal(chdir(CORPUS), 0);
    assert_int_equal(cor_json_read_text(path, &text, &length, NULL), COR_OK);
    return text;
}

static void a_model_that_is_cut_off_or_changed_anywhere_is_handled(void **state) {
    (void)state;
    char *text = text_of("valid.json");
    const size_t length = strlen(text);
    for (size_t at = 0; at < length; at++) {
        static const char others[] = "\"{9x]-";
        for (size_t i = 0; i < sizeof others; i++) { /* the last is the end of the text */
            const char kept = text[at];
            struct cor_efsm *model;
            struct cor_error error = COR_NO_ERROR;
            text[at] = others[i];
            enum cor_status status = cor_efsm_parse(text, "damaged", &model, &error);
            assert_true(status == COR_OK ? model != NULL : error.cause[0] != '\0' && error.place[0] != '\0');
            cor_efsm_destroy(model);
            text[at] = kept;
        }
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invalid_models_are_refused_in_so_many_words),
        cmocka_unit_test(the_model_they_were_made_of_is_valid),
        cmocka_unit_test(a_model_that_is_cut_off_or_changed_anywhere_is_handled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
