/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/error.h>
#include <corridor/letters.h>
#include <corridor/names.h>

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void base__assertion_failed(const char *condition, const char *file, int line) {
    fprintf(stderr, "corridor: %s:%d: broken promise: %s\n", file, line, condition);
    abort();
}

#define COR_STATUS_TEXT(name, text) text,
COR_WORDS(cor_status_text, enum cor_status, COR_STATUSES(COR_STATUS_TEXT))

enum cor_status cor_fail(struct cor_error *error, enum cor_status status, const char *place,
                         const char *remedy, const char *cause_format, ...) {
    COR_ASSERT(status != COR_OK);
    if (!error || error->status != COR_OK)
        return status;
    error->status = status;
    snprintf(error->place, sizeof error->place, "%s", place ? place : "");
    snprintf(error->remedy, sizeof error->remedy, "%s", remedy ? remedy : "");
    va_list arguments;
    va_start(arguments, cause_format);
    vsnprintf(error->cause, sizeof error->cause, cause_format, arguments);
    va_end(arguments);
    return status;
}

enum cor_status cor_fail_errno(struct cor_error *error, enum cor_status status, const char *place,
                               const char *remedy, const char *cause) {
    return cor_fail(error, status, place, remedy, "%s: %s", cause, strerror(errno));
}

enum cor_status cor_fail_memory(struct cor_error *error) {
    return cor_fail(error, COR_STATUS_MEMORY, NULL, "use fewer workers (--jobs) or smaller suites",
                    "out of memory");
}

bool cor_is_control(uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e ||
           code == 0x200f || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/* The bytes of the character at `text`, which is not at its end. A byte that is no UTF-8 counts as a
 * character that is not printable. */
static size_t character(const char *text, bool *printable, uint32_t *code) {
    const unsigned char *byte = (const unsigned char *)text;
    size_t size = byte[0] < 0x80 ? 1 : byte[0] < 0xc2 ? 0 : byte[0] < 0xe0 ? 2 : byte[0] < 0xf0 ? 3 : 4;
    bool good = size > 0 && byte[0] < 0xf5;
    *code = size > 1 ? byte[0] & (0x7fu >> size) : byte[0];
    for (size_t i = 1; i < size && good; i++) {
        good = (byte[i] & 0xc0) == 0x80;
        *code = *code << 6 | (byte[i] & 0x3f);
    }
    *printable = good && *code >= 0x20 && (*code < 0x7f || *code >= 0xa0);
    return good ? size : 1;
}

bool cor_is_printable(const char *text) {
    bool printable = true;
    uint32_t code;
    while (*text && printable)
        text += character(text, &printable, &code);
    return printable;
}

void cor_make_printable(char *text) {
    while (*text) {
        bool printable;
        uint32_t code;
        size_t length = character(text, &printable, &code);
        if ((!printable || cor_is_control(code)) && *text != '\n' && *text != '\t')
            memset(text, '?', length);
        text += length;
    }
}

size_t cor_text_fit(const char *text, size_t most) {
    size_t size = strnlen(text, most);
    while (size == most && most > 0 && ((unsigned char)text[size] & 0xc0) == 0x80)
        size = --most;
    return size;
}

void cor_error_text(const struct cor_error *error, char *text, size_t size) {
    snprintf(text, size, "%s%s%s%s%s", error->place, error->place[0] ? ": " : "", error->cause,
             error->remedy[0] ? "\n  " : "", error->remedy);
    cor_make_printable(text);
}

/* A letter, large or small; a blank, "-" and "_" are one, too. */
static char folded(char letter) {
    return letter == '-' || letter == ' ' ? '_' : (char)tolower((unsigned char)letter);
}

static bool is_same_folded(const char *a, const char *b) {
    while (*a && folded(*a) == folded(*b)) {
        a++;
        b++;
    }
    return !*a && !*b;
}

/* Does the word end with the name, behind something that is no letter? "psopp-f5" with "f5". */
static bool ends_with_name(const char *word, const char *name) {
    const size_t length = strlen(word), tail = strlen(name);
    return tail > 0 && tail < length && !isalnum((unsigned char)word[length - tail - 1]) &&
           is_same_folded(word + length - tail, name);
}

/* Optimal string alignment distance (Levenshtein with swaps of neighbours), for words up to 63 letters.
 * Longer ones count as different in every letter. */
static size_t distance(const char *a, const char *b) {
    enum { LONGEST = 63 };
    size_t la = strlen(a), lb = strlen(b);
    if (la > LONGEST || lb > LONGEST)
        return la > lb ? la : lb;
    size_t row[3][LONGEST + 1];
    for (size_t j = 0; j <= lb; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= la; i++) {
        size_t *now = row[i % 3], *before = row[(i + 2) % 3], *earlier = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t best = before[j - 1] + (a[i - 1] != b[j - 1]);
            if (before[j] + 1 < best)
                best = before[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && earlier[j - 2] + 1 < best)
                best = earlier[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[la % 3][lb];
}

bool cor_is_among(const char *const *names, const char *name) {
    for (size_t i = 0; names && names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

const char *cor_did_you_mean(const char *word, const char *const *names) {
    enum { PART_LEAST = 3 };
    const char *nearest = NULL;
    size_t allowed = (strlen(word) + 2) / 3, least = allowed + 1;
    for (; *names; names++) {
        const bool is_part = strlen(word) >= PART_LEAST && strstr(*names, word);
        size_t edits = is_same_folded(word, *names)              ? 0
                       : is_part || ends_with_name(word, *names) ? 1
                                                                 : distance(word, *names);
        if (edits < least) {
            least = edits;
            nearest = *names;
        }
    }
    return nearest;
}

void cor_known_names(const char *word, const char *const *names, char *text, size_t size) {
    const char *near = cor_did_you_mean(word, names);
    size_t used = 0;
    int wrote =
        near ? snprintf(text, size, "did you mean \"%s\"? known: ", near) : snprintf(text, size, "known: ");
    used = wrote > 0 ? (size_t)wrote : 0;
    for (size_t i = 0; names[i] && used < size; i++) {
        size_t left = 0;
        while (names[i + 1 + left])
            left++;
        char more[48] = "";
        if (left > 0)
            snprintf(more, sizeof more, " and %zu more", left);
        if (used + strlen(", ") + strlen(names[i]) + strlen(more) >= size) { /* no name is cut */
            snprintf(text + used, size - used, "%s%zu more", i > 0 ? " and " : "", left + 1);
            return;
        }
        wrote = snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", names[i]);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
}

const char *cor_names_at(struct cor_names names, size_t index) {
    const char *name = NULL;
    if (index < names.count && names.name)
        return names.name(names.records, index);
    if (index < names.count)
        memcpy((void *)&name, (const char *)names.records + index * names.stride + names.offset, sizeof name);
    return name;
}

void cor_names_known(struct cor_names names, const char *word, char *text, size_t size) {
    size_t count = 0;
    while (cor_names_at(names, count))
        count++;
    const char **all = calloc(count + 1, sizeof *all);
    text[0] = '\0';
    for (size_t i = 0; all && i < count; i++)
        all[i] = cor_names_at(names, i);
    if (all)
        cor_known_names(word, all, text, size);
    free((void *)all);
}

bool cor_names_has(struct cor_names names, const char *name, uint32_t *index) {
    const char *at;
    for (*index = 0; (at = cor_names_at(names, *index)) && strcmp(at, name) != 0;)
        ++*index;
    return at;
}

enum cor_status cor_names_find(struct cor_names names, const char *name, const char *place, uint32_t *index,
                               struct cor_error *error, const char *cause_format, ...) {
    char remedy[sizeof error->remedy], cause[sizeof error->cause];
    if (cor_names_has(names, name, index))
        return COR_OK;
    cor_names_known(names, name, remedy, sizeof remedy);
    va_list arguments;
    va_start(arguments, cause_format);
    vsnprintf(cause, sizeof cause, cause_format, arguments);
    va_end(arguments);
    return cor_fail(error, COR_STATUS_INPUT, place, remedy, "%s", cause);
}
