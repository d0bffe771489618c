/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A question and its answer between a solver and z3's process: plain bytes, in this order. */
#ifndef COR_SOLVE_SOLVER_H
#define COR_SOLVE_SOLVER_H

#include <corridor/solve.h>

enum cor__what { COR__ASK, COR__MINIMISE, COR__PROJECT };

/* Behind it: low [variable_count], high, and whether eliminated as 0 or 1, 64 bits each; expressions as
 * struct cor__shape and nodes; of MINIMISE the last is the objective. */
struct cor__request {
    uint64_t size; /* with what is behind it */
    uint32_t what, work, expression_count, by_models;
    int64_t objective_low;
};

struct cor__shape {
    uint32_t node_count;
    uint32_t is_constraint;
};

/* Behind it: values [variable_count], nodes. */
struct cor__reply {
    uint64_t size;
    enum cor_status status;
    enum cor_answer answer;
    int64_t value, low;
    uint32_t exact, node_count;
    struct cor_error error;
};

/* z3's process: answers what comes through the socket until it is closed. */
void cor__serve(const struct cor_problem *problem, int socket);

/* Whole messages; false when the other end is gone. */
bool cor__send_all(int socket, const void *bytes, size_t size);
bool cor__receive_all(int socket, void *bytes, size_t size);

/* COR_STATUS_INPUT: reals, words and truth values have no place among the integers of a problem. */
enum cor_status cor__refuse_values(const struct cor_expression *constraints, uint32_t count,
                                   struct cor_error *error) COR_MUST_USE;

#endif
