/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The same work by programs that others would write it in: a case of 500 agents in numpy, in Octave and in
 * AgentScript, a search of PSOPP in numpy. Each gets the problem as a file of numbers and answers with the
 * processor time that the work took, its own start not counted, and with what came out, which is checked.
 * What is not installed is said, and not measured. Only where `--peers` asks for it. */
#include "setting.h"

#include <corridor/array.h>
#include <corridor/state.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define AGENTSCRIPT "agentscript@0.10.27"

enum { AGENTS = 500, MOVES = 1000 };

struct peer {
    const char *name, *interpreter, *script; /* as found by PATH; below experiments/bench/peers */
    const char *probe, *missing;             /* succeeds where it is installed; else what to install */
};

static const struct peer steps[] = {
    {"numpy", "python3", "step.py", "python3 -c 'import numpy'", "numpy (python3-numpy)"},
    {"Octave", "octave-cli", "step.m", "octave-cli --version", "Octave (octave)"},
    {"AgentScript", "node", "step.mjs",
     "node --version && (test -d build/peers/node_modules/agentscript || npm install --prefix build/peers "
     "--no-save --no-audit --no-fund " AGENTSCRIPT ")",
     "AgentScript: node is not installed, or npm has no network to fetch " AGENTSCRIPT},
};
static const struct peer search = {"numpy", "python3", "psopp.py", "python3 -c 'import numpy'",
                                   "numpy (python3-numpy)"};

static bool is_installed(const struct peer *peer, struct bench_figure *figure) {
    char command[512];
    snprintf(command, sizeof command, "(%s) > /dev/null 2>&1", peer->probe);
    bool installed = system(command) == 0; /* NOLINT(cert-env33-c): constant text */
    if (!installed) {
        figure->value = NAN;
        snprintf(figure->note, sizeof figure->note, "not measured: there is no %s", peer->missing);
    }
    return installed;
}

/* Ends the benchmark: times of different work are not to be compared. */
static _Noreturn void refuse(const struct peer *peer) {
    fprintf(stderr, "bench: experiments/bench/peers/%s: %s came to another result than Corridor\n",
            peer->script, peer->name);
    exit(1);
}

/* Lets the peer answer. */
static FILE *ask(const struct bench_places *places, const struct peer *peer, const char *problem) {
    char *script = bench_kept(cor_format("%s/experiments/bench/peers/%s", places->source, peer->script));
    char *answer = bench_path(places, "answer.txt");
    const char *const arguments[] = {"/usr/bin/env", peer->interpreter, script, problem,
                                     answer,         "build/peers",     NULL};
    (void)bench_program(arguments, false);
    FILE *file = fopen(answer, "r");
    if (!file)
        bench_fail(answer);
    COR_FREE(script, answer);
    return file;
}

static FILE *begin_problem(const struct bench_places *places, char **path) {
    *path = bench_path(places, "problem.txt");
    FILE *file = fopen(*path, "w");
    if (!file)
        bench_fail(*path);
    return file;
}

static void end_problem(FILE *file, const char *path) {
    if (fclose(file) != 0)
        bench_fail(path);
}

/* ours: a sequence of a suite without reorganizations */
struct sequence {
    struct bench_suite suite;
    struct cor_state *state;
    uint32_t alarms; /* of the last run */
};

static double run_sequence(void *context) {
    struct sequence *s = context;
    const struct cor_walk *walk = &s->suite.walks[0];
    const struct cor_configuration *c = s->suite.suite->configuration;
    struct cor_stream_name name = s->suite.suite->name;
    struct cor_monitor_memory monitor = {0};
    s->alarms = 0;
    cor_state_restart(s->state, cor_walk_at(walk, 0));
    for (uint32_t i = 1; i <= walk->case_count; i++) {
        name.identity = i;
        cor_state_perceive(s->state, cor_walk_at(walk, i), &name);
        s->alarms += cor_monitor_alarm(&monitor, c, cor_monitor_dissimilarity(s->state), &name);
    }
    return walk->case_count;
}

/* Sums come out equal but for the order of additions, alarms exactly. */
static void measure_step(const struct bench_places *places, const struct peer *peer, const char *problem,
                         const struct sequence *s, struct bench_figure *figure) {
    double seconds, sum, ours = 0;
    uint32_t alarms;
    if (!is_installed(peer, figure))
        return;
    FILE *file = ask(places, peer, problem);
    bool answered = fscanf(file, "%lf %lf %u", &seconds, &sum, &alarms) == 3;
    fclose(file);
    for (uint32_t a = 0; a < s->suite.suite->configuration->agent_count; a++)
        ours += s->state->value[a];
    if (!answered || fabs(sum - ours) > 1e-9 * ours || alarms != s->alarms)
        refuse(peer);
    figure->value = 1e6 * seconds;
    snprintf(figure->note, sizeof figure->note, "the same sum of values, %u alarms", alarms);
}

void bench_peers_step(const struct bench_places *places, struct bench_figure *figures) {
    struct cor_error error = COR_NO_ERROR;
    struct bench_scale scale = bench_usual(bench_random);
    struct sequence s = {.alarms = 0};
    struct cor_experiment *experiment = bench_scale_read(places, &scale);
    bench_suite_open(&s.suite, experiment, 0, 0);
    bench_must(cor_state_create(s.suite.suite->configuration, &s.state, &error), &error);
    const double ours = 1e6 * bench_measure(run_sequence, NULL, &s, bench_careful).seconds;
    const struct cor_configuration *c = s.suite.suite->configuration;
    const struct cor_walk *walk = &s.suite.walks[0];
    char *problem;
    FILE *file = begin_problem(places, &problem);
    fprintf(file, "%u %u %u %u %.17g\n", c->agent_count, c->group_count, walk->chain_count, walk->case_count,
            c->threshold);
    for (uint32_t g = 0; g < c->group_count; g++) {
        const uint32_t first = c->group_start[g], chain = c->chain_of_group[g];
        const struct cor_effect *effect = cor_configuration_effect(c, c->type[first], chain);
        fprintf(file, "%u %u %u %u %u %u", first, c->group_start[g + 1], chain, effect->environment_states,
                effect->relevant_count, effect->state_count);
        for (uint32_t i = 0; i < effect->environment_states; i++)
            fprintf(file, " %u", effect->relevant[i]);
        for (uint32_t i = 0; i < effect->relevant_count * effect->state_count; i++)
            fprintf(file, " %u", effect->next[i]);
        for (uint32_t i = 0; i < effect->state_count; i++)
            fprintf(file, " %.17g", effect->level[i]);
        fputc('\n', file);
    }
    for (uint32_t a = 0; a < c->agent_count; a++)
        fprintf(file, "%u %.17g %.17g %u\n", c->initial_state[a], c->initial_value[a], c->inertia[a],
                c->initial_partition[a]);
    for (uint32_t i = 1; i <= walk->case_count; i++)
        for (uint32_t chain = 0; chain < walk->chain_count; chain++)
            fprintf(file, "%u%c", cor_walk_at(walk, i)[chain], chain + 1 < walk->chain_count ? ' ' : '\n');
    end_problem(file, problem);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        figures[i].reference = ours;
        measure_step(places, &steps[i], problem, &s, &figures[i]);
    }
    free(problem);
    cor_state_destroy(s.state);
    bench_suite_close(&s.suite);
    cor_experiment_destroy(experiment);
}

static double search_once(void *context) {
    bench_task_run(context, 0);
    return 1;
}

static char *write_search(const struct bench_places *places, const struct bench_tasks *tasks) {
    char *path;
    FILE *file = begin_problem(places, &path);
    fprintf(file, "%u %u %u %u %u %u\n", AGENTS, tasks->rules.size_min, tasks->rules.size_max,
            tasks->rules.count_min, tasks->rules.count_max, MOVES);
    for (uint32_t a = 0; a < AGENTS; a++)
        fprintf(file, "%.17g\n", tasks->task[0].values[a]);
    end_problem(file, path);
    return path;
}

/* The labels of the answer as blocks; empty if they keep no limits. */
static void read_blocks(FILE *file, const struct cor_rules *rules, struct cor_lists *blocks) {
    struct cor_error error = COR_NO_ERROR;
    uint32_t label[AGENTS], members[AGENTS], all = 0;
    bool kept = true;
    for (uint32_t a = 0; a < AGENTS; a++)
        kept = fscanf(file, "%u", &label[a]) == 1 && kept;
    for (uint32_t b = 0; kept && b <= rules->count_max; b++) {
        uint32_t count = 0;
        for (uint32_t a = 0; a < AGENTS; a++)
            if (label[a] == b)
                members[count++] = a;
        all += count;
        kept = count == 0 || (count >= rules->size_min && count <= rules->size_max);
        if (count > 0)
            bench_must(cor_lists_put(blocks, members, count, &error), &error);
    }
    if (!kept || all != AGENTS || blocks->block_count < rules->count_min ||
        blocks->block_count > rules->count_max)
        cor_lists_clear(blocks);
}

/* Both keep the limits, and values are reckoned here; what they are is chance in part. */
static void measure_search(const struct bench_places *places, struct bench_tasks *tasks,
                           struct bench_figure *figure) {
    double seconds, found;
    struct cor_lists blocks;
    if (!is_installed(&search, figure))
        return;
    char *problem = write_search(places, tasks);
    FILE *file = ask(places, &search, problem);
    cor_lists_init(&blocks);
    bool answered = fscanf(file, "%lf %lf", &seconds, &found) == 2;
    if (answered)
        read_blocks(file, &tasks->rules, &blocks);
    fclose(file);
    const double *values = tasks->task[0].values;
    if (blocks.block_count == 0 || fabs(bench_deviation(&blocks, values, AGENTS) - found) > 1e-9)
        refuse(&search);
    figure->value = 1e6 * seconds;
    snprintf(figure->note, sizeof figure->note, "%u moves find %.3g, ours %.3g", MOVES, found,
             bench_deviation(&tasks->outcome.solution, values, AGENTS));
    cor_lists_fini(&blocks);
    free(problem);
}

void bench_peers_search(const struct bench_places *places, struct bench_figure *figures) {
    struct bench_tasks tasks;
    struct bench_scale scale = bench_usual(bench_psopp);
    struct cor_experiment *experiment = bench_scale_read(places, &scale);
    bench_tasks_open(&tasks, experiment, 0, 0, 1, true);
    COR_ASSERT(tasks.suite.suite->configuration->agent_count == AGENTS && tasks.rules.budget == MOVES);
    figures[0].reference = 1e6 * bench_measure(search_once, NULL, &tasks, bench_careful).seconds;
    measure_search(places, &tasks, &figures[0]);
    bench_tasks_close(&tasks);
    cor_experiment_destroy(experiment);
}
