/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What export writes reads back as what the file holds, bit for bit. */
#include "failing_allocations.h"
#include "small_result.h"

#include <corridor/export.h>
#include <corridor/json.h>
#include <corridor/query.h>
#include <corridor/rng.h>
#include <corridor/terms.h>

#include <math.h>
#include <stdlib.h>

enum { CASES = 9000 /* more than are read at a time */ };

static const char *const arms[] = {"plain", "with, comma and \"quotes\""};

static double any_double(struct cor_rng *rng) {
    uint64_t bits = cor_rng_word(rng);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float any_float(struct cor_rng *rng) {
    uint32_t bits = (uint32_t)cor_rng_word(rng);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static struct cor_rng stream(uint32_t suite) {
    return cor_rng_named(&(struct cor_stream_name){.seed = 5, .suite = suite, .purpose = COR_PURPOSE_TEST});
}

/* The sentence of a row as cor_violation_text words it. */
static void word_violation(const struct cor_violation_row *row, char *text, size_t size) {
    cor_violation_text(&(struct cor_violation){(enum cor_check)row->check, row->agent, row->partition,
                                               row->expected, row->found},
                       text, size);
}

static void fill_violation(struct cor_violation_row *row, struct cor_rng *rng, uint32_t number) {
    static const double special[] = {0.0, -0.0, 0.1, 1e-310, 5e-324, 1.7976931348623157e308, 1e23, 1.0 / 3};
    row->case_ = number;
    row->sequence = (uint16_t)cor_rng_word(rng);
    row->box = (uint8_t)(1 + cor_rng_below(rng, 4));
    row->check = (uint8_t)cor_rng_below(rng, 14); /* 0, 12 and 13 have no word */
    row->agent = (uint32_t)cor_rng_word(rng);
    row->partition = UINT32_MAX;
    row->expected = number < 8    ? special[number]
                    : number == 8 ? INFINITY
                    : number == 9 ? -INFINITY
                                  : any_double(rng);
    row->found = number == 0 ? (double)NAN : any_double(rng);
}

/* Two suites with violations, cases and a sequence of full-width fingerprints. */
static struct cor_result *make_result(struct small *small, const char *name) {
    small_open(small, name);
    for (uint16_t arm = 0; arm < 2; arm++) {
        struct cor_rng rng = stream(arm);
        cor_record_begin(small->record, arm, 3);
        for (uint32_t i = 0; i < CASES; i++) {
            struct cor_case_row *this_case = small_row(small, COR_TABLE_CASES);
            this_case->case_ = i;
            this_case->gray = (uint8_t)(1 + i % 4);
            this_case->dissimilarity = any_float(&rng);
        }
        for (uint32_t i = 0; i < 100; i++)
            fill_violation(small_row(small, COR_TABLE_VIOLATIONS), &rng, i);
        struct cor_sequence_row *sequence = small_row(small, COR_TABLE_SEQUENCES);
        sequence->state_hash = UINT64_MAX - arm;
        sequence->walk_start = 0;
        small_append(small);
    }
    return small_finish(small, arms, 2);
}

static char *export(struct cor_result *result, enum cor_table table, const struct cor_export *how) {
    struct cor_error error = COR_NO_ERROR;
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    OK(cor_export_table(result, table, how, file, &error));
    fclose(file);
    return text;
}

/* The next field of a line of CSV, unquoted, into `word`; *at is left behind its comma or at the line's end.
 */
static void next_field(char **at, char word[1024]) {
    bool quoted = **at == '"';
    size_t length = 0;
    *at += quoted;
    while (**at && (quoted || (**at != ',' && **at != '\n'))) {
        if (quoted && **at == '"' && *++*at != '"')
            break;
        assert_true(length < 1023);
        word[length++] = *(*at)++;
    }
    word[length] = 0;
    if (**at == ',')
        ++*at;
}

static void assert_same_number(const char *word, const void *cell, enum cor_type type) {
    double value = strtod(word, NULL), stored;
    float narrow = strtof(word, NULL), stored_narrow;
    uint64_t number = strtoull(word, NULL, 10), stored_number = 0;
    if (type == COR_TYPE_F64) {
        memcpy(&stored, cell, sizeof stored);
        assert_true(isnan(stored) ? isnan(value) : memcmp(&value, &stored, sizeof value) == 0);
    } else if (type == COR_TYPE_F32) {
        memcpy(&stored_narrow, cell, sizeof stored_narrow);
        assert_true(isnan(stored_narrow) ? isnan(narrow)
                                         : memcmp(&narrow, &stored_narrow, sizeof narrow) == 0);
    } else {
        memcpy(&stored_number, cell, cor_type_size(type));
        assert_int_equal(number, stored_number);
    }
}

/* A whole table as raw CSV against its rows. */
static void check_round_trip(struct cor_result *result, enum cor_table table) {
    const struct cor_table_schema *schema = cor_schema(table);
    struct cor_error error = COR_NO_ERROR;
    unsigned char *row = malloc(schema->row_size);
    char *text = export(result, table, &(struct cor_export){.raw_codes = true}), *at = text, word[1024];
    for (uint32_t c = 0; c < schema->column_count; c++) {
        next_field(&at, word);
        assert_string_equal(word, schema->columns[c].name);
    }
    if (table == COR_TABLE_VIOLATIONS) {
        next_field(&at, word);
        assert_string_equal(word, "sentence");
    }
    for (uint64_t r = 0; r < cor_result_size(result, table); r++) {
        assert_int_equal(*at++, '\n');
        OK(cor_result_read(result, table, r, 1, row, &error));
        for (uint32_t c = 0; c < schema->column_count; c++) {
            next_field(&at, word);
            assert_same_number(word, row + schema->columns[c].offset, schema->columns[c].type);
        }
        if (table == COR_TABLE_VIOLATIONS) {
            char expected[sizeof word];
            next_field(&at, word);
            word_violation((const void *)row, expected, sizeof expected);
            assert_string_equal(word, expected);
        }
    }
    assert_string_equal(at, "\n");
    free(text);
    free(row);
}

static void raw_csv_reads_back_as_the_rows_of_the_file(void **state) {
    (void)state;
    struct small small;
    struct cor_result *result = make_result(&small, "round_trip");
    check_round_trip(result, COR_TABLE_VIOLATIONS);
    check_round_trip(result, COR_TABLE_SEQUENCES);
    check_round_trip(result, COR_TABLE_AGENTS); /* no rows: a header alone */
    small_close(&small, result);
}

/* Rows beyond the first buffer, floats, and columns in another order than the file's. */
static void rows_beyond_a_buffer_come_in_columns_as_asked(void **state) {
    static const char *const columns[] = {"dissimilarity", "case", "arm", NULL};
    (void)state;
    struct small small;
    struct cor_result *result = make_result(&small, "many_rows");
    char *text = export(result, COR_TABLE_CASES, &(struct cor_export){.columns = columns}), *at = text,
         word[1024];
    assert_memory_equal(at, "dissimilarity,case,arm\n", 23);
    at += 23;
    for (uint32_t arm = 0; arm < 2; arm++) {
        struct cor_rng rng = stream(arm);
        for (uint32_t i = 0; i < CASES; i++) {
            float expected = any_float(&rng);
            next_field(&at, word);
            assert_same_number(word, &expected, COR_TYPE_F32);
            next_field(&at, word);
            assert_same_number(word, &i, COR_TYPE_U32);
            next_field(&at, word);
            assert_string_equal(word, arms[arm]);
            assert_int_equal(*at++, '\n');
        }
    }
    assert_int_equal(*at, 0);
    free(text);
    small_close(&small, result);
}

static void codes_that_have_a_word_are_written_as_it(void **state) {
    static const char *const columns[] = {"arm", "check", "box", NULL};
    (void)state;
    struct small small;
    struct cor_result *result = make_result(&small, "words");
    char *text = export(result, COR_TABLE_VIOLATIONS, &(struct cor_export){.columns = columns}), *at = text,
         word[1024];
    at += strlen("arm,check,box\n");
    for (uint32_t arm = 0; arm < 2; arm++) {
        for (uint64_t i = 0; i < 100; i++) {
            struct cor_violation_row row;
            OK(cor_result_read(result, COR_TABLE_VIOLATIONS, 100 * arm + i, 1, &row, &small.error));
            next_field(&at, word);
            assert_string_equal(word, arms[arm]);
            next_field(&at, word);
            if (cor_term_number(COR_FAMILY_CHECK, word) > 0)
                assert_int_equal(cor_term_number(COR_FAMILY_CHECK, word), row.check);
            else
                assert_same_number(word, &row.check, COR_TYPE_U8);
            next_field(&at, word);
            assert_int_equal(cor_term_number(COR_FAMILY_BOX, word), row.box);
            at++;
        }
    }
    free(text);
    small_close(&small, result);
}

/* Each line is one JSON object that a strict parser takes. */
static void each_line_of_json_is_an_object_that_parses(void **state) {
    (void)state;
    struct small small;
    struct cor_result *result = make_result(&small, "json_lines");
    char *text = export(result, COR_TABLE_VIOLATIONS, &(struct cor_export){.format = COR_EXPORT_JSON_LINES});
    size_t lines = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++) {
        struct cor_json_document *document;
        struct cor_json root, value;
        struct cor_violation_row row;
        double real;
        const char *name;
        OK(cor_json_parse(line, "line", &document, &small.error));
        root = cor_json_root(document);
        OK(cor_result_read(result, COR_TABLE_VIOLATIONS, lines, 1, &row, &small.error));
        OK(cor_json_need(&root, "arm", &value, &small.error));
        OK(cor_json_string(&value, &name, &small.error));
        assert_string_equal(name, arms[row.arm]);
        char expected[1024];
        OK(cor_json_need(&root, "sentence", &value, &small.error));
        OK(cor_json_string(&value, &name, &small.error));
        word_violation(&row, expected, sizeof expected);
        assert_string_equal(name, expected);
        OK(cor_json_need(&root, "expected", &value, &small.error));
        assert_int_equal(cor_json_is_number(&value), isfinite(row.expected) != 0);
        if (isfinite(row.expected)) {
            OK(cor_json_real(&value, -INFINITY, INFINITY, &real, &small.error));
            assert_true(real == row.expected);
        }
        cor_json_destroy(document);
    }
    assert_int_equal(lines, 200);
    free(text);
    text = export(result, COR_TABLE_SEQUENCES, &(struct cor_export){.format = COR_EXPORT_JSON_LINES});
    assert_non_null(strstr(text, "\"state_hash\":\"0xffffffffffffffff\"}"));
    free(text);
    small_close(&small, result);
}

/* Reals of 32 bits have the digits of these, minus zero stays a real, what is more than 2^63 - 1 a number. */
static void numbers_have_the_digits_of_their_type(void **state) {
    static const char *const real[] = {"dissimilarity", NULL}, *const count[] = {"spent", NULL};
    static const char *const exact[] = {"expected", "found", NULL};
    (void)state;
    struct small small;
    small_open(&small, "digits");
    cor_record_begin(small.record, 0, 0);
    ((struct cor_case_row *)small_row(&small, COR_TABLE_CASES))->dissimilarity = 0.1F;
    ((struct cor_reorganization_row *)small_row(&small, COR_TABLE_REORGANIZATIONS))->spent = UINT64_MAX;
    *(struct cor_violation_row *)small_row(&small, COR_TABLE_VIOLATIONS) =
        (struct cor_violation_row){.expected = -0.0, .found = 5};
    small_append(&small);
    struct cor_result *result = small_finish(&small, arms, 1);
    const struct {
        enum cor_table table;
        const char *const *columns;
        const char *csv, *json;
    } right[] = {
        {COR_TABLE_CASES, real, "dissimilarity\n0.1\n", "{\"dissimilarity\":0.1}\n"},
        {COR_TABLE_REORGANIZATIONS, count, "spent\n18446744073709551615\n",
         "{\"spent\":18446744073709551615}\n"},
        {COR_TABLE_VIOLATIONS, exact, "expected,found\n-0.0,5\n", "{\"expected\":-0.0,\"found\":5}\n"}};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        struct cor_export how = {.columns = right[i].columns};
        char *text = export(result, right[i].table, &how);
        assert_string_equal(text, right[i].csv);
        free(text);
        how.format = COR_EXPORT_JSON_LINES;
        text = export(result, right[i].table, &how);
        assert_string_equal(text, right[i].json);
        free(text);
    }
    small_close(&small, result);
}

/* The sentence alone, without the columns it is made of; other tables have none. */
static void a_sentence_needs_no_columns_it_is_made_of(void **state) {
    static const char *const columns[] = {"case", "sentence", NULL};
    (void)state;
    struct small small;
    struct cor_error error = COR_NO_ERROR;
    small_open(&small, "sentence");
    cor_record_begin(small.record, 0, 0);
    struct cor_violation_row *row = small_row(&small, COR_TABLE_VIOLATIONS);
    *row = (struct cor_violation_row){.case_ = 8,
                                      .box = COR_BOX_GRAY,
                                      .check = COR_CHECK_MISSING,
                                      .agent = 17,
                                      .partition = COR_NOBODY,
                                      .expected = 1};
    small_append(&small);
    struct cor_result *result = small_finish(&small, arms, 1);
    struct cor_export how = {.columns = columns};
    char *text = export(result, COR_TABLE_VIOLATIONS, &how);
    assert_string_equal(text, "case,sentence\n8,\"Agent 17 is in no partition, expected in exactly one.\"\n");
    free(text);
    how.format = COR_EXPORT_JSON_LINES;
    text = export(result, COR_TABLE_VIOLATIONS, &how);
    assert_string_equal(
        text, "{\"case\":8,\"sentence\":\"Agent 17 is in no partition, expected in exactly one.\"}\n");
    free(text);
    FILE *sink = fopen("/dev/null", "w");
    assert_int_equal(cor_export_table(result, COR_TABLE_CASES, &how, sink, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "table cases has no column \"sentence\"");
    fclose(sink);
    small_close(&small, result);
}

static void wrong_names_and_a_full_disk_are_told(void **state) {
    static const char *const typo[] = {"case", "blak", NULL}, *const none[] = {NULL};
    (void)state;
    struct small small;
    struct cor_result *result = make_result(&small, "errors");
    struct cor_error error = COR_NO_ERROR;
    struct cor_export_source source;
    OK(cor_export_find(&cor_interaction_schema, "reorganizations", &source, &error));
    assert_int_equal(source.kind, COR_EXPORT_OF_TABLE);
    assert_int_equal(source.number, COR_TABLE_REORGANIZATIONS);
    assert_int_equal(cor_export_find(&cor_interaction_schema, "sequence", &source, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "no table is called \"sequence\"");
    assert_non_null(strstr(error.remedy, "did you mean \"sequences\"?"));

    error = COR_NO_ERROR;
    FILE *sink = fopen("/dev/null", "w");
    assert_int_equal(
        cor_export_table(result, COR_TABLE_CASES, &(struct cor_export){.columns = typo}, sink, &error),
        COR_STATUS_INPUT);
    assert_string_equal(error.cause, "table cases has no column \"blak\"");
    assert_non_null(strstr(error.remedy, "did you mean \"black\"?"));
    error = COR_NO_ERROR;
    assert_int_equal(
        cor_export_table(result, COR_TABLE_CASES, &(struct cor_export){.columns = none}, sink, &error),
        COR_STATUS_INPUT);
    fclose(sink);

    error = COR_NO_ERROR;
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    assert_int_equal(cor_export_table(result, COR_TABLE_CASES, &(struct cor_export){0}, full, &error),
                     COR_STATUS_FILE);
    fclose(full);
    small_close(&small, result);
}

static void the_list_has_every_table_with_its_rows(void **state) {
    (void)state;
    struct small small;
    struct cor_result *result = make_result(&small, "list");
    char *text = NULL;
    size_t size, lines = 0;
    FILE *file = open_memstream(&text, &size);
    OK(cor_export_list(result, COR_EXPORT_CSV, file, &small.error));
    fclose(file);
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    assert_int_equal(lines, 1 + COR_TABLE_COUNT + COR_CATALOG_COUNT + COR_VECTOR_COUNT + 1);
    assert_non_null(strstr(text, "\ncases,18000,executed test cases\n"));
    assert_non_null(strstr(text, "\nagents,0,"));
    assert_non_null(strstr(text, "\ncatalog/arm,2,\"arms of the campaign: algorithm, fault and preset\"\n"));
    assert_non_null(strstr(text, "\nvectors/walk,0,"));
    assert_non_null(strstr(text, "\nhead,5,"));
    free(text);
    small_close(&small, result);
}

static enum cor_status hear_nothing(void *data, uint32_t count, const char *const *names,
                                    const struct cor_query_value *values, struct cor_error *error) {
    (void)data, (void)count, (void)names, (void)values, (void)error;
    return COR_OK;
}

static enum cor_status count_cases(struct cor_result *result, struct cor_error *error) {
    struct cor_query *query = NULL;
    enum cor_status status = cor_query_open(&result, (const char *const[]){"file"}, 1, &query, error);
    if (status == COR_OK)
        status = cor_query_ask(query, "SELECT count(*) FROM sequences JOIN cases USING (arm, suite)", NULL,
                               UINT64_MAX, hear_nothing, NULL, error);
    cor_query_close(query);
    return status;
}

/* Not that the question asks for too much. */
static void a_question_without_memory_says_so(void **state) {
    (void)state;
    struct small small;
    struct cor_result *result = make_result(&small, "memory");
    cor_allocations_begin(0, false);
    OK(count_cases(result, &small.error));
    const long count = cor_allocations_end();
    assert_true(count > 20);
    for (long k = 1; k <= count; k++) {
        struct cor_error error = COR_NO_ERROR;
        cor_allocations_begin(k, false);
        const enum cor_status status = count_cases(result, &error);
        cor_allocations_end();
        if (status != COR_OK && (status != COR_STATUS_MEMORY || strcmp(error.cause, "out of memory") != 0))
            fail_msg("allocation %ld of %ld: status %d, \"%s\"", k, count, (int)status, error.cause);
    }
    small_close(&small, result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(raw_csv_reads_back_as_the_rows_of_the_file),
        cmocka_unit_test(rows_beyond_a_buffer_come_in_columns_as_asked),
        cmocka_unit_test(codes_that_have_a_word_are_written_as_it),
        cmocka_unit_test(each_line_of_json_is_an_object_that_parses),
        cmocka_unit_test(numbers_have_the_digits_of_their_type),
        cmocka_unit_test(a_sentence_needs_no_columns_it_is_made_of),
        cmocka_unit_test(wrong_names_and_a_full_disk_are_told),
        cmocka_unit_test(the_list_has_every_table_with_its_rows),
        cmocka_unit_test(a_question_without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
