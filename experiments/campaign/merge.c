/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The end of a campaign: journals become one result file, with the catalogs and the provenance that go with
 * it. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/record.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CATALOG_MAX 65535

/* A catalog under construction. */
struct listing {
    struct cor_catalog_entry *entries;
    size_t size, capacity;
};

static enum cor_status list(struct listing *listing, const char *name, const char *description,
                            struct cor_error *error) {
    enum cor_status status = COR_RESERVE(&listing->entries, &listing->capacity, listing->size + 1, error);
    if (status != COR_OK)
        return status;
    if (listing->size >= CATALOG_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "a catalog has more than %d entries",
                        CATALOG_MAX);
    listing->entries[listing->size] = (struct cor_catalog_entry){(uint16_t)listing->size, name, description};
    listing->size++;
    return COR_OK;
}

static const char *parameter_meaning(const struct cor_experiment *experiment, const char *name) {
    for (uint32_t a = 0; a < experiment->algorithm_count; a++) {
        int index = cor_algorithm_parameter(experiment->algorithms[a], name);
        if (index >= 0)
            return experiment->algorithms[a]->parameters[index].meaning;
    }
    return "parameter of the test model";
}

static enum cor_status list_algorithm(const struct cor_algorithm *algorithm, struct listing *catalogs,
                                      struct cor_error *error) {
    enum cor_status status =
        list(&catalogs[COR_CATALOG_ALGORITHM], algorithm->name, algorithm->summary, error);
    for (uint32_t f = 0; f < cor_algorithm_fault_count(algorithm) && status == COR_OK; f++)
        status = list(&catalogs[COR_CATALOG_FAULT], algorithm->faults[f].name, algorithm->faults[f].meaning,
                      error);
    for (uint32_t c = 0; c < cor_algorithm_counter_count(algorithm) && status == COR_OK; c++)
        status = list(&catalogs[COR_CATALOG_COUNTER], algorithm->counters[c].name,
                      algorithm->counters[c].meaning, error);
    return status;
}

static enum cor_status list_all(const struct cor_experiment *experiment, struct listing *catalogs,
                                struct cor_error *error) {
    const struct cor_model *model = experiment->model;
    enum cor_status status = COR_OK;
    for (uint32_t i = 0; i < experiment->arm_count && status == COR_OK; i++)
        status = list(&catalogs[COR_CATALOG_ARM], experiment->arms[i].name, experiment->arms[i].description,
                      error);
    for (uint32_t i = 0; i < experiment->algorithm_count && status == COR_OK; i++)
        status = list_algorithm(experiment->algorithms[i], catalogs, error);
    for (uint32_t i = 0; i < experiment->parameter_count && status == COR_OK; i++)
        status = list(&catalogs[COR_CATALOG_PARAMETER], experiment->parameter_names[i],
                      parameter_meaning(experiment, experiment->parameter_names[i]), error);
    for (uint32_t i = 0; i < model->type_count && status == COR_OK; i++)
        status = list(&catalogs[COR_CATALOG_AGENT_TYPE], model->types[i].name, "type of agents", error);
    for (uint32_t i = 0; i < model->environment_count && status == COR_OK; i++)
        status =
            list(&catalogs[COR_CATALOG_ENVIRONMENT], model->environments[i].name,
                 model->environments[i].is_random ? "profile drawn for each suite" : "given profile", error);
    return status;
}

/* Did the campaign end where the plan or a stop condition says, and not where somebody or the clock said? */
static bool ends_by_plan(const struct cor_campaign *campaign) {
    return campaign->limit != UINT64_MAX || (campaign->planned > 0 && campaign->kept == campaign->planned);
}

/* The same for every run of one build: no host, no time, no number of workers. */
static char *provenance(const struct cor_campaign *campaign, struct cor_error *error) {
    const struct cor_experiment *experiment = campaign->definition.experiment;
    struct cor_json_writer *writer;
    if (cor_json_writer_create(&writer, error) != COR_OK)
        return NULL;
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "corridor", CORRIDOR_VERSION);
    cor_json_put_string(writer, "compiler", CORRIDOR_COMPILER);
    cor_json_put_string(writer, "build_type", CORRIDOR_BUILD_TYPE);
    cor_json_put_string(writer, "gsl", CORRIDOR_GSL);
    cor_json_put_string(writer, "jansson", CORRIDOR_JANSSON);
    cor_json_put_string(writer, "z3", CORRIDOR_Z3);
    cor_json_put_bool(writer, "reproducible", ends_by_plan(campaign));
    cor_json_put_bool(writer, "suites_read", campaign->definition.suite_folder != NULL);
    cor_json_open_array(writer, "algorithms");
    for (uint32_t i = 0; i < experiment->algorithm_count; i++) {
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "name", experiment->algorithms[i]->name);
        cor_json_put_string(writer, "version", experiment->algorithms[i]->version);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_json_close(writer);
    char *text = cor_json_writer_text(writer, 1, error);
    cor_json_writer_destroy(writer);
    return text;
}

static enum cor_status merge_with(const struct cor_campaign *campaign, struct cor_result_header *header,
                                  struct cor_error *error) {
    uint32_t workers = campaign->definition.workers;
    char *paths[COR_WORKERS_MAX] = {NULL};
    enum cor_status status = COR_OK;
    for (uint32_t w = 0; w < workers && status == COR_OK; w++)
        if (!(paths[w] = cor__journal_path(campaign, w)))
            status = cor_fail_memory(error);
    if (status == COR_OK)
        status = cor_result_merge((const char *const *)paths, workers, header, campaign->definition.output,
                                  campaign->definition.overwrite, error);
    for (uint32_t w = 0; w < workers; w++)
        free(paths[w]);
    return status;
}

enum cor_status cor__merge_journals(const struct cor_campaign *campaign, bool whole,
                                    struct cor_error *error) {
    const struct cor_experiment *experiment = campaign->definition.experiment;
    struct listing catalogs[COR_CATALOG_COUNT] = {{0}};
    char *text = provenance(campaign, error);
    enum cor_status status = text ? list_all(experiment, catalogs, error) : error->status;
    struct cor_result_header header = {
        .experiment = experiment->text,
        .provenance = text,
        .seed = experiment->seed,
        .complete = whole,
        .planned_suites = campaign->planned,
        .suite_limit = campaign->kept,
    };
    for (size_t i = 0; i < COR_CATALOG_COUNT; i++) {
        header.catalog[i] = catalogs[i].entries;
        header.catalog_size[i] = catalogs[i].size;
    }
    if (status == COR_OK)
        status = merge_with(campaign, &header, error);
    for (size_t i = 0; i < COR_CATALOG_COUNT; i++)
        free(catalogs[i].entries);
    free(text);
    return status;
}

/* ------------------------------------------------------------------------------------------------- from
 * outside */

struct merge_argument {
    const struct cor_campaign *campaign;
    bool whole;
};

static enum cor_status merge_in_child(void *argument, void *answer, size_t size, struct cor_error *error) {
    (void)answer;
    (void)size;
    const struct merge_argument *merge = argument;
    signal(SIGXFSZ, SIG_IGN); /* a file-size limit is then an error of write(), and said */
    signal(SIGINT, SIG_IGN);  /* merging takes seconds, and half a merge is worth nothing */
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    return cor__merge_journals(merge->campaign, merge->whole, error);
}

/* Times are true of one run on one machine, so they stay out of the result file. */
static enum cor_status write_times(const struct cor_campaign *campaign, const char *path,
                                   struct cor_error *error) {
    const struct cor_experiment *experiment = campaign->definition.experiment;
    FILE *file = fopen(path, "w");
    if (!file)
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write");
    fprintf(file, "arm,suite,worker,cases,reorganizations,wall_s,cpu_s\n");
    for (uint64_t i = 0; i < campaign->kept; i++) {
        const struct cor_suite_note *note = &campaign->shared->note[i];
        fprintf(file, "%s,%" PRIu64 ",%u,%u,%u,%.6f,%.6f\n", experiment->arms[i % experiment->arm_count].name,
                i / experiment->arm_count, note->worker, note->cases, note->reorganizations,
                (double)note->wall_seconds, (double)note->cpu_seconds);
    }
    bool failed = ferror(file) != 0;
    if (fclose(file) == 0 && !failed)
        return COR_OK;
    return cor_fail_errno(error, COR_STATUS_FILE, path, "free some space", "cannot write");
}

enum cor_status cor_campaign_merge(struct cor_campaign *campaign, bool *whole, struct cor_error *error) {
    bool endless_ended = campaign->planned == 0;
    *whole = endless_ended || ends_by_plan(campaign);
    if (campaign->kept == 0)
        return cor_fail(error, COR_STATUS_INTERRUPTED, campaign->definition.output, NULL,
                        "no suite was finished, so there is nothing to write");
    struct merge_argument argument = {campaign,
                                      campaign->planned == 0 || campaign->kept == campaign->planned};
    char *drafted = cor_format("%s/times.csv", campaign->folder);
    char *path = cor_format("%s.times.csv", campaign->definition.output);
    /* Times are drafted among the journals, so that a full disk leaves neither file or both. */
    enum cor_status status = drafted && path ? write_times(campaign, drafted, error) : cor_fail_memory(error);
    if (status == COR_OK)
        status = cor__in_child(merge_in_child, &argument, NULL, 0, error);
    if (status == COR_OK && rename(drafted, path) != 0)
        status = cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write");
    free(drafted);
    free(path);
    return status;
}
