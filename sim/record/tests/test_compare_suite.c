/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Suites that are executed again: each value of each row and each item of each vector, changed, is found
 * where it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample.h"

#include <corridor/efsm_schema.h>
#include <corridor/efsm_terms.h>

#include <stdio.h>
#include <string.h>

enum { SUITES = 3, MOVES = 4 };

static struct cor_error error;

/* Where an item of a vector was put. */
struct place {
    uint32_t table;
    uint64_t row;
    const char *column;
};

static struct place places[COR_EFSM_VECTOR_COUNT][64];

/* Puts so many items; of the last suite that is filled it is known where they belong. */
static uint64_t put(struct cor_record *record, uint32_t vector, uint32_t count, double first,
                    struct place place) {
    size_t start;
    (void)cor_record_items(record, vector, &start);
    for (uint32_t i = 0; i < count; i++) {
        const double value = first + i;
        const uint16_t label = (uint16_t)(first + i);
        assert_in_range(start + i, 0, 63);
        places[vector][start + i] = place;
        SAMPLE_OK(cor_record_put(record, vector,
                                 vector == COR_EFSM_VECTOR_VALUE ? (const void *)&value : &label, 1, NULL,
                                 &error));
    }
    return start;
}

/* Moves with two values of state; every other one has an argument, or outputs with values. */
static void fill(struct cor_record *record, uint32_t suite) {
    cor_record_begin(record, 1, suite);
    for (uint32_t m = 0; m < MOVES; m++) {
        struct cor_efsm_move_row *move = cor_record_row(record, COR_EFSM_TABLE_MOVES, &error);
        assert_non_null(move);
        const uint32_t table = COR_EFSM_TABLE_MOVES;
        move->move = m + 1;
        move->states = 2;
        move->arguments = m % 2;
        move->outputs = (m + suite) % 3;
        move->values = m / 2;
        move->state_start =
            put(record, COR_EFSM_VECTOR_VALUE, 2, 10 * m + suite, (struct place){table, m, "state_start"});
        move->argument_start = put(record, COR_EFSM_VECTOR_VALUE, move->arguments, 100 + m,
                                   (struct place){table, m, "argument_start"});
        move->output_start =
            put(record, COR_EFSM_VECTOR_OUTPUT, move->outputs, m, (struct place){table, m, "output_start"});
        move->value_start = put(record, COR_EFSM_VECTOR_VALUE, move->values, 200 + m,
                                (struct place){table, m, "value_start"});
    }
    struct cor_efsm_test_row *test = cor_record_row(record, COR_EFSM_TABLE_TESTS, &error);
    assert_non_null(test);
    test->verdict = COR_TEST_PASS;
    test->replies = UINT64_C(0xFEDCBA9876543210) + suite;
}

static struct cor_result *make(struct cor_record *record) {
    static const struct cor_catalog_entry arms[] = {{0, "a", ""}, {1, "b", ""}};
    const struct cor_result_header header = {.layer = &cor_efsm_schema,
                                             .experiment = "{}",
                                             .provenance = "{}",
                                             .complete = 1,
                                             .catalog = {[COR_EFSM_CATALOG_ARM] = arms},
                                             .catalog_size = {[COR_EFSM_CATALOG_ARM] = 2}};
    const char *const journals[] = {"journal"};
    struct cor_journal *journal;
    struct cor_result *result;
    SAMPLE_OK(cor_journal_create("journal", &journal, &error));
    for (uint32_t suite = 0; suite < SUITES; suite++) {
        fill(record, suite);
        SAMPLE_OK(cor_journal_append(journal, record, &error));
    }
    cor_journal_close(journal);
    SAMPLE_OK(cor_result_merge(journals, 1, &header, "r.h5", 1, &error));
    SAMPLE_OK(cor_result_open("r.h5", &result, &error));
    return result;
}

static struct cor_suite_difference compare(struct cor_result *result, const struct cor_record *record) {
    struct cor_suite_difference difference;
    SAMPLE_OK(cor_result_compare_suite(result, record, COR_EFSM_TABLE_MOVES, &difference, &error));
    return difference;
}

static void check_found(struct cor_result *result, const struct cor_record *record, const char *table,
                        uint64_t row, const char *column) {
    const struct cor_suite_difference difference = compare(result, record);
    assert_false(difference.equal);
    assert_string_equal(difference.table, table);
    assert_int_equal(difference.row, row);
    assert_string_equal(difference.column, column);
    assert_string_not_equal(difference.stored, difference.now);
}

static bool leads_to_items(uint32_t table, size_t offset) {
    for (uint32_t o = 0; o < cor_efsm_schema.offset_count; o++)
        if (cor_efsm_schema.offsets[o].table == table && cor_efsm_schema.offsets[o].offset == offset)
            return true;
    return false;
}

static void check_rows(struct cor_result *result, struct cor_record *record, uint32_t table) {
    const struct cor_table_schema *schema = &cor_efsm_schema.tables[table];
    for (uint64_t row = 0; row < cor_record_size(record, table); row++)
        for (uint32_t c = 2; c < schema->column_count; c++) {
            const struct cor_column *column = &schema->columns[c];
            unsigned char *value = (unsigned char *)cor_record_at(record, table, row) + column->offset;
            if (leads_to_items(table, column->offset))
                continue;
            *value ^= 1;
            check_found(result, record, schema->group, row, column->name);
            *value ^= 1;
        }
}

static void check_items(struct cor_result *result, struct cor_record *record, uint32_t vector) {
    const size_t size = cor_type_size(cor_efsm_schema.vectors[vector].type);
    size_t count;
    unsigned char *items = (unsigned char *)(uintptr_t)cor_record_items(record, vector, &count);
    assert_true(count > 2);
    for (size_t i = 0; i < count; i++) {
        const struct place *place = &places[vector][i];
        items[i * size] ^= 1;
        check_found(result, record, cor_efsm_schema.tables[place->table].group, place->row, place->column);
        items[i * size] ^= 1;
    }
}

static void a_suite_is_equal_to_itself_and_every_change_is_found_where_it_is(void **state) {
    struct cor_record *record;
    (void)state;
    SAMPLE_OK(cor_record_create(&cor_efsm_schema, &record, &error));
    struct cor_result *result = make(record);
    for (uint32_t suite = 0; suite < SUITES; suite++) {
        fill(record, suite);
        assert_true(compare(result, record).equal);
        check_rows(result, record, COR_EFSM_TABLE_MOVES);
        check_rows(result, record, COR_EFSM_TABLE_TESTS);
        check_items(result, record, COR_EFSM_VECTOR_VALUE);
        check_items(result, record, COR_EFSM_VECTOR_OUTPUT);
        assert_true(compare(result, record).equal);
    }
    cor_result_close(result);
    cor_record_destroy(record);
}

static void rows_too_many_and_suites_that_are_not_there_are_told(void **state) {
    struct cor_record *record;
    (void)state;
    SAMPLE_OK(cor_record_create(&cor_efsm_schema, &record, &error));
    struct cor_result *result = make(record);
    fill(record, 1);
    assert_non_null(cor_record_row(record, COR_EFSM_TABLE_TRAPS, &error));
    struct cor_suite_difference difference = compare(result, record);
    assert_false(difference.equal);
    assert_string_equal(difference.table, "traps");
    assert_null(difference.column);
    assert_string_equal(difference.stored, "0");
    assert_string_equal(difference.now, "1");
    cor_record_begin(record, 1, 1); /* fewer */
    difference = compare(result, record);
    assert_string_equal(difference.table, "moves");
    assert_string_equal(difference.stored, "4");
    assert_string_equal(difference.now, "0");
    fill(record, 0);
    cor_record_begin(record, 0, UINT32_MAX); /* before all that there are */
    assert_true(compare(result, record).equal);
    cor_result_close(result);
    cor_record_destroy(record);
}

static void a_code_is_told_with_its_word_and_a_fingerprint_digit_by_digit(void **state) {
    struct cor_record *record;
    (void)state;
    SAMPLE_OK(cor_record_create(&cor_efsm_schema, &record, &error));
    struct cor_result *result = make(record);
    fill(record, 2);
    struct cor_efsm_test_row *test = cor_record_at(record, COR_EFSM_TABLE_TESTS, 0);
    test->verdict = COR_TEST_FAIL;
    struct cor_suite_difference difference = compare(result, record);
    assert_string_equal(difference.stored, "1 (pass)");
    assert_string_equal(difference.now, "2 (fail)");
    test->verdict = COR_TEST_PASS;
    test->replies++;
    difference = compare(result, record);
    assert_string_equal(difference.column, "replies");
    assert_string_equal(difference.stored, "18364758544493064722");
    assert_string_equal(difference.now, "18364758544493064723");
    cor_result_close(result);
    cor_record_destroy(record);
}

static int clean(void **state) {
    (void)state;
    remove("journal");
    remove("r.h5");
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_suite_is_equal_to_itself_and_every_change_is_found_where_it_is, clean),
        cmocka_unit_test_teardown(rows_too_many_and_suites_that_are_not_there_are_told, clean),
        cmocka_unit_test_teardown(a_code_is_told_with_its_word_and_a_fingerprint_digit_by_digit, clean)};
    return cmocka_run_group_tests_name("compare_suite", tests, sample_enter, sample_leave);
}
