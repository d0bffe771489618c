/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "estimate.h"
#include "isolation.h"
#include "output.h"
#include "place.h"
#include "plan_folder.h"
#include "running.h"

#include <corridor/arm_proofs.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/configuration_traps.h>
#include <corridor/configurations.h>
#include <corridor/interaction.h>
#include <corridor/model_diagram.h>
#include <corridor/work.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct cor_column_definition plan_sheet_columns[] = {
    {"layer", "layer", "", "of the experiment", COR_CELL_WORD},
    {"name", "name", "", "of the experiment", COR_CELL_WORD},
    {"seed", "seed", "", "of all that is drawn", COR_CELL_WORD},
    {"mode", "mode", "", "paired: arms share suites; independent", COR_CELL_WORD},
    {"suites_per_arm", "suites", "suites", "of an arm; 0: endless", COR_CELL_COUNT},
    {"sequences_per_suite", "sequences", "sequences", "of a suite", COR_CELL_COUNT},
    {"notes", "notes", "", "what is worth knowing, in lines", COR_CELL_TEXT},
};
COR_SHEET_DEFINITION(plan_sheet, "plan", "Plan", "the experiment",
                     COR_SHEET_RECORD | COR_SHEET_DATA | COR_SHEET_TOP, 0);

/* An arm, and what a few suites of it look like. */
struct arm_row {
    const char *name, *algorithm, *fault;
    double agents, cases, acceptance, acceptance_pct;
    uint32_t drawn, fallbacks;
};
#define ARM(member) COR_CELL_OF(struct arm_row, member)
static const struct cor_column_definition arms_sheet_columns[] = {
    {"name", "arm", "", "its name", ARM(name)},
    {"algorithm", "algorithm", "", "its name", ARM(algorithm)},
    {"fault", "fault", "", "of the algorithm", ARM(fault)},
    {"agents_mean", "agents", "agents", "of a suite, mean", ARM(agents), 1},
    {"cases_per_suite_mean", "cases", "cases", "of a suite, mean", ARM(cases)},
    {"acceptance", "", "1", "share of random configurations that met the constraints", ARM(acceptance),
     COR_DIGITS_FOUR, COR_COLUMN_DATA},
    {"acceptance_pct", "acceptance", "%", "the same in per cent", ARM(acceptance_pct), 1},
    {"fallbacks", "fallback", "suites", "that follow the fallback law instead", ARM(fallbacks)},
    {"suites_sampled", "sampled", "suites", "that were drawn to tell it", ARM(drawn), 0, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(arms_sheet, "arms", "A few suites of each arm", "an arm", COR_SHEET_TOP, 0);

#define ROWS(member) COR_CELL_OF(struct cor_configurations, member)
static const struct cor_column_definition configurations_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD},
    {"combine", "combine", "parameters", "any so many of them together", ROWS(strength)},
    {"rows", "rows", "rows", "of the covering array", ROWS(row_count)},
    {"covered", "covered", "1", "combinations of classes in a row", ROWS(covered)},
    {"impossible", "impossible", "1", "that ranges and constraints exclude", ROWS(impossible)},
    {"never_drawn", "never drawn", "1", "that were never drawn, though nothing says why", ROWS(undrawn)},
    {"parameters", "parameters", "", "of which classes are combined", COR_CELL_TEXT},
};
COR_SHEET_DEFINITION(configurations_sheet, "configurations", "Configurations",
                     "an arm whose configurations follow a covering array", COR_SHEET_DATA | COR_SHEET_TOP,
                     0);

static const struct cor_column_definition corridor_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD},
    {"answer", "answer", "",
     "satisfiable, empty, undecided: whether the corridor, as a text, can hold in the arm's suites",
     COR_CELL_WORD},
    {"agents_low", "agents from", "agents", "of its suites, least", COR_CELL_COUNT},
    {"agents_high", "to", "agents", "of its suites, most", COR_CELL_COUNT},
    {"why", "why", "", "an example, what contradicts, or what nothing is claimed for", COR_CELL_TEXT},
    {"conflict", "conflict", "", "empty: the constraints that are needed for it, a line each", COR_CELL_TEXT},
};
COR_SHEET_DEFINITION(corridor_sheet, "corridor", "Can the corridor hold", "an arm",
                     COR_SHEET_DATA | COR_SHEET_TOP, 0);

#define ESTIMATE(member) COR_CELL_OF(struct cor_pilot_estimate, member)
static const struct cor_column_definition estimate_sheet_columns[] = {
    {"pilot_suites", "pilot", "suites", "that were run for it", ESTIMATE(pilot_suites)},
    {"suites", "suites", "suites", "that it is for", ESTIMATE(suites)},
    {"workers", "workers", "processes", "at work", ESTIMATE(workers)},
    {"seconds", "seconds", "s", "that all of them take on this machine", ESTIMATE(seconds), COR_DIGITS_FOUR},
    {"seconds_error", "+-", "s", "standard error; nothing: not known", ESTIMATE(error), COR_DIGITS_FOUR},
    {"bytes", "bytes", "bytes", "of the result file", ESTIMATE(bytes)},
};
COR_SHEET_DEFINITION(estimate_sheet, "estimate", "Estimate", "of time and size, from a pilot",
                     COR_SHEET_RECORD | COR_SHEET_DATA | COR_SHEET_UNDER, 0);

#define SAMPLE_SUITES 3 /* of each arm, drawn to tell how hard drawing is */

/* What a few suites of an arm look like. */
struct sample {
    uint32_t drawn, fallbacks;
    uint64_t attempts, agents, cases;
};

static enum cor_status sample_arm(const struct cor_experiment *experiment, uint32_t arm,
                                  struct sample *sample, struct cor_error *error) {
    uint32_t wanted = experiment->suite_count > 0 && experiment->suite_count < SAMPLE_SUITES
                          ? experiment->suite_count
                          : SAMPLE_SUITES;
    *sample = (struct sample){0};
    for (uint32_t s = 0; s < wanted; s++) {
        struct cor_suite *suite = NULL;
        COR_TRY(cor_suite_generate(experiment, arm, s, &suite, error));
        sample->drawn++;
        sample->fallbacks += suite->fallback;
        sample->attempts += suite->attempts;
        sample->agents += suite->configuration->agent_count;
        for (uint32_t i = 0; i < experiment->sequence_count; i++)
            sample->cases += suite->case_counts[i];
        cor_suite_destroy(suite);
    }
    return COR_OK;
}

/* "54 s", "12 min", "3.5 h" */
static const char *time_text(double seconds, char text[32]) {
    const bool short_of = seconds < 90;
    snprintf(text, 32,
             short_of         ? "%.2g s"
             : seconds < 5400 ? "%.0f min"
                              : "%.1f h",
             short_of         ? seconds
             : seconds < 5400 ? seconds / 60
                              : seconds / 3600);
    return text;
}

static void print_estimate(const struct cor_pilot_estimate *estimate) {
    const double bytes = estimate->bytes, error = 2 * estimate->error;
    char about[32], low[32], high[32], range[80] = "", size[32], text[512];
    if (estimate->pilot_suites == 0) {
        printf("\nEstimate: none, no suite was finished by the pilot (--pilot S).\n");
        return;
    }
    if (error > 0)
        snprintf(range, sizeof range, " (%s to %s)",
                 time_text(fmax(estimate->seconds - error, estimate->seconds / 2), low),
                 time_text(estimate->seconds + error, high));
    snprintf(size, sizeof size,
             bytes < 1e6   ? "%.0f kB"
             : bytes < 1e9 ? "%.3g MB"
                           : "%.3g GB",
             bytes < 1e6   ? bytes / 1e3
             : bytes < 1e9 ? bytes / 1e6
                           : bytes / 1e9);
    snprintf(text, sizeof text,
             "Estimate for %s, from a pilot of %" PRIu64 " suites on %u worker%s: about %s%s, %s",
             estimate->suites == 1 ? "a suite" : "all suites", estimate->pilot_suites, estimate->workers,
             estimate->workers == 1 ? "" : "s", time_text(estimate->seconds, about), range, size);
    fputc('\n', stdout);
    cor_print_text(stdout, text, 0, 0);
}

/* The covering array that an arm's configurations follow. */
static void print_configurations(const struct cor_experiment *experiment, const struct cor_arm *arm) {
    const struct cor_configurations *c = arm->configurations;
    cor_print("\nConfigurations of %s: %u rows of classes of", arm->name, c->row_count);
    for (uint32_t i = 0; i < c->parameter_count; i++)
        cor_print("%s %s", i > 0 ? "," : "", cor_parameter_laws_name(arm->laws, c->parameters[i]));
    printf(";\n  any %u of these together: %" PRIu64 " combinations of classes, %" PRIu64 " are impossible",
           c->strength, c->covered, c->impossible);
    if (c->undrawn > 0)
        printf(", %" PRIu64 " were never drawn", c->undrawn);
    puts("");
    if (experiment->suite_count > 0 && experiment->suite_count < c->row_count)
        cor_print("  %u suites follow the first rows only: to have all, ask for %u\n",
                  experiment->suite_count, c->row_count);
}

static enum cor_status fill_arms(const struct cor_experiment *experiment, struct cor_sheets *sheets,
                                 struct cor_error *error) {
    struct cor_sheet *arms = cor_sheets_add(sheets, &arms_sheet),
                     *configurations = cor_sheets_add(sheets, &configurations_sheet);
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        const struct cor_arm *arm = &experiment->arms[a];
        struct sample sample;
        COR_TRY(sample_arm(experiment, a, &sample, error));
        const double share = sample.drawn / (double)sample.attempts;
        COR_SHEET_PUT(arms, struct arm_row,
                      &(struct arm_row){.name = arm->name,
                                        .algorithm = arm->algorithm->name,
                                        .fault = cor_algorithm_fault_name(arm->algorithm, arm->fault),
                                        .agents = (double)sample.agents / sample.drawn,
                                        .cases = (double)sample.cases / sample.drawn,
                                        .acceptance = share,
                                        .acceptance_pct = 100 * share,
                                        .drawn = sample.drawn,
                                        .fallbacks = sample.fallbacks});
        if (arm->configurations) {
            const struct cor_configurations *c = arm->configurations;
            char *names = cor_strdup("");
            for (uint32_t i = 0; i < c->parameter_count; i++)
                names = cor_join_take(names, ", ",
                                      cor_strdup(cor_parameter_laws_name(arm->laws, c->parameters[i])));
            cor_sheet_row(configurations);
            cor_sheet_word(configurations, arm->name);
            COR_SHEET_PUT(configurations, struct cor_configurations, c);
            cor_sheet_text_take(configurations, names);
        }
    }
    cor_sheet_remark(arms,
                     "Means over the first %u suites of each arm at most. Acceptance: share of random "
                     "configurations that met the constraints; fallback: suites that follow the fallback law "
                     "instead.",
                     SAMPLE_SUITES);
    return COR_OK;
}

static void fill_proofs(const struct cor_experiment *experiment, const struct cor_arm_proofs *proofs,
                        struct cor_sheets *sheets) {
    struct cor_sheet *sheet = cor_sheets_add(sheets, &corridor_sheet);
    for (uint32_t a = 0; a < proofs->count; a++) {
        const struct cor_arm_proof *proof = &proofs->arms[a];
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, experiment->arms[a].name);
        cor_sheet_word(sheet, cor_answer_word(proof->answer));
        cor_sheet_count(sheet, proof->agents_low);
        cor_sheet_count(sheet, proof->agents_high);
        cor_sheet_text(sheet, "%s", proof->why);
        if (proof->answer == COR_ANSWER_EMPTY)
            cor_sheet_text(sheet, "%s", proof->conflict);
        else
            cor_sheet_nothing(sheet);
    }
}

/* "corridor of A, B: can hold, for example with ..", where these are the arms of which the same was asked. */
static enum cor_status print_proof(const struct cor_arm_proof *proof, const char *names,
                                   struct cor_error *error) {
    static const char *const verdicts[] = {[COR_ANSWER_SATISFIABLE] = "can hold, ",
                                           [COR_ANSWER_EMPTY] = "cannot hold, ",
                                           [COR_ANSWER_UNDECIDED] = "undecided, "};
    const bool is_empty = proof->answer == COR_ANSWER_EMPTY;
    char *text = cor_format("corridor%s%s: %s%s%s", names[0] ? " of " : "", names, verdicts[proof->answer],
                            proof->why, is_empty ? ":" : "");
    COR_TRY(cor_made(text, error));
    cor_print_text(stdout, text, 0, 0);
    free(text);
    for (const char *line = is_empty ? proof->conflict : NULL; line;) {
        const size_t length = strcspn(line, "\n");
        cor_print("  %.*s\n", (int)length, line);
        line = line[length] ? line + length + 1 : NULL;
    }
    return COR_OK;
}

static enum cor_status print_proofs(const struct cor_experiment *experiment,
                                    const struct cor_arm_proofs *proofs, struct cor_error *error) {
    for (uint32_t a = 0; a < proofs->count; a++) {
        if (proofs->arms[a].same != a)
            continue;
        uint32_t same = 0;
        char *names = cor_strdup("");
        for (uint32_t b = a; b < proofs->count; b++)
            if (proofs->arms[b].same == a)
                names = cor_join_take(names, same++ > 0 ? ", " : "", cor_strdup(experiment->arms[b].name));
        enum cor_status status = cor_made(names, error);
        if (status == COR_OK)
            status = print_proof(&proofs->arms[a], same == proofs->count ? "" : names, error);
        free(names);
        COR_TRY(status);
    }
    return COR_OK;
}

/* An arm whose suites can never be inside. */
static enum cor_status refuse_empty(const struct cor_experiment *experiment,
                                    const struct cor_arm_proofs *proofs, struct cor_error *error) {
    for (uint32_t a = 0; a < proofs->count; a++)
        if (proofs->arms[a].answer == COR_ANSWER_EMPTY)
            return cor_fail(error, COR_STATUS_UNSATISFIABLE, proofs->arms[a].place,
                            "change one of the lines that the plan names, or the model",
                            "the corridor cannot hold in arm %s: %s", experiment->arms[a].name,
                            proofs->arms[a].why);
    return COR_OK;
}

static enum cor_status print_text(const struct cor_opened *opened, const struct cor_experiment *experiment,
                                  const struct cor_arm_proofs *proofs, const struct cor_sheets *sheets,
                                  struct cor_error *error) {
    const struct cor_experiment_head *head = opened->experiment;
    const struct cor_style style = cor_show_style();
    if (!experiment) {
        cor_print("%s: %u arm%s, %" PRIu64 " suites, seed 0x%" PRIx64 ", layer %s\n", head->path,
                  head->arm_count, head->arm_count == 1 ? "" : "s",
                  (uint64_t)head->arm_count * head->suite_count, head->seed, opened->layer->schema->name);
        return COR_OK;
    }
    char cases[32], text[1024];
    if (experiment->case_min == experiment->case_max)
        snprintf(cases, sizeof cases, "%u", experiment->case_min);
    else
        snprintf(cases, sizeof cases, "%u to %u", experiment->case_min, experiment->case_max);
    snprintf(text, sizeof text,
             "%s: %u arm%s, %s%" PRIu64 " suites, %u sequences each, %s cases a sequence, seed 0x%" PRIx64
             ", %s suites\nconstraints: can hold",
             experiment->name, experiment->arm_count, experiment->arm_count == 1 ? "" : "s",
             experiment->suite_count == 0 ? "endless, " : "",
             (uint64_t)experiment->arm_count * experiment->suite_count, experiment->sequence_count, cases,
             experiment->seed, experiment->paired ? "paired" : "independent");
    cor_print_text(stdout, text, 0, 0);
    COR_TRY(print_proofs(experiment, proofs, error));
    cor_print_text(stdout, opened->notes ? opened->notes : "", 0, 0);
    fputc('\n', stdout);
    COR_TRY(cor_sheets_text(sheets, &style, stdout, error));
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        if (experiment->arms[a].configurations)
            print_configurations(experiment, &experiment->arms[a]);
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        if (experiment->arms[a].configuration_traps) {
            /* The conditions that an arm's configurations meet in turn. */
            const struct cor_configuration_traps *c = experiment->arms[a].configuration_traps;
            cor_print("\nConfigurations of %s meet in turn:\n", experiment->arms[a].name);
            for (uint32_t t = 0; t < c->count; t++)
                cor_print("  %s%s\n", c->traps[t].text,
                          c->has_example[t] ? "" : " (z3 could not decide whether any does)");
        }
    return COR_OK;
}

/* NULL in layers whose suites cannot be drawn apart from running them. */
static const struct cor_experiment *drawn_experiment(const struct cor_opened *opened) {
    return opened->layer == &cor_interaction_layer
               ? ((const struct cor_interaction *)opened->experiment)->experiment
               : NULL;
}

static enum cor_status print_suites(const struct cor_opened *opened, bool json,
                                    const struct cor_arm_proofs *proofs,
                                    const struct cor_pilot_estimate *estimate,
                                    const struct cor_folder_plan *folder, struct cor_error *error) {
    const struct cor_experiment *experiment = drawn_experiment(opened);
    struct cor_sheets *sheets;
    enum cor_status status = COR_OK;
    COR_TRY(cor_sheets_create("corridor-plan", 2, &sheets, error));
    cor_progress_doing("drawing a few suites");
    /* What the suites are, as far as it can be told without running them. */
    const struct cor_experiment_head *head = opened->experiment;
    struct cor_sheet *sheet = cor_sheets_add(sheets, &plan_sheet);
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, opened->layer->schema->name);
    cor_sheet_word(sheet, experiment ? experiment->name : NULL);
    cor_sheet_text(sheet, "0x%016" PRIx64, head->seed);
    cor_sheet_word(sheet, !experiment ? NULL : experiment->paired ? "paired" : "independent");
    cor_sheet_count(sheet, head->suite_count);
    if (experiment)
        cor_sheet_count(sheet, experiment->sequence_count);
    else
        cor_sheet_nothing(sheet);
    cor_sheet_word(sheet, opened->notes ? opened->notes : "");
    if (experiment)
        COR_TRY_OUT(fill_arms(experiment, sheets, error));
    if (proofs->count > 0)
        fill_proofs(experiment, proofs, sheets);
    if (estimate->pilot_suites > 0)
        COR_SHEET_PUT(cor_sheets_add(sheets, &estimate_sheet), struct cor_pilot_estimate, estimate);
    if (folder->folder && json)
        cor_folder_plan_fill(folder, sheets);
    cor_progress_doing(NULL);
    COR_TRY_OUT(json ? cor_sheets_json(sheets, stdout, error)
                     : print_text(opened, experiment, proofs, sheets, error));
out:
    cor_sheets_destroy(sheets);
    return status;
}

struct request {
    const char *diagram;
    bool force;
    const char *output;
    double pilot; /* seconds; -1: not said */
    bool suites, json, show_config;
    struct cor_layer_options options;
};

/* What an operand and -o name together. */
struct target {
    const char *campaign; /* folder of a campaign to be made or looked at; NULL = none */
    const char *suites;   /* folder to write suites into; NULL = none */
    double pilot_seconds;
    bool log_solutions; /* there */
};

/* Asks whether the corridor can hold in each arm. One that is empty is said, and nothing is planned. */
static enum cor_status prove_arms(const struct cor_opened *opened, bool json, struct cor_arm_proofs *proofs,
                                  struct cor_error *error) {
    const struct cor_experiment *experiment = drawn_experiment(opened);
    const struct cor_pilot_estimate no_estimate = {0};
    const struct cor_folder_plan no_folder = {0};
    if (!experiment)
        return COR_OK;
    cor_progress_doing("asking whether the corridor can hold");
    COR_TRY(cor_experiment_prove(experiment, proofs, error));
    cor_progress_doing(NULL);
    struct cor_error empty = COR_NO_ERROR;
    if (refuse_empty(experiment, proofs, &empty) == COR_OK)
        return COR_OK;
    COR_TRY(print_suites(opened, json, proofs, &no_estimate, &no_folder, error));
    *error = empty;
    return error->status;
}

static enum cor_status plan_target(const struct cor_arguments *arguments, const struct target *target,
                                   struct cor_opened *opened, struct cor_error *error) {
    struct cor_folder_plan folder = {0};
    struct cor_arm_proofs proofs = {0};
    bool json = ((const struct request *)arguments->request)->json;
    enum cor_status status = COR_OK;
    if (target->suites && opened->layer != &cor_interaction_layer)
        return cor_fail(
            error, COR_STATUS_INPUT, arguments->words[0], "make a campaign's folder: leave out --suites",
            "is an experiment of the layer \"%s\", whose suites are no files", opened->layer->schema->name);
    COR_TRY_OUT(prove_arms(opened, json, &proofs, error));
    if (target->campaign)
        COR_TRY_OUT(cor_folder_plan_make(opened, target->campaign, target->log_solutions, &folder, error));
    /* Tells what the experiment is and what it will take. Trouble of the pilot - an algorithm that ends its
     * process, no room for a file - is none of the plan: it is said, and there is no estimate. */
    struct cor_pilot_estimate estimate = {0};
    struct cor_error trouble = COR_NO_ERROR;
    if (target->pilot_seconds > 0) {
        cor_progress_doing("running a pilot, to estimate time and size");
        if (cor_pilot_run(opened, target->pilot_seconds, &estimate, &trouble) == COR_STATUS_INTERRUPTED)
            COR_TRY_OUT(cor_fail(error, COR_STATUS_INTERRUPTED, NULL, NULL, "interrupted"));
    }
    COR_TRY_OUT(print_suites(opened, json, &proofs, &estimate, &folder, error));
    if (trouble.status != COR_OK)
        cor_say("no estimate: the pilot failed: %s", trouble.cause);
    else if (!json && target->pilot_seconds > 0)
        print_estimate(&estimate);
    if (!json && folder.folder)
        COR_TRY_OUT(cor_folder_plan_print(&folder, error));
    if (target->suites) {
        /* All suites, as files. */
        cor_progress_doing("writing suites");
        COR_TRY_OUT(cor_suite_folder_write(((const struct cor_interaction *)opened->experiment)->experiment,
                                           target->suites, error));
        cor_progress_doing(NULL);
        char *word = cor_shell_quoted(target->suites);
        if (word)
            fprintf(stderr, "%s: all suites; next: corridor run %s\n", target->suites, word);
        free(word);
    }
out:
    cor_arm_proofs_fini(&proofs);
    cor_folder_plan_fini(&folder);
    return status;
}

/* The model as a class diagram, in the language that the ending of the path says. */
static enum cor_status write_diagram(const struct request *request, const struct cor_opened *opened,
                                     struct cor_error *error) {
    const char *ending = strrchr(request->diagram, '.');
    const bool is_plantuml = ending && strcmp(ending, ".puml") == 0;
    if (opened->layer != &cor_interaction_layer)
        return cor_fail(error, COR_STATUS_INPUT, request->diagram,
                        "corridor agent order and efsm show draw others",
                        "only models of interacting agents are drawn as class diagrams");
    char *text = cor_model_diagram(((const struct cor_interaction *)opened->experiment)->experiment,
                                   is_plantuml ? COR_DIAGRAM_PLANTUML : COR_DIAGRAM_DOT, error);
    if (!text)
        return COR_STATUS_MEMORY;
    cor_progress_doing(NULL);
    const enum cor_status status = is_plantuml
                                       ? cor_output_text(request->diagram, text, request->force, error)
                                       : cor_output_drawing(request->diagram, text, request->force, error);
    free(text);
    return status;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_opened opened = {0};
    struct cor_place place = {0};
    struct target target;
    struct request *request = arguments->request;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_place_of(arguments->words[0], &place, &error));
    COR_TRY_OUT(cor_place_check(arguments->words[0], &place, &error));
    const bool is_campaign = !request->output && place.folder && !place.suites;
    target = (struct target){
        .suites = request->suites ? request->output : NULL,
        .campaign = is_campaign       ? arguments->words[0]
                    : request->suites ? NULL
                                      : request->output,
        .pilot_seconds = request->pilot >= 0 ? request->pilot
                         : request->suites   ? 0
                                             : 6,
    };
    /* What goes for all that is run in the folder: as it was, or as it is said now. */
    struct cor_place there = {0};
    if (target.campaign)
        COR_TRY_OUT(cor_place_of(target.campaign, &there, &error));
    target.log_solutions = there.log_solutions || request->options.log_solutions;
    request->options.log_solutions = target.log_solutions;
    cor_place_fini(&there);
    if (request->show_config) {
        const struct cor_config config = {.json = request->json, .options = &request->options};
        const enum cor_exit code = cor_show_config(arguments, place.experiment, &config);
        cor_place_fini(&place);
        return code;
    }
    cor_progress_doing("asking whether the constraints can hold");
    COR_TRY_OUT(cor_open_experiment(place.experiment, &request->options, &opened, &error));
    COR_TRY_OUT(request->diagram ? write_diagram(request, &opened, &error)
                                 : plan_target(arguments, &target, &opened, &error));
out:
    cor_progress_doing(NULL);
    cor_opened_fini(&opened);
    cor_place_fini(&place);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_plan = {
    .name = "plan",
    .summary = "check what a run would do",
    .operands = "EXPERIMENT.json | FOLDER",
    .takes = {1, 1, "needs one experiment file or folder of a campaign"},
    .request_size = sizeof(struct request),
    .manual =
        "Reads an experiment and everything it names, and says what a run would do. It asks z3 whether "
        "the constraints can hold at all and, if not, which lines contradict each other. For a corridor "
        "that is a text it asks so for each arm (docs/look-up/corridor-language.md; exit code 3 if the "
        "corridor cannot hold). It draws a few suites to show their size and how often the parameters "
        "meet the constraints. It runs a few suites to estimate how long all of them take on this "
        "machine, and how large the result file gets.\n"
        "With -o, it makes a folder that holds all that the campaign needs, except modules of algorithms; "
        "corridor run FOLDER runs it there. Experiments with agents that are modules or programs have no "
        "folder. If the folder exists, plan says what is stored in it and why the rest must run. If "
        "another experiment is given for that folder, plan says whether it is the same with more suites, "
        "sequences or arms; if so, it extends the folder and keeps what is stored.\n"
        "With --suites, it writes every suite into the new folder as a file, to be edited or run "
        "elsewhere (off-line mode).",
    .options =
        {
            {"output", 'o', "FOLDER", "make this the folder of the campaign, or extend it", COR_TEXT(output)},
            {"log-solutions", 0, NULL,
             "keep structure and solution of every reorganization in a campaign's folder",
             COR_FLAG(options.log_solutions)},
            {"suites", 0, NULL, "write all suites into the new folder, as files", COR_FLAG(suites),
             .needs = "output"},
            {"pilot", 0, "S", "run suites, for S seconds at most, to estimate time and size; 0 = none",
             COR_REAL(pilot, 0, 1e6, -1), .otherwise = "6, with --suites 0"},
            {"algorithm", 'a', "[ARM=]ALGORITHM",
             "take that algorithm, by name or path, instead of the file's: in that arm, or in all",
             COR_TEXT(options.algorithm)},
            COR_ISOLATE_OPTION(options.isolation),
            COR_FRESH_OPTION(options),
            {"diagram", 0, "FILE",
             "draw the model as a class diagram instead: .svg, .pdf, .png, .dot or .puml", COR_TEXT(diagram)},
            {"force", 'f', NULL, "replace the diagram if it exists", COR_FLAG(force), .needs = "diagram"},
            COR_SHOW_CONFIG_OPTION(show_config),
            {"json", 0, NULL, "print one JSON document", COR_FLAG(json)},
        },
    .examples = {"corridor plan experiments/library/demo.json",
                 "corridor plan experiments/library/demo.json --diagram model.svg",
                 "corridor plan experiments/library/demo.json -o camp/     # then: corridor run camp/",
                 "corridor plan camp/                              # what is still to do, and why",
                 "corridor plan experiments/library/demo.json -o suites --suites"},
    .run = run,
};
