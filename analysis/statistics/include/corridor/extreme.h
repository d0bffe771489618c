/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How sure an order is: the share of cluster bootstrap resamples (bootstrap.h) in which one of several groups
 * has the greatest or the least ratio. */
#ifndef CORRIDOR_EXTREME_H
#define CORRIDOR_EXTREME_H

#include <corridor/bootstrap.h>

#include <stdbool.h>

/* Clusters of one group: suites of an arm. */
struct cor_ratio_group {
    const double *y, *x; /* borrowed; [cluster_count] sums of what was observed, and their sizes, from 0 */
    uint32_t cluster_count;
};

/* The share of resamples in which group `chosen` has the greatest (sign 1) or least (sign -1) sum y / sum x,
 * ties counted half. Groups without an observation in a resample take no part in it; resamples in which the
 * chosen one has none, or no other has one, are left out; NaN where that is more than half of them. Shared
 * clusters (all groups of the same number) are drawn for all groups alike, else each group's for itself; a
 * number a cluster and resample from plan->rng. COR_STATUS_MEMORY. */
enum cor_status cor_bootstrap_extreme(const struct cor_bootstrap_plan *plan,
                                      const struct cor_ratio_group *groups, uint32_t group_count, bool shared,
                                      uint32_t chosen, int sign, double *share,
                                      struct cor_error *error) COR_MUST_USE;

#endif
