/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one runner of all commands that show result files: it opens them, lets the view fill its sheets,
 * renders them, reports errors and turns findings into exit codes. Such a command is a row: name (that of its
 * view), options, examples. Options are known by name; a row takes those that concern its view. */
#ifndef CORRIDOR_CLI_SHOW_VIEW_H
#define CORRIDOR_CLI_SHOW_VIEW_H

#include "command.h"

#include <corridor/result.h>
#include <corridor/sheet.h>

/* Runs the view called like the command. */
enum cor_exit cor_show_view(const struct cor_arguments *arguments);

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
    { "json", 0, NULL, "everything as one JSON document", NULL }
#define COR_OPTION_CSV \
    { "csv", 0, NULL, "the first of the sheets as CSV", NULL }
#define COR_OPTION_SHEET \
    { "sheet", 0, "ID", "that sheet as CSV, one of those that --json has", NULL }
#define COR_OPTION_UNSEALED                                                                             \
    {                                                                                                   \
        "unsealed", 0, NULL,                                                                            \
            "read a file as it is, though its content was changed since it was written or contradicts " \
            "itself",                                                                                   \
            NULL                                                                                        \
    }
#define COR_OPTION_LEVEL \
    { "level", 0, "P", "level of the intervals", "0.95" }

#endif
