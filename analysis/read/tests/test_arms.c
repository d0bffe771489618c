/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What texts of a file say under a key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/arms.h>

#include <stdlib.h>

static void check(const char *json, const char *key, const char *expected) {
    struct cor_error error = COR_NO_ERROR;
    char *text;
    assert_int_equal(cor_text_under(json, key, &text, &error), COR_OK);
    if (expected)
        assert_string_equal(text, expected);
    else
        assert_null(text);
    free(text);
}

/* A text that does not hold the key as it is written need not be parsed; escapes and look-alikes must not
 * deceive. */
static void a_key_is_found_however_it_is_written(void **state) {
    (void)state;
    check("{\"mode\": \"paired\"}", "mode", "paired");
    check("{\"m\\u006fde\": \"paired\"}", "mode", "paired");
    check("{\"a\": \"mode\", \"modes\": \"x\", \"mode\":\"y\"}", "mode", "y");
    check("{\"a\": {\"mode\": \"paired\"}}", "mode", NULL);
    check("{\"modes\": \"x\", \"amode\": \"y\"}", "mode", NULL);
    check("{\"mode\": 3}", "mode", NULL);
    check("mode", "mode", NULL);
    check("", "mode", NULL);
    check("no \"mode\" of JSON", "mode", NULL);
}

static bool ranges(const char *json) {
    struct cor_error error = COR_NO_ERROR;
    bool same;
    assert_int_equal(cor_ranges(json, "cases", 50, 1000, &same, &error), COR_OK);
    return same;
}

static void a_range_is_that_one_or_not_said(void **state) {
    (void)state;
    assert_true(ranges("{\"cases\": [50, 1000]}") && ranges("{}") && ranges("") && ranges("cases"));
    assert_false(ranges("{\"cases\": [50, 200]}") || ranges("{\"cases\": [5, 1000]}"));
    assert_false(ranges("{\"cases\": 50}") || ranges("{\"cases\": [50]}") || ranges("{\"cases\": \"50\"}") ||
                 ranges("{\"cases\": [50, 1000, 2]}"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_is_found_however_it_is_written),
        cmocka_unit_test(a_range_is_that_one_or_not_said),
    };
    return cmocka_run_group_tests_name("arms", tests, NULL, NULL);
}
