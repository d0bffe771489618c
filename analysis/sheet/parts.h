/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of this room share: what a list of sheets consists of, and how a cell looks to a reader. */
#ifndef CORRIDOR_ANALYSIS_SHEET_PARTS_H
#define CORRIDOR_ANALYSIS_SHEET_PARTS_H

#include <corridor/cells.h>
#include <corridor/sheet.h>

struct cor_sheet {
    struct cor_sheets *list; /* borrowed: keeps the texts, and remembers the first failure */
    const struct cor_sheet_definition *definition;
    const char *title;           /* kept by the list; NULL: that of the definition */
    size_t text_rows;            /* that of the definition, or another */
    struct cor_table_cell *cell; /* owned: row by row */
    size_t cell_count, cell_capacity;
    const char **remark; /* owned array of texts kept by the list */
    size_t remark_count, remark_capacity;
};

/* A sheet (owned) or a drawing. */
struct sheet__part {
    struct cor_sheet *sheet; /* NULL: a drawing */
    cor_drawing *drawing;
    void *context;
    void (*destroy)(void *context);
    bool is_left_out; /* by a condition over rows: none of its rows can be asked */
};

struct cor_sheets {
    const char *schema;
    int version;
    struct sheet__part *part; /* owned */
    size_t part_count, part_capacity;
    struct sheet__block *block; /* owned: memory of texts and estimates */
    enum cor_status status;     /* the first failure */
    struct cor_sheet lost;      /* stands for the sheets that there was no memory for; takes nothing */
};

/* The fields of an estimate where cells are plain: what their names have behind the key of the column. */
enum { SHEET__ESTIMATE_INTERVAL = 4, SHEET__ESTIMATE_SUITES, SHEET__ESTIMATE_FIELDS = 7 };
extern const char *const sheet__estimate_ends[SHEET__ESTIMATE_FIELDS];

/* Frees what a part owns. */
void sheet__part_destroy(struct sheet__part *part);

/* Status of what a sheet was filled with, with the cause; asserts that its last row is complete. */
enum cor_status sheet__sheet_status(const struct cor_sheet *sheet, struct cor_error *error) COR_MUST_USE;

/* A cell for a reader. */
struct sheet__shown {
    char number[COR_CELL]; /* count, real, mean of an estimate, word of a flag, n/a; "" for words */
    char low[COR_CELL], high[COR_CELL]; /* of an interval, "" if there is none */
    const char *mark;                   /* of the interval */
    const char *text;                   /* words, "" for numbers; may hold control characters */
};

/* The one place that decides on digits, on the words of flags and on what stands where nothing is available.
 * Never rounds a percentage to 100 or 0 that is not: ">99.9", "<0.1". */
struct sheet__shown sheet__show(const struct cor_column_definition *column,
                                const struct cor_table_cell *cell);

/* Is the column one of numbers (aligned to the right)? */
bool sheet__is_number(const struct cor_column_definition *column);

/* Has the unit to be said? */
bool sheet__has_unit(const struct cor_column_definition *column);

/* The percentage that a bar draws, NaN if there is none. */
double sheet__bar_percent(const struct cor_column_definition *column, const struct cor_table_cell *cell);

/* The columns that a reader sees, those of groups apart, and how many of groups there are; first those that
 * tell rows apart. */
struct sheet__columns {
    size_t groups, shown, keys;
    size_t column[COR_SHEET_COLUMNS_MAX];
    size_t rows; /* rows that may be shown */
};
struct sheet__columns sheet__columns_shown(const struct cor_sheet *sheet, bool brief);

/* The first group column whose heading stands anew over `row`, which follows row `before` (SIZE_MAX: none);
 * `groups` if none does. */
size_t sheet__group_begun(const struct cor_sheet *sheet, const struct sheet__columns *columns, size_t before,
                          size_t row);

/* How many rows of each group a reader sees at most. */
size_t sheet__rows_most(const struct cor_sheet *sheet, bool brief);

/* Has a reader anything to see of this sheet? */
bool sheet__is_sheet_shown(const struct cor_sheet *sheet);

#endif
