/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "units.h"

#include <corridor/world.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 32

/* Words to some power, each once; none is to the power 0. */
struct unit {
    struct word {
        const char *at;
        size_t length;
        long power;
    } words[WORDS_MAX];
    size_t count;
    bool is_too_long;
};

static void add_word(struct unit *unit, const char *at, size_t length, long power) {
    for (size_t i = 0; i < unit->count; i++) {
        struct word *word = &unit->words[i];
        if (word->length != length || memcmp(word->at, at, length) != 0)
            continue;
        word->power += power;
        if (word->power == 0)
            memmove(word, word + 1, (--unit->count - i) * sizeof *word);
        return;
    }
    if (power == 0 || (length == 1 && *at == '1'))
        return;
    unit->is_too_long = unit->is_too_long || unit->count == WORDS_MAX;
    if (!unit->is_too_long)
        unit->words[unit->count++] = (struct word){at, length, power};
}

/* The length of a dot between words, 0: there is none. */
static size_t dot_at(const char *at) {
    static const char *const dots[] = {"\xc2\xb7", "\xe2\x8b\x85", "*", " ", "(", ")"};
    for (size_t i = 0; i < sizeof dots / sizeof *dots; i++)
        if (strncmp(at, dots[i], strlen(dots[i])) == 0)
            return strlen(dots[i]);
    return 0;
}

/* A power behind a word: ^2, ^-1, and the raised figures two and three; where it ends. */
static const char *read_power(const char *at, long *power) {
    *power = 1;
    if (strncmp(at, "\xc2\xb2", 2) == 0 || strncmp(at, "\xc2\xb3", 2) == 0) {
        *power = (unsigned char)at[1] - 0xb0;
        return at + 2;
    }
    const size_t digits = *at == '^' ? strspn(at + 1 + (at[1] == '-'), "0123456789") : 0;
    if (digits == 0 || digits > 2)
        return at;
    char *end;
    *power = strtol(at + 1, &end, 10);
    return end;
}

static bool begins_power(const char *at) {
    long power;
    return read_power(at, &power) != at;
}

static void read_unit(const char *text, long sign, struct unit *unit) {
    const long divided = -sign;
    while (text && *text) {
        const size_t dot = dot_at(text);
        const char *from = text;
        long power;
        if (dot > 0 || *text == '/') {
            sign = dot == 0 ? divided : sign;
            text += dot > 0 ? dot : 1;
            continue;
        }
        while (*text && *text != '/' && dot_at(text) == 0 && (text == from || !begins_power(text)))
            text++;
        const size_t length = (size_t)(text - from);
        text = read_power(text, &power);
        add_word(unit, from, length, sign * power);
    }
}

bool cor_same_unit(const char *a, const char *b) {
    struct unit unit = {.count = 0};
    read_unit(a, 1, &unit);
    read_unit(b, -1, &unit);
    return unit.is_too_long ? a && b && strcmp(a, b) == 0 : unit.count == 0;
}

/* Words of powers of that sign, with blanks between them. */
static size_t put_words(const struct unit *unit, long sign, char *text, size_t size, size_t length) {
    bool is_first = true;
    for (size_t i = 0; i < unit->count; i++) {
        const struct word *word = &unit->words[i];
        if (word->power * sign < 0 || length >= size)
            continue;
        length += (size_t)snprintf(text + length, size - length, "%s%.*s", is_first ? "" : " ",
                                   (int)word->length, word->at);
        if (labs(word->power) != 1 && length < size)
            length += (size_t)snprintf(text + length, size - length, "^%ld", labs(word->power));
        is_first = false;
    }
    return length;
}

bool expression__join_units(const char *a, const char *b, bool divides, char text[EXPRESSION__UNIT_MAX]) {
    struct unit unit = {.count = 0};
    bool has_above = false, has_below = false;
    read_unit(a, 1, &unit);
    read_unit(b, divides ? -1 : 1, &unit);
    for (size_t i = 0; i < unit.count; i++) {
        has_above = has_above || unit.words[i].power > 0;
        has_below = has_below || unit.words[i].power < 0;
    }
    text[0] = '\0';
    size_t length = put_words(&unit, 1, text, EXPRESSION__UNIT_MAX, 0);
    if (has_below && length < EXPRESSION__UNIT_MAX)
        length += (size_t)snprintf(text + length, EXPRESSION__UNIT_MAX - length, has_above ? " / " : "1 / ");
    if (has_below)
        length = put_words(&unit, -1, text, EXPRESSION__UNIT_MAX, length);
    return !unit.is_too_long && length < EXPRESSION__UNIT_MAX;
}
