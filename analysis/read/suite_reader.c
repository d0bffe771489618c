/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/suite_reader.h>

#include "scan.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/terms.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEQUENCES_MAX 65536u /* a sequence's number has 16 bits */

/* What rows of sequences and, with `number`, rows of cases begin with. */
struct key {
    uint16_t arm;
    uint32_t suite;
    uint16_t sequence;
    uint32_t number;
};

#define BEGINS_ALIKE(row)                                                              \
    _Static_assert(offsetof(struct key, sequence) == offsetof(struct row, sequence) && \
                       offsetof(struct key, number) == offsetof(struct row, case_),    \
                   "rows of cases begin alike")
BEGINS_ALIKE(cor_case_row);
BEGINS_ALIKE(cor_reorganization_row);
BEGINS_ALIKE(cor_failure_row);
BEGINS_ALIKE(cor_violation_row);
BEGINS_ALIKE(cor_objective_row);
BEGINS_ALIKE(cor_tick_row);
BEGINS_ALIKE(cor_snapshot_row);
BEGINS_ALIKE(cor_constraint_row);
BEGINS_ALIKE(cor_mechanism_row);
_Static_assert(offsetof(struct key, sequence) == offsetof(struct cor_sequence_row, sequence) &&
                   offsetof(struct key, sequence) == offsetof(struct cor_branch_row, sequence),
               "rows of sequences begin alike");

static const enum cor_table of_cases[] = {COR_TABLE_CASES,    COR_TABLE_REORGANIZATIONS,
                                          COR_TABLE_FAILURES, COR_TABLE_VIOLATIONS,
                                          COR_TABLE_TICKS,    COR_TABLE_SNAPSHOTS};
#define OF_CASES (sizeof of_cases / sizeof *of_cases)

/* Rows of one table in the present suite. */
struct rows {
    struct read__scan scan;
    bool wanted;
    unsigned char *rows; /* owned */
    size_t count, capacity /* bytes */;
};

struct cor_suite_reader {
    struct cor_result *result; /* borrowed */
    const struct cor_result_header *head;
    struct rows table[COR_TABLE_COUNT];
    struct cor_sequence_rows *sequence; /* owned */
    size_t sequence_capacity;
    bool chosen; /* one arm, or one suite, only: */
    uint16_t arm;
    uint32_t only;
    const char *place; /* borrowed; of the choice of that suite */
    bool any_read;
    struct cor_suite_rows suite;
};

static enum cor_status open_table(struct cor_suite_reader *reader, enum cor_table table,
                                  const char *const *columns, struct cor_error *error) {
    struct rows *rows = &reader->table[table];
    read__scan_fini(&rows->scan); /* a table that is always read may be asked for with more columns */
    rows->wanted = true;
    return read__scan_init(&rows->scan, reader->result, table, columns, error);
}

enum cor_status cor_suite_reader_create(struct cor_result *result, const struct cor_reading *readings,
                                        size_t reading_count, struct cor_suite_reader **reader,
                                        struct cor_error *error) {
    static const char *const sequence_columns[] = {"sequence", "cases", "executed", NULL};
    enum cor_status status = COR_OK;
    struct cor_suite_reader *made = *reader = cor_calloc(1, sizeof *made);
    if (!made)
        return cor_fail_memory(error);
    made->result = result;
    made->head = cor_result_head(result);
    COR_TRY_OUT(open_table(made, COR_TABLE_SUITES, NULL, error));
    COR_TRY_OUT(open_table(made, COR_TABLE_BRANCHES, NULL, error));
    COR_TRY_OUT(open_table(made, COR_TABLE_STEERED, NULL, error));
    COR_TRY_OUT(open_table(made, COR_TABLE_SEQUENCES, sequence_columns, error));
    for (size_t i = 0; i < reading_count; i++)
        COR_TRY_OUT(open_table(made, readings[i].table, readings[i].columns, error));
out:
    if (status != COR_OK) {
        cor_suite_reader_destroy(made);
        *reader = NULL;
    }
    return status;
}

void cor_suite_reader_destroy(struct cor_suite_reader *reader) {
    if (!reader)
        return;
    for (size_t t = 0; t < COR_TABLE_COUNT; t++) {
        read__scan_fini(&reader->table[t].scan);
        free(reader->table[t].rows);
    }
    free(reader->sequence);
    free(reader);
}

enum cor_status cor_suite_reader_choose(struct cor_suite_reader *reader, uint16_t arm, uint32_t suite,
                                        const char *place, struct cor_error *error) {
    COR_ASSERT(!reader->any_read);
    reader->chosen = true;
    reader->arm = arm;
    reader->only = suite;
    reader->place = place;
    for (size_t t = 0; t < COR_TABLE_COUNT; t++)
        if (reader->table[t].wanted)
            COR_TRY(read__scan_seek(&reader->table[t].scan, arm, suite == COR_ANY_SUITE ? 0 : suite, error));
    return COR_OK;
}

static int compare_cases(const void *one, const void *other) {
    struct key a, b;
    memcpy(&a, one, sizeof a);
    memcpy(&b, other, sizeof b);
    if (a.sequence != b.sequence)
        return a.sequence < b.sequence ? -1 : 1;
    return (a.number > b.number) - (a.number < b.number);
}

static int compare_sequences(const void *one, const void *other) {
    struct key a = {0}, b = {0};
    memcpy(&a, one, offsetof(struct key, number));
    memcpy(&b, other, offsetof(struct key, number));
    return (a.sequence > b.sequence) - (a.sequence < b.sequence);
}

/* How rows of a table are ordered within a suite; NULL = as they lie. */
static int (*order_of(enum cor_table table))(const void *, const void *) {
    for (size_t i = 0; i < OF_CASES; i++)
        if (of_cases[i] == table)
            return compare_cases;
    if (table == COR_TABLE_OBJECTIVES || table == COR_TABLE_MECHANISMS || table == COR_TABLE_CONSTRAINTS)
        return compare_cases;
    return table == COR_TABLE_SEQUENCES || table == COR_TABLE_BRANCHES || table == COR_TABLE_STEERED ||
                   table == COR_TABLE_TRAPS || table == COR_TABLE_SCHEDULES
               ? compare_sequences
               : NULL;
}

/* Merging leaves rows in order; another writer need not. */
static void put_in_order(struct rows *rows, size_t size, int (*compare)(const void *, const void *)) {
    for (size_t i = 1; i < rows->count; i++)
        if (compare(rows->rows + (i - 1) * size, rows->rows + i * size) > 0) {
            qsort(rows->rows, rows->count, size, compare);
            return;
        }
}

static enum cor_status read_table(struct cor_suite_reader *reader, enum cor_table table,
                                  struct cor_error *error) {
    struct rows *rows = &reader->table[table];
    size_t size = cor_schema(table)->row_size;
    int (*compare)(const void *, const void *) = order_of(table);
    rows->count = 0;
    for (;;) {
        const void *found;
        size_t count;
        COR_TRY(read__scan_next(&rows->scan, reader->suite.row.arm, reader->suite.row.suite, &found, &count,
                                error));
        if (count == 0)
            break;
        COR_TRY(COR_RESERVE(&rows->rows, &rows->capacity, (rows->count + count) * size, error));
        memcpy(rows->rows + rows->count * size, found, count * size);
        rows->count += count;
    }
    if (compare) {
        const struct cor_suite_row *suite = &reader->suite.row;
        for (size_t i = 0; i < rows->count; i++) {
            struct key key = {0};
            memcpy(&key, rows->rows + i * size, offsetof(struct key, number));
            if (key.sequence >= suite->sequences)
                return cor_damaged(error, table,
                                   "arm %u, suite %" PRIu32 " has %" PRIu32 " sequences, found number %u",
                                   suite->arm, suite->suite, suite->sequences, key.sequence);
        }
        put_in_order(rows, size, compare);
    }
    reader->suite.table[table].row = rows->rows;
    reader->suite.table[table].count = rows->count;
    return COR_OK;
}

static enum cor_status link_sequences(struct cor_suite_reader *reader, struct cor_error *error) {
    const struct rows *rows = &reader->table[COR_TABLE_SEQUENCES];
    const struct cor_sequence_row *row = (const void *)rows->rows;
    const struct cor_suite_row *suite = &reader->suite.row;
    for (size_t i = 0; i < rows->count; i++) {
        if (reader->sequence[row[i].sequence].row)
            return cor_damaged(error, COR_TABLE_SEQUENCES,
                               "arm %u, suite %" PRIu32 ": sequence %u occurs twice", suite->arm,
                               suite->suite, row[i].sequence);
        reader->sequence[row[i].sequence].row = &row[i];
    }
    const struct rows *branches = &reader->table[COR_TABLE_BRANCHES];
    const struct cor_branch_row *branch = (const void *)branches->rows;
    for (size_t i = 0; i < branches->count; i++)
        reader->sequence[branch[i].sequence].branch = &branch[i];
    const struct rows *steered = &reader->table[COR_TABLE_STEERED];
    for (size_t i = 0; i < steered->count; i++) {
        const struct cor_steered_row *it = (const void *)(steered->rows + i * sizeof *it);
        reader->sequence[it->sequence].steered = it;
    }
    return COR_OK;
}

/* A row is of a case that was executed; behind the last number no other comes. */
static enum cor_status check_case(const struct cor_sequence_rows *sequence, enum cor_table table,
                                  const void *row, struct cor_error *error) {
    struct key key;
    memcpy(&key, row, sizeof key);
    if (key.number <= (sequence->row ? sequence->row->executed : UINT32_MAX - 1))
        return COR_OK;
    return cor_damaged(error, table,
                       "arm %u, suite %" PRIu32 ": sequence %u, case %" PRIu32 " was not executed", key.arm,
                       key.suite, key.sequence, key.number);
}

/* LINK(table, field, type): gives each sequence its slice of the ordered rows of a table of cases. */
#define LINK(TABLE, field, count_field, type)                                        \
    do {                                                                             \
        const struct rows *rows = &reader->table[TABLE];                             \
        const struct type *row = (const void *)rows->rows;                           \
        for (size_t i = 0; i < rows->count; i++) {                                   \
            struct cor_sequence_rows *sequence = &reader->sequence[row[i].sequence]; \
            COR_TRY(check_case(sequence, TABLE, &row[i], error));                    \
            if (sequence->count_field++ == 0)                                        \
                sequence->field = &row[i];                                           \
        }                                                                            \
    } while (0)

static enum cor_status link_cases(struct cor_suite_reader *reader, struct cor_error *error) {
    LINK(COR_TABLE_CASES, cases, case_count, cor_case_row);
    LINK(COR_TABLE_REORGANIZATIONS, reorganizations, reorganization_count, cor_reorganization_row);
    LINK(COR_TABLE_FAILURES, failures, failure_count, cor_failure_row);
    LINK(COR_TABLE_VIOLATIONS, violations, violation_count, cor_violation_row);
    LINK(COR_TABLE_TICKS, ticks, tick_count, cor_tick_row);
    LINK(COR_TABLE_SNAPSHOTS, snapshots, snapshot_count, cor_snapshot_row);
    LINK(COR_TABLE_CONSTRAINTS, constraints, constraint_count, cor_constraint_row);
    for (uint32_t s = 0; s < reader->suite.row.sequences; s++)
        reader->sequence[s].has_text = reader->head->catalog_size[COR_CATALOG_CONSTRAINT] > 0;
    return COR_OK;
}

struct cor_case_tables cor_sequence_case_tables(const struct cor_sequence_rows *sequence) {
    return (struct cor_case_tables){.cases = sequence->cases,
                                    .reorganizations = sequence->reorganizations,
                                    .violations = sequence->violations,
                                    .constraints = sequence->constraints,
                                    .ticks = sequence->ticks,
                                    .snapshots = sequence->snapshots,
                                    .case_count = sequence->case_count,
                                    .reorganization_count = sequence->reorganization_count,
                                    .violation_count = sequence->violation_count,
                                    .constraint_count = sequence->constraint_count,
                                    .tick_count = sequence->tick_count,
                                    .snapshot_count = sequence->snapshot_count,
                                    .has_text = sequence->has_text};
}

static enum cor_status read_suite(struct cor_suite_reader *reader, struct cor_error *error) {
    const struct cor_suite_row *row = &reader->suite.row;
    reader->suite.arm = cor_arm_of_code(reader->head, row->arm);
    if (reader->suite.arm == cor_arm_count(reader->head))
        return cor_damaged(error, COR_TABLE_SUITES, "suite %" PRIu32 " is of arm %u, which catalog/arm lacks",
                           row->suite, row->arm);
    if (row->sequences > SEQUENCES_MAX)
        return cor_damaged(error, COR_TABLE_SUITES,
                           "arm %u, suite %" PRIu32 " has %" PRIu32 " sequences, above %u", row->arm,
                           row->suite, row->sequences, SEQUENCES_MAX);
    COR_TRY(COR_RESERVE(&reader->sequence, &reader->sequence_capacity, row->sequences, error));
    if (row->sequences > 0)
        memset(reader->sequence, 0, row->sequences * sizeof *reader->sequence);
    reader->suite.sequence = reader->sequence;
    for (enum cor_table t = 0; t < COR_TABLE_COUNT; t++)
        if (t != COR_TABLE_SUITES && reader->table[t].wanted)
            COR_TRY(read_table(reader, t, error));
    COR_TRY(link_sequences(reader, error));
    return link_cases(reader, error);
}

enum cor_status cor_suite_reader_next(struct cor_suite_reader *reader, const struct cor_suite_rows **suite,
                                      struct cor_error *error) {
    const void *row;
    *suite = NULL;
    COR_TRY(read__scan_any(&reader->table[COR_TABLE_SUITES].scan, &row, error));
    const struct cor_suite_row *found = row;
    if (reader->chosen) {
        /* NULL where the suites chosen end. */
        bool one = reader->only != COR_ANY_SUITE;
        if (found && (found->arm != reader->arm || (one && found->suite != reader->only)))
            found = NULL;
        if (!found && one && !reader->any_read)
            return cor_fail(error, COR_STATUS_INPUT, reader->place,
                            "corridor export --table suites lists them",
                            "arm %s has no suite %" PRIu32 " in this file",
                            cor_result_name(reader->result, COR_CATALOG_ARM, reader->arm), reader->only);
    }
    if (found && reader->any_read) {
        /* Suites of an arm lie side by side, each once: whoever adds them up relies on it. */
        const struct cor_suite_row *before = &reader->suite.row;
        if (!(before->arm < found->arm || (before->arm == found->arm && before->suite < found->suite)))
            return cor_damaged(error, COR_TABLE_SUITES,
                               "arm %u, suite %" PRIu32 " lies behind arm %u, suite %" PRIu32, found->arm,
                               found->suite, before->arm, before->suite);
    }
    reader->any_read = true;
    if (!found) {
        if (reader->chosen)
            return COR_OK;
        /* Behind the last suite no table has rows left. */
        for (size_t t = 0; t < COR_TABLE_COUNT; t++)
            if (reader->table[t].wanted && t != COR_TABLE_SUITES)
                COR_TRY(read__scan_end(&reader->table[t].scan, error));
        return COR_OK;
    }
    reader->suite.row = *found;
    COR_TRY(read_suite(reader, error));
    *suite = &reader->suite;
    return COR_OK;
}

uint32_t cor_violated_constraint(const struct cor_violation_row *row) {
    const bool is_one = row->check == COR_CHECK_CONSTRAINT || row->check == COR_CHECK_FORMULA;
    return is_one && row->expected >= 0 && row->expected < UINT16_MAX ? (uint32_t)row->expected : UINT32_MAX;
}

void cor_constraint_sentence(const struct cor_violation_row *row, const char *name, const char *says,
                             char text[COR_SENTENCE]) {
    char where[64] = "";
    if (row->partition != COR_NOBODY)
        snprintf(where, sizeof where, ", first for organization %" PRIu32, row->partition);
    else if (row->agent != COR_NOBODY)
        snprintf(where, sizeof where, ", first for agent %" PRIu32, row->agent);
    /* A sentence that is too long ends with dots rather than in the middle of a word of its end. */
    snprintf(text, COR_SENTENCE, "\"%.80s\" does not hold%s: %.700s%s", name, where, says,
             strlen(says) > 700 ? " .." : "");
}

void cor_violation_sentence(enum cor_structure_kind kind, const struct cor_violation_row *row,
                            const struct cor_result_header *head, char text[COR_SENTENCE]) {
    const uint32_t constraint = cor_violated_constraint(row);
    if (head && constraint != UINT32_MAX)
        for (size_t i = 0; i < head->catalog_size[COR_CATALOG_CONSTRAINT]; i++) {
            const struct cor_catalog_entry *entry = &head->catalog[COR_CATALOG_CONSTRAINT][i];
            if (entry->code == constraint) {
                cor_constraint_sentence(row, entry->name, entry->description, text);
                return;
            }
        }
    const struct cor_violation violation = {
        .check = (enum cor_check)row->check,
        .agent = row->agent,
        .partition = row->partition,
        .expected = row->expected,
        .found = row->found,
    };
    cor_violation_kind_text(kind, &violation, text, COR_SENTENCE);
}

const char *cor_any_box_word(enum cor_any_box box) {
    static const char *const words[COR_ANY_BOXES] = {"any", "gray", "black"};
    COR_ASSERT(box < COR_ANY_BOXES);
    return words[box];
}
