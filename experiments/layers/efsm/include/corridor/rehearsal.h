/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A planner played against its model, move by move, without a system under test: among rivals the one that
 * the planner counts on is taken, else one that is drawn. */
#ifndef CORRIDOR_REHEARSAL_H
#define CORRIDOR_REHEARSAL_H

#include <corridor/planner.h>

/* A move as it was made; all borrowed until the next. */
struct cor_rehearsed_move {
    uint32_t input;                     /* label */
    const int64_t *values;              /* [variable] the state before, and the input's parameters */
    const uint32_t *enabled;            /* transitions that the input enables, the one taken among them */
    uint32_t enabled_count, transition; /* COR_NONE: a reset, which has no input */
    const int64_t *next;                /* [variable] the state behind, at the transition's target */
    const uint64_t *gained;             /* set of traps that it covers */
};

/* Which planner is played, and for how long; borrowed while cor_rehearse runs. */
struct cor_rehearsal_definition {
    const struct cor_planner_kind *kind;
    struct cor_planner_definition planner; /* with its problem, model, goal and efsm; borrowed */
    uint32_t moves;                        /* at most; a reset is one */
    uint32_t resets; /* at most: such as the planner plans, where its problem allows any; else where it does
                        not know how to go on */
    uint64_t seed;   /* of what is drawn among rivals */
    double (*now)(void); /* seconds, of a clock; NULL: decisions are not timed. Nothing else depends on it */

    /* Told of each choice, then of the move that came of it; either may be NULL. */
    void *context;
    void (*see_choice)(void *context, const struct cor_plan_choice *choice);
    void (*see_move)(void *context, const struct cor_rehearsed_move *move);
};

/* A rehearsal as it was played; filled by cor_rehearse, freed by cor_rehearsal_fini. */
struct cor_rehearsal {
    uint32_t length;                   /* moves */
    uint32_t by_constraints;           /* thereof made by planner "paper" from off-line constraints */
    uint64_t questions, optimisations; /* of all choices */
    uint32_t *labels;                  /* owned; [move] transitions that were taken, COR_NONE: a reset */
    unsigned char *inputs;             /* owned; [move][input_size] */
    double *seconds;                   /* owned; [move] that the decision took; NULL: not timed */
    uint64_t *covered;                 /* owned; set of traps */
    uint64_t *discarded; /* owned; set of traps that the planner gave up, empty where it says nothing */
    uint32_t resets;     /* thereof */
    enum cor_advice end; /* INPUT: the moves ended it, or one reset more would have been too many */
    double preparing;    /* seconds that making the planner took; 0: not timed */
    size_t label_capacity, input_capacity, second_capacity;
};

/* Plays it from the initial state. */
enum cor_status cor_rehearse(const struct cor_rehearsal_definition *definition,
                             struct cor_rehearsal *rehearsal, struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_rehearsal_fini(struct cor_rehearsal *rehearsal);

#endif
