/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A hypothesis has columns of its own for properties of truth, and those of the beliefs for all else. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/hypothesis.h>

#include <stdlib.h>
#include <string.h>

/* The columns of a type. */
struct supposed {
    struct cor_attribute_values *columns; /* owned; [attribute] */
    int64_t **values;                     /* owned; [attribute]; NULL: the beliefs' */
    uint8_t **unknown;                    /* owned; likewise */
    size_t capacity;                      /* elements */
};

struct cor_hypothesis {
    const struct cor_beliefs *beliefs;
    struct supposed *types;             /* owned; [type] */
    struct cor_population *populations; /* owned; [type] */
    struct cor_world world;
};

static bool is_truth(const struct cor_hypothesis *hypothesis, uint32_t type, uint32_t attribute) {
    const struct cor_world_vocabulary *vocabulary = hypothesis->beliefs->vocabulary;
    return attribute < vocabulary->types[type].valued &&
           vocabulary->element_types[type].attributes[attribute].domain->type == COR_VALUE_TYPE_BOOLEAN;
}

enum cor_status cor_hypothesis_create(const struct cor_beliefs *beliefs, struct cor_hypothesis **created,
                                      struct cor_error *error) {
    struct cor_hypothesis *hypothesis = cor_calloc(1, sizeof *hypothesis);
    enum cor_status status = COR_OK;
    *created = NULL;
    COR_TRY(cor_made(hypothesis, error));
    hypothesis->beliefs = beliefs;
    hypothesis->types = cor_calloc(beliefs->type_count, sizeof *hypothesis->types);
    hypothesis->populations = cor_calloc(beliefs->type_count, sizeof *hypothesis->populations);
    if (!hypothesis->types || !hypothesis->populations)
        COR_TRY_OUT(cor_fail_memory(error));
    for (uint32_t t = 0; t < beliefs->type_count; t++) {
        struct supposed *type = &hypothesis->types[t];
        const uint32_t count = beliefs->vocabulary->types[t].attribute_count;
        type->columns = cor_calloc(count, sizeof *type->columns);
        type->values = cor_calloc(count, sizeof *type->values);
        type->unknown = cor_calloc(count, sizeof *type->unknown);
        if (!type->columns || !type->values || !type->unknown)
            COR_TRY_OUT(cor_fail_memory(error));
    }
    COR_TRY_OUT(cor_hypothesis_begin(hypothesis, error));
    *created = hypothesis;
    hypothesis = NULL;
out:
    cor_hypothesis_destroy(hypothesis);
    return status;
}

void cor_hypothesis_destroy(struct cor_hypothesis *hypothesis) {
    if (!hypothesis)
        return;
    for (uint32_t t = 0; hypothesis->types && t < hypothesis->beliefs->type_count; t++) {
        struct supposed *type = &hypothesis->types[t];
        for (uint32_t a = 0; a < hypothesis->beliefs->vocabulary->types[t].attribute_count; a++) {
            free(type->values ? type->values[a] : NULL);
            free(type->unknown ? type->unknown[a] : NULL);
        }
        free(type->columns);
        free(type->values);
        free(type->unknown);
    }
    free(hypothesis->types);
    free(hypothesis->populations);
    free(hypothesis);
}

/* Room for as many elements as the beliefs have room for. */
static enum cor_status reserve(struct cor_hypothesis *hypothesis, uint32_t t, struct cor_error *error) {
    struct supposed *type = &hypothesis->types[t];
    const size_t capacity = hypothesis->beliefs->types[t].capacity;
    if (capacity <= type->capacity)
        return COR_OK;
    for (uint32_t a = 0; a < hypothesis->beliefs->vocabulary->types[t].attribute_count; a++)
        if (is_truth(hypothesis, t, a)) {
            int64_t *values = realloc(type->values[a], capacity * sizeof *values);
            COR_TRY(cor_made(values, error));
            type->values[a] = values;
            uint8_t *unknown = realloc(type->unknown[a], capacity);
            COR_TRY(cor_made(unknown, error));
            type->unknown[a] = unknown;
        }
    type->capacity = capacity;
    return COR_OK;
}

enum cor_status cor_hypothesis_begin(struct cor_hypothesis *hypothesis, struct cor_error *error) {
    const struct cor_beliefs *beliefs = hypothesis->beliefs;
    for (uint32_t t = 0; t < beliefs->type_count; t++) {
        struct supposed *type = &hypothesis->types[t];
        const struct world__elements *elements = &beliefs->types[t];
        COR_TRY(reserve(hypothesis, t, error));
        for (uint32_t a = 0; a < beliefs->vocabulary->types[t].attribute_count; a++) {
            type->columns[a] = elements->columns[a];
            if (!is_truth(hypothesis, t, a) || elements->count == 0)
                continue;
            memcpy(type->values[a], elements->values[a], elements->count * sizeof(int64_t));
            memcpy(type->unknown[a], elements->unknown[a], elements->count);
            type->columns[a] = (struct cor_attribute_values){NULL, type->values[a], type->unknown[a]};
        }
        hypothesis->populations[t] = beliefs->populations[t];
        hypothesis->populations[t].columns = type->columns;
    }
    hypothesis->world = beliefs->world;
    hypothesis->world.populations = hypothesis->populations;
    return COR_OK;
}

void cor_hypothesis_put(struct cor_hypothesis *hypothesis, uint32_t type, uint32_t element, uint32_t property,
                        struct cor_value value) {
    const struct world__property *known = &hypothesis->beliefs->vocabulary->types[type].properties[property];
    COR_ASSERT(!known->is_reference && is_truth(hypothesis, type, known->place));
    COR_ASSERT(element < hypothesis->beliefs->types[type].count);
    hypothesis->types[type].unknown[known->place][element] = value.kind == COR_VALUE_NULL;
    hypothesis->types[type].values[known->place][element] =
        value.kind == COR_VALUE_NULL ? 0 : value.as.integer;
}

const struct cor_world *cor_hypothesis_world(const struct cor_hypothesis *hypothesis) {
    return &hypothesis->world;
}
