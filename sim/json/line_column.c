/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where in its text a value stands. jansson gives no positions; but it keeps members in the order of the
 * file, so the number of the member leads to its place in the text, whatever its key is written like. */
#include <corridor/json.h>

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Is `key` the token that goes from `token` to `end`, with "~0" for "~" and "~1" for "/"? */
static bool is_token(const char *key, const char *token, const char *end) {
    for (; *key && token < end; key++, token++) {
        char meant = *token;
        if (meant == '~' && token + 1 < end)
            meant = *++token == '1' ? '/' : '~';
        if (*key != meant)
            return false;
    }
    return *key == '\0' && token == end;
}

/* The number of the member or item that the token names; the size, if there is none. */
static size_t number_of(const struct cor_json *json, const char *token, const char *end) {
    const size_t size = cor_json_size(json);
    for (size_t i = 0; i < size; i++) {
        const struct cor_json child = cor_json_at(json, i);
        char number[24];
        snprintf(number, sizeof number, "%zu", i);
        if (is_token(child.key ? child.key : number, token, end))
            return i;
    }
    return size;
}

/* The place in the text of what the pointer, from `pointer` on, names below `json`, whose value is at
 * `text`; NULL: there is no such thing. */
static const char *find(const struct cor_json *json, const char *text, const char *pointer) {
    if (pointer[0] != '/')
        return pointer[0] == '\0' ? text : NULL;
    const char *end = pointer + 1 + strcspn(pointer + 1, "/");
    const size_t number = number_of(json, pointer + 1, end);
    if (number == cor_json_size(json))
        return NULL;
    const struct cor_json child = cor_json_at(json, number);
    const char *at = cor_behind_blanks(text + 1), *value = at;
    for (size_t i = 0; i <= number; i++) {
        value = child.key ? cor_behind_blanks(cor_behind_blanks(cor_behind_value(at)) + 1) : at;
        if (i < number)
            at = cor_behind_blanks(cor_behind_blanks(cor_behind_value(value)) + 1);
    }
    return *end == '\0' ? at : find(&child, value, end);
}

/* "file: /pointer", of `size` bytes at most, becomes "file:line:column: /pointer"; it stays if that does not
 * fit. */
static void put_position(char *place, size_t size, size_t name_length, const char *text, const char *at) {
    char *whole;
    size_t line = 1, column = 1;
    for (; text < at; text++) {
        column += ((unsigned char)*text & 0xc0) != 0x80; /* no byte within a character */
        if (*text == '\n') {
            line++;
            column = 1;
        }
    }
    whole = cor_format("%.*s:%zu:%zu%s", (int)name_length, place, line, column, place + name_length);
    if (whole && strlen(whole) < size)
        memcpy(place, whole, strlen(whole) + 1);
    free(whole);
}

static void add_position(char *place, size_t size) {
    for (const char *colon = strstr(place, ": /"); colon; colon = strstr(colon + 1, ": /")) {
        const size_t length = (size_t)(colon - place);
        char *name = cor_format("%.*s", (int)length, place), *text = NULL;
        struct cor_json_document *document = NULL;
        struct stat there;
        const bool is_file = name && stat(name, &there) == 0 && S_ISREG(there.st_mode);
        if (is_file && cor_json_read_text(name, &text, &(size_t){0}, NULL) == COR_OK &&
            cor_json_parse(text, name, &document, NULL) == COR_OK) {
            const struct cor_json root = cor_json_root(document);
            const char *pointer = strcmp(colon, ": /") == 0 ? "" : colon + 2;
            const char *at = find(&root, cor_behind_blanks(text), pointer);
            if (at)
                put_position(place, size, length, text, at);
        }
        cor_json_destroy(document);
        free(text);
        free(name);
        if (is_file)
            return;
    }
}

void cor_json_add_position(struct cor_error *error) {
    static const char named[] = COR_JSON_NAMED_IN;
    const size_t begin = strlen(named);
    add_position(error->place, sizeof error->place);
    if (strncmp(error->remedy, named, begin) == 0)
        add_position(error->remedy + begin, sizeof error->remedy - begin);
}
