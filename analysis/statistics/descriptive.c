/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/descriptive.h>

#include <corridor/error.h>

#include <math.h>
#include <stdlib.h>

void cor_moments_put(struct cor_moments *m, double value) {
    double before = value - m->mean;
    m->n++;
    m->mean += before / (double)m->n;
    m->squares += before * (value - m->mean);
}

double cor_moments_sd(const struct cor_moments *m) {
    return m->n > 1 ? sqrt(m->squares / (double)(m->n - 1)) : NAN;
}

void cor_ratio_moments_put(struct cor_ratio_moments *m, double y, double x) {
    m->clusters++;
    double count = (double)m->clusters, before_x = x - m->mean_x, before_y = y - m->mean_y;
    m->mean_x += before_x / count;
    m->mean_y += before_y / count;
    m->squares_x += before_x * (x - m->mean_x);
    m->squares_y += before_y * (y - m->mean_y);
    m->products += before_x * (y - m->mean_y);
}

double cor_ratio_moments_ratio(const struct cor_ratio_moments *m) {
    return m->mean_x > 0 || m->mean_x < 0 ? m->mean_y / m->mean_x : NAN;
}

/* The residuals e = y - r x sum to 0, so sum e^2 = Syy - 2 r Sxy + r^2 Sxx with centred sums. */
double cor_ratio_moments_error(const struct cor_ratio_moments *m) {
    double ratio = cor_ratio_moments_ratio(m), count = (double)m->clusters;
    if (m->clusters < 2 || isnan(ratio))
        return NAN;
    double residuals = m->squares_y - 2 * ratio * m->products + ratio * ratio * m->squares_x;
    return sqrt(fmax(residuals, 0) * count / (count - 1)) / fabs(m->mean_x * count);
}

double cor_quantile(const double *sorted, size_t n, double p) {
    COR_ASSERT(p >= 0 && p <= 1);
    if (n == 0)
        return NAN;
    double place = (double)(n - 1) * p, before = floor(place);
    size_t at = (size_t)before;
    double part = place - before;
    if (part <= 0 || at + 1 >= n || sorted[at] == sorted[at + 1]) /* infinite neighbours have no difference */
        return sorted[at];
    return sorted[at] + part * (sorted[at + 1] - sorted[at]);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void cor_sort(double *values, size_t n) {
    if (n > 1)
        qsort(values, n, sizeof *values, compare);
}
