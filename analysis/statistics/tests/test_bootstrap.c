/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/bootstrap.h>

#include <string.h>

#include "bca.h"
#include "near.h"
#include "replicates.h"

/* The same replicates and jackknife values as scipy's give scipy's interval: see make_bootstrap.py. */
static void bca_ends_agree_with_scipy(void **state) {
    (void)state;
    const uint32_t clusters = COUNT(sums);
    double replicate[COUNT(sample_replicates)], y = 0, x = 0;
    memcpy(replicate, sample_replicates, sizeof replicate);
    for (uint32_t i = 0; i < clusters; i++) {
        y += sums[i];
        x += sizes[i];
    }
    double a = statistics__acceleration(sample_jackknife, &clusters, 1);
    struct cor_bootstrap b = statistics__bca(y / x, replicate, COUNT(sample_replicates), a, 0.9);
    assert_int_equal(b.method, COR_INTERVAL_BCA);
    assert_near(b.low, sample_bca[0], 1e-9);
    assert_near(b.high, sample_bca[1], 1e-9);
    assert_near(b.error, sample_error, 1e-12);
    b = statistics__bca(y / x, replicate, COUNT(sample_replicates), NAN, 0.9);
    assert_int_equal(b.method, COR_INTERVAL_PERCENTILE);
    assert_near(b.low, sample_percentile[0], 1e-12);
    assert_near(b.high, sample_percentile[1], 1e-12);
    assert_true(isnan(b.bias_correction) && isnan(b.acceleration));
}

static void acceleration_over_strata_follows_its_definition(void **state) {
    (void)state;
    assert_near(statistics__acceleration(strata_jackknife, (const uint32_t[]){4, 6}, 2), strata_acceleration,
                1e-13);
    assert_true(isnan(statistics__acceleration((const double[]){1, 1, 1}, (const uint32_t[]){3}, 1)));
    assert_true(isnan(statistics__acceleration((const double[]){1, NAN, 2}, (const uint32_t[]){3}, 1)));
}

/* The spatial test data of Efron and Tibshirani, 1993, Table 14.1, and their variance with divisor n. */
static const double spatial[26] = {48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6,
                                   0,  33, 28, 34, 4,  32, 24, 47, 41, 24, 26, 30, 41};

static double variance(const uint32_t *multiplicity, uint32_t count, void *context) {
    const double *values = context;
    double n = 0, sum = 0, squares = 0;
    for (uint32_t c = 0; c < count; c++) {
        n += multiplicity[c];
        sum += multiplicity[c] * values[c];
    }
    for (uint32_t c = 0; c < count; c++)
        squares += multiplicity[c] * (values[c] - sum / n) * (values[c] - sum / n);
    return squares / n;
}

/* Their Table 14.2: estimate 171.5, a = .061, z0 = .146 and the BCa interval (115.8, 259.6) at 90 %. The
 * first two are exact, the others from 2000 random replicates; ours spread by .0275 (z0), 1.92 and 4.02
 * (ends) over 300 repetitions of such a drawing. */
static void the_published_example_is_reproduced(void **state) {
    (void)state;
    double values[26];
    memcpy(values, spatial, sizeof values);
    struct cor_rng rng = stream(1);
    struct cor_bootstrap_plan plan = cor_default_bootstrap(&rng);
    plan.level = 0.9;
    plan.replicates = 20000;
    const struct cor_cluster_design design = {(const uint32_t[]){26}, 1, variance, values};
    struct cor_bootstrap b;
    assert_int_equal(cor_bootstrap_clusters(&plan, &design, &b, NULL), COR_OK);
    assert_near(b.estimate, 171.5, 0.05 / 171.5);
    assert_near(b.acceleration, 0.061, 0.0005);
    assert_true(fabs(b.bias_correction - 0.146) < 4 * 0.0275);
    assert_true(fabs(b.low - 115.8) < 4 * 1.92 && fabs(b.high - 259.6) < 4 * 4.02);
    assert_int_equal(b.clusters, 26);
    assert_int_equal(b.replicates, 20000);
}

/* All 7^7 resamples of seven clusters, against drawn ones: mean and standard deviation of the ratio. */
static void drawn_resamples_agree_with_enumerated_ones(void **state) {
    enum { SEVEN = 7, ALL = 823543 };
    (void)state;
    const double y[SEVEN] = {1, 5, 2, 8, 3, 3, 1}, x[SEVEN] = {1, 2, 3, 4, 1, 2, 2};
    double sum = 0, squares = 0;
    for (int all = 0; all < ALL; all++) {
        double sum_y = 0, sum_x = 0;
        for (int i = 0, rest = all; i < SEVEN; i++, rest /= SEVEN) {
            sum_y += y[rest % SEVEN];
            sum_x += x[rest % SEVEN];
        }
        sum += sum_y / sum_x;
        squares += sum_y / sum_x * sum_y / sum_x;
    }
    double mean = sum / ALL, sd = sqrt(squares / ALL - mean * mean);
    struct cor_rng rng = stream(2);
    struct cor_bootstrap_plan plan = {100000, 0.95, &rng};
    struct cor_bootstrap b;
    assert_int_equal(cor_bootstrap_ratio(&plan, y, x, SEVEN, &b, NULL), COR_OK);
    assert_near(b.estimate, 23.0 / 15, 1e-15);
    assert_true(fabs(b.error / sd - 1) < 0.01); /* about four times 1 / sqrt(2 * 100000) */
}

struct columns {
    const double *y, *x;
};

static double ratio_of(const uint32_t *multiplicity, uint32_t count, void *context) {
    const struct columns *c = context;
    double y = 0, x = 0;
    for (uint32_t i = 0; i < count; i++) {
        y += multiplicity[i] * c->y[i];
        x += multiplicity[i] * c->x[i];
    }
    return x > 0 ? y / x : NAN;
}

/* The fast ratio is the general one; the same stream gives the same interval, another stream another one. */
static void the_fast_ratio_is_the_general_one(void **state) {
    (void)state;
    struct columns columns = {sums, sizes};
    const struct cor_cluster_design design = {(const uint32_t[]){17}, 1, ratio_of, &columns};
    struct cor_bootstrap fast, general, again, other;
    struct cor_rng one = stream(3), two = stream(3), three = stream(3), four = stream(4);
    struct cor_bootstrap_plan plan = cor_default_bootstrap(&one);
    assert_int_equal(cor_bootstrap_ratio(&plan, sums, sizes, 17, &fast, NULL), COR_OK);
    plan.rng = &two;
    assert_int_equal(cor_bootstrap_clusters(&plan, &design, &general, NULL), COR_OK);
    assert_near(fast.low, general.low, 1e-12);
    assert_near(fast.high, general.high, 1e-12);
    assert_near(fast.acceleration, general.acceleration, 1e-12);
    assert_near(fast.bias_correction, general.bias_correction, 1e-12);
    plan.rng = &three;
    assert_int_equal(cor_bootstrap_ratio(&plan, sums, sizes, 17, &again, NULL), COR_OK);
    assert_true(fast.low == again.low && fast.high == again.high && fast.error == again.error);
    plan.rng = &four;
    assert_int_equal(cor_bootstrap_ratio(&plan, sums, sizes, 17, &other, NULL), COR_OK);
    assert_true(fast.low != other.low);
}

/* BCa respects any increasing scale, given the acceleration: the interval of exp t is exp of the interval of
 * t, up to the interpolation between two neighbouring replicates. */
static void bca_respects_increasing_scales(void **state) {
    (void)state;
    double plain[COUNT(sample_replicates)], scaled[COUNT(sample_replicates)];
    for (size_t i = 0; i < COUNT(sample_replicates); i++) {
        plain[i] = sample_replicates[i];
        scaled[i] = exp(sample_replicates[i]);
    }
    struct cor_bootstrap of_plain = statistics__bca(1.6, plain, COUNT(plain), 0.06, 0.9);
    struct cor_bootstrap of_scaled = statistics__bca(exp(1.6), scaled, COUNT(scaled), 0.06, 0.9);
    assert_near(of_plain.bias_correction, of_scaled.bias_correction, 1e-15);
    assert_true(fabs(log(of_scaled.low) - of_plain.low) < 1e-3);
    assert_true(fabs(log(of_scaled.high) - of_plain.high) < 1e-3);
}

/* Strata keep their sizes in every resample. */
static double sizes_kept(const uint32_t *multiplicity, uint32_t count, void *context) {
    (void)context;
    assert_int_equal(count, 15);
    uint32_t all = 0, first = 0;
    for (uint32_t c = 0; c < count; c++) {
        all += multiplicity[c];
        first += c < 7 ? multiplicity[c] : 0;
    }
    assert_true(first <= 7 && all - first <= 8);
    assert_true(all == 15 || all == 14); /* 14: the jackknife */
    return multiplicity[0] + 0.5 * multiplicity[7] + 0.1 * multiplicity[8];
}

static void strata_keep_their_sizes_in_every_resample(void **state) {
    (void)state;
    struct cor_rng rng = stream(6);
    struct cor_bootstrap_plan plan = {500, 0.95, &rng};
    const struct cor_cluster_design design = {(const uint32_t[]){7, 8}, 2, sizes_kept, NULL};
    struct cor_bootstrap b;
    assert_int_equal(cor_bootstrap_clusters(&plan, &design, &b, NULL), COR_OK);
    assert_int_equal(b.clusters, 15);
    assert_int_equal(b.method, COR_INTERVAL_BCA);
}

static struct cor_bootstrap ratio_of_clusters(const double *y, const double *x, uint32_t count) {
    struct cor_rng rng = stream(7);
    struct cor_bootstrap_plan plan = cor_default_bootstrap(&rng);
    struct cor_bootstrap b;
    assert_int_equal(cor_bootstrap_ratio(&plan, y, x, count, &b, NULL), COR_OK);
    return b;
}

static void assert_no_interval(const struct cor_bootstrap *b, double estimate) {
    assert_near(b->estimate, estimate, 1e-12);
    assert_int_equal(b->method, COR_INTERVAL_NONE);
    assert_true(isnan(b->low) && isnan(b->high) && isnan(b->error));
}

static void degenerate_clusters_have_no_interval(void **state) {
    (void)state;
    struct cor_bootstrap b = ratio_of_clusters(NULL, NULL, 0);
    assert_no_interval(&b, NAN);
    b = ratio_of_clusters((double[]){3}, (double[]){2}, 1);
    assert_no_interval(&b, 1.5);
    b = ratio_of_clusters((double[]){0.1, 0.2, 0.7}, (double[]){1, 2, 7}, 3); /* alike up to rounding */
    assert_no_interval(&b, 0.1);
    b = ratio_of_clusters((double[]){0, 0}, (double[]){0, 0}, 2);
    assert_no_interval(&b, NAN);
    b = ratio_of_clusters((double[]){0, 0, 0}, (double[]){1, 5, 2}, 3); /* a share of 0 */
    assert_no_interval(&b, 0);
    /* One cluster of seven has all observations: a third of the resamples have none, none has another ratio.
     */
    b = ratio_of_clusters((double[]){0, 3, 0, 0, 0, 0, 0}, (double[]){0, 2, 0, 0, 0, 0, 0}, 7);
    assert_no_interval(&b, 1.5);
    assert_true(b.without > 400 && b.replicates + b.without == 2000);
}

static void bca_falls_back_to_percentiles_or_to_none(void **state) {
    (void)state;
    double above[] = {4, 2, 3, NAN}, mixed[] = {1, 2, 3, 4, 5}, undefined[] = {1, 2, NAN, INFINITY, NAN};
    struct cor_bootstrap b = statistics__bca(1, above, 4, 0.1, 0.5); /* all replicates above the estimate */
    assert_int_equal(b.method, COR_INTERVAL_PERCENTILE);
    assert_near(b.low, 2.5, 1e-15);
    assert_near(b.high, 3.5, 1e-15);
    assert_int_equal(b.without, 1);
    b = statistics__bca(3, mixed, 5, 0.7, 0.95); /* 1 - 0.7 * 1.96 < 0 */
    assert_int_equal(b.method, COR_INTERVAL_PERCENTILE);
    b = statistics__bca(3, mixed, 5, 0, 0.5); /* no bias, no acceleration: the percentile interval */
    assert_int_equal(b.method, COR_INTERVAL_BCA);
    assert_near(b.low, 2, 1e-12);
    assert_near(b.high, 4, 1e-12);
    b = statistics__bca(1.5, undefined, 5, 0, 0.5); /* more than half not defined */
    assert_int_equal(b.method, COR_INTERVAL_NONE);
    b = statistics__bca(NAN, mixed, 5, 0, 0.5);
    assert_int_equal(b.method, COR_INTERVAL_NONE);
    assert_string_equal(cor_interval_word(COR_INTERVAL_PERCENTILE), "percentile");
}

/* The interval covers the true ratio about as often as it says: 400 samples of 60 clusters of exponential
 * sums. At 90 % scipy's BCa covered 88.3 % of 600 such samples (81.8 % with 20 clusters); here within 4
 * standard errors of that. */
static void the_interval_covers_about_as_often_as_it_says(void **state) {
    (void)state;
    struct cor_rng data = stream(8), rng = stream(9);
    struct cor_bootstrap_plan plan = {400, 0.9, &rng};
    int covered = 0;
    for (int sample = 0; sample < 400; sample++) {
        double y[60], x[60];
        for (int c = 0; c < 60; c++) {
            x[c] = 1 + cor_rng_below(&data, 10);
            y[c] = -2 * x[c] * log1p(-cor_rng_unit(&data));
        }
        struct cor_bootstrap b;
        assert_int_equal(cor_bootstrap_ratio(&plan, y, x, 60, &b, NULL), COR_OK);
        covered += b.low <= 2 && 2 <= b.high;
    }
    assert_in_range(covered, 328, 378);
}

/* The mean of the first clusters. */
struct weighed {
    const double *value;
    uint32_t count;
};

static double weighted_mean(const uint32_t *multiplicity, uint32_t cluster_count, void *context) {
    const struct weighed *weighed = context;
    double sum = 0, size = 0;
    (void)cluster_count;
    for (uint32_t c = 0; c < weighed->count; c++) {
        sum += multiplicity[c] * weighed->value[c];
        size += multiplicity[c];
    }
    return sum / size;
}

/* Of six clusters there is no interval, of seven there is; a stratum of few that the statistic does not look
 * at does not matter. */
static void few_clusters_carry_no_interval(void **state) {
    static const double y[] = {1, 5, 2, 4, 3, 6, 8}, x[] = {1, 1, 1, 1, 1, 1, 1};
    (void)state;
    for (uint32_t count = 2; count <= 7; count++) {
        struct cor_rng rng = stream(70);
        const struct cor_bootstrap_plan plan = {500, 0.95, &rng};
        struct cor_bootstrap b;
        assert_int_equal(cor_bootstrap_ratio(&plan, y, x, count, &b, NULL), COR_OK);
        assert_int_equal(b.method, count <= 6 ? COR_INTERVAL_FEW_SUITES : COR_INTERVAL_BCA);
        assert_int_equal(isnan(b.low), count <= 6);
    }
    for (uint32_t others = 2; others <= 7; others += 5) {
        const uint32_t strata[] = {7, others};
        struct cor_rng rng = stream(71);
        const struct cor_bootstrap_plan plan = {500, 0.95, &rng};
        double values[14] = {1, 5, 2, 4, 3, 6, 8, 1, 5, 2, 4, 3, 6, 8};
        struct cor_bootstrap first, both;
        uint32_t count = 7;
        struct cor_cluster_design design = {strata, 2, weighted_mean, &(struct weighed){values, count}};
        assert_int_equal(cor_bootstrap_clusters(&plan, &design, &first, NULL), COR_OK);
        assert_int_equal(first.method, COR_INTERVAL_BCA);
        design.context = &(struct weighed){values, 7 + others};
        assert_int_equal(cor_bootstrap_clusters(&plan, &design, &both, NULL), COR_OK);
        assert_int_equal(both.method, others == 2 ? COR_INTERVAL_FEW_SUITES : COR_INTERVAL_BCA);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bca_ends_agree_with_scipy),
        cmocka_unit_test(acceleration_over_strata_follows_its_definition),
        cmocka_unit_test(the_published_example_is_reproduced),
        cmocka_unit_test(drawn_resamples_agree_with_enumerated_ones),
        cmocka_unit_test(the_fast_ratio_is_the_general_one),
        cmocka_unit_test(bca_respects_increasing_scales),
        cmocka_unit_test(strata_keep_their_sizes_in_every_resample),
        cmocka_unit_test(degenerate_clusters_have_no_interval),
        cmocka_unit_test(bca_falls_back_to_percentiles_or_to_none),
        cmocka_unit_test(the_interval_covers_about_as_often_as_it_says),
        cmocka_unit_test(few_clusters_carry_no_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
