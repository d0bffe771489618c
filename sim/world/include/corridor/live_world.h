/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A world that runs: the system under test of papers 001 and 002, as test agents meet it. Reset, acted on,
 * seen; each kind is a struct of functions. (struct cor_world of expression is the values that a condition
 * reads; the beliefs of a test agent are such values.) */
#ifndef CORRIDOR_LIVE_WORLD_H
#define CORRIDOR_LIVE_WORLD_H

#include <corridor/efsm_terms.h>
#include <corridor/expression.h>
#include <corridor/world.h>

/* ---- what a world declares of itself, and what it shows after an action (paper 001: a test agent senses its
 * environment in each cycle). A world shows entities: each has an identity for all time, a type, and values
 * of the properties that its type declares */

#define COR_WORLD_TYPES_MAX 64
#define COR_WORLD_PROPERTIES_MAX 64 /* of a type */
#define COR_WORLD_ACTIONS_MAX 64
#define COR_WORLD_PARAMETERS_MAX 8      /* of an action */
#define COR_WORLD_ENTITIES_MAX 1000000u /* that are shown in one view, and known at one time */

/* A property of a type. One whose values are entities has no domain but the type that they are of. Properties
 * called "x", "y" and "floor", integers, are the cell in which an entity stands. */
struct cor_world_property {
    const char *name;
    const struct cor_domain *domain; /* NULL: it refers to an entity */
    uint32_t refers;                 /* the type of that entity; COR_NONE where there is a domain */
};

struct cor_entity_type {
    const char *name;
    const struct cor_world_property *properties;
    uint32_t property_count;
    uint32_t parent; /* the type of what entities of it are in; COR_NONE: in nothing */
};

/* An action that a test agent can do. "wait" lets a tick pass and "look" lets none: both are of every world,
 * are the first two, in this order, and have no parameters. */
struct cor_action {
    const char *name;
    const struct cor_action_parameter {
        const char *name;
        const struct cor_domain *domain; /* NULL: an entity */
    } * parameters;
    uint32_t parameter_count;
};

enum { COR_ACTION_WAIT, COR_ACTION_LOOK, COR_ACTION_FIRST /* of the world's own */ };

/* An entity that is known before it is seen, so that conditions can name it. */
struct cor_declared_entity {
    uint32_t identity; /* a word */
    uint32_t type;
};

/* Does not change while the world lives; all is the world's. */
struct cor_world_declaration {
    const char *name, *version; /* "rooms", "1" */
    const struct cor_entity_type *types;
    const struct cor_action *actions;
    const struct cor_declared_entity *entities;
    uint32_t type_count, action_count, entity_count;
    struct cor_words *words;        /* of all texts and identities; grows, words stay */
    uint32_t columns, rows, floors; /* of its grid, cells are [column, row, floor] from 0; 0: it has none */
    uint32_t step;  /* the action that moves to a neighbour cell: its only parameter is one of the words
                       "east", "south", "west", "north", and where views show links, "up", "down"; COR_NONE
                       where there is no grid */
    bool has_paths; /* views say how to go from entity to entity (a graph) */
};

/* An entity as it is shown. What of it is not named in `values` is as it was when it was seen last. */
struct cor_shown_entity {
    uint32_t identity, type;
    uint32_t parent;                   /* identity of what it is in; COR_NONE: nothing */
    uint32_t value_start, value_count; /* in the view's values */
};

struct cor_shown_value {
    uint32_t property;      /* of the entity's type */
    struct cor_value value; /* of its domain; a reference: the word that is the identity; null: none */
};

/* A cell that is seen, and whether one can stand in it, doors and other entities left aside. */
struct cor_shown_cell {
    uint32_t column, row, floor;
    bool is_free;
};

/* A stair: the step "up" leads from the lower cell to the upper one, "down" back, where that is free. No cell
 * is the lower end of two, nor the upper end. Who stands in one of its cells sees the other. */
struct cor_shown_link {
    uint32_t lower[3], upper[3]; /* column, row, floor */
};

/* A way in a graph: in `from`, that action leads to `to`. */
struct cor_shown_path {
    uint32_t from, to;    /* identities */
    uint32_t action;      /* with those values of its parameters, */
    uint32_t value_start; /* in `arguments` of the view */
    double cost;          /* above 0 */
};

/* What an entity means that the view does not name. */
enum cor_view_mode {
    COR_VIEW_SIGHT,  /* it is not seen now (a game) */
    COR_VIEW_WHOLE,  /* it is gone (a page) */
    COR_VIEW_CHANGES /* it is seen, and is as before, if it was seen by the view before; else it is not seen
                      */
};

/* What a test agent is shown after its action. The world's, until the next action or reset. */
struct cor_world_view {
    uint64_t tick; /* never goes back */
    enum cor_view_mode mode;
    const struct cor_shown_entity *entities;
    const struct cor_shown_value *values;
    const uint32_t *gone; /* identities that are no more; in CHANGES also those that are lost from sight, see
                             `lost` */
    const uint32_t *lost; /* CHANGES: identities that are not seen any longer */
    const struct cor_shown_cell *cells; /* those that are new or changed, at least */
    const struct cor_shown_link *links; /* those that are new, at least */
    const struct cor_shown_path *paths;
    const struct cor_value *arguments;
    const uint32_t *covered; /* numbers of what was executed in the program, its own business */
    uint32_t entity_count, value_count, gone_count, lost_count, cell_count, link_count, path_count,
        argument_count, covered_count;
    const char *picture; /* a file; NULL: none */
};

/* An action with the values of its parameters. */
struct cor_world_command {
    uint32_t action;
    struct cor_value arguments[COR_WORLD_PARAMETERS_MAX]; /* an entity: the word that is its identity */
};

#define COR_TEST_AGENTS_MAX 16

struct cor_live_world;

/* The functions of a kind of world, constant. A status is about the testbed; what the world does wrong is
 * `trouble`, 0 if nothing is: then there is no view, and the next thing is a reset. */
struct cor_live_world_kind {
    const char *word; /* "rooms" */
    /* Back to the beginning, for so many test agents; the view of the first. After trouble it begins anew. */
    enum cor_status (*reset)(struct cor_live_world *world, struct cor_world_view *view,
                             enum cor_system_trouble *trouble, struct cor_error *error);
    /* A test agent acts, and sees what it then sees. */
    enum cor_status (*act)(struct cor_live_world *world, uint32_t test_agent,
                           const struct cor_world_command *command, struct cor_world_view *view,
                           enum cor_system_trouble *trouble, struct cor_error *error);
    void (*close)(struct cor_live_world *world); /* frees it */
    /* Says what there is, and begins nothing; NULL: that is known from the start. */
    enum cor_status (*declare)(struct cor_live_world *world, enum cor_system_trouble *trouble,
                               struct cor_error *error);
    /* The suite is over: nothing that remembers it is there at the next reset. NULL: nothing does. */
    void (*rest)(struct cor_live_world *world);
};

/* The head of every world. */
struct cor_live_world {
    const struct cor_live_world_kind *kind;
    const struct cor_world_declaration *declaration; /* NULL before a program has declared itself */
    uint32_t run;    /* that begins with the next reset: names what the world draws. Set by whoever resets */
    char words[512]; /* of the last trouble: what was said or done; "" = none */
};

/* NULL is allowed. */
void cor_live_world_close(struct cor_live_world *world);

#endif
