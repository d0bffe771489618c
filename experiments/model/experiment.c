/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arm.h"
#include "branching.h"
#include "contrasts.h"
#include "read.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

#define ARMS_MAX 1000
#define SUITES_MAX 1000000
#define SEQUENCES_MAX 65535
#define CASES_MAX 10000000

/* ----------------------------------------------------------------------------------------------- numbers of
 * the plan */

static enum cor_status read_mode(struct cor_experiment *experiment, struct cor_error *error) {
    static const char *const words[] = {"independent", "paired", NULL};
    struct cor_json json;
    const char *word;
    if (!cor_json_find(&experiment->root, "mode", &json))
        return COR_OK;
    enum cor_status status = cor_json_string(&json, &word, error);
    if (status != COR_OK)
        return status;
    experiment->paired = strcmp(word, "paired") == 0;
    if (experiment->paired || strcmp(word, "independent") == 0)
        return COR_OK;
    char remedy[256];
    cor_known_names(word, words, remedy, sizeof remedy);
    return cor_json_fail(&json, error, remedy, "unknown mode \"%s\"", word);
}

/* "cases": a number, or [least, most]. */
static enum cor_status read_cases(struct cor_experiment *experiment, struct cor_error *error) {
    struct cor_json json, bound;
    int64_t low, high;
    enum cor_status status = cor_json_need(&experiment->root, "cases", &json, error);
    if (status == COR_OK && cor_json_is_integer(&json)) {
        status = cor_json_integer(&json, 1, CASES_MAX, &low, error);
        high = low;
    } else if (status == COR_OK && !cor_json_is_array(&json)) {
        status = cor_json_fail(&json, error, "a number of test cases, or [least, most]",
                               "is no length of a sequence");
    } else if (status == COR_OK) {
        status = cor_json_expect_array(&json, 2, 2, error);
        if (status != COR_OK)
            return status;
        bound = cor_json_at(&json, 0);
        status = cor_json_integer(&bound, 1, CASES_MAX, &low, error);
        if (status != COR_OK)
            return status;
        bound = cor_json_at(&json, 1);
        status = cor_json_integer(&bound, low, CASES_MAX, &high, error);
    }
    if (status != COR_OK)
        return status;
    experiment->case_min = (uint32_t)low;
    experiment->case_max = (uint32_t)high;
    return COR_OK;
}

static enum cor_status read_numbers(struct cor_experiment *experiment, struct cor_error *error) {
    struct cor_json child;
    int64_t suites, sequences;
    const char *name;
    enum cor_status status = cor__read_version(&experiment->root, "corridor_experiment", error);
    if (status == COR_OK)
        status = cor__read_description(&experiment->root, error);
    if (status == COR_OK)
        status = cor_json_need(&experiment->root, "name", &child, error);
    if (status == COR_OK)
        status = cor_json_string(&child, &name, error);
    if (status == COR_OK)
        status = cor__check_name(&child, name, "an experiment", error);
    if (status == COR_OK && !(experiment->name = cor_strdup(name)))
        status = cor_fail_memory(error);
    if (status == COR_OK)
        status = cor_json_need(&experiment->root, "seed", &child, error);
    if (status == COR_OK)
        status = cor_json_word(&child, &experiment->seed, error);
    if (status == COR_OK)
        status = cor_json_need(&experiment->root, "suites", &child, error);
    if (status == COR_OK)
        status = cor_json_integer(&child, 0, SUITES_MAX, &suites, error);
    if (status == COR_OK)
        status = cor_json_need(&experiment->root, "sequences", &child, error);
    if (status == COR_OK)
        status = cor_json_integer(&child, 1, SEQUENCES_MAX, &sequences, error);
    if (status != COR_OK)
        return status;
    experiment->suite_count = (uint32_t)suites;
    experiment->sequence_count = (uint32_t)sequences;
    status = read_mode(experiment, error);
    if (status == COR_OK)
        status = cor__branching_read(&experiment->root, experiment->sequence_count, SEQUENCES_MAX,
                                     &experiment->branching, error);
    return status == COR_OK ? read_cases(experiment, error) : status;
}

/* ---------------------------------------------------------------------------------------- arms */

static enum cor_status refuse_twin(const struct cor_experiment *experiment, uint32_t arm,
                                   struct cor_error *error) {
    for (uint32_t other = 0; other < arm; other++)
        if (strcmp(experiment->arms[other].name, experiment->arms[arm].name) == 0)
            return cor_json_fail(&experiment->arms[arm].json, error, "give each arm a name of its own",
                                 "two arms are called \"%s\"", experiment->arms[arm].name);
    return COR_OK;
}

static enum cor_status read_arms(struct cor_experiment *experiment, struct cor_error *error) {
    enum cor_status status = cor_json_need(&experiment->root, "arms", &experiment->arms_json, error);
    if (status == COR_OK)
        status = cor_json_expect_array(&experiment->arms_json, 1, ARMS_MAX, error);
    if (status != COR_OK)
        return status;
    bool has_presets = cor_json_find(&experiment->root, "presets", &experiment->presets_json);
    if (has_presets)
        status = cor__presets_check(&experiment->presets_json, error);
    size_t count = cor_json_size(&experiment->arms_json);
    experiment->arms = cor_calloc(count, sizeof *experiment->arms);
    if (status == COR_OK && !experiment->arms)
        status = cor_fail_memory(error);
    for (size_t i = 0; i < count && status == COR_OK; i++) {
        struct cor_json json = cor_json_at(&experiment->arms_json, i);
        experiment->arm_count++;
        status = cor__arm_read(experiment, &json, has_presets ? &experiment->presets_json : NULL,
                               &experiment->arms[i], error);
        if (status == COR_OK)
            status = refuse_twin(experiment, (uint32_t)i, error);
    }
    return status;
}

int cor_experiment_arm(const struct cor_experiment *experiment, const char *name) {
    for (uint32_t i = 0; i < experiment->arm_count; i++)
        if (strcmp(experiment->arms[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* ------------------------------------------------------------------------------------ catalogs */

static int parameter_code(const struct cor_experiment *experiment, const char *name) {
    for (uint32_t i = 0; i < experiment->parameter_count; i++)
        if (strcmp(experiment->parameter_names[i], name) == 0)
            return (int)i;
    return -1;
}

static enum cor_status code_parameters(struct cor_experiment *experiment, struct cor_arm *arm,
                                       size_t *capacity, struct cor_error *error) {
    uint32_t count = arm->parameter_count = cor_parameter_laws_size(arm->laws);
    arm->parameter_codes = cor_calloc(count, sizeof *arm->parameter_codes);
    if (!arm->parameter_codes)
        return cor_fail_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = cor_parameter_laws_name(arm->laws, i);
        int code = parameter_code(experiment, name);
        if (code < 0) {
            enum cor_status status =
                COR_RESERVE(&experiment->parameter_names, capacity, experiment->parameter_count + 1, error);
            if (status != COR_OK)
                return status;
            code = (int)experiment->parameter_count;
            if (!(experiment->parameter_names[code] = cor_strdup(name)))
                return cor_fail_memory(error);
            experiment->parameter_count++;
        }
        arm->parameter_codes[i] = (uint16_t)code;
    }
    return COR_OK;
}

/* Codes of white-box counters run through the algorithms in their order of appearance. */
static void code_counters(struct cor_experiment *experiment, struct cor_arm *arm) {
    uint32_t first = 0;
    for (uint32_t i = 0; i < experiment->algorithm_count; i++) {
        if (experiment->algorithms[i] == arm->algorithm)
            arm->first_counter_code = (uint16_t)first;
        first += cor_algorithm_counter_count(experiment->algorithms[i]);
    }
}

static enum cor_status make_catalogs(struct cor_experiment *experiment, struct cor_error *error) {
    size_t capacity = 0;
    experiment->algorithms = cor_calloc(experiment->arm_count, sizeof *experiment->algorithms);
    if (!experiment->algorithms)
        return cor_fail_memory(error);
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        enum cor_status status = code_parameters(experiment, &experiment->arms[a], &capacity, error);
        if (status != COR_OK)
            return status;
        uint32_t known = 0;
        while (known < experiment->algorithm_count &&
               experiment->algorithms[known] != experiment->arms[a].algorithm)
            known++;
        if (known == experiment->algorithm_count)
            experiment->algorithms[experiment->algorithm_count++] = experiment->arms[a].algorithm;
    }
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        code_counters(experiment, &experiment->arms[a]);
    return COR_OK;
}

/* ---------------------------------------------------------------------------------------------------- text,
 * inlined */

static void put_value(struct cor_json_writer *writer, const struct cor_json *json) {
    char *text = cor_json_text(json);
    cor_json_put_text(writer, json->key, text ? text : "");
    free(text);
}

/* The model's environments with the profiles they name in place of file names. */
static void put_environments(struct cor_json_writer *writer, const struct cor_model *model) {
    cor_json_open_object(writer, "environments");
    for (uint32_t i = 0; i < model->environment_count; i++) {
        const struct cor_environment *environment = &model->environments[i];
        if (environment->is_random) {
            put_value(writer, &environment->json);
            continue;
        }
        cor_json_open_object(writer, environment->name);
        cor_json_put_text(writer, "profile", environment->profile_text);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static void put_model(struct cor_json_writer *writer, const struct cor_model *model) {
    cor_json_open_object(writer, "model");
    for (size_t i = 0; i < cor_json_size(&model->root); i++) {
        struct cor_json child = cor_json_at(&model->root, i);
        if (strcmp(child.key, "environments") == 0)
            put_environments(writer, model);
        else
            put_value(writer, &child);
    }
    cor_json_close(writer);
}

static enum cor_status write_text(struct cor_experiment *experiment, struct cor_error *error) {
    struct cor_json_writer *writer;
    enum cor_status status = cor_json_writer_create(&writer, error);
    if (status != COR_OK)
        return status;
    cor_json_open_object(writer, NULL);
    for (size_t i = 0; i < cor_json_size(&experiment->root); i++) {
        struct cor_json child = cor_json_at(&experiment->root, i);
        if (strcmp(child.key, "model") == 0)
            put_model(writer, experiment->model);
        else
            put_value(writer, &child);
    }
    cor_json_close(writer);
    if (!(experiment->text = cor_json_writer_text(writer, 1, error)))
        status = COR_STATUS_MEMORY;
    cor_json_writer_destroy(writer);
    return status;
}

/* --------------------------------------------------------------------------------------- whole */

static enum cor_status read_all(struct cor_experiment *experiment, struct cor_error *error) {
    static const char *const keys[] = {
        "corridor_experiment", "name",  "description", "seed", "mode",      "suites", "sequences", "cases",
        "branching",           "model", "presets",     "arms", "contrasts", NULL};
    experiment->root = cor_json_root(experiment->document);
    enum cor_status status = cor_json_expect_object(&experiment->root, keys, error);
    if (status == COR_OK)
        status = read_numbers(experiment, error);
    if (status == COR_OK)
        status = cor_registry_create(&experiment->registry, error);
    if (status == COR_OK)
        status = cor_json_need(&experiment->root, "model", &experiment->model_json, error);
    if (status == COR_OK)
        status = cor_model_read(&experiment->model_json, &experiment->model, error);
    if (status == COR_OK)
        status = read_arms(experiment, error);
    if (status == COR_OK)
        status = cor__contrasts_check(experiment, error);
    if (status == COR_OK)
        status = make_catalogs(experiment, error);
    return status == COR_OK ? write_text(experiment, error) : status;
}

enum cor_status cor_experiment_read(const char *path, struct cor_experiment **experiment,
                                    struct cor_error *error) {
    struct cor_experiment *e = *experiment = cor_calloc(1, sizeof *e);
    if (!e)
        return cor_fail_memory(error);
    e->path = cor_strdup(path);
    enum cor_status status = e->path ? cor_json_read(path, &e->document, error) : cor_fail_memory(error);
    if (status == COR_OK)
        status = read_all(e, error);
    if (status != COR_OK) {
        cor_experiment_destroy(e);
        *experiment = NULL;
    }
    return status;
}

void cor_experiment_destroy(struct cor_experiment *experiment) {
    if (!experiment)
        return;
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        cor__arm_fini(&experiment->arms[a], experiment->model->environment_count);
    for (uint32_t i = 0; i < experiment->parameter_count; i++)
        free(experiment->parameter_names[i]);
    free(experiment->parameter_names);
    free(experiment->algorithms);
    free(experiment->arms);
    cor_model_destroy(experiment->model);
    cor_registry_destroy(experiment->registry);
    cor_json_destroy(experiment->document);
    free(experiment->text);
    free(experiment->name);
    free(experiment->path);
    free(experiment);
}
