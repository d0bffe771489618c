/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The goals of a file: made, read, freed. */
#include "goal_nodes.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* How much there is of all. */
struct mark {
    uint32_t goals, tactics, conditions, uses, queries, binds, references, arguments;
};

static struct mark mark_of(const struct cor_goals *goals) {
    return (struct mark){goals->goal_count,      goals->tactic_count,  goals->condition_count,
                         goals->use_count,       goals->query_count,   goals->bind_count,
                         goals->reference_count, goals->argument_count};
}

/* Takes back what was read since. Slots stay: the vocabulary has them. */
static void take_back(struct cor_goals *goals, struct mark mark) {
    for (uint32_t c = mark.conditions; c < goals->condition_count; c++)
        cor_expression_fini(&goals->conditions[c].expression);
    goals->goal_count = mark.goals;
    goals->tactic_count = mark.tactics;
    goals->condition_count = mark.conditions;
    goals->use_count = mark.uses;
    goals->query_count = mark.queries;
    goals->bind_count = mark.binds;
    goals->reference_count = mark.references;
    goals->argument_count = mark.arguments;
    for (uint32_t d = 0; d < goals->definition_count; d++)
        goals->definitions[d].is_open = false;
}

void cor_goals_destroy(struct cor_goals *goals) {
    if (!goals)
        return;
    take_back(goals, (struct mark){0});
    for (uint32_t d = 0; d < goals->definition_count; d++) {
        free(goals->definitions[d].name);
        free(goals->definitions[d].parameters);
    }
    free(goals->definitions);
    free(goals->way);
    cor_words_fini(&goals->names);
    cor_words_fini(&goals->keys);
    free(goals->key_condition);
    free(goals->goals);
    free(goals->tactics);
    free(goals->conditions);
    free(goals->uses);
    free(goals->slots);
    free(goals->queries);
    free(goals->binds);
    free(goals->references);
    free(goals->arguments);
    free(goals);
}

/* The values that lead to the definitions, whose structs may be gone when goals are read. */
static enum cor_status keep_way(struct cor_goals *goals, const struct cor_json *definitions,
                                struct cor_error *error) {
    size_t count = 0;
    for (const struct cor_json *at = definitions; at; at = at->parent)
        count++;
    goals->way = cor_calloc(count, sizeof *goals->way);
    COR_TRY(cor_made(goals->way, error));
    size_t i = 0;
    for (const struct cor_json *at = definitions; at; at = at->parent, i++) {
        goals->way[i] = *at;
        goals->way[i].parent = i + 1 < count ? &goals->way[i + 1] : NULL;
    }
    return COR_OK;
}

bool system_layer__is_name(const char *text) {
    const size_t length = strlen(text);
    return length > 0 && !strchr("0123456789", text[0]) &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == length;
}

/* A parameter is called as nothing else is that conditions can name. */
static enum cor_status check_parameter(const struct cor_goals *goals, const struct cor_json *json,
                                       char *const *parameters, uint32_t index, struct cor_error *error) {
    static const char *const reserved[] = {"and",  "or",    "not",  "implies", "true", "false", "in",
                                           "all",  "any",   "one",  "count",   "sum",  "min",   "max",
                                           "mean", "where", "self", "nearest", NULL};
    const struct cor_scope *scope = cor_world_vocabulary_scope(goals->vocabulary);
    const char *name = parameters[index];
    if (!system_layer__is_name(name))
        return cor_json_fail(json, error, "write one word of letters, digits and \"_\"",
                             "\"%.60s\" cannot be the name of a parameter", name);
    bool is_taken = false;
    for (const char *const *word = reserved; *word; word++)
        is_taken |= strcmp(*word, name) == 0;
    for (uint32_t s = 0; s < scope->symbol_count; s++)
        is_taken |= strcmp(scope->symbols[s].name, name) == 0;
    for (uint32_t d = 0; d < scope->shape->definition_count; d++)
        is_taken |= strcmp(scope->shape->definitions[d].name, name) == 0;
    for (uint32_t t = 0; t < scope->shape->type_count; t++)
        is_taken |= strcmp(scope->shape->types[t].name, name) == 0;
    for (uint32_t e = 0; e < scope->shape->named_count; e++)
        is_taken |= strcmp(scope->shape->named[e].name, name) == 0;
    if (is_taken)
        return cor_json_fail(json, error, "choose another name", "\"%.60s\" is something else already", name);
    for (uint32_t p = 0; p < index; p++)
        if (strcmp(parameters[p], name) == 0)
            return cor_json_fail(json, error, NULL, "parameter \"%.60s\" is there twice", name);
    return COR_OK;
}

/* "pressed(b)": {..} */
static enum cor_status read_head(struct cor_goals *goals, const struct cor_json *json, char *copy,
                                 struct cor_error *error) {
    char *parameters[SYSTEM_LAYER__PARAMETERS_MAX];
    uint32_t count;
    if (!system_layer__split(copy, parameters, SYSTEM_LAYER__PARAMETERS_MAX, &count) || !*copy)
        return cor_json_fail(json, error, "write NAME, or NAME(PARAMETER, ..)",
                             "\"%.200s\" is no name of a goal", json->key);
    if (strcmp(copy, "success") == 0 || strcmp(copy, "fail") == 0 || strcmp(copy, "explore") == 0)
        return cor_json_fail(json, error, "choose another name", "\"%s\" is a goal already", copy);
    for (uint32_t d = 0; d < goals->definition_count; d++)
        if (strcmp(goals->definitions[d].name, copy) == 0)
            return cor_json_fail(json, error, "give each a name of its own",
                                 "there is another goal \"%.100s\"", copy);
    size_t length = 1;
    for (uint32_t p = 0; p < count; p++) {
        COR_TRY(check_parameter(goals, json, parameters, p, error));
        length += strlen(parameters[p]) + 1;
    }
    struct system_layer__definition *made = &goals->definitions[goals->definition_count++];
    *made = (struct system_layer__definition){.name = cor_strdup(copy),
                                              .parameters = cor_calloc(length, 1),
                                              .parameter_count = count,
                                              .member = goals->definition_count - 1};
    if (!made->name || !made->parameters)
        return cor_fail_memory(error);
    char *at = made->parameters;
    for (uint32_t p = 0; p < count; p++) {
        memcpy(at, parameters[p], strlen(parameters[p]));
        at += strlen(parameters[p]) + 1;
    }
    return COR_OK;
}

static enum cor_status read_heads(struct cor_goals *goals, struct cor_error *error) {
    COR_TRY(cor_json_expect_object(&goals->way[0], NULL, error));
    const size_t count = cor_json_size(&goals->way[0]);
    goals->definitions = cor_calloc(count, sizeof *goals->definitions);
    COR_TRY(cor_made(goals->definitions, error));
    for (size_t i = 0; i < count; i++) {
        const struct cor_json member = cor_json_at(&goals->way[0], i);
        char *copy = cor_strdup(member.key);
        COR_TRY(cor_made(copy, error));
        const enum cor_status status = read_head(goals, &member, copy, error);
        free(copy);
        COR_TRY(status);
    }
    return COR_OK;
}

static enum cor_status read_root(struct cor_goals *goals, const char *test_agent, const struct cor_json *goal,
                                 uint32_t *root, struct cor_error *error) {
    const struct mark mark = mark_of(goals);
    const struct cor_shape *shape = cor_world_vocabulary_scope(goals->vocabulary)->shape;
    struct system_layer__reader *reader = cor_calloc(1, sizeof *reader);
    enum cor_status status = COR_OK;
    bool is_shown = false, is_self = false;
    COR_TRY(cor_made(reader, error));
    reader->goals = goals;
    reader->error = error;
    reader->target = COR_NONE;
    cor_world_vocabulary_forget_aliases(goals->vocabulary);
    for (uint32_t e = 0; e < shape->named_count; e++) {
        is_shown |= test_agent && strcmp(shape->named[e].name, test_agent) == 0;
        is_self |= strcmp(shape->named[e].name, "self") == 0;
    }
    if (is_shown && !is_self)
        COR_TRY_OUT(system_layer__add_meaning(
            reader, goal,
            (struct system_layer__meaning){.name = "self", .entity = test_agent, .slot = COR_NONE}));
    COR_TRY_OUT(system_layer__read_goal(reader, goal, COR_NONE, root));
out:
    cor_world_vocabulary_forget_aliases(goals->vocabulary);
    free(reader);
    if (status != COR_OK)
        take_back(goals, mark);
    return status;
}

/* What names no parameters is looked at even if nobody uses it. */
static enum cor_status check_definitions(struct cor_goals *goals, struct cor_error *error) {
    for (uint32_t d = 0; d < goals->definition_count; d++) {
        if (goals->definitions[d].parameter_count > 0)
            continue;
        const struct mark mark = mark_of(goals);
        const struct cor_json body = cor_json_at(&goals->way[0], goals->definitions[d].member);
        uint32_t root;
        goals->definitions[d].is_open = true;
        COR_TRY(read_root(goals, NULL, &body, &root, error));
        take_back(goals, mark);
    }
    return COR_OK;
}

enum cor_status cor_goals_create(const struct cor_world_declaration *declaration,
                                 struct cor_world_vocabulary *vocabulary, const struct cor_json *definitions,
                                 struct cor_goals **created, struct cor_error *error) {
    *created = NULL;
    struct cor_goals *goals = cor_calloc(1, sizeof *goals);
    COR_TRY(cor_made(goals, error));
    enum cor_status status = COR_OK;
    goals->declaration = declaration;
    goals->vocabulary = vocabulary;
    goals->has_map = declaration->columns > 0 || declaration->has_paths;
    cor_words_init(&goals->names);
    cor_words_init(&goals->keys);
    if (definitions) {
        COR_TRY_OUT(keep_way(goals, definitions, error));
        COR_TRY_OUT(read_heads(goals, error));
        COR_TRY_OUT(check_definitions(goals, error));
    }
    *created = goals;
    goals = NULL;
out:
    cor_goals_destroy(goals);
    return status;
}

enum cor_status cor_goals_read(struct cor_goals *goals, const char *test_agent, const struct cor_json *goal,
                               uint32_t *root, struct cor_error *error) {
    return read_root(goals, test_agent, goal, root, error);
}
