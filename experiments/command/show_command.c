/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * show: a result file, by the view of its layer or by another one that it has. */
#include "commands.h"
#include "running.h"
#include "show_view.h"

#include <string.h>
#include <unistd.h>

#define VIEWS_MAX 32

struct request {
    struct cor_view_options show;
    bool regions;
    const char *test;
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
    showing->done = request->test || request->regions;
    return *misuse || !showing->done ? COR_OK : cor_print_of_searches(result, request->test, error);
}

static enum cor_exit run_show(const struct cor_arguments *arguments) {
    const struct cor_view *view = cor_view_find(arguments->words[0]);
    if (view && cor_view_is_shown(view) && access(arguments->words[0], F_OK) != 0)
        return cor_misuse(arguments->command, "the file comes first: corridor show FILE %s", view->name);
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
    .operands = "RESULTS.h5 [VIEW]",
    .takes = {1, 2, "needs one result file, and at most one view of it"},
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
