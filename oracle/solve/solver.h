/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A question and its answer between a solver and z3's process: plain bytes, in this order. */
#ifndef CORRIDOR_ORACLE_SOLVE_SOLVER_H
#define CORRIDOR_ORACLE_SOLVE_SOLVER_H

#include "process.h"

#include <corridor/solve.h>

enum solve__what { SOLVE__ASK, SOLVE__MINIMISE, SOLVE__PROJECT };

/* Behind it: low [variable_count], high, and whether eliminated as 0 or 1, 64 bits each; expressions as
 * struct solve__shape and nodes; of MINIMISE the last is the objective. */
struct solve__request {
    uint64_t size; /* with what is behind it */
    uint32_t what, work, expression_count, by_models;
    int64_t objective_low;
};

struct solve__shape {
    uint32_t node_count;
    uint32_t is_constraint;
};

/* Behind it: values [variable_count], nodes. */
struct solve__reply {
    struct solve__answer head;
    enum cor_answer answer;
    int64_t value, low;
    uint32_t exact, node_count;
};

/* z3's process: answers what comes through the socket until it is closed. */
void solve__serve(const struct cor_problem *problem, int socket);

/* COR_STATUS_INPUT: reals, words and truth values have no place among the integers of a problem. */
enum cor_status solve__refuse_values(const struct cor_expression *constraints, uint32_t count,
                                     struct cor_error *error) COR_MUST_USE;

#endif
