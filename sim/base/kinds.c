/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/kinds.h>

#include <corridor/built.h>
#include <corridor/error.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define KEY(name, key, ...) key,
#define WORD(name, key, word, ...) word,
#define LAYER(name, key, word, layer, ...) layer,
#define WHAT(name, key, word, layer, what, reader) what,
#define READER(name, key, word, layer, what, reader) reader,
static COR_WORDS(reader_of, enum cor_kind, COR_KINDS(READER))
    COR_WORDS(cor_kind_key, enum cor_kind, COR_KINDS(KEY))
        COR_WORDS(cor_kind_word, enum cor_kind, COR_KINDS(WORD))
            COR_WORDS(cor_kind_layer, enum cor_kind, COR_KINDS(LAYER))
                COR_WORDS(cor_kind_what, enum cor_kind, COR_KINDS(WHAT))

    /* Who reads it, or why nobody does. */
    const char *cor_kind_reader(enum cor_kind kind) {
    const char *absent = cor_layer_absent(cor_kind_layer(kind));
    return absent ? absent : reader_of(kind);
}

const char *cor_result_reader(void) {
    return "commands on results take it: corridor show, failures, replay, shrink --failure, profile "
           "chain";
}

const char *cor_layer_absent(const char *layer) {
    static const char *const absent[][2] = {
#define LEFT_OUT(word)                   \
    {#word, "this build has no \"" #word \
            "\" layer; \"make all\" builds all of them, CMake with -DCORRIDOR_LAYERS=" #word " this one"},
        COR_LEFT_OUT(LEFT_OUT){NULL, NULL}};
#undef LEFT_OUT
    size_t i = 0;
    while (absent[i][0] && strcmp(absent[i][0], layer) != 0)
        i++;
    return absent[i][1];
}

const char *cor_behind_blanks(const char *text) {
    return text + strspn(text, " \t\r\n");
}

const char *cor_behind_value(const char *text) {
    size_t depth = 0;
    do {
        text = cor_behind_blanks(text);
        if (*text == '"') {
            for (text++; *text && *text != '"'; text++)
                if (*text == '\\' && text[1])
                    text++;
            text += *text == '"';
        } else if (*text && strchr("[]{},:", *text)) {
            depth += *text == '[' || *text == '{';
            depth -= depth > 0 && (*text == ']' || *text == '}');
            text++;
        } else
            text += strcspn(text, " \t\r\n\"[]{},:");
        /* members and items follow, and what is between them */
    } while (depth > 0 && *text);
    return text;
}

/* Is the text at `at`, in quotes, `begin`, or does it begin so? */
static bool is_text(const char *at, const char *begin, bool whole) {
    const size_t length = strlen(begin);
    return *at == '"' && strncmp(at + 1, begin, length) == 0 && (!whole || at[1 + length] == '"');
}

/* Where a text that is JSON begins: behind a byte order mark and blanks. */
static const char *behind_mark(const char *text) {
    return cor_behind_blanks(strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text);
}

bool cor_kind_of_text(const char *text, enum cor_kind *kind) {
    const char *at = behind_mark(text);
    int found = COR_KIND_COUNT;
    if (*at != '{')
        return false;
    at = cor_behind_blanks(at + 1);
    while (*at == '"') {
        const char *key = at, *value = cor_behind_blanks(cor_behind_value(at));
        if (*value != ':')
            break;
        value = cor_behind_blanks(value + 1);
        for (int k = 0; k < found; k++)
            if (is_text(key, cor_kind_key((enum cor_kind)k), true) &&
                (cor_kind_word((enum cor_kind)k)[0] == '\0' ||
                 is_text(value, cor_kind_word((enum cor_kind)k), false)))
                found = k;
        at = cor_behind_blanks(cor_behind_value(value));
        if (*at == ',')
            at = cor_behind_blanks(at + 1);
    }
    *kind = (enum cor_kind)found;
    return found < COR_KIND_COUNT;
}

/* The first bytes of a regular file, ended by 0, else none. Whatever else there is is not opened: a pipe
 * would be waited for, and what is read of it is gone. */
static const char *read_beginning(const char *path, char *text, size_t size) {
    struct stat there;
    FILE *file = stat(path, &there) == 0 && S_ISREG(there.st_mode) ? fopen(path, "rb") : NULL;
    text[file ? fread(text, 1, size - 1, file) : 0] = '\0';
    if (file)
        fclose(file);
    return text;
}

bool cor_kind_of_file(const char *path, enum cor_kind *kind) {
    char text[4096];
    return cor_kind_of_text(read_beginning(path, text, sizeof text), kind);
}

bool cor_is_json_file(const char *path) {
    char text[64];
    return *behind_mark(read_beginning(path, text, sizeof text)) == '{';
}

bool cor_is_result_text(const char *text) {
    return strncmp(text, "\x89HDF\r\n\x1a\n", 8) == 0;
}

bool cor_is_result_file(const char *path) {
    char text[9];
    return cor_is_result_text(read_beginning(path, text, sizeof text));
}

const char *cor_what_file(const char *path, const char **reader) {
    char text[4096];
    struct stat there;
    enum cor_kind kind;
    if (stat(path, &there) != 0 || (!S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode)))
        return NULL;
    *reader = "name a file in it";
    if (S_ISDIR(there.st_mode))
        return "a folder";
    *reader = cor_result_reader();
    if (cor_is_result_text(read_beginning(path, text, sizeof text)))
        return COR_RESULT_WHAT;
    if (!cor_kind_of_text(text, &kind))
        return NULL;
    *reader = cor_kind_reader(kind);
    return cor_kind_what(kind);
}
