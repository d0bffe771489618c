/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From records through journals to the result file and back; and what is left when merging fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample.h"

#include "hdf5_file.h"

#include <corridor/rng.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ARMS = 3, SUITES = 5, JOURNALS_MOST = 4 };

/* Fills a journal, made anew, with the suites of `list` (arm * SUITES + suite). */
static void write_journal(const char *path, const uint32_t *list, size_t count, uint32_t scale) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_journal *journal;
    struct cor_record *record;
    remove(path);
    SAMPLE_OK(cor_record_create(&cor_interaction_schema, &record, &error));
    SAMPLE_OK(cor_journal_create(path, &journal, &error));
    for (size_t i = 0; i < count; i++) {
        sample_fill(record, (uint16_t)(list[i] / SUITES), list[i] % SUITES, scale);
        SAMPLE_OK(cor_journal_append(journal, record, &error));
    }
    cor_journal_close(journal);
    cor_record_destroy(record);
}

static void write_all(const char *path, uint32_t scale) {
    uint32_t list[ARMS * SUITES];
    for (uint32_t i = 0; i < ARMS * SUITES; i++)
        list[i] = i;
    write_journal(path, list, ARMS * SUITES, scale);
}

static void merge(const char *const *journals, size_t count, const char *path) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_result_header header = sample_header();
    remove(path);
    SAMPLE_OK(cor_result_merge(journals, count, &header, path, 0, &error));
}

static void check_same_file(const char *a, const char *b) {
    size_t size_a, size_b;
    unsigned char *in_a = sample_read(a, &size_a), *in_b = sample_read(b, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(in_a, in_b, size_a);
    free(in_a);
    free(in_b);
}

/* Where the next suite begins in the result file. */
struct cursor {
    uint64_t rows[COR_TABLE_COUNT], items[COR_VECTOR_COUNT];
};

static void unshift(enum cor_table table, void *row, const struct cursor *at) {
    if (table == COR_TABLE_SEQUENCES) {
        struct cor_sequence_row *sequence = row;
        sequence->walk_start -= at->items[COR_VECTOR_WALK];
    }
    if (table == COR_TABLE_FAILURES) {
        struct cor_failure_row *failure = row;
        failure->block_start -= at->items[COR_VECTOR_SOLUTION_BLOCK_SIZE];
        failure->member_start -= at->items[COR_VECTOR_SOLUTION_MEMBER];
        failure->structure_start -= at->items[COR_VECTOR_STRUCTURE];
    }
    if (table == COR_TABLE_SMOKES) {
        struct cor_smoke_row *smoke = row;
        smoke->words_start -= at->items[COR_VECTOR_WORDS];
    }
    if (table == COR_TABLE_CONSTRAINTS) {
        struct cor_constraint_row *constraint = row;
        constraint->sentence_start -= at->items[COR_VECTOR_SENTENCES];
    }
}

/* Reads as many rows and items as `expected` has from the cursor on and compares. */
static void check_suite(struct cor_result *result, struct cor_record *expected, struct cor_record *found,
                        struct cursor *at) {
    struct cor_error error = COR_NO_ERROR;
    cor_record_begin(found, 0, 0);
    for (enum cor_table t = 0; t < COR_TABLE_COUNT; t++) {
        size_t count = cor_record_size(expected, t);
        assert_true(at->rows[t] + count <= cor_result_size(result, t));
        for (size_t r = 0; r < count; r++)
            assert_non_null(cor_record_row(found, t, &error));
        if (count > 0)
            SAMPLE_OK(cor_result_read(result, t, at->rows[t], count, cor_record_at(found, t, 0), &error));
        for (size_t r = 0; r < count; r++)
            unshift(t, cor_record_at(found, t, r), at);
    }
    for (enum cor_vector v = 0; v < COR_VECTOR_COUNT; v++) {
        size_t count = expected->vectors[v].count;
        void *items = calloc(count + 1, 8);
        assert_true(at->items[v] + count <= cor_result_vector_size(result, v));
        SAMPLE_OK(cor_result_read_vector(result, v, at->items[v], count, items, &error));
        SAMPLE_OK(cor_record_put(found, v, items, count, NULL, &error));
        free(items);
    }
    sample_check_equal(expected, found);
    for (enum cor_table t = 0; t < COR_TABLE_COUNT; t++)
        at->rows[t] += cor_record_size(expected, t);
    for (enum cor_vector v = 0; v < COR_VECTOR_COUNT; v++)
        at->items[v] += expected->vectors[v].count;
}

static void check_header(const struct cor_result *result) {
    struct cor_result_header expected = sample_header();
    const struct cor_result_header *found = cor_result_head(result);
    assert_string_equal(found->experiment, expected.experiment);
    assert_string_equal(found->provenance, expected.provenance);
    assert_true(found->seed == expected.seed && found->complete == 1);
    assert_int_equal(found->planned_suites, expected.planned_suites);
    for (size_t c = 0; c < COR_CATALOG_COUNT; c++) {
        assert_int_equal(found->catalog_size[c], expected.catalog_size[c]);
        for (size_t i = 0; i < expected.catalog_size[c]; i++) {
            assert_int_equal(found->catalog[c][i].code, expected.catalog[c][i].code);
            assert_string_equal(found->catalog[c][i].name, expected.catalog[c][i].name);
            assert_string_equal(found->catalog[c][i].description, expected.catalog[c][i].description);
        }
    }
    assert_string_equal(cor_result_name(result, COR_CATALOG_AGENT_TYPE, 7), "wind");
    assert_string_equal(cor_result_name(result, COR_CATALOG_AGENT_TYPE, 1), "?");
}

/* The file holds exactly the suites that `is_in` says, in ascending order. */
static void check_file(const char *path, uint32_t scale, int (*is_in)(uint32_t arm, uint32_t suite)) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_result *result;
    struct cor_record *expected, *found;
    struct cursor at = {0};
    SAMPLE_OK(cor_record_create(&cor_interaction_schema, &expected, &error));
    SAMPLE_OK(cor_record_create(&cor_interaction_schema, &found, &error));
    SAMPLE_OK(cor_result_open(path, &result, &error));
    check_header(result);
    for (uint32_t arm = 0; arm < ARMS; arm++)
        for (uint32_t suite = 0; suite < SUITES; suite++)
            if (is_in(arm, suite)) {
                sample_fill(expected, (uint16_t)arm, suite, scale);
                check_suite(result, expected, found, &at);
            }
    for (enum cor_table t = 0; t < COR_TABLE_COUNT; t++)
        assert_int_equal(at.rows[t], cor_result_size(result, t));
    for (enum cor_vector v = 0; v < COR_VECTOR_COUNT; v++)
        assert_int_equal(at.items[v], cor_result_vector_size(result, v));
    SAMPLE_OK(cor_result_verify(result, &error));
    cor_result_close(result);
    cor_record_destroy(expected);
    cor_record_destroy(found);
}

static int any(uint32_t arm, uint32_t suite) {
    (void)arm;
    (void)suite;
    return 1;
}

static int none(uint32_t arm, uint32_t suite) {
    (void)arm;
    (void)suite;
    return 0;
}

static int below_seven(uint32_t arm, uint32_t suite) {
    return suite * ARMS + arm < 7;
}

static int arm_1_ended_with_suite_1(uint32_t arm, uint32_t suite) {
    return below_seven(arm, suite) && (arm != 1 || suite < 1);
}

static int not_suite_2_of_arm_1(uint32_t arm, uint32_t suite) {
    return arm != 1 || suite != 2;
}

static void what_was_journaled_is_read_from_the_result(void **state) {
    (void)state;
    const char *const journals[] = {"all"};
    for (uint32_t scale = 1; scale < 300; scale *= 7) {
        write_all("all", scale);
        merge(journals, 1, "result.h5");
        check_file("result.h5", scale, any);
    }
    merge(NULL, 0, "result.h5");
    check_file("result.h5", 1, none);
}

/* Any number of journals, any suite in any of them, in any order: the very same bytes. */
static void merging_gives_the_same_bytes_however_suites_are_spread(void **state) {
    (void)state;
    const char *const one[] = {"all"};
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 7, .purpose = COR_PURPOSE_TEST});
    write_all("all", 10);
    merge(one, 1, "expected.h5");
    check_file("expected.h5", 10, any);
    for (time_t second = time(NULL); time(NULL) == second;) /* a time in the file would differ */
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    for (uint32_t round = 0; round < 12; round++) {
        const char *names[JOURNALS_MOST] = {"a", "b", "c", "d"};
        uint32_t count = 1 + round % JOURNALS_MOST, order[ARMS * SUITES], list[JOURNALS_MOST][ARMS * SUITES];
        size_t size[JOURNALS_MOST] = {0};
        for (uint32_t i = 0; i < ARMS * SUITES; i++)
            order[i] = i;
        cor_rng_shuffle(&rng, order, ARMS * SUITES);
        for (uint32_t i = 0; i < ARMS * SUITES; i++) {
            uint32_t j = cor_rng_below(&rng, count);
            list[j][size[j]++] = order[i];
        }
        for (uint32_t j = 0; j < count; j++)
            write_journal(names[j], list[j], size[j], 10);
        merge(names, count, "result.h5");
        check_same_file("expected.h5", "result.h5");
    }
}

/* More than a block of rows, so that chunks and blocks end within suites. */
static void rows_of_many_blocks_come_back_and_other_columns_stay(void **state) {
    (void)state;
    enum { EACH = 50000, PARTS = 3 };
    struct cor_error error = COR_NO_ERROR;
    struct cor_journal *journal;
    struct cor_record *record;
    struct cor_result *result;
    struct cor_result_header header = sample_header();
    const char *const journals[] = {"many"};
    SAMPLE_OK(cor_record_create(&cor_interaction_schema, &record, &error));
    SAMPLE_OK(cor_journal_create("many", &journal, &error));
    for (uint32_t s = 0; s < PARTS; s++) {
        cor_record_begin(record, 0, s);
        for (uint32_t i = 0; i < EACH; i++) {
            struct cor_case_row *row = cor_record_row(record, COR_TABLE_CASES, &error);
            row->case_ = s * EACH + i;
        }
        struct cor_sequence_row *sequence = cor_record_row(record, COR_TABLE_SEQUENCES, &error);
        SAMPLE_OK(cor_record_put(record, COR_VECTOR_WALK, "abc", 3, &sequence->walk_start, &error));
        SAMPLE_OK(cor_journal_append(journal, record, &error));
    }
    cor_journal_close(journal);
    SAMPLE_OK(cor_result_merge(journals, 1, &header, "many.h5", 0, &error));
    SAMPLE_OK(cor_result_open("many.h5", &result, &error));
    assert_int_equal(cor_result_size(result, COR_TABLE_CASES), PARTS * EACH);
    struct cor_case_row *rows = calloc(PARTS * EACH, sizeof *rows);
    assert_non_null(rows);
    for (uint32_t i = 0; i < PARTS * EACH; i++)
        rows[i].alarm = 77;
    SAMPLE_OK(cor_result_read_columns(result, COR_TABLE_CASES, 1U << 1 | 1U << 3, 1000, PARTS * EACH - 1000,
                                      rows + 1000, &error));
    for (uint32_t i = 0; i < PARTS * EACH; i++) {
        assert_int_equal(rows[i].case_, i < 1000 ? 0 : i);
        assert_int_equal(rows[i].suite, i < 1000 ? 0 : i / EACH);
        assert_int_equal(rows[i].alarm, 77); /* columns not asked for stay */
    }
    struct cor_sequence_row sequences[PARTS];
    SAMPLE_OK(cor_result_read(result, COR_TABLE_SEQUENCES, 0, PARTS, sequences, &error));
    for (uint32_t s = 0; s < PARTS; s++)
        assert_int_equal(sequences[s].walk_start, 3 * s);
    free(rows);
    cor_result_close(result);
    cor_record_destroy(record);
}

static void only_suites_below_the_limit_are_merged(void **state) {
    (void)state;
    const char *const journals[] = {"all"};
    struct cor_error error = COR_NO_ERROR;
    struct cor_result_header header = sample_header();
    write_all("all", 5);
    header.suite_limit = 7;
    remove("prefix.h5");
    SAMPLE_OK(cor_result_merge(journals, 1, &header, "prefix.h5", 0, &error));
    check_file("prefix.h5", 5, below_seven);
    header.arm_limits = (const uint64_t[ARMS]){UINT64_MAX, 1, UINT64_MAX};
    SAMPLE_OK(cor_result_merge(journals, 1, &header, "prefix.h5", 1, &error));
    check_file("prefix.h5", 5, arm_1_ended_with_suite_1);
}

/* A suite that was executed twice. */
/* A journal of one suite of arm 0 in which the first value of the walks is another one. */
static void write_changed(const char *path, uint32_t suite, uint32_t scale) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_journal *journal;
    struct cor_record *record;
    remove(path);
    SAMPLE_OK(cor_record_create(&cor_interaction_schema, &record, &error));
    SAMPLE_OK(cor_journal_create(path, &journal, &error));
    sample_fill(record, 0, suite, scale);
    assert_true(record->vectors[COR_VECTOR_WALK].count > 0);
    *(uint8_t *)record->vectors[COR_VECTOR_WALK].items ^= 1;
    SAMPLE_OK(cor_journal_append(journal, record, &error));
    cor_journal_close(journal);
    cor_record_destroy(record);
}

static void suites_executed_twice_must_be_equal(void **state) {
    (void)state;
    const char *const journals[] = {"all", "twins"};
    const uint32_t list[] = {4, 11, 4};
    struct cor_error error = COR_NO_ERROR;
    struct cor_result_header header = sample_header();
    write_all("all", 5);
    merge(journals, 1, "one.h5");
    write_journal("twins", list, 3, 5);
    merge(journals, 2, "two.h5");
    check_same_file("one.h5", "two.h5");
    write_changed("twins", 4, 5); /* of one size, with one other value */
    assert_int_equal(cor_result_merge(journals, 2, &header, "twins.h5", 1, &error), COR_STATUS_INTERNAL);
    assert_string_equal(error.cause, "suite 4 of arm 0 differs from that in all");
    error = COR_NO_ERROR;
    write_journal("twins", list, 3, 6); /* other content */
    int files = sample_file_count();
    assert_int_equal(cor_result_merge(journals, 2, &header, "three.h5", 0, &error), COR_STATUS_INTERNAL);
    assert_string_equal(error.cause, "suite 4 of arm 0 differs from that in all");
    assert_string_equal(error.place, "twins");
    assert_int_equal(sample_file_count(), files);
}

static void a_damaged_suite_is_missing_from_the_result(void **state) {
    (void)state;
    const char *const journals[] = {"all"};
    struct cor_error error = COR_NO_ERROR;
    struct cor_journal_entry *entries;
    size_t count, size;
    uint64_t torn;
    write_all("all", 5);
    SAMPLE_OK(cor_journal_scan(&cor_interaction_schema, "all", &entries, &count, &torn, &error));
    unsigned char *bytes = sample_read("all", &size);
    bytes[entries[1 * SUITES + 2].offset + RECORD__FRAME_HEADER_SIZE] ^= 1;
    sample_write("all", bytes, size);
    merge(journals, 1, "result.h5");
    check_file("result.h5", 5, not_suite_2_of_arm_1);
    free(bytes);
    free(entries);
}

/* Every suite of the limit in turn is taken out of its journal, by damage or by an end that comes too early.
 */
static void suites_that_were_counted_and_are_gone_are_told(void **state) {
    (void)state;
    const char *const journals[] = {"all"};
    struct cor_error error = COR_NO_ERROR;
    struct cor_result_header header = sample_header();
    struct cor_journal_entry *entries;
    size_t count, size;
    uint64_t torn;
    write_all("all", 2);
    SAMPLE_OK(cor_journal_scan(&cor_interaction_schema, "all", &entries, &count, &torn, &error));
    unsigned char *bytes = sample_read("all", &size);
    int files = sample_file_count();
    header.suite_limit = 8; /* suites 0..2 of the first two arms, 0..1 of the last */
    for (size_t i = 0; i < count; i++)
        for (int cut = 0; cut < 2; cut++) {
            char said[160];
            bool wanted = entries[i].suite * 3U + entries[i].arm < 8;
            bytes[entries[i].offset + RECORD__FRAME_HEADER_SIZE] ^= 1;
            sample_write("all", bytes, cut ? (size_t)entries[i].offset + 70 : size);
            bytes[entries[i].offset + RECORD__FRAME_HEADER_SIZE] ^= 1;
            uint64_t gone = 0;
            for (size_t k = i; k < (cut ? count : i + 1); k++)
                gone += entries[k].suite * 3U + entries[k].arm < 8;
            enum cor_status status = cor_result_merge(journals, 1, &header, "gone.h5", 1, &error);
            assert_int_equal(status, gone > 0 ? COR_STATUS_FILE : COR_OK);
            remove("gone.h5");
            if (gone > 0 && (wanted || !cut)) {
                snprintf(
                    said, sizeof said,
                    "%u of 8 finished suites are no longer in the journals, among them suite %u of arm %s",
                    (unsigned)gone, entries[i].suite, header.catalog[0][entries[i].arm].name);
                assert_string_equal(error.cause, said);
            }
            error = COR_NO_ERROR;
            assert_int_equal(sample_file_count(), files);
        }
    free(bytes);
    free(entries);
}

static void a_file_is_overwritten_only_when_asked(void **state) {
    (void)state;
    const char *const journals[] = {"all"};
    struct cor_error error = COR_NO_ERROR;
    struct cor_result_header header = sample_header();
    write_all("all", 2);
    sample_write("there.h5", "precious", 8);
    int files = sample_file_count();
    assert_int_equal(cor_result_merge(journals, 1, &header, "there.h5", 0, &error), COR_STATUS_EXISTS);
    assert_string_equal(error.place, "there.h5");
    size_t size;
    unsigned char *bytes = sample_read("there.h5", &size);
    assert_int_equal(size, 8);
    free(bytes);
    error = COR_NO_ERROR;
    SAMPLE_OK(cor_result_merge(journals, 1, &header, "there.h5", 1, &error));
    check_file("there.h5", 2, any);
    assert_int_equal(cor_result_merge(journals, 1, &header, ".", 1, &error), COR_STATUS_FILE);
    error = COR_NO_ERROR;
    assert_int_equal(cor_result_merge(journals, 1, &header, "no/folder/x.h5", 1, &error), COR_STATUS_FILE);
    assert_string_equal(error.place, "no/folder/x.h5");
    assert_non_null(strstr(error.cause, "No such file or directory"));
    error = COR_NO_ERROR;
    const char *const absent[] = {"absent"};
    assert_int_equal(cor_result_merge(absent, 1, &header, "x.h5", 1, &error), COR_STATUS_FILE);
    assert_string_equal(error.place, "absent");
    assert_int_equal(sample_file_count(), files);
}

/* Merges in a child that can write no more than `limit` bytes into a file; the child's exit code: 0 merged, 1
 * a proper error, else a wrong one. */
static int merge_with_limit(uint64_t limit) {
    const char *const journals[] = {"all"};
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct cor_error error = COR_NO_ERROR;
        struct cor_result_header header = sample_header();
        struct rlimit most = {limit, limit};
        signal(SIGXFSZ, SIG_IGN);
        if (setrlimit(RLIMIT_FSIZE, &most) != 0)
            _exit(2);
        enum cor_status merged = cor_result_merge(journals, 1, &header, "full.h5", 0, &error);
        if (merged == COR_OK)
            _exit(0);
        int said = merged == COR_STATUS_FILE && strcmp(error.place, "full.h5") == 0 &&
                   strstr(error.cause, "File too large") != NULL;
        _exit(said ? 1 : 3);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* A full disk, wherever it happens: a proper error that names file and cause, nothing left behind, no crash.
 */
static void a_full_disk_is_told_and_leaves_nothing_behind(void **state) {
    (void)state;
    const char *const journals[] = {"all"};
    size_t size;
    write_all("all", 100);
    merge(journals, 1, "whole.h5");
    free(sample_read("whole.h5", &size));
    int files = sample_file_count();
    for (uint64_t limit = 0; limit < size; limit += size / 50) {
        assert_int_equal(merge_with_limit(limit), 1);
        assert_int_equal(sample_file_count(), files);
    }
    assert_int_equal(merge_with_limit(size - 1), 1); /* the checksum at the end */
    assert_int_equal(sample_file_count(), files);
    assert_int_equal(merge_with_limit(size), 0);
    check_same_file("whole.h5", "full.h5");
}

/* Killed at any time: the target is absent or whole. */
static void a_killed_merge_leaves_no_file_or_a_whole_one(void **state) {
    (void)state;
    const char *const journals[] = {"all"};
    int whole = 0, absent = 0;
    write_all("all", 100);
    merge(journals, 1, "whole.h5");
    for (long wait = 100; wait < 100000000 && whole < 3; wait = wait * 3 / 2) { /* microseconds */
        remove("killed.h5");
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            struct cor_error error = COR_NO_ERROR;
            struct cor_result_header header = sample_header();
            _exit(cor_result_merge(journals, 1, &header, "killed.h5", 0, &error) != COR_OK);
        }
        nanosleep(&(struct timespec){wait / 1000000, 1000 * (wait % 1000000)}, NULL);
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
        if (access("killed.h5", F_OK) == 0) {
            check_same_file("whole.h5", "killed.h5");
            whole++;
        } else
            absent++;
    }
    assert_true(whole > 0 && absent > 0);
}

/* Writes the only suite of a journal as merging does, and leaves the writer as it is before reading back. */
static struct record__writer *write_one(const char *journal, const char *path,
                                        struct cor_result_header *header) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_journal_entry *entries;
    struct record__counts counts;
    struct record__frame frame = {.layer = &cor_interaction_schema};
    struct record__writer *writer;
    size_t count;
    uint64_t torn;
    SAMPLE_OK(cor_journal_scan(&cor_interaction_schema, journal, &entries, &count, &torn, &error));
    assert_int_equal(count, 1);
    SAMPLE_OK(record__journal_counts(&cor_interaction_schema, journal, entries, &counts, &error));
    SAMPLE_OK(record__journal_frame(journal, entries, &frame, &error));
    SAMPLE_OK(record__writer_create(path, path, header, &counts, &writer, &error));
    SAMPLE_OK(record__writer_put(writer, &frame, &error));
    SAMPLE_OK(record__writer_finish(writer, &error));
    free(frame.bytes);
    free(entries);
    return writer;
}

/* 1 = the file is opened and holds what was written, 0 = it holds something else, -1 = it is not opened: by a
 * reader, who lets a child look first, or by merging. What merging says to be the same must be so when it is
 * unpacked. */
static int reads_back(const struct record__writer *writer, const char *path) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_result *result;
    if (cor_result_open(path, &result, &error) != COR_OK)
        return -1;
    const int whole = cor_result_verify(result, &error) == COR_OK;
    cor_result_close(result);
    if (record__result_reread(&cor_interaction_schema, path, &result, &error) != COR_OK)
        return -1;
    const int same = record__writer_wrote(writer, result);
    cor_result_close(result);
    assert_true(whole || !same);
    if (same) { /* so that whoever has written it may open what is asked for alone */
        SAMPLE_OK(cor_result_open_written(path, &result, &error));
        SAMPLE_OK(cor_result_verify(result, &error));
        cor_result_close(result);
    }
    return same;
}

/* A byte that the disk changed: most bytes are of packed chunks, which opening does not look at. */
static void reading_back_finds_bytes_that_the_disk_changed(void **state) {
    (void)state;
    enum { PLACES = 40 };
    uint32_t only = 0;
    size_t size;
    int found[3] = {0}, *count = found + 1;
    struct cor_result_header header = sample_header();
    header.planned_suites = 1;
    remove("changed.h5");
    write_journal("one", &only, 1, 20000);
    struct record__writer *writer = write_one("one", "changed.h5", &header);
    assert_int_equal(reads_back(writer, "changed.h5"), 1);
    unsigned char *bytes = sample_read("changed.h5", &size);
    for (size_t i = 0; i < PLACES; i++) {
        size_t at = size / 20 + i * (size - size / 20) / PLACES;
        bytes[at] ^= 0x10;
        sample_write("changed.h5", bytes, size);
        count[reads_back(writer, "changed.h5")]++;
        bytes[at] ^= 0x10;
    }
    assert_true(count[0] > PLACES * 3 / 4);
    assert_true(count[1] < PLACES / 8); /* room in HDF5's indices that is not used */
    free(bytes);
    record__writer_destroy(writer);
}

static void the_fingerprint_depends_on_each_part_of_the_head_but_provenance(void **state) {
    (void)state;
    struct cor_catalog_entry arms[] = {{0, "a", "b"}},
                             others[] = {{1, "a", "b"}, {0, "c", "b"}, {0, "a", "d"}};
    struct cor_result_header head = {.layer = &cor_interaction_schema,
                                     .experiment = "{}",
                                     .provenance = "{}",
                                     .seed = 1,
                                     .planned_suites = 3};
    head.catalog[COR_CATALOG_FAULT] = arms;
    head.catalog_size[COR_CATALOG_FAULT] = 1;
    struct cor_result_header changed[9];
    for (size_t i = 0; i < 9; i++)
        changed[i] = head;
    changed[1].experiment = "{ }";
    changed[2].seed = 2;
    changed[3].complete = 1;
    changed[4].planned_suites = 4;
    changed[5].catalog[COR_CATALOG_FAULT] = &others[0];
    changed[6].catalog[COR_CATALOG_FAULT] = &others[1];
    changed[7].catalog[COR_CATALOG_FAULT] = &others[2];
    changed[8].catalog_size[COR_CATALOG_FAULT] = 0;
    for (size_t i = 0; i < 9; i++)
        for (size_t j = 0; j < i; j++)
            assert_true(record__content_hash_head(&changed[i]) != record__content_hash_head(&changed[j]));
    changed[0].provenance = "other";
    assert_true(record__content_hash_head(&changed[0]) == record__content_hash_head(&head));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fingerprint_depends_on_each_part_of_the_head_but_provenance),
        cmocka_unit_test(what_was_journaled_is_read_from_the_result),
        cmocka_unit_test(merging_gives_the_same_bytes_however_suites_are_spread),
        cmocka_unit_test(rows_of_many_blocks_come_back_and_other_columns_stay),
        cmocka_unit_test(only_suites_below_the_limit_are_merged),
        cmocka_unit_test(suites_executed_twice_must_be_equal),
        cmocka_unit_test(a_damaged_suite_is_missing_from_the_result),
        cmocka_unit_test(suites_that_were_counted_and_are_gone_are_told),
        cmocka_unit_test(a_file_is_overwritten_only_when_asked),
        cmocka_unit_test(a_full_disk_is_told_and_leaves_nothing_behind),
        cmocka_unit_test(a_killed_merge_leaves_no_file_or_a_whole_one),
        cmocka_unit_test(reading_back_finds_bytes_that_the_disk_changed),
    };
    return cmocka_run_group_tests_name("merge", tests, sample_enter, sample_leave);
}
