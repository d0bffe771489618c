/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program as a user runs it: the campaign of the paper from the first suite to the tables, its memory,
 * two workers against one, how long one waits for one suite, what a decision costs, and how cost grows over
 * the plan. */
#include "setting.h"

#include <corridor/array.h>
#include <corridor/child.h>
#include <corridor/result.h>
#include <corridor/unit_cases.h>

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    COR_FREE(command->experiment, command->result);
}

static struct bench_run run_timed(const struct command *command, const char *jobs, bool watch) {
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
    struct bench_run ran = run_timed(&command, "2", true), told = tables(&command);
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
        struct bench_run both = run_timed(&command, "2", false);
        two[i] = both.wall;
        cpu[i] = both.cpu;
        one[i] = run_timed(&command, "1", false).wall;
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
        struct bench_run ran = run_timed(&command, "1", false), told = tables(&command);
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
    struct bench_run ran = run_timed(&command, "1", true), told = tables(&command);
    figures[0].value = ran.wall + told.wall;
    snprintf(figures[0].note, sizeof figures[0].note, "CPU %.1f s; tables %.1f s", ran.cpu, told.wall);
    figures[1].value = 1e-6 * ran.worker_peak;
    end(&command);
}

static struct bench_scale tiny(uint32_t suites) {
    struct bench_scale scale = bench_scale_of(bench_random, 10);
    scale.groups = 2;
    scale.states = 3;
    scale.suites = suites;
    scale.cases = 5;
    scale.pilot_cases = 0;
    scale.threshold = 0.3;
    return scale;
}

/* Tiny suites, so that what each adds to planning, journals, merging and tables is seen. */
void bench_suites(const struct bench_places *places, uint32_t suites, double *cost) {
    const struct bench_scale scale = tiny(suites);
    struct command command = command_at(places, &scale);
    struct bench_run ran = run_timed(&command, "1", true);
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
    cost[0] = run_timed(&command, jobs, false).cpu;
    end(&command);
}

/* ---- A campaign of very many, very small suites, so that what journals, resuming, merging and the seal cost
 * is seen: the program as a user runs it, in a campaign's folder */

enum { MANY = 100000, OPENINGS = 5, KEPT_SUITES = 512, JOURNAL_SUITES = 20 * KEPT_SUITES };

static struct bench_run corridor(const struct bench_places *places, const char *verb, const char *one,
                                 const char *two, const char *three, const char *four) {
    const char *const arguments[] = {places->corridor, verb, one, two, three, four, NULL};
    return bench_program(arguments, false);
}

/* Bytes of all files that a pattern names. */
static double bytes_of(const char *pattern) {
    glob_t found;
    double bytes = 0;
    if (glob(pattern, 0, NULL, &found) != 0)
        bench_fail(pattern);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct stat file;
        if (stat(found.gl_pathv[i], &file) != 0)
            bench_fail(found.gl_pathv[i]);
        bytes += (double)file.st_size;
    }
    globfree(&found);
    return bytes;
}

struct opened {
    double rows, seconds; /* in all tables; to open it, which looks at the seal */
};

/* In a child, as always where HDF5 is. */
static void open_result(const void *path, void *answer) {
    struct cor_error error = COR_NO_ERROR;
    struct opened *opened = answer;
    double times[OPENINGS];
    for (size_t i = 0; i < OPENINGS; i++) {
        struct cor_result *result;
        double begun = cor_wall_seconds();
        bench_must(cor_result_open(path, &result, &error), &error);
        times[i] = cor_wall_seconds() - begun;
        opened->rows = 0;
        for (uint32_t t = 0; t < cor_interaction_schema.table_count; t++)
            opened->rows += (double)cor_result_size(result, t);
        cor_result_close(result);
    }
    opened->seconds = bench_median(times, OPENINGS);
}

/* Wall clock of a suite in a journal, of very many: one sync for KEPT_SUITES of them, or for each. */
static double store(const struct bench_suite *suite, const char *path, uint32_t together) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_journal *journal;
    double begun = cor_wall_seconds();
    bench_must(cor_journal_create(path, &journal, &error), &error);
    for (uint32_t i = 0; i < JOURNAL_SUITES; i++) {
        bench_must(cor_journal_write(journal, suite->record, &error), &error);
        if ((i + 1) % together == 0)
            bench_must(cor_journal_sync(journal, &error), &error);
    }
    cor_journal_close(journal);
    unlink(path);
    return (cor_wall_seconds() - begun) / JOURNAL_SUITES;
}

static void measure_journal(const struct bench_places *places, struct bench_figure *figure) {
    struct bench_scale scale = tiny(1);
    struct cor_experiment *experiment = bench_scale_read(places, &scale);
    struct bench_suite suite;
    char *path = bench_path(places, "tiny.journal");
    bench_suite_open(&suite, experiment, 0, 0);
    double begun = cor_wall_seconds();
    for (uint32_t i = 0; i < KEPT_SUITES; i++)
        bench_suite_run(&suite);
    double without = (cor_wall_seconds() - begun) / KEPT_SUITES;
    double grouped = store(&suite, path, KEPT_SUITES), single = store(&suite, path, 1);
    figure->value = 1e6 * grouped;
    snprintf(figure->note, sizeof figure->note,
             "executing one without a journal: %.0f us; one sync for each: %.0f us", 1e6 * without,
             1e6 * single);
    bench_suite_close(&suite);
    cor_experiment_destroy(experiment);
    free(path);
}

void bench_many_suites(const struct bench_places *places, struct bench_figure *figures) {
    struct bench_scale scale = tiny(MANY);
    char *experiment = bench_path(places, "many.json"), *folder = bench_path(places, "many");
    char *result = bench_path(places, "many/results.h5"),
         *times = bench_path(places, "many/results.h5.times.csv");
    char *journals = bench_path(places, "many/results.h5.parts/*.journal");
    struct opened opened;
    bench_scale_write(&scale, experiment);
    double planning = corridor(places, "plan", experiment, "-o", folder, "--pilot=0").wall;
    const struct bench_run ran = corridor(places, "run", folder, "--jobs=2", "--progress=none", NULL);
    figures[0].value = ran.wall;
    snprintf(figures[0].note, sizeof figures[0].note, "CPU %.2f s; planning it, before: %.1f s", ran.cpu,
             planning);
    measure_journal(places, &figures[1]);
    figures[2].value = bytes_of(journals) / MANY;
    snprintf(figures[2].note, sizeof figures[2].note, "in the result file %.0f", bytes_of(result) / MANY);
    const struct bench_run resumed = corridor(places, "run", folder, "--progress=none", NULL, NULL);
    figures[3].value = resumed.wall;
    snprintf(figures[3].note, sizeof figures[3].note,
             "CPU %.2f s; all %.0f MB of journals are read, with their checksums", resumed.cpu,
             1e-6 * bytes_of(journals));
    bench_in_child(open_result, result, &opened, sizeof opened);
    double bytes = bytes_of(result);
    if (unlink(result) != 0 || unlink(times) != 0)
        bench_fail(result);
    double merging = corridor(places, "merge", folder, NULL, NULL, NULL).wall;
    figures[4].value = 1e-6 * opened.rows / (merging - figures[3].value);
    snprintf(figures[4].note, sizeof figures[4].note, "%.2g rows in %.1f s, resuming not counted",
             opened.rows, merging - figures[3].value);
    figures[5].value = 1e3 * opened.seconds / (1e-8 * bytes);
    snprintf(figures[5].note, sizeof figures[5].note, "opening a file of %.0f MB: %.0f ms", 1e-6 * bytes,
             1e3 * opened.seconds);
    COR_FREE(experiment, folder, result, times, journals);
}

/* ---- the agent layer as a user runs it: cases that an agent executes, judged and recorded, by each kind of
 * agent. The design is the example's, asked for all combinations of classes, so that units have thousands of
 * cases */

enum { REPEATS = 3 };

/* A copy of JSON text in which the first value of that key, a word or a number, is another. */
static char *with_value(const char *text, const char *key, const char *value) {
    char *quoted = bench_kept(cor_format("\"%s\":", key));
    const char *at = strstr(text, quoted);
    COR_ASSERT(at);
    at += strlen(quoted);
    char *made = bench_kept(cor_format("%.*s%s%s", (int)(at - text), text, value, at + strcspn(at, ",}")));
    free(quoted);
    return made;
}

static struct cor_design_file *read_design(const char *path) {
    struct cor_design_file *file = NULL;
    struct cor_error error = COR_NO_ERROR;
    bench_must(cor_design_file_read(path, &file, &error), &error);
    return file;
}

/* Cases a second of processor time, that of the agent's process included. */
static void measure_agent(const struct bench_places *places, const char *design, const char *agent,
                          uint32_t times, struct bench_figure *figure) {
    char *result = bench_path(places, "units.h5"), repeat[16];
    snprintf(repeat, sizeof repeat, "%u", times);
    const char *const arguments[] = {
        places->corridor,    "agent", "test", design, "-o", result, "-f", "-j", "1", "--repeat", repeat,
        agent ? "-a" : NULL, agent,   NULL};
    /* Cases of all its units. */
    struct cor_design_file *file = read_design(design);
    double count = 0;
    for (uint32_t u = 0; u < file->order.units.count; u++) {
        struct cor_unit_cases cases;
        struct cor_error error = COR_NO_ERROR;
        bench_must(cor_unit_cases_init(&cases, file, u, NULL, &error), &error);
        count += (double)cases.count;
        cor_unit_cases_fini(&cases);
    }
    cor_design_file_destroy(file);
    double cases = count * times, cpu[REPEATS], wall[REPEATS];
    for (size_t i = 0; i < REPEATS; i++) {
        struct bench_run ran = bench_program(arguments, false);
        cpu[i] = cases / ran.cpu;
        wall[i] = cases / ran.wall;
    }
    figure->value = bench_median(cpu, REPEATS);
    snprintf(figure->note, sizeof figure->note,
             "%.0f cases of the example's units, planning, merging and start included; by the wall clock "
             "%.0f a second",
             cases, bench_median(wall, REPEATS));
    free(result);
}

void bench_units(const struct bench_places *places, struct bench_figure *figures) {
    char *design = bench_path(places, "units.json");
    char *program = bench_kept(
        cor_format("%s -B -I -S %s/" CORRIDOR_UNITS_PROGRAM, CORRIDOR_UNITS_PYTHON, places->source));
    /* The example's design, asked for everything, into `path`. */
    char *example = bench_kept(cor_format("%s/" CORRIDOR_UNITS_DESIGN, places->source));
    struct cor_design_file *file = read_design(example);
    char *all = with_value(file->text, "policy", "\"all\"");
    char *unlimited = with_value(all, "exhaustive_limit", "1000000");
    FILE *out = fopen(design, "w");
    if (!out || fputs(unlimited, out) < 0 || fclose(out) != 0)
        bench_fail(design);
    COR_FREE(unlimited, all);
    cor_design_file_destroy(file);
    free(example);
    measure_agent(places, design, NULL, 100, &figures[0]);
    measure_agent(places, design, CORRIDOR_UNITS_MODULE, 20, &figures[1]);
    measure_agent(places, design, program, 2, &figures[2]);
    COR_FREE(program, design);
}
