/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What goals and tactics name: conditions, entities, queries over entities, actions with their arguments; and
 * what names stand for where they are read. */
#include "goal_nodes.h"
#include "internal.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The error gets the place of the value, unless it has one. */
static enum cor_status put_place(struct system_layer__reader *reader, const struct cor_json *json,
                                 enum cor_status status) {
    if (status != COR_OK && reader->error && !reader->error->place[0])
        cor_json_place(json, reader->error->place, sizeof reader->error->place);
    return status;
}

enum cor_status system_layer__name_of(struct system_layer__reader *reader, const char *text, uint32_t *name) {
    return cor_words_intern(&reader->goals->names, text, name, reader->error);
}

enum cor_status system_layer__expect_map(struct system_layer__reader *reader, const struct cor_json *json,
                                         const char *word) {
    if (reader->goals->has_map)
        return COR_OK;
    return cor_json_fail(json, reader->error, "say it with \"goal\" and a tactic of actions",
                         "world \"%s\" has neither cells nor paths, so there is no way for \"%s\"",
                         reader->goals->declaration->name, word);
}

/* -- what names mean -- */

const struct system_layer__meaning *system_layer__meaning(const struct system_layer__reader *reader,
                                                          const char *name) {
    for (uint32_t i = reader->meaning_count; i > 0; i--)
        if (!reader->meanings[i - 1].is_hidden && strcmp(reader->meanings[i - 1].name, name) == 0)
            return &reader->meanings[i - 1];
    return NULL;
}

enum cor_status system_layer__apply_meanings(struct system_layer__reader *reader,
                                             const struct cor_json *json) {
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

enum cor_status system_layer__add_meaning(struct system_layer__reader *reader, const struct cor_json *json,
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

enum cor_status system_layer__drop_meanings(struct system_layer__reader *reader, const struct cor_json *json,
                                            uint32_t count) {
    if (reader->meaning_count == count)
        return COR_OK;
    reader->meaning_count = count;
    return system_layer__apply_meanings(reader, json);
}

/* -- conditions -- */

/* Notes which nodes are entities of slots. */
static enum cor_status note_uses(struct system_layer__reader *reader,
                                 struct system_layer__condition *condition) {
    struct cor_goals *goals = reader->goals;
    condition->use_start = goals->use_count;
    for (uint32_t n = 0; n < condition->expression.node_count; n++) {
        const struct cor_node *node = &condition->expression.nodes[n];
        if (node->operator!= COR_OPERATOR_CONSTANT || node->type != COR_NODE_ELEMENT)
            continue;
        for (uint32_t s = 0; s < goals->slot_count; s++)
            if (goals->slots[s].type == node->element && goals->slots[s].element == node->constant) {
                COR_TRY(COR_RESERVE(&goals->uses, &goals->use_capacity, goals->use_count + 1, reader->error));
                goals->uses[goals->use_count++] = (struct system_layer__slot_use){n, s};
            }
    }
    condition->use_count = goals->use_count - condition->use_start;
    return COR_OK;
}

/* Parses what gives a value of that domain, with the numbers and words that names stand for. */
static enum cor_status parse_new(struct system_layer__reader *reader, const struct cor_json *json,
                                 const char *text, const struct cor_domain *domain, uint32_t key) {
    struct cor_goals *goals = reader->goals;
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
    COR_TRY(domain
                ? cor_expression_parse_value(text, &own, domain, place, &condition->expression, reader->error)
                : cor_expression_parse_condition(text, &own, place, &condition->expression, reader->error));
    goals->key_condition[key] = goals->condition_count++;
    return note_uses(reader, condition);
}

/* The number of the text together with what names stand for, and with whether a condition is wanted. */
static enum cor_status find_key(struct system_layer__reader *reader, const char *text, bool is_condition,
                                uint32_t *key) {
    struct cor_goals *goals = reader->goals;
    char *whole = cor_format("%c%s", is_condition ? '?' : '#', text);
    for (uint32_t i = 0; i < reader->meaning_count; i++) {
        const struct system_layer__meaning *meaning = &reader->meanings[i];
        if (!meaning->is_hidden)
            whole = cor_join_take(
                whole, "\n",
                cor_format("%s %s", meaning->name, meaning->entity ? meaning->entity : meaning->text));
    }
    COR_TRY(cor_made(whole, reader->error));
    const uint32_t count = goals->keys.count;
    enum cor_status status = cor_words_intern(&goals->keys, whole, key, reader->error);
    free(whole);
    COR_TRY(status);
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
    if (known >= goals->condition_count || goals->conditions[known].key != key) /* or it was taken back */
        COR_TRY(parse_new(reader, json, text, domain, key));
    *number = goals->key_condition[key];
    return COR_OK;
}

enum cor_status system_layer__read_condition(struct system_layer__reader *reader, const struct cor_json *json,
                                             uint32_t *condition) {
    const char *text;
    COR_TRY(cor_json_string(json, &text, reader->error));
    return parse(reader, json, text, NULL, condition);
}

enum cor_status system_layer__read_condition_member(struct system_layer__reader *reader,
                                                    const struct cor_json *json, const char *key,
                                                    uint32_t *condition) {
    struct cor_json member;
    *condition = COR_NONE;
    return cor_json_find(json, key, &member) ? system_layer__read_condition(reader, &member, condition)
                                             : COR_OK;
}

enum cor_status system_layer__read_planned(struct system_layer__reader *reader, const struct cor_json *json,
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

enum cor_status system_layer__read_number(struct system_layer__reader *reader, const struct cor_json *json,
                                          uint32_t *condition) {
    const char *text;
    COR_TRY(cor_json_string(json, &text, reader->error));
    return parse(reader, json, text, &reals, condition);
}

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
    COR_TRY(system_layer__add_meaning(
        reader, json,
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

enum cor_status system_layer__read_entity(struct system_layer__reader *reader, const struct cor_json *json,
                                          const char *text, uint32_t *reference, uint32_t *query) {
    struct cor_goals *goals = reader->goals;
    bool is_any;
    *query = COR_NONE;
    if (is_query(text, &is_any)) {
        char *copy = cor_strdup(text);
        COR_TRY(cor_made(copy, reader->error));
        const enum cor_status status = read_query(reader, json, text, copy, is_any, query);
        free(copy);
        COR_TRY(status);
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

/* The values of a domain as users know them. */
static void describe_domain(const struct cor_goals *goals, const struct cor_domain *domain, char *text,
                            size_t size) {
    int used = snprintf(text, size, "of type %.60s", domain->name);
    if (domain->type != COR_VALUE_TYPE_ENUMERATION)
        return;
    used = snprintf(text, size, "one of");
    for (uint32_t w = 0; w < domain->word_count && (size_t)used < size - 1; w++)
        used += snprintf(text + used, size - (size_t)used, "%s %.60s", w ? "," : "",
                         cor_words_text(goals->declaration->words, domain->words[w]));
}

/* `value`: as it is shown; NULL: the JSON value. */
static enum cor_status complain_value(struct system_layer__reader *reader, const struct cor_json *json,
                                      const struct cor_action_parameter *parameter, const char *value) {
    char is[400], *text = value ? NULL : cor_json_text(json);
    if (!value)
        COR_TRY(cor_made(text, reader->error));
    if (parameter->domain)
        describe_domain(reader->goals, parameter->domain, is, sizeof is);
    else
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
    char *text = cor_strdup(quoted + 1);
    COR_TRY(cor_made(text, error));
    char *end = text;
    for (const char *at = quoted + 1; at[0] && at[1]; at++) {
        *end++ = *at;
        at += at[0] == '\'' && at[1] == '\'' && at[2];
    }
    *end = '\0';
    const enum cor_status status = cor_words_intern(words, text, word, error);
    free(text);
    return status;
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
        COR_TRY(system_layer__read_entity(reader, json, text, &argument->reference, &query));
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
bool system_layer__split(char *call, char **arguments, uint32_t most, uint32_t *count) {
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

static bool is_given(const struct system_layer__argument *argument) {
    return argument->domain || argument->reference != COR_NONE;
}

/* What encloses the action is what its one entity is, if that is not given. */
static enum cor_status end_arguments(struct system_layer__reader *reader, const struct cor_json *json,
                                     uint32_t tactic) {
    struct cor_goals *goals = reader->goals;
    const struct cor_action *action = &goals->declaration->actions[goals->tactics[tactic].action];
    struct system_layer__argument *arguments = goals->arguments + goals->tactics[tactic].argument_start;
    bool has_target = false;
    for (uint32_t p = 0; p < action->parameter_count; p++) {
        if (is_given(&arguments[p]))
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

static enum cor_status read_action_object(struct system_layer__reader *reader, const struct cor_json *json,
                                          uint32_t tactic) {
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

enum cor_status system_layer__read_action(struct system_layer__reader *reader, const struct cor_json *json,
                                          uint32_t tactic) {
    const char *text;
    if (cor_json_is_object(json))
        return read_action_object(reader, json, tactic);
    COR_TRY(cor_json_string(json, &text, reader->error));
    char *copy = cor_strdup(text);
    COR_TRY(cor_made(copy, reader->error));
    const enum cor_status status = read_call(reader, json, text, copy, tactic);
    free(copy);
    return status;
}

/* The action by which a library goal changes things, where none is said: the world's only one that takes an
 * entity and nothing else. */
uint32_t system_layer__only_action(const struct cor_world_declaration *declaration) {
    uint32_t found = COR_NONE;
    for (uint32_t a = COR_ACTION_FIRST; a < declaration->action_count; a++)
        if (declaration->actions[a].parameter_count == 1 && !declaration->actions[a].parameters[0].domain) {
            if (found != COR_NONE)
                return COR_NONE;
            found = a;
        }
    return found;
}

enum cor_status system_layer__read_by(struct system_layer__reader *reader, const struct cor_json *json,
                                      bool is_needed, uint32_t tactic) {
    struct cor_goals *goals = reader->goals;
    const struct cor_world_declaration *declaration = goals->declaration;
    struct cor_json member;
    const char *name;
    uint32_t action = system_layer__only_action(declaration), type = COR_NONE;
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

/* The action with the one parameter that it has, the target. */
enum cor_status system_layer__read_only_action(struct system_layer__reader *reader, uint32_t tactic,
                                               uint32_t action) {
    COR_TRY(begin_arguments(reader, tactic, action));
    reader->goals->arguments[reader->goals->tactics[tactic].argument_start].reference = reader->target;
    return COR_OK;
}
