/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sheets as one JSON document: all rows, all columns, numbers that read back exactly. */
#include "parts.h"

static void put_cell(struct cor_json_writer *writer, const char *key, const struct cor_table_cell *cell) {
    switch (cell->kind) {
    case COR_CELL_NOTHING:
        cor_json_put_string(writer, key, NULL);
        break;
    case COR_CELL_COUNT:
        cor_put_count(writer, key, cell->count);
        break;
    case COR_CELL_REAL:
        cor_json_put_real(writer, key, cell->real);
        break;
    case COR_CELL_ESTIMATE:
        cor_json_open_object(writer, key);
        cor_json_put_real(writer, "mean", cell->estimate->mean);
        cor_json_put_real(writer, "sd", cell->estimate->sd);
        cor_json_put_real(writer, "low", cell->estimate->low);
        cor_json_put_real(writer, "high", cell->estimate->high);
        cor_json_put_string(writer, "interval", cor_interval_word(cell->estimate->interval));
        cor_put_count(writer, "suites", cell->estimate->suites);
        cor_json_put_real(writer, "n", cell->estimate->n);
        cor_json_close(writer);
        break;
    case COR_CELL_FLAG:
        cor_json_put_bool(writer, key, cell->flag);
        break;
    case COR_CELL_WORD:
    case COR_CELL_TEXT:
        cor_json_put_string(writer, key, cell->text);
        break;
    }
}

static void put_row(struct cor_json_writer *writer, const char *key, const struct cor_sheet *sheet,
                    size_t row) {
    cor_json_open_object(writer, key);
    for (size_t i = 0; i < sheet->definition->column_count; i++)
        put_cell(writer, sheet->definition->columns[i].key, cor_sheet_cell(sheet, row, i));
    cor_json_close(writer);
}

static void put_rows(struct cor_json_writer *writer, const char *key, const struct cor_sheet *sheet) {
    cor_json_open_array(writer, key);
    for (size_t row = 0; row < cor_sheet_size(sheet); row++)
        put_row(writer, NULL, sheet, row);
    cor_json_close(writer);
}

static void put_sheet(struct cor_json_writer *writer, const struct cor_sheet *sheet) {
    cor_json_open_object(writer, sheet->definition->id);
    cor_json_put_string(writer, "title", cor_sheet_shown_title(sheet));
    cor_json_put_string(writer, "meaning", sheet->definition->meaning);
    cor_json_open_array(writer, "remarks");
    for (size_t i = 0; i < sheet->remark_count; i++)
        cor_json_put_string(writer, NULL, sheet->remark[i]);
    cor_json_close(writer);
    cor_json_open_array(writer, "columns");
    for (size_t i = 0; i < sheet->definition->column_count; i++) {
        const struct cor_column_definition *column = &sheet->definition->columns[i];
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "key", column->key);
        cor_json_put_string(writer, "heading", column->heading);
        cor_json_put_string(writer, "unit", column->unit);
        cor_json_put_string(writer, "meaning", column->meaning);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    if (!(sheet->definition->flags & COR_SHEET_RECORD))
        put_rows(writer, "rows", sheet);
    else if (cor_sheet_size(sheet) > 0)
        put_row(writer, "row", sheet, 0);
    else
        cor_json_put_string(writer, "row", NULL);
    cor_json_close(writer);
}

enum cor_status cor_sheets_json(const struct cor_sheets *sheets, FILE *file, struct cor_error *error) {
    struct cor_json_writer *writer;
    const struct cor_sheet *sheet;
    for (size_t i = 0; (sheet = cor_sheets_at(sheets, i)) != NULL; i++)
        COR_TRY(sheet__sheet_status(sheet, error));
    COR_TRY(cor_sheets_status(sheets, error));
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "schema", sheets->schema);
    cor_json_put_integer(writer, "version", sheets->version);
    for (size_t i = 0; (sheet = cor_sheets_at(sheets, i)) != NULL; i++)
        if (sheet->definition->flags & COR_SHEET_TOP) {
            if (!(sheet->definition->flags & COR_SHEET_RECORD))
                put_rows(writer, sheet->definition->id, sheet);
            else
                for (size_t j = 0; j < sheet->definition->column_count && cor_sheet_size(sheet) > 0; j++)
                    put_cell(writer, sheet->definition->columns[j].key, cor_sheet_cell(sheet, 0, j));
        } else if (sheet->definition->flags & COR_SHEET_UNDER && cor_sheet_size(sheet) > 0) {
            put_row(writer, sheet->definition->id, sheet, 0);
        }
    cor_json_open_object(writer, "sheets");
    for (size_t i = 0; (sheet = cor_sheets_at(sheets, i)) != NULL; i++)
        put_sheet(writer, sheet);
    cor_json_close(writer);
    cor_json_close(writer);
    return cor_json_print_take(writer, 1, file, error);
}
