/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the paper claims, judged on figures that are made up. Intervals are held against scipy 1.10.1:
 *   half(terms) = t.ppf(.975, df) sqrt(sum e^2),  df = (sum e^2)^2 / sum(e^4 / (m - 1)). */
#include "paper.h"
#include "shown.h"
#include "two_suites.h"
#include <corridor/tables.h>

#include <stdlib.h>

enum { F1, F2, F3, F4, F5, F5D, S1, S2, S3, S4, ARMS };
static const char *const names[ARMS] = {"PSOPP-F1",  "PSOPP-F2", "PSOPP-F3", "PSOPP-F4", "PSOPP-F5",
                                        "PSOPP-F5d", "SPADA-F1", "SPADA-F2", "SPADA-F3", "SPADA-F4"};

static const struct cor_result_header head = {.experiment = "{}"};

static const struct cor_arm_measurement ran = {.sequences = 700}, did_not_run = {.sequences = 0};

static void set(struct cor_figure *figure, double mean, double error) {
    figure->ours.mean = mean;
    figure->ours.error = error;
    figure->ours.suites = 70;
    figure->ours.interval = COR_INTERVAL_LINEARISED;
    figure->ours.low = mean - 2 * error;
    figure->ours.high = mean + 2 * error;
}

/* Arms that came out exactly as published: all that the paper says of itself must hold. */
static void fill_as_published(struct cor_tables *tables, struct cor_arm_tables *arms) {
    *tables = (struct cor_tables){.head = &head, .level = 0.95, .arm = arms, .arm_count = ARMS};
    for (size_t a = 0; a < ARMS; a++) {
        arms[a] = (struct cor_arm_tables){.name = names[a], .measured = &ran, .published = true};
        for (int m = 0; m < COR_TABLE_METRICS; m++) {
            const char *id = cor_metric_schema((enum cor_metric)m)->published_id;
            struct cor_figure *figure = &arms[a].figure[m];
            figure->paper_derived =
                !cor__paper_figure(id, names[a], &figure->paper_mean, &figure->paper_sd) &&
                cor__paper_derive(id, names[a], &figure->paper_mean);
            set(figure, figure->paper_mean, figure->paper_mean / 100);
        }
        set(&arms[a].figure[COR_METRIC_BLACK_NOT_GRAY], a < S1 ? 0 : (double)NAN, NAN);
        arms[a].figure[COR_METRIC_FAILURES_TOTAL].ours.interval = COR_INTERVAL_NONE;
    }
    arms[F5].figure[COR_METRIC_FAILURES].ours.mean = 16.0 / 700; /* 0.02 in print: 0.54 / 0.02 is no 23.5 */
    arms[F5D].figure[COR_METRIC_FAILURES].ours.mean = 376.0 / 700;
}

static const struct cor_claim_part *only_part(const struct cor_tables *tables, enum cor_claim claim) {
    assert_int_equal(tables->claim[claim].part_count, 1);
    return &tables->claim[claim].part[0];
}

static void all_claims_hold_on_the_published_figures(void **state) {
    static const size_t parts[COR_CLAIM_COUNT] = {10, 10, 9, 4, 6, 1, 1, 1, 1, 11, 11, 11};
    struct cor_arm_tables arms[ARMS];
    struct cor_tables tables;
    (void)state;
    fill_as_published(&tables, arms);
    cor__judge_claims(&tables);
    for (int c = 0; c < COR_CLAIM_COUNT; c++) {
        assert_int_equal(tables.claim[c].verdict, COR_CLAIM_HOLDS);
        assert_int_equal(tables.claim[c].part_count, parts[c]);
        assert_int_equal(tables.claim[c].failing, 0);
        for (size_t p = 0; p < parts[c]; p++)
            assert_true(isnan(tables.claim[c].part[p].distance));
    }
    assert_near(only_part(&tables, COR_CLAIM_F5D_FAILURES)->mean, 23.5);
    assert_near(only_part(&tables, COR_CLAIM_F5D_FAILURES)->paper, 23.5);
    assert_near(only_part(&tables, COR_CLAIM_F5D_SEQUENCES)->mean, 29.78 / 2.14);
    assert_near(only_part(&tables, COR_CLAIM_F4_MASKED_MOST)->paper, 97.75 - 50);
    assert_near(only_part(&tables, COR_CLAIM_F5_RAREST)->paper, 0.13 - 0.02);
    assert_string_equal(only_part(&tables, COR_CLAIM_F5_RAREST)->name, "PSOPP-F5 against PSOPP-F3");
}

/* Each claim broken once, and how far off it then is. */
static void each_broken_claim_fails_and_says_by_how_much(void **state) {
    struct cor_arm_tables arms[ARMS];
    struct cor_tables tables;
    (void)state;
    fill_as_published(&tables, arms);
    set(&arms[F1].figure[COR_METRIC_WITHOUT_DETECTED], 100, NAN);
    arms[F1].figure[COR_METRIC_WITHOUT_DETECTED].ours.low = 95; /* as Clopper-Pearson would have it */
    arms[F1].figure[COR_METRIC_WITHOUT_DETECTED].ours.high = 100;
    set(&arms[F2].figure[COR_METRIC_BLACK_NOT_GRAY], 1, 0.25);
    set(&arms[S3].figure[COR_METRIC_GRAY_NOT_BLACK], 0, NAN);
    set(&arms[S2].figure[COR_METRIC_DETECTED_BLACK], 3, 1);
    set(&arms[F3].figure[COR_METRIC_UNDETECTED], 0, NAN);
    set(&arms[F4].figure[COR_METRIC_UNDETECTED], 50, 6); /* a tie with F5 */
    set(&arms[F5].figure[COR_METRIC_UNDETECTED], 50, 8);
    set(&arms[F5].figure[COR_METRIC_FAILURES], 0.14, 0.0001);
    set(&arms[F5D].figure[COR_METRIC_WITHOUT_ACTIVATED], 90, 0.5);
    set(&arms[F4].figure[COR_METRIC_EP_STATE_COVERAGE], 98, 0.25);
    set(&arms[S4].figure[COR_METRIC_EP_TRANSITION_COVERAGE], 55, 1);
    set(&arms[S1].figure[COR_METRIC_REORGANIZING], 11, 1);
    cor__judge_claims(&tables);
    static const struct {
        enum cor_claim claim;
        size_t part;
        double distance, half_widths;
    } expected[] = {
        {COR_CLAIM_EVERY_FAULT_FOUND, F1, 0 - (100 - 79.97), 20.03 / 5},
        {COR_CLAIM_BLACK_ALSO_GRAY, F2, 1, 2},
        {COR_CLAIM_GRAY_ABOVE_BLACK, S3 - 1, -0.16, NAN},
        {COR_CLAIM_SPADA_BLACK_NONE, S2 - S1, 3, 1.5},
        {COR_CLAIM_PSOPP_MASKING, F3, -34.07, NAN},
        {COR_CLAIM_F4_MASKED_MOST, 0, 0, 0},
        {COR_CLAIM_F5_RAREST, 0, 0.13 - 0.14, NAN},
        {COR_CLAIM_F5D_FAILURES, 0, (376.0 / 700) / 0.14 - 23.5, NAN},
        {COR_CLAIM_F5D_SEQUENCES, 0, 10 / 2.14 - 29.78 / 2.14, NAN},
        {COR_CLAIM_STATE_COVERAGE, F4, -1, 2},
        {COR_CLAIM_TRANSITION_COVERAGE, S4, 3, 1.5},
        {COR_CLAIM_REORGANIZING, S1, -3, 1.5},
    };
    assert_int_equal(sizeof expected / sizeof *expected, COR_CLAIM_COUNT);
    for (size_t i = 0; i < COR_CLAIM_COUNT; i++) {
        const struct cor_claim_result *result = &tables.claim[expected[i].claim];
        const struct cor_claim_part *part = &result->part[expected[i].part];
        assert_int_equal(result->verdict, COR_CLAIM_FAILS);
        assert_int_equal(result->failing, 1);
        assert_int_equal(part->verdict, COR_CLAIM_FAILS);
        assert_near(part->distance, expected[i].distance);
        if (!isnan(expected[i].half_widths))
            assert_near(part->half_widths, expected[i].half_widths);
    }
    /* F4 against F5: errors 6 and 8 over 70 suites each. */
    const struct cor_claim_part *lead = only_part(&tables, COR_CLAIM_F4_MASKED_MOST);
    assert_true(fabs(lead->high - 19.786756660020362) < 1e-6 && fabs(lead->low + 19.786756660020362) < 1e-6);
    assert_int_equal(lead->interval, COR_INTERVAL_ACROSS_ARMS);
}

/* Ratios on the logarithm: relative errors 0.2 of 70 suites and 0.3 of 20. */
static void ratios_are_judged_on_the_logarithm(void **state) {
    struct cor_arm_tables arms[ARMS];
    struct cor_tables tables;
    (void)state;
    fill_as_published(&tables, arms);
    set(&arms[F5D].figure[COR_METRIC_FAILURES], 0.54, 0.108);
    set(&arms[F5].figure[COR_METRIC_FAILURES], 0.02, 0.006);
    arms[F5].figure[COR_METRIC_FAILURES].ours.suites = 20;
    cor__judge_claims(&tables);
    const struct cor_claim_part *part = only_part(&tables, COR_CLAIM_F5D_FAILURES);
    assert_near(part->mean, 27);
    assert_true(fabs(log(part->high / 27) - 0.7301627272400654) < 1e-7);
    assert_true(fabs(log(part->low / 27) + 0.7301627272400654) < 1e-7);

    /* The nearer end of 23.5 counts when it is missed: above, the way down is shorter on a logarithm. */
    fill_as_published(&tables, arms);
    set(&arms[F5D].figure[COR_METRIC_FAILURES], 2, 0.4);
    set(&arms[F5].figure[COR_METRIC_FAILURES], 0.02, 0.006);
    cor__judge_claims(&tables);
    part = only_part(&tables, COR_CLAIM_F5D_FAILURES);
    assert_int_equal(part->verdict, COR_CLAIM_FAILS);
    assert_near(part->distance, 76.5);
    assert_near(part->half_widths, 76.5 / (100 - part->low));
}

/* The mean of ten arms of error 1: narrower if they are independent, as wide as each if they may be one. */
static void the_mean_of_arms_is_wider_if_they_are_paired(void **state) {
    struct cor_arm_tables arms[ARMS];
    struct cor_tables tables;
    (void)state;
    for (int paired = 0; paired < 2; paired++) {
        fill_as_published(&tables, arms);
        tables.paired = paired;
        for (size_t a = 0; a < ARMS; a++)
            set(&arms[a].figure[COR_METRIC_EP_TRANSITION_COVERAGE], 40 + (double)a, 1);
        cor__judge_claims(&tables);
        const struct cor_claim_part *all = &tables.claim[COR_CLAIM_TRANSITION_COVERAGE].part[ARMS];
        assert_string_equal(all->name, "all arms");
        assert_near(all->mean, 44.5);
        assert_near(all->paper, 46.841);
        assert_true(fabs(all->high - 44.5 - (paired ? 1.9949454146328136 : 0.6208841240218506)) < 1e-6);
    }
    static const char *const texts[] = {
        "{\"mode\": \"paired\"}", "{\"mode\": \"independent\"}", "{}", "", "{\"mode\": 1}", "[]"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        bool paired;
        assert_int_equal(cor_is_paired(texts[i], &paired, NULL), COR_OK);
        assert_int_equal(paired, i == 0);
    }
}

/* Without the arms it is about, or without an interval where it needs one, a claim is not available. */
static void claims_without_arms_or_intervals_are_not_available(void **state) {
    struct cor_arm_tables arms[ARMS];
    struct cor_tables tables;
    (void)state;
    fill_as_published(&tables, arms);
    tables.arm = arms + S1;
    tables.arm_count = 4;
    cor__judge_claims(&tables);
    for (int c = 0; c < COR_CLAIM_COUNT; c++) {
        bool psopp =
            c == COR_CLAIM_BLACK_ALSO_GRAY || (c >= COR_CLAIM_PSOPP_MASKING && c < COR_CLAIM_STATE_COVERAGE);
        assert_int_equal(tables.claim[c].verdict, psopp ? COR_CLAIM_NOT_AVAILABLE : COR_CLAIM_HOLDS);
    }

    fill_as_published(&tables, arms);
    for (size_t a = 0; a < ARMS; a++)
        for (int m = 0; m < COR_TABLE_METRICS; m++) {
            struct cor_figure *figure = &arms[a].figure[m];
            figure->ours.error = figure->ours.low = figure->ours.high = NAN;
            figure->ours.interval = COR_INTERVAL_NONE;
        }
    set(&arms[F5].figure[COR_METRIC_WITHOUT_ACTIVATED], 100, NAN); /* no divisor */
    cor__judge_claims(&tables);
    for (int c = 0; c < COR_CLAIM_COUNT; c++) {
        bool meets = cor_claim_schema((enum cor_claim)c)->rule == COR_RULE_MEETS;
        assert_int_equal(tables.claim[c].verdict, meets ? COR_CLAIM_NOT_AVAILABLE : COR_CLAIM_HOLDS);
    }
    assert_true(isnan(only_part(&tables, COR_CLAIM_F5D_SEQUENCES)->mean));

    /* Other arms take no part, and neither do columns of the paper that did not run. */
    fill_as_published(&tables, arms);
    for (size_t a = 0; a < ARMS; a++) {
        arms[a].published = a % 2 == 0;
        arms[a].measured = a % 2 ? &ran : &did_not_run;
    }
    cor__judge_claims(&tables);
    for (int c = 0; c < COR_CLAIM_COUNT; c++)
        assert_int_equal(tables.claim[c].part_count, 0);
}

/* A damaged file may name an arm twice; there is room for so many columns. */
static void parts_of_a_claim_are_bounded_if_arms_are_too_many(void **state) {
    struct cor_arm_tables arms[3 * ARMS];
    struct cor_tables tables;
    (void)state;
    fill_as_published(&tables, arms);
    memcpy(arms + ARMS, arms, ARMS * sizeof *arms);
    memcpy(arms + 2 * ARMS, arms, ARMS * sizeof *arms);
    tables.arm_count = 3 * ARMS;
    cor__judge_claims(&tables);
    for (int c = 0; c < COR_CLAIM_COUNT; c++)
        assert_true(tables.claim[c].part_count <= COR_CLAIM_PARTS);
}

static void agreement_counts_published_figures_inside_intervals(void **state) {
    struct cor_arm_tables arms[ARMS];
    struct cor_tables tables;
    (void)state;
    fill_as_published(&tables, arms);
    /* 20 published rows, 19 with an interval of ours; SPADA has no depth in the black box. */
    struct cor_agreement agreement = cor_tables_agreement(&arms[F1]);
    assert_int_equal(agreement.compared, 19);
    assert_int_equal(agreement.inside, 19);
    assert_int_equal(cor_tables_agreement(&arms[S1]).compared, 18);
    set(&arms[F1].figure[COR_METRIC_AGENTS], 523.53 + 21, 10);
    set(&arms[F1].figure[COR_METRIC_DEPTH], 8.56 - 2.1, 1);
    set(&arms[F1].figure[COR_METRIC_WITHOUT_DETECTED], 79.97 - 2.1, 1);
    arms[F1].figure[COR_METRIC_WITHOUT_DETECTED].paper_note = "doubtful";
    arms[F1].figure[COR_METRIC_EP_STATES].paper_note = "doubtful, but inside";
    set(&arms[F1].figure[COR_METRIC_REORGANIZING], 1, 0.1);      /* derived: not counted */
    set(&arms[F1].figure[COR_METRIC_WITHOUT_ACTIVATED], 1, 0.1); /* a second reading: not counted */
    arms[F1].figure[COR_METRIC_AGENT_GROUPS].ours.interval = COR_INTERVAL_NONE;
    agreement = cor_tables_agreement(&arms[F1]);
    assert_int_equal(agreement.compared, 18);
    assert_int_equal(agreement.inside, 15);
    assert_int_equal(agreement.below, 2);
    assert_int_equal(agreement.above, 1);
    assert_int_equal(agreement.doubtful, 1);
}

static char *text_of(const struct cor_tables *tables, const struct cor_style *style) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    struct cor_sheets *sheets = NULL;
    struct cor_error error = COR_NO_ERROR;
    OK(cor_sheets_create("corridor-claims", 1, &sheets, &error));
    cor__put_claims(tables, sheets);
    OK(cor_sheets_text(sheets, style, file, &error));
    cor_sheets_destroy(sheets);
    fclose(file);
    return text;
}

static void assert_has(const char *text, const char *expected) {
    if (!strstr(text, expected))
        fail_msg("no \"%s\" in:\n%s", expected, text);
}

static void the_text_says_verdicts_distances_and_doubts(void **state) {
    static const struct cor_style marks = {"<", "+", "-", "~", ">", false};
    struct cor_arm_tables arms[ARMS];
    struct cor_tables tables;
    (void)state;
    fill_as_published(&tables, arms);
    set(&arms[S1].figure[COR_METRIC_REORGANIZING], 11, 1);
    for (size_t a = 0; a < ARMS; a++)
        for (int m = 0; m < COR_TABLE_METRICS; m++)
            arms[a].figure[m].paper_note =
                cor__paper_note(cor_metric_schema((enum cor_metric)m)->id, names[a]);
    cor__judge_claims(&tables);
    char *text = text_of(&tables, &COR_STYLE_PLAIN);
    assert_has(text, "\n  fails  14 to 19 % of test cases reorganize ");
    assert_has(text, "  -3.00         1.50\n"); /* off by 3, of half-widths of 2 */
    assert_has(text, "\n    PSOPP-F5d / PSOPP-F5       holds           23.50 ");
    assert_has(text, "! paper, gray_above_black, SPADA-F3: A5:");
    assert_has(text, "! paper, psopp_masking, PSOPP-F4: A7:");
    assert_has(text, "! paper, black_also_gray, PSOPP-F2: A8:");
    assert_has(text, "! paper, every_fault_found, PSOPP-F5: A6:");
    assert_has(text, " 186 of 186 figures");
    assert_null(strstr(text, "nan"));
    for (char *line = text; *line; line += strcspn(line, "\n") + 1)
        if (strcspn(line, "\n") > 120)
            fail_msg("too long: %.150s", line);
    free(text);
    text = text_of(&tables, &marks);
    assert_has(text, "\n  -fails>  14 to");
    assert_has(text, "\n  +holds>  every");
    assert_has(text, "-fails>           11.00");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_claims_hold_on_the_published_figures),
        cmocka_unit_test(each_broken_claim_fails_and_says_by_how_much),
        cmocka_unit_test(ratios_are_judged_on_the_logarithm),
        cmocka_unit_test(the_mean_of_arms_is_wider_if_they_are_paired),
        cmocka_unit_test(claims_without_arms_or_intervals_are_not_available),
        cmocka_unit_test(parts_of_a_claim_are_bounded_if_arms_are_too_many),
        cmocka_unit_test(agreement_counts_published_figures_inside_intervals),
        cmocka_unit_test(the_text_says_verdicts_distances_and_doubts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
