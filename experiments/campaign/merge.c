/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The end of a campaign: journals become one result file, and times another. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/process.h>
#include <corridor/result.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CATALOG_MAX 65535

struct cor_catalogs {
    struct {
        struct cor_catalog_entry *entries; /* owned */
        size_t size, capacity;
    } of[COR_CATALOGS_MAX];
};

enum cor_status cor_catalogs_add(struct cor_catalogs *catalogs, uint32_t catalog, const char *name,
                                 const char *description, struct cor_error *error) {
    COR_ASSERT(catalog < COR_CATALOGS_MAX);
    size_t *size = &catalogs->of[catalog].size;
    COR_TRY(COR_RESERVE(&catalogs->of[catalog].entries, &catalogs->of[catalog].capacity, *size + 1, error));
    if (*size >= CATALOG_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "a catalog has more than %d entries",
                        CATALOG_MAX);
    catalogs->of[catalog].entries[*size] = (struct cor_catalog_entry){(uint16_t)*size, name, description};
    ++*size;
    return COR_OK;
}

/* Did the campaign end where the plan or a stop condition says, and not where somebody or the clock said? */
static bool ends_by_plan(const struct cor_campaign *campaign) {
    return campaign->limit != UINT64_MAX || (campaign->planned > 0 && campaign->kept == campaign->planned);
}

/* The same for every run of one build: no host, no time, no number of workers. */
static enum cor_status make_provenance(const struct cor_campaign *campaign, char **text,
                                       struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "corridor", CORRIDOR_VERSION);
    cor_json_put_string(writer, "compiler", CORRIDOR_COMPILER);
    cor_json_put_string(writer, "build_type", CORRIDOR_BUILD_TYPE);
    cor_json_put_string(writer, "gsl", CORRIDOR_GSL);
    cor_json_put_string(writer, "jansson", CORRIDOR_JANSSON);
    cor_json_put_string(writer, "z3", CORRIDOR_Z3);
    cor_json_put_bool(writer, "reproducible", ends_by_plan(campaign));
    campaign->definition.layer->provenance(campaign->definition.experiment, writer);
    cor_json_close(writer);
    *text = cor_json_writer_text(writer, 1, error);
    cor_json_writer_destroy(writer);
    return *text ? COR_OK : COR_STATUS_MEMORY;
}

static enum cor_status merge_with(const struct cor_campaign *campaign, const struct cor_result_header *header,
                                  struct cor_error *error) {
    uint32_t workers = campaign->definition.workers;
    char *paths[COR_WORKERS_MAX] = {NULL};
    enum cor_status status = COR_OK;
    for (uint32_t w = 0; w < workers; w++)
        if (!(paths[w] = cor__journal_path(campaign, w)))
            COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(cor_result_merge((const char *const *)paths, workers, header, campaign->definition.output,
                                 campaign->definition.overwrite, error));
out:
    for (uint32_t w = 0; w < workers; w++)
        free(paths[w]);
    return status;
}

/* In a child: the journals become one result file, with the catalogs and the provenance that go with it. */
static enum cor_status merge_journals(void *argument, void *answer, size_t size, struct cor_error *error) {
    (void)answer;
    (void)size;
    const struct cor_campaign *campaign = argument;
    struct cor_catalogs catalogs = {0};
    char *text = NULL;
    enum cor_status status = COR_OK;
    cor_ignore_signals(); /* merging takes seconds, and half a merge is worth nothing */
    COR_TRY_OUT(make_provenance(campaign, &text, error));
    COR_TRY_OUT(campaign->definition.layer->list(campaign->definition.experiment, &catalogs, error));
    struct cor_result_header header = {
        .layer = campaign->definition.layer->schema,
        .experiment = campaign->plan.text,
        .provenance = text,
        .seed = campaign->plan.seed,
        .complete = campaign->planned == 0 || campaign->kept == campaign->planned,
        .planned_suites = campaign->planned,
        .suite_limit = campaign->kept,
    };
    for (size_t i = 0; i < COR_CATALOGS_MAX; i++) {
        header.catalog[i] = catalogs.of[i].entries;
        header.catalog_size[i] = catalogs.of[i].size;
    }
    COR_TRY_OUT(merge_with(campaign, &header, error));
out:
    for (size_t i = 0; i < COR_CATALOGS_MAX; i++)
        free(catalogs.of[i].entries);
    free(text);
    return status;
}

/* Times are true of one run on one machine, so they stay out of the result file. */
static enum cor_status write_times(const struct cor_campaign *campaign, const char *path,
                                   struct cor_error *error) {
    FILE *file = fopen(path, "w");
    if (!file)
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write");
    fprintf(file, "arm,suite,worker,cases,reorganizations,wall_s,cpu_s\n");
    for (uint64_t i = 0; i < campaign->kept; i++) {
        const struct cor_suite_note *note = &campaign->shared->note[i];
        fprintf(file, "%s,%u,%u,%u,%u,%.6f,%.6f\n", cor__arm_name_at(campaign, i), cor__suite_at(campaign, i),
                note->worker, note->tally.cases, note->tally.reorganizations, (double)note->wall_seconds,
                (double)note->cpu_seconds);
    }
    bool failed = ferror(file) != 0;
    if (fclose(file) == 0 && !failed)
        return COR_OK;
    return cor_fail_errno(error, COR_STATUS_FILE, path, "free some space", "cannot write");
}

enum cor_status cor_campaign_merge(struct cor_campaign *campaign, bool *whole, struct cor_error *error) {
    enum cor_status status = COR_OK;
    *whole = campaign->planned == 0 || ends_by_plan(campaign);
    if (campaign->kept == 0)
        return cor_fail(error, COR_STATUS_INTERRUPTED, campaign->definition.output, NULL,
                        "no suite was finished, so there is nothing to write");
    char *drafted = cor_format("%s/times.csv", campaign->folder);
    char *path = cor_format("%s.times.csv", campaign->definition.output);
    if (!drafted || !path)
        COR_TRY_OUT(cor_fail_memory(error));
    /* Times are drafted among the journals, so that a full disk leaves neither file or both. */
    COR_TRY_OUT(write_times(campaign, drafted, error));
    COR_TRY_OUT(cor_in_child(merge_journals, campaign, NULL, 0, error));
    if (rename(drafted, path) != 0)
        COR_TRY_OUT(cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write"));
out:
    free(drafted);
    free(path);
    return status;
}
