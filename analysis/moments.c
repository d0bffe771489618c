/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "moments.h"

#include <corridor/proportion.h>

#include <gsl/gsl_cdf.h>

#include <math.h>

void cor__moments_put(struct cor__moments *m, double value) {
    cor_moments_put(&m->all, value);
    m->suite_n++;
    m->suite_sum += value;
}

void cor__moments_put_share(struct cor__moments *m, uint64_t part, uint64_t whole) {
    if (whole == 0)
        return;
    m->all.n += whole;
    m->all.mean += (100.0 * (double)part - m->all.mean * (double)whole) / (double)m->all.n;
    m->suite_n += whole;
    m->suite_sum += 100.0 * (double)part;
}

void cor__moments_end_suite(struct cor__moments *m) {
    if (m->suite_n == 0)
        return;
    cor_ratio_moments_put(&m->suites, m->suite_sum, (double)m->suite_n);
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
    uint64_t suites = m->suites.clusters;
    struct cor_bounds bounds = cor_proportion_clopper_pearson(figure->mean > 0 ? suites : 0, suites, level);
    figure->interval = COR_INTERVAL_CLOPPER_PEARSON;
    figure->low = 100 * bounds.low;
    figure->high = 100 * bounds.high;
}

/* All suites have the same mean. The residuals are differences of sums of squares, so what remains of them is
 * rounding: compared with those sums, which are large where suites differ in size alone. */
static bool suites_alike(const struct cor_ratio_moments *suites, double ratio, double error) {
    double count = (double)suites->clusters, residual = error * suites->mean_x * count;
    double squares = suites->squares_y + ratio * ratio * suites->squares_x;
    return error <= 1e-12 * fabs(ratio) || residual * residual * (count - 1) / count <= 1e-13 * squares;
}

static void linearised(const struct cor__moments *m, enum cor_metric_kind kind, double level,
                       struct cor_figure *figure) {
    double ratio = cor_ratio_moments_ratio(&m->suites), error = cor_ratio_moments_error(&m->suites);
    if (suites_alike(&m->suites, ratio, error)) /* says nothing about those that were not drawn */
        return;
    double half = gsl_cdf_tdist_Pinv(0.5 + level / 2, (double)(m->suites.clusters - 1)) * error;
    figure->interval = COR_INTERVAL_LINEARISED;
    figure->error = error;
    figure->low = fmax(figure->mean - half, kind == COR_KIND_DEPTH ? 1 : 0);
    figure->high = is_percentage(kind) ? fmin(figure->mean + half, 100) : figure->mean + half;
}

void cor__moments_figure(const struct cor__moments *m, enum cor_metric_kind kind, double level,
                         struct cor_figure *figure) {
    figure->mean = figure->sd = figure->low = figure->high = figure->error = NAN;
    figure->interval = COR_INTERVAL_NONE;
    figure->n = m->all.n;
    figure->suites = m->suites.clusters;
    if (m->all.n == 0)
        return;
    figure->mean = m->all.mean;
    if (kind != COR_KIND_SHARE && kind != COR_KIND_TOTAL)
        figure->sd = cor_moments_sd(&m->all);
    if (kind == COR_KIND_TOTAL || m->suites.clusters < 2)
        return;
    if (is_percentage(kind) && (figure->mean <= 0 || figure->mean >= 100))
        clopper_pearson(m, level, figure);
    else
        linearised(m, kind, level, figure);
}
