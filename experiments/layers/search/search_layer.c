/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a campaign is told of a search. */
#include <corridor/array.h>
#include <corridor/result.h>
#include <corridor/search_layer.h>
#include <corridor/search_schema.h>

#include <stdlib.h>

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
