/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * why: the messages, draws and moves inside an algorithm without which a test does not fail; and its curve
 * (--curve): its choices are its cases. The first ones are executed as the test has them and saved; behind
 * them a future goes on by a law of walks, and all that is random there is drawn as of a sequence of its own,
 * as in splitting (layers/estimation). */
#include "commands.h"
#include "failing_test.h"
#include "isolation.h"
#include "layer_commands.h"
#include "output.h"
#include "show_view.h"
#include "subject_commands.h"
#include "why_told.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/run.h>
#include <corridor/test.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* What is drawn by a source that does not look at the system, can be drawn anew from any case on. */
static const struct cor_source *const laws[] = {&cor_source_profile, &cor_source_uniform};

#define OWN_NUMBERS (UINT32_C(1) << 31) /* from here on no suite has sequences */
#define NAMED_MOST 3u                   /* chains that a sentence names */

/* A bench of a test. */
struct futures {
    struct cor_test *test;            /* owned; it ends with the case that fails */
    struct cor_tester *tester;        /* borrowed */
    struct cor_runner *runner;        /* owned; NULL: nothing was executed */
    struct cor_saved_sequence *saved; /* owned; of the runner, behind `at` cases; */
    uint32_t at, cases;               /* cases: of the test as it was given */
    uint64_t forked;                  /* what all had come to there */
    const uint8_t *next; /* borrowed from the runner; states of chains that came first behind them */
};

static const struct cor_walk *walk_of(const struct futures *futures) {
    return &futures->test->suite->recorded[0];
}

static bool law_of(uint32_t index, struct cor_future *future) {
    if (index >= sizeof laws / sizeof *laws)
        return false;
    *future = (struct cor_future){laws[index]->name, laws[index]->meaning, NULL};
    return true;
}

static void put_state(struct cor_bytes *bytes, const struct cor_suite *suite, uint32_t chain, uint8_t state) {
    const struct cor_profile *profile = suite->profiles[suite->configuration->profile_of_chain[chain]];
    if (state < profile->state_count && profile->states && profile->states[state])
        cor_bytes_print(bytes, "%s", profile->states[state]);
    else
        cor_bytes_print(bytes, "state %u", state);
}

/* Which chains go to other states in the case; of many how many. */
static char *text_of(const struct cor_subject_test *test, const struct cor_choice *choice) {
    const struct futures *futures = test->scene;
    const struct cor_walk *walk = walk_of(futures);
    const uint32_t number = (uint32_t)choice->at;
    const uint8_t *from = cor_walk_at(walk, number - 1),
                  *to = choice->what ? futures->next : cor_walk_at(walk, number);
    struct cor_error error = COR_NO_ERROR;
    struct cor_bytes bytes = {0};
    uint32_t changed = 0;
    for (uint32_t chain = 0; chain < walk->chain_count; chain++)
        changed += from[chain] != to[chain];
    if (changed == 0)
        cor_bytes_print(&bytes, "No chain goes to another state");
    else if (changed > NAMED_MOST)
        cor_bytes_print(&bytes, "%u chains go to other states", changed);
    for (uint32_t chain = 0; chain < walk->chain_count && changed <= NAMED_MOST; chain++) {
        if (from[chain] == to[chain])
            continue;
        cor_bytes_print(&bytes, "%s %u goes from ", bytes.size > 0 ? ", chain" : "Chain", chain);
        put_state(&bytes, futures->test->suite, chain, from[chain]);
        cor_bytes_print(&bytes, " to ");
        put_state(&bytes, futures->test->suite, chain, to[chain]);
    }
    return cor_bytes_text_take(&bytes, &error);
}

static void end_futures(struct futures *futures) {
    cor_saved_sequence_destroy(futures->saved);
    cor_tester_end(futures->tester, futures->runner);
    futures->saved = NULL;
    futures->runner = NULL;
}

/* Executes the first cases. */
static enum cor_status set_out(struct futures *futures, uint32_t cases, struct cor_error *error) {
    struct cor_test_result result;
    end_futures(futures);
    COR_TRY(cor_tester_begin(futures->tester, futures->test, &futures->runner, error));
    COR_TRY(cor_saved_sequence_create(futures->runner, &futures->saved, error));
    COR_TRY(cor_tester_go_on(futures->tester, futures->test, futures->runner, cases, &result, error));
    futures->at = cases;
    futures->forked = result.hash;
    return cor_sequence_save(futures->runner, futures->saved, error);
}

static uint64_t class_of(const struct cor_test_result *result) {
    char text[COR_FAILURE_CLASS_TEXT];
    return result->case_ > 0 ? cor_failure_class(cor_failure_class_text(&result->class, text)) : 0;
}

static enum cor_status follow(void *self, const struct cor_subject_test *test, const struct cor_fork *fork,
                              struct cor_run *run, struct cor_error *error) {
    struct futures *futures = self;
    const uint32_t choices = fork->choices, cases = fork->ahead > 0 ? choices + fork->ahead : futures->cases;
    struct cor_test_result result;
    (void)test;
    if (!futures->runner || futures->at != choices)
        COR_TRY(set_out(futures, choices, error));
    COR_TRY(cor_sequence_restore(futures->runner, futures->saved, error));
    COR_TRY(cor_sequence_turn(futures->runner, laws[fork->future], OWN_NUMBERS | (uint32_t)(fork->seed >> 34),
                              cases, error));
    futures->next = cor_walk_at(cor_sequence_walk(futures->runner), choices + 1);
    COR_TRY(cor_tester_go_on(futures->tester, futures->test, futures->runner, COR_NONE, &result, error));
    *run = (struct cor_run){.class = class_of(&result),
                            .digest = result.hash,
                            .choices = result.cases,
                            .forked = futures->forked,
                            .does_not_repeat = fork->forked != 0 && fork->forked != futures->forked,
                            .goes_on = true,
                            .next = {.at = choices + 1, .what = 1}};
    return COR_OK;
}

static const struct cor_subject futures_of_test = {
    .test = "test", .choice = "case", .future = law_of, .follow = follow, .text = text_of};

/* The test up to the case that fails, twice alike. */
static enum cor_status take_test(struct futures *futures, const struct cor_test *test, const char *path,
                                 struct cor_test_result *result, struct cor_error *error) {
    struct cor_test_result again;
    if (test->arm.clocks.case_ticks > 0)
        return cor_fail(error, COR_STATUS_INPUT, path, "corridor estimate says how probable it fails",
                        "the test goes by a clock: between two of its cases more is under way than can be "
                        "saved");
    COR_TRY(cor_test_copy(test, &futures->test, error));
    futures->cases = cor_test_cases(test);
    COR_TRY(cor_tester_execute_to_failure(futures->tester, test, result, error));
    if (result->case_ == 0)
        return cor_fail(error, COR_STATUS_INPUT, path, "a test that fails",
                        "the test does not fail: there is nothing to explain");
    COR_TRY(cor_tester_execute_to_failure(futures->tester, test, &again, error));
    if (again.hash != result->hash)
        return cor_fail(error, COR_STATUS_INPUT, path, "corridor replay says what differs",
                        "the test does not come out alike the second time, so nothing can be said of other "
                        "futures");
    cor_test_truncate(futures->test, result->case_);
    return COR_OK;
}

/* Draws the curve of the test, as the request says, and shows it. COR_STATUS_INPUT: it has none. */
static enum cor_status show_curve(const struct cor_test *test, struct cor_tester *tester,
                                  const struct cor_why_request *request, enum cor_exit *code,
                                  struct cor_error *error) {
    struct futures futures = {.tester = tester};
    struct cor_experiment_head head = {.seed = test->suite->name.seed};
    struct cor_subject_test whole = {
        .experiment = &head, .suite = test->suite->name.suite, .sequence = test->sequence, .scene = &futures};
    struct cor_why_asked asked = {.subject = &futures_of_test, .bench = &futures, .test = &whole};
    struct cor_test_result result;
    char failure[COR_FAILURE_CLASS_TEXT];
    enum cor_status status = COR_OK;
    COR_TRY_OUT(take_test(&futures, test, request->of.path, &result, error));
    asked.class = class_of(&result);
    COR_TRY_OUT(COR_RESERVE(&whole.choices.items, &whole.choices.capacity, result.case_, error));
    for (uint32_t c = 0; c < result.case_; c++)
        whole.choices.items[whole.choices.count++] = (struct cor_choice){.at = c + 1};
    *code = cor_why_curve(&asked, cor_failure_class_text(&result.class, failure), request);
    whole.choices = (struct cor_choices){0};
    if (!request->of.key && (*code == COR_EXIT_DONE || *code == COR_EXIT_UNDECIDED))
        cor_say(
            "note: %s: futures go by the profiles that stand in it, of which shrinking leaves few arcs; by "
            "those of the campaign: corridor why RESULTS.h5 --failure KEY --curve",
            request->of.path);
out:
    end_futures(&futures);
    cor_test_destroy(futures.test);
    cor_choices_fini(&whole.choices);
    return status;
}

/* ---- the command */

#define REPORT(member) COR_CELL_OF(struct cor_why_report, member)
static const struct cor_column_definition why_sheet_columns[] = {
    {"end", "end", "",
     "named: a cause acts by itself; last: none does, the last is told; needs_none: it happens whatever is "
     "changed; nothing: there is nothing to be changed; passes, flaky, stopped",
     COR_CELL_WORD, 0, 0},
    {"case", "case", "1", "that fails", REPORT(case_)},
    {"class", "class", "", "of the failure", COR_CELL_TEXT, 0, 0},
    {"causes", "causes", "1", "that are named, or told as the last", COR_CELL_COUNT, 0, 0},
    {"together", "together", "", "only if all of them are changed the failure does not happen", COR_CELL_FLAG,
     0, 0},
    {"otherwise", "otherwise", "1", "thereof failing in another way when changed alone, instead of passing",
     REPORT(otherwise)},
    {"second", "second", "", "flaky: what came of it the second time: passes, or the class of a failure",
     COR_CELL_TEXT, 0, 0},
    {"messages", "messages", "messages", "that came in the reorganization", COR_CELL_COUNT, 0, 0},
    {"draws", "draws", "draws", "that can be changed apart", COR_CELL_COUNT, 0, 0},
    {"moves", "moves", "moves", "of the algorithm", COR_CELL_COUNT, 0, 0},
    {"messages_alone", "alone", "messages", "without which it does not happen", COR_CELL_COUNT, 0, 0},
    {"draws_alone", "alone", "draws", "likewise", COR_CELL_COUNT, 0, 0},
    {"moves_alone", "alone", "moves", "likewise", COR_CELL_COUNT, 0, 0},
    {"executions", "executions", "tests", "executed", COR_CELL_COUNT, 0, 0},
    {"executed_cases", "cases", "cases", "executed", COR_CELL_COUNT, 0, 0},
};
COR_SHEET_DEFINITION(why_sheet, "why", "Why", "the test", COR_SHEET_RECORD | COR_SHEET_TOP, 0);

static const struct cor_column_definition causes_sheet_columns[] = {
    {"part", "part", "", "message, draw or move", COR_CELL_WORD, 0, 0},
    {"number", "number", "1", "as it was sent, drawn or made, from 0", COR_CELL_COUNT, 0, 0},
    {"when", "when", "", "round of mail, or move", COR_CELL_TEXT, 0, 0},
    {"what", "what", "", "who did what", COR_CELL_TEXT, 0, 0},
    {"from", "from", "agent", "messages: who said it", COR_CELL_COUNT, 0, 0},
    {"to", "to", "agent", "messages: who heard it", COR_CELL_COUNT, 0, 0},
    {"kind", "kind", "1", "messages: the algorithm's own number for what is said", COR_CELL_COUNT, 0, 0},
    {"values", "values", "", "that were said or drawn", COR_CELL_TEXT, 0, 0},
    {"because", "because", "", "the message that was answered", COR_CELL_TEXT, 0, 0},
    {"then", "then", "", "what whoever heard it did", COR_CELL_TEXT, 0, 0},
    {"changed", "changed", "", "in which way", COR_CELL_TEXT, 0, 0},
    {"ends", "ends", "", "passes, otherwise: it fails in another way; of a set fails: it is not changed then",
     COR_CELL_WORD, 0, 0},
    {"instead", "instead", "", "what happened then", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(causes_sheet, "causes", "Causes", "a row a cause, in the order of happening", 0, 0);

struct request {
    struct cor_why_request asked; /* what the command line says */
    struct cor_why_definition definition;
    struct cor_failing_test failing; /* owned, as all below */
    struct cor_tester *tester;
    struct cor_why_report report;
    double shown;       /* when it was last said how far it is */
    enum cor_exit code; /* of a curve */
};

static const struct cor_algorithm *algorithm_of(const struct request *r) {
    return r->failing.test->arm.session.algorithm;
}

/* Each part is tried alone, in a few executions, and then some of them together. */
static bool go_on(void *self, uint64_t executions) {
    struct request *r = self;
    uint64_t parts = 0;
    for (int p = 0; p < COR_WHY_PARTS; p++)
        parts += r->report.there[p];
    return cor_progress_goes_on(
        &r->shown, "%" PRIu64 " executions, for %" PRIu64 " messages, draws and moves%s", executions, parts,
        r->asked.of.key ? "; a test that was shrunk has fewer" : "");
}

/* ---- as text */

static enum cor_status print_all(const struct request *r, struct cor_error *error) {
    char *summary = sequence__why_summary(&r->report, algorithm_of(r), cor_interrupts() > 0);
    COR_TRY(cor_made(summary, error));
    cor_print_text(stdout, summary, 0, 0);
    free(summary);
    for (size_t i = 0; i < r->report.cause_count; i++) {
        struct sequence__why_step step;
        COR_TRY(sequence__why_step(&r->report, algorithm_of(r), i, &step, error));
        const size_t number = i + 1;
        cor_print("\n%zu. %s: %s%s%s", number, step.when, step.what, *step.values ? ": " : "", step.values);
        if (*step.because)
            cor_print("\n   %s", step.because);
        if (*step.then)
            cor_print("\n   then: %s", step.then);
        cor_print("\n   %s: %s\n", step.changed, step.instead);
        sequence__why_step_fini(&step);
    }
    return COR_OK;
}

/* ---- as JSON */

static void put_report(const struct cor_why_report *report, struct cor_sheet *sheet) {
    char class[COR_FAILURE_CLASS_TEXT];
    cor_sheet_row(sheet);
    static const char *const words[] = {
        [COR_WHY_NAMED] = "named",     [COR_WHY_TOLD_LAST] = "last", [COR_WHY_NEEDS_NONE] = "needs_none",
        [COR_WHY_NOTHING] = "nothing", [COR_WHY_PASSES] = "passes",  [COR_WHY_FLAKY] = "flaky",
        [COR_WHY_STOPPED] = "stopped"};
    cor_sheet_word(sheet, words[report->end]);
    cor_sheet_count(sheet, report->case_);
    cor_sheet_text(sheet, "%s", cor_failure_class_text(&report->class, class));
    cor_sheet_count(sheet, report->cause_count);
    cor_sheet_flag(sheet, report->is_set);
    cor_sheet_count(sheet, report->otherwise);
    cor_sheet_text(sheet, "%s",
                   report->end != COR_WHY_FLAKY ? ""
                   : report->second.case_ == 0  ? "passes"
                                                : cor_failure_class_text(&report->second.class, class));
    cor_sheet_counts(sheet, COR_WHY_PARTS, report->there);
    cor_sheet_counts(sheet, COR_WHY_PARTS, report->alone);
    cor_sheet_count(sheet, report->executions);
    cor_sheet_count(sheet, report->cases);
}

static enum cor_status print_json(const struct request *r, struct cor_error *error) {
    COR_DESTROYED(cor_sheets) struct cor_sheets *sheets = NULL;
    COR_FREED char *summary = sequence__why_summary(&r->report, algorithm_of(r), cor_interrupts() > 0);
    COR_TRY(cor_made(summary, error));
    COR_TRY(cor_sheets_create("corridor-why", 1, &sheets, error));
    put_report(&r->report, cor_sheets_add(sheets, &why_sheet));
    struct cor_sheet *sheet = cor_sheets_add(sheets, &causes_sheet);
    for (size_t i = 0; i < r->report.cause_count; i++) {
        static const char *const parts[] = {"message", "draw", "move"};
        const struct cor_why_cause *cause = &r->report.causes[i];
        struct sequence__why_step step;
        COR_TRY(sequence__why_step(&r->report, algorithm_of(r), i, &step, error));
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, parts[cause->part]);
        cor_sheet_count(sheet, cause->number);
        cor_sheet_text(sheet, "%s", step.when);
        cor_sheet_text(sheet, "%s", step.what);
        if (cause->part == COR_WHY_MESSAGE) {
            const struct cor_course_message *message = &r->report.course.messages[cause->number];
            cor_sheet_counts(sheet, 3,
                             (const uint64_t[]){cor_course_agent(&r->report.course, message->from),
                                                cor_course_agent(&r->report.course, message->to),
                                                message->kind});
        } else {
            for (int j = 0; j < 3; j++)
                cor_sheet_nothing(sheet);
        }
        const char *texts[] = {step.values, step.because, step.then, step.changed};
        for (size_t j = 0; j < sizeof texts / sizeof *texts; j++)
            cor_sheet_text(sheet, "%s", texts[j]);
        cor_sheet_word(sheet, r->report.is_set            ? "fails"
                              : cause->instead.case_ == 0 ? "passes"
                                                          : "otherwise");
        cor_sheet_text(sheet, "%s", step.instead);
        sequence__why_step_fini(&step);
    }
    cor_sheets_say(sheets, summary);
    return cor_sheets_json(sheets, stdout, error);
}

/* ---- all of it */

static enum cor_status carry_out(struct request *r, struct cor_error *error) {
    if (r->asked.svg)
        COR_TRY(cor_output_check_before(r->asked.svg, r->asked.force, error));
    COR_TRY(cor_failing_test_read(&r->asked.of, &r->failing, error));
    COR_TRY(cor_tester_create(&r->tester, error));
    if (r->asked.curve)
        return show_curve(r->failing.test, r->tester, &r->asked, &r->code, error);
    r->definition = (struct cor_why_definition){r->asked.budget, go_on, r};
    cor_catch_interrupts_briefly(0);
    const enum cor_status status = cor_why(r->failing.test, &r->definition, r->tester, &r->report, error);
    cor_progress_doing(NULL);
    COR_TRY(status);
    const bool is_known = r->report.cause_count > 0 && r->report.end != COR_WHY_STOPPED;
    if (r->asked.svg && !is_known)
        cor_say("no cause is named: %s is not drawn", r->asked.svg);
    if (r->asked.svg && is_known) {
        char *text;
        COR_TRY(sequence__why_diagram(&r->report, algorithm_of(r), &text, error));
        const enum cor_status written = cor_output_text(r->asked.svg, text, r->asked.force, error);
        free(text);
        COR_TRY(written);
    }
    return r->asked.json ? print_json(r, error) : print_all(r, error);
}

static enum cor_exit exit_of(const struct cor_why_report *report) {
    switch (report->end) {
    case COR_WHY_NAMED:
    case COR_WHY_NEEDS_NONE:
        return COR_EXIT_DONE;
    case COR_WHY_PASSES:
    case COR_WHY_FLAKY:
        return COR_EXIT_EXPECTATION;
    case COR_WHY_TOLD_LAST:
    case COR_WHY_NOTHING:
        return COR_EXIT_UNDECIDED;
    case COR_WHY_STOPPED:
        break;
    }
    return cor_interrupts() > 0 ? COR_EXIT_INCOMPLETE : COR_EXIT_UNDECIDED;
}

static enum cor_exit run_why(const struct cor_arguments *arguments) {
    struct request *r = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    const struct cor_layer_commands *own = cor_commands_of_file(arguments->words[0]);
    r->asked.of.arguments = arguments;
    r->asked.of.path = arguments->words[0];
    if (own->tested)
        return cor_has_no_meaning(arguments, cor_not_of_why, own->tests)
                   ? COR_EXIT_USAGE
                   : cor_why_failing(own->tested, &r->asked);
    if (own->tests && cor_has_no_meaning(arguments, (const char *const[]){"curve", NULL}, own->tests))
        return COR_EXIT_USAGE;
    const enum cor_exit misuse = cor_failing_check(&r->asked.of);
    if (misuse != COR_EXIT_DONE)
        return misuse;
    const enum cor_status status = carry_out(r, &error);
    const enum cor_exit code = r->asked.curve ? r->code : exit_of(&r->report);
    cor_why_report_fini(&r->report);
    cor_tester_destroy(r->tester);
    cor_failing_test_fini(&r->failing);
    return status != COR_OK ? cor_report(&error) : code;
}

#define LOOKED_AT                                                                                         \
    " Tests" COR_OF_SUBJECTS ", are looked at from outside: each event, input or command is left out "    \
    "alone, comes later, or last" COR_WITH_AGENT(" (values of a case of an agent, which have no order, "  \
                                                 "only the first)") ", and those without which the test " \
                                                                    "does not fail are named."
#define ABOUT_CHOICES COR_WITH_SUBJECT(LOOKED_AT)
#define OR_OTHERS                              \
    COR_WITH_PROCESS(", events of a schedule") \
    COR_WITH_EFSM(", inputs of a model") COR_WITH_SYSTEM(", commands of a running system")
#define ABOUT_CURVES                                                                                         \
    " With --curve tests go on otherwise behind their first cases" OR_OTHERS ", by the law that --future "   \
    "names: how many of these fail alike says how probable the failure was behind each, which of them made " \
    "it so, and what else could have come (docs/do/why.md)."

const struct cor_command cor_command_why = {
    .name = "why",
    .summary = "find the cause of a failure",
    .operands = "RESULTS.h5|TEST.json",
    .takes = {1, 1, "needs one result file, or one test"},
    .request_size = sizeof(struct request),
    .manual =
        "Executes a failing test again and again, and each time changes one thing inside the algorithm in "
        "the reorganization of the failing case: it loses or delays a message between agents, or changes "
        "a random number, or what is drawn for one move. It names the changes without which the failure "
        "does not happen, even if all other messages are as they were. If no change does this alone, it "
        "names the smallest set that does it together. If several do it alone, but none while other messages "
        "are as they were, no cause is named: the last of them is told. Of each it is said whether the test "
        "passes then, or fails in another way. It tells them in the order of happening: who said "
        "what to whom, what the receiver did, and what happened instead after the change. With --svg it "
        "also draws a sequence diagram. Shrink the test first: then there is less to try. The exit code "
        "is 1 if the test passes or fails in another way the second time, and 7 without a verdict: no cause "
        "is named, the budget ended, or nothing can be changed." ABOUT_CHOICES ABOUT_CURVES,
    .options =
        {
            {"failure", 0, "KEY",
             "explain this one of a result file: ARM/SUITE/SEQUENCE/CASE, as corridor failures "
             "says" COR_WITH_PROCESS("; ARM/SUITE/SEQUENCE of a schedule") COR_WITH_SYSTEM(
                 "; ARM/SUITE of a running system") COR_WITH_EFSM("; ARM/SUITE of a test of a model")
                 COR_WITH_AGENT("; ARM/UNIT/CASE of an agent"),
             COR_TEXT(asked.of.key)},
            {"budget", 0, "N", "execute at most N cases; what is not decided by then has no verdict",
             COR_INTEGER(asked.budget, 1, INT64_MAX, 0), .otherwise = "as many as it takes"},
            {"curve", 0, NULL, "say how probable the failure was behind each case" OR_OTHERS,
             COR_FLAG(asked.curve)},
            {"future", 0, "WORD",
             "go on by this law: profile or uniform, of walks" COR_WITH_PROCESS(
                 "; of a schedule that of the generator timed, random, burst or swarm")
                 COR_WITH_EFSM("; of a test of a model uniform or frequencies"),
             COR_TEXT(asked.future), .needs = "curve"},
            {"ahead", 0, "N", "go on for at most N of them behind each moment",
             COR_INTEGER(asked.ahead, 1, 1000000, 0), .otherwise = "to the end", .needs = "curve"},
            {"effort", 0, "N", "follow N futures from each moment",
             COR_INTEGER(asked.effort, 10, 1000000, 1000), .needs = "curve"},
            {"seed", 0, "N", "draw the futures from this seed", COR_INTEGER(asked.seed, 0, INT64_MAX, -1),
             .otherwise = "the test's", .needs = "curve"},
            {"svg", 0, "FILE", "draw the causes as a sequence diagram there, or the curve",
             COR_TEXT(asked.svg)},
            {"force", 'f', NULL, "replace that file if it is there", COR_FLAG(asked.force), .needs = "svg"},
            COR_ISOLATION_OPTIONS(asked.of.options),
            COR_TRUST_OPTION(asked.of.trust),
            COR_JSON_OPTION(asked.json),
            COR_UNSEALED_OPTION(asked.of.unsealed),
        },
    .examples = {"corridor shrink demo.h5 --failure SPADA-F2/4/2/6 -o small.json",
                 "corridor why small.json --svg why.svg",
                 "corridor why demo.h5 --failure SPADA-F2/4/2/6 --curve --future profile",
                 COR_WITH_PROCESS("corridor why lone.json --curve --future random --ahead 9")},
    .run = run_why,
    .reads = true,
};
