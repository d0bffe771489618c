/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cubes as users write constraints. */
#include "cube.h"

#include <corridor/array.h>

#include <stdlib.h>

static char *and_take(char *text, char *more) {
    return cor_join_take(text, " && ", more);
}

static char *range_text(const struct efsm__space *space, const struct efsm__cube *cube, uint32_t v,
                        char *text) {
    const char *name = space->model->variable_names[v];
    const long long low = (long long)cube->low[v], high = (long long)cube->high[v];
    if (low == high && space->low[v] < space->high[v] && space->model->variables[v].is_truth)
        return and_take(text, cor_format(low ? "%s" : "!%s", name));
    if (low == high && space->low[v] < space->high[v])
        return and_take(text, cor_format("%s == %lld", name, low));
    if (cube->low[v] > space->low[v])
        text = and_take(text, cor_format("%s >= %lld", name, low));
    if (cube->high[v] < space->high[v])
        text = and_take(text, cor_format("%s <= %lld", name, high));
    return text;
}

/* The terms of one sign; the other ones stand on the other side. */
static char *sum_text(const struct efsm__space *space, const int64_t *atom, bool positive) {
    char *text = cor_strdup("");
    for (uint32_t v = 0; v < space->count; v++) {
        if (atom[v] == 0 || (atom[v] > 0) != positive)
            continue;
        const long long factor = (long long)(positive ? atom[v] : -atom[v]);
        const char *name = space->model->variable_names[v];
        text = cor_join_take(text, " + ",
                             factor == 1 ? cor_strdup(name) : cor_format("%lld * %s", factor, name));
    }
    const int64_t constant = atom[space->count];
    if (constant != 0 && (constant > 0) == positive)
        text = cor_join_take(text, " + ", cor_format("%lld", (long long)(positive ? constant : -constant)));
    if (text && !*text) {
        free(text);
        return cor_strdup("0");
    }
    return text;
}

static bool mirrored(const struct efsm__space *space, const int64_t *a, const int64_t *b) {
    for (uint32_t v = 0; v <= space->count; v++)
        if (a[v] != -b[v])
            return false;
    return true;
}

/* The atom that makes an equation of this one, itself if there is none. */
static uint32_t other_half(const struct efsm__space *space, const struct efsm__cube *cube, uint32_t atom) {
    const size_t width = space->count + 1;
    for (uint32_t a = 0; a < cube->atom_count; a++)
        if (mirrored(space, cube->atoms + a * width, cube->atoms + atom * width))
            return a;
    return atom;
}

static char *cube_text(const struct efsm__space *space, const struct efsm__cube *cube) {
    char *text = cor_strdup("");
    for (uint32_t v = 0; v < space->count; v++)
        text = range_text(space, cube, v, text);
    for (uint32_t a = 0; a < cube->atom_count; a++) {
        const int64_t *atom = cube->atoms + a * ((size_t)space->count + 1);
        const uint32_t half = other_half(space, cube, a);
        if (half < a)
            continue;
        char *side = cor_join_take(sum_text(space, atom, true),
                                   half > a ? " == " : " <= ", sum_text(space, atom, false));
        text = and_take(text, side);
    }
    if (text && !*text) {
        free(text);
        return cor_strdup("true");
    }
    return text;
}

char *efsm__cubes_text(const struct efsm__space *space, const struct efsm__cubes *cubes) {
    char *text = cor_strdup(cubes->count == 0 ? "false" : "");
    for (uint32_t c = 0; c < cubes->count; c++)
        text = cor_join_take(text, " || ", cube_text(space, &cubes->cubes[c]));
    return text;
}
