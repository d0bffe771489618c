/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text to tree, by binding powers (Pratt), as sim/expression reads conditions. Its tokens are of values,
 * words and names in square brackets, which stand for bounds here; so there are tokens of this room's own. */
#include "core.h"

#include <corridor/array.h>

#include <stdio.h>
#include <string.h>

enum { QUOTED_MAX = 160 }; /* letters of the user's text in a message */

/* Binding powers, loosest first. */
enum power { POWER_NONE, POWER_IMPLIES, POWER_OR, POWER_AND, POWER_UNTIL, POWER_NOT };

enum token_kind {
    TOKEN_END,
    TOKEN_NUMBER,
    TOKEN_NAME,
    TOKEN_WORD, /* of the language */
    TOKEN_SIGN  /* ( ) [ ] , */
};

struct word {
    const char *text;
    enum temporal__word word;
    enum power infix; /* NONE: it stands before its operand, or has none */
    bool has_bounds;
};

static const struct word words[] = {
    {"false", TEMPORAL__FALSE, POWER_NONE, false},
    {"true", TEMPORAL__TRUE, POWER_NONE, false},
    {"not", TEMPORAL__NOT, POWER_NONE, false},
    {"next", TEMPORAL__NEXT, POWER_NONE, true},
    {"weak_next", TEMPORAL__WEAK_NEXT, POWER_NONE, true},
    {"always", TEMPORAL__ALWAYS, POWER_NONE, true},
    {"eventually", TEMPORAL__EVENTUALLY, POWER_NONE, true},
    {"historically", TEMPORAL__HISTORICALLY, POWER_NONE, true},
    {"once", TEMPORAL__ONCE, POWER_NONE, true},
    {"previous", TEMPORAL__PREVIOUS, POWER_NONE, true},
    {"until", TEMPORAL__UNTIL, POWER_UNTIL, true},
    {"weak_until", TEMPORAL__WEAK_UNTIL, POWER_UNTIL, true},
    {"since", TEMPORAL__SINCE, POWER_UNTIL, true},
    {"and", TEMPORAL__AND, POWER_AND, false},
    {"or", TEMPORAL__OR, POWER_OR, false},
    {"implies", TEMPORAL__IMPLIES, POWER_IMPLIES, false},
    {"&&", TEMPORAL__AND, POWER_AND, false},
    {"||", TEMPORAL__OR, POWER_OR, false},
    {"!", TEMPORAL__NOT, POWER_NONE, false},
};
enum { WORDS = sizeof words / sizeof *words };

/* What others write, and what is written here. */
static const char *const elsewhere[][2] = {
    {"G", "write \"always\""},
    {"globally", "write \"always\""},
    {"F", "write \"eventually\""},
    {"finally", "write \"eventually\""},
    {"X", "write \"next\", or \"weak_next\", which is true at the last state"},
    {"N", "write \"weak_next\""},
    {"U", "write \"until\""},
    {"W", "write \"weak_until\""},
    {"unless", "write \"weak_until\""},
    {"R", "write not ((not a) until (not b)) for a release b"},
    {"release", "write not ((not a) until (not b)) for a release b"},
    {"S", "write \"since\""},
    {"H", "write \"historically\""},
    {"O", "write \"once\""},
    {"Y", "write \"previous\""},
    {"->", "write \"implies\""},
    {"=>", "write \"implies\""},
    {"<->", "write (a implies b) and (b implies a)"},
    {"&", "write \"and\""},
    {"/\\", "write \"and\""},
    {"|", "write \"or\""},
    {"\\/", "write \"or\""},
    {"~", "write \"not\""},
    {"<", "define a condition that compares, and write its name here"},
    {">", "define a condition that compares, and write its name here"},
    {"=", "define a condition that compares, and write its name here"},
    {"\"", "write names without quotes"},
    {"'", "write names without quotes"},
    {".", "bounds are whole numbers, and names have letters behind a point"},
    {"TRUE", "write \"true\""},
    {"True", "write \"true\""},
    {"FALSE", "write \"false\""},
    {"False", "write \"false\""},
    {"!=", "define a condition that compares, and write its name here"},
};
enum { ELSEWHERE = sizeof elsewhere / sizeof *elsewhere };

struct token {
    enum token_kind kind;
    const char *at;
    size_t length;
    const struct word *word; /* WORD */
};

struct parser {
    const char *text, *place;
    const char *const *names;
    struct temporal__tree *tree;
    struct cor_error *error;
    enum cor_status status; /* why it failed */
    struct token token;     /* the one not yet used */
    const char *end;        /* of the one before it */
    uint32_t nesting;
};

/* Letters of the user's text for a message: of one line, not too long. */
static void quote(const char *text, size_t length, char quoted[QUOTED_MAX + 4]) {
    size_t shown = length < QUOTED_MAX ? length : QUOTED_MAX;
    for (size_t i = 0; i < shown; i++)
        quoted[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    snprintf(quoted + shown, 4, "%s", shown < length ? "..." : "");
}

/* Complains about what stands at `at`; always false, so that a caller can return it. */
static bool complain(struct parser *parser, const char *at, const char *remedy, const char *what) {
    const char *line = parser->text, *next;
    unsigned number = 1;
    for (; (next = strchr(line, '\n')) && next < at; line = next + 1)
        number++;
    char where[32] = "", quoted[QUOTED_MAX + 4];
    quote(line, strcspn(line, "\r\n"), quoted);
    if (strchr(parser->text, '\n'))
        snprintf(where, sizeof where, "line %u, ", number);
    parser->status = cor_fail(parser->error, COR_STATUS_INPUT, parser->place, remedy,
                              "%scolumn %zu of \"%s\": %s", where, (size_t)(at - line) + 1, quoted, what);
    return false;
}

static bool complain_expected(struct parser *parser, const char *expected, const char *remedy) {
    const struct token *token = &parser->token;
    char found[QUOTED_MAX + 4], what[QUOTED_MAX + 96];
    quote(token->at, token->length, found);
    if (token->kind == TOKEN_END)
        snprintf(what, sizeof what, "expected %s, found the end", expected);
    else
        snprintf(what, sizeof what, "expected %s, found \"%s\"", expected, found);
    return complain(parser, token->at, remedy, what);
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static const char identifier[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.";

static bool is_text(const struct token *token, const char *text) {
    return strlen(text) == token->length && memcmp(token->at, text, token->length) == 0;
}

/* What is written for what others write so, NULL if that is not known. */
static const char *remedy_of(const char *at, size_t length) {
    for (size_t i = 0; i < ELSEWHERE; i++)
        if (strlen(elsewhere[i][0]) == length && memcmp(at, elsewhere[i][0], length) == 0)
            return elsewhere[i][1];
    return NULL;
}

/* A sign of the language; what is none is complained about. */
static bool read_sign(struct parser *parser, struct token *token) {
    token->kind = TOKEN_SIGN;
    token->length = 1;
    if (strchr("()[],", *token->at))
        return true;
    for (size_t i = 0; i < WORDS; i++) {
        size_t length = strlen(words[i].text);
        if (strncmp(token->at, words[i].text, length) == 0 && token->at[length] != '=') {
            *token = (struct token){TOKEN_WORD, token->at, length, &words[i]};
            return true;
        }
    }
    token->length = strspn(token->at, "<>=!-&|/\\~+*");
    const char *remedy = remedy_of(token->at, token->length);
    if (!remedy)
        remedy = remedy_of(token->at, 1);
    char what[64], sign[QUOTED_MAX + 4];
    quote(token->at, token->length > 0 && token->length < 4 ? token->length : 1, sign);
    if (*token->at > ' ' && *token->at <= '~')
        snprintf(what, sizeof what, "\"%.8s\" means nothing here", sign);
    else
        snprintf(what, sizeof what, "the byte 0x%02X means nothing here", (unsigned char)*token->at);
    if (*token->at == '-' && is_digit(token->at[1]))
        remedy = "bounds count states, from 0";
    return complain(parser, token->at, remedy, what);
}

/* Moves on to the next token. */
static bool advance(struct parser *parser) {
    const char *at = parser->token.at + parser->token.length, *end;
    parser->end = at;
    at += strspn(at, " \t\r\n");
    struct token *token = &parser->token;
    *token = (struct token){TOKEN_END, at, 0, NULL};
    /* The length of a comparison that stands there whole, such as "moved > 3", and is a name: the caller has
     * read it; 0: none does. Other names that are no identifiers, such as "not moved", are none of formulas.
     */
    size_t comparison = 0, other;
    const size_t operand = cor_temporal_operand(at, &other);
    for (size_t j = 0; parser->names[j] && strcspn(at, "<>=") < operand; j++)
        if (strlen(parser->names[j]) == operand && strncmp(at, parser->names[j], operand) == 0)
            comparison = operand;
    if (comparison > 0) {
        *token = (struct token){TOKEN_NAME, at, comparison, NULL};
        return true;
    }
    for (end = at; is_digit(*end);)
        end++;
    if (end > at && is_letter(*end))
        return complain(parser, end, NULL, "a number runs into a name");
    if (end > at) {
        *token = (struct token){TOKEN_NUMBER, at, (size_t)(end - at), NULL};
        return true;
    }
    if (!is_letter(*at))
        return !*at || read_sign(parser, token);
    while (is_letter(*end) || is_digit(*end) || (*end == '.' && is_letter(end[1])))
        end++;
    *token = (struct token){TOKEN_NAME, at, (size_t)(end - at), NULL};
    for (size_t i = 0; i < WORDS; i++)
        if (is_text(token, words[i].text))
            *token = (struct token){TOKEN_WORD, at, token->length, &words[i]};
    return true;
}

static bool is_word(const char *at, size_t length) {
    for (size_t w = 0; w < WORDS; w++)
        if (strlen(words[w].text) == length && memcmp(words[w].text, at, length) == 0)
            return true;
    return false;
}

size_t cor_temporal_operand(const char *at, size_t *other) {
    const char *end = at, *last = at;
    *other = 0;
    while (*end) {
        const size_t blanks = strspn(end, " \t\r\n"), name = strspn(end, identifier);
        size_t length = blanks > 0 ? blanks : name > 0 ? name : 1;
        bool ends = name > 0 && is_word(end, name);
        if (*end == '(' || *end == ')' || (*end == '!' && end[1] != '='))
            ends = true;
        if (*end == '[') {
            length = strcspn(end, "]") + (strchr(end, ']') != NULL);
            ends = true;
        }
        if (strncmp(end, "&&", 2) == 0 || strncmp(end, "||", 2) == 0) {
            length = 2;
            ends = true;
        }
        if (*end == '\'') {
            const char *quote = strchr(end + 1, '\'');
            length = quote ? (size_t)(quote - end) + 1 : strlen(end);
        }
        if (ends || (last == at && blanks > 0)) {
            *other = last == at ? length : 0;
            break;
        }
        end += length;
        if (blanks == 0)
            last = end;
    }
    return (size_t)(last - at);
}

static bool is_sign(const struct parser *parser, char sign) {
    return parser->token.kind == TOKEN_SIGN && *parser->token.at == sign;
}

static bool put(struct parser *parser, const char *at, struct temporal__term term, uint32_t *index) {
    struct temporal__tree *tree = parser->tree;
    char what[80];
    snprintf(what, sizeof what, "more than %d names and operators", COR_TEMPORAL_NODES_MAX);
    if (tree->count == COR_TEMPORAL_NODES_MAX)
        return complain(parser, at, "split the formula", what);
    if (term.length == 0) { /* it begins there, and ends with what was read last */
        term.at = (uint32_t)(at - parser->text);
        term.length = (uint32_t)(parser->end - at);
    }
    tree->terms[tree->count] = term;
    *index = tree->count++;
    return true;
}

static bool parse_bound(struct parser *parser, uint32_t *bound) {
    const struct token token = parser->token;
    if (token.kind != TOKEN_NUMBER)
        return complain_expected(parser, "a whole number", "bounds are [low, high], both counted in states");
    *bound = 0;
    for (size_t i = 0; i < token.length && *bound <= COR_TEMPORAL_BOUND_MAX; i++)
        *bound = 10 * *bound + (uint32_t)(token.at[i] - '0');
    char remedy[64];
    snprintf(remedy, sizeof remedy, "the highest is %d; without bounds a word reaches to the end",
             COR_TEMPORAL_BOUND_MAX);
    if (*bound > COR_TEMPORAL_BOUND_MAX)
        return complain(parser, token.at, remedy, "the bound is too high");
    return advance(parser);
}

/* [low, high] behind a word that may have bounds, if they are there. */
static bool parse_bounds(struct parser *parser, const struct word *word, struct temporal__term *term) {
    const bool is_step =
        word->word == TEMPORAL__NEXT || word->word == TEMPORAL__WEAK_NEXT || word->word == TEMPORAL__PREVIOUS;
    const char *at = parser->token.at;
    term->low = is_step ? 1 : 0;
    term->high = is_step ? 1 : TEMPORAL__UNBOUNDED;
    if (!word->has_bounds || !is_sign(parser, '['))
        return true;
    if (!advance(parser) || !parse_bound(parser, &term->low))
        return false;
    if (!is_sign(parser, ','))
        return complain_expected(parser, "\",\"", "bounds are [low, high], both counted in states");
    if (!advance(parser) || !parse_bound(parser, &term->high))
        return false;
    if (!is_sign(parser, ']'))
        return complain_expected(parser, "\"]\"", NULL);
    char what[64], remedy[64];
    snprintf(what, sizeof what, "the bounds [%u, %u] leave no state", term->low, term->high);
    snprintf(remedy, sizeof remedy, "write [%u, %u]", term->high, term->low);
    return term->low > term->high ? complain(parser, at, remedy, what) : advance(parser);
}

static bool parse_level(struct parser *parser, enum power power, uint32_t *index);

static bool parse_name(struct parser *parser, uint32_t *index) {
    const struct token token = parser->token;
    for (uint32_t i = 0; parser->names[i]; i++)
        if (is_text(&token, parser->names[i]))
            return advance(parser) &&
                   put(parser, token.at, (struct temporal__term){TEMPORAL__CONDITION, .condition = i}, index);
    static const char *const spellings[] = {"always",       "eventually", "next",     "weak_next",
                                            "historically", "once",       "previous", "until",
                                            "since",        "weak_until", NULL};
    char quoted[QUOTED_MAX + 4], what[QUOTED_MAX + 64], remedy[1024] = "";
    quote(token.at, token.length, quoted);
    snprintf(what, sizeof what, "there is no condition \"%s\"", quoted);
    const char *hint = remedy_of(token.at, token.length);
    const char *spelling = cor_did_you_mean(quoted, spellings);
    if (hint)
        snprintf(remedy, sizeof remedy, "%s", hint);
    else if (spelling && !cor_did_you_mean(quoted, parser->names))
        snprintf(remedy, sizeof remedy, "did you mean the word \"%s\"?", spelling);
    else if (parser->names[0])
        cor_known_names(quoted, parser->names, remedy, sizeof remedy);
    return complain(parser, token.at, remedy, what);
}

static bool parse_operand(struct parser *parser, uint32_t *index) {
    const struct token token = parser->token;
    if (token.kind == TOKEN_NAME)
        return parse_name(parser, index);
    if (is_sign(parser, '(')) {
        if (!advance(parser) || !parse_level(parser, POWER_NONE, index))
            return false;
        if (is_sign(parser, ')'))
            return advance(parser);
        const char *hint =
            parser->token.kind == TOKEN_NAME ? remedy_of(parser->token.at, parser->token.length) : NULL;
        return complain_expected(parser, "an operator or \")\"", hint);
    }
    if (token.kind != TOKEN_WORD || token.word->infix != POWER_NONE)
        return complain_expected(
            parser, "a condition, a word of time, \"not\" or \"(\"",
            token.kind == TOKEN_NUMBER ? "numbers stand in bounds alone: eventually[0, 3]"
            : is_sign(parser, '[')     ? "bounds stand behind words of time: eventually[0, 3]"
                                       : NULL);
    struct temporal__term term = {.word = token.word->word};
    return advance(parser) &&
           (term.word < TEMPORAL__NOT ||
            (parse_bounds(parser, token.word, &term) && parse_level(parser, POWER_NOT, &term.left))) &&
           put(parser, token.at, term, index);
}

static bool parse_level(struct parser *parser, enum power power, uint32_t *index) {
    char what[64];
    snprintf(what, sizeof what, "nested more than %d deep", COR_TEMPORAL_DEPTH_MAX);
    if (++parser->nesting > COR_TEMPORAL_DEPTH_MAX)
        return complain(parser, parser->token.at, "split the formula", what);
    const char *from = parser->token.at;
    if (!parse_operand(parser, index))
        return false;
    while (parser->token.kind == TOKEN_WORD && parser->token.word->infix != POWER_NONE &&
           parser->token.word->infix >= power) {
        const struct token token = parser->token;
        const enum power own = token.word->infix;
        const bool to_the_right = own == POWER_IMPLIES || own == POWER_UNTIL;
        struct temporal__term term = {.word = token.word->word, .left = *index};
        if (!advance(parser) || !parse_bounds(parser, token.word, &term) ||
            !parse_level(parser, to_the_right ? own : own + 1, &term.right))
            return false;
        term.at = (uint32_t)(from - parser->text);
        term.length = (uint32_t)(parser->end - from);
        if (!put(parser, token.at, term, index))
            return false;
    }
    parser->nesting--;
    return true;
}

enum cor_status temporal__parse(const char *text, const char *const *names, const char *place,
                                struct temporal__tree *tree, struct cor_error *error) {
    const size_t length = strlen(text);
    if (length > COR_TEMPORAL_BYTES_MAX)
        return cor_fail(error, COR_STATUS_INPUT, place, "split the formula",
                        "the formula has %zu bytes; at most %d are read", length, COR_TEMPORAL_BYTES_MAX);
    struct parser parser = {
        .text = text, .place = place, .names = names, .tree = tree, .error = error, .token = {.at = text}};
    uint32_t root;
    tree->count = 0;
    if (!advance(&parser) || !parse_level(&parser, POWER_NONE, &root))
        return parser.status;
    if (parser.token.kind != TOKEN_END) {
        const char *hint =
            parser.token.kind == TOKEN_NAME ? remedy_of(parser.token.at, parser.token.length) : NULL;
        complain_expected(&parser, "an operator or the end", hint);
        return parser.status;
    }
    COR_ASSERT(root + 1 == tree->count);
    return COR_OK;
}
