/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "show_view.h"

const struct cor_command cor_command_performance = {
    .name = "performance",
    .operands = "RESULTS.h5",
    .manual = "For each arm, with intervals over suites: reorganizations, success, agents affected and "
              "involved, moves, messages, rounds, budget, time between reorganizations, stays outside the "
              "corridor, stop reasons, and the quality reached over the budget spent. CPU times come from "
              "RESULTS.h5.times.csv, if it lies beside the file, and are true of that one run only. "
              "docs/statistics.md defines every figure.",
    .options =
        {
            {"arm", 'a', "NAME", "this arm alone", NULL},
            COR_OPTION_LEVEL,
            COR_OPTION_JSON,
            COR_OPTION_CSV,
            COR_OPTION_SHEET,
            COR_OPTION_UNSEALED,
        },
    .examples = {"corridor performance demo.h5 --arm SPADA-F1"},
    .run = cor_show_view,
};
