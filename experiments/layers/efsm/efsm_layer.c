/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a campaign executes of the efsm layer: a suite is a test on line of an arm. */
#include <corridor/efsm_experiment.h>
#include <corridor/efsm_layer.h>

#include "efsm_rows.h"

#include <corridor/array.h>
#include <corridor/efsm_schema.h>
#include <corridor/guarantees.h>
#include <corridor/hash.h>
#include <corridor/traffic.h>

#include <stdlib.h>

static enum cor_status open_executor(const void *experiment, void **with, struct cor_error *error) {
    const struct cor_efsm_experiment **executor = cor_calloc(1, sizeof *executor);
    *with = executor;
    COR_TRY(cor_made(executor, error));
    *executor = experiment;
    return COR_OK;
}

static void close_executor(void *with) {
    free(with);
}

enum cor_status cor_efsm_execute(const struct cor_efsm_experiment *experiment, uint32_t arm, uint32_t suite,
                                 struct cor_system *system_take, const struct cor_watch *watch,
                                 struct cor_record *record, struct cor_suite_counts *tally,
                                 struct cor_error *error) {
    struct cor_online_outcome outcome = {0};
    struct efsm_layer__efsm_writer writer = {.model = experiment->model,
                                             .trap_count = experiment->goal->trap_count,
                                             .brief = experiment->brief,
                                             .record = record,
                                             .watch = watch,
                                             .replies = COR_HASH_SEED};
    enum cor_status status = COR_OK;
    cor_record_begin(record, (uint16_t)arm, suite);
    COR_TRY_OUT(cor_efsm_test(experiment, arm, suite, system_take, efsm_layer__efsm_note,
                              efsm_layer__efsm_think, &writer, &outcome, error));
    COR_TRY_OUT(efsm_layer__efsm_put_outcome(&writer, &outcome, error));
    if (suite == 0 && experiment->arms[arm].compares) {
        /* The arm's mutant beside the model. */
        struct cor_efsm_comparison comparison;
        COR_TRY_OUT(cor_efsm_compare(experiment->model, experiment->arms[arm].acting,
                                     experiment->compare_moves, &comparison, error));
        struct cor_efsm_mutant_row *row = cor_record_row(record, COR_EFSM_TABLE_MUTANTS, error);
        if (row) {
            row->difference = (uint8_t)comparison.difference;
            row->length = comparison.is_shortest ? comparison.length : 0;
            row->moves = comparison.moves;
        }
        cor_efsm_comparison_fini(&comparison);
        COR_TRY_OUT(cor_made(row, error));
    }
    *tally = (struct cor_suite_counts){
        .cases = outcome.moves,
        .failures = outcome.verdict == COR_TEST_FAIL,
        .by_machine = outcome.timeouts < UINT32_MAX ? (uint32_t)outcome.timeouts : UINT32_MAX};
out:
    cor_efsm_observation_fini(&writer.scratch);
    cor_online_outcome_fini(&outcome);
    return status;
}

static enum cor_status execute(void *with, uint32_t arm, uint32_t suite, const struct cor_watch *watch,
                               struct cor_record *record, struct cor_suite_counts *tally,
                               struct cor_error *error) {
    return cor_efsm_execute(*(const struct cor_efsm_experiment **)with, arm, suite, NULL, watch, record,
                            tally, error);
}

static enum cor_status add_names(struct cor_catalogs *catalogs, enum cor_efsm_catalog catalog,
                                 const char *const *names, uint32_t count, const char *description,
                                 struct cor_error *error) {
    for (uint32_t i = 0; i < count; i++)
        COR_TRY(cor_catalogs_add(catalogs, catalog, names[i], description, error));
    return COR_OK;
}

static enum cor_status add_labels(struct cor_catalogs *catalogs, enum cor_efsm_catalog catalog,
                                  const struct cor_efsm_label *labels, uint32_t count,
                                  const char *description, struct cor_error *error) {
    for (uint32_t i = 0; i < count; i++)
        COR_TRY(cor_catalogs_add(catalogs, catalog, labels[i].name,
                                 labels[i].types ? labels[i].types : description, error));
    return COR_OK;
}

static enum cor_status list_all(const void *with, struct cor_catalogs *catalogs, struct cor_error *error) {
    const struct cor_efsm_experiment *experiment = with;
    const struct cor_efsm *model = experiment->model;
    COR_TRY(cor_catalogs_add(catalogs, COR_EFSM_CATALOG_TRANSITION, "-", "none", error));
    COR_TRY(add_names(catalogs, COR_EFSM_CATALOG_TRANSITION, model->transition_names, model->transition_count,
                      "transition", error));
    COR_TRY(add_names(catalogs, COR_EFSM_CATALOG_LOCATION, model->location_names, model->location_count,
                      "location", error));
    COR_TRY(add_labels(catalogs, COR_EFSM_CATALOG_INPUT, model->inputs, model->input_count, "input", error));
    COR_TRY(cor_catalogs_add(catalogs, COR_EFSM_CATALOG_OUTPUT, "?", "none of the model's", error));
    COR_TRY(
        add_labels(catalogs, COR_EFSM_CATALOG_OUTPUT, model->outputs, model->output_count, "output", error));
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].kind == COR_EFSM_STATE)
            COR_TRY(cor_catalogs_add(catalogs, COR_EFSM_CATALOG_STATE, model->variable_names[v],
                                     model->variables[v].description, error));
    for (uint32_t t = 0; t < experiment->goal->trap_count; t++)
        COR_TRY(
            cor_catalogs_add(catalogs, COR_EFSM_CATALOG_TRAP, experiment->goal->traps[t].id, "trap", error));
    for (uint32_t g = 0; g < experiment->told_count; g++)
        COR_TRY(cor_catalogs_add(catalogs, COR_EFSM_CATALOG_GOAL, experiment->told[g].name, "goal", error));
    return COR_OK;
}

static bool hangs_on_clocks(const struct cor_efsm_experiment *experiment) {
    for (uint32_t a = 0; a < experiment->head.arm_count; a++)
        if (experiment->arms[a].command && experiment->arms[a].quiet_seconds > 0)
            return true;
    return false;
}

static const struct cor_guest_files *files_of(const void *arms, size_t arm) {
    return &((const struct cor_efsm_arm *)arms)[arm].files;
}

static void put_provenance(const void *with, struct cor_json_writer *writer) {
    const struct cor_efsm_experiment *experiment = with;
    cor_json_put_bool(writer, "foreign_systems", experiment->has_programs);
    cor_json_open_array(writer, "systems");
    cor_guest_files_put(writer, "system", files_of, experiment->arms, experiment->head.arm_count);
    cor_json_close(writer);
    cor_json_put_bool(writer, "quiet_by_clock", hangs_on_clocks(experiment));
}

static void destroy(void *with) {
    cor_efsm_experiment_destroy(with);
}

static enum cor_status read(const char *path, struct cor_json_document *document,
                            const struct cor_layer_options *options, struct cor_experiment_head **experiment,
                            char **notes, char **warnings, struct cor_error *error) {
    struct cor_efsm_experiment *made = NULL;
    enum cor_status status = COR_OK;
    const struct cor_json root = cor_json_root(document);
    char *text = cor_json_text(&root);
    struct cor_needs needs = {0};
    if (options->suite_folder || options->log_solutions || options->algorithm || options->fresh_processes)
        COR_TRY_OUT(
            cor_fail(error, COR_STATUS_INPUT, path, "leave the option out",
                     "is an experiment with a model, which has no suites in files, solutions, algorithms "
                     "or fresh processes"));
    COR_TRY_OUT(cor_made(text, error));
    COR_TRY_OUT(cor_efsm_experiment_parse(text, path, options->origins, &made, error));
    COR_TRY_OUT(cor_traffic_open(options->record_traffic, options->replay_traffic, options->replace,
                                 &made->traffic, error));
    (void)notes;
    made->is_free = options->isolation == (int)COR_ISOLATION_NEVER;
    made->is_full = options->isolation_required;
    for (uint32_t a = 0; a < made->head.arm_count; a++)
        if (made->arms[a].command)
            COR_TRY_OUT(cor_trust_check(&options->trust, made->arms[a].command, error));
    if (!made->traffic) /* a recording is of one run, and is played without a program */
        COR_TRY_OUT(cor_efsm_experiment_find_files(made, error));
    for (uint32_t a = 0; a < made->head.arm_count && !cor_traffic_replays(made->traffic); a++)
        if (made->arms[a].command)
            COR_TRY_OUT(cor_needs_of_program(&needs, made->arms[a].command, false, error));
    if (made->has_programs && !made->is_free)
        COR_TRY_OUT(cor_guarantees_look(path, &needs, options->isolation_required, warnings, error));
out:
    cor_needs_fini(&needs);
    free(text);
    cor_json_destroy(document);
    if (status != COR_OK) {
        cor_efsm_experiment_destroy(made);
        made = NULL;
    }
    *experiment = made ? &made->head : NULL;
    return status;
}

const struct cor_layer cor_efsm_layer = {
    .key = "efsm",
    .schema = &cor_efsm_schema,
    .failures = "tests that failed",
    .read = read,
    .destroy = destroy,
    .open = open_executor,
    .execute = execute,
    .close = close_executor,
    .list = list_all,
    .provenance = put_provenance,
};
