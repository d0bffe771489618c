/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands that show a result file: show, by the view of its layer or by another one that it has; compare,
 * where what the operands are decides what is compared; coverage, failures and tree, each by a view of its
 * own. */
#include "commands.h"
#include "isolation.h"
#include "layer_commands.h"
#include "running.h"
#include "show_view.h"
#include "subject_commands.h"

#include <corridor/built.h>
#include <corridor/schema.h>
#include <corridor/search_schema.h>
#include <corridor/tree.h>
#include <corridor/view.h>

#include <limits.h>
#include <string.h>
#include <unistd.h>

#define VIEWS_MAX 32

struct request {
    struct cor_view_options show;
    bool regions; /* show */
    const char *test;
    struct cor_keeping keep;              /* failures */
    const struct cor_layer_commands *own; /* of the file's layer: known when it is open */
};

/* The one place that says by which view a file of the layer is shown where none is named: to readers in one
 * screen, all of it to those who ask for it, or for anything that only the layer's own view has. */
static const struct cor_view *default_view(const struct cor_arguments *arguments,
                                           const struct cor_layer_schema *layer) {
    for (const struct cor_option *option = arguments->command->options; option->name; option++)
        if (cor_given(arguments, option->name) && strcmp(option->name, "unsealed") != 0 &&
            strcmp(option->name, "verify") != 0)
            return cor_view_find(layer->view);
    return cor_view_find("summary");
}

/* The view of that name among those that files of the layer have; NULL with the error. */
static const struct cor_view *find_view(const char *name, const char *path,
                                        const struct cor_layer_schema *layer, struct cor_error *error) {
    const char *names[VIEWS_MAX] = {NULL};
    const struct cor_view *found = cor_view_find(name);
    char remedy[256];
    size_t count = 0;
    if (found && cor_view_is_shown(found) && cor_view_layer(found) == layer)
        return found;
    if (found && found->command && !cor_view_is_shown(found)) {
        snprintf(remedy, sizeof remedy, "write corridor %s FILE", found->command);
        (void)cor_fail(error, COR_STATUS_INPUT, path, remedy, "%s is no view but a command of its own", name);
        return NULL;
    }
    for (const struct cor_view *const *view = cor_views; *view && count + 1 < VIEWS_MAX; view++)
        if (cor_view_is_shown(*view) && cor_view_layer(*view) == layer)
            names[count++] = (*view)->name;
    cor_known_names(name, names, remedy, sizeof remedy);
    (void)cor_fail(error, COR_STATUS_INPUT, path, remedy, "holds %s, and has no view \"%s\"", layer->holds,
                   name);
    return NULL;
}

/* Options that only some views take are refused beside the others. */
static bool suits(const struct cor_arguments *arguments, const struct cor_view *view) {
    for (const struct cor_option *option = arguments->command->options; option->name; option++) {
        bool own = false;
        for (const struct cor_view *const *any = cor_views; *any && !own; any++)
            own = cor_view_takes(*any, option->name);
        if (own && cor_given(arguments, option->name) && !cor_view_takes(view, option->name)) {
            cor_misuse(arguments->command, "the view %s takes no --%s", view->name, option->name);
            return false;
        }
    }
    return true;
}

static enum cor_status choose(const struct cor_arguments *arguments, struct cor_result *result,
                              struct cor_showing *showing, bool *misuse, struct cor_error *error) {
    const struct request *request = arguments->request;
    const struct cor_layer_schema *layer = cor_result_head(result)->layer;
    showing->view = arguments->word_count > 1
                        ? find_view(arguments->words[1], arguments->words[0], layer, error)
                        : default_view(arguments, layer);
    if (!showing->view)
        return COR_STATUS_INPUT;
    *misuse = !suits(arguments, showing->view);
    if (arguments->word_count > 2) { /* the files behind the view */
        showing->joined = (const char *const *)arguments->words + 2;
        showing->joined_count = (size_t)arguments->word_count - 2;
    }
    showing->done = request->test || request->regions;
    return *misuse || !showing->done ? COR_OK : cor_print_of_searches(result, request->test, error);
}

static enum cor_exit run_show(const struct cor_arguments *arguments) {
    const struct cor_view *view = cor_view_find(arguments->words[0]);
    if (view && cor_view_is_shown(view) && access(arguments->words[0], F_OK) != 0)
        return cor_misuse(arguments->command, "the file comes first: corridor show FILE %s", view->name);
    const struct cor_view *shown = arguments->word_count > 2 ? cor_view_find(arguments->words[1]) : NULL;
    if (shown && !shown->joins)
        return cor_misuse(arguments->command,
                          "needs one result file, and at most one view of it; \"%s\" is a word too many",
                          arguments->words[2]);
    return cor_show_chosen(arguments, choose);
}

/* Said where these layers are built. */
#define OF_AGENTS COR_WITH_AGENT(", tests of agents")
#define OF_MODELS COR_WITH_EFSM(", model-based tests")
#define OF_SYSTEMS COR_WITH_SYSTEM(", tests of running systems")
#define DRAWN_UNITS COR_WITH_AGENT("corridor show agents.h5 findings --dot | dot -Tsvg > units.svg")

const struct cor_command cor_command_show = {
    .name = "show",
    .summary = "show what a file holds",
    .operands = "RESULTS.h5 [VIEW [MORE.h5...]]",
    .takes = {1, INT_MAX, "needs one result file, and at most one view of it"},
    .request_size = sizeof(struct request),
    .manual =
        "Shows a result file. A view answers one question about it; which views there are depends on what "
        "the file holds: campaigns of algorithms" OF_AGENTS OF_MODELS ", searches, an estimation" OF_SYSTEMS
        ". Without VIEW one screen says what was found; with --all the main view of the file is shown. "
        "corridor show VIEW --help explains a view.",
    .options =
        {
            {"all", 0, NULL, "show all of the main view, not one screen", COR_FLAG(show.all)},
            COR_RESULT_OPTIONS,
            {"hash", 0, NULL,
             "print only the fingerprint of the file's content, the same for every build and number of "
             "workers",
             COR_FLAG(show.hash)},
            {"verify", 0, NULL, "read everything first, and check the file's fingerprint",
             COR_FLAG(show.verify)},
            {"arm", 'a', "NAME", "show only this arm", COR_TEXT(show.view.arm),
             .otherwise = "all; with --dot the first"},
            {"suite", 0, "N", "show this test: its moves, or its turns and places",
             COR_SUITE(show.view.suite), .otherwise = "the first that failed, else the first"},
            COR_LEVEL_OPTION(show.view.level, "set the level of the intervals"),
            {"intervals", 0, "WORD",
             "make intervals over suites in this way; bca resamples suites, for skewed figures",
             COR_WORD(show.intervals, cor_intervals_word, 1, 1)},
            {"box", 'b', "WORD", "count detections through this box",
             COR_WORD(show.view.box, cor_box_word, 0, 0)},
            {"horizon", 0, "CASES", "cut the mean there", COR_INTEGER(show.view.horizon, 1, 1000000000, 0),
             .otherwise = "the greatest that half of the suites reach"},
            COR_DOT_OPTION(show.dot,
                           "print the units, or the model, as a graph for Graphviz, coloured by outcome"),
            {"test", 0, "KEY",
             "print this test file: GENERATOR/ARM/ISLAND/TEST of a finding, or of the corpus",
             COR_TEXT(test)},
            {"regions", 0, NULL, "print the experiment with an arm for each settled region",
             COR_FLAG(regions), .excludes = "test"},
        },
    .examples = {"corridor show demo.h5                          # what was found",
                 "corridor show demo.h5 survival --box gray      # how many test cases it takes",
                 "corridor show demo.h5 tables --sheet found     # one table as CSV",
                 "corridor show demo.h5 tables --where \"masked_pct > 10 and arm != 'PSOPP-F3'\"",
                 "corridor show camp.h5 searches --test coverage/PSOPP-F5/0/17 > test.json",
                 "corridor show directed.h5 searches --regions > region.json", DRAWN_UNITS},
    .run = run_show,
    .reads = true,
};

/* The sheet of the view "searches" that has generators beside each other. */
#define SHARES "shares"

static enum cor_status choose_comparison(const struct cor_arguments *arguments, struct cor_result *result,
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
    showing->compares = two;
    showing->joined = (const char *const *)arguments->words + arguments->word_count - 1;
    showing->joined_count = two;
    *misuse = !two && options->fail_on != COR_FAIL_ON_NOTHING;
    if (*misuse)
        cor_misuse(arguments->command, "--fail-on needs two files, or --arms A=B");
    return COR_OK;
}

static enum cor_exit run_compare(const struct cor_arguments *arguments) {
    return cor_show_chosen(arguments, choose_comparison);
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

const struct cor_command cor_command_coverage = {
    .name = "coverage",
    .summary = "show what was covered",
    .operands = "RESULTS.h5",
    .takes = {1, 1, "needs one result file"},
    .request_size = sizeof(struct request),
    .manual =
        "Prints how much of the states and transitions of the environment profiles was seen, by number and "
        "by stationary mass, what is still unseen (by the law of the profiles and, beside it, by Good and "
        "Turing from the walks alone) and how many cases the next new transition costs; transitions that "
        "were to be expected and never came; growth over cases, sequences and suites beside what is "
        "expected; pairs of states of two chains; which parts of the space of configurations were drawn; and "
        "which white-box probes were reached. Definitions: docs/evidence/statistics.md.",
    .options =
        {
            {"arm", 0, "NAME", "show only this arm, and with --all a matrix of what was taken",
             COR_TEXT(show.view.arm)},
            {"suite", 0, "N", "show only suite N of each arm", COR_SUITE(show.view.suite)},
            COR_ALL_OPTION(show.all),
            COR_RESULT_OPTIONS,
        },
    .examples = {"corridor coverage demo.h5", "corridor coverage demo.h5 --arm PSOPP-F5 --suite 0",
                 "corridor coverage demo.h5 --sheet missed"},
    .run = cor_show_view,
    .reads = true,
};

static enum cor_status choose_failures(const struct cor_arguments *arguments, struct cor_result *result,
                                       struct cor_showing *showing, bool *misuse, struct cor_error *error) {
    struct request *request = arguments->request;
    const struct cor_layer_schema *layer = cor_result_head(result)->layer;
    request->own = cor_commands_of(layer);
    if (!request->own->failures)
        return cor_other_layer(
            arguments->command, arguments->words[0], layer,
            "campaigns of algorithms" COR_WITH_PROCESS(", and schedules of distributed programs")
                COR_WITH_EFSM(", and tests of models") COR_WITH_AGENT(", and tests of agents")
                    COR_WITH_SYSTEM(", and of running systems"),
            error);
    showing->view = cor_view_find(request->own->failures);
    showing->lists = true;
    if (!request->own->has_classes && (request->show.view.masked || request->show.view.failure_class)) {
        cor_misuse(arguments->command, "--masked and --class are about campaigns of algorithms");
        *misuse = true;
    }
    return COR_OK;
}

static enum cor_exit run_failures(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    const enum cor_exit shown = cor_show_chosen(arguments, choose_failures);
    if (shown != COR_EXIT_DONE || !request->keep.folder)
        return shown;
    return request->own->tested
               ? cor_keep_failing(request->own->tested, arguments, &request->show, &request->keep)
               : cor_keep_failures(arguments, &request->show, &request->keep);
}

/* Said where these layers are built. */
#define FAILURES_OF_MODELS                                                                                 \
    COR_WITH_EFSM(" Of models: the tests, of which those that failed have keys ARM/SUITE, kept likewise: " \
                  "FOLDER/ARM.CLASS.json.")
#define FAILURES_OF_SYSTEMS                                                                             \
    COR_WITH_SYSTEM(" Of running systems: the goals of test agents and the tests, of which those that " \
                    "failed have keys ARM/SUITE, kept likewise.")
#define FAILURES_OF_AGENTS                                                                               \
    COR_WITH_AGENT(                                                                                      \
        " Of agents: what was found; of what one case shows the keys are ARM/UNIT/CASE, kept likewise. " \
        "What is about all cases of a unit has none.")
#define FAILURES_OF_SCHEDULES                                                                            \
    COR_WITH_PROCESS(" Of schedules of distributed programs: what was violated, and each schedule that " \
                     "failed, with its key; a test is for corridor replay: FOLDER/ARM.CLASS.json.")

const struct cor_command cor_command_failures = {
    .name = "failures",
    .summary = "list failures by class",
    .operands = "RESULTS.h5",
    .takes = {1, 1, "needs one result file"},
    .request_size = sizeof(struct request),
    .manual =
        "A row for each failing sequence of a campaign: the key of its first failing case, which corridor "
        "replay takes, and the class of that case - the boxes with the checks that they saw violated, smoke "
        "by its kind, and whether the arm's fault was at work. Classes are counted first. With --masked also "
        "each case in which a fault was active and neither box saw it. With --keep the first failure of each "
        "class is shrunk, and written as a test for corridor replay: FOLDER/CLASS.json." FAILURES_OF_SCHEDULES
            FAILURES_OF_MODELS FAILURES_OF_AGENTS FAILURES_OF_SYSTEMS,
    .options =
        {
            {"arm", 0, "NAME", "show only this arm", COR_TEXT(show.view.arm), .otherwise = "all"},
            {"class", 0, "CLASS", "show only this class, named as it is shown: gray.agent_missing,fault",
             COR_TEXT(show.view.failure_class), .otherwise = "all"},
            {"masked", 0, NULL, "list also cases in which a fault was active unseen",
             COR_FLAG(show.view.masked)},
            {"keep", 0, "FOLDER",
             "write a shrunk test of each class into the folder; tests that are there stay",
             COR_TEXT(keep.folder)},
            {"budget", 0, "N", "with --keep: execute N tests at most for each class",
             COR_INTEGER(keep.budget, 2, INT64_MAX, 0), .needs = "keep", .otherwise = "as many as it takes"},
            {"force", 'f', NULL, "with --keep: replace tests that are there", COR_FLAG(keep.force),
             .needs = "keep"},
            COR_TRUST_OPTION(keep.trust),
            {"top", 0, "K", "show K rows of the list in a text", COR_INTEGER(show.view.rows, 1, 1000000, 0),
             .otherwise = "40"},
            COR_ALL_OPTION(show.all),
            COR_RESULT_OPTIONS,
        },
    .examples = {"corridor failures build/demo.h5 # classes, then keys",
                 "corridor failures build/demo.h5 --arm SPADA-F1 --json",
                 "corridor failures build/demo.h5 --keep tests/ # then: corridor replay tests/*.json "
                 "--expect failing"},
    .run = run_failures,
    .reads = true,
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
