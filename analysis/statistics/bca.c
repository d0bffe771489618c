/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bca.h"

#include <corridor/descriptive.h>

#include <gsl/gsl_cdf.h>

#include <math.h>
#include <stdbool.h>

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
