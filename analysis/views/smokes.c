/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What led to reorganizations without a result: how processes ended, where, and in which words. */
#include "views.h"

#include <corridor/array.h>
#include <corridor/layer_tables.h>
#include <corridor/schema.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_SHOWN 256

#define SMOKE(member) COR_CELL_OF(struct cor_smoke_row, member)
static const struct cor_column_definition smokes_columns[] = {
    {"arm", "", "", "name of the arm: algorithm, fault and preset", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"smoke", "smoke", "", "how it failed without a result",
     COR_TERM_OF(struct cor_smoke_row, smoke, COR_FAMILY_SMOKE)},
    {"times", "times", "1", "reorganizations that ended so, at the same place", COR_CELL_COUNT, 0, 0},
    {"first", "first", "", "suite/sequence/case of the first", COR_CELL_TEXT, 0, 0},
    {"suite", "", "1", "suite of the first", SMOKE(suite), 0, COR_COLUMN_DATA},
    {"sequence", "", "1", "sequence of the first", SMOKE(sequence), 0, COR_COLUMN_DATA},
    {"case", "", "1", "test case of the first", SMOKE(case_), 0, COR_COLUMN_DATA},
    {"late", "", "", "noticed when the reorganization was over, whose verdict stands",
     COR_FLAG_OF(struct cor_smoke_row, late), 0, COR_COLUMN_DATA},
    {"signal", "", "1", "signal that ended the process; 0: none", SMOKE(signal), 0, COR_COLUMN_DATA},
    {"exit_code", "", "1", "exit code of the process, where it exited", SMOKE(exit_code), 0, COR_COLUMN_DATA},
    {"place", "place", "",
     "where in the module the signal was raised, for addr2line -e MODULE; nothing: not known", COR_CELL_TEXT,
     0, 0},
    {"words", "in words", "", "what led to the first: its own words, or those of the cell", COR_CELL_TEXT, 0,
     0},
};
const struct cor_sheet_definition views__smokes_sheet =
    COR_SHEET_OVER(smokes_columns, "smokes", "Reorganizations without a result",
                   "reorganizations of an arm that ended in the same way, at the same place", 0, 0);

struct classes {
    struct class {
        struct cor_smoke_row first;
        uint64_t times;
    } * of; /* owned */
    size_t count, capacity;
};

static enum cor_status count_row(struct classes *classes, const struct cor_smoke_row *row,
                                 struct cor_error *error) {
    for (size_t i = 0; i < classes->count; i++) {
        const struct cor_smoke_row *one = &classes->of[i].first;
        const bool is_alike = one->arm == row->arm && one->smoke == row->smoke && one->late == row->late &&
                              one->signal == row->signal && one->exit_code == row->exit_code &&
                              one->place == row->place;
        if (is_alike) {
            classes->of[i].times++;
            return COR_OK;
        }
    }
    COR_TRY(COR_RESERVE(&classes->of, &classes->capacity, classes->count + 1, error));
    classes->of[classes->count++] = (struct class){*row, 1};
    return COR_OK;
}

enum cor_status views__smoke_words(struct cor_result *result, const struct cor_smoke_row *row, char *words,
                                   size_t size, struct cor_error *error) {
    uint64_t items = cor_result_vector_size(result, COR_VECTOR_WORDS);
    size_t count = row->words < size ? row->words : size - 1;
    words[0] = '\0';
    if (row->words_start > items || count > items - row->words_start)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "take another copy",
                        "a row of smokes names words that the file does not have");
    COR_TRY(cor_result_read_vector(result, COR_VECTOR_WORDS, row->words_start, count, words, error));
    words[count] = '\0';
    return COR_OK;
}

enum cor_status views__put_smokes(struct cor_result *result, struct cor_sheets *sheets,
                                  struct cor_error *error) {
    struct classes classes = {0};
    struct cor_layer_tables tables;
    enum cor_status status = COR_OK;
    if (cor_result_size(result, COR_TABLE_SMOKES) == 0)
        return COR_OK;
    struct cor_sheet *sheet = cor_sheets_add(sheets, &views__smokes_sheet);
    COR_TRY(cor_layer_tables_init(result, UINT64_C(1) << COR_TABLE_SMOKES, 0, &tables, error));
    for (uint64_t i = 0; i < tables.count[COR_TABLE_SMOKES]; i++)
        COR_TRY_OUT(count_row(&classes, cor_layer_row(&tables, COR_TABLE_SMOKES, i), error));
    for (size_t i = 0; i < classes.count; i++) {
        const struct cor_smoke_row *row = &classes.of[i].first;
        char words[WORDS_SHOWN];
        COR_TRY_OUT(views__smoke_words(result, row, words, sizeof words, error));
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, cor_result_name(result, COR_CATALOG_ARM, row->arm));
        COR_SHEET_PUT(sheet, struct cor_smoke_row, row);
        cor_sheet_count(sheet, classes.of[i].times);
        cor_sheet_text(sheet, "%" PRIu32 "/%u/%" PRIu32, row->suite, row->sequence, row->case_);
        COR_SHEET_PUT(sheet, struct cor_smoke_row, row);
        if (row->place > 0)
            cor_sheet_text(sheet, "0x%" PRIx64, row->place);
        else
            cor_sheet_text(sheet, "%s", "");
        cor_sheet_text(sheet, "%s", words);
    }
    cor_sheet_remark(sheet, "all of them, each in words: corridor export FILE --table smokes");
out:
    cor_layer_tables_fini(&tables);
    free(classes.of);
    return status;
}
