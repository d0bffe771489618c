/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns of a series and their words; series of several files. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/delimited.h>
#include <corridor/kinds.h>

#include <ctype.h>
#include <iconv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static enum cor_status profiles__begin_series(const char *file, const char *const *columns, uint32_t count,
                                              struct cor_series **series,
                                              struct cor_error *error) COR_MUST_USE;

void cor_series_destroy(struct cor_series *series) {
    if (!series)
        return;
    for (uint32_t k = 0; series->columns && k < series->column_count; k++) {
        struct cor_series_column *column = &series->columns[k];
        for (uint32_t i = 0; i < column->word_count; i++)
            free(column->words[i]);
        free(column->words);
        free(column->name);
        free(column->values);
    }
    for (uint32_t i = 0; series->files && i < series->file_count; i++)
        free(series->files[i]);
    free(series->files);
    free(series->columns);
    free(series->file);
    free(series->hours);
    free(series->starts);
    free(series->notes);
    free(series);
}

/* The index of a word of a column, which grows by it where it is new.
 * COR_SERIES_WORDS_MAX: the column has that many others. */
static enum cor_status profiles__take_word(struct cor_series_column *column, const char *word,
                                           uint32_t *index, struct cor_error *error) {
    for (*index = column->word_count; *index > 0; --*index)
        if (strcmp(column->words[*index - 1], word) == 0) {
            --*index;
            return COR_OK;
        }
    *index = column->word_count;
    if (*index == COR_SERIES_WORDS_MAX)
        return COR_OK;
    if (!column->words)
        COR_TRY(cor_made(column->words = cor_calloc(COR_SERIES_WORDS_MAX, sizeof *column->words), error));
    COR_TRY(cor_made(column->words[*index] = cor_strdup(word), error));
    column->word_count++;
    return COR_OK;
}

struct placed {
    char *word;
    uint32_t index; /* before */
};

static int by_alphabet(const void *a, const void *b) {
    const struct placed *one = a, *other = b;
    return strcmp(one->word, other->word);
}

/* Puts the words of a column in the order of the alphabet; `count` cells, a `stride` apart, follow. */
static enum cor_status sort_words(struct cor_series_column *column, double *cells, size_t count,
                                  size_t stride, struct cor_error *error) {
    COR_FREED struct placed *placed = cor_calloc(column->word_count + 1, sizeof *placed);
    COR_FREED double *place = cor_calloc(column->word_count + 1, sizeof *place);
    if (!placed || !place)
        return cor_fail_memory(error);
    for (uint32_t i = 0; i < column->word_count; i++)
        placed[i] = (struct placed){column->words[i], i};
    qsort(placed, column->word_count, sizeof *placed, by_alphabet);
    for (uint32_t i = 0; i < column->word_count; i++) {
        column->words[i] = placed[i].word;
        place[placed[i].index] = i;
    }
    for (size_t i = 0; i < count; i++)
        cells[i * stride] = place[(size_t)cells[i * stride]];
    return COR_OK;
}

/* Room for so many values and segments more. */
static enum cor_status make_room(struct cor_series *series, size_t values, size_t segments,
                                 struct cor_error *error) {
    size_t needed = series->value_count + values, capacity = series->capacity;
    for (uint32_t k = 0; k < series->column_count; k++) {
        capacity = series->capacity;
        COR_TRY(COR_RESERVE(&series->columns[k].values, &capacity, needed, error));
    }
    if (series->hours) {
        capacity = series->capacity;
        COR_TRY(COR_RESERVE(&series->hours, &capacity, needed, error));
    }
    series->capacity = capacity;
    return COR_RESERVE(&series->starts, &series->start_capacity, series->segment_count + segments + 1, error);
}

/* The values of a column of the other series behind those of the first; words of both in one order. */
static enum cor_status append_column(struct cor_series *series, const struct cor_series *more, uint32_t k,
                                     struct cor_error *error) {
    struct cor_series_column *column = &series->columns[k];
    const struct cor_series_column *other = &more->columns[k];
    double *behind = column->values + series->value_count;
    if (!column->words != !other->words)
        return cor_fail(error, COR_STATUS_INPUT, more->file,
                        "fit numbers and words apart, or take the numbers as words, too (--words)",
                        "column \"%s\" holds %s, but %s in %s", column->name,
                        other->words ? "words" : "numbers", other->words ? "numbers" : "words", series->file);
    memcpy(behind, other->values, more->value_count * sizeof *behind);
    if (!other->words)
        return COR_OK;
    COR_FREED uint32_t *index = cor_calloc(other->word_count, sizeof *index);
    COR_TRY(cor_made(index, error));
    const uint32_t before = column->word_count;
    enum cor_status status = COR_OK;
    for (uint32_t i = 0; i < other->word_count; i++) {
        COR_TRY(profiles__take_word(column, other->words[i], &index[i], error));
        if (index[i] == COR_SERIES_WORDS_MAX)
            return cor_fail(error, COR_STATUS_INPUT, more->file,
                            "choose a column of a few words, as states are",
                            "column \"%s\" and the files before have more than %d words together",
                            column->name, COR_SERIES_WORDS_MAX);
    }
    for (size_t i = 0; i < more->value_count; i++)
        behind[i] = index[(size_t)behind[i]];
    if (column->word_count > before)
        status = sort_words(column, column->values, series->value_count + more->value_count, 1, error);
    return status;
}

enum cor_status cor_series_append(struct cor_series *series, const struct cor_series *more,
                                  struct cor_error *error) {
    COR_ASSERT(series->column_count == more->column_count && series->file_count < COR_SERIES_FILES_MAX);
    if (!series->hours != !more->hours)
        return cor_fail(error, COR_STATUS_INPUT, more->file, "fit files whose times are written alike",
                        "its times %s, unlike those of %s", more->hours ? "have hours" : "have no hours",
                        series->file);
    for (uint32_t i = 0; i < series->file_count; i++)
        if (strcmp(series->files[i], more->file) == 0)
            return cor_fail(error, COR_STATUS_INPUT, more->file, "name each file once", "is named twice");
    COR_TRY(make_room(series, more->value_count, more->segment_count, error));
    for (uint32_t k = 0; k < series->column_count; k++)
        COR_TRY(append_column(series, more, k, error));
    if (series->hours)
        memcpy(series->hours + series->value_count, more->hours, more->value_count);
    for (size_t s = 1; s <= more->segment_count; s++)
        series->starts[series->segment_count + s] = series->value_count + more->starts[s];
    series->value_count += more->value_count;
    series->segment_count += more->segment_count;
    series->gap_count += more->gap_count;
    series->hole_count += more->hole_count;
    series->irregular_count += more->irregular_count;
    /* What was said of the reading of both, each line of the other with its file. */
    struct cor_bytes notes = {0};
    char step[64], first[64];
    cor_bytes_print(&notes, "%s", series->notes);
    for (const char *at = more->notes; *at;) {
        size_t length = strcspn(at, "\n");
        cor_bytes_print(&notes, "%s%s: %.*s", notes.size > 0 ? "\n" : "", more->file, (int)length, at);
        at += length + (at[length] == '\n');
    }
    bool differs = series->step_months != more->step_months || series->step_seconds < more->step_seconds ||
                   series->step_seconds > more->step_seconds;
    if (series->step_seconds > 0 && more->step_seconds > 0 && differs) {
        profiles__step_text(series->step_seconds, series->step_months, first, sizeof first);
        profiles__step_text(more->step_seconds, more->step_months, step, sizeof step);
        cor_bytes_print(
            &notes, "%s%s: Time: its step is %s, that of %s is %s; both are counted as transitions alike.",
            notes.size > 0 ? "\n" : "", more->file, step, series->files[0], first);
    }
    free(series->notes);
    series->notes = cor_bytes_text_take(&notes, error);
    COR_TRY(series->notes ? COR_OK : COR_STATUS_MEMORY);
    if (series->step_seconds <= 0) {
        series->step_seconds = more->step_seconds;
        series->step_months = more->step_months;
    }
    char *file = cor_format("%s, %s", series->file, more->file);
    COR_TRY(cor_made(file, error));
    free(series->file);
    series->file = file;
    series->files[series->file_count] = cor_strdup(more->files[0]);
    return cor_made(series->files[series->file_count++], error);
}

enum cor_status cor_series_of_words(const char *name, const char *column, const char *const *words,
                                    uint32_t word_count, struct cor_series **series,
                                    struct cor_error *error) {
    COR_DESTROYED(cor_series) struct cor_series *made = NULL;
    uint32_t index;
    *series = NULL;
    COR_TRY(profiles__begin_series(name, &(const char *){column}, 1, &made, error));
    COR_TRY(cor_made(made->notes = cor_strdup(""), error));
    for (uint32_t i = 0; i < word_count; i++) {
        COR_TRY(profiles__take_word(&made->columns[0], words[i], &index, error));
        COR_ASSERT(index == i);
    }
    *series = cor_taken(&made);
    return COR_OK;
}

enum cor_status cor_series_add(struct cor_series *series, const uint8_t *words, size_t count,
                               struct cor_error *error) {
    COR_ASSERT(series->column_count == 1 && count > 0);
    COR_TRY(make_room(series, count, 1, error));
    for (size_t i = 0; i < count; i++) {
        COR_ASSERT(words[i] < series->columns[0].word_count);
        series->columns[0].values[series->value_count + i] = words[i];
    }
    series->starts[series->segment_count++] = series->value_count;
    series->value_count += count;
    series->starts[series->segment_count] = series->value_count;
    return COR_OK;
}

/* series.c: a series of these columns without values. */
static enum cor_status profiles__begin_series(const char *file, const char *const *columns, uint32_t count,
                                              struct cor_series **series, struct cor_error *error) {
    COR_DESTROYED(cor_series) struct cor_series *made = cor_calloc(1, sizeof *made);
    *series = NULL;
    COR_TRY(cor_made(made, error));
    made->file = cor_strdup(file);
    made->files = cor_calloc(COR_SERIES_FILES_MAX, sizeof *made->files);
    made->columns = cor_calloc(count, sizeof *made->columns);
    if (!made->file || !made->files || !made->columns)
        return cor_fail_memory(error);
    made->column_count = count;
    made->files[made->file_count++] = cor_strdup(file);
    COR_TRY(cor_made(made->files[0], error));
    for (uint32_t k = 0; k < count; k++)
        COR_TRY(cor_made(made->columns[k].name = cor_strdup(columns[k]), error));
    *series = cor_taken(&made);
    return COR_OK;
}

#define SECOND PROFILES__SECOND
#define DAY PROFILES__DAY
#define HOUR PROFILES__HOUR

enum {
    COLUMNS_MOST = COR_SERIES_COLUMNS_MAX,
    WHERE_MOST = 16,
    TIMES_MOST = 6,
    VALUES_MOST = COR_SERIES_VALUES_MAX,
    SERIES_MOST = 10000,
    HEADER_LINES = 200,
    UNIT_ROWS = 4
};

/* What stands behind numbers of a column: a unit, or flags. */
enum { SUFFIXES_MOST = 8, SUFFIX_TEXT = 24 };
struct suffix {
    char text[SUFFIX_TEXT], cell[41];
    size_t line, column, count; /* where it stands first, and in how many cells */
};

#define TIME_TEXT 48 /* of a column that says a part of a time */
#define GAP_REMEDY "fill the gap, or let gaps split the series (--split-gaps)"

/* What is being made. */
struct making {
    const struct cor_series_def *def;
    struct cor_series *series;  /* owned until handed out */
    struct profiles__row *rows; /* owned */
    double *cells;              /* owned; of the rows, column after column; of words their indices */
    size_t row_count, row_capacity, cell_count, cell_capacity;
    char **names; /* owned, of the series in the order in which they begin */
    size_t name_count, name_capacity;
    size_t value_column[VALUES_MOST], value_count; /* fields that hold values */
    bool is_words[VALUES_MOST];
    size_t series_column, column_count; /* COLUMNS_MOST = none */
    size_t last_wanted;                 /* the last field that is wanted of a row */
    size_t time_column[TIMES_MOST], time_count;
    size_t where_column[WHERE_MOST], where_count;
    struct cor_bytes notes; /* sentences, a line each */
    size_t text_gaps, text_gap_line;
    char text_gap[41];                           /* the first of them */
    size_t days_first, months_first, two_orders; /* dates that tell the order, that need one */
    int thousands;                               /* COR_THOUSANDS_*; 0: nothing parts them */
    struct profiles__time_form form;
    unsigned said;            /* guesses of times, PROFILES__.. */
    size_t changes[2];        /* of the first and the last number of dates with years of two digits */
    int ends[2];              /* these of the row before; -1: there is none */
    char *wide[COLUMNS_MOST]; /* owned; what a column's name says of the day; NULL: it is not of these */
    size_t wide_count;
    struct suffix suffixes[VALUES_MOST][SUFFIXES_MOST];
    size_t suffix_count[VALUES_MOST], bare[VALUES_MOST]; /* cells that are numbers alone */
    char parts[TIMES_MOST];                              /* PART_.. that the names of the time columns say */
    char wide_part;             /* what columns are named by: PART_MONTH, PART_DAY; 0: times of the day */
    char date_above[TIME_TEXT]; /* of several time columns the first: an empty cell below it says the same */
    bool said_above, said_below_0, said_rule, said_comment;
    uint32_t place; /* of the zone */
    bool decimal_comma, seen_point, ends_empty;
    bool has_hours, has_dates, is_dated, is_zoned, times_begun;
    bool is_behind_gap;   /* the line before was empty */
    bool is_memory_short; /* a look ahead ended early: what it did not see is no guess */
};

/* Reads a field, without what keeps a spreadsheet from guessing (="7.1", '7.1) and with - for a minus sign.
 */
static enum cor_status next_field(struct cor_delimited *csv, bool *last) {
    COR_TRY(cor_delimited_next(csv, last));
    char *text = csv->field;
    size_t length = strlen(text);
    if (length >= 3 && text[0] == '=' && text[1] == '"' && text[length - 1] == '"') {
        length -= 3;
        memmove(text, text + 2, length);
        text[length] = '\0';
    }
    if (*text == '\'' && (strchr("+-.", text[1]) || isdigit((unsigned char)text[1])) && text[1] &&
        text[length - 1] != '\'')
        memmove(text, text + 1, length); /* a mark of text */
    text += *text == '(';
    if (strncmp(text, "\xE2\x88\x92", 3) == 0) {
        *text = '-';
        memmove(text + 1, text + 3, strlen(text + 3) + 1);
    }
    return COR_OK;
}

/* Reads a field ahead; false at its end for whatever reason: what is wrong with the file is said when it is
 * read. */
static bool peek(struct cor_delimited *ahead, struct making *making, bool *last) {
    const enum cor_status status = next_field(ahead, last);
    making->is_memory_short = making->is_memory_short || status == COR_STATUS_MEMORY;
    return status == COR_OK;
}

static enum cor_status check_memory(const struct making *making, struct cor_error *error) {
    return making->is_memory_short ? cor_fail_memory(error) : COR_OK;
}

/* A decimal number and nothing else: strtod alone would take hexadecimal ones, infinities and blanks. */
static bool is_number(const char *text, double *value) {
    char *end;
    *value = strtod(text, &end);
    return end > text && *end == '\0' && text[strspn(text, "+-.0123456789eE")] == '\0';
}

/* The name of a column as it is called: a line of names may begin as comments do. */
static const char *called(const char *field, bool is_first) {
    return is_first && (*field == '#' || *field == '%') ? field + 1 + strspn(field + 1, " ") : field;
}

/* The index of a column that must be in the header once. */
static enum cor_status find_column(const struct cor_delimited *csv, size_t line, char **names,
                                   const char *wanted, size_t *index) {
    char place[512], remedy[1024];
    struct profiles__moment moment;
    double value;
    bool is_data = names[0] && *names[0] && strchr("0123456789-+", *names[0]);
    snprintf(place, sizeof place, "%s:%zu:1", csv->name, line);
    *index = COLUMNS_MOST;
    for (size_t i = 0; names[i]; i++) {
        if (strcmp(names[i], wanted) != 0 && strcmp(called(names[i], i == 0), wanted) != 0)
            continue;
        if (*index != COLUMNS_MOST)
            return cor_fail(csv->error, COR_STATUS_INPUT, place, "give the columns names of their own",
                            "two columns are called \"%s\"", wanted);
        *index = i;
    }
    if (*index != COLUMNS_MOST)
        return COR_OK;
    for (size_t i = 0; names[i] && !is_data; i++)
        is_data = is_number(names[i], &value) ||
                  profiles__take_moment(names[i], &(struct profiles__time_form){0}, &moment);
    if (is_data)
        return cor_fail(
            csv->error, COR_STATUS_INPUT, place,
            "put a line of names in front, apart by what parts the values (blanks: --separator blank)",
            "there is no column \"%s\", and the line has values, no names", wanted);
    cor_known_names(wanted, (const char *const *)names, remedy, sizeof remedy);
    return cor_fail(csv->error, COR_STATUS_INPUT, place, remedy, "there is no column \"%s\"", wanted);
}

/* The name of the column before '=' in "station=north". */
static enum cor_status where_name(const struct cor_delimited *csv, const char *where, char **name) {
    const char *sign = strchr(where, '=');
    if (!sign || sign == where)
        return cor_fail(csv->error, COR_STATUS_INPUT, csv->name, "write it as in station=north",
                        "\"%.80s\" says no rows", where);
    *name = cor_format("%.*s", (int)(sign - where), where);
    return cor_made(*name, csv->error);
}

static bool is_listed(const char *const *names, const char *name) {
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

/* Whether a field has values; `column`: which. */
static bool is_value(const struct making *making, size_t field, size_t *column) {
    for (*column = 0; *column < making->value_count; ++*column)
        if (making->value_column[*column] == field)
            return true;
    return false;
}

enum {
    PART_YEAR = 'y',
    PART_QUARTER = 'q',
    PART_MONTH = 'm',
    PART_WEEK = 'w',
    PART_DAY = 'd',
    PART_DAY_OF_YEAR = 'j',
    PART_HOUR_MINUTE = 'h'
};

/* Is the text, in small letters and with _ for blanks, among the words, each of which has blanks around it?
 */
static bool is_among(const char *words, const char *text, size_t length) {
    char word[TIME_TEXT] = " ";
    if (length == 0 || length + 3 > sizeof word)
        return false;
    for (size_t i = 0; i < length; i++)
        word[1 + i] = text[i] == ' ' ? '_' : (char)tolower((unsigned char)text[i]);
    word[1 + length] = ' ';
    return strstr(words, word) != NULL;
}

/* The part of a time that a column of numbers is called by; 0: none of these. */
static char part_of(const char *name) {
    static const struct {
        char part;
        const char *words;
    } names[] = {{PART_YEAR, " year yyyy yr jahr annee ano anno jaar "},
                 {PART_QUARTER, " quarter qtr quartal q "},
                 {PART_MONTH, " month mm mon monat mois mes mese maand "},
                 {PART_WEEK, " week isoweek iso_week kw woche semaine semana weeknr "},
                 {PART_DAY, " day "},
                 {PART_DAY_OF_YEAR, " doy yday jday julian julian_day day_of_year dayofyear "},
                 {PART_HOUR_MINUTE, " hhmm hrmn hrmin hourmin hour_min "}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_among(names[i].words, name, strlen(name)))
            return names[i].part;
    return 0;
}

/* What the time columns are called by. Two, the second of them a day, are year and day of the year. */
static void find_parts(struct making *making, char **names) {
    char *parts = making->parts;
    for (size_t i = 0; i < making->time_count; i++)
        parts[i] = part_of(making->def->time_columns[i]);
    if (making->time_count == 2 && parts[1] == PART_DAY)
        parts[1] = PART_DAY_OF_YEAR;
    size_t months = 0;
    for (size_t i = 0; names[i]; i++) {
        struct profiles__moment moment;
        char text[TIME_TEXT + 16];
        snprintf(text, sizeof text, "2000 %.40s", names[i]);
        months += profiles__take_moment(text, &(struct profiles__time_form){0}, &moment) && !moment.has_clock;
    }
    if (making->time_count == 2 && parts[0] == PART_YEAR && parts[1] == PART_MONTH)
        making->wide_part = PART_DAY;
    else if (making->time_count == 1 && (parts[0] == PART_YEAR || months > 3))
        making->wide_part = PART_MONTH;
}

/* Columns that are named by times of the day, its hours or periods ("00:30", "1", "H01", "00:00-01:00"), by
 * days of a month ("31"), or by parts of a year ("Jan", "1", "Q1"): keeps what goes behind the date. */
static enum cor_status find_wide(const struct cor_delimited *csv, struct making *making, char **names) {
    static const char *const forms[] = {"2000-01-01 %.*s", "2000-01-%.*s", "2000-%.*s", "2000 %.*s"};
    struct profiles__moment moment;
    char text[TIME_TEXT + 16];
    int greatest = 0;
    for (size_t i = 0; names[i]; i++) {
        const size_t digits = strspn(names[i], "0123456789"),
                     range = *names[i] ? strcspn(names[i] + 1, "-") + 1 : 0;
        const bool is_number = digits > 0 && digits <= 2 && !names[i][digits];
        const int form = !making->wide_part ? 0 : making->wide_part == PART_DAY ? 1 : is_number ? 2 : 3;
        int year, month, day;
        if (range == 0 || range > 40 || (form == 1 && !is_number))
            continue;
        snprintf(text, sizeof text, forms[form], (int)range, names[i]);
        const bool is_moment = profiles__take_moment(text, &making->form, &moment);
        if (!is_moment && is_number && (form == 1 || form == 2)) /* 0 to 23 are hours, of nothing here */
            return cor_fail(
                csv->error, COR_STATUS_INPUT, csv->name,
                form == 1 ? "leave the column out; or name a time column with days, whose hours these are"
                          : "leave the column out; or name a time column with months, whose days these are",
                "column \"%s\" is no %s (--wide)", names[i], form == 1 ? "day of a month" : "month");
        if (!is_moment || moment.has_clock != (form == 0))
            continue;
        profiles__date_of(moment.micros / DAY, &year, &month, &day);
        making->wide[i] = form > 1 ? cor_format("-%02d", month) : cor_strdup(text + (form == 0 ? 10 : 7));
        COR_TRY(cor_made(making->wide[i], csv->error));
        making->wide_count++;
        greatest = form == 1 && day > greatest ? day : greatest;
    }
    if (greatest > 0 && greatest < 28) /* 1 to 24 are hours, of nothing here */
        return cor_fail(
            csv->error, COR_STATUS_INPUT, csv->name,
            "name a time column with days, whose hours these are; or add the columns that are missing",
            "columns name days up to %d, and a month has 28 at least (--wide)", greatest);
    return making->wide_count > 0
               ? COR_OK
               : cor_fail(
                     csv->error, COR_STATUS_INPUT, csv->name,
                     "name the columns by the times of their values, such as 00:30, by hours or periods, "
                     "such as 1 (--period); by months where the time column is a year, by days where "
                     "there are two, year and month",
                     "no column is named by a time of day (--wide)");
}

static enum cor_status read_header(struct cor_delimited *csv, struct making *making) {
    enum cor_status status = COR_OK;
    const size_t line = csv->line;
    char **names = cor_calloc(COLUMNS_MOST + 1, sizeof *names), *name = NULL;
    COR_TRY(cor_made(names, csv->error));
    making->series_column = COLUMNS_MOST;
    making->column_count = 0;
    for (bool last = false; !last; (making->column_count)++) {
        if (making->column_count == COLUMNS_MOST)
            COR_TRY_OUT(cor_delimited_fail(csv, NULL, "there are more than %d columns", COLUMNS_MOST));
        COR_TRY_OUT(next_field(csv, &last));
        COR_TRY_OUT(cor_made(names[making->column_count] = cor_strdup(csv->field), csv->error));
    }
    making->ends_empty = names[making->column_count - 1][0] == '\0';
    for (; making->def->columns[making->value_count]; making->value_count++) {
        if (making->def->is_wide) { /* its name is that of the values, which stand in others */
            making->value_column[making->value_count] = COLUMNS_MOST;
            continue;
        }
        if (making->value_count == VALUES_MOST)
            COR_TRY_OUT(cor_fail(csv->error, COR_STATUS_INPUT, csv->name, NULL,
                                 "more than %d columns are fitted jointly", VALUES_MOST));
        size_t *column = &making->value_column[making->value_count];
        COR_TRY_OUT(find_column(csv, line, names, making->def->columns[making->value_count], column));
        for (size_t k = 0; k < making->value_count; k++)
            if (making->value_column[k] == *column)
                COR_TRY_OUT(cor_fail(csv->error, COR_STATUS_INPUT, csv->name, "name each column once",
                                     "column \"%s\" is fitted jointly with itself", names[*column]));
    }
    for (size_t i = 0; making->def->words && making->def->words[i]; i++)
        if (!is_listed(making->def->columns, making->def->words[i]))
            COR_TRY_OUT(cor_fail(csv->error, COR_STATUS_INPUT, csv->name, "name it with --column, too",
                                 "the words of column \"%s\" are meant, which is not fitted",
                                 making->def->words[i]));
    for (; making->def->time_columns && making->def->time_columns[making->time_count]; making->time_count++) {
        if (making->time_count == TIMES_MOST)
            COR_TRY_OUT(cor_fail(csv->error, COR_STATUS_INPUT, csv->name, NULL,
                                 "more than %d columns say the time", TIMES_MOST));
        COR_TRY_OUT(find_column(csv, line, names, making->def->time_columns[making->time_count],
                                &making->time_column[making->time_count]));
    }
    find_parts(making, names);
    if (making->def->is_wide)
        COR_TRY_OUT(find_wide(csv, making, names));
    if (making->def->series_column)
        COR_TRY_OUT(find_column(csv, line, names, making->def->series_column, &making->series_column));
    for (; making->def->where && making->def->where[making->where_count]; making->where_count++) {
        if (making->where_count == WHERE_MOST)
            COR_TRY_OUT(cor_fail(csv->error, COR_STATUS_INPUT, csv->name, NULL,
                                 "more than %d columns say which rows are meant", WHERE_MOST));
        COR_TRY_OUT(where_name(csv, making->def->where[making->where_count], &name));
        COR_TRY_OUT(find_column(csv, line, names, name, &making->where_column[making->where_count]));
        free(name);
        name = NULL;
    }
    for (size_t i = 0; i < making->column_count; i++) {
        size_t column;
        bool is_one = is_value(making, i, &column) || i == making->series_column || making->wide[i];
        for (size_t k = 0; k < making->time_count; k++)
            is_one = is_one || making->time_column[k] == i;
        for (size_t k = 0; k < making->where_count; k++)
            is_one = is_one || making->where_column[k] == i;
        making->last_wanted = is_one ? i : making->last_wanted;
    }
out:
    for (size_t i = 0; i < COLUMNS_MOST; i++)
        free(names[i]);
    free(names);
    free(name);
    return status;
}

static const char *separator_name(char separator) {
    return separator == ';'    ? "semicolons"
           : separator == '\t' ? "tabs"
           : separator == '|'  ? "bars"
           : separator == ' '  ? "blanks"
                               : "commas";
}

/* What begins a line as comments do; NULL: nothing such. */
static const char *comment_sign(const char *at, const char *end) {
    static const char *const signs[] = {"#", "%", ";", "//"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if ((size_t)(end - at) > strlen(signs[i]) && strncmp(at, signs[i], strlen(signs[i])) == 0)
            return signs[i];
    return NULL;
}

/* Where the header stands, and what separates fields: what is said, else the first line that has the wanted
 * columns, by commas if they do. */
static enum cor_status find_header(struct cor_delimited *csv, struct making *making) {
    static const char separators[] = {',', ';', '\t', '|', ' '};
    const struct cor_series_def *def = making->def;
    const struct cor_delimited begin = *csv;
    struct cor_delimited found = *csv, widest = *csv;
    size_t most = 0, from = def->header > 0 ? def->header : 1;
    size_t to = def->header > 0 ? def->header : HEADER_LINES;
    bool is_found = false;
    for (size_t line = 1; line < from && !cor_delimited_at_end(csv); line++)
        cor_delimited_skip_line(csv);
    if (cor_delimited_at_end(csv))
        return cor_fail(csv->error, COR_STATUS_INPUT, csv->name,
                        "say which line holds the names of the columns", "it has no line %zu", from);
    for (; csv->line <= to && !cor_delimited_at_end(csv) && !is_found; cor_delimited_skip_line(csv))
        for (size_t i = 0; i < sizeof separators && !is_found; i++) {
            struct cor_delimited here = *csv;
            size_t count = 0;
            here.separator = def->separator ? def->separator : separators[i];
            if (cor_delimited_is_comment(csv))
                continue;
            /* Fields of the line that follows, and whether the wanted columns are among them. */
            struct cor_delimited ahead = cor_delimited_ahead(&here);
            const char *const *times = making->def->time_columns;
            bool has_column = making->def->is_wide, has_time = !times || !times[0], last = false;
            for (count = 0; !last && count < COLUMNS_MOST; ++count) {
                if (!peek(&ahead, making, &last))
                    break;
                const char *name = called(ahead.field, count == 0);
                has_column = has_column || strcmp(name, making->def->columns[0]) == 0 ||
                             strcmp(ahead.field, making->def->columns[0]) == 0;
                has_time = has_time || strcmp(name, times[0]) == 0 || strcmp(ahead.field, times[0]) == 0;
            }
            free(ahead.field);
            is_found = has_column && has_time;
            if (is_found)
                found = here;
            else if (csv->line == from && count > most && (i < 2 || count > 2) && here.separator != ' ') {
                most = count;
                widest = here;
            }
        }
    COR_TRY(check_memory(making, csv->error));
    *csv = is_found ? found : widest;
    if (is_found && !def->separator && csv->separator != ',')
        cor_bytes_print(&making->notes, "Read: fields are separated by %s.\n",
                        separator_name(csv->separator));
    if (is_found && def->header == 0 && csv->line > 1) {
        cor_bytes_print(&making->notes,
                        "Read: the names of the columns stand in line %zu; what is before it is left out.\n",
                        csv->line);
        const char *sign = comment_sign(begin.at, begin.end);
        if (!csv->comment && sign && *sign != csv->separator) {
            csv->comment = sign;
            cor_bytes_print(&making->notes, "Read: lines that begin with %s are comments.\n", sign);
        }
    }
    return COR_OK;
}

/* What stands for a missing value whatever is said. */
static bool is_word_for_gap(const char *text) {
    static const char *const words[] = {"nan",     "na",    "null",  "none",         "n/a",         "#n/a",
                                        "#div/0!", "#ref!", "#num!", "#value!",      "#name?",      "#n/v",
                                        "-",       "--",    ".",     "\xE2\x80\x94", "\xE2\x80\x93"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0)
            return true;
    return false;
}

static bool is_infinity(const char *text) {
    text += *text == '+' || *text == '-';
    return strcasecmp(text, "inf") == 0 || strcasecmp(text, "infinity") == 0;
}

/* Said to stand for a missing value: the same text, or the same number. */
static bool is_said_missing(const struct making *making, const char *text) {
    double value, missing;
    for (size_t i = 0; making->def->missing && making->def->missing[i]; i++)
        if (strcmp(text, making->def->missing[i]) == 0 ||
            (is_number(text, &value) && is_number(making->def->missing[i], &missing) && !(value < missing) &&
             !(value > missing)))
            return true;
    return false;
}

static const char *const thousands_signs[] = {[COR_THOUSANDS_COMMA] = ",",
                                              [COR_THOUSANDS_POINT] = ".",
                                              [COR_THOUSANDS_BLANK] = " ",
                                              [COR_THOUSANDS_APOSTROPHE] = "'"};

/* The length of the sign at `text`, 0: it is another. */
static size_t thousands_sign(int thousands, const char *text) {
    if (thousands == COR_THOUSANDS_BLANK && strncmp(text, "\xC2\xA0", 2) == 0)
        return 2; /* a no-break space, also a narrow one */
    if (strncmp(text, thousands == COR_THOUSANDS_BLANK ? "\xE2\x80\xAF" : "\xE2\x80\x99", 3) == 0 &&
        thousands >= COR_THOUSANDS_BLANK)
        return 3; /* also a curved apostrophe */
    return *text == *thousands_signs[thousands];
}

/* A number whose thousands are parted by the sign: one to three digits, then groups of three; `number` gets
 * it without (at least as long as the text). The signs that there are; 0: it is written otherwise. */
static size_t take_thousands(const char *text, int thousands, char *number) {
    size_t signs = 0, digits = 0;
    bool is_whole = true;
    for (*number = '\0'; *text;) {
        size_t sign = thousands_sign(thousands, text);
        bool is_digit = *text >= '0' && *text <= '9';
        if (sign > 0 && (!is_whole || (signs == 0 ? digits < 1 || digits > 3 : digits != 3)))
            return 0;
        if (sign == 0 && !is_digit && is_whole && digits > 0) { /* the fraction begins */
            if (signs > 0 && digits != 3)
                return 0;
            is_whole = false;
        }
        digits = sign > 0 ? 0 : digits + (is_digit && is_whole);
        signs += sign > 0;
        if (sign == 0)
            *number++ = *text;
        *number = '\0';
        text += sign > 0 ? sign : 1;
    }
    return is_whole && signs > 0 && digits != 3 ? 0 : signs;
}

/* Which sign parts the thousands of this number beyond doubt, as in 1,234.5 or 1.234.567; 0: none does. */
static int thousands_of(const char *text) {
    char number[64];
    if (strlen(text) >= sizeof number)
        return 0;
    for (int thousands = COR_THOUSANDS_COMMA; thousands <= COR_THOUSANDS_APOSTROPHE; thousands++) {
        size_t signs = take_thousands(text, thousands, number);
        char *comma = strchr(number, ',');
        bool is_sure =
            signs > 1 || (signs == 1 && (thousands >= COR_THOUSANDS_BLANK || strchr(number, '.') || comma));
        double value;
        if (comma && !strchr(comma + 1, ','))
            *comma = '.';
        if (is_sure && is_number(number, &value))
            return thousands;
    }
    return 0;
}

/* Does a field have numbers? */
static bool is_of_numbers(const struct making *making, size_t field) {
    size_t column;
    return is_value(making, field, &column) && !making->is_words[column];
}

/* Where the number ends that a cell begins with: behind it may stand a unit or a flag. 0: it begins with
 * none. */
static size_t number_length(const char *text) {
    size_t length = text[0] == '+' || text[0] == '-', digits = 0;
    for (; text[length]; length++) {
        size_t blank = thousands_sign(COR_THOUSANDS_BLANK, text + length);
        if (blank == 0 && text[length] != '\'')
            blank = thousands_sign(COR_THOUSANDS_APOSTROPHE, text + length);
        const bool is_digit = text[length] >= '0' && text[length] <= '9';
        const char *behind = text + length + blank;
        if (!is_digit && !strchr(".,'", text[length]) && !(blank > 0 && *behind >= '0' && *behind <= '9'))
            break;
        digits += is_digit;
        length += blank > 0 ? blank - 1 : 0;
    }
    const char *power = text + length + 1;
    power += *text && text[length] && (*power == '+' || *power == '-');
    const bool is_power = text[length] == 'e' || text[length] == 'E' ||
                          (text[length] == 'D' && (power[-1] == '+' || power[-1] == '-')); /* Fortran's */
    if (digits > 0 && is_power && *power >= '0' && *power <= '9')
        length = (size_t)(power - text) + strspn(power, "0123456789");
    return digits > 0 ? length : 0;
}

/* What stands at the end of a number, apart from it or not: a word or a sign that is no part of numbers and
 * times; "": nothing such does. */
static const char *suffix_at(const char *end) {
    if (*end == 'e' || *end == 'E')
        return ""; /* of a number that is not whole; a flag E stands apart */
    for (size_t blank; (blank = thousands_sign(COR_THOUSANDS_BLANK, end)) > 0;)
        end += blank;
    const bool is_one =
        isalpha((unsigned char)*end) || (*end && strchr("%*?!#^~([", *end)) || (unsigned char)*end >= 0x80;
    return is_one && strlen(end) < SUFFIX_TEXT ? end : "";
}

/* A sign, or one letter which does not multiply the number before it, as in 8.7* and 8.7 E; or a word in
 * brackets. */
static bool is_flag(const char *suffix) {
    const size_t length = strlen(suffix);
    if (length > 2 &&
        ((*suffix == '(' && suffix[length - 1] == ')') || (*suffix == '[' && suffix[length - 1] == ']')))
        return strcspn(suffix, "0123456789") == length;
    return suffix[strspn(suffix, "*?!#^~")] == '\0' ||
           (!suffix[1] && isalpha((unsigned char)*suffix) && !strchr("kKMGTPmunp", *suffix));
}

/* Takes a currency out that stands in front of a number, "$", "EUR ", behind its sign or bracket: `unit` is
 * it, or "". */
static void take_currency(char *text, char unit[SUFFIX_TEXT]) {
    static const char *const signs[] = {"US$", "$", "\xE2\x82\xAC", "\xC2\xA3", "\xC2\xA5", "\xE2\x82\xB9"};
    char *at = text + (*text == '-' || *text == '(');
    size_t length = 0, blank;
    at += *at == '-';
    for (size_t i = 0; i < sizeof signs / sizeof *signs && length == 0; i++)
        length = strncmp(at, signs[i], strlen(signs[i])) == 0 ? strlen(signs[i]) : 0;
    if (length == 0 && strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 3 &&
        thousands_sign(COR_THOUSANDS_BLANK, at + 3) > 0)
        length = 3;
    size_t behind = length;
    while (length > 0 && (blank = thousands_sign(COR_THOUSANDS_BLANK, at + behind)) > 0)
        behind += blank;
    unit[0] = '\0';
    if (length == 0 || number_length(at + behind) == 0)
        return;
    snprintf(unit, SUFFIX_TEXT, "%.*s", (int)length, at);
    memmove(at, at + behind, strlen(at + behind) + 1);
}

/* Keeps in mind what stands behind the number of the cell read last, "": nothing. Of more than there is room
 * for flags are counted with the last, and what is none is kept in its place: it is refused. */
static void take_suffix(const struct cor_delimited *csv, struct making *making, size_t column,
                        const char *text) {
    size_t *count = &making->suffix_count[column], i = 0;
    making->bare[column] += *text == '\0';
    if (*text == '\0')
        return;
    while (i < *count && strcmp(making->suffixes[column][i].text, text) != 0)
        i++;
    bool is_new = i == *count;
    if (i == SUFFIXES_MOST) {
        i--;
        is_new = !is_flag(text);
    }
    struct suffix *suffix = &making->suffixes[column][i];
    if (is_new) {
        *count = i + 1;
        *suffix = (struct suffix){.line = csv->field_line,
                                  .column = csv->field_column,
                                  .count = suffix->count * (i + 1 == SUFFIXES_MOST)};
        snprintf(suffix->text, sizeof suffix->text, "%.*s", SUFFIX_TEXT - 1, text);
        snprintf(suffix->cell, sizeof suffix->cell, "%s", csv->field);
    }
    suffix->count++;
}

/* Behind all numbers of a column the same: a unit; behind some of them: flags; else they may mean anything.
 */
static enum cor_status check_suffixes(const struct cor_delimited *csv, struct making *making) {
    for (size_t k = 0; k < making->value_count; k++) {
        const struct suffix *suffix = making->suffixes[k];
        const char *name = making->def->columns[k];
        size_t flagged = 0, count = making->suffix_count[k];
        char place[512];
        if (count == 1 && making->bare[k] == 0) {
            cor_bytes_print(&making->notes, "Read: all numbers of column \"%s\" are in %s.\n", name,
                            suffix->text);
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            flagged += suffix[i].count;
            if (is_flag(suffix[i].text))
                continue;
            const bool is_other = count > 1 && making->bare[k] == 0;
            const struct suffix *wrong = &suffix[is_other && i == 0 ? 1 : i];
            snprintf(place, sizeof place, "%s:%zu:%zu", csv->name, wrong->line, wrong->column);
            return is_other ? cor_fail(csv->error, COR_STATUS_INPUT, place, "write all numbers in one unit",
                                       "\"%s\" has another unit than \"%s\" in line %zu", wrong->cell,
                                       suffix[0].cell, suffix[0].line)
                            : cor_fail(csv->error, COR_STATUS_INPUT, place,
                                       strpbrk(wrong->text, "0123456789")
                                           ? "write numbers with a decimal point, such as 3.5"
                                           : "write all numbers with the same unit, or all without",
                                       "\"%s\" is not a number", wrong->cell);
        }
        if (count > 0)
            cor_bytes_print(&making->notes,
                            "Read: %zu numbers of column \"%s\" bear a flag, such as %s in line %zu, and are "
                            "taken as they are (--skip-flagged leaves them out).\n",
                            flagged, name, suffix->cell, suffix->line);
    }
    return COR_OK;
}

/* What parts the thousands of the columns' numbers: what is said, else what one of them shows. */
static enum cor_status find_thousands(struct cor_delimited *csv, struct making *making) {
    struct cor_delimited ahead = cor_delimited_ahead(csv);
    bool goes_on = true;
    making->thousands = making->def->thousands;
    while (making->def->thousands == 0 && goes_on && !cor_delimited_at_end(&ahead)) {
        bool last = false;
        for (size_t i = 0; !last && goes_on; i++) {
            goes_on = peek(&ahead, making, &last);
            int shown = 0;
            char unit[SUFFIX_TEXT];
            if (goes_on && is_of_numbers(making, i)) {
                take_currency(ahead.field, unit);
                const size_t length = number_length(ahead.field);
                if (length > 0)
                    ahead.field[length] = '\0';
                shown = thousands_of(ahead.field);
            }
            if (shown == 0 || shown == making->thousands)
                continue;
            if (making->thousands != 0) {
                ahead.error = csv->error;
                enum cor_status status = cor_delimited_fail(
                    &ahead, "write all numbers alike, or say what parts thousands (--thousands)",
                    "\"%.40s\" parts its thousands otherwise than numbers before", ahead.field);
                free(ahead.field);
                return status;
            }
            making->thousands = shown;
            cor_bytes_print(&making->notes,
                            "Read: numbers have a \"%s\" between thousands, such as %s in line %zu.\n",
                            thousands_signs[shown], ahead.field, ahead.field_line);
        }
    }
    free(ahead.field);
    return check_memory(making, csv->error);
}

/* Could its one comma part thousands, too? */
static bool thousands_alone(const char *text) {
    char number[64];
    return strlen(text) < sizeof number && take_thousands(text, COR_THOUSANDS_COMMA, number) > 0;
}

/* With its decimal comma, where there is one, as a point. */
static void take_comma(const struct cor_delimited *csv, struct making *making, char *text) {
    char *comma = strchr(text, ',');
    double value;
    making->seen_point = making->seen_point || strchr(text, '.');
    if (!comma || strchr(comma + 1, ',') || strchr(text, '.') || making->def->decimal == COR_DECIMAL_POINT ||
        (making->def->decimal == 0 && ((csv->separator == ',' && making->thousands != COR_THOUSANDS_POINT &&
                                        thousands_alone(text) && !making->decimal_comma) ||
                                       making->seen_point)))
        return;
    *comma = '.';
    if (!is_number(text, &value)) {
        *comma = ',';
        return;
    }
    if (!making->decimal_comma && making->def->decimal == 0)
        cor_bytes_print(&making->notes,
                        "Read: numbers have a decimal comma, such as %s in line %zu, which is %g%s.\n",
                        csv->field, csv->field_line, value,
                        making->thousands == 0 && thousands_alone(csv->field)
                            ? " (--thousands comma, if the comma parts thousands)"
                            : "");
    making->decimal_comma = true;
}

static enum cor_status read_word(const struct cor_delimited *csv, struct cor_series_column *column,
                                 double *value) {
    const char *remedy;
    uint32_t index;
    if (cor_profile_check_name(csv->field, &remedy) != COR_OK)
        return cor_delimited_fail(csv, remedy, "a state cannot be called \"%.80s\"", csv->field);
    COR_TRY(profiles__take_word(column, csv->field, &index, csv->error));
    if (index == COR_SERIES_WORDS_MAX)
        return cor_delimited_fail(csv, "choose a column of a few words, as states are",
                                  "column \"%.80s\" has more than %d words", column->name,
                                  COR_SERIES_WORDS_MAX);
    *value = index;
    return COR_OK;
}

static enum cor_status read_value(const struct cor_delimited *csv, struct making *making, size_t column,
                                  double *value, bool *gap) {
    char number[64], unit[SUFFIX_TEXT] = "", both[2 * SUFFIX_TEXT];
    if (!making->is_words[column] && !is_said_missing(making, csv->field))
        take_currency(csv->field, unit);
    const char *text = csv->field;
    bool is_missing = is_said_missing(making, text), splits = making->def->split_gaps;
    bool is_none = making->is_words[column] && strcasecmp(text, "none") == 0; /* of words it is one */
    const size_t length = making->is_words[column] ? 0 : number_length(text);
    const char *suffix = length > 0 ? suffix_at(text + length) : "";
    const bool is_flagged = making->def->skips_flagged && *suffix;
    *gap = text[0] == '\0' || is_flagged || (is_word_for_gap(text) && !is_none) || is_missing;
    if (*gap && splits)
        return COR_OK;
    if (text[0] == '\0')
        return cor_delimited_fail(csv, GAP_REMEDY, "there is no value in column \"%.80s\"",
                                  making->def->columns[column]);
    if (is_missing)
        return cor_delimited_fail(csv, GAP_REMEDY, "\"%.40s\" is no value, as --missing says", text);
    if (*gap)
        return cor_delimited_fail(csv, GAP_REMEDY, "\"%.40s\" is no value%s", text,
                                  is_flagged ? ", as --skip-flagged says" : "");
    if (making->is_words[column])
        return read_word(csv, &making->series->columns[column], value);
    if (is_infinity(text))
        return cor_delimited_fail(csv, "values are finite", "\"%s\" is no value", text);
    if (*text == '0' && (text[1] == 'x' || text[1] == 'X') && isxdigit((unsigned char)text[2]))
        return cor_delimited_fail(csv, "write numbers with a decimal point, such as 3.5",
                                  "\"%.40s\" is not a number", text);
    if (strchr("<>~", *text) && number_length(text + 1 + (text[1] == '=')) > 0)
        return cor_delimited_fail(
            csv,
            "write what it counts for, or leave such cells out (--missing with the cell, "
            "--split-gaps)",
            "\"%.40s\" is a bound, not a value", text);
    char whole[64];
    const size_t negated = *text == '(' ? number_length(text + 1) : 0;
    const bool is_below_0 = (negated > 0 && strcmp(text + 1 + negated, ")") == 0) ||
                            (length > 0 && *text != '-' && strcmp(text + length, "-") == 0);
    if (is_below_0 && !making->said_below_0)
        cor_bytes_print(&making->notes, "Read: numbers such as %s in line %zu are below 0.\n", text,
                        csv->field_line);
    making->said_below_0 = making->said_below_0 || is_below_0;
    if (is_below_0)
        snprintf(whole, sizeof whole, "-%.*s", (int)(negated > 0 ? negated : length), text + (negated > 0));
    else
        snprintf(whole, sizeof whole, "%.*s", (int)(*suffix ? length : strlen(text)), text);
    if (*suffix || strlen(text) == length)
        for (char *power = whole; *power; power++)
            *power = *power == 'D' ? 'E' : *power;
    const bool is_long = strlen(text) >= sizeof number;
    text = whole;
    snprintf(number, sizeof number, "%s", text);
    if (making->thousands > 0 && strlen(text) < sizeof number) {
        char parted[sizeof number];
        if (take_thousands(text, making->thousands, parted) > 0)
            snprintf(number, sizeof number, "%s", parted);
        else if (making->thousands < COR_THOUSANDS_BLANK && strchr(text, *thousands_signs[making->thousands]))
            return cor_delimited_fail(
                csv, "write all numbers alike, or say which signs they have (--decimal, --thousands)",
                "\"%.40s\" has no three digits behind \"%s\", which parts thousands", text,
                thousands_signs[making->thousands]);
    }
    take_comma(csv, making, number);
    bool is_mixed = making->decimal_comma && strchr(number, '.') && strchr(text, '.') &&
                    making->thousands != COR_THOUSANDS_POINT;
    if (!is_number(number, value) || is_long || is_mixed) {
        if (splits && text[strcspn(text, "0123456789")] == '\0') { /* text: no digit in it */
            *gap = true;
            if (making->text_gaps++ == 0) {
                snprintf(making->text_gap, sizeof making->text_gap, "%.40s", text);
                making->text_gap_line = csv->field_line;
            }
            return COR_OK;
        }
        if (thousands_alone(number) && making->def->decimal == 0)
            return cor_delimited_fail(csv, "say which: --thousands comma, or --decimal comma",
                                      "the comma of \"%.40s\" parts thousands or begins a fraction", text);
        return cor_delimited_fail(csv,
                                  is_mixed
                                      ? "write all numbers alike, or say which sign is decimal (--decimal)"
                                  : strspn(text, "+-.,0123456789") == 0
                                      ? "write numbers with a decimal point, such as 3.5, or take the words "
                                        "of the column for states (--words)"
                                      : "write numbers with a decimal point, such as 3.5",
                                  is_mixed ? "\"%.40s\" has a point, but numbers before have a decimal comma"
                                           : "\"%.40s\" is not a number",
                                  csv->field);
    }
    snprintf(both, sizeof both, "%s%s%s", unit, *unit && *suffix ? " " : "", suffix);
    take_suffix(csv, making, column, both);
    if (!isfinite(*value))
        return cor_delimited_fail(csv, "values lie within 1e308", "%.40s is too large", text);
    return COR_OK;
}

/* A cell of the line that follows. */
static bool look_at(struct cor_delimited *ahead, struct making *making, size_t column) {
    bool last = false, is_there = false;
    for (size_t i = 0; !last; i++) {
        char kept[64] = "";
        if (!peek(ahead, making, &last))
            return false;
        if (i == column) {
            is_there = true;
            snprintf(kept, sizeof kept, "%s", ahead->field);
            while (!last) /* the rest of the row */
                if (!peek(ahead, making, &last))
                    return false;
            snprintf(ahead->field, ahead->field_capacity, "%s", kept);
        }
    }
    return is_there;
}

/* A time, or the year of one in several columns. */
static bool is_time(const struct making *making, const char *text) {
    struct profiles__moment moment;
    return profiles__take_moment(text, &making->form, &moment) ||
           (*text && !text[strspn(text, "0123456789")]);
}

/* Which columns hold words: those that are said to, and those with text of which no cell begins as a number
 * does. */
static enum cor_status find_words(const struct cor_delimited *csv, struct making *making) {
    struct cor_delimited ahead = cor_delimited_ahead(csv);
    bool has_text[VALUES_MOST] = {false}, has_number[VALUES_MOST] = {false};
    size_t open = making->value_count, column;
    for (uint32_t i = 0; i < making->def->skip && !cor_delimited_at_end(&ahead); i++)
        cor_delimited_skip_line(&ahead);
    for (bool last = false; open > 0 && !cor_delimited_at_end(&ahead); last = false) {
        if (cor_delimited_is_comment(&ahead)) {
            cor_delimited_skip_line(&ahead);
            continue;
        }
        for (size_t i = 0; !last; i++) {
            if (!peek(&ahead, making, &last))
                goto out;
            if (!is_value(making, i, &column) || has_number[column])
                continue;
            char unit[SUFFIX_TEXT];
            take_currency(ahead.field, unit);
            const char *text = ahead.field, *digit = text + strspn(text, "+-.,'(<>~=");
            has_number[column] = (*digit >= '0' && *digit <= '9') || is_infinity(text);
            has_text[column] = has_text[column] || (*text && !is_word_for_gap(text) &&
                                                    !is_said_missing(making, text) && !is_infinity(text));
            open -= has_number[column];
        }
    }
out:
    free(ahead.field);
    for (size_t k = 0; k < making->value_count; k++) {
        const char *name = making->def->columns[k];
        bool is_said = is_listed(making->def->words, name);
        making->is_words[k] = is_said || (has_text[k] && !has_number[k]);
        if (making->is_words[k] && !is_said)
            cor_bytes_print(&making->notes,
                            "Read: column \"%s\" holds words, no numbers (--words): each is a state.\n",
                            name);
    }
    return check_memory(making, csv->error);
}

/* Is the line that follows no row: a comment, a line of dashes under the names, or what databases say at the
 * end, "(96 rows)"? */
static bool is_no_row(const struct cor_delimited *csv, struct making *making) {
    if (cor_delimited_is_comment(csv))
        return true;
    const char *end = memchr(csv->at, csv->line_end, (size_t)(csv->end - csv->at)), *at = csv->at;
    size_t dashes = 0, column;
    end = end ? end : csv->end;
    for (; at < end && strchr("-+=|: \t\r", *at); at++)
        dashes += *at == '-' || *at == '=';
    const bool is_rule =
        at == end && dashes > 2 && !(is_value(making, 0, &column) && making->is_words[column]);
    char count[32] = "";
    int rows, length = 0;
    snprintf(count, sizeof count, "%.*s", (int)(end - csv->at < 31 ? end - csv->at : 31), csv->at);
    const bool is_count = sscanf(count, "(%9d row%n", &rows, &length) == 1 && length > 0;
    const char *sign = csv->comment ? NULL : comment_sign(csv->at, csv->end);
    if (sign && *sign == csv->separator) /* its first cell is empty */
        sign = NULL;
    for (size_t i = 0; i < making->where_count; i++)
        sign = making->where_column[i] == 0 ? NULL : sign;
    if (making->series_column == 0 || is_value(making, 0, &column))
        sign = NULL;
    if (sign && !making->said_comment)
        cor_bytes_print(&making->notes, "Read: line %zu begins with %s, as comments do, and is left out.\n",
                        csv->line, sign);
    if ((is_rule || is_count) && !making->said_rule)
        cor_bytes_print(&making->notes, "Read: line %zu is no row, and is left out.\n", csv->line);
    making->said_comment = making->said_comment || sign;
    making->said_rule = making->said_rule || is_rule || is_count;
    return sign || is_rule || is_count;
}

/* Rows of units ("m/s") or of types ("14n", "Avg") right behind the header: their cells are text, and that
 * below them a number; and the first has no time. */
static enum cor_status skip_units(struct cor_delimited *csv, struct making *making) {
    while (!cor_delimited_at_end(csv) && is_no_row(csv, making))
        cor_delimited_skip_line(csv);
    struct cor_delimited ahead = cor_delimited_ahead(csv), of_time = ahead;
    char unit[64] = "", number[64];
    double value;
    bool is_unit = false;
    bool is_timed = making->time_count > 0 && look_at(&of_time, making, making->time_column[0]) &&
                    is_time(making, of_time.field);
    free(of_time.field);
    size_t of_numbers = 0;
    while (of_numbers < making->value_count && making->is_words[of_numbers])
        of_numbers++;
    const size_t column = of_numbers < making->value_count ? making->value_column[of_numbers] : COLUMNS_MOST;
    size_t rows = 0;
    for (bool is_text = !is_timed; is_text && rows < UNIT_ROWS && look_at(&ahead, making, column); rows++) {
        char *cell = ahead.field;
        const size_t digits = strspn(cell, "0123456789");
        const bool is_type = digits > 0 && strchr("sdn", cell[digits]) && cell[digits] && !cell[digits + 1];
        is_text = cell[0] && !is_word_for_gap(cell) && !is_said_missing(making, cell) && !is_infinity(cell) &&
                  (is_type || !strchr("+-.0123456789", cell[0]));
        if (is_text && rows == 0)
            snprintf(unit, sizeof unit, "%s", cell);
        if (is_text)
            continue;
        snprintf(number, sizeof number, "%s", cell);
        char *comma = csv->separator == ',' ? NULL : strchr(number, ',');
        if (comma)
            *comma = '.';
        is_unit = rows > 0 && is_number(number, &value);
        break;
    }
    free(ahead.field);
    COR_TRY(check_memory(making, csv->error));
    if (!is_unit)
        return COR_OK;
    for (size_t i = 0; i < rows; i++)
        cor_delimited_skip_line(csv);
    if (rows == 1)
        cor_bytes_print(&making->notes,
                        "Read: line %zu, with \"%s\", holds units and no values, and is left out.\n",
                        csv->line - 1, unit);
    else
        cor_bytes_print(
            &making->notes,
            "Read: lines %zu to %zu, the first with \"%s\", hold units and no values, and are left "
            "out.\n",
            csv->line - rows, csv->line - 1, unit);
    return COR_OK;
}

/* Refuses what is no UTF-8, by its first byte that is none. */
static enum cor_status check_encoding(const struct cor_delimited *csv) {
    size_t line = 1;
    const char *line_start = csv->at;
    for (const char *at = csv->at; at < csv->end;) {
        unsigned char c = (unsigned char)*at;
        int more = c < 0x80                ? 0
                   : c >= 0xC2 && c < 0xE0 ? 1
                   : c >= 0xE0 && c < 0xF0 ? 2
                   : c >= 0xF0 && c < 0xF5 ? 3
                                           : -1;
        for (int i = 1; i <= more; i++)
            if (at + i >= csv->end || ((unsigned char)at[i] & 0xC0) != 0x80)
                more = -1;
        if (more < 0) {
            char place[512];
            snprintf(place, sizeof place, "%s:%zu:%zu", csv->name, line, (size_t)(at - line_start) + 1);
            return cor_fail(csv->error, COR_STATUS_INPUT, place,
                            "say how it is encoded (--encoding latin1), or convert it to UTF-8",
                            "the file is not UTF-8: byte 0x%02X", c);
        }
        at += more + 1;
        if (c == csv->line_end) {
            line++;
            line_start = at;
        }
    }
    return COR_OK;
}

/* Behind all that is wanted of a row. */
static enum cor_status keep(const struct cor_delimited *csv, struct making *making,
                            const struct profiles__row *row) {
    COR_TRY(COR_RESERVE(&making->rows, &making->row_capacity, making->row_count + 1, csv->error));
    making->rows[making->row_count++] = *row;
    making->cell_count += making->value_count;
    return COR_OK;
}

/* Columns that say a time, as one text: "2010-01-31", "07:00"; "2010", "1", "31", "7", "5"; "2010", "32" (the
 * day of the year, a week, a quarter, by the names of the columns); "2010" alone where it is a year. */
static void join_times(const struct making *making, char cells[TIMES_MOST][TIME_TEXT], size_t count,
                       char *text, size_t size) {
    const char *parts = making->parts;
    char part = count > 1 && parts[0] == PART_YEAR ? parts[1] : 0;
    if (count > 1 && parts[1] == PART_DAY_OF_YEAR)
        part = PART_DAY_OF_YEAR;
    const bool is_part = part == PART_DAY_OF_YEAR || part == PART_WEEK || part == PART_QUARTER;
    /* Of numbers the first are a date: year and a part of it, year and month, or year, month and day. */
    const size_t of_date = is_part ? 2 : count > 2 ? 3 : 2;
    bool all_digits = (count > 2 || strlen(cells[0]) == 4) && !making->form.format;
    for (size_t i = 0; i < count; i++)
        all_digits = all_digits && cells[i][0] &&
                     !cells[i][strspn(cells[i], i == 1 && is_part ? "0123456789." : "0123456789")];
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(text), digits = strspn(cells[i], "0123456789");
        const char *between = i == 0 ? "" : !all_digits || i == of_date ? " " : i < of_date ? "-" : ":";
        size_t width = 0;
        if (all_digits && i == 1 && is_part) {
            between = part == PART_WEEK ? "-W" : part == PART_QUARTER ? "-Q" : "-";
            width = part == PART_WEEK ? 2 : part == PART_QUARTER ? 1 : 3;
        } else if (all_digits && i > of_date)
            width = 2;
        else if (parts[i] == PART_HOUR_MINUTE && digits == strlen(cells[i]) && digits > 0)
            width = 4;
        snprintf(text + length, size - length, "%s%s%s", between,
                 digits < width ? "000" + (3 - width + digits) : "", cells[i]);
    }
    if (count == 1 && parts[0] == PART_YEAR && all_digits && making->wide_count == 0)
        snprintf(text + 4, size - 4, "-01");
}

/* What is guessed of times, in the order of PROFILES__EPOCH and the others. */
static const char *const guess_sentences[PROFILES__GUESSES] = {
    "are seconds since 1970, in UTC (--time-format)",
    "are milliseconds since 1970, in UTC (--time-format)",
    "are microseconds since 1970, in UTC (--time-format)",
    "are nanoseconds since 1970, in UTC (--time-format)",
    "have years of 1969 to 2068",
    "are of the day after, past 24 hours",
    "are of the hour that comes twice when clocks are set back",
    "are hours and minutes without a sign between them",
    "have a point between hours and minutes",
    "name a zone that is not looked up: clock changes are what the rows show",
};

/* What a bare number of the time column may count, by its digits. */
static const char *count_remedy(const char *text) {
    static const char *const remedies[] = {
        [4] =
            "say what it is: --time-format %Y (a year) or %H%M (a time of day), decimal-year (2010.25), or a "
            "count such as epoch (seconds)",
        [5] = "say what it counts: --time-format excel (days since 1899-12-30), excel-1904, mjd, or epoch "
              "(seconds since 1970, or since whatever it began with)",
        [6] = "say what it counts: --time-format %Y%m, %y%m%d or %H%M%S; matlab (days), or epoch (seconds)",
        [7] = "say what it counts: --time-format %Y%j (a day of the year), jd (days), or epoch (seconds)",
        [8] = "say the order of day, month and year: --time-format %d%m%Y or %m%d%Y; or epoch (seconds)",
        [9] = "say what it counts: --time-format epoch (seconds since 1970), epoch-ms, epoch-us or epoch-ns, "
              "or "
              "%y%m%d%H%M"};
    const size_t digits = strspn(text, "0123456789");
    const char *remedy = remedies[digits < 9 ? digits : 9];
    return remedy ? remedy
                  : "say what it counts: --time-format epoch (seconds since 1970, or since whatever it began "
                    "with), or leave --time-column out, if the rows are the steps";
}

static enum cor_status fail_time(struct cor_delimited *csv, const struct making *making, const char *text) {
    struct profiles__moment moment;
    const struct profiles__time_form halves = {.period = 15 * 60 * SECOND};
    const char *remedy = "write times such as \"07:00\", \"2010-01-31 07:00:00+01:00\" or \"1/31/2010\"";
    const char *last = strrchr(text, ' ');
    char before[TIMES_MOST * (TIME_TEXT + 1)];
    double value;
    if (making->form.format)
        return cor_delimited_fail(csv, "say another format, or none",
                                  "\"%.40s\" is no time as --time-format says", text);
    snprintf(before, sizeof before, "%.*s", last ? (int)(last - text) : 0, text);
    if (last && isalpha((unsigned char)last[1]) && profiles__take_moment(before, &making->form, &moment) &&
        moment.has_clock)
        return cor_delimited_fail(csv, "write what it is, such as +05:30, or leave it out",
                                  "the zone \"%.40s\" behind a time is not known, or is several", last + 1);
    if (is_number(text, &value) && value >= 0)
        remedy = count_remedy(text);
    else if (making->form.period == 0 && profiles__take_moment(text, &halves, &moment))
        remedy =
            "say how long a period is, such as --period 30min, if the number counts the periods of the day";
    return cor_delimited_fail(csv, remedy, "\"%.40s\" is neither a time nor a date", text);
}

/* Are times such as "10:00-10:15" when something begins and ends? They are where that takes as long in every
 * row, and what would be a zone is another from row to row. */
static enum cor_status find_ranges(const struct cor_delimited *csv, struct making *making) {
    struct cor_delimited ahead = cor_delimited_ahead(csv);
    int zone = -1, length = -1, hour[2], minute[2], read;
    bool has_zones = false, has_lengths = false;
    while (making->time_count > 0 && !cor_delimited_at_end(&ahead)) {
        bool last = false;
        for (size_t i = 0; !last; i++) {
            if (!peek(&ahead, making, &last))
                goto out;
            const char *at = strchr(ahead.field, ':'), *end = ahead.field + strlen(ahead.field);
            for (size_t k = 0; k < making->time_count && at; k++)
                if (making->time_column[k] == i) {
                    at -= at - 1 >= ahead.field && isdigit((unsigned char)at[-1]);
                    at -= at - 1 >= ahead.field && isdigit((unsigned char)at[-1]);
                    if (sscanf(at, "%2d:%2d-%2d:%2d%n", &hour[0], &minute[0], &hour[1], &minute[1], &read) !=
                            4 ||
                        at + read != end)
                        continue;
                    const int to = hour[1] * 60 + minute[1],
                              takes = (to - hour[0] * 60 - minute[0] + 1440) % 1440;
                    has_zones = has_zones || (zone >= 0 && zone != to);
                    has_lengths = has_lengths || (length >= 0 && length != takes);
                    zone = to;
                    length = takes;
                }
        }
    }
out:
    free(ahead.field);
    making->form.has_ranges = has_zones && !has_lengths;
    return check_memory(making, csv->error);
}

/* The time of a row; complaints name the column that was read last. */
static enum cor_status take_time(struct cor_delimited *csv, struct making *making, const char *text,
                                 struct profiles__row *row) {
    struct profiles__moment moment;
    if (!profiles__take_moment(text, &making->form, &moment))
        return fail_time(csv, making, text);
    for (unsigned guess = 0; guess < PROFILES__GUESSES; guess++)
        if (moment.guesses & ~making->said & 1U << guess)
            cor_bytes_print(&making->notes, "Read: times such as \"%.40s\" in line %zu %s.\n", text,
                            csv->field_line, guess_sentences[guess]);
    making->said |= moment.guesses;
    if (making->times_begun && moment.place != making->place)
        return cor_delimited_fail(csv, "write times of one zone, or with their offsets, such as +01:00",
                                  "\"%.40s\" names another zone than rows before", text);
    making->place = moment.place;
    for (size_t i = 0; i < 2 && moment.guesses & PROFILES__SHORT_YEAR; i++) {
        making->changes[i] += making->times_begun && moment.ends[i] != making->ends[i];
        making->ends[i] = moment.ends[i];
    }
    making->has_hours = making->has_hours || moment.has_clock;
    making->has_dates = making->has_dates || !moment.has_clock;
    if (making->has_hours && making->has_dates)
        return cor_delimited_fail(csv, "give every row a time of day, or none",
                                  "\"%.40s\" %s, unlike the rows before", text,
                                  moment.has_clock ? "has a time of day" : "has no time of day");
    const bool is_first = !making->times_begun;
    making->times_begun = true;
    making->is_dated = is_first ? moment.has_date : making->is_dated;
    making->is_zoned = is_first ? moment.has_zone : making->is_zoned;
    if (making->is_dated != moment.has_date)
        return cor_delimited_fail(csv, "give every row a date, or none",
                                  "\"%.40s\" %s, unlike the rows before", text,
                                  moment.has_date ? "has a date" : "has no date");
    if (making->is_zoned != moment.has_zone && making->is_dated)
        return cor_delimited_fail(csv, "give every row a zone, or none",
                                  "\"%.40s\" %s, unlike the rows before", text,
                                  moment.has_zone ? "has a zone" : "has no zone");
    making->days_first += moment.is_day_first;
    making->months_first += moment.is_month_first;
    making->two_orders += moment.has_two_orders;
    bool is_against = (making->def->dates == COR_DATES_DAY_FIRST && moment.is_month_first) ||
                      (making->def->dates == COR_DATES_MONTH_FIRST && moment.is_day_first);
    if (is_against)
        return cor_delimited_fail(csv, "say the other order (--dates), or none",
                                  "\"%.40s\" has a month above 12", text);
    if (making->days_first > 0 && making->months_first > 0)
        return cor_delimited_fail(csv, "write all dates alike",
                                  "\"%.40s\" has day and month in another order than rows before", text);
    row->micros = moment.micros;
    row->clock = moment.clock;
    return COR_OK;
}

/* The number of the series that the field read last names. */
static enum cor_status take_series(const struct cor_delimited *csv, struct making *making,
                                   struct profiles__row *row) {
    for (size_t i = making->name_count; i > 0; i--)
        if (strcmp(making->names[i - 1], csv->field) == 0) {
            row->series = (uint32_t)(i - 1);
            return COR_OK;
        }
    if (making->name_count == SERIES_MOST)
        return cor_delimited_fail(csv, "name a column of a few words", "there are more than %d series",
                                  SERIES_MOST);
    COR_TRY(COR_RESERVE(&making->names, &making->name_capacity, making->name_count + 1, csv->error));
    COR_TRY(cor_made(making->names[making->name_count] = cor_strdup(csv->field), csv->error));
    row->series = (uint32_t)making->name_count++;
    return COR_OK;
}

static bool is_wanted(const struct cor_delimited *csv, const struct making *making, size_t field) {
    for (size_t i = 0; i < making->where_count; i++)
        if (making->where_column[i] == field) {
            const char *value = strchr(making->def->where[i], '=') + 1;
            if (strcmp(value, csv->field) != 0)
                return false;
        }
    return true;
}

/* Whether a row of the header's width is still to come. */
static bool has_rows(const struct cor_delimited *csv, struct making *making) {
    struct cor_delimited ahead = cor_delimited_ahead(csv);
    bool found = false;
    while (!found && !cor_delimited_at_end(&ahead)) {
        size_t count = 0;
        for (bool last = false; !last; count++)
            if (!peek(&ahead, making, &last))
                goto out;
        found = count >= making->column_count;
    }
out:
    free(ahead.field);
    return found;
}

static enum cor_status fail_width(struct cor_delimited *csv, const struct making *making, size_t line,
                                  size_t count) {
    csv->field_line = line;
    csv->field_column = 1;
    return cor_delimited_fail(csv,
                              count < making->column_count ? "give each row a field for each column"
                                                           : "quote fields that hold commas",
                              "the row has %zu %s, the header %zu", count, count == 1 ? "field" : "fields",
                              making->column_count);
}

/* Is the field that was read last a wanted column's, and called otherwise than it. */
static bool is_renamed(const struct cor_delimited *csv, const struct making *making, size_t field) {
    const struct cor_series_def *def = making->def;
    bool is_other = making->series_column == field && strcmp(def->series_column, csv->field) != 0;
    for (size_t i = 0; i < making->value_count; i++)
        is_other = is_other || (making->value_column[i] == field && strcmp(def->columns[i], csv->field) != 0);
    for (size_t i = 0; i < making->time_count; i++)
        is_other =
            is_other || (making->time_column[i] == field && strcmp(def->time_columns[i], csv->field) != 0);
    for (size_t i = 0; i < making->where_count; i++) {
        const size_t length = strlen(csv->field);
        is_other =
            is_other || (making->where_column[i] == field &&
                         (strncmp(def->where[i], csv->field, length) != 0 || def->where[i][length] != '='));
    }
    return is_other;
}

/* Does the field that was read last say a value or a time, in whatever way, or that there is none? */
static bool is_data(const struct cor_delimited *csv, const struct making *making) {
    struct profiles__moment moment;
    double value;
    return (csv->field[0] && strchr("0123456789+-.=", csv->field[0])) || is_number(csv->field, &value) ||
           profiles__take_moment(csv->field, &making->form, &moment) || is_word_for_gap(csv->field) ||
           is_said_missing(making, csv->field);
}

/* Is a row the line of names of another table? No field of it says a value or a time (`has_data`), where one
 * must do so, or it has the names of the wanted columns once more. */
static bool is_header_again(const struct making *making, size_t field_count, bool has_data, bool renames) {
    bool has_numbers = false;
    for (size_t i = 0; i < making->value_count; i++)
        has_numbers = has_numbers || !making->is_words[i];
    return (!renames && making->last_wanted < field_count) ||
           (!has_data && (making->row_count > 0 || making->is_behind_gap || making->where_count > 0) &&
            (making->time_count > 0 || (has_numbers && making->is_behind_gap)));
}

/* Another table begins: its rows are for --where and --series to tell, if it has the wanted columns in the
 * same places. */
static enum cor_status begin_table(struct cor_delimited *csv, struct making *making, size_t line,
                                   size_t field_count, bool renames) {
    const bool is_told = making->where_count > 0 || making->def->series_column;
    if (is_told && field_count == 1)
        return COR_OK; /* a title */
    if (is_told && !renames && making->last_wanted < field_count) {
        making->column_count = field_count;
        cor_bytes_print(&making->notes, "Read: another table begins in line %zu, with the same columns.\n",
                        line);
        return COR_OK;
    }
    csv->field_line = line;
    csv->field_column = 1;
    return cor_delimited_fail(
        csv,
        "if a column tells the tables apart, name it (--series NAME) or the rows that are "
        "meant (--where NAME=VALUE); else make a file of each",
        "another table begins in line %zu", line);
}

/* A cell of a day in a row: a row of its own, at the time of which its column is called. */
static enum cor_status read_wide(struct cor_delimited *csv, struct making *making, const char *date,
                                 const char *time, struct profiles__row *row) {
    char text[TIMES_MOST * (TIME_TEXT + 1) + TIME_TEXT];
    struct profiles__moment moment;
    if (!date)
        return cor_delimited_fail(csv, "put the date in front of the values",
                                  "the date of the row stands behind this value");
    snprintf(text, sizeof text, "%s%s", date, time);
    if (making->wide_part && !csv->field[0] && !profiles__take_moment(text, &making->form, &moment))
        return COR_OK; /* such as 30 February */
    row->cell = making->cell_count;
    COR_TRY(COR_RESERVE(&making->cells, &making->cell_capacity, making->cell_count + 1, csv->error));
    making->cells[row->cell] = 0;
    COR_TRY(read_value(csv, making, 0, &making->cells[row->cell], &row->gap));
    COR_TRY(take_time(csv, making, text, row));
    return keep(csv, making, row);
}

/* Does a row that begins so sum up others? */
static bool is_word_for_total(const struct making *making, size_t field, const char *text) {
    static const char words[] =
        " total totals sum mean average avg max maximum min minimum count median std summe "
        "gesamt mittel mittelwert somme moyenne grand_total std_dev stdev ";
    const size_t length = strcspn(text, ":");
    size_t column;
    for (size_t i = 0; i < making->where_count; i++)
        if (making->where_column[i] == field)
            return false;
    return (text[length] == '\0' || text[length + 1] == '\0') && is_among(words, text, length) &&
           !is_value(making, field, &column) && field != making->series_column;
}

/* A date in a column of its own: where the cell is empty, that of the row above. */
static void take_date(const struct cor_delimited *csv, struct making *making, char date[TIME_TEXT]) {
    if (!csv->field[0]) {
        if (making->date_above[0] && !making->said_above)
            cor_bytes_print(&making->notes,
                            "Read: an empty cell of column \"%s\" says what the one above it does, first in "
                            "line %zu.\n",
                            making->def->time_columns[0], csv->field_line);
        making->said_above = making->said_above || making->date_above[0];
        snprintf(date, TIME_TEXT, "%s", making->date_above);
    }
    snprintf(making->date_above, sizeof making->date_above, "%s", date);
}

/* Takes the cells of a row that is wanted, which begins at `before`; csv stands behind it. */
static enum cor_status read_cells(struct cor_delimited *csv, const struct cor_delimited *before,
                                  struct making *making, struct profiles__row *row) {
    char times[TIMES_MOST][TIME_TEXT], time[TIMES_MOST * (TIME_TEXT + 1)];
    size_t time_count = 0;
    const size_t first = making->row_count;
    row->cell = making->cell_count;
    COR_TRY(COR_RESERVE(&making->cells, &making->cell_capacity, making->cell_count + making->value_count,
                        csv->error));
    memset(making->cells + row->cell, 0, making->value_count * sizeof *making->cells);
    struct cor_delimited again = *before;
    again.field = csv->field;
    again.field_capacity = csv->field_capacity;
    enum cor_status status = COR_OK;
    bool last = false;
    for (size_t i = 0; !last && status == COR_OK; i++) {
        COR_TRY_OUT(next_field(&again, &last));
        size_t column;
        if (is_value(making, i, &column)) {
            bool gap;
            COR_TRY_OUT(
                read_value(&again, making, column, &making->cells[making->cell_count + column], &gap));
            row->gap = row->gap || gap;
        }
        for (size_t k = 0; k < making->time_count; k++) {
            if (i != making->time_column[k])
                continue;
            snprintf(times[k], sizeof times[k], "%s", again.field);
            if (k == 0 && making->time_count > 1)
                take_date(&again, making, times[0]);
            if (++time_count < making->time_count)
                continue;
            join_times(making, times, time_count, time, sizeof time);
            if (making->wide_count == 0)
                COR_TRY_OUT(take_time(&again, making,
                                      time_count == 1 && making->parts[0] != PART_YEAR ? again.field : time,
                                      row));
        }
        if (making->wide[i])
            COR_TRY_OUT(read_wide(&again, making, time_count == making->time_count ? time : NULL,
                                  making->wide[i], row));
        if (i == making->series_column)
            COR_TRY_OUT(take_series(&again, making, row));
    }
    for (size_t i = first; i < making->row_count; i++)
        making->rows[i].series = row->series; /* wide: its column may stand behind the values */
    if (making->wide_count == 0)
        COR_TRY_OUT(keep(csv, making, row));
out:
    csv->field = again.field;
    csv->field_capacity = again.field_capacity;
    return status;
}

/* What is complained of waits until the row is known to be wanted: a row of another station may hold what it
 * likes. */
static enum cor_status read_row(struct cor_delimited *csv, struct making *making) {
    size_t field_count = 0, filled = 0, line = csv->line;
    struct profiles__row row = {.line = (uint32_t)line};
    struct cor_delimited before = *csv;
    bool last = false, wanted = true, has_data = false, renames = false, is_total = false;
    const size_t label = making->time_count > 0 ? making->time_column[0] : 0;
    for (size_t i = 0; !last; i++) { /* first its width, and whether it is wanted */
        COR_TRY(next_field(csv, &last));
        field_count = i + 1;
        filled = csv->field[0] ? field_count : filled;
        wanted = wanted && is_wanted(csv, making, i);
        has_data = has_data || is_data(csv, making);
        renames = renames || is_renamed(csv, making, i);
        is_total =
            is_total || (i == label && making->row_count > 0 && is_word_for_total(making, i, csv->field));
    }
    const bool may_end =
                   filled == 0 && making->column_count > 1 && (field_count == 1 || making->time_count > 0),
               ends = may_end && !has_rows(csv, making);
    COR_TRY(check_memory(making, csv->error));
    if (ends) {
        if (!cor_delimited_is_over(csv))
            cor_bytes_print(&making->notes,
                            "Read: line %zu and those behind it are no rows, and are left out.\n", csv->line);
        csv->at = csv->end;
        return COR_OK;
    }
    making->is_behind_gap = making->is_behind_gap || may_end;
    if (may_end) /* an empty line among the rows */
        return COR_OK;
    if (is_total) {
        cor_bytes_print(&making->notes, "Read: line %zu sums up the rows before, and is left out.\n", line);
        return COR_OK;
    }
    if (is_header_again(making, field_count, has_data, renames))
        return begin_table(csv, making, line, field_count, renames);
    making->is_behind_gap = false;
    bool is_short = field_count + 1 == making->column_count && making->ends_empty;
    if (!is_short && (field_count < making->column_count || filled > making->column_count))
        return fail_width(csv, making, line, field_count);
    if (!wanted)
        return COR_OK;
    return read_cells(csv, &before, making, &row);
}

static enum cor_status read_rows(struct cor_delimited *csv, struct making *making) {
    for (uint32_t i = 0; i < making->def->skip && !cor_delimited_at_end(csv); i++)
        cor_delimited_skip_line(csv);
    if (making->def->skip == 0)
        COR_TRY(skip_units(csv, making));
    while (!cor_delimited_is_over(csv)) {
        if (is_no_row(csv, making))
            cor_delimited_skip_line(csv);
        else
            COR_TRY(read_row(csv, making));
    }
    return COR_OK;
}

/* Steps that differ from the one before: fewer where dates are read as meant. */
static size_t unevenness(const struct making *making) {
    const struct profiles__row *row = making->rows;
    size_t uneven = 0;
    for (size_t i = 2; i < making->row_count; i++)
        uneven += row[i].micros - row[i - 1].micros != row[i - 1].micros - row[i - 2].micros;
    return uneven;
}

static void forget_rows(struct making *making) {
    for (size_t i = 0; i < making->name_count; i++)
        free(making->names[i]);
    making->row_count = making->name_count = making->cell_count = 0;
    making->days_first = making->months_first = making->two_orders = 0;
    making->times_begun = making->has_hours = making->has_dates = making->is_behind_gap = false;
    making->decimal_comma = making->seen_point = false;
    making->text_gaps = 0;
    making->said = 0;
    making->place = 0;
    making->date_above[0] = '\0';
    making->said_above = making->said_below_0 = making->said_rule = making->said_comment = false;
    memset(making->changes, 0, sizeof making->changes);
    memset(making->suffix_count, 0, sizeof making->suffix_count);
    memset(making->bare, 0, sizeof making->bare);
}

/* Reads all rows; dates such as 1/2/2010 in the order that is asked for, that some of them leave no doubt
 * of, or in which the steps are more even. */
static enum cor_status read_in_order(struct cor_delimited *csv, struct making *making) {
    const struct cor_delimited begin = *csv;
    const size_t notes_size = making->notes.size;
    COR_TRY(read_rows(csv, making));
    if (making->changes[1] > making->changes[0] && !making->def->dates)
        return cor_fail(
            csv->error, COR_STATUS_INPUT, csv->name,
            "say which of the three the year is: --dates year, or --dates day or month if it is the last",
            "its dates have years of two digits, and their last number changes more often than their "
            "first, as days do");
    if (making->two_orders == 0 || making->def->dates || making->months_first > 0)
        return COR_OK;
    bool is_told = making->days_first > 0;
    size_t uneven = unevenness(making);
    for (int way = 0; way < 2; way++) { /* once more by the day, and back if that is no better */
        char *field = csv->field;
        size_t capacity = csv->field_capacity;
        making->form.order = way == 0 ? COR_DATES_DAY_FIRST : COR_DATES_MONTH_FIRST;
        forget_rows(making);
        *csv = begin;
        csv->field = field;
        csv->field_capacity = capacity;
        making->notes.size = notes_size;
        COR_TRY(read_rows(csv, making));
        if (is_told || unevenness(making) < uneven)
            break;
    }
    cor_bytes_print(&making->notes, "Read: dates such as 1/2/2010 are read with the %s first%s.\n",
                    making->form.order == COR_DATES_DAY_FIRST ? "day" : "month",
                    is_told ? "" : ", which no date decides (--dates says the order)");
    return COR_OK;
}

/* Of readings of a counter what it has counted since the row before; the first row of a series has none, and
 * where it goes back it has begun anew. */
static enum cor_status take_differences(struct profiles__rows *rows, struct making *making,
                                        struct cor_error *error) {
    const size_t width = making->value_count;
    size_t kept = 0, anew = 0, first_anew = 0;
    double *before = cor_calloc(width, sizeof *before);
    COR_TRY(cor_made(before, error));
    bool is_known = false;
    for (size_t i = 0; i < rows->count; i++) {
        struct profiles__row *row = &making->rows[i];
        double *cell = making->cells + row->cell;
        const bool follows = i > 0 && making->rows[i - 1].series == row->series && is_known;
        bool goes_back = false;
        for (size_t k = 0; k < width && !row->gap; k++) {
            const double difference = cell[k] - before[k];
            before[k] = cell[k];
            cell[k] = difference;
            goes_back |= follows && difference < 0;
        }
        is_known = !row->gap;
        if (goes_back && anew++ == 0)
            first_anew = row->line;
        if (!row->gap && (!follows || goes_back))
            row->gap = true;
    }
    free(before);
    for (size_t i = 0; i < rows->count; i++)
        kept += !making->rows[i].gap;
    if (kept == 0)
        return cor_fail(error, COR_STATUS_INPUT, rows->name, "give two readings that follow each other",
                        "no row has a reading before it (--differences)");
    cor_bytes_print(rows->notes, "Values: what is counted from row to row (--differences)");
    if (anew > 0)
        cor_bytes_print(rows->notes, "; in line %zu%s the counter begins anew", first_anew,
                        anew > 1 ? " and others" : "");
    cor_bytes_print(rows->notes, ".\n");
    return COR_OK;
}

/* By the byte order mark of the file. */
static const char utf_16[] = "UTF-16", utf_32[] = "UTF-32";

/* What a file is that is no text of rows; NULL: nothing that is known. */
static const char *other_kind(const char *text, size_t length, const char **remedy) {
    static const struct {
        const char *begin, *what, *remedy;
    } kinds[] = {
        {"PK\x03\x04", "is a ZIP archive, as workbooks of spreadsheets are (.xlsx, .ods)",
         "save the sheet as CSV"},
        {"\xD0\xCF\x11\xE0", "is a workbook of Excel (.xls)", "save the sheet as CSV"},
        {"\x1F\x8B", "is compressed (gzip)", "unpack it: gunzip -k FILE"},
        {"BZh", "is compressed (bzip2)", "unpack it: bunzip2 -k FILE"},
        {"\xFD"
         "7zXZ",
         "is compressed (xz)", "unpack it: xz -dk FILE"},
        {"\x28\xB5\x2F\xFD", "is compressed (zstd)", "unpack it: zstd -d FILE"},
        {"PAR1", "is a table of Parquet", "write it as CSV, as by to_csv() of pandas"},
        {"CDF", "is a file of NetCDF", "write the series as CSV"},
        {"SQLite format 3", "is a database of SQLite", "write the series as CSV: sqlite3 -header -csv"},
        {"%PDF", "is a PDF", "save the table as CSV"},
        {"<?xml", "is XML", "write the series as CSV"},
        {"<!DOCTYPE", "is a page in HTML", "save the table as CSV"},
        {"<html", "is a page in HTML", "save the table as CSV"},
        {"{\"", "is JSON", "write the series as CSV, as by to_csv() of pandas"},
        {"[{", "is JSON", "write the series as CSV, as by to_csv() of pandas"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (length >= strlen(kinds[i].begin) &&
            strncasecmp(text, kinds[i].begin, strlen(kinds[i].begin)) == 0) {
            *remedy = kinds[i].remedy;
            return kinds[i].what;
        }
    *remedy = "give a text file in UTF-8";
    if (length < 8 || !memchr(text, '\0', length))
        return NULL;
    const bool is_little = text[1] == '\0' && text[3] == '\0' && text[5] == '\0',
               is_big = text[0] == '\0' && text[2] == '\0' && text[4] == '\0';
    if (is_little || is_big)
        *remedy = is_little ? "say --encoding utf-16le, which it seems to be"
                            : "say --encoding utf-16be, which it seems to be";
    return "holds zero bytes";
}

/* Of "7.00" and "7.50" alone nobody knows whether .50 is 50 minutes or half an hour. */
static enum cor_status check_points(const struct cor_delimited *csv, const struct making *making) {
    size_t halves = 0;
    for (size_t i = 0; i < making->row_count; i++) {
        const int64_t behind = making->rows[i].clock % HOUR;
        if (behind != 0 && behind != 50 * 60 * SECOND)
            return COR_OK;
        halves += behind != 0;
    }
    if (!(making->said & PROFILES__POINTS) || halves == 0)
        return COR_OK;
    return cor_fail(csv->error, COR_STATUS_INPUT, csv->name,
                    "write times such as 7:30, or say --time-format with %H.%M if .50 is 50 minutes",
                    "times of the day end with .00 and .50 alone, which may be halves of hours");
}

static enum cor_status make(struct cor_delimited *csv, struct making *making) {
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    const char *remedy, *kind = other_kind(csv->at, (size_t)(csv->end - csv->at), &remedy);
    if (!kind && csv->at < csv->end && memchr(csv->at, '\0', (size_t)(csv->end - csv->at)))
        kind = "holds zero bytes";
    if (kind)
        return cor_fail(csv->error, COR_STATUS_INPUT, csv->name, remedy, "it %s", kind);
    if (making->def->encoding == utf_16 || making->def->encoding == utf_32)
        cor_bytes_print(&making->notes, "Read: the file is encoded in %s.\n", making->def->encoding);
    if (csv->end > csv->at && csv->end[-1] == '\x1A')
        csv->end--; /* the end of a file, for old programs */
    if (csv->end - csv->at >= 3 && memcmp(csv->at, byte_order_mark, 3) == 0)
        csv->line_start = csv->at += 3;
    COR_TRY(check_encoding(csv));
    if (cor_delimited_is_over(csv))
        return cor_fail(csv->error, COR_STATUS_INPUT, csv->name, "begin with a row of column names",
                        "it is empty");
    if (csv->line_end == '\r' && memchr(csv->at, '\r', (size_t)(csv->end - csv->at)))
        cor_bytes_print(&making->notes, "Read: lines end with CR alone.\n");
    making->form = (struct profiles__time_form){
        .format = making->def->time_format, .period = making->def->period, .order = making->def->dates};
    COR_TRY(find_header(csv, making));
    COR_TRY(read_header(csv, making));
    COR_TRY(find_words(csv, making));
    COR_TRY(find_thousands(csv, making));
    COR_TRY(find_ranges(csv, making));
    COR_TRY(read_in_order(csv, making));
    COR_TRY(check_points(csv, making));
    COR_TRY(check_suffixes(csv, making));
    size_t values = 0;
    for (size_t i = 0; i < making->row_count; i++)
        values += !making->rows[i].gap;
    if (values == 0)
        return cor_fail(csv->error, COR_STATUS_INPUT, csv->name, "give at least one row with a value",
                        "column \"%s\" holds no values", making->def->columns[0]);
    for (size_t k = 0; k < making->value_count; k++)
        if (making->is_words[k])
            COR_TRY(sort_words(&making->series->columns[k], making->cells + k, making->row_count,
                               making->value_count, csv->error));
    struct profiles__rows rows = {.row = making->rows,
                                  .cells = making->cells,
                                  .count = making->row_count,
                                  .is_dated = making->is_dated && making->times_begun,
                                  .is_zoned = making->is_zoned,
                                  .has_clock = making->has_hours,
                                  .name = csv->name,
                                  .notes = &making->notes};
    COR_TRY(profiles__order_rows(&rows, csv->error));
    if (making->def->differences)
        COR_TRY(take_differences(&rows, making, csv->error));
    if (making->def->every > 0) {
        struct profiles__row *held;
        enum cor_status status = profiles__hold_rows(&rows, making->def, &held, csv->error);
        free(making->rows);
        making->rows = held;
        COR_TRY(status);
    }
    COR_TRY(profiles__cut_rows(&rows, making->def, making->series, csv->error));
    COR_TRY(profiles__find_sentinels(&rows, making->series, csv->error));
    if (making->text_gaps > 0)
        cor_bytes_print(&making->notes,
                        "Gaps: %zu cells of text, the first \"%s\" in line %zu, are no values.\n",
                        making->text_gaps, making->text_gap, making->text_gap_line);
    if (making->notes.size > 0)
        making->notes.bytes[--making->notes.size] = 0; /* the last line end */
    making->series->notes = cor_bytes_text_take(&making->notes, csv->error);
    return making->series->notes ? COR_OK : COR_STATUS_MEMORY;
}

enum cor_status cor_series_parse(const char *text, size_t length, const char *name,
                                 const struct cor_series_def *def, struct cor_series **series,
                                 struct cor_error *error) {
    struct cor_delimited csv =
        cor_delimited_begin(text, length, name, def->separator ? def->separator : ',', error);
    csv.comment = def->comment;
    struct making making = {.def = def};
    uint32_t columns = 0;
    while (def->columns[columns])
        columns++;
    *series = NULL;
    COR_TRY(profiles__begin_series(name, def->columns, columns, &making.series, error));
    enum cor_status status = make(&csv, &making);
    free(csv.field);
    forget_rows(&making);
    free(making.names);
    for (size_t i = 0; i < COLUMNS_MOST; i++)
        free(making.wide[i]);
    free(making.rows);
    free(making.cells);
    cor_bytes_fini(&making.notes);
    if (status == COR_OK)
        *series = making.series;
    else
        cor_series_destroy(making.series);
    return status;
}

/* Makes UTF-8 of what is encoded otherwise. */
static enum cor_status convert(const char *path, const char *encoding, char **text, size_t *length,
                               struct cor_error *error) {
    iconv_t converter = iconv_open("UTF-8", encoding);
    if (converter == (iconv_t)-1) /* NOLINT(performance-no-int-to-ptr) */
        return cor_fail(error, COR_STATUS_INPUT, path,
                        "use a name that \"iconv -l\" lists, such as latin1 or cp1252",
                        "there is no encoding \"%.40s\"", encoding);
    size_t capacity = *length * 4 + 16, left = *length, room = capacity;
    char *from = *text, *made = cor_calloc(capacity, 1), *to = made;
    enum cor_status status = cor_made(made, error);
    if (status == COR_OK && iconv(converter, &from, &left, &to, &room) == (size_t)-1)
        status = cor_fail(error, COR_STATUS_INPUT, path, "name another encoding",
                          "byte %zu is no text in encoding \"%.40s\"", (size_t)(from - *text) + 1, encoding);
    iconv_close(converter);
    if (status != COR_OK) {
        free(made);
        return status;
    }
    free(*text);
    *text = made;
    *length = capacity - room;
    return COR_OK;
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
    struct cor_series_def own = *def;
    const bool is_long = length >= 4 &&
                         (memcmp(text, "\xFF\xFE\0", 4) == 0 || memcmp(text, "\0\0\xFE\xFF", 4) == 0),
               is_short =
                   length >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0);
    if (!def->encoding && (is_long || is_short))
        own.encoding = is_long ? utf_32 : utf_16;
    if (status == COR_OK && own.encoding)
        status = convert(path, own.encoding, &text, &length, error);
    if (status == COR_OK)
        status = cor_series_parse(text, length, path, &own, series, error);
    free(text);
    return status;
}
