/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the readers of models and of goals share: names and expressions. */
#include "reader.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

enum cor_status efsm__efsm_look_up(const struct cor_json *json, const char *const *names, const char *what,
                                   uint32_t *index, struct cor_error *error) {
    int found = 0;
    COR_TRY(cor_json_one_of(json, names, what, &found, error));
    *index = (uint32_t)found;
    return COR_OK;
}

enum cor_status efsm__efsm_keep_take(struct cor_efsm *model, char *text, struct cor_error *error) {
    size_t room = model->text_count;
    enum cor_status status =
        text ? COR_RESERVE(&model->texts, &room, model->text_count + 1, error) : cor_fail_memory(error);
    if (status == COR_OK)
        model->texts[model->text_count++] = text;
    else
        free(text);
    return status;
}

void efsm__efsm_readable(const struct cor_efsm *model, uint32_t input, const char **names) {
    for (uint32_t v = 0; v < model->variable_count; v++)
        names[v] = model->variables[v].kind == COR_EFSM_STATE ? model->variable_names[v] : "";
    for (uint32_t p = 0; p < model->inputs[input].parameter_count; p++) {
        const uint32_t v = model->inputs[input].parameters[p];
        names[v] = model->variable_names[v];
    }
    names[model->variable_count] = NULL;
}

enum cor_status efsm__efsm_expression(const struct cor_json *json, const struct cor_efsm *model,
                                      const char *const *names, enum efsm__wanted wanted,
                                      struct cor_expression *expression, struct cor_error *error) {
    char place[512];
    const char *text;
    bool truth;
    if (wanted == EFSM__TRUTH && !cor_json_is_string(json)) { /* true, without quotes */
        COR_TRY(cor_json_bool(json, &truth, error));
        text = truth ? "true" : "false";
    } else {
        COR_TRY(cor_json_string(json, &text, error));
    }
    cor_json_place(json, place, sizeof place);
    if (model->truths)
        COR_TRY(efsm__parse_truths(text, model, names, wanted, place, expression, error));
    else
        COR_TRY(cor_expression_parse(text, names, wanted == EFSM__CONDITION, place, expression, error));
    /* Only constants divide, and 0 does not; no part leaves 64 bits whatever the values are. */
    struct cor_value_range ranges[COR_EXPRESSION_NODES_MAX];
    int64_t low[COR_EFSM_VARIABLES_MAX], high[COR_EFSM_VARIABLES_MAX];
    for (uint32_t v = 0; v < model->variable_count; v++) {
        low[v] = model->variables[v].low;
        high[v] = model->variables[v].high;
    }
    cor_expression_intervals(expression, low, high, ranges);
    for (uint32_t i = 0; i < expression->node_count; i++) {
        const struct cor_node *node = &expression->nodes[i], *right = &expression->nodes[node->right];
        const bool divides =
            node->operator== COR_OPERATOR_DIVIDE || node->operator== COR_OPERATOR_REMAINDER || node->
            operator== COR_OPERATOR_CEIL_DIVIDE;
        if (divides && (right->operator!= COR_OPERATOR_CONSTANT || right->constant <= 0))
            return cor_json_fail(json, error, "divide by a positive constant",
                                 "\"%s\" divides by something else than a positive constant",
                                 expression->text);
        if (ranges[i].low == INT64_MIN || ranges[i].high == INT64_MAX)
            return cor_json_fail(json, error, "narrow the domains of its variables",
                                 "\"%s\" can overflow 64 bits", expression->text);
    }
    return COR_OK;
}

enum efsm__wanted efsm__efsm_wanted(const struct cor_efsm *model, uint32_t variable) {
    return model->variables[variable].is_truth ? EFSM__TRUTH : EFSM__NUMBER;
}
