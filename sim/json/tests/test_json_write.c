/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing: exact texts, and what is written comes back as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/json.h>
#include <corridor/rng.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct cor_json_writer *new_writer(void) {
    struct cor_json_writer *writer = NULL;
    assert_int_equal(cor_json_writer_create(&writer, NULL), COR_OK);
    return writer;
}

/* The writer's text, which must be `expected`; ends the writer. */
static void check_text(struct cor_json_writer *writer, int indent, const char *expected) {
    struct cor_error error = COR_NO_ERROR;
    char *text;
    assert_int_equal(cor_json_text_take(writer, indent, &text, &error), COR_OK);
    assert_string_equal(text, expected);
    assert_int_equal(error.status, COR_OK);
    free(text);
}

static void put_one_of_each(struct cor_json_writer *writer) {
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "z", "\"\\/\n\t\x01 \xc3\xa4");
    cor_json_put_string(writer, "none", NULL);
    cor_json_put_integer(writer, "low", INT64_MIN);
    cor_json_put_integer(writer, "high", INT64_MAX);
    cor_json_put_word(writer, "word", UINT64_C(0xFEDCBA9876543210));
    cor_json_put_word(writer, "zero", 0);
    cor_json_open_array(writer, "items");
    cor_json_put_bool(writer, NULL, true);
    cor_json_put_bool(writer, NULL, false);
    cor_json_open_object(writer, NULL);
    cor_json_close(writer);
    cor_json_open_array(writer, NULL);
    cor_json_close(writer);
    cor_json_close(writer);
    cor_json_put_text(writer, "text", " {\"b\": [1, 2.5], \"a\": null} ");
    cor_json_put_text(writer, "scalar", "7");
    cor_json_close(writer);
}

static void every_kind_of_value_is_written_as_json(void **unused) {
    (void)unused;
    struct cor_json_writer *writer = new_writer();
    put_one_of_each(writer);
    check_text(writer, 0,
               "{\"z\":\"\\\"\\\\/\\n\\t\\u0001 \xc3\xa4\",\"none\":null,\"low\":-9223372036854775808,"
               "\"high\":9223372036854775807,\"word\":\"0xfedcba9876543210\",\"zero\":\"0x0000000000000000\","
               "\"items\":[true,false,{},[]],\"text\":{\"b\":[1,2.5],\"a\":null},\"scalar\":7}");
}

static void the_text_is_indented_as_asked(void **unused) {
    (void)unused;
    struct cor_json_writer *writer = new_writer();
    cor_json_open_array(writer, NULL);
    cor_json_put_integer(writer, NULL, 1);
    cor_json_open_object(writer, NULL);
    cor_json_put_integer(writer, "a", 2);
    cor_json_close(writer);
    cor_json_close(writer);
    check_text(writer, 2, "[\n  1,\n  {\n    \"a\": 2\n  }\n]");
}

static void a_scalar_may_be_the_whole_text(void **unused) {
    (void)unused;
    struct cor_json_writer *writer = new_writer();
    cor_json_put_integer(writer, NULL, -3);
    check_text(writer, 0, "-3");
    writer = new_writer();
    cor_json_put_string(writer, NULL, NULL);
    check_text(writer, 4, "null");
}

static void what_was_read_is_written_as_it_stands(void **unused) {
    (void)unused;
    static const char read[] = "{\"z\":[1,0.10000000000000001,{\"y\":null}],\"a\":\"\\n\"}";
    struct cor_json_document *document = NULL;
    assert_int_equal(cor_json_parse(read, "t", &document, NULL), COR_OK);
    struct cor_json root = cor_json_root(document), last = cor_json_at(&root, 1);
    struct cor_json_writer *writer = new_writer();
    cor_json_put_value(writer, NULL, &root);
    struct cor_json_writer *other = new_writer();
    cor_json_open_object(other, NULL);
    cor_json_put_value(other, "b", &last);
    cor_json_close(other);
    cor_json_destroy(document); /* copies */
    check_text(writer, 0, read);
    check_text(other, 0, "{\"b\":\"\\n\"}");
}

static void a_writer_may_be_given_up_half_way(void **unused) {
    (void)unused;
    struct cor_json_writer *writer = new_writer();
    cor_json_open_object(writer, NULL);
    cor_json_put_bool(writer, "begun", true);
    cor_json_writer_destroy(writer);
    cor_json_writer_destroy(NULL);
}

static void reals_that_are_no_numbers_are_written_as_null(void **unused) {
    (void)unused;
    struct cor_json_writer *writer = new_writer();
    cor_json_open_array(writer, NULL);
    cor_json_put_real(writer, NULL, NAN);
    cor_json_put_real(writer, NULL, INFINITY);
    cor_json_put_real(writer, NULL, -INFINITY);
    cor_json_put_real(writer, NULL, -0.0);
    cor_json_put_real(writer, NULL, 1);
    cor_json_put_real(writer, NULL, 0.1);
    cor_json_close(writer);
    check_text(writer, 0, "[null,null,null,-0.0,1.0,0.10000000000000001]");
}

/* The fewest of 15 to 17 digits that are read back as the number; texts that look like one stay as they are.
 */
static void numbers_have_as_few_digits_as_give_them_back(void **unused) {
    (void)unused;
    const struct {
        double real;
        const char *text;
    } cases[] = {{0.7, "0.7"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {2.0 / 3, "0.6666666666666666"},
                 {1e300, "1e300"},
                 {1.5e-7, "1.5e-7"},
                 {-1.1e-300, "-1.1e-300"},
                 {123456789012345678.0, "1.2345678901234568e17"},
                 {1e17, "1e17"},
                 {99999999999999.9, "99999999999999.9"},
                 {9007199254740993.0, "9007199254740992.0"},
                 {4645537336264760.0, "4645537336264760.0"}, /* with an exponent it would be longer */
                 {-47373945956807520.0, "-47373945956807520.0"},
                 {5e-324, "4.94065645841247e-324"},
                 {0x1p149, "7.1362384635298e44"}}; /* which 16 digits do not give back */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cor_json_writer *writer = new_writer();
        cor_json_put_real(writer, NULL, cases[i].real);
        check_text(writer, 1, cases[i].text);
    }
    struct cor_json_writer *writer = new_writer();
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "0.69999999999999996", "0.69999999999999996");
    cor_json_put_string(writer, "\\", "a\"0.69999999999999996\\");
    cor_json_put_integer(writer, "", INT64_MIN);
    cor_json_put_real(writer, "1.10000000000000009", 0.69999999999999996);
    cor_json_close(writer);
    check_text(writer, 1,
               "{\n \"0.69999999999999996\": \"0.69999999999999996\",\n"
               " \"\\\\\": \"a\\\"0.69999999999999996\\\\\",\n"
               " \"\": -9223372036854775808,\n \"1.10000000000000009\": 0.7\n}");
    writer = new_writer();
    cor_json_open_array(writer, NULL);
    cor_json_put_real(writer, NULL, 0.7);
    cor_json_close(writer);
    check_text(writer, -1, "[\n 0.69999999999999996\n]");
}

/* Doubles of any bits, and integers and words, written and read again. */
static void check_read_back(int indent) {
    enum { COUNT = 5000 };
    static uint64_t bits[COUNT];
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 17});
    struct cor_json_writer *writer = new_writer();
    cor_json_open_array(writer, NULL);
    for (size_t i = 0; i < COUNT; i++) {
        double real;
        int64_t integer;
        do {
            bits[i] = i < 4 ? (uint64_t)i : cor_rng_word(&rng); /* zero and the smallest denormals too */
            memcpy(&real, &bits[i], sizeof real);
        } while (!isfinite(real));
        memcpy(&integer, &bits[i], sizeof integer);
        cor_json_put_real(writer, NULL, real);
        cor_json_put_integer(writer, NULL, integer);
        cor_json_put_word(writer, NULL, bits[i]);
    }
    cor_json_close(writer);
    char *text;
    assert_int_equal(cor_json_text_take(writer, indent, &text, NULL), COR_OK);
    struct cor_json_document *document = NULL;
    assert_int_equal(cor_json_parse(text, "t", &document, NULL), COR_OK);
    free(text);
    struct cor_json root = cor_json_root(document);
    assert_int_equal(cor_json_size(&root), 3 * COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        struct cor_json reals = cor_json_at(&root, 3 * i), integers = cor_json_at(&root, 3 * i + 1),
                        words = cor_json_at(&root, 3 * i + 2);
        double real = 0;
        int64_t integer = 0;
        uint64_t word = 0;
        assert_int_equal(cor_json_real(&reals, -INFINITY, INFINITY, &real, NULL), COR_OK);
        assert_int_equal(cor_json_integer(&integers, INT64_MIN, INT64_MAX, &integer, NULL), COR_OK);
        assert_int_equal(cor_json_word(&words, &word, NULL), COR_OK);
        assert_memory_equal(&real, &bits[i], sizeof real);
        assert_memory_equal(&integer, &bits[i], sizeof integer);
        assert_true(word == bits[i]);
    }
    cor_json_destroy(document);
}

static void numbers_written_are_read_back_bit_by_bit(void **unused) {
    (void)unused;
    check_read_back(0);
    check_read_back(1);
}

/* 63 levels can be written, and can be read again. */
static void what_is_nested_63_deep_is_written_and_parsed(void **unused) {
    (void)unused;
    char expected[200] = "";
    struct cor_json_writer *writer = new_writer();
    for (int i = 0; i < 63; i++) {
        cor_json_open_array(writer, NULL);
        strcat(expected, "[");
    }
    for (int i = 0; i < 63; i++) {
        cor_json_close(writer);
        strcat(expected, "]");
    }
    struct cor_json_document *document = NULL;
    assert_int_equal(cor_json_parse(expected, "t", &document, NULL), COR_OK);
    cor_json_destroy(document);
    check_text(writer, 0, expected);
}

static void check_refused(struct cor_json_writer *writer) {
    struct cor_error error = COR_NO_ERROR;
    char *text;
    assert_int_equal(cor_json_text_take(writer, 0, &text, &error), COR_STATUS_INPUT);
    assert_null(text);
    assert_int_equal(error.status, COR_STATUS_INPUT);
    assert_string_equal(error.cause, "a text to be written is no valid UTF-8 or no JSON");
}

static void bad_text_is_refused(void **unused) {
    (void)unused;
    struct cor_json_writer *writer = new_writer();
    cor_json_put_string(writer, NULL, "wint\xe9r");
    check_refused(writer);
    static const char *const bad[] = {"", "[1", "[1] 2", "nul", "\"\xff\"", "{\"a\":1,}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        writer = new_writer();
        cor_json_put_text(writer, NULL, bad[i]);
        check_refused(writer);
    }
}

/* After a failure anything may still be put, at any depth; nothing of it counts. */
static void what_is_put_after_a_failure_does_not_count(void **unused) {
    (void)unused;
    struct cor_json_writer *writer = new_writer();
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "bad", "\xff");
    cor_json_open_array(writer, "array");
    cor_json_put_text(writer, NULL, "[1]");
    cor_json_put_text(writer, NULL, "[1");
    cor_json_open_object(writer, NULL);
    cor_json_put_real(writer, "real", 0.5);
    cor_json_close(writer);
    cor_json_close(writer);
    cor_json_put_integer(writer, "more", 1);
    cor_json_close(writer);
    check_refused(writer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_value_is_written_as_json),
        cmocka_unit_test(the_text_is_indented_as_asked),
        cmocka_unit_test(a_scalar_may_be_the_whole_text),
        cmocka_unit_test(what_was_read_is_written_as_it_stands),
        cmocka_unit_test(a_writer_may_be_given_up_half_way),
        cmocka_unit_test(reals_that_are_no_numbers_are_written_as_null),
        cmocka_unit_test(numbers_have_as_few_digits_as_give_them_back),
        cmocka_unit_test(numbers_written_are_read_back_bit_by_bit),
        cmocka_unit_test(what_is_nested_63_deep_is_written_and_parsed),
        cmocka_unit_test(bad_text_is_refused),
        cmocka_unit_test(what_is_put_after_a_failure_does_not_count),
    };
    return cmocka_run_group_tests_name("json_write", tests, NULL, NULL);
}
