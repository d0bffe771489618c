/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/weighted.h>

#include <gsl/gsl_cdf.h>

#include <math.h>

void cor_weighted_put(struct cor_weighted *w, double value) {
    if (fabs(value) > w->largest) {
        /* Takes a larger unit: squares of what is small would be nothing. */
        const double largest = fabs(value);
        const double factor = w->largest / largest;
        w->mean *= factor;
        w->sum *= factor;
        w->squares *= factor * factor;
        w->sum_of_squares *= factor * factor;
        w->largest = largest;
    }
    const double v = w->largest > 0 ? value / w->largest : 0, from_mean = v - w->mean;
    w->n++;
    w->some += v != 0;
    w->mean += from_mean / (double)w->n;
    w->squares += from_mean * (v - w->mean);
    w->sum += v;
    w->sum_of_squares += v * v;
}

double cor_weighted_mean(const struct cor_weighted *w) {
    return w->mean * w->largest;
}

double cor_weighted_error(const struct cor_weighted *w) {
    const double n = (double)w->n;
    return w->n < 2 ? NAN : sqrt(w->squares / (n - 1) / n) * w->largest;
}

double cor_weighted_effective(const struct cor_weighted *w) {
    return w->some > 0 ? w->sum * w->sum / w->sum_of_squares : 0;
}

struct cor_bounds cor_weighted_bounds(const struct cor_weighted *w, double extra, double level) {
    COR_ASSERT(w->n >= 2 && extra >= 0 && level > 0 && level < 1);
    const double mean = cor_weighted_mean(w), half = gsl_cdf_tdist_Pinv(0.5 + level / 2, (double)(w->n - 1)) *
                                                     hypot(cor_weighted_error(w), sqrt(extra));
    return (struct cor_bounds){fmin(fmax(mean - half, 0), 1), fmin(fmax(mean + half, 0), 1)};
}

struct cor_bounds cor_proportion_clustered(const struct cor_weighted *shares, uint64_t size, double level) {
    const double suites = (double)shares->n, n = suites * (double)size, p = cor_weighted_mean(shares);
    COR_ASSERT(shares->n >= 2 && size >= 1);
    if (shares->some == 0 || !(p < 1))
        return cor_proportion_clopper_pearson(shares->some, shares->n, level);
    const double error = cor_weighted_error(shares), effect = fmax(error * error / (p * (1 - p) / n), 1);
    const double tail = 0.5 + level / 2,
                 fewer = gsl_cdf_tdist_Pinv(tail, n - 1) / gsl_cdf_tdist_Pinv(tail, suites - 1);
    const double effective = n / effect * fewer * fewer;
    return cor_proportion_real(p * effective, effective, level);
}
