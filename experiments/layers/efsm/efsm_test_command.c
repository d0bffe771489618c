/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * efsm test and efsm mutants: an experiment is made of what the command line says, run as any campaign, and
 * shown as any result file. */
#include "commands.h"
#include "internal.h"
#include "isolation.h"
#include "output.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/efsm_layer.h>
#include <corridor/efsm_mutants.h>
#include <corridor/efsm_reach.h>
#include <corridor/guarantees.h>
#include <corridor/system.h>
#include <corridor/verdicts.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define BASELINES \
    { "random", "antiant" }

/* What the command line asks for. */
struct request {
    struct cor_sheet_options sheets;
    struct cor_made_options made;
    bool junit, tap, no_fail, list, alone, possible_states;
    const char *goal, *changes, *system, *mutant, *constraints;
    int64_t seed, runs, moves, resets, states, depth, optimise, compare_moves, memory_bytes;
    double answer_seconds, quiet_seconds;
    int planner, reading, isolation;
    bool of_mutants, show_config;
    struct cor_layer_options options; /* whom to tell what counts */
    struct cor_sheets *kills;         /* owned; of mutants: what is shown in the end */
};

static const char *planner_word(size_t index) {
    return cor_planner_kinds[index] ? cor_planner_kinds[index]->name : NULL;
}

/* uniform, adversary, fair, a file of frequencies, or a command. */
static enum cor_status put_system(struct cor_json_writer *writer, const struct request *request,
                                  struct cor_error *error) {
    const char *system = request->system;
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
    if (request->memory_bytes != COR_GUEST_MEMORY)
        cor_json_put_integer(writer, "memory_bytes", request->memory_bytes);
    cor_json_close(writer);
    return COR_OK;
}

static enum cor_status put_arm(struct cor_json_writer *writer, const struct request *request,
                               const char *planner, const char *mutant, struct cor_error *error) {
    COR_FREED char *name = mutant ? cor_format("%s by %s", mutant, planner) : cor_strdup(planner);
    COR_TRY(cor_made(name, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "name", name);
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
    COR_FINISHED(cor_efsm_mutants) struct cor_efsm_mutants mutants = {0};
    COR_TRY(cor_efsm_mutants_list(model, &mutants, error));
    for (uint32_t m = 0; m < mutants.count; m++) {
        COR_TRY(put_arm(writer, request, planner, mutants.mutants[m].name, error));
        for (size_t b = 0; b < sizeof baselines / sizeof *baselines; b++)
            if (cor_planner_find(baselines[b]) && strcmp(baselines[b], planner) != 0 && !request->alone)
                COR_TRY(put_arm(writer, request, baselines[b], mutants.mutants[m].name, error));
    }
    return COR_OK;
}

/* The experiment as a file would have it. */
static enum cor_status put_experiment(struct cor_json_writer *writer, const struct request *request,
                                      const struct cor_efsm *model,
                                      const struct cor_efsm_constraints *constraints,
                                      struct cor_error *error) {
    const struct cor_json root = cor_json_root(model->document);
    cor_json_open_object(writer, NULL);
    cor_json_put_value(writer, "efsm", &root);
    cor_json_put_string(writer, "goal", request->goal ? request->goal : cor_efsm_cover_word(0));
    if (request->changes)
        COR_TRY(efsm_layer__put_changes(request->changes, writer, error));
    cor_json_put_integer(writer, "seed", request->seed);
    cor_json_put_integer(writer, "runs", request->runs);
    cor_json_put_integer(writer, "moves", request->moves);
    if (request->resets >= 0)
        cor_json_put_integer(writer, "resets", request->resets);
    cor_json_put_integer(writer, "states", request->states);
    cor_json_put_integer(writer, "depth",
                         constraints->reach    ? constraints->depth
                         : request->depth >= 0 ? request->depth
                                               : COR_PLANNER_DEPTH);
    if (request->optimise > 0)
        cor_json_put_integer(writer, "optimise", request->optimise);
    cor_json_put_bool(writer, "possible_states", request->possible_states);
    cor_json_put_bool(writer, "brief", request->of_mutants);
    if (request->of_mutants)
        cor_json_put_integer(writer, "compare_moves", request->compare_moves);
    cor_json_open_array(writer, "arms");
    if (request->of_mutants)
        COR_TRY(put_mutants(writer, request, model, error));
    else
        COR_TRY(put_arm(writer, request, planner_word((size_t)request->planner), request->mutant, error));
    cor_json_close(writer);
    cor_json_close(writer);
    return COR_OK;
}

static enum cor_status open_model(void *context, const char *path, struct cor_opened *opened,
                                  struct cor_error *error) {
    const struct request *request = context;
    COR_DESTROYED(cor_efsm) struct cor_efsm *model = NULL;
    struct cor_efsm_experiment *experiment = NULL;
    struct cor_json_writer *writer = NULL;
    COR_FINISHED(cor_efsm_goal) struct cor_efsm_goal made = {0};
    COR_FINISHED(cor_efsm_constraints) struct cor_efsm_constraints constraints = {0};
    COR_FREED char *text = NULL;
    enum cor_status status = COR_OK;
    COR_TRY(cor_efsm_read(path, &model, error));
    if (request->constraints) {
        const struct cor_efsm_goal *goal;
        COR_TRY_OUT(cor_efsm_goal_find(model, request->goal, &made, &goal, error));
        COR_TRY_OUT(cor_efsm_constraints_read(request->constraints, model, goal, &constraints, error));
    }
    COR_TRY_OUT(cor_json_writer_create(&writer, error));
    COR_TRY_OUT(put_experiment(writer, request, model, &constraints, error));
    status = cor_json_text_take(writer, 0, &text, error);
    writer = NULL;
    if (status == COR_OK)
        status = cor_efsm_experiment_parse(text, path, request->options.origins, &experiment, error);
    if (status == COR_OK)
        status = cor_efsm_experiment_find_files(experiment, error);
    if (experiment)
        experiment->is_free = request->isolation == COR_ISOLATION_NEVER;
    if (experiment && constraints.reach) {
        status = cor_efsm_experiment_constrain_take(experiment, model, &made, &constraints, error);
        model = NULL;
    }
    *opened =
        (struct cor_opened){.layer = &cor_efsm_layer, .experiment = experiment ? &experiment->head : NULL};
out:
    if (writer)
        cor_json_writer_destroy(writer);
    return status;
}

static enum cor_status show(void *context, struct cor_result *result, const char *path, enum cor_exit *code,
                            struct cor_error *error) {
    const struct request *request = context;
    struct cor_view_findings findings = {0};
    if (request->kills)
        return cor_result_mutants(result, request->kills, error);
    if (request->junit || request->tap) {
        COR_TRY(cor_result_findings(result, &findings, error));
        COR_TRY(request->junit ? cor_result_junit(result, stdout, error)
                               : cor_result_tap(result, stdout, error));
    } else
        COR_TRY(cor_show_made("tests", result, path, &request->sheets, "tests", &findings, error));
    *code = !request->no_fail && findings.failed > 0 ? COR_EXIT_EXPECTATION
            : findings.undecided > 0                 ? COR_EXIT_UNDECIDED
                                                     : COR_EXIT_DONE;
    return COR_OK;
}

static enum cor_exit test(const struct cor_arguments *arguments) {
    struct request *request = arguments->request;
    const struct cor_made_up tests = {&request->made, request, open_model, show};
    const struct cor_config config = {.json = request->sheets.json,
                                      .options = &request->options,
                                      .under = "/efsm",
                                      .context = request,
                                      .open = open_model};
    if (request->constraints &&
        (request->depth >= 0 || strcmp(planner_word((size_t)request->planner), "paper") != 0))
        return cor_misuse(arguments->command, "--constraints %s",
                          request->depth >= 0 ? "are of a depth of their own: leave out --depth"
                                              : "are for --planner paper");
    return request->show_config ? cor_show_config(arguments, arguments->words[0], &config)
                                : cor_run_made_up(&tests, arguments->words[0]);
}

/* Mutants of each model; an interrupt ends the last one that is shown. */
static enum cor_exit score_mutants(const struct cor_arguments *arguments, struct request *request) {
    const struct cor_made_up mutants = {&request->made, request, open_model, show};
    struct cor_error error = COR_NO_ERROR;
    enum cor_exit code = COR_EXIT_DONE;
    int models = 0;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_sheets_create("corridor-efsm-mutants", 2, &request->kills, &error));
    while (models < arguments->word_count && code == COR_EXIT_DONE)
        code = cor_run_made_up(&mutants, arguments->words[models++]);
    if (code == COR_EXIT_DONE || code == COR_EXIT_INCOMPLETE)
        COR_TRY_OUT(cor_show_sheets(&request->sheets, request->kills, "kills", &error));
    if (code == COR_EXIT_INCOMPLETE)
        cor_say("interrupted: of %d of %d models, and of the last only the mutants until then", models,
                arguments->word_count);
out:
    cor_sheets_destroy(request->kills);
    return status != COR_OK ? cor_report(&error) : code;
}

static enum cor_status list_mutants(const struct cor_arguments *arguments, struct cor_error *error) {
    COR_DESTROYED(cor_efsm) struct cor_efsm *model = NULL;
    COR_FINISHED(cor_efsm_mutants) struct cor_efsm_mutants mutants = {0};
    COR_TRY(cor_efsm_read(arguments->words[0], &model, error));
    COR_TRY(cor_efsm_mutants_list(model, &mutants, error));
    for (uint32_t m = 0; m < mutants.count; m++)
        cor_print("%-40s %s\n", mutants.mutants[m].name, cor_efsm_mutation_word(mutants.mutants[m].mutation));
    return COR_OK;
}

static enum cor_exit mutants(const struct cor_arguments *arguments) {
    struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    request->of_mutants = true;
    if (arguments->word_count > 1 && (request->made.output || request->list))
        return cor_misuse(arguments->command, "-o and --list take one model");
    if (!request->list)
        return score_mutants(arguments, request);
    return list_mutants(arguments, &error) == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

/* Options that both have. */
#define OPTIONS_CHOOSING                                                                                  \
    {"planner", 0, "NAME", "choose the inputs by this planner", COR_WORD(planner, planner_word, 0, 0)}, { \
        "reading", 0, "WORD", "read a choice of the system in this way",                                  \
            COR_WORD(reading, cor_reading_word, 0, COR_READING_HOPE)                                      \
    }
#define OPTIONS_BUDGETS                                                                                \
    {"states", 0, "N", "look at no more than N states for each decision",                              \
     COR_INTEGER(states, 1, 100000000, COR_PLANNER_STATES)},                                           \
        {"depth",                                                                                      \
         0,                                                                                            \
         "N",                                                                                          \
         "planner paper: compute constraints off line to this depth; 0 = all",                         \
         COR_INTEGER(depth, 0, 1000000, -1),                                                           \
         .otherwise = "2"},                                                                            \
        {"optimise", 0, "N", "planner paper: optimise inputs of the N best candidates; 0 = all",       \
         COR_INTEGER(optimise, 0, COR_PLANNER_OPTIMISED_MAX, 0)},                                      \
    {                                                                                                  \
        "possible-states", 0, NULL, "plan over sets of states, where answers do not tell where it is", \
            COR_FLAG(possible_states)                                                                  \
    }
#define OPTION_SEED                                                             \
    {                                                                           \
        "seed", 0, "N", "seed simulated systems and planners that draw with N", \
            COR_INTEGER(seed, 0, INT64_MAX, 0)                                  \
    }

const struct cor_command cor_command_efsm_test = {
    .name = "efsm test",
    .summary = "test a system on line against its model",
    .operands = "MODEL.json --goal GOAL",
    .takes = {1, 1, "needs one model"},
    .request_size = sizeof(struct request),
    .manual =
        "A planner chooses an input, the system answers, the model judges the answer, and so on until the "
        "goal is covered (pass), the answer is not allowed (fail), what is left is proven to be out of reach "
        "(lost; from the start: unreachable), the moves are used up (inconclusive), or the system itself "
        "died, hung or spoke nonsense (trouble). When the goal is lost and resets are left, the system is "
        "reset. The system is a simulator of the model - rivals chosen uniform, fair (in turns), by the "
        "adversary, or by the weights of a .json file {\"TRANSITION\": WEIGHT} -, a mutant of it, or a "
        "command that speaks lines of JSON, see docs/look-up/efsm.md. --changes asks for further goals, or "
        "for one no more, after some moves (at N), while a condition over the state holds (when), or when a "
        "program says so with an answer (by system). The exit code is 1 if a test failed, and 7 if "
        "none failed but one came to no verdict. corridor replay executes the tests of a result file again.",
    .options =
        {
            {"goal", 0, "GOAL", "cover a goal of the model, a word such as all-transitions, or a transition",
             COR_TEXT(goal),
             .required = "needs --goal: one of the model's (corridor efsm show lists them), all-transitions, "
                         "transition-pairs, all-locations or guard-boundaries"},
            {"changes", 0, "LIST",
             "ask for goals, or no more: add GOAL at N; drop GOAL when CONDITION; add GOAL by system",
             COR_TEXT(changes)},
            OPTIONS_CHOOSING,
            {"system", 0, "SYSTEM", "test uniform, adversary, fair, a file FREQUENCIES.json, or a command",
             COR_TEXT(system), .otherwise = "uniform"},
            {"mutant", 0, "NAME", "simulate this mutant: corridor efsm mutants --list names them",
             COR_TEXT(mutant)},
            OPTION_SEED,
            COR_ISOLATE_OPTION(isolation),
            {"runs", 0, "N", "run N tests", COR_INTEGER(runs, 1, 1000000, 1)},
            {"moves", 0, "N", "end a test after N moves", COR_INTEGER(moves, 1, 1000000000, 1000)},
            {"resets", 0, "N", "reset at most N times in a test, when the goal is lost",
             COR_INTEGER(resets, 0, COR_EFSM_RESETS_MAX, -1), .otherwise = "as the model says, else 0"},
            OPTIONS_BUDGETS,
            {"constraints", 0, "C.json", "planner paper: take those that efsm reach -o wrote",
             COR_TEXT(constraints)},
            {"answer-seconds", 0, "S", "call it a hang if a program has not answered by then",
             COR_REAL(answer_seconds, 0.001, 86400, COR_SYSTEM_ANSWER_SECONDS)},
            {"quiet-seconds", 0, "S", "call a program quiet if it has not answered by then; 0: it says so",
             COR_REAL(quiet_seconds, 0, 86400, 0)},
            {"memory-bytes", 0, "N", "give a program N bytes of memory",
             COR_INTEGER(memory_bytes, COR_GUEST_MEMORY_LEAST, COR_GUEST_MEMORY_MOST, COR_GUEST_MEMORY)},
            COR_JSON_OPTION(sheets.json),
            {"no-fail", 0, NULL, "exit with 0, not 1, if a test failed", COR_FLAG(no_fail)},
            COR_JUNIT_OPTION(junit),
            COR_TAP_OPTION(tap),
            COR_SHOW_CONFIG_OPTION(show_config),
            COR_MADE_OPTIONS(made),
        },
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
    .takes = {1, INT_MAX, "needs a model"},
    .request_size = sizeof(struct request),
    .manual = "Makes every mutant of each model - a guard off by one, negated or dropped; an update shifted "
              "or dropped; a wrong target, output or value; a missing or an extra transition -, compares it "
              "with the model by the product of its states with the sets of states that the model may be in, "
              "and tests it with the planner and, on equal budgets, with the random and the anti-ant "
              "planner. A mutant is killed when a test fails; equivalent when it is proven that it answers "
              "nothing that the model does not allow; else alive, or undecided. Prints scores and the median "
              "of moves to the first failure, with intervals over mutants, and the kill matrix.",
    .options =
        {
            {"list", 0, NULL, "print only the names of the mutants", COR_FLAG(list)},
            {"goal", 0, "GOAL", "let the planner cover this goal", COR_TEXT(goal),
             .otherwise = "all-transitions"},
            OPTIONS_CHOOSING,
            {"compare-moves", 0, "N", "try N moves to tell a mutant from the model",
             COR_INTEGER(compare_moves, 1, 10000000000, 2000000)},
            {"alone", 0, NULL, "leave out the random and the anti-ant planner", COR_FLAG(alone)},
            {"system", 0, "SYSTEM",
             "let mutants choose uniform, adversary, fair, or by a file FREQUENCIES.json", COR_TEXT(system),
             .otherwise = "uniform"},
            OPTION_SEED,
            {"runs", 0, "N", "run N tests of each mutant by each planner", COR_INTEGER(runs, 1, 1000000, 10)},
            {"moves", 0, "N", "end a test after N moves", COR_INTEGER(moves, 1, 1000000000, 200)},
            {"resets", 0, "N", "reset at most N times in a test", COR_INTEGER(resets, 0, 1000000000, 20)},
            OPTIONS_BUDGETS,
            COR_SHEET_OPTIONS(sheets, "print the kill matrix as CSV"),
            COR_MADE_OPTIONS(made),
        },
    .examples = {"corridor efsm mutants experiments/library/efsm/inres_initiator.json",
                 "corridor efsm mutants experiments/library/efsm/*.json --runs 2 --sheet scores",
                 "corridor efsm mutants experiments/library/efsm/inres_initiator.json --list"},
    .run = mutants,
};
