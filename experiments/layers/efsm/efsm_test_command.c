/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * efsm test and efsm mutants: an experiment is made of what the command line says, run as any campaign, and
 * shown as any result file. */
#include "commands.h"
#include "output.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/efsm_experiment.h>
#include <corridor/efsm_layer.h>
#include <corridor/efsm_mutants.h>
#include <corridor/verdicts.h>

#include <stdlib.h>
#include <string.h>

#define BASELINES \
    { "random", "antiant" }

#define COMPARE_MOVES 2000000

enum format { TEXT, JSON, JUNIT, TAP, FORMATS };

static const char *const format_names[FORMATS + 1] = {"", "json", "junit", "tap", NULL};

/* What the command line asks for. */
struct request {
    const struct cor_arguments *arguments;
    enum format format;
    int64_t seed, runs, moves, resets, states, depth, workers, compare_moves;
    double answer_seconds, quiet_seconds;
    int planner, reading;
    bool of_mutants;
    struct cor_view_findings findings; /* of what was run */
    struct cor_sheets *kills;          /* owned; of mutants: what is shown in the end */
};

static const char *planner_word(size_t index) {
    return cor_planner_kinds[index] ? cor_planner_kinds[index]->name : NULL;
}

static bool read_numbers(struct request *request) {
    const struct cor_arguments *arguments = request->arguments;
    const struct cor_planner_definition usual = cor_default_planner();
    request->answer_seconds = cor_default_program().answer_seconds;
    return cor_argument_integer(arguments, "seed", 0, INT64_MAX, 0, &request->seed) &&
           cor_argument_integer(arguments, "runs", 1, 1000000, request->of_mutants ? 10 : 1,
                                &request->runs) &&
           cor_argument_integer(arguments, "moves", 1, 1000000000, request->of_mutants ? 200 : 1000,
                                &request->moves) &&
           cor_argument_integer(arguments, "resets", 0, 1000000000, request->of_mutants ? 20 : 0,
                                &request->resets) &&
           cor_argument_integer(arguments, "states", 1, 100000000, (int64_t)usual.state_budget,
                                &request->states) &&
           cor_argument_integer(arguments, "depth", 0, 1000000, usual.depth, &request->depth) &&
           (!cor_takes(arguments, "compare-moves") ||
            cor_argument_integer(arguments, "compare-moves", 1, 10000000000, COMPARE_MOVES,
                                 &request->compare_moves)) &&
           cor_argument_integer(arguments, "jobs", 1, COR_WORKERS_MAX, cor_default_workers(),
                                &request->workers) &&
           (!cor_takes(arguments, "answer-seconds") ||
            cor_argument_real(arguments, "answer-seconds", 0.001, 86400, request->answer_seconds,
                              &request->answer_seconds)) &&
           (!cor_takes(arguments, "quiet-seconds") ||
            cor_argument_real(arguments, "quiet-seconds", 0, 86400, 0, &request->quiet_seconds)) &&
           cor_argument_word(arguments, "planner", 0, &request->planner) &&
           cor_argument_word(arguments, "reading", COR_READING_HOPE, &request->reading);
}

/* False after saying what is wrong. */
static bool understand(const struct cor_arguments *arguments, struct request *request) {
    request->arguments = arguments;
    if (request->of_mutants ? arguments->word_count == 0 : arguments->word_count != 1) {
        cor_misuse(arguments->command, request->of_mutants ? "needs a model" : "needs one model");
        return false;
    }
    for (int f = JSON; f < FORMATS; f++)
        if (cor_argument_if_taken(arguments, format_names[f]))
            request->format = (enum format)f;
    if (!cor_exclude_each_other(arguments, format_names + 1) || !read_numbers(request))
        return false;
    if (!request->of_mutants && !cor_argument_given(arguments, "goal")) {
        cor_misuse(arguments->command, "needs --goal");
        return false;
    }
    if (request->of_mutants && arguments->word_count > 1 &&
        (cor_argument_given(arguments, "output") || cor_argument_given(arguments, "list"))) {
        cor_misuse(arguments->command, "-o and --list take one model");
        return false;
    }
    return true;
}

/* uniform, adversary, fair, a file of frequencies, or a command. */
static enum cor_status put_system(struct cor_json_writer *writer, const struct request *request,
                                  struct cor_error *error) {
    const char *system = cor_argument(request->arguments, "system");
    const size_t length = system ? strlen(system) : 0;
    struct cor_json_document *document;
    if (!system)
        return COR_OK;
    for (size_t i = 0; cor_choosing_word(i); i++)
        if (i != COR_CHOOSING_FREQUENCIES && strcmp(system, cor_choosing_word(i)) == 0) {
            cor_json_put_string(writer, "system", system);
            return COR_OK;
        }
    if (length > 5 && strcmp(system + length - 5, ".json") == 0 && !strchr(system, ' ')) {
        COR_TRY(cor_json_read(system, &document, error));
        const struct cor_json root = cor_json_root(document);
        cor_json_open_object(writer, "system");
        cor_json_put_value(writer, "frequencies", &root);
        cor_json_close(writer);
        cor_json_destroy(document);
        return COR_OK;
    }
    if (request->of_mutants)
        return cor_fail(error, COR_STATUS_INPUT, "--system",
                        "uniform, adversary, fair or a file of frequencies",
                        "mutants are simulated: \"%s\" is none of our systems", system);
    cor_json_open_object(writer, "system");
    cor_json_put_string(writer, "command", system);
    cor_json_put_real(writer, "answer_seconds", request->answer_seconds);
    cor_json_put_real(writer, "quiet_seconds", request->quiet_seconds);
    cor_json_close(writer);
    return COR_OK;
}

static enum cor_status put_arm(struct cor_json_writer *writer, const struct request *request,
                               const char *planner, const char *mutant, struct cor_error *error) {
    char *name = mutant ? cor_format("%s by %s", mutant, planner) : cor_strdup(planner);
    COR_TRY(cor_made(name, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "name", name);
    free(name);
    cor_json_put_string(writer, "planner", planner);
    cor_json_put_string(writer, "reading", cor_reading_word((size_t)request->reading));
    enum cor_status status = put_system(writer, request, error);
    if (mutant)
        cor_json_put_string(writer, "mutant", mutant);
    cor_json_close(writer);
    return status;
}

/* Every mutant, each with the planner and with the baselines that there are. */
static enum cor_status put_mutants(struct cor_json_writer *writer, const struct request *request,
                                   const struct cor_efsm *model, struct cor_error *error) {
    static const char *const baselines[] = BASELINES;
    const char *planner = planner_word((size_t)request->planner);
    struct cor_efsm_mutants mutants;
    enum cor_status status = COR_OK;
    COR_TRY(cor_efsm_mutants_list(model, &mutants, error));
    for (uint32_t m = 0; m < mutants.count; m++) {
        COR_TRY_OUT(put_arm(writer, request, planner, mutants.mutants[m].name, error));
        for (size_t b = 0; b < sizeof baselines / sizeof *baselines; b++)
            if (cor_planner_find(baselines[b]) && strcmp(baselines[b], planner) != 0 &&
                !cor_argument_given(request->arguments, "alone"))
                COR_TRY_OUT(put_arm(writer, request, baselines[b], mutants.mutants[m].name, error));
    }
out:
    cor_efsm_mutants_fini(&mutants);
    return status;
}

static void put_budgets(struct cor_json_writer *writer, const struct request *request) {
    const char *goal = cor_argument(request->arguments, "goal");
    cor_json_put_string(writer, "goal", goal ? goal : cor_efsm_cover_word(0));
    cor_json_put_integer(writer, "seed", request->seed);
    cor_json_put_integer(writer, "runs", request->runs);
    cor_json_put_integer(writer, "moves", request->moves);
    cor_json_put_integer(writer, "resets", request->resets);
    cor_json_put_integer(writer, "states", request->states);
    cor_json_put_integer(writer, "depth", request->depth);
    cor_json_put_bool(writer, "possible_states", cor_argument_given(request->arguments, "possible-states"));
    cor_json_put_bool(writer, "brief", request->of_mutants);
    if (request->of_mutants)
        cor_json_put_integer(writer, "compare_moves", request->compare_moves);
}

/* The experiment as a file would have it. */
static enum cor_status put_experiment(struct cor_json_writer *writer, const struct request *request,
                                      const struct cor_efsm *model, struct cor_error *error) {
    const struct cor_json root = cor_json_root(model->document);
    const char *mutant = cor_argument_if_taken(request->arguments, "mutant");
    cor_json_open_object(writer, NULL);
    cor_json_put_value(writer, "efsm", &root);
    put_budgets(writer, request);
    cor_json_open_array(writer, "arms");
    if (request->of_mutants)
        COR_TRY(put_mutants(writer, request, model, error));
    else
        COR_TRY(put_arm(writer, request, planner_word((size_t)request->planner), mutant, error));
    cor_json_close(writer);
    cor_json_close(writer);
    return COR_OK;
}

static enum cor_status make_experiment(const struct request *request, const char *path,
                                       struct cor_efsm_experiment **experiment, struct cor_error *error) {
    struct cor_efsm *model = NULL;
    struct cor_json_writer *writer = NULL;
    char *text = NULL;
    enum cor_status status = COR_OK;
    COR_TRY(cor_efsm_read(path, &model, error));
    COR_TRY_OUT(cor_json_writer_create(&writer, error));
    COR_TRY_OUT(put_experiment(writer, request, model, error));
    status = cor_json_text_take(writer, 0, &text, error);
    writer = NULL;
    if (status == COR_OK)
        status = cor_efsm_experiment_parse(text, path, experiment, error);
out:
    if (writer)
        cor_json_writer_destroy(writer);
    free(text);
    cor_efsm_destroy(model);
    return status;
}

static enum cor_status print_view(const struct request *asked, struct cor_result *result, const char *path,
                                  struct cor_view_findings *findings, struct cor_error *error) {
    const struct cor_view *view = cor_view_find("tests");
    const struct cor_view_request request = {.result = result, .path = path, .suite = COR_ANY_SUITE};
    struct cor_sheets *sheets = NULL;
    enum cor_status status = COR_OK;
    COR_TRY(cor_sheets_create(view->schema, view->version, &sheets, error));
    COR_TRY_OUT(view->make(&request, sheets, findings, error));
    COR_TRY_OUT(cor_show_sheets(asked->arguments, sheets, "tests", error));
out:
    cor_sheets_destroy(sheets);
    return status;
}

static enum cor_status show(void *context, struct cor_result *result, const char *path,
                            struct cor_error *error) {
    struct request *request = context;
    if (request->kills)
        return cor_result_mutants(result, request->kills, error);
    if (request->format == JUNIT || request->format == TAP) {
        COR_TRY(cor_result_findings(result, &request->findings, error));
        return request->format == JUNIT ? cor_result_junit(result, stdout, error)
                                        : cor_result_tap(result, stdout, error);
    }
    return print_view(request, result, path, &request->findings, error);
}

static enum cor_status run_all(struct request *request, const struct cor_efsm_experiment *experiment,
                               bool *whole, struct cor_error *error) {
    const struct cor_campaign_definition definition = {.layer = &cor_efsm_layer,
                                                       .experiment = &experiment->head,
                                                       .output = cor_argument(request->arguments, "output"),
                                                       .overwrite =
                                                           cor_argument_given(request->arguments, "force"),
                                                       .workers = (uint32_t)request->workers};
    return cor_carry_out_and_show(&definition, show, request, whole, error);
}

static enum cor_status run_model(struct request *request, const char *path, bool *whole,
                                 struct cor_error *error) {
    struct cor_efsm_experiment *experiment;
    COR_TRY(make_experiment(request, path, &experiment, error));
    enum cor_status status = run_all(request, experiment, whole, error);
    cor_efsm_experiment_destroy(experiment);
    return status;
}

static enum cor_exit carry_out(struct request *request) {
    struct cor_error error = COR_NO_ERROR;
    bool whole = true;
    enum cor_status status = COR_OK;
    cor_catch_interrupts();
    COR_TRY_OUT(run_model(request, request->arguments->words[0], &whole, &error));
out:
    if (status != COR_OK)
        return cor_report(&error);
    if (!whole)
        return COR_EXIT_INCOMPLETE;
    const bool counts = !cor_argument_given(request->arguments, "no-fail");
    return counts && request->findings.failed > 0 ? COR_EXIT_EXPECTATION
           : request->findings.undecided > 0      ? COR_EXIT_UNDECIDED
                                                  : COR_EXIT_DONE;
}

/* Mutants of each model; an interrupt ends the last one that is shown. */
static enum cor_exit score_mutants(struct request *request) {
    struct cor_error error = COR_NO_ERROR;
    bool whole = true;
    int models = 0;
    enum cor_status status = COR_OK;
    cor_catch_interrupts();
    COR_TRY_OUT(cor_sheets_create("corridor-efsm-mutants", 2, &request->kills, &error));
    while (models < request->arguments->word_count && whole)
        COR_TRY_OUT(run_model(request, request->arguments->words[models++], &whole, &error));
    COR_TRY_OUT(cor_show_sheets(request->arguments, request->kills, "kills", &error));
    if (!whole)
        fprintf(stderr,
                "corridor: interrupted: of %d of %d models, and of the last only the mutants until then\n",
                models, request->arguments->word_count);
out:
    cor_sheets_destroy(request->kills);
    return status != COR_OK ? cor_report(&error) : whole ? COR_EXIT_DONE : COR_EXIT_INCOMPLETE;
}

static enum cor_exit test(const struct cor_arguments *arguments) {
    struct request request = {.of_mutants = false};
    return understand(arguments, &request) ? carry_out(&request) : COR_EXIT_USAGE;
}

static enum cor_status list_mutants(const struct cor_arguments *arguments, struct cor_error *error) {
    struct cor_efsm *model = NULL;
    struct cor_efsm_mutants mutants = {0};
    enum cor_status status = COR_OK;
    COR_TRY(cor_efsm_read(arguments->words[0], &model, error));
    COR_TRY_OUT(cor_efsm_mutants_list(model, &mutants, error));
    for (uint32_t m = 0; m < mutants.count; m++)
        printf("%-40s %s\n", mutants.mutants[m].name, cor_efsm_mutation_word(mutants.mutants[m].mutation));
out:
    cor_efsm_mutants_fini(&mutants);
    cor_efsm_destroy(model);
    return status;
}

static enum cor_exit mutants(const struct cor_arguments *arguments) {
    struct request request = {.of_mutants = true};
    struct cor_error error = COR_NO_ERROR;
    if (!understand(arguments, &request))
        return COR_EXIT_USAGE;
    if (!cor_argument_given(arguments, "list"))
        return score_mutants(&request);
    return list_mutants(arguments, &error) == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

#define OPTION_PLANNER \
    { "planner", 0, "NAME", "choose the inputs by this planner", "search" }
#define OPTION_READING \
    { "reading", 0, "WORD", "read a choice of the system in this way", "hope" }
#define OPTION_SEED \
    { "seed", 0, "N", "seed simulated systems and planners that draw with N", "0" }
#define OPTION_STATES \
    { "states", 0, "N", "look at no more than N states for each decision", "200000" }
#define OPTION_DEPTH \
    { "depth", 0, "N", "planner paper: compute constraints off line to this depth; 0 = all", "2" }
#define OPTION_POSSIBLE \
    { "possible-states", 0, NULL, "plan over sets of states, where answers do not tell where it is", NULL }
#define OPTION_FORCE \
    { "force", 0, NULL, "replace the result file if it is there", NULL }
#define OPTION_JOBS \
    { "jobs", 'j', "N", "use N worker processes", "the processors there are" }

const struct cor_command cor_command_efsm_test = {
    .name = "efsm test",
    .summary = "test a system on line against its model",
    .operands = "MODEL.json --goal GOAL",
    .manual =
        "A planner chooses an input, the system answers, the model judges the answer, and so on until the "
        "goal "
        "is covered (pass), the answer is not allowed (fail), what is left is proven to be out of reach "
        "(lost; "
        "from the start: unreachable), the moves are used up (inconclusive), or the system itself died, hung "
        "or "
        "spoke nonsense (trouble). When the goal is lost and resets are left, the system is reset. The "
        "system "
        "is a simulator of the model - rivals chosen uniform, fair (in turns), by the adversary, or by the "
        "weights of a .json file {\"TRANSITION\": WEIGHT} -, a mutant of it, or a command that speaks lines "
        "of "
        "JSON, see docs/efsm.md. The exit code is 1 if a test failed, and 7 if none failed but one came to "
        "no verdict. corridor replay executes the tests of a result file again.",
    .options =
        {
            {"goal", 0, "GOAL", "cover a goal of the model, a word such as all-transitions, or a transition",
             NULL},
            OPTION_PLANNER,
            OPTION_READING,
            {"system", 0, "SYSTEM", "test uniform, adversary, fair, a file FREQUENCIES.json, or a command",
             "uniform"},
            {"mutant", 0, "NAME", "simulate this mutant: corridor efsm mutants --list names them", NULL},
            OPTION_SEED,
            {"runs", 0, "N", "run N tests", "1"},
            {"moves", 0, "N", "end a test after N moves", "1000"},
            {"resets", 0, "N", "reset at most N times in a test, when the goal is lost", "0"},
            OPTION_STATES,
            OPTION_DEPTH,
            OPTION_POSSIBLE,
            {"answer-seconds", 0, "S", "call it a hang if a program has not answered by then", "10"},
            {"quiet-seconds", 0, "S", "call a program quiet if it has not answered by then; 0: it says so",
             "0"},
            COR_OPTION_JSON,
            {"no-fail", 0, NULL, "exit with 0, not 1, if a test failed", NULL},
            {"junit", 0, NULL, "print verdicts as JUnit XML", NULL},
            {"tap", 0, NULL, "print verdicts as TAP 13", NULL},
            COR_OPTION_OUTPUT,
            OPTION_FORCE,
            OPTION_JOBS,
        },
    .choices = {{"planner", planner_word}, {"reading", cor_reading_word}},
    .examples = {"corridor efsm test experiments/library/efsm/inres_initiator.json --goal t8 -o r.h5",
                 "corridor efsm test experiments/library/efsm/lossy_link.json --goal fin --system adversary "
                 "--resets 5",
                 "corridor efsm test experiments/library/efsm/inres_initiator.json --goal t8 --mutant "
                 "t7.missing --junit"},
    .run = test,
};

const struct cor_command cor_command_efsm_mutants = {
    .name = "efsm mutants",
    .summary = "count the mutants of a model that a planner kills",
    .operands = "MODEL.json...",
    .manual =
        "Makes every mutant of each model - a guard off by one, negated or dropped; an update shifted or "
        "dropped; a wrong target, output or value; a missing or an extra transition -, compares it with the "
        "model by the product of its states with the sets of states that the model may be in, and tests it "
        "with the planner and, on equal budgets, with the random and the anti-ant planner. A mutant is "
        "killed "
        "when a test fails; equivalent when it is proven that it answers nothing that the model does not "
        "allow; else alive, or undecided. Prints scores and the median of moves to the first failure, with "
        "intervals over mutants, and the kill matrix.",
    .options =
        {
            {"list", 0, NULL, "print only the names of the mutants", NULL},
            {"goal", 0, "GOAL", "let the planner cover this goal", "all-transitions"},
            OPTION_PLANNER,
            OPTION_READING,
            {"compare-moves", 0, "N", "try N moves to tell a mutant from the model", "2000000"},
            {"alone", 0, NULL, "leave out the random and the anti-ant planner", NULL},
            {"system", 0, "SYSTEM",
             "let mutants choose uniform, adversary, fair, or by a file FREQUENCIES.json", "uniform"},
            OPTION_SEED,
            {"runs", 0, "N", "run N tests of each mutant by each planner", "10"},
            {"moves", 0, "N", "end a test after N moves", "200"},
            {"resets", 0, "N", "reset at most N times in a test", "20"},
            OPTION_STATES,
            OPTION_DEPTH,
            OPTION_POSSIBLE,
            COR_OPTION_JSON,
            {"csv", 0, NULL, "print the kill matrix as CSV", NULL},
            COR_OPTION_SHEET,
            COR_OPTION_OUTPUT,
            OPTION_FORCE,
            OPTION_JOBS,
        },
    .choices = {{"planner", planner_word}, {"reading", cor_reading_word}},
    .examples = {"corridor efsm mutants experiments/library/efsm/inres_initiator.json",
                 "corridor efsm mutants experiments/library/efsm/*.json --runs 2 --sheet scores",
                 "corridor efsm mutants experiments/library/efsm/inres_initiator.json --list"},
    .run = mutants,
};
