/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values by themselves, and the words: a hash table of open addresses, at most half full. Numbers are given
 * in the order of coming, so nothing depends on where a word hashes to. */
#include <corridor/value.h>

#include <corridor/array.h>
#include <corridor/hash.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cor_value_equal(struct cor_value a, struct cor_value b) {
    if (a.kind != b.kind)
        return false;
    switch ((enum cor_value_kind)a.kind) {
    case COR_VALUE_NULL:
        return true;
    case COR_VALUE_INTEGER:
        return a.as.integer == b.as.integer;
    case COR_VALUE_REAL:
        return a.as.real == b.as.real;
    case COR_VALUE_WORD:
        return a.as.word == b.as.word;
    }
    return false;
}

void cor_words_init(struct cor_words *words) {
    *words = (struct cor_words){0};
}

void cor_words_fini(struct cor_words *words) {
    for (uint32_t i = 0; i < words->count; i++)
        free(words->texts[i]);
    free(words->texts);
    free(words->slots);
    cor_words_init(words);
}

/* The slot of the text: where it is, or the free one where it would be. */
static uint32_t *slot_of(const struct cor_words *words, const char *text, size_t length) {
    uint32_t mask = words->slot_count - 1;
    uint32_t at = (uint32_t)cor_hash_bytes(COR_HASH_SEED, text, length) & mask;
    while (words->slots[at] != 0) {
        const char *known = words->texts[words->slots[at] - 1];
        if (strncmp(known, text, length) == 0 && known[length] == '\0')
            break;
        at = (at + 1) & mask;
    }
    return &words->slots[at];
}

enum cor_status cor_words_intern_part(struct cor_words *words, const char *text, size_t length,
                                      uint32_t *word, struct cor_error *error) {
    if (2 * (words->count + 1) > words->slot_count) {
        uint32_t count = words->slot_count > 0 ? 2 * words->slot_count : 16;
        uint32_t *slots = cor_calloc(count, sizeof *slots);
        COR_TRY(cor_made(slots, error));
        free(words->slots);
        words->slots = slots;
        words->slot_count = count;
        for (uint32_t i = 0; i < words->count; i++)
            *slot_of(words, words->texts[i], strlen(words->texts[i])) = i + 1;
    }
    uint32_t *slot = slot_of(words, text, length);
    if (*slot == 0) {
        COR_TRY(COR_RESERVE(&words->texts, &words->capacity, (size_t)words->count + 1, error));
        char *copy = strndup(text, length);
        COR_TRY(cor_made(copy, error));
        words->texts[words->count++] = copy;
        *slot = words->count;
    }
    *word = *slot - 1;
    return COR_OK;
}

enum cor_status cor_words_intern(struct cor_words *words, const char *text, uint32_t *word,
                                 struct cor_error *error) {
    return cor_words_intern_part(words, text, strlen(text), word, error);
}

uint32_t cor_words_find(const struct cor_words *words, const char *text) {
    uint32_t number = words->count > 0 ? *slot_of(words, text, strlen(text)) : 0;
    return number > 0 ? number - 1 : COR_NONE;
}

const char *cor_words_text(const struct cor_words *words, uint32_t word) {
    COR_ASSERT(word < words->count);
    return words->texts[word];
}

bool cor_domain_has(const struct cor_domain *domain, struct cor_value value) {
    switch (domain->type) {
    case COR_VALUE_TYPE_INTEGER:
        return value.kind == COR_VALUE_INTEGER;
    case COR_VALUE_TYPE_REAL:
        return value.kind == COR_VALUE_REAL && isfinite(value.as.real);
    case COR_VALUE_TYPE_BOOLEAN:
        return value.kind == COR_VALUE_INTEGER && (value.as.integer == 0 || value.as.integer == 1);
    case COR_VALUE_TYPE_STRING:
        return value.kind == COR_VALUE_WORD || value.kind == COR_VALUE_NULL;
    case COR_VALUE_TYPE_ENUMERATION:
        for (uint32_t i = 0; value.kind == COR_VALUE_WORD && i < domain->word_count; i++)
            if (domain->words[i] == value.as.word)
                return true;
    }
    return false;
}

bool cor_domain_fit(const struct cor_domain *domain, struct cor_value *value) {
    if (domain->type == COR_VALUE_TYPE_REAL && value->kind == COR_VALUE_INTEGER)
        *value = cor_real((double)value->as.integer);
    return cor_domain_has(domain, *value);
}

/* The fewest of up to 17 digits that give the number back. */
static void put_real(double real, char *text, size_t size) {
    char digits[32];
    int precision = 1;
    do
        snprintf(digits, sizeof digits, "%.*g", precision, real);
    while (precision++ < 17 && strtod(digits, NULL) != real);
    snprintf(text, size, "%s%s", digits, strpbrk(digits, ".en") ? "" : ".0");
}

void cor_real_digits(double real, int64_t *digits, int *power) {
    char text[40];
    int precision = 0;
    do
        snprintf(text, sizeof text, "%.*e", precision, real);
    while (precision++ < 16 && strtod(text, NULL) != real);
    const char *at = text + (*text == '-');
    for (*digits = *power = 0; *at != 'e'; at++)
        if (*at >= '0' && *at <= '9') {
            *digits = 10 * *digits + (*at - '0');
            --*power;
        }
    *power += 1 + (int)strtol(at + 1, NULL, 10);
    *digits = *text == '-' ? -*digits : *digits;
}

/* In single quotes, those within doubled. */
static void put_word(const char *word, char *text, size_t size) {
    size_t used = 0;
    if (size > 0)
        text[used++] = '\'';
    for (; *word && used + 3 < size; word++) {
        text[used++] = *word;
        if (*word == '\'')
            text[used++] = '\'';
    }
    if (used + 1 < size)
        text[used++] = '\'';
    if (size > 0)
        text[used < size ? used : size - 1] = '\0';
}

void cor_value_text(struct cor_value value, const struct cor_domain *domain, const struct cor_words *words,
                    char *text, size_t size) {
    switch ((enum cor_value_kind)value.kind) {
    case COR_VALUE_NULL:
        snprintf(text, size, "null");
        break;
    case COR_VALUE_INTEGER:
        if (domain && domain->type == COR_VALUE_TYPE_BOOLEAN)
            snprintf(text, size, "%s", value.as.integer ? "true" : "false");
        else
            snprintf(text, size, "%lld", (long long)value.as.integer);
        break;
    case COR_VALUE_REAL:
        put_real(value.as.real, text, size);
        break;
    case COR_VALUE_WORD:
        put_word(cor_words_text(words, value.as.word), text, size);
        break;
    }
}
