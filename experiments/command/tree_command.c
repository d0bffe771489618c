/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "show_view.h"

#include <corridor/tree.h>

struct request {
    struct cor_view_options show;
};

const struct cor_command cor_command_tree = {
    .name = "tree",
    .summary = "find what goes with failing",
    .operands = "RESULTS.h5",
    .takes = {1, 1, "needs one result file"},
    .request_size = sizeof(struct request),
    .manual = "Draws the sequences of a suite as a tree of common prefixes (by default of the first suite in "
              "which some failed and some passed) and says where verdicts part, and by what. Independent "
              "sequences part at once: an experiment with \"branching\" has others that set out from shortly "
              "before a failure (docs/look-up/experiments.md). Then ranks what goes with failing over all "
              "suites of "
              "the arm: environment changes, structure and configuration, apart from what the algorithm did. "
              "analysis/tree/README.md defines all of it.",
    .options =
        {
            {"arm", 'a', "NAME", "show this arm; may be left out if the file has one",
             COR_TEXT(show.view.arm)},
            {"suite", 's', "N", "show only this suite", COR_SUITE(show.view.suite)},
            {"by", 0, "WORDS", "look at this of a case, with commas between", COR_WORD_LIST(show.by, NULL),
             .names = cor_projection_words, .otherwise = "chains,alarm,verdict"},
            {"depth", 0, "D", "count what lies deeper than so many partings",
             COR_INTEGER(show.view.depth, 1, UINT32_MAX, 0)},
            {"unit", 0, "WORD", "count failures of these",
             COR_NAME(show.view.unit, cor_ranked_unit_words, 0, 0)},
            {"score", 0, "WORD", "rank by this score", COR_NAME(show.view.score, cor_score_words, 0, 0)},
            {"top", 0, "K", "show K features of each list", COR_INTEGER(show.view.rows, 1, 1000000, 0),
             .otherwise = "15"},
            COR_ALL_OPTION(show.all),
            COR_RESULT_OPTIONS,
            COR_DOT_OPTION(show.dot, "print the tree as a graph for Graphviz"),
        },
    .examples = {"corridor tree demo.h5 --arm SPADA-F2 # fewer than 5 partitions come first",
                 "corridor tree demo.h5 --arm SPADA-F2 --suite 3 --dot | dot -Tsvg > tree.svg"},
    .run = cor_show_view,
    .reads = true,
};
