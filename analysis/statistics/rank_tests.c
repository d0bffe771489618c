/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/two_samples.h>

#include "order.h"

#include <corridor/array.h>

#include <gsl/gsl_cdf.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

const char *cor_test_method_word(enum cor_test_method method) {
    static const char *const words[] = {"none", "exact", "normal"};
    return words[method];
}

static const struct cor_rank_test no_test = {NAN, NAN, NAN, COR_TEST_NONE};

/* Two-sided p of a statistic with counts ways[0..last] of its values. All are integers below 2^53: exact. */
static double exact_p(const double *ways, size_t last, double statistic) {
    double all = 0, lower = 0, upper = 0;
    for (size_t i = 0; i <= last; i++) {
        all += ways[i];
        lower += (double)i <= statistic ? ways[i] : 0;
        upper += (double)i >= statistic ? ways[i] : 0;
    }
    return fmin(1, 2 * fmin(lower, upper) / all);
}

static void normal_p(struct cor_rank_test *test, double mean, double variance) {
    double off = test->statistic - mean;
    if (!(variance > 0))
        return;
    test->z = copysign(fmax(fabs(off) - 0.5, 0), off) / sqrt(variance);
    test->p = fmin(1, 2 * gsl_cdf_ugaussian_Q(fabs(test->z)));
    test->method = COR_TEST_NORMAL;
}

/* Arrangements by U: the coefficients of prod (1 - q^(m + i)) / (1 - q^i), i = 1..n (Gauss). `ways` has n m
 * + 1. */
static void count_arrangements(double *ways, size_t n, size_t m) {
    size_t last = n * m;
    ways[0] = 1;
    for (size_t i = 1; i <= n; i++) {
        for (size_t u = last; u >= m + i; u--)
            ways[u] -= ways[u - m - i];
        for (size_t u = i; u <= last; u++)
            ways[u] += ways[u - i];
    }
}

static enum cor_status mann_whitney_exact(struct cor_rank_test *test, size_t n, size_t m,
                                          struct cor_error *error) {
    double *ways = cor_calloc(n * m + 1, sizeof *ways);
    if (!ways)
        return cor_fail_memory(error);
    count_arrangements(ways, n, m);
    test->p = exact_p(ways, n * m, test->statistic);
    test->method = COR_TEST_EXACT;
    free(ways);
    return COR_OK;
}

static bool any_nan(const double *values, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (isnan(values[i]))
            return true;
    return false;
}

enum cor_status cor_mann_whitney(const double *a, size_t a_count, const double *b, size_t b_count,
                                 struct cor_rank_test *test, struct cor_error *error) {
    *test = no_test;
    if (a_count == 0 || b_count == 0 || any_nan(a, a_count) || any_nan(b, b_count))
        return COR_OK;
    size_t count = a_count + b_count;
    double *values = cor_calloc(count, sizeof *values), *rank = cor_calloc(count, sizeof *rank);
    struct cor__place *places = cor_calloc(count, sizeof *places);
    enum cor_status status = COR_OK;
    if (!values || !rank || !places) {
        status = cor_fail_memory(error);
        goto out;
    }
    for (size_t i = 0; i < count; i++)
        values[i] = i < a_count ? a[i] : b[i - a_count];
    cor__order(values, count, places);
    double ties = cor__mid_ranks(places, count, rank), sum = 0, n = (double)a_count, m = (double)b_count;
    for (size_t i = 0; i < a_count; i++)
        sum += rank[i];
    test->statistic = sum - n * (n + 1) / 2;
    if (ties <= 0 && a_count <= COR_MANN_WHITNEY_EXACT && b_count <= COR_MANN_WHITNEY_EXACT)
        status = mann_whitney_exact(test, a_count, b_count, error);
    else
        normal_p(test, n * m / 2, n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1))));
out:
    free(values);
    free(rank);
    free(places);
    return status;
}

/* Sets of ranks by their sum: the coefficients of prod (1 + q^i), i = 1..n. */
static enum cor_status signed_rank_exact(struct cor_rank_test *test, size_t n, struct cor_error *error) {
    size_t last = n * (n + 1) / 2;
    double *ways = cor_calloc(last + 1, sizeof *ways);
    if (!ways)
        return cor_fail_memory(error);
    ways[0] = 1;
    for (size_t i = 1; i <= n; i++)
        for (size_t sum = i * (i + 1) / 2; sum >= i; sum--)
            ways[sum] += ways[sum - i];
    test->p = exact_p(ways, last, test->statistic);
    test->method = COR_TEST_EXACT;
    free(ways);
    return COR_OK;
}

enum cor_status cor_signed_rank(const double *a, const double *b, size_t n, struct cor_rank_test *test,
                                struct cor_error *error) {
    *test = no_test;
    if (any_nan(a, n) || any_nan(b, n))
        return COR_OK;
    double *size = cor_calloc(n, sizeof *size), *rank = cor_calloc(n, sizeof *rank), sum = 0;
    bool *positive = cor_calloc(n, sizeof *positive);
    struct cor__place *places = cor_calloc(n, sizeof *places);
    enum cor_status status = COR_OK;
    size_t kept = 0;
    if (!size || !rank || !positive || !places) {
        status = cor_fail_memory(error);
        goto out;
    }
    for (size_t i = 0; i < n; i++)
        if (a[i] < b[i] || a[i] > b[i]) {
            positive[kept] = a[i] > b[i];
            size[kept++] = fabs(a[i] - b[i]);
        }
    if (kept == 0)
        goto out;
    cor__order(size, kept, places);
    double ties = cor__mid_ranks(places, kept, rank), count = (double)kept;
    for (size_t i = 0; i < kept; i++)
        sum += positive[i] ? rank[i] : 0;
    test->statistic = sum;
    if (ties <= 0 && kept == n && n <= COR_SIGNED_RANK_EXACT)
        status = signed_rank_exact(test, n, error);
    else
        normal_p(test, count * (count + 1) / 4, count * (count + 1) * (2 * count + 1) / 24 - ties / 48);
out:
    free(size);
    free(rank);
    free(positive);
    free(places);
    return status;
}

/* P(X <= k) of Binomial(n, 1/2) is a beta distribution function at 1/2. */
double cor_mcnemar(uint64_t only_a, uint64_t only_b) {
    uint64_t fewer = only_a < only_b ? only_a : only_b, more = only_a + only_b - fewer;
    if (fewer == more)
        return 1;
    return fmin(1, 2 * gsl_cdf_beta_Q(0.5, (double)fewer + 1, (double)more));
}

enum cor_status cor_holm(double *p, size_t n, struct cor_error *error) {
    double *kept = cor_calloc(n, sizeof *kept), highest = 0;
    struct cor__place *places = cor_calloc(n, sizeof *places);
    size_t *index = cor_calloc(n, sizeof *index), count = 0;
    enum cor_status status = COR_OK;
    if (!kept || !places || !index) {
        status = cor_fail_memory(error);
        goto out;
    }
    for (size_t i = 0; i < n; i++)
        if (!isnan(p[i])) {
            index[count] = i;
            kept[count++] = p[i];
        }
    cor__order(kept, count, places);
    for (size_t i = 0; i < count; i++) {
        highest = fmax(highest, fmin(1, places[i].value * (double)(count - i)));
        p[index[places[i].index]] = highest;
    }
out:
    free(kept);
    free(places);
    free(index);
    return status;
}
