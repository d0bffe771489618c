/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What goals and tactics name: conditions, entities, queries over entities, actions with their arguments; and
 * what names stand for where they are read. */
#include "goal_nodes.h"
#include "internal.h"

#include <corridor/array.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name in the text that is read, and what it stands for. */
struct system_layer__meaning {
    const char *name;   /* borrowed */
    const char *entity; /* borrowed; the identity; NULL: */
    const char *text;   /* borrowed; a number or a word as conditions write it */
    uint32_t slot;      /* of the entity, COR_NONE: it is one of the world's */
    bool is_hidden;     /* a parameter of a named goal within which another one is read */
};

#define SYSTEM_LAYER__MEANINGS_MAX 256

/* Who reads: what names mean where it stands. */
struct system_layer__reader {
    struct cor_goals *goals;
    struct cor_error *error;
    struct system_layer__meaning meanings[SYSTEM_LAYER__MEANINGS_MAX];
    uint32_t meaning_count;
    uint32_t level, level_high; /* slots in use on the way here, and the most there were */
    uint32_t target;            /* reference: of the goal or tactic that encloses what is read */
    uint32_t query;             /* what is selected for it each cycle anew */
};

static enum cor_status system_layer__read_goal(struct system_layer__reader *reader,
                                               const struct cor_json *json, uint32_t parent, uint32_t *goal);
static enum cor_status read_tactic(struct system_layer__reader *reader, const struct cor_json *json,
                                   uint32_t parent, uint32_t goal, uint32_t *tactic);

static bool system_layer__is_name(const char *text) {
    const size_t length = strlen(text);
    return length > 0 && !strchr("0123456789", text[0]) &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == length;
}

/* The error gets the place of the value, unless it has one. */
static enum cor_status put_place(struct system_layer__reader *reader, const struct cor_json *json,
                                 enum cor_status status) {
    if (status != COR_OK && reader->error && !reader->error->place[0])
        cor_json_place(json, reader->error->place, sizeof reader->error->place);
    return status;
}

static enum cor_status system_layer__name_of(struct system_layer__reader *reader, const char *text,
                                             uint32_t *name) {
    return cor_words_intern(&reader->goals->names, text, name, reader->error);
}

static enum cor_status expect_map(struct system_layer__reader *reader, const struct cor_json *json,
                                  const char *word) {
    if (reader->goals->has_map)
        return COR_OK;
    return cor_json_fail(json, reader->error, "say it with \"goal\" and a tactic of actions",
                         "world \"%s\" has neither cells nor paths, so there is no way for \"%s\"",
                         reader->goals->declaration->name, word);
}

/* -- what names mean -- */

static const struct system_layer__meaning *system_layer__meaning(const struct system_layer__reader *reader,
                                                                 const char *name) {
    for (uint32_t i = reader->meaning_count; i > 0; i--)
        if (!reader->meanings[i - 1].is_hidden && strcmp(reader->meanings[i - 1].name, name) == 0)
            return &reader->meanings[i - 1];
    return NULL;
}

static enum cor_status apply_meanings(struct system_layer__reader *reader, const struct cor_json *json) {
    struct cor_world_vocabulary *vocabulary = reader->goals->vocabulary;
    cor_world_vocabulary_forget_aliases(vocabulary);
    for (uint32_t i = 0; i < reader->meaning_count; i++) {
        const struct system_layer__meaning *meaning = &reader->meanings[i];
        if (!meaning->is_hidden && meaning->entity)
            COR_TRY(put_place(
                reader, json,
                cor_world_vocabulary_alias(vocabulary, meaning->name, meaning->entity, reader->error)));
    }
    return COR_OK;
}

static enum cor_status add_meaning(struct system_layer__reader *reader, const struct cor_json *json,
                                   struct system_layer__meaning meaning) {
    if (reader->meaning_count == SYSTEM_LAYER__MEANINGS_MAX)
        return cor_json_fail(json, reader->error, NULL, "more than %d names stand for something here",
                             SYSTEM_LAYER__MEANINGS_MAX);
    if (system_layer__meaning(reader, meaning.name))
        return cor_json_fail(json, reader->error, "choose another name",
                             "\"%.60s\" stands for something else here", meaning.name);
    reader->meanings[reader->meaning_count++] = meaning;
    if (!meaning.entity)
        return COR_OK;
    return put_place(
        reader, json,
        cor_world_vocabulary_alias(reader->goals->vocabulary, meaning.name, meaning.entity, reader->error));
}

/* Those behind the first `count` are forgotten. */
static enum cor_status drop_meanings(struct system_layer__reader *reader, const struct cor_json *json,
                                     uint32_t count) {
    if (reader->meaning_count == count)
        return COR_OK;
    reader->meaning_count = count;
    return apply_meanings(reader, json);
}

/* -- conditions -- */

/* The number of the text together with what names stand for, and with whether a condition is wanted. */
static enum cor_status find_key(struct system_layer__reader *reader, const char *text, bool is_condition,
                                uint32_t *key) {
    struct cor_goals *goals = reader->goals;
    COR_FREED char *whole = cor_format("%c%s", is_condition ? '?' : '#', text);
    for (uint32_t i = 0; i < reader->meaning_count; i++) {
        const struct system_layer__meaning *meaning = &reader->meanings[i];
        if (!meaning->is_hidden)
            whole = cor_join_take(
                whole, "\n",
                cor_format("%s %s", meaning->name, meaning->entity ? meaning->entity : meaning->text));
    }
    COR_TRY(cor_made(whole, reader->error));
    const uint32_t count = goals->keys.count;
    COR_TRY(cor_words_intern(&goals->keys, whole, key, reader->error));
    COR_TRY(COR_RESERVE(&goals->key_condition, &goals->key_capacity, goals->keys.count, reader->error));
    if (*key >= count)
        goals->key_condition[*key] = COR_NONE;
    return COR_OK;
}

/* The same, where it was not parsed before. */
static enum cor_status parse(struct system_layer__reader *reader, const struct cor_json *json,
                             const char *text, const struct cor_domain *domain, uint32_t *number) {
    struct cor_goals *goals = reader->goals;
    uint32_t key;
    COR_TRY(find_key(reader, text, domain == NULL, &key));
    const uint32_t known = goals->key_condition[key];
    if (known >= goals->condition_count || goals->conditions[known].key != key) { /* or it was taken back */
        /* Parses what gives a value of that domain, with the numbers and words that names stand for. */
        const struct cor_scope *scope = cor_world_vocabulary_scope(goals->vocabulary);
        struct cor_scope own = *scope;
        struct cor_shape shape = *scope->shape;
        struct cor_definition definitions[64 + SYSTEM_LAYER__PARAMETERS_MAX];
        char place[512];
        uint32_t count = shape.definition_count;
        COR_ASSERT(count <= 64);
        memcpy(definitions, shape.definitions, count * sizeof *definitions);
        for (uint32_t i = 0; i < reader->meaning_count; i++) {
            const struct system_layer__meaning *meaning = &reader->meanings[i];
            if (!meaning->is_hidden && meaning->text)
                definitions[count++] = (struct cor_definition){meaning->name, NULL, 0, meaning->text};
        }
        shape.definitions = definitions;
        shape.definition_count = count;
        own.shape = &shape;
        COR_TRY(COR_RESERVE(&goals->conditions, &goals->condition_capacity, goals->condition_count + 1,
                            reader->error));
        cor_json_place(json, place, sizeof place);
        struct system_layer__condition *condition = &goals->conditions[goals->condition_count];
        *condition = (struct system_layer__condition){.use_start = goals->use_count, .key = key};
        COR_TRY(
            domain
                ? cor_expression_parse_value(text, &own, domain, place, &condition->expression, reader->error)
                : cor_expression_parse_condition(text, &own, place, &condition->expression, reader->error));
        goals->key_condition[key] = goals->condition_count++;
        /* Notes which nodes are entities of slots. */
        condition->use_start = goals->use_count;
        for (uint32_t n = 0; n < condition->expression.node_count; n++) {
            const struct cor_node *node = &condition->expression.nodes[n];
            if (node->operator!= COR_OPERATOR_CONSTANT || node->type != COR_NODE_ELEMENT)
                continue;
            for (uint32_t s = 0; s < goals->slot_count; s++)
                if (goals->slots[s].type == node->element && goals->slots[s].element == node->constant) {
                    COR_TRY(
                        COR_RESERVE(&goals->uses, &goals->use_capacity, goals->use_count + 1, reader->error));
                    goals->uses[goals->use_count++] = (struct system_layer__slot_use){n, s};
                }
        }
        condition->use_count = goals->use_count - condition->use_start;
    }
    *number = goals->key_condition[key];
    return COR_OK;
}

static enum cor_status system_layer__read_condition(struct system_layer__reader *reader,
                                                    const struct cor_json *json, uint32_t *condition) {
    const char *text;
    COR_TRY(cor_json_string(json, &text, reader->error));
    return parse(reader, json, text, NULL, condition);
}

static enum cor_status read_condition_member(struct system_layer__reader *reader, const struct cor_json *json,
                                             const char *key, uint32_t *condition) {
    struct cor_json member;
    *condition = COR_NONE;
    return cor_json_find(json, key, &member) ? system_layer__read_condition(reader, &member, condition)
                                             : COR_OK;
}

/* What a planner is asked for, and where the file says so. */
static enum cor_status read_planned(struct system_layer__reader *reader, const struct cor_json *json,
                                    uint32_t tactic) {
    char text[512];
    uint32_t wanted, place;
    cor_json_place(json, text, sizeof text);
    COR_TRY(system_layer__read_condition(reader, json, &wanted));
    COR_TRY(system_layer__name_of(reader, text, &place));
    reader->goals->tactics[tactic].wanted = wanted;
    reader->goals->tactics[tactic].place = place;
    return COR_OK;
}

static const struct cor_domain reals = {.type = COR_VALUE_TYPE_REAL, .name = "float"};

/* -- entities -- */

static enum cor_status add_reference(struct system_layer__reader *reader,
                                     struct system_layer__reference added, uint32_t *reference) {
    struct cor_goals *goals = reader->goals;
    COR_TRY(COR_RESERVE(&goals->references, &goals->reference_capacity, goals->reference_count + 1,
                        reader->error));
    goals->references[goals->reference_count] = added;
    *reference = goals->reference_count++;
    return COR_OK;
}

/* The entity as conditions number it; it is there. */
static struct cor_named_element named_entity(const struct cor_goals *goals, const char *identity) {
    const struct cor_shape *shape = cor_world_vocabulary_scope(goals->vocabulary)->shape;
    uint32_t low = 0, high = shape->named_count;
    while (low + 1 < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (strcmp(shape->named[middle].name, identity) <= 0)
            low = middle;
        else
            high = middle;
    }
    COR_ASSERT(low < shape->named_count && strcmp(shape->named[low].name, identity) == 0);
    return shape->named[low];
}

/* The slot of that type and level, which is made if there is none. */
static enum cor_status take_slot(struct system_layer__reader *reader, const struct cor_json *json,
                                 uint32_t type, uint32_t *slot) {
    struct cor_goals *goals = reader->goals;
    const uint32_t level = reader->level++;
    char identity[120];
    if (reader->level > reader->level_high)
        reader->level_high = reader->level;
    for (*slot = 0; *slot < goals->slot_count; ++*slot)
        if (goals->slots[*slot].type == type && goals->slots[*slot].level == level)
            return COR_OK;
    snprintf(identity, sizeof identity, "chosen %.80s %u", goals->declaration->types[type].name, level + 1);
    COR_TRY(put_place(reader, json,
                      cor_world_vocabulary_mention(goals->vocabulary, identity, type, reader->error)));
    COR_TRY(COR_RESERVE(&goals->slots, &goals->slot_capacity, goals->slot_count + 1, reader->error));
    const struct cor_named_element named = named_entity(goals, identity);
    goals->slots[goals->slot_count++] = (struct system_layer__slot){type, named.element, level};
    return COR_OK;
}

/* The text from `at` without blanks around it, ended in place. */
static char *trimmed(char *at) {
    while (*at == ' ')
        at++;
    for (size_t length = strlen(at); length > 0 && at[length - 1] == ' '; length--)
        at[length - 1] = '\0';
    return at;
}

/* The word that begins the text is cut off it, and *rest is what stands behind. */
static char *first_word(char *at, char **rest) {
    at = trimmed(at);
    char *end = at;
    while (*end && *end != ' ')
        end++;
    *rest = *end ? end + 1 : end;
    *end = '\0';
    return at;
}

#define QUERY_REMEDY "write nearest(NAME in TYPE where CONDITION), or any(..) where several can be meant"

/* nearest(NAME in TYPE where CONDITION); `copy` is the text, to be cut. The name stands for the entity until
 * the meanings that are added are dropped. */
static enum cor_status read_query(struct system_layer__reader *reader, const struct cor_json *json,
                                  const char *text, char *copy, bool is_any, uint32_t *query) {
    struct cor_goals *goals = reader->goals;
    struct system_layer__query made = {.filter = COR_NONE, .is_any = is_any};
    char *inside = trimmed(strchr(copy, '(') + 1), *rest;
    const size_t length = strlen(inside);
    if (length == 0 || inside[length - 1] != ')')
        return cor_json_fail(json, reader->error, QUERY_REMEDY, "\"%.200s\" does not end with a bracket",
                             text);
    inside[length - 1] = '\0';
    const char *name = first_word(inside, &rest);
    const char *in = first_word(rest, &rest), *type_name = first_word(rest, &rest);
    if (!system_layer__is_name(name) || strcmp(in, "in") != 0 || !*type_name)
        return cor_json_fail(json, reader->error, QUERY_REMEDY, "\"%.200s\" is no query over entities", text);
    uint32_t type, word;
    COR_TRY(system_layer__find_type(goals->declaration, json, type_name, &type, reader->error));
    const char *where = first_word(rest, &rest);
    if (*where && (strcmp(where, "where") != 0 || !*trimmed(rest)))
        return cor_json_fail(json, reader->error, QUERY_REMEDY,
                             "expected \"where\" and a condition behind \"%.60s\", found \"%.60s\"",
                             type_name, where);
    COR_TRY(take_slot(reader, json, type, &made.slot));
    COR_TRY(system_layer__name_of(reader, text, &made.text));
    COR_TRY(system_layer__name_of(reader, name, &word));
    const uint32_t element = goals->slots[made.slot].element;
    char identity[120];
    snprintf(identity, sizeof identity, "chosen %.80s %u", goals->declaration->types[type].name,
             goals->slots[made.slot].level + 1);
    COR_ASSERT(named_entity(goals, identity).element == element);
    uint32_t kept;
    COR_TRY(system_layer__name_of(reader, identity, &kept));
    COR_TRY(add_meaning(reader, json,
                        (struct system_layer__meaning){.name = cor_words_text(&goals->names, word),
                                                       .entity = cor_words_text(&goals->names, kept),
                                                       .slot = made.slot}));
    if (*where)
        COR_TRY(parse(reader, json, trimmed(rest), NULL, &made.filter));
    COR_TRY(COR_RESERVE(&goals->queries, &goals->query_capacity, goals->query_count + 1, reader->error));
    goals->queries[goals->query_count] = made;
    *query = goals->query_count++;
    return COR_OK;
}

/* Whether the text is a query, and of which kind. */
static bool is_query(const char *text, bool *is_any) {
    text += strspn(text, " ");
    *is_any = strncmp(text, "any", 3) == 0;
    if (!*is_any && strncmp(text, "nearest", 7) != 0)
        return false;
    text += *is_any ? 3 : 7;
    return text[strspn(text, " ")] == '(';
}

/* An entity: its name, a parameter, or a query; then *query is the number of it, else COR_NONE. */
static enum cor_status read_entity(struct system_layer__reader *reader, const struct cor_json *json,
                                   const char *text, uint32_t *reference, uint32_t *query) {
    struct cor_goals *goals = reader->goals;
    bool is_any;
    *query = COR_NONE;
    if (is_query(text, &is_any)) {
        COR_FREED char *copy = cor_strdup(text);
        COR_TRY(cor_made(copy, reader->error));
        COR_TRY(read_query(reader, json, text, copy, is_any, query));
        const uint32_t slot = goals->queries[*query].slot;
        return add_reference(
            reader,
            (struct system_layer__reference){goals->slots[slot].type, goals->slots[slot].element, slot},
            reference);
    }
    const struct system_layer__meaning *meaning = system_layer__meaning(reader, text);
    if (meaning && meaning->text)
        return cor_json_fail(json, reader->error, NULL, "\"%.60s\" is %.60s here, and no entity", text,
                             meaning->text);
    const char *identity = meaning ? meaning->entity : text;
    if (!meaning)
        COR_TRY(
            put_place(reader, json,
                      cor_world_vocabulary_mention(goals->vocabulary, identity, COR_NONE, reader->error)));
    const struct cor_named_element named = named_entity(goals, identity);
    return add_reference(
        reader,
        (struct system_layer__reference){named.type, named.element, meaning ? meaning->slot : COR_NONE},
        reference);
}

/* -- actions -- */

/* `value`: as it is shown; NULL: the JSON value. */
static enum cor_status complain_value(struct system_layer__reader *reader, const struct cor_json *json,
                                      const struct cor_action_parameter *parameter, const char *value) {
    char is[400], *text = value ? NULL : cor_json_text(json);
    if (!value)
        COR_TRY(cor_made(text, reader->error));
    if (parameter->domain) {
        /* The values of a domain as users know them. */
        size_t size = sizeof is;
        int used = snprintf(is, size, "of type %.60s", parameter->domain->name);
        if (parameter->domain->type == COR_VALUE_TYPE_ENUMERATION) {
            used = snprintf(is, size, "one of");
            for (uint32_t w = 0; w < parameter->domain->word_count && (size_t)used < size - 1; w++)
                used +=
                    snprintf(is + used, size - (size_t)used, "%s %.60s", w ? "," : "",
                             cor_words_text(reader->goals->declaration->words, parameter->domain->words[w]));
        }
    } else
        snprintf(is, sizeof is, "an entity");
    const enum cor_status status =
        cor_json_fail(json, reader->error, NULL, "\"%.60s\" is %s, and is given %.100s", parameter->name, is,
                      value ? value : text);
    free(text);
    return status;
}

/* Interns a word as conditions write it: in quotes, a quote within doubled. */
static enum cor_status intern_quoted(struct cor_words *words, const char *quoted, uint32_t *word,
                                     struct cor_error *error) {
    COR_FREED char *text = cor_strdup(quoted + 1);
    COR_TRY(cor_made(text, error));
    char *end = text;
    for (const char *at = quoted + 1; at[0] && at[1]; at++) {
        *end++ = *at;
        at += at[0] == '\'' && at[1] == '\'' && at[2];
    }
    *end = '\0';
    return cor_words_intern(words, text, word, error);
}

/* A word: that of a parameter, 'in quotes', or as it stands. */
static enum cor_status read_word(struct system_layer__reader *reader, const struct cor_json *json,
                                 const struct cor_action_parameter *parameter, const char *text,
                                 struct cor_value *value) {
    const struct system_layer__meaning *meaning = system_layer__meaning(reader, text);
    char said[200];
    uint32_t word;
    if (meaning && meaning->text)
        text = meaning->text;
    const size_t length = strlen(text);
    const bool is_quoted = length >= 2 && text[0] == '\'' && text[length - 1] == '\'';
    struct cor_words *words = reader->goals->declaration->words;
    COR_TRY(is_quoted ? intern_quoted(words, text, &word, reader->error)
                      : cor_words_intern(words, text, &word, reader->error));
    *value = cor_word(word);
    if (cor_domain_has(parameter->domain, *value))
        return COR_OK;
    snprintf(said, sizeof said, "\"%.100s\"", text);
    return complain_value(reader, json, parameter, said);
}

/* The value of a parameter, as `text` or, where that is NULL, as the JSON value. */
static enum cor_status read_argument(struct system_layer__reader *reader, const struct cor_json *json,
                                     const struct cor_action_parameter *parameter, const char *text,
                                     uint32_t tactic, struct system_layer__argument *argument) {
    struct cor_goals *goals = reader->goals;
    argument->domain = parameter->domain;
    if (!text && cor_json_is_string(json))
        COR_TRY(cor_json_string(json, &text, reader->error));
    if (!parameter->domain) {
        uint32_t query;
        if (!text)
            return complain_value(reader, json, parameter, NULL);
        COR_TRY(read_entity(reader, json, text, &argument->reference, &query));
        if (query != COR_NONE && goals->tactics[tactic].query != COR_NONE)
            return cor_json_fail(json, reader->error, "name the other entity",
                                 "two queries are in one action");
        if (query != COR_NONE)
            goals->tactics[tactic].query = query;
        return COR_OK;
    }
    const bool is_word = parameter->domain->type == COR_VALUE_TYPE_STRING ||
                         parameter->domain->type == COR_VALUE_TYPE_ENUMERATION;
    if (text && is_word)
        return read_word(reader, json, parameter, text, &argument->value);
    if (text)
        return parse(reader, json, text, parameter->domain->type == COR_VALUE_TYPE_BOOLEAN ? NULL : &reals,
                     &argument->expression);
    int64_t integer = 0;
    double real = 0;
    bool truth = false;
    if (cor_json_is_integer(json)) {
        COR_TRY(cor_json_integer(json, INT64_MIN, INT64_MAX, &integer, reader->error));
        argument->value = cor_integer(integer);
    } else if (cor_json_is_number(json)) {
        COR_TRY(cor_json_real(json, -1e300, 1e300, &real, reader->error));
        argument->value = cor_real(real);
    } else if (cor_json_bool(json, &truth, NULL) == COR_OK) {
        argument->value = cor_integer(truth);
    }
    if ((parameter->domain->type == COR_VALUE_TYPE_BOOLEAN) ==
            (cor_json_bool(json, &truth, NULL) == COR_OK) &&
        cor_domain_fit(parameter->domain, &argument->value))
        return COR_OK;
    return complain_value(reader, json, parameter, NULL);
}

/* Cuts "press(b1, x)" into its name and arguments: at commas that are in no brackets and no quotes. False:
 * brackets do not match, or there are more than `most`. */
static bool system_layer__split(char *call, char **arguments, uint32_t most, uint32_t *count) {
    *count = 0;
    char *at = strchr(call, '(');
    if (!at)
        return true;
    *at++ = '\0';
    int depth = 0;
    bool is_quoted = false;
    char *begin = at;
    for (;; at++) {
        if (!*at)
            return false;
        if (*at == '\'')
            is_quoted = !is_quoted;
        if (is_quoted)
            continue;
        if (*at == '(')
            depth++;
        const bool is_end = *at == ')' && depth == 0;
        if (*at == ')' && !is_end)
            depth--;
        if (is_end || (*at == ',' && depth == 0)) {
            *at = '\0';
            if (*count == most)
                return false;
            arguments[(*count)++] = trimmed(begin);
            if (is_end)
                break;
            begin = at + 1;
        }
    }
    if (*count == 1 && !*arguments[0])
        *count = 0;
    trimmed(call);
    return at[1 + strspn(at + 1, " ")] == '\0';
}

/* Room for the arguments of the tactic's action, none given. */
static enum cor_status begin_arguments(struct system_layer__reader *reader, uint32_t tactic,
                                       uint32_t action) {
    struct cor_goals *goals = reader->goals;
    const uint32_t count = goals->declaration->actions[action].parameter_count;
    COR_TRY(COR_RESERVE(&goals->arguments, &goals->argument_capacity, goals->argument_count + count,
                        reader->error));
    goals->tactics[tactic].action = action;
    goals->tactics[tactic].argument_start = goals->argument_count;
    for (uint32_t p = 0; p < count; p++)
        goals->arguments[goals->argument_count++] =
            (struct system_layer__argument){.reference = COR_NONE, .expression = COR_NONE};
    return COR_OK;
}

/* What encloses the action is what its one entity is, if that is not given. */
static enum cor_status end_arguments(struct system_layer__reader *reader, const struct cor_json *json,
                                     uint32_t tactic) {
    struct cor_goals *goals = reader->goals;
    const struct cor_action *action = &goals->declaration->actions[goals->tactics[tactic].action];
    struct system_layer__argument *arguments = goals->arguments + goals->tactics[tactic].argument_start;
    bool has_target = false;
    for (uint32_t p = 0; p < action->parameter_count; p++) {
        if (arguments[p].domain || arguments[p].reference != COR_NONE)
            continue;
        if (action->parameters[p].domain || reader->target == COR_NONE || has_target)
            return cor_json_fail(json, reader->error, NULL, "action \"%.60s\" lacks its parameter \"%.60s\"",
                                 action->name, action->parameters[p].name);
        arguments[p].reference = reader->target;
        has_target = true;
    }
    return COR_OK;
}

static enum cor_status read_call(struct system_layer__reader *reader, const struct cor_json *json,
                                 const char *text, char *copy, uint32_t tactic) {
    struct cor_goals *goals = reader->goals;
    char *arguments[COR_WORLD_PARAMETERS_MAX];
    uint32_t count, action;
    if (!system_layer__split(copy, arguments, COR_WORLD_PARAMETERS_MAX, &count))
        return cor_json_fail(json, reader->error, "write NAME, or NAME(ARGUMENT, ..)",
                             "\"%.200s\" is no action with arguments", text);
    COR_TRY(system_layer__find_action(goals->declaration, json, copy, &action, reader->error));
    COR_TRY(begin_arguments(reader, tactic, action));
    const struct cor_action *declared = &goals->declaration->actions[action];
    if (count > declared->parameter_count)
        return cor_json_fail(json, reader->error, NULL,
                             "action \"%.60s\" has %u parameter%s, and is given %u", declared->name,
                             declared->parameter_count, declared->parameter_count == 1 ? "" : "s", count);
    for (uint32_t p = 0; p < count; p++) {
        struct system_layer__argument argument = {.reference = COR_NONE, .expression = COR_NONE};
        COR_TRY(read_argument(reader, json, &declared->parameters[p], arguments[p], tactic, &argument));
        goals->arguments[goals->tactics[tactic].argument_start + p] = argument;
    }
    return end_arguments(reader, json, tactic);
}

/* ACTION: "press", "press(b1)", {"do": "press", "on": "b1"}. */
static enum cor_status read_action(struct system_layer__reader *reader, const struct cor_json *json,
                                   uint32_t tactic) {
    const char *text;
    if (cor_json_is_object(json)) {
        struct cor_goals *goals = reader->goals;
        const char *keys[COR_WORLD_PARAMETERS_MAX + 2] = {"do"}, *name;
        struct cor_json member;
        uint32_t action;
        COR_TRY(cor_json_need(json, "do", &member, reader->error));
        COR_TRY(cor_json_string(&member, &name, reader->error));
        COR_TRY(system_layer__find_action(goals->declaration, &member, name, &action, reader->error));
        COR_TRY(begin_arguments(reader, tactic, action));
        const struct cor_action *declared = &goals->declaration->actions[action];
        for (uint32_t p = 0; p < declared->parameter_count; p++)
            keys[p + 1] = declared->parameters[p].name;
        COR_TRY(cor_json_expect_object(json, keys, reader->error));
        for (uint32_t p = 0; p < declared->parameter_count; p++) {
            struct system_layer__argument argument = {.reference = COR_NONE, .expression = COR_NONE};
            if (!cor_json_find(json, keys[p + 1], &member))
                continue;
            COR_TRY(read_argument(reader, &member, &declared->parameters[p], NULL, tactic, &argument));
            goals->arguments[goals->tactics[tactic].argument_start + p] = argument;
        }
        return end_arguments(reader, json, tactic);
    }
    COR_TRY(cor_json_string(json, &text, reader->error));
    COR_FREED char *copy = cor_strdup(text);
    COR_TRY(cor_made(copy, reader->error));
    return read_call(reader, json, text, copy, tactic);
}

/* The action by which a library goal changes things, where none is said: the world's only one that takes an
 * entity and nothing else. */
static uint32_t only_action(const struct cor_world_declaration *declaration) {
    uint32_t found = COR_NONE;
    for (uint32_t a = COR_ACTION_FIRST; a < declaration->action_count; a++)
        if (declaration->actions[a].parameter_count == 1 && !declaration->actions[a].parameters[0].domain) {
            if (found != COR_NONE)
                return COR_NONE;
            found = a;
        }
    return found;
}

/* "by" and "among" of what changes things on the way; where they need not be said, the world's only action
 * that takes an entity and nothing else, and all types (COR_NONE). */
static enum cor_status read_by(struct system_layer__reader *reader, const struct cor_json *json,
                               bool is_needed, uint32_t tactic) {
    struct cor_goals *goals = reader->goals;
    const struct cor_world_declaration *declaration = goals->declaration;
    struct cor_json member;
    const char *name;
    uint32_t action = only_action(declaration), type = COR_NONE;
    if (is_needed)
        COR_TRY(cor_json_need(json, "by", &member, reader->error));
    if (cor_json_find(json, "by", &member)) {
        COR_TRY(cor_json_string(&member, &name, reader->error));
        COR_TRY(system_layer__find_action(goals->declaration, &member, name, &action, reader->error));
        if (declaration->actions[action].parameter_count != 1 ||
            declaration->actions[action].parameters[0].domain)
            return cor_json_fail(&member, reader->error, NULL,
                                 "action \"%s\" does not have one parameter, an entity", name);
    }
    if (is_needed)
        COR_TRY(cor_json_need(json, "among", &member, reader->error));
    if (cor_json_find(json, "among", &member)) {
        COR_TRY(cor_json_string(&member, &name, reader->error));
        COR_TRY(system_layer__find_type(declaration, &member, name, &type, reader->error));
    }
    goals->tactics[tactic].by = action;
    goals->tactics[tactic].among = type;
    return COR_OK;
}

/* ---- tactics, from JSON to nodes */

static enum cor_status add_tactic(struct system_layer__reader *reader, uint32_t parent, uint8_t kind,
                                  uint32_t *tactic) {
    struct cor_goals *goals = reader->goals;
    COR_TRY(COR_RESERVE(&goals->tactics, &goals->tactic_capacity, goals->tactic_count + 1, reader->error));
    *tactic = goals->tactic_count++;
    goals->tactics[*tactic] = (struct system_layer__tactic){.kind = kind,
                                                            .parent = parent,
                                                            .first = COR_NONE,
                                                            .last = COR_NONE,
                                                            .next = COR_NONE,
                                                            .name = COR_NONE,
                                                            .when = COR_NONE,
                                                            .until = COR_NONE,
                                                            .after = COR_NONE,
                                                            .wanted = COR_NONE,
                                                            .target = COR_NONE,
                                                            .action = COR_NONE,
                                                            .by = COR_NONE,
                                                            .query = COR_NONE,
                                                            .among = COR_NONE,
                                                            .added = COR_NONE};
    if (parent == COR_NONE)
        return COR_OK;
    struct system_layer__tactic *above = &goals->tactics[parent];
    if (above->last == COR_NONE)
        above->first = *tactic;
    else
        goals->tactics[above->last].next = *tactic;
    above->last = *tactic;
    return COR_OK;
}

/* Whether a tactic has an add_after in it. */
static bool adds_goals(const struct cor_json *json) {
    static const char *const words[] = {"first_of", "any_of", "seq", NULL};
    struct cor_json member;
    if (cor_json_find(json, "add_after", &member))
        return true;
    for (const char *const *word = words; *word; word++)
        if (cor_json_find(json, *word, &member))
            COR_JSON_CHILDREN(child, &member) {
                if (adds_goals(&child))
                    return true;
            }
    return false;
}

static enum cor_status read_action_member(struct system_layer__reader *reader, const struct cor_json *json,
                                          uint32_t tactic) {
    struct cor_goals *goals = reader->goals;
    const char *text;
    if (cor_json_is_string(json)) {
        COR_TRY(cor_json_string(json, &text, reader->error));
        COR_TRY(system_layer__name_of(reader, text, &goals->tactics[tactic].name));
        if (strcmp(text, "abort") == 0) {
            goals->tactics[tactic].kind = SYSTEM_LAYER__ABORT;
            return COR_OK;
        }
    }
    return read_action(reader, json, tactic);
}

static enum cor_status read_leaf(struct system_layer__reader *reader, const struct cor_json *json,
                                 uint8_t kind, const char *key, uint32_t goal, uint32_t tactic) {
    struct cor_goals *goals = reader->goals;
    struct cor_json member, action;
    bool all = true;
    uint32_t made;
    COR_TRY(cor_json_need(json, key, &member, reader->error));
    COR_TRY(system_layer__name_of(reader, key, &goals->tactics[tactic].name));
    switch (kind) {
    case SYSTEM_LAYER__ACT:
        COR_TRY(read_action_member(reader, &member, tactic));
        break;
    case SYSTEM_LAYER__ADD_AFTER:
        COR_TRY(system_layer__read_goal(reader, &member, goals->goals[goal].parent, &made));
        goals->goals[made].adder = goal;
        goals->tactics[tactic].added = made;
        break;
    case SYSTEM_LAYER__REACH:
    case SYSTEM_LAYER__INTERACT: {
        if (kind == SYSTEM_LAYER__REACH)
            COR_TRY(expect_map(reader, &member, key));
        const char *text;
        uint32_t reference, query;
        COR_TRY(cor_json_string(&member, &text, reader->error));
        COR_TRY(read_entity(reader, &member, text, &reference, &query));
        if (query != COR_NONE && goals->queries[query].is_any)
            return cor_json_fail(&member, reader->error, "write nearest(..)", "one entity is wanted here");
        goals->tactics[tactic].target = reference;
        goals->tactics[tactic].query = query;
        reader->target = reference;
        if (kind == SYSTEM_LAYER__INTERACT) {
            COR_TRY(cor_json_need(json, "do", &action, reader->error));
            COR_TRY(read_action(reader, &action, tactic));
        }
        COR_TRY(read_by(reader, json, false, tactic));
        break;
    }
    case SYSTEM_LAYER__EXPLORE:
        COR_TRY(expect_map(reader, &member, key));
        COR_TRY(cor_json_bool(&member, &all, reader->error));
        if (!all)
            return cor_json_fail(&member, reader->error, "write true", "a tactic explores, or is not there");
        break;
    case SYSTEM_LAYER__ACHIEVE:
        COR_TRY(expect_map(reader, &member, key));
        COR_TRY(read_by(reader, json, true, tactic));
        COR_TRY(system_layer__read_condition(reader, &member, &goals->tactics[tactic].wanted));
        break;
    default:
        COR_TRY(read_planned(reader, &member, tactic));
    }
    uint32_t when, until, after;
    COR_TRY(read_condition_member(reader, json, "when", &when));
    COR_TRY(read_condition_member(reader, json, "until", &until));
    COR_TRY(read_condition_member(reader, json, "after", &after));
    struct system_layer__tactic *conditioned = &goals->tactics[tactic];
    conditioned->when = when;
    conditioned->until = until;
    conditioned->after = after;
    return COR_OK;
}

struct form {
    const char *key;
    uint8_t kind;
    const char *keys[7];
};

static const struct form forms[] = {
    {"action", SYSTEM_LAYER__ACT, {"action", "when", "until", "after"}},
    {"first_of", SYSTEM_LAYER__ALTERNATIVES, {NULL}},
    {"any_of", SYSTEM_LAYER__ANY_OF, {NULL}},
    {"seq", SYSTEM_LAYER__IN_TURN, {NULL}},
    {"add_after", SYSTEM_LAYER__ADD_AFTER, {"add_after", "when"}},
    {"reach", SYSTEM_LAYER__REACH, {"reach", "by", "among", "when"}},
    {"interact", SYSTEM_LAYER__INTERACT, {"interact", "do", "by", "among", "when", "after"}},
    {"explore", SYSTEM_LAYER__EXPLORE, {"explore", "when"}},
    {"achieve", SYSTEM_LAYER__ACHIEVE, {"achieve", "by", "among", "when"}},
    {"plan", SYSTEM_LAYER__PLAN, {"plan", "when"}},
};
#define FORM_COUNT (sizeof forms / sizeof *forms)

/* An action alone: "press(b)", {"do": "press", "on": "b"}. */
static enum cor_status read_alone(struct system_layer__reader *reader, const struct cor_json *json,
                                  uint32_t tactic) {
    const uint32_t meanings = reader->meaning_count, level = reader->level;
    COR_TRY(read_action(reader, json, tactic));
    reader->level = level;
    return drop_meanings(reader, json, meanings);
}

static enum cor_status read_object(struct system_layer__reader *reader, const struct cor_json *json,
                                   uint32_t parent, uint32_t goal, uint32_t *tactic) {
    const char *keys[FORM_COUNT + 4] = {"when", "until", "after"};
    const struct form *form = NULL;
    struct cor_json member;
    for (size_t f = 0; f < FORM_COUNT; f++) {
        keys[3 + f] = forms[f].key;
        if (!cor_json_find(json, forms[f].key, &member))
            continue;
        if (form)
            return cor_json_fail(json, reader->error, "put one within the other",
                                 "a tactic is given in two ways: \"%s\" and \"%s\"", form->key, forms[f].key);
        form = &forms[f];
    }
    if (!form && cor_json_find(json, "do", &member)) {
        COR_TRY(add_tactic(reader, parent, SYSTEM_LAYER__ACT, tactic));
        COR_TRY(system_layer__name_of(reader, "action", &reader->goals->tactics[*tactic].name));
        return read_alone(reader, json, *tactic);
    }
    if (!form) {
        COR_TRY(cor_json_expect_object(json, keys, reader->error));
        return cor_json_fail(
            json, reader->error,
            "give one of \"action\", \"first_of\", \"any_of\", \"seq\", \"add_after\", \"reach\", "
            "\"interact\", \"explore\", \"achieve\" and \"plan\"",
            "nothing says what the tactic is");
    }
    if (!form->keys[0]) {
        const char *const alone[] = {form->key, NULL};
        struct cor_json children;
        COR_TRY(cor_json_expect_object(json, alone, reader->error));
        COR_TRY(cor_json_need(json, form->key, &children, reader->error));
        COR_TRY(cor_json_expect_array(&children, 1, COR_GOALS_MAX, reader->error));
        COR_TRY(add_tactic(reader, parent, form->kind, tactic));
        COR_JSON_CHILDREN(child, &children) {
            uint32_t made;
            /* What is tried behind an alternative that is always there never is. */
            if (form->kind == SYSTEM_LAYER__ALTERNATIVES && child.index + 1 < cor_json_size(&children) &&
                cor_json_is_string(&child)) {
                const char *text;
                COR_TRY(cor_json_string(&child, &text, reader->error));
                const struct cor_json behind = cor_json_at(&children, child.index + 1);
                if (strcmp(text, "abort") == 0)
                    return cor_json_fail(
                        &behind, reader->error, "put \"abort\" last, or give it a \"when\"",
                        "this is never tried: \"abort\" stands before it, and is always enabled");
            }
            COR_TRY(read_tactic(reader, &child, *tactic, goal, &made));
        }
        return COR_OK;
    }
    COR_TRY(cor_json_expect_object(json, form->keys, reader->error));
    const uint32_t meanings = reader->meaning_count, level = reader->level, target = reader->target;
    COR_TRY(add_tactic(reader, parent, form->kind, tactic));
    COR_TRY(read_leaf(reader, json, form->kind, form->key, goal, *tactic));
    reader->level = level;
    reader->target = target;
    return drop_meanings(reader, json, meanings);
}

static enum cor_status read_tactic(struct system_layer__reader *reader, const struct cor_json *json,
                                   uint32_t parent, uint32_t goal, uint32_t *tactic) {
    struct cor_goals *goals = reader->goals;
    const char *text;
    if (cor_json_is_object(json))
        return read_object(reader, json, parent, goal, tactic);
    COR_TRY(cor_json_string(json, &text, reader->error));
    COR_TRY(add_tactic(reader, parent, SYSTEM_LAYER__ACT, tactic));
    COR_TRY(system_layer__name_of(reader, text, &goals->tactics[*tactic].name));
    if (strcmp(text, "abort") == 0) {
        goals->tactics[*tactic].kind = SYSTEM_LAYER__ABORT;
        return COR_OK;
    }
    if (strcmp(text, "explore") == 0) {
        goals->tactics[*tactic].kind = SYSTEM_LAYER__EXPLORE;
        return expect_map(reader, json, text);
    }
    return read_alone(reader, json, *tactic);
}

/* ---- goals within a goal as the file writes them: what a smaller test keeps of one that failed. What cannot
 * be read where it then stands is found out by reading it */

#define FRAGMENTS_MOST 10000

/* Where goals are listed, and the named goal in whose text they stand. */
struct listing {
    const struct cor_json *definitions; /* NULL: there are none */
    struct system_layer__fragments *fragments;
    const char *parameters, *arguments; /* NULL: in none that has parameters */
    struct cor_error *error;
};

/* Does the text have the word, not as a part of a longer one? */
static bool system_layer__has_word(const char *text, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at++) {
        const bool begins = at == text || !(isalnum((unsigned char)at[-1]) || strchr("_.", at[-1]));
        const bool ends = !(isalnum((unsigned char)at[length]) || at[length] == '_');
        if (begins && ends)
            return true;
    }
    return false;
}

bool system_layer__names_one_of(const char *text, const char *parameters) {
    for (const char *at = parameters; *at; at += strspn(at, ", ")) {
        const size_t length = strcspn(at, ", ");
        char word[256];
        if (length == 0 || length >= sizeof word)
            return false;
        memcpy(word, at, length);
        word[length] = '\0';
        if (system_layer__has_word(text, word))
            return true;
        at += length;
    }
    return false;
}

static enum cor_status list(const struct listing *listing, const struct cor_json *goal);

/* What stands within the brackets of NAME(..), freed with free(); NULL: there are none, or memory is out. */
static char *within(const char *call, size_t name) {
    const size_t length = strlen(call);
    return call[name] == '(' && call[length - 1] == ')'
               ? cor_format("%.*s", (int)(length - name - 2), call + name + 1)
               : NULL;
}

/* In the text of the goal that is used. */
static enum cor_status list_named(const struct listing *listing, const char *call) {
    const size_t name = strcspn(call, "(");
    for (size_t d = 0; listing->definitions && d < cor_json_size(listing->definitions); d++) {
        const struct cor_json body = cor_json_at(listing->definitions, d);
        /* NAME, or NAME(..), of a definition. */
        if (strncmp(body.key, call, name) != 0 || (body.key[name] != '\0' && body.key[name] != '('))
            continue;
        struct listing inner = *listing;
        if (call[name] == '\0') {
            inner.parameters = inner.arguments = NULL;
            return list(&inner, &body);
        }
        COR_FREED char *parameters = within(body.key, name), *arguments = within(call, name);
        inner.parameters = parameters;
        inner.arguments = arguments;
        enum cor_status status = COR_OK;
        if (parameters && arguments &&
            !(listing->parameters && system_layer__names_one_of(arguments, listing->parameters)))
            status = list(&inner, &body);
        return status;
    }
    return COR_OK;
}

static enum cor_status list(const struct listing *listing, const struct cor_json *goal) {
    const char *text;
    if (listing->fragments->count >= FRAGMENTS_MOST)
        return COR_OK;
    if (cor_json_is_object(goal)) {
        static const char *const one[] = {"repeat", "then", "else", "interruptible", NULL};
        struct cor_json member;
        if ((cor_json_find(goal, "seq", &member) || cor_json_find(goal, "first_of", &member)) &&
            cor_json_is_array(&member))
            COR_JSON_CHILDREN(item, &member)
                COR_TRY(list(listing, &item));
        for (size_t k = 0; one[k]; k++)
            if (cor_json_find(goal, one[k], &member))
                COR_TRY(list(listing, &member));
        if (cor_json_find(goal, "while", &member) && cor_json_find(goal, "do", &member))
            COR_TRY(list(listing, &member));
        if (cor_json_find(goal, "handlers", &member)) {
            struct cor_json handler;
            for (size_t i = 0; cor_json_is_array(&member) && i < cor_json_size(&member); i++) {
                const struct cor_json item = cor_json_at(&member, i);
                if (cor_json_is_object(&item) && cor_json_find(&item, "do", &handler))
                    COR_TRY(list(listing, &handler));
            }
        }
    } else if (cor_json_is_string(goal)) {
        COR_TRY(cor_json_string(goal, &text, listing->error));
        COR_TRY(list_named(listing, text));
    }
    struct system_layer__fragments *fragments = listing->fragments;
    COR_TRY(COR_RESERVE(&fragments->items, &fragments->capacity, fragments->count + 1, listing->error));
    struct system_layer__fragment *made = &fragments->items[fragments->count++];
    *made = (struct system_layer__fragment){.goal = *goal};
    made->goal.parent = NULL;
    if (!listing->parameters)
        return COR_OK;
    made->parameters = cor_strdup(listing->parameters);
    made->arguments = cor_strdup(listing->arguments);
    return made->parameters && made->arguments ? COR_OK : cor_fail_memory(listing->error);
}

enum cor_status system_layer__fragments_list(const struct cor_json *goal, const struct cor_json *definitions,
                                             struct system_layer__fragments *fragments,
                                             struct cor_error *error) {
    const struct listing listing = {.definitions = definitions, .fragments = fragments, .error = error};
    return list(&listing, goal);
}

void system_layer__fragments_fini(struct system_layer__fragments *fragments) {
    for (size_t f = 0; f < fragments->count; f++) {
        COR_FREE(fragments->items[f].parameters, fragments->items[f].arguments);
    }
    free(fragments->items);
    *fragments = (struct system_layer__fragments){0};
}

static bool begins_call(const char *text, const char *name) {
    const size_t length = strlen(name);
    return strncmp(text, name, length) == 0 && (text[length] == '\0' || text[length] == '(');
}

/* What some forms are called that are short for others. */
static bool is_called_otherwise(const char *key, const char *name) {
    static const char *const others[][2] = {{"distance", "goal"},   {"deploy", "if"}, {"while", "if"},
                                            {"try_if", "first_of"}, {"until", "seq"}, {NULL, NULL}};
    for (size_t o = 0; others[o][0]; o++)
        if (strcmp(key, others[o][0]) == 0 && strcmp(name, others[o][1]) == 0)
            return true;
    return false;
}

bool system_layer__fragment_may_be(const struct cor_json *goal, const char *name) {
    const char *text;
    if (cor_json_is_string(goal))
        return cor_json_string(goal, &text, NULL) == COR_OK && strcmp(text, name) == 0;
    for (size_t m = 0; cor_json_is_object(goal) && m < cor_json_size(goal); m++) {
        const struct cor_json member = cor_json_at(goal, m);
        struct cor_json action;
        if (strcmp(member.key, name) == 0 || is_called_otherwise(member.key, name))
            return true;
        if (cor_json_is_string(&member) && cor_json_string(&member, &text, NULL) == COR_OK &&
            begins_call(text, name))
            return true;
        if (cor_json_is_object(&member) && cor_json_find(&member, "do", &action) &&
            cor_json_is_string(&action) && cor_json_string(&action, &text, NULL) == COR_OK &&
            strcmp(text, name) == 0)
            return true;
    }
    return false;
}

/* ---- goals, from JSON to nodes. What is short for other goals (try_if, while, until) becomes these */

/* A node below `parent`, behind its other children. */
static enum cor_status add_goal(struct system_layer__reader *reader, const struct cor_json *json,
                                uint32_t parent, uint8_t kind, uint32_t *goal) {
    struct cor_goals *goals = reader->goals;
    const uint32_t depth = parent == COR_NONE ? 0 : goals->goals[parent].depth + 1;
    if (depth > COR_GOAL_DEPTH_MAX)
        return cor_json_fail(json, reader->error, NULL, "goals are nested more than %d deep here",
                             COR_GOAL_DEPTH_MAX);
    if (goals->goal_count == COR_GOALS_MAX)
        return cor_json_fail(json, reader->error, "a \"repeat\" or a \"while\" does the same again",
                             "there are more than %u goals", COR_GOALS_MAX);
    COR_TRY(COR_RESERVE(&goals->goals, &goals->goal_capacity, goals->goal_count + 1, reader->error));
    *goal = goals->goal_count++;
    goals->goals[*goal] = (struct system_layer__goal){.kind = kind,
                                                      .depth = depth,
                                                      .parent = parent,
                                                      .first = COR_NONE,
                                                      .last = COR_NONE,
                                                      .next = COR_NONE,
                                                      .adder = COR_NONE,
                                                      .name = COR_NONE,
                                                      .condition = COR_NONE,
                                                      .fail_when = COR_NONE,
                                                      .oracle = COR_NONE,
                                                      .interrupts = COR_NONE,
                                                      .guarded = COR_NONE,
                                                      .interruptible = COR_NONE,
                                                      .tactic = COR_NONE,
                                                      .target = COR_NONE,
                                                      .bind_start = goals->bind_count,
                                                      .cap = COR_BUDGET_INFINITE,
                                                      .epsilon = 0.005};
    if (parent == COR_NONE)
        return COR_OK;
    struct system_layer__goal *above = &goals->goals[parent];
    goals->goals[*goal].guarded = above->guarded;
    goals->goals[*goal].interruptible =
        above->kind == SYSTEM_LAYER__INTERRUPTIBLE ? parent : above->interruptible;
    if (above->last == COR_NONE)
        above->first = *goal;
    else
        goals->goals[above->last].next = *goal;
    above->last = *goal;
    return COR_OK;
}

static enum cor_status add_bind(struct system_layer__reader *reader, uint32_t goal, uint32_t query) {
    struct cor_goals *goals = reader->goals;
    COR_TRY(COR_RESERVE(&goals->binds, &goals->bind_capacity, goals->bind_count + 1, reader->error));
    if (goals->goals[goal].bind_count++ == 0)
        goals->goals[goal].bind_start = goals->bind_count;
    goals->binds[goals->bind_count++] = (struct system_layer__bind){goals->queries[query].slot, query};
    return COR_OK;
}

/* What any goal may have: "max", "name", "fail_when", "assert". Before its children are read. */
static enum cor_status read_attributes(struct system_layer__reader *reader, const struct cor_json *json,
                                       uint32_t goal) {
    struct cor_goals *goals = reader->goals;
    struct cor_json member;
    if (cor_json_find(json, "max", &member)) {
        int64_t most;
        COR_TRY(cor_json_integer(&member, 0, INT64_MAX, &most, reader->error));
        goals->goals[goal].cap = (uint64_t)most;
    }
    if (cor_json_find(json, "name", &member)) {
        const char *name;
        uint32_t number;
        COR_TRY(cor_json_string(&member, &name, reader->error));
        COR_TRY(system_layer__name_of(reader, name, &number));
        goals->goals[goal].name = number;
    }
    uint32_t fail_when, oracle = COR_NONE;
    COR_TRY(read_condition_member(reader, json, "fail_when", &fail_when));
    if (goals->goals[goal].kind != SYSTEM_LAYER__ASSERT)
        COR_TRY(read_condition_member(reader, json, "assert", &oracle));
    goals->goals[goal].fail_when = fail_when;
    goals->goals[goal].oracle = oracle;
    if (fail_when != COR_NONE)
        goals->goals[goal].guarded = goal;
    return COR_OK;
}

static enum cor_status begin_goal(struct system_layer__reader *reader, const struct cor_json *json,
                                  uint32_t parent, uint8_t kind, uint32_t *goal) {
    COR_TRY(add_goal(reader, json, parent, kind, goal));
    return read_attributes(reader, json, *goal);
}

/* -- leaves with a tactic -- */

static enum cor_status read_solve(struct system_layer__reader *reader, const struct cor_json *json,
                                  const char *key, const struct cor_json *wanted, uint32_t parent,
                                  uint32_t *goal) {
    struct cor_goals *goals = reader->goals;
    struct cor_json tactic, member;
    uint32_t outer = COR_NONE, made, number;
    if (!cor_json_find(json, "tactic", &tactic))
        return cor_json_fail(json, reader->error,
                             "say with \"tactic\" what the test agent does, for example an action",
                             "the goal has no tactic, so that nothing is done for it");
    /* A goal whose tactic adds goals behind it needs siblings that come one after the other. */
    const uint8_t above = parent == COR_NONE ? SYSTEM_LAYER__REPEAT : goals->goals[parent].kind;
    if (above != SYSTEM_LAYER__SEQ && above != SYSTEM_LAYER__FIRST_OF && adds_goals(&tactic)) {
        COR_TRY(add_goal(reader, json, parent, SYSTEM_LAYER__SEQ, &outer));
        parent = outer;
    }
    COR_TRY(begin_goal(reader, json, parent, SYSTEM_LAYER__SOLVE, goal));
    if (strcmp(key, "distance") == 0) {
        const char *text;
        COR_TRY(cor_json_string(wanted, &text, reader->error));
        COR_TRY(parse(reader, wanted, text, &reals, &number));
        goals->goals[*goal].solved = SYSTEM_LAYER__NEAR;
        if (cor_json_find(json, "epsilon", &member))
            COR_TRY(cor_json_real(&member, 0, 1e300, &goals->goals[*goal].epsilon, reader->error));
    } else {
        COR_TRY(system_layer__read_condition(reader, wanted, &number));
        goals->goals[*goal].solved = SYSTEM_LAYER__WHEN;
    }
    goals->goals[*goal].condition = number;
    COR_TRY(read_tactic(reader, &tactic, COR_NONE, *goal, &made));
    goals->goals[*goal].tactic = made;
    if (outer != COR_NONE)
        *goal = outer;
    return COR_OK;
}

/* -- library goals -- */

/* reach, interact, seen, explore, achieve, plan, do: a tactic of that kind alone. */
static enum cor_status begin_library(struct system_layer__reader *reader, const struct cor_json *json,
                                     uint32_t parent, uint8_t solved, uint8_t kind, const char *word,
                                     uint32_t *goal, uint32_t *tactic) {
    struct cor_goals *goals = reader->goals;
    uint32_t name;
    COR_TRY(add_goal(reader, json, parent, SYSTEM_LAYER__SOLVE, goal));
    goals->goals[*goal].solved = solved;
    COR_TRY(add_tactic(reader, COR_NONE, kind, tactic));
    COR_TRY(system_layer__name_of(reader, word, &name));
    goals->goals[*goal].tactic = *tactic;
    goals->tactics[*tactic].name = name;
    goals->tactics[*tactic].is_final = kind != SYSTEM_LAYER__ACT;
    return COR_OK;
}

static enum cor_status read_reach(struct system_layer__reader *reader, const struct cor_json *json,
                                  const char *key, const struct cor_json *target, uint32_t parent,
                                  uint32_t *goal) {
    struct cor_goals *goals = reader->goals;
    struct cor_json action;
    const bool is_seen = strcmp(key, "seen") == 0, has_action = cor_json_find(json, "do", &action);
    const bool is_interact = strcmp(key, "interact") == 0 || has_action;
    uint32_t tactic;
    if (!is_interact || strcmp(key, "reach") == 0)
        COR_TRY(expect_map(reader, target, key));
    COR_TRY(begin_library(reader, json, parent,
                          is_seen       ? SYSTEM_LAYER__SEEN
                          : is_interact ? SYSTEM_LAYER__DONE
                                        : SYSTEM_LAYER__REACHED,
                          is_seen       ? SYSTEM_LAYER__EXPLORE
                          : is_interact ? SYSTEM_LAYER__INTERACT
                                        : SYSTEM_LAYER__REACH,
                          key, goal, &tactic));
    const char *text;
    uint32_t reference, query;
    COR_TRY(cor_json_string(target, &text, reader->error));
    COR_TRY(read_entity(reader, target, text, &reference, &query));
    goals->goals[*goal].target = reference;
    reader->target = reference;
    if (query != COR_NONE) {
        if (goals->queries[query].is_any)
            return cor_json_fail(target, reader->error, "write nearest(..)", "a goal has one entity");
        COR_TRY(add_bind(reader, *goal, query));
    }
    goals->tactics[tactic].target = goals->goals[*goal].target;
    if (is_interact && !has_action && only_action(goals->declaration) == COR_NONE)
        return cor_json_fail(json, reader->error, "say it with \"do\"",
                             "it is not said which action \"interact\" is, and the world has not one alone "
                             "that takes an entity");
    if (has_action)
        COR_TRY(read_action(reader, &action, tactic));
    else if (is_interact) { /* the one parameter of that action is the target */
        COR_TRY(begin_arguments(reader, tactic, only_action(goals->declaration)));
        goals->arguments[goals->tactics[tactic].argument_start].reference = reader->target;
    }
    if (!is_seen)
        COR_TRY(read_by(reader, json, false, tactic));
    return read_attributes(reader, json, *goal);
}

static enum cor_status read_explore(struct system_layer__reader *reader, const struct cor_json *json,
                                    const char *key, const struct cor_json *member, uint32_t parent,
                                    uint32_t *goal) {
    struct cor_goals *goals = reader->goals;
    uint32_t tactic, condition;
    bool all = true;
    COR_TRY(expect_map(reader, member, key));
    COR_TRY(begin_library(reader, json, parent, SYSTEM_LAYER__EXPLORED, SYSTEM_LAYER__EXPLORE, key, goal,
                          &tactic));
    if (!cor_json_is_object(json))
        return COR_OK;
    COR_TRY(read_attributes(reader, json, *goal));
    if (cor_json_is_string(member)) {
        COR_TRY(system_layer__read_condition(reader, member, &condition));
        goals->goals[*goal].solved = SYSTEM_LAYER__WHEN;
        goals->goals[*goal].condition = condition;
        return COR_OK;
    }
    COR_TRY(cor_json_bool(member, &all, reader->error));
    return all ? COR_OK
               : cor_json_fail(member, reader->error, "write true, or a condition until which it explores",
                               "a goal explores, or is not there");
}

static enum cor_status read_wanted(struct system_layer__reader *reader, const struct cor_json *json,
                                   const char *key, const struct cor_json *member, uint32_t parent,
                                   uint32_t *goal) {
    struct cor_goals *goals = reader->goals;
    const bool is_plan = strcmp(key, "plan") == 0;
    uint32_t tactic, condition;
    if (!is_plan)
        COR_TRY(expect_map(reader, member, key));
    COR_TRY(begin_library(reader, json, parent, SYSTEM_LAYER__WHEN,
                          is_plan ? SYSTEM_LAYER__PLAN : SYSTEM_LAYER__ACHIEVE, key, goal, &tactic));
    COR_TRY(read_attributes(reader, json, *goal));
    if (is_plan) {
        COR_TRY(read_planned(reader, member, tactic));
        goals->goals[*goal].condition = goals->tactics[tactic].wanted;
        return COR_OK;
    }
    COR_TRY(system_layer__read_condition(reader, member, &condition));
    goals->goals[*goal].condition = condition;
    goals->tactics[tactic].wanted = condition;
    return read_by(reader, json, true, tactic);
}

static enum cor_status read_do(struct system_layer__reader *reader, const struct cor_json *json,
                               const char *key, const struct cor_json *action, uint32_t parent,
                               uint32_t *goal) {
    struct cor_goals *goals = reader->goals;
    uint32_t tactic, name;
    COR_TRY(begin_library(reader, json, parent, SYSTEM_LAYER__DONE, SYSTEM_LAYER__ACT, key, goal, &tactic));
    COR_TRY(read_action(reader, action, tactic));
    COR_TRY(system_layer__name_of(reader, goals->declaration->actions[goals->tactics[tactic].action].name,
                                  &name));
    goals->tactics[tactic].name = name;
    return read_attributes(reader, json, *goal);
}

/* -- goals that choose among goals -- */

static enum cor_status read_goal_children(struct system_layer__reader *reader, const struct cor_json *json,
                                          const char *key, const struct cor_json *children, uint32_t parent,
                                          uint32_t *goal) {
    const uint8_t kind = strcmp(key, "seq") == 0 ? SYSTEM_LAYER__SEQ : SYSTEM_LAYER__FIRST_OF;
    COR_TRY(cor_json_expect_array(children, 1, COR_GOALS_MAX, reader->error));
    COR_TRY(begin_goal(reader, json, parent, kind, goal));
    const size_t count = cor_json_size(children);
    bool is_success = false;
    for (size_t i = 0; i < count; i++) {
        const struct cor_json child = cor_json_at(children, i);
        const char *text;
        uint32_t made;
        if (is_success)
            return cor_json_fail(&child, reader->error, "put \"success\" last",
                                 "this is never tried: \"success\" stands before it");
        if (kind == SYSTEM_LAYER__FIRST_OF && cor_json_is_string(&child)) {
            COR_TRY(cor_json_string(&child, &text, reader->error));
            is_success = strcmp(text, "success") == 0;
        }
        COR_TRY(system_layer__read_goal(reader, &child, *goal, &made));
    }
    return COR_OK;
}

/* Below a repeat: seq(first_of(body, success), if condition success fail). */
static enum cor_status add_lap(struct system_layer__reader *reader, const struct cor_json *json,
                               const struct cor_json *body, uint32_t condition, bool is_denied,
                               uint32_t repeat) {
    uint32_t lap, attempt, made;
    COR_TRY(add_goal(reader, json, repeat, SYSTEM_LAYER__SEQ, &lap));
    COR_TRY(add_goal(reader, json, lap, SYSTEM_LAYER__FIRST_OF, &attempt));
    COR_TRY(system_layer__read_goal(reader, body, attempt, &made));
    COR_TRY(add_goal(reader, json, attempt, SYSTEM_LAYER__SUCCESS, &made));
    /* if condition success fail, or, denied, if not condition success fail. */
    struct cor_goals *goals = reader->goals;
    uint32_t choice, end;
    COR_TRY(add_goal(reader, json, lap, SYSTEM_LAYER__IF, &choice));
    COR_TRY(add_goal(reader, json, choice, SYSTEM_LAYER__CHOOSE, &end));
    goals->goals[end].condition = condition;
    goals->goals[end].is_denied = is_denied;
    COR_TRY(add_goal(reader, json, choice, SYSTEM_LAYER__SUCCESS, &end));
    return add_goal(reader, json, choice, SYSTEM_LAYER__FAIL, &end);
}

static enum cor_status read_repeat(struct system_layer__reader *reader, const struct cor_json *json,
                                   const char *key, const struct cor_json *body, uint32_t parent,
                                   uint32_t *goal) {
    (void)key;
    struct cor_json member;
    uint32_t made, condition;
    COR_TRY(begin_goal(reader, json, parent, SYSTEM_LAYER__REPEAT, goal));
    if (cor_json_find(json, "tries", &member)) {
        int64_t tries;
        COR_TRY(cor_json_integer(&member, 1, INT64_MAX, &tries, reader->error));
        reader->goals->goals[*goal].tries = (uint64_t)tries;
    }
    COR_TRY(read_condition_member(reader, json, "until", &condition));
    return condition == COR_NONE ? system_layer__read_goal(reader, body, *goal, &made)
                                 : add_lap(reader, json, body, condition, false, *goal);
}

/* try_if: first_of(seq(check, then), else). */
static enum cor_status read_if(struct system_layer__reader *reader, const struct cor_json *json,
                               const char *key, const struct cor_json *when, uint32_t parent,
                               uint32_t *goal) {
    const bool tries = strcmp(key, "try_if") == 0;
    struct cor_json then, otherwise;
    uint32_t above, condition, made;
    COR_TRY(begin_goal(reader, json, parent, tries ? SYSTEM_LAYER__FIRST_OF : SYSTEM_LAYER__IF, goal));
    COR_TRY(cor_json_need(json, "then", &then, reader->error));
    above = *goal;
    if (tries)
        COR_TRY(add_goal(reader, json, *goal, SYSTEM_LAYER__SEQ, &above));
    COR_TRY(add_goal(reader, json, above, tries ? SYSTEM_LAYER__CHECK : SYSTEM_LAYER__CHOOSE, &made));
    COR_TRY(system_layer__read_condition(reader, when, &condition));
    reader->goals->goals[made].condition = condition;
    COR_TRY(system_layer__read_goal(reader, &then, above, &made));
    return cor_json_find(json, "else", &otherwise)
               ? system_layer__read_goal(reader, &otherwise, *goal, &made)
               : add_goal(reader, json, *goal, SYSTEM_LAYER__SUCCESS, &made);
}

static enum cor_status read_while(struct system_layer__reader *reader, const struct cor_json *json,
                                  const char *key, const struct cor_json *when, uint32_t parent,
                                  uint32_t *goal) {
    (void)key;
    struct cor_json body;
    uint32_t chooser, condition, repeat, made;
    COR_TRY(begin_goal(reader, json, parent, SYSTEM_LAYER__IF, goal));
    COR_TRY(cor_json_need(json, "do", &body, reader->error));
    COR_TRY(add_goal(reader, json, *goal, SYSTEM_LAYER__CHOOSE, &chooser));
    COR_TRY(system_layer__read_condition(reader, when, &condition));
    reader->goals->goals[chooser].condition = condition;
    COR_TRY(add_goal(reader, json, *goal, SYSTEM_LAYER__REPEAT, &repeat));
    COR_TRY(add_lap(reader, json, &body, condition, true, repeat));
    return add_goal(reader, json, *goal, SYSTEM_LAYER__SUCCESS, &made);
}

static enum cor_status read_condition_leaf(struct system_layer__reader *reader, const struct cor_json *json,
                                           const char *key, const struct cor_json *member, uint32_t parent,
                                           uint32_t *goal) {
    const uint8_t kind = strcmp(key, "check") == 0 ? SYSTEM_LAYER__CHECK : SYSTEM_LAYER__ASSERT;
    uint32_t condition;
    COR_TRY(begin_goal(reader, json, parent, kind, goal));
    COR_TRY(system_layer__read_condition(reader, member, &condition));
    reader->goals->goals[*goal].condition = condition;
    return COR_OK;
}

static enum cor_status read_interruptible(struct system_layer__reader *reader, const struct cor_json *json,
                                          const char *key, const struct cor_json *body, uint32_t parent,
                                          uint32_t *goal) {
    (void)key;
    static const char *const keys[] = {"when", "do", NULL};
    struct cor_json handlers, when, handler;
    uint32_t made, condition;
    COR_TRY(cor_json_need(json, "handlers", &handlers, reader->error));
    COR_TRY(cor_json_expect_array(&handlers, 1, 1000, reader->error));
    COR_TRY(begin_goal(reader, json, parent, SYSTEM_LAYER__INTERRUPTIBLE, goal));
    COR_TRY(system_layer__read_goal(reader, body, *goal, &made));
    const uint32_t level = reader->level;
    reader->level = reader->level_high; /* what the goal has selected stays while a handler selects */
    COR_JSON_CHILDREN(item, &handlers) {
        COR_TRY(cor_json_expect_object(&item, keys, reader->error));
        COR_TRY(cor_json_need(&item, "when", &when, reader->error));
        COR_TRY(cor_json_need(&item, "do", &handler, reader->error));
        COR_TRY(system_layer__read_condition(reader, &when, &condition));
        COR_TRY(system_layer__read_goal(reader, &handler, *goal, &made));
        reader->goals->goals[made].interrupts = condition;
    }
    reader->level = level;
    return COR_OK;
}

/* -- named goals -- */

static struct system_layer__definition *find_definition(struct cor_goals *goals, const char *name) {
    for (uint32_t d = 0; d < goals->definition_count; d++)
        if (strcmp(goals->definitions[d].name, name) == 0)
            return &goals->definitions[d];
    return NULL;
}

static enum cor_status complain_name(struct system_layer__reader *reader, const struct cor_json *json,
                                     const char *name) {
    const struct cor_goals *goals = reader->goals;
    const char *names[260] = {"success", "fail", "explore"};
    char known[900];
    uint32_t count = 3;
    for (uint32_t d = 0; d < goals->definition_count && count < 256; d++)
        names[count++] = goals->definitions[d].name;
    names[count] = NULL;
    cor_known_names(name, names, known, sizeof known);
    return cor_json_fail(json, reader->error, known, "there is no goal \"%.100s\"", name);
}

static bool is_literal(const char *text) {
    const size_t length = strlen(text);
    const char *digits = text + (text[0] == '-');
    return (digits[0] >= '0' && digits[0] <= '9') || strcmp(text, "true") == 0 ||
           strcmp(text, "false") == 0 || (length >= 2 && text[0] == '\'' && text[length - 1] == '\'');
}

/* What the argument is, said where the goal is used. */
static enum cor_status read_meaning(struct system_layer__reader *reader, const struct cor_json *json,
                                    const char *text, uint32_t chooser,
                                    struct system_layer__meaning *meaning) {
    struct cor_goals *goals = reader->goals;
    const struct system_layer__meaning *known = system_layer__meaning(reader, text);
    uint32_t kept, reference, query;
    meaning->slot = COR_NONE;
    if (known) {
        const char *name = meaning->name;
        *meaning = *known;
        meaning->name = name;
        return COR_OK;
    }
    COR_TRY(system_layer__name_of(reader, text, &kept));
    if (is_literal(text)) {
        meaning->text = cor_words_text(&goals->names, kept);
        return COR_OK;
    }
    const uint32_t meanings = reader->meaning_count;
    COR_TRY(read_entity(reader, json, text, &reference, &query));
    meaning->entity = cor_words_text(&goals->names, kept);
    if (query == COR_NONE)
        return COR_OK;
    if (chooser == COR_NONE)
        return cor_json_fail(json, reader->error,
                             "write {\"deploy\": \"NAME\", \"with\": {\"PARAMETER\": \"..\"}}",
                             "\"%.200s\" is chosen while the test runs", text);
    if (goals->queries[query].is_any)
        return cor_json_fail(json, reader->error, "write nearest(..)", "one entity is wanted here");
    meaning->entity = reader->meanings[meanings].entity;
    meaning->slot = goals->queries[query].slot;
    reader->meaning_count = meanings;
    return add_bind(reader, chooser, query);
}

/* Reads the goal that is called so with these meanings of its parameters. */
static enum cor_status read_definition(struct system_layer__reader *reader, const struct cor_json *json,
                                       struct system_layer__definition *definition,
                                       const struct system_layer__meaning *given, uint32_t parent,
                                       uint32_t *goal) {
    struct cor_goals *goals = reader->goals;
    const uint32_t count = reader->meaning_count;
    bool was_hidden[SYSTEM_LAYER__MEANINGS_MAX];
    if (definition->is_open)
        return cor_json_fail(json, reader->error, "a \"repeat\" or a \"while\" does the same again",
                             "goal \"%.100s\" is a part of itself", definition->name);
    const struct cor_json body = cor_json_at(&goals->way[0], definition->member);
    for (uint32_t m = 0; m < count; m++) {
        was_hidden[m] = reader->meanings[m].is_hidden;
        reader->meanings[m].is_hidden = strcmp(reader->meanings[m].name, "self") != 0;
    }
    definition->is_open = true;
    COR_TRY(apply_meanings(reader, json));
    for (uint32_t p = 0; p < definition->parameter_count; p++)
        COR_TRY(add_meaning(reader, &body, given[p]));
    const enum cor_status status = system_layer__read_goal(reader, &body, parent, goal);
    if (status != COR_OK && reader->error && !reader->error->remedy[0]) {
        char place[480];
        cor_json_place(json, place, sizeof place);
        snprintf(reader->error->remedy, sizeof reader->error->remedy, COR_JSON_NAMED_IN "%s", place);
    }
    COR_TRY(status);
    definition->is_open = false;
    reader->meaning_count = count;
    for (uint32_t m = 0; m < count; m++)
        reader->meanings[m].is_hidden = was_hidden[m];
    return apply_meanings(reader, json);
}

static const char *parameter_name(const struct system_layer__definition *definition, uint32_t index) {
    const char *at = definition->parameters;
    for (; index > 0; index--)
        at += strlen(at) + 1;
    return at;
}

static enum cor_status read_goal_call(struct system_layer__reader *reader, const struct cor_json *json,
                                      const char *text, char *copy, uint32_t parent, uint32_t *goal) {
    struct system_layer__meaning given[SYSTEM_LAYER__PARAMETERS_MAX] = {{0}};
    char *arguments[SYSTEM_LAYER__PARAMETERS_MAX];
    uint32_t count, name;
    if (!system_layer__split(copy, arguments, SYSTEM_LAYER__PARAMETERS_MAX, &count))
        return cor_json_fail(json, reader->error, "write NAME, or NAME(ARGUMENT, ..)",
                             "\"%.200s\" is no goal with arguments", text);
    struct system_layer__definition *definition = find_definition(reader->goals, copy);
    if (!definition)
        return complain_name(reader, json, copy);
    if (count != definition->parameter_count)
        return cor_json_fail(json, reader->error, NULL, "goal \"%.100s\" has %u parameter%s, and is given %u",
                             definition->name, definition->parameter_count,
                             definition->parameter_count == 1 ? "" : "s", count);
    for (uint32_t p = 0; p < count; p++) {
        given[p].name = parameter_name(definition, p);
        COR_TRY(read_meaning(reader, json, arguments[p], COR_NONE, &given[p]));
    }
    COR_TRY(read_definition(reader, json, definition, given, parent, goal));
    COR_TRY(system_layer__name_of(reader, text, &name));
    if (reader->goals->goals[*goal].name == COR_NONE)
        reader->goals->goals[*goal].name = name;
    return COR_OK;
}

static enum cor_status read_named(struct system_layer__reader *reader, const struct cor_json *json,
                                  const char *text, uint32_t parent, uint32_t *goal) {
    COR_FREED char *copy = cor_strdup(text);
    COR_TRY(cor_made(copy, reader->error));
    return read_goal_call(reader, json, text, copy, parent, goal);
}

static enum cor_status read_deploy(struct system_layer__reader *reader, const struct cor_json *json,
                                   const char *key, const struct cor_json *member, uint32_t parent,
                                   uint32_t *goal) {
    (void)key;
    struct system_layer__meaning given[SYSTEM_LAYER__PARAMETERS_MAX] = {{0}};
    struct cor_json with;
    const char *name;
    uint32_t chooser, made;
    COR_TRY(cor_json_string(member, &name, reader->error));
    COR_TRY(begin_goal(reader, json, parent, SYSTEM_LAYER__IF, goal));
    COR_TRY(add_goal(reader, json, *goal, SYSTEM_LAYER__CHOOSE, &chooser));
    if (!cor_json_find(json, "with", &with))
        return read_named(reader, member, name, *goal, &made);
    struct system_layer__definition *definition = find_definition(reader->goals, name);
    if (!definition)
        return complain_name(reader, member, name);
    /* The values of "with", one for each parameter. */
    const char *keys[SYSTEM_LAYER__PARAMETERS_MAX + 1];
    for (uint32_t p = 0; p < definition->parameter_count; p++)
        keys[p] = parameter_name(definition, p);
    keys[definition->parameter_count] = NULL;
    COR_TRY(cor_json_expect_object(&with, keys, reader->error));
    for (uint32_t p = 0; p < definition->parameter_count; p++) {
        struct cor_json value;
        const char *text;
        COR_FREED char *number = NULL;
        given[p].name = keys[p];
        COR_TRY(cor_json_need(&with, keys[p], &value, reader->error));
        if (cor_json_is_string(&value)) {
            COR_TRY(cor_json_string(&value, &text, reader->error));
        } else {
            COR_TRY(cor_made(number = cor_json_text(&value), reader->error));
            text = number;
        }
        COR_TRY(number && !is_literal(number)
                    ? cor_json_fail(&value, reader->error, NULL,
                                    "a parameter stands for an entity, a number, a truth value or a word")
                    : read_meaning(reader, &value, text, chooser, &given[p]));
    }
    COR_TRY(read_definition(reader, member, definition, given, *goal, &made));
    uint32_t kept;
    COR_TRY(system_layer__name_of(reader, name, &kept));
    if (reader->goals->goals[made].name == COR_NONE)
        reader->goals->goals[made].name = kept;
    return COR_OK;
}

/* -- which goal it is -- */

/* `key` is the member by which it is known, `member` the value of that. */
typedef enum cor_status read_form(struct system_layer__reader *reader, const struct cor_json *json,
                                  const char *key, const struct cor_json *member, uint32_t parent,
                                  uint32_t *goal);

/* "do" and "assert" are goals only where none of the others is given. */
static const struct goal_form {
    const char *key;
    const char *keys[6]; /* beside it and the attributes */
    read_form *read;
} goal_forms[] = {
    {"goal", {"tactic"}, read_solve},
    {"distance", {"epsilon", "tactic"}, read_solve},
    {"seq", {NULL}, read_goal_children},
    {"first_of", {NULL}, read_goal_children},
    {"repeat", {"tries", "until"}, read_repeat},
    {"check", {NULL}, read_condition_leaf},
    {"if", {"then", "else"}, read_if},
    {"try_if", {"then", "else"}, read_if},
    {"while", {"do"}, read_while},
    {"deploy", {"with"}, read_deploy},
    {"interruptible", {"handlers"}, read_interruptible},
    {"reach", {"do", "by", "among"}, read_reach},
    {"interact", {"do", "by", "among"}, read_reach},
    {"seen", {NULL}, read_reach},
    {"explore", {NULL}, read_explore},
    {"achieve", {"by", "among"}, read_wanted},
    {"plan", {NULL}, read_wanted},
    {"do", {NULL}, read_do},
    {"assert", {NULL}, read_condition_leaf},
};
#define FORM_COUNT_GOAL (sizeof goal_forms / sizeof *goal_forms)
#define FORM_DO (FORM_COUNT_GOAL - 2)

static const char *const attribute_keys[] = {"max", "name", "fail_when", "assert"};
#define ATTRIBUTE_COUNT (sizeof attribute_keys / sizeof *attribute_keys)

static enum cor_status system_layer__read_goal(struct system_layer__reader *reader,
                                               const struct cor_json *json, uint32_t parent, uint32_t *goal) {
    const char *text;
    if (!cor_json_is_object(json)) {
        if (!cor_json_is_string(json))
            return cor_json_fail(json, reader->error, "write a name, or an object with \"seq\", \"goal\", ..",
                                 "this is no goal");
        COR_TRY(cor_json_string(json, &text, reader->error));
        if (strcmp(text, "success") == 0)
            return add_goal(reader, json, parent, SYSTEM_LAYER__SUCCESS, goal);
        if (strcmp(text, "fail") == 0)
            return add_goal(reader, json, parent, SYSTEM_LAYER__FAIL, goal);
        if (strcmp(text, "explore") == 0)
            return read_explore(reader, json, text, json, parent, goal);
        return read_named(reader, json, text, parent, goal);
    }
    const uint32_t meanings = reader->meaning_count, level = reader->level, target = reader->target;
    reader->target = COR_NONE;
    const char *keys[FORM_COUNT_GOAL + ATTRIBUTE_COUNT + 8];
    struct cor_json member;
    size_t count = 0;
    const struct goal_form *form = NULL;
    for (size_t f = 0; f < FORM_COUNT_GOAL; f++) {
        if (!cor_json_find(json, goal_forms[f].key, &member) || (form && f >= FORM_DO))
            continue;
        if (form)
            return cor_json_fail(json, reader->error, "put one within the other",
                                 "a goal is given in two ways: \"%s\" and \"%s\"", form->key,
                                 goal_forms[f].key);
        form = &goal_forms[f];
    }
    if (!form)
        for (size_t f = 0; f < FORM_DO; f++)
            keys[count++] = goal_forms[f].key;
    else
        keys[count++] = form->key;
    if (!form)
        keys[count++] = "do";
    for (size_t k = 0; form && k < sizeof form->keys / sizeof *form->keys && form->keys[k]; k++)
        keys[count++] = form->keys[k];
    for (size_t a = 0; a < ATTRIBUTE_COUNT; a++)
        if (!form || strcmp(form->key, attribute_keys[a]) != 0)
            keys[count++] = attribute_keys[a];
    keys[count] = NULL;
    COR_TRY(cor_json_expect_object(json, keys, reader->error));
    if (!form)
        return cor_json_fail(
            json, reader->error,
            "give one of \"goal\", \"seq\", \"first_of\", \"repeat\", \"check\", \"do\", \"assert\", "
            "\"if\", \"try_if\", \"while\", \"deploy\", \"interruptible\", \"reach\", \"interact\", "
            "\"seen\", \"explore\", \"achieve\", \"distance\" and \"plan\"",
            "nothing says what the goal is");
    COR_TRY(cor_json_need(json, form->key, &member, reader->error));
    COR_TRY(form->read(reader, json, form->key, &member, parent, goal));
    reader->level = level;
    reader->target = target;
    return drop_meanings(reader, json, meanings);
}

/* ---- the goals of a file: made, read, freed */

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
        COR_FREE(goals->definitions[d].name, goals->definitions[d].parameters);
    }
    COR_FREE(goals->definitions, goals->way);
    cor_words_fini(&goals->names);
    cor_words_fini(&goals->keys);
    COR_FREE(goals->key_condition, goals->goals, goals->tactics, goals->conditions, goals->uses, goals->slots,
             goals->queries, goals->binds, goals->references, goals->arguments, goals);
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
        /* A parameter is called as nothing else is that conditions can name. */
        static const char *const reserved[] = {"and",  "or",    "not",  "implies", "true", "false", "in",
                                               "all",  "any",   "one",  "count",   "sum",  "min",   "max",
                                               "mean", "where", "self", "nearest", NULL};
        const struct cor_scope *scope = cor_world_vocabulary_scope(goals->vocabulary);
        const char *name = parameters[p];
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
            return cor_json_fail(json, error, "choose another name", "\"%.60s\" is something else already",
                                 name);
        for (uint32_t other = 0; other < p; other++)
            if (strcmp(parameters[other], name) == 0)
                return cor_json_fail(json, error, NULL, "parameter \"%.60s\" is there twice", name);
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

static enum cor_status read_root(struct cor_goals *goals, const char *test_agent, const struct cor_json *goal,
                                 uint32_t *root, struct cor_error *error) {
    const struct mark mark = mark_of(goals);
    const struct cor_shape *shape = cor_world_vocabulary_scope(goals->vocabulary)->shape;
    COR_FREED struct system_layer__reader *reader = cor_calloc(1, sizeof *reader);
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
        COR_TRY_OUT(add_meaning(
            reader, goal,
            (struct system_layer__meaning){.name = "self", .entity = test_agent, .slot = COR_NONE}));
    COR_TRY_OUT(system_layer__read_goal(reader, goal, COR_NONE, root));
out:
    cor_world_vocabulary_forget_aliases(goals->vocabulary);
    if (status != COR_OK)
        take_back(goals, mark);
    return status;
}

enum cor_status cor_goals_create(const struct cor_world_declaration *declaration,
                                 struct cor_world_vocabulary *vocabulary, const struct cor_json *definitions,
                                 struct cor_goals **created, struct cor_error *error) {
    *created = NULL;
    COR_DESTROYED(cor_goals) struct cor_goals *goals = cor_calloc(1, sizeof *goals);
    COR_TRY(cor_made(goals, error));
    enum cor_status status = COR_OK;
    goals->declaration = declaration;
    goals->vocabulary = vocabulary;
    goals->has_map = declaration->columns > 0 || declaration->has_paths;
    cor_words_init(&goals->names);
    cor_words_init(&goals->keys);
    if (definitions) {
        /* The values that lead to the definitions, whose structs may be gone when goals are read. */
        size_t count = 0;
        for (const struct cor_json *at = definitions; at; at = at->parent)
            count++;
        COR_TRY(cor_made(goals->way = cor_calloc(count, sizeof *goals->way), error));
        size_t i = 0;
        for (const struct cor_json *at = definitions; at; at = at->parent, i++) {
            goals->way[i] = *at;
            goals->way[i].parent = i + 1 < count ? &goals->way[i + 1] : NULL;
        }
        COR_TRY(cor_json_expect_object(&goals->way[0], NULL, error));
        const size_t head_count = cor_json_size(&goals->way[0]);
        COR_TRY(cor_made(goals->definitions = cor_calloc(head_count, sizeof *goals->definitions), error));
        for (size_t h = 0; h < head_count; h++) {
            const struct cor_json member = cor_json_at(&goals->way[0], h);
            char *copy = cor_strdup(member.key);
            COR_TRY(cor_made(copy, error));
            status = read_head(goals, &member, copy, error);
            free(copy);
            COR_TRY(status);
        }
    }
    *created = cor_taken(&goals);
    return status;
}

enum cor_status cor_goals_check(struct cor_goals *goals, struct cor_error *error) {
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

enum cor_status cor_goals_read(struct cor_goals *goals, const char *test_agent, const struct cor_json *goal,
                               uint32_t *root, struct cor_error *error) {
    return read_root(goals, test_agent, goal, root, error);
}
