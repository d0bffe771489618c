/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What state.c and adoption.c share. */
#ifndef CORRIDOR_CORE_INTERNAL_H
#define CORRIDOR_CORE_INTERNAL_H

#include <corridor/state.h>

/* Room for so many partitions: while a solution is adopted there may be any number. */
enum cor_status core__structure_reserve(struct cor_structure *structure, uint32_t partitions,
                                        struct cor_error *error) COR_MUST_USE;

/* Members, sums and total anew, where sizes are those of the labels, second memberships not counted. */
void core__state_sum(struct cor_state *state);

#endif
