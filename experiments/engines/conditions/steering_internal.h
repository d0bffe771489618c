/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What steering.c finds out for a suite, and steering.c goes by. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_CONDITIONS_STEERING_INTERNAL_H
#define CORRIDOR_EXPERIMENTS_ENGINES_CONDITIONS_STEERING_INTERNAL_H

#include <corridor/planning_problem.h>
#include <corridor/steering.h>

/* The way from a state to a trap. */
struct conditions__way {
    uint32_t moves; /* COR_NONE: there is none */
    struct cor_weight probability;
};

struct conditions__trap_plan {
    bool is_possible;            /* all environments that it speaks of have a chain */
    uint8_t *hit;                /* owned; [arc] it may be covered there */
    struct conditions__way *way; /* owned; [state] the best */
    double *likely; /* owned; [cases left][state] probability that the profiles cover it, and in an ordered
                       list all behind it; NULL: not wanted */
};

struct cor_steering {
    const struct cor_case_traps *traps; /* borrowed */
    struct cor_joint *joint;
    uint32_t *chain;                     /* owned; [chain of the joint] of the walk */
    uint32_t *arc_from;                  /* owned; [arc] */
    uint32_t *arrivals, *arrival_first;  /* owned; arcs by the state they lead to */
    struct conditions__trap_plan *plans; /* owned; [trap] */
    uint32_t horizon;                    /* cases left that `likely` goes up to; more are taken for so many */
    struct cor_facts facts;              /* scratch; has the parameters */
    struct cor_planning_problem problem; /* for cor_cover */
};

#endif
