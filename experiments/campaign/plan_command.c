/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "estimate.h"
#include "isolation.h"
#include "output.h"
#include "place.h"
#include "plan_folder.h"
#include "running.h"

#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/configuration_traps.h>
#include <corridor/configurations.h>
#include <corridor/interaction.h>
#include <corridor/process.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static void print_arm(const struct cor_arm *arm, const struct sample *sample) {
    printf("  %-14s %-8s %-6s %9.1f %11.0f %9.1f%% %9u\n", arm->name, arm->algorithm->name,
           cor_algorithm_fault_name(arm->algorithm, arm->fault), (double)sample->agents / sample->drawn,
           (double)sample->cases / sample->drawn, 100.0 * sample->drawn / (double)sample->attempts,
           sample->fallbacks);
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
    char about[32], low[32], high[32];
    if (estimate->pilot_suites == 0) {
        printf("\nEstimate: none, no suite was finished in the time of the pilot (--pilot S).\n");
        return;
    }
    printf("\nEstimate for %s, from a pilot of %" PRIu64 " suites on %u worker%s: about %s",
           estimate->suites == 1 ? "a suite" : "all suites", estimate->pilot_suites, estimate->workers,
           estimate->workers == 1 ? "" : "s", time_text(estimate->seconds, about));
    if (error > 0)
        printf(" (%s to %s)", time_text(fmax(estimate->seconds - error, estimate->seconds / 2), low),
               time_text(estimate->seconds + error, high));
    printf(bytes < 1e6   ? ", %.0f kB\n"
           : bytes < 1e9 ? ", %.3g MB\n"
                         : ", %.3g GB\n",
           bytes < 1e6   ? bytes / 1e3
           : bytes < 1e9 ? bytes / 1e6
                         : bytes / 1e9);
}

/* The covering array that an arm's configurations follow. */
static void print_configurations(const struct cor_experiment *experiment, const struct cor_arm *arm) {
    const struct cor_configurations *c = arm->configurations;
    printf("\nConfigurations of %s: %u rows of classes of", arm->name, c->row_count);
    for (uint32_t i = 0; i < c->parameter_count; i++)
        printf("%s %s", i > 0 ? "," : "", cor_parameter_laws_name(arm->laws, c->parameters[i]));
    printf(";\n  any %u of these together: %" PRIu64 " combinations of classes, %" PRIu64 " are impossible",
           c->strength, c->covered, c->impossible);
    if (c->undrawn > 0)
        printf(", %" PRIu64 " were never drawn", c->undrawn);
    puts("");
    if (experiment->suite_count > 0 && experiment->suite_count < c->row_count)
        printf("  %u suites follow the first rows only: to have all, ask for %u\n", experiment->suite_count,
               c->row_count);
}

/* The conditions that an arm's configurations meet in turn. */
static void print_configuration_traps(const struct cor_arm *arm) {
    const struct cor_configuration_traps *c = arm->configuration_traps;
    printf("\nConfigurations of %s meet in turn:\n", arm->name);
    for (uint32_t t = 0; t < c->count; t++)
        printf("  %s%s\n", c->traps[t].text,
               c->has_example[t] ? "" : " (z3 could not decide whether any does)");
}

static enum cor_status print_plan(const struct cor_experiment *experiment, const char *notes,
                                  struct cor_error *error) {
    cor_progress_doing(NULL);
    printf("%s: %u arms, %s%" PRIu64 " suites, %u sequences each, %u to %u cases a sequence, seed 0x%" PRIx64
           ", %s suites\n",
           experiment->name, experiment->arm_count, experiment->suite_count == 0 ? "endless, " : "",
           (uint64_t)experiment->arm_count * experiment->suite_count, experiment->sequence_count,
           experiment->case_min, experiment->case_max, experiment->seed,
           experiment->paired ? "paired" : "independent");
    printf("constraints: can hold\n%s", notes);
    printf("\n  %-14s %-8s %-6s %9s %11s %10s %9s\n", "arm", "algo", "fault", "agents", "cases/suite",
           "acceptance", "fallback");
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        struct sample sample;
        COR_TRY(sample_arm(experiment, a, &sample, error));
        print_arm(&experiment->arms[a], &sample);
    }
    printf("\nMeans over the first %u suites of each arm at most. Acceptance: share of random configurations "
           "that met the\n"
           "constraints; fallback: suites that follow the fallback law instead.\n",
           SAMPLE_SUITES);
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        if (experiment->arms[a].configurations)
            print_configurations(experiment, &experiment->arms[a]);
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        if (experiment->arms[a].configuration_traps)
            print_configuration_traps(&experiment->arms[a]);
    return COR_OK;
}

static void put_configurations(struct cor_json_writer *w, const struct cor_arm *arm) {
    const struct cor_configurations *c = arm->configurations;
    if (!c)
        return;
    cor_json_open_object(w, "configurations");
    cor_json_put_integer(w, "combine", c->strength);
    cor_json_put_integer(w, "rows", c->row_count);
    cor_json_put_integer(w, "covered", (int64_t)c->covered);
    cor_json_put_integer(w, "impossible", (int64_t)c->impossible);
    cor_json_put_integer(w, "never_drawn", (int64_t)c->undrawn);
    cor_json_open_array(w, "parameters");
    for (uint32_t i = 0; i < c->parameter_count; i++)
        cor_json_put_string(w, NULL, cor_parameter_laws_name(arm->laws, c->parameters[i]));
    cor_json_close(w);
    cor_json_close(w);
}

static void put_arm(struct cor_json_writer *w, const struct cor_arm *arm, const struct sample *sample) {
    cor_json_open_object(w, NULL);
    cor_json_put_string(w, "name", arm->name);
    cor_json_put_string(w, "algorithm", arm->algorithm->name);
    cor_json_put_string(w, "fault", cor_algorithm_fault_name(arm->algorithm, arm->fault));
    cor_json_put_integer(w, "suites_sampled", sample->drawn);
    cor_json_put_real(w, "agents_mean", (double)sample->agents / sample->drawn);
    cor_json_put_real(w, "cases_per_suite_mean", (double)sample->cases / sample->drawn);
    cor_json_put_real(w, "acceptance", sample->drawn / (double)sample->attempts);
    cor_json_put_integer(w, "fallbacks", sample->fallbacks);
    put_configurations(w, arm);
    cor_json_close(w);
}

static void put_estimate(struct cor_json_writer *w, const struct cor_pilot_estimate *estimate) {
    if (estimate->pilot_suites == 0)
        return;
    cor_json_open_object(w, "estimate");
    cor_json_put_integer(w, "pilot_suites", (int64_t)estimate->pilot_suites);
    cor_json_put_integer(w, "suites", (int64_t)estimate->suites);
    cor_json_put_integer(w, "workers", estimate->workers);
    cor_json_put_real(w, "seconds", estimate->seconds);
    cor_json_put_real(w, "seconds_error", estimate->error); /* null if it is not known */
    cor_json_put_real(w, "bytes", estimate->bytes);
    cor_json_close(w);
}

static enum cor_status print_plan_json(const struct cor_experiment *experiment, const char *notes,
                                       const struct cor_pilot_estimate *estimate,
                                       const struct cor_folder_plan *folder, struct cor_error *error) {
    struct cor_json_writer *w;
    enum cor_status status = COR_OK;
    COR_TRY(cor_document_open("corridor-plan", 1, &w, error));
    cor_json_put_string(w, "name", experiment->name);
    cor_json_put_word(w, "seed", experiment->seed);
    cor_json_put_string(w, "mode", experiment->paired ? "paired" : "independent");
    cor_json_put_integer(w, "suites_per_arm", experiment->suite_count);
    cor_json_put_integer(w, "sequences_per_suite", experiment->sequence_count);
    cor_json_put_string(w, "notes", notes);
    put_estimate(w, estimate);
    if (folder->folder)
        cor_folder_plan_put(folder, w);
    cor_json_open_array(w, "arms");
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        struct sample sample;
        COR_TRY_OUT(sample_arm(experiment, a, &sample, error));
        put_arm(w, &experiment->arms[a], &sample);
    }
    cor_json_close(w);
    cor_progress_doing(NULL);
    cor_json_close(w);
    return cor_json_print_take(w, 1, stdout, error);
out:
    cor_json_writer_destroy(w);
    return status;
}

/* Of a layer whose suites cannot be drawn apart from running them. */
static enum cor_status print_counts(const struct cor_opened *opened, bool json,
                                    const struct cor_pilot_estimate *estimate,
                                    const struct cor_folder_plan *folder, struct cor_error *error) {
    const struct cor_experiment_head *head = opened->experiment;
    cor_progress_doing(NULL);
    if (!json) {
        printf("%s: %u arms, %" PRIu64 " suites, seed 0x%" PRIx64 ", layer %s\n", head->path, head->arm_count,
               (uint64_t)head->arm_count * head->suite_count, head->seed, opened->layer->schema->name);
        return COR_OK;
    }
    struct cor_json_writer *w;
    COR_TRY(cor_document_open("corridor-plan", 1, &w, error));
    cor_json_put_string(w, "layer", opened->layer->schema->name);
    cor_json_put_word(w, "seed", head->seed);
    cor_json_put_integer(w, "suites_per_arm", head->suite_count);
    put_estimate(w, estimate);
    if (folder->folder)
        cor_folder_plan_put(folder, w);
    cor_json_close(w);
    return cor_json_print_take(w, 1, stdout, error);
}

/* What the suites are, as far as it can be told without running them. */
static enum cor_status print_suites(const struct cor_opened *opened, bool json,
                                    const struct cor_pilot_estimate *estimate,
                                    const struct cor_folder_plan *folder, struct cor_error *error) {
    if (opened->layer != &cor_interaction_layer)
        return print_counts(opened, json, estimate, folder, error);
    const struct cor_experiment *experiment =
        ((const struct cor_interaction *)opened->experiment)->experiment;
    cor_progress_doing("drawing a few suites");
    return json ? print_plan_json(experiment, opened->notes, estimate, folder, error)
                : print_plan(experiment, opened->notes, error);
}

struct request {
    const char *output;
    double pilot; /* seconds; -1: not said */
    bool suites, json;
    struct cor_layer_options options;
};

/* Tells what the experiment is and what it will take. Trouble of the pilot - an algorithm that ends its
 * process, no room for a file - is none of the plan: it is said, and there is no estimate. */
static enum cor_status plan_all(const struct cor_arguments *arguments, const struct cor_opened *opened,
                                const struct cor_folder_plan *folder, double pilot_seconds,
                                struct cor_error *error) {
    struct cor_pilot_estimate estimate = {0};
    struct cor_error trouble = COR_NO_ERROR;
    bool json = ((const struct request *)arguments->request)->json;
    if (pilot_seconds > 0) {
        cor_progress_doing("running a pilot, to estimate time and size");
        if (cor_pilot_run(opened, pilot_seconds, &estimate, &trouble) == COR_STATUS_INTERRUPTED)
            return cor_fail(error, COR_STATUS_INTERRUPTED, NULL, NULL, "interrupted");
    }
    COR_TRY(print_suites(opened, json, &estimate, folder, error));
    if (trouble.status != COR_OK)
        fprintf(stderr, "corridor: no estimate: the pilot failed: %s\n", trouble.cause);
    else if (!json && pilot_seconds > 0)
        print_estimate(&estimate);
    return !json && folder->folder ? cor_folder_plan_print(folder, error) : COR_OK;
}

/* All suites, as files. */
static enum cor_status write_suites(const struct cor_opened *opened, const char *folder,
                                    struct cor_error *error) {
    cor_progress_doing("writing suites");
    COR_TRY(cor_suite_folder_write(((const struct cor_interaction *)opened->experiment)->experiment, folder,
                                   error));
    cor_progress_doing(NULL);
    char *word = cor_shell_quoted(folder);
    if (word)
        fprintf(stderr, "%s: all suites; next: corridor run %s\n", folder, word);
    free(word);
    return COR_OK;
}

/* What an operand and -o name together. */
struct target {
    const char *campaign; /* folder of a campaign to be made or looked at; NULL = none */
    const char *suites;   /* folder to write suites into; NULL = none */
    double pilot_seconds;
    bool log_solutions; /* there */
};

static struct target find_target(const struct request *request, const char *operand,
                                 const struct cor_place *place) {
    const bool is_campaign = !request->output && place->folder && !place->suites;
    return (struct target){
        .suites = request->suites ? request->output : NULL,
        .campaign = is_campaign       ? operand
                    : request->suites ? NULL
                                      : request->output,
        .pilot_seconds = request->pilot >= 0 ? request->pilot
                         : request->suites   ? 0
                                             : 6,
    };
}

static enum cor_status plan_target(const struct cor_arguments *arguments, const struct target *target,
                                   const struct cor_opened *opened, struct cor_error *error) {
    struct cor_folder_plan folder = {0};
    enum cor_status status = COR_OK;
    if (target->suites && opened->layer != &cor_interaction_layer)
        return cor_fail(
            error, COR_STATUS_INPUT, arguments->words[0], "make a campaign's folder: leave out --suites",
            "is an experiment of the layer \"%s\", whose suites are no files", opened->layer->schema->name);
    if (target->campaign)
        COR_TRY(cor_folder_plan_make(opened, target->campaign, &folder, error));
    if (target->campaign && target->log_solutions)
        COR_TRY_OUT(cor_place_log_solutions(target->campaign, error));
    COR_TRY_OUT(plan_all(arguments, opened, &folder, target->pilot_seconds, error));
    if (target->suites)
        COR_TRY_OUT(write_suites(opened, target->suites, error));
out:
    cor_folder_plan_fini(&folder);
    return status;
}

/* What goes for all that is run in the folder: as it was, or as it is said now. */
static enum cor_status find_options(struct request *request, struct target *target, struct cor_error *error) {
    struct cor_place there = {0};
    if (target->campaign)
        COR_TRY(cor_place_of(target->campaign, &there, error));
    target->log_solutions = there.log_solutions || request->options.log_solutions;
    request->options.log_solutions = target->log_solutions;
    cor_place_fini(&there);
    return COR_OK;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_opened opened = {0};
    struct cor_place place = {0};
    struct target target;
    struct request *request = arguments->request;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_place_of(arguments->words[0], &place, &error));
    target = find_target(request, arguments->words[0], &place);
    COR_TRY_OUT(find_options(request, &target, &error));
    cor_progress_doing("asking whether the constraints can hold");
    COR_TRY_OUT(cor_open_experiment(place.experiment, &request->options, &opened, &error));
    COR_TRY_OUT(plan_target(arguments, &target, &opened, &error));
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
    .manual = "Reads an experiment with everything it names, asks z3 whether its constraints can hold at all "
              "(and, if not, which lines contradict each other), draws a few suites to tell their size and "
              "how often the law of the parameters is met, and runs a few to estimate, by the clock of this "
              "machine, how long all of them take and how large the result file gets.\nWith -o, makes a "
              "folder that holds all that the campaign needs, modules of algorithms aside (experiments with "
              "agents that are modules or programs have none), to be run there with corridor run FOLDER. Of "
              "a folder that is there it says what is stored and why the rest must run; given another "
              "experiment for it, whether that is the same with more suites, sequences or arms, and then the "
              "folder is extended: what is stored stays.\nWith --suites, writes every suite into the new "
              "folder as a file, to be edited or run elsewhere (off-line mode).",
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
            {"json", 0, NULL, "print one JSON document", COR_FLAG(json)},
        },
    .examples = {"corridor plan experiments/library/demo.json",
                 "corridor plan experiments/library/demo.json -o camp/     # then: corridor run camp/",
                 "corridor plan camp/                              # what is still to do, and why",
                 "corridor plan experiments/library/demo.json -o suites --suites"},
    .run = run,
};
