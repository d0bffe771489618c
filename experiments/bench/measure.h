/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How things are measured: processor time of this process, medians of interleaved repeats; each measurement
 * in a child process, so that none inherits the memory, caches and fragments of another; and programs run as
 * a user runs them. */
#ifndef COR_BENCH_MEASURE_H
#define COR_BENCH_MEASURE_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>

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

/* A clock, in seconds: user time of this process; user and system time, where the kernel's part belongs to
 * the price; the time that passes. */
typedef double bench_clock(void);
bench_clock bench_user_seconds, bench_cpu_seconds, bench_wall_seconds;

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

#endif
