/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bca.h"

#include <corridor/array.h>
#include <corridor/bootstrap.h>
#include <corridor/descriptive.h>

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Sums over resamples differ in their order, hence in their last bits; this much is no difference. */
#define ROUNDING 1e-12

static bool alike(double a, double b) {
    return fabs(a - b) <= ROUNDING * fmax(fabs(a), fabs(b));
}

/* Jackknife values near 0 are compared with their own largest, so that the scale of the statistic does not
 * matter. */
double statistics__acceleration(const double *jackknife, const uint32_t *stratum_size,
                                uint32_t stratum_count) {
    double cubes = 0, squares = 0, largest = 0;
    const double *at = jackknife;
    for (uint32_t s = 0; s < stratum_count; at += stratum_size[s], s++) {
        struct cor_moments moments = {0};
        double size = stratum_size[s], weight = (size - 1) / size, sum2 = 0, sum3 = 0;
        for (uint32_t i = 0; i < stratum_size[s]; i++) {
            if (!isfinite(at[i]))
                return NAN;
            cor_moments_put(&moments, at[i]);
            largest = fmax(largest, fabs(at[i]));
        }
        for (uint32_t i = 0; i < stratum_size[s]; i++) {
            double l = moments.mean - at[i];
            sum2 += l * l;
            sum3 += l * l * l;
        }
        squares += weight * weight * sum2;
        cubes += weight * weight * weight * sum3;
    }
    if (!(sqrt(squares) > ROUNDING * largest))
        return NAN;
    return cubes / (6 * squares * sqrt(squares));
}

/* Where in the replicates the end lies whose normal quantile is z; NaN where BCa has none. */
static double place(double z0, double a, double z) {
    double scale = 1 - a * (z0 + z);
    return scale > 0 ? gsl_cdf_ugaussian_P(z0 + (z0 + z) / scale) : NAN;
}

static void set_ends(struct cor_bootstrap *b, const double *replicate, double low, double high,
                     enum cor_interval method) {
    b->low = cor_quantile(replicate, b->replicates, low);
    b->high = cor_quantile(replicate, b->replicates, high);
    b->method = method;
}

struct cor_bootstrap statistics__bca(double estimate, double *replicate, uint32_t count, double acceleration,
                                     double level) {
    struct cor_bootstrap b = {estimate, NAN, NAN, NAN, NAN, NAN, 0, 0, 0, COR_INTERVAL_NONE};
    struct cor_moments moments = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (isfinite(replicate[i]))
            replicate[kept++] = replicate[i];
    b.replicates = kept;
    b.without = count - b.replicates;
    if (!isfinite(estimate) || b.replicates < 2 || b.without > count / 2)
        return b;
    cor_sort(replicate, b.replicates);
    if (alike(replicate[0], replicate[b.replicates - 1]))
        return b;
    for (uint32_t i = 0; i < b.replicates; i++)
        cor_moments_put(&moments, replicate[i]);
    b.error = cor_moments_sd(&moments);
    /* Share of replicates below the estimate; those equal to it count half. */
    double below = 0;
    for (uint32_t i = 0; i < b.replicates; i++)
        below += alike(replicate[i], estimate) ? 0.5 : replicate[i] < estimate;
    double share = below / b.replicates;
    double z = gsl_cdf_ugaussian_Pinv(0.5 + level / 2);
    if (share > 0 && share < 1 && !isnan(acceleration)) {
        double z0 = gsl_cdf_ugaussian_Pinv(share);
        double low = place(z0, acceleration, -z), high = place(z0, acceleration, z);
        if (!isnan(low) && !isnan(high)) {
            set_ends(&b, replicate, low, high, COR_INTERVAL_BCA);
            b.bias_correction = z0;
            b.acceleration = acceleration;
            return b;
        }
    }
    set_ends(&b, replicate, (1 - level) / 2, (1 + level) / 2, COR_INTERVAL_PERCENTILE);
    return b;
}

/* ---- bootstrap */

struct cor_bootstrap_plan cor_default_bootstrap(struct cor_rng *rng) {
    return (struct cor_bootstrap_plan){.replicates = COR_BOOTSTRAP_REPLICATES, .level = 0.95, .rng = rng};
}

static void check_plan(const struct cor_bootstrap_plan *plan) {
    COR_ASSERT(plan->replicates >= 1 && plan->level > 0 && plan->level < 1 && plan->rng);
}

/* Does a stratum of few clusters decide the statistic? Its resamples hardly differ from one another, and the
 * interval would be far too narrow. One that does not take part changes nothing. */
static bool few_decide(const uint32_t *stratum_size, uint32_t stratum_count, const double *jackknife,
                       double estimate) {
    for (uint32_t s = 0; s < stratum_count; jackknife += stratum_size[s], s++)
        for (uint32_t i = 0; i < stratum_size[s] && stratum_size[s] <= COR_FEW_SUITES; i++)
            if (!(fabs(jackknife[i] - estimate) <= 1e-12 * fabs(estimate)))
                return true;
    return false;
}

/* No interval: what remains is the estimate. */
static struct cor_bootstrap without_interval(double estimate, uint32_t clusters) {
    return (struct cor_bootstrap){.estimate = isfinite(estimate) ? estimate : NAN,
                                  .error = NAN,
                                  .low = NAN,
                                  .high = NAN,
                                  .bias_correction = NAN,
                                  .acceleration = NAN,
                                  .clusters = clusters,
                                  .method = COR_INTERVAL_NONE};
}

enum cor_status cor_bootstrap_clusters(const struct cor_bootstrap_plan *plan,
                                       const struct cor_cluster_design *design, struct cor_bootstrap *result,
                                       struct cor_error *error) {
    check_plan(plan);
    uint32_t count = 0;
    for (uint32_t s = 0; s < design->stratum_count; s++)
        count += design->stratum_size[s];
    COR_FREED uint32_t *multiplicity = cor_calloc(count, sizeof *multiplicity);
    COR_FREED double *replicate = cor_calloc(plan->replicates, sizeof *replicate);
    COR_FREED double *jackknife = cor_calloc(count, sizeof *jackknife);
    if (!multiplicity || !replicate || !jackknife)
        return cor_fail_memory(error);
    for (uint32_t c = 0; c < count; c++)
        multiplicity[c] = 1;
    double estimate = count > 0 ? design->statistic(multiplicity, count, design->context) : NAN;
    *result = without_interval(estimate, count);
    if (count < 2 || isnan(result->estimate))
        return COR_OK;
    for (uint32_t c = 0; c < count; c++) {
        multiplicity[c] = 0;
        jackknife[c] = design->statistic(multiplicity, count, design->context);
        multiplicity[c] = 1;
    }
    if (few_decide(design->stratum_size, design->stratum_count, jackknife, estimate)) {
        result->method = COR_INTERVAL_FEW_SUITES;
        return COR_OK;
    }
    for (uint32_t r = 0; r < plan->replicates; r++) {
        uint32_t first = 0;
        for (uint32_t s = 0; s < design->stratum_count; first += design->stratum_size[s], s++) {
            memset(multiplicity + first, 0, design->stratum_size[s] * sizeof *multiplicity);
            for (uint32_t i = 0; i < design->stratum_size[s]; i++)
                multiplicity[first + cor_rng_below(plan->rng, design->stratum_size[s])]++;
        }
        replicate[r] = design->statistic(multiplicity, count, design->context);
    }
    *result = statistics__bca(
        estimate, replicate, plan->replicates,
        statistics__acceleration(jackknife, design->stratum_size, design->stratum_count), plan->level);
    result->clusters = count;
    return COR_OK;
}

static double ratio(double y, double x) {
    return x > 0 || x < 0 ? y / x : NAN;
}

enum cor_status cor_bootstrap_ratio(const struct cor_bootstrap_plan *plan, const double *y, const double *x,
                                    uint32_t cluster_count, struct cor_bootstrap *result,
                                    struct cor_error *error) {
    check_plan(plan);
    COR_FREED double *replicate = cor_calloc(plan->replicates, sizeof *replicate),
                     *jackknife = cor_calloc(cluster_count, sizeof *jackknife);
    double sum_y = 0, sum_x = 0;
    if (!replicate || !jackknife)
        return cor_fail_memory(error);
    for (uint32_t c = 0; c < cluster_count; c++) {
        sum_y += y[c];
        sum_x += x[c];
    }
    *result = without_interval(ratio(sum_y, sum_x), cluster_count);
    if (cluster_count < 2 || isnan(result->estimate))
        return COR_OK;
    for (uint32_t c = 0; c < cluster_count; c++)
        jackknife[c] = ratio(sum_y - y[c], sum_x - x[c]);
    if (few_decide(&cluster_count, 1, jackknife, result->estimate)) {
        result->method = COR_INTERVAL_FEW_SUITES;
        return COR_OK;
    }
    for (uint32_t r = 0; r < plan->replicates; r++) {
        double drawn_y = 0, drawn_x = 0;
        for (uint32_t i = 0; i < cluster_count; i++) {
            uint32_t c = cor_rng_below(plan->rng, cluster_count);
            drawn_y += y[c];
            drawn_x += x[c];
        }
        replicate[r] = ratio(drawn_y, drawn_x);
    }
    *result = statistics__bca(result->estimate, replicate, plan->replicates,
                              statistics__acceleration(jackknife, &cluster_count, 1), plan->level);
    result->clusters = cluster_count;
    return COR_OK;
}

struct cor_estimate cor_bootstrap_estimate(const struct cor_bootstrap *made) {
    struct cor_estimate estimate = cor_no_estimate();
    estimate.mean = made->estimate;
    estimate.low = made->low;
    estimate.high = made->high;
    estimate.error = made->error;
    estimate.suites = made->clusters;
    estimate.n = (double)made->clusters;
    estimate.interval = made->method;
    return estimate;
}
