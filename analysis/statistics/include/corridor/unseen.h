/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was not seen yet: n independent draws from an unknown law over classes (states, violations, structures
 * ...) were counted. f1 classes occurred once, f2 twice. Draws along a Markov chain are not independent: take
 * one a sequence, or read the figures as rough. */
#ifndef CORRIDOR_UNSEEN_H
#define CORRIDOR_UNSEEN_H

#include <corridor/proportion.h>

#include <stddef.h>

struct cor_unseen_counts {
    uint64_t draws, classes, once, twice; /* n, classes seen, f1, f2 */
};

/* From the number of occurrences of each class; zeros are classes not seen. */
struct cor_unseen_counts cor_unseen_count(const uint64_t *occurrences, size_t class_count);

struct cor_missing_mass {
    double mass;              /* f1 / n: chance that the next draw is a new class; NaN for n = 0 */
    double error;             /* NaN for n = 0 */
    struct cor_bounds bounds; /* within 0..1; NaN if the error is 0 */
    double draws_to_next;     /* n / f1: expected draws up to and with the next new class; NaN if f1 = 0 */
};

/* Good's and Turing's estimate (Good, Biometrika 40, 1953), with the normal interval of Esty (Ann. Stat. 11,
 * 1983): error^2 = (f1 (1 - f1 / n) + 2 f2) / n^2. With f1 = 0 the mass is estimated as 0, which means small,
 * not nothing. */
struct cor_missing_mass cor_missing_mass(const struct cor_unseen_counts *counts, double level);

struct cor_chao {
    double classes;           /* at least so many classes exist; NaN for n = 0 */
    double error;             /* NaN for n = 0; 0 if f1 = 0 or n = 1 */
    struct cor_bounds bounds; /* NaN if nothing seems to be missing (classes = those seen) */
};

/* Chao's lower bound of the number of classes (Scand. J. Stat. 11, 1984): seen + (n - 1) / n f1^2 / (2 f2),
 * or with f1 (f1 - 1) / 2 where f2 = 0. Error and log-normal interval of Chao (Biometrics 43, 1987), with the
 * factor (n - 1) / n as in Chao et al., Ecol. Monogr. 84, 2014, appendix. The interval is of the bound, and
 * never below what was seen. */
struct cor_chao cor_chao(const struct cor_unseen_counts *counts, double level);

struct cor_coverage_expected {
    double classes; /* expected number of different classes: sum 1 - (1 - p)^m */
    double mass;    /* expected probability of the classes seen: sum p (1 - (1 - p)^m) */
};

/* After m independent draws from a known law p[0..class_count-1] in 0..1; m need not be whole, m >= 0. Exact
 * up to rounding, also for tiny p. The law is not checked to sum to 1. */
struct cor_coverage_expected cor_coverage_expected(const double *p, size_t class_count, double m);

#endif
