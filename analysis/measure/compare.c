/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/compare.h>
#include <corridor/measurement.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cor_suite_list cor_suites_of(const struct cor_measurement *measurement, size_t arm) {
    COR_ASSERT(arm < measurement->arm_count);
    const struct cor_arm_measurement *it = &measurement->arm[arm];
    return (struct cor_suite_list){measurement->suite + it->first_suite, it->suites};
}

/* Goes in a list up to the suite of that number, from *at on; says whether it is there. */
static bool go_to(const struct cor_suite_list *list, uint32_t suite, size_t *at) {
    while (*at < list->count && list->suite[*at].suite < suite)
        ++*at;
    return *at < list->count && list->suite[*at].suite == suite;
}

enum cor_status cor_common_suites(const struct cor_suite_list *lists, size_t list_count, size_t **place,
                                  size_t *count, struct cor_error *error) {
    COR_ASSERT(list_count > 0);
    *count = 0;
    *place = cor_calloc(lists[0].count * list_count, sizeof **place);
    size_t *at = cor_calloc(list_count, sizeof *at);
    enum cor_status status = *place && at ? COR_OK : cor_fail_memory(error);
    for (size_t s = 0; s < lists[0].count && status == COR_OK; s++) {
        COR_ASSERT(s == 0 || lists[0].suite[s].suite > lists[0].suite[s - 1].suite);
        bool common = true;
        for (size_t l = 0; l < list_count; l++)
            common = go_to(&lists[l], lists[0].suite[s].suite, &at[l]) && common;
        if (common)
            memcpy(*place + list_count * (*count)++, at, list_count * sizeof *at);
    }
    free(at);
    return status;
}

/* ---- values of suites, what is said of them, and what may be claimed */

const char *cor_compare_verdict_word(enum cor_compare_verdict verdict) {
    static const char *const words[] = {"no_difference_claimed", "A_higher", "B_higher"};
    COR_ASSERT(verdict <= COR_COMPARE_B_HIGHER);
    return words[verdict];
}

/* Streams of random numbers of a metric: one a side, one for the difference. */
enum figure { FIGURE_A, FIGURE_B, FIGURE_DIFFERENCE, FIGURES };

/* What is compared: a metric, or a constraint of a corridor as text as a box saw it. */
struct subject {
    enum cor_metric metric; /* COR_METRIC_COUNT: none, but */
    uint32_t constraint[2]; /* that, by the catalogs of A and B; UINT32_MAX: there is none */
    enum cor_box box;
};

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

static double value_of(const struct work *work, int side, const struct cor_suite_sums *suite,
                       const struct subject *subject) {
    if (subject->metric < COR_METRIC_COUNT)
        return suite->x[subject->metric] > 0 ? suite->y[subject->metric] / suite->x[subject->metric]
                                             : (double)NAN;
    const struct cor_constraint_sums sums =
        cor_suite_constraint(work->side[side], suite, subject->constraint[side], subject->box);
    const uint64_t judged = suite->judged[subject->box];
    return judged > sums.unknown ? 100.0 * sums.violated / (double)(judged - sums.unknown) : (double)NAN;
}

/* Constraints have streams behind those of all metrics. */
static struct cor_stream_name stream(const struct work *work, const struct subject *subject,
                                     enum figure figure) {
    const int known = subject->constraint[0] == UINT32_MAX; /* the side whose number it has */
    const uint32_t number = subject->metric < COR_METRIC_COUNT
                                ? cor_metric_schema(subject->metric)->stream
                                : 10000 + subject->constraint[known] * COR_BOX_CODES + subject->box;
    return (struct cor_stream_name){.seed = work->side[0]->head->seed,
                                    .arm = (uint32_t)work->at + 1,
                                    .entity = FIGURES * number + figure,
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

static enum cor_status estimate_difference(struct work *work, const struct subject *subject,
                                           struct cor_estimate *difference, struct cor_error *error) {
    struct cor_stream_name name = stream(work, subject, FIGURE_DIFFERENCE);
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

static const struct cor_catalog_entry *constraint_entry(const struct work *work, int side,
                                                        uint32_t constraint) {
    return &work->side[side]->head->catalog[COR_CATALOG_CONSTRAINT][constraint];
}

static const char *why_not(const struct work *work, const struct subject *subject) {
    const enum cor_metric metric = subject->metric;
    if (metric == COR_METRIC_COUNT) {
        for (int side = 0; side < 2; side++)
            if (subject->constraint[side] == UINT32_MAX)
                return side == 0 ? "the corridor of A does not have it"
                                 : "the corridor of B does not have it";
        return strcmp(constraint_entry(work, 0, subject->constraint[0])->description,
                      constraint_entry(work, 1, subject->constraint[1])->description) == 0
                   ? NULL
                   : "the corridors say different things by that name";
    }
    if (cor_metric_is_time(metric) && (!work->side[0]->times || !work->side[1]->times))
        return "no file with times beside both results";
    if (metric == COR_METRIC_SPENT && !work->same_algorithm)
        return "the algorithms differ, and so do their units";
    return NULL;
}

static enum cor_status compare_subject(struct work *work, const struct cor_compared_arms *arms,
                                       const struct subject *subject, struct cor_compared *compared,
                                       struct cor_error *error) {
    const double whole = subject->metric < COR_METRIC_COUNT ? cor_metric_whole(subject->metric) : 100;
    const char *why = why_not(work, subject);
    const struct cor_estimate none = cor_no_estimate();
    *compared = (struct cor_compared){.value = {none, none},
                                      .difference = none,
                                      .test = {NAN, NAN, NAN, COR_TEST_NONE},
                                      .p_holm = NAN,
                                      .effect = {NAN, NAN, {NAN, NAN}},
                                      .not_compared = why};
    if (compared->not_compared)
        return COR_OK;
    /* A suite without a value takes no part, and takes its partner along. */
    work->count[0] = work->count[1] = 0;
    for (int i = 0; i < 2 && !work->paired; i++)
        for (size_t s = 0; s < work->suites[i].count; s++) {
            double value = value_of(work, i, &work->suites[i].suite[s], subject);
            if (isfinite(value))
                work->value[i][work->count[i]++] = value;
        }
    for (size_t c = 0; c < arms->common && work->paired; c++) {
        double here = value_of(work, 0, &work->suites[0].suite[work->common[2 * c]], subject);
        double there = value_of(work, 1, &work->suites[1].suite[work->common[2 * c + 1]], subject);
        if (!isfinite(here) || !isfinite(there))
            continue;
        work->value[0][work->count[0]++] = here;
        work->value[1][work->count[1]++] = there;
    }
    compared->n[0] = work->count[0];
    compared->n[1] = work->count[1];
    if (compared->n[0] == 0 || compared->n[1] == 0) {
        compared->not_compared = work->paired ? "no suite has a value in both" : "no suite has a value";
        return COR_OK;
    }
    /* Means and tests. */
    const double *a = work->value[0], *b = work->value[1];
    for (int i = 0; i < 2; i++)
        COR_TRY(estimate_mean(work, work->value[i], work->count[i], whole,
                              stream(work, subject, i == 0 ? FIGURE_A : FIGURE_B), &compared->value[i],
                              error));
    COR_TRY(estimate_difference(work, subject, &compared->difference, error));
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

/* Does one of the arms violate it there? */
static bool is_violated(const struct work *work, const struct subject *subject) {
    for (int side = 0; side < 2; side++)
        for (size_t s = 0; s < work->suites[side].count && subject->constraint[side] != UINT32_MAX; s++)
            if (cor_suite_constraint(work->side[side], &work->suites[side].suite[s],
                                     subject->constraint[side], subject->box)
                    .violated > 0)
                return true;
    return false;
}

/* The constraint of that name in the catalog of a side, UINT32_MAX: it has none. */
static uint32_t find_constraint(const struct work *work, int side, const char *name) {
    for (uint32_t c = 0; c < work->side[side]->head->catalog_size[COR_CATALOG_CONSTRAINT]; c++)
        if (strcmp(constraint_entry(work, side, c)->name, name) == 0)
            return c;
    return UINT32_MAX;
}

/* Interim solutions and moves are looked at where an arm or its algorithm says so, which a file does not:
 * there that nothing is violated may mean nothing. */
static enum cor_status compare_constraint(struct work *work, struct cor_compared_arms *arms,
                                          struct subject subject, struct cor_error *error) {
    static const enum cor_box boxes[] = {COR_BOX_DETECT, COR_BOX_GRAY, COR_BOX_BLACK, COR_BOX_TIME};
    const int known = subject.constraint[0] == UINT32_MAX;
    for (size_t b = 0; b < sizeof boxes / sizeof *boxes; b++) {
        subject.box = boxes[b];
        if (!is_violated(work, &subject))
            continue;
        struct cor_compared_constraint *made = &arms->constraint[arms->constraint_count++];
        made->name = constraint_entry(work, known, subject.constraint[known])->name;
        made->box = subject.box;
        COR_TRY(compare_subject(work, arms, &subject, &made->compared, error));
    }
    return COR_OK;
}

static enum cor_status compare_constraints(struct work *work, struct cor_compared_arms *arms,
                                           struct cor_error *error) {
    size_t count[2];
    for (int side = 0; side < 2; side++)
        count[side] = work->side[side]->parts & COR_MEASURE_CONSTRAINTS
                          ? work->side[side]->head->catalog_size[COR_CATALOG_CONSTRAINT]
                          : 0;
    if (count[0] + count[1] == 0)
        return COR_OK;
    arms->constraint = cor_calloc((count[0] + count[1]) * COR_BOX_CODES, sizeof *arms->constraint);
    COR_TRY(cor_made(arms->constraint, error));
    for (int side = 0; side < 2; side++)
        for (uint32_t c = 0; c < count[side]; c++) {
            struct subject subject = {.metric = COR_METRIC_COUNT};
            const uint32_t other = find_constraint(work, 1 - side, constraint_entry(work, side, c)->name);
            subject.constraint[side] = c;
            subject.constraint[1 - side] = other;
            if (side == 0 || other == UINT32_MAX)
                COR_TRY(compare_constraint(work, arms, subject, error));
        }
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
    COR_FREE(said[0], said[1]);
    if (status != COR_OK)
        goto out;
    /* Suites belong together if all of one number have equal configurations and walks. */
    size_t count;
    for (int i = 0; i < 2; i++) {
        size_t arm = work->couple[work->at].arm[i];
        work->suites[i] = cor_suites_of(work->side[i], arm);
        arms->name[i] = work->side[i]->arm[arm].entry->name;
        arms->suites[i] = work->suites[i].count;
    }
    COR_TRY_OUT(cor_common_suites(work->suites, 2, &work->common, &count, error));
    arms->common = count;
    for (size_t c = 0; c < count; c++) {
        uint64_t a = work->suites[0].suite[work->common[2 * c]].configuration_hash,
                 b = work->suites[1].suite[work->common[2 * c + 1]].configuration_hash;
        arms->equal += a != 0 && a == b;
    }
    work->paired = arms->paired = arms->common > 0 && arms->equal == arms->common;
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
            COR_TRY_OUT(compare_subject(work, arms, &(struct subject){.metric = m}, &arms->metric[m], error));
    COR_TRY_OUT(compare_constraints(work, arms, error));
out:
    COR_FREE(work->common, work->value[0], work->value[1], work->difference, work->ones);
    work->common = NULL;
    work->value[0] = work->value[1] = work->difference = work->ones = NULL;
    return status;
}

/* One correction over everything that was tested. */
static enum cor_status claim(struct cor_comparison *made, struct cor_error *error) {
    size_t count = 0, at = 0;
    for (size_t a = 0; a < made->arm_count; a++)
        count += cor_compared_count(&made->arm[a]);
    COR_FREED double *p = cor_calloc(count, sizeof *p);
    COR_TRY(cor_made(p, error));
    for (size_t a = 0; a < made->arm_count; a++)
        for (size_t i = 0; i < cor_compared_count(&made->arm[a]); i++) {
            const struct cor_compared *compared = cor_compared_at(&made->arm[a], i);
            p[at] = compared ? compared->test.p : (double)NAN;
            made->tests += isnan(p[at++]) ? 0 : 1;
        }
    COR_TRY(cor_holm(p, count, error));
    at = 0;
    for (size_t a = 0; a < made->arm_count; a++)
        for (size_t i = 0; i < cor_compared_count(&made->arm[a]); i++, at++) {
            struct cor_compared *compared = cor_compared_at(&made->arm[a], i);
            const bool is_metric = i < COR_METRIC_COUNT;
            if (!compared)
                continue;
            compared->p_holm = p[at];
            enum cor_better better =
                is_metric ? cor_metric_schema((enum cor_metric)i)->better : COR_BETTER_LOWER;
            if (!(compared->p_holm < 1 - made->level))
                compared->verdict = COR_COMPARE_NO_CLAIM;
            if (compared->verdict == COR_COMPARE_NO_CLAIM || better == COR_BETTER_NEITHER)
                continue;
            compared->better =
                (compared->verdict == COR_COMPARE_B_HIGHER) == (better == COR_BETTER_HIGHER) ? 1 : -1;
            made->worse += compared->better < 0;
            made->worse_times += compared->better < 0 && is_metric && cor_metric_is_time((enum cor_metric)i);
        }
    return COR_OK;
}

enum cor_status cor_compare(const struct cor_measurement *a, const struct cor_measurement *b, double level,
                            const char *arms, struct cor_comparison **comparison, struct cor_error *error) {
    COR_ASSERT(level >= 0.5 && level <= 0.9999);
    enum cor_status status = COR_OK;
    struct cor_comparison *made = *comparison = cor_calloc(1, sizeof *made);
    struct work work = {.side = {a, b}, .made = made};
    size_t count = 0;
    COR_TRY(cor_made(made, error));
    made->level = level;
    work.couple = cor_calloc(a->arm_count + 1, sizeof *work.couple);
    if (!work.couple)
        COR_TRY_OUT(cor_fail_memory(error));
    if (!arms) {
        for (size_t i = 0; i < a->arm_count; i++) {
            const char *name = a->arm[i].entry->name;
            count += both_have(&work, name, strlen(name), name, &work.couple[count]);
        }
        made->without[0] = a->arm_count - count;
        made->without[1] = b->arm_count - count;
        if (count == 0)
            COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, NULL,
                                 "--arms A_ARM=B_ARM says which are to be compared",
                                 "no arm of A has the name of an arm of B: \"%s\" ... and \"%s\" ...",
                                 a->arm_count > 0 ? a->arm[0].entry->name : "",
                                 b->arm_count > 0 ? b->arm[0].entry->name : ""));
    } else {
        count = 1;
        COR_TRY_OUT(split(&work, arms, work.couple, error));
    }
    made->arm = cor_calloc(count, sizeof *made->arm);
    if (!made->arm)
        COR_TRY_OUT(cor_fail_memory(error));
    for (; work.at < count; work.at++) {
        made->arm_count++;
        COR_TRY_OUT(compare_arms(&work, &made->arm[work.at], error));
    }
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
    for (size_t a = 0; a < comparison->arm_count; a++)
        free(comparison->arm[a].constraint);
    COR_FREE(comparison->arm, comparison);
}
