/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The map in the head of a test agent, and the library goals' way of using it: cells and paths that views
 * showed, doors and other obstacles as they are believed; where to go next to reach an entity, to see what
 * was not seen, or to change what stands in the way. Uses sim/navigation for the ways. */
#ifndef CORRIDOR_TRAVEL_H
#define CORRIDOR_TRAVEL_H

#include <corridor/beliefs.h>

/* The map of one test agent. A world with a grid has cells, one with paths has nodes: entities that paths
 * lead to or from. In a world with neither, what is there is reached.
 *
 * What stands in the way of a grid: an entity of a type that has a place and a property of truth called
 * "open" blocks its cell while that is false, and if it is unknown. A type called "hazard" with a place does
 * harm to who enters: a way without is looked for first, however long; only where there is none, the shortest
 * way through (two searches, no weights).
 *
 * A test agent is where its entity is, or what that is in is; so is what it goes to. What is not seen by who
 * stands in the cell where it was seen last is nowhere that is known, until it is seen again. A step that did
 * not change the place is waited for, since the view may lag: as many cycles as the latest step took and 3
 * more, the first one on a grid 100. Then the belief counts as wrong, and another way is looked for, until
 * what is shown of the cell changes, or no other way is left. */
struct cor_travel;

/* A test agent's, of that name; declaration and beliefs are borrowed as long as it lives. COR_STATUS_MEMORY:
 * room for the whole grid is made here. */
enum cor_status cor_travel_create(const struct cor_world_declaration *declaration,
                                  struct cor_beliefs *beliefs, const char *test_agent,
                                  struct cor_travel **travel, struct cor_error *error) COR_MUST_USE;
void cor_travel_destroy(struct cor_travel *travel); /* NULL is allowed */
COR_DESTROYS(cor_travel, struct cor_travel)
void cor_travel_clear(struct cor_travel *travel);   /* nothing is known */

/* The test agent executes this command, whoever chose it: to be said before the view after it is merged. What
 * actions did, and whether steps led on, is learnt by it. */
enum cor_status cor_travel_note_command(struct cor_travel *travel, const struct cor_world_command *command,
                                        struct cor_error *error) COR_MUST_USE;

/* Takes over cells, stairs and paths of the view, after it was merged into (or adopted by) the beliefs.
 * COR_STATUS_INPUT: a cell beyond the grid or a path of an unknown action, the world is at fault. */
enum cor_status cor_travel_merge(struct cor_travel *travel, const struct cor_world_view *view,
                                 struct cor_error *error) COR_MUST_USE;

/* What the next step is. */
enum cor_travel_answer {
    COR_TRAVEL_STEP,        /* the command leads on; "wait": an earlier step is not seen yet */
    COR_TRAVEL_THERE,       /* it is reached, or seen */
    COR_TRAVEL_NO_WAY,      /* by what is believed there is none */
    COR_TRAVEL_NOTHING_LEFT /* explore: all that can be reached was seen: a fact */
};

/* Towards the cell, or node of the graph, of an entity. `through`: as if all that blocks were open. */
enum cor_status cor_travel_to(struct cor_travel *travel, struct cor_believed entity, bool through,
                              enum cor_travel_answer *answer, struct cor_world_command *command,
                              struct cor_error *error) COR_MUST_USE;

/* Towards the nearest place from which something new can be seen. NO_WAY: it does not know where it is. */
enum cor_status cor_travel_explore(struct cor_travel *travel, enum cor_travel_answer *answer,
                                   struct cor_world_command *command, struct cor_error *error) COR_MUST_USE;

/* Whether the test agent stood where the entity was seen last, did not see it, and has not seen it since. */
bool cor_travel_is_missing(const struct cor_travel *travel, struct cor_believed entity);

/* The length of the way to an entity in steps; UINT32_MAX: no way is known, or memory is out. */
uint32_t cor_travel_distance(struct cor_travel *travel, struct cor_believed entity);

/* "achieve P by ACTION among TYPE": which entity to act on next so that P may come to hold.
 *
 * What an action on an entity does is learnt as the set of properties of truth that it flips (of any entity,
 * doors of a button), each time the same: from what was seen before and after, also long after, when several
 * were acted on in between - then only that an odd or even number of them flip it. What contradicts that
 * (somebody else acted) is forgotten and learnt anew. By what is learnt the shortest sequence of actions that
 * makes P hold is searched for, the ways that doors open and shut on it included. Where there is none, the
 * nearest of these is done, also behind a sequence that is known: an entity that nobody acted on is acted on;
 * what would not be known after a sequence is looked at after it, so that effects are told apart; what is not
 * known of the map is explored.
 *
 * THERE: P holds, or `target` is reached. NO_WAY: all was seen and tried, and by what the actions were seen
 * to do no sequence leads to it: no proof, as doors may answer late, count or want an order. A property that
 * was another than foretold too often counts as it was seen last. The memory of what actions did is the
 * travel's, and outlives this. */
struct cor_achievement;

/* What is to be achieved, and how. */
struct cor_achievement_definition {
    struct cor_travel *travel; /* borrowed, as all here */
    struct cor_beliefs *beliefs;
    const struct cor_expression *wanted; /* NULL: that `target` can be reached, and is */
    struct cor_believed target;
    uint32_t action; /* with one parameter, an entity; COR_NONE: nothing is acted on */
    uint32_t among;  /* type */
};

/* Nothing is done yet; the definition is copied. */
enum cor_status cor_achievement_create(const struct cor_achievement_definition *definition,
                                       struct cor_achievement **achievement,
                                       struct cor_error *error) COR_MUST_USE;
void cor_achievement_destroy(struct cor_achievement *achievement); /* NULL is allowed */
COR_DESTROYS(cor_achievement, struct cor_achievement)

#define COR_ACHIEVEMENT_MOST 256
#define COR_ACHIEVEMENT_STATES (1u << 20)

/* NO_WAY also where more than COR_ACHIEVEMENT_MOST entities were acted on, or more than
 * COR_ACHIEVEMENT_STATES combinations of what they flip were looked at, and nothing else is left to do. */
enum cor_status cor_achievement_next(struct cor_achievement *achievement, enum cor_travel_answer *answer,
                                     struct cor_world_command *command, struct cor_error *error) COR_MUST_USE;

/* Where things changed that nobody acted on, a way that seems open, or something new to see, may be so only
 * while one stands where one is. *insists: one stands where one went to act on an entity for the first time,
 * or there was such a change often, and one goes there: that comes first then, and the command is for it. */
enum cor_status cor_achievement_insist(struct cor_achievement *achievement, bool *insists,
                                       struct cor_world_command *command,
                                       struct cor_error *error) COR_MUST_USE;

#endif
