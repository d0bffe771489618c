/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A campaign of very many, very small suites, so that what journals, resuming, merging and the seal cost is
 * seen: the program as a user runs it, in a campaign's folder. */
#include "setting.h"

#include <corridor/array.h>
#include <corridor/result.h>
#include <corridor/work.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MANY = 100000, OPENINGS = 5, KEPT_SUITES = 512, JOURNAL_SUITES = 20 * KEPT_SUITES };

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
    free(experiment);
    free(folder);
    free(result);
    free(times);
    free(journals);
}
