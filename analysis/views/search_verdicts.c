/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Searches as tests: one of an arm with a fault passes if it found a failure, one of an arm without passes if
 * it found none. */
#include "searches.h"
#include "summary.h"
#include "test_formats.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/search_result.h>

#include <inttypes.h>
#include <stdlib.h>

struct searches {
    struct cor_layer_tables search;
    bool *has_fault; /* owned; [target] */
};

static void fini(struct searches *searches) {
    cor_layer_tables_fini(&searches->search);
    free(searches->has_fault);
}

static enum cor_status init(struct cor_result *result, struct searches *searches, struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(result);
    const size_t targets = head->catalog_size[COR_SEARCH_CATALOG_TARGET];
    enum cor_status status = COR_OK;
    *searches = (struct searches){.has_fault = cor_calloc(targets, sizeof(bool))};
    COR_TRY(cor_made(searches->has_fault, error));
    COR_TRY_OUT(cor_search_result_init(result, &searches->search, error));
    for (size_t t = 0; t < targets; t++)
        COR_TRY_OUT(
            cor_arm_has_fault(&head->catalog[COR_SEARCH_CATALOG_TARGET][t], &searches->has_fault[t], error));
out:
    if (status != COR_OK)
        fini(searches);
    return status;
}

static const struct cor_search_island_row *row_at(const void *with, size_t index) {
    return cor_layer_row(&((const struct searches *)with)->search, COR_SEARCH_TABLE_ISLANDS, index);
}

static struct views__test test(const void *with, size_t index) {
    const struct searches *searches = with;
    const struct cor_search_island_row *row = row_at(with, index);
    const size_t arm = cor_arm_of_code(searches->search.head, row->arm);
    const bool found = row->first > 0;
    return (struct views__test){cor_arm_entry(searches->search.head, arm)->name,
                                found == searches->has_fault[row->target] ? VIEWS__TEST_PASSED
                                                                          : VIEWS__TEST_FAILED};
}

static void say(const struct cor_search_island_row *row, char text[160]) {
    if (row->first > 0)
        snprintf(text, 160, "a failure after %" PRIu64 " test cases, %" PRIu32 " classes in %" PRIu64,
                 row->first, row->classes, row->cases);
    else
        snprintf(text, 160, "no failure in %" PRIu64 " test cases of %" PRIu32 " tests", row->cases,
                 row->tests);
}

static void put_case(const void *with, size_t index, FILE *file) {
    const struct cor_search_island_row *row = row_at(with, index);
    const struct views__test it = test(with, index);
    char text[160], number[16];
    snprintf(number, sizeof number, "%" PRIu32, row->suite);
    say(row, text);
    views__put_attribute("classname", it.suite, file);
    views__put_attribute("name", number, file);
    fputs(">\n      <properties>\n", file);
    views__put_property("found", row->first > 0 ? "yes" : "no", file);
    fputs("      </properties>\n", file);
    if (it.result != VIEWS__TEST_FAILED)
        return;
    fputs("      <failure", file);
    views__put_attribute("message", text, file);
    fputs("/>\n", file);
}

static void put_point(const void *with, size_t index, FILE *file) {
    const struct cor_search_island_row *row = row_at(with, index);
    char text[160];
    say(row, text);
    views__put_description(test(with, index).suite, file);
    fprintf(file, " island %" PRIu32 "\n  ---\n", row->suite);
    views__put_scalar_text("  ", "message", text, file);
    fputs("  ...\n", file);
}

static enum cor_status write_searches(struct cor_result *result, views__write_list *write, FILE *file,
                                      struct cor_error *error) {
    struct searches searches;
    COR_TRY(init(result, &searches, error));
    const struct views__test_list list = {.with = &searches,
                                          .tests = searches.search.count[COR_SEARCH_TABLE_ISLANDS],
                                          .test = test,
                                          .put_case = put_case,
                                          .put_point = put_point,
                                          .none = "the file has no searches"};
    const enum cor_status status = write(&list, file, error);
    fini(&searches);
    return status;
}

/* Arms of which a search passed where it should not, or did not where it should. */
static enum cor_status count(struct cor_result *result, struct cor_view_findings *findings,
                             struct cor_error *error) {
    struct searches searches;
    COR_TRY(init(result, &searches, error));
    const uint64_t islands = searches.search.count[COR_SEARCH_TABLE_ISLANDS];
    for (uint64_t i = 0; i < islands;) {
        const struct cor_search_island_row *first = row_at(&searches, i);
        bool found = false;
        for (; i < islands && row_at(&searches, i)->arm == first->arm; i++)
            found = found || row_at(&searches, i)->first > 0;
        findings->undetected += searches.has_fault[first->target] && !found;
        findings->unexpected += !searches.has_fault[first->target] && found;
    }
    fini(&searches);
    return COR_OK;
}

/* The test of a finding, of the arm of that index. */
static void lead_to_finding(const struct cor_layer_tables *search, size_t arm,
                            struct views__summary *summary) {
    for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_FINDINGS]; i++) {
        const struct cor_search_finding_row *row = cor_layer_row(search, COR_SEARCH_TABLE_FINDINGS, i);
        if (cor_arm_of_code(search->head, row->arm) != arm)
            continue;
        char *key = cor_format("%s/%" PRIu32 "/%" PRIu32, views__search_arm_name(search, row->arm),
                               row->suite, row->test);
        if (key)
            views__summary_next(summary, "test", "show", "searches --test", key, "> test.json");
        else
            summary->status = COR_STATUS_MEMORY;
        free(key);
        return;
    }
}

static enum cor_status sum(const struct cor_view_request *request, struct views__summary *summary,
                           struct cor_view_findings *findings, struct cor_error *error) {
    struct searches searches;
    COR_TRY(init(request->result, &searches, error));
    summary->counted = "searches";
    const struct cor_layer_tables *search = &searches.search;
    for (size_t a = 0; a < cor_arm_count(search->head); a++) {
        struct views__summary_arm it = {.name = cor_arm_entry(search->head, a)->name};
        bool has_fault = false;
        for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_ISLANDS]; i++) {
            const struct cor_search_island_row *row = row_at(&searches, i);
            if (cor_arm_of_code(search->head, row->arm) != a)
                continue;
            has_fault = searches.has_fault[row->target];
            it.tries++;
            it.hits += row->first > 0;
            summary->cases += row->cases;
        }
        it.is_found = has_fault && it.hits > 0;
        it.is_good = it.tries > 0 && has_fault == it.is_found && (has_fault || it.hits == 0);
        it.verdict = it.tries == 0 ? "no searches"
                     : has_fault   ? it.hits > 0 ? "found" : "not found"
                     : it.hits > 0 ? "FAILS"
                                   : "passes";
        summary->suites += it.tries;
        views__summary_arm(summary, &it);
    }
    if (views__summary_worst(summary) != SIZE_MAX)
        lead_to_finding(&searches.search, views__summary_worst(summary), summary);
    fini(&searches);
    return count(request->result, findings, error);
}

const struct views__layer_verdicts views__verdicts_of_search = {&cor_search_schema, sum, count,
                                                                write_searches, NULL};
