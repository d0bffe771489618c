/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "book.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What every row that belongs to a case begins with, as far as it is compared. */
struct place {
    uint16_t sequence;
    uint32_t number; /* of the case; 0 in table sequences */
};

static struct place place_of(enum cor_table table, const unsigned char *row) {
    switch (table) {
    case COR_TABLE_BRANCHES:
        return (struct place){((const struct cor_branch_row *)(const void *)row)->sequence, 0};
    case COR_TABLE_SEQUENCES:
        return (struct place){((const struct cor_sequence_row *)(const void *)row)->sequence, 0};
    case COR_TABLE_CASES: {
        const struct cor_case_row *it = (const void *)row;
        return (struct place){it->sequence, it->case_};
    }
    case COR_TABLE_REORGANIZATIONS: {
        const struct cor_reorganization_row *it = (const void *)row;
        return (struct place){it->sequence, it->case_};
    }
    default: {
        const struct cor_violation_row *it = (const void *)row;
        return (struct place){it->sequence, it->case_};
    }
    }
}

static int compare(enum cor_table table, const void *one, const void *other) {
    struct place a = place_of(table, one), b = place_of(table, other);
    if (a.sequence != b.sequence)
        return a.sequence < b.sequence ? -1 : 1;
    return a.number < b.number ? -1 : a.number > b.number;
}

static int compare_sequences(const void *one, const void *other) {
    return compare(COR_TABLE_SEQUENCES, one, other);
}
static int compare_cases(const void *one, const void *other) {
    return compare(COR_TABLE_CASES, one, other);
}
static int compare_reorganizations(const void *one, const void *other) {
    return compare(COR_TABLE_REORGANIZATIONS, one, other);
}
static int compare_violations(const void *one, const void *other) {
    return compare(COR_TABLE_VIOLATIONS, one, other);
}

static const struct source { /* in an order in which each finds what it refers to */
    enum cor_table table;
    int (*compare)(const void *one, const void *other);
    const char *columns[20];
} sources[] = {
    {COR_TABLE_BRANCHES, NULL, {"sequence"}},
    {COR_TABLE_SEQUENCES, compare_sequences, {"sequence", "cases", "executed"}},
    {COR_TABLE_REORGANIZATIONS,
     compare_reorganizations,
     {"sequence", "case", "gray", "black", "stop", "smoke", "spent", "rounds", "messages", "moved",
      "fault_activated", "inside_after", "dissimilarity_before", "dissimilarity_after"}},
    {COR_TABLE_CASES, compare_cases, {"sequence", "case", "inside", "reorganized"}},
    {COR_TABLE_VIOLATIONS, compare_violations, {"sequence", "case", "box", "check"}},
};
#define SOURCES (sizeof sources / sizeof *sources)

static const char *const suite_columns[] = {"agents", "sequences", "threshold", "configuration_hash", NULL};

static bool is_read(const struct cor__book *book, enum cor_table table) {
    return table == (book->with_cases ? COR_TABLE_CASES : COR_TABLE_VIOLATIONS) ||
           (table != COR_TABLE_CASES && table != COR_TABLE_VIOLATIONS);
}

enum cor_status cor__book_init(struct cor__book *book, struct cor_result *result, bool with_cases,
                               struct cor_error *error) {
    *book = (struct cor__book){.with_cases = with_cases};
    enum cor_status status =
        cor__cursor_init(&book->cursor[COR_TABLE_SUITES], result, COR_TABLE_SUITES, suite_columns, error);
    for (size_t i = 0; i < SOURCES && status == COR_OK; i++)
        if (is_read(book, sources[i].table))
            status = cor__cursor_init(&book->cursor[sources[i].table], result, sources[i].table,
                                      sources[i].columns, error);
    return status;
}

void cor__book_fini(struct cor__book *book) {
    free(book->continues);
    for (size_t t = 0; t < COR_TABLE_COUNT; t++) {
        cor__cursor_fini(&book->cursor[t]);
        free(book->page[t].rows);
    }
    *book = (struct cor__book){0};
}

/* Merging leaves rows in order; another writer need not. */
static void put_in_order(struct cor__page *page, const struct source *source, size_t size) {
    for (size_t i = 1; i < page->count && source->compare; i++)
        if (source->compare(page->rows + (i - 1) * size, page->rows + i * size) > 0) {
            qsort(page->rows, page->count, size, source->compare);
            return;
        }
}

static enum cor_status put_row(struct cor__book *book, enum cor_table table, const void *row, size_t size,
                               struct cor_error *error) {
    struct cor__page *page = &book->page[table];
    const struct cor_suite_row *suite = &book->suite;
    uint16_t sequence = place_of(table, row).sequence;
    if (sequence >= suite->sequences)
        return cor__damaged(error, table,
                            "arm %u, suite %" PRIu32 " has %" PRIu32 " sequences, found number %u",
                            suite->arm, suite->suite, suite->sequences, sequence);
    if (table == COR_TABLE_BRANCHES) {
        book->left_out += !book->continues[sequence];
        book->continues[sequence] = true;
        return COR_OK;
    }
    if (book->continues[sequence])
        return COR_OK;
    enum cor_status status = COR_RESERVE(&page->rows, &page->capacity, (page->count + 1) * size, error);
    if (status == COR_OK)
        memcpy(page->rows + page->count++ * size, row, size);
    return status;
}

static enum cor_status read_page(struct cor__book *book, const struct source *source,
                                 struct cor_error *error) {
    struct cor__page *page = &book->page[source->table];
    size_t size = cor_schema(source->table)->row_size;
    enum cor_status status;
    const void *row;
    page->count = 0;
    do {
        status =
            cor__cursor_next(&book->cursor[source->table], book->suite.arm, book->suite.suite, &row, error);
        if (status == COR_OK && row)
            status = put_row(book, source->table, row, size, error);
    } while (status == COR_OK && row);
    put_in_order(page, source, size);
    return status;
}

/* Each sequence has at most one row. */
static enum cor_status check_sequences(struct cor__book *book, struct cor_error *error) {
    const struct cor_suite_row *suite = &book->suite;
    size_t count;
    const struct cor_sequence_row *rows = cor__book_rows(book, COR_TABLE_SEQUENCES, &count);
    for (size_t i = 1; i < count; i++)
        if (rows[i].sequence == rows[i - 1].sequence)
            return cor__damaged(error, COR_TABLE_SEQUENCES,
                                "arm %u, suite %" PRIu32 ": sequence %u occurs twice", suite->arm,
                                suite->suite, rows[i].sequence);
    return COR_OK;
}

static enum cor_status read_suite(struct cor__book *book, struct cor_error *error) {
    size_t sequences = book->suite.sequences;
    enum cor_status made = COR_RESERVE(&book->continues, &book->continues_capacity, sequences, error);
    if (made != COR_OK)
        return made;
    if (sequences > 0)
        memset(book->continues, 0, sequences * sizeof *book->continues);
    for (size_t i = 0; i < SOURCES; i++) {
        if (!is_read(book, sources[i].table))
            continue;
        enum cor_status status = read_page(book, &sources[i], error);
        if (status != COR_OK)
            return status;
    }
    return check_sequences(book, error);
}

static enum cor_status end(struct cor__book *book, struct cor_error *error) {
    for (size_t i = 0; i < SOURCES; i++) {
        if (!is_read(book, sources[i].table))
            continue;
        enum cor_status status = cor__cursor_end(&book->cursor[sources[i].table], error);
        if (status != COR_OK)
            return status;
    }
    return COR_OK;
}

enum cor_status cor__book_next(struct cor__book *book, bool *there, struct cor_error *error) {
    const void *row;
    enum cor_status status = cor__cursor_any(&book->cursor[COR_TABLE_SUITES], &row, error);
    *there = status == COR_OK && row;
    if (status != COR_OK)
        return status;
    if (!row)
        return end(book, error);
    book->suite = *(const struct cor_suite_row *)row;
    return read_suite(book, error);
}

size_t cor__arm_index(const struct cor_result_header *head, uint16_t code) {
    size_t a = 0;
    while (a < head->catalog_size[COR_CATALOG_ARM] && head->catalog[COR_CATALOG_ARM][a].code != code)
        a++;
    return a;
}

enum cor_status cor__arm_missing(uint16_t code, struct cor_error *error) {
    return cor__damaged(error, COR_TABLE_SUITES, "a suite is of arm %u, which catalog/arm does not have",
                        code);
}
