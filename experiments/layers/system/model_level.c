/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a level's model and what a level shows are the same: who stands where, which doors are seen open, and
 * to what there is a way. */
#include "model_level.h"

#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* The word of the identity between the prefix and the suffix of a name of the model; COR_NONE. */
static uint32_t thing_named(const struct cor_words *words, const char *name, const char *prefix,
                            const char *suffix) {
    const size_t length = strlen(name), before = strlen(prefix), behind = strlen(suffix);
    if (length <= before + behind || strncmp(name, prefix, before) != 0 ||
        strcmp(name + length - behind, suffix) != 0)
        return COR_NONE;
    char *identity = cor_format("%.*s", (int)(length - before - behind), name + before);
    const uint32_t word = identity ? cor_words_find(words, identity) : COR_NONE;
    free(identity);
    return word;
}

static uint32_t location_at(const struct cor_efsm *model, const char *identity) {
    uint32_t location = 0;
    while (location < model->location_count && (strncmp(model->location_names[location], "at_", 3) != 0 ||
                                                strcmp(model->location_names[location] + 3, identity) != 0))
        location++;
    return location;
}

enum cor_status system_layer__level_init(struct system_layer__level *level, const struct cor_efsm *model,
                                         const struct cor_world_declaration *declaration,
                                         const char *test_agent, struct cor_error *error) {
    static const char *const prefixes[] = {"press_", "enter_", "reach_"};
    *level =
        (struct system_layer__level){.model = model, .test_agent = test_agent, .declaration = declaration};
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
            return cor_fail_memory(error); /* it is the model of these things: there was no room for a name */
        input->location = location_at(model, cor_words_text(declaration->words, input->thing));
    }
    for (uint32_t v = 0; v < model->variable_count; v++)
        level->doors[v] = model->variables[v].kind == COR_EFSM_STATE
                              ? thing_named(declaration->words, model->variables[v].name, "", "_open")
                              : COR_NONE;
    return COR_OK;
}

void system_layer__level_fini(struct system_layer__level *level) {
    free(level->inputs);
    free(level->doors);
    *level = (struct system_layer__level){.inputs = NULL};
}

void system_layer__level_restart(struct system_layer__level *level) {
    level->has_cell = level->was_dead = false;
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

uint32_t system_layer__level_end(struct system_layer__level *level, const struct cor_world_command *command,
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

uint32_t system_layer__level_denies(const struct system_layer__level *level,
                                    const struct cor_beliefs *beliefs, const int64_t *row) {
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

enum cor_status system_layer__level_lacks_way(const struct system_layer__level *level,
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
