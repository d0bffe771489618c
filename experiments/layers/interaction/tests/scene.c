/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene.h"

#include <corridor/terms.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const solutions[] = {
#define SCENE_DEED(NAME, solution) [NAME] = solution,
    SCENE_DEEDS(SCENE_DEED)
#undef SCENE_DEED
};

static void put(const struct cor_host *host, const char *solution) {
    uint32_t block[2 * SCENE_AGENTS], count = 0;
    for (;; solution++) {
        if (*solution == '|' || *solution == '\0') {
            host->put_block(host, block, count);
            count = 0;
        } else
            block[count++] = *solution == 'u' ? 99 : (uint32_t)(*solution - '0');
        if (*solution == '\0')
            return;
    }
}

static enum cor_progress scripted_result(void *state, const struct cor_task *task,
                                         const struct cor_host *host) {
    (void)state;
    uint32_t call = 0;
    if (task->kept_size > 0)
        memcpy(&call, task->kept, sizeof call);
    uint32_t last = SCENE_REORGANIZATIONS - 1, now = call < last ? call : last;
    enum scene_deed deed = (enum scene_deed)task->rules->parameters[now];
    call++;
    host->keep(host, &call, sizeof call);
    cor_count(host, 0, 0);
    cor_count(host, 1, (uint32_t)deed);
    *host->spent += 7;
    if (task->rules->fault != 0)
        *host->fault = deed == MISS   ? (struct cor_fault_counts){3, 2, 1, 1}
                       : deed == STAY ? (struct cor_fault_counts){2, 1, 1, 0}
                                      : (struct cor_fault_counts){1, 0, 0, 0};
    if (!solutions[deed]) {
        host->complain(host, "as told");
        return COR_FAILED;
    }
    put(host, solutions[deed]);
    return COR_DONE;
}

#define DEED_PARAMETER(number) \
    { "deed" #number, "1", "what to do in that call", 0, 0, SCENE_DEED_COUNT - 1, 1 }
static const struct cor_parameter script_parameters[] = {
    DEED_PARAMETER(0), DEED_PARAMETER(1), DEED_PARAMETER(2),
    DEED_PARAMETER(3), DEED_PARAMETER(4), DEED_PARAMETER(5),
    DEED_PARAMETER(6), DEED_PARAMETER(7), {0},
};
static const struct cor_counter script_counters[] = {
    {"calls", "times it was asked", 1}, {"deeds", "what it did", SCENE_DEED_COUNT}, {0}};
static const struct cor_fault script_faults[] = {{"seam", "told at each MISS"}, {0}};

#define SCRIPTED                                                                                          \
    COR_ALGORITHM, .version = "1", .summary = "does as told", .budget_unit = "units",                     \
                   .parameters = script_parameters, .counters = script_counters, .faults = script_faults, \
                   .result = scripted_result

const struct cor_algorithm scene_scripted = {SCRIPTED, .name = "scripted",
                                             .capabilities = COR_KEEPS | COR_LIMITS};
const struct cor_algorithm scene_free = {SCRIPTED, .name = "free", .capabilities = COR_KEEPS};

static enum cor_progress anytime_begin(void *state, const struct cor_task *task,
                                       const struct cor_host *host) {
    (void)state;
    (void)task;
    (void)host;
    return COR_CONTINUE;
}

static enum cor_progress anytime_step(void *state, const struct cor_task *task, const struct cor_host *host,
                                      uint64_t units) {
    (void)task;
    uint64_t *done = state;
    for (; units > 0 && *done < 6; units--) {
        ++*done;
        ++*host->spent;
    }
    return *done < 6 ? COR_CONTINUE : COR_DONE;
}

static enum cor_progress anytime_result(void *state, const struct cor_task *task,
                                        const struct cor_host *host) {
    (void)task;
    const uint64_t *done = state;
    put(host, solutions[*done < 4 ? MISS : GOOD]);
    return COR_DONE;
}

const struct cor_algorithm scene_anytime = {
    COR_ALGORITHM,
    .name = "anytime",
    .version = "1",
    .summary = "better after four units",
    .budget_unit = "units",
    .capabilities = COR_ANYTIME | COR_LIMITS,
    .state_size = sizeof(uint64_t),
    .begin = anytime_begin,
    .step = anytime_step,
    .result = anytime_result,
};

static enum cor_progress mover_result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    (void)task;
    put(host, solutions[GOOD]);
    return COR_DONE;
}

static enum cor_progress mover_adopt(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    for (uint32_t i = 0; i < task->agent_count; i++)
        host->move(host, i, i == 0 || i == 2 || i == 3 || i > 5);
    return COR_DONE;
}

const struct cor_algorithm scene_mover = {
    COR_ALGORITHM,          .name = "mover",
    .version = "1",         .summary = "distributes otherwise than it proposes",
    .budget_unit = "units", .capabilities = COR_LIMITS,
    .result = mover_result, .adopt = mover_adopt,
};

#define OK(call) assert_int_equal(call, COR_OK)

static void make_configuration(struct scene *scene, struct cor_error *error) {
    OK(cor_configuration_create(SCENE_AGENTS, 2, 2, 1, 1, &scene->configuration, error));
    struct cor_configuration *c = scene->configuration;
    struct cor_effect *effect;
    OK(cor_configuration_set_effect(c, 0, 0, 3, 3, 3, false, &effect, error));
    for (uint8_t environment = 0; environment < 3; environment++) {
        effect->relevant[environment] = environment;
        for (uint32_t state = 0; state < 3; state++)
            effect->next[environment * 3 + state] = environment;
    }
    effect->level[0] = 0;
    effect->level[1] = 0.25;
    effect->level[2] = 1;
    c->group_start[1] = 4;
    c->group_start[2] = 8;
    c->chain_of_group[1] = 1;
    c->location_of_chain[1] = 1;
    for (uint32_t i = 0; i < SCENE_AGENTS; i++) {
        c->inertia[i] = 1;
        c->initial_partition[i] = i / 4;
    }
    c->initial_partitions = 2;
    c->limits.size_min = 2;
    c->limits.size_max = 5;
    c->limits.count_min = 2;
    c->limits.count_max = 3;
    c->threshold = 0.5;
}

void scene_init(struct scene *scene, const struct cor_algorithm *algorithm) {
    static const double probability[] = {0.5, 0.5, 0, 0.25, 0.5, 0.25, 0, 0.5, 0.5};
    struct cor_error error = COR_NO_ERROR;
    memset(scene, 0, sizeof *scene);
    make_configuration(scene, &error);
    OK(cor_profile_create("test", 3, NULL, probability, NULL, &scene->profile, &error));
    scene->experiment = (struct cor_experiment){.sequence_count = 1};
    scene->arm = (struct cor_arm){.algorithm = algorithm, .look_every = 1, .source = &cor_source_recorded};
    scene->suite = (struct cor_suite){
        .experiment = &scene->experiment,
        .arm = &scene->arm,
        .arm_index = 4,
        .index = 6,
        .name = {.seed = 1, .arm = 5, .suite = 6},
        .configuration = scene->configuration,
        .profiles = &scene->profile,
        .environment_of_profile = scene->environment,
        .algorithm_parameters = scene->script,
        .budget = 100,
        .pilot_rate = 0.25,
    };
    OK(cor_record_create(&cor_interaction_schema, &scene->record, &error));
}

void scene_fini(struct scene *scene) {
    cor_walk_fini(&scene->walk);
    cor_runner_destroy(scene->runner);
    cor_session_destroy(scene->session);
    cor_record_destroy(scene->record);
    cor_profile_destroy(scene->profile);
    cor_configuration_destroy(scene->configuration);
}

void scene_script(struct scene *scene, const enum scene_deed *deeds, size_t count) {
    assert_in_range(count, 1, SCENE_REORGANIZATIONS);
    for (size_t i = 0; i < SCENE_REORGANIZATIONS; i++)
        scene->script[i] = deeds[i < count ? i : count - 1];
}

/* The runner and, unless the test has made one, the session. */
static void begin_suite(struct scene *scene) {
    struct cor_error error = COR_NO_ERROR;
    if (!scene->session) {
        struct cor_session_definition definition = cor_default_session(scene->arm.algorithm);
        OK(cor_session_create(&definition, &scene->session, &error));
    }
    const struct cor_execution execution = {&scene->suite, scene->session, scene->log_solutions};
    OK(cor_runner_create(&execution, scene->record, &scene->runner, &error));
}

void scene_begin(struct scene *scene, const char *first_chain, const char *second_chain) {
    struct cor_error error = COR_NO_ERROR;
    size_t states = strlen(first_chain);
    assert_int_equal(states, strlen(second_chain));
    if (!scene->runner)
        begin_suite(scene);
    OK(cor_walk_resize(&scene->walk, 2, (uint32_t)states - 1, &error));
    for (size_t i = 0; i < states; i++) {
        scene->walk.states[2 * i] = (uint8_t)(first_chain[i] - '0');
        scene->walk.states[2 * i + 1] = (uint8_t)(second_chain[i] - '0');
    }
    struct cor_walk_definition definition = {
        .source = &cor_source_recorded,
        .profiles = (const struct cor_profile *const *)scene->suite.profiles,
        .profile_of_chain = scene->configuration->profile_of_chain,
        .chain_count = 2,
        .case_count = scene->walk.case_count,
        .name = scene->suite.name,
        .recorded = &scene->walk,
    };
    definition.name.sequence = scene->sequences++;
    OK(cor_sequence_begin(scene->runner, &definition, &error));
}

void scene_case(struct scene *scene) {
    struct cor_error error = COR_NO_ERROR;
    OK(cor_sequence_case(scene->runner, &error));
}

void scene_end(struct scene *scene) {
    struct cor_error error = COR_NO_ERROR;
    OK(cor_sequence_end(scene->runner, &error));
}

void scene_sequence(struct scene *scene, const char *first_chain, const char *second_chain) {
    scene_begin(scene, first_chain, second_chain);
    while (!cor_sequence_is_over(scene->runner))
        scene_case(scene);
    scene_end(scene);
}

void scene_finish(struct scene *scene) {
    struct cor_error error = COR_NO_ERROR;
    OK(cor_runner_finish(scene->runner, &error));
    cor_runner_destroy(scene->runner);
    scene->runner = NULL;
}

const void *scene_row(struct scene *scene, enum cor_table table, size_t index) {
    assert_true(index < cor_record_size(scene->record, table));
    return cor_record_at(scene->record, table, index);
}

const void *scene_items(struct scene *scene, enum cor_vector vector, size_t *count) {
    return cor_record_items(scene->record, vector, count);
}

static char text[16384];

static void add(const char *format, ...) COR_PRINTF(1, 2);
static void add(const char *format, ...) {
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, sizeof text - used, format, arguments);
    va_end(arguments);
    assert_true(strlen(text) < sizeof text - 1);
}

const char *scene_cases(struct scene *scene) {
    text[0] = '\0';
    for (size_t i = 0; i < cor_record_size(scene->record, COR_TABLE_CASES); i++) {
        const struct cor_case_row *row = scene_row(scene, COR_TABLE_CASES, i);
        add("%u.%u %s %s %s %s %s %s %g\n", row->sequence, row->case_, row->alarm ? "alarm" : "-",
            cor_term_word(COR_FAMILY_INSIDE, row->inside), row->reorganized ? "reorganized" : "-",
            cor_term_word(COR_FAMILY_VERDICT, row->detect), cor_term_word(COR_FAMILY_VERDICT, row->gray),
            cor_term_word(COR_FAMILY_VERDICT, row->black), (double)row->dissimilarity);
    }
    return text;
}

static void add_index(uint32_t index) {
    if (index == COR_NOBODY)
        add("- ");
    else
        add("%u ", index);
}

const char *scene_violations(struct scene *scene) {
    text[0] = '\0';
    for (size_t i = 0; i < cor_record_size(scene->record, COR_TABLE_VIOLATIONS); i++) {
        const struct cor_violation_row *row = scene_row(scene, COR_TABLE_VIOLATIONS, i);
        add("%u.%u %s %s ", row->sequence, row->case_, cor_term_word(COR_FAMILY_BOX, row->box),
            cor_term_word(COR_FAMILY_CHECK, row->check));
        add_index(row->agent);
        add_index(row->partition);
        add("%g %g\n", row->expected, row->found);
    }
    return text;
}
