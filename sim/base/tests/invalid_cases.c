/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "invalid_cases.h"

#include <corridor/array.h>

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A value in a text: a member begins at its key, an item at itself. */
struct place {
    const char *key, *begin, *end;
};

#define OTHER "without-z3>"

/* The list while it is read; all texts are owned, NULL where the case has none. */
struct reader {
    const char *list, *folder;
    size_t line;
    char **names;
    size_t name_count, name_capacity;
    char *base, *name, *changed;
    char *old, *new; /* of the edit of text under way, each line with its end */
    char *args, *message, *other_message;
    bool lies_beside;
};

static _Noreturn void refuse(const struct reader *r, const char *why, const char *what) {
    fprintf(stderr, "%s:%zu: %s: %s\n", r->list, r->line, why, what);
    exit(EXIT_FAILURE);
}

/* The whole file, freed with free(). */
static char *read_file(const struct reader *r, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file)
        refuse(r, "cannot be read", path);
    char *text = NULL;
    size_t size = 0;
    if (getdelim(&text, &size, '\0', file) < 0) { /* to its end: nothing here has NUL bytes */
        free(text);
        text = cor_strdup("");
    }
    if (ferror(file) || fgetc(file) != EOF)
        refuse(r, "has NUL bytes or cannot be read", path);
    fclose(file);
    return text;
}

/* A new file: nothing that lies beside the list is written over. */
static void write_file(const struct reader *r, const char *suffix, const char *text) {
    char *path = cor_format("%s/%s%s", r->folder, r->name, suffix);
    FILE *file = fopen(path, "wbx");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        refuse(r, "cannot be written", path);
    free(path);
}

/* ---- places */

static const char *skip_blanks(const char *at) {
    return at + strspn(at, " \n");
}

static const char *skip_string(const char *at) {
    for (at++; *at && *at != '"'; at++)
        at += *at == '\\' && at[1];
    return at + (*at == '"');
}

/* Past a value of JSON, or what stands for one. */
static const char *skip_value(const char *at) {
    size_t depth = 0;
    while (*at && (depth > 0 || !strchr(",]} \n", *at))) {
        depth += *at == '[' || *at == '{';
        depth -= *at == ']' || *at == '}';
        at = *at == '"' ? skip_string(at) : at + 1;
    }
    return at;
}

/* From a list or an object to the member or item that is called so; false if it has none. */
static bool enter(struct place *place, const char *word, size_t length) {
    const bool is_object = *place->begin == '{';
    size_t index = strtoul(word, NULL, 10);
    const char *at = skip_blanks(place->begin + 1);
    while (at < place->end && *at != ']' && *at != '}') {
        struct place inner = {.key = at};
        bool found = index-- == 0;
        if (is_object) {
            const char *end = skip_string(at);
            found = (size_t)(end - at) == length + 2 && strncmp(at + 1, word, length) == 0;
            at = skip_blanks(skip_blanks(end) + 1);
        }
        inner.begin = at;
        inner.end = at = skip_value(at);
        if (found) {
            *place = inner;
            return true;
        }
        at = skip_blanks(at);
        at = *at == ',' ? skip_blanks(at + 1) : at;
    }
    return false;
}

static struct place find_place(const struct reader *r, const char *pointer) {
    struct place place = {.begin = skip_blanks(r->changed)};
    place.key = place.begin;
    place.end = skip_value(place.begin);
    for (const char *word = pointer + 1; *word;) {
        size_t length = strcspn(word, "/");
        if (!enter(&place, word, length))
            refuse(r, "there is no such place", pointer);
        word += length + (word[length] == '/');
    }
    return place;
}

/* ---- edits */

/* Ends the line behind its first word; what stands behind the blank there. */
static char *cut_word(char *line) {
    char *end = line + strcspn(line, " ");
    if (!*end)
        return end;
    *end = '\0';
    return end + 1;
}

/* This instead of what is between two places of the text. */
static void replace(struct reader *r, const char *begin, const char *end, const char *with) {
    char *changed = cor_format("%.*s%s%s", (int)(begin - r->changed), r->changed, with, end);
    free(r->changed);
    r->changed = changed;
}

static void add(struct reader *r, const struct place *place, const char *what) {
    const char *end = place->end - 1;
    while (strchr(" \n", end[-1]))
        end--;
    char *more = cor_format("%s%s", end == place->begin + 1 ? "" : ", ", what);
    replace(r, end, end, more);
    free(more);
}

static void take_away(struct reader *r, const struct place *place) {
    const char *begin = place->key, *end = skip_blanks(place->end);
    if (*end == ',') {
        end = skip_blanks(end + 1);
    } else {
        end = place->end;
        while (begin > r->changed && strchr(" \n", begin[-1]))
            begin--;
        begin -= begin > r->changed && begin[-1] == ',';
    }
    replace(r, begin, end, "");
}

static void edit_place(struct reader *r, const char *verb, char *rest) {
    const char *value = cut_word(rest);
    if (*rest != '/')
        refuse(r, "is no place", rest);
    const struct place place = find_place(r, rest);
    if (strcmp(verb, "set") == 0)
        replace(r, place.begin, place.end, value);
    else if (strcmp(verb, "remove") == 0)
        take_away(r, &place);
    else if (*place.begin == '[' || *place.begin == '{')
        add(r, &place, value);
    else
        refuse(r, "holds no members or items", rest);
}

/* The edit of text that has come to its end. */
static void edit_text(struct reader *r) {
    if (r->new && !r->old) {
        replace(r, r->changed + strlen(r->changed), "", r->new);
    } else if (r->old) {
        r->old[strlen(r->old) - 1] = '\0';
        if (r->new)
            r->new[strlen(r->new) - 1] = '\0';
        const char *begin = strstr(r->changed, r->old);
        if (!begin || strstr(begin + 1, r->old))
            refuse(r, begin ? "is there twice" : "is not there", r->old);
        replace(r, begin, begin + strlen(r->old), r->new ? r->new : "");
    }
    free(r->old);
    free(r->new);
    r->old = r->new = NULL;
}

/* ---- cases */

static void forget(char **text) {
    free(*text);
    *text = NULL;
}

static void end_case(struct reader *r) {
    if (!r->name)
        return;
    edit_text(r);
    if (!r->message)
        refuse(r, "has no message", r->name);
    if (!r->lies_beside)
        write_file(r, "", r->changed);
    write_file(r, ".expected", r->message);
    if (r->other_message)
        write_file(r, ".expected.without-z3", r->other_message);
    if (r->args)
        write_file(r, ".args", r->args);
    forget(&r->changed);
    forget(&r->message);
    forget(&r->other_message);
    forget(&r->args);
    r->name = NULL;
}

static void begin_case(struct reader *r, const char *name, size_t length) {
    end_case(r);
    if (COR_RESERVE(&r->names, &r->name_capacity, r->name_count + 2, NULL) != COR_OK)
        refuse(r, "memory is out", name);
    r->name = r->names[r->name_count++] = cor_format("%.*s", (int)length, name);
    r->changed = cor_strdup(r->base ? r->base : "");
    r->lies_beside = false;
}

static void append(char **text, const char *line) {
    char *longer = cor_format("%s%s\n", *text ? *text : "", line);
    free(*text);
    *text = longer;
}

static void change_base(struct reader *r, const char *name) {
    end_case(r);
    forget(&r->base);
    if (*name) {
        char *path = cor_format("%.*s/%s", (int)(strrchr(r->list, '/') - r->list), r->list, name);
        r->base = read_file(r, path);
        free(path);
    }
}

static void read_line(struct reader *r, char *verb) {
    char *rest = cut_word(verb);
    const bool is_old = strcmp(verb, "-") == 0, is_new = strcmp(verb, "+") == 0;
    if ((is_old && r->new) || (!is_old && !is_new))
        edit_text(r);
    if (!*verb || *verb == '#')
        return;
    if (*verb == '[')
        begin_case(r, verb + 1, strcspn(verb + 1, "]"));
    else if (strcmp(verb, "base") == 0)
        change_base(r, rest);
    else if (!r->name)
        refuse(r, "stands before the first case", verb);
    else if (is_old || is_new)
        append(is_old ? &r->old : &r->new, rest);
    else if (strcmp(verb, ">") == 0)
        append(&r->message, rest);
    else if (strcmp(verb, OTHER) == 0 && *rest)
        append(&r->other_message, rest);
    else if (strcmp(verb, OTHER) == 0)
        r->other_message = cor_strdup("");
    else if (strcmp(verb, "args") == 0)
        append(&r->args, rest);
    else if (strcmp(verb, "file") == 0)
        r->lies_beside = true;
    else if (strcmp(verb, "set") == 0 || strcmp(verb, "add") == 0 || strcmp(verb, "remove") == 0)
        edit_place(r, verb, rest);
    else
        refuse(r, "begins no line", verb);
}

static void link_the_rest(const struct reader *r) {
    char *folder = cor_format("%.*s", (int)(strrchr(r->list, '/') - r->list), r->list);
    DIR *stream = opendir(folder);
    if (!stream)
        refuse(r, "cannot be read", folder);
    for (const struct dirent *entry; (entry = readdir(stream));) {
        char *from = cor_format("%s/%s", folder, entry->d_name),
             *to = cor_format("%s/%s", r->folder, entry->d_name);
        if (*entry->d_name != '.' && strcmp(from, r->list) != 0 && symlink(from, to) != 0)
            refuse(r, "cannot be made", to);
        free(from);
        free(to);
    }
    closedir(stream);
    free(folder);
}

char **cor_invalid_cases_write(const char *list, const char *folder) {
    struct reader r = {.list = list, .folder = folder};
    char *text = read_file(&r, list);
    link_the_rest(&r);
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        r.line++;
        read_line(&r, line);
    }
    end_case(&r);
    free(r.base);
    free(text);
    if (!r.names)
        refuse(&r, "has no case", list);
    r.names[r.name_count] = NULL;
    return r.names;
}

/* The message in the folder, each line behind the verb; an empty one is the verb alone. */
static void put_message(const struct reader *r, FILE *out, const char *verb) {
    char *path =
        cor_format("%s/%s.expected%s", r->folder, r->name, strcmp(verb, OTHER) == 0 ? ".without-z3" : "");
    char *message = read_file(r, path);
    if (!*message)
        fprintf(out, "%s\n", verb);
    for (char *line = message, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        fprintf(out, "%s %s\n", verb, line);
    }
    free(message);
    free(path);
}

void cor_invalid_cases_take(const char *list, const char *folder) {
    struct reader r = {.list = list, .folder = folder};
    char *text = read_file(&r, list), last[sizeof OTHER] = "";
    FILE *out = fopen(list, "wb");
    if (!out)
        refuse(&r, "cannot be written", list);
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        const size_t word = strcspn(line, " ");
        const bool is_message =
            (word == 1 && *line == '>') || (word == strlen(OTHER) && !strncmp(line, OTHER, word));
        if (*line == '[') {
            forget(&r.name);
            r.name = cor_format("%.*s", (int)strcspn(line + 1, "]"), line + 1);
        }
        if (!is_message)
            fprintf(out, "%s\n", line);
        else if (strlen(last) != word || strncmp(line, last, word) != 0)
            put_message(&r, out, *line == '>' ? ">" : OTHER);
        snprintf(last, sizeof last, "%.*s", is_message ? (int)word : 0, line);
    }
    if (fclose(out) != 0)
        refuse(&r, "cannot be written", list);
    free(r.name);
    free(text);
}
