/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests of an arm amount to: counts and verdicts. */
#include "tests.h"
#include "summary.h"
#include "test_formats.h"
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/efsm_graph.h>
#include <corridor/json.h>
#include <corridor/test_points.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- test points */

static struct views__test test(const void *with, size_t index) {
    static const enum views__test_result results[] = {[COR_POINT_PASSED] = VIEWS__TEST_PASSED,
                                                      [COR_POINT_FAILED] = VIEWS__TEST_FAILED,
                                                      [COR_POINT_SKIPPED] = VIEWS__TEST_SKIPPED};
    const struct cor_test_point *point = (const struct cor_test_point *)with + index;
    return (struct views__test){point->suite, results[point->result]};
}

static void put_case(const void *with, size_t index, FILE *file) {
    const struct cor_test_point *point = (const struct cor_test_point *)with + index;
    static const char *const elements[] = {
        [COR_POINT_PASSED] = "system-out", [COR_POINT_FAILED] = "failure", [COR_POINT_SKIPPED] = "skipped"};
    views__put_attribute("classname", point->suite, file);
    views__put_attribute("name", point->name, file);
    fprintf(file, " time=\"%.3f\">\n      <properties>\n", point->seconds);
    views__put_property("meaning", point->meaning, file);
    if (point->again)
        views__put_property("again", point->again, file);
    fputs("      </properties>\n", file);
    if (point->message && point->result == COR_POINT_PASSED) {
        fputs("      <system-out>", file);
        views__put_xml(point->message, file);
        fputs("</system-out>\n", file);
    } else if (point->result != COR_POINT_PASSED) {
        fprintf(file, "      <%s", elements[point->result]);
        views__put_attribute("message", point->message ? point->message : "", file);
        fputs("/>\n", file);
    }
}

static void put_point(const void *with, size_t index, FILE *file) {
    const struct cor_test_point *point = (const struct cor_test_point *)with + index;
    views__put_description(point->suite, file);
    fputs(": ", file);
    views__put_description(point->name, file);
    if (point->result == COR_POINT_SKIPPED) {
        fputs(" # SKIP ", file);
        views__put_description(point->message ? point->message : "", file);
    }
    fputs("\n  ---\n", file);
    views__put_scalar_text("  ", "meaning", point->meaning, file);
    if (point->message)
        views__put_scalar_text("  ", "message", point->message, file);
    if (point->result == COR_POINT_FAILED)
        views__put_scalar_text("  ", "severity", "fail", file);
    if (point->again)
        views__put_scalar_text("  ", "again", point->again, file);
    fprintf(file, "  duration_ms: %.0f\n  ...\n", point->seconds * 1000);
}

static struct views__test_list list_of(const struct cor_test_point *points, size_t count) {
    return (struct views__test_list){points, count, test, NULL, put_case, put_point, "nothing was tested"};
}

enum cor_status cor_points_junit(const struct cor_test_point *points, size_t count, FILE *file,
                                 struct cor_error *error) {
    const struct views__test_list list = list_of(points, count);
    return views__write_junit(&list, file, error);
}

enum cor_status cor_points_tap(const struct cor_test_point *points, size_t count, FILE *file,
                               struct cor_error *error) {
    const struct views__test_list list = list_of(points, count);
    return views__write_tap(&list, file, error);
}

/* ---- what tests on line found of systems beside their model */

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

static void fill_test(struct cor_sheet *sheet, const struct cor_layer_tables *model,
                      const struct cor_efsm_test_row *row) {
    char text[4 * COR_EFSM_TEXT];
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, cor_arm_entry(model->head, row->arm)->name);
    COR_SHEET_PUT(sheet, struct cor_efsm_test_row, row);
    cor_sheet_word(sheet, cor_term_word(COR_FAMILY_TEST, row->verdict));
    cor_sheet_tone(sheet, row->verdict == COR_TEST_PASS   ? COR_TONE_GOOD
                          : row->verdict == COR_TEST_FAIL ? COR_TONE_BAD
                                                          : COR_TONE_STRONG);
    COR_SHEET_PUT(sheet, struct cor_efsm_test_row, row);
    cor_sheet_word(sheet, row->trouble ? cor_term_word(COR_FAMILY_SYSTEM, row->trouble) : NULL);
    COR_SHEET_PUT(sheet, struct cor_efsm_test_row, row);
    cor_efsm_test_text(model, row, text);
    cor_sheet_text(sheet, "%s", text);
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

static enum cor_status fill(const struct cor_view_request *request, const struct cor_layer_tables *model,
                            size_t arm, struct cor_sheets *sheets, struct cor_error *error) {
    struct cor_sheet *arms = cor_sheets_add(sheets, &arms_sheet);
    const size_t first = arm == SIZE_MAX ? 0 : arm,
                 end = arm == SIZE_MAX ? cor_arm_count(model->head) : arm + 1;
    for (size_t a = first; a < end; a++)
        fill_arm(arms, model, (uint16_t)a);
    if (model->count[COR_EFSM_TABLE_MUTANTS] > 0)
        COR_TRY(views__put_kills(model, views__view_level(request), sheets, error));
    struct cor_sheet *tests = cor_sheets_add(sheets, &tests_sheet);
    cor_sheet_limit(tests, request->rows > 0 ? request->rows : tests_sheet.text_rows);
    for (uint64_t i = 0; i < model->count[COR_EFSM_TABLE_TESTS]; i++) {
        const struct cor_efsm_test_row *row = cor_layer_row(model, COR_EFSM_TABLE_TESTS, i);
        if (arm == SIZE_MAX || row->arm == arm)
            fill_test(tests, model, row);
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

static enum cor_status make(const struct cor_view_request *request, struct cor_sheets *sheets,
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
        status = fill(request, &model, arm, sheets, error);
    if (status == COR_OK)
        status = count_tests(&model, found, error);
    cor_layer_tables_fini(&model);
    return status;
}

static enum cor_status graph(const struct cor_view_request *request, FILE *file, struct cor_error *error) {
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
    .make = make,
    .graph = graph,
};

/* ---- tests on line as tests */

static const struct cor_efsm_test_row *row_at(const void *with, size_t index) {
    return cor_layer_row(with, COR_EFSM_TABLE_TESTS, index);
}

static struct views__test test_verdicts(const void *with, size_t index) {
    const struct cor_efsm_test_row *row = row_at(with, index);
    const struct cor_layer_tables *model = with;
    return (struct views__test){cor_arm_entry(model->head, row->arm)->name,
                                row->verdict == COR_TEST_PASS      ? VIEWS__TEST_PASSED
                                : row->verdict == COR_TEST_FAIL    ? VIEWS__TEST_FAILED
                                : row->verdict == COR_TEST_TROUBLE ? VIEWS__TEST_ERROR
                                                                   : VIEWS__TEST_SKIPPED};
}

static void put_case_verdicts(const void *with, size_t index, FILE *file) {
    static const char *const elements[] = {[VIEWS__TEST_FAILED] = "      <failure",
                                           [VIEWS__TEST_ERROR] = "      <error",
                                           [VIEWS__TEST_SKIPPED] = "      <skipped"};
    const struct cor_efsm_test_row *row = row_at(with, index);
    const struct views__test it = test_verdicts(with, index);
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

static void put_point_verdicts(const void *with, size_t index, FILE *file) {
    const struct cor_efsm_test_row *row = row_at(with, index);
    const struct views__test it = test_verdicts(with, index);
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
                                          .test = test_verdicts,
                                          .put_case = put_case_verdicts,
                                          .put_point = put_point_verdicts,
                                          .none = "the file has no tests"};
    enum cor_status status = write(&list, file, error);
    cor_layer_tables_fini(&model);
    return status;
}

static enum cor_status count(struct cor_result *result, struct cor_view_findings *findings,
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
         *test_verdicts = cor_format("--suite %" PRIu32, row_at(model, i)->suite);
    if (key && test_verdicts) {
        views__summary_next(summary, "moves", "show", "tests --arm", name, test_verdicts);
        views__summary_next(summary, "repeat", "replay", "--failure", key, NULL);
    } else
        summary->status = COR_STATUS_MEMORY;
    free(test_verdicts);
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
    status = count_tests(&model, findings, error);
out:
    cor_layer_tables_fini(&model);
    return status;
}

const struct views__layer_verdicts views__verdicts_of_efsm = {&cor_efsm_schema, sum, count, write_tests,
                                                              put_mutants};
