/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns are the symbols of an expression over a shape without elements: that has the three values that
 * cells without a value need. */
#include "parts.h"

#include <corridor/array.h>
#include <corridor/where.h>
#include <corridor/world.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cor_where {
    struct cor_words words;
    struct cor_symbol *symbols; /* owned, as all here; [column] */
    struct cor_domain *domains;
    uint32_t **listed; /* [column] the words of an enumeration */
    struct cor_value *values;
    size_t count;
    struct cor_expression expression;
};

static enum cor_status make_domain(struct cor_where *where, size_t column,
                                   const struct cor_where_column *from, struct cor_error *error) {
    static const char *const names[] = {[COR_VALUE_TYPE_INTEGER] = "int",
                                        [COR_VALUE_TYPE_REAL] = "float",
                                        [COR_VALUE_TYPE_BOOLEAN] = "bool",
                                        [COR_VALUE_TYPE_STRING] = "string",
                                        [COR_VALUE_TYPE_ENUMERATION] = "word"};
    uint32_t count = 0;
    while (from->words && from->words[count])
        count++;
    where->listed[column] = cor_calloc(count + 1, sizeof **where->listed);
    COR_TRY(cor_made(where->listed[column], error));
    for (uint32_t i = 0; i < count; i++)
        COR_TRY(cor_words_intern(&where->words, from->words[i], &where->listed[column][i], error));
    where->domains[column] = (struct cor_domain){.type = from->type,
                                                 .name = names[from->type],
                                                 .words = count > 0 ? where->listed[column] : NULL,
                                                 .word_count = count};
    where->symbols[column] = (struct cor_symbol){from->name, &where->domains[column]};
    where->values[column] = cor_null();
    return COR_OK;
}

enum cor_status cor_where_create(const char *text, const struct cor_where_column *columns, size_t count,
                                 struct cor_where **made, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_where *where = cor_calloc(1, sizeof *where);
    COR_TRY(cor_made(where, error));
    *made = where;
    where->count = count;
    where->symbols = cor_calloc(count, sizeof *where->symbols);
    COR_TRY_OUT(cor_made(where->symbols, error));
    where->domains = cor_calloc(count, sizeof *where->domains);
    COR_TRY_OUT(cor_made(where->domains, error));
    where->listed = cor_calloc(count, sizeof *where->listed);
    COR_TRY_OUT(cor_made(where->listed, error));
    where->values = cor_calloc(count, sizeof *where->values);
    COR_TRY_OUT(cor_made(where->values, error));
    static const struct cor_shape nothing_but_columns = {0};
    for (size_t i = 0; i < where->count; i++)
        COR_TRY_OUT(make_domain(where, i, &columns[i], error));
    const struct cor_scope scope = {.symbols = where->symbols,
                                    .symbol_count = (uint32_t)where->count,
                                    .words = &where->words,
                                    .shape = &nothing_but_columns};
    COR_TRY_OUT(cor_expression_parse_condition(text, &scope, COR_WHERE_PLACE, &where->expression, error));
out:
    if (status != COR_OK) {
        cor_where_destroy(where);
        *made = NULL;
    }
    return status;
}

void cor_where_destroy(struct cor_where *where) {
    if (!where)
        return;
    cor_expression_fini(&where->expression);
    for (size_t i = 0; where->listed && i < where->count; i++)
        free(where->listed[i]);
    cor_words_fini(&where->words);
    free(where->listed);
    free(where->symbols);
    free(where->domains);
    free(where->values);
    free(where);
}

bool cor_where_reads(const struct cor_where *where, size_t column) {
    return cor_expression_reads(&where->expression, (uint32_t)column);
}

void cor_where_nothing(struct cor_where *where, size_t column) {
    where->values[column] = cor_null();
}

void cor_where_count(struct cor_where *where, size_t column, uint64_t count) {
    where->values[column] = count <= INT64_MAX ? cor_integer((int64_t)count) : cor_null();
}

void cor_where_real(struct cor_where *where, size_t column, double real) {
    where->values[column] = isfinite(real) ? cor_real(real) : cor_null();
}

void cor_where_flag(struct cor_where *where, size_t column, bool flag) {
    where->values[column] = cor_integer(flag);
}

enum cor_status cor_where_word(struct cor_where *where, size_t column, const char *word,
                               struct cor_error *error) {
    uint32_t number;
    COR_TRY(cor_words_intern(&where->words, word, &number, error));
    where->values[column] =
        cor_domain_has(&where->domains[column], cor_word(number)) ? cor_word(number) : cor_null();
    return COR_OK;
}

bool cor_where_holds(const struct cor_where *where) {
    static const struct cor_world nothing = {0};
    return cor_expression_ask(&where->expression, where->values, &nothing, NULL) == COR_TRUTH_TRUE;
}

/* ---- the rows of sheets for which a condition holds. Columns go by the names that CSV has for them */

/* The columns that a condition may name, of one sheet or of all. */
struct names {
    struct cor_where_column *column; /* owned */
    char **text;                     /* owned; the names of these */
    size_t count, capacity, text_capacity;
};

static void names_fini(struct names *names) {
    for (size_t i = 0; i < names->count; i++)
        free(names->text[i]);
    free(names->column);
    free(names->text);
}

/* How many names a column has: an estimate has one for each of its parts. */
static size_t part_count(const struct cor_column_definition *column) {
    return column->kind == COR_CELL_ESTIMATE ? SHEET__ESTIMATE_FIELDS : 1;
}

static enum cor_value_type type_of(enum cor_cell_kind kind, size_t part) {
    switch (kind) {
    case COR_CELL_COUNT:
        return COR_VALUE_TYPE_INTEGER;
    case COR_CELL_REAL:
        return COR_VALUE_TYPE_REAL;
    case COR_CELL_ESTIMATE:
        return part == SHEET__ESTIMATE_INTERVAL ? COR_VALUE_TYPE_STRING
               : part == SHEET__ESTIMATE_SUITES ? COR_VALUE_TYPE_INTEGER
                                                : COR_VALUE_TYPE_REAL;
    case COR_CELL_FLAG:
        return COR_VALUE_TYPE_BOOLEAN;
    default:
        return COR_VALUE_TYPE_STRING;
    }
}

static bool has_name(const struct names *names, const char *name) {
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->column[i].name, name) == 0)
            return true;
    return false;
}

/* Adds the names of a sheet, in the order of its columns; of those that are known none if `once`. */
static enum cor_status add_names(struct names *names, const struct cor_sheet *sheet, bool once,
                                 struct cor_error *error) {
    for (size_t i = 0; i < sheet->definition->column_count; i++) {
        const struct cor_column_definition *column = &sheet->definition->columns[i];
        for (size_t part = 0; part < part_count(column); part++) {
            COR_TRY(COR_RESERVE(&names->column, &names->capacity, names->count + 1, error));
            COR_TRY(COR_RESERVE(&names->text, &names->text_capacity, names->count + 1, error));
            char *name = cor_format("%s%s", column->key, sheet__estimate_ends[part]);
            COR_TRY(cor_made(name, error));
            if (once && has_name(names, name)) {
                free(name);
                continue;
            }
            names->text[names->count] = name;
            names->column[names->count++] =
                (struct cor_where_column){name, type_of(column->kind, part), NULL};
        }
    }
    return COR_OK;
}

/* Sets one column, or one part of an estimate, of the condition. */
static enum cor_status set_cell(struct cor_where *where, size_t at, const struct cor_table_cell *cell,
                                size_t part, struct cor_error *error) {
    cor_where_nothing(where, at);
    switch (cell->kind) {
    case COR_CELL_NOTHING:
        break;
    case COR_CELL_COUNT:
        cor_where_count(where, at, cell->count);
        break;
    case COR_CELL_REAL:
        cor_where_real(where, at, cell->real);
        break;
    case COR_CELL_FLAG:
        cor_where_flag(where, at, cell->flag);
        break;
    case COR_CELL_WORD:
    case COR_CELL_TEXT:
        return cor_where_word(where, at, cell->text, error);
    case COR_CELL_ESTIMATE: {
        const struct cor_estimate *estimate = cell->estimate;
        const double reals[SHEET__ESTIMATE_FIELDS] = {
            estimate->mean, estimate->sd, estimate->low, estimate->high, 0, 0, estimate->n};
        if (part == SHEET__ESTIMATE_INTERVAL)
            return cor_where_word(where, at, cor_interval_word(estimate->interval), error);
        if (part == SHEET__ESTIMATE_SUITES)
            cor_where_count(where, at, estimate->suites);
        else
            cor_where_real(where, at, reals[part]);
    }
    }
    return COR_OK;
}

/* Whether the condition holds for a row, whose names are those of the sheet. */
static enum cor_status judge_row(const struct cor_sheet *sheet, size_t row, struct cor_where *where,
                                 bool *holds, struct cor_error *error) {
    size_t at = 0;
    for (size_t i = 0; i < sheet->definition->column_count; i++)
        for (size_t part = 0; part < part_count(&sheet->definition->columns[i]); part++, at++)
            if (cor_where_reads(where, at))
                COR_TRY(set_cell(where, at, cor_sheet_cell(sheet, row, i), part, error));
    *holds = cor_where_holds(where);
    return COR_OK;
}

/* Keeps the rows for which the condition holds. A row that is left out of a brief text stays so. */
static enum cor_status filter_sheet(struct cor_sheet *sheet, const char *text, struct cor_error *error) {
    struct names names = {0};
    struct cor_where *where = NULL;
    enum cor_status status = COR_OK;
    const size_t columns = sheet->definition->column_count, rows = cor_sheet_size(sheet);
    size_t kept = 0;
    COR_TRY_OUT(add_names(&names, sheet, false, error));
    COR_TRY_OUT(cor_where_create(text, names.column, names.count, &where, error));
    for (size_t row = 0; row < rows; row++) {
        bool holds;
        COR_TRY_OUT(judge_row(sheet, row, where, &holds, error));
        if (holds)
            memmove(&sheet->cell[kept++ * columns], &sheet->cell[row * columns],
                    columns * sizeof *sheet->cell);
    }
    sheet->cell_count = kept * columns;
    cor_sheet_remark(sheet, "--where chose %zu of %zu rows; no figure is reckoned anew.", kept, rows);
out:
    cor_where_destroy(where);
    names_fini(&names);
    return status;
}

/* Whether the sheet has all columns that the condition over `all` reads. */
static enum cor_status suits(const struct cor_sheet *sheet, const struct names *all,
                             const struct cor_where *where, bool *suited, struct cor_error *error) {
    struct names own = {0};
    enum cor_status status = add_names(&own, sheet, false, error);
    *suited = status == COR_OK;
    for (size_t i = 0; i < all->count && *suited; i++)
        *suited = !cor_where_reads(where, i) || has_name(&own, all->column[i].name);
    names_fini(&own);
    return status;
}

enum cor_status cor_sheets_filter(struct cor_sheets *sheets, const char *id, const char *text,
                                  struct cor_error *error) {
    struct names all = {0};
    struct cor_where *where = NULL;
    enum cor_status status = COR_OK;
    size_t kept = 0;
    COR_TRY(cor_sheets_status(sheets, error));
    for (size_t i = 0; i < sheets->part_count; i++)
        if (sheets->part[i].sheet && (!id || strcmp(sheets->part[i].sheet->definition->id, id) == 0))
            COR_TRY_OUT(add_names(&all, sheets->part[i].sheet, true, error));
    COR_TRY_OUT(cor_where_create(text, all.column, all.count, &where, error));
    for (size_t i = 0; i < sheets->part_count; i++) {
        struct cor_sheet *sheet = sheets->part[i].sheet;
        bool suited = false;
        if (sheet && (!id || strcmp(sheet->definition->id, id) == 0))
            COR_TRY_OUT(suits(sheet, &all, where, &suited, error));
        if (suited)
            COR_TRY_OUT(filter_sheet(sheet, text, error));
        sheets->part[i].is_left_out = !suited;
    }
    for (size_t i = 0; i < sheets->part_count; i++)
        if (sheets->part[i].is_left_out)
            sheet__part_destroy(&sheets->part[i]);
        else
            sheets->part[kept++] = sheets->part[i];
    sheets->part_count = kept;
    if (kept == 0)
        status = cor_fail(error, COR_STATUS_INPUT, COR_WHERE_PLACE,
                          "name columns of one table: --json has the keys of each",
                          "no table has all of these columns");
out:
    cor_where_destroy(where);
    names_fini(&all);
    return status == COR_OK ? cor_sheets_status(sheets, error) : status;
}
