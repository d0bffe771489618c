/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * replay: what a result file says is executed again, and compared with it. */
#include "commands.h"
#include "output.h"
#include "replay.h"
#include "running.h"
#include "show_view.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/model_schema.h>
#include <corridor/process.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_COLUMNS                                                                                          \
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP}, {                                    \
        "suite", "suite", "1", "number, from 0: a test of a model, a unit of an agent", COR_CELL_COUNT, 0, 0 \
    }

static const struct cor_column_definition replay_sheet_columns[] = {
    {"equal", "equal", "", "all that is written of the suites is as in the file", COR_CELL_FLAG, 0, 0},
    {"suites", "suites", "suites", "executed again", COR_CELL_COUNT, 0, 0},
    {"different", "different", "suites", "of these, such that did not come out as in the file",
     COR_CELL_COUNT, 0, 0}};
COR_SHEET_DEFINITION(replay_sheet, "replay", "Replay", "the file", COR_SHEET_RECORD | COR_SHEET_TOP, 0);

static const struct cor_column_definition differences_sheet_columns[] = {
    KEY_COLUMNS,
    {"table", "table", "", "of the first difference", COR_CELL_WORD, 0, 0},
    {"row", "row", "1", "of the rows of the suite, from 1", COR_CELL_COUNT, 0, 0},
    {"column", "column", "", "nothing: there are more, or fewer, rows", COR_CELL_WORD, 0, 0},
    {"stored", "in the file", "", "its value; without a column the number of rows", COR_CELL_TEXT, 0, 0},
    {"now", "now", "", "the same of the replay", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(differences_sheet, "differences", "First differences", "a row a suite that differs", 0,
                     40);

static const struct cor_column_definition suites_sheet_columns[] = {
    KEY_COLUMNS, {"equal", "equal", "", "all that is written of it is as in the file", COR_CELL_FLAG, 0, 0}};
COR_SHEET_DEFINITION(suites_sheet, "suites", "Suites", "a row a suite", 0, 40);

/* A replay under way. */
struct replay {
    const struct cor_replayer *replayer;
    struct cor_result *result;
    void *self;                /* of the replayer */
    struct cor_record *record; /* owned */
    uint32_t first;            /* table whose differences are told first */
    struct cor_row_key *keys;  /* owned; of the suites that are executed again */
    size_t count, capacity;
    struct cor_sheet *differences, *suites;
    uint64_t different;
};

static void put_keys(const struct replay *replay, struct cor_row_key keys, struct cor_sheet *sheet) {
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, cor_arm_entry(cor_result_head(replay->result), keys.arm)->name);
    cor_sheet_count(sheet, keys.suite);
}

static void put_difference(const struct replay *replay, struct cor_row_key keys,
                           const struct cor_suite_difference *difference) {
    struct cor_sheet *sheet = replay->differences;
    put_keys(replay, keys, sheet);
    cor_sheet_word(sheet, difference->table);
    cor_sheet_count(sheet, difference->row + 1);
    cor_sheet_word(sheet, difference->column);
    cor_sheet_text(sheet, "%s", difference->stored);
    cor_sheet_text(sheet, "%s", difference->now);
}

static enum cor_status execute(struct replay *replay, struct cor_row_key keys, struct cor_error *error) {
    struct cor_suite_difference difference;
    COR_TRY(replay->replayer->execute(replay->self, keys.arm, keys.suite, replay->record, error));
    COR_TRY(cor_result_compare_suite(replay->result, replay->record, replay->first, &difference, error));
    put_keys(replay, keys, replay->suites);
    cor_sheet_flag(replay->suites, difference.equal);
    cor_sheet_tone(replay->suites, difference.equal ? COR_TONE_GOOD : COR_TONE_BAD);
    if (!difference.equal)
        put_difference(replay, keys, &difference);
    replay->different += !difference.equal;
    return COR_OK;
}

/* ARM/SUITE; arms may have strokes in their names. */
static enum cor_status read_key(const struct replay *replay, const char *key, struct cor_row_key *keys,
                                struct cor_error *error) {
    const char *stroke = strrchr(key, '/');
    char *end = NULL;
    size_t arm = 0;
    const unsigned long long number = stroke ? strtoull(stroke + 1, &end, 10) : 0;
    if (!stroke || stroke[1] < '0' || stroke[1] > '9' || *end != '\0' || number >= UINT32_MAX)
        return cor_fail(error, COR_STATUS_INPUT, "--failure",
                        "as in search/0: an arm and the number of a suite", "\"%s\" is no ARM/SUITE", key);
    char *name = cor_format("%.*s", (int)(stroke - key), key);
    COR_TRY(cor_made(name, error));
    const enum cor_status status =
        cor_arm_find(cor_result_head(replay->result), "--failure", name, &arm, error);
    free(name);
    *keys = (struct cor_row_key){(uint16_t)arm, (uint32_t)number};
    return status;
}

/* Adds the suites of `count` rows of the first table, or the one that is wanted: each once. */
static enum cor_status add_suites(struct replay *replay, const struct cor_row_key *wanted,
                                  const unsigned char *rows, uint64_t count, struct cor_error *error) {
    const size_t row_size = cor_result_head(replay->result)->layer->tables[0].row_size;
    for (uint64_t i = 0; i < count; i++) {
        const struct cor_row_key key = cor_row_key_of(rows + i * row_size);
        if ((wanted && !cor_row_key_equal(key, *wanted)) ||
            (replay->count > 0 && cor_row_key_equal(key, replay->keys[replay->count - 1])))
            continue;
        COR_TRY(COR_RESERVE(&replay->keys, &replay->capacity, replay->count + 1, error));
        replay->keys[replay->count++] = key;
    }
    return COR_OK;
}

/* The suites of the file, which its first table lists in their order, or the one that is wanted. */
static enum cor_status find_suites(struct replay *replay, const char *key, struct cor_error *error) {
    const struct cor_layer_schema *layer = cor_result_head(replay->result)->layer;
    const uint64_t rows = cor_result_size(replay->result, 0);
    struct cor_row_key wanted = {0};
    enum { BLOCK = 4096 };
    unsigned char *block = cor_calloc(BLOCK, layer->tables[0].row_size);
    enum cor_status status = COR_OK;
    COR_TRY(cor_made(block, error));
    if (key)
        COR_TRY_OUT(read_key(replay, key, &wanted, error));
    for (uint64_t first = 0, count; first < rows; first += count) {
        count = rows - first < BLOCK ? rows - first : BLOCK;
        COR_TRY_OUT(
            cor_result_read_columns(replay->result, 0, COR_ROW_KEY_COLUMNS, first, count, block, error));
        COR_TRY_OUT(add_suites(replay, key ? &wanted : NULL, block, count, error));
    }
    if (key && replay->count == 0)
        status = cor_fail(error, COR_STATUS_INPUT, "--failure", "name one that is in it",
                          "there is no suite %u of \"%s\" in the file", wanted.suite,
                          cor_arm_entry(cor_result_head(replay->result), wanted.arm)->name);
out:
    free(block);
    return status;
}

static enum cor_status execute_all(struct replay *replay, struct cor_error *error) {
    const double begun = cor_wall_seconds();
    enum cor_status status = COR_OK;
    for (size_t i = 0; i < replay->count && status == COR_OK; i++) {
        char line[128], left[64];
        cor_say_left(cor_wall_seconds() - begun, i, replay->count, left, sizeof left);
        snprintf(line, sizeof line, "executing suite %zu of %zu again%s", i + 1, replay->count, left);
        cor_progress_doing(line);
        status = execute(replay, replay->keys[i], error);
    }
    cor_progress_doing(NULL);
    return status;
}

static uint32_t find_table(const struct cor_layer_schema *layer, const char *group) {
    for (uint32_t t = 0; t < layer->table_count; t++)
        if (strcmp(layer->tables[t].group, group) == 0)
            return t;
    return 0;
}

static enum cor_status fill(struct replay *replay, const char *path, const char *key,
                            struct cor_sheets *sheets, struct cor_error *error) {
    const struct cor_layer_schema *layer = cor_result_head(replay->result)->layer;
    const char *first = replay->replayer->first;
    replay->first = find_table(layer, first ? first : layer->main_table + 1);
    COR_TRY(find_suites(replay, key, error));
    COR_TRY(replay->replayer->open(replay->result, path, &replay->self, error));
    COR_TRY(cor_record_create(layer, &replay->record, error));
    struct cor_sheet *whole = cor_sheets_add(sheets, &replay_sheet);
    replay->differences = cor_sheets_add(sheets, &differences_sheet);
    replay->suites = cor_sheets_add(sheets, &suites_sheet);
    COR_TRY(execute_all(replay, error));
    cor_sheet_row(whole);
    cor_sheet_flag(whole, replay->different == 0);
    cor_sheet_tone(whole, replay->different == 0 ? COR_TONE_GOOD : COR_TONE_BAD);
    cor_sheet_count(whole, replay->count);
    cor_sheet_count(whole, replay->different);
    return COR_OK;
}

static enum cor_status replay(const struct cor_arguments *arguments, struct cor_result *result, bool *equal,
                              struct cor_error *error) {
    const bool is_model = cor_result_head(result)->layer == &cor_model_schema;
    struct replay replay = {.replayer = is_model ? &cor_efsm_replayer : &cor_suite_replayer,
                            .result = result};
    struct cor_sheets *sheets = NULL;
    enum cor_status status = COR_OK;
    COR_TRY(cor_sheets_create("corridor-replay", 1, &sheets, error));
    COR_TRY_OUT(fill(&replay, arguments->words[0], cor_argument(arguments, "failure"), sheets, error));
    *equal = replay.different == 0;
    COR_TRY_OUT(cor_show_sheets(arguments, sheets, "suites", error));
out:
    free(replay.keys);
    cor_record_destroy(replay.record);
    replay.replayer->close(replay.self);
    cor_sheets_destroy(sheets);
    return status;
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_result *result;
    bool equal = true;
    const char *doubt;
    if (arguments->word_count != 1)
        return cor_misuse(arguments->command, "needs one result file");
    if (cor_open_result(arguments, arguments->words[0], NULL, &result, &doubt, &error) != COR_OK)
        return cor_report(&error);
    const enum cor_status status = replay(arguments, result, &equal, &error);
    cor_result_close(result);
    if (status != COR_OK)
        return cor_report(&error);
    return equal ? COR_EXIT_DONE : COR_EXIT_EXPECTATION;
}

const struct cor_command cor_command_replay = {
    .name = "replay",
    .summary = "execute what a result file says again, and compare",
    .operands = "RESULTS.h5",
    .manual =
        "Executes the suites of a result file again - of a campaign, the units of an agent, the tests on "
        "line "
        "of a model - and compares every row with the file: equal, or the first difference of each suite "
        "with "
        "table, row and column. The file has the experiment with all that it names; modules and programs are "
        "looked for where it says, from the present folder. If they, or the build, are others than when the "
        "file was made, that is said first. Of a model, simulators and mutants are made again by their "
        "names, "
        "and a program is not started: what it answered then stands in the file. The exit code is 1 if a "
        "suite differs.",
    .options =
        {
            {"failure", 0, "KEY", "only this suite: ARM/SUITE", "all"},
            COR_OPTION_JSON,
            COR_OPTION_CSV,
            COR_OPTION_SHEET,
            COR_OPTION_UNSEALED,
        },
    .examples = {"corridor replay r.h5", "corridor replay build/demo.h5 --failure SPADA-F1/3 --json"},
    .run = run,
};
