/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A result file of the efsm layer: its tables and vectors in memory, and what moves say in words. */
#ifndef CORRIDOR_EFSM_RESULT_H
#define CORRIDOR_EFSM_RESULT_H

#include <corridor/efsm_schema.h>
#include <corridor/result.h>

/* Tables of such a file, [enum cor_efsm_table], and its vectors; the result must outlive them. */
struct cor_efsm_result {
    struct cor_result *result;            /* borrowed */
    const struct cor_result_header *head; /* borrowed */
    void *rows[COR_EFSM_TABLE_COUNT];     /* owned; row structs, by arm and suite */
    uint64_t count[COR_EFSM_TABLE_COUNT];
    double *values;              /* owned; vectors/value */
    uint16_t *outputs, *arities; /* owned; vectors/output, and vectors/arity beside it */
    uint64_t value_count, output_count;
};

/* Reads all of it. COR_STATUS_INPUT: rows name what the catalogs or vectors do not have. */
enum cor_status cor_efsm_result_init(struct cor_result *result, struct cor_efsm_result *model,
                                     struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_efsm_result_fini(struct cor_efsm_result *model);

/* Row `index` of a table. */
const void *cor_efsm_row(const struct cor_efsm_result *model, enum cor_efsm_table table, uint64_t index);

/* First row of a table that is of the suite, and how many there are. */
uint64_t cor_efsm_rows_of(const struct cor_efsm_result *model, enum cor_efsm_table table, uint16_t arm,
                          uint32_t suite, uint64_t *count);

/* The name of a code; "?" if there is none. */
const char *cor_efsm_name(const struct cor_efsm_result *model, enum cor_efsm_catalog catalog, uint16_t code);

#define COR_EFSM_TEXT 400 /* bytes of the texts below, cut off */

/* The input of a move, "AK(1)"; the state that its row has, "x = 3, y = 0"; outputs, "DT(1, 0), Timer.start"
 * or "nothing", whose labels begin at `output_start` and whose arguments at `value_start` of the vectors. */
void cor_efsm_stored_input(const struct cor_efsm_result *model, const struct cor_efsm_move_row *row,
                           char text[COR_EFSM_TEXT]);
void cor_efsm_stored_state(const struct cor_efsm_result *model, const struct cor_efsm_move_row *row,
                           char text[COR_EFSM_TEXT]);
void cor_efsm_outputs_text(const struct cor_efsm_result *model, uint64_t output_start, uint32_t outputs,
                           uint64_t value_start, uint32_t values, char text[COR_EFSM_TEXT]);

/* Why a test ended so, as a sentence with what was observed and what was allowed. */
void cor_efsm_test_text(const struct cor_efsm_result *model, const struct cor_efsm_test_row *row,
                        char text[4 * COR_EFSM_TEXT]);

#endif
