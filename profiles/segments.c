/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows in the order of their times, and the segments in which each value follows the one before: steps are
 * differences of times, and what is missing between two of them is a hole. */
#include "internal.h"

#include <corridor/array.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAID_MOST = 3, /* holes that are said with their places */
    HELD_MOST = 5000000
};

struct text {
    char of[PROFILES__MOMENT_TEXT];
};

static struct text text_of(const struct profiles__rows *rows, const struct profiles__row *row) {
    struct text text;
    int64_t micros = row->micros;
    int year, month, day;
    int64_t number = micros >= 0 ? micros / PROFILES__DAY : -((PROFILES__DAY - 1 - micros) / PROFILES__DAY),
            rest = micros - number * PROFILES__DAY;
    int seconds = (int)(rest / PROFILES__SECOND);
    profiles__date_of(number, &year, &month, &day);
    int size = snprintf(text.of, PROFILES__MOMENT_TEXT, "%04d-%02d-%02d", year, month, day);
    if (rows->has_clock)
        size += snprintf(text.of + size, PROFILES__MOMENT_TEXT - (size_t)size, " %02d:%02d", seconds / 3600,
                         seconds / 60 % 60);
    if (rows->has_clock && seconds % 60 != 0)
        snprintf(text.of + size, PROFILES__MOMENT_TEXT - (size_t)size, ":%02d", seconds % 60);
    return text;
}

static int by_size(const void *a, const void *b) {
    const int64_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

static int by_value(const void *a, const void *b) {
    const double *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

static int64_t magnitude(int64_t value) {
    return value < 0 ? -value : value;
}

/* Is it that step, but for a few per cent? */
static bool is_near(int64_t step, int64_t usual) {
    return magnitude(step - usual) <= usual / 20;
}

/* The round step that one stands for which is half a per cent off it at most: what readings some seconds
 * late, or a recorder's clock that is not exact, are meant to be. */
static int64_t round_step(int64_t step) {
    static const int64_t units[] = {PROFILES__DAY,    PROFILES__HOUR,        60 * PROFILES__SECOND,
                                    PROFILES__SECOND, PROFILES__SECOND / 10, PROFILES__SECOND / 1000};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const int64_t whole = (step + units[i] / 2) / units[i] * units[i];
        if (whole > 0 && magnitude(whole - step) <= step / 200)
            return whole;
    }
    return step;
}

/* The usual step; sorts the steps. The most frequent one where half of them are it (of equally frequent ones
 * the shortest), and that which makes a whole number of days or divides one where it nearly does. Else the
 * median, and where half of the steps are it but for a few per cent, a round one of their mean. */
static int64_t usual_of(int64_t *steps, size_t count) {
    int64_t usual = 0, sum = 0;
    size_t most = 0, near = 0, about = 0;
    if (count > 0)
        qsort(steps, count, sizeof *steps, by_size);
    for (size_t i = 0, first = 0; i < count; i++) {
        first = steps[i] == steps[first] ? first : i;
        if (i - first + 1 > most) {
            most = i - first + 1;
            usual = steps[i];
        }
    }
    if (2 * most >= count) {
        const int64_t whole = round_step(usual);
        return whole > 0 && (PROFILES__DAY % whole == 0 || whole % PROFILES__DAY == 0) ? whole : usual;
    }
    usual = steps[count / 2];
    for (size_t i = 0; i < count; i++) {
        near += is_near(steps[i], usual);
        if (2 * magnitude(steps[i] - usual) <= usual) { /* no hole: what is late makes the next one shorter */
            sum += steps[i] - usual;
            about++;
        }
    }
    return 2 * near >= count ? round_step(usual + sum / (int64_t)about) : usual;
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

/* When clocks are changed, nearly everywhere. */
static bool is_sunday_night(int64_t micros) {
    const int64_t weekday =
        (micros / PROFILES__DAY + 4) % 7; /* counted by periods, the day has one hour more at its end */
    return micros >= 0 && ((weekday == 0 && micros % PROFILES__DAY <= 3 * PROFILES__HOUR) ||
                           (weekday == 1 && micros % PROFILES__DAY <= PROFILES__HOUR));
}

/* Times without a zone: where the clock is set back, an hour is there twice, and time seems to go back by an
 * hour less a step; from there on rows are an hour later than they say, till the clock is set forward. */
static void follow_clock(const struct profiles__rows *rows, struct profiles__row *row, size_t count,
                         int64_t usual) {
    int64_t later = 0;
    for (size_t i = 1;
         i < count && !rows->is_zoned && rows->has_clock && usual > 0 && usual <= PROFILES__HOUR; i++) {
        int64_t step = row[i].micros + later - row[i - 1].micros;
        if (magnitude(step - usual + PROFILES__HOUR) <= usual / 20 && later == 0 &&
            is_sunday_night(row[i].micros)) {
            later = PROFILES__HOUR;
            cor_bytes_print(rows->notes,
                            "Time: the clock is set back an hour at line %u (a zone would tell).\n",
                            row[i].line);
        } else if (magnitude(step - usual - PROFILES__HOUR) <= usual / 20 && later == PROFILES__HOUR) {
            later = 0;
        }
        row[i].micros += later;
    }
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
        for (size_t j = 0; j < count / 2; j++) {
            struct profiles__row held = row[j];
            row[j] = row[count - 1 - j];
            row[count - 1 - j] = held;
        }
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
    if (backs > 0 && twice > 0) {
        char place[512];
        snprintf(place, sizeof place, "%s:%u", rows->name, here.line);
        return cor_fail(
            error, COR_STATUS_INPUT, place,
            "if several series stand in the file, name the column that tells them apart (--series NAME), or "
            "the rows that are meant (--where NAME=VALUE)",
            "time goes back from %s (line %u) to %s, and %zu times occur more than once",
            text_of(rows, &before).of, before.line, text_of(rows, &here).of, twice);
    }
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
                        text_of(rows, &row[first_twice]).of, rows->is_zoned && rows->has_clock ? " UTC" : "",
                        row[first_twice - 1].line, row[first_twice].line,
                        twice > 1 ? ", and so do others" : "");
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
    qsort(rows->row, rows->count, sizeof *rows->row, by_series);
    if (!rows->is_dated)
        return COR_OK;
    COR_FREED int64_t *steps = cor_calloc(rows->count, sizeof *steps);
    COR_TRY(cor_made(steps, error));
    for (size_t first = 0, end; first < rows->count; first = end) {
        end = end_of_series(rows, first);
        COR_TRY(order_one(rows, rows->row + first, end - first, steps, error));
    }
    return COR_OK;
}

/* The step to a row of the same series; of times alone modulo a day. */
static int64_t step_to(const struct profiles__rows *rows, size_t i) {
    int64_t step = rows->row[i].micros - rows->row[i - 1].micros;
    return rows->is_dated ? step : (step + PROFILES__DAY) % PROFILES__DAY;
}

static bool is_step(const struct profiles__rows *rows, size_t i) {
    return i > 0 && rows->row[i].series == rows->row[i - 1].series && !rows->row[i].gap &&
           !rows->row[i - 1].gap;
}

/* The usual step, in months where most steps are whole ones. */
static enum cor_status find_step(const struct profiles__rows *rows, struct cor_series *series,
                                 struct cor_error *error) {
    int64_t *steps = cor_calloc(rows->count, sizeof *steps);
    size_t count = 0, monthly = 0;
    COR_TRY(cor_made(steps, error));
    for (size_t i = 1; i < rows->count; i++)
        if (is_step(rows, i) && (!rows->is_dated || step_to(rows, i) > 0))
            steps[count++] = step_to(rows, i);
    int64_t usual = usual_of(steps, count);
    series->step_seconds =
        count == 0 ? 0 : (double)(usual > 0 ? usual : PROFILES__DAY) / (double)PROFILES__SECOND;
    if (rows->is_dated && usual >= 28 * PROFILES__DAY) {
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

static int64_t usual_step(const struct cor_series *series) {
    return (int64_t)(series->step_seconds * (double)PROFILES__SECOND + 0.5);
}

/* Late readings, step by step. A row is in its slot where it is a tenth of a step off at most; slots follow
 * what the rows do, since clocks drift. */
struct pace {
    int64_t slot;   /* of the row before */
    int64_t latest; /* by how much a step that is taken for the usual one is shorter or longer */
    size_t late_count;
};

/* The step to propose for a log of changes: a round one of which the median step has two at least. */
static const char *proposed_step(int64_t median) {
    static const struct {
        int64_t seconds;
        const char *text;
    } steps[] = {{86400, "1d"},  {43200, "12h"}, {21600, "6h"}, {3600, "1h"}, {1800, "30min"},
                 {600, "10min"}, {300, "5min"},  {60, "1min"},  {30, "30s"},  {10, "10s"}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (2 * steps[i].seconds * PROFILES__SECOND <= median)
            return steps[i].text;
    return "1s";
}

/* Refuses a log of changes: a quarter of the steps at least are not the usual one, they differ far more than
 * late readings do, and the value behind them is another one than before them, where chance would have it the
 * same three times at least (or, where values hardly ever are the same, most steps are such). */
static enum cor_status check_changes(const struct profiles__rows *rows, const struct cor_series *series,
                                     const bool *irregular, size_t steps, struct cor_error *error) {
    size_t uneven = 0, same = 0, about = 0;
    double chance;
    int64_t *step = cor_calloc(rows->count, sizeof *step);
    COR_TRY(cor_made(step, error));
    for (size_t i = 1; i < rows->count; i++)
        if (irregular[i] && is_step(rows, i)) {
            bool is_same = true;
            for (uint32_t k = 0; k < series->column_count; k++) {
                const double *now = &rows->cells[rows->row[i].cell],
                             *before = &rows->cells[rows->row[i - 1].cell];
                is_same = is_same && !(now[k] < before[k]) && !(now[k] > before[k]);
            }
            step[uneven++] = step_to(rows, i);
            same += is_same;
        }
    qsort(step, uneven, sizeof *step, by_size);
    const int64_t median = uneven > 0 ? step[uneven / 2] : 0, longest = uneven > 0 ? step[uneven - 1] : 0;
    for (size_t i = 0; i < uneven; i++)
        about += 2 * magnitude(step[i] - median) <= median;
    free(step);
    if (!rows->is_dated || uneven < 8 || 4 * uneven < steps || 4 * about >= 3 * uneven)
        return COR_OK;
    /* How probable it is that two values are the same, were they drawn from those that there are. */
    double *value = cor_calloc(rows->count, sizeof *value);
    COR_TRY(cor_made(value, error));
    chance = 1;
    for (uint32_t k = 0; k < series->column_count; k++) {
        double pairs = 0;
        size_t count = 0;
        for (size_t j = 0; j < rows->count; j++)
            if (!rows->row[j].gap)
                value[count++] = rows->cells[rows->row[j].cell + k];
        qsort(value, count, sizeof *value, by_value);
        for (size_t j = 0, first = 0; j < count; j++) {
            first = j > 0 && value[j] > value[first] ? j : first;
            pairs += 2 * (double)(j - first) + 1;
        }
        chance *= count > 0 ? pairs / (double)count / (double)count : 1;
    }
    free(value);
    const double expected = chance * (double)uneven;
    if ((expected < 3 && (same > 0 || 2 * uneven < steps)) || 5.0 * (double)same > expected + 3)
        return COR_OK;
    char usual[64], most[64], behind[64] = "in all of them", remedy[300];
    profiles__step_text((double)median / (double)PROFILES__SECOND, 0, usual, sizeof usual);
    profiles__step_text((double)longest / (double)PROFILES__SECOND, 0, most, sizeof most);
    snprintf(remedy, sizeof remedy,
             "say how long a step is, such as --every %s: a value then holds until the next row (or count "
             "changes instead of steps: leave --time-column out)",
             proposed_step(median));
    if (same > 0)
        snprintf(behind, sizeof behind, "in all but %zu", same);
    return cor_fail(error, COR_STATUS_INPUT, rows->name, remedy,
                    "its rows are changes, not equal steps: %zu of %zu steps are uneven, half of these take "
                    "up to %s, the longest %s, and the value behind them is another %s",
                    uneven, steps, usual, most, behind);
}

enum cor_status profiles__hold_rows(struct profiles__rows *rows, const struct cor_series_def *def,
                                    struct profiles__row **held, struct cor_error *error) {
    size_t capacity = 0, count = 0, unseen = 0, values = 0;
    char step[64];
    *held = NULL;
    if (!rows->is_dated)
        return cor_fail(error, COR_STATUS_INPUT, rows->name,
                        "name the columns of date and time (--time-column)",
                        "its times have no date, so it is not known how long a value holds (--every)");
    for (size_t i = 0; i < rows->count; i++) {
        const struct profiles__row *row = &rows->row[i];
        const bool is_last = i + 1 == rows->count || row[1].series != row->series;
        int64_t slot = row->micros - ((row->micros % def->every) + def->every) % def->every;
        slot += slot < row->micros ? def->every : 0;
        unseen += !is_last && slot >= row[1].micros;
        for (; is_last ? slot <= row->micros : slot < row[1].micros; slot += def->every) {
            if (count == HELD_MOST)
                return cor_fail(error, COR_STATUS_INPUT, rows->name, "say a longer step (--every)",
                                "it is more than %d steps long", HELD_MOST);
            COR_TRY(COR_RESERVE(held, &capacity, count + 1, error));
            (*held)[count] = *row;
            values += !row->gap;
            (*held)[count].clock = (row->clock + slot - row->micros) % PROFILES__DAY;
            (*held)[count++].micros = slot;
        }
    }
    if (count == 0)
        return cor_fail(error, COR_STATUS_INPUT, rows->name, "say a shorter step (--every)",
                        "all its rows lie within one step");
    if (values == 0)
        return cor_fail(error, COR_STATUS_INPUT, rows->name, "say a shorter step (--every)",
                        "none of its values holds when a step begins");
    profiles__step_text((double)def->every / (double)PROFILES__SECOND, 0, step, sizeof step);
    cor_bytes_print(rows->notes,
                    "Time: a value holds until the next row: %zu rows are %zu steps of %s (--every).",
                    rows->count, count, step);
    if (unseen > 0)
        cor_bytes_print(rows->notes, " %zu rows are over before a step begins, and are not among them.",
                        unseen);
    cor_bytes_print(rows->notes, "\n");
    rows->row = *held;
    rows->count = count;
    return COR_OK;
}

/* Do nearly all rows lie about the slots that divide a day? */
static bool is_by_the_clock(const struct profiles__rows *rows, int64_t usual, int64_t latest) {
    size_t near = 0;
    for (size_t i = 0; i < rows->count && usual > 0; i++) {
        const int64_t behind = rows->row[i].clock % usual;
        near += behind <= latest || usual - behind <= latest;
    }
    return 10 * near >= 9 * rows->count;
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

static enum cor_status cut(const struct profiles__rows *rows, const struct cor_series_def *def,
                           struct cor_series *series, const bool *irregular, int64_t latest,
                           struct cor_error *error) {
    const int64_t usual = usual_step(series);
    bool is_open = false;
    for (uint32_t k = 0; k < series->column_count; k++) {
        series->columns[k].values = cor_calloc(rows->count, sizeof *series->columns[k].values);
        COR_TRY(cor_made(series->columns[k].values, error));
    }
    series->capacity = rows->count;
    series->hours = rows->has_clock ? cor_calloc(rows->count, sizeof *series->hours) : NULL;
    COR_TRY(rows->has_clock ? cor_made(series->hours, error) : COR_OK);
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
            series->irregular_count += irregular[i];
        is_open = true;
        for (uint32_t k = 0; k < series->column_count; k++)
            series->columns[k].values[series->value_count] = rows->cells[row->cell + k];
        if (series->hours) {
            /* The hour of a row: of its slot, where readings are some seconds early or late and slots divide
             * a day. */
            const int64_t early =
                usual > 0 && PROFILES__DAY % usual == 0 ? (usual - row->clock % usual) % usual : 0;
            series->hours[series->value_count] =
                (uint8_t)((row->clock + (early <= latest ? early : 0)) % PROFILES__DAY / PROFILES__HOUR);
        }
        series->value_count++;
        series->starts[series->segment_count] = series->value_count;
    }
    return COR_OK;
}

enum cor_status profiles__cut_rows(const struct profiles__rows *rows, const struct cor_series_def *def,
                                   struct cor_series *series, struct cor_error *error) {
    COR_FREED bool *irregular = NULL;
    size_t steps = 0;
    struct pace pace = {0};
    if (rows->is_dated || rows->has_clock)
        COR_TRY(find_step(rows, series, error));
    if (def->every > 0)
        series->step_seconds = (double)def->every / (double)PROFILES__SECOND;
    /* Marks the steps that are not the usual one; `steps` is how many there are at all. */
    steps = 0;
    pace = (struct pace){.slot = rows->row[0].micros};
    COR_TRY(cor_made(irregular = cor_calloc(rows->count, sizeof *irregular), error));
    for (size_t i = 1; i < rows->count; i++)
        if (rows->row[i].series == rows->row[i - 1].series) {
            /* Whether the step to this row, of the same series as the one before, is the usual one. */
            const int64_t usual = usual_step(series), step = step_to(rows, i), at = rows->row[i].micros;
            int64_t off = magnitude(step - usual);
            bool is_usual = false;
            if (series->step_months > 0) {
                is_usual = profiles__whole_months(rows->row[i - 1].micros, rows->row[i].micros) ==
                           series->step_months;
                off =
                    magnitude((step % PROFILES__DAY + PROFILES__DAY / 2) % PROFILES__DAY - PROFILES__DAY / 2);
            } else if (!rows->is_dated) {
                is_usual = usual > 0 && (is_near(step, usual) || is_near(step, usual % PROFILES__DAY));
                off = off < magnitude(step - usual % PROFILES__DAY) ? off
                                                                    : magnitude(step - usual % PROFILES__DAY);
            } else if (usual > 0) {
                const int64_t slots = (at - pace.slot + usual / 2) / usual,
                              late = at - pace.slot - slots * usual;
                const bool is_in_slot = magnitude(late) <= usual / 10;
                is_usual = is_near(step, usual) || (slots == 1 && is_in_slot);
                if (slots > 0)
                    pace.slot = is_in_slot ? at - late + late / 4 : at;
            }
            pace.late_count += is_usual && off > 0;
            pace.latest = is_usual && off > pace.latest ? off : pace.latest;
            irregular[i] = !is_usual;
            ++steps;
        } else
            pace.slot = rows->row[i].micros;
    COR_TRY(check_changes(rows, series, irregular, steps, error));
    COR_TRY(cut(rows, def, series, irregular,
                is_by_the_clock(rows, usual_step(series), pace.latest) ? pace.latest : 0, error));
    char step[64], off[64];
    if (pace.late_count != 0) {
        profiles__step_text(series->step_seconds, series->step_months, step, sizeof step);
        profiles__step_text((double)pace.latest / (double)PROFILES__SECOND, 0, off, sizeof off);
        cor_bytes_print(
            rows->notes,
            "Time: %zu of %zu steps are up to %s shorter or longer than %s, and are taken for it: "
            "readings come late.\n",
            pace.late_count, steps, off, step);
    }
    say_holes(rows, series, def->split_gaps);
    if (def->series_column)
        cor_bytes_print(rows->notes,
                        "Series: column \"%s\" tells %u series apart, which are segments of their own.\n",
                        def->series_column, rows->row[rows->count - 1].series + 1);
    return COR_OK;
}

static void say_alone(const struct profiles__rows *rows, const char *which, const char *column, double value,
                      size_t count, double low, double high) {
    cor_bytes_print(
        rows->notes,
        "Values: the %s%s%s%s, %g, is there %zu times, far from all others (%g to %g): if it stands for no "
        "value, say --missing %g.\n",
        which, *column ? " of column \"" : "", column, *column ? "\"" : "", value, count, low, high, value);
}

enum cor_status profiles__find_sentinels(const struct profiles__rows *rows, const struct cor_series *series,
                                         struct cor_error *error) {
    for (uint32_t k = 0; k < series->column_count; k++)
        if (!series->columns[k].words) {
            /* A least or greatest value that is frequent, alone, and farther from the others than twice what
             * they span, as those are that stand for no value. */
            size_t count = series->value_count, low = 0, high = 0;
            bool is_said = false;
            const char *name = series->column_count > 1 ? series->columns[k].name : "";
            double *value = cor_calloc(count, sizeof *value);
            COR_TRY(cor_made(value, error));
            memcpy(value, series->columns[k].values, count * sizeof *value);
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
        }
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
