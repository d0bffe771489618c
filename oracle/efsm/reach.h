/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the back ends give to reach.c. */
#ifndef CORRIDOR_ORACLE_EFSM_REACH_H
#define CORRIDOR_ORACLE_EFSM_REACH_H

#include "cube.h"

#include <corridor/efsm_reach.h>

/* ---- the states of a location by the moves that they need at most, as cubes that only grow */

#define EFSM__NEVER UINT32_MAX

/* Cubes in the order of birth: the states that need at most k moves are those of the cubes with
 * born <= k < spare_from. */
struct efsm__layers {
    struct efsm__cubes cubes;
    uint32_t *born;       /* owned; [cube] the ring that it came with */
    uint32_t *spare_from; /* owned; [cube] the ring with which a cube came that contains it, EFSM__NEVER */
    bool *is_hull;        /* owned; [cube] it holds nothing that others before it do not hold together */
    uint64_t *forms;      /* owned; [cube] bits by the forms of its inequalities */
    uint8_t *failed;      /* owned; by a hash of what two cubes differ in: how often their hull was no use */
    uint32_t *wanted;     /* owned; the cubes with spare_from EFSM__NEVER, in the order of birth */
    uint32_t wanted_count;
    uint32_t *near;   /* owned; room for as many */
    int64_t *unknown; /* owned; [.. unknown_count][variable] the last points found that no cube has */
    uint32_t unknown_count;
    size_t born_capacity, spare_capacity, hull_capacity, form_capacity, wanted_capacity, near_capacity;
};

static inline bool efsm__is_within(const struct efsm__layers *layers, uint32_t cube, uint32_t ring) {
    return layers->born[cube] <= ring && ring < layers->spare_from[cube];
}

/* Appends a cube that was kept before with these rings; after the last one they can be read, not added to.
 * Takes the cube. */
void efsm__layers_restore_take(struct efsm__space *space, struct efsm__layers *layers, uint32_t born,
                               uint32_t spare_from, struct efsm__cube *cube);

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

/* The constraint of a ring of a location, ring 0: of all; and the guarding constraint of a transition. Worked
 * out when asked for. */
enum cor_status efsm__symbolic_ring(const struct cor_efsm_reach *reach, uint32_t location, uint32_t ring,
                                    struct efsm__cubes *cubes, struct cor_error *error) COR_MUST_USE;
enum cor_status efsm__symbolic_guard(const struct cor_efsm_reach *reach, uint32_t transition, uint32_t ring,
                                     struct efsm__cubes *cubes, struct cor_error *error) COR_MUST_USE;

/* Says that this ring is made, of so many states or cubes of the rings before. */
void efsm__say_ring(const struct cor_efsm_reach_definition *definition, uint32_t ring, uint64_t count,
                    const char *of);

/* Whether a definition's depth ends before ring `next`. */
static inline bool efsm__is_too_deep(const struct cor_efsm_reach_definition *definition, uint32_t next) {
    return definition->depth != 0 && next > definition->depth;
}

#endif
