/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a model and what a world shows are the same, by names: actions are inputs; the entity "system" has the
 * location and the state variables; entities of the type "output" are what was said last. */
#include "model_mirror.h"

#include <corridor/array.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t type_called(const struct cor_world_declaration *declaration, const char *name) {
    for (uint32_t t = 0; t < declaration->type_count; t++)
        if (strcmp(declaration->types[t].name, name) == 0)
            return t;
    return COR_NONE;
}

static uint32_t property_called(const struct cor_world_declaration *declaration, uint32_t type,
                                const char *name) {
    for (uint32_t p = 0; type != COR_NONE && p < declaration->types[type].property_count; p++)
        if (declaration->types[type].properties[p].domain &&
            strcmp(declaration->types[type].properties[p].name, name) == 0)
            return p;
    return COR_NONE;
}

static enum cor_status complain(const struct system_layer__mirror *mirror, const char *remedy,
                                struct cor_error *error, const char *format, ...) COR_PRINTF(4, 5);
static enum cor_status complain(const struct system_layer__mirror *mirror, const char *remedy,
                                struct cor_error *error, const char *format, ...) {
    char cause[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cause, sizeof cause, format, arguments);
    va_end(arguments);
    return cor_fail(error, COR_STATUS_INPUT, mirror->model->name, remedy, "%s", cause);
}

/* Whether a world can have the variable's values as its own: words by their texts, fixed-point numbers as
 * reals, truth values also as 0 and 1. */
static bool is_alike(const struct cor_efsm_variable *variable, const struct cor_domain *domain) {
    const bool counts = domain->type == COR_VALUE_TYPE_INTEGER || domain->type == COR_VALUE_TYPE_BOOLEAN;
    return variable->type == COR_EFSM_WORDS
               ? domain->type == COR_VALUE_TYPE_ENUMERATION || domain->type == COR_VALUE_TYPE_STRING
           : variable->type == COR_EFSM_DECIMALS ? domain->type == COR_VALUE_TYPE_REAL
                                                 : counts;
}

/* A value of the model in the world. */
static struct cor_value world_value(const struct system_layer__mirror *mirror, uint32_t variable,
                                    int64_t value) {
    const struct cor_efsm_variable *it = &mirror->model->variables[variable];
    return it->type == COR_EFSM_WORDS      ? cor_word(mirror->values[variable][value])
           : it->type == COR_EFSM_DECIMALS ? cor_real((double)value / (double)cor_power_of_ten(it->decimals))
                                           : cor_integer(value);
}

/* And back; false: it is none of the variable's type. */
static bool model_value(const struct system_layer__mirror *mirror, uint32_t variable, struct cor_value value,
                        int64_t *number) {
    const struct cor_efsm_variable *it = &mirror->model->variables[variable];
    if (it->type == COR_EFSM_WORDS) {
        for (*number = 0; value.kind == COR_VALUE_WORD && *number <= it->high; ++*number)
            if (mirror->values[variable][*number] == value.as.word)
                return true;
        return false;
    }
    if (it->type == COR_EFSM_DECIMALS)
        return value.kind == COR_VALUE_REAL && cor_decimal_units(value.as.real, it->decimals, number);
    *number = value.as.integer;
    return value.kind == COR_VALUE_INTEGER;
}

/* Which input an action is, and which variable each of its parameters. */
static enum cor_status match_action(struct system_layer__mirror *mirror, uint32_t action,
                                    struct cor_error *error) {
    const struct cor_efsm *model = mirror->model;
    const struct cor_action *it = &mirror->declaration->actions[action];
    uint32_t input = 0;
    mirror->inputs[action] = COR_NONE;
    while (input < model->input_count && strcmp(model->input_names[input], it->name) != 0)
        input++;
    if (input == model->input_count || action < COR_ACTION_FIRST)
        return COR_OK;
    const struct cor_efsm_label *label = &model->inputs[input];
    if (label->parameter_count != it->parameter_count)
        return complain(mirror, "an action has the parameters of the input that it is", error,
                        "the action \"%s\" of the world has %u parameters, and the model's input %u",
                        it->name, it->parameter_count, label->parameter_count);
    for (uint32_t p = 0; p < it->parameter_count; p++) {
        const struct cor_domain *domain = it->parameters[p].domain;
        uint32_t a = 0;
        while (a < label->parameter_count &&
               strcmp(model->variables[label->parameters[a]].name, it->parameters[p].name) != 0)
            a++;
        if (a == label->parameter_count)
            return complain(mirror, "an action has the parameters of the input that it is", error,
                            "the model's input \"%s\" has no parameter \"%s\", which the action has",
                            it->name, it->parameters[p].name);
        const struct cor_efsm_variable *variable = &model->variables[label->parameters[a]];
        if (!domain || !is_alike(variable, domain))
            return complain(mirror, "the model's input says of what type it is", error,
                            "the parameter \"%s\" of the action \"%s\" is not of type %s",
                            it->parameters[p].name, it->name, variable->type_text);
        mirror->parameters[action * COR_WORLD_PARAMETERS_MAX + p] = label->parameters[a];
    }
    mirror->inputs[action] = input;
    return COR_OK;
}

static enum cor_status match_actions(struct system_layer__mirror *mirror, struct cor_error *error) {
    const uint32_t count = mirror->declaration->action_count;
    uint32_t matched = 0;
    mirror->inputs = cor_calloc(count, sizeof *mirror->inputs);
    mirror->parameters = cor_calloc((size_t)count * COR_WORLD_PARAMETERS_MAX, sizeof *mirror->parameters);
    if (!mirror->inputs || !mirror->parameters)
        return cor_fail_memory(error);
    for (uint32_t action = 0; action < count; action++) {
        COR_TRY(match_action(mirror, action, error));
        matched += mirror->inputs[action] != COR_NONE;
    }
    if (matched == 0 && mirror->model->input_count > 0)
        return complain(mirror, "inputs are called as actions of the world", error,
                        "no input of the model is an action of the world");
    return COR_OK;
}

static enum cor_status match_entities(struct system_layer__mirror *mirror, struct cor_error *error) {
    const struct cor_efsm *model = mirror->model;
    const struct cor_world_declaration *declaration = mirror->declaration;
    mirror->system_type = type_called(declaration, "system");
    mirror->output_type = type_called(declaration, "output");
    mirror->location = property_called(declaration, mirror->system_type, "location");
    mirror->quiet = property_called(declaration, mirror->system_type, "quiet");
    mirror->label = property_called(declaration, mirror->output_type, "label");
    mirror->said = property_called(declaration, mirror->output_type, "said");
    mirror->at = property_called(declaration, mirror->output_type, "at");
    for (uint32_t v = 0; v < model->variable_count; v++)
        mirror->variables[v] =
            model->variables[v].kind == COR_EFSM_PARAMETER
                ? COR_NONE
                : property_called(declaration,
                                  model->variables[v].kind == COR_EFSM_STATE ? mirror->system_type
                                                                             : mirror->output_type,
                                  model->variables[v].name);
    if (model->output_count > 0 && (mirror->said == COR_NONE || mirror->at == COR_NONE))
        return complain(mirror,
                        "its entities have \"said\" (whether the last answer has it) and \"at\" "
                        "(where in it, from 1)",
                        error, "the model has outputs, and the world declares no type \"output\"");
    mirror->locations = cor_calloc(model->location_count, sizeof *mirror->locations);
    mirror->labels = cor_calloc((size_t)model->output_count + 1, sizeof *mirror->labels);
    if (!mirror->locations || !mirror->labels)
        return cor_fail_memory(error);
    for (uint32_t l = 0; l < model->location_count; l++)
        COR_TRY(cor_words_intern(declaration->words, model->location_names[l], &mirror->locations[l], error));
    for (uint32_t o = 0; o < model->output_count; o++)
        COR_TRY(cor_words_intern(declaration->words, model->output_names[o], &mirror->labels[o], error));
    return cor_words_intern(declaration->words, "system", &mirror->system, error);
}

static enum cor_status match_words(struct system_layer__mirror *mirror, struct cor_error *error) {
    for (uint32_t v = 0; v < mirror->model->variable_count; v++) {
        const struct cor_efsm_variable *variable = &mirror->model->variables[v];
        if (variable->type != COR_EFSM_WORDS)
            continue;
        mirror->values[v] = cor_calloc((size_t)variable->high + 1, sizeof **mirror->values);
        COR_TRY(cor_made(mirror->values[v], error));
        for (int64_t w = 0; w <= variable->high; w++)
            COR_TRY(cor_words_intern(mirror->declaration->words, variable->words[w], &mirror->values[v][w],
                                     error));
    }
    return COR_OK;
}

enum cor_status system_layer__mirror_init(struct system_layer__mirror *mirror, const struct cor_efsm *model,
                                          const struct cor_world_declaration *declaration,
                                          struct cor_error *error) {
    *mirror = (struct system_layer__mirror){.model = model, .declaration = declaration};
    COR_TRY(match_words(mirror, error));
    COR_TRY(match_entities(mirror, error));
    return match_actions(mirror, error);
}

void system_layer__mirror_fini(struct system_layer__mirror *mirror) {
    free(mirror->inputs);
    free(mirror->parameters);
    free(mirror->locations);
    free(mirror->labels);
    for (uint32_t v = 0; v < COR_EFSM_VARIABLES_MAX; v++)
        free(mirror->values[v]);
    system_layer__page_fini(&mirror->page);
    free(mirror->places);
    *mirror = (struct system_layer__mirror){0};
}

uint32_t system_layer__mirror_input(const struct system_layer__mirror *mirror,
                                    const struct cor_world_command *command, int64_t *values) {
    const uint32_t input = mirror->inputs[command->action];
    if (input == COR_NONE)
        return COR_NONE;
    for (uint32_t v = 0; v < mirror->model->variable_count; v++)
        values[v] = mirror->model->variables[v].low;
    for (uint32_t p = 0; p < mirror->declaration->actions[command->action].parameter_count; p++) {
        const uint32_t v = mirror->parameters[command->action * COR_WORLD_PARAMETERS_MAX + p];
        if (!model_value(mirror, v, command->arguments[p], &values[v]))
            values[v] = mirror->model->variables[v].high + 1; /* a value that no move has */
    }
    return input;
}

bool system_layer__mirror_command(const struct system_layer__mirror *mirror, uint32_t input,
                                  const int64_t *values, struct cor_world_command *command) {
    for (uint32_t action = 0; action < mirror->declaration->action_count; action++) {
        if (mirror->inputs[action] != input)
            continue;
        *command = (struct cor_world_command){.action = action};
        for (uint32_t p = 0; p < mirror->declaration->actions[action].parameter_count; p++) {
            const uint32_t v = mirror->parameters[action * COR_WORLD_PARAMETERS_MAX + p];
            command->arguments[p] = world_value(mirror, v, values[v]);
        }
        return true;
    }
    return false;
}

/* ---- what a state and an answer look like */

static void put_value(struct system_layer__mirror *mirror, uint32_t property, struct cor_value value) {
    if (property != COR_NONE)
        system_layer__page_value(&mirror->page, property, value);
}

/* Output `label`: said at that place of the answer, from 1; 0: not said, and its arguments stay those with
 * which it was said last. */
static void put_output(struct system_layer__mirror *mirror, uint32_t identity, uint32_t label, uint32_t place,
                       const int64_t *arguments) {
    const struct cor_efsm_label *it = &mirror->model->outputs[label];
    system_layer__page_entity(&mirror->page, identity, mirror->output_type);
    put_value(mirror, mirror->label, cor_word(mirror->labels[label]));
    put_value(mirror, mirror->said, cor_integer(place > 0));
    put_value(mirror, mirror->at, cor_integer(place));
    for (uint32_t a = 0; place > 0 && a < it->parameter_count; a++)
        put_value(mirror, mirror->variables[it->parameters[a]],
                  world_value(mirror, it->parameters[a], arguments[a]));
}

/* A label that was said more than once has an entity for each further time: "ack 2". */
static enum cor_status identity_again(struct system_layer__mirror *mirror, uint32_t label, uint32_t times,
                                      uint32_t *identity, struct cor_error *error) {
    char *text = cor_format("%s %u", mirror->model->output_names[label], times);
    COR_TRY(cor_made(text, error));
    const enum cor_status status = cor_words_intern(mirror->declaration->words, text, identity, error);
    free(text);
    return status;
}

static enum cor_status put_outputs(struct system_layer__mirror *mirror,
                                   const struct cor_efsm_observation *observation, struct cor_error *error) {
    const struct cor_efsm *model = mirror->model;
    for (uint32_t label = 0; label < model->output_count; label++) {
        const int64_t *arguments = observation->arguments;
        uint32_t times = 0;
        for (uint32_t i = 0; i < observation->label_count; i++) {
            uint32_t identity = mirror->labels[label];
            if (observation->labels[i] == label) {
                if (++times > 1)
                    COR_TRY(identity_again(mirror, label, times, &identity, error));
                put_output(mirror, identity, label, i + 1, arguments);
            }
            arguments += model->outputs[observation->labels[i]].parameter_count;
        }
        if (times == 0)
            put_output(mirror, mirror->labels[label], label, 0, NULL);
    }
    return COR_OK;
}

enum cor_status system_layer__mirror_view(struct system_layer__mirror *mirror, uint32_t location,
                                          const int64_t *values,
                                          const struct cor_efsm_observation *observation,
                                          struct cor_world_view *view, struct cor_error *error) {
    const struct cor_efsm *model = mirror->model;
    const size_t entities = (size_t)1 + model->output_count + observation->label_count;
    const size_t width = (size_t)model->variable_count + 3;
    COR_TRY(system_layer__page_reserve(&mirror->page, entities, entities * width, error));
    system_layer__page_clear(&mirror->page);
    system_layer__page_entity(&mirror->page, mirror->system, mirror->system_type);
    put_value(mirror, mirror->quiet, cor_integer(observation->label_count == 0));
    put_value(mirror, mirror->location, cor_word(mirror->locations[location]));
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].kind == COR_EFSM_STATE)
            put_value(mirror, mirror->variables[v], world_value(mirror, v, values[v]));
    if (mirror->output_type != COR_NONE)
        COR_TRY(put_outputs(mirror, observation, error));
    *view = system_layer__page_view(&mirror->page, view->tick);
    return COR_OK;
}

/* ---- and back */

static struct cor_value value_of(const struct system_layer__mirror *mirror, const struct cor_beliefs *beliefs,
                                 uint32_t element, uint32_t property) {
    return property == COR_NONE ? cor_null()
                                : cor_beliefs_value(beliefs, mirror->output_type, element, property);
}

static uint32_t label_of(const struct system_layer__mirror *mirror, const struct cor_beliefs *beliefs,
                         uint32_t element) {
    const struct cor_value value = value_of(mirror, beliefs, element, mirror->label);
    const uint32_t word = value.kind == COR_VALUE_WORD
                              ? value.as.word
                              : cor_beliefs_identity(beliefs, mirror->output_type, element);
    uint32_t label = 0;
    while (label < mirror->model->output_count && mirror->labels[label] != word)
        label++;
    return label < mirror->model->output_count ? label : COR_NONE;
}

static int compare_places(const void *a, const void *b) {
    const struct system_layer__place *one = a, *other = b;
    return one->at != other->at ? (one->at < other->at ? -1 : 1)
                                : (one->element > other->element) - (one->element < other->element);
}

enum cor_status system_layer__mirror_observe(struct system_layer__mirror *mirror,
                                             const struct cor_beliefs *beliefs,
                                             struct cor_efsm_observation *observation,
                                             struct cor_error *error) {
    uint32_t count = 0;
    cor_efsm_observation_clear(observation);
    if (mirror->output_type == COR_NONE)
        return COR_OK;
    for (uint32_t e = 0; e < cor_beliefs_count(beliefs, mirror->output_type); e++) {
        const struct cor_value said = value_of(mirror, beliefs, e, mirror->said);
        if (!cor_beliefs_is_there(beliefs, mirror->output_type, e) || said.kind != COR_VALUE_INTEGER ||
            said.as.integer == 0)
            continue;
        COR_TRY(COR_RESERVE(&mirror->places, &mirror->place_capacity, (size_t)count + 1, error));
        mirror->places[count++] =
            (struct system_layer__place){value_of(mirror, beliefs, e, mirror->at).as.integer, e};
    }
    if (count > 1)
        qsort(mirror->places, count, sizeof *mirror->places, compare_places);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t element = mirror->places[i].element, label = label_of(mirror, beliefs, element);
        COR_TRY(cor_efsm_observation_label(observation, label, error));
        for (uint32_t a = 0; label != COR_NONE && a < mirror->model->outputs[label].parameter_count; a++) {
            const uint32_t v = mirror->model->outputs[label].parameters[a];
            const struct cor_value value = value_of(mirror, beliefs, element, mirror->variables[v]);
            int64_t number;
            if (!model_value(mirror, v, value, &number))
                number = INT64_MIN;
            COR_TRY(cor_efsm_observation_argument(observation, number, error));
        }
    }
    return COR_OK;
}

uint32_t system_layer__mirror_denies(const struct system_layer__mirror *mirror,
                                     const struct cor_beliefs *beliefs, const int64_t *row) {
    struct cor_believed system;
    if (!cor_beliefs_find(beliefs, mirror->system, &system) || system.type != mirror->system_type)
        return COR_NONE;
    if (mirror->location != COR_NONE) {
        const struct cor_value value =
            cor_beliefs_value(beliefs, system.type, system.element, mirror->location);
        if (value.kind == COR_VALUE_WORD && value.as.word != mirror->locations[row[0]])
            return mirror->location;
    }
    for (uint32_t v = 0; v < mirror->model->variable_count; v++) {
        if (mirror->model->variables[v].kind != COR_EFSM_STATE || mirror->variables[v] == COR_NONE)
            continue;
        const struct cor_value value =
            cor_beliefs_value(beliefs, system.type, system.element, mirror->variables[v]);
        int64_t number;
        if (model_value(mirror, v, value, &number) && number != row[1 + v])
            return mirror->variables[v];
    }
    return COR_NONE;
}
