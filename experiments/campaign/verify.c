/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether what a campaign has stored is whole: every journal is read, and every suite that two of them hold
 * is compared. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/record.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A whole suite, and the journal it is in. */
struct found {
    struct cor_journal_entry entry;
    const char *path; /* borrowed from the report */
};

struct stored {
    struct found *found; /* owned */
    size_t count, capacity;
};

/* The campaign whose journals they are to be. */
struct expected {
    const struct cor_layer_schema *layer; /* borrowed */
    uint64_t *origins;                    /* owned, [arm] */
    size_t arm_count;
};

static enum cor_status add_journal(const struct expected *expected, struct cor_journal_report *journal,
                                   struct stored *stored, struct cor_error *error) {
    struct cor_journal_entry *entries = NULL;
    struct stat file;
    size_t count;
    uint64_t end = 0;
    enum cor_status status = COR_OK;
    if (cor_journal_scan(expected->layer, journal->path, &entries, &count, &journal->torn, &journal->error) !=
        COR_OK) {
        if (campaign__journal_is_gone(journal->path)) /* it was empty */
            journal->error = COR_NO_ERROR;
        return journal->error.status == COR_STATUS_MEMORY ? cor_fail_memory(error) : COR_OK;
    }
    journal->bytes = stat(journal->path, &file) == 0 ? (uint64_t)file.st_size : 0;
    COR_TRY_OUT(COR_RESERVE(&stored->found, &stored->capacity, stored->count + count, error));
    for (size_t i = 0; i < count; i++) {
        const struct cor_journal_entry *entry = &entries[i];
        journal->damaged += entry->offset - end;
        end = entry->offset + entry->size;
        bool own = entry->arm < expected->arm_count && entry->origin == expected->origins[entry->arm];
        journal->suites += own;
        journal->foreign += !own;
        if (own)
            stored->found[stored->count++] = (struct found){*entry, journal->path};
    }
out:
    free(entries);
    return status;
}

static int by_suite(const void *a, const void *b) {
    const struct found *left = a, *right = b;
    if (left->entry.arm != right->entry.arm)
        return left->entry.arm < right->entry.arm ? -1 : 1;
    if (left->entry.suite != right->entry.suite)
        return left->entry.suite < right->entry.suite ? -1 : 1;
    int order = strcmp(left->path, right->path);
    return order != 0
               ? order
               : (left->entry.offset > right->entry.offset) - (left->entry.offset < right->entry.offset);
}

static enum cor_status compare_twins(const struct cor_layer_schema *layer, const struct stored *stored,
                                     struct cor_stored_report *report, struct cor_error *error) {
    for (size_t i = 0; i < stored->count; i++) {
        const struct found *now = &stored->found[i], *before = i > 0 ? now - 1 : NULL;
        bool same = true,
             twin = before && before->entry.arm == now->entry.arm && before->entry.suite == now->entry.suite;
        report->stored += !twin;
        report->twins += twin;
        if (twin)
            COR_TRY(cor_journal_compare(layer, before->path, &before->entry, now->path, &now->entry, &same,
                                        error));
        report->different += !same;
    }
    return COR_OK;
}

static enum cor_status verify(const struct expected *expected, char *const *paths, size_t count,
                              struct cor_stored_report *report, struct cor_error *error) {
    struct stored stored = {0};
    enum cor_status status = COR_OK;
    report->journals = cor_calloc(count, sizeof *report->journals);
    COR_TRY(cor_made(report->journals, error));
    while (report->journal_count < count) {
        struct cor_journal_report *journal = &report->journals[report->journal_count];
        journal->path = cor_strdup(paths[report->journal_count++]);
        COR_TRY_OUT(cor_made(journal->path, error));
        COR_TRY_OUT(add_journal(expected, journal, &stored, error));
    }
    if (stored.count > 0)
        qsort(stored.found, stored.count, sizeof *stored.found, by_suite);
    status = compare_twins(expected->layer, &stored, report, error);
out:
    free(stored.found);
    return status;
}

enum cor_status cor_campaign_verify(const struct cor_layer_schema *layer, const char *output,
                                    struct cor_stored_report *report, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct expected expected = {.layer = layer};
    char *folder = cor_format("%s.parts", output), *manifest = cor_format("%s.parts/MANIFEST", output);
    char **paths = NULL;
    size_t count = 0;
    *report = (struct cor_stored_report){0};
    if (!folder || !manifest)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(campaign__manifest_read_origins(manifest, &expected.origins, &expected.arm_count, error));
    COR_TRY_OUT(campaign__folder_journals(folder, &paths, &count, error));
    COR_TRY_OUT(verify(&expected, paths, count, report, error));
out:
    if (status != COR_OK)
        cor_stored_report_fini(report);
    campaign__folder_free(paths, count);
    free(expected.origins);
    free(manifest);
    free(folder);
    return status;
}

void cor_stored_report_fini(struct cor_stored_report *report) {
    for (size_t i = 0; i < report->journal_count; i++)
        free(report->journals[i].path);
    free(report->journals);
    *report = (struct cor_stored_report){0};
}
