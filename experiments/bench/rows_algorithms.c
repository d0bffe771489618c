/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two algorithms of the paper, alone: reorganizations that came up in a suite are run again. */
#include "measure.h"
#include "rows.h"

#include <corridor/array.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------------------------- psopp */

static const char *const psopp_long =
    "\"algorithm\": \"psopp\", \"parameters\": {\"particles\": 4, \"start_at_current\": 1, \"c_random\": "
    "0.34, "
    "\"c_own\": 0.33, \"c_best\": 0.33, \"exchange_policy\": 1, \"budget\": 100000}";

struct search {
    struct bench_tasks tasks; /* first */
    double total;             /* of all evaluations: looked at, so none can be left out */
};

/* Moves of one reorganization. */
static double search(void *context) {
    struct bench_tasks *tasks = context;
    double before = tasks->spent;
    bench_task_run(tasks, 0);
    return tasks->spent - before;
}

/* The objective of the search, from nothing but members and values. */
static double evaluate(const struct cor_lists *blocks, const double *values, double mean) {
    double squares = 0;
    for (uint32_t b = 0; b < blocks->block_count; b++) {
        double sum = 0;
        for (uint32_t m = blocks->start[b]; m < blocks->start[b + 1]; m++)
            sum += values[blocks->members[m]];
        double deviation = sum / cor_lists_size(blocks, b) - mean;
        squares += deviation * deviation;
    }
    return squares / blocks->block_count;
}

/* The same search with all of a partitioning evaluated for each move. */
static double search_evaluating(void *context) {
    struct search *s = context;
    double moves = search(context);
    const struct bench_task *task = &s->tasks.task[0];
    for (double i = 0; i < moves; i++)
        s->total += evaluate(&s->tasks.outcome.solution, task->values, 0.5 + 1e-9 * s->total);
    return moves;
}

/* The operator that moved least often, and its share of all moves. */
static double least_operator(const struct bench_tasks *tasks, const char **name) {
    static const char *const operators[] = {"random_split",   "random_join",   "random_exchange",
                                            "approach_split", "approach_join", "approach_exchange"};
    const struct cor_algorithm *algorithm = tasks->suite.execution.algorithm;
    const uint32_t *start;
    const uint64_t *counters = cor_session_counters(tasks->suite.session, &start);
    double least = INFINITY, all = 0;
    for (uint32_t c = 0; algorithm->counters[c].name; c++)
        for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
            if (strcmp(algorithm->counters[c].name, operators[i]) != 0)
                continue;
            double sum = 0;
            for (uint32_t cell = start[c]; cell < start[c + 1]; cell++)
                sum += (double)counters[cell];
            all += sum;
            if (sum < least) {
                least = sum;
                *name = operators[i];
            }
        }
    return least / all;
}

struct found {
    double seconds, reference, share;
    char operator_name[24];
};

static void measure_moves(const void *context, double *value) {
    struct bench_scale scale = bench_usual(psopp_long);
    struct cor_experiment *experiment = bench_scale_read(context, &scale);
    struct search s = {0};
    bench_tasks_open(&s.tasks, experiment, 0, 0, 1, false);
    cor_session_clear_counters(s.tasks.suite.session);
    struct bench_times times = bench_measure(search, search_evaluating, &s, bench_careful);
    const char *name = "";
    double share = least_operator(&s.tasks, &name);
    struct found found = {times.seconds, times.reference, share, ""};
    snprintf(found.operator_name, sizeof found.operator_name, "%s", name);
    _Static_assert(sizeof found <= BENCH_ANSWERS * sizeof *value, "an answer holds it");
    memcpy(value, &found, sizeof found);
    bench_tasks_close(&s.tasks);
    cor_experiment_destroy(experiment);
}

static void row_moves(struct bench_report *report, const struct bench_places *places) {
    struct bench_answer answer = bench_in_child(measure_moves, places);
    struct found found;
    char note[160];
    memcpy(&found, answer.value, sizeof found);
    snprintf(note, sizeof note, "the rarest operator, %s, makes %.1f %% of the moves (asked: 5 %%)",
             found.operator_name, 100 * found.share);
    bench_report_row(report,
                     &(struct bench_row){
                         .name = "PSOPP moves per core, n = 500, s_max = 50, c = 1/3 each",
                         .unit = "M/s",
                         .value = 1e-6 / found.seconds,
                         .reference = 1e-6 / found.reference,
                         .yardstick = "the search with a full evaluation of the fitness for each move",
                         .must = 4,
                         .aim = 8,
                         .better = BENCH_MORE,
                         .note = note,
                     });
}

enum { LAW_SUITES = 60, LAW_TASKS = 8 };

struct law {
    struct bench_tasks tasks[LAW_SUITES];
};

static double search_law(void *context) {
    struct law *law = context;
    double before = 0, after = 0;
    for (uint32_t s = 0; s < LAW_SUITES; s++) {
        before += law->tasks[s].spent;
        bench_tasks_run(&law->tasks[s]);
        after += law->tasks[s].spent;
    }
    return after - before;
}

/* Suites by the paper's law; reorganizations as their monitors asked for them, begin and result included. */
static void measure_law(const void *context, double *value) {
    struct cor_experiment *experiment = bench_experiment_read(context, "experiments/bench/law.json");
    struct law *law = cor_calloc(1, sizeof *law);
    if (!law)
        bench_fail("cannot keep the suites");
    for (uint32_t s = 0; s < LAW_SUITES; s++)
        bench_tasks_open(&law->tasks[s], experiment, 0, s, LAW_TASKS, false);
    value[0] = bench_measure(search_law, NULL, law, bench_careful).seconds;
    for (uint32_t s = 0; s < LAW_SUITES; s++)
        bench_tasks_close(&law->tasks[s]);
    free(law);
    cor_experiment_destroy(experiment);
}

static void row_law(struct bench_report *report, const struct bench_places *places) {
    struct bench_answer answer = bench_in_child(measure_law, places);
    bench_report_row(report, &(struct bench_row){
                                 .name = "PSOPP moves per core, the paper's configuration law",
                                 .unit = "M/s",
                                 .value = 1e-6 / answer.value[0],
                                 .reference = NAN,
                                 .must = 2,
                                 .aim = 4,
                                 .better = BENCH_MORE,
                                 .note = "60 suites, with begin and result of each reorganization",
                             });
}

/* --------------------------------------------------------------------------------------- spada */

enum { SPADA_TASKS = 200 };

static void measure_spada(const void *context, double *value) {
    struct bench_scale scale = bench_usual(bench_spada);
    scale.count_min = scale.count_max = 22;
    struct cor_experiment *experiment = bench_scale_read(context, &scale);
    struct bench_tasks tasks;
    bench_tasks_open(&tasks, experiment, 0, 0, SPADA_TASKS, false);
    value[0] = bench_measure(bench_tasks_run, NULL, &tasks, bench_careful).seconds;
    value[1] = tasks.messages / tasks.reorganizations;
    value[2] = tasks.count;
    double blocks = 0;
    for (uint32_t i = 0; i < tasks.count; i++)
        blocks += tasks.task[i].structure.block_count;
    value[3] = blocks / tasks.count;
    bench_tasks_close(&tasks);
    cor_experiment_destroy(experiment);
}

static void rows_spada(struct bench_report *report, const struct bench_places *places) {
    struct bench_answer answer = bench_in_child(measure_spada, places);
    char note[160];
    snprintf(note, sizeof note, "%.0f reorganizations of a suite, %.1f partitions, %.0f messages on average",
             answer.value[2], answer.value[3], answer.value[1]);
    struct bench_row row = {
        .name = "SPADA, n = 500, k = 22, A = 10, E = I = 5: reorganization",
        .unit = "us",
        .value = 1e6 * answer.value[0],
        .reference = NAN,
        .must = 500,
        .aim = 250,
        .better = BENCH_LESS,
        .note = note,
    };
    bench_report_row(report, &row);
    row.name = "SPADA, the same: delivered message";
    row.unit = "ns";
    row.value = 1e9 * answer.value[0] / answer.value[1];
    row.must = 25;
    row.aim = 12;
    row.note = NULL;
    bench_report_row(report, &row);
}

void bench_algorithms(struct bench_report *report, const struct bench_places *places) {
    row_moves(report, places);
    row_law(report, places);
    rows_spada(report, places);
}
