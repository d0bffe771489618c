/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A level as a model of oracle/efsm (efsm-json/1). Places are rooms - regions in which something can be done,
 * or the first test agent begins - and doors. From a place one presses a button, reaches an item or enters a
 * door that can be walked to without passing another door, and is told which doors one is then beside, and
 * whether these are open. */
#include "rooms_level.h"

#include <corridor/array.h>
#include <corridor/bytes.h>

#include <stdlib.h>

#define DOORS_MAX 63    /* a model has 64 variables, and one is the argument of outputs */
#define ITEMS_MAX 10000 /* locations, labels, transitions */

/* A place by its number: a region, or region_count + door. */
struct move {
    uint32_t place, thing, to;
};

struct model {
    const struct cor_rooms_level *level;
    struct world__regions regions;
    uint64_t *beside;   /* owned; [place]: doors that one step leads to, without the door that it is */
    uint8_t *is_room;   /* owned; [region] */
    uint32_t *sides;    /* owned; [door][WORLD__DIRECTIONS]: regions that one step leads to; COR_NONE */
    struct move *moves; /* owned */
    uint32_t move_count;
    size_t move_capacity;
    struct cor_bytes text;
};

static void fini_model(struct model *model) {
    world__regions_fini(&model->regions);
    free(model->beside);
    free(model->is_room);
    free(model->sides);
    free(model->moves);
    cor_bytes_fini(&model->text);
}

static const struct world__thing *door_thing(const struct model *model, uint32_t door) {
    return &model->level->things[model->level->things_of[WORLD__DOOR][door]];
}

static const char *door_name(const struct model *model, uint32_t door) {
    return world__identity(model->level, model->level->things_of[WORLD__DOOR][door]);
}

static bool is_done(uint32_t kind) {
    return kind == WORLD__BUTTON || kind == WORLD__ITEM;
}

/* ---- places and moves */

static void join_places(struct model *model) {
    const struct cor_rooms_level *level = model->level;
    const uint32_t region_count = model->regions.count;
    for (uint32_t door = 0; door < level->count_of[WORLD__DOOR]; door++)
        for (uint32_t d = 0; d < WORLD__DIRECTIONS; d++) {
            const uint32_t to = world__step(level, door_thing(model, door)->cell, (enum world__direction)d);
            uint32_t *side = &model->sides[door * WORLD__DIRECTIONS + d];
            *side = COR_NONE;
            if (to == COR_NONE)
                continue;
            *side = model->regions.region[to];
            const uint32_t place =
                *side != COR_NONE ? *side : region_count + level->things[level->thing_at[to]].number;
            model->beside[place] |= UINT64_C(1) << door;
        }
}

/* Can one go from the place to the region without passing a door? */
static bool is_at(const struct model *model, uint32_t place, uint32_t region) {
    if (place < model->regions.count)
        return place == region;
    const uint32_t *sides = &model->sides[(place - model->regions.count) * WORLD__DIRECTIONS];
    for (uint32_t d = 0; d < WORLD__DIRECTIONS; d++)
        if (sides[d] == region)
            return true;
    return false;
}

/* Doors that one can go to from the place without passing another one. */
static uint64_t doors_near(const struct model *model, uint32_t place) {
    uint64_t doors = model->beside[place];
    if (place < model->regions.count)
        return doors;
    const uint32_t door = place - model->regions.count;
    for (uint32_t d = 0; d < WORLD__DIRECTIONS; d++) {
        const uint32_t side = model->sides[door * WORLD__DIRECTIONS + d];
        doors |= side != COR_NONE ? model->beside[side] : 0;
    }
    return doors;
}

static enum cor_status add_move(struct model *model, uint32_t place, uint32_t thing, uint32_t to,
                                struct cor_error *error) {
    if (model->move_count == ITEMS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "a model has at most 10,000",
                        "the model of the level has more than 10,000 transitions");
    COR_TRY(COR_RESERVE(&model->moves, &model->move_capacity, (size_t)model->move_count + 1, error));
    model->moves[model->move_count++] = (struct move){place, thing, to};
    return COR_OK;
}

static enum cor_status find_moves(struct model *model, uint32_t place, struct cor_error *error) {
    const struct cor_rooms_level *level = model->level;
    const uint64_t doors = doors_near(model, place);
    for (uint32_t t = 0; t < level->thing_count; t++) {
        const struct world__thing *thing = &level->things[t];
        if (is_done(thing->kind)) {
            const uint32_t region = model->regions.region[thing->cell];
            if (is_at(model, place, region))
                COR_TRY(add_move(model, place, t, region, error));
        } else if (thing->kind == WORLD__DOOR && (doors >> thing->number & 1) != 0 &&
                   place != model->regions.count + thing->number) {
            COR_TRY(add_move(model, place, t, model->regions.count + thing->number, error));
        }
    }
    return COR_OK;
}

static enum cor_status find_places(struct model *model, struct cor_error *error) {
    const struct cor_rooms_level *level = model->level;
    const uint32_t door_count = level->count_of[WORLD__DOOR];
    if (door_count > DOORS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "a model has one variable for each",
                        "the level has %u doors, and a model at most %u", door_count, DOORS_MAX);
    if (level->count_of[WORLD__BUTTON] + level->count_of[WORLD__ITEM] + 2 * door_count > ITEMS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "a model has at most 10,000 labels",
                        "the level has more than 10,000 buttons, items and doors");
    COR_TRY(world__regions_find(level, &model->regions, error));
    model->beside = cor_calloc((size_t)model->regions.count + door_count, sizeof *model->beside);
    model->is_room = cor_calloc(model->regions.count, sizeof *model->is_room);
    model->sides = cor_calloc((size_t)door_count * WORLD__DIRECTIONS, sizeof *model->sides);
    if (!model->beside || !model->is_room || !model->sides)
        return cor_fail_memory(error);
    join_places(model);
    for (uint32_t t = 0; t < level->thing_count; t++)
        if (is_done(level->things[t].kind))
            model->is_room[model->regions.region[level->things[t].cell]] = 1;
    model->is_room[model->regions.region[level->things[level->things_of[WORLD__START][0]].cell]] = 1;
    for (uint32_t r = 0; r < model->regions.count; r++)
        if (model->is_room[r])
            COR_TRY(find_moves(model, r, error));
    for (uint32_t d = 0; d < door_count; d++)
        COR_TRY(find_moves(model, model->regions.count + d, error));
    return COR_OK;
}

/* ---- text */

static void print_place(struct model *model, uint32_t place) {
    if (place < model->regions.count)
        cor_bytes_print(&model->text, "\"room_%u\"", place);
    else
        cor_bytes_print(&model->text, "\"door_%s\"", door_name(model, place - model->regions.count));
}

static const char *input_word(uint32_t kind) {
    return kind == WORLD__BUTTON ? "press" : kind == WORLD__ITEM ? "reach" : "enter";
}

static const char *output_word(uint32_t kind) {
    return kind == WORLD__BUTTON ? "pressed" : kind == WORLD__ITEM ? "reached" : "entered";
}

/* Between the items of a list; `first` says whether one was there. */
static void print_comma(struct model *model, bool *first) {
    cor_bytes_print(&model->text, "%s", *first ? "\n  " : ",\n  ");
    *first = false;
}

static void print_head(struct model *model) {
    const struct cor_rooms_level *level = model->level;
    bool first = true;
    cor_bytes_print(&model->text,
                    "{\n \"format\": \"efsm-json/1\",\n \"name\": \"rooms\",\n"
                    " \"title\": \"a level of the world rooms, as its first test agent can change it\",\n"
                    " \"provenance\": {\"status\": \"synthetic\", \"source\": \"the level\", \"notes\": "
                    "[\"hazards and hp are left out\", \"a room is named by its number, in the order of "
                    "first cells, among "
                    "all regions without doors\"]},\n"
                    " \"vars\": [");
    for (uint32_t d = 0; d < level->count_of[WORLD__DOOR]; d++) {
        print_comma(model, &first);
        cor_bytes_print(&model->text,
                        "{\"name\": \"%s_open\", \"kind\": \"state\", \"lo\": 0, \"hi\": 1, \"init\": 0}",
                        door_name(model, d));
    }
    print_comma(model, &first);
    cor_bytes_print(&model->text, "{\"name\": \"open\", \"kind\": \"out\", \"lo\": 0, \"hi\": 1}],\n"
                                  " \"locations\": [");
    first = true;
    for (uint32_t p = 0; p < model->regions.count + level->count_of[WORLD__DOOR]; p++)
        if (p >= model->regions.count || model->is_room[p]) {
            print_comma(model, &first);
            print_place(model, p);
        }
    cor_bytes_print(&model->text, "],\n \"initial\": ");
    print_place(model, model->regions.region[level->things[level->things_of[WORLD__START][0]].cell]);
}

static void print_labels(struct model *model) {
    const struct cor_rooms_level *level = model->level;
    bool first = true;
    cor_bytes_print(&model->text, ",\n \"inputs\": [");
    for (uint32_t t = 0; t < level->thing_count; t++)
        if (is_done(level->things[t].kind) || level->things[t].kind == WORLD__DOOR) {
            print_comma(model, &first);
            cor_bytes_print(&model->text, "{\"label\": \"%s_%s\", \"params\": []}",
                            input_word(level->things[t].kind), world__identity(level, t));
        }
    cor_bytes_print(&model->text, "],\n \"outputs\": [");
    first = true;
    for (uint32_t t = 0; t < level->thing_count; t++) {
        const uint32_t kind = level->things[t].kind;
        if (!is_done(kind) && kind != WORLD__DOOR)
            continue;
        print_comma(model, &first);
        cor_bytes_print(&model->text, "{\"label\": \"%s_%s\", \"params\": []}", output_word(kind),
                        world__identity(level, t));
        if (kind == WORLD__DOOR) {
            print_comma(model, &first);
            cor_bytes_print(&model->text, "{\"label\": \"shown_%s\", \"params\": [\"open\"]}",
                            world__identity(level, t));
        }
    }
}

/* A door's value behind the move: that before it, or the other one. */
static void print_door_value(struct model *model, const struct world__thing *thing, uint32_t door) {
    const bool is_toggled = thing->kind == WORLD__BUTTON && world__toggles(model->level, thing->number, door);
    cor_bytes_print(&model->text, "\"%s%s_open\"", is_toggled ? "1 - " : "", door_name(model, door));
}

static void print_move(struct model *model, uint32_t m) {
    const struct cor_rooms_level *level = model->level;
    const struct move *move = &model->moves[m];
    const struct world__thing *thing = &level->things[move->thing];
    const char *name = world__identity(level, move->thing);
    bool first = true;
    cor_bytes_print(&model->text, "{\"id\": \"t%u\", \"src\": ", m);
    print_place(model, move->place);
    cor_bytes_print(&model->text, ", \"dst\": ");
    print_place(model, move->to);
    cor_bytes_print(&model->text, ", \"input\": \"%s_%s\", \"guard\": \"", input_word(thing->kind), name);
    if (thing->kind == WORLD__DOOR)
        cor_bytes_print(&model->text, "%s_open == 1", name);
    else
        cor_bytes_print(&model->text, "true");
    cor_bytes_print(&model->text, "\", \"update\": {");
    for (uint32_t d = 0; thing->kind == WORLD__BUTTON && d < level->count_of[WORLD__DOOR]; d++) {
        if (!world__toggles(level, thing->number, d))
            continue;
        cor_bytes_print(&model->text, "%s\"%s_open\": ", first ? "" : ", ", door_name(model, d));
        print_door_value(model, thing, d);
        first = false;
    }
    cor_bytes_print(&model->text, "}, \"outputs\": [{\"label\": \"%s_%s\", \"args\": []}",
                    output_word(thing->kind), name);
    uint64_t shown = doors_near(model, move->to);
    if (move->to >= model->regions.count)
        shown |= UINT64_C(1) << (move->to - model->regions.count);
    for (uint32_t d = 0; d < level->count_of[WORLD__DOOR]; d++) {
        if ((shown >> d & 1) == 0)
            continue;
        cor_bytes_print(&model->text, ", {\"label\": \"shown_%s\", \"args\": [", door_name(model, d));
        print_door_value(model, thing, d);
        cor_bytes_print(&model->text, "]}");
    }
    cor_bytes_print(&model->text, "]}");
}

/* A goal with one trap, any move that does it to that thing; `door` not COR_NONE: opens it. */
static void print_goal(struct model *model, const char *word, uint32_t goal_thing, uint32_t door,
                       bool *first) {
    const struct cor_rooms_level *level = model->level;
    const char *name = world__identity(level, goal_thing);
    bool is_first = true;
    for (uint32_t m = 0; m < model->move_count; m++) {
        const struct world__thing *thing = &level->things[model->moves[m].thing];
        const bool does = door == COR_NONE
                              ? model->moves[m].thing == goal_thing
                              : thing->kind == WORLD__BUTTON && world__toggles(level, thing->number, door);
        if (!does)
            continue;
        if (is_first) {
            print_comma(model, first);
            cor_bytes_print(&model->text,
                            "{\"name\": \"%s_%s\", \"traps\": [{\"id\": \"%s_%s\", \"transition\": [", word,
                            name, word, name);
        }
        cor_bytes_print(&model->text, "%s\"t%u\"", is_first ? "" : ", ", m);
        is_first = false;
    }
    if (is_first)
        return; /* nothing does */
    cor_bytes_print(&model->text, "]");
    if (door != COR_NONE)
        cor_bytes_print(&model->text, ", \"constraint\": \"%s_open == 0\"", name);
    cor_bytes_print(&model->text, "}]}");
}

static void print_model(struct model *model) {
    const struct cor_rooms_level *level = model->level;
    bool first = true;
    print_head(model);
    print_labels(model);
    cor_bytes_print(&model->text, "],\n \"transitions\": [");
    for (uint32_t m = 0; m < model->move_count; m++) {
        print_comma(model, &first);
        print_move(model, m);
    }
    cor_bytes_print(&model->text, "],\n \"goals\": [");
    first = true;
    for (uint32_t t = 0; t < level->thing_count; t++) {
        const struct world__thing *thing = &level->things[t];
        if (is_done(thing->kind) || thing->kind == WORLD__DOOR)
            print_goal(model, input_word(thing->kind), t, COR_NONE, &first);
        if (thing->kind == WORLD__DOOR)
            print_goal(model, "open", t, thing->number, &first);
    }
    cor_bytes_print(&model->text, "]\n}\n");
}

enum cor_status cor_rooms_level_model(const struct cor_rooms_level *level, char **text,
                                      struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct model model = {.level = level};
    *text = NULL;
    COR_TRY_OUT(find_places(&model, error));
    print_model(&model);
    *text = cor_bytes_text_take(&model.text, error);
    COR_TRY_OUT(*text ? COR_OK : COR_STATUS_MEMORY);
out:
    fini_model(&model);
    return status;
}
