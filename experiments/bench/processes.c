/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Debian's libraft as a program under test: its experiment (experiments/library/processes/raft.json),
 * executed in this process. Where libraft-dev was not there, the rows say so. */
#include "peers/storm.h"
#include "timing.h"

#include <corridor/array.h>
#include <corridor/json.h>
#include <corridor/process_experiment.h>
#include <corridor/process_layer.h>
#include <corridor/subject.h>

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
    struct cor_process_schedule schedule;
    struct cor_stream_name name; /* of the schedule that is made, or was */
    void *bench;                 /* of the subject of the layer; NULL: nothing is shrunk */
    struct cor_subject_test failing, shrunk;
};

static void open_arm(struct executing *e, const char *arm) {
    struct cor_error error = COR_NO_ERROR;
    char *text;
    size_t length;
    uint32_t number = 0;
    bench_must(cor_json_read_text(EXPERIMENT, &text, &length, &error), &error);
    bench_must(cor_process_experiment_parse(text, EXPERIMENT,
                                            &(struct cor_layer_options){.isolation = COR_ISOLATION_NEVER},
                                            &e->experiment, &error),
               &error);
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
    cor_process_layer.subject->close(e->bench);
    cor_choices_fini(&e->failing.choices);
    cor_choices_fini(&e->shrunk.choices);
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
    struct cor_error error = COR_NO_ERROR;
    struct cor_shrinking shrinking = {
        .subject = cor_process_layer.subject, .tests = &e->shrunk, .count = 1, .is_lone = true};
    bool differs;
    struct cor_choices choices = e->shrunk.choices;
    bench_must(cor_choices_copy(&choices, &e->failing.choices, &error), &error);
    e->shrunk = e->failing;
    e->shrunk.choices = choices;
    bench_must(shrinking.subject->shrink(e->bench, &shrinking, &differs, &error), &error);
    return 1;
}

/* The first schedule of Figure 8. */
static void find_failing(struct executing *e) {
    const struct cor_subject *subject = cor_process_layer.subject;
    struct cor_error error = COR_NO_ERROR;
    struct cor_run run;
    bench_must(
        subject->open(&e->experiment->head, (uint32_t)(e->arm - e->experiment->arms), &e->bench, &error),
        &error);
    e->failing = (struct cor_subject_test){.experiment = &e->experiment->head, .expected = "agreed"};
    for (; e->failing.sequence < TRIES_MOST; e->failing.sequence++) {
        bench_must(subject->make(e->bench, &e->failing, &run, &error), &error);
        if (strcmp(run.failure, e->failing.expected) == 0)
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
            find_failing(&e);
            figures[4] = (struct bench_figure){bench_measure(shrink, NULL, &e, bench_brief).seconds, NAN, ""};
            snprintf(figures[4].note, sizeof figures[4].note, "%zu events, of which %zu are left",
                     e.failing.choices.count, e.shrunk.choices.count);
        }
        close_arm(&e);
    }
}

/* ---- A storm of pings (peers/storm.h) by the host of programs under test and its network in virtual time,
 * beside the same storm by SimGrid, which is another program: peers/storm_simgrid.c, built where SimGrid is.
 * Both count what arrives */

enum { REPEATS = 7, MESSAGES = 2 * STORM_PROCESSES * STORM_PINGS };

#define STORM_EXPERIMENT                                                                              \
    "{\"process\": {\"program\": \"%s\", \"count\": %d, \"network\": \"fifo\"}, \"name\": \"storm\"," \
    " \"seed\": 7, \"cases\": 1, \"case\": 1000000000, \"events\": %d, \"generators\": [\"timed\"],"  \
    " \"corridor\": [\"structure observed\", \"attribute answered: integer\","                        \
    " \"invariant never_more: all(a in agents: a.answered <= %d)\"],"                                 \
    " \"environment\": {\"states\": {\"calm\": {\"delay\": [10, 10], \"input\": 0}}}, \"arms\": "     \
    "{\"storm\": {}, \"trapped\": {\"traps\": {\"first\": \"any(a in agents: a.answered > 2000)\","   \
    " \"last\": \"all(a in agents: a.answered > 2000)\"}}}}"

#define PLATFORM_HEAD                                                                           \
    "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n" \
    "<platform version=\"4.1\"><zone id=\"storm\" routing=\"None\">\n"

struct storm {
    struct cor_process_experiment *experiment;
    const struct cor_process_arm *arm;
    struct cor_cluster *cluster;
    struct cor_schedule_generator *generator;
    struct watched {
        struct cor_process_runner *runner;
        struct cor_schedule_generator *generator;
    } watched[2]; /* the same with a corridor; and with traps besides */
    struct cor_process_schedule schedule;
    struct cor_stream_name name;
};

static void open_storm(struct storm *s) {
    struct cor_error error = COR_NO_ERROR;
    char *text = bench_kept(
        cor_format(STORM_EXPERIMENT, CORRIDOR_STORM_MODULE, STORM_PROCESSES, 2 * MESSAGES, STORM_PINGS));
    bench_must(cor_process_experiment_parse(text, "storm.json", NULL, &s->experiment, &error), &error);
    free(text);
    s->arm = &s->experiment->arms[0];
    const struct cor_process_setting setting = cor_process_setting_of(s->experiment, 0);
    const struct cor_schedule_options options = cor_process_generator_options(s->arm);
    bench_must(cor_cluster_create(&setting.cluster, &s->cluster, &error), &error);
    bench_must(
        cor_schedule_generator_create(s->arm->generators[0], s->cluster, &options, &s->generator, &error),
        &error);
    for (uint32_t w = 0; w < 2; w++) {
        const struct cor_process_setting arm = cor_process_setting_of(s->experiment, w);
        bench_must(cor_process_runner_create(&arm, &s->watched[w].runner, &error), &error);
        bench_must(cor_schedule_generator_create(s->arm->generators[0],
                                                 cor_process_runner_cluster(s->watched[w].runner), &options,
                                                 &s->watched[w].generator, &error),
                   &error);
    }
    s->name = cor_process_stream_name(s->experiment, 0, 0);
}

static void close_storm(struct storm *s) {
    for (uint32_t w = 0; w < 2; w++) {
        cor_schedule_generator_destroy(s->arm->generators[0], s->watched[w].generator);
        cor_process_runner_destroy(s->watched[w].runner);
    }
    cor_schedule_generator_destroy(s->arm->generators[0], s->generator);
    cor_cluster_destroy(s->cluster);
    cor_process_schedule_fini(&s->schedule);
    cor_process_experiment_destroy(s->experiment);
}

static double must_be_whole(uint64_t messages, const char *whose) {
    if (messages != MESSAGES) {
        fprintf(stderr, "bench: %s storm has %llu messages, and not %d\n", whose,
                (unsigned long long)messages, MESSAGES);
        exit(1);
    }
    return MESSAGES;
}

/* The host alone: what comes next, and it happens, until nothing is left. */
static double storm(void *context) {
    struct storm *s = context;
    const struct cor_weather *weather = &s->arm->environment.weather[0];
    struct cor_error error = COR_NO_ERROR;
    struct cor_process_event event;
    uint64_t messages = 0;
    bench_must(cor_cluster_reset(s->cluster, &s->name, &error), &error);
    bench_must(s->arm->generators[0]->begin(s->generator, &s->name, &error), &error);
    for (;;) {
        bool happened;
        bench_must(s->arm->generators[0]->next(s->generator, weather, &event, &error), &error);
        if (event.kind == COR_PROCESS_EVENT_TICK)
            break;
        bench_must(cor_cluster_happen(s->cluster, &event, &happened, &error), &error);
        messages += happened;
    }
    s->name.sequence++;
    return must_be_whole(messages, "our");
}

static double watch(struct storm *s, const struct watched *watched, uint64_t met) {
    const struct cor_weather *const weather[] = {&s->arm->environment.weather[0]};
    struct cor_error error = COR_NO_ERROR;
    struct cor_process_outcome outcome;
    bench_must(cor_process_run(watched->runner, &s->name, s->arm->generators[0], watched->generator, weather,
                               1, &s->schedule, &outcome, &error),
               &error);
    s->name.sequence++;
    return must_be_whole(outcome.met == met ? outcome.messages : 0, "our");
}

static double watched_storm(void *context) {
    struct storm *s = context;
    return watch(s, &s->watched[0], 0);
}

static double trapped_storm(void *context) {
    struct storm *s = context;
    return watch(s, &s->watched[1], 3);
}

#if HAS_SIMGRID
static char *write_platform(const struct bench_places *places) {
    char *path = bench_kept(cor_format("%s/storm.xml", places->folder));
    FILE *file = fopen(path, "w");
    if (!file)
        bench_fail(path);
    fputs(PLATFORM_HEAD, file);
    for (uint32_t p = 0; p < STORM_PROCESSES; p++)
        fprintf(file, "<host id=\"%u\" speed=\"1Gf\"/>\n", p);
    fputs("</zone></platform>\n", file);
    if (fclose(file) != 0)
        bench_fail(path);
    return path;
}

/* Seconds of processor time for a message, the median; *note gets the version. */
static double simgrid(const struct bench_places *places, const char *platform, char *note, size_t size) {
    double seconds[REPEATS];
    char *answer = bench_kept(cor_format("%s/storm.txt", places->folder));
    const char *const arguments[] = {CORRIDOR_STORM_SIMGRID,
                                     "--cfg=network/model:Constant",
                                     "--log=root.threshold:warning",
                                     platform,
                                     answer,
                                     NULL};
    for (int r = 0; r < REPEATS; r++) {
        unsigned long long messages = 0;
        int major = 0, minor = 0;
        (void)bench_program(arguments, false);
        FILE *file = fopen(answer, "r");
        if (!file)
            bench_fail(answer);
        if (fscanf(file, "%lf %llu %d %d", &seconds[r], &messages, &major, &minor) != 4)
            messages = 0;
        fclose(file);
        (void)must_be_whole(messages, "SimGrid's");
        snprintf(note, size, "SimGrid %d.%d", major, minor);
    }
    free(answer);
    return bench_median(seconds, REPEATS) / MESSAGES;
}
#endif

void bench_storm(const struct bench_places *places, struct bench_figure *figures) {
    struct storm s = {0};
    open_storm(&s);
#if HAS_SIMGRID
    char *platform = write_platform(places);
    figures[0].value = 1e-6 / bench_measure(storm, NULL, &s, bench_careful).seconds;
    figures[0].reference = 1e-6 / simgrid(places, platform, figures[0].note, sizeof figures[0].note);
    free(platform);
#else
    (void)places, (void)storm;
    figures[0] = (struct bench_figure){NAN, NAN, "not measured: libsimgrid-dev is missing"};
#endif
    const struct bench_times times = bench_measure(trapped_storm, watched_storm, &s, bench_careful);
    figures[1] = (struct bench_figure){1e-6 / times.reference, NAN, ""};
    figures[2] = (struct bench_figure){1e-6 / times.seconds, 1e-6 / times.reference, ""};
    close_storm(&s);
}
