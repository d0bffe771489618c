/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where in its text a value stands. jansson gives no positions; but it keeps members in the order of the
 * file, so the number of the member leads to its place in the text, whatever its key is written like. */
#define _GNU_SOURCE /* strverscmp */

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/fields.h>
#include <corridor/json.h>
#include <corridor/json_names.h>
#include <corridor/kinds.h>
#include <corridor/origins.h>
#include <corridor/terms.h>

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- What a document consists of */

struct cor_json_document {
    char *name;
    json_t *root;
    struct cor_origins *origins; /* borrowed; who is told what is read; NULL: nobody */
    char *under;                 /* owned; what stands before pointers there; NULL: nothing */
};

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
    COR_JSON_CHILDREN(child, json) {
        char number[24];
        snprintf(number, sizeof number, "%zu", child.index);
        if (is_token(child.key ? child.key : number, token, end))
            return child.index;
    }
    return cor_json_size(json);
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
        COR_FREE(text, name);
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

/* ---- members of an object that stands in a text: found without a tree of all that stands there */

bool cor_json_next_member(const char **at, struct cor_json_member *member) {
    const char *text = cor_behind_blanks(*at);
    if (*text == '{' || *text == ',')
        text = cor_behind_blanks(text + 1);
    *at = text;
    if (*text != '"')
        return false;
    const char *end = cor_behind_value(text), *colon = cor_behind_blanks(end);
    if (*colon != ':')
        return false;
    member->key = text + 1;
    member->key_length = end > text + 1 ? (size_t)(end - text) - 2 : 0;
    member->value = cor_behind_blanks(colon + 1);
    member->end = *at = cor_behind_value(member->value);
    return true;
}

bool cor_json_is_member(const struct cor_json_member *member, const char *const *keys) {
    for (; keys && *keys; keys++)
        if (strlen(*keys) == member->key_length && strncmp(*keys, member->key, member->key_length) == 0)
            return true;
    return false;
}

void cor_json_squeeze(struct cor_bytes *bytes, const struct cor_json_member *member) {
    for (const char *at = member->value; at < member->end;) {
        const char *plain = at;
        while (plain<member->end && * plain> ' ' && *plain != '"') /* outside of texts all is ASCII */
            plain++;
        if (plain < member->end && *plain == '"') /* a text in one piece, with the blanks in it */
            plain = cor_behind_value(plain);
        cor_bytes_put(bytes, at, (size_t)(plain - at));
        at = cor_behind_blanks(plain);
    }
}

enum cor_status cor_json_parse_members(const char *text, const char *name, const char *const *keys,
                                       struct cor_json_document **document, struct cor_error *error) {
    struct cor_bytes part = {0};
    struct cor_json_member member;
    const char *at = text, *mark = "{";
    *document = NULL;
    while (cor_json_next_member(&at, &member)) {
        if (memchr(member.key, '\\', member.key_length)) { /* it may be any key */
            cor_bytes_fini(&part);
            return cor_json_parse(text, name, document, error);
        }
        if (!cor_json_is_member(&member, keys))
            continue;
        cor_bytes_put(&part, mark, 1);
        cor_bytes_put(&part, member.key - 1, (size_t)(member.end - member.key) + 1);
        mark = ",";
    }
    if (mark[0] == '{')
        cor_bytes_put(&part, mark, 1);
    cor_bytes_put(&part, "}", 1);
    char *found = cor_bytes_text_take(&part, error);
    if (*cor_behind_blanks(text) != '{' || *at != '}') {
        free(found);
        return cor_json_parse(text, name, document, error); /* which has the words for it */
    }
    if (!found)
        return COR_STATUS_MEMORY;
    const enum cor_status status = cor_json_parse(found, name, document, error);
    free(found);
    return status;
}

/* ---- read */

#define DEPTH_MAX 64
#define MEMBERS_MAX 10000 /* of one object: members are reached by counting from the first */

/* Reads on; *got 0 at the end. A pipe that has a writer is waited for. */
static enum cor_status read_part(int file, const char *name, char *text, size_t size, size_t *got,
                                 struct cor_error *error) {
    for (;;) {
        ssize_t part = read(file, text, size);
        *got = part > 0 ? (size_t)part : 0;
        if (part >= 0)
            return COR_OK;
        if (errno == EAGAIN && fcntl(file, F_SETFL, O_RDONLY) == 0)
            continue;
        if (errno != EINTR)
            return cor_fail_errno(error, COR_STATUS_FILE, name, NULL, "cannot read");
    }
}

static enum cor_status check_not_empty_pipe(int file, const char *name, size_t length,
                                            struct cor_error *error) {
    struct stat what;
    if (length > 0 || fstat(file, &what) != 0 || !S_ISFIFO(what.st_mode))
        return COR_OK;
    return cor_fail(error, COR_STATUS_INPUT, name, "name a file, or begin to write before",
                    "is a pipe that nobody writes to");
}

const char *cor_json_path_name(const char *path) {
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* Some editors put a byte order mark in front of a text: it is no part of it. */
static void drop_byte_order_mark(char *text, size_t *length) {
    static const char mark[] = "\xEF\xBB\xBF";
    if (*length < strlen(mark) || memcmp(text, mark, strlen(mark)) != 0)
        return;
    *length -= strlen(mark);
    memmove(text, text + strlen(mark), *length);
}

/* What is no text at all is called by its name. */
static enum cor_status check_is_text(const char *text, size_t length, const char *name,
                                     struct cor_error *error) {
    static const char elf[] = "\x7f"
                              "ELF";
    if (cor_is_result_text(text))
        return cor_fail(error, COR_STATUS_INPUT, name, cor_result_reader(),
                        "is a result file (HDF5), and not JSON");
    if (length >= strlen(elf) && memcmp(text, elf, strlen(elf)) == 0)
        return cor_fail(error, COR_STATUS_INPUT, name,
                        "name the file that names it; corridor run takes an algorithm by --algorithm",
                        "is a program or a module, and not JSON");
    return COR_OK;
}

static enum cor_status read_text(const char *path, size_t bytes_max, char **text, size_t *length,
                                 struct cor_error *error) {
    const char *name = cor_json_path_name(path);
    /* Opens without waiting: a named pipe that nobody writes to would else be waited for, and nobody
     * would know. */
    int file = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    *text = NULL;
    if (file < 0)
        return cor_fail_errno(error, COR_STATUS_FILE, name, NULL, "cannot open");
    enum cor_status status = COR_OK;
    struct stat what;
    size_t capacity = 0, got = 1;
    *length = 0;
    if (fstat(file, &what) == 0 && S_ISDIR(what.st_mode)) {
        /* Of a folder it is said what there is in it to read. */
        char remedy[512];
        struct stat there;
        snprintf(remedy, sizeof remedy, "%.400s%sexperiment.json", name,
                 name[strlen(name) - 1] == '/' ? "" : "/");
        const bool is_campaign = stat(remedy, &there) == 0;
        COR_TRY_OUT(cor_fail(
            error, COR_STATUS_INPUT, name,
            is_campaign ? "corridor run, plan, status, merge and verify read it" : "name a file in it",
            is_campaign ? "is the folder of a campaign, not a file" : "is a folder, not a file"));
    }
    while (got > 0) {
        COR_TRY_OUT(COR_RESERVE(text, &capacity, *length + 65536, error));
        COR_TRY_OUT(read_part(file, name, *text + *length, capacity - *length, &got, error));
        *length += got;
        if (*length > bytes_max)
            COR_TRY_OUT(
                cor_fail(error, COR_STATUS_INPUT, name, NULL, "is larger than %zu MiB", bytes_max >> 20));
    }
    COR_TRY_OUT(check_is_text(*text, *length, name, error));
    status = check_not_empty_pipe(file, name, *length, error);
    drop_byte_order_mark(*text, length);
    (*text)[*length] = '\0'; /* there is room: more was asked for than came */
out:
    if (file != STDIN_FILENO)
        close(file);
    return status;
}

enum cor_status cor_json_read_text(const char *path, char **text, size_t *length, struct cor_error *error) {
    return read_text(path, COR_JSON_BYTES_MAX, text, length, error);
}

/* What is wrong with the shape of a value that may have `left` levels of containers; NULL if nothing. */
static const char *bad_shape(const json_t *value, unsigned left) {
    if (left == 0 && (json_is_object(value) || json_is_array(value)))
        return "is nested deeper than 64 levels";
    if (json_object_size(value) > MEMBERS_MAX)
        return "has an object of more than 10000 members";
    const char *bad = NULL;
    size_t index;
    const char *key;
    json_t *child;
    if (json_is_object(value)) {
        /* jansson's iteration takes a non-const pointer but changes nothing. */
        json_object_foreach((json_t *)(uintptr_t)value, key,
                            child) if ((bad = bad_shape(child, left - 1))) break;
    } else if (json_is_array(value)) {
        json_array_foreach(value, index, child) if ((bad = bad_shape(child, left - 1))) break;
    }
    return bad;
}

static bool is_blank(const char *text, size_t length) {
    size_t blanks = 0;
    while (blanks < length && strchr(" \t\r\n", text[blanks]) && text[blanks] != '\0')
        blanks++;
    return blanks == length;
}

/* What is mostly meant where the text stops being JSON; NULL: it cannot be told. */
static const char *remedy_of(const json_error_t *problem, const char *text, size_t length) {
    const char *near = strstr(problem->text, " near '"), *end = " near end of file";
    const size_t size = strlen(problem->text);
    const char next = near ? near[strlen(" near '")] : '\0';
    const bool lacks_end = strstr(problem->text, "'}' expected near") == problem->text ||
                           strstr(problem->text, "']' expected near") == problem->text;
    const bool is_cut = strstr(problem->text, "premature end of input") == problem->text;
    if (is_cut || (size > strlen(end) && strcmp(problem->text + size - strlen(end), end) == 0))
        return is_blank(text, length) ? "there is nothing in it"
                                      : "a bracket or quotation mark is not closed";
    if (lacks_end && next != '\0' && strchr("\"{[-0123456789", next))
        return "put a comma in front of it";
    if (near && (next == ']' || next == '}') && strstr(problem->text, "end of file") == NULL)
        return "a value is missing, or there is a comma too many in front of it";
    if (next == '/' || next == '#')
        return "JSON has no comments: say it in \"description\"";
    return next == '\'' ? "write texts in double quotation marks" : NULL;
}

/* Comments and blanks, and then the statement that a corridor as a text begins with. */
static bool is_corridor(const char *text) {
    for (text = cor_behind_blanks(text); strncmp(text, "--", 2) == 0; text = cor_behind_blanks(text))
        text += strcspn(text, "\n");
    return strncmp(text, "structure ", strlen("structure ")) == 0;
}

static enum cor_status parse(const char *text, size_t length, const char *name,
                             struct cor_json_document **document, struct cor_error *error) {
    json_error_t problem;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &problem);
    if (!root && (problem.text[0] == '\0' || json_error_code(&problem) == json_error_out_of_memory))
        return cor_fail_memory(error); /* jansson has no words for it everywhere */
    if (!root) {
        /* Complains about a text that is no JSON: by the name of what it is, if that is known. */
        if (is_corridor(text))
            return cor_fail(
                error, COR_STATUS_INPUT, name,
                "corridor judge and corridor prove read it; an experiment names it as its \"corridor\"",
                "is a corridor as a text, and not JSON");
        if (length >= 2 && memcmp(text, "#!", 2) == 0)
            return cor_fail(error, COR_STATUS_INPUT, name,
                            "name the file that names it; corridor run takes an algorithm by --algorithm",
                            "is a program, and not JSON");
        char place[512];
        snprintf(place, sizeof place, "%s:%d:%d", name, problem.line, problem.column);
        return cor_fail(error, COR_STATUS_INPUT, place, remedy_of(&problem, text, length),
                        "is not valid JSON: %s", problem.text);
    }
    const char *bad = bad_shape(root, DEPTH_MAX);
    if (bad) {
        json_decref(root);
        return cor_fail(error, COR_STATUS_INPUT, name, NULL, "%s", bad);
    }
    *document = cor_calloc(1, sizeof **document);
    char *copy = cor_strdup(name);
    if (!*document || !copy) {
        json_decref(root);
        COR_FREE(copy, *document);
        *document = NULL;
        return cor_fail_memory(error);
    }
    **document = (struct cor_json_document){copy, root};
    return COR_OK;
}

enum cor_status cor_json_read(const char *path, struct cor_json_document **document,
                              struct cor_error *error) {
    return cor_json_read_large(path, COR_JSON_BYTES_MAX, document, error);
}

enum cor_status cor_json_read_large(const char *path, size_t bytes_max, struct cor_json_document **document,
                                    struct cor_error *error) {
    char *text = NULL;
    size_t length = 0;
    *document = NULL;
    enum cor_status status = read_text(path, bytes_max, &text, &length, error);
    if (status == COR_OK)
        status = parse(text, length, cor_json_path_name(path), document, error);
    free(text);
    return status;
}

enum cor_status cor_json_parse(const char *text, const char *name, struct cor_json_document **document,
                               struct cor_error *error) {
    *document = NULL;
    return parse(text, strlen(text), name, document, error);
}

void cor_json_destroy(struct cor_json_document *document) {
    if (!document)
        return;
    json_decref(document->root);
    COR_FREE(document->name, document->under, document);
}

struct cor_json cor_json_root(const struct cor_json_document *document) {
    return (struct cor_json){.document = document, .value = document->root};
}

const char *cor_json_name(const struct cor_json_document *document) {
    return document->name;
}

char *cor_json_beside(const struct cor_json *json, const char *path) {
    const char *file = cor_json_name(json->document), *slash = strrchr(file, '/');
    const char *home = path[0] == '~' && path[1] == '/' ? getenv("HOME") : NULL;
    if (home)
        return cor_format("%s%s", home, path + 1);
    if (path[0] == '/')
        return cor_strdup(path);
    if (slash)
        return cor_format("%.*s/%s", (int)(slash - file), file, path);
    return strcmp(path, "-") == 0 ? cor_strdup("./-") : cor_strdup(path);
}

enum cor_status cor_json_read_named(const struct cor_json *json, struct cor_json_document **document,
                                    struct cor_error *error) {
    const char *path;
    *document = NULL;
    COR_TRY(cor_json_string(json, &path, error));
    char *beside = cor_json_beside(json, path);
    COR_TRY(cor_made(beside, error));
    const enum cor_status status = cor_json_read(beside, document, error);
    free(beside);
    return status;
}

enum cor_status cor_json_read_whole(const struct cor_json *json, struct cor_json_document **document,
                                    struct cor_error *error) {
    *document = NULL;
    if (cor_json_is_string(json))
        return cor_json_read_named(json, document, error);
    COR_TRY(cor_json_expect_object(json, NULL, error));
    char *text = cor_json_text(json);
    COR_TRY(cor_made(text, error));
    const enum cor_status status = cor_json_parse(text, cor_json_name(json->document), document, error);
    free(text);
    return status;
}

/* RFC 6901: "~" and "/" within a key are written "~0" and "~1". */
static size_t append_key(const char *key, char *text, size_t size, size_t used) {
    for (; *key && used + 3 < size; key++) {
        if (*key == '~' || *key == '/') {
            text[used++] = '~';
            text[used++] = *key == '~' ? '0' : '1';
        } else {
            text[used++] = *key;
        }
    }
    text[used] = '\0';
    return used;
}

static size_t append_pointer(const struct cor_json *json, char *text, size_t size, size_t used) {
    if (!json->parent)
        return used;
    used = append_pointer(json->parent, text, size, used);
    if (used + 24 >= size)
        return used;
    text[used++] = '/';
    if (json->key)
        return append_key(json->key, text, size, used);
    int wrote = snprintf(text + used, size - used, "%zu", json->index);
    return used + (wrote > 0 ? (size_t)wrote : 0);
}

void cor_json_place(const struct cor_json *json, char *text, size_t size) {
    int wrote = snprintf(text, size, "%s: ", json->document->name);
    size_t used = wrote > 0 && (size_t)wrote < size ? (size_t)wrote : 0;
    size_t end = append_pointer(json, text, size, used);
    if (end == used)
        snprintf(text + used, size - used, "/");
}

enum cor_status cor_json_expect_kind(const struct cor_json *root, enum cor_kind wanted,
                                     struct cor_error *error) {
    for (int k = 0; k < COR_KIND_COUNT; k++) {
        const enum cor_kind kind = (enum cor_kind)k;
        const char *begin = cor_kind_word(kind), *word = "";
        struct cor_json member;
        if (!cor_json_find(root, cor_kind_key(kind), &member) ||
            (begin[0] != '\0' && cor_json_string(&member, &word, NULL) != COR_OK) ||
            strncmp(word, begin, strlen(begin)) != 0)
            continue;
        if (kind == wanted)
            return COR_OK;
        const bool both =
            strncmp(cor_kind_what(kind), cor_kind_what(wanted), strlen(cor_kind_what(wanted))) == 0;
        return cor_fail(error, COR_STATUS_INPUT, root->document->name, cor_kind_reader(kind),
                        "is %s, not %s%s", cor_kind_what(kind), cor_kind_what(wanted),
                        both ? " of algorithms" : "");
    }
    return COR_OK;
}

enum cor_status cor_json_fail(const struct cor_json *json, struct cor_error *error, const char *remedy,
                              const char *cause_format, ...) {
    char place[512], cause[1024];
    cor_json_place(json, place, sizeof place);
    va_list arguments;
    va_start(arguments, cause_format);
    vsnprintf(cause, sizeof cause, cause_format, arguments);
    va_end(arguments);
    return cor_fail(error, COR_STATUS_INPUT, place, remedy, "%s", cause);
}

enum cor_status cor_json_repeat(const struct cor_json *json, enum cor_status status,
                                const struct cor_error *said, struct cor_error *error) {
    if (status == COR_STATUS_INPUT)
        return cor_json_fail(json, error, said->remedy[0] ? said->remedy : NULL, "%s", said->cause);
    return cor_fail(error, status, said->place, said->remedy, "%s", said->cause);
}

enum cor_status cor_json_find_name(const struct cor_json *json, struct cor_names names, const char *name,
                                   uint32_t *index, struct cor_error *error, const char *cause_format, ...) {
    char cause[1024], place[512];
    if (cor_names_has(names, name, index))
        return COR_OK;
    va_list arguments;
    va_start(arguments, cause_format);
    vsnprintf(cause, sizeof cause, cause_format, arguments);
    va_end(arguments);
    cor_json_place(json, place, sizeof place);
    return cor_names_find(names, name, place, index, error, "%s", cause);
}

enum cor_status cor_json_one_name(const struct cor_json *json, struct cor_names names, const char *what,
                                  uint32_t *index, struct cor_error *error) {
    const char *word;
    COR_TRY(cor_json_string(json, &word, error));
    return cor_json_find_name(json, names, word, index, error, "unknown %s \"%s\"", what, word);
}

enum cor_status cor_json_check_name(const struct cor_json *json, const char *name, size_t most,
                                    struct cor_names others, const char *what, struct cor_error *error) {
    char remedy[128];
    uint32_t other;
    snprintf(remedy, sizeof remedy, "1 to %zu bytes without control characters", most);
    if (name[0] == '\0' || strlen(name) > most || !cor_is_printable(name))
        return cor_json_fail(json, error, remedy, "no name for %s", what);
    snprintf(remedy, sizeof remedy, "each%s has a name of its own", what + strcspn(what, " "));
    return cor_names_has(others, name, &other)
               ? cor_json_fail(json, error, remedy, "\"%s\" is %s already", name, what)
               : COR_OK;
}

enum cor_status cor_json_expect_names(const struct cor_json *json, struct cor_names names,
                                      struct cor_error *error) {
    uint32_t index;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    COR_JSON_CHILDREN(child, json)
        COR_TRY(cor_json_find_name(&child, names, child.key, &index, error, "unknown key \"%s\"", child.key));
    return COR_OK;
}

static const char *kind(const struct cor_json *json) {
    switch (json_typeof((const json_t *)json->value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
        return "an integer";
    case JSON_REAL:
        return "a real number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "true or false";
    case JSON_NULL:
        break;
    }
    return "null";
}

static enum cor_status wrong_kind(const struct cor_json *json, const char *wanted, struct cor_error *error) {
    return cor_json_fail(json, error, NULL, "is %s, expected %s", kind(json), wanted);
}

#define IS(what)                                            \
    bool cor_json_is_##what(const struct cor_json *json) {  \
        return json_is_##what((const json_t *)json->value); \
    }
IS(object)
IS(array)
IS(string)
IS(integer)
IS(number)
IS(null)

enum cor_status cor_json_expect_object(const struct cor_json *json, const char *const *keys,
                                       struct cor_error *error) {
    if (!json_is_object((const json_t *)json->value))
        return wrong_kind(json, "an object", error);
    return keys ? cor_json_expect_names(json, COR_WORD_NAMES(keys, SIZE_MAX), error) : COR_OK;
}

enum cor_status cor_json_expect_array(const struct cor_json *json, size_t least, size_t most,
                                      struct cor_error *error) {
    if (!json_is_array((const json_t *)json->value))
        return wrong_kind(json, "an array", error);
    size_t size = cor_json_size(json);
    if (size >= least && size <= most)
        return COR_OK;
    if (least == most)
        return cor_json_fail(json, error, NULL, "has %zu items, expected %zu", size, least);
    if (most == SIZE_MAX)
        return cor_json_fail(json, error, NULL, "has %zu items, expected at least %zu", size, least);
    return cor_json_fail(json, error, NULL, "has %zu items, expected %zu to %zu", size, least, most);
}

static enum cor_status read_children(const struct cor_json *json, cor_json_reader *read, void *into,
                                     struct cor_error *error) {
    if (read)
        COR_JSON_CHILDREN(child, json)
            COR_TRY(read(&child, into, error));
    return COR_OK;
}

enum cor_status cor_json_each(const struct cor_json *json, size_t least, size_t most, cor_json_reader *read,
                              void *into, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, least, most, error));
    return read_children(json, read, into, error);
}

enum cor_status cor_json_each_member(const struct cor_json *json, cor_json_reader *read, void *into,
                                     struct cor_error *error) {
    COR_TRY(cor_json_expect_object(json, NULL, error));
    return read_children(json, read, into, error);
}

size_t cor_json_size(const struct cor_json *json) {
    const json_t *value = json->value;
    return json_is_object(value)  ? json_object_size(value)
           : json_is_array(value) ? json_array_size(value)
                                  : 0;
}

struct cor_json cor_json_at(const struct cor_json *json, size_t index) {
    COR_ASSERT(index < cor_json_size(json));
    struct cor_json child = {.document = json->document, .parent = json, .index = index};
    if (json_is_array((const json_t *)json->value)) {
        child.value = json_array_get(json->value, index);
        return child;
    }
    json_t *object = (json_t *)(uintptr_t)json->value;
    void *at = json_object_iter(object);
    for (size_t i = 0; i < index; i++)
        at = json_object_iter_next(object, at);
    child.key = json_object_iter_key(at);
    child.value = json_object_iter_value(at);
    return child;
}

struct cor_json cor_json_first(const struct cor_json *json) {
    return cor_json_size(json) > 0 ? cor_json_at(json, 0) : (struct cor_json){0};
}

void cor_json_step(struct cor_json *child) {
    json_t *above = (json_t *)(uintptr_t)child->parent->value;
    child->index++;
    if (child->key) {
        void *at = json_object_iter_next(above, json_object_key_to_iter(child->key));
        child->key = json_object_iter_key(at);
        child->value = json_object_iter_value(at);
    } else
        child->value = json_array_get(above, child->index); /* NULL behind the last */
}

bool cor_json_find(const struct cor_json *json, const char *key, struct cor_json *child) {
    const json_t *value = json_object_get(json->value, key);
    if (!value)
        return false;
    *child = (struct cor_json){.document = json->document, .parent = json, .key = key, .value = value};
    return true;
}

enum cor_status cor_json_need(const struct cor_json *json, const char *key, struct cor_json *child,
                              struct cor_error *error) {
    if (!json_is_object((const json_t *)json->value))
        return wrong_kind(json, "an object", error);
    if (!cor_json_find(json, key, child))
        return cor_json_fail(json, error, NULL, "lacks the key \"%s\"", key);
    return COR_OK;
}

enum cor_status cor_json_integer(const struct cor_json *json, int64_t low, int64_t high, int64_t *value,
                                 struct cor_error *error) {
    if (!json_is_integer((const json_t *)json->value))
        return wrong_kind(json, "an integer", error);
    int64_t found = json_integer_value(json->value);
    if (found < low || found > high)
        return cor_json_fail(json, error, NULL, "is %lld, expected %lld to %lld", (long long)found,
                             (long long)low, (long long)high);
    *value = found;
    return COR_OK;
}

enum cor_status cor_json_count(const struct cor_json *json, int64_t low, int64_t high, uint32_t *value,
                               struct cor_error *error) {
    int64_t found;
    COR_TRY(cor_json_integer(json, low, high, &found, error));
    *value = (uint32_t)found;
    return COR_OK;
}

enum cor_status cor_json_real(const struct cor_json *json, double low, double high, double *value,
                              struct cor_error *error) {
    if (!json_is_number((const json_t *)json->value))
        return wrong_kind(json, "a number", error);
    double found = json_number_value(json->value);
    if (!(found >= low && found <= high))
        return cor_json_fail(json, error, NULL, "is %.10g, expected %.10g to %.10g", found, low, high);
    *value = found;
    return COR_OK;
}

enum cor_status cor_json_range(const struct cor_json *json, double low, double high, double *least,
                               double *most, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 2, 2, error));
    const struct cor_json first = cor_json_at(json, 0), second = cor_json_at(json, 1);
    COR_TRY(cor_json_real(&first, low, high, least, error));
    return cor_json_real(&second, *least, high, most, error);
}

enum cor_status cor_json_bool(const struct cor_json *json, bool *value, struct cor_error *error) {
    if (!json_is_boolean((const json_t *)json->value))
        return wrong_kind(json, "true or false", error);
    *value = json_is_true((const json_t *)json->value);
    return COR_OK;
}

enum cor_status cor_json_string(const struct cor_json *json, const char **value, struct cor_error *error) {
    if (!json_is_string((const json_t *)json->value))
        return wrong_kind(json, "a string", error);
    *value = json_string_value(json->value);
    return COR_OK;
}

enum cor_status cor_json_any_string(const struct cor_json *json, void *into, struct cor_error *error) {
    (void)into;
    return cor_json_string(json, &(const char *){NULL}, error);
}

bool cor_json_is_said_before(const struct cor_json *item) {
    for (size_t i = 0; i < item->index; i++) {
        const struct cor_json before = cor_json_at(item->parent, i);
        if (json_is_string((const json_t *)before.value) && json_equal(before.value, item->value))
            return true;
    }
    return false;
}

const char *cor_json_called(const struct cor_json *json) {
    struct cor_json name;
    const char *called = json->key;
    if (!called && (!cor_json_is_object(json) || !cor_json_find(json, "name", &name) ||
                    cor_json_string(&name, &called, NULL) != COR_OK))
        called = NULL;
    return called;
}

static const char *child_name(const void *json, size_t index) {
    const struct cor_json child = cor_json_at(json, index);
    const char *name = cor_json_called(&child);
    return name ? name : "";
}

struct cor_names cor_json_names(const struct cor_json *json) {
    return COR_SAID_NAMES(child_name, json, cor_json_size(json));
}

enum cor_status cor_json_word(const struct cor_json *json, uint64_t *value, struct cor_error *error) {
    static const char remedy[] =
        "write it as \"0x...\" with up to 16 hexadecimal digits, or as an integer from 0";
    if (json_is_integer((const json_t *)json->value) && json_integer_value(json->value) >= 0) {
        *value = (uint64_t)json_integer_value(json->value);
        return COR_OK;
    }
    const char *text = json_string_value(json->value);
    if (!text)
        return cor_json_fail(json, error, remedy, "is no unsigned 64-bit number");
    size_t digits = strncmp(text, "0x", 2) == 0 ? strspn(text + 2, "0123456789abcdefABCDEF") : 0;
    if (digits == 0 || digits > 16 || text[2 + digits] != '\0')
        return cor_json_fail(json, error, remedy, "\"%s\" is no unsigned 64-bit number", text);
    *value = strtoull(text + 2, NULL, 16);
    return COR_OK;
}

enum cor_status cor_json_term(const struct cor_json *json, int family, int *number, struct cor_error *error) {
    const char *word = NULL;
    COR_TRY(cor_json_string(json, &word, error));
    *number = cor_term_number((enum cor_family)family, word);
    if (*number != 0)
        return COR_OK;
    uint32_t index;
    return cor_json_find_name(json, COR_WORD_NAMES(cor_term_words((enum cor_family)family), SIZE_MAX), word,
                              &index, error, "unknown word \"%s\"", word);
}

/* ---- tables of fields */

#define KEYS_MAX 64

enum cor_status cor_json_version_1(const struct cor_json *json, void *into, struct cor_error *error) {
    int64_t version;
    (void)into;
    COR_TRY(cor_json_integer(json, INT64_MIN, INT64_MAX, &version, error));
    return version == 1 ? COR_OK
                        : cor_json_fail(json, error, "this program reads version 1", "is of version %lld",
                                        (long long)version);
}

enum cor_status cor_json_one_of(const struct cor_json *json, const char *const *words, const char *what,
                                int *index, struct cor_error *error) {
    uint32_t found;
    COR_TRY(cor_json_one_name(json, COR_WORD_NAMES(words, SIZE_MAX), what, &found, error));
    *index = (int)found;
    return COR_OK;
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

static enum cor_status read_copy(const struct cor_json *json, char **member, struct cor_error *error) {
    const char *text;
    COR_TRY(cor_json_string(json, &text, error));
    char *copy = cor_strdup(text);
    COR_TRY(cor_made(copy, error));
    free(*member);
    *member = copy;
    return COR_OK;
}

/* Objects with a table, each into a copy of the struct, which is forgotten. */
static enum cor_status read_objects(const struct cor_json *json, const struct cor_field *field,
                                    const void *into, struct cor_error *error) {
    void *copy = cor_calloc(1, field->size);
    enum cor_status status = cor_made(copy, error);
    if (status == COR_OK)
        status = cor_json_expect_array(json, (size_t)field->low, (size_t)field->high, error);
    for (size_t i = 0; status == COR_OK && i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        memcpy(copy, into, field->size);
        status = cor_json_fields(&item, field->table, copy, error);
    }
    free(copy);
    return status;
}

static enum cor_status read_value(const struct cor_json *json, const struct cor_field *field, void *into,
                                  struct cor_error *error) {
    uint64_t forgotten;
    const size_t size = field->size ? field->size : sizeof forgotten;
    void *member = field->size || field->table ? (char *)into + field->offset : (char *)&forgotten;
    switch (field->kind) {
    case COR_FIELD_INTEGER: {
        int64_t value = 0, most = size < 8 ? (INT64_C(1) << 8 * size) - 1 : INT64_MAX;
        COR_ASSERT(field->low >= -most / 2 - 1 && field->high <= most);
        COR_TRY(cor_json_integer(json, field->low, field->high, &value, error));
        put_integer(member, size, value);
        return COR_OK;
    }
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
    case COR_FIELD_ONE_OF: {
        int number = 0;
        COR_TRY(word_number(json, field, &number, error));
        put_integer(member, size, number);
        return COR_OK;
    }
    case COR_FIELD_OBJECT:
        if (field->defaults)
            memcpy(member, field->defaults, field->size);
        return cor_json_fields(json, field->table, member, error);
    case COR_FIELD_EACH:
        if (field->table)
            return read_objects(json, field, into, error);
        return cor_json_each(json, (size_t)field->low,
                             field->high == COR_MANY ? SIZE_MAX : (size_t)field->high, field->read, into,
                             error);
    case COR_FIELD_MEMBERS:
        return cor_json_each_member(json, field->read, into, error);
    case COR_FIELD_READ:
        return field->read(json, into, error);
    case COR_FIELD_KNOWN:
    case COR_FIELD_TABLE:
        break;
    }
    return COR_OK;
}

/* The struct that the rows of another table are for. */
static void *table_into(const struct cor_field *field, const void *into) {
    void *other = (void *)(uintptr_t)into;
    if (field->size > 0)
        memcpy(&other, (const char *)into + field->offset, sizeof other);
    return other;
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
    if (field->kind == COR_FIELD_REAL &&
        field->size > 0) { /* beyond its range it stands for something that the reader knows */
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
            COR_TRY(cor_json_members(json, field->table, table_into(field, into), error));
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
        if (field->place > 0)
            memcpy((char *)into + field->place - 1, &child, sizeof child);
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
    if (field->size == 0 && !field->table) /* it is not kept */
        return;
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
        cor_json_put_fields(writer, field->table, table_into(field, from));
        break;
    case COR_FIELD_EACH:
    case COR_FIELD_MEMBERS:
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

/* ---- where values come from */

#define KEY_MAX 512

void cor_origins_init(struct cor_origins *origins) {
    *origins = (struct cor_origins){0};
}

static void free_value(struct cor_origin *origin) {
    COR_FREE(origin->key, origin->value, origin->place);
}

void cor_origins_fini(struct cor_origins *origins) {
    for (size_t i = 0; i < origins->count; i++)
        free_value(&origins->values[i]);
    for (size_t i = 0; i < origins->base_count; i++) {
        COR_FREE(origins->bases[i].key, origins->bases[i].base);
    }
    COR_FREE(origins->values, origins->bases);
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
    COR_TRY_OUT(cor_made(origin.key = cor_strdup(key), error));
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
    /* The JSON pointer of a value, "" of the root. */
    pointer[0] = '\0';
    append_pointer(json, pointer, sizeof pointer, 0);
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
    COR_TRY(cor_made(named->under = cor_strdup(key), error));
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

static void drop(struct cor_origins *origins, size_t index) {
    free_value(&origins->values[index]);
    memmove(&origins->values[index], &origins->values[index + 1],
            (--origins->count - index) * sizeof *origins->values);
}

static int compare(const void *a, const void *b) {
    return strverscmp(((const struct cor_origin *)a)->key, ((const struct cor_origin *)b)->key);
}

enum cor_status cor_origins_settle(struct cor_origins *origins, struct cor_error *error) {
    for (size_t b = 0; b < origins->base_count; b++) {
        /* What a base says of a part goes there where the part does not say it itself. */
        const struct cor_origin_base *base = &origins->bases[b];
        for (size_t i = 0, count = origins->count; i < count; i++) {
            const struct cor_origin *from = &origins->values[i];
            const char *member = within(from->key, base->base);
            if (!member || from->kind != COR_ORIGIN_FILE)
                continue;
            char *key = cor_format("%s%s", base->key, member);
            COR_TRY(cor_made(key, error));
            /* The value of that key, or one within it; count: there is none. */
            size_t own = 0;
            while (own < origins->count && strcmp(origins->values[own].key, key) != 0)
                own++;
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
            const enum cor_status status =
                add_take(origins, key, cor_strdup(from->value), from->place,
                         base->is_preset ? COR_ORIGIN_PRESET : COR_ORIGIN_FILE, error);
            free(key);
            COR_TRY(status);
        }
    }
    for (size_t b = 0; b < origins->base_count; b++)
        for (size_t i = origins->count; i-- > 0;)
            if (origins->bases[b].is_preset && within(origins->values[i].key, origins->bases[b].base))
                drop(origins, i);
    if (origins->count > 0)
        qsort(origins->values, origins->count, sizeof *origins->values, compare);
    return COR_OK;
}
