/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * estimate: what is asked becomes an experiment of the estimation layer, which a campaign carries out; its
 * result file is shown, now or later. */
#include "commands.h"
#include "isolation.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/estimation_layer.h>
#include <corridor/estimation_schema.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *method_word(size_t index) {
    return index + 1 < COR_ESTIMATION_CODES ? cor_term_word(COR_FAMILY_ESTIMATION, (int)index + 1) : NULL;
}

struct request {
    struct cor_sheet_options sheets;
    struct cor_made_options made;
    struct cor_layer_options options;
    int method;
    int64_t budget; /* 0: not said */
    double share;   /* likewise */
    bool show_config;
    const char *failure, *property, *arm, *trap, *region, *level, *tilt, *levels, *effort, *keep;
};

static void put_text(struct cor_json_writer *w, const char *key, const char *value) {
    if (value)
        cor_json_put_string(w, key, value);
}

/* "NAME=P,NAME=P" as an object, or "P,P" as an array; false if it is none. NULL, and where there is no
 * writer: nothing is written. */
static bool put_numbers(struct cor_json_writer *w, const char *key, const char *text, bool named) {
    char name[64] = "";
    if (!text)
        return true;
    if (w && named)
        cor_json_open_object(w, key);
    else if (w)
        cor_json_open_array(w, key);
    for (const char *at = text; *at;) {
        const size_t length = named ? strcspn(at, "=,") : 0;
        char *end;
        if (named && (at[length] != '=' || length >= sizeof name))
            return false;
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        at += length + named;
        const double value = strtod(at, &end);
        if (end == at || (*end && *end != ','))
            return false;
        if (w && !named && value >= 0 && value < 0x1p53 && value == (double)(int64_t)value)
            cor_json_put_integer(w, NULL, (int64_t)value);
        else if (w)
            cor_json_put_real(w, named ? name : NULL, value);
        at = *end ? end + 1 : end;
    }
    if (w)
        cor_json_close(w);
    return true;
}

/* The experiment of the estimation layer. */
static enum cor_status make_text(const struct request *request, const struct cor_json *experiment,
                                 char **text, struct cor_error *error) {
    struct cor_json_writer *w;
    COR_TRY(cor_json_writer_create(&w, error));
    cor_json_open_object(w, NULL);
    cor_json_put_integer(w, "corridor_estimation", 1);
    cor_json_put_string(w, "method", method_word((size_t)request->method));
    put_text(w, "failure", request->failure);
    put_text(w, "property", request->property);
    put_text(w, "arm", request->arm);
    put_text(w, "trap", request->trap);
    put_text(w, "region", request->region);
    put_text(w, "level", request->level);
    if (request->budget > 0)
        cor_json_put_integer(w, "budget", request->budget);
    (void)put_numbers(w, "effort", request->effort, false);
    (void)put_numbers(w, "keep", request->keep, false);
    if (request->share > 0)
        cor_json_put_real(w, "share", request->share);
    (void)put_numbers(w, "tilt", request->tilt, true);
    (void)put_numbers(w, "levels", request->levels, false);
    cor_json_put_value(w, "experiment", experiment);
    cor_json_close(w);
    return cor_json_text_take(w, 0, text, error);
}

static enum cor_status open_estimation(void *context, const char *path, struct cor_opened *opened,
                                       struct cor_error *error) {
    const struct request *request = context;
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    COR_FREED char *text = NULL;
    COR_TRY(cor_json_read(path, &document, error));
    const struct cor_json root = cor_json_root(document);
    enum cor_status status = make_text(request, &root, &text, error);
    if (status == COR_OK)
        status = cor_open_text(path, text, &request->options, opened, error);
    if (status == COR_OK && opened->notes)
        fputs(opened->notes, stderr);
    return status;
}

static enum cor_status show(void *context, struct cor_result *result, const char *path, enum cor_exit *code,
                            struct cor_error *error) {
    const struct request *request = context;
    struct cor_view_findings findings = {0};
    COR_TRY(cor_show_made("estimate", result, path, &request->sheets, NULL, &findings, error));
    *code = findings.refused > 0 ? COR_EXIT_EXPECTATION
            : findings.open > 0  ? COR_EXIT_UNDECIDED
                                 : COR_EXIT_DONE;
    return COR_OK;
}

static enum cor_exit run_estimate(const struct cor_arguments *arguments) {
    struct request *request = arguments->request;
    const struct cor_made_up estimation = {&request->made, request, open_estimation, show};
    if (!put_numbers(NULL, NULL, request->tilt, true) || !put_numbers(NULL, NULL, request->levels, false) ||
        !put_numbers(NULL, NULL, request->effort, false) || !put_numbers(NULL, NULL, request->keep, false))
        return cor_misuse(arguments->command, "--tilt takes NAME=P, --levels, --effort and --keep numbers, "
                                              "with commas between them");
    const struct cor_config config = {.json = request->sheets.json,
                                      .options = &request->options,
                                      .under = "/experiment",
                                      .context = request,
                                      .open = open_estimation};
    return request->show_config ? cor_show_config(arguments, arguments->words[0], &config)
                                : cor_run_made_up(&estimation, arguments->words[0]);
}

/* Said where these layers are built. */
#define LEVELS_OF_SCHEDULES                                                                         \
    COR_WITH_PROCESS("Of a distributed program it is how far one condition, or several, over what " \
                     "processes show is from holding. ")
#define OR_OF_SCHEDULES \
    COR_WITH_PROCESS("; of a distributed program a constraint, an end of a process or a trap")

const struct cor_command cor_command_estimate = {
    .name = "estimate",
    .summary = "estimate rates of failures",
    .operands = "EXPERIMENT.json",
    .takes = {1, 1, "needs one experiment"},
    .request_size = sizeof(struct request),
    .manual = "Estimates how probable it is that a sequence, and that a suite, of the experiment's own law "
              "fails in this way, each with a 95 % interval. The method plain counts suites of that law. The "
              "method likelihood draws by a changed law and weights each sequence with the ratio of the two "
              "laws: it steers walks to a condition (--trap, or the arm's own traps), tilts probabilities of "
              "the testbed's draws (--tilt), and draws parameters in a region (--region). A share of --share "
              "follows the law itself, so that no weight exceeds the inverse of it. The method splitting "
              "restarts sequences from where they came to a level. --level is a number over reactions and "
              "probes; or conditions with semicolons between them, the nearest to failing last; or 'P [ "
              "formula ]', how far the formula is from holding. " LEVELS_OF_SCHEDULES
              "Without --level the level is derived from what counts, and shown. A pilot finds where the "
              "levels are and how many trajectories start there, unless --levels and --effort say it. "
              "--property counts sequences that satisfy a formula of time. The number of repetitions is "
              "known before the first one: the suites of the experiment, or what the budget holds. If a "
              "sample carries no interval, none is printed, the reason is given, and the exit code is 1. "
              "Sequences that leaked, executed again, came out otherwise: they are counted apart, and the "
              "exit code is 7. corridor show shows an estimate that -o kept. docs/do/estimation.md",
    .options =
        {
            {"failure", 0, "CLASS",
             "count this class of the first failing case, as corridor failures shows it, or "
             "any" OR_OF_SCHEDULES,
             COR_TEXT(failure), .otherwise = "any"},
            {"property", 0, "PROPERTY",
             "count sequences that satisfy the formula of 'P [ formula ]', as corridor decide has them",
             COR_TEXT(property)},
            {"method", 0, "METHOD", "draw and count sequences in this way",
             COR_WORD(method, method_word, 0, 0)},
            {"arm", 0, "ARM", "estimate this arm", COR_TEXT(arm), .otherwise = "the only one"},
            {"budget", 0, "CASES", "execute at most so many test cases (splitting: on average)",
             COR_INTEGER(budget, 1, INT64_C(1) << 53, 0), .otherwise = "the suites of the experiment"},
            {"trap", 0, "CONDITION", "steer walks to this condition", COR_TEXT(trap),
             .otherwise = "the traps of the arm"},
            {"tilt", 0, "NAME=P",
             "draw with P: mail.loss_ratio, mail.duplicate_ratio, agents.probability, result.probability, "
             "adoption.probability, monitor.probability",
             COR_TEXT(tilt)},
            {"region", 0, "CONDITION", "draw suites where this condition over parameters holds",
             COR_TEXT(region)},
            {"share", 0, "E", "let this share of the sequences, and suites, follow the law itself, 0.1 to 1",
             COR_REAL(share, 0.1, 1, 0), .otherwise = "0.1"},
            {"level", 0, "LEVEL", "say how near to failing a case has come", COR_TEXT(level),
             .otherwise = "derived from what counts"},
            {"levels", 0, "NUMBERS", "restart trajectories at these levels, with commas", COR_TEXT(levels),
             .otherwise = "found in a pilot"},
            {"effort", 0, "N",
             "run N trajectories in each stage, or with commas so many in one after the other",
             COR_TEXT(effort), .otherwise = "what the budget holds, by what a pilot saw"},
            {"keep", 0, "NUMBERS",
             "follow this share of trajectories that fell back a level, by stage; with --effort",
             COR_TEXT(keep), .otherwise = "by what a pilot saw; with --effort all"},
            COR_MADE_OPTIONS(made),
            COR_ISOLATION_OPTIONS(options),
            COR_SHOW_CONFIG_OPTION(show_config),
            COR_SHEET_OPTIONS(sheets, "print the first table as CSV"),
        },
    .examples = {"corridor estimate experiments/library/demo.json --arm PSOPP-F5",
                 "corridor estimate experiments/library/traps.json --arm rare-weights --method likelihood "
                 "--budget 100000 --json",
                 "corridor estimate experiments/library/demo.json --arm PSOPP-F5 --method likelihood "
                 "--region \"n_min == n_max\"",
                 "corridor estimate experiments/library/demo.json --arm PSOPP-F5 --method splitting --level "
                 "activated --effort 5"},
    .run = run_estimate,
};
