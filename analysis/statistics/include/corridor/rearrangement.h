/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Is a difference of two ratios more than chance? Suites are dealt anew between the sides: where the sides
 * are alike, every rearrangement of whole clusters is as likely as what was seen, however few they are and
 * whatever their law (Fisher, The Design of Experiments, 1935, 21; Good, Permutation Tests, 2000, 3.2). */
#ifndef CORRIDOR_REARRANGEMENT_H
#define CORRIDOR_REARRANGEMENT_H

#include <corridor/error.h>
#include <corridor/rng.h>

#include <stdbool.h>

#define COR_REARRANGEMENTS 1999 /* random ones, with which what was seen is counted */

/* Clusters of one side: suites of an arm. */
struct cor_ratio_group {
    const double *y, *x; /* borrowed; [cluster_count] sums of what was observed, and their sizes, from 0 */
    uint32_t cluster_count;
};

/* Two sides. Sides that have their clusters in common swap what a cluster has of each, others deal all
 * clusters out anew, each side as many as it had. */
struct cor_ratio_pair {
    struct cor_ratio_group side[2];
    bool in_common; /* the same cluster_count */
};

/* One-sided p, in (0, 1]; NaN where a side has no observation. A test at level p is exact where sides are
 * alike: p is never below 1 / (number of rearrangements that differ). */
struct cor_rearranged {
    double above; /* that the difference is so great where the first side is not above the second */
    double below; /* that it is so small where the first side is not below the second */
};

/* Of the difference ratio(first) - ratio(second), averaged over the pairs, over its standard error
 * (linearised over clusters), by COR_REARRANGEMENTS rearrangements, in each pair for itself; a number a
 * cluster and rearrangement from `rng`, a stream of purpose COR_PURPOSE_PERMUTATION. Clusters without an
 * observation take no part, of sides that have them in common, those that one side observed nothing in. No
 * cluster may stand in two pairs that have none in common: they would not be dealt alike. COR_STATUS_MEMORY.
 */
enum cor_status cor_rearrange_ratios(const struct cor_ratio_pair *pairs, size_t pair_count,
                                     struct cor_rng *rng, struct cor_rearranged *p,
                                     struct cor_error *error) COR_MUST_USE;

#endif
