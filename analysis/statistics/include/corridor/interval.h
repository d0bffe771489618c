/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure with its interval over suites, and how the interval was made. Suites are independent, what lies
 * within one is not: every interval here is one over suites (docs/evidence/statistics.md). */
#ifndef CORRIDOR_INTERVAL_H
#define CORRIDOR_INTERVAL_H

#include <corridor/error.h>
#include <corridor/rng.h>

#include <stdint.h>

/* X(NAME, method, asked, word, mark, meaning): how an interval was made. The method is a function
 * interval_METHOD of interval.c, or `elsewhere`. It is asked for by the word `asked`, NULL where it is not a
 * reader's choice. The mark stands behind the interval in a text. */
#define COR_INTERVALS(X)                                                                                     \
    X(NONE, elsewhere, NULL, "none", "",                                                                     \
      "no interval: a total, fewer than two suites, all suites alike, or nothing observed")                  \
    X(LINEARISED, linearised, "linearised", "linearised_t", "",                                              \
      "ratio of means, variance linearised over suites as clusters, Student t on suites-1 degrees of "       \
      "freedom, clipped to the possible range")                                                              \
    X(CLOPPER_PEARSON, clopper_pearson, NULL, "clopper_pearson_suites", "*",                                 \
      "all suites agree: exact binomial interval (Clopper-Pearson)")                                         \
    X(ACROSS_ARMS, elsewhere, NULL, "across_arms_t", "",                                                     \
      "of several arms: their errors joined, of a ratio on its logarithm; Student t on "                     \
      "Welch-Satterthwaite degrees of freedom; an upper bound for arms that share suites (paired)")          \
    X(BCA, bca, "bca", "bca", "",                                                                            \
      "ratio of means, cluster bootstrap over suites, 2000 replicates: bias-corrected and accelerated")      \
    X(PERCENTILE, elsewhere, NULL, "percentile", "p",                                                        \
      "the same where BCa is not defined: quantiles of the replicates")                                      \
    X(FEW_SUITES, elsewhere, NULL, "few_suites", "#", "no interval: six or fewer suites decide this figure") \
    X(WILSON, elsewhere, NULL, "wilson_suites", "w", "share of suites: Wilson's interval on their number")

#define COR_FEW_SUITES 6 /* so few suites, or so few that differ from all others, carry no interval */

/* How an interval was made, in the order of COR_INTERVALS; NONE is 0. */
enum cor_interval {
#define COR_INTERVAL(NAME, method, asked, word, mark, meaning) COR_INTERVAL_##NAME,
    COR_INTERVALS(COR_INTERVAL)
#undef COR_INTERVAL
        COR_INTERVAL_COUNT
};

/* Word, mark and meaning of an interval's method. */
const char *cor_interval_word(enum cor_interval interval);
const char *cor_interval_mark(enum cor_interval interval);
const char *cor_interval_meaning(enum cor_interval interval);

/* Word by which method number `index` of those that a reader can choose is asked for, the usual one first;
 * NULL behind the last. `*interval`, which may be NULL, is set with it. */
const char *cor_interval_choice(size_t index, enum cor_interval *interval);

/* What is not available is NaN. */
struct cor_estimate {
    double mean;
    double sd;        /* over observations, n - 1; NaN where it is not kept */
    double low, high; /* of the interval; high alone NaN: an end that is not reached */
    double error;     /* standard error over suites; NaN where the method has none */
    double n;         /* observations */
    uint64_t suites;  /* with something to observe */
    enum cor_interval interval;
};

/* Nothing known. */
struct cor_estimate cor_no_estimate(void);

/* What suites showed of one figure, and how it is to be seen. */
struct cor_suite_sample {
    const double *y, *x; /* [suites] sums of what was observed, and their sizes; x > 0 */
    uint32_t suites;
    const double *mean;  /* of the estimate, where it is summed elsewhere; NULL = sum y / sum x */
    double least, whole; /* least possible value; greatest of a share (1 or 100), 0 for anything else */
    double level;        /* of the interval, in (0, 1) */
    struct cor_stream_name stream; /* of the draws of a bootstrap */
};

/* Completes an estimate whose mean, n and suites are there: interval and error by `method`. A share of
 * nothing or of all has the interval of Clopper and Pearson whatever the method, as no suite differs.
 * COR_STATUS_MEMORY. */
enum cor_status cor_interval_make(enum cor_interval method, const struct cor_suite_sample *sample,
                                  struct cor_estimate *estimate, struct cor_error *error) COR_MUST_USE;

/* sum y / sum x over suites, those with x = 0 left out, with its interval. */
enum cor_status cor_estimate_ratio(enum cor_interval method, const struct cor_suite_sample *sample,
                                   struct cor_estimate *estimate, struct cor_error *error) COR_MUST_USE;

/* The share `part` / `suites` of suites, which are independent: Wilson's interval, within 0 .. 1. */
struct cor_estimate cor_estimate_suites(double level, uint64_t part, uint64_t suites);

#endif
