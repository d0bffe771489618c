/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "region_experiment.h"

#include <corridor/array.h>
#include <corridor/json.h>

#include <stdlib.h>
#include <string.h>

/* The arm of the experiment that an island searched. */
static uint16_t target_of(const struct cor_search_result *search, const struct cor_search_region_row *row) {
    uint64_t count;
    const uint64_t first = cor_search_rows_of(search, COR_SEARCH_TABLE_ISLANDS, row->arm, row->suite, &count);
    const struct cor_search_island_row *island = cor_search_row(search, COR_SEARCH_TABLE_ISLANDS, first);
    return count > 0 ? island->target : UINT16_MAX;
}

static bool has_several_islands(const struct cor_search_result *search, uint16_t arm) {
    for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_ISLANDS]; i++) {
        const struct cor_search_island_row *row = cor_search_row(search, COR_SEARCH_TABLE_ISLANDS, i);
        if (row->arm == arm && row->suite > 0)
            return true;
    }
    return false;
}

static enum cor_status put_name(struct cor_json_writer *writer, const struct cor_search_result *search,
                                const struct cor_search_region_row *row, const struct cor_json *arm,
                                struct cor_error *error) {
    struct cor_json json;
    const char *of;
    COR_TRY(cor_json_need(arm, "name", &json, error));
    COR_TRY(cor_json_string(&json, &of, error));
    char *name = has_several_islands(search, row->arm) ? cor_format("%s-region-%u", of, row->suite)
                                                       : cor_format("%s-region", of);
    COR_TRY(cor_made(name, error));
    cor_json_put_string(writer, "name", name);
    free(name);
    return COR_OK;
}

static enum cor_status put_constraints(struct cor_json_writer *writer, const struct cor_search_result *search,
                                       const struct cor_search_region_row *row, const struct cor_json *arm,
                                       struct cor_error *error) {
    struct cor_json own;
    char *lines;
    COR_TRY(cor_search_text(search, row->text_start, row->text, &lines, error));
    cor_json_open_array(writer, "constraints");
    if (cor_json_find(arm, "constraints", &own))
        for (size_t i = 0; i < cor_json_size(&own); i++) {
            const struct cor_json item = cor_json_at(&own, i);
            cor_json_put_value(writer, NULL, &item);
        }
    for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n"))
        cor_json_put_string(writer, NULL, line);
    cor_json_close(writer);
    free(lines);
    return COR_OK;
}

static enum cor_status put_arm(struct cor_json_writer *writer, const struct cor_search_result *search,
                               const struct cor_search_region_row *row, const struct cor_json *arms,
                               struct cor_error *error) {
    const uint16_t target = target_of(search, row);
    if (target >= cor_json_size(arms))
        return cor_json_fail(arms, error, NULL, "has no arm %u, which was searched", target);
    const struct cor_json arm = cor_json_at(arms, target);
    cor_json_open_object(writer, NULL);
    COR_TRY(put_name(writer, search, row, &arm, error));
    for (size_t i = 0; i < cor_json_size(&arm); i++) {
        const struct cor_json child = cor_json_at(&arm, i);
        if (strcmp(child.key, "name") != 0 && strcmp(child.key, "constraints") != 0)
            cor_json_put_value(writer, child.key, &child);
    }
    COR_TRY(put_constraints(writer, search, row, &arm, error));
    cor_json_close(writer);
    return COR_OK;
}

static enum cor_status put_arms(struct cor_json_writer *writer, const struct cor_search_result *search,
                                const struct cor_json *arms, struct cor_error *error) {
    uint64_t settled = 0;
    cor_json_open_array(writer, "arms");
    for (size_t a = 0; a < cor_json_size(arms); a++) {
        const struct cor_json arm = cor_json_at(arms, a);
        cor_json_put_value(writer, NULL, &arm);
    }
    for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_REGIONS]; i++) {
        const struct cor_search_region_row *row = cor_search_row(search, COR_SEARCH_TABLE_REGIONS, i);
        if (!row->settled)
            continue;
        COR_TRY(put_arm(writer, search, row, arms, error));
        settled++;
    }
    cor_json_close(writer);
    if (settled == 0)
        return cor_fail(error, COR_STATUS_INPUT, NULL,
                        "search by the generator \"directed\" with a greater budget, or for another seam",
                        "no search of the file has settled on a region");
    return COR_OK;
}

static enum cor_status put_experiment(struct cor_json_writer *writer, const struct cor_search_result *search,
                                      const struct cor_json *root, struct cor_error *error) {
    struct cor_json experiment;
    COR_TRY(cor_json_need(root, "experiment", &experiment, error));
    cor_json_open_object(writer, NULL);
    for (size_t i = 0; i < cor_json_size(&experiment); i++) {
        const struct cor_json child = cor_json_at(&experiment, i);
        if (strcmp(child.key, "arms") == 0)
            COR_TRY(put_arms(writer, search, &child, error));
        else
            cor_json_put_value(writer, child.key, &child);
    }
    cor_json_close(writer);
    return COR_OK;
}

enum cor_status cor_region_experiment(const struct cor_search_result *search, char **text,
                                      struct cor_error *error) {
    struct cor_json_document *document = NULL;
    struct cor_json_writer *writer;
    *text = NULL;
    COR_TRY(cor_json_parse(search->head->experiment, "the experiment in the result file", &document, error));
    const struct cor_json root = cor_json_root(document);
    enum cor_status status = cor_json_writer_create(&writer, error);
    if (status == COR_OK) {
        status = put_experiment(writer, search, &root, error);
        if (status == COR_OK)
            status = cor_json_text_take(writer, 2, text, error);
        else
            cor_json_writer_destroy(writer);
    }
    cor_json_destroy(document);
    return status;
}
