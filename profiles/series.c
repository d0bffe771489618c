/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/series.h>

#include "series_time.h"

#include <corridor/array.h>

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { COLUMNS_MOST = COR_SERIES_COLUMNS_MAX };

#define GAP_REMEDY "fill the gap, or let gaps split the series (--split-gaps)"

void cor_series_destroy(struct cor_series *series) {
    if (!series)
        return;
    free(series->file);
    free(series->column);
    free(series->values);
    free(series->hours);
    free(series->starts);
    free(series);
}

/* ---- fields */

/* The text being read, and the field read last. */
struct csv {
    const char *name, *at, *end, *line_start;
    size_t line;
    char *field; /* owned; unquoted, without blanks around it */
    size_t field_capacity, field_length;
    size_t field_line, field_column; /* where it begins */
    struct cor_error *error;
};

/* Complains about the field read last. */
static enum cor_status COR_PRINTF(3, 4)
    fail_at_field(const struct csv *csv, const char *remedy, const char *cause_format, ...) {
    char place[512], cause[1024];
    va_list arguments;
    va_start(arguments, cause_format);
    vsnprintf(cause, sizeof cause, cause_format, arguments);
    va_end(arguments);
    snprintf(place, sizeof place, "%s:%zu:%zu", csv->name, csv->field_line, csv->field_column);
    return cor_fail(csv->error, COR_STATUS_INPUT, place, remedy, "%s", cause);
}

static bool at_end(const struct csv *csv) {
    return csv->at == csv->end;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(struct csv *csv) {
    while (!at_end(csv) && is_blank(*csv->at))
        csv->at++;
}

static void next_line(struct csv *csv) {
    csv->line++;
    csv->line_start = csv->at;
}

/* One character more; there is always room for the 0 behind it. */
static enum cor_status put_char(struct csv *csv, char c) {
    enum cor_status status =
        COR_RESERVE(&csv->field, &csv->field_capacity, csv->field_length + 2, csv->error);
    if (status == COR_OK)
        csv->field[csv->field_length++] = c;
    return status;
}

static enum cor_status take_plain(struct csv *csv) {
    enum cor_status status = COR_OK;
    while (status == COR_OK && !at_end(csv) && *csv->at != ',' && *csv->at != '\n')
        status = put_char(csv, *csv->at++);
    while (csv->field_length > 0 && is_blank(csv->field[csv->field_length - 1]))
        csv->field_length--;
    return status;
}

/* From the opening quote to behind the closing one; a doubled quote stands for one. */
static enum cor_status take_quoted(struct csv *csv) {
    enum cor_status status = COR_OK;
    csv->at++;
    for (; status == COR_OK; csv->at++) {
        if (at_end(csv))
            return fail_at_field(csv, "close the quote", "a quote that is opened here is never closed");
        char c = *csv->at;
        if (c == '"' && (csv->at + 1 == csv->end || csv->at[1] != '"'))
            break;
        if (c == '"')
            csv->at++;
        status = put_char(csv, c);
        if (c == '\n') {
            csv->line++;
            csv->line_start = csv->at + 1;
        }
    }
    csv->at += status == COR_OK;
    skip_blanks(csv);
    if (status == COR_OK && !at_end(csv) && *csv->at != ',' && *csv->at != '\n')
        return fail_at_field(csv, "double a quote that belongs to the text: \"\"",
                             "there is text after the closing quote");
    return status;
}

/* Reads a field and what follows it; `last` = it ends its row. */
static enum cor_status next_field(struct csv *csv, bool *last) {
    csv->field_length = 0;
    skip_blanks(csv);
    csv->field_line = csv->line;
    csv->field_column = (size_t)(csv->at - csv->line_start) + 1;
    enum cor_status status = COR_RESERVE(&csv->field, &csv->field_capacity, 1, csv->error);
    if (status == COR_OK)
        status = !at_end(csv) && *csv->at == '"' ? take_quoted(csv) : take_plain(csv);
    if (status != COR_OK)
        return status;
    csv->field[csv->field_length] = '\0';
    *last = at_end(csv) || *csv->at == '\n';
    if (!at_end(csv)) {
        csv->at++;
        if (*last)
            next_line(csv);
    }
    return COR_OK;
}

/* ---- header */

/* What is being made. */
struct making {
    const struct cor_series_def *def;
    struct cor_series *series; /* owned until handed out */
    size_t value_capacity, hour_capacity, start_capacity;
    size_t column, time_column, column_count; /* COLUMNS_MOST = none */
    bool in_segment, has_hours, has_dates;
};

/* The index of a column that must be in the header once. */
static enum cor_status find_column(const struct csv *csv, char **names, const char *wanted, size_t *index) {
    char place[512], remedy[1024];
    snprintf(place, sizeof place, "%s:1:1", csv->name);
    *index = COLUMNS_MOST;
    for (size_t i = 0; names[i]; i++) {
        if (strcmp(names[i], wanted) != 0)
            continue;
        if (*index != COLUMNS_MOST)
            return cor_fail(csv->error, COR_STATUS_INPUT, place, "give the columns names of their own",
                            "two columns are called \"%s\"", wanted);
        *index = i;
    }
    if (*index != COLUMNS_MOST)
        return COR_OK;
    cor_known_names(wanted, (const char *const *)names, remedy, sizeof remedy);
    return cor_fail(csv->error, COR_STATUS_INPUT, place, remedy, "there is no column \"%s\"", wanted);
}

static enum cor_status read_names(struct csv *csv, char **names, size_t *count) {
    enum cor_status status = COR_OK;
    for (bool last = false; status == COR_OK && !last; (*count)++) {
        if (*count == COLUMNS_MOST)
            return fail_at_field(csv, NULL, "there are more than %d columns", COLUMNS_MOST);
        if ((status = next_field(csv, &last)) != COR_OK)
            break;
        names[*count] = cor_strdup(csv->field);
        if (!names[*count])
            return cor_fail_memory(csv->error);
    }
    return status;
}

static enum cor_status read_header(struct csv *csv, struct making *making) {
    char **names = cor_calloc(COLUMNS_MOST + 1, sizeof *names);
    if (!names)
        return cor_fail_memory(csv->error);
    enum cor_status status = read_names(csv, names, &making->column_count);
    if (status == COR_OK)
        status = find_column(csv, names, making->def->column, &making->column);
    making->time_column = COLUMNS_MOST;
    if (status == COR_OK && making->def->time_column)
        status = find_column(csv, names, making->def->time_column, &making->time_column);
    for (size_t i = 0; i < COLUMNS_MOST; i++)
        free(names[i]);
    free(names);
    return status;
}

/* ---- cells */

static size_t skip_digits(const char *text) {
    return strspn(text, "0123456789");
}

/* A decimal number and nothing else: strtod alone would take hexadecimal ones, infinities and blanks. */
static bool is_number(const char *text) {
    text += *text == '+' || *text == '-';
    size_t before = skip_digits(text), after = 0;
    text += before;
    if (*text == '.') {
        after = skip_digits(++text);
        text += after;
    }
    if (before + after == 0)
        return false;
    if (*text == 'e' || *text == 'E') {
        text++;
        text += *text == '+' || *text == '-';
        size_t digits = skip_digits(text);
        if (digits == 0)
            return false;
        text += digits;
    }
    return *text == '\0';
}

static bool is_word_for_gap(const char *text) {
    return strcasecmp(text, "nan") == 0 || strcasecmp(text, "na") == 0;
}

static bool is_infinity(const char *text) {
    text += *text == '+' || *text == '-';
    return strcasecmp(text, "inf") == 0 || strcasecmp(text, "infinity") == 0;
}

static enum cor_status read_value(const struct csv *csv, const struct making *making, double *value,
                                  bool *gap) {
    const char *text = csv->field;
    *gap = text[0] == '\0' || is_word_for_gap(text);
    if (*gap && making->def->split_gaps)
        return COR_OK;
    if (text[0] == '\0')
        return fail_at_field(csv, GAP_REMEDY, "there is no value in column \"%.80s\"", making->def->column);
    if (*gap)
        return fail_at_field(csv, GAP_REMEDY, "\"%s\" is no value", text);
    if (is_infinity(text))
        return fail_at_field(csv, "values are finite", "\"%s\" is no value", text);
    if (!is_number(text))
        return fail_at_field(csv, "write numbers with a decimal point, such as 3.5",
                             "\"%.40s\" is not a number", text);
    *value = strtod(text, NULL);
    if (!isfinite(*value))
        return fail_at_field(csv, "values lie within 1e308", "%.40s is too large", text);
    return COR_OK;
}

static enum cor_status read_hour(const struct csv *csv, struct making *making, uint8_t *hour) {
    int found = cor__hour_in(csv->field);
    if (found == COR__HOUR_BAD)
        return fail_at_field(csv,
                             "write times such as \"07:00\", \"2010-01-31 07:00:00+01:00\" or \"1/31/2010\"",
                             "\"%.40s\" is neither a time nor a date", csv->field);
    making->has_hours = making->has_hours || found != COR__HOUR_NONE;
    making->has_dates = making->has_dates || found == COR__HOUR_NONE;
    if (making->has_hours && making->has_dates)
        return fail_at_field(csv, "give every row a time of day, or none",
                             "\"%.40s\" %s, unlike the rows before", csv->field,
                             found == COR__HOUR_NONE ? "has no time of day" : "has a time of day");
    *hour = found == COR__HOUR_NONE ? 0 : (uint8_t)found;
    return COR_OK;
}

/* ---- rows */

static enum cor_status append(const struct csv *csv, struct making *making, double value, uint8_t hour) {
    struct cor_series *series = making->series;
    enum cor_status status =
        COR_RESERVE(&series->values, &making->value_capacity, series->value_count + 1, csv->error);
    if (status == COR_OK)
        status = COR_RESERVE(&series->hours, &making->hour_capacity, series->value_count + 1, csv->error);
    if (status == COR_OK)
        status = COR_RESERVE(&series->starts, &making->start_capacity, series->segment_count + 2, csv->error);
    if (status != COR_OK)
        return status;
    if (!making->in_segment)
        series->starts[series->segment_count++] = series->value_count;
    making->in_segment = true;
    series->values[series->value_count] = value;
    series->hours[series->value_count++] = hour;
    series->starts[series->segment_count] = series->value_count;
    return COR_OK;
}

static enum cor_status read_row(struct csv *csv, struct making *making) {
    size_t field_count = 0, line = csv->line;
    double value = 0.0;
    uint8_t hour = 0;
    bool gap = false, last = false;
    enum cor_status status = COR_OK;
    for (; status == COR_OK && !last; field_count++) {
        status = next_field(csv, &last);
        if (status == COR_OK && field_count == making->column)
            status = read_value(csv, making, &value, &gap);
        if (status == COR_OK && field_count == making->time_column)
            status = read_hour(csv, making, &hour);
    }
    if (status == COR_OK && field_count != making->column_count) {
        csv->field_line = line;
        csv->field_column = 1;
        return fail_at_field(csv,
                             field_count < making->column_count ? "give each row a field for each column"
                                                                : "quote fields that hold commas",
                             "the row has %zu %s, the header %zu", field_count,
                             field_count == 1 ? "field" : "fields", making->column_count);
    }
    if (status != COR_OK || !gap)
        return status == COR_OK ? append(csv, making, value, hour) : status;
    making->in_segment = false;
    making->series->gap_count++;
    return COR_OK;
}

/* Only blanks and line ends are left. */
static bool is_over(const struct csv *csv) {
    for (const char *at = csv->at; at < csv->end; at++)
        if (!is_blank(*at) && *at != '\n')
            return false;
    return true;
}

static enum cor_status read_rows(struct csv *csv, struct making *making) {
    enum cor_status status = COR_OK;
    while (status == COR_OK && !(is_over(csv)))
        status = read_row(csv, making);
    if (status == COR_OK && making->series->value_count == 0)
        return cor_fail(csv->error, COR_STATUS_INPUT, csv->name, "give at least one row with a value",
                        "column \"%s\" holds no values", making->def->column);
    return status;
}

/* How many steps within segments differ from the usual one, hours being counted modulo 24. */
static size_t count_irregular(const struct cor_series *series) {
    size_t count[24] = {0}, all = 0, usual = 0;
    for (size_t s = 0; s < series->segment_count; s++)
        for (size_t i = series->starts[s] + 1; i < series->starts[s + 1]; i++, all++)
            count[(series->hours[i] + 24 - series->hours[i - 1]) % 24]++;
    for (size_t step = 0; step < 24; step++)
        usual = count[step] > usual ? count[step] : usual;
    return all - usual;
}

static enum cor_status make(struct csv *csv, struct making *making) {
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    if (csv->at < csv->end && memchr(csv->at, '\0', (size_t)(csv->end - csv->at)))
        return cor_fail(csv->error, COR_STATUS_INPUT, csv->name, "give a text file in UTF-8",
                        "it holds zero bytes");
    if (csv->end - csv->at >= 3 && memcmp(csv->at, byte_order_mark, 3) == 0)
        csv->line_start = csv->at += 3;
    if (is_over(csv))
        return cor_fail(csv->error, COR_STATUS_INPUT, csv->name, "begin with a row of column names",
                        "it is empty");
    enum cor_status status = read_header(csv, making);
    if (status == COR_OK)
        status = read_rows(csv, making);
    if (status != COR_OK)
        return status;
    if (making->has_hours) {
        making->series->irregular_count = count_irregular(making->series);
    } else {
        free(making->series->hours);
        making->series->hours = NULL;
    }
    return COR_OK;
}

enum cor_status cor_series_parse(const char *text, size_t length, const char *name,
                                 const struct cor_series_def *def, struct cor_series **series,
                                 struct cor_error *error) {
    struct csv csv = {
        .name = name, .at = text, .end = text + length, .line_start = text, .line = 1, .error = error};
    struct making making = {.def = def, .series = cor_calloc(1, sizeof(struct cor_series))};
    *series = NULL;
    if (!making.series)
        return cor_fail_memory(error);
    making.series->file = cor_strdup(name);
    making.series->column = cor_strdup(def->column);
    enum cor_status status =
        making.series->file && making.series->column ? make(&csv, &making) : cor_fail_memory(error);
    free(csv.field);
    if (status == COR_OK)
        *series = making.series;
    else
        cor_series_destroy(making.series);
    return status;
}

static enum cor_status read_text(FILE *file, const char *path, char **text, size_t *length,
                                 struct cor_error *error) {
    size_t capacity = 0, got = 1;
    enum cor_status status = COR_OK;
    while (status == COR_OK && got > 0) {
        if ((status = COR_RESERVE(text, &capacity, *length + 65536, error)) != COR_OK)
            break;
        got = fread(*text + *length, 1, capacity - *length, file);
        *length += got;
        if (*length > COR_SERIES_BYTES_MAX)
            status =
                cor_fail(error, COR_STATUS_INPUT, path, "give a part of it", "it is larger than 256 MiB");
    }
    if (status == COR_OK && ferror(file))
        status = cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot be read");
    return status;
}

enum cor_status cor_series_read(const char *path, const struct cor_series_def *def,
                                struct cor_series **series, struct cor_error *error) {
    char *text = NULL;
    size_t length = 0;
    *series = NULL;
    FILE *file = fopen(path, "rb");
    if (!file)
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot be opened");
    enum cor_status status = read_text(file, path, &text, &length, error);
    fclose(file);
    if (status == COR_OK)
        status = cor_series_parse(text, length, path, def, series, error);
    free(text);
    return status;
}
