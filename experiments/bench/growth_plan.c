/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Over the plan: suites (tiny ones, so that what each adds to planning, journals, merging and tables is
 * seen), workers, and a million agents at once. Programs, as a user runs them. */
#include "growth.h"

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

static struct bench_scale tiny(void) {
    struct bench_scale scale = bench_scale_of(bench_random, 10);
    scale.groups = 2;
    scale.states = 3;
    scale.sequences = 1;
    scale.cases = 5;
    scale.pilot_cases = 0;
    scale.threshold = 0.3;
    return scale;
}

static void suites(struct bench_report *report, const struct bench_places *places) {
    struct bench_curve ran = {.name = "running tiny suites and merging them, one worker, CPU",
                              .size_name = "suites",
                              .cost_unit = "ms"};
    struct bench_curve told = {.name = "their tables, CPU", .size_name = "suites", .cost_unit = "ms"};
    struct bench_curve planner = {
        .name = "memory of the planning process", .size_name = "suites", .cost_unit = "kB"};
    char *experiment = bench_path(places, "suites.json"), *result = bench_path(places, "suites.h5");
    for (uint32_t suites = 1; suites <= 10000; suites *= 10) {
        struct bench_scale scale = tiny();
        scale.suites = suites;
        bench_scale_write(&scale, experiment);
        struct bench_run one = run(places, experiment, result, "1", true);
        bench_curve_add(&ran, suites, 1e3 * one.cpu);
        bench_curve_add(&planner, suites, 1e-3 * one.program_peak);
        bench_curve_add(&told, suites, 1e3 * tables(places, result).cpu);
    }
    bench_report_curve(report, &ran);
    bench_report_curve(report, &told);
    bench_report_curve(report, &planner);
    free(experiment);
    free(result);
}

static void workers(struct bench_report *report, const struct bench_places *places) {
    struct bench_curve curve = {.name = "CPU of 12 suites, PSOPP",
                                .size_name = "workers",
                                .cost_unit = "s",
                                .reason = "the same work: it should stay what it is"};
    char *experiment = bench_path(places, "workers.json"), *result = bench_path(places, "workers.h5");
    struct bench_scale scale = bench_usual(bench_psopp);
    scale.suites = 12;
    bench_scale_write(&scale, experiment);
    bench_curve_add(&curve, 1, run(places, experiment, result, "1", false).cpu);
    bench_curve_add(&curve, 2, run(places, experiment, result, "2", false).cpu);
    bench_report_curve(report, &curve);
    free(experiment);
    free(result);
}

/* A million agents, few cases, from the experiment to the tables. */
static void million(struct bench_report *report, const struct bench_places *places) {
    struct bench_scale scale = bench_scale_of(bench_random, 1000000);
    scale.cases = 20;
    scale.pilot_cases = 20;
    char *experiment = bench_path(places, "million.json"), *result = bench_path(places, "million.h5");
    bench_scale_write(&scale, experiment);
    struct bench_run ran = run(places, experiment, result, "1", true), told = tables(places, result);
    char note[128];
    snprintf(note, sizeof note, "CPU %.1f s; tables %.1f s", ran.cpu, told.wall);
    struct bench_row row = {
        .name = "10^6 agents, one sequence of 20 cases, and tables: wall",
        .unit = "s",
        .value = ran.wall + told.wall,
        .reference = NAN,
        .must = NAN,
        .aim = NAN,
        .better = BENCH_LESS,
        .note = note,
    };
    bench_report_row(report, &row);
    row.name = "the same: greatest resident memory of the worker";
    row.unit = "MB";
    row.value = 1e-6 * ran.worker_peak;
    row.note = NULL;
    bench_report_row(report, &row);
    free(experiment);
    free(result);
}

void bench_growth_plan(struct bench_report *report, const struct bench_places *places) {
    suites(report, places);
    workers(report, places);
    million(report, places);
}
