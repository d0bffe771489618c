/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/weighted.h>

#include <corridor/error.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>

#include <math.h>

static const struct cor_bounds nowhere = {NAN, NAN};

void cor_statistics_begin(void) {
    gsl_set_error_handler_off();
}

/* z^2 = z z; the ends are (p + z^2/2n +- z sqrt(p q / n + z^2/4n^2)) / (1 + z^2/n). */
struct cor_bounds cor_proportion_wilson(uint64_t successes, uint64_t n, double level) {
    COR_ASSERT(successes <= n && level > 0 && level < 1);
    if (n == 0)
        return nowhere;
    double count = (double)n, p = (double)successes / count;
    double z = gsl_cdf_ugaussian_Pinv(0.5 + level / 2), square = z * z / count;
    double middle = (p + square / 2) / (1 + square);
    double half = sqrt(square * (p * (1 - p) + square / 4)) / (1 + square);
    return (struct cor_bounds){
        .low = successes == 0 ? 0 : fmax(middle - half, 0), /* exactly, whatever rounding says */
        .high = successes == n ? 1 : fmin(middle + half, 1),
    };
}

/* The x at which the beta distribution function reaches p, by bisection down to neighbouring numbers: GSL's
 * own inverse ends the program where its iteration does not converge. */
static double beta_quantile(double p, double a, double b) {
    double low = 0, high = 1;
    for (;;) {
        double x = low + (high - low) / 2;
        if (x <= low || x >= high)
            return x;
        double reached = gsl_cdf_beta_P(x, a, b);
        if (isnan(reached))
            return NAN;
        *(reached < p ? &low : &high) = x;
    }
}

struct cor_bounds cor_proportion_real(double successes, double n, double level) {
    COR_ASSERT(successes >= 0 && successes <= n && n > 0 && level > 0 && level < 1);
    double tail = (1 - level) / 2, yes = successes, no = n - successes;
    /* All alike: the quantile in closed form. */
    double alone = -expm1(log(tail) / n);
    struct cor_bounds bounds = {.low = 0, .high = 1};
    if (!(no > 0))
        bounds.low = 1 - alone;
    else if (yes > 0)
        bounds.low = beta_quantile(tail, yes, no + 1);
    if (!(yes > 0))
        bounds.high = alone;
    else if (no > 0)
        bounds.high = beta_quantile(1 - tail, yes + 1, no);
    return bounds;
}

struct cor_bounds cor_proportion_clopper_pearson(uint64_t successes, uint64_t n, double level) {
    COR_ASSERT(successes <= n && level > 0 && level < 1);
    return n == 0 ? nowhere : cor_proportion_real((double)successes, (double)n, level);
}
