/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shrink: a failure of a result file, or a test, as a smaller test that fails alike; or whether it is small.
 */
#include "commands.h"
#include "failing_test.h"
#include "isolation.h"
#include "keep.h"
#include "output.h"
#include "replay.h"
#include "running.h"
#include "show_view.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/failing.h>
#include <corridor/interaction.h>
#include <corridor/shrink.h>
#include <corridor/system_schema.h>
#include <corridor/system_shrink.h>
#include <corridor/work.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REPORT(member) COR_CELL_OF(struct cor_shrink_report, member)
static const struct cor_column_definition shrink_sheet_columns[] = {
    {"cases", "cases", "cases", "of the smaller test", REPORT(after.cases)},
    {"agents", "agents", "agents", "of it", REPORT(after.agents)},
    {"groups", "groups", "groups", "of it", REPORT(after.groups)},
    {"chains", "chains", "chains", "of it", REPORT(after.chains)},
    {"partitions", "partitions", "partitions", "of it, at the start", REPORT(after.partitions)},
    {"executions", "executions", "tests", "executed", REPORT(counts.executions)},
    {"minimal", "minimal", "", "minimal: every further step loses the failure", COR_CELL_FLAG, 0, 0},
    {"repeats", "repeats", "", "the failure is there again whenever the test is executed", COR_CELL_FLAG, 0,
     0},
    {"steps", "steps", "steps", "single ones that were looked at in the end", REPORT(steps)},
    {"outside", "outside", "tests", "not executed: outside of what the model allows", REPORT(counts.outside)},
    {"class", "class", "", "of the failure", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(shrink_sheet, "shrink", "Shrink", "the test", COR_SHEET_RECORD | COR_SHEET_TOP, 0);

#define SIZE(member) COR_CELL_OF(struct cor_test_size, member)
static const struct cor_column_definition sizes_sheet_columns[] = {
    {"what", "what", "", "which test", COR_CELL_WORD, 0, 0},
    {"cases", "cases", "cases", "test cases", SIZE(cases)},
    {"agents", "agents", "agents", "agents", SIZE(agents)},
    {"groups", "groups", "groups", "groups of agents", SIZE(groups)},
    {"chains", "chains", "chains", "chains of the environment", SIZE(chains)},
    {"partitions", "partitions", "partitions", "at the start", SIZE(partitions)},
};
COR_SHEET_DEFINITION(sizes_sheet, "sizes", "Sizes", "before and after", 0, 0);

static const struct cor_column_definition said_sheet_columns[] = {
    {"said", "said", "", "a sentence", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(said_sheet, "said", "What was found", "a row a sentence", 0, 0);

struct request {
    bool unsealed, json, checks, forces, trust; /* what the command line says */
    const char *output, *key;                   /* key: of the failure; NULL: a test file */
    const char *property;                       /* that the sequence violates; NULL: a box saw a failure */
    struct cor_shrink_definition shrinking;
    struct cor_layer_options options;
    const struct cor_arguments *arguments;
    const struct cor_command *command;
    const char *path;
    struct cor_failing_test failing; /* owned, as all below */
    struct cor_test *smaller;
    struct cor_tester *tester;
    struct cor_shrink_report report;
};

static void close_request(struct request *r) {
    cor_shrink_report_fini(&r->report);
    cor_tester_destroy(r->tester);
    cor_test_destroy(r->smaller);
    cor_failing_test_fini(&r->failing);
}

static struct cor_failing_source source_of(const struct request *r) {
    return (struct cor_failing_source){r->command,  r->path,  r->key,     r->property,
                                       r->unsealed, r->trust, &r->options};
}

static bool go_on(void *self, const struct cor_shrink_counts *counts) {
    return cor_progress_goes_on(self, "%u cases, %u agents after %llu executions: %s", counts->cases,
                                counts->agents, (unsigned long long)counts->executions,
                                counts->pass ? counts->pass : "");
}

static enum cor_status work(struct request *r, struct cor_error *error) {
    double shown = 0;
    r->shrinking.go_on = go_on;
    r->shrinking.self = &shown;
    cor_catch_interrupts_briefly();
    COR_TRY(cor_tester_create(&r->tester, error));
    const enum cor_status status =
        r->checks ? cor_shrink_check(r->failing.test, &r->shrinking, r->tester, &r->report, error)
                  : cor_shrink(r->failing.test, &r->shrinking, r->tester, &r->smaller, &r->report, error);
    cor_progress_doing(NULL);
    return status;
}

static bool is_standard_output(const char *path) {
    return path && strcmp(path, "-") == 0;
}

/* The sentences alone, for people; for scripts everything. A test on standard output has the sentences. */
static enum cor_status show(const struct request *r, struct cor_error *error) {
    struct cor_sheets *sheets;
    if (is_standard_output(r->output))
        return COR_OK;
    if (!r->json) {
        cor_print("%s\n", r->report.said);
        return COR_OK;
    }
    COR_TRY(cor_sheets_create("corridor-shrink", 1, &sheets, error));
    const struct cor_shrink_report *report = &r->report;
    const struct cor_test *test = r->smaller ? r->smaller : r->failing.test;
    char class[COR_FAILURE_CLASS_TEXT];
    struct cor_sheet *sheet = cor_sheets_add(sheets, &shrink_sheet);
    COR_SHEET_PUT(sheet, struct cor_shrink_report, report);
    cor_sheet_flag(sheet, report->end == COR_SHRINK_MINIMAL);
    cor_sheet_flag(sheet, report->end != COR_SHRINK_FLAKY);
    COR_SHEET_PUT(sheet, struct cor_shrink_report, report);
    cor_sheet_text(sheet, "%s", cor_failure_class_text(&test->expected.class, class));
    sheet = cor_sheets_add(sheets, &sizes_sheet);
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, "before");
    COR_SHEET_PUT(sheet, struct cor_test_size, &report->before);
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, "after");
    COR_SHEET_PUT(sheet, struct cor_test_size, &report->after);
    sheet = cor_sheets_add(sheets, &said_sheet);
    for (const char *at = report->said; at && *at;) {
        const size_t length = strcspn(at, "\n");
        cor_sheet_row(sheet);
        cor_sheet_text(sheet, "%.*s", (int)length, at);
        at += length + (at[length] == '\n');
    }
    const enum cor_status status = cor_sheets_json(sheets, stdout, error);
    cor_sheets_destroy(sheets);
    return status;
}

static bool is_interrupted(const struct cor_shrink_report *report) {
    return report->end == COR_SHRINK_STOPPED && cor_interrupts() > 0;
}

static enum cor_status write_smaller(const struct request *r, struct cor_error *error) {
    char *text;
    if (!r->smaller || !r->output)
        return COR_OK;
    if (r->report.end == COR_SHRINK_FLAKY) {
        free(r->smaller->said);
        r->smaller->said = cor_strdup(r->report.said);
    }
    COR_TRY(cor_test_text(r->smaller, &text, error));
    const enum cor_status status =
        cor_output_leave(r->output, text, r->forces, r->arguments, is_interrupted(&r->report), error);
    free(text);
    return status;
}

static enum cor_status carry_out(struct request *r, struct cor_error *error) {
    r->forces = r->forces || (r->output && cor_output_is_left(r->output, r->arguments));
    if (r->output)
        COR_TRY(cor_output_check_before(r->output, r->forces, error));
    const struct cor_failing_source source = source_of(r);
    COR_TRY(cor_failing_test_read(&source, &r->failing, error));
    COR_TRY(work(r, error));
    COR_TRY(write_smaller(r, error));
    return show(r, error);
}

/* ---- tests of running systems */

static const struct cor_column_definition system_sheet_columns[] = {
    {"commands", "commands", "commands", "of the smaller test", COR_CELL_COUNT, 0, 0},
    {"commands_before", "before", "commands", "of the test that failed", COR_CELL_COUNT, 0, 0},
    {"things", "things", "", "of the world that can be left out, in the smaller test", COR_CELL_COUNT, 0, 0},
    {"things_before", "before", "", "in the world as it was", COR_CELL_COUNT, 0, 0},
    {"executions", "executions", "tests", "executed", COR_CELL_COUNT, 0, 0},
    {"minimal", "minimal", "", "no command and no thing can be left out", COR_CELL_FLAG, 0, 0},
    {"repeats", "repeats", "", "the commands alone fail alike", COR_CELL_FLAG, 0, 0},
    {"check", "check", "", "that is violated, the trouble of the world, or whose goal failed", COR_CELL_TEXT,
     0, 0},
    {"needed", "needed", "", "what must be there: commands, the goal that fails, things of the world",
     COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(system_sheet, "shrink", "Shrink", "the test", COR_SHEET_RECORD | COR_SHEET_TOP, 0);

static bool go_on_with_system(void *self, uint64_t executions, uint32_t commands) {
    return cor_progress_goes_on(self, "%u commands after %llu executions", commands,
                                (unsigned long long)executions);
}

static enum cor_status show_system(const struct request *r, const struct cor_system_shrink_report *report,
                                   struct cor_error *error) {
    struct cor_sheets *sheets;
    if (is_standard_output(r->output))
        return COR_OK;
    if (!r->json) {
        cor_print("%s\n", report->said);
        return COR_OK;
    }
    COR_TRY(cor_sheets_create("corridor-shrink-system", 1, &sheets, error));
    struct cor_sheet *sheet = cor_sheets_add(sheets, &system_sheet);
    cor_sheet_row(sheet);
    cor_sheet_counts(sheet, 5,
                     (const uint64_t[]){report->commands, report->commands_before, report->things,
                                        report->things_before, report->executions});
    cor_sheet_flag(sheet, report->is_minimal);
    cor_sheet_flag(sheet, report->test != NULL);
    cor_sheet_text(sheet, "%s", report->check);
    cor_sheet_text(sheet, "%s", report->needed);
    const enum cor_status status = cor_sheets_json(sheets, stdout, error);
    cor_sheets_destroy(sheets);
    return status;
}

static enum cor_status shrink_system(struct request *r, struct cor_system_shrink_report *report,
                                     struct cor_error *error) {
    double shown = 0;
    struct cor_failure_key key;
    const char *doubt;
    r->forces = r->forces || cor_output_is_left(r->output, r->arguments);
    COR_TRY(cor_output_check_before(r->output, r->forces, error));
    COR_TRY(cor_open_result(r->command, r->unsealed, r->path, &cor_system_schema, &r->failing.result, &doubt,
                            error));
    const struct cor_result_header *head = cor_result_head(r->failing.result);
    COR_TRY(cor_failure_key_parse(head, "--failure", r->key, &key, error));
    if (key.sequence != COR_WHOLE_SUITE)
        return cor_fail(error, COR_STATUS_INPUT, "--failure", "ARM/SUITE: see corridor show FILE goals",
                        "tests of running systems have no sequences: \"%s\"", r->key);
    const struct cor_system_shrink_definition definition = {.arm = cor_arm_entry(head, key.arm)->code,
                                                            .suite = key.suite,
                                                            .trust = r->trust,
                                                            .isolation = r->options.isolation,
                                                            .budget = r->shrinking.budget,
                                                            .go_on = go_on_with_system,
                                                            .self = &shown};
    cor_catch_interrupts_briefly();
    const enum cor_status status = cor_system_shrink(r->failing.result, r->path, &definition, report, error);
    cor_progress_doing(NULL);
    COR_TRY(status);
    if (report->test)
        COR_TRY(cor_output_leave(r->output, report->test, r->forces, r->arguments,
                                 !report->is_minimal && cor_interrupts() > 0, error));
    return show_system(r, report, error);
}

/* Is it the result of tests of a running system? What cannot be read is looked at by whoever reads it. */
static bool is_of_system(const char *path) {
    struct cor_result *result = NULL;
    const bool is_so = cor_result_open(path, &result, NULL) == COR_OK &&
                       cor_result_head(result)->layer == &cor_system_schema;
    cor_result_close(result);
    return is_so;
}

static enum cor_exit run_system(const struct cor_arguments *arguments) {
    struct request *r = arguments->request;
    struct cor_system_shrink_report report = {0};
    struct cor_error error = COR_NO_ERROR;
    static const char *const others[] = {"free", "reseed", "check", "property", NULL};
    for (size_t i = 0; others[i]; i++)
        if (cor_given(arguments, others[i]))
            return cor_misuse(r->command, "--%s has no meaning with tests of a running system", others[i]);
    const enum cor_status status = shrink_system(r, &report, &error);
    const bool repeats = report.test, is_whole = report.is_minimal;
    cor_system_shrink_report_fini(&report);
    close_request(r);
    return status != COR_OK                    ? cor_report(&error)
           : !is_whole && cor_interrupts() > 0 ? COR_EXIT_INCOMPLETE
           : repeats                           ? COR_EXIT_DONE
                                               : COR_EXIT_EXPECTATION;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct request *r = arguments->request;
    r->arguments = arguments;
    r->command = arguments->command;
    r->path = arguments->words[0];
    if (!r->checks && !r->output)
        return cor_misuse(r->command, "needs a name for the smaller test: -o test.json");
    if (is_standard_output(r->output) && r->json)
        return cor_misuse(r->command, "--json and the test cannot both go to standard output");
    struct cor_error error = COR_NO_ERROR;
    if (r->key && cor_is_result_file(r->path) && is_of_system(r->path))
        return run_system(arguments);
    const struct cor_failing_source source = source_of(r);
    const enum cor_exit misuse = cor_failing_check(&source);
    if (misuse != COR_EXIT_DONE)
        return misuse;
    const enum cor_status status = carry_out(r, &error);
    const enum cor_shrink_end end = r->report.end;
    const bool is_cut = is_interrupted(&r->report);
    close_request(r);
    if (status != COR_OK)
        return cor_report(&error);
    if (is_cut)
        return COR_EXIT_INCOMPLETE;
    return end == COR_SHRINK_FLAKY || end == COR_SHRINK_LARGER || (r->checks && end != COR_SHRINK_MINIMAL)
               ? COR_EXIT_EXPECTATION
               : COR_EXIT_DONE;
}

/* The file of a class: its text, with a "+" for each comma. */
static char *file_of(const char *folder, const struct cor_failure_class *class) {
    char text[COR_FAILURE_CLASS_TEXT];
    cor_failure_class_text(class, text);
    for (char *at = text; *at; at++)
        *at = *at == ',' ? '+' : *at;
    return cor_format("%s/%s.json", folder, text);
}

/* What is kept of which file. */
struct keeping {
    const struct cor_arguments *arguments;
    const struct cor_view_options *show;
    const struct cor_keeping *how;
    struct cor_result *result;
    bool *lost; /* set where a class could not be kept */
};

/* One class: its first failure, shrunk. */
static enum cor_status keep_class(const struct keeping *keeping, const struct cor_failing *first,
                                  struct cor_error *error) {
    struct request r = {.arguments = keeping->arguments,
                        .command = keeping->arguments->command,
                        .path = keeping->arguments->words[0],
                        .unsealed = keeping->show->unsealed,
                        .trust = keeping->how->trust,
                        .shrinking.budget = keeping->how->budget,
                        .forces = keeping->how->force};
    char *key = cor_failure_key_text(cor_result_head(keeping->result), &first->key),
         *file = file_of(keeping->how->folder, &first->class);
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_made(key, error));
    COR_TRY_OUT(cor_made(file, error));
    r.key = key;
    r.output = file;
    r.forces = r.forces || cor_output_is_left(file, r.arguments);
    if (!r.forces && access(file, F_OK) == 0) {
        cor_say("%s is there already, and stays", file);
        goto out;
    }
    const struct cor_failing_source source = source_of(&r);
    COR_TRY_OUT(cor_failing_test_read(&source, &r.failing, error));
    COR_TRY_OUT(work(&r, error));
    if (r.report.end == COR_SHRINK_FLAKY) {
        *keeping->lost = true;
        char *pasted = cor_shell_quoted(r.path);
        cor_say(
            "%s does not fail again, and is not kept: either it is flaky, or the algorithm is not the one "
            "that the file was made with. This tells which:\n  corridor replay %s --failure %s%s",
            key, pasted ? pasted : r.path, key, r.trust ? " --trust" : "");
        free(pasted);
    } else {
        COR_TRY_OUT(write_smaller(&r, error));
        cor_say("%s: %s, %u cases and %u agents%s", file, key, r.report.after.cases, r.report.after.agents,
                is_interrupted(&r.report) ? " so far (interrupted: the same command goes on)" : "");
    }
out:
    close_request(&r);
    free(file);
    free(key);
    return status;
}

static bool is_first(const struct cor_failing_list *list, size_t index) {
    for (size_t i = 0; i < index; i++)
        if (cor_failure_class_equal(&list->items[i].class, &list->items[index].class))
            return false;
    return true;
}

static enum cor_status keep(const struct keeping *keeping, struct cor_error *error) {
    const char *folder = keeping->how->folder, *class = keeping->show->view.failure_class;
    struct cor_failing_list list = {0};
    size_t index = COR_ANY_ARM;
    enum cor_status status = COR_OK;
    if (keeping->show->view.arm)
        COR_TRY(
            cor_arm_find(cor_result_head(keeping->result), "--arm", keeping->show->view.arm, &index, error));
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return cor_fail_errno(error, COR_STATUS_FILE, folder, NULL, "cannot make the folder");
    COR_TRY_OUT(cor_failing_read(keeping->result, index, false, &list, error));
    for (size_t i = 0; i < list.count && cor_interrupts() == 0; i++) {
        char text[COR_FAILURE_CLASS_TEXT];
        cor_failure_class_text(&list.items[i].class, text);
        if (is_first(&list, i) && (!class || strcmp(text, class) == 0))
            COR_TRY_OUT(keep_class(keeping, &list.items[i], error));
    }
out:
    cor_failing_fini(&list);
    return status;
}

enum cor_exit cor_keep_failures(const struct cor_arguments *arguments, const struct cor_view_options *show,
                                const struct cor_keeping *how) {
    struct cor_error error = COR_NO_ERROR;
    bool lost = false;
    struct keeping keeping = {arguments, show, how, NULL, &lost};
    const char *doubt;
    enum cor_status status = cor_open_result(arguments->command, show->unsealed, arguments->words[0],
                                             &cor_interaction_schema, &keeping.result, &doubt, &error);
    if (status == COR_OK) {
        status = keep(&keeping, &error);
        cor_result_close(keeping.result);
    }
    return status != COR_OK       ? cor_report(&error)
           : cor_interrupts() > 0 ? COR_EXIT_INCOMPLETE
           : lost                 ? COR_EXIT_EXPECTATION
                                  : COR_EXIT_DONE;
}

const struct cor_command cor_command_shrink = {
    .name = "shrink",
    .summary = "make a failure smaller",
    .operands = "RESULTS.h5|TEST.json",
    .takes = {1, 1, "needs one result file, or one test"},
    .request_size = sizeof(struct request),
    .manual =
        "Makes a failing sequence as small as it can be. It takes away cases, agents, groups, chains and "
        "partitions at the start as long as the sequence fails in the same way: the same checks are "
        "violated through the same boxes, or the same smoke comes, in its first failing case. Then it "
        "makes the numbers simple. The result is minimal: no single step of any pass keeps the class "
        "(docs/do/shrinking.md lists the steps). A test that the model could not have made is passed "
        "over, unless --free is given. The result is a test for corridor replay. It says what must be "
        "there, which test beside it passes, and where it goes another way without the fault. It depends "
        "on the test and the options, not on the machine; an interrupt keeps the best so far. From a test "
        "of a running system it makes a test of commands alone, with as few commands, and then as few "
        "things of the world, as the same judge needs to object (docs/look-up/system.md). The exit code "
        "is 1 if the failure does not repeat, or if --check finds that the test is not minimal.",
    .options =
        {
            {"failure", 0, "KEY",
             "shrink this one of a result file: ARM/SUITE/SEQUENCE/CASE, as corridor failures says; "
             "ARM/SUITE of a "
             "running system",
             COR_TEXT(key)},
            {"property", 0, "P[..]",
             "keep that the sequence violates this, as corridor decide says, whatever else fails",
             COR_TEXT(property), .needs = "failure"},
            {"output", 'o', "FILE", "write the smaller test there", COR_TEXT(output)},
            {"force", 'f', NULL, "replace that file if it is there", COR_FLAG(forces)},
            {"budget", 0, "N", "execute at most N tests, from 2; then take the best so far, not minimal",
             COR_INTEGER(shrinking.budget, 2, INT64_MAX, 0), .otherwise = "as many as it takes"},
            {"free", 0, NULL, "ignore what the model allows, and what it fixes", COR_FLAG(shrinking.free)},
            {"reseed", 0, "N", "try N other seeds of all random streams of the test where a step fails",
             COR_INTEGER(shrinking.reseeds, 0, 1000, 0)},
            {"check", 0, NULL, "look only whether the test is minimal, by trying every single step",
             COR_FLAG(checks), .excludes = "output force reseed"},
            COR_ISOLATION_OPTIONS(options),
            COR_TRUST_OPTION(trust),
            COR_JSON_OPTION(json),
            COR_UNSEALED_OPTION(unsealed),
        },
    .examples =
        {"corridor shrink demo.h5 --failure SPADA-F2/4/2/6 -o small.json",
         "corridor shrink demo.h5 --failure SPADA-F2/4/2 --property 'P [ always inside ]' -o small.json",
         "corridor shrink tests.h5 --failure M3/0 -o small.json # then: corridor system test small.json",
         "corridor shrink small.json --check", "corridor shrink test.json -o small.json --free"},
    .run = run,
    .reads = true,
};
