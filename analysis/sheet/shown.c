/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a reader sees of a sheet: decided here for text and HTML alike. */
#include "parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BRIEF_ROWS 8 /* of a list that may be long */

static void fixed_text(double value, int digits, bool percent, char text[COR_CELL]) {
    if (fabs(value) >= 1e12) { /* nobody counts the digits */
        snprintf(text, COR_CELL, "%.4g", value);
        return;
    }
    snprintf(text, COR_CELL, "%.*f", digits, value);
    double step = pow(10, -digits), rounded = strtod(text, NULL);
    if (percent && value < 100 - 1e-6 && rounded >= 100) /* sums that round, too, are all */
        snprintf(text, COR_CELL, ">%.*f", digits, 100 - step);
    else if (percent && value > 0 && rounded <= 0)
        snprintf(text, COR_CELL, "<%.*f", digits, step);
    else if (text[0] == '-' && text[strspn(text, "-0.")] == '\0') /* "-0.00" says no more than "0.00" */
        memmove(text, text + 1, strlen(text));
}

static void number_text(const struct cor_column_definition *column, double value, char text[COR_CELL]) {
    bool percent = strcmp(column->unit, "%") == 0;
    if (isnan(value))
        strcpy(text, "n/a");
    else if (isinf(value))
        strcpy(text, value > 0 ? "inf" : "-inf");
    else if (column->digits == COR_DIGITS_FOUR)
        cor_brief_text(value, text);
    else
        fixed_text(value, column->digits, percent, text);
}

/* An end that is not reached is "...", one that is refused "?". */
static void show_interval(const struct cor_column_definition *column, const struct cor_estimate *estimate,
                          struct sheet__shown *shown) {
    const bool refused = estimate->interval == COR_INTERVAL_FEW_SUITES;
    if ((column->flags & COR_COLUMN_SHORT) || (isnan(estimate->low) && isnan(estimate->high) && !refused))
        return;
    number_text(column, estimate->low, shown->low);
    number_text(column, estimate->high, shown->high);
    if (isnan(estimate->low))
        strcpy(shown->low, refused ? "?" : "...");
    if (isnan(estimate->high))
        strcpy(shown->high, refused ? "?" : "...");
    shown->mark = cor_interval_mark(estimate->interval);
}

struct sheet__shown sheet__show(const struct cor_column_definition *column,
                                const struct cor_table_cell *cell) {
    struct sheet__shown shown = {.mark = "", .text = ""};
    switch (cell->kind) {
    case COR_CELL_NOTHING:
        strcpy(shown.number, "n/a");
        break;
    case COR_CELL_COUNT:
        cor_integer_text(cell->count, shown.number);
        break;
    case COR_CELL_REAL:
        number_text(column, cell->real, shown.number);
        break;
    case COR_CELL_ESTIMATE:
        number_text(column, cell->estimate->mean, shown.number);
        show_interval(column, cell->estimate, &shown);
        break;
    case COR_CELL_FLAG:
        strcpy(shown.number, cell->flag ? "yes" : "no");
        break;
    case COR_CELL_WORD:
    case COR_CELL_TEXT:
        shown.text = cell->text;
        break;
    }
    return shown;
}

bool sheet__is_number(const struct cor_column_definition *column) {
    return column->kind == COR_CELL_COUNT || column->kind == COR_CELL_REAL ||
           column->kind == COR_CELL_ESTIMATE;
}

bool sheet__has_unit(const struct cor_column_definition *column) {
    return column->unit[0] && strcmp(column->unit, "1") != 0 && strcmp(column->unit, column->heading) != 0;
}

double sheet__bar_percent(const struct cor_column_definition *column, const struct cor_table_cell *cell) {
    if (!(column->flags & COR_COLUMN_BAR))
        return NAN;
    return cell->kind == COR_CELL_REAL       ? cell->real
           : cell->kind == COR_CELL_ESTIMATE ? cell->estimate->mean
                                             : NAN;
}

size_t sheet__group_begun(const struct cor_sheet *sheet, const struct sheet__columns *columns, size_t before,
                          size_t row) {
    for (size_t group = 0; group < columns->groups; group++) {
        const struct cor_column_definition *column = &sheet->definition->columns[group];
        if (before == SIZE_MAX)
            return 0;
        struct sheet__shown was = sheet__show(column, cor_sheet_cell(sheet, before, group)),
                            now = sheet__show(column, cor_sheet_cell(sheet, row, group));
        if (strcmp(was.text, now.text) != 0 || strcmp(was.number, now.number) != 0)
            return group;
    }
    return columns->groups;
}

/* Whether a text shows the column in its rows. */
static bool is_column_shown(const struct cor_column_definition *column, bool brief) {
    return !(column->flags & (COR_COLUMN_GROUP | COR_COLUMN_DATA | (brief ? COR_COLUMN_MORE : 0)));
}

struct sheet__columns sheet__columns_shown(const struct cor_sheet *sheet, bool brief) {
    const struct cor_sheet_definition *definition = sheet->definition;
    struct sheet__columns columns = {.rows = cor_sheet_size(sheet)};
    for (int keys = 1; keys >= 0; keys--) {
        for (size_t i = 0; i < definition->column_count; i++)
            if (is_column_shown(&definition->columns[i], brief) &&
                keys == ((definition->columns[i].flags & COR_COLUMN_KEY) != 0))
                columns.column[columns.shown++] = i;
        columns.keys = keys ? columns.shown : columns.keys > 0 ? columns.keys : columns.shown > 0;
    }
    for (size_t i = 0; i < definition->column_count; i++)
        columns.groups += (definition->columns[i].flags & COR_COLUMN_GROUP) != 0;
    if (!(definition->flags & COR_SHEET_FIRST) || columns.rows == 0)
        return columns;
    for (size_t row = 1; row < columns.rows; row++)
        if (sheet__group_begun(sheet, &columns, row - 1, row) < columns.groups)
            columns.rows = row;
    columns.groups = 0;
    return columns;
}

size_t sheet__rows_most(const struct cor_sheet *sheet, bool brief) {
    const size_t most = sheet->text_rows > 0 ? sheet->text_rows : SIZE_MAX;
    return brief && sheet->text_rows > BRIEF_ROWS ? BRIEF_ROWS : most;
}

bool sheet__is_sheet_shown(const struct cor_sheet *sheet) {
    int flags = sheet->definition->flags;
    return !(flags & COR_SHEET_DATA) && !((flags & COR_SHEET_RECORD) && cor_sheet_size(sheet) == 0);
}
