/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The integer operators, for value.c, judge.c, degree.c and routine.c: inlined into their loops. */
#ifndef COR_EXPRESSION_EVALUATE_H
#define COR_EXPRESSION_EVALUATE_H

#include <corridor/expression.h>

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

/* What an operator gives of its operands, conditions as 0 or 1; false where that is undefined. */
static inline bool expression__apply(enum cor_operator kind, int64_t a, int64_t b, int64_t *value) {
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
    case COR_OPERATOR_TO_REAL:
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

#endif
