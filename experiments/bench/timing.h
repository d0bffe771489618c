/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How things are measured: processor time of this process, medians of interleaved repeats; each measurement
 * in a child process, so that none inherits the memory, caches and fragments of another; and programs run as
 * a user runs them. */
#ifndef CORRIDOR_EXPERIMENTS_BENCH_TIMING_H
#define CORRIDOR_EXPERIMENTS_BENCH_TIMING_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ends the benchmark on an error of the testbed. */
void bench_must(enum cor_status status, const struct cor_error *error);

/* Ends the benchmark with a message and the text of errno. */
_Noreturn void bench_fail(const char *what);

/* What was allocated; ends the benchmark on NULL. */
void *bench_kept(void *memory);

/* Does some work and says how much of it, in the unit of the row. */
typedef double bench_work(void *context);

struct bench_times {
    double seconds;   /* for a unit of work, median of the repeats */
    double reference; /* of the yardstick; NaN if there is none */
};

/* A clock, in seconds: user time of this process; cor_cpu_seconds, where the kernel's part belongs to the
 * price. */
typedef double bench_clock(void);
bench_clock bench_user_seconds;

/* How thoroughly: repeats, each of at least `slice` seconds by `clock`. */
struct bench_care {
    int repeats;
    double slice;
    bench_clock *clock;
};
extern const struct bench_care bench_careful; /* for rows */
extern const struct bench_care bench_brief;   /* for points of curves */

/* Repeats `one` and, interleaved with it, `other` (may be NULL). */
struct bench_times bench_measure(bench_work *one, bench_work *other, void *context, struct bench_care care);

/* The median; sorts `values`, at least one. */
double bench_median(double *values, size_t count);

/* Slope of log y over log x by least squares; of the upper half of the points (at least two). NaN with fewer
 * than two. */
double bench_slope(const double *x, const double *y, size_t count);

/* Runs `body` in a child process, which leaves its answer of `size` bytes. An error in it ends the benchmark.
 * Returns the greatest resident set of the child in bytes, less what it had at its beginning. */
double bench_in_child(void (*body)(const void *context, void *answer), const void *context, void *answer,
                      size_t size);

/* A program that was run, children of its own included. */
struct bench_run {
    double wall, user, cpu; /* seconds; cpu = user and system */
    double program_peak;    /* bytes: greatest resident set of the program itself, */
    double worker_peak;     /* and of any worker, if it was watched */
};

/* Runs a program without its output. It must succeed. `watch`: looks at the memory of it and its workers
 * while they run. */
struct bench_run bench_program(const char *const *arguments, bool watch);

/* What the benchmark says: rows with their limits and curves of how cost grows, both as data (bench.c has the
 * table). Printed as they come, as the Markdown tables of docs/evidence/benchmarks.md; kept for the JSON
 * file.
 */

/* Where things are. */
struct bench_places {
    const char *source;   /* the source directory */
    const char *corridor; /* the program */
    char *folder;         /* owned; for what is made on the way, removed at the end */
};

/* What was measured for one row. */
struct bench_figure {
    double value;
    double reference; /* the yardstick in the same run, in the same unit; NaN if there is none */
    char note[192];   /* what else to know of the value; may be empty */
};

enum { BENCH_FIGURES = 15 }; /* of one measurement */

/* Measures the figures of one or more rows. Runs in a process of its own. */
typedef void bench_measurement(const struct bench_places *places, struct bench_figure *figures);

/* planning.c: planners beside what paper 004 prints, and where that has nothing. Here, since rooms of
 * planning and of running use some names for different things. */
bench_measurement bench_decisions, bench_rings, bench_searches, bench_expansions, bench_vast_counter,
    bench_vast_billing, bench_vast_hard;

/* corridors.c, too: all that is proved of a text, and reasons in a large state */
bench_measurement bench_proofs;

/* corridors.c, for the same reason: structures judged by a corridor as a text */
bench_measurement bench_corridors;

/* processes.c, processes.c: distributed programs under test */
bench_measurement bench_processes, bench_storm, bench_shrinking_schedules;

/* stabilize.c: a program of rules, gone through and drawn; an algorithm from any structure */
bench_measurement bench_stabilize, bench_structures;

/* histories.c: calls of clients, judged as they come */
bench_measurement bench_histories;

/* corridors.c, likewise: a corridor beside a run that is only observed */
bench_measurement bench_observed;

/* test_agents.c, too: what a test agent believes, cycle by cycle */
bench_measurement bench_test_agents, bench_world_by_pipe, bench_goals;

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

/* Measured always, not by --quick, only where it is asked for. */
enum bench_when { BENCH_ALWAYS, BENCH_UNLESS_QUICK, BENCH_ASKED };

/* A part of the benchmark. Its arrays end with a row or a sweep without a name. */
struct bench_part {
    const char *name, *what;
    const struct bench_row *rows;
    const struct bench_sweep *sweeps; /* NULL: none */
    enum bench_when when;
};

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
