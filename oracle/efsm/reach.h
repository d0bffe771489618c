/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the back ends give to reach.c. */
#ifndef COR_EFSM_REACH_INTERNAL_H
#define COR_EFSM_REACH_INTERNAL_H

#include "cube.h"

#include <corridor/efsm_reach.h>

/* Distances of all states. State number: location * state_count + number of its values, the last variable
 * fastest. */
struct cor__explicit {
    uint32_t *distance; /* owned; COR_EFSM_FAR = none */
    uint64_t state_count;
    uint32_t variables[COR_EFSM_VARIABLES_MAX]; /* of the state */
    uint32_t variable_count;
};

/* Constraints of all rings, ring k at [(k - 1) * locations (or transitions) + index]. */
struct cor__symbolic {
    struct cor__space space;
    struct cor__cubes *rings;   /* owned */
    struct cor__cubes *guards;  /* owned */
    struct cor__cubes *reached; /* owned; [location] all rings so far */
    uint32_t ring_count;
    uint64_t cubes;
};

struct cor_efsm_reach {
    struct cor_efsm_reach_definition definition;
    struct cor_efsm_reach_summary summary;
    struct cor__explicit explicit;
    struct cor__symbolic symbolic;
};

enum cor_status cor__explicit_run(struct cor_efsm_reach *reach, struct cor_error *error) COR_MUST_USE;
void cor__explicit_fini(struct cor__explicit *explicit);
uint64_t cor__explicit_number(const struct cor_efsm_reach *reach, uint32_t location, const int64_t *values);

enum cor_status cor__symbolic_run(struct cor_efsm_reach *reach, struct cor_error *error) COR_MUST_USE;
void cor__symbolic_fini(struct cor_efsm_reach *reach);

/* Whether a definition's depth ends before ring `next`. */
static inline bool cor__is_too_deep(const struct cor_efsm_reach_definition *definition, uint32_t next) {
    return definition->depth != 0 && next > definition->depth;
}

#endif
