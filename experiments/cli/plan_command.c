/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "open.h"

#include <corridor/interaction.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE_SUITES 20 /* of each arm, drawn to tell how hard drawing is */

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
        enum cor_status status = cor_suite_generate(experiment, arm, s, &suite, error);
        if (status != COR_OK)
            return status;
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

static enum cor_status print_plan(const struct cor_experiment *experiment, const char *notes,
                                  struct cor_error *error) {
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
        enum cor_status status = sample_arm(experiment, a, &sample, error);
        if (status != COR_OK)
            return status;
        print_arm(&experiment->arms[a], &sample);
    }
    printf("\nMeans over the first %u suites of each arm at most. Acceptance: share of draws that met the "
           "constraints of the\n"
           "hardest stage, drawn by the law stated in the file; fallback: suites that follow the fallback "
           "law instead.\n",
           SAMPLE_SUITES);
    return COR_OK;
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
    cor_json_close(w);
}

static enum cor_status print_plan_json(const struct cor_experiment *experiment, const char *notes,
                                       struct cor_error *error) {
    struct cor_json_writer *w;
    enum cor_status status = cor_json_writer_create(&w, error);
    if (status != COR_OK)
        return status;
    cor_json_open_object(w, NULL);
    cor_json_put_string(w, "schema", "corridor-plan");
    cor_json_put_integer(w, "version", 1);
    cor_json_put_string(w, "name", experiment->name);
    cor_json_put_word(w, "seed", experiment->seed);
    cor_json_put_string(w, "mode", experiment->paired ? "paired" : "independent");
    cor_json_put_integer(w, "suites_per_arm", experiment->suite_count);
    cor_json_put_integer(w, "sequences_per_suite", experiment->sequence_count);
    cor_json_put_string(w, "notes", notes);
    cor_json_open_array(w, "arms");
    for (uint32_t a = 0; a < experiment->arm_count && status == COR_OK; a++) {
        struct sample sample;
        status = sample_arm(experiment, a, &sample, error);
        if (status == COR_OK)
            put_arm(w, &experiment->arms[a], &sample);
    }
    cor_json_close(w);
    cor_json_close(w);
    char *text = status == COR_OK ? cor_json_writer_text(w, 1, error) : NULL;
    cor_json_writer_destroy(w);
    if (text)
        puts(text);
    free(text);
    return status == COR_OK && !text ? COR_STATUS_MEMORY : status;
}

static enum cor_status plan_all(const struct cor_arguments *arguments, const struct cor_opened *opened,
                                struct cor_error *error) {
    const char *folder = cor_argument(arguments, "output");
    if (opened->layer != &cor_interaction_layer)
        return cor_fail(error, COR_STATUS_INPUT, arguments->words[0], "run it: corridor run",
                        "is an experiment of the layer \"%s\", whose suites cannot be shown",
                        opened->layer->name);
    const struct cor_experiment *experiment =
        ((const struct cor_interaction *)opened->experiment)->experiment;
    COR_TRY(cor_argument_given(arguments, "json") ? print_plan_json(experiment, opened->notes, error)
                                                  : print_plan(experiment, opened->notes, error));
    if (!folder)
        return COR_OK;
    COR_TRY(cor_suite_folder_write(experiment, folder, error));
    fprintf(stderr, "suites written; next: corridor run %s -o results.h5\n", folder);
    return COR_OK;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_opened opened;
    const char *folder = cor_argument(arguments, "output");
    if (arguments->word_count != 1)
        return cor_misuse(arguments->command, "needs one experiment file");
    if (folder && folder[0] == '\0')
        return cor_misuse(arguments->command, "needs a name for the folder of suites: -o suites");
    enum cor_status status =
        cor_open_experiment(arguments->words[0], &(struct cor_layer_options){0}, &opened, &error);
    if (status == COR_OK)
        status = plan_all(arguments, &opened, &error);
    cor_opened_fini(&opened);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_plan = {
    .name = "plan",
    .summary = "check an experiment, say what it will do, and write its suites",
    .operands = "EXPERIMENT.json",
    .manual =
        "Reads an experiment with everything it names, asks z3 whether its constraints can hold at all (and, "
        "if not, which "
        "lines contradict each other), and draws a few suites to tell their size and how often the law of "
        "the parameters "
        "is met. With -o, writes every suite into a folder, to be run later or elsewhere (off-line mode).",
    .options =
        {
            {"output", 'o', "FOLDER", "write all suites into this new folder", NULL},
            {"json", 0, NULL, "as one JSON document", NULL},
        },
    .examples = {"corridor plan experiments/demo.json", "corridor plan experiments/demo.json -o suites/"},
    .run = run,
};
