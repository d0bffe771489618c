/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Censored times in ascending order, private to the room. */
#ifndef CORRIDOR_STATISTICS_TIMES_H
#define CORRIDOR_STATISTICS_TIMES_H

#include "order.h"

/* Checks n times and orders them; *places is to be freed by the caller, also on an error. */
enum cor_status cor__times_order(const double *time, size_t n, struct cor__place **places,
                                 struct cor_error *error) COR_MUST_USE;

#endif
