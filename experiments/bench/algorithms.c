/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two algorithms of the paper, alone: reorganizations that came up in a suite are run again. */
#include "setting.h"

#include <corridor/array.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    const struct cor_algorithm *algorithm = tasks->suite.suite->arm->algorithm;
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

void bench_psopp_moves(const struct bench_places *places, struct bench_figure *figures) {
    char algorithm[256];
    const char *name = "";
    snprintf(algorithm, sizeof algorithm, BENCH_PSOPP("%u", "%u"), 4, 100000);
    struct bench_scale scale = bench_usual(algorithm);
    struct cor_experiment *experiment = bench_scale_read(places, &scale);
    struct search s = {0};
    bench_tasks_open(&s.tasks, experiment, 0, 0, 1, false);
    cor_session_clear_counters(s.tasks.suite.session);
    struct bench_times times = bench_measure(search, search_evaluating, &s, bench_careful);
    double share = least_operator(&s.tasks, &name);
    figures[0] = (struct bench_figure){1e-6 / times.seconds, 1e-6 / times.reference, ""};
    snprintf(figures[0].note, sizeof figures[0].note,
             "the rarest operator, %s, makes %.1f %% of the moves (asked: 5 %%)", name, 100 * share);
    bench_tasks_close(&s.tasks);
    cor_experiment_destroy(experiment);
}

enum { LAW_SUITES = 60, LAW_TASKS = 8, SPADA_TASKS = 200 };

static double search_law(void *context) {
    struct bench_tasks *tasks = context;
    double moves = 0;
    for (uint32_t s = 0; s < LAW_SUITES; s++) {
        double before = tasks[s].spent;
        bench_tasks_run(&tasks[s]);
        moves += tasks[s].spent - before;
    }
    return moves;
}

/* Suites by the paper's law; reorganizations as their monitors asked for them, begin and result included. */
void bench_psopp_law(const struct bench_places *places, struct bench_figure *figures) {
    struct cor_experiment *experiment = bench_experiment_read(places->source, "experiments/bench/law.json");
    struct bench_tasks *tasks = bench_kept(cor_calloc(LAW_SUITES, sizeof *tasks));
    for (uint32_t s = 0; s < LAW_SUITES; s++)
        bench_tasks_open(&tasks[s], experiment, 0, s, LAW_TASKS, false);
    figures[0].value = 1e-6 / bench_measure(search_law, NULL, tasks, bench_careful).seconds;
    snprintf(figures[0].note, sizeof figures[0].note,
             "%d suites, with begin and result of each reorganization", LAW_SUITES);
    for (uint32_t s = 0; s < LAW_SUITES; s++)
        bench_tasks_close(&tasks[s]);
    free(tasks);
    cor_experiment_destroy(experiment);
}

/* A reorganization, and a message delivered. */
void bench_spada_mail(const struct bench_places *places, struct bench_figure *figures) {
    struct bench_scale scale = bench_usual(bench_spada);
    scale.count_min = scale.count_max = 22;
    struct cor_experiment *experiment = bench_scale_read(places, &scale);
    struct bench_tasks tasks;
    bench_tasks_open(&tasks, experiment, 0, 0, SPADA_TASKS, false);
    double seconds = bench_measure(bench_tasks_run, NULL, &tasks, bench_careful).seconds, blocks = 0;
    double messages = tasks.messages / tasks.reorganizations;
    for (uint32_t i = 0; i < tasks.count; i++)
        blocks += tasks.task[i].structure.block_count;
    figures[0].value = 1e6 * seconds;
    figures[1].value = 1e9 * seconds / messages;
    snprintf(figures[0].note, sizeof figures[0].note,
             "%u reorganizations of a suite, %.1f partitions, %.0f messages on average", tasks.count,
             blocks / tasks.count, messages);
    bench_tasks_close(&tasks);
    cor_experiment_destroy(experiment);
}
