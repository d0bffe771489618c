/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/process_result.h>

#include "scan.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool is_process(uint8_t number, bool or_nobody) {
    return number < COR_PROCESS_NUMBERS || (or_nobody && number == COR_PROCESS_NOBODY);
}

/* Rows of a table of the layer that belong to a suite, schedule after schedule. */
struct rows {
    const struct cor_layer_tables *process;
    enum cor_process_table table;
    uint64_t next, end;
};

static struct rows rows_of(const struct cor_layer_tables *process, enum cor_process_table table,
                           const struct cor_process_suite_row *suite) {
    uint64_t count;
    const uint64_t first = cor_layer_rows_of(process, table, suite->arm, suite->suite, &count);
    return (struct rows){process, table, first, first + count};
}

static const void *next_row(struct rows *rows) {
    return rows->next < rows->end ? cor_layer_row(rows->process, rows->table, rows->next++) : NULL;
}

_Static_assert(offsetof(struct cor_process_event_row, sequence) ==
                       offsetof(struct cor_process_case_row, sequence) &&
                   offsetof(struct cor_process_event_row, sequence) ==
                       offsetof(struct cor_process_violation_row, sequence) &&
                   offsetof(struct cor_process_event_row, sequence) ==
                       offsetof(struct cor_process_met_row, sequence),
               "rows of a schedule say in the same place of which");

/* The next row, if it is of that schedule. */
static const void *next_of(struct rows *rows, uint32_t sequence) {
    const struct cor_process_event_row *row =
        rows->next < rows->end ? cor_layer_row(rows->process, rows->table, rows->next) : NULL;
    return row && row->sequence == sequence ? next_row(rows) : NULL;
}

/* A schedule that is kept is all of it: its events in their order, and perhaps one more that ends a case. */
static bool are_events(struct rows *rows, const struct cor_process_sequence_row *sequence) {
    uint64_t tick = 0;
    uint32_t count = 0;
    for (const struct cor_process_event_row *row; (row = next_of(rows, sequence->sequence)); tick = row->tick)
        if (row->number != ++count || row->tick < tick || row->tick > sequence->ticks ||
            !is_process(row->process, false) || !is_process(row->peer, false))
            return false;
    return count == sequence->kept &&
           (count == 0 || count == sequence->events || count - 1 == sequence->events);
}

/* Cases are those of the schedule, and have its events; a schedule that is kept has them. */
static bool are_cases(struct rows *rows, const struct cor_process_sequence_row *sequence) {
    uint64_t events = 0, messages = 0;
    uint32_t count = 0;
    for (const struct cor_process_case_row *row; (row = next_of(rows, sequence->sequence));) {
        if (row->case_ != ++count || row->whole != (count <= sequence->cases) ||
            (uint64_t)row->messages + row->faults > 2 * (uint64_t)row->events || row->faults > row->events)
            return false;
        events += row->events;
        messages += row->messages;
    }
    if (count == 0)
        return sequence->kept == 0;
    return (count == sequence->cases || count - 1 == sequence->cases) && events == sequence->events &&
           messages == sequence->messages;
}

static bool is_violation(struct rows *rows, const struct cor_process_sequence_row *sequence) {
    const struct cor_process_violation_row *row = next_of(rows, sequence->sequence);
    if (sequence->violated == 0 || !row)
        return sequence->violated == 0 && !row;
    return row->constraint == sequence->violated && row->case_ == sequence->violated_case &&
           row->event == sequence->violated_event && is_process(row->one, true) &&
           is_process(row->other, true);
}

/* Events by kind are those of the schedules; how many states were seen after 1, 2, 4 .. and all of these. */
static enum cor_status check_sums(const struct cor_layer_tables *process,
                                  const struct cor_process_suite_row *suite, struct cor_error *error) {
    struct rows happened = rows_of(process, COR_PROCESS_TABLE_HAPPENED, suite),
                seen = rows_of(process, COR_PROCESS_TABLE_SEEN, suite);
    uint64_t events = 0, states = 0, done = 1, last = 0;
    bool is_good = true;
    for (const struct cor_process_happened_row *row; (row = next_row(&happened));)
        events = row->count > UINT64_MAX - events ? UINT64_MAX : events + row->count;
    if (events != suite->events)
        return read__foreign(error, "happened",
                             "arm %u, suite %" PRIu32 ": its events are not those of its schedules",
                             suite->arm, suite->suite);
    for (const struct cor_process_seen_row *row; (row = next_row(&seen)); done *= 2) {
        last = done < suite->sequences ? done : suite->sequences;
        is_good = is_good && row->sequences == last && row->states >= states;
        states = row->states;
    }
    return is_good && last == suite->sequences && states == suite->seen
               ? COR_OK
               : read__foreign(error, "seen",
                               "arm %u, suite %" PRIu32 ": is not the growth up to what the suite has seen",
                               suite->arm, suite->suite);
}

/* Constraints of a suite are counted as its schedules have it. by_code: [code of a constraint], all 0, as
 * they are again. */
static enum cor_status check_constraints(const struct cor_layer_tables *process,
                                         const struct cor_process_suite_row *suite, uint32_t *by_code,
                                         struct cor_error *error) {
    uint64_t count, rows;
    const uint64_t first =
        cor_layer_rows_of(process, COR_PROCESS_TABLE_SEQUENCES, suite->arm, suite->suite, &count);
    const uint64_t from =
        cor_layer_rows_of(process, COR_PROCESS_TABLE_CONSTRAINTS, suite->arm, suite->suite, &rows);
    uint64_t violated = 0;
    bool is_good = true;
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_process_sequence_row *row = cor_layer_row(process, COR_PROCESS_TABLE_SEQUENCES, i);
        by_code[row->violated]++;
        violated += row->violated != 0;
    }
    for (uint64_t i = from; i < from + rows; i++) {
        const struct cor_process_constraint_row *row =
            cor_layer_row(process, COR_PROCESS_TABLE_CONSTRAINTS, i);
        is_good = is_good && row->constraint != 0 && row->violated == by_code[row->constraint] &&
                  row->tested <= suite->sequences && row->undecided <= suite->sequences;
        violated -= row->violated;
    }
    for (uint64_t i = first; i < first + count; i++)
        by_code[((const struct cor_process_sequence_row *)cor_layer_row(process, COR_PROCESS_TABLE_SEQUENCES,
                                                                        i))
                    ->violated] = 0;
    return is_good && violated == 0
               ? COR_OK
               : read__foreign(error, "constraints",
                               "arm %u, suite %" PRIu32 ": its counts are not those of its schedules",
                               suite->arm, suite->suite);
}

/* Traps that schedules met come schedule after schedule, within them, each once; and are counted. by_code:
 * [code of a trap], all 0, as they are again. */
static enum cor_status check_traps(const struct cor_layer_tables *process,
                                   const struct cor_process_suite_row *suite, uint32_t *by_code,
                                   struct cor_error *error) {
    const size_t known = process->head->catalog_size[COR_PROCESS_CATALOG_TRAP];
    struct rows sequences = rows_of(process, COR_PROCESS_TABLE_SEQUENCES, suite),
                met = rows_of(process, COR_PROCESS_TABLE_MET, suite),
                traps = rows_of(process, COR_PROCESS_TABLE_TRAPS, suite);
    uint64_t counted = 0;
    bool is_good = true;
    for (const struct cor_process_sequence_row *row; (row = next_row(&sequences));) {
        const uint64_t first = met.next;
        for (const struct cor_process_met_row *it; (it = next_of(&met, row->sequence)); counted++) {
            is_good = is_good && it->trap < known && it->case_ > 0 && it->case_ <= (uint64_t)row->cases + 1 &&
                      it->event <= row->events;
            by_code[it->trap]++;
            for (uint64_t i = first; i + 1 < met.next; i++)
                is_good =
                    is_good &&
                    ((const struct cor_process_met_row *)cor_layer_row(process, COR_PROCESS_TABLE_MET, i))
                            ->trap != it->trap;
        }
    }
    is_good = is_good && met.next == met.end;
    for (const struct cor_process_trap_row *row; (row = next_row(&traps)); counted -= row->met)
        is_good = is_good && row->trap < known && row->met == by_code[row->trap];
    memset(by_code, 0, ((size_t)UINT16_MAX + 1) * sizeof *by_code);
    return is_good && counted == 0
               ? COR_OK
               : read__foreign(error, "traps",
                               "arm %u, suite %" PRIu32 ": its counts are not those of its schedules",
                               suite->arm, suite->suite);
}

/* Sequences are numbered from 0 on, and counted. */
static enum cor_status check_suite(const struct cor_layer_tables *process,
                                   const struct cor_process_suite_row *suite, struct cor_error *error) {
    uint64_t count, failed = 0, undecided = 0, cases = 0, events = 0, messages = 0, ticks = 0;
    const uint64_t first =
        cor_layer_rows_of(process, COR_PROCESS_TABLE_SEQUENCES, suite->arm, suite->suite, &count);
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_process_sequence_row *row = cor_layer_row(process, COR_PROCESS_TABLE_SEQUENCES, i);
        if (row->sequence != i - first)
            return read__foreign(error, "sequences",
                                 "arm %u, suite %" PRIu32 " has sequence %" PRIu32 " where %" PRIu64
                                 " is expected",
                                 suite->arm, suite->suite, row->sequence, i - first);
        /* A schedule failed if and only if something was violated, or a process ended by itself; and a pass
         * leaves nothing open. */
        const bool has_failed = row->violated != 0 || row->end != 0, is_open = row->cut || row->open > 0;
        const uint8_t verdict = has_failed ? COR_VERDICT_FAILED
                                : is_open  ? COR_VERDICT_UNDECIDED
                                           : COR_VERDICT_PASSED;
        if (row->verdict != verdict)
            return read__foreign(error, "sequences",
                                 "arm %u, suite %" PRIu32 ", sequence %" PRIu32
                                 ": its verdict contradicts how it ended",
                                 row->arm, row->suite, row->sequence);
        if (row->messages > row->events || row->violated_event > row->events ||
            row->violated_case > (uint64_t)row->cases + 1)
            return read__foreign(error, "sequences",
                                 "arm %u, suite %" PRIu32 ", sequence %" PRIu32
                                 ": more messages than events, or "
                                 "a violation behind the last one",
                                 row->arm, row->suite, row->sequence);
        if ((row->violated == 0) != (row->violated_case == 0) ||
            (row->violated == 0 && row->violated_event != 0) ||
            (row->end == 0 ? row->end_process != COR_PROCESS_NOBODY : !is_process(row->end_process, true)))
            return read__foreign(error, "sequences",
                                 "arm %u, suite %" PRIu32 ", sequence %" PRIu32
                                 ": a violation or an end without its place, or a place without one",
                                 row->arm, row->suite, row->sequence);
        failed += row->verdict == COR_VERDICT_FAILED;
        undecided += row->verdict == COR_VERDICT_UNDECIDED;
        cases += row->cases;
        events += row->events;
        messages += row->messages;
        ticks += row->ticks;
    }
    if (count != suite->sequences || failed != suite->failed || undecided != suite->undecided ||
        cases != suite->cases || events != suite->events || messages != suite->messages ||
        ticks != suite->ticks)
        return read__foreign(error, "suites",
                             "arm %u, suite %" PRIu32 ": its counts are not those of its schedules",
                             suite->arm, suite->suite);
    return COR_OK;
}

enum cor_status cor_process_result_init(struct cor_result *result, struct cor_layer_tables *process,
                                        struct cor_error *error) {
    enum cor_status status = COR_OK;
    uint32_t *by_code = NULL;
    COR_TRY(cor_layer_tables_init(result, COR_ALL_TABLES, COR_ALL_VECTORS, process, error));
    COR_TRY_OUT(read__check_texts(process, error));
    COR_TRY_OUT(cor_made(by_code = cor_calloc(UINT16_MAX + 1, sizeof *by_code), error));
    for (uint64_t i = 0; i < process->count[COR_PROCESS_TABLE_SUITES]; i++) {
        const struct cor_process_suite_row *suite = cor_layer_row(process, COR_PROCESS_TABLE_SUITES, i);
        COR_TRY_OUT(check_suite(process, suite, error));
        /* What stands in other tables of the schedules of a suite. */
        struct rows sequences = rows_of(process, COR_PROCESS_TABLE_SEQUENCES, suite),
                    events = rows_of(process, COR_PROCESS_TABLE_EVENTS, suite),
                    cases = rows_of(process, COR_PROCESS_TABLE_CASES, suite),
                    violations = rows_of(process, COR_PROCESS_TABLE_VIOLATIONS, suite);
        for (const struct cor_process_sequence_row *row; (row = next_row(&sequences));) {
            const char *wrong = !are_events(&events, row)         ? "events"
                                : !are_cases(&cases, row)         ? "cases"
                                : !is_violation(&violations, row) ? "violations"
                                                                  : NULL;
            if (wrong)
                COR_TRY_OUT(read__foreign(error, wrong,
                                          "arm %u, suite %" PRIu32 ", sequence %" PRIu32
                                          ": is not that of the schedule",
                                          row->arm, row->suite, row->sequence));
        }
        const char *wrong = events.next < events.end           ? "events"
                            : cases.next < cases.end           ? "cases"
                            : violations.next < violations.end ? "violations"
                                                               : NULL;
        if (wrong)
            COR_TRY_OUT(read__foreign(error, wrong,
                                      "arm %u, suite %" PRIu32 ": rows of a schedule that there is not",
                                      suite->arm, suite->suite));
        COR_TRY_OUT(check_sums(process, suite, error));
        COR_TRY_OUT(check_constraints(process, suite, by_code, error));
        if (process->head->catalog_size[COR_PROCESS_CATALOG_TRAP] > 0 ||
            process->count[COR_PROCESS_TABLE_MET] > 0)
            COR_TRY_OUT(check_traps(process, suite, by_code, error));
    }
out:
    free(by_code);
    if (status != COR_OK)
        cor_layer_tables_fini(process);
    return status;
}

const char *cor_process_name(const struct cor_layer_tables *process, enum cor_process_catalog catalog,
                             uint16_t code) {
    return cor_result_name(process->result, (uint32_t)catalog, code);
}

const char *cor_process_failure(const struct cor_layer_tables *process,
                                const struct cor_process_sequence_row *row) {
    if (row->violated != 0)
        return cor_process_name(process, COR_PROCESS_CATALOG_CONSTRAINT, row->violated);
    return row->end != 0 ? cor_process_name(process, COR_PROCESS_CATALOG_END, row->end) : NULL;
}
