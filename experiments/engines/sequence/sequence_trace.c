/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One sequence with eyes open: what the environment did, who changed, what the monitor and the algorithm made
 * of it, and what was seen to be wrong. A sheet, a row a case; for readers its rows as paragraphs. */
#include "replay.h"
#include "trace_text.h"

#include <corridor/array.h>
#include <corridor/state.h>
#include <corridor/suite_reader.h>

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FEW 8 /* chains, agents, blocks that are named */

static const struct cor_column_definition trace_columns[] = {
    {"case", "case", "1", "within the sequence, from 1", COR_CELL_COUNT, 0, 0},
    {"environment", "environment", "", "chains that changed, from a state to a state, the first of them",
     COR_CELL_TEXT, 0, 0},
    {"chains", "chains", "chains", "that changed", COR_CELL_COUNT, 0, 0},
    {"changed", "changed", "agents", "whose value changed", COR_CELL_COUNT, 0, 0},
    {"agents", "agents", "", "the first of them", COR_CELL_TEXT, 0, 0},
    {"dissimilarity", "dissimilarity", "value", "by the monitor, before reorganizing", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0},
    {"threshold", "threshold", "value", "the invariant holds up to it", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"alarm", "alarm", "", "the monitor raised one", COR_CELL_FLAG, 0, 0},
    {"inside", "inside", "", "the oracle's own look, before reorganizing", COR_CELL_WORD, 0, 0},
    {"detect", "detect", "", "R-Detect: does the alarm agree with the oracle?", COR_CELL_WORD, 0, 0},
    {"reorganized", "reorganized", "", "the algorithm ran", COR_CELL_FLAG, 0, 0},
    {"smoke", "smoke", "", "how it ended without a result", COR_CELL_WORD, 0, 0},
    {"blocks", "blocks", "blocks", "of the solution", COR_CELL_COUNT, 0, 0},
    {"sizes", "sizes", "", "of the blocks, the first of them", COR_CELL_TEXT, 0, 0},
    {"partitions_before", "before", "partitions", "of the structure before", COR_CELL_COUNT, 0, 0},
    {"partitions_after", "after", "partitions", "of the structure after adoption", COR_CELL_COUNT, 0, 0},
    {"moved", "moved", "agents", "to another partition, names aside", COR_CELL_COUNT, 0, 0},
    {"own_moves", "own moves", "", "the algorithm distributed the solution itself", COR_CELL_FLAG, 0, 0},
    {"spent", "spent", "units", "of the budget", COR_CELL_COUNT, 0, 0},
    {"rounds", "rounds", "rounds", "of mail", COR_CELL_COUNT, 0, 0},
    {"messages", "messages", "messages", "sent", COR_CELL_COUNT, 0, 0},
    {"messages_lost", "lost", "messages", "lost on their way", COR_CELL_COUNT, 0, 0},
    {"fault_reached", "reached", "times", "the fault's seam was executed", COR_CELL_COUNT, 0, 0},
    {"fault_held", "held", "times", "the fault's condition held there", COR_CELL_COUNT, 0, 0},
    {"fault_activated", "activated", "times", "the fault corrupted something", COR_CELL_COUNT, 0, 0},
    {"gray", "gray", "", "R-Solution: verdict on the solution", COR_CELL_WORD, 0, 0},
    {"black", "black", "", "R-Distribution: verdict on the structure", COR_CELL_WORD, 0, 0},
    {"agreement", "agreement", "", "is the structure the accepted solution?", COR_CELL_WORD, 0, 0},
    {"violations", "violations", "1",
     "of constraints, by all boxes; of interim solutions those that are kept", COR_CELL_COUNT, 0, 0},
    {"violated", "violated", "", "the first of them: box and sentence", COR_CELL_TEXT, 0, 0},
};
static const struct cor_sheet_definition trace_sheet =
    COR_SHEET_OVER(trace_columns, "trace", "Trace", "a test case", COR_SHEET_DATA, 0);

/* Agents whose value changed in a case. */
struct change {
    uint32_t count, first[FEW];
};

struct trace {
    const struct cor_suite *suite;
    struct cor_runner *runner;
    struct cor_record *record; /* owned */
    double *before;            /* owned; [agent] values in the case before */
    struct change *changes;    /* owned; [case - first] */
    size_t capacity;
    uint32_t first, last;                     /* cases that are wanted */
    size_t reorganization, violation;         /* rows of earlier cases */
    const struct cor_reorganization_row *run; /* of the case; NULL: none */
};

/* A list as text: room for FEW items of a name and two states. */
struct few {
    char text[FEW * 256];
    size_t used;
};

static void add(struct few *few, const char *format, ...) COR_PRINTF(2, 3);
static void add(struct few *few, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(few->text + few->used, sizeof few->text - few->used, format, arguments);
    va_end(arguments);
    few->used += size > 0 ? (size_t)size : 0;
    few->used = few->used < sizeof few->text ? few->used : sizeof few->text - 1;
}

static void note_change(const struct trace *trace, const double *values, struct change *change) {
    *change = (struct change){0};
    for (uint32_t a = 0; a < trace->suite->configuration->agent_count; a++)
        if (values[a] < trace->before[a] || values[a] > trace->before[a]) {
            if (change->count < FEW)
                change->first[change->count] = a;
            change->count++;
        }
}

static enum cor_status execute(struct trace *trace, struct cor_error *error) {
    const size_t size = trace->suite->configuration->agent_count * sizeof *trace->before;
    while (!cor_sequence_is_over(trace->runner)) {
        const double *values = cor_sequence_state(trace->runner)->value;
        memcpy(trace->before, values, size);
        COR_TRY(cor_sequence_case(trace->runner, error));
        const uint32_t number = cor_sequence_executed(trace->runner);
        if (number < trace->first || number > trace->last)
            continue;
        COR_TRY(COR_RESERVE(&trace->changes, &trace->capacity, number - trace->first + 1, error));
        note_change(trace, cor_sequence_state(trace->runner)->value, &trace->changes[number - trace->first]);
    }
    return cor_sequence_end(trace->runner, error);
}

static const char *state_name(const struct cor_profile *profile, uint8_t state, char room[16]) {
    if (state < profile->state_count && profile->states && profile->states[state])
        return profile->states[state];
    snprintf(room, 16, "state %u", state);
    return room;
}

/* "weather: sunny -> rain", with the place where the environment has several. */
static void put_environment(const struct trace *trace, uint32_t number, struct cor_sheet *sheet) {
    const struct cor_configuration *c = trace->suite->configuration;
    const struct cor_walk *walk = cor_sequence_walk(trace->runner);
    const uint8_t *from = cor_walk_at(walk, number - 1), *to = cor_walk_at(walk, number);
    struct few few = {.text = ""};
    uint32_t changed = 0;
    for (uint32_t chain = 0; chain < c->chain_count; chain++) {
        const uint32_t profile_index = c->profile_of_chain[chain];
        const struct cor_profile *profile = trace->suite->profiles[profile_index];
        const struct cor_environment *environment =
            &trace->suite->experiment->model
                 ->environments[trace->suite->environment_of_profile[profile_index]];
        char room[2][16];
        if (from[chain] == to[chain] || changed++ >= FEW)
            continue;
        add(&few, "%s%.60s at %" PRIu32 ": %.60s -> %.60s", changed > 1 ? ", " : "", environment->name,
            c->location_of_chain[chain], state_name(profile, from[chain], room[0]),
            state_name(profile, to[chain], room[1]));
    }
    if (changed > FEW)
        add(&few, ", and %" PRIu32 " more", changed - FEW);
    cor_sheet_text(sheet, "%s", few.text);
    cor_sheet_count(sheet, changed);
}

static void put_agents(const struct change *change, struct cor_sheet *sheet) {
    struct few few = {.text = ""};
    for (uint32_t i = 0; i < change->count && i < FEW; i++)
        add(&few, "%s%" PRIu32, i > 0 ? ", " : "", change->first[i]);
    if (change->count > FEW)
        add(&few, ", and %" PRIu32 " more", change->count - FEW);
    cor_sheet_count(sheet, change->count);
    cor_sheet_text(sheet, "%s", few.text);
}

static void put_code(enum cor_family family, uint8_t code, struct cor_sheet *sheet) {
    if (code == 0)
        cor_sheet_nothing(sheet);
    else
        cor_sheet_word(sheet, cor_term_word(family, code));
}

/* The solution of the case, which is kept of every reorganization. */
static void put_solution(struct trace *trace, uint32_t number, struct cor_sheet *sheet) {
    const uint32_t *sizes = cor_record_items(trace->record, COR_VECTOR_SOLUTION_BLOCK_SIZE, NULL);
    struct few few = {.text = ""};
    for (size_t i = 0; i < cor_record_size(trace->record, COR_TABLE_FAILURES); i++) {
        const struct cor_failure_row *row = cor_record_at(trace->record, COR_TABLE_FAILURES, i);
        if (row->case_ != number)
            continue;
        for (uint32_t b = 0; b < row->blocks && b < 2 * FEW; b++)
            add(&few, "%s%" PRIu32, b > 0 ? " " : "", sizes[row->block_start + b]);
        if (row->blocks > 2 * FEW)
            add(&few, " ..");
        cor_sheet_count(sheet, row->blocks);
        cor_sheet_text(sheet, "%s", few.text);
        return;
    }
    cor_sheet_nothing(sheet);
    cor_sheet_nothing(sheet);
}

/* Cells of a case without a reorganization stay empty. */
static void put_reorganization(struct trace *trace, uint32_t number, struct cor_sheet *sheet) {
    const struct cor_reorganization_row *row = NULL;
    if (trace->reorganization < cor_record_size(trace->record, COR_TABLE_REORGANIZATIONS))
        row = cor_record_at(trace->record, COR_TABLE_REORGANIZATIONS, trace->reorganization);
    trace->run = row && row->case_ == number ? row : NULL;
    if (!trace->run) {
        cor_sheet_flag(sheet, false);
        for (int cells = 17; cells > 0; cells--)
            cor_sheet_nothing(sheet);
        return;
    }
    trace->reorganization++;
    cor_sheet_flag(sheet, true);
    put_code(COR_FAMILY_SMOKE, row->smoke > COR_SMOKE_NONE ? row->smoke : 0, sheet);
    put_solution(trace, number, sheet);
    cor_sheet_counts(sheet, 3, (const uint64_t[]){row->partitions_before, row->partitions_after, row->moved});
    cor_sheet_flag(sheet, row->own_moves != 0);
    cor_sheet_counts(sheet, 7,
                     (const uint64_t[]){row->spent, row->rounds, row->messages, row->messages_lost,
                                        row->fault_reached, row->fault_held, row->fault_activated});
    put_code(COR_FAMILY_VERDICT, row->gray, sheet);
    put_code(COR_FAMILY_VERDICT, row->black, sheet);
    put_code(COR_FAMILY_VERDICT, row->agreement, sheet);
}

static void put_violations(struct trace *trace, uint32_t number, struct cor_sheet *sheet) {
    const size_t all = cor_record_size(trace->record, COR_TABLE_VIOLATIONS), first = trace->violation;
    uint64_t count = trace->run ? cor_counted_violations(trace->run) : 0;
    char sentence[COR_SENTENCE];
    while (trace->violation < all) {
        const struct cor_violation_row *row =
            cor_record_at(trace->record, COR_TABLE_VIOLATIONS, trace->violation);
        if (row->case_ != number)
            break;
        count += !cor_is_counted(row);
        trace->violation++;
    }
    cor_sheet_count(sheet, count);
    if (trace->violation == first) {
        cor_sheet_nothing(sheet);
        return;
    }
    const struct cor_violation_row *row = cor_record_at(trace->record, COR_TABLE_VIOLATIONS, first);
    cor_violation_sentence(row, sentence);
    cor_sheet_text(sheet, "%s: %s", cor_term_word(COR_FAMILY_BOX, row->box), sentence);
}

static void put_case(struct trace *trace, const struct cor_case_row *row, struct cor_sheet *sheet) {
    cor_sheet_row(sheet);
    cor_sheet_count(sheet, row->case_);
    put_environment(trace, row->case_, sheet);
    put_agents(&trace->changes[row->case_ - trace->first], sheet);
    cor_sheet_real(sheet, (double)row->dissimilarity);
    cor_sheet_real(sheet, trace->suite->configuration->threshold);
    cor_sheet_flag(sheet, row->alarm != 0);
    put_code(COR_FAMILY_INSIDE, row->inside, sheet);
    put_code(COR_FAMILY_VERDICT, row->detect, sheet);
    put_reorganization(trace, row->case_, sheet);
    put_violations(trace, row->case_, sheet);
}

/* Passes over the rows of cases before the first that is wanted. */
static void skip_rows(struct trace *trace) {
    const size_t runs = cor_record_size(trace->record, COR_TABLE_REORGANIZATIONS),
                 violations = cor_record_size(trace->record, COR_TABLE_VIOLATIONS);
    while (trace->reorganization < runs &&
           ((struct cor_reorganization_row *)cor_record_at(trace->record, COR_TABLE_REORGANIZATIONS,
                                                           trace->reorganization))
                   ->case_ < trace->first)
        trace->reorganization++;
    while (trace->violation < violations &&
           ((struct cor_violation_row *)cor_record_at(trace->record, COR_TABLE_VIOLATIONS, trace->violation))
                   ->case_ < trace->first)
        trace->violation++;
}

static void put_all(struct trace *trace, const struct cor_result_header *head,
                    const struct cor_failing *which, struct cor_sheets *sheets) {
    struct cor_sheet *sheet = cor_sheets_add(sheets, &trace_sheet);
    char *key = cor_failure_key_text(head, &which->key);
    if (!key)
        cor_sheets_fail(sheets);
    else
        cor_sheet_title(sheet, "Trace of %s", key);
    free(key);
    skip_rows(trace);
    for (size_t i = 0; i < cor_record_size(trace->record, COR_TABLE_CASES); i++) {
        const struct cor_case_row *row = cor_record_at(trace->record, COR_TABLE_CASES, i);
        if (row->case_ >= trace->first && row->case_ <= trace->last)
            put_case(trace, row, sheet);
    }
    cor__draw_trace(sheets, sheet);
}

static enum cor_status follow(struct trace *trace, struct cor_alone *alone,
                              const struct cor_result_header *head, const struct cor_failing *which,
                              struct cor_sheets *sheets, struct cor_error *error) {
    struct cor_branch branch;
    struct cor_alone_definition definition = cor_alone_of(head, which, &branch);
    definition.log_solutions = true;
    COR_TRY(cor_record_create(&cor_interaction_schema, &trace->record, error));
    COR_TRY(cor_alone_begin(alone, &definition, trace->record, &trace->runner, error));
    trace->suite = cor_alone_suite(alone);
    trace->before = cor_calloc(trace->suite->configuration->agent_count, sizeof *trace->before);
    COR_TRY(cor_made(trace->before, error));
    COR_TRY(execute(trace, error));
    put_all(trace, head, which, sheets);
    return COR_OK;
}

enum cor_status cor_trace_sequence(struct cor_alone *alone, const struct cor_result_header *head,
                                   const struct cor_failing *which, uint32_t window,
                                   struct cor_sheets *sheets, struct cor_error *error) {
    const uint32_t aim = which->key.case_ > 0 ? which->key.case_ : which->executed;
    struct trace trace = {.first = window > 0 && aim > window ? aim - window : 1,
                          .last = window > 0 ? aim : UINT32_MAX};
    const enum cor_status status = follow(&trace, alone, head, which, sheets, error);
    cor_record_destroy(trace.record);
    free(trace.before);
    free(trace.changes);
    return status;
}
