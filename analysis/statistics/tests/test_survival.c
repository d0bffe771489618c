/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/survival.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expected.h"
#include "near.h"

enum { MOST = 700 };

/* A fixture: doubles as R printed them, to the types of the interface. */
struct sample {
    double time[MOST];
    bool event[MOST];
    uint32_t group[MOST], cluster[MOST];
    size_t n;
};

static struct sample sample_of(const double *time, const double *event, size_t n) {
    struct sample s = {.n = n};
    for (size_t i = 0; i < n; i++) {
        s.time[i] = time[i];
        s.event[i] = event[i] > 0;
    }
    return s;
}

static struct cor_survival curve_of(const struct sample *s) {
    struct cor_survival curve;
    assert_int_equal(cor_survival_init(&curve, s->time, s->event, s->n, 0.95, NULL), COR_OK);
    return curve;
}

static void compare(const struct sample *s, const double (*steps)[8], size_t step_count,
                    const double *summary) {
    struct cor_survival curve = curve_of(s);
    assert_int_equal(curve.step_count, step_count);
    for (size_t i = 0; i < step_count; i++) {
        const struct cor_survival_step *step = &curve.step[i];
        const double found[8] = {
            step->time,     (double)step->at_risk, (double)step->events, (double)step->censored,
            step->survival, step->error,           step->bounds.low,     step->bounds.high};
        for (int c = 0; c < 8; c++)
            assert_near(found[c], steps[i][c], 1e-12);
    }
    struct cor_survival_quantile median = cor_survival_quantile(&curve, 0.5);
    assert_near(median.time, summary[0], 0);
    assert_near(median.low, summary[1], 0);
    assert_near(median.high, summary[2], 0);
    struct cor_restricted_mean mean = cor_survival_restricted_mean(&curve, summary[3]);
    assert_near(mean.mean, summary[4], 1e-12);
    assert_near(mean.error, summary[5], 1e-12);
    cor_survival_fini(&curve);
}

#define COMPARE(name)                                                               \
    do {                                                                            \
        struct sample s = sample_of(name##_time, name##_event, COUNT(name##_time)); \
        compare(&s, name##_steps, COUNT(name##_steps), name##_summary);             \
    } while (0)

/* survfit of R's survival: curve, error, bounds, median, restricted mean (see make_expected.R). */
static void curves_agree_with_r(void **state) {
    (void)state;
    COMPARE(mp);
    COMPARE(placebo);
    COMPARE(to_zero);
    COMPARE(all_censored);
    COMPARE(one_event);
    COMPARE(one_censored);
    COMPARE(at_zero);
}

/* The depths of three arms of the demo; clusters are suites. */
static struct sample depths(void) {
    static struct sample s;
    s.n = 0;
    FILE *file = fopen(TEST_SOURCE_DIR "/analysis/statistics/tests/depths.csv", "r");
    char line[80];
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        char *at = line;
        s.group[s.n] = (uint32_t)strtoul(at, &at, 10);
        s.cluster[s.n] = (uint32_t)strtoul(at + 1, &at, 10);
        s.time[s.n] = strtod(at + 1, &at);
        s.event[s.n++] = strtoul(at + 1, &at, 10) != 0;
    }
    fclose(file);
    assert_int_equal(s.n, 600);
    return s;
}

/* The 200 observations of one arm. */
static struct sample depths_of(uint32_t arm) {
    struct sample all = depths(), s = {.n = 0};
    for (size_t i = 0; i < all.n; i++)
        if (all.group[i] == arm) {
            s.time[s.n] = all.time[i];
            s.event[s.n] = all.event[i];
            s.cluster[s.n++] = all.cluster[i];
        }
    assert_int_equal(s.n, 200);
    return s;
}

static void curves_of_the_demo_agree_with_r(void **state) {
    (void)state;
    for (uint32_t arm = 0; arm < 3; arm++) {
        struct sample s = depths_of(arm);
        struct cor_survival curve = curve_of(&s);
        struct cor_survival_step at = cor_survival_at(&curve, 100);
        struct cor_survival_quantile q = cor_survival_quantile(&curve, 0.152);
        struct cor_restricted_mean mean = cor_survival_restricted_mean(&curve, 50);
        const double found[9] = {at.survival, at.error, at.bounds.low, at.bounds.high, q.time,
                                 q.low,       q.high,   mean.mean,     mean.error};
        for (int c = 0; c < 9; c++)
            assert_near(found[c], depths_figures[arm][c], 1e-12);
        assert_near(mean.bounds.high - mean.mean, 1.959963984540054 * mean.error, 1e-12);
        cor_survival_fini(&curve);
    }
}

/* Without censoring S is the share that is left, its error that of a proportion, the restricted mean the mean
 * of min(time, horizon). */
static void without_censoring_survival_is_the_share_that_is_left(void **state) {
    (void)state;
    struct sample s = sample_of(placebo_time, placebo_event, COUNT(placebo_time));
    struct cor_survival curve = curve_of(&s);
    for (double t = 0; t <= 25; t += 0.5) {
        double left = 0, sum = 0, n = (double)s.n;
        for (size_t i = 0; i < s.n; i++) {
            left += s.time[i] > t;
            sum += fmin(s.time[i], t);
        }
        struct cor_survival_step at = cor_survival_at(&curve, t);
        assert_near(at.survival, left / n, 1e-14);
        assert_near(at.error, left > 0 ? sqrt(left * (n - left) / (n * n * n)) : NAN, 1e-14);
        assert_near(cor_survival_restricted_mean(&curve, t).mean, sum / n, 1e-13);
    }
    cor_survival_fini(&curve);
}

/* The median is the first time behind which no more than half is left, also where that is half, an ulp
 * beside. */
static void half_is_left_behind_the_median(void **state) {
    (void)state;
    for (size_t n = 2; n <= 20; n++) {
        double time[20];
        bool event[20];
        struct cor_survival curve;
        for (size_t i = 0; i < n; i++) {
            time[i] = (double)i + 1;
            event[i] = true;
        }
        assert_int_equal(cor_survival_init(&curve, time, event, n, 0.95, NULL), COR_OK);
        assert_near(cor_survival_quantile(&curve, 0.5).time, (double)((n + 1) / 2), 0);
        cor_survival_fini(&curve);
    }
}

static void what_no_observation_reaches_is_not_defined(void **state) {
    (void)state;
    struct cor_survival curve;
    assert_int_equal(cor_survival_init(&curve, NULL, NULL, 0, 0.95, NULL), COR_OK);
    assert_int_equal(curve.step_count, 0);
    assert_true(isnan(cor_survival_at(&curve, 0).survival));
    assert_true(isnan(cor_survival_quantile(&curve, 0.5).time));
    assert_true(isnan(cor_survival_restricted_mean(&curve, 0).mean));
    cor_survival_fini(&curve);
    struct sample s = sample_of(mp_time, mp_event, COUNT(mp_time));
    curve = curve_of(&s);
    assert_near(cor_survival_at(&curve, 35).survival, 0.448179271708683, 1e-12);
    assert_true(isnan(cor_survival_at(&curve, 35.1).survival) &&
                isnan(cor_survival_at(&curve, 35.1).bounds.low));
    assert_true(isnan(cor_survival_restricted_mean(&curve, 36).mean));
    assert_near(cor_survival_at(&curve, 5.9).survival, 1, 0);
    assert_int_equal(cor_survival_at(&curve, 5.9).at_risk, 21);
    assert_near(cor_survival_restricted_mean(&curve, 6).mean, 6, 0);
    assert_true(isnan(cor_survival_restricted_mean(&curve, 6).bounds.low));
    assert_true(isnan(cor_survival_at(&curve, NAN).survival));
    cor_survival_fini(&curve);
}

static void times_that_are_none_are_refused(void **state) {
    (void)state;
    static const double bad[] = {-1, NAN, INFINITY};
    for (size_t i = 0; i < COUNT(bad); i++) {
        const double time[] = {1, bad[i]};
        const bool event[] = {true, true};
        struct cor_survival curve;
        struct cor_log_rank test;
        struct cor_error error = COR_NO_ERROR;
        assert_int_equal(cor_survival_init(&curve, time, event, 2, 0.95, &error), COR_STATUS_INPUT);
        assert_non_null(strstr(error.cause, "the time of observation 1 is"));
        cor_survival_fini(&curve);
        assert_int_equal(cor_log_rank(time, event, (const uint32_t[]){0, 1}, 2, 2, &test, NULL, NULL),
                         COR_STATUS_INPUT);
    }
}

static void compare_test(const struct sample *s, uint32_t groups, const double *e) {
    struct cor_log_rank test;
    double expected[8];
    assert_int_equal(cor_log_rank(s->time, s->event, s->group, s->n, groups, &test, expected, NULL), COR_OK);
    assert_near(test.chi_square, e[0], 1e-11);
    assert_int_equal(test.df, (uint32_t)e[1]);
    assert_near(test.p / e[2], 1, 1e-8);
    for (uint32_t g = 0; g < groups; g++)
        assert_near(expected[g], e[3 + g], 1e-12);
}

/* survdiff of R; the first is also printed in textbooks (16.79). */
static void log_rank_agrees_with_r(void **state) {
    (void)state;
    struct sample s = sample_of(mp_time, mp_event, 21), other = sample_of(placebo_time, placebo_event, 21);
    for (size_t i = 0; i < 21; i++, s.n++) {
        s.time[s.n] = other.time[i];
        s.event[s.n] = other.event[i];
        s.group[s.n] = 1;
    }
    compare_test(&s, 2, log_rank_freireich);
    s = depths();
    compare_test(&s, 3, log_rank_depths);
    s = sample_of(small_time, small_event, COUNT(small_time));
    for (size_t i = 0; i < s.n; i++)
        s.group[i] = (uint32_t)small_group[i];
    compare_test(&s, 4, log_rank_small);
    struct cor_log_rank test, with_empty; /* a group without observations changes nothing */
    assert_int_equal(cor_log_rank(s.time, s.event, s.group, s.n, 4, &test, NULL, NULL), COR_OK);
    for (size_t i = 0; i < s.n; i++)
        s.group[i] += s.group[i] > 1;
    assert_int_equal(cor_log_rank(s.time, s.event, s.group, s.n, 6, &with_empty, NULL, NULL), COR_OK);
    assert_int_equal(with_empty.df, 3);
    assert_near(with_empty.p, test.p, 1e-12);
}

static void log_rank_is_not_defined_without_events_or_groups(void **state) {
    (void)state;
    struct cor_log_rank test;
    const double time[] = {1, 2, 3};
    const bool never[] = {false, false, false}, always[] = {true, true, true};
    const uint32_t one[] = {0, 0, 0}, two[] = {0, 1, 1};
    assert_int_equal(cor_log_rank(time, never, two, 3, 2, &test, NULL, NULL), COR_OK);
    assert_true(test.df == 0 && isnan(test.p) && isnan(test.chi_square));
    assert_int_equal(cor_log_rank(time, always, one, 3, 2, &test, NULL, NULL), COR_OK);
    assert_true(test.df == 0 && isnan(test.p));
    assert_int_equal(cor_log_rank(NULL, NULL, NULL, 0, 0, &test, NULL, NULL), COR_OK);
    assert_true(test.df == 0 && isnan(test.p));
}

/* Every observation a cluster of its own: the bootstrap agrees with Greenwood and the restricted mean's
 * error. In the demo sequences of a suite are alike, and its intervals are wider. */
enum { ARRANGED = 24, SUITES = 8 };

/* Three observations of each of eight suites: alike within a suite, different between. */
static struct sample alike_within_suites(void) {
    struct sample s = {.n = ARRANGED};
    for (uint32_t i = 0; i < ARRANGED; i++) {
        const uint32_t suite = i / 3;
        s.cluster[i] = suite;
        s.time[i] = suite < 4 ? 2 + suite % 3 + i % 3 : 9 + suite + i % 3;
        s.event[i] = suite != 2 && suite != 6 && i % 7 != 6;
    }
    return s;
}

static double chi_square_of(const struct sample *s, const uint32_t *group_of_suite) {
    struct cor_log_rank test;
    uint32_t group[ARRANGED];
    for (size_t i = 0; i < s->n; i++)
        group[i] = group_of_suite[s->cluster[i]];
    assert_int_equal(cor_log_rank(s->time, s->event, group, s->n, 2, &test, NULL, NULL), COR_OK);
    return test.df > 0 ? test.chi_square : 0;
}

/* All assignments of suites to the two groups that an exchange can bring about, each equally likely. */
static double exact_p(const struct sample *s, const uint32_t *group, bool in_pairs) {
    const double seen = chi_square_of(s, group);
    uint32_t all = 0, reached = 0;
    for (uint32_t set = 0; set < 1u << SUITES; set++) {
        uint32_t arranged[SUITES], ones = 0, apart = 0;
        for (uint32_t c = 0; c < SUITES; c++)
            ones += arranged[c] = set >> c & 1;
        for (uint32_t c = 0; c < SUITES / 2; c++)
            apart += arranged[c] != arranged[c + SUITES / 2];
        if (ones != SUITES / 2 || (in_pairs && apart != SUITES / 2))
            continue;
        all++;
        reached += chi_square_of(s, arranged) >= seen * (1 - 1e-9);
    }
    return (double)reached / all;
}

static double permuted_p(const struct sample *s, uint32_t *group, const uint32_t *block, uint32_t seed) {
    enum { MANY = 20000 };
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = seed, .purpose = COR_PURPOSE_TEST});
    const struct cor_grouped_clusters clusters = {s->cluster, group, block, SUITES, 2};
    uint32_t before[SUITES];
    struct cor_log_rank test;
    memcpy(before, group, sizeof before);
    assert_int_equal(cor_log_rank_permuted(s->time, s->event, s->n, &clusters, MANY, &rng, &test, NULL),
                     COR_OK);
    assert_memory_equal(before, group, sizeof before);
    assert_near(test.chi_square, chi_square_of(s, group), 1e-9);
    return test.p;
}

/* 20000 rearrangements: four standard errors of a share are below 0.0142. */
static void rearranging_whole_suites_gives_the_exact_p(void **state) {
    (void)state;
    const struct sample s = alike_within_suites();
    uint32_t halves[SUITES] = {0, 0, 0, 0, 1, 1, 1, 1}, mixed[SUITES] = {0, 1, 0, 0, 1, 0, 1, 1};
    static const uint32_t pairs[SUITES] = {0, 1, 2, 3, 0, 1, 2, 3};
    assert_near(permuted_p(&s, halves, NULL, 1), exact_p(&s, halves, false), 0.0142);
    assert_near(permuted_p(&s, mixed, NULL, 2), exact_p(&s, mixed, false), 0.0142);
    assert_near(permuted_p(&s, halves, pairs, 3), exact_p(&s, halves, true), 0.0142);
    assert_near(permuted_p(&s, mixed, pairs, 4), exact_p(&s, mixed, true), 0.0142);
    /* The four early suites against the others: 2 of 70 arrangements, though sequences alone would say much
     * more. */
    struct cor_log_rank naive;
    uint32_t group[ARRANGED];
    for (size_t i = 0; i < s.n; i++)
        group[i] = halves[s.cluster[i]];
    assert_int_equal(cor_log_rank(s.time, s.event, group, s.n, 2, &naive, NULL, NULL), COR_OK);
    assert_true(naive.p < 1e-3 && exact_p(&s, halves, false) >= 2.0 / 70);
}

static void nothing_to_rearrange_has_no_p(void **state) {
    (void)state;
    struct sample s = alike_within_suites();
    memset(s.event, 0, sizeof s.event);
    uint32_t group[SUITES] = {0, 0, 0, 0, 1, 1, 1, 1};
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.purpose = COR_PURPOSE_TEST});
    const struct cor_grouped_clusters clusters = {s.cluster, group, NULL, SUITES, 2};
    struct cor_log_rank test;
    assert_int_equal(cor_log_rank_permuted(s.time, s.event, s.n, &clusters, 10, &rng, &test, NULL), COR_OK);
    assert_int_equal(test.df, 0);
    assert_true(isnan(test.p) && isnan(test.chi_square));
}

static void the_bootstrap_agrees_with_greenwood(void **state) {
    (void)state;
    for (uint32_t arm = 0; arm < 3; arm++) {
        struct sample s = depths_of(arm);
        struct cor_survival curve = curve_of(&s);
        double greenwood = cor_survival_at(&curve, 100).error;
        struct cor_restricted_mean mean = cor_survival_restricted_mean(&curve, 50);
        struct cor_bootstrap apart, of_mean, suites;
        struct cor_rng rng = stream(10 + arm);
        struct cor_bootstrap_plan plan = cor_default_bootstrap(&rng);
        uint32_t own[200];
        for (uint32_t i = 0; i < 200; i++)
            own[i] = i;
        struct cor_clustered_times times = {s.time, s.event, own, 200, 200};
        assert_int_equal(cor_survival_bootstrap(&plan, &times, COR_SURVIVAL_AT_HORIZON, 100, &apart, NULL),
                         COR_OK);
        assert_int_equal(
            cor_survival_bootstrap(&plan, &times, COR_SURVIVAL_RESTRICTED_MEAN, 50, &of_mean, NULL), COR_OK);
        assert_near(apart.estimate, cor_survival_at(&curve, 100).survival, 1e-12);
        assert_near(of_mean.estimate, mean.mean, 1e-12);
        assert_true(fabs(apart.error / greenwood - 1) < 0.1);
        assert_true(fabs(of_mean.error / mean.error - 1) < 0.1);
        times.cluster = s.cluster;
        times.cluster_count = 20;
        assert_int_equal(cor_survival_bootstrap(&plan, &times, COR_SURVIVAL_AT_HORIZON, 100, &suites, NULL),
                         COR_OK);
        assert_near(suites.estimate, apart.estimate, 1e-12);
        assert_true(suites.method == COR_INTERVAL_BCA && suites.error > apart.error);
        cor_survival_fini(&curve);
    }
}

static void resamples_without_a_figure_are_left_out(void **state) {
    (void)state;
    struct cor_rng rng = stream(20);
    struct cor_bootstrap_plan plan = cor_default_bootstrap(&rng);
    struct cor_bootstrap b;
    const double time[] = {1, 2, 2, 2, 2, 9, 4};
    const bool event[] = {true, false, false, false, false, false, true};
    const uint32_t cluster[] = {0, 1, 2, 3, 4, 5, 6};
    struct cor_clustered_times times = {time, event, cluster, 7, 7};
    assert_int_equal(cor_survival_bootstrap(&plan, &times, COR_SURVIVAL_AT_HORIZON, 10, &b, NULL), COR_OK);
    assert_true(isnan(b.estimate) && b.method == COR_INTERVAL_NONE); /* nothing is known behind 9 */
    assert_int_equal(cor_survival_bootstrap(&plan, &times, COR_SURVIVAL_AT_HORIZON, 9, &b, NULL), COR_OK);
    assert_near(b.estimate, 3.0 / 7, 1e-15);
    /* No curve up to 9 if the last drawn is one of 2, else S comes down to 0 before: a share of (5^7 - 1) /
     * 7^7. */
    assert_int_equal(b.method, COR_INTERVAL_BCA);
    assert_in_range(b.without, 137, 243);
    assert_int_equal(b.replicates + b.without, 2000);
    times = (struct cor_clustered_times){NULL, NULL, NULL, 0, 0};
    assert_int_equal(cor_survival_bootstrap(&plan, &times, COR_SURVIVAL_AT_HORIZON, 1, &b, NULL), COR_OK);
    assert_true(isnan(b.estimate) && b.method == COR_INTERVAL_NONE);
}

/* Two of four with an event: at the second, exactly half are without one. Up to where half of the clusters
 * reach. */
static void median_and_reach_of_single_observations_are_exact(void **state) {
    static const double time[] = {1, 2, 3, 4};
    static const bool event[] = {true, true, false, false};
    static const uint32_t cluster[] = {0, 1, 2, 3};
    const struct cor_clustered_times times = {time, event, cluster, 4, 4};
    struct cor_rng rng =
        cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_BOOTSTRAP});
    struct cor_bootstrap_plan plan = cor_default_bootstrap(&rng);
    struct cor_error error = COR_NO_ERROR;
    struct cor_estimate median;
    double reach;
    (void)state;
    assert_int_equal(cor_survival_estimate_median(&plan, &times, &median, &error), COR_OK);
    assert_true(median.mean > 2 - 1e-12 && median.mean < 2 + 1e-12);
    assert_int_equal(median.interval, COR_INTERVAL_PERCENTILE);
    assert_true(median.low <= 2 && isnan(median.high)); /* many resamples have fewer events */
    assert_int_equal(median.suites, 4);
    assert_int_equal(cor_survival_reach(&times, &reach, &error), COR_OK);
    assert_true(reach > 4 - 1e-12 && reach < 4 + 1e-12); /* 3, 4, and two that set no limit */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_agree_with_r),
        cmocka_unit_test(curves_of_the_demo_agree_with_r),
        cmocka_unit_test(without_censoring_survival_is_the_share_that_is_left),
        cmocka_unit_test(half_is_left_behind_the_median),
        cmocka_unit_test(what_no_observation_reaches_is_not_defined),
        cmocka_unit_test(times_that_are_none_are_refused),
        cmocka_unit_test(log_rank_agrees_with_r),
        cmocka_unit_test(log_rank_is_not_defined_without_events_or_groups),
        cmocka_unit_test(rearranging_whole_suites_gives_the_exact_p),
        cmocka_unit_test(nothing_to_rearrange_has_no_p),
        cmocka_unit_test(the_bootstrap_agrees_with_greenwood),
        cmocka_unit_test(resamples_without_a_figure_are_left_out),
        cmocka_unit_test(median_and_reach_of_single_observations_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
