/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A result file of the system layer (papers 001 and 002): its tables and texts in memory, and what turns,
 * places and states are in words. */
#ifndef CORRIDOR_SYSTEM_RESULT_H
#define CORRIDOR_SYSTEM_RESULT_H

#include <corridor/layer_tables.h>
#include <corridor/system_schema.h>

/* Reads all of it. COR_STATUS_INPUT: a row names a text, a code or a state that there is not; or rows
 * contradict each other: counts of a test and the rows that they count, its verdict and what judges said,
 * cycles that lie outside of their test. */
enum cor_status cor_system_result_init(struct cor_result *result, struct cor_layer_tables *system,
                                       struct cor_error *error) COR_MUST_USE;

/* The name of a code; "?" if there is none. */
const char *cor_system_name(const struct cor_layer_tables *system, enum cor_system_catalog catalog,
                            uint16_t code);

/* The text of a row, as printf has it with "%.*s": COR_SYSTEM_SAID(system, row, why). Its bytes may be any.
 */
#define COR_SYSTEM_SAID(system, row, text) \
    (int)(row)->text##_bytes, (const char *)(system)->items[COR_SYSTEM_VECTOR_TEXT] + (row)->text##_start

/* Where no cell is: the column of such a row. */
#define COR_SYSTEM_NO_CELL UINT32_MAX

#define COR_SYSTEM_WORDS 400 /* bytes of the texts below, cut off */

/* Named states that hold, and such as are unknown, with a "?": "inside, alarm?"; "none" if there are none of
 * either; "" if the file has no named states. */
void cor_system_states_text(const struct cor_layer_tables *system, uint64_t state, uint64_t unknown,
                            char text[COR_SYSTEM_WORDS]);

/* A cell: "[3, 0]", above the ground "[3, 0] floor 1"; "" where no cell is. */
void cor_system_place_text(uint32_t column, uint32_t row, uint32_t floor, char text[COR_SYSTEM_WORDS]);

#endif
