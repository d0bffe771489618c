/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The declaration of a world as a shape that conditions are parsed over. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cor_domain integers = {.type = COR_VALUE_TYPE_INTEGER, .name = "int"};
static const struct cor_domain reals = {.type = COR_VALUE_TYPE_REAL, .name = "float"};

/* By their enum; "floor" is the last. */
static const char *const own_names[] = {"unseen", "seen_at", "changed_at", "tried"};
static const char *const cell_names[] = {"x", "y", "floor"};

static const char *const of_one[] = {"e"}, *const of_two[] = {"a", "b"};
static const struct cor_definition definitions[] = {
    {"sees", of_one, 1, "e.unseen = 0"},
    {"age", of_one, 1, "e.unseen * (cycle - e.seen_at)"},
    {"changed", of_one, 1, "e.changed_at = cycle"},
    {"tried", of_one, 1, "e.tried"},
    {"distance", of_two, 2, "abs(a.x - b.x) + abs(a.y - b.y) + 1000000 * abs(a.floor - b.floor)"},
};
#define DEFINITION_COUNT (sizeof definitions / sizeof *definitions)

static uint64_t naming_of(const char *name) {
    return cor_hash_bytes(COR_HASH_SEED, name, strlen(name));
}

static enum cor_status complain_taken(const struct cor_world_declaration *declaration, const char *what,
                                      const char *name, const char *by, struct cor_error *error) {
    return cor_fail(error, COR_STATUS_INPUT, declaration->name, "the world calls it otherwise",
                    "%s \"%s\" is called as %s", what, name, by);
}

/* Names that mean something else already cannot be told apart in conditions. */
static enum cor_status check_type_name(const struct cor_world_declaration *declaration, uint32_t type,
                                       struct cor_error *error) {
    const char *name = declaration->types[type].name;
    for (uint32_t t = 0; t < type; t++)
        if (strcmp(declaration->types[t].name, name) == 0)
            return complain_taken(declaration, "the type", name, "another one", error);
    if (strcmp(name, "cycle") == 0 || strcmp(name, "reward") == 0)
        return complain_taken(declaration, "the type", name, "a number of every test agent", error);
    for (size_t d = 0; d < DEFINITION_COUNT; d++)
        if (strcmp(definitions[d].name, name) == 0)
            return complain_taken(declaration, "the type", name, "what is asked of entities of every world",
                                  error);
    return COR_OK;
}

static enum cor_status check_property_names(const struct cor_world_declaration *declaration, uint32_t type,
                                            struct cor_error *error) {
    const struct cor_entity_type *t = &declaration->types[type];
    char what[200];
    snprintf(what, sizeof what, "of %.80s, the property", t->name);
    for (uint32_t p = 0; p < t->property_count; p++) {
        const char *name = t->properties[p].name;
        for (uint32_t other = 0; other < p; other++)
            if (strcmp(t->properties[other].name, name) == 0)
                return complain_taken(declaration, what, name, "another one", error);
        bool is_own = strcmp(name, "in") == 0;
        for (int own = 0; own < WORLD__OWN_COUNT; own++)
            is_own |= strcmp(name, own_names[own]) == 0;
        if (is_own)
            return complain_taken(declaration, what, name, "what every entity has", error);
        for (uint32_t child = 0; child < declaration->type_count; child++)
            if (declaration->types[child].parent == type && strcmp(declaration->types[child].name, name) == 0)
                return complain_taken(declaration, what, name, "what is in it", error);
    }
    return COR_OK;
}

/* The attributes and references of a type, which go behind what is there. */
static void make_type(struct cor_world_vocabulary *vocabulary, uint32_t index,
                      struct world__property *properties, struct cor_attribute *attributes,
                      struct cor_relation *relations) {
    const struct cor_world_declaration *declaration = vocabulary->declaration;
    const struct cor_entity_type *declared = &declaration->types[index];
    struct world__type *type = &vocabulary->types[index];
    *type = (struct world__type){.properties = properties,
                                 .property_count = declared->property_count,
                                 .in = COR_NONE,
                                 .parent = declared->parent,
                                 .cell = {COR_NONE, COR_NONE, COR_NONE},
                                 .naming = naming_of(declared->name)};
    for (uint32_t p = 0; p < declared->property_count; p++) {
        const struct cor_world_property *property = &declared->properties[p];
        const struct cor_domain *domain = property->domain;
        properties[p] =
            (struct world__property){.place = domain ? type->valued : type->reference_count,
                                     .naming = naming_of(property->name),
                                     .is_reference = !domain,
                                     .is_discrete = !domain || (domain->type != COR_VALUE_TYPE_INTEGER &&
                                                                domain->type != COR_VALUE_TYPE_REAL)};
        for (int c = 0; c < 3 && domain && domain->type == COR_VALUE_TYPE_INTEGER; c++)
            if (strcmp(property->name, cell_names[c]) == 0)
                type->cell[c] = type->valued;
        if (domain)
            attributes[type->valued++] = (struct cor_attribute){property->name, domain, NULL};
        else
            relations[type->reference_count++] =
                (struct cor_relation){property->name, (uint8_t)property->refers};
    }
    if (declared->parent != COR_NONE) {
        type->in = type->reference_count++;
        relations[type->in] = (struct cor_relation){"in", (uint8_t)declared->parent};
    }
    type->attribute_count = type->valued;
    for (int own = 0; own < WORLD__OWN_COUNT; own++)
        attributes[type->attribute_count++] = (struct cor_attribute){own_names[own], &integers, NULL};
    if (type->cell[0] == COR_NONE || type->cell[1] == COR_NONE) {
        type->cell[0] = type->cell[1] = type->cell[2] = COR_NONE;
    } else if (type->cell[2] == COR_NONE) {
        type->cell[2] = type->attribute_count;
        attributes[type->attribute_count++] = (struct cor_attribute){cell_names[2], &integers, NULL};
    }
    struct cor_relation *collections = relations + type->reference_count;
    uint32_t collection_count = 0;
    for (uint32_t t = 0; t < declaration->type_count; t++)
        if (declaration->types[t].parent == index)
            collections[collection_count++] = (struct cor_relation){declaration->types[t].name, (uint8_t)t};
    vocabulary->element_types[index] =
        (struct cor_element_type){declared->name, declared->name, attributes,       type->attribute_count,
                                  collections,    relations,      collection_count, type->reference_count};
}

static enum cor_status make_types(struct cor_world_vocabulary *vocabulary, struct cor_error *error) {
    const struct cor_world_declaration *declaration = vocabulary->declaration;
    const uint32_t count = declaration->type_count;
    uint32_t property_count = 0, extra = WORLD__OWN_COUNT + 1;
    for (uint32_t t = 0; t < count; t++)
        property_count += declaration->types[t].property_count;
    vocabulary->types = cor_calloc(count, sizeof *vocabulary->types);
    vocabulary->element_types = cor_calloc(count, sizeof *vocabulary->element_types);
    vocabulary->element_counts = cor_calloc(count, sizeof *vocabulary->element_counts);
    vocabulary->properties = cor_calloc(property_count, sizeof *vocabulary->properties);
    vocabulary->attributes = cor_calloc(property_count + (size_t)extra * count, sizeof(struct cor_attribute));
    /* Of each type what it refers to and what it is in, and it is a collection of one other. */
    vocabulary->relations = cor_calloc(property_count + 2 * (size_t)count, sizeof *vocabulary->relations);
    if (!vocabulary->types || !vocabulary->element_types || !vocabulary->element_counts ||
        !vocabulary->properties || !vocabulary->attributes || !vocabulary->relations)
        return cor_fail_memory(error);
    struct world__property *properties = vocabulary->properties;
    struct cor_attribute *attributes = vocabulary->attributes;
    struct cor_relation *relations = vocabulary->relations;
    for (uint32_t t = 0; t < count; t++) {
        make_type(vocabulary, t, properties, attributes, relations);
        const struct cor_element_type *made = &vocabulary->element_types[t];
        properties += declaration->types[t].property_count;
        attributes += made->attribute_count;
        relations += made->reference_count + made->collection_count;
    }
    return COR_OK;
}

/* Where the name is among those that are sorted, or would be. */
static uint32_t place_of(const struct cor_world_vocabulary *vocabulary, const char *name, bool *is_there) {
    uint32_t low = 0, high = vocabulary->shape.named_count;
    *is_there = false;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = strcmp(vocabulary->named[middle].name, name);
        if (order == 0) {
            *is_there = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static enum cor_status reserve_names(struct cor_world_vocabulary *vocabulary, size_t more,
                                     struct cor_error *error) {
    COR_TRY(COR_RESERVE(&vocabulary->named, &vocabulary->named_capacity, vocabulary->shape.named_count + more,
                        error));
    vocabulary->shape.named = vocabulary->named;
    return COR_OK;
}

/* Puts the name in its place; there is room. */
static void put_name(struct cor_world_vocabulary *vocabulary, uint32_t place,
                     struct cor_named_element named) {
    memmove(vocabulary->named + place + 1, vocabulary->named + place,
            (vocabulary->shape.named_count - place) * sizeof *vocabulary->named);
    vocabulary->named[place] = named;
    vocabulary->shape.named_count++;
}

/* Adds the entity, which is not there, to the mentions; there is room. */
static struct cor_named_element add_mention(struct cor_world_vocabulary *vocabulary, uint32_t identity,
                                            uint32_t type) {
    const uint32_t element = vocabulary->element_counts[type]++;
    vocabulary->mentions[vocabulary->mention_count++] = (struct world__mention){identity, type, element};
    return (struct cor_named_element){cor_words_text(vocabulary->declaration->words, identity), (uint8_t)type,
                                      element};
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct cor_named_element *)a)->name, ((const struct cor_named_element *)b)->name);
}

/* All that the world declares can be named. */
static enum cor_status mention_declared(struct cor_world_vocabulary *vocabulary, struct cor_error *error) {
    const struct cor_world_declaration *declaration = vocabulary->declaration;
    COR_TRY(reserve_names(vocabulary, declaration->entity_count, error));
    COR_TRY(
        COR_RESERVE(&vocabulary->mentions, &vocabulary->mention_capacity, declaration->entity_count, error));
    for (uint32_t i = 0; i < declaration->entity_count; i++) {
        const struct cor_declared_entity *entity = &declaration->entities[i];
        COR_ASSERT(entity->type < declaration->type_count);
        vocabulary->named[i] = add_mention(vocabulary, entity->identity, entity->type);
    }
    if (declaration->entity_count > 0)
        qsort(vocabulary->named, declaration->entity_count, sizeof *vocabulary->named, by_name);
    vocabulary->shape.named_count = declaration->entity_count;
    for (uint32_t i = 1; i < declaration->entity_count; i++)
        if (by_name(&vocabulary->named[i - 1], &vocabulary->named[i]) == 0)
            return complain_taken(declaration, "the entity", vocabulary->named[i].name, "another one", error);
    return COR_OK;
}

enum cor_status cor_world_vocabulary_create(const struct cor_world_declaration *declaration,
                                            struct cor_world_vocabulary **created, struct cor_error *error) {
    *created = NULL;
    COR_ASSERT(declaration->type_count <= COR_WORLD_TYPES_MAX);
    for (uint32_t t = 0; t < declaration->type_count; t++) {
        const struct cor_entity_type *type = &declaration->types[t];
        COR_ASSERT(type->property_count <= COR_WORLD_PROPERTIES_MAX);
        COR_ASSERT(type->parent == COR_NONE || type->parent < declaration->type_count);
        for (uint32_t p = 0; p < type->property_count; p++)
            COR_ASSERT(type->properties[p].domain || type->properties[p].refers < declaration->type_count);
        COR_TRY(check_type_name(declaration, t, error));
        COR_TRY(check_property_names(declaration, t, error));
    }
    struct cor_world_vocabulary *vocabulary = cor_calloc(1, sizeof *vocabulary);
    COR_TRY(cor_made(vocabulary, error));
    enum cor_status status = COR_OK;
    vocabulary->declaration = declaration;
    COR_TRY_OUT(make_types(vocabulary, error));
    vocabulary->symbols[WORLD__CYCLE] = (struct cor_symbol){"cycle", &integers};
    vocabulary->symbols[WORLD__REWARD] = (struct cor_symbol){"reward", &reals};
    vocabulary->shape = (struct cor_shape){.types = vocabulary->element_types,
                                           .type_count = declaration->type_count,
                                           .definitions = definitions,
                                           .definition_count = DEFINITION_COUNT};
    vocabulary->scope = (struct cor_scope){.symbols = vocabulary->symbols,
                                           .symbol_count = WORLD__SYMBOL_COUNT,
                                           .words = declaration->words,
                                           .shape = &vocabulary->shape};
    COR_TRY_OUT(mention_declared(vocabulary, error));
    *created = vocabulary;
    vocabulary = NULL;
out:
    cor_world_vocabulary_destroy(vocabulary);
    return status;
}

void cor_world_vocabulary_destroy(struct cor_world_vocabulary *vocabulary) {
    if (!vocabulary)
        return;
    cor_world_vocabulary_forget_aliases(vocabulary);
    for (size_t d = DEFINITION_COUNT; d < vocabulary->shape.definition_count; d++)
        free((void *)(uintptr_t)vocabulary->definitions[d].name); /* the text behind it */
    COR_FREE(vocabulary->definitions, vocabulary->types, vocabulary->properties, vocabulary->attributes,
             vocabulary->relations, vocabulary->element_types, vocabulary->named, vocabulary->aliases,
             vocabulary->mentions, vocabulary->element_counts, vocabulary);
}

static bool is_alias(const struct cor_world_vocabulary *vocabulary, const char *name) {
    for (size_t i = 0; i < vocabulary->alias_count; i++)
        if (strcmp(vocabulary->aliases[i], name) == 0)
            return true;
    return false;
}

/* "there is no entity ..", with those that are near, or all if these are few. */
static enum cor_status complain_no_entity(const struct cor_world_vocabulary *vocabulary, const char *identity,
                                          const char *remedy, struct cor_error *error) {
    const char *offered[257];
    uint32_t count = 0;
    char known[900] = "", text[1024];
    for (uint32_t i = 0; i < vocabulary->shape.named_count && count < 256; i++) {
        const char *name = vocabulary->named[i].name;
        if (!is_alias(vocabulary, name) &&
            (vocabulary->shape.named_count < 256 || cor_did_you_mean(identity, (const char *[]){name, NULL})))
            offered[count++] = name;
    }
    offered[count] = NULL;
    if (count > 0)
        cor_known_names(identity, offered, known, sizeof known);
    snprintf(text, sizeof text, "%s%s%s", known, *known && *remedy ? "; " : "", remedy);
    return cor_fail(error, COR_STATUS_INPUT, NULL, text, "there is no entity \"%.200s\"", identity);
}

enum cor_status cor_world_vocabulary_mention(struct cor_world_vocabulary *vocabulary, const char *identity,
                                             uint32_t type, struct cor_error *error) {
    const struct cor_entity_type *types = vocabulary->declaration->types;
    bool is_there;
    uint32_t word, place = place_of(vocabulary, identity, &is_there);
    COR_ASSERT(type == COR_NONE || type < vocabulary->declaration->type_count);
    if (is_there && is_alias(vocabulary, identity))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "call what stands for it otherwise",
                        "\"%.200s\" stands for another entity here", identity);
    if (is_there && (type == COR_NONE || vocabulary->named[place].type == type))
        return COR_OK;
    if (is_there)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "entity \"%.200s\" is of type %.80s, not %.80s",
                        identity, types[vocabulary->named[place].type].name, types[type].name);
    if (type == COR_NONE)
        return complain_no_entity(vocabulary, identity,
                                  "an entity that the world does not declare is given with its type", error);
    COR_TRY(reserve_names(vocabulary, 1, error));
    COR_TRY(COR_RESERVE(&vocabulary->mentions, &vocabulary->mention_capacity, vocabulary->mention_count + 1,
                        error));
    COR_TRY(cor_words_intern(vocabulary->declaration->words, identity, &word, error));
    put_name(vocabulary, place, add_mention(vocabulary, word, type));
    return COR_OK;
}

enum cor_status cor_world_vocabulary_alias(struct cor_world_vocabulary *vocabulary, const char *name,
                                           const char *identity, struct cor_error *error) {
    bool is_meant, is_there;
    const uint32_t meant = place_of(vocabulary, identity, &is_meant);
    if (!is_meant)
        return complain_no_entity(vocabulary, identity, "", error);
    struct cor_named_element named = vocabulary->named[meant];
    const uint32_t place = place_of(vocabulary, name, &is_there);
    if (is_there && vocabulary->named[place].type == named.type &&
        vocabulary->named[place].element == named.element)
        return COR_OK;
    for (int s = 0; s < WORLD__SYMBOL_COUNT; s++)
        if (strcmp(vocabulary->symbols[s].name, name) == 0)
            return cor_fail(error, COR_STATUS_INPUT, NULL, "choose another name",
                            "\"%s\" is a number of every test agent", name);
    if (is_there && !is_alias(vocabulary, name))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "choose another name",
                        "\"%.200s\" is an entity, and cannot stand for \"%.200s\"", name, identity);
    if (is_there) {
        named.name = vocabulary->named[place].name;
        vocabulary->named[place] = named;
        return COR_OK;
    }
    COR_TRY(reserve_names(vocabulary, 1, error));
    COR_TRY(
        COR_RESERVE(&vocabulary->aliases, &vocabulary->alias_capacity, vocabulary->alias_count + 1, error));
    char *copy = cor_strdup(name);
    COR_TRY(cor_made(copy, error));
    vocabulary->aliases[vocabulary->alias_count++] = copy;
    named.name = copy;
    put_name(vocabulary, place, named);
    return COR_OK;
}

void cor_world_vocabulary_forget_aliases(struct cor_world_vocabulary *vocabulary) {
    for (size_t i = 0; i < vocabulary->alias_count; i++) {
        bool is_there;
        const uint32_t place = place_of(vocabulary, vocabulary->aliases[i], &is_there);
        COR_ASSERT(is_there);
        vocabulary->shape.named_count--;
        memmove(vocabulary->named + place, vocabulary->named + place + 1,
                (vocabulary->shape.named_count - place) * sizeof *vocabulary->named);
        free(vocabulary->aliases[i]);
    }
    vocabulary->alias_count = 0;
}

/* What a name means already; NULL: nothing. */
static const char *meaning_of(const struct cor_world_vocabulary *vocabulary, const char *name) {
    bool is_there;
    if (cor_expression_is_reserved(name))
        return "a word of the language";
    (void)place_of(vocabulary, name, &is_there);
    if (is_there)
        return "an entity";
    for (int s = 0; s < WORLD__SYMBOL_COUNT; s++)
        if (strcmp(vocabulary->symbols[s].name, name) == 0)
            return "a number of every test agent";
    for (uint32_t t = 0; t < vocabulary->shape.type_count; t++)
        if (strcmp(vocabulary->element_types[t].name, name) == 0)
            return "a type of entities";
    for (uint32_t d = 0; d < vocabulary->shape.definition_count; d++)
        if (strcmp(vocabulary->shape.definitions[d].name, name) == 0)
            return d < DEFINITION_COUNT ? "what is asked of entities of every world" : "a name already";
    return NULL;
}

enum cor_status cor_world_vocabulary_define(struct cor_world_vocabulary *vocabulary, const char *name,
                                            const char *text, struct cor_error *error) {
    const uint32_t count = vocabulary->shape.definition_count;
    const char *meaning = meaning_of(vocabulary, name);
    if (meaning)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "choose another name", "\"%.200s\" is %s", name,
                        meaning);
    if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != strlen(name) ||
        name[0] == '\0' || (name[0] >= '0' && name[0] <= '9'))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "letters, digits and \"_\", and no digit first",
                        "\"%.200s\" is no name that a condition can use", name);
    const bool is_first = !vocabulary->definitions;
    COR_TRY(COR_RESERVE(&vocabulary->definitions, &vocabulary->definition_capacity, count + 1, error));
    if (is_first)
        memcpy(vocabulary->definitions, definitions, sizeof definitions);
    vocabulary->shape.definitions = vocabulary->definitions;
    const size_t length = strlen(name) + 1, size = strlen(text) + 1;
    char *copy = cor_calloc(length + size, 1);
    COR_TRY(cor_made(copy, error));
    memcpy(copy, name, length);
    memcpy(copy + length, text, size);
    vocabulary->definitions[count] = (struct cor_definition){.name = copy, .text = copy + length};
    vocabulary->shape.definition_count = count + 1;
    return COR_OK;
}

const struct cor_scope *cor_world_vocabulary_scope(const struct cor_world_vocabulary *vocabulary) {
    return &vocabulary->scope;
}
