/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains in the files of other tools, and in our own exports: transitions as PRISM and Storm write them
 * (.tra), one module of one variable in PRISM's language, and a table of transitions (CSV). */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/delimited.h>
#include <corridor/json.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES_MOST = COR_PROFILE_STATES_MAX, NUMBER_MOST = 1000000000, WORD_MOST = 64 };

/* What is being read: states in the order of their first mention, or of their numbers. */
struct chain {
    const char *file, *at; /* at: what is read next */
    size_t line;
    uint32_t count;
    char names[STATES_MOST + 1][COR_PROFILE_NAME_MAX + 1]; /* "": the state's number */
    double probability[STATES_MOST + 1][STATES_MOST + 1], start[STATES_MOST + 1];
    bool has_start, is_first_drawn; /* the last state leads to the first one, which is drawn (our export) */
    struct cor_error *error;
};

static enum cor_status fail(const struct chain *chain, const char *remedy, const char *what,
                            const char *word) {
    char place[512];
    snprintf(place, sizeof place, "%s:%zu", chain->file, chain->line);
    return cor_fail(chain->error, COR_STATUS_INPUT, place, remedy, "%s \"%.40s\"", what, word);
}

/* The state with that number. */
static enum cor_status take_state(struct chain *chain, double number, uint32_t *state) {
    if (!(number >= 0) || number > STATES_MOST || number > (double)(uint32_t)number) {
        char text[40];
        snprintf(text, sizeof text, "%g", number);
        return fail(chain, "a profile has at most 64 states, numbered from 0", "there is no state", text);
    }
    *state = (uint32_t)number;
    chain->count = *state >= chain->count ? *state + 1 : chain->count;
    return COR_OK;
}

static enum cor_status put(struct chain *chain, double *cell, double probability) {
    char text[40];
    snprintf(text, sizeof text, "%g", probability);
    if (!(probability >= 0 && probability <= 1))
        return fail(chain, "a probability lies between 0 and 1", "is no probability:", text);
    if (*cell > 0)
        return fail(chain, "name each pair of states once", "a transition stands twice, the second time with",
                    text);
    *cell = probability;
    return COR_OK;
}

/* ---- transitions as numbers: from, to, probability, behind a line with the numbers of states and
 * transitions, or of the kind of model */

static enum cor_status read_transitions(struct chain *chain) {
    for (bool is_first = true; *chain->at; chain->line++) {
        const char *line = chain->at, *end = line + strcspn(line, "\n");
        double number[5];
        size_t count = 0;
        char text[WORD_MOST];
        chain->at = end + (*end == '\n');
        snprintf(text, sizeof text, "%.*s", (int)(end - line < WORD_MOST ? end - line : WORD_MOST - 1), line);
        for (char *behind; count < 5; count++, line = behind) {
            line += strspn(line, " \t\r");
            number[count] = strtod(line, &behind);
            if (behind == line || behind > end)
                break;
        }
        const bool is_kind = is_first && strncmp(text, "dtmc", 4) == 0;
        if (is_kind || (line == end && count == 0))
            continue;
        if (line != end || (count != 3 && !(is_first && count <= 2)))
            return fail(chain, "write three numbers: from, to, probability", "is no transition:", text);
        is_first = false;
        uint32_t from, to;
        if (count < 3)
            continue;
        COR_TRY(take_state(chain, number[0], &from));
        COR_TRY(take_state(chain, number[1], &to));
        COR_TRY(put(chain, &chain->probability[from][to], number[2]));
    }
    chain->has_start = true; /* as PRISM has it where nothing else is said */
    chain->start[0] = 1;
    return COR_OK;
}

/* ---- a table: from, to, probability, by names; an empty "from" is the law of the first state */

static enum cor_status named_state(struct chain *chain, const char *name, uint32_t *state) {
    const char *remedy;
    for (*state = 0; *state < chain->count; ++*state)
        if (strcmp(chain->names[*state], name) == 0)
            return COR_OK;
    if (chain->count == STATES_MOST)
        return fail(chain, "a profile has at most 64 states", "there is one more:", name);
    if (cor_profile_check_name(name, &remedy) != COR_OK)
        return fail(chain, remedy, "a state cannot be called", name);
    snprintf(chain->names[chain->count++], sizeof chain->names[0], "%s", name);
    return COR_OK;
}

static enum cor_status read_table(struct chain *chain, size_t length) {
    enum cor_status status = COR_OK;
    struct cor_delimited csv = {0};
    for (int pass = 0; pass < 2; pass++) { /* first the states that are left, in their order */
        uint32_t from = 0, to = 0;
        bool last = false, is_start = false;
        free(csv.field);
        csv = cor_delimited_begin(chain->at, length, chain->file, ',', chain->error);
        for (cor_delimited_skip_line(&csv); !cor_delimited_is_over(&csv); last = false) {
            chain->line = csv.line;
            for (int i = 0; i < 3; i++) {
                if (last)
                    COR_TRY_OUT(fail(chain, "write from,to,probability", "a row ends behind", csv.field));
                COR_TRY_OUT(cor_delimited_next(&csv, &last));
                if (i == 0)
                    is_start = csv.field[0] == '\0';
                if ((i == 0 && !is_start) || (i == 1 && pass == 1))
                    COR_TRY_OUT(named_state(chain, csv.field, i == 0 ? &from : &to));
            }
            char *end;
            const double probability = strtod(csv.field, &end);
            if (!last || *end != '\0' || end == csv.field)
                COR_TRY_OUT(fail(chain, "write from,to,probability", "is no probability:", csv.field));
            chain->has_start |= is_start;
            if (pass == 1)
                COR_TRY_OUT(
                    put(chain, is_start ? &chain->start[to] : &chain->probability[from][to], probability));
        }
    }
out:
    free(csv.field);
    return status;
}

/* ---- PRISM's language: one module with one variable */

/* To the next word; of comments `// s=2: "calm"` names a state. */
static void skip_blanks(struct chain *chain) {
    for (;; chain->at++) {
        if (strncmp(chain->at, "//", 2) == 0) {
            unsigned state;
            int behind = 0;
            const char *end = chain->at + strcspn(chain->at, "\n");
            if (sscanf(chain->at, "// s=%u: %n", &state, &behind) == 1 && behind > 0 &&
                state <= STATES_MOST) {
                const char *text = chain->at + behind;
                char name[3 * WORD_MOST + 2];
                struct cor_json_document *document;
                snprintf(name, sizeof name, "[%.*s]",
                         (int)(end - text < 3 * WORD_MOST - 1 ? end - text : 3 * WORD_MOST - 1), text);
                if (cor_json_parse(name, chain->file, &document, NULL) == COR_OK) {
                    const struct cor_json root = cor_json_root(document), word = cor_json_at(&root, 0);
                    const char *value;
                    if (cor_json_string(&word, &value, NULL) == COR_OK &&
                        strlen(value) <= COR_PROFILE_NAME_MAX)
                        snprintf(chain->names[state], sizeof chain->names[0], "%s", value);
                    cor_json_destroy(document);
                } else {
                    chain->is_first_drawn |= strncmp(text, "the first step", 14) == 0;
                }
            }
            chain->at = end;
        }
        chain->line += *chain->at == '\n';
        if (!isspace((unsigned char)*chain->at))
            return;
    }
}

/* Takes the sign or word if it is next. */
static bool take(struct chain *chain, const char *wanted) {
    skip_blanks(chain);
    const size_t length = strlen(wanted);
    const bool is_word = isalpha((unsigned char)*wanted);
    if (strncmp(chain->at, wanted, length) != 0 ||
        (is_word && (isalnum((unsigned char)chain->at[length]) || chain->at[length] == '_')))
        return false;
    chain->at += length;
    return true;
}

static enum cor_status expect(struct chain *chain, const char *wanted) {
    char said[WORD_MOST], found[WORD_MOST];
    if (take(chain, wanted))
        return COR_OK;
    snprintf(said, sizeof said, "%s is expected, not", wanted);
    snprintf(found, sizeof found, "%.*s", (int)strcspn(chain->at, " \t\r\n"), chain->at);
    return fail(chain,
                "of PRISM's models chains of one module with one variable are read, without constants, "
                "formulas and rewards",
                said, found);
}

static enum cor_status take_number(struct chain *chain, double *number) {
    char text[WORD_MOST];
    skip_blanks(chain);
    /* strtod() would take the first point of "0..8", too. */
    size_t length = strspn(chain->at, "0123456789");
    if (chain->at[length] == '.' && isdigit((unsigned char)chain->at[length + 1]))
        length += 1 + strspn(chain->at + length + 1, "0123456789");
    if (length > 0 && (chain->at[length] == 'e' || chain->at[length] == 'E'))
        length += strspn(chain->at + length, "eE+-0123456789");
    if (length == 0 || length >= sizeof text)
        return expect(chain, "a number");
    snprintf(text, sizeof text, "%.*s", (int)length, chain->at);
    *number = strtod(text, NULL);
    chain->at += length;
    double divisor = 1;
    if (take(chain, "/"))
        COR_TRY(take_number(chain, &divisor));
    *number /= divisor;
    return COR_OK;
}

/* "(s'=2)" or "s=2". */
static enum cor_status take_value(struct chain *chain, const char *variable, bool is_next, uint32_t *state) {
    double number;
    const bool is_open = take(chain, "(");
    COR_TRY(expect(chain, variable));
    if (is_next)
        COR_TRY(expect(chain, "'"));
    COR_TRY(expect(chain, "="));
    COR_TRY(take_number(chain, &number));
    if (is_open)
        COR_TRY(expect(chain, ")"));
    return take_state(chain, number, state);
}

static enum cor_status take_word(struct chain *chain, char word[WORD_MOST]) {
    size_t length = 0;
    skip_blanks(chain);
    for (; isalnum((unsigned char)chain->at[length]) || chain->at[length] == '_'; length++)
        ;
    if (length == 0 || length >= WORD_MOST)
        return expect(chain, "a name");
    snprintf(word, WORD_MOST, "%.*s", (int)length, chain->at);
    chain->at += length;
    return COR_OK;
}

static enum cor_status take_command(struct chain *chain, const char *variable) {
    uint32_t from, to;
    char label[WORD_MOST];
    if (!take(chain, "]")) {
        COR_TRY(take_word(chain, label));
        COR_TRY(expect(chain, "]"));
    }
    COR_TRY(take_value(chain, variable, false, &from));
    COR_TRY(expect(chain, "->"));
    do {
        double probability = 1;
        skip_blanks(chain);
        if (*chain->at != '(') {
            COR_TRY(take_number(chain, &probability));
            COR_TRY(expect(chain, ":"));
        }
        COR_TRY(take_value(chain, variable, true, &to));
        COR_TRY(put(chain, &chain->probability[from][to], probability));
    } while (take(chain, "+"));
    return expect(chain, ";");
}

static enum cor_status read_module(struct chain *chain) {
    char variable[WORD_MOST], word[WORD_MOST];
    double low, high, first = 0;
    uint32_t state;
    if (!take(chain, "probabilistic"))
        COR_TRY(expect(chain, "dtmc"));
    COR_TRY(expect(chain, "module"));
    COR_TRY(take_word(chain, word));
    COR_TRY(take_word(chain, variable));
    COR_TRY(expect(chain, ":"));
    COR_TRY(expect(chain, "["));
    COR_TRY(take_number(chain, &low));
    COR_TRY(expect(chain, ".."));
    COR_TRY(take_number(chain, &high));
    COR_TRY(expect(chain, "]"));
    if (take(chain, "init"))
        COR_TRY(take_number(chain, &first));
    COR_TRY(expect(chain, ";"));
    while (take(chain, "["))
        COR_TRY(take_command(chain, variable));
    COR_TRY(expect(chain, "endmodule"));
    while (take(chain, "label")) {
        COR_TRY(expect(chain, "\""));
        COR_TRY(take_word(chain, word));
        COR_TRY(expect(chain, "\""));
        COR_TRY(expect(chain, "="));
        COR_TRY(take_value(chain, variable, false, &state));
        COR_TRY(expect(chain, ";"));
        if (chain->names[state][0] == '\0')
            snprintf(chain->names[state], sizeof chain->names[0], "%.*s", COR_PROFILE_NAME_MAX, word);
    }
    skip_blanks(chain);
    if (*chain->at)
        return expect(chain, "the end of the file");
    COR_TRY(take_state(chain, first, &state));
    chain->has_start = true;
    chain->start[state] = 1;
    if (chain->is_first_drawn && state + 1 == chain->count) {
        memcpy(chain->start, chain->probability[state], sizeof chain->start);
        chain->count--;
    }
    return COR_OK;
}

bool profiles__is_chain(const char *text) {
    const size_t number = strspn(text, "0123456789");
    return strncmp(text, "from,to,probability", 19) == 0 || strncmp(text, "dtmc", 4) == 0 ||
           strncmp(text, "probabilistic", 13) == 0 || strncmp(text, "//", 2) == 0 ||
           (number > 0 && strchr(" \t\r\n", text[number]));
}

enum cor_status profiles__read_chain(const char *text, size_t length, const char *file, const char *name,
                                     struct cor_profile **profile, struct cor_error *error) {
    COR_FREED struct chain *chain = cor_calloc(1, sizeof *chain);
    COR_FREED double *probability = NULL;
    const char *names[STATES_MOST + 1] = {NULL};
    COR_TRY(cor_made(chain, error));
    *chain = (struct chain){.file = file, .at = text, .line = 1, .error = error};
    const bool is_table = strncmp(text, "from,", 5) == 0;
    const bool is_module = !is_table && strstr(text, "module");
    COR_TRY(is_table ? read_table(chain, length) : is_module ? read_module(chain) : read_transitions(chain));
    if (chain->count == 0 || chain->count > STATES_MOST)
        COR_TRY(fail(chain, "a profile has 1 to 64 states",
                     "it has another number of states than a profile:", chain->count == 0 ? "none" : "65"));
    probability = cor_calloc((size_t)chain->count * chain->count, sizeof *probability);
    COR_TRY(cor_made(probability, error));
    for (uint32_t i = 0; i < chain->count; i++) {
        if (chain->names[i][0] == '\0')
            snprintf(chain->names[i], sizeof chain->names[0], "%u", i);
        names[i] = chain->names[i];
        memcpy(probability + (size_t)i * chain->count, chain->probability[i],
               chain->count * sizeof *probability);
    }
    return cor_profile_create(name, chain->count, names, probability, chain->has_start ? chain->start : NULL,
                              profile, error);
}
