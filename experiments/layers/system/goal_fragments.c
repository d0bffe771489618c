/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Goals within a goal as the file writes them: what a smaller test keeps of one that failed. What cannot be
 * read where it then stands is found out by reading it. */
#include "internal.h"

#include <corridor/array.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define FRAGMENTS_MOST 10000

/* Where goals are listed, and the named goal in whose text they stand. */
struct listing {
    const struct cor_json *definitions; /* NULL: there are none */
    struct system_layer__fragments *fragments;
    const char *parameters, *arguments; /* NULL: in none that has parameters */
    struct cor_error *error;
};

bool system_layer__has_word(const char *text, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at++) {
        const bool begins = at == text || !(isalnum((unsigned char)at[-1]) || strchr("_.", at[-1]));
        const bool ends = !(isalnum((unsigned char)at[length]) || at[length] == '_');
        if (begins && ends)
            return true;
    }
    return false;
}

bool system_layer__names_one_of(const char *text, const char *parameters) {
    for (const char *at = parameters; *at; at += strspn(at, ", ")) {
        const size_t length = strcspn(at, ", ");
        char word[256];
        if (length == 0 || length >= sizeof word)
            return false;
        memcpy(word, at, length);
        word[length] = '\0';
        if (system_layer__has_word(text, word))
            return true;
        at += length;
    }
    return false;
}

static enum cor_status list(const struct listing *listing, const struct cor_json *goal);

static enum cor_status add(const struct listing *listing, const struct cor_json *goal) {
    struct system_layer__fragments *fragments = listing->fragments;
    COR_TRY(COR_RESERVE(&fragments->items, &fragments->capacity, fragments->count + 1, listing->error));
    struct system_layer__fragment *made = &fragments->items[fragments->count++];
    *made = (struct system_layer__fragment){.goal = *goal};
    made->goal.parent = NULL;
    if (!listing->parameters)
        return COR_OK;
    made->parameters = cor_strdup(listing->parameters);
    made->arguments = cor_strdup(listing->arguments);
    return made->parameters && made->arguments ? COR_OK : cor_fail_memory(listing->error);
}

/* NAME, or NAME(..), of a definition. */
static bool is_head_of(const char *key, const char *call, size_t name) {
    return strncmp(key, call, name) == 0 && (key[name] == '\0' || key[name] == '(');
}

/* What stands within the brackets of NAME(..), freed with free(); NULL: there are none, or memory is out. */
static char *within(const char *call, size_t name) {
    const size_t length = strlen(call);
    return call[name] == '(' && call[length - 1] == ')'
               ? cor_format("%.*s", (int)(length - name - 2), call + name + 1)
               : NULL;
}

/* In the text of the goal that is used. */
static enum cor_status list_named(const struct listing *listing, const char *call) {
    const size_t name = strcspn(call, "(");
    for (size_t d = 0; listing->definitions && d < cor_json_size(listing->definitions); d++) {
        const struct cor_json body = cor_json_at(listing->definitions, d);
        if (!is_head_of(body.key, call, name))
            continue;
        struct listing inner = *listing;
        if (call[name] == '\0') {
            inner.parameters = inner.arguments = NULL;
            return list(&inner, &body);
        }
        char *parameters = within(body.key, name), *arguments = within(call, name);
        inner.parameters = parameters;
        inner.arguments = arguments;
        enum cor_status status = COR_OK;
        if (parameters && arguments &&
            !(listing->parameters && system_layer__names_one_of(arguments, listing->parameters)))
            status = list(&inner, &body);
        free(parameters);
        free(arguments);
        return status;
    }
    return COR_OK;
}

static enum cor_status list_array(const struct listing *listing, const struct cor_json *array) {
    for (size_t i = 0; i < cor_json_size(array); i++) {
        const struct cor_json item = cor_json_at(array, i);
        COR_TRY(list(listing, &item));
    }
    return COR_OK;
}

static enum cor_status list_handlers(const struct listing *listing, const struct cor_json *handlers) {
    struct cor_json goal;
    for (size_t i = 0; cor_json_is_array(handlers) && i < cor_json_size(handlers); i++) {
        const struct cor_json item = cor_json_at(handlers, i);
        if (cor_json_is_object(&item) && cor_json_find(&item, "do", &goal))
            COR_TRY(list(listing, &goal));
    }
    return COR_OK;
}

static enum cor_status list_members(const struct listing *listing, const struct cor_json *goal) {
    static const char *const one[] = {"repeat", "then", "else", "interruptible", NULL};
    struct cor_json member;
    if ((cor_json_find(goal, "seq", &member) || cor_json_find(goal, "first_of", &member)) &&
        cor_json_is_array(&member))
        COR_TRY(list_array(listing, &member));
    for (size_t k = 0; one[k]; k++)
        if (cor_json_find(goal, one[k], &member))
            COR_TRY(list(listing, &member));
    if (cor_json_find(goal, "while", &member) && cor_json_find(goal, "do", &member))
        COR_TRY(list(listing, &member));
    return cor_json_find(goal, "handlers", &member) ? list_handlers(listing, &member) : COR_OK;
}

static enum cor_status list(const struct listing *listing, const struct cor_json *goal) {
    const char *text;
    if (listing->fragments->count >= FRAGMENTS_MOST)
        return COR_OK;
    if (cor_json_is_object(goal))
        COR_TRY(list_members(listing, goal));
    else if (cor_json_is_string(goal)) {
        COR_TRY(cor_json_string(goal, &text, listing->error));
        COR_TRY(list_named(listing, text));
    }
    return add(listing, goal);
}

enum cor_status system_layer__fragments_list(const struct cor_json *goal, const struct cor_json *definitions,
                                             struct system_layer__fragments *fragments,
                                             struct cor_error *error) {
    const struct listing listing = {.definitions = definitions, .fragments = fragments, .error = error};
    return list(&listing, goal);
}

void system_layer__fragments_fini(struct system_layer__fragments *fragments) {
    for (size_t f = 0; f < fragments->count; f++) {
        free(fragments->items[f].parameters);
        free(fragments->items[f].arguments);
    }
    free(fragments->items);
    *fragments = (struct system_layer__fragments){0};
}

static bool begins_call(const char *text, const char *name) {
    const size_t length = strlen(name);
    return strncmp(text, name, length) == 0 && (text[length] == '\0' || text[length] == '(');
}

/* What some forms are called that are short for others. */
static bool is_called_otherwise(const char *key, const char *name) {
    static const char *const others[][2] = {{"distance", "goal"},   {"deploy", "if"}, {"while", "if"},
                                            {"try_if", "first_of"}, {"until", "seq"}, {NULL, NULL}};
    for (size_t o = 0; others[o][0]; o++)
        if (strcmp(key, others[o][0]) == 0 && strcmp(name, others[o][1]) == 0)
            return true;
    return false;
}

bool system_layer__fragment_may_be(const struct cor_json *goal, const char *name) {
    const char *text;
    if (cor_json_is_string(goal))
        return cor_json_string(goal, &text, NULL) == COR_OK && strcmp(text, name) == 0;
    for (size_t m = 0; cor_json_is_object(goal) && m < cor_json_size(goal); m++) {
        const struct cor_json member = cor_json_at(goal, m);
        struct cor_json action;
        if (strcmp(member.key, name) == 0 || is_called_otherwise(member.key, name))
            return true;
        if (cor_json_is_string(&member) && cor_json_string(&member, &text, NULL) == COR_OK &&
            begins_call(text, name))
            return true;
        if (cor_json_is_object(&member) && cor_json_find(&member, "do", &action) &&
            cor_json_is_string(&action) && cor_json_string(&action, &text, NULL) == COR_OK &&
            strcmp(text, name) == 0)
            return true;
    }
    return false;
}
