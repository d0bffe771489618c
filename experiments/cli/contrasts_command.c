/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "output.h"

#include <corridor/contrasts.h>

static enum cor_status print(const struct cor_contrasts *contrasts, const struct cor_arguments *arguments,
                             struct cor_error *error) {
    struct cor_style style = cor_show_style();
    if (cor_argument_given(arguments, "json"))
        return cor_contrasts_json(contrasts, stdout, error);
    return cor_contrasts_text(contrasts, &style, stdout, error);
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_result *result = NULL;
    struct cor_contrasts *contrasts = NULL;
    double level;
    if (arguments->word_count != 1)
        return cor_misuse(arguments->command, "needs one result file");
    if (!cor_argument_real(arguments, "level", 0.5, 0.9999, 0.95, &level))
        return COR_EXIT_USAGE;
    enum cor_status status = cor_result_open(arguments->words[0], &result, &error);
    if (status == COR_OK) {
        status = cor_contrasts_create(result, level, &contrasts, &error);
        if (status == COR_STATUS_INPUT)
            cor_show_path(arguments->words[0], &error);
    }
    if (status == COR_OK)
        status = print(contrasts, arguments, &error);
    cor_contrasts_destroy(contrasts);
    cor_result_close(result);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_contrasts = {
    .name = "contrasts",
    .summary = "which of two arms finds more, and which sooner, from a result file",
    .operands = "RESULTS.h5",
    .manual =
        "Compares the pairs of arms that the experiment names in \"contrasts\": suites and sequences with a "
        "detection, cases to the first one, their differences with intervals over suites, and whether a "
        "difference can be claimed. Then, for each of these arms, the gray box with the black box. "
        "docs/experiments.md says how to name contrasts, docs/statistics.md how they are judged.",
    .options =
        {
            {"json", 0, NULL, "everything as one JSON document", NULL},
            {"level", 0, "P", "level of the intervals", "0.95"},
        },
    .examples = {"corridor contrasts ablation.h5"},
    .run = run,
};
