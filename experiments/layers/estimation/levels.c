/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Levels where none is given: how far a property is from holding, how far a constraint is from being
 * violated; else what is known of a case, among which a pilot chooses. All but the first are texts that
 * could be given by hand, and so is the word for it. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/bytes.h>

#include <stdlib.h>
#include <string.h>

#define BUCKETS_MAX 60 /* of a probe whose cells are a level */

static enum cor_status add(struct cor_estimation *e, char *text, struct cor_error *error) {
    COR_TRY(cor_made(text, error));
    if (e->tried_count == COR_ESTIMATION_LEVELS_TRIED)
        free(text);
    else
        e->tried[e->tried_count++] = text;
    return COR_OK;
}

/* The highest cell of a probe that was counted in a case. */
static enum cor_status add_probe(struct cor_estimation *e, const struct cor_counter *probe,
                                 struct cor_error *error) {
    struct cor_bytes bytes = {0};
    if (probe->bucket_count < 2 || probe->bucket_count > BUCKETS_MAX)
        return COR_OK;
    cor_bytes_print(&bytes, "%s", "max(");
    for (uint32_t b = 1; b < probe->bucket_count; b++)
        cor_bytes_print(&bytes, "%s%u * min(%s.b%u, 1)", b > 1 ? ", " : "", b, probe->name, b);
    cor_bytes_print(&bytes, "%s", ", 0)");
    char *text = cor_bytes_text_take(&bytes, error);
    return text ? add(e, text, error) : COR_STATUS_MEMORY;
}

/* Of a corridor as a text how far its formulas of time are from being violated: of those that speak of alarms
 * and of being inside alone, which are columns, too. What is no formula over columns is passed over. */
static enum cor_status add_formulas(struct cor_estimation *e, struct cor_error *error) {
    struct cor_bytes bytes = {0};
    const char *says;
    enum cor_status status = COR_OK;
    for (uint32_t c = 0; status == COR_OK && cor_experiment_constraint(e->experiment, c, &says); c++) {
        struct cor_property *property;
        char *text = cor_format("P [ not (%s) ]", says);
        COR_TRY_OUT(cor_made(text, error));
        if (cor_property_parse(text, NULL, &property, NULL) == COR_OK) {
            cor_bytes_print(&bytes, "%snot (%s)", bytes.size > 0 ? " or " : "P [ ", says);
            cor_property_destroy(property);
        }
        free(text);
    }
    if (bytes.size == 0)
        return COR_OK;
    cor_bytes_print(&bytes, "%s", " ]");
    char *level = cor_bytes_text_take(&bytes, error);
    return level ? add(e, level, error) : COR_STATUS_MEMORY;
out:
    cor_bytes_fini(&bytes);
    return status;
}

enum cor_status estimation_layer__levels_list(struct cor_estimation *e, const struct cor_json *root,
                                              struct cor_error *error) {
    if (e->program)
        return estimation_layer__program_levels(e->program, root, e->failure, e->tried, &e->tried_count,
                                                error);
    if (e->property)
        return add(e, cor_strdup(e->property), error);
    COR_TRY(add_formulas(e, error));
    const struct cor_arm *arm = &e->experiment->arms[e->arm];
    COR_TRY(add(e, cor_strdup("dissimilarity"), error));
    if (arm->fault != 0 || arm->result.fault != COR_RESULT_FAULT_NONE)
        COR_TRY(add(e, cor_strdup("alarm; reached > 0; held > 0; activated > 0"), error));
    for (const struct cor_counter *probe = arm->algorithm->counters; probe && probe->name; probe++)
        COR_TRY(add_probe(e, probe, error));
    return COR_OK;
}

enum cor_status estimation_layer__level_take(struct cor_estimation *e, const struct cor_json *root,
                                             const char *text, struct cor_error *error) {
    char *kept = cor_strdup(text);
    COR_TRY(cor_made(kept, error));
    free(e->level_text);
    e->level_text = kept;
    cor_level_fini(&e->level);
    free(e->guide);
    e->guide = !e->program && estimation_layer__is_property(text) ? cor_strdup(text) : NULL;
    if (e->program)
        COR_TRY(estimation_layer__program_level(e->program, root, text, &e->condition_count, error));
    else if (!e->guide)
        COR_TRY(cor_level_parse(text, e->vocabulary, "/level", &e->level, error));
    if (!e->program)
        e->condition_count = e->level.condition_count;
    for (uint32_t i = 0; i < e->condition_count; i++)
        e->levels[i] = (double)i + 1;
    e->level_count = e->condition_count;
    return COR_OK;
}
