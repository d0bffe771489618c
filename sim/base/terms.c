/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/status.h>
#include <corridor/terms.h>

#include <string.h>

#define COR_TERM(NAME, number, word, meaning) {word, meaning, number},
#define COR_WORD(NAME, number, word, meaning) word,
#define COR_FAMILY(family, PREFIX, list)                                             \
    static const struct cor_term family##_terms[] = {list(COR_TERM){NULL, NULL, 0}}; \
    static const char *const family##_words[] = {list(COR_WORD) NULL};
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

const char *cor_term_word(enum cor_family family, int number) {
    for (const struct cor_term *term = cor_terms(family); term->word; term++)
        if (term->number == number)
            return term->word;
    return "?";
}

int cor_term_number(enum cor_family family, const char *word) {
    for (const struct cor_term *term = cor_terms(family); term->word; term++)
        if (strcmp(term->word, word) == 0)
            return term->number;
    return 0;
}
