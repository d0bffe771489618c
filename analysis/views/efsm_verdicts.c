/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests on line as tests. */
#include "summary.h"
#include "test_formats.h"
#include "tests.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>

#include <inttypes.h>
#include <stdlib.h>

static const struct cor_efsm_test_row *row_at(const void *with, size_t index) {
    return cor_layer_row(with, COR_EFSM_TABLE_TESTS, index);
}

static struct views__test test(const void *with, size_t index) {
    const struct cor_efsm_test_row *row = row_at(with, index);
    const struct cor_layer_tables *model = with;
    return (struct views__test){cor_arm_entry(model->head, row->arm)->name,
                                row->verdict == COR_TEST_PASS      ? VIEWS__TEST_PASSED
                                : row->verdict == COR_TEST_FAIL    ? VIEWS__TEST_FAILED
                                : row->verdict == COR_TEST_TROUBLE ? VIEWS__TEST_ERROR
                                                                   : VIEWS__TEST_SKIPPED};
}

static void put_case(const void *with, size_t index, FILE *file) {
    static const char *const elements[] = {[VIEWS__TEST_FAILED] = "      <failure",
                                           [VIEWS__TEST_ERROR] = "      <error",
                                           [VIEWS__TEST_SKIPPED] = "      <skipped"};
    const struct cor_efsm_test_row *row = row_at(with, index);
    const struct views__test it = test(with, index);
    char text[4 * COR_EFSM_TEXT], number[COR_CELL];
    views__put_attribute("classname", it.suite, file);
    cor_integer_text(row->suite, number);
    views__put_attribute("name", number, file);
    fputs(">\n      <properties>\n", file);
    views__put_property("verdict", cor_term_word(COR_FAMILY_TEST, row->verdict), file);
    cor_integer_text(row->moves, number);
    views__put_property("moves", number, file);
    fputs("      </properties>\n", file);
    if (it.result == VIEWS__TEST_PASSED)
        return;
    cor_efsm_test_text(with, row, text);
    fputs(elements[it.result], file);
    if (it.result != VIEWS__TEST_SKIPPED)
        views__put_attribute("type", cor_term_word(COR_FAMILY_TEST, row->verdict), file);
    views__put_attribute("message", text, file);
    fputs("/>\n", file);
}

static void put_point(const void *with, size_t index, FILE *file) {
    const struct cor_efsm_test_row *row = row_at(with, index);
    const struct views__test it = test(with, index);
    const bool skipped = it.result == VIEWS__TEST_SKIPPED;
    char text[4 * COR_EFSM_TEXT];
    cor_efsm_test_text(with, row, text);
    views__put_description(it.suite, file);
    fprintf(file, " test %u%s", row->suite, skipped ? " # SKIP " : "");
    if (skipped)
        views__put_description(cor_term_word(COR_FAMILY_TEST, row->verdict), file);
    fputs("\n  ---\n", file);
    views__put_scalar_text("  ", "verdict", cor_term_word(COR_FAMILY_TEST, row->verdict), file);
    fprintf(file, "  moves: %u\n", row->moves);
    views__put_scalar_text("  ", "message", text, file);
    fputs("  ...\n", file);
}

static enum cor_status write_tests(struct cor_result *result, views__write_list *write, FILE *file,
                                   struct cor_error *error) {
    struct cor_layer_tables model;
    COR_TRY(cor_efsm_result_init(result, &model, error));
    const struct views__test_list list = {.with = &model,
                                          .tests = model.count[COR_EFSM_TABLE_TESTS],
                                          .test = test,
                                          .put_case = put_case,
                                          .put_point = put_point,
                                          .none = "the file has no tests"};
    enum cor_status status = write(&list, file, error);
    cor_layer_tables_fini(&model);
    return status;
}

static enum cor_status count(struct cor_result *result, struct cor_view_findings *findings,
                             struct cor_error *error) {
    struct cor_layer_tables model;
    COR_TRY(cor_efsm_result_init(result, &model, error));
    enum cor_status status = views__count_tests(&model, findings, error);
    cor_layer_tables_fini(&model);
    return status;
}

static enum cor_status put_mutants(struct cor_result *result, struct cor_sheets *sheets,
                                   struct cor_error *error) {
    struct cor_layer_tables model;
    COR_TRY(cor_efsm_result_init(result, &model, error));
    enum cor_status status = views__put_kills(&model, 0.95, sheets, error);
    cor_layer_tables_fini(&model);
    return status;
}

/* The first test of an arm that failed. */
static void lead_to_test(const struct cor_layer_tables *model, size_t arm, struct views__summary *summary) {
    const char *name = cor_arm_entry(model->head, arm)->name;
    uint64_t i = 0;
    while (i < model->count[COR_EFSM_TABLE_TESTS] &&
           (row_at(model, i)->arm != arm || row_at(model, i)->verdict != COR_TEST_FAIL))
        i++;
    if (i == model->count[COR_EFSM_TABLE_TESTS])
        return;
    char *key = cor_format("%s/%" PRIu32, name, row_at(model, i)->suite),
         *test = cor_format("--suite %" PRIu32, row_at(model, i)->suite);
    if (key && test) {
        views__summary_next(summary, "moves", "show", "tests --arm", name, test);
        views__summary_next(summary, "repeat", "replay", "--failure", key, NULL);
    } else
        summary->status = COR_STATUS_MEMORY;
    free(test);
    free(key);
}

static enum cor_status sum(const struct cor_view_request *request, struct views__summary *summary,
                           struct cor_view_findings *findings, struct cor_error *error) {
    struct cor_layer_tables model;
    enum cor_status status = COR_OK;
    COR_TRY(cor_efsm_result_init(request->result, &model, error));
    summary->counted = "tests";
    for (size_t a = 0; a < cor_arm_count(model.head); a++) {
        const uint16_t arm = (uint16_t)a;
        const struct views__tests_arm tests = views__tests_arm(&model, arm);
        const uint64_t failed = tests.verdicts[COR_TEST_FAIL], trouble = tests.verdicts[COR_TEST_TROUBLE];
        char *mutant;
        COR_TRY_OUT(cor_text_under(cor_arm_entry(model.head, arm)->description, "mutant", &mutant, error));
        struct views__summary_arm it = {
            .name = cor_arm_entry(model.head, arm)->name, .hits = failed, .tries = tests.tests};
        it.is_found = mutant && failed > 0;
        it.verdict = it.is_found                         ? "killed"
                     : failed > 0                        ? "FAILS"
                     : trouble > 0                       ? "trouble"
                     : mutant                            ? "not killed"
                     : tests.verdicts[COR_TEST_PASS] > 0 ? "passes"
                                                         : "no verdict";
        it.is_good = it.is_found || (!mutant && failed + trouble == 0 && tests.verdicts[COR_TEST_PASS] > 0);
        free(mutant);
        summary->suites += tests.tests;
        views__summary_arm(summary, &it);
    }
    if (views__summary_worst(summary) != SIZE_MAX)
        lead_to_test(&model, views__summary_worst(summary), summary);
    status = views__count_tests(&model, findings, error);
out:
    cor_layer_tables_fini(&model);
    return status;
}

const struct views__layer_verdicts views__verdicts_of_efsm = {&cor_efsm_schema, sum, count, write_tests,
                                                              put_mutants};
