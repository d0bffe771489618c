/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditions as text, otherwise in one place: a relation, a constant, a term less. */
#include "internal.h"

#include <corridor/array.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum token { TOKEN_END, TOKEN_OTHER, TOKEN_RELATION, TOKEN_NUMBER, TOKEN_AND, TOKEN_OR };

struct scanner {
    const char *text;
    size_t start, end; /* of the token */
    int depth;         /* of round brackets, around it */
};

static bool letter(char c) {
    return isalpha((unsigned char)c) || c == '_';
}

/* Behind a name, with the points in it. */
static size_t behind_name(const char *text, size_t at) {
    while (letter(text[at]) || isdigit((unsigned char)text[at]) || (text[at] == '.' && letter(text[at + 1])))
        at++;
    return at;
}

static size_t behind_digits(const char *text, size_t at) {
    while (isdigit((unsigned char)text[at]))
        at++;
    return at;
}

/* Behind 12, 0.5, 1e-3. */
static size_t behind_number(const char *text, size_t at) {
    at = behind_digits(text, at);
    if (text[at] == '.')
        at = behind_digits(text, at + 1);
    if (text[at] == 'e' || text[at] == 'E') {
        size_t exponent = at + 1 + (text[at + 1] == '+' || text[at + 1] == '-');
        if (isdigit((unsigned char)text[exponent]))
            at = behind_digits(text, exponent);
    }
    return at;
}

/* Behind what is quoted, or in square brackets. */
static size_t behind_quoted(const char *text, size_t at, char quote) {
    const char *close = strchr(text + at + 1, quote);
    return close ? (size_t)(close - text) + 1 : strlen(text);
}

static bool is_word(const struct scanner *scanner, const char *word) {
    size_t length = scanner->end - scanner->start;
    return strlen(word) == length && strncmp(scanner->text + scanner->start, word, length) == 0;
}

static enum token name_or_word(struct scanner *scanner) {
    scanner->end = behind_name(scanner->text, scanner->start);
    return is_word(scanner, "and") ? TOKEN_AND : is_word(scanner, "or") ? TOKEN_OR : TOKEN_OTHER;
}

static enum token sign(struct scanner *scanner) {
    static const struct {
        const char *text;
        enum token token;
    } signs[] = {{"<=", TOKEN_RELATION}, {">=", TOKEN_RELATION}, {"==", TOKEN_RELATION},
                 {"!=", TOKEN_RELATION}, {"<", TOKEN_RELATION},  {">", TOKEN_RELATION},
                 {"=", TOKEN_RELATION},  {"&&", TOKEN_AND},      {"||", TOKEN_OR}};
    const char *at = scanner->text + scanner->start;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(at, signs[i].text, strlen(signs[i].text)) == 0) {
            scanner->end = scanner->start + strlen(signs[i].text);
            return signs[i].token;
        }
    scanner->depth += (*at == '(') - (*at == ')');
    scanner->end = scanner->start + 1;
    return TOKEN_OTHER;
}

static enum token next(struct scanner *scanner) {
    const char *text = scanner->text;
    scanner->start = scanner->end + strspn(text + scanner->end, " \t\r\n");
    char c = text[scanner->start];
    if (c == '\0')
        return TOKEN_END;
    if (letter(c))
        return name_or_word(scanner);
    if (isdigit((unsigned char)c)) {
        scanner->end = behind_number(text, scanner->start);
        return TOKEN_NUMBER;
    }
    if (c == '\'' || c == '[') {
        scanner->end = behind_quoted(text, scanner->start, c == '[' ? ']' : c);
        return TOKEN_OTHER;
    }
    return sign(scanner);
}

/* The text with something else in place of the bytes start .. end - 1. */
static char *replace(const char *text, size_t start, size_t end, const char *other) {
    return cor_format("%.*s%s%s", (int)start, text, other, text + end);
}

/* For each relation the one at its boundary, and the one that denies it. */
static const struct {
    const char *relation, *others[2];
} relations[] = {{"<", {"<=", ">="}},  {"<=", {"<", ">"}},  {">", {">=", "<="}}, {">=", {">", "<"}},
                 {"==", {"!=", NULL}}, {"=", {"!=", NULL}}, {"!=", {"==", NULL}}};

static char *other_relation(const struct scanner *scanner, uint32_t variant) {
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
        if (is_word(scanner, relations[i].relation) && relations[i].others[variant])
            return replace(scanner->text, scanner->start, scanner->end, relations[i].others[variant]);
    return NULL;
}

/* The number one more or one less; as a sum where that is no plain number. */
static char *other_number(const char *digits, size_t length, bool less) {
    bool is_plain = strspn(digits, "0123456789") >= length && length < 18;
    long long number = is_plain ? strtoll(digits, NULL, 10) : 0;
    if (is_plain && (number > 0 || !less))
        return cor_format("%lld", less ? number - 1 : number + 1);
    return cor_format("(%.*s %c 1)", (int)length, digits, less ? '-' : '+');
}

static char *other_constant(const struct scanner *scanner, uint32_t variant) {
    char *number = other_number(scanner->text + scanner->start, scanner->end - scanner->start, variant == 1);
    char *text = number ? replace(scanner->text, scanner->start, scanner->end, number) : NULL;
    free(number);
    return text;
}

static enum cor_status add_take(struct agent_layer__texts *texts, char *text, struct cor_error *error) {
    COR_TRY(cor_made(text, error));
    if (COR_RESERVE(&texts->items, &texts->capacity, texts->count + 1, error) != COR_OK) {
        free(text);
        return COR_STATUS_MEMORY;
    }
    texts->items[texts->count++] = text;
    return COR_OK;
}

void agent_layer__texts_fini(struct agent_layer__texts *texts) {
    for (size_t i = 0; i < texts->count; i++)
        free(texts->items[i]);
    free(texts->items);
    *texts = (struct agent_layer__texts){0};
}

enum cor_status agent_layer__edit_relations(const char *text, struct agent_layer__texts *texts,
                                            struct cor_error *error) {
    struct scanner scanner = {.text = text};
    for (enum token token = next(&scanner); token != TOKEN_END; token = next(&scanner))
        for (uint32_t v = 0; v < 2 && token == TOKEN_RELATION; v++) {
            char *other = other_relation(&scanner, v);
            if (other)
                COR_TRY(add_take(texts, other, error));
        }
    return COR_OK;
}

enum cor_status agent_layer__edit_constants(const char *text, struct agent_layer__texts *texts,
                                            struct cor_error *error) {
    struct scanner scanner = {.text = text};
    for (enum token token = next(&scanner); token != TOKEN_END; token = next(&scanner))
        for (uint32_t v = 0; v < 2 && token == TOKEN_NUMBER; v++)
            COR_TRY(add_take(texts, other_constant(&scanner, v), error));
    return COR_OK;
}

/* Without the term that begins at `start` and ends before the joint at `end`, or at the end of the text. */
static char *without(const char *text, size_t start, size_t end, size_t joint_end) {
    if (text[end] != '\0')
        return replace(text, start, joint_end + strspn(text + joint_end, " \t\r\n"), "");
    size_t before = start;
    while (before > 0 && strchr(" \t\r\n&", text[before - 1]))
        before--;
    if (before >= 3 && strncmp(text + before - 3, "and", 3) == 0)
        before -= 3;
    return replace(text, before, end, "");
}

enum cor_status agent_layer__edit_terms(const char *text, struct agent_layer__texts *texts,
                                        struct cor_error *error) {
    struct scanner scanner = {.text = text};
    size_t start = 0, joints = 0;
    enum token token;
    while ((token = next(&scanner)) != TOKEN_END) {
        if (token == TOKEN_OR && scanner.depth == 0)
            return COR_OK; /* joined by "or": no term of it stands alone */
        joints += token == TOKEN_AND && scanner.depth == 0;
    }
    scanner = (struct scanner){.text = text};
    while (joints > 0) {
        token = next(&scanner);
        if (token != TOKEN_END && (token != TOKEN_AND || scanner.depth != 0))
            continue;
        COR_TRY(add_take(texts, without(text, start, scanner.start, scanner.end), error));
        if (token == TOKEN_END)
            break;
        start = scanner.end + strspn(text + scanner.end, " \t\r\n");
    }
    return COR_OK;
}
