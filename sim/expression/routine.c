/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expressions as straight-line code over cells. */
#include <corridor/routine.h>

#include "evaluate.h"

#include <corridor/array.h>

#include <stdlib.h>

static enum cor_status new_cell(struct cor_routine *routine, int64_t value, uint16_t *cell,
                                struct cor_error *error) {
    if (routine->cell_count == COR_CELLS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "use fewer constraints, or shorter ones",
                        "bounds and constraints work with more than %d different numbers", COR_CELLS_MAX);
    COR_TRY(COR_RESERVE(&routine->cells, &routine->cell_capacity, routine->cell_count + 1, error));
    *cell = (uint16_t)routine->cell_count;
    routine->cells[routine->cell_count++] = value;
    return COR_OK;
}

enum cor_status cor_routine_init(struct cor_routine *routine, uint32_t variables, struct cor_error *error) {
    uint16_t cell;
    *routine = (struct cor_routine){0};
    /* Both arrays are there even if they are empty: nobody has to ask. */
    COR_TRY(COR_RESERVE(&routine->cells, &routine->cell_capacity, (size_t)variables + 1, error));
    COR_TRY(COR_RESERVE(&routine->operations, &routine->operation_capacity, 1, error));
    for (uint32_t v = 0; v < variables; v++)
        COR_TRY(new_cell(routine, 0, &cell, error));
    return COR_OK;
}

void cor_routine_fini(struct cor_routine *routine) {
    free(routine->operations);
    free(routine->cells);
    free(routine->scratch);
    *routine = (struct cor_routine){0};
}

struct cor_part cor_routine_begin(struct cor_routine *routine) {
    routine->scratch_used = 0;
    return (struct cor_part){(uint32_t)routine->operation_count, (uint32_t)routine->operation_count};
}

/* The cell of a node; `cells` has those of the nodes before. A conjunction that must hold is no operation of
 * its own: both its sides must. */
static enum cor_status add_node(struct cor_routine *routine, const struct cor_node *node, bool must_hold,
                                const uint16_t *cells, uint16_t *cell, struct cor_error *error) {
    enum cor_operator kind = node->operator;
    if (kind == COR_OPERATOR_VARIABLE) {
        *cell = (uint16_t)node->variable;
        return COR_OK;
    }
    if (kind == COR_OPERATOR_CONSTANT)
        return new_cell(routine, node->constant, cell, error);
    *cell = 0;
    if (must_hold && kind == COR_OPERATOR_AND)
        return COR_OK;
    /* A cell for a result that no other of the part has. */
    if (routine->scratch_used == routine->scratch_count) {
        COR_TRY(
            COR_RESERVE(&routine->scratch, &routine->scratch_capacity, routine->scratch_count + 1, error));
        COR_TRY(new_cell(routine, 0, &routine->scratch[routine->scratch_count], error));
        routine->scratch_count++;
    }
    *cell = routine->scratch[routine->scratch_used++];
    COR_TRY(
        COR_RESERVE(&routine->operations, &routine->operation_capacity, routine->operation_count + 1, error));
    routine->operations[routine->operation_count++] =
        (struct cor_operation){(uint8_t)kind, must_hold, cells[node->left], cells[node->right], *cell};
    return COR_OK;
}

static enum cor_status add(struct cor_routine *routine, const struct cor_expression *expression,
                           struct cor_part *part, uint16_t *cell, struct cor_error *error) {
    uint16_t cells[COR_EXPRESSION_NODES_MAX];
    bool must_hold[COR_EXPRESSION_NODES_MAX] = {false};
    COR_ASSERT(expression->integer_only && expression->node_count > 0 &&
               part->end == routine->operation_count);
    if (expression->is_constraint) {
        /* Which nodes must hold for the root to do. */
        must_hold[expression->node_count - 1] = true;
        for (uint32_t i = expression->node_count; i-- > 0;) {
            const struct cor_node *node = &expression->nodes[i];
            enum cor_operator kind = node->operator;
            if (must_hold[i] && kind == COR_OPERATOR_AND)
                must_hold[node->left] = must_hold[node->right] = true;
        }
    }
    for (uint32_t i = 0; i < expression->node_count; i++)
        COR_TRY(add_node(routine, &expression->nodes[i], must_hold[i], cells, &cells[i], error));
    part->end = (uint32_t)routine->operation_count;
    *cell = cells[expression->node_count - 1];
    return COR_OK;
}

enum cor_status cor_routine_add_value(struct cor_routine *routine, const struct cor_expression *expression,
                                      struct cor_part *part, uint16_t *cell, struct cor_error *error) {
    COR_ASSERT(!expression->is_constraint);
    return add(routine, expression, part, cell, error);
}

enum cor_status cor_routine_add_constraint(struct cor_routine *routine,
                                           const struct cor_expression *expression, struct cor_part *part,
                                           struct cor_error *error) {
    uint16_t cell;
    COR_ASSERT(expression->is_constraint);
    return add(routine, expression, part, &cell, error);
}

bool cor_routine_run(const struct cor_routine *routine, struct cor_part part, int64_t *cells) {
    const struct cor_operation *end = routine->operations + part.end;
    for (const struct cor_operation *at = routine->operations + part.first; at < end; at++) {
        enum cor_operator kind = (enum cor_operator)at->operator;
        if (!expression__apply(kind, cells[at->left], cells[at->right], &cells[at->into]) ||
            (at->must_hold && cells[at->into] == 0))
            return false;
    }
    return true;
}
