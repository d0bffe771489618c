/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "show_view.h"

const struct cor_command cor_command_tests = {
    .name = "tests",
    .operands = "RESULTS.h5",
    .manual =
        "Prints what tests on line found of systems beside their model: verdicts by planner and system, "
        "each test with what happened, what of the goal and of the model was covered and why not, and the "
        "moves of one test - that of --arm and --suite, else the first that failed, else the first. Of "
        "mutants, scores and the kill matrix.",
    .options =
        {
            COR_OPTION_JSON,
            COR_OPTION_CSV,
            COR_OPTION_SHEET,
            COR_OPTION_UNSEALED,
            COR_OPTION_LEVEL,
            {"arm", 0, "NAME", "only this arm", "all; with --dot the first"},
            {"suite", 0, "N", "show the moves of this test", "the first that failed, else the first"},
            {"dot", 0, NULL, "the model as a graph for Graphviz, in the colours of what was taken", NULL},
            {"hash", 0, NULL,
             "only the fingerprint of the file's content, the same for every build and number of workers",
             NULL},
            {"verify", 0, NULL, "first read everything and check the file's fingerprint", NULL},
        },
    .examples = {"corridor tests r.h5", "corridor tests r.h5 --suite 3 --sheet moves",
                 "corridor tests r.h5 --dot | dot -Tsvg > model.svg"},
    .run = cor_show_view,
};
