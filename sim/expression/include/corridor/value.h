/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of parameters that are more than integers: integers, reals, words and null; the words, each text
 * once; and the domains that say which of them a name may have. A truth value is the integer 0 or 1 of a
 * domain that says so. */
#ifndef CORRIDOR_VALUE_H
#define CORRIDOR_VALUE_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COR_NONE UINT32_MAX /* no word, no index */

/* What a value is; a truth value is an INTEGER. */
enum cor_value_kind { COR_VALUE_NULL, COR_VALUE_INTEGER, COR_VALUE_REAL, COR_VALUE_WORD };

/* A value; `kind` says which member of `as` counts, of null none. Owns nothing. */
struct cor_value {
    uint8_t kind; /* enum cor_value_kind; 0 = null */
    union {
        int64_t integer;
        double real;   /* finite */
        uint32_t word; /* index among the words of a struct cor_words */
    } as;
};

/* null: no word, which only domains of strings have. */
static inline struct cor_value cor_null(void) {
    return (struct cor_value){.kind = COR_VALUE_NULL};
}

/* An integer, or a truth value as 0 or 1. */
static inline struct cor_value cor_integer(int64_t integer) {
    return (struct cor_value){.kind = COR_VALUE_INTEGER, .as.integer = integer};
}

/* A real; must be finite. */
static inline struct cor_value cor_real(double real) {
    return (struct cor_value){.kind = COR_VALUE_REAL, .as.real = real};
}

/* A word, by its number in a struct cor_words. */
static inline struct cor_value cor_word(uint32_t word) {
    return (struct cor_value){.kind = COR_VALUE_WORD, .as.word = word};
}

/* The same kind and the same value: an integer never equals a real here, and 0.0 equals -0.0. Words of the
 * same struct cor_words. */
bool cor_value_equal(struct cor_value a, struct cor_value b);

/* Texts, each once, numbered in the order in which they came: equal texts have equal numbers. */
struct cor_words {
    char **texts;    /* owned; [word] */
    uint32_t *slots; /* owned; hash table of 1 + word, 0 = free */
    uint32_t count, slot_count;
    size_t capacity;
};

/* No words; frees nothing. */
void cor_words_init(struct cor_words *words);

/* Frees what the words hold. Idempotent. */
void cor_words_fini(struct cor_words *words);

/* The number of the text, which is added if it is new. */
enum cor_status cor_words_intern(struct cor_words *words, const char *text, uint32_t *word,
                                 struct cor_error *error) COR_MUST_USE;

/* The same for the first `length` bytes at `text`, none of which is 0. */
enum cor_status cor_words_intern_part(struct cor_words *words, const char *text, size_t length,
                                      uint32_t *word, struct cor_error *error) COR_MUST_USE;

/* The number of the text, COR_NONE if it is not there. */
uint32_t cor_words_find(const struct cor_words *words, const char *text);

/* The text of a word that is there. */
const char *cor_words_text(const struct cor_words *words, uint32_t word);

/* What kind of values a domain has. */
enum cor_value_type {
    COR_VALUE_TYPE_INTEGER,
    COR_VALUE_TYPE_REAL,
    COR_VALUE_TYPE_BOOLEAN,    /* the integers 0 and 1 */
    COR_VALUE_TYPE_STRING,     /* any word, or null */
    COR_VALUE_TYPE_ENUMERATION /* one of the words listed */
};

/* What values a name may have. */
struct cor_domain {
    enum cor_value_type type;
    const char *name; /* borrowed; as users know it: "int", "float", "bool", "string" or an enumeration's */
    const uint32_t *words; /* borrowed; ENUMERATION: in their order, at least one; else NULL */
    uint32_t word_count;
};

/* Is the value one of the domain's? An integer is none of a domain of reals (cor_domain_fit makes it one). */
bool cor_domain_has(const struct cor_domain *domain, struct cor_value value);

/* The value as one of the domain's: an integer becomes a real where reals are meant. False if it is none, and
 * then *value stays. */
bool cor_domain_fit(const struct cor_domain *domain, struct cor_value *value);

/* The fewest of up to 17 digits that give a finite real back: it is the nearest to `digits` times 10 to the
 * power. */
void cor_real_digits(double real, int64_t *digits, int *power);

/* The value as users read and write it in expressions: 12, 0.5, true, 'word', null. `domain` may be NULL,
 * then truth values are 0 and 1. Reals have the fewest digits that give them back, and a point or an
 * exponent. */
void cor_value_text(struct cor_value value, const struct cor_domain *domain, const struct cor_words *words,
                    char *text, size_t size);

#endif
