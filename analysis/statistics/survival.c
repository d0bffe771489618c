/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/survival.h>

#include "order.h"

#include <corridor/array.h>

#include <gsl/gsl_cdf.h>

#include <math.h>
#include <stdlib.h>

/* Survival is a product of fractions: 1/2 may come out an ulp beside. */
#define ROUNDING 1e-12

static void fill_steps(struct cor_survival *curve, const struct statistics__place *places,
                       const bool *event) {
    double survival = 1, variance = 0, z = gsl_cdf_ugaussian_Pinv(0.5 + curve->level / 2);
    uint64_t at_risk = curve->n;
    for (size_t i = 0; i < curve->n;) {
        struct cor_survival_step *step = &curve->step[curve->step_count++];
        *step = (struct cor_survival_step){.time = places[i].value, .at_risk = at_risk};
        for (; i < curve->n && places[i].value <= step->time; i++)
            (*(event[places[i].index] ? &step->events : &step->censored))++;
        double n = (double)at_risk, d = (double)step->events;
        survival *= (n - d) / n;
        variance += d < n ? d / (n * (n - d)) : 0; /* at n = d the curve ends, and so does its error */
        step->survival = survival;
        /* With V = sum d / (n (n - d)): error of S is S sqrt V, that of log(-log S) is sqrt V / |log S|. */
        double s = step->survival;
        step->bounds = (struct cor_bounds){NAN, NAN};
        step->error = s > 0 ? s * sqrt(variance) : NAN;
        if (!(s <= 0 || s >= 1)) {
            double width = exp(z * sqrt(variance) / -log(s));
            step->bounds = (struct cor_bounds){pow(s, width), pow(s, 1 / width)};
        }
        curve->events += step->events;
        at_risk -= step->events + step->censored;
    }
}

enum cor_status cor_survival_init(struct cor_survival *curve, const double *time, const bool *event, size_t n,
                                  double level, struct cor_error *error) {
    COR_ASSERT(level > 0 && level < 1);
    *curve = (struct cor_survival){.n = n, .level = level};
    struct statistics__place *places;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(statistics__times_order(time, n, &places, error));
    curve->step = cor_calloc(n, sizeof *curve->step);
    if (!curve->step)
        COR_TRY_OUT(cor_fail_memory(error));
    fill_steps(curve, places, event);
out:
    free(places);
    return status;
}

void cor_survival_fini(struct cor_survival *curve) {
    free(curve->step);
    *curve = (struct cor_survival){0};
}

/* Is the curve known up to `time`? */
static bool reaches(const struct cor_survival *curve, double time) {
    if (curve->step_count == 0)
        return false;
    const struct cor_survival_step *last = &curve->step[curve->step_count - 1];
    return time <= last->time || last->survival <= 0;
}

struct cor_survival_step cor_survival_at(const struct cor_survival *curve, double time) {
    struct cor_survival_step found = {
        .time = time, .at_risk = curve->n, .survival = 1, .error = 0, .bounds = {NAN, NAN}};
    if (!(time >= 0) || !reaches(curve, time)) {
        found.at_risk = 0;
        found.survival = found.error = NAN;
        return found;
    }
    size_t low = 0, high = curve->step_count; /* steps below `low` are at or before `time` */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (curve->step[middle].time <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? curve->step[low - 1] : found;
}

struct cor_survival_quantile cor_survival_quantile(const struct cor_survival *curve, double p) {
    COR_ASSERT(p > 0 && p < 1);
    struct cor_survival_quantile found = {NAN, NAN, NAN};
    double share = 1 - p + ROUNDING;
    for (size_t i = curve->step_count; i-- > 0;) { /* backwards, so that the earliest time wins */
        const struct cor_survival_step *step = &curve->step[i];
        if (step->survival <= share)
            found.time = step->time;
        if (step->bounds.low <= share)
            found.low = step->time;
        if (step->bounds.high <= share)
            found.high = step->time;
    }
    return found;
}

/* Each event costs what lies behind it: var = sum (area right of it)^2 d / (n (n - d)). */
struct cor_restricted_mean cor_survival_restricted_mean(const struct cor_survival *curve, double horizon) {
    struct cor_restricted_mean r = {NAN, NAN, {NAN, NAN}};
    if (!(horizon >= 0) || !reaches(curve, horizon))
        return r;
    double behind = 0, variance = 0, end = horizon;
    for (size_t i = curve->step_count; i-- > 0;) {
        const struct cor_survival_step *step = &curve->step[i];
        if (step->time >= horizon)
            continue;
        double n = (double)step->at_risk, d = (double)step->events;
        behind += step->survival * (end - step->time);
        variance += d < n ? behind * behind * d / (n * (n - d)) : 0; /* n = d: nothing behind it */
        end = step->time;
    }
    r.mean = behind + end;
    r.error = sqrt(variance);
    if (variance > 0) {
        double half = gsl_cdf_ugaussian_Pinv(0.5 + curve->level / 2) * r.error;
        r.bounds = (struct cor_bounds){fmax(r.mean - half, 0), fmin(r.mean + half, horizon)};
    }
    return r;
}

struct resample {
    const struct cor_clustered_times *times;
    const struct statistics__place *places;
    enum cor_survival_figure figure;
    double horizon;
};

/* The figure of the curve in which each observation counts as often as its cluster. */
static double figure_of(const uint32_t *multiplicity, uint32_t cluster_count, void *context) {
    (void)cluster_count;
    const struct resample *r = context;
    const struct cor_clustered_times *t = r->times;
    uint64_t at_risk = 0;
    for (size_t i = 0; i < t->n; i++)
        at_risk += multiplicity[t->cluster[i]];
    double survival = 1, area = 0, from = 0, last = -1;
    for (size_t i = 0; i < t->n && r->places[i].value <= r->horizon && at_risk > 0;) {
        double now = r->places[i].value;
        uint64_t events = 0, left = 0;
        for (; i < t->n && r->places[i].value <= now; i++) {
            uint64_t times = multiplicity[t->cluster[r->places[i].index]];
            left += times;
            events += t->event[r->places[i].index] ? times : 0;
        }
        if (left == 0)
            continue;
        area += survival * (now - from);
        survival *= (double)(at_risk - events) / (double)at_risk;
        at_risk -= left;
        from = last = now;
    }
    if (at_risk == 0 && survival > 0 && last < r->horizon) /* the curve ends before, or there is none */
        return NAN;
    return r->figure == COR_SURVIVAL_AT_HORIZON ? survival : area + survival * (r->horizon - from);
}

enum cor_status cor_survival_bootstrap(const struct cor_bootstrap_plan *plan,
                                       const struct cor_clustered_times *times,
                                       enum cor_survival_figure figure, double horizon,
                                       struct cor_bootstrap *result, struct cor_error *error) {
    COR_ASSERT(horizon >= 0);
    for (size_t i = 0; i < times->n; i++)
        COR_ASSERT(times->cluster[i] < times->cluster_count);
    struct statistics__place *places;
    enum cor_status status = statistics__times_order(times->time, times->n, &places, error);
    if (status == COR_OK) {
        struct resample context = {times, places, figure, horizon};
        const struct cor_cluster_design design = {&times->cluster_count, 1, figure_of, &context};
        status = cor_bootstrap_clusters(plan, &design, result, error);
    }
    free(places);
    return status;
}
