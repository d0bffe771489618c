/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Estimates of a small probability, one value a repetition: repetitions are independent, their mean is
 * unbiased, and most of the values may be 0. */
#ifndef CORRIDOR_WEIGHTED_H
#define CORRIDOR_WEIGHTED_H

#include <corridor/descriptive.h>
#include <corridor/interval.h>

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
