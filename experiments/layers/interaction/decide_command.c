/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * decide: what is asked becomes "properties" of the experiment, which a campaign runs until all are decided;
 * of a result file they are decided from what is there. */
#include "commands.h"
#include "isolation.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/experiment.h>
#include <corridor/inquiries.h>
#include <corridor/stop.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
    struct cor_view_options show; /* begins with it: show_view.h */
    struct cor_made_options made;
    struct cor_layer_options options;
    const char *property, *arm, *minus;
    double alpha, beta, indifference, width, level, factor; /* 0: not said */
    int64_t most;
    char *inquiries; /* owned; what is asked, as JSON */
};

static void put_real(struct cor_json_writer *w, const char *key, double value) {
    if (value > 0)
        cor_json_put_real(w, key, value);
}

/* The array "properties" with what the command line says. */
static enum cor_status make_inquiries(struct request *request, struct cor_error *error) {
    struct cor_json_writer *w;
    COR_TRY(cor_json_writer_create(&w, error));
    cor_json_open_array(w, NULL);
    cor_json_open_object(w, NULL);
    cor_json_put_string(w, "property", request->property);
    if (request->arm)
        cor_json_put_string(w, "arm", request->arm);
    if (request->minus)
        cor_json_put_string(w, "minus", request->minus);
    put_real(w, "alpha", request->alpha);
    put_real(w, "beta", request->beta);
    put_real(w, "indifference", request->indifference);
    put_real(w, "width", request->width);
    put_real(w, "level", request->level);
    put_real(w, "factor", request->factor);
    cor_json_close(w);
    cor_json_close(w);
    return cor_json_text_take(w, 0, &request->inquiries, error);
}

static void put_drawn_alike(struct cor_json_writer *w, const struct cor_json *arm, uint32_t place) {
    cor_experiment_put_arm(w, arm, place + 1);
    cor_json_close(w);
}

/* The experiment, endless and with one sequence in a suite, until what is asked is decided. */
static enum cor_status make_text(const struct request *request, const struct cor_layer_schema *layer,
                                 const struct cor_json *experiment, const struct cor_json *inquiries,
                                 char **text, struct cor_error *error) {
    static const char *const left_out[] = {"sequences", "stop",      "properties", "contrasts",
                                           "repeats",   "branching", NULL};
    const bool gives =
        request->show.view.suite != COR_ANY_SUITE; /* what the experiment gives is replaced, not said twice */
    struct cor_json_writer *w;
    uint32_t arms = 0;
    COR_TRY(cor_json_writer_create(&w, error));
    cor_json_open_object(w, NULL);
    COR_JSON_CHILDREN(member, experiment) {
        const bool is_left_out = cor_is_among(left_out, member.key) ||
                                 strcmp(member.key, layer->suites) == 0 ||
                                 (gives && strcmp(member.key, "given") == 0) ||
                                 (layer->asked->log && strcmp(member.key, layer->asked->log) == 0);
        if (strcmp(member.key, "arms") == 0) {
            /* The arms that are asked about: one, two that are compared, or all. All, too, where one is not
             * there: who finds the arms of properties says so. Each draws as it does among all. */
            const char *const wanted[] = {request->arm, request->minus, NULL};
            size_t missing =
                request->arm && request->minus && strcmp(request->minus, request->arm) != 0 ? 2 : 1;
            for (size_t a = 0; a < cor_json_size(&member) && request->arm; a++) {
                const struct cor_json arm = cor_json_at(&member, a);
                const char *called = cor_json_called(&arm);
                missing -= called && cor_is_among(wanted, called);
            }
            arms = cor_experiment_put_arms(w, &member, missing == 0 ? wanted : NULL,
                                           missing == 0 && !layer->asked->ending ? put_drawn_alike : NULL);
        } else if (!is_left_out)
            cor_json_put_value(w, member.key, &member);
    }
    if (gives)
        cor_json_put_integer(w, "given", request->show.view.suite);
    if (layer->asked->log_words)
        cor_json_put_string(w, layer->asked->log, layer->asked->log_words[0]);
    cor_json_put_integer(w, layer->suites, 0);
    if (!layer->asked->ending || layer->asked->ending->sequence)
        cor_json_put_integer(w, "sequences", 1);
    cor_json_put_value(w, "properties", inquiries);
    cor_json_open_object(w, "stop");
    cor_json_put_integer(w, "decided", 1);
    const int64_t most = (arms > 0 ? arms : 1) * request->most; /* of many arms what a campaign may have */
    cor_json_put_integer(w, "suites", most < COR_STOP_SUITES_MAX ? most : COR_STOP_SUITES_MAX);
    cor_json_close(w);
    cor_json_close(w);
    return cor_json_text_take(w, 0, text, error);
}

/* Only suites of the interaction layer have a configuration. */
static enum cor_status no_configuration(const struct cor_layer_schema *layer, struct cor_error *error) {
    return cor_fail(error, COR_STATUS_INPUT, "--given", "leave it out",
                    "suites of %s have no configuration that could be given", layer->asked->of);
}

static enum cor_status open_inquired(void *context, const char *path, struct cor_opened *opened,
                                     struct cor_error *error) {
    const struct request *request = context;
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL, *inquiries = NULL;
    const struct cor_layer *layer = NULL;
    COR_FREED char *text = NULL;
    COR_TRY(cor_json_read(path, &document, error));
    if (request->inquiries)
        COR_TRY(cor_json_parse(request->inquiries, "PROPERTY", &inquiries, error));
    const struct cor_json root = cor_json_root(document);
    struct cor_json asked;
    COR_TRY(cor_layer_of(document, path, &layer, error));
    COR_TRY(cor_expect_asked(layer->schema, path, error));
    if (!layer->schema->asked || layer == cor_layer_find("interaction"))
        COR_TRY(cor_json_expect_kind(&root, COR_KIND_EXPERIMENT, error));
    if (layer->schema->asked->ending && request->show.view.suite != COR_ANY_SUITE)
        COR_TRY(no_configuration(layer->schema, error));
    if (inquiries)
        asked = cor_json_root(inquiries);
    else if (!cor_json_find(&root, "properties", &asked))
        return cor_fail(error, COR_STATUS_INPUT, path,
                        "name one behind the file: 'P >= 0.99 [ always (alarm implies eventually[0, 3] "
                        "inside) ]'",
                        "the experiment has no properties, and none is named");
    COR_TRY(make_text(request, layer->schema, &root, &asked, &text, error));
    COR_TRY(cor_open_text(path, text, &request->options, opened, error));
    if (opened->notes)
        fputs(opened->notes, stderr);
    if (!opened->experiment->resumable)
        fprintf(stderr,
                "corridor: %s: an arm is not reproducible: of what it starts nobody knows what it is, so the "
                "answer is one of this run alone; name the program as a file, so that its digest is known\n",
                path);
    return COR_OK;
}

static enum cor_status show(void *context, struct cor_result *result, const char *path, enum cor_exit *code,
                            struct cor_error *error) {
    const struct request *request = context;
    struct cor_view_findings findings = {0};
    (void)path; /* without -o it is gone when somebody reads of it */
    COR_TRY(cor_show_made("decisions", result, request->made.output, &request->show.sheets, NULL, &findings,
                          error));
    /* No verdict is never 0: what does not hold is 1, what is undecided 7. */
    *code = findings.denied > 0 ? COR_EXIT_EXPECTATION
            : findings.open > 0 ? COR_EXIT_UNDECIDED
                                : COR_EXIT_DONE;
    return COR_OK;
}

static enum cor_status choose(const struct cor_arguments *arguments, struct cor_result *result,
                              struct cor_showing *showing, bool *misuse, struct cor_error *error) {
    (void)misuse;
    const struct request *request = arguments->request;
    showing->view = cor_view_find("decisions");
    const struct cor_layer_schema *layer = cor_result_head(result)->layer;
    COR_TRY(cor_expect_asked(layer, arguments->words[0], error));
    if (!layer->asked)
        return cor_other_layer(
            arguments->command, arguments->words[0], layer,
            "campaigns of algorithms" COR_WITH_PROCESS(", schedules of distributed programs")
                COR_WITH_EFSM(", tests beside a model") COR_WITH_SYSTEM(", tests of running systems"),
            error);
    return layer->asked->ending && request->show.view.suite != COR_ANY_SUITE ? no_configuration(layer, error)
                                                                             : COR_OK;
}

static enum cor_exit run_decide(const struct cor_arguments *arguments) {
    static const char *const of_running[] = {"most", "output", "jobs", NULL};
    struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    enum cor_exit code;
    request->property = arguments->words[1];
    /* Whether something is said of how a property is decided. */
    if (!request->property &&
        (request->arm || request->minus || request->alpha > 0 || request->beta > 0 ||
         request->indifference > 0 || request->width > 0 || request->level > 0 || request->factor > 0))
        return cor_misuse(arguments->command,
                          "a property goes with --arm, --width and the like; those of the "
                          "experiment say it themselves");
    if (request->property && make_inquiries(request, &error) != COR_OK)
        return cor_report(&error);
    if (cor_is_result_file(arguments->words[0])) {
        if (cor_has_no_meaning(arguments, of_running, COR_RUN_ALREADY)) {
            free(request->inquiries);
            return COR_EXIT_USAGE;
        }
        request->show.view.inquiries = request->inquiries;
        code = cor_show_chosen(arguments, choose);
    } else {
        const struct cor_made_up decision = {&request->made, request, open_inquired, show};
        code = cor_run_made_up(&decision, arguments->words[0]);
    }
    free(request->inquiries);
    return code;
}

#define OF_SCHEDULES                                                                        \
    COR_WITH_PROCESS("Of distributed programs cases are spans of ticks, and schedules are " \
                     "drawn by the weather. ")
#define OF_MODELS COR_WITH_EFSM("Of a model a sequence is a test beside it, a case a move. ")
#define OF_SYSTEMS \
    COR_WITH_SYSTEM("Of a running system a sequence is a test, a case a turn of a test agent. ")

const struct cor_command cor_command_decide = {
    .name = "decide",
    .summary = "decide a property of arms",
    .operands = "EXPERIMENT.json|RESULTS.h5 [PROPERTY]",
    .takes = {1, 2, "needs an experiment or a result file"},
    .request_size = sizeof(struct request),
    .manual =
        "Whether sequences of the arms are as claimed: P >= 0.99 [ FORMULA ] the probability that a sequence "
        "satisfies a formula of time over its cases; E <= 40 [ sum moved ] the expected value of an amount; "
        "Q 0.9 <= 40 [ max moved ] a quantile of it. Without a bound it is estimated. Sequences are drawn "
        "until a sequential probability ratio test decides (Wald), an interval is as narrow as --width says, "
        "or a Bayes factor is as great as --bayes says. Each is the first of a suite of its own, so "
        "configuration and environment are both drawn, and the same for any number of workers; --given asks "
        "of one configuration alone, and draws the environment. Of a result file the suites, with --given "
        "the sequences of that suite, that are there decide. " OF_SCHEDULES OF_MODELS OF_SYSTEMS
        "S <= 0.2 [ moved ] asks for the mean over cases in the long run. The exit code is 0 if all claims "
        "hold, 1 if one does not, 7 if one is undecided. Without a property those of the experiment are "
        "decided. docs/do/decide.md",
    .options =
        {
            {"arm", 0, "ARM", "ask this arm", COR_TEXT(arm), .otherwise = "each arm"},
            {"minus", 0, "ARM", "ask for what the arm has more than this one", COR_TEXT(minus)},
            {"alpha", 0, "P", "hold a claim that is not so with at most this probability",
             COR_REAL(alpha, 1e-9, 0.5, 0), .otherwise = "0.01"},
            {"beta", 0, "P", "deny a claim that is so with at most this probability",
             COR_REAL(beta, 1e-9, 0.5, 0), .otherwise = "0.01"},
            {"indifference", 0, "D", "let either answer be right so near to the bound",
             COR_REAL(indifference, 1e-9, 0.5, 0), .otherwise = "0.01, less near 0 and 1"},
            {"width", 0, "W", "draw until half the interval is at most this",
             COR_REAL(width, 1e-12, 1e300, 0)},
            {"level", 0, "P", "level of the intervals", COR_REAL(level, 0.5, 0.9999, 0), .otherwise = "0.95"},
            {"bayes", 0, "FACTOR", "draw until the claim is so much more likely than before, or less",
             COR_REAL(factor, 1.0001, 1e12, 0), .excludes = "width"},
            {"given", 0, "SUITE", "ask of the configuration of this suite of the arm, not of any",
             COR_INTEGER(show.view.suite, 0, 999999, COR_ANY_SUITE)},
            {"most", 0, "N", "draw at most N sequences of an arm", COR_INTEGER(most, 1, 4000000, 100000)},
            COR_MADE_OPTIONS(made),
            COR_ISOLATION_OPTIONS(options),
            COR_RESULT_OPTIONS,
        },
    .examples =
        {"corridor decide experiments/library/demo.json 'P >= 0.99 [ always (alarm implies eventually[0, 3] "
         "inside) ]' --arm PSOPP-F5",
         "corridor decide demo.h5 'E <= 100 [ sum moved ]'" COR_WITH_SYSTEM(
             , "corridor decide tests.json 'E <= 40 [ cycles ]'")},
    .run = run_decide,
};
