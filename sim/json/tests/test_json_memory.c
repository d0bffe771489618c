/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every allocation made to fail in turn: jansson's by json_set_alloc_funcs, this room's and base's own by the
 * linker. There is no crash and no leak, and nothing half-done passes for
 * success. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_allocations.h"

#include <corridor/json.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static long live; /* blocks of jansson's not freed yet */

static void *jansson_malloc(size_t size) {
    void *memory = cor_allocation_fails() ? NULL : cor_allocation_real(size);
    live += memory != NULL;
    return memory;
}

static void jansson_free(void *memory) {
    live -= memory != NULL;
    free(memory);
}

/* No token is longer than 14 bytes: from there on jansson's scanner has to grow a buffer, and when it cannot
 * it drops a byte without a word (2.14). */
static const char *const text =
    "{\"name\": \"a \\u00e4 b\",\n"
    " \"list\": [1, 2.5, -3, true, false, null, \"0xff\", {\"k\": {}}, [], 4, 5, 6, 7, 8, 9, 10, 11, 12],\n"
    " \"a\": 1, \"b\": 2, \"c\": 3, \"d\": 4, \"e\": 5, \"f\": 6, \"g\": 7, \"h\": 8, \"i\": 9, \"j\": 10}";

static enum cor_status do_parse(struct cor_error *error) {
    struct cor_json_document *document = NULL;
    enum cor_status status = cor_json_parse(text, "t", &document, error);
    assert_int_equal(status == COR_OK, document != NULL);
    if (document)
        assert_string_equal(cor_json_name(document), "t");
    cor_json_destroy(document);
    return status;
}

static enum cor_status do_read(struct cor_error *error) {
    struct cor_json_document *document = NULL;
    enum cor_status status = cor_json_read(TEST_SOURCE_DIR "/sim/json/tests/valid.json", &document, error);
    assert_int_equal(status == COR_OK, document != NULL);
    if (document) {
        struct cor_json root = cor_json_root(document);
        assert_int_equal(cor_json_size(&root), 7);
    }
    cor_json_destroy(document);
    return status;
}

static void put_all(struct cor_json_writer *writer) {
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "s", "string");
    cor_json_open_array(writer, "array");
    for (int i = 0; i < 12; i++)
        cor_json_put_integer(writer, NULL, i);
    cor_json_open_object(writer, NULL);
    cor_json_put_real(writer, "real", 0.5);
    cor_json_put_bool(writer, "bool", true);
    cor_json_close(writer);
    cor_json_open_array(writer, NULL);
    cor_json_put_text(writer, NULL, "{\"a\": [1, \"two\"]}");
    cor_json_close(writer);
    cor_json_close(writer);
    cor_json_put_word(writer, "word", 255);
    cor_json_close(writer);
}

static enum cor_status do_write(struct cor_error *error) {
    struct cor_json_writer *writer = NULL;
    enum cor_status status = cor_json_writer_create(&writer, error);
    if (status != COR_OK) {
        assert_null(writer);
        return status;
    }
    put_all(writer);
    char *made;
    status = cor_json_text_take(writer, 0, &made, error);
    assert_int_equal(made == NULL, status != COR_OK);
    if (made)
        assert_string_equal(made, "{\"s\":\"string\",\"array\":[0,1,2,3,4,5,6,7,8,9,10,11,{\"real\":0.5,"
                                  "\"bool\":true},[{\"a\":[1,\"two\"]}]],\"word\":\"0x00000000000000ff\"}");
    free(made);
    return status;
}

static enum cor_status do_text_of_a_value(struct cor_error *error) {
    struct cor_json_document *document = NULL;
    enum cor_status status = cor_json_parse(text, "t", &document, error);
    if (status != COR_OK)
        return status;
    struct cor_json root = cor_json_root(document);
    char *made = cor_json_text(&root);
    if (made)
        assert_string_equal(made + strlen(made) - 14, ",\"i\":9,\"j\":10}");
    free(made);
    cor_json_destroy(document);
    return made ? COR_OK : COR_STATUS_MEMORY;
}

static long allocations; /* of the last run */

/* Runs with allocation number `at` failing. */
static enum cor_status run(enum cor_status (*action)(struct cor_error *), long at, bool good,
                           struct cor_error *error) {
    *error = COR_NO_ERROR;
    live = 0;
    cor_allocations_begin(at, good);
    enum cor_status status = action(error);
    allocations = cor_allocations_end();
    assert_int_equal(live, 0); /* jansson holds nothing */
    return status;
}

/* Every allocation of an action that takes `least` or more of them. jansson's scanner has no words for memory
 * that runs out within a token and calls the token invalid; so reading may say so, but never that all is
 * well. */
static void fail_in_turn(enum cor_status (*action)(struct cor_error *), long least) {
    struct cor_error error;
    assert_int_equal(run(action, 0, false, &error), COR_OK);
    long all = allocations, said_memory = 0;
    assert_true(all >= least);
    for (long at = 1; at <= 2 * all; at++) {
        enum cor_status status = run(action, (at + 1) / 2, at % 2 == 0, &error);
        assert_true(status == COR_STATUS_MEMORY || status == COR_STATUS_INPUT);
        said_memory += status == COR_STATUS_MEMORY;
    }
    print_message("%ld allocations, %ld of %ld failures called what they are\n", all, said_memory, 2 * all);
    assert_true(said_memory > 0);
    assert_int_equal(run(action, 0, false, &error), COR_OK);
}

static void parsing_without_memory_fails(void **unused) {
    (void)unused;
    fail_in_turn(do_parse, 40);
}

static void reading_a_file_without_memory_fails(void **unused) {
    (void)unused;
    fail_in_turn(do_read, 20);
}

static void writing_without_memory_fails(void **unused) {
    (void)unused;
    fail_in_turn(do_write, 30);
}

static void making_a_text_without_memory_fails(void **unused) {
    (void)unused;
    fail_in_turn(do_text_of_a_value, 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parsing_without_memory_fails),
        cmocka_unit_test(reading_a_file_without_memory_fails),
        cmocka_unit_test(writing_without_memory_fails),
        cmocka_unit_test(making_a_text_without_memory_fails),
    };
    json_set_alloc_funcs(jansson_malloc, jansson_free);
    return cmocka_run_group_tests_name("json_memory", tests, NULL, NULL);
}
