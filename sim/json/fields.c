/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/fields.h>
#include <corridor/origins.h>

#include <corridor/array.h>
#include <corridor/terms.h>

#include <stdlib.h>
#include <string.h>

#define KEYS_MAX 64

enum cor_status cor_json_one_of(const struct cor_json *json, const char *const *words, const char *what,
                                int *index, struct cor_error *error) {
    const char *word = NULL;
    COR_TRY(cor_json_string(json, &word, error));
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], word) == 0) {
            *index = i;
            return COR_OK;
        }
    char remedy[1024];
    cor_known_names(word, words, remedy, sizeof remedy);
    return cor_json_fail(json, error, remedy, "unknown %s \"%s\"", what, word);
}

/* Appends the keys of a table and of those within. */
static size_t collect_keys(const struct cor_field *fields, const char **keys, size_t count) {
    for (; fields->key || fields->table; fields++) {
        COR_ASSERT(count < KEYS_MAX);
        if (fields->kind == COR_FIELD_TABLE)
            count = collect_keys(fields->table, keys, count);
        else
            keys[count++] = fields->key;
    }
    return count;
}

enum cor_status cor_json_expect_fields(const struct cor_json *json, const struct cor_field *fields,
                                       struct cor_error *error) {
    const char *keys[KEYS_MAX + 1];
    keys[collect_keys(fields, keys, 0)] = NULL;
    return cor_json_expect_object(json, keys, error);
}

/* Integers of any size: two's complement, so the low bytes are the same for signed and unsigned. */
static void put_integer(void *member, size_t size, int64_t value) {
    switch (size) {
    case 1:
        memcpy(member, &(uint8_t){(uint8_t)value}, size);
        break;
    case 2:
        memcpy(member, &(uint16_t){(uint16_t)value}, size);
        break;
    case 4:
        memcpy(member, &(uint32_t){(uint32_t)value}, size);
        break;
    default:
        COR_ASSERT(size == sizeof value);
        memcpy(member, &value, size);
    }
}

static enum cor_status read_integer(const struct cor_json *json, const struct cor_field *field, void *member,
                                    struct cor_error *error) {
    int64_t value = 0, most = field->size < 8 ? (INT64_C(1) << 8 * field->size) - 1 : INT64_MAX;
    COR_ASSERT(field->low >= -most / 2 - 1 && field->high <= most);
    COR_TRY(cor_json_integer(json, field->low, field->high, &value, error));
    put_integer(member, field->size, value);
    return COR_OK;
}

static int64_t get_integer(const void *member, size_t size, bool is_signed) {
    uint64_t value = 0;
    COR_ASSERT(size <= sizeof value);
    memcpy(&value, member, size); /* little-endian, as everything that is stored is */
    if (is_signed && size < sizeof value && value >> (8 * size - 1))
        value |= UINT64_MAX << 8 * size;
    return (int64_t)value;
}

/* The number of a word: of a family, or `low` + its index in a list. */
static enum cor_status word_number(const struct cor_json *json, const struct cor_field *field, int *number,
                                   struct cor_error *error) {
    if (field->kind == COR_FIELD_TERM)
        return cor_json_term(json, field->family, number, error);
    COR_TRY(cor_json_one_of(json, field->words, field->what, number, error));
    *number += (int)field->low;
    return COR_OK;
}

static enum cor_status read_word(const struct cor_json *json, const struct cor_field *field, void *member,
                                 struct cor_error *error) {
    int number = 0;
    COR_TRY(word_number(json, field, &number, error));
    put_integer(member, field->size, number);
    return COR_OK;
}

static enum cor_status read_copy(const struct cor_json *json, char **member, struct cor_error *error) {
    const char *text;
    COR_TRY(cor_json_string(json, &text, error));
    char *copy = cor_strdup(text);
    COR_TRY(cor_made(copy, error));
    free(*member);
    *member = copy;
    return COR_OK;
}

static enum cor_status read_value(const struct cor_json *json, const struct cor_field *field, void *into,
                                  struct cor_error *error) {
    void *member = (char *)into + field->offset;
    switch (field->kind) {
    case COR_FIELD_INTEGER:
        return read_integer(json, field, member, error);
    case COR_FIELD_REAL:
        return cor_json_real(json, field->real_low, field->real_high, member, error);
    case COR_FIELD_BOOL:
        return cor_json_bool(json, member, error);
    case COR_FIELD_STRING:
        return cor_json_string(json, member, error);
    case COR_FIELD_COPY:
        return read_copy(json, member, error);
    case COR_FIELD_SEED:
        return cor_json_word(json, member, error);
    case COR_FIELD_TERM:
    case COR_FIELD_ONE_OF:
        return read_word(json, field, member, error);
    case COR_FIELD_OBJECT:
        if (field->defaults)
            memcpy(member, field->defaults, field->size);
        return cor_json_fields(json, field->table, member, error);
    case COR_FIELD_READ:
        return field->read(json, into, error);
    case COR_FIELD_KNOWN:
    case COR_FIELD_TABLE:
        break;
    }
    return COR_OK;
}

static bool is_idle(const struct cor_field *fields, const struct cor_field *field, const void *from);
static void put_field(struct cor_json_writer *writer, const struct cor_field *field, const void *from);

/* The values of a default, those of an object each for itself. */
static enum cor_status note_values(const struct cor_json *json, const char *member,
                                   const struct cor_json *value, struct cor_error *error) {
    if (cor_json_is_null(value))
        return COR_OK;
    for (size_t i = 0; cor_json_is_object(value) && i < cor_json_size(value); i++) {
        const struct cor_json child = cor_json_at(value, i);
        char *name = cor_format("%s/%s", member, child.key);
        COR_TRY(cor_made(name, error));
        const enum cor_status status = note_values(json, name, &child, error);
        free(name);
        COR_TRY(status);
    }
    if (cor_json_is_object(value))
        return COR_OK;
    char *text = cor_json_text(value);
    COR_TRY(cor_made(text, error));
    const enum cor_status status = cor_json_note_default(json, member, text, error);
    free(text);
    return status;
}

/* Tells the origins what an absent member is, which `from` holds: nothing of those that a function reads. */
static enum cor_status tell_default(const struct cor_json *json, const struct cor_field *fields,
                                    const struct cor_field *field, const void *from,
                                    struct cor_error *error) {
    struct cor_json_writer *writer;
    struct cor_json_document *document = NULL;
    struct cor_json root, value;
    char *text = NULL;
    enum cor_status status = COR_OK;
    if (!cor_json_recorder(json->document) || is_idle(fields, field, from))
        return COR_OK;
    if (field->kind == COR_FIELD_REAL) { /* beyond its range it stands for something that the reader knows */
        const double real = *(const double *)((const char *)from + field->offset);
        if (!(real >= field->real_low && real <= field->real_high))
            return COR_OK;
    }
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    put_field(writer, field, from);
    cor_json_close(writer);
    COR_TRY_OUT(cor_json_text_take(writer, 0, &text, error));
    COR_TRY_OUT(cor_json_parse(text, "default", &document, error));
    root = cor_json_root(document);
    if (cor_json_find(&root, field->key, &value))
        COR_TRY_OUT(note_values(json, field->key, &value, error));
out:
    cor_json_destroy(document);
    free(text);
    return status;
}

enum cor_status cor_json_members(const struct cor_json *json, const struct cor_field *fields, void *into,
                                 struct cor_error *error) {
    for (const struct cor_field *field = fields; field->key || field->table; field++) {
        struct cor_json child;
        if (field->kind == COR_FIELD_TABLE) {
            COR_TRY(cor_json_members(json, field->table, into, error));
            continue;
        }
        if (!cor_json_find(json, field->key, &child)) {
            if (field->required)
                return cor_json_need(json, field->key, &child, error);
            COR_TRY(tell_default(json, fields, field, into, error));
            continue;
        }
        if (field->beside) {
            /* Refuses a member that says nothing with the word that the member `beside` has. */
            struct cor_json beside;
            const char *word;
            const struct cor_field *row = fields;
            while (row->key && strcmp(row->key, field->beside) != 0)
                row++;
            COR_ASSERT(row < field && (row->kind == COR_FIELD_TERM || row->kind == COR_FIELD_ONE_OF));
            COR_TRY(cor_json_need(json, field->beside, &beside, error));
            int number = 0;
            COR_TRY(word_number(&beside, row, &number, error));
            if (!(field->among & COR_BIT(number))) {
                COR_TRY(cor_json_string(&beside, &word, error));
                return cor_json_fail(&child, error, "leave it out", "has no meaning with \"%s\": \"%s\"",
                                     field->beside, word);
            }
        }
        COR_TRY(read_value(&child, field, into, error));
    }
    return COR_OK;
}

enum cor_status cor_json_fields(const struct cor_json *json, const struct cor_field *fields, void *into,
                                struct cor_error *error) {
    COR_TRY(cor_json_expect_fields(json, fields, error));
    return cor_json_members(json, fields, into, error);
}

/* Does the word that the member `beside` has give this one a meaning? */
static bool is_idle(const struct cor_field *fields, const struct cor_field *field, const void *from) {
    const struct cor_field *row = fields;
    if (!field->beside)
        return false;
    while (row->key && strcmp(row->key, field->beside) != 0)
        row++;
    COR_ASSERT(row < field);
    return !(field->among & COR_BIT(get_integer((const char *)from + row->offset, row->size, false)));
}

static void put_field(struct cor_json_writer *writer, const struct cor_field *field, const void *from) {
    const void *member = (const char *)from + field->offset;
    int64_t number;
    switch (field->kind) {
    case COR_FIELD_INTEGER:
        number = get_integer(member, field->size, field->low < 0);
        if (number >= field->low && number <= field->high)
            cor_json_put_integer(writer, field->key, number);
        break;
    case COR_FIELD_REAL:
        cor_json_put_real(writer, field->key, *(const double *)member);
        break;
    case COR_FIELD_BOOL:
        cor_json_put_bool(writer, field->key, *(const bool *)member);
        break;
    case COR_FIELD_STRING:
    case COR_FIELD_COPY:
        cor_json_put_string(writer, field->key, *(const char *const *)member);
        break;
    case COR_FIELD_SEED:
        cor_json_put_word(writer, field->key, *(const uint64_t *)member);
        break;
    case COR_FIELD_TERM:
        cor_json_put_string(
            writer, field->key,
            cor_term_word((enum cor_family)field->family, (int)get_integer(member, field->size, false)));
        break;
    case COR_FIELD_ONE_OF:
        cor_json_put_string(writer, field->key,
                            field->words[get_integer(member, field->size, false) - field->low]);
        break;
    case COR_FIELD_OBJECT:
        cor_json_open_object(writer, field->key);
        cor_json_put_fields(writer, field->table, member);
        cor_json_close(writer);
        break;
    case COR_FIELD_TABLE:
        cor_json_put_fields(writer, field->table, from);
        break;
    case COR_FIELD_READ:
    case COR_FIELD_KNOWN:
        break;
    }
}

void cor_json_put_fields(struct cor_json_writer *writer, const struct cor_field *fields, const void *from) {
    for (const struct cor_field *field = fields; field->key || field->table; field++)
        if (!is_idle(fields, field, from))
            put_field(writer, field, from);
}
