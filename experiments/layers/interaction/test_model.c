/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/terms.h>

#include <stdlib.h>
#include <string.h>

enum cor_status cor_derived_quantity_read(const struct cor_json *json, const char *const *names, int64_t low,
                                          int64_t high, struct cor_derived_quantity *quantity,
                                          struct cor_error *error) {
    *quantity = (struct cor_derived_quantity){0};
    if (!cor_json_is_string(json))
        return cor_json_integer(json, low, high, &quantity->given, error);
    const char *text;
    char place[512];
    COR_TRY(cor_json_string(json, &text, error));
    cor_json_place(json, place, sizeof place);
    return cor_expression_parse(text, names, false, place, &quantity->expression, error);
}

void cor_derived_quantity_fini(struct cor_derived_quantity *quantity) {
    cor_expression_fini(&quantity->expression);
}

/* The profile, in the model or in a file that it names; kept as it was read, too, so that a result file can
 * hold what was used. */
static enum cor_status read_profile(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_environment *environment = into;
    struct cor_json profile = *json;
    if (cor_json_is_string(json)) {
        COR_TRY(interaction__read_named(json, &environment->profile_file, error));
        profile = cor_json_root(environment->profile_file);
        COR_TRY(cor_json_expect_kind(&profile, COR_KIND_PROFILE, error));
    } else if (!cor_json_is_object(json)) {
        return cor_json_fail(json, error, "the name of a file, or the profile itself", "is no profile");
    }
    environment->profile_json = profile;
    return cor_profile_from_json(&profile, environment->name, &environment->profile, error);
}

static const struct cor_field law_fields[] = {
    {"states", COR_OPTIONAL, COR_KNOWN_FIELD}, /* may be a parameter, so it is each arm's */
    {"degree_min", COR_OPTIONAL, COR_REAL_FIELD(struct cor_profile_law, degree_min, 0, 1)},
    {"power", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_profile_law, power, 0, COR_PROFILE_POWER_MAX)},
    {"ring", COR_OPTIONAL, COR_REAL_FIELD(struct cor_profile_law, ring, 0, 1)},
    {0}};
static const struct cor_profile_law law_default = {.degree_min = 0.5, .power = 7, .ring = 0.15};

static const char *const scopes[] = {
    [COR_SCOPE_PLACE] = "place", [COR_SCOPE_ALL] = "all", [COR_SCOPE_GROUP] = "group", NULL};

static const struct cor_field environment_fields[] = {
    {"profile", COR_OPTIONAL, COR_READ_FIELD(read_profile)},
    {"random", COR_OPTIONAL, COR_OBJECT_FIELD(struct cor_environment, random, law_fields, &law_default)},
    {"scope", COR_OPTIONAL, COR_ONE_OF_FIELD(struct cor_environment, scope, scopes, 0, "scope")},
    {0}};

static enum cor_status read_environment(struct cor_environment *environment, struct cor_error *error) {
    const struct cor_json *json = &environment->json;
    struct cor_json child;
    COR_TRY(interaction__check_name(json, json->key, "an environment", error));
    COR_TRY(cor_json_expect_fields(json, environment_fields, error));
    environment->name = cor_strdup(json->key);
    COR_TRY(cor_made(environment->name, error));
    bool given = cor_json_find(json, "profile", &child);
    environment->is_random = cor_json_find(json, "random", &environment->law);
    if (given == environment->is_random)
        return cor_json_fail(json, error, "either \"profile\": a file, or \"random\": a law", "has %s",
                             given ? "both a profile and a random law"
                                   : "neither a profile nor a random law");
    return cor_json_members(json, environment_fields, environment, error);
}

/* The model keeps the JSON of laws and influences; their parents must outlive it, so they are kept too. */
static enum cor_status read_environments(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_test_model *model = into;
    model->environments_json = *json;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    size_t count = cor_json_size(json);
    if (count < 1 || count > COR_ENVIRONMENTS_MAX)
        return cor_json_fail(json, error, NULL, "has %zu environments, expected 1 to %d", count,
                             COR_ENVIRONMENTS_MAX);
    model->environments = cor_calloc(count, sizeof *model->environments);
    COR_TRY(cor_made(model->environments, error));
    for (size_t i = 0; i < count; i++) {
        model->environment_count++;
        model->environments[i].json = cor_json_at(&model->environments_json, i);
        COR_TRY(read_environment(&model->environments[i], error));
    }
    return COR_OK;
}

static enum cor_status read_level(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_agent_type *type = into;
    return interaction__read_range(json, 0, 1, &type->level_low, &type->level_high, error);
}

/* A type without states of its own: the agent takes over the state of its environment, and levels are drawn
 * within the range for each suite. */
static const struct cor_field level_fields[] = {
    {"environment", COR_OPTIONAL, COR_KNOWN_FIELD}, {"level", COR_REQUIRED, COR_READ_FIELD(read_level)},
    {"attributes", COR_OPTIONAL, COR_KNOWN_FIELD},  {"count", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"share", COR_OPTIONAL, COR_KNOWN_FIELD},       {0}};

static enum cor_status read_type(const struct cor_test_model *model, struct cor_agent_type *type,
                                 struct cor_error *error) {
    struct cor_json child;
    COR_TRY(interaction__check_name(&type->json, type->json.key, "an agent type", error));
    type->name = cor_strdup(type->json.key);
    COR_TRY(cor_made(type->name, error));
    COR_TRY(cor_json_expect_object(&type->json, NULL, error));
    COR_TRY(interaction__read_type_environments(model, type, error));
    if (cor_json_find(&type->json, "level", &child) && type->other_count > 0)
        return cor_json_fail(&child, error, "\"states\", with \"relevant\" and \"influence\"",
                             "follows the state of one environment, and the type names several");
    if (cor_json_find(&type->json, "level", &child))
        return cor_json_fields(&type->json, level_fields, type, error);
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
    COR_TRY(interaction__has_conditions(type)
                ? interaction__read_relevant(model, type, error)
                : cor_influence_from_json(&type->json, environment->profile, &type->fixed, error));
    /* Values lie in 0 .. 1, so what they tend to does. */
    struct cor_json states;
    COR_TRY(cor_json_need(&type->json, "states", &states, error));
    for (uint32_t s = 0; s < type->fixed->state_count; s++) {
        struct cor_json level = cor_json_at(&states, s);
        double value;
        COR_TRY(cor_json_real(&level, 0, 1, &value, error));
    }
    return COR_OK;
}

static enum cor_status read_types(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_test_model *model = into;
    model->types_json = *json;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    size_t count = cor_json_size(json);
    if (count < 1 || count > COR_TYPES_MAX)
        return cor_json_fail(json, error, NULL, "has %zu agent types, expected 1 to %d", count,
                             COR_TYPES_MAX);
    model->types = cor_calloc(count, sizeof *model->types);
    COR_TRY(cor_made(model->types, error));
    for (size_t i = 0; i < count; i++) {
        model->type_count++;
        model->types[i].json = cor_json_at(&model->types_json, i);
        COR_TRY(read_type(model, &model->types[i], error));
        COR_TRY(interaction__read_attribute_laws(model, &model->types[i], error));
    }
    return COR_OK;
}

/* The algorithm that reorganizes in the pilot run: one of the testbed's own. */
static enum cor_status read_pilot(const struct cor_json *json, void *into, struct cor_error *error) {
    static const char *const names[] = {"deal", "random", NULL};
    int index;
    COR_TRY(cor_json_one_of(json, names, "algorithm for the pilot", &index, error));
    ((struct cor_test_model *)into)->pilot = names[index];
    return COR_OK;
}

static const struct cor_field rate_fields[] = {
    {"alarm_rate", COR_REQUIRED, COR_REAL_FIELD(struct cor_test_model, alarm_rate, 0, 1)},
    {"pilot_cases", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_test_model, pilot_cases, 10, 100000)},
    {"pilot", COR_OPTIONAL, COR_READ_FIELD(read_pilot)},
    {0}};

static enum cor_status read_threshold(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_test_model *model = into;
    model->threshold_given = cor_json_is_number(json);
    if (model->threshold_given)
        return cor_json_real(json, 0, 1, &model->threshold, error);
    if (cor_json_is_object(json))
        return cor_json_fields(json, rate_fields, model, error);
    return cor_json_fail(json, error, "a number from 0 to 1, or {\"alarm_rate\": share}", "is no threshold");
}

static const struct cor_field invariant_fields[] = {
    {"measure", COR_OPTIONAL, COR_TERM_FIELD(struct cor_test_model, measure, COR_FAMILY_MEASURE)},
    {"threshold", COR_REQUIRED, COR_READ_FIELD(read_threshold)},
    {0}};

static enum cor_status read_invariant(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_fields(json, invariant_fields, into, error);
}

static enum cor_status read_inertia(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_test_model *model = into;
    return interaction__read_range(json, 1e-9, 1, &model->inertia_low, &model->inertia_high, error);
}

/* Who is together at the start. By group: agents in their order, in which those of a group follow each other.
 */
static enum cor_status read_start(const struct cor_json *structure, struct cor_test_model *model,
                                  struct cor_error *error) {
    static const char *const words[] = {"drawn", "by_group", NULL};
    struct cor_json child;
    if (!cor_json_find(structure, "start", &child))
        return COR_OK;
    COR_TRY(cor_json_one_of(&child, words, "start", &model->start, error));
    return model->start == 0 || model->kind == COR_STRUCTURE_PARTITIONING
               ? COR_OK
               : cor_json_fail(&child, error, "leave it out", "only partitionings start by group");
}

/* "structure": its kind and start; what else it says is over the parameters of each arm. */
static enum cor_status read_kind(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_test_model *model = into;
    struct cor_json child;
    int kind = COR_STRUCTURE_PARTITIONING;
    if (!cor_json_is_object(json))
        return COR_OK;
    if (!cor_json_find(json, "kind", &child))
        return read_start(json, model, error);
    const char *word;
    COR_TRY(cor_json_string(&child, &word, error));
    if (strcmp(word, cor_structure_words[COR_STRUCTURE_OBSERVED]) == 0)
        return cor_json_fail(&child, error,
                             "name a kind that is adopted, or write an experiment with \"process\"",
                             "what is observed is no structure that an algorithm makes: it is of the layer "
                             "`process`");
    COR_TRY(cor_json_one_of(&child, cor_structure_adopted_words, "kind of structure", &kind, error));
    model->kind = (enum cor_structure_kind)kind;
    return read_start(json, model, error);
}

/* What is only known here is read with each arm, over its parameters. */
static const struct cor_field model_fields[] = {
    {"corridor_model", COR_REQUIRED, COR_READ_FIELD(interaction__check_version)},
    {"name", COR_OPTIONAL, COR_COPY_FIELD(struct cor_test_model, name)},
    {"description", COR_OPTIONAL, COR_READ_FIELD(interaction__check_description)},
    {"parameters", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"constraints", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"fallback", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"structure", COR_OPTIONAL, COR_READ_FIELD(read_kind)},
    {"agents", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"groups", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"environments", COR_REQUIRED, COR_READ_FIELD(read_environments)},
    {"locations", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"attributes", COR_OPTIONAL, COR_READ_FIELD(interaction__read_attributes)}, /* before the types */
    {"types", COR_REQUIRED, COR_READ_FIELD(read_types)},
    {"mixed_groups", COR_OPTIONAL, COR_BOOL_FIELD(struct cor_test_model, mixed_groups)},
    {"inertia", COR_OPTIONAL, COR_READ_FIELD(read_inertia)},
    {"idle_ratio", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"invariant", COR_REQUIRED, COR_READ_FIELD(read_invariant)},
    {0}};

/* Agents are dealt into partitionings alone: of all other kinds the pilot is random. */
static enum cor_status settle_pilot(struct cor_test_model *model, struct cor_error *error) {
    struct cor_json invariant, threshold, pilot;
    if (model->kind == COR_STRUCTURE_PARTITIONING || strcmp(model->pilot, "random") == 0)
        return COR_OK;
    model->pilot = "random";
    if (cor_json_find(&model->root, "invariant", &invariant) &&
        cor_json_find(&invariant, "threshold", &threshold) && cor_json_is_object(&threshold) &&
        cor_json_find(&threshold, "pilot", &pilot))
        return cor_json_fail(&pilot, error, "\"random\", or leave \"pilot\" out",
                             "deal makes partitionings alone, but the kind of the structure is \"%s\"",
                             cor_structure_words[model->kind]);
    return COR_OK;
}

static enum cor_status read_model(const struct cor_json *json, struct cor_test_model *model,
                                  struct cor_error *error) {
    *model = (struct cor_test_model){.root = *json,
                                     .name = cor_strdup("model"),
                                     .inertia_low = 1,
                                     .inertia_high = 1,
                                     .measure = COR_MEASURE_RANGE,
                                     .pilot_cases = 200,
                                     .pilot = "deal"};
    COR_TRY(cor_made(model->name, error));
    if (cor_json_is_string(json)) {
        COR_TRY(interaction__read_named(json, &model->document, error));
        model->root = cor_json_root(model->document);
        COR_TRY(cor_json_expect_kind(&model->root, COR_KIND_MODEL, error));
    } else if (!cor_json_is_object(json)) {
        return cor_json_fail(json, error, "the name of a file, or the model itself", "is no model");
    }
    struct cor_json corridor; /* looked for in the model by who writes his first one */
    if (cor_json_find(&model->root, "corridor", &corridor))
        return cor_json_fail(&corridor, error, "put it into the experiment, beside \"model\"",
                             "the corridor is no part of the model");
    COR_TRY(cor_json_fields(&model->root, model_fields, model, error));
    return settle_pilot(model, error);
}

enum cor_status cor_model_read(const struct cor_json *json, struct cor_test_model **model,
                               struct cor_error *error) {
    *model = cor_calloc(1, sizeof **model);
    COR_TRY(cor_made(*model, error));
    enum cor_status status = read_model(json, *model, error);
    if (status != COR_OK) {
        cor_model_destroy(*model);
        *model = NULL;
    }
    return status;
}

void cor_model_destroy(struct cor_test_model *model) {
    if (!model)
        return;
    for (uint32_t i = 0; i < model->environment_count; i++) {
        free(model->environments[i].name);
        cor_json_destroy(model->environments[i].profile_file);
        cor_profile_destroy(model->environments[i].profile);
    }
    interaction__model_attributes_fini(model);
    for (uint32_t i = 0; i < model->type_count; i++) {
        free(model->types[i].name);
        for (uint32_t s = 0; s < model->types[i].state_count; s++)
            free(model->types[i].state_names[s]);
        free(model->types[i].state_names);
        cor_influence_destroy(model->types[i].fixed);
    }
    free(model->environments);
    free(model->types);
    free(model->name);
    cor_json_destroy(model->document);
    free(model);
}
