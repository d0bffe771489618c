/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Debian's libraft as a program under test: its experiment (experiments/library/processes/raft.json),
 * executed in this process. Where libraft-dev was not there, the rows say so. */
#include "timing.h"

#include <corridor/json.h>
#include <corridor/process_experiment.h>
#include <corridor/process_shrink.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPERIMENT "experiments/library/processes/raft.json"
#define TRIES_MOST 100000u

struct executing {
    struct cor_process_experiment *experiment;
    const struct cor_process_arm *arm;
    struct cor_process_runner *runner;
    struct cor_schedule_generator *generator;
    struct cor_process_schedule schedule, failing;
    struct cor_stream_name name; /* of the schedule that is made, or was */
};

static void open_arm(struct executing *e, const char *arm) {
    struct cor_error error = COR_NO_ERROR;
    char *text;
    size_t length;
    uint32_t number = 0;
    bench_must(cor_json_read_text(EXPERIMENT, &text, &length, &error), &error);
    bench_must(cor_process_experiment_parse(text, EXPERIMENT, NULL, &e->experiment, &error), &error);
    free(text);
    while (strcmp(e->experiment->arms[number].name, arm) != 0)
        number++;
    e->arm = &e->experiment->arms[number];
    const struct cor_process_setting setting = cor_process_setting_of(e->experiment, number);
    bench_must(cor_process_runner_create(&setting, &e->runner, &error), &error);
    const struct cor_schedule_options options = cor_process_generator_options(e->arm);
    bench_must(cor_schedule_generator_create(e->arm->generators[0], cor_process_runner_cluster(e->runner),
                                             &options, &e->generator, &error),
               &error);
    e->name = cor_process_stream_name(e->experiment, 0, 0);
}

static void close_arm(struct executing *e) {
    cor_schedule_generator_destroy(e->arm->generators[0], e->generator);
    cor_process_runner_destroy(e->runner);
    cor_process_schedule_fini(&e->schedule);
    cor_process_schedule_fini(&e->failing);
    cor_process_experiment_destroy(e->experiment);
}

static struct cor_process_outcome execute_next(struct executing *e) {
    const struct cor_weather *const weather[] = {&e->arm->environment.weather[0]};
    struct cor_error error = COR_NO_ERROR;
    struct cor_process_outcome outcome;
    bench_must(cor_process_run(e->runner, &e->name, e->arm->generators[0], e->generator, weather, 1,
                               &e->schedule, &outcome, &error),
               &error);
    e->name.sequence++;
    return outcome;
}

/* Messages that are delivered in a schedule. */
static double deliver(void *context) {
    return execute_next(context).messages;
}

/* An empty schedule: all processes start anew. */
static double reset(void *context) {
    struct executing *e = context;
    const struct cor_process_schedule empty = {0};
    struct cor_process_outcome outcome;
    struct cor_error error = COR_NO_ERROR;
    bench_must(cor_process_replay(e->runner, &e->name, &empty, NULL, &outcome, &error), &error);
    return 1;
}

static double shrink(void *context) {
    struct executing *e = context;
    struct cor_process_shrinking shrinking;
    struct cor_error error = COR_NO_ERROR;
    e->schedule.count = 0;
    for (size_t i = 0; i < e->failing.count; i++)
        bench_must(cor_process_schedule_add(&e->schedule, &e->failing.events[i], &error), &error);
    bench_must(cor_process_shrink(e->runner, &e->name, &e->schedule, NULL, &shrinking, &error), &error);
    return 1;
}

/* The first schedule of Figure 8. */
static void find_failing(struct executing *e) {
    struct cor_error error = COR_NO_ERROR;
    for (uint32_t tries = 0; tries < TRIES_MOST; tries++) {
        const struct cor_process_outcome outcome = execute_next(e);
        if (outcome.violated == COR_NONE ||
            strcmp(e->arm->corridor->constraints[outcome.violated].name, "agreed") != 0)
            continue;
        e->name.sequence--;
        for (size_t i = 0; i < e->schedule.count; i++)
            bench_must(cor_process_schedule_add(&e->failing, &e->schedule.events[i], &error), &error);
        return;
    }
    bench_fail("no schedule of raft.json fails");
}

void bench_processes(const struct bench_places *places, struct bench_figure *figures) {
    static const char *const arms[] = {"figure_8", "figure_8_of_5"};
    (void)places;
    for (int f = 0; f < 5; f++)
        figures[f] = (struct bench_figure){NAN, NAN, "not measured: there is no libraft-dev"};
    for (int i = 0; i < 2 * HAS_RAFT; i++) {
        struct executing e = {0};
        open_arm(&e, arms[i]);
        figures[i] =
            (struct bench_figure){1e-6 / bench_measure(deliver, NULL, &e, bench_careful).seconds, NAN, ""};
        figures[2 + i] =
            (struct bench_figure){1e6 * bench_measure(reset, NULL, &e, bench_careful).seconds, NAN, ""};
        if (i == 0) {
            e.name.sequence = 0;
            find_failing(&e);
            figures[4] = (struct bench_figure){bench_measure(shrink, NULL, &e, bench_brief).seconds, NAN, ""};
            snprintf(figures[4].note, sizeof figures[4].note, "%zu events, of which %zu are left",
                     e.failing.count, e.schedule.count);
        }
        close_arm(&e);
    }
}
