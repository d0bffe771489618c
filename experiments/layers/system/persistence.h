/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is done before a goal is given up: when all was seen and tried, and nothing that was leads to it.
 * Doors may answer late, count, want an order or two buttons at a time, or open where nobody looks: no parity
 * says so. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_PERSISTENCE_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SYSTEM_PERSISTENCE_H

#include <corridor/travel.h>

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

#endif
