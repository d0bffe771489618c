/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts, values and bodies of plans, as designs and faults write them. */
#include "design_reader.h"

#include "internal.h"

#include <corridor/array.h>
#include <corridor/fields.h>

#include <float.h>
#include <stdlib.h>
#include <string.h>

#define STATEMENTS_MAX 100000 /* of one list */

enum cor_status agent_layer__read_text(const struct cor_json *json, const char **text,
                                       char place[COR_PLACE_BYTES], struct cor_error *error) {
    cor_json_place(json, place, COR_PLACE_BYTES);
    return cor_json_string(json, text, error);
}

enum cor_status agent_layer__read_note(const struct cor_json *json, void *into, struct cor_error *error) {
    const char *text;
    (void)into;
    return cor_json_string(json, &text, error);
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
    const char **known = cor_calloc(of->word_count + 1, sizeof *known);
    COR_TRY(cor_made(known, error));
    for (uint32_t i = 0; i < of->word_count; i++)
        known[i] = cor_words_text(&design->words, of->words[i]);
    cor_known_names(text, known, remedy, sizeof remedy);
    free(known);
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

/* Parameters, or fields of a row or a key, with what they are: as those of what is added with them. */
static enum cor_status read_columns(const struct cor_json *json, struct statement *statement,
                                    enum cor_statement_kind kind, struct cor_error *error) {
    COR_TRY(add(statement, kind, error));
    COR_TRY(cor_json_expect_object(json, NULL, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        char *text;
        COR_TRY(read_expression(&item, &text, error));
        enum cor_status status = cor_body_add_argument(statement->body, item.key, text, error);
        free(text);
        COR_TRY(status);
    }
    return COR_OK;
}

static enum cor_status read_arguments(const struct cor_json *json, void *into, struct cor_error *error) {
    return read_columns(json, into, COR_STATEMENT_POST, error);
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
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
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
static const struct cor_field send_fields[] = {SUBJECT("send"), {0}};
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

/* By the first word of their table; a post without arguments, set, send, do and fail are added behind it. */
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
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
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
        static const char *const listed[] = {
            [COR_STATEMENT_POST] = "args", [COR_STATEMENT_INSERT] = "values", [COR_STATEMENT_REMOVE] = "key"};
        const enum cor_statement_kind is = kinds[kind].kind;
        const bool has_arguments = (is == COR_STATEMENT_POST || is >= COR_STATEMENT_INSERT) &&
                                   cor_json_find(&item, listed[is], &found); /* added with the first */
        enum cor_status status = cor_json_fields(&item, kinds[kind].fields, &statement, error);
        if (status == COR_OK)
            status = finish(&statement, is, has_arguments, error);
        free(statement.text);
        COR_TRY(status);
    }
    return COR_OK;
}

enum cor_status agent_layer__read_items(const struct cor_json *json, size_t least,
                                        const struct cor_field *fields,
                                        const struct agent_layer__reader *reader, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, least, COR_ITEMS_MAX, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        struct agent_layer__reader one = *reader;
        COR_TRY(cor_json_fields(&item, fields, &one, error));
    }
    return COR_OK;
}

enum cor_status agent_layer__look_up(const struct cor_json *json, struct agent_layer__reader *reader,
                                     enum cor_design_name what, uint32_t *index, struct cor_error *error) {
    const char *name;
    COR_TRY(agent_layer__read_text(json, &name, reader->place, error));
    return cor_design_look_up(reader->design, what, name, reader->place, index, error);
}

/* "one of 'a', 'b, c'": an equation for each. */
static enum cor_status add_choices(struct agent_layer__reader *reader, const char *list,
                                   agent_layer__condition_adder *add_condition, struct cor_error *error) {
    enum cor_status status = COR_OK;
    for (const char *end = list; status == COR_OK && list; list = *end ? end + 1 : NULL) {
        bool quoted = false;
        for (end = list; *end && (quoted || *end != ','); end++)
            quoted ^= *end == '\'';
        char *one = cor_format("=%.*s", (int)(end - list), list);
        status = cor_made(one, error);
        if (status == COR_OK)
            status =
                add_condition(reader->design, reader->index, reader->parameter, one, reader->place, error);
        free(one);
    }
    return status;
}

enum cor_status agent_layer__read_conditions(const struct cor_json *json, struct agent_layer__reader *reader,
                                             agent_layer__condition_adder *add_condition,
                                             struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, COR_ITEMS_MAX, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        const char *text;
        COR_TRY(agent_layer__read_text(&item, &text, reader->place, error));
        if (strncmp(text, "one of ", 7) == 0)
            COR_TRY(add_choices(reader, text + 7, add_condition, error));
        else
            COR_TRY(
                add_condition(reader->design, reader->index, reader->parameter, text, reader->place, error));
    }
    return COR_OK;
}

enum cor_status agent_layer__check_conditions(const struct cor_json *json, struct agent_layer__reader *reader,
                                              const char *name, uint32_t domain,
                                              const struct cor_condition *conditions, uint32_t count,
                                              struct cor_error *error) {
    const struct cor_domain *of = &reader->design->domains[domain];
    struct agent_layer__boundaries boundaries = {0};
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
    agent_layer__boundaries_fini(&boundaries);
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
