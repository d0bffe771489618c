/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files about policies share. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_POLICY_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_POLICY_H

#include <corridor/conversation.h>
#include <corridor/policies.h>

/* "press b1", "type 'a b' 3": puts the command behind the text. */
void system_layer__print_command(struct cor_bytes *text, const struct cor_world_declaration *declaration,
                                 const struct cor_world_command *command);

/* What is known of an action in a state. */
struct system_layer__value {
    uint64_t state;
    uint32_t action; /* a word of the table: the command as text */
    uint64_t count;  /* times it was picked, or learnt from */
    double value;
};

/* States and actions with their values. Begins as zeros. */
struct system_layer__table {
    struct cor_words actions;
    struct system_layer__value *values; /* owned; in the order in which they came */
    size_t count, capacity;
    uint32_t *slots; /* owned; hash table of 1 + index */
    size_t slot_count;
};

/* What a policy that learns is paid for its choices. Begins as zeros: 1 when the goal is solved. */
struct system_layer__reward {
    enum {
        SYSTEM_LAYER__SOLVED,    /* nothing else */
        SYSTEM_LAYER__NEW_STATE, /* and 1 for a state that is not in `known` */
        SYSTEM_LAYER__NEARER     /* and by how much nearer the condition is */
    } kind;
    struct cor_expression condition;  /* owned */
    struct system_layer__table known; /* states, of "" */
    double paid;                      /* nearness that was paid for already, */
    bool has_paid;                    /* in this run */
};

/* Numbers of learning by Q (Watkins 1989), all from 0 to 1, and what it learns from. */
struct system_layer__learning {
    double rate;        /* of what is new against what is known */
    double discount;    /* of what comes a pick later */
    double explore;     /* share of picks at random */
    char *reward;       /* owned; as the file says it; NULL: "solved" */
    char *reward_place; /* owned; where it stands */
};

#endif
