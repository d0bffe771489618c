/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditions as text, changed in one place: a relation, a constant, a term less. What is edited was parsed
 * before, so its tokens are those of the parser, and the rest of the text stays as it was written.
 *
 * Mutants of agents are made so. Those of models (oracle/efsm/mutate.c) are of comparisons, not of constants:
 * each has one that is looser and one that is stricter, whatever its bound is made of, and its name says
 * which comparison; of "x < a and y < 3" there are four there, and two here. */
#include "parser.h"

#include <corridor/array.h>
#include <corridor/edits.h>

#include <stdlib.h>
#include <string.h>

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
static enum cor_status add(struct cor_texts *texts, const char *text, const char *start, const char *end,
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
                    COR_TRY(add(texts, text, token->at, token->at + token->length, relations[i].others[o],
                                error));
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
            char *other =
                is_plain ? cor_format("%lld", (long long)token->number + shift)
                         : cor_format("(%.*s %c 1)", (int)token->length, token->at, shift < 0 ? '-' : '+');
            enum cor_status status = cor_made(other, error);
            if (status == COR_OK)
                status = add(texts, text, token->at, token->at + token->length, other, error);
            free(other);
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
                COR_TRY(add(texts, text, start, behind_blanks(token->at + token->length), "", error));
            else
                COR_TRY(add(texts, text, joint, token->at, "", error));
            start = behind_blanks(token->at + token->length);
            for (joint = token->at; joint > text && strchr(" \t\r\n", joint[-1]);)
                joint--;
        }
    }
    return reader.status;
}
