/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What report.c collects and report_json.c writes. */
#ifndef COR_BENCH_REPORT_DATA_H
#define COR_BENCH_REPORT_DATA_H

#include "report.h"

#define BENCH_ROWS 64
#define BENCH_CURVES 64

struct bench_report {
    struct bench_row row[BENCH_ROWS];
    char *note[BENCH_ROWS]; /* owned; row[i].note */
    size_t row_count;
    struct bench_curve curve[BENCH_CURVES];
    size_t curve_count;
    bool colour; /* standard output is a terminal */
};

/* "aim", "must" or "no"; "not measured"; "-" for a row without limits. */
const char *cor__bench_holds(const struct bench_row *row);

/* The power of its size with which the cost of a curve grows. */
double cor__bench_exponent(const struct bench_curve *curve);

/* A figure for people, three digits; "-" for NaN. */
void cor__bench_number(double value, const char *suffix, char *text, size_t size);

#endif
