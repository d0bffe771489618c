/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One sheet as CSV (RFC 4180): all rows, all columns, numbers that read back exactly. */
#include "parts.h"

#include <inttypes.h>
#include <math.h>

const char *const sheet__estimate_ends[SHEET__ESTIMATE_FIELDS] = {"",          "_sd",     "_low", "_high",
                                                                  "_interval", "_suites", "_n"};

static void put_real(double value, const char *end, FILE *file) {
    char text[COR_CELL] = "";
    if (!isnan(value))
        cor_real_text(value, text);
    fprintf(file, "%s%s", text, end);
}

static void put_cell(enum cor_cell_kind of_column, const struct cor_table_cell *cell, FILE *file) {
    switch (cell->kind) {
    case COR_CELL_NOTHING:
        for (size_t i = 1; of_column == COR_CELL_ESTIMATE && i < SHEET__ESTIMATE_FIELDS; i++)
            fputc(',', file);
        break;
    case COR_CELL_COUNT:
        fprintf(file, "%" PRIu64, cell->count);
        break;
    case COR_CELL_REAL:
        put_real(cell->real, "", file);
        break;
    case COR_CELL_ESTIMATE:
        put_real(cell->estimate->mean, ",", file);
        put_real(cell->estimate->sd, ",", file);
        put_real(cell->estimate->low, ",", file);
        put_real(cell->estimate->high, ",", file);
        fprintf(file, "%s,%" PRIu64 ",", cor_interval_word(cell->estimate->interval), cell->estimate->suites);
        put_real(cell->estimate->n, "", file);
        break;
    case COR_CELL_FLAG:
        fputs(cell->flag ? "true" : "false", file);
        break;
    case COR_CELL_WORD:
    case COR_CELL_TEXT:
        cor_csv_word(cell->text, file);
        break;
    }
}

enum cor_status cor_sheet_csv(const struct cor_sheet *sheet, FILE *file, struct cor_error *error) {
    const struct cor_sheet_definition *definition = sheet->definition;
    COR_TRY(sheet__sheet_status(sheet, error));
    for (size_t i = 0; i < definition->column_count; i++) {
        const struct cor_column_definition *column = &definition->columns[i];
        size_t fields = column->kind == COR_CELL_ESTIMATE ? SHEET__ESTIMATE_FIELDS : 1;
        for (size_t j = 0; j < fields; j++)
            fprintf(file, "%s%s%s", j > 0 ? "," : "", column->key, sheet__estimate_ends[j]);
        fputc(i + 1 < definition->column_count ? ',' : '\n', file);
    }
    for (size_t row = 0; row < cor_sheet_size(sheet); row++)
        for (size_t i = 0; i < definition->column_count; i++) {
            put_cell(definition->columns[i].kind, cor_sheet_cell(sheet, row, i), file);
            fputc(i + 1 < definition->column_count ? ',' : '\n', file);
        }
    return cor_stream_status(file, error);
}
