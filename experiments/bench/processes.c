/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Debian's libraft as a program under test: its experiment (experiments/library/processes/raft.json),
 * executed in this process. Where libraft-dev was not there, the rows say so. */
#include "peers/storm.h"
#include "timing.h"

#include <corridor/array.h>
#include <corridor/cell.h>
#include <corridor/json.h>
#include <corridor/process_experiment.h>
#include <corridor/process_law.h>
#include <corridor/process_layer.h>
#include <corridor/subject.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static void open_arm_of(struct executing *e, const char *path, const char *arm, int isolation) {
    struct cor_error error = COR_NO_ERROR;
    COR_FREED char *text = NULL;
    size_t length;
    uint32_t number = 0;
    bench_must(cor_json_read_text(path, &text, &length, &error), &error);
    bench_must(cor_process_experiment_parse(text, path, &(struct cor_layer_options){.isolation = isolation},
                                            &e->experiment, &error),
               &error);
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

static void open_arm(struct executing *e, const char *arm, int isolation) {
    open_arm_of(e, EXPERIMENT, arm, isolation);
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

static void close_arm(struct executing *e) {
    cor_schedule_generator_destroy(e->arm->generators[0], e->generator);
    cor_process_runner_destroy(e->runner);
    cor_process_schedule_fini(&e->schedule);
    cor_process_layer.subject->close(e->bench);
    cor_choices_fini(&e->failing.choices);
    cor_choices_fini(&e->shrunk.choices);
    cor_process_experiment_destroy(e->experiment);
}

/* The first schedule of Figure 8, or the next. */
static void find_failing_by(struct executing *e, const char *constraint) {
    const struct cor_subject *subject = cor_process_layer.subject;
    const uint32_t arm = (uint32_t)(e->arm - e->experiment->arms);
    struct cor_error error = COR_NO_ERROR;
    struct cor_run run;
    if (!e->bench)
        bench_must(subject->open(&e->experiment->head, arm, &e->bench, &error), &error);
    e->failing.arm = arm;
    e->failing.experiment = &e->experiment->head;
    e->failing.expected = constraint;
    for (; e->failing.sequence < TRIES_MOST; e->failing.sequence++) {
        bench_must(subject->make(e->bench, &e->failing, &run, &error), &error);
        if (strcmp(run.failure, e->failing.expected) == 0)
            return;
    }
    bench_fail("no schedule fails");
}

static void find_failing(struct executing *e) {
    find_failing_by(e, "agreed");
}

/* ---- failures made small, one by one */

enum { FAILURES = 20 };
#define SWIM "experiments/library/registries/swim.json"

static int compare_counts(const void *a, const void *b) {
    return (*(const size_t *)a > *(const size_t *)b) - (*(const size_t *)a < *(const size_t *)b);
}

/* figures: how many events are left over `fewest` known, the median; seconds of the slowest. */
static void shrink_failures(const char *path, const char *arm, const char *constraint, int isolation,
                            size_t fewest, struct bench_figure *figures) {
    struct executing e = {0};
    size_t left[FAILURES], found = 0;
    double slowest = 0;
    open_arm_of(&e, path, arm, isolation);
    for (uint32_t c = 0; c < e.arm->corridor->constraint_count; c++) /* else another comes first */
        e.arm->watched[c] = strcmp(e.arm->corridor->constraints[c].name, constraint) == 0;
    for (int f = 0; f < FAILURES; f++, e.failing.sequence++) {
        find_failing_by(&e, constraint);
        found += e.failing.choices.count;
        const double begun = cor_now();
        (void)shrink(&e);
        slowest = cor_now() - begun > slowest ? cor_now() - begun : slowest;
        left[f] = e.shrunk.choices.count;
    }
    close_arm(&e);
    qsort(left, FAILURES, sizeof *left, compare_counts);
    fewest = left[0] < fewest ? left[0] : fewest;
    const double median = (double)(left[FAILURES / 2 - 1] + left[FAILURES / 2]) / 2;
    figures[0] = (struct bench_figure){median / (double)fewest, NAN, ""};
    snprintf(figures[0].note, sizeof figures[0].note,
             "of %zu events on average %zu to %zu are left, the median %g; fewest known: %zu",
             found / FAILURES, left[0], left[FAILURES - 1], median, fewest);
    figures[1] = (struct bench_figure){slowest, NAN, ""};
}

void bench_shrinking_schedules(const struct bench_places *places, struct bench_figure *figures) {
    (void)places;
    for (int f = 0; f < 6; f++) {
        figures[f] = (struct bench_figure){NAN, NAN, ""};
        snprintf(figures[f].note, sizeof figures[f].note, "not measured: there is no %s",
                 f < 4 ? "libraft-dev" : "happn-swim (make registries)");
    }
    if (HAS_RAFT) {
        shrink_failures(EXPERIMENT, "figure_8", "agreed", COR_ISOLATION_NEVER, 25, figures);
        shrink_failures(EXPERIMENT, "figure_8_of_5", "agreed", COR_ISOLATION_NEVER, 43, figures + 2);
    }
    if (access("build/registries/node_modules/happn-swim", F_OK) == 0)
        shrink_failures(SWIM, "back", "back", COR_ISOLATION_UNTRUSTED, 4, figures + 4);
}

/* ---- branches of that schedule, from snapshots, and executed again; in cells, so by the clock on the wall
 */

enum { BEHIND = 200, BRANCHES = 1000, MOMENTS = 100, AHEAD = 30 };

struct branching {
    struct executing e;
    struct cor_process_law *law; /* by which they are followed */
    struct cor_process_trajectory trajectories[BRANCHES];
};

static double follow_branches(struct branching *b, uint32_t behind, uint32_t ahead) {
    struct cor_error error = COR_NO_ERROR;
    for (uint32_t n = 0; n < BRANCHES; n++)
        b->trajectories[n] = (struct cor_process_trajectory){
            .sequence = b->e.failing.sequence,
            .fork_count = 2,
            .forks = {{.number = b->e.failing.sequence}, {.steps = behind, .number = 1}},
            .until = COR_NONE,
            .height = -INFINITY,
            .target = INFINITY,
            .seed = n,
            .ahead = ahead};
    cor_process_law_ahead(b->law, b->trajectories, BRANCHES);
    for (uint32_t n = 0; n < BRANCHES; n++)
        bench_must(cor_process_law_follow(b->law, &b->trajectories[n], NULL, &error), &error);
    return BRANCHES;
}

static double branch(void *context) {
    return follow_branches(context, BEHIND, 1);
}

static double curve(void *context) {
    const struct branching *b = context;
    for (uint32_t m = 0; m < MOMENTS; m++)
        follow_branches(context, (uint32_t)(m * b->e.failing.choices.count / MOMENTS), AHEAD);
    return 1;
}

/* ---- splitting at how much is committed, in weather in which 12 entries are rare: as `corridor estimate`
 * does, each way with a law of its own */

#define SPLIT_EXPERIMENT                                                                                    \
    "{\"process\": {\"program\": \"raft.so\", \"count\": 3, \"network\": \"fifo\"}, \"seed\": 7, "          \
    "\"cases\": 1, "                                                                                        \
    "\"case\": 1000000, \"events\": 3000, \"corridor\": \"raft.corridor\", \"faults\": [\"lose\", "         \
    "\"crash\"], "                                                                                          \
    "\"inputs\": {\"request\": 1}, \"generators\": [\"timed\"], \"environment\": {\"states\": {\"calm\": {" \
    "\"input\": 300, \"lose\": 0.05, \"delay\": [1, 50], \"disk\": [1, 20], \"crash\": 3, \"down\": [200, " \
    "3000]}}}, "                                                                                            \
    "\"arms\": {\"raft\": {\"watch\": [\"agreed\"]}}, \"traps\": {\"l2\": \"any(a in agents: a.commit >= "  \
    "2)\", "                                                                                                \
    "\"l4\": \"any(a in agents: a.commit >= 4)\", \"l6\": \"any(a in agents: a.commit >= 6)\", "            \
    "\"l8\": \"any(a in agents: a.commit >= 8)\", \"l10\": \"any(a in agents: a.commit >= 10)\", "          \
    "\"l12\": \"any(a in agents: a.commit >= 12)\"}}"

enum { EFFORT = 100, LEVELS = 6 };

static double level_of(const void *data, const struct cor_process_law *law) {
    (void)data;
    return __builtin_popcountll(cor_process_law_outcome(law)->met);
}

struct splitting {
    struct cor_process_experiment *experiment;
    struct cor_process_law *laws[2]; /* by snapshots, executed again */
};

static double split(struct cor_process_law *law) {
    static struct cor_process_trajectory entries[2][EFFORT], all[EFFORT];
    struct cor_error error = COR_NO_ERROR;
    uint32_t count = 0, number = 0;
    for (uint32_t stage = 0; stage < LEVELS; stage++) {
        uint32_t reached = 0;
        for (uint32_t n = 0; n < EFFORT; n++) {
            all[n] = (struct cor_process_trajectory){.until = COR_NONE, .height = -INFINITY};
            if (stage > 0)
                all[n] = entries[stage % 2][n % count];
            all[n].forks[all[n].fork_count++].number = number++;
            all[n].target = stage + 1;
        }
        cor_process_law_ahead(law, all, EFFORT);
        for (uint32_t n = 0; n < EFFORT; n++) {
            bench_must(cor_process_law_follow(law, &all[n], NULL, &error), &error);
            struct cor_process_trajectory it = all[n];
            if (cor_process_law_is_over(law) || !(cor_process_law_height(law) >= it.target))
                continue;
            it.forks[it.fork_count] = cor_process_law_fork(law, 0);
            entries[(stage + 1) % 2][reached++] = it;
        }
        count = reached;
        if (count == 0)
            bench_fail("no schedule comes to a level");
    }
    return 1;
}

static double split_by_snapshots(void *context) {
    return split(((struct splitting *)context)->laws[0]);
}

static double split_again(void *context) {
    return split(((struct splitting *)context)->laws[1]);
}

static struct bench_figure bench_splitting(void) {
    static const struct cor_process_height height = {.of = level_of};
    static const struct bench_care care = {3, 0, cor_now};
    struct cor_error error = COR_NO_ERROR;
    struct splitting s = {.experiment = NULL};
    bench_must(cor_process_experiment_parse(SPLIT_EXPERIMENT, EXPERIMENT, NULL, &s.experiment, &error),
               &error);
    for (int l = 0; l < 2; l++)
        bench_must(cor_process_law_create(s.experiment, 0, NULL, &height, &s.laws[l], &error), &error);
    cor_process_law_use_forks(s.laws[1]);
    const struct bench_times times = bench_measure(split_by_snapshots, split_again, &s, care);
    for (int l = 0; l < 2; l++)
        cor_process_law_destroy(s.laws[l]);
    cor_process_experiment_destroy(s.experiment);
    return (struct bench_figure){times.seconds, times.reference, ""};
}

static void open_law(struct branching *b, struct cor_process_schedule *played) {
    struct cor_error error = COR_NO_ERROR;
    bench_must(cor_process_law_create(b->e.experiment, 0, NULL, &(struct cor_process_height){.of = NULL},
                                      &b->law, &error),
               &error);
    cor_process_law_play(b->law, played);
}

static void bench_branches(struct bench_figure *figures) {
    static const struct bench_care care = {5, .2, cor_now}, once = {1, 0, cor_now};
    struct cor_error error = COR_NO_ERROR;
    struct branching b = {.law = NULL};
    struct cor_process_schedule played = {0};
    open_arm(&b.e, "figure_8", COR_ISOLATION_UNTRUSTED);
    find_failing(&b.e);
    for (size_t c = 0; c < b.e.failing.choices.count; c++) {
        const struct cor_choice *choice = &b.e.failing.choices.items[c];
        const struct cor_process_event event = {.tick = choice->at,
                                                .kind = (uint8_t)choice->kind,
                                                .process = (uint8_t)choice->who,
                                                .peer = (uint8_t)choice->of,
                                                .what = (uint8_t)choice->what,
                                                .ordinal = choice->nth};
        bench_must(cor_process_schedule_add(&played, &event, &error), &error);
    }
    struct cor_process_arm *arm = &b.e.experiment->arms[0];
    const struct cor_schedule_generator_kind *const rounds = arm->generators[0];
    arm->generators[0] = cor_schedule_generator_of("random");
    open_law(&b, &played);
    figures[0] = (struct bench_figure){1e6 * bench_measure(branch, NULL, &b, care).seconds, NAN, ""};
    figures[1] = (struct bench_figure){bench_measure(curve, NULL, &b, once).seconds, NAN, ""};
    cor_process_law_use_forks(b.law);
    snprintf(figures[0].note, sizeof figures[0].note, "executed again %.3g us",
             1e6 * bench_measure(branch, NULL, &b, care).seconds);
    cor_process_law_destroy(b.law);
    cor_process_schedule_fini(&played);
    arm->generators[0] = rounds;
    close_arm(&b.e);
}

void bench_processes(const struct bench_places *places, struct bench_figure *figures) {
    static const char *const arms[] = {"figure_8", "figure_8_of_5"};
    (void)places;
    for (int f = 0; f < 8; f++)
        figures[f] = (struct bench_figure){NAN, NAN, "not measured: there is no libraft-dev"};
    for (int i = 0; i < 2 * HAS_RAFT; i++) {
        struct executing e = {0};
        open_arm(&e, arms[i], COR_ISOLATION_NEVER);
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
    if (HAS_RAFT) {
        bench_branches(figures + 5);
        figures[7] = bench_splitting();
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
    COR_FREED char *text = bench_kept(
        cor_format(STORM_EXPERIMENT, CORRIDOR_STORM_MODULE, STORM_PROCESSES, 2 * MESSAGES, STORM_PINGS));
    bench_must(cor_process_experiment_parse(text, "storm.json", NULL, &s->experiment, &error), &error);
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
/* Seconds of processor time for a message, the median; *note gets the version. */
static double simgrid(const struct bench_places *places, const char *platform, char *note, size_t size) {
    double seconds[REPEATS];
    COR_FREED char *answer = bench_kept(cor_format("%s/storm.txt", places->folder));
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
    return bench_median(seconds, REPEATS) / MESSAGES;
}
#endif

void bench_storm(const struct bench_places *places, struct bench_figure *figures) {
    struct storm s = {0};
    open_storm(&s);
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
#if HAS_SIMGRID
    COR_FREED char *platform = path;
    figures[0].value = 1e-6 / bench_measure(storm, NULL, &s, bench_careful).seconds;
    figures[0].reference = 1e-6 / simgrid(places, platform, figures[0].note, sizeof figures[0].note);
#else
    (void)places, (void)storm;
    figures[0] = (struct bench_figure){NAN, NAN, "not measured: libsimgrid-dev is missing"};
#endif
    const struct bench_times times = bench_measure(trapped_storm, watched_storm, &s, bench_careful);
    figures[1] = (struct bench_figure){1e-6 / times.reference, NAN, ""};
    figures[2] = (struct bench_figure){1e-6 / times.seconds, 1e-6 / times.reference, ""};
    for (uint32_t w = 0; w < 2; w++) {
        cor_schedule_generator_destroy(s.arm->generators[0], s.watched[w].generator);
        cor_process_runner_destroy(s.watched[w].runner);
    }
    cor_schedule_generator_destroy(s.arm->generators[0], s.generator);
    cor_cluster_destroy(s.cluster);
    cor_process_schedule_fini(&s.schedule);
    cor_process_experiment_destroy(s.experiment);
}
