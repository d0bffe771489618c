/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of older and newer versions of a layer, and of a layer that nobody knows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample.h"

#include <corridor/record.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCALE = 700 }; /* some columns are packed, some are not */

static struct cor_table_schema older_tables[COR_TABLE_COUNT];

/* As the format was before it had branches, and columns that came later. */
static struct cor_layer_schema older_schema(void) {
    struct cor_layer_schema older = cor_interaction_schema;
    memcpy(older_tables, older.tables, sizeof older_tables);
    for (uint32_t t = 0; t < COR_TABLE_COUNT; t++)
        while (older_tables[t].columns[older_tables[t].column_count - 1].since > 0)
            older_tables[t].column_count--;
    older.tables = older_tables;
    older.minor = 0;
    older.table_count = COR_TABLE_BRANCHES;
    older.vector_count = COR_VECTOR_WORDS;
    older.offset_count--; /* that of the words */
    for (uint32_t t = older.table_count; t < COR_TABLE_COUNT; t++)
        assert_true(cor_interaction_schema.tables[t].since > 0);
    return older;
}

/* As it could be later: suites have two columns more. */
struct later_row {
    struct cor_suite_row suite;
    uint32_t rooms;
    float share;
    double weight;
};

static struct cor_column later_columns[COR_COLUMNS_MAX];
static struct cor_table_schema later_tables[COR_TABLE_COUNT];

static struct cor_layer_schema later_schema(void) {
    struct cor_layer_schema later = cor_interaction_schema;
    const struct cor_table_schema *suites = cor_schema(COR_TABLE_SUITES);
    uint32_t count = suites->column_count;
    memcpy(later_columns, suites->columns, count * sizeof *later_columns);
    later_columns[count] =
        (struct cor_column){"rooms",         "1",     offsetof(struct later_row, rooms), COR_TYPE_U32,
                            COR_FAMILY_NONE, "rooms", cor_interaction_schema.minor + 1,  7};
    later_columns[count + 1] =
        (struct cor_column){"share",         "1",     offsetof(struct later_row, share), COR_TYPE_F32,
                            COR_FAMILY_NONE, "share", cor_interaction_schema.minor + 1,  0.25};
    later_columns[count + 2] = (struct cor_column){.name = "weight",
                                                   .unit = "1",
                                                   .offset = offsetof(struct later_row, weight),
                                                   .type = COR_TYPE_F64,
                                                   .meaning = "weight",
                                                   .since = cor_interaction_schema.minor + 1,
                                                   .missing = (double)NAN};
    memcpy(later_tables, cor_interaction_schema.tables, sizeof later_tables);
    later_tables[COR_TABLE_SUITES].columns = later_columns;
    later_tables[COR_TABLE_SUITES].column_count = count + 3;
    later_tables[COR_TABLE_SUITES].row_size = sizeof(struct later_row);
    later.tables = later_tables;
    later.minor = cor_interaction_schema.minor + 1;
    return later;
}

/* Writes one suite of that layer: as the present one would, and what it lacks as it is when forgotten. */
static void write_file(const struct cor_layer_schema *layer, const char *path, struct cor_record **record) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_journal *journal;
    struct cor_record *sample;
    struct cor_result_header header = sample_header();
    const char *const journals[] = {"journal"};
    header.layer = layer;
    SAMPLE_OK(cor_record_create(&cor_interaction_schema, &sample, &error));
    SAMPLE_OK(cor_record_create(layer, record, &error));
    sample_fill(sample, 1, 3, SCALE);
    cor_record_begin(*record, 1, 3);
    for (uint32_t t = 0; t < layer->table_count; t++)
        for (size_t i = 0; i < cor_record_size(sample, t); i++)
            memcpy(cor_record_row(*record, t, &error), cor_record_at(sample, t, i), cor_schema(t)->row_size);
    for (uint32_t v = 0; v < layer->vector_count; v++) {
        size_t count;
        const void *items = cor_record_items(sample, v, &count);
        SAMPLE_OK(cor_record_put(*record, v, items, count, NULL, &error));
    }
    remove("journal");
    SAMPLE_OK(cor_journal_create("journal", &journal, &error));
    SAMPLE_OK(cor_journal_append(journal, *record, &error));
    cor_journal_close(journal);
    SAMPLE_OK(cor_result_merge(journals, 1, &header, path, 1, &error));
    cor_record_destroy(sample);
}

/* All columns of the present layer that the file, of that minor version, knows too. */
static void check_rows(struct cor_result *result, const struct cor_layer_schema *layer, uint32_t table,
                       uint32_t minor, struct cor_record *record) {
    struct cor_error error = COR_NO_ERROR;
    size_t count = cor_record_size(record, table), size = layer->tables[table].row_size;
    unsigned char *rows = calloc(count + 1, size);
    assert_int_equal(cor_result_size(result, table), count);
    SAMPLE_OK(cor_result_read(result, table, 0, count, rows, &error));
    for (size_t i = 0; i < count; i++)
        for (uint32_t c = 0; c < cor_schema(table)->column_count; c++) {
            const struct cor_column *column = &cor_schema(table)->columns[c];
            if (column->since <= minor)
                assert_memory_equal(rows + i * size + column->offset,
                                    (unsigned char *)cor_record_at(record, table, i) + column->offset,
                                    cor_type_size(column->type));
        }
    free(rows);
}

static void a_file_without_a_later_table_has_no_rows_of_it(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_layer_schema older = older_schema();
    struct cor_record *record;
    struct cor_result *result;
    uint64_t hash;
    write_file(&older, "older.h5", &record);
    SAMPLE_OK(cor_result_open("older.h5", &result, &error));
    assert_int_equal(cor_result_size(result, COR_TABLE_BRANCHES), 0);
    SAMPLE_OK(cor_result_read(result, COR_TABLE_BRANCHES, 0, 0, NULL, &error));
    for (uint32_t t = 0; t < older.table_count; t++)
        check_rows(result, &cor_interaction_schema, t, older.minor, record);
    SAMPLE_OK(cor_result_verify(result, &error));
    SAMPLE_OK(cor_result_hash(result, &hash, &error));
    cor_result_close(result);
    cor_record_destroy(record);
}

static void a_column_that_the_file_is_too_old_for_reads_as_its_default(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_layer_schema later = later_schema();
    const struct cor_layer_schema *const known[] = {&later, NULL};
    struct cor_record *record;
    struct cor_result *result;
    write_file(&cor_interaction_schema, "present.h5", &record);
    SAMPLE_OK(cor_result_open_as(known, "present.h5", &result, &error));
    size_t count = cor_record_size(record, COR_TABLE_SUITES);
    assert_true(count > 0);
    struct later_row *rows = calloc(count, sizeof *rows);
    SAMPLE_OK(cor_result_read(result, COR_TABLE_SUITES, 0, count, rows, &error));
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(rows[i].rooms, 7);
        assert_true(rows[i].share == 0.25F);
        assert_true(isnan(rows[i].weight));
        const struct cor_suite_row *row = cor_record_at(record, COR_TABLE_SUITES, i);
        assert_int_equal(rows[i].suite.agents, row->agents);
        assert_int_equal(rows[i].suite.configuration_hash, row->configuration_hash);
    }
    check_rows(result, &later, COR_TABLE_CASES, later.minor, record);
    SAMPLE_OK(cor_result_verify(result, &error));
    cor_result_close(result);
    cor_record_destroy(record);
    free(rows);
}

static void a_later_column_comes_back_and_older_versions_do_not_miss_it(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_layer_schema later = later_schema();
    const struct cor_layer_schema *const known[] = {&later, NULL};
    struct cor_record *record;
    struct cor_result *result;
    struct later_row row = {0};
    write_file(&later, "later.h5", &record);
    SAMPLE_OK(cor_result_open_as(known, "later.h5", &result, &error));
    SAMPLE_OK(cor_result_read(result, COR_TABLE_SUITES, 0, 1, &row, &error));
    assert_int_equal(row.rooms, 0);
    assert_true(row.weight == 0);
    SAMPLE_OK(cor_result_verify(result, &error));
    cor_result_close(result);
    SAMPLE_OK(cor_result_open("later.h5", &result, &error));
    check_rows(result, &cor_interaction_schema, COR_TABLE_SUITES, cor_interaction_schema.minor, record);
    cor_result_close(result);
    cor_record_destroy(record);
}

/* A layer with one table and one vector, and nothing of the present one. */
#define VISITOR_COLUMNS(X, R) \
    COR_SUITE_KEYS(X, R) X(R, uint64_t, start, "1", NONE, "first item in vectors/steps")
COR_ROW_STRUCT(visitor, VISITOR_COLUMNS)
COR_TABLE_COLUMNS(visitor, VISITOR_COLUMNS)
static const struct cor_table_schema visitor_tables[] = {
    COR_TABLE_SCHEMA("visitors", visitor, "one a suite")};
static const struct cor_vector_schema visitor_vectors[] = {
    COR_VECTOR_SCHEMA("steps", uint16_t, "steps of visitors", 0, false)};
static const struct cor_catalog_schema visitor_catalogs[] = {{"arm", "arms"}};
static const struct cor_offset_column visitor_offsets[] = {{0, offsetof(struct cor_visitor_row, start), 0}};
static const struct cor_layer_schema visitor_schema = {
    .format = "corridor-visitors",
    .major = 3,
    .minor = 0,
    .main_table = "/visitors",
    .tables = visitor_tables,
    .table_count = 1,
    .vectors = visitor_vectors,
    .vector_count = 1,
    .catalogs = visitor_catalogs,
    .catalog_count = 1,
    .offsets = visitor_offsets,
    .offset_count = 1,
};

static void a_layer_of_its_own_is_written_merged_and_read_without_code_of_its_own(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    const struct cor_layer_schema *const known[] = {&cor_interaction_schema, &visitor_schema, NULL};
    const char *const journals[] = {"visitors"};
    static const struct cor_catalog_entry arms[] = {{0, "only", ""}};
    struct cor_result_header header = {.layer = &visitor_schema,
                                       .experiment = "{}",
                                       .provenance = "{}",
                                       .complete = 1,
                                       .planned_suites = 3,
                                       .catalog = {arms},
                                       .catalog_size = {1}};
    struct cor_journal *journal;
    struct cor_record *record;
    struct cor_result *result;
    SAMPLE_OK(cor_record_create(&visitor_schema, &record, &error));
    SAMPLE_OK(cor_journal_create("visitors", &journal, &error));
    for (uint32_t suite = 0; suite < 3; suite++) {
        uint16_t steps[] = {(uint16_t)suite, 7, 9};
        cor_record_begin(record, 0, suite);
        struct cor_visitor_row *row = cor_record_row(record, 0, &error);
        SAMPLE_OK(cor_record_put(record, 0, steps, suite + 1, &row->start, &error));
        SAMPLE_OK(cor_journal_append(journal, record, &error));
    }
    cor_journal_close(journal);
    cor_record_destroy(record);
    SAMPLE_OK(cor_result_merge(journals, 1, &header, "visitors.h5", 0, &error));
    SAMPLE_OK(cor_result_open_as(known, "visitors.h5", &result, &error));
    assert_ptr_equal(cor_result_head(result)->layer, &visitor_schema);
    struct cor_visitor_row rows[3];
    uint16_t steps[6];
    assert_int_equal(cor_result_size(result, 0), 3);
    assert_int_equal(cor_result_vector_size(result, 0), 6);
    SAMPLE_OK(cor_result_read(result, 0, 0, 3, rows, &error));
    SAMPLE_OK(cor_result_read_vector(result, 0, 0, 6, steps, &error));
    for (uint32_t suite = 0; suite < 3; suite++) {
        assert_int_equal(rows[suite].suite, suite);
        assert_int_equal(rows[suite].start, suite * (suite + 1) / 2); /* shifted by those before */
        assert_int_equal(steps[rows[suite].start], suite);
    }
    assert_string_equal(cor_result_name(result, 0, 0), "only");
    SAMPLE_OK(cor_result_verify(result, &error));
    cor_result_close(result);
    assert_int_equal(cor_result_open("visitors.h5", &result, &error), COR_STATUS_INPUT); /* not among all */
}

static void a_journal_of_another_layer_is_refused(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_journal_entry *entries;
    struct cor_record *record;
    size_t count;
    uint64_t torn;
    write_file(&cor_interaction_schema, "present.h5", &record);
    cor_record_destroy(record);
    assert_int_equal(cor_journal_scan(&visitor_schema, "journal", &entries, &count, &torn, &error),
                     COR_STATUS_FILE);
    assert_string_equal(error.cause, "the journal was written by another version of corridor");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_without_a_later_table_has_no_rows_of_it),
        cmocka_unit_test(a_column_that_the_file_is_too_old_for_reads_as_its_default),
        cmocka_unit_test(a_later_column_comes_back_and_older_versions_do_not_miss_it),
        cmocka_unit_test(a_layer_of_its_own_is_written_merged_and_read_without_code_of_its_own),
        cmocka_unit_test(a_journal_of_another_layer_is_refused),
    };
    return cmocka_run_group_tests(tests, sample_enter, sample_leave);
}
