/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walks of the environment alone to a condition over its states, in closed form: the likeliest and the
 * shortest, and the probability that a sequence meets it. Each environment is one chain; chains are
 * independent, so those that no part of the condition joins are looked at apart, case by case, and meet at
 * the best case. */
#ifndef CORRIDOR_CONDITION_WALK_H
#define CORRIDOR_CONDITION_WALK_H

#include <corridor/case_condition.h>
#include <corridor/weight.h>

/* Which condition is to be met, and by what a sequence is drawn; all borrowed for the call. */
struct cor_condition_question {
    const struct cor_case_condition *condition; /* which reads no reaction */
    const struct cor_profile *const *profiles;  /* [environment] */
    struct cor_facts *facts;                    /* has the parameters; states are overwritten */
    uint32_t case_count;                        /* of the sequence, from 1 */
};

/* A walk whose last case meets the condition. */
struct cor_condition_walk {
    uint32_t case_count;           /* 0: there is none */
    struct cor_weight probability; /* that a sequence begins so, other environments aside */
    uint8_t *states;               /* owned; [case 0 .. case_count][environment]; others: 255 */
};

/* Filled by cor_condition_answer, freed by cor_condition_answer_fini. */
struct cor_condition_answer {
    struct cor_condition_walk likeliest, shortest; /* of equals the shorter; of the shortest the likeliest */
    bool is_counted;    /* the environments spoken of are few enough for what follows */
    double *first;      /* owned; [case - 1] probability that it is the first to meet the condition */
    double probability; /* that one of the cases does */
    double expected;    /* the first such case, given that there is one; NaN: there is none */
};

/* COR_STATUS_INPUT: the environments that parts of the condition join have too many transitions together, or
 * so many states that so many cases cannot be remembered. */
enum cor_status cor_condition_answer(const struct cor_condition_question *question,
                                     struct cor_condition_answer *answer,
                                     struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_condition_answer_fini(struct cor_condition_answer *answer);

#endif
