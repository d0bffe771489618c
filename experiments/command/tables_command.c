/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "show_view.h"

const struct cor_command cor_command_tables = {
    .name = "tables",
    .operands = "RESULTS.h5",
    .manual = "Prints what was found per arm, Tables 1 and 2 row by row with intervals over suites beside "
              "the published figures (for arms named like the published columns, such as SPADA-F1), failures "
              "by class, the identities that every result file must meet, and which claims of the paper "
              "hold. docs/statistics.md defines every figure.",
    .options =
        {
            COR_OPTION_JSON,
            COR_OPTION_CSV,
            COR_OPTION_SHEET,
            COR_OPTION_UNSEALED,
            {"intervals", 0, "WORD",
             "how intervals over suites are made; bca resamples suites, for skewed figures", "linearised"},
            COR_OPTION_LEVEL,
            {"hash", 0, NULL,
             "only the fingerprint of the file's content, the same for every build and number of workers",
             NULL},
            {"verify", 0, NULL, "first read everything and check the file's fingerprint", NULL},
        },
    .choices = {{"intervals", cor_intervals_word}},
    .examples = {"corridor tables demo.h5", "corridor tables demo.h5 --intervals bca",
                 "corridor tables demo.h5 --csv | column -s, -t", "corridor tables demo.h5 --sheet found"},
    .run = cor_show_view,
};
