/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The environment of a suite with traps as a planning problem: what the planners of experiments/engines/plan see.
 * A state is the joint state of the chains that traps speak of, an outcome an arc between two of them. Traps
 * are hit where they may be, for some reaction of the system. */
#ifndef CORRIDOR_ENVIRONMENT_PROBLEM_H
#define CORRIDOR_ENVIRONMENT_PROBLEM_H

#include <corridor/planning_problem.h>
#include <corridor/steering.h>

/* Who takes the arcs. */
enum cor_environment_choice {
    COR_ENVIRONMENT_CHOSEN, /* the tester: each is an input with that one outcome */
    COR_ENVIRONMENT_LEFT    /* nobody: there is one input, and its outcomes have their probabilities */
};

/* Such a problem. `problem` points to this struct itself, which is not to be moved or copied. */
struct cor_environment_problem {
    struct cor_planning_problem problem; /* what planners see */
    struct cor_steering *steering;       /* borrowed */
    enum cor_environment_choice choice;
};

/* Borrows the steering; the problem is used where it stands, and holds nothing. */
void cor_environment_problem_init(struct cor_environment_problem *problem, struct cor_steering *steering,
                                  enum cor_environment_choice choice);

/* The joint state of a case of a walk as a state of the problem: 4 bytes. */
void cor_environment_problem_pack(const struct cor_environment_problem *problem, const struct cor_walk *walk,
                                  uint32_t number, void *state);

#endif
