/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A problem for z3, put together: integer variables, and constraints node by node. */
#ifndef CORRIDOR_ORACLE_EFSM_STATEMENT_H
#define CORRIDOR_ORACLE_EFSM_STATEMENT_H

#include <corridor/solve.h>

#define EFSM__NOTHING UINT32_MAX /* no node; joined with another it gives that one */

struct efsm__statement {
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
void efsm__statement_fini(struct efsm__statement *statement);

/* A new variable of this range; its number. */
uint32_t efsm__declare(struct efsm__statement *statement, int64_t low, int64_t high);

/* Nodes of the constraint under way. */
uint32_t efsm__say_constant(struct efsm__statement *statement, int64_t constant);
uint32_t efsm__say_variable(struct efsm__statement *statement, uint32_t variable);
/* EFSM__NOTHING on a side leaves the other. */
uint32_t efsm__say_two(struct efsm__statement *statement, enum cor_operator operator, uint32_t left,
                       uint32_t right);
/* sum + coefficient * variable; EFSM__NOTHING as a sum is 0. */
uint32_t efsm__say_term(struct efsm__statement *statement, uint32_t sum, int64_t coefficient,
                        uint32_t variable);
/* sum sign constant; the sum EFSM__NOTHING is 0. */
uint32_t efsm__say_compared(struct efsm__statement *statement, uint32_t sum, enum cor_operator sign,
                            int64_t constant);
/* variable sign constant */
uint32_t efsm__say_bound(struct efsm__statement *statement, uint32_t variable, enum cor_operator sign,
                         int64_t constant);
/* sum = 0, as a constraint of its own. */
void efsm__state_zero(struct efsm__statement *statement, uint32_t sum);

/* The nodes under way, of which `root` must be the last, become a constraint; EFSM__NOTHING: none. */
void efsm__state(struct efsm__statement *statement, uint32_t root);
/* They become a number. */
void efsm__state_number(struct efsm__statement *statement, uint32_t root, struct cor_expression *number);

#endif
