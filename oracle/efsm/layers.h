/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The states of a location by the moves that they need at most, as cubes that only grow. */
#ifndef CORRIDOR_ORACLE_EFSM_LAYERS_H
#define CORRIDOR_ORACLE_EFSM_LAYERS_H

#include "cube.h"

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

#endif
