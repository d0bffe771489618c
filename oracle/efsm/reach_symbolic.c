/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A set is kept small by hulls: two cubes become one where that holds nothing new. Which pairs are tried
 * decides about time and size, never about the set. */
#include "cube.h"
#include "reach.h"

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
        /* Keeps a point that no cube has, the oldest one gone where there are too many. */
        const size_t size = space->count * sizeof *values;
        if (layers->unknown_count == UNKNOWN_MAX)
            memmove(layers->unknown, layers->unknown + space->count, --layers->unknown_count * size);
        memcpy(layers->unknown + layers->unknown_count++ * (size_t)space->count, values, size);
        return true;
    }
    if (cuts == 0)
        return false;
    if ((*budget)-- == 0)
        return true;
    COR_FINISHED(efsm__cubes) struct efsm__cubes rest = {0};
    struct efsm__cube copy;
    bool more = false;
    if (efsm__cube_copy(space, cube, &copy))
        efsm__cube_subtract_take(space, &copy, &layers->cubes.cubes[known], &rest);
    for (uint32_t r = 0; r < rest.count && !more; r++)
        more = has_more(space, &rest.cubes[r], layers, count, budget);
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
    efsm__cube_thin(space, cube);
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
    uint64_t forms = 0;
    for (uint32_t a = 0; a < cube->atom_count; a++)
        forms |= UINT64_C(1) << (cor_hash_bytes(COR_HASH_SEED, cube->atoms + a * ((size_t)space->count + 1),
                                                space->count * sizeof *cube->atoms) >>
                                 58);
    layers->forms[last] = forms;
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

/* Adds the cube if it holds more than is known, which is the result; and hulls of it with others that hold no
 * more than is known. Takes the cube. */
static bool layers_add_take(struct efsm__space *space, struct efsm__layers *layers, uint32_t ring,
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

/* The last cube leads into cube `with` by a transition that stays in the location: adds their hull, if that
 * holds no more than is known. What goes on like this for many rings is one cube then, not one for each
 * number of moves. */
static void layers_continue(struct efsm__space *space, struct efsm__layers *layers, uint32_t ring,
                            uint32_t with) {
    if (layers->wanted_count >= WIDEN_FROM)
        add_hull(space, layers, ring, with, true);
}

/* Frees what it holds. Idempotent. */
static void layers_fini(struct efsm__layers *layers) {
    efsm__cubes_fini(&layers->cubes);
    COR_FREE(layers->born, layers->spare_from, layers->is_hull, layers->forms, layers->wanted, layers->near,
             layers->unknown, layers->failed);
    *layers = (struct efsm__layers){0};
}

/* ---- moves */

void efsm__moves_fini(struct efsm__moves *moves) {
    for (uint32_t m = 0; m < moves->count; m++) {
        efsm__cube_fini(&moves->moves[m].where);
        free(moves->moves[m].next);
    }
    free(moves->moves);
    *moves = (struct efsm__moves){0};
}

/* The cubes where `value` is within the domain of v; with each its form, if `forms` is not NULL. */
static void assign(struct efsm__space *space, const struct cor_expression *value, uint32_t v,
                   const struct efsm__cube *within, struct efsm__pieces *pieces) {
    COR_FINISHED(efsm__pieces) struct efsm__pieces all = {0};
    efsm__expression_pieces(space, value, within, &all);
    for (uint32_t p = 0; p < all.count; p++) {
        efsm__cube_require_range(space, &all.pieces[p].where, &all.pieces[p].form, space->low[v],
                                 space->high[v]);
        if (!efsm__cube_settle(space, &all.pieces[p].where))
            continue;
        if (COR_RESERVE(&pieces->pieces, &pieces->capacity, pieces->count + 1, space->error) != COR_OK) {
            space->status = COR_STATUS_MEMORY;
            break;
        }
        pieces->pieces[pieces->count++] = all.pieces[p];
        all.pieces[p].where = (struct efsm__cube){0};
    }
}

/* Adds a case; takes `where`, copies `next`. */
static void moves_add_take(struct efsm__space *space, const struct cor_efsm_transition *t,
                           struct efsm__cube *where, const struct efsm__linear *next,
                           struct efsm__moves *moves) {
    struct efsm__linear *copy = cor_calloc(t->update_count, sizeof *copy);
    enum cor_status status = cor_made(copy, space->error);
    if (status == COR_OK)
        status = COR_RESERVE(&moves->moves, &moves->capacity, moves->count + 1, space->error);
    if (status != COR_OK) {
        space->status = status;
        free(copy);
        efsm__cube_fini(where);
        return;
    }
    if (t->update_count > 0)
        memcpy(copy, next, t->update_count * sizeof *copy);
    moves->moves[moves->count++] = (struct efsm__move){*where, copy};
}

/* Extends the move by the updates from `update` on, case by case; takes `where`. `next` holds the forms so
 * far. */
static void add_moves_take(struct efsm__space *space, const struct cor_efsm_transition *t, uint32_t update,
                           struct efsm__cube *where, struct efsm__linear *next, struct efsm__moves *moves) {
    if (update < t->update_count) {
        struct efsm__pieces pieces = {0};
        assign(space, &t->updates[update].value, t->updates[update].variable, where, &pieces);
        for (uint32_t p = 0; p < pieces.count; p++) {
            next[update] = pieces.pieces[p].form;
            add_moves_take(space, t, update + 1, &pieces.pieces[p].where, next, moves);
            pieces.pieces[p].where = (struct efsm__cube){0};
        }
        efsm__pieces_fini(&pieces);
        efsm__cube_fini(where);
        return;
    }
    moves_add_take(space, t, where, next, moves);
}

void efsm__moves_make(struct efsm__space *space, const struct cor_efsm_transition *t,
                      struct efsm__moves *moves) {
    struct efsm__cube whole;
    struct efsm__cubes cubes = {0};
    struct efsm__linear next[COR_EFSM_VARIABLES_MAX];
    if (!efsm__cube_init(space, &whole))
        return;
    efsm__expression_cubes(space, &t->guard, &whole, &cubes);
    efsm__cube_fini(&whole);
    /* Narrows the cubes to where each argument of each output is within its domain. */
    for (uint32_t o = 0; o < t->output_count; o++) {
        const struct cor_efsm_label *label = &space->model->outputs[t->outputs[o].label];
        for (uint32_t a = 0; a < label->parameter_count; a++) {
            struct efsm__cubes kept = {0};
            for (uint32_t c = 0; c < cubes.count; c++) {
                COR_FINISHED(efsm__pieces) struct efsm__pieces pieces = {0};
                assign(space, &t->outputs[o].arguments[a], label->parameters[a], &cubes.cubes[c], &pieces);
                for (uint32_t p = 0; p < pieces.count; p++) {
                    efsm__cubes_add_take(space, &kept, &pieces.pieces[p].where);
                    pieces.pieces[p].where = (struct efsm__cube){0};
                }
            }
            efsm__cubes_fini(&cubes);
            cubes = kept;
        }
    }
    for (uint32_t c = 0; c < cubes.count; c++) {
        add_moves_take(space, t, 0, &cubes.cubes[c], next, moves);
        cubes.cubes[c] = (struct efsm__cube){0};
    }
    efsm__cubes_fini(&cubes);
}

/* ---- bounds of the states that the start leads to, location by location: what each transition makes of the
 * bounds of its source, over and over, until none moves; those that still do after a while are let go to the
 * ends of the domains, and pulled in again as far as all moves together allow */

#define BOUNDS_PATIENCE 64 /* rounds before a bound that moves goes to the end of its domain */
#define BOUNDS_RETURNS 3   /* rounds of pulling in */

static bool is_nowhere(const struct efsm__cube *cube) {
    return cube->low[0] > cube->high[0];
}

/* What the moves of all transitions make of `from`, and the start; one bound after the other is joined to
 * `into`. Whether that grew. */
static bool join_moves(struct efsm__space *space, const struct efsm__moves *moves,
                       const struct efsm__cube *from, bool is_patient, struct efsm__cube *into) {
    const struct cor_efsm *model = space->model;
    bool grew = false;
    for (uint32_t t = 0; t < model->transition_count; t++) {
        const struct cor_efsm_transition *transition = &model->transitions[t];
        struct efsm__cube *behind = &into[transition->target];
        for (uint32_t m = 0; m < moves[t].count && !is_nowhere(&from[transition->source]); m++) {
            const struct efsm__move *move = &moves[t].moves[m];
            struct efsm__cube cube;
            if (!efsm__cube_copy(space, &move->where, &cube))
                return false;
            efsm__cube_intersect(space, &cube, &from[transition->source]);
            const bool may = efsm__cube_settle(space, &cube);
            struct cor_value_range range[COR_EFSM_VARIABLES_MAX];
            for (uint32_t v = 0; v < space->count; v++)
                range[v] = model->variables[v].kind == COR_EFSM_STATE
                               ? (struct cor_value_range){cube.low[v], cube.high[v]}
                               : (struct cor_value_range){space->low[v], space->high[v]};
            for (uint32_t u = 0; u < transition->update_count && may; u++) {
                const uint32_t v = transition->updates[u].variable;
                const struct cor_value_range made = efsm__linear_range(space, &move->next[u], &cube);
                range[v].low = made.low > space->low[v] ? made.low : space->low[v];
                range[v].high = made.high < space->high[v] ? made.high : space->high[v];
            }
            efsm__cube_fini(&cube);
            const bool is_first = is_nowhere(behind);
            for (uint32_t v = 0; v < space->count && may; v++) {
                if (is_first || range[v].low < behind->low[v]) {
                    behind->low[v] = is_first || is_patient ? range[v].low : space->low[v];
                    grew = true;
                }
                if (is_first || range[v].high > behind->high[v]) {
                    behind->high[v] = is_first || is_patient ? range[v].high : space->high[v];
                    grew = true;
                }
            }
        }
    }
    return grew;
}

/* Nowhere, but for the start. */
static void begin_bounds(const struct efsm__space *space, struct efsm__cube *bounds) {
    int64_t start[COR_EFSM_VARIABLES_MAX];
    cor_efsm_start(space->model, start);
    for (uint32_t l = 0; l < space->model->location_count; l++)
        for (uint32_t v = 0; v < space->count; v++) {
            const bool is_state = space->model->variables[v].kind == COR_EFSM_STATE;
            bounds[l].low[v] = l != space->model->initial ? 1 : is_state ? start[v] : space->low[v];
            bounds[l].high[v] = l != space->model->initial ? 0 : is_state ? start[v] : space->high[v];
        }
}

static struct efsm__cube *make_bounds(struct efsm__space *space) {
    struct efsm__cube *bounds = cor_calloc(space->model->location_count, sizeof *bounds);
    for (uint32_t l = 0; bounds && l < space->model->location_count; l++)
        efsm__cube_init(space, &bounds[l]);
    if (!bounds)
        space->status = space->status == COR_OK ? cor_fail_memory(space->error) : space->status;
    else if (space->status == COR_OK)
        begin_bounds(space, bounds);
    return bounds;
}

static void free_bounds(const struct cor_efsm *model, struct efsm__cube *bounds) {
    for (uint32_t l = 0; bounds && l < model->location_count; l++)
        efsm__cube_fini(&bounds[l]);
    free(bounds);
}

/* Narrows the moves to what the start leads to, [location]; freed by free_bounds. */
static struct efsm__cube *bound_states(struct efsm__space *space, struct efsm__moves *moves) {
    const struct cor_efsm *model = space->model;
    struct efsm__cube *within = make_bounds(space);
    for (uint32_t round = 0; space->status == COR_OK; round++)
        if (!join_moves(space, moves, within, round < BOUNDS_PATIENCE, within))
            break;
    for (uint32_t round = 0; round < BOUNDS_RETURNS && space->status == COR_OK; round++) {
        struct efsm__cube *bounds = make_bounds(space);
        if (space->status == COR_OK)
            join_moves(space, moves, within, true, bounds);
        free_bounds(model, within);
        within = bounds;
    }
    for (uint32_t t = 0; t < model->transition_count && space->status == COR_OK; t++) {
        uint32_t kept = 0;
        for (uint32_t m = 0; m < moves[t].count; m++) {
            struct efsm__move *move = &moves[t].moves[m];
            efsm__cube_intersect(space, &move->where, &within[model->transitions[t].source]);
            if (efsm__cube_settle(space, &move->where)) {
                const struct efsm__move swapped = moves[t].moves[kept];
                moves[t].moves[kept++] = *move;
                *move = kept - 1 == m ? *move : swapped;
            }
        }
        for (uint32_t m = kept; m < moves[t].count; m++) {
            efsm__cube_fini(&moves[t].moves[m].where);
            free(moves[t].moves[m].next);
        }
        moves[t].count = kept;
    }
    return within;
}

/* ---- rings as constraints. The states of a location that need at most k moves are a union of cubes, and
 * those that need at most k + 1 are the same and more. So a cube is kept once, with the ring that it came
 * with: ring k is what is in a cube of it and in none of an earlier one, a difference that is not worked out
 * before someone wants to read it. What ring k + 1 adds: for each transition into a cube that is new in ring
 * k, guard and domains, the successor in that cube - with the inputs eliminated -, unless all of this is
 * known already. A cube that lies in a later one is spare from there on: what leads into it leads into the
 * later one, too */

#define APART_MAX \
    400 /* cubes of a location whose rings are written without overlap, and of what is written */

/* What the successor is held to, with each variable replaced by what is assigned to it; not to bounds of the
 * location, which it keeps anyway. */
static void require_behind(struct efsm__space *space, const struct cor_efsm_transition *t,
                           const struct efsm__move *move, const struct efsm__cube *behind,
                           const struct efsm__cube *within, struct efsm__cube *cube) {
    const struct efsm__linear *form_of[COR_EFSM_VARIABLES_MAX] = {NULL};
    for (uint32_t u = 0; u < t->update_count; u++)
        form_of[t->updates[u].variable] = &move->next[u];
    for (uint32_t v = 0; v < space->count; v++) {
        struct efsm__linear above = efsm__linear_of(behind->low[v]),
                            below = efsm__linear_of(-behind->high[v]);
        if (form_of[v]) {
            if ((!within || behind->low[v] > within->low[v]) &&
                efsm__linear_add(space, &above, form_of[v], -1))
                efsm__cube_require(space, cube, &above);
            if ((!within || behind->high[v] < within->high[v]) &&
                efsm__linear_add(space, &below, form_of[v], 1))
                efsm__cube_require(space, cube, &below);
        } else if (space->model->variables[v].kind == COR_EFSM_STATE) {
            cube->low[v] = cube->low[v] > behind->low[v] ? cube->low[v] : behind->low[v];
            cube->high[v] = cube->high[v] < behind->high[v] ? cube->high[v] : behind->high[v];
        }
    }
    for (uint32_t a = 0; a < behind->atom_count; a++) {
        const int64_t *atom = behind->atoms + a * ((size_t)space->count + 1);
        struct efsm__linear form = efsm__linear_of(atom[space->count]);
        for (uint32_t v = 0; v < space->count; v++) {
            struct efsm__linear itself = efsm__linear_of(0);
            itself.coefficient[v] = 1;
            if (atom[v] != 0 && !efsm__linear_add(space, &form, form_of[v] ? form_of[v] : &itself, atom[v]))
                return;
        }
        efsm__cube_require(space, cube, &form);
    }
}

/* States and inputs from which the transition leads into the cube `behind`. */
static void lead_into(struct efsm__space *space, const struct cor_efsm_transition *t,
                      const struct efsm__moves *moves, const struct efsm__cube *behind,
                      const struct efsm__cube *within, struct efsm__cubes *into) {
    for (uint32_t m = 0; m < moves->count; m++) {
        struct efsm__cube cube;
        if (!efsm__cube_copy(space, &moves->moves[m].where, &cube))
            return;
        require_behind(space, t, &moves->moves[m], behind, within, &cube);
        if (efsm__cube_settle(space, &cube))
            efsm__cubes_add_take(space, into, &cube);
        else
            efsm__cube_fini(&cube);
    }
}

/* The states of the cubes, whatever the inputs. False: that takes z3, and z3 is not `allowed`. */
static bool eliminate_inputs(struct efsm__space *space, const struct cor_efsm_transition *t, bool allowed,
                             const struct efsm__cubes *from, struct efsm__cubes *into) {
    const struct cor_efsm_label *input = &space->model->inputs[t->input];
    struct efsm__cubes now = {0};
    bool done = true;
    efsm__cubes_append(space, &now, from);
    for (uint32_t p = 0; p < input->parameter_count && done; p++) {
        struct efsm__cubes next = {0};
        for (uint32_t c = 0; c < now.count && done; c++) {
            done = allowed || efsm__cube_is_easy(&now.cubes[c], space->count, input->parameters[p]);
            if (done)
                efsm__cube_eliminate(space, &now.cubes[c], input->parameters[p], &next);
        }
        efsm__cubes_fini(&now);
        efsm__cubes_tidy(space, &next);
        now = next;
    }
    if (done)
        efsm__cubes_append(space, into, &now);
    efsm__cubes_fini(&now);
    return done;
}

struct search {
    struct cor_efsm_reach *reach;
    struct efsm__symbolic *s;
    struct efsm__moves *moves; /* owned; [transition] */
    struct efsm__cube *within; /* owned; [location] bounds of what the start leads to; NULL: everywhere */
};

/* Inputs that no update reads are eliminated from a transition once, not from each cube that it leads into.
 */
static void project_move(struct efsm__space *space, const struct cor_efsm_transition *t,
                         const struct efsm__move *move, struct efsm__moves *projected) {
    const struct cor_efsm_label *input = &space->model->inputs[t->input];
    struct efsm__cubes now = {0};
    struct efsm__cube copy;
    if (efsm__cube_copy(space, &move->where, &copy))
        efsm__cubes_add_take(space, &now, &copy);
    for (uint32_t p = 0; p < input->parameter_count; p++) {
        const uint32_t v = input->parameters[p];
        struct efsm__cubes next = {0};
        bool is_read = false;
        for (uint32_t u = 0; u < t->update_count; u++)
            is_read = is_read || move->next[u].coefficient[v] != 0;
        if (is_read)
            continue;
        for (uint32_t c = 0; c < now.count; c++)
            efsm__cube_eliminate(space, &now.cubes[c], v, &next);
        efsm__cubes_fini(&now);
        efsm__cubes_tidy(space, &next);
        now = next;
    }
    for (uint32_t c = 0; c < now.count; c++) {
        moves_add_take(space, t, &now.cubes[c], move->next, projected);
        now.cubes[c] = (struct efsm__cube){0};
    }
    efsm__cubes_fini(&now);
}

/* Adds the states of a transition's states and inputs. */
static void enter_ring(struct efsm__symbolic *s, uint32_t ring, uint32_t transition,
                       const struct efsm__cubes *from) {
    const struct cor_efsm_transition *t = &s->space.model->transitions[transition];
    COR_FINISHED(efsm__cubes) struct efsm__cubes states = {0};
    eliminate_inputs(&s->space, t, true, from, &states);
    for (uint32_t c = 0; c < states.count; c++) {
        layers_add_take(&s->space, &s->layers[t->source], ring, &states.cubes[c]);
        states.cubes[c] = (struct efsm__cube){0};
    }
}

/* The states and inputs by which the transition covers the trap. */
static void cover_trap(struct efsm__space *space, const struct efsm__moves *moves,
                       const struct cor_efsm_trap *trap, struct efsm__cubes *into) {
    for (uint32_t m = 0; m < moves->count; m++) {
        struct efsm__cube copy;
        if (trap->constraint.node_count > 0)
            efsm__expression_cubes(space, &trap->constraint, &moves->moves[m].where, into);
        else if (efsm__cube_copy(space, &moves->moves[m].where, &copy))
            efsm__cubes_add_take(space, into, &copy);
    }
}

/* The states and inputs by which the transition that a trap wants right before itself leads to where one of
 * its own can cover it. */
static void lead_to_trap(struct efsm__space *space, const struct efsm__moves *moves,
                         const struct cor_efsm_trap *trap, struct efsm__cubes *into) {
    const struct cor_efsm *model = space->model;
    for (uint32_t i = 0; i < trap->transition_count; i++) {
        COR_FINISHED(efsm__cubes) struct efsm__cubes hit = {0}, states = {0};
        if (model->transitions[trap->transitions[i]].source != model->transitions[trap->previous].target)
            continue;
        cover_trap(space, &moves[trap->transitions[i]], trap, &hit);
        eliminate_inputs(space, &model->transitions[trap->transitions[i]], true, &hit, &states);
        for (uint32_t c = 0; c < states.count; c++)
            lead_into(space, &model->transitions[trap->previous], &moves[trap->previous], &states.cubes[c],
                      NULL, into);
    }
}

/* The ring of the trap itself: 1, or 2 where it wants another transition right before. */
static uint32_t first_ring(struct search *search) {
    struct efsm__symbolic *s = search->s;
    const struct cor_efsm_trap *trap = search->reach->definition.trap;
    struct efsm__cubes from = {0};
    if (trap->previous != COR_NONE) {
        lead_to_trap(&s->space, search->moves, trap, &from);
        enter_ring(s, 2, trap->previous, &from);
        efsm__cubes_fini(&from);
        return 2;
    }
    for (uint32_t i = 0; i < trap->transition_count; i++) {
        cover_trap(&s->space, &search->moves[trap->transitions[i]], trap, &from);
        enter_ring(s, 1, trap->transitions[i], &from);
        efsm__cubes_fini(&from);
    }
    return 1;
}

/* Adds what leads by the transition into one cube. False: z3 would have to be asked for it, and is not. */
static bool lead_back(struct search *search, uint32_t ring, uint32_t transition, uint32_t index,
                      bool allowed) {
    struct efsm__symbolic *s = search->s;
    const struct cor_efsm_transition *t = &s->space.model->transitions[transition];
    struct efsm__layers *layers = &s->layers[t->source];
    const struct efsm__cube *behind = &s->layers[t->target].cubes.cubes[index];
    COR_FINISHED(efsm__cubes) struct efsm__cubes from = {0}, states = {0};
    lead_into(&s->space, t, &search->moves[transition], behind,
              search->within ? &search->within[t->target] : NULL, &from);
    const bool done = eliminate_inputs(&s->space, t, allowed, &from, &states);
    for (uint32_t c = 0; c < states.count; c++) {
        if (layers_add_take(&s->space, layers, ring, &states.cubes[c]) && t->source == t->target)
            layers_continue(&s->space, layers, ring, index);
        states.cubes[c] = (struct efsm__cube){0};
    }
    return done;
}

/* What leads into cubes that are new in the ring before. A hull whose inputs are not easily eliminated counts
 * for nothing here: it holds no more than the cubes that it was made of, and these are taken instead. */
static void next_ring(struct search *search, uint32_t ring) {
    struct efsm__symbolic *s = search->s;
    for (uint32_t t = 0; t < s->space.model->transition_count; t++) {
        const struct efsm__layers *layers = &s->layers[s->space.model->transitions[t].target];
        for (uint32_t c = layers->cubes.count; c-- > 0 && layers->born[c] + 1 >= ring;) {
            if (layers->born[c] + 1 != ring || layers->spare_from[c] < ring ||
                lead_back(search, ring, t, c, !layers->is_hull[c]))
                continue;
            const struct efsm__cube hull = layers->cubes.cubes[c];
            for (uint32_t part = c; part-- > 0 && layers->born[part] + 1 == ring;)
                if (efsm__cube_contains(&s->space, &hull, &layers->cubes.cubes[part]))
                    lead_back(search, ring, t, part, !layers->is_hull[part]);
        }
    }
}

static bool starts_in(const struct efsm__symbolic *s) {
    int64_t values[COR_EFSM_VARIABLES_MAX];
    cor_efsm_start(s->space.model, values);
    return efsm__cubes_have(&s->space, &s->layers[s->space.model->initial].cubes, values);
}

static uint64_t count_cubes(const struct efsm__symbolic *s) {
    uint64_t count = 0;
    for (uint32_t l = 0; l < s->space.model->location_count; l++)
        count += s->layers[l].cubes.count;
    return count;
}

/* Whether, and why, the search ends behind `ring`. */
static bool ends(struct search *search, uint32_t ring, bool any, enum cor_efsm_end *end) {
    const struct cor_efsm_reach_definition *definition = &search->reach->definition;
    const struct efsm__symbolic *s = search->s;
    if (s->space.beyond)
        *end = COR_EFSM_END_BEYOND;
    else if (!any)
        *end = COR_EFSM_END_FIXPOINT;
    else if (definition->until_initial && starts_in(s))
        *end = COR_EFSM_END_INITIAL;
    else if (efsm__is_too_deep(definition, ring + 1))
        *end = COR_EFSM_END_DEPTH;
    else if (count_cubes(s) > definition->cube_budget)
        *end = COR_EFSM_END_BUDGET;
    else
        return false;
    return true;
}

static enum cor_status search_rings(struct search *search) {
    struct efsm__symbolic *s = search->s;
    uint32_t ring = first_ring(search), last = 0;
    struct efsm__space *space = &search->s->space;
    for (uint32_t t = 0; t < space->model->transition_count; t++) {
        struct efsm__moves projected = {0};
        for (uint32_t m = 0; m < search->moves[t].count; m++)
            project_move(space, &space->model->transitions[t], &search->moves[t].moves[m], &projected);
        efsm__moves_fini(&search->moves[t]);
        search->moves[t] = projected;
    }
    for (uint64_t before = 0; s->space.status == COR_OK; ring++) {
        const uint64_t now = count_cubes(s);
        const bool any = now > before;
        last = any ? ring : last;
        if (ends(search, ring, any, &search->reach->summary.end))
            break;
        before = now;
        efsm__say_ring(&search->reach->definition, ring + 1, now, "cubes");
        next_ring(search, ring + 1);
    }
    search->reach->summary.rings = last;
    return s->space.status;
}

static enum cor_status make_moves(struct efsm__space *space, struct efsm__moves **moves) {
    *moves = cor_calloc(space->model->transition_count, sizeof **moves);
    COR_TRY(cor_made(*moves, space->error));
    for (uint32_t t = 0; t < space->model->transition_count; t++)
        efsm__moves_make(space, &space->model->transitions[t], &(*moves)[t]);
    return space->status;
}

static void free_moves(const struct cor_efsm *model, struct efsm__moves *moves) {
    for (uint32_t t = 0; moves && t < model->transition_count; t++)
        efsm__moves_fini(&moves[t]);
    free(moves);
}

/* Leaves of the cubes what is in no earlier ring, tidy. False: on the way they were more than `most`. */
static bool leave_new(struct efsm__space *space, const struct efsm__layers *layers, uint32_t ring,
                      uint32_t most, struct efsm__cubes *cubes) {
    for (uint32_t c = 0; c < layers->cubes.count && cubes->count <= most; c++)
        if (efsm__is_within(layers, c, ring - 1))
            efsm__cubes_subtract(space, cubes, &layers->cubes.cubes[c]);
    if (cubes->count > most)
        return false;
    efsm__cubes_tidy(space, cubes);
    return true;
}

/* The cubes that a ring of a location brought along, less what is in earlier ones; as leave_new. */
static bool gather_ring(struct efsm__space *space, const struct efsm__layers *layers, uint32_t ring,
                        uint32_t most, struct efsm__cubes *cubes) {
    for (uint32_t c = 0; c < layers->cubes.count; c++) {
        struct efsm__cube copy;
        if (layers->born[c] == ring && layers->spare_from[c] > ring &&
            efsm__cube_copy(space, &layers->cubes.cubes[c], &copy))
            efsm__cubes_add_take(space, cubes, &copy);
    }
    return leave_new(space, layers, ring, most, cubes);
}

/* Takes from each cube what those before it have. */
static void set_apart(struct efsm__space *space, struct efsm__cubes *cubes) {
    struct efsm__cubes apart = {0};
    for (uint32_t c = 0; c < cubes->count; c++) {
        COR_FINISHED(efsm__cubes) struct efsm__cubes one = {0};
        struct efsm__cube copy;
        if (efsm__cube_copy(space, &cubes->cubes[c], &copy))
            efsm__cubes_add_take(space, &one, &copy);
        efsm__cubes_subtract_all(space, &one, &apart);
        efsm__cubes_append(space, &apart, &one);
    }
    efsm__cubes_tidy(space, &apart);
    efsm__cubes_fini(cubes);
    *cubes = apart;
}

/* All rings of a location together. Degrees depend on how this is written: of few cubes it is ring by ring,
 * no state twice; of many it is the cubes as they are. */
static void gather_all(struct efsm__space *space, const struct efsm__layers *layers,
                       struct efsm__cubes *cubes) {
    const uint32_t count = layers->cubes.count, last = count > 0 ? layers->born[count - 1] : 0;
    bool is_apart = count <= APART_MAX;
    for (uint32_t ring = 1; ring <= last && is_apart; ring++) {
        COR_FINISHED(efsm__cubes) struct efsm__cubes of = {0};
        is_apart = gather_ring(space, layers, ring, APART_MAX, &of);
        if (is_apart) {
            set_apart(space, &of);
            efsm__cubes_append(space, cubes, &of);
            efsm__cubes_tidy(space, cubes);
            is_apart = cubes->count <= APART_MAX;
        }
    }
    if (!is_apart)
        efsm__cubes_fini(cubes);
    for (uint32_t c = 0; c < count && !is_apart; c++) {
        struct efsm__cube copy;
        if (layers->spare_from[c] == EFSM__NEVER && efsm__cube_copy(space, &layers->cubes.cubes[c], &copy))
            efsm__cubes_add_take(space, cubes, &copy);
    }
    efsm__cubes_tidy(space, cubes);
}

enum cor_status efsm__symbolic_ring(const struct cor_efsm_reach *reach, uint32_t location, uint32_t ring,
                                    struct efsm__cubes *cubes, struct cor_error *error) {
    const struct efsm__layers *layers = &reach->symbolic.layers[location];
    COR_FINISHED(efsm__space) struct efsm__space space = {0};
    efsm__space_init(&space, reach->definition.model, error);
    if (ring == 0)
        efsm__cubes_append(&space, cubes, &reach->symbolic.reached[location]);
    else
        gather_ring(&space, layers, ring, UINT32_MAX, cubes);
    return space.status;
}

enum cor_status efsm__symbolic_guard(const struct cor_efsm_reach *reach, uint32_t transition, uint32_t ring,
                                     struct efsm__cubes *cubes, struct cor_error *error) {
    const struct cor_efsm *model = reach->definition.model;
    const struct cor_efsm_trap *trap = reach->definition.trap;
    const struct cor_efsm_transition *t = &model->transitions[transition];
    const struct efsm__layers *behind = &reach->symbolic.layers[t->target];
    struct efsm__moves *moves = NULL;
    COR_FINISHED(efsm__space) struct efsm__space space = {0};
    enum cor_status status = COR_OK;
    efsm__space_init(&space, model, error);
    COR_TRY_OUT(make_moves(&space, &moves));
    for (uint32_t i = 0; i < trap->transition_count && ring == 1; i++)
        if (trap->transitions[i] == transition)
            cover_trap(&space, &moves[transition], trap, cubes);
    if (ring == 2 && trap->previous == transition)
        lead_to_trap(&space, moves, trap, cubes);
    for (uint32_t c = 0; c < behind->cubes.count && ring > 1; c++)
        if (efsm__is_within(behind, c, ring - 1))
            lead_into(&space, t, &moves[transition], &behind->cubes.cubes[c], NULL, cubes);
    if (ring > 0)
        leave_new(&space, &reach->symbolic.layers[t->source], ring, UINT32_MAX, cubes);
    status = space.status;
out:
    free_moves(model, moves);
    return status;
}

enum cor_status efsm__symbolic_begin(struct cor_efsm_reach *reach, struct cor_error *error) {
    struct efsm__symbolic *s = &reach->symbolic;
    efsm__space_init(&s->space, reach->definition.model, error);
    s->layers = cor_calloc(reach->definition.model->location_count, sizeof *s->layers);
    s->reached = cor_calloc(reach->definition.model->location_count, sizeof *s->reached);
    return s->layers && s->reached ? COR_OK : cor_fail_memory(error);
}

void efsm__symbolic_restored(struct cor_efsm_reach *reach, enum cor_efsm_end end, uint32_t rings) {
    reach->symbolic.space.error = NULL; /* the caller's, for reading alone */
    reach->summary.end = end;
    reach->summary.rings = rings;
    reach->summary.cubes = count_cubes(&reach->symbolic);
}

enum cor_status efsm__symbolic_run(struct cor_efsm_reach *reach, struct cor_error *error) {
    struct efsm__symbolic *s = &reach->symbolic;
    const struct cor_efsm *model = reach->definition.model;
    enum cor_status status = COR_OK;
    struct search search = {reach, s, NULL, NULL};
    COR_TRY_OUT(efsm__symbolic_begin(reach, error));
    COR_TRY_OUT(make_moves(&s->space, &search.moves));
    if (reach->definition.from_start)
        search.within = bound_states(&s->space, search.moves);
    COR_TRY_OUT(s->space.status);
    COR_TRY_OUT(search_rings(&search));
    for (uint32_t l = 0; l < model->location_count; l++)
        gather_all(&s->space, &s->layers[l], &s->reached[l]);
    COR_TRY_OUT(s->space.status);
    reach->summary.cubes = count_cubes(s);
    reach->summary.asked = efsm__space_statistics(&s->space);
    reach->summary.by_bounds = s->space.eliminated_by_bounds;
    reach->summary.by_values = s->space.eliminated_by_values;
    reach->summary.by_z3 = s->space.eliminated_by_z3;
out:
    free_moves(model, search.moves);
    free_bounds(model, search.within);
    efsm__space_fini(&s->space); /* z3's process; the cubes stay */
    s->space.error = NULL;       /* the caller's, for the search alone */
    return status;
}

void efsm__symbolic_fini(struct cor_efsm_reach *reach) {
    struct efsm__symbolic *s = &reach->symbolic;
    for (uint32_t l = 0; l < reach->definition.model->location_count; l++) {
        if (s->layers)
            layers_fini(&s->layers[l]);
        if (s->reached)
            efsm__cubes_fini(&s->reached[l]);
    }
    COR_FREE(s->reached, s->layers);
}
