/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "show_view.h"

const struct cor_command cor_command_compare = {
    .name = "compare",
    .operands = "A.h5 B.h5",
    .manual = "Compares the arms of two result files that have the same name, or two arms of any name with "
              "--arms (A and B may be one file), in the metrics of corridor performance. Suites are paired "
              "where configuration and walks are equal, which runs of one experiment with one seed give. "
              "Each metric has both means, their difference with a BCa interval over suites, A12 of Vargha "
              "and Delaney, and p of Wilcoxon's signed rank (paired) or of Mann and Whitney's U after Holm's "
              "correction over all. Exit code 1 with --fail-on if B is worse; else 0, whatever the "
              "difference. docs/statistics.md defines it all.",
    .options =
        {
            {"arms", 'a', "A=B", "compare arm A of the first file with arm B of the second", NULL},
            {"fail-on", 0, "WORD",
             "exit with 1 if B is worse: regression leaves CPU times aside, regression-or-time does not",
             NULL},
            {"level", 0, "P", "level of the intervals; tests at 1 - P", "0.95"},
            COR_OPTION_JSON,
            COR_OPTION_CSV,
            COR_OPTION_SHEET,
            COR_OPTION_UNSEALED,
        },
    .choices = {{"fail-on", cor_regression_word}},
    .examples = {"corridor compare old.h5 new.h5 --fail-on regression",
                 "corridor compare demo.h5 demo.h5 --arms SPADA-F1=PSOPP-F1"},
    .run = cor_show_view,
};
