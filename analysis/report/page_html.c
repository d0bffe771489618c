/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page_html.h"

#include <corridor/cells.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define WORDS_MAX (REPORT__LINES_MAX + 1)

void report__html_count(FILE *file, uint64_t value) {
    char digits[COR_CELL];
    cor_integer_text(value, digits);
    size_t count = strlen(digits);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0 && count > 4)
            fputs("\xe2\x80\xaf", file);
        fputc(digits[i], file);
    }
}

void report__html_real(FILE *file, double value, int decimals) {
    if (isnan(value))
        fputs("<span class=na>n/a</span>", file);
    else if (isinf(value))
        fputs(value > 0 ? "\xe2\x88\x9e" : "-\xe2\x88\x9e", file);
    else if (fabs(value) >= 1e9) /* nobody counts the digits */
        fprintf(file, "%.4g", value);
    else {
        char text[COR_CELL];
        snprintf(text, sizeof text, "%.*f", decimals, value);
        bool zero = text[strspn(text, "-0.")] == '\0'; /* "-0.00" says no more than "0.00" */
        fputs(text + (zero && text[0] == '-'), file);
    }
}

void report__html_brief(FILE *file, double value) {
    if (isfinite(value))
        fprintf(file, "%.4g", value);
    else
        report__html_real(file, value, 0);
}

void report__head(FILE *file, const char *text) {
    fprintf(file, "<th scope=col>%s</th>", text);
}

void report__head_name(FILE *file, const char *name, const char *hint) {
    fputs("<th scope=row", file);
    if (hint) {
        fputs(" title=\"", file);
        cor_html_short(file, hint, 200);
        fputc('"', file);
    }
    fputc('>', file);
    cor_html_short(file, name, 48);
    fputs("</th>", file);
}

const char *report__sheet_word(const struct cor_sheet *sheet, size_t row, const char *key) {
    const struct cor_table_cell *cell = cor_sheet_cell(sheet, row, cor_sheet_column(sheet, key));
    COR_ASSERT(cell->kind == COR_CELL_WORD || cell->kind == COR_CELL_TEXT || cell->kind == COR_CELL_NOTHING);
    return cell->kind == COR_CELL_NOTHING ? "" : cell->text;
}

uint64_t report__sheet_count(const struct cor_sheet *sheet, size_t row, const char *key) {
    const struct cor_table_cell *cell = cor_sheet_cell(sheet, row, cor_sheet_column(sheet, key));
    COR_ASSERT(cell->kind == COR_CELL_COUNT || cell->kind == COR_CELL_NOTHING);
    return cell->kind == COR_CELL_COUNT ? cell->count : 0;
}

double report__sheet_real(const struct cor_sheet *sheet, size_t row, const char *key) {
    const struct cor_table_cell *cell = cor_sheet_cell(sheet, row, cor_sheet_column(sheet, key));
    return cell->kind == COR_CELL_REAL       ? cell->real
           : cell->kind == COR_CELL_ESTIMATE ? cell->estimate->mean
           : cell->kind == COR_CELL_COUNT    ? (double)cell->count
                                             : NAN;
}

uint64_t report__sheet_sum(const struct cor_sheet *sheet, const char *key) {
    uint64_t sum = 0;
    for (size_t row = 0; row < cor_sheet_size(sheet); row++)
        sum += report__sheet_count(sheet, row, key);
    return sum;
}

size_t report__sheet_rows_with(const struct cor_sheet *sheet, const char *key, const char *word) {
    size_t count = 0;
    for (size_t row = 0; row < cor_sheet_size(sheet); row++)
        count += strcmp(report__sheet_word(sheet, row, key), word) == 0;
    return count;
}

size_t report__sheet_rows(const struct cor_sheet *sheet) {
    const struct cor_sheet_definition *definition = cor_sheet_definition(sheet);
    size_t size = cor_sheet_size(sheet);
    if (!(definition->flags & COR_SHEET_FIRST))
        return size;
    for (size_t c = 0; c < definition->column_count && definition->columns[c].flags & COR_COLUMN_GROUP; c++)
        for (size_t row = 1; row < size; row++)
            if (strcmp(report__sheet_word(sheet, row, definition->columns[c].key),
                       report__sheet_word(sheet, 0, definition->columns[c].key)) != 0)
                size = row;
    return size;
}

/* Words of a column, each once, in the order in which they occur. */
struct words {
    const char *word[WORDS_MAX];
    size_t count;
};

static bool is_in(const struct words *words, const char *word) {
    for (size_t w = words->count; w-- > 0;) /* mostly it is the last */
        if (strcmp(words->word[w], word) == 0)
            return true;
    return false;
}

static bool is_of_group(const struct report__matrix *matrix, size_t row) {
    return !matrix->group_key ||
           strcmp(report__sheet_word(matrix->sheet, row, matrix->group_key), matrix->group) == 0;
}

static struct words collect(const struct report__matrix *matrix, const struct cor_sheet *sheet,
                            const char *key, size_t most) {
    struct words words = {.count = 0};
    COR_ASSERT(most <= WORDS_MAX);
    for (size_t row = 0; row < cor_sheet_size(sheet) && words.count < most; row++) {
        const char *word = report__sheet_word(sheet, row, key);
        if ((sheet != matrix->sheet || is_of_group(matrix, row)) && !is_in(&words, word))
            words.word[words.count++] = word;
    }
    return words;
}

size_t report__matrix_lines(const struct cor_sheet *sheet, const char *key) {
    const struct report__matrix matrix = {.sheet = sheet};
    return collect(&matrix, sheet, key, WORDS_MAX).count;
}

/* The row with these two words, the size of the sheet if there is none; looked for from *from on, as rows lie
 * mostly in the order in which they are asked for. */
static size_t find(const struct report__matrix *matrix, const char *line, const char *column, size_t *from) {
    size_t size = cor_sheet_size(matrix->sheet);
    for (size_t i = 0; i < size; i++) {
        size_t row = (*from + i) % size;
        if (strcmp(report__sheet_word(matrix->sheet, row, matrix->column_key), column) == 0 &&
            strcmp(report__sheet_word(matrix->sheet, row, matrix->line_key), line) == 0 &&
            is_of_group(matrix, row)) {
            *from = row + 1;
            return row;
        }
    }
    return size;
}

void report__matrix_html(const struct report__matrix *matrix, FILE *file) {
    struct words lines = collect(matrix, matrix->lines ? matrix->lines : matrix->sheet, matrix->line_key,
                                 REPORT__LINES_MAX),
                 columns = collect(matrix, matrix->sheet, matrix->column_key, REPORT__COLUMNS_MAX);
    size_t from = 0;
    if (columns.count == 0)
        return;
    fprintf(file, "<div class=wide><table class=\"%s\" data-matrix=%s>\n<thead><tr>", matrix->class,
            cor_sheet_definition(matrix->sheet)->id);
    report__head(file, matrix->heading);
    for (size_t c = 0; c < columns.count; c++) {
        fputs("<th scope=col class=n data-word=\"", file);
        cor_html_short(file, columns.word[c], 48);
        fputs("\">", file);
        matrix->put_heading(columns.word[c], file);
        fputs("</th>", file);
    }
    fputs("</tr></thead>\n<tbody>\n", file);
    for (size_t l = 0; l < lines.count; l++) {
        const char *line = lines.word[l];
        COR_ASSERT(columns.count > 0);
        size_t size = cor_sheet_size(matrix->sheet), first = find(matrix, line, columns.word[0], &from);
        fputs("<tr data-line=\"", file);
        cor_html_short(file, line, 48);
        fputs("\">", file);
        report__head_name(file,
                          matrix->line_shown && first < size
                              ? report__sheet_word(matrix->sheet, first, matrix->line_shown)
                              : line,
                          NULL);
        for (size_t c = 0; c < columns.count; c++) {
            size_t row = find(matrix, line, columns.word[c], &from);
            if (row < size)
                matrix->put_cell(matrix, row, file);
            else
                fputs("<td class=na data-v=0>\xc2\xb7</td>", file);
        }
        fputs("</tr>\n", file);
    }
    fputs("</tbody></table></div>\n", file);
}
