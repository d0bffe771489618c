/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One column of measurements from a CSV file, in the order of the file: what profiles are fitted to (fit.h).
 * The file has a header row; fields are separated by commas and may be quoted ("a, b", "say ""so"""); lines
 * end with LF or CRLF. Every complaint names file:line:column (bytes, from 1), what is wrong and what would
 * be right. */
#ifndef CORRIDOR_SERIES_H
#define CORRIDOR_SERIES_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COR_SERIES_BYTES_MAX (256u << 20) /* a larger file is refused */
#define COR_SERIES_COLUMNS_MAX 1000

/* What to read. */
struct cor_series_def {
    const char *column; /* of the values */
    const char
        *time_column; /* NULL: none. A time of day "01:00", "7:05:30", a date "2010-01-31" or "1/31/2010", or
                         both, with a zone or without: "2010-01-01 00:00:00+01:00". 24:00 is hour 0 of the
                         next day; the hour is taken as written, zones are not converted */
    bool split_gaps;  /* an empty cell, "NA" or "NaN" ends a segment; else it is an error */
};

struct cor_series {
    char *file;         /* owned; as given */
    char *column;       /* owned */
    double *values;     /* owned; finite */
    uint8_t *hours;     /* owned; 0 .. 23 of each value; NULL: no time column, or one of dates only */
    size_t *starts;     /* owned; segment s is values[starts[s] .. starts[s + 1]); no segment is empty */
    size_t value_count; /* at least 1 */
    size_t segment_count;
    size_t gap_count;       /* cells left out */
    size_t irregular_count; /* steps within segments of other than the usual length; 0 without hours */
    uint32_t step_minutes;  /* the usual one, a day at most (lengths are told modulo a day); 0: not known */
};

/* Reads the series from a file. COR_STATUS_FILE if it cannot be read, COR_STATUS_INPUT for what it says. */
enum cor_status cor_series_read(const char *path, const struct cor_series_def *def,
                                struct cor_series **series, struct cor_error *error) COR_MUST_USE;

/* Reads the series from text; `name` stands for the file in messages. */
enum cor_status cor_series_parse(const char *text, size_t length, const char *name,
                                 const struct cor_series_def *def, struct cor_series **series,
                                 struct cor_error *error) COR_MUST_USE;

/* Frees it; NULL is allowed. */
void cor_series_destroy(struct cor_series *series);

#endif
