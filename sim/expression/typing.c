/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes are appended here, each with the type of what it gives; what does not go together is said with the
 * operator that cannot use it. */
#include "parser.h"

#include <stdio.h>
#include <string.h>

static const char *const nouns[] = {[EXPRESSION__TYPE_INTEGER] = "a number",
                                    [EXPRESSION__TYPE_REAL] = "a real number",
                                    [EXPRESSION__TYPE_TRUTH] = "a condition",
                                    [EXPRESSION__TYPE_WORD] = "a word",
                                    [EXPRESSION__TYPE_NULL] = "null"};

static enum expression__type type_of(const struct expression__parser *parser, uint32_t node) {
    return (enum expression__type)parser->types[node];
}

static bool is_number(enum expression__type type) {
    return type == EXPRESSION__TYPE_INTEGER || type == EXPRESSION__TYPE_REAL;
}

bool expression__too_deep(struct expression__parser *parser, const char *at) {
    return expression__complain(parser, at, "split it into several constraints",
                                "it is nested more than 200 deep");
}

/* Appends a node. `at` is where to complain. */
static bool put(struct expression__parser *parser, const char *at, struct cor_node node,
                enum expression__type type, uint32_t *index) {
    if (parser->node_count == EXPRESSION__NODES_MAX)
        return expression__complain(parser, at, "split it into several constraints",
                                    "it has more than 1000 parts");
    enum cor_operator kind = node.operator;
    uint16_t depth = 0;
    if (kind > COR_OPERATOR_VARIABLE) {
        COR_ASSERT(node.left < parser->node_count &&
                   node.right < parser->node_count); /* children come first */
        uint16_t left = parser->depths[node.left], right = parser->depths[node.right];
        depth = left > right ? left : right;
    }
    if (depth == EXPRESSION__DEPTH_MAX)
        return expression__too_deep(parser, at);
    *index = parser->node_count++;
    parser->nodes[*index] = node;
    parser->types[*index] = (uint8_t)type;
    parser->depths[*index] = (uint16_t)(depth + 1);
    return true;
}

bool expression__put_integer(struct expression__parser *parser, const char *at, int64_t integer,
                             enum expression__type type, uint32_t *node) {
    parser->integer_only = parser->integer_only && type == EXPRESSION__TYPE_INTEGER;
    return put(parser, at, (struct cor_node){.operator= COR_OPERATOR_CONSTANT, .constant = integer}, type,
               node);
}

bool expression__put_real(struct expression__parser *parser, const char *at, double real, uint32_t *node) {
    parser->integer_only = false;
    return put(parser, at, (struct cor_node){.operator= COR_OPERATOR_CONSTANT, .real = real, .reals = true},
               EXPRESSION__TYPE_REAL, node);
}

static const struct cor_domain *domain_of(const struct expression__parser *parser, uint32_t variable) {
    return parser->scope->symbols[variable].domain;
}

bool expression__put_variable(struct expression__parser *parser, const char *at, uint32_t variable,
                              uint32_t *node) {
    static const enum expression__type types[] = {[COR_VALUE_TYPE_INTEGER] = EXPRESSION__TYPE_INTEGER,
                                                  [COR_VALUE_TYPE_REAL] = EXPRESSION__TYPE_REAL,
                                                  [COR_VALUE_TYPE_BOOLEAN] = EXPRESSION__TYPE_TRUTH,
                                                  [COR_VALUE_TYPE_STRING] = EXPRESSION__TYPE_WORD,
                                                  [COR_VALUE_TYPE_ENUMERATION] = EXPRESSION__TYPE_WORD};
    enum expression__type type = types[domain_of(parser, variable)->type];
    parser->integer_only = parser->integer_only && type == EXPRESSION__TYPE_INTEGER;
    struct cor_node made = {
        .operator= COR_OPERATOR_VARIABLE, .variable = variable, .reals = type == EXPRESSION__TYPE_REAL};
    return put(parser, at, made, type, node);
}

/* The node as a real. */
static bool make_real(struct expression__parser *parser, const char *at, uint32_t *node) {
    if (type_of(parser, *node) == EXPRESSION__TYPE_REAL)
        return true;
    parser->integer_only = false;
    struct cor_node made = {.operator= COR_OPERATOR_TO_REAL, .left = *node, .right = *node, .reals = true};
    return put(parser, at, made, EXPRESSION__TYPE_REAL, node);
}

/* An operator works on something else than a node of this type. */
static bool complain_type(struct expression__parser *parser, const struct expression__token *word,
                          const char *works, enum expression__type type, const char *remedy) {
    char quoted[EXPRESSION__QUOTED_MAX + 4], what[2 * EXPRESSION__QUOTED_MAX];
    expression__quote(word->at, word->length, quoted);
    snprintf(what, sizeof what, "\"%s\" %s, and this is %s", quoted, works, nouns[type]);
    return expression__complain(parser, word->at, remedy, what);
}

bool expression__expect_condition(struct expression__parser *parser, const struct expression__token *word,
                                  uint32_t node) {
    enum expression__type type = type_of(parser, node);
    if (type == EXPRESSION__TYPE_TRUTH)
        return true;
    if (is_number(type))
        return complain_type(parser, word, "joins conditions", EXPRESSION__TYPE_INTEGER,
                             "compare the number with another");
    return complain_type(parser, word, "joins conditions", type,
                         type == EXPRESSION__TYPE_WORD ? "compare the word with another" : NULL);
}

static bool expect_number(struct expression__parser *parser, const struct expression__token *word,
                          uint32_t node) {
    enum expression__type type = type_of(parser, node);
    return is_number(type) || complain_type(parser, word, "works on numbers", type, NULL);
}

static bool expect_integer(struct expression__parser *parser, const struct expression__token *word,
                           uint32_t node) {
    return expect_number(parser, word, node) &&
           (type_of(parser, node) == EXPRESSION__TYPE_INTEGER ||
            complain_type(parser, word, "works on integers", EXPRESSION__TYPE_REAL, NULL));
}

/* Names have domains, words and numbers a spelling: "Level (int)", "the number 5", "the word 'a'". */
static void describe(const struct expression__parser *parser, uint32_t index, char *text, size_t size) {
    const struct cor_node *node = &parser->nodes[index];
    enum cor_operator kind = node->operator;
    enum expression__type type = type_of(parser, index);
    char quoted[EXPRESSION__QUOTED_MAX + 4];
    if (kind == COR_OPERATOR_VARIABLE) {
        const char *name = parser->scope->symbols[node->variable].name;
        expression__quote(name, strlen(name), quoted);
        snprintf(text, size, "%s (%s)", quoted, domain_of(parser, node->variable)->name);
    } else if (kind == COR_OPERATOR_CONSTANT && type == EXPRESSION__TYPE_WORD) {
        const char *word = cor_words_text(parser->scope->words, (uint32_t)node->constant);
        expression__quote(word, strlen(word), quoted);
        snprintf(text, size, "the word '%s'", quoted);
    } else if (kind == COR_OPERATOR_CONSTANT && type == EXPRESSION__TYPE_INTEGER) {
        snprintf(text, size, "the number %lld", (long long)node->constant);
    } else {
        snprintf(text, size, "%s", nouns[type]);
    }
}

/* The domain of a node that is a name, else NULL. */
static const struct cor_domain *named_domain(const struct expression__parser *parser, uint32_t index) {
    enum cor_operator kind = parser->nodes[index].operator;
    return kind == COR_OPERATOR_VARIABLE ? domain_of(parser, parser->nodes[index].variable) : NULL;
}

static bool lists(const struct cor_domain *domain, uint32_t word) {
    for (uint32_t i = 0; i < domain->word_count; i++)
        if (domain->words[i] == word)
            return true;
    return false;
}

/* What the enumeration has instead of the word. */
static void offer_words(const struct expression__parser *parser, const struct cor_domain *domain,
                        uint32_t word, char *remedy, size_t size) {
    const char *offered[257];
    uint32_t count = domain->word_count < 256 ? domain->word_count : 256;
    for (uint32_t i = 0; i < count; i++)
        offered[i] = cor_words_text(parser->scope->words, domain->words[i]);
    offered[count] = NULL;
    cor_known_names(cor_words_text(parser->scope->words, word), offered, remedy, size);
}

/* Whether a name can have the value of a constant that it is compared with. */
static bool expect_possible(struct expression__parser *parser, const struct expression__token *word,
                            uint32_t name, uint32_t constant) {
    const struct cor_domain *domain = named_domain(parser, name);
    enum cor_operator kind = parser->nodes[constant].operator;
    if (!domain || kind != COR_OPERATOR_CONSTANT)
        return true;
    char described[EXPRESSION__QUOTED_MAX * 2], what[EXPRESSION__QUOTED_MAX * 4], remedy[1024] = "";
    describe(parser, name, described, sizeof described);
    if (type_of(parser, constant) == EXPRESSION__TYPE_NULL && domain->type != COR_VALUE_TYPE_STRING) {
        snprintf(what, sizeof what, "%s is never null", described);
        return expression__complain(parser, word->at, "only what is of type string can be null", what);
    }
    uint32_t text = (uint32_t)parser->nodes[constant].constant;
    if (type_of(parser, constant) != EXPRESSION__TYPE_WORD || domain->type != COR_VALUE_TYPE_ENUMERATION ||
        lists(domain, text))
        return true;
    char quoted[EXPRESSION__QUOTED_MAX + 4];
    const char *shown = cor_words_text(parser->scope->words, text);
    expression__quote(shown, strlen(shown), quoted);
    snprintf(what, sizeof what, "%s is never '%s'", described, quoted);
    offer_words(parser, domain, text, remedy, sizeof remedy);
    return expression__complain(parser, word->at, remedy, what);
}

/* Both sides of = or != among values; numbers, conditions, or words and null. */
static bool expect_comparable(struct expression__parser *parser, const struct expression__token *word,
                              uint32_t left, uint32_t right) {
    static const int groups[] = {[EXPRESSION__TYPE_INTEGER] = 0,
                                 [EXPRESSION__TYPE_REAL] = 0,
                                 [EXPRESSION__TYPE_TRUTH] = 1,
                                 [EXPRESSION__TYPE_WORD] = 2,
                                 [EXPRESSION__TYPE_NULL] = 2};
    enum expression__type a = type_of(parser, left), b = type_of(parser, right);
    if (!expect_possible(parser, word, left, right) || !expect_possible(parser, word, right, left))
        return false;
    if (groups[a] == groups[b])
        return true;
    char sign[EXPRESSION__QUOTED_MAX + 4], first[EXPRESSION__QUOTED_MAX * 2],
        second[EXPRESSION__QUOTED_MAX * 2], what[EXPRESSION__QUOTED_MAX * 6];
    expression__quote(word->at, word->length, sign);
    describe(parser, left, first, sizeof first);
    describe(parser, right, second, sizeof second);
    snprintf(what, sizeof what, "\"%s\" compares %s with %s", sign, first, second);
    const char *remedy = NULL;
    if (a == EXPRESSION__TYPE_TRUTH || b == EXPRESSION__TYPE_TRUTH)
        remedy = "a condition stands by itself: x, not x, x = true";
    else if (a == EXPRESSION__TYPE_WORD || b == EXPRESSION__TYPE_WORD)
        remedy = "words stand in single quotes: 'word'";
    return expression__complain(parser, word->at, remedy, what);
}

static bool expect_ordered(struct expression__parser *parser, const struct expression__token *word,
                           uint32_t node) {
    enum expression__type type = type_of(parser, node);
    if (type == EXPRESSION__TYPE_WORD || type == EXPRESSION__TYPE_NULL)
        return complain_type(parser, word, "orders numbers", type, "words and null have = and != only");
    return expect_number(parser, word, node);
}

static bool expect_sides(struct expression__parser *parser, const struct expression__token *word,
                         enum cor_operator kind, uint32_t left, uint32_t right) {
    switch (kind) {
    case COR_OPERATOR_AND:
    case COR_OPERATOR_OR:
        return expression__expect_condition(parser, word, left) &&
               expression__expect_condition(parser, word, right);
    case COR_OPERATOR_EQUAL:
    case COR_OPERATOR_NOT_EQUAL:
        if (parser->has_values)
            return expect_comparable(parser, word, left, right);
        return expect_number(parser, word, left) && expect_number(parser, word, right);
    case COR_OPERATOR_LESS:
    case COR_OPERATOR_LESS_EQUAL:
        return expect_ordered(parser, word, left) && expect_ordered(parser, word, right);
    case COR_OPERATOR_REMAINDER:
    case COR_OPERATOR_CEIL_DIVIDE:
        return expect_integer(parser, word, left) && expect_integer(parser, word, right);
    default:
        return expect_number(parser, word, left) && expect_number(parser, word, right);
    }
}

bool expression__put_unary(struct expression__parser *parser, const struct expression__token *word,
                           enum cor_operator kind, uint32_t child, uint32_t *node) {
    if (kind == COR_OPERATOR_NOT ? !expression__expect_condition(parser, word, child)
                                 : !expect_number(parser, word, child))
        return false;
    enum expression__type type = type_of(parser, child);
    struct cor_node made = {
        .operator= kind, .left = child, .right = child, .reals = type == EXPRESSION__TYPE_REAL};
    return put(parser, word->at, made, type, node);
}

bool expression__put_binary(struct expression__parser *parser, const struct expression__token *word,
                            enum cor_operator kind, bool swap, uint32_t left, uint32_t right,
                            uint32_t *node) {
    if (!expect_sides(parser, word, kind, left, right))
        return false;
    bool reals =
        type_of(parser, left) == EXPRESSION__TYPE_REAL || type_of(parser, right) == EXPRESSION__TYPE_REAL;
    if (reals && (!make_real(parser, word->at, &left) || !make_real(parser, word->at, &right)))
        return false;
    struct cor_node made = {
        .operator= kind, .left = swap ? right : left, .right = swap ? left : right, .reals = reals};
    enum expression__type type = kind >= COR_OPERATOR_LESS ? EXPRESSION__TYPE_TRUTH
                                 : reals                   ? EXPRESSION__TYPE_REAL
                                                           : EXPRESSION__TYPE_INTEGER;
    /* z3 and the intervals know conditions that are compared as little as words. */
    bool joins = kind == COR_OPERATOR_AND || kind == COR_OPERATOR_OR;
    if (!joins && type_of(parser, left) == EXPRESSION__TYPE_TRUTH)
        parser->integer_only = false;
    return put(parser, word->at, made, type, node);
}

/* What the whole gives instead of a value of the domain. */
static bool complain_result(struct expression__parser *parser, const struct cor_domain *domain,
                            uint32_t root) {
    const char *const wanted[] = {[COR_VALUE_TYPE_INTEGER] = parser->has_values ? "an integer" : "a number",
                                  [COR_VALUE_TYPE_REAL] = "a number",
                                  [COR_VALUE_TYPE_BOOLEAN] = "a condition",
                                  [COR_VALUE_TYPE_STRING] = "a word",
                                  [COR_VALUE_TYPE_ENUMERATION] = "one of "};
    enum expression__type type = type_of(parser, root);
    bool is_named_word = type == EXPRESSION__TYPE_WORD && named_domain(parser, root);
    bool real_is_meant = type == EXPRESSION__TYPE_REAL && domain->type == COR_VALUE_TYPE_INTEGER;
    char what[EXPRESSION__QUOTED_MAX * 4], found[EXPRESSION__QUOTED_MAX * 2];
    if (is_named_word)
        describe(parser, root, found, sizeof found);
    else
        snprintf(found, sizeof found, "%s",
                 is_number(type) && !real_is_meant ? nouns[EXPRESSION__TYPE_INTEGER] : nouns[type]);
    snprintf(what, sizeof what,
             is_named_word ? "%s is given where %s%s is expected" : "it is %s where %s%s is expected", found,
             wanted[domain->type], domain->type == COR_VALUE_TYPE_ENUMERATION ? domain->name : "");
    bool lacks_comparison = domain->type == COR_VALUE_TYPE_BOOLEAN && is_number(type);
    return expression__complain(parser, parser->text,
                                lacks_comparison ? "compare it with another: a <= b" : NULL, what);
}

/* A word of an enumeration: a constant that it has, or a name of an enumeration that has no others. */
static bool expect_listed(struct expression__parser *parser, const struct cor_domain *domain, uint32_t root) {
    const struct cor_domain *own = named_domain(parser, root);
    bool listed = own && own->type == COR_VALUE_TYPE_ENUMERATION;
    for (uint32_t i = 0; listed && i < own->word_count; i++)
        listed = lists(domain, own->words[i]);
    if (listed)
        return true;
    if (own || type_of(parser, root) != EXPRESSION__TYPE_WORD)
        return complain_result(parser, domain, root);
    uint32_t word = (uint32_t)parser->nodes[root].constant;
    if (lists(domain, word))
        return true;
    char quoted[EXPRESSION__QUOTED_MAX + 4], what[EXPRESSION__QUOTED_MAX * 2], remedy[1024];
    const char *text = cor_words_text(parser->scope->words, word);
    expression__quote(text, strlen(text), quoted);
    snprintf(what, sizeof what, "%s has no '%s'", domain->name, quoted);
    offer_words(parser, domain, word, remedy, sizeof remedy);
    return expression__complain(parser, parser->text, remedy, what);
}

bool expression__expect_result(struct expression__parser *parser, const struct cor_domain *domain,
                               uint32_t *root) {
    enum expression__type type = type_of(parser, *root);
    bool fits = false;
    switch (domain->type) {
    case COR_VALUE_TYPE_INTEGER:
        fits = type == EXPRESSION__TYPE_INTEGER;
        break;
    case COR_VALUE_TYPE_REAL:
        if (is_number(type))
            return make_real(parser, parser->text, root);
        break;
    case COR_VALUE_TYPE_BOOLEAN:
        fits = type == EXPRESSION__TYPE_TRUTH;
        break;
    case COR_VALUE_TYPE_STRING:
        fits = type == EXPRESSION__TYPE_WORD || type == EXPRESSION__TYPE_NULL;
        break;
    case COR_VALUE_TYPE_ENUMERATION:
        return expect_listed(parser, domain, *root);
    }
    return fits || complain_result(parser, domain, *root);
}
