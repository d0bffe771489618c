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

/* ---- intervals of a share: `successes` among `n` independent trials of one probability. For trials that
 * come in alike clusters these intervals are too narrow: see bootstrap.h */

/* An interval; both ends are NaN where there is none. */
struct cor_bounds {
    double low, high;
};

/* GSL ends the process at what it cannot compute; from now on it gives NaN, which every reader of a figure
 * takes for "not available". To be called once, first thing in main. */
void cor_statistics_begin(void);

/* Score interval (Wilson, JASA 22, 1927): all p that a test with the normal approximation, taken at p, does
 * not reject. On average it holds the level, for single p it may miss it a little. Within 0..1; successes <=
 * n, level in (0, 1); NaN for n = 0. */
struct cor_bounds cor_proportion_wilson(uint64_t successes, uint64_t n, double level);

/* Exact interval (Clopper and Pearson, Biometrika 26, 1934): quantiles of beta distributions. Holds at least
 * the level for every p. Ranges as above. Ends agree with other implementations to 1e-9 of their value up to
 * n = 10^7. */
struct cor_bounds cor_proportion_clopper_pearson(uint64_t successes, uint64_t n, double level);

/* ---- what was not seen yet: n independent draws from an unknown law over classes (states, violations,
 * structures
 * ...) were counted. f1 classes occurred once, f2 twice. Draws along a Markov chain are not independent: take
 * one a sequence, or read the figures as rough */

/* All that the estimates below need of a sample. */
struct cor_unseen_counts {
    uint64_t draws, classes, once, twice; /* n, classes seen, f1, f2 */
};

/* From the number of occurrences of each class; zeros are classes not seen. */
struct cor_unseen_counts cor_unseen_count(const uint64_t *occurrences, size_t class_count);

/* Chance that the next draw is a new class, as Good and Turing estimate it (Good, Biometrika 40, 1953): f1 /
 * n, NaN for n = 0. With f1 = 0 it is 0, which means small, not nothing. */
double cor_missing_mass(const struct cor_unseen_counts *counts);

/* At least so many classes exist: Chao's lower bound (Scand. J. Stat. 11, 1984), seen + (n - 1) / n f1^2 / (2
 * f2), or with f1 (f1 - 1) / 2 where f2 = 0; the factor (n - 1) / n as in Chao et al., Ecol. Monogr. 84,
 * 2014, appendix. NaN for n = 0. */
double cor_chao(const struct cor_unseen_counts *counts);

/* ---- estimates of a small probability, one value a repetition: repetitions are independent, their mean is
 * unbiased, and most of the values may be 0 */

/* Rule by which a sample carries an interval: so many effective repetitions. None of its values has more than
 * 1 / sqrt(20), 22 %, of their sum then: (sum v)^2 / sum v^2 is at most (sum v)^2 / v^2 for each of them. */
#define COR_WEIGHTED_EFFECTIVE_MIN 20

/* Values, in one pass and fixed memory, however small they are. Starts as {0}. */
struct cor_weighted {
    uint64_t n, some;     /* values; those that are not 0 */
    double largest;       /* in absolute value; the unit of what follows */
    double mean, squares; /* squares: sum of squared deviations from the mean */
    double sum, sum_of_squares;
};

/* One more; finite. */
void cor_weighted_put(struct cor_weighted *weighted, double value);

/* Their mean, 0 for n = 0; and its standard error, NaN for n < 2. */
double cor_weighted_mean(const struct cor_weighted *weighted);
double cor_weighted_error(const struct cor_weighted *weighted);

/* (sum v)^2 / sum v^2: so many equal values would say as much; 0 where all are 0. */
double cor_weighted_effective(const struct cor_weighted *weighted);

/* Student's t interval of the mean, clipped to 0 .. 1; n >= 2. `extra`: a variance that is added to that of
 * the mean.
 */
struct cor_bounds cor_weighted_bounds(const struct cor_weighted *weighted, double extra, double level);

/* Interval of a share of sequences that come in suites of equal size, one value a suite: Clopper and
 * Pearson's with the size that would say as much if all were independent (Korn and Graubard, Survey
 * Methodology 24, 1998), that is with their number divided by the design effect, which is taken as at least
 * 1, and corrected for the degrees of freedom. Where no suite or every suite has all alike, it is the bound
 * of Clopper and Pearson on the number of suites, which holds however alike the sequences of a suite are. */
struct cor_bounds cor_proportion_clustered(const struct cor_weighted *shares, uint64_t size, double level);

/* Clopper and Pearson's interval where numbers need not be whole: 0 <= successes <= n, n > 0. */
struct cor_bounds cor_proportion_real(double successes, double n, double level);

#endif
