/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading values: every getter with good and bad values, and the exact words of its complaints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/json.h>
#include <corridor/terms.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct cor_json_document *parsed(const char *text) {
    struct cor_json_document *document = NULL;
    struct cor_error error = COR_NO_ERROR;
    enum cor_status status = cor_json_parse(text, "t", &document, &error);
    if (status != COR_OK)
        print_error("%s: %s\n", text, error.cause);
    assert_int_equal(status, COR_OK);
    return document;
}

/* What a getter makes of a value, whatever it is. */
union found {
    int64_t integer;
    double real;
    bool truth;
    const char *string;
    uint64_t word;
    int number;
};

typedef enum cor_status getter(const struct cor_json *json, union found *found, struct cor_error *error);

static enum cor_status get_integer(const struct cor_json *json, union found *found, struct cor_error *error) {
    return cor_json_integer(json, 1, 5, &found->integer, error);
}

static enum cor_status get_any_integer(const struct cor_json *json, union found *found,
                                       struct cor_error *error) {
    return cor_json_integer(json, INT64_MIN, INT64_MAX, &found->integer, error);
}

static enum cor_status get_real(const struct cor_json *json, union found *found, struct cor_error *error) {
    return cor_json_real(json, -0.5, 1, &found->real, error);
}

static enum cor_status get_any_real(const struct cor_json *json, union found *found,
                                    struct cor_error *error) {
    return cor_json_real(json, -INFINITY, INFINITY, &found->real, error);
}

static enum cor_status get_bool(const struct cor_json *json, union found *found, struct cor_error *error) {
    return cor_json_bool(json, &found->truth, error);
}

static enum cor_status get_string(const struct cor_json *json, union found *found, struct cor_error *error) {
    return cor_json_string(json, &found->string, error);
}

static enum cor_status get_word(const struct cor_json *json, union found *found, struct cor_error *error) {
    return cor_json_word(json, &found->word, error);
}

static enum cor_status get_measure(const struct cor_json *json, union found *found, struct cor_error *error) {
    return cor_json_term(json, COR_FAMILY_MEASURE, &found->number, error);
}

static enum cor_status get_object(const struct cor_json *json, union found *found, struct cor_error *error) {
    static const char *const keys[] = {"size_min", "size_max", "name", NULL};
    (void)found;
    return cor_json_expect_object(json, keys, error);
}

static enum cor_status get_any_object(const struct cor_json *json, union found *found,
                                      struct cor_error *error) {
    (void)found;
    return cor_json_expect_object(json, NULL, error);
}

static enum cor_status get_pair(const struct cor_json *json, union found *found, struct cor_error *error) {
    (void)found;
    return cor_json_expect_array(json, 2, 2, error);
}

static enum cor_status get_two_or_three(const struct cor_json *json, union found *found,
                                        struct cor_error *error) {
    (void)found;
    return cor_json_expect_array(json, 2, 3, error);
}

static enum cor_status get_some(const struct cor_json *json, union found *found, struct cor_error *error) {
    (void)found;
    return cor_json_expect_array(json, 1, SIZE_MAX, error);
}

static enum cor_status get_member(const struct cor_json *json, union found *found, struct cor_error *error) {
    struct cor_json child;
    (void)found;
    return cor_json_need(json, "name", &child, error);
}

/* {"v": value} read with a getter; the error as text. */
static enum cor_status get(getter *get_value, const char *value, union found *found, char *text,
                           size_t size) {
    char file[400];
    snprintf(file, sizeof file, "{\"v\": %s}", value);
    struct cor_json_document *document = parsed(file);
    struct cor_json root = cor_json_root(document), child;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_json_need(&root, "v", &child, &error), COR_OK);
    enum cor_status status = get_value(&child, found, &error);
    assert_int_equal(status, error.status);
    cor_error_text(&error, text, size);
    cor_json_destroy(document);
    return status;
}

struct bad_value {
    getter *get;
    const char *value, *complaint;
};

#define NO_WORD "\n  write it as \"0x...\" with up to 16 hexadecimal digits, or as an integer from 0"

static const struct bad_value bad_values[] = {
    {get_integer, "0", "t: /v: is 0, expected 1 to 5"},
    {get_integer, "6", "t: /v: is 6, expected 1 to 5"},
    {get_integer, "-9223372036854775808", "t: /v: is -9223372036854775808, expected 1 to 5"},
    {get_integer, "3.0", "t: /v: is a real number, expected an integer"},
    {get_integer, "1e0", "t: /v: is a real number, expected an integer"},
    {get_integer, "\"3\"", "t: /v: is a string, expected an integer"},
    {get_integer, "null", "t: /v: is null, expected an integer"},
    {get_integer, "true", "t: /v: is true or false, expected an integer"},
    {get_integer, "{}", "t: /v: is an object, expected an integer"},
    {get_integer, "[3]", "t: /v: is an array, expected an integer"},
    {get_real, "-0.500001", "t: /v: is -0.500001, expected -0.5 to 1"},
    {get_real, "2", "t: /v: is 2, expected -0.5 to 1"},
    {get_real, "1e308", "t: /v: is 1e+308, expected -0.5 to 1"},
    {get_real, "\"1\"", "t: /v: is a string, expected a number"},
    {get_real, "null", "t: /v: is null, expected a number"},
    {get_bool, "1", "t: /v: is an integer, expected true or false"},
    {get_bool, "\"true\"", "t: /v: is a string, expected true or false"},
    {get_string, "0.5", "t: /v: is a real number, expected a string"},
    {get_string, "null", "t: /v: is null, expected a string"},
    {get_word, "-1", "t: /v: is no unsigned 64-bit number" NO_WORD},
    {get_word, "1.0", "t: /v: is no unsigned 64-bit number" NO_WORD},
    {get_word, "{}", "t: /v: is no unsigned 64-bit number" NO_WORD},
    {get_word, "\"\"", "t: /v: \"\" is no unsigned 64-bit number" NO_WORD},
    {get_word, "\"0x\"", "t: /v: \"0x\" is no unsigned 64-bit number" NO_WORD},
    {get_word, "\"0X1\"", "t: /v: \"0X1\" is no unsigned 64-bit number" NO_WORD},
    {get_word, "\"12\"", "t: /v: \"12\" is no unsigned 64-bit number" NO_WORD},
    {get_word, "\"0x1g\"", "t: /v: \"0x1g\" is no unsigned 64-bit number" NO_WORD},
    {get_word, "\"0x-1\"", "t: /v: \"0x-1\" is no unsigned 64-bit number" NO_WORD},
    {get_word, "\"0x00112233445566778\"",
     "t: /v: \"0x00112233445566778\" is no unsigned 64-bit number" NO_WORD},
    {get_measure, "\"rang\"",
     "t: /v: unknown word \"rang\"\n  did you mean \"range\"? known: range, max_deviation, rms"},
    {get_measure, "\"other\"", "t: /v: unknown word \"other\"\n  known: range, max_deviation, rms"},
    {get_measure, "1", "t: /v: is an integer, expected a string"},
    {get_object, "[]", "t: /v: is an array, expected an object"},
    {get_object, "{\"size_min\": 1, \"size_mxa\": 2}",
     "t: /v/size_mxa: unknown key \"size_mxa\"\n  did you mean \"size_max\"? known: size_min, size_max, "
     "name"},
    {get_object, "{\"a/b~c\": 1}", "t: /v/a~1b~0c: unknown key \"a/b~c\"\n  known: size_min, size_max, name"},
    {get_any_object, "3", "t: /v: is an integer, expected an object"},
    {get_pair, "[1]", "t: /v: has 1 items, expected 2"},
    {get_pair, "{}", "t: /v: is an object, expected an array"},
    {get_two_or_three, "[]", "t: /v: has 0 items, expected 2 to 3"},
    {get_two_or_three, "[1,2,3,4]", "t: /v: has 4 items, expected 2 to 3"},
    {get_some, "[]", "t: /v: has 0 items, expected at least 1"},
    {get_member, "{}", "t: /v: lacks the key \"name\""},
    {get_member, "[]", "t: /v: is an array, expected an object"},
};

static void bad_values_are_refused_with_their_place(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof bad_values / sizeof *bad_values; i++) {
        char text[600];
        union found found = {.word = 0x5555555555555555};
        assert_int_equal(get(bad_values[i].get, bad_values[i].value, &found, text, sizeof text),
                         COR_STATUS_INPUT);
        assert_string_equal(text, bad_values[i].complaint);
        if (bad_values[i].get != get_string && bad_values[i].get != get_measure)
            assert_true(found.word == 0x5555555555555555); /* untouched */
    }
}

struct good_value {
    getter *get;
    const char *value;
    union found expected;
};

static const struct good_value good_values[] = {
    {get_integer, "1", {.integer = 1}},
    {get_integer, "5", {.integer = 5}},
    {get_any_integer, "9223372036854775807", {.integer = INT64_MAX}},
    {get_any_integer, "-9223372036854775808", {.integer = INT64_MIN}},
    {get_any_integer, "-0", {.integer = 0}},
    {get_real, "-0.5", {.real = -0.5}},
    {get_real, "1", {.real = 1}},
    {get_real, "0.1", {.real = 0.1}},
    {get_real, "1e-400", {.real = 0}},
    {get_real, "-0.0", {.real = -0.0}},
    {get_any_real, "1.7976931348623157e308", {.real = 0x1.fffffffffffffp1023}},
    {get_any_real, "4.9406564584124654e-324", {.real = 0x1p-1074}},
    {get_any_real, "0.30000000000000004", {.real = 0x1.3333333333334p-2}},
    {get_word, "0", {.word = 0}},
    {get_word, "9223372036854775807", {.word = INT64_MAX}},
    {get_word, "\"0x0\"", {.word = 0}},
    {get_word, "\"0xffFFffffffffffff\"", {.word = UINT64_MAX}},
    {get_word, "\"0x0123456789abcdef\"", {.word = 0x0123456789ABCDEF}},
};

static void numbers_are_read_exactly(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof good_values / sizeof *good_values; i++) {
        char text[600];
        union found found = {.word = 0x5555555555555555};
        assert_int_equal(get(good_values[i].get, good_values[i].value, &found, text, sizeof text), COR_OK);
        assert_true(found.word == good_values[i].expected.word);
    }
}

static void bools_words_objects_and_arrays_are_read(void **unused) {
    (void)unused;
    char text[600];
    union found found = {0};
    assert_int_equal(get(get_bool, "true", &found, text, sizeof text), COR_OK);
    assert_true(found.truth);
    assert_int_equal(get(get_bool, "false", &found, text, sizeof text), COR_OK);
    assert_false(found.truth);
    for (const struct cor_term *term = cor_terms(COR_FAMILY_MEASURE); term->word; term++) {
        char value[40];
        snprintf(value, sizeof value, "\"%s\"", term->word);
        assert_int_equal(get(get_measure, value, &found, text, sizeof text), COR_OK);
        assert_int_equal(found.number, term->number);
    }
    assert_int_equal(get(get_object, "{}", &found, text, sizeof text), COR_OK);
    assert_int_equal(get(get_object, "{\"name\": [], \"size_min\": {}}", &found, text, sizeof text), COR_OK);
    assert_int_equal(get(get_any_object, "{\"whatever\": 1}", &found, text, sizeof text), COR_OK);
    assert_int_equal(get(get_pair, "[1,2]", &found, text, sizeof text), COR_OK);
    assert_int_equal(get(get_two_or_three, "[1,2]", &found, text, sizeof text), COR_OK);
    assert_int_equal(get(get_two_or_three, "[1,2,3]", &found, text, sizeof text), COR_OK);
    assert_int_equal(get(get_some, "[1,2,3,4,5]", &found, text, sizeof text), COR_OK);
    assert_int_equal(get(get_member, "{\"name\": null}", &found, text, sizeof text), COR_OK);
}

static void strings_are_read_without_their_escapes(void **unused) {
    (void)unused;
    struct cor_json_document *document =
        parsed("[\"\", \"a\\n\\u00e4\\ud83d\\ude00\", \"\xc3\xa4\", \"\\\"\\\\/\"]");
    static const char *const expected[] = {"", "a\n\xc3\xa4\xf0\x9f\x98\x80", "\xc3\xa4", "\"\\/"};
    struct cor_json root = cor_json_root(document);
    for (size_t i = 0; i < 4; i++) {
        struct cor_json item = cor_json_at(&root, i);
        const char *text = NULL;
        assert_int_equal(cor_json_string(&item, &text, NULL), COR_OK);
        assert_string_equal(text, expected[i]);
    }
    cor_json_destroy(document);
}

static void each_value_is_of_its_kind_only(void **unused) {
    (void)unused;
    static bool (*const is[])(const struct cor_json *) = {cor_json_is_object, cor_json_is_array,
                                                          cor_json_is_string, cor_json_is_integer,
                                                          cor_json_is_number, cor_json_is_null};
    static const char *const expected[] = {"100000", "010000", "001000", "000110",
                                           "000010", "000001", "000000"};
    struct cor_json_document *document = parsed("[{}, [], \"\", 1, 1.0, null, true]");
    struct cor_json root = cor_json_root(document);
    for (size_t i = 0; i < 7; i++) {
        struct cor_json item = cor_json_at(&root, i);
        for (size_t k = 0; k < 6; k++)
            assert_int_equal(is[k](&item), expected[i][k] == '1');
        assert_int_equal(cor_json_size(&item), 0);
    }
    cor_json_destroy(document);
}

static void members_come_in_order_of_the_file(void **unused) {
    (void)unused;
    struct cor_json_document *document = parsed("{\"z\": 1, \"a\": 2, \"\": 3, \"m\": 4}");
    static const char *const keys[] = {"z", "a", "", "m"};
    struct cor_json root = cor_json_root(document), child;
    assert_int_equal(cor_json_size(&root), 4);
    for (size_t i = 0; i < 4; i++) {
        int64_t value = 0;
        struct cor_json member = cor_json_at(&root, i);
        assert_string_equal(member.key, keys[i]);
        assert_int_equal(cor_json_integer(&member, 1, 4, &value, NULL), COR_OK);
        assert_int_equal(value, i + 1);
        assert_true(cor_json_find(&root, keys[i], &child));
        assert_ptr_equal(child.value, member.value);
    }
    assert_false(cor_json_find(&root, "absent", &child));
    child = cor_json_at(&root, 0);
    assert_false(cor_json_find(&child, "z", &child)); /* a number has no members */
    assert_string_equal(cor_json_name(document), "t");
    cor_json_destroy(document);
    cor_json_destroy(NULL);
}

/* What the loop goes through, each as its key, if it has one, number and text, in one line. */
static void check_children(const char *text, const char *expected) {
    struct cor_json_document *document = parsed(text);
    const struct cor_json root = cor_json_root(document);
    char found[200] = "";
    COR_JSON_CHILDREN(child, &root) {
        char *value = cor_json_text(&child);
        const size_t length = strlen(found);
        assert_non_null(value);
        assert_ptr_equal(child.parent, &root);
        COR_JSON_CHILDREN(below, &child)
            assert_true(cor_json_is_array(&child) || cor_json_is_object(&child)); /* others have none */
        snprintf(found + length, sizeof found - length, "%s%s%zu=%s;", child.key ? child.key : "",
                 child.key ? "@" : "", child.index, value);
        free(value);
    }
    assert_string_equal(found, expected);
    cor_json_destroy(document);
}

static void children_are_gone_through_in_order_of_the_file(void **unused) {
    (void)unused;
    check_children("{\"z\": null, \"\": [1, 2], \"a\": {\"b\": 3}, \"m\": false}",
                   "z@0=null;@1=[1,2];a@2={\"b\":3};m@3=false;");
    check_children("[null, {\"b\": 3}, false, []]", "0=null;1={\"b\":3};2=false;3=[];");
    check_children("{}", "");
    check_children("[]", "");
    check_children("[{}]", "0={};");
}

static void check_place(const struct cor_json *json, const char *expected) {
    char text[512];
    cor_json_place(json, text, sizeof text);
    assert_string_equal(text, expected);
}

/* RFC 6901, with "/" standing for the whole value. */
static void places_are_written_as_json_pointers(void **unused) {
    (void)unused;
    struct cor_json_document *document = parsed("{\"~/\": [0, {\"~01\": {\"\": 3}}], \"\xc3\xa4 \": 1}");
    struct cor_json root = cor_json_root(document);
    check_place(&root, "t: /");
    struct cor_json array = cor_json_at(&root, 0), last = cor_json_at(&root, 1);
    check_place(&array, "t: /~0~1");
    check_place(&last, "t: /\xc3\xa4 ");
    struct cor_json object = cor_json_at(&array, 1), inner = cor_json_at(&object, 0);
    check_place(&object, "t: /~0~1/1");
    check_place(&inner, "t: /~0~1/1/~001");
    struct cor_json innermost = cor_json_at(&inner, 0);
    check_place(&innermost, "t: /~0~1/1/~001/");
    cor_json_destroy(document);
}

/* Nothing is written out of bounds, whatever the size; sanitizers look on. */
static void places_are_cut_to_the_room_there_is(void **unused) {
    (void)unused;
    char file[2000];
    for (size_t length = 1; length < 700; length += 23) {
        snprintf(file, sizeof file, "{\"%0*d\": {\"%0*d~/~/~/\": [5, 6]}}", (int)length, 1, (int)length, 2);
        struct cor_json_document *document = parsed(file);
        struct cor_json root = cor_json_root(document);
        struct cor_json outer = cor_json_at(&root, 0), inner = cor_json_at(&outer, 0);
        struct cor_json item = cor_json_at(&inner, 1);
        for (size_t size = 1; size <= 512; size += 7) {
            char *text = malloc(size);
            assert_non_null(text);
            cor_json_place(&item, text, size);
            assert_true(strlen(text) < size);
            free(text);
        }
        struct cor_error error = COR_NO_ERROR;
        assert_int_equal(cor_json_fail(&item, &error, NULL, "%0*d", 3000, 1), COR_STATUS_INPUT);
        cor_json_destroy(document);
    }
}

static void check_position(const char *place, const char *expected) {
    struct cor_error error = {.status = COR_STATUS_INPUT};
    snprintf(error.place, sizeof error.place, "%s", place);
    cor_json_add_position(&error);
    assert_string_equal(error.place, expected);
}

/* Counted by hand: of a member its key, of an item itself; a byte order mark counts for nothing. */
static void places_of_files_get_line_and_column(void **unused) {
    (void)unused;
    static const char text[] = "\xef\xbb\xbf\n"
                               "{\"a\": \"\\\"{[,\", \"\xc3\xa4\": [1,\n"
                               "  [2, {\"\\u0062/\" : null, \"\": 3}],\n"
                               "\t{}  ], \"~\" :true}\n";
    FILE *file = fopen("position.json", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, sizeof text - 1, file), sizeof text - 1);
    assert_int_equal(fclose(file), 0);
    check_position("position.json: /", "position.json:2:1: /");
    check_position("position.json: /a", "position.json:2:2: /a");
    check_position("position.json: /\xc3\xa4", "position.json:2:16: /\xc3\xa4");
    check_position("position.json: /\xc3\xa4/0", "position.json:2:22: /\xc3\xa4/0");
    check_position("position.json: /\xc3\xa4/1/1/b~1", "position.json:3:8: /\xc3\xa4/1/1/b~1");
    check_position("position.json: /\xc3\xa4/1/1/", "position.json:3:26: /\xc3\xa4/1/1/");
    check_position("position.json: /\xc3\xa4/2", "position.json:4:2: /\xc3\xa4/2");
    check_position("position.json: /~0", "position.json:4:9: /~0");
    /* What is not there, is no file or no place in one stays as it is. */
    check_position("position.json: /\xc3\xa4/3", "position.json: /\xc3\xa4/3");
    check_position("position.json: /b", "position.json: /b");
    check_position("position.json:1:2", "position.json:1:2");
    check_position("standard input: /a", "standard input: /a");
    check_position(".: /a", ".: /a");
    check_position("", "");
    remove("position.json");
}

static void the_text_of_a_value_is_what_was_parsed(void **unused) {
    (void)unused;
    const char *text = "{\"z\":[1,-2,0.10000000000000001,true,null],\"a\":{\"b\":\"\\\"\\n\"}}";
    struct cor_json_document *document = parsed(text);
    struct cor_json root = cor_json_root(document);
    struct cor_json array = cor_json_at(&root, 0), item = cor_json_at(&array, 1);
    char *whole = cor_json_text(&root), *part = cor_json_text(&item);
    assert_string_equal(whole, text);
    assert_string_equal(part, "-2");
    free(whole);
    free(part);
    cor_json_destroy(document);
}

/* Texts with all that could mislead who steps over values: brackets, commas and blanks in strings, escapes,
 * values in one another, numbers of 17 digits. */
static const char *const objects[] = {
    "{}",
    " { } ",
    "{\"a\":1}",
    "{\"a\": [1, {\"a\": [2]}, \"] , }\"], \"b\" : \"a \\\" : {\",\"ab\":{\"b\": {}}, \"c\": null}",
    "{\n \"z\": 0.10000000000000001,\n \"a\": \"\\\\\",\n \"b\": [ ] , \"\": -1e-300\n}",
    "{\"\\u0061\": 5, \"b\": [\"\\ud83d\\ude00 \\t\", true]}",
};

/* What is found of the texts without a tree is what is found in it. */
static void members_are_found_in_a_text(void **unused) {
    (void)unused;
    const char *const keys[] = {"a", "b", "", "none", NULL};
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        struct cor_json_document *whole = parsed(objects[i]), *part;
        const struct cor_json all = cor_json_root(whole);
        struct cor_json_member member;
        const char *at = objects[i];
        size_t count = 0;
        for (; cor_json_next_member(&at, &member); count++) {
            const struct cor_json child = cor_json_at(&all, count);
            struct cor_bytes bytes = {0};
            cor_json_squeeze(&bytes, &member);
            char *squeezed = cor_bytes_text_take(&bytes, NULL), *text = cor_json_text(&child);
            if (!strchr(objects[i], 'u')) { /* escapes stay as they are written */
                assert_string_equal(squeezed, text);
                assert_int_equal(cor_json_is_member(&member, keys),
                                 strlen(child.key) < 2 && child.key[0] != 'z' && child.key[0] != 'c');
            }
            free(squeezed);
            free(text);
        }
        assert_int_equal(count, cor_json_size(&all));
        assert_int_equal(cor_json_parse_members(objects[i], "t", keys, &part, NULL), COR_OK);
        const struct cor_json some = cor_json_root(part);
        for (size_t k = 0; keys[k]; k++) {
            struct cor_json one, other;
            assert_int_equal(cor_json_find(&some, keys[k], &one), cor_json_find(&all, keys[k], &other));
            if (!cor_json_find(&all, keys[k], &other))
                continue;
            char *left = cor_json_text(&one), *right = cor_json_text(&other);
            assert_string_equal(left, right);
            free(left);
            free(right);
        }
        cor_json_destroy(part);
        cor_json_destroy(whole);
    }
}

/* Of a text that is no object or no JSON a complaint says so, as if all were parsed. */
static void what_is_no_object_is_refused_as_ever(void **unused) {
    (void)unused;
    static const char *const bad[] = {"",
                                      "[",
                                      "{",
                                      "{\"a\"",
                                      "{\"a\":",
                                      "{\"a\":1",
                                      "{\"a\":1,\"a\":2}",
                                      "x",
                                      "{\"a\":1 \"b\":2",
                                      "{\"a\" 1}",
                                      "{\"a\\",
                                      "{\"a\":[1}"};
    const char *const keys[] = {"a", NULL};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct cor_json_document *document;
        assert_int_equal(cor_json_parse_members(bad[i], "t", keys, &document, NULL), COR_STATUS_INPUT);
        assert_null(document);
    }
    struct cor_json_document *list;
    assert_int_equal(cor_json_parse_members("[1, 2]", "t", keys, &list, NULL), COR_OK);
    const struct cor_json root = cor_json_root(list);
    assert_int_equal(cor_json_size(&root), 2);
    cor_json_destroy(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_values_are_refused_with_their_place),
        cmocka_unit_test(numbers_are_read_exactly),
        cmocka_unit_test(bools_words_objects_and_arrays_are_read),
        cmocka_unit_test(strings_are_read_without_their_escapes),
        cmocka_unit_test(each_value_is_of_its_kind_only),
        cmocka_unit_test(members_come_in_order_of_the_file),
        cmocka_unit_test(children_are_gone_through_in_order_of_the_file),
        cmocka_unit_test(places_are_written_as_json_pointers),
        cmocka_unit_test(places_are_cut_to_the_room_there_is),
        cmocka_unit_test(places_of_files_get_line_and_column),
        cmocka_unit_test(the_text_of_a_value_is_what_was_parsed),
        cmocka_unit_test(members_are_found_in_a_text),
        cmocka_unit_test(what_is_no_object_is_refused_as_ever),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
