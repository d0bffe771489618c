/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs over tests/invalid: each model there is refused with exactly the message of its neighbour
 * NAME.json.expected. COR_UPDATE_EXPECTED=1 writes the .expected files anew; invalid/make.py writes the
 * models. And what the program does with models that are cut off anywhere, and when memory is out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/efsm.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CORPUS TEST_SOURCE_DIR "/oracle/efsm/tests/invalid"

static enum cor_status try_model(const char *path, struct cor_error *error) {
    struct cor_efsm *model;
    enum cor_status status = cor_efsm_read(path, &model, error);
    assert_true((model != NULL) == (status == COR_OK));
    cor_efsm_destroy(model);
    return status;
}

static void expectation_of(const char *path, char *text, size_t size) {
    char name[300];
    snprintf(name, sizeof name, "%s.expected", path);
    FILE *file = fopen(name, "rb");
    if (!file)
        fail_msg("%s is missing", name);
    size_t length = fread(text, 1, size - 1, file);
    fclose(file);
    text[length] = '\0';
    if (length > 0 && text[length - 1] == '\n')
        text[length - 1] = '\0';
}

static void write_expectation(const char *path, const char *text) {
    char name[300];
    snprintf(name, sizeof name, "%s.expected", path);
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    fprintf(file, "%s\n", text);
    fclose(file);
}

static int is_invalid(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".json") == 0 && strncmp(entry->d_name, "valid", 5) != 0;
}

static void invalid_models_are_refused_in_so_many_words(void **state) {
    struct dirent **entries;
    (void)state;
    assert_int_equal(chdir(CORPUS), 0);
    int count = scandir(".", &entries, is_invalid, alphasort);
    assert_true(count >= 90);
    for (int i = 0; i < count; i++) {
        struct cor_error error = COR_NO_ERROR;
        char found[3000], expected[3000];
        enum cor_status status = try_model(entries[i]->d_name, &error);
        cor_error_text(&error, found, sizeof found);
        if (status == COR_OK)
            fail_msg("%s is accepted", entries[i]->d_name);
        if (getenv("COR_UPDATE_EXPECTED"))
            write_expectation(entries[i]->d_name, found);
        expectation_of(entries[i]->d_name, expected, sizeof expected);
        if (strcmp(found, expected) != 0)
            fail_msg("%s\nsays\n%s\nexpected\n%s", entries[i]->d_name, found, expected);
        assert_int_equal(status, error.status);
        free(entries[i]);
    }
    free(entries);
}

static void the_model_they_were_made_of_is_valid(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(chdir(CORPUS), 0);
    if (try_model("valid.json", &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    assert_int_equal(try_model("nowhere.json", &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "cannot open: No such file or directory");
    assert_int_equal(try_model("traps-empty.json", NULL), COR_STATUS_INPUT); /* the error may be left out */
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
