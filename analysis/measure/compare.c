/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of suites, what is said of them, and what may be claimed. */
#include <corridor/compare.h>

#include <corridor/array.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *cor_compare_verdict_word(enum cor_compare_verdict verdict) {
    static const char *const words[] = {"no_difference_claimed", "A_higher", "B_higher"};
    COR_ASSERT(verdict <= COR_COMPARE_B_HIGHER);
    return words[verdict];
}

/* Streams of random numbers of a metric: one a side, one for the difference. */
enum figure { FIGURE_A, FIGURE_B, FIGURE_DIFFERENCE, FIGURES };

/* Arms that are compared: their places in the catalogs of A and B. */
struct couple {
    size_t arm[2];
};

struct work {
    const struct cor_measurement *side[2];
    struct cor_comparison *made;
    struct couple *couple; /* owned; [made->arm_count] */
    /* Of the couple under way. */
    size_t at; /* its index */
    struct cor_suite_list suites[2];
    size_t *common; /* owned; see cor_common_suites */
    bool paired;
    bool same_algorithm; /* as far as the files say */
    double *value[2], *ones,
        *difference; /* owned; values of the suites of A and B; paired: of one suite each */
    size_t count[2];
};

static size_t find(const struct work *work, int side, const char *name, size_t length) {
    return cor_arm_of_name(work->side[side]->head, name, length);
}

static enum cor_status no_such_arm(const struct work *work, int side, const char *name, size_t length,
                                   struct cor_error *error) {
    char known[COR_KNOWN_ARMS], word[256];
    snprintf(word, sizeof word, "%.*s", length < 255 ? (int)length : 255, name);
    COR_TRY(cor_arm_names(work->side[side]->head, word, known, error));
    return cor_fail(error, COR_STATUS_INPUT, "--arms", known, "%c has no arm \"%s\"", "AB"[side], word);
}

/* Whether both files have the arms of that reading: the first `length` letters, and what follows the sign. */
static bool both_have(const struct work *work, const char *first, size_t length, const char *second,
                      struct couple *couple) {
    *couple = (struct couple){{find(work, 0, first, length), find(work, 1, second, strlen(second))}};
    return couple->arm[0] < work->side[0]->arm_count && couple->arm[1] < work->side[1]->arm_count;
}

/* A name may hold the sign that stands between the two: the first reading that both files know counts. */
static enum cor_status split(const struct work *work, const char *arms, struct couple *couple,
                             struct cor_error *error) {
    const char *equals = strchr(arms, '=');
    size_t length = equals ? (size_t)(equals - arms) : strlen(arms);
    const char *second = equals ? equals + 1 : arms;
    if (both_have(work, arms, strlen(arms), arms, couple))
        return COR_OK;
    for (const char *at = equals; at; at = strchr(at + 1, '='))
        if (both_have(work, arms, (size_t)(at - arms), at + 1, couple))
            return COR_OK;
    if (find(work, 0, arms, length) == work->side[0]->arm_count)
        return no_such_arm(work, 0, arms, length, error);
    return no_such_arm(work, 1, second, strlen(second), error);
}

static enum cor_status match(struct work *work, size_t *count, struct cor_error *error) {
    const struct cor_measurement *a = work->side[0], *b = work->side[1];
    for (size_t i = 0; i < a->arm_count; i++) {
        const char *name = a->arm[i].entry->name;
        *count += both_have(work, name, strlen(name), name, &work->couple[*count]);
    }
    work->made->without[0] = a->arm_count - *count;
    work->made->without[1] = b->arm_count - *count;
    if (*count > 0)
        return COR_OK;
    return cor_fail(error, COR_STATUS_INPUT, NULL, "--arms A_ARM=B_ARM says which are to be compared",
                    "no arm of A has the name of an arm of B: \"%s\" ... and \"%s\" ...",
                    a->arm_count > 0 ? a->arm[0].entry->name : "",
                    b->arm_count > 0 ? b->arm[0].entry->name : "");
}

/* Suites belong together if all of one number have equal configurations and walks. */
static enum cor_status pair_suites(struct work *work, struct cor_compared_arms *made,
                                   struct cor_error *error) {
    size_t count;
    for (int i = 0; i < 2; i++) {
        size_t arm = work->couple[work->at].arm[i];
        work->suites[i] = cor_suites_of(work->side[i], arm);
        made->name[i] = work->side[i]->arm[arm].entry->name;
        made->suites[i] = work->suites[i].count;
    }
    COR_TRY(cor_common_suites(work->suites, 2, &work->common, &count, error));
    made->common = count;
    for (size_t c = 0; c < count; c++) {
        uint64_t a = work->suites[0].suite[work->common[2 * c]].configuration_hash,
                 b = work->suites[1].suite[work->common[2 * c + 1]].configuration_hash;
        made->equal += a != 0 && a == b;
    }
    work->paired = made->paired = made->common > 0 && made->equal == made->common;
    return COR_OK;
}

static double value_of(const struct cor_suite_sums *suite, enum cor_metric metric) {
    return suite->x[metric] > 0 ? suite->y[metric] / suite->x[metric] : (double)NAN;
}

/* A suite without a value takes no part, and takes its partner along. */
static void take_values(struct work *work, const struct cor_compared_arms *arms, enum cor_metric metric) {
    work->count[0] = work->count[1] = 0;
    for (int i = 0; i < 2 && !work->paired; i++)
        for (size_t s = 0; s < work->suites[i].count; s++) {
            double value = value_of(&work->suites[i].suite[s], metric);
            if (isfinite(value))
                work->value[i][work->count[i]++] = value;
        }
    for (size_t c = 0; c < arms->common && work->paired; c++) {
        double a = value_of(&work->suites[0].suite[work->common[2 * c]], metric);
        double b = value_of(&work->suites[1].suite[work->common[2 * c + 1]], metric);
        if (!isfinite(a) || !isfinite(b))
            continue;
        work->value[0][work->count[0]++] = a;
        work->value[1][work->count[1]++] = b;
    }
}

static struct cor_stream_name stream(const struct work *work, enum cor_metric metric, enum figure figure) {
    return (struct cor_stream_name){.seed = work->side[0]->head->seed,
                                    .arm = (uint32_t)work->at + 1,
                                    .entity = FIGURES * cor_metric_schema(metric)->stream + figure,
                                    .purpose = COR_PURPOSE_BOOTSTRAP};
}

/* The mean of the values, each counting alike; `whole` as in struct cor_suite_sample. */
static enum cor_status estimate_mean(const struct work *work, const double *values, size_t count,
                                     double whole, struct cor_stream_name name, struct cor_estimate *estimate,
                                     struct cor_error *error) {
    const struct cor_suite_sample sample = {.y = values,
                                            .x = work->ones,
                                            .suites = (uint32_t)count,
                                            .whole = whole,
                                            .level = work->made->level,
                                            .stream = name};
    return cor_estimate_ratio(COR_INTERVAL_BCA, &sample, estimate, error);
}

/* B's mean less A's, when suites of A (the first stratum) and of B are drawn each for themselves. */
static double difference_of(const uint32_t *multiplicity, uint32_t clusters, void *context) {
    const struct work *work = context;
    double sum[2] = {0, 0}, n[2] = {0, 0};
    COR_ASSERT(clusters == work->count[0] + work->count[1]);
    for (int i = 0; i < 2; i++)
        for (size_t s = 0; s < work->count[i]; s++) {
            double times = multiplicity[i == 0 ? s : work->count[0] + s];
            sum[i] += times * work->value[i][s];
            n[i] += times;
        }
    return n[0] > 0 && n[1] > 0 ? sum[1] / n[1] - sum[0] / n[0] : (double)NAN;
}

static enum cor_status estimate_difference(struct work *work, enum cor_metric metric,
                                           struct cor_estimate *difference, struct cor_error *error) {
    struct cor_stream_name name = stream(work, metric, FIGURE_DIFFERENCE);
    if (work->paired) {
        for (size_t s = 0; s < work->count[0]; s++)
            work->difference[s] = work->value[1][s] - work->value[0][s];
        return estimate_mean(work, work->difference, work->count[0], 0, name, difference, error);
    }
    struct cor_rng rng = cor_rng_named(&name);
    struct cor_bootstrap_plan plan = cor_default_bootstrap(&rng);
    struct cor_bootstrap made;
    const uint32_t strata[2] = {(uint32_t)work->count[0], (uint32_t)work->count[1]};
    const struct cor_cluster_design design = {strata, 2, difference_of, work};
    plan.level = work->made->level;
    COR_TRY(cor_bootstrap_clusters(&plan, &design, &made, error));
    *difference = cor_bootstrap_estimate(&made);
    return COR_OK;
}

static const char *why_not(const struct work *work, enum cor_metric metric) {
    if (cor_metric_is_time(metric) && (!work->side[0]->times || !work->side[1]->times))
        return "no file with times beside both results";
    if (metric == COR_METRIC_SPENT && !work->same_algorithm)
        return "the algorithms differ, and so do their units";
    return NULL;
}

static enum cor_status compare_metric(struct work *work, struct cor_compared_arms *arms,
                                      enum cor_metric metric, struct cor_error *error) {
    struct cor_compared *compared = &arms->metric[metric];
    const char *why = why_not(work, metric);
    const struct cor_estimate none = cor_no_estimate();
    *compared = (struct cor_compared){.value = {none, none},
                                      .difference = none,
                                      .test = {NAN, NAN, NAN, COR_TEST_NONE},
                                      .p_holm = NAN,
                                      .effect = {NAN, NAN, {NAN, NAN}},
                                      .not_compared = why};
    if (compared->not_compared)
        return COR_OK;
    take_values(work, arms, metric);
    compared->n[0] = work->count[0];
    compared->n[1] = work->count[1];
    if (compared->n[0] == 0 || compared->n[1] == 0) {
        compared->not_compared = work->paired ? "no suite has a value in both" : "no suite has a value";
        return COR_OK;
    }
    /* Means and tests. */
    const double *a = work->value[0], *b = work->value[1];
    for (int i = 0; i < 2; i++)
        COR_TRY(estimate_mean(work, work->value[i], work->count[i], cor_metric_whole(metric),
                              stream(work, metric, i == 0 ? FIGURE_A : FIGURE_B), &compared->value[i],
                              error));
    COR_TRY(estimate_difference(work, metric, &compared->difference, error));
    if (work->paired)
        COR_TRY(cor_signed_rank(b, a, work->count[0], &compared->test, error));
    else
        COR_TRY(cor_mann_whitney(b, work->count[1], a, work->count[0], &compared->test, error));
    COR_TRY(cor_a12(b, work->count[1], a, work->count[0], work->made->level, &compared->effect, error));
    /* 1 if the ranks say that B is higher, -1 for A, 0 for neither. */
    double n = 0, middle = (double)work->count[0] * (double)work->count[1] / 2;
    if (work->paired) {
        for (size_t s = 0; s < work->count[0]; s++)
            n += work->value[1][s] < work->value[0][s] || work->value[1][s] > work->value[0][s];
        middle = n * (n + 1) / 4;
    }
    int ranks = (compared->test.statistic > middle) - (compared->test.statistic < middle);
    double mean = compared->difference.mean;
    /* Ranks and means may point to different sides; then neither is claimed. */
    if (ranks > 0 && mean > 0)
        compared->verdict = COR_COMPARE_B_HIGHER;
    else if (ranks < 0 && mean < 0)
        compared->verdict = COR_COMPARE_A_HIGHER;
    return COR_OK;
}

static enum cor_status compare_arms(struct work *work, struct cor_compared_arms *arms,
                                    struct cor_error *error) {
    enum cor_status status = COR_OK;
    size_t most;
    /* Do the arms run the same algorithm, as far as the files say? */
    char *said[2] = {NULL, NULL};
    for (int i = 0; i < 2 && status == COR_OK; i++)
        status = cor_text_under(work->side[i]->arm[work->couple[work->at].arm[i]].entry->description,
                                "algorithm", &said[i], error);
    work->same_algorithm = !said[0] || !said[1] || strcmp(said[0], said[1]) == 0;
    free(said[0]);
    free(said[1]);
    if (status != COR_OK)
        goto out;
    COR_TRY_OUT(pair_suites(work, arms, error));
    most = work->suites[work->suites[1].count > work->suites[0].count].count;
    work->value[0] = cor_calloc(most, sizeof *work->value[0]);
    work->value[1] = cor_calloc(most, sizeof *work->value[1]);
    work->difference = cor_calloc(most, sizeof *work->difference);
    work->ones = cor_calloc(most, sizeof *work->ones);
    if (!work->value[0] || !work->value[1] || !work->difference || !work->ones)
        COR_TRY_OUT(cor_fail_memory(error));
    for (size_t s = 0; s < most; s++)
        work->ones[s] = 1;
    for (enum cor_metric m = 0; m < COR_METRIC_COUNT; m++)
        if (cor_is_compared(m))
            COR_TRY_OUT(compare_metric(work, arms, m, error));
out:
    free(work->common);
    free(work->value[0]);
    free(work->value[1]);
    free(work->difference);
    free(work->ones);
    work->common = NULL;
    work->value[0] = work->value[1] = work->difference = work->ones = NULL;
    return status;
}

/* One correction over everything that was tested. */
static enum cor_status claim(struct cor_comparison *made, struct cor_error *error) {
    size_t count = made->arm_count * COR_METRIC_COUNT;
    enum cor_status status = COR_OK;
    double *p = cor_calloc(count, sizeof *p);
    if (!p)
        return cor_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        bool compared = cor_is_compared((enum cor_metric)(i % COR_METRIC_COUNT));
        p[i] = compared ? made->arm[i / COR_METRIC_COUNT].metric[i % COR_METRIC_COUNT].test.p : (double)NAN;
        made->tests += isnan(p[i]) ? 0 : 1;
    }
    COR_TRY_OUT(cor_holm(p, count, error));
    for (size_t i = 0; i < count; i++) {
        struct cor_compared *compared = &made->arm[i / COR_METRIC_COUNT].metric[i % COR_METRIC_COUNT];
        compared->p_holm = p[i];
        const enum cor_metric metric = (enum cor_metric)(i % COR_METRIC_COUNT);
        enum cor_better better = cor_metric_schema(metric)->better;
        if (!(compared->p_holm < 1 - made->level))
            compared->verdict = COR_COMPARE_NO_CLAIM;
        if (compared->verdict == COR_COMPARE_NO_CLAIM || better == COR_BETTER_NEITHER)
            continue;
        compared->better =
            (compared->verdict == COR_COMPARE_B_HIGHER) == (better == COR_BETTER_HIGHER) ? 1 : -1;
        made->worse += compared->better < 0;
        made->worse_times += compared->better < 0 && cor_metric_is_time(metric);
    }
out:
    free(p);
    return status;
}

enum cor_status cor_compare(const struct cor_measurement *a, const struct cor_measurement *b, double level,
                            const char *arms, struct cor_comparison **comparison, struct cor_error *error) {
    COR_ASSERT(level >= 0.5 && level <= 0.9999);
    enum cor_status status = COR_OK;
    struct cor_comparison *made = *comparison = cor_calloc(1, sizeof *made);
    struct work work = {.side = {a, b}, .made = made};
    size_t count;
    if (!made)
        return cor_fail_memory(error);
    made->level = level;
    count = 0;
    work.couple = cor_calloc(work.side[0]->arm_count + 1, sizeof *work.couple);
    if (!work.couple)
        COR_TRY_OUT(cor_fail_memory(error));
    if (!arms) {
        COR_TRY_OUT(match(&work, &count, error));
    } else {
        count = 1;
        COR_TRY_OUT(split(&work, arms, work.couple, error));
    }
    made->arm = cor_calloc(count, sizeof *made->arm);
    if (!made->arm)
        COR_TRY_OUT(cor_fail_memory(error));
    for (; work.at < count; work.at++, made->arm_count++)
        COR_TRY_OUT(compare_arms(&work, &made->arm[work.at], error));
    COR_TRY_OUT(claim(made, error));
out:
    free(work.couple);
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
