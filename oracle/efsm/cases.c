/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a trap's condition says of other traps, told apart from what it says of variables: as cases, of which
 * one has to hold. */
#include "reader.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

static bool is_of_word(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
           (letter >= '0' && letter <= '9');
}

static uint32_t name_at(const char *const *names, const char *at, size_t length) {
    for (uint32_t i = 0; names[i]; i++)
        if (strlen(names[i]) == length && strncmp(names[i], at, length) == 0)
            return i;
    return COR_NONE;
}

/* A part of a condition's text. */
struct part {
    const char *from, *to;
};

static struct part trimmed(struct part part) {
    while (part.from < part.to && *part.from == ' ')
        part.from++;
    while (part.to > part.from && part.to[-1] == ' ')
        part.to--;
    return part;
}

/* Behind the word, or what else stands here; a text in quotes as a whole. */
static const char *behind(const char *at, const char *to) {
    const char *from = at;
    if (*at == '\'')
        for (at++; at < to && *at != '\'';)
            at++;
    while (at < to && is_of_word(*at))
        at++;
    return at == from || (*from == '\'' && at < to) ? at + 1 : at;
}

static bool is_word_at(const char *at, const char *to, const char *word) {
    const size_t length = strlen(word);
    return (size_t)(to - at) >= length && strncmp(at, word, length) == 0 &&
           (!is_of_word(*word) || at + length == to || !is_of_word(at[length]));
}

/* The loosest first. */
static const char *const joins[][3] = {{"implies"}, {"||", "or"}, {"&&", "and"}};

/* Where one of the words stands first in the part outside of brackets; NULL: it does not. */
static const char *find_join(struct part part, const char *const *words, size_t *length) {
    int depth = 0;
    for (const char *at = part.from; at < part.to; at = behind(at, part.to)) {
        depth += (*at == '(') - (*at == ')');
        for (size_t w = 0; depth == 0 && words[w]; w++)
            if (is_word_at(at, part.to, words[w])) {
                *length = strlen(words[w]);
                return at;
            }
    }
    return NULL;
}

/* The trap whose name is all that stands in the part, COR_NONE. */
static uint32_t lone_trap(const struct efsm__cases *cases, struct part part) {
    const size_t length = (size_t)(part.to - part.from);
    return name_at(cases->variables, part.from, length) == COR_NONE ? name_at(cases->traps, part.from, length)
                                                                    : COR_NONE;
}

/* The first trap that the part names, COR_NONE. One whose name is no word is known where it stands alone. */
static uint32_t find_trap(const struct efsm__cases *cases, struct part part) {
    size_t width;
    uint32_t trap = lone_trap(cases, part);
    for (const char *at = part.from, *next; at < part.to && trap == COR_NONE; at = next) {
        next = behind(at, part.to);
        if (is_of_word(*at))
            trap = lone_trap(cases, (struct part){at, next});
    }
    for (size_t j = 0; j < sizeof joins / sizeof *joins && trap == COR_NONE && cases->has_odd; j++) {
        const char *at = find_join(part, joins[j], &width);
        if (!at)
            continue;
        trap = find_trap(cases, trimmed((struct part){part.from, at}));
        return trap != COR_NONE ? trap : find_trap(cases, trimmed((struct part){at + width, part.to}));
    }
    return trap;
}

/* Two conditions that hold together, or of which one does. */
static char *join_texts(const char *a, const char *b, bool both) {
    size_t width;
    const bool wraps[2] = {find_join((struct part){a, a + strlen(a)}, joins[0], &width) ||
                               (both && find_join((struct part){a, a + strlen(a)}, joins[1], &width)),
                           find_join((struct part){b, b + strlen(b)}, joins[0], &width) ||
                               (both && find_join((struct part){b, b + strlen(b)}, joins[1], &width))};
    return cor_format("%s%s%s%s%s%s%s", wraps[0] ? "(" : "", a, wraps[0] ? ")" : "",
                      !*a || !*b ? ""
                      : both     ? " && "
                                 : " || ",
                      wraps[1] ? "(" : "", b, wraps[1] ? ")" : "");
}

/* Behind those that are there, unless it follows from one; what follows from it goes, and what is of the same
 * traps becomes one case with it. */
static enum cor_status add_case_take(struct efsm__cases *cases, struct efsm__case item,
                                     struct cor_error *error) {
    bool follows = (item.after & item.denied) != 0; /* it cannot hold */
    for (uint32_t i = 0; i < cases->count && item.rest; i++) {
        struct efsm__case *other = &cases->items[i];
        const bool is_alike = strcmp(other->rest, item.rest) == 0;
        if (other->after == item.after && other->denied == item.denied && !is_alike && *other->rest &&
            *item.rest) {
            char *both = join_texts(other->rest, item.rest, false);
            COR_FREE(item.rest, other->rest);
            other->rest = item.rest = NULL;
            cases->items[i] = cases->items[--cases->count];
            item.rest = both;
            i = COR_NONE;
            continue;
        }
        if ((is_alike || !*other->rest) && (other->after & ~item.after) == 0 &&
            (other->denied & ~item.denied) == 0)
            follows = true;
        else if ((is_alike || !*item.rest) && (item.after & ~other->after) == 0 &&
                 (item.denied & ~other->denied) == 0) {
            free(other->rest);
            *other = cases->items[--cases->count];
            i--;
        }
    }
    enum cor_status status = cor_made(item.rest, error);
    if (status == COR_OK && !follows)
        status = COR_RESERVE(&cases->items, &cases->capacity, (size_t)cases->count + 1, error);
    if (status != COR_OK || follows)
        free(item.rest);
    else
        cases->items[cases->count++] = item;
    return status;
}

static void empty_cases(struct efsm__cases *cases) {
    for (uint32_t i = 0; i < cases->count; i++)
        free(cases->items[i].rest);
    free(cases->items);
    cases->items = NULL;
    cases->count = 0;
    cases->capacity = 0;
}

void efsm__cases_fini(struct efsm__cases *cases) {
    empty_cases(cases);
}

/* Each case of the one with each of the other, in place of those of the one. */
static enum cor_status multiply(const struct cor_json *json, struct efsm__cases *one,
                                const struct efsm__cases *other, struct cor_error *error) {
    struct efsm__cases product = {0};
    enum cor_status status = COR_OK;
    for (uint32_t i = 0; i < one->count; i++)
        for (uint32_t j = 0; j < other->count; j++) {
            const struct efsm__case *a = &one->items[i], *b = &other->items[j];
            COR_TRY_OUT(add_case_take(&product,
                                      (struct efsm__case){a->after | b->after, a->denied | b->denied,
                                                          join_texts(a->rest, b->rest, true)},
                                      error));
            if (product.count > EFSM__CASES_MAX)
                COR_TRY_OUT(cor_json_fail(json, error, "name fewer traps in it",
                                          "has more than %d cases over other traps", EFSM__CASES_MAX));
        }
out:
    empty_cases(one);
    one->items = product.items;
    one->count = product.count;
    one->capacity = product.capacity;
    return status;
}

/* A trap's name alone. */
static enum cor_status add_name(const struct cor_json *json, struct efsm__cases *cases, uint32_t trap,
                                bool is_denied, struct cor_error *error) {
    uint32_t n = 0;
    while (n < cases->named_count && cases->named[n] != trap)
        n++;
    if (n == EFSM__NAMED_MAX)
        return cor_json_fail(json, error, "use \"after\"", "names more than %d traps", EFSM__NAMED_MAX);
    cases->named[n] = trap;
    cases->named_count += n == cases->named_count;
    const uint64_t bit = UINT64_C(1) << n;
    return add_case_take(cases, (struct efsm__case){is_denied ? 0 : bit, is_denied ? bit : 0, cor_strdup("")},
                         error);
}

/* The cases of a part, or of its opposite, behind those that are there. */
static enum cor_status add_cases(const struct cor_json *json, struct part part, bool is_denied,
                                 uint32_t depth, struct efsm__cases *cases, struct cor_error *error) {
    part = trimmed(part);
    const uint32_t named = find_trap(cases, part);
    const int length = (int)(part.to - part.from);
    if (depth > EFSM__JOINED_MAX)
        return cor_json_fail(json, error, "use \"after\" for traps that it waits for",
                             "joins more than %d conditions, of traps among them", EFSM__JOINED_MAX);
    if (named == COR_NONE)
        return add_case_take(
            cases, (struct efsm__case){.rest = cor_format(is_denied ? "!(%.*s)" : "%.*s", length, part.from)},
            error);
    for (size_t j = 0; j < sizeof joins / sizeof *joins; j++) {
        size_t width;
        const char *at = find_join(part, joins[j], &width);
        if (!at)
            continue;
        /* a implies b is !a || b; and what denies the whole turns || and && round. */
        const struct part left = {part.from, at}, right = {at + width, part.to};
        const bool denies_left = is_denied != (j == 0), adds = (j < 2) != is_denied;
        struct efsm__cases sides[2] = {*cases, *cases};
        enum cor_status status = COR_OK;
        for (int s = 0; s < 2; s++) {
            sides[s].items = NULL;
            sides[s].count = 0;
            sides[s].capacity = 0;
        }
        COR_TRY_OUT(add_cases(json, left, denies_left, depth + 1, &sides[0], error));
        memcpy(sides[1].named, sides[0].named, sizeof sides[1].named);
        sides[1].named_count = sides[0].named_count;
        COR_TRY_OUT(add_cases(json, right, is_denied, depth + 1, &sides[1], error));
        memcpy(cases->named, sides[1].named, sizeof cases->named);
        cases->named_count = sides[1].named_count;
        if (!adds)
            COR_TRY_OUT(multiply(json, &sides[0], &sides[1], error));
        for (int s = 0; s < (adds ? 2 : 1); s++)
            for (uint32_t i = 0; i < sides[s].count; i++) {
                struct efsm__case item = sides[s].items[i];
                item.rest = cor_strdup(item.rest);
                COR_TRY_OUT(add_case_take(cases, item, error));
            }
    out:
        empty_cases(&sides[0]);
        empty_cases(&sides[1]);
        return status;
    }
    if (is_word_at(part.from, part.to, "!") || is_word_at(part.from, part.to, "not"))
        return add_cases(json, (struct part){part.from + (*part.from == '!' ? 1 : 3), part.to}, !is_denied,
                         depth + 1, cases, error);
    if (lone_trap(cases, part) == named)
        return add_name(json, cases, named, is_denied, error);
    /* In brackets as a whole? */
    int open = 0;
    for (const char *at = part.from; at < part.to; at = behind(at, part.to)) {
        open += (*at == '(') - (*at == ')');
        if (open == 0 && at + 1 == part.to && *part.from == '(')
            return add_cases(json, (struct part){part.from + 1, at}, is_denied, depth + 1, cases, error);
        if (open <= 0)
            break;
    }
    return cor_json_fail(json, error, "a trap is covered or not: join it to the rest by &&, || and !",
                         "the trap \"%s\" is no value that is compared or reckoned with",
                         cases->traps[named]);
}

enum cor_status efsm__efsm_split_cases(const struct cor_json *json, const char *text,
                                       struct efsm__cases *cases, struct cor_error *error) {
    for (uint32_t t = 0; cases->traps[t]; t++)
        for (const char *at = cases->traps[t]; *at; at++)
            cases->has_odd = cases->has_odd || !is_of_word(*at);
    COR_TRY(add_cases(json, (struct part){text, text + strlen(text)}, false, 0, cases, error));
    return cases->count > 0 ? COR_OK
                            : cor_json_fail(json, error, "say when it can be covered",
                                            "never holds: it wants a trap covered and not covered");
}
