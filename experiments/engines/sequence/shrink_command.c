/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shrink: a failing test, which why works on as well, is made smaller and written; failures that are kept. */
#include "commands.h"
#include "failing_test.h"
#include "isolation.h"
#include "layer_commands.h"
#include "output.h"
#include "replay.h"
#include "running.h"
#include "show_view.h"
#include "subject_commands.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/failing.h>
#include <corridor/interaction.h>
#include <corridor/shrink.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum cor_status read_result_file(const struct cor_failing_source *r, struct cor_failing_test *failing,
                                        struct cor_error *error) {
    struct cor_failure_key key;
    const char *doubt;
    COR_TRY(cor_open_result(r->arguments->command, r->unsealed, r->path, &cor_interaction_schema,
                            &failing->result, &doubt, error));
    COR_TRY(cor_failure_key_parse(cor_result_head(failing->result), "--failure", r->key, &key, error));
    if (key.sequence == COR_WHOLE_SUITE)
        return cor_fail(error, COR_STATUS_INPUT, "--failure",
                        "ARM/SUITE/SEQUENCE/CASE: see corridor failures", "\"%s\" names a whole suite",
                        r->key);
    COR_TRY(cor_open_stored(failing->result, r->path, r->trust, &r->options, &failing->opened, error));
    if (failing->opened.layer != &cor_interaction_layer)
        return cor_fail(error, COR_STATUS_INPUT, r->path, NULL, "is not of the interaction layer");
    COR_TRY(cor_note_build(&failing->opened, failing->result, r->path, error));
    const struct cor_experiment *experiment =
        ((struct cor_interaction *)failing->opened.experiment)->experiment;
    if (key.arm >= experiment->arm_count)
        return cor_fail(error, COR_STATUS_INPUT, r->path, "it is not as it was written",
                        "has an experiment of %u arms", experiment->arm_count);
    COR_TRY(cor_suite_of_result(failing->result, experiment, (uint32_t)key.arm, key.suite, &failing->suite,
                                error));
    COR_TRY(cor_test_of_result(failing->result, failing->suite, key.sequence, &failing->test, error));
    if (r->property)
        return cor_test_of_property(failing->test, r->key, r->property, error);
    /* What the file says of the failure is what is expected. */
    const struct cor_failure_key sequence = {key.arm, key.suite, key.sequence, 0};
    struct cor_failing found;
    COR_TRY(cor_failing_find(failing->result, "--failure", &sequence, &found, error));
    if (found.key.case_ == 0 || (key.case_ > 0 && key.case_ != found.key.case_)) {
        char *nearest;
        COR_TRY(cor_failing_nearest(failing->result, &key, &nearest, error));
        (void)cor_fail(error, COR_STATUS_INPUT, "--failure", nearest, "%s did not fail", r->key);
        free(nearest);
        return COR_STATUS_INPUT;
    }
    failing->test->expected = (struct cor_test_result){.case_ = found.key.case_, .class = found.class};
    return COR_OK;
}

enum cor_exit cor_failing_check(const struct cor_failing_source *source) {
    struct cor_error error = COR_NO_ERROR;
    const bool keyed = source->key != NULL, is_json = cor_is_test_file(source->path);
    /* What is neither fails as a test. */
    const bool is_test = is_json || (!keyed && !cor_is_result_file(source->path));
    if (!is_json && access(source->path, R_OK) != 0) {
        (void)cor_fail_errno(&error, COR_STATUS_FILE, source->path, NULL, "cannot read");
        return cor_report(&error);
    }
    if (is_test == keyed)
        return cor_misuse(source->arguments->command,
                          is_test ? "--failure is for result files"
                                  : "needs --failure KEY; corridor failures lists the keys");
    return COR_EXIT_DONE;
}

enum cor_status cor_failing_test_read(const struct cor_failing_source *source,
                                      struct cor_failing_test *failing, struct cor_error *error) {
    if (source->key)
        return read_result_file(source, failing, error);
    const struct cor_isolation_definition isolation = {
        (enum cor_isolation)source->options.isolation, source->options.fresh_processes,
        cor_trust_in_file(source->path, source->trust), source->options.isolation_required};
    char *warnings = NULL;
    const enum cor_status status = cor_test_read(source->path, &isolation, &failing->test, &warnings, error);
    if (status == COR_OK)
        cor_say_notes(source->path, warnings);
    free(warnings);
    return status;
}

void cor_failing_test_fini(struct cor_failing_test *failing) {
    cor_test_destroy(failing->test);
    cor_suite_destroy(failing->suite);
    cor_opened_fini(&failing->opened);
    cor_result_close(failing->result);
    *failing = (struct cor_failing_test){0};
}

/* ---- shrink: a failure of a result file, or a test, as a smaller test that fails alike; or whether it is
 * small */

#define REPORT(member) COR_CELL_OF(struct cor_shrink_report, member)
static const struct cor_column_definition shrink_sheet_columns[] = {
    {"cases", "cases", "cases", "of the smaller test", REPORT(after.cases)},
    {"agents", "agents", "agents", "of it", REPORT(after.agents)},
    {"groups", "groups", "groups", "of it", REPORT(after.groups)},
    {"chains", "chains", "chains", "of it", REPORT(after.chains)},
    {"partitions", "partitions", "partitions", "of it, at the start", REPORT(after.partitions)},
    {"executions", "executions", "tests", "executed", REPORT(counts.tries.count)},
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

struct request {
    struct cor_shrink_request asked; /* what the command line says, */
    bool json, checks;
    struct cor_shrink_definition shrinking;
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

static bool go_on(void *self, const struct cor_shrink_counts *counts) {
    return cor_progress_goes_on(self, "%u cases, %u agents after %llu executions: %s", counts->cases,
                                counts->agents, (unsigned long long)counts->tries.count,
                                counts->pass ? counts->pass : "");
}

static enum cor_status work(struct request *r, struct cor_error *error) {
    double shown = 0;
    r->shrinking.go_on = go_on;
    r->shrinking.self = &shown;
    cor_catch_interrupts_briefly(0);
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
    if (is_standard_output(r->asked.output))
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
    cor_sheets_say(sheets, report->said);
    const enum cor_status status = cor_sheets_json(sheets, stdout, error);
    cor_sheets_destroy(sheets);
    return status;
}

static bool is_interrupted(const struct cor_shrink_report *report) {
    return report->end == COR_SHRINK_STOPPED && cor_interrupts() > 0;
}

static enum cor_status write_smaller(const struct request *r, struct cor_error *error) {
    char *text;
    if (!r->smaller || !r->asked.output)
        return COR_OK;
    if (r->report.end == COR_SHRINK_FLAKY) {
        free(r->smaller->said);
        r->smaller->said = cor_strdup(r->report.said);
    }
    COR_TRY(cor_test_text(r->smaller, &text, error));
    const enum cor_status status = cor_output_leave(r->asked.output, text, r->asked.forces,
                                                    r->asked.of.arguments, is_interrupted(&r->report), error);
    free(text);
    return status;
}

static enum cor_status carry_out(struct request *r, struct cor_error *error) {
    r->asked.forces =
        r->asked.forces || (r->asked.output && cor_output_is_left(r->asked.output, r->asked.of.arguments));
    if (r->asked.output)
        COR_TRY(cor_output_check_before(r->asked.output, r->asked.forces, error));
    COR_TRY(cor_failing_test_read(&r->asked.of, &r->failing, error));
    COR_TRY(work(r, error));
    COR_TRY(write_smaller(r, error));
    return show(r, error);
}

static enum cor_exit run_shrink(const struct cor_arguments *arguments) {
    struct request *r = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    r->asked.of.arguments = arguments;
    r->asked.of.path = arguments->words[0];
    r->shrinking.budget = r->asked.budget;
    if (!r->checks && !r->asked.output)
        return cor_misuse(arguments->command, "needs a name for the smaller test: -o test.json");
    if (is_standard_output(r->asked.output) && r->json)
        return cor_misuse(arguments->command, "--json and the test cannot both go to standard output");
    /* Which failure is meant has to be said but of sequences that a layer counts. */
    const struct cor_layer_commands *own = cor_commands_of_file(arguments->words[0]);
    if (own->tested) /* by the layer's own way */
        return cor_has_no_meaning(arguments, own->not_of_shrink, own->tests)
                   ? COR_EXIT_USAGE
                   : cor_shrink_failing(own->tested, &r->asked);
    if (cor_has_no_meaning(arguments, (const char *const[]){"constraint", "hits", NULL},
                           "tests of algorithms, each of which has one failure"))
        return COR_EXIT_USAGE;
    const enum cor_exit misuse = cor_failing_check(&r->asked.of);
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
    struct request r = {.asked = {.of = {.arguments = keeping->arguments,
                                         .path = keeping->arguments->words[0],
                                         .unsealed = keeping->show->unsealed,
                                         .trust = keeping->how->trust},
                                  .forces = keeping->how->force},
                        .shrinking.budget = keeping->how->budget};
    /* The file of a class: its text, with a "+" for each comma. */
    char text[COR_FAILURE_CLASS_TEXT];
    cor_failure_class_text(&first->class, text);
    for (char *at = text; *at; at++)
        *at = *at == ',' ? '+' : *at;
    char *key = cor_failure_key_text(cor_result_head(keeping->result), &first->key),
         *file = cor_format("%s/%s.json", keeping->how->folder, text);
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_made(key, error));
    COR_TRY_OUT(cor_made(file, error));
    r.asked.of.key = key;
    r.asked.output = file;
    r.asked.forces = r.asked.forces || cor_output_is_left(file, r.asked.of.arguments);
    if (!r.asked.forces && access(file, F_OK) == 0) {
        cor_say("%s is there already, and stays", file);
        goto out;
    }
    COR_TRY_OUT(cor_failing_test_read(&r.asked.of, &r.failing, error));
    COR_TRY_OUT(work(&r, error));
    if (r.report.end == COR_SHRINK_FLAKY) {
        *keeping->lost = true;
        char *pasted = cor_shell_quoted(r.asked.of.path);
        cor_say(
            "%s does not fail again, and is not kept: either it is flaky, or the algorithm is not the one "
            "that the file was made with. This tells which:\n  corridor replay %s --failure %s%s",
            key, pasted ? pasted : r.asked.of.path, key, r.asked.of.trust ? " --trust" : "");
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

static enum cor_status keep(const struct keeping *keeping, struct cor_error *error) {
    const char *folder = keeping->how->folder, *class = keeping->show->view.failure_class;
    COR_FINISHED(cor_failing) struct cor_failing_list list = {0};
    size_t index = COR_ANY_ARM;
    if (keeping->show->view.arm)
        COR_TRY(
            cor_arm_find(cor_result_head(keeping->result), "--arm", keeping->show->view.arm, &index, error));
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return cor_fail_errno(error, COR_STATUS_FILE, folder, NULL, "cannot make the folder");
    COR_TRY(cor_failing_read(keeping->result, index, false, &list, error));
    for (size_t i = 0; i < list.count && cor_interrupts() == 0; i++) {
        char text[COR_FAILURE_CLASS_TEXT];
        cor_failure_class_text(&list.items[i].class, text);
        bool is_first = true;
        for (size_t k = 0; is_first && k < i; k++)
            is_first = !cor_failure_class_equal(&list.items[k].class, &list.items[i].class);
        if (is_first && (!class || strcmp(text, class) == 0))
            COR_TRY(keep_class(keeping, &list.items[i], error));
    }
    return COR_OK;
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

#define CASES_OF_AGENTS                                                                                      \
    COR_WITH_AGENT("Of a case of an agent it makes values those of the first class, and turns those of the " \
                   "first interleaving, as long as the same check is broken by the same thing "              \
                   "(docs/look-up/agent-results.md). ")

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
        "on the test and the options, not on the machine; an interrupt keeps the best so "
        "far. " COR_WITH_SYSTEM(
            "Of a test of a running system it leaves the commands of test agents, as few as the same judge "
            "needs to object, or the same goal to fail behind them, and as few things of the world "
            "(docs/look-up/system.md). ") COR_WITH_EFSM("Of a test of a model it takes inputs and resets "
                                                        "away, as long as the system answers "
                                                        "wrong in the same place to the same input "
                                                        "(docs/look-up/efsm.md). ")
            CASES_OF_AGENTS COR_WITH_PROCESS(
                "Of a distributed program it takes events out of a schedule until none, and of "
                "100 no pair, can be spared; of a result file it tries several that failed "
                "alike, and takes the one that gets smallest. ") "The exit code is 1 if the failure does not "
                                                                 "repeat, or if --check finds that the test "
                                                                 "is not "
                                                                 "minimal.",
    .options =
        {
            {"failure", 0, "KEY",
             "shrink this one of a result file: ARM/SUITE/SEQUENCE/CASE, as corridor failures "
             "says" COR_WITH_SYSTEM("; ARM/SUITE of a running system") COR_WITH_EFSM(
                 "; ARM/SUITE of a test of a model") COR_WITH_AGENT("; ARM/UNIT/CASE of an agent"),
             COR_TEXT(asked.of.key)},
            COR_WITH_PROCESS({"constraint", 0, "NAME",
                              "shrink the first failure by this constraint, or end of a process, of a "
                              "distributed program",
                              COR_TEXT(asked.class), .excludes = "failure"}, )
                COR_WITH_SUBJECT({"hits", 0, "N",
                                  "try N tests of a result file that failed alike" COR_OF_SUBJECTS,
                                  COR_INTEGER(asked.hits, 1, COR_HITS_MOST, COR_HITS), .otherwise = "12"}, ){
                    "property", 0, "P[..]",
                    "keep that the sequence violates this, as corridor decide says, whatever else fails",
                    COR_TEXT(asked.of.property), .needs = "failure"},
            {"output", 'o', "FILE", "write the smaller test there", COR_TEXT(asked.output)},
            {"force", 'f', NULL, "replace that file if it is there", COR_FLAG(asked.forces)},
            {"budget", 0, "N", "execute at most N tests, from 2; then take the best so far, not minimal",
             COR_INTEGER(asked.budget, 2, INT64_MAX, 0), .otherwise = "as many as it takes"},
            {"free", 0, NULL, "ignore what the model allows, and what it fixes", COR_FLAG(shrinking.free)},
            {"reseed", 0, "N", "try N other seeds of all random streams of the test where a step fails",
             COR_INTEGER(shrinking.reseeds, 0, 1000, 0)},
            {"check", 0, NULL, "look only whether the test is minimal, by trying every single step",
             COR_FLAG(checks), .excludes = "output force reseed"},
            COR_ISOLATION_OPTIONS(asked.of.options),
            COR_TRUST_OPTION(asked.of.trust),
            COR_JSON_OPTION(json),
            COR_UNSEALED_OPTION(asked.of.unsealed),
        },
    .examples =
        {"corridor shrink demo.h5 --failure SPADA-F2/4/2/6 -o small.json",
         "corridor shrink demo.h5 --failure SPADA-F2/4/2 --property 'P [ always inside ]' -o small.json",
         "corridor shrink small.json --check", "corridor shrink test.json -o small.json --free",
         COR_WITH_AGENT("corridor shrink units.h5 --failure 'M7/ET(Stock_order_delay)/1' -o gap.json", )
             COR_WITH_SYSTEM("corridor shrink tests.h5 --failure M3/0 -o small.json # then: corridor replay "
                             "small.json")},
    .run = run_shrink,
    .reads = true,
};
