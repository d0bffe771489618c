/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A world for tests: buttons and doors in cells, lists with items, somebody who holds an item. */
#ifndef CORRIDOR_SIM_WORLD_TESTS_SAMPLE_WORLD_H
#define CORRIDOR_SIM_WORLD_TESTS_SAMPLE_WORLD_H

#include "require.h"

#include <corridor/beliefs.h>

enum { BUTTON, DOOR, LIST, ITEM, PERSON, TYPE_COUNT };
enum { BUTTON_ON, BUTTON_COLOUR, BUTTON_X, BUTTON_Y };
enum { DOOR_OPEN, DOOR_X, DOOR_Y, DOOR_FLOOR, DOOR_LEADS };
enum { LIST_TITLE };
enum { ITEM_DONE, ITEM_WEIGHT, ITEM_RANK };
enum { PERSON_HP, PERSON_X, PERSON_Y, PERSON_HOLDS };

static const struct cor_domain sample_truth = {.type = COR_VALUE_TYPE_BOOLEAN, .name = "bool"};
static const struct cor_domain sample_integer = {.type = COR_VALUE_TYPE_INTEGER, .name = "int"};
static const struct cor_domain sample_real = {.type = COR_VALUE_TYPE_REAL, .name = "float"};
static const struct cor_domain sample_text = {.type = COR_VALUE_TYPE_STRING, .name = "string"};

struct sample_world {
    struct cor_words words;
    uint32_t colours[2];
    struct cor_domain colour;
    struct cor_world_property button[4], door[5], list[1], item[3], person[4];
    struct cor_entity_type types[TYPE_COUNT];
    struct cor_declared_entity entities[3]; /* b1, list, t */
    struct cor_world_declaration declaration;
};

static inline uint32_t sample_word(struct sample_world *world, const char *text) {
    uint32_t word = COR_NONE;
    REQUIRE(cor_words_intern(&world->words, text, &word, &said));
    return word;
}

static inline void sample_world_init(struct sample_world *world) {
    *world = (struct sample_world){.colour = {COR_VALUE_TYPE_ENUMERATION, "colour", NULL, 2},
                                   .button = {{"on", &sample_truth, COR_NONE},
                                              {"colour", &world->colour, COR_NONE},
                                              {"x", &sample_integer, COR_NONE},
                                              {"y", &sample_integer, COR_NONE}},
                                   .door = {{"open", &sample_truth, COR_NONE},
                                            {"x", &sample_integer, COR_NONE},
                                            {"y", &sample_integer, COR_NONE},
                                            {"floor", &sample_integer, COR_NONE},
                                            {"leads", NULL, DOOR}},
                                   .list = {{"title", &sample_text, COR_NONE}},
                                   .item = {{"done", &sample_truth, COR_NONE},
                                            {"weight", &sample_real, COR_NONE},
                                            {"rank", &sample_integer, COR_NONE}},
                                   .person = {{"hp", &sample_integer, COR_NONE},
                                              {"x", &sample_integer, COR_NONE},
                                              {"y", &sample_integer, COR_NONE},
                                              {"holds", NULL, ITEM}},
                                   .types = {{"button", world->button, 4, COR_NONE},
                                             {"door", world->door, 5, COR_NONE},
                                             {"list", world->list, 1, COR_NONE},
                                             {"item", world->item, 3, LIST},
                                             {"person", world->person, 4, COR_NONE}},
                                   .declaration = {.name = "sample",
                                                   .version = "1",
                                                   .types = world->types,
                                                   .type_count = TYPE_COUNT,
                                                   .entities = world->entities,
                                                   .entity_count = 3,
                                                   .words = &world->words,
                                                   .step = COR_NONE}};
    world->colours[0] = sample_word(world, "red");
    world->colours[1] = sample_word(world, "green");
    world->colour.words = world->colours;
    world->entities[0] = (struct cor_declared_entity){sample_word(world, "t"), PERSON};
    world->entities[1] = (struct cor_declared_entity){sample_word(world, "list"), LIST};
    world->entities[2] = (struct cor_declared_entity){sample_word(world, "b1"), BUTTON};
}

static inline void sample_world_fini(struct sample_world *world) {
    cor_words_fini(&world->words);
}

/* A view that is put together. */
struct sample_view {
    struct cor_shown_entity entities[16];
    struct cor_shown_value values[64];
    uint32_t gone[16], lost[16];
    struct cor_world_view view;
};

static inline void sample_view_begin(struct sample_view *it, uint64_t tick, enum cor_view_mode mode) {
    it->view = (struct cor_world_view){.tick = tick,
                                       .mode = mode,
                                       .entities = it->entities,
                                       .values = it->values,
                                       .gone = it->gone,
                                       .lost = it->lost};
}

static inline void sample_show(struct sample_view *it, uint32_t identity, uint32_t type, uint32_t parent) {
    it->entities[it->view.entity_count++] =
        (struct cor_shown_entity){identity, type, parent, it->view.value_count, 0};
}

/* A value of the entity that was shown last. */
static inline void sample_value(struct sample_view *it, uint32_t property, struct cor_value value) {
    it->values[it->view.value_count++] = (struct cor_shown_value){property, value};
    it->entities[it->view.entity_count - 1].value_count++;
}

#endif
