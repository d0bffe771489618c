/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names that no result file may have, as text of XML and TAP; what such files have is in the tests of the
 * program, where parsers read it back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/arms.h>
#include <corridor/cells.h>
#include <corridor/verdicts.h>

#include <stdlib.h>
#include <string.h>

#define FAULTY "{\"algorithm\":\"a\\u0001\",\"fault\":\"<f>\",\"monitor\":\"none\",\"adoption\":\"none\"}"

typedef enum cor_status write_verdicts(const struct cor_measurement *measurement, FILE *file,
                                       struct cor_error *error);

/* The text of one arm with a suite, 7 reorganizations, and a gray failure. */
static char *text_of(write_verdicts *write, const char *name, const char *description,
                     const char *experiment) {
    const struct cor_catalog_entry entry = {.name = name, .description = description};
    struct cor_result_header head = {.experiment = experiment, .seed = 1, .complete = 1};
    struct cor_arm_measurement *arm = calloc(1, sizeof *arm);
    struct cor_measurement measurement = {.head = &head, .arm = arm, .arm_count = 1};
    struct cor_error error = COR_NO_ERROR;
    char *text = NULL;
    size_t size;
    arm->entry = &entry;
    assert_int_equal(cor_arm_has_fault(&entry, &arm->has_fault, NULL), COR_OK);
    arm->suites = 1;
    arm->tally.reorganizations = 7;
    arm->tally.gray = 1;
    FILE *file = open_memstream(&text, &size);
    assert_int_equal(write(&measurement, file, &error), COR_OK);
    fclose(file);
    free(arm);
    return text;
}

/* What came of an arm with these counts, in a word and a sentence. */
static void expect_outcome(const char *description, const struct cor_tally *tally,
                           enum cor_arm_outcome outcome, const char *message) {
    const struct cor_catalog_entry entry = {.name = "x", .description = description};
    struct cor_arm_measurement *arm = calloc(1, sizeof *arm);
    arm->entry = &entry;
    assert_int_equal(cor_arm_has_fault(&entry, &arm->has_fault, NULL), COR_OK);
    arm->suites = 1;
    arm->tally = *tally;
    struct cor_arm_verdict verdict = cor_arm_verdict(arm);
    assert_int_equal(verdict.outcome, outcome);
    assert_string_equal(verdict.message, message);
    struct cor_measurement measurement = {.arm = arm, .arm_count = 1};
    struct cor_view_findings findings = cor_verdict_findings(&measurement);
    assert_int_equal(findings.undetected, outcome == COR_ARM_NOT_FOUND);
    assert_int_equal(findings.unreached, outcome == COR_ARM_NOT_REACHED);
    assert_int_equal(findings.unexpected, outcome == COR_ARM_FAILS);
    assert_int_equal(findings.undecided, outcome == COR_ARM_UNDECIDED);
    free(arm);
}

static void what_was_never_activated_is_not_reached_and_not_said_to_be_missed(void **state) {
    static const char faulty[] = "{\"fault\": \"f1\"}", sound[] = "{\"fault\": \"none\"}";
    (void)state;
    expect_outcome(faulty, &(struct cor_tally){.reorganizations = 9, .reached = 3, .reached_times = 1691},
                   COR_ARM_NOT_REACHED,
                   "fault not reached: never activated in 9 reorganizations; its seam ran 1691 times, its "
                   "condition held "
                   "0");
    expect_outcome(faulty, &(struct cor_tally){.reorganizations = 9, .activated = 2, .masked = 2},
                   COR_ARM_NOT_FOUND,
                   "fault not found: activated in 2 of 9 reorganizations, and no check failed");
    expect_outcome(faulty, &(struct cor_tally){.reorganizations = 9, .activated = 2, .gray = 1, .black = 1},
                   COR_ARM_FOUND, "fault found by gray and black");
    expect_outcome(faulty, &(struct cor_tally){.alarms_missed = 1}, COR_ARM_FOUND, "fault found by detect");
    expect_outcome(faulty, &(struct cor_tally){.agreement_failed = 1, .alarms_false = 1, .time_failed = 2},
                   COR_ARM_FOUND, "fault found by agreement, detect and time");
    expect_outcome(
        sound, &(struct cor_tally){.reorganizations = 9, .time_failed = 3}, COR_ARM_FAILS,
        "a check failed without a fault: gray 0, black 0 (smoke 0), agreement 0, alarms missed 0, false 0, "
        "rules of time 3");
    expect_outcome(
        sound, &(struct cor_tally){.reorganizations = 9, .moves_failed = 3}, COR_ARM_FAILS,
        "a check failed without a fault: gray 0, black 0 (smoke 0), agreement 0, alarms missed 0, false 0, "
        "moves 3");
    expect_outcome(sound, &(struct cor_tally){.reorganizations = 9}, COR_ARM_PASSES,
                   "no fault, and no check failed in 9 reorganizations");
    /* Nothing was asked of the algorithm: whatever the monitor was seen to do, that is no pass. */
    expect_outcome(sound, &(struct cor_tally){.detect_judged = 12}, COR_ARM_UNDECIDED,
                   "the algorithm was never called: no reorganization in 0 cases, so no check of it could "
                   "fail");
    expect_outcome(sound, &(struct cor_tally){.alarms_missed = 1}, COR_ARM_FAILS,
                   "a check failed without a fault: gray 0, black 0 (smoke 0), agreement 0, alarms missed 1, "
                   "false 0");
    expect_outcome(
        sound, &(struct cor_tally){.reorganizations = 50, .gray = 46, .gray_unprovoked = 46}, COR_ARM_FAILS,
        "a check failed without a fault: gray 46, black 0 (smoke 0), agreement 0, alarms missed 0, false 0");
}

static void expect(write_verdicts *write, const char *name, const char *line) {
    char *text = text_of(write, name, FAULTY, "{\"name\": \"e\"}");
    if (!strstr(text, line))
        fail_msg("%s\nhas not: %s", text, line);
    free(text);
}

static void names_are_escaped_in_xml(void **state) {
    (void)state;
    expect(cor_verdicts_junit, "<a&b>\"'", "classname=\"e\" name=\"&#60;a&#38;b&#62;&#34;&#39;\">\n");
    expect(cor_verdicts_junit, "a\tb\nc\rd", "name=\"a&#9;b&#10;c&#13;d\">\n");
    expect(cor_verdicts_junit, "\x01\x1b[31m", "name=\"\xef\xbf\xbd\xef\xbf\xbd[31m\">\n");
    /* stray, overlong, surrogate, too large, cut off */
    expect(
        cor_verdicts_junit, "\x80.\xc0\xaf.\xed\xa0\x80.\xf4\x90\x80\x80.\xe2\x82",
        "name=\"" COR_UNSAYABLE "." COR_UNSAYABLE COR_UNSAYABLE "." COR_UNSAYABLE COR_UNSAYABLE COR_UNSAYABLE
        "." COR_UNSAYABLE COR_UNSAYABLE COR_UNSAYABLE COR_UNSAYABLE "." COR_UNSAYABLE COR_UNSAYABLE "\">\n");
    expect(cor_verdicts_junit, "\xf4\x8f\xbf\xbd", "name=\"\xf4\x8f\xbf\xbd\">\n");
    expect(cor_verdicts_junit, "x", "<property name=\"algorithm\" value=\"a\xef\xbf\xbd\"/>");
    expect(cor_verdicts_junit, "x", "<property name=\"fault\" value=\"&#60;f&#62;\"/>");
}

static void names_are_escaped_in_tap(void **state) {
    (void)state;
    expect(cor_verdicts_tap, "a # SKIP \\", "\nok 1 - a \\# SKIP \\\\\n");
    expect(cor_verdicts_tap, "a\nnot ok 2\r\x7f", "\nok 1 - a\xef\xbf\xbdnot ok 2\xef\xbf\xbd\xef\xbf\xbd\n");
    expect(cor_verdicts_tap, "a\n\"b\"\t\\", "\n  arm: \"a\\n\\\"b\\\"\\x09\\\\\"\n");
    expect(cor_verdicts_tap, "\xff\xc2\x85\xe2\x80\xa8", "\n  arm: \"\xef\xbf\xbd\\x85\\u2028\"\n");
    expect(cor_verdicts_tap, "x", "\n  algorithm: \"a\\x01\"\n  fault: \"<f>\"\n");
}

/* What cannot be read says nothing: no settings, no fault, and a name of the testbed's own. */
static void what_cannot_be_read_says_nothing(void **state) {
    static const char *const unreadable[] = {"", "{", "[]", "\"fault\"", "{\"fault\": 1, \"name\": null}"};
    (void)state;
    for (size_t i = 0; i < sizeof unreadable / sizeof *unreadable; i++) {
        char *text = text_of(cor_verdicts_junit, "x", unreadable[i], unreadable[i]);
        assert_non_null(strstr(text, "<testsuite name=\"corridor\" tests=\"1\" failures=\"1\""));
        assert_non_null(strstr(text, "<failure type=\"check_failed\""));
        assert_null(strstr(text, "\"algorithm\""));
        free(text);
    }
}

static void strings_are_quoted_and_escaped_in_json(void **state) {
    char *text = NULL;
    size_t size;
    (void)state;
    FILE *file = open_memstream(&text, &size);
    cor_json_quoted("\"\\\x01\n\xff\xc3\xa9", file);
    fclose(file);
    assert_string_equal(text, "\"\\\"\\\\\\u0001\\u000a\xef\xbf\xbd\xc3\xa9\"");
    free(text);
}

typedef void put_word(const char *word, FILE *file);

static void put_html(const char *word, FILE *file) {
    cor_html_text(file, word);
}

/* By the writer of documents, which reads back as what it was. */
static void put_document(const char *word, FILE *file) {
    struct cor_json_writer *writer;
    struct cor_json_document *document;
    struct cor_json root, member;
    const char *read;
    char *text;
    assert_int_equal(cor_json_writer_create(&writer, NULL), COR_OK);
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "x", word);
    cor_json_close(writer);
    assert_int_equal(cor_json_text_take(writer, 0, &text, NULL), COR_OK);
    fputs(text, file);
    assert_int_equal(cor_json_parse(text, "text", &document, NULL), COR_OK);
    root = cor_json_root(document);
    assert_true(cor_json_find(&root, "x", &member));
    assert_int_equal(cor_json_string(&member, &read, NULL), COR_OK);
    assert_string_equal(read, word);
    cor_json_destroy(document);
    free(text);
}

/* Whatever ends a line or turns text is nowhere in what is written, wherever ESC is not. */
static void what_turns_text_is_shown(void **state) {
    static put_word *const puts[] = {cor_csv_word, cor_json_quoted, put_html, put_document};
    static const uint32_t codes[] = {0x61c,  0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c,
                                     0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0x1b,   0x9b};
    (void)state;
    for (size_t c = 0; c < sizeof codes / sizeof *codes; c++) {
        const uint32_t code = codes[c];
        char bytes[4] = {(char)code}, name[16];
        if (code >= 0x800)
            snprintf(bytes, sizeof bytes, "%c%c%c", (int)(0xe0 | code >> 12),
                     (int)(0x80 | (code >> 6 & 0x3f)), (int)(0x80 | (code & 0x3f)));
        else if (code >= 0x80)
            snprintf(bytes, sizeof bytes, "%c%c", (int)(0xc0 | code >> 6), (int)(0x80 | (code & 0x3f)));
        snprintf(name, sizeof name, "a%sb", bytes);
        for (size_t i = 0; i < sizeof puts / sizeof *puts; i++) {
            char *text = NULL;
            size_t size;
            FILE *file = open_memstream(&text, &size);
            puts[i](name, file);
            fclose(file);
            assert_null(strstr(text, bytes));
            assert_non_null(strchr(text, 'a'));
            free(text);
        }
        for (int tap = 0; tap < 2; tap++) {
            char *text =
                text_of(tap ? cor_verdicts_tap : cor_verdicts_junit, name, FAULTY, "{\"name\": \"e\"}");
            assert_null(strstr(text, bytes));
            free(text);
        }
        char error[32];
        snprintf(error, sizeof error, "%s", name);
        cor_make_printable(error);
        assert_null(strstr(error, bytes));
    }
}

static void formulas_stand_in_quotes(void **state) {
    static const char *const words[][2] = {{"=1+1", "\"=1+1\""}, {"@SUM(A1)", "\"@SUM(A1)\""},
                                           {"+x", "\"+x\""},     {"-cmd|' /C'", "\"-cmd|' /C'\""},
                                           {"\t=1", "\"\t=1\""}, {"=\"a\"", "\"=\"\"a\"\"\""},
                                           {"-", "-"},           {"=", "="},
                                           {"-1.5e3", "-1.5e3"}, {"+7", "+7"},
                                           {"a=b", "a=b"},       {"", ""}};
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char *text = NULL;
        size_t size;
        FILE *file = open_memstream(&text, &size);
        cor_csv_word(words[i][0], file);
        fclose(file);
        assert_string_equal(text, words[i][1]);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_turns_text_is_shown),
        cmocka_unit_test(formulas_stand_in_quotes),
        cmocka_unit_test(what_was_never_activated_is_not_reached_and_not_said_to_be_missed),
        cmocka_unit_test(names_are_escaped_in_xml),
        cmocka_unit_test(names_are_escaped_in_tap),
        cmocka_unit_test(what_cannot_be_read_says_nothing),
        cmocka_unit_test(strings_are_quoted_and_escaped_in_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
