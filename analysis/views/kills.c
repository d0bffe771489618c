/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mutants of a model, and which tests told them from it. */
#include "tests.h"

#include <corridor/arms.h>
#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

static const struct cor_column_definition scores_columns[] = {
    {"planner", "planner", "", "that chose the inputs, with its reading", COR_CELL_WORD, 0, 0},
    {"mutants", "mutants", "1", "tested", COR_CELL_COUNT, 0, 0},
    {"equivalent", "equivalent", "mutants", "proven: they answer nothing that the model does not allow",
     COR_CELL_COUNT, 0, 0},
    {"undecided", "undecided", "mutants", "not known to differ, killed ones apart", COR_CELL_COUNT, 0, 0},
    {"killed", "killed", "mutants", "of which a test failed", COR_CELL_COUNT, 0, 0},
    {"alive", "alive", "mutants", "of which no test failed, though they differ", COR_CELL_COUNT, 0, 0},
    {"score_pct", "score", "%", "killed, of those that are not equivalent", COR_CELL_ESTIMATE, 1, 0},
    {"tests_pct", "tests that kill", "%", "failed tests of mutants that are not equivalent",
     COR_CELL_ESTIMATE, 1, 0},
    {"moves", "moves to failure", "moves", "of the tests that failed", COR_CELL_ESTIMATE, 1, 0}};
const struct cor_sheet_definition cor__kill_scores = COR_SHEET_OVER(
    scores_columns, "scores", "Mutation scores", "a row a planner; intervals over mutants", 0, 0);

static const struct cor_column_definition kills_columns[] = {
    {"mutant", "mutant", "", "its name", COR_CELL_WORD, 0, 0},
    {"difference", "beside the model", "", "equivalent (proven), different, undecided", COR_CELL_WORD, 0, 0},
    {"shortest", "shortest", "inputs", "of a test that tells it from the model, a kind system given",
     COR_CELL_COUNT, 0, 0},
    {"planner", "planner", "", "that chose the inputs, with its reading", COR_CELL_WORD, 0, 0},
    {"state", "is", "", "killed, alive, equivalent, undecided", COR_CELL_WORD, 0, 0},
    {"killed", "killed by", "tests", "that failed", COR_CELL_COUNT, 0, 0},
    {"tests", "of", "tests", "made", COR_CELL_COUNT, 0, 0},
    {"moves", "moves", "moves", "to the failure, mean of the tests that failed", COR_CELL_REAL, 1, 0}};
const struct cor_sheet_definition cor__kills =
    COR_SHEET_OVER(kills_columns, "kills", "Kill matrix", "a row a mutant and planner", 0, 60);

/* An arm with a mutant. */
struct entry {
    char *mutant, *planner;                    /* owned */
    const struct cor_model_mutant_row *beside; /* NULL: not compared in this file */
    struct cor__tests_arm tests;
};

struct matrix {
    struct entry *entries; /* owned */
    size_t count;
};

static void fini(struct matrix *matrix) {
    for (size_t i = 0; i < matrix->count; i++) {
        free(matrix->entries[i].mutant);
        free(matrix->entries[i].planner);
    }
    free(matrix->entries);
}

static char *planner_of(const char *description) {
    char *planner = cor_text_under(description, "planner"), *reading = cor_text_under(description, "reading");
    char *text = planner && reading ? cor_format("%s (%s)", planner, reading) : NULL;
    free(planner);
    free(reading);
    return text;
}

/* The comparison stands with the first arm of the mutant. */
static const struct cor_model_mutant_row *comparison_of(const struct cor_model_result *model,
                                                        const struct matrix *matrix, uint16_t arm,
                                                        const char *mutant) {
    uint64_t count;
    const uint64_t first = cor_model_rows_of(model, COR_MODEL_TABLE_MUTANTS, arm, 0, &count);
    if (count > 0)
        return cor_model_row(model, COR_MODEL_TABLE_MUTANTS, first);
    for (size_t i = 0; i < matrix->count; i++)
        if (strcmp(matrix->entries[i].mutant, mutant) == 0)
            return matrix->entries[i].beside;
    return NULL;
}

static enum cor_status gather(const struct cor_model_result *model, struct matrix *matrix,
                              struct cor_error *error) {
    const size_t arms = cor_arm_count(model->head);
    matrix->entries = cor_calloc(arms, sizeof *matrix->entries);
    COR_TRY(cor_made(matrix->entries, error));
    for (size_t a = 0; a < arms; a++) {
        const char *description = cor_arm_entry(model->head, a)->description;
        char *mutant = cor_text_under(description, "mutant");
        if (!mutant || cor__tests_arm(model, (uint16_t)a).tests == 0) { /* not run before an interrupt */
            free(mutant);
            continue;
        }
        char *planner = planner_of(description);
        if (!planner) {
            free(mutant);
            return cor_fail_memory(error);
        }
        matrix->entries[matrix->count] =
            (struct entry){mutant, planner, comparison_of(model, matrix, (uint16_t)a, mutant),
                           cor__tests_arm(model, (uint16_t)a)};
        matrix->count++;
    }
    return COR_OK;
}

static bool is_killed(const struct entry *entry) {
    return entry->tests.verdicts[COR_TEST_FAIL] > 0;
}

static int difference_of(const struct entry *entry) {
    return entry->beside ? entry->beside->difference : COR_EFSM_UNDECIDED;
}

static bool is_equivalent(const struct entry *entry) {
    return difference_of(entry) == COR_EFSM_EQUIVALENT;
}

static void fill_entry(struct cor_sheet *sheet, const struct entry *entry) {
    const uint64_t killed = entry->tests.verdicts[COR_TEST_FAIL];
    const int difference = difference_of(entry);
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, entry->mutant);
    cor_sheet_word(sheet, cor_term_word(COR_FAMILY_EFSM, difference));
    if (entry->beside && entry->beside->length > 0)
        cor_sheet_count(sheet, entry->beside->length);
    else
        cor_sheet_nothing(sheet);
    cor_sheet_word(sheet, entry->planner);
    cor_sheet_word(sheet, killed > 0                          ? "killed"
                          : difference == COR_EFSM_EQUIVALENT ? "equivalent"
                          : difference == COR_EFSM_UNDECIDED  ? "undecided"
                                                              : "alive");
    cor_sheet_count(sheet, killed);
    cor_sheet_count(sheet, entry->tests.tests);
    if (killed > 0)
        cor_sheet_real(sheet, (double)entry->tests.moves_to_failure / (double)killed);
    else
        cor_sheet_nothing(sheet);
}

/* A ratio over mutants, each a cluster of its tests. */
static enum cor_status put_ratio(struct cor_sheet *sheet, const double *y, const double *x, size_t n,
                                 double whole, double level, struct cor_error *error) {
    struct cor_estimate estimate = cor_no_estimate();
    const struct cor_suite_sample sample = {.y = y,
                                            .x = x,
                                            .suites = (uint32_t)n,
                                            .whole = whole,
                                            .level = level,
                                            .stream = {.purpose = COR_PURPOSE_BOOTSTRAP}};
    if (n > 0)
        COR_TRY(cor_estimate_ratio(COR_INTERVAL_BCA, &sample, &estimate, error));
    cor_sheet_estimate(sheet, &estimate);
    return COR_OK;
}

static void put_share(struct cor_sheet *sheet, uint64_t part, uint64_t whole, double level) {
    struct cor_estimate estimate = whole > 0 ? cor_estimate_suites(level, part, whole) : cor_no_estimate();
    estimate.mean *= 100;
    estimate.low *= 100;
    estimate.high *= 100;
    cor_sheet_estimate(sheet, &estimate);
}

/* The score of the planner of entry `first`, over all entries with it. `room`: 4 * count numbers. */
static enum cor_status fill_score(struct cor_sheet *sheet, const struct matrix *matrix, size_t first,
                                  double level, double *room, struct cor_error *error) {
    uint64_t mutants = 0, equivalent = 0, undecided = 0, killed = 0;
    double *fails = room, *tests = room + matrix->count, *moves = tests + matrix->count,
           *failed = moves + matrix->count;
    size_t alive_n = 0, failed_n = 0;
    for (size_t i = first; i < matrix->count; i++) {
        const struct entry *entry = &matrix->entries[i];
        const double kills = (double)entry->tests.verdicts[COR_TEST_FAIL];
        if (strcmp(entry->planner, matrix->entries[first].planner) != 0)
            continue;
        mutants++;
        killed += is_killed(entry);
        equivalent += is_equivalent(entry);
        undecided += difference_of(entry) == COR_EFSM_UNDECIDED && !is_killed(entry);
        if (!is_equivalent(entry) && entry->tests.tests > 0) {
            fails[alive_n] = 100 * kills;
            tests[alive_n++] = (double)entry->tests.tests;
        }
        if (kills > 0) {
            moves[failed_n] = (double)entry->tests.moves_to_failure;
            failed[failed_n++] = kills;
        }
    }
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, matrix->entries[first].planner);
    cor_sheet_count(sheet, mutants);
    cor_sheet_count(sheet, equivalent);
    cor_sheet_count(sheet, undecided);
    cor_sheet_count(sheet, killed);
    cor_sheet_count(sheet, mutants - equivalent - undecided - killed);
    put_share(sheet, killed, mutants - equivalent, level);
    COR_TRY(put_ratio(sheet, fails, tests, alive_n, 100, level, error));
    return put_ratio(sheet, moves, failed, failed_n, 0, level, error);
}

static bool is_first(const struct matrix *matrix, size_t entry) {
    for (size_t i = 0; i < entry; i++)
        if (strcmp(matrix->entries[i].planner, matrix->entries[entry].planner) == 0)
            return false;
    return true;
}

enum cor_status cor__put_kills(const struct cor_model_result *model, double level, struct cor_sheets *sheets,
                               struct cor_error *error) {
    struct matrix matrix = {0};
    double *room = NULL;
    enum cor_status status = COR_OK;
    struct cor_sheet *scores = cor_sheets_add(sheets, &cor__kill_scores);
    struct cor_sheet *kills = cor_sheets_add(sheets, &cor__kills);
    COR_TRY_OUT(gather(model, &matrix, error));
    COR_TRY_OUT(cor_made(room = cor_calloc(4 * matrix.count, sizeof *room), error));
    for (size_t i = 0; i < matrix.count; i++)
        if (is_first(&matrix, i))
            COR_TRY_OUT(fill_score(scores, &matrix, i, level, room, error));
    for (size_t i = 0; i < matrix.count; i++)
        fill_entry(kills, &matrix.entries[i]);
out:
    free(room);
    fini(&matrix);
    return status;
}

void cor__count_tests(const struct cor_model_result *model, struct cor_view_findings *found) {
    for (size_t a = 0; a < cor_arm_count(model->head); a++) {
        char *mutant = cor_text_under(cor_arm_entry(model->head, a)->description, "mutant");
        const uint64_t failed = cor__tests_arm(model, (uint16_t)a).verdicts[COR_TEST_FAIL];
        found->undetected += mutant != NULL && failed == 0;
        found->unexpected += mutant == NULL && failed > 0;
        free(mutant);
    }
}
