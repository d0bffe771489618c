/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests of an arm of a running system amount to, and what became of its mutant. */
#include "goals.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/json.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t views__system_codes(const struct cor_layer_tables *system, enum cor_system_catalog catalog) {
    size_t codes = 0;
    for (size_t c = 0; c < system->head->catalog_size[catalog]; c++) {
        const uint16_t code = system->head->catalog[catalog][c].code;
        codes = code >= codes ? (size_t)code + 1 : codes;
    }
    return codes;
}

struct views__system_range views__system_rows(const struct cor_layer_tables *system,
                                              enum cor_system_table table, size_t arm) {
    uint64_t ignored;
    struct views__system_range range = {
        .first = cor_layer_rows_of(system, (uint32_t)table, (uint16_t)arm, 0, &ignored),
        .end = system->count[table]};
    if (arm < UINT16_MAX)
        range.end = cor_layer_rows_of(system, (uint32_t)table, (uint16_t)(arm + 1), 0, &ignored);
    return range;
}

/* A policy is a word, or an object: known by the first of its keys. */
static enum cor_status find_policy(const char *description, char **policy, struct cor_error *error) {
    struct cor_json_document *document = NULL;
    struct cor_json member;
    COR_TRY(cor_text_under(description, "policy", policy, error));
    if (*policy || cor_json_parse(description, "arm", &document, NULL) != COR_OK)
        return COR_OK;
    const struct cor_json root = cor_json_root(document);
    enum cor_status status = COR_OK;
    if (cor_json_find(&root, "policy", &member) && cor_json_is_object(&member) &&
        cor_json_size(&member) > 0) {
        *policy = cor_strdup(cor_json_at(&member, 0).key);
        status = cor_made(*policy, error);
    }
    cor_json_destroy(document);
    return status;
}

static bool is_same(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static enum cor_status describe(const struct cor_layer_tables *system, struct views__system_arms *arms,
                                struct cor_error *error) {
    const size_t codes = views__system_codes(system, COR_SYSTEM_CATALOG_TEST);
    for (size_t a = 0; a < arms->count; a++) {
        struct views__system_arm *arm = &arms->items[a];
        char *equivalent;
        arm->entry = cor_arm_entry(system->head, a);
        arm->original = SIZE_MAX;
        COR_TRY(cor_text_under(arm->entry->description, "mutant", &arm->mutant, error));
        COR_TRY(find_policy(arm->entry->description, &arm->policy, error));
        COR_TRY(cor_text_under(arm->entry->description, "equivalent", &equivalent, error));
        arm->is_equivalent = equivalent != NULL;
        free(equivalent);
        if (!arm->mutant)
            COR_TRY(cor_made(arm->fails = cor_calloc(codes, sizeof *arm->fails), error));
    }
    for (size_t a = 0; a < arms->count; a++)
        for (size_t b = 0; b < arms->count && arms->items[a].mutant; b++)
            if (!arms->items[b].mutant && is_same(arms->items[a].policy, arms->items[b].policy)) {
                arms->items[a].original = b;
                break;
            }
    return COR_OK;
}

bool views__system_kills(const struct views__system_arms *arms, const struct cor_system_test_row *test) {
    const struct views__system_arm *arm = &arms->items[test->arm];
    return arm->mutant && test->verdict == COR_TEST_FAIL &&
           (arm->original == SIZE_MAX || !arms->items[arm->original].fails[test->test]);
}

enum cor_status views__system_arms_init(const struct cor_layer_tables *system,
                                        struct views__system_arms *arms, struct cor_error *error) {
    enum cor_status status = COR_OK;
    *arms = (struct views__system_arms){.count = cor_arm_count(system->head)};
    arms->items = cor_calloc(arms->count, sizeof *arms->items);
    COR_TRY_OUT(cor_made(arms->items, error));
    COR_TRY_OUT(describe(system, arms, error));
    for (uint64_t i = 0; i < system->count[COR_SYSTEM_TABLE_TESTS]; i++) {
        const struct cor_system_test_row *row = cor_layer_row(system, COR_SYSTEM_TABLE_TESTS, i);
        struct views__system_arm *arm = &arms->items[row->arm];
        arm->tests++;
        arm->verdicts[row->verdict]++;
        arm->cycles += row->cycles;
        arm->entities += row->entities;
        arm->cells += row->cells;
        if (arm->fails && row->verdict == COR_TEST_FAIL)
            arm->fails[row->test] = true;
    }
    for (uint64_t i = 0; i < system->count[COR_SYSTEM_TABLE_TESTS]; i++) {
        const struct cor_system_test_row *row = cor_layer_row(system, COR_SYSTEM_TABLE_TESTS, i);
        arms->items[row->arm].kills += views__system_kills(arms, row);
    }
out:
    if (status != COR_OK)
        views__system_arms_fini(arms);
    return status;
}

void views__system_arms_fini(struct views__system_arms *arms) {
    for (size_t a = 0; a < arms->count && arms->items; a++) {
        free(arms->items[a].mutant);
        free(arms->items[a].policy);
        free(arms->items[a].fails);
    }
    free(arms->items);
    *arms = (struct views__system_arms){0};
}

enum views__system_outcome views__system_outcome(const struct views__system_arm *arm) {
    const uint64_t passed = arm->verdicts[COR_TEST_PASS], failed = arm->verdicts[COR_TEST_FAIL];
    if (arm->mutant && arm->kills > 0)
        return VIEWS__SYSTEM_KILLED;
    if (arm->mutant && arm->is_equivalent)
        return VIEWS__SYSTEM_EQUIVALENT;
    if (arm->mutant && passed > 0)
        return VIEWS__SYSTEM_ALIVE;
    if (!arm->mutant && failed > 0)
        return VIEWS__SYSTEM_FAILS;
    if (arm->verdicts[COR_TEST_TROUBLE] > 0)
        return VIEWS__SYSTEM_TROUBLE;
    return arm->tests > 0 && passed == arm->tests ? VIEWS__SYSTEM_PASSES : VIEWS__SYSTEM_NO_VERDICT;
}

void views__count_system(const struct views__system_arms *arms, struct cor_view_findings *found) {
    for (size_t a = 0; a < arms->count; a++) {
        const struct views__system_arm *arm = &arms->items[a];
        const uint64_t failed = arm->verdicts[COR_TEST_FAIL];
        found->undetected += arm->mutant && arm->kills == 0 && !arm->is_equivalent;
        found->unexpected += !arm->mutant && failed > 0;
        found->failed += failed;
        found->undecided += arm->tests - arm->verdicts[COR_TEST_PASS] - failed;
    }
}

/* How much one wants to look at a test. */
static int interest(const struct views__system_arms *arms, const struct cor_system_test_row *test) {
    return test->verdict == COR_TEST_FAIL      ? arms->items[test->arm].mutant ? 3 : 4
           : test->verdict == COR_TEST_TROUBLE ? 2
           : test->verdict != COR_TEST_PASS    ? 1
                                               : 0;
}

const struct cor_system_test_row *views__system_test(const struct cor_layer_tables *system,
                                                     const struct views__system_arms *arms, size_t arm,
                                                     uint32_t suite) {
    const struct cor_system_test_row *test = NULL;
    for (uint64_t i = 0; i < system->count[COR_SYSTEM_TABLE_TESTS]; i++) {
        const struct cor_system_test_row *row = cor_layer_row(system, COR_SYSTEM_TABLE_TESTS, i);
        if ((arm == SIZE_MAX || row->arm == arm) && (suite == COR_ANY_SUITE || row->suite == suite) &&
            (!test || interest(arms, row) > interest(arms, test)))
            test = row;
    }
    return test;
}

void views__system_test_name(const struct cor_layer_tables *system, const struct cor_system_test_row *test,
                             char name[VIEWS__TEST_NAME]) {
    const int length = snprintf(name, VIEWS__TEST_NAME, "%.250s",
                                cor_system_name(system, COR_SYSTEM_CATALOG_TEST, test->test));
    if (test->run > 0)
        snprintf(name + length, VIEWS__TEST_NAME - (size_t)length, " #%" PRIu32, test->run + 1);
}

enum cor_status views__show_system(const struct cor_view_request *request, views__fill_system *fill,
                                   struct cor_sheets *sheets, struct cor_view_findings *found,
                                   struct cor_error *error) {
    struct cor_layer_tables system;
    struct views__system_arms arms = {0};
    size_t arm = SIZE_MAX;
    enum cor_status status = COR_OK;
    if (request->arm)
        COR_TRY(cor_arm_find(cor_result_head(request->result), "--arm", request->arm, &arm, error));
    COR_TRY(cor_system_result_init(request->result, &system, error));
    if (request->suite != COR_ANY_SUITE)
        COR_TRY_OUT(cor_layer_suite_find(&system, COR_SYSTEM_TABLE_TESTS, arm, request->suite, error));
    COR_TRY_OUT(views__system_arms_init(&system, &arms, error));
    COR_TRY_OUT(fill(request, &system, &arms, arm, sheets, error));
    views__count_system(&arms, found);
out:
    views__system_arms_fini(&arms);
    cor_layer_tables_fini(&system);
    return status;
}
