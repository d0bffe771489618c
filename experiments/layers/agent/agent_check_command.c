/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "output.h"
#include "show_view.h"

#include <corridor/answer.h>
#include <corridor/array.h>
#include <corridor/design_check.h>

#include <stdlib.h>

static const struct cor_column_definition looked_sheet_columns[] = {
    {"agent", "agent", "", "its name", COR_CELL_WORD, 0, 0},
    {"units", "units", "", "units of the design", COR_CELL_COUNT, 0, 0},
    {"findings", "findings", "", "decided ones", COR_CELL_COUNT, 0, 0},
    {"open", "open", "", "questions that were too much", COR_CELL_COUNT, 0, 0},
    {"solved", "solved", "cases", "cases that no sample makes, and a test has", COR_CELL_COUNT, 0, 0},
    {"z3", "asked of z3", "", "questions", COR_CELL_COUNT, 0, 0}};
COR_SHEET_DEFINITION(looked_sheet, "looked", "Design", "what was looked at", COR_SHEET_RECORD, 0);

static const struct cor_column_definition findings_sheet_columns[] = {
    {"check", "finding", "",
     "context never true, context never false, event not covered, event overlap, branch dead, event "
     "unhandled, ring not meant",
     COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"severity", "severity", "", "error, warning or note", COR_CELL_WORD, 0, 0},
    {"ground", "ground", "",
     "structure: it is written so; witness: values show it; proof: no values are otherwise; open: neither "
     "was found",
     COR_CELL_WORD, 0, 0},
    {"about", "about", "", "plan, event or ring", COR_CELL_WORD, 0, 0},
    {"plan", "plan", "", "the plan that has it", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"text", "in words", "", "with the values of a witness", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(findings_sheet, "findings", "Findings", "a row a finding", 0, 0);

struct request {
    struct cor_sheet_options sheets;
    uint64_t seed;
};

static uint32_t count_open(const struct cor_design_findings *findings) {
    uint32_t open = 0;
    for (uint32_t f = 0; f < findings->count; f++)
        open += findings->items[f].ground == COR_GROUND_OPEN;
    return open;
}

static void put_word(struct cor_sheet *sheet, const char *word) {
    cor_sheet_word(sheet, word[0] ? word : NULL);
}

static enum cor_status print(const struct cor_sheet_options *options, const struct cor_design_file *file,
                             const struct cor_design_findings *findings, struct cor_error *error) {
    struct cor_sheets *sheets = NULL;
    enum cor_status status = COR_OK;
    COR_TRY(cor_sheets_create("corridor-agent-check", 1, &sheets, error));
    struct cor_sheet *looked = cor_sheets_add(sheets, &looked_sheet);
    cor_sheet_row(looked);
    cor_sheet_word(looked, file->design->name);
    cor_sheet_count(looked, file->order.units.count);
    cor_sheet_count(looked, findings->count - count_open(findings));
    cor_sheet_count(looked, count_open(findings));
    cor_sheet_count(looked, findings->solved);
    cor_sheet_count(looked, findings->asked);
    struct cor_sheet *sheet = cor_sheets_add(sheets, &findings_sheet);
    for (uint32_t f = 0; f < findings->count; f++) {
        const struct cor_design_finding *it = &findings->items[f];
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, cor_term_word(COR_FAMILY_AUT_CHECK, (int)it->check));
        cor_sheet_word(sheet, cor_term_word(COR_FAMILY_SEVERITY, (int)it->severity));
        cor_sheet_word(sheet, cor_ground_word(it->ground));
        put_word(sheet, it->about);
        put_word(sheet, it->plan);
        cor_sheet_text(sheet, "%s", it->text);
    }
    COR_TRY_OUT(cor_show_sheets(options, sheets, "findings", error));
out:
    cor_sheets_destroy(sheets);
    return status;
}

static enum cor_exit run_agent_check(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    struct cor_design_file *file = NULL;
    struct cor_design_findings findings = {0};
    uint32_t open = 0;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_design_file_read(arguments->words[0], &file, &error));
    struct cor_test_settings settings = file->design->settings;
    settings.solve = true;
    if (cor_given(arguments, "seed"))
        settings.seed = request->seed;
    COR_TRY_OUT(cor_design_check(file, &settings, &findings, &error));
    if (findings.is_cut)
        cor_say("note: " COR_SOLVER_CUT_TEXT);
    COR_TRY_OUT(print(&request->sheets, file, &findings, &error));
    open = count_open(&findings);
out:
    cor_design_findings_fini(&findings);
    cor_design_file_destroy(file);
    return status != COR_OK ? cor_report(&error) : open > 0 ? COR_EXIT_UNDECIDED : COR_EXIT_DONE;
}

const struct cor_command cor_command_agent_check = {
    .name = "agent check",
    .summary = "check a design for mistakes, each with a witness or a proof",
    .operands = "DESIGN.json",
    .takes = {1, 1, "needs one design"},
    .request_size = sizeof(struct request),
    .manual =
        "Looks for contexts that hold never or always, events that find no applicable plan (gaps) or "
        "several (overlaps), conditions of bodies that come out one way alone, events that no plan handles, "
        "and plans that call each other in a ring. Values are taken from the cases of the units, and where "
        "these show nothing z3 is asked: it finds values, or proves that there are none. What was too much "
        "is listed as open.",
    .options =
        {
            {"seed", 0, "N", "draw the samples from this seed", COR_INTEGER(seed, 0, INT64_MAX, -1),
             .otherwise = "the design's"},
            COR_SHEET_OPTIONS(sheets, "print the findings as CSV"),
        },
    .examples = {"corridor agent check experiments/library/agents/stock_manager.json",
                 "corridor agent check design.json --json"},
    .run = run_agent_check,
};
