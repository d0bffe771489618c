/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * process story: what happens in a test, event by event. */
#include "isolation.h"
#include "output.h"
#include "show_view.h"
#include "subject_commands.h"

#include <corridor/process_layer.h>
#include <corridor/process_story.h>

#include <stdlib.h>

struct request {
    const char *svg;
    bool json, force;
    struct cor_starting starting;
};

static enum cor_status tell(void *bench, const struct cor_subject_test *test,
                            enum cor_process_story_form form, const char *output, bool force,
                            struct cor_error *error) {
    char *text;
    COR_TRY(cor_process_tell(bench, test, form, &text, error));
    const enum cor_status status = cor_output_text(output, text, force, error);
    free(text);
    return status;
}

static enum cor_exit run_process_story(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    struct cor_subject_test test = {0};
    void *bench = NULL;
    enum cor_status status = COR_OK;
    if (request->svg)
        COR_TRY_OUT(cor_output_check_before(request->svg, request->force, &error));
    COR_TRY_OUT(
        cor_test_file_open(&cor_process_layer, arguments->words[0], &request->starting, &test, &error));
    COR_TRY_OUT(cor_process_layer.subject->open(test.experiment, test.arm, &bench, &error));
    COR_TRY_OUT(tell(bench, &test, request->json ? COR_PROCESS_STORY_JSON : COR_PROCESS_STORY_TEXT, NULL,
                     false, &error));
    if (request->svg)
        COR_TRY_OUT(tell(bench, &test, COR_PROCESS_STORY_SVG, request->svg, request->force, &error));
out:
    cor_process_layer.subject->close(bench);
    cor_test_file_close(&cor_process_layer, &test);
    return status != COR_OK ? cor_report(&error) : COR_EXIT_DONE;
}

const struct cor_command cor_command_process_story = {
    .name = "process story",
    .summary = "tell what happens in a test of a distributed program",
    .operands = "TEST.json",
    .takes = {1, 1, "needs one file"},
    .request_size = sizeof(struct request),
    .manual =
        "Executes a test file, and tells each event in a sentence, with its time and the attributes that it changed, "
        "and in the end what is violated. With --svg also as a sequence diagram: a line a process, an "
        "arrow a message, from where it was sent to where it came.",
    .options = {{"svg", 0, "FILE", "draw a sequence diagram there", COR_TEXT(svg)},
                {"force", 'f', NULL, "replace that file if it is there", COR_FLAG(force), .needs = "svg"},
                COR_TRUST_OPTION(starting.trust),
                COR_ISOLATE_OPTION(starting.isolation),
                COR_JSON_OPTION(json)},
    .examples = {"corridor process story t.json", "corridor process story t.json --svg t.svg"},
    .run = run_process_story,
};
