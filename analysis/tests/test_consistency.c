/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files that contradict themselves, files that are damaged, and what the paper's tables show beyond single
 * figures. */
#include "suite.h"
#include "two_suites.h"

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
static void distribute_itself(struct cor_record *record) {
    fail_black_alone(record);
    ((struct cor_reorganization_row *)AT(REORGANIZATIONS, 2))->own_moves = 1;
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
        {distribute_itself, 0},
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

/* ----------------------------------------------------------------------------------- orderings */

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broken),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_unknown_arm),
        cmocka_unit_test(test_orderings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
