/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts, values and bodies of plans, as designs and faults write them. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/fields.h>
#include <corridor/json_names.h>

#include <float.h>
#include <stdlib.h>
#include <string.h>

#define STATEMENTS_MAX 100000 /* of one list */

enum cor_status agent_layer__read_text(const struct cor_json *json, const char **text,
                                       char place[COR_PLACE_BYTES], struct cor_error *error) {
    cor_json_place(json, place, COR_PLACE_BYTES);
    return cor_json_string(json, text, error);
}

static enum cor_status read_word(const struct cor_json *json, struct cor_design *design, uint32_t domain,
                                 struct cor_value *value, struct cor_error *error) {
    const struct cor_domain *of = &design->domains[domain];
    const char *text;
    uint32_t word;
    COR_TRY(cor_json_string(json, &text, error));
    if (!cor_is_printable(text))
        return cor_json_fail(json, error, "write words without control characters",
                             "this word has control characters");
    COR_TRY(cor_words_intern(&design->words, text, &word, error));
    *value = cor_word(word);
    if (cor_domain_has(of, *value))
        return COR_OK;
    char remedy[1024];
    COR_FREED const char **known = cor_calloc(of->word_count + 1, sizeof *known);
    COR_TRY(cor_made(known, error));
    for (uint32_t i = 0; i < of->word_count; i++)
        known[i] = cor_words_text(&design->words, of->words[i]);
    cor_known_names(text, known, remedy, sizeof remedy);
    return cor_json_fail(json, error, remedy, "%s has no \"%s\"", of->name, text);
}

enum cor_status agent_layer__read_value(const struct cor_json *json, struct cor_design *design,
                                        uint32_t domain, struct cor_value *value, struct cor_error *error) {
    int64_t integer = 0;
    double real = 0;
    bool truth = false;
    switch (design->domains[domain].type) {
    case COR_VALUE_TYPE_INTEGER:
        COR_TRY(cor_json_integer(json, INT64_MIN, INT64_MAX, &integer, error));
        *value = cor_integer(integer);
        return COR_OK;
    case COR_VALUE_TYPE_REAL:
        COR_TRY(cor_json_real(json, -DBL_MAX, DBL_MAX, &real, error));
        *value = cor_real(real);
        return COR_OK;
    case COR_VALUE_TYPE_BOOLEAN:
        COR_TRY(cor_json_bool(json, &truth, error));
        *value = cor_integer(truth);
        return COR_OK;
    case COR_VALUE_TYPE_STRING:
        *value = cor_null();
        return cor_json_is_null(json) ? COR_OK : read_word(json, design, domain, value, error);
    case COR_VALUE_TYPE_ENUMERATION:
        break;
    }
    return read_word(json, design, domain, value, error);
}

/* A statement under way: the word that says what it is, and the rest. */
struct statement {
    struct cor_body *body;
    char place[COR_PLACE_BYTES];
    const char *subject;
    char *text; /* owned */
    bool optional, waits, fails;
};

/* An expression is a string; numbers and truth values may be written as such. */
static enum cor_status read_expression(const struct cor_json *json, char **text, struct cor_error *error) {
    const char *written;
    bool truth;
    if (cor_json_is_number(json)) {
        *text = cor_json_text(json);
        return cor_made(*text, error);
    }
    if (!cor_json_is_string(json) && cor_json_bool(json, &truth, NULL) == COR_OK)
        written = truth ? "true" : "false";
    else
        COR_TRY(cor_json_string(json, &written, error));
    *text = cor_strdup(written);
    return cor_made(*text, error);
}

static enum cor_status read_text_of(const struct cor_json *json, void *into, struct cor_error *error) {
    return read_expression(json, &((struct statement *)into)->text, error);
}

static enum cor_status read_condition(const struct cor_json *json, void *into, struct cor_error *error) {
    struct statement *statement = into;
    const char *text;
    cor_json_place(json, statement->place, sizeof statement->place);
    COR_TRY(cor_json_string(json, &text, error));
    statement->text = cor_strdup(text);
    return cor_made(statement->text, error);
}

static enum cor_status add(struct statement *statement, enum cor_statement_kind kind,
                           struct cor_error *error) {
    COR_TRY(cor_body_add(statement->body, kind, statement->place, statement->subject, statement->text,
                         statement->optional, error));
    if (!statement->waits)
        cor_body_set_aside(statement->body);
    return COR_OK;
}

static enum cor_status read_wait(const struct cor_json *json, void *into, struct cor_error *error) {
    struct statement *statement = into;
    COR_TRY(cor_json_bool(json, &statement->waits, error));
    return statement->waits || !statement->optional
               ? COR_OK
               : cor_json_fail(json, error, "leave \"optional\" out",
                               "nothing waits for the post, so that the plan goes on in any case");
}

static enum cor_status read_column(const struct cor_json *json, void *into, struct cor_error *error) {
    COR_FREED char *text = NULL;
    COR_TRY(read_expression(json, &text, error));
    return cor_body_add_argument(((struct statement *)into)->body, json->key, text, error);
}

/* Parameters, or fields of a row or a key, with what they are: as those of what is added with them. */
static enum cor_status read_columns(const struct cor_json *json, struct statement *statement,
                                    enum cor_statement_kind kind, struct cor_error *error) {
    COR_TRY(add(statement, kind, error));
    return cor_json_each_member(json, read_column, statement, error);
}

static enum cor_status read_arguments(const struct cor_json *json, void *into, struct cor_error *error) {
    return read_columns(json, into, COR_STATEMENT_POST, error);
}

static enum cor_status read_content(const struct cor_json *json, void *into, struct cor_error *error) {
    return read_columns(json, into, COR_STATEMENT_SEND, error);
}

static enum cor_status read_then(const struct cor_json *json, void *into, struct cor_error *error) {
    struct statement *statement = into;
    COR_TRY(add(statement, COR_STATEMENT_IF, error));
    return agent_layer__read_body(json, statement->body, error);
}

static enum cor_status read_else(const struct cor_json *json, void *into, struct cor_error *error) {
    struct statement *statement = into;
    cor_body_else(statement->body);
    return agent_layer__read_body(json, statement->body, error);
}

static enum cor_status read_while_body(const struct cor_json *json, void *into, struct cor_error *error) {
    struct statement *statement = into;
    COR_TRY(add(statement, COR_STATEMENT_WHILE, error));
    return agent_layer__read_body(json, statement->body, error);
}

static enum cor_status read_row(const struct cor_json *json, void *into, struct cor_error *error) {
    return read_columns(json, into, COR_STATEMENT_INSERT, error);
}

static enum cor_status read_key(const struct cor_json *json, void *into, struct cor_error *error) {
    return read_columns(json, into, COR_STATEMENT_REMOVE, error);
}

/* Strands, each a list of statements. */
static enum cor_status read_strands(const struct cor_json *json, void *into, struct cor_error *error) {
    struct statement *statement = into;
    char place[COR_PLACE_BYTES];
    COR_TRY(cor_json_expect_array(json, 2, STATEMENTS_MAX, error));
    COR_TRY(add(statement, COR_STATEMENT_PARALLEL, error));
    COR_JSON_CHILDREN(item, json) {
        cor_json_place(&item, place, sizeof place);
        COR_TRY(cor_body_add(statement->body, COR_STATEMENT_STRAND, place, NULL, NULL, false, error));
        COR_TRY(agent_layer__read_body(&item, statement->body, error));
        cor_body_close(statement->body);
    }
    return COR_OK;
}

static enum cor_status read_fail(const struct cor_json *json, void *into, struct cor_error *error) {
    bool fails;
    (void)into;
    COR_TRY(cor_json_bool(json, &fails, error));
    return fails ? COR_OK : cor_json_fail(json, error, "leave the statement out", "fails never");
}

#define SUBJECT(word) \
    { word, COR_REQUIRED, COR_STRING_FIELD(struct statement, subject) }
static const struct cor_field set_fields[] = {
    SUBJECT("set"), {"to", COR_REQUIRED, COR_READ_FIELD(read_text_of)}, {0}};
static const struct cor_field send_fields[] = {
    SUBJECT("send"), {"args", COR_OPTIONAL, COR_READ_FIELD(read_content)}, {0}};
static const struct cor_field do_fields[] = {SUBJECT("do"), {0}};
static const struct cor_field post_fields[] = {
    SUBJECT("post"),
    {"optional", COR_OPTIONAL, COR_BOOL_FIELD(struct statement, optional)},
    {"wait", COR_OPTIONAL, COR_READ_FIELD(read_wait)},
    {"args", COR_OPTIONAL, COR_READ_FIELD(read_arguments)},
    {0}};
static const struct cor_field insert_fields[] = {
    SUBJECT("insert"), {"values", COR_REQUIRED, COR_READ_FIELD(read_row)}, {0}};
static const struct cor_field remove_fields[] = {
    SUBJECT("remove"), {"key", COR_OPTIONAL, COR_READ_FIELD(read_key)}, {0}};
static const struct cor_field if_fields[] = {{"if", COR_REQUIRED, COR_READ_FIELD(read_condition)},
                                             {"then", COR_REQUIRED, COR_READ_FIELD(read_then)},
                                             {"else", COR_OPTIONAL, COR_READ_FIELD(read_else)},
                                             {0}};
static const struct cor_field while_fields[] = {{"while", COR_REQUIRED, COR_READ_FIELD(read_condition)},
                                                {"body", COR_REQUIRED, COR_READ_FIELD(read_while_body)},
                                                {0}};
static const struct cor_field parallel_fields[] = {{"parallel", COR_REQUIRED, COR_READ_FIELD(read_strands)},
                                                   {0}};
static const struct cor_field fail_fields[] = {{"fail", COR_REQUIRED, COR_READ_FIELD(read_fail)}, {0}};

/* By the first word of their table; set, do and fail, a post or send without arguments, are added behind it.
 */
static const struct {
    enum cor_statement_kind kind;
    const struct cor_field *fields;
} kinds[] = {{COR_STATEMENT_SET, set_fields},
             {COR_STATEMENT_SEND, send_fields},
             {COR_STATEMENT_DO, do_fields},
             {COR_STATEMENT_POST, post_fields},
             {COR_STATEMENT_IF, if_fields},
             {COR_STATEMENT_WHILE, while_fields},
             {COR_STATEMENT_PARALLEL, parallel_fields},
             {COR_STATEMENT_INSERT, insert_fields},
             {COR_STATEMENT_REMOVE, remove_fields},
             {COR_STATEMENT_FAIL, fail_fields}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* What is still to be done when the rows are read. */
static enum cor_status finish(struct statement *statement, enum cor_statement_kind kind, bool has_arguments,
                              struct cor_error *error) {
    if (cor_statement_holds(kind))
        cor_body_close(statement->body);
    else if (!has_arguments)
        return add(statement, kind, error);
    return COR_OK;
}

enum cor_status agent_layer__read_body(const struct cor_json *json, struct cor_body *body,
                                       struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, STATEMENTS_MAX, error));
    COR_JSON_CHILDREN(item, json) {
        struct statement statement = {.body = body, .waits = true};
        struct cor_json found;
        int kind = 0;
        COR_TRY(cor_json_expect_object(&item, NULL, error));
        while (kind < KINDS && !cor_json_find(&item, kinds[kind].fields->key, &found))
            kind++;
        if (kind == KINDS) {
            const char *words[KINDS + 1] = {NULL};
            char remedy[1024];
            for (int j = 0; j < KINDS; j++)
                words[j] = kinds[j].fields->key;
            if (cor_json_size(&item) == 0)
                return cor_json_fail(
                    &item, error,
                    "a statement is one of set, send, do, post, if, while, parallel, insert, "
                    "remove, fail",
                    "is no statement");
            const struct cor_json first = cor_json_at(&item, 0);
            cor_known_names(first.key, words, remedy, sizeof remedy);
            return cor_json_fail(&item, error, remedy, "is no statement: \"%s\" is unknown", first.key);
        }
        cor_json_place(&item, statement.place, sizeof statement.place);
        static const char *const listed[] = {[COR_STATEMENT_SEND] = "args",
                                             [COR_STATEMENT_POST] = "args",
                                             [COR_STATEMENT_INSERT] = "values",
                                             [COR_STATEMENT_REMOVE] = "key"};
        const enum cor_statement_kind is = kinds[kind].kind;
        const bool has_arguments = cor_statement_has_arguments(is) &&
                                   cor_json_find(&item, listed[is], &found); /* added with the first */
        enum cor_status status = cor_json_fields(&item, kinds[kind].fields, &statement, error);
        if (status == COR_OK)
            status = finish(&statement, is, has_arguments, error);
        free(statement.text);
        COR_TRY(status);
    }
    return COR_OK;
}

/* Reads each item of an array with a table of fields, in an object of its own. */
static enum cor_status read_items(const struct cor_json *json, size_t least, const struct cor_field *fields,
                                  const struct agent_layer__reader *reader, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, least, COR_ITEMS_MAX, error));
    COR_JSON_CHILDREN(item, json) {
        struct agent_layer__reader one = *reader;
        COR_TRY(cor_json_fields(&item, fields, &one, error));
    }
    return COR_OK;
}

/* Finds what a string names. */
static enum cor_status look_up(const struct cor_json *json, struct agent_layer__reader *reader,
                               enum cor_design_name what, uint32_t *index, struct cor_error *error) {
    const char *name;
    COR_TRY(agent_layer__read_text(json, &name, reader->place, error));
    return cor_design_look_up(reader->design, what, name, reader->place, index, error);
}

static enum cor_status agent_layer__read_conditions(const struct cor_json *json,
                                                    struct agent_layer__reader *reader,
                                                    agent_layer__condition_adder *add_condition,
                                                    struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, COR_ITEMS_MAX, error));
    COR_JSON_CHILDREN(item, json) {
        const char *text;
        COR_TRY(agent_layer__read_text(&item, &text, reader->place, error));
        if (strncmp(text, "one of ", 7) == 0) {
            /* "one of 'a', 'b, c'": an equation for each. */
            const char *list = text + 7;
            enum cor_status status = COR_OK;
            for (const char *end = list; status == COR_OK && list; list = *end ? end + 1 : NULL) {
                bool quoted = false;
                for (end = list; *end && (quoted || *end != ','); end++)
                    quoted ^= *end == '\'';
                COR_FREED char *one = cor_format("=%.*s", (int)(end - list), list);
                status = cor_made(one, error);
                if (status == COR_OK)
                    status = add_condition(reader->design, reader->index, reader->parameter, one,
                                           reader->place, error);
            }
            COR_TRY(status);
        } else
            COR_TRY(
                add_condition(reader->design, reader->index, reader->parameter, text, reader->place, error));
    }
    return COR_OK;
}

/* Refuses conditions that no value of the domain meets, in the words in which they were written. */
static enum cor_status check_conditions(const struct cor_json *json, struct agent_layer__reader *reader,
                                        const char *name, uint32_t domain,
                                        const struct cor_condition *conditions, uint32_t count,
                                        struct cor_error *error) {
    const struct cor_domain *of = &reader->design->domains[domain];
    COR_FINISHED(agent_layer__boundaries) struct agent_layer__boundaries boundaries = {0};
    struct agent_layer__classes classes = {0};
    enum cor_status status = COR_OK;
    bool any = false;
    COR_TRY_OUT(agent_layer__boundaries_add_conditions(&boundaries, conditions, count, error));
    COR_TRY_OUT(agent_layer__classes_add(&classes, of, &boundaries, error));
    for (uint32_t i = 0; i < classes.count && !any; i++)
        any = cor_conditions_hold(conditions, count, agent_layer__class_value(&classes.items[i], of), NULL);
    if (!any) {
        char *said = cor_json_text(json);
        status = cor_json_fail(json, error, "change one of these conditions, or leave it out",
                               "no value of \"%s\" meets %s", name, said ? said : "these conditions");
        free(said);
    }
out:
    free(classes.items);
    return status;
}

void cor_design_put_value(struct cor_json_writer *writer, const char *key, const struct cor_design *design,
                          uint32_t domain, struct cor_value value) {
    switch ((enum cor_value_kind)value.kind) {
    case COR_VALUE_INTEGER:
        if (design->domains[domain].type == COR_VALUE_TYPE_BOOLEAN)
            cor_json_put_bool(writer, key, value.as.integer != 0);
        else
            cor_json_put_integer(writer, key, value.as.integer);
        return;
    case COR_VALUE_REAL:
        cor_json_put_real(writer, key, value.as.real);
        return;
    case COR_VALUE_WORD:
        cor_json_put_string(writer, key, cor_words_text(&design->words, value.as.word));
        return;
    case COR_VALUE_NULL:
        break;
    }
    cor_json_put_string(writer, key, NULL);
}

void cor_design_put_arguments(struct cor_json_writer *writer, const struct cor_design *design,
                              const struct cor_design_event *event, const struct cor_value *arguments) {
    cor_json_open_object(writer, "args");
    for (uint32_t p = 0; p < event->parameter_count; p++)
        cor_design_put_value(writer, event->parameters[p].name, design, event->parameters[p].domain,
                             arguments[p]);
    cor_json_close(writer);
}

/* ---- types and belief sets of a design: fields first, rules when the events are there */

/* Types: the words of each enumeration. */
static enum cor_status read_type(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    COR_TRY(cor_json_expect_array(json, 0, COR_ITEMS_MAX, error));
    size_t count = cor_json_size(json);
    if (count == 0)
        return cor_json_fail(json, error, "list its words, at least one", "type \"%s\" has no values",
                             json->key);
    COR_FREED const char **words = cor_calloc(count, sizeof *words);
    COR_TRY(cor_made(words, error));
    for (size_t i = 0; i < count; i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(cor_json_string(&item, &words[i], error));
    }
    cor_json_place(json, reader->place, sizeof reader->place);
    return cor_design_add_type(reader->design, json->key, words, (uint32_t)count, reader->place, NULL, error);
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

static enum cor_status read_belief_field(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    uint32_t domain;
    COR_TRY(look_up(json, reader, COR_NAME_TYPE, &domain, error));
    return cor_design_add_field(reader->design, json->key, domain, is_key(json->parent, json->key),
                                reader->place, NULL, error);
}

static enum cor_status read_belief_fields(const struct cor_json *json, void *into, struct cor_error *error) {
    if (cor_json_is_object(json) && cor_json_size(json) == 0)
        return cor_json_fail(json, error, "name at least one field with its type", "holds nothing");
    return cor_json_each_member(json, read_belief_field, into, error);
}

/* Keys are fields of the set, each named once. */
static enum cor_status read_key_field(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct cor_design *design = ((struct agent_layer__reader *)into)->design;
    const struct cor_design_belief *belief = &design->beliefs[((struct agent_layer__reader *)into)->index];
    const struct cor_design_field *fields = design->fields + belief->first_field;
    uint32_t index;
    COR_TRY(cor_json_one_name(json,
                              COR_RECORD_NAMES(fields, belief->field_count, struct cor_design_field, name),
                              "field", &index, error));
    return cor_json_is_said_before(json)
               ? cor_json_fail(json, error, "name it once", "\"%s\" is a key twice", fields[index].name)
               : COR_OK;
}

static enum cor_status read_belief_key(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct agent_layer__reader *reader = into;
    return cor_json_each(json, 0, reader->design->beliefs[reader->index].field_count, read_key_field, into,
                         error);
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

static const struct cor_field belief_fields[] = {{"name", COR_REQUIRED, COR_READ_FIELD(read_belief_name)},
                                                 {"src", COR_OPTIONAL, COR_SAID_STRING_FIELD},
                                                 {"note", COR_OPTIONAL, COR_SAID_STRING_FIELD},
                                                 {"fields", COR_REQUIRED, COR_READ_FIELD(read_belief_fields)},
                                                 {"key", COR_OPTIONAL, COR_READ_FIELD(read_belief_key)},
                                                 {"relation", COR_OPTIONAL, COR_READ_FIELD(read_relation)},
                                                 {"races", COR_OPTIONAL, COR_READ_FIELD(read_races)},
                                                 {"posts", COR_OPTIONAL, COR_KNOWN_FIELD},
                                                 {0}};

/* Rules of belief sets. */
struct rule {
    struct agent_layer__reader *reader;
    uint32_t event;
    const char *when;
    char place[COR_PLACE_BYTES]; /* of `when` */
};

static const char *const changes[] = {"update", NULL};

static enum cor_status read_rule_event(const struct cor_json *json, void *into, struct cor_error *error) {
    struct rule *rule = into;
    return look_up(json, rule->reader, COR_NAME_EVENT, &rule->event, error);
}

static enum cor_status read_when(const struct cor_json *json, void *into, struct cor_error *error) {
    struct rule *rule = into;
    COR_TRY(agent_layer__read_text(json, &rule->when, rule->place, error));
    return cor_design_add_rule(rule->reader->design, rule->reader->index, rule->when, rule->event,
                               rule->place, error);
}

static const struct cor_field rule_fields[] = {{"on", COR_REQUIRED, COR_SAID_ONE_OF_FIELD(changes, "change")},
                                               {"event", COR_REQUIRED, COR_READ_FIELD(read_rule_event)},
                                               {"when", COR_REQUIRED, COR_READ_FIELD(read_when)},
                                               {0}};

static enum cor_status read_belief_rules(const struct cor_json *json, void *into, struct cor_error *error) {
    struct rule rule = {.reader = into};
    COR_TRY(cor_json_expect_array(json, 0, COR_ITEMS_MAX, error));
    COR_JSON_CHILDREN(item, json)
        COR_TRY(cor_json_fields(&item, rule_fields, &rule, error));
    return COR_OK;
}

static const struct cor_field belief_rule_fields[] = {
    {"posts", COR_OPTIONAL, COR_READ_FIELD(read_belief_rules)}, {0}};

/* Start values, by field. */
static enum cor_status read_start_value(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    struct cor_value value;
    uint32_t field;
    cor_json_place(json, reader->place, sizeof reader->place);
    COR_TRY(cor_design_look_up_field(reader->design, json->key, reader->place, &field, error));
    COR_TRY(
        agent_layer__read_value(json, reader->design, reader->design->fields[field].domain, &value, error));
    cor_design_set_start(reader->design, field, value);
    return COR_OK;
}

/* ---- events of a design, which of them come from outside, and what leaves the agent */

/* Events: the name is read when the kind is known, conditions when all parameters are, as they may name
 * others. */
static enum cor_status read_event_name(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    const char *name;
    COR_TRY(agent_layer__read_text(json, &name, reader->place, error));
    COR_TRY(cor_design_add_event(reader->design, name, (enum cor_event_kind)reader->kind, reader->place,
                                 &reader->index, error));
    struct cor_design_event *event = &reader->design->events[reader->index];
    event->always_covered = event->never_overlaps = true; /* who expects otherwise says so (000, 2.3) */
    return COR_OK;
}

static enum cor_status read_domain(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    return look_up(json, reader, COR_NAME_TYPE, &reader->domain, error);
}

static enum cor_status read_parameter_name(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    const char *name;
    COR_TRY(agent_layer__read_text(json, &name, reader->place, error));
    return (reader->is_message ? cor_design_add_message_parameter : cor_design_add_parameter)(
        reader->design, name, reader->domain, reader->place, &reader->parameter, error);
}

static const struct cor_field parameter_fields[] = {
    {"type", COR_REQUIRED, COR_READ_FIELD(read_domain)},
    {"name", COR_REQUIRED, COR_READ_FIELD(read_parameter_name)},
    {"valid", COR_OPTIONAL, COR_KNOWN_FIELD},
    {0}};

static enum cor_status read_parameter_conditions(const struct cor_json *json, void *into,
                                                 struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    COR_TRY(agent_layer__read_conditions(
        json, reader,
        reader->is_message ? cor_design_add_message_condition : cor_design_add_parameter_condition, error));
    const struct cor_design_parameter *parameter =
        reader->is_message ? &reader->design->messages[reader->index].parameters[reader->parameter]
                           : &reader->design->events[reader->index].parameters[reader->parameter];
    return check_conditions(json, reader, parameter->name, parameter->domain, parameter->conditions,
                            parameter->condition_count, error);
}

static const struct cor_field parameter_condition_fields[] = {
    {"valid", COR_OPTIONAL, COR_READ_FIELD(read_parameter_conditions)}, {0}};

static enum cor_status read_parameters(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    COR_TRY(read_items(json, 0, parameter_fields, reader, error));
    COR_JSON_CHILDREN(item, json) {
        reader->parameter = (uint32_t)item.index;
        COR_TRY(cor_json_members(&item, parameter_condition_fields, reader, error));
    }
    return COR_OK;
}

static enum cor_status read_expected(const struct cor_json *json, void *into, struct cor_error *error) {
    static const char *const coverages[] = {"sometimes", "always", NULL};
    static const char *const overlaps[] = {"allowed", "never", NULL};
    struct cor_design_event *event =
        &((struct agent_layer__reader *)into)->design->events[((struct agent_layer__reader *)into)->index];
    bool is_coverage = strcmp(json->key, "coverage") == 0;
    int index;
    COR_TRY(cor_json_one_of(json, is_coverage ? coverages : overlaps, json->key, &index, error));
    *(is_coverage ? &event->always_covered : &event->never_overlaps) = index == 1;
    *(is_coverage ? &event->coverage_said : &event->overlap_said) = true;
    return COR_OK;
}

static const struct cor_field event_fields[] = {
    {"kind", COR_REQUIRED, COR_TERM_FIELD(struct agent_layer__reader, kind, COR_FAMILY_EVENT_KIND)},
    {"name", COR_REQUIRED, COR_READ_FIELD(read_event_name)},
    {"src", COR_OPTIONAL, COR_SAID_STRING_FIELD},
    {"note", COR_OPTIONAL, COR_SAID_STRING_FIELD},
    {"coverage", COR_OPTIONAL, COR_READ_FIELD(read_expected)},
    {"overlap", COR_OPTIONAL, COR_READ_FIELD(read_expected)},
    {"params", COR_OPTIONAL, COR_READ_FIELD(read_parameters)},
    {0}};

static enum cor_status read_events(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    COR_TRY(read_items(json, 1, event_fields, reader, error));
    /* The rules of the belief sets. */
    struct cor_json beliefs;
    if (!cor_json_find(reader->root, "beliefs", &beliefs))
        return COR_OK;
    COR_JSON_CHILDREN(item, &beliefs) {
        struct agent_layer__reader one = *reader;
        one.index = (uint32_t)item.index;
        COR_TRY(cor_json_members(&item, belief_rule_fields, &one, error));
    }
    return COR_OK;
}

static enum cor_status read_entries(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    COR_TRY(cor_json_expect_array(json, 0, COR_ITEMS_MAX, error));
    if (cor_json_size(json) == 0)
        return cor_json_fail(json, error, "list the events that can come from outside the agent",
                             "nothing reaches any plan");
    COR_JSON_CHILDREN(item, json) {
        uint32_t event;
        COR_TRY(look_up(&item, reader, COR_NAME_EVENT, &event, error));
        COR_TRY(cor_design_add_entry(reader->design, event, reader->place, error));
    }
    return COR_OK;
}

/* Messages and actions: what else is said of them is for readers. */
static enum cor_status read_message_name(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    const char *name;
    COR_TRY(agent_layer__read_text(json, &name, reader->place, error));
    reader->is_message = true;
    return cor_design_add_message(reader->design, name, reader->place, &reader->index, error);
}

static enum cor_status read_action_name(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    const char *name;
    COR_TRY(agent_layer__read_text(json, &name, reader->place, error));
    return cor_design_add_action(reader->design, name, reader->place, NULL, error);
}

static const struct cor_field message_fields[] = {{"name", COR_REQUIRED, COR_READ_FIELD(read_message_name)},
                                                  {"to", COR_OPTIONAL, COR_SAID_STRING_FIELD},
                                                  {"params", COR_OPTIONAL, COR_READ_FIELD(read_parameters)},
                                                  {"src", COR_OPTIONAL, COR_SAID_STRING_FIELD},
                                                  {"note", COR_OPTIONAL, COR_SAID_STRING_FIELD},
                                                  {0}};
static const struct cor_field action_fields[] = {
    {"name", COR_REQUIRED, COR_READ_FIELD(read_action_name)},
    {"args", COR_OPTIONAL, COR_EACH_FIELD(cor_json_any_string, 0, COR_ITEMS_MAX)},
    {"src", COR_OPTIONAL, COR_SAID_STRING_FIELD},
    {"note", COR_OPTIONAL, COR_SAID_STRING_FIELD},
    {0}};

/* ---- plans of a design */

static enum cor_status read_trigger(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    return look_up(json, reader, COR_NAME_EVENT, &reader->slot, error);
}

static enum cor_status read_plan_name(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    const char *name;
    COR_TRY(agent_layer__read_text(json, &name, reader->place, error));
    return cor_design_add_plan(reader->design, name, reader->slot, reader->place, &reader->index, error);
}

static enum cor_status read_uses(const struct cor_json *json, struct agent_layer__reader *reader,
                                 enum cor_design_name what, struct cor_indices *list,
                                 struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, COR_ITEMS_MAX, error));
    COR_JSON_CHILDREN(item, json) {
        uint32_t index;
        COR_TRY(look_up(&item, reader, what, &index, error));
        COR_TRY(cor_design_add_use(reader->design, list, index, reader->place, error));
    }
    return COR_OK;
}

static struct cor_design_plan *plan_of(struct agent_layer__reader *reader) {
    return &reader->design->plans[reader->index];
}

static enum cor_status read_posts(const struct cor_json *json, void *into, struct cor_error *error) {
    return read_uses(json, into, COR_NAME_EVENT, &plan_of(into)->posts, error);
}

static enum cor_status read_sends(const struct cor_json *json, void *into, struct cor_error *error) {
    return read_uses(json, into, COR_NAME_MESSAGE, &plan_of(into)->sends, error);
}

static enum cor_status read_does(const struct cor_json *json, void *into, struct cor_error *error) {
    return read_uses(json, into, COR_NAME_ACTION, &plan_of(into)->does, error);
}

static enum cor_status read_writes(const struct cor_json *json, void *into, struct cor_error *error) {
    return read_uses(json, into, COR_NAME_BELIEF, &plan_of(into)->writes, error);
}

/* A variable: a field of a belief set, or a parameter of the trigger. */
static enum cor_status read_variable_belief(const struct cor_json *json, void *into,
                                            struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    uint32_t belief;
    COR_TRY(look_up(json, reader, COR_NAME_BELIEF, &belief, error));
    reader->belief = reader->design->beliefs[belief].name;
    return COR_OK;
}

/* The slot of a parameter of the plan's trigger. */
static enum cor_status find_parameter(const struct cor_json *json, const struct agent_layer__reader *reader,
                                      const char *name, uint32_t *slot, struct cor_error *error) {
    const struct cor_design *design = reader->design;
    const struct cor_design_event *event = &design->events[design->plans[reader->index].trigger];
    if (event->parameter_count == 0)
        return cor_json_fail(json, error, "say of which belief set it is a field",
                             "event \"%s\" has no parameter \"%s\"", event->name, name);
    COR_TRY(cor_json_find_name(
        json, COR_RECORD_NAMES(event->parameters, event->parameter_count, struct cor_design_parameter, name),
        name, slot, error, "event \"%s\" has no parameter \"%s\"", event->name, name));
    *slot += design->field_count;
    return COR_OK;
}

static enum cor_status find_field(const struct agent_layer__reader *reader, const char *name, uint32_t *slot,
                                  struct cor_error *error) {
    COR_FREED char *full = cor_format("%s.%s", reader->belief, name);
    COR_TRY(cor_made(full, error));
    return cor_design_look_up_field(reader->design, full, reader->place, slot, error);
}

static enum cor_status read_variable_name(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    const char *name;
    COR_TRY(agent_layer__read_text(json, &name, reader->place, error));
    COR_TRY(reader->belief ? find_field(reader, name, &reader->slot, error)
                           : find_parameter(json, reader, name, &reader->slot, error));
    return cor_design_add_variable(reader->design, reader->index, reader->slot, reader->place,
                                   &reader->parameter, error);
}

static const struct cor_domain *domain_of(const struct agent_layer__reader *reader) {
    return cor_design_slot_domain(reader->design, reader->design->plans[reader->index].trigger, reader->slot);
}

static enum cor_status read_variable_type(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    COR_TRY(look_up(json, reader, COR_NAME_TYPE, &reader->domain, error));
    const struct cor_domain *is = domain_of(reader);
    if (is == &reader->design->domains[reader->domain])
        return COR_OK;
    return cor_json_fail(json, error, "give it that type, or leave the type out", "is of type %s", is->name);
}

static uint32_t domain_index(const struct agent_layer__reader *reader) {
    return (uint32_t)(domain_of(reader) - reader->design->domains);
}

static enum cor_status read_variable_conditions(const struct cor_json *json, void *into,
                                                struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    COR_TRY(agent_layer__read_conditions(json, reader, cor_design_add_variable_condition, error));
    const struct cor_design_variable *variable = &plan_of(reader)->variables[reader->parameter];
    return check_conditions(json, reader,
                            cor_design_slot_name(reader->design, plan_of(reader)->trigger, reader->slot),
                            domain_index(reader), variable->conditions, variable->condition_count, error);
}

static enum cor_status read_bounds(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    COR_TRY(cor_json_expect_array(json, 0, COR_ITEMS_MAX, error));
    COR_JSON_CHILDREN(item, json) {
        struct cor_value value;
        COR_TRY(agent_layer__read_value(&item, reader->design, domain_index(reader), &value, error));
        COR_TRY(cor_design_add_bound(reader->design, reader->index, reader->parameter, value, error));
    }
    return COR_OK;
}

static const struct cor_field variable_fields[] = {
    {"belief", COR_OPTIONAL, COR_READ_FIELD(read_variable_belief)},
    {"name", COR_REQUIRED, COR_READ_FIELD(read_variable_name)},
    {"type", COR_OPTIONAL, COR_READ_FIELD(read_variable_type)},
    {"valid", COR_OPTIONAL, COR_READ_FIELD(read_variable_conditions)},
    {"bounds", COR_OPTIONAL, COR_READ_FIELD(read_bounds)},
    {0}};

/* "bounds" of a plan: further boundaries of parameters, which need not be among its variables. */
static enum cor_status read_parameter_bounds(const struct cor_json *json, void *into,
                                             struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    COR_JSON_CHILDREN(item, json) {
        const struct cor_design_plan *plan = plan_of(reader);
        COR_TRY(find_parameter(&item, reader, item.key, &reader->slot, error));
        for (reader->parameter = 0; reader->parameter < plan->variable_count; reader->parameter++)
            if (plan->variables[reader->parameter].slot == reader->slot)
                break;
        cor_json_place(&item, reader->place, sizeof reader->place);
        if (reader->parameter == plan->variable_count)
            COR_TRY(cor_design_add_variable(reader->design, reader->index, reader->slot, reader->place,
                                            &reader->parameter, error));
        COR_TRY(read_bounds(&item, reader, error));
    }
    return COR_OK;
}

/* Context and body are compiled together; where there is no context, its place is the plan's. */
static enum cor_status read_code(const struct cor_json *plan, struct agent_layer__reader *reader,
                                 struct cor_error *error) {
    struct cor_json context, body;
    COR_FINISHED(cor_body) struct cor_body made = {0};
    const char *text = NULL;
    cor_body_init(&made);
    cor_json_place(plan, reader->place, sizeof reader->place);
    if (cor_json_find(plan, "context", &context) && !cor_json_is_null(&context))
        COR_TRY(agent_layer__read_text(&context, &text, reader->place, error));
    if (cor_json_find(plan, "body", &body))
        COR_TRY(agent_layer__read_body(&body, &made, error));
    return cor_design_set_code_take(reader->design, reader->index, text, reader->place, &made, error);
}

static const struct cor_field plan_fields[] = {
    {"trigger", COR_REQUIRED, COR_READ_FIELD(read_trigger)},
    {"name", COR_REQUIRED, COR_READ_FIELD(read_plan_name)},
    {"src", COR_OPTIONAL, COR_SAID_STRING_FIELD},
    {"note", COR_OPTIONAL, COR_SAID_STRING_FIELD},
    {"posts", COR_OPTIONAL, COR_READ_FIELD(read_posts)},
    {"sends", COR_OPTIONAL, COR_READ_FIELD(read_sends)},
    {"does", COR_OPTIONAL, COR_READ_FIELD(read_does)},
    {"writes", COR_OPTIONAL, COR_READ_FIELD(read_writes)},
    {"vars", COR_OPTIONAL, COR_OBJECTS_FIELD(struct agent_layer__reader, variable_fields, 0, COR_ITEMS_MAX)},
    {"bounds", COR_OPTIONAL, COR_READ_FIELD(read_parameter_bounds)},
    {"context", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"body", COR_OPTIONAL, COR_KNOWN_FIELD},
    {0}};

static enum cor_status read_plans(const struct cor_json *json, void *into, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, COR_ITEMS_MAX, error));
    if (cor_json_size(json) == 0)
        return cor_json_fail(json, error, "describe at least one", "there is no plan to test");
    COR_JSON_CHILDREN(item, json) {
        struct agent_layer__reader one = *(struct agent_layer__reader *)into;
        COR_TRY(cor_json_fields(&item, plan_fields, &one, error));
        COR_TRY(read_code(&item, &one, error));
    }
    return COR_OK;
}

/* Rings that are meant, or are not. */
static enum cor_status read_ring_meant(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    bool meant;
    COR_TRY(cor_json_bool(json, &meant, error));
    return cor_design_add_ring(reader->design, meant, &reader->index, error);
}

static enum cor_status read_ring_plans(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    COR_TRY(cor_json_expect_array(json, 1, COR_ITEMS_MAX, error));
    return read_uses(json, reader, COR_NAME_PLAN, &reader->design->rings[reader->index].plans, error);
}

static const struct cor_field ring_fields[] = {{"meant", COR_REQUIRED, COR_READ_FIELD(read_ring_meant)},
                                               {"plans", COR_REQUIRED, COR_READ_FIELD(read_ring_plans)},
                                               {"note", COR_OPTIONAL, COR_SAID_STRING_FIELD},
                                               {0}};

/* ---- how a design is tested: settings, and the user's own cases */

#define STEP_LIMIT_MAX 1000000000

/* Test settings. */
static const struct policy {
    const char *word;
    enum cor_case_policy policy;
} policies[] = {{"valid-all/invalid-single", COR_POLICY_VALID_ALL},
                {"valid-t/invalid-single", COR_POLICY_VALID_T},
                {"valid-all", COR_POLICY_VALID_ALL},
                {"valid-t", COR_POLICY_VALID_T},
                {"all", COR_POLICY_ALL},
                {"t-wise", COR_POLICY_T_WISE}};
enum { POLICIES = sizeof policies / sizeof *policies };

const char *cor_case_policy_word(size_t index) {
    return index < POLICIES ? policies[index].word : NULL;
}

enum cor_case_policy cor_case_policy_at(size_t index) {
    COR_ASSERT(index < POLICIES);
    return policies[index].policy;
}

static enum cor_status read_policy(const struct cor_json *json, void *into, struct cor_error *error) {
    uint32_t index;
    COR_TRY(cor_json_one_name(json, COR_RECORD_NAMES(policies, POLICIES, struct policy, word), "policy",
                              &index, error));
    ((struct cor_test_settings *)into)->policy = policies[index].policy;
    return COR_OK;
}

static const struct cor_field settings_fields[] = {
    {"strength", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_test_settings, strength, 1, 6)},
    {"policy", COR_OPTIONAL, COR_READ_FIELD(read_policy)},
    {"exhaustive_limit", COR_OPTIONAL,
     COR_INTEGER_FIELD(struct cor_test_settings, exhaustive_limit, 1, UINT32_MAX)},
    {"cycle_limit", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_test_settings, cycle_limit, 1, 1000000)},
    {"step_limit", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_test_settings, step_limit, 1, STEP_LIMIT_MAX)},
    {"interleavings", COR_OPTIONAL,
     COR_INTEGER_FIELD(struct cor_test_settings, interleavings, 1, COR_INTERLEAVINGS_MOST)},
    {"seed", COR_OPTIONAL, COR_SEED_FIELD(struct cor_test_settings, seed)},
    {"solve", COR_OPTIONAL, COR_BOOL_FIELD(struct cor_test_settings, solve)},
    {"cases", COR_OPTIONAL, COR_KNOWN_FIELD},
    {0}};

static enum cor_status read_settings(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_fields(json, settings_fields, &((struct agent_layer__reader *)into)->design->settings,
                           error);
}

/* The user's own cases, when the units are known. */
struct own {
    struct cor_design_file *file;
    struct cor_own_case *one;
};

static enum cor_status read_own_unit(const struct cor_json *json, void *into, struct cor_error *error) {
    struct own *own = into;
    const char *name;
    char place[COR_PLACE_BYTES];
    COR_TRY(agent_layer__read_text(json, &name, place, error));
    COR_TRY(cor_design_file_unit(own->file, name, place, &own->one->unit, error));
    own->one->event = own->file->order.units.units[own->one->unit].event;
    return COR_OK;
}

static enum cor_status read_own_event(const struct cor_json *json, void *into, struct cor_error *error) {
    struct own *own = into;
    const char *name;
    char place[COR_PLACE_BYTES];
    COR_TRY(agent_layer__read_text(json, &name, place, error));
    COR_TRY(cor_design_look_up(own->file->design, COR_NAME_EVENT, name, place, &own->one->event, error));
    /* Whether a case of the unit may post the event. */
    const uint32_t unit = own->one->unit, event = own->one->event;
    const struct cor_units *units = &own->file->order.units;
    const uint32_t *members = cor_unit_members(units, &units->units[unit]);
    for (uint32_t m = 0; m < units->units[unit].member_count; m++)
        if (agent_layer__trigger(own->file->design, members[m]) == event)
            return COR_OK;
    return cor_json_fail(json, error, "name one that does", "event \"%s\" triggers no plan of the unit",
                         name);
}

static enum cor_status read_own_arguments(const struct cor_json *json, void *into, struct cor_error *error) {
    struct own *own = into;
    if (own->one->event == COR_NONE)
        return COR_OK; /* said below, with the remedy */
    const struct cor_design_event *event = &own->file->design->events[own->one->event];
    COR_TRY(cor_json_expect_names(
        json, COR_RECORD_NAMES(event->parameters, event->parameter_count, struct cor_design_parameter, name),
        error));
    own->one->arguments = cor_calloc(event->parameter_count, sizeof *own->one->arguments);
    COR_TRY(cor_made(own->one->arguments, error));
    for (uint32_t i = 0; i < event->parameter_count; i++) {
        struct cor_json value;
        COR_TRY(cor_json_need(json, event->parameters[i].name, &value, error));
        COR_TRY(agent_layer__read_value(&value, own->file->design, event->parameters[i].domain,
                                        &own->one->arguments[i], error));
    }
    return COR_OK;
}

static enum cor_status read_own_belief(const struct cor_json *json, void *into, struct cor_error *error) {
    struct own *own = into;
    struct cor_design *design = own->file->design;
    char place[COR_PLACE_BYTES];
    uint32_t field;
    cor_json_place(json, place, sizeof place);
    COR_TRY(cor_design_look_up_field(design, json->key, place, &field, error));
    return agent_layer__read_value(json, design, design->fields[field].domain, &own->one->beliefs[field],
                                   error);
}

static const struct cor_field case_fields[] = {{"unit", COR_REQUIRED, COR_READ_FIELD(read_own_unit)},
                                               {"event", COR_OPTIONAL, COR_READ_FIELD(read_own_event)},
                                               {"args", COR_OPTIONAL, COR_READ_FIELD(read_own_arguments)},
                                               {"beliefs", COR_OPTIONAL, COR_MEMBERS_FIELD(read_own_belief)},
                                               {0}};
static const struct cor_field own_fields[] = {
    COR_ROWS_OF(case_fields), {"note", COR_OPTIONAL, COR_SAID_STRING_FIELD}, {0}};

static enum cor_status read_own_valid(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_bool(json, &((struct own *)into)->one->valid, error);
}

static const struct cor_field solved_fields[] = {
    COR_ROWS_OF(case_fields), {"valid", COR_REQUIRED, COR_READ_FIELD(read_own_valid)}, {0}};

static enum cor_status read_cases(const struct cor_json *cases, const struct cor_field *fields,
                                  struct cor_design_file *file, struct cor_error *error) {
    COR_JSON_CHILDREN(item, cases) {
        COR_TRY(
            COR_RESERVE(&file->own_cases, &file->own_case_capacity, (size_t)file->own_case_count + 1, error));
        struct own own = {.file = file, .one = &file->own_cases[file->own_case_count]};
        *own.one = (struct cor_own_case){.valid = true, .solved = fields == solved_fields};
        file->own_case_count++;
        const struct cor_design *design = own.file->design;
        struct cor_json missing;
        own.one->beliefs = cor_calloc(design->field_count, sizeof *own.one->beliefs);
        COR_TRY(cor_made(own.one->beliefs, error));
        for (uint32_t f = 0; f < design->field_count; f++)
            own.one->beliefs[f] = design->fields[f].start;
        COR_TRY(cor_json_fields(&item, fields, &own, error));
        if (own.one->event == COR_NONE)
            return cor_json_fail(&item, error, "say with \"event\" which of them is posted",
                                 "the plans of a ring have several triggers");
        if (!own.one->arguments && design->events[own.one->event].parameter_count > 0)
            COR_TRY(cor_json_need(&item, "args", &missing, error));
    }
    return COR_OK;
}

enum cor_status agent_layer__read_solved_cases(const struct cor_json *json, struct cor_design_file *file,
                                               struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, COR_ITEMS_MAX, error));
    return read_cases(json, solved_fields, file, error);
}

enum cor_status cor_design_file_unit(const struct cor_design_file *file, const char *name, const char *place,
                                     uint32_t *unit, struct cor_error *error) {
    const struct cor_units *units = &file->order.units;
    enum cor_status status = COR_OK;
    char remedy[1024], **names = cor_calloc(units->count + 1, sizeof *names);
    COR_TRY(cor_made(names, error));
    for (*unit = 0; *unit < units->count; ++*unit) {
        COR_TRY_OUT(cor_made(names[*unit] = cor_unit_name(file->design, units, *unit), error));
        if (strcmp(names[*unit], name) == 0)
            goto out;
    }
    cor_known_names(name, (const char *const *)names, remedy, sizeof remedy);
    status = cor_fail(error, COR_STATUS_INPUT, place, remedy, "there is no unit \"%s\"", name);
out:
    for (uint32_t i = 0; i < units->count; i++)
        free(names[i]);
    free(names);
    return status;
}

/* ---- A design from its file: names first, then what refers to them */

static const char *const formats[] = {"agent-unit/1", NULL};

static enum cor_status read_agent(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    const char *name;
    COR_TRY(cor_json_string(json, &name, error));
    if (name[0] == '\0' || !cor_is_printable(name))
        return cor_json_fail(json, error, "at least a letter, and no control characters",
                             "no name for an agent");
    reader->file->design = reader->design = cor_design_create(name);
    return cor_made(reader->design, error);
}

static const struct cor_field root_fields[] = {
    {"format", COR_REQUIRED, COR_SAID_ONE_OF_FIELD(formats, "format")},
    {"agent", COR_REQUIRED, COR_READ_FIELD(read_agent)},
    {"note", COR_OPTIONAL, COR_SAID_STRING_FIELD},
    {"types", COR_OPTIONAL, COR_MEMBERS_FIELD(read_type)},
    {"beliefs", COR_OPTIONAL, COR_OBJECTS_FIELD(struct agent_layer__reader, belief_fields, 0, COR_ITEMS_MAX)},
    {"belief_values", COR_OPTIONAL, COR_MEMBERS_FIELD(read_start_value)},
    {"events", COR_REQUIRED, COR_READ_FIELD(read_events)},
    {"entry", COR_REQUIRED, COR_READ_FIELD(read_entries)},
    {"messages_out", COR_OPTIONAL,
     COR_OBJECTS_FIELD(struct agent_layer__reader, message_fields, 0, COR_ITEMS_MAX)},
    {"actions", COR_OPTIONAL, COR_OBJECTS_FIELD(struct agent_layer__reader, action_fields, 0, COR_ITEMS_MAX)},
    {"plans", COR_REQUIRED, COR_READ_FIELD(read_plans)},
    {"rings", COR_OPTIONAL, COR_OBJECTS_FIELD(struct agent_layer__reader, ring_fields, 0, COR_ITEMS_MAX)},
    {"test", COR_OPTIONAL, COR_READ_FIELD(read_settings)},
    {"expect", COR_OPTIONAL, COR_SAID_OBJECT_FIELD},
    {0}};

/* Takes the document, whose reading gave `status`. */
static enum cor_status read_document_take(enum cor_status status, struct cor_json_document *document,
                                          struct cor_design_file **file, struct cor_error *error) {
    *file = NULL;
    COR_TRY_OUT(status);
    COR_TRY_OUT(cor_made(*file = cor_calloc(1, sizeof **file), error));
    struct cor_design_file *made = *file;
    const struct cor_json root = cor_json_root(document);
    struct agent_layer__reader reader = {.file = made, .root = &root};
    COR_TRY_OUT(cor_json_expect_kind(&root, COR_KIND_DESIGN, error));
    COR_TRY_OUT(cor_json_fields(&root, root_fields, &reader, error));
    COR_TRY_OUT(cor_unit_order_init(&made->order, made->design, error));
    /* Plans that are meant to be in a ring are in one. */
    const struct cor_design *design = made->design;
    const struct cor_units *units = &made->order.units;
    for (uint32_t r = 0; r < design->ring_count; r++) {
        const struct cor_indices *plans = &design->rings[r].plans;
        const uint32_t unit = made->order.unit_of_plan[plans->items[0]];
        bool together = unit != COR_NONE && units->units[unit].kind == COR_UNIT_KIND_RING;
        for (uint32_t p = 1; p < plans->count; p++)
            together = together && made->order.unit_of_plan[plans->items[p]] == unit;
        if (together || !design->rings[r].meant)
            continue;
        struct cor_json rings = {0};
        (void)cor_json_find(&root, "rings", &rings);
        const struct cor_json ring = cor_json_at(&rings, r);
        COR_TRY_OUT(cor_json_fail(&ring, error, "corridor agent order shows the rings",
                                  "these plans call each other in no ring"));
    }
    /* The user's own cases, when the units are known. */
    struct cor_json test, cases;
    if (cor_json_find(&root, "test", &test) && cor_json_find(&test, "cases", &cases)) {
        COR_TRY_OUT(cor_json_expect_array(&cases, 0, COR_ITEMS_MAX, error));
        COR_TRY_OUT(read_cases(&cases, own_fields, made, error));
    }
    made->path = cor_strdup(cor_json_name(document));
    made->text = cor_json_text(&root);
    COR_TRY_OUT(made->path && made->text ? COR_OK : cor_fail_memory(error));
out:
    cor_json_destroy(document);
    if (status != COR_OK) {
        cor_design_file_destroy(*file);
        *file = NULL;
    }
    return status;
}

enum cor_status cor_design_file_read(const char *path, struct cor_design_file **file,
                                     struct cor_error *error) {
    struct cor_json_document *document;
    enum cor_status status = cor_json_read(path, &document, error);
    return read_document_take(status, document, file, error);
}

enum cor_status cor_design_file_parse(const char *text, const char *name, struct cor_design_file **file,
                                      struct cor_error *error) {
    struct cor_json_document *document;
    enum cor_status status = cor_json_parse(text, name, &document, error);
    return read_document_take(status, document, file, error);
}

void cor_design_file_destroy(struct cor_design_file *file) {
    if (!file)
        return;
    for (uint32_t i = 0; i < file->own_case_count; i++) {
        COR_FREE(file->own_cases[i].arguments, file->own_cases[i].beliefs);
    }
    free(file->own_cases);
    cor_unit_order_fini(&file->order);
    cor_design_destroy(file->design);
    COR_FREE(file->text, file->path, file);
}
