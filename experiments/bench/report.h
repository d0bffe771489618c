/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was measured: rows with their limits, and curves of how cost grows. Printed as they come; kept for the
 * JSON file, from which the tables of docs/benchmarks.md are made. */
#ifndef COR_BENCH_REPORT_H
#define COR_BENCH_REPORT_H

#include <stdbool.h>
#include <stddef.h>

/* Which way the limits of a row point. */
enum bench_better { BENCH_LESS, BENCH_MORE };

/* A row. NaN = there is none. The ratio is value / reference. */
struct bench_row {
    const char *name, *unit;
    double value;
    double reference; /* the yardstick in the same run, in the same unit */
    const char *yardstick;
    double must, aim; /* limits, on the value or */
    bool on_ratio;    /* on the ratio; a ratio without a reference is not measured */
    enum bench_better better;
    const char *note; /* what else to know of the value; NULL if nothing */
};

#define BENCH_POINTS 32

/* What a thing costs at different sizes. The exponent is the slope of log cost over log size, upper half. */
struct bench_curve {
    const char *name;      /* of the thing, "a case, algorithm random" */
    const char *size_name; /* "agents" */
    const char *cost_unit; /* unit of cost, "us a case" */
    size_t count;
    double size[BENCH_POINTS], cost[BENCH_POINTS];
    const char *reason; /* why it may be worse than linear, or what else to know; NULL if nothing */
};

/* A cost that grows faster than size to this power is marked. */
#define BENCH_LINEAR 1.15

struct bench_report;

/* A report that prints to standard output as rows come in. */
struct bench_report *bench_report_create(void);
void bench_report_destroy(struct bench_report *report);

/* Prints a heading before the first row or curve of a theme. */
void bench_report_heading(struct bench_report *report, const char *text);

/* Takes a row over and prints it. The texts are copied. */
void bench_report_row(struct bench_report *report, const struct bench_row *row);

/* The same for a curve; points are added while it is measured. */
void bench_curve_add(struct bench_curve *curve, double size, double cost);
void bench_report_curve(struct bench_report *report, const struct bench_curve *curve);

/* Prints how many rows keep what. */
void bench_report_end(const struct bench_report *report);

/* Writes the JSON file: what was measured, and on what. */
void bench_report_write(const struct bench_report *report, const char *path);

/* Prints the tables of a JSON file in Markdown. */
void bench_report_markdown(const char *path);

#endif
