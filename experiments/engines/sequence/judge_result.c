/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * judge on a result file: its sequences are executed again, and a corridor looks on. What the file does not
 * repeat is no state of it, and ends the judging. */
#include "output.h"
#include "replay.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/run.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was seen of a constraint, or of the kind, in an arm: in the states that cases left behind (of what is
 * said of time, over sequences), and in the initial structures of suites. */
struct found {
    struct seen {
        uint64_t violated, unknown;
        char first[64]; /* the key of the first of them; "" if there is none */
        char sentence[1024];
    } after, initial;
};

struct judging {
    const char *path; /* of the corridor */
    struct cor_result *result;
    const struct cor_replayer *replayer;
    void *self;
    struct cor_record *record;
    struct cor_onlooker *onlooker;   /* made with the first sequence */
    struct cor_sequence_row *rows;   /* owned; all sequences of the file */
    struct cor_branch_row *branches; /* owned */
    size_t row_count, branch_count;
    uint32_t arm_count, width; /* width: constraints, and the kind behind them */
    struct found *found;       /* owned; [arm][constraint], the kind behind them */
    uint64_t *states, *initial, *sequences, *alarms, *back, *late; /* owned; [arm] */
    uint32_t *latest;                                              /* owned; [arm] cases */
    bool is_violated, is_unknown;
};

static const struct cor_column_definition judged_columns[] = {
    {"states", "states", "states", "that cases left behind", COR_CELL_COUNT, 0, 0},
    {"initial", "initial", "structures", "initial ones, of suites", COR_CELL_COUNT, 0, 0},
    {"sequences", "sequences", "sequences", "executed again", COR_CELL_COUNT, 0, 0},
    {"violated", "violated", "", "whether something is", COR_CELL_FLAG, 0, 0},
    {"unknown", "unknown", "", "whether something is", COR_CELL_FLAG, 0, 0}};
COR_SHEET_DEFINITION(judged, "judged", "Judged by a corridor", "the whole file", COR_SHEET_RECORD, 0);

static const struct cor_column_definition constraints_columns[] = {
    {"arm", "arm", "", "arm of the file", COR_CELL_WORD, 0, 0},
    {"constraint", "constraint", "", "of the corridor; first the kind of structure", COR_CELL_WORD, 0, 0},
    {"of_time", "of time", "", "its verdict is one of a sequence", COR_CELL_FLAG, 0, 0},
    {"judged", "judged", "1", "states that cases left behind, or sequences", COR_CELL_COUNT, 0, 0},
    {"violated", "violated", "1", "of them", COR_CELL_COUNT, 0, 0},
    {"unknown", "unknown", "1", "of them", COR_CELL_COUNT, 0, 0},
    {"initial", "initial", "1", "initial structures judged: by invariants", COR_CELL_COUNT, 0, 0},
    {"initial_violated", "violated", "1", "of them", COR_CELL_COUNT, 0, 0},
    {"initial_unknown", "unknown", "1", "of them", COR_CELL_COUNT, 0, 0},
    {"first", "first not", "", "suite/sequence/case; case 0: initial, if no other", COR_CELL_TEXT, 0, 0},
    {"why", "why", "", "of the first", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(constraints, "constraints", "Constraints", "a constraint in an arm", 0, 40);

static const struct cor_column_definition returns_columns[] = {
    {"arm", "arm", "", "arm of the file", COR_CELL_WORD, 0, 0},
    {"alarms", "alarms", "alarms", "that did not come while another was open", COR_CELL_COUNT, 0, 0},
    {"back", "back", "alarms", "after which the system was inside again", COR_CELL_COUNT, 0, 0},
    {"mean_cases", "mean", "cases", "until then", COR_CELL_REAL, 2, 0},
    {"latest_cases", "latest", "cases", "until then", COR_CELL_COUNT, 0, 0}};
COR_SHEET_DEFINITION(returns, "returns", "Back inside after alarms", "an arm", 0, 40);

static struct found *found_of(const struct judging *j, uint32_t arm, uint32_t constraint) {
    return &j->found[(size_t)arm * j->width + constraint];
}

static void note(struct judging *j, struct seen *seen, bool violated, const char *key, const char *sentence,
                 size_t length) {
    seen->violated += violated;
    seen->unknown += !violated;
    j->is_violated = j->is_violated || violated;
    j->is_unknown = j->is_unknown || !violated;
    if (seen->first[0])
        return;
    snprintf(seen->first, sizeof seen->first, "%s", key);
    snprintf(seen->sentence, sizeof seen->sentence, "%.*s", (int)(length < 1000 ? length : 1000), sentence);
}

/* What the onlooker saw of a sequence. */
static void take(struct judging *j, const struct cor_sequence_row *of) {
    const struct cor_onlooker_seen *seen = cor_onlooker_seen(j->onlooker);
    size_t size;
    const char *sentences = cor_record_items(seen->record, COR_VECTOR_SENTENCES, &size);
    char key[64];
    j->states[of->arm] += seen->states;
    j->initial[of->arm] += of->sequence == 0; /* the initial structure is the suite's */
    j->sequences[of->arm]++;
    for (uint32_t i = 0; i < seen->off_kind; i++) {
        char text[400];
        cor_violation_text(&seen->kind_first, text, sizeof text);
        snprintf(key, sizeof key, "%" PRIu32 "/%u/%" PRIu32, of->suite, of->sequence, seen->kind_case);
        note(j, &found_of(j, of->arm, j->width - 1)->after, true, key, text, strlen(text));
    }
    for (size_t i = 0; i < cor_record_size(seen->record, COR_TABLE_CONSTRAINTS); i++) {
        const struct cor_constraint_row *row = cor_record_at(seen->record, COR_TABLE_CONSTRAINTS, i);
        struct found *found = found_of(j, of->arm, row->constraint);
        if (row->case_ == 0 && of->sequence > 0)
            continue; /* seen in the first sequence */
        snprintf(key, sizeof key, "%" PRIu32 "/%u/%" PRIu32, of->suite, of->sequence, row->case_);
        note(j, row->case_ == 0 ? &found->initial : &found->after, row->verdict == COR_VERDICT_FAILED, key,
             row->sentence > 0 ? sentences + row->sentence_start : "", row->sentence);
    }
    for (size_t i = 0; i < cor_record_size(seen->record, COR_TABLE_FORMULAS); i++) {
        const struct cor_formula_row *row = cor_record_at(seen->record, COR_TABLE_FORMULAS, i);
        const char *says = cor_onlooker_says(j->onlooker, row->constraint);
        snprintf(key, sizeof key, "%" PRIu32 "/%u/%" PRIu32, of->suite, of->sequence,
                 row->decided > 0 ? row->decided : of->executed);
        if (row->verdict != COR_VERDICT_PASSED)
            note(j, &found_of(j, of->arm, row->constraint)->after, row->verdict == COR_VERDICT_FAILED, key,
                 says, strlen(says));
    }
    for (size_t i = 0; i < cor_record_size(seen->record, COR_TABLE_RETURNS); i++) {
        const struct cor_return_row *row = cor_record_at(seen->record, COR_TABLE_RETURNS, i);
        const uint32_t late = row->back > 0 ? row->back - row->case_ : 0;
        j->alarms[of->arm]++;
        j->back[of->arm] += row->back > 0;
        j->late[of->arm] += late;
        j->latest[of->arm] = late > j->latest[of->arm] ? late : j->latest[of->arm];
    }
}

static enum cor_status judge_sequence(struct judging *j, struct cor_alone *alone,
                                      const struct cor_sequence_row *row, struct cor_error *error) {
    struct cor_branch branch = {0};
    struct cor_alone_definition definition = {
        .arm = row->arm, .suite = row->suite, .sequence = row->sequence};
    for (size_t b = 0; b < j->branch_count && !definition.branch; b++)
        if (j->branches[b].arm == row->arm && j->branches[b].suite == row->suite &&
            j->branches[b].sequence == row->sequence) {
            branch = (struct cor_branch){j->branches[b].parent, j->branches[b].prefix};
            definition.branch = &branch;
        }
    struct cor_runner *runner;
    COR_TRY(cor_alone_begin(alone, &definition, j->record, &runner, error));
    if (!j->onlooker) {
        COR_TRY(cor_onlooker_create(j->path, cor_alone_suite(alone)->experiment, &j->onlooker, error));
        j->width = cor_onlooker_count(j->onlooker) + 1;
        j->found = cor_calloc((size_t)j->arm_count * j->width, sizeof *j->found);
        COR_TRY(cor_made(j->found, error));
    }
    COR_TRY(cor_onlooker_begin(j->onlooker, runner, error));
    while (!cor_sequence_is_over(runner)) {
        COR_TRY(cor_sequence_case(runner, error));
        COR_TRY(cor_onlooker_case(j->onlooker, runner, error));
    }
    COR_TRY(cor_sequence_end(runner, error));
    COR_TRY(cor_onlooker_end(j->onlooker, error));
    const struct cor_sequence_row *again = cor_record_at(j->record, COR_TABLE_SEQUENCES, 0);
    if (again->executed != row->executed || again->state_hash != row->state_hash)
        return cor_fail(error, COR_STATUS_INPUT, NULL,
                        "corridor replay says what differs; judge it where it was made",
                        "arm %u, suite %" PRIu32 ", sequence %u does not come out as the file has it",
                        row->arm, row->suite, row->sequence);
    take(j, row);
    return COR_OK;
}

static enum cor_status judge_file(struct judging *j, const char *path, bool trust, struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(j->result);
    struct cor_alone *alone;
    if (head->layer != &cor_interaction_schema)
        return cor_fail(error, COR_STATUS_INPUT, path, "name the result of an experiment with algorithms",
                        "holds no structures: it is of another layer");
    j->arm_count = (uint32_t)head->catalog_size[COR_CATALOG_ARM];
    j->states = cor_calloc(j->arm_count, sizeof *j->states);
    j->initial = cor_calloc(j->arm_count, sizeof *j->initial);
    j->sequences = cor_calloc(j->arm_count, sizeof *j->sequences);
    j->alarms = cor_calloc(j->arm_count, sizeof *j->alarms);
    j->back = cor_calloc(j->arm_count, sizeof *j->back);
    j->late = cor_calloc(j->arm_count, sizeof *j->late);
    j->latest = cor_calloc(j->arm_count, sizeof *j->latest);
    if (!j->states || !j->initial || !j->sequences || !j->alarms || !j->back || !j->late || !j->latest)
        return cor_fail_memory(error);
    j->row_count = (size_t)cor_result_size(j->result, COR_TABLE_SEQUENCES);
    j->branch_count = (size_t)cor_result_size(j->result, COR_TABLE_BRANCHES);
    j->rows = cor_calloc(j->row_count, sizeof *j->rows);
    j->branches = cor_calloc(j->branch_count, sizeof *j->branches);
    if (!j->rows || !j->branches)
        return cor_fail_memory(error);
    if (j->row_count > 0)
        COR_TRY(cor_result_read(j->result, COR_TABLE_SEQUENCES, 0, j->row_count, j->rows, error));
    if (j->branch_count > 0)
        COR_TRY(cor_result_read(j->result, COR_TABLE_BRANCHES, 0, j->branch_count, j->branches, error));
    if (j->row_count == 0)
        return cor_fail(error, COR_STATUS_INPUT, path, NULL, "has no sequences to be judged");
    COR_TRY(j->replayer->open(j->result, path, trust, COR_ISOLATION_UNTRUSTED, NULL, &j->self, error));
    COR_TRY(j->replayer->alone(j->self, &alone, error));
    COR_TRY(cor_record_create(&cor_interaction_schema, &j->record, error));
    for (size_t r = 0; r < j->row_count; r++) {
        const enum cor_status status = judge_sequence(j, alone, &j->rows[r], error);
        if (status != COR_OK) {
            cor_show_path(path, error);
            return status;
        }
    }
    return COR_OK;
}

static void put_constraint(const struct judging *j, uint32_t arm, uint32_t c, struct cor_sheet *sheet) {
    const struct found *found = found_of(j, arm, c);
    const bool is_kind = c + 1 == j->width, is_of_time = !is_kind && cor_onlooker_is_of_time(j->onlooker, c);
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, cor_result_name(j->result, COR_CATALOG_ARM, (uint16_t)arm));
    cor_sheet_word(sheet, is_kind ? cor_onlooker_kind(j->onlooker) : cor_onlooker_name(j->onlooker, c));
    cor_sheet_flag(sheet, is_of_time);
    cor_sheet_count(sheet, is_of_time ? j->sequences[arm] : j->states[arm]);
    cor_sheet_count(sheet, found->after.violated);
    cor_sheet_count(sheet, found->after.unknown);
    if (!is_kind && cor_onlooker_judges_initial(j->onlooker, c)) {
        cor_sheet_count(sheet, j->initial[arm]);
        cor_sheet_count(sheet, found->initial.violated);
        cor_sheet_count(sheet, found->initial.unknown);
    } else
        for (int i = 0; i < 3; i++)
            cor_sheet_nothing(sheet);
    const struct seen *first = found->after.first[0] ? &found->after : &found->initial;
    if (!first->first[0]) {
        cor_sheet_nothing(sheet);
        cor_sheet_nothing(sheet);
        return;
    }
    cor_sheet_text(sheet, "%s", first->first);
    cor_sheet_text(sheet, "%s", first->sentence);
}

static enum cor_status print(const struct judging *j, bool json, struct cor_error *error) {
    struct cor_sheets *sheets = NULL;
    COR_TRY(cor_sheets_create("corridor-judge-result", 1, &sheets, error));
    struct cor_sheet *whole = cor_sheets_add(sheets, &judged), *each = cor_sheets_add(sheets, &constraints),
                     *back = cor_sheets_add(sheets, &returns);
    uint64_t states = 0, initial = 0;
    for (uint32_t arm = 0; arm < j->arm_count; arm++) {
        states += j->states[arm];
        initial += j->initial[arm];
        put_constraint(j, arm, j->width - 1, each);
        for (uint32_t c = 0; c + 1 < j->width; c++)
            put_constraint(j, arm, c, each);
        cor_sheet_row(back);
        cor_sheet_word(back, cor_result_name(j->result, COR_CATALOG_ARM, (uint16_t)arm));
        cor_sheet_count(back, j->alarms[arm]);
        cor_sheet_count(back, j->back[arm]);
        if (j->back[arm] > 0) {
            cor_sheet_real(back, (double)j->late[arm] / (double)j->back[arm]);
            cor_sheet_count(back, j->latest[arm]);
        } else {
            cor_sheet_nothing(back);
            cor_sheet_nothing(back);
        }
    }
    cor_sheet_row(whole);
    cor_sheet_count(whole, states);
    cor_sheet_count(whole, initial);
    cor_sheet_count(whole, j->row_count);
    cor_sheet_flag(whole, j->is_violated);
    cor_sheet_flag(whole, j->is_unknown);
    cor_sheet_remark(
        each, "states are those that cases leave behind; apart from them invariants are judged of the "
              "initial structure of each suite, which no algorithm made; what is said of time is judged "
              "over the cases of each sequence");
    const struct cor_style style = cor_show_style();
    const enum cor_status status =
        json ? cor_sheets_json(sheets, stdout, error) : cor_sheets_text(sheets, &style, stdout, error);
    cor_sheets_destroy(sheets);
    return status;
}

enum cor_exit cor_judge_result(const struct cor_command *command, const char *corridor, const char *path,
                               const struct cor_judge_options *options) {
    struct cor_error error = COR_NO_ERROR;
    struct judging j = {.path = corridor, .replayer = &cor_suite_replayer};
    const char *doubt;
    enum cor_status status = cor_open_result(command, false, path, NULL, &j.result, &doubt, &error);
    if (status == COR_OK)
        status = judge_file(&j, path, options->trust, &error);
    if (status == COR_OK)
        status = print(&j, options->json, &error);
    enum cor_exit exit = COR_EXIT_DONE;
    if (status != COR_OK)
        exit = cor_report(&error);
    else if (j.is_violated && !options->no_fail)
        exit = COR_EXIT_EXPECTATION;
    else if (j.is_unknown || j.row_count == 0) /* nothing was judged */
        exit = COR_EXIT_UNDECIDED;
    cor_onlooker_destroy(j.onlooker);
    j.replayer->close(j.self);
    cor_record_destroy(j.record);
    cor_result_close(j.result);
    void *const all[] = {j.rows,      j.branches, j.found, j.states, j.initial,
                         j.sequences, j.alarms,   j.back,  j.late,   j.latest};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    return exit;
}
