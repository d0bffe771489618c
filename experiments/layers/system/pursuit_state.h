/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a test agent makes of its goals: where it is, budgets, what it chose. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_PURSUIT_STATE_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_PURSUIT_STATE_H

#include "goal_nodes.h"
#include "persistence.h"

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
