/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cubes as users write constraints. */
#include "cube.h"

#include <corridor/array.h>

#include <stdlib.h>

static char *and_take(char *text, char *more) {
    return cor_join_take(text, " && ", more);
}

static char *bound_text(const struct efsm__space *space, uint32_t v, const char *sign, int64_t value) {
    char *literal = cor_efsm_literal(space->model, v, value);
    char *text = literal ? cor_format("%s %s %s", space->model->variable_names[v], sign, literal) : NULL;
    free(literal);
    return text;
}

/* Words have no order: those from the first to the last are named, or denied where the others are fewer. */
static char *words_text(const struct efsm__space *space, uint32_t v, int64_t low, int64_t high) {
    const bool denies = 2 * (high - low + 1) > space->high[v] - space->low[v] + 1;
    char *text = cor_strdup("");
    for (int64_t word = space->low[v]; word <= space->high[v]; word++)
        if ((word >= low && word <= high) != denies)
            text = cor_join_take(text, denies ? " && " : " || ",
                                 bound_text(space, v, denies ? "!=" : "==", word));
    return denies ? text : cor_join_take(cor_join_take(cor_strdup("("), "", text), "", cor_strdup(")"));
}

static char *range_text(const struct efsm__space *space, const struct efsm__cube *cube, uint32_t v,
                        char *text) {
    const char *name = space->model->variable_names[v];
    const long long low = (long long)cube->low[v], high = (long long)cube->high[v];
    const struct cor_efsm_variable *variable = &space->model->variables[v];
    if (low == high && space->low[v] < space->high[v] && variable->type == COR_EFSM_BOOLEAN)
        return and_take(text, cor_format(low ? "%s" : "!%s", name));
    if (low == high && space->low[v] < space->high[v])
        return and_take(text, bound_text(space, v, "==", low));
    if (variable->type == COR_EFSM_WORDS)
        return low > space->low[v] || high < space->high[v] ? and_take(text, words_text(space, v, low, high))
                                                            : text;
    if (cube->low[v] > space->low[v])
        text = and_take(text, bound_text(space, v, ">=", low));
    if (cube->high[v] < space->high[v])
        text = and_take(text, bound_text(space, v, "<=", high));
    return text;
}

/* The terms of one sign; the other ones stand on the other side. */
static char *sum_text(const struct efsm__space *space, const int64_t *atom, bool positive) {
    /* An atom counts units of the last decimal place: of those that its variables have in common. */
    unsigned places = COR_DECIMALS_MAX;
    for (uint32_t v = 0; v < space->count; v++)
        if (atom[v] != 0 && space->model->variables[v].decimals < places)
            places = space->model->variables[v].decimals;
    char *text = cor_strdup("");
    for (uint32_t v = 0; v < space->count; v++) {
        if (atom[v] == 0 || (atom[v] > 0) != positive)
            continue;
        const long long factor = (long long)((positive ? atom[v] : -atom[v]) *
                                             cor_power_of_ten(space->model->variables[v].decimals - places));
        const char *name = space->model->variable_names[v];
        text = cor_join_take(text, " + ",
                             factor == 1 ? cor_strdup(name) : cor_format("%lld * %s", factor, name));
    }
    const int64_t constant = atom[space->count];
    if (constant != 0 && (constant > 0) == positive)
        text = cor_join_take(text, " + ", cor_decimal_text(positive ? constant : -constant, places));
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
