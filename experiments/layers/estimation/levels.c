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

enum cor_status estimation_layer__levels_list(struct cor_estimation *e, const struct cor_json *root,
                                              struct cor_error *error) {
    if (e->program)
        return estimation_layer__program_levels(e->program, root, e->failure, e->tried, &e->tried_count,
                                                error);
    if (e->property)
        return add(e, cor_strdup(ESTIMATION_LAYER__DISTANCE), error);
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
    e->by_distance = e->property && strcmp(text, ESTIMATION_LAYER__DISTANCE) == 0;
    if (e->program)
        COR_TRY(estimation_layer__program_level(e->program, root, text, &e->condition_count, error));
    else if (!e->by_distance)
        COR_TRY(cor_level_parse(text, e->vocabulary, "/level", &e->level, error));
    if (!e->program)
        e->condition_count = e->level.condition_count;
    for (uint32_t i = 0; i < e->condition_count; i++)
        e->levels[i] = (double)i + 1;
    e->level_count = e->condition_count;
    return COR_OK;
}
