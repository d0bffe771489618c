/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/fit.h>

#include <corridor/array.h>
#include <corridor/kinds.h>

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { COLUMNS_MOST = COR_SERIES_COLUMNS_MAX, DAY_MINUTES = 24 * 60, TIME_NONE = -1, TIME_BAD = -2 };

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

/* One character more; there is always room for the 0 behind it. */
static enum cor_status put_char(struct csv *csv, char c) {
    COR_TRY(COR_RESERVE(&csv->field, &csv->field_capacity, csv->field_length + 2, csv->error));
    csv->field[csv->field_length++] = c;
    return COR_OK;
}

static enum cor_status take_plain(struct csv *csv) {
    while (!at_end(csv) && *csv->at != ',' && *csv->at != '\n')
        COR_TRY(put_char(csv, *csv->at++));
    while (csv->field_length > 0 && is_blank(csv->field[csv->field_length - 1]))
        csv->field_length--;
    return COR_OK;
}

/* From the opening quote to behind the closing one; a doubled quote stands for one. */
static enum cor_status take_quoted(struct csv *csv) {
    for (csv->at++;; csv->at++) {
        if (at_end(csv))
            return fail_at_field(csv, "close the quote", "a quote that is opened here is never closed");
        char c = *csv->at;
        if (c == '"' && (csv->at + 1 == csv->end || csv->at[1] != '"'))
            break;
        if (c == '"')
            csv->at++;
        COR_TRY(put_char(csv, c));
        if (c == '\n') {
            csv->line++;
            csv->line_start = csv->at + 1;
        }
    }
    csv->at++;
    skip_blanks(csv);
    if (!at_end(csv) && *csv->at != ',' && *csv->at != '\n')
        return fail_at_field(csv, "double a quote that belongs to the text: \"\"",
                             "there is text after the closing quote");
    return COR_OK;
}

/* Reads a field and what follows it; `last` = it ends its row. */
static enum cor_status next_field(struct csv *csv, bool *last) {
    csv->field_length = 0;
    skip_blanks(csv);
    csv->field_line = csv->line;
    csv->field_column = (size_t)(csv->at - csv->line_start) + 1;
    COR_TRY(COR_RESERVE(&csv->field, &csv->field_capacity, 1, csv->error));
    COR_TRY(!at_end(csv) && *csv->at == '"' ? take_quoted(csv) : take_plain(csv));
    csv->field[csv->field_length] = '\0';
    *last = at_end(csv) || *csv->at == '\n';
    if (at_end(csv))
        return COR_OK;
    csv->at++;
    if (*last) {
        csv->line++;
        csv->line_start = csv->at;
    }
    return COR_OK;
}

/* What is being made. */
struct making {
    const struct cor_series_def *def;
    struct cor_series *series; /* owned until handed out */
    size_t value_capacity, hour_capacity, start_capacity;
    size_t steps[DAY_MINUTES];                /* within segments, by their minutes modulo a day */
    int minute_before;                        /* of the last value */
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

static enum cor_status read_header(struct csv *csv, struct making *making) {
    enum cor_status status;
    char **names = cor_calloc(COLUMNS_MOST + 1, sizeof *names);
    COR_TRY(cor_made(names, csv->error));
    making->time_column = COLUMNS_MOST;
    for (bool last = false; !last; (making->column_count)++) {
        if (making->column_count == COLUMNS_MOST)
            COR_TRY_OUT(fail_at_field(csv, NULL, "there are more than %d columns", COLUMNS_MOST));
        COR_TRY_OUT(next_field(csv, &last));
        names[making->column_count] = cor_strdup(csv->field);
        COR_TRY_OUT(cor_made(names[making->column_count], csv->error));
    }
    COR_TRY_OUT(find_column(csv, names, making->def->column, &making->column));
    if (making->def->time_column)
        COR_TRY_OUT(find_column(csv, names, making->def->time_column, &making->time_column));
out:
    for (size_t i = 0; i < COLUMNS_MOST; i++)
        free(names[i]);
    free(names);
    return status;
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
    /* A decimal number and nothing else: strtod alone would take hexadecimal ones, infinities and blanks. */
    char *end;
    (void)strtod(text, &end);
    if (!(end > text && *end == '\0' && text[strspn(text, "+-.0123456789eE")] == '\0'))
        return fail_at_field(csv, "write numbers with a decimal point, such as 3.5",
                             "\"%.40s\" is not a number", text);
    *value = strtod(text, NULL);
    if (!isfinite(*value))
        return fail_at_field(csv, "values lie within 1e308", "%.40s is too large", text);
    return COR_OK;
}

/* Takes a number of least .. most digits from *text; -1 if there is none. */
static int take_number(const char **text, int least, int most) {
    int number = 0, digits = 0;
    for (; digits < most && **text >= '0' && **text <= '9'; digits++, (*text)++)
        number = 10 * number + (**text - '0');
    return digits >= least ? number : -1;
}

static bool take(const char **text, char wanted) {
    bool there = **text == wanted;
    *text += there;
    return there;
}

static bool within(int number, int low, int high) {
    return number >= low && number <= high;
}

/* "2010-01-31", "2010/1/31", "1/31/2010", "31/1/2010". Leaves *text alone if there is none. */
static bool take_date(const char **text) {
    const char *at = *text;
    int first = take_number(&at, 1, 4);
    char between = *at;
    if (first < 0 || (between != '-' && between != '/') || !take(&at, between))
        return false;
    int second = take_number(&at, 1, 2);
    if (second < 0 || !take(&at, between))
        return false;
    int third = take_number(&at, 1, 4);
    bool year_first = first > 31 && within(second, 1, 12) && within(third, 1, 31);
    bool year_last = between == '/' && within(first, 1, 31) && within(second, 1, 31) &&
                     (first <= 12 || second <= 12) && within(third, 1000, 9999);
    if (!year_first && !year_last)
        return false;
    *text = at;
    return true;
}

/* "Z", "+01:00", "-0500", or nothing. */
static bool take_zone(const char **text) {
    if (take(text, 'Z') || (**text != '+' && **text != '-'))
        return true;
    (*text)++;
    if (!within(take_number(text, 2, 2), 0, 15))
        return false;
    (void)take(text, ':');
    return within(take_number(text, 2, 2), 0, 59);
}

/* "7:05", "07:05:30", "07:05:30.25": the minute of the day, or TIME_BAD. */
static int take_clock(const char **text) {
    int hour = take_number(text, 1, 2);
    if (!within(hour, 0, 24) || !take(text, ':'))
        return TIME_BAD;
    int minute = take_number(text, 2, 2), second = 0, fraction = 0;
    if (take(text, ':')) {
        second = take_number(text, 2, 2);
        if (take(text, '.'))
            fraction = take_number(text, 1, 9);
    }
    if (!within(minute, 0, 59) || !within(second, 0, 60) || fraction < 0)
        return TIME_BAD;
    if (hour == 24)
        return minute == 0 && second == 0 && fraction == 0 ? 0 : TIME_BAD;
    return 60 * hour + minute;
}

/* The minute of the day in a cell of a time column, 0 .. 1439 (24:00 is minute 0); TIME_NONE for a date
 * alone, TIME_BAD for anything that is neither a date nor a time (fit.h lists the forms). */
static int minute_in(const char *text) {
    if (take_date(&text)) {
        if (*text == '\0')
            return TIME_NONE;
        if (!take(&text, ' ') && !take(&text, 'T'))
            return TIME_BAD;
    }
    int clock = take_clock(&text);
    return clock >= 0 && take_zone(&text) && *text == '\0' ? clock : TIME_BAD;
}

static enum cor_status append(const struct csv *csv, struct making *making, double value, int minute) {
    struct cor_series *series = making->series;
    size_t count = series->value_count;
    COR_TRY(COR_RESERVE(&series->values, &making->value_capacity, count + 1, csv->error));
    COR_TRY(COR_RESERVE(&series->hours, &making->hour_capacity, count + 1, csv->error));
    COR_TRY(COR_RESERVE(&series->starts, &making->start_capacity, series->segment_count + 2, csv->error));
    if (!making->in_segment)
        series->starts[series->segment_count++] = count;
    else if (minute >= 0)
        making->steps[(minute + DAY_MINUTES - making->minute_before) % DAY_MINUTES]++;
    making->in_segment = true;
    making->minute_before = minute;
    series->values[count] = value;
    series->hours[count] = (uint8_t)(minute >= 0 ? minute / 60 : 0);
    series->value_count = series->starts[series->segment_count] = count + 1;
    return COR_OK;
}

static enum cor_status read_row(struct csv *csv, struct making *making) {
    size_t field_count = 0, line = csv->line;
    double value = 0.0;
    int minute = TIME_NONE;
    bool gap = false;
    for (bool last = false; !last; field_count++) {
        COR_TRY(next_field(csv, &last));
        if (field_count == making->column)
            COR_TRY(read_value(csv, making, &value, &gap));
        if (field_count == making->time_column) {
            minute = minute_in(csv->field);
            if (minute == TIME_BAD)
                return fail_at_field(
                    csv, "write times such as \"07:00\", \"2010-01-31 07:00:00+01:00\" or \"1/31/2010\"",
                    "\"%.40s\" is neither a time nor a date", csv->field);
            making->has_hours = making->has_hours || minute != TIME_NONE;
            making->has_dates = making->has_dates || minute == TIME_NONE;
            if (making->has_hours && making->has_dates)
                return fail_at_field(csv, "give every row a time of day, or none",
                                     "\"%.40s\" %s, unlike the rows before", csv->field,
                                     minute == TIME_NONE ? "has no time of day" : "has a time of day");
        }
    }
    if (field_count != making->column_count) {
        csv->field_line = line;
        csv->field_column = 1;
        return fail_at_field(csv,
                             field_count < making->column_count ? "give each row a field for each column"
                                                                : "quote fields that hold commas",
                             "the row has %zu %s, the header %zu", field_count,
                             field_count == 1 ? "field" : "fields", making->column_count);
    }
    if (!gap)
        return append(csv, making, value, minute);
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
    COR_TRY(read_header(csv, making));
    while (!is_over(csv))
        COR_TRY(read_row(csv, making));
    if (making->series->value_count == 0)
        return cor_fail(csv->error, COR_STATUS_INPUT, csv->name, "give at least one row with a value",
                        "column \"%s\" holds no values", making->def->column);
    /* What the time column tells: the usual step, and how many differ from it. */
    struct cor_series *series = making->series;
    size_t all = 0, usual = 0;
    for (uint32_t step = 0; step < DAY_MINUTES; step++) {
        all += making->steps[step];
        if (making->steps[step] > making->steps[usual])
            usual = step;
    }
    if (making->has_hours) {
        series->irregular_count = all - making->steps[usual];
        series->step_minutes = all == 0 ? 0 : usual > 0 ? (uint32_t)usual : DAY_MINUTES;
    } else {
        free(series->hours);
        series->hours = NULL;
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
    COR_TRY(cor_made(making.series, error));
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
    while (got > 0) {
        COR_TRY(COR_RESERVE(text, &capacity, *length + 65536, error));
        got = fread(*text + *length, 1, capacity - *length, file);
        *length += got;
        if (*length > COR_SERIES_BYTES_MAX)
            return cor_fail(error, COR_STATUS_INPUT, path, "give a part of it", "it is larger than 256 MiB");
    }
    return ferror(file) ? cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot be read") : COR_OK;
}

enum cor_status cor_series_read(const char *path, const struct cor_series_def *def,
                                struct cor_series **series, struct cor_error *error) {
    char *text = NULL;
    size_t length = 0;
    *series = NULL;
    const char *reader, *what = cor_what_file(path, &reader);
    if (what)
        return cor_fail(error, COR_STATUS_INPUT, path, reader, "is %s, not a table of measurements (CSV)",
                        what);
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
