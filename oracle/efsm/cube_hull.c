/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hulls of two cubes. */
#include "cube.h"

#include <corridor/hash.h>

#include <string.h>

#define DIFFER_MAX 5        /* bounds of two cubes of which a hull is made */
#define JOINED_ATOMS_MAX 24 /* of either */
#define FACTOR_MAX 1000000  /* by which a bound may come into a face */

static int64_t *atom_at(const struct efsm__space *space, const struct efsm__cube *cube, uint32_t atom) {
    return cube->atoms + (size_t)atom * (space->count + 1);
}

/* Forms that bound the one cube or the other: what each is at most in either. */
struct bounds {
    struct efsm__linear form[2 * COR_EFSM_VARIABLES_MAX + 2 * JOINED_ATOMS_MAX];
    int64_t at_most[2][2 * COR_EFSM_VARIABLES_MAX + 2 * JOINED_ATOMS_MAX];
    uint32_t count;
};

/* The most that the form, whose constant is 0, is in the cube, by an inequality of its or by its ranges. */
static int64_t most_in(const struct efsm__space *space, const struct efsm__cube *cube,
                       const struct efsm__linear *form) {
    int64_t most = efsm__linear_range(space, form, cube).high;
    for (uint32_t a = 0; a < cube->atom_count; a++) {
        const int64_t *atom = cube->atoms + a * ((size_t)space->count + 1);
        if (memcmp(atom, form->coefficient, space->count * sizeof *atom) == 0 && -atom[space->count] < most)
            most = -atom[space->count];
    }
    return most;
}

static void add_bound(const struct efsm__space *space, const struct efsm__cube *a, const struct efsm__cube *b,
                      const struct efsm__linear *form, struct bounds *bounds) {
    bounds->form[bounds->count] = *form;
    bounds->at_most[0][bounds->count] = most_in(space, a, form);
    bounds->at_most[1][bounds->count] = most_in(space, b, form);
    bounds->count++;
}

static void find_bounds(const struct efsm__space *space, const struct efsm__cube *a,
                        const struct efsm__cube *b, struct bounds *bounds) {
    const struct efsm__cube *both[] = {a, b};
    bounds->count = 0;
    for (uint32_t v = 0; v < space->count; v++)
        for (int sign = -1; sign <= 1; sign += 2) {
            struct efsm__linear form = efsm__linear_of(0);
            form.coefficient[v] = sign;
            if (sign < 0 ? a->low[v] != b->low[v] : a->high[v] != b->high[v])
                add_bound(space, a, b, &form, bounds);
        }
    for (int i = 0; i < 2; i++)
        for (uint32_t k = 0; k < both[i]->atom_count; k++) {
            struct efsm__linear form = efsm__linear_of(0);
            bool is_there = false;
            memcpy(form.coefficient, both[i]->atoms + k * ((size_t)space->count + 1),
                   space->count * sizeof *form.coefficient);
            for (uint32_t j = 0; j < bounds->count && !is_there; j++)
                is_there = memcmp(&bounds->form[j], &form, sizeof form) == 0;
            if (!is_there)
                add_bound(space, a, b, &form, bounds);
        }
}

static uint32_t find_form(const struct efsm__space *space, const struct efsm__cube *cube,
                          const int64_t *atom) {
    for (uint32_t a = 0; a < cube->atom_count; a++)
        if (memcmp(atom_at(space, cube, a), atom, space->count * sizeof *atom) == 0)
            return a;
    return COR_NONE;
}

uint64_t efsm__cubes_difference(const struct efsm__space *space, const struct efsm__cube *a,
                                const struct efsm__cube *b) {
    const struct efsm__cube *few = a->atom_count <= b->atom_count ? a : b, *many = few == a ? b : a;
    uint64_t hash = cor_hash_word(COR_HASH_SEED, many->atom_count - few->atom_count);
    uint32_t differ = 0;
    for (uint32_t v = 0; v < space->count; v++) {
        if (few->low[v] == many->low[v] && few->high[v] == many->high[v])
            continue;
        differ += (uint32_t)(few->low[v] != many->low[v]) + (uint32_t)(few->high[v] != many->high[v]);
        hash = cor_hash_word(hash, v);
        hash = cor_hash_word(hash, (uint64_t)(few->low[v] - many->low[v]));
        hash = cor_hash_word(hash, (uint64_t)(few->high[v] - many->high[v]));
        if (differ > DIFFER_MAX)
            return 0;
    }
    for (uint32_t i = 0; i < few->atom_count; i++) {
        const int64_t *atom = atom_at(space, few, i);
        const uint32_t j = find_form(space, many, atom);
        if (j == COR_NONE)
            return 0;
        const int64_t other = atom_at(space, many, j)[space->count];
        if (atom[space->count] != other && ++differ > DIFFER_MAX)
            return 0;
        hash = cor_hash_bytes(hash, atom, space->count * sizeof *atom);
        hash = cor_hash_word(hash, (uint64_t)(atom[space->count] - other));
    }
    return hash | 1;
}

bool efsm__cube_hull(struct efsm__space *space, const struct efsm__cube *a, const struct efsm__cube *b,
                     bool with_faces, struct efsm__cube *hull) {
    struct bounds bounds;
    if (a->atom_count > JOINED_ATOMS_MAX || b->atom_count > JOINED_ATOMS_MAX ||
        !efsm__cube_copy(space, a, hull))
        return false;
    hull->atom_count = 0;
    for (uint32_t v = 0; v < space->count; v++) {
        hull->low[v] = a->low[v] < b->low[v] ? a->low[v] : b->low[v];
        hull->high[v] = a->high[v] > b->high[v] ? a->high[v] : b->high[v];
    }
    find_bounds(space, a, b, &bounds);
    uint32_t differ = 0;
    for (uint32_t i = 0; i < bounds.count; i++)
        differ += bounds.at_most[0][i] != bounds.at_most[1][i];
    if (differ > DIFFER_MAX) {
        efsm__cube_fini(hull);
        return false;
    }
    for (uint32_t i = 0; i < bounds.count; i++) {
        const int64_t in_a = bounds.at_most[0][i], in_b = bounds.at_most[1][i];
        struct efsm__linear form = bounds.form[i];
        form.coefficient[COR_EFSM_VARIABLES_MAX] = -(in_a > in_b ? in_a : in_b);
        efsm__cube_require(space, hull, &form);
        for (uint32_t j = 0; j < bounds.count && with_faces && in_a < in_b; j++) {
            /* What the one is let out by, times what the other is pulled in by: a face through both. */
            const int64_t out = in_b - in_a, in = bounds.at_most[0][j] - bounds.at_most[1][j];
            struct efsm__linear face = efsm__linear_of(0);
            int64_t constant, part;
            if (in <= 0 || in > FACTOR_MAX || out > FACTOR_MAX ||
                !efsm__linear_add(space, &face, &bounds.form[i], in) ||
                !efsm__linear_add(space, &face, &bounds.form[j], out) ||
                __builtin_mul_overflow(in, in_a, &constant) ||
                __builtin_mul_overflow(out, bounds.at_most[0][j], &part) ||
                __builtin_add_overflow(constant, part, &constant))
                continue;
            face.coefficient[COR_EFSM_VARIABLES_MAX] = -constant;
            efsm__cube_require(space, hull, &face);
        }
    }
    if (efsm__cube_settle(space, hull))
        return true;
    efsm__cube_fini(hull);
    return false;
}
