/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A world for tests of goals: counters x and y and flags f and g of the entity w, three items that can be
 * pressed; and a test agent that pursues a goal in it. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_TESTS_GOAL_WORLD_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_TESTS_GOAL_WORLD_H

#include <corridor/array.h>
#include <corridor/goals.h>
#include <corridor/policies.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GOAL_STATE, GOAL_ITEM, GOAL_TYPES };
enum { GOAL_X, GOAL_Y, GOAL_F, GOAL_G, GOAL_COLOUR, GOAL_STATE_PROPERTIES };
enum { GOAL_ON, GOAL_WEIGHT };
enum {
    GOAL_N = COR_ACTION_FIRST,
    GOAL_O,
    GOAL_B,
    GOAL_C,
    GOAL_D,
    GOAL_M,
    GOAL_H,
    GOAL_PRESS,
    GOAL_PAINT,
    GOAL_SET,
    GOAL_ACTIONS
};
#define GOAL_ITEMS 3

static const struct cor_domain goal_truth = {.type = COR_VALUE_TYPE_BOOLEAN, .name = "bool"};
static const struct cor_domain goal_integer = {.type = COR_VALUE_TYPE_INTEGER, .name = "int"};
static const struct cor_domain goal_text = {.type = COR_VALUE_TYPE_STRING, .name = "string"};

struct goal_world {
    struct cor_words words;
    struct cor_world_property state[GOAL_STATE_PROPERTIES], item[2];
    struct cor_entity_type types[GOAL_TYPES];
    struct cor_action actions[GOAL_ACTIONS];
    struct cor_action_parameter press, paint[2], set[2];
    uint32_t colours[2];
    struct cor_domain colour;
    struct cor_declared_entity entities[1 + GOAL_ITEMS];
    struct cor_world_declaration declaration;
    /* what it is in */
    int64_t x, y;
    bool f, g, on[GOAL_ITEMS];
    uint32_t painted;
    uint64_t tick;
    bool hides_items;
    struct cor_shown_entity shown[1 + GOAL_ITEMS];
    struct cor_shown_value values[GOAL_STATE_PROPERTIES + 2 * GOAL_ITEMS];
    struct cor_world_view view;
};

static inline enum cor_status goal_world_init(struct goal_world *world, struct cor_error *error) {
    static const char *const names[] = {"wait", "look", "n", "o",     "b",     "c",
                                        "d",    "m",    "h", "press", "paint", "set"};
    static const char *const identities[] = {"w", "i1", "i2", "i3"};
    *world = (struct goal_world){.state = {{"x", &goal_integer, COR_NONE},
                                           {"y", &goal_integer, COR_NONE},
                                           {"f", &goal_truth, COR_NONE},
                                           {"g", &goal_truth, COR_NONE},
                                           {"colour", &goal_text, COR_NONE}},
                                 .item = {{"on", &goal_truth, COR_NONE}, {"weight", &goal_integer, COR_NONE}},
                                 .types = {{"state", world->state, GOAL_STATE_PROPERTIES, COR_NONE},
                                           {"item", world->item, 2, COR_NONE}},
                                 .press = {"on", NULL},
                                 .paint = {{"colour", &world->colour}, {"text", &goal_text}},
                                 .set = {{"to", &goal_integer}, {"flag", &goal_truth}},
                                 .colour = {COR_VALUE_TYPE_ENUMERATION, "colour", world->colours, 2},
                                 .declaration = {.name = "fake",
                                                 .version = "1",
                                                 .types = world->types,
                                                 .actions = world->actions,
                                                 .entities = world->entities,
                                                 .type_count = GOAL_TYPES,
                                                 .action_count = GOAL_ACTIONS,
                                                 .entity_count = 1 + GOAL_ITEMS,
                                                 .words = &world->words,
                                                 .step = COR_NONE}};
    for (uint32_t a = 0; a < GOAL_ACTIONS; a++)
        world->actions[a].name = names[a];
    world->actions[GOAL_PRESS].parameters = &world->press;
    world->actions[GOAL_PRESS].parameter_count = 1;
    world->actions[GOAL_PAINT].parameters = world->paint;
    world->actions[GOAL_PAINT].parameter_count = 2;
    world->actions[GOAL_SET].parameters = world->set;
    world->actions[GOAL_SET].parameter_count = 2;
    for (uint32_t e = 0; e < 1 + GOAL_ITEMS; e++) {
        world->entities[e].type = e == 0 ? GOAL_STATE : GOAL_ITEM;
        COR_TRY(cor_words_intern(&world->words, identities[e], &world->entities[e].identity, error));
    }
    COR_TRY(cor_words_intern(&world->words, "red", &world->colours[0], error));
    COR_TRY(cor_words_intern(&world->words, "green", &world->colours[1], error));
    world->painted = world->colours[0];
    return COR_OK;
}

static inline const struct cor_world_view *goal_world_view(struct goal_world *world) {
    const struct cor_value state[] = {cor_integer(world->x), cor_integer(world->y), cor_integer(world->f),
                                      cor_integer(world->g), cor_word(world->painted)};
    uint32_t count = 0;
    world->shown[0] = (struct cor_shown_entity){world->entities[0].identity, GOAL_STATE, COR_NONE, 0,
                                                GOAL_STATE_PROPERTIES};
    for (; count < GOAL_STATE_PROPERTIES; count++)
        world->values[count] = (struct cor_shown_value){count, state[count]};
    for (uint32_t i = 0; i < GOAL_ITEMS; i++) {
        world->shown[1 + i] =
            (struct cor_shown_entity){world->entities[1 + i].identity, GOAL_ITEM, COR_NONE, count, 2};
        world->values[count++] = (struct cor_shown_value){GOAL_ON, cor_integer(world->on[i])};
        world->values[count++] = (struct cor_shown_value){GOAL_WEIGHT, cor_integer(10 - i)};
    }
    world->view = (struct cor_world_view){.tick = world->tick,
                                          .mode = COR_VIEW_WHOLE,
                                          .entities = world->shown,
                                          .values = world->values,
                                          .entity_count = world->hides_items ? 1 : 1 + GOAL_ITEMS,
                                          .value_count = count};
    return &world->view;
}

/* x counts up to 7 and begins again, y to 4, so that conditions come and go. */
static inline void goal_world_act(struct goal_world *world, const struct cor_world_command *command) {
    world->tick += command->action != COR_ACTION_LOOK;
    switch (command->action) {
    case GOAL_O:
        world->f = true;
        break;
    case GOAL_B:
        world->x = (world->x + 1) % 8;
        break;
    case GOAL_C:
        world->y = (world->y + 1) % 5;
        break;
    case GOAL_D:
        world->f = false;
        break;
    case GOAL_M:
        world->x = (world->x + 1) % 8, world->g = world->x == 3;
        break;
    case GOAL_H:
        world->g = false;
        break;
    case GOAL_PRESS:
        for (uint32_t i = 0; i < GOAL_ITEMS; i++)
            if (command->arguments[0].as.word == world->entities[1 + i].identity)
                world->on[i] = !world->on[i];
        break;
    case GOAL_PAINT:
        world->painted = command->arguments[1].as.word;
        break;
    case GOAL_SET:
        world->x = command->arguments[0].as.integer;
        world->f = command->arguments[1].as.integer;
        break;
    default:
        break;
    }
}

/* A test agent with its goal. */
struct goal_run {
    struct goal_world world;
    struct cor_json_document *document;
    struct cor_world_vocabulary *vocabulary;
    struct cor_goals *goals;
    struct cor_beliefs *beliefs;
    struct cor_pursuit *pursuit;
    struct cor_rng rng;
    uint32_t root;
};

static inline void goal_run_fini(struct goal_run *run) {
    cor_pursuit_destroy(run->pursuit);
    cor_beliefs_destroy(run->beliefs);
    cor_goals_destroy(run->goals);
    cor_world_vocabulary_destroy(run->vocabulary);
    cor_json_destroy(run->document);
    cor_words_fini(&run->world.words);
}

/* Reads {"goals": {..}, "goal": ..}, a value of a document. */
static inline enum cor_status goal_run_read(struct goal_run *run, const struct cor_json *test,
                                            struct cor_error *error) {
    struct cor_json definitions, goal;
    const bool has = cor_json_find(test, "goals", &definitions);
    COR_TRY(goal_world_init(&run->world, error));
    COR_TRY(cor_world_vocabulary_create(&run->world.declaration, &run->vocabulary, error));
    COR_TRY(cor_goals_create(&run->world.declaration, run->vocabulary, has ? &definitions : NULL, &run->goals,
                             error));
    COR_TRY(cor_goals_check(run->goals, error));
    COR_TRY(cor_json_need(test, "goal", &goal, error));
    return cor_goals_read(run->goals, "w", &goal, &run->root, error);
}

static inline enum cor_status goal_run_begin(struct goal_run *run, uint64_t budget, struct cor_policy *policy,
                                             struct cor_error *error) {
    COR_TRY(cor_beliefs_create(run->vocabulary, &run->beliefs, error));
    const struct cor_pursuit_definition definition = {.goals = run->goals,
                                                      .root = run->root,
                                                      .budget = budget,
                                                      .beliefs = run->beliefs,
                                                      .policy = policy,
                                                      .test_agent = "w"};
    COR_TRY(cor_pursuit_create(&definition, &run->pursuit, error));
    run->rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
    return cor_beliefs_merge(run->beliefs, goal_world_view(&run->world), error);
}

static inline enum cor_status goal_run_cycle(struct goal_run *run, enum cor_pursuit_choice *choice,
                                             struct cor_world_command *command, struct cor_error *error) {
    COR_TRY(cor_pursuit_choose(run->pursuit, &run->rng, choice, command, error));
    if (*choice == COR_PURSUIT_ENDED)
        return COR_OK;
    goal_world_act(&run->world, command);
    COR_TRY(cor_beliefs_merge(run->beliefs, goal_world_view(&run->world), error));
    return cor_pursuit_propose(run->pursuit, error);
}

#endif
