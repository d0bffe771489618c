/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a test on line writes down. */
#include "efsm_rows.h"

#include <corridor/array.h>
#include <corridor/efsm_experiment.h>
#include <corridor/efsm_schema.h>
#include <corridor/hash.h>

#include <string.h>

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

enum cor_status efsm_layer__efsm_think(void *context, double share, struct cor_error *error) {
    const struct efsm_layer__efsm_writer *writer = context;
    (void)error;
    cor_watch_share(writer->watch, share);
    return cor_watch_stopped(writer->watch) ? COR_STATUS_INTERRUPTED : COR_OK;
}

enum cor_status efsm_layer__efsm_note(void *context, const struct cor_online_move *move,
                                      struct cor_error *error) {
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

enum cor_status efsm_layer__efsm_put_outcome(struct efsm_layer__efsm_writer *writer,
                                             const struct cor_online_outcome *outcome,
                                             struct cor_error *error) {
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
