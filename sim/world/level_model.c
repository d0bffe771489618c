/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A level as a model of oracle/efsm (efsm-json/1). Locations are the start of the first test agent, buttons,
 * items and doors: where it was last. From there it presses a button, reaches an item or enters a door to
 * which it can walk without passing another door, and is told which doors it is then beside, and whether
 * these are open. All is in the order of identities, and nothing is named by a place, so that levels that
 * differ in their cells alone have one model. */
#include "rooms_level.h"

#include <corridor/array.h>
#include <corridor/bytes.h>

#include <stdlib.h>
#include <string.h>

#define DOORS_MAX 63    /* a model has 64 variables, and one is the argument of outputs */
#define ITEMS_MAX 10000 /* locations, labels, transitions */

/* From one thing to another, or a button that is pressed again. */
struct move {
    uint32_t from, to;
};

struct model {
    const struct cor_rooms_level *level;
    struct world__regions regions;
    uint32_t start;  /* thing */
    uint32_t *order; /* owned; [order_count]: buttons, doors and items by their identities */
    uint32_t order_count;
    uint32_t doors[DOORS_MAX]; /* numbers of doors by their identities */
    uint32_t door_count;
    uint64_t *beside;   /* owned; [region, then door]: doors that one step leads to, by their numbers */
    uint32_t *sides;    /* owned; [door][WORLD__DIRECTIONS]: regions that one step leads to; COR_NONE */
    struct move *moves; /* owned */
    uint32_t move_count;
    size_t move_capacity;
    struct cor_bytes text;
};

static void fini_model(struct model *model) {
    world__regions_fini(&model->regions);
    free(model->order);
    free(model->beside);
    free(model->sides);
    free(model->moves);
    cor_bytes_fini(&model->text);
}

static const struct world__thing *thing_of(const struct model *model, uint32_t thing) {
    return &model->level->things[thing];
}

static uint32_t door_thing(const struct model *model, uint32_t door) {
    return model->level->things_of[WORLD__DOOR][door];
}

static const char *door_name(const struct model *model, uint32_t door) {
    return world__identity(model->level, door_thing(model, door));
}

/* ---- places and moves */

/* An identity with the thing that it is of, to be sorted. */
struct named {
    const char *identity;
    uint32_t thing;
};

static int compare_named(const void *a, const void *b) {
    return strcmp(((const struct named *)a)->identity, ((const struct named *)b)->identity);
}

static enum cor_status sort_things(struct model *model, struct cor_error *error) {
    const struct cor_rooms_level *level = model->level;
    struct named *named = cor_calloc(level->thing_count, sizeof *named);
    model->order = cor_calloc(level->thing_count, sizeof *model->order);
    if (!named || !model->order) {
        free(named);
        return cor_fail_memory(error);
    }
    for (uint32_t t = 0; t < level->thing_count; t++) {
        const uint32_t kind = level->things[t].kind;
        if (kind == WORLD__BUTTON || kind == WORLD__DOOR || kind == WORLD__ITEM)
            named[model->order_count++] = (struct named){world__identity(level, t), t};
    }
    qsort(named, model->order_count, sizeof *named, compare_named);
    for (uint32_t i = 0; i < model->order_count; i++) {
        model->order[i] = named[i].thing;
        if (thing_of(model, named[i].thing)->kind == WORLD__DOOR)
            model->doors[model->door_count++] = thing_of(model, named[i].thing)->number;
    }
    free(named);
    return COR_OK;
}

static void join_places(struct model *model) {
    const struct cor_rooms_level *level = model->level;
    for (uint32_t door = 0; door < model->door_count; door++)
        for (uint32_t d = 0; d < WORLD__DIRECTIONS; d++) {
            const uint32_t to =
                world__step(level, thing_of(model, door_thing(model, door))->cell, (enum world__direction)d);
            uint32_t *side = &model->sides[door * WORLD__DIRECTIONS + d];
            *side = COR_NONE;
            if (to == COR_NONE)
                continue;
            *side = model->regions.region[to];
            const uint32_t place = *side != COR_NONE
                                       ? *side
                                       : model->regions.count + thing_of(model, level->thing_at[to])->number;
            model->beside[place] |= UINT64_C(1) << door;
        }
}

/* Can one go from the thing to the region without passing another door? */
static bool is_at(const struct model *model, uint32_t from, uint32_t region) {
    const struct world__thing *thing = thing_of(model, from);
    if (thing->kind != WORLD__DOOR)
        return model->regions.region[thing->cell] == region;
    const uint32_t *sides = &model->sides[thing->number * WORLD__DIRECTIONS];
    for (uint32_t d = 0; d < WORLD__DIRECTIONS; d++)
        if (sides[d] == region)
            return true;
    return false;
}

/* Doors that one can go to from the thing without passing another one, itself included if it is one. */
static uint64_t doors_near(const struct model *model, uint32_t from) {
    const struct world__thing *thing = thing_of(model, from);
    if (thing->kind != WORLD__DOOR)
        return model->beside[model->regions.region[thing->cell]];
    uint64_t doors = model->beside[model->regions.count + thing->number] | UINT64_C(1) << thing->number;
    for (uint32_t d = 0; d < WORLD__DIRECTIONS; d++) {
        const uint32_t side = model->sides[thing->number * WORLD__DIRECTIONS + d];
        doors |= side != COR_NONE ? model->beside[side] : 0;
    }
    return doors;
}

static enum cor_status find_moves(struct model *model, uint32_t from, struct cor_error *error) {
    const uint64_t doors = doors_near(model, from);
    for (uint32_t i = 0; i < model->order_count; i++) {
        const uint32_t to = model->order[i];
        const struct world__thing *thing = thing_of(model, to);
        const bool is_near = thing->kind == WORLD__DOOR
                                 ? (doors >> thing->number & 1) != 0
                                 : is_at(model, from, model->regions.region[thing->cell]);
        if (!is_near || (from == to && thing->kind != WORLD__BUTTON))
            continue;
        if (model->move_count == ITEMS_MAX)
            return cor_fail(error, COR_STATUS_INPUT, NULL, "a model has at most 10,000",
                            "the model of the level has more than 10,000 transitions");
        COR_TRY(COR_RESERVE(&model->moves, &model->move_capacity, (size_t)model->move_count + 1, error));
        model->moves[model->move_count++] = (struct move){from, to};
    }
    return COR_OK;
}

static enum cor_status find_model(struct model *model, struct cor_error *error) {
    const struct cor_rooms_level *level = model->level;
    const uint32_t door_count = level->count_of[WORLD__DOOR];
    if (door_count > DOORS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "a model has one variable for each",
                        "the level has %u doors, and a model at most %u", door_count, DOORS_MAX);
    if ((uint64_t)level->count_of[WORLD__BUTTON] + level->count_of[WORLD__ITEM] + 2 * door_count >= ITEMS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "a model has at most 10,000 labels",
                        "the level has more than 10,000 buttons, items and doors");
    model->start = level->things_of[WORLD__START][0];
    COR_TRY(sort_things(model, error));
    COR_TRY(world__regions_find(level, &model->regions, error));
    model->beside = cor_calloc((size_t)model->regions.count + door_count, sizeof *model->beside);
    model->sides = cor_calloc((size_t)door_count * WORLD__DIRECTIONS, sizeof *model->sides);
    if (!model->beside || !model->sides)
        return cor_fail_memory(error);
    join_places(model);
    COR_TRY(find_moves(model, model->start, error));
    for (uint32_t i = 0; i < model->order_count; i++)
        COR_TRY(find_moves(model, model->order[i], error));
    return COR_OK;
}

/* ---- text */

/* Words of a kind: of its input, of its output. */
static const char *const input_words[] = {"press", "enter", NULL, "reach"};
static const char *const output_words[] = {"pressed", "entered", NULL, "reached"};

/* "at_b1"; "start", which no identity behind "at_" is. */
static void print_location(struct model *model, uint32_t thing) {
    if (thing == model->start)
        cor_bytes_print(&model->text, "\"start\"");
    else
        cor_bytes_print(&model->text, "\"at_%s\"", world__identity(model->level, thing));
}

/* In front of an item of a list. */
static void print_comma(struct model *model, bool *is_first) {
    cor_bytes_print(&model->text, "%s", *is_first ? "\n  " : ",\n  ");
    *is_first = false;
}

static void print_head(struct model *model) {
    bool is_first = true;
    cor_bytes_print(&model->text,
                    "{\n \"format\": \"efsm-json/1\",\n \"name\": \"rooms\",\n"
                    " \"title\": \"a level of the world rooms, as its first test agent can change it\",\n"
                    " \"provenance\": {\"status\": \"synthetic\", \"source\": \"the level\", \"notes\": "
                    "[\"hazards and hp are left out\"]},\n \"vars\": [");
    for (uint32_t i = 0; i < model->door_count; i++) {
        print_comma(model, &is_first);
        cor_bytes_print(&model->text,
                        "{\"name\": \"%s_open\", \"kind\": \"state\", \"lo\": 0, \"hi\": 1, \"init\": 0}",
                        door_name(model, model->doors[i]));
    }
    print_comma(model, &is_first);
    cor_bytes_print(&model->text, "{\"name\": \"open\", \"kind\": \"out\", \"lo\": 0, \"hi\": 1}],\n"
                                  " \"locations\": [\n  ");
    print_location(model, model->start);
    for (uint32_t i = 0; i < model->order_count; i++) {
        cor_bytes_print(&model->text, ",\n  ");
        print_location(model, model->order[i]);
    }
    cor_bytes_print(&model->text, "],\n \"initial\": \"start\"");
}

static void print_labels(struct model *model) {
    bool is_first = true;
    cor_bytes_print(&model->text, ",\n \"inputs\": [");
    for (uint32_t i = 0; i < model->order_count; i++) {
        print_comma(model, &is_first);
        cor_bytes_print(&model->text, "{\"label\": \"%s_%s\", \"params\": []}",
                        input_words[thing_of(model, model->order[i])->kind],
                        world__identity(model->level, model->order[i]));
    }
    cor_bytes_print(&model->text, "],\n \"outputs\": [");
    is_first = true;
    for (uint32_t i = 0; i < model->order_count; i++) {
        const struct world__thing *thing = thing_of(model, model->order[i]);
        const char *name = world__identity(model->level, model->order[i]);
        print_comma(model, &is_first);
        cor_bytes_print(&model->text, "{\"label\": \"%s_%s\", \"params\": []}", output_words[thing->kind],
                        name);
        if (thing->kind != WORLD__DOOR)
            continue;
        print_comma(model, &is_first);
        cor_bytes_print(&model->text, "{\"label\": \"shown_%s\", \"params\": [\"open\"]}", name);
    }
}

static bool does_toggle(const struct model *model, uint32_t thing, uint32_t door) {
    return thing_of(model, thing)->kind == WORLD__BUTTON &&
           world__toggles(model->level, thing_of(model, thing)->number, door);
}

/* The door behind the move: as it was, or the other way round. */
static void print_door_value(struct model *model, uint32_t thing, uint32_t door) {
    cor_bytes_print(&model->text, "\"%s%s_open\"", does_toggle(model, thing, door) ? "1 - " : "",
                    door_name(model, door));
}

static void print_move(struct model *model, uint32_t m) {
    const struct move *move = &model->moves[m];
    const uint32_t kind = thing_of(model, move->to)->kind;
    const char *name = world__identity(model->level, move->to);
    bool is_first = true;
    cor_bytes_print(&model->text, "{\"id\": \"t%u\", \"src\": ", m);
    print_location(model, move->from);
    cor_bytes_print(&model->text, ", \"dst\": ");
    print_location(model, move->to);
    cor_bytes_print(&model->text, ", \"input\": \"%s_%s\", \"guard\": \"", input_words[kind], name);
    if (kind == WORLD__DOOR)
        cor_bytes_print(&model->text, "%s_open == 1", name);
    else
        cor_bytes_print(&model->text, "true");
    cor_bytes_print(&model->text, "\", \"update\": {");
    for (uint32_t i = 0; i < model->door_count; i++) {
        if (!does_toggle(model, move->to, model->doors[i]))
            continue;
        cor_bytes_print(&model->text, "%s\"%s_open\": ", is_first ? "" : ", ",
                        door_name(model, model->doors[i]));
        print_door_value(model, move->to, model->doors[i]);
        is_first = false;
    }
    cor_bytes_print(&model->text, "}, \"outputs\": [{\"label\": \"%s_%s\", \"args\": []}", output_words[kind],
                    name);
    const uint64_t shown = doors_near(model, move->to);
    for (uint32_t i = 0; i < model->door_count; i++) {
        if ((shown >> model->doors[i] & 1) == 0)
            continue;
        cor_bytes_print(&model->text, ", {\"label\": \"shown_%s\", \"args\": [",
                        door_name(model, model->doors[i]));
        print_door_value(model, move->to, model->doors[i]);
        cor_bytes_print(&model->text, "]}");
    }
    cor_bytes_print(&model->text, "]}");
}

/* A goal of one trap: any move to the thing; or, for a door that is to open, any that toggles it while it is
 * shut. No goal where there is none. */
static void print_goal(struct model *model, uint32_t goal, bool opens, bool *is_first) {
    const struct world__thing *thing = thing_of(model, goal);
    const char *word = opens ? "open" : input_words[thing->kind], *name = world__identity(model->level, goal);
    bool is_alone = true;
    for (uint32_t m = 0; m < model->move_count; m++) {
        const uint32_t to = model->moves[m].to;
        if (opens ? !does_toggle(model, to, thing->number) : to != goal)
            continue;
        if (is_alone) {
            print_comma(model, is_first);
            cor_bytes_print(&model->text,
                            "{\"name\": \"%s_%s\", \"traps\": [{\"id\": \"%s_%s\", \"transition\": [", word,
                            name, word, name);
        }
        cor_bytes_print(&model->text, "%s\"t%u\"", is_alone ? "" : ", ", m);
        is_alone = false;
    }
    if (is_alone)
        return;
    cor_bytes_print(&model->text, "]");
    if (opens)
        cor_bytes_print(&model->text, ", \"constraint\": \"%s_open == 0\"", name);
    cor_bytes_print(&model->text, "}]}");
}

enum cor_status cor_rooms_level_model(const struct cor_rooms_level *level, char **text,
                                      struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct model model = {.level = level};
    bool is_first = true;
    *text = NULL;
    COR_TRY_OUT(find_model(&model, error));
    print_head(&model);
    print_labels(&model);
    cor_bytes_print(&model.text, "],\n \"transitions\": [");
    for (uint32_t m = 0; m < model.move_count; m++) {
        print_comma(&model, &is_first);
        print_move(&model, m);
    }
    cor_bytes_print(&model.text, "],\n \"goals\": [");
    is_first = true;
    for (uint32_t i = 0; i < model.order_count; i++) {
        print_goal(&model, model.order[i], false, &is_first);
        if (thing_of(&model, model.order[i])->kind == WORLD__DOOR)
            print_goal(&model, model.order[i], true, &is_first);
    }
    cor_bytes_print(&model.text, "]\n}\n");
    *text = cor_bytes_text_take(&model.text, error);
    COR_TRY_OUT(*text ? COR_OK : COR_STATUS_MEMORY);
out:
    fini_model(&model);
    return status;
}
