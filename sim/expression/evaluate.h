/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The operators, for value.c, ask.c and degree.c: inlined into their loops. */
#ifndef CORRIDOR_SIM_EXPRESSION_EVALUATE_H
#define CORRIDOR_SIM_EXPRESSION_EVALUATE_H

#include <corridor/expression.h>

#include <math.h>
#include <string.h>

/* Division rounded down; false where it is undefined. */
static inline bool expression__floor_divide(int64_t a, int64_t b, int64_t *value) {
    if (b == 0 || (a == INT64_MIN && b == -1))
        return false;
    *value = a / b - (a % b != 0 && (a < 0) != (b < 0));
    return true;
}

/* Division rounded up. */
static inline bool expression__ceil_divide(int64_t a, int64_t b, int64_t *value) {
    if (b == 0 || (a == INT64_MIN && b == -1))
        return false;
    *value = a / b + (a % b != 0 && (a < 0) == (b < 0));
    return true;
}

/* What expression__floor_divide leaves: of the sign of b. INT64_MIN % -1 is 0, though C leaves it undefined.
 */
static inline bool expression__floor_remainder(int64_t a, int64_t b, int64_t *value) {
    if (b == 0)
        return false;
    int64_t rest = b == -1 ? 0 : a % b;
    *value = rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    return true;
}

/* What an operator gives of its operands, conditions as 0 or 1; false where that is undefined. Always
 * inlined: a unit with several of these loops is one in which a compiler leaves the call, a tenth of what an
 * agent's case takes. */
__attribute__((always_inline)) static inline bool expression__apply(enum cor_operator kind, int64_t a,
                                                                    int64_t b, int64_t *value) {
    switch (kind) {
    case COR_OPERATOR_NEGATE:
        return !__builtin_sub_overflow(INT64_C(0), a, value);
    case COR_OPERATOR_ADD:
        return !__builtin_add_overflow(a, b, value);
    case COR_OPERATOR_SUBTRACT:
        return !__builtin_sub_overflow(a, b, value);
    case COR_OPERATOR_MULTIPLY:
        return !__builtin_mul_overflow(a, b, value);
    case COR_OPERATOR_DIVIDE:
        return expression__floor_divide(a, b, value);
    case COR_OPERATOR_REMAINDER:
        return expression__floor_remainder(a, b, value);
    case COR_OPERATOR_CEIL_DIVIDE:
        return expression__ceil_divide(a, b, value);
    case COR_OPERATOR_MIN:
        *value = a < b ? a : b;
        return true;
    case COR_OPERATOR_MAX:
        *value = a > b ? a : b;
        return true;
    case COR_OPERATOR_ABS:
        *value = a;
        return a >= 0 || !__builtin_sub_overflow(INT64_C(0), a, value);
    case COR_OPERATOR_LESS:
        *value = a < b;
        return true;
    case COR_OPERATOR_LESS_EQUAL:
        *value = a <= b;
        return true;
    case COR_OPERATOR_EQUAL:
        *value = a == b;
        return true;
    case COR_OPERATOR_NOT_EQUAL:
        *value = a != b;
        return true;
    case COR_OPERATOR_AND:
        *value = a && b;
        return true;
    case COR_OPERATOR_OR:
        *value = a || b;
        return true;
    case COR_OPERATOR_NOT:
        *value = !a;
        return true;
    case COR_OPERATOR_CONSTANT:
    case COR_OPERATOR_VARIABLE:
    default: /* of reals and of worlds */
        break;
    }
    return false;
}

/* The value of one node, given those of the nodes before it. */
static inline bool expression__evaluate_node(const struct cor_node *node, const int64_t *values,
                                             const int64_t *known, int64_t *value) {
    enum cor_operator kind = node->operator;
    if (kind > COR_OPERATOR_VARIABLE)
        return expression__apply(kind, known[node->left], known[node->right], value);
    *value = kind == COR_OPERATOR_CONSTANT ? node->constant : values[node->variable];
    return true;
}

static inline double expression__real_of(int64_t bits) {
    double real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

static inline int64_t expression__bits_of(double real) {
    int64_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

/* The value of a variable. */
static inline int64_t expression__load(const struct cor_node *node, const struct cor_value *value) {
    switch ((enum cor_value_kind)value->kind) {
    case COR_VALUE_NULL:
        return -1;
    case COR_VALUE_INTEGER:
        return node->reals ? expression__bits_of((double)value->as.integer) : value->as.integer;
    case COR_VALUE_REAL:
        COR_ASSERT(node->reals);
        return expression__bits_of(value->as.real);
    case COR_VALUE_WORD:
        return value->as.word;
    }
    return 0;
}

/* The value of a node that works on reals; false where that is no finite number. */
static inline bool expression__evaluate_reals(const struct cor_node *node, const int64_t *known,
                                              int64_t *value) {
    enum cor_operator kind = node->operator;
    if (kind == COR_OPERATOR_CONSTANT) {
        *value = expression__bits_of(node->real);
        return true;
    }
    if (kind == COR_OPERATOR_TO_REAL) {
        *value = expression__bits_of((double)known[node->left]);
        return true;
    }
    double a = expression__real_of(known[node->left]), b = expression__real_of(known[node->right]), made = 0;
    switch (kind) {
    case COR_OPERATOR_NEGATE:
        made = -a;
        break;
    case COR_OPERATOR_ADD:
        made = a + b;
        break;
    case COR_OPERATOR_SUBTRACT:
        made = a - b;
        break;
    case COR_OPERATOR_MULTIPLY:
        made = a * b;
        break;
    case COR_OPERATOR_DIVIDE:
        if (b == 0)
            return false;
        made = a / b;
        break;
    case COR_OPERATOR_MIN:
        made = b < a ? b : a; /* the first of zeroes of two signs */
        break;
    case COR_OPERATOR_MAX:
        made = b > a ? b : a;
        break;
    case COR_OPERATOR_ABS:
        made = fabs(a);
        break;
    case COR_OPERATOR_LESS:
        *value = a < b;
        return true;
    case COR_OPERATOR_LESS_EQUAL:
        *value = a <= b;
        return true;
    case COR_OPERATOR_EQUAL:
        *value = a == b;
        return true;
    case COR_OPERATOR_NOT_EQUAL:
        *value = a != b;
        return true;
    default:
        return false;
    }
    *value = expression__bits_of(made);
    return isfinite(made);
}

#endif
