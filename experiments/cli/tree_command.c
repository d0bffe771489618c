/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "show_view.h"

#include <corridor/arms.h>
#include <corridor/tree.h>

#include <string.h>

static const char *projection_word(size_t index) {
    return index < COR_PROJECTION_COUNT ? cor_projection_words[index] : NULL;
}

static const char *unit_word(size_t index) {
    return index < COR_UNIT_COUNT ? cor_unit_words[index] : NULL;
}

static const char *score_word(size_t index) {
    return index < COR_SCORE_COUNT ? cor_score_words[index] : NULL;
}

static bool choose_projections(const struct cor_arguments *arguments, unsigned *projections) {
    const char *given = cor_argument(arguments, "by"), *const *words = cor_projection_words;
    char known[256], copy[128];
    *projections = 0;
    snprintf(copy, sizeof copy, "%s", given ? given : "chains,alarm,verdict");
    for (char *word = strtok(copy, ","); word; word = strtok(NULL, ",")) {
        int found = 0;
        while (words[found] && strcmp(words[found], word) != 0)
            found++;
        if (!words[found]) {
            cor_known_names(word, words, known, sizeof known);
            cor_misuse(arguments->command, "--by does not know \"%s\"; %s", word, known);
            return false;
        }
        *projections |= 1u << found;
    }
    if (*projections == 0)
        cor_misuse(arguments->command, "--by takes one or more words, with commas between them");
    return *projections != 0;
}

static bool understand(const struct cor_arguments *arguments, struct cor_view_request *request) {
    int64_t suite, rows, depth;
    if (arguments->word_count != 1) {
        cor_misuse(arguments->command, "needs one result file");
        return false;
    }
    if (cor_argument_given(arguments, "json") && cor_argument_given(arguments, "dot")) {
        cor_misuse(arguments->command, "--json and --dot exclude each other");
        return false;
    }
    if (!cor_argument_integer(arguments, "suite", 0, UINT32_MAX - 1, COR_ANY_SUITE, &suite) ||
        !cor_argument_integer(arguments, "top", 1, 1000000, 0, &rows) ||
        !cor_argument_integer(arguments, "depth", 1, UINT32_MAX, 0, &depth) ||
        !cor_argument_word(arguments, "unit", COR_UNIT_REORGANIZATION, &request->unit) ||
        !cor_argument_word(arguments, "score", COR_SCORE_OCHIAI, &request->score))
        return false;
    request->suite = (uint32_t)suite;
    request->rows = (size_t)rows;
    request->depth = (uint32_t)depth;
    return choose_projections(arguments, &request->projections);
}

static enum cor_status print_dot(const struct cor_view_request *request, struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(request->result);
    struct cor_tree *tree;
    size_t arm;
    COR_TRY(cor_arm_find(head, "--arm", request->arm, &arm, error));
    COR_TRY(cor_tree_create(request->result, cor_arm_entry(head, arm)->code, request->suite,
                            request->projections, &tree, error));
    enum cor_status status = COR_OK;
    if (tree)
        status = cor_tree_dot(tree, request->result, request->depth, stdout, error);
    else
        printf("digraph tree {\n  nothing [label=\"nothing failed: no tree to part\"];\n}\n");
    cor_tree_destroy(tree);
    return status;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_view_request request = {.arm = cor_argument(arguments, "arm"), .path = arguments->words[0]};
    struct cor_view_findings findings = {0};
    if (!understand(arguments, &request))
        return COR_EXIT_USAGE;
    enum cor_status status = cor_result_open(request.path, &request.result, &error);
    if (status == COR_OK)
        status = cor_argument_given(arguments, "dot")
                     ? print_dot(&request, &error)
                     : cor_print_view(arguments, "tree", NULL, &request, &findings, &error);
    cor_result_close(request.result);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_tree = {
    .name = "tree",
    .summary = "where verdicts part, and what goes with failing, from a result file",
    .operands = "RESULTS.h5",
    .manual =
        "Draws the sequences of a suite as a tree of common prefixes (by default of the first suite in which "
        "some "
        "failed and some passed) and says where verdicts part, and by what. Independent sequences part at "
        "once: an "
        "experiment with \"branching\" has others that set out from shortly before a failure "
        "(docs/experiments.md). "
        "Then ranks what goes with failing over all suites of the arm: environment changes, structure and "
        "configuration, apart from what the algorithm did. analysis/tree/README.md defines all of it.",
    .options =
        {
            {"arm", 'a', "NAME", "the arm; may be left out if the file has one", NULL},
            {"suite", 's', "N", "this suite alone", NULL},
            {"by", 0, "WORDS", "what of a case the tree looks at, with commas between",
             "chains,alarm,verdict"},
            {"depth", 0, "D", "count what lies deeper than so many partings", NULL},
            {"unit", 0, "WORD", "what is observed to fail", "reorganizations"},
            {"score", 0, "WORD", "what ranks", "ochiai"},
            {"top", 0, "K", "features shown of each list", "15"},
            {"json", 0, NULL, "everything as one JSON document", NULL},
            {"csv", 0, NULL, "the nodes of the tree", NULL},
            {"dot", 0, NULL, "the tree as a graph for Graphviz", NULL},
        },
    .choices = {{"by", projection_word}, {"unit", unit_word}, {"score", score_word}},
    .examples = {"corridor tree demo.h5 --arm SPADA-F2 # fewer than 5 partitions come first",
                 "corridor tree demo.h5 --arm SPADA-F2 --suite 3 --dot | dot -Tsvg > tree.svg"},
    .run = run,
};
