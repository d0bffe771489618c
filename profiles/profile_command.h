/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the commands of profiles share that read logs: options, files, and columns divided into states. */
#ifndef CORRIDOR_PROFILES_PROFILE_COMMAND_H
#define CORRIDOR_PROFILES_PROFILE_COMMAND_H

#include "commands.h"

#include <corridor/fit.h>

/* How a log is read, and its columns divided: a member of a command's request that is called `log`. */
struct cor_log_options {
    struct cor_series_def series;
    const char *separator, *every, *period;
    const char *const *states, *const *cuts; /* "4", or "speed=4"; "3,7", or "speed=3,7" */
    bool words;                              /* columns that have no states and cuts hold words */
    struct cor_levels_def levels, own[COR_SERIES_VALUES_MAX];
    double cut[COR_SERIES_VALUES_MAX + 1][COR_PROFILE_STATES_MAX]; /* of the columns; of all others */
    const char *word_columns[COR_SERIES_VALUES_MAX + 1];
};

extern const char *const cor_log_decimal_signs[], *const cor_log_thousands[], *const cor_log_date_orders[];

#define COR_LOG_OPTIONS                                                                               \
    {"states", 'k', "[NAME=]K", "divide (this column of several) into K levels by quantiles",         \
     COR_TEXTS(log.states)},                                                                          \
        {"cuts", 0, "[NAME=]A,B,..", "divide (this column of several) into levels at these values",   \
         COR_TEXTS(log.cuts)},                                                                        \
        {"words",                                                                                     \
         0,                                                                                           \
         NULL,                                                                                        \
         "take what stands in the other columns for words, each of them a state",                     \
         COR_FLAG(log.words),                                                                         \
         .otherwise = "where a column holds no number"},                                              \
        {"time-column", 't', "NAME",                                                                  \
         "take the times from this column; several times: date and time, or year, month, day, hour",  \
         COR_TEXTS(log.series.time_columns)},                                                         \
        {"time-format",                                                                               \
         0,                                                                                           \
         "FORMAT",                                                                                    \
         "read times as a count (epoch, epoch-ms, -us, -ns, excel, jd ..) or by strptime: %d.%m.%y",  \
         COR_TEXT(log.series.time_format),                                                            \
         .needs = "time-column",                                                                      \
         .otherwise = "what the times show"},                                                         \
        {"period",                                                                                    \
         0,                                                                                           \
         "TIME",                                                                                      \
         "take the number behind a date for a period of the day that is so long, such as 30min",      \
         COR_TEXT(log.period),                                                                        \
         .needs = "time-column",                                                                      \
         .otherwise = "an hour"},                                                                     \
        {"wide",                                                                                      \
         0,                                                                                           \
         NULL,                                                                                        \
         "take a row for a day: columns named by its times, hours or periods hold the values",        \
         COR_FLAG(log.series.is_wide),                                                                \
         .needs = "time-column"},                                                                     \
        {"differences", 0, NULL,                                                                      \
         "take values for readings of a counter: what it counted since the row before",               \
         COR_FLAG(log.series.differences)},                                                           \
        {"skip-flagged", 0, NULL, "take numbers with a flag, such as 8.7*, as missing",               \
         COR_FLAG(log.series.skips_flagged)},                                                         \
        {"every",                                                                                     \
         0,                                                                                           \
         "TIME",                                                                                      \
         "take rows for changes and a value to hold until the next one, in steps such as 10min",      \
         COR_TEXT(log.every),                                                                         \
         .needs = "time-column",                                                                      \
         .otherwise = "a row is a step"},                                                             \
        {"series", 0, "NAME", "take each value of this column as a series of its own",                \
         COR_TEXT(log.series.series_column)},                                                         \
        {"where",                                                                                     \
         0,                                                                                           \
         "NAME=VALUE",                                                                                \
         "take only rows whose column says so; several times: all of them",                           \
         COR_TEXTS(log.series.where),                                                                 \
         .otherwise = "all rows"},                                                                    \
        {"missing",                                                                                   \
         0,                                                                                           \
         "VALUE",                                                                                     \
         "take this value as missing, as an empty cell; several times: each",                         \
         COR_TEXTS(log.series.missing),                                                               \
         .otherwise = "NaN, NA, null, none, - and the like"},                                         \
        {"header",                                                                                    \
         0,                                                                                           \
         "LINE",                                                                                      \
         "find the names of the columns in this line",                                                \
         COR_INTEGER(log.series.header, 1, INT32_MAX, 0),                                             \
         .otherwise = "the first that has the column"},                                               \
        {"skip",                                                                                      \
         0,                                                                                           \
         "N",                                                                                         \
         "leave out so many lines behind the names of the columns",                                   \
         COR_INTEGER(log.series.skip, 1, INT32_MAX, 0),                                               \
         .otherwise = "a row of units"},                                                              \
        {"comment", 0, "TEXT", "leave out lines that begin with this", COR_TEXT(log.series.comment)}, \
        {"separator",                                                                                 \
         0,                                                                                           \
         "WORD",                                                                                      \
         "separate fields by comma, semicolon, tab, bar, blank or this character",                    \
         COR_TEXT(log.separator),                                                                     \
         .otherwise = "what parts the names of the columns"},                                         \
        {"decimal",                                                                                   \
         0,                                                                                           \
         "WORD",                                                                                      \
         "read numbers with this decimal sign",                                                       \
         COR_NAME(log.series.decimal, cor_log_decimal_signs, 1, 0),                                   \
         .otherwise = "what the numbers show"},                                                       \
        {"thousands",                                                                                 \
         0,                                                                                           \
         "WORD",                                                                                      \
         "read numbers with this sign between thousands",                                             \
         COR_NAME(log.series.thousands, cor_log_thousands, 1, 0),                                     \
         .otherwise = "what the numbers show"},                                                       \
        {"dates",                                                                                     \
         0,                                                                                           \
         "WORD",                                                                                      \
         "read dates such as 1/2/2010 with this first",                                               \
         COR_NAME(log.series.dates, cor_log_date_orders, 1, 0),                                       \
         .otherwise = "what the dates show"},                                                         \
        {"encoding",                                                                                  \
         0,                                                                                           \
         "NAME",                                                                                      \
         "read a file in this encoding, such as latin1",                                              \
         COR_TEXT(log.series.encoding),                                                               \
         .otherwise = "UTF-8"},                                                                       \
    {                                                                                                 \
        "split-gaps", 0, NULL, "end a segment at gaps instead of refusing them",                      \
            COR_FLAG(log.series.split_gaps)                                                           \
    }

/* Understands the options for these columns, ended by NULL, which are borrowed by `log` as what it is given.
 * False after saying what is wrong. */
bool cor_log_prepare(const struct cor_command *command, const char *const *columns,
                     struct cor_log_options *log);

/* Reads files one after the other, segments of their own. */
enum cor_status cor_log_read(char *const *paths, int count, const struct cor_log_options *log,
                             struct cor_series **series, struct cor_error *error) COR_MUST_USE;

/* The command as typed, for the record: the same words give the same file. NULL: no memory. */
char *cor_command_text(const struct cor_arguments *arguments);

/* What else a fit takes from its command. */
struct cor_fitting_options {
    struct cor_fit_def fit;
    const char *prior, *output;
    bool force, json;
};

#define COR_FITTING_OPTIONS                                                                       \
    {"prior", 0, "PROFILE", "add what this profile file says, or \"" COR_PRIOR_UNIFORM "\"",      \
     COR_TEXT(fitting.prior)},                                                                    \
        {"weight",                                                                                \
         0,                                                                                       \
         "W",                                                                                     \
         "let the prior weigh as W transitions out of each state",                                \
         COR_REAL(fitting.fit.weight, 1e-9, COR_FIT_WEIGHT_MAX, 1),                               \
         .needs = "prior"},                                                                       \
        {"season",                                                                                \
         0,                                                                                       \
         "N",                                                                                     \
         "set the lag of the second autocorrelation, in steps",                                   \
         COR_INTEGER(fitting.fit.season, 1, COR_FIT_SEASON_MAX, 0),                               \
         .otherwise = "a day by the time column, else 24"},                                       \
        {"output",                                                                                \
         'o',                                                                                     \
         "FILE",                                                                                  \
         "write this profile file; - is standard output",                                         \
         COR_TEXT(fitting.output),                                                                \
         .otherwise = "only the report"},                                                         \
        {"force", 'f', NULL, "replace the profile file if it exists", COR_FLAG(fitting.force)}, { \
        "json", 0, NULL, "print the report as JSON", COR_FLAG(fitting.json)                       \
    }

/* Fits a series, writes what is asked for and prints the report; takes the series over. */
enum cor_status cor_fit_and_write_take(struct cor_series *series, const struct cor_arguments *arguments,
                                       struct cor_fitting_options *options,
                                       struct cor_error *error) COR_MUST_USE;

#endif
