/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "show_view.h"

const struct cor_command cor_command_findings = {
    .name = "findings",
    .operands = "RESULTS.h5",
    .manual = "Prints what the agents of a result file do otherwise than their design: units in the order of "
              "testing, "
              "then each finding with its sentence, how often, the smallest case, what explains it and what "
              "to look "
              "at; what the cases reached, and what no unit tests. Of mutants, the mutation score by "
              "operator and by "
              "check.",
    .options =
        {
            COR_OPTION_JSON,
            COR_OPTION_CSV,
            COR_OPTION_SHEET,
            COR_OPTION_UNSEALED,
            {"arm", 0, "NAME", "only this arm", "all; with --dot the first"},
            {"dot", 0, NULL, "the units as a graph for Graphviz, in the colours of their outcomes", NULL},
            {"hash", 0, NULL,
             "only the fingerprint of the file's content, the same for every build and number of workers",
             NULL},
            {"verify", 0, NULL, "first read everything and check the file's fingerprint", NULL},
        },
    .examples = {"corridor findings agents.h5", "corridor findings agents.h5 --csv | column -s, -t",
                 "corridor findings agents.h5 --dot | dot -Tsvg > units.svg"},
    .run = cor_show_view,
};
