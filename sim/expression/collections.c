/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The part of the grammar that a shape brings: paths, collections, queries and definitions. A query is a node
 * BIND, what it asks of each element, and a node that says what becomes of it. */
#include "parser.h"

#include <stdio.h>
#include <string.h>

/* Queries by their words; min and max are functions, too. */
static const struct query {
    const char *word;
    enum cor_operator kind;
    bool is_of_numbers;
} queries[] = {
    {"all", COR_OPERATOR_ALL, false},     {"any", COR_OPERATOR_ANY, false},
    {"one", COR_OPERATOR_ONE, false},     {"count", COR_OPERATOR_COUNT, false},
    {"sum", COR_OPERATOR_SUM, true},      {"min", COR_OPERATOR_LEAST, true},
    {"max", COR_OPERATOR_GREATEST, true}, {"mean", COR_OPERATOR_MEAN, true},
};
#define QUERY_COUNT (sizeof queries / sizeof *queries)

/* Part of a text. */
struct part {
    const char *at;
    size_t length;
};

/* Where a path leads: to a node, or to a collection. */
struct target {
    bool is_collection;
    uint32_t node;     /* the value; of a collection: whose it is */
    uint32_t relation; /* of a collection: which of that element's, COR_NONE: all of the type */
    uint8_t element;   /* of a collection: the type of what is in it */
};

void expression__note_span(const struct expression__parser *parser, uint32_t node, const char *from) {
    if (!parser->collections || parser->collections->spans[node].at)
        return;
    parser->collections->spans[node] = (struct cor_span){from, (uint32_t)(parser->consumed - from)};
}

static const struct cor_element_type *type_of(const struct expression__parser *parser, uint32_t node) {
    return &parser->scope->shape->types[parser->nodes[node].element];
}

static bool is_called(struct part part, const char *name) {
    return part.length > 0 && strlen(name) == part.length && memcmp(name, part.at, part.length) == 0;
}

static bool is_reserved(struct part part) {
    static const char *const words[] = {"and",  "or",    "not",  "implies", "in",  "where",
                                        "true", "false", "True", "False",   "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_called(part, words[i]))
            return true;
    return false;
}

bool cor_expression_is_reserved(const char *name) {
    return is_reserved((struct part){name, strlen(name)});
}

/* Takes the first part of a path off it. */
static struct part next_part(struct part *path) {
    const char *point = memchr(path->at, '.', path->length);
    struct part first = {path->at, point ? (size_t)(point - path->at) : path->length};
    path->at += first.length + (point ? 1 : 0);
    path->length -= first.length + (point ? 1 : 0);
    return first;
}

/* The word as a path; *first gets its first part, without brackets. */
static struct part path_of(const struct expression__token *word, struct part *first) {
    struct part path = {word->at, word->length};
    if (!word->bracketed) {
        *first = next_part(&path);
        return path;
    }
    const char *end = memchr(path.at, ']', path.length);
    *first = (struct part){path.at + 1, (size_t)(end - path.at) - 1};
    path.length -= first->length + 2;
    path.at = end + 1;
    if (path.length > 0)
        next_part(&path); /* what is before the point: nothing */
    return path;
}

/* Names that could have been meant. */
struct offer {
    const char *names[257];
    uint32_t count;
};

static void add_offer(struct offer *offer, const char *name) {
    if (*name && offer->count < 256)
        offer->names[offer->count++] = name;
}

/* "there is no ..", with the names that there are. */
static bool complain_nothing_called(struct expression__parser *parser, struct part part, const char *of,
                                    struct offer *offer) {
    char quoted[EXPRESSION__QUOTED_MAX + 4], what[3 * EXPRESSION__QUOTED_MAX], remedy[1024] = "";
    expression__quote(part.at, part.length, quoted);
    snprintf(what, sizeof what, "there is no \"%s\"%s", quoted, of);
    if (offer->count > 0)
        cor_known_names(quoted, offer->names, remedy, sizeof remedy);
    return expression__complain(parser, part.at, remedy, what);
}

static bool complain_no_member(struct expression__parser *parser, struct part part, uint32_t node) {
    const struct cor_element_type *type = type_of(parser, node);
    struct offer offer = {{NULL}, 0};
    char of[2 * EXPRESSION__QUOTED_MAX], described[EXPRESSION__QUOTED_MAX];
    for (uint32_t i = 0; i < type->attribute_count; i++)
        add_offer(&offer, type->attributes[i].name);
    for (uint32_t i = 0; i < type->collection_count; i++)
        add_offer(&offer, type->collections[i].name);
    for (uint32_t i = 0; i < type->reference_count; i++)
        add_offer(&offer, type->references[i].name);
    expression__describe(parser, node, described, sizeof described);
    snprintf(of, sizeof of, " of %s", described);
    return complain_nothing_called(parser, part, of, &offer);
}

static bool put_attribute(struct expression__parser *parser, struct part part, uint32_t attribute,
                          enum cor_operator kind, uint32_t *node) {
    static const enum cor_node_type types[] = {[COR_VALUE_TYPE_INTEGER] = COR_NODE_INTEGER,
                                               [COR_VALUE_TYPE_REAL] = COR_NODE_REAL,
                                               [COR_VALUE_TYPE_BOOLEAN] = COR_NODE_TRUTH,
                                               [COR_VALUE_TYPE_STRING] = COR_NODE_WORD,
                                               [COR_VALUE_TYPE_ENUMERATION] = COR_NODE_WORD};
    const struct cor_attribute *meant = &type_of(parser, *node)->attributes[attribute];
    const enum cor_node_type type = types[meant->domain->type];
    struct cor_node made = {.operator= kind,
                            .left = *node,
                            .right = *node,
                            .variable = attribute,
                            .reals = type == COR_NODE_REAL,
                            .element = parser->nodes[*node].element};
    if (!expression__put(parser, part.at, made, type, node))
        return false;
    parser->collections->units[*node] = meant->unit;
    return true;
}

/* A node is written from there to the end of the part. */
static bool note_path(const struct expression__parser *parser, uint32_t node, const char *from,
                      struct part part) {
    parser->collections->spans[node] = (struct cor_span){from, (uint32_t)(part.at + part.length - from)};
    return true;
}

/* Takes what is asked for before off the part. */
static bool take_before(struct part *part) {
    const size_t length = strlen(EXPRESSION__BEFORE);
    const bool is_before =
        part->length > length && memcmp(part->at + part->length - length, EXPRESSION__BEFORE, length) == 0;
    part->length -= is_before ? length : 0;
    return is_before;
}

/* One step of a path from an element; *done: it led to a collection, which has nothing behind it. */
static bool follow(struct expression__parser *parser, const char *from, struct part whole,
                   struct target *target) {
    const struct cor_element_type *type = type_of(parser, target->node);
    struct part part = whole;
    const bool is_before = take_before(&part);
    for (uint32_t i = 0; i < type->attribute_count; i++)
        if (is_called(part, type->attributes[i].name))
            return put_attribute(parser, part, i, is_before ? COR_OPERATOR_BEFORE : COR_OPERATOR_ATTRIBUTE,
                                 &target->node) &&
                   note_path(parser, target->node, from, whole);
    for (uint32_t i = 0; is_before && i < type->collection_count + type->reference_count; i++)
        if (is_called(part, i < type->collection_count ? type->collections[i].name
                                                       : type->references[i - type->collection_count].name))
            return expression__complain(parser, part.at + part.length,
                                        "ask for an attribute: name.attribute@before",
                                        "only attributes are known of the state before");
    for (uint32_t i = 0; i < type->collection_count; i++)
        if (is_called(part, type->collections[i].name)) {
            target->is_collection = true;
            target->relation = i;
            target->element = type->collections[i].type;
            return true;
        }
    for (uint32_t i = 0; i < type->reference_count; i++)
        if (is_called(part, type->references[i].name))
            return expression__put(parser, part.at,
                                   (struct cor_node){.operator= COR_OPERATOR_REFERENCE,
                                                     .left = target->node,
                                                     .right = target->node,
                                                     .variable = i,
                                                     .element = type->references[i].type},
                                   COR_NODE_ELEMENT, &target->node) &&
                   note_path(parser, target->node, from, part);
    return complain_no_member(parser, part, target->node);
}

/* What is bound to a name here, COR_NONE if nothing is. */
static uint32_t find_bound(const struct expression__parser *parser, struct part part) {
    const struct expression__collections *collections = parser->collections;
    for (uint32_t i = collections->bound_count; i > collections->bound_first; i--) {
        const struct expression__bound *bound = &collections->bound[i - 1];
        if (bound->length == part.length && memcmp(bound->name, part.at, part.length) == 0)
            return bound->node;
    }
    return COR_NONE;
}

/* The element of the shape that is called so, NULL if none is. */
static const struct cor_named_element *find_named(const struct cor_shape *shape, struct part part) {
    uint32_t low = 0, high = shape->named_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const char *name = shape->named[middle].name;
        const int order = strncmp(name, part.at, part.length);
        if (order == 0 && name[part.length] == '\0')
            return &shape->named[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Whether a symbol or a definition is called so: these come before elements of that name. */
static bool is_word_of_scope(const struct expression__parser *parser, struct part part) {
    for (uint32_t i = 0; i < parser->scope->symbol_count; i++)
        if (is_called(part, parser->scope->symbols[i].name))
            return true;
    for (uint32_t i = 0; i < parser->scope->shape->definition_count; i++)
        if (is_called(part, parser->scope->shape->definitions[i].name))
            return true;
    return false;
}

/* The element that a word names, behind which a path may stand; NULL if it names none. */
static const struct cor_named_element *find_element(const struct expression__parser *parser,
                                                    const struct expression__token *word, struct part first,
                                                    bool is_path) {
    const bool is_plain = !word->bracketed && !is_path;
    if (is_plain && (parser->token.kind == EXPRESSION__TOKEN_OPEN || is_word_of_scope(parser, first)))
        return NULL;
    return find_named(parser->scope->shape, first);
}

/* The path that the word is, if it begins with something bound or named or is a collection; *found says so.
 * What is called as a collection is one where that is wanted. */
static bool parse_path(struct expression__parser *parser, const struct expression__token *word,
                       bool wants_collection, bool *found, struct target *target) {
    const struct cor_shape *shape = parser->scope->shape;
    struct part first, path = path_of(word, &first), before = first;
    *target = (struct target){.node = word->bracketed ? COR_NONE : find_bound(parser, first)};
    *found = target->node != COR_NONE;
    const struct cor_named_element *named =
        *found ? NULL : find_element(parser, word, first, path.length > 0);
    for (uint8_t i = 0; i < shape->type_count && !*found && path.length == 0 && !word->bracketed; i++)
        if ((wants_collection || !named) && is_called(first, shape->types[i].plural)) {
            *target = (struct target){.is_collection = true, .relation = COR_NONE, .element = i};
            *found = true;
        }
    if (named && !*found) {
        const struct cor_node element = {
            .operator= COR_OPERATOR_CONSTANT, .constant = named->element, .element = named->type};
        if (!expression__put(parser, word->at, element, COR_NODE_ELEMENT, &target->node))
            return false;
        *found = true;
    }
    while (*found && path.length > 0) {
        const struct part part = next_part(&path);
        char quoted[EXPRESSION__QUOTED_MAX + 4], what[4 * EXPRESSION__QUOTED_MAX],
            described[EXPRESSION__QUOTED_MAX];
        if (target->is_collection || parser->nodes[target->node].type != COR_NODE_ELEMENT) {
            expression__quote(word->at, (size_t)(before.at + before.length - word->at), quoted);
            if (!target->is_collection)
                expression__describe(parser, target->node, described, sizeof described);
            snprintf(what, sizeof what, "\"%s\" is %s, which has no \".%.*s\"", quoted,
                     target->is_collection ? "a collection" : described,
                     (int)(part.length < 60 ? part.length : 60), part.at);
            return expression__complain(
                parser, part.at,
                target->is_collection ? "ask of each in it: all(x in NAME: x.attribute ..)" : NULL, what);
        }
        if (!follow(parser, word->at, part, target))
            return false;
        before = part;
    }
    return true;
}

/* The names of elements, or, where they are too many, those that are near. */
static void add_named(const struct cor_shape *shape, struct part part, struct offer *offer) {
    const bool is_room = shape->named_count < 256 - offer->count;
    char quoted[EXPRESSION__QUOTED_MAX + 4];
    expression__quote(part.at, part.length, quoted);
    for (uint32_t i = 0; i < shape->named_count; i++) {
        const char *const name[] = {shape->named[i].name, NULL};
        if (is_room || cor_did_you_mean(quoted, name))
            add_offer(offer, name[0]);
    }
}

/* Whether what is bound to the node has an attribute, or a collection, of that name. */
static bool has_member(const struct expression__parser *parser, uint32_t node, struct part part,
                       bool is_collection) {
    if (node == COR_NONE || parser->nodes[node].type != COR_NODE_ELEMENT)
        return false;
    const struct cor_element_type *type = type_of(parser, node);
    for (uint32_t i = 0; i < type->attribute_count && !is_collection; i++)
        if (is_called(part, type->attributes[i].name))
            return true;
    for (uint32_t i = 0; i < type->collection_count; i++)
        if (is_called(part, type->collections[i].name))
            return true;
    return false;
}

/* All that a single name could have meant: "members" alone is, before all else, "o.members". */
static bool complain_unknown(struct expression__parser *parser, struct part part, bool is_collection) {
    const struct expression__collections *collections = parser->collections;
    const struct cor_scope *scope = parser->scope;
    struct offer offer = {{NULL}, 0};
    char names[EXPRESSION__BOUND_MAX][64], members[EXPRESSION__BOUND_MAX][128];
    for (uint32_t i = collections->bound_first; i < collections->bound_count; i++)
        if (has_member(parser, collections->bound[i].node, part, is_collection)) {
            snprintf(members[i], sizeof members[i], "%.*s.%.*s", (int)collections->bound[i].length,
                     collections->bound[i].name, (int)part.length, part.at);
            add_offer(&offer, members[i]);
        }
    for (uint32_t i = collections->bound_first; i < collections->bound_count; i++) {
        snprintf(names[i], sizeof names[i], "%.*s", (int)collections->bound[i].length,
                 collections->bound[i].name);
        if (!is_collection)
            add_offer(&offer, names[i]);
    }
    for (uint32_t i = 0; i < scope->symbol_count && !is_collection; i++)
        add_offer(&offer, scope->symbols[i].name);
    for (uint32_t i = 0; i < collections->definition_count && !is_collection; i++)
        add_offer(&offer, scope->shape->definitions[i].name);
    for (uint32_t i = 0; i < scope->shape->type_count; i++)
        add_offer(&offer, scope->shape->types[i].plural);
    add_named(scope->shape, part, &offer);
    return complain_nothing_called(parser, part, is_collection ? " to look through" : "", &offer);
}

/* A collection; the present token is its name. */
static bool parse_collection(struct expression__parser *parser, struct target *target) {
    const struct expression__token word = parser->token;
    bool found;
    if (word.kind != EXPRESSION__TOKEN_NAME || (word.bracketed && parser->scope->shape->named_count == 0))
        return expression__complain_expected(parser, "a collection");
    if (!expression__advance(parser) || !parse_path(parser, &word, true, &found, target))
        return false;
    if (!found) {
        struct part first;
        path_of(&word, &first);
        return complain_unknown(parser, first, true);
    }
    if (target->is_collection)
        return true;
    char quoted[EXPRESSION__QUOTED_MAX + 4], described[EXPRESSION__QUOTED_MAX],
        what[3 * EXPRESSION__QUOTED_MAX], remedy[EXPRESSION__QUOTED_MAX] = "";
    expression__quote(word.at, word.length, quoted);
    expression__describe(parser, target->node, described, sizeof described);
    snprintf(what, sizeof what, "\"%s\" is no collection, but %s", quoted, described);
    if (parser->nodes[target->node].type == COR_NODE_ELEMENT &&
        type_of(parser, target->node)->collection_count > 0)
        snprintf(remedy, sizeof remedy, "write %.60s.%.60s", quoted,
                 type_of(parser, target->node)->collections[0].name);
    return expression__complain(parser, word.at, remedy, what);
}

/* A node that works on a collection. */
static struct cor_node node_of(enum cor_operator kind, const struct target *target) {
    const uint32_t owner = target->relation == COR_NONE ? 0 : target->node;
    return (struct cor_node){.operator= kind,
                             .left = owner,
                             .right = owner,
                             .variable = target->relation,
                             .element = target->element};
}

bool expression__parse_in(struct expression__parser *parser, const struct expression__token *word,
                          uint32_t element, uint32_t *node) {
    struct target target;
    if (!parse_collection(parser, &target))
        return false;
    const struct cor_element_type *types = parser->scope->shape->types;
    if (parser->nodes[element].type != COR_NODE_ELEMENT || parser->nodes[element].element != target.element) {
        char described[EXPRESSION__QUOTED_MAX * 2], what[EXPRESSION__QUOTED_MAX * 3];
        expression__describe(parser, element, described, sizeof described);
        snprintf(what, sizeof what, "%s is looked for among %.60s", described, types[target.element].plural);
        return expression__complain(parser, word->at, NULL, what);
    }
    struct cor_node made = node_of(COR_OPERATOR_IN, &target);
    made.right = element;
    if (target.relation == COR_NONE)
        made.left = element;
    return expression__put(parser, word->at, made, COR_NODE_TRUTH, node);
}

/* Binds a name; what is called so already is not hidden. */
static bool bind(struct expression__parser *parser, struct part name, uint32_t node) {
    struct expression__collections *collections = parser->collections;
    char quoted[EXPRESSION__QUOTED_MAX + 4], what[2 * EXPRESSION__QUOTED_MAX];
    expression__quote(name.at, name.length, quoted);
    bool is_taken =
        find_bound(parser, name) != COR_NONE || is_reserved(name) || find_named(parser->scope->shape, name);
    for (uint32_t i = 0; i < parser->scope->symbol_count; i++)
        is_taken |= is_called(name, parser->scope->symbols[i].name);
    for (uint32_t i = 0; i < parser->scope->shape->type_count; i++)
        is_taken |= is_called(name, parser->scope->shape->types[i].plural);
    if (is_taken || memchr(name.at, '.', name.length) || memchr(name.at, '@', name.length)) {
        snprintf(what, sizeof what,
                 is_reserved(name) ? "\"%s\" is a word of the language"
                 : is_taken        ? "\"%s\" is something else already"
                                   : "\"%s\" cannot be a name here",
                 quoted);
        return expression__complain(parser, name.at, is_taken ? "choose another name" : "write one word",
                                    what);
    }
    if (collections->bound_count == EXPRESSION__BOUND_MAX)
        return expression__too_deep(parser, name.at);
    collections->bound[collections->bound_count++] = (struct expression__bound){name.at, name.length, node};
    return true;
}

/* The condition behind "where" (no query) or the body is what is asked for. */
static bool expect_body(struct expression__parser *parser, const struct expression__token *word,
                        const struct query *query, uint32_t node) {
    const uint8_t type = parser->nodes[node].type;
    const bool is_number = type == COR_NODE_INTEGER || type == COR_NODE_REAL,
               wants_number = query && query->is_of_numbers;
    if (wants_number ? is_number : type == COR_NODE_TRUTH)
        return true;
    char quoted[EXPRESSION__QUOTED_MAX + 4], described[EXPRESSION__QUOTED_MAX],
        what[3 * EXPRESSION__QUOTED_MAX];
    expression__quote(word->at, word->length, quoted);
    if (type == COR_NODE_TRUTH)
        snprintf(described, sizeof described, "a condition");
    else
        expression__describe(parser, node, described, sizeof described);
    snprintf(what, sizeof what, "\"%s\" asks for %s of each, and this is %s", quoted,
             wants_number ? "a number" : "a condition", described);
    const char *remedy = wants_number               ? NULL
                         : is_number                ? "compare the number with another"
                         : type == COR_NODE_ELEMENT ? "ask for something that it has: name.attribute"
                                                    : NULL;
    if (wants_number && type == COR_NODE_TRUTH)
        remedy = "count those of which it holds: count(x in COLLECTION where ..)";
    return expression__complain(parser, parser->collections->spans[node].at, remedy, what);
}

/* What is asked of each element: the condition behind "where", and the body. */
static bool parse_asked(struct expression__parser *parser, const struct expression__token *word,
                        const struct query *query, uint32_t *filter, uint32_t *body) {
    if (parser->token.kind == EXPRESSION__TOKEN_NAME && expression__is_word(&parser->token, "where")) {
        const struct expression__token where = parser->token;
        if (!expression__advance(parser) || !expression__parse_level(parser, EXPRESSION__POWER_ANY, filter) ||
            !expect_body(parser, &where, NULL, *filter))
            return false;
    }
    if (query->kind == COR_OPERATOR_COUNT) {
        if (parser->token.kind != EXPRESSION__TOKEN_COLON)
            return true;
        return expression__complain(parser, parser->token.at, "write count(x in COLLECTION where ..)",
                                    "\"count\" has no body, only a condition");
    }
    if (parser->token.kind != EXPRESSION__TOKEN_COLON)
        return expression__complain_expected(parser, "\"where\" or \":\"");
    return expression__advance(parser) && expression__parse_level(parser, EXPRESSION__POWER_ANY, body) &&
           expect_body(parser, word, query, *body);
}

/* "NAME in COLLECTION .. )", the present token being the name. */
static bool parse_query(struct expression__parser *parser, const struct expression__token *word,
                        const struct query *query, uint32_t *node) {
    struct expression__collections *collections = parser->collections;
    const struct part name = {parser->token.at, parser->token.length};
    struct target target;
    uint32_t start, filter, body;
    if (collections->nested == COR_QUERIES_NESTED_MAX)
        return expression__complain(parser, word->at, "ask it in two constraints",
                                    "queries stand within one another more than 4 deep");
    if (!expression__advance(parser) || !expression__advance(parser) || !parse_collection(parser, &target) ||
        !expression__put(parser, word->at, node_of(COR_OPERATOR_BIND, &target), COR_NODE_ELEMENT, &start) ||
        !bind(parser, name, start))
        return false;
    collections->spans[start] = (struct cor_span){name.at, (uint32_t)name.length};
    filter = body = start;
    collections->nested++;
    if (!parse_asked(parser, word, query, &filter, &body) || !expression__parse_close(parser))
        return false;
    collections->nested--;
    collections->bound_count--;
    const enum cor_node_type body_type = (enum cor_node_type)parser->nodes[body].type;
    const enum cor_node_type type = query->kind == COR_OPERATOR_COUNT  ? COR_NODE_INTEGER
                                    : !query->is_of_numbers            ? COR_NODE_TRUTH
                                    : query->kind == COR_OPERATOR_MEAN ? COR_NODE_REAL
                                                                       : body_type;
    const struct cor_node made = {.operator= query->kind,
                                  .left = filter,
                                  .right = body,
                                  .variable = start,
                                  .reals = query->is_of_numbers && body_type == COR_NODE_REAL};
    if (!expression__put(parser, word->at, made, type, node))
        return false;
    parser->nodes[start].constant = *node;
    if (query->is_of_numbers)
        collections->units[*node] = collections->units[body];
    return true;
}

/* "COLLECTION )" of a count. */
static bool parse_size(struct expression__parser *parser, const struct expression__token *word,
                       uint32_t *node) {
    struct target target;
    return parse_collection(parser, &target) && expression__parse_close(parser) &&
           expression__put(parser, word->at, node_of(COR_OPERATOR_SIZE, &target), COR_NODE_INTEGER, node);
}

/* A query whose word was read, and the present token is the bracket; min and max are left where they are
 * functions. */
static bool parse_queried(struct expression__parser *parser, const struct expression__token *word, bool *done,
                          uint32_t *node) {
    size_t q = 0;
    while (q < QUERY_COUNT && !expression__is_word(word, queries[q].word))
        q++;
    if (q == QUERY_COUNT)
        return true;
    const bool is_either = queries[q].kind == COR_OPERATOR_LEAST || queries[q].kind == COR_OPERATOR_GREATEST;
    const struct expression__token bracket = parser->token;
    if (!expression__advance(parser))
        return false;
    const struct expression__token name = parser->token;
    if (name.kind == EXPRESSION__TOKEN_NAME && !expression__advance(parser))
        return false;
    const bool is_query = name.kind == EXPRESSION__TOKEN_NAME &&
                          parser->token.kind == EXPRESSION__TOKEN_INFIX &&
                          parser->token.infix->kind == COR_OPERATOR_IN;
    *done = is_query || !is_either;
    parser->token = *done ? name : bracket;
    if (is_query)
        return parse_query(parser, word, &queries[q], node);
    if (queries[q].kind == COR_OPERATOR_COUNT)
        return parse_size(parser, word, node);
    return is_either || expression__complain_expected(parser, "NAME in COLLECTION");
}

/* The arguments of a definition, which are bound in its text alone; the present token is the bracket. */
static bool parse_arguments(struct expression__parser *parser, const struct expression__token *word,
                            const struct cor_definition *definition, uint32_t nodes[EXPRESSION__BOUND_MAX]) {
    uint32_t count = 0;
    if (parser->token.kind == EXPRESSION__TOKEN_OPEN && definition->parameter_count > 0) {
        do {
            uint32_t argument;
            if (!expression__advance(parser) ||
                !expression__parse_level(parser, EXPRESSION__POWER_ANY, &argument))
                return false;
            if (count < EXPRESSION__BOUND_MAX)
                nodes[count] = argument;
            count++;
        } while (parser->token.kind == EXPRESSION__TOKEN_COMMA);
        if (count == definition->parameter_count)
            return expression__parse_close(parser);
    }
    if (count == definition->parameter_count)
        return true;
    char what[2 * EXPRESSION__QUOTED_MAX];
    snprintf(what, sizeof what, "\"%.60s\" takes %u argument%s, and here %s %u", definition->name,
             definition->parameter_count, definition->parameter_count == 1 ? "" : "s",
             count == 1 ? "is" : "are", count);
    return expression__complain(parser, word->at, NULL, what);
}

/* Puts a definition in; nothing of where it is used can be seen in it but the arguments. */
static bool expand(struct expression__parser *parser, const struct expression__token *word, uint32_t index,
                   uint32_t *node) {
    struct expression__collections *collections = parser->collections;
    const struct cor_definition *definition = &parser->scope->shape->definitions[index];
    uint32_t nodes[EXPRESSION__BOUND_MAX];
    if (++collections->expansions > EXPRESSION__EXPANSIONS_MAX)
        return expression__complain(parser, word->at, "use definitions less within one another",
                                    "definitions are put in more than 10000 times");
    if (!parse_arguments(parser, word, definition, nodes))
        return false;
    const struct expression__token behind = parser->token;
    const char *const consumed = parser->consumed;
    const uint32_t first = collections->bound_first, count = collections->bound_count,
                   definition_count = collections->definition_count, made_before = parser->node_count;
    const bool is_outermost = !collections->expanded;
    if (is_outermost) {
        collections->expanded = definition;
        collections->expanded_at = word->at;
    }
    collections->bound_first = collections->bound_count;
    collections->definition_count = index;
    for (uint32_t p = 0; p < definition->parameter_count; p++) {
        if (collections->bound_count == EXPRESSION__BOUND_MAX)
            return expression__too_deep(parser, word->at);
        collections->bound[collections->bound_count++] = (struct expression__bound){
            definition->parameters[p], strlen(definition->parameters[p]), nodes[p]};
    }
    parser->token = (struct expression__token){.at = definition->text};
    if (!expression__advance(parser) || !expression__parse_level(parser, EXPRESSION__POWER_ANY, node))
        return false;
    if (parser->token.kind != EXPRESSION__TOKEN_END)
        return expression__complain_expected(parser, "an operator or the end");
    collections->bound_first = first;
    collections->bound_count = count;
    collections->definition_count = definition_count;
    if (is_outermost)
        collections->expanded = NULL;
    parser->token = behind;
    parser->consumed = consumed;
    if (*node >= made_before) /* it is known by the words of who uses it */
        collections->spans[*node] = (struct cor_span){word->at, (uint32_t)(consumed - word->at)};
    return true;
}

/* A definition that stands further down, or is being put in, cannot be used. */
static bool expect_above(struct expression__parser *parser, struct part part) {
    const struct cor_shape *shape = parser->scope->shape;
    for (uint32_t i = parser->collections->definition_count; i < shape->definition_count; i++)
        if (is_called(part, shape->definitions[i].name)) {
            char what[EXPRESSION__QUOTED_MAX];
            snprintf(what, sizeof what, "the definition \"%.60s\" is not known here",
                     shape->definitions[i].name);
            return expression__complain(parser, part.at, "a definition uses those above it, and never itself",
                                        what);
        }
    return true;
}

static const char *const functions[] = {"abs", "min", "max", "ceil_div"};

static bool is_function(struct part part) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (is_called(part, functions[i]))
            return true;
    return false;
}

static bool complain_no_function(struct expression__parser *parser, struct part part) {
    struct offer offer = {{NULL}, 0};
    for (size_t i = 0; i < QUERY_COUNT; i++)
        add_offer(&offer, queries[i].word);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (i == 0 || i == 3) /* the others are queries, too */
            add_offer(&offer, functions[i]);
    for (uint32_t i = 0; i < parser->collections->definition_count; i++)
        add_offer(&offer, parser->scope->shape->definitions[i].name);
    return complain_nothing_called(parser, part, " to call", &offer);
}

bool expression__parse_of_shape(struct expression__parser *parser, const struct expression__token *word,
                                bool *done, uint32_t *node) {
    const struct cor_shape *shape = parser->scope->shape;
    const struct part whole = {word->at, word->length};
    struct part first, path = path_of(word, &first);
    struct target target;
    *done = false;
    if (!parse_path(parser, word, false, done, &target))
        return false;
    if (*done && !target.is_collection) {
        *node = target.node;
        return true;
    }
    if (*done) {
        char quoted[EXPRESSION__QUOTED_MAX + 4], what[2 * EXPRESSION__QUOTED_MAX];
        expression__quote(word->at, word->length, quoted);
        snprintf(what, sizeof what, "\"%s\" is a collection, not a value", quoted);
        return expression__complain(parser, word->at,
                                    "count it, or ask of each: count(NAME), all(x in NAME: ..)", what);
    }
    if (word->bracketed) { /* a symbol, or nothing */
        for (uint32_t i = 0; i < parser->scope->symbol_count && path.length == 0; i++)
            if (is_called(first, parser->scope->symbols[i].name))
                return true;
        return complain_unknown(parser, first, false);
    }
    for (uint32_t i = 0; i < parser->collections->definition_count; i++)
        if (is_called(whole, shape->definitions[i].name)) {
            *done = true;
            return expand(parser, word, i, node);
        }
    if (parser->token.kind == EXPRESSION__TOKEN_OPEN) {
        if (!parse_queried(parser, word, done, node))
            return false;
        return *done || is_function(whole) ||
               (expect_above(parser, whole) && complain_no_function(parser, whole));
    }
    for (uint32_t i = 0; i < parser->scope->symbol_count; i++)
        if (is_called(whole, parser->scope->symbols[i].name))
            return true;
    return expect_above(parser, whole) && complain_unknown(parser, first, false);
}
