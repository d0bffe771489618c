/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why a failing test of a layer that has a subject fails: which choices it needs; and the curve. */
#include "output.h"
#include "show_view.h"
#include "subject_commands.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/child.h>
#include <corridor/report.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How it ended: its word, and the exit code. */
static const struct end {
    const char *word;
    enum cor_exit code;
} named = {"named", COR_EXIT_DONE}, needs_none = {"needs_none", COR_EXIT_UNDECIDED},
  flat = {"flat", COR_EXIT_UNDECIDED}, nothing = {"nothing", COR_EXIT_UNDECIDED},
  passes = {"passes", COR_EXIT_EXPECTATION}, undecided = {"open", COR_EXIT_UNDECIDED},
  flaky = {"flaky", COR_EXIT_EXPECTATION}, used_up = {"stopped", COR_EXIT_UNDECIDED},
  interrupted = {"stopped", COR_EXIT_INCOMPLETE};

struct why {
    const struct cor_why_request *request;
    const struct cor_subject *subject;
    struct cor_tests_source source; /* owned, as all below */
    struct cor_why_asked asked;
    struct cor_future future;
    struct cor_needed *needed;
    struct cor_curve curve;
    struct cor_sheets *sheets;
    struct cor_bytes said; /* what was found */
    char *failure;         /* in a word */
    char *sentence;        /* about it */
    const struct end *end;
    double begun, shown;
};

static bool go_on(void *self, uint64_t done, uint64_t count) {
    struct why *why = self;
    const double now = cor_wall_seconds();
    char left[64];
    why->begun = why->begun > 0 ? why->begun : now;
    cor_say_left(now - why->begun, done, count, left, sizeof left);
    return cor_progress_goes_on(&why->shown, "%" PRIu64 " of about %" PRIu64 " executions%s", done, count,
                                left);
}

/* ---- the test that is asked about: all its choices happen, and it fails with the last one, twice */

static enum cor_status take_row(struct why *why, bool *differs, struct cor_error *error) {
    struct cor_test_row row;
    struct cor_run run;
    COR_TRY(cor_tests_source_find(&why->source, why->request->of.key, &row, error));
    COR_TRY(cor_tests_source_take(&why->source, &row, &run, error));
    *differs = run.digest != row.digest;
    if (*differs)
        cor_bytes_print(&why->said, "%s does not come out as in the file: %s\n", why->request->of.key,
                        why->subject->why_otherwise(why->source.test.experiment, row.arm));
    return COR_OK;
}

/* Those that happened, which have the values of the test's. */
static void keep_happened(struct cor_choices *choices, struct cor_choices *happened) {
    free(choices->items);
    choices->items = happened->items;
    choices->count = happened->count;
    choices->capacity = happened->capacity;
    happened->items = NULL;
}

static enum cor_status take_test(struct why *why, struct cor_error *error) {
    const struct cor_why_request *request = why->request;
    const struct cor_subject *subject = why->subject;
    struct cor_subject_test *test = &why->source.test;
    COR_FINISHED(cor_choices) struct cor_choices happened = {0};
    struct cor_run run;
    bool differs = false, can = true;
    char reason[1200];
    why->end = &flaky;
    COR_TRY(cor_tests_source_open(&why->source, &request->of, error));
    COR_TRY(why->source.result ? take_row(why, &differs, error)
                               : cor_tests_source_take(&why->source, NULL, &run, error));
    if (differs)
        return COR_OK;
    if (strcmp(test->expected, COR_NO_FAILURE) == 0)
        return cor_fail(error, COR_STATUS_INPUT, request->of.path, "a test that is expected to fail",
                        "the %s is expected not to fail: there is nothing to explain", subject->test);
    if (subject->apart)
        COR_TRY(subject->apart(why->source.bench, test, &can, reason, sizeof reason, error));
    if (!can)
        return cor_fail(error, COR_STATUS_INPUT, request->of.path, "corridor replay --trace tells it",
                        "%s %s is not taken apart: %s", subject->test, request->of.key, reason);
    COR_TRY(subject->run(why->source.bench, test, &happened, &run, error));
    const enum cor_expected expected = subject->find(why->source.bench, test, reason, sizeof reason);
    if (expected != COR_EXPECTED_COMES) {
        why->end = expected == COR_EXPECTED_IS_GONE ? &passes : &undecided;
        cor_bytes_print(&why->said, "%s does not come: %s.\n", test->expected, reason);
        return COR_OK;
    }
    COR_TRY(cor_made(why->failure = cor_strdup(run.failure), error));
    COR_TRY(cor_made(why->sentence = cor_strdup(run.sentence), error));
    keep_happened(&test->choices, &happened);
    why->asked = (struct cor_why_asked){.subject = subject,
                                        .bench = why->source.bench,
                                        .test = test,
                                        .class = run.class,
                                        .tries.most = request->budget,
                                        .go_on = go_on,
                                        .self = why};
    COR_TRY(subject->run(why->source.bench, test, NULL, &run, error));
    why->end = run.class != why->asked.class ? &flaky : test->choices.count == 0 ? &nothing : &named;
    if (why->end == &flaky)
        cor_bytes_print(&why->said, "The %s does not fail alike the second time: %s\n", subject->test,
                        subject->why_otherwise(test->experiment, test->arm));
    if (why->end == &nothing)
        cor_bytes_print(&why->said, "It fails by %s before the first %s: there is nothing to be changed.\n",
                        why->failure, subject->choice);
    return COR_OK;
}

static char *text_of(const struct why *why, size_t choice) {
    return why->subject->text(&why->source.test, &why->source.test.choices.items[choice]);
}

/* ---- which choices it needs */

static const char *const ways[COR_WAYS] = {"gone", "later", "last"};

/* A choice that matters, and how it was changed. */
static enum cor_status say_needed(struct why *why, size_t choice, struct cor_error *error) {
    const struct cor_needed *needed = &why->needed[choice];
    const char *between = "";
    char *text = text_of(why, choice);
    COR_TRY(cor_made(text, error));
    cor_bytes_print(&why->said, "%5zu. %s. (", choice + 1, text);
    free(text);
    for (int way = 0; way < COR_WAYS; way++)
        if (needed->goes >> way & 1) {
            cor_bytes_print(&why->said, "%s%s%s", between, ways[way],
                            needed->passes >> way & 1 ? "" : ": it fails otherwise");
            between = ", ";
        }
    cor_bytes_print(&why->said, ")\n");
    return COR_OK;
}

/* Of a test that is shrunk: names the curve, by the first future that has a law. */
static enum cor_status say_all_needed(struct why *why, struct cor_error *error) {
    const struct cor_why_request *request = why->request;
    struct cor_future future = {.word = NULL};
    cor_bytes_print(&why->said, "Each of its %zu %ss is needed by itself: without it that does not come.\n",
                    why->source.test.choices.count, why->subject->choice);
    for (uint32_t f = 0; why->subject->future && why->subject->future(f, &future) && future.no_law; f++)
        future.word = NULL;
    if (!future.word)
        return COR_OK;
    char *path = cor_shell_quoted(request->of.path),
         *key = cor_shell_quoted(request->of.key ? request->of.key : "");
    if (path && key)
        cor_bytes_print(
            &why->said,
            "How probable it was behind each of them: corridor why %s%s%s --curve --future %s%s\n", path,
            request->of.key ? " --failure " : "", request->of.key ? key : "", future.word,
            request->of.trust ? " --trust" : "");
    const enum cor_status status = cor_made(path && key ? path : NULL, error);
    free(path);
    free(key);
    return status;
}

/* Whom it is about, last: `--trace` ends so, too. */
static void say_sentence(struct why *why) {
    if (why->subject->has_sentences && why->sentence[0])
        cor_bytes_print(&why->said, "%s: %s\n", why->failure, why->sentence);
}

static enum cor_status find_needed(struct why *why, struct cor_error *error) {
    const size_t count = why->source.test.choices.count;
    const char *choice = why->subject->choice;
    size_t alone = 0, others = 0;
    COR_TRY(cor_made(why->needed = cor_calloc(count, sizeof *why->needed), error));
    COR_TRY(cor_need_choices(&why->asked, why->needed, error));
    for (size_t c = 0; c < count; c++) {
        const bool goes = why->needed[c].goes >> COR_WAY_GONE & 1;
        alone += goes;
        others += !goes && why->needed[c].goes != 0;
    }
    why->end = alone + others > 0 ? &named : &needs_none;
    cor_bytes_print(&why->said, "The %s fails by %s", why->subject->test, why->failure);
    if (!why->subject->is_unordered)
        cor_bytes_print(&why->said, " with %s %zu", choice, count);
    cor_bytes_print(&why->said, ". ");
    if (alone == count) {
        COR_TRY(say_all_needed(why, error));
        say_sentence(why);
        return COR_OK;
    }
    cor_bytes_print(&why->said, "Of its %zu %ss %zu %s needed by %s (gone: without it that does not come)",
                    count, choice, alone, alone == 1 ? "is" : "are", alone == 1 ? "itself" : "themselves");
    if (others > 0)
        cor_bytes_print(&why->said,
                        ", of %zu more it matters when they come (later: not behind the next one; last: not "
                        "behind all others)",
                        others);
    cor_bytes_print(&why->said, ".\n");
    for (size_t c = 0; c < count; c++)
        if (why->needed[c].goes != 0)
            COR_TRY(say_needed(why, c, error));
    say_sentence(why);
    return COR_OK;
}

/* ---- the curve */

static enum cor_status find_law(struct why *why, struct cor_error *error) {
    const struct cor_subject *subject = why->subject;
    const char *words[65] = {NULL}, *wanted = why->request->future;
    struct cor_future future;
    char remedy[1024];
    uint32_t count = 0;
    if (!subject->future)
        return cor_fail(error, COR_STATUS_INPUT, "--curve", "corridor why without it says which are needed",
                        "the %ss of a %s have no order: nothing comes behind the first of them",
                        subject->choice, subject->test);
    for (uint32_t f = 0; subject->future(f, &future); f++) {
        if (wanted && strcmp(future.word, wanted) == 0) {
            why->future = future;
            why->curve.by.future = f;
        }
        if (!future.no_law && count < 64)
            words[count++] = future.word;
    }
    if (why->future.word && !why->future.no_law)
        return COR_OK;
    cor_known_names(wanted && !why->future.word ? wanted : "", words, remedy, sizeof remedy);
    return why->future.word ? cor_fail(error, COR_STATUS_INPUT, "--future", remedy, "\"%s\" has no law: %s",
                                       wanted, why->future.no_law)
           : wanted
               ? cor_fail(error, COR_STATUS_INPUT, "--future", remedy, "there is no law \"%.80s\"", wanted)
               : cor_fail(error, COR_STATUS_INPUT, "--curve", remedy,
                          "how probable it is follows from a law: which is to be said with --future");
}

#define BAR 8 /* characters of a rise from nothing to all */

/* A choice between whose moments the intervals part, or several. */
static enum cor_status say_change(struct why *why, size_t moment, struct cor_error *error) {
    const struct cor_curve *curve = &why->curve;
    const struct cor_curve_moment *behind = &curve->moments[moment], *before = behind - 1;
    const double rise = behind->fails.share - before->fails.share;
    const bool is_one = behind->choices - before->choices == 1;
    char *text = !is_one
                     ? cor_format("%4u to %u: not looked at one by one", before->choices + 1, behind->choices)
                     : cor_join_take(cor_format("%4u", behind->choices), ". ", text_of(why, before->choices));
    COR_TRY(cor_made(text, error));
    cor_bytes_print(&why->said, "%8.2f %6.2f  %-*.*s %s%s\n", before->fails.share, behind->fails.share, BAR,
                    (int)ceil(BAR * fabs(rise)), rise > 0 ? "########" : "--------", text,
                    moment == curve->rise ? ".  <- the largest rise"
                    : is_one              ? "."
                                          : "");
    free(text);
    return COR_OK;
}

/* Choices of which no more can be said than that, and what it rests on. */
static void say_rest(struct why *why) {
    const struct cor_curve *curve = &why->curve;
    const char *choice = why->subject->choice;
    uint32_t alone = 0, between = 0;
    uint64_t cut = 0;
    double most = 0;
    for (size_t m = 0; m < curve->count; m++)
        cut += curve->moments[m].fails.cut;
    for (size_t m = 1; m < curve->count; m++) {
        const struct cor_curve_moment *behind = &curve->moments[m], *before = behind - 1;
        const uint32_t gap = behind->choices - before->choices;
        if (cor_curve_parts(curve, m))
            continue;
        alone += gap == 1;
        between += gap > 1 ? gap : 0;
        if (gap == 1)
            most = fmax(most,
                        fmax(behind->fails.high - before->fails.low, before->fails.high - behind->fails.low));
    }
    if (alone > 0)
        cor_bytes_print(&why->said, "%u %s%s%s it by less than %.2f. ", alone,
                        cor_curve_is_flat(curve) ? "" : "other ", choice,
                        alone == 1 ? " changes" : "s change", ceil(100 * most) / 100);
    if (between > 0)
        cor_bytes_print(
            &why->said,
            "%u %ss lie between moments whose intervals meet, and were not looked at one by one. ", between,
            choice);
    cor_bytes_print(&why->said,
                    "All intervals together hold with %g %%: %s%u futures of each of %zu moments.\n",
                    100 * COR_CURVE_LEVEL, why->asked.tries.is_stopped ? "at most " : "", curve->effort,
                    curve->count - 1);
    if (cut > 0)
        cor_bytes_print(&why->said,
                        "%" PRIu64 " of them were cut before their end, by a limit of %ss: they are not "
                        "counted as alike, and the intervals hold whatever would have come of them.\n",
                        cut, choice);
}

static enum cor_status say_curve(struct why *why, struct cor_error *error) {
    const struct cor_curve *curve = &why->curve;
    const char *choice = why->subject->choice;
    bool is_first = true;
    cor_bytes_print(&why->said, "The %s fails by %s with %s %zu. How probable that is by the law of \"%s\", ",
                    why->subject->test, why->failure, choice, why->source.test.choices.count,
                    why->future.word);
    if (curve->by.ahead > 0)
        cor_bytes_print(&why->said, "%u %s%s ahead:\n", curve->by.ahead, choice,
                        curve->by.ahead == 1 ? "" : "s");
    else
        cor_bytes_print(&why->said, "to the end of the %s:\n", why->subject->test);
    for (size_t m = 1; m < curve->count; m++) {
        if (!cor_curve_parts(curve, m))
            continue;
        if (is_first)
            cor_bytes_print(&why->said, "  before  after\n");
        is_first = false;
        COR_TRY(say_change(why, m, error));
    }
    if (cor_curve_is_flat(curve))
        cor_bytes_print(
            &why->said, "No %s changes it as far as can be told: it is %.2f [%.2f, %.2f] from the start.\n",
            choice, curve->moments[0].fails.share, curve->moments[0].fails.low, curve->moments[0].fails.high);
    is_first = true;
    for (size_t o = 0; o < curve->other_count; o++) {
        const struct cor_other *other = &curve->others[o];
        if (other->is_own)
            continue;
        if (is_first)
            cor_bytes_print(&why->said, "Had something else come as %s %u:\n", choice,
                            curve->moments[curve->rise].choices);
        is_first = false;
        cor_bytes_print(&why->said, "%8.2f  [%.2f, %.2f]  %s.\n", other->fails.share, other->fails.low,
                        other->fails.high, other->text ? other->text : "Nothing comes");
    }
    say_rest(why);
    return COR_OK;
}

static enum cor_status draw_curve(struct why *why, struct cor_error *error) {
    const struct cor_why_request *request = why->request;
    struct cor_curve *curve = &why->curve;
    curve->by.ahead = (uint32_t)request->ahead;
    curve->by.seed = request->seed >= 0 ? (uint64_t)request->seed : why->source.test.experiment->seed;
    curve->effort = (uint32_t)request->effort;
    COR_TRY(cor_curve_draw(&why->asked, curve, error));
    why->end = curve->does_not_repeat ? &flaky : cor_curve_is_flat(curve) ? &flat : &named;
    if (!curve->does_not_repeat)
        return curve->count < 2 ? COR_OK : say_curve(why, error);
    cor_bytes_print(&why->said, "The program does not repeat itself: ");
    if (curve->stopped > 0)
        cor_bytes_print(&why->said, "after %s %u ", why->subject->choice, curve->stopped);
    cor_bytes_print(&why->said, "%s the second time, so nothing can be said of other futures.\n",
                    curve->differs_later ? "another future came" : "it stood otherwise");
    return COR_OK;
}

/* ---- as JSON, and drawn */

struct row {
    const char *end, *failure, *future, *said;
    uint64_t choices, ahead, rise, executions;
};
#define ROW(member) COR_CELL_OF(struct row, member)
static const struct cor_column_definition why_sheet_columns[] = {
    {"end", "end", "",
     "named; needs_none: no choice alone; flat: no choice changes how probable it is; nothing: there is "
     "none; "
     "passes, open: what is expected did not come, or was not judged; flaky, stopped",
     ROW(end)},
    {"failure", "failure", "", "what it fails by", ROW(failure)},
    {"choices", "choices", "choices", "of the test, as far as they happen", ROW(choices)},
    {"future", "future", "", "of the curve: the law of what comes behind", ROW(future)},
    {"ahead", "ahead", "choices", "of the curve: that come behind at most; n/a: to the end",
     COR_SOME_OF(struct row, ahead)},
    {"rise", "rise", "1", "of the curve: the choice with the largest rise", COR_SOME_OF(struct row, rise)},
    {"executions", "executions", "tests", "executed", ROW(executions)},
    {"said", "said", "", "what a text says", COR_TEXT_OF(struct row, said)},
};
COR_SHEET_DEFINITION(why_sheet, "why", "Why", "the test", COR_SHEET_RECORD | COR_SHEET_TOP, 0);

#define CHANGED(way, meaning) \
    { way, way, "", meaning, COR_CELL_WORD, 0, 0 }
static const struct cor_column_definition choices_sheet_columns[] = {
    {"choice", "choice", "1", "in the order of happening, from 1", COR_CELL_COUNT, 0, 0},
    {"what", "what", "", "what happens", COR_CELL_TEXT, 0, 0},
    CHANGED("gone", "what comes of the test without it: alike, passes, otherwise: it fails in another way"),
    CHANGED("later", "likewise where it comes behind the next one"),
    CHANGED("last", "likewise where it comes behind all others"),
};
COR_SHEET_DEFINITION(choices_sheet, "choices", "Choices", "a row a choice", 0, 0);

#define FAILS(member) COR_CELL_OF(struct cor_fail_share, member)
static const struct cor_column_definition curve_sheet_columns[] = {
    {"choices", "choices", "1", "of the test, behind which the futures go on", COR_CELL_COUNT, 0, 0},
    {"what", "what", "", "the last of these; of others: what came next", COR_CELL_TEXT, 0, 0},
    {"share", "share", "1", "of the futures that fails alike", FAILS(share), 4, 0},
    {"low", "low", "1", "lower end of its interval (Clopper-Pearson); all hold together with 95 %",
     FAILS(low), 4, 0},
    {"high", "high", "1", "upper end", FAILS(high), 4, 0},
    {"futures", "futures", "1", "followed; 0: it has failed, whatever follows", FAILS(futures)},
    {"alike", "alike", "1", "thereof failed alike", FAILS(alike)},
    {"cut", "cut", "1", "thereof cut before their end, by a limit of choices: may fail alike or not",
     FAILS(cut)},
};
COR_SHEET_DEFINITION(curve_sheet, "curve", "Curve", "a row a moment that was looked at", 0, 0);
static const struct cor_sheet_definition others_sheet =
    COR_SHEET_OVER(curve_sheet_columns, "others", "Others",
                   "before the largest rise: a row for what came next, the test's own choice too", 0, 0);

static void put_needed(const struct why *why) {
    struct cor_sheet *sheet = cor_sheets_add(why->sheets, &choices_sheet);
    for (size_t c = 0; why->needed && c < why->source.test.choices.count; c++) {
        const struct cor_needed *needed = &why->needed[c];
        cor_sheet_row(sheet);
        cor_sheet_count(sheet, c + 1);
        cor_sheet_text_take(sheet, text_of(why, c));
        for (int way = 0; way < COR_WAYS; way++)
            cor_sheet_word(sheet, !(needed->tried >> way & 1) ? NULL
                                  : needed->passes >> way & 1 ? "passes"
                                  : needed->goes >> way & 1   ? "otherwise"
                                                              : "alike");
    }
}

static void put_curve(const struct why *why) {
    const struct cor_curve *curve = &why->curve;
    struct cor_sheet *sheet = cor_sheets_add(why->sheets, &curve_sheet);
    for (size_t m = 0; m < curve->count; m++) {
        const uint32_t choices = curve->moments[m].choices;
        cor_sheet_row(sheet);
        cor_sheet_count(sheet, choices);
        cor_sheet_text_take(sheet, choices > 0 ? text_of(why, choices - 1) : cor_strdup(""));
        COR_SHEET_PUT(sheet, struct cor_fail_share, &curve->moments[m].fails);
    }
    sheet = cor_sheets_add(why->sheets, &others_sheet);
    for (size_t o = 0; o < curve->other_count; o++) {
        cor_sheet_row(sheet);
        cor_sheet_count(sheet, curve->moments[curve->rise - 1].choices);
        cor_sheet_text(sheet, "%s", curve->others[o].text ? curve->others[o].text : "");
        COR_SHEET_PUT(sheet, struct cor_fail_share, &curve->others[o].fails);
    }
}

static enum cor_status write_svg(const struct why *why, struct cor_error *error) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (file)
        cor_report_write_curve(cor_sheets_find(why->sheets, "curve"), why->subject->choice, file);
    const bool is_whole = file && !ferror(file);
    const enum cor_status status = (file && fclose(file) != 0) || !is_whole
                                       ? cor_fail_memory(error)
                                       : cor_output_text(why->request->svg, text, why->request->force, error);
    free(text);
    return status;
}

static enum cor_status show(struct why *why, struct cor_error *error) {
    const struct cor_tries *tries = &why->asked.tries;
    const struct cor_curve *curve = &why->curve;
    if (tries->is_stopped) {
        why->end = tries->is_used_up ? &used_up : &interrupted;
        cor_bytes_print(&why->said, "%s: no more than that is known.\n",
                        tries->is_used_up ? "The budget is used up" : "Interrupted");
    }
    COR_FREED char *said = cor_bytes_text_take(&why->said, error);
    COR_TRY(said ? COR_OK : COR_STATUS_MEMORY);
    enum cor_status status = cor_sheets_create("corridor-why-test", 1, &why->sheets, error);
    COR_TRY(status);
    COR_SHEET_PUT(cor_sheets_add(why->sheets, &why_sheet), struct row,
                  &(struct row){.end = why->end->word,
                                .failure = why->failure,
                                .future = why->future.word,
                                .said = said,
                                .choices = why->source.test.choices.count,
                                .ahead = curve->by.ahead,
                                .rise = curve->rise > 0 ? curve->moments[curve->rise].choices : 0,
                                .executions = tries->count});
    if (why->request->curve)
        put_curve(why);
    else
        put_needed(why);
    if (why->request->svg && curve->count > 1)
        COR_TRY(write_svg(why, error));
    if (why->request->json)
        COR_TRY(cor_sheets_json(why->sheets, stdout, error));
    else
        cor_print("%s", said);
    return status;
}

/* ---- all of it */

static enum cor_status carry_out(struct why *why, struct cor_error *error) {
    const struct cor_why_request *request = why->request;
    if (request->svg)
        COR_TRY(cor_output_check_before(request->svg, request->force, error));
    if (request->curve)
        COR_TRY(find_law(why, error));
    cor_catch_interrupts_briefly(COR_ANSWER_PARTING);
    cor_progress_doing("executing the test as it is");
    if (why->source.layer)
        COR_TRY(take_test(why, error));
    enum cor_status status = COR_OK;
    if (why->end == &named)
        status = request->curve ? draw_curve(why, error) : find_needed(why, error);
    cor_progress_doing(NULL);
    COR_TRY(status);
    return show(why, error);
}

static enum cor_exit find_out(struct why *why) {
    const struct cor_why_request *request = why->request;
    const bool is_enough =
        !request->curve || request->budget == 0 || request->budget >= (uint64_t)request->effort;
    struct cor_error error = COR_NO_ERROR;
    const enum cor_status status = is_enough ? carry_out(why, &error) : COR_OK;
    free(why->needed);
    free(why->failure);
    free(why->sentence);
    cor_bytes_fini(&why->said);
    cor_curve_fini(&why->curve);
    cor_sheets_destroy(why->sheets);
    cor_tests_source_fini(&why->source);
    if (!is_enough)
        return cor_misuse(request->of.arguments->command,
                          "--budget %" PRIu64 " is not enough for one moment: --effort is %" PRIi64,
                          request->budget, request->effort);
    cor_progress_doing(NULL);
    return status != COR_OK ? cor_report(&error) : why->end->code;
}

enum cor_exit cor_why_failing(const struct cor_layer *layer, const struct cor_why_request *request) {
    const struct cor_command *command = request->of.arguments->command;
    const bool is_result = cor_is_result_file(request->of.path);
    if (request->of.key && !is_result)
        return cor_misuse(command, "--failure names a failure of a result file, and %s is a test",
                          request->of.path);
    if (is_result && !request->of.key)
        return cor_misuse(command, "needs the failure of the result file that is meant: --failure KEY");
    if (request->svg && !request->curve)
        return cor_misuse(command, "--svg draws the curve of a %s: --curve", layer->subject->test);
    struct why why = {
        .request = request, .subject = layer->subject, .source = {.layer = layer, .path = request->of.path}};
    return find_out(&why);
}

enum cor_exit cor_why_curve(const struct cor_why_asked *asked, const char *failure,
                            const struct cor_why_request *request) {
    struct why why = {.request = request,
                      .subject = asked->subject,
                      .source.test = *asked->test,
                      .asked = *asked,
                      .failure = cor_strdup(failure),
                      .end = &named};
    why.asked.test = &why.source.test;
    why.asked.tries.most = request->budget;
    why.asked.go_on = go_on;
    why.asked.self = &why;
    return find_out(&why);
}
