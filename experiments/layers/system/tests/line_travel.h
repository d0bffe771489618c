/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A map for tests of goals: cells 0 .. length - 1 in a line, of which a test agent sees those next to it;
 * Takes the place of the room's own where it is linked in front of it;
 * policies pick the last. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_TESTS_LINE_TRAVEL_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_TESTS_LINE_TRAVEL_H

#include "goal_nodes.h"

#include <corridor/array.h>
#include <corridor/policies.h>
#include <corridor/travel.h>

#include <stdlib.h>

struct cor_travel {
    struct cor_beliefs *beliefs;
    uint32_t agent_type, agent_element, step, east, west;
    uint32_t seen_to, length;
    bool is_shut;   /* the last cell is behind a door */
    uint32_t asked; /* how often for a way */
};

static inline int64_t line_place(const struct cor_travel *travel, struct cor_believed entity) {
    uint32_t cell[3];
    return cor_beliefs_place(travel->beliefs, entity.type, entity.element, cell) ? (int64_t)cell[0] : -1;
}

static inline int64_t line_self(const struct cor_travel *travel) {
    return line_place(travel, (struct cor_believed){travel->agent_type, travel->agent_element});
}

static enum cor_travel_answer line_go(const struct cor_travel *travel, int64_t to,
                                      struct cor_world_command *command) {
    const int64_t self = line_self(travel);
    if (to < 0 || (travel->is_shut && to == travel->length - 1))
        return COR_TRAVEL_NO_WAY;
    if (to == self)
        return COR_TRAVEL_THERE;
    *command = (struct cor_world_command){.action = travel->step};
    command->arguments[0] = cor_word(to > self ? travel->east : travel->west);
    return COR_TRAVEL_STEP;
}

enum cor_status cor_travel_to(struct cor_travel *travel, struct cor_believed entity, bool through,
                              enum cor_travel_answer *answer, struct cor_world_command *command,
                              struct cor_error *error) {
    (void)through;
    (void)error;
    travel->asked++;
    *answer = line_go(travel, line_place(travel, entity), command);
    return COR_OK;
}

enum cor_status cor_travel_explore(struct cor_travel *travel, enum cor_travel_answer *answer,
                                   struct cor_world_command *command, struct cor_error *error) {
    (void)error;
    const int64_t self = line_self(travel), last = (int64_t)travel->length - 1 - travel->is_shut;
    *answer = COR_TRAVEL_NOTHING_LEFT;
    if (self + 1 > (int64_t)travel->seen_to)
        travel->seen_to = (uint32_t)(self + 1);
    if ((int64_t)travel->seen_to < last)
        *answer = line_go(travel, travel->seen_to, command);
    return COR_OK;
}

uint32_t cor_travel_distance(struct cor_travel *travel, struct cor_believed entity) {
    const int64_t place = line_place(travel, entity), self = line_self(travel);
    return place < 0 ? UINT32_MAX : (uint32_t)(place > self ? place - self : self - place);
}

bool cor_travel_is_missing(const struct cor_travel *travel, struct cor_believed entity) {
    (void)travel;
    (void)entity;
    return false;
}

/* Tries each entity of the type once. */
struct cor_achievement {
    struct cor_achievement_definition definition;
    uint32_t tried;
};

enum cor_status cor_achievement_create(const struct cor_achievement_definition *definition,
                                       struct cor_achievement **achievement, struct cor_error *error) {
    *achievement = cor_calloc(1, sizeof **achievement);
    COR_TRY(cor_made(*achievement, error));
    (*achievement)->definition = *definition;
    return COR_OK;
}

void cor_achievement_destroy(struct cor_achievement *achievement) {
    free(achievement);
}

enum cor_status cor_achievement_insist(struct cor_achievement *achievement, bool *insists,
                                       struct cor_world_command *command, struct cor_error *error) {
    (void)achievement;
    (void)command;
    (void)error;
    *insists = false;
    return COR_OK;
}

enum cor_status cor_achievement_next(struct cor_achievement *achievement, enum cor_travel_answer *answer,
                                     struct cor_world_command *command, struct cor_error *error) {
    const struct cor_achievement_definition *it = &achievement->definition;
    for (; achievement->tried < cor_beliefs_count(it->beliefs, it->among); achievement->tried++) {
        const struct cor_believed entity = {it->among, achievement->tried};
        if (!cor_beliefs_is_there(it->beliefs, entity.type, entity.element))
            continue;
        COR_TRY(cor_travel_to(it->travel, entity, false, answer, command, error));
        if (*answer == COR_TRAVEL_THERE) {
            *command = (struct cor_world_command){.action = it->action};
            command->arguments[0] = cor_word(cor_beliefs_identity(it->beliefs, entity.type, entity.element));
            *answer = COR_TRAVEL_STEP;
            achievement->tried++;
        }
        if (*answer == COR_TRAVEL_STEP)
            return COR_OK;
    }
    *answer = COR_TRAVEL_NO_WAY;
    return COR_OK;
}

/* No goal of these tests is patient. */
enum cor_status
system_layer__persistence_create(const struct system_layer__persistence_definition *definition,
                                 struct system_layer__persistence **created, struct cor_error *error) {
    (void)definition;
    (void)error;
    *created = NULL;
    return COR_OK;
}

void system_layer__persistence_destroy(struct system_layer__persistence *it) {
    (void)it;
}

uint64_t system_layer__persistence_stamp(const struct system_layer__persistence *it) {
    (void)it;
    return 0;
}

enum cor_status system_layer__persistence_next(struct system_layer__persistence *it,
                                               enum cor_travel_answer *answer,
                                               struct cor_world_command *command, struct cor_error *error) {
    (void)it;
    (void)command;
    (void)error;
    *answer = COR_TRAVEL_NO_WAY;
    return COR_OK;
}

void system_layer__persistence_say(const struct system_layer__persistence *it, char *text, size_t size) {
    (void)it;
    (void)size;
    text[0] = '\0';
}

enum cor_status cor_policy_pick(struct cor_policy *policy, const struct cor_beliefs *beliefs,
                                const struct cor_world_command *commands, uint32_t count, struct cor_rng *rng,
                                uint32_t *picked, enum cor_system_trouble *trouble, struct cor_error *error) {
    (void)trouble;
    (void)policy;
    (void)beliefs;
    (void)commands;
    (void)rng;
    (void)error;
    *picked = count - 1;
    return COR_OK;
}

#endif
