/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "efsm_replay.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/model_layer.h>
#include <corridor/model_result.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_COLUMNS                                                       \
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP}, { \
        "test", "test", "1", "number, from 0", COR_CELL_COUNT, 0, 0       \
    }

static const struct cor_column_definition replay_sheet_columns[] = {
    {"equal", "equal", "", "all that is written of the tests is as in the file", COR_CELL_FLAG, 0, 0},
    {"tests", "tests", "tests", "executed again", COR_CELL_COUNT, 0, 0},
    {"different", "different", "tests", "of these, such that did not come out as in the file", COR_CELL_COUNT,
     0, 0}};
COR_SHEET_DEFINITION(replay_sheet, "replay", "Replay", "the file", COR_SHEET_RECORD | COR_SHEET_TOP, 0);

static const struct cor_column_definition differences_sheet_columns[] = {
    KEY_COLUMNS,
    {"table", "table", "", "of the first difference", COR_CELL_WORD, 0, 0},
    {"row", "row", "1", "of the rows of the test, from 1", COR_CELL_COUNT, 0, 0},
    {"column", "column", "", "nothing: there are more, or fewer, rows", COR_CELL_WORD, 0, 0},
    {"stored", "in the file", "", "its value; without a column the number of rows", COR_CELL_TEXT, 0, 0},
    {"now", "now", "", "the same of the replay", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(differences_sheet, "differences", "First differences", "a row a test that differs", 0,
                     40);

static const struct cor_column_definition tests_sheet_columns[] = {
    KEY_COLUMNS,
    {"equal", "equal", "", "all that is written of it is as in the file", COR_CELL_FLAG, 0, 0},
    {"verdict", "verdict", "", "of the replay", COR_CELL_WORD, 0, 0},
    {"recorded", "in the file", "", "verdict there", COR_CELL_WORD, 0, 0},
    {"moves", "moves", "moves", "of the replay", COR_CELL_COUNT, 0, 0}};
COR_SHEET_DEFINITION(tests_sheet, "tests", "Tests", "a row a test", 0, 40);

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
    answers->items[answers->count - 1].timeout = row->timeout != 0;
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
                        "without \"brief\" the file has them all",
                        "of what a program said in test %u there are only %llu of %u moves", test->suite,
                        (unsigned long long)count, test->moves);
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

/* A replay under way. */
struct replay {
    struct cor_model_result model;
    struct cor_model_experiment *experiment; /* owned */
    struct cor_record *record;               /* owned */
    struct cor_sheet *differences, *tests;
    uint64_t count, different;
};

static void put_key(const struct replay *replay, const struct cor_model_test_row *test,
                    struct cor_sheet *sheet) {
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, cor_arm_entry(replay->model.head, test->arm)->name);
    cor_sheet_count(sheet, test->suite);
}

static void put_difference(const struct replay *replay, const struct cor_model_test_row *test,
                           const struct cor_suite_difference *difference) {
    struct cor_sheet *sheet = replay->differences;
    put_key(replay, test, sheet);
    cor_sheet_word(sheet, difference->table);
    cor_sheet_count(sheet, difference->row + 1);
    cor_sheet_word(sheet, difference->column);
    cor_sheet_text(sheet, "%s", difference->stored);
    cor_sheet_text(sheet, "%s", difference->now);
}

static void put_test(struct replay *replay, const struct cor_model_test_row *test,
                     const struct cor_suite_difference *difference) {
    const struct cor_model_test_row *now = cor_record_at(replay->record, COR_MODEL_TABLE_TESTS, 0);
    put_key(replay, test, replay->tests);
    cor_sheet_flag(replay->tests, difference->equal);
    cor_sheet_tone(replay->tests, difference->equal ? COR_TONE_GOOD : COR_TONE_BAD);
    cor_sheet_word(replay->tests, cor_term_word(COR_FAMILY_TEST, now->verdict));
    cor_sheet_word(replay->tests, cor_term_word(COR_FAMILY_TEST, test->verdict));
    cor_sheet_count(replay->tests, now->moves);
    if (!difference->equal)
        put_difference(replay, test, difference);
    replay->count++;
    replay->different += !difference->equal;
}

static enum cor_status execute(struct replay *replay, const struct cor_model_test_row *test,
                               struct cor_error *error) {
    struct answers answers = {0};
    struct cor_system *system = NULL;
    struct cor_suite_counts tally;
    struct cor_suite_difference difference;
    enum cor_status status = COR_OK;
    if (replay->experiment->arms[test->arm].command) {
        COR_TRY_OUT(gather(&replay->model, test, &answers, error));
        COR_TRY_OUT(cor_recording_create(answers.items, answers.count, &system, error));
    }
    COR_TRY_OUT(cor_model_execute(replay->experiment, test->arm, test->suite, system, NULL, replay->record,
                                  &tally, error));
    COR_TRY_OUT(cor_result_compare_suite(replay->model.result, replay->record, COR_MODEL_TABLE_MOVES,
                                         &difference, error));
    put_test(replay, test, &difference);
out:
    fini(&answers);
    return status;
}

/* ARM/TEST; arms may have strokes in their names. */
static enum cor_status read_key(const struct replay *replay, const char *key, size_t *arm, uint32_t *suite,
                                struct cor_error *error) {
    const char *stroke = strrchr(key, '/');
    char *end = NULL;
    const unsigned long long number = stroke ? strtoull(stroke + 1, &end, 10) : 0;
    if (!stroke || stroke[1] < '0' || stroke[1] > '9' || *end != '\0' || number >= COR_NONE)
        return cor_fail(error, COR_STATUS_INPUT, "--failure",
                        "as in search/0: an arm and the number of its test", "\"%s\" is no ARM/TEST", key);
    char *name = cor_format("%.*s", (int)(stroke - key), key);
    COR_TRY(cor_made(name, error));
    *suite = (uint32_t)number;
    enum cor_status status = cor_arm_find(replay->model.head, "--failure", name, arm, error);
    free(name);
    return status;
}

static enum cor_status execute_all(struct replay *replay, const char *key, struct cor_error *error) {
    size_t arm = 0;
    uint32_t suite = 0;
    if (key)
        COR_TRY(read_key(replay, key, &arm, &suite, error));
    for (uint64_t i = 0; i < replay->model.count[COR_MODEL_TABLE_TESTS]; i++) {
        const struct cor_model_test_row *test = cor_model_row(&replay->model, COR_MODEL_TABLE_TESTS, i);
        if (!key || (test->arm == arm && test->suite == suite))
            COR_TRY(execute(replay, test, error));
    }
    return !key || replay->count > 0
               ? COR_OK
               : cor_fail(error, COR_STATUS_INPUT, "--failure", "corridor tests --json lists them",
                          "there is no test %u of \"%s\" in the file", suite,
                          cor_arm_entry(replay->model.head, arm)->name);
}

enum cor_status cor_efsm_replay(struct cor_result *result, const char *path, const char *key,
                                struct cor_sheets *sheets, bool *equal, struct cor_error *error) {
    struct replay replay = {0};
    enum cor_status status = COR_OK;
    COR_TRY(cor_model_result_init(result, &replay.model, error));
    COR_TRY_OUT(cor_model_experiment_parse(replay.model.head->experiment, path, &replay.experiment, error));
    COR_TRY_OUT(cor_record_create(&cor_model_schema, &replay.record, error));
    struct cor_sheet *whole = cor_sheets_add(sheets, &replay_sheet);
    replay.differences = cor_sheets_add(sheets, &differences_sheet);
    replay.tests = cor_sheets_add(sheets, &tests_sheet);
    COR_TRY_OUT(execute_all(&replay, key, error));
    *equal = replay.different == 0;
    cor_sheet_row(whole);
    cor_sheet_flag(whole, *equal);
    cor_sheet_tone(whole, *equal ? COR_TONE_GOOD : COR_TONE_BAD);
    cor_sheet_count(whole, replay.count);
    cor_sheet_count(whole, replay.different);
out:
    cor_record_destroy(replay.record);
    cor_model_experiment_destroy(replay.experiment);
    cor_model_result_fini(&replay.model);
    return status;
}
