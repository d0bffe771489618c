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
                                      const char *const *names, uint32_t wanted,
                                      struct cor_expression *expression, struct cor_error *error) {
    const char *text;
    bool truth;
    if (wanted != EFSM__CONDITION && model->variables[wanted].type == COR_EFSM_BOOLEAN &&
        !cor_json_is_string(json)) { /* true, without quotes */
        COR_TRY(cor_json_bool(json, &truth, error));
        text = truth ? "true" : "false";
    } else {
        COR_TRY(cor_json_string(json, &text, error));
    }
    return efsm__efsm_expression_text(json, text, model, names, wanted, expression, error);
}

enum cor_status efsm__efsm_expression_text(const struct cor_json *json, const char *text,
                                           const struct cor_efsm *model, const char *const *names,
                                           uint32_t wanted, struct cor_expression *expression,
                                           struct cor_error *error) {
    char place[512];
    cor_json_place(json, place, sizeof place);
    if (model->is_typed)
        COR_TRY(efsm__parse_typed(text, model, names, wanted, place, expression, error));
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

/* The trap whose name is all that stands in the text between here and there, COR_NONE. */
static uint32_t lone_trap(const struct efsm__waits *waits, const char *from, const char *to) {
    while (from < to && *from == ' ')
        from++;
    while (to > from && to[-1] == ' ')
        to--;
    return name_at(waits->variables, from, (size_t)(to - from)) == COR_NONE
               ? name_at(waits->traps, from, (size_t)(to - from))
               : COR_NONE;
}

/* How long the sign or word is that joins two conditions here, 0: none. */
static size_t join_at(const char *text, const char *at, bool *is_and) {
    static const char *const joins[] = {"&&", "and", "||", "or", "implies"};
    for (size_t i = 0; i < sizeof joins / sizeof *joins; i++) {
        const size_t length = strlen(joins[i]);
        const bool is_word = is_of_word(*joins[i]);
        if (strncmp(at, joins[i], length) != 0 ||
            (is_word && ((at > text && is_of_word(at[-1])) || is_of_word(at[length]))))
            continue;
        *is_and = i < 2;
        return length;
    }
    return 0;
}

enum cor_status efsm__efsm_split_waits(const struct cor_json *json, const char *text,
                                       struct efsm__waits *waits, struct cor_error *error) {
    size_t length;
    int depth = 0;
    bool is_and, all_and = true;
    waits->count = 0;
    waits->rest = cor_strdup("");
    for (const char *at = text; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        all_and = all_and && (depth > 0 || join_at(text, at, &is_and) == 0 || is_and);
    }
    const char *from = text;
    for (const char *at = text;; at++) {
        depth += (*at == '(') - (*at == ')');
        length = *at && depth == 0 ? join_at(text, at, &is_and) : 0;
        if (*at && (length == 0 || !all_and))
            continue;
        const uint32_t trap = all_and ? lone_trap(waits, from, at) : COR_NONE;
        if (trap == COR_NONE)
            waits->rest = cor_join_take(waits->rest, " && ", cor_format("%.*s", (int)(at - from), from));
        else if (waits->count < COR_EFSM_VARIABLES_MAX)
            waits->waits[waits->count++] = trap;
        else
            return cor_json_fail(json, error, "use \"after\"", "names more than %d traps",
                                 COR_EFSM_VARIABLES_MAX);
        if (!*at)
            break;
        from = at + length;
        at = from - 1;
    }
    COR_TRY(cor_made(waits->rest, error));
    for (const char *at = waits->rest; *at; at += length) {
        for (length = 0; is_of_word(at[length]);)
            length++;
        const uint32_t trap = length > 0 && name_at(waits->variables, at, length) == COR_NONE
                                  ? name_at(waits->traps, at, length)
                                  : COR_NONE;
        if (trap != COR_NONE)
            return cor_json_fail(json, error, "write its name alone, joined to the rest by &&",
                                 "the trap \"%s\" can be waited for, neither denied nor one of several",
                                 waits->traps[trap]);
        length += length == 0;
    }
    return COR_OK;
}
