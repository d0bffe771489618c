/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/unseen.h>

#include <corridor/error.h>

#include <gsl/gsl_cdf.h>

#include <math.h>

struct cor_unseen_counts cor_unseen_count(const uint64_t *occurrences, size_t class_count) {
    struct cor_unseen_counts counts = {0};
    for (size_t i = 0; i < class_count; i++) {
        counts.draws += occurrences[i];
        counts.classes += occurrences[i] > 0;
        counts.once += occurrences[i] == 1;
        counts.twice += occurrences[i] == 2;
    }
    return counts;
}

static double normal_quantile(double level) {
    COR_ASSERT(level > 0 && level < 1);
    return gsl_cdf_ugaussian_Pinv(0.5 + level / 2);
}

struct cor_missing_mass cor_missing_mass(const struct cor_unseen_counts *counts, double level) {
    struct cor_missing_mass m = {NAN, NAN, {NAN, NAN}, NAN};
    double n = (double)counts->draws, f1 = (double)counts->once, f2 = (double)counts->twice;
    double z = normal_quantile(level);
    if (counts->draws == 0)
        return m;
    m.mass = f1 / n;
    m.error = sqrt(f1 * (1 - f1 / n) + 2 * f2) / n;
    if (m.error > 0)
        m.bounds = (struct cor_bounds){fmax(m.mass - z * m.error, 0), fmin(m.mass + z * m.error, 1)};
    if (counts->once > 0)
        m.draws_to_next = n / f1;
    return m;
}

/* With k = (n - 1) / n and r = f1 / f2. */
static double chao_variance(double k, double f1, double f2, double classes) {
    double r = f1 / f2;
    if (f2 > 0)
        return f2 * (k / 2 * r * r + k * k * r * r * r + k * k / 4 * r * r * r * r);
    return k * f1 * (f1 - 1) / 2 + k * k * f1 * (2 * f1 - 1) * (2 * f1 - 1) / 4 -
           k * k * f1 * f1 * f1 * f1 / (4 * classes);
}

struct cor_chao cor_chao(const struct cor_unseen_counts *counts, double level) {
    struct cor_chao c = {NAN, NAN, {NAN, NAN}};
    double n = (double)counts->draws, f1 = (double)counts->once, f2 = (double)counts->twice;
    double seen = (double)counts->classes, z = normal_quantile(level);
    if (counts->draws == 0)
        return c;
    double k = (n - 1) / n, hidden = k * (counts->twice > 0 ? f1 * f1 / (2 * f2) : f1 * (f1 - 1) / 2);
    c.classes = seen + hidden;
    c.error = sqrt(fmax(chao_variance(k, f1, f2, c.classes), 0));
    if (hidden > 0) {
        double spread = exp(z * sqrt(log1p(c.error * c.error / (hidden * hidden))));
        c.bounds = (struct cor_bounds){seen + hidden / spread, seen + hidden * spread};
    }
    return c;
}

struct cor_coverage_expected cor_coverage_expected(const double *p, size_t class_count, double m) {
    struct cor_coverage_expected expected = {0, 0};
    COR_ASSERT(m >= 0);
    for (size_t i = 0; i < class_count && m > 0; i++) { /* 0 * log 0 would be NaN */
        double met = -expm1(m * log1p(-p[i]));
        expected.classes += met;
        expected.mass += p[i] * met;
    }
    return expected;
}
