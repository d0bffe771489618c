/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* strverscmp */

#include "document.h"

#include <corridor/array.h>
#include <corridor/fields.h>
#include <corridor/origins.h>
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

/* ---- origins */

#define KEY_MAX 512

void cor_origins_init(struct cor_origins *origins) {
    *origins = (struct cor_origins){0};
}

static void free_value(struct cor_origin *origin) {
    free(origin->key);
    free(origin->value);
    free(origin->place);
}

void cor_origins_fini(struct cor_origins *origins) {
    for (size_t i = 0; i < origins->count; i++)
        free_value(&origins->values[i]);
    for (size_t i = 0; i < origins->base_count; i++) {
        free(origins->bases[i].key);
        free(origins->bases[i].base);
    }
    free(origins->values);
    free(origins->bases);
    cor_origins_init(origins);
}

struct cor_origins *cor_json_recorder(const struct cor_json_document *document) {
    return document->origins;
}

static bool is_known(const struct cor_origins *origins, const char *key) {
    for (size_t i = 0; i < origins->count; i++)
        if (strcmp(origins->values[i].key, key) == 0)
            return true;
    return false;
}

/* Adds a value unless one of that key is there; takes over `value`, of which NULL says that memory was out.
 */
static enum cor_status add_take(struct cor_origins *origins, const char *key, char *value, const char *place,
                                enum cor_origin_kind kind, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_origin origin = {.value = value, .kind = kind};
    COR_TRY_OUT(cor_made(value, error));
    if (is_known(origins, key)) {
        free(value);
        return COR_OK;
    }
    origin.key = cor_strdup(key);
    COR_TRY_OUT(cor_made(origin.key, error));
    origin.place = place ? cor_strdup(place) : NULL;
    if (place)
        COR_TRY_OUT(cor_made(origin.place, error));
    COR_TRY_OUT(COR_RESERVE(&origins->values, &origins->capacity, origins->count + 1, error));
    origins->values[origins->count++] = origin;
    return COR_OK;
out:
    free_value(&origin);
    return status;
}

/* The key of a member of the value, or its own (NULL). */
static void key_of(const struct cor_json *json, const char *member, char key[KEY_MAX]) {
    char pointer[KEY_MAX / 2];
    json__pointer(json, pointer, sizeof pointer);
    const char *under = json->document->under;
    snprintf(key, KEY_MAX, "%.128s%s%s%.100s", under ? under : "", pointer, member ? "/" : "",
             member ? member : "");
}

/* All values that are no objects, and no arrays of such. */
static enum cor_status add_leaves(const struct cor_json *json, struct cor_error *error) {
    const size_t size = cor_json_size(json);
    bool is_leaf = size == 0;
    if (cor_json_is_array(json)) {
        is_leaf = true;
        for (size_t i = 0; i < size && is_leaf; i++) {
            const struct cor_json item = cor_json_at(json, i);
            is_leaf = !cor_json_is_object(&item);
        }
    }
    for (size_t i = 0; i < size && !is_leaf; i++) {
        const struct cor_json child = cor_json_at(json, i);
        COR_TRY(add_leaves(&child, error));
    }
    if (!is_leaf)
        return COR_OK;
    char key[KEY_MAX], place[KEY_MAX];
    key_of(json, NULL, key);
    cor_json_place(json, place, sizeof place);
    return add_take(json->document->origins, key, cor_json_text(json), place, COR_ORIGIN_FILE, error);
}

enum cor_status cor_json_record(struct cor_json_document *document, struct cor_origins *origins,
                                struct cor_error *error) {
    const struct cor_json root = cor_json_root(document);
    cor_origins_fini(origins);
    document->origins = origins;
    return add_leaves(&root, error);
}

enum cor_status cor_json_record_named(struct cor_json_document *named, const struct cor_json *json,
                                      struct cor_error *error) {
    char key[KEY_MAX];
    const struct cor_json root = cor_json_root(named);
    if (!json->document->origins)
        return COR_OK;
    key_of(json, NULL, key);
    free(named->under);
    named->under = cor_strdup(key);
    COR_TRY(cor_made(named->under, error));
    named->origins = json->document->origins;
    return add_leaves(&root, error);
}

enum cor_status cor_json_note_default(const struct cor_json *object, const char *member, const char *value,
                                      struct cor_error *error) {
    char key[KEY_MAX];
    if (!object->document->origins)
        return COR_OK;
    key_of(object, member, key);
    return add_take(object->document->origins, key, cor_strdup(value), NULL, COR_ORIGIN_DEFAULT, error);
}

enum cor_status cor_json_note_default_number(const struct cor_json *object, const char *member, double value,
                                             struct cor_error *error) {
    char text[64];
    snprintf(text, sizeof text, "%.17g", value);
    return cor_json_note_default(object, member, text, error);
}

/* Words of ours, which need no escapes. */
enum cor_status cor_json_note_default_word(const struct cor_json *object, const char *member,
                                           const char *word, struct cor_error *error) {
    char text[128];
    snprintf(text, sizeof text, "\"%s\"", word);
    return cor_json_note_default(object, member, text, error);
}

enum cor_status cor_json_note_base(const struct cor_json *object, const struct cor_json *base, bool is_preset,
                                   struct cor_error *error) {
    struct cor_origins *origins = object->document->origins;
    char key[KEY_MAX];
    if (!origins)
        return COR_OK;
    COR_TRY(COR_RESERVE(&origins->bases, &origins->base_capacity, origins->base_count + 1, error));
    struct cor_origin_base *made = &origins->bases[origins->base_count++];
    made->is_preset = is_preset;
    key_of(object, NULL, key);
    made->key = cor_strdup(key);
    key_of(base, NULL, key);
    made->base = cor_strdup(key);
    return cor_made(made->key && made->base ? made->key : NULL, error);
}

/* What stands behind `part` in the key, with its slash; NULL: it is not within it. */
static const char *within(const char *key, const char *part) {
    const size_t length = strlen(part);
    return strncmp(key, part, length) == 0 && key[length] == '/' ? key + length : NULL;
}

/* The value of that key, or one within it; count: there is none. */
static size_t find(const struct cor_origins *origins, const char *key) {
    size_t i = 0;
    while (i < origins->count && strcmp(origins->values[i].key, key) != 0)
        i++;
    return i;
}

static void drop(struct cor_origins *origins, size_t index) {
    free_value(&origins->values[index]);
    memmove(&origins->values[index], &origins->values[index + 1],
            (--origins->count - index) * sizeof *origins->values);
}

/* What a base says of a part goes there where the part does not say it itself. */
static enum cor_status apply(struct cor_origins *origins, const struct cor_origin_base *base,
                             struct cor_error *error) {
    for (size_t i = 0, count = origins->count; i < count; i++) {
        const struct cor_origin *from = &origins->values[i];
        const char *member = within(from->key, base->base);
        if (!member || from->kind != COR_ORIGIN_FILE)
            continue;
        char *key = cor_format("%s%s", base->key, member);
        COR_TRY(cor_made(key, error));
        const size_t own = find(origins, key);
        const bool is_default = own < origins->count && origins->values[own].kind == COR_ORIGIN_DEFAULT;
        if (!base->is_preset && !is_default) {
            free(key);
            continue;
        }
        if (is_default) {
            drop(origins, own);
            count--;
            i -= own < i;
            from = &origins->values[i];
        }
        const enum cor_status status = add_take(origins, key, cor_strdup(from->value), from->place,
                                                base->is_preset ? COR_ORIGIN_PRESET : COR_ORIGIN_FILE, error);
        free(key);
        COR_TRY(status);
    }
    return COR_OK;
}

static int compare(const void *a, const void *b) {
    return strverscmp(((const struct cor_origin *)a)->key, ((const struct cor_origin *)b)->key);
}

enum cor_status cor_origins_settle(struct cor_origins *origins, struct cor_error *error) {
    for (size_t b = 0; b < origins->base_count; b++)
        COR_TRY(apply(origins, &origins->bases[b], error));
    for (size_t b = 0; b < origins->base_count; b++)
        for (size_t i = origins->count; i-- > 0;)
            if (origins->bases[b].is_preset && within(origins->values[i].key, origins->bases[b].base))
                drop(origins, i);
    if (origins->count > 0)
        qsort(origins->values, origins->count, sizeof *origins->values, compare);
    return COR_OK;
}
