/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "isolation.h"
#include "layer_commands.h"
#include "show_view.h"
#include "subject_commands.h"

#include <corridor/built.h>
#include <corridor/schema.h>
#include <corridor/view.h>

struct request {
    struct cor_view_options show;
    struct cor_keeping keep;
    const struct cor_layer_commands *own; /* of the file's layer: known when it is open */
};

static enum cor_status choose(const struct cor_arguments *arguments, struct cor_result *result,
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
    if (!request->own->has_classes && (request->show.view.masked || request->show.view.failure_class)) {
        cor_misuse(arguments->command, "--masked and --class are about campaigns of algorithms");
        *misuse = true;
    }
    return COR_OK;
}

static enum cor_exit run_failures(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    const enum cor_exit shown = cor_show_chosen(arguments, choose);
    if (shown != COR_EXIT_DONE || !request->keep.folder)
        return shown;
    return request->own->tested
               ? cor_keep_failing(request->own->tested, arguments, &request->show, &request->keep)
               : cor_keep_failures(arguments, &request->show, &request->keep);
}

/* Said where these layers are built. */
#define OF_MODELS                                                                                          \
    COR_WITH_EFSM(" Of models: the tests, of which those that failed have keys ARM/SUITE, kept likewise: " \
                  "FOLDER/ARM.CLASS.json.")
#define OF_SYSTEMS                                                                                      \
    COR_WITH_SYSTEM(" Of running systems: the goals of test agents and the tests, of which those that " \
                    "failed have keys ARM/SUITE, kept likewise.")
#define OF_AGENTS                                                                                        \
    COR_WITH_AGENT(                                                                                      \
        " Of agents: what was found; of what one case shows the keys are ARM/UNIT/CASE, kept likewise. " \
        "What is about all cases of a unit has none.")
#define OF_SCHEDULES                                                                                     \
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
        "class is shrunk, and written as a test for corridor replay: FOLDER/CLASS.json." OF_SCHEDULES
            OF_MODELS OF_AGENTS OF_SYSTEMS,
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
