/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The arithmetic of BCa intervals, apart from the drawing. */
#ifndef CORRIDOR_ANALYSIS_STATISTICS_BCA_H
#define CORRIDOR_ANALYSIS_STATISTICS_BCA_H

#include <corridor/bootstrap.h>

/* The acceleration from the estimates that leave out one cluster each, stratum after stratum; NaN if one of
 * them is not finite or if they do not differ. */
double statistics__acceleration(const double *jackknife, const uint32_t *stratum_size,
                                uint32_t stratum_count);

/* The interval from `count` replicates, which are sorted in place; replicates that are not finite are
 * dropped. */
struct cor_bootstrap statistics__bca(double estimate, double *replicate, uint32_t count, double acceleration,
                                     double level);

#endif
