/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The world `rooms`: a level in the format of Lab Recruits (paper 001, section on agent-based testing): rooms
 * of cells, buttons that toggle doors, hazards, floors.
 *
 * A level is lines of text: first links, BUTTON,DOOR[,DOOR ..]; then floors, each begun by a line that starts
 * with "|". A cell is "w" (wall), "f" (floor), or "f:THING^ID": b a button, d>e, d>s, d>w, d>n a door and
 * where it looks, a the start of a test agent, g a goal ("key"), h a hazard, s a stair to the cell of the
 * same place on the next floor. Empty is a wall.
 *
 * All doors are shut in the beginning. One action a tick: "move" to a neighbour cell or over a stair (a wall
 * or a shut door: nothing happens), or "press" a button in whose cell the test agent stands, which toggles
 * all doors it is linked to. A door that is shut on somebody lets it leave. A test agent that stands in the
 * cell of a hazard after its action loses 1 of its `hp` of 10; at 0 it can do nothing any more. Sight: cells
 * within `view` columns and rows, to which no wall and no shut door blocks the straight line (Bresenham's,
 * from the test agent); what blocks is seen, and so is the other end of a stair by whoever stands in it.
 * Cells are shown when they are new, as free where there is no wall, whatever doors do; stairs with the first
 * of their cells. */
#ifndef CORRIDOR_ROOMS_H
#define CORRIDOR_ROOMS_H

#include <corridor/live_world.h>

#define COR_ROOMS_LAG_MAX 10000u

struct cor_rooms_level; /* as it was read, and nothing of it changes */

/* Reads a level, a text that ends with its first zero byte: whoever read it from a file looks whether that is
 * the file's end. COR_STATUS_INPUT with line and column: a ragged row, a cell that is none, an identity used
 * twice, a link to a door or from a button that is not there, no test agent, no floor. A button without a
 * door and a door without a button are said in `notes`, a line each, freed by the caller (NULL is allowed).
 */
enum cor_status cor_rooms_level_parse(const char *text, const char *path, struct cor_rooms_level **level,
                                      char **notes, struct cor_error *error) COR_MUST_USE;
void cor_rooms_level_destroy(struct cor_rooms_level *level); /* NULL is allowed */

/* The level with one change of its logic, in this order: "link b1-d1 removed", "link b1-d1 added", "link
 * b1-d1 to d2", "door d1 shut" (for ever; of a door with one link that is the link removed), "wall 3,4 added"
 * where it parts what was connected, "wall 3,4 removed" where it joins what was apart (a hole), "wall 3,4
 * moved to 3,5", "hazard 3,4 moved to 5,6" to a cell beside it. A place is column and row, and the floor
 * where there are several. Of cells those few are taken that change what can be reached: one of a corridor,
 * one between two rooms. COR_STATUS_INPUT: no such mutant, with a did-you-mean. */
enum cor_status cor_rooms_level_mutate(const struct cor_rooms_level *level, const char *mutant,
                                       struct cor_rooms_level **changed,
                                       struct cor_error *error) COR_MUST_USE;
uint32_t cor_rooms_level_mutant_count(const struct cor_rooms_level *level);
void cor_rooms_level_mutant_name(const struct cor_rooms_level *level, uint32_t mutant, char *name,
                                 size_t size);

/* What a level may do without: things that stand in cells - buttons, doors, hazards, items, starts, stairs,
 * in the order of their cells -, and then its walls, in the order of theirs. */
uint32_t cor_rooms_level_part_count(const struct cor_rooms_level *level);

/* Starts of test agents in it. */
uint32_t cor_rooms_level_start_count(const struct cor_rooms_level *level);

/* What a part is called: "button b1", "wall 3,4"; with the floor where there are several. */
void cor_rooms_level_part_name(const struct cor_rooms_level *level, uint32_t part, char *name, size_t size);

/* The level with floor in place of the parts of `parts` that are marked in gone[], and without links of
 * things that are gone. `parts` is the level itself, or one of its size that it was changed from or into:
 * things are known by their identities, walls by their cells. COR_STATUS_INPUT: no test agent is left, or one
 * half of a stair. */
enum cor_status cor_rooms_level_without(const struct cor_rooms_level *level,
                                        const struct cor_rooms_level *parts, const bool *gone,
                                        struct cor_rooms_level **changed,
                                        struct cor_error *error) COR_MUST_USE;

/* The level as text, which is read to the same again; freed with free(). NULL when memory is out. */
char *cor_rooms_level_text(const struct cor_rooms_level *level);

/* The level as a model of oracle/efsm: JSON text of efsm-json/1, for planners and comparisons; freed with
 * free(). Locations are where the first test agent was last: "start", "at_ID" of buttons, items and doors;
 * variables "ID_open" of doors; inputs "press_b1", "reach_key", "enter_d1", each a walk that passes no other
 * door and then that; outputs what was done, and "shown_d1" of each door beside which one then is. Goals
 * "press_b1", "reach_key", "enter_d1" and "open_d1" where anything leads there at all. Hazards and hp are
 * left out. Levels with the same identities have the same labels, locations and variables in the same order,
 * so that cor_efsm_compare tells them apart by their logic alone. COR_STATUS_INPUT: more than 63 doors, or
 * more than 10,000 labels or transitions. */
enum cor_status cor_rooms_level_model(const struct cor_rooms_level *level, char **text,
                                      struct cor_error *error) COR_MUST_USE;

struct cor_rooms_definition {
    const struct cor_rooms_level *level; /* borrowed until the world is closed */
    uint32_t view;                  /* radius of sight in cells; UINT32_MAX: everything, also through walls */
    uint32_t lag;                   /* ticks by which a view is late; at most COR_ROOMS_LAG_MAX */
    const char *const *test_agents; /* their names: starts of the level by name, else in the level's order */
    uint32_t test_agent_count;      /* 0: one for each start, called as it is */
};

/* Entities are of the types button {x, y, floor, on}, door {.., open}, hazard, item (the cells "g") and
 * player
 * {.., hp}, the test agents, called by their names; actions are move(to: a direction) and press(on: a
 * button). All are declared. COR_STATUS_INPUT: more test agents than starts, or called as another entity; a
 * lag beyond its limit. */
enum cor_status cor_rooms_create(const struct cor_rooms_definition *definition, struct cor_live_world **world,
                                 struct cor_error *error) COR_MUST_USE;

#endif
