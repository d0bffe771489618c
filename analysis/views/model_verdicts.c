/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests on line as tests. */
#include "test_formats.h"
#include "tests.h"

#include <corridor/arms.h>
#include <corridor/cells.h>

static const struct cor_model_test_row *row_at(const void *with, size_t index) {
    return cor_model_row(with, COR_MODEL_TABLE_TESTS, index);
}

static struct cor__test test(const void *with, size_t index) {
    const struct cor_model_test_row *row = row_at(with, index);
    const struct cor_model_result *model = with;
    return (struct cor__test){cor_arm_entry(model->head, row->arm)->name,
                              row->verdict == COR_TEST_PASS      ? COR__TEST_PASSED
                              : row->verdict == COR_TEST_FAIL    ? COR__TEST_FAILED
                              : row->verdict == COR_TEST_TROUBLE ? COR__TEST_ERROR
                                                                 : COR__TEST_SKIPPED};
}

static void put_case(const void *with, size_t index, FILE *file) {
    static const char *const elements[] = {[COR__TEST_FAILED] = "      <failure",
                                           [COR__TEST_ERROR] = "      <error",
                                           [COR__TEST_SKIPPED] = "      <skipped"};
    const struct cor_model_test_row *row = row_at(with, index);
    const struct cor__test it = test(with, index);
    char text[4 * COR_MODEL_TEXT], number[COR_CELL];
    cor__put_attribute("classname", it.suite, file);
    cor_integer_text(row->suite, number);
    cor__put_attribute("name", number, file);
    fputs(">\n      <properties>\n", file);
    cor__put_property("verdict", cor_term_word(COR_FAMILY_TEST, row->verdict), file);
    cor_integer_text(row->moves, number);
    cor__put_property("moves", number, file);
    fputs("      </properties>\n", file);
    if (it.result == COR__TEST_PASSED)
        return;
    cor_model_test_text(with, row, text);
    fputs(elements[it.result], file);
    if (it.result != COR__TEST_SKIPPED)
        cor__put_attribute("type", cor_term_word(COR_FAMILY_TEST, row->verdict), file);
    cor__put_attribute("message", text, file);
    fputs("/>\n", file);
}

static void put_point(const void *with, size_t index, FILE *file) {
    const struct cor_model_test_row *row = row_at(with, index);
    const struct cor__test it = test(with, index);
    const bool skipped = it.result == COR__TEST_SKIPPED;
    char text[4 * COR_MODEL_TEXT];
    cor_model_test_text(with, row, text);
    cor__put_description(it.suite, file);
    fprintf(file, " test %u%s", row->suite, skipped ? " # SKIP " : "");
    if (skipped)
        cor__put_description(cor_term_word(COR_FAMILY_TEST, row->verdict), file);
    fputs("\n  ---\n", file);
    cor__put_scalar_text("  ", "verdict", cor_term_word(COR_FAMILY_TEST, row->verdict), file);
    fprintf(file, "  moves: %u\n", row->moves);
    cor__put_scalar_text("  ", "message", text, file);
    fputs("  ...\n", file);
}

static enum cor_status write_tests(struct cor_result *result, cor__write_list *write, FILE *file,
                                   struct cor_error *error) {
    struct cor_model_result model;
    COR_TRY(cor_model_result_init(result, &model, error));
    const struct cor__test_list list = {.with = &model,
                                        .tests = model.count[COR_MODEL_TABLE_TESTS],
                                        .test = test,
                                        .put_case = put_case,
                                        .put_point = put_point,
                                        .none = "the file has no tests"};
    enum cor_status status = write(&list, file, error);
    cor_model_result_fini(&model);
    return status;
}

static enum cor_status count(struct cor_result *result, struct cor_view_findings *findings,
                             struct cor_error *error) {
    struct cor_model_result model;
    COR_TRY(cor_model_result_init(result, &model, error));
    enum cor_status status = cor__count_tests(&model, findings, error);
    cor_model_result_fini(&model);
    return status;
}

static enum cor_status put_mutants(struct cor_result *result, struct cor_sheets *sheets,
                                   struct cor_error *error) {
    struct cor_model_result model;
    COR_TRY(cor_model_result_init(result, &model, error));
    enum cor_status status = cor__put_kills(&model, 0.95, sheets, error);
    cor_model_result_fini(&model);
    return status;
}

const struct cor__layer_verdicts cor__verdicts_of_models = {&cor_model_schema, count, write_tests,
                                                            put_mutants};
