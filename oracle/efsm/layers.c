/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A set is kept small by hulls: two cubes become one where that holds nothing new. Which pairs are tried
 * decides about time and size, never about the set. */
#include "layers.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

#define WIDEN_FROM 64       /* cubes of a location: fewer stay as they are found, which reads better */
#define DIFFERENCES_MAX 10  /* that are worked out to see whether a hull holds more */
#define FAILED_MAX 1        /* hulls of pairs that differ in the same way, before such pairs are left alone */
#define FAILED_SLOTS 65536U /* pairs share a slot where hashes meet: a few hulls are missed then */

/* Is there a state in the cube that is not known? A point of it is looked for among what is known, the cube
 * that has it is taken away, and what is left is followed in depth. Where that takes too long, or z3 does not
 * know: yes. */
static bool has_more(struct efsm__space *space, const struct efsm__cube *cube,
                     const struct efsm__layers *layers, uint64_t *budget) {
    int64_t values[COR_EFSM_VARIABLES_MAX];
    const enum cor_answer answer = efsm__cube_point(space, cube, values);
    uint32_t known = layers->cubes.count;
    if (answer == COR_ANSWER_EMPTY)
        return false;
    while (answer == COR_ANSWER_SATISFIABLE && known-- > 0)
        if (layers->spare_from[known] == EFSM__NEVER &&
            efsm__cube_has(space, &layers->cubes.cubes[known], values))
            break;
    if (known >= layers->cubes.count || (*budget)-- == 0)
        return true;
    struct efsm__cubes rest = {0};
    struct efsm__cube copy;
    bool more = false;
    if (efsm__cube_copy(space, cube, &copy))
        efsm__cubes_add_take(space, &rest, &copy);
    efsm__cubes_subtract(space, &rest, &layers->cubes.cubes[known]);
    for (uint32_t r = 0; r < rest.count && !more; r++)
        more = has_more(space, &rest.cubes[r], layers, budget);
    efsm__cubes_fini(&rest);
    return more;
}

static bool is_known(const struct efsm__space *space, const struct efsm__layers *layers,
                     const struct efsm__cube *cube) {
    for (uint32_t c = layers->cubes.count; c-- > 0;)
        if (layers->spare_from[c] == EFSM__NEVER && efsm__cube_contains(space, &layers->cubes.cubes[c], cube))
            return true;
    return false;
}

static uint64_t forms_of(const struct efsm__space *space, const struct efsm__cube *cube) {
    uint64_t forms = 0;
    for (uint32_t a = 0; a < cube->atom_count; a++)
        forms |= UINT64_C(1) << (cor_hash_bytes(COR_HASH_SEED, cube->atoms + a * ((size_t)space->count + 1),
                                                space->count * sizeof *cube->atoms) >>
                                 58);
    return forms;
}

/* Appends the cube. Whether another one is spare now. */
static bool append_take(struct efsm__space *space, struct efsm__layers *layers, uint32_t ring, bool is_hull,
                        struct efsm__cube *cube) {
    const uint32_t last = layers->cubes.count;
    const size_t count = (size_t)last + 1;
    bool spared = false;
    enum cor_status status = COR_RESERVE(&layers->born, &layers->born_capacity, count, space->error);
    if (status == COR_OK)
        status = COR_RESERVE(&layers->spare_from, &layers->spare_capacity, count, space->error);
    if (status == COR_OK)
        status = COR_RESERVE(&layers->is_hull, &layers->hull_capacity, count, space->error);
    if (status == COR_OK)
        status = COR_RESERVE(&layers->forms, &layers->form_capacity, count, space->error);
    if (status != COR_OK) {
        space->status = space->status == COR_OK ? status : space->status;
        efsm__cube_fini(cube);
        return false;
    }
    for (uint32_t c = 0; c < last; c++)
        if (layers->spare_from[c] == EFSM__NEVER &&
            efsm__cube_contains(space, cube, &layers->cubes.cubes[c])) {
            layers->spare_from[c] = ring;
            layers->wanted--;
            spared = true;
        }
    layers->born[last] = ring;
    layers->spare_from[last] = EFSM__NEVER;
    layers->is_hull[last] = is_hull;
    layers->forms[last] = forms_of(space, cube);
    layers->wanted++;
    efsm__cubes_add_take(space, &layers->cubes, cube);
    return spared;
}

/* Adds the hull of the last cube with another one, if that holds no more than is known; it has faces through
 * both, or bounds of either alone. */
static bool add_hull(struct efsm__space *space, struct efsm__layers *layers, uint32_t ring, uint32_t with,
                     bool with_faces) {
    const struct efsm__cube *cubes = layers->cubes.cubes;
    const bool was_beyond = space->beyond;
    uint64_t budget = DIFFERENCES_MAX;
    struct efsm__cube hull;
    if (!efsm__cube_hull(space, &cubes[layers->cubes.count - 1], &cubes[with], with_faces, &hull)) {
        space->beyond = was_beyond;
        return false;
    }
    const bool is_of_use = !is_known(space, layers, &hull) && !has_more(space, &hull, layers, &budget) &&
                           space->beyond == was_beyond;
    space->beyond = was_beyond; /* of a hull alone: nothing is lost without it */
    if (is_of_use)
        append_take(space, layers, ring, true, &hull);
    else
        efsm__cube_fini(&hull);
    return is_of_use;
}

/* Adds a hull of the last cube with one that it differs from in few bounds, if there is one. */
static bool widen_last(struct efsm__space *space, struct efsm__layers *layers, uint32_t ring) {
    const uint32_t last = layers->cubes.count - 1;
    for (uint32_t c = last; c-- > 0;) {
        const uint64_t common = layers->forms[c] & layers->forms[last];
        if (layers->spare_from[c] != EFSM__NEVER ||
            (common != layers->forms[c] && common != layers->forms[last]))
            continue;
        const uint64_t difference =
            efsm__cubes_difference(space, &layers->cubes.cubes[last], &layers->cubes.cubes[c]);
        uint8_t *failed = &layers->failed[difference >> 16 & (FAILED_SLOTS - 1)];
        if (difference == 0 || *failed >= FAILED_MAX)
            continue;
        if (add_hull(space, layers, ring, c, false)) {
            *failed = 0;
            return true;
        }
        ++*failed;
    }
    return false;
}

bool efsm__layers_add_take(struct efsm__space *space, struct efsm__layers *layers, uint32_t ring,
                           struct efsm__cube *cube) {
    uint64_t budget = UINT64_MAX;
    if (!layers->failed)
        layers->failed = cor_calloc(FAILED_SLOTS, sizeof *layers->failed);
    if (!layers->failed)
        space->status = space->status == COR_OK ? cor_fail_memory(space->error) : space->status;
    if (!layers->failed || is_known(space, layers, cube) || !has_more(space, cube, layers, &budget)) {
        efsm__cube_fini(cube);
        return false;
    }
    /* One that takes the place of another is like that one to the rest, whose hulls with it were tried. */
    if (!append_take(space, layers, ring, false, cube) && layers->wanted >= WIDEN_FROM)
        while (space->status == COR_OK && widen_last(space, layers, ring))
            ;
    return space->status == COR_OK;
}

void efsm__layers_continue(struct efsm__space *space, struct efsm__layers *layers, uint32_t ring,
                           uint32_t with) {
    if (layers->wanted >= WIDEN_FROM)
        add_hull(space, layers, ring, with, true);
}

void efsm__layers_fini(struct efsm__layers *layers) {
    efsm__cubes_fini(&layers->cubes);
    free(layers->born);
    free(layers->spare_from);
    free(layers->is_hull);
    free(layers->forms);
    free(layers->failed);
    *layers = (struct efsm__layers){0};
}
