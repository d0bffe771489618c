/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "show_view.h"

const struct cor_command cor_command_failures = {
    .name = "failures",
    .summary = "list failures by class",
    .operands = "RESULTS.h5",
    .manual =
        "A row for each failing sequence of a campaign: the key of its first failing case, which corridor "
        "replay takes, and the class of that case - the boxes with the checks that they saw violated, smoke "
        "by its kind, and whether the arm's fault was at work. Classes are counted first. With --masked "
        "also each case in which a fault was active and nobody saw anything.",
    .options =
        {
            {"arm", 0, "NAME", "only this arm", "all"},
            {"class", 0, "CLASS", "only this class, as it is shown: gray.agent_missing,fault", "all"},
            {"masked", 0, NULL, "also cases in which a fault was active unseen", NULL},
            {"top", 0, "K", "rows of the list in a text", "40"},
            COR_OPTION_JSON,
            COR_OPTION_CSV,
            COR_OPTION_SHEET,
            COR_OPTION_UNSEALED,
        },
    .examples = {"corridor failures build/demo.h5 # classes, then keys",
                 "corridor failures build/demo.h5 --arm SPADA-F1 --json"},
    .run = cor_show_view,
};
