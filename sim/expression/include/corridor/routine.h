/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expressions over integers that are evaluated over and over, made into straight-line code: names and
 * constants are resolved to cells of one array, so that only what operators do is left, and what must hold is
 * looked at as soon as it is known. Values and what is undefined are those of cor_expression_value and
 * cor_expression_holds. */
#ifndef CORRIDOR_ROUTINE_H
#define CORRIDOR_ROUTINE_H

#include <corridor/expression.h>

/* What the caller's array of cells must have room for at most. */
#define COR_CELLS_MAX 4096

/* An operator over cells: what it makes of `left` and `right` goes into `into`. */
struct cor_operation {
    uint8_t operator;           /* enum cor_operator, CONSTANT and VARIABLE excepted */
    bool must_hold;             /* a condition that ends the part if it is false */
    uint16_t left, right, into; /* cells; unary: left */
};

/* Operations first .. end - 1. */
struct cor_part {
    uint32_t first, end;
};

/* Parts, one behind the other, over one array of cells; running them changes nothing here. Made by
 * cor_routine_init, freed by cor_routine_fini. */
struct cor_routine {
    struct cor_operation *operations; /* owned */
    size_t operation_count, operation_capacity;
    int64_t *cells; /* owned; to begin with: 0 for variables, cell v for variable v; constants; 0 elsewhere */
    size_t cell_count, cell_capacity;
    uint16_t *scratch; /* owned; cells for results, used again in each part */
    size_t scratch_count, scratch_capacity, scratch_used;
};

/* A routine without operations over so many variables. */
enum cor_status cor_routine_init(struct cor_routine *routine, uint32_t variables,
                                 struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent; does nothing to a routine of zeros. */
void cor_routine_fini(struct cor_routine *routine);

/* Begins a part, which has no operations yet. Results of the parts before are lost when it is run. */
struct cor_part cor_routine_begin(struct cor_routine *routine);

/* Adds a number to the part that was begun last; *cell is where its value stands once the part has run. */
enum cor_status cor_routine_add_value(struct cor_routine *routine, const struct cor_expression *expression,
                                      struct cor_part *part, uint16_t *cell,
                                      struct cor_error *error) COR_MUST_USE;

/* Adds a constraint to it. COR_STATUS_INPUT, here and above: there would be more than COR_CELLS_MAX cells. */
enum cor_status cor_routine_add_constraint(struct cor_routine *routine,
                                           const struct cor_expression *expression, struct cor_part *part,
                                           struct cor_error *error) COR_MUST_USE;

/* Runs a part over cells, which were copied from `routine->cells` and whose variables have values. False:
 * something is undefined, or a constraint does not hold. */
bool cor_routine_run(const struct cor_routine *routine, struct cor_part part, int64_t *cells);

#endif
