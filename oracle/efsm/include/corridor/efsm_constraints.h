/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Off-line constraints (paper 004, figure 1: what the on-line phase is given): the rings of all traps of a
 * goal, found, or read from a file that was written when they were found. */
#ifndef CORRIDOR_EFSM_CONSTRAINTS_H
#define CORRIDOR_EFSM_CONSTRAINTS_H

#include <corridor/efsm_reach.h>

/* Rings as constraints (COR_EFSM_SYMBOLIC), down to a depth, or until the initial state is in one. */
struct cor_efsm_constraints {
    const struct cor_efsm *model;     /* borrowed, as is the goal, until cor_efsm_constraints_fini */
    const struct cor_efsm_goal *goal; /* its traps */
    struct cor_efsm_reach **reach;    /* owned; [trap] */
    uint32_t depth;                   /* rings at most; 0 = no limit */
};

/* Finds them. What it holds after an error is freed by cor_efsm_constraints_fini, too. */
enum cor_status cor_efsm_constraints_find(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                          uint32_t depth, struct cor_efsm_constraints *constraints,
                                          struct cor_error *error) COR_MUST_USE;

/* A file of them, format efsm-constraints/1 (docs/look-up/efsm.md), freed with free(). COR_STATUS_INPUT: it
 * would be larger than a file that is read may be. */
enum cor_status cor_efsm_constraints_text(const struct cor_efsm_constraints *constraints, char **text,
                                          struct cor_error *error) COR_MUST_USE;

/* Reads such a file; decisions by these constraints are those by the ones that were written.
 * COR_STATUS_INPUT: it is none, it is damaged, or of another model or goal. */
enum cor_status cor_efsm_constraints_read(const char *path, const struct cor_efsm *model,
                                          const struct cor_efsm_goal *goal,
                                          struct cor_efsm_constraints *constraints,
                                          struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_efsm_constraints_fini(struct cor_efsm_constraints *constraints);

#endif
