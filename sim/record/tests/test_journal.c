/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a journal gives back after all that may happen to a file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample.h"

#include "frame.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SUITES = 4, ARM = 2 };

/* Writes a journal of suites 0 .. SUITES - 1. */
static void write_journal(const char *path, uint32_t scale) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_journal *journal;
    struct cor_record *record;
    remove(path);
    SAMPLE_OK(cor_record_create(&cor_interaction_schema, &record, &error));
    SAMPLE_OK(cor_journal_create(path, &journal, &error));
    for (uint32_t s = 0; s < SUITES; s++) {
        sample_fill(record, ARM, s, scale);
        SAMPLE_OK(cor_journal_append(journal, record, &error));
    }
    cor_journal_close(journal);
    cor_record_destroy(record);
}

/* Scans, and checks that each suite found is one that was written, in its order and with its rows. */
static size_t check_journal(const char *path, uint32_t scale, uint64_t *torn, uint64_t *ends) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_journal_entry *entries;
    struct cor_record *record, *expected;
    size_t count;
    SAMPLE_OK(cor_record_create(&cor_interaction_schema, &record, &error));
    SAMPLE_OK(cor_record_create(&cor_interaction_schema, &expected, &error));
    SAMPLE_OK(cor_journal_scan(&cor_interaction_schema, path, &entries, &count, torn, &error));
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(entries[i].arm, ARM);
        assert_true(entries[i].suite < SUITES && (i == 0 || entries[i].suite > entries[i - 1].suite));
        SAMPLE_OK(cor_journal_read(path, &entries[i], record, &error));
        sample_fill(expected, ARM, entries[i].suite, scale);
        sample_check_equal(record, expected);
        if (ends)
            ends[i] = entries[i].offset + entries[i].size;
    }
    free(entries);
    cor_record_destroy(record);
    cor_record_destroy(expected);
    return count;
}

/* A frame that was sent is taken only as the suite that was asked for, of the campaign that asked. */
static void a_frame_says_what_it_is_of(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    const struct cor_journal_entry wanted = {.arm = ARM, .suite = 5, .origin = UINT64_C(0xFEDCBA9876543210)};
    struct cor_journal_entry others[] = {wanted, wanted, wanted}, *entries;
    struct cor_suite_counts counts;
    struct cor_journal *journal;
    struct cor_record *record;
    unsigned char *bytes = NULL;
    size_t capacity = 0, size, count;
    uint64_t torn;
    remove("sent");
    SAMPLE_OK(cor_record_create(&cor_interaction_schema, &record, &error));
    sample_fill(record, ARM, 5, 3);
    cor_record_origin(record, wanted.origin);
    SAMPLE_OK(cor_record_frame(record, &bytes, &capacity, &size, &error));
    SAMPLE_OK(cor_journal_create("sent", &journal, &error));
    others[0].arm++;
    others[1].suite++;
    others[2].origin ^= 1;
    for (size_t i = 0; i < 3; i++) {
        struct cor_error trouble = COR_NO_ERROR;
        assert_int_equal(cor_journal_write_frame(journal, &cor_interaction_schema, &others[i], bytes, size,
                                                 &counts, &trouble),
                         COR_STATUS_INPUT);
    }
    SAMPLE_OK(
        cor_journal_write_frame(journal, &cor_interaction_schema, &wanted, bytes, size, &counts, &error));
    cor_journal_close(journal);
    SAMPLE_OK(cor_journal_scan(&cor_interaction_schema, "sent", &entries, &count, &torn, &error));
    assert_int_equal(count, 1);
    assert_true(entries[0].origin == wanted.origin);
    SAMPLE_OK(cor_journal_read("sent", &entries[0], record, &error));
    entries[0].origin++;
    assert_int_equal(cor_journal_read("sent", &entries[0], record, &error), COR_STATUS_FILE);
    free(entries);
    free(bytes);
    cor_record_destroy(record);
}

static void suites_come_back_as_they_were_appended(void **state) {
    (void)state;
    uint64_t torn;
    for (uint32_t scale = 0; scale < 200; scale = 3 * scale + 1) {
        write_journal("round", scale);
        assert_int_equal(check_journal("round", scale, &torn, NULL), SUITES);
        assert_int_equal(torn, 0);
    }
}

/* Which NaN an operation gives differs between compilers; the file must not. */
static void every_nan_is_written_alike(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_record *record;
    struct cor_journal *journal;
    size_t size[2];
    unsigned char *bytes[2];
    SAMPLE_OK(cor_record_create(&cor_interaction_schema, &record, &error));
    for (int i = 0; i < 2; i++) {
        const char *path = i == 0 ? "nan-0" : "nan-1";
        cor_record_begin(record, 0, 0);
        struct cor_case_row *row = cor_record_row(record, COR_TABLE_CASES, &error);
        row->dissimilarity = i == 0 ? NAN : -NAN;
        struct cor_agent_row *agent = cor_record_row(record, COR_TABLE_AGENTS, &error);
        memcpy(&agent->value, i == 0 ? &(uint64_t){0x7FF8000000000000} : &(uint64_t){0xFFF8000000000123}, 8);
        SAMPLE_OK(cor_journal_create(path, &journal, &error));
        SAMPLE_OK(cor_journal_append(journal, record, &error));
        cor_journal_close(journal);
        bytes[i] = sample_read(path, &size[i]);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
    cor_record_destroy(record);
}

/* Cut anywhere: all whole frames before the cut are there, and the rest is counted as torn. */
static void a_torn_tail_costs_only_the_suites_in_it(void **state) {
    (void)state;
    size_t size;
    uint64_t torn, ends[SUITES];
    write_journal("whole", 1);
    assert_int_equal(check_journal("whole", 1, &torn, ends), SUITES);
    unsigned char *bytes = sample_read("whole", &size);
    for (size_t cut = 0; cut <= size; cut++) {
        size_t whole = 0;
        while (whole < SUITES && ends[whole] <= cut)
            whole++;
        sample_write("cut", bytes, cut);
        assert_int_equal(check_journal("cut", 1, &torn, NULL), whole);
        assert_int_equal(torn, cut - (whole > 0 ? ends[whole - 1] : 0));
    }
    free(bytes);
}

/* Every single flipped byte costs exactly the suite it lies in, and nothing wrong is ever read. */
static void a_flipped_byte_costs_only_the_suite_it_lies_in(void **state) {
    (void)state;
    size_t size;
    uint64_t torn, ends[SUITES];
    write_journal("whole", 1);
    assert_int_equal(check_journal("whole", 1, &torn, ends), SUITES);
    unsigned char *bytes = sample_read("whole", &size);
    for (size_t i = 0; i < size; i++) {
        unsigned char mask = (unsigned char)(1U << (i % 8));
        bytes[i] ^= mask;
        sample_write("flipped", bytes, size);
        bytes[i] ^= mask;
        assert_int_equal(check_journal("flipped", 1, &torn, NULL), SUITES - 1);
        assert_int_equal(torn, i >= ends[SUITES - 2] ? ends[SUITES - 1] - ends[SUITES - 2] : 0);
    }
    free(bytes);
}

/* Where the header is whole it says whose rows are not. */
static void a_damaged_suite_is_named_where_its_header_is_whole(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_journal_entry *entries;
    size_t size, count;
    uint64_t torn, ends[SUITES];
    write_journal("whole", 1);
    assert_int_equal(check_journal("whole", 1, &torn, ends), SUITES);
    unsigned char *bytes = sample_read("whole", &size);
    for (size_t i = 0; i < size; i++) {
        size_t suite = 0;
        while (i >= ends[suite])
            suite++;
        bool in_header = i < (suite == 0 ? 0 : ends[suite - 1]) + RECORD__FRAME_HEADER_SIZE;
        bytes[i] ^= 0x40;
        sample_write("flipped", bytes, size);
        bytes[i] ^= 0x40;
        SAMPLE_OK(cor_journal_scan_damaged(&cor_interaction_schema, "flipped", &entries, &count, &error));
        assert_int_equal(count, in_header ? 0 : 1);
        if (count > 0)
            assert_int_equal(entries[0].suite, suite);
        free(entries);
    }
    free(bytes);
}

/* Bytes lost or inserted in the middle, more than a block of the scanner: later frames are found again. */
static void suites_after_lost_or_inserted_bytes_are_found(void **state) {
    (void)state;
    size_t size, junk_size = 3000000;
    uint64_t torn, ends[SUITES];
    write_journal("whole", 20);
    assert_int_equal(check_journal("whole", 20, &torn, ends), SUITES);
    unsigned char *bytes = sample_read("whole", &size), *other = malloc(size + junk_size);
    assert_non_null(other);
    for (size_t shift = 0; shift < 20; shift++) { /* the magic lies across the border of two blocks as well */
        size_t junk = junk_size - shift, at = ends[1] - 10;
        memset(other, 'C', size + junk_size);
        memcpy(other, bytes, at);
        memcpy(other + at + junk, bytes + at, size - at);
        sample_write("other", other, size + junk);
        assert_int_equal(check_journal("other", 20, &torn, NULL), SUITES - 1);
        assert_int_equal(torn, 0);
    }
    memcpy(other, bytes, ends[0] + 5);
    memcpy(other + ends[0] + 5, bytes + ends[1], size - ends[1]);
    sample_write("other", other, ends[0] + 5 + size - ends[1]);
    assert_int_equal(check_journal("other", 20, &torn, NULL), SUITES - 1);
    free(other);
    free(bytes);
}

static void a_suite_damaged_after_the_scan_is_refused(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_journal_entry *entries;
    struct cor_record *record;
    size_t count, size;
    uint64_t torn;
    write_journal("changed", 3);
    SAMPLE_OK(cor_record_create(&cor_interaction_schema, &record, &error));
    SAMPLE_OK(cor_journal_scan(&cor_interaction_schema, "changed", &entries, &count, &torn, &error));
    unsigned char *bytes = sample_read("changed", &size);
    bytes[entries[1].offset + 200] ^= 4;
    sample_write("changed", bytes, size);
    assert_int_equal(cor_journal_read("changed", &entries[1], record, &error), COR_STATUS_FILE);
    assert_string_equal(error.cause, "suite 1 of arm 2 is damaged, though it was whole before");
    error = COR_NO_ERROR;
    sample_write("changed", bytes, size - 1);
    assert_int_equal(cor_journal_read("changed", &entries[3], record, &error), COR_STATUS_FILE);
    free(bytes);
    free(entries);
    cor_record_destroy(record);
}

static void journals_are_not_overwritten_nor_read_where_none_is(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_journal *journal;
    struct cor_journal_entry *entries;
    size_t count;
    uint64_t torn;
    write_journal("there", 1);
    assert_int_equal(cor_journal_create("there", &journal, &error), COR_STATUS_EXISTS);
    assert_string_equal(error.place, "there");
    error = COR_NO_ERROR;
    assert_int_equal(cor_journal_create("no/such/folder", &journal, &error), COR_STATUS_FILE);
    error = COR_NO_ERROR;
    assert_int_equal(cor_journal_scan(&cor_interaction_schema, "absent", &entries, &count, &torn, &error),
                     COR_STATUS_FILE);
    error = COR_NO_ERROR;
    assert_int_equal(cor_journal_scan(&cor_interaction_schema, ".", &entries, &count, &torn, &error),
                     COR_STATUS_FILE);
    assert_string_equal(error.cause, "is a folder, not a file");
    sample_write("empty", "", 0);
    error = COR_NO_ERROR;
    SAMPLE_OK(cor_journal_scan(&cor_interaction_schema, "empty", &entries, &count, &torn, &error));
    assert_int_equal(count + torn, 0);
    free(entries);
    cor_journal_close(NULL);
}

/* In a child whose files may not grow past a limit; leaves with 0 if all is as it should be. */
static void append_until_full(const char *path) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_journal *journal;
    struct cor_record *record;
    signal(SIGXFSZ, SIG_IGN);
    if (cor_journal_create(path, &journal, &error) != COR_OK ||
        cor_record_create(&cor_interaction_schema, &record, &error) != COR_OK)
        _exit(2);
    for (uint32_t s = 0; s < SUITES; s++) {
        struct stat status;
        sample_fill(record, ARM, s, 20);
        if (s == 2) /* 100 bytes of the third frame have room */
            if (stat(path, &status) != 0 ||
                setrlimit(RLIMIT_FSIZE,
                          &(struct rlimit){(rlim_t)status.st_size + 100, (rlim_t)status.st_size + 100}) != 0)
                _exit(3);
        int failed = cor_journal_append(journal, record, &error) != COR_OK;
        if (failed != (s >= 2))
            _exit(4);
    }
    _exit(error.status == COR_STATUS_FILE && strstr(error.place, path) && strstr(error.cause, "cannot write")
              ? 0
              : 5);
}

static void a_full_disk_is_told_and_costs_only_what_follows(void **state) {
    (void)state;
    int child_status;
    uint64_t torn;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        append_until_full("full");
    assert_int_equal(waitpid(child, &child_status, 0), child);
    assert_true(WIFEXITED(child_status));
    assert_int_equal(WEXITSTATUS(child_status), 0);
    assert_int_equal(check_journal("full", 20, &torn, NULL), 2);
    assert_int_equal(torn, 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_says_what_it_is_of),
        cmocka_unit_test(suites_come_back_as_they_were_appended),
        cmocka_unit_test(every_nan_is_written_alike),
        cmocka_unit_test(a_torn_tail_costs_only_the_suites_in_it),
        cmocka_unit_test(a_flipped_byte_costs_only_the_suite_it_lies_in),
        cmocka_unit_test(a_damaged_suite_is_named_where_its_header_is_whole),
        cmocka_unit_test(suites_after_lost_or_inserted_bytes_are_found),
        cmocka_unit_test(a_suite_damaged_after_the_scan_is_refused),
        cmocka_unit_test(journals_are_not_overwritten_nor_read_where_none_is),
        cmocka_unit_test(a_full_disk_is_told_and_costs_only_what_follows),
    };
    return cmocka_run_group_tests_name("journal", tests, sample_enter, sample_leave);
}
