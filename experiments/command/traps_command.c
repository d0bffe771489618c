/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "show_view.h"

const struct cor_command cor_command_traps = {
    .name = "traps",
    .operands = "RESULTS.h5",
    .manual =
        "For each arm with traps (\"environment\": {\"traps\": ..}): how many a sequence covers, how that "
        "grows with cases, and in which case; the exact probability that a sequence of the profiles "
        "covers a trap, where the environment alone decides, beside the weighted share of the sequences "
        "executed; the weighted rate of failing sequences; and how much the weights can carry. Of arms "
        "whose walks are chosen there are no rates.",
    .options =
        {
            COR_OPTION_JSON,
            COR_OPTION_CSV,
            COR_OPTION_SHEET,
            COR_OPTION_UNSEALED,
        },
    .examples = {"corridor traps traps.h5", "corridor traps traps.h5 --sheet growth"},
    .run = cor_show_view,
};
