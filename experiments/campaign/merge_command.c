/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "output.h"
#include "place.h"
#include "running.h"

#include <corridor/array.h>
#include <corridor/campaign.h>
#include <corridor/kinds.h>

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

struct request {
    const char *output;
    bool force, partial, json;
};

/* Where the campaigns are that are merged. */
struct folders {
    struct cor_place *place; /* owned; [count] */
    const char **output;     /* owned array: their result files */
    size_t count;
};

static enum cor_status find_folders(const struct cor_arguments *arguments, struct folders *folders,
                                    struct cor_error *error) {
    size_t count = (size_t)arguments->word_count;
    folders->place = cor_calloc(count, sizeof *folders->place);
    folders->output = cor_calloc(count, sizeof *folders->output);
    COR_TRY(cor_made(folders->place, error));
    COR_TRY(cor_made(folders->output, error));
    while (folders->count < count) {
        struct cor_place *place = &folders->place[folders->count];
        if (access(arguments->words[folders->count], F_OK) != 0)
            return cor_fail_errno(error, COR_STATUS_FILE, arguments->words[folders->count], NULL,
                                  "cannot open");
        COR_TRY(cor_place_of(arguments->words[folders->count], place, error));
        folders->output[folders->count++] = place->output;
        const char *path = arguments->words[folders->count - 1], *reader = NULL;
        const char *what = place->folder ? NULL : cor_what_file(path, &reader);
        if (what)
            return cor_fail(error, COR_STATUS_INPUT, path, reader, "is %s, not a folder of a campaign", what);
        if (!place->folder)
            return cor_fail(error, COR_STATUS_INPUT, path, "name the folder that corridor plan -o has made",
                            "is no folder of a campaign");
        COR_TRY(cor_place_check(path, place, error));
    }
    return COR_OK;
}

static enum cor_status check_whole(const struct cor_campaign_status *status, const char *folder,
                                   struct cor_error *error) {
    if (status->suites_planned == 0 || status->stopped || status->suites_kept == status->suites_planned)
        return COR_OK;
    return cor_fail(error, COR_STATUS_INTERRUPTED, folder,
                    "corridor run FOLDER runs the rest; --partial merges what is there without a gap",
                    "is incomplete: %" PRIu64 " of %" PRIu64 " suites are stored, %" PRIu64 " without a gap",
                    status->suites_done, status->suites_planned, status->suites_kept);
}

/* Suites that were run, and of which the campaign of the first folder knows nothing. */
static enum cor_status check_left_out(const struct cor_campaign *campaign, const char *folder, bool partial,
                                      struct cor_error *error) {
    char names[200];
    const uint64_t count = cor_campaign_left_out(campaign, names, sizeof names);
    if (count == 0)
        return COR_OK;
    if (!partial)
        return cor_fail(error, COR_STATUS_INPUT, folder,
                        "name the folder of the larger campaign first; --partial merges without them",
                        "has no place for %" PRIu64 " suites of the other folders: %s", count, names);
    cor_say("warning: %s has no place for %" PRIu64 " suites, which are left out: %s", folder, count, names);
    return COR_OK;
}

/* A campaign that runs nothing. */
static enum cor_status merge(const struct cor_campaign_definition *definition, const char *folder,
                             bool partial, struct cor_campaign_status *status, bool *whole,
                             struct cor_error *error) {
    COR_DESTROYED(cor_campaign) struct cor_campaign *campaign = NULL;
    enum cor_status result = COR_OK;
    COR_TRY(cor_campaign_start(definition, &campaign, error));
    result = cor_campaign_look(campaign, 0, status, error);
    if (result == COR_OK && !partial)
        result = check_whole(status, folder, error);
    if (result == COR_OK)
        result = check_left_out(campaign, folder, partial, error);
    cor_progress_doing("merging what is stored");
    if (result == COR_OK)
        result = cor_campaign_merge(campaign, whole, error);
    cor_progress_doing(NULL);
    return result;
}

static enum cor_status merge_folders(const struct cor_arguments *arguments, const struct folders *folders,
                                     struct cor_error *error) {
    COR_FINISHED(cor_opened) struct cor_opened opened = {0};
    struct cor_campaign_status progress;
    bool whole = false;
    const struct cor_place *first = &folders->place[0];
    const struct request *request = arguments->request;
    const char *output = request->output;
    COR_TRY(cor_open_experiment(
        first->experiment,
        &(struct cor_layer_options){.suite_folder = first->suites, .log_solutions = first->log_solutions},
        &opened, error));
    const struct cor_campaign_definition definition = {.layer = opened.layer,
                                                       .experiment = opened.experiment,
                                                       .output = output ? output : first->output,
                                                       .overwrite = request->force,
                                                       .keep = !output,
                                                       .stop = opened.stop,
                                                       .inquiries = &opened.inquiries,
                                                       .as_run = true,
                                                       .sources = output ? folders->output : NULL,
                                                       .source_count = output ? folders->count : 0};
    COR_TRY(merge(&definition, arguments->words[0], request->partial, &progress, &whole, error));
    const struct cor_summary summary = {opened.layer, definition.output, &progress, whole};
    return cor_summary_print(&summary, request->json ? "corridor-merge" : NULL, error);
}

static enum cor_exit run_merge(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct folders folders = {0};
    const struct request *request = arguments->request;
    if (!request->output && arguments->word_count > 1)
        return cor_misuse(arguments->command,
                          "needs a name for the result file of several folders: -o results.h5");
    enum cor_status status = find_folders(arguments, &folders, &error);
    if (status == COR_OK)
        status = merge_folders(arguments, &folders, &error);
    for (size_t i = 0; i < folders.count; i++)
        cor_place_fini(&folders.place[i]);
    COR_FREE(folders.place, folders.output);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_merge = {
    .name = "merge",
    .summary = "merge what campaigns stored",
    .operands = "FOLDER...",
    .takes = {1, INT_MAX, "needs the folder of a campaign"},
    .request_size = sizeof(struct request),
    .manual =
        "Writes the result file of a campaign from what its journals hold, in the order of the plan: what "
        "corridor run does in the end, without running anything. Of several folders, in which the same "
        "experiment was run on different machines, everything is taken together; a suite that was run twice "
        "must have come out the same. Refuses folders of different experiments, builds or modules, and says "
        "what differs; refuses an incomplete campaign, unless told --partial: then the file holds the suites "
        "that are stored without a gap. Memory does not grow with what they hold.",
    .options =
        {
            {"output", 'o', "FILE", "write this result file", COR_TEXT(output),
             .otherwise = "results.h5 in the folder"},
            COR_FORCE_OPTION(force),
            {"partial", 0, NULL, "merge also if suites are missing", COR_FLAG(partial)},
            {"json", 0, NULL, "print the summary as JSON", COR_FLAG(json)},
        },
    .examples = {"corridor merge camp/ --partial                   # what there is so far",
                 "corridor merge here/ there/ -o results.h5        # collected from two machines"},
    .run = run_merge,
};
