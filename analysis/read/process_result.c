/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/process_result.h>

#include "scan.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <stdlib.h>

/* A schedule failed if and only if something was violated, or a process ended by itself; and a pass leaves
 * nothing open. */
static enum cor_status check_sequence(const struct cor_process_sequence_row *row, struct cor_error *error) {
    const bool has_failed = row->violated != 0 || row->end != 0, is_open = row->cut || row->open > 0;
    const uint8_t verdict = has_failed ? COR_VERDICT_FAILED
                            : is_open  ? COR_VERDICT_UNDECIDED
                                       : COR_VERDICT_PASSED;
    if (row->verdict != verdict)
        return read__foreign(error, "sequences",
                             "arm %u, suite %" PRIu32 ", sequence %" PRIu32
                             ": its verdict contradicts how it ended",
                             row->arm, row->suite, row->sequence);
    if (row->messages > row->events || row->violated_event > row->events)
        return read__foreign(error, "sequences",
                             "arm %u, suite %" PRIu32 ", sequence %" PRIu32 ": more messages than events, or "
                             "a violation behind the last one",
                             row->arm, row->suite, row->sequence);
    return COR_OK;
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

/* Sequences are numbered from 0 on, and counted. */
static enum cor_status check_suite(const struct cor_layer_tables *process,
                                   const struct cor_process_suite_row *suite, struct cor_error *error) {
    uint64_t count, failed = 0, undecided = 0, events = 0, messages = 0, kept = 0, rows;
    const uint64_t first =
        cor_layer_rows_of(process, COR_PROCESS_TABLE_SEQUENCES, suite->arm, suite->suite, &count);
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_process_sequence_row *row = cor_layer_row(process, COR_PROCESS_TABLE_SEQUENCES, i);
        if (row->sequence != i - first)
            return read__foreign(error, "sequences",
                                 "arm %u, suite %" PRIu32 " has sequence %" PRIu32 " where %" PRIu64
                                 " is expected",
                                 suite->arm, suite->suite, row->sequence, i - first);
        COR_TRY(check_sequence(row, error));
        failed += row->verdict == COR_VERDICT_FAILED;
        undecided += row->verdict == COR_VERDICT_UNDECIDED;
        events += row->events;
        messages += row->messages;
        kept += row->kept;
    }
    cor_layer_rows_of(process, COR_PROCESS_TABLE_EVENTS, suite->arm, suite->suite, &rows);
    if (count != suite->sequences || failed != suite->failed || undecided != suite->undecided ||
        events != suite->events || messages != suite->messages || kept != rows)
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
        COR_TRY_OUT(check_constraints(process, suite, by_code, error));
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
