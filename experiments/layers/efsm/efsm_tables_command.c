/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "efsm_tables.h"
#include "show_view.h"

struct request {
    struct cor_sheet_options sheets;
    struct cor_efsm_tables_definition tables;
};

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    struct cor_sheets *sheets = NULL;
    enum cor_status status = COR_OK;
    request->tables.folder = arguments->word_count == 1 ? arguments->words[0] : "experiments/library/efsm";
    request->tables.run_moves = 20000;
    request->tables.moves = 2000;
    COR_TRY_OUT(cor_sheets_create("corridor-efsm-tables", 1, &sheets, &error));
    COR_TRY_OUT(cor_fill_efsm_tables(&request->tables, sheets, &error));
    COR_TRY_OUT(cor_show_sheets(&request->sheets, sheets, "table1", &error));
out:
    cor_sheets_destroy(sheets);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_efsm_tables = {
    .name = "efsm tables",
    .summary = "print tables 1, 2 and 3 of paper 004 beside ours",
    .operands = "[FOLDER]",
    .takes = {0, 1, "takes one folder"},
    .request_size = sizeof(struct request),
    .manual = "Plays planner paper (chi-RPT) on the models of the paper, and prints what it and the "
              "baselines need beside each figure of the paper: lengths of tests and times of table 1, the "
              "paths of table 2 move by move, the depths of table 3 on stand-ins for its system, which is "
              "not public; and how often z3 was asked, what for, how long, and what asking it for everything "
              "would cost. docs/evidence/efsm-tables.md explains what deviates. Rows of times say that they "
              "are not "
              "reproducible. FOLDER has the models; without it, experiments/library/efsm.",
    .options =
        {
            {"runs", 0, "N", "run anti-ant N times on each goal of table 1",
             COR_INTEGER(tables.runs, 1, 100000, 200)},
            {"seed", 0, "N", "seed these runs with N", COR_INTEGER(tables.seed, 0, INT64_MAX, 1)},
            {"deepest", 0, "K",
             "compute off-line constraints of the stand-ins up to so many moves (10: half a minute)",
             COR_INTEGER(tables.deepest, 1, 1000, 2)},
            COR_SHEET_OPTIONS(sheets, "print the first table as CSV"),
        },
    .examples = {"corridor efsm tables",
                 "corridor efsm tables experiments/library/efsm --runs 1000 --sheet table2",
                 "corridor efsm tables --deepest 10 --json"},
    .run = run,
};
