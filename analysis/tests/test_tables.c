/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of files whose every figure was worked out by hand. */
#include "small_result.h"
#include "suite.h"

#include <corridor/array.h>
#include <corridor/json.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void assert_near(double found, double expected) {
    if (isnan(expected))
        assert_true(isnan(found));
    else
        assert_true(fabs(found - expected) <= 1e-9 * (1 + fabs(expected)));
}

/* --------------------------------------------------------------------------------------- two suites, by hand
 *
 * One profile of three states: 0->0, 0->1, 1->2, 2->0 (4 arcs).
 *
 *   suite 0: 10 agents, 2 groups, 2 chains
 *     sequence 0: 4 cases; walks 0 1 2 0 1 (3 of 3 states, 3 of 4 arcs) and 0 0 0 0 0 (1 of 3, 1 of 4)
 *                 case 2: activated, gray box fails, black box passes; case 3: activated and masked
 *     sequence 1: 2 cases, 1 executed; walks 1 2 0 (3 of 3, 2 of 4) and 2 0 1 (3 of 3, 2 of 4)
 *                 case 1: activated, both boxes fail
 *   suite 1: 20 agents, 4 groups, 1 chain
 *     sequence 0: 3 cases; walk 0 1 2 0 (3 of 3, 3 of 4); nothing happens
 *     sequence 1: 1 case; walk 2 1: a step the profile does not have (2 of 3, 0 of 4); a reorganization
 * passes */

static void put_profile(struct small *small, uint32_t chains, const uint64_t visits[3],
                        const uint64_t taken[5]) {
    static const uint16_t from[] = {0, 0, 1, 2, 2}, to[] = {0, 1, 2, 0, 1};
    for (uint32_t c = 0; c < chains; c++) {
        struct cor_chain_row *chain = small_row(small, COR_TABLE_CHAINS);
        chain->chain = c;
    }
    struct cor_profile_row *profile = small_row(small, COR_TABLE_PROFILES);
    profile->states = 3;
    profile->arcs = 4;
    for (uint16_t s = 0; s < 3; s++) {
        struct cor_visit_row *visit = small_row(small, COR_TABLE_VISITS);
        visit->state = s;
        visit->count = visits[s];
    }
    for (int t = 0; t < 5; t++) {
        if (t == 4 && taken[t] == 0)
            continue;
        struct cor_transition_row *arc = small_row(small, COR_TABLE_TRANSITIONS);
        arc->from = from[t];
        arc->to = to[t];
        arc->probability = t == 4 ? 0 : 0.5;
        arc->count = taken[t];
    }
}

static void put_suite(struct small *small, uint32_t agents, uint32_t groups, uint32_t chains,
                      uint32_t sequences) {
    struct cor_suite_row *suite = small_row(small, COR_TABLE_SUITES);
    suite->agents = agents;
    suite->groups = groups;
    suite->chains = chains;
    suite->sequences = sequences;
}

static void put_sequence(struct small *small, uint16_t number, uint32_t cases, uint32_t executed,
                         const uint8_t *walk, size_t length) {
    struct cor_sequence_row *sequence = small_row(small, COR_TABLE_SEQUENCES);
    sequence->sequence = number;
    sequence->cases = cases;
    sequence->executed = executed;
    OK(cor_record_put(small->record, COR_VECTOR_WALK, walk, length, &sequence->walk_start, &small->error));
}

/* Verdicts of a reorganization: 'p' passed, 'f' failed. */
static void put_reorganization(struct small *small, uint16_t sequence, uint32_t number, uint32_t activated,
                               char gray, char black) {
    struct cor_reorganization_row *row = small_row(small, COR_TABLE_REORGANIZATIONS);
    row->sequence = sequence;
    row->case_ = number;
    row->gray = gray == 'f' ? COR_VERDICT_FAILED : COR_VERDICT_PASSED;
    row->black = black == 'f' ? COR_VERDICT_FAILED : COR_VERDICT_PASSED;
    row->gray_violations = gray == 'f';
    row->black_violations = black == 'f';
    row->agreement = gray == 'f' ? COR_VERDICT_NOT_JUDGED : COR_VERDICT_PASSED;
    row->fault_reached = row->fault_held = row->fault_activated = activated;
    row->smoke = COR_SMOKE_NONE;
    row->stop = COR_STOP_DONE;
    struct cor_case_row *this_case = small_row(small, COR_TABLE_CASES);
    this_case->sequence = sequence;
    this_case->case_ = number;
    this_case->alarm = this_case->reorganized = 1;
    this_case->detect = COR_VERDICT_PASSED;
    this_case->gray = row->gray;
    this_case->black = row->black;
    if (activated || gray == 'f' || black == 'f') {
        struct cor_failure_row *failure = small_row(small, COR_TABLE_FAILURES);
        failure->sequence = sequence;
        failure->case_ = number;
    }
}

static void put_quiet_case(struct small *small, uint16_t sequence, uint32_t number) {
    struct cor_case_row *this_case = small_row(small, COR_TABLE_CASES);
    this_case->sequence = sequence;
    this_case->case_ = number;
    this_case->detect = COR_VERDICT_NOT_JUDGED;
    this_case->gray = this_case->black = COR_VERDICT_NOT_JUDGED;
}

static void put_first_suite(struct small *small) {
    static const uint8_t walk0[] = {0, 1, 2, 0, 1, 0, 0, 0, 0, 0}, walk1[] = {1, 2, 0, 2, 0, 1};
    put_suite(small, 10, 2, 2, 2);
    put_sequence(small, 0, 4, 4, walk0, sizeof walk0);
    put_quiet_case(small, 0, 1);
    put_reorganization(small, 0, 2, 1, 'f', 'p');
    put_reorganization(small, 0, 3, 3, 'p', 'p');
    put_quiet_case(small, 0, 4);
    put_sequence(small, 1, 2, 1, walk1, sizeof walk1);
    put_reorganization(small, 1, 1, 1, 'f', 'f');
    put_profile(small, 2, (const uint64_t[]){9, 4, 3}, (const uint64_t[]){4, 3, 2, 3, 0});
}

static void put_second_suite(struct small *small) {
    static const uint8_t walk0[] = {0, 1, 2, 0}, walk1[] = {2, 1};
    put_suite(small, 20, 4, 1, 2);
    put_sequence(small, 0, 3, 3, walk0, sizeof walk0);
    for (uint32_t number = 1; number <= 3; number++)
        put_quiet_case(small, 0, number);
    put_sequence(small, 1, 1, 1, walk1, sizeof walk1);
    put_reorganization(small, 1, 1, 0, 'p', 'p');
    put_profile(small, 1, (const uint64_t[]){2, 2, 2}, (const uint64_t[]){0, 1, 1, 1, 1});
}

static const char *const two_arms[] = {"PSOPP-F1", "empty"};

static struct cor_tables *make_tables(struct cor_result *result) {
    struct cor_tables *tables = NULL;
    struct cor_error error = COR_NO_ERROR;
    OK(cor_tables_create(result, 0.95, &tables, &error));
    return tables;
}

static void test_by_hand(void **state) {
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
        {COR_METRIC_FAILURES, 0.75, 0.9574271077563381, 4, 2},
        {COR_METRIC_FAILURES_TOTAL, 3, NAN, 4, 2},
        {COR_METRIC_UNDETECTED, 100.0 / 3, NAN, 3, 1},
        {COR_METRIC_DETECTED_GRAY, 200.0 / 3, NAN, 3, 1},
        {COR_METRIC_DETECTED_BLACK, 100.0 / 3, NAN, 3, 1},
        {COR_METRIC_GRAY_ONLY, 50, 70.710678118654752, 2, 1},
        {COR_METRIC_GRAY_ONLY_WITHIN, 50, 70.710678118654752, 2, 1},
        {COR_METRIC_BLACK_ONLY, 0, 0, 2, 1},
        {COR_METRIC_DEPTH, 1.5, 0.70710678118654752, 2, 1},
        {COR_METRIC_DEPTH_GRAY, 1.5, 0.70710678118654752, 2, 1},
        {COR_METRIC_DEPTH_BLACK, 1, NAN, 1, 1},
    };
    (void)state;
    struct small small;
    small_open(&small, "by_hand");
    cor_record_begin(small.record, 0, 0);
    put_first_suite(&small);
    small_append(&small);
    cor_record_begin(small.record, 0, 1);
    put_second_suite(&small);
    small_append(&small);
    struct cor_result *result = small_finish(&small, two_arms, 2);
    struct cor_tables *tables = make_tables(result);
    const struct cor_arm_tables *arm = &tables->arm[0];
    assert_int_equal(sizeof expected / sizeof *expected, COR_METRIC_COUNT);
    for (size_t i = 0; i < COR_METRIC_COUNT; i++) {
        const struct cor_figure *figure = &arm->figure[expected[i].metric];
        assert_near(figure->mean, expected[i].mean);
        assert_near(figure->sd, expected[i].sd);
        assert_int_equal(figure->n, expected[i].n);
        assert_int_equal(figure->suites, expected[i].suites);
    }
    /* Suite sums of cases 6 and 4: residuals +-1, error sqrt(2 * 2) / 4, t(.975; 1) = 12.7062047362. */
    assert_true(fabs(arm->figure[COR_METRIC_TEST_CASES].high - (2.5 + 12.7062047362 / 2)) < 1e-6);
    assert_int_equal(arm->figure[COR_METRIC_TEST_CASES].interval, COR_INTERVAL_LINEARISED);
    assert_int_equal(arm->figure[COR_METRIC_EP_STATES].interval, COR_INTERVAL_NONE); /* all alike */
    assert_int_equal(arm->figure[COR_METRIC_DEPTH].interval, COR_INTERVAL_NONE);     /* one suite */
    assert_near(arm->figure[COR_METRIC_FAILURES_TOTAL].paper_mean, 252);
    assert_true(arm->published && !tables->arm[1].published);
    assert_int_equal(arm->steps_outside, 1);
    assert_int_equal(arm->cases, 10);
    assert_int_equal(arm->executed, 9);
    assert_int_equal(cor_tables_broken(tables), 0);

    const struct cor_catch *caught = &arm->caught;
    assert_int_equal(caught->reorganizations, 4);
    assert_int_equal(caught->activated, 3);
    assert_int_equal(caught->activated_times, 5);
    assert_int_equal(caught->gray, 2);
    assert_int_equal(caught->black, 1);
    assert_int_equal(caught->masked, 1);
    assert_int_equal(caught->alarms, 4);
    assert_int_equal(caught->agreement_judged, 2);

    /* An arm that never ran has nothing, and says so. */
    for (int m = 0; m < COR_METRIC_COUNT; m++) {
        const struct cor_figure *figure = &tables->arm[1].figure[m];
        assert_true(isnan(figure->mean) && isnan(figure->sd) && isnan(figure->low) && isnan(figure->high));
        assert_int_equal(figure->n, 0);
    }
    cor_tables_destroy(tables);
    small_close(&small, result);
}

/* ---------------------------------------------------------------------------------------------- degenerate
 * files */

static void test_no_suites(void **state) {
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
    assert_int_equal(cor_tables_broken(tables), 0);
    for (int o = 0; o < COR_ORDERING_COUNT; o++)
        assert_false(tables->ordering[o].available || tables->ordering[o].holds);
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
    assert_near(figure[COR_METRIC_WITHOUT_DETECTED].mean, all_fail ? 0 : 100);
    assert_int_equal(figure[COR_METRIC_WITHOUT_DETECTED].interval, COR_INTERVAL_CLOPPER_PEARSON);
    assert_true(fabs(figure[COR_METRIC_WITHOUT_DETECTED].high - (all_fail ? bound : 100)) < 1e-4);
    assert_true(fabs(figure[COR_METRIC_WITHOUT_DETECTED].low - (all_fail ? 0 : 100 - bound)) < 1e-4);
    assert_near(figure[COR_METRIC_FAILURES].mean, all_fail);
    assert_int_equal(figure[COR_METRIC_FAILURES].interval, COR_INTERVAL_NONE);
    assert_near(figure[COR_METRIC_UNDETECTED].mean, all_fail ? 0 : (double)NAN);
    assert_near(figure[COR_METRIC_DEPTH].mean, all_fail ? 1 : (double)NAN);
    assert_int_equal(cor_tables_broken(tables), 0);
    cor_tables_destroy(tables);
    small_close(&small, result);
}

static void test_all_fail_and_none(void **state) {
    (void)state;
    check_extreme(true);
    check_extreme(false);
}

/* ------------------------------------------------------------------------------------------ what is broken
 * is said */

#define AT(table, index) cor_record_at(record, COR_TABLE_##table, index)

static void lose_sequence(struct cor_record *record) {
    ((struct cor_suite_row *)AT(SUITES, 0))->sequences = 3;
}
static void lose_cases(struct cor_record *record) {
    ((struct cor_sequence_row *)AT(SEQUENCES, 0))->executed = 3;
    ((struct cor_sequence_row *)AT(SEQUENCES, 0))->cases = 3;
    ((struct cor_sequence_row *)AT(SEQUENCES, 1))->walk_start = 0;
}
static void change_verdict(struct cor_record *record) {
    ((struct cor_case_row *)AT(CASES, 1))->gray = COR_VERDICT_PASSED;
}
static void lose_failure(struct cor_record *record) {
    ((struct cor_failure_row *)AT(FAILURES, 0))->sequence = 1;
}
static void stop_without_cause(struct cor_record *record) {
    struct cor_reorganization_row *row = AT(REORGANIZATIONS, 2);
    row->black = ((struct cor_case_row *)AT(CASES, 4))->black = COR_VERDICT_PASSED;
    row->black_violations = 0;
}
static void fail_black_twice(struct cor_record *record) {
    for (size_t i = 0; i < 2; i++) {
        struct cor_reorganization_row *row = AT(REORGANIZATIONS, i);
        row->gray = row->black = COR_VERDICT_FAILED;
        row->gray_violations = row->black_violations = 1;
        ((struct cor_case_row *)AT(CASES, i + 1))->gray = COR_VERDICT_FAILED;
        ((struct cor_case_row *)AT(CASES, i + 1))->black = COR_VERDICT_FAILED;
    }
}
static void fail_black_alone(struct cor_record *record) {
    struct cor_reorganization_row *row = AT(REORGANIZATIONS, 2);
    row->gray = ((struct cor_case_row *)AT(CASES, 4))->gray = COR_VERDICT_PASSED;
    row->gray_violations = 0;
}
static void corrupt_adoption(struct cor_record *record) {
    fail_black_alone(record);
    ((struct cor_reorganization_row *)AT(REORGANIZATIONS, 2))->adoption_fault = 1;
}
static void activate_unheld(struct cor_record *record) {
    ((struct cor_reorganization_row *)AT(REORGANIZATIONS, 0))->fault_held = 0;
}
static void forget_violation(struct cor_record *record) {
    ((struct cor_reorganization_row *)AT(REORGANIZATIONS, 0))->gray_violations = 0;
}
static void miscount_visit(struct cor_record *record) {
    ((struct cor_visit_row *)AT(VISITS, 1))->count++;
}
static void misstate_arcs(struct cor_record *record) {
    ((struct cor_profile_row *)AT(PROFILES, 0))->arcs = 5;
}

#define BIT(identity) (1u << COR_IDENTITY_##identity)

static void test_broken(void **state) {
    static const struct {
        void (*spoil)(struct cor_record *record);
        uint32_t broken;
    } spoilt[] = {
        {lose_sequence, BIT(SEQUENCES_COMPLETE)},
        {lose_cases, BIT(CASES_COMPLETE) | BIT(VISITS_ADD_UP)},
        {change_verdict, BIT(REORGANIZATIONS_COMPLETE)},
        {lose_failure, BIT(FAILURES_KEPT)},
        {stop_without_cause, BIT(STOPPED_BY_BLACK)},
        {fail_black_twice, BIT(BLACK_ONCE) | BIT(BLACK_AT_MOST_FAILING)},
        {fail_black_alone, BIT(BLACK_ALSO_GRAY) | BIT(UNDETECTED_PLUS_GRAY)},
        {corrupt_adoption, 0},
        {activate_unheld, BIT(FAULT_NESTED)},
        {forget_violation, BIT(VERDICTS_COUNTED)},
        {miscount_visit, BIT(VISITS_ADD_UP)},
        {misstate_arcs, BIT(ARCS_LISTED)},
    };
    (void)state;
    for (size_t i = 0; i < sizeof spoilt / sizeof *spoilt; i++) {
        struct small small;
        small_open(&small, "broken");
        cor_record_begin(small.record, 0, 0);
        put_first_suite(&small);
        spoilt[i].spoil(small.record);
        small_append(&small);
        struct cor_result *result = small_finish(&small, two_arms, 1);
        struct cor_tables *tables = make_tables(result);
        uint32_t broken = 0;
        for (int k = 0; k < COR_IDENTITY_COUNT; k++)
            if (tables->arm[0].identity[k].broken > 0)
                broken |= 1u << k;
        assert_int_equal(broken, spoilt[i].broken);
        assert_int_equal(cor_tables_broken(tables) > 0, broken > 0);
        cor_tables_destroy(tables);
        small_close(&small, result);
    }
}

static void name_unknown_sequence(struct cor_record *record) {
    ((struct cor_case_row *)AT(CASES, 0))->sequence = 9;
}
static void repeat_sequence(struct cor_record *record) {
    ((struct cor_sequence_row *)AT(SEQUENCES, 1))->sequence = 0;
}
static void walk_off(struct cor_record *record) {
    ((struct cor_profile_row *)AT(PROFILES, 0))->states = 2;
    for (size_t i = 0; i < 4; i++)
        ((struct cor_transition_row *)AT(TRANSITIONS, i))->from =
            ((struct cor_transition_row *)AT(TRANSITIONS, i))->to = 0;
}
static void walk_on_and_on(struct cor_record *record) {
    ((struct cor_sequence_row *)AT(SEQUENCES, 1))->cases = 400;
}
static void name_unknown_profile(struct cor_record *record) {
    ((struct cor_chain_row *)AT(CHAINS, 1))->profile = 1;
}
static void name_unknown_arc(struct cor_record *record) {
    ((struct cor_transition_row *)AT(TRANSITIONS, 1))->to = 3;
}

/* What cannot be read as what it claims is an error that says where, not a figure. */
static void test_damaged(void **state) {
    static const struct {
        void (*spoil)(struct cor_record *record);
        const char *place, *cause;
    } spoilt[] = {
        {name_unknown_sequence, "table cases", "arm 0, suite 0 has 2 sequences, found number 9"},
        {repeat_sequence, "table sequences", "arm 0, suite 0: sequence 0 occurs twice"},
        {walk_off, "table sequences", "a walk visits state 2 of a profile of 2 states"},
        {walk_on_and_on, "table sequences", "a walk begins or ends behind the 16 bytes of vectors/walk"},
        {name_unknown_profile, "table chains",
         "arm 0, suite 0: chain 1 of profile 1, expected chain 1 of one of 1 profiles"},
        {name_unknown_arc, "table transitions", "arm 0, suite 0: profile 0 has no transition 0 to 3"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof spoilt / sizeof *spoilt; i++) {
        struct small small;
        struct cor_tables *tables;
        small_open(&small, "damaged");
        cor_record_begin(small.record, 0, 0);
        put_first_suite(&small);
        spoilt[i].spoil(small.record);
        small_append(&small);
        struct cor_result *result = small_finish(&small, two_arms, 1);
        struct cor_error error = COR_NO_ERROR;
        assert_int_equal(cor_tables_create(result, 0.95, &tables, &error), COR_STATUS_INPUT);
        assert_null(tables);
        assert_string_equal(error.place, spoilt[i].place);
        assert_string_equal(error.cause, spoilt[i].cause);
        small_close(&small, result);
    }
}

static void test_unknown_arm(void **state) {
    (void)state;
    struct small small;
    struct cor_tables *tables;
    small_open(&small, "unknown_arm");
    cor_record_begin(small.record, 1, 0);
    put_first_suite(&small);
    small_append(&small);
    struct cor_result *result = small_finish(&small, two_arms, 1);
    assert_int_equal(cor_tables_create(result, 0.95, &tables, &small.error), COR_STATUS_INPUT);
    assert_string_equal(small.error.cause, "suite 0 is of arm 1, which catalog/arm lacks");
    small_close(&small, result);
}

/* ---------------------------------------------------------------------------------------------------
 * coverage */

/* A walk longer than the window it is read through, so that every step across windows counts: it cycles 0 1 2
 * but for its one visit to 0 -> 0, which lies where the first window ends. */
static void test_long_walk(void **state) {
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
    assert_near(tables->arm[0].figure[COR_METRIC_EP_TRANSITION_COVERAGE].mean, 100); /* 0 -> 0 was seen */
    assert_int_equal(tables->arm[0].steps_outside, 0);
    cor_tables_destroy(tables);
    small_close(&small, result);
}

/* Marks are told apart by stamps; when these run out they begin anew, and nothing is counted twice or missed.
 */
static void test_stamps_run_out(void **state) {
    static const uint8_t walk[] = {0, 1, 2, 0};
    (void)state;
    struct small small;
    struct cor__environment environment;
    struct cor__coverage coverage;
    small_open(&small, "stamps");
    cor_record_begin(small.record, 0, 0);
    put_suite(&small, 10, 1, 1, 1);
    put_sequence(&small, 0, 3, 0, walk, sizeof walk);
    small_append(&small);
    struct cor_result *result = small_finish(&small, two_arms, 1);
    OK(cor__environment_init(&environment, result, &small.error));
    OK(cor__environment_put_profile(&environment, &(struct cor_profile_row){.states = 3, .arcs = 4},
                                    &small.error));
    for (uint16_t t = 0; t < 4; t++)
        OK(cor__environment_put_transition(
            &environment,
            &(struct cor_transition_row){
                .from = (uint16_t)(t % 3), .to = (uint16_t)(t < 3 ? (t + 1) % 3 : 0), .probability = 1},
            &small.error));
    OK(cor__environment_put_chain(&environment, &(struct cor_chain_row){0}, &small.error));
    environment.stamp = UINT32_MAX - 3;
    for (int i = 0; i < 6; i++) {
        OK(cor__environment_cover(&environment, &(struct cor_sequence_row){.cases = 3}, &coverage,
                                  &small.error));
        assert_near(coverage.arc_coverage, 75);
        assert_near(coverage.state_coverage, 100);
        assert_int_equal(coverage.steps_outside, 0);
    }
    assert_true(environment.stamp < 6);
    cor__environment_fini(&environment);
    small_close(&small, result);
}

/* --------------------------------------------------------------------------------------------------
 * orderings */

/* Arms with the paper's own figures: all that the paper says of itself must hold. */
static void fill_as_published(struct cor_tables *tables, struct cor_arm_tables *arms) {
    static const struct {
        const char *name;
        uint64_t failures, masked, gray, black;
        double undetected, without, per_sequence;
    } published[] = {
        {"PSOPP-F1", 252, 112, 140, 134, 44.44, 79.97, 0.36},
        {"PSOPP-F2", 130, 23, 107, 104, 17.69, 84.55, 0.19},
        {"PSOPP-F3", 91, 31, 60, 52, 34.07, 91.42, 0.13},
        {"PSOPP-F4", 1603, 1567, 36, 36, 97.75, 96.28, 2.29},
        {"PSOPP-F5", 16, 8, 8, 5, 50, 97.86, 0.02},
        {"PSOPP-F5d", 376, 154, 222, 193, 40.96, 70.22, 0.54},
        {"SPADA-F1", 20, 0, 20, 0, 0, 97.13, 0.03},
        {"SPADA-F2", 110, 0, 110, 0, 0, 84.22, 0.16},
        {"SPADA-F3", 58443, 58349, 94, 0, 99.84, 85.69, 83.5},
        {"SPADA-F4", 84, 8, 76, 0, 9.52, 90.13, 0.12},
    };
    tables->arm = arms;
    tables->arm_count = sizeof published / sizeof *published;
    for (size_t a = 0; a < tables->arm_count; a++) {
        arms[a] = (struct cor_arm_tables){.name = published[a].name, .published = true, .sequences = 700};
        arms[a].failures = published[a].failures;
        arms[a].sequences_detected = published[a].gray;
        arms[a].caught.masked = published[a].masked;
        arms[a].caught.activated_gray = published[a].gray;
        arms[a].caught.activated_black = arms[a].caught.black = published[a].black;
        arms[a].figure[COR_METRIC_UNDETECTED].mean = published[a].undetected;
        arms[a].figure[COR_METRIC_FAILURES].mean = published[a].per_sequence;
        arms[a].figure[COR_METRIC_WITHOUT_ACTIVATED] =
            (struct cor_figure){.mean = published[a].without,
                                .low = published[a].without - 5,
                                .high = published[a].without + 5,
                                .interval = COR_INTERVAL_LINEARISED};
    }
}

static void test_orderings(void **state) {
    enum { F4 = 3, F5 = 4, F5D = 5, SPADA_F2 = 7 };
    struct cor_arm_tables arms[10];
    struct cor_tables tables = {0};
    (void)state;
    fill_as_published(&tables, arms);
    cor__find_orderings(&tables);
    for (int o = 0; o < COR_ORDERING_COUNT; o++)
        assert_true(tables.ordering[o].available && tables.ordering[o].holds);

    /* Each turned round once. */
    memset(tables.ordering, 0, sizeof tables.ordering);
    arms[F5].sequences_detected = 0;
    arms[0].caught.activated_black = arms[0].caught.activated_gray + 1;
    arms[SPADA_F2].caught.black = 1;
    arms[1].caught.masked = 0;
    arms[F4].figure[COR_METRIC_UNDETECTED].mean = 50; /* a tie with F5 */
    arms[F5].figure[COR_METRIC_FAILURES].mean = 0.14;
    arms[F5D].figure[COR_METRIC_WITHOUT_ACTIVATED].high = 92.9;
    cor__find_orderings(&tables);
    for (int o = 0; o < COR_ORDERING_COUNT; o++)
        assert_true(tables.ordering[o].available && !tables.ordering[o].holds);

    /* Without the arms they are about they are not available: only SPADA is left. */
    memset(tables.ordering, 0, sizeof tables.ordering);
    tables.arm = arms + 6;
    tables.arm_count = 4;
    cor__find_orderings(&tables);
    assert_true(tables.ordering[COR_ORDERING_EVERY_FAULT_FOUND].available);
    assert_false(tables.ordering[COR_ORDERING_PSOPP_MASKING].available);
    assert_false(tables.ordering[COR_ORDERING_F4_MASKED_MOST].available);
    assert_false(tables.ordering[COR_ORDERING_F5_RAREST].available);
    assert_false(tables.ordering[COR_ORDERING_F5D_ABOVE_F5].available);
}

/* ------------------------------------------------------------------------------------------------------
 * texts */

static void test_texts(void **state) {
    (void)state;
    struct small small;
    char *text = NULL;
    size_t size = 0, lines = 0;
    small_open(&small, "texts");
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
    assert_non_null(strstr(text, "! paper, PSOPP-F4: A7"));
    for (char *line = text; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 120);
    free(text);

    file = open_memstream(&text, &size);
    OK(cor_tables_json(tables, file, &small.error));
    fclose(file);
    struct cor_json_document *document = NULL;
    OK(cor_json_parse(text, "tables", &document, &small.error));
    struct cor_json root = cor_json_root(document), arms, arm, figures;
    OK(cor_json_need(&root, "arms", &arms, &small.error));
    assert_int_equal(cor_json_size(&arms), 2);
    arm = cor_json_at(&arms, 0);
    OK(cor_json_need(&arm, "figures", &figures, &small.error));
    assert_int_equal(cor_json_size(&figures), COR_METRIC_COUNT);
    cor_json_destroy(document);
    free(text);

    file = open_memstream(&text, &size);
    OK(cor_tables_csv(tables, file, &small.error));
    fclose(file);
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    assert_int_equal(lines, 1 + 2 * COR_METRIC_COUNT);
    assert_non_null(strstr(text, "\nfailures_total,PSOPP-F4,3,,,,2,1,1603,\n"));
    assert_non_null(strstr(text, "\nfailures_total,\"a, \"\"quoted\"\" one\",,,,,0,0,,\n"));
    free(text);
    cor_tables_destroy(tables);
    small_close(&small, result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),           cmocka_unit_test(test_no_suites),
        cmocka_unit_test(test_all_fail_and_none), cmocka_unit_test(test_broken),
        cmocka_unit_test(test_damaged),           cmocka_unit_test(test_unknown_arm),
        cmocka_unit_test(test_long_walk),         cmocka_unit_test(test_stamps_run_out),
        cmocka_unit_test(test_orderings),         cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
