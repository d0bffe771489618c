/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a program says of its world in its hello (docs/look-up/world-programs.md), as a declaration. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/beliefs.h>
#include <corridor/grid.h>
#include <corridor/guarantees.h>
#include <corridor/json.h>
#include <corridor/system.h>
#include <corridor/world_program.h>

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static struct systems__process *take_process(struct cor_world_programs *kept, const char *key);
static void keep_process(struct cor_world_programs *kept, const char *key, struct systems__process *process);
static enum cor_status keep_hello(struct cor_world_programs *kept, const char *key, const char *hello,
                                  struct cor_error *error) COR_MUST_USE;
static const char *kept_hello(const struct cor_world_programs *kept, const char *key);
static void process_destroy(struct systems__process *process);
static enum cor_status process_create(const struct cor_lines_definition *lines, double answer_seconds,
                                      struct systems__process **process,
                                      struct cor_error *error) COR_MUST_USE;

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

/* The domain that a word or a list stands for; NULL: none, it is another word, *text. */
static enum cor_status take_domain(struct systems__declared *declared, const struct cor_json *said_so,
                                   const char *name, const struct cor_domain **domain, const char **text,
                                   struct cor_error *said) {
    *domain = NULL;
    *text = NULL;
    if (cor_json_is_array(said_so)) {
        /* A list of words as a domain, which is called `name`. */
        uint32_t *words = declared->listed + declared->listed_count;
        const uint32_t count = (uint32_t)cor_json_size(said_so);
        COR_TRY(cor_json_expect_array(said_so, 1, WORDS_MOST, said));
        for (uint32_t i = 0; i < count; i++) {
            const struct cor_json item = cor_json_at(said_so, i);
            const char *word;
            COR_TRY(cor_json_string(&item, &word, said));
            COR_TRY(cor_words_intern(&declared->words, word, &words[i], said));
            for (uint32_t before = 0; before < i; before++)
                if (words[before] == words[i])
                    return cor_json_fail(&item, said, NULL, "\"%.40s\" is in the list of \"%s\" twice", word,
                                         name);
        }
        declared->listed_count += count;
        struct cor_domain *made = &declared->domains[declared->domain_count++];
        *made = (struct cor_domain){COR_VALUE_TYPE_ENUMERATION, name, words, count};
        *domain = made;
        return COR_OK;
    }
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
    struct cor_world_property *properties = declared->properties + declared->property_count;
    char what[200];
    snprintf(what, sizeof what, "of %s, the property", type->name);
    COR_JSON_CHILDREN(member, json) {
        const char *text;
        if (strcmp(member.key, "in") == 0) {
            COR_TRY(cor_json_string(&member, &text, said));
            type->parent = type_of(declared, text);
            if (type->parent == COR_NONE)
                return complain_type(declared, &member, "what it is in is no type:", text, said);
            continue;
        }
        struct cor_world_property *property = &properties[type->property_count];
        *property = (struct cor_world_property){.refers = COR_NONE};
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
    COR_JSON_CHILDREN(one, json) {
        COR_TRY(expect_count(&one, most, what, said));
        *members += cor_json_size(&one);
        COR_JSON_CHILDREN(member, &one) {
            *lists += cor_json_is_array(&member);
            *words += cor_json_is_array(&member) ? cor_json_size(&member) : 0;
        }
    }
    return COR_OK;
}

static enum cor_status take_types(struct systems__declared *declared, const struct cor_json *types,
                                  struct cor_error *said) {
    static const char *const taken[] = {"string", "int", "float", "bool", "entity", NULL};
    COR_JSON_CHILDREN(one, types) {
        declared->types[one.index].parent = COR_NONE;
        COR_TRY(take_name(declared, &one, "a type", one.key, &declared->types[one.index].name, said));
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
    COR_JSON_CHILDREN(one, actions) {
        const bool is_own = strcmp(one.key, "wait") != 0 && strcmp(one.key, "look") != 0;
        if (!is_own && cor_json_size(&one) > 0)
            return cor_json_fail(&one, said, NULL, "\"%s\" is of every world, and has no parameters",
                                 one.key);
        if (!is_own)
            continue;
        struct cor_action *action = &declared->actions[declared->declaration.action_count];
        struct cor_action_parameter *parameters = declared->parameters + declared->parameter_count;
        COR_TRY(take_name(declared, &one, "an action", one.key, &action->name, said));
        COR_JSON_CHILDREN(member, &one) {
            struct cor_action_parameter *parameter = &parameters[member.index];
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

static enum cor_status take_abilities(struct systems__declared *declared, const struct cor_json *can,
                                      struct cor_error *said) {
    COR_TRY(cor_json_expect_array(can, 0, SIZE_MAX, said));
    COR_JSON_CHILDREN(item, can) {
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
    COR_JSON_CHILDREN(item, &grid) {
        int64_t size = 0;
        COR_TRY(cor_json_integer(&item, 1, most[item.index], &size, said));
        *sizes[item.index] = (uint32_t)size;
    }
    /* The action that moves from cell to cell. */
    static const char *const ways[] = {"east", "south", "west", "north"};
    struct cor_world_declaration *it = &declared->declaration;
    const char *text;
    COR_TRY(cor_json_string(&step, &text, said));
    for (it->step = 0; it->step < it->action_count; it->step++)
        if (strcmp(it->actions[it->step].name, text) == 0)
            break;
    if (it->step == it->action_count)
        return cor_json_fail(&step, said, NULL, "there is no action \"%.40s\" to step by", text);
    const struct cor_action *action = &it->actions[it->step];
    const struct cor_domain *domain = action->parameter_count == 1 ? action->parameters[0].domain : NULL;
    for (int w = 0; w < 4; w++) {
        const uint32_t word = cor_words_find(&declared->words, ways[w]);
        if (word == COR_NONE || !domain || domain->type != COR_VALUE_TYPE_ENUMERATION ||
            !cor_domain_has(domain, cor_word(word)))
            return cor_json_fail(
                &step, said, NULL,
                "the only parameter of \"%.40s\" is to be a list with east, south, west and north", text);
    }
    return COR_OK;
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
    COR_DESTROYED(cor_world_vocabulary) struct cor_world_vocabulary *vocabulary = NULL;
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
    /* Room for all that types and actions have. */
    size_t properties = 0, parameters = 0, lists = 0, words = 0;
    COR_TRY(count_members(&types, "properties", COR_WORLD_PROPERTIES_MAX, &properties, &lists, &words, said));
    COR_TRY(
        count_members(&actions, "parameters", COR_WORLD_PARAMETERS_MAX, &parameters, &lists, &words, said));
    declared->properties = cor_calloc(properties, sizeof *declared->properties);
    declared->parameters = cor_calloc(parameters, sizeof *declared->parameters);
    declared->domains = cor_calloc(lists, sizeof *declared->domains);
    declared->listed = cor_calloc(words, sizeof *declared->listed);
    COR_TRY(declared->properties && declared->parameters && declared->domains && declared->listed
                ? COR_OK
                : cor_fail_memory(said));
    COR_TRY(take_types(declared, &types, said));
    COR_TRY(take_actions(declared, &actions, said));
    if (cor_json_find(hello, "entities", &member)) {
        COR_TRY(expect_count(&member, DECLARED_MOST, "entities", said));
        declared->entities = cor_calloc(cor_json_size(&member), sizeof *declared->entities);
        COR_TRY(cor_made(declared->entities, said));
        COR_JSON_CHILDREN(one, &member) {
            struct cor_declared_entity *entity = &declared->entities[declared->declaration.entity_count++];
            const char *text;
            COR_TRY(cor_json_string(&one, &text, said));
            entity->type = type_of(declared, text);
            if (entity->type == COR_NONE)
                return complain_type(declared, &one, "there is no type", text, said);
            COR_TRY(cor_words_intern(&declared->words, one.key, &entity->identity, said));
        }
    }
    it->entities = declared->entities;
    if (cor_json_find(hello, "can", &member))
        COR_TRY(take_abilities(declared, &member, said));
    COR_TRY(check_paths(declared, hello, said));
    COR_TRY(take_grid(declared, hello, said));
    /* Names that conditions could not tell apart. */
    COR_TRY(cor_world_vocabulary_create(it, &vocabulary, said));
    return COR_OK;
}

void systems__declared_fini(struct systems__declared *declared) {
    cor_words_fini(&declared->words);
    COR_FREE(declared->properties, declared->parameters, declared->domains, declared->listed,
             declared->entities);
}

/* ---- what a program shows (docs/look-up/world-programs.md), as a view of its declaration */

#define TEXT_MOST ((size_t)256 << 20) /* bytes of different texts that a program may show */
#define EACH_MOST 4000000u            /* cells, links, paths, of a view */

static enum cor_status take_word(struct systems__reader *reader, const struct cor_json *json,
                                 const char *text, uint32_t *word, struct cor_error *said) {
    struct cor_words *words = &reader->declared->words;
    const uint32_t before = words->count;
    COR_TRY(cor_words_intern(words, text, word, said));
    reader->text_bytes += words->count > before ? strlen(text) + 1 : 0;
    if (reader->text_bytes > TEXT_MOST)
        return cor_json_fail(json, said, NULL, "it has shown more than %zu bytes of different texts",
                             TEXT_MOST);
    COR_TRY(COR_RESERVE(&reader->identities, &reader->identity_capacity, words->count, said));
    while (reader->identity_count < words->count)
        reader->identities[reader->identity_count++] = (struct systems__identity){.type = COR_NONE};
    return COR_OK;
}

static const char *word_text(const struct systems__reader *reader, uint32_t word) {
    return cor_words_text(&reader->declared->words, word);
}

static const char *type_name(const struct systems__reader *reader, uint32_t type) {
    return reader->declared->types[type].name;
}

static uint32_t type_known(const struct systems__reader *reader, uint32_t word) {
    const struct systems__identity *identity = &reader->identities[word];
    return identity->known == reader->resets ? identity->type : COR_NONE;
}

/* The entity is of that type from now on, as it always was. */
static enum cor_status expect_type(struct systems__reader *reader, const struct cor_json *json, uint32_t word,
                                   uint32_t type, const char *as, struct cor_error *said) {
    const uint32_t known = type_known(reader, word);
    if (known != COR_NONE && known != type)
        return cor_json_fail(json, said, NULL, "entity \"%.40s\" is of type %s, and is %s %s",
                             word_text(reader, word), type_name(reader, known), as, type_name(reader, type));
    reader->identities[word].known = reader->resets;
    reader->identities[word].type = type;
    return COR_OK;
}

static enum cor_status take_identity(struct systems__reader *reader, const struct cor_json *json,
                                     uint32_t *word, struct cor_error *said) {
    const char *text;
    COR_TRY(cor_json_string(json, &text, said));
    return text[0] ? take_word(reader, json, text, word, said)
                   : cor_json_fail(json, said, NULL, "is empty, expected the identity of an entity");
}

/* Is the value one of the domain, NULL: a reference? Then *text is it where it is a text, or null if that is
 * NULL. */
static bool read_plain(const struct cor_json *json, const struct cor_domain *domain, struct cor_value *value,
                       const char **text) {
    bool truth = false;
    *text = NULL;
    *value = cor_null();
    switch (domain ? domain->type : COR_VALUE_TYPE_STRING) {
    case COR_VALUE_TYPE_INTEGER:
        value->kind = COR_VALUE_INTEGER;
        return cor_json_integer(json, INT64_MIN, INT64_MAX, &value->as.integer, NULL) == COR_OK;
    case COR_VALUE_TYPE_REAL:
        value->kind = COR_VALUE_REAL;
        return cor_json_real(json, -DBL_MAX, DBL_MAX, &value->as.real, NULL) == COR_OK;
    case COR_VALUE_TYPE_BOOLEAN:
        if (cor_json_bool(json, &truth, NULL) != COR_OK)
            return false;
        *value = cor_integer(truth);
        return true;
    case COR_VALUE_TYPE_ENUMERATION:
        return cor_json_string(json, text, NULL) == COR_OK;
    case COR_VALUE_TYPE_STRING:
        break;
    }
    return cor_json_is_null(json) || cor_json_string(json, text, NULL) == COR_OK;
}

void cor_world_value_print(struct cor_bytes *bytes, const struct cor_words *words,
                           const struct cor_domain *domain, struct cor_value value) {
    if (value.kind == COR_VALUE_WORD)
        cor_json_print_string(bytes, cor_words_text(words, value.as.word));
    else if (value.kind == COR_VALUE_REAL)
        cor_json_print_real(bytes, value.as.real);
    else if (value.kind == COR_VALUE_NULL)
        cor_bytes_print(bytes, "null");
    else if (domain && domain->type == COR_VALUE_TYPE_BOOLEAN)
        cor_bytes_print(bytes, value.as.integer ? "true" : "false");
    else
        cor_bytes_print(bytes, "%" PRId64, value.as.integer);
}

enum cor_status cor_world_value_read(const struct cor_json *json, struct cor_words *words,
                                     const struct cor_domain *domain, struct cor_value *value,
                                     struct cor_error *error) {
    const char *text, *wanted = domain ? domain->name : "the identity of an entity";
    uint32_t word;
    if (!read_plain(json, domain, value, &text))
        return cor_json_fail(json, error, NULL, "this is not %s", wanted);
    if (!text)
        return COR_OK;
    COR_TRY(cor_words_intern(words, text, &word, error));
    *value = cor_word(word);
    return !domain || cor_domain_has(domain, *value)
               ? COR_OK
               : cor_json_fail(json, error, NULL, "this is none of %s", wanted);
}

static enum cor_status complain_value(const struct systems__reader *reader, const struct cor_json *json,
                                      const char *name, const struct cor_domain *domain, const char *refers,
                                      struct cor_error *said) {
    char *text = cor_json_text(json), wanted[60];
    COR_TRY(cor_made(text, said));
    size_t used = (size_t)snprintf(wanted, sizeof wanted, "%s", domain ? domain->name : refers);
    if (domain && domain->type == COR_VALUE_TYPE_ENUMERATION) {
        used = 0;
        for (uint32_t w = 0; w < domain->word_count && used < sizeof wanted; w++)
            used += (size_t)snprintf(wanted + used, sizeof wanted - used, "%s%s", w > 0 ? "|" : "",
                                     word_text(reader, domain->words[w]));
    }
    const enum cor_status status =
        cor_json_fail(json, said, NULL, "\"%.30s\" is %.30s, and is to be %s", name, text, wanted);
    free(text);
    return status;
}

/* A value of the domain, or an entity of type `refers` (COR_NONE: of any). */
static enum cor_status take_value(struct systems__reader *reader, const struct cor_json *json,
                                  const char *name, const struct cor_domain *domain, uint32_t refers,
                                  struct cor_value *value, struct cor_error *said) {
    const char *text;
    uint32_t word;
    if (!read_plain(json, domain, value, &text) || (!domain && text && !text[0]))
        return complain_value(reader, json, name, domain,
                              refers == COR_NONE ? "an entity" : type_name(reader, refers), said);
    if (!text)
        return COR_OK;
    if (domain && domain->type == COR_VALUE_TYPE_ENUMERATION) {
        word = cor_words_find(&reader->declared->words, text);
        *value = cor_word(word);
        return word != COR_NONE && cor_domain_has(domain, *value)
                   ? COR_OK
                   : complain_value(reader, json, name, domain, NULL, said);
    }
    COR_TRY(take_word(reader, json, text, &word, said));
    *value = cor_word(word);
    return domain || refers == COR_NONE ? COR_OK
                                        : expect_type(reader, json, word, refers, "referred to as", said);
}

static enum cor_status take_type_answer(struct systems__reader *reader, const struct cor_json *json,
                                        uint32_t identity, uint32_t *type, struct cor_error *said) {
    const struct cor_world_declaration *declaration = &reader->declared->declaration;
    struct cor_json member;
    const char *text;
    if (!cor_json_find(json, "type", &member)) {
        *type = type_known(reader, identity);
        return *type != COR_NONE
                   ? COR_OK
                   : cor_json_fail(json, said, NULL, "entity \"%.40s\" is new, and has no \"type\"",
                                   word_text(reader, identity));
    }
    COR_TRY(cor_json_string(&member, &text, said));
    for (*type = 0; *type < declaration->type_count; ++*type)
        if (strcmp(declaration->types[*type].name, text) == 0)
            return expect_type(reader, &member, identity, *type, "shown as", said);
    return cor_json_fail(&member, said, NULL, "entity \"%.40s\" is of type \"%.40s\", which is not declared",
                         word_text(reader, identity), text);
}

static enum cor_status take_parent(struct systems__reader *reader, const struct cor_json *json,
                                   struct cor_shown_entity *entity, struct cor_error *said) {
    const uint32_t parent = reader->declared->types[entity->type].parent;
    if (cor_json_is_null(json))
        return COR_OK;
    if (parent == COR_NONE)
        return cor_json_fail(json, said, NULL,
                             "entity \"%.40s\" is in another one, and %s declares no \"in\"",
                             word_text(reader, entity->identity), type_name(reader, entity->type));
    COR_TRY(take_identity(reader, json, &entity->parent, said));
    return expect_type(reader, json, entity->parent, parent, "referred to as", said);
}

static enum cor_status take_entity(struct systems__reader *reader, const struct cor_json *json,
                                   struct cor_error *said) {
    struct cor_shown_entity *entity = &reader->entities[reader->view.entity_count];
    struct cor_json member;
    COR_TRY(cor_json_need(json, "id", &member, said));
    *entity = (struct cor_shown_entity){.parent = COR_NONE, .value_start = reader->view.value_count};
    COR_TRY(take_identity(reader, &member, &entity->identity, said));
    COR_TRY(take_type_answer(reader, json, entity->identity, &entity->type, said));
    if (reader->identities[entity->identity].shown == reader->views)
        return cor_json_fail(json, said, NULL, "entity \"%.40s\" is shown twice",
                             word_text(reader, entity->identity));
    reader->identities[entity->identity].shown = reader->views;
    reader->identities[entity->identity].known = reader->resets;
    const struct cor_entity_type *type = &reader->declared->types[entity->type];
    COR_TRY(COR_RESERVE(&reader->values, &reader->value_capacity,
                        (size_t)reader->view.value_count + type->property_count, said));
    uint32_t taken = 1 + cor_json_find(json, "type", &member);
    if (cor_json_find(json, "in", &member)) {
        COR_TRY(take_parent(reader, &member, entity, said));
        taken++;
    }
    for (uint32_t p = 0; p < type->property_count; p++) {
        const struct cor_world_property *property = &type->properties[p];
        if (!cor_json_find(json, property->name, &member))
            continue;
        struct cor_shown_value *shown = &reader->values[reader->view.value_count++];
        shown->property = p;
        COR_TRY(take_value(reader, &member, property->name, property->domain, property->refers, &shown->value,
                           said));
        entity->value_count++;
    }
    for (size_t m = 0; taken + entity->value_count < cor_json_size(json) && m < cor_json_size(json); m++) {
        member = cor_json_at(json, m);
        bool is_known =
            strcmp(member.key, "id") == 0 || strcmp(member.key, "type") == 0 || strcmp(member.key, "in") == 0;
        for (uint32_t p = 0; p < type->property_count; p++)
            is_known |= strcmp(member.key, type->properties[p].name) == 0;
        if (!is_known) {
            const char *names[COR_WORLD_PROPERTIES_MAX + 1] = {NULL};
            for (uint32_t p = 0; p < type->property_count; p++)
                names[p] = type->properties[p].name;
            const char *near = cor_did_you_mean(member.key, names);
            return cor_json_fail(&member, said, NULL, "%s has no property \"%.40s\"%s%s%s", type->name,
                                 member.key, near ? ", did you mean \"" : "", near ? near : "",
                                 near ? "\"?" : "");
        }
    }
    reader->view.entity_count++;
    return COR_OK;
}

/* Identities that are not shown any more. */
static enum cor_status take_identities(struct systems__reader *reader, const struct cor_json *answer,
                                       const char *key, uint32_t **identities, size_t *capacity,
                                       uint32_t *count, struct cor_error *said) {
    struct cor_json all;
    if (!cor_json_find(answer, key, &all))
        return COR_OK;
    COR_TRY(cor_json_expect_array(&all, 0, COR_WORLD_ENTITIES_MAX, said));
    COR_TRY(COR_RESERVE(identities, capacity, cor_json_size(&all), said));
    COR_JSON_CHILDREN(one, &all) {
        COR_TRY(take_identity(reader, &one, &(*identities)[one.index], said));
        if (reader->identities[(*identities)[one.index]].shown == reader->views)
            return cor_json_fail(&one, said, NULL, "entity \"%.40s\" is shown, and is %s",
                                 word_text(reader, (*identities)[one.index]), key);
    }
    *count = (uint32_t)cor_json_size(&all);
    return COR_OK;
}

/* A list of the view, which is there only if `is_declared`, else by what that would be. */
static enum cor_status find_list(const struct cor_json *answer, const char *key, bool is_declared,
                                 const char *by, struct cor_json *all, bool *is_there,
                                 struct cor_error *said) {
    *is_there = cor_json_find(answer, key, all);
    if (!*is_there)
        return COR_OK;
    if (!is_declared)
        return cor_json_fail(all, said, NULL, "its hello declares no %s", by);
    return cor_json_expect_array(all, 0, EACH_MOST, said);
}

/* Column, row, floor: items of an array from `first` on. */
static enum cor_status take_cell(const struct systems__reader *reader, const struct cor_json *item,
                                 size_t first, uint32_t *const cell[3], struct cor_error *said) {
    const struct cor_world_declaration *declaration = &reader->declared->declaration;
    const uint32_t sizes[3] = {declaration->columns, declaration->rows, declaration->floors};
    for (size_t i = 0; i < 3; i++) {
        const struct cor_json part = cor_json_at(item, first + i);
        int64_t number = 0;
        COR_TRY(cor_json_integer(&part, 0, (int64_t)sizes[i] - 1, &number, said));
        *cell[i] = (uint32_t)number;
    }
    return COR_OK;
}

static enum cor_status take_cells(struct systems__reader *reader, const struct cor_json *answer,
                                  struct cor_error *said) {
    const bool has_grid = reader->declared->declaration.columns > 0;
    struct cor_json all;
    bool is_there;
    COR_TRY(find_list(answer, "cells", has_grid, "grid", &all, &is_there, said));
    for (size_t i = 0; is_there && i < cor_json_size(&all); i++) {
        const struct cor_json one = cor_json_at(&all, i);
        COR_TRY(COR_RESERVE(&reader->cells, &reader->cell_capacity, i + 1, said));
        struct cor_shown_cell *cell = &reader->cells[i];
        COR_TRY(cor_json_expect_array(&one, 4, 4, said));
        COR_TRY(
            take_cell(reader, &one, 0, (uint32_t *const[]){&cell->column, &cell->row, &cell->floor}, said));
        const struct cor_json is_free = cor_json_at(&one, 3);
        COR_TRY(cor_json_bool(&is_free, &cell->is_free, said));
        reader->view.cell_count++;
    }
    COR_TRY(find_list(answer, "links", has_grid, "grid", &all, &is_there, said));
    for (size_t i = 0; is_there && i < cor_json_size(&all); i++) {
        const struct cor_json one = cor_json_at(&all, i);
        COR_TRY(COR_RESERVE(&reader->links, &reader->link_capacity, i + 1, said));
        uint32_t *lower = reader->links[i].lower, *upper = reader->links[i].upper;
        COR_TRY(cor_json_expect_array(&one, 6, 6, said));
        COR_TRY(take_cell(reader, &one, 0, (uint32_t *const[]){&lower[0], &lower[1], &lower[2]}, said));
        COR_TRY(take_cell(reader, &one, 3, (uint32_t *const[]){&upper[0], &upper[1], &upper[2]}, said));
        if (lower[2] >= upper[2])
            return cor_json_fail(&one, said, NULL, "a stair leads from floor %u to %u, and is to lead up",
                                 lower[2], upper[2]);
        reader->view.link_count++;
    }
    return COR_OK;
}

/* {"from": "hall", "to": "cave", "do": "go", "direction": "north", "cost": 1} */
static enum cor_status take_path(struct systems__reader *reader, const struct cor_json *json,
                                 struct cor_shown_path *path, struct cor_error *said) {
    const struct cor_world_declaration *declaration = &reader->declared->declaration;
    const char *keys[5 + COR_WORLD_PARAMETERS_MAX] = {"from", "to", "do", "cost"}, *text;
    struct cor_json member;
    COR_TRY(cor_json_need(json, "from", &member, said));
    COR_TRY(take_identity(reader, &member, &path->from, said));
    COR_TRY(cor_json_need(json, "to", &member, said));
    COR_TRY(take_identity(reader, &member, &path->to, said));
    COR_TRY(cor_json_need(json, "do", &member, said));
    COR_TRY(cor_json_string(&member, &text, said));
    for (path->action = 0; path->action < declaration->action_count; path->action++)
        if (strcmp(declaration->actions[path->action].name, text) == 0)
            break;
    if (path->action == declaration->action_count)
        return cor_json_fail(&member, said, NULL, "there is no action \"%.40s\"", text);
    const struct cor_action *action = &declaration->actions[path->action];
    for (uint32_t p = 0; p < action->parameter_count; p++)
        keys[4 + p] = action->parameters[p].name;
    COR_TRY(cor_json_expect_object(json, keys, said));
    COR_TRY(COR_RESERVE(&reader->arguments, &reader->argument_capacity,
                        (size_t)reader->view.argument_count + action->parameter_count, said));
    path->value_start = reader->view.argument_count;
    for (uint32_t p = 0; p < action->parameter_count; p++) {
        COR_TRY(cor_json_need(json, keys[4 + p], &member, said));
        COR_TRY(take_value(reader, &member, keys[4 + p], action->parameters[p].domain, COR_NONE,
                           &reader->arguments[reader->view.argument_count++], said));
    }
    path->cost = 1;
    if (cor_json_find(json, "cost", &member))
        COR_TRY(cor_json_real(&member, DBL_MIN, DBL_MAX, &path->cost, said));
    return COR_OK;
}

/* What was executed in the program, and a file below its folder with a picture. */
static enum cor_status take_evidence(struct systems__reader *reader, const struct cor_json *answer,
                                     struct cor_error *said) {
    struct cor_json member;
    bool is_there;
    COR_TRY(find_list(answer, "covered", true, "", &member, &is_there, said));
    for (size_t i = 0; is_there && i < cor_json_size(&member); i++) {
        const struct cor_json one = cor_json_at(&member, i);
        int64_t number = 0;
        COR_TRY(COR_RESERVE(&reader->covered, &reader->covered_capacity, i + 1, said));
        COR_TRY(cor_json_integer(&one, 0, UINT32_MAX - 1, &number, said));
        reader->covered[i] = (uint32_t)number;
        reader->view.covered_count++;
    }
    if (!cor_json_find(answer, "picture", &member))
        return COR_OK;
    if (!reader->declared->has_pictures)
        return cor_json_fail(&member, said, NULL, "its hello declares no \"pictures\" that it can");
    COR_TRY(cor_json_string(&member, &reader->view.picture, said));
    const char *picture = reader->view.picture;
    if (!picture[0] || picture[0] == '/' || strstr(picture, "..") || !cor_is_printable(picture))
        return cor_json_fail(&member, said, NULL, "a picture is the name of a file in or below its folder");
    return COR_OK;
}

/* What becomes of what is not named. */
static enum cor_status take_mode(struct systems__reader *reader, const struct cor_json *answer,
                                 struct cor_error *said) {
    struct cor_json member, lost;
    bool is_all = false;
    if (cor_json_find(answer, "all", &member))
        COR_TRY(cor_json_bool(&member, &is_all, said));
    const bool has_lost = cor_json_find(answer, "lost", &lost);
    if (is_all && has_lost)
        return cor_json_fail(&lost, said, NULL,
                             "what is \"lost\" from sight is said of a view that is not \"all\"");
    reader->view.mode = is_all ? COR_VIEW_WHOLE : has_lost ? COR_VIEW_CHANGES : COR_VIEW_SIGHT;
    COR_TRY(take_identities(reader, answer, "lost", &reader->lost, &reader->lost_capacity,
                            &reader->view.lost_count, said));
    return take_identities(reader, answer, "gone", &reader->gone, &reader->gone_capacity,
                           &reader->view.gone_count, said);
}

enum cor_status systems__read_view(struct systems__reader *reader, uint32_t test_agent,
                                   const struct cor_json *answer, struct cor_error *said) {
    static const char *const keys[] = {"id",    "tick",  "entities", "gone",    "lost",    "all",
                                       "cells", "links", "paths",    "covered", "picture", NULL};
    struct cor_world_view *view = &reader->view;
    COR_TRY(cor_json_expect_object(answer, keys, said));
    *view = (struct cor_world_view){.tick = 0};
    reader->views++;
    struct cor_json member;
    int64_t tick = 0;
    COR_TRY(cor_json_need(answer, "tick", &member, said));
    COR_TRY(cor_json_integer(&member, 0, INT64_MAX, &tick, said));
    reader->view.tick = (uint64_t)tick;
    if (reader->view.tick < reader->ticks[test_agent])
        return cor_json_fail(&member, said, NULL, "the tick goes back from %llu to %llu",
                             (unsigned long long)reader->ticks[test_agent],
                             (unsigned long long)reader->view.tick);
    reader->ticks[test_agent] = reader->view.tick;
    struct cor_json all;
    COR_TRY(cor_json_need(answer, "entities", &all, said));
    COR_TRY(cor_json_expect_array(&all, 0, COR_WORLD_ENTITIES_MAX, said));
    COR_TRY(COR_RESERVE(&reader->entities, &reader->entity_capacity, cor_json_size(&all), said));
    COR_JSON_CHILDREN(one, &all) {
        COR_TRY(cor_json_expect_object(&one, NULL, said));
        COR_TRY(take_entity(reader, &one, said));
    }
    COR_TRY(take_mode(reader, answer, said));
    COR_TRY(take_cells(reader, answer, said));
    struct cor_json paths;
    bool is_there;
    COR_TRY(find_list(answer, "paths", reader->declared->declaration.has_paths, "\"paths\" that it can",
                      &paths, &is_there, said));
    for (size_t i = 0; is_there && i < cor_json_size(&paths); i++) {
        const struct cor_json one = cor_json_at(&paths, i);
        COR_TRY(COR_RESERVE(&reader->paths, &reader->path_capacity, i + 1, said));
        COR_TRY(take_path(reader, &one, &reader->paths[i], said));
        reader->view.path_count++;
    }
    COR_TRY(take_evidence(reader, answer, said));
    view->entities = reader->entities;
    view->values = reader->values;
    view->gone = reader->gone;
    view->lost = reader->lost;
    view->cells = reader->cells;
    view->links = reader->links;
    view->paths = reader->paths;
    view->arguments = reader->arguments;
    view->covered = reader->covered;
    return COR_OK;
}

enum cor_status systems__reader_reset(struct systems__reader *reader, struct cor_error *error) {
    const struct cor_world_declaration *declaration = &reader->declared->declaration;
    const uint32_t count = reader->declared->words.count;
    COR_TRY(COR_RESERVE(&reader->identities, &reader->identity_capacity, count, error));
    while (reader->identity_count < count)
        reader->identities[reader->identity_count++] = (struct systems__identity){.type = COR_NONE};
    reader->resets++;
    for (uint32_t a = 0; a < COR_TEST_AGENTS_MAX; a++)
        reader->ticks[a] = 0;
    for (uint32_t i = 0; i < declaration->entity_count; i++) {
        const struct cor_declared_entity *entity = &declaration->entities[i];
        reader->identities[entity->identity].known = reader->resets;
        reader->identities[entity->identity].type = entity->type;
    }
    return COR_OK;
}

void systems__reader_fini(struct systems__reader *reader) {
    COR_FREE(reader->entities, reader->values, reader->cells, reader->links, reader->paths, reader->arguments,
             reader->gone, reader->lost, reader->covered, reader->identities);
}

/* ---- A world that is any program (docs/look-up/world-programs.md): a conversation, as with systems, agents
 * and algorithms that are programs. What it says wrong is trouble with it; what it shows is judged elsewhere
 */

#define REMEDY \
    "a world answers its hello with \"world\", \"types\" and \"actions\": docs/look-up/world-programs.md"

struct world_program {
    struct cor_live_world world;
    struct cor_world_program_definition asked; /* but for its texts: */
    struct systems__process *process;          /* owned */
    struct systems__declared *declared;        /* owned; NULL: it was not greeted yet */
    struct systems__reader reader;
    char *hello;    /* owned; what it answered when it was greeted first */
    char *greeting; /* owned; the value of "hello" */
    char *key;      /* owned; it among those kept: its greeting, how it is started, its command */
};

struct cor_world_program_definition cor_default_world_program(void) {
    return (struct cor_world_program_definition){.answer_seconds = COR_SYSTEM_ANSWER_SECONDS,
                                                 .memory_bytes = COR_GUEST_MEMORY};
}

/* What is wrong with an answer, and where in it. */
static enum cor_status garble(struct world_program *program, enum cor_status status,
                              const struct cor_error *said, struct cor_error *error) {
    const char *pointer = strstr(said->place, ": /");
    struct cor_error placed = *said;
    if (pointer && pointer[3])
        snprintf(placed.cause, sizeof placed.cause, "%.60s %.900s", pointer + 2, said->cause);
    return cor_conversation_garble(&program->process->talk, status, &placed, error);
}

/* {"id": 7, "failed": "the door is jammed"}: a program that gives up says why, NULL if it does not. */
static const char *failure_of(const struct cor_json *answer) {
    struct cor_json member;
    const char *why;
    return cor_json_find(answer, "failed", &member) && cor_json_size(answer) == 2 &&
                   cor_json_string(&member, &why, NULL) == COR_OK
               ? why
               : NULL;
}

static bool gives_up(struct world_program *program, const struct cor_json *answer,
                     enum cor_system_trouble *trouble) {
    const char *why = failure_of(answer);
    if (!why)
        return false;
    *trouble = COR_SYSTEM_DIED;
    snprintf(program->world.words, sizeof program->world.words, "it gave up: %s", why);
    cor_make_printable(program->world.words);
    cor_conversation_part(&program->process->talk);
    return true;
}

/* Asks what was begun, and takes the answer as a view for that test agent. */
static enum cor_status ask_view(struct world_program *program, uint32_t test_agent,
                                struct cor_world_view *view, enum cor_system_trouble *trouble,
                                struct cor_error *error) {
    struct cor_conversation *talk = &program->process->talk;
    struct cor_error said = COR_NO_ERROR;
    COR_TRY(cor_conversation_ask(talk, 0, error));
    if (talk->exchange == COR_EXCHANGE_WELL) {
        const struct cor_json answer = cor_json_root(talk->answer);
        if (gives_up(program, &answer, trouble))
            return COR_OK;
        const enum cor_status status = systems__read_view(&program->reader, test_agent, &answer, &said);
        if (status != COR_OK)
            COR_TRY(garble(program, status, &said, error));
        cor_conversation_expect_silence(talk);
    }
    *trouble = talk->exchange == COR_EXCHANGE_WELL
                   ? COR_SYSTEM_WELL
                   : cor_exchange_trouble(talk, program->world.words, sizeof program->world.words);
    if (*trouble == COR_SYSTEM_WELL)
        *view = program->reader.view;
    return COR_OK;
}

static enum cor_status read_declaration(struct world_program *program, const struct cor_json *answer,
                                        const char *line, struct cor_error *said, struct cor_error *error) {
    COR_TRY(cor_made(program->hello = cor_strdup(line), error));
    COR_TRY(cor_made(program->declared = cor_calloc(1, sizeof *program->declared), error));
    return systems__read_declaration(program->declared, answer, said);
}

static void use_declaration(struct world_program *program) {
    program->reader.declared = program->declared;
    program->world.declaration = &program->declared->declaration;
}

/* The first hello makes the declaration: what is wrong with it makes the program one that cannot be used. */
static enum cor_status declare(struct world_program *program, struct cor_error *error) {
    struct cor_conversation *talk = &program->process->talk;
    struct cor_error said = COR_NO_ERROR;
    if (talk->exchange == COR_EXCHANGE_WELL) {
        const struct cor_json answer = cor_json_root(talk->answer);
        const char *why = failure_of(&answer);
        if (why) {
            cor_conversation_part(talk);
            return cor_fail(error, COR_STATUS_PLUGIN, program->asked.command, NULL,
                            "the world cannot begin, it says: %s", why);
        }
        const enum cor_status status = read_declaration(program, &answer, talk->line, &said, error);
        if (status != COR_OK && !said.cause[0]) /* memory */
            return status;
        if (status != COR_OK)
            COR_TRY(garble(program, status, &said, error));
        cor_conversation_expect_silence(talk);
    }
    if (talk->exchange != COR_EXCHANGE_WELL) {
        if (program->declared)
            systems__declared_fini(program->declared);
        COR_FREE(program->declared, program->hello);
        program->declared = NULL;
        program->hello = NULL;
        return cor_conversation_refuse(talk, REMEDY, error);
    }
    use_declaration(program);
    return keep_hello(program->asked.kept, program->key, program->hello, error);
}

/* What it declared when somebody else asked. */
static enum cor_status declare_as_kept(struct world_program *program, const char *hello,
                                       struct cor_error *error) {
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    COR_TRY(cor_json_parse(hello, program->asked.command, &document, error));
    const struct cor_json answer = cor_json_root(document);
    const enum cor_status status = read_declaration(program, &answer, hello, error, error);
    if (status == COR_OK)
        use_declaration(program);
    return status;
}

/* It declares itself as it did before. */
static enum cor_status compare(struct world_program *program, enum cor_system_trouble *trouble,
                               struct cor_error *error) {
    struct cor_conversation *talk = &program->process->talk;
    if (talk->exchange == COR_EXCHANGE_WELL) {
        const struct cor_json answer = cor_json_root(talk->answer);
        if (gives_up(program, &answer, trouble))
            return COR_OK;
        if (strcmp(talk->line, program->hello) != 0) {
            const struct cor_error said = {.cause = "this is not what it declared when it was started first"};
            COR_TRY(cor_conversation_garble(talk, COR_STATUS_INPUT, &said, error));
        }
        cor_conversation_expect_silence(talk);
    }
    *trouble = talk->exchange == COR_EXCHANGE_WELL
                   ? COR_SYSTEM_WELL
                   : cor_exchange_trouble(talk, program->world.words, sizeof program->world.words);
    return COR_OK;
}

/* A process, greeted. */
static enum cor_status begin(struct world_program *program, enum cor_system_trouble *trouble,
                             struct cor_error *error) {
    program->process->was_reset = false;
    program->process->starter = getpid();
    COR_TRY(cor_conversation_start(&program->process->talk, error));
    cor_bytes_print(cor_conversation_begin(&program->process->talk, "hello"), "%s", program->greeting);
    COR_TRY(cor_conversation_ask(&program->process->talk, 0, error));
    return program->declared ? compare(program, trouble, error) : declare(program, error);
}

static bool is_started(const struct world_program *program) {
    return program->process && cor_lines_started(&program->process->talk.lines);
}

/* Somebody to talk to: a process that is free, of a program that declared itself, or one yet to be started.
 * To find out what it may read takes a while. */
static enum cor_status find_process(struct world_program *program, struct cor_error *error) {
    const struct cor_world_program_definition *asked = &program->asked;
    if (is_started(program))
        return COR_OK;
    struct systems__process *taken = take_process(asked->kept, program->key);
    if (taken) {
        process_destroy(program->process);
        program->process = taken;
    }
    if (program->process)
        return COR_OK;
    const struct cor_lines_definition lines =
        cor_lines_guest(asked->command, COR_LINE_MOST, asked->is_free, asked->is_full,
                        cor_address_space(asked->memory_bytes), asked->traffic);
    COR_TRY(process_create(&lines, asked->answer_seconds, &program->process, error));
    return cor_lines_check(&program->process->talk.lines, error);
}

static enum cor_status say_hello(struct cor_live_world *world, enum cor_system_trouble *trouble,
                                 struct cor_error *error) {
    struct world_program *program = (struct world_program *)world;
    *trouble = COR_SYSTEM_WELL;
    world->words[0] = '\0';
    COR_TRY(find_process(program, error));
    return is_started(program) ? COR_OK : begin(program, trouble, error);
}

/* What is known of it is not asked for again. */
static enum cor_status declare_it(struct cor_live_world *world, enum cor_system_trouble *trouble,
                                  struct cor_error *error) {
    struct world_program *program = (struct world_program *)world;
    const char *hello = kept_hello(program->asked.kept, program->key);
    *trouble = COR_SYSTEM_WELL;
    return hello && !program->declared ? declare_as_kept(program, hello, error)
                                       : say_hello(world, trouble, error);
}

static enum cor_status reset_world(struct cor_live_world *world, struct cor_world_view *view,
                                   enum cor_system_trouble *trouble, struct cor_error *error) {
    struct world_program *program = (struct world_program *)world;
    if (!program->declared)
        COR_TRY(declare_it(world, trouble, error));
    COR_TRY(say_hello(world, trouble, error));
    if (*trouble != COR_SYSTEM_WELL)
        return COR_OK;
    program->process->was_reset = true;
    COR_TRY(systems__reader_reset(&program->reader, error));
    cor_conversation_again(&program->process->talk);
    cor_bytes_print(cor_conversation_begin(&program->process->talk, "reset"), "true");
    return ask_view(program, 0, view, trouble, error);
}

static enum cor_status act(struct cor_live_world *world, uint32_t test_agent,
                           const struct cor_world_command *command, struct cor_world_view *view,
                           enum cor_system_trouble *trouble, struct cor_error *error) {
    struct world_program *program = (struct world_program *)world;
    COR_ASSERT(cor_lines_started(&program->process->talk.lines)); /* it was reset, and well since */
    COR_ASSERT(test_agent < program->asked.test_agent_count);
    COR_ASSERT(command->action < program->declared->declaration.action_count);
    const struct cor_action *action = &program->declared->actions[command->action];
    struct cor_bytes *request = cor_conversation_begin(&program->process->talk, "agent");
    cor_json_print_string(request, program->asked.test_agents[test_agent]);
    cor_bytes_print(request, ",\"do\":\"%s\"", action->name);
    for (uint32_t p = 0; p < action->parameter_count; p++) {
        cor_bytes_print(request, ",\"%s\":", action->parameters[p].name);
        cor_world_value_print(request, &program->declared->words, action->parameters[p].domain,
                              command->arguments[p]);
    }
    return ask_view(program, test_agent, view, trouble, error);
}

/* Is its process for others, too? It is well, owes no line, and says that nothing is left in it of what was
 * done. */
static bool is_kept(const struct world_program *program) {
    const struct systems__process *process = program->process;
    return program->asked.kept && program->declared && is_started(program) &&
           process->talk.exchange == COR_EXCHANGE_WELL && !cor_lines_pending(&process->talk.lines) &&
           process->starter == getpid() && (!process->was_reset || program->declared->is_renewed);
}

/* It goes on with another test, or is ended. */
static void part_with_process(struct world_program *program, bool keeps) {
    if (keeps && is_kept(program))
        keep_process(program->asked.kept, program->key, program->process);
    else
        process_destroy(program->process);
    program->process = NULL;
}

/* What may remember is ended, whatever it says of its reset: the next suite begins with a fresh one. */
static void rest(struct cor_live_world *world) {
    struct world_program *program = (struct world_program *)world;
    part_with_process(program, program->process && !program->process->was_reset);
}

static void close_program(struct cor_live_world *world) {
    COR_FREED struct world_program *program = (struct world_program *)world;
    part_with_process(program, true);
    systems__reader_fini(&program->reader);
    if (program->declared)
        systems__declared_fini(program->declared);
    COR_FREE(program->declared, program->hello, program->greeting, program->key);
}

static const struct cor_live_world_kind kind = {"program", reset_world, act, close_program, declare_it, rest};

static enum cor_status write_greeting(struct world_program *program, struct cor_error *error) {
    const struct cor_world_program_definition *asked = &program->asked;
    struct cor_bytes text = {0};
    cor_bytes_print(&text, "{\"protocol\":%d,\"seed\":\"0x%" PRIx64 "\",\"setup\":%s,\"agents\":[",
                    SYSTEMS__PROTOCOL, asked->seed, asked->setup ? asked->setup : "[]");
    for (uint32_t a = 0; a < asked->test_agent_count; a++) {
        cor_bytes_print(&text, a > 0 ? "," : "");
        cor_json_print_string(&text, asked->test_agents[a]);
    }
    cor_bytes_print(&text, "]}");
    COR_TRY(cor_made(program->greeting = cor_bytes_text_take(&text, error), error));
    program->key = cor_format("%s %.17g %d %d %" PRIu64 " %s", program->greeting, asked->answer_seconds,
                              asked->is_free, asked->is_full, asked->memory_bytes, asked->command);
    return cor_made(program->key, error);
}

enum cor_status cor_world_program_create(const struct cor_world_program_definition *definition,
                                         struct cor_live_world **world, struct cor_error *error) {
    struct world_program *made = cor_calloc(1, sizeof *made);
    *world = NULL;
    COR_TRY(cor_made(made, error));
    COR_ASSERT(definition->test_agent_count > 0 && definition->test_agent_count <= COR_TEST_AGENTS_MAX);
    made->world.kind = &kind;
    made->asked = *definition;
    if (definition->traffic)
        made->asked.kept = NULL; /* what was said is of one run, process by process */
    enum cor_status status = write_greeting(made, error);
    if (status == COR_OK && !kept_hello(made->asked.kept, made->key))
        status = find_process(made, error);
    if (status != COR_OK)
        close_program(&made->world);
    else
        *world = &made->world;
    return status;
}

/* ---- programs that are worlds, kept between those who use them: known by their command and their greeting
 */

#define PROCESSES_MOST 4 /* that are free, of a program */

struct program {
    char *key, *hello; /* owned */
    struct systems__process *free;
    uint32_t free_count;
};

struct cor_world_programs {
    struct program *programs; /* owned */
    size_t count, capacity;
};

static enum cor_status process_create(const struct cor_lines_definition *lines, double answer_seconds,
                                      struct systems__process **process, struct cor_error *error) {
    struct systems__process *made = cor_calloc(1, sizeof *made);
    *process = made;
    COR_TRY(cor_made(made, error));
    const enum cor_status status = cor_conversation_init(&made->talk, lines, answer_seconds, error);
    if (status == COR_OK)
        return COR_OK;
    cor_conversation_fini(&made->talk);
    free(made);
    *process = NULL;
    return status;
}

/* NULL is allowed */
static void process_destroy(struct systems__process *process) {
    if (!process)
        return;
    cor_conversation_part(&process->talk);
    cor_conversation_fini(&process->talk);
    free(process);
}

enum cor_status cor_world_programs_create(struct cor_world_programs **kept, struct cor_error *error) {
    return cor_made(*kept = cor_calloc(1, sizeof **kept), error);
}

/* Those that another process of ours started are its business. */
void cor_world_programs_part(struct cor_world_programs *kept) {
    for (size_t p = 0; p < kept->count; p++) {
        struct program *program = &kept->programs[p];
        for (struct systems__process *next; program->free; program->free = next) {
            next = program->free->next;
            if (program->free->starter == getpid())
                process_destroy(program->free);
        }
        program->free_count = 0;
    }
}

void cor_world_programs_destroy(struct cor_world_programs *kept) {
    if (!kept)
        return;
    cor_world_programs_part(kept);
    for (size_t p = 0; p < kept->count; p++) {
        COR_FREE(kept->programs[p].key, kept->programs[p].hello);
    }
    COR_FREE(kept->programs, kept);
}

static struct program *find(const struct cor_world_programs *kept, const char *key) {
    for (size_t p = 0; kept && p < kept->count; p++)
        if (strcmp(kept->programs[p].key, key) == 0)
            return &kept->programs[p];
    return NULL;
}

/* What a program said that is started and greeted so; NULL: it was never asked. Borrowed. */
static const char *kept_hello(const struct cor_world_programs *kept, const char *key) {
    const struct program *program = find(kept, key);
    return program ? program->hello : NULL;
}

static enum cor_status keep_hello(struct cor_world_programs *kept, const char *key, const char *hello,
                                  struct cor_error *error) {
    if (!kept || find(kept, key))
        return COR_OK;
    COR_TRY(COR_RESERVE(&kept->programs, &kept->capacity, kept->count + 1, error));
    const struct program made = {.key = cor_strdup(key), .hello = cor_strdup(hello)};
    if (made.key && made.hello) {
        kept->programs[kept->count++] = made;
        return COR_OK;
    }
    COR_FREE(made.key, made.hello);
    return cor_fail_memory(error);
}

/* Keeps a process that was greeted, and is well; or takes one, the caller's from then on: NULL, there is
 * none. */
static void keep_process(struct cor_world_programs *kept, const char *key, struct systems__process *process) {
    struct program *program = find(kept, key);
    if (!program || program->free_count == PROCESSES_MOST) {
        process_destroy(process);
        return;
    }
    process->next = program->free;
    program->free = process;
    program->free_count++;
}

static struct systems__process *take_process(struct cor_world_programs *kept, const char *key) {
    struct program *program = find(kept, key);
    for (struct systems__process **at = program ? &program->free : NULL; at && *at; at = &(*at)->next) {
        struct systems__process *process = *at;
        if (process->starter != getpid())
            continue;
        *at = process->next;
        program->free_count--;
        process->next = NULL;
        return process;
    }
    return NULL;
}
