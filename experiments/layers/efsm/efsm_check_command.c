/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "efsm_text.h"
#include "output.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/efsm_lint.h>

static const struct cor_column_definition visited_sheet_columns[] = {
    {"model", "model", "", "its name", COR_CELL_WORD, 0, 0},
    {"states", "states visited", "1", "reachable ones", COR_CELL_COUNT, 0, 0},
    {"complete", "all of them", "", "what is said of reachable states is complete", COR_CELL_FLAG, 0, 0},
    {"findings", "findings", "1", "decided ones", COR_CELL_COUNT, 0, 0},
    {"undecided", "undecided", "1", "questions that were too much", COR_CELL_COUNT, 0, 0},
    {"z3", "asked of z3", "1", "questions", COR_CELL_COUNT, 0, 0}};
COR_SHEET_DEFINITION(visited_sheet, "visited", "Model", "what was looked at", COR_SHEET_RECORD, 0);

static const struct cor_column_definition findings_sheet_columns[] = {
    {"lint", "finding", "",
     "rivals, perfect rivals, alike, guard never true, leaves domain, unreachable, dead end, no "
     "reaction, trap never, traps in conflict, irrelevant is read",
     COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"decided", "decided", "", "no: it may be so, but was too much to look at", COR_CELL_FLAG, 0, 0},
    {"first", "first", "", "transition or trap", COR_CELL_WORD, 0, 0},
    {"second", "second", "", "the other one", COR_CELL_WORD, 0, 0},
    {"location", "location", "", "of the witness", COR_CELL_WORD, 0, 0},
    {"input", "input", "", "of the witness, with its parameters", COR_CELL_TEXT, 0, 0},
    {"state", "state", "", "values of the state variables of the witness", COR_CELL_TEXT, 0, 0},
    {"reachable", "reachable", "", "is that state: yes, no, unknown", COR_CELL_WORD, 0, 0},
    {"goal", "goal", "", "of the traps", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"meaning", "meaning", "", "of the finding", COR_CELL_TEXT, 0, COR_COLUMN_DATA}};
COR_SHEET_DEFINITION(findings_sheet, "findings", "Findings", "a row a finding", 0, 0);

struct request {
    struct cor_sheet_options sheets;
    struct cor_efsm_lint_limits limits;
};

static void put_name(struct cor_sheet *sheet, const char *const *names, uint32_t index) {
    cor_sheet_word(sheet, index == COR_NONE ? NULL : names[index]);
}

static void fill_finding(struct cor_sheet *sheet, const struct cor_efsm *model,
                         const struct cor_efsm_finding *f) {
    static const char *const known[] = {"no", "yes", "unknown"};
    const uint32_t input = f->input != COR_NONE                     ? f->input
                           : f->first != COR_NONE && f->has_witness ? model->transitions[f->first].input
                                                                    : COR_NONE;
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, cor_efsm_lint_word(f->lint));
    cor_sheet_flag(sheet, f->decided);
    /* first, second: transitions, traps, or a transition and a variable. */
    if (f->goal != COR_NONE) {
        const struct cor_efsm_trap *traps = model->goals[f->goal].traps;
        for (int i = 0; i < 2; i++)
            cor_sheet_word(sheet, f->traps[i] == COR_NONE ? NULL : traps[f->traps[i]].id);
    } else {
        put_name(sheet, model->transition_names, f->first);
        if (f->variable != COR_NONE)
            put_name(sheet, model->variable_names, f->variable);
        else
            put_name(sheet, model->transition_names, f->second);
    }
    put_name(sheet, model->location_names, f->location);
    if (input == COR_NONE)
        cor_sheet_nothing(sheet);
    else
        cor_sheet_text_take(sheet, cor_efsm_input_text(model, input, f->has_witness ? f->witness : NULL));
    if (f->has_witness)
        cor_sheet_text_take(sheet, cor_efsm_state_text(model, f->witness));
    else
        cor_sheet_nothing(sheet);
    cor_sheet_word(sheet, f->has_witness ? known[f->reachable] : NULL);
    cor_sheet_word(sheet, f->goal == COR_NONE ? NULL : model->goals[f->goal].name);
    cor_sheet_text(sheet, "%s", cor_efsm_lint_meaning(f->lint));
}

static enum cor_status print_findings(const struct cor_sheet_options *options, const struct cor_efsm *model,
                                      const struct cor_efsm_findings *findings, struct cor_error *error) {
    COR_DESTROYED(cor_sheets) struct cor_sheets *sheets = NULL;
    uint64_t decided = 0;
    COR_TRY(cor_sheets_create("corridor-efsm-check", 1, &sheets, error));
    if (findings->asked.is_cut)
        cor_say("note: " COR_SOLVER_CUT_TEXT);
    for (uint32_t i = 0; i < findings->count; i++)
        decided += findings->findings[i].decided;
    struct cor_sheet *visited = cor_sheets_add(sheets, &visited_sheet);
    cor_sheet_row(visited);
    cor_sheet_word(visited, model->name);
    cor_sheet_count(visited, findings->states);
    cor_sheet_flag(visited, findings->visited_all);
    cor_sheet_count(visited, decided);
    cor_sheet_count(visited, findings->count - decided);
    cor_sheet_count(visited, cor_solver_statistics_sum(&findings->asked).asked);
    struct cor_sheet *sheet = cor_sheets_add(sheets, &findings_sheet);
    for (uint32_t i = 0; i < findings->count; i++)
        fill_finding(sheet, model, &findings->findings[i]);
    return cor_show_sheets(options, sheets, "findings", error);
}

static enum cor_exit run_efsm_check(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    COR_DESTROYED(cor_efsm) struct cor_efsm *model = NULL;
    COR_FINISHED(cor_efsm_findings) struct cor_efsm_findings findings = {0};
    uint32_t undecided = 0;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_efsm_read(arguments->words[0], &model, &error));
    cor_progress_doing("looking for what no run can do");
    COR_TRY_OUT(cor_efsm_lint(model, request->limits, &findings, &error));
    cor_progress_doing(NULL);
    COR_TRY_OUT(print_findings(&request->sheets, model, &findings, &error));
    for (uint32_t i = 0; i < findings.count; i++)
        undecided += !findings.findings[i].decided;
out:
    return status != COR_OK ? cor_report(&error) : undecided > 0 ? COR_EXIT_UNDECIDED : COR_EXIT_DONE;
}

const struct cor_command cor_command_efsm_check = {
    .name = "efsm check",
    .summary = "check a model for mistakes, each with a witness",
    .operands = "MODEL.json",
    .takes = {1, 1, "needs one model"},
    .request_size = sizeof(struct request),
    .manual = "Looks for rivals (transitions that one state and input enable both), perfect rivals (no input "
              "tells them apart), rivals that answer alike (no output tells them apart), guards that never "
              "hold, updates that always leave a domain, transitions out of reach, dead ends, inputs without "
              "reaction, and traps that cannot be hit or exclude each other. Guards are judged over all "
              "states of the domains, by z3 where ranges do not decide; reachable states are visited one by "
              "one, up to a limit. What was too much is listed as undecided.",
    .options =
        {
            {"states", 0, "N", "visit at most so many states",
             COR_INTEGER(limits.states, 1, 100000000, COR_EFSM_LINT_STATES)},
            {"moves", 0, "N", "try at most so many moves",
             COR_INTEGER(limits.moves, 1, 10000000000, COR_EFSM_LINT_MOVES)},
            COR_SHEET_OPTIONS(sheets, "print the findings as CSV"),
        },
    .examples = {"corridor efsm check experiments/library/efsm/counter3.json",
                 "corridor efsm check experiments/library/efsm/lossy_link.json --json"},
    .run = run_efsm_check,
};
