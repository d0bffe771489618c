/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decisions over independent values that come one after the other: is their mean, or a quantile of them, as
 * claimed? Values are taken in their order, and when a decision is made it stays, so that who takes more than
 * he needed comes to the same. */
#ifndef CORRIDOR_RULING_H
#define CORRIDOR_RULING_H

#include <corridor/descriptive.h>
#include <corridor/error.h>
#include <corridor/weight.h>

#include <stdbool.h>
#include <stdint.h>

/* X(NAME, word): how it is decided.
 * sequential: sequential probability ratio test (Wald 1945) of the bound less and plus the indifference; of
 *   means of amounts their interval (cor_ruling_interval) at 32, 40, 50, .. values.
 * width: values until the interval is as narrow as asked for, then that beside the bound.
 * bayes: Bayes factor of the claim, uniform prior (Jha and others 2009). */
#define COR_RULING_METHODS(X)   \
    X(SEQUENTIAL, "sequential") \
    X(WIDTH, "width")           \
    X(BAYES, "bayes")

enum cor_ruling_method {
#define COR_RULING_METHOD(NAME, ...) COR_RULING_##NAME,
    COR_RULING_METHODS(COR_RULING_METHOD)
#undef COR_RULING_METHOD
        COR_RULING_METHOD_COUNT
};

/* The word of a method. */
const char *cor_ruling_word(enum cor_ruling_method method);

/* What a decision came to. */
enum cor_ruling_end {
    COR_RULING_UNDECIDED, /* not yet, or not at all: what was seen does not carry a decision */
    COR_RULING_HOLDS,
    COR_RULING_FAILS,    /* the claim does not hold */
    COR_RULING_ESTIMATED /* nothing is claimed, and the interval is as narrow as asked for */
};

/* How it is to be decided. */
struct cor_ruling_rule {
    enum cor_ruling_method method;
    bool is_share;   /* values are 0 and 1, else any amounts */
    bool is_claimed; /* else it is estimated: WIDTH alone */
    bool at_least;   /* the claim: mean >= bound, else mean <= bound */
    double bound;
    double low, high; /* what an amount can be; infinite: nothing says it */
    double quantile;  /* above 0: the claim is about that quantile, not about the mean */
    double
        indifference; /* SEQUENTIAL, shares: half the width of the region in which either answer is right */
    double alpha;     /* probability of "holds" where it does not, outside of that region */
    double beta;      /* probability of "does not hold" where it does, likewise */
    double width;     /* WIDTH: half the width of the interval */
    double level;     /* of intervals */
    double factor;    /* BAYES: as much more likely than the contrary, above 1 */
};

/* The usual rule of a claim or, not claimed, of an estimate: alpha = beta = 0.01, 95 %; the indifference is
 * 0.01, less near 0 and 1, where it would reach beyond; the width 0.01 of shares, a hundredth of the bound of
 * amounts, of which nothing says what they can be. */
struct cor_ruling_rule cor_ruling_rule(bool is_share, bool is_claimed, bool at_least, double bound);

/* COR_STATUS_INPUT: what of the rule cannot be, in words of the command line (alpha, beta, indifference). */
enum cor_status cor_ruling_rule_check(const struct cor_ruling_rule *rule,
                                      struct cor_error *error) COR_MUST_USE;

/* A decision under way. Begins with cor_ruling_init, freed by cor_ruling_fini. */
struct cor_ruling {
    struct cor_ruling_rule rule;
    enum cor_ruling_end end;
    bool is_over;     /* no value changes the end any more: it may stay undecided */
    uint64_t used;    /* values up to the decision, or all */
    uint64_t taken;   /* values, those behind the decision included, unknown ones not */
    uint64_t unknown; /* values that say nothing, before the decision: a share is decided where it is the same
                         whether they are 0 or 1; of amounts nothing is decided then */
    double sum, mean; /* of the values used */
    double squares;   /* of the deviations of each from the mean of those before it */
    double least, most; /* of the values used */
    /* Of amounts that nothing bounds: pairs of values that differ, each value in at most one, and those of
     * one value that are left over. */
    double common;
    uint64_t pairs, left_over;
    /* Likelihood ratio of the share at the upper end of the region over the lower: unknown values as 0, and
     * as 1; and what it is multiplied with for a 0 and for a 1. */
    struct cor_weight ratio[2], step[2];
    /* Of long runs: how much the second halves exceed the first. Where these differ by more than chance, and
     * by more than the interval is wide, there is no steady state, and nothing is decided. */
    uint64_t trends;
    double trend, trend_squares; /* their mean; squares of deviations from it */
    bool drifts;
    uint64_t look; /* the next number of values at which an interval is looked at */
    uint32_t looks;
    double *values; /* owned; of quantiles */
    size_t capacity;
};

/* A decision of which nothing is taken yet; frees what it holds, idempotent. */
void cor_ruling_init(struct cor_ruling *ruling, const struct cor_ruling_rule *rule);
void cor_ruling_fini(struct cor_ruling *ruling);

/* Takes the next value; NaN: unknown. COR_STATUS_MEMORY. */
enum cor_status cor_ruling_take(struct cor_ruling *ruling, double value,
                                struct cor_error *error) COR_MUST_USE;

/* Notes the trend of the long run that the next values are of; `by_itself`: it is more than chance there,
 * which counts as long as there are few. */
void cor_ruling_take_trend(struct cor_ruling *ruling, double trend, bool by_itself);

#define COR_RULING_PAIRS 20 /* that differ, before something is said of what nothing bounds */

/* Is there no bound of the amounts that the mean is of? Then they are taken to be in twice the range that was
 * seen. */
bool cor_ruling_is_boundless(const struct cor_ruling_rule *rule);

/* Of the values used: mean, or quantile, with an interval of the rule's level. Of a share the interval is
 * that of Clopper and Pearson; where a test ended it, it is said to be biased by that. Of a mean it is an
 * empirical Bernstein interval by the range of the values, of a quantile that of order statistics: both hold
 * at all numbers of values together, so whatever ended it. NaN: there is none. */
void cor_ruling_interval(const struct cor_ruling *ruling, double *middle, struct cor_bounds *bounds);

/* Values that Wald expects the sequential test of a share to use if the share is p. */
double cor_ruling_expected(const struct cor_ruling_rule *rule, double p);

#endif
