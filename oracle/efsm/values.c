/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the values of a model's variables are: integers, truth values, words, fixed-point numbers; and how
 * files, programs and people have them. All else sees integers. */
#include "reader.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 1000 /* of one type */

void efsm__variable_fini(struct cor_efsm_variable *variable) {
    free((void *)(uintptr_t)variable->words);
    free(variable->type_text);
    free(variable->description);
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
    free(low);
    free(high);
    free(initial);
    return status;
}

static enum cor_status read_initial(const struct cor_json *json, struct cor_efsm_variable *variable,
                                    struct cor_error *error) {
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
    return read_initial(json, variable, error);
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
