/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walks that are steered to traps, case by case, by what the system did. Each environment that a trap speaks
 * of is its first chain in the suite; the other chains follow their profiles. Nothing impossible is chosen.
 *
 * With a profile share of 0 the next state is chosen: on the best walk to the nearest open trap, but not by
 * an arc that was taken in vain after the same reaction before. That gives tests, and no estimate. Otherwise
 * a share e of the sequences follows the profiles, and the others a law s that makes the trap likely and
 * depends on the past alone; a walk of probability p under the profiles has the weight p / (e p + (1 - e) s).
 */
#ifndef CORRIDOR_STEERING_H
#define CORRIDOR_STEERING_H

#include <corridor/case_condition.h>
#include <corridor/case_traps.h>
#include <corridor/walk.h>
#include <corridor/weight.h>

/* All borrowed as long as the steering lives, but for `parameters`. */
struct cor_steering_definition {
    const struct cor_case_traps *traps;
    const struct cor_profile *const *profiles; /* [chain] */
    const uint32_t *environments;              /* [chain] in the traps' vocabulary */
    uint32_t chain_count;
    const double *parameters; /* [parameter of the vocabulary] */
    uint32_t parameter_count;
    uint32_t case_max; /* of a sequence */
};

/* COR_STATUS_INPUT: the environments that traps speak of have too many transitions together, or there are too
 * many traps for so many states. */
enum cor_status cor_steering_create(const struct cor_steering_definition *definition,
                                    struct cor_steering **steering, struct cor_error *error) COR_MUST_USE;

/* NULL is allowed. */
void cor_steering_destroy(struct cor_steering *steering);
COR_DESTROYS(cor_steering, struct cor_steering)

/* The source of walks whose definition has a steering. With a recorded walk it judges, and chooses nothing.
 */
extern const struct cor_source cor_source_traps;

/* What became of a trap in a walk of that source that has ended. */
struct cor_trap_report {
    uint32_t covered; /* in this case; 0: in none */
    uint32_t moves;   /* cases that it takes at least from the initial state, for some reaction of the system;
                         COR_NONE: it cannot be met in this suite */
    double probability; /* that a walk by the profiles from the same initial law meets it, in as many cases;
                           NaN: it speaks of reactions, waits for traps outside an ordered list, or no weights
                           are wanted */
};

/* Of trap `trap`, in a sequence of so many cases. */
struct cor_trap_report cor_steering_report(const struct cor_walk *walk, uint32_t trap, uint32_t case_count);

/* The weight of a walk of that source that has ended, false: it has none. */
bool cor_steering_weight(const struct cor_walk *walk, struct cor_weight *weight, bool *by_profile);

/* ---- chains taken together: a state of each, and the arcs of positive probability between these. Chains are
 * independent, so probabilities multiply */

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

/* The state of one chain in a joint state, and back. */
uint8_t cor_joint_part(const struct cor_joint *joint, uint32_t state, uint32_t chain);
uint32_t cor_joint_state(const struct cor_joint *joint, const uint8_t *states);

/* Marks the arcs on which the conjuncts of the condition that read these chains alone may hold, for some
 * reaction; those that read other environments are not looked at. `hit`: [arc]. `facts` has the parameters;
 * its states are overwritten. */
void cor_joint_hits(const struct cor_joint *joint, const struct cor_case_condition *condition,
                    struct cor_facts *facts, uint8_t *hit);

#endif
