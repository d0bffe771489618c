/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Can the corridor of an experiment, where it is a text, hold at all in an arm? Asked of z3 with what the
 * arm's suites surely keep to: how many agents there are, ranges and words of their attributes, ranges of its
 * parameters. What is empty is so in every suite of the arm; what can hold does so in a structure for some
 * values within these ranges. */
#ifndef CORRIDOR_ARM_PROOFS_H
#define CORRIDOR_ARM_PROOFS_H

#include <corridor/answer.h>
#include <corridor/experiment.h>

/* The answer about an arm. */
struct cor_arm_proof {
    enum cor_answer answer;
    uint32_t agents_low, agents_high; /* of its suites */
    uint32_t same;  /* the first arm of which the same was asked: this one, or one before it */
    char *why;      /* owned; an example, what contradicts, or what nothing is claimed for, in words */
    char *conflict; /* owned; EMPTY: a line "FILE:LINE: NAME: CONDITION" of each constraint that is needed for
                       it, as the user wrote them; else "" */
    char *place;    /* owned; EMPTY: "FILE:LINE" of the first of them; else "" */
};

/* Of all arms, in their order. */
struct cor_arm_proofs {
    struct cor_arm_proof *arms; /* owned */
    uint32_t count;             /* 0: the corridor is no text */
};

/* Asks, once for all arms of which the same is asked. To be called in the planning process, after
 * cor_experiment_analyse. cor_arm_proofs_fini frees it, also on failure. */
enum cor_status cor_experiment_prove(const struct cor_experiment *experiment, struct cor_arm_proofs *proofs,
                                     struct cor_error *error) COR_MUST_USE;

/* Idempotent. */
void cor_arm_proofs_fini(struct cor_arm_proofs *proofs);

#endif
