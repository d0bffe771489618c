/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "suite_rows.h"

#include <corridor/array.h>
#include <corridor/tree.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ALWAYS                                                                                \
    (COR__TABLE(SUITES) | COR__TABLE(CHAINS) | COR__TABLE(PROFILES) | COR__TABLE(SEQUENCES) | \
     COR__TABLE(REORGANIZATIONS))

/* What rows that belong to a case begin with. */
struct case_key {
    uint16_t arm;
    uint32_t suite;
    uint16_t sequence;
    uint32_t number;
};
_Static_assert(offsetof(struct case_key, number) == offsetof(struct cor_reorganization_row, case_) &&
                   offsetof(struct case_key, number) == offsetof(struct cor_case_row, case_) &&
                   offsetof(struct case_key, number) == offsetof(struct cor_failure_row, case_),
               "rows of cases begin alike");

/* First row of `table` that does not lie before that suite. */
static enum cor_status find_suite(struct cor_result *result, enum cor_table table, uint16_t arm,
                                  uint32_t suite, uint64_t *found, struct cor_error *error) {
    unsigned char row[512];
    uint64_t low = 0, high = cor_result_size(result, table);
    COR_ASSERT(cor_schema(table)->row_size <= sizeof row);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        struct case_key key = {0};
        enum cor_status status = cor_result_read_columns(result, table, 3, middle, 1, row, error);
        if (status != COR_OK)
            return status;
        memcpy(&key, row, offsetof(struct case_key, sequence));
        if (key.arm < arm || (key.arm == arm && key.suite < suite))
            low = middle + 1;
        else
            high = middle;
    }
    *found = low;
    return COR_OK;
}

static enum cor_status open_cursor(struct cor__suite_rows *rows, enum cor_table table,
                                   struct cor_error *error) {
    const struct cor_table_schema *schema = cor_schema(table);
    const char *names[65] = {NULL};
    for (uint32_t c = 0; c < schema->column_count; c++)
        names[c] = schema->columns[c].name;
    rows->rows[table].row_size = schema->row_size;
    enum cor_status status = cor__cursor_init(&rows->cursor[table], rows->result, table, names, error);
    return status == COR_OK
               ? find_suite(rows->result, table, rows->arm, rows->only == COR_ANY_SUITE ? 0 : rows->only,
                            &rows->cursor[table].next, error)
               : status;
}

enum cor_status cor__suite_rows_init(struct cor__suite_rows *rows, struct cor_result *result, uint16_t arm,
                                     uint32_t only, uint64_t tables, struct cor_error *error) {
    enum cor_status status = COR_OK;
    *rows = (struct cor__suite_rows){.result = result, .arm = arm, .only = only, .tables = tables | ALWAYS};
    for (enum cor_table t = 0; t < COR_TABLE_COUNT && status == COR_OK; t++)
        if (rows->tables >> t & 1)
            status = open_cursor(rows, t, error);
    return status;
}

void cor__suite_rows_fini(struct cor__suite_rows *rows) {
    for (enum cor_table t = 0; t < COR_TABLE_COUNT; t++) {
        cor__cursor_fini(&rows->cursor[t]);
        free(rows->rows[t].rows);
    }
    free(rows->walk);
}

static enum cor_status take_rows(struct cor__suite_rows *rows, enum cor_table table,
                                 struct cor_error *error) {
    struct cor__rows *kept = &rows->rows[table];
    for (kept->count = 0;; kept->count++) {
        const void *row;
        enum cor_status status =
            cor__cursor_next(&rows->cursor[table], rows->arm, rows->suite.suite, &row, error);
        if (status != COR_OK || !row)
            return status;
        status = COR_RESERVE(&kept->rows, &kept->capacity, (kept->count + 1) * kept->row_size, error);
        if (status != COR_OK)
            return status;
        memcpy(kept->rows + kept->count * kept->row_size, row, kept->row_size);
    }
}

/* ---------------------------------------------------------------------------------------- checks */

static enum cor_status check_count(const struct cor__suite_rows *rows, enum cor_table table,
                                   uint64_t expected, struct cor_error *error) {
    if (rows->rows[table].count == expected)
        return COR_OK;
    return cor__damaged(error, table, "arm %u, suite %" PRIu32 " has %zu rows, expected %" PRIu64, rows->arm,
                        rows->suite.suite, rows->rows[table].count, expected);
}

static enum cor_status misnumbered(const struct cor__suite_rows *rows, enum cor_table table, size_t row,
                                   struct cor_error *error) {
    return cor__damaged(error, table, "arm %u, suite %" PRIu32 ": row %zu of the suite has a wrong number",
                        rows->arm, rows->suite.suite, row);
}

static enum cor_status check_environment(struct cor__suite_rows *rows, struct cor_error *error) {
    size_t chains, profiles;
    const struct cor_chain_row *chain = cor__rows_of(rows, COR_TABLE_CHAINS, &chains);
    const struct cor_profile_row *profile = cor__rows_of(rows, COR_TABLE_PROFILES, &profiles);
    for (size_t p = 0; p < profiles; p++) {
        if (profile[p].profile != p || profile[p].states < 1 || profile[p].states > COR__STATES_MAX)
            return misnumbered(rows, COR_TABLE_PROFILES, p, error);
    }
    for (size_t c = 0; c < chains; c++)
        if (chain[c].chain != c || chain[c].profile >= profiles)
            return misnumbered(rows, COR_TABLE_CHAINS, c, error);
    return check_count(rows, COR_TABLE_CHAINS, rows->suite.chains, error);
}

static int by_sequence(const void *a, const void *b) {
    const struct cor_sequence_row *one = a, *other = b;
    return (one->sequence > other->sequence) - (one->sequence < other->sequence);
}

static int by_case(const void *a, const void *b) {
    const struct case_key *one = a, *other = b;
    if (one->sequence != other->sequence)
        return one->sequence < other->sequence ? -1 : 1;
    return (one->number > other->number) - (one->number < other->number);
}

static enum cor_status check_sequences(struct cor__suite_rows *rows, struct cor_error *error) {
    uint64_t bytes = cor_result_vector_size(rows->result, COR_VECTOR_WALK);
    struct cor__rows *kept = &rows->rows[COR_TABLE_SEQUENCES];
    if (kept->count > 0)
        qsort(kept->rows, kept->count, kept->row_size, by_sequence);
    const struct cor_sequence_row *row = (const void *)kept->rows;
    for (size_t s = 0; s < kept->count; s++) {
        if (row[s].sequence != s || row[s].executed > row[s].cases)
            return misnumbered(rows, COR_TABLE_SEQUENCES, s, error);
        uint64_t needed = (uint64_t)rows->suite.chains * ((uint64_t)row[s].cases + 1);
        if (row[s].walk_start > bytes || needed > bytes - row[s].walk_start)
            return cor__damaged(error, COR_TABLE_SEQUENCES,
                                "arm %u, suite %" PRIu32
                                ": the walk of sequence %zu ends behind vectors/walk",
                                rows->arm, rows->suite.suite, s);
    }
    return check_count(rows, COR_TABLE_SEQUENCES, rows->suite.sequences, error);
}

/* A branch is named once, by a sequence that there is and an earlier one that is at least as long as what
 * both share. */
static enum cor_status check_branches(const struct cor__suite_rows *rows, struct cor_error *error) {
    size_t count;
    const struct cor_branch_row *row = cor__rows_of(rows, COR_TABLE_BRANCHES, &count);
    const struct cor_sequence_row *sequence = (const void *)rows->rows[COR_TABLE_SEQUENCES].rows;
    for (size_t i = 0; i < count; i++)
        if (row[i].sequence >= rows->suite.sequences || row[i].parent >= row[i].sequence ||
            row[i].prefix > sequence[row[i].parent].executed ||
            (i > 0 && row[i].sequence <= row[i - 1].sequence))
            return cor__damaged(error, COR_TABLE_BRANCHES,
                                "arm %u, suite %" PRIu32
                                ": sequence %u cannot continue %u behind case %" PRIu32,
                                rows->arm, rows->suite.suite, row[i].sequence, row[i].parent, row[i].prefix);
    return COR_OK;
}

/* Rows of cases by sequence and case, each of a case that was executed. */
static enum cor_status sort_cases(struct cor__suite_rows *rows, enum cor_table table,
                                  struct cor_error *error) {
    struct cor__rows *kept = &rows->rows[table];
    const struct cor_sequence_row *sequence = (const void *)rows->rows[COR_TABLE_SEQUENCES].rows;
    if (kept->count > 0)
        qsort(kept->rows, kept->count, kept->row_size, by_case);
    for (size_t i = 0; i < kept->count; i++) {
        struct case_key key;
        memcpy(&key, kept->rows + i * kept->row_size, sizeof key);
        if (key.sequence >= rows->suite.sequences || key.number < 1 ||
            key.number > sequence[key.sequence].executed)
            return cor__damaged(error, table,
                                "arm %u, suite %" PRIu32 ": sequence %u, case %" PRIu32 " was not executed",
                                rows->arm, rows->suite.suite, key.sequence, key.number);
    }
    return COR_OK;
}

static enum cor_status check(struct cor__suite_rows *rows, struct cor_error *error) {
    static const enum cor_table of_cases[] = {COR_TABLE_REORGANIZATIONS, COR_TABLE_CASES, COR_TABLE_FAILURES};
    enum cor_status status = check_environment(rows, error);
    if (status == COR_OK)
        status = check_sequences(rows, error);
    for (size_t i = 0; i < sizeof of_cases / sizeof *of_cases && status == COR_OK; i++)
        if (rows->tables >> of_cases[i] & 1)
            status = sort_cases(rows, of_cases[i], error);
    return status == COR_OK ? check_branches(rows, error) : status;
}

/* ------------------------------------------------------------------------------------------ suites */

/* The row of the next suite; false at the end of the arm. */
static enum cor_status next_row(struct cor__suite_rows *rows, bool *there, struct cor_error *error) {
    const void *row;
    enum cor_status status = cor__cursor_any(&rows->cursor[COR_TABLE_SUITES], &row, error);
    const struct cor_suite_row *suite = row;
    *there = status == COR_OK && suite && suite->arm == rows->arm;
    if (status != COR_OK)
        return status;
    if (rows->only != COR_ANY_SUITE && !rows->read && (!*there || suite->suite != rows->only))
        return cor_fail(error, COR_STATUS_INPUT, "--suite", "corridor export --table suites lists them",
                        "arm %s has no suite %" PRIu32 " in this file",
                        cor_result_name(rows->result, COR_CATALOG_ARM, rows->arm), rows->only);
    if (rows->only != COR_ANY_SUITE && rows->read)
        *there = false;
    if (*there)
        rows->suite = *suite;
    rows->read = true;
    return COR_OK;
}

enum cor_status cor__suite_rows_next(struct cor__suite_rows *rows, bool *there, struct cor_error *error) {
    enum cor_status status = next_row(rows, there, error);
    for (enum cor_table t = 0; t < COR_TABLE_COUNT && status == COR_OK && *there; t++)
        if (t != COR_TABLE_SUITES && (rows->tables >> t & 1))
            status = take_rows(rows, t, error);
    return status == COR_OK && *there ? check(rows, error) : status;
}

enum cor_status cor__suite_rows_walk(struct cor__suite_rows *rows, const struct cor_sequence_row *sequence,
                                     struct cor_error *error) {
    size_t length = (size_t)sequence->cases + 1, size = length * rows->suite.chains, chains, profiles;
    const struct cor_chain_row *chain = cor__rows_of(rows, COR_TABLE_CHAINS, &chains);
    const struct cor_profile_row *profile = cor__rows_of(rows, COR_TABLE_PROFILES, &profiles);
    enum cor_status status = COR_RESERVE(&rows->walk, &rows->walk_capacity, size, error);
    if (status == COR_OK)
        status = cor_result_read_vector(rows->result, COR_VECTOR_WALK, sequence->walk_start, size, rows->walk,
                                        error);
    for (size_t c = 0; c < chains && status == COR_OK; c++)
        for (size_t i = 0; i < length; i++)
            if (rows->walk[c * length + i] >= profile[chain[c].profile].states)
                return cor__damaged(error, COR_TABLE_SEQUENCES,
                                    "arm %u, suite %" PRIu32 ": the walk of sequence %u visits state %u of a "
                                    "profile of %u states",
                                    rows->arm, rows->suite.suite, sequence->sequence,
                                    rows->walk[c * length + i], profile[chain[c].profile].states);
    return status;
}
