/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "order.h"

#include <corridor/array.h>
#include <corridor/descriptive.h>
#include <corridor/survival.h>
#include <corridor/two_samples.h>

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Survival is a product of fractions: 1/2 may come out an ulp beside. */
#define ROUNDING 1e-12

enum cor_status cor_survival_init(struct cor_survival *curve, const double *time, const bool *event, size_t n,
                                  double level, struct cor_error *error) {
    COR_ASSERT(level > 0 && level < 1);
    *curve = (struct cor_survival){.n = n, .level = level};
    COR_FREED struct statistics__place *places = NULL;
    COR_TRY(statistics__times_order(time, n, &places, error));
    COR_TRY(cor_made(curve->step = cor_calloc(n, sizeof *curve->step), error));
    double survival = 1, variance = 0, z = gsl_cdf_ugaussian_Pinv(0.5 + curve->level / 2);
    uint64_t at_risk = curve->n;
    for (size_t i = 0; i < curve->n;) {
        struct cor_survival_step *step = &curve->step[curve->step_count++];
        *step = (struct cor_survival_step){.time = places[i].value, .at_risk = at_risk};
        for (; i < curve->n && places[i].value <= step->time; i++)
            (*(event[places[i].index] ? &step->events : &step->censored))++;
        double k = (double)at_risk, d = (double)step->events;
        survival *= (k - d) / k;
        variance += d < k ? d / (k * (k - d)) : 0; /* at k = d the curve ends, and so does its error */
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
    return COR_OK;
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

/* ---- figures of survival times that come in clusters, with intervals over clusters */

enum cor_status cor_survival_reach(const struct cor_clustered_times *times, double *reach,
                                   struct cor_error *error) {
    COR_FREED double *last = cor_calloc(times->cluster_count, sizeof *last);
    double greatest = -1, censored_last = -1;
    uint32_t observed = 0;
    *reach = INFINITY;
    COR_TRY(cor_made(last, error));
    if (times->n == 0)
        return COR_OK;
    for (size_t i = 0; i < times->n; i++) {
        COR_ASSERT(times->cluster[i] < times->cluster_count);
        COR_ASSERT(i == 0 || times->cluster[i] >= times->cluster[i - 1]);
        greatest = fmax(greatest, times->time[i]);
        censored_last = times->event[i] ? censored_last : fmax(censored_last, times->time[i]);
    }
    /* The last time of each cluster, -1 without observations, infinity where nothing is censored. */
    for (uint32_t c = 0; c < times->cluster_count; c++)
        last[c] = -1;
    for (size_t i = 0; i < times->n;) {
        uint32_t cluster = times->cluster[i];
        bool censored = false;
        for (; i < times->n && times->cluster[i] == cluster; i++) {
            last[cluster] = fmax(last[cluster], times->time[i]);
            censored = censored || !times->event[i];
        }
        last[cluster] = censored ? last[cluster] : INFINITY;
    }
    for (uint32_t c = 0; c < times->cluster_count; c++)
        if (last[c] >= 0)
            last[observed++] = last[c];
    cor_sort(last, observed);
    *reach = last[(observed - 1) / 2];
    if (isinf(*reach) && censored_last >= greatest)
        *reach = greatest;
    return COR_OK;
}

/* Observations in order of time, each as often as its cluster was drawn. */
struct ordered {
    double time;
    bool event;
    uint32_t cluster;
};

static int compare_ordered(const void *one, const void *other) {
    const struct ordered *a = one, *b = other;
    return (a->time > b->time) - (a->time < b->time);
}

/* The smallest time at which at most half are without an event, infinity if there is none. */
static double median_of(const struct ordered *it, size_t n, const uint32_t *multiplicity) {
    uint64_t at_risk = 0;
    double survival = 1;
    for (size_t i = 0; i < n; i++)
        at_risk += multiplicity[it[i].cluster];
    for (size_t i = 0; i < n && at_risk > 0;) {
        double now = it[i].time;
        uint64_t events = 0, left = 0;
        for (; i < n && it[i].time <= now; i++) {
            left += multiplicity[it[i].cluster];
            events += it[i].event ? multiplicity[it[i].cluster] : 0;
        }
        if (left == 0)
            continue;
        survival *= (double)(at_risk - events) / (double)at_risk;
        at_risk -= left;
        if (survival <= 0.5 + 1e-12)
            return now;
    }
    return INFINITY;
}

enum cor_status cor_survival_estimate_median(const struct cor_bootstrap_plan *plan,
                                             const struct cor_clustered_times *times,
                                             struct cor_estimate *median, struct cor_error *error) {
    COR_ASSERT(plan->replicates > 0 && plan->level > 0 && plan->level < 1);
    COR_FREED struct ordered *it = cor_calloc(times->n, sizeof *it);
    COR_FREED uint32_t *multiplicity = cor_calloc(times->cluster_count, sizeof *multiplicity);
    COR_FREED double *replicate = cor_calloc(plan->replicates, sizeof *replicate);
    double all;
    *median = cor_no_estimate();
    median->suites = times->cluster_count;
    median->n = (double)times->n;
    if (!it || !multiplicity || !replicate)
        return cor_fail_memory(error);
    if (times->n == 0)
        return COR_OK;
    for (size_t i = 0; i < times->n; i++)
        it[i] = (struct ordered){times->time[i], times->event[i], times->cluster[i]};
    qsort(it, times->n, sizeof *it, compare_ordered);
    for (uint32_t c = 0; c < times->cluster_count; c++)
        multiplicity[c] = 1;
    all = median_of(it, times->n, multiplicity);
    median->mean = isfinite(all) ? all : NAN;
    if (times->cluster_count > 1) {
        /* Quantiles of the replicates are order statistics, as medians that are not reached have no mean. */
        for (uint32_t r = 0; r < plan->replicates; r++) {
            memset(multiplicity, 0, times->cluster_count * sizeof *multiplicity);
            for (uint32_t c = 0; c < times->cluster_count; c++)
                multiplicity[cor_rng_below(plan->rng, times->cluster_count)]++;
            replicate[r] = median_of(it, times->n, multiplicity);
        }
        cor_sort(replicate, plan->replicates);
        size_t tail = (size_t)floor((1 - plan->level) / 2 * (double)plan->replicates);
        double low = replicate[tail], high = replicate[plan->replicates - 1 - tail];
        if ((low < high)) {
            median->low = low;
            median->high = isfinite(high) ? high : NAN;
            median->interval = COR_INTERVAL_PERCENTILE;
        }
    }
    return COR_OK;
}

/* Clusters with a time that was observed up to `time`, by its event or beyond. */
static uint32_t clusters_reaching(const struct cor_clustered_times *times, double time) {
    uint32_t clusters = 0, last = UINT32_MAX;
    for (size_t i = 0; i < times->n; i++)
        if ((times->event[i] || times->time[i] >= time) && times->cluster[i] != last) {
            last = times->cluster[i];
            clusters++;
        }
    return clusters;
}

enum cor_status cor_survival_estimate(const struct cor_bootstrap_plan *plan,
                                      const struct cor_clustered_times *times,
                                      enum cor_survival_figure figure, double horizon,
                                      struct cor_estimate *estimate, uint32_t *without,
                                      struct cor_error *error) {
    struct cor_bootstrap made;
    COR_TRY(cor_survival_bootstrap(plan, times, figure, horizon, &made, error));
    *without = made.without;
    *estimate = cor_bootstrap_estimate(&made);
    estimate->n = (double)times->n;
    estimate->suites = isnan(made.estimate) ? 0 : clusters_reaching(times, horizon);
    if (figure != COR_SURVIVAL_AT_HORIZON || !(estimate->mean <= 0 || estimate->mean >= 1))
        return COR_OK;
    const struct cor_suite_sample sample = {
        .suites = (uint32_t)estimate->suites, .whole = 1, .level = plan->level};
    return cor_interval_make(COR_INTERVAL_CLOPPER_PEARSON, &sample, estimate, error);
}

/* ---- log rank */

struct scene {
    const struct statistics__place *places; /* observations in order of time */
    size_t n;
    const bool *event;
    const uint32_t *group;
    uint32_t groups;
    double *covariance;                                      /* [groups][groups] */
    double *difference, *expected, *at_risk, *ends, *events; /* [groups]; ends, events: at the present time */
};

static void go_through(struct scene *s) {
    for (size_t i = 0; i < s->n; i++)
        s->at_risk[s->group[i]]++;
    for (size_t i = 0; i < s->n;) {
        double now = s->places[i].value;
        memset(s->ends, 0, s->groups * sizeof *s->ends);
        memset(s->events, 0, s->groups * sizeof *s->events);
        for (; i < s->n && s->places[i].value <= now; i++) {
            size_t index = s->places[i].index;
            s->ends[s->group[index]]++;
            s->events[s->group[index]] += s->event[index];
        }
        /* Adds the time whose `events`, `ends` and `at_risk` are set. */
        double n = 0, d = 0;
        for (uint32_t g = 0; g < s->groups; g++) {
            n += s->at_risk[g];
            d += s->events[g];
        }
        double spread = n > 1 ? d * (n - d) / (n - 1) : 0;
        for (uint32_t g = 0; g < s->groups && d > 0; g++) {
            double share = s->at_risk[g] / n;
            s->expected[g] += d * share;
            s->difference[g] += s->events[g] - d * share;
            for (uint32_t h = 0; h < s->groups; h++)
                s->covariance[g * s->groups + h] += spread * share * ((g == h) - s->at_risk[h] / n);
        }
        for (uint32_t g = 0; g < s->groups; g++)
            s->at_risk[g] -= s->ends[g];
    }
}

/* u' V^- u for the covariance V of u: elimination with the largest diagonal entry first, until nothing but
 * rounding remains. The number of steps is the rank. Destroys both. */
static double quadratic_form(double *v, double *u, uint32_t k, uint32_t *rank) {
    double first = 0, sum = 0;
    for (*rank = 0; *rank < k; (*rank)++) {
        uint32_t p = 0;
        for (uint32_t g = 1; g < k; g++)
            if (v[g * k + g] > v[p * k + p])
                p = g;
        double pivot = v[p * k + p];
        if (*rank == 0)
            first = pivot;
        if (pivot <= 1e-10 * first) /* also where all are 0 */
            break;
        double up = u[p];
        sum += up * up / pivot;
        for (uint32_t g = 0; g < k; g++) {
            if (g == p)
                continue;
            double factor = v[g * k + p] / pivot;
            u[g] -= factor * up;
            for (uint32_t h = 0; h < k; h++)
                v[g * k + h] -= h == p ? 0 : factor * v[p * k + h];
        }
        for (uint32_t g = 0; g < k; g++)
            v[g * k + p] = v[p * k + g] = 0;
    }
    return sum;
}

/* Room for a test of `n` observations in `groups` groups; group and event are filled in by the caller. */
static enum cor_status make_scene(const double *time, size_t n, uint32_t groups, struct scene *scene,
                                  struct statistics__place **places, double **numbers,
                                  struct cor_error *error) {
    const size_t k = groups;
    COR_TRY(statistics__times_order(time, n, places, error));
    COR_TRY(cor_made(*numbers = cor_calloc(k * k + 5 * k, sizeof **numbers), error));
    double *columns = *numbers + k * k;
    *scene = (struct scene){.places = *places,
                            .n = n,
                            .groups = groups,
                            .covariance = *numbers,
                            .difference = columns,
                            .expected = columns + k,
                            .at_risk = columns + 2 * k,
                            .ends = columns + 3 * k,
                            .events = columns + 4 * k};
    return COR_OK;
}

enum cor_status cor_log_rank(const double *time, const bool *event, const uint32_t *group, size_t n,
                             uint32_t group_count, struct cor_log_rank *test, double *expected,
                             struct cor_error *error) {
    COR_FREED struct statistics__place *places = NULL;
    COR_FREED double *numbers = NULL;
    struct scene scene;
    for (size_t i = 0; i < n; i++)
        COR_ASSERT(group[i] < group_count);
    COR_TRY(make_scene(time, n, group_count, &scene, &places, &numbers, error));
    scene.event = event;
    scene.group = group;
    go_through(&scene);
    if (expected && group_count > 0)
        memcpy(expected, scene.expected, group_count * sizeof *expected);
    *test = (struct cor_log_rank){NAN, 0, NAN};
    double chi_square = quadratic_form(scene.covariance, scene.difference, group_count, &test->df);
    if (test->df > 0) {
        test->chi_square = chi_square;
        test->p = gsl_cdf_chisq_Q(chi_square, test->df);
    }
    return COR_OK;
}

/* Clusters side by side by block: block b is order[start[b]] .. order[start[b + 1]]. */
struct exchange {
    const struct cor_grouped_clusters *clusters;
    uint32_t *start, *order, *given; /* owned; given: the groups as they are */
    uint32_t *group;                 /* owned; [observation] as exchanged */
    uint32_t block_count;
};

static enum cor_status prepare_exchange(struct exchange *exchange, size_t n, struct cor_error *error) {
    const struct cor_grouped_clusters *c = exchange->clusters;
    const uint32_t count = c->cluster_count;
    exchange->start = cor_calloc((size_t)count + 2, sizeof *exchange->start);
    exchange->order = cor_calloc(count, sizeof *exchange->order);
    exchange->given = cor_calloc(count, sizeof *exchange->given);
    exchange->group = cor_calloc(n, sizeof *exchange->group);
    if (!exchange->start || !exchange->order || !exchange->given || !exchange->group)
        return cor_fail_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t block = c->block ? c->block[i] : 0;
        COR_ASSERT(block < count && c->group[i] < c->group_count);
        exchange->start[block + 2]++;
        exchange->given[i] = c->group[i];
        exchange->block_count = block + 1 > exchange->block_count ? block + 1 : exchange->block_count;
    }
    for (uint32_t b = 0; b < exchange->block_count; b++)
        exchange->start[b + 2] += exchange->start[b + 1];
    for (uint32_t i = 0; i < count; i++)
        exchange->order[exchange->start[(c->block ? c->block[i] : 0) + 1]++] = i;
    return COR_OK;
}

static double statistic(struct scene *scene, const struct exchange *exchange, uint32_t *df) {
    const size_t k = scene->groups;
    for (size_t i = 0; i < scene->n; i++)
        exchange->group[i] = exchange->clusters->group[exchange->clusters->cluster[i]];
    memset(scene->covariance, 0, (k * k + 5 * k) * sizeof *scene->covariance);
    go_through(scene);
    return quadratic_form(scene->covariance, scene->difference, scene->groups, df);
}

enum cor_status cor_log_rank_permuted(const double *time, const bool *event, size_t n,
                                      const struct cor_grouped_clusters *clusters, uint32_t rearrangements,
                                      struct cor_rng *rng, struct cor_log_rank *test,
                                      struct cor_error *error) {
    struct exchange exchange = {.clusters = clusters};
    struct statistics__place *places = NULL;
    double *numbers = NULL;
    struct scene scene;
    uint32_t reached = 0, df;
    enum cor_status status = COR_OK;
    *test = (struct cor_log_rank){NAN, 0, NAN};
    COR_TRY_OUT(make_scene(time, n, clusters->group_count, &scene, &places, &numbers, error));
    COR_TRY_OUT(prepare_exchange(&exchange, n, error));
    scene.event = event;
    scene.group = exchange.group;
    const double seen = statistic(&scene, &exchange, &test->df);
    if (test->df == 0)
        goto out;
    for (uint32_t i = 0; i < rearrangements; i++) {
        uint32_t *group = exchange.clusters->group;
        for (uint32_t b = 0; b < exchange.block_count; b++) {
            const uint32_t *of_block = exchange.order + exchange.start[b];
            for (uint32_t left = exchange.start[b + 1] - exchange.start[b]; left > 1; left--) {
                const uint32_t other = cor_rng_below(rng, left);
                const uint32_t held = group[of_block[left - 1]];
                group[of_block[left - 1]] = group[of_block[other]];
                group[of_block[other]] = held;
            }
        }
        reached += statistic(&scene, &exchange, &df) >= seen * (1 - 1e-9); /* the same, but for rounding */
    }
    memcpy(clusters->group, exchange.given, clusters->cluster_count * sizeof *clusters->group);
    test->chi_square = seen;
    test->p = (1.0 + reached) / (1.0 + rearrangements);
out:
    COR_FREE(exchange.start, exchange.order, exchange.given, exchange.group, places, numbers);
    return status;
}
