/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scan.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/estimation_result.h>
#include <corridor/search_result.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool fits(const struct cor_layer_tables *search, enum cor_search_vector vector, uint64_t start,
                 uint32_t size) {
    const uint64_t all = cor_result_vector_size(search->result, vector);
    return start <= all && size <= all - start;
}

/* Stages of splitting are of all tests of their island. */
static bool stages_agree(const struct cor_layer_tables *search, const struct cor_search_island_row *island) {
    uint64_t count, tests = 0;
    const uint64_t first =
        cor_layer_rows_of(search, COR_SEARCH_TABLE_STAGES, island->arm, island->suite, &count);
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_search_stage_row *row = cor_layer_row(search, COR_SEARCH_TABLE_STAGES, i);
        tests += row->tests;
        if (row->stage != i - first || row->rose > row->tests || row->lowest > row->highest)
            return false;
    }
    return count == 0 || tests == island->tests;
}

enum cor_status cor_search_result_init(struct cor_result *result, struct cor_layer_tables *search,
                                       struct cor_error *error) {
    enum cor_status status = COR_OK;
    COR_TRY(cor_layer_tables_init(result, COR_ALL_TABLES, 0, search, error));
    bool fit = true;
    for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_FINDINGS]; i++) {
        const struct cor_search_finding_row *row = cor_layer_row(search, COR_SEARCH_TABLE_FINDINGS, i);
        fit = fit && fits(search, COR_SEARCH_VECTOR_TEXT, row->text_start, row->text);
    }
    for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_CORPUS]; i++) {
        const struct cor_search_corpus_row *row = cor_layer_row(search, COR_SEARCH_TABLE_CORPUS, i);
        fit = fit && fits(search, COR_SEARCH_VECTOR_TEXT, row->text_start, row->text) &&
              fits(search, COR_SEARCH_VECTOR_FEATURE, row->feature_start, row->features);
    }
    for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_REGIONS]; i++) {
        const struct cor_search_region_row *row = cor_layer_row(search, COR_SEARCH_TABLE_REGIONS, i);
        /* Of so many suites, or draws, so many met the target, or lie within the region. */
        const struct {
            const char *part, *whole;
            uint32_t counted, of;
        } counts[] = {{"hits", "suites", row->hits, row->suites},
                      {"inside", "suites", row->inside, row->suites},
                      {"inside_hits", "inside", row->inside_hits, row->inside},
                      {"fresh_hits", "fresh", row->fresh_hits, row->fresh},
                      {"law_hits", "law", row->law_hits, row->law},
                      {"support_inside", "support", row->support_inside, row->support}};
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
            if (counts[k].counted > counts[k].of)
                COR_TRY_OUT(read__foreign(error, "regions",
                                          "row %" PRIu64 ": %s is %" PRIu32 ", more than %s, %" PRIu32, i,
                                          counts[k].part, counts[k].counted, counts[k].whole, counts[k].of));
        fit = fit && fits(search, COR_SEARCH_VECTOR_TEXT, row->text_start, row->text);
    }
    if (!fit)
        COR_TRY_OUT(read__unlike("vectors", "a row names text or features that there are not", error));
    for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_ISLANDS]; i++) {
        /* An island's row says what its tests and findings say. */
        const struct cor_search_island_row *island = cor_layer_row(search, COR_SEARCH_TABLE_ISLANDS, i);
        uint64_t tests, findings, first = 0, failing = 0;
        const uint64_t test =
            cor_layer_rows_of(search, COR_SEARCH_TABLE_TESTS, island->arm, island->suite, &tests);
        cor_layer_rows_of(search, COR_SEARCH_TABLE_FINDINGS, island->arm, island->suite, &findings);
        for (uint64_t k = test; k < test + tests; k++) {
            const struct cor_search_test_row *row = cor_layer_row(search, COR_SEARCH_TABLE_TESTS, k);
            failing += row->case_ > 0;
            if (first == 0 && row->case_ > 0)
                first = row->total - row->cases + row->case_;
        }
        /* Of many tests some have a row, the first failing one among them. */
        const bool whole = island->tests <= COR_SEARCH_TESTS_WHOLE;
        if (!stages_agree(search, island) ||
            (whole ? tests != island->tests : tests > island->tests || tests < COR_SEARCH_TESTS_WHOLE) ||
            (whole ? failing != island->failing : failing > island->failing) || findings != island->classes ||
            first != island->first || island->cases > island->budget ||
            island->generator >= search->head->catalog_size[COR_SEARCH_CATALOG_GENERATOR] ||
            island->target >= search->head->catalog_size[COR_SEARCH_CATALOG_TARGET])
            COR_TRY_OUT(read__foreign(
                error, "islands", "arm %u, suite %" PRIu32 ": its row and its tests contradict each other",
                island->arm, island->suite));
    }
out:
    if (status != COR_OK)
        cor_layer_tables_fini(search);
    return status;
}

enum cor_status cor_search_text(const struct cor_layer_tables *search, uint64_t start, uint32_t size,
                                char **text, struct cor_error *error) {
    COR_TRY(cor_made(*text = cor_calloc((size_t)size + 1, 1), error));
    const enum cor_status status =
        size > 0 ? cor_result_read_vector(search->result, COR_SEARCH_VECTOR_TEXT, start, size, *text, error)
                 : COR_OK;
    if (status != COR_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}

struct cor_failure_class cor_search_class(const struct cor_search_finding_row *row) {
    return COR_SEARCH_CLASS(row);
}

/* The number behind the last stroke of a text of that length, which ends before it then. */
static bool take_number(const char *text, size_t *length, uint32_t *number) {
    size_t at = *length;
    char *end;
    while (at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9')
        at--;
    if (at == *length || at == 0 || text[at - 1] != '/' || *length - at > 9)
        return false;
    *number = (uint32_t)strtoul(text + at, &end, 10);
    *length = at - 1;
    return true;
}

static bool find_text(const struct cor_layer_tables *search, uint16_t arm, uint32_t island, uint32_t test,
                      uint64_t *start, uint32_t *size) {
    uint64_t count;
    uint64_t i = cor_layer_rows_of(search, COR_SEARCH_TABLE_FINDINGS, arm, island, &count);
    for (const uint64_t end = i + count; i < end; i++) {
        const struct cor_search_finding_row *row = cor_layer_row(search, COR_SEARCH_TABLE_FINDINGS, i);
        *start = row->text_start;
        *size = row->text;
        if (row->test == test)
            return true;
    }
    i = cor_layer_rows_of(search, COR_SEARCH_TABLE_CORPUS, arm, island, &count);
    for (const uint64_t end = i + count; i < end; i++) {
        const struct cor_search_corpus_row *row = cor_layer_row(search, COR_SEARCH_TABLE_CORPUS, i);
        *start = row->text_start;
        *size = row->text;
        if (row->test == test)
            return true;
    }
    return false;
}

enum cor_status cor_search_test_text(const struct cor_layer_tables *search, const char *key, char **text,
                                     struct cor_error *error) {
    uint32_t island = 0, test = 0, size;
    uint64_t start;
    size_t length = strlen(key), arm;
    if (!take_number(key, &length, &test) || !take_number(key, &length, &island))
        return cor_fail(error, COR_STATUS_INPUT, "--test", "as in coverage/PSOPP-F5/0/17",
                        "\"%s\" is no ARM/ISLAND/TEST", key);
    char *name = cor_format("%.*s", (int)length, key);
    COR_TRY(cor_made(name, error));
    const enum cor_status status = cor_arm_find(search->head, "--test", name, &arm, error);
    free(name);
    COR_TRY(status);
    if (!find_text(search, cor_arm_entry(search->head, arm)->code, island, test, &start, &size))
        return cor_fail(error, COR_STATUS_INPUT, "--test",
                        "tests that were the first of their class, and those of the corpus, are kept",
                        "no test %" PRIu32 " was kept of island %" PRIu32 " of \"%s\"", test, island,
                        cor_arm_entry(search->head, arm)->name);
    return cor_search_text(search, start, size, text, error);
}

/* ---- estimations */

enum { LAWS_MOST = 2, HALVINGS_MOST = 5000 /* below it a double is 0 */ };
#define ROUNDING 1e-9

double cor_estimation_value(double mantissa, uint32_t halvings) {
    return ldexp(mantissa, 16 - (int)(halvings < HALVINGS_MOST ? halvings : HALVINGS_MOST));
}

/* As it is written: 0, or a mantissa in [0.5, 1). */
static bool is_normal(double mantissa, uint32_t halvings) {
    return mantissa == 0 ? halvings == 0 : mantissa >= 0.5 && mantissa < 1;
}

static bool are_counts_sound(const struct cor_estimation_repetition_row *row) {
    const double chance = row->region_probability;
    return row->sequences > 0 && row->failed <= row->sequences &&
           (row->method == COR_ESTIMATION_SPLITTING || row->leaked <= row->sequences - row->failed) &&
           row->bounds <= LAWS_MOST &&
           (isnan(row->share) ? row->bounds == 0 : row->share > 0 && row->share <= 1) &&
           (isnan(chance) || (chance > 0 && chance <= 1));
}

/* Of a repetition in which nothing failed all values are 0; a suite's value in which weights above 1 multiply
 * has no bound, and is written without halvings. */
static bool are_values_sound(const struct cor_estimation_repetition_row *row) {
    const bool is_plain = row->method == COR_ESTIMATION_PLAIN;
    /* What a mean over sequences may be at most: no weight is above the inverse of the share for each law
     * that was changed. */
    const double mean = cor_estimation_value(row->sequence_mantissa, row->sequence_halvings),
                 suite = cor_estimation_value(row->suite_mantissa, row->suite_halvings),
                 largest = cor_estimation_value(row->largest_mantissa, row->largest_halvings),
                 most = (row->method == COR_ESTIMATION_LIKELIHOOD && row->bounds > 0
                             ? pow(row->share, -(double)row->bounds)
                             : 1) *
                        (1 + ROUNDING);
    if (!is_normal(row->sequence_mantissa, row->sequence_halvings) ||
        !is_normal(row->largest_mantissa, row->largest_halvings) || isnan(suite) || mean > most ||
        largest > most || mean > largest * (1 + ROUNDING))
        return false;
    if (row->failed == 0)
        return mean == 0 && largest == 0 && suite == 0;
    const bool has_bound = row->method != COR_ESTIMATION_LIKELIHOOD || row->bounds == 0;
    if (has_bound && !(suite >= 0 && suite <= 1 + ROUNDING))
        return false;
    return !is_plain || (fabs(mean - (double)row->failed / row->sequences) <= ROUNDING && suite == 1);
}

/* All repetitions are made in one way. */
static bool is_like(const struct cor_estimation_repetition_row *row,
                    const struct cor_estimation_repetition_row *first) {
    return row->method == first->method && row->sequences == first->sequences &&
           row->bounds == first->bounds &&
           (row->share == first->share || (isnan(row->share) && isnan(first->share))) &&
           (row->region_probability == first->region_probability ||
            (isnan(row->region_probability) && isnan(first->region_probability)));
}

static enum cor_status check(const struct cor_layer_tables *tables, struct cor_error *error) {
    const struct cor_estimation_repetition_row *rows = tables->rows[COR_ESTIMATION_TABLE_REPETITIONS];
    for (uint64_t i = 0; i < tables->count[COR_ESTIMATION_TABLE_REPETITIONS]; i++)
        if (!are_counts_sound(&rows[i]) || !are_values_sound(&rows[i]) || !is_like(&rows[i], &rows[0]))
            return read__foreign(error, "repetitions",
                                 "row %" PRIu64 " has values that no repetition of this estimate has", i);
    const struct cor_estimation_stage_row *stages = tables->rows[COR_ESTIMATION_TABLE_STAGES];
    for (uint64_t i = 0; i < tables->count[COR_ESTIMATION_TABLE_STAGES]; i++)
        if (stages[i].stage >= COR_ESTIMATION_STAGES_MAX || stages[i].reached > stages[i].started ||
            stages[i].failed > stages[i].started - stages[i].reached || isinf(stages[i].level))
            return read__foreign(error, "stages",
                                 "row %" PRIu64 ": of %" PRIu64 " trajectories %" PRIu64
                                 " came to the level and %" PRIu64 " failed",
                                 i, stages[i].started, stages[i].reached, stages[i].failed);
    return COR_OK;
}

enum cor_status cor_estimation_result_init(struct cor_result *result, struct cor_layer_tables *tables,
                                           struct cor_error *error) {
    COR_TRY(cor_layer_tables_init(result, COR_ALL_TABLES, 0, tables, error));
    const enum cor_status status = check(tables, error);
    if (status != COR_OK)
        cor_layer_tables_fini(tables);
    return status;
}
