/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/agent_terms.h>
#include <corridor/error.h>
#include <corridor/system_terms.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define COR_TERM(P, NAME, code, text, ...) {.number = code, .word = text, .meaning = __VA_ARGS__},
#define COR_WORD(P, NAME, code, text, ...) text,
#define COR_FAMILY(family, P, list)                                         \
    static const struct cor_term family##_terms[] = {list(COR_TERM, P){0}}; \
    static const char *const family##_words[] = {list(COR_WORD, P) NULL};
COR_ALL_FAMILIES(COR_FAMILY)
#undef COR_FAMILY

const struct cor_term *cor_terms(enum cor_family family) {
    static const struct cor_term *const terms[COR_FAMILY_COUNT] = {
#define COR_FAMILY(family, PREFIX, list) [COR_FAMILY_##PREFIX] = family##_terms,
        COR_ALL_FAMILIES(COR_FAMILY)
#undef COR_FAMILY
    };
    COR_ASSERT(family > COR_FAMILY_NONE && family < COR_FAMILY_COUNT);
    return terms[family];
}

const char *const *cor_term_words(enum cor_family family) {
    static const char *const *const words[COR_FAMILY_COUNT] = {
#define COR_FAMILY(family, PREFIX, list) [COR_FAMILY_##PREFIX] = family##_words,
        COR_ALL_FAMILIES(COR_FAMILY)
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

/* What a field of a sentence stands for: a word, or a number. */
struct field {
    const char *name, *word; /* word NULL: a number */
    double number;
};

/* What stands for "{found member}": `at` is the part within the braces, `length` bytes long; the last of the
 * fields has no name. */
static void put_field(const struct field *field, const char *at, size_t length, char *text, size_t size) {
    size_t name = strcspn(at, " }");
    while (strlen(field->name) != name || strncmp(field->name, at, name) != 0)
        COR_ASSERT((++field)->name);
    const char *noun = at + name + 1;
    int noun_length = name < length ? (int)(length - name - 1) : 0;
    bool one = field->number == 1;
    if (field->word) {
        snprintf(text, size, "%s", field->word);
        return;
    }
    if (noun_length == 2 && strncmp(noun, "is", 2) == 0) {
        snprintf(text, size, "%s", one ? "is" : "are");
        return;
    }
    /* Whole numbers as such, thresholds and dissimilarities with nine digits. */
    bool whole =
        field->number >= 0 && field->number <= UINT32_MAX && field->number == (double)(uint32_t)field->number;
    snprintf(text, size, whole ? "%.0f" : "%.9g", field->number);
    if (noun_length > 0)
        snprintf(text + strlen(text), size - strlen(text), " %.*s%s", noun_length, noun, one ? "" : "s");
}

/* The sentence with its fields filled in, cut off at `size`. */
static void fill_in(const char *sentence, const struct field *fields, char *text, size_t size) {
    size_t used = 0;
    while (*sentence && used + 1 < size) {
        if (*sentence != '{') {
            text[used++] = *sentence++;
            continue;
        }
        size_t length = strcspn(sentence, "}") - 1;
        char field[256];
        put_field(fields, sentence + 1, length, field, sizeof field);
        int wrote = snprintf(text + used, size - used, "%s", field);
        used = used + (size_t)wrote < size ? used + (size_t)wrote : size - 1;
        sentence += length + 2;
    }
    text[used] = '\0';
}

void cor_violation_text(const struct cor_violation *violation, char *text, size_t size) {
    COR_ASSERT(size > 0);
    const struct cor_term *check = cor_term(COR_FAMILY_CHECK, (int)violation->check);
    const struct field fields[] = {{"agent", NULL, violation->agent},
                                   {"partition", NULL, violation->partition},
                                   {"expected", NULL, violation->expected},
                                   {"found", NULL, violation->found},
                                   {0}};
    /* Under a corridor as a text there is no threshold. */
    const bool is_of_text = violation->expected != violation->expected;
    if (is_of_text && violation->check == COR_CHECK_ALARM_MISSED)
        snprintf(text, size, "No alarm, but by the corridor one is due.");
    else if (is_of_text && violation->check == COR_CHECK_ALARM_FALSE)
        snprintf(text, size, "Alarm, but by the corridor none is due.");
    else if (violation->check == COR_CHECK_UNKNOWN && violation->found < violation->expected)
        snprintf(text, size, "Partition %u lists agent %u, which is not there.", violation->partition,
                 violation->agent);
    else if (check)
        fill_in(check->sentence, fields, text, size);
    else
        snprintf(text, size, "Unknown check %d.", (int)violation->check);
}

bool cor_aut_check_is_of_all(int check) {
    static const int of_all[] = {COR_AUT_CHECK_PLAN_NOT_WIRED,     COR_AUT_CHECK_PLAN_NEVER_CHOSEN,
                                 COR_AUT_CHECK_CONTEXT_NEVER_TRUE, COR_AUT_CHECK_CONTEXT_NEVER_FALSE,
                                 COR_AUT_CHECK_EVENT_NEVER_POSTED, COR_AUT_CHECK_MESSAGE_NEVER_SENT,
                                 COR_AUT_CHECK_ACTION_NEVER_DONE,  COR_AUT_CHECK_BELIEF_NEVER_WRITTEN,
                                 COR_AUT_CHECK_CYCLE_NEVER_OCCURS, COR_AUT_CHECK_CYCLE_ARC_UNUSED,
                                 COR_AUT_CHECK_EVENT_NEVER_RAISED, COR_AUT_CHECK_DECLARATION_TOO_WEAK};
    for (size_t i = 0; i < sizeof of_all / sizeof *of_all; i++)
        if (of_all[i] == check)
            return true;
    return false;
}

const char *cor_aut_check_takes(int check) {
    return cor_aut_check_is_of_all(check)                ? "all cases"
           : check == COR_AUT_CHECK_AGENT_NOT_REPEATABLE ? "two runs of a case"
                                                         : NULL;
}

void cor_aut_said_text(const struct cor_aut_said *said, char *text, size_t size) {
    COR_ASSERT(size > 0);
    const struct cor_term *check = cor_term(COR_FAMILY_AUT_CHECK, (int)said->check);
    const struct field fields[] = {{"about", said->about, 0},
                                   {"plan", said->plan, 0},
                                   {"hit", NULL, said->hit},
                                   {"run", NULL, said->run},
                                   {0}};
    if (check)
        fill_in(check->sentence, fields, text, size);
    else
        snprintf(text, size, "Unknown check %d.", (int)said->check);
}
