/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "order.h"

#include <corridor/array.h>
#include <corridor/descriptive.h>
#include <corridor/rearrangement.h>
#include <corridor/two_samples.h>

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

static enum cor_status mann_whitney_exact(struct cor_rank_test *test, size_t n, size_t m,
                                          struct cor_error *error) {
    double *ways = cor_calloc(n * m + 1, sizeof *ways);
    COR_TRY(cor_made(ways, error));
    /* Arrangements by U: the coefficients of prod (1 - q^(m + i)) / (1 - q^i), i = 1..n (Gauss). `ways` has n
     * m
     * + 1. */
    size_t last = n * m;
    ways[0] = 1;
    for (size_t i = 1; i <= n; i++) {
        for (size_t u = last; u >= m + i; u--)
            ways[u] -= ways[u - m - i];
        for (size_t u = i; u <= last; u++)
            ways[u] += ways[u - i];
    }
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
    COR_FREED double *values = cor_calloc(count, sizeof *values), *rank = cor_calloc(count, sizeof *rank);
    COR_FREED struct statistics__place *places = cor_calloc(count, sizeof *places);
    enum cor_status status = COR_OK;
    if (!values || !rank || !places)
        return cor_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        values[i] = i < a_count ? a[i] : b[i - a_count];
    statistics__order(values, count, places);
    double ties = statistics__mid_ranks(places, count, rank), sum = 0, n = (double)a_count,
           m = (double)b_count;
    for (size_t i = 0; i < a_count; i++)
        sum += rank[i];
    test->statistic = sum - n * (n + 1) / 2;
    if (ties <= 0 && a_count <= COR_MANN_WHITNEY_EXACT && b_count <= COR_MANN_WHITNEY_EXACT)
        status = mann_whitney_exact(test, a_count, b_count, error);
    else
        normal_p(test, n * m / 2, n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1))));
    return status;
}

/* Sets of ranks by their sum: the coefficients of prod (1 + q^i), i = 1..n. */
static enum cor_status signed_rank_exact(struct cor_rank_test *test, size_t n, struct cor_error *error) {
    size_t last = n * (n + 1) / 2;
    double *ways = cor_calloc(last + 1, sizeof *ways);
    COR_TRY(cor_made(ways, error));
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
    COR_FREED double *size = cor_calloc(n, sizeof *size), *rank = cor_calloc(n, sizeof *rank);
    double sum = 0;
    COR_FREED bool *positive = cor_calloc(n, sizeof *positive);
    COR_FREED struct statistics__place *places = cor_calloc(n, sizeof *places);
    enum cor_status status = COR_OK;
    size_t kept = 0;
    if (!size || !rank || !positive || !places)
        return cor_fail_memory(error);
    for (size_t i = 0; i < n; i++)
        if (a[i] < b[i] || a[i] > b[i]) {
            positive[kept] = a[i] > b[i];
            size[kept++] = fabs(a[i] - b[i]);
        }
    if (kept == 0)
        return status;
    statistics__order(size, kept, places);
    double ties = statistics__mid_ranks(places, kept, rank), count = (double)kept;
    for (size_t i = 0; i < kept; i++)
        sum += positive[i] ? rank[i] : 0;
    test->statistic = sum;
    if (ties <= 0 && kept == n && n <= COR_SIGNED_RANK_EXACT)
        status = signed_rank_exact(test, n, error);
    else
        normal_p(test, count * (count + 1) / 4, count * (count + 1) * (2 * count + 1) / 24 - ties / 48);
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
    COR_FREED double *kept = cor_calloc(n, sizeof *kept);
    double highest = 0;
    COR_FREED struct statistics__place *places = cor_calloc(n, sizeof *places);
    COR_FREED size_t *index = cor_calloc(n, sizeof *index);
    size_t count = 0;
    if (!kept || !places || !index)
        return cor_fail_memory(error);
    for (size_t i = 0; i < n; i++)
        if (!isnan(p[i])) {
            index[count] = i;
            kept[count++] = p[i];
        }
    statistics__order(kept, count, places);
    for (size_t i = 0; i < count; i++) {
        highest = fmax(highest, fmin(1, places[i].value * (double)(count - i)));
        p[index[places[i].index]] = highest;
    }
    return COR_OK;
}

enum cor_magnitude cor_magnitude_of(double a12) {
    double off = fabs(a12 - 0.5) + 1e-12;
    if (isnan(a12))
        return COR_MAGNITUDE_NONE;
    if (off < 0.06)
        return COR_MAGNITUDE_NEGLIGIBLE;
    if (off < 0.14)
        return COR_MAGNITUDE_SMALL;
    return off < 0.21 ? COR_MAGNITUDE_MEDIUM : COR_MAGNITUDE_LARGE;
}

const char *cor_magnitude_word(enum cor_magnitude magnitude) {
    static const char *const words[] = {"none", "negligible", "small", "medium", "large"};
    return words[magnitude];
}

/* Both samples in one order. */
struct pool {
    struct statistics__place *places; /* owned; index < a_count: of a */
    size_t a_count, count;
    bool undefined; /* a value is NaN */
};

static enum cor_status pool_init(struct pool *pool, const double *a, size_t a_count, const double *b,
                                 size_t b_count, struct cor_error *error) {
    size_t count = a_count + b_count;
    *pool = (struct pool){cor_calloc(count, sizeof *pool->places), a_count, count, false};
    double *values = cor_calloc(count, sizeof *values);
    if (!pool->places || !values) {
        COR_FREE(values, pool->places);
        pool->places = NULL;
        return cor_fail_memory(error);
    }
    for (size_t i = 0; i < count; i++) {
        values[i] = i < a_count ? a[i] : b[i - a_count];
        pool->undefined = pool->undefined || isnan(values[i]);
    }
    if (!pool->undefined)
        statistics__order(values, count, pool->places);
    free(values);
    return COR_OK;
}

/* d logit A = dA / (A (1 - A)). */
static struct cor_bounds logit_bounds(double a, double error, double level) {
    double z = gsl_cdf_ugaussian_Pinv(0.5 + level / 2), half = z * error / (a * (1 - a)),
           logit = log(a / (1 - a));
    return (struct cor_bounds){1 / (1 + exp(half - logit)), 1 / (1 + exp(-half - logit))};
}

enum cor_status cor_a12(const double *a, size_t a_count, const double *b, size_t b_count, double level,
                        struct cor_effect_size *effect, struct cor_error *error) {
    COR_ASSERT(level > 0 && level < 1);
    *effect = (struct cor_effect_size){NAN, NAN, {NAN, NAN}};
    struct pool pool;
    enum cor_status status = pool_init(&pool, a, a_count, b, b_count, error);
    if (status != COR_OK || pool.undefined || a_count == 0 || b_count == 0)
        goto out;
    struct cor_moments of_a = {0}, of_b = {0};
    /* DeLong's components: for each value the share of the other sample that it beats (a) or that beats it
     * (b), equal ones counted half. A is the mean of either, var A = sd_a^2 / n + sd_b^2 / m. */
    double n = (double)pool.a_count, m = (double)(pool.count - pool.a_count), a_below = 0, b_below = 0;
    for (size_t first = 0, end; first < pool.count; first = end) {
        double a_here = 0, b_here = 0;
        for (end = first; end < pool.count && pool.places[end].value <= pool.places[first].value; end++)
            *(pool.places[end].index < pool.a_count ? &a_here : &b_here) += 1;
        for (size_t i = first; i < end; i++) {
            if (pool.places[i].index < pool.a_count)
                cor_moments_put(&of_a, (b_below + b_here / 2) / m);
            else
                cor_moments_put(&of_b, (n - a_below - a_here / 2) / n);
        }
        a_below += a_here;
        b_below += b_here;
    }
    effect->a12 = of_a.mean;
    double sd_a = cor_moments_sd(&of_a), sd_b = cor_moments_sd(&of_b);
    effect->error = sqrt(sd_a * sd_a / (double)a_count + sd_b * sd_b / (double)b_count);
    if (effect->error > 0 && effect->a12 > 0 && effect->a12 < 1)
        effect->bounds = logit_bounds(effect->a12, effect->error, level);
out:
    free(pool.places);
    return status;
}

/* ---- whole clusters dealt anew */

/* A cluster as it lies in one side: what it shows, and how much. */
struct dealt {
    double y, x;
};

static double ratio_of(const struct dealt *dealt, uint32_t count, double *size) {
    double y = 0;
    *size = 0;
    for (uint32_t i = 0; i < count; i++) {
        y += dealt[i].y;
        *size += dealt[i].x;
    }
    return *size > 0 ? y / *size : (double)NAN;
}

/* What a cluster adds to the error of its side's ratio. */
static double residual(const struct dealt *dealt, double ratio, double size) {
    return (dealt->y - ratio * dealt->x) / size;
}

/* Adds the difference of a pair whose second side lies behind the first, and its variance. */
static void add_pair(const struct cor_ratio_pair *pair, const struct dealt *dealt, double *difference,
                     double *variance) {
    const uint32_t count = pair->side[0].cluster_count, others = pair->side[1].cluster_count;
    double size[2];
    const double first = ratio_of(dealt, count, &size[0]), second = ratio_of(dealt + count, others, &size[1]);
    *difference += first - second;
    if (pair->in_common) {
        for (uint32_t i = 0; i < count; i++) {
            const double off =
                residual(&dealt[i], first, size[0]) - residual(&dealt[count + i], second, size[1]);
            *variance += off * off;
        }
        return;
    }
    for (uint32_t i = 0; i < count + others; i++) {
        const double off =
            i < count ? residual(&dealt[i], first, size[0]) : residual(&dealt[i], second, size[1]);
        *variance += off * off;
    }
}

/* The difference over its error: 0 where there is none, without end where nothing varies beside it. */
static double statistic(const struct cor_ratio_pair *pairs, size_t pair_count, const struct dealt *dealt) {
    double difference = 0, variance = 0;
    for (size_t p = 0; p < pair_count; p++) {
        add_pair(&pairs[p], dealt, &difference, &variance);
        dealt += pairs[p].side[0].cluster_count + pairs[p].side[1].cluster_count;
    }
    /* Sums of the same numbers in another order differ in their last bits. */
    if (fabs(difference) <= 1e-9 * sqrt(variance) || isnan(difference))
        return difference * 0;
    return difference / sqrt(variance);
}

static void swap(struct dealt *one, struct dealt *other) {
    const struct dealt held = *one;
    *one = *other;
    *other = held;
}

static void rearrange(const struct cor_ratio_pair *pairs, size_t pair_count, struct cor_rng *rng,
                      struct dealt *dealt) {
    for (size_t p = 0; p < pair_count; p++) {
        const uint32_t count = pairs[p].side[0].cluster_count, others = pairs[p].side[1].cluster_count;
        if (pairs[p].in_common)
            for (uint32_t i = 0; i < count; i++) {
                if (cor_rng_below(rng, 2) == 1)
                    swap(&dealt[i], &dealt[count + i]);
            }
        else
            for (uint32_t left = count + others; left > 1; left--) {
                const uint32_t other = cor_rng_below(rng, left);
                swap(&dealt[left - 1], &dealt[other]);
            }
        dealt += count + others;
    }
}

/* Deals the clusters of a pair that take part, and says how many each side has. How often something could be
 * observed is the side's own affair: a rearrangement keeps it. */
static void take_part(const struct cor_ratio_pair *given, struct cor_ratio_pair *pair, struct dealt *dealt) {
    *pair = *given;
    uint32_t place = 0;
    for (uint32_t side = 0; side < 2; side++) {
        const struct cor_ratio_group *group = &given->side[side];
        pair->side[side].cluster_count = 0;
        for (uint32_t c = 0; c < group->cluster_count; c++) {
            if (!(group->x[c] > 0) || (given->in_common && !(given->side[!side].x[c] > 0)))
                continue;
            dealt[place++] = (struct dealt){group->y[c], group->x[c]};
            pair->side[side].cluster_count++;
        }
    }
}

enum cor_status cor_rearrange_ratios(const struct cor_ratio_pair *given, size_t pair_count,
                                     struct cor_rng *rng, struct cor_rearranged *p, struct cor_error *error) {
    size_t clusters = 0;
    *p = (struct cor_rearranged){NAN, NAN};
    for (size_t i = 0; i < 2 * pair_count; i++)
        clusters += given[i / 2].side[i % 2].cluster_count;
    COR_FREED struct dealt *dealt = cor_calloc(clusters, sizeof *dealt);
    struct dealt *next = dealt;
    COR_FREED struct cor_ratio_pair *pairs = cor_calloc(pair_count, sizeof *pairs);
    if (!dealt || !pairs)
        return cor_fail_memory(error);
    for (size_t i = 0; i < pair_count; i++) {
        COR_ASSERT(!given[i].in_common || given[i].side[1].cluster_count == given[i].side[0].cluster_count);
        take_part(&given[i], &pairs[i], next);
        next += pairs[i].side[0].cluster_count + pairs[i].side[1].cluster_count;
    }
    const double seen = statistic(pairs, pair_count, dealt);
    if (isnan(seen))
        return COR_OK;
    const double slack = isfinite(seen) ? 1e-9 * fabs(seen) : 0; /* the same, but for rounding */
    uint32_t above = 1, below = 1;
    for (uint32_t i = 0; i < COR_REARRANGEMENTS; i++) {
        rearrange(pairs, pair_count, rng, dealt);
        const double drawn = statistic(pairs, pair_count, dealt);
        above += drawn >= seen - slack;
        below += drawn <= seen + slack;
    }
    *p = (struct cor_rearranged){(double)above / (1 + COR_REARRANGEMENTS),
                                 (double)below / (1 + COR_REARRANGEMENTS)};
    return COR_OK;
}
