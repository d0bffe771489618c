/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expressions over values. Types were settled by the parser, so a value needs no kind while it is reckoned
 * with: 64 bits that hold an integer, a word's number (-1: null), a truth value, or, where the node says so,
 * a real. */
#include "evaluate.h"

#include <math.h>
#include <string.h>

static inline double real_of(int64_t bits) {
    double real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

static inline int64_t bits_of(double real) {
    int64_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

static inline int64_t load(const struct cor_node *node, const struct cor_value *value) {
    switch ((enum cor_value_kind)value->kind) {
    case COR_VALUE_NULL:
        return -1;
    case COR_VALUE_INTEGER:
        return node->reals ? bits_of((double)value->as.integer) : value->as.integer;
    case COR_VALUE_REAL:
        COR_ASSERT(node->reals);
        return bits_of(value->as.real);
    case COR_VALUE_WORD:
        return value->as.word;
    }
    return 0;
}

/* The value of a node that works on reals; false where that is no finite number. */
static bool evaluate_reals(const struct cor_node *node, const int64_t *known, int64_t *value) {
    enum cor_operator kind = node->operator;
    if (kind == COR_OPERATOR_CONSTANT) {
        *value = bits_of(node->real);
        return true;
    }
    if (kind == COR_OPERATOR_TO_REAL) {
        *value = bits_of((double)known[node->left]);
        return true;
    }
    double a = real_of(known[node->left]), b = real_of(known[node->right]), made = 0;
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
        made = a < b ? a : b;
        break;
    case COR_OPERATOR_MAX:
        made = a > b ? a : b;
        break;
    case COR_OPERATOR_ABS:
        made = a < 0 ? -a : a;
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
    *value = bits_of(made);
    return isfinite(made);
}

/* The value of the root; false if any part is undefined. */
static bool evaluate(const struct cor_expression *expression, const struct cor_value *values,
                     int64_t *value) {
    int64_t known[COR_EXPRESSION_NODES_MAX];
    uint32_t count = expression->node_count;
    COR_ASSERT(count > 0 && count <= COR_EXPRESSION_NODES_MAX);
    for (uint32_t i = 0; i < count; i++) {
        const struct cor_node *node = &expression->nodes[i];
        enum cor_operator kind = node->operator;
        bool defined = true;
        if (kind == COR_OPERATOR_VARIABLE)
            known[i] = load(node, &values[node->variable]);
        else if (node->reals)
            defined = evaluate_reals(node, known, &known[i]);
        else
            defined = expression__evaluate_node(node, NULL, known, &known[i]);
        if (!defined)
            return false;
    }
    *value = known[count - 1];
    return true;
}

bool cor_expression_judge(const struct cor_expression *expression, const struct cor_value *values) {
    COR_ASSERT(expression->is_constraint);
    int64_t value;
    return evaluate(expression, values, &value) && value != 0;
}

bool cor_expression_evaluate(const struct cor_expression *expression, const struct cor_value *values,
                             struct cor_value *value) {
    int64_t bits;
    if (!evaluate(expression, values, &bits))
        return false;
    if (expression->result == COR_VALUE_REAL)
        *value = cor_real(real_of(bits));
    else if (expression->result == COR_VALUE_WORD)
        *value = bits < 0 ? cor_null() : cor_word((uint32_t)bits);
    else
        *value = cor_integer(bits);
    return true;
}
