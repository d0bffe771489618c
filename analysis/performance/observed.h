/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is observed of each sequence, and of the failures of each suite. */
#ifndef CORRIDOR_PERFORMANCE_OBSERVED_H
#define CORRIDOR_PERFORMANCE_OBSERVED_H

#include <corridor/depths.h>

/* Observations of one arm, suite after suite; failures summed by suite. */
struct cor__observed {
    double *time; /* owned, like the others */
    bool *event;
    uint32_t *cluster; /* place of its suite among those of the arm */
    size_t n, time_capacity, event_capacity, cluster_capacity;
    double *entered, *gray, *black, *masked; /* failures of each suite */
    size_t entered_capacity, gray_capacity, black_capacity, masked_capacity;
    uint32_t suites;
};

/* Reads a result into `arms`, one an arm of the catalog, and the kill matrices and the number of left out
 * sequences into `depths`. */
enum cor_status cor__depths_observe(struct cor_result *result, struct cor_depths *depths,
                                    struct cor__observed *arms, struct cor_error *error) COR_MUST_USE;

/* Frees what an arm owns. */
void cor__observed_forget(struct cor__observed *arm);

#endif
