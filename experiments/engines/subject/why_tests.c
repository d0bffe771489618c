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

enum end { NAMED, NEEDS_NONE, FLAT, NOTHING, PASSES, OPEN, FLAKY, STOPPED };
static const char *const end_words[] = {"named",  "needs_none", "flat",  "nothing",
                                        "passes", "open",       "flaky", "stopped"};

struct why {
    const struct cor_layer *layer;
    const struct cor_why_request *request;
    struct cor_tests_source source; /* owned, as all below */
    struct cor_why_asked asked;
    struct cor_future future;
    struct cor_needed *needed;
    struct cor_curve curve;
    struct cor_sheets *sheets;
    char *failure; /* in a word */
    enum end end;
    struct cor_bytes said; /* what was found, in lines */
    double begun, shown;
};

static bool go_on(void *self, uint64_t done, uint64_t count) {
    struct why *why = self;
    char left[64];
    const double now = cor_wall_seconds();
    why->begun = why->begun > 0 ? why->begun : now;
    cor_say_left(now - why->begun, done, count, left, sizeof left);
    return cor_progress_goes_on(&why->shown, "%" PRIu64 " of about %" PRIu64 " executions%s", done, count,
                                left);
}

/* ---- the test that is asked about: all its choices happen, and it fails with the last one, twice */

static enum cor_status take_row(struct why *why, bool *differs, struct cor_error *error) {
    struct cor_test_row row;
    struct cor_run run;
    COR_TRY(cor_tests_source_find(&why->source, why->request->key, &row, error));
    COR_TRY(cor_tests_source_take(&why->source, &row, &run, error));
    *differs = run.digest != row.digest;
    if (*differs)
        cor_bytes_print(&why->said, "%s does not come out as in the file: %s\n", why->request->key,
                        why->layer->subject->why_otherwise(why->source.test.experiment, row.arm));
    return COR_OK;
}

static enum cor_status take_test(struct why *why, struct cor_error *error) {
    const struct cor_subject *subject = why->layer->subject;
    struct cor_subject_test *test = &why->source.test;
    struct cor_choices happened = {0};
    struct cor_run run;
    bool differs = false;
    char reason[1200];
    enum cor_status status = COR_OK;
    const struct cor_starting starting = {why->request->trust, why->request->isolation,
                                          why->request->unsealed};
    COR_TRY(cor_tests_source_open(&why->source, why->request->arguments->command, &starting, error));
    COR_TRY(why->source.result ? take_row(why, &differs, error)
                               : cor_tests_source_take(&why->source, NULL, &run, error));
    why->end = FLAKY;
    if (differs)
        return COR_OK;
    if (strcmp(test->expected, COR_NO_FAILURE) == 0)
        return cor_fail(error, COR_STATUS_INPUT, why->request->path, "a test that is expected to fail",
                        "the %s is expected not to fail: there is nothing to explain", subject->test);
    COR_TRY_OUT(subject->run(why->source.bench, test, &happened, &run, error));
    const enum cor_expected expected = subject->find(why->source.bench, test, reason, sizeof reason);
    if (expected != COR_EXPECTED_COMES) {
        why->end = expected == COR_EXPECTED_IS_GONE ? PASSES : OPEN;
        cor_bytes_print(&why->said, "%s does not come: %s.\n", test->expected, reason);
        goto out;
    }
    COR_TRY_OUT(cor_made(why->failure = cor_strdup(run.failure), error));
    COR_TRY_OUT(cor_choices_copy(&test->choices, &happened, error));
    why->asked = (struct cor_why_asked){.subject = subject,
                                        .bench = why->source.bench,
                                        .test = test,
                                        .class = run.class,
                                        .tries.most = why->request->budget,
                                        .go_on = go_on,
                                        .self = why};
    COR_TRY_OUT(subject->run(why->source.bench, test, NULL, &run, error));
    if (run.class != why->asked.class)
        cor_bytes_print(&why->said, "The %s does not fail alike the second time: %s.\n", subject->test,
                        subject->why_otherwise(test->experiment, test->arm));
    else
        why->end = test->choices.count == 0 ? NOTHING : NAMED;
    if (why->end == NOTHING)
        cor_bytes_print(&why->said, "It fails by %s before the first %s: there is nothing to be changed.\n",
                        why->failure, subject->choice);
out:
    cor_choices_fini(&happened);
    return status;
}

/* ---- sheets of both */

static const struct cor_column_definition why_sheet_columns[] = {
    {"end", "end", "",
     "named; needs_none: no choice alone; flat: no choice matters; nothing: there is none; passes, open: "
     "what is "
     "expected did not come, or was not judged; flaky, stopped",
     COR_CELL_WORD, 0, 0},
    {"failure", "failure", "", "what it fails by", COR_CELL_WORD, 0, 0},
    {"choices", "choices", "choices", "of the test, as far as they happen", COR_CELL_COUNT, 0, 0},
    {"future", "future", "", "of the curve: the law of what comes behind", COR_CELL_WORD, 0, 0},
    {"ahead", "ahead", "choices", "of the curve: that come behind at most; n/a: to the last case",
     COR_CELL_COUNT, 0, 0},
    {"rise", "rise", "1", "of the curve: the choice with the largest rise", COR_CELL_COUNT, 0, 0},
    {"executions", "executions", "tests", "executed", COR_CELL_COUNT, 0, 0},
};
COR_SHEET_DEFINITION(why_sheet, "why", "Why", "the test", COR_SHEET_RECORD | COR_SHEET_TOP, 0);

static const struct cor_column_definition choices_sheet_columns[] = {
    {"choice", "choice", "1", "in the order of happening, from 1", COR_CELL_COUNT, 0, 0},
    {"what", "what", "", "what happens", COR_CELL_TEXT, 0, 0},
    {"gone", "gone", "",
     "what comes of the test without it: alike, passes, otherwise: it fails in another way", COR_CELL_WORD, 0,
     0},
    {"later", "later", "", "likewise where it comes behind the next one", COR_CELL_WORD, 0, 0},
    {"last", "last", "", "likewise where it comes behind all others", COR_CELL_WORD, 0, 0},
};
COR_SHEET_DEFINITION(choices_sheet, "choices", "Choices", "a row a choice", 0, 0);

static const struct cor_column_definition curve_sheet_columns[] = {
    {"choices", "choices", "1", "behind so many of them", COR_CELL_COUNT, 0, 0},
    {"what", "what", "", "the last of these", COR_CELL_TEXT, 0, 0},
    {"share", "share", "1", "of the futures that fails alike", COR_CELL_REAL, 4, 0},
    {"low", "low", "1", "lower end of its interval (Clopper-Pearson); all hold together with 95 %",
     COR_CELL_REAL, 4, 0},
    {"high", "high", "1", "upper end", COR_CELL_REAL, 4, 0},
    {"futures", "futures", "1", "followed; 0: it has failed, whatever follows", COR_CELL_COUNT, 0, 0},
    {"alike", "alike", "1", "thereof failed alike", COR_CELL_COUNT, 0, 0},
};
COR_SHEET_DEFINITION(curve_sheet, "curve", "Curve", "a row a moment that was looked at", 0, 0);

static const struct cor_column_definition others_sheet_columns[] = {
    {"what", "what", "", "what comes in the place of the choice with the largest rise; n/a: nothing",
     COR_CELL_TEXT, 0, 0},
    {"own", "own", "", "it is that choice itself", COR_CELL_FLAG, 0, 0},
    {"share", "share", "1", "of the futures in which it came that fails alike", COR_CELL_REAL, 4, 0},
    {"low", "low", "1", "lower end of its interval", COR_CELL_REAL, 4, 0},
    {"high", "high", "1", "upper end", COR_CELL_REAL, 4, 0},
    {"futures", "futures", "1", "in which it came", COR_CELL_COUNT, 0, 0},
    {"alike", "alike", "1", "thereof failed alike", COR_CELL_COUNT, 0, 0},
};
COR_SHEET_DEFINITION(others_sheet, "others", "Others", "a row a text", 0, 0);

static const struct cor_column_definition said_sheet_columns[] = {
    {"said", "said", "", "a sentence", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(said_sheet, "said", "What was found", "a row a sentence", 0, 0);

static char *text_of(const struct why *why, size_t choice) {
    const struct cor_subject_test *test = &why->source.test;
    return why->layer->subject->text(test, &test->choices.items[choice]);
}

static void put_why(const struct why *why) {
    struct cor_sheet *sheet = cor_sheets_add(why->sheets, &why_sheet);
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, end_words[why->end]);
    cor_sheet_word(sheet, why->failure);
    cor_sheet_count(sheet, why->source.test.choices.count);
    cor_sheet_word(sheet, why->future.word);
    if (why->curve.by.ahead > 0)
        cor_sheet_count(sheet, why->curve.by.ahead);
    else
        cor_sheet_nothing(sheet);
    if (why->curve.rise > 0)
        cor_sheet_count(sheet, why->curve.moments[why->curve.rise].choices);
    else
        cor_sheet_nothing(sheet);
    cor_sheet_count(sheet, why->asked.tries.count);
}

static void put_share(struct cor_sheet *sheet, const struct cor_fail_share *fails) {
    cor_sheet_reals(sheet, 3, (const double[]){fails->share, fails->low, fails->high});
    cor_sheet_counts(sheet, 2, (const uint64_t[]){fails->futures, fails->alike});
}

/* ---- which choices it needs */

static const char *const ways[COR_WAYS] = {"gone", "later", "last"};

static void put_needed(const struct why *why) {
    struct cor_sheet *sheet = cor_sheets_add(why->sheets, &choices_sheet);
    for (size_t c = 0; why->needed && c < why->source.test.choices.count; c++) {
        const struct cor_needed *needed = &why->needed[c];
        cor_sheet_row(sheet);
        cor_sheet_count(sheet, c + 1);
        cor_sheet_text_take(sheet, text_of(why, c));
        for (int way = 0; way < COR_WAYS; way++)
            if (needed->tried >> way & 1)
                cor_sheet_word(sheet, needed->passes >> way & 1 ? "passes"
                                      : needed->goes >> way & 1 ? "otherwise"
                                                                : "alike");
            else
                cor_sheet_nothing(sheet);
    }
}

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

/* The first future with a law; NULL: there is none. */
static const char *first_law(const struct cor_subject *subject) {
    struct cor_future future;
    for (uint32_t f = 0; subject->future && subject->future(f, &future); f++)
        if (!future.no_law)
            return future.word;
    return NULL;
}

static enum cor_status find_needed(struct why *why, struct cor_error *error) {
    const struct cor_subject *subject = why->layer->subject;
    const size_t count = why->source.test.choices.count;
    const char *law = first_law(subject), *choice = subject->choice;
    char *pasted = cor_shell_quoted(why->request->path);
    size_t alone = 0, listed = 0;
    enum cor_status status = cor_made(pasted, error);
    COR_TRY_OUT(status);
    COR_TRY_OUT(cor_made(why->needed = cor_calloc(count, sizeof *why->needed), error));
    COR_TRY_OUT(cor_need_choices(&why->asked, why->needed, error));
    const bool is_stopped = why->asked.tries.is_stopped;
    for (size_t c = 0; c < count; c++) {
        alone += why->needed[c].goes >> COR_WAY_GONE & 1;
        listed += why->needed[c].goes != 0;
    }
    why->end = is_stopped ? STOPPED : listed > 0 ? NAMED : NEEDS_NONE;
    cor_bytes_print(&why->said, "The %s fails by %s with %s %zu. ", subject->test, why->failure, choice,
                    count);
    if (alone == count) {
        cor_bytes_print(&why->said, "Each of its %zu %ss is needed by itself: without it that does not come.",
                        count, choice);
        if (law)
            cor_bytes_print(
                &why->said,
                "\nHow probable it was behind each of them: corridor why %s%s%s --curve --future %s", pasted,
                why->request->key ? " --failure " : "", why->request->key ? why->request->key : "", law);
        cor_bytes_print(&why->said, "\n");
        goto out;
    }
    cor_bytes_print(&why->said, "Of its %zu %ss %zu %s needed by %s: without it that does not come%s.\n",
                    count, choice, alone, alone == 1 ? "is" : "are", alone == 1 ? "itself" : "themselves",
                    is_stopped ? ", as far as was tried" : "");
    for (size_t c = 0; c < count; c++)
        if (why->needed[c].goes != 0)
            COR_TRY_OUT(say_needed(why, c, error));
    if (!is_stopped)
        cor_bytes_print(&why->said, "corridor shrink takes out the others, and tries pairs.\n");
out:
    free(pasted);
    return status;
}

/* ---- the curve */

static enum cor_status find_law(struct why *why, struct cor_error *error) {
    const struct cor_subject *subject = why->layer->subject;
    const char *words[65] = {NULL}, *wanted = why->request->future;
    struct cor_future future;
    char remedy[1024];
    uint32_t count = 0;
    if (!subject->future)
        return cor_fail(error, COR_STATUS_INPUT, "--curve", "corridor why without it says which are needed",
                        "what may come behind the first %ss of a %s has no law", subject->choice,
                        subject->test);
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
    return why->future.word ? cor_fail(error, COR_STATUS_INPUT, "--future", remedy,
                                       "generator \"%s\" has no law: %s", wanted, why->future.no_law)
           : wanted
               ? cor_fail(error, COR_STATUS_INPUT, "--future", remedy, "there is no law \"%.80s\"", wanted)
               : cor_fail(error, COR_STATUS_INPUT, "--curve", remedy,
                          "how probable it is follows from a law: which is to be said with --future");
}

static void put_curve(const struct why *why) {
    const struct cor_curve *curve = &why->curve;
    struct cor_sheet *sheet = cor_sheets_add(why->sheets, &curve_sheet);
    for (size_t m = 0; m < curve->count; m++) {
        const struct cor_curve_moment *moment = &curve->moments[m];
        cor_sheet_row(sheet);
        cor_sheet_count(sheet, moment->choices);
        if (moment->choices > 0)
            cor_sheet_text_take(sheet, text_of(why, moment->choices - 1));
        else
            cor_sheet_nothing(sheet);
        put_share(sheet, &moment->fails);
    }
    sheet = cor_sheets_add(why->sheets, &others_sheet);
    for (size_t o = 0; o < curve->other_count; o++) {
        cor_sheet_row(sheet);
        cor_sheet_text(sheet, "%s", curve->others[o].text ? curve->others[o].text : "");
        cor_sheet_flag(sheet, curve->others[o].is_own);
        put_share(sheet, &curve->others[o].fails);
    }
}

#define BAR 8 /* characters of a rise from nothing to all */

/* A choice between whose moments the intervals part, or several. */
static enum cor_status say_change(struct why *why, size_t moment, struct cor_error *error) {
    const struct cor_curve *curve = &why->curve;
    const struct cor_curve_moment *behind = &curve->moments[moment], *before = behind - 1;
    const double rise = behind->fails.share - before->fails.share;
    const int bar = (int)ceil(BAR * fabs(rise));
    cor_bytes_print(&why->said, "%8.2f %6.2f  %-*.*s ", before->fails.share, behind->fails.share, BAR, bar,
                    rise > 0 ? "########" : "--------");
    if (behind->choices - before->choices > 1) {
        cor_bytes_print(&why->said, "%4u to %u: not looked at one by one\n", before->choices + 1,
                        behind->choices);
        return COR_OK;
    }
    char *text = text_of(why, before->choices);
    COR_TRY(cor_made(text, error));
    cor_bytes_print(&why->said, "%4u. %s.%s\n", behind->choices, text,
                    moment == curve->rise ? "  <- the largest rise" : "");
    free(text);
    return COR_OK;
}

/* Choices of which no more can be said than that. */
static void say_rest(struct why *why) {
    const struct cor_curve *curve = &why->curve;
    const char *choice = why->layer->subject->choice;
    uint32_t alone = 0, between = 0;
    double most = 0;
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
                        alone < why->source.test.choices.count ? "other " : "", choice,
                        alone == 1 ? " changes" : "s change", ceil(100 * most) / 100);
    if (between > 0)
        cor_bytes_print(
            &why->said,
            "%u %ss lie between moments whose intervals meet, and were not looked at one by one. ", between,
            choice);
    cor_bytes_print(&why->said,
                    "All intervals together hold with %g %%: %u futures of each of %zu moments.\n",
                    100 * COR_CURVE_LEVEL, curve->effort, curve->count - 1);
}

static enum cor_status say_others(struct why *why) {
    const struct cor_curve *curve = &why->curve;
    const char *choice = why->layer->subject->choice;
    if (curve->other_count <= 1)
        return COR_OK;
    cor_bytes_print(&why->said, "Had something else come as %s %u:\n", choice,
                    curve->moments[curve->rise].choices);
    for (size_t o = 0; o < curve->other_count; o++) {
        const struct cor_other *other = &curve->others[o];
        if (!other->is_own)
            cor_bytes_print(&why->said, "%8.2f  [%.2f, %.2f]  %s.\n", other->fails.share, other->fails.low,
                            other->fails.high, other->text ? other->text : "Nothing comes");
    }
    return COR_OK;
}

static enum cor_status say_curve(struct why *why, struct cor_error *error) {
    const struct cor_curve *curve = &why->curve;
    const struct cor_subject *subject = why->layer->subject;
    size_t listed = 0;
    cor_bytes_print(&why->said, "The %s fails by %s with %s %zu. How probable that is by the law of \"%s\", ",
                    subject->test, why->failure, subject->choice, why->source.test.choices.count,
                    why->future.word);
    if (curve->by.ahead > 0)
        cor_bytes_print(&why->said, "%u %s%s ahead:\n", curve->by.ahead, subject->choice,
                        curve->by.ahead == 1 ? "" : "s");
    else
        cor_bytes_print(&why->said, "to the last case:\n");
    for (size_t m = 1; m < curve->count; m++) {
        if (!cor_curve_parts(curve, m))
            continue;
        if (listed++ == 0)
            cor_bytes_print(&why->said, "  before  after\n");
        COR_TRY(say_change(why, m, error));
    }
    if (listed == 0)
        cor_bytes_print(&why->said, "No %s changes it as far as can be told: it is %.2f from the start.\n",
                        subject->choice, curve->moments[0].fails.share);
    COR_TRY(say_others(why));
    say_rest(why);
    return COR_OK;
}

static enum cor_status draw_curve(struct why *why, struct cor_error *error) {
    const struct cor_why_request *request = why->request;
    struct cor_curve *curve = &why->curve;
    const char *choice = why->layer->subject->choice;
    curve->by.ahead = (uint32_t)request->ahead;
    curve->by.seed = request->seed >= 0 ? (uint64_t)request->seed : why->source.test.experiment->seed;
    curve->effort = (uint32_t)request->effort;
    COR_TRY(cor_curve_draw(&why->asked, curve, error));
    if (curve->does_not_repeat) {
        why->end = FLAKY;
        cor_bytes_print(&why->said,
                        "The program does not repeat itself: %s %s %u %s the second time, so "
                        "nothing can be said of other futures.\n",
                        curve->differs_later ? "what came behind" : "after", choice, curve->stopped,
                        curve->differs_later ? "came otherwise" : "it stood otherwise");
        return COR_OK;
    }
    if (curve->count < 2)
        cor_bytes_print(&why->said, "It was ended before the first moment was known.\n");
    else
        COR_TRY(say_curve(why, error));
    why->end = why->asked.tries.is_stopped ? STOPPED : curve->rise > 0 ? NAMED : FLAT;
    return COR_OK;
}

/* ---- all of it */

static enum cor_status write_svg(const struct why *why, struct cor_error *error) {
    char *text = NULL;
    size_t size;
    if (why->curve.count < 2)
        return COR_OK;
    FILE *file = open_memstream(&text, &size);
    if (file)
        cor_report_write_curve(cor_sheets_find(why->sheets, "curve"), why->layer->subject->choice, file);
    const bool is_whole = file && !ferror(file);
    const enum cor_status status = (file && fclose(file) != 0) || !is_whole
                                       ? cor_fail_memory(error)
                                       : cor_output_text(why->request->svg, text, why->request->force, error);
    free(text);
    return status;
}

static enum cor_status show(struct why *why, struct cor_error *error) {
    if (why->asked.tries.is_stopped)
        cor_bytes_print(&why->said, "%s: no more than that is known.\n",
                        why->asked.tries.is_used_up ? "The budget is used up" : "Interrupted");
    char *said = cor_bytes_text_take(&why->said, error);
    COR_TRY(said ? COR_OK : COR_STATUS_MEMORY);
    enum cor_status status = cor_sheets_create("corridor-why-test", 1, &why->sheets, error);
    COR_TRY_OUT(status);
    put_why(why);
    if (why->request->curve)
        put_curve(why);
    else
        put_needed(why);
    struct cor_sheet *sheet = cor_sheets_add(why->sheets, &said_sheet);
    for (const char *at = said; *at;) {
        const size_t length = strcspn(at, "\n");
        cor_sheet_row(sheet);
        cor_sheet_text(sheet, "%.*s", (int)length, at);
        at += length + (at[length] == '\n');
    }
    if (why->request->svg)
        COR_TRY_OUT(write_svg(why, error));
    if (why->request->json)
        COR_TRY_OUT(cor_sheets_json(why->sheets, stdout, error));
    else
        cor_print("%s", said);
out:
    free(said);
    return status;
}

static enum cor_status carry_out(struct why *why, struct cor_error *error) {
    const struct cor_why_request *request = why->request;
    if (request->svg)
        COR_TRY(cor_output_check_before(request->svg, request->force, error));
    if (request->curve)
        COR_TRY(find_law(why, error));
    cor_catch_interrupts_briefly();
    COR_TRY(take_test(why, error));
    enum cor_status status = COR_OK;
    if (why->end == NAMED)
        status = request->curve ? draw_curve(why, error) : find_needed(why, error);
    cor_progress_doing(NULL);
    COR_TRY(status);
    return show(why, error);
}

enum cor_exit cor_why_failing(const struct cor_layer *layer, const struct cor_why_request *request) {
    static const enum cor_exit exits[] = {
        [NAMED] = COR_EXIT_DONE,        [NEEDS_NONE] = COR_EXIT_UNDECIDED, [FLAT] = COR_EXIT_UNDECIDED,
        [NOTHING] = COR_EXIT_UNDECIDED, [PASSES] = COR_EXIT_EXPECTATION,   [OPEN] = COR_EXIT_UNDECIDED,
        [FLAKY] = COR_EXIT_EXPECTATION, [STOPPED] = COR_EXIT_UNDECIDED};
    const struct cor_command *command = request->arguments->command;
    struct cor_error error = COR_NO_ERROR;
    const bool is_result = cor_is_result_file(request->path);
    if (request->key && !is_result)
        return cor_misuse(command, "--failure names a failure of a result file, and %s is a test",
                          request->path);
    if (is_result && !request->key)
        return cor_misuse(command, "needs the failure of the result file that is meant: --failure KEY");
    if (request->svg && !request->curve)
        return cor_misuse(command, "--svg draws the curve of a %s: --curve", layer->subject->test);
    if (request->curve && request->budget > 0 && request->budget < (uint64_t)request->effort)
        return cor_misuse(command, "--budget %" PRIu64 " is not enough for one moment: --effort is %" PRIi64,
                          request->budget, request->effort);
    struct why why = {.layer = layer, .request = request, .source = {.layer = layer, .path = request->path}};
    const enum cor_status status = carry_out(&why, &error);
    const enum cor_exit code =
        why.end == STOPPED && !why.asked.tries.is_used_up ? COR_EXIT_INCOMPLETE : exits[why.end];
    free(why.needed);
    free(why.failure);
    cor_bytes_fini(&why.said);
    cor_curve_fini(&why.curve);
    cor_sheets_destroy(why.sheets);
    cor_tests_source_fini(&why.source);
    return status != COR_OK ? cor_report(&error) : code;
}
