/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one runner of all commands that show result files: it opens them, lets the view fill its sheets,
 * renders them, reports errors and turns findings into exit codes. A command with one view is a row: name
 * (that of its view), options, examples; show and compare choose a view by what the file is. Options are
 * known by name; a row takes those that concern its view. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_SHOW_VIEW_H
#define CORRIDOR_EXPERIMENTS_COMMAND_SHOW_VIEW_H

#include "command.h"

#include <corridor/result.h>
#include <corridor/sheet.h>
#include <corridor/view.h>

/* How sheets are printed. */
struct cor_sheet_options {
    bool json, csv;
    bool brief;        /* a text in one screen */
    bool lists;        /* a text of what is listed alone */
    const char *sheet; /* NULL = all */
    const char *where; /* condition over the rows to show; NULL = all */
};

/* What may be asked of the commands that show views: a row fills what concerns its view. */
struct cor_view_options {
    struct cor_sheet_options sheets;
    bool unsealed, verify, hash, dot;
    bool all;      /* the whole text, of commands that show one screen first */
    int intervals; /* 0 = those of the view; else index + 1 */
    int fail_on;
    const char *by; /* words of projections with commas between them; NULL = the usual ones */
    struct cor_view_request view;
};

enum { COR_FAIL_ON_NOTHING, COR_FAIL_ON_REGRESSION, COR_FAIL_ON_REGRESSION_OR_TIME };

/* Runs the view called like the command, over the one file of the command line. The request of the command is
 * a struct cor_view_options, or begins with one; the same holds for cor_show_chosen. */
enum cor_exit cor_show_view(const struct cor_arguments *arguments);

/* What is to be shown of the file that was opened. */
struct cor_showing {
    const struct cor_view *view;
    const char *csv;           /* the sheet of --csv, which has to be there; NULL = the first of the view's */
    const char *const *joined; /* paths of files that are shown together with it, [joined_count] */
    size_t joined_count;
    bool compares; /* it is compared with the one file of these */
    bool lists;    /* its text lists failures, unless all is asked for */
    bool done;     /* all is printed: there is nothing to show */
};

/* Looks at an open file, and at the command line, and says what is to be shown. *misuse: the command line
 * asks for what cannot be, which was said. */
typedef enum cor_status cor_choose_view(const struct cor_arguments *arguments, struct cor_result *result,
                                        struct cor_showing *showing, bool *misuse, struct cor_error *error);

/* Opens the first file of the command line, which may be of any layer, and shows what `choose` says. */
enum cor_exit cor_show_chosen(const struct cor_arguments *arguments, cor_choose_view *choose);

/* Refuses experiments and result files of a layer of which nothing can be asked, by its reason. */
enum cor_status cor_expect_asked(const struct cor_layer_schema *layer, const char *path,
                                 struct cor_error *error) COR_MUST_USE;

/* COR_STATUS_INPUT, saying what the file holds and that the command reads `what`, with a remedy. */
enum cor_status cor_other_layer(const struct cor_command *command, const char *path,
                                const struct cor_layer_schema *layer, const char *what,
                                struct cor_error *error) COR_MUST_USE;

/* COR_STATUS_INPUT at `place`: tests of the layer, which has a word for them (cor_layer_commands.tests), are
 * not kept, shrunk or explained like sequences; with what can be done with those of the file at `path`. */
enum cor_status cor_refuse_kept(const char *place, const char *path, const struct cor_layer_schema *layer,
                                struct cor_error *error) COR_MUST_USE;

/* Prints a test file of a file of searches, or, of NULL, the experiment with an arm for each region. */
enum cor_status cor_print_of_searches(struct cor_result *result, const char *test,
                                      struct cor_error *error) COR_MUST_USE;

/* Words of --intervals and --box; NULL behind the last. */
const char *cor_intervals_word(size_t index);
const char *cor_box_word(size_t index);

/* Chooses rows of sheets by --where, and prints sheets: all as JSON, the one that is named as CSV, with `csv`
 * among the options that called so - the first that there is, where a file has nothing for it -, or all as
 * text. */
enum cor_status cor_show_sheets(const struct cor_sheet_options *options, struct cor_sheets *sheets,
                                const char *csv, struct cor_error *error) COR_MUST_USE;

/* Adds the sheet of what was found: a row a line of the text. */
void cor_sheets_say(struct cor_sheets *sheets, const char *lines);

/* Shows a view of a result file that the command has made: `csv` is the sheet of --csv, NULL the first. */
enum cor_status cor_show_made(const char *view, struct cor_result *result, const char *path,
                              const struct cor_sheet_options *options, const char *csv,
                              struct cor_view_findings *findings, struct cor_error *error) COR_MUST_USE;

/* Is one of these options given, ended by NULL, which have no meaning with what is named, "test files"?
 * Having said so: who gives one expects it to do something. */
bool cor_has_no_meaning(const struct cor_arguments *arguments, const char *const *options, const char *with);
#define COR_RUN_ALREADY "a result file, which is run already" /* where an experiment may lie */

/* Opens a result file of that layer (NULL: of any) for the command. Content that was changed since it was
 * written, or contradicts itself, is refused, or, with `unsealed`, said on stderr and in *doubt, a sentence
 * for those who look at the figures; NULL: there is none. */
enum cor_status cor_open_result(const struct cor_command *command, bool unsealed, const char *path,
                                const struct cor_layer_schema *layer, struct cor_result **result,
                                const char **doubt, struct cor_error *error) COR_MUST_USE;

/* Rows that commands share; `member` of the request is what they fill. */
#define COR_JSON_OPTION(member)                                                     \
    {                                                                               \
        "json", 0, NULL, "print everything as one JSON document", COR_FLAG(member), \
            .excludes = "csv dot junit tap format"                                  \
    }
#define COR_JUNIT_OPTION(member) \
    { "junit", 0, NULL, "print verdicts as JUnit XML", COR_FLAG(member) }
#define COR_TAP_OPTION(member) \
    { "tap", 0, NULL, "print verdicts as TAP 13", COR_FLAG(member), .excludes = "junit" }
#define COR_UNSEALED_OPTION(member) \
    { "unsealed", 0, NULL, "read the file although its checksum is wrong", COR_FLAG(member) }
#define COR_LEVEL_OPTION(member, meaning) \
    { "level", 0, "P", meaning, COR_REAL(member, 0.5, 0.9999, 0.95) }
#define COR_DOT_OPTION(member, meaning) \
    { "dot", 0, NULL, meaning, COR_FLAG(member), .excludes = "csv sheet" }

#define COR_WHERE_MEANING                                                                              \
    "choose rows for which this holds, by their columns as --json and CSV call them; figures are not " \
    "reckoned "                                                                                        \
    "anew"
#define COR_WHERE_OPTION(member) \
    { "where", 0, "EXPRESSION", COR_WHERE_MEANING, COR_TEXT(member), .excludes = "junit tap dot format" }

/* SHEETS: of a struct cor_sheet_options. */
#define COR_SHEET_OPTIONS(member, of_csv)                                                               \
    COR_JSON_OPTION(member.json), {"csv", 0, NULL, of_csv, COR_FLAG(member.csv), .excludes = "format"}, \
        {"sheet",                                                                                       \
         0,                                                                                             \
         "ID",                                                                                          \
         "print one table as CSV (IDs: see --json)",                                                    \
         COR_TEXT(member.sheet),                                                                        \
         .excludes = "format"},                                                                         \
        COR_WHERE_OPTION(member.where)

#define COR_ALL_OPTION(member) \
    { "all", 0, NULL, "show everything, not one screen", COR_FLAG(member) }

/* RESULT: of a request that begins with a struct cor_view_options. */
#define COR_RESULT_OPTIONS \
    COR_SHEET_OPTIONS(show.sheets, "print the first table as CSV"), COR_UNSEALED_OPTION(show.unsealed)

/* The value of --suite: one, or COR_ANY_SUITE. */
#define COR_SUITE(member) COR_INTEGER(member, 0, UINT32_MAX - 1, COR_ANY_SUITE)

#endif
