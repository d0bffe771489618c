/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What actions on entities did. A property of truth is a switch; that an action flips it or does not is one
 * unknown of two values. Each time that the switch is seen, whether it changed since it was seen before is
 * the sum, modulo 2, of the unknowns of all that was acted on in between: a linear equation. What follows
 * from these equations is known, and nothing else. */
#include "travel_map.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* ---- parities */

void system_layer__reduce(const struct system_layer__parities *parities, struct system_layer__set *set,
                          bool *is_odd) {
    for (size_t p = 0; p < parities->count; p++)
        if (system_layer__has(set, parities->items[p].pivot)) {
            system_layer__flip_all(set, &parities->items[p].set);
            *is_odd ^= parities->items[p].is_odd;
        }
}

static uint32_t first_member(const struct system_layer__set *set) {
    uint32_t member = 0;
    while (!system_layer__has(set, member))
        member++;
    return member;
}

enum cor_status system_layer__add_parity(struct system_layer__parities *parities,
                                         struct system_layer__set set, bool is_odd, bool *is_new,
                                         struct cor_error *error) {
    system_layer__reduce(parities, &set, &is_odd);
    *is_new = !system_layer__is_empty(&set);
    if (!*is_new) {
        if (is_odd)
            parities->count = 0;
        return COR_OK;
    }
    COR_TRY(COR_RESERVE(&parities->items, &parities->capacity, parities->count + 1, error));
    parities->items[parities->count++] = (struct system_layer__parity){set, first_member(&set), is_odd};
    return COR_OK;
}

bool system_layer__foretell(const struct system_layer__switch *it, const struct system_layer__set *acts,
                            bool *value) {
    struct system_layer__set set = it->since;
    *value = it->value;
    if (system_layer__is_unruly(it))
        return it->is_known;
    system_layer__flip_all(&set, acts);
    system_layer__reduce(&it->parities, &set, value);
    return it->is_known && system_layer__is_empty(&set);
}

/* ---- memories */

uint32_t system_layer__tried_index(const struct system_layer__memory *memory, struct cor_believed entity) {
    for (uint32_t t = 0; t < memory->tried_count; t++)
        if (memory->tried[t].type == entity.type && memory->tried[t].element == entity.element)
            return t;
    return COR_NONE;
}

static enum cor_status note_act(struct cor_travel *travel, struct system_layer__memory *memory,
                                struct cor_believed entity, uint64_t cycle, struct cor_error *error) {
    uint32_t index = system_layer__tried_index(memory, entity);
    if (index == COR_NONE && memory->tried_count == COR_ACHIEVEMENT_MOST) {
        memory->is_full = true;
        return COR_OK;
    }
    COR_TRY(COR_RESERVE(&memory->tried, &memory->tried_capacity, memory->tried_count + 1, error));
    COR_TRY(COR_RESERVE(&memory->late, &memory->late_capacity, memory->late_count + 1, error));
    if (index == COR_NONE) {
        index = (uint32_t)memory->tried_count;
        memory->tried[memory->tried_count++] = entity;
        memory->knowledge++;
    }
    memory->late[memory->late_count++] = (struct system_layer__late){index, cycle + 1 + travel->lag};
    memory->revision++;
    return COR_OK;
}

enum cor_status system_layer__memory(struct cor_travel *travel, uint32_t action,
                                     struct system_layer__memory **memory, struct cor_error *error) {
    for (*memory = travel->memories; *memory && (*memory)->action != action; *memory = (*memory)->next)
        continue;
    if (*memory)
        return COR_OK;
    struct system_layer__memory *made = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->known = cor_calloc(travel->declaration->type_count, sizeof *made->known);
    if (!made->known) {
        free(made);
        return cor_fail_memory(error);
    }
    made->action = action;
    made->next = travel->memories;
    travel->memories = *memory = made;
    for (size_t a = 0; a < travel->act_count; a++) {
        struct cor_believed entity;
        if (travel->acts[a].action == action &&
            cor_beliefs_find(travel->beliefs, travel->acts[a].identity, &entity))
            COR_TRY(note_act(travel, made, entity, travel->acts[a].cycle, error));
    }
    return system_layer__learn(travel, error);
}

void system_layer__memories_destroy(struct cor_travel *travel) {
    while (travel->memories) {
        struct system_layer__memory *memory = travel->memories;
        travel->memories = memory->next;
        for (size_t s = 0; s < memory->switch_count; s++) {
            free(memory->switches[s].parities.items);
            free(memory->switches[s].spots);
        }
        free(memory->switches);
        free(memory->tried);
        free(memory->late);
        free(memory->known);
        free(memory);
    }
}

enum cor_status system_layer__note_act(struct cor_travel *travel, const struct cor_world_command *command,
                                       struct cor_error *error) {
    const struct cor_world_declaration *declaration = travel->declaration;
    const uint64_t cycle = cor_beliefs_cycle(travel->beliefs);
    struct cor_believed entity;
    if (command->action >= declaration->action_count ||
        declaration->actions[command->action].parameter_count != 1 ||
        declaration->actions[command->action].parameters[0].domain)
        return COR_OK;
    const uint32_t identity = command->arguments[0].as.word;
    COR_TRY(COR_RESERVE(&travel->acts, &travel->act_capacity, travel->act_count + 1, error));
    travel->acts[travel->act_count++] = (struct system_layer__act){command->action, identity, cycle};
    for (struct system_layer__memory *memory = travel->memories; memory; memory = memory->next)
        if (memory->action == command->action && cor_beliefs_find(travel->beliefs, identity, &entity))
            COR_TRY(note_act(travel, memory, entity, cycle, error));
    return COR_OK;
}

/* What is believed of it, and what was acted on since it was seen. */
static void recall(const struct cor_travel *travel, const struct system_layer__memory *memory,
                   struct system_layer__switch *it) {
    const struct cor_value seen = cor_beliefs_value(travel->beliefs, it->type, it->element, it->property);
    const uint64_t seen_at = cor_beliefs_seen_at(travel->beliefs, it->type, it->element);
    it->is_known = seen.kind != COR_VALUE_NULL;
    it->value = it->is_known && seen.as.integer != 0;
    for (size_t a = 0; a < travel->act_count; a++) {
        struct cor_believed entity;
        const struct system_layer__act *act = &travel->acts[a];
        const uint64_t effect = act->cycle + 1 + travel->lag;
        if (act->action == memory->action && effect > seen_at &&
            effect <= cor_beliefs_cycle(travel->beliefs) &&
            cor_beliefs_find(travel->beliefs, act->identity, &entity)) {
            const uint32_t tried = system_layer__tried_index(memory, entity);
            if (tried != COR_NONE)
                system_layer__flip(&it->since, tried);
        }
    }
}

/* New entities bring switches. */
static enum cor_status find_switches(const struct cor_travel *travel, struct system_layer__memory *memory,
                                     struct cor_error *error) {
    for (uint32_t t = 0; t < travel->declaration->type_count; t++) {
        const struct cor_entity_type *type = &travel->declaration->types[t];
        const uint32_t count = cor_beliefs_count(travel->beliefs, t);
        for (; memory->known[t] < count; memory->known[t]++) {
            COR_TRY(COR_RESERVE(&memory->switches, &memory->switch_capacity,
                                memory->switch_count + type->property_count, error));
            for (uint32_t p = 0; p < type->property_count; p++)
                if (type->properties[p].domain &&
                    type->properties[p].domain->type == COR_VALUE_TYPE_BOOLEAN) {
                    struct system_layer__switch *it = &memory->switches[memory->switch_count++];
                    *it =
                        (struct system_layer__switch){.type = t, .element = memory->known[t], .property = p};
                    recall(travel, memory, it);
                }
        }
    }
    return COR_OK;
}

/* It is seen from here. */
static enum cor_status note_spot(struct system_layer__switch *it, uint32_t here, struct cor_error *error) {
    uint32_t place = 0;
    if (here == COR_GRID_NO_CELL || (it->spot_count > 0 && it->spots[0] == here))
        return COR_OK;
    if (!it->spots)
        COR_TRY(cor_made(it->spots = cor_calloc(SYSTEM_LAYER__SPOTS, sizeof *it->spots), error));
    while (place < it->spot_count && it->spots[place] != here)
        place++;
    if (place == it->spot_count && it->spot_count < SYSTEM_LAYER__SPOTS)
        it->spot_count++;
    place = place < SYSTEM_LAYER__SPOTS ? place : SYSTEM_LAYER__SPOTS - 1;
    memmove(it->spots + 1, it->spots, place * sizeof *it->spots);
    it->spots[0] = here;
    return COR_OK;
}

static enum cor_status see_switch(struct cor_travel *travel, struct system_layer__memory *memory,
                                  struct system_layer__switch *it, struct cor_error *error) {
    const struct cor_value seen = cor_beliefs_value(travel->beliefs, it->type, it->element, it->property);
    if (seen.kind == COR_VALUE_NULL)
        return COR_OK;
    const bool value = seen.as.integer != 0;
    const bool acted = !system_layer__is_empty(&it->since);
    const size_t parities = it->parities.count;
    bool is_new = false;
    if (it->is_known && value != it->value)
        for (size_t w = 0; w < COR_ACHIEVEMENT_MOST / 64; w++)
            memory->moving.bits[w] |= it->since.bits[w];
    if (it->is_known && acted && !system_layer__is_unruly(it))
        COR_TRY(system_layer__add_parity(&it->parities, it->since, value != it->value, &is_new, error));
    if (it->parities.count < parities ||
        (it->is_known && value != it->value && (!acted || system_layer__is_unruly(it)))) {
        it->surprises++;
        memory->surprises++;
    }
    if (system_layer__is_unruly(it))
        it->parities.count = 0;
    if (!it->is_known || is_new)
        memory->knowledge++;
    if (!it->is_known || acted || value != it->value)
        memory->revision++;
    it->is_known = true;
    it->value = value;
    it->since = (struct system_layer__set){{0}};
    return note_spot(it,
                     travel->cells   ? system_layer__here(travel)
                     : travel->graph ? system_layer__own_node(travel)
                                     : COR_NONE,
                     error);
}

enum cor_status system_layer__learn(struct cor_travel *travel, struct cor_error *error) {
    const uint64_t cycle = cor_beliefs_cycle(travel->beliefs);
    for (struct system_layer__memory *memory = travel->memories; memory; memory = memory->next) {
        size_t due = 0;
        for (; due < memory->late_count && memory->late[due].cycle <= cycle; due++)
            for (size_t s = 0; s < memory->switch_count; s++)
                system_layer__flip(&memory->switches[s].since, memory->late[due].tried);
        memory->late_count -= due;
        memory->revision += due;
        if (due > 0)
            memmove(memory->late, memory->late + due, memory->late_count * sizeof *memory->late);
        COR_TRY(find_switches(travel, memory, error));
        for (size_t s = 0; s < memory->switch_count; s++) {
            struct system_layer__switch *it = &memory->switches[s];
            if (cor_beliefs_sees(travel->beliefs, it->type, it->element))
                COR_TRY(see_switch(travel, memory, it, error));
        }
    }
    return COR_OK;
}
