/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A suite executed again with more sequences: what was there must be the same, byte for byte, and every byte
 * of it counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample.h"

#include "frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OLD = 3, NEW = 5, CASES = 4 };

/* What is made otherwise than it should be, for the test. */
struct flaw {
    int sequence, row; /* of the row; -1 = none */
    bool walk, fewer;  /* a byte of the walk; one row less */
};

static const struct flaw none = {-1, -1, false, false};

/* A suite of so many sequences: sums over all of them, and rows and walk of each. */
static void fill(struct cor_record *record, uint32_t sequences, const struct flaw *flaw) {
    struct cor_error error = COR_NO_ERROR;
    cor_record_begin(record, 1, 7);
    struct cor_visit_row *sum = cor_record_row(record, COR_TABLE_VISITS, &error);
    assert_non_null(sum);
    sum->count = (uint64_t)10 * sequences; /* of a table that names no sequence */
    for (uint32_t s = 0; s < sequences; s++) {
        unsigned char walk[CASES] = {(unsigned char)s, 1, 2, (unsigned char)(3 + (flaw->walk && s == 1))};
        struct cor_sequence_row *sequence = cor_record_row(record, COR_TABLE_SEQUENCES, &error);
        assert_non_null(sequence);
        sequence->sequence = (uint16_t)s;
        SAMPLE_OK(cor_record_put(record, COR_VECTOR_WALK, walk, sizeof walk, &sequence->walk_start, &error));
        for (uint32_t i = 0; i < CASES; i++) {
            if (flaw->fewer && s == OLD - 1 && i == CASES - 1)
                continue;
            struct cor_case_row *row = cor_record_row(record, COR_TABLE_CASES, &error);
            assert_non_null(row);
            row->sequence = (uint16_t)s;
            row->case_ = i + 1;
            row->dissimilarity = (float)(s + (flaw->sequence == (int)s && flaw->row == (int)i));
        }
    }
}

static struct cor_journal_entry write(const char *path, uint32_t sequences, const struct flaw *flaw) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_journal *journal;
    struct cor_record *record;
    struct cor_journal_entry *entries, entry;
    size_t count;
    uint64_t torn;
    remove(path);
    SAMPLE_OK(cor_record_create(&cor_interaction_schema, &record, &error));
    SAMPLE_OK(cor_journal_create(path, &journal, &error));
    fill(record, sequences, flaw);
    SAMPLE_OK(cor_journal_append(journal, record, &error));
    cor_journal_close(journal);
    cor_record_destroy(record);
    SAMPLE_OK(cor_journal_scan(&cor_interaction_schema, path, &entries, &count, &torn, &error));
    assert_int_equal(count, 1);
    entry = entries[0];
    free(entries);
    return entry;
}

static bool is_same(const struct flaw *flaw) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_journal_entry old = write("old", OLD, &none), now = write("new", NEW, flaw);
    bool same = false;
    SAMPLE_OK(
        cor_journal_compare_sequences(&cor_interaction_schema, "old", &old, "new", &now, OLD, &same, &error));
    return same;
}

static void sequences_that_were_there_are_compared_and_no_others(void **state) {
    (void)state;
    assert_true(is_same(&none));
    for (int s = 0; s < NEW; s++)
        for (int row = 0; row < CASES; row++)
            assert_int_equal(is_same(&(struct flaw){s, row, false, false}), s >= OLD);
}

static void walks_and_missing_rows_are_differences_too(void **state) {
    (void)state;
    assert_false(is_same(&(struct flaw){-1, -1, true, false}));
    assert_false(is_same(&(struct flaw){-1, -1, false, true}));
}

static void a_suite_of_as_many_sequences_is_the_same_as_itself(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_journal_entry old = write("old", OLD, &none), now = write("new", OLD, &none);
    bool same = false;
    SAMPLE_OK(
        cor_journal_compare_sequences(&cor_interaction_schema, "old", &old, "new", &now, OLD, &same, &error));
    assert_true(same);
    /* More rows than there were are a difference, too: a vector that ends early, a row that was not there. */
    now = write("new", OLD, &(struct flaw){-1, -1, false, true});
    SAMPLE_OK(
        cor_journal_compare_sequences(&cor_interaction_schema, "new", &now, "old", &old, OLD, &same, &error));
    assert_false(same);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequences_that_were_there_are_compared_and_no_others),
        cmocka_unit_test(walks_and_missing_rows_are_differences_too),
        cmocka_unit_test(a_suite_of_as_many_sequences_is_the_same_as_itself),
    };
    return cmocka_run_group_tests_name("sequences", tests, sample_enter, sample_leave);
}
