/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of running systems as tests. */
#include "goals.h"
#include "summary.h"
#include "test_formats.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>

#include <inttypes.h>
#include <stdlib.h>

static const struct cor_system_test_row *row_at(const void *with, size_t index) {
    return cor_layer_row(with, COR_SYSTEM_TABLE_TESTS, index);
}

static struct views__test test(const void *with, size_t index) {
    const struct cor_system_test_row *row = row_at(with, index);
    const struct cor_layer_tables *system = with;
    return (struct views__test){cor_arm_entry(system->head, row->arm)->name,
                                row->verdict == COR_TEST_PASS      ? VIEWS__TEST_PASSED
                                : row->verdict == COR_TEST_FAIL    ? VIEWS__TEST_FAILED
                                : row->verdict == COR_TEST_TROUBLE ? VIEWS__TEST_ERROR
                                                                   : VIEWS__TEST_SKIPPED};
}

/* The reason of its verdict, for the caller to free; NULL when memory is out. */
static char *why(const struct cor_layer_tables *system, const struct cor_system_test_row *row) {
    if (row->why_bytes > 0)
        return cor_format("%.*s", COR_SYSTEM_SAID(system, row, why));
    const struct cor_term *term = cor_term(COR_FAMILY_TEST, row->verdict);
    return cor_strdup(row->verdict == COR_TEST_PASS ? "" : term->word);
}

static void put_case(const void *with, size_t index, FILE *file) {
    static const char *const elements[] = {[VIEWS__TEST_FAILED] = "      <failure",
                                           [VIEWS__TEST_ERROR] = "      <error",
                                           [VIEWS__TEST_SKIPPED] = "      <skipped"};
    const struct cor_system_test_row *row = row_at(with, index);
    const struct views__test it = test(with, index);
    char name[VIEWS__TEST_NAME], number[COR_CELL];
    views__put_attribute("classname", it.suite, file);
    views__system_test_name(with, row, name);
    views__put_attribute("name", name, file);
    fputs(">\n      <properties>\n", file);
    views__put_property("verdict", cor_term_word(COR_FAMILY_TEST, row->verdict), file);
    cor_integer_text(row->suite, number);
    views__put_property("suite", number, file);
    cor_integer_text(row->cycles, number);
    views__put_property("cycles", number, file);
    fputs("      </properties>\n", file);
    if (it.result == VIEWS__TEST_PASSED)
        return;
    char *text = why(with, row);
    fputs(elements[it.result], file);
    if (it.result != VIEWS__TEST_SKIPPED)
        views__put_attribute("type", cor_term_word(COR_FAMILY_TEST, row->verdict), file);
    views__put_attribute("message", text ? text : "", file);
    fputs("/>\n", file);
    free(text);
}

static void put_point(const void *with, size_t index, FILE *file) {
    const struct cor_system_test_row *row = row_at(with, index);
    const struct views__test it = test(with, index);
    char name[VIEWS__TEST_NAME], *text = why(with, row);
    views__put_description(it.suite, file);
    fputc(' ', file);
    views__system_test_name(with, row, name);
    views__put_description(name, file);
    if (it.result == VIEWS__TEST_SKIPPED) {
        fputs(" # SKIP ", file);
        views__put_description(cor_term_word(COR_FAMILY_TEST, row->verdict), file);
    }
    fputs("\n  ---\n", file);
    views__put_scalar_text("  ", "verdict", cor_term_word(COR_FAMILY_TEST, row->verdict), file);
    fprintf(file, "  suite: %" PRIu32 "\n  cycles: %" PRIu32 "\n", row->suite, row->cycles);
    views__put_scalar_text("  ", "message", text ? text : "", file);
    fputs("  ...\n", file);
    free(text);
}

static enum cor_status write_tests(struct cor_result *result, views__write_list *write, FILE *file,
                                   struct cor_error *error) {
    struct cor_layer_tables system;
    COR_TRY(cor_system_result_init(result, &system, error));
    const struct views__test_list list = {.with = &system,
                                          .tests = system.count[COR_SYSTEM_TABLE_TESTS],
                                          .test = test,
                                          .put_case = put_case,
                                          .put_point = put_point,
                                          .none = "the file has no tests"};
    enum cor_status status = write(&list, file, error);
    cor_layer_tables_fini(&system);
    return status;
}

static enum cor_status count(struct cor_result *result, struct cor_view_findings *findings,
                             struct cor_error *error) {
    struct cor_layer_tables system;
    struct views__system_arms arms = {0};
    COR_TRY(cor_system_result_init(result, &system, error));
    enum cor_status status = views__system_arms_init(&system, &arms, error);
    if (status == COR_OK)
        views__count_system(&arms, findings);
    views__system_arms_fini(&arms);
    cor_layer_tables_fini(&system);
    return status;
}

static enum cor_status put_mutants(struct cor_result *result, struct cor_sheets *sheets,
                                   struct cor_error *error) {
    struct cor_layer_tables system;
    struct views__system_arms arms = {0};
    COR_TRY(cor_system_result_init(result, &system, error));
    enum cor_status status = views__system_arms_init(&system, &arms, error);
    if (status == COR_OK)
        status = views__put_system_kills(&system, &arms, 0.95, sheets, error);
    views__system_arms_fini(&arms);
    cor_layer_tables_fini(&system);
    return status;
}

/* The first test of an arm that failed. */
static void lead_to_test(const struct cor_layer_tables *system, const struct views__system_arms *arms,
                         size_t arm, struct views__summary *summary) {
    const struct cor_system_test_row *row = views__system_test(system, arms, arm, COR_ANY_SUITE);
    if (!row || row->verdict != COR_TEST_FAIL)
        return;
    const char *name = cor_arm_entry(system->head, arm)->name;
    char test_name[VIEWS__TEST_NAME], *key = cor_format("%s/%" PRIu32, name, row->suite),
                                      *option = cor_format("--suite %" PRIu32, row->suite);
    views__system_test_name(system, row, test_name);
    if (row->why_bytes > 0)
        views__summary_say(summary, "example", COR_TONE_PLAIN, "%.60s: %.*s", test_name,
                           COR_SYSTEM_SAID(system, row, why));
    if (key && option) {
        views__summary_next(summary, "cycles", "show", "goals --arm", name, option);
        views__summary_next(summary, "places", "show", "places --arm", name, option);
        views__summary_next(summary, "repeat", "replay", "--failure", key, NULL);
    } else
        summary->status = COR_STATUS_MEMORY;
    free(option);
    free(key);
}

static enum cor_status sum(const struct cor_view_request *request, struct views__summary *summary,
                           struct cor_view_findings *findings, struct cor_error *error) {
    static const char *const words[] = {
        [VIEWS__SYSTEM_PASSES] = "passes",        [VIEWS__SYSTEM_FAILS] = "FAILS",
        [VIEWS__SYSTEM_TROUBLE] = "trouble",      [VIEWS__SYSTEM_NO_VERDICT] = "no verdict",
        [VIEWS__SYSTEM_KILLED] = "killed",        [VIEWS__SYSTEM_ALIVE] = "not killed",
        [VIEWS__SYSTEM_EQUIVALENT] = "equivalent"};
    struct cor_layer_tables system;
    struct views__system_arms arms = {0};
    enum cor_status status = COR_OK;
    COR_TRY(cor_system_result_init(request->result, &system, error));
    COR_TRY_OUT(views__system_arms_init(&system, &arms, error));
    summary->counted = "tests";
    for (size_t a = 0; a < arms.count; a++) {
        const struct views__system_arm *arm = &arms.items[a];
        const enum views__system_outcome outcome = views__system_outcome(arm);
        const struct views__summary_arm it = {.name = arm->entry->name,
                                              .verdict = words[outcome],
                                              .is_good = outcome == VIEWS__SYSTEM_PASSES ||
                                                         outcome == VIEWS__SYSTEM_KILLED ||
                                                         outcome == VIEWS__SYSTEM_EQUIVALENT,
                                              .is_found = outcome == VIEWS__SYSTEM_KILLED,
                                              .hits = arm->mutant ? arm->kills : arm->verdicts[COR_TEST_FAIL],
                                              .tries = arm->tests};
        summary->suites += arm->tests;
        summary->cases += arm->cycles;
        views__summary_arm(summary, &it);
    }
    if (views__summary_worst(summary) != SIZE_MAX)
        lead_to_test(&system, &arms, views__summary_worst(summary), summary);
    views__count_system(&arms, findings);
out:
    views__system_arms_fini(&arms);
    cor_layer_tables_fini(&system);
    return status;
}

const struct views__layer_verdicts views__verdicts_of_system = {&cor_system_schema, sum, count, write_tests,
                                                                put_mutants};
