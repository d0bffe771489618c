/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expressions as cubes. What is not linear becomes linear case by case: a remainder by its quotient, a
 * product by the values of one factor, a minimum by which side it is. */
#include "cube.h"

#include <corridor/array.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CASES_MAX 4096 /* of one remainder, quotient or product */

void efsm__pieces_fini(struct efsm__pieces *pieces) {
    for (uint32_t p = 0; p < pieces->count; p++)
        efsm__cube_fini(&pieces->pieces[p].where);
    free(pieces->pieces);
    *pieces = (struct efsm__pieces){0};
}

static void add_piece_take(struct efsm__space *space, struct efsm__pieces *pieces, struct efsm__cube *where,
                           const struct efsm__linear *form) {
    enum cor_status status = COR_RESERVE(&pieces->pieces, &pieces->capacity, pieces->count + 1, space->error);
    if (status != COR_OK) {
        space->status = space->status == COR_OK ? status : space->status;
        efsm__cube_fini(where);
        return;
    }
    pieces->pieces[pieces->count++] = (struct efsm__piece){*where, *form};
}

static void add_piece(struct efsm__space *space, struct efsm__pieces *pieces, const struct efsm__cube *where,
                      const struct efsm__linear *form) {
    struct efsm__cube copy;
    if (efsm__cube_copy(space, where, &copy))
        add_piece_take(space, pieces, &copy, form);
}

/* low <= form <= high within `where`, as a piece of value `value`, unless there is no such point. */
static void add_case(struct efsm__space *space, struct efsm__pieces *pieces, const struct efsm__cube *where,
                     const struct efsm__linear *form, int64_t low, int64_t high,
                     const struct efsm__linear *value) {
    struct efsm__cube cube;
    struct efsm__linear above = efsm__linear_of(low), below = efsm__linear_of(-high);
    if (!efsm__linear_add(space, &above, form, -1) || !efsm__linear_add(space, &below, form, 1) ||
        !efsm__cube_copy(space, where, &cube))
        return;
    efsm__cube_require(space, &cube, &above);
    efsm__cube_require(space, &cube, &below);
    if (efsm__cube_settle(space, &cube))
        add_piece_take(space, pieces, &cube, value);
    else
        efsm__cube_fini(&cube);
}

static bool is_constant(const struct efsm__space *space, const struct efsm__linear *form) {
    for (uint32_t v = 0; v < space->count; v++)
        if (form->coefficient[v] != 0)
            return false;
    return true;
}

static int64_t floor_divide(int64_t a, int64_t b) { /* b > 0 */
    return a / b - (a % b != 0 && a < 0);
}

/* a / m rounded down (or a's remainder), for a constant m > 0: by the quotient. */
static void divide(struct efsm__space *space, const struct efsm__piece *a, int64_t m, bool remainder,
                   struct efsm__pieces *into) {
    const struct cor_value_range range = efsm__linear_range(space, &a->form, &a->where);
    const int64_t first = floor_divide(range.low, m), last = floor_divide(range.high, m);
    if (last - first >= CASES_MAX) {
        space->beyond = true;
        return;
    }
    for (int64_t q = first; q <= last; q++) {
        struct efsm__linear value = efsm__linear_of(remainder ? -q * m : q);
        if (!remainder || efsm__linear_add(space, &value, &a->form, 1))
            add_case(space, into, &a->where, &a->form, q * m, q * m + m - 1, &value);
    }
}

static void multiply(struct efsm__space *space, const struct efsm__cube *where, const struct efsm__linear *a,
                     const struct efsm__linear *b, struct efsm__pieces *into) {
    const struct cor_value_range left = efsm__linear_range(space, a, where),
                                 right = efsm__linear_range(space, b, where);
    const bool by_left =
        is_constant(space, a) || (!is_constant(space, b) && left.high - left.low < right.high - right.low);
    const struct cor_value_range range = by_left ? left : right;
    const struct efsm__linear *factor = by_left ? a : b, *other = by_left ? b : a;
    if (range.high - range.low >= CASES_MAX) {
        space->beyond = true;
        return;
    }
    for (int64_t value = range.low; value <= range.high; value++) {
        struct efsm__linear product = efsm__linear_of(0);
        if (efsm__linear_add(space, &product, other, value))
            add_case(space, into, where, factor, value, value, &product);
    }
}

/* Where a <= b it is a, elsewhere b; the other way round for the greater. */
static void choose(struct efsm__space *space, const struct efsm__cube *where, const struct efsm__linear *a,
                   const struct efsm__linear *b, bool greater, struct efsm__pieces *into) {
    struct efsm__linear difference = *a;
    if (!efsm__linear_add(space, &difference, b, -1))
        return;
    const struct cor_value_range range = efsm__linear_range(space, &difference, where);
    if (range.low <= 0)
        add_case(space, into, where, &difference, range.low, range.high < 0 ? range.high : 0,
                 greater ? b : a);
    if (range.high > 0)
        add_case(space, into, where, &difference, range.low > 1 ? range.low : 1, range.high, greater ? a : b);
}

static void number_pieces(struct efsm__space *space, const struct cor_expression *expression, uint32_t node,
                          const struct efsm__cube *within, struct efsm__pieces *pieces);

static void join_two(struct efsm__space *space, enum cor_operator kind, const struct efsm__piece *a,
                     const struct efsm__piece *b, struct efsm__pieces *into) {
    struct efsm__linear form = a->form;
    switch (kind) {
    case COR_OPERATOR_ADD:
    case COR_OPERATOR_SUBTRACT:
        if (efsm__linear_add(space, &form, &b->form, kind == COR_OPERATOR_ADD ? 1 : -1))
            add_piece(space, into, &b->where, &form);
        break;
    case COR_OPERATOR_MULTIPLY:
        multiply(space, &b->where, &a->form, &b->form, into);
        break;
    case COR_OPERATOR_MIN:
    case COR_OPERATOR_MAX:
        choose(space, &b->where, &a->form, &b->form, kind == COR_OPERATOR_MAX, into);
        break;
    default: { /* divisions, by a positive constant: cor_efsm_read refuses others */
        const struct efsm__piece inner = {b->where, a->form};
        const int64_t m = b->form.coefficient[COR_EFSM_VARIABLES_MAX];
        COR_ASSERT(is_constant(space, &b->form) && m > 0);
        if (kind == COR_OPERATOR_CEIL_DIVIDE) {
            /* ceil(a / m) = floor((a + m - 1) / m) */
            const struct efsm__linear more = efsm__linear_of(m - 1);
            struct efsm__piece shifted = inner;
            if (efsm__linear_add(space, &shifted.form, &more, 1))
                divide(space, &shifted, m, false, into);
        } else {
            divide(space, &inner, m, kind == COR_OPERATOR_REMAINDER, into);
        }
    }
    }
}

static void binary_pieces(struct efsm__space *space, const struct cor_expression *expression,
                          const struct cor_node *node, const struct efsm__cube *within,
                          struct efsm__pieces *pieces) {
    COR_FINISHED(efsm__pieces) struct efsm__pieces left = {0};
    number_pieces(space, expression, node->left, within, &left);
    for (uint32_t l = 0; l < left.count; l++) {
        COR_FINISHED(efsm__pieces) struct efsm__pieces right = {0};
        number_pieces(space, expression, node->right, &left.pieces[l].where, &right);
        for (uint32_t r = 0; r < right.count; r++)
            join_two(space, node->operator, & left.pieces[l], &right.pieces[r], pieces);
    }
}

static void unary_pieces(struct efsm__space *space, const struct cor_expression *expression,
                         const struct cor_node *node, const struct efsm__cube *within,
                         struct efsm__pieces *pieces) {
    COR_FINISHED(efsm__pieces) struct efsm__pieces of = {0};
    number_pieces(space, expression, node->left, within, &of);
    for (uint32_t p = 0; p < of.count; p++) {
        struct efsm__linear negative = efsm__linear_of(0);
        if (!efsm__linear_add(space, &negative, &of.pieces[p].form, -1))
            continue;
        if (node->operator== COR_OPERATOR_NEGATE)
            add_piece(space, pieces, &of.pieces[p].where, &negative);
        else
            choose(space, &of.pieces[p].where, &of.pieces[p].form, &negative, true, pieces);
    }
}

static void number_pieces(struct efsm__space *space, const struct cor_expression *expression, uint32_t index,
                          const struct efsm__cube *within, struct efsm__pieces *pieces) {
    const struct cor_node *node = &expression->nodes[index];
    struct efsm__linear form = efsm__linear_of(0);
    switch (node->operator) {
    case COR_OPERATOR_CONSTANT:
        form = efsm__linear_of(node->constant);
        add_piece(space, pieces, within, &form);
        break;
    case COR_OPERATOR_VARIABLE:
        form.coefficient[node->variable] = 1;
        add_piece(space, pieces, within, &form);
        break;
    case COR_OPERATOR_NEGATE:
    case COR_OPERATOR_ABS:
        unary_pieces(space, expression, node, within, pieces);
        break;
    default:
        binary_pieces(space, expression, node, within, pieces);
    }
}

void efsm__expression_pieces(struct efsm__space *space, const struct cor_expression *expression,
                             const struct efsm__cube *within, struct efsm__pieces *pieces) {
    number_pieces(space, expression, expression->node_count - 1, within, pieces);
}

/* a + shift <= b */
static void add_less(struct efsm__space *space, const struct efsm__cube *where, const struct efsm__linear *a,
                     const struct efsm__linear *b, int64_t shift, struct efsm__cubes *cubes) {
    struct efsm__linear form = efsm__linear_of(shift);
    if (efsm__linear_add(space, &form, a, 1) && efsm__linear_add(space, &form, b, -1)) {
        /* form <= 0 within `where`. */
        struct efsm__cube cube;
        if (!efsm__cube_copy(space, where, &cube))
            return;
        efsm__cube_require(space, &cube, &form);
        if (efsm__cube_settle(space, &cube))
            efsm__cubes_add_take(space, cubes, &cube);
        else
            efsm__cube_fini(&cube);
    }
}

static void compare_linear(struct efsm__space *space, enum cor_operator kind, bool wanted,
                           const struct efsm__cube *where, const struct efsm__linear *a,
                           const struct efsm__linear *b, struct efsm__cubes *cubes) {
    switch (kind) {
    case COR_OPERATOR_LESS:
        wanted ? add_less(space, where, a, b, 1, cubes) : add_less(space, where, b, a, 0, cubes);
        break;
    case COR_OPERATOR_LESS_EQUAL:
        wanted ? add_less(space, where, a, b, 0, cubes) : add_less(space, where, b, a, 1, cubes);
        break;
    default:
        if ((kind == COR_OPERATOR_EQUAL) == wanted) {
            COR_FINISHED(efsm__cubes) struct efsm__cubes half = {0};
            add_less(space, where, a, b, 0, &half);
            for (uint32_t c = 0; c < half.count; c++)
                add_less(space, &half.cubes[c], b, a, 0, cubes);
            break;
        }
        add_less(space, where, a, b, 1, cubes);
        add_less(space, where, b, a, 1, cubes);
    }
}

static void condition_cubes(struct efsm__space *space, const struct cor_expression *expression,
                            uint32_t index, bool wanted, const struct efsm__cube *within,
                            struct efsm__cubes *cubes) {
    const struct cor_node *node = &expression->nodes[index];
    const enum cor_operator kind = node->operator;
    if (kind == COR_OPERATOR_NOT) {
        condition_cubes(space, expression, node->left, !wanted, within, cubes);
    } else if (kind == COR_OPERATOR_AND || kind == COR_OPERATOR_OR) {
        struct efsm__cubes left = {0};
        if ((kind == COR_OPERATOR_AND) == wanted) {
            condition_cubes(space, expression, node->left, wanted, within, &left);
            for (uint32_t c = 0; c < left.count; c++)
                condition_cubes(space, expression, node->right, wanted, &left.cubes[c], cubes);
        } else {
            condition_cubes(space, expression, node->left, wanted, within, cubes);
            condition_cubes(space, expression, node->right, wanted, within, cubes);
        }
        efsm__cubes_fini(&left);
    } else {
        struct efsm__pieces left = {0};
        number_pieces(space, expression, node->left, within, &left);
        for (uint32_t l = 0; l < left.count; l++) {
            COR_FINISHED(efsm__pieces) struct efsm__pieces right = {0};
            number_pieces(space, expression, node->right, &left.pieces[l].where, &right);
            for (uint32_t r = 0; r < right.count; r++)
                compare_linear(space, kind, wanted, &right.pieces[r].where, &left.pieces[l].form,
                               &right.pieces[r].form, cubes);
        }
        efsm__pieces_fini(&left);
    }
}

void efsm__expression_cubes(struct efsm__space *space, const struct cor_expression *expression,
                            const struct efsm__cube *within, struct efsm__cubes *cubes) {
    condition_cubes(space, expression, expression->node_count - 1, true, within, cubes);
}

/* ---- cubes as users write constraints */

static char *and_take(char *text, char *more) {
    return cor_join_take(text, " && ", more);
}

static char *bound_text(const struct efsm__space *space, uint32_t v, const char *sign, int64_t value) {
    COR_FREED char *literal = cor_efsm_literal(space->model, v, value);
    return literal ? cor_format("%s %s %s", space->model->variable_names[v], sign, literal) : NULL;
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
    COR_FREED char *text = cor_strdup("");
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
    if (text && !*text)
        return cor_strdup("0");
    return cor_taken(&text);
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
    COR_FREED char *text = cor_strdup("");
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
    if (text && !*text)
        return cor_strdup("true");
    return cor_taken(&text);
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

static bool take_sign(const char **at, const char *word) {
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
        if (!has_number || take_sign(at, " * ")) {
            if (!take_variable(space, at, variable))
                return false;
            part.coefficient[*variable] = factor;
        } else {
            part.coefficient[COR_EFSM_VARIABLES_MAX] = factor;
        }
        *is_bare = *is_bare && !has_number && parts++ == 0;
        if (!efsm__linear_add(space, sum, &part, 1))
            return false;
    } while (take_sign(at, " + "));
    return true;
}

static bool take_comparison(struct efsm__space *space, const char **at, struct efsm__cube *cube) {
    struct efsm__linear left, right;
    uint32_t variable = 0, other = 0;
    bool left_is_bare, right_is_bare, is_number = true;
    if (!take_sum(space, at, &left, &variable, &left_is_bare))
        return false;
    const bool equal = take_sign(at, " == "), below = equal || take_sign(at, " <= "), above = equal || !below;
    if ((!below && !take_sign(at, " >= ")) || !take_sum(space, at, &right, &other, &right_is_bare))
        return false;
    for (uint32_t v = 0; v < space->count; v++)
        is_number = is_number && right.coefficient[v] == 0;
    if (left_is_bare && is_number) {
        /* Bounds of one variable, which lie in its domain. */
        const int64_t value = right.coefficient[COR_EFSM_VARIABLES_MAX];
        if (value < space->low[variable] || value > space->high[variable])
            return false;
        cube->low[variable] = above ? value : cube->low[variable];
        cube->high[variable] = below ? value : cube->high[variable];
        return true;
    }
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
    } while (take_sign(&at, " && "));
    return *at ? at : NULL;
}
