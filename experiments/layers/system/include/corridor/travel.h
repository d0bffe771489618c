/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The map in the head of a test agent, and the library goals' way of using it: cells and paths that views
 * showed, doors and other obstacles as they are believed; where to go next to reach an entity, to see what
 * was not seen, or to change what stands in the way. Uses sim/navigation for the ways. */
#ifndef CORRIDOR_TRAVEL_H
#define CORRIDOR_TRAVEL_H

#include <corridor/beliefs.h>

struct cor_travel; /* the map of one test agent */

enum cor_status cor_travel_create(const struct cor_world_declaration *declaration,
                                  struct cor_beliefs *beliefs, const char *test_agent,
                                  struct cor_travel **travel, struct cor_error *error) COR_MUST_USE;
void cor_travel_destroy(struct cor_travel *travel); /* NULL is allowed */
void cor_travel_clear(struct cor_travel *travel);   /* nothing is known */

/* Takes over cells and paths of the view, after it was merged into the beliefs. */
enum cor_status cor_travel_merge(struct cor_travel *travel, const struct cor_world_view *view,
                                 struct cor_error *error) COR_MUST_USE;

/* What the next step is. */
enum cor_travel_answer {
    COR_TRAVEL_STEP,        /* the command leads on */
    COR_TRAVEL_THERE,       /* it is reached, or seen */
    COR_TRAVEL_NO_WAY,      /* by what is believed there is none */
    COR_TRAVEL_NOTHING_LEFT /* explore: all that can be reached was seen: a fact */
};

/* Towards the cell, or node of the graph, of an entity. `through`: as if all doors were open. */
enum cor_status cor_travel_to(struct cor_travel *travel, struct cor_believed entity, bool through,
                              enum cor_travel_answer *answer, struct cor_world_command *command,
                              struct cor_error *error) COR_MUST_USE;

/* Towards the nearest place from which something new can be seen. */
enum cor_status cor_travel_explore(struct cor_travel *travel, enum cor_travel_answer *answer,
                                   struct cor_world_command *command, struct cor_error *error) COR_MUST_USE;

/* The length of the way to an entity in steps; UINT32_MAX: no way is known. */
uint32_t cor_travel_distance(struct cor_travel *travel, struct cor_believed entity);

/* "achieve P by ACTION among TYPE": which entity to act on next so that P may come to hold: reaches and tries
 * entities nobody tried, nearest first; remembers what each did (which doors a button toggles); searches what
 * is remembered for a sequence of actions that makes P hold, ways that doors open and shut included; explores
 * where none is known. THERE: P holds. NO_WAY: all was seen and tried, and no sequence leads to it: proven
 * for what the actions were seen to do. */
struct cor_achievement;
struct cor_achievement_definition {
    struct cor_travel *travel;
    struct cor_beliefs *beliefs;
    const struct cor_expression *wanted; /* NULL: that `target` can be reached */
    struct cor_believed target;
    uint32_t action; /* with one parameter, an entity */
    uint32_t among;  /* type */
};
enum cor_status cor_achievement_create(const struct cor_achievement_definition *definition,
                                       struct cor_achievement **achievement,
                                       struct cor_error *error) COR_MUST_USE;
void cor_achievement_destroy(struct cor_achievement *achievement); /* NULL is allowed */
enum cor_status cor_achievement_next(struct cor_achievement *achievement, enum cor_travel_answer *answer,
                                     struct cor_world_command *command, struct cor_error *error) COR_MUST_USE;

#endif
