/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the values of a model's variables are: integers, truth values, words, fixed-point numbers; and how
 * files, programs and people have them. All else sees integers. */
#include "reader.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WORDS_MAX 1000 /* of one type */

void efsm__variable_fini(struct cor_efsm_variable *variable) {
    COR_FREE((void *)(uintptr_t)variable->words, variable->type_text, variable->description);
}

/* A number of so many decimals, as units of the last. */
static enum cor_status read_decimal(const struct cor_json *json, unsigned decimals, int64_t *units,
                                    struct cor_error *error) {
    const double most = (double)COR_EFSM_BOUND_MAX / (double)cor_power_of_ten(decimals);
    double real;
    COR_TRY(cor_json_real(json, -most, most, &real, error));
    return cor_decimal_units(real, decimals, units)
               ? COR_OK
               : cor_json_fail(json, error, "write fewer digits behind the point",
                               "%.15g has more than %u decimals", real, decimals);
}

enum cor_status cor_efsm_read_value(const struct cor_json *json, const struct cor_efsm_variable *variable,
                                    int64_t *value, struct cor_error *error) {
    bool truth = false;
    int word = 0;
    switch (variable->type) {
    case COR_EFSM_BOOLEAN:
        COR_TRY(cor_json_bool(json, &truth, error));
        *value = truth;
        return COR_OK;
    case COR_EFSM_WORDS:
        COR_TRY(cor_json_one_of(json, variable->words, "word", &word, error));
        *value = word;
        return COR_OK;
    case COR_EFSM_DECIMALS:
        return read_decimal(json, variable->decimals, value, error);
    default:
        return cor_json_integer(json, INT64_MIN, INT64_MAX, value, error);
    }
}

void cor_efsm_print_value(const struct cor_efsm_variable *variable, int64_t value, struct cor_bytes *line) {
    const uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value,
                   whole = (uint64_t)cor_power_of_ten(variable->decimals);
    switch (variable->type) {
    case COR_EFSM_BOOLEAN:
        cor_bytes_print(line, "%s", value ? "true" : "false");
        break;
    case COR_EFSM_WORDS:
        cor_json_print_string(line, variable->words[value]);
        break;
    case COR_EFSM_DECIMALS:
        cor_bytes_print(line, "%s%" PRIu64 ".%0*" PRIu64, value < 0 ? "-" : "", size / whole,
                        (int)variable->decimals, size % whole);
        break;
    default:
        cor_bytes_print(line, "%" PRId64, value);
    }
}

/* A member that is not there. */
static enum cor_status refuse(const struct cor_json *json, const char *key, const char *what,
                              struct cor_error *error) {
    struct cor_json member;
    return cor_json_find(json, key, &member)
               ? cor_json_fail(&member, error, "leave it away", "%s has no \"%s\"", what, key)
               : COR_OK;
}

/* "type": ["idle", "busy"]: the words, in their order. */
static enum cor_status read_words(const struct cor_json *json, struct cor_efsm_variable *variable,
                                  struct cor_error *error) {
    const size_t count = cor_json_size(json);
    COR_TRY(cor_json_expect_array(json, 2, WORDS_MAX, error));
    const char **words = cor_calloc(count + 1, sizeof *words);
    variable->words = words;
    COR_TRY(cor_made(words, error));
    variable->type = COR_EFSM_WORDS;
    variable->type_text = cor_strdup("");
    variable->high = (int64_t)count - 1;
    for (uint32_t i = 0; i < count; i++) {
        const struct cor_json item = cor_json_at(json, i);
        const char *word;
        COR_TRY(efsm__efsm_name(&item, words, i, "word", &word, error));
        if (strpbrk(word, "'\"|,"))
            return cor_json_fail(&item, error, "leave away quotes, commas and |", "\"%s\" is no word", word);
        words[i] = word;
        variable->type_text = cor_join_take(variable->type_text, "|", cor_strdup(word));
    }
    return cor_made(variable->type_text, error);
}

/* The domain of numbers. */
static enum cor_status read_bounds(const struct cor_json *json, struct cor_efsm_variable *variable,
                                   struct cor_error *error) {
    struct cor_json low, high, decimals;
    int64_t count = 0;
    if (cor_json_find(json, "decimals", &decimals)) {
        COR_TRY(cor_json_integer(&decimals, 1, COR_DECIMALS_MAX, &count, error));
        variable->type = COR_EFSM_DECIMALS;
        variable->decimals = (uint8_t)count;
    }
    variable->type_text = count > 0 ? cor_format("%u decimal%s", variable->decimals, count > 1 ? "s" : "")
                                    : cor_strdup("integer");
    COR_TRY(cor_made(variable->type_text, error));
    COR_TRY(cor_json_need(json, "lo", &low, error));
    COR_TRY(cor_json_need(json, "hi", &high, error));
    if (count > 0) {
        COR_TRY(read_decimal(&low, variable->decimals, &variable->low, error));
        COR_TRY(read_decimal(&high, variable->decimals, &variable->high, error));
    } else {
        COR_TRY(cor_json_integer(&low, -COR_EFSM_BOUND_MAX, COR_EFSM_BOUND_MAX, &variable->low, error));
        COR_TRY(cor_json_integer(&high, -COR_EFSM_BOUND_MAX, COR_EFSM_BOUND_MAX, &variable->high, error));
    }
    return COR_OK;
}

/* What a message says of a number and its domain. */
static enum cor_status fail_bounds(const struct cor_json *json, const struct cor_efsm_variable *variable,
                                   struct cor_error *error) {
    char *low = cor_decimal_text(variable->low, variable->decimals),
         *high = cor_decimal_text(variable->high, variable->decimals),
         *initial = cor_decimal_text(variable->initial, variable->decimals);
    enum cor_status status;
    if (!low || !high || !initial)
        status = cor_fail_memory(error);
    else if (variable->low > variable->high)
        status = cor_json_fail(json, error, "lo is at most hi", "the domain %s .. %s is empty", low, high);
    else
        status = cor_json_fail(json, error, NULL, "%s is outside the domain %s .. %s", initial, low, high);
    COR_FREE(low, high, initial);
    return status;
}

enum cor_status efsm__read_variable(const struct cor_json *json, struct cor_efsm_variable *variable,
                                    struct cor_error *error) {
    static const char *const kinds[] = {"state", "param", "out", NULL}, *const types[] = {"integer",
                                                                                          "boolean", NULL};
    static const struct cor_field fields[] = {
        {"name", COR_REQUIRED, COR_KNOWN_FIELD},
        {"kind", COR_REQUIRED,
         COR_ONE_OF_FIELD(struct cor_efsm_variable, kind, kinds, COR_EFSM_STATE, "kind")},
        {"type", COR_OPTIONAL, COR_KNOWN_FIELD},
        {"decimals", COR_OPTIONAL, COR_KNOWN_FIELD},
        {"lo", COR_OPTIONAL, COR_KNOWN_FIELD},
        {"hi", COR_OPTIONAL, COR_KNOWN_FIELD},
        {"init", COR_OPTIONAL, COR_KNOWN_FIELD},
        {"irrelevant", COR_OPTIONAL, COR_BOOL_FIELD(struct cor_efsm_variable, irrelevant)},
        {0}};
    static const char *const bounds[] = {"lo", "hi", "decimals", NULL};
    struct cor_json type;
    int type_index = 0;
    const bool is_said = cor_json_is_object(json) && cor_json_find(json, "type", &type);
    const bool has_words = is_said && cor_json_is_array(&type);
    const char *word;
    if (is_said && cor_json_is_string(&type) && cor_json_string(&type, &word, error) == COR_OK &&
        strcmp(word, "real") == 0)
        return cor_json_fail(
            &type, error, "give it \"decimals\", \"lo\" and \"hi\": such numbers are exact",
            "a real is rounded: neither equal states nor a proof of what is in reach would be "
            "certain");
    if (is_said && !has_words)
        COR_TRY(cor_json_one_of(&type, types, "type", &type_index, error));
    COR_TRY(cor_json_fields(json, fields, variable, error));
    if (!has_words && type_index == 0)
        COR_TRY(read_bounds(json, variable, error));
    for (size_t i = 0; bounds[i] && (has_words || type_index == 1); i++)
        COR_TRY(refuse(json, bounds[i], has_words ? "a list of words" : "a boolean", error));
    if (has_words)
        COR_TRY(read_words(&type, variable, error));
    if (type_index == 1) {
        variable->type = COR_EFSM_BOOLEAN;
        variable->high = 1;
        COR_TRY(cor_made(variable->type_text = cor_strdup("boolean"), error));
    }
    if (variable->low > variable->high)
        return fail_bounds(json, variable, error);
    variable->description = variable->type == COR_EFSM_INTEGER
                                ? cor_strdup("state variable")
                                : cor_format("state variable, of %s", variable->type_text);
    COR_TRY(cor_made(variable->description, error));
    struct cor_json initial;
    if (variable->kind != COR_EFSM_STATE)
        return cor_json_find(json, "init", &initial)
                   ? cor_json_fail(&initial, error, "leave it away",
                                   "only state variables have an initial value")
                   : COR_OK;
    COR_TRY(cor_json_need(json, "init", &initial, error));
    if (variable->type == COR_EFSM_INTEGER)
        COR_TRY(
            cor_json_integer(&initial, -COR_EFSM_BOUND_MAX, COR_EFSM_BOUND_MAX, &variable->initial, error));
    else
        COR_TRY(cor_efsm_read_value(&initial, variable, &variable->initial, error));
    return variable->initial >= variable->low && variable->initial <= variable->high
               ? COR_OK
               : fail_bounds(&initial, variable, error);
}

enum cor_status efsm__gather_types(struct cor_efsm *model, struct cor_error *error) {
    bool *truths = cor_calloc(model->variable_count, sizeof *truths);
    const char *const **words = cor_calloc(model->variable_count, sizeof *words);
    model->naming = (struct cor_naming){model->variable_names, truths, words};
    if (!truths || !words)
        return cor_fail_memory(error);
    for (uint32_t v = 0; v < model->variable_count; v++) {
        truths[v] = model->variables[v].type == COR_EFSM_BOOLEAN;
        words[v] = model->variables[v].words;
        model->is_typed = model->is_typed || model->variables[v].type != COR_EFSM_INTEGER;
    }
    return COR_OK;
}

char *cor_efsm_value_text(const struct cor_efsm *model, uint32_t variable, int64_t value) {
    const struct cor_efsm_variable *it = &model->variables[variable];
    return it->type == COR_EFSM_BOOLEAN ? cor_strdup(value ? "true" : "false")
           : it->type == COR_EFSM_WORDS ? cor_strdup(it->words[value])
                                        : cor_decimal_text(value, it->decimals);
}

char *cor_efsm_literal(const struct cor_efsm *model, uint32_t variable, int64_t value) {
    char *text = cor_efsm_value_text(model, variable, value);
    return model->variables[variable].type == COR_EFSM_WORDS
               ? cor_join_take(cor_join_take(cor_strdup("'"), "", text), "", cor_strdup("'"))
               : text;
}

char *cor_efsm_expression_text(const struct cor_efsm *model, const struct cor_expression *expression) {
    return model->is_typed ? cor_strdup(expression->text)
                           : cor_expression_print(expression, expression->node_count - 1, &model->naming);
}

/* ---- expressions of typed models: parsed with their types, so that what does not go together is refused,
 * then put over integers, in which a truth value is 0 or 1, a word its place in its list, and a fixed-point
 * number counts units of its last decimal place. All else reckons with integers alone */

/* An expression being put over integers. */
struct lowering {
    const struct cor_efsm *model;
    const struct cor_expression *typed;
    struct cor_node *nodes; /* owned; room for COR_EXPRESSION_NODES_MAX */
    uint32_t count;
    bool too_many, too_large;
    const struct cor_words *words;
    char wrong[300]; /* what does not go together though each is of the language; "" nothing */
    const char *remedy;
};

static uint32_t put(struct lowering *l, enum cor_operator kind, uint32_t left, uint32_t right) {
    if (l->count == COR_EXPRESSION_NODES_MAX) {
        l->too_many = true;
        return 0;
    }
    l->nodes[l->count] = (struct cor_node){.operator= kind, .left = left, .right = right};
    return l->count++;
}

static uint32_t put_constant(struct lowering *l, int64_t constant) {
    const uint32_t node = put(l, COR_OPERATOR_CONSTANT, 0, 0);
    l->nodes[node].constant = constant;
    return node;
}

static uint32_t put_variable(struct lowering *l, uint32_t variable) {
    const uint32_t node = put(l, COR_OPERATOR_VARIABLE, 0, 0);
    l->nodes[node].variable = variable;
    return node;
}

static const struct cor_node *at(const struct lowering *l, uint32_t node) {
    return &l->typed->nodes[node];
}

static bool is_constant(const struct lowering *l, uint32_t node) {
    return at(l, node)->operator== COR_OPERATOR_CONSTANT;
}

/* true is stored as 0 = 0, false as 0 != 0. */
static bool is_settled(const struct lowering *l, uint32_t node, bool *truth) {
    const struct cor_node *it = at(l, node);
    *truth = it->operator== COR_OPERATOR_EQUAL;
    return (*truth || it->operator== COR_OPERATOR_NOT_EQUAL) && it->left == it->right &&
           is_constant(l, it->left);
}

static const struct cor_efsm_variable *variable_at(const struct lowering *l, uint32_t node) {
    return at(l, node)->operator== COR_OPERATOR_VARIABLE ? &l->model->variables[at(l, node)->variable] : NULL;
}

static bool is_truth_variable(const struct lowering *l, uint32_t node) {
    const struct cor_efsm_variable *variable = variable_at(l, node);
    return variable && variable->type == COR_EFSM_BOOLEAN;
}

static bool is_condition(const struct lowering *l, uint32_t node) {
    const enum cor_operator kind = at(l, node)->operator;
    return (kind >= COR_OPERATOR_LESS && kind <= COR_OPERATOR_NOT) || is_truth_variable(l, node);
}

static bool is_simple(const struct lowering *l, uint32_t node) {
    bool truth;
    return is_truth_variable(l, node) || is_settled(l, node, &truth);
}

typedef uint32_t lower(struct lowering *l, uint32_t node);

/* Both sides, in the order in which they were written: "a > b" is stored as b < a, with b behind a. */
static void lower_sides(struct lowering *l, const struct cor_node *node, lower *how, uint32_t *left,
                        uint32_t *right) {
    const bool turned = node->left > node->right;
    if (turned)
        *right = how(l, node->right);
    *left = how(l, node->left);
    if (!turned)
        *right = how(l, node->right);
}

static uint8_t decimals_of(const struct lowering *l, uint32_t node) {
    return l->nodes[node].decimals;
}

/* The number with so many decimal places, of which it has at most as many. */
static uint32_t align(struct lowering *l, uint32_t number, unsigned decimals) {
    const unsigned missing = decimals - decimals_of(l, number);
    if (missing == 0 || l->too_many || l->too_large)
        return number;
    if (decimals > 18) {
        l->too_large = true;
        return number;
    }
    const int64_t power = cor_power_of_ten(missing);
    if (l->nodes[number].operator== COR_OPERATOR_CONSTANT) {
        l->too_large = __builtin_mul_overflow(l->nodes[number].constant, power, &l->nodes[number].constant);
    } else {
        number = put(l, COR_OPERATOR_MULTIPLY, number, put_constant(l, power));
        l->nodes[number].aligns = true;
    }
    l->nodes[number].decimals = (uint8_t)decimals;
    return number;
}

static void align_both(struct lowering *l, uint32_t *left, uint32_t *right) {
    const uint8_t most =
        decimals_of(l, *left) > decimals_of(l, *right) ? decimals_of(l, *left) : decimals_of(l, *right);
    *left = align(l, *left, most);
    *right = align(l, *right, most);
}

/* A fraction as it was written: with the fewest places that give it back. */
static uint32_t put_fraction(struct lowering *l, double real) {
    int64_t units = 0;
    uint8_t decimals = 0;
    while (decimals <= COR_DECIMALS_MAX && !cor_decimal_units(real, decimals, &units))
        decimals++;
    if (decimals > COR_DECIMALS_MAX && !*l->wrong) {
        snprintf(l->wrong, sizeof l->wrong, "has %.15g, of more than %d decimals or 15 digits", real,
                 COR_DECIMALS_MAX);
        l->remedy = "write fewer digits";
    }
    const uint32_t node = put_constant(l, units);
    l->nodes[node].decimals = decimals > COR_DECIMALS_MAX ? 0 : decimals;
    return node;
}

/* Products have the decimals of both sides together; quotients, rounded down, those of the left side. */
static uint32_t lower_number(struct lowering *l, uint32_t node) {
    const struct cor_node *it = at(l, node);
    uint32_t left = 0, right = 0;
    if (it->operator== COR_OPERATOR_CONSTANT)
        return it->reals ? put_fraction(l, it->real) : put_constant(l, it->constant);
    if (it->operator== COR_OPERATOR_VARIABLE) {
        left = put_variable(l, it->variable);
        l->nodes[left].decimals = l->model->variables[it->variable].decimals;
        return left;
    }
    if (it->operator== COR_OPERATOR_TO_REAL)
        return lower_number(l, it->left);
    if (it->operator== COR_OPERATOR_NEGATE || it->operator== COR_OPERATOR_ABS) {
        left = lower_number(l, it->left);
        node = put(l, it->operator, left, left);
        l->nodes[node].decimals = decimals_of(l, left);
        return node;
    }
    lower_sides(l, it, lower_number, &left, &right);
    unsigned decimals = decimals_of(l, left);
    if (it->operator== COR_OPERATOR_MULTIPLY) {
        decimals += decimals_of(l, right);
    } else if (it->operator== COR_OPERATOR_DIVIDE) {
        left = align(l, left, decimals + decimals_of(l, right));
    } else {
        align_both(l, &left, &right);
        decimals = decimals_of(l, left);
    }
    l->too_large = l->too_large || decimals > 18;
    node = put(l, it->operator, left, right);
    l->nodes[node].decimals = (uint8_t)decimals;
    return node;
}

/* ---- words */

static bool is_word(const struct lowering *l, uint32_t node) {
    return at(l, node)->type == COR_NODE_WORD;
}

/* Two lists of the same words are one type. */
static void expect_one_type(struct lowering *l, const struct cor_efsm_variable *a,
                            const struct cor_efsm_variable *b, const char *verb) {
    if (strcmp(a->type_text, b->type_text) == 0 || *l->wrong)
        return;
    snprintf(l->wrong, sizeof l->wrong, "%s \"%.40s\" (%.60s) with \"%.40s\" (%.60s)", verb, a->name,
             a->type_text, b->name, b->type_text);
    l->remedy = "give both the same list of words";
}

static uint32_t put_word(struct lowering *l, uint32_t node, const struct cor_efsm_variable *type) {
    const char *text = cor_words_text(l->words, (uint32_t)at(l, node)->constant);
    for (uint32_t w = 0; type->words[w]; w++)
        if (strcmp(type->words[w], text) == 0)
            return put_constant(l, w);
    return put_constant(l, -1); /* the parser has refused it */
}

/* A word as its place in the list. */
static uint32_t lower_word(struct lowering *l, uint32_t node, const struct cor_efsm_variable *type) {
    return variable_at(l, node) ? put_variable(l, at(l, node)->variable) : put_word(l, node, type);
}

/* Two words that are compared. */
static void lower_words(struct lowering *l, const struct cor_node *node, uint32_t *left, uint32_t *right) {
    const struct cor_efsm_variable *a = variable_at(l, node->left), *b = variable_at(l, node->right);
    if (a && b)
        expect_one_type(l, a, b, "compares");
    if (!a && !b) { /* words of the language are one each */
        *left = put_constant(l, at(l, node->left)->constant == at(l, node->right)->constant);
        *right = put_constant(l, 1);
        return;
    }
    *left = lower_word(l, a ? node->left : node->right, a ? a : b);
    *right = lower_word(l, a ? node->right : node->left, a ? a : b);
}

/* At least 1 becomes 1, at most 0 becomes 0. */
static uint32_t clamp(struct lowering *l, uint32_t number) {
    const uint32_t above = put(l, COR_OPERATOR_MAX, put_constant(l, 0), number);
    return put(l, COR_OPERATOR_MIN, put_constant(l, 1), above);
}

static uint32_t opposite(struct lowering *l, uint32_t truth) {
    return put(l, COR_OPERATOR_SUBTRACT, put_constant(l, 1), truth);
}

/* A condition as 0 or 1. */
static uint32_t lower_truth(struct lowering *l, uint32_t node) {
    const struct cor_node *it = at(l, node);
    uint32_t left = 0, right = 0;
    bool truth;
    if (is_settled(l, node, &truth))
        return put_constant(l, truth);
    if (it->operator== COR_OPERATOR_VARIABLE)
        return put_variable(l, it->variable);
    if (it->operator== COR_OPERATOR_NOT)
        return opposite(l, lower_truth(l, it->left));
    if (it->operator== COR_OPERATOR_AND || it->operator== COR_OPERATOR_OR) {
        lower_sides(l, it, lower_truth, &left, &right);
        return put(l, it->operator== COR_OPERATOR_AND ? COR_OPERATOR_MIN : COR_OPERATOR_MAX, left, right);
    }
    if (is_word(l, it->left)) {
        lower_words(l, it, &left, &right);
    } else {
        const bool are_conditions = is_condition(l, it->left);
        lower_sides(l, it, are_conditions ? lower_truth : lower_number, &left, &right);
        if (!are_conditions)
            align_both(l, &left, &right);
    }
    if (it->operator== COR_OPERATOR_LESS || it->operator== COR_OPERATOR_LESS_EQUAL) {
        uint32_t excess = put(l, COR_OPERATOR_SUBTRACT, right, left);
        if (it->operator== COR_OPERATOR_LESS_EQUAL) /* one unit of the last place */
            excess = put(l, COR_OPERATOR_ADD, excess, put_constant(l, 1));
        return clamp(l, excess);
    }
    const uint32_t apart = put(l, COR_OPERATOR_SUBTRACT, left, right);
    const uint32_t differs = clamp(l, put(l, COR_OPERATOR_ABS, apart, apart));
    return it->operator== COR_OPERATOR_NOT_EQUAL ? differs : opposite(l, differs);
}

static uint32_t deny(struct lowering *l, uint32_t condition) {
    return put(l, COR_OPERATOR_NOT, condition, condition);
}

static uint32_t lower_condition(struct lowering *l, uint32_t node) {
    const struct cor_node *it = at(l, node);
    uint32_t left = 0, right = 0;
    bool truth;
    if (is_settled(l, node, &truth)) {
        left = put_constant(l, 0);
        return put(l, it->operator, left, left);
    }
    if (it->operator== COR_OPERATOR_VARIABLE) {
        left = put_variable(l, it->variable);
        return put(l, COR_OPERATOR_EQUAL, left, put_constant(l, 1));
    }
    if (it->operator== COR_OPERATOR_NOT && is_truth_variable(l, it->left)) {
        left = put_variable(l, at(l, it->left)->variable);
        return put(l, COR_OPERATOR_EQUAL, left, put_constant(l, 0));
    }
    if (it->operator== COR_OPERATOR_NOT)
        return deny(l, lower_condition(l, it->left));
    if (it->operator== COR_OPERATOR_AND || it->operator== COR_OPERATOR_OR) {
        lower_sides(l, it, lower_condition, &left, &right);
        return put(l, it->operator, left, right);
    }
    if (is_word(l, it->left)) {
        lower_words(l, it, &left, &right);
        left = put(l, COR_OPERATOR_EQUAL, left, right);
        return it->operator== COR_OPERATOR_EQUAL ? left : deny(l, left);
    }
    if (!is_condition(l, it->left)) {
        lower_sides(l, it, lower_number, &left, &right);
        align_both(l, &left, &right);
        return put(l, it->operator, left, right);
    }
    const bool same = it->operator== COR_OPERATOR_EQUAL;
    if (is_simple(l, it->left) && is_simple(l, it->right)) { /* a = b, a = true */
        const bool turned = is_settled(l, it->left, &truth);
        left = lower_truth(l, turned ? it->right : it->left);
        right = lower_truth(l, turned ? it->left : it->right);
        left = put(l, COR_OPERATOR_EQUAL, left, right);
        return same ? left : deny(l, left);
    }
    lower_sides(l, it, lower_condition, &left, &right);
    const uint32_t both = put(l, COR_OPERATOR_AND, left, same ? right : deny(l, right));
    const uint32_t not_left = deny(l, left);
    const uint32_t neither = put(l, COR_OPERATOR_AND, not_left, same ? deny(l, right) : right);
    return put(l, COR_OPERATOR_OR, both, neither);
}

/* What does not fit the variable that it is assigned to. */
static void lower_value(struct lowering *l, uint32_t root, const struct cor_efsm_variable *variable) {
    uint32_t node;
    switch (variable->type) {
    case COR_EFSM_BOOLEAN:
        lower_truth(l, root);
        break;
    case COR_EFSM_WORDS:
        if (variable_at(l, root))
            expect_one_type(l, variable, variable_at(l, root), "assigns");
        lower_word(l, root, variable);
        break;
    default:
        node = lower_number(l, root);
        if (decimals_of(l, node) > variable->decimals && !*l->wrong && !l->too_large) {
            snprintf(l->wrong, sizeof l->wrong, "gives %u decimals, and \"%.60s\" keeps %u",
                     decimals_of(l, node), variable->name, variable->decimals);
            l->remedy = l->nodes[node].operator== COR_OPERATOR_CONSTANT
                            ? "write fewer digits behind the point"
                            : "divide whole numbers to round down: price * 19 / 100, not price * 0.19";
        } else if (!l->too_large) {
            align(l, node, variable->decimals);
        }
    }
}

static enum cor_status complain(const struct lowering *l, const char *place, struct cor_error *error) {
    const char *text = l->typed->text;
    if (*l->wrong)
        return cor_fail(error, COR_STATUS_INPUT, place, l->remedy, "\"%s\" %s", text, l->wrong);
    if (l->too_large)
        return cor_fail(error, COR_STATUS_INPUT, place, "use fewer decimals",
                        "\"%s\" needs more than 64 bits to be exact", text);
    return l->too_many ? cor_fail(error, COR_STATUS_INPUT, place, "split it into several transitions",
                                  "\"%s\" has more than %d parts", text, COR_EXPRESSION_NODES_MAX)
                       : COR_OK;
}

/* What the names may be, for the parser. */
static enum cor_status make_domains(const struct cor_efsm *model, struct cor_words *words,
                                    struct cor_domain *domains, uint32_t *listed, struct cor_error *error) {
    static const enum cor_value_type types[] = {[COR_EFSM_INTEGER] = COR_VALUE_TYPE_INTEGER,
                                                [COR_EFSM_BOOLEAN] = COR_VALUE_TYPE_BOOLEAN,
                                                [COR_EFSM_WORDS] = COR_VALUE_TYPE_ENUMERATION,
                                                [COR_EFSM_DECIMALS] = COR_VALUE_TYPE_REAL};
    for (uint32_t v = 0; v < model->variable_count; v++) {
        const struct cor_efsm_variable *variable = &model->variables[v];
        domains[v] = (struct cor_domain){.type = types[variable->type], .name = variable->type_text};
        if (variable->type != COR_EFSM_WORDS)
            continue;
        domains[v].words = listed;
        for (; variable->words[domains[v].word_count]; domains[v].word_count++)
            COR_TRY(cor_words_intern(words, variable->words[domains[v].word_count], listed++, error));
    }
    return COR_OK;
}

static bool is_named(const struct cor_efsm *model, const char *const *names, const char *at, size_t length,
                     bool as_word) {
    for (uint32_t v = 0; v < model->variable_count; v++) {
        const char *const *list = as_word ? model->variables[v].words : &names[v];
        for (size_t i = 0; list && (as_word ? list[i] != NULL : i == 0); i++)
            if (strlen(list[i]) == length && strncmp(list[i], at, length) == 0)
                return true;
    }
    return false;
}

/* A word of some list that stands there like a name. */
static enum cor_status expect_quotes(const char *text, const struct cor_efsm *model, const char *const *names,
                                     const char *place, struct cor_error *error) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    for (const char *at = text; *at; at++) {
        const size_t length = strspn(at, letters);
        if (*at == '\'' && strchr(at + 1, '\'')) {
            at = strchr(at + 1, '\'');
        } else if (length > 0) {
            if (!is_named(model, names, at, length, false) && is_named(model, names, at, length, true)) {
                char remedy[100];
                snprintf(remedy, sizeof remedy, "words stand in single quotes: '%.*s'",
                         length < 60 ? (int)length : 60, at);
                return cor_fail(error, COR_STATUS_INPUT, place, remedy,
                                "column %zu of \"%s\": \"%.*s\" is no name", (size_t)(at - text) + 1, text,
                                length < 60 ? (int)length : 60, at);
            }
            at += length - 1;
        }
    }
    return COR_OK;
}

enum cor_status efsm__parse_typed(const char *text, const struct cor_efsm *model, const char *const *names,
                                  uint32_t wanted, const char *place, struct cor_expression *expression,
                                  struct cor_error *error) {
    static const struct cor_domain truth = {.type = COR_VALUE_TYPE_BOOLEAN, .name = "boolean"};
    struct cor_symbol symbols[COR_EFSM_VARIABLES_MAX];
    struct cor_domain domains[COR_EFSM_VARIABLES_MAX];
    struct cor_expression typed = {0};
    struct cor_words words;
    struct lowering l = {.model = model, .typed = &typed, .words = &words};
    enum cor_status status = COR_OK;
    uint32_t *listed = NULL; /* owned; of all domains */
    *expression = (struct cor_expression){0};
    cor_words_init(&words);
    size_t count = 0;
    for (uint32_t i = 0; i < model->variable_count; i++)
        count += model->variables[i].type == COR_EFSM_WORDS ? (size_t)model->variables[i].high + 1 : 0;
    COR_TRY_OUT(cor_made(listed = cor_calloc(count + 1, sizeof *listed), error));
    COR_TRY_OUT(expect_quotes(text, model, names, place, error));
    COR_TRY_OUT(make_domains(model, &words, domains, listed, error));
    for (uint32_t v = 0; v < model->variable_count; v++)
        symbols[v] = (struct cor_symbol){names[v], &domains[v]};
    const struct cor_scope scope = {
        .symbols = symbols, .symbol_count = model->variable_count, .words = &words};
    COR_TRY_OUT(cor_expression_parse_value(
        text, &scope, wanted == EFSM__CONDITION ? &truth : &domains[wanted], place, &typed, error));
    COR_TRY_OUT(cor_made(l.nodes = cor_calloc(COR_EXPRESSION_NODES_MAX, sizeof *l.nodes), error));
    if (wanted == EFSM__CONDITION)
        lower_condition(&l, typed.node_count - 1);
    else
        lower_value(&l, typed.node_count - 1, &model->variables[wanted]);
    COR_TRY_OUT(complain(&l, place, error));
    *expression = (struct cor_expression){.text = typed.text,
                                          .nodes = l.nodes,
                                          .node_count = l.count,
                                          .is_constraint = wanted == EFSM__CONDITION,
                                          .integer_only = true,
                                          .result = COR_VALUE_INTEGER};
    typed.text = NULL;
    l.nodes = NULL;
out:
    COR_FREE(l.nodes, listed);
    cor_expression_fini(&typed);
    cor_words_fini(&words);
    return status;
}

/* A name that is printable, not empty and none of the `count` before it. */
enum cor_status efsm__efsm_name(const struct cor_json *json, const char *const *names, uint32_t count,
                                const char *what, const char **name, struct cor_error *error) {
    COR_TRY(cor_json_string(json, name, error));
    if (**name == '\0' || !cor_is_printable(*name))
        return cor_json_fail(json, error, "a name is one or more printable letters",
                             "this is no name of %s %s", strchr("aeiou", *what) ? "an" : "a", what);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(names[i], *name) == 0)
            return cor_json_fail(json, error, "give each a name of its own", "there is another %s \"%s\"",
                                 what, *name);
    return COR_OK;
}
