/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "order.h"

#include <corridor/array.h>
#include <corridor/descriptive.h>
#include <corridor/error.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
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

/* ---- proportion */

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

/* ---- weighted */

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

/* ---- unseen */

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

double cor_missing_mass(const struct cor_unseen_counts *counts) {
    return counts->draws > 0 ? (double)counts->once / (double)counts->draws : NAN;
}

double cor_chao(const struct cor_unseen_counts *counts) {
    double n = (double)counts->draws, f1 = (double)counts->once, f2 = (double)counts->twice;
    if (counts->draws == 0)
        return NAN;
    double pairs = counts->twice > 0 ? f1 * f1 / (2 * f2) : f1 * (f1 - 1) / 2;
    return (double)counts->classes + (n - 1) / n * pairs;
}

/* ---- orders and ranks, and censored times in ascending order */

static int compare_items(const void *a, const void *b) {
    const struct statistics__place *x = a, *y = b;
    if (x->value < y->value || x->value > y->value)
        return x->value < y->value ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

void statistics__order(const double *values, size_t n, struct statistics__place *places) {
    for (size_t i = 0; i < n; i++)
        places[i] = (struct statistics__place){values[i], i};
    if (n > 1)
        qsort(places, n, sizeof *places, compare_items);
}

double statistics__mid_ranks(const struct statistics__place *places, size_t n, double *rank) {
    double ties = 0;
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && places[end].value <= places[first].value;)
            end++;
        double t = (double)(end - first);
        for (size_t i = first; i < end; i++)
            rank[places[i].index] = ((double)first + 1 + (double)end) / 2;
        ties += t * t * t - t;
    }
    return ties;
}

enum cor_status statistics__times_order(const double *time, size_t n, struct statistics__place **places,
                                        struct cor_error *error) {
    *places = NULL;
    for (size_t i = 0; i < n; i++)
        if (!(time[i] >= 0) || isinf(time[i]))
            return cor_fail(error, COR_STATUS_INPUT, NULL, "times are finite and at least 0",
                            "the time of observation %zu is %g", i, time[i]);
    *places = cor_calloc(n, sizeof **places);
    if (!*places)
        return cor_fail_memory(error);
    statistics__order(time, n, *places);
    return COR_OK;
}
