/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Classes of failures: text and back, and the first failing case of rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/failure_class.h>
#include <corridor/search_schema.h>

#include <stdio.h>
#include <string.h>

static struct cor_error error;

static void round_trip(struct cor_failure_class class) {
    char text[COR_FAILURE_CLASS_TEXT];
    struct cor_failure_class back;
    cor_failure_class_text(&class, text);
    assert_int_equal(cor_failure_class_parse(text, "here", &back, &error), COR_OK);
    assert_true(cor_failure_class_equal(&class, &back));
}

static void every_class_comes_back_from_its_text(void **state) {
    struct cor_failure_class all = {.smoke = COR_SMOKE_HUNG, .fault = true};
    cor_killer_set_add(&all.killers, COR_KILLER_SMOKE);
    (void)state;
    for (int box = 1; box < COR_BOX_CODES; box++)
        for (int check = 1; check < COR_CHECK_CODES; check++) {
            struct cor_failure_class one = {.smoke = COR_SMOKE_NONE};
            cor_killer_set_add(&one.killers, cor_killer(box, check));
            round_trip(one);
            one.fault = true;
            round_trip(one);
            cor_killer_set_add(&all.killers, cor_killer(box, check));
        }
    for (int smoke = COR_SMOKE_COMPLAINED; smoke < COR_SMOKE_CODES; smoke++)
        round_trip((struct cor_failure_class){.killers.checks[0] = 1, .smoke = (enum cor_smoke)smoke});
    round_trip(all);
    for (int unmet = COR_UNMET_NONE; unmet < COR_UNMET_COUNT; unmet++)
        round_trip((struct cor_failure_class){.smoke = COR_SMOKE_NONE, .unmet = (enum cor_unmet)unmet});
}

/* Files of before the columns of boxes have `killers` alone, with 12 checks a box; later checks have no room
 * in it. */
static void a_class_comes_back_from_the_columns_of_searches(void **state) {
    static const uint64_t nothing[COR_BOX_CODES];
    struct cor_failure_class class = {.smoke = COR_SMOKE_CRASHED, .fault = true};
    (void)state;
    cor_killer_set_add(&class.killers, COR_KILLER_SMOKE);
    cor_killer_set_add(&class.killers, cor_killer(COR_BOX_BLACK, COR_CHECK_MISSING));
    assert_int_equal(cor_search_killers(&class), 1 | UINT64_C(1) << (COR_BOX_BLACK * 12 + COR_CHECK_MISSING));
    struct cor_failure_class old =
        cor_search_class_read(cor_search_killers(&class), COR_SMOKE_CRASHED, 1, nothing);
    assert_true(cor_failure_class_equal(&old, &class));
    class.killers.checks[COR_BOX_INTERIM] |= UINT64_C(1) << 63;
    struct cor_search_test_row row = {0};
    COR_SEARCH_CLASS_PUT(&row, &class);
    struct cor_failure_class back = COR_SEARCH_CLASS(&row);
    assert_true(cor_failure_class_equal(&back, &class));
    assert_false(cor_failure_class_equal(&back, &old));
}

static void what_is_no_class_is_refused_by_its_part(void **state) {
    static const char *const wrong[] = {
        "",
        "gray",
        "gray.",
        "gray.agent_missing,",
        ",fault",
        "smoke",
        "smoke.none",
        "smoke.",
        "blue.agent_missing",
        "gray.smoke",
        "fault.fault",
        "gray.agent_missing, fault",
        "gray.agent_missinggggggggggggggggggggggggggggggggggggggggggggggggggggggggggg"};
    struct cor_failure_class class;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(cor_failure_class_parse(wrong[i], "--failure", &class, &error), COR_STATUS_INPUT);
        assert_string_equal(error.place, "--failure");
    }
}

static void the_first_failing_case_is_neither_masked_nor_of_an_interim_solution(void **state) {
    const struct cor_violation_row violations[] = {
        {.case_ = 2, .box = COR_BOX_INTERIM, .check = COR_CHECK_MISSING},
        {.case_ = 5, .box = COR_BOX_GRAY, .check = COR_CHECK_DOUBLE},
        {.case_ = 5, .box = COR_BOX_BLACK, .check = COR_CHECK_SIZE_HIGH},
        {.case_ = 7, .box = COR_BOX_GRAY, .check = COR_CHECK_EMPTY}};
    const struct cor_reorganization_row runs[] = {
        {.case_ = 1, .gray = COR_VERDICT_PASSED, .black = COR_VERDICT_PASSED},
        {.case_ = 3, .gray = COR_VERDICT_PASSED, .black = COR_VERDICT_PASSED, .fault_activated = 4},
        {.case_ = 5, .gray = COR_VERDICT_FAILED, .black = COR_VERDICT_FAILED},
        {.case_ = 9, .gray = COR_VERDICT_SMOKE, .black = COR_VERDICT_SMOKE, .smoke = COR_SMOKE_HUNG}};
    struct cor_failure_rows rows = {violations, runs, 4, 4};
    struct cor_failure_class class;
    char text[COR_FAILURE_CLASS_TEXT];
    (void)state;
    assert_int_equal(cor_first_failure(rows, &class), 5);
    assert_string_equal(cor_failure_class_text(&class, text), "gray.agent_repeated,black.size_above_maximum");
    static const struct {
        uint32_t number;
        const char *text;
    } expected[] = {{1, "none"},
                    {2, "interim.agent_missing"},
                    {3, "fault"},
                    {5, "gray.agent_repeated,black.size_above_maximum"},
                    {7, "gray.partition_empty"},
                    {9, "smoke.hung"}};
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(cor_failure_rows_next(&rows, &class), expected[i].number);
        assert_string_equal(cor_failure_class_text(&class, text), expected[i].text);
    }
    assert_int_equal(cor_failure_rows_next(&rows, &class), 0);
    assert_int_equal(cor_first_failure((struct cor_failure_rows){violations, runs, 1, 2}, &class), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_class_comes_back_from_its_text),
        cmocka_unit_test(a_class_comes_back_from_the_columns_of_searches),
        cmocka_unit_test(what_is_no_class_is_refused_by_its_part),
        cmocka_unit_test(the_first_failing_case_is_neither_masked_nor_of_an_interim_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
