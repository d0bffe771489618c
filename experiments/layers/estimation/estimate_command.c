/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * estimate: what is asked becomes an experiment of the estimation layer, which a campaign carries out; its
 * result file is shown, now or later. */
#include "commands.h"
#include "isolation.h"
#include "output.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/estimation.h>
#include <corridor/estimation_layer.h>
#include <corridor/estimation_schema.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *method_word(size_t index) {
    return index + 1 < COR_ESTIMATION_CODES ? cor_term_word(COR_FAMILY_ESTIMATION, (int)index + 1) : NULL;
}

static void put_text(struct cor_json_writer *w, const struct cor_arguments *arguments, const char *option) {
    const char *value = cor_argument(arguments, option);
    if (value)
        cor_json_put_string(w, option, value);
}

/* "NAME=P,NAME=P" as an object. */
static bool put_tilt(struct cor_json_writer *w, const struct cor_arguments *arguments) {
    const char *text = cor_argument(arguments, "tilt");
    char copy[256], *rest = copy;
    if (!text)
        return true;
    if (strlen(text) >= sizeof copy)
        return false;
    snprintf(copy, sizeof copy, "%s", text);
    cor_json_open_object(w, "tilt");
    for (char *item = strtok_r(copy, ",", &rest); item; item = strtok_r(NULL, ",", &rest)) {
        char *value = strchr(item, '='), *end;
        if (!value)
            return false;
        *value++ = '\0';
        const double p = strtod(value, &end);
        if (end == value || *end)
            return false;
        cor_json_put_real(w, item, p);
    }
    cor_json_close(w);
    return true;
}

static bool put_levels(struct cor_json_writer *w, const struct cor_arguments *arguments) {
    const char *text = cor_argument(arguments, "levels");
    if (!text)
        return true;
    cor_json_open_array(w, "levels");
    while (*text) {
        char *end;
        const double level = strtod(text, &end);
        if (end == text || (*end && *end != ','))
            return false;
        cor_json_put_real(w, NULL, level);
        text = *end ? end + 1 : end;
    }
    cor_json_close(w);
    return true;
}

/* What was given. */
struct numbers {
    int method;
    int64_t budget, effort, jobs;
    double share;
    struct cor_layer_options options;
};

static bool understand(const struct cor_arguments *arguments, struct numbers *numbers) {
    return cor_argument_word(arguments, "method", 0, &numbers->method) &&
           cor_argument_integer(arguments, "budget", 1, INT64_C(1) << 53, 0, &numbers->budget) &&
           cor_argument_integer(arguments, "effort", 2, COR_ESTIMATION_EFFORT_MAX, 0, &numbers->effort) &&
           cor_argument_real(arguments, "share", 0.1, 1, 0, &numbers->share) &&
           cor_argument_integer(arguments, "jobs", 1, COR_WORKERS_MAX, cor_default_workers(),
                                &numbers->jobs) &&
           cor_read_isolation(arguments, &numbers->options);
}

/* The experiment of the estimation layer; NULL with *misuse set if the command line says nothing of the kind.
 */
static enum cor_status compose(const struct cor_arguments *arguments, const struct numbers *numbers,
                               const struct cor_json *experiment, char **text, enum cor_exit *misuse,
                               struct cor_error *error) {
    struct cor_json_writer *w;
    COR_TRY(cor_json_writer_create(&w, error));
    cor_json_open_object(w, NULL);
    cor_json_put_integer(w, "corridor_estimation", 1);
    cor_json_put_string(w, "method", method_word((size_t)numbers->method));
    put_text(w, arguments, "failure");
    put_text(w, arguments, "arm");
    put_text(w, arguments, "trap");
    put_text(w, arguments, "region");
    put_text(w, arguments, "level");
    if (numbers->budget > 0)
        cor_json_put_integer(w, "budget", numbers->budget);
    if (numbers->effort > 0)
        cor_json_put_integer(w, "effort", numbers->effort);
    if (numbers->share > 0)
        cor_json_put_real(w, "share", numbers->share);
    *text = NULL;
    if (!put_tilt(w, arguments) || !put_levels(w, arguments)) {
        *misuse = cor_misuse(arguments->command, "--tilt takes NAME=P, --levels numbers, with commas between "
                                                 "them");
        cor_json_writer_destroy(w);
        return COR_OK;
    }
    cor_json_put_value(w, "experiment", experiment);
    cor_json_close(w);
    return cor_json_text_take(w, 0, text, error);
}

/* What is shown, and whether an interval was refused. */
struct showing {
    const struct cor_arguments *arguments;
    struct cor_view_findings findings;
};

static enum cor_status show_result(void *context, struct cor_result *result, const char *path,
                                   struct cor_error *error) {
    struct showing *showing = context;
    const struct cor_view *view = cor_view_find("estimate");
    const struct cor_view_request request = {.result = result, .path = path, .level = 0.95};
    struct cor_sheets *sheets;
    COR_TRY(cor_sheets_create(view->schema, view->version, &sheets, error));
    enum cor_status status = view->make(&request, sheets, &showing->findings, error);
    if (status == COR_OK)
        status = cor_show_sheets(showing->arguments, sheets, view->sheets[0]->id, error);
    cor_sheets_destroy(sheets);
    return status;
}

static enum cor_status carry_out(const struct numbers *numbers, const struct cor_opened *opened,
                                 struct showing *showing, bool *whole, struct cor_error *error) {
    const char *output = cor_argument(showing->arguments, "output");
    const struct cor_campaign_definition definition = {
        .layer = opened->layer,
        .experiment = opened->experiment,
        .output = output,
        .overwrite = cor_argument_given(showing->arguments, "force"),
        .workers = (uint32_t)numbers->jobs,
    };
    if (output)
        COR_TRY(cor_output_check(output, definition.overwrite, error));
    if (opened->notes)
        fputs(opened->notes, stderr);
    return cor_carry_out_and_show(&definition, show_result, showing, whole, error);
}

static enum cor_status estimate(const struct numbers *numbers, struct showing *showing, bool *whole,
                                enum cor_exit *misuse, struct cor_error *error) {
    const char *path = showing->arguments->words[0];
    struct cor_json_document *document;
    struct cor_opened opened = {0};
    char *text = NULL;
    COR_TRY(cor_json_read(path, &document, error));
    const struct cor_json root = cor_json_root(document);
    enum cor_status status = compose(showing->arguments, numbers, &root, &text, misuse, error);
    cor_json_destroy(document);
    if (status == COR_OK && text)
        status = cor_open_text(path, text, &numbers->options, &opened, error);
    if (status == COR_OK && text)
        status = carry_out(numbers, &opened, showing, whole, error);
    free(text);
    cor_opened_fini(&opened);
    return status;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct numbers numbers = {0};
    struct showing showing = {.arguments = arguments};
    enum cor_exit misuse = COR_EXIT_DONE;
    bool whole = true;
    if (arguments->word_count != 1)
        return cor_misuse(arguments->command, "needs one experiment");
    if (!understand(arguments, &numbers))
        return COR_EXIT_USAGE;
    const enum cor_status status = estimate(&numbers, &showing, &whole, &misuse, &error);
    if (status != COR_OK)
        return cor_report(&error);
    if (misuse != COR_EXIT_DONE)
        return misuse;
    return !whole ? COR_EXIT_INCOMPLETE : showing.findings.refused > 0 ? COR_EXIT_EXPECTATION : COR_EXIT_DONE;
}

const struct cor_command cor_command_estimate = {
    .name = "estimate",
    .summary = "estimate rates of failures",
    .operands = "EXPERIMENT.json",
    .manual = "The probability that a sequence, and that a suite, of the experiment's own law fails so, each "
              "with a 95 % "
              "interval. plain counts suites of that law. likelihood draws by a changed law and weights each "
              "sequence with "
              "the ratio of the two: walks are steered to a condition (--trap, or the arm's own traps), "
              "probabilities of "
              "the testbed's draws are tilted (--tilt), parameters are drawn in a region (--region); a share "
              "of --share "
              "follows the law itself, so that no weight exceeds the inverse of it. splitting restarts "
              "sequences from "
              "where they came to a level (--level: a number over reactions and probes, or conditions with "
              "semicolons "
              "between them, the nearest to failing last); where the levels are is found in a pilot, or said "
              "(--levels). "
              "The number of repetitions is known before the first of them: the suites of the experiment, or "
              "what the "
              "budget holds. Where a sample carries no interval none is printed, it is said why, and the "
              "exit code is 1. "
              "corridor show shows an estimate that was kept (-o) again. "
              "docs/estimation.md",
    .options =
        {
            {"failure", 0, "CLASS",
             "count this class of the first failing case, as corridor failures shows it, or any", "any"},
            {"method", 0, "METHOD", "draw and count sequences in this way", "plain"},
            {"arm", 0, "ARM", "estimate this arm", "the only one"},
            {"budget", 0, "CASES", "execute at most so many test cases (splitting: on average)",
             "the suites of the experiment"},
            {"trap", 0, "CONDITION", "steer walks to this condition", "the traps of the arm"},
            {"tilt", 0, "NAME=P",
             "draw with P: mail.loss_ratio, mail.duplicate_ratio, agents.probability, result.probability, "
             "adoption.probability, monitor.probability",
             NULL},
            {"region", 0, "CONDITION", "draw suites where this condition over parameters holds", NULL},
            {"share", 0, "E", "let this share of the sequences, and suites, follow the law itself, 0.1 to 1",
             "0.1"},
            {"level", 0, "LEVEL", "say how near to failing a case has come", NULL},
            {"levels", 0, "NUMBERS", "restart trajectories at these levels, with commas", "found in a pilot"},
            {"effort", 0, "N", "run N trajectories in each stage", "100"},
            {"jobs", 'j', "N", "use N worker processes", "the processors there are"},
            COR_OPTION_OUTPUT,
            {"force", 0, NULL, "replace the result file if it is there", NULL},
            COR_ISOLATE_OPTION,
            COR_FRESH_OPTION,
            COR_REQUIRE_OPTION,
            COR_OPTION_JSON,
            COR_OPTION_CSV,
            COR_OPTION_SHEET,
        },
    .choices = {{"method", method_word}, COR_ISOLATION_CHOICE, COR_REQUIRE_CHOICE},
    .examples = {"corridor estimate experiments/library/demo.json --arm PSOPP-F5",
                 "corridor estimate experiments/library/traps.json --arm rare-weights --method likelihood "
                 "--budget 100000 "
                 "--json",
                 "corridor estimate experiments/library/demo.json --arm PSOPP-F5 --method likelihood "
                 "--region \"n_min == "
                 "n_max\"",
                 "corridor estimate experiments/library/demo.json --arm PSOPP-F5 --method splitting --level "
                 "\"activated > 0\" "
                 "--effort 5"},
    .run = run,
};
