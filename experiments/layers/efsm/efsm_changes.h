/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Goals that come and go while a test runs. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_EFSM_EFSM_CHANGES_H
#define CORRIDOR_EXPERIMENTS_LAYERS_EFSM_EFSM_CHANGES_H

#include <corridor/efsm_layer.h>

/* "add GOAL at MOVES; drop GOAL when CONDITION" as that member. */
enum cor_status efsm_layer__put_changes(const char *text, struct cor_json_writer *writer,
                                        struct cor_error *error) COR_MUST_USE;

#endif
