/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas of attributes, made into steps over columns. */
#include "model_formula.h"

#include <corridor/array.h>
#include <corridor/terms.h>
#include <corridor/world.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names_of_types[] = {"real", "integer", "boolean", "words"};

/* What a formula may name: the value, then the attributes; and what there is to know of them. */
struct names {
    struct cor_symbol symbols[1 + COR_ATTRIBUTES_MAX];
    struct cor_domain domains[1 + COR_ATTRIBUTES_MAX];
    uint32_t *words[1 + COR_ATTRIBUTES_MAX]; /* owned, each; numbers in `all` */
    struct cor_words all;
    const char *units[1 + COR_ATTRIBUTES_MAX];
    struct cor_shape shape; /* no collections, but units */
    struct cor_scope scope;
};

static enum cor_status make_names(const struct cor_agent_attribute *attributes, uint32_t count,
                                  struct names *names, struct cor_error *error) {
    static const struct cor_domain real = {.type = COR_VALUE_TYPE_REAL, .name = "real"};
    *names = (struct names){.symbols = {{"value", &real}}};
    cor_words_init(&names->all);
    for (uint32_t a = 0; a < count; a++) {
        static const enum cor_value_type types[] = {[COR_ATTRIBUTE_REAL] = COR_VALUE_TYPE_REAL,
                                                    [COR_ATTRIBUTE_INTEGER] = COR_VALUE_TYPE_INTEGER,
                                                    [COR_ATTRIBUTE_BOOLEAN] = COR_VALUE_TYPE_BOOLEAN,
                                                    [COR_ATTRIBUTE_WORDS] = COR_VALUE_TYPE_ENUMERATION};
        const struct cor_agent_attribute *attribute = &attributes[a];
        struct cor_domain *domain = &names->domains[1 + a];
        *domain = (struct cor_domain){.type = types[attribute->type],
                                      .name = names_of_types[attribute->type],
                                      .word_count = attribute->word_count};
        names->symbols[1 + a] = (struct cor_symbol){attribute->name, domain};
        names->words[1 + a] = cor_calloc(attribute->word_count, sizeof **names->words);
        COR_TRY(cor_made(names->words[1 + a], error));
        domain->words = names->words[1 + a];
        names->units[1 + a] = attribute->unit[0] ? attribute->unit : NULL;
        for (uint32_t w = 0; w < attribute->word_count; w++)
            COR_TRY(cor_words_intern(&names->all, attribute->words[w], &names->words[1 + a][w], error));
    }
    names->shape = (struct cor_shape){.units = names->units};
    names->scope = (struct cor_scope){
        .symbols = names->symbols, .symbol_count = 1 + count, .words = &names->all, .shape = &names->shape};
    return COR_OK;
}

/* The attribute of words that a node is, COR_NOBODY if it is none. */
static uint32_t words_of(const struct cor_agent_attribute *attributes, const struct cor_node *node) {
    if (node->operator!= COR_OPERATOR_VARIABLE || node->variable == 0)
        return COR_NOBODY;
    return attributes[node->variable - 1].type == COR_ATTRIBUTE_WORDS ? node->variable - 1 : COR_NOBODY;
}

static enum cor_formula_operator formula_operator(const struct cor_node *node) {
    switch (node->operator) {
    case COR_OPERATOR_NEGATE:
        return COR_FORMULA_NEGATE;
    case COR_OPERATOR_ADD:
        return COR_FORMULA_ADD;
    case COR_OPERATOR_SUBTRACT:
        return COR_FORMULA_SUBTRACT;
    case COR_OPERATOR_MULTIPLY:
        return COR_FORMULA_MULTIPLY;
    case COR_OPERATOR_DIVIDE:
        return node->reals ? COR_FORMULA_DIVIDE : COR_FORMULA_FLOOR_DIVIDE;
    case COR_OPERATOR_REMAINDER:
        return COR_FORMULA_REMAINDER;
    case COR_OPERATOR_CEIL_DIVIDE:
        return COR_FORMULA_CEIL_DIVIDE;
    case COR_OPERATOR_MIN:
        return COR_FORMULA_MIN;
    case COR_OPERATOR_MAX:
        return COR_FORMULA_MAX;
    case COR_OPERATOR_ABS:
        return COR_FORMULA_ABS;
    case COR_OPERATOR_LESS:
        return COR_FORMULA_LESS;
    case COR_OPERATOR_LESS_EQUAL:
        return COR_FORMULA_LESS_EQUAL;
    case COR_OPERATOR_EQUAL:
        return COR_FORMULA_EQUAL;
    case COR_OPERATOR_NOT_EQUAL:
        return COR_FORMULA_NOT_EQUAL;
    case COR_OPERATOR_AND:
        return COR_FORMULA_AND;
    case COR_OPERATOR_OR:
        return COR_FORMULA_OR;
    case COR_OPERATOR_NOT:
        return COR_FORMULA_NOT;
    default:
        COR_ASSERT(false && "an operator outside collections");
    }
}

static enum cor_status make_steps(const struct cor_expression *expression, const double *codes,
                                  struct cor_formula *formula, struct cor_error *error) {
    uint16_t step_of[COR_EXPRESSION_NODES_MAX]; /* [node] */
    formula->text = cor_strdup(expression->text);
    formula->steps = cor_calloc(expression->node_count, sizeof *formula->steps);
    if (!formula->text || !formula->steps)
        return cor_fail_memory(error);
    for (uint32_t n = 0; n < expression->node_count; n++) {
        const struct cor_node *node = &expression->nodes[n];
        struct cor_formula_step step = {.is_integer = !node->reals};
        if (node->operator== COR_OPERATOR_TO_REAL) { /* a column holds both alike */
            step_of[n] = step_of[node->left];
            continue;
        }
        if (node->operator== COR_OPERATOR_CONSTANT) {
            step.operator= COR_FORMULA_CONSTANT;
            step.constant = !isnan(codes[n]) ? codes[n] : node->reals ? node->real : (double)node->constant;
        } else if (node->operator== COR_OPERATOR_VARIABLE) {
            step.operator= COR_FORMULA_COLUMN;
            step.left = (uint16_t)node->variable;
        } else {
            step.operator=(uint16_t) formula_operator(node);
            step.left = step_of[node->left];
            step.right =
                node->operator== COR_OPERATOR_NEGATE || node->operator== COR_OPERATOR_NOT || node->operator==
                    COR_OPERATOR_ABS
                    ? step.left
                    : step_of[node->right];
        }
        step_of[n] = (uint16_t)formula->step_count;
        formula->steps[formula->step_count++] = step;
    }
    return COR_OK;
}

static enum cor_status translate(const struct cor_json *json, const struct cor_expression *expression,
                                 const struct cor_agent_attribute *attributes, uint32_t count, uint32_t index,
                                 bool adds, const struct names *names, struct cor_formula *formula,
                                 struct cor_error *error) {
    for (uint32_t a = index + adds; a < count; a++)
        if (cor_expression_reads(expression, 1 + a))
            return a == index ? cor_json_fail(json, error, "compute it from the value and other attributes",
                                              "\"%s\" is computed from itself", attributes[a].name)
                              : cor_json_fail(json, error, "declare that one above this one",
                                              "is computed from \"%s\", which is declared below it",
                                              attributes[a].name);
    if (expression->node_count > COR_FORMULA_STEPS_MAX)
        return cor_json_fail(json, error, "split it into two attributes",
                             "has %u operators and operands, expected at most %d", expression->node_count,
                             COR_FORMULA_STEPS_MAX);
    double codes[COR_FORMULA_STEPS_MAX];
    for (uint32_t n = 0; n < expression->node_count; n++)
        codes[n] = NAN;
    /* Words that are compared have one list: a constant becomes its code there. */
    for (uint32_t n = 0; n < expression->node_count; n++) {
        const struct cor_node *node = &expression->nodes[n];
        if (node->operator!= COR_OPERATOR_EQUAL && node->operator!= COR_OPERATOR_NOT_EQUAL)
            continue;
        const uint32_t sides[] = {node->left, node->right};
        const uint32_t left = words_of(attributes, &expression->nodes[node->left]),
                       right = words_of(attributes, &expression->nodes[node->right]);
        const bool both = left != COR_NOBODY && right != COR_NOBODY;
        bool same = !both || attributes[left].word_count == attributes[right].word_count;
        for (uint32_t w = 0; both && same && w < attributes[left].word_count; w++)
            same = strcmp(attributes[left].words[w], attributes[right].words[w]) == 0;
        if (!same)
            return cor_json_fail(json, error, "compare each with a word: a = 'x' and b = 'x'",
                                 "compares \"%s\" with \"%s\", whose words are others", attributes[left].name,
                                 attributes[right].name);
        if ((left == COR_NOBODY) == (right == COR_NOBODY))
            continue;
        const struct cor_agent_attribute *list = &attributes[left != COR_NOBODY ? left : right];
        const uint32_t constant = sides[left != COR_NOBODY];
        const char *word = cor_words_text(&names->all, (uint32_t)expression->nodes[constant].constant);
        for (uint32_t w = 0; w < list->word_count; w++)
            if (strcmp(list->words[w], word) == 0)
                codes[constant] = w;
    }
    return make_steps(expression, codes, formula, error);
}

enum cor_status interaction__read_formula(const struct cor_json *json,
                                          const struct cor_agent_attribute *attributes, uint32_t count,
                                          uint32_t index, bool adds, struct cor_formula *formula,
                                          struct cor_error *error) {
    struct names *names = cor_calloc(1, sizeof *names);
    struct cor_expression expression = {0};
    const char *text;
    char place[512];
    enum cor_status status = COR_OK;
    COR_TRY(cor_made(names, error));
    COR_TRY_OUT(cor_json_string(json, &text, error));
    if (adds && attributes[index].type > COR_ATTRIBUTE_INTEGER)
        COR_TRY_OUT(
            cor_json_fail(json, error, "an attribute that is real or integer", "only numbers add up"));
    if (attributes[index].type == COR_ATTRIBUTE_WORDS)
        COR_TRY_OUT(cor_json_fail(json, error, "a number or a truth value", "a word cannot be computed"));
    cor_json_place(json, place, sizeof place);
    COR_TRY_OUT(make_names(attributes, count, names, error));
    COR_TRY_OUT(cor_expression_parse_value(text, &names->scope, &names->domains[1 + index], place,
                                           &expression, error));
    const char *unit = expression.units[expression.node_count - 1], *wanted = names->units[1 + index];
    if (unit && wanted && !cor_same_unit(unit, wanted))
        status = cor_json_fail(json, error, "declare it in the unit of what it is",
                               "it is in %.60s, and is declared in %.60s", unit, wanted);
    else
        status = translate(json, &expression, attributes, count, index, adds, names, formula, error);
out:
    cor_expression_fini(&expression);
    for (size_t i = 0; i < sizeof names->words / sizeof *names->words; i++)
        free(names->words[i]);
    cor_words_fini(&names->all);
    free(names);
    return status;
}

void interaction__formula_fini(struct cor_formula *formula) {
    COR_FREE(formula->text, formula->steps);
    *formula = (struct cor_formula){0};
}
