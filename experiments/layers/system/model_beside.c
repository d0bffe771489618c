/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a level's model and what a level shows are the same: who stands where, which doors are seen open, and
 * to what there is a way. */
#include "internal.h"
#include "whole_page.h"

#include <corridor/array.h>
#include <corridor/beliefs.h>
#include <corridor/bytes.h>
#include <corridor/efsm_conformance.h>
#include <corridor/efsm_problem.h>
#include <corridor/planner.h>
#include <corridor/travel.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- How a level's model and what a level shows are the same. An input of the model ("press_b1",
 * "enter_d1", "reach_key") is a whole walk: it is given by the action that ends it, when the test agent
 * presses the button in whose cell it stands, or comes to the cell of the door or the item */

struct system_layer__level_input {
    uint32_t thing;    /* the word of its identity */
    uint32_t location; /* where one is behind it */
    bool is_press;
};

struct system_layer__level {
    const struct cor_efsm *model;                    /* borrowed; cor_rooms_level_model's */
    const char *test_agent;                          /* borrowed; the one that acts */
    const struct cor_world_declaration *declaration; /* borrowed; the world's */
    struct system_layer__level_input *inputs;        /* owned */
    uint32_t *doors;  /* owned; [variable] word of the door's identity, COR_NONE */
    uint32_t cell[3]; /* where it was after the last command */
    bool has_cell, was_dead;
};

/* The word of the identity between the prefix and the suffix of a name of the model; COR_NONE. */
static uint32_t thing_named(const struct cor_words *words, const char *name, const char *prefix,
                            const char *suffix) {
    const size_t length = strlen(name), before = strlen(prefix), behind = strlen(suffix);
    if (length <= before + behind || strncmp(name, prefix, before) != 0 ||
        strcmp(name + length - behind, suffix) != 0)
        return COR_NONE;
    COR_FREED char *identity = cor_format("%.*s", (int)(length - before - behind), name + before);
    return identity ? cor_words_find(words, identity) : COR_NONE;
}

static bool find_place(const struct cor_beliefs *beliefs, uint32_t identity, uint32_t cell[3]) {
    struct cor_believed it;
    return cor_beliefs_find(beliefs, identity, &it) && cor_beliefs_place(beliefs, it.type, it.element, cell);
}

/* What is believed of a property of the entity; null: it is unknown, or there is no such property. */
static struct cor_value value_called(const struct system_layer__level *level,
                                     const struct cor_beliefs *beliefs, struct cor_believed it,
                                     const char *name) {
    const struct cor_entity_type *type = &level->declaration->types[it.type];
    for (uint32_t p = 0; p < type->property_count; p++)
        if (strcmp(type->properties[p].name, name) == 0)
            return cor_beliefs_value(beliefs, it.type, it.element, p);
    return cor_null();
}

static bool is_dead(const struct system_layer__level *level, const struct cor_beliefs *beliefs) {
    const uint32_t self = cor_words_find(level->declaration->words, level->test_agent);
    struct cor_believed it;
    if (self == COR_NONE || !cor_beliefs_find(beliefs, self, &it))
        return false;
    const struct cor_value hp = value_called(level, beliefs, it, "hp");
    return hp.kind == COR_VALUE_INTEGER && hp.as.integer <= 0;
}

/* The input that the command has ended, by what is believed after it; COR_NONE: none. Notes where the test
 * agent is now: once for each command. */
static uint32_t level_end(struct system_layer__level *level, const struct cor_world_command *command,
                          const struct cor_beliefs *beliefs) {
    const uint32_t self = cor_words_find(level->declaration->words, level->test_agent);
    const bool was_dead = level->was_dead, is_step = command->action == level->declaration->step;
    uint32_t cell[3], there[3], made = COR_NONE;
    level->was_dead = is_dead(level, beliefs);
    if (self == COR_NONE || !find_place(beliefs, self, cell)) {
        level->has_cell = false;
        return COR_NONE;
    }
    const bool has_moved = !level->has_cell || memcmp(cell, level->cell, sizeof cell) != 0;
    for (uint32_t i = 0; i < level->model->input_count && !was_dead; i++) {
        const struct system_layer__level_input *input = &level->inputs[i];
        const bool is_meant = input->is_press ? !is_step && command->action >= COR_ACTION_FIRST &&
                                                    command->arguments[0].kind == COR_VALUE_WORD &&
                                                    command->arguments[0].as.word == input->thing
                                              : is_step && has_moved;
        if (is_meant && find_place(beliefs, input->thing, there) && memcmp(cell, there, sizeof cell) == 0)
            made = i;
    }
    memcpy(level->cell, cell, sizeof cell);
    level->has_cell = true;
    return made;
}

/* A variable that is otherwise in the state, a row of cor_efsm_state_width, than what the last view shows of
 * its door; COR_NONE: none. */
static uint32_t level_denies(const struct system_layer__level *level, const struct cor_beliefs *beliefs,
                             const int64_t *row) {
    for (uint32_t v = 0; v < level->model->variable_count; v++) {
        struct cor_believed door;
        if (level->doors[v] == COR_NONE || !cor_beliefs_find(beliefs, level->doors[v], &door) ||
            !cor_beliefs_sees(beliefs, door.type, door.element))
            continue;
        const struct cor_value open = value_called(level, beliefs, door, "open");
        if (open.kind == COR_VALUE_INTEGER && open.as.integer != row[1 + v])
            return v;
    }
    return COR_NONE;
}

/* Whether the model's walk to the thing can be judged by what is believed: no door but those that were passed
 * lies on it, and a door itself must be seen to be open. */
static bool is_judged(const struct system_layer__level *level, const struct cor_beliefs *beliefs,
                      const struct system_layer__level_input *input, struct cor_believed *thing) {
    if (!cor_beliefs_find(beliefs, input->thing, thing) ||
        !cor_beliefs_is_there(beliefs, thing->type, thing->element))
        return false;
    const struct cor_value open = value_called(level, beliefs, *thing, "open");
    return open.kind == COR_VALUE_NULL || (cor_beliefs_sees(beliefs, thing->type, thing->element) &&
                                           open.kind == COR_VALUE_INTEGER && open.as.integer != 0);
}

/* An input that the model takes in the state and to whose thing there is no way, all that can be reached
 * having been seen; COR_NONE: none. */
static enum cor_status level_lacks_way(const struct system_layer__level *level,
                                       const struct cor_beliefs *beliefs, struct cor_travel *travel,
                                       const int64_t *row, uint32_t *input, struct cor_error *error) {
    const struct cor_efsm *model = level->model;
    enum cor_travel_answer answer;
    struct cor_world_command command;
    *input = COR_NONE;
    if (level->was_dead || !level->has_cell)
        return COR_OK;
    COR_TRY(cor_travel_explore(travel, &answer, &command, error));
    if (answer != COR_TRAVEL_NOTHING_LEFT)
        return COR_OK;
    for (uint32_t t = 0; t < model->transition_count; t++) {
        const struct cor_efsm_transition *it = &model->transitions[t];
        struct cor_believed thing;
        if ((int64_t)it->source != row[0] || !cor_efsm_enabled(model, t, row + 1) ||
            !is_judged(level, beliefs, &level->inputs[it->input], &thing))
            continue;
        COR_TRY(cor_travel_to(travel, thing, false, &answer, &command, error));
        if (answer == COR_TRAVEL_NO_WAY) {
            *input = it->input;
            return COR_OK;
        }
    }
    return COR_OK;
}

/* ---- how a model and what a world shows are the same, by names: actions are inputs; the entity "system" has
 * the location and the state variables; entities of the type "output" are what was said last */

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

enum cor_status system_layer__mirror_init(struct system_layer__mirror *mirror, const struct cor_efsm *model,
                                          const struct cor_world_declaration *declaration,
                                          struct cor_error *error) {
    *mirror = (struct system_layer__mirror){.model = model, .declaration = declaration};
    for (uint32_t v = 0; v < model->variable_count; v++) {
        const struct cor_efsm_variable *variable = &model->variables[v];
        if (variable->type != COR_EFSM_WORDS)
            continue;
        mirror->values[v] = cor_calloc((size_t)variable->high + 1, sizeof **mirror->values);
        COR_TRY(cor_made(mirror->values[v], error));
        for (int64_t w = 0; w <= variable->high; w++)
            COR_TRY(cor_words_intern(declaration->words, variable->words[w], &mirror->values[v][w], error));
    }
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
    COR_TRY(cor_words_intern(declaration->words, "system", &mirror->system, error));
    const uint32_t count = declaration->action_count;
    uint32_t matched = 0;
    mirror->inputs = cor_calloc(count, sizeof *mirror->inputs);
    mirror->parameters = cor_calloc((size_t)count * COR_WORLD_PARAMETERS_MAX, sizeof *mirror->parameters);
    if (!mirror->inputs || !mirror->parameters)
        return cor_fail_memory(error);
    for (uint32_t action = 0; action < count; action++) {
        COR_TRY(match_action(mirror, action, error));
        matched += mirror->inputs[action] != COR_NONE;
    }
    if (matched == 0 && model->input_count > 0)
        return complain(mirror, "inputs are called as actions of the world", error,
                        "no input of the model is an action of the world");
    return COR_OK;
}

void system_layer__mirror_fini(struct system_layer__mirror *mirror) {
    COR_FREE(mirror->inputs, mirror->parameters, mirror->locations, mirror->labels);
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

/* The command that an input is; false: none. */
static bool mirror_command(const struct system_layer__mirror *mirror, uint32_t input, const int64_t *values,
                           struct cor_world_command *command) {
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

static void put_property(struct system_layer__mirror *mirror, uint32_t property, struct cor_value value) {
    if (property != COR_NONE)
        system_layer__page_value(&mirror->page, property, value);
}

/* Output `label`: said at that place of the answer, from 1; 0: not said, and its arguments stay those with
 * which it was said last. */
static void put_output(struct system_layer__mirror *mirror, uint32_t identity, uint32_t label, uint32_t place,
                       const int64_t *arguments) {
    const struct cor_efsm_label *it = &mirror->model->outputs[label];
    system_layer__page_entity(&mirror->page, identity, mirror->output_type);
    put_property(mirror, mirror->label, cor_word(mirror->labels[label]));
    put_property(mirror, mirror->said, cor_integer(place > 0));
    put_property(mirror, mirror->at, cor_integer(place));
    for (uint32_t a = 0; place > 0 && a < it->parameter_count; a++)
        put_property(mirror, mirror->variables[it->parameters[a]],
                     world_value(mirror, it->parameters[a], arguments[a]));
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
    put_property(mirror, mirror->quiet, cor_integer(observation->label_count == 0));
    put_property(mirror, mirror->location, cor_word(mirror->locations[location]));
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].kind == COR_EFSM_STATE)
            put_property(mirror, mirror->variables[v], world_value(mirror, v, values[v]));
    for (uint32_t label = 0; mirror->output_type != COR_NONE && label < model->output_count; label++) {
        const int64_t *arguments = observation->arguments;
        uint32_t times = 0;
        for (uint32_t i = 0; i < observation->label_count; i++) {
            uint32_t identity = mirror->labels[label];
            if (observation->labels[i] == label) {
                if (++times > 1) {
                    /* A label that was said more than once has an entity for each further time: "ack 2". */
                    COR_FREED char *text = cor_format("%s %u", mirror->model->output_names[label], times);
                    COR_TRY(cor_made(text, error));
                    COR_TRY(cor_words_intern(mirror->declaration->words, text, &identity, error));
                }
                put_output(mirror, identity, label, i + 1, arguments);
            }
            arguments += model->outputs[observation->labels[i]].parameter_count;
        }
        if (times == 0)
            put_output(mirror, mirror->labels[label], label, 0, NULL);
    }
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

/* What it answered last, by what is believed. */
static enum cor_status mirror_observe(struct system_layer__mirror *mirror, const struct cor_beliefs *beliefs,
                                      struct cor_efsm_observation *observation, struct cor_error *error) {
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

/* A property of the system that is believed to be otherwise than in the state, a row of
 * cor_efsm_state_width; COR_NONE: none. */
static uint32_t mirror_denies(const struct system_layer__mirror *mirror, const struct cor_beliefs *beliefs,
                              const int64_t *row) {
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

/* ---- A model beside the run: all states in which the world may be are kept, as online.c does for systems;
 * what none of them explains is not allowed. And a planner over it: what is wanted is a trap that is hit
 * wherever a world that shows the successor would make it hold */

#define STATES_MAX 10000
#define ALLOWED_SAID 4 /* answers that a message names */

struct system_layer__beside {
    const struct cor_efsm *model;
    struct system_layer__mirror mirror;
    struct system_layer__level level; /* in place of the mirror, if is_of_level */
    bool is_of_level;
    int64_t *states; /* owned; rows */
    uint32_t count;  /* 0: something was not allowed */
    size_t capacity;
    struct cor_efsm_explanations explanations;
    struct cor_efsm_observation observation;
    struct cor_efsm_goal none;        /* the planning problem's own: no trap */
    struct cor_efsm_problem *problem; /* owned */
};

enum cor_status system_layer__beside_restart(struct system_layer__beside *beside, struct cor_error *error) {
    int64_t values[COR_EFSM_VARIABLES_MAX];
    COR_TRY(COR_RESERVE(&beside->states, &beside->capacity, cor_efsm_state_width(beside->model), error));
    cor_efsm_start(beside->model, values);
    cor_efsm_state_put(beside->model, beside->model->initial, values, beside->states);
    beside->count = 1;
    beside->level.has_cell = beside->level.was_dead = false;
    return COR_OK;
}

enum cor_status system_layer__beside_create(const struct cor_efsm *model,
                                            const struct cor_world_declaration *declaration,
                                            const char *level_agent, struct system_layer__beside **made,
                                            struct cor_error *error) {
    COR_DESTROYED(system_layer__beside) struct system_layer__beside *beside = cor_calloc(1, sizeof *beside);
    *made = NULL;
    COR_TRY(cor_made(beside, error));
    beside->model = model;
    beside->is_of_level = level_agent != NULL;
    if (level_agent) {
        struct system_layer__level *level = &beside->level;
        static const char *const prefixes[] = {"press_", "enter_", "reach_"};
        *level = (struct system_layer__level){
            .model = model, .test_agent = level_agent, .declaration = declaration};
        level->inputs = cor_calloc((size_t)model->input_count + 1, sizeof *level->inputs);
        level->doors = cor_calloc((size_t)model->variable_count + 1, sizeof *level->doors);
        if (!level->inputs || !level->doors)
            return cor_fail_memory(error);
        for (uint32_t i = 0; i < model->input_count; i++) {
            struct system_layer__level_input *input = &level->inputs[i];
            input->thing = COR_NONE;
            for (int p = 0; p < 3 && input->thing == COR_NONE; p++) {
                input->thing = thing_named(declaration->words, model->input_names[i], prefixes[p], "");
                input->is_press = p == 0;
            }
            if (input->thing == COR_NONE)
                return cor_fail_memory(error); /* the model is of these things: no room for a name */
            uint32_t location = 0;
            while (location < model->location_count &&
                   (strncmp(model->location_names[location], "at_", 3) != 0 ||
                    strcmp(model->location_names[location] + 3,
                           cor_words_text(declaration->words, input->thing)) != 0))
                location++;
            input->location = location;
        }
        for (uint32_t v = 0; v < model->variable_count; v++)
            level->doors[v] = model->variables[v].kind == COR_EFSM_STATE
                                  ? thing_named(declaration->words, model->variables[v].name, "", "_open")
                                  : COR_NONE;
    } else
        COR_TRY(system_layer__mirror_init(&beside->mirror, model, declaration, error));
    COR_TRY(system_layer__beside_restart(beside, error));
    *made = cor_taken(&beside);
    return COR_OK;
}

void system_layer__beside_destroy(struct system_layer__beside *beside) {
    if (!beside)
        return;
    system_layer__mirror_fini(&beside->mirror);
    COR_FREE(beside->level.inputs, beside->level.doors);
    cor_efsm_problem_destroy(beside->problem);
    cor_efsm_explanations_fini(&beside->explanations);
    cor_efsm_observation_fini(&beside->observation);
    COR_FREE(beside->states, beside);
}

/* ---- judging */

/* "ack(3) done", "nothing" */
static void put_observation(const struct cor_efsm *model, const struct cor_efsm_observation *observation,
                            struct cor_bytes *text) {
    const int64_t *argument = observation->arguments;
    if (observation->label_count == 0)
        cor_bytes_print(text, "nothing");
    for (uint32_t i = 0; i < observation->label_count; i++) {
        const uint32_t label = observation->labels[i];
        cor_bytes_print(text, "%s%s", i > 0 ? " " : "",
                        label == COR_NONE ? "an output that it does not have" : model->output_names[label]);
        const uint32_t count = label == COR_NONE ? 0 : model->outputs[label].parameter_count;
        for (uint32_t a = 0; a < count; a++, argument++)
            if (*argument == INT64_MIN)
                cor_bytes_print(text, "%s?%s", a == 0 ? "(" : ", ", a + 1 == count ? ")" : "");
            else
                cor_bytes_print(text, "%s%lld%s", a == 0 ? "(" : ", ", (long long)*argument,
                                a + 1 == count ? ")" : "");
    }
}

/* What would have been allowed: the answers of all explanations, each once as far as they follow each other.
 */
static enum cor_status say_allowed(struct system_layer__beside *beside, uint32_t input, const int64_t *values,
                                   struct cor_bytes *text, struct cor_error *error) {
    const struct cor_efsm *model = beside->model;
    const size_t width = cor_efsm_state_width(model);
    COR_FINISHED(cor_bytes) struct cor_bytes last = {0}, said = {0};
    uint32_t count = 0;
    enum cor_status status = COR_OK;
    COR_TRY(cor_efsm_explain(model, beside->states, beside->count, input, values, NULL, &beside->explanations,
                             error));
    for (uint32_t i = 0; i < beside->explanations.count && count < ALLOWED_SAID; i++) {
        const struct cor_efsm_explanation *it = &beside->explanations.items[i];
        cor_bytes_clear(&said);
        cor_efsm_observation_clear(&beside->observation);
        if (it->transition != COR_NONE) {
            int64_t all[COR_EFSM_VARIABLES_MAX];
            memcpy(all, beside->states + it->state * width + 1, model->variable_count * sizeof *all);
            cor_efsm_put_input(model, input, values, all);
            COR_TRY(cor_efsm_observation_of(model, it->transition, all, &beside->observation, error));
        }
        put_observation(model, &beside->observation, &said);
        if (count > 0 && strcmp(cor_bytes_text(&said), cor_bytes_text(&last)) == 0)
            continue;
        cor_bytes_print(text, "%s%s", count > 0 ? ", or " : "", cor_bytes_text(&said));
        cor_bytes_clear(&last);
        cor_bytes_put_text(&last, cor_bytes_text(&said));
        count++;
    }
    if (said.status != COR_OK || last.status != COR_OK)
        status = cor_fail_memory(error);
    return status;
}

/* Of the states behind the explanations those that are what is shown; *denied: a property that drops one. */
static enum cor_status keep_states(struct system_layer__beside *beside, const struct cor_beliefs *beliefs,
                                   uint32_t *denied, struct cor_error *error) {
    const size_t width = cor_efsm_state_width(beside->model);
    uint32_t count = 0;
    *denied = COR_NONE;
    COR_TRY(
        COR_RESERVE(&beside->states, &beside->capacity, beside->explanations.count * width + width, error));
    for (uint32_t i = 0; i < beside->explanations.count; i++) {
        const int64_t *row = beside->explanations.next + i * width;
        const uint32_t property = beside->is_of_level ? level_denies(&beside->level, beliefs, row)
                                                      : mirror_denies(&beside->mirror, beliefs, row);
        if (property != COR_NONE)
            *denied = property;
        else
            memcpy(beside->states + width * count++, row, width * sizeof *row);
    }
    beside->count = cor_efsm_states_tidy(beside->states, count, width);
    return beside->count <= STATES_MAX
               ? COR_OK
               : cor_fail(error, COR_STATUS_INPUT, beside->model->name, "let the outputs tell more",
                          "the system may be in more than %d states of the model", STATES_MAX);
}

/* Without an input the world says nothing, and stays where it is. */
static enum cor_status explain_idleness(struct system_layer__beside *beside, struct cor_error *error) {
    const size_t width = cor_efsm_state_width(beside->model);
    struct cor_efsm_explanations *it = &beside->explanations;
    it->count = it->taken = 0;
    if (beside->observation.label_count > 0)
        return COR_OK;
    COR_TRY(COR_RESERVE(&it->items, &it->capacity, beside->count, error));
    COR_TRY(COR_RESERVE(&it->next, &it->next_capacity, beside->count * width, error));
    memcpy(it->next, beside->states, beside->count * width * sizeof *it->next);
    it->count = beside->count;
    return COR_OK;
}

/* Sets count to 0 and says why, if nothing explains what was observed, or what is shown. */
static enum cor_status judge(struct system_layer__beside *beside, const struct cor_world_command *command,
                             const struct cor_beliefs *beliefs, struct cor_bytes *text,
                             struct cor_error *error) {
    const struct cor_efsm *model = beside->model;
    int64_t values[COR_EFSM_VARIABLES_MAX];
    uint32_t denied;
    const uint32_t input = system_layer__mirror_input(&beside->mirror, command, values);
    COR_TRY(mirror_observe(&beside->mirror, beliefs, &beside->observation, error));
    if (input == COR_NONE)
        COR_TRY(explain_idleness(beside, error));
    else
        COR_TRY(cor_efsm_explain(model, beside->states, beside->count, input, values, &beside->observation,
                                 &beside->explanations, error));
    if (beside->explanations.count > 0) {
        COR_TRY(keep_states(beside, beliefs, &denied, error));
        if (beside->count == 0) {
            const struct system_layer__mirror *mirror = &beside->mirror;
            const struct cor_world_property *it =
                &mirror->declaration->types[mirror->system_type].properties[denied];
            struct cor_believed system;
            char value[100] = "?";
            if (cor_beliefs_find(beliefs, mirror->system, &system))
                cor_value_text(cor_beliefs_value(beliefs, system.type, system.element, denied), it->domain,
                               mirror->declaration->words, value, sizeof value);
            cor_bytes_print(text, "%s of the system is %s then, which the model does not allow", it->name,
                            value);
        }
        return COR_OK;
    }
    cor_bytes_print(text, "it answered ");
    put_observation(model, &beside->observation, text);
    cor_bytes_print(text, ", and the model allows ");
    if (input == COR_NONE)
        cor_bytes_print(text, "nothing, since nothing was given");
    else
        COR_TRY(say_allowed(beside, input, values, text, error));
    beside->count = 0;
    return COR_OK;
}

/* ---- judging a level by its model */

/* "press_b1 from at_b2" */
static void put_walk(const struct system_layer__beside *beside, uint32_t input, const int64_t *row,
                     struct cor_bytes *text) {
    cor_bytes_print(text, "%s from %s", beside->model->input_names[input],
                    beside->model->location_names[row[0]]);
}

/* Of the explanations those by which the walk was done; also from where one stepped aside, and back. */
static enum cor_status explain_walk(struct system_layer__beside *beside, uint32_t input,
                                    struct cor_error *error) {
    const size_t width = cor_efsm_state_width(beside->model);
    const struct system_layer__level_input *walk = &beside->level.inputs[input];
    struct cor_efsm_explanations *it = &beside->explanations;
    int64_t values[COR_EFSM_VARIABLES_MAX];
    uint32_t count = 0;
    cor_efsm_start(beside->model, values);
    COR_TRY(cor_efsm_explain(beside->model, beside->states, beside->count, input, values, NULL, it, error));
    for (uint32_t i = 0; i < it->count; i++) {
        const bool is_back = !walk->is_press && it->next[i * width] == (int64_t)walk->location;
        if (it->items[i].transition == COR_NONE && !is_back)
            continue;
        memmove(it->next + width * count, it->next + width * i, width * sizeof *it->next);
        it->items[count++] = it->items[i];
    }
    it->count = count;
    return COR_OK;
}

static enum cor_status judge_level(struct system_layer__beside *beside,
                                   const struct cor_world_command *command, const struct cor_beliefs *beliefs,
                                   struct cor_travel *travel, struct cor_bytes *text,
                                   struct cor_error *error) {
    const uint32_t input = level_end(&beside->level, command, beliefs);
    uint32_t denied;
    cor_efsm_observation_clear(&beside->observation);
    COR_TRY(input == COR_NONE ? explain_idleness(beside, error) : explain_walk(beside, input, error));
    if (beside->explanations.count == 0) {
        cor_bytes_print(text, "it did ");
        put_walk(beside, input, beside->states, text);
        cor_bytes_print(text, ", which the model does not allow");
        beside->count = 0;
        return COR_OK;
    }
    COR_TRY(keep_states(beside, beliefs, &denied, error));
    if (beside->count > 0) {
        /* Of the states those in which there is a way to all that the model allows. */
        const size_t width = cor_efsm_state_width(beside->model);
        uint32_t count = 0;
        for (uint32_t s = 0; s < beside->count; s++) {
            int64_t *row = beside->states + s * width;
            uint32_t missing;
            COR_TRY(level_lacks_way(&beside->level, beliefs, travel, row, &missing, error));
            if (missing == COR_NONE)
                memmove(beside->states + width * count++, row, width * sizeof *row);
            else if (s + 1 == beside->count && count == 0) {
                cor_bytes_print(
                    text, "there is no way to %s, and the model allows ",
                    cor_words_text(beside->level.declaration->words, beside->level.inputs[missing].thing));
                put_walk(beside, missing, row, text);
            }
        }
        beside->count = count;
        return COR_OK;
    }
    const bool is_shut = beside->explanations.next[1 + denied] != 0; /* a state that the view denies */
    cor_bytes_print(text, "the door %s is %s then, which the model does not allow",
                    cor_words_text(beside->level.declaration->words, beside->level.doors[denied]),
                    is_shut ? "shut" : "open");
    return COR_OK;
}

enum cor_status system_layer__beside_step(struct system_layer__beside *beside,
                                          const struct cor_world_command *command,
                                          const struct cor_beliefs *beliefs, struct cor_travel *travel,
                                          bool *is_allowed, char *why, size_t size, struct cor_error *error) {
    COR_FINISHED(cor_bytes) struct cor_bytes text = {0};
    *is_allowed = true;
    why[0] = '\0';
    if (beside->count == 0 || command->action == COR_ACTION_LOOK)
        return COR_OK;
    enum cor_status status = beside->is_of_level ? judge_level(beside, command, beliefs, travel, &text, error)
                                                 : judge(beside, command, beliefs, &text, error);
    if (status == COR_OK && text.status != COR_OK)
        status = cor_fail_memory(error);
    *is_allowed = status != COR_OK || beside->count > 0;
    if (!*is_allowed)
        snprintf(why, size, "%s", cor_bytes_text(&text));
    return status;
}

/* ---- planning */

struct system_layer__adviser {
    struct system_layer__beside *beside;
    const struct cor_beliefs *beliefs;
    struct cor_beliefs *supposed; /* owned; what would be believed of a successor */
    struct cor_planning_problem problem;
    struct cor_expansion inner;
    uint64_t after[1];
    const struct cor_expression *wanted;
    struct cor_node *nodes; /* owned; of what the planner was made for: elements in it may be put in anew */
    uint32_t node_count;
    const struct cor_planner_kind *kind;
    void *planner;        /* owned; NULL: none was made yet */
    unsigned char *state; /* owned; scratch */
};

static bool is_of_state(const struct system_layer__mirror *mirror, const struct cor_node *node) {
    if (node->element == mirror->system_type)
        return node->variable != mirror->quiet &&
               node->variable < mirror->declaration->types[mirror->system_type].property_count;
    return node->element == mirror->output_type &&
           (node->variable == mirror->said || node->variable == mirror->at ||
            (mirror->label != COR_NONE && node->variable == mirror->label));
}

enum cor_status system_layer__beside_check(const struct system_layer__beside *beside,
                                           const struct cor_expression *wanted, struct cor_error *error) {
    if (beside->is_of_level)
        return cor_fail(error, COR_STATUS_INPUT, beside->model->name, "say \"achieve\" or \"reach\"",
                        "a level's model judges, and its inputs are whole walks: it plans no steps");
    for (uint32_t n = 0; n < wanted->node_count; n++) {
        const struct cor_node *node = &wanted->nodes[n];
        char part[200] = "";
        if (node->operator!= COR_OPERATOR_VARIABLE && node->operator!= COR_OPERATOR_ATTRIBUTE &&
            node->
            operator!= COR_OPERATOR_BEFORE && node->
            operator!= COR_OPERATOR_REFERENCE)
            continue;
        if (node->operator== COR_OPERATOR_ATTRIBUTE && is_of_state(&beside->mirror, node))
            continue;
        if (wanted->spans)
            cor_span_text(&wanted->spans[n], part, sizeof part);
        return cor_fail(error, COR_STATUS_INPUT, beside->model->name,
                        "name what the model knows: location and variables of the system, what outputs are "
                        "said",
                        "\"%s\" of \"%s\" cannot be planned for", part, wanted->text);
    }
    return COR_OK;
}

static enum cor_status expand(void *self, const void *state, struct cor_expansion *expansion,
                              struct cor_error *error) {
    struct system_layer__adviser *adviser = self;
    const struct cor_planning_problem *of_model = cor_efsm_planning_problem(adviser->beside->problem);
    const struct cor_expansion *inner = &adviser->inner;
    COR_TRY(cor_expand(of_model, state, &adviser->inner, error));
    for (uint32_t i = 0; i < inner->input_count; i++) {
        const unsigned char *input = inner->inputs + i * of_model->input_size;
        COR_TRY(cor_expansion_input(&adviser->problem, expansion, input, error));
        for (uint32_t o = inner->first[i]; o < inner->first[i + 1]; o++) {
            const unsigned char *next = inner->states + o * of_model->state_size;
            uint64_t hits[1] = {0};
            /* Would what is wanted hold behind this outcome? */
            struct system_layer__beside *beside = adviser->beside;
            int64_t before[COR_EFSM_VARIABLES_MAX], given[COR_EFSM_VARIABLES_MAX],
                values[COR_EFSM_VARIABLES_MAX];
            uint32_t location, last, label;
            struct cor_world_view view = {0};
            cor_efsm_start(beside->model, before);
            cor_efsm_start(beside->model, values);
            memcpy(given, before, sizeof given);
            cor_efsm_problem_unpack(beside->problem, state, &location, before, &last);
            cor_efsm_problem_unpack_input(beside->problem, input, &label, given);
            cor_efsm_put_input(beside->model, label, given, before);
            COR_TRY(cor_efsm_observation_of(beside->model, inner->outcomes[o].label, before,
                                            &beside->observation, error));
            cor_efsm_problem_unpack(beside->problem, next, &location, values, &last);
            COR_TRY(system_layer__mirror_view(&beside->mirror, location, values, &beside->observation, &view,
                                              error));
            COR_TRY(cor_beliefs_merge(adviser->supposed, &view, error));
            const bool hit = cor_expression_ask(adviser->wanted, cor_beliefs_values(adviser->supposed),
                                                cor_beliefs_world(adviser->supposed), NULL) == COR_TRUTH_TRUE;
            if (hit)
                cor_trap_add(hits, 0);
            COR_TRY(
                cor_expansion_outcome(&adviser->problem, expansion, inner->outcomes[o], next, hits, error));
        }
    }
    return COR_OK;
}

enum cor_status system_layer__adviser_create(struct system_layer__beside *beside,
                                             const struct cor_world_vocabulary *vocabulary,
                                             const struct cor_beliefs *beliefs,
                                             struct system_layer__adviser **made, struct cor_error *error) {
    COR_DESTROYED(system_layer__adviser)
    struct system_layer__adviser *adviser = cor_calloc(1, sizeof *adviser);
    *made = NULL;
    COR_TRY(cor_made(adviser, error));
    adviser->beside = beside;
    adviser->beliefs = beliefs;
    adviser->kind = cor_planner_find("search");
    if (!beside->problem)
        COR_TRY(cor_efsm_problem_create(beside->model, &beside->none, &beside->problem, error));
    const struct cor_planning_problem *of_model = cor_efsm_planning_problem(beside->problem);
    adviser->problem = (struct cor_planning_problem){.self = adviser,
                                                     .state_size = of_model->state_size,
                                                     .input_size = of_model->input_size,
                                                     .trap_count = 1,
                                                     .trap_words = cor_trap_words(1),
                                                     .after = adviser->after,
                                                     .expand = expand};
    COR_TRY(cor_made(adviser->state = cor_calloc(of_model->state_size, 1), error));
    COR_TRY(cor_beliefs_create(vocabulary, &adviser->supposed, error));
    *made = cor_taken(&adviser);
    return COR_OK;
}

void system_layer__adviser_destroy(struct system_layer__adviser *adviser) {
    if (!adviser)
        return;
    if (adviser->planner)
        adviser->kind->destroy(adviser->planner);
    cor_expansion_fini(&adviser->inner);
    cor_beliefs_destroy(adviser->supposed);
    COR_FREE(adviser->nodes, adviser->state, adviser);
}

/* Where the world may be in several states, the first from which there is a way; that there is none is proven
 * only if it is of all of them. A planner that gave up has proven nothing: the test agent waits. */
static enum cor_status next(void *context, const struct cor_expression *wanted,
                            enum cor_travel_answer *answer, struct cor_world_command *command,
                            struct cor_error *error) {
    struct system_layer__adviser *adviser = context;
    const struct system_layer__beside *beside = adviser->beside;
    const size_t width = cor_efsm_state_width(beside->model);
    const uint64_t covered[1] = {0};
    int64_t values[COR_EFSM_VARIABLES_MAX];
    bool is_proven = !cor_efsm_problem_is_partial(beside->problem);
    *answer = COR_TRAVEL_THERE;
    if (cor_expression_ask(wanted, cor_beliefs_values(adviser->beliefs), cor_beliefs_world(adviser->beliefs),
                           NULL) == COR_TRUTH_TRUE)
        return COR_OK;
    /* A planner for what is wanted; the one there is, if it is for the same. */
    const size_t size = wanted->node_count * sizeof *wanted->nodes;
    if (!adviser->planner || adviser->wanted != wanted || adviser->node_count != wanted->node_count ||
        memcmp(adviser->nodes, wanted->nodes, size) != 0) {
        struct cor_planner_definition definition = cor_default_planner();
        definition.problem = &adviser->problem;
        if (adviser->planner)
            adviser->kind->destroy(adviser->planner);
        adviser->planner = NULL;
        free(adviser->nodes);
        COR_TRY(cor_made(adviser->nodes = cor_calloc(wanted->node_count, sizeof *wanted->nodes), error));
        memcpy(adviser->nodes, wanted->nodes, size);
        adviser->node_count = wanted->node_count;
        adviser->wanted = wanted;
        COR_TRY(adviser->kind->create(&definition, &adviser->planner, error));
    }
    for (uint32_t s = 0; s < beside->count; s++) {
        const int64_t *row = beside->states + s * width;
        struct cor_plan_choice choice = {0};
        uint32_t label;
        cor_efsm_problem_pack(beside->problem, (uint32_t)row[0], row + 1, COR_NONE, adviser->state);
        COR_TRY(adviser->kind->choose(adviser->planner, adviser->state, covered, &choice, error));
        if (choice.advice == COR_ADVICE_INPUT) {
            cor_efsm_start(beside->model, values);
            cor_efsm_problem_unpack_input(beside->problem, choice.input, &label, values);
            *answer = COR_TRAVEL_STEP;
            if (mirror_command(&beside->mirror, label, values, command))
                return COR_OK;
            is_proven = false; /* an input that the world does not have: another way may go */
        }
        is_proven = is_proven && choice.advice == COR_ADVICE_LOST;
    }
    *answer = is_proven ? COR_TRAVEL_NO_WAY : COR_TRAVEL_STEP;
    *command = (struct cor_world_command){.action = COR_ACTION_WAIT};
    return COR_OK;
}

struct cor_pursuit_advice system_layer__advice(struct system_layer__adviser *adviser) {
    return (struct cor_pursuit_advice){adviser ? next : NULL, adviser};
}
