/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of this room share: which states of a profile lead to which (profile.c), text that grows
 * (profile.c), and the steps of a fit in the order in which cor_fit_create takes them (fit/). */
#ifndef CORRIDOR_PROFILES_INTERNAL_H
#define CORRIDOR_PROFILES_INTERNAL_H

#include <corridor/bytes.h>
#include <corridor/fit.h>
#include <corridor/profile.h>

/* Sets of states are words: bit i is state i. */
_Static_assert(COR_PROFILE_STATES_MAX <= 64, "a set of states is one word");

/* The set of one state; the set of the states below `count`. */
static inline uint64_t profiles__set_of(uint32_t state) {
    return UINT64_C(1) << state;
}

static inline uint64_t profiles__set_below(uint32_t count) {
    return count == 64 ? ~UINT64_C(0) : profiles__set_of(count) - 1;
}

/* The width of a column of states under the head "state". */
int profiles__widest_name(const struct cor_profile *profile);

/* times.c: times in microseconds. */
#define PROFILES__SECOND INT64_C(1000000)
#define PROFILES__HOUR (3600 * PROFILES__SECOND)
#define PROFILES__DAY (INT64_C(86400) * PROFILES__SECOND)

/* What a cell of a time column says. */
struct profiles__moment {
    int64_t
        micros;    /* since 1970, in UTC where there is a zone, else as written; of the day, without a date */
    int64_t clock; /* time of day as written; 24:00 is 0 */
    bool has_date, has_clock, has_zone;
    bool has_two_orders;               /* "1/2/2010": either number may be the day */
    bool is_day_first, is_month_first; /* but here one of them is above 12 */
    int ends[2];                       /* of a date in numbers the first and the last */
    unsigned guesses;                  /* PROFILES__.. */
    uint32_t place;                    /* of a zone named by its place; 0: none is */
};

/* What is guessed of a time, and said. */
enum {
    PROFILES__EPOCH = 1,
    PROFILES__EPOCH_MS = 2,
    PROFILES__EPOCH_US = 4,
    PROFILES__EPOCH_NS = 8,
    PROFILES__SHORT_YEAR = 16,    /* two digits */
    PROFILES__PAST_MIDNIGHT = 32, /* "24:05" */
    PROFILES__HOUR_TWICE = 64,    /* "2A:00", "2B:00" */
    PROFILES__DIGITS = 128,       /* "0730" behind a date */
    PROFILES__POINTS = 256,       /* "07.30" behind a date */
    PROFILES__PLACE = 512,        /* "Europe/Berlin" */
    PROFILES__GUESSES = 10
};

/* How the cells of time columns are written. */
struct profiles__time_form {
    const char *format; /* as cor_series_def's time_format */
    int64_t period;     /* a number behind a date counts these, from 1; 0: hours */
    int order;          /* COR_DATES_.. of 1/2/2010; 0: the month first */
    bool has_ranges;    /* "10:00-10:15" is its beginning; else -10:15 is a zone */
};

/* Formats of times that are counts, ended by NULL. */
extern const char *const profiles__time_words[];

/* False for anything that is neither a date nor a time. */
bool profiles__take_moment(const char *text, const struct profiles__time_form *form,
                           struct profiles__moment *moment);

/* The date of a day since 1970-01-01, in the Gregorian calendar. */
void profiles__date_of(int64_t number, int *year, int *month, int *day);

/* Whole months from one time to another, by the calendar, up to an hour late or early; 0 if they are not
 * whole. */
uint32_t profiles__whole_months(int64_t from, int64_t to);

#define PROFILES__MOMENT_TEXT 40

/* What is wanted of a row of a table. */
struct profiles__row {
    size_t cell;           /* its first; of each column one */
    int64_t micros, clock; /* clock: the time of day as written */
    uint32_t line, series; /* the number of its series, by their first rows */
    bool gap;              /* no value */
};

struct profiles__rows {
    struct profiles__row *row; /* borrowed */
    const double *cells;       /* borrowed */
    size_t count;              /* at least 1 */
    bool is_dated, is_zoned, has_clock;
    const char *name;        /* of the file */
    struct cor_bytes *notes; /* what is to be said, a sentence a line */
};

/* segments.c, as what follows: puts the rows of each series in the order of their times; refuses times that
 * go back and occur twice, as those of two series do. */
enum cor_status profiles__order_rows(struct profiles__rows *rows, struct cor_error *error) COR_MUST_USE;

/* Rows in order as equal steps of def->every: of each step the last row before it, whose value holds until
 * the next. *held, which the rows then are, is freed by whoever calls. */
enum cor_status profiles__hold_rows(struct profiles__rows *rows, const struct cor_series_def *def,
                                    struct profiles__row **held, struct cor_error *error) COR_MUST_USE;

/* Values, hours, segments and steps of rows in order; refuses rows that say when something changed. */
enum cor_status profiles__cut_rows(const struct profiles__rows *rows, const struct cor_series_def *def,
                                   struct cor_series *series, struct cor_error *error) COR_MUST_USE;

/* Says where the least or greatest value looks like one that stands for no value. */
enum cor_status profiles__find_sentinels(const struct profiles__rows *rows, const struct cor_series *series,
                                         struct cor_error *error) COR_MUST_USE;

/* "10 seconds", "1 hour", "3 months"; of a step in seconds, or in months where these are not 0. */
void profiles__step_text(double seconds, uint32_t months, char *text, size_t size);

/* profile.c: what was written as the text of a file, to be freed with free(); ends the writer in any case.
 * NULL: `error` says why. */
char *profiles__file_text_take(struct cor_json_writer *writer, struct cor_error *error);

/* profile.c: the names of its states, as "states". */
void profiles__put_states(const struct cor_profile *profile, struct cor_json_writer *writer);

/* chain_files.c: does the text begin as a chain of another tool; and the profile that it is. */
bool profiles__is_chain(const char *text);
enum cor_status profiles__read_chain(const char *text, size_t length, const char *file, const char *name,
                                     struct cor_profile **profile, struct cor_error *error) COR_MUST_USE;

/* fit.c: a fit with names and states alone, and the state of each value. */
enum cor_status profiles__fit_divide(const struct cor_series *series, const struct cor_fit_def *def,
                                     uint8_t *sequence, struct cor_fit **fit,
                                     struct cor_error *error) COR_MUST_USE;

/* fit.c: checks the definition, sets cuts, blocks and the states that occur, and gives the state of
 * each value of the series. */
enum cor_status profiles__fit_discretize(struct cor_fit *fit, const struct cor_series *series,
                                         const struct cor_fit_def *def, uint8_t *sequence,
                                         struct cor_error *error) COR_MUST_USE;

/* The name of a level of a column; what stands before it for a part of the day; and of all states, the names
 * of their levels with points between them. The texts have room for COR_PROFILE_NAME_MAX bytes. */
void profiles__fit_level_name(const struct cor_fit_column *column, uint32_t level,
                              char name[COR_PROFILE_NAME_MAX + 1]);
void profiles__fit_part_name(const struct cor_fit *fit, uint32_t block, char name[16]);
enum cor_status profiles__fit_state_names(const struct cor_fit *fit, char names[][COR_PROFILE_NAME_MAX + 1],
                                          struct cor_error *error) COR_MUST_USE;

/* fit.c: the profile of the data and the prior together, with a sentence for the notes. */
enum cor_status profiles__fit_join_prior(struct cor_fit *fit, const struct cor_fit_def *def,
                                         struct cor_error *error) COR_MUST_USE;

/* fit.c: all figures but the counts; `sequence` holds the state of each value. */
enum cor_status profiles__fit_goodness(struct cor_fit *fit, const struct cor_series *series,
                                       const uint8_t *sequence, struct cor_error *error) COR_MUST_USE;

/* The natural logarithm of a positive number from + - * / alone, so that stored figures have the same bits on
 * every machine; within 4 units in the last place. */
double profiles__fit_log(double x);

/* fit_report.c: sentences, one string each; one name as text under `one`, several as a list under `several`.
 */
void profiles__put_sentences(const char *sentences, const char *key, struct cor_json_writer *writer);
void profiles__put_names(struct cor_json_writer *writer, const char *one, const char *several,
                         const char *const *names, uint32_t count);

/* The sentences of a fit. */
enum cor_status profiles__fit_remarks(struct cor_fit *fit, bool has_hours,
                                      struct cor_error *error) COR_MUST_USE;

#endif
