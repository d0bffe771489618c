/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure with its interval over suites, and how the interval was made. Suites are independent, what lies
 * within one is not: every interval here is one over suites (docs/statistics.md). */
#ifndef CORRIDOR_INTERVAL_H
#define CORRIDOR_INTERVAL_H

#include <corridor/error.h>

#include <stdint.h>

/* X(NAME, word, mark, meaning): how an interval was made. The mark stands behind the interval in a text. */
#define COR_INTERVALS(X)                                                                                \
    X(NONE, "none", "",                                                                                 \
      "no interval: a total, fewer than two suites, all suites alike, or nothing observed")             \
    X(LINEARISED, "linearised_t", "",                                                                   \
      "ratio of means, variance linearised over suites as clusters, Student t on suites-1 degrees of "  \
      "freedom, clipped to the possible range")                                                         \
    X(CLOPPER_PEARSON, "clopper_pearson_suites", "*",                                                   \
      "percentage of exactly 0 or 100: Clopper-Pearson on the number of suites, none of which differs") \
    X(ACROSS_ARMS, "across_arms_t", "",                                                                 \
      "of several arms: their errors joined, of a ratio on its logarithm; Student t on "                \
      "Welch-Satterthwaite degrees of freedom; an upper bound for arms that share suites (paired)")     \
    X(BCA, "bca", "",                                                                                   \
      "ratio of means, cluster bootstrap over suites, 2000 replicates: bias-corrected and accelerated") \
    X(PERCENTILE, "percentile", "p", "the same where BCa is not defined: quantiles of the replicates")  \
    X(WILSON, "wilson_suites", "w", "share of suites: Wilson's interval on their number")

enum cor_interval {
#define COR_INTERVAL(NAME, word, mark, meaning) COR_INTERVAL_##NAME,
    COR_INTERVALS(COR_INTERVAL)
#undef COR_INTERVAL
        COR_INTERVAL_COUNT
};

/* Word, mark and meaning of an interval's method. */
const char *cor_interval_word(enum cor_interval interval);
const char *cor_interval_mark(enum cor_interval interval);
const char *cor_interval_meaning(enum cor_interval interval);

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

#endif
