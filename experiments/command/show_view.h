/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one runner of all commands that show result files: it opens them, lets the view fill its sheets,
 * renders them, reports errors and turns findings into exit codes. A command with one view is a row: name
 * (that of its view), options, examples; show and compare choose a view by what the file is. Options are
 * known by name; a row takes those that concern its view. */
#ifndef CORRIDOR_CLI_SHOW_VIEW_H
#define CORRIDOR_CLI_SHOW_VIEW_H

#include "command.h"

#include <corridor/result.h>
#include <corridor/sheet.h>
#include <corridor/view.h>

/* Runs the view called like the command, over the one file of the command line. */
enum cor_exit cor_show_view(const struct cor_arguments *arguments);

/* What is to be shown of the file that was opened. */
struct cor_showing {
    const struct cor_view *view;
    const char *csv;   /* the sheet of --csv, which has to be there; NULL = the first of the view's */
    const char *other; /* path of the file that it is compared with; NULL = none */
    bool done;         /* all is printed: there is nothing to show */
};

/* Looks at an open file, and at the command line, and says what is to be shown. *misuse: the command line
 * asks for what cannot be, which was said. */
typedef enum cor_status cor_choose_view(const struct cor_arguments *arguments, struct cor_result *result,
                                        struct cor_showing *showing, bool *misuse, struct cor_error *error);

/* Opens the first file of the command line, which may be of any layer, and shows what `choose` says. */
enum cor_exit cor_show_chosen(const struct cor_arguments *arguments, cor_choose_view *choose);

/* COR_STATUS_INPUT, saying what the file holds and that the command reads `what`, with a remedy. */
enum cor_status cor_other_layer(const struct cor_arguments *arguments, const char *path,
                                const struct cor_layer_schema *layer, const char *what,
                                struct cor_error *error) COR_MUST_USE;

/* What --test and --regions ask of a file of searches, on standard output. */
enum cor_status cor_print_of_searches(const struct cor_arguments *arguments, struct cor_result *result,
                                      struct cor_error *error) COR_MUST_USE;

/* Words of --intervals, --box and --fail-on; NULL behind the last. */
const char *cor_intervals_word(size_t index);
const char *cor_box_word(size_t index);
const char *cor_regression_word(size_t index);

/* Prints sheets: all as JSON, the one that --sheet names as CSV, with --csv that called `csv`, or all as
 * text; of these options those that the command takes. */
enum cor_status cor_show_sheets(const struct cor_arguments *arguments, const struct cor_sheets *sheets,
                                const char *csv, struct cor_error *error) COR_MUST_USE;

/* Opens a result file of that layer (NULL: of any) for the command. Content that was changed since it was
 * written, or contradicts itself, is refused, or, with --unsealed, said on stderr and in *doubt, a sentence
 * for those who look at the figures; NULL: there is none. */
enum cor_status cor_open_result(const struct cor_arguments *arguments, const char *path,
                                const struct cor_layer_schema *layer, struct cor_result **result,
                                const char **doubt, struct cor_error *error) COR_MUST_USE;

/* Options that rows share. */
#define COR_OPTION_JSON \
    { "json", 0, NULL, "print everything as one JSON document", NULL }
#define COR_OPTION_CSV \
    { "csv", 0, NULL, "print the first table as CSV", NULL }
#define COR_OPTION_SHEET \
    { "sheet", 0, "ID", "print one table as CSV (IDs: see --json)", NULL }
#define COR_OPTION_UNSEALED \
    { "unsealed", 0, NULL, "read the file although its checksum is wrong", NULL }
#define COR_OPTION_OUTPUT \
    { "output", 'o', "FILE", "keep the result file", "a temporary file" }
#define COR_OPTION_LEVEL \
    { "level", 0, "P", "set the level of the intervals", "0.95" }

#endif
