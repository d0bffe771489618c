/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers inside a page, everything else that comes from a file goes through cor_html_text (cells.h); and
 * what the page takes out of the views' sheets beside showing them: single cells by key, sums, and sheets in
 * long form as matrices. */
#ifndef CORRIDOR_ANALYSIS_REPORT_PAGE_HTML_H
#define CORRIDOR_ANALYSIS_REPORT_PAGE_HTML_H

#include <corridor/cells.h>
#include <corridor/sheet.h>

#include <stdint.h>
#include <stdio.h>

/* A number with narrow blanks between thousands. */
void report__html_count(FILE *file, uint64_t value);

/* A real with so many decimals, or n/a; and without trailing noise: at most so many significant digits. */
void report__html_real(FILE *file, double value, int decimals);
void report__html_brief(FILE *file, double value);

/* A heading of a column. */
void report__head(FILE *file, const char *text);

#define REPORT__COLUMNS_MAX 40 /* of a matrix */
#define REPORT__LINES_MAX 512

/* The cell of a row under a key: "", 0 and NaN where it is not available. */
const char *report__sheet_word(const struct cor_sheet *sheet, size_t row, const char *key);
uint64_t report__sheet_count(const struct cor_sheet *sheet, size_t row, const char *key);
double report__sheet_real(const struct cor_sheet *sheet, size_t row, const char *key);

/* Sum of the counts under a key; number of rows with that word there. */
uint64_t report__sheet_sum(const struct cor_sheet *sheet, const char *key);
size_t report__sheet_rows_with(const struct cor_sheet *sheet, const char *key, const char *word);

/* How many rows a page shows: of a sheet of which it shows the first group, those of that. */
size_t report__sheet_rows(const struct cor_sheet *sheet);

/* A sheet with a line for each word under one key and a column for each under another. */
struct report__matrix {
    const struct cor_sheet *sheet;
    const struct cor_sheet *lines; /* another sheet that has all lines under line_key; NULL = none */
    const char *line_key, *column_key;
    const char *line_shown;        /* key of what is shown of a line; NULL = line_key */
    const char *group_key, *group; /* only rows of that group; NULL = all */
    const char *heading, *class;   /* of the lines; of the table */
    void (*put_heading)(const char *word, FILE *file);
    /* A whole <td>. */
    void (*put_cell)(const struct report__matrix *matrix, size_t row, FILE *file);
    const void *with; /* of put_cell; NULL = it needs nothing more */
};

/* Writes it as a table; lines and columns in the order in which they first occur. */
void report__matrix_html(const struct report__matrix *matrix, FILE *file);

#endif
