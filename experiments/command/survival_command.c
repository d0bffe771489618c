/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "show_view.h"

const struct cor_command cor_command_survival = {
    .name = "survival",
    .operands = "RESULTS.h5",
    .manual = "For each arm: the Kaplan-Meier curve of test cases to the first detection (sequences without "
              "one are censored at their last executed case), median, restricted mean up to a common "
              "horizon, survival at 10, 50, 100 and 500 cases, with intervals over suites; log-rank tests "
              "between arms; failures that entered, were detected, or stayed masked; and the kill matrix, "
              "which check of the oracle saw how many. docs/statistics.md defines every figure.",
    .options =
        {
            {"box", 'b', "WORD", "through which box a detection counts", "any"},
            {"horizon", 0, "CASES", "of the restricted mean; else the greatest that half of the suites reach",
             NULL},
            COR_OPTION_LEVEL,
            COR_OPTION_JSON,
            COR_OPTION_CSV,
            COR_OPTION_SHEET,
            COR_OPTION_UNSEALED,
        },
    .choices = {{"box", cor_box_word}},
    .examples = {"corridor survival demo.h5 --box gray",
                 "corridor survival demo.h5 --sheet kills | column -s, -t"},
    .run = cor_show_view,
};
