/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the schedules of a suite write down. */
#include "internal.h"

#include <corridor/array.h>

#include <string.h>

_Static_assert(COR_PROCESS_NUMBERS == COR_PROCESSES_MAX, "files name no process that there cannot be");

#define AS_PROCESS(number) ((uint8_t)((number) < COR_PROCESSES_MAX ? (number) : COR_PROCESS_NOBODY))

static uint16_t constraint_code(const struct process_layer__suite *suite, uint32_t constraint) {
    const struct cor_corridor *corridor = suite->experiment->arms[suite->arm].corridor;
    if (constraint == COR_NONE)
        return 0;
    return (uint16_t)cor_words_find(&suite->experiment->constraints, corridor->constraints[constraint].name);
}

bool process_layer__is_new_class(const struct process_layer__suite *suite,
                                 const struct cor_process_outcome *outcome) {
    for (size_t k = 0; k < suite->kept_count; k++)
        if (suite->kept[k].violated == outcome->violated && suite->kept[k].end == outcome->end)
            return false;
    return true;
}

bool process_layer__is_doubted(const struct process_layer__suite *suite, bool is_last,
                               const struct cor_process_outcome *outcome) {
    if (outcome->is_by_machine || outcome->end == COR_PROCESS_END_LEAKED)
        return false;
    return is_last || (process_layer__has_failed(outcome) && process_layer__is_new_class(suite, outcome));
}

enum cor_status process_layer__keep_class(struct process_layer__suite *suite,
                                          const struct cor_process_outcome *outcome, bool *is_first,
                                          struct cor_error *error) {
    *is_first = process_layer__is_new_class(suite, outcome);
    if (!*is_first)
        return COR_OK;
    COR_TRY(COR_RESERVE(&suite->kept, &suite->kept_capacity, suite->kept_count + 1, error));
    suite->kept[suite->kept_count++] = (struct process_layer__kept){outcome->violated, outcome->end};
    return COR_OK;
}

static enum cor_status put_events(struct process_layer__suite *suite, uint32_t sequence,
                                  const struct cor_process_schedule *schedule, struct cor_error *error) {
    for (size_t e = 0; e < schedule->count; e++) {
        const struct cor_process_event *event = &schedule->events[e];
        struct cor_process_event_row *row = cor_record_row(suite->record, COR_PROCESS_TABLE_EVENTS, error);
        COR_TRY(cor_made(row, error));
        row->sequence = sequence;
        row->number = (uint32_t)e + 1;
        row->tick = event->tick;
        row->event = event->kind;
        row->process = event->process;
        row->peer = event->peer;
        row->what = event->what;
        row->ordinal = event->ordinal;
    }
    return COR_OK;
}

/* Cases by the ticks of their events. */
static enum cor_status put_cases(struct process_layer__suite *suite, uint32_t sequence,
                                 const struct process_layer__report *report, const uint8_t *weather,
                                 struct cor_error *error) {
    const struct cor_process_arm *arm = &suite->experiment->arms[suite->arm];
    const struct cor_process_schedule *schedule = &report->schedule;
    const uint32_t begun =
        report->outcome.cases < arm->cases ? report->outcome.cases + 1 : report->outcome.cases;
    size_t e = 0;
    for (uint32_t c = 1; c <= begun; c++) {
        struct cor_process_case_row *row = cor_record_row(suite->record, COR_PROCESS_TABLE_CASES, error);
        COR_TRY(cor_made(row, error));
        row->sequence = sequence;
        row->case_ = c;
        row->weather = (uint16_t)cor_words_find(&suite->experiment->weathers,
                                                arm->environment.weather[weather[c - 1]].name);
        row->whole = c <= report->outcome.cases;
        for (;
             e < schedule->count && (schedule->events[e].tick < (uint64_t)c * arm->case_ticks || c == begun);
             e++) {
            const enum cor_process_event_kind kind = (enum cor_process_event_kind)schedule->events[e].kind;
            if (kind == COR_PROCESS_EVENT_TICK)
                continue;
            row->events++;
            row->messages += kind == COR_PROCESS_EVENT_DELIVER || kind == COR_PROCESS_EVENT_DUPLICATE;
            row->faults += cor_process_event_is_fault(kind);
        }
    }
    return COR_OK;
}

static enum cor_status put_violation(struct process_layer__suite *suite, uint32_t sequence,
                                     const struct cor_process_outcome *outcome, struct cor_error *error) {
    if (outcome->violated == COR_NONE)
        return COR_OK;
    struct cor_process_violation_row *row =
        cor_record_row(suite->record, COR_PROCESS_TABLE_VIOLATIONS, error);
    COR_TRY(cor_made(row, error));
    row->sequence = sequence;
    row->constraint = constraint_code(suite, outcome->violated);
    row->case_ = outcome->violated_case;
    row->event = outcome->violated_event;
    row->one = AS_PROCESS(outcome->one);
    row->other = AS_PROCESS(outcome->other);
    row->count = outcome->binding_count;
    return COR_OK;
}

static uint16_t trap_code(const struct process_layer__suite *suite, uint32_t trap) {
    const struct cor_process_traps *traps = &suite->experiment->arms[suite->arm].traps;
    return (uint16_t)cor_words_find(&suite->experiment->traps,
                                    traps->corridor->constraints[traps->first + trap].name);
}

/* Traps that a schedule met. */
static enum cor_status put_met(struct process_layer__suite *suite, uint32_t sequence,
                               const struct cor_process_outcome *outcome, struct cor_error *error) {
    for (uint64_t left = outcome->met; left != 0; left &= left - 1) {
        const uint32_t t = (uint32_t)__builtin_ctzll(left);
        struct cor_process_met_row *row = cor_record_row(suite->record, COR_PROCESS_TABLE_MET, error);
        COR_TRY(cor_made(row, error));
        row->sequence = sequence;
        row->trap = trap_code(suite, t);
        row->case_ = outcome->met_at[t].case_number;
        row->event = outcome->met_at[t].event;
    }
    return COR_OK;
}

static enum cor_status put_seen(struct process_layer__suite *suite, uint32_t sequences,
                                struct cor_error *error) {
    struct cor_process_seen_row *row = cor_record_row(suite->record, COR_PROCESS_TABLE_SEEN, error);
    COR_TRY(cor_made(row, error));
    row->sequences = suite->seen_at = sequences;
    row->states = suite->states;
    return COR_OK;
}

static void count(struct process_layer__suite *suite, const struct process_layer__report *report,
                  enum cor_verdict verdict) {
    const struct cor_process_outcome *outcome = &report->outcome;
    suite->row.sequences++;
    suite->row.failed += verdict == COR_VERDICT_FAILED;
    suite->row.undecided += verdict == COR_VERDICT_UNDECIDED;
    suite->row.cases += outcome->cases;
    suite->row.events += outcome->events;
    suite->row.messages += outcome->messages;
    suite->row.ticks += outcome->ticks;
    suite->states += report->fresh_count;
    for (uint32_t c = 0; c < suite->experiment->arms[suite->arm].corridor->constraint_count; c++) {
        struct process_layer__judged *judged = &suite->judged[c];
        judged->tested += (outcome->tested.words[c / 64] >> c % 64 & 1) != 0;
        judged->undecided += (outcome->open.words[c / 64] >> c % 64 & 1) != 0;
        judged->violated += outcome->violated == c;
    }
    for (uint64_t left = outcome->met; left != 0; left &= left - 1)
        suite->met[__builtin_ctzll(left)]++;
    for (size_t e = 0; e < report->schedule.count; e++)
        suite->happened[report->schedule.events[e].kind]++;
}

enum cor_status process_layer__rows_sequence(struct process_layer__suite *suite, uint32_t sequence,
                                             const struct process_layer__report *report,
                                             const uint8_t *weather, struct cor_error *error) {
    const struct cor_process_outcome *outcome = &report->outcome;
    const struct cor_process_arm *arm = &suite->experiment->arms[suite->arm];
    const bool has_failed = process_layer__has_failed(outcome);
    const enum cor_verdict verdict = has_failed                                        ? COR_VERDICT_FAILED
                                     : outcome->is_cut_short || outcome->undecided > 0 ? COR_VERDICT_UNDECIDED
                                                                                       : COR_VERDICT_PASSED;
    bool is_kept = false;
    if (has_failed)
        COR_TRY(process_layer__keep_class(suite, outcome, &is_kept, error));
    is_kept = is_kept || suite->experiment->log == COR_PROCESS_LOG_EVENTS;
    count(suite, report, verdict);
    struct cor_process_sequence_row *row = cor_record_row(suite->record, COR_PROCESS_TABLE_SEQUENCES, error);
    COR_TRY(cor_made(row, error));
    row->sequence = sequence;
    for (uint16_t g = 0; g < COR_PROCESS_GENERATOR_COUNT; g++)
        if (process_layer__generators[g] == arm->generators[sequence % arm->generator_count])
            row->generator = g;
    row->verdict = (uint8_t)verdict;
    row->violated = constraint_code(suite, outcome->violated);
    row->violated_case = outcome->violated_case;
    row->violated_event = outcome->violated_event;
    row->end = (uint16_t)outcome->end;
    row->end_process =
        outcome->end == COR_PROCESS_END_NONE ? COR_PROCESS_NOBODY : AS_PROCESS(outcome->end_process);
    row->cut = outcome->is_cut_short;
    row->open = (uint16_t)outcome->undecided;
    row->cases = outcome->cases;
    row->events = outcome->events;
    row->messages = outcome->messages;
    row->ticks = outcome->ticks;
    row->digest = outcome->digest;
    row->kept = is_kept ? (uint32_t)report->schedule.count : 0;
    row->why_bytes = (uint32_t)strlen(outcome->sentence);
    COR_TRY(cor_record_put(suite->record, COR_PROCESS_VECTOR_TEXT, outcome->sentence, row->why_bytes,
                           &row->why_start, error));
    COR_TRY(put_violation(suite, sequence, outcome, error));
    COR_TRY(put_met(suite, sequence, outcome, error));
    if (is_kept)
        COR_TRY(put_events(suite, sequence, &report->schedule, error));
    if (is_kept || suite->experiment->log >= COR_PROCESS_LOG_CASES)
        COR_TRY(put_cases(suite, sequence, report, weather, error));
    const uint32_t done = sequence + 1;
    return (done & (done - 1)) == 0 && done < suite->experiment->sequences ? put_seen(suite, done, error)
                                                                           : COR_OK;
}

/* Constraints that are judged, each with what became of it. */
static enum cor_status put_constraints(struct process_layer__suite *suite, struct cor_error *error) {
    const struct cor_process_arm *arm = &suite->experiment->arms[suite->arm];
    for (uint32_t c = 0; c < arm->corridor->constraint_count; c++) {
        if (arm->watched && !arm->watched[c])
            continue;
        struct cor_process_constraint_row *row =
            cor_record_row(suite->record, COR_PROCESS_TABLE_CONSTRAINTS, error);
        COR_TRY(cor_made(row, error));
        row->constraint = constraint_code(suite, c);
        row->tested = suite->judged[c].tested;
        row->violated = suite->judged[c].violated;
        row->undecided = suite->judged[c].undecided;
    }
    return COR_OK;
}

/* Traps that are looked for, met or not. */
static enum cor_status put_traps(struct process_layer__suite *suite, struct cor_error *error) {
    const uint32_t count = suite->experiment->arms[suite->arm].traps.count;
    for (uint32_t t = 0; t < count; t++) {
        struct cor_process_trap_row *row = cor_record_row(suite->record, COR_PROCESS_TABLE_TRAPS, error);
        COR_TRY(cor_made(row, error));
        row->trap = trap_code(suite, t);
        row->met = suite->met[t];
    }
    return COR_OK;
}

enum cor_status process_layer__rows_end(struct process_layer__suite *suite, struct cor_error *error) {
    if (suite->seen_at != suite->row.sequences)
        COR_TRY(put_seen(suite, suite->row.sequences, error));
    COR_TRY(put_constraints(suite, error));
    COR_TRY(put_traps(suite, error));
    for (uint16_t k = 0; k < COR_PROCESS_EVENT_KIND_COUNT; k++) {
        if (suite->happened[k] == 0 || k == COR_PROCESS_EVENT_TICK)
            continue;
        struct cor_process_happened_row *row =
            cor_record_row(suite->record, COR_PROCESS_TABLE_HAPPENED, error);
        COR_TRY(cor_made(row, error));
        row->event = k;
        row->count = suite->happened[k];
    }
    struct cor_process_suite_row *row = cor_record_row(suite->record, COR_PROCESS_TABLE_SUITES, error);
    COR_TRY(cor_made(row, error));
    suite->row.arm = row->arm;
    suite->row.suite = row->suite;
    suite->row.seen = suite->states;
    suite->row.seen_full = suite->seen.is_full;
    *row = suite->row;
    return COR_OK;
}
