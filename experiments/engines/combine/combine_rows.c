/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows as text: those to keep, and those of others that are to be judged. */
#include "internal.h"

#include <corridor/array.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table {
    const struct cor_combine_model *model;
    const char *name, *at, *line_start; /* of the file; the present place; where its line begins */
    uint32_t line;
    char separator;
    char *cell; /* owned */
    size_t cell_capacity, cell_column;
    bool in_quotes;    /* was the cell */
    uint32_t *columns; /* owned; parameter of each column */
    size_t column_count, column_capacity;
    struct cor_error *error;
};

static enum cor_status COR_PRINTF(3, 4)
    fail_at_cell(const struct table *t, const char *remedy, const char *cause_format, ...) {
    char place[512], cause[1024];
    va_list arguments;
    va_start(arguments, cause_format);
    vsnprintf(cause, sizeof cause, cause_format, arguments);
    va_end(arguments);
    snprintf(place, sizeof place, "%s:%u:%zu", t->name, t->line, t->cell_column);
    return cor_fail(t->error, COR_STATUS_INPUT, place, remedy, "%s", cause);
}

/* The separator of a line of names: the first that occurs outside of quotes. */
static char find_separator(const char *line) {
    bool quoted = false;
    for (; *line && (quoted || *line != '\n'); line++) {
        quoted = quoted != (*line == '"');
        if (!quoted && strchr(",;\t", *line))
            return *line;
    }
    return ',';
}

static bool at_end_of_line(const struct table *t) {
    return *t->at == '\0' || *t->at == '\n' || (*t->at == '\r' && t->at[1] == '\n');
}

static enum cor_status put_byte(struct table *t, size_t *length, char byte) {
    COR_TRY(COR_RESERVE(&t->cell, &t->cell_capacity, *length + 2, t->error));
    t->cell[(*length)++] = byte;
    t->cell[*length] = '\0';
    return COR_OK;
}

/* The rest of a cell in quotes; within, a quote is doubled. */
static enum cor_status read_quoted(struct table *t, size_t *length) {
    for (t->at++;; t->at++) {
        if (*t->at == '\0' || *t->at == '\n')
            return fail_at_cell(t, "close it with \"", "a quoted cell that is not closed");
        if (*t->at == '"' && *++t->at != '"')
            return COR_OK;
        COR_TRY(put_byte(t, length, *t->at));
    }
}

/* The next cell of the line, without blanks around it. Stops at the separator or the end of the line. */
static enum cor_status read_cell(struct table *t) {
    size_t length = 0;
    COR_TRY(COR_RESERVE(&t->cell, &t->cell_capacity, 1, t->error));
    t->cell[0] = '\0';
    while (*t->at == ' ')
        t->at++;
    t->cell_column = (size_t)(t->at - t->line_start) + 1;
    t->in_quotes = *t->at == '"';
    if (t->in_quotes)
        COR_TRY(read_quoted(t, &length));
    else {
        while (!at_end_of_line(t) && *t->at != t->separator)
            COR_TRY(put_byte(t, &length, *t->at++));
        while (length > 0 && t->cell[length - 1] == ' ')
            t->cell[--length] = '\0';
    }
    while (*t->at == ' ')
        t->at++;
    if (!at_end_of_line(t) && *t->at != t->separator)
        return fail_at_cell(t, NULL, "something behind a quoted cell");
    return COR_OK;
}

/* To the next cell of the line; false at its end, and then to the next line. */
static bool next_cell(struct table *t) {
    if (!at_end_of_line(t)) {
        t->at++;
        return true;
    }
    t->at += *t->at == '\r';
    if (*t->at == '\n') {
        t->at++;
        t->line++;
        t->line_start = t->at;
    }
    return false;
}

static enum cor_status fail_unknown(const struct table *t, const char *what, const char *const *names) {
    char known[512];
    cor_known_names(t->cell, names, known, sizeof known);
    return fail_at_cell(t, known, "%s \"%s\"", what, t->cell);
}

/* The line of names. */
static enum cor_status read_names(struct table *t, bool whole) {
    t->separator = find_separator(t->at);
    do {
        COR_TRY(read_cell(t));
        uint32_t parameter = cor_combine_find_parameter(t->model, t->cell);
        if (parameter == COR_NONE) {
            const char **names = cor_calloc(t->model->parameter_count + 1, sizeof *names);
            COR_TRY(cor_made(names, t->error));
            for (size_t i = 0; i < t->model->parameter_count; i++)
                names[i] = t->model->parameters[i].name;
            enum cor_status status = fail_unknown(t, "there is no parameter", names);
            free(names);
            return status;
        }
        for (size_t i = 0; i < t->column_count; i++)
            if (t->columns[i] == parameter)
                return fail_at_cell(t, NULL, "two columns \"%s\"", t->cell);
        COR_TRY(COR_RESERVE(&t->columns, &t->column_capacity, t->column_count + 1, t->error));
        t->columns[t->column_count++] = parameter;
    } while (next_cell(t));
    for (uint32_t p = 0; whole && p < t->model->parameter_count; p++) {
        bool found = false;
        for (size_t i = 0; i < t->column_count; i++)
            found = found || t->columns[i] == p;
        if (!found)
            return cor_fail(t->error, COR_STATUS_INPUT, t->name,
                            "add it to the line of names, and to each row", "there is no column \"%s\"",
                            t->model->parameters[p].name);
    }
    return COR_OK;
}

static enum cor_status read_row(struct table *t, bool whole, uint32_t *levels) {
    size_t column = 0;
    uint32_t line = t->line;
    for (uint32_t p = 0; p < t->model->parameter_count; p++)
        levels[p] = COR_COMBINE_ANY;
    do {
        COR_TRY(read_cell(t));
        if (column == t->column_count)
            return fail_at_cell(t, NULL, "more than %zu cells", t->column_count);
        uint32_t p = t->columns[column++];
        /* An empty cell leaves the value open; in quotes, or where none may be open, it can be an empty text.
         */
        bool empty = *t->cell == '\0' &&
                     ((!t->in_quotes && !whole) || cor_combine_find_level(t->model, p, "") == COR_NONE);
        levels[p] = empty ? COR_COMBINE_ANY : cor_combine_find_level(t->model, p, t->cell);
        if (empty && whole)
            return fail_at_cell(t, "say a value for each parameter", "no value of \"%s\"",
                                t->model->parameters[p].name);
        if (!empty && levels[p] == COR_NONE) {
            const struct combine__combine_parameter *it = &t->model->parameters[p];
            const char **names = cor_calloc(it->level_count + 1, sizeof *names);
            char what[300];
            COR_TRY(cor_made(names, t->error));
            for (uint32_t i = 0; i < it->level_count; i++)
                names[i] = it->levels[i].text;
            snprintf(what, sizeof what, "\"%s\" has no value", it->name);
            enum cor_status status = fail_unknown(t, what, names);
            free(names);
            return status;
        }
    } while (next_cell(t));
    if (column < t->column_count) {
        char place[512];
        snprintf(place, sizeof place, "%s:%u", t->name, line);
        return cor_fail(t->error, COR_STATUS_INPUT, place, NULL, "%zu cells, but the line of names has %zu",
                        column, t->column_count);
    }
    return COR_OK;
}

static bool skip_empty_lines(struct table *t) {
    while (*t->at && at_end_of_line(t))
        next_cell(t);
    return *t->at != '\0';
}

enum cor_status cor_combine_read_rows(const char *text, const char *name,
                                      const struct cor_combine_model *model, bool whole,
                                      struct cor_combine_rows *rows, struct cor_error *error) {
    struct table t = {
        .model = model, .name = name, .at = text, .line_start = text, .line = 1, .error = error};
    size_t width = model->parameter_count;
    enum cor_status status = COR_OK;
    *rows = (struct cor_combine_rows){0};
    if (!skip_empty_lines(&t))
        return cor_fail(error, COR_STATUS_INPUT, name, "begin with the names of the parameters",
                        "there is no line of names");
    COR_TRY_OUT(read_names(&t, whole));
    while (skip_empty_lines(&t)) {
        COR_TRY_OUT(COR_RESERVE(&rows->levels, &rows->level_capacity, (rows->row_count + 1) * width, error));
        COR_TRY_OUT(COR_RESERVE(&rows->lines, &rows->line_capacity, rows->row_count + 1, error));
        rows->lines[rows->row_count] = t.line;
        COR_TRY_OUT(read_row(&t, whole, rows->levels + rows->row_count * width));
        rows->row_count++;
    }
out:
    free(t.cell);
    free(t.columns);
    return status;
}

void cor_combine_rows_fini(struct cor_combine_rows *rows) {
    free(rows->levels);
    free(rows->lines);
    *rows = (struct cor_combine_rows){0};
}
