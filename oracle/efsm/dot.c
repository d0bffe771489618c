/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model as a graph: locations, and transitions with "input [guard] / update; outputs". */
#include <corridor/efsm.h>

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* Text within double quotes. */
static char *quoted(const char *text) {
    char *copy = cor_calloc(2 * strlen(text) + 1, 1), *end = copy;
    for (; copy && *text; text++) {
        if (*text == '"' || *text == '\\')
            *end++ = '\\';
        *end++ = *text;
    }
    return copy;
}

static char *append_take(char *text, const char *before, char *more) {
    return cor_join_take(cor_join_take(text, "", cor_strdup(before)), "", more);
}

static char *input_text(const struct cor_efsm *model, const struct cor_efsm_transition *t) {
    const struct cor_efsm_label *input = &model->inputs[t->input];
    char *text = quoted(input->name);
    for (uint32_t p = 0; p < input->parameter_count; p++)
        text = append_take(text, p ? ", " : "(", quoted(model->variable_names[input->parameters[p]]));
    return input->parameter_count ? cor_join_take(text, "", cor_strdup(")")) : text;
}

static char *updates_text(const struct cor_efsm *model, const struct cor_efsm_transition *t, char *text) {
    for (uint32_t u = 0; u < t->update_count; u++) {
        text = append_take(text, u ? ", " : "\\n",
                           cor_format("%s := ", model->variable_names[t->updates[u].variable]));
        text = append_take(text, "", cor_efsm_expression_text(model, &t->updates[u].value));
    }
    return text;
}

static char *outputs_text(const struct cor_efsm *model, const struct cor_efsm_transition *t, char *text) {
    for (uint32_t o = 0; o < t->output_count; o++) {
        const struct cor_efsm_label *label = &model->outputs[t->outputs[o].label];
        text = append_take(text, o ? ", " : "\\n/ ", quoted(label->name));
        for (uint32_t a = 0; a < label->parameter_count; a++)
            text = append_take(text, a ? ", " : "(",
                               cor_efsm_expression_text(model, &t->outputs[o].arguments[a]));
        if (label->parameter_count)
            text = append_take(text, ")", cor_strdup(""));
    }
    return text;
}

static char *edge_text(const struct cor_efsm *model, const struct cor_efsm_transition *t) {
    char *text = append_take(quoted(t->id), ": ", input_text(model, t));
    if (strcmp(t->guard.text, "true") != 0)
        text = append_take(append_take(text, " [", cor_efsm_expression_text(model, &t->guard)), "]",
                           cor_strdup(""));
    text = outputs_text(model, t, updates_text(model, t, text));
    text = append_take(cor_format("  l%u -> l%u [label=\"", t->source, t->target), "", text);
    return append_take(text, "\"];\n", cor_strdup(""));
}

char *cor_efsm_dot(const struct cor_efsm *model) {
    char *text = append_take(cor_strdup("digraph \""), "", quoted(model->name));
    text = append_take(text, "\" {\n  node [shape=box, style=rounded];\n", cor_strdup(""));
    for (uint32_t l = 0; l < model->location_count; l++) {
        text = append_take(text, "", cor_format("  l%u [label=\"", l));
        text = append_take(text, "", quoted(model->location_names[l]));
        text = append_take(text, l == model->initial ? "\", penwidth=2];\n" : "\"];\n", cor_strdup(""));
    }
    for (uint32_t t = 0; t < model->transition_count; t++)
        text = append_take(text, "", edge_text(model, &model->transitions[t]));
    return append_take(text, "}\n", cor_strdup(""));
}
