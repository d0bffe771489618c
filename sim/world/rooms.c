/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rooms_level.h"

#include <corridor/array.h>
#include <corridor/live_world.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cor_live_world_close(struct cor_live_world *world) {
    if (world)
        world->kind->close(world);
}

/* ---- the live world `rooms`. What is to be shown, which may be a state of some ticks ago, is kept beside
 * the present one, as values that views point into, so that showing an entity copies none of them */

#define HP 10
#define STRIDE 4 /* values of an entity */

enum { TYPE_BUTTON, TYPE_DOOR, TYPE_HAZARD, TYPE_ITEM, TYPE_PLAYER, TYPE_COUNT };
enum { PROPERTY_X, PROPERTY_Y, PROPERTY_FLOOR, PROPERTY_STATE };
enum { ACTION_MOVE = COR_ACTION_FIRST, ACTION_PRESS, ACTION_COUNT };

_Static_assert((int)WORLD__BUTTON == TYPE_BUTTON && (int)WORLD__DOOR == TYPE_DOOR &&
                   (int)WORLD__HAZARD == TYPE_HAZARD && (int)WORLD__ITEM == TYPE_ITEM,
               "things that are shown are of the type of their kind");

static const struct cor_domain integers = {.type = COR_VALUE_TYPE_INTEGER, .name = "int"};
static const struct cor_domain truths = {.type = COR_VALUE_TYPE_BOOLEAN, .name = "bool"};

#define PLACE                                                 \
    {"x", &integers, COR_NONE}, {"y", &integers, COR_NONE}, { \
        "floor", &integers, COR_NONE                          \
    }
static const struct cor_world_property button_properties[] = {PLACE, {"on", &truths, COR_NONE}};
static const struct cor_world_property door_properties[] = {PLACE, {"open", &truths, COR_NONE}};
static const struct cor_world_property still_properties[] = {PLACE};
static const struct cor_world_property player_properties[] = {PLACE, {"hp", &integers, COR_NONE}};

static const struct cor_entity_type types[TYPE_COUNT] = {
    [TYPE_BUTTON] = {"button", button_properties, 4, COR_NONE},
    [TYPE_DOOR] = {"door", door_properties, 4, COR_NONE},
    [TYPE_HAZARD] = {"hazard", still_properties, 3, COR_NONE},
    [TYPE_ITEM] = {"item", still_properties, 3, COR_NONE},
    [TYPE_PLAYER] = {"player", player_properties, 4, COR_NONE}};

static const char *const direction_words[WORLD__DIRECTIONS] = {"north", "west", "east",
                                                               "south", "up",   "down"};

/* One test agent. */
struct player {
    uint32_t cell;
    int32_t hp;
};

/* All that changes: whether buttons are on and doors open, by their numbers, buttons first; and players. */
struct state {
    uint8_t *bits;          /* [bit_count] */
    struct player *players; /* [player_count] */
};

/* What a test agent was shown so far. */
struct sight {
    uint64_t *cells;    /* bits */
    struct state shown; /* of CHANGES */
    bool has_view;
};

struct rooms {
    struct cor_live_world head;
    const struct cor_rooms_level *level; /* borrowed */
    struct cor_world_declaration declaration;
    struct cor_words words;
    struct cor_declared_entity *entities; /* [thing, then player]; of things that are not shown none */
    uint32_t *entity_of;                  /* [word of the creation]; COR_NONE: no entity */
    uint32_t *thing_of;                   /* [entity that is no player] */
    uint32_t *entity_at;                  /* [cell]; COR_NONE: nothing that is shown stands there */
    uint32_t *starts;                     /* [player]: cell */
    uint32_t word_count, entity_count, player_count, bit_count;

    struct cor_domain direction;
    uint32_t direction_word[WORLD__DIRECTIONS];
    struct cor_action_parameter move_parameter, press_parameter;
    struct cor_action actions[ACTION_COUNT];

    uint32_t radius, lag;
    uint64_t tick;
    struct state *states; /* [lag + 1]: that of a tick is states[tick % (lag + 1)] */

    /* What is shown now. */
    struct state shown;
    uint8_t *is_opaque;             /* [cell] */
    struct cor_shown_value *values; /* [entity][STRIDE] */
    struct sight *sights;           /* [player] */
    struct cor_shown_entity *shown_entities;
    struct cor_shown_cell *shown_cells;
    struct cor_shown_link *shown_links;
};

static uint32_t player_entity(const struct rooms *rooms, uint32_t player) {
    return rooms->entity_count - rooms->player_count + player;
}

/* ---- the state */

static void copy_state(const struct rooms *rooms, struct state *to, const struct state *from) {
    memcpy(to->bits, from->bits, rooms->bit_count);
    memcpy(to->players, from->players, rooms->player_count * sizeof *to->players);
}

static void press(const struct rooms *rooms, struct state *state, uint32_t button) {
    const struct cor_rooms_level *level = rooms->level;
    uint8_t *doors = state->bits + level->count_of[WORLD__BUTTON];
    state->bits[button] ^= 1;
    for (uint32_t i = level->toggle_start[button]; i < level->toggle_start[button + 1]; i++)
        doors[level->toggles[i].door] ^= 1;
}

static bool is_shut(const struct rooms *rooms, const struct state *state, uint32_t cell) {
    const struct cor_rooms_level *level = rooms->level;
    return world__stands(level, cell, WORLD__DOOR) &&
           !state->bits[level->count_of[WORLD__BUTTON] + level->things[level->thing_at[cell]].number];
}

/* ---- what is shown of it */

/* Makes a state the one that is shown. */
static void show_state(struct rooms *rooms, const struct state *state, bool all) {
    const uint32_t button_count = rooms->level->count_of[WORLD__BUTTON];
    if (all || memcmp(rooms->shown.bits, state->bits, rooms->bit_count) != 0)
        for (uint32_t b = 0; b < rooms->bit_count; b++)
            if (all || rooms->shown.bits[b] != state->bits[b]) {
                rooms->shown.bits[b] = state->bits[b];
                const uint32_t thing = b < button_count
                                           ? rooms->level->things_of[WORLD__BUTTON][b]
                                           : rooms->level->things_of[WORLD__DOOR][b - button_count];
                const struct world__thing *it = &rooms->level->things[thing];
                rooms->values[rooms->entity_at[it->cell] * STRIDE + PROPERTY_STATE].value.as.integer =
                    state->bits[b];
                if (it->kind == WORLD__DOOR)
                    rooms->is_opaque[it->cell] = !state->bits[b];
            }
    for (uint32_t p = 0; p < rooms->player_count; p++) {
        struct player *shown = &rooms->shown.players[p];
        if (all || shown->cell != state->players[p].cell || shown->hp != state->players[p].hp) {
            *shown = state->players[p];
            const struct player *it = &rooms->shown.players[p];
            struct cor_shown_value *values = &rooms->values[player_entity(rooms, p) * STRIDE];
            uint32_t place[3];
            world__place(rooms->level, it->cell, place);
            for (uint32_t i = 0; i < 3; i++)
                values[i].value.as.integer = place[i];
            values[PROPERTY_STATE].value.as.integer = it->hp;
        }
    }
}

static void put_entity(struct rooms *rooms, struct cor_world_view *view, uint32_t entity) {
    const uint32_t type = rooms->entities[entity].type;
    rooms->shown_entities[view->entity_count++] = (struct cor_shown_entity){
        rooms->entities[entity].identity, type, COR_NONE, entity * STRIDE, types[type].property_count};
}

static void put_link(struct rooms *rooms, struct cor_world_view *view, uint32_t lower) {
    struct cor_shown_link *link = &rooms->shown_links[view->link_count++];
    world__place(rooms->level, lower, link->lower);
    world__place(rooms->level, lower, link->upper);
    link->upper[2]++;
}

/* A cell that is seen, if it is for the first time, and the stairs that end there. */
static void put_cell(struct rooms *rooms, struct cor_world_view *view, struct sight *sight, uint32_t cell) {
    const struct cor_rooms_level *level = rooms->level;
    const uint64_t bit = UINT64_C(1) << (cell & 63);
    if (sight->cells[cell >> 6] & bit)
        return;
    sight->cells[cell >> 6] |= bit;
    uint32_t place[3];
    world__place(level, cell, place);
    rooms->shown_cells[view->cell_count++] =
        (struct cor_shown_cell){place[0], place[1], place[2], level->is_floor[cell]};
    const uint32_t plane = level->columns * level->rows;
    if (world__stands(level, cell, WORLD__STAIR))
        put_link(rooms, view, cell);
    if (place[2] > 0 && world__stands(level, cell - plane, WORLD__STAIR))
        put_link(rooms, view, cell - plane);
}

/* Does the straight line to a cell of the same floor, Bresenham's from the first one, go through nothing that
 * blocks? Its ends do not count. */
static inline bool is_clear(const uint8_t *is_opaque, uint32_t columns, uint32_t from, int across, int down) {
    const int dx = abs(across), dy = -abs(down);
    const int step_x = across < 0 ? -1 : 1, step_y = down < 0 ? -(int)columns : (int)columns;
    const int steps = dx > -dy ? dx : -dy;
    int64_t at = from;
    int error = dx + dy;
    for (int i = 1; i < steps; i++) {
        const int twice = 2 * error;
        if (twice >= dy) {
            error += dy;
            at += step_x;
        }
        if (twice <= dx) {
            error += dx;
            at += step_y;
        }
        if (is_opaque[at])
            return false;
    }
    return true;
}

/* What is in a cell that is seen, players left aside. */
static inline void see_cell(struct rooms *rooms, struct cor_world_view *view, struct sight *sight,
                            uint32_t cell) {
    put_cell(rooms, view, sight, cell);
    if (rooms->entity_at[cell] != COR_NONE)
        put_entity(rooms, view, rooms->entity_at[cell]);
}

static uint32_t other_end(const struct rooms *rooms, uint32_t cell, enum world__direction direction) {
    return world__step(rooms->level, cell, direction);
}

/* Does a test agent in one cell see the other? Its own it does. */
static bool sees(const struct rooms *rooms, uint32_t from, uint32_t cell) {
    uint32_t a[3], b[3];
    if (cell == other_end(rooms, from, WORLD__UP) || cell == other_end(rooms, from, WORLD__DOWN))
        return true;
    world__place(rooms->level, from, a);
    world__place(rooms->level, cell, b);
    const int across = (int)b[0] - (int)a[0], down = (int)b[1] - (int)a[1];
    return a[2] == b[2] && abs(across) <= (int)rooms->radius && abs(down) <= (int)rooms->radius &&
           is_clear(rooms->is_opaque, rooms->level->columns, from, across, down);
}

/* All that changed since the test agent's last view; in the first, all. */
static void view_changes(struct rooms *rooms, uint32_t test_agent, struct cor_world_view *view) {
    const struct cor_rooms_level *level = rooms->level;
    struct sight *sight = &rooms->sights[test_agent];
    if (!sight->has_view) {
        for (uint32_t cell = 0; cell < level->cell_count; cell++)
            put_cell(rooms, view, sight, cell);
        for (uint32_t e = 0; e < rooms->entity_count; e++)
            put_entity(rooms, view, e);
    } else {
        const uint32_t button_count = level->count_of[WORLD__BUTTON];
        if (memcmp(sight->shown.bits, rooms->shown.bits, rooms->bit_count) != 0)
            for (uint32_t b = 0; b < rooms->bit_count; b++)
                if (sight->shown.bits[b] != rooms->shown.bits[b]) {
                    const uint32_t thing = b < button_count ? level->things_of[WORLD__BUTTON][b]
                                                            : level->things_of[WORLD__DOOR][b - button_count];
                    put_entity(rooms, view, rooms->entity_at[level->things[thing].cell]);
                }
        for (uint32_t p = 0; p < rooms->player_count; p++)
            if (sight->shown.players[p].cell != rooms->shown.players[p].cell ||
                sight->shown.players[p].hp != rooms->shown.players[p].hp)
                put_entity(rooms, view, player_entity(rooms, p));
    }
    copy_state(rooms, &sight->shown, &rooms->shown);
}

static void look(struct rooms *rooms, uint32_t test_agent, struct cor_world_view *view) {
    *view = (struct cor_world_view){.tick = rooms->tick > rooms->lag ? rooms->tick - rooms->lag : 0,
                                    .mode = rooms->radius == UINT32_MAX ? COR_VIEW_CHANGES : COR_VIEW_SIGHT,
                                    .entities = rooms->shown_entities,
                                    .values = rooms->values,
                                    .cells = rooms->shown_cells,
                                    .links = rooms->shown_links,
                                    .value_count = rooms->entity_count * STRIDE};
    if (view->mode == COR_VIEW_CHANGES)
        view_changes(rooms, test_agent, view);
    else {
        const struct cor_rooms_level *level = rooms->level;
        const uint32_t from = rooms->shown.players[test_agent].cell, radius = rooms->radius;
        struct sight *sight = &rooms->sights[test_agent];
        uint32_t at[3];
        world__place(level, from, at);
        const uint32_t west = at[0] > radius ? at[0] - radius : 0,
                       north = at[1] > radius ? at[1] - radius : 0;
        const uint32_t east = at[0] + radius < level->columns ? at[0] + radius : level->columns - 1;
        const uint32_t south = at[1] + radius < level->rows ? at[1] + radius : level->rows - 1;
        for (uint32_t row = north; row <= south; row++)
            for (uint32_t column = west; column <= east; column++) {
                const int across = (int)column - (int)at[0], down = (int)row - (int)at[1];
                if (is_clear(rooms->is_opaque, level->columns, from, across, down))
                    see_cell(rooms, view, sight, (at[2] * level->rows + row) * level->columns + column);
            }
        for (uint32_t d = WORLD__UP; d <= WORLD__DOWN; d++) {
            const uint32_t end = other_end(rooms, from, (enum world__direction)d);
            if (end != COR_NONE)
                see_cell(rooms, view, sight, end);
        }
        for (uint32_t p = 0; p < rooms->player_count; p++)
            if (sees(rooms, from, rooms->shown.players[p].cell))
                put_entity(rooms, view, player_entity(rooms, p));
    }
    rooms->sights[test_agent].has_view = true;
}

/* ---- the functions of the kind */

static enum cor_status reset(struct cor_live_world *world, struct cor_world_view *view,
                             enum cor_system_trouble *trouble, struct cor_error *error) {
    struct rooms *rooms = (struct rooms *)world;
    (void)error;
    *trouble = 0;
    rooms->tick = 0;
    struct state *state = &rooms->states[0];
    memset(state->bits, 0, rooms->bit_count);
    for (uint32_t p = 0; p < rooms->player_count; p++)
        state->players[p] = (struct player){rooms->starts[p], HP};
    show_state(rooms, &rooms->states[0], true);
    for (uint32_t p = 0; p < rooms->player_count; p++) {
        memset(rooms->sights[p].cells, 0, (rooms->level->cell_count / 64 + 1) * sizeof(uint64_t));
        rooms->sights[p].has_view = false;
    }
    look(rooms, 0, view);
    return COR_OK;
}

static enum cor_status act(struct cor_live_world *world, uint32_t test_agent,
                           const struct cor_world_command *command, struct cor_world_view *view,
                           enum cor_system_trouble *trouble, struct cor_error *error) {
    struct rooms *rooms = (struct rooms *)world;
    (void)error;
    *trouble = 0;
    COR_ASSERT(test_agent < rooms->player_count && command->action < ACTION_COUNT);
    if (command->action != COR_ACTION_LOOK) {
        const uint64_t kept = (uint64_t)rooms->lag + 1;
        const struct state *before = &rooms->states[rooms->tick % kept];
        struct state *now = &rooms->states[++rooms->tick % kept];
        if (rooms->lag > 0)
            copy_state(rooms, now, before);
        /* What the command changes, in the state of the tick that begins. */
        const struct cor_rooms_level *level = rooms->level;
        struct player *player = &now->players[test_agent];
        if (player->hp != 0) {
            const uint32_t word =
                command->action >= COR_ACTION_FIRST && command->arguments[0].kind == COR_VALUE_WORD
                    ? command->arguments[0].as.word
                    : COR_NONE;
            if (command->action == ACTION_MOVE) {
                for (uint32_t d = 0; d < WORLD__DIRECTIONS; d++) {
                    if (rooms->direction_word[d] != word)
                        continue;
                    const uint32_t to = world__step(level, player->cell, (enum world__direction)d);
                    if (to != COR_NONE && !is_shut(rooms, now, to))
                        player->cell = to;
                    break;
                }
            } else if (command->action == ACTION_PRESS) {
                const uint32_t entity = word < rooms->word_count ? rooms->entity_of[word] : COR_NONE;
                if (entity != COR_NONE && rooms->entities[entity].type == TYPE_BUTTON &&
                    rooms->entity_at[player->cell] == entity)
                    press(rooms, now, level->things[rooms->thing_of[entity]].number);
            }
            if (world__stands(level, player->cell, WORLD__HAZARD))
                player->hp--;
        }
        show_state(rooms, &rooms->states[rooms->tick > rooms->lag ? (rooms->tick - rooms->lag) % kept : 0],
                   false);
    }
    look(rooms, test_agent, view);
    return COR_OK;
}

static void fini_state(struct state *state) {
    COR_FREE(state->bits, state->players);
}

static void close_world(struct cor_live_world *world) {
    struct rooms *rooms = (struct rooms *)world;
    for (uint64_t i = 0; rooms->states && i <= rooms->lag; i++)
        fini_state(&rooms->states[i]);
    free(rooms->states);
    fini_state(&rooms->shown);
    for (uint32_t p = 0; rooms->sights && p < rooms->player_count; p++) {
        free(rooms->sights[p].cells);
        fini_state(&rooms->sights[p].shown);
    }
    COR_FREE(rooms->sights, rooms->entities, rooms->entity_of, rooms->thing_of, rooms->entity_at,
             rooms->starts, rooms->is_opaque, rooms->values, rooms->shown_entities, rooms->shown_cells,
             rooms->shown_links);
    cor_words_fini(&rooms->words);
    free(rooms);
}

static const struct cor_live_world_kind rooms_kind = {"rooms", reset, act, close_world};

/* ---- how it is made */

static enum cor_status complain(const char *remedy, struct cor_error *error, const char *what,
                                const char *name) {
    return cor_fail(error, COR_STATUS_INPUT, "rooms", remedy, what, name);
}

/* Where test agents begin: at the start of their name, else at the next one that nobody's name takes. */
static enum cor_status place_players(struct rooms *rooms, const struct cor_rooms_definition *definition,
                                     struct cor_error *error) {
    const struct cor_rooms_level *level = rooms->level;
    const uint32_t start_count = level->count_of[WORLD__START];
    const uint32_t *starts = level->things_of[WORLD__START];
    if (rooms->player_count > start_count || rooms->player_count > COR_TEST_AGENTS_MAX) {
        char what[100];
        snprintf(what, sizeof what, "there are %u test agents, and the level has %u start%s",
                 rooms->player_count, start_count, start_count == 1 ? "" : "s");
        return complain(rooms->player_count > start_count ? "a cell f:a^ID is a start"
                                                          : "at most 16 test agents",
                        error, "%s", what);
    }
    uint8_t *is_taken = cor_calloc(start_count, sizeof *is_taken);
    COR_TRY(cor_made(is_taken, error));
    for (uint32_t p = 0; p < rooms->player_count; p++) {
        const char *name =
            definition->test_agent_count > 0 ? definition->test_agents[p] : world__identity(level, starts[p]);
        const uint32_t thing = cor_words_find(&level->identities, name);
        rooms->starts[p] = COR_NONE;
        if (thing != COR_NONE && level->things[thing].kind == WORLD__START) {
            rooms->starts[p] = level->things[thing].cell;
            is_taken[level->things[thing].number] = 1;
        }
    }
    for (uint32_t p = 0, next = 0; p < rooms->player_count; p++) {
        if (rooms->starts[p] != COR_NONE)
            continue;
        while (is_taken[next])
            next++;
        rooms->starts[p] = level->things[starts[next++]].cell;
    }
    free(is_taken);
    return COR_OK;
}

static enum cor_status declare_entity(struct rooms *rooms, uint32_t entity, const char *name, uint32_t type,
                                      struct cor_error *error) {
    const uint32_t known = rooms->words.count;
    rooms->entities[entity].type = type;
    COR_TRY(cor_words_intern(&rooms->words, name, &rooms->entities[entity].identity, error));
    if (rooms->words.count > known)
        return COR_OK;
    return complain("give each test agent a name of its own", error,
                    "a test agent is called \"%s\", and so is another entity", name);
}

static enum cor_status declare_entities(struct rooms *rooms, const struct cor_rooms_definition *definition,
                                        struct cor_error *error) {
    const struct cor_rooms_level *level = rooms->level;
    uint32_t e = 0;
    for (uint32_t t = 0; t < level->thing_count; t++) {
        const struct world__thing *thing = &level->things[t];
        if (thing->kind > WORLD__ITEM)
            continue;
        rooms->thing_of[e] = t;
        rooms->entity_at[thing->cell] = e;
        COR_TRY(declare_entity(rooms, e++, world__identity(level, t), thing->kind, error));
    }
    for (uint32_t p = 0; p < rooms->player_count; p++)
        COR_TRY(declare_entity(rooms, e++,
                               definition->test_agent_count > 0
                                   ? definition->test_agents[p]
                                   : world__identity(level, level->things_of[WORLD__START][p]),
                               TYPE_PLAYER, error));
    return COR_OK;
}

static enum cor_status init_state(const struct rooms *rooms, struct state *state, struct cor_error *error) {
    state->bits = cor_calloc(rooms->bit_count, 1);
    state->players = cor_calloc(rooms->player_count, sizeof *state->players);
    return state->bits && state->players ? COR_OK : cor_fail_memory(error);
}

static enum cor_status allocate(struct rooms *rooms, struct cor_error *error) {
    const struct cor_rooms_level *level = rooms->level;
    const uint64_t side = 2 * (uint64_t)rooms->radius + 1; /* at most 2^33 - 1, for everything */
    const uint64_t seen = side < 4096 ? side * side + 2 : level->cell_count;
    rooms->entities = cor_calloc(rooms->entity_count, sizeof *rooms->entities);
    rooms->thing_of = cor_calloc(rooms->entity_count, sizeof *rooms->thing_of);
    rooms->entity_at = cor_calloc(level->cell_count, sizeof *rooms->entity_at);
    rooms->starts = cor_calloc(rooms->player_count, sizeof *rooms->starts);
    rooms->is_opaque = cor_calloc(level->cell_count, sizeof *rooms->is_opaque);
    rooms->values = cor_calloc((size_t)rooms->entity_count * STRIDE, sizeof *rooms->values);
    rooms->states = cor_calloc((size_t)rooms->lag + 1, sizeof *rooms->states);
    rooms->sights = cor_calloc(rooms->player_count, sizeof *rooms->sights);
    rooms->shown_entities = cor_calloc(rooms->entity_count, sizeof *rooms->shown_entities);
    rooms->shown_cells =
        cor_calloc(seen < level->cell_count ? (size_t)seen : level->cell_count, sizeof *rooms->shown_cells);
    rooms->shown_links = cor_calloc(2 * (size_t)level->count_of[WORLD__STAIR], sizeof *rooms->shown_links);
    if (!rooms->entities || !rooms->thing_of || !rooms->entity_at || !rooms->starts || !rooms->is_opaque ||
        !rooms->values || !rooms->states || !rooms->sights || !rooms->shown_entities || !rooms->shown_cells ||
        !rooms->shown_links)
        return cor_fail_memory(error);
    for (uint64_t i = 0; i <= rooms->lag; i++)
        COR_TRY(init_state(rooms, &rooms->states[i], error));
    COR_TRY(init_state(rooms, &rooms->shown, error));
    for (uint32_t p = 0; p < rooms->player_count; p++) {
        rooms->sights[p].cells = cor_calloc(level->cell_count / 64 + 1, sizeof *rooms->sights[p].cells);
        COR_TRY(cor_made(rooms->sights[p].cells, error));
        COR_TRY(init_state(rooms, &rooms->sights[p].shown, error));
    }
    return COR_OK;
}

/* All values but those that states have. */
static void fill_values(struct rooms *rooms) {
    const struct cor_rooms_level *level = rooms->level;
    for (uint32_t e = 0; e < rooms->entity_count; e++) {
        uint32_t place[3] = {0, 0, 0};
        if (rooms->entities[e].type != TYPE_PLAYER)
            world__place(level, level->things[rooms->thing_of[e]].cell, place);
        for (uint32_t i = 0; i < STRIDE; i++)
            rooms->values[e * STRIDE + i] =
                (struct cor_shown_value){i, cor_integer(i < 3 ? (int64_t)place[i] : 0)};
    }
    for (uint32_t cell = 0; cell < level->cell_count; cell++)
        rooms->is_opaque[cell] = !level->is_floor[cell];
}

enum cor_status cor_rooms_create(const struct cor_rooms_definition *definition, struct cor_live_world **world,
                                 struct cor_error *error) {
    enum cor_status status = COR_OK;
    const struct cor_rooms_level *level = definition->level;
    *world = NULL;
    if (definition->lag > COR_ROOMS_LAG_MAX)
        return complain("0 to 10,000", error, "a view is late by more than 10,000 ticks%s", "");
    struct rooms *rooms = cor_calloc(1, sizeof *rooms);
    COR_TRY(cor_made(rooms, error));
    cor_words_init(&rooms->words);
    rooms->level = level;
    rooms->lag = definition->lag;
    rooms->radius = definition->view;
    if (rooms->radius != UINT32_MAX && rooms->radius > WORLD__COLUMNS_MAX)
        rooms->radius = WORLD__COLUMNS_MAX; /* no level is wider or higher */
    rooms->player_count =
        definition->test_agent_count > 0 ? definition->test_agent_count : level->count_of[WORLD__START];
    rooms->bit_count = level->count_of[WORLD__BUTTON] + level->count_of[WORLD__DOOR];
    rooms->entity_count = rooms->player_count;
    for (uint32_t k = 0; k <= WORLD__ITEM; k++)
        rooms->entity_count += level->count_of[k];
    COR_TRY_OUT(allocate(rooms, error));
    COR_TRY_OUT(place_players(rooms, definition, error));
    memset(rooms->entity_at, 0xff, level->cell_count * sizeof *rooms->entity_at); /* COR_NONE */
    COR_TRY_OUT(declare_entities(rooms, definition, error));
    /* After the entities: their identities are the first words, in their order. */
    const uint32_t count = rooms->level->count_of[WORLD__STAIR] > 0 ? WORLD__DIRECTIONS : WORLD__UP;
    for (uint32_t d = 0; d < WORLD__DIRECTIONS; d++)
        rooms->direction_word[d] = COR_NONE - 1; /* no word is that */
    for (uint32_t d = 0; d < count; d++)
        COR_TRY_OUT(cor_words_intern(&rooms->words, direction_words[d], &rooms->direction_word[d], error));
    rooms->direction =
        (struct cor_domain){COR_VALUE_TYPE_ENUMERATION, "direction", rooms->direction_word, count};
    rooms->move_parameter = (struct cor_action_parameter){"to", &rooms->direction};
    rooms->press_parameter = (struct cor_action_parameter){"on", NULL};
    rooms->actions[COR_ACTION_WAIT] = (struct cor_action){.name = "wait"};
    rooms->actions[COR_ACTION_LOOK] = (struct cor_action){.name = "look"};
    rooms->actions[ACTION_MOVE] = (struct cor_action){"move", &rooms->move_parameter, 1};
    rooms->actions[ACTION_PRESS] = (struct cor_action){"press", &rooms->press_parameter, 1};
    rooms->word_count = rooms->words.count;
    COR_TRY_OUT(cor_made(rooms->entity_of = cor_calloc(rooms->word_count, sizeof *rooms->entity_of), error));
    memset(rooms->entity_of, 0xff, rooms->word_count * sizeof *rooms->entity_of); /* COR_NONE */
    for (uint32_t e = 0; e < rooms->entity_count; e++)
        rooms->entity_of[rooms->entities[e].identity] = e;
    fill_values(rooms);
    rooms->declaration = (struct cor_world_declaration){.name = "rooms",
                                                        .version = "1",
                                                        .types = types,
                                                        .actions = rooms->actions,
                                                        .entities = rooms->entities,
                                                        .type_count = TYPE_COUNT,
                                                        .action_count = ACTION_COUNT,
                                                        .entity_count = rooms->entity_count,
                                                        .words = &rooms->words,
                                                        .columns = level->columns,
                                                        .rows = level->rows,
                                                        .floors = level->floors,
                                                        .step = ACTION_MOVE};
    rooms->head.kind = &rooms_kind;
    rooms->head.declaration = &rooms->declaration;
    *world = &rooms->head;
    rooms = NULL;
out:
    if (rooms)
        close_world(&rooms->head);
    return status;
}
