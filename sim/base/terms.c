/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/error.h>
#include <corridor/terms.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define COR_TERM(P, NAME, code, text, ...) {.number = code, .word = text, .meaning = __VA_ARGS__},
#define COR_WORD(P, NAME, code, text, ...) text,
#define COR_FAMILY(family, P, list)                                         \
    static const struct cor_term family##_terms[] = {list(COR_TERM, P){0}}; \
    static const char *const family##_words[] = {list(COR_WORD, P) NULL};
COR_FAMILIES(COR_FAMILY)
#undef COR_FAMILY

const struct cor_term *cor_terms(enum cor_family family) {
    static const struct cor_term *const terms[COR_FAMILY_COUNT] = {
#define COR_FAMILY(family, PREFIX, list) [COR_FAMILY_##PREFIX] = family##_terms,
        COR_FAMILIES(COR_FAMILY)
#undef COR_FAMILY
    };
    COR_ASSERT(family > COR_FAMILY_NONE && family < COR_FAMILY_COUNT);
    return terms[family];
}

const char *const *cor_term_words(enum cor_family family) {
    static const char *const *const words[COR_FAMILY_COUNT] = {
#define COR_FAMILY(family, PREFIX, list) [COR_FAMILY_##PREFIX] = family##_words,
        COR_FAMILIES(COR_FAMILY)
#undef COR_FAMILY
    };
    COR_ASSERT(family > COR_FAMILY_NONE && family < COR_FAMILY_COUNT);
    return words[family];
}

const struct cor_term *cor_term(enum cor_family family, int number) {
    const struct cor_term *term = cor_terms(family);
    while (term->word && term->number != number)
        term++;
    return term->word ? term : NULL;
}

const char *cor_term_word(enum cor_family family, int number) {
    const struct cor_term *term = cor_term(family, number);
    return term ? term->word : "?";
}

int cor_term_number(enum cor_family family, const char *word) {
    for (const struct cor_term *term = cor_terms(family); term->word; term++)
        if (strcmp(term->word, word) == 0)
            return term->number;
    return 0;
}

/* Whole numbers as such, thresholds and dissimilarities with nine digits. */
static void put_number(double number, char *text, size_t size) {
    bool whole = number >= 0 && number <= UINT32_MAX && number == (double)(uint32_t)number;
    snprintf(text, size, whole ? "%.0f" : "%.9g", number);
}

/* What stands for "{found member}": `field` is the part within the braces, `length` bytes long. */
static void put_field(const struct cor_violation *v, const char *field, size_t length, char *text,
                      size_t size) {
    const struct {
        const char *name;
        double value;
    } values[] = {
        {"agent", v->agent}, {"partition", v->partition}, {"expected", v->expected}, {"found", v->found}};
    size_t name = strcspn(field, " }"), i = 0;
    while (strncmp(values[i].name, field, name) != 0)
        COR_ASSERT(++i < sizeof values / sizeof *values);
    const char *noun = field + name + 1;
    int noun_length = name < length ? (int)(length - name - 1) : 0;
    bool one = values[i].value == 1;
    if (noun_length == 2 && strncmp(noun, "is", 2) == 0) {
        snprintf(text, size, "%s", one ? "is" : "are");
        return;
    }
    put_number(values[i].value, text, size);
    if (noun_length > 0)
        snprintf(text + strlen(text), size - strlen(text), " %.*s%s", noun_length, noun, one ? "" : "s");
}

void cor_violation_text(const struct cor_violation *violation, char *text, size_t size) {
    COR_ASSERT(size > 0);
    const struct cor_term *check = cor_term(COR_FAMILY_CHECK, (int)violation->check);
    if (!check) {
        snprintf(text, size, "Unknown check %d.", (int)violation->check);
        return;
    }
    size_t used = 0;
    const char *at = check->sentence;
    while (*at && used + 1 < size) {
        if (*at != '{') {
            text[used++] = *at++;
            continue;
        }
        size_t length = strcspn(at, "}") - 1;
        char field[64];
        put_field(violation, at + 1, length, field, sizeof field);
        int wrote = snprintf(text + used, size - used, "%s", field);
        used = used + (size_t)wrote < size ? used + (size_t)wrote : size - 1;
        at += length + 2;
    }
    text[used] = '\0';
}
