/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expressions over values. Types were settled by the parser, so a value needs no kind while it is reckoned
 * with: 64 bits that hold an integer, a word's number (-1: null), a truth value, or, where the node says so,
 * a real. */
#include "evaluate.h"

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
            known[i] = expression__load(node, &values[node->variable]);
        else if (node->reals)
            defined = expression__evaluate_reals(node, known, &known[i]);
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
        *value = cor_real(expression__real_of(bits));
    else if (expression->result == COR_VALUE_WORD)
        *value = bits < 0 ? cor_null() : cor_word((uint32_t)bits);
    else
        *value = cor_integer(bits);
    return true;
}
