/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a reader sees of a sheet: decided here for text and HTML alike. */
#include "parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void number_text(const struct cor_column_definition *column, double value, char text[COR_CELL]) {
    bool percent = strcmp(column->unit, "%") == 0;
    if (isnan(value)) {
        strcpy(text, "n/a");
    } else if (isinf(value)) {
        strcpy(text, value > 0 ? "inf" : "-inf");
    } else if (column->digits == COR_DIGITS_FOUR) {
        cor_brief_text(value, text);
    } else if (fabs(value) >= 1e12) {
        snprintf(text, COR_CELL, "%.4g", value); /* nobody counts the digits */
    } else {
        snprintf(text, COR_CELL, "%.*f", column->digits, value);
        double step = pow(10, -column->digits), rounded = strtod(text, NULL);
        if (percent && value < 100 - 1e-6 && rounded >= 100) /* sums that round, too, are all */
            snprintf(text, COR_CELL, ">%.*f", column->digits, 100 - step);
        else if (percent && value > 0 && rounded <= 0)
            snprintf(text, COR_CELL, "<%.*f", column->digits, step);
        else if (text[0] == '-' && text[strspn(text, "-0.")] == '\0') /* "-0.00" says no more than "0.00" */
            memmove(text, text + 1, strlen(text));
    }
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

struct sheet__shown sheet__show(const struct cor_column_definition *column, const struct cor_cell *cell) {
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

double sheet__bar_percent(const struct cor_column_definition *column, const struct cor_cell *cell) {
    if (!(column->flags & COR_COLUMN_BAR))
        return NAN;
    return cell->kind == COR_CELL_REAL       ? cell->real
           : cell->kind == COR_CELL_ESTIMATE ? cell->estimate->mean
                                             : NAN;
}

size_t sheet__group_begun(const struct cor_sheet *sheet, const struct sheet__columns *columns, size_t row) {
    for (size_t group = 0; group < columns->groups; group++) {
        const struct cor_column_definition *column = &sheet->definition->columns[group];
        if (row == 0)
            return 0;
        struct sheet__shown before = sheet__show(column, cor_sheet_cell(sheet, row - 1, group)),
                            now = sheet__show(column, cor_sheet_cell(sheet, row, group));
        if (strcmp(before.text, now.text) != 0 || strcmp(before.number, now.number) != 0)
            return group;
    }
    return columns->groups;
}

struct sheet__columns sheet__columns_shown(const struct cor_sheet *sheet) {
    const struct cor_sheet_definition *definition = sheet->definition;
    struct sheet__columns columns = {.rows = cor_sheet_size(sheet)};
    for (size_t i = 0; i < definition->column_count; i++) {
        int flags = definition->columns[i].flags;
        if (flags & COR_COLUMN_GROUP)
            columns.groups++;
        else if (!(flags & COR_COLUMN_DATA))
            columns.column[columns.shown++] = i;
    }
    if (!(definition->flags & COR_SHEET_FIRST) || columns.rows == 0)
        return columns;
    for (size_t row = 1; row < columns.rows; row++)
        if (sheet__group_begun(sheet, &columns, row) < columns.groups)
            columns.rows = row;
    columns.groups = 0;
    return columns;
}

bool sheet__is_row_shown(const struct cor_sheet *sheet, size_t in_group) {
    return sheet->text_rows == 0 || in_group < sheet->text_rows;
}

bool sheet__is_sheet_shown(const struct cor_sheet *sheet) {
    int flags = sheet->definition->flags;
    return !(flags & COR_SHEET_DATA) && !((flags & COR_SHEET_RECORD) && cor_sheet_size(sheet) == 0);
}
