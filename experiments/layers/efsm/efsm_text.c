/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "efsm_text.h"

#include <corridor/array.h>

#include <stdlib.h>

char *cor_call_text_take(const char *name, bool takes_arguments, char *arguments) {
    char *text = arguments ? cor_format(takes_arguments ? "%s(%s)" : "%s", name, arguments) : NULL;
    free(arguments);
    return text;
}

char *cor_efsm_input_text(const struct cor_efsm *model, uint32_t label, const int64_t *values) {
    const struct cor_efsm_label *input = &model->inputs[label];
    char *text = cor_strdup("");
    for (uint32_t p = 0; p < input->parameter_count && values; p++)
        text = cor_join_take(text, ", ",
                             cor_efsm_value_text(model, input->parameters[p], values[input->parameters[p]]));
    return cor_call_text_take(input->name, input->parameter_count && values, text);
}

char *cor_efsm_state_text(const struct cor_efsm *model, const int64_t *values) {
    char *text = cor_strdup("");
    for (uint32_t v = 0; v < model->variable_count; v++) {
        if (model->variables[v].kind != COR_EFSM_STATE)
            continue;
        COR_FREED char *value = cor_efsm_value_text(model, v, values[v]);
        text =
            cor_join_take(text, ", ", value ? cor_format("%s = %s", model->variable_names[v], value) : NULL);
    }
    return text;
}

char *cor_efsm_answer_text(const struct cor_efsm *model, uint32_t transition, const int64_t *values) {
    const struct cor_efsm_transition *t = &model->transitions[transition];
    char *text = cor_strdup("");
    for (uint32_t o = 0; o < t->output_count; o++) {
        const struct cor_efsm_label *label = &model->outputs[t->outputs[o].label];
        char *arguments = cor_strdup("");
        for (uint32_t a = 0; a < label->parameter_count; a++)
            arguments =
                cor_join_take(arguments, ", ",
                              cor_efsm_value_text(model, label->parameters[a],
                                                  cor_efsm_argument(model, transition, o, a, values)));
        text =
            cor_join_take(text, "; ", cor_call_text_take(label->name, label->parameter_count > 0, arguments));
    }
    return text;
}
