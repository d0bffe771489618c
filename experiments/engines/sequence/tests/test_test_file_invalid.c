/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A list of test files that are wrong in one thing each, with the message with which they are refused; and
 * the page of test files: its example is a test, and it explains every member. */
#include <corridor/test.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "invalid_corpus.h"

#define CORPUS TEST_SOURCE_DIR "/experiments/engines/sequence/tests/invalid"

static enum cor_status try_test(const char *path, struct cor_error *error) {
    struct cor_test *test;
    enum cor_status status = cor_test_read(path, NULL, &test, NULL, error);
    assert_true((test != NULL) == (status == COR_OK));
    cor_test_destroy(test);
    return status;
}

static void invalid_tests_are_refused_in_so_many_words(void **state) {
    (void)state;
    invalid_corpus(CORPUS "/cases.txt", 70, try_test);
}

static void the_test_they_were_made_of_is_valid(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(chdir(CORPUS), 0);
    if (try_test("valid.json", &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
}

/* The page, freed with free(). */
static char *read_page(void) {
    FILE *file = fopen(TEST_SOURCE_DIR "/docs/do/test-files.md", "r");
    assert_non_null(file);
    char *page = calloc(1, 1 << 16);
    assert_non_null(page);
    assert_in_range(fread(page, 1, (1 << 16) - 1, file), 1000, (1 << 16) - 2);
    fclose(file);
    return page;
}

static void the_example_of_the_page_is_a_test_that_repeats(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_json_document *document;
    struct cor_test *test = NULL;
    struct cor_tester *tester;
    struct cor_test_result result, again;
    char *page = read_page(), *begin = strstr(page, "```json test\n"), *warnings = NULL;
    assert_non_null(begin);
    begin += strlen("```json test\n");
    *strstr(begin, "```") = '\0';
    if (cor_json_parse(begin, "the example", &document, &error) != COR_OK ||
        cor_test_take("the example", document, NULL, &test, &warnings, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    assert_string_equal(warnings, "");
    assert_int_equal(cor_tester_create(&tester, &error), COR_OK);
    assert_int_equal(cor_tester_execute(tester, test, 0, &result, &error), COR_OK);
    assert_int_equal(cor_tester_execute(tester, test, 0, &again, &error), COR_OK);
    assert_int_equal(result.hash, again.hash);
    assert_int_equal(result.hash, test->expected.hash);
    assert_int_equal(result.cases, 2);
    cor_tester_destroy(tester);
    cor_test_destroy(test);
    free(warnings);
    free(page);
}

/* Every member of the valid file of the corpus, which has all that there are, and of the objects in it. */
static void the_page_explains_every_member(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_json_document *document;
    char *page = read_page(), quoted[80];
    static const char *const like_suites[] = {"agents", "idle_ratio", "type", "profiles"};
    assert_int_equal(cor_json_read(CORPUS "/valid.json", &document, &error), COR_OK);
    const struct cor_json root = cor_json_root(document);
    bool between = false;
    for (size_t i = 0; i < cor_json_size(&root); i++) {
        const struct cor_json child = cor_json_at(&root, i);
        if (strcmp(child.key, "agents") == 0)
            between = true; /* up to the walk: as in suite files, explained there */
        if (strcmp(child.key, "walk") == 0)
            between = false;
        snprintf(quoted, sizeof quoted, "`%s`", child.key);
        if (!between && !strstr(page, quoted))
            fail_msg("docs/do/test-files.md does not explain %s", quoted);
    }
    for (size_t i = 0; i < sizeof like_suites / sizeof *like_suites; i++) {
        snprintf(quoted, sizeof quoted, "`%s`", like_suites[i]);
        assert_non_null(strstr(page, quoted));
    }
    cor_json_destroy(document);
    free(page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invalid_tests_are_refused_in_so_many_words),
        cmocka_unit_test(the_test_they_were_made_of_is_valid),
        cmocka_unit_test(the_example_of_the_page_is_a_test_that_repeats),
        cmocka_unit_test(the_page_explains_every_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
