/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/survival.h>

#include "order.h"

#include <corridor/array.h>
#include <corridor/two_samples.h>

#include <gsl/gsl_cdf.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct scene {
    const struct cor__place *places; /* observations in order of time */
    size_t n;
    const bool *event;
    const uint32_t *group;
    uint32_t groups;
    double *covariance;                                      /* [groups][groups] */
    double *difference, *expected, *at_risk, *ends, *events; /* [groups]; ends, events: at the present time */
};

/* Adds the time whose `events`, `ends` and `at_risk` are set. */
static void add_time(struct scene *s) {
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
        add_time(s);
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

enum cor_status cor_log_rank(const double *time, const bool *event, const uint32_t *group, size_t n,
                             uint32_t group_count, struct cor_log_rank *test, double *expected,
                             struct cor_error *error) {
    struct cor__place *places = NULL;
    double *numbers = NULL;
    size_t k = group_count;
    for (size_t i = 0; i < n; i++)
        COR_ASSERT(group[i] < group_count);
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor__times_order(time, n, &places, error));
    numbers = cor_calloc(k * k + 5 * k, sizeof *numbers);
    if (!numbers)
        COR_TRY_OUT(cor_fail_memory(error));
    double *columns = numbers + k * k;
    struct scene scene = {places,  n,           event,           group,           group_count,    numbers,
                          columns, columns + k, columns + 2 * k, columns + 3 * k, columns + 4 * k};
    go_through(&scene);
    if (expected && k > 0)
        memcpy(expected, scene.expected, k * sizeof *expected);
    *test = (struct cor_log_rank){NAN, 0, NAN};
    double chi_square = quadratic_form(scene.covariance, scene.difference, group_count, &test->df);
    if (test->df > 0) {
        test->chi_square = chi_square;
        test->p = gsl_cdf_chisq_Q(chi_square, test->df);
    }
out:
    free(places);
    free(numbers);
    return status;
}

/* The observations of two groups, as groups 0 and 1. */
struct pair {
    double *time;
    bool *event;
    uint32_t *group;
    size_t n;
};

enum cor_status cor_log_rank_pairs(const double *time, const bool *event, const uint32_t *group, size_t n,
                                   uint32_t group_count, struct cor_log_rank *test, double *p_holm,
                                   struct cor_error *error) {
    struct pair pair = {cor_calloc(n, sizeof *pair.time), cor_calloc(n, sizeof *pair.event),
                        cor_calloc(n, sizeof *pair.group), 0};
    enum cor_status status = COR_OK;
    size_t at = 0;
    if (!pair.time || !pair.event || !pair.group)
        status = cor_fail_memory(error);
    for (uint32_t b = 1; b < group_count; b++)
        for (uint32_t a = 0; a < b && status == COR_OK; a++, at++) {
            pair.n = 0;
            for (size_t i = 0; i < n; i++)
                if (group[i] == a || group[i] == b) {
                    pair.time[pair.n] = time[i];
                    pair.event[pair.n] = event[i];
                    pair.group[pair.n++] = group[i] == b;
                }
            status = cor_log_rank(pair.time, pair.event, pair.group, pair.n, 2, &test[at], NULL, error);
            p_holm[at] = test[at].p;
        }
    if (status == COR_OK)
        status = cor_holm(p_holm, at, error);
    free(pair.time);
    free(pair.event);
    free(pair.group);
    return status;
}
