/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What happened in a world of a campaign as a test file, for replay and shrink of sequences. */
#include "commands.h"
#include "output.h"
#include "running.h"
#include "whole_page.h"

#include <corridor/names.h>
#include <corridor/system_experiment.h>
#include <corridor/system_layer.h>
#include <corridor/system_schema.h>

#include <stdlib.h>
#include <string.h>

enum cor_status cor_system_keep(const struct cor_system_experiment *experiment, uint32_t arm, uint32_t suite,
                                char **text, char **parts, struct cor_error *error) {
    struct system_layer__rig *rig = NULL;
    struct cor_record *record = NULL;
    struct cor_suite_counts tally;
    enum cor_status status;
    *text = *parts = NULL;
    if (experiment->world->maker != &system_layer__campaign_maker)
        return cor_fail(error, COR_STATUS_INPUT, experiment->head.path, "test files are of campaigns",
                        "the world is one of \"%s\"", experiment->world->maker->key);
    COR_TRY(cor_record_create(&cor_system_schema, &record, error));
    cor_record_begin(record, (uint16_t)arm, suite);
    COR_TRY_OUT(
        system_layer__rig_create(experiment, arm, suite % experiment->entry_count, NULL, &rig, error));
    COR_TRY_OUT(system_layer__run(rig, suite / experiment->entry_count, NULL, record, &tally, error));
    COR_TRY_OUT(system_layer__campaign_test(rig->world, text, parts, error));
out:
    system_layer__rig_destroy(rig);
    cor_record_destroy(record);
    return status;
}

/* ---- system keep: what a test agent made of a campaign, as a test of its own */

struct request {
    const char *test, *arm, *output;
    int64_t run;
    bool forces;
};

static enum cor_exit run_system_keep(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    const char *path = arguments->words[0];
    const struct cor_layer_options options = {0};
    struct cor_error error = COR_NO_ERROR;
    struct cor_system_experiment *experiment = NULL;
    char *test = NULL, *parts = NULL;
    uint32_t entry = 0, arm = 0; /* the first */
    bool is_kept = true;
    enum cor_status status = COR_OK;
    if (!request->output)
        return cor_misuse(arguments->command, "needs a name for the test: -o test.json");
    COR_TRY_OUT(cor_output_check_before(request->output, request->forces, &error));
    COR_TRY_OUT(cor_system_experiment_read(path, &options, &experiment, &error));
    if (request->test)
        COR_TRY_OUT(cor_names_find(
            COR_RECORD_NAMES(experiment->entries, experiment->entry_count, struct cor_system_entry, name),
            request->test, path, "has no test", &entry, &error));
    if (request->arm)
        COR_TRY_OUT(cor_names_find(
            COR_RECORD_NAMES(experiment->arms, experiment->head.arm_count, struct cor_system_arm, name),
            request->arm, path, "has no arm", &arm, &error));
    if (request->run >= experiment->runs)
        COR_TRY_OUT(cor_fail(&error, COR_STATUS_INPUT, path, "runs are counted from 0",
                             "has %u runs, and no run %lld", experiment->runs, (long long)request->run));
    COR_TRY_OUT(cor_system_keep(experiment, arm, (uint32_t)request->run * experiment->entry_count + entry,
                                &test, &parts, &error));
    is_kept = !parts;
    if (is_kept)
        COR_TRY_OUT(cor_output_text(request->output, test, request->forces, &error));
    else
        cor_say("%s is not written: the walk does not come out as it was, %s", request->output, parts);
out:
    free(test);
    free(parts);
    cor_system_experiment_destroy(experiment);
    return status != COR_OK ? cor_report(&error) : is_kept ? COR_EXIT_DONE : COR_EXIT_EXPECTATION;
}

const struct cor_command cor_command_system_keep = {
    .name = "system keep",
    .summary = "write what a test agent made of a campaign as a test file",
    .operands = "FILE.json",
    .takes = {1, 1, "needs one file"},
    .request_size = sizeof(struct request),
    .manual =
        "Carries out a test of a file whose world is a campaign, and writes the sequence that came of it "
        "as a test file: corridor replay executes it, corridor shrink makes it smaller. The file is executed "
        "before it is written: where its cases are not those of the test, it is said from which on, nothing "
        "is "
        "written, and the exit code is 1.",
    .options = {{"output", 'o', "FILE", "write the test there", COR_TEXT(output)},
                {"test", 0, "NAME", "take this test, with its examples; else the first", COR_TEXT(test)},
                {"arm", 0, "NAME", "take this arm; else the first", COR_TEXT(arm)},
                {"run", 0, "N", "take this repetition, from 0", COR_INTEGER(run, 0, 1000000, 0)},
                {"force", 'f', NULL, "replace that file if it is there", COR_FLAG(forces)}},
    .examples = {"corridor system keep psopp_f5.json -o walk.json", "corridor replay walk.json"},
    .run = run_system_keep,
};
