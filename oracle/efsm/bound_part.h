/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bound by one state equation, with what was found for states of late. */
#ifndef CORRIDOR_ORACLE_EFSM_BOUND_PART_H
#define CORRIDOR_ORACLE_EFSM_BOUND_PART_H

#include "state_equation.h"

#define EFSM__SOLUTIONS 4096 /* that are kept, by hash */

/* What was found for a state: a value for each variable of the problem. */
struct efsm__solution {
    int64_t *values; /* owned; NULL: none */
    int64_t *key;    /* the state, behind the values */
};

struct efsm__bound_part {
    struct efsm__state_equation equation;
    struct cor_solver *solver; /* owned; NULL: the equation is not usable */
    int64_t *low, *high;       /* owned; ranges of a question */
    int64_t *values;           /* owned; of a solution under way */
    int64_t *key;              /* owned */
    size_t key_count, trap_words;
    uint32_t *queue; /* owned; [location] */
    struct efsm__solution solutions[EFSM__SOLUTIONS];
};

enum cor_status efsm__bound_part_create(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                        struct efsm__bound_part **part, struct cor_error *error) COR_MUST_USE;
void efsm__bound_part_destroy(struct efsm__bound_part *part);

/* As cor_efsm_bound_moves and cor_efsm_bound_follow. */
enum cor_status efsm__bound_part_moves(struct efsm__bound_part *part, uint32_t location,
                                       const int64_t *values, const uint64_t *covered, uint32_t *moves,
                                       struct cor_error *error) COR_MUST_USE;
bool efsm__bound_part_follow(struct efsm__bound_part *part, uint32_t location, const int64_t *values,
                             const uint64_t *covered, uint32_t transition, const int64_t *inputs,
                             const int64_t *next, const uint64_t *next_covered);

/* Whether what was found for the state is kept: the bound was no more than this equation says. */
bool efsm__bound_part_knows(struct efsm__bound_part *part, uint32_t location, const int64_t *values,
                            const uint64_t *covered);

#endif
