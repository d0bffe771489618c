/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "output.h"
#include "running.h"
#include "show_view.h"

#include <corridor/report.h>

#include <string.h>

struct request {
    const char *output;
    bool unsealed;
    struct cor_report_options report;
};

static enum cor_status write_page(const struct cor_report *report, const char *path, bool overwrite,
                                  struct cor_error *error) {
    struct cor_output output;
    COR_TRY(cor_output_open(path, overwrite, &output, error));
    enum cor_status status = cor_report_write(report, output.file, error);
    if (status == COR_STATUS_FILE && error->place[0] == '\0')
        cor_show_path(path, error);
    return cor_output_close(&output, status, error);
}

static enum cor_exit judge(const struct cor_report *report) {
    size_t broken = cor_report_broken(report);
    if (broken == 0)
        return COR_EXIT_DONE;
    cor_say("%zu identities of the tables are broken: the file, or the program that wrote it, is "
            "wrong",
            broken);
    return COR_EXIT_EXPECTATION;
}

static enum cor_status make(const struct cor_arguments *arguments, struct cor_result **result,
                            struct cor_report **report, struct cor_error *error) {
    struct request *request = arguments->request;
    const char *path = arguments->words[0], *doubt;
    /* Does the file begin as JSON does? Then it is what another command said, no result file. */
    FILE *file = fopen(path, "rb");
    const int first = file ? fgetc(file) : EOF;
    if (file)
        fclose(file);
    if (first == '{')
        return cor_report_of_stabilize(path, &request->report, report, error);
    COR_TRY(cor_open_result(arguments->command, request->unsealed, path, NULL, result, &doubt, error));
    cor_result_tell(*result, cor_progress_reading, NULL);
    request->report.doubt = doubt;
    request->report.path = path;
    const enum cor_status status = cor_report_create(*result, &request->report, report, error);
    if (status == COR_STATUS_INPUT) /* said of a table, which knows no path */
        cor_show_path(path, error);
    return status;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_result *result = NULL;
    struct cor_report *report = NULL;
    struct request *request = arguments->request;
    const char *output = request->output;
    request->report.doing = cor_progress_doing;
    request->report.dot = cor_default_report().dot;
    bool to_file = strcmp(output, "-") != 0;
    enum cor_status status = to_file ? cor_output_check(output, request->report.replace, &error) : COR_OK;
    if (status == COR_OK)
        status = make(arguments, &result, &report, &error);
    if (status == COR_OK) {
        cor_progress_doing("writing the page");
        status = write_page(report, output, request->report.replace, &error);
    }
    cor_progress_doing(NULL);
    if (status == COR_OK) {
        /* What does not fail the command, and should be known. */
        const char *line = cor_report_notes(report);
        while (*line) {
            int length = (int)strcspn(line, "\n");
            cor_say("note: %.*s", length, line);
            line += length + (line[length] == '\n');
        }
    }
    if (status == COR_OK && to_file)
        cor_print("%s: %s as one page, for a browser\n", output, arguments->words[0]);
    enum cor_exit code = status == COR_OK ? judge(report) : cor_report(&error);
    cor_report_destroy(report);
    cor_result_close(result);
    return code;
}

/* Said where these layers are built. */
#define OF_MODELS                                                                                          \
    COR_WITH_EFSM("For model-based tests it shows the verdicts, the mutants by planner, and what of goal " \
                  "and model was covered and why not the rest. ")
#define OF_SYSTEMS                                                                                           \
    COR_WITH_SYSTEM("For tests of running systems it shows the verdicts, the goals, what judges said, maps " \
                    "of where test agents were, and the pictures that a world sent. ")
#define OF_AGENTS COR_WITH_AGENT("For agents it shows findings and units. ")

const struct cor_command cor_command_report = {
    .name = "report",
    .summary = "make a page for a browser",
    .operands = "RESULTS.h5|SAID.json",
    .takes = {1, 1, "needs one result file, or what stabilize said as JSON"},
    .request_size = sizeof(struct request),
    .manual =
        "Writes one HTML file that needs nothing else, no network and no script. It shows what was "
        "run, the verdict on each fault, which check caught it, the claims and tables of the published "
        "evaluation, the time to detection, the coverage with a map of each environment profile, what "
        "goes with failing, the failures in words, and the provenance. " OF_MODELS OF_SYSTEMS OF_AGENTS
        "It shows for searches what they found, for an estimation how probable a failure is. Of what "
        "corridor stabilize said as JSON, written to a file, it shows the verdicts, how fast states come "
        "back, and with --pictures the worst runs and loops. Where "
        "scripts run, you can sort tables and filter failures. Graphviz draws the graphs; without it "
        "the page has their numbers alone, and says so.",
    .options =
        {
            {"output", 'o', "FILE", "write the page there; - is standard output", COR_TEXT(output),
             .required = "needs a name for the page: -o page.html"},
            {"force", 'f', NULL, "replace the page, and figures, if they exist", COR_FLAG(report.replace)},
            {"figures", 0, "FOLDER",
             "write each figure there, too: charts as SVG with their data, graphs as SVG and PDF",
             COR_TEXT(report.figures)},
            COR_LEVEL_OPTION(report.level, "set the level of the intervals"),
            COR_UNSEALED_OPTION(unsealed),
        },
    .examples = {"corridor report demo.h5 -o report.html",
                 "corridor report demo.h5 -o paper.html --figures figures/   # for a paper"},
    .run = run,
    .reads = true,
};
