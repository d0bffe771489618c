/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure with its interval over suites, and the word of the method that made it. */
#ifndef CORRIDOR_ESTIMATE_H
#define CORRIDOR_ESTIMATE_H

#include <corridor/error.h>
#include <corridor/rng.h>

#include <stdbool.h>
#include <stdint.h>

/* What is not available is NaN. */
struct cor_old_estimate {
    double mean, low, high;
    uint64_t suites;    /* with something to observe */
    double n;           /* observations */
    const char *method; /* of the interval: "bca", "percentile" (bootstrap.h), "clopper_pearson_suites",
                           "wilson_suites", or "none" */
};

/* How intervals are made: one stream of random numbers for each figure, named by the seed of the file. */
struct cor_estimating {
    double level; /* of the intervals */
    uint64_t seed;
    uint32_t arm;    /* 1 + its index */
    uint32_t figure; /* of the arm */
};

/* sum y / sum x over suites, those with x = 0 left out: BCa of the cluster bootstrap. `whole` is the greatest
 * possible value of a share (1 or 100), 0 for anything else: a share of nothing or of all has the interval of
 * Clopper and Pearson on the number of suites, as no resample differs. COR_STATUS_MEMORY. */
enum cor_status cor_old_estimate_ratio(const struct cor_estimating *how, const double *y, const double *x,
                                   uint32_t suites, double whole, struct cor_old_estimate *estimate,
                                   struct cor_error *error) COR_MUST_USE;

/* The share `part` / `suites` of suites, which are independent: Wilson's interval, within 0 .. 1. */
struct cor_old_estimate cor_old_estimate_suites(double level, uint64_t part, uint64_t suites);

/* The interval of a share, in units of `whole`, of which every suite shows nothing, or of which every suite
 * shows all. */
void cor_estimate_unanimous(double level, bool all, uint64_t suites, double whole,
                            struct cor_old_estimate *estimate);

/* Nothing known. */
struct cor_old_estimate cor_no_old_estimate(void);

#endif
