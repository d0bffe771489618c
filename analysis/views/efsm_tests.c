/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests of an arm amount to: counts and verdicts. */
#include "summary.h"
#include "test_formats.h"
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/efsm_graph.h>
#include <corridor/efsm_result.h>
#include <corridor/efsm_terms.h>
#include <corridor/json.h>
#include <corridor/survival.h>
#include <corridor/view.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The tests of an arm together. */
struct views__tests_arm {
    uint64_t tests, verdicts[COR_TEST_CODES], moves, resets, timeouts;
    uint64_t moves_to_failure; /* over those that failed */
};

struct views__tests_arm views__tests_arm(const struct cor_layer_tables *model, uint16_t arm);

/* The sheets about mutants: the score of each planner, and each mutant beside each planner. */
extern const struct cor_sheet_definition views__kill_scores, views__kills;

static enum cor_status put_kills(const struct cor_layer_tables *model, double level,
                                 struct cor_sheets *sheets, struct cor_error *error) COR_MUST_USE;

struct views__tests_arm views__tests_arm(const struct cor_layer_tables *model, uint16_t arm) {
    struct views__tests_arm it = {0};
    for (uint64_t i = 0; i < model->count[COR_EFSM_TABLE_TESTS]; i++) {
        const struct cor_efsm_test_row *row = cor_layer_row(model, COR_EFSM_TABLE_TESTS, i);
        if (row->arm != arm)
            continue;
        it.tests++;
        it.verdicts[row->verdict < COR_TEST_CODES ? row->verdict : 0]++;
        it.moves += row->moves;
        it.resets += row->resets;
        it.timeouts += row->timeouts;
        if (row->verdict == COR_TEST_FAIL)
            it.moves_to_failure += row->failed;
    }
    return it;
}

/* What a caller may turn into an exit code: mutants that no test killed and that are not equivalent; arms
 * without a mutant of which a test failed. */
static enum cor_status count_tests(const struct cor_layer_tables *model, struct cor_view_findings *found,
                                   struct cor_error *error) {
    for (size_t a = 0; a < cor_arm_count(model->head); a++) {
        char *mutant;
        COR_TRY(cor_text_under(cor_arm_entry(model->head, a)->description, "mutant", &mutant, error));
        const struct views__tests_arm arm = views__tests_arm(model, (uint16_t)a);
        const uint64_t failed = arm.verdicts[COR_TEST_FAIL];
        found->undetected += mutant != NULL && failed == 0;
        found->unexpected += mutant == NULL && failed > 0;
        found->failed += failed;
        found->undecided += arm.tests - arm.verdicts[COR_TEST_PASS] - failed;
        free(mutant);
    }
    return COR_OK;
}

#define ARM(member) COR_CELL_OF(struct views__tests_arm, member)
static const struct cor_column_definition arms_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, 0},
    {"planner", "planner", "", "that chose the inputs", COR_CELL_WORD, 0, 0},
    {"reading", "reading", "", "how it reads a choice of the system: hope, forced, expected", COR_CELL_WORD,
     0, 0},
    {"system", "system", "", "how a simulator chooses among rivals, or a program's command", COR_CELL_TEXT, 0,
     0},
    {"mutant", "mutant", "", "what is wrong with the system on purpose", COR_CELL_WORD, 0, 0},
    {"tests", "tests", "1", "made", ARM(tests)},
    {"pass", "pass", "tests", "the goal is covered, and all that was observed is allowed",
     ARM(verdicts[COR_TEST_PASS])},
    {"fail", "fail", "tests", "the model does not allow what was observed", ARM(verdicts[COR_TEST_FAIL])},
    {"inconclusive", "inconcl.", "tests", "not covered within the budget",
     ARM(verdicts[COR_TEST_INCONCLUSIVE])},
    {"lost", "lost", "tests", "proven: what is left cannot be covered any more",
     ARM(verdicts[COR_TEST_LOST])},
    {"unreachable", "unreach.", "tests", "proven: what is left cannot be covered from the start",
     ARM(verdicts[COR_TEST_UNREACHABLE])},
    {"trouble", "trouble", "tests", "the system died, hung or spoke nonsense",
     ARM(verdicts[COR_TEST_TROUBLE])},
    {"moves", "moves", "moves", "of a test, mean", COR_CELL_REAL, 1, 0},
    {"resets", "resets", "resets", "of a test besides the first, mean", COR_CELL_REAL, 1, COR_COLUMN_DATA},
    {"timeouts", "time-outs", "times", "silence was taken for an answer: these tests may not repeat",
     ARM(timeouts)},
};
COR_SHEET_DEFINITION(arms_sheet, "arms", "Planners and systems", "a row an arm", 0, 0);

#define TEST(member) COR_CELL_OF(struct cor_efsm_test_row, member)
static const struct cor_column_definition tests_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"test", "test", "1", "number, from 0", TEST(suite)},
    {"verdict", "verdict", "", "pass, fail, inconclusive, lost, unreachable, trouble", COR_CELL_WORD, 0, 0},
    {"moves", "moves", "moves", "made", TEST(moves)},
    {"resets", "resets", "resets", "besides the first", TEST(resets)},
    {"planned", "planned", "moves", "length of the first plan",
     COR_KNOWN_OF(struct cor_efsm_test_row, planned)},
    {"proven", "proven", "", "what is planned, lost or unreachable is proven",
     COR_FLAG_OF(struct cor_efsm_test_row, proven)},
    {"covered", "covered", "traps", "of the goal", TEST(covered)},
    {"possible", "possible", "states", "in which the system could be, at most", TEST(possible), 0,
     COR_COLUMN_DATA},
    {"failed", "failed at", "1", "the move that the model does not allow",
     COR_SOME_OF(struct cor_efsm_test_row, failed), 0, COR_COLUMN_DATA},
    {"trouble", "trouble", "", "died, hung, garbled", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"timeouts", "time-outs", "times", "silence was taken for an answer", TEST(timeouts), 0, COR_COLUMN_DATA},
    {"why", "what happened", "", "for a reader", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(tests_sheet, "tests", "Tests", "a row a test", 0, 10);

/* Ends of one trap over the tests of an arm; best: fewest moves. */
struct trap_tally {
    uint64_t ends[COR_TRAP_END_CODES];
    uint32_t best;
};
#define TRAP(member) COR_CELL_OF(struct trap_tally, member)
static const struct cor_column_definition traps_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"trap", "trap", "", "its id", COR_CELL_WORD, 0, 0},
    {"covered", "covered", "tests", "that covered it", TRAP(ends[COR_TRAP_END_COVERED])},
    {"open", "open", "tests", "that did not reach it within their moves", TRAP(ends[COR_TRAP_END_OPEN])},
    {"waits", "waits", "tests", "in which a trap that it waits for was not covered",
     TRAP(ends[COR_TRAP_END_WAITS])},
    {"lost", "lost", "tests", "in which it is proven that it could not be covered any more",
     TRAP(ends[COR_TRAP_END_LOST])},
    {"unreachable", "unreach.", "tests", "in which it is proven out of reach from the start",
     TRAP(ends[COR_TRAP_END_UNREACHABLE])},
    {"moves", "moves", "moves", "to cover it, at best", COR_SOME_OF(struct trap_tally, best)},
};
COR_SHEET_DEFINITION(traps_sheet, "traps", "Coverage of the goal", "a row a trap", 0, 60);

/* How often a transition was taken. */
struct taken {
    uint64_t tests, moves;
};
#define TAKEN(member) COR_CELL_OF(struct taken, member)
static const struct cor_column_definition coverage_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"transition", "transition", "", "of the model", COR_CELL_WORD, 0, 0},
    {"tests", "tests", "tests", "in which it was taken", TAKEN(tests)},
    {"moves", "moves", "moves", "that took it", TAKEN(moves)},
    {"why_not", "why not", "", "of one that was never taken", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(coverage_sheet, "transitions", "Coverage of the model", "a row a transition", 0, 60);

#define MOVE(member) COR_CELL_OF(struct cor_efsm_move_row, member)
static const struct cor_column_definition moves_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"test", "test", "1", "number, from 0", MOVE(suite), 0, COR_COLUMN_DATA},
    {"move", "move", "1", "from 1", MOVE(move)},
    {"attempt", "attempt", "1", "resets before", MOVE(attempt), 0, COR_COLUMN_DATA},
    {"location", "location", "", "where the system was", COR_CELL_WORD, 0, 0},
    {"state", "state", "", "values of the state variables", COR_CELL_TEXT, 0, 0},
    {"possible", "possible", "states", "in which the system could be", MOVE(possible), 0, COR_COLUMN_DATA},
    {"input", "input", "", "given, with its arguments", COR_CELL_TEXT, 0, 0},
    {"observed", "observed", "",
     "outputs in order, with their arguments; goals that the system adds or drops", COR_CELL_TEXT, 0, 0},
    {"transition", "transition", "", "taken", COR_CELL_WORD, 0, 0},
    {"allowed", "allowed", "", "by the model", COR_FLAG_OF(struct cor_efsm_move_row, allowed)},
    {"left", "left", "moves", "of the plan, this one included", COR_KNOWN_OF(struct cor_efsm_move_row, left)},
    {"candidates", "candidates", "1", "weighed by the planner", MOVE(candidates), 0, COR_COLUMN_DATA},
    {"degree", "degree", "1", "violation degree of the one chosen",
     COR_KNOWN_OF(struct cor_efsm_move_row, degree), 0, COR_COLUMN_DATA},
    {"gained", "gained", "traps", "covered by it", MOVE(gained)},
};
COR_SHEET_DEFINITION(moves_sheet, "moves", "Moves", "a row a move of the test that is shown", 0, 60);

static void fill_arm(struct cor_sheet *sheet, const struct cor_layer_tables *model, uint16_t arm) {
    const struct cor_catalog_entry *entry = cor_arm_entry(model->head, arm);
    const struct views__tests_arm it = views__tests_arm(model, arm);
    static const char *const keys[] = {"planner", "reading", "system", "mutant"};
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, entry->name);
    for (int k = 0; k < 4; k++) {
        char *text;
        if (cor_text_under(entry->description, keys[k], &text, NULL) != COR_OK)
            cor_sheet_text_take(sheet, NULL);
        else
            cor_sheet_word(sheet, text);
        free(text);
    }
    COR_SHEET_PUT(sheet, struct views__tests_arm, &it);
    cor_sheet_real(sheet, (double)it.moves / (double)it.tests);
    cor_sheet_real(sheet, (double)it.resets / (double)it.tests);
    COR_SHEET_PUT(sheet, struct views__tests_arm, &it);
}

static enum cor_status fill_traps(struct cor_sheet *sheet, const struct cor_layer_tables *model, uint16_t arm,
                                  struct cor_error *error) {
    const size_t traps = model->head->catalog_size[COR_EFSM_CATALOG_TRAP];
    struct trap_tally *tallies = cor_calloc(traps, sizeof *tallies);
    COR_TRY(cor_made(tallies, error));
    for (uint64_t i = 0; i < model->count[COR_EFSM_TABLE_TRAPS]; i++) {
        const struct cor_efsm_trap_row *row = cor_layer_row(model, COR_EFSM_TABLE_TRAPS, i);
        if (row->arm != arm || row->trap >= traps)
            continue;
        struct trap_tally *tally = &tallies[row->trap];
        tally->ends[row->end < COR_TRAP_END_CODES ? row->end : 0]++;
        if (row->move > 0 && (tally->best == 0 || row->move < tally->best))
            tally->best = row->move;
    }
    for (size_t t = 0; t < traps; t++) {
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, cor_arm_entry(model->head, arm)->name);
        cor_sheet_word(sheet, cor_efsm_name(model, COR_EFSM_CATALOG_TRAP, (uint16_t)t));
        COR_SHEET_PUT(sheet, struct trap_tally, &tallies[t]);
    }
    free(tallies);
    return COR_OK;
}

/* The string under the key of an object; NULL if there is none. */
static const char *text_at(const struct cor_json *json, const char *key) {
    struct cor_json member;
    struct cor_error ignored = COR_NO_ERROR;
    const char *text;
    return cor_json_is_object(json) && cor_json_find(json, key, &member) &&
                   cor_json_string(&member, &text, &ignored) == COR_OK
               ? text
               : NULL;
}

/* The transition that the experiment names for a trap of its goal; NULL: it names none. */
static const char *named_transition(const struct cor_json *experiment, const char *trap) {
    struct cor_json efsm, goals, traps;
    const char *goal = text_at(experiment, "goal");
    if (!goal || !cor_json_find(experiment, "efsm", &efsm) || !cor_json_is_object(&efsm) ||
        !cor_json_find(&efsm, "goals", &goals) || !cor_json_is_array(&goals))
        return NULL;
    for (size_t g = 0; g < cor_json_size(&goals); g++) {
        const struct cor_json one = cor_json_at(&goals, g);
        const char *name = text_at(&one, "name");
        if (!name || strcmp(name, goal) != 0 || !cor_json_find(&one, "traps", &traps) ||
            !cor_json_is_array(&traps))
            continue;
        for (size_t t = 0; t < cor_json_size(&traps); t++) {
            const struct cor_json item = cor_json_at(&traps, t);
            const char *id = text_at(&item, "id");
            if (id && strcmp(id, trap) == 0)
                return text_at(&item, "transition");
        }
    }
    return NULL;
}

/* Whether `part` (so long) is a transition, or a number. */
static bool is_part(const struct cor_layer_tables *model, const char *part, size_t length) {
    for (size_t t = 1; t < model->head->catalog_size[COR_EFSM_CATALOG_TRANSITION]; t++) {
        const char *name = cor_efsm_name(model, COR_EFSM_CATALOG_TRANSITION, (uint16_t)t);
        if (strlen(name) == length && memcmp(name, part, length) == 0)
            return true;
    }
    return strspn(part, "0123456789") >= length;
}

/* Whether a trap needs the transition: it is called so, or A-B (a pair), 1-T (a place of a sequence), T-1 (a
 * boundary of a guard), or the experiment says so. */
static bool needs(const struct cor_layer_tables *model, const struct cor_json *experiment, const char *trap,
                  const char *transition) {
    const size_t length = strlen(transition), whole = strlen(trap);
    const char *named = named_transition(experiment, trap);
    if (strcmp(trap, transition) == 0 || (named && strcmp(named, transition) == 0))
        return true;
    if (named || whole < length + 2)
        return false;
    return (strncmp(trap, transition, length) == 0 && trap[length] == '-' &&
            is_part(model, trap + length + 1, whole - length - 1)) ||
           (strcmp(trap + whole - length, transition) == 0 && trap[whole - length - 1] == '-' &&
            is_part(model, trap, whole - length - 1));
}

/* A transition that no move took: what became of the trap that needs it, of several the most hopeful. */
static const char *why_not(const struct cor_layer_tables *model, const struct cor_json *experiment,
                           uint16_t arm, const char *transition) {
    int end = COR_TRAP_END_CODES;
    for (uint64_t i = 0; i < model->count[COR_EFSM_TABLE_TRAPS]; i++) {
        const struct cor_efsm_trap_row *row = cor_layer_row(model, COR_EFSM_TABLE_TRAPS, i);
        if (row->arm == arm && row->end < end && cor_term(COR_FAMILY_TRAP_END, row->end) &&
            needs(model, experiment, cor_efsm_name(model, COR_EFSM_CATALOG_TRAP, row->trap), transition))
            end = row->end;
    }
    return end < COR_TRAP_END_CODES ? cor_term(COR_FAMILY_TRAP_END, end)->meaning
                                    : "the goal does not ask for it";
}

static enum cor_status fill_coverage(struct cor_sheet *sheet, const struct cor_layer_tables *model,
                                     uint16_t arm, struct cor_error *error) {
    const size_t transitions = model->head->catalog_size[COR_EFSM_CATALOG_TRANSITION];
    struct taken *taken = cor_calloc(transitions, sizeof *taken);
    bool any = false;
    struct cor_json_document *document = NULL;
    COR_TRY(cor_made(taken, error));
    enum cor_status status = cor_json_parse(model->head->experiment, "experiment", &document, error);
    if (status != COR_OK) {
        free(taken);
        return status;
    }
    const struct cor_json experiment = cor_json_root(document);
    for (uint64_t i = 0; i < model->count[COR_EFSM_TABLE_TAKEN]; i++) {
        const struct cor_efsm_taken_row *row = cor_layer_row(model, COR_EFSM_TABLE_TAKEN, i);
        if (row->arm != arm || row->transition >= transitions)
            continue;
        any = true;
        taken[row->transition].tests += row->count > 0;
        taken[row->transition].moves += row->count;
    }
    for (size_t t = 1; t < transitions && any; t++) {
        const char *name = cor_efsm_name(model, COR_EFSM_CATALOG_TRANSITION, (uint16_t)t);
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, cor_arm_entry(model->head, arm)->name);
        cor_sheet_word(sheet, name);
        COR_SHEET_PUT(sheet, struct taken, &taken[t]);
        if (taken[t].moves > 0)
            cor_sheet_nothing(sheet);
        else
            cor_sheet_text(sheet, "%s", why_not(model, &experiment, arm, name));
    }
    cor_json_destroy(document);
    free(taken);
    return COR_OK;
}

static void fill_moves(struct cor_sheet *sheet, const struct cor_layer_tables *model,
                       const struct cor_efsm_test_row *test) {
    uint64_t count;
    const uint64_t first = cor_layer_rows_of(model, COR_EFSM_TABLE_MOVES, test->arm, test->suite, &count);
    cor_sheet_title(sheet, "Moves of test %u of %s", test->suite,
                    cor_arm_entry(model->head, test->arm)->name);
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_efsm_move_row *row = cor_layer_row(model, COR_EFSM_TABLE_MOVES, i);
        char text[COR_EFSM_TEXT], told[COR_EFSM_TEXT];
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, cor_arm_entry(model->head, row->arm)->name);
        COR_SHEET_PUT(sheet, struct cor_efsm_move_row, row);
        cor_sheet_word(sheet, cor_efsm_name(model, COR_EFSM_CATALOG_LOCATION, row->location));
        cor_efsm_stored_state(model, row, text);
        cor_sheet_text(sheet, "%s", text);
        COR_SHEET_PUT(sheet, struct cor_efsm_move_row, row);
        cor_efsm_stored_input(model, row, text);
        cor_sheet_text(sheet, "%s", text);
        cor_efsm_outputs_text(model, row->output_start, row->outputs, row->value_start, row->values, text);
        cor_efsm_told_text(model, row, told);
        cor_sheet_text(sheet, "%s%s%s", row->trouble ? cor_term_word(COR_FAMILY_SYSTEM, row->trouble) : text,
                       row->timeout ? " (time-out)" : "", told);
        cor_sheet_word(sheet, row->transition == 0
                                  ? NULL
                                  : cor_efsm_name(model, COR_EFSM_CATALOG_TRANSITION, row->transition));
        COR_SHEET_PUT(sheet, struct cor_efsm_move_row, row);
    }
}

static enum cor_status fill_tests(const struct cor_view_request *request,
                                  const struct cor_layer_tables *model, size_t arm, struct cor_sheets *sheets,
                                  struct cor_error *error) {
    struct cor_sheet *arms = cor_sheets_add(sheets, &arms_sheet);
    const size_t first = arm == SIZE_MAX ? 0 : arm,
                 end = arm == SIZE_MAX ? cor_arm_count(model->head) : arm + 1;
    for (size_t a = first; a < end; a++)
        fill_arm(arms, model, (uint16_t)a);
    if (model->count[COR_EFSM_TABLE_MUTANTS] > 0)
        COR_TRY(put_kills(model, views__view_level(request), sheets, error));
    struct cor_sheet *tests = cor_sheets_add(sheets, &tests_sheet);
    cor_sheet_limit(tests, request->rows > 0 ? request->rows : tests_sheet.text_rows);
    for (uint64_t i = 0; i < model->count[COR_EFSM_TABLE_TESTS]; i++) {
        const struct cor_efsm_test_row *row = cor_layer_row(model, COR_EFSM_TABLE_TESTS, i);
        if (arm == SIZE_MAX || row->arm == arm) {
            char text[4 * COR_EFSM_TEXT];
            cor_sheet_row(tests);
            cor_sheet_word(tests, cor_arm_entry(model->head, row->arm)->name);
            COR_SHEET_PUT(tests, struct cor_efsm_test_row, row);
            cor_sheet_word(tests, cor_term_word(COR_FAMILY_TEST, row->verdict));
            cor_sheet_tone(tests, row->verdict == COR_TEST_PASS   ? COR_TONE_GOOD
                                  : row->verdict == COR_TEST_FAIL ? COR_TONE_BAD
                                                                  : COR_TONE_STRONG);
            COR_SHEET_PUT(tests, struct cor_efsm_test_row, row);
            cor_sheet_word(tests, row->trouble ? cor_term_word(COR_FAMILY_SYSTEM, row->trouble) : NULL);
            COR_SHEET_PUT(tests, struct cor_efsm_test_row, row);
            cor_efsm_test_text(model, row, text);
            cor_sheet_text(tests, "%s", text);
        }
    }
    struct cor_sheet *traps = cor_sheets_add(sheets, &traps_sheet);
    for (size_t a = first; a < end; a++)
        COR_TRY(fill_traps(traps, model, (uint16_t)a, error));
    struct cor_sheet *coverage = cor_sheets_add(sheets, &coverage_sheet);
    for (size_t a = first; a < end; a++)
        COR_TRY(fill_coverage(coverage, model, (uint16_t)a, error));
    struct cor_sheet *moves = cor_sheets_add(sheets, &moves_sheet);
    /* The test that is asked for; else the first that failed, else the first. */
    const struct cor_efsm_test_row *test = NULL;
    for (uint64_t i = 0; i < model->count[COR_EFSM_TABLE_TESTS]; i++) {
        const struct cor_efsm_test_row *row = cor_layer_row(model, COR_EFSM_TABLE_TESTS, i);
        if ((arm != SIZE_MAX && row->arm != arm) ||
            (request->suite != COR_ANY_SUITE && row->suite != request->suite))
            continue;
        if (!test || (test->verdict != COR_TEST_FAIL && row->verdict == COR_TEST_FAIL))
            test = row;
    }
    if (test)
        fill_moves(moves, model, test);
    return COR_OK;
}

static enum cor_status make_tests(const struct cor_view_request *request, struct cor_sheets *sheets,
                                  struct cor_view_findings *found, struct cor_error *error) {
    struct cor_layer_tables model;
    size_t arm = SIZE_MAX;
    if (request->arm)
        COR_TRY(cor_arm_find(cor_result_head(request->result), "--arm", request->arm, &arm, error));
    COR_TRY(cor_efsm_result_init(request->result, &model, error));
    enum cor_status status = COR_OK;
    if (request->suite != COR_ANY_SUITE)
        status = cor_layer_suite_find(&model, COR_EFSM_TABLE_TESTS, arm, request->suite, error);
    if (status == COR_OK)
        status = fill_tests(request, &model, arm, sheets, error);
    if (status == COR_OK)
        status = count_tests(&model, found, error);
    cor_layer_tables_fini(&model);
    return status;
}

static enum cor_status draw_model(const struct cor_view_request *request, FILE *file,
                                  struct cor_error *error) {
    struct cor_layer_tables model;
    size_t arm = 0;
    if (request->arm)
        COR_TRY(cor_arm_find(cor_result_head(request->result), "--arm", request->arm, &arm, error));
    COR_TRY(cor_efsm_result_init(request->result, &model, error));
    enum cor_status status = cor_efsm_graph(&model, (uint16_t)arm, file, error);
    cor_layer_tables_fini(&model);
    COR_TRY(status);
    return cor_stream_status(file, error);
}

static const struct cor_sheet_definition *const sheets_of_tests[] = {
    &arms_sheet,  &views__kill_scores, &views__kills, &tests_sheet,
    &traps_sheet, &coverage_sheet,     &moves_sheet,  NULL};

const struct cor_view views__view_tests = {
    .name = "tests",
    .command = "show",
    .summary = "show model-based tests (of corridor efsm test)",
    .manual =
        "Prints what model-based tests found: verdicts by planner and system, each test with what "
        "happened, what of the goal and of the model was covered and why not, and the moves of one test - "
        "that of --arm and --suite, else the first that failed, else the first. Of mutants, scores and "
        "the kill matrix.",
    .options = "level arm suite dot",
    .schema = "corridor-tests",
    .version = 1,
    .layer = &cor_efsm_schema,
    .sheets = sheets_of_tests,
    .make = make_tests,
    .graph = draw_model,
};

/* ---- tests on line as tests */

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

static enum cor_status count_model_tests(struct cor_result *result, struct cor_view_findings *findings,
                                         struct cor_error *error) {
    struct cor_layer_tables model;
    COR_TRY(cor_efsm_result_init(result, &model, error));
    enum cor_status status = count_tests(&model, findings, error);
    cor_layer_tables_fini(&model);
    return status;
}

static enum cor_status put_mutants(struct cor_result *result, struct cor_sheets *sheets,
                                   struct cor_error *error) {
    struct cor_layer_tables model;
    COR_TRY(cor_efsm_result_init(result, &model, error));
    enum cor_status status = put_kills(&model, 0.95, sheets, error);
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
         *test_verdicts = cor_format("--suite %" PRIu32, row_at(model, i)->suite);
    if (key && test_verdicts) {
        views__summary_next(summary, "moves", "show", "tests --arm", name, test_verdicts);
        views__summary_next(summary, "repeat", "replay", "--failure", key, NULL);
    } else
        summary->status = COR_STATUS_MEMORY;
    free(test_verdicts);
    free(key);
}

static enum cor_status sum_tests(const struct cor_view_request *request, struct views__summary *summary,
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
    status = count_tests(&model, findings, error);
out:
    cor_layer_tables_fini(&model);
    return status;
}

const struct views__layer_verdicts views__verdicts_of_efsm = {&cor_efsm_schema, sum_tests, count_model_tests,
                                                              write_tests, put_mutants};

/* ---- mutants of a model, and which tests told them from it */

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

static enum cor_status gather_kills(const struct cor_layer_tables *model, struct matrix *matrix,
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
        score.undecided += difference_of(entry) == COR_EFSM_UNDECIDED && kills <= 0;
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

static enum cor_status put_kills(const struct cor_layer_tables *model, double level,
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
    COR_TRY_OUT(gather_kills(model, &matrix, error));
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

/* ---- what of a model was taken, as a graph for Graphviz */

#define TAKEN_GRAPH "#4a7c2c"
#define NEVER "#b3261e"
#define ASIDE "#8b949e"

/* The trap that is called like the transition. */
static bool is_asked_for(const struct cor_layer_tables *model, const char *transition) {
    for (uint32_t t = 0; t < model->head->catalog_size[COR_EFSM_CATALOG_TRAP]; t++)
        if (strcmp(cor_efsm_name(model, COR_EFSM_CATALOG_TRAP, (uint16_t)t), transition) == 0)
            return true;
    return false;
}

static const char *word_under(const struct cor_json *json, const char *key) {
    struct cor_json child;
    const char *word = "";
    if (!cor_json_find(json, key, &child) || !cor_json_is_string(&child) ||
        cor_json_string(&child, &word, NULL) != COR_OK)
        return "";
    return word;
}

static void put_transition(const struct cor_layer_tables *model, uint16_t arm, size_t number,
                           const struct cor_json *json, FILE *file) {
    const char *name = cor_efsm_name(model, COR_EFSM_CATALOG_TRANSITION, (uint16_t)number);
    /* Of an arm and a transition, over all tests. */
    uint64_t times = 0;
    for (uint64_t i = 0; i < model->count[COR_EFSM_TABLE_TAKEN]; i++) {
        const struct cor_efsm_taken_row *row = cor_layer_row(model, COR_EFSM_TABLE_TAKEN, i);
        if (row->arm == arm && row->transition == number)
            times += row->count;
    }
    fputs("  ", file);
    views__put_dot_name(word_under(json, "src"), file);
    fputs(" -> ", file);
    views__put_dot_name(word_under(json, "dst"), file);
    fputs(" [label=\"", file);
    views__put_dot_text(name, file);
    if (times > 0)
        fprintf(file, " (%" PRIu64 ")\", color=\"" TAKEN_GRAPH "\"];\n", times);
    else
        fputs(is_asked_for(model, name) ? "\", color=\"" NEVER "\", style=bold];\n"
                                        : "\", color=\"" ASIDE "\", style=dashed];\n",
              file);
}

enum cor_status cor_efsm_graph(const struct cor_layer_tables *model, uint16_t arm, FILE *file,
                               struct cor_error *error) {
    struct cor_json_document *document;
    struct cor_json efsm, transitions;
    COR_TRY(cor_json_parse(model->head->experiment, "experiment", &document, error));
    const struct cor_json root = cor_json_root(document);
    fputs("digraph model {\n  rankdir=TB;\n  node [shape=box, style=\"filled,rounded\", fillcolor=white, "
          "fontname=\"sans-serif\", fontsize=11];\n  edge [fontname=\"sans-serif\", fontsize=10];\n",
          file);
    for (uint32_t l = 0; l < model->head->catalog_size[COR_EFSM_CATALOG_LOCATION]; l++) {
        bool seen = false;
        for (uint64_t i = 0; i < model->count[COR_EFSM_TABLE_MOVES] && !seen; i++) {
            const struct cor_efsm_move_row *row = cor_layer_row(model, COR_EFSM_TABLE_MOVES, i);
            seen = row->arm == arm && row->location == l;
        }
        fputs("  ", file);
        views__put_dot_name(cor_efsm_name(model, COR_EFSM_CATALOG_LOCATION, (uint16_t)l), file);
        fprintf(file, "%s;\n", seen ? " [fillcolor=\"" VIEWS__DOT_PASSED "\"]" : "");
    }
    if (cor_json_find(&root, "efsm", &efsm) && cor_json_find(&efsm, "transitions", &transitions))
        for (size_t t = 0; t < cor_json_size(&transitions) &&
                           t + 1 < model->head->catalog_size[COR_EFSM_CATALOG_TRANSITION];
             t++) {
            const struct cor_json json = cor_json_at(&transitions, t);
            put_transition(model, arm, t + 1, &json, file);
        }
    fputs("}\n", file);
    cor_json_destroy(document);
    return COR_OK;
}
