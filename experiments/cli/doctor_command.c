/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "show_view.h"

#include <corridor/guarantees.h>

static const struct cor_column_definition layers_columns[] = {
    {"layer", "layer", "", "what is kept apart", COR_CELL_WORD, 0, 0},
    {"holds", "holds", "", "whether it does on this machine, for this user", COR_CELL_FLAG, 0, 0},
    {"means", "by", "", "how it is come by", COR_CELL_TEXT, 0, 0},
    {"promise", "an algorithm in a cell", "", "what follows from it", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(layers, "layers", "Layers of isolation", "a layer", 0, 0);

static void fill(unsigned held, struct cor_sheets *sheets) {
    struct cor_sheet *sheet = cor_sheets_add(sheets, &layers);
    for (unsigned i = 0; i < COR_GUARANTEE_COUNT; i++) {
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, cor_guarantees[i].name);
        cor_sheet_flag(sheet, held >> i & 1);
        cor_sheet_text(sheet, "%s", cor_guarantees[i].means);
        cor_sheet_text(sheet, "%s", cor_guarantees[i].promise);
    }
    cor_sheets_remark(sheets, held == COR_GUARANTEES_ALL
                                  ? "All hold: corridor run --require-isolation full runs here."
                                  : "Results are the same without a layer, as long as no algorithm does what "
                                    "it would prevent.");
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_sheets *sheets = NULL;
    unsigned held;
    enum cor_status status = COR_OK;
    if (arguments->word_count != 0)
        return cor_misuse(arguments->command, "takes no operands");
    COR_TRY_OUT(cor_guarantees_held(&held, &error));
    COR_TRY_OUT(cor_sheets_create("corridor-doctor", 1, &sheets, &error));
    fill(held, sheets);
    COR_TRY_OUT(cor_show_sheets(arguments, sheets, "layers", &error));
out:
    cor_sheets_destroy(sheets);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_doctor = {
    .name = "doctor",
    .summary = "what keeps algorithms in cells from doing harm on this machine",
    .operands = "",
    .manual =
        "Starts a process in a cell, as algorithms that are not built in have one, and says which layers of "
        "isolation hold: they are the kernel's, and a container or the system's policy may refuse some. "
        "corridor run says so, too, when it runs such an algorithm, and with --require-isolation full it "
        "refuses to.",
    .options = {COR_OPTION_JSON, COR_OPTION_CSV},
    .examples = {"corridor doctor", "corridor doctor --json"},
    .run = run,
};
