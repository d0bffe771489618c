/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expressions as cubes. What is not linear becomes linear case by case: a remainder by its quotient, a
 * product by the values of one factor, a minimum by which side it is. */
#include "cube.h"

#include <corridor/array.h>

#include <stdlib.h>

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
    struct efsm__pieces left = {0};
    number_pieces(space, expression, node->left, within, &left);
    for (uint32_t l = 0; l < left.count; l++) {
        struct efsm__pieces right = {0};
        number_pieces(space, expression, node->right, &left.pieces[l].where, &right);
        for (uint32_t r = 0; r < right.count; r++)
            join_two(space, node->operator, & left.pieces[l], &right.pieces[r], pieces);
        efsm__pieces_fini(&right);
    }
    efsm__pieces_fini(&left);
}

static void unary_pieces(struct efsm__space *space, const struct cor_expression *expression,
                         const struct cor_node *node, const struct efsm__cube *within,
                         struct efsm__pieces *pieces) {
    struct efsm__pieces of = {0};
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
    efsm__pieces_fini(&of);
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

static void compare(struct efsm__space *space, enum cor_operator kind, bool wanted,
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
            struct efsm__cubes half = {0};
            add_less(space, where, a, b, 0, &half);
            for (uint32_t c = 0; c < half.count; c++)
                add_less(space, &half.cubes[c], b, a, 0, cubes);
            efsm__cubes_fini(&half);
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
            struct efsm__pieces right = {0};
            number_pieces(space, expression, node->right, &left.pieces[l].where, &right);
            for (uint32_t r = 0; r < right.count; r++)
                compare(space, kind, wanted, &right.pieces[r].where, &left.pieces[l].form,
                        &right.pieces[r].form, cubes);
            efsm__pieces_fini(&right);
        }
        efsm__pieces_fini(&left);
    }
}

void efsm__expression_cubes(struct efsm__space *space, const struct cor_expression *expression,
                            const struct efsm__cube *within, struct efsm__cubes *cubes) {
    condition_cubes(space, expression, expression->node_count - 1, true, within, cubes);
}
