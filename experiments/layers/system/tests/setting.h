/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A test agent in a level of the world `rooms`, for tests. Include behind cmocka.h. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_TESTS_SETTING_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_TESTS_SETTING_H

#include "require.h"

#include <corridor/efsm_terms.h>
#include <corridor/rooms.h>
#include <corridor/travel.h>

#include <string.h>

/* A level with a test agent in it. */
struct setting {
    struct cor_rooms_level *level;
    struct cor_live_world *world;
    struct cor_world_vocabulary *vocabulary;
    struct cor_beliefs *beliefs;
    struct cor_travel *travel;
    uint32_t press, button;
};

static inline void merge(struct setting *it, const struct cor_world_view *view) {
    REQUIRE(cor_beliefs_merge(it->beliefs, view, &said));
    REQUIRE(cor_travel_merge(it->travel, view, &said));
}

static inline void begin(struct setting *it, const char *text, uint32_t view, uint32_t lag) {
    static const char *const names[] = {"t1"};
    struct cor_world_view shown;
    enum cor_system_trouble trouble = (enum cor_system_trouble)0;
    REQUIRE(cor_rooms_level_parse(text, "level", &it->level, NULL, &said));
    const struct cor_rooms_definition definition = {it->level, view, lag, names, 1};
    REQUIRE(cor_rooms_create(&definition, &it->world, &said));
    REQUIRE(cor_world_vocabulary_create(it->world->declaration, &it->vocabulary, &said));
    REQUIRE(cor_beliefs_create(it->vocabulary, &it->beliefs, &said));
    REQUIRE(cor_travel_create(it->world->declaration, it->beliefs, "t1", &it->travel, &said));
    const struct cor_world_declaration *declaration = it->world->declaration;
    for (uint32_t a = 0; a < declaration->action_count; a++)
        it->press = strcmp(declaration->actions[a].name, "press") == 0 ? a : it->press;
    for (uint32_t t = 0; t < declaration->type_count; t++)
        it->button = strcmp(declaration->types[t].name, "button") == 0 ? t : it->button;
    REQUIRE(it->world->kind->reset(it->world, &shown, &trouble, &said));
    merge(it, &shown);
}

static inline void end(struct setting *it) {
    cor_travel_destroy(it->travel);
    cor_beliefs_destroy(it->beliefs);
    cor_world_vocabulary_destroy(it->vocabulary);
    cor_live_world_close(it->world);
    cor_rooms_level_destroy(it->level);
}

static inline void act(struct setting *it, const struct cor_world_command *command) {
    struct cor_world_view shown;
    enum cor_system_trouble trouble = (enum cor_system_trouble)0;
    REQUIRE(cor_travel_note_command(it->travel, command, &said));
    REQUIRE(it->world->kind->act(it->world, 0, command, &shown, &trouble, &said));
    merge(it, &shown);
}

static inline struct cor_believed entity_called(const struct setting *it, const char *name) {
    struct cor_believed found;
    assert_true(cor_beliefs_find(it->beliefs, cor_words_find(it->world->declaration->words, name), &found));
    return found;
}

#endif
