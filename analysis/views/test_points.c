/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test_formats.h"

#include <corridor/cells.h>
#include <corridor/test_points.h>

#include <string.h>

static void put_counts(const struct cor_test_point *points, size_t count, FILE *file) {
    size_t failed = 0, skipped = 0;
    for (size_t i = 0; i < count; i++) {
        failed += points[i].result == COR_POINT_FAILED;
        skipped += points[i].result == COR_POINT_SKIPPED;
    }
    fprintf(file, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\"", count, failed, skipped);
}

static size_t suite_length(const struct cor_test_point *points, size_t count) {
    size_t length = 1;
    while (length < count && strcmp(points[length].suite, points->suite) == 0)
        length++;
    return length;
}

static void put_case(const struct cor_test_point *point, FILE *file) {
    static const char *const elements[] = {
        [COR_POINT_PASSED] = "system-out", [COR_POINT_FAILED] = "failure", [COR_POINT_SKIPPED] = "skipped"};
    fputs("    <testcase", file);
    cor__put_attribute("classname", point->suite, file);
    cor__put_attribute("name", point->name, file);
    fprintf(file, " time=\"%.3f\">\n      <properties>\n", point->seconds);
    cor__put_property("meaning", point->meaning, file);
    if (point->again)
        cor__put_property("again", point->again, file);
    fputs("      </properties>\n", file);
    if (point->message && point->result == COR_POINT_PASSED) {
        fputs("      <system-out>", file);
        cor__put_xml(point->message, file);
        fputs("</system-out>\n", file);
    } else if (point->result != COR_POINT_PASSED) {
        fprintf(file, "      <%s", elements[point->result]);
        cor__put_attribute("message", point->message ? point->message : "", file);
        fputs("/>\n", file);
    }
    fputs("    </testcase>\n", file);
}

enum cor_status cor_points_junit(const struct cor_test_point *points, size_t count, FILE *file,
                                 struct cor_error *error) {
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"corridor\"", file);
    put_counts(points, count, file);
    fputs(">\n", file);
    for (size_t first = 0, length; first < count; first += length) {
        length = suite_length(points + first, count - first);
        fputs("  <testsuite", file);
        cor__put_attribute("name", points[first].suite, file);
        put_counts(points + first, length, file);
        fputs(">\n", file);
        for (size_t i = 0; i < length; i++)
            put_case(&points[first + i], file);
        fputs("  </testsuite>\n", file);
    }
    fputs("</testsuites>\n", file);
    return cor_stream_status(file, error);
}

static void put_point(const struct cor_test_point *point, size_t number, FILE *file) {
    fprintf(file, "%s %zu - ", point->result == COR_POINT_FAILED ? "not ok" : "ok", number);
    cor__put_description(point->suite, file);
    fputs(": ", file);
    cor__put_description(point->name, file);
    if (point->result == COR_POINT_SKIPPED) {
        fputs(" # SKIP ", file);
        cor__put_description(point->message ? point->message : "", file);
    }
    fputs("\n  ---\n", file);
    cor__put_scalar_text("  ", "meaning", point->meaning, file);
    if (point->message)
        cor__put_scalar_text("  ", "message", point->message, file);
    if (point->result == COR_POINT_FAILED)
        cor__put_scalar_text("  ", "severity", "fail", file);
    if (point->again)
        cor__put_scalar_text("  ", "again", point->again, file);
    fprintf(file, "  duration_ms: %.0f\n  ...\n", point->seconds * 1000);
}

enum cor_status cor_points_tap(const struct cor_test_point *points, size_t count, FILE *file,
                               struct cor_error *error) {
    fprintf(file, "TAP version 13\n1..%zu%s\n", count, count == 0 ? " # SKIP nothing was tested" : "");
    for (size_t i = 0; i < count; i++)
        put_point(&points[i], i + 1, file);
    return cor_stream_status(file, error);
}
