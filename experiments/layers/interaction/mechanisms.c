/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mechanisms that work beside the algorithm under test, and the chains that stand in for them (mocks), as
 * experiments and files of tests say them. What they do in a case is in mechanisms_run.c. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/json_names.h>
#include <corridor/mechanism_host.h>

#include <stdlib.h>
#include <string.h>

#define MECHANISMS_MAX 8
#define MOCKS_MAX 1000

static void mock_destroy(struct cor_mock *mock) {
    if (!mock)
        return;
    cor_profile_destroy(mock->profile);
    free(mock->shift);
    free(mock->name);
    free(mock->text);
    free(mock);
}

/* By how much each state of the profile changes a number: the mean of the values that the profile was fitted
 * to. */
static enum cor_status read_shifts(const struct cor_json *json, struct cor_mock *mock,
                                   struct cor_error *error) {
    struct cor_json fit, states, state, mean;
    if (!cor_json_find(json, "fit", &fit) || !cor_json_find(&fit, "states", &states))
        return cor_json_fail(json, error, "a file that corridor profile fit has written",
                             "is no chain that was fitted to the runs of a mechanism: there is no \"fit\"");
    mock->shift = cor_calloc(mock->profile->state_count, sizeof *mock->shift);
    COR_TRY(cor_made(mock->shift, error));
    for (uint32_t s = 0; s < mock->profile->state_count; s++) {
        COR_TRY(cor_json_need(&states, mock->profile->states[s], &state, error));
        COR_TRY(cor_json_need(&state, "mean", &mean, error));
        COR_TRY(cor_json_real(&mean, -COR_PARAMETER_MAX, COR_PARAMETER_MAX, &mock->shift[s], error));
    }
    return COR_OK;
}

static enum cor_status take_profile(const struct cor_json *json, struct cor_mock *mock,
                                    struct cor_error *error) {
    COR_TRY(cor_made(mock->text = cor_json_text(json), error));
    COR_TRY(cor_profile_from_json(json, mock->name ? mock->name : "mock", &mock->profile, error));
    return read_shifts(json, mock, error);
}

static enum cor_status read_profile(const struct cor_json *json, struct cor_mock *mock,
                                    struct cor_error *error) {
    struct cor_json_document *document;
    if (cor_json_is_object(json))
        return take_profile(json, mock, error);
    COR_TRY(interaction__read_named(json, &document, error));
    const struct cor_json root = cor_json_root(document);
    enum cor_status status = cor_json_expect_kind(&root, COR_KIND_PROFILE, error);
    if (status == COR_OK)
        status = take_profile(&root, mock, error);
    cor_json_destroy(document);
    return status;
}

/* One more, which the experiment owns. */
static enum cor_status add_mock(struct cor_experiment *experiment, const struct cor_json *json,
                                const char *name, struct cor_mock **mock, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&experiment->mocks, &experiment->mock_capacity, (size_t)experiment->mock_count + 1,
                        error));
    struct cor_mock *made = *mock = experiment->mocks[experiment->mock_count] = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    experiment->mock_count++;
    if (name)
        COR_TRY(cor_made(made->name = cor_strdup(name), error));
    return read_profile(json, made, error);
}

enum cor_status interaction__mocks_read(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_experiment *experiment = into;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    if (cor_json_size(json) > MOCKS_MAX)
        return cor_json_fail(json, error, NULL, "has %zu mocks, more than %d", cor_json_size(json),
                             MOCKS_MAX);
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        struct cor_mock *mock;
        COR_TRY(interaction__check_name(&item, item.key, "a mock", error));
        COR_TRY(add_mock(experiment, &item, item.key, &mock, error));
    }
    return COR_OK;
}

void interaction__mocks_put(struct cor_json_writer *writer, const struct cor_experiment *experiment) {
    cor_json_open_object(writer, "mocks");
    for (uint32_t i = 0; i < experiment->mock_count; i++)
        if (experiment->mocks[i]->name)
            cor_json_put_text(writer, experiment->mocks[i]->name, experiment->mocks[i]->text);
    cor_json_close(writer);
}

void interaction__mocks_destroy(struct cor_experiment *experiment) {
    for (uint32_t i = 0; i < experiment->mock_count; i++)
        mock_destroy(experiment->mocks[i]);
    free(experiment->mocks);
}

/* An item of "mechanisms" being read. */
struct reading {
    struct cor_experiment *experiment;
    struct cor_mechanism_slot *slot;
};

static enum cor_status read_which(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    struct cor_error said = COR_NO_ERROR;
    const char *name;
    COR_TRY(cor_json_string(json, &name, error));
    if (cor_registry_mechanism(reading->experiment->registry, name, &reading->slot->mechanism, &said) !=
        COR_OK)
        return interaction__repeat_of(json, name, &said, error);
    const struct cor_mechanism *mechanism = reading->slot->mechanism;
    const uint32_t count = cor_parameter_count(mechanism->parameters);
    reading->slot->parameters = cor_calloc(count, sizeof *reading->slot->parameters);
    COR_TRY(cor_made(reading->slot->parameters, error));
    for (uint32_t i = 0; i < count; i++)
        reading->slot->parameters[i] = mechanism->parameters[i].value;
    return COR_OK;
}

static enum cor_status read_parameters(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct cor_mechanism_slot *slot = ((struct reading *)into)->slot;
    const uint32_t count = cor_parameter_count(slot->mechanism->parameters);
    COR_TRY(cor_json_expect_object(json, NULL, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        uint32_t index;
        char what[128] = "";
        strncat(strncat(what, slot->mechanism->name, 63), " has no parameter", 32);
        COR_TRY(cor_json_find_name(
            &item, COR_RECORD_NAMES(slot->mechanism->parameters, count, struct cor_parameter, name), item.key,
            what, &index, error));
        const struct cor_parameter *parameter = &slot->mechanism->parameters[index];
        if (parameter->is_integer && !cor_json_is_integer(&item))
            return cor_json_fail(&item, error, "an integer", "is no integer");
        COR_TRY(cor_json_real(&item, parameter->min, parameter->max, &slot->parameters[index], error));
    }
    return COR_OK;
}

static enum cor_status read_types(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    const struct cor_test_model *model = reading->experiment->model;
    COR_TRY(cor_json_expect_array(json, 1, model->type_count, error));
    reading->slot->types = cor_calloc(model->type_count, sizeof *reading->slot->types);
    COR_TRY(cor_made(reading->slot->types, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        const char *name;
        uint32_t type;
        COR_TRY(cor_json_string(&item, &name, error));
        COR_TRY(cor_json_find_name(
            &item, COR_RECORD_NAMES(model->types, model->type_count, struct cor_agent_type, name), name,
            "there is no type", &type, error));
        reading->slot->types[type] = true;
    }
    return COR_OK;
}

static enum cor_status read_mock(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    struct cor_experiment *experiment = reading->experiment;
    const char *name, *names[MOCKS_MAX + 1] = {NULL};
    char remedy[1024] = "write it under \"mocks\", beside \"arms\"";
    if (cor_json_is_object(json))
        return add_mock(experiment, json, NULL, &reading->slot->mock, error);
    COR_TRY(cor_json_string(json, &name, error));
    uint32_t known = 0;
    for (uint32_t i = 0; i < experiment->mock_count; i++)
        if (experiment->mocks[i]->name && strcmp(experiment->mocks[i]->name, name) == 0)
            reading->slot->mock = experiment->mocks[i];
        else if (experiment->mocks[i]->name && known < MOCKS_MAX)
            names[known++] = experiment->mocks[i]->name;
    if (reading->slot->mock)
        return COR_OK;
    if (known > 0)
        cor_known_names(name, names, remedy, sizeof remedy);
    return cor_json_fail(json, error, remedy, "there is no mock \"%s\"", name);
}

static const struct cor_field slot_fields[] = {{"mechanism", COR_REQUIRED, COR_READ_FIELD(read_which)},
                                               {"parameters", COR_OPTIONAL, COR_READ_FIELD(read_parameters)},
                                               {"types", COR_OPTIONAL, COR_READ_FIELD(read_types)},
                                               {"mock", COR_OPTIONAL, COR_READ_FIELD(read_mock)},
                                               {0}};

/* Can agents of all types be given numbers in that attribute? */
static enum cor_status check_sources(const struct cor_json *json, const struct cor_test_model *model,
                                     const struct cor_mechanism *mechanism, uint32_t attribute,
                                     struct cor_error *error) {
    for (uint32_t t = 0; t < model->type_count; t++) {
        const struct cor_attribute_law *law = &model->types[t].attributes[attribute];
        if (law->source == COR_ATTRIBUTE_COMPUTED)
            return cor_json_fail(json, error, "let it write what that is computed from",
                                 "%s writes \"%s\", which is computed for agents of type \"%s\"",
                                 mechanism->name, model->attributes[attribute].name, model->types[t].name);
        /* Of what stands alone it is not known yet; its experiment was asked. */
        if (law->source == COR_ATTRIBUTE_LEVEL && !law->has_inertia && model->root.value)
            return cor_json_fail(json, error, "give it a value, or a level with inertia",
                                 "%s writes \"%s\", which goes with the state of agents of type \"%s\"",
                                 mechanism->name, model->attributes[attribute].name, model->types[t].name);
    }
    return COR_OK;
}

/* May agents idle, and keep what they have? By a number, or by a parameter. */
static bool may_idle(const struct cor_test_model *model) {
    struct cor_json json;
    struct cor_error ignored = COR_NO_ERROR;
    double ratio;
    return cor_json_find(&model->root, "idle_ratio", &json) &&
           (cor_json_real(&json, 0, 1, &ratio, &ignored) != COR_OK || ratio > 0);
}

/* Agents that go all of the way to the value of their state in each case keep nothing of what is written, and
 * no more is written. Of what stands alone it is not known yet, as above. */
static enum cor_status check_inertia(const struct cor_json *json, const struct cor_test_model *model,
                                     const struct cor_mechanism *mechanism, struct cor_error *error) {
    if (model->inertia_low < 1 || !model->root.value || mechanism->writes[1] || may_idle(model))
        return COR_OK;
    return cor_json_fail(json, error,
                         "write \"inertia\": [0.2, 1.0] in the model, of which less than 1 stays",
                         "%s writes \"value\", but each agent takes the value of its state in each case, "
                         "inertia being 1: nothing of what is written would be left",
                         mechanism->name);
}

/* Does all that it reads and writes exist here? */
static enum cor_status check_columns(const struct cor_json *json, const struct cor_test_model *model,
                                     const struct cor_mechanism *mechanism, struct cor_error *error) {
    char place[512];
    cor_json_place(json, place, sizeof place);
    COR_TRY(cor_attribute_check_columns(model->attributes, model->attribute_count, "mechanism",
                                        mechanism->name, mechanism->needs, place, error));
    for (uint32_t i = 0; mechanism->writes[i]; i++) {
        const char *name = mechanism->writes[i];
        if (strcmp(name, "value") == 0) {
            COR_TRY(check_inertia(json, model, mechanism, error));
            continue;
        }
        const uint32_t attribute = cor_attribute_find(model->attributes, model->attribute_count, name);
        if (attribute == COR_NOBODY)
            return cor_json_fail(json, error, "declare it in \"attributes\" of the model",
                                 "%s writes \"%s\", which agents of the model do not have", mechanism->name,
                                 name);
        COR_TRY(check_sources(json, model, mechanism, attribute, error));
    }
    return COR_OK;
}

/* A chain changes one column of real numbers. */
static enum cor_status check_mock(const struct cor_json *json, const struct cor_test_model *model,
                                  const struct cor_mechanism_slot *slot, struct cor_error *error) {
    const struct cor_mechanism *mechanism = slot->mechanism;
    if (!slot->mock)
        return COR_OK;
    const uint32_t attribute =
        cor_attribute_find(model->attributes, model->attribute_count, mechanism->writes[0]);
    const bool is_real = attribute == COR_NOBODY || model->attributes[attribute].type == COR_ATTRIBUTE_REAL;
    return is_real && !mechanism->writes[1]
               ? COR_OK
               : cor_json_fail(json, error, "leave \"mock\" out",
                               "a chain stands in for a mechanism that writes one column of real numbers, "
                               "and %s writes others",
                               mechanism->name);
}

static enum cor_status check_rivals(const struct cor_json *json, const struct cor_arm *arm,
                                    struct cor_error *error) {
    const struct cor_mechanism *mine = arm->mechanisms[arm->mechanism_count - 1].mechanism;
    for (uint32_t s = 0; s + 1 < arm->mechanism_count; s++)
        for (uint32_t i = 0; mine->writes[i]; i++)
            if (cor_mechanism_writes(arm->mechanisms[s].mechanism, mine->writes[i]))
                return cor_json_fail(json, error, "leave one of them out", "%s and %s both write \"%s\"",
                                     arm->mechanisms[s].mechanism->name, mine->name, mine->writes[i]);
    return COR_OK;
}

static enum cor_status read_slot(struct cor_experiment *experiment, const struct cor_json *json,
                                 struct cor_arm *arm, struct cor_error *error) {
    struct cor_mechanism_slot *slot = &arm->mechanisms[arm->mechanism_count++];
    struct reading reading = {experiment, slot};
    COR_TRY(cor_json_is_string(json) ? read_which(json, &reading, error)
                                     : cor_json_fields(json, slot_fields, &reading, error));
    COR_TRY(check_columns(json, experiment->model, slot->mechanism, error));
    COR_TRY(check_mock(json, experiment->model, slot, error));
    return check_rivals(json, arm, error);
}

enum cor_status interaction__mechanisms_read(struct cor_experiment *experiment, const struct cor_json *json,
                                             struct cor_arm *arm, struct cor_error *error) {
    if (!json->value)
        return COR_OK;
    COR_TRY(cor_json_expect_array(json, 0, MECHANISMS_MAX, error));
    const size_t count = cor_json_size(json);
    if (count > 0 && arm->clocks.case_ticks > 0)
        return cor_json_fail(json, error, "leave one of them out",
                             "mechanisms work case by case, and \"execution\" is continuous");
    arm->mechanisms = cor_calloc(count, sizeof *arm->mechanisms);
    COR_TRY(cor_made(arm->mechanisms, error));
    for (size_t i = 0; i < count; i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(read_slot(experiment, &item, arm, error));
    }
    return COR_OK;
}

void interaction__mechanisms_fini(struct cor_arm *arm) {
    for (uint32_t s = 0; s < arm->mechanism_count; s++) {
        free(arm->mechanisms[s].parameters);
        free(arm->mechanisms[s].types);
    }
    free(arm->mechanisms);
}

bool cor_arm_writes(const struct cor_arm *arm, const char *column) {
    for (uint32_t s = 0; s < arm->mechanism_count; s++)
        if (cor_mechanism_writes(arm->mechanisms[s].mechanism, column))
            return true;
    return false;
}

void interaction__mechanisms_describe(struct cor_json_writer *writer, const struct cor_arm *arm) {
    if (arm->mechanism_count == 0)
        return;
    cor_json_open_array(writer, "mechanisms");
    for (uint32_t s = 0; s < arm->mechanism_count; s++) {
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "mechanism", arm->mechanisms[s].mechanism->name);
        cor_json_put_bool(writer, "mocked", arm->mechanisms[s].mock != NULL);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

void interaction__mechanisms_put(struct cor_json_writer *writer, const struct cor_registry *registry,
                                 const struct cor_test_model *model, const struct cor_arm *arm) {
    if (arm->mechanism_count == 0)
        return;
    cor_json_open_array(writer, "mechanisms");
    for (uint32_t s = 0; s < arm->mechanism_count; s++) {
        const struct cor_mechanism_slot *slot = &arm->mechanisms[s];
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "mechanism", cor_registry_mechanism_origin(registry, slot->mechanism));
        cor_json_open_object(writer, "parameters");
        for (uint32_t i = 0; i < cor_parameter_count(slot->mechanism->parameters); i++)
            if (slot->mechanism->parameters[i].is_integer)
                cor_json_put_integer(writer, slot->mechanism->parameters[i].name,
                                     (int64_t)slot->parameters[i]);
            else
                cor_json_put_real(writer, slot->mechanism->parameters[i].name, slot->parameters[i]);
        cor_json_close(writer);
        if (slot->types)
            cor_json_open_array(writer, "types");
        for (uint32_t t = 0; slot->types && t < model->type_count; t++)
            if (slot->types[t])
                cor_json_put_string(writer, NULL, model->types[t].name);
        if (slot->types)
            cor_json_close(writer);
        if (slot->mock)
            cor_json_put_text(writer, "mock", slot->mock->text);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}
