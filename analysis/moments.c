/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "moments.h"

#include <gsl/gsl_cdf.h>

#include <math.h>

void cor__moments_put(struct cor__moments *m, double value) {
    double before = value - m->mean;
    m->n++;
    m->mean += before / (double)m->n;
    m->squares += before * (value - m->mean);
    m->suite_n++;
    m->suite_sum += value;
}

void cor__moments_put_share(struct cor__moments *m, uint64_t part, uint64_t whole) {
    if (whole == 0)
        return;
    m->n += whole;
    m->mean += (100.0 * (double)part - m->mean * (double)whole) / (double)m->n;
    m->suite_n += whole;
    m->suite_sum += 100.0 * (double)part;
}

void cor__moments_end_suite(struct cor__moments *m) {
    if (m->suite_n == 0)
        return;
    double x = (double)m->suite_n, y = m->suite_sum;
    m->suites++;
    double count = (double)m->suites, before_x = x - m->mean_x, before_y = y - m->mean_y;
    m->mean_x += before_x / count;
    m->mean_y += before_y / count;
    m->squares_x += before_x * (x - m->mean_x);
    m->squares_y += before_y * (y - m->mean_y);
    m->products += before_x * (y - m->mean_y);
    m->suite_n = 0;
    m->suite_sum = 0;
}

static bool is_percentage(enum cor_metric_kind kind) {
    return kind == COR_KIND_PERCENT || kind == COR_KIND_SHARE;
}

/* No suite differs from the others, so the spread says nothing: what is the share of suites that could differ
 * and have left no trace in this many? A sequence can only differ in a suite that does, so the bound holds
 * for sequences. */
static void clopper_pearson(const struct cor__moments *m, double level, struct cor_figure *figure) {
    double bound = 100 * (1 - pow((1 - level) / 2, 1 / (double)m->suites));
    figure->interval = COR_INTERVAL_CLOPPER_PEARSON;
    figure->low = figure->mean > 0 ? 100 - bound : 0;
    figure->high = figure->mean > 0 ? 100 : bound;
}

/* r = sum y / sum x over m suites; residuals e = y - r x sum to 0, so
 *   sum e^2 = Syy - 2 r Sxy + r^2 Sxx   with centred sums,   var r = m / (m - 1) * sum e^2 / (sum x)^2
 * (Cochran, Sampling Techniques, 3rd ed., 6.4). */
static void linearised(const struct cor__moments *m, enum cor_metric_kind kind, double level,
                       struct cor_figure *figure) {
    double count = (double)m->suites, ratio = m->mean_y / m->mean_x, total = m->mean_x * count;
    double residuals = m->squares_y - 2 * ratio * m->products + ratio * ratio * m->squares_x;
    double error = sqrt(fmax(residuals, 0) * count / (count - 1)) / total;
    if (error <= 1e-12 * fabs(ratio)) /* all suites alike: says nothing about those that were not drawn */
        return;
    double half = gsl_cdf_tdist_Pinv(0.5 + level / 2, count - 1) * error;
    figure->interval = COR_INTERVAL_LINEARISED;
    figure->error = error;
    figure->low = fmax(figure->mean - half, kind == COR_KIND_DEPTH ? 1 : 0);
    figure->high = is_percentage(kind) ? fmin(figure->mean + half, 100) : figure->mean + half;
}

void cor__moments_figure(const struct cor__moments *m, enum cor_metric_kind kind, double level,
                         struct cor_figure *figure) {
    figure->mean = figure->sd = figure->low = figure->high = figure->error = NAN;
    figure->interval = COR_INTERVAL_NONE;
    figure->n = m->n;
    figure->suites = m->suites;
    if (m->n == 0)
        return;
    figure->mean = m->mean;
    if (m->n > 1 && kind != COR_KIND_SHARE && kind != COR_KIND_TOTAL)
        figure->sd = sqrt(m->squares / (double)(m->n - 1));
    if (kind == COR_KIND_TOTAL || m->suites < 2)
        return;
    if (is_percentage(kind) && (figure->mean <= 0 || figure->mean >= 100))
        clopper_pearson(m, level, figure);
    else
        linearised(m, kind, level, figure);
}
