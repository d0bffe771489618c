/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The map in the head of a test agent. Six grids say what can be entered: what is shut counts, or nothing
 * does, or all that could be shut does; and each of these with and without hazards. */
#include "travel_map.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

#define PATIENCE 3         /* cycles beyond the lag that a step is waited for */
#define FIRST_PATIENCE 100 /* cycles that a step is waited for while none was seen yet */
#define BUMPS_MOST 8       /* then a cell is blocked for good, and a road is none */
#define ROAD_WEIGHT 1000   /* of a path of cost 1 */
#define ROAD_MOST 1e6      /* a greater cost counts as this */

static const char *const step_words[] = {"east", "south", "west", "north", "up", "down"};
enum { EAST, SOUTH, WEST, NORTH, UP, DOWN };

/* ---- what actions on entities did. A property of truth is a switch; that an action flips it or does not is
 * one unknown of two values. Each time that the switch is seen, whether it changed since it was seen before
 * is the sum, modulo 2, of the unknowns of all that was acted on in between: a linear equation. What follows
 * from these equations is known, and nothing else */

/* ---- parities */

void system_layer__reduce(const struct system_layer__parities *parities, struct system_layer__set *set,
                          bool *is_odd) {
    for (size_t p = 0; p < parities->count; p++)
        if (system_layer__has(set, parities->items[p].pivot)) {
            system_layer__flip_all(set, &parities->items[p].set);
            *is_odd ^= parities->items[p].is_odd;
        }
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
    uint32_t member = 0;
    while (!system_layer__has(&set, member))
        member++;
    parities->items[parities->count++] = (struct system_layer__parity){set, member, is_odd};
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

static enum cor_status system_layer__learn(struct cor_travel *travel, struct cor_error *error);

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

static void memories_destroy(struct cor_travel *travel) {
    while (travel->memories) {
        struct system_layer__memory *memory = travel->memories;
        travel->memories = memory->next;
        for (size_t s = 0; s < memory->switch_count; s++) {
            COR_FREE(memory->switches[s].parities.items, memory->switches[s].spots);
        }
        COR_FREE(memory->switches, memory->tried, memory->late, memory->known, memory);
    }
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
    /* It is seen from here. */
    const uint32_t here = travel->cells   ? system_layer__here(travel)
                          : travel->graph ? system_layer__own_node(travel)
                                          : COR_NONE;
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

static enum cor_status system_layer__learn(struct cor_travel *travel, struct cor_error *error) {
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
        /* New entities bring switches. */
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
                        *it = (struct system_layer__switch){
                            .type = t, .element = memory->known[t], .property = p};
                        recall(travel, memory, it);
                    }
            }
        }
        for (size_t s = 0; s < memory->switch_count; s++) {
            struct system_layer__switch *it = &memory->switches[s];
            if (cor_beliefs_sees(travel->beliefs, it->type, it->element))
                COR_TRY(see_switch(travel, memory, it, error));
        }
    }
    return COR_OK;
}

/* ---- cells */

static void set_cell(struct cor_travel *travel, uint32_t number) {
    const struct system_layer__cell *cell = &travel->cells[number];
    const uint16_t blocks[SYSTEM_LAYER__WAYS_COUNT] = {0, cell->shut, cell->gates};
    for (int ways = 0; ways < SYSTEM_LAYER__WAYS_COUNT; ways++)
        for (int avoids = 0; avoids < 2; avoids++) {
            const bool is_blocked = cell->is_bumped || blocks[ways] > 0 || (avoids && cell->hazards > 0);
            const enum cor_grid_known ground =
                cell->ground == COR_GRID_FREE && is_blocked ? COR_GRID_BLOCKED : cell->ground;
            travel->revision += cor_grid_set(travel->grids[ways][avoids], number, ground);
        }
}

static uint32_t number_at(const struct cor_travel *travel, const uint32_t cell[3]) {
    const struct cor_grid_place place = {cell[0], cell[1], cell[2]};
    const struct cor_grid *grid = travel->grids[0][0];
    return grid && cor_grid_has(grid, place) ? cor_grid_number(grid, place) : COR_GRID_NO_CELL;
}

bool cor_travel_is_missing(const struct cor_travel *travel, struct cor_believed entity) {
    for (size_t m = 0; m < travel->missing_count; m++) {
        const struct system_layer__missing *it = &travel->missing[m];
        if (it->type == entity.type && it->element == entity.element)
            return !cor_beliefs_sees(travel->beliefs, entity.type, entity.element) &&
                   it->seen_at == cor_beliefs_seen_at(travel->beliefs, entity.type, entity.element);
    }
    return false;
}

/* Whether the test agent, which is seen, stands in the cell of an entity that is not. */
static bool stands_in_vain(const struct cor_travel *travel, struct cor_believed entity) {
    struct cor_believed own;
    uint32_t cell[3];
    return cor_beliefs_place(travel->beliefs, entity.type, entity.element, cell) &&
           !cor_beliefs_sees(travel->beliefs, entity.type, entity.element) &&
           cor_beliefs_find(travel->beliefs, travel->identity, &own) &&
           cor_beliefs_sees(travel->beliefs, own.type, own.element);
}

uint32_t system_layer__cell_of(const struct cor_travel *travel, struct cor_believed entity) {
    uint32_t cell[3];
    for (uint32_t depth = 0; depth < COR_WORLD_TYPES_MAX; depth++) {
        if (cor_beliefs_place(travel->beliefs, entity.type, entity.element, cell))
            return cor_travel_is_missing(travel, entity) ? COR_GRID_NO_CELL : number_at(travel, cell);
        struct cor_believed parent;
        if (!cor_beliefs_parent(travel->beliefs, entity.type, entity.element, &parent))
            break;
        entity = parent;
    }
    return COR_GRID_NO_CELL;
}

uint32_t system_layer__here(const struct cor_travel *travel) {
    struct cor_believed own;
    return cor_beliefs_find(travel->beliefs, travel->identity, &own) ? system_layer__cell_of(travel, own)
                                                                     : COR_GRID_NO_CELL;
}

bool system_layer__forget_bumps(struct cor_travel *travel) {
    bool was = false;
    for (uint32_t c = 0; travel->cells && c < travel->grids[0][0]->cell_count; c++)
        if (travel->cells[c].is_bumped && travel->cells[c].bumps < BUMPS_MOST) {
            travel->cells[c].is_bumped = false;
            set_cell(travel, c);
            was = true;
        }
    return was;
}

static uint32_t weight_of(const struct system_layer__road *road) {
    if (road->failures >= BUMPS_MOST)
        return 0;
    const uint64_t weight = (uint64_t)road->weight << road->failures;
    return weight < UINT32_MAX ? (uint32_t)weight : UINT32_MAX;
}

enum cor_status system_layer__forgive_bumps(struct cor_travel *travel, struct cor_error *error) {
    for (uint32_t c = 0; travel->cells && c < travel->grids[0][0]->cell_count; c++)
        if (travel->cells[c].bumps == BUMPS_MOST)
            travel->cells[c].bumps--;
    for (size_t r = 0; r < travel->road_count; r++) {
        struct system_layer__road *road = &travel->roads[r];
        if (road->weight == 0 || road->failures < BUMPS_MOST)
            continue;
        road->failures = BUMPS_MOST - 1;
        COR_TRY(cor_graph_set(travel->graph, road->from, road->to, weight_of(road), error));
        travel->revision++;
    }
    (void)system_layer__forget_bumps(travel);
    return COR_OK;
}

static void close_cell(struct cor_travel *travel, uint32_t cell) {
    if (travel->cells[cell].ground == COR_GRID_UNKNOWN) {
        travel->cells[cell].ground = COR_GRID_BLOCKED;
        travel->cells[cell].is_supposed = true;
        set_cell(travel, cell);
    }
}

void system_layer__close_around(struct cor_travel *travel, uint32_t cell) {
    const struct cor_grid *grid = travel->grids[0][0];
    const struct cor_grid_place at = cor_grid_place(grid, cell);
    if (at.column > 0)
        close_cell(travel, cell - 1);
    if (at.column + 1 < grid->columns)
        close_cell(travel, cell + 1);
    if (at.row > 0)
        close_cell(travel, cell - grid->columns);
    if (at.row + 1 < grid->rows)
        close_cell(travel, cell + grid->columns);
    for (uint32_t l = cor_grid_first_link(grid, cell); l < grid->link_count && grid->links[l].cell == cell;
         l++)
        close_cell(travel, grid->links[l].other);
}

/* ---- what stands in the way */

/* Is it the same cell, or a neighbour? */
static bool is_beside(const struct cor_travel *travel, uint32_t here, uint32_t cell) {
    if (here == COR_GRID_NO_CELL || cell == COR_GRID_NO_CELL)
        return false;
    const struct cor_grid_place a = cor_grid_place(travel->grids[0][0], here),
                                b = cor_grid_place(travel->grids[0][0], cell);
    return a.floor == b.floor && (a.column > b.column ? a.column - b.column : b.column - a.column) +
                                         (a.row > b.row ? a.row - b.row : b.row - a.row) <=
                                     1;
}

/* Puts the entity where it is believed to be. */
static enum cor_status place_obstacle(struct cor_travel *travel, uint32_t type, uint32_t element,
                                      struct cor_error *error) {
    struct system_layer__obstacles *kind = &travel->obstacles[type];
    uint32_t cell[3];
    if (kind->open == COR_NONE && !kind->is_hazard)
        return COR_OK;
    COR_TRY(COR_RESERVE(&kind->items, &kind->capacity, (size_t)element + 1, error));
    while (kind->count <= element)
        kind->items[kind->count++] = (struct system_layer__obstacle){.cell = COR_NONE};
    struct system_layer__obstacle *item = &kind->items[element];
    const uint32_t number =
        cor_beliefs_place(travel->beliefs, type, element, cell) ? number_at(travel, cell) : COR_GRID_NO_CELL;
    bool is_shut = false;
    uint8_t lapses = item->lapses;
    if (kind->open != COR_NONE && number != COR_GRID_NO_CELL) {
        const struct cor_value open = cor_beliefs_value(travel->beliefs, type, element, kind->open);
        is_shut = open.kind == COR_VALUE_NULL || open.as.integer == 0;
        const bool acted =
            travel->act_count > 0 &&
            travel->acts[travel->act_count - 1].cycle + 1 + travel->lag >= cor_beliefs_cycle(travel->beliefs);
        lapses = (uint8_t)(lapses + (is_shut && !item->was_shut && item->cell == number && !acted &&
                                     lapses < UINT8_MAX));
    }
    item->was_shut = is_shut;
    item->lapses = lapses;
    if (lapses > SYSTEM_LAYER__LAPSES) {
        travel->has_lapses = true;
        is_shut = is_shut || !is_beside(travel, system_layer__here(travel), number);
    }
    if (item->cell == number && item->is_shut == is_shut)
        return COR_OK;
    const uint32_t places[2] = {item->cell, number};
    const bool shut[2] = {item->is_shut, is_shut};
    for (int i = 0; i < 2; i++)
        if (places[i] != COR_GRID_NO_CELL) {
            struct system_layer__cell *at = &travel->cells[places[i]];
            const int by = i == 0 ? -1 : 1;
            at->gates = (uint16_t)(at->gates + by * (kind->open != COR_NONE));
            at->shut = (uint16_t)(at->shut + by * shut[i]);
            at->hazards = (uint16_t)(at->hazards + by * kind->is_hazard);
            at->is_bumped = false;
            set_cell(travel, places[i]);
        }
    item->cell = number;
    item->is_shut = is_shut;
    return COR_OK;
}

/* ---- roads */

/* The node of an identity, made if there is none. */
static enum cor_status node_at(struct cor_travel *travel, uint32_t identity, uint32_t *node,
                               struct cor_error *error) {
    COR_TRY(COR_RESERVE(&travel->nodes, &travel->node_capacity, (size_t)identity + 1, error));
    while (travel->word_count <= identity)
        travel->nodes[travel->word_count++] = COR_NONE;
    *node = travel->nodes[identity];
    if (*node != COR_NONE)
        return COR_OK;
    *node = travel->graph->node_count;
    COR_TRY(COR_RESERVE(&travel->identities, &travel->identity_capacity, (size_t)*node + 1, error));
    COR_TRY(COR_RESERVE(&travel->first_road, &travel->first_capacity, (size_t)*node + 1, error));
    COR_TRY(cor_graph_grow(travel->graph, *node + 1, error));
    travel->identities[*node] = identity;
    travel->first_road[*node] = 0;
    travel->nodes[identity] = *node;
    travel->discoveries++;
    travel->revision++;
    return COR_OK;
}

static bool is_same_command(const struct cor_world_command *a, const struct cor_world_command *b,
                            uint32_t parameter_count) {
    bool is_same = a->action == b->action;
    for (uint32_t p = 0; is_same && p < parameter_count; p++)
        is_same = cor_value_equal(a->arguments[p], b->arguments[p]);
    return is_same;
}

static enum cor_status take_path(struct cor_travel *travel, const struct cor_world_view *view,
                                 const struct cor_shown_path *path, struct cor_error *error) {
    if (path->action >= travel->declaration->action_count || !(path->cost > 0))
        return cor_fail(error, COR_STATUS_INPUT, travel->declaration->name,
                        "a path has a declared action and a cost above 0",
                        "the view shows a path without an action that it declares, or without a cost");
    const uint32_t count = travel->declaration->actions[path->action].parameter_count;
    struct cor_world_command command = {.action = path->action};
    uint32_t from, to;
    if (path->value_start > view->argument_count || count > view->argument_count - path->value_start)
        return cor_fail(error, COR_STATUS_INPUT, travel->declaration->name,
                        "a path has a value for each parameter of its action",
                        "the view shows a path whose action lacks values");
    for (uint32_t p = 0; p < count; p++)
        command.arguments[p] = view->arguments[path->value_start + p];
    COR_TRY(node_at(travel, path->from, &from, error));
    COR_TRY(node_at(travel, path->to, &to, error));
    const double cost = path->cost < ROAD_MOST ? path->cost : ROAD_MOST;
    uint32_t weight = (uint32_t)(cost * ROAD_WEIGHT + .5);
    weight = weight > 0 ? weight : 1;
    /* A command leads from a node to one other: what it led to before is no road until shown once more. */
    const uint32_t parameters = travel->declaration->actions[command.action].parameter_count;
    for (uint32_t at = travel->first_road[from]; at > 0; at = travel->roads[at - 1].next) {
        struct system_layer__road *road = &travel->roads[at - 1];
        if (road->to == to || road->weight == 0 || !is_same_command(&road->command, &command, parameters))
            continue;
        road->weight = 0;
        COR_TRY(cor_graph_set(travel->graph, from, road->to, 0, error));
        travel->revision++;
    }
    uint32_t at = travel->first_road[from];
    while (at > 0 && travel->roads[at - 1].to != to)
        at = travel->roads[at - 1].next;
    if (at == 0) {
        COR_TRY(COR_RESERVE(&travel->roads, &travel->road_capacity, travel->road_count + 1, error));
        COR_TRY(cor_graph_set(travel->graph, from, to, weight, error));
        travel->roads[travel->road_count++] =
            (struct system_layer__road){from, to, weight, 0, command, travel->first_road[from]};
        travel->first_road[from] = (uint32_t)travel->road_count;
        travel->revision++;
        return COR_OK;
    }
    struct system_layer__road *road = &travel->roads[at - 1];
    const bool is_same = is_same_command(&road->command, &command, count);
    if (is_same ? road->weight == weight : road->failures == 0 && road->weight > 0 && road->weight <= weight)
        return COR_OK;
    *road = (struct system_layer__road){from, to, weight, is_same ? road->failures : 0, command, road->next};
    travel->revision++;
    return cor_graph_set(travel->graph, from, to, weight_of(road), error);
}

/* The node that the entity is, or is in; COR_GRAPH_NO_NODE: none. */
uint32_t system_layer__node_of(const struct cor_travel *travel, struct cor_believed entity) {
    for (uint32_t depth = 0; depth < COR_WORLD_TYPES_MAX; depth++) {
        const uint32_t identity = cor_beliefs_identity(travel->beliefs, entity.type, entity.element);
        if (identity < travel->word_count && travel->nodes[identity] != COR_NONE)
            return travel->nodes[identity];
        struct cor_believed parent;
        if (!cor_beliefs_parent(travel->beliefs, entity.type, entity.element, &parent))
            break;
        entity = parent;
    }
    return COR_GRAPH_NO_NODE;
}

/* The node of the test agent. */
uint32_t system_layer__own_node(const struct cor_travel *travel) {
    struct cor_believed own;
    return cor_beliefs_find(travel->beliefs, travel->identity, &own) ? system_layer__node_of(travel, own)
                                                                     : COR_GRAPH_NO_NODE;
}

/* ---- a map */

enum cor_status cor_travel_create(const struct cor_world_declaration *declaration,
                                  struct cor_beliefs *beliefs, const char *test_agent,
                                  struct cor_travel **created, struct cor_error *error) {
    struct cor_travel *travel = cor_calloc(1, sizeof *travel);
    enum cor_status status = COR_OK;
    *created = NULL;
    COR_TRY(cor_made(travel, error));
    travel->declaration = declaration;
    travel->beliefs = beliefs;
    cor_path_init(&travel->path);
    cor_path_init(&travel->frontier);
    COR_TRY_OUT(cor_words_intern(declaration->words, test_agent, &travel->identity, error));
    travel->obstacles = cor_calloc(declaration->type_count, sizeof *travel->obstacles);
    COR_TRY_OUT(cor_made(travel->obstacles, error));
    for (uint32_t t = 0; t < declaration->type_count; t++) {
        const struct cor_entity_type *type = &declaration->types[t];
        travel->obstacles[t].open = COR_NONE;
        travel->obstacles[t].is_hazard = strcmp(type->name, "hazard") == 0;
        for (uint32_t p = 0; p < type->property_count; p++)
            if (strcmp(type->properties[p].name, "open") == 0 && type->properties[p].domain &&
                type->properties[p].domain->type == COR_VALUE_TYPE_BOOLEAN)
                travel->obstacles[t].open = p;
    }
    COR_TRY_OUT(cor_made(travel->navigator = cor_navigator_create(), error));
    for (int i = 0; i < 2; i++)
        COR_TRY_OUT(cor_made(travel->floods[i] = cor_navigator_create(), error));
    if (declaration->columns > 0) {
        for (int g = 0; g < 2 * SYSTEM_LAYER__WAYS_COUNT; g++)
            COR_TRY_OUT(cor_grid_create(declaration->columns, declaration->rows, declaration->floors,
                                        &travel->grids[g / 2][g % 2], error));
        travel->cells = cor_calloc(travel->grids[0][0]->cell_count, sizeof *travel->cells);
        COR_TRY_OUT(cor_made(travel->cells, error));
        for (int w = 0; w < 6; w++)
            COR_TRY_OUT(cor_words_intern(declaration->words, step_words[w], &travel->words[w], error));
    }
    if (declaration->has_paths)
        COR_TRY_OUT(cor_made(travel->graph = cor_graph_create(), error));
    *created = travel;
    travel = NULL;
out:
    cor_travel_destroy(travel);
    return status;
}

void cor_travel_destroy(struct cor_travel *travel) {
    if (!travel)
        return;
    memories_destroy(travel);
    for (uint32_t t = 0; travel->obstacles && t < travel->declaration->type_count; t++)
        free(travel->obstacles[t].items);
    for (int g = 0; g < 2 * SYSTEM_LAYER__WAYS_COUNT; g++)
        cor_grid_destroy(travel->grids[g / 2][g % 2]);
    cor_graph_destroy(travel->graph);
    cor_navigator_destroy(travel->navigator);
    cor_navigator_destroy(travel->floods[0]);
    cor_navigator_destroy(travel->floods[1]);
    cor_path_fini(&travel->path);
    cor_path_fini(&travel->frontier);
    COR_FREE(travel->obstacles, travel->cells, travel->links, travel->nodes, travel->identities,
             travel->roads, travel->first_road, travel->acts, travel->missing, travel);
}

/* Stairs stay on the grids: they are walls until the cells around them are shown again. */
void cor_travel_clear(struct cor_travel *travel) {
    memories_destroy(travel);
    for (uint32_t t = 0; t < travel->declaration->type_count; t++)
        travel->obstacles[t].count = 0;
    for (uint32_t c = 0; travel->cells && c < travel->grids[0][0]->cell_count; c++) {
        travel->cells[c] = (struct system_layer__cell){.ground = COR_GRID_UNKNOWN};
        set_cell(travel, c);
    }
    for (size_t r = 0; r < travel->road_count; r++) {
        const enum cor_status status =
            cor_graph_set(travel->graph, travel->roads[r].from, travel->roads[r].to, 0, NULL);
        COR_ASSERT(status == COR_OK); /* an edge that is there can be taken away */
    }
    for (uint32_t n = 0; travel->graph && n < travel->graph->node_count; n++) {
        cor_graph_set_known(travel->graph, n, false);
        travel->first_road[n] = 0;
    }
    travel->road_count = travel->act_count = travel->missing_count = 0;
    travel->pending.is_there = travel->given_up.is_there = travel->has_lapses = false;
    travel->frontier_grid = NULL;
    travel->cycle = travel->tick = travel->lag = 0;
    travel->is_lag_known = false;
    travel->revision++;
}

/* ---- what is executed, and seen */

/* The cell to which a step leads from another; COR_GRID_NO_CELL: none. */
static uint32_t cell_behind(const struct cor_travel *travel, uint32_t from, uint32_t word) {
    const struct cor_grid_place at = cor_grid_place(travel->grids[0][0], from);
    uint32_t cell[3] = {at.column, at.row, at.floor};
    if (word == travel->words[EAST])
        cell[0]++;
    else if (word == travel->words[WEST])
        cell[0]--; /* beyond all columns from the first */
    else if (word == travel->words[SOUTH])
        cell[1]++;
    else if (word == travel->words[NORTH])
        cell[1]--;
    else
        for (size_t l = 0; l < travel->link_count; l++) {
            if (word == travel->words[UP] && number_at(travel, travel->links[l].lower) == from)
                return number_at(travel, travel->links[l].upper);
            if (word == travel->words[DOWN] && number_at(travel, travel->links[l].upper) == from)
                return number_at(travel, travel->links[l].lower);
        }
    const uint32_t to = number_at(travel, cell);
    return to == from ? COR_GRID_NO_CELL : to;
}

enum cor_status cor_travel_note_command(struct cor_travel *travel, const struct cor_world_command *command,
                                        struct cor_error *error) {
    const struct cor_world_declaration *declaration = travel->declaration;
    const uint64_t cycle = cor_beliefs_cycle(travel->beliefs);
    const uint32_t here = system_layer__here(travel);
    if (travel->cells && command->action == declaration->step && here != COR_GRID_NO_CELL) {
        const uint32_t to = cell_behind(travel, here, command->arguments[0].as.word);
        travel->pending = (struct system_layer__pending){to != COR_GRID_NO_CELL, here, to, COR_NONE, cycle};
    } else if (travel->graph) {
        const uint32_t node = system_layer__own_node(travel);
        for (uint32_t at = node == COR_GRAPH_NO_NODE ? 0 : travel->first_road[node]; at > 0;
             at = travel->roads[at - 1].next) {
            const struct system_layer__road *road = &travel->roads[at - 1];
            if (road->weight > 0 && command->action < declaration->action_count &&
                is_same_command(&road->command, command,
                                declaration->actions[command->action].parameter_count))
                travel->pending = (struct system_layer__pending){true, node, road->to, at - 1, cycle};
        }
    }
    /* It was acted on; what was seen is taken over. */
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

/* Was the step seen that was noted? */
static enum cor_status follow_step(struct cor_travel *travel, struct cor_error *error) {
    struct system_layer__pending *pending = &travel->pending;
    const uint64_t cycle = cor_beliefs_cycle(travel->beliefs);
    if (!pending->is_there || cycle == travel->cycle)
        return COR_OK;
    const uint32_t here =
        pending->road == COR_NONE ? system_layer__here(travel) : system_layer__own_node(travel);
    const uint64_t late = cycle - pending->cycle - 1;
    const uint64_t patience =
        travel->is_lag_known || pending->road != COR_NONE ? travel->lag + PATIENCE : FIRST_PATIENCE;
    const bool leads_elsewhere = pending->road != COR_NONE && travel->roads[pending->road].weight == 0;
    if (here == pending->to) {
        travel->lag = late;
        travel->is_lag_known = true;
    } else if (leads_elsewhere)
        pending->is_there = false;
    else if (here == pending->from && late < patience)
        return COR_OK;
    else if (pending->road != COR_NONE) {
        struct system_layer__road *road = &travel->roads[pending->road];
        road->failures++;
        COR_TRY(cor_graph_set(travel->graph, road->from, road->to, weight_of(road), error));
        travel->revision++;
    } else if (here == pending->from) {
        struct system_layer__cell *cell = &travel->cells[pending->to];
        cell->is_bumped = true;
        cell->bumps = (uint8_t)(cell->bumps + (cell->bumps < BUMPS_MOST));
        set_cell(travel, pending->to);
    }
    pending->is_there = false;
    return COR_OK;
}

bool system_layer__try_step(const struct cor_travel *travel, struct cor_world_command *command) {
    const uint32_t here = system_layer__here(travel);
    for (int w = 0; travel->cells && !travel->is_lag_known && w < 6; w++) {
        const uint32_t to = cell_behind(travel, here, travel->words[w]);
        *command = (struct cor_world_command){.action = travel->declaration->step,
                                              .arguments = {cor_word(travel->words[w])}};
        if (to != COR_GRID_NO_CELL &&
            cor_grid_known(travel->grids[SYSTEM_LAYER__WALLED][1], to) == COR_GRID_FREE)
            return true;
    }
    return false;
}

bool system_layer__waits(const struct cor_travel *travel, struct cor_world_command *command) {
    *command = (struct cor_world_command){.action = COR_ACTION_WAIT};
    return travel->pending.is_there;
}

enum cor_status cor_travel_merge(struct cor_travel *travel, const struct cor_world_view *view,
                                 struct cor_error *error) {
    if (travel->cells) {
        for (uint32_t i = 0; i < view->cell_count; i++) {
            const struct cor_shown_cell *shown = &view->cells[i];
            const uint32_t number =
                number_at(travel, (const uint32_t[3]){shown->column, shown->row, shown->floor});
            if (number == COR_GRID_NO_CELL)
                return cor_fail(error, COR_STATUS_INPUT, travel->declaration->name,
                                "a view shows cells of the grid that the world declares",
                                "the view shows cell [%u, %u, %u], which is beyond the grid", shown->column,
                                shown->row, shown->floor);
            struct system_layer__cell *cell = &travel->cells[number];
            const enum cor_grid_known ground = shown->is_free ? COR_GRID_FREE : COR_GRID_BLOCKED;
            cell->is_supposed = false;
            if (cell->ground != ground && (cell->ground == COR_GRID_UNKNOWN || view->tick >= travel->tick)) {
                travel->discoveries += cell->ground == COR_GRID_UNKNOWN;
                cell->ground = (uint8_t)ground;
                cell->is_bumped = false;
                set_cell(travel, number);
            }
        }
        for (uint32_t l = 0; l < view->link_count; l++) {
            const uint32_t lower = number_at(travel, view->links[l].lower);
            const uint32_t upper = number_at(travel, view->links[l].upper);
            if (lower == COR_GRID_NO_CELL || upper == COR_GRID_NO_CELL || lower == upper)
                return cor_fail(error, COR_STATUS_INPUT, travel->declaration->name,
                                "a stair leads from a cell of the grid to another one",
                                "the view shows a stair that does not");
            COR_TRY(COR_RESERVE(&travel->links, &travel->link_capacity, travel->link_count + 1, error));
            const uint32_t before = travel->grids[0][0]->link_count;
            /* The first grid comes last: what is on it is on all. */
            for (int j = 2 * SYSTEM_LAYER__WAYS_COUNT - 1; j >= 0; j--)
                COR_TRY(cor_grid_link(travel->grids[j / 2][j % 2], lower, upper, error));
            if (travel->grids[0][0]->link_count > before) {
                travel->links[travel->link_count++] = view->links[l];
                travel->revision++;
            }
        }
        struct cor_believed entity;
        for (uint32_t e = 0; e < view->entity_count; e++)
            if (cor_beliefs_find(travel->beliefs, view->entities[e].identity, &entity))
                COR_TRY(place_obstacle(travel, entity.type, entity.element, error));
        for (uint32_t g = 0; g < view->gone_count; g++)
            if (cor_beliefs_find(travel->beliefs, view->gone[g], &entity))
                COR_TRY(place_obstacle(travel, entity.type, entity.element, error));
        const bool all = view->mode == COR_VIEW_WHOLE || travel->has_lapses;
        for (uint32_t t = 0; all && t < travel->declaration->type_count; t++)
            for (uint32_t e = 0; e < travel->obstacles[t].count; e++)
                COR_TRY(place_obstacle(travel, t, e, error));
    }
    for (uint32_t p = 0; travel->graph && p < view->path_count; p++)
        COR_TRY(take_path(travel, view, &view->paths[p], error));
    const uint32_t node = travel->graph ? system_layer__own_node(travel) : COR_GRAPH_NO_NODE;
    if (node != COR_GRAPH_NO_NODE && !travel->graph->nodes[node].known) {
        cor_graph_set_known(travel->graph, node, true);
        travel->discoveries++;
        travel->revision++;
    }
    COR_TRY(follow_step(travel, error));
    COR_TRY(system_layer__learn(travel, error));
    travel->tick = view->tick > travel->tick ? view->tick : travel->tick;
    travel->cycle = cor_beliefs_cycle(travel->beliefs);
    return COR_OK;
}

/* ---- ways */

enum cor_status system_layer__way(struct cor_travel *travel, enum system_layer__ways ways, bool avoids,
                                  uint32_t to, bool enters, struct cor_path *path, struct cor_error *error) {
    struct cor_grid *grid = travel->grids[ways][avoids];
    const enum cor_grid_known ground = cor_grid_known(grid, to);
    const bool opens = enters && ground == COR_GRID_BLOCKED && travel->cells[to].ground == COR_GRID_FREE;
    if (opens)
        (void)cor_grid_set(grid, to, COR_GRID_FREE);
    const enum cor_status status =
        cor_grid_path(travel->navigator, grid, system_layer__here(travel), to, path, error);
    if (opens)
        (void)cor_grid_set(grid, to, ground);
    return status;
}

void system_layer__step(const struct cor_travel *travel, const struct cor_path *path,
                        struct cor_world_command *command) {
    COR_ASSERT(path->found && path->count > 1);
    const uint32_t from = path->numbers[0], to = path->numbers[1];
    int w = 0;
    while (w < 5 && cell_behind(travel, from, travel->words[w]) != to)
        w++;
    *command = (struct cor_world_command){.action = travel->declaration->step,
                                          .arguments = {cor_word(travel->words[w])}};
}

/* The way to a cell, around hazards if there is one: the travel's path. */
static enum cor_status find_way(struct cor_travel *travel, uint32_t to, bool through,
                                struct cor_error *error) {
    const enum system_layer__ways ways = through ? SYSTEM_LAYER__THROUGH : SYSTEM_LAYER__AS_BELIEVED;
    const bool enters = !travel->cells[to].is_bumped && (through || travel->cells[to].shut == 0);
    COR_TRY(system_layer__way(travel, ways, true, to, enters, &travel->path, error));
    if (!travel->path.found)
        COR_TRY(system_layer__way(travel, ways, false, to, enters, &travel->path, error));
    return COR_OK;
}

/* A world without cells and paths has no places. */
static bool is_placeless(const struct cor_travel *travel) {
    return !travel->cells && !travel->graph;
}

/* The command for the first step of a path of the graph. */
void system_layer__take_road(const struct cor_travel *travel, const struct cor_path *path,
                             struct cor_world_command *command) {
    uint32_t at = travel->first_road[path->numbers[0]];
    while (travel->roads[at - 1].to != path->numbers[1])
        at = travel->roads[at - 1].next;
    *command = travel->roads[at - 1].command;
}

enum cor_status cor_travel_to(struct cor_travel *travel, struct cor_believed entity, bool through,
                              enum cor_travel_answer *answer, struct cor_world_command *command,
                              struct cor_error *error) {
    *answer = COR_TRAVEL_NO_WAY;
    *command = (struct cor_world_command){.action = COR_ACTION_WAIT};
    if (!cor_beliefs_is_there(travel->beliefs, entity.type, entity.element))
        return COR_OK;
    if (is_placeless(travel)) {
        *answer = COR_TRAVEL_THERE;
        return COR_OK;
    }
    const uint32_t here = system_layer__here(travel), cell = system_layer__cell_of(travel, entity);
    if (here != COR_GRID_NO_CELL && cell != COR_GRID_NO_CELL) {
        if (here == cell && stands_in_vain(travel, entity)) {
            /* Who stands where the entity was seen last, and does not see it: it is elsewhere. */
            const struct system_layer__missing missing = {
                entity.type, entity.element,
                cor_beliefs_seen_at(travel->beliefs, entity.type, entity.element)};
            size_t m = 0;
            while (m < travel->missing_count &&
                   (travel->missing[m].type != entity.type || travel->missing[m].element != entity.element))
                m++;
            COR_TRY(COR_RESERVE(&travel->missing, &travel->missing_capacity, m + 1, error));
            travel->missing[m] = missing;
            travel->missing_count += m == travel->missing_count;
            return COR_OK;
        }
        *answer = here == cell ? COR_TRAVEL_THERE : COR_TRAVEL_STEP;
        if (here == cell || system_layer__waits(travel, command))
            return COR_OK;
        COR_TRY(find_way(travel, cell, through, error));
        if (!travel->path.found && system_layer__forget_bumps(travel))
            COR_TRY(find_way(travel, cell, through, error));
        if (travel->path.found)
            system_layer__step(travel, &travel->path, command);
        else
            *answer = COR_TRAVEL_NO_WAY;
        return COR_OK;
    }
    const uint32_t from = travel->graph ? system_layer__own_node(travel) : COR_GRAPH_NO_NODE;
    const uint32_t to = travel->graph ? system_layer__node_of(travel, entity) : COR_GRAPH_NO_NODE;
    if (from == COR_GRAPH_NO_NODE || to == COR_GRAPH_NO_NODE)
        return COR_OK;
    *answer = from == to ? COR_TRAVEL_THERE : COR_TRAVEL_STEP;
    if (from == to || system_layer__waits(travel, command))
        return COR_OK;
    COR_TRY(cor_graph_path(travel->navigator, travel->graph, from, to, &travel->path, error));
    *answer = travel->path.found ? COR_TRAVEL_STEP : COR_TRAVEL_NO_WAY;
    if (travel->path.found)
        system_layer__take_road(travel, &travel->path, command);
    return COR_OK;
}

/* Can the frontier be gone to as it was found? */
static bool follow_frontier(struct cor_travel *travel, uint32_t here) {
    const struct cor_path *path = &travel->frontier;
    if (!travel->frontier_grid || !path->found)
        return false;
    if (travel->frontier_next < path->count && path->numbers[travel->frontier_next] == here)
        travel->frontier_next++;
    return travel->frontier_next < path->count && path->numbers[travel->frontier_next - 1] == here &&
           cor_grid_touches_unknown(travel->frontier_grid, path->numbers[path->count - 1]) &&
           cor_path_is_open(path, travel->frontier_grid, travel->frontier_next);
}

/* Finds the nearest cell from which one may see more; NULL: there is none. */
static enum cor_status find_frontier(struct cor_travel *travel, uint32_t here, struct cor_error *error) {
    for (;;) {
        travel->frontier_next = 1;
        for (int avoids = 1; avoids >= 0; avoids--) {
            travel->frontier_grid = travel->grids[SYSTEM_LAYER__AS_BELIEVED][avoids];
            COR_TRY(
                cor_grid_frontier(travel->navigator, travel->frontier_grid, here, &travel->frontier, error));
            if (travel->frontier.found)
                break;
        }
        if (travel->frontier.found && travel->frontier.count > 1)
            return COR_OK;
        if (travel->frontier.found)
            system_layer__close_around(travel, here);
        else if (!system_layer__forget_bumps(travel)) {
            travel->frontier_grid = NULL;
            return COR_OK;
        }
    }
}

enum cor_status cor_travel_explore(struct cor_travel *travel, enum cor_travel_answer *answer,
                                   struct cor_world_command *command, struct cor_error *error) {
    const uint32_t here = system_layer__here(travel);
    *answer = is_placeless(travel) ? COR_TRAVEL_NOTHING_LEFT : COR_TRAVEL_STEP;
    if (system_layer__waits(travel, command) || is_placeless(travel))
        return COR_OK;
    if (here != COR_GRID_NO_CELL) {
        if (!follow_frontier(travel, here))
            COR_TRY(find_frontier(travel, here, error));
        if (!travel->frontier_grid) {
            *answer = COR_TRAVEL_NOTHING_LEFT;
            return COR_OK;
        }
        const struct cor_path rest = {.found = true,
                                      .count = travel->frontier.count - travel->frontier_next + 1,
                                      .numbers = travel->frontier.numbers + travel->frontier_next - 1};
        system_layer__step(travel, &rest, command);
        return COR_OK;
    }
    const uint32_t from = travel->graph ? system_layer__own_node(travel) : COR_GRAPH_NO_NODE;
    *answer = COR_TRAVEL_NO_WAY;
    if (from == COR_GRAPH_NO_NODE)
        return COR_OK;
    COR_TRY(cor_graph_frontier(travel->navigator, travel->graph, from, &travel->path, error));
    *answer = travel->path.found ? COR_TRAVEL_STEP : COR_TRAVEL_NOTHING_LEFT;
    if (travel->path.found)
        system_layer__take_road(travel, &travel->path, command);
    return COR_OK;
}

/* Moves to a cell by the flood of one of the grids, which is kept while nothing changes. */
static uint32_t flood_distance(struct cor_travel *travel, uint32_t here, uint32_t cell, bool avoids) {
    const struct cor_grid *grid = travel->grids[SYSTEM_LAYER__AS_BELIEVED][avoids];
    if (travel->flood_revisions[avoids] != grid->revision + 1 || travel->flood_from[avoids] != here) {
        travel->flood_revisions[avoids] = 0;
        if (cor_grid_flood(travel->floods[avoids], grid, here, NULL) != COR_OK)
            return COR_GRID_UNREACHED;
        travel->flood_revisions[avoids] = grid->revision + 1;
        travel->flood_from[avoids] = here;
    }
    return cor_grid_distance(travel->floods[avoids], cell);
}

uint32_t cor_travel_distance(struct cor_travel *travel, struct cor_believed entity) {
    if (!cor_beliefs_is_there(travel->beliefs, entity.type, entity.element))
        return UINT32_MAX;
    if (is_placeless(travel))
        return 0;
    const uint32_t here = system_layer__here(travel), cell = system_layer__cell_of(travel, entity);
    if (here != COR_GRID_NO_CELL && cell != COR_GRID_NO_CELL) {
        uint32_t distance = flood_distance(travel, here, cell, true);
        if (distance != COR_GRID_UNREACHED)
            return distance;
        if (travel->cells[cell].hazards == 0)
            return flood_distance(travel, here, cell, false);
        return find_way(travel, cell, false, NULL) == COR_OK && travel->path.found
                   ? (uint32_t)travel->path.length
                   : UINT32_MAX;
    }
    const uint32_t from = travel->graph ? system_layer__own_node(travel) : COR_GRAPH_NO_NODE;
    const uint32_t to = travel->graph ? system_layer__node_of(travel, entity) : COR_GRAPH_NO_NODE;
    if (from == COR_GRAPH_NO_NODE || to == COR_GRAPH_NO_NODE ||
        cor_graph_path(travel->navigator, travel->graph, from, to, &travel->path, NULL) != COR_OK ||
        !travel->path.found)
        return UINT32_MAX;
    return travel->path.count - 1;
}
