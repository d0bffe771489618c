/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * replay: what a result file says is executed again, and compared with it. */
#include "commands.h"
#include "efsm_replay.h"
#include "output.h"
#include "show_view.h"

#include <corridor/model_schema.h>

/* Which layers there are a replay of stands here. */
static enum cor_status replay(const struct cor_arguments *arguments, struct cor_result *result, bool *equal,
                              struct cor_error *error) {
    const char *path = arguments->words[0];
    const struct cor_layer_schema *layer = cor_result_head(result)->layer;
    struct cor_sheets *sheets = NULL;
    enum cor_status status = COR_OK;
    if (layer != &cor_model_schema)
        return cor_fail(
            error, COR_STATUS_INPUT, path,
            "tests on line can be replayed: files of corridor efsm test -o, and of corridor run of "
            "an experiment with a member \"efsm\"",
            "is a \"%s\", of which no suite can be executed again alone", layer->format);
    COR_TRY(cor_sheets_create("corridor-replay", 1, &sheets, error));
    COR_TRY_OUT(cor_efsm_replay(result, path, cor_argument(arguments, "failure"), sheets, equal, error));
    COR_TRY_OUT(cor_show_sheets(arguments, sheets, "tests", error));
out:
    cor_sheets_destroy(sheets);
    return status;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_result *result;
    bool changed, equal = true;
    if (arguments->word_count != 1)
        return cor_misuse(arguments->command, "needs one result file");
    if (cor_open_result(arguments, arguments->words[0], NULL, &result, &changed, &error) != COR_OK)
        return cor_report(&error);
    const enum cor_status status = replay(arguments, result, &equal, &error);
    cor_result_close(result);
    if (status != COR_OK)
        return cor_report(&error);
    return equal ? COR_EXIT_DONE : COR_EXIT_EXPECTATION;
}

const struct cor_command cor_command_replay = {
    .name = "replay",
    .summary = "execute what a result file says again, and compare",
    .operands = "RESULTS.h5",
    .manual =
        "Executes the tests on line of a result file again and compares every row with the file: equal, or "
        "the first difference of each test with table, row and column. Simulators and mutants are made again "
        "by their names; a program is not started, what it answered then stands in the file. Nothing else is "
        "read: the file has the experiment with its model. The exit code is 1 if a test differs, as it may "
        "where another version of corridor wrote the file. Result files of other layers are refused.",
    .options =
        {
            {"failure", 0, "KEY", "only this test: ARM/TEST, as corridor tests numbers them", "all"},
            COR_OPTION_JSON,
            COR_OPTION_CSV,
            COR_OPTION_SHEET,
            COR_OPTION_UNSEALED,
        },
    .examples = {"corridor replay r.h5", "corridor replay r.h5 --failure search/0 --json"},
    .run = run,
};
