/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A search, from JSON: a file, or what a command line says, written likewise. */
#include "pattern.h"

#include <corridor/array.h>
#include <corridor/fields.h>
#include <corridor/json_names.h>
#include <corridor/result.h>
#include <corridor/search_layer.h>
#include <corridor/search_schema.h>

#include <stdlib.h>
#include <string.h>

#define GENERATORS_MAX 100

void cor_search_destroy(struct cor_search *search) {
    if (!search)
        return;
    for (size_t a = 0; a < search->head.arm_count; a++) {
        free(search->arms[a].name);
        free(search->arms[a].description);
    }
    free(search->arms);
    cor_interaction_layer.destroy(search->interaction);
    cor_json_destroy(search->document);
    cor_experiment_head_fini(&search->head);
    free(search);
}

/* One entry of "generators" while it is read. */
struct entry {
    const char *name, *generator, *arm;
    struct cor_generator_options options;
};

static const struct cor_field entry_fields[] = {
    {"name", COR_OPTIONAL, COR_STRING_FIELD(struct entry, name)},
    {"generator", COR_REQUIRED, COR_STRING_FIELD(struct entry, generator)},
    {"arm", COR_OPTIONAL, COR_STRING_FIELD(struct entry, arm)},
    {"seam", COR_OPTIONAL, COR_STRING_FIELD(struct entry, options.seam)},
    {"trap", COR_OPTIONAL, COR_STRING_FIELD(struct entry, options.trap)},
    {"level", COR_OPTIONAL, COR_STRING_FIELD(struct entry, options.level)},
    {"region", COR_OPTIONAL, COR_STRING_FIELD(struct entry, options.region)},
    {"pattern", COR_OPTIONAL, COR_STRING_FIELD(struct entry, options.pattern)},
    {"minimize", COR_OPTIONAL, COR_BOOL_FIELD(struct entry, options.minimize)},
    {0}};

/* What the result file says of an arm. */
static enum cor_status describe(const struct cor_experiment *experiment, struct cor_search_arm *arm,
                                struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "generator", arm->generator->name);
    cor_json_put_string(writer, "arm", experiment->arms[arm->target].name);
    for (size_t i = 0; cor_generator_option_key(i); i++) {
        const char *key = cor_generator_option_key(i);
        const char *text = cor_generator_option_text(&arm->options, i);
        if (text)
            cor_json_put_string(writer, key, text);
    }
    cor_json_put_bool(writer, "minimize", arm->options.minimize);
    cor_json_put_text(writer, "target", experiment->arms[arm->target].description);
    cor_json_close(writer);
    return cor_json_text_take(writer, 0, &arm->description, error);
}

static enum cor_status check_option(const struct cor_json *json, const struct cor_generator *generator,
                                    size_t option, const char *key, struct cor_error *error) {
    if (generator->takes >> option & 1)
        return COR_OK;
    return cor_json_fail(json, error, "leave it out, or name another generator",
                         "%s takes no such option: \"%s\"", generator->name, key);
}

static enum cor_status add_arm(struct cor_search *search, const struct cor_json *json,
                               const struct entry *entry, uint32_t target, struct cor_error *error) {
    const struct cor_experiment *experiment = search->interaction->experiment;
    struct cor_error said = COR_NO_ERROR;
    COR_TRY(COR_RESERVE(&search->arms, &search->arm_capacity, search->head.arm_count + 1, error));
    struct cor_search_arm *arm = &search->arms[search->head.arm_count];
    *arm = (struct cor_search_arm){.target = target, .options = entry->options};
    search->head.arm_count++;
    char place[512];
    cor_json_place(json, place, sizeof place);
    COR_TRY(cor_generator_find(entry->generator, place, &arm->generator, error));
    arm->name =
        cor_format("%s/%s", entry->name ? entry->name : arm->generator->name, experiment->arms[target].name);
    COR_TRY(cor_made(arm->name, error));
    for (size_t a = 0; a + 1 < search->head.arm_count; a++)
        if (strcmp(search->arms[a].name, arm->name) == 0)
            return cor_json_fail(json, error, "give it a \"name\" of its own", "\"%s\" is there already",
                                 arm->name);
    for (size_t i = 0; cor_generator_option_key(i); i++)
        if (cor_generator_option_text(&arm->options, i))
            COR_TRY(check_option(json, arm->generator, i, cor_generator_option_key(i), error));
    if (arm->options.minimize)
        COR_TRY(check_option(json, arm->generator, COR_GENERATOR_MINIMIZE, "minimize", error));
    if (arm->options.pattern) {
        struct search_layer__pattern *pattern;
        COR_TRY(search_layer__pattern_create(arm->options.pattern, place, 0, &pattern, error));
        search_layer__pattern_destroy(pattern);
    }
    const struct cor_generator_definition definition = {
        .experiment = experiment, .arm = target, .budget = search->budget, .options = &arm->options};
    const enum cor_status status = arm->generator->check ? arm->generator->check(&definition, &said) : COR_OK;
    if (status == COR_STATUS_INPUT)
        return cor_json_fail(json, error, said.remedy, "%s: %s", arm->name, said.cause);
    if (status != COR_OK)
        *error = said;
    return status == COR_OK ? describe(experiment, arm, error) : status;
}

static enum cor_status read_entry(struct cor_search *search, const struct cor_json *json,
                                  struct cor_error *error) {
    const struct cor_experiment *experiment = search->interaction->experiment;
    struct entry entry = {0};
    COR_TRY(cor_json_fields(json, entry_fields, &entry, error));
    uint32_t found;
    if (entry.arm)
        COR_TRY(cor_json_find_name(
            json, COR_RECORD_NAMES(experiment->arms, experiment->arm_count, struct cor_arm, name), entry.arm,
            "the experiment has no arm", &found, error));
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        if (!entry.arm || strcmp(entry.arm, experiment->arms[a].name) == 0)
            COR_TRY(add_arm(search, json, &entry, a, error));
    return COR_OK;
}

static enum cor_status read_generators(const struct cor_json *json, void *into, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 1, GENERATORS_MAX, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(read_entry(into, &item, error));
    }
    return COR_OK;
}

static enum cor_status check_version(const struct cor_json *json, void *into, struct cor_error *error) {
    int64_t version;
    (void)into;
    return cor_json_integer(json, 1, 1, &version, error);
}

static const struct cor_field fields[] = {
    {"corridor_search", COR_REQUIRED, COR_READ_FIELD(check_version)},
    {"name", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"description", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"budget", COR_REQUIRED, COR_INTEGER_FIELD(struct cor_search, budget, 1, COR_SEARCH_BUDGET_MAX)},
    {"islands", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_search, head.suite_count, 1, COR_ISLANDS_MAX)},
    {"experiment", COR_REQUIRED, COR_KNOWN_FIELD},
    {"generators", COR_REQUIRED, COR_READ_FIELD(read_generators)},
    {"stop", COR_OPTIONAL, COR_KNOWN_FIELD},
    {0}};

/* The experiment as a document of its own: named by a path, or inlined. */
static enum cor_status open_experiment(const struct cor_json *json, const char *path,
                                       const struct cor_layer_options *options, struct cor_search *search,
                                       char **notes, char **warnings, struct cor_error *error) {
    struct cor_json_document *document;
    char *name = NULL, *text = NULL;
    const char *said;
    struct cor_experiment_head *interaction = NULL;
    enum cor_status status = COR_OK;
    if (cor_json_is_string(json)) {
        COR_TRY(cor_json_string(json, &said, error));
        COR_TRY(cor_made(name = cor_json_beside(json, said), error));
        COR_TRY_OUT(cor_json_read(name, &document, error));
    } else {
        COR_TRY(cor_json_expect_object(json, NULL, error));
        COR_TRY(cor_made(text = cor_json_text(json), error));
        COR_TRY_OUT(cor_json_parse(text, path, &document, error));
    }
    status = cor_json_record_named(document, json, error);
    if (status != COR_OK) {
        cor_json_destroy(document);
        goto out;
    }
    status = cor_interaction_layer.read(name ? name : path, document, options, &interaction, notes, warnings,
                                        error);
    search->interaction = (struct cor_interaction *)interaction;
out:
    free(name);
    free(text);
    return status;
}

static const char *const free_members[] = {"islands", "generators", "name", "description", "stop", NULL};

static enum cor_status read_all(struct cor_search *search, const struct cor_layer_options *options,
                                char **notes, char **warnings, struct cor_error *error) {
    struct cor_json experiment;
    const struct cor_json root = cor_json_root(search->document);
    if (options->suite_folder)
        return cor_fail(error, COR_STATUS_INPUT, search->head.path, "leave --suites out",
                        "a search makes its tests itself, and reads no suites");
    if (options->log_solutions)
        return cor_fail(error, COR_STATUS_INPUT, search->head.path, "replay a test of it: corridor replay",
                        "a search keeps no rows of its tests, and no solutions");
    COR_TRY(cor_json_expect_fields(&root, fields, error));
    COR_TRY(cor_json_need(&root, "experiment", &experiment, error));
    COR_TRY(open_experiment(&experiment, search->head.path, options, search, notes, warnings, error));
    if (search->interaction->experiment->branching.continuations > 0)
        return cor_fail(error, COR_STATUS_INPUT, search->head.path, "leave \"branching\" out",
                        "a search goes on from failures by itself");
    COR_TRY(cor_json_fields(&root, fields, search, error));
    /* Arms of the search are those of the experiment in it, each with a generator. */
    struct cor_experiment_head *head = &search->head;
    const struct cor_experiment_head *inner = &search->interaction->head;
    COR_TRY(cor_experiment_head_arms(head, head->arm_count, error));
    head->seed = inner->seed;
    head->resumable = inner->resumable;
    head->free_members = free_members;
    for (uint32_t a = 0; a < head->arm_count; a++) {
        const struct cor_search_arm *arm = &search->arms[a];
        const struct cor_arm_head *target = &inner->arms[arm->target];
        head->arms[a] = (struct cor_arm_head){.name = arm->name,
                                              .description = arm->description,
                                              .fault = target->fault,
                                              .text = cor_format("%s%s", arm->description, target->text),
                                              .digest = target->digest,
                                              .foreign = target->foreign,
                                              .unasked = target->unasked};
        COR_TRY(cor_made(head->arms[a].text, error));
    }
    /* The text with the experiment as it was read. */
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    for (size_t i = 0; i < cor_json_size(&root); i++) {
        const struct cor_json item = cor_json_at(&root, i);
        if (strcmp(item.key, "experiment") == 0)
            cor_json_put_text(writer, item.key, search->interaction->experiment->text);
        else
            cor_json_put_value(writer, item.key, &item);
    }
    cor_json_close(writer);
    return cor_json_text_take(writer, 0, &search->head.text, error);
}

enum cor_status cor_search_take(const char *path, struct cor_json_document *document,
                                const struct cor_layer_options *options, struct cor_search **search,
                                char **notes, char **warnings, struct cor_error *error) {
    struct cor_search *made = *search = cor_calloc(1, sizeof *made);
    if (!made) {
        cor_json_destroy(document);
        return cor_fail_memory(error);
    }
    made->document = document;
    made->head.suite_count = 1;
    made->head.path = cor_strdup(path);
    enum cor_status status = cor_made(made->head.path, error);
    if (status == COR_OK)
        status = read_all(made, options, notes, warnings, error);
    if (status != COR_OK) {
        cor_search_destroy(made);
        *search = NULL;
    }
    return status;
}

/* ---- what a campaign is told of a search */

static enum cor_status read(const char *path, struct cor_json_document *document,
                            const struct cor_layer_options *options, struct cor_experiment_head **experiment,
                            char **notes, char **warnings, struct cor_error *error) {
    struct cor_search *search;
    const enum cor_status status = cor_search_take(path, document, options, &search, notes, warnings, error);
    *experiment = search ? &search->head : NULL;
    return status;
}

static void destroy(void *with) {
    cor_search_destroy(with);
}

static enum cor_status open_executor(const void *with, void **executor, struct cor_error *error) {
    struct cor_search_executor *made;
    const enum cor_status status = cor_search_executor_create(with, &made, error);
    *executor = made;
    return status;
}

static enum cor_status execute(void *executor, uint32_t arm, uint32_t suite, const struct cor_watch *watch,
                               struct cor_record *record, struct cor_suite_counts *tally,
                               struct cor_error *error) {
    return cor_search_island(executor, arm, suite, watch, record, tally, error);
}

static void close_executor(void *executor) {
    cor_search_executor_destroy(executor);
}

static enum cor_status list_all(const void *with, struct cor_catalogs *catalogs, struct cor_error *error) {
    const struct cor_search *search = with;
    const struct cor_experiment *experiment = search->interaction->experiment;
    const struct cor_generator *generator;
    for (size_t i = 0; cor_generator_word(i); i++) {
        COR_TRY(cor_generator_find(cor_generator_word(i), NULL, &generator, error));
        COR_TRY(cor_catalogs_add(catalogs, COR_SEARCH_CATALOG_GENERATOR, generator->name, generator->meaning,
                                 error));
    }
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        COR_TRY(cor_catalogs_add(catalogs, COR_SEARCH_CATALOG_TARGET, experiment->arms[a].name,
                                 experiment->arms[a].description, error));
    return COR_OK;
}

static void put_provenance(const void *with, struct cor_json_writer *writer) {
    const struct cor_search *search = with;
    cor_interaction_layer.provenance(search->interaction, writer);
}

static bool is_cut(struct cor_result *result) {
    struct cor_search_island_row row;
    for (uint64_t i = 0; i < cor_result_size(result, COR_SEARCH_TABLE_ISLANDS); i++)
        if (cor_result_read(result, COR_SEARCH_TABLE_ISLANDS, i, 1, &row, NULL) == COR_OK && row.interrupted)
            return true;
    return false;
}

const struct cor_layer cor_search_layer = {
    .key = "corridor_search",
    .schema = &cor_search_schema,
    .runs = "reorganizations",
    .failures = "tests that failed",
    .read = read,
    .destroy = destroy,
    .open = open_executor,
    .execute = execute,
    .close = close_executor,
    .is_cut = is_cut,
    .list = list_all,
    .provenance = put_provenance,
};
