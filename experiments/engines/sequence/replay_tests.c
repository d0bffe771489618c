/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * replay of test files: each is executed, and what comes of it is held against what is expected. */
#include "output.h"
#include "replay.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/child.h>
#include <corridor/test.h>
#include <corridor/test_points.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum expectation { AS_WRITTEN, FAILING, FIXED };
enum format { SHEETS, JUNIT, TAP };

static const struct cor_column_definition replay_sheet_columns[] = {
    {"equal", "as expected", "", "all tests are", COR_CELL_FLAG, 0, 0},
    {"tests", "tests", "tests", "executed", COR_CELL_COUNT, 0, 0},
    {"different", "different", "tests", "thereof not as expected", COR_CELL_COUNT, 0, 0},
    {"undecided", "no verdict", "tests", "thereof without a verdict", COR_CELL_COUNT, 0, 0}};
COR_SHEET_DEFINITION(replay_sheet, "replay", "Tests", "all files", COR_SHEET_RECORD | COR_SHEET_TOP, 0);

static const struct cor_column_definition tests_sheet_columns[] = {
    {"test", "test", "", "its file", COR_CELL_TEXT, 0, COR_COLUMN_GROUP},
    {"equal", "as expected", "", "it is", COR_CELL_FLAG, 0, 0},
    {"case", "case", "1", "the first failing one; 0: none", COR_CELL_COUNT, 0, 0},
    {"class", "class", "", "of that case", COR_CELL_TEXT, 0, 0},
    {"cases", "cases", "cases", "executed", COR_CELL_COUNT, 0, 0},
    {"flaky", "flaky", "", "executed twice, the second time differs", COR_CELL_FLAG, 0, 0},
    {"undecided", "no verdict", "", "no case fails, but not all was judged", COR_CELL_FLAG, 0, 0},
    {"said", "said", "", "what is not as expected, or was not judged", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(tests_sheet, "tests", "Each test", "a row a file", 0, 40);

static const struct cor_column_definition property_sheet_columns[] = {
    {"test", "test", "", "its file", COR_CELL_TEXT, 0, COR_COLUMN_GROUP},
    {"property", "property", "", "that the test asks", COR_CELL_TEXT, 0, COR_COLUMN_GROUP},
    {"verdict", "verdict", "", "satisfied, violated, unknown", COR_CELL_WORD, 0, 0},
    {"case", "with case", "1", "that fixed that it is violated, or the last; nothing: it is not",
     COR_CELL_COUNT, 0, 0},
    {"why", "because", "", "facts that suffice for that, in any continuation, if a case fixed it",
     COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(property_sheet, "properties", "Properties", "a reason", 0, 0);

/* What came of one file. */
struct outcome {
    struct cor_test_result result;
    char class[COR_FAILURE_CLASS_TEXT];
    char *meaning, *said; /* owned; NULL: nothing to say */
    char *property, *why; /* owned; that it asks, and why it is violated, a line each; NULL: none */
    double seconds;
    bool is_expected, is_flaky, is_open;
};

struct replay {
    const struct cor_arguments *arguments;
    const struct cor_replay_options *options;
    struct cor_isolation_definition isolation;
    enum expectation expectation;
    struct outcome *outcomes; /* owned; [word] */
    int count;                /* that were executed: all, but for an interrupt */
    size_t different, open;
    struct cor_sheets *sheets; /* owned; NULL: verdicts alone are wanted */
};

bool cor_is_test_file(const char *path) {
    struct stat what;
    return strcmp(path, "-") == 0 || cor_is_json_file(path) ||
           (stat(path, &what) == 0 && !S_ISREG(what.st_mode) && !S_ISDIR(what.st_mode));
}

void cor_say_notes(const char *path, char *notes) {
    for (char *rest = notes, *line = strtok_r(rest, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        cor_say("note: %s: %s", path, line);
}

/* That no case fails is no pass where something of it is not known: is that so? */
static bool is_open(const struct cor_test_result *now, const struct cor_test_result *expected,
                    enum expectation expectation) {
    const bool expects_none = expectation == FIXED || (expectation == AS_WRITTEN && expected->case_ == 0);
    return expects_none && now->case_ == 0 && (now->undecided > 0 || now->cases < expected->case_);
}

/* What is not as expected, or has no verdict, a sentence. */
static char *tell(const struct outcome *outcome, const struct cor_test_result *expected,
                  enum expectation expectation, bool class_only) {
    char class[COR_FAILURE_CLASS_TEXT];
    const struct cor_test_result *now = &outcome->result;
    cor_failure_class_text(&expected->class, class);
    if (outcome->is_flaky)
        return cor_strdup("flaky: executed twice, the second time differs");
    if (outcome->is_open && outcome->property && now->undecided > 0)
        return cor_strdup("no verdict: whether the property holds is not known");
    if (outcome->is_open && now->undecided > 0)
        return cor_format(
            "no verdict: no case fails, but whether the corridor holds is not known at %u place%s",
            now->undecided, now->undecided == 1 ? "" : "s");
    if (outcome->is_open)
        return cor_format("no verdict: the test ends after case %u, and what is expected came in case %u",
                          now->cases, expected->case_);
    if (expectation == FIXED)
        return cor_format("case %u fails: %s", now->case_, outcome->class);
    if (now->case_ == 0 && expected->case_ > 0)
        return cor_format("no case fails; expected is case %u: %s", expected->case_, class);
    if (expectation == FAILING && expected->case_ == 0)
        return cor_strdup("the file says of no case that it fails: there is nothing that could be failing");
    if (!cor_failure_class_equal(&now->class, &expected->class) ||
        (!class_only && now->case_ != expected->case_))
        return cor_format("case %u fails: %s; expected is case %u: %s", now->case_, outcome->class,
                          expected->case_, class);
    return cor_format("the class is as expected, but not all rows are: their fingerprint is 0x%016" PRIx64
                      ", expected is 0x%016" PRIx64,
                      now->hash, expected->hash);
}

static enum cor_status judge(const struct replay *replay, const struct cor_test *test,
                             struct outcome *outcome, struct cor_error *error) {
    const struct cor_test_result *expected = &test->expected;
    cor_failure_class_text(&outcome->result.class, outcome->class);
    outcome->property = cor_strdup(test->property);
    COR_TRY(test->property ? cor_made(outcome->property, error) : COR_OK);
    const bool same = cor_failure_class_equal(&outcome->result.class, &expected->class) &&
                      (replay->options->class_only ||
                       (outcome->result.hash == expected->hash && outcome->result.case_ == expected->case_));
    outcome->is_expected =
        !outcome->is_flaky && (replay->expectation == FIXED     ? outcome->result.case_ == 0
                               : replay->expectation == FAILING ? same && outcome->result.case_ > 0
                                                                : same);
    outcome->is_open =
        outcome->is_expected && is_open(&outcome->result, &test->expected, replay->expectation);
    outcome->is_expected = outcome->is_expected && !outcome->is_open;
    outcome->meaning =
        cor_strdup(test->said ? test->said : "one sequence, executed again, comes out as expected");
    COR_TRY(cor_made(outcome->meaning, error));
    if (outcome->is_expected)
        return COR_OK;
    outcome->said = tell(outcome, expected, replay->expectation, replay->options->class_only);
    return cor_made(outcome->said, error);
}

static enum cor_status replay_one(struct replay *replay, const char *path, struct outcome *outcome,
                                  struct cor_error *error) {
    const char *fault = replay->options->fault;
    COR_DESTROYED(cor_test) struct cor_test *test = NULL;
    COR_FREED char *warnings = NULL;
    enum cor_status status = COR_OK;
    COR_TRY(cor_test_read(path, &replay->isolation, &test, &warnings, error));
    if (fault) {
        /* Another fault of the algorithm; "none": nor one of the testbed. */
        status = cor_algorithm_fault(test->arm.algorithm, fault, &test->arm.fault, error);
        if (status == COR_OK && test->arm.fault == 0)
            cor_test_leave_faults_out(test);
        if (status != COR_OK)
            cor_show_path(path, error);
        COR_TRY(status);
    }
    /* Twice, so that what does not repeat is known. */
    struct cor_tester *tester;
    struct cor_test_result again;
    const double begun = cor_wall_seconds();
    COR_TRY(cor_tester_create(&tester, error));
    status = cor_tester_execute(tester, test, 0, &outcome->result, error);
    outcome->seconds = cor_wall_seconds() - begun;
    if (status == COR_OK)
        status = cor_tester_execute(tester, test, 0, &again, error);
    outcome->is_flaky = status == COR_OK && again.hash != outcome->result.hash;
    if (status == COR_OK && again.case_ > 0 && test->property)
        status = cor_tester_reasons(tester, &outcome->why, error);
    if (status == COR_OK &&
        (replay->options->trace || replay->options->dump)) /* of the failing case or the last */
        status = cor_trace_test(tester, test, path,
                                outcome->result.case_ > 0 ? outcome->result.case_ : outcome->result.cases,
                                replay->options, replay->sheets, error);
    cor_tester_destroy(tester);
    if (status != COR_OK)
        return status;
    COR_TRY(judge(replay, test, outcome, error));
    replay->different += !outcome->is_expected && !outcome->is_open;
    replay->open += outcome->is_open;
    if (!outcome->is_expected) /* that the module is another one is no news, unless something else is */
        cor_say_notes(path, warnings);
    return status;
}

static enum cor_status print_sheets(const struct replay *replay, struct cor_sheet *whole,
                                    struct cor_sheet *each, struct cor_error *error) {
    const struct cor_arguments *arguments = replay->arguments;
    cor_sheet_row(whole);
    cor_sheet_flag(whole, replay->different + replay->open == 0);
    cor_sheet_tone(whole, replay->different > 0 ? COR_TONE_BAD
                          : replay->open > 0    ? COR_TONE_STRONG
                                                : COR_TONE_GOOD);
    cor_sheet_count(whole, (uint64_t)replay->count);
    cor_sheet_count(whole, replay->different);
    cor_sheet_count(whole, replay->open);
    for (int i = 0; i < replay->count; i++) {
        const struct outcome *outcome = &replay->outcomes[i];
        const enum cor_tone tone = outcome->is_expected ? COR_TONE_GOOD
                                   : outcome->is_open   ? COR_TONE_STRONG
                                                        : COR_TONE_BAD;
        cor_sheet_row(each);
        cor_sheet_text(each, "%s", arguments->words[i]);
        cor_sheet_flag(each, outcome->is_expected);
        cor_sheet_tone(each, tone);
        cor_sheet_count(each, outcome->result.case_);
        cor_sheet_text(each, "%s", outcome->class);
        cor_sheet_count(each, outcome->result.cases);
        cor_sheet_flag(each, outcome->is_flaky);
        cor_sheet_flag(each, outcome->is_open);
        cor_sheet_text(each, "%s", outcome->said ? outcome->said : "");
    }
    /* What came of the properties that tests ask, a row a reason. */
    struct cor_sheet *sheet = NULL;
    for (int i = 0; i < replay->count; i++) {
        const struct outcome *outcome = &replay->outcomes[i];
        const char *at = outcome->why ? outcome->why : "";
        if (!outcome->property)
            continue;
        sheet = sheet ? sheet : cor_sheets_add(replay->sheets, &property_sheet);
        do {
            const size_t length = strcspn(at, "\n");
            cor_sheet_row(sheet);
            cor_sheet_text(sheet, "%s", replay->arguments->words[i]);
            cor_sheet_text(sheet, "%s", outcome->property);
            cor_sheet_word(sheet, outcome->result.case_ > 0       ? "violated"
                                  : outcome->result.undecided > 0 ? "unknown"
                                                                  : "satisfied");
            if (outcome->result.case_ > 0)
                cor_sheet_count(sheet, outcome->result.case_);
            else
                cor_sheet_nothing(sheet);
            cor_sheet_text(sheet, "%.*s", (int)length, at);
            at += length + (at[length] == '\n');
        } while (*at);
    }
    return cor_show_sheets(&replay->options->sheets, replay->sheets,
                           replay->options->trace ? "trace" : "tests", error);
}

static enum cor_status replay_all(struct replay *replay, struct cor_error *error) {
    const struct cor_arguments *arguments = replay->arguments;
    replay->outcomes = cor_calloc((size_t)arguments->word_count, sizeof *replay->outcomes);
    COR_TRY(cor_made(replay->outcomes, error));
    struct cor_sheet *whole = NULL, *each = NULL;
    const bool sheets = replay->options->format == SHEETS;
    if (sheets) {
        COR_TRY(cor_sheets_create("corridor-replay-tests", 1, &replay->sheets, error));
        whole = cor_sheets_add(replay->sheets, &replay_sheet);
        each = cor_sheets_add(replay->sheets, &tests_sheet);
    }
    double shown = 0;
    if (arguments->word_count > 1)
        cor_catch_interrupts_briefly(COR_ANSWER_PARTING);
    for (int i = 0;
         i < arguments->word_count && cor_progress_goes_on(&shown, "executing %s again, %d of %d done",
                                                           arguments->words[i], i, arguments->word_count);
         i++, replay->count++)
        COR_TRY(replay_one(replay, arguments->words[i], &replay->outcomes[i], error));
    cor_progress_doing(NULL);
    if (replay->count == arguments->word_count)
        cor_leave_interrupts();
    if (sheets)
        return print_sheets(replay, whole, each, error);
    static const char *const suites[] = {[AS_WRITTEN] = "replay", [FAILING] = "failing", [FIXED] = "fixed"};
    const size_t count = (size_t)replay->count;
    struct cor_test_point *points = cor_calloc(count + 1, sizeof *points);
    COR_TRY(cor_made(points, error));
    for (size_t i = 0; i < count; i++) {
        const struct outcome *outcome = &replay->outcomes[i];
        points[i] = (struct cor_test_point){
            .suite = suites[replay->expectation],
            .name = arguments->words[i],
            .meaning = outcome->meaning,
            .message = outcome->said,
            .result = outcome->is_expected ? COR_POINT_PASSED
                      : outcome->is_open   ? COR_POINT_SKIPPED
                                           : COR_POINT_FAILED,
            .seconds = outcome->seconds,
        };
    }
    enum cor_status status = replay->options->format == JUNIT ? cor_points_junit(points, count, stdout, error)
                                                              : cor_points_tap(points, count, stdout, error);
    free(points);
    return status;
}

enum cor_exit cor_replay_tests(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_replay_options *options = arguments->request;
    struct replay replay = {
        .arguments = arguments,
        .options = options,
        .isolation = {.which = options->isolation, .trust = cor_trust_in_file(NULL, options->trust)},
        .expectation = (enum expectation)options->expectation};
    if ((options->trace || options->dump) && arguments->word_count != 1)
        return cor_misuse(arguments->command, "--%s is for one test", options->trace ? "trace" : "dump");
    const enum cor_status status = replay_all(&replay, &error);
    for (int i = 0; replay.outcomes && i < arguments->word_count; i++) {
        free(replay.outcomes[i].meaning);
        free(replay.outcomes[i].said);
        free(replay.outcomes[i].property);
        free(replay.outcomes[i].why);
    }
    free(replay.outcomes);
    cor_sheets_destroy(replay.sheets);
    const bool is_ended = replay.count < arguments->word_count;
    if (status == COR_OK && is_ended)
        cor_say("interrupted: that is what came of the first %d", replay.count);
    return status != COR_OK       ? cor_report(&error)
           : is_ended             ? COR_EXIT_INCOMPLETE
           : replay.different > 0 ? COR_EXIT_EXPECTATION
           : replay.open > 0      ? COR_EXIT_UNDECIDED
                                  : COR_EXIT_DONE;
}
