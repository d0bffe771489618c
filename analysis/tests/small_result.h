/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small result files with known content, for tests. */
#ifndef CORRIDOR_ANALYSIS_TESTS_SMALL_RESULT_H
#define CORRIDOR_ANALYSIS_TESTS_SMALL_RESULT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/record.h>
#include <corridor/result.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define OK(call) assert_int_equal((call), COR_OK)

/* A file being made: a record to fill, a journal it goes to. */
struct small {
    char journal_path[128], path[128];
    struct cor_journal *journal;
    struct cor_record *record;
    struct cor_error error;
    uint64_t planned;       /* suites; 0 = endless */
    const char *experiment; /* its text; NULL = "{}" */
};

static inline void small_open(struct small *small, const char *name) {
    memset(small, 0, sizeof *small);
    snprintf(small->journal_path, sizeof small->journal_path, "%s_%ld.journal", name, (long)getpid());
    snprintf(small->path, sizeof small->path, "%s_%ld.h5", name, (long)getpid());
    remove(small->journal_path);
    OK(cor_journal_create(small->journal_path, &small->journal, &small->error));
    OK(cor_record_create(&cor_interaction_schema, &small->record, &small->error));
}

static inline void *small_row(struct small *small, enum cor_table table) {
    void *row = cor_record_row(small->record, table, &small->error);
    assert_non_null(row);
    return row;
}

static inline void small_append(struct small *small) {
    OK(cor_journal_append(small->journal, small->record, &small->error));
}

/* Merges what was appended and opens it; arms have the codes 0, 1, ... */
static inline struct cor_result *small_finish(struct small *small, const char *const *arms,
                                              size_t arm_count) {
    static const struct cor_catalog_entry several[] = {
        {0, "one", ""}, {1, "two", ""}, {2, "three", ""}, {3, "four", ""}};
    struct cor_catalog_entry entries[16];
    struct cor_result_header header = {
        .layer = &cor_interaction_schema, .experiment = "{}", .provenance = "{}", .seed = 7, .complete = 1};
    header.planned_suites = small->planned;
    if (small->experiment)
        header.experiment = small->experiment;
    struct cor_result *result = NULL;
    const char *journals[1] = {small->journal_path};
    for (size_t a = 0; a < arm_count; a++)
        entries[a] = (struct cor_catalog_entry){(uint16_t)a, arms[a], "{}"};
    header.catalog[COR_CATALOG_ARM] = entries;
    header.catalog_size[COR_CATALOG_ARM] = arm_count;
    for (uint32_t c = COR_CATALOG_PARAMETER; c < COR_CATALOG_COUNT; c++) {
        header.catalog[c] = several;
        header.catalog_size[c] = sizeof several / sizeof *several;
    }
    cor_record_destroy(small->record);
    cor_journal_close(small->journal);
    OK(cor_result_merge(journals, 1, &header, small->path, 1, &small->error));
    OK(cor_result_open(small->path, &result, &small->error));
    return result;
}

static inline void small_close(struct small *small, struct cor_result *result) {
    cor_result_close(result);
    remove(small->journal_path);
    remove(small->path);
}

#endif
