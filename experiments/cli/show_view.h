/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shows a view of a result file on standard output. */
#ifndef CORRIDOR_CLI_SHOW_VIEW_H
#define CORRIDOR_CLI_SHOW_VIEW_H

#include "command.h"
#include "output.h"

#include <corridor/view.h>

/* Opens the result that the command names, makes the view and shows it as --json, --csv or text. The request
 * is completed: result, path, level. `sheet` is the one of --csv, NULL = the view's first; one that is named
 * is written as CSV. */
enum cor_exit cor_show_view(const struct cor_arguments *arguments, const char *view, const char *sheet,
                            struct cor_view_request *request);

/* Makes the view of what is open and shows it; `sheet` as above. */
enum cor_status cor_print_view(const struct cor_arguments *arguments, const char *view, const char *sheet,
                               const struct cor_view_request *request, struct cor_view_findings *findings,
                               struct cor_error *error) COR_MUST_USE;

#endif
