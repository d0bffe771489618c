/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a program shows (docs/look-up/world-programs.md), as a view of its declaration. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/json.h>
#include <corridor/world_program.h>

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static enum cor_status complain_property(const struct cor_entity_type *type, const struct cor_json *member,
                                         struct cor_error *said) {
    const char *names[COR_WORLD_PROPERTIES_MAX + 1] = {NULL};
    for (uint32_t p = 0; p < type->property_count; p++)
        names[p] = type->properties[p].name;
    const char *near = cor_did_you_mean(member->key, names);
    return cor_json_fail(member, said, NULL, "%s has no property \"%.40s\"%s%s%s", type->name, member->key,
                         near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static enum cor_status take_type(struct systems__reader *reader, const struct cor_json *json,
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
    COR_TRY(take_type(reader, json, entity->identity, &entity->type, said));
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
        const struct cor_property *property = &type->properties[p];
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
        if (!is_known)
            return complain_property(type, &member, said);
    }
    reader->view.entity_count++;
    return COR_OK;
}

static enum cor_status take_entities(struct systems__reader *reader, const struct cor_json *answer,
                                     struct cor_error *said) {
    struct cor_json all;
    COR_TRY(cor_json_need(answer, "entities", &all, said));
    COR_TRY(cor_json_expect_array(&all, 0, COR_WORLD_ENTITIES_MAX, said));
    COR_TRY(COR_RESERVE(&reader->entities, &reader->entity_capacity, cor_json_size(&all), said));
    for (size_t i = 0; i < cor_json_size(&all); i++) {
        const struct cor_json one = cor_json_at(&all, i);
        COR_TRY(cor_json_expect_object(&one, NULL, said));
        COR_TRY(take_entity(reader, &one, said));
    }
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
    for (size_t i = 0; i < cor_json_size(&all); i++) {
        const struct cor_json one = cor_json_at(&all, i);
        COR_TRY(take_identity(reader, &one, &(*identities)[i], said));
        if (reader->identities[(*identities)[i]].shown == reader->views)
            return cor_json_fail(&one, said, NULL, "entity \"%.40s\" is shown, and is %s",
                                 word_text(reader, (*identities)[i]), key);
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

static enum cor_status take_paths(struct systems__reader *reader, const struct cor_json *answer,
                                  struct cor_error *said) {
    struct cor_json all;
    bool is_there;
    COR_TRY(find_list(answer, "paths", reader->declared->declaration.has_paths, "\"paths\" that it can", &all,
                      &is_there, said));
    for (size_t i = 0; is_there && i < cor_json_size(&all); i++) {
        const struct cor_json one = cor_json_at(&all, i);
        COR_TRY(COR_RESERVE(&reader->paths, &reader->path_capacity, i + 1, said));
        COR_TRY(take_path(reader, &one, &reader->paths[i], said));
        reader->view.path_count++;
    }
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

static enum cor_status take_tick(struct systems__reader *reader, uint32_t test_agent,
                                 const struct cor_json *answer, struct cor_error *said) {
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
    COR_TRY(take_tick(reader, test_agent, answer, said));
    COR_TRY(take_entities(reader, answer, said));
    COR_TRY(take_mode(reader, answer, said));
    COR_TRY(take_cells(reader, answer, said));
    COR_TRY(take_paths(reader, answer, said));
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
    free(reader->entities);
    free(reader->values);
    free(reader->cells);
    free(reader->links);
    free(reader->paths);
    free(reader->arguments);
    free(reader->gone);
    free(reader->lost);
    free(reader->covered);
    free(reader->identities);
}
