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

/* pursuit.c: as the file calls the goal, or its kind. */
const char *system_layer__goal_name(const struct cor_goals *goals, uint32_t goal);

/* ---- what is done before a goal is given up: when all was seen and tried, and nothing that was leads to it.
 * Doors may answer late, count, want an order or two buttons at a time, or open where nobody looks: no parity
 * says so */

#define SYSTEM_LAYER__PATIENCE 600 /* cycles, where the file says nothing else */
#define SYSTEM_LAYER__WAIT 10      /* cycles that an answer is waited for */
#define SYSTEM_LAYER__AGAIN 4      /* times that each entity is acted on again, in a row */
#define SYSTEM_LAYER__COMBINED 8   /* entities of which all combinations, and all threes, are gone through */

/* Behind why a goal was given up: what follows differs with what was done before. */
#define SYSTEM_LAYER__TRIED "; tried: "

struct system_layer__persistence;

struct system_layer__persistence_definition {
    struct cor_travel *travel; /* borrowed, as all here */
    struct cor_beliefs *beliefs;
    uint32_t action;   /* with one parameter, an entity; COR_NONE: nothing is acted on */
    uint32_t among;    /* type; COR_NONE: all */
    uint32_t own_type; /* that of the test agent; COR_NONE: none */
    bool is_wanted;    /* a condition is to hold: all is looked at, and not only what stands in the way */
    struct cor_believed target; /* what is to be reached; COR_NONE: nothing */
    uint64_t patience;          /* cycles */
};

/* The definition is copied; nothing is done yet. */
enum cor_status
system_layer__persistence_create(const struct system_layer__persistence_definition *definition,
                                 struct system_layer__persistence **created,
                                 struct cor_error *error) COR_MUST_USE;
void system_layer__persistence_destroy(struct system_layer__persistence *it); /* NULL is allowed */
COR_DESTROYS(system_layer__persistence, struct system_layer__persistence)

/* The next try. STEP: the command; NO_WAY: nothing is left to try, or the patience is used up. In this order:
 * to wait, and to go everywhere again; to act on each again, several times in a row; on each behind each
 * other; on three in each order; on each, and everywhere again; in all combinations. Behind each act one goes
 * to see what is out of sight. What was seen to do something comes first. Whether it helped the caller sees:
 * by ways and conditions. */
enum cor_status system_layer__persistence_next(struct system_layer__persistence *it,
                                               enum cor_travel_answer *answer,
                                               struct cor_world_command *command,
                                               struct cor_error *error) COR_MUST_USE;

/* Grows when something was learnt by which there may be a way that needs no more tries. */
uint64_t system_layer__persistence_stamp(const struct system_layer__persistence *it);

/* "; tried: .. never seen: ..": what was done in this run, and what was not. */
void system_layer__persistence_say(const struct system_layer__persistence *it, char *text, size_t size);

/* ---- what a test agent makes of its goals: where it is, budgets, what it chose */

/* Of a goal, from when it became current. */
struct system_layer__progress {
    uint64_t budget, cost, begun, laps;
    uint32_t chosen;  /* IF: the child */
    uint32_t handler; /* INTERRUPTIBLE: the handler that is done, COR_NONE: none */
    uint32_t kept;    /* the leaf to which it goes back then */
    bool is_added;    /* an add_after of it was done */
};

/* A command that a tactic offers. */
struct system_layer__offer {
    uint32_t tactic;
    uint32_t element; /* of the tactic's query, COR_NONE */
    bool is_done;     /* the action that a goal "do" or "interact" is about */
};

/* What a tactic has under way of cor_achievement_next. */
struct system_layer__attempt {
    struct cor_achievement *achievement; /* owned */
    uint32_t turn;                       /* place in the order of types where the tactic names none */
    uint32_t element;
    struct system_layer__persistence *persistence; /* owned; NULL: it is not given up yet */
    uint64_t begun;                                /* of the goal that it is for */
    uint64_t stamp;                                /* of `persistence` when a way was looked for last */
};

enum system_layer__turn {
    SYSTEM_LAYER__IDLE,
    SYSTEM_LAYER__STEERS,
    SYSTEM_LAYER__GIVES_UP, /* `failing` says why; costs nothing */
    SYSTEM_LAYER__ACTS
};

struct cor_pursuit {
    const struct cor_goals *goals;
    struct cor_beliefs *beliefs;
    struct cor_policy *policy;
    struct cor_travel *travel;
    struct cor_pursuit_advice advice;
    uint32_t root;
    uint64_t budget, patience;
    uint32_t own_type; /* of the test agent as an entity, COR_NONE: the world does not show it */
    struct cor_expression
        *conditions; /* owned; [condition] those with slots, with nodes of their own; NULL: none has */
    uint32_t *held;  /* owned; [slot] the element it stands for, COR_NONE: none */
    struct system_layer__progress *progress; /* owned; [goal] */
    struct system_layer__attempt *attempts;  /* owned; [tactic] */
    struct system_layer__offer *offers;      /* owned */
    struct cor_world_command *commands;      /* owned; of the offers */
    size_t offer_capacity, command_capacity;
    uint32_t offer_count;
    uint32_t leaf;      /* the current goal; COR_NONE: not begun, or ended */
    uint32_t start;     /* the tactic in which actions are looked for, COR_NONE: the goal's whole */
    uint32_t committed; /* the action that goes on until its condition holds, COR_NONE: none */
    uint32_t arrived;   /* a tactic that has nothing to do any more, COR_NONE: none */
    enum system_layer__turn turn;
    struct system_layer__offer pick;
    enum cor_goal_end end;
    bool is_stalled, is_picked; /* the command was picked among offers */
    bool is_proven;             /* `failing` says that a model proves it */
    bool persists;              /* it would have been given up, but for its patience; `failing` says why */
    bool is_impossible;         /* it has failed, and that was proven */
    enum cor_system_trouble trouble; /* of the policy, a program */
    const char *guard;               /* "" = none */
    char failing[1200];
    char why[1200];
    struct {
        uint64_t cycle; /* in which it was asked */
        uint32_t type, element;
        enum cor_travel_answer answer;
        struct cor_world_command command;
    } way, exploration; /* answers are asked for once a cycle */
    void (*note_goal)(void *context, const struct cor_goal_report *report);
    void *goal_context;
    void (*note_verdict)(void *context, const struct cor_goal_verdict *verdict);
    void *verdict_context;
};

/* Whether beliefs noted, when the command was chosen, that it was tried on this argument: an entity. */
bool system_layer__tries(const struct cor_pursuit *pursuit, const struct cor_world_command *command,
                         uint32_t parameter);

#endif
