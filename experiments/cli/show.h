/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What commands that show a result file have in common. */
#ifndef CORRIDOR_CLI_SHOW_H
#define CORRIDOR_CLI_SHOW_H

#include <corridor/tables.h>

/* Colours if standard output takes them. */
struct cor_style cor_show_style(void);

/* Does the locale of the environment not promise UTF-8? */
bool cor_show_ascii(void);

/* Puts the path in front of the place of an error, which was said of a table. */
void cor_show_path(const char *path, struct cor_error *error);

#endif
