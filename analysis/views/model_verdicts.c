/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/model_verdicts.h>

#include "test_formats.h"
#include "tests.h"

#include <corridor/arms.h>
#include <corridor/cells.h>

#include <inttypes.h>

static bool is_failure(const struct cor_model_test_row *row) {
    return row->verdict == COR_TEST_FAIL;
}

static bool is_error(const struct cor_model_test_row *row) {
    return row->verdict == COR_TEST_TROUBLE;
}

static bool is_skipped(const struct cor_model_test_row *row) {
    return row->verdict != COR_TEST_PASS && !is_failure(row) && !is_error(row);
}

static const struct cor_model_test_row *test_at(const struct cor_model_result *model, uint64_t index) {
    return cor_model_row(model, COR_MODEL_TABLE_TESTS, index);
}

static void put_counts(const struct cor_model_result *model, size_t arm, FILE *file) {
    uint64_t tests = 0, failures = 0, errors = 0, skipped = 0;
    for (uint64_t i = 0; i < model->count[COR_MODEL_TABLE_TESTS]; i++) {
        const struct cor_model_test_row *row = test_at(model, i);
        if (arm != SIZE_MAX && row->arm != arm)
            continue;
        tests++;
        failures += is_failure(row);
        errors += is_error(row);
        skipped += is_skipped(row);
    }
    fprintf(file,
            " tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" errors=\"%" PRIu64 "\" skipped=\"%" PRIu64 "\"",
            tests, failures, errors, skipped);
}

static void put_case(const struct cor_model_result *model, const struct cor_model_test_row *row, FILE *file) {
    char text[4 * COR_MODEL_TEXT], number[COR_CELL];
    fputs("    <testcase", file);
    cor__put_attribute("classname", cor_arm_entry(model->head, row->arm)->name, file);
    cor_integer_text(row->suite, number);
    cor__put_attribute("name", number, file);
    fputs(">\n      <properties>\n", file);
    cor__put_property("verdict", cor_term_word(COR_FAMILY_TEST, row->verdict), file);
    cor_integer_text(row->moves, number);
    cor__put_property("moves", number, file);
    fputs("      </properties>\n", file);
    cor_model_test_text(model, row, text);
    if (row->verdict != COR_TEST_PASS) {
        fputs(is_failure(row) ? "      <failure" : is_error(row) ? "      <error" : "      <skipped", file);
        if (!is_skipped(row))
            cor__put_attribute("type", cor_term_word(COR_FAMILY_TEST, row->verdict), file);
        cor__put_attribute("message", text, file);
        fputs("/>\n", file);
    }
    fputs("    </testcase>\n", file);
}

static void write_junit(const struct cor_model_result *model, FILE *file) {
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"corridor\"", file);
    put_counts(model, SIZE_MAX, file);
    fputs(">\n", file);
    for (size_t a = 0; a < cor_arm_count(model->head); a++) {
        fputs("  <testsuite", file);
        cor__put_attribute("name", cor_arm_entry(model->head, a)->name, file);
        put_counts(model, a, file);
        fputs(">\n", file);
        for (uint64_t i = 0; i < model->count[COR_MODEL_TABLE_TESTS]; i++)
            if (test_at(model, i)->arm == a)
                put_case(model, test_at(model, i), file);
        fputs("  </testsuite>\n", file);
    }
    fputs("</testsuites>\n", file);
}

static void write_tap(const struct cor_model_result *model, FILE *file) {
    const uint64_t count = model->count[COR_MODEL_TABLE_TESTS];
    fprintf(file, "TAP version 13\n1..%" PRIu64 "%s\n", count,
            count == 0 ? " # SKIP the file has no tests" : "");
    for (uint64_t i = 0; i < count; i++) {
        const struct cor_model_test_row *row = test_at(model, i);
        char text[4 * COR_MODEL_TEXT];
        cor_model_test_text(model, row, text);
        fprintf(file, "%s %" PRIu64 " - ", is_failure(row) || is_error(row) ? "not ok" : "ok", i + 1);
        cor__put_description(cor_arm_entry(model->head, row->arm)->name, file);
        fprintf(file, " test %u%s", row->suite, is_skipped(row) ? " # SKIP " : "");
        if (is_skipped(row))
            cor__put_description(cor_term_word(COR_FAMILY_TEST, row->verdict), file);
        fputs("\n  ---\n", file);
        cor__put_scalar_text("  ", "verdict", cor_term_word(COR_FAMILY_TEST, row->verdict), file);
        fprintf(file, "  moves: %u\n", row->moves);
        cor__put_scalar_text("  ", "message", text, file);
        fputs("  ...\n", file);
    }
}

static enum cor_status write_tests(struct cor_result *result, FILE *file,
                                   void (*write)(const struct cor_model_result *, FILE *),
                                   struct cor_error *error) {
    struct cor_model_result model;
    COR_TRY(cor_model_result_init(result, &model, error));
    write(&model, file);
    cor_model_result_fini(&model);
    return cor_stream_status(file, error);
}

enum cor_status cor_model_junit(struct cor_result *result, FILE *file, struct cor_error *error) {
    return write_tests(result, file, write_junit, error);
}

enum cor_status cor_model_tap(struct cor_result *result, FILE *file, struct cor_error *error) {
    return write_tests(result, file, write_tap, error);
}

enum cor_status cor_model_verdicts(struct cor_result *result, struct cor_view_findings *verdicts,
                                   struct cor_error *error) {
    struct cor_model_result model;
    COR_TRY(cor_model_result_init(result, &model, error));
    *verdicts = (struct cor_view_findings){0};
    cor__count_tests(&model, verdicts);
    cor_model_result_fini(&model);
    return COR_OK;
}

enum cor_status cor_kill_sheets(struct cor_result *result, struct cor_sheets *sheets,
                                struct cor_error *error) {
    struct cor_model_result model;
    COR_TRY(cor_model_result_init(result, &model, error));
    enum cor_status status = cor__put_kills(&model, 0.95, sheets, error);
    cor_model_result_fini(&model);
    return status;
}
