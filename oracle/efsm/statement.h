/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A problem for z3, put together: integer variables, and constraints node by node. */
#ifndef COR_EFSM_STATEMENT_H
#define COR_EFSM_STATEMENT_H

#include <corridor/solve.h>

#define COR__NOTHING UINT32_MAX /* no node; joined with another it gives that one */

struct cor__statement {
    int64_t *low, *high; /* owned; of the variables */
    uint32_t variable_count;
    size_t low_capacity, high_capacity;
    struct cor_expression *constraints; /* owned */
    uint32_t constraint_count;
    size_t constraint_capacity;
    struct cor_node nodes[COR_EXPRESSION_NODES_MAX]; /* of the constraint under way */
    uint32_t node_count;
    bool too_large; /* some constraint had more nodes than an expression may have */
    enum cor_status status;
    struct cor_error *error;
};

/* Idempotent. */
void cor__statement_fini(struct cor__statement *statement);

/* A new variable of this range; its number. */
uint32_t cor__declare(struct cor__statement *statement, int64_t low, int64_t high);

/* Nodes of the constraint under way. */
uint32_t cor__say_constant(struct cor__statement *statement, int64_t constant);
uint32_t cor__say_variable(struct cor__statement *statement, uint32_t variable);
/* COR__NOTHING on a side leaves the other. */
uint32_t cor__say_two(struct cor__statement *statement, enum cor_operator operator, uint32_t left,
                      uint32_t right);
/* sum + coefficient * variable; COR__NOTHING as a sum is 0. */
uint32_t cor__say_term(struct cor__statement *statement, uint32_t sum, int64_t coefficient,
                       uint32_t variable);
/* sum sign constant; the sum COR__NOTHING is 0. */
uint32_t cor__say_compared(struct cor__statement *statement, uint32_t sum, enum cor_operator sign,
                           int64_t constant);
/* variable sign constant */
uint32_t cor__say_bound(struct cor__statement *statement, uint32_t variable, enum cor_operator sign,
                        int64_t constant);
/* sum = 0, as a constraint of its own. */
void cor__state_zero(struct cor__statement *statement, uint32_t sum);

/* The nodes under way, of which `root` must be the last, become a constraint; COR__NOTHING: none. */
void cor__state(struct cor__statement *statement, uint32_t root);
/* They become a number. */
void cor__state_number(struct cor__statement *statement, uint32_t root, struct cor_expression *number);

#endif
