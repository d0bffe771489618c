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

/* ---- sheets as one JSON document: all rows, all columns, numbers that read back exactly */

static void put_cell_json(struct cor_json_writer *writer, const char *key,
                          const struct cor_table_cell *cell) {
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
        put_cell_json(writer, sheet->definition->columns[i].key, cor_sheet_cell(sheet, row, i));
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
                    put_cell_json(writer, sheet->definition->columns[j].key, cor_sheet_cell(sheet, 0, j));
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

/* ---- one sheet as a table of HTML. What its cells hold comes from files, and is escaped */

struct page_table {
    FILE *file;
    const struct cor_sheet *sheet;
    struct sheet__columns columns;
};

/* title="meaning" */
static void put_hint(FILE *file, const char *text) {
    fputs(" title=\"", file);
    cor_html_text(file, text);
    fputc('"', file);
}

static void put_heading(FILE *file, const struct cor_column_definition *column, const char *scope) {
    fprintf(file, "<th scope=\"%s\"%s data-key=\"", scope,
            sheet__is_number(column) && *scope == 'c' ? " class=n" : "");
    cor_html_text(file, column->key);
    fputc('"', file);
    put_hint(file, column->meaning);
    fputc('>', file);
    cor_html_text(file, column->heading);
    if (sheet__has_unit(column)) {
        fputs(" <span class=unit>", file);
        cor_html_text(file, column->unit);
        fputs("</span>", file);
    }
    fputs("</th>", file);
}

static void put_bar(FILE *file, double percent, const struct cor_table_cell *cell) {
    const struct cor_estimate *estimate = cell->kind == COR_CELL_ESTIMATE ? cell->estimate : NULL;
    if (isnan(percent))
        return;
    fprintf(file, " <span class=bar style=\"--v:%.2f", percent);
    if (estimate && !isnan(estimate->low) && !isnan(estimate->high))
        fprintf(file, ";--l:%.2f;--h:%.2f\"><i></i><b></b></span>", estimate->low, estimate->high);
    else
        fputs("\"><i></i></span>", file);
}

static void put_cell_html(FILE *file, const struct cor_column_definition *column,
                          const struct cor_table_cell *cell) {
    struct sheet__shown shown = sheet__show(column, cell);
    bool missing =
        cell->kind == COR_CELL_NOTHING || (cell->kind == COR_CELL_ESTIMATE && isnan(cell->estimate->mean));
    static const char *const classes[] = {"", "good", "bad", "faint", "strong"};
    COR_ASSERT((size_t)cell->tone < sizeof classes / sizeof *classes);
    const char *tone = classes[cell->tone], *number = sheet__is_number(column) ? "n" : "";
    fputs("<td", file);
    if (*tone || *number)
        fprintf(file, " class=\"%s%s%s\"", number, *tone && *number ? " " : "", tone);
    if (*number) {
        /* What scripts sort by: the exact value. */
        char text[COR_CELL];
        double value = cell->kind == COR_CELL_REAL       ? cell->real
                       : cell->kind == COR_CELL_ESTIMATE ? cell->estimate->mean
                                                         : NAN;
        if (cell->kind == COR_CELL_COUNT)
            cor_integer_text(cell->count, text);
        else if (isnan(value))
            text[0] = 0;
        else
            cor_real_text(value, text);
        fprintf(file, " data-v=\"%s\"", text);
    }
    fputs(missing ? "><span class=na>" : ">", file);
    cor_html_text(file, shown.text);
    cor_html_text(file, shown.number);
    fputs(missing ? "</span>" : "", file);
    if (shown.high[0]) {
        fputs(" <span class=interval", file);
        put_hint(file, cor_interval_meaning(cell->estimate->interval));
        fputc('>', file);
        fprintf(file, "[");
        cor_html_text(file, shown.low);
        fputs(", ", file);
        cor_html_text(file, shown.high);
        fprintf(file, "]%s</span>", shown.mark);
    }
    put_bar(file, sheet__bar_percent(column, cell), cell);
    fputs("</td>", file);
}

static void put_more(const struct page_table *table, size_t rows) {
    size_t most = table->sheet->text_rows;
    if (most > 0 && rows > most)
        fprintf(table->file, "<tr class=more><td colspan=%zu>and %zu more</td></tr>\n", table->columns.shown,
                rows - most);
}

static void put_rows_html(const struct page_table *table) {
    size_t size = table->columns.rows, in_group = 0;
    fputs("<thead><tr>", table->file);
    for (size_t i = 0; i < table->columns.shown; i++)
        put_heading(table->file, &table->sheet->definition->columns[table->columns.column[i]], "col");
    fputs("</tr></thead>\n<tbody>\n", table->file);
    if (size == 0)
        fprintf(table->file, "<tr><td colspan=%zu>none</td></tr>\n", table->columns.shown);
    for (size_t row = 0; row < size; row++, in_group++) {
        size_t group = sheet__group_begun(table->sheet, &table->columns, row > 0 ? row - 1 : SIZE_MAX, row);
        if (group < table->columns.groups) {
            put_more(table, in_group);
            fputs(row > 0 ? "</tbody>\n<tbody>\n" : "", table->file);
            in_group = 0;
        }
        for (; group < table->columns.groups; group++) {
            const struct cor_column_definition *column = &table->sheet->definition->columns[group];
            struct sheet__shown shown = sheet__show(column, cor_sheet_cell(table->sheet, row, group));
            fprintf(table->file, "<tr class=group%zu><th colspan=%zu scope=rowgroup", group,
                    table->columns.shown);
            put_hint(table->file, column->meaning);
            fputc('>', table->file);
            cor_html_text(table->file, column->heading);
            fputs(column->heading[0] ? " " : "", table->file);
            cor_html_text(table->file, shown.text);
            cor_html_text(table->file, shown.number);
            fputs("</th></tr>\n", table->file);
        }
        if (in_group < sheet__rows_most(table->sheet, false)) {
            fputs("<tr>", table->file);
            for (size_t i = 0; i < table->columns.shown; i++) {
                size_t column = table->columns.column[i];
                put_cell_html(table->file, &table->sheet->definition->columns[column],
                              cor_sheet_cell(table->sheet, row, column));
            }
            fputs("</tr>\n", table->file);
        }
    }
    put_more(table, in_group);
    fputs("</tbody></table></div>\n", table->file);
}

enum cor_status cor_sheet_html(const struct cor_sheet *sheet, FILE *file, struct cor_error *error) {
    const struct page_table table = {
        .file = file, .sheet = sheet, .columns = sheet__columns_shown(sheet, false)};
    const char *title = cor_sheet_shown_title(sheet);
    bool record = sheet->definition->flags & COR_SHEET_RECORD;
    COR_TRY(sheet__sheet_status(sheet, error));
    if (!sheet__is_sheet_shown(sheet))
        return cor_stream_status(file, error);
    fprintf(file, "<div class=wide><table class=\"%s\" data-sheet=\"", record ? "record" : "sheet sorts");
    cor_html_text(file, sheet->definition->id);
    fputs("\">", file);
    if (title && title[0]) {
        fputs("<caption>", file);
        cor_html_text(file, title);
        fputs("</caption>", file);
    }
    fputc('\n', file);
    if (record) {
        fputs("<tbody>\n", table.file);
        for (size_t i = 0; i < table.sheet->definition->column_count; i++) {
            const struct cor_column_definition *column = &table.sheet->definition->columns[i];
            if (column->flags & COR_COLUMN_DATA)
                continue;
            fputs("<tr>", table.file);
            put_heading(table.file, column, "row");
            put_cell_html(table.file, column, cor_sheet_cell(table.sheet, 0, i));
            fputs("</tr>\n", table.file);
        }
        fputs("</tbody></table></div>\n", table.file);
    } else
        put_rows_html(&table);
    for (size_t i = 0; i < sheet->remark_count; i++) {
        fputs("<p class=remark>", file);
        cor_html_text(file, sheet->remark[i]);
        fputs("</p>\n", file);
    }
    return cor_stream_status(file, error);
}
