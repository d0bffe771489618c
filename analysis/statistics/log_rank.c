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
    *numbers = cor_calloc(k * k + 5 * k, sizeof **numbers);
    COR_TRY(cor_made(*numbers, error));
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
    struct statistics__place *places = NULL;
    double *numbers = NULL;
    struct scene scene;
    for (size_t i = 0; i < n; i++)
        COR_ASSERT(group[i] < group_count);
    enum cor_status status = COR_OK;
    COR_TRY_OUT(make_scene(time, n, group_count, &scene, &places, &numbers, error));
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
out:
    free(places);
    free(numbers);
    return status;
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
    free(exchange.start);
    free(exchange.order);
    free(exchange.given);
    free(exchange.group);
    free(places);
    free(numbers);
    return status;
}
