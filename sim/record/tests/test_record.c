/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schema, record and checksum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "frame.h"
#include "sample.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void the_crc32c_has_the_published_values(void **state) {
    unsigned char bytes[32];
    (void)state;
    assert_int_equal(record__crc32c(0, "123456789", 9), 0xE3069283);
    /* RFC 3720, B.4: 32 bytes of zeroes, of ones, and ascending */
    memset(bytes, 0, sizeof bytes);
    assert_int_equal(record__crc32c(0, bytes, 32), 0x8A9136AA);
    memset(bytes, 0xFF, sizeof bytes);
    assert_int_equal(record__crc32c(0, bytes, 32), 0x62A8AB43);
    for (unsigned char i = 0; i < 32; i++)
        bytes[i] = i;
    assert_int_equal(record__crc32c(0, bytes, 32), 0x46DD794E);
}

/* Long lists are taken in parts side by side, so lengths matter; they begin at an odd address. */
static void the_crc32c_is_that_of_single_bits(void **state) {
    enum { MOST = 4200 };
    unsigned char bytes[MOST];
    uint32_t crc = UINT32_MAX, word = 1;
    (void)state;
    for (size_t i = 0; i < MOST; i++) {
        word = word * 1664525 + 1013904223;
        bytes[i] = (unsigned char)(word >> 24);
    }
    for (size_t size = 1; size < MOST; size++) {
        crc ^= bytes[size];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78 : 0);
        assert_int_equal(record__crc32c(0, bytes + 1, size), (uint32_t)~crc);
    }
}

static void the_crc32c_of_parts_is_that_of_the_whole(void **state) {
    (void)state;
    const char *text = "any way of cutting a text gives the checksum of the whole";
    uint32_t whole = record__crc32c(0, text, strlen(text));
    for (size_t cut = 0; cut <= strlen(text); cut++) {
        uint32_t first = record__crc32c(0, text, cut);
        assert_int_equal(record__crc32c(first, text + cut, strlen(text) - cut), whole);
    }
}

/* Columns lie inside the row, do not overlap, and are named as the file says. */
static void the_schema_is_sound(void **state) {
    (void)state;
    for (enum cor_table t = 0; t < COR_TABLE_COUNT; t++) {
        const struct cor_table_schema *schema = cor_schema(t);
        size_t end = 0;
        for (uint32_t c = 0; c < schema->column_count; c++) {
            const struct cor_column *column = &schema->columns[c];
            assert_true(column->offset >= end);
            end = column->offset + cor_type_size(column->type);
            assert_true(end <= schema->row_size);
            assert_true(islower(column->name[0]) && column->name[strlen(column->name) - 1] != '_');
            assert_true(
                (strcmp(column->unit, "code") == 0) ==
                    (column->family != COR_FAMILY_NONE || strstr(column->meaning, "code in catalog/")) ||
                strcmp(column->name, "arm") == 0);
            for (uint32_t d = 0; d < c; d++)
                assert_string_not_equal(column->name, schema->columns[d].name);
        }
        assert_string_equal(schema->columns[0].name, "arm");
        assert_string_equal(schema->columns[1].name, "suite");
    }
    assert_string_equal(cor_schema(COR_TABLE_CASES)->columns[3].name, "case");
    assert_int_equal(cor_schema(COR_TABLE_CASES)->columns[10].type, COR_TYPE_F32);
    assert_int_equal(cor_schema(COR_TABLE_CASES)->columns[10].offset,
                     offsetof(struct cor_case_row, dissimilarity));
    assert_string_equal(cor_interaction_schema.catalogs[COR_CATALOG_AGENT_TYPE].group, "agent_type");
    assert_string_equal(cor_vector(COR_VECTOR_STRUCTURE)->dataset, "structure");
}

static void a_record_holds_rows_and_items_and_begins_anew(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_record *record;
    SAMPLE_OK(cor_record_create(&cor_interaction_schema, &record, &error));
    for (uint32_t suite = 7; suite < 9; suite++) {
        cor_record_begin(record, 3, suite);
        assert_int_equal(cor_record_size(record, COR_TABLE_CASES), 0);
        for (uint32_t i = 0; i < 1000; i++) {
            struct cor_case_row *row = cor_record_row(record, COR_TABLE_CASES, &error);
            assert_int_equal(row->arm, 3);
            assert_int_equal(row->suite, suite);
            assert_int_equal(row->case_, 0); /* zeroed, though the memory was used before */
            row->case_ = i + 1;
        }
        assert_int_equal(cor_record_size(record, COR_TABLE_CASES), 1000);
        struct cor_case_row *row = cor_record_at(record, COR_TABLE_CASES, 500);
        assert_int_equal(row->case_, 501);
        uint64_t start;
        SAMPLE_OK(cor_record_put(record, COR_VECTOR_STRUCTURE, (uint32_t[]){1, 2, 3}, 3, &start, &error));
        assert_int_equal(start, 0);
        SAMPLE_OK(cor_record_put(record, COR_VECTOR_STRUCTURE, NULL, 0, NULL, &error));
        SAMPLE_OK(cor_record_put(record, COR_VECTOR_STRUCTURE, (uint32_t[]){4}, 1, &start, &error));
        assert_int_equal(start, 3);
    }
    cor_record_destroy(record);
    cor_record_destroy(NULL);
}

static void assert_same_frame(const struct cor_record *record, const struct cor_record *other) {
    struct cor_error error = COR_NO_ERROR;
    unsigned char *bytes[2] = {NULL, NULL};
    size_t capacity[2] = {0, 0}, size[2];
    SAMPLE_OK(cor_record_frame(record, &bytes[0], &capacity[0], &size[0], &error));
    SAMPLE_OK(cor_record_frame(other, &bytes[1], &capacity[1], &size[1], &error));
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
}

/* Items that need ever more bytes, some runs longer than what is packed at a time; a suite of small ones
 * after one of large ones; and a rewinding. */
static void a_record_that_is_only_written_gives_the_same_frame(void **state) {
    (void)state;
    static const uint32_t most[][3] = {
        {3, 255, 0}, {255, 256, 9}, {65535, 2, 65536}, {7, UINT32_MAX, 1}, {1, 2, 3}};
    static uint32_t items[RECORD__FRAME_BLOCK + 100];
    struct cor_error error = COR_NO_ERROR;
    struct cor_record *plain, *narrow;
    SAMPLE_OK(cor_record_create(&cor_interaction_schema, &plain, &error));
    SAMPLE_OK(cor_record_create(&cor_interaction_schema, &narrow, &error));
    cor_record_only_write(narrow);
    for (uint32_t suite = 0; suite < 5; suite++) {
        struct cor_record_mark marks[2] = {{{0}, {0}}, {{0}, {0}}};
        cor_record_begin(plain, 1, suite);
        cor_record_begin(narrow, 1, suite);
        for (uint32_t run = 0; run < 3; run++) {
            const size_t count = suite % 2 ? sizeof items / sizeof *items : 5 * run;
            for (size_t i = 0; i < count; i++)
                items[i] = i % 7 == 6 ? most[suite][run] : (uint32_t)i % 5;
            for (int side = 0; side < 2; side++) {
                struct cor_record *record = side ? narrow : plain;
                uint64_t start;
                if (run == 2)
                    marks[side] = cor_record_mark(record);
                SAMPLE_OK(cor_record_put(record, COR_VECTOR_STRUCTURE, items, count, &start, &error));
                SAMPLE_OK(cor_record_put(record, COR_VECTOR_WALK, items, run, NULL, &error));
            }
            assert_same_frame(plain, narrow);
        }
        cor_record_rewind(plain, &marks[0]);
        cor_record_rewind(narrow, &marks[1]);
        assert_same_frame(plain, narrow);
    }
    cor_record_destroy(plain);
    cor_record_destroy(narrow);
}

/* Every table and column occurs in the JSON text, and its braces are balanced. */
static void the_schema_as_json_has_every_table_and_column(void **state) {
    (void)state;
    char *text = record__schema_json(&cor_interaction_schema);
    int depth = 0;
    assert_non_null(text);
    for (const char *at = text; *at; at++)
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
    assert_int_equal(depth, 0);
    for (enum cor_table t = 0; t < COR_TABLE_COUNT; t++) {
        char member[100];
        snprintf(member, sizeof member, "{\"name\": \"%s\", \"meaning\"", cor_schema(t)->group);
        const char *at = strstr(text, member);
        assert_non_null(at);
        for (uint32_t c = 0; c < cor_schema(t)->column_count; c++) {
            const struct cor_column *column = &cor_schema(t)->columns[c];
            snprintf(member, sizeof member, "{\"name\": \"%s\", \"type\": \"%s\"", column->name,
                     record__type_word(column->type));
            at = strstr(at, member);
            assert_non_null(at);
        }
    }
    assert_non_null(strstr(text, "\"codes\": {\"1\": \"passed\", \"2\": \"failed\""));
    free(text);
}

static void rewinding_forgets_rows_and_items_since_the_mark(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_record *record, *kept;
    SAMPLE_OK(cor_record_create(&cor_interaction_schema, &record, &error));
    SAMPLE_OK(cor_record_create(&cor_interaction_schema, &kept, &error));
    sample_fill(record, 0, 1, 20);
    sample_fill(kept, 0, 1, 20);
    struct cor_record_mark mark = cor_record_mark(record);
    for (uint32_t t = 0; t < COR_TABLE_COUNT; t++)
        assert_non_null(cor_record_row(record, t, &error));
    for (uint32_t v = 0; v < COR_VECTOR_COUNT; v++)
        SAMPLE_OK(cor_record_put(record, v, &(uint64_t){7}, 1, NULL, &error));
    cor_record_rewind(record, &mark);
    sample_check_equal(record, kept);
    cor_record_destroy(record);
    cor_record_destroy(kept);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rewinding_forgets_rows_and_items_since_the_mark),
        cmocka_unit_test(the_crc32c_has_the_published_values),
        cmocka_unit_test(the_crc32c_is_that_of_single_bits),
        cmocka_unit_test(the_crc32c_of_parts_is_that_of_the_whole),
        cmocka_unit_test(the_schema_is_sound),
        cmocka_unit_test(a_record_holds_rows_and_items_and_begins_anew),
        cmocka_unit_test(a_record_that_is_only_written_gives_the_same_frame),
        cmocka_unit_test(the_schema_as_json_has_every_table_and_column),
    };
    return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
