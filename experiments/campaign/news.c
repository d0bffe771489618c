/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Failures as they come: suites that failed, read from the ends of journals that grow. */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

struct cor_news_journal {
    char *path;      /* owned */
    uint64_t offset; /* the end of the last whole frame that was read */
};

static void add_suite(struct cor_failing_news *news, const struct cor_failing_suite *suite) {
    for (size_t i = 0; i < news->count; i++) /* a suite that two journals hold counts once */
        if (news->newest[i].arm == suite->arm && news->newest[i].suite == suite->suite)
            return;
    news->count += news->count < COR_FAILING_SUITES;
    memmove(&news->newest[1], &news->newest[0], (news->count - 1) * sizeof *news->newest);
    news->newest[0] = *suite;
}

static enum cor_status find_journal(struct cor_failing_news *news, const char *path,
                                    struct cor_news_journal **journal, struct cor_error *error) {
    for (size_t i = 0; i < news->journal_count; i++)
        if (strcmp(news->journals[i].path, path) == 0) {
            *journal = &news->journals[i];
            return COR_OK;
        }
    COR_TRY(COR_RESERVE(&news->journals, &news->journal_capacity, news->journal_count + 1, error));
    *journal = &news->journals[news->journal_count];
    **journal = (struct cor_news_journal){.path = cor_strdup(path)};
    COR_TRY(cor_made((*journal)->path, error));
    news->journal_count++;
    return COR_OK;
}

static enum cor_status read_journal(const struct cor_layer_schema *layer, const char *path,
                                    const uint64_t *origins, size_t origin_count,
                                    struct cor_failing_news *news, struct cor_error *error) {
    struct cor_news_journal *journal;
    struct cor_journal_entry *entries;
    struct cor_error ignored = COR_NO_ERROR;
    size_t count;
    uint64_t torn;
    COR_TRY(find_journal(news, path, &journal, error));
    if (cor_journal_scan_from(layer, path, journal->offset, &entries, &count, &torn, &ignored) != COR_OK)
        return COR_OK;
    for (size_t i = 0; i < count; i++) {
        const struct cor_journal_entry *entry = &entries[i];
        journal->offset = entry->offset + entry->size;
        if (entry->arm >= origin_count || entry->origin != origins[entry->arm])
            continue;
        news->suites++;
        if (entry->counts.failures > 0)
            add_suite(news, &(struct cor_failing_suite){entry->arm, entry->suite, entry->counts.failures});
    }
    free(entries);
    return COR_OK;
}

enum cor_status cor_failing_news_read(const struct cor_layer_schema *layer, const char *output,
                                      struct cor_failing_news *news, struct cor_error *error) {
    enum cor_status status = COR_OK;
    uint64_t *origins = NULL;
    char **paths = NULL, *folder = cor_format("%s.parts", output),
         *manifest = folder ? cor_format("%s/MANIFEST", folder) : NULL;
    size_t origin_count = 0, count = 0;
    if (!manifest)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(campaign__manifest_read_origins(manifest, &origins, &origin_count, error));
    COR_TRY_OUT(campaign__folder_journals(folder, &paths, &count, error));
    for (size_t i = 0; i < count; i++)
        COR_TRY_OUT(read_journal(layer, paths[i], origins, origin_count, news, error));
out:
    campaign__folder_free(paths, count);
    free(origins);
    free(manifest);
    free(folder);
    return status;
}

void cor_failing_news_fini(struct cor_failing_news *news) {
    for (size_t i = 0; i < news->journal_count; i++)
        free(news->journals[i].path);
    free(news->journals);
    *news = (struct cor_failing_news){0};
}
