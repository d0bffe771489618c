/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a program says of its world in its hello (docs/look-up/world-programs.md), as a declaration. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/beliefs.h>
#include <corridor/grid.h>
#include <corridor/json.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DECLARED_MOST 4096u /* entities that are known from the start */
#define WORDS_MOST 1024u    /* of a list */

static const struct cor_domain plain[] = {{.type = COR_VALUE_TYPE_STRING, .name = "string"},
                                          {.type = COR_VALUE_TYPE_INTEGER, .name = "int"},
                                          {.type = COR_VALUE_TYPE_REAL, .name = "float"},
                                          {.type = COR_VALUE_TYPE_BOOLEAN, .name = "bool"}};
enum { PLAIN_COUNT = sizeof plain / sizeof *plain };

/* A name that conditions can write: a letter or "_", then also digits. */
static enum cor_status take_name(struct systems__declared *declared, const struct cor_json *at,
                                 const char *what, const char *name, const char **kept,
                                 struct cor_error *said) {
    static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char more[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    uint32_t word;
    if (strspn(name, first) == 0 || strspn(name, more) != strlen(name))
        return cor_json_fail(at, said, NULL,
                             "%s is called \"%.60s\", and a name is letters, digits and \"_\"", what, name);
    if (strlen(name) > 60)
        return cor_json_fail(at, said, NULL, "%s is called \"%.60s..\", and a name has at most 60 letters",
                             what, name);
    COR_TRY(cor_words_intern(&declared->words, name, &word, said));
    *kept = cor_words_text(&declared->words, word);
    return COR_OK;
}

/* A name with another meaning already. */
static enum cor_status expect_free(const struct cor_json *at, const char *what, const char *name,
                                   const char *const *taken, const char *by, struct cor_error *said) {
    for (; *taken; taken++)
        if (strcmp(name, *taken) == 0)
            return cor_json_fail(at, said, NULL, "%s \"%s\" is called as %s", what, name, by);
    return COR_OK;
}

static uint32_t type_of(const struct systems__declared *declared, const char *name) {
    for (uint32_t t = 0; t < declared->declaration.type_count; t++)
        if (strcmp(declared->types[t].name, name) == 0)
            return t;
    return COR_NONE;
}

static enum cor_status complain_type(const struct systems__declared *declared, const struct cor_json *at,
                                     const char *what, const char *name, struct cor_error *said) {
    const char *names[COR_WORLD_TYPES_MAX + 1] = {NULL};
    for (uint32_t t = 0; t < declared->declaration.type_count; t++)
        names[t] = declared->types[t].name;
    const char *near = cor_did_you_mean(name, names);
    return cor_json_fail(at, said, NULL, "%s \"%.40s\"%s%s%s", what, name, near ? ", did you mean \"" : "",
                         near ? near : "", near ? "\"?" : "");
}

/* A list of words as a domain, which is called `name`. */
static enum cor_status take_list(struct systems__declared *declared, const struct cor_json *list,
                                 const char *name, const struct cor_domain **domain, struct cor_error *said) {
    uint32_t *words = declared->listed + declared->listed_count;
    const uint32_t count = (uint32_t)cor_json_size(list);
    COR_TRY(cor_json_expect_array(list, 1, WORDS_MOST, said));
    for (uint32_t i = 0; i < count; i++) {
        const struct cor_json item = cor_json_at(list, i);
        const char *text;
        COR_TRY(cor_json_string(&item, &text, said));
        COR_TRY(cor_words_intern(&declared->words, text, &words[i], said));
        for (uint32_t before = 0; before < i; before++)
            if (words[before] == words[i])
                return cor_json_fail(&item, said, NULL, "\"%.40s\" is in the list of \"%s\" twice", text,
                                     name);
    }
    declared->listed_count += count;
    struct cor_domain *made = &declared->domains[declared->domain_count++];
    *made = (struct cor_domain){COR_VALUE_TYPE_ENUMERATION, name, words, count};
    *domain = made;
    return COR_OK;
}

/* The domain that a word or a list stands for; NULL: none, it is another word, *text. */
static enum cor_status take_domain(struct systems__declared *declared, const struct cor_json *said_so,
                                   const char *name, const struct cor_domain **domain, const char **text,
                                   struct cor_error *said) {
    *domain = NULL;
    *text = NULL;
    if (cor_json_is_array(said_so))
        return take_list(declared, said_so, name, domain, said);
    COR_TRY(cor_json_string(said_so, text, said));
    for (int i = 0; i < PLAIN_COUNT; i++)
        if (strcmp(*text, plain[i].name) == 0)
            *domain = &plain[i];
    return COR_OK;
}

static enum cor_status take_type(struct systems__declared *declared, uint32_t index,
                                 const struct cor_json *json, struct cor_error *said) {
    static const char *const taken[] = {"id", "type", NULL};
    struct cor_entity_type *type = &declared->types[index];
    struct cor_property *properties = declared->properties + declared->property_count;
    char what[200];
    snprintf(what, sizeof what, "of %s, the property", type->name);
    for (size_t p = 0; p < cor_json_size(json); p++) {
        const struct cor_json member = cor_json_at(json, p);
        const char *text;
        if (strcmp(member.key, "in") == 0) {
            COR_TRY(cor_json_string(&member, &text, said));
            type->parent = type_of(declared, text);
            if (type->parent == COR_NONE)
                return complain_type(declared, &member, "what it is in is no type:", text, said);
            continue;
        }
        struct cor_property *property = &properties[type->property_count];
        *property = (struct cor_property){.refers = COR_NONE};
        COR_TRY(take_name(declared, &member, "a property", member.key, &property->name, said));
        COR_TRY(expect_free(&member, what, member.key, taken, "what every entity has", said));
        COR_TRY(take_domain(declared, &member, property->name, &property->domain, &text, said));
        if (!property->domain && (property->refers = type_of(declared, text)) == COR_NONE)
            return complain_type(declared, &member,
                                 "is neither string, int, float, bool, a list, nor a type:", text, said);
        type->property_count++;
    }
    type->properties = properties;
    declared->property_count += type->property_count;
    return COR_OK;
}

static enum cor_status expect_count(const struct cor_json *all, size_t most, const char *what,
                                    struct cor_error *said) {
    COR_TRY(cor_json_expect_object(all, NULL, said));
    return cor_json_size(all) <= most ? COR_OK
                                      : cor_json_fail(all, said, NULL, "has %zu %s, and can have %zu",
                                                      cor_json_size(all), what, most);
}

/* Members of what `json` has, which are not too many, and the lists among them. */
static enum cor_status count_members(const struct cor_json *json, const char *what, size_t most,
                                     size_t *members, size_t *lists, size_t *words, struct cor_error *said) {
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json one = cor_json_at(json, i);
        COR_TRY(expect_count(&one, most, what, said));
        *members += cor_json_size(&one);
        for (size_t m = 0; m < cor_json_size(&one); m++) {
            const struct cor_json member = cor_json_at(&one, m);
            *lists += cor_json_is_array(&member);
            *words += cor_json_is_array(&member) ? cor_json_size(&member) : 0;
        }
    }
    return COR_OK;
}

/* Room for all that types and actions have. */
static enum cor_status make_room(struct systems__declared *declared, const struct cor_json *types,
                                 const struct cor_json *actions, struct cor_error *error) {
    size_t properties = 0, parameters = 0, lists = 0, words = 0;
    COR_TRY(count_members(types, "properties", COR_WORLD_PROPERTIES_MAX, &properties, &lists, &words, error));
    COR_TRY(
        count_members(actions, "parameters", COR_WORLD_PARAMETERS_MAX, &parameters, &lists, &words, error));
    declared->properties = cor_calloc(properties, sizeof *declared->properties);
    declared->parameters = cor_calloc(parameters, sizeof *declared->parameters);
    declared->domains = cor_calloc(lists, sizeof *declared->domains);
    declared->listed = cor_calloc(words, sizeof *declared->listed);
    return declared->properties && declared->parameters && declared->domains && declared->listed
               ? COR_OK
               : cor_fail_memory(error);
}

static enum cor_status take_types(struct systems__declared *declared, const struct cor_json *types,
                                  struct cor_error *said) {
    static const char *const taken[] = {"string", "int", "float", "bool", "entity", NULL};
    for (size_t t = 0; t < cor_json_size(types); t++) {
        const struct cor_json one = cor_json_at(types, t);
        declared->types[t].parent = COR_NONE;
        COR_TRY(take_name(declared, &one, "a type", one.key, &declared->types[t].name, said));
        COR_TRY(expect_free(&one, "the type", one.key, taken, "a domain", said));
        declared->declaration.type_count++;
    }
    for (uint32_t t = 0; t < declared->declaration.type_count; t++) {
        const struct cor_json one = cor_json_at(types, t);
        COR_TRY(take_type(declared, t, &one, said));
    }
    return COR_OK;
}

/* "wait" and "look" are of every world; it may name them. */
static enum cor_status take_actions(struct systems__declared *declared, const struct cor_json *actions,
                                    struct cor_error *said) {
    static const char *const taken[] = {"id", "agent", "do", NULL};
    declared->actions[COR_ACTION_WAIT].name = "wait";
    declared->actions[COR_ACTION_LOOK].name = "look";
    declared->declaration.action_count = COR_ACTION_FIRST;
    for (size_t a = 0; a < cor_json_size(actions); a++) {
        const struct cor_json one = cor_json_at(actions, a);
        const bool is_own = strcmp(one.key, "wait") != 0 && strcmp(one.key, "look") != 0;
        if (!is_own && cor_json_size(&one) > 0)
            return cor_json_fail(&one, said, NULL, "\"%s\" is of every world, and has no parameters",
                                 one.key);
        if (!is_own)
            continue;
        struct cor_action *action = &declared->actions[declared->declaration.action_count];
        struct cor_action_parameter *parameters = declared->parameters + declared->parameter_count;
        COR_TRY(take_name(declared, &one, "an action", one.key, &action->name, said));
        for (size_t p = 0; p < cor_json_size(&one); p++) {
            const struct cor_json member = cor_json_at(&one, p);
            struct cor_action_parameter *parameter = &parameters[p];
            const char *text;
            COR_TRY(take_name(declared, &member, "a parameter", member.key, &parameter->name, said));
            COR_TRY(expect_free(&member, "the parameter", member.key, taken, "a part of a request", said));
            COR_TRY(take_domain(declared, &member, parameter->name, &parameter->domain, &text, said));
            if (!parameter->domain && strcmp(text, "entity") != 0)
                return cor_json_fail(&member, said, NULL,
                                     "is neither string, int, float, bool, a list, nor entity: \"%.40s\"",
                                     text);
        }
        action->parameters = parameters;
        action->parameter_count = (uint32_t)cor_json_size(&one);
        declared->parameter_count += action->parameter_count;
        declared->declaration.action_count++;
    }
    return COR_OK;
}

static enum cor_status take_entities(struct systems__declared *declared, const struct cor_json *entities,
                                     struct cor_error *said) {
    COR_TRY(expect_count(entities, DECLARED_MOST, "entities", said));
    declared->entities = cor_calloc(cor_json_size(entities), sizeof *declared->entities);
    COR_TRY(cor_made(declared->entities, said));
    for (size_t i = 0; i < cor_json_size(entities); i++) {
        const struct cor_json one = cor_json_at(entities, i);
        struct cor_declared_entity *entity = &declared->entities[declared->declaration.entity_count++];
        const char *text;
        COR_TRY(cor_json_string(&one, &text, said));
        entity->type = type_of(declared, text);
        if (entity->type == COR_NONE)
            return complain_type(declared, &one, "there is no type", text, said);
        COR_TRY(cor_words_intern(&declared->words, one.key, &entity->identity, said));
    }
    return COR_OK;
}

static enum cor_status take_abilities(struct systems__declared *declared, const struct cor_json *can,
                                      struct cor_error *said) {
    COR_TRY(cor_json_expect_array(can, 0, SIZE_MAX, said));
    for (size_t i = 0; i < cor_json_size(can); i++) {
        const struct cor_json item = cor_json_at(can, i);
        const char *text;
        COR_TRY(cor_json_string(&item, &text, said));
        if (strcmp(text, "paths") == 0)
            declared->declaration.has_paths = true;
        else if (strcmp(text, "pictures") == 0)
            declared->has_pictures = true;
        else if (strcmp(text, "reset") == 0)
            declared->is_renewed = true;
        else if (strcmp(text, "save") != 0)
            return cor_json_fail(&item, said, NULL, "a world can reset, save, pictures, paths, not \"%.40s\"",
                                 text);
    }
    return COR_OK;
}

/* A path has the parameters of its action beside members of its own. */
static enum cor_status check_paths(const struct systems__declared *declared, const struct cor_json *hello,
                                   struct cor_error *said) {
    static const char *const taken[] = {"from", "to", "cost", NULL};
    for (uint32_t p = 0; declared->declaration.has_paths && p < declared->parameter_count; p++)
        COR_TRY(expect_free(hello, "the parameter", declared->parameters[p].name, taken, "a part of a path",
                            said));
    return COR_OK;
}

/* The action that moves from cell to cell. */
static enum cor_status take_step(struct systems__declared *declared, const struct cor_json *json,
                                 struct cor_error *said) {
    static const char *const ways[] = {"east", "south", "west", "north"};
    struct cor_world_declaration *it = &declared->declaration;
    const char *text;
    COR_TRY(cor_json_string(json, &text, said));
    for (it->step = 0; it->step < it->action_count; it->step++)
        if (strcmp(it->actions[it->step].name, text) == 0)
            break;
    if (it->step == it->action_count)
        return cor_json_fail(json, said, NULL, "there is no action \"%.40s\" to step by", text);
    const struct cor_action *action = &it->actions[it->step];
    const struct cor_domain *domain = action->parameter_count == 1 ? action->parameters[0].domain : NULL;
    for (int w = 0; w < 4; w++) {
        const uint32_t word = cor_words_find(&declared->words, ways[w]);
        if (word == COR_NONE || !domain || domain->type != COR_VALUE_TYPE_ENUMERATION ||
            !cor_domain_has(domain, cor_word(word)))
            return cor_json_fail(
                json, said, NULL,
                "the only parameter of \"%.40s\" is to be a list with east, south, west and north", text);
    }
    return COR_OK;
}

static enum cor_status take_grid(struct systems__declared *declared, const struct cor_json *hello,
                                 struct cor_error *said) {
    static const int64_t most[] = {COR_GRID_COLUMNS_MAX, COR_GRID_ROWS_MAX, COR_GRID_FLOORS_MAX};
    uint32_t *const sizes[] = {&declared->declaration.columns, &declared->declaration.rows,
                               &declared->declaration.floors};
    struct cor_json grid, step;
    const bool has_grid = cor_json_find(hello, "grid", &grid), has_step = cor_json_find(hello, "step", &step);
    declared->declaration.step = COR_NONE;
    if (has_grid != has_step)
        return cor_json_fail(hello, said, NULL, "a \"grid\" and its \"step\" come together");
    if (!has_grid)
        return COR_OK;
    COR_TRY(cor_json_expect_array(&grid, 3, 3, said));
    for (size_t i = 0; i < 3; i++) {
        const struct cor_json item = cor_json_at(&grid, i);
        int64_t size = 0;
        COR_TRY(cor_json_integer(&item, 1, most[i], &size, said));
        *sizes[i] = (uint32_t)size;
    }
    return take_step(declared, &step, said);
}

/* "world" or "version". */
static enum cor_status take_text(struct systems__declared *declared, const struct cor_json *json,
                                 const char **kept, struct cor_error *said) {
    const char *text;
    uint32_t word;
    COR_TRY(cor_json_string(json, &text, said));
    if (!text[0] || strlen(text) > 200 || !cor_is_printable(text))
        return cor_json_fail(json, said, NULL, "is to be 1 to 200 bytes of printable text");
    COR_TRY(cor_words_intern(&declared->words, text, &word, said));
    *kept = cor_words_text(&declared->words, word);
    return COR_OK;
}

enum cor_status systems__read_declaration(struct systems__declared *declared, const struct cor_json *hello,
                                          struct cor_error *said) {
    static const char *const keys[] = {"id",       "protocol", "world", "version", "types", "actions",
                                       "entities", "can",      "grid",  "step",    NULL};
    struct cor_world_declaration *it = &declared->declaration;
    struct cor_world_vocabulary *vocabulary;
    struct cor_json member, types, actions;
    int64_t protocol = SYSTEMS__PROTOCOL;
    cor_words_init(&declared->words);
    COR_TRY(cor_json_expect_object(hello, keys, said));
    if (cor_json_find(hello, "protocol", &member))
        COR_TRY(cor_json_integer(&member, INT64_MIN, INT64_MAX, &protocol, said));
    if (protocol != SYSTEMS__PROTOCOL)
        return cor_json_fail(&member, said, NULL, "it speaks protocol %lld, asked for was %d",
                             (long long)protocol, SYSTEMS__PROTOCOL);
    it->words = &declared->words;
    it->types = declared->types;
    it->actions = declared->actions;
    it->version = "";
    COR_TRY(cor_json_need(hello, "world", &member, said));
    COR_TRY(take_text(declared, &member, &it->name, said));
    if (cor_json_find(hello, "version", &member))
        COR_TRY(take_text(declared, &member, &it->version, said));
    COR_TRY(cor_json_need(hello, "types", &types, said));
    COR_TRY(expect_count(&types, COR_WORLD_TYPES_MAX, "types", said));
    COR_TRY(cor_json_need(hello, "actions", &actions, said));
    COR_TRY(expect_count(&actions, COR_WORLD_ACTIONS_MAX - COR_ACTION_FIRST, "actions", said));
    COR_TRY(make_room(declared, &types, &actions, said));
    COR_TRY(take_types(declared, &types, said));
    COR_TRY(take_actions(declared, &actions, said));
    if (cor_json_find(hello, "entities", &member))
        COR_TRY(take_entities(declared, &member, said));
    it->entities = declared->entities;
    if (cor_json_find(hello, "can", &member))
        COR_TRY(take_abilities(declared, &member, said));
    COR_TRY(check_paths(declared, hello, said));
    COR_TRY(take_grid(declared, hello, said));
    /* Names that conditions could not tell apart. */
    COR_TRY(cor_world_vocabulary_create(it, &vocabulary, said));
    cor_world_vocabulary_destroy(vocabulary);
    return COR_OK;
}

void systems__declared_fini(struct systems__declared *declared) {
    cor_words_fini(&declared->words);
    free(declared->properties);
    free(declared->parameters);
    free(declared->domains);
    free(declared->listed);
    free(declared->entities);
}
