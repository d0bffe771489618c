/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Intervals of the tables by the cluster bootstrap, against direct calls of it with the sums of what was put
 * into the file, and against the rooms that show the same figures. */
#include "shown.h"
#include "two_suites.h"

#include <corridor/bootstrap.h>

#include <corridor/array.h>

#include <math.h>
#include <stdlib.h>

enum { SUITES = 25, SEQUENCES = 4, CASES = 5 };

/* What was put into the file, summed here. */
struct truth {
    double sequences[SUITES], executed[SUITES], runs[SUITES], detected[SUITES], failures[SUITES],
        masked[SUITES], depths[SUITES];
};

/* A sequence in which suites with a higher share fail more. Returns the depth of the first detection, 0 =
 * none. */
static uint32_t put_random_sequence(struct small *small, struct cor_rng *rng, uint16_t number, uint32_t share,
                                    uint32_t suite, struct truth *truth) {
    static const uint8_t walk[CASES + 1] = {0, 1, 2, 0, 1, 2};
    uint32_t first = 0, executed = 0;
    bool stopped = false;
    while (executed < CASES && !stopped) {
        executed++;
        if (cor_rng_below(rng, 2) == 0) {
            put_quiet_case(small, number, executed);
            continue;
        }
        bool activated = cor_rng_below(rng, 100) < share, gray = activated && cor_rng_below(rng, 3) > 0;
        stopped = gray && cor_rng_below(rng, 2) == 0;
        put_reorganization(small, number, executed, activated, gray ? 'f' : 'p', stopped ? 'f' : 'p');
        truth->runs[suite]++;
        truth->failures[suite] += activated;
        truth->masked[suite] += activated && !gray ? 100 : 0;
        first = gray && first == 0 ? executed : first;
    }
    put_sequence(small, number, CASES, executed, walk, sizeof walk);
    truth->executed[suite] += executed;
    return first;
}

/* Two arms of uneven suites; the truth is that of the second, so that arms are told apart. */
static struct cor_result *make_uneven(struct small *small, const char *name, struct truth *truth) {
    struct truth other;
    memset(truth, 0, sizeof *truth);
    memset(&other, 0, sizeof other);
    small_open(small, name);
    small->experiment = "{\"repeats\": \"003\"}";
    for (uint16_t arm = 0; arm < 2; arm++)
        for (uint32_t s = 0; s < SUITES; s++) {
            struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){
                .seed = 11, .arm = arm + 1u, .suite = s, .purpose = COR_PURPOSE_TEST});
            struct truth *mine = arm == 1 ? truth : &other;
            uint32_t share = s % 3 == 0 ? 60 : 5, sequences = 1 + cor_rng_below(&rng, SEQUENCES);
            cor_record_begin(small->record, arm, s);
            put_suite(small, 10 + s, 2, 1, sequences);
            for (uint16_t q = 0; q < sequences; q++) {
                uint32_t first = put_random_sequence(small, &rng, q, share, s, mine);
                mine->sequences[s]++;
                mine->detected[s] += first > 0;
                mine->depths[s] += first;
            }
            uint64_t n = sequences; /* each walks 0 1 2 0 1 2 */
            put_profile(small, 1, (const uint64_t[]){2 * n, 2 * n, 2 * n},
                        (const uint64_t[]){0, 2 * n, 2 * n, n, 0});
            small_append(small);
        }
    return small_finish(small, (const char *const[]){"PSOPP-F4", "PSOPP-F1"}, 2);
}

static struct cor_tables *make_resampled(struct cor_result *result, double level) {
    struct cor_tables *tables = NULL;
    struct cor_error error = COR_NO_ERROR;
    OK(cor_tables_create(result, level, COR_INTERVAL_BCA, &tables, &error));
    return tables;
}

/* The figure of the second arm is that of a direct call with these sums; suites without observations left
 * out. */
static void assert_direct(const struct cor_tables *tables, enum cor_metric metric, const double *y,
                          const double *x, double scale) {
    const struct cor_figure *figure = &tables->arm[1].figure[metric];
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){
        .seed = 7, .arm = 2, .entity = cor_metric_schema(metric)->stream, .purpose = COR_PURPOSE_BOOTSTRAP});
    struct cor_bootstrap_plan plan = {2000, tables->level, &rng};
    struct cor_bootstrap direct;
    struct cor_error error = COR_NO_ERROR;
    double kept_y[SUITES], kept_x[SUITES];
    uint32_t kept = 0;
    for (uint32_t s = 0; s < SUITES; s++)
        if (x[s] > 0) {
            kept_y[kept] = scale * y[s];
            kept_x[kept++] = x[s];
        }
    OK(cor_bootstrap_ratio(&plan, kept_y, kept_x, kept, &direct, &error));
    assert_int_equal(direct.method, COR_INTERVAL_BCA);
    assert_int_equal(figure->ours.interval, COR_INTERVAL_BCA);
    assert_int_equal(figure->ours.suites, kept);
    assert_near(figure->ours.mean, direct.estimate);
    assert_true(figure->ours.low == direct.low && figure->ours.high == direct.high &&
                figure->ours.error == direct.error);
    assert_true(figure->ours.low < figure->ours.mean && figure->ours.mean < figure->ours.high);
}

static void intervals_are_those_of_direct_bootstrap_calls(void **state) {
    (void)state;
    struct small small;
    struct truth truth;
    struct cor_result *result = make_uneven(&small, "direct", &truth);
    struct cor_tables *tables = make_resampled(result, 0.9);
    assert_int_equal(cor_measurement_broken(tables->measurement), 0);
    assert_direct(tables, COR_METRIC_REORGANIZATIONS, truth.runs, truth.sequences, 1);
    assert_direct(tables, COR_METRIC_REORGANIZING, truth.runs, truth.executed, 100);
    assert_direct(tables, COR_METRIC_FAILURES, truth.failures, truth.sequences, 1);
    assert_direct(tables, COR_METRIC_UNDETECTED, truth.masked, truth.failures, 1);
    assert_direct(tables, COR_METRIC_DEPTH, truth.depths, truth.detected, 1);
    cor_tables_destroy(tables);
    small_close(&small, result);
}

/* What is no linearised interval stays: totals, one value in all suites, nothing but 0 or 100 %. */
static void intervals_that_are_not_linearised_stay(void **state) {
    (void)state;
    struct small small;
    struct truth truth;
    struct cor_result *result = make_uneven(&small, "stay", &truth);
    struct cor_tables *bca = make_resampled(result, 0.95), *linearised = make_tables(result);
    size_t replaced = 0, same = 0, refused = 0;
    assert_int_equal(linearised->method, COR_INTERVAL_LINEARISED);
    assert_int_equal(bca->method, COR_INTERVAL_BCA);
    for (size_t a = 0; a < 2; a++)
        for (int m = 0; m < COR_TABLE_METRICS; m++) {
            const struct cor_figure *one = &bca->arm[a].figure[m], *other = &linearised->arm[a].figure[m];
            assert_near(one->ours.mean, other->ours.mean);
            assert_near(one->ours.sd, other->ours.sd);
            assert_int_equal(one->ours.n, other->ours.n);
            if (other->ours.interval == COR_INTERVAL_LINEARISED) {
                assert_int_equal(one->ours.interval, COR_INTERVAL_BCA);
                replaced++;
                continue;
            }
            if (other->ours.interval == COR_INTERVAL_FEW_SUITES) { /* refused of t alone */
                assert_true(isnan(other->ours.low) && isnan(other->ours.high));
                refused++;
                continue;
            }
            assert_int_equal(one->ours.interval, other->ours.interval);
            assert_near(one->ours.low, other->ours.low);
            assert_near(one->ours.high, other->ours.high);
            same++;
        }
    const struct cor_figure *figure = bca->arm[1].figure;
    assert_true(replaced > 20 && same > 6 && refused > 0);
    assert_int_equal(figure[COR_METRIC_EP_STATE_COVERAGE].ours.interval, COR_INTERVAL_CLOPPER_PEARSON);
    assert_int_equal(figure[COR_METRIC_EP_STATES].ours.interval, COR_INTERVAL_NONE);
    assert_int_equal(figure[COR_METRIC_FAILURES_TOTAL].ours.interval, COR_INTERVAL_NONE);
    cor_tables_destroy(bca);
    cor_tables_destroy(linearised);
    small_close(&small, result);
}

/* t(0.975) for 24 to 48 degrees of freedom, from the printed ones of both ends, linear in 1 / freedom: good
 * to three digits behind the point. */
static double printed_t(double freedom) {
    return 2.0106 + (2.0639 - 2.0106) * (1 / freedom - 1.0 / 48) / (1.0 / 24 - 1.0 / 48);
}

/* Claims about an arm have its interval; the mean of arms joins the errors of the bootstrap. */
static void claims_have_the_bootstrap_intervals_of_their_arms(void **state) {
    (void)state;
    struct small small;
    struct truth truth;
    struct cor_result *result = make_uneven(&small, "claims", &truth);
    struct cor_tables *tables = make_resampled(result, 0.95);
    const struct cor_claim_part *part = &tables->claim[COR_CLAIM_EVERY_FAULT_FOUND].part[1];
    const struct cor_figure *without = &tables->arm[1].figure[COR_METRIC_WITHOUT_DETECTED];
    assert_string_equal(part->name, "PSOPP-F1");
    assert_int_equal(part->interval, COR_INTERVAL_BCA);
    assert_near(part->low, 100 - without->ours.high);
    assert_near(part->high, 100 - without->ours.low);
    part = &tables->claim[COR_CLAIM_REORGANIZING].part[2];
    assert_string_equal(part->name, "all arms");
    double a = pow(tables->arm[0].figure[COR_METRIC_REORGANIZING].ours.error, 2);
    double b = pow(tables->arm[1].figure[COR_METRIC_REORGANIZING].ours.error, 2);
    double half = printed_t((a + b) * (a + b) / ((a * a + b * b) / (SUITES - 1))) * sqrt(a + b) / 2;
    assert_int_equal(part->interval, COR_INTERVAL_ACROSS_ARMS);
    assert_true(fabs(part->high - part->mean - half) < 1e-3 * half);
    cor_tables_destroy(tables);
    small_close(&small, result);
}

/* The figure of another metric that says the same, mirrored or scaled, has the same interval. */
static void assert_mirrors(const struct cor_tables *tables, size_t arm, enum cor_metric metric,
                           enum cor_metric other, double at, double scale) {
    const struct cor_estimate *ours = &tables->arm[arm].figure[metric].ours;
    struct cor_estimate estimate;
    struct cor_error error = COR_NO_ERROR;
    OK(cor_measurement_estimate(tables->measurement, arm, other, COR_INTERVAL_BCA, 0.95, &estimate, &error));
    double low = at + scale * estimate.low, high = at + scale * estimate.high;
    assert_int_equal(ours->interval, COR_INTERVAL_BCA);
    assert_int_equal(estimate.interval, COR_INTERVAL_BCA);
    assert_near(ours->mean, at + scale * estimate.mean);
    assert_near(ours->low, fmin(low, high));
    assert_near(ours->high, fmax(low, high));
}

static void metrics_that_say_the_same_have_the_same_interval(void **state) {
    (void)state;
    struct small small;
    struct truth truth;
    struct cor_result *result = make_uneven(&small, "rooms", &truth);
    struct cor_tables *tables = make_resampled(result, 0.95);
    struct cor_measurement *measurement = tables->measurement, *performance = NULL;
    OK(cor_measurement_create(result, COR_MEASURE_PERFORMANCE, &performance, &small.error));
    tables->measurement = performance;
    for (size_t a = 0; a < 2; a++) {
        assert_mirrors(tables, a, COR_METRIC_WITHOUT_DETECTED, COR_METRIC_DETECTED_SEQUENCES, 100, -1);
        assert_mirrors(tables, a, COR_METRIC_FAILURES, COR_METRIC_FAILURES, 0, 1);
        assert_mirrors(tables, a, COR_METRIC_REORGANIZING, COR_METRIC_REORGANIZATIONS_PER_CASE, 0, 100);
    }
    tables->measurement = measurement;
    cor_measurement_destroy(performance);
    cor_tables_destroy(tables);
    small_close(&small, result);
}

static char *json_of(const struct cor_tables *tables) {
    struct cor_error error = COR_NO_ERROR;
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    OK(cor_tables_json(tables, file, &error));
    fclose(file);
    return text;
}

/* The same file twice: the same text, all digits of it. And each writer names the method. */
static void texts_repeat_exactly_and_name_the_method(void **state) {
    (void)state;
    struct small small;
    struct truth truth;
    struct cor_result *result = make_uneven(&small, "writing", &truth);
    struct cor_tables *once = make_resampled(result, 0.95), *again = make_resampled(result, 0.95);
    char *one = json_of(once), *other = json_of(again), *text = NULL;
    size_t size = 0;
    assert_string_equal(one, other);
    assert_non_null(strstr(one, "\"method\": \"bca\""));
    assert_non_null(strstr(one, "\"interval\": \"bca\""));
    assert_null(strstr(one, "\"interval\": \"linearised_t\""));
    free(one);
    free(other);
    FILE *file = open_memstream(&text, &size);
    OK(cor_tables_csv(once, file, &small.error));
    fclose(file);
    const char *line = strstr(text, ",depth_first_detected,PSOPP-F1,");
    assert_non_null(line);
    assert_true(strstr(line, ",bca,") < strchr(line, '\n'));
    free(text);
    once->arm[1].figure[COR_METRIC_DEPTH].ours.interval = COR_INTERVAL_PERCENTILE;
    file = open_memstream(&text, &size);
    OK(cor_tables_text(once, &COR_STYLE_PLAIN, file, &small.error));
    fclose(file);
    assert_non_null(strstr(text, "intervals at 95 %: bca\n"));
    assert_non_null(strstr(text, "]p "));
    assert_non_null(strstr(text, "p the same where BCa is not defined"));
    assert_null(strstr(text, "linearised"));
    for (char *at = text; *at; at += strcspn(at, "\n") + 1)
        assert_true(strcspn(at, "\n") <= 120);
    free(text);
    cor_tables_destroy(once);
    cor_tables_destroy(again);
    small_close(&small, result);
}

/* Two names of one thing agree; no two metrics of one arm that are not the same figure elsewhere share a
 * stream. */
static void metric_ids_are_unique_and_streams_are_not_shared(void **state) {
    (void)state;
    for (enum cor_metric m = 0; m < COR_METRIC_COUNT; m++)
        for (enum cor_metric k = 0; k < m; k++) {
            assert_string_not_equal(cor_metric_schema(m)->id, cor_metric_schema(k)->id);
            if (cor_metric_schema(m)->stream >= 1000 ||
                cor_metric_schema(m)->shown == cor_metric_schema(k)->shown)
                assert_true(cor_metric_schema(m)->stream != cor_metric_schema(k)->stream ||
                            cor_metric_schema(m)->stream < 5);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_are_those_of_direct_bootstrap_calls),
        cmocka_unit_test(intervals_that_are_not_linearised_stay),
        cmocka_unit_test(claims_have_the_bootstrap_intervals_of_their_arms),
        cmocka_unit_test(metrics_that_say_the_same_have_the_same_interval),
        cmocka_unit_test(texts_repeat_exactly_and_name_the_method),
        cmocka_unit_test(metric_ids_are_unique_and_streams_are_not_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
