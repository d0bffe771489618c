/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a test on line writes down. */

#include <corridor/array.h>
#include <corridor/efsm_experiment.h>
#include <corridor/efsm_layer.h>
#include <corridor/efsm_schema.h>
#include <corridor/guarantees.h>
#include <corridor/hash.h>
#include <corridor/layer.h>
#include <corridor/online.h>
#include <corridor/traffic.h>

#include <stdlib.h>
#include <string.h>

/* ---- What a test on line writes down */

struct efsm_layer__efsm_writer {
    const struct cor_efsm *model;
    uint32_t trap_count;
    bool brief; /* moves only where the model does not allow them */
    struct cor_record *record;
    const struct cor_watch *watch; /* NULL: nobody watches */
    uint32_t failed;               /* the move that the model does not allow; 0 = none */
    uint64_t replies;
    struct cor_efsm_observation scratch;
};

static enum cor_status put_value(struct cor_record *record, int64_t value, struct cor_error *error) {
    const double number = (double)value;
    return cor_record_put(record, COR_EFSM_VECTOR_VALUE, &number, 1, NULL, error);
}

static uint64_t values_so_far(const struct cor_record *record) {
    size_t count;
    (void)cor_record_items(record, COR_EFSM_VECTOR_VALUE, &count);
    return count;
}

/* An observation: labels and arguments. */
static enum cor_status put_observation(struct cor_record *record, const struct cor_efsm *model,
                                       const struct cor_efsm_observation *observation, uint64_t *output_start,
                                       uint64_t *value_start, struct cor_error *error) {
    size_t count;
    (void)cor_record_items(record, COR_EFSM_VECTOR_OUTPUT, &count);
    *output_start = count;
    *value_start = values_so_far(record);
    for (uint32_t o = 0; o < observation->label_count; o++) {
        const uint16_t code = observation->labels[o] == COR_NONE ? 0 : (uint16_t)(observation->labels[o] + 1);
        const uint16_t arity =
            code == 0 ? 0 : (uint16_t)model->outputs[observation->labels[o]].parameter_count;
        COR_TRY(cor_record_put(record, COR_EFSM_VECTOR_OUTPUT, &code, 1, NULL, error));
        COR_TRY(cor_record_put(record, COR_EFSM_VECTOR_ARITY, &arity, 1, NULL, error));
    }
    for (uint32_t a = 0; a < observation->argument_count; a++)
        COR_TRY(put_value(record, observation->arguments[a], error));
    return COR_OK;
}

/* The transition that all explanations name, else 0. */
static uint16_t transition_of(const struct cor_belief_step *step) {
    for (uint32_t w = 1; w < step->why_count; w++)
        if (step->why[w].transition != step->why[0].transition)
            return 0;
    return step->why_count == 0 || step->why[0].transition == COR_NONE
               ? 0
               : (uint16_t)(step->why[0].transition + 1);
}

static enum cor_status put_allowed(struct efsm_layer__efsm_writer *writer, const struct cor_online_move *move,
                                   struct cor_error *error) {
    const struct cor_efsm *model = writer->model;
    const size_t width = cor_belief_width(model);
    const struct cor_efsm_label *input = &model->inputs[move->input];
    int64_t all[COR_EFSM_VARIABLES_MAX];
    for (uint32_t w = 0; w < move->allowed->why_count; w++) {
        const struct cor_efsm_explanation *why = &move->allowed->why[w];
        struct cor_efsm_allowed_row *row = cor_record_row(writer->record, COR_EFSM_TABLE_ALLOWED, error);
        COR_TRY(cor_made(row, error));
        row->move = move->number;
        row->transition = why->transition == COR_NONE ? 0 : (uint16_t)(why->transition + 1);
        cor_efsm_observation_clear(&writer->scratch);
        for (uint32_t v = 0; v < model->variable_count; v++)
            all[v] = move->rows[why->state * width + 1 + v];
        for (uint32_t p = 0; p < input->parameter_count; p++)
            all[input->parameters[p]] = move->values[input->parameters[p]];
        if (why->transition != COR_NONE)
            COR_TRY(cor_efsm_observation_of(model, why->transition, all, &writer->scratch, error));
        row->outputs = writer->scratch.label_count;
        row->values = writer->scratch.argument_count;
        COR_TRY(put_observation(writer->record, writer->model, &writer->scratch, &row->output_start,
                                &row->value_start, error));
    }
    return COR_OK;
}

static enum cor_status put_candidates(struct efsm_layer__efsm_writer *writer,
                                      const struct cor_online_move *move, struct cor_error *error) {
    const struct cor_choice *choice = move->choice;
    for (uint32_t c = 0; choice->weighed && c < choice->candidates; c++) {
        const struct cor_candidate *it = &choice->weighed[c];
        struct cor_efsm_candidate_row *row = cor_record_row(writer->record, COR_EFSM_TABLE_CANDIDATES, error);
        COR_TRY(cor_made(row, error));
        row->move = move->number;
        row->rank = c;
        row->transition = it->label == COR_NONE ? 0 : (uint16_t)(it->label + 1);
        row->trap = (uint16_t)it->trap;
        row->location = (uint16_t)it->near;
        row->distance = it->distance;
        row->degree = it->degree;
        row->fitness = it->fitness;
        row->forced = it->is_forced;
    }
    return COR_OK;
}

static enum cor_status put_told(struct efsm_layer__efsm_writer *writer, const struct cor_online_move *move,
                                struct cor_error *error) {
    for (uint32_t t = 0; t < move->told_count; t++) {
        struct cor_efsm_goal_row *row = cor_record_row(writer->record, COR_EFSM_TABLE_GOALS, error);
        COR_TRY(cor_made(row, error));
        row->move = move->number;
        row->goal = (uint16_t)move->told[t].goal;
        row->adds = move->told[t].adds;
    }
    return COR_OK;
}

/* What was said or done that is wrong with the system itself. */
static enum cor_status put_trouble(struct efsm_layer__efsm_writer *writer,
                                   const struct cor_online_outcome *outcome, struct cor_error *error) {
    const size_t length = strlen(outcome->words);
    size_t start;
    if (outcome->trouble == COR_SYSTEM_WELL || length == 0)
        return COR_OK;
    struct cor_efsm_trouble_row *row = cor_record_row(writer->record, COR_EFSM_TABLE_TROUBLES, error);
    COR_TRY(cor_made(row, error));
    (void)cor_record_items(writer->record, COR_EFSM_VECTOR_WORDS, &start);
    row->move = outcome->moves;
    row->words_start = start;
    row->words = (uint32_t)length;
    return cor_record_put(writer->record, COR_EFSM_VECTOR_WORDS, outcome->words, length, NULL, error);
}

static enum cor_status put_state(struct efsm_layer__efsm_writer *writer, const struct cor_online_move *move,
                                 struct cor_efsm_move_row *row, struct cor_error *error) {
    const struct cor_efsm *model = writer->model;
    const struct cor_efsm_label *input = &model->inputs[move->input];
    row->location = (uint16_t)move->rows[0];
    row->state_start = values_so_far(writer->record);
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].kind == COR_EFSM_STATE) {
            COR_TRY(put_value(writer->record, move->rows[1 + v], error));
            row->states++;
        }
    row->argument_start = values_so_far(writer->record);
    row->arguments = input->parameter_count;
    for (uint32_t p = 0; p < input->parameter_count; p++)
        COR_TRY(put_value(writer->record, move->values[input->parameters[p]], error));
    return COR_OK;
}

/* Tells who watches the writer's suite that so much of it is done, and asks whether to go on. */
static enum cor_status efsm_think(void *context, double share, struct cor_error *error) {
    const struct efsm_layer__efsm_writer *writer = context;
    (void)error;
    cor_watch_share(writer->watch, share);
    return cor_watch_stopped(writer->watch) ? COR_STATUS_INTERRUPTED : COR_OK;
}

/* A note of cor_online_run; `context` is a writer. */
static enum cor_status efsm_note(void *context, const struct cor_online_move *move, struct cor_error *error) {
    struct efsm_layer__efsm_writer *writer = context;
    /* A fingerprint of inputs and answers, one move more. */
    uint64_t hash = writer->replies;
    const struct cor_efsm_label *input = &writer->model->inputs[move->input];
    hash = cor_hash_word(cor_hash_word(hash, move->attempt), move->input);
    for (uint32_t p = 0; p < input->parameter_count; p++)
        hash = cor_hash_word(hash, (uint64_t)move->values[input->parameters[p]]);
    hash = cor_hash_word(hash, (uint64_t)move->trouble);
    for (uint32_t o = 0; o < move->observation->label_count; o++)
        hash = cor_hash_word(hash, move->observation->labels[o]);
    for (uint32_t a = 0; a < move->observation->argument_count; a++)
        hash = cor_hash_word(hash, (uint64_t)move->observation->arguments[a]);
    for (uint32_t t = 0; t < move->told_count; t++)
        hash = cor_hash_word(cor_hash_word(hash, move->told[t].goal), move->told[t].adds);
    writer->replies = hash;
    const bool allowed = move->step->count > 0;
    if (!allowed && move->trouble == COR_SYSTEM_WELL)
        writer->failed = move->number;
    if (writer->watch && cor_watch_stopped(writer->watch))
        return COR_STATUS_INTERRUPTED;
    if (writer->watch)
        cor_watch_show(writer->watch, move->number);
    if (writer->brief && !move->allowed)
        return COR_OK;
    struct cor_efsm_move_row *row = cor_record_row(writer->record, COR_EFSM_TABLE_MOVES, error);
    COR_TRY(cor_made(row, error));
    row->move = move->number;
    row->attempt = move->attempt;
    row->possible = move->row_count;
    row->input = (uint16_t)move->input;
    row->transition = transition_of(move->step);
    row->outputs = move->observation->label_count;
    row->values = move->observation->argument_count;
    row->allowed = allowed;
    row->timeout = move->timeout;
    row->trouble = (uint8_t)move->trouble;
    row->left = move->choice->left;
    row->candidates = move->choice->candidates;
    row->degree = move->choice->degree;
    for (uint32_t w = 0; w < cor_trap_words(writer->trap_count); w++)
        row->gained += (uint32_t)__builtin_popcountll(move->gained[w]);
    COR_TRY(put_state(writer, move, row, error));
    COR_TRY(put_observation(writer->record, writer->model, move->observation, &row->output_start,
                            &row->value_start, error));
    COR_TRY(put_candidates(writer, move, error));
    COR_TRY(put_told(writer, move, error));
    return move->allowed ? put_allowed(writer, move, error) : COR_OK;
}

/* The rows of the test, its moves apart. */
static enum cor_status efsm_put_outcome(struct efsm_layer__efsm_writer *writer,
                                        const struct cor_online_outcome *outcome, struct cor_error *error) {
    struct cor_efsm_test_row *row = cor_record_row(writer->record, COR_EFSM_TABLE_TESTS, error);
    COR_TRY(cor_made(row, error));
    row->verdict = (uint8_t)outcome->verdict;
    row->trouble = (uint8_t)outcome->trouble;
    row->proven = outcome->proof != COR_PROOF_NONE;
    row->planned = outcome->planned;
    row->moves = outcome->moves;
    row->resets = outcome->resets;
    row->timeouts = outcome->timeouts;
    row->possible = outcome->possible;
    row->traps = writer->trap_count;
    row->covered = outcome->covered;
    row->failed = writer->failed;
    row->replies = writer->replies;
    for (uint32_t t = 0; t < writer->trap_count; t++) {
        struct cor_efsm_trap_row *trap = cor_record_row(writer->record, COR_EFSM_TABLE_TRAPS, error);
        COR_TRY(cor_made(trap, error));
        trap->trap = (uint16_t)t;
        trap->end = outcome->ends[t];
        trap->move = outcome->when[t];
    }
    for (uint32_t t = 0; t < writer->model->transition_count && !writer->brief; t++) {
        struct cor_efsm_taken_row *taken = cor_record_row(writer->record, COR_EFSM_TABLE_TAKEN, error);
        COR_TRY(cor_made(taken, error));
        taken->transition = (uint16_t)(t + 1);
        taken->count = outcome->taken[t];
    }
    return put_trouble(writer, outcome, error);
}

/* ---- what a campaign executes of the efsm layer: a suite is a test on line of an arm */

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
    COR_TRY_OUT(
        cor_efsm_test(experiment, arm, suite, system_take, efsm_note, efsm_think, &writer, &outcome, error));
    COR_TRY_OUT(efsm_put_outcome(&writer, &outcome, error));
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
