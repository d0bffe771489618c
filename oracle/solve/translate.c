/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Node by node, children first. Two things differ between the languages. z3's div leaves a remainder that is
 * never negative, ours rounds down; and z3 gives a division by zero any value, ours none at all. Division by
 * a constant is left to z3, where it is linear. Any other a / b becomes a new integer q, fixed by
 * multiplication: for b > 0, q * b <= a < q * b + b. Such definitions, and that divisors are not 0, are
 * `terms` beside the constraint itself. */
#include "translate.h"

#define TERMS_MAX (4 * COR_EXPRESSION_NODES_MAX + 1)

struct translator {
    Z3_context context;
    const struct cor_expression *constraint;
    Z3_ast nodes[COR_EXPRESSION_NODES_MAX];
    struct cor_value_range intervals[COR_EXPRESSION_NODES_MAX];
    Z3_ast terms[TERMS_MAX]; /* what must hold as well */
    unsigned term_count;
};

static Z3_ast number(Z3_context context, int64_t value) {
    return Z3_mk_int64(context, value, Z3_mk_int_sort(context));
}

static Z3_ast add(Z3_context context, Z3_ast a, Z3_ast b) {
    return Z3_mk_add(context, 2, (Z3_ast[]){a, b});
}

static Z3_ast subtract(Z3_context context, Z3_ast a, Z3_ast b) {
    return Z3_mk_sub(context, 2, (Z3_ast[]){a, b});
}

static Z3_ast multiply(Z3_context context, Z3_ast a, Z3_ast b) {
    return Z3_mk_mul(context, 2, (Z3_ast[]){a, b});
}

static Z3_ast both(Z3_context context, Z3_ast a, Z3_ast b) {
    return Z3_mk_and(context, 2, (Z3_ast[]){a, b});
}

Z3_ast cor__translate_range(Z3_context context, Z3_ast value, int64_t low, int64_t high) {
    Z3_ast above = low == INT64_MIN ? Z3_mk_true(context) : Z3_mk_ge(context, value, number(context, low));
    Z3_ast below = high == INT64_MAX ? Z3_mk_true(context) : Z3_mk_le(context, value, number(context, high));
    return both(context, above, below);
}

static void require(struct translator *t, Z3_ast term) {
    COR_ASSERT(t->term_count < TERMS_MAX);
    t->terms[t->term_count++] = term;
}

/* a - q * b for the q that rounds down: 0 <= rest < b, or b < rest <= 0. */
static Z3_ast is_rest(struct translator *t, Z3_ast rest, Z3_ast b, bool positive) {
    Z3_context c = t->context;
    Z3_ast zero = number(c, 0);
    return positive ? both(c, Z3_mk_le(c, zero, rest), Z3_mk_lt(c, rest, b))
                    : both(c, Z3_mk_lt(c, b, rest), Z3_mk_le(c, rest, zero));
}

/* A new integer that is a / b, rounded down; `known` bounds it. */
static Z3_ast new_quotient(struct translator *t, Z3_ast a, Z3_ast b, struct cor_value_range divisor,
                           struct cor_value_range known) {
    Z3_context c = t->context;
    Z3_ast q = Z3_mk_fresh_const(c, "quotient", Z3_mk_int_sort(c)), zero = number(c, 0);
    Z3_ast rest = subtract(c, a, multiply(c, q, b));
    if (divisor.low > 0 || divisor.high < 0) {
        require(t, is_rest(t, rest, b, divisor.low > 0));
    } else {
        require(t, Z3_mk_not(c, Z3_mk_eq(c, b, zero)));
        require(t, Z3_mk_implies(c, Z3_mk_gt(c, b, zero), is_rest(t, rest, b, true)));
        require(t, Z3_mk_implies(c, Z3_mk_lt(c, b, zero), is_rest(t, rest, b, false)));
    }
    require(t, cor__translate_range(c, q, known.low, known.high));
    return q;
}

/* a / b rounded down. */
static Z3_ast floor_divide(struct translator *t, Z3_ast a, Z3_ast b, struct cor_value_range divisor,
                           struct cor_value_range known) {
    Z3_context c = t->context;
    if (divisor.low != divisor.high)
        return new_quotient(t, a, b, divisor, known);
    if (divisor.low > 0)
        return Z3_mk_div(c, a, number(c, divisor.low));
    if (divisor.low < 0) /* a / b = -a / -b */
        return Z3_mk_div(c, Z3_mk_unary_minus(c, a), Z3_mk_unary_minus(c, number(c, divisor.low)));
    require(t, Z3_mk_false(c));
    return number(c, 0);
}

/* What is known of the quotient of a remainder: nothing that helps. */
static const struct cor_value_range anything = {INT64_MIN, INT64_MAX};

static Z3_ast remainder_of(struct translator *t, Z3_ast a, Z3_ast b, struct cor_value_range divisor) {
    Z3_context c = t->context;
    if (divisor.low == divisor.high && divisor.low > 0)
        return Z3_mk_mod(c, a, number(c, divisor.low));
    return subtract(c, a, multiply(c, floor_divide(t, a, b, divisor, anything), b));
}

/* a / b rounded up: -(-a / b). */
static Z3_ast ceil_divide(struct translator *t, Z3_ast a, Z3_ast b, struct cor_value_range divisor,
                          struct cor_value_range known) {
    Z3_context c = t->context;
    struct cor_value_range mirrored = anything;
    if (known.low <= known.high && known.low != INT64_MIN && known.high != INT64_MAX)
        mirrored = (struct cor_value_range){-known.high, -known.low};
    return Z3_mk_unary_minus(c, floor_divide(t, Z3_mk_unary_minus(c, a), b, divisor, mirrored));
}

static Z3_ast translate_node(struct translator *t, uint32_t index, const Z3_ast *variables) {
    const struct cor_node *node = &t->constraint->nodes[index];
    Z3_context c = t->context;
    Z3_ast a = t->nodes[node->left], b = t->nodes[node->right];
    struct cor_value_range right = t->intervals[node->right], known = t->intervals[index];
    switch (node->operator) {
    case COR_OPERATOR_CONSTANT:
        return number(c, node->constant);
    case COR_OPERATOR_VARIABLE:
        return variables[node->variable];
    case COR_OPERATOR_NEGATE:
        return Z3_mk_unary_minus(c, a);
    case COR_OPERATOR_ADD:
        return add(c, a, b);
    case COR_OPERATOR_SUBTRACT:
        return subtract(c, a, b);
    case COR_OPERATOR_MULTIPLY:
        return multiply(c, a, b);
    case COR_OPERATOR_DIVIDE:
        return floor_divide(t, a, b, right, known);
    case COR_OPERATOR_REMAINDER:
        return remainder_of(t, a, b, right);
    case COR_OPERATOR_CEIL_DIVIDE:
        return ceil_divide(t, a, b, right, known);
    case COR_OPERATOR_MIN:
        return Z3_mk_ite(c, Z3_mk_le(c, a, b), a, b);
    case COR_OPERATOR_MAX:
        return Z3_mk_ite(c, Z3_mk_ge(c, a, b), a, b);
    case COR_OPERATOR_ABS:
        return Z3_mk_ite(c, Z3_mk_ge(c, a, number(c, 0)), a, Z3_mk_unary_minus(c, a));
    case COR_OPERATOR_LESS:
        return Z3_mk_lt(c, a, b);
    case COR_OPERATOR_LESS_EQUAL:
        return Z3_mk_le(c, a, b);
    case COR_OPERATOR_EQUAL:
        return Z3_mk_eq(c, a, b);
    case COR_OPERATOR_NOT_EQUAL:
        return Z3_mk_not(c, Z3_mk_eq(c, a, b));
    case COR_OPERATOR_AND:
        return both(c, a, b);
    case COR_OPERATOR_OR:
        return Z3_mk_or(c, 2, (Z3_ast[]){a, b});
    case COR_OPERATOR_NOT:
        return Z3_mk_not(c, a);
    }
    cor__assertion_failed("operator is one of cor_operator", __FILE__, __LINE__);
}

Z3_ast cor__translate(Z3_context context, const Z3_ast *variables, const int64_t *low, const int64_t *high,
                      const struct cor_expression *constraint) {
    struct translator t;
    t.context = context;
    t.constraint = constraint;
    t.term_count = 0;
    t.nodes[0] = NULL; /* leaves have no children, but their indices are 0 */
    cor_expression_intervals(constraint, low, high, t.intervals);
    for (uint32_t i = 0; i < constraint->node_count; i++)
        t.nodes[i] = translate_node(&t, i, variables);
    require(&t, t.nodes[constraint->node_count - 1]);
    return Z3_mk_and(context, t.term_count, t.terms);
}
