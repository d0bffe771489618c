/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows in the order of their times, and the segments in which each value follows the one before: steps are
 * differences of times, and what is missing between two of them is a hole. */
#include "internal.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOUR (3600 * PROFILES__SECOND)
#define DAY PROFILES__DAY

enum { SAID_MOST = 3 }; /* holes that are said with their places */

struct text {
    char of[PROFILES__MOMENT_TEXT];
};

static struct text text_of(const struct profiles__rows *rows, const struct profiles__row *row) {
    struct text text;
    profiles__moment_text(row->micros, rows->has_clock, text.of);
    return text;
}

static const char *zone_word(const struct profiles__rows *rows) {
    return rows->is_zoned && rows->has_clock ? " UTC" : "";
}

static int by_size(const void *a, const void *b) {
    const int64_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

/* The most frequent step, of equally frequent ones the shortest; sorts the steps. */
static int64_t usual_of(int64_t *steps, size_t count) {
    int64_t usual = 0;
    size_t most = 0;
    if (count > 0)
        qsort(steps, count, sizeof *steps, by_size);
    for (size_t i = 0, first = 0; i < count; i++) {
        first = steps[i] == steps[first] ? first : i;
        if (i - first + 1 > most) {
            most = i - first + 1;
            usual = steps[i];
        }
    }
    return usual;
}

/* Stable: rows of the same key stay in the order of the file. */
static int by_series(const void *a, const void *b) {
    const struct profiles__row *one = a, *other = b;
    if (one->series != other->series)
        return one->series < other->series ? -1 : 1;
    return (one->line > other->line) - (one->line < other->line);
}

static int by_time(const void *a, const void *b) {
    const struct profiles__row *one = a, *other = b;
    if (one->micros != other->micros)
        return one->micros < other->micros ? -1 : 1;
    return (one->line > other->line) - (one->line < other->line);
}

static void turn_round(struct profiles__row *row, size_t count) {
    for (size_t i = 0; i < count / 2; i++) {
        struct profiles__row held = row[i];
        row[i] = row[count - 1 - i];
        row[count - 1 - i] = held;
    }
}

/* When clocks are changed, nearly everywhere. */
static bool is_sunday_night(int64_t micros) {
    return micros >= 0 && (micros / DAY + 4) % 7 == 0 && micros % DAY <= 3 * HOUR;
}

/* Times without a zone: where the clock is set back, an hour is there twice, and time seems to go back by an
 * hour less a step; from there on rows are an hour later than they say, till the clock is set forward. */
static void follow_clock(const struct profiles__rows *rows, struct profiles__row *row, size_t count,
                         int64_t usual) {
    int64_t later = 0;
    for (size_t i = 1; i < count && !rows->is_zoned && rows->has_clock && usual > 0 && usual <= HOUR; i++) {
        int64_t step = row[i].micros + later - row[i - 1].micros;
        if (step == usual - HOUR && later == 0 && is_sunday_night(row[i].micros)) {
            later = HOUR;
            cor_bytes_print(rows->notes,
                            "Time: the clock is set back an hour at line %u (a zone would tell).\n",
                            row[i].line);
        } else if (step == usual + HOUR && later == HOUR) {
            later = 0;
        }
        row[i].micros += later;
    }
}

static enum cor_status fail_back(const struct profiles__rows *rows, const struct profiles__row *before,
                                 const struct profiles__row *row, size_t twice, struct cor_error *error) {
    char place[512];
    snprintf(place, sizeof place, "%s:%u", rows->name, row->line);
    return cor_fail(
        error, COR_STATUS_INPUT, place,
        "if several series stand in the file, name the column that tells them apart (--series NAME), or "
        "the rows that are meant (--where NAME=VALUE)",
        "time goes back from %s (line %u) to %s, and %zu times occur more than once",
        text_of(rows, before).of, before->line, text_of(rows, row).of, twice);
}

/* One series: by its times. */
static enum cor_status order_one(struct profiles__rows *rows, struct profiles__row *row, size_t count,
                                 int64_t *steps, struct cor_error *error) {
    size_t up = 0, down = 0, back = 0, backs = 0, twice = 0, first_twice = 0;
    for (size_t i = 1; i < count; i++) {
        int64_t step = row[i].micros - row[i - 1].micros;
        if (step != 0)
            steps[up + down] = step < 0 ? -step : step;
        up += step > 0;
        down += step < 0;
    }
    if (down > up) {
        turn_round(row, count);
        cor_bytes_print(
            rows->notes,
            "Order: the rows are newest first (%s in line %u); they are taken from the oldest on.\n",
            text_of(rows, &row[count - 1]).of, row[count - 1].line);
    }
    follow_clock(rows, row, count, usual_of(steps, up + down));
    for (size_t i = 1; i < count; i++)
        if (row[i].micros < row[i - 1].micros && backs++ == 0)
            back = i;
    struct profiles__row before = row[back > 0 ? back - 1 : 0], here = row[back];
    if (backs > 0)
        qsort(row, count, sizeof *row, by_time);
    for (size_t i = 1; i < count; i++)
        if (row[i].micros == row[i - 1].micros && twice++ == 0)
            first_twice = i;
    if (backs > 0 && twice > 0)
        return fail_back(rows, &before, &here, twice, error);
    if (backs > 0)
        cor_bytes_print(
            rows->notes,
            "Order: time goes back from %s (line %u) to %s (line %u)%s; the rows are taken in the order of "
            "their times.\n",
            text_of(rows, &before).of, before.line, text_of(rows, &here).of, here.line,
            backs > 1 ? ", and elsewhere" : "");
    if (twice > count / 4 && rows->has_clock) {
        char place[512];
        snprintf(place, sizeof place, "%s:%u", rows->name, row[first_twice].line);
        return cor_fail(
            error, COR_STATUS_INPUT, place,
            "if several series stand in the file, name the column that tells them apart (--series NAME), "
            "or the rows that are meant (--where NAME=VALUE)",
            "%s stands in line %u, too, and %zu times occur more than once",
            text_of(rows, &row[first_twice]).of, row[first_twice - 1].line, twice);
    }
    if (twice > count / 4) {
        rows->is_dated = false;
        cor_bytes_print(rows->notes, "Time: each date stands in several rows, so steps are not known.\n");
    } else if (twice > 0) {
        cor_bytes_print(rows->notes, "Time: %s%s stands twice, in lines %u and %u%s.\n",
                        text_of(rows, &row[first_twice]).of, zone_word(rows), row[first_twice - 1].line,
                        row[first_twice].line, twice > 1 ? ", and so do others" : "");
    }
    return COR_OK;
}

/* Where the rows of the series that begins at `first` end. */
static size_t end_of_series(const struct profiles__rows *rows, size_t first) {
    size_t end = first + 1;
    while (end < rows->count && rows->row[end].series == rows->row[first].series)
        end++;
    return end;
}

enum cor_status profiles__order_rows(struct profiles__rows *rows, struct cor_error *error) {
    enum cor_status status = COR_OK;
    qsort(rows->row, rows->count, sizeof *rows->row, by_series);
    if (!rows->is_dated)
        return COR_OK;
    int64_t *steps = cor_calloc(rows->count, sizeof *steps);
    COR_TRY(cor_made(steps, error));
    for (size_t first = 0, end; first < rows->count; first = end) {
        end = end_of_series(rows, first);
        COR_TRY_OUT(order_one(rows, rows->row + first, end - first, steps, error));
    }
out:
    free(steps);
    return status;
}

/* The step to a row of the same series; of times alone modulo a day. */
static int64_t step_to(const struct profiles__rows *rows, size_t i) {
    int64_t step = rows->row[i].micros - rows->row[i - 1].micros;
    return rows->is_dated ? step : (step + DAY) % DAY;
}

static bool is_step(const struct profiles__rows *rows, size_t i) {
    return i > 0 && rows->row[i].series == rows->row[i - 1].series && !rows->row[i].gap &&
           !rows->row[i - 1].gap;
}

/* The usual step: most frequent, and in months where most steps are whole ones. */
static enum cor_status find_step(const struct profiles__rows *rows, struct cor_series *series,
                                 struct cor_error *error) {
    int64_t *steps = cor_calloc(rows->count, sizeof *steps);
    size_t count = 0, monthly = 0;
    COR_TRY(cor_made(steps, error));
    for (size_t i = 1; i < rows->count; i++)
        if (is_step(rows, i) && (!rows->is_dated || step_to(rows, i) > 0))
            steps[count++] = step_to(rows, i);
    int64_t usual = usual_of(steps, count);
    series->step_seconds = count == 0 ? 0 : (double)(usual > 0 ? usual : DAY) / (double)PROFILES__SECOND;
    if (rows->is_dated && usual >= 28 * DAY) {
        size_t all = count;
        count = 0;
        for (size_t i = 1; i < rows->count; i++) {
            uint32_t months = profiles__whole_months(rows->row[i - 1].micros, rows->row[i].micros);
            if (is_step(rows, i) && months > 0) {
                steps[count++] = months;
                monthly++;
            }
        }
        if (2 * monthly > all)
            series->step_months = (uint32_t)usual_of(steps, count);
    }
    free(steps);
    return COR_OK;
}

/* Whether more than a step and a half passes before a row. */
static bool is_hole(const struct profiles__rows *rows, const struct cor_series *series, size_t i) {
    double step = series->step_months > 0 ? series->step_months * 31.0 * 86400 : series->step_seconds;
    return rows->is_dated && step > 0 && (double)step_to(rows, i) > 1.5 * step * (double)PROFILES__SECOND;
}

static bool is_usual(const struct profiles__rows *rows, const struct cor_series *series, size_t i) {
    if (series->step_months > 0)
        return profiles__whole_months(rows->row[i - 1].micros, rows->row[i].micros) == series->step_months;
    int64_t usual = (int64_t)(series->step_seconds * (double)PROFILES__SECOND + 0.5), step = step_to(rows, i);
    return step == usual || (!rows->is_dated && step == usual % DAY);
}

static void say_holes(const struct profiles__rows *rows, const struct cor_series *series, bool splits) {
    char step[64];
    size_t said = 0;
    if (series->hole_count == 0)
        return;
    profiles__step_text(series->step_seconds, series->step_months, step, sizeof step);
    cor_bytes_print(rows->notes, "Time: %zu %s in the times, whose step is %s:", series->hole_count,
                    series->hole_count == 1 ? "hole" : "holes", step);
    for (size_t i = 1; i < rows->count && said < SAID_MOST; i++)
        if (rows->row[i].series == rows->row[i - 1].series && is_hole(rows, series, i))
            cor_bytes_print(rows->notes, "%s between %s (line %u) and %s (line %u)", said++ > 0 ? ";" : "",
                            text_of(rows, &rows->row[i - 1]).of, rows->row[i - 1].line,
                            text_of(rows, &rows->row[i]).of, rows->row[i].line);
    cor_bytes_print(
        rows->notes, "%s. %s\n", series->hole_count > said ? "; and others" : "",
        splits ? "A segment ends there."
               : "What follows a hole is taken to follow what is before it (--split-gaps ends a segment "
                 "there).");
}

enum cor_status profiles__cut_rows(const struct profiles__rows *rows, const struct cor_series_def *def,
                                   struct cor_series *series, struct cor_error *error) {
    bool is_open = false;
    for (uint32_t k = 0; k < series->column_count; k++) {
        series->columns[k].values = cor_calloc(rows->count, sizeof *series->columns[k].values);
        COR_TRY(cor_made(series->columns[k].values, error));
    }
    series->capacity = rows->count;
    series->hours = rows->has_clock ? cor_calloc(rows->count, sizeof *series->hours) : NULL;
    COR_TRY(rows->has_clock ? cor_made(series->hours, error) : COR_OK);
    if (rows->is_dated || rows->has_clock)
        COR_TRY(find_step(rows, series, error));
    for (size_t i = 0; i < rows->count; i++) {
        const struct profiles__row *row = &rows->row[i];
        bool follows = i > 0 && row->series == row[-1].series, hole = follows && is_hole(rows, series, i);
        series->hole_count += hole;
        is_open = is_open && follows && !(hole && def->split_gaps);
        if (row->gap) {
            is_open = false;
            series->gap_count++;
            continue;
        }
        COR_TRY(COR_RESERVE(&series->starts, &series->start_capacity, series->segment_count + 2, error));
        if (!is_open)
            series->starts[series->segment_count++] = series->value_count;
        else if (series->step_seconds > 0)
            series->irregular_count += !is_usual(rows, series, i);
        is_open = true;
        for (uint32_t k = 0; k < series->column_count; k++)
            series->columns[k].values[series->value_count] = rows->cells[row->cell + k];
        if (series->hours)
            series->hours[series->value_count] = row->hour;
        series->value_count++;
        series->starts[series->segment_count] = series->value_count;
    }
    say_holes(rows, series, def->split_gaps);
    if (def->series_column)
        cor_bytes_print(rows->notes,
                        "Series: column \"%s\" tells %u series apart, which are segments of their own.\n",
                        def->series_column, rows->row[rows->count - 1].series + 1);
    return COR_OK;
}

static int by_value(const void *a, const void *b) {
    const double *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

static void say_alone(const struct profiles__rows *rows, const char *which, const char *column, double value,
                      size_t count, double low, double high) {
    cor_bytes_print(
        rows->notes,
        "Values: the %s%s%s%s, %g, is there %zu times, far from all others (%g to %g): if it stands for no "
        "value, say --missing %g.\n",
        which, *column ? " of column \"" : "", column, *column ? "\"" : "", value, count, low, high, value);
}

/* A least or greatest value that is frequent, alone, and farther from the others than twice what they span,
 * as those are that stand for no value. */
static enum cor_status find_sentinels_of(const struct profiles__rows *rows, const struct cor_series *series,
                                         uint32_t column, struct cor_error *error) {
    size_t count = series->value_count, low = 0, high = 0;
    bool is_said = false;
    const char *name = series->column_count > 1 ? series->columns[column].name : "";
    double *value = cor_calloc(count, sizeof *value);
    COR_TRY(cor_made(value, error));
    memcpy(value, series->columns[column].values, count * sizeof *value);
    qsort(value, count, sizeof *value, by_value);
    while (low < count && value[low] <= value[0])
        low++;
    while (high < count - low && value[count - 1 - high] >= value[count - 1])
        high++;
    size_t few = count / 500 + 3;                   /* as often as that is frequent */
    for (int way = 0; way < 3 && !is_said; way++) { /* both ends, the lower, the upper */
        size_t from = way < 2 ? low : 0, to = count - (way != 1 ? high : 0);
        if (from + 3 > to || (way < 2 && low < few) || (way != 1 && high < few))
            continue;
        double least = value[from], greatest = value[to - 1], span = 2 * (greatest - least);
        bool is_below = way == 2 || least - value[0] > span,
             is_above = way == 1 || value[count - 1] - greatest > span;
        if (!(greatest > least) || !is_below || !is_above)
            continue;
        if (way < 2)
            say_alone(rows, "least", name, value[0], low, least, greatest);
        if (way != 1)
            say_alone(rows, "greatest", name, value[count - 1], high, least, greatest);
        is_said = true;
    }
    free(value);
    return COR_OK;
}

enum cor_status profiles__find_sentinels(const struct profiles__rows *rows, const struct cor_series *series,
                                         struct cor_error *error) {
    for (uint32_t k = 0; k < series->column_count; k++)
        if (!series->columns[k].words)
            COR_TRY(find_sentinels_of(rows, series, k, error));
    return COR_OK;
}

void profiles__step_text(double seconds, uint32_t months, char *text, size_t size) {
    static const struct {
        double seconds;
        const char *name;
    } units[] = {{7 * 86400, "week"}, {86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}};
    double count = months % 12 == 0 ? months / 12.0 : months;
    const char *name = months % 12 == 0 ? "year" : "month";
    for (size_t i = 0; i < sizeof units / sizeof *units && months == 0; i++) {
        count = seconds / units[i].seconds;
        name = units[i].name;
        if (count >= 1 && !(count > (double)(int64_t)count))
            break;
    }
    snprintf(text, size, "%g %s%s", count, name, count > 1 || count < 1 ? "s" : "");
}
