/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A result file of the estimation layer: its tables in memory. */
#ifndef CORRIDOR_ESTIMATION_RESULT_H
#define CORRIDOR_ESTIMATION_RESULT_H

#include <corridor/estimation_schema.h>
#include <corridor/layer_tables.h>

#define COR_ESTIMATION_STAGES_MAX 256

/* Reads all of it. COR_STATUS_INPUT: a repetition has a value that its method, its failures and its share of
 * the law do not allow, or stages contradict themselves. */
enum cor_status cor_estimation_result_init(struct cor_result *result, struct cor_layer_tables *tables,
                                           struct cor_error *error) COR_MUST_USE;

/* Of mantissa and halvings. */
double cor_estimation_value(double mantissa, uint32_t halvings);

#endif
