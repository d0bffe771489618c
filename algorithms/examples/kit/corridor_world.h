/* SPDX-License-Identifier: MIT
 *
 * A world for test agents in C, for `corridor run`: this file is all that it takes, nothing is linked.
 * docs/look-up/world-programs.md has the lines that it speaks.
 *
 *     static void reset(uint64_t seed) { .. }                        as a fresh one
 *     static void act(const char *action, const char *asked) { .. }  cor_word(asked, "coin"), cor_number(..)
 *     static void view(FILE *to) { cor_entity(to, "m", "machine"); cor_integer(to, "credit", credit); .. }
 *     int main(void) { return cor_run_world(&(struct cor_world){.hello = HELLO, reset, act, view}); }
 *
 * Take no clock, and chance from the seed alone: the same requests get the same answers. What is printed goes
 * to standard error. */
#ifndef CORRIDOR_ALGORITHMS_EXAMPLES_KIT_CORRIDOR_WORLD_H
#define CORRIDOR_ALGORITHMS_EXAMPLES_KIT_CORRIDOR_WORLD_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct cor_world {
    const char *hello;            /* members of the hello as JSON: "\"world\":\"mine\",\"types\":{..}, .." */
    void (*reset)(uint64_t seed); /* as it is in a fresh process */
    void (*act)(const char *action,
                const char *asked); /* a test agent acts; what cannot be done changes nothing */
    void (*view)(FILE *to);         /* all that there is, by the functions below */
};

/* Where the value of the JSON text that begins at `at` ends. */
static inline const char *cor_value_end(const char *at) {
    int depth = 0;
    bool quoted = false;
    for (; *at; at++) {
        if (quoted) {
            if (*at == '\\' && at[1])
                at++;
            else if (*at == '"')
                quoted = false;
        } else if (*at == '"')
            quoted = true;
        else if (*at == '{' || *at == '[')
            depth++;
        else if (depth == 0 && (*at == ',' || *at == '}' || *at == ']'))
            return at;
        else if (*at == '}' || *at == ']')
            depth--;
    }
    return at;
}

/* The value of a member of the object `asked`, as JSON; NULL: there is none of the name. */
static inline const char *cor_member(const char *asked, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = asked; *at == '{' || *at == ',';) {
        const char *key = at + 1 + strspn(at + 1, " ");
        const char *colon = key;
        while (*colon && (*colon != ':' || colon[-1] != '"'))
            colon++;
        if (!*colon)
            return NULL;
        const char *value = colon + 1 + strspn(colon + 1, " ");
        if ((size_t)(colon - key) == length + 2 && memcmp(key + 1, name, length) == 0)
            return value;
        at = cor_value_end(value);
    }
    return NULL;
}

/* One character of a JSON text that was escaped by \u and four digits, as UTF-8; what stands behind it. */
static inline const char *cor_unescape(const char *at, char **to) {
    unsigned code = 0, low = 0;
    if (sscanf(at, "%4x", &code) == 1 && code >= 0xD800 && code < 0xDC00 &&
        sscanf(at + 4, "\\u%4x", &low) == 1) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        at += 6;
    }
    const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *(*to)++ = (char)(more == 0 ? code : (0xFF00u >> (more + 1) & 0xFFu) | code >> 6 * more);
    for (int i = more - 1; i >= 0; i--)
        *(*to)++ = (char)(0x80 | (code >> 6 * i & 0x3F));
    return at + 4;
}

/* A word that an action was given, an entity by its identity; "" where there is none. Until the next call. */
static inline const char *cor_word(const char *asked, const char *name) {
    static char *word;
    const char *at = cor_member(asked, name);
    char *to = word = realloc(word, at ? strlen(at) + 1 : 1);
    if (!to)
        abort();
    if (at && *at == '"')
        for (at++; *at && *at != '"';) {
            if (*at != '\\') {
                *to++ = *at++;
                continue;
            }
            const char *known = strchr("b\bf\fn\nr\rt\t", at[1]);
            at += 2;
            if (at[-1] == 'u')
                at = cor_unescape(at, &to);
            else
                *to++ = known ? known[1] : at[-1];
        }
    *to = 0;
    return word;
}

/* A number or truth value that it was given; 0 where there is none. */
static inline double cor_number(const char *asked, const char *name) {
    const char *at = cor_member(asked, name);
    return !at ? 0 : *at == 't' ? 1 : strtod(at, NULL);
}

/* Text as JSON. */
static inline void cor_print_text(FILE *to, const char *text) {
    fputc('"', to);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(to, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            fprintf(to, "\\u%04x", (unsigned)*text);
        else
            fputc(*text, to);
    fputc('"', to);
}

/* An entity that is seen, and its properties behind it. */
static bool cor_shown;
static inline void cor_entity(FILE *to, const char *identity, const char *type) {
    fputs(cor_shown ? "},{\"id\":" : "{\"id\":", to);
    cor_shown = true;
    cor_print_text(to, identity);
    fputs(",\"type\":", to);
    cor_print_text(to, type);
}
static inline void cor_integer(FILE *to, const char *property, int64_t value) {
    fprintf(to, ",\"%s\":%" PRId64, property, value);
}
static inline void cor_real(FILE *to, const char *property, double value) {
    fprintf(to, ",\"%s\":%.17g", property, value);
}
static inline void cor_truth(FILE *to, const char *property, bool value) {
    fprintf(to, ",\"%s\":%s", property, value ? "true" : "false");
}
static inline void cor_text(FILE *to, const char *property, const char *value) {
    fprintf(to, ",\"%s\":", property);
    cor_print_text(to, value);
}

/* Answers the host until it says bye. */
static inline int cor_run_world(const struct cor_world *world) {
    FILE *to = fdopen(dup(STDOUT_FILENO), "w");
    if (!to || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return 1;
    char *line = NULL;
    size_t room = 0;
    uint64_t seed = 0, tick = 0;
    while (getline(&line, &room, stdin) > 0 && !cor_member(line, "bye")) {
        const char *hello = cor_member(line, "hello");
        fprintf(to, "{\"id\":%.0f,", cor_number(line, "id"));
        if (hello) {
            seed = strtoull(cor_word(hello, "seed"), NULL, 0);
            fprintf(to, "%s,\"can\":[\"reset\"]}\n", world->hello);
        } else {
            char *action = strdup(cor_word(line, "do"));
            if (!action)
                abort();
            if (cor_member(line, "reset")) {
                tick = 0;
                world->reset(seed);
            } else if (strcmp(action, "look") != 0) {
                tick++;
                if (strcmp(action, "wait") != 0)
                    world->act(action, line);
            }
            free(action);
            cor_shown = false;
            fprintf(to, "\"tick\":%" PRIu64 ",\"all\":true,\"entities\":[", tick);
            world->view(to);
            fputs(cor_shown ? "}]}\n" : "]}\n", to);
        }
        fflush(to);
        fflush(stdout);
    }
    free(line);
    return fclose(to) == 0 ? 0 : 1;
}

#endif
