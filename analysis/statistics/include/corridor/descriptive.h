/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a sample looks like. Everything is summed in the order of the array. Where a figure is not defined, or
 * a value is NaN, the figure is NaN. */
#ifndef CORRIDOR_DESCRIPTIVE_H
#define CORRIDOR_DESCRIPTIVE_H

#include <stddef.h>
#include <stdint.h>

/* Mean and spread in one pass and fixed memory (Welford, Technometrics 4, 1962). Starts as {0}. */
struct cor_moments {
    uint64_t n;
    double mean, squares; /* 0 for n = 0; squares: sum of squared deviations from the mean */
};

/* One more value. */
void cor_moments_put(struct cor_moments *moments, double value);

/* Sample standard deviation (n - 1); NaN for n < 2. */
double cor_moments_sd(const struct cor_moments *moments);

/* A ratio sum y / sum x over clusters, in one pass and fixed memory (Welford's recurrence for pairs). Starts
 * as {0}. */
struct cor_ratio_moments {
    uint64_t clusters;
    double mean_y, mean_x, squares_y, squares_x,
        products; /* squares, products: of deviations from the means */
};

/* One more cluster: the sum y of x observations. */
void cor_ratio_moments_put(struct cor_ratio_moments *moments, double y, double x);

/* sum y / sum x; NaN if sum x is 0. */
double cor_ratio_moments_ratio(const struct cor_ratio_moments *moments);

/* Its linearised standard error, sqrt(m / (m - 1) sum (y - r x)^2) / sum x over m clusters (Cochran, Sampling
 * Techniques, 3rd ed., 6.4); NaN for m < 2 or sum x = 0. Its t interval has m - 1 degrees of freedom. */
double cor_ratio_moments_error(const struct cor_ratio_moments *moments);

/* The quantile p in 0..1 of n values in ascending order, linear between order statistics at (n - 1) p: type 7
 * of Hyndman and Fan (American Statistician 50, 1996), the default of R and numpy. NaN for n = 0. */
double cor_quantile(const double *sorted, size_t n, double p);

/* Sorts in ascending order; no value may be NaN. */
void cor_sort(double *values, size_t n);

#endif
