/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests of an arm of a running system amount to, and what became of its mutant. */
#include "goals.h"
#include "summary.h"
#include "test_formats.h"
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/json.h>
#include <corridor/system_terms.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void system_arms_fini(struct views__system_arms *arms);

/* One more than the greatest code of a catalog: the length of an array by code. */
static size_t system_codes(const struct cor_layer_tables *system, enum cor_system_catalog catalog) {
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
    const size_t codes = system_codes(system, COR_SYSTEM_CATALOG_TEST);
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

static enum cor_status system_arms_init(const struct cor_layer_tables *system,
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
        system_arms_fini(arms);
    return status;
}

/* idempotent */
static void system_arms_fini(struct views__system_arms *arms) {
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

/* What a caller may turn into an exit code is added: mutants that no test killed and that are not
 * equivalent; arms without a mutant of which a test failed; tests that failed, and such without a verdict. */
static void count_system(const struct views__system_arms *arms, struct cor_view_findings *found) {
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

static void system_test_name(const struct cor_layer_tables *system, const struct cor_system_test_row *test,
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
    COR_TRY_OUT(system_arms_init(&system, &arms, error));
    COR_TRY_OUT(fill(request, &system, &arms, arm, sheets, error));
    count_system(&arms, found);
out:
    system_arms_fini(&arms);
    cor_layer_tables_fini(&system);
    return status;
}

/* ---- what tests of running systems found: verdicts, goals, what judges said, and the cycles of one test */

#define ENDING_CYCLES 20 /* turns before the verdict was fixed that a text shows */

#define ARM(member) COR_CELL_OF(struct views__system_arm, member)
static const struct cor_column_definition arms_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, 0},
    {"tests", "tests", "1", "made", ARM(tests)},
    {"pass", "pass", "1", "all goals were reached, and no judge found a violation",
     ARM(verdicts[COR_TEST_PASS])},
    {"fail", "fail", "1", "a goal failed, or a judge found a violation", ARM(verdicts[COR_TEST_FAIL])},
    {"no_verdict", "no verdict", "1", "neither passed nor failed, without trouble of the world",
     COR_CELL_COUNT, 0, 0},
    {"trouble", "trouble", "1", "the world died, hung or spoke nonsense", ARM(verdicts[COR_TEST_TROUBLE])},
    {"kills", "kills", "tests", "failures of a mutant that the arm without one does not have", ARM(kills), 0,
     COR_COLUMN_DATA},
    {"cycles", "cycles", "cycles", "of a test, mean", COR_CELL_REAL, 1, 0},
    {"entities", "entities", "entities", "seen in a test, mean", COR_CELL_REAL, 1, COR_COLUMN_DATA},
    {"cells", "cells", "cells", "free cells seen in a test, mean", COR_CELL_REAL, 1, COR_COLUMN_DATA},
    {"policy", "policy", "", "that chose among actions, instead of the test agents' own", ARM(policy)},
    {"mutant", "mutant", "", "what is changed in the system on purpose", ARM(mutant)},
};
COR_SHEET_DEFINITION(arms_sheet, "arms", "Verdicts by arm", "a row an arm", 0, 60);

#define TEST(member) COR_CELL_OF(struct cor_system_test_row, member)
static const struct cor_column_definition tests_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"suite", "suite", "1", "number of the test, from 0", TEST(suite)},
    {"test", "test", "", "its name, with its examples", COR_CELL_WORD, 0, 0},
    {"run", "run", "1", "repetition, from 0", TEST(run), 0, COR_COLUMN_DATA},
    {"verdict", "verdict", "", "how it ended", COR_CELL_WORD, 0, 0},
    {"cycles", "cycles", "cycles", "of the test", TEST(cycles)},
    {"decided", "decided", "1", "cycle that fixed the verdict; nothing: the end of the test",
     COR_SOME_OF(struct cor_system_test_row, decided)},
    {"judged", "judged", "1", "verdicts of judges", TEST(judged), 0, COR_COLUMN_DATA},
    {"violated", "violated", "1", "verdicts of judges that something is violated", TEST(violated), 0,
     COR_COLUMN_DATA},
    {"unknown", "unknown", "1", "verdicts of judges that could not be told", TEST(unknown), 0,
     COR_COLUMN_DATA},
    {"trouble", "trouble", "", "of the world: died, hung, garbled", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"ticks", "ticks", "ticks", "of the world at the end", TEST(ticks), 0, COR_COLUMN_DATA},
    {"entities", "entities", "entities", "seen", TEST(entities), 0, COR_COLUMN_DATA},
    {"cells", "cells", "cells", "free cells seen", TEST(cells), 0, COR_COLUMN_DATA},
    {"why", "why", "", "reason", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(tests_sheet, "tests", "Tests", "a row a test", 0, 10);

#define AGENT(member) COR_CELL_OF(struct cor_system_agent_row, member)
static const struct cor_column_definition agents_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"suite", "suite", "1", "number of the test, from 0", AGENT(suite)},
    {"agent", "test agent", "", "its name", COR_CELL_WORD, 0, 0},
    {"end", "its goal", "", "success, failed, open, stalled", COR_CELL_WORD, 0, 0},
    {"cycles", "cycles", "cycles", "until then", AGENT(cycles)},
    {"actions", "actions", "actions", "carried out", AGENT(actions)},
    {"waited", "waited", "1", "cycles in which it was stalled", AGENT(waited)},
    {"budget_left", "left", "1", "actions of its budget; nothing: it has no limit",
     COR_KNOWN_OF(struct cor_system_agent_row, budget_left)},
    {"reward", "reward", "1", "that it got", AGENT(reward), 3, COR_COLUMN_DATA},
    {"why", "why", "", "its goal failed, or which guard it waits for", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(agents_sheet, "agents", "Test agents", "a row a test agent of a test", 0, 10);

/* A goal by its name over the tests of an arm. */
struct goal_tally {
    const char *name;
    uint64_t begun, ends[COR_GOAL_CODES], actions, cycles;
};
#define GOAL(member) COR_CELL_OF(struct goal_tally, member)
static const struct cor_column_definition goals_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"goal", "goal", "", "its name, or its kind", GOAL(name)},
    {"begun", "begun", "1", "times it became current", GOAL(begun)},
    {"success", "success", "1", "times it was reached", GOAL(ends[COR_GOAL_SUCCESS])},
    {"failed", "failed", "1", "times its budget was used up, it gave up, or an assert broke",
     GOAL(ends[COR_GOAL_FAILED])},
    {"open", "open", "1", "times the test ended before", GOAL(ends[COR_GOAL_OPEN])},
    {"stalled", "stalled", "1", "times the test ended while it waited for a guard",
     GOAL(ends[COR_GOAL_STALLED])},
    {"actions", "actions", "actions", "of one time, mean", COR_CELL_REAL, 1, 0},
    {"cycles", "cycles", "cycles", "of one time, mean", COR_CELL_REAL, 1, 0},
};
COR_SHEET_DEFINITION(goals_sheet, "goals", "Goals", "a row a goal", 0, 30);

/* What a judge said of one thing over the tests of an arm. */
struct judge_tally {
    uint8_t judge;
    uint16_t check;
    uint64_t passed, failed, unknown;
    enum cor_tone tone;                         /* of `failed` */
    const struct cor_system_verdict_row *first; /* violated, else unknown; NULL: neither */
};
#define JUDGE(member) COR_CELL_OF(struct judge_tally, member)
static const struct cor_column_definition verdicts_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"judge", "judge", "", "what judges", COR_TERM_OF(struct judge_tally, judge, COR_FAMILY_JUDGE)},
    {"check", "check", "", "what is judged", COR_CELL_WORD, 0, 0},
    {"passed", "holds", "1", "tests in which it was said to hold", JUDGE(passed)},
    {"failed", "violated", "1", "cycles of all tests in which it was violated", JUDGE(failed),
     .tone = COR_TONE_OF(struct judge_tally, tone)},
    {"unknown", "unknown", "1", "cycles of all tests in which it could not be told", JUDGE(unknown)},
    {"suite", "first in", "1", "number of the first test in which it did not hold", COR_CELL_COUNT, 0, 0},
    {"cycle", "at cycle", "1", "of that test; nothing: at its end", COR_CELL_COUNT, 0, 0},
    {"why", "why", "", "it does not hold there, with the values", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(verdicts_sheet, "verdicts", "What judges said", "a row a thing that is judged", 0, 30);

#define SAID(member) COR_CELL_OF(struct cor_system_verdict_row, member)
static const struct cor_column_definition judged_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"suite", "suite", "1", "number of the test, from 0", SAID(suite), 0, COR_COLUMN_DATA},
    {"cycle", "cycle", "1", "that fixed it; nothing: the end of the test",
     COR_SOME_OF(struct cor_system_verdict_row, cycle), 0, COR_COLUMN_KEY},
    {"judge", "judge", "", "what judges",
     COR_TERM_OF(struct cor_system_verdict_row, judge, COR_FAMILY_JUDGE)},
    {"check", "check", "", "what is judged", COR_CELL_WORD, 0, 0},
    {"agent", "test agent", "", "by whose beliefs; nothing: of nobody", COR_CELL_WORD, 0, 0},
    {"verdict", "verdict", "", "passed, failed, or undecided: unknown", COR_CELL_WORD, 0, 0},
    {"why", "why", "", "it does not hold, with the values", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(judged_sheet, "judged", "What judges said of a test",
                     "a row a verdict on the test that is shown", 0, 20);

#define REACHED(member) COR_CELL_OF(struct cor_system_goal_row, member)
static const struct cor_column_definition reached_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"suite", "suite", "1", "number of the test, from 0", REACHED(suite), 0, COR_COLUMN_DATA},
    {"begun", "from", "cycle", "in which it became current", REACHED(begun), 0, COR_COLUMN_KEY},
    {"ended", "to", "cycle", "in which it ended", REACHED(ended)},
    {"agent", "test agent", "", "whose goal it is", COR_CELL_WORD, 0, 0},
    {"depth", "depth", "1", "goals above it", REACHED(depth)},
    {"goal", "goal", "", "its name, or its kind", COR_CELL_WORD, 0, 0},
    {"actions", "actions", "actions", "that it cost", REACHED(actions)},
    {"end", "end", "", "success, failed, open, stalled", COR_CELL_WORD, 0, 0},
    {"why", "why", "", "it failed", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(reached_sheet, "reached", "Goals of a test", "a row a goal that became current", 0, 20);

#define CYCLE(member) COR_CELL_OF(struct cor_system_cycle_row, member)
static const struct cor_column_definition trace_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"suite", "suite", "1", "number of the test, from 0", CYCLE(suite), 0, COR_COLUMN_DATA},
    {"cycle", "cycle", "1", "of the test, from 1", CYCLE(cycle), 0, COR_COLUMN_KEY},
    {"agent", "test agent", "", "whose turn it is", COR_CELL_WORD, 0, 0},
    {"turn", "turn", "", "what it did", COR_TERM_OF(struct cor_system_cycle_row, turn, COR_FAMILY_TURN), 0,
     COR_COLUMN_DATA},
    {"goal", "goal", "", "that it works on", COR_CELL_WORD, 0, 0},
    {"action", "action", "", "carried out", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"command", "command", "", "as JSON; of a cycle without one what the test agent did", COR_CELL_TEXT, 0,
     0},
    {"states", "states", "", "named ones that hold behind it; with a ? such as are unknown", COR_CELL_TEXT, 0,
     0},
    {"place", "place", "", "where it stands behind it: column and row", COR_CELL_TEXT, 0, 0},
    {"column", "column", "cells", "of that place", COR_KNOWN_OF(struct cor_system_cycle_row, column), 0,
     COR_COLUMN_DATA},
    {"row", "row", "cells", "of that place", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"floor", "floor", "1", "of that place", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"tick", "tick", "ticks", "of the world behind it", CYCLE(tick), 0, COR_COLUMN_DATA},
    {"shown", "shown", "entities", "that the view names", CYCLE(shown), 0, COR_COLUMN_DATA},
    {"reward", "reward", "1", "of the cycle", CYCLE(reward), COR_DIGITS_FOUR, COR_COLUMN_DATA},
    {"trouble", "trouble", "", "of the world: died, hung, garbled", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"picture", "picture", "", "that the world sent", COR_CELL_WORD, 0, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(trace_sheet, "trace", "Trace of a test", "a row a turn in the test that is shown",
                     COR_SHEET_DATA, 0);
static const struct cor_sheet_definition ending_sheet =
    COR_SHEET_OVER(trace_sheet_columns, "ending", "Last turns of a test",
                   "a row a turn, up to the cycle that fixed the verdict of the test that is shown", 0, 0);

static void put_arm_name(struct cor_sheet *sheet, const struct cor_layer_tables *system, uint16_t arm) {
    cor_sheet_word(sheet, cor_arm_entry(system->head, arm)->name);
}

/* The name of a code that may be 0 for none. */
static void put_name(struct cor_sheet *sheet, const struct cor_layer_tables *system,
                     enum cor_system_catalog catalog, uint16_t code) {
    if (code == 0)
        cor_sheet_nothing(sheet);
    else
        cor_sheet_word(sheet, cor_system_name(system, catalog, code));
}

/* A word of which one is good, one bad, and the others are neither. */
static void put_term(struct cor_sheet *sheet, enum cor_family family, int code, int good, int bad) {
    cor_sheet_word(sheet, cor_term_word(family, code));
    cor_sheet_tone(sheet, code == good ? COR_TONE_GOOD : code == bad ? COR_TONE_BAD : COR_TONE_STRONG);
}

static void put_mean(struct cor_sheet *sheet, uint64_t sum, uint64_t count) {
    if (count > 0)
        cor_sheet_real(sheet, (double)sum / (double)count);
    else
        cor_sheet_nothing(sheet);
}

static void put_trouble(struct cor_sheet *sheet, uint8_t trouble) {
    cor_sheet_word(sheet, trouble ? cor_term_word(COR_FAMILY_SYSTEM, trouble) : NULL);
}

static void fill_arm(struct cor_sheet *sheet, const struct views__system_arm *arm) {
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, arm->entry->name);
    COR_SHEET_PUT(sheet, struct views__system_arm, arm);
    cor_sheet_count(sheet, arm->tests - arm->verdicts[COR_TEST_PASS] - arm->verdicts[COR_TEST_FAIL] -
                               arm->verdicts[COR_TEST_TROUBLE]);
    COR_SHEET_PUT(sheet, struct views__system_arm, arm);
    put_mean(sheet, arm->cycles, arm->tests);
    put_mean(sheet, arm->entities, arm->tests);
    put_mean(sheet, arm->cells, arm->tests);
    COR_SHEET_PUT(sheet, struct views__system_arm, arm);
}

/* Goals of an arm in the order of the catalog. */
static enum cor_status fill_goals(struct cor_sheet *sheet, const struct cor_layer_tables *system,
                                  uint16_t arm, struct cor_error *error) {
    const size_t goals = system->head->catalog_size[COR_SYSTEM_CATALOG_GOAL];
    const struct cor_catalog_entry *entries = system->head->catalog[COR_SYSTEM_CATALOG_GOAL];
    const struct views__system_range range = views__system_rows(system, COR_SYSTEM_TABLE_GOALS, arm);
    struct goal_tally *tallies = cor_calloc(system_codes(system, COR_SYSTEM_CATALOG_GOAL), sizeof *tallies);
    COR_TRY(cor_made(tallies, error));
    for (uint64_t i = range.first; i < range.end; i++) {
        const struct cor_system_goal_row *row = cor_layer_row(system, COR_SYSTEM_TABLE_GOALS, i);
        struct goal_tally *tally = &tallies[row->goal];
        if (row->goal == 0)
            continue;
        tally->begun++;
        tally->ends[row->end]++;
        tally->actions += row->actions;
        tally->cycles += row->ended >= row->begun ? row->ended - row->begun + 1 : 0;
    }
    for (size_t g = 0; g < goals; g++) {
        struct goal_tally *tally = &tallies[entries[g].code];
        if (tally->begun == 0)
            continue;
        tally->name = entries[g].name;
        cor_sheet_row(sheet);
        put_arm_name(sheet, system, arm);
        COR_SHEET_PUT(sheet, struct goal_tally, tally);
        put_mean(sheet, tally->actions, tally->begun);
        put_mean(sheet, tally->cycles, tally->begun);
    }
    free(tallies);
    return COR_OK;
}

static void fill_tally(struct cor_sheet *sheet, const struct cor_layer_tables *system, uint16_t arm,
                       const struct judge_tally *tally) {
    const struct cor_system_verdict_row *first = tally->first;
    cor_sheet_row(sheet);
    put_arm_name(sheet, system, arm);
    COR_SHEET_PUT(sheet, struct judge_tally, tally);
    cor_sheet_word(sheet, cor_system_name(system, COR_SYSTEM_CATALOG_CHECK, tally->check));
    COR_SHEET_PUT(sheet, struct judge_tally, tally);
    if (first)
        cor_sheet_count(sheet, first->suite);
    else
        cor_sheet_nothing(sheet);
    if (first && first->cycle > 0)
        cor_sheet_count(sheet, first->cycle);
    else
        cor_sheet_nothing(sheet);
    if (first)
        VIEWS__PUT_SAID(sheet, system, first, why);
    else
        cor_sheet_text(sheet, "%s", "");
}

/* What judges said of an arm, in the order of judges and of the catalog. */
static enum cor_status fill_verdicts(struct cor_sheet *sheet, const struct cor_layer_tables *system,
                                     uint16_t arm, struct cor_error *error) {
    const size_t checks = system->head->catalog_size[COR_SYSTEM_CATALOG_CHECK];
    const struct cor_catalog_entry *entries = system->head->catalog[COR_SYSTEM_CATALOG_CHECK];
    const struct views__system_range range = views__system_rows(system, COR_SYSTEM_TABLE_VERDICTS, arm);
    struct judge_tally *tallies =
        cor_calloc(system_codes(system, COR_SYSTEM_CATALOG_CHECK) * COR_JUDGE_CODES, sizeof *tallies);
    COR_TRY(cor_made(tallies, error));
    for (uint64_t i = range.first; i < range.end; i++) {
        const struct cor_system_verdict_row *row = cor_layer_row(system, COR_SYSTEM_TABLE_VERDICTS, i);
        struct judge_tally *tally = &tallies[(size_t)row->check * COR_JUDGE_CODES + row->judge];
        tally->judge = row->judge;
        tally->check = row->check;
        if (row->verdict == COR_VERDICT_FAILED)
            tally->tone = COR_TONE_BAD;
        tally->passed += row->verdict == COR_VERDICT_PASSED;
        tally->failed += row->verdict == COR_VERDICT_FAILED;
        tally->unknown += row->verdict == COR_VERDICT_UNDECIDED;
        if (row->verdict != COR_VERDICT_PASSED &&
            (!tally->first ||
             (tally->first->verdict != COR_VERDICT_FAILED && row->verdict == COR_VERDICT_FAILED)))
            tally->first = row;
    }
    for (int judge = 1; judge < COR_JUDGE_CODES; judge++)
        for (size_t c = 0; c < checks; c++) {
            const struct judge_tally *tally =
                &tallies[(size_t)entries[c].code * COR_JUDGE_CODES + (size_t)judge];
            if (tally->judge != 0)
                fill_tally(sheet, system, arm, tally);
        }
    free(tallies);
    return COR_OK;
}

/* "What judges said of test 3 of M1: key item". */
static void put_title(struct cor_sheet *sheet, const char *what, const struct cor_layer_tables *system,
                      const struct cor_system_test_row *test) {
    char name[VIEWS__TEST_NAME];
    system_test_name(system, test, name);
    cor_sheet_title(sheet, "%s %" PRIu32 " of %s: %s", what, test->suite,
                    cor_arm_entry(system->head, test->arm)->name, name);
}

static void fill_judged(struct cor_sheet *sheet, const struct cor_layer_tables *system,
                        const struct cor_system_test_row *test) {
    uint64_t count;
    const uint64_t first =
        cor_layer_rows_of(system, COR_SYSTEM_TABLE_VERDICTS, test->arm, test->suite, &count);
    put_title(sheet, "What judges said of test", system, test);
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_system_verdict_row *row = cor_layer_row(system, COR_SYSTEM_TABLE_VERDICTS, i);
        cor_sheet_row(sheet);
        put_arm_name(sheet, system, row->arm);
        COR_SHEET_PUT(sheet, struct cor_system_verdict_row, row);
        cor_sheet_word(sheet, cor_system_name(system, COR_SYSTEM_CATALOG_CHECK, row->check));
        put_name(sheet, system, COR_SYSTEM_CATALOG_AGENT, row->test_agent);
        put_term(sheet, COR_FAMILY_VERDICT, row->verdict, COR_VERDICT_PASSED, COR_VERDICT_FAILED);
        VIEWS__PUT_SAID(sheet, system, row, why);
    }
}

static void fill_reached(struct cor_sheet *sheet, const struct cor_layer_tables *system,
                         const struct cor_system_test_row *test) {
    uint64_t count;
    const uint64_t first = cor_layer_rows_of(system, COR_SYSTEM_TABLE_GOALS, test->arm, test->suite, &count);
    put_title(sheet, "Goals of test", system, test);
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_system_goal_row *row = cor_layer_row(system, COR_SYSTEM_TABLE_GOALS, i);
        cor_sheet_row(sheet);
        put_arm_name(sheet, system, row->arm);
        COR_SHEET_PUT(sheet, struct cor_system_goal_row, row);
        cor_sheet_word(sheet, cor_system_name(system, COR_SYSTEM_CATALOG_AGENT, row->test_agent));
        COR_SHEET_PUT(sheet, struct cor_system_goal_row, row);
        cor_sheet_word(sheet, cor_system_name(system, COR_SYSTEM_CATALOG_GOAL, row->goal));
        COR_SHEET_PUT(sheet, struct cor_system_goal_row, row);
        put_term(sheet, COR_FAMILY_GOAL, row->end, COR_GOAL_SUCCESS, COR_GOAL_FAILED);
        VIEWS__PUT_SAID(sheet, system, row, why);
    }
}

static void put_shown_text(struct cor_sheet *sheet, const char *text) {
    if (text[0])
        cor_sheet_text(sheet, "%s", text);
    else
        cor_sheet_nothing(sheet);
}

static void fill_turn(struct cor_sheet *sheet, const struct cor_layer_tables *system,
                      const struct cor_system_cycle_row *row) {
    char text[COR_SYSTEM_WORDS];
    const bool is_somewhere = row->column != COR_SYSTEM_NO_CELL;
    cor_sheet_row(sheet);
    put_arm_name(sheet, system, row->arm);
    COR_SHEET_PUT(sheet, struct cor_system_cycle_row, row);
    cor_sheet_word(sheet, cor_system_name(system, COR_SYSTEM_CATALOG_AGENT, row->test_agent));
    COR_SHEET_PUT(sheet, struct cor_system_cycle_row, row);
    put_name(sheet, system, COR_SYSTEM_CATALOG_GOAL, row->goal);
    cor_sheet_word(sheet, cor_system_name(system, COR_SYSTEM_CATALOG_ACTION, row->action));
    if (row->command_bytes > 0)
        cor_sheet_text(sheet, "%.*s%s%s", COR_SYSTEM_SAID(system, row, command), row->trouble ? ": " : "",
                       row->trouble ? cor_term_word(COR_FAMILY_SYSTEM, row->trouble) : "");
    else
        cor_sheet_text(sheet, "%s", cor_term_word(COR_FAMILY_TURN, row->turn));
    cor_system_states_text(system, row->state, row->state_unknown, text);
    put_shown_text(sheet, text);
    cor_system_place_text(row->column, row->row, row->floor, text);
    put_shown_text(sheet, text);
    COR_SHEET_PUT(sheet, struct cor_system_cycle_row, row);
    for (int i = 0; i < 2; i++)
        if (is_somewhere)
            cor_sheet_count(sheet, i == 0 ? row->row : row->floor);
        else
            cor_sheet_nothing(sheet);
    COR_SHEET_PUT(sheet, struct cor_system_cycle_row, row);
    put_trouble(sheet, row->trouble);
    if (row->picture_bytes > 0)
        VIEWS__PUT_SAID(sheet, system, row, picture);
    else
        cor_sheet_nothing(sheet);
}

/* All of the test, and what comes last up to the cycle that fixed its verdict. */
static void fill_trace(struct cor_sheet *trace, struct cor_sheet *ending,
                       const struct cor_layer_tables *system, const struct cor_system_test_row *test) {
    uint64_t count;
    const uint64_t first = cor_layer_rows_of(system, COR_SYSTEM_TABLE_CYCLES, test->arm, test->suite, &count);
    const uint32_t last = test->decided > 0 ? test->decided : test->cycles;
    uint64_t end = first;
    put_title(trace, "Trace of test", system, test);
    put_title(ending, "Last turns of test", system, test);
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_system_cycle_row *row = cor_layer_row(system, COR_SYSTEM_TABLE_CYCLES, i);
        fill_turn(trace, system, row);
        end += row->cycle <= last;
    }
    const uint64_t from = end - first > ENDING_CYCLES ? end - ENDING_CYCLES : first;
    for (uint64_t i = from; i < end; i++)
        fill_turn(ending, system, cor_layer_row(system, COR_SYSTEM_TABLE_CYCLES, i));
    if (end - from < count)
        cor_sheet_remark(ending, "%" PRIu64 " of %" PRIu64 " turns are shown; --sheet trace has all as CSV.",
                         end - from, count);
}

static enum cor_status fill_system_tests(const struct cor_view_request *request,
                                         const struct cor_layer_tables *system,
                                         const struct views__system_arms *arms, size_t arm,
                                         struct cor_sheets *sheets, struct cor_error *error) {
    struct cor_sheet *of_arms = cor_sheets_add(sheets, &arms_sheet);
    const size_t first = arm == SIZE_MAX ? 0 : arm, end = arm == SIZE_MAX ? arms->count : arm + 1;
    const struct cor_system_test_row *test = views__system_test(system, arms, arm, request->suite);
    for (size_t a = first; a < end; a++)
        fill_arm(of_arms, &arms->items[a]);
    COR_TRY(views__put_system_kills(system, arms, views__view_level(request), sheets, error));
    struct cor_sheet *tests = cor_sheets_add(sheets, &tests_sheet);
    cor_sheet_limit(tests, request->rows > 0 ? request->rows : tests_sheet.text_rows);
    for (uint64_t i = 0; i < system->count[COR_SYSTEM_TABLE_TESTS]; i++) {
        const struct cor_system_test_row *row = cor_layer_row(system, COR_SYSTEM_TABLE_TESTS, i);
        if (arm == SIZE_MAX || row->arm == arm) {
            cor_sheet_row(tests);
            put_arm_name(tests, system, row->arm);
            COR_SHEET_PUT(tests, struct cor_system_test_row, row);
            cor_sheet_word(tests, cor_system_name(system, COR_SYSTEM_CATALOG_TEST, row->test));
            COR_SHEET_PUT(tests, struct cor_system_test_row, row);
            put_term(tests, COR_FAMILY_TEST, row->verdict, COR_TEST_PASS, COR_TEST_FAIL);
            COR_SHEET_PUT(tests, struct cor_system_test_row, row);
            put_trouble(tests, row->trouble);
            COR_SHEET_PUT(tests, struct cor_system_test_row, row);
            VIEWS__PUT_SAID(tests, system, row, why);
        }
    }
    struct cor_sheet *agents = cor_sheets_add(sheets, &agents_sheet);
    for (uint64_t i = 0; i < system->count[COR_SYSTEM_TABLE_AGENTS]; i++) {
        const struct cor_system_agent_row *row = cor_layer_row(system, COR_SYSTEM_TABLE_AGENTS, i);
        if (arm == SIZE_MAX || row->arm == arm) {
            cor_sheet_row(agents);
            put_arm_name(agents, system, row->arm);
            COR_SHEET_PUT(agents, struct cor_system_agent_row, row);
            cor_sheet_word(agents, cor_system_name(system, COR_SYSTEM_CATALOG_AGENT, row->test_agent));
            put_term(agents, COR_FAMILY_GOAL, row->end, COR_GOAL_SUCCESS, COR_GOAL_FAILED);
            COR_SHEET_PUT(agents, struct cor_system_agent_row, row);
            VIEWS__PUT_SAID(agents, system, row, why);
        }
    }
    struct cor_sheet *goals = cor_sheets_add(sheets, &goals_sheet);
    for (size_t a = first; a < end; a++)
        COR_TRY(fill_goals(goals, system, (uint16_t)a, error));
    struct cor_sheet *verdicts = cor_sheets_add(sheets, &verdicts_sheet);
    for (size_t a = first; a < end; a++)
        COR_TRY(fill_verdicts(verdicts, system, (uint16_t)a, error));
    struct cor_sheet *judged = cor_sheets_add(sheets, &judged_sheet),
                     *reached = cor_sheets_add(sheets, &reached_sheet),
                     *ending = cor_sheets_add(sheets, &ending_sheet),
                     *trace = cor_sheets_add(sheets, &trace_sheet);
    if (test) {
        fill_judged(judged, system, test);
        fill_reached(reached, system, test);
        fill_trace(trace, ending, system, test);
    }
    return COR_OK;
}

static enum cor_status make_system_tests(const struct cor_view_request *request, struct cor_sheets *sheets,
                                         struct cor_view_findings *found, struct cor_error *error) {
    return views__show_system(request, fill_system_tests, sheets, found, error);
}

static const struct cor_sheet_definition *const sheets_of_goals[] = {
    &arms_sheet,     &views__system_scores, &views__system_kill_matrix,
    &tests_sheet,    &agents_sheet,         &goals_sheet,
    &verdicts_sheet, &judged_sheet,         &reached_sheet,
    &ending_sheet,   &trace_sheet,          NULL};

const struct cor_view views__view_goals = {
    .name = "goals",
    .command = "show",
    .summary = "show tests of running systems",
    .manual =
        "Prints what test agents found in running systems: verdicts by arm, each test with why it ended "
        "so, goals with the cycles and actions that they took, what judges said with the values, and "
        "the last turns of one test - that of --arm and --suite, else the first that failed (of an arm "
        "without a mutant, if one did), else the first. Of mutants, scores and the kill matrix. --sheet "
        "trace has each turn of that test.",
    .options = "level arm suite",
    .schema = "corridor-goals",
    .version = 1,
    .layer = &cor_system_schema,
    .sheets = sheets_of_goals,
    .make = make_system_tests,
};

/* ---- tests of running systems as tests */

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
    system_test_name(with, row, name);
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
    system_test_name(with, row, name);
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

/* Counts what arms came to in `findings`, and puts what was killed of mutants into `sheets`; NULL: not
 * wanted. */
static enum cor_status judge_systems(struct cor_result *result, struct cor_view_findings *findings,
                                     struct cor_sheets *sheets, struct cor_error *error) {
    struct cor_layer_tables system;
    struct views__system_arms arms = {0};
    COR_TRY(cor_system_result_init(result, &system, error));
    enum cor_status status = system_arms_init(&system, &arms, error);
    if (status == COR_OK && findings)
        count_system(&arms, findings);
    if (status == COR_OK && sheets)
        status = views__put_system_kills(&system, &arms, 0.95, sheets, error);
    system_arms_fini(&arms);
    cor_layer_tables_fini(&system);
    return status;
}

static enum cor_status count_systems(struct cor_result *result, struct cor_view_findings *findings,
                                     struct cor_error *error) {
    return judge_systems(result, findings, NULL, error);
}

static enum cor_status put_system_mutants(struct cor_result *result, struct cor_sheets *sheets,
                                          struct cor_error *error) {
    return judge_systems(result, NULL, sheets, error);
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
    system_test_name(system, row, test_name);
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

static enum cor_status sum_systems(const struct cor_view_request *request, struct views__summary *summary,
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
    COR_TRY_OUT(system_arms_init(&system, &arms, error));
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
    count_system(&arms, findings);
out:
    system_arms_fini(&arms);
    cor_layer_tables_fini(&system);
    return status;
}

const struct views__layer_verdicts views__verdicts_of_system = {
    &cor_system_schema, sum_systems, count_systems, write_tests, put_system_mutants};
