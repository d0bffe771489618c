/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * search: a search is made of what the command line says, run as any campaign, and shown as any result file.
 */
#include "commands.h"
#include "isolation.h"
#include "output.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/generator.h>
#include <corridor/search_layer.h>
#include <corridor/search_schema.h>
#include <corridor/view.h>

#include <stdlib.h>
#include <string.h>

#define LIST_MAX 512            /* bytes of --generator */
#define COMPARED_REPETITIONS 20 /* islands, where generators are compared and no number is given */

/* What the command line asks for. */
struct request {
    const struct cor_arguments *arguments;
    struct cor_layer_options options;
    int64_t budget, islands, workers;
    const char *generators; /* names with commas between them */
    bool compares;          /* several */
    uint64_t interrupted;   /* searches, of what was run */
};

/* The options that generators of the list take. */
static unsigned taken_by(const char *list) {
    const struct cor_generator *generator;
    char copy[LIST_MAX];
    unsigned taken = 0;
    snprintf(copy, sizeof copy, "%s", list);
    for (char *word = strtok(copy, ","); word; word = strtok(NULL, ","))
        if (cor_generator_find(word, "--generator", &generator, NULL) == COR_OK)
            taken |= generator->takes;
    return taken;
}

/* Whether all names of the list are those of generators; says of the first that is not. */
static bool know_names(const struct cor_command *command, const char *list) {
    const struct cor_generator *generator;
    const char *names[LIST_MAX] = {NULL};
    char copy[LIST_MAX], known[512];
    snprintf(copy, sizeof copy, "%s", list);
    for (size_t i = 0; cor_generator_word(i); i++)
        names[i] = cor_generator_word(i);
    for (char *word = strtok(copy, ","); word; word = strtok(NULL, ","))
        if (cor_generator_find(word, "--generator", &generator, NULL) != COR_OK) {
            cor_known_names(word, names, known, sizeof known);
            cor_misuse(command, "--generator does not know \"%s\"; %s", word, known);
            return false;
        }
    return true;
}

/* A list of names, none of them empty, of which some generator takes each option that is given. */
static bool understand_list(const struct request *request) {
    const char *list = request->generators;
    const struct cor_command *command = request->arguments->command;
    const size_t length = strlen(list);
    if (length >= LIST_MAX) {
        cor_misuse(command, "--generator is too long");
        return false;
    }
    if (length == 0 || list[0] == ',' || list[length - 1] == ',' || strstr(list, ",,")) {
        cor_misuse(command, "--generator has an empty name: write names with one comma between them");
        return false;
    }
    if (!know_names(command, list))
        return false;
    const unsigned taken = taken_by(list);
    for (size_t i = 0; request->compares && cor_generator_option_key(i); i++)
        if (cor_argument_if_taken(request->arguments, cor_generator_option_key(i)) && !(taken >> i & 1)) {
            cor_misuse(command, "none of these generators takes --%s", cor_generator_option_key(i));
            return false;
        }
    return true;
}

static bool understand(const struct cor_arguments *arguments, struct request *request) {
    const char *list = cor_argument(arguments, "generator");
    request->arguments = arguments;
    request->generators = list ? list : "coverage";
    request->compares = strchr(request->generators, ',') != NULL;
    if (arguments->word_count != 1) {
        cor_misuse(arguments->command, "needs one experiment");
        return false;
    }
    return cor_read_isolation(arguments, &request->options) && understand_list(request) &&
           cor_argument_integer(arguments, "budget", 1, COR_SEARCH_BUDGET_MAX, 100000, &request->budget) &&
           cor_argument_integer(arguments, "islands", 1, COR_ISLANDS_MAX,
                                request->compares ? COMPARED_REPETITIONS : 1, &request->islands) &&
           cor_argument_integer(arguments, "jobs", 1, COR_WORKERS_MAX, cor_default_workers(),
                                &request->workers);
}

static void put_option(struct cor_json_writer *writer, const struct cor_arguments *arguments,
                       const char *name) {
    const char *value = cor_argument_if_taken(arguments, name);
    if (value)
        cor_json_put_string(writer, name, value);
}

/* Of several generators each gets the options that it takes; one alone has to take all of them. */
static void put_generator(struct cor_json_writer *writer, const struct request *request, const char *name) {
    const struct cor_generator *generator;
    const bool known = cor_generator_find(name, "--generator", &generator, NULL) == COR_OK;
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "generator", name);
    put_option(writer, request->arguments, "arm");
    for (size_t i = 0; cor_generator_option_key(i); i++)
        if (!request->compares || (known && generator->takes >> i & 1))
            put_option(writer, request->arguments, cor_generator_option_key(i));
    if (cor_argument_if_taken(request->arguments, "minimize"))
        cor_json_put_bool(writer, "minimize", true);
    cor_json_close(writer);
}

static void put_generators(struct cor_json_writer *writer, const struct request *request) {
    char copy[LIST_MAX];
    snprintf(copy, sizeof copy, "%s", request->generators);
    cor_json_open_array(writer, "generators");
    for (char *word = strtok(copy, ","); word; word = strtok(NULL, ","))
        put_generator(writer, request, word);
    cor_json_close(writer);
}

/* The search as a file would have it. */
static enum cor_status make_text(const struct request *request, const char *experiment, char **text,
                                 struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_integer(writer, "corridor_search", 1);
    cor_json_put_integer(writer, "budget", request->budget);
    cor_json_put_integer(writer, "islands", request->islands);
    put_generators(writer, request);
    cor_json_put_text(writer, "experiment", experiment);
    cor_json_close(writer);
    return cor_json_text_take(writer, 0, text, error);
}

/* A file of a search says all of this itself. */
static enum cor_status check_file_alone(const struct request *request, const char *path,
                                        struct cor_error *error) {
    static const char *const said[] = {"generator", "budget", "arm",  "islands",
                                       "minimize",  "seam",   "trap", "level"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (cor_argument_if_taken(request->arguments, said[i]))
            return cor_fail(error, COR_STATUS_INPUT, path, "leave it out, or change the file",
                            "is a search, and run as it says: --%s has no say", said[i]);
    return COR_OK;
}

/* An experiment becomes a search; what is one already stays as it is. */
static enum cor_status make_search(const struct request *request, const char *path, char **text,
                                   struct cor_error *error) {
    struct cor_json_document *document;
    struct cor_experiment *experiment;
    struct cor_json member;
    COR_TRY(cor_json_read(path, &document, error));
    const struct cor_json root = cor_json_root(document);
    if (cor_json_find(&root, "corridor_search", &member)) {
        const enum cor_status status = check_file_alone(request, path, error);
        *text = cor_json_text(&root);
        cor_json_destroy(document);
        return status == COR_OK ? cor_made(*text, error) : status;
    }
    const struct cor_experiment_options options = {
        .isolation = {(enum cor_isolation)request->options.isolation, request->options.fresh_processes}};
    COR_TRY(cor_experiment_take(path, document, &options, &experiment, error));
    const enum cor_status status = make_text(request, experiment->text, text, error);
    cor_experiment_destroy(experiment);
    return status;
}

static void count_interrupted(struct cor_result *result, struct request *request) {
    struct cor_search_island_row row;
    const uint64_t count = cor_result_size(result, COR_SEARCH_TABLE_ISLANDS);
    for (uint64_t i = 0; i < count; i++)
        if (cor_result_read(result, COR_SEARCH_TABLE_ISLANDS, i, 1, &row, NULL) == COR_OK)
            request->interrupted += row.interrupted;
}

static enum cor_status show(void *context, struct cor_result *result, const char *path,
                            struct cor_error *error) {
    struct request *asked = context;
    const struct cor_view *view = cor_view_find("searches");
    const struct cor_view_request request = {.result = result, .path = path, .suite = COR_ANY_SUITE};
    struct cor_view_findings findings = {0};
    struct cor_sheets *sheets = NULL;
    enum cor_status status = COR_OK;
    count_interrupted(result, asked);
    COR_TRY(cor_sheets_create(view->schema, view->version, &sheets, error));
    COR_TRY_OUT(view->make(&request, sheets, &findings, error));
    COR_TRY_OUT(cor_show_sheets(asked->arguments, sheets, asked->compares ? "shares" : "islands", error));
out:
    cor_sheets_destroy(sheets);
    return status;
}

static enum cor_status carry_out(struct request *request, bool *whole, struct cor_error *error) {
    struct cor_opened opened = {0};
    char *text = NULL;
    enum cor_status status = COR_OK;
    const char *path = request->arguments->words[0];
    COR_TRY_OUT(make_search(request, path, &text, error));
    COR_TRY_OUT(cor_open_text(path, text, &request->options, &opened, error));
    const struct cor_campaign_definition definition = {.layer = opened.layer,
                                                       .experiment = opened.experiment,
                                                       .output = cor_argument(request->arguments, "output"),
                                                       .overwrite =
                                                           cor_argument_given(request->arguments, "force"),
                                                       .workers = (uint32_t)request->workers};
    COR_TRY_OUT(cor_carry_out_and_show(&definition, show, request, whole, error));
out:
    free(text);
    cor_opened_fini(&opened);
    return status;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct request request = {0};
    bool whole = true;
    if (!understand(arguments, &request))
        return COR_EXIT_USAGE;
    cor_catch_interrupts();
    if (carry_out(&request, &whole, &error) != COR_OK)
        return cor_report(&error);
    return whole && request.interrupted == 0 ? COR_EXIT_DONE : COR_EXIT_INCOMPLETE;
}

const struct cor_command cor_command_search = {
    .name = "search",
    .summary = "look for rare failures",
    .operands = "EXPERIMENT.json",
    .manual =
        "Executes tests that a generator makes until the budget, counted in executed test cases, is used up: "
        "\"random\" draws suites and walks as corridor run does; \"coverage\" keeps tests that did something "
        "new - in probes, transitions of profiles, slack of limits, seams of faults - and changes them, the "
        "rarer the more often; \"directed\" learns in which region of the parameters a seam is provoked, "
        "draws there, and prints the region as constraints (corridor show FILE searches --regions), and "
        "steers walks "
        "to a trap (--trap); \"splitting\" branches off from where tests came highest on a level function "
        "(--level). Each island is a search of its own, so the result depends on their number and never on "
        "that of workers. Every class of failures is kept with the first test that failed so (corridor show "
        "FILE searches --test). An interrupt keeps what was found. The tests are no sample: rates are "
        "corridor run's "
        "and corridor estimate's. A file with \"corridor_search\" is run as it says.\n"
        "Several generators are compared on equal budgets and equal seeds, 20 islands each if no number is "
        "given: the share of islands that found a failure with Wilson's interval, cases to the first one as "
        "survival times (searches without one are censored), classes of failures, and for each pair a "
        "log-rank "
        "test and A12 with its interval, p after Holm's correction for all pairs. With fewer than 20 islands "
        "the table says so. What a sound algorithm shows here is what is to be expected of chance: nothing.",
    .options =
        {
            {"generator", 0, "NAME,...", "make tests by this generator; several are compared", "coverage"},
            {"budget", 0, "CASES", "execute so many test cases in each search, whatever its generator does",
             "100000"},
            {"arm", 0, "NAME", "search only this arm of the experiment", "each"},
            {"seam", 0, "NAME", "provoke this: the arm's fault, or \"probe[bucket]\"", "the arm's fault"},
            {"trap", 0, "CONDITION",
             "steer walks to this: states of environments; several in order, with semicolons between them",
             NULL},
            {"level", 0, "LEVEL",
             "say how near to failing a case has come: a number over reactions and probes, or conditions "
             "with semicolons between them",
             NULL},
            {"islands", 0, "N", "run N searches that know nothing of each other, each with the budget",
             "1; 20 of each of several generators"},
            {"minimize", 0, NULL, "keep of the corpus only what covers all its features", NULL},
            COR_ISOLATE_OPTION,
            COR_FRESH_OPTION,
            COR_REQUIRE_OPTION,
            COR_OPTION_JSON,
            {"csv", 0, NULL, "print the searches, or the generators that are compared, as CSV", NULL},
            COR_OPTION_SHEET,
            COR_OPTION_OUTPUT,
            {"force", 0, NULL, "replace the result file if it is there", NULL},
            {"jobs", 'j', "N", "use N worker processes; they change no result", "the processors there are"},
        },
    .choices = {COR_ISOLATION_CHOICE, COR_REQUIRE_CHOICE, {"generator", cor_generator_word}},
    .examples = {"corridor search experiments/library/demo.json --arm PSOPP-F5 -o camp.h5",
                 "corridor search experiments/library/demo.json --arm PSOPP-F5 --generator random --budget "
                 "20000 --json",
                 "corridor search experiments/library/demo.json --arm PSOPP-F5 --generator random,coverage "
                 "-o both.h5",
                 "corridor search experiments/library/demo.json --arm PSOPP-F5 --generator splitting --level "
                 "'reached > 0; "
                 "held > 0'"},
    .run = run,
};
