/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Beliefs as columns: their memory, and what is read of them. How a view gets in is in beliefs.c. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/beliefs.h>
#include <corridor/hash.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void world__show(struct cor_beliefs *beliefs);
static void make_members(struct cor_beliefs *beliefs);
static enum cor_status know_words(struct cor_beliefs *beliefs, struct cor_error *error);

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

/* Where the arrays are; they may have moved. */
static void show_arrays(struct cor_beliefs *beliefs) {
    for (uint32_t t = 0; t < beliefs->type_count; t++) {
        const struct world__type *type = type_of(beliefs, t);
        const struct cor_element_type *shape = &beliefs->vocabulary->element_types[t];
        struct world__elements *elements = &beliefs->types[t];
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
        beliefs->populations[t] = (struct cor_population){.columns = elements->columns,
                                                          .collections = elements->collections,
                                                          .references = elements->reference_columns};
        beliefs->before[t] =
            (struct cor_population){.columns = elements->columns_before, .absent = elements->absent_before};
    }
    world__show(beliefs);
}

/* Conditions see as many elements as there are. */
static void world__show(struct cor_beliefs *beliefs) {
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

/* Makes room for so many elements of the type. */
static enum cor_status world__reserve(struct cor_beliefs *beliefs, uint32_t index, size_t count,
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
        /* What elements of the type have, for so many of them. */
        for (uint32_t a = 0; a < type->attribute_count; a++) {
            COR_TRY_OUT(grow(&elements->values[a], sizeof(int64_t), capacity, error));
            COR_TRY_OUT(grow(&elements->before[a], sizeof(int64_t), capacity, error));
            if (a < type->valued) {
                COR_TRY_OUT(GROW(elements->unknown[a], capacity));
                COR_TRY_OUT(GROW(elements->unknown_before[a], capacity));
            }
        }
        for (uint32_t r = 0; r < type->reference_count; r++)
            COR_TRY_OUT(GROW(elements->references[r], capacity));
        COR_TRY_OUT(GROW(elements->absent, capacity));
        COR_TRY_OUT(GROW(elements->absent_before, capacity));
        COR_TRY_OUT(GROW(elements->identities, capacity));
        COR_TRY_OUT(GROW(elements->in_sight, capacity));
        COR_TRY_OUT(GROW(elements->news, capacity));
        COR_TRY_OUT(GROW(elements->changed, capacity));
        COR_TRY_OUT(GROW(elements->changed_list, capacity));
        COR_TRY_OUT(GROW(elements->is_listed, capacity));
        COR_TRY_OUT(GROW(elements->rows, WORLD__ROWS * capacity));
        COR_TRY_OUT(GROW(elements->row_counts, capacity));
        if (type->parent != COR_NONE)
            COR_TRY_OUT(GROW(elements->members, capacity));
        elements->capacity = (uint32_t)capacity;
    }
out:
    show_arrays(beliefs); /* some may have moved, also when memory is out */
    return status;
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

/* The element of an identity, which is one of the type's from now on; there is room. */
static uint32_t world__element(struct cor_beliefs *beliefs, uint32_t identity, uint32_t type) {
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
    for (uint32_t t = 0; t < count; t++) {
        /* The arrays of arrays, which never grow. */
        const struct world__type *type = &vocabulary->types[t];
        struct world__elements *elements = &beliefs->types[t];
        elements->values = cor_calloc(type->attribute_count, sizeof *elements->values);
        elements->before = cor_calloc(type->attribute_count, sizeof *elements->before);
        elements->unknown = cor_calloc(type->attribute_count, sizeof *elements->unknown);
        elements->unknown_before = cor_calloc(type->attribute_count, sizeof *elements->unknown_before);
        elements->references = cor_calloc(type->reference_count, sizeof *elements->references);
        elements->columns = cor_calloc(type->attribute_count, sizeof *elements->columns);
        elements->columns_before = cor_calloc(type->attribute_count, sizeof *elements->columns_before);
        elements->reference_columns = cor_calloc(type->reference_count, sizeof *elements->reference_columns);
        elements->collections =
            cor_calloc(vocabulary->element_types[t].collection_count, sizeof *elements->collections);
        if (!elements->values || !elements->before || !elements->unknown || !elements->unknown_before ||
            !elements->references || !elements->columns || !elements->columns_before ||
            !elements->reference_columns || !elements->collections)
            COR_TRY_OUT(cor_fail_memory(error));
    }
    for (uint32_t t = 0; t < count; t++)
        COR_TRY_OUT(world__reserve(beliefs, t, vocabulary->element_counts[t], error));
    COR_TRY_OUT(know_words(beliefs, error));
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
    for (uint32_t t = 0; t < beliefs->type_count; t++) {
        const struct world__type *type = &beliefs->vocabulary->types[t];
        struct world__elements *elements = &beliefs->types[t];
        for (uint32_t a = 0; a < type->attribute_count; a++) {
            COR_FREE(elements->values ? elements->values[a] : NULL,
                     elements->before ? elements->before[a] : NULL,
                     elements->unknown ? elements->unknown[a] : NULL,
                     elements->unknown_before ? elements->unknown_before[a] : NULL);
        }
        for (uint32_t r = 0; r < type->reference_count; r++)
            free(elements->references ? elements->references[r] : NULL);
        void *const arrays[] = {elements->values,         elements->before,         elements->references,
                                elements->unknown,        elements->unknown_before, elements->columns,
                                elements->columns_before, elements->collections,    elements->absent,
                                elements->absent_before,  elements->identities,     elements->in_sight,
                                elements->news,           elements->changed,        elements->changed_list,
                                elements->is_listed,      elements->rows,           elements->row_counts,
                                elements->members,        elements->member_start};
        for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
            free(arrays[i]);
        free((void *)elements->reference_columns);
    }
    COR_FREE(beliefs->types, beliefs->identities, beliefs->added, beliefs->seen, beliefs->populations,
             beliefs->before, beliefs);
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
    make_members(beliefs);
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

/* ---- before a view gets in: whether it is one of the world's declaration, and room for all that it brings.
 * What is noted here of identities is the number of the view, so that a view that is refused leaves nothing
 */

/* A view that is looked at. */
struct look {
    struct cor_beliefs *beliefs;
    const struct cor_world_view *view;
    uint64_t cycle; /* as it is said to users */
    struct cor_error *error;
};

static enum cor_status complain(const struct look *look, const char *what) {
    char place[200];
    snprintf(place, sizeof place, "%.80s: cycle %llu", look->beliefs->declaration->name,
             (unsigned long long)look->cycle);
    return cor_fail(look->error, COR_STATUS_INPUT, place, NULL, "%s", what);
}

static const char *text_of(const struct look *look, uint32_t word) {
    return cor_words_text(look->beliefs->declaration->words, word);
}

static const char *type_name(const struct look *look, uint32_t type) {
    return look->beliefs->declaration->types[type].name;
}

static enum cor_status expect_word(const struct look *look, uint32_t identity) {
    char what[100];
    if (identity < look->beliefs->identity_count)
        return COR_OK;
    snprintf(what, sizeof what, "an identity is word %u, and there are %u", identity,
             look->beliefs->declaration->words->count);
    return complain(look, what);
}

/* The entity is of that type: it always was, and is in all of this view. */
static enum cor_status expect_type(const struct look *look, uint32_t identity, uint32_t type,
                                   const char *as_what) {
    struct cor_beliefs *beliefs = look->beliefs;
    struct world__identity *known = &beliefs->identities[identity];
    const bool is_known = known->element != COR_NONE, is_claimed = known->claimed == beliefs->views;
    const uint32_t other = is_known ? known->type : is_claimed ? known->claimed_type : type;
    if (other != type) {
        char what[400];
        snprintf(what, sizeof what, "entity \"%.80s\" is of type %.80s, and is %s %.80s",
                 text_of(look, identity), type_name(look, other), as_what, type_name(look, type));
        return complain(look, what);
    }
    if (!is_known && !is_claimed) {
        known->claimed = beliefs->views;
        known->claimed_type = type;
        beliefs->added[type]++;
    }
    return COR_OK;
}

static enum cor_status complain_value(const struct look *look, const struct cor_shown_entity *shown,
                                      const struct cor_world_property *property, struct cor_value value) {
    char text[120], what[600];
    if (value.kind == COR_VALUE_WORD && value.as.word >= look->beliefs->identity_count)
        snprintf(text, sizeof text, "word %u, which is not there", value.as.word);
    else
        cor_value_text(value, NULL, look->beliefs->declaration->words, text, sizeof text);
    snprintf(what, sizeof what, "\"%.80s\" of entity \"%.80s\" is %s, and is to be of type %.80s",
             property->name, text_of(look, shown->identity), text,
             property->domain ? property->domain->name : type_name(look, property->refers));
    return complain(look, what);
}

static enum cor_status check_value(const struct look *look, const struct cor_shown_entity *shown,
                                   const struct cor_shown_value *value) {
    const struct cor_entity_type *type = &look->beliefs->declaration->types[shown->type];
    if (value->property >= type->property_count) {
        char what[300];
        snprintf(what, sizeof what, "entity \"%.80s\" has a property %u, and %.80s has %u",
                 text_of(look, shown->identity), value->property, type->name, type->property_count);
        return complain(look, what);
    }
    const struct cor_world_property *property = &type->properties[value->property];
    struct cor_value fit = value->value;
    const bool is_word = fit.kind == COR_VALUE_WORD && fit.as.word < look->beliefs->identity_count;
    if (property->domain)
        return (fit.kind != COR_VALUE_WORD || is_word) && cor_domain_fit(property->domain, &fit)
                   ? COR_OK
                   : complain_value(look, shown, property, value->value);
    if (fit.kind == COR_VALUE_NULL)
        return COR_OK;
    return is_word ? expect_type(look, fit.as.word, property->refers, "referred to as")
                   : complain_value(look, shown, property, fit);
}

static enum cor_status check_entity(const struct look *look, const struct cor_shown_entity *shown) {
    struct cor_beliefs *beliefs = look->beliefs;
    const struct cor_world_declaration *declaration = beliefs->declaration;
    char what[400];
    COR_TRY(expect_word(look, shown->identity));
    if (shown->type >= declaration->type_count) {
        snprintf(what, sizeof what, "entity \"%.80s\" is of type %u, and there are %u",
                 text_of(look, shown->identity), shown->type, declaration->type_count);
        return complain(look, what);
    }
    COR_TRY(expect_type(look, shown->identity, shown->type, "shown as"));
    struct world__identity *known = &beliefs->identities[shown->identity];
    if (known->shown == beliefs->views) {
        snprintf(what, sizeof what, "entity \"%.80s\" is shown twice", text_of(look, shown->identity));
        return complain(look, what);
    }
    known->shown = beliefs->views;
    const uint32_t parent = declaration->types[shown->type].parent;
    if (shown->parent != COR_NONE) {
        COR_TRY(expect_word(look, shown->parent));
        if (parent == COR_NONE) {
            snprintf(what, sizeof what, "entity \"%.80s\" is in \"%.80s\", and %.80s is in nothing",
                     text_of(look, shown->identity), text_of(look, shown->parent),
                     type_name(look, shown->type));
            return complain(look, what);
        }
        COR_TRY(expect_type(look, shown->parent, parent, "referred to as"));
    }
    if (shown->value_start > look->view->value_count ||
        shown->value_count > look->view->value_count - shown->value_start) {
        snprintf(what, sizeof what, "entity \"%.80s\" has values that the view has not",
                 text_of(look, shown->identity));
        return complain(look, what);
    }
    for (uint32_t v = 0; v < shown->value_count; v++)
        COR_TRY(check_value(look, shown, &look->view->values[shown->value_start + v]));
    return COR_OK;
}

/* What is no more, or is lost from sight, is not shown besides. */
static enum cor_status check_gone(const struct look *look, const uint32_t *identities, uint32_t count,
                                  const char *word) {
    for (uint32_t i = 0; i < count; i++) {
        COR_TRY(expect_word(look, identities[i]));
        if (look->beliefs->identities[identities[i]].shown == look->beliefs->views) {
            char what[200];
            snprintf(what, sizeof what, "entity \"%.80s\" is shown, and is %s", text_of(look, identities[i]),
                     word);
            return complain(look, what);
        }
    }
    return COR_OK;
}

/* How many are known once the view is taken in: none too many. */
static enum cor_status check_count(const struct look *look) {
    const struct cor_beliefs *beliefs = look->beliefs;
    const struct cor_world_view *view = look->view;
    uint64_t there = beliefs->there_count;
    if (there + view->entity_count <= COR_WORLD_ENTITIES_MAX || view->mode == COR_VIEW_WHOLE)
        return COR_OK;
    for (uint32_t i = 0; i < view->entity_count; i++) {
        const struct world__identity *known = &beliefs->identities[view->entities[i].identity];
        there += known->element == COR_NONE || beliefs->types[known->type].absent[known->element];
    }
    for (uint32_t i = 0; i < view->gone_count; i++) {
        const struct world__identity *known = &beliefs->identities[view->gone[i]];
        there -= known->element != COR_NONE && !beliefs->types[known->type].absent[known->element];
    }
    char what[100];
    snprintf(what, sizeof what, "%llu entities are known at one time, and %u can be",
             (unsigned long long)there, COR_WORLD_ENTITIES_MAX);
    return there <= COR_WORLD_ENTITIES_MAX ? COR_OK : complain(look, what);
}

/* All words are there as identities. */
static enum cor_status know_words(struct cor_beliefs *beliefs, struct cor_error *error) {
    const uint32_t count = beliefs->declaration->words->count;
    COR_TRY(COR_RESERVE(&beliefs->identities, &beliefs->identity_capacity, count, error));
    while (beliefs->identity_count < count)
        beliefs->identities[beliefs->identity_count++] =
            (struct world__identity){.type = COR_NONE, .element = COR_NONE};
    return COR_OK;
}

/* Makes room for all that the view brings, and checks it: then applying it cannot fail, and else nothing has
 * changed. `is_own`: its tick may not go back. */
static enum cor_status check_view(struct cor_beliefs *beliefs, const struct cor_world_view *view, bool is_own,
                                  struct cor_error *error) {
    const struct look look = {beliefs, view, beliefs->cycle + is_own, error};
    char what[120];
    beliefs->views++;
    if (is_own && beliefs->has_tick && view->tick < beliefs->tick) {
        snprintf(what, sizeof what, "the tick goes back from %llu to %llu", (unsigned long long)beliefs->tick,
                 (unsigned long long)view->tick);
        return complain(&look, what);
    }
    if (view->entity_count > COR_WORLD_ENTITIES_MAX) {
        snprintf(what, sizeof what, "%u entities are shown in one view, and %u can be", view->entity_count,
                 COR_WORLD_ENTITIES_MAX);
        return complain(&look, what);
    }
    COR_TRY(know_words(beliefs, error));
    for (uint32_t t = 0; t < beliefs->type_count; t++)
        beliefs->added[t] = 0;
    for (uint32_t i = 0; i < view->entity_count; i++)
        COR_TRY(check_entity(&look, &view->entities[i]));
    COR_TRY(check_gone(&look, view->gone, view->gone_count, "gone"));
    if (view->mode == COR_VIEW_CHANGES)
        COR_TRY(check_gone(&look, view->lost, view->lost_count, "lost from sight"));
    COR_TRY(check_count(&look));
    for (uint32_t t = 0; t < beliefs->type_count; t++)
        if (beliefs->added[t] > 0)
            COR_TRY(world__reserve(beliefs, t, (size_t)beliefs->types[t].count + beliefs->added[t], error));
    return COR_RESERVE(&beliefs->seen, &beliefs->seen_capacity, beliefs->seen_count + view->entity_count,
                       error);
}

/* ---- how a view gets into the beliefs. The columns of the cycle before lag behind by what changed in this
 * one: when the next begins, that is copied, and nothing else */

/* What elements of the type are changed by now. */
struct part {
    struct cor_beliefs *beliefs;
    const struct world__type *type;
    struct world__elements *elements;
};

static inline struct part part_of(struct cor_beliefs *beliefs, uint32_t type) {
    return (struct part){beliefs, &beliefs->vocabulary->types[type], &beliefs->types[type]};
}

static inline int64_t *own(const struct part *part, int column) {
    return part->elements->values[part->type->valued + (uint32_t)column];
}

/* A tick as news: 0 is none at all. */
static inline uint64_t news_of(uint64_t tick) {
    return tick + (tick < UINT64_MAX);
}

/* Something of it changes in this cycle. */
static inline void touch(const struct part *part, uint32_t element) {
    struct world__elements *elements = part->elements;
    if (elements->is_listed[element])
        return;
    elements->is_listed[element] = 1;
    elements->changed_list[elements->changed_count++] = element;
}

/* ---- the abstract state: a sum, so that what changes is taken away and added */

static uint64_t entity_term(const struct part *part, uint32_t element) {
    const uint64_t naming = part->beliefs->identities[part->elements->identities[element]].naming;
    return cor_hash_word(cor_hash_word(COR_HASH_SEED, part->type->naming), naming);
}

/* Of a property with that value; 0 where it does not count. */
static uint64_t value_term(const struct part *part, uint32_t element, const struct world__property *property,
                           struct cor_value value) {
    if (!property->is_discrete || value.kind == COR_VALUE_NULL)
        return 0;
    uint64_t meaning = (uint64_t)value.as.integer;
    if (value.kind == COR_VALUE_WORD) {
        struct world__identity *word = &part->beliefs->identities[value.as.word];
        if (word->naming == 0) {
            const char *text = cor_words_text(part->beliefs->declaration->words, value.as.word);
            word->naming = cor_hash_bytes(COR_HASH_SEED, text, strlen(text)) | 1;
        }
        meaning = word->naming;
    }
    const uint64_t place = cor_hash_word(entity_term(part, element), property->naming);
    return cor_hash_word(cor_hash_word(place, value.kind), meaning);
}

/* ---- one property */

/* Whether the attribute has that value, which is one of its domain, already. */
static inline bool has_value(const struct world__elements *elements, uint32_t place, uint32_t element,
                             struct cor_value value) {
    if (value.kind == COR_VALUE_NULL || elements->unknown[place][element])
        return value.kind == COR_VALUE_NULL && elements->unknown[place][element];
    if (value.kind == COR_VALUE_REAL)
        return ((const double *)elements->values[place])[element] == value.as.real;
    const int64_t wanted = value.kind == COR_VALUE_WORD ? value.as.word : value.as.integer;
    return ((const int64_t *)elements->values[place])[element] == wanted;
}

/* True if that is another value than before. */
static bool set_property(const struct part *part, uint32_t type, uint32_t element, uint32_t index,
                         struct cor_value value) {
    struct world__elements *elements = part->elements;
    const struct cor_world_property *declared = &part->beliefs->declaration->types[type].properties[index];
    const uint32_t place = part->type->properties[index].place;
    if (declared->domain && declared->domain->type == COR_VALUE_TYPE_REAL)
        cor_domain_fit(declared->domain, &value);
    if (declared->domain && has_value(elements, place, element, value))
        return false;
    const struct cor_value old = cor_beliefs_value(part->beliefs, type, element, index);
    if (!declared->domain && cor_value_equal(old, value))
        return false;
    if (!declared->domain) {
        elements->references[place][element] =
            value.kind == COR_VALUE_NULL ? COR_NONE
                                         : world__element(part->beliefs, value.as.word, declared->refers);
    } else {
        elements->unknown[place][element] = value.kind == COR_VALUE_NULL;
        elements->changed[element] |= UINT64_C(1) << place;
        if (value.kind == COR_VALUE_REAL)
            ((double *)elements->values[place])[element] = value.as.real;
        else if (value.kind != COR_VALUE_NULL)
            ((int64_t *)elements->values[place])[element] =
                value.kind == COR_VALUE_WORD ? value.as.word : value.as.integer;
    }
    /* What the property has now becomes that value, which is another. */
    const struct world__property *property = &part->type->properties[index];
    uint32_t *count = &elements->row_counts[element];
    elements->rows[WORLD__ROWS * (size_t)element + *count % WORLD__ROWS] =
        (struct cor_belief_change){part->beliefs->cycle, index, value};
    *count = *count == 2 * WORLD__ROWS - 1 ? WORLD__ROWS : *count + 1; /* in rounds, once it is full */
    if (property->is_discrete)
        part->beliefs->abstract_state +=
            value_term(part, element, property, value) - value_term(part, element, property, old);
    return true;
}

/* ---- one entity */

/* It is not seen any longer, and was until the cycle before. */
static void lose(const struct part *part, uint32_t element) {
    struct cor_beliefs *beliefs = part->beliefs;
    const uint32_t place = part->elements->in_sight[element];
    if (place == COR_NONE)
        return;
    const struct world__seen last = beliefs->seen[--beliefs->seen_count];
    beliefs->seen[place] = last;
    beliefs->types[last.type].in_sight[last.element] = place;
    part->elements->in_sight[element] = COR_NONE;
    own(part, WORLD__UNSEEN)[element] = 1;
    own(part, WORLD__SEEN_AT)[element] = (int64_t)beliefs->cycle - 1;
    touch(part, element);
}

static void see(const struct part *part, uint32_t type, uint32_t element) {
    struct cor_beliefs *beliefs = part->beliefs;
    if (part->elements->in_sight[element] != COR_NONE)
        return;
    part->elements->in_sight[element] = (uint32_t)beliefs->seen_count;
    beliefs->seen[beliefs->seen_count++] = (struct world__seen){type, element};
    own(part, WORLD__UNSEEN)[element] = 0;
    own(part, WORLD__SEEN_AT)[element] = (int64_t)beliefs->cycle;
    touch(part, element);
}

static bool set_parent(const struct part *part, uint32_t element, uint32_t parent) {
    if (part->type->in == COR_NONE)
        return false;
    uint32_t *in = &part->elements->references[part->type->in][element];
    const uint32_t old = *in;
    *in = parent == COR_NONE ? COR_NONE : world__element(part->beliefs, parent, part->type->parent);
    part->elements->moved |= *in != old;
    return *in != old;
}

/* What is shown of an entity is believed. */
static void take(struct cor_beliefs *beliefs, const struct cor_world_view *view,
                 const struct cor_shown_entity *shown, uint32_t element) {
    const struct part part = part_of(beliefs, shown->type);
    bool is_changed = part.elements->absent[element];
    if (is_changed) {
        part.elements->absent[element] = 0;
        part.elements->absent_count--;
        part.beliefs->there_count++;
        part.beliefs->abstract_state += entity_term(&part, element);
        own(&part, WORLD__SEEN_AT)[element] = (int64_t)part.beliefs->cycle;
    }
    is_changed |= set_parent(&part, element, shown->parent);
    const struct cor_shown_value *values = view->values + shown->value_start;
    for (uint32_t v = 0; v < shown->value_count; v++)
        is_changed |= set_property(&part, shown->type, element, values[v].property, values[v].value);
    if (is_changed) {
        own(&part, WORLD__CHANGED_AT)[element] = (int64_t)beliefs->cycle;
        touch(&part, element);
    }
    part.elements->news[element] = news_of(view->tick);
}

/* ---- a view */

/* The entities that are in others, as collections of these. */
static void make_members(struct cor_beliefs *beliefs) {
    for (uint32_t t = 0; t < beliefs->type_count; t++) {
        const struct part part = part_of(beliefs, t);
        struct world__elements *elements = part.elements;
        if (!elements->moved || part.type->in == COR_NONE)
            continue;
        const uint32_t *in = elements->references[part.type->in];
        const uint32_t parents = beliefs->types[part.type->parent].count;
        uint32_t *start = elements->member_start;
        memset(start, 0, (parents + (size_t)2) * sizeof *start);
        for (uint32_t e = 0; e < elements->count; e++)
            if (in[e] != COR_NONE)
                start[in[e] + 2]++;
        for (uint32_t p = 2; p < parents + 2; p++)
            start[p] += start[p - 1];
        for (uint32_t e = 0; e < elements->count; e++)
            if (in[e] != COR_NONE)
                elements->members[start[in[e] + 1]++] = e;
        elements->moved = false;
    }
}

static bool is_shown(const struct cor_beliefs *beliefs, uint32_t type, uint32_t element) {
    return beliefs->identities[beliefs->types[type].identities[element]].shown == beliefs->views;
}

/* The last tick in which something of it was heard, and 1; 0: never. */
static uint64_t last_news(const struct cor_beliefs *beliefs, uint32_t type, uint32_t element) {
    const struct world__elements *elements = &beliefs->types[type];
    const uint64_t seen = elements->in_sight[element] == COR_NONE ? 0 : news_of(beliefs->tick);
    return seen > elements->news[element] ? seen : elements->news[element];
}

static void end_by(struct cor_beliefs *beliefs, const struct cor_world_view *view, uint32_t type,
                   uint32_t element, bool only_older) {
    const uint64_t news = news_of(view->tick);
    if (only_older && last_news(beliefs, type, element) >= news)
        return;
    const struct part part = part_of(beliefs, type);
    /* It is no more: nothing of it is known. */
    struct world__elements *elements = part.elements;
    lose(&part, element);
    if (!elements->absent[element]) {
        for (uint32_t p = 0; p < part.type->property_count; p++) {
            const struct world__property *property = &part.type->properties[p];
            const struct cor_value old = cor_beliefs_value(part.beliefs, type, element, p);
            part.beliefs->abstract_state -= value_term(&part, element, property, old);
            if (property->is_reference) {
                elements->references[property->place][element] = COR_NONE;
            } else {
                elements->unknown[property->place][element] = 1;
                elements->changed[element] |= UINT64_C(1) << property->place;
            }
        }
        if (part.type->in != COR_NONE) {
            elements->references[part.type->in][element] = COR_NONE;
            elements->moved = true;
        }
        part.beliefs->abstract_state -= entity_term(&part, element);
        elements->absent[element] = 1;
        elements->absent_count++;
        part.beliefs->there_count--;
        touch(&part, element);
    }
    part.elements->news[element] = news;
}

/* Those that are not shown are no more; `only_older`: as far as nothing as new is known of them. */
static void end_the_others(struct cor_beliefs *beliefs, const struct cor_world_view *view, bool only_older) {
    for (uint32_t t = 0; t < beliefs->type_count; t++)
        for (uint32_t e = 0; e < beliefs->types[t].count; e++)
            if (!beliefs->types[t].absent[e] && !is_shown(beliefs, t, e))
                end_by(beliefs, view, t, e, only_older);
}

static void end_gone(struct cor_beliefs *beliefs, const struct cor_world_view *view, bool only_older) {
    for (uint32_t i = 0; i < view->gone_count; i++) {
        const struct world__identity *gone = &beliefs->identities[view->gone[i]];
        if (gone->element != COR_NONE)
            end_by(beliefs, view, gone->type, gone->element, only_older);
    }
}

enum cor_status cor_beliefs_merge(struct cor_beliefs *beliefs, const struct cor_world_view *view,
                                  struct cor_error *error) {
    COR_TRY(check_view(beliefs, view, true, error));
    /* What was is now before: of those that changed in the cycle that ends. */
    for (uint32_t t = 0; t < beliefs->type_count; t++) {
        const struct part part = part_of(beliefs, t);
        struct world__elements *elements = part.elements;
        const uint32_t own_end = part.type->valued + WORLD__OWN_COUNT;
        for (uint32_t i = 0; i < elements->changed_count; i++) {
            const uint32_t e = elements->changed_list[i];
            for (uint64_t left = elements->changed[e]; left != 0; left &= left - 1) {
                const uint32_t a = (uint32_t)__builtin_ctzll(left);
                memcpy((int64_t *)elements->before[a] + e, (int64_t *)elements->values[a] + e,
                       sizeof(int64_t));
                elements->unknown_before[a][e] = elements->unknown[a][e];
            }
            for (uint32_t a = part.type->valued; a < own_end; a++)
                ((int64_t *)elements->before[a])[e] = ((int64_t *)elements->values[a])[e];
            elements->absent_before[e] = elements->absent[e];
            elements->changed[e] = 0;
            elements->is_listed[e] = 0;
        }
        elements->changed_count = 0;
    }
    beliefs->cycle++;
    beliefs->values[WORLD__CYCLE] = cor_integer((int64_t)beliefs->cycle);
    for (uint32_t i = 0; i < view->entity_count; i++) {
        const struct cor_shown_entity *shown = &view->entities[i];
        const uint32_t element = world__element(beliefs, shown->identity, shown->type);
        const struct part part = part_of(beliefs, shown->type);
        take(beliefs, view, shown, element);
        see(&part, shown->type, element);
    }
    if (view->mode == COR_VIEW_CHANGES) {
        for (uint32_t i = 0; i < view->lost_count; i++) {
            const struct world__identity *lost = &beliefs->identities[view->lost[i]];
            if (lost->element == COR_NONE)
                continue;
            const struct part part = part_of(beliefs, lost->type);
            part.elements->news[lost->element] = last_news(beliefs, lost->type, lost->element);
            lose(&part, lost->element);
        }
    } else if (beliefs->seen_count > view->entity_count) {
        /* What was seen in the cycle before, and is not shown now. */
        for (size_t i = beliefs->seen_count; i-- > 0;) {
            const struct world__seen seen = beliefs->seen[i];
            if (is_shown(beliefs, seen.type, seen.element))
                continue;
            const struct part part = part_of(beliefs, seen.type);
            part.elements->news[seen.element] = last_news(beliefs, seen.type, seen.element);
            lose(&part, seen.element);
        }
    }
    end_gone(beliefs, view, false);
    if (view->mode == COR_VIEW_WHOLE && beliefs->there_count > view->entity_count)
        end_the_others(beliefs, view, false);
    beliefs->tick = view->tick;
    beliefs->has_tick = true;
    make_members(beliefs);
    world__show(beliefs);
    return COR_OK;
}

enum cor_status cor_beliefs_adopt(struct cor_beliefs *beliefs, const struct cor_world_view *view,
                                  struct cor_error *error) {
    COR_TRY(check_view(beliefs, view, false, error));
    const uint64_t news = news_of(view->tick);
    for (uint32_t i = 0; i < view->entity_count; i++) {
        const struct cor_shown_entity *shown = &view->entities[i];
        const uint32_t element = world__element(beliefs, shown->identity, shown->type);
        if (last_news(beliefs, shown->type, element) >= news)
            continue;
        take(beliefs, view, shown, element);
        const struct part part = part_of(beliefs, shown->type);
        if (part.elements->in_sight[element] == COR_NONE) {
            own(&part, WORLD__SEEN_AT)[element] = (int64_t)beliefs->cycle;
            touch(&part, element);
        }
    }
    end_gone(beliefs, view, true);
    if (view->mode == COR_VIEW_WHOLE)
        end_the_others(beliefs, view, true);
    make_members(beliefs);
    world__show(beliefs);
    return COR_OK;
}

void cor_beliefs_note_tried(struct cor_beliefs *beliefs, uint32_t identity) {
    if (identity >= beliefs->identity_count || beliefs->identities[identity].element == COR_NONE)
        return;
    const struct world__identity *known = &beliefs->identities[identity];
    const struct part part = part_of(beliefs, known->type);
    own(&part, WORLD__TRIED)[known->element]++;
    touch(&part, known->element);
}

void cor_beliefs_note_reward(struct cor_beliefs *beliefs, double reward) {
    beliefs->values[WORLD__REWARD].as.real += reward;
}

/* ---- A hypothesis has columns of its own for properties of truth, and those of the beliefs for all else */

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
            COR_FREE(type->values ? type->values[a] : NULL, type->unknown ? type->unknown[a] : NULL);
        }
        COR_FREE(type->columns, type->values, type->unknown);
    }
    COR_FREE(hypothesis->types, hypothesis->populations, hypothesis);
}

enum cor_status cor_hypothesis_begin(struct cor_hypothesis *hypothesis, struct cor_error *error) {
    const struct cor_beliefs *beliefs = hypothesis->beliefs;
    for (uint32_t t = 0; t < beliefs->type_count; t++) {
        struct supposed *type = &hypothesis->types[t];
        const struct world__elements *elements = &beliefs->types[t];
        /* Room for as many elements as the beliefs have room for. */
        const size_t capacity = elements->capacity;
        if (capacity > type->capacity) {
            for (uint32_t a = 0; a < beliefs->vocabulary->types[t].attribute_count; a++)
                if (is_truth(hypothesis, t, a)) {
                    int64_t *values = realloc(type->values[a], capacity * sizeof *values);
                    COR_TRY(cor_made(values, error));
                    type->values[a] = values;
                    uint8_t *unknown = realloc(type->unknown[a], capacity);
                    COR_TRY(cor_made(unknown, error));
                    type->unknown[a] = unknown;
                }
            type->capacity = capacity;
        }
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
