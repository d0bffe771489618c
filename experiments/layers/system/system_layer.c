/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a campaign executes of the system layer: a suite is a test with a row of its examples, in an arm. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/system_layer.h>
#include <corridor/system_schema.h>
#include <corridor/world_program.h>

#include <stdlib.h>
#include <string.h>

#define RIGS_KEPT 16 /* each may be a process */

struct executor {
    const struct cor_system_experiment *experiment;
    struct system_layer__rig *rigs[RIGS_KEPT]; /* owned; the one used last first */
};

static enum cor_status open_executor(const void *experiment, void **with, struct cor_error *error) {
    struct executor *executor = cor_calloc(1, sizeof *executor);
    *with = executor;
    COR_TRY(cor_made(executor, error));
    executor->experiment = experiment;
    return COR_OK;
}

static void close_executor(void *with) {
    struct executor *executor = with;
    for (int b = 0; executor && b < RIGS_KEPT; b++)
        system_layer__rig_destroy(executor->rigs[b]);
    if (executor)
        cor_world_programs_part(executor->experiment->programs);
    free(executor);
}

/* The rig of that test in that arm, which is then the first. */
static enum cor_status find_rig(struct executor *executor, uint32_t arm, uint32_t entry,
                                struct cor_error *error) {
    struct system_layer__rig *found = NULL;
    int b = 0;
    while (b < RIGS_KEPT && executor->rigs[b] &&
           (executor->rigs[b]->arm != arm || executor->rigs[b]->entry != entry))
        b++;
    if (b < RIGS_KEPT && executor->rigs[b])
        found = executor->rigs[b];
    else {
        b = b < RIGS_KEPT ? b : RIGS_KEPT - 1;
        system_layer__rig_destroy(executor->rigs[b]);
        executor->rigs[b] = NULL;
        COR_TRY(system_layer__rig_create(executor->experiment, arm, entry, NULL, &found, error));
    }
    memmove(executor->rigs + 1, executor->rigs, (size_t)b * sizeof(struct system_layer__rig *));
    executor->rigs[0] = found;
    return COR_OK;
}

static enum cor_status execute(void *with, uint32_t arm, uint32_t suite, const struct cor_watch *watch,
                               struct cor_record *record, struct cor_suite_counts *tally,
                               struct cor_error *error) {
    struct executor *executor = with;
    const uint32_t entries = executor->experiment->entry_count;
    cor_record_begin(record, (uint16_t)arm, suite);
    COR_TRY(find_rig(executor, arm, suite % entries, error));
    struct cor_live_world *world = executor->rigs[0]->world;
    const enum cor_status status =
        system_layer__run(executor->rigs[0], suite / entries, watch, record, tally, error);
    if (world->kind->rest)
        world->kind->rest(world);
    return status;
}

static const struct {
    enum cor_system_catalog catalog;
    const char *description;
} catalogs_of[COR_SYSTEM_NAMES_COUNT] = {
    [COR_SYSTEM_NAMES_AGENT] = {COR_SYSTEM_CATALOG_AGENT, "test agent"},
    [COR_SYSTEM_NAMES_ACTION] = {COR_SYSTEM_CATALOG_ACTION, "action"},
    [COR_SYSTEM_NAMES_GOAL] = {COR_SYSTEM_CATALOG_GOAL, "goal"},
    [COR_SYSTEM_NAMES_CHECK] = {COR_SYSTEM_CATALOG_CHECK, "check"},
    [COR_SYSTEM_NAMES_STATE] = {COR_SYSTEM_CATALOG_STATE, "state"},
    [COR_SYSTEM_NAMES_TYPE] = {COR_SYSTEM_CATALOG_TYPE, "type of entities"},
};

static enum cor_status list_all(const void *with, struct cor_catalogs *catalogs, struct cor_error *error) {
    const struct cor_system_experiment *experiment = with;
    const struct cor_json root = cor_json_root(experiment->document);
    struct cor_json states, state;
    for (uint32_t e = 0; e < experiment->entry_count; e++)
        COR_TRY(
            cor_catalogs_add(catalogs, COR_SYSTEM_CATALOG_TEST, experiment->entries[e].name, "test", error));
    for (int n = 0; n < COR_SYSTEM_NAMES_COUNT; n++)
        for (uint32_t w = 0; w < experiment->names[n].count; w++) {
            const char *name = cor_words_text(&experiment->names[n], w), *description;
            description = catalogs_of[n].description;
            if (n == COR_SYSTEM_NAMES_STATE && cor_json_find(&root, "states", &states) &&
                cor_json_find(&states, name, &state))
                COR_TRY(cor_json_string(&state, &description, error));
            COR_TRY(cor_catalogs_add(catalogs, catalogs_of[n].catalog, name, description, error));
        }
    return COR_OK;
}

static void put_provenance(const void *with, struct cor_json_writer *writer) {
    const struct cor_system_experiment *experiment = with;
    cor_json_put_string(writer, "world", experiment->world->maker->key);
    cor_json_put_bool(writer, "foreign_systems", experiment->guest_count > 0 || experiment->runs_code);
    system_layer__guests_put(experiment, writer);
}

static void destroy(void *with) {
    cor_system_experiment_destroy(with);
}

static enum cor_status read(const char *path, struct cor_json_document *document,
                            const struct cor_layer_options *options, struct cor_experiment_head **experiment,
                            char **notes, char **warnings, struct cor_error *error) {
    struct cor_system_experiment *made = NULL;
    enum cor_status status = COR_OK;
    const struct cor_json root = cor_json_root(document);
    char *text = cor_json_text(&root);
    if (options->suite_folder || options->log_solutions || options->algorithm || options->fresh_processes)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, path, "leave the option out",
                             "is an experiment with a running system, which has no suites in files, "
                             "solutions, algorithms or fresh processes"));
    COR_TRY_OUT(cor_made(text, error));
    COR_TRY_OUT(cor_system_experiment_parse(text, path, options, &made, error));
    (void)notes;
    COR_TRY_OUT(system_layer__guests_look(made, options->isolation_required, warnings, error));
    cor_world_programs_part(made->programs); /* other processes of ours carry it out, with their own */
out:
    free(text);
    cor_json_destroy(document);
    if (status != COR_OK) {
        cor_system_experiment_destroy(made);
        made = NULL;
    }
    *experiment = made ? &made->head : NULL;
    return status;
}

const struct cor_layer cor_system_layer = {
    .key = "system",
    .schema = &cor_system_schema,
    .failures = "tests that failed",
    .read = read,
    .destroy = destroy,
    .open = open_executor,
    .execute = execute,
    .close = close_executor,
    .list = list_all,
    .provenance = put_provenance,
};
