/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program as a user runs it: the campaign of the paper from the first suite to the tables, its memory,
 * two workers against one, and how long one waits for one suite. */
#include "measure.h"
#include "rows.h"

#include <corridor/array.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static struct bench_run run(const struct bench_places *places, const char *experiment, const char *result,
                            const char *jobs, bool watch) {
    const char *const arguments[] = {places->corridor, "run", experiment,   "-o",   result, "--force",
                                     "--jobs",         jobs,  "--progress", "none", NULL};
    return bench_program(arguments, watch);
}

static struct bench_run tables(const struct bench_places *places, const char *result) {
    const char *const arguments[] = {places->corridor, "tables", result, NULL};
    return bench_program(arguments, false);
}

/* ----------------------------------------------------------------------------- the whole paper */

static void rows_memory(struct bench_report *report, const struct bench_run *ran) {
    struct bench_row row = {
        .name = "greatest resident memory of a worker, the campaign",
        .unit = "MB",
        .value = 1e-6 * ran->worker_peak,
        .reference = NAN,
        .must = 32,
        .aim = 16,
        .better = BENCH_LESS,
    };
    bench_report_row(report, &row);
    row.name = "the same of the planning process";
    row.value = 1e-6 * ran->program_peak;
    row.must = 64;
    row.aim = NAN;
    bench_report_row(report, &row);
}

static void row_coverage(struct bench_report *report, const struct bench_places *places) {
    double times[5];
    for (size_t i = 0; i < 5; i++)
        times[i] = tables(places, places->campaign).user;
    bench_report_row(report,
                     &(struct bench_row){
                         .name = "coverage of all cases of the campaign, from the walks",
                         .unit = "s",
                         .value = bench_median(times, 5),
                         .reference = NAN,
                         .must = 2,
                         .aim = 0.5,
                         .better = BENCH_LESS,
                         .note = "CPU of all of corridor tables: opening, reading and all other tables too",
                     });
}

void bench_campaign(struct bench_report *report, const struct bench_places *places) {
    char *experiment = cor_format("%s/experiments/paper.json", places->source), note[128];
    if (!experiment)
        bench_fail("cannot name the experiment");
    struct bench_run ran = run(places, experiment, places->campaign, "2", true);
    struct bench_run told = tables(places, places->campaign);
    snprintf(note, sizeof note, "CPU %.0f s; of the wall %.1f s are tables", ran.cpu + told.cpu, told.wall);
    bench_report_row(report, &(struct bench_row){
                                 .name = "campaign of the paper, merged, with tables: 2 workers, wall",
                                 .unit = "s",
                                 .value = ran.wall + told.wall,
                                 .reference = NAN,
                                 .must = 180,
                                 .aim = 60,
                                 .better = BENCH_LESS,
                                 .note = note,
                             });
    row_coverage(report, places);
    rows_memory(report, &ran);
    free(experiment);
}

/* ------------------------------------------------------------------------------------- workers */

enum { WORKER_REPEATS = 5, COLD_REPEATS = 9 };

static void row_workers(struct bench_report *report, const struct bench_places *places) {
    struct bench_scale scale = bench_usual(bench_psopp);
    double one[WORKER_REPEATS], two[WORKER_REPEATS], ratio[WORKER_REPEATS];
    char *experiment = bench_path(places, "workers.json"), *result = bench_path(places, "workers.h5");
    scale.suites = 24;
    bench_scale_write(&scale, experiment);
    for (size_t i = 0; i < WORKER_REPEATS; i++) {
        two[i] = run(places, experiment, result, "2", false).wall;
        one[i] = run(places, experiment, result, "1", false).wall;
        ratio[i] = one[i] / two[i];
    }
    char note[128];
    snprintf(note, sizeof note, "24 suites: %.2f s with one worker, %.2f s with two, merging included",
             bench_median(one, WORKER_REPEATS), bench_median(two, WORKER_REPEATS));
    bench_report_row(report, &(struct bench_row){
                                 .name = "two workers over one, wall",
                                 .unit = "x",
                                 .value = bench_median(ratio, WORKER_REPEATS),
                                 .reference = NAN,
                                 .must = 1.85,
                                 .aim = NAN,
                                 .better = BENCH_MORE,
                                 .note = note,
                             });
    free(experiment);
    free(result);
}

/* Law, constraints and profiles of the demonstration, and an algorithm that takes no time. */
static void row_cold(struct bench_report *report, const struct bench_places *places) {
    double walls[COLD_REPEATS], cpus[COLD_REPEATS], read[COLD_REPEATS];
    char *experiment = cor_format("%s/experiments/bench/cold.json", places->source), note[128];
    char *result = bench_path(places, "cold.h5");
    if (!experiment)
        bench_fail("cannot name the experiment");
    for (size_t i = 0; i < COLD_REPEATS; i++) {
        struct bench_run ran = run(places, experiment, result, "1", false), told = tables(places, result);
        walls[i] = ran.wall + told.wall;
        cpus[i] = ran.cpu + told.cpu;
        read[i] = told.wall;
    }
    snprintf(note, sizeof note, "CPU %.0f ms; %.0f ms are tables", 1e3 * bench_median(cpus, COLD_REPEATS),
             1e3 * bench_median(read, COLD_REPEATS));
    bench_report_row(report, &(struct bench_row){
                                 .name = "cold start: one suite of ten sequences, and tables: wall",
                                 .unit = "ms",
                                 .value = 1e3 * bench_median(walls, COLD_REPEATS),
                                 .reference = NAN,
                                 .must = 80,
                                 .aim = 40,
                                 .better = BENCH_LESS,
                                 .note = note,
                             });
    free(experiment);
    free(result);
}

void bench_commands(struct bench_report *report, const struct bench_places *places) {
    row_workers(report, places);
    row_cold(report, places);
}
