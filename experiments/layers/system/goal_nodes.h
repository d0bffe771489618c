/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Goals and tactics as they are kept once they are read: nodes in arrays, children as lists of siblings, so
 * that going on from any node takes constant time, however many siblings it has. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_GOAL_NODES_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_GOAL_NODES_H

#include <corridor/goals.h>

#define SYSTEM_LAYER__PARAMETERS_MAX 16 /* of a named goal */

enum system_layer__goal_kind {
    SYSTEM_LAYER__SOLVE, /* leaves: a tactic until it is solved, */
    SYSTEM_LAYER__SUCCESS,
    SYSTEM_LAYER__FAIL,
    SYSTEM_LAYER__CHECK,
    SYSTEM_LAYER__ASSERT,
    SYSTEM_LAYER__CHOOSE, /* the first child of IF: says which of the others */
    SYSTEM_LAYER__SEQ,    /* nodes with children */
    SYSTEM_LAYER__FIRST_OF,
    SYSTEM_LAYER__REPEAT,
    SYSTEM_LAYER__IF,
    SYSTEM_LAYER__INTERRUPTIBLE /* the first child is the goal, the others are handlers */
};

/* What solves a SOLVE. */
enum system_layer__solved {
    SYSTEM_LAYER__WHEN,     /* the condition */
    SYSTEM_LAYER__NEAR,     /* the distance is at most epsilon */
    SYSTEM_LAYER__REACHED,  /* the target */
    SYSTEM_LAYER__SEEN,     /* the target */
    SYSTEM_LAYER__EXPLORED, /* nothing is left */
    SYSTEM_LAYER__DONE      /* the action was done */
};

/* Indices are COR_NONE where there is none. */
struct system_layer__goal {
    uint8_t kind, solved;
    bool is_denied; /* CHOOSE: the second child if the condition is false */
    uint32_t depth; /* of the root 0 */
    uint32_t parent, first, last, next;
    uint32_t adder;     /* the goal whose tactic adds it: it is there only when an add_after was done */
    uint32_t name;      /* among the goals' names */
    uint32_t condition; /* expression: of WHEN, NEAR, CHECK, ASSERT, CHOOSE */
    uint32_t fail_when, oracle; /* expressions */
    uint32_t interrupts;        /* expression: of a handler, when it is done */
    uint32_t guarded;           /* the nearest node with fail_when, itself included */
    uint32_t interruptible;     /* the nearest INTERRUPTIBLE above it */
    uint32_t tactic;
    uint32_t target;                 /* reference */
    uint32_t bind_start, bind_count; /* what is selected when it becomes current; CHOOSE: when it chooses */
    uint64_t cap, tries;             /* 0 tries: any number */
    double epsilon;
};

enum system_layer__tactic_kind {
    SYSTEM_LAYER__ACT,
    SYSTEM_LAYER__ABORT,
    SYSTEM_LAYER__ADD_AFTER,
    SYSTEM_LAYER__REACH,
    SYSTEM_LAYER__INTERACT,
    SYSTEM_LAYER__EXPLORE,
    SYSTEM_LAYER__ACHIEVE,
    SYSTEM_LAYER__PLAN,
    SYSTEM_LAYER__ALTERNATIVES, /* first_of */
    SYSTEM_LAYER__ANY_OF,
    SYSTEM_LAYER__IN_TURN /* seq */
};

struct system_layer__tactic {
    uint8_t kind;
    bool is_final; /* of a library goal: where it is not enabled, the goal has failed */
    uint32_t parent, first, last, next;
    uint32_t name;               /* in guards: as the file has it */
    uint32_t when, until, after; /* expressions */
    uint32_t wanted;             /* expression: of ACHIEVE and PLAN */
    uint32_t place;              /* of PLAN: where the file says it, a name as `name` */
    uint32_t target;             /* reference */
    uint32_t action;             /* ACT, INTERACT */
    uint32_t by;                 /* ACHIEVE; REACH, INTERACT: the action that opens ways, COR_NONE: none */
    uint32_t argument_start;     /* of the parameters of the action */
    uint32_t query;              /* an argument that can be several entities; or one chosen anew each cycle */
    uint32_t among;              /* type; COR_NONE: all, one after the other */
    uint32_t added;              /* ADD_AFTER: goal */
};

/* What stands for an entity that is chosen while a test runs: conditions are parsed with an entity that no
 * world shows, and get the index of the one chosen. */
struct system_layer__slot {
    uint32_t type, element; /* the entity that no world shows */
    uint32_t level;
};

/* nearest(b in button where ..), any(b in button where ..) */
struct system_layer__query {
    uint32_t slot, filter; /* expression, COR_NONE: all */
    bool is_any;
    uint32_t text; /* among the names */
};

/* A bind of a node: the slot gets what the reference is. */
struct system_layer__bind {
    uint32_t slot, query;
};

/* An entity: of that type and element, or what the slot holds. */
struct system_layer__reference {
    uint32_t type, element, slot;
};

struct system_layer__argument {
    struct cor_value value; /* where neither of the others is given */
    uint32_t reference;
    uint32_t expression;
    const struct cor_domain *domain;
};

struct system_layer__condition {
    struct cor_expression expression; /* owned */
    uint32_t use_start, use_count;
    uint32_t key; /* its text, and what names in it mean, among the goals' keys */
};

/* A node of an expression that is the entity of a slot. */
struct system_layer__slot_use {
    uint32_t node, slot;
};

/* A named goal. */
struct system_layer__definition {
    char *name;       /* owned; "pressed" */
    char *parameters; /* owned; texts one behind the other, each ended by a zero byte */
    uint32_t parameter_count;
    uint32_t member; /* of the object "goals" */
    bool is_open;    /* it is being read */
};

struct cor_goals {
    const struct cor_world_declaration *declaration;
    struct cor_world_vocabulary *vocabulary;
    struct cor_json *way; /* owned; the object "goals" and what it is in */
    struct system_layer__definition *definitions;
    uint32_t definition_count;
    struct cor_words names;
    struct cor_words keys;   /* of conditions: equal ones are kept once */
    uint32_t *key_condition; /* owned; [key] */
    size_t key_capacity;
    struct system_layer__goal *goals;
    struct system_layer__tactic *tactics;
    struct system_layer__condition *conditions;
    struct system_layer__slot_use *uses;
    struct system_layer__slot *slots;
    struct system_layer__query *queries;
    struct system_layer__bind *binds;
    struct system_layer__reference *references;
    struct system_layer__argument *arguments;
    uint32_t goal_count, tactic_count, condition_count, use_count, slot_count, query_count, bind_count,
        reference_count, argument_count;
    size_t goal_capacity, tactic_capacity, condition_capacity, use_capacity, slot_capacity, query_capacity,
        bind_capacity, reference_capacity, argument_capacity;
    bool has_map; /* the world has cells or paths */
};

/* A name in the text that is read, and what it stands for. */
struct system_layer__meaning {
    const char *name;   /* borrowed */
    const char *entity; /* borrowed; the identity; NULL: */
    const char *text;   /* borrowed; a number or a word as conditions write it */
    uint32_t slot;      /* of the entity, COR_NONE: it is one of the world's */
    bool is_hidden;     /* a parameter of a named goal within which another one is read */
};

#define SYSTEM_LAYER__MEANINGS_MAX 256

/* Who reads: what names mean where it stands. */
struct system_layer__reader {
    struct cor_goals *goals;
    struct cor_error *error;
    struct system_layer__meaning meanings[SYSTEM_LAYER__MEANINGS_MAX];
    uint32_t meaning_count;
    uint32_t level, level_high; /* slots in use on the way here, and the most there were */
    uint32_t target;            /* reference: of the goal or tactic that encloses what is read */
    uint32_t query;             /* what is selected for it each cycle anew */
};

const struct system_layer__meaning *system_layer__meaning(const struct system_layer__reader *reader,
                                                          const char *name);

/* pursuit.c: as the file calls the goal, or its kind. */
const char *system_layer__goal_name(const struct cor_goals *goals, uint32_t goal);

#endif
