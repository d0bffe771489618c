/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/status.h>
#include <corridor/terms.h>

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
