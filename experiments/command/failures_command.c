/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "replay.h"
#include "show_view.h"

static enum cor_exit run(const struct cor_arguments *arguments) {
    static const char *const of_keeping[] = {"force", "budget", NULL};
    const bool keeps = cor_argument_given(arguments, "keep");
    for (const char *const *name = of_keeping; *name; name++)
        if (!keeps && cor_argument_given(arguments, *name))
            return cor_misuse(arguments->command, "--%s goes with --keep", *name);
    const enum cor_exit shown = cor_show_view(arguments);
    return shown == COR_EXIT_DONE && keeps ? cor_keep_failures(arguments) : shown;
}

const struct cor_command cor_command_failures = {
    .name = "failures",
    .summary = "list failures by class",
    .operands = "RESULTS.h5",
    .manual =
        "A row for each failing sequence of a campaign: the key of its first failing case, which corridor "
        "replay takes, and the class of that case - the boxes with the checks that they saw violated, smoke "
        "by its kind, and whether the arm's fault was at work. Classes are counted first. With --masked "
        "also each case in which a fault was active and nobody saw anything. With --keep the first failure "
        "of each "
        "class is shrunk, and written as a test for corridor replay: FOLDER/CLASS.json.",
    .options =
        {
            {"arm", 0, "NAME", "show only this arm", "all"},
            {"class", 0, "CLASS", "show only this class, named as it is shown: gray.agent_missing,fault",
             "all"},
            {"masked", 0, NULL, "list also cases in which a fault was active unseen", NULL},
            {"keep", 0, "FOLDER",
             "write a shrunk test of each class into the folder; tests that are there stay", NULL},
            {"budget", 0, "N", "with --keep: execute N tests at most for each class",
             "as many as it takes"},
            {"force", 'f', NULL, "with --keep: replace tests that are there", NULL},
            {"top", 0, "K", "show K rows of the list in a text", "40"},
            COR_OPTION_JSON,
            COR_OPTION_CSV,
            COR_OPTION_SHEET,
            COR_OPTION_UNSEALED,
        },
    .examples = {"corridor failures build/demo.h5 # classes, then keys",
                 "corridor failures build/demo.h5 --arm SPADA-F1 --json",
                 "corridor failures build/demo.h5 --keep tests/ # then: corridor replay tests/*.json "
                 "--expect failing"},
    .run = run,
};
