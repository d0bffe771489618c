/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scan.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/state_names.h>
#include <corridor/suite_reader.h>
#include <corridor/terms.h>

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 2048 /* of a buffer at most: it and the chunks it is filled from stay in the cache */

/* A group that contradicts itself or another. */
static enum cor_status fail_group(struct cor_error *error, const char *group, const char *format,
                                  va_list arguments) {
    char place[64], cause[512];
    vsnprintf(cause, sizeof cause, format, arguments);
    snprintf(place, sizeof place, "table %s", group);
    return cor_fail(error, COR_STATUS_INPUT, place, "the file was not written by this program, or is damaged",
                    "%s", cause);
}

enum cor_status read__foreign(struct cor_error *error, const char *group, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    enum cor_status status = fail_group(error, group, format, arguments);
    va_end(arguments);
    return status;
}

enum cor_status cor_damaged(struct cor_error *error, enum cor_table table, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    enum cor_status status = fail_group(error, cor_schema(table)->group, format, arguments);
    va_end(arguments);
    return status;
}

static uint64_t column_bit(const struct cor_table_schema *schema, const char *name) {
    uint32_t index = 0;
    while (index < schema->column_count && strcmp(schema->columns[index].name, name) != 0)
        index++;
    COR_ASSERT(index < schema->column_count);
    return UINT64_C(1) << index;
}

/* Starts at the first row. `columns` names what is read beside arm and suite, NULL-terminated; NULL = all. */
static enum cor_status scan_init(struct read__scan *scan, struct cor_result *result, enum cor_table table,
                                 const char *const *columns, struct cor_error *error) {
    const struct cor_table_schema *schema = cor_schema(table);
    *scan = (struct read__scan){.result = result, .table = table};
    scan->columns = columns ? column_bit(schema, "arm") | column_bit(schema, "suite") : UINT64_MAX;
    for (; columns && *columns; columns++)
        scan->columns |= column_bit(schema, *columns);
    const uint64_t size = cor_result_size(result, table);
    scan->rows = cor_calloc(size < ROWS ? (size_t)size : ROWS, schema->row_size);
    return scan->rows ? COR_OK : cor_fail_memory(error);
}

static void scan_fini(struct read__scan *scan) {
    free(scan->rows);
    scan->rows = NULL;
}

/* A row with a value that no build of this program writes makes all figures doubtful, whoever reads them. */
static enum cor_status mean_nothing(const struct cor_table_schema *schema, const struct cor_column *column,
                                    uint64_t row, unsigned value, struct cor_error *error) {
    return read__foreign(error, schema->group, "row %" PRIu64 ": %s is %u, which means nothing", row,
                         column->name, value);
}

static bool is_in_catalog(const struct cor_result_header *head, uint32_t catalog, uint16_t code) {
    size_t i = 0;
    while (i < head->catalog_size[catalog] && head->catalog[catalog][i].code != code)
        i++;
    return i < head->catalog_size[catalog];
}

static enum cor_status check_catalog(const struct cor_result_header *head,
                                     const struct cor_table_schema *schema, const struct cor_column *column,
                                     const unsigned char *rows, uint64_t first, size_t count,
                                     struct cor_error *error) {
    const uint32_t catalog = cor_column_catalog(head->layer, column);
    const bool zero = cor_column_explains_zero(column);
    if (catalog == 0 || catalog == head->layer->catalog_count) /* arms: whether there is such a suite */
        return COR_OK;
    for (size_t i = 0, known = SIZE_MAX; i < count; i++) {
        uint16_t code;
        memcpy(&code, rows + i * schema->row_size + column->offset, sizeof code);
        if (code == known || (code == 0 && zero))
            continue;
        if (!is_in_catalog(head, catalog, code))
            return mean_nothing(schema, column, first + i, code, error);
        known = code;
    }
    return COR_OK;
}

static bool is_share(const struct cor_column *column) {
    static const char *const endings[] = {"probability", "rate", "share", "inertia"};
    const size_t length = strlen(column->name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t size = strlen(endings[i]);
        if (length >= size && strcmp(column->name + length - size, endings[i]) == 0)
            return column->type == COR_TYPE_F64 && strcmp(column->unit, "1") == 0;
    }
    return false;
}

enum cor_status read__check_codes(const struct cor_result_header *head, uint32_t table, uint64_t columns,
                                  const unsigned char *rows, uint64_t first, size_t count,
                                  struct cor_error *error) {
    const struct cor_table_schema *schema = &head->layer->tables[table];
    for (uint32_t c = 0; c < schema->column_count; c++)
        if (columns >> c & 1) {
            if (schema->columns[c].type == COR_TYPE_U8) {
                bool holds[256], any = false;
                for (int value = 0; value < 256; value++) {
                    holds[value] = cor_column_holds(&schema->columns[c], (uint8_t)value);
                    any = any || !holds[value];
                }
                for (size_t i = 0; any && i < count; i++) {
                    const uint8_t value = rows[i * schema->row_size + schema->columns[c].offset];
                    if (!holds[value])
                        return mean_nothing(schema, &schema->columns[c], first + i, value, error);
                }
            }
            if (is_share(&schema->columns[c])) {
                /* NaN where the column says what that means. */
                const bool may_lack = strstr(schema->columns[c].meaning, "NaN") != NULL;
                for (size_t i = 0; i < count; i++) {
                    double value;
                    memcpy(&value, rows + i * schema->row_size + schema->columns[c].offset, sizeof value);
                    if (!(value >= 0 && value <= 1) && !(may_lack && isnan(value)))
                        return read__foreign(error, schema->group,
                                             "row %" PRIu64 ": %s is %g, not between 0 and 1", first + i,
                                             schema->columns[c].name, value);
                }
            }
            COR_TRY(check_catalog(head, schema, &schema->columns[c], rows, first, count, error));
        }
    return COR_OK;
}

/* Makes the buffer hold the next row, if there is one. */
static enum cor_status fill(struct read__scan *scan, struct cor_error *error) {
    if (scan->used < scan->held)
        return COR_OK;
    uint64_t left = cor_result_size(scan->result, scan->table) - scan->next;
    scan->used = 0;
    scan->held = left < ROWS ? (size_t)left : ROWS;
    if (scan->held == 0)
        return COR_OK;
    COR_TRY(cor_result_read_columns(scan->result, scan->table, scan->columns, scan->next, scan->held,
                                    scan->rows, error));
    scan->next += scan->held;
    if (scan->table == COR_TABLE_VIOLATIONS) /* box and check are judged together by those who count them */
        return COR_OK;
    return read__check_codes(cor_result_head(scan->result), scan->table, scan->columns, scan->rows,
                             scan->next - scan->held, scan->held, error);
}

/* The next row in the buffer, NULL if it is used up. */
static const unsigned char *present(const struct read__scan *scan) {
    return scan->used == scan->held ? NULL : scan->rows + scan->used * cor_schema(scan->table)->row_size;
}

static enum cor_status orphan(const struct read__scan *scan, struct cor_row_key key,
                              struct cor_error *error) {
    return cor_damaged(error, scan->table,
                       "row %" PRIu64 " is of arm %u, suite %" PRIu32
                       ": no such suite, or not in ascending order of arm and suite",
                       scan->next - scan->held + scan->used, key.arm, key.suite);
}

/* The next rows of that suite, as many as lie in the buffer; *count is 0 when it has no more. Rows lie in
 * ascending order of (arm, suite): a row that lies before that suite belongs to none and is COR_STATUS_INPUT.
 * Valid until the next call. */
static enum cor_status scan_next(struct read__scan *scan, uint16_t arm, uint32_t suite, const void **rows,
                                 size_t *count, struct cor_error *error) {
    const struct cor_row_key wanted = {arm, suite};
    size_t size = cor_schema(scan->table)->row_size;
    *count = 0;
    COR_TRY(fill(scan, error));
    const unsigned char *row = *rows = present(scan);
    if (row && cor_row_key_before(cor_row_key_of(row), wanted))
        return orphan(scan, cor_row_key_of(row), error);
    for (; scan->used < scan->held; row += size, scan->used++, ++*count)
        if (!cor_row_key_equal(cor_row_key_of(row), wanted))
            break;
    return COR_OK;
}

/* Complains about rows that are left after the last suite. */
static enum cor_status scan_end(struct read__scan *scan, struct cor_error *error) {
    COR_TRY(fill(scan, error));
    const unsigned char *row = present(scan);
    return row ? orphan(scan, cor_row_key_of(row), error) : COR_OK;
}

enum cor_status read__unlike(const char *place, const char *cause, struct cor_error *error) {
    return cor_fail(error, COR_STATUS_INPUT, place, "take another copy, or run the experiment again", "%s",
                    cause);
}

/* ---- suite reader */

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
    scan_fini(&rows->scan); /* a table that is always read may be asked for with more columns */
    rows->wanted = true;
    return scan_init(&rows->scan, reader->result, table, columns, error);
}

enum cor_status cor_suite_reader_create(struct cor_result *result, const struct cor_reading *readings,
                                        size_t reading_count, struct cor_suite_reader **reader,
                                        struct cor_error *error) {
    static const char *const sequence_columns[] = {"sequence", "cases", "executed", NULL};
    COR_DESTROYED(cor_suite_reader) struct cor_suite_reader *made = cor_calloc(1, sizeof *made);
    *reader = NULL;
    if (!made)
        return cor_fail_memory(error);
    made->result = result;
    made->head = cor_result_head(result);
    COR_TRY(open_table(made, COR_TABLE_SUITES, NULL, error));
    COR_TRY(open_table(made, COR_TABLE_BRANCHES, NULL, error));
    COR_TRY(open_table(made, COR_TABLE_STEERED, NULL, error));
    COR_TRY(open_table(made, COR_TABLE_SEQUENCES, sequence_columns, error));
    for (size_t i = 0; i < reading_count; i++)
        COR_TRY(open_table(made, readings[i].table, readings[i].columns, error));
    *reader = cor_taken(&made);
    return COR_OK;
}

void cor_suite_reader_destroy(struct cor_suite_reader *reader) {
    if (!reader)
        return;
    for (size_t t = 0; t < COR_TABLE_COUNT; t++) {
        scan_fini(&reader->table[t].scan);
        free(reader->table[t].rows);
    }
    COR_FREE(reader->sequence, reader);
}

enum cor_status cor_suite_reader_choose(struct cor_suite_reader *reader, uint16_t arm, uint32_t suite,
                                        const char *place, struct cor_error *error) {
    COR_ASSERT(!reader->any_read);
    reader->chosen = true;
    reader->arm = arm;
    reader->only = suite;
    reader->place = place;
    for (size_t t = 0; t < COR_TABLE_COUNT; t++)
        if (reader->table[t].wanted) {
            /* Goes to the first row that does not lie before that suite. */
            struct read__scan *scan = &reader->table[t].scan;
            const struct cor_row_key wanted = {arm, (suite == COR_ANY_SUITE ? 0 : suite)};
            uint64_t low = 0, high = cor_result_size(scan->result, scan->table);
            while (low < high) {
                uint64_t middle = low + (high - low) / 2;
                COR_TRY(cor_result_read_columns(scan->result, scan->table, COR_ROW_KEY_COLUMNS, middle, 1,
                                                scan->rows, error));
                if (cor_row_key_before(cor_row_key_of(scan->rows), wanted))
                    low = middle + 1;
                else
                    high = middle;
            }
            scan->next = low;
            scan->used = scan->held = 0;
        }
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

/* A row is of a case that was executed: walks have no state behind it. */
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
    const struct cor_suite_row *suite = &reader->suite.row;
    reader->suite.arm = cor_arm_of_code(reader->head, suite->arm);
    if (reader->suite.arm == cor_arm_count(reader->head))
        return cor_damaged(error, COR_TABLE_SUITES, "suite %" PRIu32 " is of arm %u, which catalog/arm lacks",
                           suite->suite, suite->arm);
    if (suite->sequences > SEQUENCES_MAX)
        return cor_damaged(error, COR_TABLE_SUITES,
                           "arm %u, suite %" PRIu32 " has %" PRIu32 " sequences, above %u", suite->arm,
                           suite->suite, suite->sequences, SEQUENCES_MAX);
    COR_TRY(COR_RESERVE(&reader->sequence, &reader->sequence_capacity, suite->sequences, error));
    if (suite->sequences > 0)
        memset(reader->sequence, 0, suite->sequences * sizeof *reader->sequence);
    reader->suite.sequence = reader->sequence;
    for (enum cor_table t = 0; t < COR_TABLE_COUNT; t++)
        if (t != COR_TABLE_SUITES && reader->table[t].wanted) {
            struct rows *rows = &reader->table[t];
            size_t size = cor_schema(t)->row_size;
            int (*compare)(const void *, const void *) = order_of(t);
            rows->count = 0;
            for (;;) {
                const void *found;
                size_t count;
                COR_TRY(scan_next(&rows->scan, reader->suite.row.arm, reader->suite.row.suite, &found, &count,
                                  error));
                if (count == 0)
                    break;
                COR_TRY(COR_RESERVE(&rows->rows, &rows->capacity, (rows->count + count) * size, error));
                memcpy(rows->rows + rows->count * size, found, count * size);
                rows->count += count;
            }
            if (compare) {
                for (size_t i = 0; i < rows->count; i++) {
                    struct key key = {0};
                    memcpy(&key, rows->rows + i * size, offsetof(struct key, number));
                    if (key.sequence >= suite->sequences)
                        return cor_damaged(
                            error, t, "arm %u, suite %" PRIu32 " has %" PRIu32 " sequences, found number %u",
                            suite->arm, suite->suite, suite->sequences, key.sequence);
                }
                put_in_order(rows, size, compare);
            }
            reader->suite.table[t].row = rows->rows;
            reader->suite.table[t].count = rows->count;
        }
    COR_TRY(link_sequences(reader, error));
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

enum cor_status cor_suite_reader_next(struct cor_suite_reader *reader, const struct cor_suite_rows **suite,
                                      struct cor_error *error) {
    const void *row;
    *suite = NULL;
    /* The next row whatever its suite, NULL in *row at the end of the table. */
    struct read__scan *scan = &reader->table[COR_TABLE_SUITES].scan;
    COR_TRY(fill(scan, error));
    row = present(scan);
    scan->used += row != NULL;
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
                COR_TRY(scan_end(&reader->table[t].scan, error));
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

/* ---- is a suite whole? For those who build on its numbering */

/* Tables PROFILES and CHAINS; a table without rows is one with too few. */
static enum cor_status check_chains(const struct cor_suite_rows *suite, unsigned states_max,
                                    struct cor_error *error) {
    const struct cor_profile_row *profile = suite->table[COR_TABLE_PROFILES].row;
    const struct cor_chain_row *chain = suite->table[COR_TABLE_CHAINS].row;
    size_t profiles = suite->table[COR_TABLE_PROFILES].count;
    for (size_t p = 0; p < profiles; p++)
        if (profile[p].profile != p || profile[p].states == 0 || profile[p].states > states_max)
            return cor_damaged(
                error, COR_TABLE_PROFILES,
                "arm %u, suite %" PRIu32 ": profile %u of %u states, expected profile %zu of 1 to %u states",
                suite->row.arm, suite->row.suite, profile[p].profile, profile[p].states, p, states_max);
    for (size_t c = 0; c < suite->table[COR_TABLE_CHAINS].count; c++)
        if (chain[c].chain != c || chain[c].profile >= profiles)
            return cor_damaged(error, COR_TABLE_CHAINS,
                               "arm %u, suite %" PRIu32 ": chain %" PRIu32
                               " of profile %u, expected chain %zu of one of %zu profiles",
                               suite->row.arm, suite->row.suite, chain[c].chain, chain[c].profile, c,
                               profiles);
    return COR_OK;
}

static enum cor_status check_case_check(const struct cor_suite_rows *suite, enum cor_table table,
                                        uint32_t sequence, uint32_t number, struct cor_error *error) {
    if (number >= 1 && number <= suite->sequence[sequence].row->executed)
        return COR_OK;
    return cor_damaged(error, table,
                       "arm %u, suite %" PRIu32 ": sequence %" PRIu32 ", case %" PRIu32 " was not executed",
                       suite->row.arm, suite->row.suite, sequence, number);
}

/* Rows are in order, so the first and the last case tell of all. */
#define CHECK_CASES(TABLE, rows, count)                                                      \
    do {                                                                                     \
        if ((count) > 0) {                                                                   \
            COR_TRY(check_case_check(suite, TABLE, number, (rows)[0].case_, error));         \
            COR_TRY(check_case_check(suite, TABLE, number, (rows)[(count)-1].case_, error)); \
        }                                                                                    \
    } while (0)

enum cor_status read__check_numbers(const struct cor_suite_rows *suite, const struct cor_result *result,
                                    struct cor_error *error) {
    uint64_t walk_bytes = cor_result_vector_size(result, COR_VECTOR_WALK);
    size_t chains = suite->table[COR_TABLE_CHAINS].count;
    if (chains != suite->row.chains)
        return cor_damaged(error, COR_TABLE_CHAINS,
                           "arm %u, suite %" PRIu32 " has %zu rows, expected %" PRIu32, suite->row.arm,
                           suite->row.suite, chains, suite->row.chains);
    for (uint32_t number = 0; number < suite->row.sequences; number++) {
        const struct cor_sequence_rows *sequence = &suite->sequence[number];
        const struct cor_sequence_row *row = sequence->row;
        if (!row)
            return cor_damaged(error, COR_TABLE_SEQUENCES,
                               "arm %u, suite %" PRIu32 ": sequence %" PRIu32 " is missing", suite->row.arm,
                               suite->row.suite, number);
        if (row->executed > row->cases)
            return cor_damaged(error, COR_TABLE_SEQUENCES,
                               "arm %u, suite %" PRIu32 ": sequence %" PRIu32 " executed %" PRIu32
                               " of %" PRIu32 " cases",
                               suite->row.arm, suite->row.suite, number, row->executed, row->cases);
        uint64_t needed = (uint64_t)suite->row.chains * ((uint64_t)row->cases + 1);
        if (row->walk_start > walk_bytes || needed > walk_bytes - row->walk_start)
            return cor_damaged(error, COR_TABLE_SEQUENCES,
                               "arm %u, suite %" PRIu32 ": the walk of sequence %" PRIu32
                               " ends behind vectors/walk",
                               suite->row.arm, suite->row.suite, number);
        if (sequence->branch) {
            /* A branch is of an earlier sequence that is at least as long as what both share. */
            if (sequence->branch->parent >= sequence->branch->sequence ||
                sequence->branch->prefix > suite->sequence[sequence->branch->parent].row->executed)
                return cor_damaged(error, COR_TABLE_BRANCHES,
                                   "arm %u, suite %" PRIu32
                                   ": sequence %u cannot continue %u behind case %" PRIu32,
                                   suite->row.arm, suite->row.suite, sequence->branch->sequence,
                                   sequence->branch->parent, sequence->branch->prefix);
        }
        CHECK_CASES(COR_TABLE_CASES, sequence->cases, sequence->case_count);
        CHECK_CASES(COR_TABLE_REORGANIZATIONS, sequence->reorganizations, sequence->reorganization_count);
        CHECK_CASES(COR_TABLE_FAILURES, sequence->failures, sequence->failure_count);
        CHECK_CASES(COR_TABLE_VIOLATIONS, sequence->violations, sequence->violation_count);
    }
    return COR_OK;
}

enum cor_status cor_suite_check(const struct cor_suite_rows *suite, const struct cor_result *result,
                                struct cor_error *error) {
    COR_TRY(check_chains(suite, COR_STATES_MAX, error));
    return read__check_numbers(suite, result, error);
}

enum cor_status cor_environment_check(const struct cor_suite_rows *suite, struct cor_error *error) {
    const struct cor_profile_row *profile = suite->table[COR_TABLE_PROFILES].row;
    const struct cor_transition_row *arc = suite->table[COR_TABLE_TRANSITIONS].row;
    size_t profiles = suite->table[COR_TABLE_PROFILES].count;
    COR_TRY(check_chains(suite, COR_BYTE_STATES, error));
    for (size_t i = 0; i < suite->table[COR_TABLE_TRANSITIONS].count; i++) {
        uint32_t states = arc[i].profile < profiles ? profile[arc[i].profile].states : 0;
        if (arc[i].from >= states || arc[i].to >= states)
            return cor_damaged(error, COR_TABLE_TRANSITIONS,
                               "arm %u, suite %" PRIu32 ": profile %u has no transition %u to %u",
                               suite->row.arm, suite->row.suite, arc[i].profile, arc[i].from, arc[i].to);
    }
    return COR_OK;
}

size_t cor_arm_of_code(const struct cor_result_header *head, uint16_t code) {
    size_t a = 0;
    while (a < cor_arm_count(head) && cor_arm_entry(head, a)->code != code)
        a++;
    return a;
}

/* ---- windows on the walks */

#define WINDOW (4u << 20) /* bytes of walks read at a time; less where there are fewer */

enum cor_status cor_walk_window_init(struct cor_walk_window *window, struct cor_result *result,
                                     struct cor_error *error) {
    const uint64_t size = cor_result_vector_size(result, COR_VECTOR_WALK);
    *window = (struct cor_walk_window){.result = result,
                                       .bytes = cor_calloc(size < WINDOW ? (size_t)size + 1 : WINDOW, 1)};
    return window->bytes ? COR_OK : cor_fail_memory(error);
}

void cor_walk_window_fini(struct cor_walk_window *window) {
    free(window->bytes);
    *window = (struct cor_walk_window){0};
}

/* Side by side in lanes, so that a compiler may use vectors. */
static uint8_t greatest(const uint8_t *bytes, size_t count) {
    enum { LANES = 16 };
    uint8_t lane[LANES] = {0}, most = 0;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (size_t l = 0; l < LANES; l++)
            lane[l] = bytes[i + l] > lane[l] ? bytes[i + l] : lane[l];
    for (; i < count; i++)
        most = bytes[i] > most ? bytes[i] : most;
    for (size_t l = 0; l < LANES; l++)
        most = lane[l] > most ? lane[l] : most;
    return most;
}

enum cor_status cor_walk_look(struct cor_walk_window *window, uint64_t position, uint64_t wanted,
                              uint32_t states, const uint8_t **bytes, size_t *count,
                              struct cor_error *error) {
    COR_ASSERT(wanted > 0);
    if (position < window->start || position - window->start >= window->size) {
        uint64_t size = cor_result_vector_size(window->result, COR_VECTOR_WALK);
        uint64_t left = position < size ? size - position : 0;
        window->start = position;
        window->size = 0;
        if (left == 0)
            return cor_damaged(error, COR_TABLE_SEQUENCES,
                               "a walk begins or ends behind the %" PRIu64 " bytes of vectors/walk", size);
        size_t taken = left < WINDOW ? (size_t)left : WINDOW;
        COR_TRY(
            cor_result_read_vector(window->result, COR_VECTOR_WALK, position, taken, window->bytes, error));
        window->size = taken;
    }
    size_t offset = (size_t)(position - window->start), held = window->size - offset;
    *bytes = window->bytes + offset;
    *count = wanted < held ? (size_t)wanted : held;
    uint8_t most = greatest(*bytes, *count);
    if (most >= states)
        return cor_damaged(error, COR_TABLE_SEQUENCES,
                           "a walk visits state %u of a profile of %" PRIu32 " states", most, states);
    return COR_OK;
}

enum cor_status cor_sequence_walk_read(struct cor_sequence_walk *walk, const struct cor_suite_rows *suite,
                                       uint32_t sequence, struct cor_result *result,
                                       struct cor_error *error) {
    COR_ASSERT(sequence < suite->row.sequences && suite->sequence[sequence].row);
    const struct cor_sequence_row *row = suite->sequence[sequence].row;
    const struct cor_chain_row *chain = suite->table[COR_TABLE_CHAINS].row;
    const struct cor_profile_row *profile = suite->table[COR_TABLE_PROFILES].row;
    walk->length = (size_t)row->cases + 1;
    size_t size = walk->length * suite->row.chains;
    COR_TRY(COR_RESERVE(&walk->states, &walk->capacity, size, error));
    COR_TRY(cor_result_read_vector(result, COR_VECTOR_WALK, row->walk_start, size, walk->states, error));
    for (uint32_t c = 0; c < suite->row.chains; c++) {
        uint8_t most = greatest(walk->states + c * walk->length, walk->length);
        if (most >= profile[chain[c].profile].states)
            return cor_damaged(error, COR_TABLE_SEQUENCES,
                               "arm %u, suite %" PRIu32 ": the walk of sequence %" PRIu32
                               " visits state %u of a profile of %u states",
                               suite->row.arm, suite->row.suite, sequence, most,
                               profile[chain[c].profile].states);
    }
    return COR_OK;
}

void cor_sequence_walk_fini(struct cor_sequence_walk *walk) {
    free(walk->states);
    *walk = (struct cor_sequence_walk){0};
}

/* ---- state names */

void cor_state_names_init(struct cor_state_names *names, const struct cor_result *result) {
    struct cor_error unread = COR_NO_ERROR;
    *names = (struct cor_state_names){.result = result};
    /* names are a service: without them states are numbered */
    if (cor_json_parse(cor_result_head(result)->experiment, "/experiment", &names->document, &unread) !=
        COR_OK)
        names->document = NULL;
}

void cor_state_names_fini(struct cor_state_names *names) {
    cor_json_destroy(names->document);
    names->document = NULL;
}

const char *cor_environment_name(const struct cor_state_names *names, uint16_t environment) {
    return cor_result_name(names->result, COR_CATALOG_ENVIRONMENT, environment);
}

/* What `use` is asked of /model/environments/NAME/profile; false if there is no such thing. The way there is
 * kept on the stack, as struct cor_json wants it. */
static bool with_profile(const struct cor_state_names *names, uint16_t environment,
                         bool (*use)(const struct cor_json *profile, uint32_t state, void *into),
                         uint32_t state, void *into) {
    struct cor_json model, environments, one, profile;
    if (!names->document)
        return false;
    struct cor_json root = cor_json_root(names->document);
    return cor_json_find(&root, "model", &model) && cor_json_find(&model, "environments", &environments) &&
           cor_json_find(&environments, cor_environment_name(names, environment), &one) &&
           cor_json_find(&one, "profile", &profile) && use(&profile, state, into);
}

static bool is_there(const struct cor_json *profile, uint32_t state, void *into) {
    (void)state;
    (void)into;
    return cor_json_is_object(profile);
}

bool cor_is_profile_given(const struct cor_state_names *names, uint16_t environment) {
    return with_profile(names, environment, is_there, 0, NULL);
}

static bool take_name(const struct cor_json *profile, uint32_t state, void *text) {
    struct cor_json states;
    const char *name;
    if (!cor_json_find(profile, "states", &states) || state >= cor_json_size(&states))
        return false;
    struct cor_json item = cor_json_at(&states, state);
    if (!cor_json_is_string(&item) || cor_json_string(&item, &name, NULL) != COR_OK ||
        !cor_is_printable(name))
        return false;
    snprintf(text, COR_STATE_NAME, "%s", name);
    return true;
}

void cor_state_name(const struct cor_state_names *names, uint16_t environment, uint32_t state,
                    char text[COR_STATE_NAME]) {
    if (!with_profile(names, environment, take_name, state, text))
        snprintf(text, COR_STATE_NAME, "state %u", state);
}

/* The state of a profile called `name`; `states` if there is none. */
static uint32_t state_called(const struct cor_json *profile, uint32_t states, const char *name) {
    for (uint32_t i = 0; i < states; i++) {
        char its[COR_STATE_NAME];
        if (take_name(profile, i, its) && strcmp(its, name) == 0)
            return i;
    }
    return states;
}

static bool take_start(const struct cor_json *profile, uint32_t states, void *into) {
    struct cor_json start;
    const char *name;
    double law[UINT8_MAX + 1] = {0}, sum = 0;
    if (!cor_json_find(profile, "start", &start) || states > UINT8_MAX)
        return false;
    if (cor_json_is_string(&start)) {
        if (cor_json_string(&start, &name, NULL) != COR_OK)
            return false;
        law[state_called(profile, states, name)] = 1;
    } else if (cor_json_is_object(&start)) {
        COR_JSON_CHILDREN(item, &start) {
            if (cor_json_real(&item, 0, 1, &law[state_called(profile, states, item.key)], NULL) != COR_OK)
                return false;
        }
    }
    for (uint32_t i = 0; i < states; i++)
        sum += law[i];
    if (!(fabs(sum - 1) <= 1e-6)) /* "stationary", or no law: what is not of a state was put behind them */
        return false;
    memcpy(into, law, states * sizeof *law);
    return true;
}

void cor_profile_start(const struct cor_state_names *names, uint16_t environment, uint32_t states,
                       double *start) {
    (void)with_profile(names, environment, take_start, states, start);
}
