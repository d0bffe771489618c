/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "statement.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

void efsm__statement_fini(struct efsm__statement *statement) {
    for (uint32_t c = 0; c < statement->constraint_count; c++)
        cor_expression_fini(&statement->constraints[c]);
    free(statement->constraints);
    free(statement->low);
    free(statement->high);
    statement->constraints = NULL;
    statement->low = statement->high = NULL;
    statement->constraint_count = statement->variable_count = 0;
}

static void note(struct efsm__statement *statement, enum cor_status status) {
    if (statement->status == COR_OK)
        statement->status = status;
}

uint32_t efsm__declare(struct efsm__statement *s, int64_t low, int64_t high) {
    note(s, COR_RESERVE(&s->low, &s->low_capacity, s->variable_count + 1, s->error));
    note(s, COR_RESERVE(&s->high, &s->high_capacity, s->variable_count + 1, s->error));
    if (s->status != COR_OK)
        return 0;
    s->low[s->variable_count] = low;
    s->high[s->variable_count] = high;
    return s->variable_count++;
}

static uint32_t put(struct efsm__statement *statement, struct cor_node node) {
    if (statement->node_count == COR_EXPRESSION_NODES_MAX) {
        statement->too_large = true;
        return 0;
    }
    statement->nodes[statement->node_count] = node;
    return statement->node_count++;
}

uint32_t efsm__say_constant(struct efsm__statement *statement, int64_t constant) {
    return put(statement, (struct cor_node){.operator= COR_OPERATOR_CONSTANT, .constant = constant});
}

uint32_t efsm__say_variable(struct efsm__statement *statement, uint32_t variable) {
    return put(statement, (struct cor_node){.operator= COR_OPERATOR_VARIABLE, .variable = variable});
}

uint32_t efsm__say_two(struct efsm__statement *statement, enum cor_operator operator, uint32_t left,
                       uint32_t right) {
    if (left == EFSM__NOTHING)
        return right;
    if (right == EFSM__NOTHING)
        return left;
    return put(statement, (struct cor_node){.operator= operator, .left = left, .right = right});
}

uint32_t efsm__say_term(struct efsm__statement *statement, uint32_t sum, int64_t coefficient,
                        uint32_t variable) {
    if (coefficient == 0)
        return sum;
    uint32_t term = efsm__say_variable(statement, variable);
    if (coefficient != 1) {
        const uint32_t times = efsm__say_constant(statement, coefficient);
        term = efsm__say_two(statement, COR_OPERATOR_MULTIPLY, times, term);
    }
    return efsm__say_two(statement, COR_OPERATOR_ADD, sum, term);
}

uint32_t efsm__say_compared(struct efsm__statement *statement, uint32_t sum, enum cor_operator sign,
                            int64_t constant) {
    if (sum == EFSM__NOTHING)
        sum = efsm__say_constant(statement, 0);
    const uint32_t other = efsm__say_constant(statement, constant);
    return efsm__say_two(statement, sign, sum, other);
}

uint32_t efsm__say_bound(struct efsm__statement *statement, uint32_t variable, enum cor_operator sign,
                         int64_t constant) {
    return efsm__say_compared(statement, efsm__say_variable(statement, variable), sign, constant);
}

static void finish(struct efsm__statement *s, uint32_t root, bool is_constraint,
                   struct cor_expression *expression) {
    struct cor_node *nodes = NULL;
    *expression = (struct cor_expression){.node_count = 0};
    if (s->status == COR_OK && !s->too_large) {
        COR_ASSERT(root + 1 == s->node_count);
        nodes = cor_calloc(s->node_count, sizeof *nodes);
        note(s, cor_made(nodes, s->error));
    }
    if (nodes) {
        memcpy(nodes, s->nodes, s->node_count * sizeof *nodes);
        *expression = (struct cor_expression){.nodes = nodes,
                                              .node_count = s->node_count,
                                              .is_constraint = is_constraint,
                                              .integer_only = true,
                                              .result = COR_VALUE_INTEGER};
    }
    s->node_count = 0;
}

void efsm__state(struct efsm__statement *s, uint32_t root) {
    struct cor_expression constraint;
    if (root == EFSM__NOTHING)
        return;
    finish(s, root, true, &constraint);
    note(s, COR_RESERVE(&s->constraints, &s->constraint_capacity, s->constraint_count + 1, s->error));
    if (constraint.nodes && s->status == COR_OK)
        s->constraints[s->constraint_count++] = constraint;
    else
        cor_expression_fini(&constraint);
}

void efsm__state_number(struct efsm__statement *statement, uint32_t root, struct cor_expression *number) {
    finish(statement, root, false, number);
}

void efsm__state_zero(struct efsm__statement *statement, uint32_t sum) {
    if (sum != EFSM__NOTHING)
        efsm__state(statement, efsm__say_compared(statement, sum, COR_OPERATOR_EQUAL, 0));
}
