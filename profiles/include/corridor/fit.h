/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting a profile to measurements: values become levels (by quantiles or cut points), words are levels
 * already, a state is a level of each column, in a part of the day or not, transitions are counted and
 * divided (maximum likelihood), or joined with what a prior says. With the profile comes a report: how well a
 * first-order chain describes the series, and in words what it does not describe.
 *
 * The measurements are a column of a CSV file, or several jointly, of numbers or of words, in the order of
 * its times, or of the file. The file has a row of column names; fields are separated by commas, semicolons,
 * tabs, bars or blanks and may be quoted
 * ("a, b", "say ""so"""); lines end with LF, CRLF or CR. Every complaint names file:line:column (bytes, from
 * 1), what is wrong and what would be right. */
#ifndef CORRIDOR_FIT_H
#define CORRIDOR_FIT_H

#include <corridor/error.h>
#include <corridor/profile.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COR_SERIES_BYTES_MAX (256u << 20) /* a larger file is refused */
#define COR_SERIES_COLUMNS_MAX 1000
#define COR_SERIES_VALUES_MAX 8 /* columns that are fitted jointly */
#define COR_SERIES_EVERY_MAX (INT64_C(366) * 86400 * 1000000)

enum { COR_DECIMAL_POINT = 1, COR_DECIMAL_COMMA = 2 }; /* what begins the fraction of a number */
/* What parts the thousands of a number: 1,234.5, 1.234,5, 1 234.5 (also a no-break space), 1'234.5. */
enum { COR_THOUSANDS_COMMA = 1, COR_THOUSANDS_POINT, COR_THOUSANDS_BLANK, COR_THOUSANDS_APOSTROPHE };
enum {
    COR_DATES_DAY_FIRST = 1,
    COR_DATES_MONTH_FIRST,
    COR_DATES_YEAR_FIRST
}; /* how 1/2/2010, 1/2/10 is read */

/* What to read. What is 0 or NULL is guessed, and said. */
struct cor_series_def {
    const char *const *columns; /* of the values, ended by NULL, at least one: a row without one of them is a
                                   gap */
    const char *const *words; /* those of them that hold words, ended by NULL; NULL: those without a number */
    /* NULL: none, and rows follow each other as they stand. A time of day "01:00", "7:05:30.5", "7:05 PM", a
     * date "2010-01-31", "1/31/2010", "31.1.2010", "20100131", "2010-01", or both, with a zone or without:
     * "2010-01-01 00:00:00+01:00", "20100131:0000", "2010-01-01T00:00 UTC". 24:00 is hour 0 of the next day;
     * hours are taken as written, steps are differences of times, zones considered. "10:00 - 10:15" is its
     * beginning. Dates also "1-Mar-2023", "Mar 1, 2023", "2000-Q1", "2010-032" (a day of the year),
     * "1/31/10"; behind a date also "7" (an hour), "24:05", "2A:00" and "2B:00"; and 10, 13, 16 or 19 digits
     * since 1970; docs/look-up/profiles.md lists all forms. Of several columns (NULL-terminated) the parts
     * are joined: date and time of day, or hour; year, month, day, and then hour, minute; year and day of the
     * year. */
    const char *const *time_columns;
    const char *time_format; /* "epoch" (seconds since 1970), "epoch-ms", "epoch-us", "epoch-ns", "excel"
                                (days since 1899-12-30), "excel-1904", "jd", "mjd", "matlab" (days),
                                "decimal-year", or as strptime() has it; NULL: as above */
    int64_t period;          /* microseconds: the number behind a date counts these, from 1; 0: hours */
    bool is_wide;            /* a row is a day, a month or a year: columns named by times of the day, hours or
                                periods, days, or months hold the values of the one column */
    bool differences;        /* the readings of a counter: values are what it counted since the row before */
    bool skips_flagged; /* a number with something behind it ("8.7*") is missing; else a unit or a flag */
    const char *series_column; /* each of its values is a series of its own; NULL: there is one */
    const char *const *where;  /* "COLUMN=VALUE": only rows that say so, NULL-terminated; NULL: all */
    const char *const
        *missing;         /* cells that stand for a missing value, NULL-terminated; NULL: none but those
                             that always do: empty, "NaN", "NA", "n/a", "null", "none", "-", "--", "." */
    const char *comment;  /* what a line begins with that is no row */
    const char *encoding; /* of the file, as iconv calls it; NULL: UTF-8, or as its byte order mark says */
    uint32_t header;      /* line of the names of the columns, from 1 */
    uint32_t skip;        /* lines behind it that are no rows */
    char separator;       /* of fields */
    int decimal, thousands, dates;
    int64_t every;   /* microseconds, to COR_SERIES_EVERY_MAX: rows say when something changed, and a value
                        holds   until the next one; 0: rows are steps */
    bool split_gaps; /* a missing value, text or a hole in the times ends a segment; else missing values and
                        text are errors, and holes are said */
};

#define COR_SERIES_WORDS_MAX 4096 /* different words of a column */
#define COR_SERIES_FILES_MAX 1000

/* What one column says. */
struct cor_series_column {
    char *name;     /* owned */
    double *values; /* owned; finite; of words their indices */
    char **words;   /* owned; different, as the alphabet has them (by bytes); NULL: numbers */
    uint32_t word_count;
};

/* Measurements as they were read, in segments within which each value follows the one before. */
struct cor_series {
    char **files;                      /* owned; as given */
    struct cor_series_column *columns; /* owned */
    uint32_t file_count, column_count; /* at least 1 */
    char *file;                        /* owned; for messages: all files, commas between them */
    uint8_t *hours;     /* owned; 0 .. 23 of each value; NULL: no time column, or one of dates only */
    size_t *starts;     /* owned; segment s has values starts[s] .. starts[s + 1] - 1; no segment is empty */
    size_t value_count; /* at least 1 */
    size_t segment_count;
    size_t capacity, start_capacity; /* of values and hours; of starts */
    size_t gap_count;                /* cells left out */
    size_t hole_count;               /* rows before which more than a step and a half has passed */
    size_t irregular_count; /* steps within segments of other than the usual length, but for what is late by a
                               few per cent; 0 without times */
    double step_seconds;    /* the usual step (of times of day alone modulo a day); 0: not known */
    uint32_t step_months;   /* not 0: it is so many months of the calendar */
    char *notes; /* owned; sentences, a line each: what was guessed, put in order, or is missing; may be empty
                  */
};

/* Reads the series from a file. COR_STATUS_FILE if it cannot be read, COR_STATUS_INPUT for what it says. */
enum cor_status cor_series_read(const char *path, const struct cor_series_def *def,
                                struct cor_series **series, struct cor_error *error) COR_MUST_USE;

/* Reads the series from text; `name` stands for the file in messages. */
enum cor_status cor_series_parse(const char *text, size_t length, const char *name,
                                 const struct cor_series_def *def, struct cor_series **series,
                                 struct cor_error *error) COR_MUST_USE;

/* Puts the segments of `more`, which was read of another file by the same definition, behind those of
 * `series`; the step is that of the first. COR_STATUS_INPUT names the file that does not fit. */
enum cor_status cor_series_append(struct cor_series *series, const struct cor_series *more,
                                  struct cor_error *error) COR_MUST_USE;

/* A series of one column of `words` (copied) without values yet, and a segment of `count` words more, by
 * their indices. `name` stands for the file. */
enum cor_status cor_series_of_words(const char *name, const char *column, const char *const *words,
                                    uint32_t word_count, struct cor_series **series,
                                    struct cor_error *error) COR_MUST_USE;
enum cor_status cor_series_add(struct cor_series *series, const uint8_t *words, size_t count,
                               struct cor_error *error) COR_MUST_USE;

/* Frees it; NULL is allowed. */
void cor_series_destroy(struct cor_series *series);
COR_DESTROYS(cor_series, struct cor_series)

/* Lengths of arrays in the report. */
enum {
    COR_FIT_ORDERS = 3, /* orders 0, 1, 2 are compared */
    COR_FIT_STAYS = 5,  /* classes of lengths of stay: 1, 2, 3, 4-7, 8 and more */
    COR_FIT_LAGS = 2    /* autocorrelations: of neighbours and of the season */
};

#define COR_FIT_SEASON_MAX 10000

/* How a column of numbers is divided. Either `states` or `cuts`. */
struct cor_levels_def {
    uint32_t states;    /* levels by quantiles, 2 .. COR_PROFILE_STATES_MAX; 0: by cuts */
    const double *cuts; /* ascending; level k holds the values from cuts[k - 1] to below cuts[k] */
    uint32_t cut_count; /* 0 .. COR_PROFILE_STATES_MAX - 1 */
};

#define COR_WORD_OTHER "other" /* what rare words are joined as */

/* What to fit. */
struct cor_fit_def {
    const char *name;                 /* of the profile; NULL: the columns' */
    const char *command;              /* the command that fits it, for the record; NULL: not said */
    struct cor_levels_def levels;     /* of columns of numbers that have none of their own */
    const struct cor_levels_def *own; /* by column, zeroes: none; NULL: no column has any */
    uint32_t rare;                    /* words that occur fewer times are joined; 0: none */
    uint32_t hours;  /* parts of the day, each of 24 / hours hours from midnight; a divisor of 24; 1 = not in
                        the state */
    uint32_t season; /* lag of the second autocorrelation, in steps, to COR_FIT_SEASON_MAX; 0: a day, where
                        the time column tells how long a step is, else 24 */
    /* To the transitions that were counted out of each state, `weight` more are added, shared out as the row
     * of that state in `prior` says, or evenly over all states where it is NULL (Dirichlet priors). 0: none.
     */
    double weight;
    const struct cor_profile *prior;
    const char *prior_file; /* for the record */
};

#define COR_FIT_WEIGHT_MAX 1e9
#define COR_PRIOR_UNIFORM "uniform" /* the prior that shares out evenly */

/* hours 1, nothing else. */
struct cor_fit_def cor_default_fit(void);

/* Whole stays in one state, those cut off by the ends of a segment left out, against the geometric law of the
 * chain. */
struct cor_fit_stays {
    uint64_t count;
    double mean, chain_mean;          /* in steps; NaN: no stays; infinite: never left */
    uint64_t observed[COR_FIT_STAYS]; /* stays of 1, 2, 3, 4-7, 8 and more steps */
    double expected[COR_FIT_STAYS];
    double chi_square,
        p;            /* classes expected below 5 are pooled with the next shorter; p NaN: too few to tell */
    uint32_t degrees; /* of freedom: pooled classes - 2 (one parameter is estimated) */
};

/* Of a state in one column. */
struct cor_fit_level {
    uint32_t index;   /* of the level, or of the word */
    double low, high; /* low <= value < high; infinite at the ends; NaN of words */
    double mean;      /* of its values: what the state stands for below; NaN of words */
};

/* One state: a level of each column within a part of the day. */
struct cor_fit_state {
    uint32_t block;
    struct cor_fit_level levels[COR_SERIES_VALUES_MAX]; /* by column */
    uint64_t count;                                     /* values */
    uint64_t left_count; /* transitions out of it, to itself included; 0: never followed by anything */
    bool has_prior;      /* the prior has a row for it */
    double share;        /* of all values */
    double stationary;   /* its share in the long run of the chain */
    struct cor_fit_stays stays;
};

/* A chain of order k over S states has S^k (S - 1) free parameters. All orders are compared over the same
 * transitions: those into values with two predecessors in their segment. BIC = parameters * ln(transitions) -
 * 2 * log-likelihood; less is better. NaN where there are no such transitions. */
struct cor_fit_order {
    uint64_t parameters;
    double log_likelihood, bic;
};

/* Autocorrelation of the series of state means, and of the same means along the stationary chain; of words
 * that of being the same: 1 always, 0 as often as by chance. NaN: not enough values. */
struct cor_fit_lag {
    uint32_t lag;
    double observed, chain;
};

/* One column. */
struct cor_fit_column {
    char *name;                   /* owned */
    char **words;                 /* owned; level_count, those joined as COR_WORD_OTHER last; NULL: numbers */
    uint32_t level_count, joined; /* words that were joined */
    double cuts[COR_PROFILE_STATES_MAX];
    uint32_t cut_count;
    bool by_quantiles;
    double within_share; /* of the variance of the values: what lies within states; NaN of words */
    struct cor_fit_lag lags[COR_FIT_LAGS];
};

/* Where the season comes from: asked for, the time column, or nowhere (24 steps). */
enum cor_season { COR_SEASON_ASKED = 1, COR_SEASON_TIMES = 2, COR_SEASON_DEFAULT = 3 };

extern const char *const cor_season_words[]; /* "asked", "time column", "default", by enum cor_season */

/* A fitted profile, and the report of how well it describes the series. */
struct cor_fit {
    struct cor_profile *profile; /* owned; of the data alone; starts in its stationary law */
    struct cor_profile *joined;  /* owned; with the prior, which may have states more; NULL: without */
    double weight;
    char *prior_name, *prior_file;  /* owned; NULL: evenly */
    char **files;                   /* owned */
    char *file;                     /* owned; all files, commas between them */
    char *command;                  /* owned; NULL: not said */
    struct cor_fit_column *columns; /* owned */
    uint32_t file_count, column_count, block_count;
    uint32_t state_count;         /* seen; of block_count * (levels of each column) possible ones */
    struct cor_fit_state *states; /* owned; ordered by block, then levels, the first column first */
    uint64_t *transitions;        /* owned; [from * state_count + to] */
    uint64_t value_count, segment_count, gap_count, irregular_count, transition_count;
    uint32_t season;     /* steps */
    double step_seconds; /* as in the series */
    uint32_t step_months;
    char *notes; /* owned; those of the series */
    enum cor_season season_from;
    uint64_t order_transition_count; /* what the orders are compared over */
    struct cor_fit_order orders[COR_FIT_ORDERS];
    double share_distance; /* between shares and stationary law: half the sum of differences */
    char *remarks;         /* owned; sentences, one a line: what the chain does not describe; may be empty */
};

/* The profile that is written to a file. */
static inline const struct cor_profile *cor_fit_written(const struct cor_fit *fit) {
    return fit->joined ? fit->joined : fit->profile;
}

/* Fits a profile. COR_STATUS_INPUT where the series or the definition does not allow it. */
enum cor_status cor_fit_create(const struct cor_series *series, const struct cor_fit_def *def,
                               struct cor_fit **fit, struct cor_error *error) COR_MUST_USE;

/* Frees it; NULL is allowed. */
void cor_fit_destroy(struct cor_fit *fit);
COR_DESTROYS(cor_fit, struct cor_fit)

/* The report for people. Freed with free(); NULL with `error` set when memory is out. */
char *cor_fit_text(const struct cor_fit *fit, struct cor_error *error);

/* The report as an object called `key` (docs/look-up/profiles.md, "fit"). */
void cor_fit_json(const struct cor_fit *fit, struct cor_json_writer *writer, const char *key);

/* The profile as the text of a profile file, with "source" and "fit": the same bytes for the same series,
 * definition and file name. Freed with free(); NULL with `error` set when memory is out. */
char *cor_fit_profile_text(const struct cor_fit *fit, struct cor_error *error);

#endif
