/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files that are refused, with what is said about them: the list tests/invalid/cases.txt. Then limits, files
 * that are none, and arbitrary damage.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/array.h>
#include <corridor/json.h>
#include <corridor/rng.h>

#include "invalid_corpus.h"

#define HERE TEST_SOURCE_DIR "/sim/json/tests"

static enum cor_status read_pair(const struct cor_json *pair, struct cor_error *error) {
    enum cor_status status = cor_json_expect_array(pair, 2, 2, error);
    for (size_t i = 0; i < 2 && status == COR_OK; i++) {
        struct cor_json item = cor_json_at(pair, i);
        int64_t value;
        status = cor_json_integer(&item, 0, 100, &value, error);
    }
    return status;
}

static enum cor_status read_pairs(const struct cor_json *pairs, struct cor_error *error) {
    enum cor_status status = cor_json_expect_array(pairs, 0, SIZE_MAX, error);
    for (size_t i = 0; status == COR_OK && i < cor_json_size(pairs); i++) {
        struct cor_json pair = cor_json_at(pairs, i);
        status = read_pair(&pair, error);
    }
    return status;
}

static enum cor_status read_member(const struct cor_json *member, size_t which, struct cor_error *error) {
    int64_t integer;
    double real;
    const char *string;
    uint64_t word;
    bool truth;
    int number;
    switch (which) {
    case 0:
        return cor_json_string(member, &string, error);
    case 1:
        return cor_json_integer(member, 0, 100, &integer, error);
    case 2:
        return cor_json_real(member, 0, 1, &real, error);
    case 3:
        return cor_json_word(member, &word, error);
    case 4:
        return cor_json_bool(member, &truth, error);
    case 5:
        return cor_json_term(member, COR_FAMILY_MEASURE, &number, error);
    default:
        return read_pairs(member, error);
    }
}

static enum cor_status read_value(const struct cor_json_document *document, struct cor_error *error) {
    static const char *const keys[] = {"name", "count", "ratio", "seed", "strict", "measure", "pairs", NULL};
    struct cor_json root = cor_json_root(document), member;
    enum cor_status status = cor_json_expect_object(&root, keys, error);
    for (size_t i = 0; keys[i] && status == COR_OK; i++) {
        status = cor_json_need(&root, keys[i], &member, error);
        if (status == COR_OK)
            status = read_member(&member, i, error);
    }
    return status;
}

static enum cor_status read_file(const char *path, struct cor_error *error) {
    struct cor_json_document *document = NULL;
    enum cor_status status = cor_json_read(path, &document, error);
    assert_int_equal(status == COR_OK, document != NULL);
    if (status == COR_OK)
        status = read_value(document, error);
    cor_json_destroy(document);
    assert_int_equal(status, error->status);
    return status;
}

static size_t whole_file(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    size_t length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    fclose(file);
    return length;
}

static void invalid_files_are_refused_in_the_words_expected(void **unused) {
    (void)unused;
    invalid_corpus(HERE "/invalid/cases.txt", 30, read_file);
}

static void a_valid_file_is_read(void **unused) {
    (void)unused;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(read_file(HERE "/valid.json", &error), COR_OK);
}

static enum cor_status parse_only(const char *text, struct cor_error *error) {
    struct cor_json_document *document = NULL;
    enum cor_status status = cor_json_parse(text, "t", &document, error);
    cor_json_destroy(document);
    return status;
}

static void check_depth(unsigned depth, const char *open, const char *core, const char *close, bool allowed) {
    char text[1000] = "";
    for (unsigned i = 0; i < depth; i++)
        strcat(text, open);
    strcat(text, core);
    for (unsigned i = 0; i < depth; i++)
        strcat(text, close);
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(parse_only(text, &error), allowed ? COR_OK : COR_STATUS_INPUT);
    assert_string_equal(error.cause, allowed ? "" : "is nested deeper than 64 levels");
    assert_string_equal(error.place, allowed ? "" : "t");
}

static void texts_nested_deeper_than_64_levels_are_refused(void **unused) {
    (void)unused;
    check_depth(64, "[", "", "]", true);
    check_depth(64, "[", "1", "]", true); /* a number is no level */
    check_depth(65, "[", "", "]", false);
    check_depth(64, "{\"a\":", "{}", "}", false);
    check_depth(64, "{\"a\":", "null", "}", true);
    check_depth(32, "[{\"a\":", "\"x\"", "}]", true);
    check_depth(32, "[1,{\"b\":[],\"a\":", "[]", "}]", false);
}

/* {"0": 0, "1": 1, ...} */
static char *many_members(unsigned count) {
    char *text = malloc(count * 16 + 3), *at = text;
    assert_non_null(text);
    *at++ = '{';
    for (unsigned i = 0; i < count; i++)
        at += sprintf(at, "%s\"%u\":%u", i > 0 ? "," : "", i, i);
    strcpy(at, "}");
    return text;
}

static void objects_of_more_than_10000_members_are_refused(void **unused) {
    (void)unused;
    struct cor_error error = COR_NO_ERROR;
    char *text = many_members(10000);
    struct cor_json_document *document = NULL;
    assert_int_equal(cor_json_parse(text, "t", &document, &error), COR_OK);
    free(text);
    struct cor_json root = cor_json_root(document), last = cor_json_at(&root, 9999);
    assert_int_equal(cor_json_size(&root), 10000);
    assert_string_equal(last.key, "9999");
    cor_json_destroy(document);
    text = many_members(10001);
    assert_int_equal(parse_only(text, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "has an object of more than 10000 members");
    free(text);
}

static void check_large_file(size_t bytes, const char *cause) {
    char path[] = "test_json_XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(ftruncate(descriptor, (off_t)bytes), 0);
    close(descriptor);
    struct cor_error error = COR_NO_ERROR;
    struct cor_json_document *document = NULL;
    enum cor_status status = cor_json_read(path, &document, &error);
    unlink(path);
    assert_int_equal(status, COR_STATUS_INPUT);
    assert_string_equal(error.cause, cause);
    assert_null(document);
}

/* Writes the text into a file and reads it again, length included. */
static void check_text_of_file(const char *written, size_t length, const char *expected) {
    char path[] = "test_json_XXXXXX", *text = NULL;
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, written, length), length);
    close(descriptor);
    struct cor_error error = COR_NO_ERROR;
    enum cor_status status = cor_json_read_text(path, &text, &length, &error);
    unlink(path);
    assert_int_equal(status, COR_OK);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
    free(text);
}

static void a_byte_order_mark_is_no_part_of_a_text(void **unused) {
    (void)unused;
    check_text_of_file("\xEF\xBB\xBF{}", 5, "{}");
    check_text_of_file("\xEF\xBB\xBF", 3, "");
    check_text_of_file("\xEF\xBB", 2, "\xEF\xBB");
    check_text_of_file("\xEF\xBB\xBF\xEF\xBB\xBF", 6, "\xEF\xBB\xBF");
    check_text_of_file("", 0, "");
}

/* Of NUL bytes, so that nothing is stored: the largest file is looked at, one byte more is not. */
static void files_larger_than_64_mib_are_refused(void **unused) {
    (void)unused;
    check_large_file(COR_JSON_BYTES_MAX, "is not valid JSON: '[' or '{' expected near end of file");
    check_large_file((size_t)COR_JSON_BYTES_MAX + 1, "is larger than 64 MiB");
}

static void a_file_that_cannot_be_read_is_told_with_its_path(void **unused) {
    (void)unused;
    struct cor_error error = COR_NO_ERROR, other = COR_NO_ERROR;
    assert_int_equal(chdir(HERE), 0);
    assert_int_equal(read_file("absent.json", &error), COR_STATUS_FILE);
    assert_string_equal(error.place, "absent.json");
    assert_string_equal(error.cause, "cannot open: No such file or directory");
    assert_int_equal(read_file("invalid", &other), COR_STATUS_INPUT);
    assert_string_equal(other.place, "invalid");
    assert_string_equal(other.cause, "is a folder, not a file");
}

static void a_dash_reads_standard_input(void **unused) {
    (void)unused;
    assert_non_null(freopen(HERE "/valid.json", "rb", stdin));
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(read_file("-", &error), COR_OK);
    assert_int_equal(read_file("-", &error), COR_STATUS_INPUT); /* at its end by now */
    assert_string_equal(error.place, "standard input:1:0");
    assert_non_null(freopen(HERE "/invalid", "rb", stdin));
    error = COR_NO_ERROR;
    assert_int_equal(read_file("-", &error), COR_STATUS_INPUT);
    assert_string_equal(error.place, "standard input");
    assert_string_equal(error.cause, "is a folder, not a file");
}

static const char *const pieces[] = {
    "\"",  "[",      "]",  "{", "}",    ":",     ",",    "1e",      "null", "true",
    "\\u", "\\ud83", "0x", "-", "1e99", "[[[[[", "\xff", "\"a\":1", "\xc3", "9999999999999999999"};

/* One damage to a text of `length` bytes in a buffer of `size`; the new length. */
static size_t damage(struct cor_rng *rng, char *text, size_t length, size_t size) {
    uint32_t kind = cor_rng_below(rng, 4), at = cor_rng_below(rng, (uint32_t)length + 1);
    uint32_t some = cor_rng_below(rng, 12);
    if (kind == 0 && at < length) {
        text[at] = (char)(1 + cor_rng_below(rng, 255));
    } else if (kind == 1) { /* cut out */
        size_t end = at + some < length ? at + some : length;
        memmove(text + at, text + end, length - end + 1);
        length -= end - at;
    } else { /* put in: a piece of syntax, or a stretch of the text itself */
        const char *piece = pieces[cor_rng_below(rng, sizeof pieces / sizeof *pieces)];
        char copy[32];
        uint32_t from = cor_rng_below(rng, (uint32_t)length + 1);
        snprintf(copy, sizeof copy, "%.*s", kind == 2 ? 31 : (int)some, kind == 2 ? piece : text + from);
        size_t more = strlen(copy);
        if (length + more + 1 <= size) {
            memmove(text + at + more, text + at, length - at + 1);
            memcpy(text + at, copy, more);
            length += more;
        }
    }
    return length;
}

/* Whatever the text is, it is read or refused with words; sanitizers watch for everything else. */
static void damaged_texts_are_read_or_refused_with_words(void **unused) {
    (void)unused;
    char valid[1024], text[2048], cause[1024];
    size_t length = whole_file(HERE "/valid.json", valid, sizeof valid), accepted = 0, refused[2] = {0};
    assert_true(length > 100);
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 20000});
    for (int i = 0; i < 20000; i++) {
        memcpy(text, valid, length + 1);
        size_t now = length;
        uint32_t times = 1 + cor_rng_below(&rng, 4);
        while (times-- > 0)
            now = damage(&rng, text, now, sizeof text);
        struct cor_json_document *document = NULL;
        struct cor_error error = COR_NO_ERROR;
        enum cor_status status = cor_json_parse(text, "t", &document, &error);
        bool syntax = status != COR_OK;
        if (!syntax)
            status = read_value(document, &error);
        cor_json_destroy(document);
        assert_true(status == COR_OK || status == COR_STATUS_INPUT);
        assert_int_equal(error.status, status);
        cor_error_text(&error, cause, sizeof cause);
        assert_int_equal(status != COR_OK, strncmp(cause, "t:", 2) == 0);
        if (status == COR_OK)
            accepted++;
        else
            refused[syntax]++;
    }
    /* The damage is of all sorts: some harmless, some to the syntax, some to the values. */
    assert_true(accepted > 100 && refused[0] > 100 && refused[1] > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_byte_order_mark_is_no_part_of_a_text),
        cmocka_unit_test(files_larger_than_64_mib_are_refused),
        cmocka_unit_test(invalid_files_are_refused_in_the_words_expected),
        cmocka_unit_test(a_valid_file_is_read),
        cmocka_unit_test(texts_nested_deeper_than_64_levels_are_refused),
        cmocka_unit_test(objects_of_more_than_10000_members_are_refused),
        cmocka_unit_test(a_file_that_cannot_be_read_is_told_with_its_path),
        cmocka_unit_test(damaged_texts_are_read_or_refused_with_words),
        cmocka_unit_test(a_dash_reads_standard_input),
    };
    return cmocka_run_group_tests_name("json_invalid", tests, NULL, NULL);
}
