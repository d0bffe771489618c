/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A result file of the process layer: its tables and texts in memory. */
#ifndef CORRIDOR_PROCESS_RESULT_H
#define CORRIDOR_PROCESS_RESULT_H

#include <corridor/layer_tables.h>
#include <corridor/process_schema.h>

/* Reads all of it. COR_STATUS_INPUT: a row names a text or a code that there is not; or rows contradict each
 * other: counts of a suite and its schedules, the verdict of a schedule and what it says of violations and
 * ends, the events that it keeps and their number. */
enum cor_status cor_process_result_init(struct cor_result *result, struct cor_layer_tables *process,
                                        struct cor_error *error) COR_MUST_USE;

/* The name of a code; "?" if there is none. */
const char *cor_process_name(const struct cor_layer_tables *process, enum cor_process_catalog catalog,
                             uint16_t code);

/* What a schedule failed by: the name of a constraint, or how a process ended; NULL: it did not fail. */
const char *cor_process_failure(const struct cor_layer_tables *process,
                                const struct cor_process_sequence_row *row);

/* The text of a row, as printf has it with "%.*s": COR_PROCESS_SAID(process, row, why). */
#define COR_PROCESS_SAID(process, row, text) \
    (int)(row)->text##_bytes, (const char *)(process)->items[COR_PROCESS_VECTOR_TEXT] + (row)->text##_start

#endif
