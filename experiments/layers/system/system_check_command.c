/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "isolation.h"
#include "output.h"
#include "running.h"
#include "show_view.h"

#include <corridor/system_check.h>
#include <corridor/system_experiment.h>

#include <stdlib.h>

static const struct cor_column_definition looked_sheet_columns[] = {
    {"tests", "tests", "", "tests, each with all of its examples", COR_CELL_COUNT, 0, 0},
    {"arms", "arms", "", "worlds, changed or not, and policies", COR_CELL_COUNT, 0, 0},
    {"findings", "findings", "", "what is odd", COR_CELL_COUNT, 0, 0}};
COR_SHEET_DEFINITION(looked_sheet, "looked", "File", "what was looked at", COR_SHEET_RECORD, 0);

static const struct cor_column_definition findings_sheet_columns[] = {
    {"finding", "finding", "", "never enabled, never used", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"about", "about", "", "test, or named goal", COR_CELL_WORD, 0, 0},
    {"text", "in words", "", "why", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(findings_sheet, "findings", "Findings", "a row a finding", 0, 0);

struct request {
    struct cor_sheet_options sheets;
    int isolation;
};

static enum cor_status print(const struct request *request, const struct cor_system_experiment *experiment,
                             const struct cor_system_findings *findings, struct cor_error *error) {
    struct cor_sheets *sheets = NULL;
    enum cor_status status = COR_OK;
    COR_TRY(cor_sheets_create("corridor-system-check", 1, &sheets, error));
    struct cor_sheet *looked = cor_sheets_add(sheets, &looked_sheet);
    cor_sheet_row(looked);
    cor_sheet_count(looked, experiment->entry_count);
    cor_sheet_count(looked, experiment->head.arm_count);
    cor_sheet_count(looked, findings->count);
    struct cor_sheet *sheet = cor_sheets_add(sheets, &findings_sheet);
    for (uint32_t f = 0; f < findings->count; f++) {
        const struct cor_system_finding *it = &findings->items[f];
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, cor_system_odd_word(it->odd));
        cor_sheet_word(sheet, it->about);
        cor_sheet_text(sheet, "%s", it->text);
    }
    COR_TRY_OUT(cor_show_sheets(&request->sheets, sheets, "findings", error));
out:
    cor_sheets_destroy(sheets);
    return status;
}

static enum cor_exit run_system_check(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    const struct cor_layer_options options = {.isolation = request->isolation};
    struct cor_error error = COR_NO_ERROR;
    struct cor_system_experiment *experiment = NULL;
    struct cor_system_findings findings = {0};
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_system_experiment_read(arguments->words[0], &options, &experiment, &error));
    COR_TRY_OUT(cor_system_check(experiment, &findings, &error));
    COR_TRY_OUT(print(request, experiment, &findings, &error));
out:
    cor_system_experiment_destroy(experiment);
    const uint32_t count = findings.count;
    cor_system_findings_fini(&findings);
    return status != COR_OK ? cor_report(&error) : count > 0 ? COR_EXIT_EXPECTATION : COR_EXIT_DONE;
}

const struct cor_command cor_command_system_check = {
    .name = "system check",
    .summary = "check a file of tests of a running system",
    .operands = "FILE.json",
    .takes = {1, 1, "needs one file"},
    .request_size = sizeof(struct request),
    .manual =
        "Reads the file as corridor system test does, for every test, example and arm: names that the world "
        "does not have, goals without a tactic and whatever else cannot be meant are errors, with their "
        "place. Then lists what can be meant and is odd: conditions that can never hold, whatever is seen, "
        "so "
        "that an action is never enabled or a goal never solved, and named goals that no test uses. The exit "
        "code is 1 if there is such a finding.",
    .options = {COR_SHEET_OPTIONS(sheets, "print the findings as CSV"), COR_ISOLATE_OPTION(isolation)},
    .examples = {"corridor system check tests.json", "corridor system check tests.json --json"},
    .run = run_system_check,
};
