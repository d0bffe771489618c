/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two algorithms of the paper, alone: reorganizations that came up in a suite are run again. */
#include "setting.h"

#include <corridor/array.h>
#include <corridor/cell.h>
#include <corridor/host.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What PSOPP of version 0.1 (commit 3d4ae39) found with so many moves: geometric mean, over the first
 * `searches` tasks below, of the root mean square deviation of the block means. */
static const struct quality {
    uint64_t moves;
    uint32_t policy, searches;
    double reached;
} qualities[] = {
    {1000, 1, 128, 0.030092}, {30000, 1, 48, 0.0023081}, {1000, 0, 128, 0.030020}, {30000, 0, 48, 0.0062156}};

enum { QUALITIES = sizeof qualities / sizeof *qualities, AGENTS = 500, BLOCKS = 22, SEARCHES = 128 };

/* Replaces the one task that was taken by searches that depend on nothing but the algorithm: uniform
 * values, dealt out to blocks in turn. */
static void draw_tasks(struct bench_tasks *tasks) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
    cor_lists_fini(&tasks->task[0].structure);
    COR_FREE(tasks->task[0].values, tasks->task);
    tasks->task = bench_kept(cor_calloc(SEARCHES, sizeof *tasks->task));
    tasks->count = SEARCHES;
    for (uint32_t i = 0; i < SEARCHES; i++) {
        struct bench_task *task = &tasks->task[i];
        *task = (struct bench_task){.values = bench_kept(cor_calloc(AGENTS, sizeof *task->values)),
                                    .name = {.seed = 1, .identity = i}};
        cor_lists_init(&task->structure);
        for (uint32_t a = 0; a < AGENTS; a++)
            task->values[a] = cor_rng_unit(&rng);
        for (uint32_t b = 0; b < BLOCKS; b++) {
            uint32_t members[AGENTS / BLOCKS + 1], count = 0;
            for (uint32_t a = b; a < AGENTS; a += BLOCKS)
                members[count++] = a;
            bench_must(cor_lists_put(&task->structure, members, count, &error), &error);
        }
    }
}

struct search {
    struct bench_tasks tasks;
    uint32_t searches;
};

static double search_all(void *context) {
    struct search *s = context;
    for (uint32_t i = 0; i < s->searches; i++)
        bench_task_run(&s->tasks, i);
    return s->searches;
}

/* What is found with so many moves; never worse with more, as a search with more begins with these. */
static double found_with(struct search *s, uint64_t moves) {
    double logs = 0;
    s->tasks.rules.budget = moves;
    for (uint32_t i = 0; i < s->searches; i++) {
        bench_task_run(&s->tasks, i);
        logs += log(bench_deviation(&s->tasks.outcome.solution, s->tasks.task[i].values, AGENTS));
    }
    return exp(logs / s->searches);
}

void bench_psopp_quality(const struct bench_places *places, struct bench_figure *figures) {
    for (uint32_t i = 0; i < QUALITIES; i++) {
        const struct quality *quality = &qualities[i];
        struct bench_figure *figure = &figures[i];
        char algorithm[256];
        snprintf(algorithm, sizeof algorithm, BENCH_PSOPP("%u", "%u", "%u"), 4, quality->policy, 1000);
        struct bench_scale scale = bench_usual(algorithm);
        COR_DESTROYED(cor_experiment) struct cor_experiment *experiment = bench_scale_read(places, &scale);
        struct search s = {.searches = quality->searches};
        bench_tasks_open(&s.tasks, experiment, 0, 0, 1, true); /* for rules and session */
        draw_tasks(&s.tasks);
        double found = found_with(&s, quality->moves);
        /* The fewest moves with which so much is found, one in a hundred more or less; at most four times
         * those of version 0.1, also if that is too few. */
        uint64_t low = quality->moves / 16, moves = 4 * quality->moves;
        while (moves - low > moves / 100) {
            uint64_t middle = (uint64_t)sqrt((double)low * (double)moves);
            if (middle <= low)
                break;
            if (found_with(&s, middle) <= quality->reached)
                moves = middle;
            else
                low = middle;
        }
        s.tasks.rules.budget = moves;
        figure->value = 1e6 * bench_measure(search_all, NULL, &s, bench_careful).seconds;
        snprintf(figure->note, sizeof figure->note,
                 "%llu moves reach %.5g, as %llu of version 0.1 do, which now reach %.5g; %u searches",
                 (unsigned long long)moves, quality->reached, (unsigned long long)quality->moves, found,
                 quality->searches);
        bench_tasks_close(&s.tasks);
    }
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
    COR_DESTROYED(cor_experiment)
    struct cor_experiment *experiment = bench_experiment_read(places->source, "experiments/bench/law.json");
    COR_FREED struct bench_tasks *tasks = bench_kept(cor_calloc(LAW_SUITES, sizeof *tasks));
    for (uint32_t s = 0; s < LAW_SUITES; s++)
        bench_tasks_open(&tasks[s], experiment, 0, s, LAW_TASKS, false);
    figures[0].value = 1e-6 / bench_measure(search_law, NULL, tasks, bench_careful).seconds;
    snprintf(figures[0].note, sizeof figures[0].note,
             "%d suites, with begin and result of each reorganization", LAW_SUITES);
    for (uint32_t s = 0; s < LAW_SUITES; s++)
        bench_tasks_close(&tasks[s]);
}

struct spada_work {
    double seconds, messages, blocks; /* a reorganization */
};

static struct spada_work measure_spada(const struct bench_places *places, const char *algorithm) {
    struct bench_scale scale = bench_usual(algorithm);
    scale.count_min = scale.count_max = 22;
    COR_DESTROYED(cor_experiment) struct cor_experiment *experiment = bench_scale_read(places, &scale);
    COR_ENDED_BY(bench_tasks_close) struct bench_tasks tasks = {0};
    bench_tasks_open(&tasks, experiment, 0, 0, SPADA_TASKS, false);
    struct spada_work work = {.seconds = bench_measure(bench_tasks_run, NULL, &tasks, bench_careful).seconds};
    work.messages = tasks.messages / tasks.reorganizations;
    for (uint32_t i = 0; i < tasks.count; i++)
        work.blocks += tasks.task[i].structure.block_count / (double)tasks.count;
    return work;
}

/* A reorganization; and a message, as what the time grows by if leaders gossip on to the bound. */
void bench_spada_mail(const struct bench_places *places, struct bench_figure *figures) {
    struct spada_work work = measure_spada(places, bench_spada);
    struct spada_work more = measure_spada(
        places, "\"algorithm\": \"spada\", \"parameters\": {\"acquaintances\": 10, \"candidates\": 5, "
                "\"integrations\": 5, \"gossip_rounds\": 200, \"gossip_accuracy\": 0, \"budget\": 2000}");
    figures[0].value = 1e6 * work.seconds;
    figures[1].value = 1e9 * (more.seconds - work.seconds) / (more.messages - work.messages);
    snprintf(figures[0].note, sizeof figures[0].note,
             "%u reorganizations of a suite, %.1f partitions, %.0f messages on average", SPADA_TASKS,
             work.blocks, work.messages);
    snprintf(figures[1].note, sizeof figures[1].note, "%.0f messages instead of %.0f, by more gossip",
             more.messages, work.messages);
}

/* A delivered message where one goes after the other, beside mail in order; the reorganization around it
 * included. */
void bench_spada_one_by_one(const struct bench_places *places, struct bench_figure *figures) {
    static const char *const modes[] = {
        BENCH_SPADA ", \"mail\": {\"mode\": \"pct\", \"depth\": 3, \"messages\": 2000}",
        BENCH_SPADA ", \"mail\": {\"mode\": \"bounded\", \"bound\": 2, \"messages\": 2000}"};
    const struct spada_work in_order = measure_spada(places, bench_spada);
    for (int i = 0; i < 2; i++) {
        const struct spada_work work = measure_spada(places, modes[i]);
        figures[i].value = 1e9 * work.seconds / work.messages;
        figures[i].reference = 1e9 * in_order.seconds / in_order.messages;
        snprintf(figures[i].note, sizeof figures[i].note, "%.0f messages a reorganization, in order %.0f",
                 work.messages, in_order.messages);
    }
}

/* ---- what a reorganization costs by where the algorithm works: the same one, algorithms/examples, in this
 * process, in a cell, in a cell with a fresh process each time, and as a program in C and in Python. It does
 * little, so the price is that of the way there and back. Waiting is part of it: wall time */

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
    COR_DESTROYED(cor_session) struct cor_session *session = NULL;
    struct cor_outcome outcome;
    COR_FREED struct guest_task *t = bench_kept(cor_calloc(1, sizeof *t));
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
    cor_outcome_fini(&outcome);
    return bench_median(seconds, REPEATS);
}

/* One place: a registry of its own. */
static void measure_place(const char *path, struct cor_isolation_definition isolation,
                          double seconds[SIZES]) {
    static const uint32_t sizes[SIZES] = {10, 100, 1000};
    struct cor_error error = COR_NO_ERROR;
    COR_DESTROYED(cor_registry) struct cor_registry *registry = NULL;
    const struct cor_algorithm *algorithm;
    bench_must(cor_registry_create(&isolation, &registry, &error), &error);
    bench_must(cor_registry_find(registry, path, &algorithm, &error), &error);
    const struct cor_session_definition definition = cor_registry_session(registry, algorithm);
    for (int s = 0; s < SIZES; s++)
        seconds[s] = measure(&definition, sizes[s]);
}

void bench_guests(const struct bench_places *places, struct bench_figure *figures) {
    double seconds[PLACES][SIZES];
    COR_FREED char *python =
        bench_kept(cor_format("%s/algorithms/examples/python/my_algo.py", places->source));
    const struct cor_isolation_definition here = {COR_ISOLATION_NEVER, false},
                                          cell = {COR_ISOLATION_UNTRUSTED, false},
                                          fresh = {COR_ISOLATION_UNTRUSTED, true};
    measure_place(CORRIDOR_EXAMPLE_MODULE, here, seconds[0]);
    measure_place(CORRIDOR_EXAMPLE_MODULE, cell, seconds[1]);
    measure_place(CORRIDOR_EXAMPLE_MODULE, fresh, seconds[2]);
    measure_place(CORRIDOR_EXAMPLE_PROGRAM, here, seconds[3]);
    measure_place(python, here, seconds[4]);
    for (int s = 0; s < SIZES; s++)
        for (int p = 0; p < PLACES; p++)
            figures[s * PLACES + p] =
                (struct bench_figure){1e6 * seconds[p][s], p > 0 ? 1e6 * seconds[0][s] : (double)NAN, ""};
}

void bench_python(const struct bench_places *places, struct bench_figure *figures) {
    COR_FREED char *script =
        bench_kept(cor_format("%s/experiments/python/tests/bench_python.py", places->source));
    COR_FREED char *quoted = bench_kept(cor_shell_quoted(script));
    COR_FREED char *library = bench_kept(cor_shell_quoted(CORRIDOR_LIBRARY));
    COR_FREED char *command = bench_kept(cor_format("python3 -B %s %s", quoted, library));
    double value[3] = {NAN, NAN, NAN};
    FILE *said = popen(command, "r"); /* NOLINT(cert-env33-c): paths of this build */
    const bool is_said = said && fscanf(said, "%lf %lf %lf", &value[0], &value[1], &value[2]) == 3;
    if (!said || pclose(said) != 0 || !is_said) {
        fprintf(stderr, "bench: %s: gave no figures\n", script);
        exit(1);
    }
    for (int i = 0; i < 3; i++)
        figures[i] = (struct bench_figure){i < 2 ? value[i] : value[i] / 1e3, NAN, ""};
}
