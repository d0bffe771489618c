/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes as text. Brackets stand where an operator binds less tightly than the one around it. */
#include "parser.h"

#include <corridor/array.h>
#include <corridor/edits.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sign {
    const char *text;
    enum expression__power power;
};

static struct sign sign_of(enum cor_operator kind) {
    switch (kind) {
    case COR_OPERATOR_ADD:
        return (struct sign){" + ", EXPRESSION__POWER_SUM};
    case COR_OPERATOR_SUBTRACT:
        return (struct sign){" - ", EXPRESSION__POWER_SUM};
    case COR_OPERATOR_MULTIPLY:
        return (struct sign){" * ", EXPRESSION__POWER_PRODUCT};
    case COR_OPERATOR_DIVIDE:
        return (struct sign){" / ", EXPRESSION__POWER_PRODUCT};
    case COR_OPERATOR_REMAINDER:
        return (struct sign){" % ", EXPRESSION__POWER_PRODUCT};
    case COR_OPERATOR_LESS:
        return (struct sign){" < ", EXPRESSION__POWER_COMPARE};
    case COR_OPERATOR_LESS_EQUAL:
        return (struct sign){" <= ", EXPRESSION__POWER_COMPARE};
    case COR_OPERATOR_EQUAL:
        return (struct sign){" == ", EXPRESSION__POWER_COMPARE};
    case COR_OPERATOR_NOT_EQUAL:
        return (struct sign){" != ", EXPRESSION__POWER_COMPARE};
    case COR_OPERATOR_AND:
        return (struct sign){" && ", EXPRESSION__POWER_AND};
    case COR_OPERATOR_OR:
        return (struct sign){" || ", EXPRESSION__POWER_OR};
    default:
        return (struct sign){NULL, EXPRESSION__POWER_NEGATE};
    }
}

static char *bracketed_take(char *text) {
    return cor_join_take(cor_join_take(cor_strdup("("), "", text), "", cor_strdup(")"));
}

static char *print(const struct cor_expression *expression, uint32_t index, const struct cor_naming *naming,
                   enum expression__power around);

static char *print_call(const struct cor_expression *expression, const struct cor_node *node,
                        const struct cor_naming *naming) {
    const char *name = node->operator== COR_OPERATOR_MIN   ? "min("
                       : node->operator== COR_OPERATOR_MAX ? "max("
                       : node->operator== COR_OPERATOR_ABS ? "abs("
                                                           : "ceil_div(";
    char *text =
        cor_join_take(cor_strdup(name), "", print(expression, node->left, naming, EXPRESSION__POWER_ANY));
    if (node->operator!= COR_OPERATOR_ABS)
        text = cor_join_take(text, ", ", print(expression, node->right, naming, EXPRESSION__POWER_ANY));
    return cor_join_take(text, "", cor_strdup(")"));
}

static char *print_prefix(const struct cor_expression *expression, const struct cor_node *node,
                          const struct cor_naming *naming, enum expression__power around) {
    const bool denies = node->operator== COR_OPERATOR_NOT;
    const enum expression__power power = denies ? EXPRESSION__POWER_NOT : EXPRESSION__POWER_NEGATE;
    char *child = print(expression, node->left, naming, denies ? EXPRESSION__POWER_ANY : power + 1);
    char *text = cor_join_take(cor_strdup(denies ? "!" : "-"), "", denies ? bracketed_take(child) : child);
    return power < around ? bracketed_take(text) : text;
}

static bool is_zero(const struct cor_node *node) {
    return node->operator== COR_OPERATOR_CONSTANT && node->constant == 0;
}

static bool is_truth(const struct cor_expression *expression, uint32_t node,
                     const struct cor_naming *naming) {
    const struct cor_node *it = &expression->nodes[node];
    return it->operator== COR_OPERATOR_VARIABLE && naming->truths && naming->truths[it->variable];
}

/* Of words, the text that the constant on the other side of a comparison stands for, in quotes. */
static char *quoted_word(const char *word) {
    char *text = cor_strdup("'");
    for (const char *from = word; text; from++) {
        const size_t length = strcspn(from, "'");
        text = cor_join_take(text, "", cor_format("%.*s%s", (int)length, from, from[length] ? "''" : "'"));
        from += length;
        if (!*from)
            break;
    }
    return text;
}

/* "mode == 'busy'": NULL where the node is no such comparison. */
static char *print_word(const struct cor_expression *expression, const struct cor_node *node,
                        const struct cor_naming *naming, bool *is_word) {
    const struct cor_node *left = &expression->nodes[node->left], *right = &expression->nodes[node->right];
    const bool turned = left->operator== COR_OPERATOR_CONSTANT;
    const struct cor_node *variable = turned ? right : left, *constant = turned ? left : right;
    *is_word = naming->words &&
               node->operator== COR_OPERATOR_EQUAL && variable->operator== COR_OPERATOR_VARIABLE &&
               constant->
               operator== COR_OPERATOR_CONSTANT && naming->words[variable->variable] != NULL;
    if (!*is_word)
        return NULL;
    return cor_join_take(cor_strdup(naming->names[variable->variable]),
                         " == ", quoted_word(naming->words[variable->variable][constant->constant]));
}

/* The right side of an operator of equal power gets brackets: - and / do not associate. Comparisons do not
 * either. */
static char *print(const struct cor_expression *expression, uint32_t index, const struct cor_naming *naming,
                   enum expression__power around) {
    const struct cor_node *node = &expression->nodes[index];
    const struct sign sign = sign_of(node->operator);
    bool is_word;
    char *text;
    if (node->aligns)
        return print(expression, node->left, naming, around);
    switch (node->operator) {
    case COR_OPERATOR_CONSTANT:
        text = cor_decimal_text(node->constant, node->decimals);
        return node->constant < 0 && around > EXPRESSION__POWER_SUM ? bracketed_take(text) : text;
    case COR_OPERATOR_VARIABLE:
        return cor_strdup(naming->names[node->variable]);
    case COR_OPERATOR_NEGATE:
    case COR_OPERATOR_NOT:
        return print_prefix(expression, node, naming, around);
    case COR_OPERATOR_MIN:
    case COR_OPERATOR_MAX:
    case COR_OPERATOR_ABS:
    case COR_OPERATOR_CEIL_DIVIDE:
        return print_call(expression, node, naming);
    default:
        break;
    }
    if (node->operator== COR_OPERATOR_EQUAL && is_truth(expression, node->left, naming) &&
        expression->nodes[node->right].operator== COR_OPERATOR_CONSTANT) {
        const char *name = naming->names[expression->nodes[node->left].variable];
        if (expression->nodes[node->right].constant == 1)
            return cor_strdup(name);
        text = cor_format("!%s", name);
        return EXPRESSION__POWER_NOT < around ? bracketed_take(text) : text;
    }
    text = print_word(expression, node, naming, &is_word);
    if (is_word)
        return EXPRESSION__POWER_COMPARE < around ? bracketed_take(text) : text;
    const bool compares = sign.power == EXPRESSION__POWER_COMPARE;
    /* Whether a comparison is how true and false are stored: 0 = 0, 0 != 0. */
    if (compares && ((node->operator== COR_OPERATOR_EQUAL || node->operator== COR_OPERATOR_NOT_EQUAL) &&
                     is_zero(&expression->nodes[node->left]) && is_zero(&expression->nodes[node->right])))
        return cor_strdup(node->operator== COR_OPERATOR_EQUAL ? "true" : "false");
    /* "a > b" is stored as "b < a", with b behind a. Of others a made expression may have the left side
     * behind. */
    const bool turned = compares && node->left > node->right;
    const char *between = turned && node->operator== COR_OPERATOR_LESS         ? " > "
                          : turned && node->operator== COR_OPERATOR_LESS_EQUAL ? " >= "
                                                                               : sign.text;
    char *first = print(expression, turned ? node->right : node->left, naming, sign.power + compares);
    text = cor_join_take(first, between,
                         print(expression, turned ? node->left : node->right, naming, sign.power + 1));
    return sign.power < around ? bracketed_take(text) : text;
}

char *cor_expression_print(const struct cor_expression *expression, uint32_t node,
                           const struct cor_naming *naming) {
    COR_ASSERT(expression->integer_only && node < expression->node_count);
    return print(expression, node, naming, EXPRESSION__POWER_ANY);
}

int64_t cor_power_of_ten(unsigned exponent) {
    int64_t power = 1;
    COR_ASSERT(exponent <= 18);
    while (exponent-- > 0)
        power *= 10;
    return power;
}

char *cor_decimal_text(int64_t units, unsigned decimals) {
    const uint64_t size = units < 0 ? -(uint64_t)units : (uint64_t)units,
                   whole = (uint64_t)cor_power_of_ten(decimals);
    const char *sign = units < 0 ? "-" : "";
    return decimals == 0 ? cor_format("%lld", (long long)units)
                         : cor_format("%s%llu.%0*llu", sign, (unsigned long long)(size / whole),
                                      (int)decimals, (unsigned long long)(size % whole));
}

/* Of up to 15 digits no two decimals are the same real, so that the real says which one was written. */
bool cor_decimal_units(double real, unsigned decimals, int64_t *units) {
    const double scaled = real * (double)cor_power_of_ten(decimals);
    if (!(fabs(scaled) < 1e15))
        return false;
    char text[48]; /* two numbers of 64 bits and a point */
    const int64_t nearest = (int64_t)llround(scaled), whole = cor_power_of_ten(decimals);
    const int64_t size = nearest < 0 ? -nearest : nearest;
    snprintf(text, sizeof text, "%lld.%0*lld", (long long)(size / whole), (int)decimals,
             (long long)(decimals > 0 ? size % whole : 0));
    if (strtod(text, NULL) != fabs(real))
        return false;
    *units = nearest;
    return true;
}

/* ---- conditions as text, changed in one place: a relation, a constant, a term less. What is edited was
 * parsed before, so its tokens are those of the parser, and the rest of the text stays as it was written.
 *
 * Mutants of agents are made so. Those of models (oracle/efsm/mutants.c) are of comparisons, not of
 * constants: each has one that is looser and one that is stricter, whatever its bound is made of, and its
 * name says which comparison; of "x < a and y < 3" there are four there, and two here */

void cor_texts_fini(struct cor_texts *texts) {
    for (size_t i = 0; i < texts->count; i++)
        free(texts->items[i]);
    free(texts->items);
    *texts = (struct cor_texts){0};
}

enum cor_status cor_texts_add_take(struct cor_texts *texts, char *text, struct cor_error *error) {
    enum cor_status status = cor_made(text, error);
    if (status == COR_OK)
        status = COR_RESERVE(&texts->items, &texts->capacity, texts->count + 1, error);
    if (status == COR_OK)
        texts->items[texts->count++] = text;
    else
        free(text);
    return status;
}

/* Appends the text with something else in place of the bytes from `start` to `end`. */
static enum cor_status add_text(struct cor_texts *texts, const char *text, const char *start, const char *end,
                                const char *other, struct cor_error *error) {
    return cor_texts_add_take(texts, cor_format("%.*s%s%s", (int)(start - text), text, other, end), error);
}

static struct expression__parser reader_of(const char *text, struct cor_error *error) {
    return (struct expression__parser){
        .text = text, .has_values = true, .error = error, .token = {.at = text}};
}

/* The next token; false at the end of the text, and where something else than a condition was given. */
static bool next(struct expression__parser *reader) {
    return expression__advance(reader) && reader->token.kind != EXPRESSION__TOKEN_END;
}

enum cor_status cor_edit_relations(const char *text, struct cor_texts *texts, struct cor_error *error) {
    /* Of each relation the one at its boundary, and the one that denies it. */
    static const struct {
        const char *relation, *others[2];
    } relations[] = {{"<", {"<=", ">="}},  {"<=", {"<", ">"}},  {">", {">=", "<="}}, {">=", {">", "<"}},
                     {"==", {"!=", NULL}}, {"=", {"!=", NULL}}, {"!=", {"==", NULL}}};
    struct expression__parser reader = reader_of(text, error);
    const struct expression__token *token = &reader.token;
    while (next(&reader))
        for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
            for (int o = 0; o < 2 && expression__is_word(token, relations[i].relation); o++)
                if (relations[i].others[o])
                    COR_TRY(add_text(texts, text, token->at, token->at + token->length,
                                     relations[i].others[o], error));
    return reader.status;
}

/* One more, then one less; as a sum where that is no plain number. */
enum cor_status cor_edit_constants(const char *text, struct cor_texts *texts, struct cor_error *error) {
    struct expression__parser reader = reader_of(text, error);
    const struct expression__token *token = &reader.token;
    while (next(&reader)) {
        if (token->kind != EXPRESSION__TOKEN_NUMBER && token->kind != EXPRESSION__TOKEN_REAL)
            continue;
        for (int shift = 1; shift >= -1; shift -= 2) {
            const bool is_plain =
                token->kind == EXPRESSION__TOKEN_NUMBER && token->length < 18 && token->number + shift >= 0;
            COR_FREED char *other =
                is_plain ? cor_format("%lld", (long long)token->number + shift)
                         : cor_format("(%.*s %c 1)", (int)token->length, token->at, shift < 0 ? '-' : '+');
            enum cor_status status = cor_made(other, error);
            if (status == COR_OK)
                status = add_text(texts, text, token->at, token->at + token->length, other, error);
            COR_TRY(status);
        }
    }
    return reader.status;
}

static const char *behind_blanks(const char *at) {
    return at + strspn(at, " \t\r\n");
}

enum cor_status cor_edit_terms(const char *text, struct cor_texts *texts, struct cor_error *error) {
    struct expression__parser reader = reader_of(text, error);
    const char *start = text; /* of a term; the blanks before the first are its own */
    const char *joint = text; /* the end of the term before */
    bool is_joined = false;
    for (int pass = 0; pass < 2; pass++) {
        int depth = 0;
        bool more = true;
        reader = reader_of(text, error);
        while (more) {
            more = next(&reader);
            const struct expression__token *token = &reader.token;
            depth += (token->kind == EXPRESSION__TOKEN_OPEN) - (token->kind == EXPRESSION__TOKEN_CLOSE);
            const bool is_infix = token->kind == EXPRESSION__TOKEN_INFIX && depth == 0;
            if (is_infix && token->infix->power == EXPRESSION__POWER_OR)
                return COR_OK; /* no term stands alone */
            const bool is_joint = is_infix && token->infix->power == EXPRESSION__POWER_AND;
            is_joined |= is_joint;
            if (pass == 0 || !is_joined || (more && !is_joint))
                continue;
            if (more)
                COR_TRY(add_text(texts, text, start, behind_blanks(token->at + token->length), "", error));
            else
                COR_TRY(add_text(texts, text, joint, token->at, "", error));
            start = behind_blanks(token->at + token->length);
            for (joint = token->at; joint > text && strchr(" \t\r\n", joint[-1]);)
                joint--;
        }
    }
    return reader.status;
}
