/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "efsm_replay.h"

#include "show_view.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/model_experiment.h>
#include <corridor/model_result.h>

#include <stdlib.h>

static const struct cor_column_definition replays_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"test", "test", "1", "number, from 0", COR_CELL_COUNT, 0, 0},
    {"same", "same", "", "inputs, answers and verdict are those of the file", COR_CELL_FLAG, 0, 0},
    {"verdict", "verdict", "", "of the replay", COR_CELL_WORD, 0, 0},
    {"recorded", "recorded", "", "verdict in the file", COR_CELL_WORD, 0, 0},
    {"moves", "moves", "moves", "of the replay", COR_CELL_COUNT, 0, 0}};
COR_SHEET_DEFINITION(replays_sheet, "replays", "Replay", "a row a test of the file", 0, 0);

struct answers {
    struct cor_recorded_answer *items; /* owned, with what they hold */
    size_t count, capacity;
};

static void fini(struct answers *answers) {
    for (size_t i = 0; i < answers->count; i++)
        cor_efsm_observation_fini(&answers->items[i].observation);
    free(answers->items);
    *answers = (struct answers){0};
}

static enum cor_status add(struct answers *answers, bool is_reset, uint8_t trouble, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&answers->items, &answers->capacity, answers->count + 1, error));
    answers->items[answers->count++] =
        (struct cor_recorded_answer){.is_reset = is_reset, .trouble = (enum cor_system_trouble)trouble};
    return COR_OK;
}

static enum cor_status add_move(const struct cor_model_result *model, const struct cor_model_move_row *row,
                                struct answers *answers, struct cor_error *error) {
    COR_TRY(add(answers, false, row->trouble, error));
    struct cor_efsm_observation *observation = &answers->items[answers->count - 1].observation;
    for (uint32_t o = 0; o < row->outputs; o++) {
        const uint16_t code = model->outputs[row->output_start + o];
        COR_TRY(cor_efsm_observation_label(observation, code == 0 ? COR_NONE : (uint32_t)code - 1, error));
    }
    for (uint32_t v = 0; v < row->values; v++)
        COR_TRY(
            cor_efsm_observation_argument(observation, (int64_t)model->values[row->value_start + v], error));
    return COR_OK;
}

/* What the system said in a test: the first reset, then each move, with a reset wherever one was made. */
static enum cor_status gather(const struct cor_model_result *model, const struct cor_model_test_row *test,
                              struct answers *answers, struct cor_error *error) {
    uint64_t count;
    const uint64_t first = cor_model_rows_of(model, COR_MODEL_TABLE_MOVES, test->arm, test->suite, &count);
    uint32_t attempt = 0;
    uint8_t trouble = 0; /* of the last move */
    if (count != test->moves)
        return cor_fail(error, COR_STATUS_INPUT, cor_arm_entry(model->head, test->arm)->name,
                        "run it again without \"brief\"", "test %u has only %llu of its %u moves in the file",
                        test->suite, (unsigned long long)count, test->moves);
    const bool at_once = count == 0 && test->trouble != 0;
    COR_TRY(add(answers, true, at_once ? test->trouble : 0, error));
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_model_move_row *row = cor_model_row(model, COR_MODEL_TABLE_MOVES, i);
        for (; attempt < row->attempt; attempt++)
            COR_TRY(add(answers, true, 0, error));
        COR_TRY(add_move(model, row, answers, error));
        trouble = row->trouble;
    }
    for (; attempt < test->resets; attempt++)
        COR_TRY(add(answers, true, trouble == 0 ? test->trouble : 0, error));
    return COR_OK;
}

struct listener {
    const struct cor_efsm *model;
    uint64_t replies;
};

static enum cor_status note(void *context, const struct cor_online_move *move, struct cor_error *error) {
    struct listener *listener = context;
    (void)error;
    listener->replies = cor_model_hash_move(listener->replies, listener->model, move);
    return COR_OK;
}

static enum cor_status replay(const struct cor_model_result *model,
                              const struct cor_model_experiment *experiment,
                              const struct cor_model_test_row *test, struct cor_sheet *sheet, bool *all_same,
                              struct cor_error *error) {
    struct answers answers = {0};
    struct cor_online_outcome outcome = {0};
    struct cor_system *system;
    struct listener listener = {experiment->model, COR_HASH_SEED};
    enum cor_status status = COR_OK;
    COR_TRY_OUT(gather(model, test, &answers, error));
    COR_TRY_OUT(cor_recording_create(answers.items, answers.count, &system, error));
    COR_TRY_OUT(cor_model_test(experiment, test->arm, test->suite, system, note, &listener, &outcome, error));
    const bool same = listener.replies == test->replies && (uint8_t)outcome.verdict == test->verdict &&
                      outcome.moves == test->moves && outcome.resets == test->resets;
    *all_same = *all_same && same;
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, cor_arm_entry(model->head, test->arm)->name);
    cor_sheet_count(sheet, test->suite);
    cor_sheet_flag(sheet, same);
    cor_sheet_tone(sheet, same ? COR_TONE_GOOD : COR_TONE_BAD);
    cor_sheet_word(sheet, cor_term_word(COR_FAMILY_TEST, (int)outcome.verdict));
    cor_sheet_word(sheet, cor_term_word(COR_FAMILY_TEST, test->verdict));
    cor_sheet_count(sheet, outcome.moves);
out:
    cor_online_outcome_fini(&outcome);
    fini(&answers);
    return status;
}

static enum cor_status replay_all(const struct cor_arguments *arguments, const struct cor_model_result *model,
                                  const char *path, bool *same, struct cor_error *error) {
    struct cor_model_experiment *experiment = NULL;
    struct cor_sheets *sheets = NULL;
    enum cor_status status = COR_OK;
    COR_TRY(cor_model_experiment_parse(model->head->experiment, path, &experiment, error));
    COR_TRY_OUT(cor_sheets_create("corridor-efsm-replay", 1, &sheets, error));
    struct cor_sheet *sheet = cor_sheets_add(sheets, &replays_sheet);
    for (uint64_t i = 0; i < model->count[COR_MODEL_TABLE_TESTS]; i++)
        COR_TRY_OUT(
            replay(model, experiment, cor_model_row(model, COR_MODEL_TABLE_TESTS, i), sheet, same, error));
    COR_TRY_OUT(cor_show_sheets(arguments, sheets, "replays", error));
out:
    cor_sheets_destroy(sheets);
    cor_model_experiment_destroy(experiment);
    return status;
}

enum cor_status cor_efsm_replay(const struct cor_arguments *arguments, const char *path, bool *same,
                                struct cor_error *error) {
    struct cor_result *result;
    struct cor_model_result model;
    bool changed;
    *same = true;
    COR_TRY(cor_open_result(arguments, path, &cor_model_schema, &result, &changed, error));
    enum cor_status status = cor_model_result_init(result, &model, error);
    if (status == COR_OK) {
        status = replay_all(arguments, &model, path, same, error);
        cor_model_result_fini(&model);
    }
    cor_result_close(result);
    return status;
}
