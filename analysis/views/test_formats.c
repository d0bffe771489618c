/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JUnit XML and TAP 13 (https://testanything.org/tap-version-13-specification.html): their frames, and their
 * letters, where what readers would take amiss is escaped or replaced. */
#include "test_formats.h"

#include <corridor/cells.h>
#include <corridor/letters.h>

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

/* Characters that XML 1.0 allows (section 2.2). */
static bool is_xml(uint32_t code) {
    return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code != 0xfffe && code != 0xffff);
}

/* Text for an attribute or for between tags. Line ends and tabs are written as references: a reader turns
 * those of an attribute into blanks. */
void views__put_xml(const char *text, FILE *file) {
    for (size_t size; *text; text += size > 0 ? size : 1) {
        uint32_t code = 0;
        size = cor_utf8_code(text, &code);
        if (size == 0 || !is_xml(code) || (code >= 0x7f && cor_is_control(code)))
            fputs(COR_UNSAYABLE, file);
        else if (code < 0x20 || (code < 0x80 && code > 0 && strchr("&<>\"'", (int)code)))
            fprintf(file, "&#%" PRIu32 ";", code);
        else
            fwrite(text, 1, size, file);
    }
}

void views__put_attribute(const char *name, const char *text, FILE *file) {
    fprintf(file, " %s=\"", name);
    views__put_xml(text, file);
    fputc('"', file);
}

void views__put_property(const char *name, const char *value, FILE *file) {
    fprintf(file, "        <property name=\"%s\"", name);
    views__put_attribute("value", value, file);
    fputs("/>\n", file);
}

/* Characters that some reader takes for the end of a line, or a terminal for an order. */
static bool is_control(uint32_t code) {
    return cor_is_control(code) || code == 0xfeff || code == 0xfffe || code == 0xffff;
}

/* The description of a test point: what stands behind a bare # would be a directive. */
void views__put_description(const char *text, FILE *file) {
    for (size_t size; *text; text += size > 0 ? size : 1) {
        uint32_t code = 0;
        size = cor_utf8_code(text, &code);
        if (size == 0 || is_control(code))
            fputs(COR_UNSAYABLE, file);
        else {
            fputs(code == '#' || code == '\\' ? "\\" : "", file);
            fwrite(text, 1, size, file);
        }
    }
}

/* A double-quoted scalar of YAML. */
void views__put_scalar(const char *text, FILE *file) {
    for (size_t size; *text; text += size > 0 ? size : 1) {
        uint32_t code = 0;
        size = cor_utf8_code(text, &code);
        if (size == 0)
            fputs(COR_UNSAYABLE, file);
        else if (code == '"' || code == '\\')
            fprintf(file, "\\%c", (char)code);
        else if (code == '\n')
            fputs("\\n", file);
        else if (is_control(code))
            fprintf(file, code < 0x100 ? "\\x%02" PRIx32 : "\\u%04" PRIx32, code);
        else
            fwrite(text, 1, size, file);
    }
}

void views__put_scalar_text(const char *indent, const char *key, const char *text, FILE *file) {
    fprintf(file, "%s%s: \"", indent, key);
    views__put_scalar(text, file);
    fputs("\"\n", file);
}

static struct views__test test_at(const struct views__test_list *list, size_t index) {
    return list->test(list->with, index);
}

/* Of `tests` tests from `first` on. */
static void put_counts(const struct views__test_list *list, size_t first, size_t tests, FILE *file) {
    size_t count[VIEWS__TEST_RESULTS] = {0};
    for (size_t t = first; t < first + tests; t++)
        count[test_at(list, t).result]++;
    fprintf(file, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"", tests,
            count[VIEWS__TEST_FAILED], count[VIEWS__TEST_ERROR], count[VIEWS__TEST_SKIPPED]);
}

enum cor_status views__write_junit(const struct views__test_list *list, FILE *file, struct cor_error *error) {
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"corridor\"", file);
    put_counts(list, 0, list->tests, file);
    fputs(">\n", file);
    for (size_t first = 0, length; first < list->tests; first += length) {
        const char *suite = test_at(list, first).suite;
        size_t end = first + 1;
        while (end < list->tests && strcmp(test_at(list, end).suite, suite) == 0)
            end++;
        length = end - first;
        fputs("  <testsuite", file);
        views__put_attribute("name", test_at(list, first).suite, file);
        put_counts(list, first, length, file);
        fputs(">\n", file);
        if (list->put_suite)
            list->put_suite(list->with, file);
        for (size_t t = first; t < first + length; t++) {
            fputs("    <testcase", file);
            list->put_case(list->with, t, file);
            fputs("    </testcase>\n", file);
        }
        fputs("  </testsuite>\n", file);
    }
    fputs("</testsuites>\n", file);
    return cor_stream_status(file, error);
}

enum cor_status views__write_tap(const struct views__test_list *list, FILE *file, struct cor_error *error) {
    fprintf(file, "TAP version 13\n1..%zu%s%s\n", list->tests, list->tests == 0 ? " # SKIP " : "",
            list->tests == 0 ? list->none : "");
    for (size_t t = 0; t < list->tests; t++) {
        const enum views__test_result result = test_at(list, t).result;
        fprintf(file, "%s %zu - ",
                result == VIEWS__TEST_PASSED || result == VIEWS__TEST_SKIPPED ? "ok" : "not ok", t + 1);
        list->put_point(list->with, t, file);
    }
    return cor_stream_status(file, error);
}
