/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/delimited.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cor_delimited cor_delimited_begin(const char *text, size_t length, const char *name, char separator,
                                         struct cor_error *error) {
    bool has_feed = length > 0 && memchr(text, '\n', length);
    return (struct cor_delimited){.name = name,
                                  .at = text,
                                  .end = text + length,
                                  .line_start = text,
                                  .line = 1,
                                  .separator = separator,
                                  .line_end = has_feed ? '\n' : '\r',
                                  .error = error};
}

enum cor_status cor_delimited_fail(const struct cor_delimited *table, const char *remedy,
                                   const char *cause_format, ...) {
    char place[512], cause[1024];
    va_list arguments;
    va_start(arguments, cause_format);
    vsnprintf(cause, sizeof cause, cause_format, arguments);
    va_end(arguments);
    snprintf(place, sizeof place, "%s:%zu:%zu", table->name, table->field_line, table->field_column);
    return cor_fail(table->error, COR_STATUS_INPUT, place, remedy, "%s", cause);
}

bool cor_delimited_at_end(const struct cor_delimited *table) {
    return table->at == table->end;
}

static bool at_line_end(const struct cor_delimited *table) {
    return table->at == table->end || *table->at == table->line_end;
}

static bool is_blank(const struct cor_delimited *table, char c) {
    return c == ' ' || (c == '\r' && table->line_end != '\r') || (c == '\t' && table->separator != '\t');
}

static bool at_separator(const struct cor_delimited *table) {
    return table->separator == ' ' ? is_blank(table, *table->at) : *table->at == table->separator;
}

static void skip_blanks(struct cor_delimited *table) {
    while (table->at < table->end && is_blank(table, *table->at))
        table->at++;
}

/* One character more; there is always room for the 0 behind it. */
static enum cor_status put_char(struct cor_delimited *table, char c) {
    COR_TRY(COR_RESERVE(&table->field, &table->field_capacity, table->field_length + 2, table->error));
    table->field[table->field_length++] = c;
    return COR_OK;
}

static enum cor_status take_plain(struct cor_delimited *table) {
    while (!at_line_end(table) && !at_separator(table))
        COR_TRY(put_char(table, *table->at++));
    while (table->field_length > 0 && is_blank(table, table->field[table->field_length - 1]))
        table->field_length--;
    return COR_OK;
}

/* From the opening quote to behind the closing one; a doubled quote stands for one. */
static enum cor_status take_quoted(struct cor_delimited *table) {
    for (table->at++;; table->at++) {
        if (table->at == table->end)
            return cor_delimited_fail(table, "close the quote",
                                      "a quote that is opened here is never closed");
        char c = *table->at;
        if (c == '"' && (table->at + 1 == table->end || table->at[1] != '"'))
            break;
        if (c == '"')
            table->at++;
        COR_TRY(put_char(table, c));
        if (c == table->line_end) {
            table->line++;
            table->line_start = table->at + 1;
        }
    }
    table->at++;
    bool is_parted = at_line_end(table) || at_separator(table);
    skip_blanks(table);
    if (!at_line_end(table) && !at_separator(table) && !(is_parted && table->separator == ' '))
        return cor_delimited_fail(table, "double a quote that belongs to the text: \"\"",
                                  "there is text after the closing quote");
    return COR_OK;
}

enum cor_status cor_delimited_next(struct cor_delimited *table, bool *last) {
    table->field_length = 0;
    skip_blanks(table);
    table->field_line = table->line;
    table->field_column = (size_t)(table->at - table->line_start) + 1;
    COR_TRY(COR_RESERVE(&table->field, &table->field_capacity, 1, table->error));
    table->is_quoted = table->at < table->end && *table->at == '"';
    COR_TRY(table->is_quoted ? take_quoted(table) : take_plain(table));
    table->field[table->field_length] = '\0';
    if (table->separator == ' ')
        skip_blanks(table);
    *last = at_line_end(table);
    if (table->at == table->end)
        return COR_OK;
    table->at += *last || table->separator != ' ';
    if (*last) {
        table->line++;
        table->line_start = table->at;
    }
    return COR_OK;
}

void cor_delimited_skip_line(struct cor_delimited *table) {
    const char *end =
        table->at < table->end ? memchr(table->at, table->line_end, (size_t)(table->end - table->at)) : NULL;
    table->at = table->line_start = end ? end + 1 : table->end;
    table->line++;
}

bool cor_delimited_is_comment(const struct cor_delimited *table) {
    size_t length = table->comment ? strlen(table->comment) : 0;
    return length > 0 && (size_t)(table->end - table->at) >= length &&
           memcmp(table->at, table->comment, length) == 0;
}

bool cor_delimited_is_over(const struct cor_delimited *table) {
    for (const char *at = table->at; at < table->end; at++)
        if (*at != ' ' && *at != '\t' && *at != '\r' && *at != '\n')
            return false;
    return true;
}

struct cor_delimited cor_delimited_ahead(const struct cor_delimited *table) {
    struct cor_delimited ahead = *table;
    ahead.field = NULL;
    ahead.field_capacity = 0;
    ahead.error = NULL;
    return ahead;
}

bool cor_delimited_is_formula(const char *field) {
    char *end;
    if (!field[0] || !field[1] || !strchr("=+-@\t\r", field[0]))
        return false;
    (void)strtod(field, &end);
    return *end != '\0';
}
