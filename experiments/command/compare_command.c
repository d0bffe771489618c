/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compare: what the operands are decides what is compared. */
#include "commands.h"
#include "show_view.h"

#include <corridor/search_schema.h>

struct request {
    struct cor_view_options show;
};

/* The sheet of the view "searches" that has generators beside each other. */
#define SHARES "shares"

static enum cor_status choose(const struct cor_arguments *arguments, struct cor_result *result,
                              struct cor_showing *showing, bool *misuse, struct cor_error *error) {
    const struct cor_layer_schema *layer = cor_result_head(result)->layer;
    const struct cor_view_options *options = arguments->request;
    const bool two = arguments->word_count == 2 || options->view.arms,
               searches = layer == &cor_search_schema && !two;
    if (layer != &cor_interaction_schema && !searches)
        return cor_other_layer(arguments->command, arguments->words[0], layer,
                               two ? "campaigns of algorithms" : "campaigns of algorithms, and searches",
                               error);
    showing->view = cor_view_find(two ? "compare" : searches ? "searches" : "contrasts");
    showing->csv = searches ? SHARES : NULL;
    showing->other = two ? arguments->words[arguments->word_count - 1] : NULL;
    *misuse = !two && options->fail_on != COR_FAIL_ON_NOTHING;
    if (*misuse)
        cor_misuse(arguments->command, "--fail-on needs two files, or --arms A=B");
    return COR_OK;
}

static enum cor_exit run_compare(const struct cor_arguments *arguments) {
    return cor_show_chosen(arguments, choose);
}

const struct cor_command cor_command_compare = {
    .name = "compare",
    .summary = "compare arms or searches",
    .operands = "A.h5 [B.h5]",
    .takes = {1, 2, "needs one or two result files"},
    .request_size = sizeof(struct request),
    .manual =
        "Two files: compares their arms that have the same name, or two arms of any name with --arms; one "
        "file with --arms: two of its arms. Metrics are those of corridor show FILE performance. Suites are "
        "paired where configuration and walks are equal, which runs of one experiment with one seed give. "
        "Each metric has both means, their difference with a BCa interval over suites, A12 of Vargha and "
        "Delaney, and p of Wilcoxon's signed rank (paired) or of Mann and Whitney's U after Holm's "
        "correction over all. Exit code 1 with --fail-on if B is worse; else 0, whatever the "
        "difference.\nOne file alone: compares the pairs of arms that its experiment names in \"contrasts\": "
        "suites and sequences with a detection, cases to the first one, their differences with intervals "
        "over suites, and whether a difference can be claimed; then, for each of these arms, the gray box "
        "with the black box.\nOne file of searches by several generators (corridor search --generator A,B): "
        "compares the generators, as corridor show does.\ndocs/look-up/experiments.md says how to name "
        "contrasts, "
        "docs/evidence/statistics.md how all of it is judged.",
    .options =
        {
            {"arms", 'a', "A=B", "compare arm A of the first file with arm B of the second",
             COR_TEXT(show.view.arms)},
            {"fail-on", 0, "WORD",
             "exit with 1 if B is worse: regression leaves CPU times aside, regression-or-time does not",
             COR_NAME(show.fail_on, COR_NAMES("regression", "regression-or-time"), COR_FAIL_ON_REGRESSION,
                      COR_FAIL_ON_NOTHING)},
            COR_LEVEL_OPTION(show.view.level, "set the level of the intervals, and test at 1 - P"),
            COR_ALL_OPTION(show.all),
            COR_RESULT_OPTIONS,
        },
    .examples = {"corridor compare old.h5 new.h5 --fail-on regression",
                 "corridor compare demo.h5 --arms SPADA-F1=PSOPP-F1",
                 "corridor compare ablation.h5      # the contrasts that its experiment names",
                 "corridor compare both.h5          # generators, of corridor search"},
    .run = run_compare,
    .reads = true,
};
