/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Means over sequences, their spread, and their intervals when sequences come in suites. All in one pass and
 * in fixed memory (descriptive.h). */
#ifndef CORRIDOR_ANALYSIS_MOMENTS_H
#define CORRIDOR_ANALYSIS_MOMENTS_H

#include <corridor/descriptive.h>
#include <corridor/tables.h>

#include <stdint.h>

struct cor__moments {
    struct cor_moments all; /* over observations */
    uint64_t suite_n;       /* of the suite under way */
    double suite_sum;
    struct cor_ratio_moments
        suites; /* with at least one observation: sums y of what was observed and their sizes x */
};

/* One observation. */
void cor__moments_put(struct cor__moments *moments, double value);

/* `whole` observations at once, 100 for `part` of them and 0 for the others. For a SHARE only: no standard
 * deviation is kept. */
void cor__moments_put_share(struct cor__moments *moments, uint64_t part, uint64_t whole);

/* The end of a suite. */
void cor__moments_end_suite(struct cor__moments *moments);

/* The figure: mean, sd, n, suites and interval at `level`; NaN for what is not available. */
void cor__moments_figure(const struct cor__moments *moments, enum cor_metric_kind kind, double level,
                         struct cor_figure *figure);

#endif
