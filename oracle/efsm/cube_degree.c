/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far a set is (paper 004, figure 8): in a cube the violations of ranges and inequalities add, of several
 * cubes the nearest counts. cor_expression_degree says the same of the cubes' text; here there is no limit to
 * its size, and the same works for ranges of points. */
#include "cube.h"

__extension__ typedef __int128 wide;

#define FAR COR_DEGREE_INFINITE

/* `far` or more once it is known to be no less. */
static uint64_t cube_degree(const struct efsm__space *space, const struct efsm__cube *cube,
                            const int64_t *low, const int64_t *high, uint64_t far) {
    wide sum = 0;
    for (uint32_t v = 0; v < space->count; v++) {
        if (space->model->variables[v].kind != COR_EFSM_STATE)
            continue;
        sum += low[v] > cube->high[v] ? (wide)low[v] - cube->high[v] : 0;
        sum += high[v] < cube->low[v] ? (wide)cube->low[v] - high[v] : 0;
    }
    for (uint32_t a = 0; a < cube->atom_count && sum < far; a++) {
        /* The least value of an inequality's form over the points. */
        const int64_t *atom = cube->atoms + a * ((size_t)space->count + 1);
        wide excess = atom[space->count];
        for (uint32_t v = 0; v < space->count; v++)
            excess += (wide)atom[v] * (atom[v] > 0 ? low[v] : high[v]);
        sum += excess > 0 ? excess : 0;
    }
    return sum < FAR ? (uint64_t)sum : FAR;
}

uint64_t efsm__cubes_degree(const struct efsm__space *space, const struct efsm__cubes *cubes,
                            const int64_t *low, const int64_t *high) {
    uint64_t least = FAR;
    for (uint32_t c = 0; c < cubes->count && least > 0; c++) {
        const uint64_t degree = cube_degree(space, &cubes->cubes[c], low, high, least);
        least = degree < least ? degree : least;
    }
    return least;
}

uint64_t efsm__cubes_degree_among(const struct efsm__space *space, const struct efsm__cubes *cubes,
                                  const int64_t *low, const int64_t *high, uint64_t far, uint32_t *among,
                                  uint32_t *count) {
    uint64_t least = FAR;
    for (uint32_t i = 0; i < *count;) {
        const uint32_t cube = among[i];
        const uint64_t degree = cube_degree(space, &cubes->cubes[cube], low, high, far);
        least = degree < least ? degree : least;
        if (degree < far) {
            i++;
            continue;
        }
        among[i] = among[--*count];
        among[*count] = cube;
    }
    return least;
}
