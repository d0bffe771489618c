/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a layer says of its result files. In one screen: it puts arms, the key of a failure and the commands
 * that follow, the view `summary` makes lines of them. And as tests of any kind, for JUnit XML and TAP 13:
 * suites, counts and order, and the letters of both; what is said of a test is the business of its kind. */
#ifndef CORRIDOR_ANALYSIS_VIEWS_LAYER_VERDICTS_H
#define CORRIDOR_ANALYSIS_VIEWS_LAYER_VERDICTS_H

#include "views.h"

#include <corridor/built.h>
#include <corridor/result.h>
#include <corridor/view.h>

#include <stddef.h>
#include <stdio.h>

/* An arm in short. */
struct views__summary_arm {
    const char *name;    /* borrowed from the result */
    const char *verdict; /* in a word, static: arms of one verdict share a line */
    bool is_good;        /* what one wishes for */
    bool is_found;       /* its fault was seen */
    uint64_t hits,
        tries; /* of what the summary counts: those that saw its fault, and all; 0 of 0: not known */
    uint64_t activated, masked; /* faults that were active; thereof unseen */
};

/* A line of the short view, or a command that leads on. */
struct views__summary_line {
    const char *what; /* static */
    enum cor_tone tone;
    char *says; /* owned */
};

struct views__summary_lines {
    struct views__summary_line *items; /* owned */
    size_t count, capacity;
};

struct views__summary {
    const struct cor_result_header *head; /* borrowed */
    const char *path;                     /* borrowed; of the file, as commands are to name it */
    const char *program;                  /* borrowed: what calls the commands that lead on */
    const char *counted;                  /* what hits and tries count: "sequences" */
    uint64_t suites, cases;               /* in the file; 0 cases: not said */
    struct views__summary_arm *arms;      /* owned */
    size_t arm_count, arm_capacity;
    struct views__summary_lines lines, next;
    struct cor_query_answer of_arms, leads; /* owned; words of what was asked for */
    enum cor_status status;                 /* the first failure (memory) */
};

/* Append an arm, a line, a command; PATH and keys in commands are to be quoted. Failures are remembered. */
void views__summary_arm(struct views__summary *summary, const struct views__summary_arm *arm);
void views__summary_say(struct views__summary *summary, const char *what, enum cor_tone tone,
                        const char *format, ...) COR_PRINTF(4, 5);

/* Appends "corridor COMMAND FILE", with "OPTION KEY" and with `rest` behind it; NULL: without. What
 * executes a file that names programs gets --trust. */
void views__summary_next(struct views__summary *summary, const char *what, const char *command,
                         const char *option, const char *key, const char *rest);

/* Likewise, a command on a file that one of the others has written. */
void views__summary_next_of(struct views__summary *summary, const char *what, const char *command,
                            const char *file);

/* The arm of which a failure is worth looking at: one that fails without a fault, else the hardest one that
 * was found; SIZE_MAX if there is none. */
size_t views__summary_worst(const struct views__summary *summary);

/* ---- tests */

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

/* What a layer says of its result files in SQL: questions, each with the columns of its answer.
 *   arms      arm, verdict, is it good, was its fault found, hits, tries, suites, cases, and what hits and
 * tries count ("tests"): a row each arm leads     of :arm, that which is worth looking at, '' if none is:
 * what, a text; or what, NULL, command, option, key, rest of views__summary_next findings  counts by the
 * names of cor_view_findings: undetected, unexpected, failed, undecided tests     suite; name; passed,
 * failed, error or skipped; type of a failure; why it was skipped; message; the test in words; and its
 * properties, by their names */
struct views__asked_verdicts {
    const struct views__source *source;
    const char *arms, *leads, *findings, *tests;
    const char *none; /* what TAP says when there are no tests */
};

/* Adds what is asked for by `findings`. */
enum cor_status views__ask_findings(const struct views__asking *asking, const char *text,
                                    struct cor_view_findings *findings, struct cor_error *error) COR_MUST_USE;

/* What a layer says of its result files. */
struct views__layer_verdicts {
    const struct cor_layer_schema *layer;
    const struct views__asked_verdicts *asked; /* in the place of sum and count, and of write */
    /* What the short view shows, and what a caller may turn into an exit code. */
    enum cor_status (*sum)(const struct cor_view_request *request, struct views__summary *summary,
                           struct cor_view_findings *findings, struct cor_error *error);
    /* What a caller may turn into an exit code is added; NULL, as those that follow: files have no verdicts.
     */
    enum cor_status (*count)(struct cor_result *result, struct cor_view_findings *findings,
                             struct cor_error *error);
    enum cor_status (*write)(struct cor_result *result, views__write_list *write, FILE *file,
                             struct cor_error *error);
    /* What became of mutants, where `asked` is; NULL: there are none. */
    enum cor_status (*mutants)(struct views__asking *asking, struct cor_sheets *sheets,
                               struct cor_error *error);
};
/* views__verdicts_of_<word>, of each layer. */
#define VIEWS__VERDICTS(word) extern const struct views__layer_verdicts views__verdicts_of_##word;
COR_LAYERS(VIEWS__VERDICTS)
#undef VIEWS__VERDICTS

/* XML: text between tags or within quotes; name="text"; a property of a test case. */
void views__put_xml(const char *text, FILE *file);
void views__put_attribute(const char *name, const char *text, FILE *file);
void views__put_property(const char *name, const char *value, FILE *file);

/* TAP: the description of a test point; within a YAML block a quoted text, and "key: "text"" on a line. */
void views__put_description(const char *text, FILE *file);
void views__put_scalar(const char *text, FILE *file);
void views__put_scalar_text(const char *indent, const char *key, const char *text, FILE *file);

#endif
