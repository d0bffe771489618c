/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Over agents. Partitions keep their size, so their number grows with the agents; groups and chains stay. */
#include "growth.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double sizes[] = {10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000};
enum { SIZES = sizeof sizes / sizeof *sizes };

struct point {
    const struct bench_places *places;
    struct bench_scale scale;
    uint32_t tasks;
};

/* Cases enough to be measured, few enough to wait for. */
static uint32_t cases_for(uint32_t agents) {
    uint32_t cases = 3000000 / agents;
    return cases < 40 ? 40 : cases > 2000 ? 2000 : cases;
}

static double generate(void *context) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_suite *suite;
    bench_must(cor_suite_generate(context, 0, 0, &suite, &error), &error);
    cor_suite_destroy(suite);
    return 1;
}

/* ----------------------------------------------------------------------------------- framework */

static double run(void *context) {
    return bench_suite_run(context);
}

static void measure_run(const void *context, double *value) {
    const struct point *point = context;
    struct cor_experiment *experiment = bench_scale_read(point->places, &point->scale);
    struct bench_suite suite;
    bench_suite_open(&suite, experiment, 0, 0);
    value[0] = bench_measure(run, NULL, &suite, bench_brief).seconds;
    bench_suite_close(&suite);
    value[1] = bench_measure(generate, NULL, experiment, bench_brief).seconds;
    cor_experiment_destroy(experiment);
}

/* With a threshold of 1 no case reorganizes, with 0 every one does. */
static struct bench_answer measure_threshold(const struct bench_places *places, uint32_t agents,
                                             double threshold, uint32_t pilot_cases) {
    struct point point = {.places = places, .scale = bench_scale_of(bench_random, agents)};
    point.scale.cases = cases_for(agents);
    point.scale.threshold = threshold;
    point.scale.alarm_rate = 0.17;
    point.scale.pilot_cases = pilot_cases;
    return bench_in_child(measure_run, &point);
}

static void framework(struct bench_report *report, const struct bench_places *places) {
    struct bench_curve quiet = {
        .name = "a case without a reorganization", .size_name = "agents", .cost_unit = "us a case"};
    struct bench_curve busy = {
        .name = "a case with a reorganization by random",
        .size_name = "agents",
        .cost_unit = "us a case",
        .reason = "nearly the same per agent from 30 to 30,000; beyond, the same functions "
                  "reach at random into columns that outgrow the caches, as far as can be told "
                  "without hardware counters"};
    struct bench_curve made = {.name = "generating a suite with its pilot of 50 cases",
                               .size_name = "agents",
                               .cost_unit = "us a suite"};
    struct bench_curve memory = {
        .name = "memory of a suite at work, algorithm random", .size_name = "agents", .cost_unit = "kB"};
    for (size_t i = 0; i < SIZES; i++) {
        uint32_t agents = (uint32_t)sizes[i];
        bench_curve_add(&quiet, agents, 1e6 * measure_threshold(places, agents, 1, 0).value[0]);
        struct bench_answer answer = measure_threshold(places, agents, 0, 0);
        bench_curve_add(&busy, agents, 1e6 * answer.value[0]);
        bench_curve_add(&memory, agents, 1e-3 * answer.peak_bytes);
        bench_curve_add(&made, agents, 1e6 * measure_threshold(places, agents, 0, 50).value[1]);
    }
    bench_report_curve(report, &quiet);
    bench_report_curve(report, &busy);
    bench_report_curve(report, &made);
    bench_report_curve(report, &memory);
}

/* ---------------------------------------------------------------------------------- algorithms */

/* Reorganizations of the initial structure at the values of the first cases. */
static void measure_tasks(const void *context, double *value) {
    const struct point *point = context;
    struct cor_experiment *experiment = bench_scale_read(point->places, &point->scale);
    struct bench_tasks tasks;
    bench_tasks_open(&tasks, experiment, 0, 0, point->tasks, true);
    value[0] = bench_measure(bench_tasks_run, NULL, &tasks, bench_brief).seconds;
    value[1] = tasks.messages / tasks.reorganizations;
    value[2] = tasks.spent / tasks.reorganizations;
    bench_tasks_close(&tasks);
    cor_experiment_destroy(experiment);
}

static struct bench_answer measure_algorithm(const struct bench_places *places, const char *algorithm,
                                             uint32_t agents) {
    struct point point = {.places = places, .scale = bench_scale_of(algorithm, agents)};
    point.scale.cases = 40;
    point.scale.pilot_cases = 50;
    point.tasks = agents <= 3000 ? 8 : 2;
    return bench_in_child(measure_tasks, &point);
}

static void spada(struct bench_report *report, const struct bench_places *places) {
    struct bench_curve whole = {
        .name = "a reorganization by SPADA",
        .size_name = "agents",
        .cost_unit = "us",
        .reason = "messages are 30 an agent at any size, and the same functions take the time; "
                  "each message costs more once the agents, 600 bytes each, outgrow the "
                  "caches, as far as can be told without hardware counters"};
    struct bench_curve message = {
        .name = "a message delivered to SPADA", .size_name = "agents", .cost_unit = "ns"};
    struct bench_curve memory = {
        .name = "memory of a suite at work, SPADA", .size_name = "agents", .cost_unit = "kB"};
    for (size_t i = 0; i < SIZES; i++) {
        struct bench_answer answer = measure_algorithm(places, bench_spada, (uint32_t)sizes[i]);
        bench_curve_add(&whole, sizes[i], 1e6 * answer.value[0]);
        bench_curve_add(&message, sizes[i], 1e9 * answer.value[0] / answer.value[1]);
        bench_curve_add(&memory, sizes[i], 1e-3 * answer.peak_bytes);
    }
    bench_report_curve(report, &whole);
    bench_report_curve(report, &message);
    bench_report_curve(report, &memory);
}

static const char *const psopp_format =
    "\"algorithm\": \"psopp\", \"parameters\": {\"particles\": %u, \"start_at_current\": 1, \"c_random\": "
    "0.34, "
    "\"c_own\": 0.33, \"c_best\": 0.33, \"exchange_policy\": 1, \"budget\": %u}";

static struct bench_answer measure_psopp(const struct bench_places *places, uint32_t agents,
                                         uint32_t particles, uint32_t budget) {
    char algorithm[256];
    snprintf(algorithm, sizeof algorithm, psopp_format, particles, budget);
    return measure_algorithm(places, algorithm, agents);
}

static void psopp(struct bench_report *report, const struct bench_places *places) {
    enum { FEW = 1, MANY = 20001 };
    struct bench_curve whole = {.name = "a reorganization by PSOPP, four particles, one move",
                                .size_name = "agents",
                                .cost_unit = "us"};
    struct bench_curve move = {.name = "a move of PSOPP, 20,000 moves a reorganization",
                               .size_name = "agents",
                               .cost_unit = "ns",
                               .reason =
                                   "an improvement is kept by copying the position, which is O(agents)"};
    struct bench_curve memory = {
        .name = "memory of a particle of PSOPP", .size_name = "agents", .cost_unit = "kB"};
    for (size_t i = 0; i < SIZES; i++) {
        uint32_t agents = (uint32_t)sizes[i];
        struct bench_answer few = measure_psopp(places, agents, 4, FEW);
        struct bench_answer many = measure_psopp(places, agents, 4, MANY);
        struct bench_answer one = measure_psopp(places, agents, 1, FEW);
        bench_curve_add(&whole, agents, 1e6 * few.value[0]);
        bench_curve_add(&move, agents, 1e9 * (many.value[0] - few.value[0]) / (MANY - FEW));
        if (agents >= 3000) /* below, three particles are lost in the rest of the process */
            bench_curve_add(&memory, agents, 1e-3 * (few.peak_bytes - one.peak_bytes) / 3);
    }
    bench_report_curve(report, &whole);
    bench_report_curve(report, &move);
    bench_report_curve(report, &memory);
}

void bench_growth_agents(struct bench_report *report, const struct bench_places *places) {
    framework(report, places);
    spada(report, places);
    psopp(report, places);
}
