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
#define UNKNOWN_MAX 64      /* points that are kept, to see at once that a hull holds more */
#define FAILED_SLOTS 65536U /* pairs share a slot where hashes meet: a few hulls are missed then */

/* Which cube to take away: of those that have the point the one that cuts the cube least; COR_NONE: none has
 * it. Those of near[0 .. *count) that have no point of the cube go behind the others. */
static uint32_t find_known(const struct efsm__space *space, const struct efsm__layers *layers,
                           const struct efsm__cube *cube, const int64_t *values, uint32_t *count,
                           uint32_t *cuts) {
    uint32_t *near = layers->near, best = COR_NONE;
    for (uint32_t n = 0; n < *count;) {
        const uint32_t number = near[n];
        const struct efsm__cube *known = &layers->cubes.cubes[number];
        if (!efsm__ranges_meet(space, cube, known)) {
            near[n] = near[--*count];
            near[*count] = number;
            continue;
        }
        n++;
        if (!efsm__cube_has(space, known, values))
            continue;
        const uint32_t found = efsm__cube_cuts(space, known, cube);
        if (best == COR_NONE || found < *cuts) {
            best = number;
            *cuts = found;
            if (found == 0)
                break;
        }
    }
    return best;
}

/* Keeps a point that no cube has, the oldest one gone where there are too many. */
static void keep_unknown(const struct efsm__space *space, struct efsm__layers *layers,
                         const int64_t *values) {
    const size_t size = space->count * sizeof *values;
    if (layers->unknown_count == UNKNOWN_MAX)
        memmove(layers->unknown, layers->unknown + space->count, --layers->unknown_count * size);
    memcpy(layers->unknown + layers->unknown_count++ * (size_t)space->count, values, size);
}

static bool is_point_known(const struct efsm__space *space, const struct efsm__layers *layers,
                           const int64_t *values) {
    for (uint32_t w = layers->wanted_count; w-- > 0;)
        if (efsm__cube_has(space, &layers->cubes.cubes[layers->wanted[w]], values))
            return true;
    return false;
}

/* Whether the cube has one of the points that no cube has. Those that one has by now are dropped. */
static bool has_unknown(const struct efsm__space *space, struct efsm__layers *layers,
                        const struct efsm__cube *cube) {
    for (uint32_t u = layers->unknown_count; u-- > 0;) {
        int64_t *values = layers->unknown + u * (size_t)space->count;
        if (!efsm__cube_has(space, cube, values))
            continue;
        if (!is_point_known(space, layers, values))
            return true;
        memmove(values, values + space->count,
                (--layers->unknown_count - u) * (size_t)space->count * sizeof *values);
    }
    return false;
}

/* Is there a state in the cube that is not known? Known is what near[0 .. count) have. A point of the cube is
 * looked for among these, a cube that has it is taken away, and what is left is followed in depth. Where that
 * takes too long, or z3 does not know: yes. */
static bool has_more(struct efsm__space *space, const struct efsm__cube *cube, struct efsm__layers *layers,
                     uint32_t count, uint64_t *budget) {
    int64_t values[COR_EFSM_VARIABLES_MAX];
    uint32_t cuts = 0;
    const enum cor_answer answer = efsm__cube_point(space, cube, values);
    if (answer != COR_ANSWER_SATISFIABLE)
        return answer != COR_ANSWER_EMPTY;
    const uint32_t known = find_known(space, layers, cube, values, &count, &cuts);
    if (known == COR_NONE) {
        keep_unknown(space, layers, values);
        return true;
    }
    if (cuts == 0)
        return false;
    if ((*budget)-- == 0)
        return true;
    struct efsm__cubes rest = {0};
    struct efsm__cube copy;
    bool more = false;
    if (efsm__cube_copy(space, cube, &copy))
        efsm__cube_subtract_take(space, &copy, &layers->cubes.cubes[known], &rest);
    for (uint32_t r = 0; r < rest.count && !more; r++)
        more = has_more(space, &rest.cubes[r], layers, count, budget);
    efsm__cubes_fini(&rest);
    return more;
}

/* has_more among all that is wanted, the last ones first; after `budget` differences: yes. */
static bool is_more(struct efsm__space *space, struct efsm__layers *layers, const struct efsm__cube *cube,
                    uint64_t budget) {
    for (uint32_t w = 0; w < layers->wanted_count; w++)
        layers->near[w] = layers->wanted[layers->wanted_count - 1 - w];
    return has_more(space, cube, layers, layers->wanted_count, &budget);
}

static bool is_known(const struct efsm__space *space, const struct efsm__layers *layers,
                     const struct efsm__cube *cube) {
    for (uint32_t w = layers->wanted_count; w-- > 0;)
        if (efsm__cube_contains(space, &layers->cubes.cubes[layers->wanted[w]], cube))
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

/* Room for one cube more. */
static bool make_room(struct efsm__space *space, struct efsm__layers *layers) {
    const size_t count = (size_t)layers->cubes.count + 1;
    enum cor_status status = COR_RESERVE(&layers->cubes.cubes, &layers->cubes.capacity, count, space->error);
    if (status == COR_OK)
        status = COR_RESERVE(&layers->born, &layers->born_capacity, count, space->error);
    if (status == COR_OK)
        status = COR_RESERVE(&layers->spare_from, &layers->spare_capacity, count, space->error);
    if (status == COR_OK)
        status = COR_RESERVE(&layers->is_hull, &layers->hull_capacity, count, space->error);
    if (status == COR_OK)
        status = COR_RESERVE(&layers->forms, &layers->form_capacity, count, space->error);
    if (status == COR_OK)
        status = COR_RESERVE(&layers->wanted, &layers->wanted_capacity, count, space->error);
    if (status == COR_OK)
        status = COR_RESERVE(&layers->near, &layers->near_capacity, count, space->error);
    if (status != COR_OK && space->status == COR_OK)
        space->status = status;
    return status == COR_OK;
}

void efsm__layers_restore_take(struct efsm__space *space, struct efsm__layers *layers, uint32_t born,
                               uint32_t spare_from, struct efsm__cube *cube) {
    if (!make_room(space, layers)) {
        efsm__cube_fini(cube);
        return;
    }
    layers->born[layers->cubes.count] = born;
    layers->spare_from[layers->cubes.count] = spare_from;
    efsm__cubes_add_take(space, &layers->cubes, cube);
}

/* Appends the cube. Whether another one is spare now. */
static bool append_take(struct efsm__space *space, struct efsm__layers *layers, uint32_t ring, bool is_hull,
                        struct efsm__cube *cube) {
    const uint32_t last = layers->cubes.count;
    if (!make_room(space, layers)) {
        efsm__cube_fini(cube);
        return false;
    }
    uint32_t kept = 0;
    for (uint32_t w = 0; w < layers->wanted_count; w++) {
        const uint32_t c = layers->wanted[w];
        if (efsm__cube_contains(space, cube, &layers->cubes.cubes[c]))
            layers->spare_from[c] = ring;
        else
            layers->wanted[kept++] = c;
    }
    const bool spared = kept < layers->wanted_count;
    layers->wanted[kept] = last;
    layers->wanted_count = kept + 1;
    layers->born[last] = ring;
    layers->spare_from[last] = EFSM__NEVER;
    layers->is_hull[last] = is_hull;
    layers->forms[last] = forms_of(space, cube);
    efsm__cubes_add_take(space, &layers->cubes, cube);
    return spared;
}

/* Adds the hull of the last cube with another one, if that holds no more than is known; it has faces through
 * both, or bounds of either alone. */
static bool add_hull(struct efsm__space *space, struct efsm__layers *layers, uint32_t ring, uint32_t with,
                     bool with_faces) {
    const struct efsm__cube *cubes = layers->cubes.cubes;
    const bool was_beyond = space->beyond;
    struct efsm__cube hull;
    if (!efsm__cube_hull(space, &cubes[layers->cubes.count - 1], &cubes[with], with_faces, &hull)) {
        space->beyond = was_beyond;
        return false;
    }
    const bool is_of_use = !has_unknown(space, layers, &hull) && !is_known(space, layers, &hull) &&
                           !is_more(space, layers, &hull, DIFFERENCES_MAX) && space->beyond == was_beyond;
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
    for (uint32_t w = layers->wanted_count - 1; w-- > 0;) {
        const uint32_t c = layers->wanted[w];
        const uint64_t common = layers->forms[c] & layers->forms[last];
        if (common != layers->forms[c] && common != layers->forms[last])
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
    if (!layers->failed)
        layers->failed = cor_calloc(FAILED_SLOTS, sizeof *layers->failed);
    if (!layers->unknown)
        layers->unknown = cor_calloc(UNKNOWN_MAX * (size_t)space->count, sizeof *layers->unknown);
    if (!layers->failed || !layers->unknown)
        space->status = space->status == COR_OK ? cor_fail_memory(space->error) : space->status;
    if (!layers->failed || !layers->unknown || !is_more(space, layers, cube, UINT64_MAX)) {
        efsm__cube_fini(cube);
        return false;
    }
    /* One that takes the place of another is like that one to the rest, whose hulls with it were tried. */
    if (!append_take(space, layers, ring, false, cube) && layers->wanted_count >= WIDEN_FROM)
        while (space->status == COR_OK && widen_last(space, layers, ring))
            ;
    return space->status == COR_OK;
}

void efsm__layers_continue(struct efsm__space *space, struct efsm__layers *layers, uint32_t ring,
                           uint32_t with) {
    if (layers->wanted_count >= WIDEN_FROM)
        add_hull(space, layers, ring, with, true);
}

void efsm__layers_fini(struct efsm__layers *layers) {
    efsm__cubes_fini(&layers->cubes);
    free(layers->born);
    free(layers->spare_from);
    free(layers->is_hull);
    free(layers->forms);
    free(layers->wanted);
    free(layers->near);
    free(layers->unknown);
    free(layers->failed);
    *layers = (struct efsm__layers){0};
}
