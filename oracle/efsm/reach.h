/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the back ends give to reach.c. */
#ifndef CORRIDOR_ORACLE_EFSM_REACH_H
#define CORRIDOR_ORACLE_EFSM_REACH_H

#include "layers.h"

#include <corridor/efsm_reach.h>

/* Distances of all states. State number: location * state_count + number of its values, the last variable
 * fastest. */
struct efsm__explicit {
    uint32_t *distance; /* owned; COR_EFSM_FAR = none */
    uint64_t state_count;
    uint32_t variables[COR_EFSM_VARIABLES_MAX]; /* of the state */
    uint32_t variable_count;
};

/* Constraints of all rings. */
struct efsm__symbolic {
    struct efsm__space space;
    struct efsm__layers *layers; /* owned; [location] */
    struct efsm__cubes *reached; /* owned; [location] all rings together, tidy */
};

struct cor_efsm_reach {
    struct cor_efsm_reach_definition definition;
    struct cor_efsm_reach_summary summary;
    struct efsm__explicit explicit;
    struct efsm__symbolic symbolic;
};

enum cor_status efsm__symbolic_run(struct cor_efsm_reach *reach, struct cor_error *error) COR_MUST_USE;
void efsm__symbolic_fini(struct cor_efsm_reach *reach);

/* Instead of a run: nothing is in a ring yet; and the end, when cubes of all rings were put. */
enum cor_status efsm__symbolic_begin(struct cor_efsm_reach *reach, struct cor_error *error) COR_MUST_USE;
void efsm__symbolic_restored(struct cor_efsm_reach *reach, enum cor_efsm_end end, uint32_t rings);
enum cor_status efsm__reach_begin(const struct cor_efsm_reach_definition *definition,
                                  struct cor_efsm_reach **reach, struct cor_error *error) COR_MUST_USE;

/* The constraint of a ring of a location, ring 0: of all; and the guarding constraint of a transition. Worked
 * out when asked for. */
enum cor_status efsm__symbolic_ring(const struct cor_efsm_reach *reach, uint32_t location, uint32_t ring,
                                    struct efsm__cubes *cubes, struct cor_error *error) COR_MUST_USE;
enum cor_status efsm__symbolic_guard(const struct cor_efsm_reach *reach, uint32_t transition, uint32_t ring,
                                     struct efsm__cubes *cubes, struct cor_error *error) COR_MUST_USE;

/* Whether a definition's depth ends before ring `next`. */
static inline bool efsm__is_too_deep(const struct cor_efsm_reach_definition *definition, uint32_t next) {
    return definition->depth != 0 && next > definition->depth;
}

#endif
