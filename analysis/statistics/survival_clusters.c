/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of survival times that come in clusters, with intervals over clusters. */
#include <corridor/survival.h>

#include <corridor/array.h>
#include <corridor/descriptive.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum cor_status cor_survival_reach(const struct cor_clustered_times *times, double *reach,
                                   struct cor_error *error) {
    double *last = cor_calloc(times->cluster_count, sizeof *last), greatest = -1, censored_last = -1;
    uint32_t observed = 0;
    enum cor_status status = COR_OK;
    *reach = INFINITY;
    if (!last)
        COR_TRY_OUT(cor_fail_memory(error));
    if (times->n == 0)
        goto out;
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
out:
    free(last);
    return status;
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
    enum cor_status status = COR_OK;
    struct ordered *it = cor_calloc(times->n, sizeof *it);
    uint32_t *multiplicity = cor_calloc(times->cluster_count, sizeof *multiplicity);
    double *replicate = cor_calloc(plan->replicates, sizeof *replicate), all;
    *median = cor_no_estimate();
    median->suites = times->cluster_count;
    median->n = (double)times->n;
    if (!it || !multiplicity || !replicate)
        COR_TRY_OUT(cor_fail_memory(error));
    if (times->n == 0)
        goto out;
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
out:
    free(it);
    free(multiplicity);
    free(replicate);
    return status;
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
