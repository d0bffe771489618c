/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of files whose every figure was worked out by hand. */
#include "shown.h"
#include "two_suites.h"
#include <corridor/tables.h>

#include <corridor/array.h>
#include <corridor/json.h>
#include <corridor/terms.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void figures_are_as_worked_out_by_hand(void **state) {
    static const struct {
        enum cor_metric metric;
        double mean, sd;
        uint64_t n, suites;
    } expected[] = {
        {COR_METRIC_EP_STATES, 3, 0, 4, 2},
        {COR_METRIC_EP_TRANSITIONS, 4, 0, 4, 2},
        {COR_METRIC_EP_STATE_COVERAGE, 250.0 / 3, 19.245008972987527, 4,
         2}, /* 66.7 100 100 66.7: sqrt(10000/27) */
        {COR_METRIC_EP_TRANSITION_COVERAGE, 43.75, 31.457643480294790, 4,
         2}, /* 50 50 75 0: sqrt(2968.75/3) */
        {COR_METRIC_AGENTS, 15, 5.773502691896258, 4, 2},
        {COR_METRIC_AGENT_GROUPS, 3, 1.1547005383792515, 4, 2},
        {COR_METRIC_WITHOUT_DETECTED, 50, 57.735026918962575, 4, 2},
        {COR_METRIC_WITHOUT_ACTIVATED, 50, 57.735026918962575, 4, 2},
        {COR_METRIC_TEST_CASES, 2.5, 1.2909944487358056, 4, 2},
        {COR_METRIC_APPLIED_CASES, 87.5, 25, 4, 2},
        {COR_METRIC_REORGANIZATIONS, 1, 0.81649658092772603, 4, 2},
        {COR_METRIC_REORGANIZING, 400.0 / 9, NAN, 9, 2}, /* 2 + 1 of 4 + 1 cases, 0 + 1 of 3 + 1 */
        {COR_METRIC_FAILURES, 0.75, 0.9574271077563381, 4, 2},
        {COR_METRIC_FAULTY_STATES, 1.25, 1.892969448600091, 4, 2}, /* 4 1 0 0: sqrt(10.75/3) */
        {COR_METRIC_FAILURES_TOTAL, 3, NAN, 4, 2},
        {COR_METRIC_UNDETECTED, 100.0 / 3, NAN, 3, 1},
        {COR_METRIC_DETECTED_GRAY, 200.0 / 3, NAN, 3, 1},
        {COR_METRIC_DETECTED_BLACK, 100.0 / 3, NAN, 3, 1},
        {COR_METRIC_GRAY_NOT_BLACK, 100.0 / 3, NAN, 3, 1},
        {COR_METRIC_GRAY_ONLY, 50, 70.710678118654752, 2, 1},
        {COR_METRIC_GRAY_ONLY_WITHIN, 50, 70.710678118654752, 2, 1},
        {COR_METRIC_BLACK_ONLY, 0, 0, 2, 1},
        {COR_METRIC_BLACK_NOT_GRAY, 0, NAN, 1, 1},
        {COR_METRIC_DEPTH, 1.5, 0.70710678118654752, 2, 1},
        {COR_METRIC_DEPTH_GRAY, 1.5, 0.70710678118654752, 2, 1},
        {COR_METRIC_DEPTH_BLACK, 1, NAN, 1, 1},
    };
    (void)state;
    struct small small;
    small_open(&small, "by_hand");
    small.experiment = "{\"repeats\": \"003\"}";
    cor_record_begin(small.record, 0, 0);
    put_first_suite(&small);
    small_append(&small);
    cor_record_begin(small.record, 0, 1);
    put_second_suite(&small);
    small_append(&small);
    struct cor_result *result = small_finish(&small, two_arms, 2);
    struct cor_tables *tables = make_tables(result);
    const struct cor_arm_tables *arm = &tables->arm[0];
    assert_int_equal(sizeof expected / sizeof *expected, COR_TABLE_METRICS);
    for (size_t i = 0; i < COR_TABLE_METRICS; i++) {
        const struct cor_figure *figure = &arm->figure[expected[i].metric];
        assert_near(figure->ours.mean, expected[i].mean);
        assert_near(figure->ours.sd, expected[i].sd);
        assert_int_equal(figure->ours.n, expected[i].n);
        assert_int_equal(figure->ours.suites, expected[i].suites);
    }
    /* Suites of 3 in 5 and 1 in 4 cases: residuals +-7/9, error sqrt(2 * 2 * 49/81) / 9. */
    assert_true(fabs(arm->figure[COR_METRIC_REORGANIZING].ours.error - 100 * 14.0 / 81) < 1e-9);
    /* Suite sums of cases 6 and 4: residuals +-1, error sqrt(2 * 2) / 4, t(.975; 1) = 12.7062047362. */
    assert_true(fabs(arm->figure[COR_METRIC_TEST_CASES].ours.high - (2.5 + 12.7062047362 / 2)) < 1e-6);
    assert_int_equal(arm->figure[COR_METRIC_TEST_CASES].ours.interval, COR_INTERVAL_LINEARISED);
    assert_int_equal(arm->figure[COR_METRIC_EP_STATES].ours.interval, COR_INTERVAL_NONE); /* all alike */
    assert_int_equal(arm->figure[COR_METRIC_DEPTH].ours.interval, COR_INTERVAL_NONE);     /* one suite */
    assert_near(arm->figure[COR_METRIC_FAILURES_TOTAL].paper_mean, 252);
    assert_true(arm->published && !tables->arm[1].published);
    assert_int_equal(arm->measured->steps_outside, 1);
    assert_int_equal(arm->measured->cases, 10);
    assert_int_equal(arm->measured->executed, 9);
    assert_int_equal(cor_measurement_broken(tables->measurement), 0);

    const struct cor_tally *caught = &arm->measured->tally;
    assert_int_equal(caught->reorganizations, 4);
    assert_int_equal(caught->activated, 3);
    assert_int_equal(caught->activated_times, 5);
    assert_int_equal(caught->gray, 2);
    assert_int_equal(caught->black, 1);
    assert_int_equal(caught->masked, 1);
    assert_int_equal(caught->alarms, 4);
    assert_int_equal(caught->agreement_judged, 2);

    /* An arm that never ran has nothing, and says so. */
    for (int m = 0; m < COR_TABLE_METRICS; m++) {
        const struct cor_figure *figure = &tables->arm[1].figure[m];
        assert_true(isnan(figure->ours.mean) && isnan(figure->ours.sd) && isnan(figure->ours.low) &&
                    isnan(figure->ours.high));
        assert_int_equal(figure->ours.n, 0);
    }
    cor_tables_destroy(tables);
    small_close(&small, result);
}

static void a_file_without_suites_shows_no_nan_and_claims_nothing(void **state) {
    (void)state;
    struct small small;
    small_open(&small, "no_suites");
    struct cor_result *result = small_finish(&small, two_arms, 2);
    struct cor_tables *tables = make_tables(result);
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    OK(cor_tables_text(tables, &COR_STYLE_PLAIN, file, &small.error));
    OK(cor_tables_csv(tables, file, &small.error));
    OK(cor_tables_json(tables, file, &small.error));
    fclose(file);
    assert_non_null(strstr(text, "n/a"));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    assert_int_equal(cor_measurement_broken(tables->measurement), 0);
    for (int c = 0; c < COR_CLAIM_COUNT; c++)
        assert_int_equal(tables->claim[c].verdict, COR_CLAIM_NOT_AVAILABLE);
    free(text);
    cor_tables_destroy(tables);
    small_close(&small, result);
}

/* Three suites of one sequence, in which every sequence fails or none does. */
static void check_extreme(bool all_fail) {
    static const uint8_t walk[] = {0, 1};
    struct small small;
    small_open(&small, "extreme");
    for (uint32_t s = 0; s < 3; s++) {
        cor_record_begin(small.record, 0, s);
        put_suite(&small, 10, 1, 1, 1);
        put_sequence(&small, 0, 1, 1, walk, sizeof walk);
        put_reorganization(&small, 0, 1, all_fail, all_fail ? 'f' : 'p', 'p');
        put_profile(&small, 1, (const uint64_t[]){1, 1, 0}, (const uint64_t[]){0, 1, 0, 0, 0});
        small_append(&small);
    }
    struct cor_result *result = small_finish(&small, two_arms, 1);
    struct cor_tables *tables = make_tables(result);
    const struct cor_figure *figure = tables->arm[0].figure;
    /* Clopper-Pearson for 0 of 3: 1 - 0.025^(1/3) = 0.7075982...; failures per sequence have no spread. */
    double bound = 70.75982;
    assert_near(figure[COR_METRIC_WITHOUT_DETECTED].ours.mean, all_fail ? 0 : 100);
    assert_int_equal(figure[COR_METRIC_WITHOUT_DETECTED].ours.interval, COR_INTERVAL_CLOPPER_PEARSON);
    assert_true(fabs(figure[COR_METRIC_WITHOUT_DETECTED].ours.high - (all_fail ? bound : 100)) < 1e-4);
    assert_true(fabs(figure[COR_METRIC_WITHOUT_DETECTED].ours.low - (all_fail ? 0 : 100 - bound)) < 1e-4);
    assert_near(figure[COR_METRIC_FAILURES].ours.mean, all_fail);
    assert_int_equal(figure[COR_METRIC_FAILURES].ours.interval, COR_INTERVAL_NONE);
    assert_near(figure[COR_METRIC_UNDETECTED].ours.mean, all_fail ? 0 : (double)NAN);
    assert_near(figure[COR_METRIC_DEPTH].ours.mean, all_fail ? 1 : (double)NAN);
    assert_int_equal(cor_measurement_broken(tables->measurement), 0);
    cor_tables_destroy(tables);
    small_close(&small, result);
}

static void shares_of_all_or_none_have_exact_intervals(void **state) {
    (void)state;
    check_extreme(true);
    check_extreme(false);
}

/* A walk longer than the window it is read through, so that every step across windows counts: it cycles 0 1 2
 * but for its one visit to 0 -> 0, which lies where the first window ends. */
static void a_long_walk_is_seen_across_its_windows(void **state) {
    enum { CASES = 5000000, SEAM = 4 << 20 };
    (void)state;
    struct small small;
    small_open(&small, "long_walk");
    uint8_t *walk = cor_calloc(CASES + 1, 1);
    assert_non_null(walk);
    for (uint32_t i = 0; i <= CASES; i++)
        walk[i] = (uint8_t)((i >= SEAM ? i - SEAM : i + 3 - (SEAM - 1) % 3) % 3);
    assert_int_equal(walk[SEAM - 1], 0);
    assert_int_equal(walk[SEAM], 0);
    cor_record_begin(small.record, 0, 0);
    put_suite(&small, 10, 1, 1, 1);
    put_sequence(&small, 0, CASES, 0, walk, CASES + 1);
    put_profile(&small, 1, (const uint64_t[]){1, 1, 0}, (const uint64_t[]){0, 1, 0, 0, 0});
    small_append(&small);
    free(walk);
    struct cor_result *result = small_finish(&small, two_arms, 1);
    struct cor_tables *tables = make_tables(result);
    assert_near(tables->arm[0].figure[COR_METRIC_EP_TRANSITION_COVERAGE].ours.mean,
                100); /* 0 -> 0 was seen */
    assert_int_equal(tables->arm[0].measured->steps_outside, 0);
    cor_tables_destroy(tables);
    small_close(&small, result);
}

/* The line of the first summary that an arm has. */
static void assert_line(const char *text, const char *expected) {
    if (!strstr(text, expected))
        fail_msg("no \"%s\" in:\n%.2000s", expected, text);
}

static void nothing_published_stands_beside_the_figures_of_another_experiment(void **state) {
    (void)state;
    struct small small;
    char *text = NULL;
    size_t size = 0;
    small_open(&small, "another");
    cor_record_begin(small.record, 0, 0);
    put_first_suite(&small);
    small_append(&small);
    struct cor_result *result = small_finish(&small, two_arms, 2);
    struct cor_tables *tables = make_tables(result);
    assert_true(isnan(tables->arm[0].figure[COR_METRIC_FAILURES_TOTAL].paper_mean));
    FILE *file = open_memstream(&text, &size);
    OK(cor_tables_text(tables, &COR_STYLE_PLAIN, file, &small.error));
    fclose(file);
    assert_null(strstr(text, "paper"));
    free(text);
    cor_tables_destroy(tables);
    small_close(&small, result);
}

/* Sequences of other lengths: what is counted in the course of one has no published figure, shares of
 * failures have theirs, and claims are judged by these alone. */
static void published_counts_stand_beside_sequences_of_the_same_length(void **state) {
    (void)state;
    static const char *const experiments[] = {"{\"repeats\": \"003\", \"cases\": [50, 1000]}",
                                              "{\"repeats\": \"003\", \"cases\": [50, 200]}"};
    for (int shorter = 0; shorter < 2; shorter++) {
        struct small small;
        small_open(&small, "lengths");
        small.experiment = experiments[shorter];
        cor_record_begin(small.record, 0, 0);
        put_first_suite(&small);
        small_append(&small);
        struct cor_result *result = small_finish(&small, two_arms, 2);
        struct cor_tables *tables = make_tables(result);
        const struct cor_figure *figure = tables->arm[0].figure;
        assert_int_equal(isnan(figure[COR_METRIC_FAILURES].paper_mean), shorter);
        assert_int_equal(isnan(figure[COR_METRIC_FAULTY_STATES].paper_mean), shorter);
        assert_int_equal(isnan(figure[COR_METRIC_DEPTH].paper_mean), shorter);
        assert_int_equal(isnan(figure[COR_METRIC_EP_TRANSITION_COVERAGE].paper_mean), shorter);
        assert_false(isnan(figure[COR_METRIC_UNDETECTED].paper_mean) ||
                     isnan(figure[COR_METRIC_REORGANIZING].paper_mean) ||
                     isnan(figure[COR_METRIC_AGENTS].paper_mean));
        const struct cor_claim_result *claim = tables->claim;
        assert_int_equal(claim[COR_CLAIM_TRANSITION_COVERAGE].part_count, shorter ? 0 : 1);
        assert_int_equal(claim[COR_CLAIM_PSOPP_MASKING].part_count, 1);
        cor_tables_destroy(tables);
        small_close(&small, result);
    }
}

static void text_json_and_csv_are_complete_and_well_formed(void **state) {
    (void)state;
    struct small small;
    char *text = NULL;
    size_t size = 0, lines = 0;
    small_open(&small, "texts");
    small.experiment = "{\"repeats\": \"003\"}";
    cor_record_begin(small.record, 0, 0);
    put_first_suite(&small);
    small_append(&small);
    struct cor_result *result =
        small_finish(&small, (const char *const[]){"PSOPP-F4", "a, \"quoted\" one"}, 2);
    struct cor_tables *tables = make_tables(result);

    FILE *file = open_memstream(&text, &size);
    OK(cor_tables_text(tables, &COR_STYLE_PLAIN, file, &small.error));
    fclose(file);
    assert_null(strchr(text, '\033'));
    assert_non_null(strstr(text, "! paper, PSOPP-F4, detected_failures_gray_pct: A7"));
    assert_non_null(strstr(text, "  18.22     n/a\n")); /* derived: 91.87 of 521.19 x 96.77 % */
    for (char *line = text; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 120);
    free(text);

    file = open_memstream(&text, &size);
    OK(cor_tables_json(tables, file, &small.error));
    fclose(file);
    struct cor_json_document *document = NULL;
    OK(cor_json_parse(text, "tables", &document, &small.error));
    struct cor_json root = cor_json_root(document), sheets, sheet, rows;
    OK(cor_json_need(&root, "sheets", &sheets, &small.error));
    OK(cor_json_need(&sheets, "arms", &sheet, &small.error));
    OK(cor_json_need(&sheet, "rows", &rows, &small.error));
    assert_int_equal(cor_json_size(&rows), 2);
    OK(cor_json_need(&sheets, "figures", &sheet, &small.error));
    OK(cor_json_need(&sheet, "rows", &rows, &small.error));
    assert_int_equal(cor_json_size(&rows), 2 * COR_TABLE_METRICS);
    cor_json_destroy(document);
    free(text);

    file = open_memstream(&text, &size);
    OK(cor_tables_csv(tables, file, &small.error));
    fclose(file);
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    assert_int_equal(lines, 1 + 2 * COR_TABLE_METRICS);
    assert_line(text, ",failures,failures_total,PSOPP-F4,3,,,,none,1,2,,2,,1603,,false,");
    assert_line(
        text,
        ",failures,failures_total,\"a, \"\"quoted\"\" one\",,,,,none,0,0,,0,,,,false,,failures_total\n");
    free(text);
    cor_tables_destroy(tables);
    small_close(&small, result);
}

/* The text, the JSON document, or both, of a result; freed by the caller. */
static char *text_of(struct cor_result *result, bool json) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_tables *tables = make_tables(result);
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (json)
        OK(cor_tables_json(tables, file, &error));
    else
        OK(cor_tables_text(tables, &COR_STYLE_PLAIN, file, &error));
    fclose(file);
    cor_tables_destroy(tables);
    return text;
}

static void put_violation(struct small *small, uint32_t number, enum cor_box box,
                          const struct cor_violation *violation) {
    struct cor_violation_row *row = small_row(small, COR_TABLE_VIOLATIONS);
    row->case_ = number;
    row->box = (uint8_t)box;
    row->check = (uint8_t)violation->check;
    row->agent = violation->agent;
    row->partition = violation->partition;
    row->expected = violation->expected;
    row->found = violation->found;
}

/* A suite in which no box fails, but agreement and an alarm may. */
static void put_aside(struct small *small, uint16_t arm, bool agreement, bool alarm) {
    cor_record_begin(small->record, arm, 0);
    put_second_suite(small);
    if (agreement)
        ((struct cor_reorganization_row *)cor_record_at(small->record, COR_TABLE_REORGANIZATIONS, 0))
            ->agreement = COR_VERDICT_FAILED;
    if (alarm) {
        struct cor_case_row *this_case = cor_record_at(small->record, COR_TABLE_CASES, 1);
        this_case->detect = COR_VERDICT_FAILED;
        this_case->inside = this_case->alarm ? COR_INSIDE_INSIDE : COR_INSIDE_OUTSIDE;
    }
    ((struct cor_suite_row *)cor_record_at(small->record, COR_TABLE_SUITES, 0))->fallback = agreement;
    small_append(small);
}

static const char *const aside_arms[] = {"an-arm-of-24-letters-xyz", "adoption", "monitor", "sound"};

static struct cor_result *make_aside(struct small *small, const char *name) {
    small_open(small, name);
    small->planned = 6;
    put_aside(small, 0, true, true);
    put_aside(small, 1, true, false);
    put_aside(small, 2, false, true);
    put_aside(small, 3, false, false);
    return small_finish(small, aside_arms, 4);
}

static void what_is_found_beside_the_boxes_is_said(void **state) {
    (void)state;
    struct small small;
    struct cor_result *result = make_aside(&small, "aside");
    char *text = text_of(result, false);
    assert_line(text, "4 arms, 4 of 6 planned suites, 8 test sequences, 16 cases generated; seed");
    assert_line(text, "  agreement, detect          0 ");
    assert_line(text, "  agreement                  0 ");
    assert_line(text, "  detect                     0 ");
    assert_line(text, "  no check failed ");
    assert_line(text, "\n  1 of 1 suites of adoption follow the fallback law of the experiment file\n");
    assert_null(strstr(text, "suites of monitor follow"));
    assert_null(strstr(text, "agent_missing"));
    for (char *line = text; *line; line += strcspn(line, "\n") + 1)
        if (strcspn(line, "\n") > 120)
            fail_msg("too long: %.200s", line);
    free(text);
    small_close(&small, result);
}

static void json_says_by_what_each_arm_is_found(void **state) {
    static const char *const words[4] = {"agreement, detect", "agreement", "detect", ""};
    (void)state;
    struct small small;
    struct cor_result *result = make_aside(&small, "aside_json");
    char *text = text_of(result, true);
    struct cor_json_document *document = NULL;
    OK(cor_json_parse(text, "tables", &document, &small.error));
    struct cor_json root = cor_json_root(document), sheets, sheet, rows, value;
    OK(cor_json_need(&root, "sheets", &sheets, &small.error));
    OK(cor_json_need(&sheets, "found", &sheet, &small.error));
    OK(cor_json_need(&sheet, "rows", &rows, &small.error));
    for (size_t a = 0; a < 4; a++) {
        struct cor_json arm = cor_json_at(&rows, a);
        const char *by;
        bool found;
        OK(cor_json_need(&arm, "found", &value, &small.error));
        OK(cor_json_bool(&value, &found, &small.error));
        assert_int_equal(found, words[a][0] != 0);
        OK(cor_json_need(&arm, "found_by", &value, &small.error));
        OK(cor_json_string(&value, &by, &small.error));
        assert_string_equal(by, words[a]);
    }
    cor_json_destroy(document);
    free(text);
    small_close(&small, result);
}

static void an_endless_experiment_is_said_to_be_one(void **state) {
    (void)state;
    struct small small;
    small_open(&small, "endless");
    put_aside(&small, 0, false, false);
    struct cor_result *result = small_finish(&small, aside_arms, 1);
    char *text = text_of(result, false);
    assert_line(text, "1 arms, 1 suites of an endless experiment, 2 test sequences");
    free(text);
    small_close(&small, result);
}

/* Of each box the first by suite and case, wherever it lies in the file; two lines an arm. */
static void the_first_violation_of_each_box_is_told(void **state) {
    (void)state;
    struct small small;
    small_open(&small, "first");
    for (uint32_t s = 0; s < 2; s++) {
        cor_record_begin(small.record, 0, s);
        put_first_suite(&small);
        /* the black box lists nothing but what follows */
        ((struct cor_violation_row *)cor_record_at(small.record, COR_TABLE_VIOLATIONS, 2))->box =
            COR_BOX_GRAY;
        put_violation(&small, 3, COR_BOX_DETECT,
                      &(struct cor_violation){COR_CHECK_ALARM_MISSED, COR_NOBODY, COR_NOBODY, 0.5, 0.75});
        if (s == 1)
            put_violation(&small, 1, COR_BOX_BLACK,
                          &(struct cor_violation){COR_CHECK_SIZE_HIGH, COR_NOBODY, 4, 5, 6});
        for (uint32_t number = 4; number >= 2; number--)
            put_violation(&small, number, COR_BOX_GRAY,
                          &(struct cor_violation){COR_CHECK_MISSING, number + 15, COR_NOBODY, 1, 0});
        small_append(&small);
    }
    struct cor_result *result = small_finish(&small, two_arms, 1);
    char *text = text_of(result, false);
    assert_line(text, "0/0/2  gray.agent_missing\n");
    assert_true(strstr(text, "Other checks") < strstr(text, "Failures by class"));
    free(text);
    text = text_of(result, true);
    assert_line(text, "Agent 17 is in no partition, expected in exactly one.");
    assert_line(text, "Partition 4 has 6 members, expected at most 5.");
    assert_line(text, "No alarm, but the dissimilarity 0.75 exceeds the threshold 0.5.");
    free(text);
    small_close(&small, result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_as_worked_out_by_hand),
        cmocka_unit_test(a_file_without_suites_shows_no_nan_and_claims_nothing),
        cmocka_unit_test(shares_of_all_or_none_have_exact_intervals),
        cmocka_unit_test(a_long_walk_is_seen_across_its_windows),
        cmocka_unit_test(nothing_published_stands_beside_the_figures_of_another_experiment),
        cmocka_unit_test(published_counts_stand_beside_sequences_of_the_same_length),
        cmocka_unit_test(text_json_and_csv_are_complete_and_well_formed),
        cmocka_unit_test(what_is_found_beside_the_boxes_is_said),
        cmocka_unit_test(json_says_by_what_each_arm_is_found),
        cmocka_unit_test(an_endless_experiment_is_said_to_be_one),
        cmocka_unit_test(the_first_violation_of_each_box_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
