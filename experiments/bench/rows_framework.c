/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The price of a case: everything around an algorithm that costs next to nothing. The yardstick is a loop in
 * plain C that does with the same columns what perceiving and watching the invariant cannot do without. */
#include "measure.h"
#include "rows.h"

#include <corridor/array.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void bench_logged_open(struct bench_logged *logged, const struct bench_places *places) {
    struct cor_error error = COR_NO_ERROR;
    struct bench_scale scale = bench_usual(bench_random);
    scale.suites = BENCH_LOGGED;
    scale.sequences = 10;
    logged->experiment = bench_scale_read(places, &scale);
    logged->path = bench_path(places, "logged.journal");
    bench_must(cor_journal_create(logged->path, &logged->journal, &error), &error);
    for (uint32_t s = 0; s < BENCH_LOGGED; s++)
        bench_suite_open(&logged->suite[s], logged->experiment, 0, s);
}

void bench_logged_close(struct bench_logged *logged) {
    cor_journal_close(logged->journal);
    for (uint32_t s = 0; s < BENCH_LOGGED; s++)
        bench_suite_close(&logged->suite[s]);
    cor_experiment_destroy(logged->experiment);
    unlink(logged->path);
    free(logged->path);
}

double bench_logged_run(void *context) {
    struct bench_logged *logged = context;
    struct cor_error error = COR_NO_ERROR;
    double cases = 0;
    for (uint32_t s = 0; s < BENCH_LOGGED; s++) {
        cases += bench_suite_run(&logged->suite[s]);
        bench_must(cor_journal_append(logged->journal, logged->suite[s].record, &error), &error);
    }
    return cases;
}

/* ---------------------------------------------------------------------------------- plain loop */

enum { AGENTS = 500 };

struct framework {
    struct bench_logged logged; /* first: what is measured */
    uint8_t state[AGENTS];
    double value[AGENTS], sum[AGENTS]; /* sum, size: [partition] */
    uint32_t size[AGENTS];
    uint32_t alarms;
};

/* Agents of one group: state, value, and the sum of the agent's partition. */
static double change(struct framework *f, const struct cor_configuration *c, const struct cor_effect *effect,
                     uint8_t environment, uint32_t first, uint32_t end) {
    const uint8_t *next = effect->next + (size_t)effect->relevant[environment] * effect->state_count;
    const double *level = effect->level, *inertia = c->inertia;
    const uint32_t *partition = c->initial_partition;
    uint8_t *state = f->state;
    double *value = f->value, *sum = f->sum, total = 0;
    for (uint32_t agent = first; agent < end; agent++) {
        state[agent] = next[state[agent]];
        double step = inertia[agent] * (level[state[agent]] - value[agent]);
        value[agent] += step;
        sum[partition[agent]] += step;
        total += step;
    }
    return total;
}

static bool outside(const struct framework *f, const struct cor_configuration *c) {
    double low = INFINITY, high = -INFINITY;
    for (uint32_t p = 0; p < c->initial_partitions; p++) {
        double mean = f->sum[p] / f->size[p];
        low = mean < low ? mean : low;
        high = mean > high ? mean : high;
    }
    return high - low > c->threshold;
}

static void restart(struct framework *f, const struct cor_configuration *c) {
    memcpy(f->state, c->initial_state, c->agent_count);
    memcpy(f->value, c->initial_value, c->agent_count * sizeof *f->value);
    memset(f->sum, 0, c->initial_partitions * sizeof *f->sum);
    memset(f->size, 0, c->initial_partitions * sizeof *f->size);
    for (uint32_t a = 0; a < c->agent_count; a++) {
        f->sum[c->initial_partition[a]] += c->initial_value[a];
        f->size[c->initial_partition[a]]++;
    }
}

static double plain_suite(struct framework *f, const struct bench_suite *b) {
    const struct cor_configuration *c = b->suite->configuration;
    double cases = 0, total = 0;
    for (uint32_t s = 0; s < b->execution.sequence_count; s++) {
        restart(f, c);
        for (uint32_t i = 1; i <= b->walks[s].case_count; i++, cases++) {
            const uint8_t *environment = cor_walk_at(&b->walks[s], i);
            for (uint32_t g = 0; g < c->group_count; g++) {
                uint32_t first = c->group_start[g], chain = c->chain_of_group[g];
                total += change(f, c, cor_configuration_effect(c, c->type[first], chain), environment[chain],
                                first, c->group_start[g + 1]);
            }
            f->alarms += outside(f, c);
        }
    }
    f->alarms += total > 1e300; /* the total is looked at, so nothing of the loop can be left out */
    return cases;
}

static double plain_loop(void *context) {
    struct framework *f = context;
    double cases = 0;
    for (uint32_t s = 0; s < BENCH_LOGGED; s++)
        cases += plain_suite(f, &f->logged.suite[s]);
    return cases;
}

/* ----------------------------------------------------------------------------------- measuring */

static void measure_framework(const void *context, double *value) {
    static struct framework f;
    bench_logged_open(&f.logged, context);
    COR_ASSERT(f.logged.suite[0].suite->configuration->agent_count <= AGENTS);
    struct bench_times times = bench_measure(bench_logged_run, plain_loop, &f, bench_careful);
    double cases = 0, reorganizations = 0;
    for (uint32_t s = 0; s < BENCH_LOGGED; s++) {
        cases += (double)cor_record_size(f.logged.suite[s].record, COR_TABLE_CASES);
        reorganizations += (double)cor_record_size(f.logged.suite[s].record, COR_TABLE_REORGANIZATIONS);
    }
    value[0] = times.seconds;
    value[1] = times.reference;
    value[2] = reorganizations / cases;
    bench_logged_close(&f.logged);
}

void bench_framework(struct bench_report *report, const struct bench_places *places) {
    struct bench_answer answer = bench_in_child(measure_framework, places);
    char note[128];
    snprintf(note, sizeof note, "500 agents, ten suites, %.1f %% of the cases reorganize",
             100 * answer.value[2]);
    bench_report_row(report, &(struct bench_row){
                                 .name = "framework, algorithm random, log on: CPU of a case",
                                 .unit = "us",
                                 .value = 1e6 * answer.value[0],
                                 .reference = 1e6 * answer.value[1],
                                 .yardstick = "a plain C loop over the same columns",
                                 .must = 3,
                                 .aim = 1.5,
                                 .better = BENCH_LESS,
                                 .note = note,
                             });
}
