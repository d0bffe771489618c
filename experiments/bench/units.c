/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The agent layer as a user runs it: cases that an agent executes, judged and recorded, by each kind of
 * agent. The design is the example's, asked for all combinations of classes, so that units have thousands of
 * cases. */
#include "setting.h"

#include <corridor/array.h>
#include <corridor/unit_cases.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Cases of all its units. */
static double count_cases(const char *path) {
    struct cor_design_file *file = read_design(path);
    double count = 0;
    for (uint32_t u = 0; u < file->order.units.count; u++) {
        struct cor_unit_cases cases;
        struct cor_error error = COR_NO_ERROR;
        bench_must(cor_unit_cases_init(&cases, file, u, NULL, &error), &error);
        count += (double)cases.count;
        cor_unit_cases_fini(&cases);
    }
    cor_design_file_destroy(file);
    return count;
}

/* Cases a second of processor time, that of the agent's process included. */
static void measure_agent(const struct bench_places *places, const char *design, const char *agent,
                          uint32_t times, struct bench_figure *figure) {
    char *result = bench_path(places, "units.h5"), repeat[16];
    snprintf(repeat, sizeof repeat, "%u", times);
    const char *const arguments[] = {
        places->corridor,    "agent", "test", design, "-o", result, "-f", "-j", "1", "--repeat", repeat,
        agent ? "-a" : NULL, agent,   NULL};
    double cases = count_cases(design) * times, cpu[REPEATS], wall[REPEATS];
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
    free(unlimited);
    free(all);
    cor_design_file_destroy(file);
    free(example);
    measure_agent(places, design, NULL, 100, &figures[0]);
    measure_agent(places, design, CORRIDOR_UNITS_MODULE, 20, &figures[1]);
    measure_agent(places, design, program, 2, &figures[2]);
    free(program);
    free(design);
}
