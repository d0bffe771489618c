/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A level of the world `rooms` within this room: cells by their numbers (floor * rows + row) * columns +
 * column, as in sim/navigation, and things that stand in them. */
#ifndef CORRIDOR_SIM_WORLD_ROOMS_LEVEL_H
#define CORRIDOR_SIM_WORLD_ROOMS_LEVEL_H

#include <corridor/rooms.h>

#define WORLD__COLUMNS_MAX 4096u
#define WORLD__ROWS_MAX 4096u
#define WORLD__FLOORS_MAX 16u
#define WORLD__CELLS_MAX (1u << 24)
#define WORLD__LINKED_MAX 1024u /* buttons, and doors */
#define WORLD__IDENTITY_MAX 63u /* characters */

enum world__thing_kind {
    WORLD__BUTTON,
    WORLD__DOOR,
    WORLD__HAZARD,
    WORLD__ITEM,
    WORLD__START,
    WORLD__STAIR,
    WORLD__THING_KINDS
};

/* What stands in a cell; one thing at most. */
struct world__thing {
    uint32_t cell;
    uint32_t number; /* among those of its kind, in the order of their cells */
    uint8_t kind;
    char facing; /* of a door */
};

/* The button toggles the door; both by their numbers. */
struct world__toggle {
    uint32_t button, door;
};

enum world__mutation { WORLD__WALL_ADDED, WORLD__WALL_REMOVED, WORLD__WALL_MOVED, WORLD__HAZARD_MOVED };

/* A change of the cells; those of toggles are counted, not kept. */
struct world__mutant {
    enum world__mutation mutation;
    uint32_t cell, to; /* `to`: of what is moved */
};

struct cor_rooms_level {
    uint32_t columns, rows, floors, cell_count;
    uint8_t *is_floor;           /* owned; [cell] */
    uint32_t *thing_at;          /* owned; [cell]; COR_NONE: nothing */
    struct cor_words identities; /* owned; that of a thing is the word of its index */
    struct world__thing *things; /* owned; in the order of their cells */
    uint32_t thing_count;
    size_t thing_capacity;
    uint32_t *things_of[WORLD__THING_KINDS]; /* owned; [number] */
    uint32_t count_of[WORLD__THING_KINDS];
    struct world__toggle *toggles; /* owned; by button, then by door, each once */
    uint32_t toggle_count;
    uint32_t *toggle_start;        /* owned; those of button b are toggles[start[b] .. start[b + 1]) */
    uint32_t stuck_count;          /* doors that a button toggles: each can be shut for ever */
    struct world__mutant *mutants; /* owned */
    uint32_t mutant_count;
    size_t mutant_capacity;
};

/* The thing's identity. */
static inline const char *world__identity(const struct cor_rooms_level *level, uint32_t thing) {
    return cor_words_text(&level->identities, thing);
}

/* Does a thing of that kind stand in the cell? */
static inline bool world__stands(const struct cor_rooms_level *level, uint32_t cell,
                                 enum world__thing_kind kind) {
    const uint32_t thing = level->thing_at[cell];
    return thing != COR_NONE && level->things[thing].kind == kind;
}

static inline void world__place(const struct cor_rooms_level *level, uint32_t cell, uint32_t place[3]) {
    const uint32_t line = cell / level->columns;
    place[0] = cell - line * level->columns;
    place[1] = line % level->rows;
    place[2] = line / level->rows;
}

enum world__direction {
    WORLD__NORTH,
    WORLD__WEST,
    WORLD__EAST,
    WORLD__SOUTH,
    WORLD__UP,
    WORLD__DOWN,
    WORLD__DIRECTIONS
};

/* The cell that a step leads to, if that is no wall; COR_NONE. */
uint32_t world__step(const struct cor_rooms_level *level, uint32_t cell, enum world__direction direction);

/* Regions: cells of floor that are connected without doors, numbered by their first cells. Begins as {0}. */
struct world__regions {
    uint32_t *region; /* owned; [cell]; COR_NONE: a wall or a door */
    uint32_t *stack;  /* owned; [cell_count] */
    uint32_t count;
};

#endif
