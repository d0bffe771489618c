/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mutants of a model, and which tests told them from it. */
#include "findings.h"
#include "tests.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/survival.h>

#include <stdlib.h>
#include <string.h>

/* Of all entries of a planner together. */
struct score {
    uint64_t mutants, equivalent, undecided, killed, alive;
    double *fails, *tests;  /* [differing] of mutants that are not equivalent: failed tests in per cent */
    double *moves, *failed; /* [killed]: moves to failures, and failures */
    size_t differing;
};
#define SCORE(member) COR_CELL_OF(struct score, member)
static const struct cor_column_definition scores_columns[] = {
    {"model", "model", "", "its name", COR_CELL_WORD, 0, 0},
    {"planner", "planner", "", "that chose the inputs, with its reading", COR_CELL_WORD, 0, 0},
    {"mutants", "mutants", "1", "tested", SCORE(mutants)},
    {"equivalent", "equivalent", "mutants", "proven: they answer nothing that the model does not allow",
     SCORE(equivalent)},
    {"undecided", "undecided", "mutants", "not known to differ, killed ones apart", SCORE(undecided)},
    {"killed", "killed", "mutants", "of which a test failed", SCORE(killed)},
    {"alive", "alive", "mutants", "of which no test failed, though they differ", SCORE(alive)},
    {"score_pct", "score", "%", "killed, of the mutants that are not equivalent", COR_CELL_ESTIMATE, 1, 0},
    {"tests_pct", "tests that kill", "%", "failed tests of mutants that are not equivalent",
     COR_CELL_ESTIMATE, 1, 0},
    {"moves", "moves to failure", "moves", "of the tests that failed", COR_CELL_ESTIMATE, 1, COR_COLUMN_DATA},
    {"median", "median", "moves",
     "to the failure, over the tests of mutants that are not equivalent; a test that did not fail took "
     "longer "
     "than any that did",
     COR_CELL_ESTIMATE, 0, 0},
};
const struct cor_sheet_definition views__kill_scores = COR_SHEET_OVER(
    scores_columns, "scores", "Mutation scores", "a row a model and planner; intervals over mutants", 0, 0);

static const struct cor_column_definition kills_columns[] = {
    {"model", "model", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"mutant", "mutant", "", "its name", COR_CELL_WORD, 0, 0},
    {"difference", "beside the model", "", "equivalent (proven), different, undecided", COR_CELL_WORD, 0, 0},
    {"shortest", "shortest", "inputs", "of a test that tells it from the model, a kind system given",
     COR_CELL_COUNT, 0, 0},
    {"compared", "compared", "moves", "tried to tell it from the model", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"planner", "planner", "", "that chose the inputs, with its reading", COR_CELL_WORD, 0, 0},
    {"state", "is", "", "killed, alive, equivalent, undecided", COR_CELL_WORD, 0, 0},
    {"killed", "killed by", "tests", "that failed", COR_CELL_COUNT, 0, 0},
    {"tests", "of", "tests", "made", COR_CELL_COUNT, 0, 0},
    {"moves", "moves", "moves", "to the failure, mean of the tests that failed", COR_CELL_REAL, 1, 0}};
const struct cor_sheet_definition views__kills =
    COR_SHEET_OVER(kills_columns, "kills", "Kill matrix", "a row a mutant and planner", 0, 60);

/* An arm with a mutant. */
struct entry {
    char *mutant, *planner; /* owned */
    uint16_t arm;
    const struct cor_efsm_mutant_row *beside; /* NULL: not compared in this file */
    struct views__tests_arm tests;
};

struct matrix {
    struct entry *entries; /* owned */
    size_t count;
};

static enum cor_status find_planner(const char *description, char **text, struct cor_error *error) {
    char *planner = NULL, *reading = NULL;
    enum cor_status status = COR_OK;
    *text = NULL;
    COR_TRY_OUT(cor_text_under(description, "planner", &planner, error));
    COR_TRY_OUT(cor_text_under(description, "reading", &reading, error));
    *text = planner && reading ? cor_format("%s (%s)", planner, reading) : NULL;
    status = cor_made(*text, error);
out:
    free(planner);
    free(reading);
    return status;
}

/* The comparison stands with the first arm of the mutant. */
static const struct cor_efsm_mutant_row *comparison_of(const struct cor_layer_tables *model,
                                                       const struct matrix *matrix, uint16_t arm,
                                                       const char *mutant) {
    uint64_t count;
    const uint64_t first = cor_layer_rows_of(model, COR_EFSM_TABLE_MUTANTS, arm, 0, &count);
    if (count > 0)
        return cor_layer_row(model, COR_EFSM_TABLE_MUTANTS, first);
    for (size_t i = 0; i < matrix->count; i++)
        if (strcmp(matrix->entries[i].mutant, mutant) == 0)
            return matrix->entries[i].beside;
    return NULL;
}

static enum cor_status gather(const struct cor_layer_tables *model, struct matrix *matrix,
                              struct cor_error *error) {
    const size_t arms = cor_arm_count(model->head);
    matrix->entries = cor_calloc(arms, sizeof *matrix->entries);
    COR_TRY(cor_made(matrix->entries, error));
    for (size_t a = 0; a < arms; a++) {
        const char *description = cor_arm_entry(model->head, a)->description;
        char *mutant, *planner;
        COR_TRY(cor_text_under(description, "mutant", &mutant, error));
        if (!mutant || views__tests_arm(model, (uint16_t)a).tests == 0) { /* not run before an interrupt */
            free(mutant);
            continue;
        }
        enum cor_status status = find_planner(description, &planner, error);
        if (status != COR_OK) {
            free(mutant);
            return status;
        }
        matrix->entries[matrix->count] =
            (struct entry){mutant, planner, (uint16_t)a, comparison_of(model, matrix, (uint16_t)a, mutant),
                           views__tests_arm(model, (uint16_t)a)};
        matrix->count++;
    }
    return COR_OK;
}

static int difference_of(const struct entry *entry) {
    return entry->beside ? entry->beside->difference : COR_EFSM_UNDECIDED;
}

static bool is_equivalent(const struct entry *entry) {
    return difference_of(entry) == COR_EFSM_EQUIVALENT;
}

static void fill_entry(struct cor_sheet *sheet, const char *model, const struct entry *entry) {
    const uint64_t killed = entry->tests.verdicts[COR_TEST_FAIL];
    const int difference = difference_of(entry);
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, model);
    cor_sheet_word(sheet, entry->mutant);
    cor_sheet_word(sheet, cor_term_word(COR_FAMILY_EFSM, difference));
    if (entry->beside && entry->beside->length > 0)
        cor_sheet_count(sheet, entry->beside->length);
    else
        cor_sheet_nothing(sheet);
    if (entry->beside)
        cor_sheet_count(sheet, entry->beside->moves);
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

/* Tests of the planner of entry `first` against mutants that are not equivalent: when each failed. */
struct failures {
    double *time;
    bool *event;
    uint32_t *cluster; /* its mutant */
    size_t count;
    uint32_t mutants;
};

static enum cor_status put_median(struct cor_sheet *sheet, const struct cor_layer_tables *model,
                                  const struct matrix *matrix, size_t first, double level,
                                  struct cor_error *error) {
    const size_t tests = (size_t)model->count[COR_EFSM_TABLE_TESTS];
    struct failures found = {.time = cor_calloc(tests, sizeof *found.time),
                             .event = cor_calloc(tests, sizeof *found.event),
                             .cluster = cor_calloc(tests, sizeof *found.cluster)};
    struct cor_estimate median = cor_no_estimate();
    enum cor_status status = COR_OK;
    if (!found.time || !found.event || !found.cluster) {
        status = cor_fail_memory(error);
        goto out;
    }
    double longest = 0;
    for (size_t i = first; i < matrix->count; i++) {
        const struct entry *entry = &matrix->entries[i];
        if (strcmp(entry->planner, matrix->entries[first].planner) != 0 || is_equivalent(entry))
            continue;
        for (uint64_t t = 0; t < model->count[COR_EFSM_TABLE_TESTS]; t++) {
            const struct cor_efsm_test_row *row = cor_layer_row(model, COR_EFSM_TABLE_TESTS, t);
            if (row->arm != entry->arm)
                continue;
            found.event[found.count] = row->verdict == COR_TEST_FAIL;
            found.time[found.count] = row->failed;
            found.cluster[found.count++] = found.mutants;
            longest = row->failed > longest ? row->failed : longest;
        }
        found.mutants++;
    }
    for (size_t t = 0; t < found.count; t++) /* whoever stopped for another reason did not fail by then */
        if (!found.event[t])
            found.time[t] = longest + 1;
    const struct cor_clustered_times times = {found.time, found.event, found.cluster, found.count,
                                              found.mutants};
    struct cor_rng rng =
        cor_rng_named(&(struct cor_stream_name){.entity = (uint32_t)first, .purpose = COR_PURPOSE_BOOTSTRAP});
    struct cor_bootstrap_plan plan = cor_default_bootstrap(&rng);
    plan.level = level;
    if (found.mutants > 0)
        COR_TRY_OUT(cor_survival_estimate_median(&plan, &times, &median, error));
    cor_sheet_estimate(sheet, &median);
out:
    free(found.time);
    free(found.event);
    free(found.cluster);
    return status;
}

/* The score of the planner of entry `first`, over all entries with it. `room`: 4 * count numbers. */
static enum cor_status fill_score(struct cor_sheet *sheet, const char *name,
                                  const struct cor_layer_tables *model, const struct matrix *matrix,
                                  size_t first, double level, double *room, struct cor_error *error) {
    struct score score = {.fails = room,
                          .tests = room + matrix->count,
                          .moves = room + 2 * matrix->count,
                          .failed = room + 3 * matrix->count};
    for (size_t i = first; i < matrix->count; i++) {
        const struct entry *entry = &matrix->entries[i];
        const double kills = (double)entry->tests.verdicts[COR_TEST_FAIL];
        if (strcmp(entry->planner, matrix->entries[first].planner) != 0)
            continue;
        score.mutants++;
        score.equivalent += is_equivalent(entry);
        score.undecided +=
            difference_of(entry) == COR_EFSM_UNDECIDED && entry->tests.verdicts[COR_TEST_FAIL] <= 0;
        if (!is_equivalent(entry)) {
            score.fails[score.differing] = 100 * kills;
            score.tests[score.differing++] = (double)entry->tests.tests;
        }
        if (kills > 0) {
            score.moves[score.killed] = (double)entry->tests.moves_to_failure;
            score.failed[score.killed++] = kills;
        }
    }
    score.alive = score.mutants - score.equivalent - score.undecided - score.killed;
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, name);
    cor_sheet_word(sheet, matrix->entries[first].planner);
    COR_SHEET_PUT(sheet, struct score, &score);
    const uint64_t part = score.killed;
    const uint64_t whole = score.mutants - score.equivalent;
    struct cor_estimate estimate = whole > 0 ? cor_estimate_suites(level, part, whole) : cor_no_estimate();
    estimate.mean *= 100;
    estimate.low *= 100;
    estimate.high *= 100;
    cor_sheet_estimate(sheet, &estimate);
    COR_TRY(put_ratio(sheet, score.fails, score.tests, score.differing, 100, level, error));
    COR_TRY(put_ratio(sheet, score.moves, score.failed, (size_t)score.killed, 0, level, error));
    return put_median(sheet, model, matrix, first, level, error);
}

static bool is_first(const struct matrix *matrix, size_t entry) {
    for (size_t i = 0; i < entry; i++)
        if (strcmp(matrix->entries[i].planner, matrix->entries[entry].planner) == 0)
            return false;
    return true;
}

enum cor_status views__put_kills(const struct cor_layer_tables *model, double level,
                                 struct cor_sheets *sheets, struct cor_error *error) {
    struct matrix matrix = {0};
    double *room = NULL;
    enum cor_status status = COR_OK;
    struct cor_sheet *scores = cor_sheets_more(sheets, &views__kill_scores);
    struct cor_sheet *kills = cor_sheets_more(sheets, &views__kills);
    const char *name = "?";
    char *said;
    COR_TRY(cor_text_within(model->head->experiment, "efsm", "name", &said, error));
    if (said)
        name = said;
    COR_TRY_OUT(gather(model, &matrix, error));
    COR_TRY_OUT(cor_made(room = cor_calloc(4 * matrix.count, sizeof *room), error));
    for (size_t i = 0; i < matrix.count; i++)
        if (is_first(&matrix, i))
            COR_TRY_OUT(fill_score(scores, name, model, &matrix, i, level, room, error));
    for (size_t i = 0; i < matrix.count; i++)
        fill_entry(kills, name, &matrix.entries[i]);
out:
    free(said);
    free(room);
    for (size_t i = 0; i < matrix.count; i++) {
        free(matrix.entries[i].mutant);
        free(matrix.entries[i].planner);
    }
    free(matrix.entries);
    return status;
}

/* ---- the mutation score: of the faults that operators put wherever they fit, how many are found, and by
 * which check. Equivalent is what is proven to do as the agent without a fault does, whatever the values;
 * whatever else is not killed is alive */

static const struct cor_column_definition mutants_columns[] = {
    {"outcome", "", "",
     "killed: something was found that the agent without a fault does not show; alive: nothing; equivalent: "
     "it is proven to do the same for all values",
     COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"mutant", "mutant", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"operator", "operator", "", "what was changed", COR_CELL_WORD, 0, 0},
    {"check", "check", "", "check of the first root", COR_CELL_WORD, 0, 0},
    {"unit", "unit", "", "where it was found", COR_CELL_WORD, 0, 0},
};
const struct cor_sheet_definition views__mutants =
    COR_SHEET_OVER(mutants_columns, "mutants", "Mutants", "a mutant", COR_SHEET_FIRST, 0);

static const struct cor_column_definition operators_columns[] = {
    {"operator", "operator", "", "what was changed; all: every mutant", COR_CELL_WORD, 0, 0},
    {"mutants", "mutants", "", "of this operator", COR_CELL_COUNT, 0, 0},
    {"killed", "killed", "", "of which something was found", COR_CELL_COUNT, 0, 0},
    {"alive", "alive", "", "of which nothing was found", COR_CELL_COUNT, 0, 0},
    {"equivalent", "equivalent", "", "that are proven to do the same for all values", COR_CELL_COUNT, 0, 0},
    {"score_pct", "score", "%", "killed, of the mutants that are not equivalent", COR_CELL_REAL, 1, 0},
};
const struct cor_sheet_definition views__operators =
    COR_SHEET_OVER(operators_columns, "operators", "Mutation score by operator", "an operator", 0, 0);

static const struct cor_column_definition killers_columns[] = {
    {"check", "check", "", "what was looked at", COR_CELL_WORD, 0, 0},
    {"mutants", "mutants", "", "mutants with this finding as a root", COR_CELL_COUNT, 0, 0},
    {"alone", "alone", "", "thereof found by no other check", COR_CELL_COUNT, 0, 0},
    {"share_pct", "share", "%", "of the mutants that are killed", COR_CELL_REAL, 1, 0},
};
const struct cor_sheet_definition views__killers =
    COR_SHEET_OVER(killers_columns, "killers", "Mutants by the check that finds them", "a check", 0, 0);

enum outcome { KILLED, ALIVE, EQUIVALENT, OUTCOMES };

struct mutant {
    uint16_t arm;
    char *operator; /* owned; NULL: no mutant */
    enum outcome outcome;
    uint64_t first;  /* root of the mutant alone; UINT64_MAX: none */
    uint64_t checks; /* bits of the checks of its roots, or of all if there is none */
};
_Static_assert(COR_AUT_CHECK_CODES <= 64, "checks are bits of a word");

/* Checks of what is found of the mutant alone: of roots, or of all. */
static void gather_mutants(const struct cor_layer_tables *agent, size_t original, bool roots,
                           struct mutant *mutant) {
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_FINDINGS]; i++) {
        const struct cor_agent_finding_row *row = cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, i);
        if (row->arm != mutant->arm || (roots && row->cause != COR_CAUSE_ROOT) ||
            views__is_of_original(agent, original, row))
            continue;
        mutant->checks |= UINT64_C(1) << row->check;
        if (mutant->first == UINT64_MAX)
            mutant->first = i;
    }
}

static enum cor_status look_at(const struct cor_layer_tables *agent, struct mutant *mutant,
                               struct cor_error *error) {
    char *equivalent;
    size_t original;
    COR_TRY(views__original(agent, mutant->arm, &original, error));
    COR_TRY(cor_text_under(cor_arm_entry(agent->head, mutant->arm)->description, "equivalent", &equivalent,
                           error));
    mutant->first = UINT64_MAX;
    gather_mutants(agent, original, true, mutant);
    if (mutant->checks == 0)
        gather_mutants(agent, original, false, mutant);
    mutant->outcome = mutant->checks != 0 ? KILLED : equivalent ? EQUIVALENT : ALIVE;
    free(equivalent);
    return COR_OK;
}

static void put_mutant(const struct cor_layer_tables *agent, const struct mutant *mutant,
                       struct cor_sheet *sheet) {
    cor_sheet_row(sheet);
    static const char *const words[OUTCOMES] = {"killed", "alive", "equivalent"};
    cor_sheet_word(sheet, words[mutant->outcome]);
    cor_sheet_word(sheet, cor_agent_arm_name(agent, mutant->arm));
    cor_sheet_word(sheet, mutant->operator);
    if (mutant->first != UINT64_MAX) {
        const struct cor_agent_finding_row *row =
            cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, mutant->first);
        cor_sheet_word(sheet, cor_term_word(COR_FAMILY_AUT_CHECK, row->check));
        cor_sheet_word(sheet, views__finding_unit(agent, row));
    } else {
        cor_sheet_nothing(sheet);
        cor_sheet_nothing(sheet);
    }
}

/* A row over the mutants of an operator; NULL: of all. */
static void put_operator(const struct mutant *mutants, size_t count, const char *operator,
                         struct cor_sheet * sheet) {
    uint64_t of[OUTCOMES] = {0}, all = 0;
    for (size_t m = 0; m < count; m++) {
        if (!mutants[m].operator||(operator&& strcmp(mutants[m].operator, operator) != 0))
            continue;
        of[mutants[m].outcome]++;
        all++;
    }
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, operator ? operator : "all");
    cor_sheet_count(sheet, all);
    for (int o = 0; o < OUTCOMES; o++)
        cor_sheet_count(sheet, of[o]);
    if (all > of[EQUIVALENT])
        cor_sheet_real(sheet, 100.0 * (double)of[KILLED] / (double)(all - of[EQUIVALENT]));
    else
        cor_sheet_nothing(sheet);
}

static void put_killers(const struct mutant *mutants, size_t count, struct cor_sheet *sheet) {
    uint64_t killed = 0;
    for (size_t m = 0; m < count; m++)
        killed += mutants[m].operator&& mutants[m].outcome == KILLED;
    for (int check = 1; check < COR_AUT_CHECK_CODES; check++) {
        uint64_t bit = UINT64_C(1) << check, found = 0, alone = 0;
        for (size_t m = 0; m < count; m++) {
            found += mutants[m].operator&&(mutants[m].checks & bit);
            alone += mutants[m].operator&& mutants[m].checks == bit;
        }
        if (found == 0)
            continue;
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, cor_term_word(COR_FAMILY_AUT_CHECK, check));
        cor_sheet_count(sheet, found);
        cor_sheet_count(sheet, alone);
        cor_sheet_real(sheet, 100.0 * (double)found / (double)killed);
    }
}

/* Mutants that are alive come first: they are what one wants to look at. */
static void put_all(const struct cor_layer_tables *agent, const struct mutant *mutants, size_t count,
                    struct cor_sheet *sheet) {
    static const enum outcome order[OUTCOMES] = {ALIVE, EQUIVALENT, KILLED};
    for (int o = 0; o < OUTCOMES; o++)
        for (size_t m = 0; m < count; m++)
            if (mutants[m].operator&& mutants[m].outcome == order[o])
                put_mutant(agent, &mutants[m], sheet);
}

enum cor_status views__put_mutants(const struct cor_layer_tables *agent, struct cor_sheets *sheets,
                                   struct cor_error *error) {
    size_t count = cor_arm_count(agent->head), found = 0;
    enum cor_status status = COR_OK;
    struct mutant *mutants = cor_calloc(count, sizeof *mutants);
    COR_TRY(cor_made(mutants, error));
    for (size_t a = 0; a < count; a++) {
        mutants[a].arm = (uint16_t)a;
        COR_TRY_OUT(cor_text_under(cor_arm_entry(agent->head, a)->description, "operator",
                                   &mutants[a].operator, error));
        if (!mutants[a].operator)
            continue;
        COR_TRY_OUT(look_at(agent, &mutants[a], error));
        found++;
    }
    if (found > 0) {
        struct cor_sheet *sheet = cor_sheets_add(sheets, &views__operators);
        for (size_t m = 0; m < count; m++) {
            bool first = mutants[m].operator!= NULL;
            for (size_t before = 0; before < m && first; before++)
                first =
                    !mutants[before].operator|| strcmp(mutants[before].operator, mutants[m].operator) != 0;
            if (first)
                put_operator(mutants, count, mutants[m].operator, sheet);
        }
        put_operator(mutants, count, NULL, sheet);
        put_killers(mutants, count, cor_sheets_add(sheets, &views__killers));
        put_all(agent, mutants, count, cor_sheets_add(sheets, &views__mutants));
    }
out:
    for (size_t a = 0; a < count; a++)
        free(mutants[a].operator);
    free(mutants);
    return status;
}
