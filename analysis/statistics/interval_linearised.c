/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "interval_methods.h"

#include <corridor/descriptive.h>

#include <gsl/gsl_cdf.h>

#include <math.h>

enum cor_status statistics__interval_linearised(const struct cor_suite_sample *sample,
                                                struct cor_estimate *estimate,
                                                struct cor_error *error_unused) {
    (void)error_unused;
    struct cor_ratio_moments suites = {0};
    for (uint32_t s = 0; s < sample->suites; s++)
        cor_ratio_moments_put(&suites, sample->y[s], sample->x[s]);
    double ratio = cor_ratio_moments_ratio(&suites), error = cor_ratio_moments_error(&suites);
    /* All suites have the same mean. The residuals are differences of sums of squares, so what remains of
     * them is rounding: compared with those sums, which are large where suites differ in size alone. */
    double count = (double)suites.clusters, residual = error * suites.mean_x * count;
    double squares = suites.squares_y + ratio * ratio * suites.squares_x;
    if (error <= 1e-12 * fabs(ratio) || residual * residual * (count - 1) / count <= 1e-13 * squares)
        return COR_OK;
    if (statistics__few_carry(sample)) {
        estimate->interval = COR_INTERVAL_FEW_SUITES;
        return COR_OK;
    }
    double half = gsl_cdf_tdist_Pinv(0.5 + sample->level / 2, (double)(suites.clusters - 1)) * error;
    estimate->interval = COR_INTERVAL_LINEARISED;
    estimate->error = error;
    estimate->low = fmax(estimate->mean - half, sample->least);
    estimate->high = estimate->mean + half;
    if (sample->whole > 0)
        estimate->high = fmin(estimate->high, sample->whole);
    return COR_OK;
}
