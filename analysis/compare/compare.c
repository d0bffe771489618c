/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of suites, what is said of them, and what may be claimed. */
#include "pairing.h"

#include <corridor/array.h>
#include <corridor/bootstrap.h>

#include <math.h>
#include <stdlib.h>

const char *cor_compare_verdict_word(enum cor_compare_verdict verdict) {
    static const char *const words[] = {"no_difference_claimed", "A_higher", "B_higher"};
    return words[verdict];
}

/* Streams of random numbers of a metric: one a side, one for the difference. */
enum figure { FIGURE_A, FIGURE_B, FIGURE_DIFFERENCE, FIGURES };

/* Values of the suites of A and B; paired: value[0][i] and value[1][i] are of one suite. */
struct values {
    double *value[2]; /* owned, like the other */
    double *ones;
    size_t count[2];
};

struct work {
    const struct cor_sums *side[2];
    struct cor_comparison *made;
    struct cor__pairing pairing;
    struct values values;
    uint32_t couple; /* index of the pair of arms under way */
};

static double value_of(const struct cor_suite_sums *suite, enum cor_sum_metric metric) {
    return suite->x[metric] > 0 ? suite->y[metric] / suite->x[metric] : (double)NAN;
}

/* A suite without a value takes no part, and takes its partner along. */
static void take_values(struct work *work, bool paired, enum cor_sum_metric metric) {
    struct values *v = &work->values;
    v->count[0] = v->count[1] = 0;
    for (int i = 0; i < 2 && !paired; i++)
        for (size_t s = 0; s < work->pairing.count[i]; s++) {
            double value = value_of(work->pairing.suite[i][s], metric);
            if (isfinite(value))
                v->value[i][v->count[i]++] = value;
        }
    for (size_t s = 0; s < work->pairing.count[0] && paired; s++) {
        double a = value_of(work->pairing.suite[0][s], metric);
        double b = value_of(work->pairing.suite[1][s], metric);
        if (!isfinite(a) || !isfinite(b))
            continue;
        v->value[0][v->count[0]++] = a;
        v->value[1][v->count[1]++] = b;
    }
}

/* ---------------------------------------------------------------------------------- difference */

static struct cor_estimating how(const struct work *work, enum cor_sum_metric metric, enum figure figure) {
    return (struct cor_estimating){work->made->level, work->side[0]->head->seed, work->couple + 1,
                                   (uint32_t)(metric * FIGURES + figure)};
}

static enum cor_status paired_difference(struct work *work, enum cor_sum_metric metric,
                                         struct cor_compared *compared, struct cor_error *error) {
    struct values *v = &work->values;
    struct cor_estimating stream_of = how(work, metric, FIGURE_DIFFERENCE);
    double *difference = cor_calloc(v->count[0], sizeof *difference);
    if (!difference)
        return cor_fail_memory(error);
    for (size_t s = 0; s < v->count[0]; s++)
        difference[s] = v->value[1][s] - v->value[0][s];
    enum cor_status status = cor_old_estimate_ratio(&stream_of, difference, v->ones, (uint32_t)v->count[0], 0,
                                                &compared->difference, error);
    free(difference);
    return status;
}

/* B's mean less A's, when suites of A (the first stratum) and of B are drawn each for themselves. */
static double difference_of(const uint32_t *multiplicity, uint32_t clusters, void *context) {
    const struct values *v = context;
    double sum[2] = {0, 0}, n[2] = {0, 0};
    (void)clusters;
    for (int i = 0; i < 2; i++)
        for (size_t s = 0; s < v->count[i]; s++) {
            double times = multiplicity[i == 0 ? s : v->count[0] + s];
            sum[i] += times * v->value[i][s];
            n[i] += times;
        }
    return n[0] > 0 && n[1] > 0 ? sum[1] / n[1] - sum[0] / n[0] : (double)NAN;
}

static enum cor_status unpaired_difference(struct work *work, enum cor_sum_metric metric,
                                           struct cor_compared *compared, struct cor_error *error) {
    struct cor_estimating of = how(work, metric, FIGURE_DIFFERENCE);
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){
        .seed = of.seed, .arm = of.arm, .entity = of.figure, .purpose = COR_PURPOSE_BOOTSTRAP});
    struct cor_bootstrap_plan plan = cor_default_bootstrap(&rng);
    struct cor_bootstrap made;
    const uint32_t strata[2] = {(uint32_t)work->values.count[0], (uint32_t)work->values.count[1]};
    const struct cor_cluster_design design = {strata, 2, difference_of, &work->values};
    plan.level = of.level;
    enum cor_status status = cor_bootstrap_clusters(&plan, &design, &made, error);
    if (status == COR_OK)
        compared->difference = (struct cor_old_estimate){made.estimate,
                                                     made.low,
                                                     made.high,
                                                     made.clusters,
                                                     (double)made.clusters,
                                                     cor_interval_word(made.method)};
    return status;
}

/* ----------------------------------------------------------------------------------- a metric */

/* 1 if the ranks say that B is higher, -1 for A, 0 for neither. */
static int side_of_ranks(const struct values *v, bool paired, double statistic) {
    double n = 0, middle = (double)v->count[0] * (double)v->count[1] / 2;
    if (paired) {
        for (size_t s = 0; s < v->count[0]; s++)
            n += v->value[1][s] < v->value[0][s] || v->value[1][s] > v->value[0][s];
        middle = n * (n + 1) / 4;
    }
    return (statistic > middle) - (statistic < middle);
}

/* Means and tests. */
static enum cor_status weigh(struct work *work, bool paired, enum cor_sum_metric metric,
                             struct cor_compared *compared, struct cor_error *error) {
    struct values *v = &work->values;
    enum cor_status status = COR_OK;
    for (int i = 0; i < 2 && status == COR_OK; i++) {
        struct cor_estimating of = how(work, metric, i == 0 ? FIGURE_A : FIGURE_B);
        status = cor_old_estimate_ratio(&of, v->value[i], v->ones, (uint32_t)v->count[i], cor_sum_whole(metric),
                                    &compared->value[i], error);
    }
    if (status == COR_OK)
        status = (paired ? paired_difference : unpaired_difference)(work, metric, compared, error);
    if (status == COR_OK && paired)
        status = cor_signed_rank(v->value[1], v->value[0], v->count[0], &compared->test, error);
    else if (status == COR_OK)
        status = cor_mann_whitney(v->value[1], v->count[1], v->value[0], v->count[0], &compared->test, error);
    return status == COR_OK ? cor_a12(v->value[1], v->count[1], v->value[0], v->count[0], work->made->level,
                                      &compared->effect, error)
                            : status;
}

static const char *why_not(const struct work *work, const struct cor__couple *couple,
                           enum cor_sum_metric metric) {
    if (cor_sum_is_time(metric) && (!work->side[0]->times || !work->side[1]->times))
        return "no file with times beside both results";
    if (metric == COR_SUM_SPENT && !cor__same_algorithm(work->side, couple))
        return "the algorithms differ, and so do their units";
    return NULL;
}

static struct cor_compared nothing(const char *why) {
    const struct cor_old_estimate none = cor_no_old_estimate();
    return (struct cor_compared){.value = {none, none},
                                 .difference = none,
                                 .test = {NAN, NAN, NAN, COR_TEST_NONE},
                                 .p_holm = NAN,
                                 .effect = {NAN, NAN, {NAN, NAN}},
                                 .not_compared = why};
}

static enum cor_status compare_metric(struct work *work, const struct cor__couple *couple,
                                      struct cor_compared_arms *arms, enum cor_sum_metric metric,
                                      struct cor_error *error) {
    struct cor_compared *compared = &arms->metric[metric];
    *compared = nothing(why_not(work, couple, metric));
    if (compared->not_compared)
        return COR_OK;
    take_values(work, arms->paired, metric);
    compared->n[0] = work->values.count[0];
    compared->n[1] = work->values.count[1];
    if (compared->n[0] == 0 || compared->n[1] == 0) {
        compared->not_compared = arms->paired ? "no suite has a value in both" : "no suite has a value";
        return COR_OK;
    }
    enum cor_status status = weigh(work, arms->paired, metric, compared, error);
    int ranks = side_of_ranks(&work->values, arms->paired, compared->test.statistic);
    double mean = compared->difference.mean;
    /* Ranks and means may point to different sides; then neither is claimed. */
    if (ranks > 0 && mean > 0)
        compared->verdict = COR_COMPARE_B_HIGHER;
    else if (ranks < 0 && mean < 0)
        compared->verdict = COR_COMPARE_A_HIGHER;
    return status;
}

static enum cor_status compare_arms(struct work *work, const struct cor__couple *couple,
                                    struct cor_compared_arms *arms, struct cor_error *error) {
    struct values *v = &work->values;
    enum cor_status status = cor__pairing_init(&work->pairing, work->side, couple, arms, error);
    size_t most = arms->suites[0] > arms->suites[1] ? arms->suites[0] : arms->suites[1];
    *v = (struct values){{cor_calloc(most, sizeof **v->value), cor_calloc(most, sizeof **v->value)},
                         cor_calloc(most, sizeof *v->ones),
                         {0, 0}};
    if (status == COR_OK && (!v->value[0] || !v->value[1] || !v->ones))
        status = cor_fail_memory(error);
    for (size_t s = 0; s < most && status == COR_OK; s++)
        v->ones[s] = 1;
    for (enum cor_sum_metric m = 0; m < COR_SUM_COUNT && status == COR_OK; m++)
        status = compare_metric(work, couple, arms, m, error);
    free(v->value[0]);
    free(v->value[1]);
    free(v->ones);
    cor__pairing_fini(&work->pairing);
    return status;
}

/* -------------------------------------------------------------------------------------- claims */

static void judge(struct cor_comparison *made, enum cor_sum_metric metric, struct cor_compared *compared) {
    enum cor_better better = cor_sum_schema(metric)->better;
    if (!(compared->p_holm < 1 - made->level))
        compared->verdict = COR_COMPARE_NO_CLAIM;
    if (compared->verdict == COR_COMPARE_NO_CLAIM || better == COR_BETTER_NEITHER)
        return;
    compared->better = (compared->verdict == COR_COMPARE_B_HIGHER) == (better == COR_BETTER_HIGHER) ? 1 : -1;
    made->worse += compared->better < 0;
    made->worse_times += compared->better < 0 && cor_sum_is_time(metric);
}

/* One correction over everything that was tested. */
static enum cor_status claim(struct cor_comparison *made, struct cor_error *error) {
    size_t count = made->arm_count * COR_SUM_COUNT;
    double *p = cor_calloc(count, sizeof *p);
    if (!p)
        return cor_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        p[i] = made->arm[i / COR_SUM_COUNT].metric[i % COR_SUM_COUNT].test.p;
        made->tests += isnan(p[i]) ? 0 : 1;
    }
    enum cor_status status = cor_holm(p, count, error);
    for (size_t i = 0; i < count && status == COR_OK; i++) {
        struct cor_compared *compared = &made->arm[i / COR_SUM_COUNT].metric[i % COR_SUM_COUNT];
        compared->p_holm = p[i];
        judge(made, (enum cor_sum_metric)(i % COR_SUM_COUNT), compared);
    }
    free(p);
    return status;
}

enum cor_status cor_compare(const struct cor_sums *a, const struct cor_sums *b,
                            const struct cor_compare_wish *wish, struct cor_comparison **comparison,
                            struct cor_error *error) {
    COR_ASSERT(wish->level >= 0.5 && wish->level <= 0.9999);
    struct cor__couple *couples = NULL;
    struct cor_comparison *made = *comparison = cor_calloc(1, sizeof *made);
    struct work work = {.side = {a, b}, .made = made};
    size_t count = 0;
    if (!made)
        return cor_fail_memory(error);
    made->level = wish->level;
    made->identical = wish->identical;
    enum cor_status status = cor__couples(work.side, wish->arms, &couples, &count, made->without, error);
    made->arm = cor_calloc(count, sizeof *made->arm);
    if (status == COR_OK && !made->arm)
        status = cor_fail_memory(error);
    for (size_t c = 0; c < count && status == COR_OK; c++, made->arm_count++) {
        work.couple = (uint32_t)c;
        status = compare_arms(&work, &couples[c], &made->arm[c], error);
    }
    if (status == COR_OK)
        status = claim(made, error);
    free(couples);
    if (status != COR_OK) {
        cor_comparison_destroy(made);
        *comparison = NULL;
    }
    return status;
}

void cor_comparison_destroy(struct cor_comparison *comparison) {
    if (!comparison)
        return;
    free(comparison->arm);
    free(comparison);
}
