/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Beliefs as columns: their memory, and what is read of them. How a view gets in is in beliefs_merge.c. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

static const struct world__type *type_of(const struct cor_beliefs *beliefs, uint32_t type) {
    COR_ASSERT(type < beliefs->type_count);
    return &beliefs->vocabulary->types[type];
}

/* ---- what conditions see */

static struct cor_attribute_values column_of(const struct cor_domain *domain, void *values,
                                             const uint8_t *unknown) {
    return domain->type == COR_VALUE_TYPE_REAL ? (struct cor_attribute_values){values, NULL, unknown}
                                               : (struct cor_attribute_values){NULL, values, unknown};
}

static void show_arrays_of(struct cor_beliefs *beliefs, uint32_t index) {
    const struct world__type *type = type_of(beliefs, index);
    const struct cor_element_type *shape = &beliefs->vocabulary->element_types[index];
    struct world__elements *elements = &beliefs->types[index];
    for (uint32_t a = 0; a < type->attribute_count; a++) {
        const struct cor_domain *domain = shape->attributes[a].domain;
        elements->columns[a] = column_of(domain, elements->values[a], elements->unknown[a]);
        elements->columns_before[a] = column_of(domain, elements->before[a], elements->unknown_before[a]);
    }
    for (uint32_t r = 0; r < type->reference_count; r++)
        elements->reference_columns[r] = elements->references[r];
    for (uint32_t c = 0; c < shape->collection_count; c++) {
        const struct world__elements *members = &beliefs->types[shape->collections[c].type];
        elements->collections[c] = (struct cor_memberships){members->member_start, members->members};
    }
    beliefs->populations[index] = (struct cor_population){.columns = elements->columns,
                                                          .collections = elements->collections,
                                                          .references = elements->reference_columns};
    beliefs->before[index] =
        (struct cor_population){.columns = elements->columns_before, .absent = elements->absent_before};
}

/* Where the arrays are; they may have moved. */
static void show_arrays(struct cor_beliefs *beliefs) {
    for (uint32_t t = 0; t < beliefs->type_count; t++)
        show_arrays_of(beliefs, t);
    world__show(beliefs);
}

void world__show(struct cor_beliefs *beliefs) {
    for (uint32_t t = 0; t < beliefs->type_count; t++) {
        const struct world__elements *elements = &beliefs->types[t];
        beliefs->populations[t].count = beliefs->before[t].count = elements->count;
        beliefs->populations[t].absent = elements->absent_count > 0 ? elements->absent : NULL;
    }
}

/* ---- memory */

static enum cor_status grow(void *array, size_t item_size, size_t count, struct cor_error *error) {
    void *grown = realloc(*(void **)array, count * item_size);
    COR_TRY(cor_made(grown, error));
    *(void **)array = grown;
    return COR_OK;
}
#define GROW(array, count) grow(&(array), sizeof *(array), (count), error)

/* The arrays of arrays, which never grow. */
static enum cor_status make_elements(const struct world__type *type, struct world__elements *elements,
                                     struct cor_element_type shape, struct cor_error *error) {
    elements->values = cor_calloc(type->attribute_count, sizeof *elements->values);
    elements->before = cor_calloc(type->attribute_count, sizeof *elements->before);
    elements->unknown = cor_calloc(type->attribute_count, sizeof *elements->unknown);
    elements->unknown_before = cor_calloc(type->attribute_count, sizeof *elements->unknown_before);
    elements->references = cor_calloc(type->reference_count, sizeof *elements->references);
    elements->columns = cor_calloc(type->attribute_count, sizeof *elements->columns);
    elements->columns_before = cor_calloc(type->attribute_count, sizeof *elements->columns_before);
    elements->reference_columns = cor_calloc(type->reference_count, sizeof *elements->reference_columns);
    elements->collections = cor_calloc(shape.collection_count, sizeof *elements->collections);
    if (!elements->values || !elements->before || !elements->unknown || !elements->unknown_before ||
        !elements->references || !elements->columns || !elements->columns_before ||
        !elements->reference_columns || !elements->collections)
        return cor_fail_memory(error);
    return COR_OK;
}

/* What elements of the type have, for so many of them. */
static enum cor_status grow_elements(const struct world__type *type, struct world__elements *elements,
                                     size_t capacity, struct cor_error *error) {
    for (uint32_t a = 0; a < type->attribute_count; a++) {
        COR_TRY(grow(&elements->values[a], sizeof(int64_t), capacity, error));
        COR_TRY(grow(&elements->before[a], sizeof(int64_t), capacity, error));
        if (a < type->valued) {
            COR_TRY(GROW(elements->unknown[a], capacity));
            COR_TRY(GROW(elements->unknown_before[a], capacity));
        }
    }
    for (uint32_t r = 0; r < type->reference_count; r++)
        COR_TRY(GROW(elements->references[r], capacity));
    COR_TRY(GROW(elements->absent, capacity));
    COR_TRY(GROW(elements->absent_before, capacity));
    COR_TRY(GROW(elements->identities, capacity));
    COR_TRY(GROW(elements->in_sight, capacity));
    COR_TRY(GROW(elements->news, capacity));
    COR_TRY(GROW(elements->changed, capacity));
    COR_TRY(GROW(elements->changed_list, capacity));
    COR_TRY(GROW(elements->is_listed, capacity));
    COR_TRY(GROW(elements->rows, WORLD__ROWS * capacity));
    COR_TRY(GROW(elements->row_counts, capacity));
    if (type->parent != COR_NONE)
        COR_TRY(GROW(elements->members, capacity));
    return COR_OK;
}

enum cor_status world__reserve(struct cor_beliefs *beliefs, uint32_t index, size_t count,
                               struct cor_error *error) {
    const struct world__type *type = type_of(beliefs, index);
    struct world__elements *elements = &beliefs->types[index];
    enum cor_status status = COR_OK;
    for (uint32_t t = 0; t < beliefs->type_count; t++)
        if (type_of(beliefs, t)->parent == index)
            COR_TRY_OUT(COR_RESERVE(&beliefs->types[t].member_start, &beliefs->types[t].member_start_capacity,
                                    count + 2, error));
    if (count > elements->capacity) {
        size_t capacity = elements->capacity + elements->capacity / 2u + 8;
        capacity = capacity < count ? count : capacity;
        if (capacity >= COR_NONE)
            COR_TRY_OUT(cor_fail_memory(error));
        COR_TRY_OUT(grow_elements(type, elements, capacity, error));
        elements->capacity = (uint32_t)capacity;
    }
out:
    show_arrays(beliefs); /* some may have moved, also when memory is out */
    return status;
}

static void free_elements(const struct world__type *type, struct world__elements *elements) {
    for (uint32_t a = 0; a < type->attribute_count; a++) {
        free(elements->values ? elements->values[a] : NULL);
        free(elements->before ? elements->before[a] : NULL);
        free(elements->unknown ? elements->unknown[a] : NULL);
        free(elements->unknown_before ? elements->unknown_before[a] : NULL);
    }
    for (uint32_t r = 0; r < type->reference_count; r++)
        free(elements->references ? elements->references[r] : NULL);
    void *const arrays[] = {
        elements->values,         elements->before,        elements->references,     elements->unknown,
        elements->unknown_before, elements->columns,       elements->columns_before, elements->collections,
        elements->absent,         elements->absent_before, elements->identities,     elements->in_sight,
        elements->news,           elements->changed,       elements->changed_list,   elements->is_listed,
        elements->rows,           elements->row_counts,    elements->members,        elements->member_start};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free((void *)elements->reference_columns);
}

/* ---- elements */

/* Nothing is known of it yet; there is room. */
static void begin_element(const struct world__type *type, struct world__elements *elements,
                          uint32_t identity) {
    const uint32_t e = elements->count++;
    COR_ASSERT(e < elements->capacity);
    for (uint32_t a = 0; a < type->attribute_count; a++) {
        memset((char *)elements->values[a] + e * sizeof(int64_t), 0, sizeof(int64_t));
        memset((char *)elements->before[a] + e * sizeof(int64_t), 0, sizeof(int64_t));
        if (a < type->valued)
            elements->unknown[a][e] = elements->unknown_before[a][e] = 1;
    }
    for (uint32_t r = 0; r < type->reference_count; r++)
        elements->references[r][e] = COR_NONE;
    ((int64_t *)elements->values[type->valued + WORLD__UNSEEN])[e] = 1;
    ((int64_t *)elements->before[type->valued + WORLD__UNSEEN])[e] = 1;
    elements->absent[e] = elements->absent_before[e] = 1;
    elements->absent_count++;
    elements->identities[e] = identity;
    elements->in_sight[e] = COR_NONE;
    elements->news[e] = elements->changed[e] = 0;
    elements->is_listed[e] = 0;
    elements->row_counts[e] = 0;
}

uint32_t world__element(struct cor_beliefs *beliefs, uint32_t identity, uint32_t type) {
    struct world__identity *known = &beliefs->identities[identity];
    if (known->element != COR_NONE)
        return known->element;
    known->type = type;
    known->element = beliefs->types[type].count;
    if (known->naming == 0) {
        const char *text = cor_words_text(beliefs->declaration->words, identity);
        known->naming = cor_hash_bytes(COR_HASH_SEED, text, strlen(text)) | 1;
    }
    begin_element(type_of(beliefs, type), &beliefs->types[type], identity);
    for (uint32_t t = 0; t < beliefs->type_count; t++)
        beliefs->types[t].moved |= type_of(beliefs, t)->parent == type;
    return known->element;
}

enum cor_status cor_beliefs_create(const struct cor_world_vocabulary *vocabulary,
                                   struct cor_beliefs **created, struct cor_error *error) {
    struct cor_beliefs *beliefs = cor_calloc(1, sizeof *beliefs);
    const uint32_t count = vocabulary->declaration->type_count;
    enum cor_status status = COR_OK;
    *created = NULL;
    COR_TRY(cor_made(beliefs, error));
    beliefs->vocabulary = vocabulary;
    beliefs->declaration = vocabulary->declaration;
    beliefs->types = cor_calloc(count, sizeof *beliefs->types);
    beliefs->added = cor_calloc(count, sizeof *beliefs->added);
    beliefs->populations = cor_calloc(count, sizeof *beliefs->populations);
    beliefs->before = cor_calloc(count, sizeof *beliefs->before);
    if (!beliefs->types || !beliefs->added || !beliefs->populations || !beliefs->before) {
        status = cor_fail_memory(error);
        goto out;
    }
    beliefs->type_count = count;
    for (uint32_t t = 0; t < count; t++)
        COR_TRY_OUT(
            make_elements(&vocabulary->types[t], &beliefs->types[t], vocabulary->element_types[t], error));
    for (uint32_t t = 0; t < count; t++)
        COR_TRY_OUT(world__reserve(beliefs, t, vocabulary->element_counts[t], error));
    COR_TRY_OUT(world__know_words(beliefs, error));
    beliefs->world = (struct cor_world){beliefs->populations, beliefs->before, false};
    cor_beliefs_clear(beliefs);
    *created = beliefs;
    beliefs = NULL;
out:
    cor_beliefs_destroy(beliefs);
    return status;
}

void cor_beliefs_destroy(struct cor_beliefs *beliefs) {
    if (!beliefs)
        return;
    for (uint32_t t = 0; t < beliefs->type_count; t++)
        free_elements(&beliefs->vocabulary->types[t], &beliefs->types[t]);
    free(beliefs->types);
    free(beliefs->identities);
    free(beliefs->added);
    free(beliefs->seen);
    free(beliefs->populations);
    free(beliefs->before);
    free(beliefs);
}

void cor_beliefs_clear(struct cor_beliefs *beliefs) {
    const struct cor_world_vocabulary *vocabulary = beliefs->vocabulary;
    for (uint32_t t = 0; t < beliefs->type_count; t++) {
        struct world__elements *elements = &beliefs->types[t];
        for (uint32_t e = 0; e < elements->count; e++)
            beliefs->identities[elements->identities[e]].element = COR_NONE;
        elements->count = elements->absent_count = elements->changed_count = 0;
        elements->moved = true;
    }
    for (size_t m = 0; m < vocabulary->mention_count; m++) {
        const struct world__mention *mention = &vocabulary->mentions[m];
        const uint32_t element = world__element(beliefs, mention->identity, mention->type);
        COR_ASSERT(element == mention->element);
    }
    beliefs->seen_count = beliefs->there_count = 0;
    beliefs->cycle = beliefs->tick = beliefs->abstract_state = 0;
    beliefs->has_tick = false;
    beliefs->values[WORLD__CYCLE] = cor_integer(0);
    beliefs->values[WORLD__REWARD] = cor_real(0);
    world__make_members(beliefs);
    world__show(beliefs);
}

/* ---- what is read */

const struct cor_value *cor_beliefs_values(const struct cor_beliefs *beliefs) {
    return beliefs->values;
}

const struct cor_world *cor_beliefs_world(const struct cor_beliefs *beliefs) {
    return &beliefs->world;
}

uint64_t cor_beliefs_cycle(const struct cor_beliefs *beliefs) {
    return beliefs->cycle;
}

bool cor_beliefs_find(const struct cor_beliefs *beliefs, uint32_t identity, struct cor_believed *believed) {
    *believed = (struct cor_believed){COR_NONE, COR_NONE};
    if (identity >= beliefs->identity_count || beliefs->identities[identity].element == COR_NONE)
        return false;
    *believed =
        (struct cor_believed){beliefs->identities[identity].type, beliefs->identities[identity].element};
    return true;
}

static const struct world__elements *elements_of(const struct cor_beliefs *beliefs, uint32_t type,
                                                 uint32_t element) {
    COR_ASSERT(type < beliefs->type_count && element < beliefs->types[type].count);
    return &beliefs->types[type];
}

uint32_t cor_beliefs_identity(const struct cor_beliefs *beliefs, uint32_t type, uint32_t element) {
    return elements_of(beliefs, type, element)->identities[element];
}

static const char *identity_of(const void *elements, uint32_t type, uint32_t element) {
    const struct cor_beliefs *beliefs = elements;
    return element < beliefs->types[type].count
               ? cor_words_text(beliefs->declaration->words, cor_beliefs_identity(beliefs, type, element))
               : NULL;
}

struct cor_scope cor_beliefs_scope(const struct cor_beliefs *beliefs) {
    struct cor_scope scope = *cor_world_vocabulary_scope(beliefs->vocabulary);
    scope.element_name = identity_of;
    scope.elements = beliefs;
    return scope;
}

uint32_t cor_beliefs_count(const struct cor_beliefs *beliefs, uint32_t type) {
    COR_ASSERT(type < beliefs->type_count);
    return beliefs->types[type].count;
}

bool cor_beliefs_is_there(const struct cor_beliefs *beliefs, uint32_t type, uint32_t element) {
    return !elements_of(beliefs, type, element)->absent[element];
}

bool cor_beliefs_place(const struct cor_beliefs *beliefs, uint32_t index, uint32_t element,
                       uint32_t cell[3]) {
    const struct world__elements *elements = elements_of(beliefs, index, element);
    const struct world__type *type = type_of(beliefs, index);
    if (elements->absent[element] || type->cell[0] == COR_NONE)
        return false;
    for (int c = 0; c < 3; c++) {
        const uint32_t attribute = type->cell[c];
        const int64_t value = ((const int64_t *)elements->values[attribute])[element];
        if ((attribute < type->valued && elements->unknown[attribute][element]) || value < 0 ||
            value >= UINT32_MAX)
            return false;
        cell[c] = (uint32_t)value;
    }
    return true;
}

bool cor_beliefs_sees(const struct cor_beliefs *beliefs, uint32_t type, uint32_t element) {
    return elements_of(beliefs, type, element)->in_sight[element] != COR_NONE;
}

uint64_t cor_beliefs_seen_at(const struct cor_beliefs *beliefs, uint32_t index, uint32_t element) {
    const struct world__elements *elements = elements_of(beliefs, index, element);
    const int64_t *seen_at = elements->values[type_of(beliefs, index)->valued + WORLD__SEEN_AT];
    return elements->in_sight[element] != COR_NONE ? beliefs->cycle : (uint64_t)seen_at[element];
}

bool cor_beliefs_parent(const struct cor_beliefs *beliefs, uint32_t index, uint32_t element,
                        struct cor_believed *parent) {
    const struct world__elements *elements = elements_of(beliefs, index, element);
    const struct world__type *type = type_of(beliefs, index);
    *parent = (struct cor_believed){type->parent, COR_NONE};
    if (type->in != COR_NONE && !elements->absent[element])
        parent->element = elements->references[type->in][element];
    return parent->element != COR_NONE;
}

struct cor_value cor_beliefs_value(const struct cor_beliefs *beliefs, uint32_t index, uint32_t element,
                                   uint32_t property) {
    const struct world__elements *elements = elements_of(beliefs, index, element);
    const struct world__type *type = type_of(beliefs, index);
    COR_ASSERT(property < type->property_count);
    const uint32_t place = type->properties[property].place;
    if (elements->absent[element])
        return cor_null();
    if (type->properties[property].is_reference) {
        const uint32_t target = elements->references[place][element];
        const uint32_t refers = beliefs->declaration->types[index].properties[property].refers;
        return target == COR_NONE ? cor_null() : cor_word(beliefs->types[refers].identities[target]);
    }
    if (elements->unknown[place][element])
        return cor_null();
    const struct cor_attribute_values *column = &elements->columns[place];
    switch (beliefs->declaration->types[index].properties[property].domain->type) {
    case COR_VALUE_TYPE_REAL:
        return cor_real(column->reals[element]);
    case COR_VALUE_TYPE_STRING:
    case COR_VALUE_TYPE_ENUMERATION:
        return cor_word((uint32_t)column->integers[element]);
    default:
        return cor_integer(column->integers[element]);
    }
}

uint32_t cor_beliefs_history(const struct cor_beliefs *beliefs, uint32_t type, uint32_t element,
                             struct cor_belief_change *changes, uint32_t most) {
    const struct world__elements *elements = elements_of(beliefs, type, element);
    const uint32_t all = elements->row_counts[element];
    const uint32_t kept = all < WORLD__ROWS ? all : WORLD__ROWS;
    for (uint32_t i = 0; i < kept && i < most; i++)
        changes[i] = elements->rows[WORLD__ROWS * (size_t)element + (all - 1 - i) % WORLD__ROWS];
    return kept;
}

uint64_t cor_beliefs_abstract_state(const struct cor_beliefs *beliefs) {
    return cor_hash_word(COR_HASH_SEED, beliefs->abstract_state);
}
