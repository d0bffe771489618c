/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Intervals of a share: `successes` among `n` independent trials of one probability. For trials that come in
 * alike clusters these intervals are too narrow: see bootstrap.h. */
#ifndef CORRIDOR_PROPORTION_H
#define CORRIDOR_PROPORTION_H

#include <stdint.h>

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

#endif
