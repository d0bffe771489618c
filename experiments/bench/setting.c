/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "setting.h"

#include "timing.h"

#include <corridor/array.h>
#include <corridor/state.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const bench_random = "\"algorithm\": \"random\"";
const char *const bench_spada = BENCH_SPADA;
const char *const bench_psopp = BENCH_PSOPP("4", "1", "1000");

struct bench_scale bench_usual(const char *algorithm) {
    return (struct bench_scale){.agents = 500,
                                .groups = 35,
                                .states = 15,
                                .size_min = 2,
                                .size_max = 50,
                                .count_min = 11,
                                .count_max = 40,
                                .suites = 1,
                                .sequences = 4,
                                .cases = 500,
                                .algorithm = algorithm,
                                .alarm_rate = 0.17,
                                .pilot_cases = 200};
}

static uint32_t larger(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

struct bench_scale bench_scale_of(const char *algorithm, uint32_t agents) {
    struct bench_scale scale = bench_usual(algorithm);
    scale.agents = agents;
    scale.groups = agents / 2 < 35 ? agents / 2 : 35;
    scale.size_max = agents / 2 < 50 ? agents / 2 : 50;
    scale.count_min = larger(2, agents / 40);
    scale.count_max = larger(2, agents / 15);
    scale.sequences = 1;
    return scale;
}

void bench_scale_write(const struct bench_scale *s, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file)
        bench_fail(path);
    fprintf(file,
            "{\"corridor_experiment\": 1, \"name\": \"bench\", \"seed\": \"0xbe\", \"mode\": \"paired\",\n"
            " \"suites\": %u, \"sequences\": %u, \"cases\": %u, \"arms\": [{\"name\": \"arm\", %s}],\n"
            " \"model\": {\"corridor_model\": 1, \"agents\": %u, \"groups\": {\"count\": %u},\n"
            "  \"structure\": {\"size_min\": %u, \"size_max\": %u, \"count_min\": %u, \"count_max\": %u},\n"
            "  \"environments\": {\"weather\": {\"random\": {\"states\": %u}}}, \"inertia\": [0.2, 1.0],\n"
            "  \"types\": {\"agent\": {\"level\": [0.2, 1.0]}},",
            s->suites, s->sequences, s->cases, s->algorithm, s->agents, s->groups, s->size_min, s->size_max,
            s->count_min, s->count_max, s->states);
    if (s->attributes)
        fprintf(file, " \"attributes\": {%s},", s->attributes);
    if (s->locations > 0)
        fprintf(file, " \"locations\": %u,", s->locations);
    if (s->pilot_cases > 0)
        fprintf(file,
                " \"invariant\": {\"threshold\": {\"alarm_rate\": %.9g, \"pilot_cases\": %u, \"pilot\": "
                "\"random\"}}}",
                s->alarm_rate, s->pilot_cases);
    else
        fprintf(file, " \"invariant\": {\"threshold\": %.9g}}", s->threshold);
    if (s->corridor)
        fprintf(file, ",\n \"corridor\": %s", s->corridor);
    fputs("}\n", file);
    if (fclose(file) != 0)
        bench_fail(path);
}

char *bench_path(const struct bench_places *places, const char *name) {
    return bench_kept(cor_format("%s/%s", places->folder, name));
}

struct cor_experiment *bench_experiment_read(const char *folder, const char *name) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_experiment *experiment = NULL;
    COR_FREED char *path = bench_kept(cor_format("%s/%s", folder, name));
    bench_must(cor_experiment_read(path, &experiment, &error), &error);
    return experiment;
}

struct cor_experiment *bench_scale_read(const struct bench_places *places, const struct bench_scale *scale) {
    COR_FREED char *path = bench_path(places, "scale.json");
    bench_scale_write(scale, path);
    return bench_experiment_read(places->folder, "scale.json");
}

void bench_suite_open(struct bench_suite *b, const struct cor_experiment *experiment, uint32_t arm,
                      uint32_t index) {
    struct cor_error error = COR_NO_ERROR;
    *b = (struct bench_suite){0};
    bench_must(cor_suite_generate(experiment, arm, index, &b->suite, &error), &error);
    bench_must(cor_session_create(&b->suite->arm->session, &b->session, &error), &error);
    bench_must(cor_record_create(&cor_interaction_schema, &b->record, &error), &error);
    b->walks = bench_kept(cor_calloc(experiment->sequence_count, sizeof *b->walks));
    for (uint32_t s = 0; s < experiment->sequence_count; s++)
        bench_must(cor_suite_walk(b->suite, s, &b->walks[s], &error), &error);
}

void bench_suite_close(struct bench_suite *b) {
    for (uint32_t s = 0; s < b->suite->sequence_count; s++)
        cor_walk_fini(&b->walks[s]);
    free(b->walks);
    cor_record_destroy(b->record);
    cor_session_destroy(b->session);
    cor_suite_destroy(b->suite);
}

double bench_suite_run(struct bench_suite *b) {
    struct cor_error error = COR_NO_ERROR;
    COR_DESTROYED(cor_runner) struct cor_runner *runner = NULL;
    const struct cor_execution execution = {b->suite, b->session, false};
    bench_must(cor_runner_create(&execution, b->record, &runner, &error), &error);
    for (uint32_t s = 0; s < b->suite->sequence_count; s++) {
        const struct cor_walk_definition walk = cor_suite_walk_definition(b->suite, s, NULL);
        bench_must(cor_sequence_begin(runner, &walk, &error), &error);
        while (!cor_sequence_is_over(runner))
            bench_must(cor_sequence_case(runner, &error), &error);
        bench_must(cor_sequence_end(runner, &error), &error);
    }
    bench_must(cor_runner_finish(runner, &error), &error);
    return (double)cor_record_size(b->record, COR_TABLE_CASES);
}

void bench_task_run(struct bench_tasks *tasks, uint32_t index) {
    COR_ASSERT(index < tasks->count);
    struct cor_error error = COR_NO_ERROR;
    const struct bench_task *kept = &tasks->task[index];
    const double *values = kept->values;
    const struct cor_task task = {
        .struct_size = sizeof task,
        .agent_count = tasks->suite.suite->configuration->agent_count,
        .rules = &tasks->rules,
        .values = &values,
        .block_count = kept->structure.block_count,
        .block_start = kept->structure.start,
        .members = kept->structure.members,
    };
    bench_must(cor_session_reorganize(tasks->suite.session, &task, &kept->name, &tasks->outcome, &error),
               &error);
    tasks->reorganizations++;
    tasks->spent += (double)tasks->outcome.spent;
    tasks->messages += (double)(tasks->outcome.messages - tasks->outcome.messages_lost);
}

void bench_tasks_open(struct bench_tasks *tasks, const struct cor_experiment *experiment, uint32_t arm,
                      uint32_t index, uint32_t count, bool always) {
    struct cor_error error = COR_NO_ERROR;
    COR_DESTROYED(cor_state) struct cor_state *state = NULL;
    struct cor_adopter *adopter;
    *tasks = (struct bench_tasks){0};
    bench_suite_open(&tasks->suite, experiment, arm, index);
    cor_outcome_init(&tasks->outcome);
    tasks->rules = cor_suite_rules(tasks->suite.suite);
    tasks->task = bench_kept(cor_calloc(count, sizeof *tasks->task));
    const struct cor_configuration *c = tasks->suite.suite->configuration;
    bench_must(cor_state_create(c, &state, &error), &error);
    bench_must(cor_adopter_create(c->agent_count, &adopter, &error), &error);
    struct bench_suite *b = &tasks->suite;
    for (uint32_t s = 0; s < b->suite->sequence_count; s++) {
        const struct cor_walk *walk = &b->walks[s];
        struct cor_stream_name name = b->suite->name;
        struct cor_monitor_memory monitor = {0};
        name.sequence = s;
        cor_state_restart(state, cor_walk_at(walk, 0));
        for (uint32_t i = 1; i <= walk->case_count && tasks->count < count; i++) {
            name.identity = i;
            cor_state_perceive(state, cor_walk_at(walk, i), &name);
            bool alarm = cor_monitor_alarm(&monitor, c, cor_monitor_dissimilarity(state), &name);
            if (alarm || always) {
                /* Keeps what the state asks for, and answers it. */
                struct cor_error failed = COR_NO_ERROR;
                struct cor_adoption_report report;
                uint32_t agents = tasks->suite.suite->configuration->agent_count;
                struct bench_task *task = &tasks->task[tasks->count++];
                task->name = name;
                task->values = bench_kept(cor_calloc(agents, sizeof *task->values));
                memcpy(task->values, state->value, agents * sizeof *task->values);
                bench_must(cor_state_lists(state, &task->structure, &failed), &failed);
                bench_task_run(tasks, tasks->count - 1);
                bench_must(
                    cor_adopt(adopter, state, &tasks->outcome.solution, NULL, 0, &name, &report, &failed),
                    &failed);
            }
        }
    }
    cor_adopter_destroy(adopter);
    tasks->spent = tasks->messages = tasks->reorganizations = 0;
}

void bench_tasks_close(struct bench_tasks *tasks) {
    for (uint32_t i = 0; i < tasks->count; i++) {
        cor_lists_fini(&tasks->task[i].structure);
        free(tasks->task[i].values);
    }
    free(tasks->task);
    cor_outcome_fini(&tasks->outcome);
    bench_suite_close(&tasks->suite);
}

double bench_tasks_run(void *context) {
    struct bench_tasks *tasks = context;
    for (uint32_t i = 0; i < tasks->count; i++)
        bench_task_run(tasks, i);
    return tasks->count;
}

double bench_deviation(const struct cor_lists *blocks, const double *values, uint32_t agents) {
    double squares = 0, mean = 0;
    for (uint32_t a = 0; a < agents; a++)
        mean += values[a] / agents;
    for (uint32_t b = 0; b < blocks->block_count; b++) {
        double sum = 0;
        for (uint32_t m = blocks->start[b]; m < blocks->start[b + 1]; m++)
            sum += values[blocks->members[m]];
        double deviation = sum / cor_lists_size(blocks, b) - mean;
        squares += deviation * deviation;
    }
    return sqrt(squares / blocks->block_count);
}
