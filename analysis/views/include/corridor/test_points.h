/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Verdicts of anything as JUnit XML and as TAP 13: points, each within a suite. */
#ifndef CORRIDOR_TEST_POINTS_H
#define CORRIDOR_TEST_POINTS_H

#include <corridor/error.h>

#include <stddef.h>
#include <stdio.h>

/* What came of a point. */
enum cor_point_result { COR_POINT_PASSED, COR_POINT_FAILED, COR_POINT_SKIPPED };

/* Something that was tested. Texts are borrowed; `seconds` is how long it took. */
struct cor_test_point {
    const char *suite, *name; /* points of one suite stand together */
    const char *meaning;      /* what is tested, a sentence */
    const char *message;      /* why it failed or was skipped, or what else there is to say; NULL: nothing */
    const char *again;        /* how to see it again, NULL: no way is known */
    enum cor_point_result result;
    double seconds;
};

/* Writes all points, as JUnit XML; as TAP version 13. A failing stream is COR_STATUS_FILE. */
enum cor_status cor_points_junit(const struct cor_test_point *points, size_t count, FILE *file,
                                 struct cor_error *error) COR_MUST_USE;
enum cor_status cor_points_tap(const struct cor_test_point *points, size_t count, FILE *file,
                               struct cor_error *error) COR_MUST_USE;

#endif
