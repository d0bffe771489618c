/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * check: the conformance kit over algorithms and what works beside them, shown. */
#include "commands.h"
#include "corridor.h"
#include "output.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/cell.h>
#include <corridor/host.h>
#include <corridor/own_file.h>
#include <corridor/process.h>
#include <corridor/test_points.h>

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REPORT(member) COR_CELL_OF(struct cor_conformance_report, member)
/* What was checked: algorithms, distributed programs, or both; the keys are the same. */
#define CHECKED_COLUMNS(word, tried)                                                                       \
    {"algorithm", word, "", "what was asked for: a name or a path", REPORT(asked)},                        \
        {"name", "name", "", "its own name", REPORT(name)},                                                \
        {"version", "version", "", "its own version", REPORT(version)},                                    \
        {"shape", "shape", "",                                                                             \
         "one-shot, centralised or decentralised, processes, mechanism, or monitor; program: in a "        \
         "process of its own",                                                                             \
         COR_TEXT_OF(struct cor_conformance_report, shape)},                                               \
        {"held", "held", "", "checks that hold", COR_CELL_COUNT, 0, 0},                                    \
        {"broken", "broken", "", "checks that do not", COR_CELL_COUNT, 0, 0},                              \
        {"not_applicable", "not applicable", "", "checks of what it does not have", COR_CELL_COUNT, 0, 0}, \
        {"undecided", "no verdict", "", "checks in which not all was reached", COR_CELL_COUNT, 0, 0},      \
        {"tasks", tried, "", "tasks or schedules tried, by all checks", COR_CELL_COUNT, 0, 0}, {           \
        "seconds", "s", "s", "time it took", COR_CELL_REAL, 2, 0                                           \
    }

static const struct cor_column_definition algorithms_columns[] = {CHECKED_COLUMNS("algorithm", "tasks")};
COR_SHEET_DEFINITION(algorithms, "algorithms", "Algorithms", "an algorithm", 0, 0);
static const struct cor_column_definition programs_columns[] = {CHECKED_COLUMNS("program", "schedules")};
COR_SHEET_DEFINITION(programs, "algorithms", "Distributed programs", "a program", 0, 0);
static const struct cor_column_definition both_columns[] = {CHECKED_COLUMNS("checked", "tasks")};
COR_SHEET_DEFINITION(both, "algorithms", "Algorithms and distributed programs", "one of them", 0, 0);

static const struct cor_sheet_definition beside =
    COR_SHEET_OVER(both_columns, "algorithms", "Mechanisms and monitors", "a mechanism or a monitor", 0, 0);
static const struct cor_sheet_definition mixed = COR_SHEET_OVER(
    both_columns, "algorithms", "Algorithms, programs, mechanisms, monitors", "one of them", 0, 0);

#define FINDING(member) COR_CELL_OF(struct cor_conformance_finding, member)
static const struct cor_column_definition checks_columns[] = {
    {"algorithm", "", "", "what was asked for", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"check", "check", "", "name of the check, for --only", COR_CELL_WORD, 0, 0},
    {"verdict", "verdict", "", "held, broken, not_applicable, undecided, not_run", COR_CELL_WORD, 0, 0},
    {"tasks", "tried", "", "tasks or schedules tried", FINDING(trials)},
    {"agents", "agents", "", "agents, or processes, of the smallest task or schedule it broke with",
     COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"seed", "seed", "", "seed of that", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"said", "", "", "broken: what happened; else what a reader should know", COR_CELL_TEXT, 0, 0},
    {"meaning", "meaning", "", "what the check asks", COR_CELL_TEXT, 0, COR_COLUMN_DATA},
    {"again", "again", "", "the command that shows it again", COR_CELL_TEXT, 0, COR_COLUMN_DATA},
    {"seconds", "seconds", "s", "time it took", FINDING(seconds), 2, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(checks, "checks", "Checks", "a check", 0, 0);

struct request {
    struct cor_sheet_options sheets;
    bool all, junit, tap;
    bool is_process, is_algorithm; /* all that is named is said to be one */
    int only;                      /* index of a check; -1 = all */
    struct cor_conformance_definition check;
    size_t number, count; /* of what is checked: the how manieth runs, of how many */
    double begun, shown;  /* when that was, and when it was said last */
};

static bool is_for_people(const struct request *request) {
    return !request->sheets.json && !request->junit && !request->tap;
}

/* Says the check with the time that is left if all take as long as those before. */
static bool go_on(void *self, const struct cor_conformance_progress *progress) {
    struct request *request = self;
    char left[64], of[64] = "";
    if (!is_for_people(request))
        return cor_interrupts() == 0;
    if (progress->number == 1 && progress->trials == 0)
        request->begun = cor_now();
    cor_say_left(cor_now() - request->begun, progress->number - 1, progress->count, left, sizeof left);
    if (request->count > 1)
        snprintf(of, sizeof of, " (%zu of %zu)", request->number, request->count);
    return cor_progress_goes_on(&request->shown, "%.80s%s: check %zu of %zu, %s, %" PRIu64 " tried%s",
                                request->check.algorithm, of, progress->number, progress->count,
                                progress->check, progress->trials, left);
}

/* What was found of all algorithms. */
struct findings {
    struct cor_conformance_report *reports; /* owned */
    size_t count;
};

/* The command that shows a broken check again; NULL when memory is out. */
static char *again_text(const struct cor_conformance_report *report, size_t check) {
    const struct cor_conformance_finding *finding = &report->finding[check];
    const char *name = cor_conformance_name(check);
    char *asked = cor_shell_quoted(report->asked), *text = NULL;
    static const char *const options[] = {"", " --algorithm", " --process", ""}; /* by what was said of it */
    if (asked && finding->agents == 0)
        text = cor_format("corridor check %s --only %s%s", asked, name, options[report->told]);
    else if (asked)
        text = cor_format("corridor check %s --only %s --agents %" PRIu32 " --seed %" PRIu64 "%s", asked,
                          name, finding->agents, finding->seed, options[report->told]);
    free(asked);
    return text;
}

/* What is said of a check to a reader: evidence with its task, or a remark; NULL: nothing, or memory is out.
 */
static char *said_text(const struct cor_conformance_report *report,
                       const struct cor_conformance_finding *finding) {
    if (finding->verdict == COR_CONFORMANCE_BROKEN && finding->agents > 0)
        return cor_format("%" PRIu32 " %s, seed %" PRIu64 ": %s", finding->agents,
                          cor_conformance_is_of_processes(report) ? "processes" : "agents", finding->seed,
                          finding->said ? finding->said : "");
    return cor_strdup(finding->said ? finding->said : finding->remark);
}

static void fill_check(const struct cor_conformance_report *report, size_t check, struct cor_sheet *sheet) {
    const struct cor_conformance_finding *finding = &report->finding[check];
    const bool broken = finding->verdict == COR_CONFORMANCE_BROKEN;
    char *again = broken ? again_text(report, check) : NULL, *said = said_text(report, finding);
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, report->asked);
    cor_sheet_word(sheet, cor_conformance_name(check));
    static const char *const words[] = {[COR_CONFORMANCE_NOT_RUN] = "not_run",
                                        [COR_CONFORMANCE_HELD] = "held",
                                        [COR_CONFORMANCE_BROKEN] = "broken",
                                        [COR_CONFORMANCE_NOT_APPLICABLE] = "not_applicable",
                                        [COR_CONFORMANCE_UNDECIDED] = "undecided"};
    cor_sheet_word(sheet, words[finding->verdict]);
    cor_sheet_tone(sheet, broken ? COR_TONE_BAD : COR_TONE_PLAIN);
    COR_SHEET_PUT(sheet, struct cor_conformance_finding, finding);
    if (broken && finding->agents > 0) {
        cor_sheet_count(sheet, finding->agents);
        cor_sheet_count(sheet, finding->seed);
    } else {
        cor_sheet_nothing(sheet);
        cor_sheet_nothing(sheet);
    }
    cor_sheet_word(sheet, said ? said : "");
    cor_sheet_word(sheet, cor_conformance_meaning(check));
    cor_sheet_word(sheet, again);
    COR_SHEET_PUT(sheet, struct cor_conformance_finding, finding);
    if (again)
        cor_sheet_remark(sheet, "%s: %s. Again: %s", cor_conformance_name(check),
                         cor_conformance_meaning(check), again);
    COR_FREE(again, said);
}

static enum cor_status print_sheets(const struct cor_sheet_options *options, const struct findings *findings,
                                    struct cor_error *error) {
    struct cor_sheets *sheets = NULL;
    COR_TRY(cor_sheets_create("corridor-check-algorithm", 1, &sheets, error));
    size_t of_kind[COR_CONFORMANCE_BESIDE + 1] = {0};
    for (size_t i = 0; i < findings->count; i++)
        of_kind[findings->reports[i].kind]++;
    const struct cor_sheet_definition *definition =
        of_kind[COR_CONFORMANCE_BESIDE] == findings->count      ? &beside
        : of_kind[COR_CONFORMANCE_BESIDE] > 0                   ? &mixed
        : of_kind[COR_CONFORMANCE_ALGORITHM] == findings->count ? &algorithms
        : of_kind[COR_CONFORMANCE_PROCESS] == findings->count   ? &programs
                                                                : &both;
    struct cor_sheet *all = cor_sheets_add(sheets, definition), *each = cor_sheets_add(sheets, &checks);
    for (size_t i = 0; i < findings->count; i++) {
        const struct cor_conformance_report *report = &findings->reports[i];
        uint64_t count[COR_CONFORMANCE_UNDECIDED + 1] = {0}, trials = 0;
        double seconds = 0;
        for (size_t check = 0; check < COR_CONFORMANCE_COUNT; check++) {
            count[report->finding[check].verdict]++;
            trials += report->finding[check].trials;
            seconds += report->finding[check].seconds;
        }
        COR_SHEET_PUT(all, struct cor_conformance_report, report);
        cor_sheet_counts(all, 5,
                         (const uint64_t[]){count[COR_CONFORMANCE_HELD], count[COR_CONFORMANCE_BROKEN],
                                            count[COR_CONFORMANCE_NOT_APPLICABLE],
                                            count[COR_CONFORMANCE_UNDECIDED], trials});
        cor_sheet_real(all, seconds);
        for (size_t check = 0; check < COR_CONFORMANCE_COUNT; check++)
            if (findings->reports[i].finding[check].verdict != COR_CONFORMANCE_NOT_RUN)
                fill_check(&findings->reports[i], check, each);
    }
    enum cor_status status = cor_show_sheets(options, sheets, "checks", error);
    cor_sheets_destroy(sheets);
    return status;
}

static enum cor_status print_points(const struct findings *findings, bool junit, struct cor_error *error) {
    size_t count = 0;
    struct cor_test_point *points = cor_calloc(findings->count * COR_CONFORMANCE_COUNT + 1, sizeof *points);
    enum cor_status status = COR_OK;
    COR_TRY(cor_made(points, error));
    for (size_t i = 0; i < findings->count; i++)
        for (size_t check = 0; check < COR_CONFORMANCE_COUNT; check++)
            if (findings->reports[i].finding[check].verdict != COR_CONFORMANCE_NOT_RUN) {
                const struct cor_conformance_report *report = &findings->reports[i];
                struct cor_test_point *point = &points[count++];
                const struct cor_conformance_finding *finding = &report->finding[check];
                const bool broken = finding->verdict == COR_CONFORMANCE_BROKEN;
                char *again = broken ? again_text(report, check) : NULL;
                *point = (struct cor_test_point){.suite = report->asked,
                                                 .name = cor_conformance_name(check),
                                                 .meaning = cor_conformance_meaning(check),
                                                 .message = said_text(report, finding),
                                                 .again = again,
                                                 .result = broken ? COR_POINT_FAILED
                                                           : finding->verdict == COR_CONFORMANCE_HELD
                                                               ? COR_POINT_PASSED
                                                               : COR_POINT_SKIPPED,
                                                 .seconds = finding->seconds};
                if (broken && !again)
                    COR_TRY_OUT(cor_fail_memory(error));
            }
    COR_TRY_OUT(junit ? cor_points_junit(points, count, stdout, error)
                      : cor_points_tap(points, count, stdout, error));
out:
    for (size_t i = 0; i < count; i++) {
        COR_FREE((void *)(uintptr_t)points[i].message, (void *)(uintptr_t)points[i].again);
    }
    free(points);
    return status;
}

/* A name that is no path must be that of an algorithm; what else is built in was looked for before. */
static enum cor_status find_builtin(struct cor_registry *registry, const char *name,
                                    struct cor_error *error) {
    const struct cor_algorithm *found;
    struct cor_error own = COR_NO_ERROR; /* the first stays */
    const char *names[64] = {0};
    char known[1024];
    size_t count = 0;
    const enum cor_status status = cor_registry_find(registry, name, &found, &own);
    if (status == COR_OK)
        return COR_OK;
    for (uint32_t a = 0; a < cor_registry_size(registry) && count + 1 < sizeof names / sizeof *names; a++)
        names[count++] = cor_registry_at(registry, a)->name;
    for (size_t p = 0; cor_conformance_program(p) && count + 1 < sizeof names / sizeof *names; p++)
        names[count++] = cor_conformance_program(p);
    for (size_t b = 0; cor_conformance_beside(b) && count + 1 < sizeof names / sizeof *names; b++)
        if (cor_registry_find(registry, cor_conformance_beside(b), &found, &own) != COR_OK)
            names[count++] = cor_conformance_beside(b); /* else an algorithm is called so */
    cor_known_names(name, names, known, sizeof known);
    return cor_fail(
        error, status, NULL, access(name, F_OK) == 0 ? own.remedy : known,
        "there is no algorithm, " COR_WITH_PROCESS("distributed program, ") "mechanism or monitor \"%.80s\"",
        name);
}

static enum cor_status check_all(const struct cor_arguments *arguments, struct findings *findings,
                                 struct cor_error *error) {
    static const char *const words[] = {COR_CHECK_CHILD, NULL};
    struct request *request = arguments->request;
    struct cor_conformance_definition *check = &request->check;
    struct cor_registry *registry = NULL;
    char program[4096];
    enum cor_status status = COR_OK;
    COR_TRY(cor_registry_create(NULL, &registry, error));
    const size_t algorithm_count = request->all ? cor_registry_size(registry) : 0;
    size_t builtins = algorithm_count;
    while (request->all && cor_conformance_program(builtins - algorithm_count))
        builtins++;
    const size_t word_count = (size_t)arguments->word_count;
    /* Names that are no paths must be those of what is built in. */
    for (int i = 0; i < arguments->word_count; i++)
        if (cor_conformance_is_program(arguments->words[i]) ||
            cor_conformance_is_beside(arguments->words[i]) || cor_conformance_is_command(arguments->words[i]))
            continue; /* as a command it is looked at when it is started */
        else if (!strchr(arguments->words[i], '/'))
            COR_TRY_OUT(find_builtin(registry, arguments->words[i], error));
        else if (access(arguments->words[i], F_OK) != 0)
            COR_TRY_OUT(cor_fail_errno(error, COR_STATUS_FILE, arguments->words[i], NULL, "cannot open"));
    findings->reports = cor_calloc(builtins + word_count + 1, sizeof *findings->reports);
    COR_TRY_OUT(cor_made(findings->reports, error));
    /* Where this program lies, for starting it again. */
    cor_own_program(program, sizeof program);
    if (!program[0])
        COR_TRY_OUT(cor_fail_errno(error, COR_STATUS_FILE, cor_own_file(), NULL,
                                   "cannot tell where the program lies"));
    check->program = program;
    check->words = words;
    check->only = request->only < 0 ? NULL : cor_conformance_name((size_t)request->only);
    check->cpu_seconds = 60;
    check->doing = go_on;
    check->self = request;
    request->count = builtins + word_count;
    cor_catch_interrupts();
    for (size_t i = 0; i < request->count && cor_interrupts() == 0; i++) {
        request->number = i + 1;
        check->algorithm = i < algorithm_count ? cor_registry_at(registry, (uint32_t)i)->name
                           : i < builtins      ? cor_conformance_program(i - algorithm_count)
                                               : arguments->words[i - builtins];
        check->kind = i < builtins            ? COR_CONFORMANCE_UNKNOWN
                      : request->is_process   ? COR_CONFORMANCE_PROCESS
                      : request->is_algorithm ? COR_CONFORMANCE_ALGORITHM
                                              : COR_CONFORMANCE_UNKNOWN;
        COR_TRY_OUT(cor_conformance_run(check, &findings->reports[findings->count++], error));
    }
out:
    if (is_for_people(request))
        cor_progress_doing(NULL);
    cor_registry_destroy(registry);
    return status;
}

/* Did the check hold, or break? `only` < 0: any of them. */
static bool is_decided(const struct cor_conformance_report *report, int only) {
    for (size_t check = 0; check < COR_CONFORMANCE_COUNT; check++)
        if ((only < 0 || check == (size_t)only) && (report->finding[check].verdict == COR_CONFORMANCE_HELD ||
                                                    report->finding[check].verdict == COR_CONFORMANCE_BROKEN))
            return true;
    return false;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    struct findings findings = {0};
    size_t broken = 0;
    bool decided = false, is_stopped = false;
    if (arguments->word_count == 0 && !request->all)
        return cor_misuse(arguments->command,
                          "needs an algorithm, " COR_WITH_PROCESS(
                              "a distributed program, ") "a mechanism or a monitor, or --all");
    enum cor_status status = check_all(arguments, &findings, &error);
    if (status == COR_OK)
        status = request->junit || request->tap ? print_points(&findings, request->junit, &error)
                                                : print_sheets(&request->sheets, &findings, &error);
    is_stopped = findings.count < request->count;
    for (size_t i = 0; i < findings.count; i++) {
        is_stopped = is_stopped || findings.reports[i].is_stopped;
        broken += cor_conformance_broken(&findings.reports[i]);
        decided = decided || is_decided(&findings.reports[i], request->only);
        cor_conformance_report_fini(&findings.reports[i]);
    }
    free(findings.reports);
    if (status == COR_OK && is_stopped)
        cor_say("interrupted: what is not listed was not checked");
    return status != COR_OK ? cor_report(&error)
           : is_stopped     ? COR_EXIT_INCOMPLETE
           : broken > 0     ? COR_EXIT_EXPECTATION
           : !decided       ? COR_EXIT_UNDECIDED
                            : COR_EXIT_DONE;
}

/* Said where these layers are built. */
#define HELD_AS_PROCESS                                                                                 \
    COR_WITH_PROCESS(                                                                                   \
        "A distributed program (a built-in one, or a module that exports " COR_PROCESS_SYMBOL           \
        ") is held against corridor/process.h: the same schedule gives the same bits, a crash forgets " \
        "what is not stored, nobody but the host is asked. ")
#define BY_HELLO \
    COR_WITH_PROCESS("one or the other, as it answers the hello") COR_WITHOUT_PROCESS("an algorithm")
#define PAGE_OF_PROCESSES COR_WITH_PROCESS(", docs/learn/add-a-process.md of a distributed program")
#define SCHEDULES COR_WITH_PROCESS(", schedules of so many processes")

const struct cor_command cor_command_check = {
    .name = "check",
    .summary = "check algorithms, programs",
    .operands = "[NAME | ./MODULE.so | ./PROGRAM | 'COMMAND WITH WORDS' ...]",
    .takes = {0, INT_MAX, NULL},
    .request_size = sizeof(struct request),
    .manual =
        "Holds algorithms against what corridor/plugin.h asks, check by check: the same outcome whenever, "
        "wherever and however often it is asked; a partitioning or a refusal with words for every task, the "
        "odd ones too; budgets, limits, faults and counters as declared; hands off what is not its "
        "own. " HELD_AS_PROCESS
        "A mechanism (corridor/mechanism.h) and a monitor (corridor/monitor.h), built in or modules, do "
        "their work whatever the values and structures are, the same whenever and wherever. A program in "
        "another language, ./PROGRAM or a command with words, is " BY_HELLO
        ". Each check runs in processes of its own, so whatever crashes breaks one check. What is broken is "
        "said with the smallest task that broke it, and how to see it again. Exit code 1 if a check is "
        "broken, also if what is to be checked cannot be loaded. docs/do/check-an-algorithm.md says what "
        "each check of an algorithm means" PAGE_OF_PROCESSES ".",
    .options =
        {
            {"all", 0, NULL, "check all that is built in, too", COR_FLAG(all)},
            {"algorithm", 0, NULL, "take ./PROGRAM or the command for an algorithm (default: as it answers)",
             COR_FLAG(is_algorithm), COR_WITH_PROCESS(.excludes = "process")},
            COR_WITH_PROCESS({"process", 0, NULL, "take it for a distributed program",
                              COR_FLAG(is_process)}, ){"only", 0, "CHECK",
                                                       "make that check alone (and whether it can be loaded)",
                                                       COR_WORD(only, cor_conformance_name, 0, -1)},
            {"agents", 0, "N", "give only tasks of so many agents" SCHEDULES,
             COR_INTEGER(check.agents, 1, 100000, 0)},
            {"seed", 0, "N", "give only tasks " COR_WITH_PROCESS("or schedules ") "of that seed",
             COR_INTEGER(check.seed, 0, INT64_MAX, -1)},
            COR_JSON_OPTION(sheets.json),
            COR_JUNIT_OPTION(junit),
            COR_TAP_OPTION(tap),
        },
    .examples = {"corridor check ./my_algorithm.so",
                 "corridor check ./my_algorithm.so --only budget --agents 3 --seed 5",
                 "corridor check 'node my_algorithm.js'" COR_WITH_PROCESS(" 'python3 token_ring.py'"),
                 "corridor check ./my_monitor.so balance", "corridor check --all --junit > conformance.xml"},
    .run = run,
};
