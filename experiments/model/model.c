/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "read.h"

#include <corridor/model.h>

#include <corridor/array.h>
#include <corridor/violation.h>

#include <stdlib.h>
#include <string.h>

#define ENVIRONMENTS_MAX 256

/* ---------------------------------------------------------------------------------- quantities */

enum cor_status cor_quantity_read(const struct cor_json *json, const char *const *names, int64_t low,
                                  int64_t high, struct cor_quantity *quantity, struct cor_error *error) {
    *quantity = (struct cor_quantity){0};
    if (!cor_json_is_string(json))
        return cor_json_integer(json, low, high, &quantity->given, error);
    const char *text;
    char place[512];
    enum cor_status status = cor_json_string(json, &text, error);
    if (status != COR_OK)
        return status;
    cor_json_place(json, place, sizeof place);
    return cor_expression_parse(text, names, false, place, &quantity->expression, error);
}

void cor_quantity_fini(struct cor_quantity *quantity) {
    cor_expression_fini(&quantity->expression);
}

/* -------------------------------------------------------------------------------- environments */

/* The profile in `json`, and its text, so that a result file can hold what was used. */
static enum cor_status keep_profile(const struct cor_json *json, struct cor_environment *environment,
                                    struct cor_error *error) {
    environment->profile_text = cor_json_text(json);
    return environment->profile_text
               ? cor_profile_from_json(json, environment->name, &environment->profile, error)
               : cor_fail_memory(error);
}

static enum cor_status read_profile(const struct cor_json *json, struct cor_environment *environment,
                                    struct cor_error *error) {
    if (cor_json_is_object(json))
        return keep_profile(json, environment, error);
    if (!cor_json_is_string(json))
        return cor_json_fail(json, error, "the name of a file, or the profile itself", "is no profile");
    struct cor_json_document *document;
    enum cor_status status = cor__read_named(json, &document, error);
    if (status == COR_OK) {
        struct cor_json root = cor_json_root(document);
        status = keep_profile(&root, environment, error);
    }
    cor_json_destroy(document);
    return status;
}

static enum cor_status read_random_law(const struct cor_json *json, struct cor_profile_law *law,
                                       struct cor_error *error) {
    static const char *const keys[] = {"states", "degree_min", "power", "ring", NULL};
    struct cor_json child;
    int64_t power = 0;
    *law = (struct cor_profile_law){.degree_min = 0.5, .power = 7, .ring = 0.15};
    enum cor_status status = cor_json_expect_object(json, keys, error);
    if (status == COR_OK && cor_json_find(json, "degree_min", &child))
        status = cor_json_real(&child, 0, 1, &law->degree_min, error);
    if (status == COR_OK && cor_json_find(json, "ring", &child))
        status = cor_json_real(&child, 0, 1, &law->ring, error);
    if (status == COR_OK && cor_json_find(json, "power", &child)) {
        status = cor_json_integer(&child, 0, COR_PROFILE_POWER_MAX, &power, error);
        law->power = (uint32_t)power;
    }
    return status;
}

static enum cor_status read_environment(const struct cor_json *json, struct cor_environment *environment,
                                        struct cor_error *error) {
    static const char *const keys[] = {"profile", "random", NULL};
    struct cor_json child;
    enum cor_status status = cor__check_name(json, json->key, "an environment", error);
    if (status == COR_OK)
        status = cor_json_expect_object(json, keys, error);
    if (status != COR_OK)
        return status;
    environment->name = cor_strdup(json->key);
    if (!environment->name)
        return cor_fail_memory(error);
    bool given = cor_json_find(json, "profile", &child);
    environment->is_random = cor_json_find(json, "random", &environment->law);
    if (given == environment->is_random)
        return cor_json_fail(json, error, "either \"profile\": a file, or \"random\": a law", "has %s",
                             given ? "both a profile and a random law"
                                   : "neither a profile nor a random law");
    return given ? read_profile(&child, environment, error)
                 : read_random_law(&environment->law, &environment->random, error);
}

/* The model keeps the JSON of laws and influences; their parents must outlive it, so they are kept too. */
static enum cor_status read_environments(struct cor_model *model, struct cor_error *error) {
    enum cor_status status = cor_json_need(&model->root, "environments", &model->environments_json, error);
    if (status == COR_OK)
        status = cor_json_expect_object(&model->environments_json, NULL, error);
    if (status != COR_OK)
        return status;
    size_t count = cor_json_size(&model->environments_json);
    if (count < 1 || count > ENVIRONMENTS_MAX)
        return cor_json_fail(&model->environments_json, error, NULL, "has %zu environments, expected 1 to %d",
                             count, ENVIRONMENTS_MAX);
    model->environments = cor_calloc(count, sizeof *model->environments);
    if (!model->environments)
        return cor_fail_memory(error);
    for (size_t i = 0; i < count && status == COR_OK; i++) {
        model->environment_count++;
        model->environments[i].json = cor_json_at(&model->environments_json, i);
        status = read_environment(&model->environments[i].json, &model->environments[i], error);
    }
    return status;
}

int cor_model_environment(const struct cor_model *model, const char *name) {
    for (uint32_t i = 0; i < model->environment_count; i++)
        if (strcmp(model->environments[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* --------------------------------------------------------------------------------------- types */

static enum cor_status unknown_environment(const struct cor_json *json, const struct cor_model *model,
                                           const char *name, struct cor_error *error) {
    const char *names[ENVIRONMENTS_MAX + 1];
    for (uint32_t i = 0; i < model->environment_count; i++)
        names[i] = model->environments[i].name;
    names[model->environment_count] = NULL;
    char remedy[1024];
    cor_known_names(name, names, remedy, sizeof remedy);
    return cor_json_fail(json, error, remedy, "unknown environment \"%s\"", name);
}

/* The environment a type names, COR_NOBODY if it names none. */
static enum cor_status read_type_environment(const struct cor_model *model, struct cor_agent_type *type,
                                             struct cor_error *error) {
    struct cor_json child;
    type->environment = COR_NOBODY;
    if (!cor_json_find(&type->json, "environment", &child))
        return COR_OK;
    const char *name;
    enum cor_status status = cor_json_string(&child, &name, error);
    if (status != COR_OK)
        return status;
    int index = cor_model_environment(model, name);
    type->environment = (uint32_t)index;
    return index >= 0 ? COR_OK : unknown_environment(&child, model, name, error);
}

/* "level": [low, high]: the agent takes over the state of its environment, levels are drawn for each suite.
 */
static enum cor_status read_levels(struct cor_agent_type *type, struct cor_error *error) {
    static const char *const keys[] = {"environment", "level", NULL};
    struct cor_json level, low, high;
    enum cor_status status = cor_json_expect_object(&type->json, keys, error);
    if (status == COR_OK)
        status = cor_json_need(&type->json, "level", &level, error);
    if (status == COR_OK)
        status = cor_json_expect_array(&level, 2, 2, error);
    if (status != COR_OK)
        return status;
    low = cor_json_at(&level, 0);
    high = cor_json_at(&level, 1);
    status = cor_json_real(&low, 0, 1, &type->level_low, error);
    return status == COR_OK ? cor_json_real(&high, type->level_low, 1, &type->level_high, error) : status;
}

/* Values lie in 0 .. 1, so what they tend to does. */
static enum cor_status check_levels(const struct cor_agent_type *type, struct cor_error *error) {
    struct cor_json states;
    enum cor_status status = cor_json_need(&type->json, "states", &states, error);
    for (uint32_t s = 0; s < type->fixed->state_count && status == COR_OK; s++) {
        struct cor_json level = cor_json_at(&states, s);
        double value;
        status = cor_json_real(&level, 0, 1, &value, error);
    }
    return status;
}

static enum cor_status read_type(const struct cor_model *model, struct cor_agent_type *type,
                                 struct cor_error *error) {
    struct cor_json child;
    enum cor_status status = cor__check_name(&type->json, type->json.key, "an agent type", error);
    if (status == COR_OK && !(type->name = cor_strdup(type->json.key)))
        status = cor_fail_memory(error);
    if (status == COR_OK)
        status = cor_json_expect_object(&type->json, NULL, error);
    if (status == COR_OK)
        status = read_type_environment(model, type, error);
    if (status != COR_OK)
        return status;
    if (cor_json_find(&type->json, "level", &child))
        return read_levels(type, error);
    if (type->environment == COR_NOBODY)
        return cor_json_fail(
            &type->json, error,
            "\"environment\": the name of one, or \"level\": [low, high] to follow any environment",
            "names states, but not the environment they depend on");
    const struct cor_environment *environment = &model->environments[type->environment];
    if (environment->is_random)
        return cor_json_fail(&type->json, error, "\"level\": [low, high]",
                             "names states, but the profile of \"%s\" is drawn, so its states have no names",
                             environment->name);
    status = cor_influence_from_json(&type->json, environment->profile, &type->fixed, error);
    return status == COR_OK ? check_levels(type, error) : status;
}

static enum cor_status read_types(struct cor_model *model, struct cor_error *error) {
    enum cor_status status = cor_json_need(&model->root, "types", &model->types_json, error);
    if (status == COR_OK)
        status = cor_json_expect_object(&model->types_json, NULL, error);
    if (status != COR_OK)
        return status;
    size_t count = cor_json_size(&model->types_json);
    if (count < 1 || count > COR_TYPES_MAX)
        return cor_json_fail(&model->types_json, error, NULL, "has %zu agent types, expected 1 to %d", count,
                             COR_TYPES_MAX);
    model->types = cor_calloc(count, sizeof *model->types);
    if (!model->types)
        return cor_fail_memory(error);
    for (size_t i = 0; i < count && status == COR_OK; i++) {
        model->type_count++;
        model->types[i].json = cor_json_at(&model->types_json, i);
        status = read_type(model, &model->types[i], error);
    }
    return status;
}

/* ----------------------------------------------------------------------------------- invariant */

/* The algorithm that reorganizes in the pilot run: one of the testbed's own. */
static enum cor_status read_pilot(struct cor_model *model, const struct cor_json *json,
                                  struct cor_error *error) {
    static const char *const names[] = {"deal", "random", NULL};
    const char *name = NULL;
    enum cor_status status = cor_json_string(json, &name, error);
    if (status != COR_OK)
        return status;
    for (size_t i = 0; names[i]; i++) {
        if (strcmp(names[i], name) == 0) {
            model->pilot = names[i];
            return COR_OK;
        }
    }
    char remedy[256];
    cor_known_names(name, names, remedy, sizeof remedy);
    return cor_json_fail(json, error, remedy, "unknown algorithm for the pilot \"%s\"", name);
}

static enum cor_status read_threshold(struct cor_model *model, const struct cor_json *json,
                                      struct cor_error *error) {
    static const char *const keys[] = {"alarm_rate", "pilot_cases", "pilot", NULL};
    if (cor_json_is_number(json)) {
        model->threshold_given = true;
        return cor_json_real(json, 0, 1, &model->threshold, error);
    }
    if (!cor_json_is_object(json))
        return cor_json_fail(json, error, "a number from 0 to 1, or {\"alarm_rate\": share}",
                             "is no threshold");
    struct cor_json child;
    int64_t cases = model->pilot_cases;
    enum cor_status status = cor_json_expect_object(json, keys, error);
    if (status == COR_OK)
        status = cor_json_need(json, "alarm_rate", &child, error);
    if (status == COR_OK)
        status = cor_json_real(&child, 0, 1, &model->alarm_rate, error);
    if (status == COR_OK && cor_json_find(json, "pilot_cases", &child))
        status = cor_json_integer(&child, 10, 100000, &cases, error);
    model->pilot_cases = (uint32_t)cases;
    return status == COR_OK && cor_json_find(json, "pilot", &child) ? read_pilot(model, &child, error)
                                                                    : status;
}

static enum cor_status read_invariant(struct cor_model *model, struct cor_error *error) {
    static const char *const keys[] = {"measure", "threshold", NULL};
    struct cor_json json, child;
    int measure = COR_MEASURE_RANGE;
    enum cor_status status = cor_json_need(&model->root, "invariant", &json, error);
    if (status == COR_OK)
        status = cor_json_expect_object(&json, keys, error);
    if (status == COR_OK && cor_json_find(&json, "measure", &child))
        status = cor_json_term(&child, COR_FAMILY_MEASURE, &measure, error);
    if (status == COR_OK)
        status = cor_json_need(&json, "threshold", &child, error);
    if (status != COR_OK)
        return status;
    model->measure = (enum cor_measure)measure;
    return read_threshold(model, &child, error);
}

static enum cor_status read_inertia(struct cor_model *model, struct cor_error *error) {
    struct cor_json json, low, high;
    if (!cor_json_find(&model->root, "inertia", &json))
        return COR_OK;
    enum cor_status status = cor_json_expect_array(&json, 2, 2, error);
    if (status != COR_OK)
        return status;
    low = cor_json_at(&json, 0);
    high = cor_json_at(&json, 1);
    status = cor_json_real(&low, 1e-9, 1, &model->inertia_low, error);
    return status == COR_OK ? cor_json_real(&high, model->inertia_low, 1, &model->inertia_high, error)
                            : status;
}

/* --------------------------------------------------------------------------------------- whole */

static enum cor_status read_model(struct cor_model *model, struct cor_error *error) {
    static const char *const keys[] = {
        "corridor_model", "name",    "description", "parameters",   "constraints", "fallback",
        "structure",      "agents",  "groups",      "environments", "locations",   "types",
        "mixed_groups",   "inertia", "idle_ratio",  "invariant",    NULL};
    struct cor_json child;
    const char *name = "model";
    enum cor_status status = cor_json_expect_object(&model->root, keys, error);
    if (status == COR_OK)
        status = cor__read_version(&model->root, "corridor_model", error);
    if (status == COR_OK)
        status = cor__read_description(&model->root, error);
    if (status == COR_OK && cor_json_find(&model->root, "name", &child))
        status = cor_json_string(&child, &name, error);
    if (status == COR_OK && cor_json_find(&model->root, "mixed_groups", &child))
        status = cor_json_bool(&child, &model->mixed_groups, error);
    if (status == COR_OK && !(model->name = cor_strdup(name)))
        status = cor_fail_memory(error);
    if (status == COR_OK)
        status = read_environments(model, error);
    if (status == COR_OK)
        status = read_types(model, error);
    if (status == COR_OK)
        status = read_invariant(model, error);
    return status == COR_OK ? read_inertia(model, error) : status;
}

static struct cor_model *new_model(void) {
    struct cor_model *model = cor_calloc(1, sizeof *model);
    if (model) {
        model->inertia_low = model->inertia_high = 1;
        model->pilot_cases = 200;
        model->pilot = "deal";
    }
    return model;
}

enum cor_status cor_model_read(const struct cor_json *json, struct cor_model **model,
                               struct cor_error *error) {
    struct cor_model *m = *model = new_model();
    if (!m)
        return cor_fail_memory(error);
    enum cor_status status = COR_OK;
    m->root = *json;
    if (cor_json_is_string(json)) {
        status = cor__read_named(json, &m->document, error);
        if (status == COR_OK)
            m->root = cor_json_root(m->document);
    } else if (!cor_json_is_object(json)) {
        status = cor_json_fail(json, error, "the name of a file, or the model itself", "is no model");
    }
    if (status == COR_OK)
        status = read_model(m, error);
    if (status != COR_OK) {
        cor_model_destroy(m);
        *model = NULL;
    }
    return status;
}

void cor_model_destroy(struct cor_model *model) {
    if (!model)
        return;
    for (uint32_t i = 0; i < model->environment_count; i++) {
        free(model->environments[i].name);
        free(model->environments[i].profile_text);
        cor_profile_destroy(model->environments[i].profile);
    }
    for (uint32_t i = 0; i < model->type_count; i++) {
        free(model->types[i].name);
        cor_influence_destroy(model->types[i].fixed);
    }
    free(model->environments);
    free(model->types);
    free(model->name);
    cor_json_destroy(model->document);
    free(model);
}
