/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the page takes out of the views' sheets beside showing them: single cells by key, sums, and sheets in
 * long form as matrices. */
#ifndef CORRIDOR_REPORT_SHEETS_H
#define CORRIDOR_REPORT_SHEETS_H

#include <corridor/sheet.h>

#define COR__COLUMNS_MAX 40 /* of a matrix */

/* The cell of a row under a key: "", 0 and NaN where it is not available. */
const char *cor__sheet_word(const struct cor_sheet *sheet, size_t row, const char *key);
uint64_t cor__sheet_count(const struct cor_sheet *sheet, size_t row, const char *key);
double cor__sheet_real(const struct cor_sheet *sheet, size_t row, const char *key);

/* Sum of the counts under a key; number of rows with that word there. */
uint64_t cor__sheet_sum(const struct cor_sheet *sheet, const char *key);
size_t cor__sheet_rows_with(const struct cor_sheet *sheet, const char *key, const char *word);

/* A sheet with a line for each word under one key and a column for each under another. */
struct cor__matrix {
    const struct cor_sheet *sheet;
    const struct cor_sheet *lines; /* another sheet that has all lines under line_key; NULL = none */
    const char *line_key, *column_key;
    const char *line_shown;        /* key of what is shown of a line; NULL = line_key */
    const char *group_key, *group; /* only rows of that group; NULL = all */
    const char *heading, *class;   /* of the lines; of the table */
    void (*put_heading)(const char *word, FILE *file);
    /* A whole <td>. */
    void (*put_cell)(const struct cor__matrix *matrix, size_t row, FILE *file);
};

/* Writes it as a table; lines and columns in the order in which they first occur. */
void cor__matrix_html(const struct cor__matrix *matrix, FILE *file);

#endif
