/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "show_view.h"

static const char *sheet_word(size_t index) {
    const struct cor_sheet_definition *sheet = cor_view_find("coverage")->sheets[index];
    return sheet ? sheet->id : NULL;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_view_request request = {.arm = cor_argument(arguments, "arm")};
    int64_t suite;
    if (!cor_argument_integer(arguments, "suite", 0, UINT32_MAX - 1, COR_ANY_SUITE, &suite))
        return COR_EXIT_USAGE;
    request.suite = (uint32_t)suite;
    return cor_show_view(arguments, "coverage", NULL, &request);
}

const struct cor_command cor_command_coverage = {
    .name = "coverage",
    .summary = "what the test cases of a result file cover, and what they do not",
    .operands = "RESULTS.h5",
    .manual = "Prints how much of the states and transitions of the environment profiles was seen, by number "
              "and by "
              "stationary mass, what is still unseen (by the law of the profiles and, beside it, by Good and "
              "Turing from the "
              "walks alone) and how many cases the next new transition costs; transitions that were to be "
              "expected and never "
              "came; growth over cases, sequences and suites beside what is expected; pairs of states of two "
              "chains; which "
              "parts of the space of configurations were drawn; and which white-box probes were reached. "
              "Definitions: "
              "docs/statistics.md.",
    .options =
        {
            {"arm", 0, "NAME", "only this arm, with a matrix of what was taken", NULL},
            {"suite", 0, "N", "only suite N of each arm", NULL},
            {"json", 0, NULL, "everything as one JSON document", NULL},
            {"csv", 0, "TABLE", "one table as CSV", NULL},
        },
    .choices = {{"csv", sheet_word}},
    .examples = {"corridor coverage demo.h5", "corridor coverage demo.h5 --arm PSOPP-F5 --suite 0",
                 "corridor coverage demo.h5 --csv missed"},
    .run = run,
};
