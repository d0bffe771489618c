/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * explore: which inputs of an arm matter, which outcomes are possible. A design of its configurations becomes
 * an experiment of that arm alone, or a pattern space a search by two generators, and is run as any campaign.
 */
#include "commands.h"
#include "isolation.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/configurations.h>
#include <corridor/inquiries.h>
#include <corridor/json_names.h>
#include <corridor/property.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
    struct cor_view_options show; /* begins with it: show_view.h */
    struct cor_made_options made;
    struct cor_layer_options options;
    const char *arm;
    const char *const *inputs; /* NAME or NAME=LOW:HIGH, ended by NULL; NULL: not given */
    const char *const *cells;  /* widths of cells, one for each measure, ended by NULL; NULL: not given */
    int method;                /* index in methods */
    int64_t budget, seed;      /* seed: -1: the experiment's */
};

#define ORIGINS_FEWEST 100 /* sequences */
#define ORIGINS_MOST 30000 /* of which regions are learned: COR_REGION_ROWS_MAX */

/* Those of designs, and the others behind them. */
static const char *const methods[] = {"morris", "sobol", "patterns", "origins", NULL};
enum { PATTERNS = COR_INPUT_DESIGN_KINDS, ORIGINS };

/* The arm that is meant: the one that is named, or the only one; that of a file without arms is "program". */
static enum cor_status find_arm(const struct request *request, const char *path,
                                const struct cor_json *experiment, uint32_t *index, struct cor_error *error) {
    struct cor_json arms, configurations, arm = *experiment;
    const bool has_arms = cor_json_find(experiment, "arms", &arms);
    const char *const program = "program";
    const struct cor_names names = has_arms ? cor_json_names(&arms) : COR_WORD_NAMES(&program, 1);
    char known[512];
    *index = 0;
    if (request->arm)
        COR_TRY(cor_names_find(names, request->arm, path, index, error,
                               "the experiment has no arm \"%.200s\"", request->arm));
    if (!request->arm && names.count > 1) {
        cor_names_known(names, "", known, sizeof known);
        return cor_fail(error, COR_STATUS_INPUT, path, known, "has %zu arms; choose one with --arm",
                        names.count);
    }
    if (has_arms && *index < names.count)
        arm = cor_json_at(&arms, *index);
    return cor_configurations_find(experiment, &arm, &configurations)
               ? cor_fail(error, COR_STATUS_INPUT, path, "name an arm whose configurations are drawn freely",
                          "configurations of arm \"%s\" are chosen already", cor_names_at(names, *index))
               : COR_OK;
}

/* "NAME=LOW:HIGH" as a member [LOW, HIGH] of the object that is open; of a parameter of an arm of algorithms
 * (NULL: of another layer's) "NAME" with the range of its law. */
static enum cor_status put_named_input(const struct cor_arm *arm, const char *text, struct cor_json_writer *w,
                                       struct cor_error *error) {
    const char *equals = strchr(text, '=');
    char *name = cor_strdup(text), *end;
    COR_TRY(cor_made(name, error));
    if (equals)
        name[equals - text] = '\0';
    const int parameter = arm ? cor_parameter_laws_find(arm->laws, name) : -1;
    double low = 0, high = 0;
    bool tied, is_good = arm || equals;
    if (equals) {
        low = strtod(equals + 1, &end);
        is_good = end > equals + 1 && *end == ':';
        const char *second = end + 1;
        high = is_good ? strtod(second, &end) : 0;
        is_good = is_good && end > second && *end == '\0';
    } else if (parameter >= 0)
        (void)cor_arm_input(arm, (uint32_t)parameter, &low, &high, &tied);
    const bool is_integer = parameter >= 0 && cor_parameter_laws_is_integer(arm->laws, (uint32_t)parameter) &&
                            low == (double)(int64_t)low && high == (double)(int64_t)high;
    cor_json_open_array(w, name);
    for (int i = 0; i < 2 && is_good; i++)
        if (is_integer)
            cor_json_put_integer(w, NULL, (int64_t)(i == 0 ? low : high));
        else
            cor_json_put_real(w, NULL, i == 0 ? low : high);
    cor_json_close(w);
    free(name);
    return is_good ? COR_OK
                   : cor_fail(error, COR_STATUS_INPUT, "--input", "write NAME=LOW:HIGH, as in agents=10:100",
                              "\"%.200s\" is no input with its range", text);
}

/* All parameters that no constraint of their stage has a say in; of those that one has, says so. */
static enum cor_status put_free_inputs(const struct cor_arm *arm, struct cor_json_writer *w,
                                       struct cor_error *error) {
    uint32_t count = 0;
    for (uint32_t p = 0; p < cor_parameter_laws_size(arm->laws); p++) {
        double low, high;
        bool tied;
        const char *name = cor_parameter_laws_name(arm->laws, p);
        if (!cor_arm_input(arm, p, &low, &high, &tied))
            continue;
        if (tied)
            fprintf(stderr,
                    "%s is tied to others by a constraint: no input, but a part of chance; --input %s "
                    "makes it one\n",
                    name, name);
        else if (++count > COR_INPUT_DESIGN_INPUTS_MAX)
            return cor_fail(error, COR_STATUS_INPUT, "--input", "name those you want to know of",
                            "arm %s has more than %d parameters that can be inputs", arm->name,
                            COR_INPUT_DESIGN_INPUTS_MAX);
        else
            COR_TRY(put_named_input(arm, name, w, error));
    }
    return count > 0 ? COR_OK
                     : cor_fail(error, COR_STATUS_INPUT, "--input",
                                "give a parameter a range in the experiment: \"budget\": [200, 1800]",
                                "arm %s has no parameter that is drawn by itself from a range", arm->name);
}

/* The inputs as a text, and how many they are, read as the experiment's reader will. */
static enum cor_status make_inputs(const struct request *request, const struct cor_arm *arm, char **text,
                                   uint32_t *count, struct cor_error *error) {
    struct cor_json_writer *w;
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    enum cor_status status = COR_OK;
    if (request->inputs) {
        /* "agents" of "agents=10:100" once: of two ranges one would be forgotten. */
        const char *const *inputs = request->inputs;
        for (size_t i = 0; inputs[i]; i++) {
            const size_t length = strcspn(inputs[i], "=");
            for (size_t k = 0; k < i; k++)
                if (strcspn(inputs[k], "=") == length && strncmp(inputs[k], inputs[i], length) == 0)
                    return cor_fail(error, COR_STATUS_INPUT, "--input", "leave one of them out",
                                    "%.*s is given twice: \"%.200s\" and \"%.200s\"",
                                    length < 200 ? (int)length : 200, inputs[i], inputs[k], inputs[i]);
        }
    }
    COR_TRY(cor_json_writer_create(&w, error));
    cor_json_open_object(w, NULL);
    if (request->inputs)
        for (size_t i = 0; request->inputs[i] && status == COR_OK; i++)
            status = put_named_input(arm, request->inputs[i], w, error);
    else
        status = put_free_inputs(arm, w, error);
    cor_json_close(w);
    const enum cor_status taken = cor_json_text_take(w, 0, text, status == COR_OK ? error : NULL);
    COR_TRY(status);
    COR_TRY(taken);
    COR_TRY(cor_json_parse(*text, "--input", &document, error));
    const struct cor_json root = cor_json_root(document);
    *count = (uint32_t)cor_json_size(&root);
    for (size_t i = 0; arm && i < *count && status == COR_OK; i++) {
        const struct cor_json item = cor_json_at(&root, i);
        struct cor_explored_input input;
        status = cor_explored_input_read(&item, cor_arm_input_find, arm, &input, error);
    }
    return status;
}

/* The greatest design within the budget: a row is a sequence, of as many cases as they have on average. */
static enum cor_status size_design(const struct request *request, double cases,
                                   struct cor_input_design *design, struct cor_error *error) {
    const double of_point = cases * cor_input_design_rows_of_point(design);
    const double most = COR_INPUT_DESIGN_ROWS_MAX / cor_input_design_rows_of_point(design),
                 points = (double)request->budget / of_point;
    const uint32_t fewest = cor_input_design_fewest[design->kind];
    design->points = (uint32_t)(points < most ? points : most);
    if (design->kind == COR_INPUT_DESIGN_SOBOL)
        design->points -= design->points % COR_INPUT_DESIGN_BLOCKS; /* blocks of one size */
    if (design->points >= fewest)
        return COR_OK;
    char remedy[160];
    snprintf(remedy, sizeof remedy, "--budget %.0f or more%s%s", ceil(of_point * fewest),
             design->inputs > 1 ? ", fewer by --input" : "",
             design->kind == COR_INPUT_DESIGN_SOBOL ? ", or --method morris" : "");
    return cor_fail(error, COR_STATUS_INPUT, "--budget", remedy,
                    "%" PRId64
                    " test cases are too few: %s needs at least %u points of %u rows, each of about "
                    "%.0f cases",
                    request->budget, cor_input_design_words[design->kind], fewest,
                    cor_input_design_rows_of_point(design), cases);
}

static void put_design(struct cor_json_writer *w, const struct request *request,
                       const struct cor_input_design *design, const char *inputs) {
    cor_json_open_object(w, "configurations");
    cor_json_put_string(w, "design", cor_input_design_words[design->kind]);
    cor_json_put_integer(w, "points", design->points);
    cor_json_put_text(w, "inputs", inputs);
    cor_json_open_array(w, "measures");
    for (size_t m = 0; request->show.view.measures[m]; m++)
        cor_json_put_string(w, NULL, request->show.view.measures[m]);
    cor_json_close(w);
    cor_json_close(w);
}

/* The experiment with that arm alone, and one sequence in a suite; of a design as many suites as rows.
 * `design` NULL: none; then sequences are those of the whole experiment. */
static enum cor_status make_text(const struct request *request, const struct cor_layer_schema *layer,
                                 const struct cor_json *experiment, uint32_t index,
                                 const struct cor_input_design *design, const char *inputs, uint64_t suites,
                                 char **text, struct cor_error *error) {
    static const char *const left_out[] = {"suites",  "sequences", "stop", "properties", "contrasts",
                                           "repeats", "branching", "arms", NULL};
    const struct cor_property_source *asked = layer->asked;
    struct cor_json_writer *w;
    struct cor_json arms;
    const bool has_arms = cor_json_find(experiment, "arms", &arms);
    COR_TRY(cor_json_writer_create(&w, error));
    cor_json_open_object(w, NULL);
    COR_JSON_CHILDREN(member, experiment) {
        if (!cor_is_among(left_out, member.key) && (request->seed < 0 || strcmp(member.key, "seed") != 0) &&
            !(asked->log && strcmp(member.key, asked->log) == 0))
            cor_json_put_value(w, member.key, &member);
    }
    if (request->seed >= 0)
        cor_json_put_word(w, "seed", (uint64_t)request->seed);
    cor_json_put_integer(w, "suites", (int64_t)suites);
    cor_json_put_integer(w, "sequences", 1);
    if (asked->log_words)
        cor_json_put_string(w, asked->log, asked->log_words[0]);
    if (asked->ending)
        put_design(w, request, design, inputs); /* of its only arm */
    if (has_arms) {
        const struct cor_json arm = cor_json_at(&arms, index);
        const char *const names[] = {cor_json_called(&arm), NULL};
        if (asked->ending)
            (void)cor_experiment_put_arms(w, &arms, names, NULL);
        else {
            cor_json_open_array(w, "arms");
            cor_experiment_put_arm(w, &arm, design ? 1 : index + 1);
            if (design)
                put_design(w, request, design, inputs);
            cor_json_close(w);
            cor_json_close(w);
        }
    }
    cor_json_close(w);
    return cor_json_text_take(w, 0, text, error);
}

/* Measures with their widths, as the option "pattern" of generators. */
static enum cor_status make_pattern(const struct request *request, char **pattern, struct cor_error *error) {
    size_t measures = 0, widths = 0;
    while (request->show.view.measures[measures])
        measures++;
    while (request->cells && request->cells[widths])
        widths++;
    if (measures != widths)
        return cor_fail(
            error, COR_STATUS_INPUT, "--cell", "as in --measure 'sum moved' --cell 100",
            "patterns take a width of cells for each measure: there are %zu measures and %zu widths",
            measures, widths);
    *pattern = cor_strdup("");
    for (size_t m = 0; m < measures; m++)
        *pattern = cor_join_take(*pattern, "; ",
                                 cor_format("%s by %s", request->show.view.measures[m], request->cells[m]));
    return cor_made(*pattern, error);
}

/* Two searches, each with half the budget: one that fills the space, and one by the law. */
static enum cor_status make_search(const struct request *request, const struct cor_experiment *experiment,
                                   uint32_t arm, const char *inner, char **text, struct cor_error *error) {
    static const char *const generators[][2] = {{"patterns", "coverage"}, {"law", "random"}};
    struct cor_json_writer *w;
    COR_FREED char *pattern = NULL;
    if (request->budget / 2 < experiment->case_max)
        return cor_fail(error, COR_STATUS_INPUT, "--budget", "give more",
                        "%" PRId64 " test cases are too few: each of two searches gets half of them, and a "
                        "sequence has up to %u",
                        request->budget, experiment->case_max);
    COR_TRY(make_pattern(request, &pattern, error));
    COR_TRY(cor_json_writer_create(&w, error));
    cor_json_open_object(w, NULL);
    cor_json_put_integer(w, "corridor_search", 1);
    cor_json_put_integer(w, "budget", request->budget / 2);
    cor_json_put_integer(w, "islands", 1);
    cor_json_open_array(w, "generators");
    for (size_t g = 0; g < sizeof generators / sizeof *generators; g++) {
        cor_json_open_object(w, NULL);
        cor_json_put_string(w, "name", generators[g][0]);
        cor_json_put_string(w, "generator", generators[g][1]);
        cor_json_put_string(w, "arm", experiment->arms[arm].name);
        cor_json_put_string(w, "pattern", pattern);
        cor_json_close(w);
    }
    cor_json_close(w);
    cor_json_put_text(w, "experiment", inner);
    cor_json_close(w);
    return cor_json_text_take(w, 0, text, error);
}

/* Whether it is said what is to be explained, in words that algorithms understand: those of other layers hang
 * on the experiment. */
static enum cor_status check_measures(const struct request *request, bool reads, struct cor_error *error) {
    const char *const *measures = request->show.view.measures;
    if (request->method == ORIGINS)
        return measures ? cor_fail(error, COR_STATUS_INPUT, "--measure", "leave it out, or say --class",
                                   "origins are those of failures")
                        : COR_OK;
    if (!measures)
        return cor_fail(error, COR_STATUS_INPUT, "--measure",
                        "name an amount: --measure 'sum moved', of schedules 'sum messages'",
                        "it is not said what is to be explained");
    for (size_t m = 0; measures[m]; m++) {
        COR_DESTROYED(cor_property) struct cor_property *measure = NULL;
        if (m == COR_MEASURES_MAX)
            return cor_fail(error, COR_STATUS_INPUT, "--measure", NULL, "is given more than %d times",
                            COR_MEASURES_MAX);
        if (reads)
            COR_TRY(cor_measure_parse(measures[m], "--measure", &measure, error));
    }
    return COR_OK;
}

/* Of a layer that says which of its numbers are inputs. */
static enum cor_status make_layers_own(const struct request *request, const struct cor_layer_schema *layer,
                                       const char *path, const struct cor_json *root, char **text,
                                       struct cor_error *error) {
    struct cor_input_design design = {.kind = (enum cor_input_design_kind)request->method};
    COR_FREED char *inputs = NULL;
    uint32_t arm;
    if (request->method >= PATTERNS)
        return cor_fail(error, COR_STATUS_INPUT, "--method", "sobol, or morris",
                        "%s are explored for algorithms alone", methods[request->method]);
    COR_TRY(check_measures(request, false, error));
    if (!request->inputs)
        return cor_fail(error, COR_STATUS_INPUT, "--input", layer->asked->inputs,
                        "it is not said which numbers are varied");
    COR_TRY(find_arm(request, path, root, &arm, error));
    COR_TRY(make_inputs(request, NULL, &inputs, &design.inputs, error));
    COR_TRY(size_design(request, cor_property_limits(root, layer->asked).length, &design, error));
    return make_text(request, layer, root, arm, &design, inputs, cor_input_design_rows(&design), text, error);
}

static enum cor_status make_exploration(const struct request *request, const char *path, char **text,
                                        struct cor_error *error) {
    const struct cor_experiment_options options = {
        .isolation = {(enum cor_isolation)request->options.isolation, request->options.fresh_processes,
                      request->options.trust, request->options.isolation_required}};
    struct cor_input_design design = {.kind = (enum cor_input_design_kind)request->method};
    COR_DESTROYED(cor_experiment) struct cor_experiment *experiment = NULL;
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    COR_FREED char *inputs = NULL, *inner = NULL;
    const struct cor_layer *layer = NULL;
    uint32_t arm;
    COR_TRY(cor_json_read(path, &document, error));
    COR_TRY(cor_layer_of(document, path, &layer, error));
    if (layer->schema->asked && layer->schema->asked->inputs) {
        const struct cor_json own = cor_json_root(document);
        COR_TRY(make_layers_own(request, layer->schema, path, &own, text, error));
        return COR_OK;
    }
    struct cor_json_document *taken = document;
    document = NULL;
    COR_TRY(cor_experiment_take(path, taken, &options, &experiment, error));
    COR_TRY(check_measures(request, true, error));
    COR_TRY(cor_json_parse(experiment->text, path, &document, error));
    const struct cor_json root = cor_json_root(document);
    COR_TRY(find_arm(request, path, &root, &arm, error));
    if (request->method == PATTERNS) {
        COR_TRY(make_text(request, layer->schema, &root, arm, NULL, NULL, 1, &inner, error));
        COR_TRY(make_search(request, experiment, arm, inner, text, error));
    } else if (request->method == ORIGINS) {
        /* As many sequences as the budget holds, of as many cases as they have on average. */
        const uint64_t held =
            (uint64_t)request->budget * 2 / ((uint64_t)experiment->case_min + experiment->case_max);
        if (held < ORIGINS_FEWEST)
            return cor_fail(error, COR_STATUS_INPUT, "--budget", "give more",
                            "%" PRId64 " test cases are too few: origins need at least %d sequences",
                            request->budget, ORIGINS_FEWEST);
        COR_TRY(make_text(request, layer->schema, &root, arm, NULL, NULL,
                          held < ORIGINS_MOST ? held : ORIGINS_MOST, text, error));
    } else {
        COR_TRY(make_inputs(request, &experiment->arms[arm], &inputs, &design.inputs, error));
        COR_TRY(size_design(request, ((double)experiment->case_min + (double)experiment->case_max) / 2,
                            &design, error));
        COR_TRY(make_text(request, layer->schema, &root, arm, &design, inputs, cor_input_design_rows(&design),
                          text, error));
    }
    return COR_OK;
}

static enum cor_status open_explored(void *context, const char *path, struct cor_opened *opened,
                                     struct cor_error *error) {
    const struct request *request = context;
    COR_FREED char *text = NULL;
    enum cor_status status = make_exploration(request, path, &text, error);
    if (status == COR_OK)
        status = cor_open_text(path, text, &request->options, opened, error);
    COR_TRY(status);
    if (opened->layer->schema->asked && opened->layer->schema->asked->ending)
        COR_TRY(cor_opened_can_measure(opened, request->show.view.measures, error));
    if (opened->notes)
        fputs(opened->notes, stderr);
    if (!opened->experiment->resumable)
        return cor_fail(
            error, COR_STATUS_INPUT, path, "name the program as a file, so that its digest is known",
            "arm \"%s\" is not reproducible: of what it starts nobody knows what it is, so rows of "
            "one chance would differ by more than their inputs",
            opened->experiment->arms[0].name);
    return COR_OK;
}

static enum cor_status show(void *context, struct cor_result *result, const char *path, enum cor_exit *code,
                            struct cor_error *error) {
    const struct request *request = context;
    static const char *const views[] = {"inputs", "inputs", "cells", "origins"}; /* by method */
    const struct cor_view *view = cor_view_find(views[request->method]);
    struct cor_view_findings findings = {0};
    const struct cor_view_request asked = {.result = result,
                                           .path = path,
                                           .suite = COR_ANY_SUITE,
                                           .failure_class = request->show.view.failure_class};
    COR_DESTROYED(cor_sheets) struct cor_sheets *sheets = NULL;
    COR_TRY(cor_sheets_create(view->schema, view->version, &sheets, error));
    enum cor_status status = view->make(&asked, sheets, &findings, error);
    if (status == COR_OK)
        status = cor_show_sheets(&request->show.sheets, sheets, view->sheets[0]->id, error);
    COR_TRY(status);
    *code = findings.interrupted > 0 ? COR_EXIT_INCOMPLETE
            : findings.open > 0      ? COR_EXIT_UNDECIDED
                                     : COR_EXIT_DONE;
    return COR_OK;
}

static enum cor_status choose(const struct cor_arguments *arguments, struct cor_result *result,
                              struct cor_showing *showing, bool *misuse, struct cor_error *error) {
    (void)misuse;
    const struct request *request = arguments->request;
    const struct cor_layer_schema *layer = cor_result_head(result)->layer;
    const struct cor_view *cells = cor_view_find("cells"), *inputs = cor_view_find("inputs");
    showing->view = layer == cor_view_layer(cells) ? cells
                    : request->method == ORIGINS   ? cor_view_find("origins")
                                                   : inputs;
    COR_TRY(cor_expect_asked(layer, arguments->words[0], error));
    return layer == cor_view_layer(showing->view) ||
                   (showing->view == inputs && layer->asked && layer->asked->inputs)
               ? COR_OK
               : cor_other_layer(
                     arguments->command, arguments->words[0], layer,
                     "campaigns of algorithms" COR_WITH_PROCESS(", schedules of distributed programs"),
                     error);
}

static enum cor_exit run_explore(const struct cor_arguments *arguments) {
    static const char *const of_running[] = {"method", "budget", "seed", "input",
                                             "cell",   "output", "jobs", NULL};
    struct request *request = arguments->request;
    if (cor_is_result_file(arguments->words[0])) {
        /* which question is asked of a file --method says, if its suites are to be asked for origins */
        if (cor_has_no_meaning(arguments, of_running + (request->method == ORIGINS), COR_RUN_ALREADY))
            return COR_EXIT_USAGE;
        request->show.view.arm = request->arm;
        return cor_show_chosen(arguments, choose);
    }
    const struct cor_made_up exploration = {&request->made, request, open_explored, show};
    return cor_run_made_up(&exploration, arguments->words[0]);
}

const struct cor_command cor_command_explore = {
    .name = "explore",
    .summary = "tell which inputs matter",
    .operands = "EXPERIMENT.json|RESULTS.h5",
    .takes = {1, 1, "needs one experiment or result file"},
    .request_size = sizeof(struct request),
    .manual =
        "Tells which parameters of an arm change what its sequences do. \"sobol\" tells which share of the "
        "variance of a measure each parameter explains, alone (first) and with all others (total), with "
        "intervals. \"morris\" takes a tenth of the sequences and tells by how much the measure changes "
        "with each parameter, and whether it changes alike everywhere. The inputs are the parameters that "
        "are drawn by themselves from a range, evenly. Everything else is drawn as ever and counted as "
        "chance, which is told apart: rows that differ in one input have the same chance. \"patterns\" "
        "tells which outcomes are possible at all: cells of amounts (--cell). Half of the budget goes to "
        "a search that prefers what few tests reached, half to sequences by the law, which tell how "
        "probable each cell is. \"origins\" tells in which boxes of parameters and weather sequences fail, "
        "of an experiment or of a result file. A measure is an amount of a sequence, as in corridor "
        "decide. The file that -o keeps is a campaign like any other: show it, replay it, or ask it for "
        "another measure. It is of that arm alone, whose inputs are set, so its keys are none of those of "
        "corridor run. " COR_WITH_PROCESS("Of a distributed program inputs are numbers of its weather: "
                                          "--input storm.lose=0:0.3. ") "docs/do/explore.md",
    .options =
        {
            {"method", 0, "METHOD", "ask in this way", COR_NAME(method, methods, 0, COR_INPUT_DESIGN_SOBOL)},
            {"arm", 0, "ARM", "explore this arm", COR_TEXT(arm), .otherwise = "the only one"},
            {"measure", 0, "AMOUNT", "explain this amount of a sequence; may be given several times",
             COR_TEXTS(show.view.measures)},
            {"input", 0, "NAME[=LOW:HIGH]", "vary this parameter, in this range; may be given several times",
             COR_TEXTS(inputs), .otherwise = "all that are drawn by themselves from a range"},
            {"cell", 0, "WIDTH", "cut the amount into cells of this width (patterns); once for each measure",
             COR_TEXTS(cells)},
            {"class", 0, "CLASS",
             "look for the origins of this class of failures, as corridor failures has it",
             COR_TEXT(show.view.failure_class), .otherwise = "any"},
            {"budget", 0, "CASES", "execute about so many test cases",
             COR_INTEGER(budget, 1, INT64_C(1000000000000), 1000000)},
            {"seed", 0, "N", "draw all by the seed N", COR_INTEGER(seed, 0, INT64_MAX, -1),
             .otherwise = "the experiment's"},
            COR_MADE_OPTIONS(made),
            COR_ISOLATION_OPTIONS(options),
            COR_RESULT_OPTIONS,
        },
    .examples = {"corridor explore experiments/library/demo.json --arm PSOPP-F5 --measure 'sum moved'",
                 "corridor explore experiments/library/demo.json --arm SPADA-F1 --method morris --measure "
                 "'max failed' -o inputs.h5",
                 "corridor explore experiments/library/demo.json --arm PSOPP-F5 --method patterns --measure "
                 "'mean moved' --cell 10 --measure 'max partitions_after' --cell 5",
                 "corridor explore inputs.h5 --measure 'mean dissimilarity'" COR_WITH_PROCESS(
                     , "corridor explore experiments/library/processes/two_phase.json --arm lone_decision "
                       "--measure 'max failed' --input storm.lose=0:0.3")},
    .run = run_explore,
};
