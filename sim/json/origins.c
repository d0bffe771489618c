/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* strverscmp */
#include "document.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

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
