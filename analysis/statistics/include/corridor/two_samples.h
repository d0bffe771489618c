/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Do two samples differ, and how much? All p are two-sided; two-sided p of a discrete law is twice the
 * smaller tail, at most 1. Values that are NaN make everything NaN. The tests take observations as
 * independent: give them one value a suite (cluster), not one a sequence. */
#ifndef CORRIDOR_TWO_SAMPLES_H
#define CORRIDOR_TWO_SAMPLES_H

#include <corridor/bootstrap.h>
#include <corridor/descriptive.h>

#include <stddef.h>

/* How a p came about. */
enum cor_test_method {
    COR_TEST_NONE,   /* no p: too little data, or no spread */
    COR_TEST_EXACT,  /* all arrangements counted */
    COR_TEST_NORMAL, /* normal approximation with correction for ties, continuity correction 1/2 */
};

/* "none", "exact", "normal". */
const char *cor_test_method_word(enum cor_test_method method);

/* What a rank test says. NaN are the statistic if a sample is empty, a value is NaN or no pair differs; z
 * unless the method is NORMAL; p if it is NONE. */
struct cor_rank_test {
    double statistic;
    double z; /* of the normal approximation; NaN for the other methods */
    double p;
    enum cor_test_method method;
};

#define COR_MANN_WHITNEY_EXACT 20 /* both samples at most so large, and no ties: exact */

/* Mann and Whitney (Ann. Math. Stat. 18, 1947): statistic U = pairs with a > b, equal ones counted half. Ties
 * as in Lehmann, Nonparametrics, 1975, 1.4. No p if a sample is empty or all values are alike. */
enum cor_status cor_mann_whitney(const double *a, size_t a_count, const double *b, size_t b_count,
                                 struct cor_rank_test *test, struct cor_error *error) COR_MUST_USE;

#define COR_SIGNED_RANK_EXACT 50 /* at most so many differences, no zeros, no ties: exact */

/* Wilcoxon's signed-rank test (Biometrics Bull. 1, 1945) of pairs a[i], b[i]: statistic = sum of the ranks of
 * the positive differences a - b. Differences of 0 are left out before ranking, as Wilcoxon did (not Pratt's
 * way), and take the exact law away. No p without a difference. */
enum cor_status cor_signed_rank(const double *a, const double *b, size_t n, struct cor_rank_test *test,
                                struct cor_error *error) COR_MUST_USE;

/* p of McNemar's exact test of paired yes/no outcomes (Psychometrika 12, 1947; the binomial law itself): of
 * the pairs that differ, `only_a` and `only_b` have a yes in a or b alone. 1 if no pair differs. */
double cor_mcnemar(uint64_t only_a, uint64_t only_b);

/* Holm's step-down correction (Scand. J. Stat. 6, 1979), in place: the chance of any false rejection stays
 * below the level at which the corrected p are read. NaN entries stay and are not counted. COR_STATUS_MEMORY.
 */
enum cor_status cor_holm(double *p, size_t n, struct cor_error *error) COR_MUST_USE;

/* How far A is from 1/2 (Vargha and Delaney 2000, after Cohen): below 0.56, 0.64, 0.71, and above. */
enum cor_magnitude {
    COR_MAGNITUDE_NONE, /* A is NaN */
    COR_MAGNITUDE_NEGLIGIBLE,
    COR_MAGNITUDE_SMALL,
    COR_MAGNITUDE_MEDIUM,
    COR_MAGNITUDE_LARGE,
};

/* Of a value of A. Limits belong to the larger magnitude; 1e-12 short of one counts as there. */
enum cor_magnitude cor_magnitude_of(double a12);

/* "none", "negligible", "small", "medium", "large". */
const char *cor_magnitude_word(enum cor_magnitude magnitude);

/* An effect size with its standard error and interval; all NaN if a sample is empty or has a NaN. */
struct cor_effect_size {
    double a12;               /* P(a > b) + P(a = b) / 2 */
    double error;             /* NaN if a sample has fewer than two values */
    struct cor_bounds bounds; /* NaN where the error is NaN or 0 */
};

/* The effect size A12 of Vargha and Delaney (J. Educ. Behav. Stat. 25, 2000): U / (n m), the area under an
 * ROC curve. Error by DeLong, DeLong and Clarke-Pearson (Biometrics 44, 1988); interval on the logit scale,
 * as in Pepe, The Statistical Evaluation of Medical Tests, 2003, 5.2. It is of independent observations. */
enum cor_status cor_a12(const double *a, size_t a_count, const double *b, size_t b_count, double level,
                        struct cor_effect_size *effect, struct cor_error *error) COR_MUST_USE;

#endif
