/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cubes as users write constraints. */
#include "cube.h"

#include <corridor/array.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

/* The integers that the variable is kept as. */
static char *numbers_text(const struct efsm__space *space, const struct efsm__cube *cube, uint32_t v,
                          char *text) {
    const char *name = space->model->variable_names[v];
    const long long low = (long long)cube->low[v], high = (long long)cube->high[v];
    if (low == high && space->low[v] < space->high[v])
        return and_take(text, cor_format("%s == %lld", name, low));
    if (cube->low[v] > space->low[v])
        text = and_take(text, cor_format("%s >= %lld", name, low));
    if (cube->high[v] < space->high[v])
        text = and_take(text, cor_format("%s <= %lld", name, high));
    return text;
}

static char *range_text(const struct efsm__space *space, const struct efsm__cube *cube, uint32_t v,
                        bool as_numbers, char *text) {
    const char *name = space->model->variable_names[v];
    const long long low = (long long)cube->low[v], high = (long long)cube->high[v];
    const struct cor_efsm_variable *variable = &space->model->variables[v];
    if (as_numbers)
        return numbers_text(space, cube, v, text);
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
static char *sum_text(const struct efsm__space *space, const int64_t *atom, bool positive, bool as_numbers) {
    /* An atom counts units of the last decimal place: of those that its variables have in common. */
    unsigned places = COR_DECIMALS_MAX;
    for (uint32_t v = 0; v < space->count; v++)
        if (atom[v] != 0 && space->model->variables[v].decimals < places)
            places = space->model->variables[v].decimals;
    char *text = cor_strdup("");
    for (uint32_t v = 0; v < space->count; v++) {
        if (atom[v] == 0 || (atom[v] > 0) != positive)
            continue;
        const int64_t unit = as_numbers ? 1 : cor_power_of_ten(space->model->variables[v].decimals - places);
        const long long factor = (long long)((positive ? atom[v] : -atom[v]) * unit);
        const char *name = space->model->variable_names[v];
        text = cor_join_take(text, " + ",
                             factor == 1 ? cor_strdup(name) : cor_format("%lld * %s", factor, name));
    }
    const int64_t constant = atom[space->count];
    if (constant != 0 && (constant > 0) == positive)
        text = cor_join_take(text, " + ",
                             cor_decimal_text(positive ? constant : -constant, as_numbers ? 0 : places));
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

static char *cube_text(const struct efsm__space *space, const struct efsm__cube *cube, bool as_numbers) {
    char *text = cor_strdup("");
    for (uint32_t v = 0; v < space->count; v++)
        text = range_text(space, cube, v, as_numbers, text);
    for (uint32_t a = 0; a < cube->atom_count; a++) {
        const int64_t *atom = cube->atoms + a * ((size_t)space->count + 1);
        const uint32_t half = other_half(space, cube, a);
        if (half < a)
            continue;
        char *side = cor_join_take(sum_text(space, atom, true, as_numbers),
                                   half > a ? " == " : " <= ", sum_text(space, atom, false, as_numbers));
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
        text = cor_join_take(text, " || ", cube_text(space, &cubes->cubes[c], false));
    return text;
}

char *efsm__cube_text(const struct efsm__space *space, const struct efsm__cube *cube) {
    return cube_text(space, cube, true);
}

/* Reading what was written so. Each returns NULL, or what it could not read. */

static bool take(const char **at, const char *word) {
    const size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool take_number(const char **at, int64_t *number) {
    char *end;
    errno = 0;
    const long long value = strtoll(*at, &end, 10);
    if (end == *at || errno != 0 || **at == ' ' || **at == '+')
        return false;
    *number = value;
    *at = end;
    return true;
}

/* Names are told apart by where they end: at a blank, or with the text. */
static bool take_variable(const struct efsm__space *space, const char **at, uint32_t *variable) {
    const size_t length = strcspn(*at, " ");
    for (uint32_t v = 0; v < space->count; v++)
        if (strncmp(space->model->variable_names[v], *at, length) == 0 &&
            space->model->variable_names[v][length] == '\0') {
            *variable = v;
            *at += length;
            return true;
        }
    return false;
}

/* A sum; *is_bare: of one variable alone, which is *variable. */
static bool take_sum(struct efsm__space *space, const char **at, struct efsm__linear *sum, uint32_t *variable,
                     bool *is_bare) {
    uint32_t parts = 0;
    *sum = efsm__linear_of(0);
    *is_bare = true;
    do {
        struct efsm__linear part = efsm__linear_of(0);
        int64_t factor = 1;
        const bool has_number = take_number(at, &factor);
        if (!has_number || take(at, " * ")) {
            if (!take_variable(space, at, variable))
                return false;
            part.coefficient[*variable] = factor;
        } else {
            part.coefficient[COR_EFSM_VARIABLES_MAX] = factor;
        }
        *is_bare = *is_bare && !has_number && parts++ == 0;
        if (!efsm__linear_add(space, sum, &part, 1))
            return false;
    } while (take(at, " + "));
    return true;
}

/* Bounds of one variable, which lie in its domain. */
static bool bound(const struct efsm__space *space, struct efsm__cube *cube, uint32_t v, bool above,
                  bool below, int64_t value) {
    if (value < space->low[v] || value > space->high[v])
        return false;
    cube->low[v] = above ? value : cube->low[v];
    cube->high[v] = below ? value : cube->high[v];
    return true;
}

static bool take_comparison(struct efsm__space *space, const char **at, struct efsm__cube *cube) {
    struct efsm__linear left, right;
    uint32_t variable = 0, other = 0;
    bool left_is_bare, right_is_bare, is_number = true;
    if (!take_sum(space, at, &left, &variable, &left_is_bare))
        return false;
    const bool equal = take(at, " == "), below = equal || take(at, " <= "), above = equal || !below;
    if ((!below && !take(at, " >= ")) || !take_sum(space, at, &right, &other, &right_is_bare))
        return false;
    for (uint32_t v = 0; v < space->count; v++)
        is_number = is_number && right.coefficient[v] == 0;
    if (left_is_bare && is_number)
        return bound(space, cube, variable, above, below, right.coefficient[COR_EFSM_VARIABLES_MAX]);
    struct efsm__linear form = left, mirrored = right;
    if (!below || !efsm__linear_add(space, &form, &right, -1) ||
        !efsm__linear_add(space, &mirrored, &left, -1))
        return false;
    efsm__cube_require(space, cube, &form);
    if (equal)
        efsm__cube_require(space, cube, &mirrored);
    return true;
}

const char *efsm__cube_read(struct efsm__space *space, const char *text, struct efsm__cube *cube) {
    const char *at = text;
    if (strcmp(text, "true") == 0)
        return NULL;
    do {
        const char *from = at;
        if (!take_comparison(space, &at, cube))
            return from;
    } while (take(&at, " && "));
    return *at ? at : NULL;
}
