/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A result file of the efsm layer: its tables and vectors in memory, and what moves say in words. */
#ifndef CORRIDOR_EFSM_RESULT_H
#define CORRIDOR_EFSM_RESULT_H

#include <corridor/efsm_schema.h>
#include <corridor/layer_tables.h>

/* Reads all of it. COR_STATUS_INPUT: rows name what the catalogs or vectors do not have. */
enum cor_status cor_efsm_result_init(struct cor_result *result, struct cor_layer_tables *model,
                                     struct cor_error *error) COR_MUST_USE;

/* Its vectors: vectors/value; vectors/output, and vectors/arity beside it. */
static inline const double *cor_efsm_values(const struct cor_layer_tables *model) {
    return model->items[COR_EFSM_VECTOR_VALUE];
}
static inline const uint16_t *cor_efsm_outputs(const struct cor_layer_tables *model) {
    return model->items[COR_EFSM_VECTOR_OUTPUT];
}
static inline const uint16_t *cor_efsm_arities(const struct cor_layer_tables *model) {
    return model->items[COR_EFSM_VECTOR_ARITY];
}

/* The name of a code; "?" if there is none. */
const char *cor_efsm_name(const struct cor_layer_tables *model, enum cor_efsm_catalog catalog, uint16_t code);

#define COR_EFSM_TEXT 400 /* bytes of the texts below, cut off */

/* The input of a move, "AK(1)"; the state that its row has, "x = 3, y = 0"; outputs, "DT(1, 0), Timer.start"
 * or "nothing", whose labels begin at `output_start` and whose arguments at `value_start` of the vectors. */
void cor_efsm_stored_input(const struct cor_layer_tables *model, const struct cor_efsm_move_row *row,
                           char text[COR_EFSM_TEXT]);
void cor_efsm_stored_state(const struct cor_layer_tables *model, const struct cor_efsm_move_row *row,
                           char text[COR_EFSM_TEXT]);
void cor_efsm_outputs_text(const struct cor_layer_tables *model, uint64_t output_start, uint32_t outputs,
                           uint64_t value_start, uint32_t values, char text[COR_EFSM_TEXT]);

/* What the system said of goals with its answer to the move, "; add t5; drop t8"; "" = nothing. */
void cor_efsm_told_text(const struct cor_layer_tables *model, const struct cor_efsm_move_row *row,
                        char text[COR_EFSM_TEXT]);

/* Why a test ended so, as a sentence with what was observed and what was allowed. */
void cor_efsm_test_text(const struct cor_layer_tables *model, const struct cor_efsm_test_row *row,
                        char text[4 * COR_EFSM_TEXT]);

#endif
