/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "suite.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Takes one row of the present suite. */
typedef enum cor_status take_row(struct cor__suite_reader *reader, const void *row, struct cor_error *error);

static bool detected(uint8_t verdict) {
    return verdict == COR_VERDICT_FAILED || verdict == COR_VERDICT_SMOKE;
}

/* Sequence `number` of the present suite. */
static enum cor_status find(struct cor__suite_reader *reader, enum cor_table table, uint16_t number,
                            struct cor__sequence **sequence, struct cor_error *error) {
    const struct cor_suite_row *suite = &reader->suite;
    if (number >= suite->sequences)
        return cor__damaged(error, table,
                            "arm %u, suite %" PRIu32 " has %" PRIu32 " sequences, found number %u",
                            suite->arm, suite->suite, suite->sequences, number);
    *sequence = &reader->sequence[number];
    return COR_OK;
}

static enum cor_status take_profile(struct cor__suite_reader *reader, const void *row,
                                    struct cor_error *error) {
    return cor__environment_put_profile(&reader->environment, row, error);
}

static enum cor_status take_transition(struct cor__suite_reader *reader, const void *row,
                                       struct cor_error *error) {
    reader->transitions += ((const struct cor_transition_row *)row)->count;
    return cor__environment_put_transition(&reader->environment, row, error);
}

static enum cor_status take_chain(struct cor__suite_reader *reader, const void *row,
                                  struct cor_error *error) {
    return cor__environment_put_chain(&reader->environment, row, error);
}

static enum cor_status take_visit(struct cor__suite_reader *reader, const void *row,
                                  struct cor_error *error) {
    (void)error;
    reader->visits += ((const struct cor_visit_row *)row)->count;
    return COR_OK;
}

static enum cor_status take_branch(struct cor__suite_reader *reader, const void *any,
                                   struct cor_error *error) {
    const struct cor_branch_row *row = any;
    struct cor__sequence *sequence = NULL;
    enum cor_status status = find(reader, COR_TABLE_BRANCHES, row->sequence, &sequence, error);
    if (status == COR_OK)
        sequence->is_continued = true;
    return status;
}

static enum cor_status take_sequence(struct cor__suite_reader *reader, const void *any,
                                     struct cor_error *error) {
    const struct cor_sequence_row *row = any;
    struct cor__sequence *sequence = NULL;
    enum cor_status status = find(reader, COR_TABLE_SEQUENCES, row->sequence, &sequence, error);
    if (status != COR_OK)
        return status;
    if (sequence->there)
        return cor__damaged(error, COR_TABLE_SEQUENCES, "arm %u, suite %" PRIu32 ": sequence %u occurs twice",
                            row->arm, row->suite, row->sequence);
    sequence->there = true;
    sequence->cases = row->cases;
    sequence->executed = row->executed;
    return cor__environment_cover(&reader->environment, row, &sequence->coverage, error);
}

/* Summed over the rows of a sequence this tells two lists of verdicts apart, in whatever order they lie. */
static uint64_t print_of(uint32_t number, uint8_t gray, uint8_t black) {
    return cor_hash_word(COR_HASH_SEED, (uint64_t)number << 16 | (uint64_t)gray << 8 | black);
}

static enum cor_status take_case(struct cor__suite_reader *reader, const void *any, struct cor_error *error) {
    const struct cor_case_row *row = any;
    struct cor_catch *caught = &reader->arm->caught;
    struct cor__sequence *sequence = NULL;
    enum cor_status status = find(reader, COR_TABLE_CASES, row->sequence, &sequence, error);
    if (status != COR_OK)
        return status;
    sequence->case_rows++;
    if (row->reorganized)
        sequence->case_print += print_of(row->case_, row->gray, row->black);
    if (sequence->is_continued)
        return COR_OK;
    caught->alarms += row->alarm != 0;
    if (row->detect == COR_VERDICT_PASSED || row->detect == COR_VERDICT_FAILED)
        caught->detect_judged++;
    if (row->detect == COR_VERDICT_FAILED)
        *(row->alarm ? &caught->alarms_false : &caught->alarms_missed) += 1;
    return COR_OK;
}

/* Through injection: the fault's way into the solution. */
static void count_fault(struct cor_catch *caught, const struct cor_reorganization_row *row, bool gray,
                        bool black) {
    bool activated = row->fault_activated > 0;
    caught->reached += row->fault_reached > 0;
    caught->held += row->fault_held > 0;
    caught->activated += activated;
    caught->reached_times += row->fault_reached;
    caught->held_times += row->fault_held;
    caught->activated_times += row->fault_activated;
    caught->in_result += row->fault_in_result;
    caught->in_result_passed += row->fault_in_result && row->gray == COR_VERDICT_PASSED;
    caught->activated_gray += activated && gray;
    caught->activated_black += activated && black;
    caught->masked += activated && !gray && !black;
    caught->gray_unprovoked += gray && !activated;
    caught->black_unprovoked += black && !activated;
}

/* Through detection: the verdicts, and how the run ended. */
static void count_verdicts(struct cor_catch *caught, const struct cor_reorganization_row *row, bool gray,
                           bool black) {
    bool by_adoption = black && !gray && row->adoption_fault > 0;
    bool by_own_moves = black && !gray && !by_adoption && row->own_moves;
    caught->reorganizations++;
    caught->gray += gray;
    caught->black += black;
    caught->black_only += black && !gray;
    caught->black_only_adoption += by_adoption;
    caught->black_only_own_moves += by_own_moves;
    caught->activated_black_only_aside += (by_adoption || by_own_moves) && row->fault_activated > 0;
    caught->adoption_faults += row->adoption_fault > 0;
    caught->agreement_judged += row->agreement == COR_VERDICT_PASSED || row->agreement == COR_VERDICT_FAILED;
    caught->agreement_failed += row->agreement == COR_VERDICT_FAILED;
    caught->inside_after += row->inside_after == COR_INSIDE_INSIDE;
    caught->outside_after += row->inside_after == COR_INSIDE_OUTSIDE;
    caught->smoke[row->smoke < COR_ENDING_CODES ? row->smoke : 0]++;
    caught->stop[row->stop < COR_ENDING_CODES ? row->stop : 0]++;
}

/* A failure (A4) and which boxes saw it. */
static void put_failure(struct cor__moments *moments, bool gray, bool black) {
    cor__moments_put(&moments[COR_METRIC_UNDETECTED], gray || black ? 0 : 100);
    cor__moments_put(&moments[COR_METRIC_DETECTED_GRAY], gray ? 100 : 0);
    cor__moments_put(&moments[COR_METRIC_DETECTED_BLACK], black ? 100 : 0);
    cor__moments_put(&moments[COR_METRIC_GRAY_NOT_BLACK], gray && !black ? 100 : 0);
}

static uint32_t earlier(uint32_t first, uint32_t number) {
    return first == 0 || number < first ? number : first;
}

static void note_detections(struct cor__sequence *sequence, uint32_t number, bool gray, bool black) {
    sequence->gray += gray;
    sequence->black += black;
    sequence->both += gray && black;
    if (gray)
        sequence->first_gray = earlier(sequence->first_gray, number);
    if (black) {
        sequence->first_black = earlier(sequence->first_black, number);
        sequence->last_black = number > sequence->last_black ? number : sequence->last_black;
    }
}

static bool counted(uint8_t verdict, uint32_t violations) {
    return (verdict == COR_VERDICT_FAILED) == (violations > 0);
}

static void check_row(struct cor_arm_tables *arm, const struct cor_reorganization_row *row, bool gray,
                      bool black) {
    bool nested = (row->fault_activated == 0 || row->fault_held > 0) &&
                  (row->fault_held == 0 || row->fault_reached > 0);
    cor__check(arm, COR_IDENTITY_FAULT_NESTED, nested, row->suite, row->sequence);
    cor__check(arm, COR_IDENTITY_VERDICTS_COUNTED,
               counted(row->gray, row->gray_violations) && counted(row->black, row->black_violations),
               row->suite, row->sequence);
    if (black)
        cor__check(arm, COR_IDENTITY_BLACK_ALSO_GRAY, gray || row->adoption_fault > 0 || row->own_moves,
                   row->suite, row->sequence);
}

static enum cor_status take_reorganization(struct cor__suite_reader *reader, const void *any,
                                           struct cor_error *error) {
    const struct cor_reorganization_row *row = any;
    bool gray = detected(row->gray), black = detected(row->black), activated = row->fault_activated > 0;
    struct cor__sequence *sequence = NULL;
    enum cor_status status = find(reader, COR_TABLE_REORGANIZATIONS, row->sequence, &sequence, error);
    if (status != COR_OK)
        return status;
    sequence->reorganizations++;
    sequence->failures += activated;
    sequence->to_keep += activated || gray || black;
    sequence->reorganization_print += print_of(row->case_, row->gray, row->black);
    note_detections(sequence, row->case_, gray, black);
    check_row(reader->arm, row, gray, black);
    if (sequence->is_continued)
        return COR_OK;
    count_fault(&reader->arm->caught, row, gray, black);
    count_verdicts(&reader->arm->caught, row, gray, black);
    if (activated)
        put_failure(reader->moments, gray, black);
    if (black)
        cor__moments_put(&reader->moments[COR_METRIC_BLACK_NOT_GRAY], gray ? 0 : 100);
    return COR_OK;
}

static enum cor_status take_failure(struct cor__suite_reader *reader, const void *any,
                                    struct cor_error *error) {
    struct cor__sequence *sequence = NULL;
    const struct cor_failure_row *row = any;
    enum cor_status status = find(reader, COR_TABLE_FAILURES, row->sequence, &sequence, error);
    if (status == COR_OK)
        sequence->kept++;
    return status;
}

/* Whether a violation was seen before another of the same arm. */
static bool before(const struct cor_violation_row *one, const struct cor_violation_row *other) {
    if (one->suite != other->suite)
        return one->suite < other->suite;
    if (one->sequence != other->sequence)
        return one->sequence < other->sequence;
    return one->case_ < other->case_;
}

static enum cor_status take_violation(struct cor__suite_reader *reader, const void *any,
                                      struct cor_error *error) {
    const struct cor_violation_row *row = any;
    struct cor__sequence *sequence = NULL;
    enum cor_status status = find(reader, COR_TABLE_VIOLATIONS, row->sequence, &sequence, error);
    if (status != COR_OK || sequence->is_continued || row->box == 0 || row->box >= COR_TABLES_BOXES)
        return status;
    struct cor_violation_row *first = &reader->arm->first_violation[row->box];
    if (first->box == 0 || before(row, first))
        *first = *row;
    return COR_OK;
}

/* The tables that are read, in an order in which each finds what it refers to, and the columns that are
 * needed. */
static const struct source {
    enum cor_table table;
    take_row *take;
    const char *columns[20];
} sources[] = {
    {COR_TABLE_PROFILES, take_profile, {"profile", "states", "arcs"}},
    {COR_TABLE_TRANSITIONS, take_transition, {"profile", "from", "to", "probability", "count"}},
    {COR_TABLE_CHAINS, take_chain, {"chain", "profile"}},
    {COR_TABLE_VISITS, take_visit, {"count"}},
    {COR_TABLE_BRANCHES, take_branch, {"sequence"}},
    {COR_TABLE_SEQUENCES, take_sequence, {"sequence", "cases", "executed", "walk_start"}},
    {COR_TABLE_CASES, take_case, {"sequence", "case", "alarm", "reorganized", "detect", "gray", "black"}},
    {COR_TABLE_REORGANIZATIONS,
     take_reorganization,
     {"sequence", "case", "gray", "black", "agreement", "stop", "smoke", "gray_violations",
      "black_violations", "fault_reached", "fault_held", "fault_activated", "fault_in_result",
      "adoption_fault", "own_moves", "inside_after"}},
    {COR_TABLE_FAILURES, take_failure, {"sequence"}},
    {COR_TABLE_VIOLATIONS,
     take_violation,
     {"sequence", "case", "box", "check", "agent", "partition", "expected", "found"}},
};
#define SOURCES (sizeof sources / sizeof *sources)

static const char *const suite_columns[] = {"agents", "groups", "chains", "sequences", "fallback", NULL};

enum cor_status cor__suite_reader_init(struct cor__suite_reader *reader, struct cor_result *result,
                                       struct cor_error *error) {
    *reader = (struct cor__suite_reader){0};
    enum cor_status status = cor__environment_init(&reader->environment, result, error);
    if (status == COR_OK)
        status = cor__cursor_init(&reader->cursor[COR_TABLE_SUITES], result, COR_TABLE_SUITES, suite_columns,
                                  error);
    for (size_t i = 0; i < SOURCES && status == COR_OK; i++)
        status = cor__cursor_init(&reader->cursor[sources[i].table], result, sources[i].table,
                                  sources[i].columns, error);
    return status;
}

void cor__suite_reader_fini(struct cor__suite_reader *reader) {
    for (size_t i = 0; i < COR_TABLE_COUNT; i++)
        cor__cursor_fini(&reader->cursor[i]);
    cor__environment_fini(&reader->environment);
    free(reader->sequence);
    reader->sequence = NULL;
}

enum cor_status cor__suite_reader_next(struct cor__suite_reader *reader, bool *there,
                                       struct cor_error *error) {
    const void *row;
    enum cor_status status = cor__cursor_any(&reader->cursor[COR_TABLE_SUITES], &row, error);
    *there = status == COR_OK && row;
    if (*there)
        reader->suite = *(const struct cor_suite_row *)row;
    return status;
}

enum cor_status cor__suite_reader_read(struct cor__suite_reader *reader, struct cor_arm_tables *arm,
                                       struct cor__moments *moments, struct cor_error *error) {
    size_t count = reader->suite.sequences;
    enum cor_status status = COR_RESERVE(&reader->sequence, &reader->sequence_capacity, count, error);
    if (status != COR_OK)
        return status;
    if (count > 0)
        memset(reader->sequence, 0, count * sizeof *reader->sequence);
    reader->visits = reader->transitions = 0;
    reader->arm = arm;
    reader->moments = moments;
    cor__environment_clear(&reader->environment);
    for (size_t i = 0; i < SOURCES; i++) {
        struct cor__cursor *cursor = &reader->cursor[sources[i].table];
        const void *row = NULL;
        do {
            status = cor__cursor_next(cursor, reader->suite.arm, reader->suite.suite, &row, error);
            if (status == COR_OK && row)
                status = sources[i].take(reader, row, error);
            if (status != COR_OK)
                return status;
        } while (row);
    }
    return COR_OK;
}

enum cor_status cor__suite_reader_end(struct cor__suite_reader *reader, struct cor_error *error) {
    for (size_t i = 0; i < SOURCES; i++) {
        enum cor_status status = cor__cursor_end(&reader->cursor[sources[i].table], error);
        if (status != COR_OK)
            return status;
    }
    return COR_OK;
}
