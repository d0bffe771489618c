/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile_command.h"

#include "output.h"

#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/influence_fit.h>

#include <stdlib.h>
#include <string.h>

struct request {
    struct cor_log_options log;
    const char *const *environments; /* one */
    const char *state, *value, *name, *output;
    bool before, force, json;
    uint32_t rare;
};

static enum cor_status print_report(const struct cor_influence_fit *fit, const struct request *request,
                                    FILE *file, struct cor_error *error) {
    struct cor_json_writer *w;
    if (request->json) {
        COR_TRY(cor_document_open("corridor-profile-influence", 1, &w, error));
        cor_influence_fit_json(fit, w, "fit");
        cor_json_close(w);
        return cor_json_print_take(w, 1, file, error);
    }
    char *text = cor_influence_fit_text(fit, error);
    if (!text)
        return COR_STATUS_MEMORY;
    fputs(text, file);
    free(text);
    return COR_OK;
}

static enum cor_status count_and_write(const struct cor_series *series, const struct cor_arguments *arguments,
                                       struct cor_error *error) {
    const struct request *request = arguments->request;
    struct cor_influence_fit_def def = {
        .environment = request->name, .fit = cor_default_fit(), .before = request->before};
    COR_DESTROYED(cor_influence_fit) struct cor_influence_fit *fit = NULL;
    COR_FREED char *command = cor_command_text(arguments), *file = NULL;
    FILE *of_report = request->output && strcmp(request->output, "-") == 0 ? stderr : stdout;
    enum cor_status status = COR_OK;
    COR_TRY(cor_made(command, error));
    def.command = command;
    def.fit.levels = request->log.levels;
    def.fit.own = request->log.own;
    def.fit.rare = request->rare;
    status = cor_influence_fit_create(series, &def, &fit, error);
    if (status != COR_OK && series->notes[0]) /* it may tell why */
        cor_say("%s", series->notes);
    COR_TRY(status);
    if (request->output) {
        file = cor_influence_fit_file(fit, error);
        COR_TRY(file ? COR_OK : COR_STATUS_MEMORY);
        COR_TRY(cor_output_text(request->output, file, request->force, error));
    }
    return print_report(fit, request, of_report, error);
}

static enum cor_exit run_influence(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct request *request = arguments->request;
    struct cor_series *series = NULL;
    const char *const columns[] = {request->environments[0], request->state, request->value, NULL},
                      **words = request->log.word_columns;
    if (request->environments[1])
        return cor_misuse(arguments->command,
                          "takes one --environment; put \"%s\" and \"%s\" into one column, as words such as "
                          "\"sun low\"",
                          request->environments[0], request->environments[1]);
    if (!cor_log_prepare(arguments->command, columns, &request->log))
        return COR_EXIT_USAGE;
    for (size_t i = 0; words[i]; i++) /* values are numbers whatever the others are */
        if (request->value && strcmp(words[i], request->value) == 0)
            words[i] = NULL;
    enum cor_status status =
        cor_log_read(arguments->words, arguments->word_count, &request->log, &series, &error);
    if (status == COR_OK)
        status = count_and_write(series, arguments, &error);
    cor_series_destroy(series);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_profile_influence = {
    .name = "profile influence",
    .summary = "fit the influence of an environment on agents to a log",
    .operands = "LOG.csv..",
    .takes = {1, COR_SERIES_FILES_MAX, "needs one CSV file, or several"},
    .request_size = sizeof(struct request),
    .manual =
        "Counts, in a log with the state of an environment and of an agent in each row, which state an agent "
        "goes to from which, by the state of the environment, and writes it as the influence of a type of "
        "agents, as experiments take it. Says what was never seen, or few times. The state in a row is the "
        "one that the agent goes to when it perceives the environment of the row, as in Corridor's own "
        "cases; with --before it is the one that it then leaves. Several agents in a file: --series. States "
        "are words, or levels of numbers, as in corridor profile fit.",
    .options =
        {
            {"environment", 0, "NAME", "take the state of the environment from this column",
             COR_TEXTS(environments), .required = "needs --environment NAME, a column"},
            {"state", 0, "NAME", "take the state of the agent from this column", COR_TEXT(state),
             .required = "needs --state NAME, a column"},
            {"value", 0, "NAME", "take the levels of the agent's states from this column, as means",
             COR_TEXT(value), .otherwise = "the state's own numbers, or evenly spaced"},
            {"before", 0, NULL, "take the state in a row for the one before the environment is perceived",
             COR_FLAG(before)},
            COR_LOG_OPTIONS,
            {"rare", 0, "N", "join words that occur fewer than N times as \"" COR_WORD_OTHER "\"",
             COR_INTEGER(rare, 2, INT32_MAX, 0), .otherwise = "each word is a state"},
            {"name", 'n', "NAME", "name the environment as the experiment does", COR_TEXT(name),
             .otherwise = "the column"},
            {"output", 'o', "FILE", "write the influence to this file; - is standard output",
             COR_TEXT(output), .otherwise = "only the report"},
            {"force", 'f', NULL, "replace the file if it exists", COR_FLAG(force)},
            {"json", 0, NULL, "print the report as JSON", COR_FLAG(json)},
        },
    .examples =
        {"corridor profile influence log.csv --environment surface --state grip --value trust -o "
         "type.json",
         "corridor profile influence log.csv --environment speed --state mode --cuts speed=3,7 --series "
         "machine"},
    .run = run_influence,
};
