/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of any kind as JUnit XML and as TAP 13: suites, counts and order, and the letters of both. What is
 * said of a test is the business of its kind. */
#ifndef CORRIDOR_ANALYSIS_VIEWS_TEST_FORMATS_H
#define CORRIDOR_ANALYSIS_VIEWS_TEST_FORMATS_H

#include <corridor/built.h>
#include <corridor/view.h>

#include <stddef.h>
#include <stdio.h>

enum views__test_result {
    VIEWS__TEST_PASSED,
    VIEWS__TEST_FAILED,
    VIEWS__TEST_ERROR,
    VIEWS__TEST_SKIPPED,
    VIEWS__TEST_RESULTS
};

struct views__test {
    const char *suite; /* tests of one suite stand together */
    enum views__test_result result;
};

struct views__test_list {
    const void *with; /* what the functions are given */
    size_t tests;
    struct views__test (*test)(const void *with, size_t index);
    void (*put_suite)(const void *with, FILE *file); /* what JUnit says of a suite; NULL: nothing */
    /* What JUnit says of a test behind "<testcase", to its end; TAP behind "ok 1 - ". */
    void (*put_case)(const void *with, size_t index, FILE *file);
    void (*put_point)(const void *with, size_t index, FILE *file);
    const char *none; /* what TAP says when there are no tests */
};

/* Writes the list. In JUnit a suite without a test, of which nothing is said, is left out. A failing stream
 * is COR_STATUS_FILE. */
typedef enum cor_status views__write_list(const struct views__test_list *list, FILE *file,
                                          struct cor_error *error);
views__write_list views__write_junit, views__write_tap;

struct views__summary;

/* What a layer says of its result files. */
struct views__layer_verdicts {
    const struct cor_layer_schema *layer;
    /* What the short view shows, and what a caller may turn into an exit code. */
    enum cor_status (*sum)(const struct cor_view_request *request, struct views__summary *summary,
                           struct cor_view_findings *findings, struct cor_error *error);
    /* What a caller may turn into an exit code is added; NULL, as those that follow: files have no verdicts.
     */
    enum cor_status (*count)(struct cor_result *result, struct cor_view_findings *findings,
                             struct cor_error *error);
    enum cor_status (*write)(struct cor_result *result, views__write_list *write, FILE *file,
                             struct cor_error *error);
    enum cor_status (*mutants)(struct cor_result *result, struct cor_sheets *sheets,
                               struct cor_error *error); /* NULL: there are none */
};
/* views__verdicts_of_<word>, of each layer. */
#define VIEWS__VERDICTS(word) extern const struct views__layer_verdicts views__verdicts_of_##word;
COR_LAYERS(VIEWS__VERDICTS)
#undef VIEWS__VERDICTS

/* Of a result file of any layer. */
const struct views__layer_verdicts *views__verdicts_of(const struct cor_result *result);

/* XML: text between tags or within quotes; name="text"; a property of a test case. */
void views__put_xml(const char *text, FILE *file);
void views__put_attribute(const char *name, const char *text, FILE *file);
void views__put_property(const char *name, const char *value, FILE *file);

/* TAP: the description of a test point; within a YAML block a quoted text, and "key: "text"" on a line. */
void views__put_description(const char *text, FILE *file);
void views__put_scalar(const char *text, FILE *file);
void views__put_scalar_text(const char *indent, const char *key, const char *text, FILE *file);

#endif
