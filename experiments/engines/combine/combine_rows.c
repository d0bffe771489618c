/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows as text: those to keep, and those of others that are to be judged. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/delimited.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table {
    const struct cor_combine_model *model;
    struct cor_delimited text;
    uint32_t *columns; /* owned; parameter of each column */
    size_t column_count, column_capacity;
    struct cor_error *error;
};

/* The separator of a line of names: the first that occurs outside of quotes. */
static char find_separator(const char *line, char line_end) {
    bool quoted = false;
    for (; *line && (quoted || *line != line_end); line++) {
        quoted = quoted != (*line == '"');
        if (!quoted && strchr(",;\t", *line))
            return *line;
    }
    return ',';
}

static enum cor_status fail_unknown(const struct table *t, const char *what, const char *const *names) {
    char known[512];
    cor_known_names(t->text.field, names, known, sizeof known);
    return cor_delimited_fail(&t->text, known, "%s \"%s\"", what, t->text.field);
}

/* The line of names. */
static enum cor_status read_names(struct table *t, bool whole) {
    bool last = false;
    t->text.separator = find_separator(t->text.at, t->text.line_end);
    while (!last) {
        COR_TRY(cor_delimited_next(&t->text, &last));
        uint32_t parameter = cor_combine_find_parameter(t->model, t->text.field);
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
                return cor_delimited_fail(&t->text, NULL, "two columns \"%s\"", t->text.field);
        COR_TRY(COR_RESERVE(&t->columns, &t->column_capacity, t->column_count + 1, t->error));
        t->columns[t->column_count++] = parameter;
    }
    for (uint32_t p = 0; whole && p < t->model->parameter_count; p++) {
        bool found = false;
        for (size_t i = 0; i < t->column_count; i++)
            found = found || t->columns[i] == p;
        if (!found)
            return cor_fail(t->error, COR_STATUS_INPUT, t->text.name,
                            "add it to the line of names, and to each row", "there is no column \"%s\"",
                            t->model->parameters[p].name);
    }
    return COR_OK;
}

static enum cor_status read_row(struct table *t, bool whole, uint32_t *levels) {
    size_t column = 0;
    size_t line = t->text.line;
    bool last = false;
    for (uint32_t p = 0; p < t->model->parameter_count; p++)
        levels[p] = COR_COMBINE_ANY;
    while (!last) {
        COR_TRY(cor_delimited_next(&t->text, &last));
        if (column == t->column_count)
            return cor_delimited_fail(&t->text, NULL, "more than %zu cells", t->column_count);
        uint32_t p = t->columns[column++];
        /* An empty cell leaves the value open; in quotes, or where none may be open, it can be an empty text.
         */
        bool empty = *t->text.field == '\0' &&
                     ((!t->text.is_quoted && !whole) || cor_combine_find_level(t->model, p, "") == COR_NONE);
        levels[p] = empty ? COR_COMBINE_ANY : cor_combine_find_level(t->model, p, t->text.field);
        if (empty && whole)
            return cor_delimited_fail(&t->text, "say a value for each parameter", "no value of \"%s\"",
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
    }
    if (column < t->column_count) {
        char place[512];
        snprintf(place, sizeof place, "%s:%zu", t->text.name, line);
        return cor_fail(t->error, COR_STATUS_INPUT, place, NULL, "%zu cells, but the line of names has %zu",
                        column, t->column_count);
    }
    return COR_OK;
}

/* False: nothing else is left. */
static bool skip_empty_lines(struct cor_delimited *text) {
    while (!cor_delimited_at_end(text) &&
           (*text->at == text->line_end ||
            (*text->at == '\r' && text->at + 1 < text->end && text->at[1] == '\n')))
        cor_delimited_skip_line(text);
    return !cor_delimited_at_end(text);
}

enum cor_status cor_combine_read_rows(const char *text, const char *name,
                                      const struct cor_combine_model *model, bool whole,
                                      struct cor_combine_rows *rows, struct cor_error *error) {
    struct table t = {
        .model = model, .text = cor_delimited_begin(text, strlen(text), name, ',', error), .error = error};
    size_t width = model->parameter_count;
    enum cor_status status = COR_OK;
    *rows = (struct cor_combine_rows){0};
    if (!skip_empty_lines(&t.text))
        return cor_fail(error, COR_STATUS_INPUT, name, "begin with the names of the parameters",
                        "there is no line of names");
    COR_TRY_OUT(read_names(&t, whole));
    while (skip_empty_lines(&t.text)) {
        COR_TRY_OUT(COR_RESERVE(&rows->levels, &rows->level_capacity, (rows->row_count + 1) * width, error));
        COR_TRY_OUT(COR_RESERVE(&rows->lines, &rows->line_capacity, rows->row_count + 1, error));
        rows->lines[rows->row_count] = (uint32_t)t.text.line;
        COR_TRY_OUT(read_row(&t, whole, rows->levels + rows->row_count * width));
        rows->row_count++;
    }
out:
    free(t.text.field);
    free(t.columns);
    return status;
}

void cor_combine_rows_fini(struct cor_combine_rows *rows) {
    free(rows->levels);
    free(rows->lines);
    *rows = (struct cor_combine_rows){0};
}
