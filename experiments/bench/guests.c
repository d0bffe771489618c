/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a reorganization costs by where the algorithm works: the same one, algorithms/examples, in this
 * process, in a cell, in a cell with a fresh process each time, and as a program in C and in Python. It does
 * little, so the price is that of the way there and back. Waiting is part of it: wall time. */
#include "setting.h"

#include <corridor/array.h>
#include <corridor/cell.h>
#include <corridor/host.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLACES = 5, SIZES = 3, REPEATS = 5 };
#define SLICE_SECONDS 0.2

struct guest_task {
    struct cor_task task;
    struct cor_rules rules;
    const double *columns[1];
    double values[1000], parameters[1];
    uint32_t members[1000], start[1001];
};

static void reorganize(struct cor_session *session, const struct guest_task *t, uint64_t case_identity,
                       struct cor_outcome *outcome) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_stream_name name = {.seed = 0xbe, .identity = case_identity};
    bench_must(cor_session_reorganize(session, &t->task, &name, outcome, &error), &error);
    COR_ASSERT(outcome->smoke == COR_SMOKE_NONE);
}

/* Seconds of a reorganization: median of the repeats. */
static double measure(const struct cor_session_definition *definition, uint32_t n) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_session *session;
    struct cor_outcome outcome;
    struct guest_task *t = bench_kept(cor_calloc(1, sizeof *t));
    double seconds[REPEATS];
    uint64_t number = 1;
    cor_outcome_init(&outcome);
    /* n agents in partitions of about ten. */
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 0xbe, .purpose = COR_PURPOSE_TEST});
    uint32_t blocks = n < 20 ? 2 : n / 10;
    for (uint32_t i = 0; i < n; i++) {
        t->values[i] = cor_rng_unit(&rng);
        t->members[i] = i;
    }
    for (uint32_t b = 0; b <= blocks; b++)
        t->start[b] = (uint32_t)((uint64_t)b * n / blocks);
    t->columns[0] = t->values;
    const struct cor_limits limits = {1, n, 1, n};
    t->rules = cor_default_rules(definition->algorithm, &limits, 0.1, t->parameters);
    t->task = (struct cor_task){.struct_size = sizeof t->task,
                                .agent_count = n,
                                .rules = &t->rules,
                                .values = t->columns,
                                .block_count = blocks,
                                .block_start = t->start,
                                .members = t->members};
    bench_must(cor_session_create(definition, &session, &error), &error);
    reorganize(session, t, number++, &outcome); /* starts what has to be started */
    for (int r = 0; r < REPEATS; r++) {
        double begin = cor_now(), passed;
        uint64_t first = number;
        do {
            reorganize(session, t, number++, &outcome);
            passed = cor_now() - begin;
        } while (passed < SLICE_SECONDS);
        seconds[r] = passed / (double)(number - first);
    }
    cor_session_destroy(session);
    cor_outcome_fini(&outcome);
    free(t);
    return bench_median(seconds, REPEATS);
}

/* One place: a registry of its own. */
static void measure_place(const char *path, struct cor_isolation_definition isolation,
                          double seconds[SIZES]) {
    static const uint32_t sizes[SIZES] = {10, 100, 1000};
    struct cor_error error = COR_NO_ERROR;
    struct cor_registry *registry;
    const struct cor_algorithm *algorithm;
    bench_must(cor_registry_create(&isolation, &registry, &error), &error);
    bench_must(cor_registry_find(registry, path, &algorithm, &error), &error);
    const struct cor_session_definition definition = cor_registry_session(registry, algorithm);
    for (int s = 0; s < SIZES; s++)
        seconds[s] = measure(&definition, sizes[s]);
    cor_registry_destroy(registry);
}

void bench_guests(const struct bench_places *places, struct bench_figure *figures) {
    double seconds[PLACES][SIZES];
    char *python = bench_kept(cor_format("%s/algorithms/examples/python/my_algo.py", places->source));
    const struct cor_isolation_definition here = {COR_ISOLATION_NEVER, false},
                                          cell = {COR_ISOLATION_UNTRUSTED, false},
                                          fresh = {COR_ISOLATION_UNTRUSTED, true};
    measure_place(CORRIDOR_EXAMPLE_MODULE, here, seconds[0]);
    measure_place(CORRIDOR_EXAMPLE_MODULE, cell, seconds[1]);
    measure_place(CORRIDOR_EXAMPLE_MODULE, fresh, seconds[2]);
    measure_place(CORRIDOR_EXAMPLE_PROGRAM, here, seconds[3]);
    measure_place(python, here, seconds[4]);
    free(python);
    for (int s = 0; s < SIZES; s++)
        for (int p = 0; p < PLACES; p++)
            figures[s * PLACES + p] =
                (struct bench_figure){1e6 * seconds[p][s], p > 0 ? 1e6 * seconds[0][s] : (double)NAN, ""};
}

void bench_python(const struct bench_places *places, struct bench_figure *figures) {
    char *script = bench_kept(cor_format("%s/experiments/python/tests/bench_python.py", places->source));
    char *quoted = bench_kept(cor_shell_quoted(script));
    char *library = bench_kept(cor_shell_quoted(CORRIDOR_LIBRARY));
    char *command = bench_kept(cor_format("python3 -B %s %s", quoted, library));
    double value[3] = {NAN, NAN, NAN};
    FILE *said = popen(command, "r"); /* NOLINT(cert-env33-c): paths of this build */
    const bool is_said = said && fscanf(said, "%lf %lf %lf", &value[0], &value[1], &value[2]) == 3;
    if (!said || pclose(said) != 0 || !is_said) {
        fprintf(stderr, "bench: %s: gave no figures\n", script);
        exit(1);
    }
    for (int i = 0; i < 3; i++)
        figures[i] = (struct bench_figure){i < 2 ? value[i] : value[i] / 1e3, NAN, ""};
    free(command);
    free(library);
    free(quoted);
    free(script);
}
