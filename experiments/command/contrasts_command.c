/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "show_view.h"

const struct cor_command cor_command_contrasts = {
    .name = "contrasts",
    .operands = "RESULTS.h5",
    .manual =
        "Compares the pairs of arms that the experiment names in \"contrasts\": suites and sequences with a "
        "detection, cases to the first one, their differences with intervals over suites, and whether a "
        "difference can be claimed. Then, for each of these arms, the gray box with the black box. "
        "docs/experiments.md says how to name contrasts, docs/statistics.md how they are judged.",
    .options =
        {
            COR_OPTION_LEVEL,
            COR_OPTION_JSON,
            COR_OPTION_CSV,
            COR_OPTION_SHEET,
            COR_OPTION_UNSEALED,
        },
    .examples = {"corridor contrasts ablation.h5"},
    .run = cor_show_view,
};
