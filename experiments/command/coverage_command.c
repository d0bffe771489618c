/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "show_view.h"

struct request {
    struct cor_view_options show;
};

const struct cor_command cor_command_coverage = {
    .name = "coverage",
    .summary = "show what was covered",
    .operands = "RESULTS.h5",
    .takes = {1, 1, "needs one result file"},
    .request_size = sizeof(struct request),
    .manual =
        "Prints how much of the states and transitions of the environment profiles was seen, by number and "
        "by stationary mass, what is still unseen (by the law of the profiles and, beside it, by Good and "
        "Turing from the walks alone) and how many cases the next new transition costs; transitions that "
        "were to be expected and never came; growth over cases, sequences and suites beside what is "
        "expected; pairs of states of two chains; which parts of the space of configurations were drawn; and "
        "which white-box probes were reached. Definitions: docs/evidence/statistics.md.",
    .options =
        {
            {"arm", 0, "NAME", "show only this arm, and with --all a matrix of what was taken",
             COR_TEXT(show.view.arm)},
            {"suite", 0, "N", "show only suite N of each arm", COR_SUITE(show.view.suite)},
            COR_ALL_OPTION(show.all),
            COR_RESULT_OPTIONS,
        },
    .examples = {"corridor coverage demo.h5", "corridor coverage demo.h5 --arm PSOPP-F5 --suite 0",
                 "corridor coverage demo.h5 --sheet missed"},
    .run = cor_show_view,
    .reads = true,
};
