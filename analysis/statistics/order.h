/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Orders and ranks, and censored times in ascending order; private to the room. */
#ifndef CORRIDOR_ANALYSIS_STATISTICS_ORDER_H
#define CORRIDOR_ANALYSIS_STATISTICS_ORDER_H

#include <corridor/error.h>

#include <stddef.h>

struct statistics__place {
    double value;
    size_t index; /* where it was */
};

/* The values in ascending order, equal ones by index; none may be NaN. `places` has room for n. */
void statistics__order(const double *values, size_t n, struct statistics__place *places);

/* Ranks 1..n of the ordered places into rank[index], equal values sharing the mean of theirs. Returns sum
 * (t^3 - t) over groups of t equal values: 0 if there are no ties. */
double statistics__mid_ranks(const struct statistics__place *places, size_t n, double *rank);

/* Checks n times and orders them; *places is to be freed by the caller, also on an error. */
enum cor_status statistics__times_order(const double *time, size_t n, struct statistics__place **places,
                                        struct cor_error *error) COR_MUST_USE;

#endif
