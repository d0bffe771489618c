/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Types and belief sets of a design: fields first, rules when the events are there. */
#include "design_reader.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* Types: the words of each enumeration. */
static enum cor_status read_type(const struct cor_json *json, struct agent_layer__reader *reader,
                                 struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, COR_ITEMS_MAX, error));
    size_t count = cor_json_size(json);
    if (count == 0)
        return cor_json_fail(json, error, "list its words, at least one", "type \"%s\" has no values",
                             json->key);
    enum cor_status status = COR_OK;
    const char **words = cor_calloc(count, sizeof *words);
    COR_TRY(cor_made(words, error));
    for (size_t i = 0; i < count; i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY_OUT(cor_json_string(&item, &words[i], error));
    }
    cor_json_place(json, reader->place, sizeof reader->place);
    COR_TRY_OUT(
        cor_design_add_type(reader->design, json->key, words, (uint32_t)count, reader->place, NULL, error));
out:
    free(words);
    return status;
}

enum cor_status agent_layer__read_types(const struct cor_json *json, void *into, struct cor_error *error) {
    COR_TRY(cor_json_expect_object(json, NULL, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(read_type(&item, into, error));
    }
    return COR_OK;
}

/* Belief sets. Their rules wait for the events. */
static enum cor_status read_belief_name(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    const char *name;
    COR_TRY(agent_layer__read_text(json, &name, reader->place, error));
    return cor_design_add_belief(reader->design, name, reader->place, &reader->index, error);
}

/* The array "key" of the object that `fields` is in, whether it names the field `name`. */
static bool is_key(const struct cor_json *fields, const char *name) {
    struct cor_json keys;
    const char *key;
    bool found = false;
    if (!cor_json_find(fields->parent, "key", &keys) || !cor_json_is_array(&keys))
        return false;
    for (size_t i = 0; i < cor_json_size(&keys) && !found; i++) {
        const struct cor_json item = cor_json_at(&keys, i);
        found = cor_json_string(&item, &key, NULL) == COR_OK && strcmp(key, name) == 0;
    }
    return found;
}

static enum cor_status read_belief_fields(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    if (cor_json_size(json) == 0)
        return cor_json_fail(json, error, "name at least one field with its type", "holds nothing");
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        uint32_t domain;
        COR_TRY(agent_layer__look_up(&item, reader, COR_NAME_TYPE, &domain, error));
        COR_TRY(cor_design_add_field(reader->design, item.key, domain, is_key(json, item.key), reader->place,
                                     NULL, error));
    }
    return COR_OK;
}

/* Keys are fields of the set, each named once. */
static enum cor_status read_belief_key(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    const struct cor_design_belief *belief = &reader->design->beliefs[reader->index];
    const struct cor_design_field *fields = reader->design->fields + belief->first_field;
    enum cor_status status = COR_OK;
    COR_TRY(cor_json_expect_array(json, 0, belief->field_count, error));
    const char **names = cor_calloc(2 * (size_t)belief->field_count + 1, sizeof *names);
    COR_TRY(cor_made(names, error));
    const char **said = names + belief->field_count + 1;
    for (uint32_t i = 0; i < belief->field_count; i++)
        names[i] = fields[i].name;
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        int index;
        COR_TRY_OUT(cor_json_one_of(&item, names, "field", &index, error));
        said[i] = names[index];
        for (size_t j = 0; j < i; j++)
            if (said[j] == said[i]) {
                status = cor_json_fail(&item, error, "name it once", "\"%s\" is a key twice", said[i]);
                goto out;
            }
    }
out:
    free(names);
    return status;
}

static enum cor_status read_relation(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    bool is_relation;
    COR_TRY(cor_json_bool(json, &is_relation, error));
    cor_json_place(json, reader->place, sizeof reader->place);
    return is_relation ? cor_design_make_relation(reader->design, reader->place, error) : COR_OK;
}

static enum cor_status read_races(const struct cor_json *json, void *into, struct cor_error *error) {
    static const char *const words[] = {"never", "allowed", NULL};
    static const enum cor_races races[] = {COR_RACES_NEVER, COR_RACES_ALLOWED};
    struct agent_layer__reader *reader = into;
    int index;
    COR_TRY(cor_json_one_of(json, words, "word", &index, error));
    reader->design->beliefs[reader->index].races = races[index];
    return COR_OK;
}

static const struct cor_field belief_fields[] = {
    {"name", COR_REQUIRED, COR_READ_FIELD(read_belief_name)},
    {"src", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_note)},
    {"note", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_note)},
    {"fields", COR_REQUIRED, COR_READ_FIELD(read_belief_fields)},
    {"key", COR_OPTIONAL, COR_READ_FIELD(read_belief_key)},
    {"relation", COR_OPTIONAL, COR_READ_FIELD(read_relation)},
    {"races", COR_OPTIONAL, COR_READ_FIELD(read_races)},
    {"posts", COR_OPTIONAL, COR_KNOWN_FIELD},
    {0}};

enum cor_status agent_layer__read_beliefs(const struct cor_json *json, void *into, struct cor_error *error) {
    return agent_layer__read_items(json, 0, belief_fields, into, error);
}

/* Rules of belief sets. */
struct rule {
    struct agent_layer__reader *reader;
    uint32_t event;
    const char *when;
    char place[COR_PLACE_BYTES]; /* of `when` */
};

static enum cor_status read_on(const struct cor_json *json, void *into, struct cor_error *error) {
    static const char *const changes[] = {"update", NULL};
    int index;
    (void)into;
    return cor_json_one_of(json, changes, "change", &index, error);
}

static enum cor_status read_rule_event(const struct cor_json *json, void *into, struct cor_error *error) {
    struct rule *rule = into;
    return agent_layer__look_up(json, rule->reader, COR_NAME_EVENT, &rule->event, error);
}

static enum cor_status read_when(const struct cor_json *json, void *into, struct cor_error *error) {
    struct rule *rule = into;
    COR_TRY(agent_layer__read_text(json, &rule->when, rule->place, error));
    return cor_design_add_rule(rule->reader->design, rule->reader->index, rule->when, rule->event,
                               rule->place, error);
}

static const struct cor_field rule_fields[] = {{"on", COR_REQUIRED, COR_READ_FIELD(read_on)},
                                               {"event", COR_REQUIRED, COR_READ_FIELD(read_rule_event)},
                                               {"when", COR_REQUIRED, COR_READ_FIELD(read_when)},
                                               {0}};

static enum cor_status read_belief_rules(const struct cor_json *json, void *into, struct cor_error *error) {
    struct rule rule = {.reader = into};
    COR_TRY(cor_json_expect_array(json, 0, COR_ITEMS_MAX, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(cor_json_fields(&item, rule_fields, &rule, error));
    }
    return COR_OK;
}

static const struct cor_field belief_rule_fields[] = {
    {"posts", COR_OPTIONAL, COR_READ_FIELD(read_belief_rules)}, {0}};

enum cor_status agent_layer__read_rules(struct agent_layer__reader *reader, struct cor_error *error) {
    struct cor_json beliefs;
    if (!cor_json_find(reader->root, "beliefs", &beliefs))
        return COR_OK;
    for (size_t i = 0; i < cor_json_size(&beliefs); i++) {
        const struct cor_json item = cor_json_at(&beliefs, i);
        struct agent_layer__reader one = *reader;
        one.index = (uint32_t)i;
        COR_TRY(cor_json_members(&item, belief_rule_fields, &one, error));
    }
    return COR_OK;
}

/* Start values, by field. */
enum cor_status agent_layer__read_start_values(const struct cor_json *json, void *into,
                                               struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        struct cor_value value;
        uint32_t field;
        cor_json_place(&item, reader->place, sizeof reader->place);
        COR_TRY(cor_design_look_up_field(reader->design, item.key, reader->place, &field, error));
        COR_TRY(agent_layer__read_value(&item, reader->design, reader->design->fields[field].domain, &value,
                                        error));
        cor_design_set_start(reader->design, field, value);
    }
    return COR_OK;
}
