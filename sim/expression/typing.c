/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes are appended here, each with the type of what it gives; what does not go together is said with the
 * operator that cannot use it. */
#include "parser.h"

#include "units.h"

#include <stdio.h>
#include <string.h>

static const char *const nouns[] = {
    [COR_NODE_INTEGER] = "a number", [COR_NODE_REAL] = "a real number", [COR_NODE_TRUTH] = "a condition",
    [COR_NODE_WORD] = "a word",      [COR_NODE_NULL] = "null",          [COR_NODE_ELEMENT] = "an element"};

static enum cor_node_type type_of(const struct expression__parser *parser, uint32_t node) {
    return (enum cor_node_type)parser->nodes[node].type;
}

static bool is_number(enum cor_node_type type) {
    return type == COR_NODE_INTEGER || type == COR_NODE_REAL;
}

bool expression__too_deep(struct expression__parser *parser, const char *at) {
    return expression__complain(parser, at, "split it into several constraints",
                                "it is nested more than 200 deep");
}

/* A node that asks the same and is known where the next one will be: not within a query that is over. */
static uint32_t find_same(const struct expression__parser *parser, const struct cor_node *node) {
    const enum cor_operator kind = node->operator;
    const bool asks = kind == COR_OPERATOR_ATTRIBUTE || kind == COR_OPERATOR_BEFORE ||
                      kind == COR_OPERATOR_REFERENCE || kind == COR_OPERATOR_SIZE;
    for (uint32_t i = parser->node_count; asks && i-- > 0;) {
        const struct cor_node *other = &parser->nodes[i];
        if (other->operator>= COR_OPERATOR_COUNT)
            i = other->variable;
        else if (other->operator== kind && other->left == node->left &&
                 other->variable == node->variable && other->element == node->element)
            return i;
    }
    return COR_NONE;
}

static enum cor_exactness exactness_of(const struct expression__parser *parser, uint32_t node) {
    return parser->nodes[node].operator== COR_OPERATOR_TO_REAL
               ? COR_EXACT
               : (enum cor_exactness)parser->nodes[node].exactness;
}

/* Of what is reckoned from both: a fraction where there are nothing but fractions and integers. */
static enum cor_exactness reckoned_from(const struct expression__parser *parser, uint32_t left,
                                        uint32_t right) {
    const uint32_t sides[] = {left, right};
    for (int i = 0; i < 2; i++)
        if (type_of(parser, sides[i]) == COR_NODE_REAL && exactness_of(parser, sides[i]) != COR_EXACT)
            return COR_ROUNDED;
    return COR_EXACT;
}

/* Of one of both, or of what compares them. */
static enum cor_exactness chosen_among(const struct expression__parser *parser, uint32_t left,
                                       uint32_t right) {
    const enum cor_exactness a = exactness_of(parser, left), b = exactness_of(parser, right);
    const bool is_mixed = a != b && a != COR_ROUNDED && b != COR_ROUNDED;
    return is_mixed ? COR_CHOSEN : a > b ? a : b;
}

static enum cor_exactness exactness_made(const struct expression__parser *parser, const struct cor_node *node,
                                         enum cor_node_type type) {
    switch (node->operator) {
    case COR_OPERATOR_ADD:
    case COR_OPERATOR_SUBTRACT:
    case COR_OPERATOR_MULTIPLY:
    case COR_OPERATOR_DIVIDE:
        return type == COR_NODE_REAL ? reckoned_from(parser, node->left, node->right) : COR_READ;
    case COR_OPERATOR_SUM:
    case COR_OPERATOR_MEAN:
        return type == COR_NODE_REAL ? reckoned_from(parser, node->right, node->right) : COR_READ;
    case COR_OPERATOR_NEGATE:
    case COR_OPERATOR_ABS:
    case COR_OPERATOR_MIN:
    case COR_OPERATOR_MAX:
    case COR_OPERATOR_LESS:
    case COR_OPERATOR_LESS_EQUAL:
    case COR_OPERATOR_EQUAL:
    case COR_OPERATOR_NOT_EQUAL:
        return node->reals ? chosen_among(parser, node->left, node->right) : COR_READ;
    case COR_OPERATOR_LEAST:
    case COR_OPERATOR_GREATEST:
        return exactness_of(parser, node->right);
    default:
        return COR_READ;
    }
}

bool expression__put(struct expression__parser *parser, const char *at, struct cor_node node,
                     enum cor_node_type type, uint32_t *index) {
    if (parser->collections) {
        const uint32_t same = find_same(parser, &node);
        if (same != COR_NONE) {
            *index = same;
            return true;
        }
        node.exactness = (uint8_t)exactness_made(parser, &node, type);
    }
    if (parser->node_count == EXPRESSION__NODES_MAX)
        return expression__complain(parser, at, "split it into several constraints",
                                    "it has more than 1000 parts");
    enum cor_operator kind = node.operator;
    uint16_t depth = 0;
    const bool is_of_all =
        (kind == COR_OPERATOR_BIND || kind == COR_OPERATOR_SIZE) && node.variable == COR_NONE;
    if (kind > COR_OPERATOR_VARIABLE && !is_of_all) {
        COR_ASSERT(node.left < parser->node_count &&
                   node.right < parser->node_count); /* children come first */
        uint16_t left = parser->depths[node.left], right = parser->depths[node.right];
        depth = left > right ? left : right;
    }
    if (depth == EXPRESSION__DEPTH_MAX)
        return expression__too_deep(parser, at);
    *index = parser->node_count++;
    parser->nodes[*index] = node;
    parser->nodes[*index].type = (uint8_t)type;
    parser->depths[*index] = (uint16_t)(depth + 1);
    return true;
}

bool expression__put_integer(struct expression__parser *parser, const char *at, int64_t integer,
                             enum cor_node_type type, uint32_t *node) {
    parser->integer_only = parser->integer_only && type == COR_NODE_INTEGER;
    return expression__put(
        parser, at, (struct cor_node){.operator= COR_OPERATOR_CONSTANT, .constant = integer}, type, node);
}

bool expression__put_real(struct expression__parser *parser, const char *at, double real, uint32_t *node) {
    parser->integer_only = false;
    return expression__put(parser, at,
                           (struct cor_node){.operator= COR_OPERATOR_CONSTANT, .real = real, .reals = true},
                           COR_NODE_REAL, node);
}

static const struct cor_domain *domain_of(const struct expression__parser *parser, uint32_t variable) {
    return parser->scope->symbols[variable].domain;
}

bool expression__put_variable(struct expression__parser *parser, const char *at, uint32_t variable,
                              uint32_t *node) {
    static const enum cor_node_type types[] = {[COR_VALUE_TYPE_INTEGER] = COR_NODE_INTEGER,
                                               [COR_VALUE_TYPE_REAL] = COR_NODE_REAL,
                                               [COR_VALUE_TYPE_BOOLEAN] = COR_NODE_TRUTH,
                                               [COR_VALUE_TYPE_STRING] = COR_NODE_WORD,
                                               [COR_VALUE_TYPE_ENUMERATION] = COR_NODE_WORD};
    enum cor_node_type type = types[domain_of(parser, variable)->type];
    parser->integer_only = parser->integer_only && type == COR_NODE_INTEGER;
    struct cor_node made = {
        .operator= COR_OPERATOR_VARIABLE, .variable = variable, .reals = type == COR_NODE_REAL};
    if (!expression__put(parser, at, made, type, node))
        return false;
    const struct cor_shape *shape = parser->scope->shape;
    if (shape && shape->units)
        parser->collections->units[*node] = shape->units[variable];
    return true;
}

/* An operator works on something else than a node of this type. */
static bool complain_type(struct expression__parser *parser, const struct expression__token *word,
                          const char *works, enum cor_node_type type, const char *remedy) {
    char quoted[EXPRESSION__QUOTED_MAX + 4], what[2 * EXPRESSION__QUOTED_MAX];
    expression__quote(word->at, word->length, quoted);
    snprintf(what, sizeof what, "\"%s\" %s, and this is %s", quoted, works, nouns[type]);
    return expression__complain(parser, word->at, remedy, what);
}

bool expression__expect_condition(struct expression__parser *parser, const struct expression__token *word,
                                  uint32_t node) {
    enum cor_node_type type = type_of(parser, node);
    if (type == COR_NODE_TRUTH)
        return true;
    if (is_number(type))
        return complain_type(parser, word, "joins conditions", COR_NODE_INTEGER,
                             "compare the number with another");
    return complain_type(parser, word, "joins conditions", type,
                         type == COR_NODE_WORD ? "compare the word with another" : NULL);
}

static bool expect_number(struct expression__parser *parser, const struct expression__token *word,
                          uint32_t node) {
    enum cor_node_type type = type_of(parser, node);
    return is_number(type) ||
           complain_type(parser, word, "works on numbers", type,
                         type == COR_NODE_ELEMENT ? "ask for a number that it has: name.attribute" : NULL);
}

static bool expect_integer(struct expression__parser *parser, const struct expression__token *word,
                           uint32_t node) {
    return expect_number(parser, word, node) &&
           (type_of(parser, node) == COR_NODE_INTEGER ||
            complain_type(parser, word, "works on integers", COR_NODE_REAL, NULL));
}

static const struct cor_attribute *attribute_of(const struct expression__parser *parser,
                                                const struct cor_node *node) {
    return &parser->scope->shape->types[node->element].attributes[node->variable];
}

/* Names have domains, words and numbers a spelling: "Level (int)", "the number 5", "the word 'a'". */
void expression__describe(const struct expression__parser *parser, uint32_t index, char *text, size_t size) {
    const struct cor_node *node = &parser->nodes[index];
    enum cor_operator kind = node->operator;
    enum cor_node_type type = type_of(parser, index);
    char quoted[EXPRESSION__QUOTED_MAX + 4];
    if (kind == COR_OPERATOR_VARIABLE) {
        const char *name = parser->scope->symbols[node->variable].name;
        expression__quote(name, strlen(name), quoted);
        snprintf(text, size, "%s (%s)", quoted, domain_of(parser, node->variable)->name);
    } else if (kind == COR_OPERATOR_CONSTANT && type == COR_NODE_WORD) {
        const char *word = cor_words_text(parser->scope->words, (uint32_t)node->constant);
        expression__quote(word, strlen(word), quoted);
        snprintf(text, size, "the word '%s'", quoted);
    } else if (kind == COR_OPERATOR_CONSTANT && type == COR_NODE_INTEGER) {
        snprintf(text, size, "the number %lld", (long long)node->constant);
    } else if (kind == COR_OPERATOR_ATTRIBUTE || kind == COR_OPERATOR_BEFORE) {
        const struct cor_attribute *attribute = attribute_of(parser, node);
        snprintf(text, size, "\"%.60s\" (%.60s)", attribute->name, attribute->domain->name);
    } else if (type == COR_NODE_ELEMENT) {
        const char *name = parser->scope->shape->types[node->element].name;
        snprintf(text, size, "%s %.60s", strchr("aeiou", *name) ? "an" : "a", name);
    } else {
        snprintf(text, size, "%s", nouns[type]);
    }
}

/* The domain of a node that is a name or an attribute, else NULL. */
static const struct cor_domain *named_domain(const struct expression__parser *parser, uint32_t index) {
    enum cor_operator kind = parser->nodes[index].operator;
    if (kind == COR_OPERATOR_ATTRIBUTE || kind == COR_OPERATOR_BEFORE)
        return attribute_of(parser, &parser->nodes[index])->domain;
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
    expression__describe(parser, name, described, sizeof described);
    if (type_of(parser, constant) == COR_NODE_NULL && domain->type != COR_VALUE_TYPE_STRING) {
        snprintf(what, sizeof what, "%s is never null", described);
        return expression__complain(parser, word->at, "only what is of type string can be null", what);
    }
    uint32_t text = (uint32_t)parser->nodes[constant].constant;
    if (type_of(parser, constant) != COR_NODE_WORD || domain->type != COR_VALUE_TYPE_ENUMERATION ||
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
    static const int groups[] = {[COR_NODE_INTEGER] = 0, [COR_NODE_REAL] = 0, [COR_NODE_TRUTH] = 1,
                                 [COR_NODE_WORD] = 2,    [COR_NODE_NULL] = 2, [COR_NODE_ELEMENT] = 3};
    enum cor_node_type a = type_of(parser, left), b = type_of(parser, right);
    if (!expect_possible(parser, word, left, right) || !expect_possible(parser, word, right, left))
        return false;
    const struct cor_node *nodes = parser->nodes;
    if (groups[a] == groups[b] && (a != COR_NODE_ELEMENT || nodes[left].element == nodes[right].element))
        return true;
    char sign[EXPRESSION__QUOTED_MAX + 4], first[EXPRESSION__QUOTED_MAX * 2],
        second[EXPRESSION__QUOTED_MAX * 2], what[EXPRESSION__QUOTED_MAX * 6];
    expression__quote(word->at, word->length, sign);
    expression__describe(parser, left, first, sizeof first);
    expression__describe(parser, right, second, sizeof second);
    snprintf(what, sizeof what, "\"%s\" compares %s with %s", sign, first, second);
    const char *remedy = NULL;
    if (a == COR_NODE_TRUTH || b == COR_NODE_TRUTH)
        remedy = "a condition stands by itself: x, not x, x = true";
    else if (a == COR_NODE_ELEMENT || b == COR_NODE_ELEMENT)
        remedy = a == b ? NULL : "ask for a value that it has: name.attribute";
    else if (a == COR_NODE_WORD || b == COR_NODE_WORD)
        remedy = "words stand in single quotes: 'word'";
    return expression__complain(parser, word->at, remedy, what);
}

static bool expect_ordered(struct expression__parser *parser, const struct expression__token *word,
                           uint32_t node) {
    enum cor_node_type type = type_of(parser, node);
    if (type == COR_NODE_WORD || type == COR_NODE_NULL)
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

static const char *unit_of(const struct expression__parser *parser, uint32_t node) {
    return parser->collections ? parser->collections->units[node] : NULL;
}

/* Numbers that are compared, added or chosen among have one unit, if they have any. */
static bool expect_one_unit(struct expression__parser *parser, const struct expression__token *word,
                            enum cor_operator kind, uint32_t left, uint32_t right) {
    const char *a = unit_of(parser, left), *b = unit_of(parser, right);
    const bool scales =
        kind == COR_OPERATOR_MULTIPLY || kind == COR_OPERATOR_DIVIDE || kind == COR_OPERATOR_CEIL_DIVIDE;
    if (!a || !b || scales || cor_same_unit(a, b))
        return true;
    char quoted[EXPRESSION__QUOTED_MAX + 4], what[3 * EXPRESSION__QUOTED_MAX], by[EXPRESSION__UNIT_MAX],
        remedy[2 * EXPRESSION__UNIT_MAX];
    expression__quote(word->at, word->length, quoted);
    snprintf(what, sizeof what, "\"%s\" has %.60s on its left and %.60s on its right", quoted, a, b);
    if (expression__join_units(a, b, true, by))
        snprintf(
            remedy, sizeof remedy,
            "bring both to one unit: declare both in [%.60s], or multiply the right by a number in [%.60s]",
            a, by);
    else
        snprintf(remedy, sizeof remedy, "bring both to one unit");
    return expression__complain(parser, word->at, remedy, what);
}

/* The unit of a product, or of a quotient: one that is new is a word that nothing else means. */
static bool put_joint_unit(struct expression__parser *parser, const char *at, enum cor_operator kind,
                           uint32_t left, uint32_t right, uint32_t node) {
    const char *a = unit_of(parser, left), *b = unit_of(parser, right);
    char text[EXPRESSION__UNIT_MAX];
    uint32_t word;
    if (!a && !b)
        return true;
    if (!b || (!a && kind == COR_OPERATOR_MULTIPLY)) {
        parser->collections->units[node] = a ? a : b;
        return true;
    }
    if (!expression__join_units(a, b, kind != COR_OPERATOR_MULTIPLY, text))
        return expression__complain(parser, at, "give some of it no unit", "its unit is too long");
    if (!text[0])
        return true;
    parser->status = cor_words_intern(parser->scope->words, text, &word, parser->error);
    if (parser->status == COR_OK)
        parser->collections->units[node] = cor_words_text(parser->scope->words, word);
    return parser->status == COR_OK;
}

/* The unit of what such an operator makes of both. */
static bool put_unit(struct expression__parser *parser, const char *at, enum cor_operator kind, uint32_t left,
                     uint32_t right, uint32_t node) {
    if (parser->collections &&
        (kind == COR_OPERATOR_MULTIPLY || kind == COR_OPERATOR_DIVIDE || kind == COR_OPERATOR_CEIL_DIVIDE))
        return put_joint_unit(parser, at, kind, left, right, node);
    if (parser->collections &&
        (kind == COR_OPERATOR_NEGATE || kind == COR_OPERATOR_ABS || kind == COR_OPERATOR_TO_REAL ||
         kind == COR_OPERATOR_ADD || kind == COR_OPERATOR_SUBTRACT || kind == COR_OPERATOR_MIN ||
         kind == COR_OPERATOR_MAX || kind == COR_OPERATOR_REMAINDER))
        parser->collections->units[node] =
            unit_of(parser, left) ? unit_of(parser, left) : unit_of(parser, right);
    return true;
}

/* The node as a real. */
static bool make_real(struct expression__parser *parser, const char *at, uint32_t *node) {
    if (type_of(parser, *node) == COR_NODE_REAL)
        return true;
    parser->integer_only = false;
    struct cor_node made = {.operator= COR_OPERATOR_TO_REAL, .left = *node, .right = *node, .reals = true};
    const uint32_t integer = *node;
    if (!expression__put(parser, at, made, COR_NODE_REAL, node))
        return false;
    return put_unit(parser, at, COR_OPERATOR_TO_REAL, integer, integer, *node);
}

bool expression__put_unary(struct expression__parser *parser, const struct expression__token *word,
                           enum cor_operator kind, uint32_t child, uint32_t *node) {
    if (kind == COR_OPERATOR_NOT ? !expression__expect_condition(parser, word, child)
                                 : !expect_number(parser, word, child))
        return false;
    enum cor_node_type type = type_of(parser, child);
    struct cor_node made = {.operator= kind, .left = child, .right = child, .reals = type == COR_NODE_REAL};
    if (!expression__put(parser, word->at, made, type, node))
        return false;
    return put_unit(parser, word->at, kind, child, child, *node);
}

bool expression__put_binary(struct expression__parser *parser, const struct expression__token *word,
                            enum cor_operator kind, bool swap, uint32_t left, uint32_t right,
                            uint32_t *node) {
    if (!expect_sides(parser, word, kind, left, right) || !expect_one_unit(parser, word, kind, left, right))
        return false;
    bool reals = type_of(parser, left) == COR_NODE_REAL || type_of(parser, right) == COR_NODE_REAL;
    if (reals && (!make_real(parser, word->at, &left) || !make_real(parser, word->at, &right)))
        return false;
    struct cor_node made = {
        .operator= kind, .left = swap ? right : left, .right = swap ? left : right, .reals = reals};
    enum cor_node_type type = kind >= COR_OPERATOR_LESS ? COR_NODE_TRUTH
                              : reals                   ? COR_NODE_REAL
                                                        : COR_NODE_INTEGER;
    /* z3 and the intervals know conditions that are compared as little as words. */
    bool joins = kind == COR_OPERATOR_AND || kind == COR_OPERATOR_OR;
    if (!joins && type_of(parser, left) == COR_NODE_TRUTH)
        parser->integer_only = false;
    if (!expression__put(parser, word->at, made, type, node))
        return false;
    return put_unit(parser, word->at, kind, left, right, *node);
}

/* What the whole gives instead of a value of the domain. */
static bool complain_result(struct expression__parser *parser, const struct cor_domain *domain,
                            uint32_t root) {
    const char *const wanted[] = {[COR_VALUE_TYPE_INTEGER] = parser->has_values ? "an integer" : "a number",
                                  [COR_VALUE_TYPE_REAL] = "a number",
                                  [COR_VALUE_TYPE_BOOLEAN] = "a condition",
                                  [COR_VALUE_TYPE_STRING] = "a word",
                                  [COR_VALUE_TYPE_ENUMERATION] = "one of "};
    enum cor_node_type type = type_of(parser, root);
    bool is_named_word = type == COR_NODE_WORD && named_domain(parser, root);
    bool real_is_meant = type == COR_NODE_REAL && domain->type == COR_VALUE_TYPE_INTEGER;
    char what[EXPRESSION__QUOTED_MAX * 4], found[EXPRESSION__QUOTED_MAX * 2];
    if (is_named_word)
        expression__describe(parser, root, found, sizeof found);
    else
        snprintf(found, sizeof found, "%s",
                 is_number(type) && !real_is_meant ? nouns[COR_NODE_INTEGER] : nouns[type]);
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
    if (own || type_of(parser, root) != COR_NODE_WORD)
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
    enum cor_node_type type = type_of(parser, *root);
    bool fits = false;
    switch (domain->type) {
    case COR_VALUE_TYPE_INTEGER:
        fits = type == COR_NODE_INTEGER;
        break;
    case COR_VALUE_TYPE_REAL:
        if (is_number(type))
            return make_real(parser, parser->text, root);
        break;
    case COR_VALUE_TYPE_BOOLEAN:
        fits = type == COR_NODE_TRUTH;
        break;
    case COR_VALUE_TYPE_STRING:
        fits = type == COR_NODE_WORD || type == COR_NODE_NULL;
        break;
    case COR_VALUE_TYPE_ENUMERATION:
        return expect_listed(parser, domain, *root);
    }
    return fits || complain_result(parser, domain, *root);
}
