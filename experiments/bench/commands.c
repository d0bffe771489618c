/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program as a user runs it: the campaign of the paper from the first suite to the tables, its memory,
 * two workers against one, how long one waits for one suite, what a decision costs, and how cost grows over
 * the plan. */
#include "setting.h"

#include <corridor/array.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TABLES = 5, WORKER_REPEATS = 5, COLD_REPEATS = 9, DECISION_SEQUENCES = 9604, DECISION_TASKS = 500 };

/* An experiment, and where its result goes. */
struct command {
    const char *program;
    char *experiment, *result; /* owned */
};

static struct command command_on(const struct bench_places *places, char *experiment, const char *result) {
    return (struct command){places->corridor, bench_kept(experiment), bench_path(places, result)};
}

/* On an experiment of that scale. */
static struct command command_at(const struct bench_places *places, const struct bench_scale *scale) {
    struct command command = command_on(places, bench_path(places, "command.json"), "command.h5");
    bench_scale_write(scale, command.experiment);
    return command;
}

static void end(struct command *command) {
    free(command->experiment);
    free(command->result);
}

static struct bench_run run(const struct command *command, const char *jobs, bool watch) {
    const char *const arguments[] = {command->program,
                                     "run",
                                     command->experiment,
                                     "-o",
                                     command->result,
                                     "--force",
                                     "--jobs",
                                     jobs,
                                     "--progress",
                                     "none",
                                     NULL};
    return bench_program(arguments, watch);
}

static struct bench_run tables(const struct command *command) {
    const char *const arguments[] = {command->program, "show", command->result, "tables", NULL};
    return bench_program(arguments, false);
}

void bench_campaign(const struct bench_places *places, struct bench_figure *figures) {
    struct command command =
        command_on(places, cor_format("%s/experiments/library/paper.json", places->source), "campaign.h5");
    struct bench_run ran = run(&command, "2", true), told = tables(&command);
    double times[TABLES];
    for (size_t i = 0; i < TABLES; i++)
        times[i] = tables(&command).user;
    figures[0].value = ran.wall + told.wall;
    snprintf(figures[0].note, sizeof figures[0].note, "CPU %.0f s; of the wall %.1f s are tables",
             ran.cpu + told.cpu, told.wall);
    figures[1].value = bench_median(times, TABLES);
    snprintf(figures[1].note, sizeof figures[1].note,
             "CPU of all of corridor show FILE tables: opening, reading and all other tables too");
    figures[2].value = 1e-6 * ran.worker_peak;
    figures[3].value = 1e-6 * ran.program_peak;
    end(&command);
}

void bench_two_workers(const struct bench_places *places, struct bench_figure *figures) {
    struct bench_scale scale = bench_usual(bench_psopp);
    double one[WORKER_REPEATS], two[WORKER_REPEATS], ratio[WORKER_REPEATS], cpu[WORKER_REPEATS];
    scale.suites = 24;
    struct command command = command_at(places, &scale);
    for (size_t i = 0; i < WORKER_REPEATS; i++) {
        struct bench_run both = run(&command, "2", false);
        two[i] = both.wall;
        cpu[i] = both.cpu;
        one[i] = run(&command, "1", false).wall;
        ratio[i] = one[i] / two[i];
    }
    figures[0].value = bench_median(ratio, WORKER_REPEATS);
    snprintf(figures[0].note, sizeof figures[0].note,
             "24 suites: %.2f s with one worker, %.2f s with two (CPU %.2f s), merging included",
             bench_median(one, WORKER_REPEATS), bench_median(two, WORKER_REPEATS),
             bench_median(cpu, WORKER_REPEATS));
    end(&command);
}

/* Law, constraints and profiles of the demonstration, and an algorithm that takes no time. */
void bench_cold_start(const struct bench_places *places, struct bench_figure *figures) {
    double walls[COLD_REPEATS], cpus[COLD_REPEATS], read[COLD_REPEATS];
    struct command command =
        command_on(places, cor_format("%s/experiments/bench/cold.json", places->source), "cold.h5");
    for (size_t i = 0; i < COLD_REPEATS; i++) {
        struct bench_run ran = run(&command, "1", false), told = tables(&command);
        walls[i] = ran.wall + told.wall;
        cpus[i] = ran.cpu + told.cpu;
        read[i] = told.wall;
    }
    figures[0].value = 1e3 * bench_median(walls, COLD_REPEATS);
    snprintf(figures[0].note, sizeof figures[0].note, "CPU %.0f ms; %.0f ms are tables",
             1e3 * bench_median(cpus, COLD_REPEATS), 1e3 * bench_median(read, COLD_REPEATS));
    end(&command);
}

/* How many suites the times beside a result are of: a line each, behind a heading. */
static uint32_t count_suites(const char *result) {
    char *path = bench_kept(cor_format("%s.times.csv", result));
    FILE *file = bench_kept(fopen(path, "re"));
    uint32_t lines = 0;
    for (int c = getc(file); c != EOF; c = getc(file))
        lines += c == '\n';
    fclose(file);
    free(path);
    return lines - 1;
}

/* A decision that takes fewer sequences, and of the same suites the reorganizations alone, both scaled. */
void bench_decision(const struct bench_places *places, struct bench_figure *figures) {
    struct command command =
        command_on(places, cor_format("%s/experiments/bench/decision.json", places->source), "decision.h5");
    const char *const arguments[] = {command.program,
                                     "decide",
                                     command.experiment,
                                     "P [ always (alarm implies eventually[0, 3] inside) ]",
                                     "--width",
                                     "0.05",
                                     "-o",
                                     command.result,
                                     "--force",
                                     "--jobs",
                                     "1",
                                     NULL};
    const double cpu = bench_program(arguments, false).cpu;
    const uint32_t suites = count_suites(command.result);
    struct cor_experiment *experiment =
        bench_experiment_read(places->source, "experiments/bench/decision.json");
    double alone = 0, reorganizations = 0;
    for (uint32_t s = 0; s < suites; s++) {
        struct bench_tasks tasks;
        bench_tasks_open(&tasks, experiment, 0, s, DECISION_TASKS, false);
        const double before = bench_user_seconds();
        reorganizations += bench_tasks_run(&tasks);
        alone += bench_user_seconds() - before;
        bench_tasks_close(&tasks);
    }
    const double scale = DECISION_SEQUENCES / (double)suites / 2;
    figures[0].value = cpu * scale;
    figures[0].reference = alone * scale;
    snprintf(figures[0].note, sizeof figures[0].note,
             "by %u sequences with %.0f reorganizations: CPU %.2f s, of which PSOPP has %.2f s", suites,
             reorganizations, cpu, alone);
    cor_experiment_destroy(experiment);
    end(&command);
}

/* A million agents, few cases, from the experiment to the tables. */
void bench_million(const struct bench_places *places, struct bench_figure *figures) {
    struct bench_scale scale = bench_scale_of(bench_random, 1000000);
    scale.cases = 20;
    scale.pilot_cases = 20;
    struct command command = command_at(places, &scale);
    struct bench_run ran = run(&command, "1", true), told = tables(&command);
    figures[0].value = ran.wall + told.wall;
    snprintf(figures[0].note, sizeof figures[0].note, "CPU %.1f s; tables %.1f s", ran.cpu, told.wall);
    figures[1].value = 1e-6 * ran.worker_peak;
    end(&command);
}

/* Tiny suites, so that what each adds to planning, journals, merging and tables is seen. */
void bench_suites(const struct bench_places *places, uint32_t suites, double *cost) {
    struct bench_scale scale = bench_scale_of(bench_random, 10);
    scale.groups = 2;
    scale.states = 3;
    scale.suites = suites;
    scale.cases = 5;
    scale.pilot_cases = 0;
    scale.threshold = 0.3;
    struct command command = command_at(places, &scale);
    struct bench_run ran = run(&command, "1", true);
    cost[0] = 1e3 * ran.cpu;
    cost[1] = 1e3 * tables(&command).cpu;
    cost[2] = 1e-3 * ran.program_peak;
    end(&command);
}

void bench_workers(const struct bench_places *places, uint32_t workers, double *cost) {
    struct bench_scale scale = bench_usual(bench_psopp);
    char jobs[16];
    scale.suites = 12;
    snprintf(jobs, sizeof jobs, "%u", workers);
    struct command command = command_at(places, &scale);
    cost[0] = run(&command, jobs, false).cpu;
    end(&command);
}
