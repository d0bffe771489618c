/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files that contradict themselves, and files that are damaged. */
#include "shown.h"
#include <corridor/tables.h>

#define AT(table, index) cor_record_at(record, COR_TABLE_##table, index)

/* Rows of the first suite: reorganizations 0 and 1 are of sequence 0, 2 of sequence 1; so are the failures.
 * Violations: gray of 0, gray and black of 2. */
static void list(struct cor_record *record, uint32_t number, enum cor_box box) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_violation_row *row = cor_record_row(record, COR_TABLE_VIOLATIONS, &error);
    row->case_ = number;
    row->box = (uint8_t)box;
    row->check = COR_CHECK_MISSING;
}
static void unlist(struct cor_record *record, size_t violation) {
    ((struct cor_violation_row *)AT(VIOLATIONS, violation))->box = COR_BOX_INTERIM;
}

static void lose_sequence(struct cor_record *record) {
    ((struct cor_suite_row *)AT(SUITES, 0))->sequences = 3;
}
static void lose_case(struct cor_record *record) {
    ((struct cor_sequence_row *)AT(SEQUENCES, 0))->executed++;
    ((struct cor_sequence_row *)AT(SEQUENCES, 0))->cases++;
}
static void change_verdict(struct cor_record *record) {
    ((struct cor_case_row *)AT(CASES, 1))->gray = COR_VERDICT_PASSED;
}
static void lose_failure(struct cor_record *record) {
    struct cor_failure_row *row = AT(FAILURES, 0);
    row->sequence = 1;
    row->case_ = 1;
}
static void keep_another_verdict(struct cor_record *record) {
    ((struct cor_failure_row *)AT(FAILURES, 1))->black = COR_VERDICT_FAILED;
}
static void lose_violation(struct cor_record *record) {
    unlist(record, 0);
}
static void list_what_passed(struct cor_record *record) {
    list(record, 2, COR_BOX_BLACK);
}
static void stop_without_cause(struct cor_record *record) {
    struct cor_reorganization_row *row = AT(REORGANIZATIONS, 2);
    row->black = ((struct cor_case_row *)AT(CASES, 4))->black = COR_VERDICT_PASSED;
    row->black_violations = 0;
    ((struct cor_failure_row *)AT(FAILURES, 2))->black = COR_VERDICT_PASSED;
    unlist(record, 2);
}
static void fail_black_twice(struct cor_record *record) {
    for (size_t i = 0; i < 2; i++) {
        struct cor_reorganization_row *row = AT(REORGANIZATIONS, i);
        row->gray = row->black = COR_VERDICT_FAILED;
        row->gray_violations = row->black_violations = 1;
        ((struct cor_case_row *)AT(CASES, i + 1))->gray = COR_VERDICT_FAILED;
        ((struct cor_case_row *)AT(CASES, i + 1))->black = COR_VERDICT_FAILED;
        ((struct cor_failure_row *)AT(FAILURES, i))->gray = COR_VERDICT_FAILED;
        ((struct cor_failure_row *)AT(FAILURES, i))->black = COR_VERDICT_FAILED;
        list(record, (uint32_t)i + 2, COR_BOX_BLACK);
    }
    list(record, 3, COR_BOX_GRAY);
}
static void fail_black_alone(struct cor_record *record) {
    struct cor_reorganization_row *row = AT(REORGANIZATIONS, 2);
    row->gray = ((struct cor_case_row *)AT(CASES, 4))->gray = COR_VERDICT_PASSED;
    row->gray_violations = 0;
    ((struct cor_failure_row *)AT(FAILURES, 2))->gray = COR_VERDICT_PASSED;
    unlist(record, 1);
}
static void corrupt_adoption(struct cor_record *record) {
    fail_black_alone(record);
    ((struct cor_reorganization_row *)AT(REORGANIZATIONS, 2))->adoption_fault = 1;
}
static void be_outrun(struct cor_record *record) {
    fail_black_alone(record);
    ((struct cor_reorganization_row *)AT(REORGANIZATIONS, 2))->agreement = COR_VERDICT_PASSED;
}
static void be_outrun_in_time(struct cor_record *record) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_reorganization_row *run = AT(REORGANIZATIONS, 2);
    struct cor_tick_row *row = cor_record_row(record, COR_TABLE_TICKS, &error);
    row->sequence = run->sequence;
    row->case_ = run->case_;
    be_outrun(record);
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

static void each_contradiction_breaks_its_identities(void **state) {
    static const struct {
        void (*spoil)(struct cor_record *record);
        uint32_t broken;
    } spoilt[] = {
        {lose_sequence, BIT(SEQUENCES_COMPLETE)},
        {lose_case, BIT(CASES_COMPLETE) | BIT(VISITS_ADD_UP)},
        {change_verdict, BIT(REORGANIZATIONS_COMPLETE) | BIT(VIOLATIONS_LISTED)},
        {lose_failure, BIT(FAILURES_KEPT)},
        {keep_another_verdict, BIT(FAILURES_KEPT)},
        {lose_violation, BIT(VIOLATIONS_LISTED)},
        {list_what_passed, BIT(VIOLATIONS_LISTED)},
        {stop_without_cause, BIT(STOPPED_BY_BLACK)},
        {fail_black_twice, BIT(BLACK_ONCE) | BIT(BLACK_AT_MOST_FAILING)},
        {fail_black_alone, BIT(BLACK_ALSO_GRAY) | BIT(UNDETECTED_PLUS_GRAY)},
        {corrupt_adoption, 0},
        {be_outrun, BIT(BLACK_ALSO_GRAY)},
        {be_outrun_in_time, 0},
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
            if (tables->arm[0].measured->identity[k].broken > 0)
                broken |= 1u << k;
        assert_int_equal(broken, spoilt[i].broken);
        assert_int_equal(cor_measurement_broken(tables->measurement) > 0, broken > 0);
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
static void forget_cases(struct cor_record *record) {
    ((struct cor_sequence_row *)AT(SEQUENCES, 0))->executed = 3;
    ((struct cor_sequence_row *)AT(SEQUENCES, 0))->cases = 3;
    ((struct cor_sequence_row *)AT(SEQUENCES, 1))->walk_start = 0;
}
static void name_unknown_profile(struct cor_record *record) {
    ((struct cor_chain_row *)AT(CHAINS, 1))->profile = 1;
}
static void name_unknown_arc(struct cor_record *record) {
    ((struct cor_transition_row *)AT(TRANSITIONS, 1))->to = 3;
}

/* What cannot be read as what it claims is an error that says where, not a figure. */
static void damaged_rows_are_refused_with_place_and_cause(void **state) {
    static const struct {
        void (*spoil)(struct cor_record *record);
        const char *place, *cause;
    } spoilt[] = {
        {name_unknown_sequence, "table cases", "arm 0, suite 0 has 2 sequences, found number 9"},
        {repeat_sequence, "table sequences", "arm 0, suite 0: sequence 0 occurs twice"},
        {walk_off, "table sequences", "a walk visits state 2 of a profile of 2 states"},
        {walk_on_and_on, "table sequences", "a walk begins or ends behind the 16 bytes of vectors/walk"},
        {forget_cases, "table cases", "arm 0, suite 0: sequence 0, case 4 was not executed"},
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
        assert_int_equal(cor_tables_create(result, 0.95, COR_INTERVAL_LINEARISED, &tables, &error),
                         COR_STATUS_INPUT);
        assert_null(tables);
        assert_string_equal(error.place, spoilt[i].place);
        assert_string_equal(error.cause, spoilt[i].cause);
        small_close(&small, result);
    }
}

static void an_unknown_arm_is_refused(void **state) {
    (void)state;
    struct small small;
    struct cor_tables *tables;
    small_open(&small, "unknown_arm");
    cor_record_begin(small.record, 1, 0);
    put_first_suite(&small);
    small_append(&small);
    struct cor_result *result = small_finish(&small, two_arms, 1);
    assert_int_equal(cor_tables_create(result, 0.95, COR_INTERVAL_LINEARISED, &tables, &small.error),
                     COR_STATUS_INPUT);
    assert_string_equal(small.error.cause, "suite 0 is of arm 1, which catalog/arm lacks");
    small_close(&small, result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_contradiction_breaks_its_identities),
        cmocka_unit_test(damaged_rows_are_refused_with_place_and_cause),
        cmocka_unit_test(an_unknown_arm_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
