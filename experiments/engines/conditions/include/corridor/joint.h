/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains taken together: a state of each, and the arcs of positive probability between these. Chains are
 * independent, so probabilities multiply. */
#ifndef CORRIDOR_JOINT_H
#define CORRIDOR_JOINT_H

#include <corridor/case_condition.h>

/* The chains together, as one with numbered states and arcs; made by cor_joint_create, freed by
 * cor_joint_destroy. `start` is the probability to begin in a state. */
struct cor_joint {
    uint32_t chain_count;
    const struct cor_profile **profiles; /* owned array; [chain], borrowed */
    uint32_t *environments;              /* owned; [chain] that conditions call it by */
    uint32_t state_count;                /* of all chains together; the first chain's state counts fastest */
    uint32_t *first;                     /* owned; [state_count + 1]: arcs of state x are first[x] .. */
    uint32_t *next;                      /* owned; [arc] state */
    double *probability;                 /* owned; [arc] > 0 */
    double *start;                       /* owned; [state] */
};

#define COR_JOINT_ARCS_MAX 1000000

/* COR_STATUS_INPUT: they have more than COR_JOINT_ARCS_MAX arcs together. */
enum cor_status cor_joint_create(uint32_t chain_count, const uint32_t *environments,
                                 const struct cor_profile *const *profiles, struct cor_joint **joint,
                                 struct cor_error *error) COR_MUST_USE;

/* NULL is allowed. */
void cor_joint_destroy(struct cor_joint *joint);

/* Whether so many chains would be few enough. */
bool cor_joint_is_small(uint32_t chain_count, const struct cor_profile *const *profiles);

/* The state of one chain in a joint state, and back. */
uint8_t cor_joint_part(const struct cor_joint *joint, uint32_t state, uint32_t chain);
uint32_t cor_joint_state(const struct cor_joint *joint, const uint8_t *states);

/* Marks the arcs on which the conjuncts of the condition that read these chains alone may hold, for some
 * reaction; those that read other environments are not looked at. `hit`: [arc]. `facts` has the parameters;
 * its states are overwritten. */
void cor_joint_hits(const struct cor_joint *joint, const struct cor_case_condition *condition,
                    struct cor_facts *facts, uint8_t *hit);

#endif
