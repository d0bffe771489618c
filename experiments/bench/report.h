/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the benchmark says: rows with their limits and curves of how cost grows, both as data (rows.c is the
 * table). Printed as they come, as the Markdown tables of docs/benchmarks.md; kept for the JSON file.
 */
#ifndef COR_BENCH_REPORT_H
#define COR_BENCH_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bench_places;

/* What was measured for one row. */
struct bench_figure {
    double value;
    double reference; /* the yardstick in the same run, in the same unit; NaN if there is none */
    char note[192];   /* what else to know of the value; may be empty */
};

enum { BENCH_FIGURES = 4 }; /* of one measurement */

/* Measures the figures of one or more rows. Runs in a process of its own. */
typedef void bench_measurement(const struct bench_places *places, struct bench_figure *figures);

enum bench_better { BENCH_LESS, BENCH_MORE };
enum bench_limits { BENCH_ON_VALUE, BENCH_ON_RATIO }; /* ratio: value / reference */

/* A row. A limit of NaN is none. Rows one after the other with the same `measure` are its figures. */
struct bench_row {
    const char *name, *unit;
    enum bench_better better;
    enum bench_limits limits;
    double must, aim;
    const char *yardstick; /* NULL: none */
    bench_measurement *measure;
};

enum { BENCH_POINTS = 12, BENCH_CURVES = 4 };

/* What a thing costs at different sizes. */
struct bench_curve {
    const char *name, *unit; /* of the thing, "a case, algorithm random"; of its cost, "us a case" */
    const char *reason;      /* why it may be worse than linear, or what else to know; NULL if nothing */
};

/* Curves that are measured together. */
struct bench_sweep {
    const char *over;             /* "agents" */
    uint32_t sizes[BENCH_POINTS]; /* those behind the last are 0 */
    void (*measure)(const struct bench_places *places, uint32_t size, double *cost); /* NaN: no such point */
    struct bench_curve curves[BENCH_CURVES];
};

/* A part of the benchmark. Its arrays end with a row or a sweep without a name. */
struct bench_part {
    const char *name, *what;
    const struct bench_row *rows;
    const struct bench_sweep *sweeps; /* NULL: none */
    bool slow;                        /* left out by --quick */
};

extern const struct bench_part bench_parts[]; /* ends with one without a name */

struct bench_report;

/* A report that prints to standard output what comes in; begins with the machine. */
struct bench_report *bench_report_create(void);
void bench_report_destroy(struct bench_report *report);

/* Measure all rows, and all curves, of parts (a NULL behind the last). */
void bench_report_rows(struct bench_report *report, const struct bench_part *const *parts,
                       const struct bench_places *places);
void bench_report_curves(struct bench_report *report, const struct bench_part *const *parts,
                         const struct bench_places *places);

/* Prints how many rows keep what. */
void bench_report_end(const struct bench_report *report);

/* Writes the JSON file: what was measured, and on what. */
void bench_report_write(const struct bench_report *report, const char *path);

/* "aim", "must" or "no"; "not measured"; "-" for a row without limits. */
const char *bench_holds(const struct bench_row *row, const struct bench_figure *figure);

#endif
