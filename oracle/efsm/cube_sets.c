/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Unions of cubes: difference, projection, and joining what belongs together. */
#include "cube.h"

#include <stdlib.h>
#include <string.h>

#define VALUES_MAX \
    64 /* of a variable that is eliminated value by value, where bounds do not combine; beyond by z3 */

static int64_t *atom_at(const struct efsm__space *space, const struct efsm__cube *cube, uint32_t atom) {
    return cube->atoms + (size_t)atom * (space->count + 1);
}

bool efsm__cube_meets(struct efsm__space *space, const struct efsm__cube *a, const struct efsm__cube *b) {
    struct efsm__cube both;
    if (!efsm__ranges_meet(space, a, b) || !efsm__cube_copy(space, a, &both))
        return false;
    efsm__cube_intersect(space, &both, b);
    bool may = efsm__cube_settle(space, &both);
    efsm__cube_fini(&both);
    return may;
}

/* Keeps the piece if it may have points; a piece that is not kept is freed. */
static void keep_take(struct efsm__space *space, struct efsm__cube *piece, struct efsm__cubes *into) {
    if (efsm__cube_settle(space, piece))
        efsm__cubes_add_take(space, into, piece);
    else
        efsm__cube_fini(piece);
}

/* The part of *rest on the far side of one bound of what is taken away goes to `into`; *rest keeps the near
 * side. */
static void split_range(struct efsm__space *space, struct efsm__cube *rest, uint32_t v, int64_t low,
                        int64_t high, struct efsm__cubes *into) {
    struct efsm__cube piece;
    if (rest->low[v] < low && efsm__cube_copy(space, rest, &piece)) {
        piece.high[v] = low - 1;
        rest->low[v] = low;
        keep_take(space, &piece, into);
    }
    if (rest->high[v] > high && efsm__cube_copy(space, rest, &piece)) {
        piece.low[v] = high + 1;
        rest->high[v] = high;
        keep_take(space, &piece, into);
    }
}

void efsm__cube_subtract_take(struct efsm__space *space, struct efsm__cube *cube,
                              const struct efsm__cube *what, struct efsm__cubes *into) {
    for (uint32_t v = 0; v < space->count; v++)
        split_range(space, cube, v, what->low[v], what->high[v], into);
    for (uint32_t a = 0; a < what->atom_count; a++) {
        /* form <= 0, denied: -form + 1 <= 0. */
        const int64_t *atom = atom_at(space, what, a);
        int64_t denied[COR_EFSM_VARIABLES_MAX + 1];
        struct efsm__cube piece;
        bool is_exact = !__builtin_sub_overflow(1, atom[space->count], &denied[space->count]);
        for (uint32_t v = 0; v < space->count; v++)
            is_exact = !__builtin_sub_overflow(0, atom[v], &denied[v]) && is_exact;
        space->beyond = space->beyond || !is_exact;
        if (!is_exact || !efsm__cube_copy(space, cube, &piece))
            continue;
        efsm__cube_require_atom(space, &piece, denied);
        keep_take(space, &piece, into);
        efsm__cube_require_atom(space, cube, atom);
    }
    efsm__cube_fini(cube);
}

void efsm__cubes_subtract(struct efsm__space *space, struct efsm__cubes *cubes,
                          const struct efsm__cube *what) {
    struct efsm__cubes left = {0};
    bool touched = false;
    for (uint32_t c = 0; c < cubes->count && !touched; c++)
        touched = efsm__ranges_meet(space, &cubes->cubes[c], what);
    if (!touched)
        return;
    for (uint32_t c = 0; c < cubes->count; c++) {
        struct efsm__cube *cube = &cubes->cubes[c];
        if (efsm__cube_meets(space, cube, what))
            efsm__cube_subtract_take(space, cube, what, &left);
        else
            efsm__cubes_add_take(space, &left, cube);
        *cube = (struct efsm__cube){0};
    }
    efsm__cubes_fini(cubes);
    *cubes = left;
}

void efsm__cubes_subtract_all(struct efsm__space *space, struct efsm__cubes *cubes,
                              const struct efsm__cubes *what) {
    for (uint32_t c = 0; c < what->count && cubes->count > 0; c++)
        efsm__cubes_subtract(space, cubes, &what->cubes[c]);
}

static struct efsm__linear form_of(const struct efsm__space *space, const int64_t *atom) {
    struct efsm__linear form = efsm__linear_of(atom[space->count]);
    memcpy(form.coefficient, atom, space->count * sizeof *atom);
    return form;
}

/* The bounds upon v of one sign: v's range, and the inequalities. */
static struct efsm__linear bound_at(const struct efsm__space *space, const struct efsm__cube *cube,
                                    uint32_t v, bool above, uint32_t atom) {
    if (atom < cube->atom_count)
        return form_of(space, atom_at(space, cube, atom));
    struct efsm__linear form = efsm__linear_of(above ? -cube->high[v] : cube->low[v]);
    form.coefficient[v] = above ? 1 : -1;
    return form;
}

static void combine_bounds(struct efsm__space *space, const struct efsm__cube *cube, uint32_t v,
                           struct efsm__cubes *into) {
    struct efsm__cube made;
    if (!efsm__cube_copy(space, cube, &made))
        return;
    made.atom_count = 0;
    made.low[v] = space->low[v];
    made.high[v] = space->high[v];
    for (uint32_t i = 0; i <= cube->atom_count; i++) {
        const struct efsm__linear above = bound_at(space, cube, v, true, i);
        if (above.coefficient[v] == 0)
            efsm__cube_require(space, &made, &above);
        for (uint32_t j = 0; j <= cube->atom_count && above.coefficient[v] > 0; j++) {
            const struct efsm__linear below = bound_at(space, cube, v, false, j);
            struct efsm__linear both = efsm__linear_of(0);
            if (below.coefficient[v] < 0 && !(i == cube->atom_count && j == cube->atom_count) &&
                efsm__linear_add(space, &both, &above, -below.coefficient[v]) &&
                efsm__linear_add(space, &both, &below, above.coefficient[v]))
                efsm__cube_require(space, &made, &both);
        }
    }
    space->eliminated_by_bounds++;
    keep_take(space, &made, into);
}

static void try_values(struct efsm__space *space, const struct efsm__cube *cube, uint32_t v,
                       struct efsm__cubes *into) {
    for (int64_t value = cube->low[v]; value <= cube->high[v]; value++) {
        struct efsm__cube made;
        if (!efsm__cube_copy(space, cube, &made))
            return;
        made.low[v] = made.high[v] = value;
        if (!efsm__cube_settle(space, &made)) { /* which has put the value into the inequalities */
            efsm__cube_fini(&made);
            continue;
        }
        made.low[v] = space->low[v];
        made.high[v] = space->high[v];
        efsm__cubes_add_take(space, into, &made);
    }
    space->eliminated_by_values++;
}

/* What z3 makes of it. What it leaves out is left out: the set is too small then, and said to be. */
static void ask_for_projection(struct efsm__space *space, const struct efsm__cube *cube, uint32_t v,
                               struct efsm__cubes *into) {
    struct cor_solver *solver = efsm__space_solver(space);
    struct cor_expression *atoms = efsm__atoms_make(space, cube);
    struct cor_projection projection = {.answer = COR_ANSWER_UNDECIDED};
    bool eliminated[COR_EFSM_VARIABLES_MAX] = {false};
    const struct cor_question question = {.kind = COR_QUESTION_ELIMINATION,
                                          .low = cube->low,
                                          .high = cube->high,
                                          .constraints = atoms,
                                          .constraint_count = cube->atom_count};
    struct efsm__cube rest;
    struct efsm__cubes made = {0};
    eliminated[v] = true;
    if (solver && atoms) {
        const enum cor_status status =
            cor_solver_project(solver, &question, eliminated, &projection, space->error);
        space->status = space->status == COR_OK ? status : space->status;
    }
    space->beyond = space->beyond || projection.answer == COR_ANSWER_UNDECIDED ||
                    (projection.answer == COR_ANSWER_SATISFIABLE && !projection.exact);
    if (projection.answer == COR_ANSWER_SATISFIABLE && efsm__cube_copy(space, cube, &rest)) {
        rest.atom_count = 0; /* they are in the projection */
        rest.low[v] = space->low[v];
        rest.high[v] = space->high[v];
        efsm__expression_cubes(space, &projection.constraint, &rest, &made);
        efsm__cube_fini(&rest);
        efsm__cubes_tidy(space, &made);
        efsm__cubes_append(space, into, &made);
        efsm__cubes_fini(&made);
    }
    space->eliminated_by_z3++;
    cor_expression_fini(&projection.constraint);
    efsm__atoms_free(atoms, cube->atom_count);
}

bool efsm__cube_is_easy(const struct efsm__cube *cube, uint32_t count, uint32_t v) {
    bool large_above = false, large_below = false;
    for (uint32_t a = 0; a < cube->atom_count; a++) {
        const int64_t coefficient = cube->atoms[a * ((size_t)count + 1) + v];
        large_above = large_above || coefficient > 1;
        large_below = large_below || coefficient < -1;
    }
    return !(large_above && large_below) || cube->high[v] - cube->low[v] < VALUES_MAX;
}

void efsm__cube_eliminate(struct efsm__space *space, const struct efsm__cube *cube, uint32_t v,
                          struct efsm__cubes *into) {
    struct efsm__cubes by_values = {0};
    /* Eliminating v. Bounds upon v are the inequalities with it, and its range: a * v <= X and b * v >= Y
     * leave some v exactly if a * Y <= b * X, where a or b is 1. */
    bool large_above = false, large_below = false;
    for (uint32_t a = 0; a < cube->atom_count; a++) {
        const int64_t coefficient = atom_at(space, cube, a)[v];
        large_above = large_above || coefficient > 1;
        large_below = large_below || coefficient < -1;
    }
    if (!(large_above && large_below)) {
        combine_bounds(space, cube, v, into);
        return;
    }
    if (cube->high[v] - cube->low[v] >= VALUES_MAX) {
        ask_for_projection(space, cube, v, into);
        return;
    }
    try_values(space, cube, v, &by_values);
    efsm__cubes_tidy(space, &by_values);
    efsm__cubes_append(space, into, &by_values);
    efsm__cubes_fini(&by_values);
}

/* Joining. Two cubes are neighbours along v when all but their ranges of v is equal, and these touch or
 * overlap. */
static bool equal_but_for(const struct efsm__space *space, const struct efsm__cube *a,
                          const struct efsm__cube *b, uint32_t v) {
    for (uint32_t i = 0; i < space->count; i++)
        if (i != v && (a->low[i] != b->low[i] || a->high[i] != b->high[i]))
            return false;
    return a->atom_count == b->atom_count &&
           (a->atom_count == 0 ||
            memcmp(a->atoms, b->atoms, a->atom_count * (space->count + 1) * sizeof *a->atoms) == 0);
}

/* The order in which neighbours along v stand beside each other. */
static int order_cubes(const struct efsm__space *space, const struct efsm__cube *a,
                       const struct efsm__cube *b, uint32_t v) {
    if (a->atom_count != b->atom_count)
        return a->atom_count < b->atom_count ? -1 : 1;
    for (uint32_t i = 0; i < space->count; i++) {
        if (i != v && a->low[i] != b->low[i])
            return a->low[i] < b->low[i] ? -1 : 1;
        if (i != v && a->high[i] != b->high[i])
            return a->high[i] < b->high[i] ? -1 : 1;
    }
    for (size_t i = 0; i < (size_t)a->atom_count * (space->count + 1); i++)
        if (a->atoms[i] != b->atoms[i])
            return a->atoms[i] < b->atoms[i] ? -1 : 1;
    return a->low[v] < b->low[v] ? -1 : a->low[v] > b->low[v];
}

/* Heap sort: qsort knows no context. */
static void sift(const struct efsm__space *space, struct efsm__cube *cubes, uint32_t root, uint32_t end,
                 uint32_t v) {
    for (uint32_t child; (child = 2 * root + 1) < end; root = child) {
        if (child + 1 < end && order_cubes(space, &cubes[child], &cubes[child + 1], v) < 0)
            child++;
        if (order_cubes(space, &cubes[root], &cubes[child], v) >= 0)
            return;
        struct efsm__cube swapped = cubes[root];
        cubes[root] = cubes[child];
        cubes[child] = swapped;
    }
}

static bool join_along(const struct efsm__space *space, struct efsm__cubes *list, uint32_t v) {
    uint32_t kept = 0;
    for (uint32_t i = list->count / 2; i-- > 0;)
        sift(space, list->cubes, i, list->count, v);
    for (uint32_t end = list->count; end > 1;) {
        struct efsm__cube last = list->cubes[--end];
        list->cubes[end] = list->cubes[0];
        list->cubes[0] = last;
        sift(space, list->cubes, 0, end, v);
    }
    for (uint32_t c = 1; c < list->count; c++) {
        struct efsm__cube *last = &list->cubes[kept], *next = &list->cubes[c];
        if (equal_but_for(space, last, next, v) && next->low[v] <= last->high[v] + 1) {
            last->high[v] = next->high[v] > last->high[v] ? next->high[v] : last->high[v];
            efsm__cube_fini(next);
            continue;
        }
        struct efsm__cube moved = *next;
        *next = (struct efsm__cube){0};
        list->cubes[++kept] = moved;
    }
    const bool joined = list->count > 0 && kept + 1 < list->count;
    list->count = list->count > 0 ? kept + 1 : 0;
    return joined;
}

static void drop(struct efsm__cubes *list, uint32_t c) {
    efsm__cube_fini(&list->cubes[c]);
    memmove(&list->cubes[c], &list->cubes[c + 1], (list->count - c - 1) * sizeof *list->cubes);
    list->count--;
}

#define CONTAINED_MAX 2000 /* beyond that many, contained cubes stay: harmless, and looking is quadratic */

void efsm__cubes_tidy(struct efsm__space *space, struct efsm__cubes *cubes) {
    for (uint32_t c = 0; c < cubes->count;)
        if (efsm__cube_settle(space, &cubes->cubes[c]) && efsm__cube_has_point(space, &cubes->cubes[c]))
            c++;
        else
            drop(cubes, c);
    for (bool joined = true; joined;) {
        joined = false;
        for (uint32_t v = space->count; v-- > 0;)
            joined = (space->low[v] < space->high[v] && join_along(space, cubes, v)) || joined;
    }
    if (cubes->count > CONTAINED_MAX)
        return;
    for (uint32_t c = 0; c < cubes->count;) {
        bool spare = false;
        for (uint32_t other = 0; other < cubes->count && !spare; other++)
            spare = other != c && efsm__cube_contains(space, &cubes->cubes[other], &cubes->cubes[c]);
        if (spare)
            drop(cubes, c);
        else
            c++;
    }
}
