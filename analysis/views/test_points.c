/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test_formats.h"

#include <corridor/cells.h>
#include <corridor/test_points.h>

static struct views__test test(const void *with, size_t index) {
    static const enum views__test_result results[] = {[COR_POINT_PASSED] = VIEWS__TEST_PASSED,
                                                      [COR_POINT_FAILED] = VIEWS__TEST_FAILED,
                                                      [COR_POINT_SKIPPED] = VIEWS__TEST_SKIPPED};
    const struct cor_test_point *point = (const struct cor_test_point *)with + index;
    return (struct views__test){point->suite, results[point->result]};
}

static void put_case(const void *with, size_t index, FILE *file) {
    const struct cor_test_point *point = (const struct cor_test_point *)with + index;
    static const char *const elements[] = {
        [COR_POINT_PASSED] = "system-out", [COR_POINT_FAILED] = "failure", [COR_POINT_SKIPPED] = "skipped"};
    views__put_attribute("classname", point->suite, file);
    views__put_attribute("name", point->name, file);
    fprintf(file, " time=\"%.3f\">\n      <properties>\n", point->seconds);
    views__put_property("meaning", point->meaning, file);
    if (point->again)
        views__put_property("again", point->again, file);
    fputs("      </properties>\n", file);
    if (point->message && point->result == COR_POINT_PASSED) {
        fputs("      <system-out>", file);
        views__put_xml(point->message, file);
        fputs("</system-out>\n", file);
    } else if (point->result != COR_POINT_PASSED) {
        fprintf(file, "      <%s", elements[point->result]);
        views__put_attribute("message", point->message ? point->message : "", file);
        fputs("/>\n", file);
    }
}

static void put_point(const void *with, size_t index, FILE *file) {
    const struct cor_test_point *point = (const struct cor_test_point *)with + index;
    views__put_description(point->suite, file);
    fputs(": ", file);
    views__put_description(point->name, file);
    if (point->result == COR_POINT_SKIPPED) {
        fputs(" # SKIP ", file);
        views__put_description(point->message ? point->message : "", file);
    }
    fputs("\n  ---\n", file);
    views__put_scalar_text("  ", "meaning", point->meaning, file);
    if (point->message)
        views__put_scalar_text("  ", "message", point->message, file);
    if (point->result == COR_POINT_FAILED)
        views__put_scalar_text("  ", "severity", "fail", file);
    if (point->again)
        views__put_scalar_text("  ", "again", point->again, file);
    fprintf(file, "  duration_ms: %.0f\n  ...\n", point->seconds * 1000);
}

static struct views__test_list list_of(const struct cor_test_point *points, size_t count) {
    return (struct views__test_list){points, count, test, NULL, put_case, put_point, "nothing was tested"};
}

enum cor_status cor_points_junit(const struct cor_test_point *points, size_t count, FILE *file,
                                 struct cor_error *error) {
    const struct views__test_list list = list_of(points, count);
    return views__write_junit(&list, file, error);
}

enum cor_status cor_points_tap(const struct cor_test_point *points, size_t count, FILE *file,
                               struct cor_error *error) {
    const struct views__test_list list = list_of(points, count);
    return views__write_tap(&list, file, error);
}
