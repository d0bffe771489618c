/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "region_experiment.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/json.h>

#include <stdlib.h>
#include <string.h>

/* What is written, and the names that its arms have. */
struct regions {
    const struct cor_layer_tables *search;
    struct cor_json_writer *writer;
    const struct cor_json *arms; /* of the experiment */
    char **names;                /* owned, as each of them; of the arms of regions so far */
    size_t count, capacity;
};

static const struct cor_search_region_row *region_at(const struct cor_layer_tables *search, uint64_t index) {
    return cor_layer_row(search, COR_SEARCH_TABLE_REGIONS, index);
}

/* The arm of the experiment that an island searched. */
static uint16_t target_of(const struct cor_layer_tables *search, const struct cor_search_region_row *row) {
    uint64_t count;
    const uint64_t first = cor_layer_rows_of(search, COR_SEARCH_TABLE_ISLANDS, row->arm, row->suite, &count);
    const struct cor_search_island_row *island = cor_layer_row(search, COR_SEARCH_TABLE_ISLANDS, first);
    return count > 0 ? island->target : UINT16_MAX;
}

static bool has_several_islands(const struct cor_layer_tables *search, uint16_t arm) {
    for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_ISLANDS]; i++) {
        const struct cor_search_island_row *row = cor_layer_row(search, COR_SEARCH_TABLE_ISLANDS, i);
        if (row->arm == arm && row->suite > 0)
            return true;
    }
    return false;
}

/* Has another search of the same arm settled on a region, too? */
static bool has_several_searches(const struct cor_layer_tables *search,
                                 const struct cor_search_region_row *row) {
    const uint16_t target = target_of(search, row);
    for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_REGIONS]; i++) {
        const struct cor_search_region_row *other = region_at(search, i);
        if (other->settled && other->arm != row->arm && target_of(search, other) == target)
            return true;
    }
    return false;
}

static bool is_taken(const struct regions *r, const char *name) {
    for (size_t i = 0; i < r->count; i++)
        if (strcmp(r->names[i], name) == 0)
            return true;
    for (size_t i = 0; i < cor_json_size(r->arms); i++) {
        const struct cor_json arm = cor_json_at(r->arms, i);
        struct cor_json json;
        const char *of;
        if (cor_json_find(&arm, "name", &json) && cor_json_string(&json, &of, NULL) == COR_OK &&
            strcmp(of, name) == 0)
            return true;
    }
    return false;
}

/* ARM-region, with what tells it from others: -SEARCH, -ISLAND. Owned by the caller; NULL: memory is out. */
static char *name_of(const struct regions *r, const struct cor_search_region_row *row, const char *arm) {
    const struct cor_result_header *head = r->search->head;
    const char *search = cor_arm_entry(head, cor_arm_of_code(head, row->arm))->name; /* SEARCH/ARM */
    char *name = cor_format("%s-region", arm);
    if (has_several_searches(r->search, row) && strlen(search) > strlen(arm))
        name = cor_join_take(name, "-", cor_format("%.*s", (int)(strlen(search) - strlen(arm) - 1), search));
    return has_several_islands(r->search, row->arm) ? cor_join_take(name, "-", cor_format("%u", row->suite))
                                                    : name;
}

static enum cor_status put_arm(struct regions *r, const struct cor_search_region_row *row,
                               struct cor_error *error) {
    const uint16_t target = target_of(r->search, row);
    if (target >= cor_json_size(r->arms))
        return cor_json_fail(r->arms, error, NULL, "has no arm %u, which was searched", target);
    const struct cor_json arm = cor_json_at(r->arms, target);
    cor_json_open_object(r->writer, NULL);
    struct cor_json json;
    const char *of;
    COR_TRY(cor_json_need(&arm, "name", &json, error));
    COR_TRY(cor_json_string(&json, &of, error));
    /* A name that no arm has: the experiment may have one of this name, as that of an earlier region has. */
    COR_TRY(COR_RESERVE(&r->names, &r->capacity, r->count + 1, error));
    char *plain = name_of(r, row, of), *name = cor_strdup(plain);
    for (unsigned again = 2; name && is_taken(r, name); again++) {
        free(name);
        name = cor_format("%s-%u", plain, again);
    }
    free(plain);
    COR_TRY(cor_made(name, error));
    r->names[r->count++] = name;
    cor_json_put_string(r->writer, "name", name);
    for (size_t i = 0; i < cor_json_size(&arm); i++) {
        const struct cor_json child = cor_json_at(&arm, i);
        if (strcmp(child.key, "name") != 0 && strcmp(child.key, "constraints") != 0)
            cor_json_put_value(r->writer, child.key, &child);
    }
    struct cor_json own;
    char *lines;
    COR_TRY(cor_search_text(r->search, row->text_start, row->text, &lines, error));
    cor_json_open_array(r->writer, "constraints");
    if (cor_json_find(&arm, "constraints", &own))
        for (size_t i = 0; i < cor_json_size(&own); i++) {
            const struct cor_json item = cor_json_at(&own, i);
            cor_json_put_value(r->writer, NULL, &item);
        }
    for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n"))
        cor_json_put_string(r->writer, NULL, line);
    cor_json_close(r->writer);
    free(lines);
    cor_json_close(r->writer);
    return COR_OK;
}

static enum cor_status put_arms(struct cor_json_writer *writer, const struct cor_layer_tables *search,
                                const struct cor_json *arms, struct cor_error *error) {
    struct regions r = {.search = search, .writer = writer, .arms = arms};
    cor_json_open_array(writer, "arms");
    for (size_t a = 0; a < cor_json_size(arms); a++) {
        const struct cor_json arm = cor_json_at(arms, a);
        cor_json_put_value(writer, NULL, &arm);
    }
    enum cor_status status = COR_OK;
    for (uint64_t i = 0; i < r.search->count[COR_SEARCH_TABLE_REGIONS]; i++)
        if (region_at(r.search, i)->settled)
            COR_TRY_OUT(put_arm(&r, region_at(r.search, i), error));
    if (r.count == 0)
        COR_TRY_OUT(
            cor_fail(error, COR_STATUS_INPUT, NULL,
                     "search by the generator \"directed\" with a greater budget, or for another seam",
                     "no search of the file has settled on a region"));
out:
    cor_json_close(writer);
    for (size_t i = 0; i < r.count; i++)
        free(r.names[i]);
    free(r.names);
    return status;
}

static enum cor_status put_experiment(struct cor_json_writer *writer, const struct cor_layer_tables *search,
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

enum cor_status cor_region_experiment(const struct cor_layer_tables *search, char **text,
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
