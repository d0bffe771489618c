/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "show_view.h"

#include <corridor/terms.h>

static const struct {
    const char *word;
    int box; /* 0 = any */
} boxes[] = {{"any", 0}, {"gray", COR_BOX_GRAY}, {"black", COR_BOX_BLACK}};

static const char *box_word(size_t index) {
    return index < sizeof boxes / sizeof *boxes ? boxes[index].word : NULL;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_view_request request = {.path = NULL};
    int64_t horizon;
    int box;
    if (!cor_argument_integer(arguments, "horizon", 1, 1000000000, 0, &horizon) ||
        !cor_argument_word(arguments, "box", 0, &box))
        return COR_EXIT_USAGE;
    request.horizon = (double)horizon;
    request.box = boxes[box].box;
    return cor_show_view(arguments, "survival", cor_argument_given(arguments, "kills") ? "kills" : NULL,
                         &request);
}

const struct cor_command cor_command_survival = {
    .name = "survival",
    .summary = "how many test cases until a fault is found, what stays masked, and which check sees it",
    .operands = "RESULTS.h5",
    .manual =
        "For each arm: the Kaplan-Meier curve of test cases to the first detection (sequences without one "
        "are "
        "censored at their last executed case), median, restricted mean up to a common horizon, survival at "
        "10, 50, 100 and 500 cases, with intervals over suites; log-rank tests between arms; failures that "
        "entered, were detected, or stayed masked; and the kill matrix, which check of the oracle saw how "
        "many. docs/statistics.md defines every figure.",
    .options =
        {
            {"box", 'b', "WORD", "through which box a detection counts", "any"},
            {"horizon", 0, "CASES", "of the restricted mean; else the greatest that half of the suites reach",
             NULL},
            {"level", 0, "P", "level of the intervals", "0.95"},
            {"json", 0, NULL, "everything as one JSON document", NULL},
            {"csv", 0, NULL, "the curves: arm,cases,at_risk,detected,censored,survival,low,high", NULL},
            {"kills", 0, NULL, "the kill matrix: arm,oracle,cases,failures,alone,sequences,suites", NULL},
        },
    .choices = {{"box", box_word}},
    .examples = {"corridor survival demo.h5 --box gray", "corridor survival demo.h5 --kills | column -s, -t"},
    .run = run,
};
