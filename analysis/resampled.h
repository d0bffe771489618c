/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Intervals of the tables by the cluster bootstrap over suites (bootstrap.h), for those who ask for them:
 * unlike the linearised ones they need the sums of each suite, not only their moments. */
#ifndef CORRIDOR_ANALYSIS_RESAMPLED_H
#define CORRIDOR_ANALYSIS_RESAMPLED_H

#include "moments.h"

#include <corridor/bootstrap.h>

/* What the suites of an arm contribute to a metric, those without an observation left out. Zero is empty. */
struct cor__suite_sums {
    double *y, *x; /* owned: sums of what was observed, and their sizes */
    size_t count, y_capacity, x_capacity;
};

/* Keeps the suite under way; before cor__moments_end_suite. COR_STATUS_MEMORY. */
enum cor_status cor__suite_sums_put(struct cor__suite_sums *sums, const struct cor__moments *moments,
                                    struct cor_error *error) COR_MUST_USE;

/* Frees what was kept. */
void cor__suite_sums_fini(struct cor__suite_sums *sums);

/* Replaces a linearised interval of `figure` by that of the bootstrap, and its error by the standard
 * deviation of the replicates; others (none, Clopper-Pearson) stay. `arm` is the index of the arm in
 * catalog/arm. Draws from the stream (seed, 1 + arm, cor__stream_of(metric), COR_PURPOSE_BOOTSTRAP).
 * COR_STATUS_MEMORY. */
enum cor_status cor__suite_sums_figure(const struct cor__suite_sums *sums, uint64_t seed, size_t arm,
                                       enum cor_metric metric, double level, struct cor_figure *figure,
                                       struct cor_error *error) COR_MUST_USE;

/* Entity of the stream of a metric: the same as in analysis/performance where it has the same figure, so that
 * both say the same interval. */
uint32_t cor__stream_of(enum cor_metric metric);

/* The same method in the words of the tables. */
enum cor_interval cor__interval_of(enum cor_interval method);

#endif
