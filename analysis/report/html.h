/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers inside a page; everything else that comes from a file goes through cor_html_text (cells.h). */
#ifndef CORRIDOR_REPORT_HTML_H
#define CORRIDOR_REPORT_HTML_H

#include <corridor/cells.h>

#include <stdint.h>
#include <stdio.h>

/* A number with narrow blanks between thousands. */
void cor__html_count(FILE *file, uint64_t value);

/* A real with so many decimals, or n/a; and without trailing noise: at most so many significant digits. */
void cor__html_real(FILE *file, double value, int decimals);
void cor__html_brief(FILE *file, double value);

/* A cell of a table that sorts by value. */
void cor__cell_count(FILE *file, uint64_t value);

/* A heading of a column: plain, or one that sorts where there are scripts. */
void cor__head(FILE *file, const char *text);
void cor__head_number(FILE *file, const char *text);

/* The cell at the beginning of a line: a name, and what it stands for as a hint (NULL = no hint). */
void cor__head_name(FILE *file, const char *name, const char *hint);

#endif
