/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model as a graph: locations, and transitions with "input [guard] / update; outputs". */

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/efsm.h>
#include <corridor/efsm_export.h>

#include <stdlib.h>
#include <string.h>

/* An export under way. */
struct efsm__export {
    const struct cor_efsm *model;
    const struct cor_efsm_goal *goal; /* NULL: none */
    bool is_promela, knows_last;      /* knows_last: a trap asks which transition was taken before */
    uint32_t choices;                 /* of the input with the most parameters: as many as each move takes */
    uint32_t temporaries;             /* that the longest update needs */
    struct cor_bytes out;
};
static enum cor_status export_uppaal(struct efsm__export *e, struct cor_error *error) COR_MUST_USE;
static enum cor_status export_promela(struct efsm__export *e, struct cor_error *error) COR_MUST_USE;

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

/* ---- A model in Promela and in UPPAAL's XML. Expressions are the same text in both; what a language does
 * not have is defined in front. An input that enables nothing leads back to where it was given, so that
 * states are as many as those of the model */

/* What a transition assigns: all at once, from the values before it. */
struct assignments {
    struct assignment {
        char *name, *value; /* owned */
    } * items;              /* owned */
    size_t capacity;
    uint32_t count;
};

/* A text: as it is; as part of a comment, or of a text within quotes; as text of XML. */
static void export_put(struct cor_bytes *out, const char *text) {
    cor_bytes_put(out, text, strlen(text));
}

/* As part of a comment, or of a text within quotes. */
static void export_put_plain(struct cor_bytes *out, const char *text) {
    for (; *text; text++)
        cor_bytes_put(out, (unsigned char)*text < ' ' || strchr("*\"\\%", *text) ? " " : text, 1);
}

/* As text of XML. */
static void export_put_escaped(struct cor_bytes *out, const char *text) {
    for (; *text; text++)
        if (*text == '<' || *text == '>' || *text == '&')
            export_put(out, *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : "&amp;");
        else
            cor_bytes_put(out, (unsigned char)*text < ' ' && *text != '\n' ? " " : text, 1);
}

static void put_node(const struct cor_efsm *model, const struct cor_expression *x, uint32_t node,
                     bool is_inner, struct cor_bytes *out) {
    static const char *const infix[] = {[COR_OPERATOR_ADD] = " + ",         [COR_OPERATOR_SUBTRACT] = " - ",
                                        [COR_OPERATOR_MULTIPLY] = " * ",    [COR_OPERATOR_LESS] = " < ",
                                        [COR_OPERATOR_LESS_EQUAL] = " <= ", [COR_OPERATOR_EQUAL] = " == ",
                                        [COR_OPERATOR_NOT_EQUAL] = " != ",  [COR_OPERATOR_AND] = " && ",
                                        [COR_OPERATOR_OR] = " || "};
    static const char *const called[] = {
        [COR_OPERATOR_NEGATE] = "-",        [COR_OPERATOR_DIVIDE] = "quotient_of",
        [COR_OPERATOR_MIN] = "least_of",    [COR_OPERATOR_CEIL_DIVIDE] = "ceiling_of",
        [COR_OPERATOR_MAX] = "greatest_of", [COR_OPERATOR_REMAINDER] = "remainder_of",
        [COR_OPERATOR_NOT] = "!",           [COR_OPERATOR_ABS] = "absolute_of"};
    const struct cor_node *it = &x->nodes[node];
    const enum cor_operator kind = it->operator;
    if (kind == COR_OPERATOR_CONSTANT) {
        cor_bytes_print(out, it->constant < 0 ? "(%lld)" : "%lld", (long long)it->constant);
    } else if (kind == COR_OPERATOR_VARIABLE) {
        cor_bytes_print(out, "v_%s", model->variables[it->variable].name);
    } else if ((kind == COR_OPERATOR_EQUAL || kind == COR_OPERATOR_NOT_EQUAL) && it->left == it->right) {
        export_put(out, kind == COR_OPERATOR_EQUAL ? "true" : "false"); /* stored as 0 = 0 */
    } else if (kind < sizeof infix / sizeof *infix && infix[kind]) {
        export_put(out, is_inner ? "(" : "");
        put_node(model, x, it->left, true, out);
        export_put(out, infix[kind]);
        put_node(model, x, it->right, true, out);
        export_put(out, is_inner ? ")" : "");
    } else {
        COR_ASSERT(kind < sizeof called / sizeof *called && called[kind]);
        export_put(out, called[kind]);
        export_put(out, "(");
        put_node(model, x, it->left, false, out);
        if (kind != COR_OPERATOR_NEGATE && kind != COR_OPERATOR_NOT && kind != COR_OPERATOR_ABS) {
            export_put(out, ", ");
            put_node(model, x, it->right, false, out);
        }
        export_put(out, ")");
    }
}

static void put_expression(const struct cor_efsm *model, const struct cor_expression *x, bool is_inner,
                           struct cor_bytes *out) {
    put_node(model, x, x->node_count - 1, is_inner, out);
}

static struct cor_value_range range_of(const struct cor_efsm *model, const struct cor_expression *x,
                                       struct cor_value_range *nodes) {
    int64_t low[COR_EFSM_VARIABLES_MAX], high[COR_EFSM_VARIABLES_MAX];
    for (uint32_t v = 0; v < model->variable_count; v++) {
        low[v] = model->variables[v].low;
        high[v] = model->variables[v].high;
    }
    cor_expression_intervals(x, low, high, nodes);
    return nodes[x->node_count - 1];
}

static enum cor_status check_range(const struct efsm__export *e, const struct cor_expression *x,
                                   struct cor_error *error) {
    struct cor_value_range nodes[COR_EXPRESSION_NODES_MAX];
    if (x->node_count == 0)
        return COR_OK;
    (void)range_of(e->model, x, nodes);
    for (uint32_t i = 0; i < x->node_count; i++)
        if (nodes[i].low < -COR_EFSM_EXPORT_MAX || nodes[i].high > COR_EFSM_EXPORT_MAX)
            return cor_fail(error, COR_STATUS_INPUT, cor_json_name(e->model->document),
                            "narrow domains: spin and UPPAAL reckon with 32 bits",
                            "\"%s\" can leave %d .. %d", x->text, -COR_EFSM_EXPORT_MAX, COR_EFSM_EXPORT_MAX);
    return COR_OK;
}

static enum cor_status check_ranges(const struct efsm__export *e, struct cor_error *error) {
    const struct cor_efsm *model = e->model;
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].low < -COR_EFSM_EXPORT_MAX || model->variables[v].high > COR_EFSM_EXPORT_MAX)
            return cor_fail(error, COR_STATUS_INPUT, cor_json_name(model->document),
                            "narrow it: spin and UPPAAL reckon with 32 bits",
                            "the domain of \"%s\" leaves %d .. %d", model->variables[v].name,
                            -COR_EFSM_EXPORT_MAX, COR_EFSM_EXPORT_MAX);
    for (uint32_t i = 0; i < model->transition_count; i++) {
        const struct cor_efsm_transition *t = &model->transitions[i];
        COR_TRY(check_range(e, &t->guard, error));
        for (uint32_t u = 0; u < t->update_count; u++)
            COR_TRY(check_range(e, &t->updates[u].value, error));
        for (uint32_t o = 0; o < t->output_count; o++)
            for (uint32_t a = 0; a < model->outputs[t->outputs[o].label].parameter_count; a++)
                COR_TRY(check_range(e, &t->outputs[o].arguments[a], error));
    }
    for (uint32_t k = 0; e->goal && k < e->goal->trap_count + e->goal->way_count; k++)
        COR_TRY(check_range(e, &e->goal->traps[k].constraint, error));
    return COR_OK;
}

/* That what is assigned stays within the variable's domain, where it might not. */
static void put_within(const struct cor_efsm *model, const struct cor_expression *value, uint32_t variable,
                       struct cor_bytes *out) {
    struct cor_value_range nodes[COR_EXPRESSION_NODES_MAX];
    const struct cor_efsm_variable *it = &model->variables[variable];
    const struct cor_value_range range = range_of(model, value, nodes);
    for (int side = 0; side < 2; side++) {
        if (side == 0 ? range.low >= it->low : range.high <= it->high)
            continue;
        export_put(out, " && ");
        put_expression(model, value, true, out);
        cor_bytes_print(out, side == 0 ? " >= %lld" : " <= %lld",
                        (long long)(side == 0 ? it->low : it->high));
    }
}

/* When the transition is enabled, its location aside. */
static void export_put_enabled(const struct cor_efsm *model, const struct cor_efsm_transition *t,
                               struct cor_bytes *out) {
    put_expression(model, &t->guard, true, out);
    for (uint32_t u = 0; u < t->update_count; u++)
        put_within(model, &t->updates[u].value, t->updates[u].variable, out);
    for (uint32_t o = 0; o < t->output_count; o++) {
        const struct cor_efsm_label *label = &model->outputs[t->outputs[o].label];
        for (uint32_t a = 0; a < label->parameter_count; a++)
            put_within(model, &t->outputs[o].arguments[a], label->parameters[a], out);
    }
}

static bool is_named(const struct cor_efsm_trap *trap, uint32_t transition) {
    for (uint32_t i = 0; i < trap->transition_count; i++)
        if (trap->transitions[i] == transition)
            return true;
    return false;
}

static void put_way(const struct efsm__export *e, const struct cor_efsm_trap *it, struct cor_bytes *text) {
    const bool is_joined = it->after_count > 0 || it->denied_count > 0 || it->previous != COR_NONE;
    export_put(text, is_joined ? "(" : "");
    for (uint32_t a = 0; a < it->after_count; a++)
        cor_bytes_print(text, "c_%u && ", it->after[a] + 1);
    for (uint32_t d = 0; d < it->denied_count; d++)
        cor_bytes_print(text, "!c_%u && ", it->denied[d] + 1);
    if (it->previous != COR_NONE)
        cor_bytes_print(text, "last == %u && ", it->previous + 1);
    if (it->constraint.node_count > 0)
        put_expression(e->model, &it->constraint, true, text);
    else
        export_put(text, "true");
    export_put(text, is_joined ? ")" : "");
}

/* What covers the trap, when one of its transitions is taken. */
static char *covered_by(const struct efsm__export *e, uint32_t trap, struct cor_error *error) {
    struct cor_bytes text = {0};
    cor_bytes_print(&text, "c_%u", trap + 1);
    for (uint32_t k = trap; k < e->goal->trap_count + e->goal->way_count; k++)
        if (k == trap || e->goal->traps[k].way_of == trap) {
            export_put(&text, " || ");
            put_way(e, &e->goal->traps[k], &text);
        }
    return cor_bytes_text_take(&text, error);
}

static enum cor_status add_take(struct assignments *all, char *name, char *value, struct cor_error *error) {
    enum cor_status status = name && value ? COR_RESERVE(&all->items, &all->capacity, all->count + 1, error)
                                           : cor_fail_memory(error);
    if (status != COR_OK) {
        COR_FREE(name, value);
        return status;
    }
    all->items[all->count++] = (struct assignment){name, value};
    return COR_OK;
}

/* One assignment reads what an earlier one has written. */
static bool reads_earlier(const struct assignments *all) {
    for (uint32_t i = 0; i < all->count; i++)
        for (uint32_t j = i + 1; j < all->count; j++)
            if (strstr(all->items[j].value, all->items[i].name))
                return true;
    return false;
}

/* One behind the other; where that is not the same as all at once, by way of temporaries. */
static enum cor_status export_put_effects(struct efsm__export *e, uint32_t transition, struct cor_bytes *out,
                                          struct cor_error *error) {
    const char *sign = e->is_promela ? "; " : ",\n";
    struct assignments all = {0};
    enum cor_status status = COR_OK;
    /* Traps from the last, which waits for those before it: so it is written after it was read. */
    const struct cor_efsm_transition *t = &e->model->transitions[transition];
    for (uint32_t k = e->goal ? e->goal->trap_count : 0; k-- > 0;)
        if (is_named(&e->goal->traps[k], transition))
            COR_TRY_OUT(add_take(&all, cor_format("c_%u", k + 1), covered_by(e, k, error), error));
    for (uint32_t u = 0; u < t->update_count; u++) {
        struct cor_bytes value = {0};
        put_expression(e->model, &t->updates[u].value, false, &value);
        COR_TRY_OUT(add_take(&all, cor_format("v_%s", e->model->variables[t->updates[u].variable].name),
                             cor_bytes_text_take(&value, error), error));
    }
    COR_TRY_OUT(e->knows_last ? add_take(&all, cor_strdup("last"), cor_format("%u", transition + 1), error)
                              : COR_OK);
    const bool aside = reads_earlier(&all);
    for (uint32_t i = 0; aside && i < all.count; i++)
        cor_bytes_print(out, "n_%u = %s%s", i, all.items[i].value, sign);
    for (uint32_t i = 0; i < all.count; i++) {
        cor_bytes_print(out, "%s = ", all.items[i].name);
        if (aside)
            cor_bytes_print(out, "n_%u", i);
        else
            export_put(out, all.items[i].value);
        export_put(out, e->is_promela || i + 1 < all.count ? sign : "");
    }
    for (uint32_t i = 0; aside && e->is_promela && i < all.count; i++)
        cor_bytes_print(out, "n_%u = 0%s", i, sign);
    if (aside && all.count > e->temporaries)
        e->temporaries = all.count;
out:
    for (uint32_t i = 0; i < all.count; i++) {
        COR_FREE(all.items[i].name, all.items[i].value);
    }
    free(all.items);
    return status;
}

/* That all traps are covered. */
static void export_put_goal(const struct efsm__export *e, struct cor_bytes *out) {
    export_put(out, e->goal->trap_count == 0 ? "true" : "");
    for (uint32_t k = 0; k < e->goal->trap_count; k++)
        cor_bytes_print(out, "%sc_%u", k > 0 ? " && " : "", k + 1);
}

enum cor_status cor_efsm_export(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                enum cor_efsm_language language, char **text, struct cor_error *error) {
    struct efsm__export e = {.model = model, .goal = goal, .is_promela = language == COR_EFSM_PROMELA};
    enum cor_status status = COR_OK;
    *text = NULL;
    COR_TRY(check_ranges(&e, error));
    for (uint32_t k = 0; goal && k < goal->trap_count; k++)
        e.knows_last = e.knows_last || goal->traps[k].previous != COR_NONE;
    for (uint32_t i = 0; i < model->input_count; i++)
        if (model->inputs[i].parameter_count > e.choices)
            e.choices = model->inputs[i].parameter_count;
    COR_TRY_OUT(e.is_promela ? export_promela(&e, error) : export_uppaal(&e, error));
    *text = cor_bytes_text_take(&e.out, error);
    return *text ? COR_OK : COR_STATUS_MEMORY;
out:
    cor_bytes_fini(&e.out);
    return status;
}

/* ---- the files: Promela of spin, XML of UPPAAL */

#define CHOICES_MAX 64 /* values of a parameter that are written out; of more, one is counted up to */

static void put_call(const struct cor_efsm *model, const struct cor_efsm_transition *t,
                     struct cor_bytes *out) {
    const struct cor_efsm_label *input = &model->inputs[t->input];
    export_put_plain(out, t->id);
    export_put(out, ": ");
    export_put_plain(out, input->name);
    for (uint32_t p = 0; p < input->parameter_count; p++)
        cor_bytes_print(out, "%s%s", p > 0 ? ", " : "(", model->variable_names[input->parameters[p]]);
    export_put(out, input->parameter_count > 0 ? ")" : "");
}

/* In spin a move is: here, one choice for each parameter, a step that changes all at once, and a look. */
static enum cor_status put_option(struct efsm__export *e, uint32_t transition, struct cor_bytes *out,
                                  struct cor_error *error) {
    const struct cor_efsm *model = e->model;
    const struct cor_efsm_transition *t = &model->transitions[transition];
    const struct cor_efsm_label *input = &model->inputs[t->input];
    export_put(out, "  /* ");
    put_call(model, t, out);
    cor_bytes_print(out, " */\n  :: atomic { location == %u ->\n", t->source);
    for (uint32_t p = 0; p < input->parameter_count; p++) {
        /* The values of a parameter, one of which is chosen. */
        const struct cor_efsm_variable *parameter = &model->variables[input->parameters[p]];
        const char *name = parameter->name;
        const long long low = parameter->low, high = parameter->high;
        if (high - low >= CHOICES_MAX) {
            /* spin refuses a break that leads into a d_step: something has to stand between */
            cor_bytes_print(out, "    v_%s = %lld; do :: v_%s < %lld -> v_%s++ :: break od; skip;\n", name,
                            low, name, high, name);
            continue;
        }
        export_put(out, "    if");
        for (long long value = low; value <= high; value++)
            cor_bytes_print(out, " :: v_%s = %lld", name, value);
        export_put(out, " fi;\n");
    }
    for (uint32_t p = input->parameter_count; p < e->choices; p++)
        export_put(out, "    if :: none = 0 :: none = 0 fi;\n");
    export_put(out, "    d_step { if :: ");
    export_put_enabled(model, t, out);
    export_put(out, " ->\n      printf(\"move ");
    export_put_plain(out, t->id);
    export_put(out, " ");
    export_put_plain(out, input->name);
    for (uint32_t p = 0; p < input->parameter_count; p++)
        export_put(out, " %d");
    export_put(out, "\\n\"");
    for (uint32_t p = 0; p < input->parameter_count; p++)
        cor_bytes_print(out, ", v_%s", model->variable_names[input->parameters[p]]);
    export_put(out, ");\n      ");
    COR_TRY(export_put_effects(e, transition, out, error));
    cor_bytes_print(out, "location = %u\n      :: else -> skip fi", t->target);
    for (uint32_t p = 0; p < input->parameter_count; p++)
        cor_bytes_print(out, "; v_%s = %lld", model->variable_names[input->parameters[p]],
                        (long long)model->variables[input->parameters[p]].low);
    export_put(out, " }");
    if (e->goal) {
        export_put(out, ";\n    assert(!(");
        export_put_goal(e, out);
        export_put(out, "))");
    }
    export_put(out, " }\n");
    return COR_OK;
}

static const char promela_words[] =
    "#define quotient_of(a, b) ((a) >= 0 -> (a) / (b) : -(((b) - 1 - (a)) / (b)))\n"
    "#define remainder_of(a, b) ((((a) % (b)) + (b)) % (b))\n"
    "#define ceiling_of(a, b) (-quotient_of(-(a), b))\n"
    "#define least_of(a, b) ((a) < (b) -> (a) : (b))\n"
    "#define greatest_of(a, b) ((a) > (b) -> (a) : (b))\n"
    "#define absolute_of(a) ((a) < 0 -> -(a) : (a))\n\n";

static const char uppaal_words[] =
    "typedef int[-1073741823,1073741823] number;\n"
    "number quotient_of(number a, number b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }\n"
    "number remainder_of(number a, number b) { return ((a % b) + b) % b; }\n"
    "number ceiling_of(number a, number b) { return -quotient_of(-a, b); }\n"
    "number least_of(number a, number b) { return a < b ? a : b; }\n"
    "number greatest_of(number a, number b) { return a > b ? a : b; }\n"
    "number absolute_of(number a) { return a < 0 ? -a : a; }\n";

static const char *promela_type(const struct cor_efsm_variable *variable) {
    if (variable->low >= 0 && variable->high <= 255)
        return variable->high <= 1 ? "bit" : "byte";
    return variable->low >= -32768 && variable->high <= 32767 ? "short" : "int";
}

static void put_traps(const struct efsm__export *e, struct cor_bytes *out) {
    for (uint32_t k = 0; e->goal && k < e->goal->trap_count; k++) {
        cor_bytes_print(out, "bool c_%u = false; %s ", k + 1, e->is_promela ? "/*" : "//");
        export_put_plain(out, e->goal->traps[k].id);
        export_put(out, e->is_promela ? " */\n" : "\n");
    }
    if (e->knows_last)
        cor_bytes_print(out, e->is_promela ? "short last = 0;\n" : "int[0,%u] last = 0;\n",
                        e->model->transition_count);
    for (uint32_t i = 0; i < e->temporaries; i++)
        cor_bytes_print(out, e->is_promela ? "int n_%u;\n" : "meta number n_%u;\n", i);
}

/* What the integers of typed variables stand for, a comment a line. */
static void put_types(const struct efsm__export *e, struct cor_bytes *out) {
    const struct cor_efsm *model = e->model;
    for (uint32_t v = 0; v < model->variable_count; v++) {
        const struct cor_efsm_variable *it = &model->variables[v];
        if (it->type != COR_EFSM_WORDS && it->type != COR_EFSM_DECIMALS)
            continue;
        cor_bytes_print(out, e->is_promela ? "/* v_%s:" : "// v_%s:", it->name);
        for (uint32_t w = 0; it->words && it->words[w]; w++) {
            cor_bytes_print(out, "%s %u ", w > 0 ? "," : "", w);
            export_put_plain(out, it->words[w]);
        }
        if (it->type == COR_EFSM_DECIMALS)
            cor_bytes_print(out, " units of 1/%lld", (long long)cor_power_of_ten(it->decimals));
        export_put(out, e->is_promela ? " */\n" : "\n");
    }
}

/* The whole file into `out`. */
static enum cor_status export_promela(struct efsm__export *e, struct cor_error *error) {
    const struct cor_efsm *model = e->model;
    struct cor_bytes *out = &e->out;
    COR_FINISHED(cor_bytes) struct cor_bytes options = {0};
    enum cor_status status = COR_OK;
    for (uint32_t t = 0; t < model->transition_count; t++)
        COR_TRY_OUT(put_option(e, t, &options, error));
    export_put(out, "/* ");
    export_put_plain(out, model->name);
    export_put(out, ". Locations:");
    for (uint32_t l = 0; l < model->location_count; l++) {
        cor_bytes_print(out, " %u ", l);
        export_put_plain(out, model->location_names[l]);
    }
    export_put(out, "\n * spin -o2 -run -bfs FILE; spin -t FILE (-bfs: with a goal) */\n");
    put_types(e, out);
    export_put(out, promela_words);
    cor_bytes_print(out, "short location = %u;\n", model->initial);
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].kind == COR_EFSM_STATE)
            cor_bytes_print(out, "%s v_%s = %lld;\n", promela_type(&model->variables[v]),
                            model->variables[v].name, (long long)model->variables[v].initial);
    put_traps(e, out);
    export_put(out, "\nactive proctype system() {\n");
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].kind == COR_EFSM_PARAMETER)
            cor_bytes_print(out, "  int v_%s = %lld;\n", model->variables[v].name,
                            (long long)model->variables[v].low);
    export_put(out, "  bit none = 0;\nend:\n  do\n");
    export_put(out, cor_bytes_text(&options));
    export_put(out, "  od\n}\n");
    status = options.status;
out:
    return status == COR_STATUS_MEMORY ? cor_fail_memory(error) : status;
}

static void put_label(const char *kind, const struct cor_bytes *text, struct cor_bytes *out) {
    if (text->status != COR_OK)
        out->status = text->status;
    if (text->size == 0)
        return;
    cor_bytes_print(out, "      <label kind=\"%s\">", kind);
    export_put_escaped(out, cor_bytes_text(text));
    export_put(out, "</label>\n");
}

static enum cor_status put_edge(struct efsm__export *e, uint32_t transition, struct cor_bytes *out,
                                struct cor_error *error) {
    const struct cor_efsm *model = e->model;
    const struct cor_efsm_transition *t = &model->transitions[transition];
    const struct cor_efsm_label *input = &model->inputs[t->input];
    COR_FINISHED(cor_bytes) struct cor_bytes text = {0};
    enum cor_status status = COR_OK;
    cor_bytes_print(out, "    <transition>\n      <source ref=\"l%u\"/>\n      <target ref=\"l%u\"/>\n",
                    t->source, t->target);
    for (uint32_t p = 0; p < input->parameter_count; p++) {
        const struct cor_efsm_variable *it = &model->variables[input->parameters[p]];
        cor_bytes_print(&text, "%sv_%s : int[%lld,%lld]", p > 0 ? ",\n" : "", it->name, (long long)it->low,
                        (long long)it->high);
    }
    put_label("select", &text, out);
    cor_bytes_clear(&text);
    export_put_enabled(model, t, &text);
    put_label("guard", &text, out);
    cor_bytes_clear(&text);
    COR_TRY_OUT(export_put_effects(e, transition, &text, error));
    put_label("assignment", &text, out);
    cor_bytes_clear(&text);
    put_call(model, t, &text);
    put_label("comments", &text, out);
    export_put(out, "    </transition>\n");
    status = text.status;
out:
    return status == COR_STATUS_MEMORY ? cor_fail_memory(error) : status;
}

static enum cor_status export_uppaal(struct efsm__export *e, struct cor_error *error) {
    const struct cor_efsm *model = e->model;
    struct cor_bytes *out = &e->out;
    COR_FINISHED(cor_bytes) struct cor_bytes edges = {0}, goal = {0}, traps = {0};
    enum cor_status status = COR_OK;
    for (uint32_t t = 0; t < model->transition_count; t++)
        COR_TRY_OUT(put_edge(e, t, &edges, error));
    export_put(out,
               "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
               "<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.1//EN' "
               "'http://www.it.uu.se/research/group/darts/uppaal/flat-1_2.dtd'>\n<nta>\n  <declaration>");
    export_put_escaped(out, uppaal_words);
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].kind == COR_EFSM_STATE)
            cor_bytes_print(out, "int[%lld,%lld] v_%s = %lld;\n", (long long)model->variables[v].low,
                            (long long)model->variables[v].high, model->variables[v].name,
                            (long long)model->variables[v].initial);
    put_types(e, &traps);
    put_traps(e, &traps);
    export_put_escaped(out, cor_bytes_text(&traps));
    export_put(out, "</declaration>\n  <template>\n    <name>Model</name>\n");
    for (uint32_t l = 0; l < model->location_count; l++) {
        /* A location, by a name that UPPAAL takes: letters and digits. */
        cor_bytes_print(out, "    <location id=\"l%u\" x=\"%u\" y=\"%u\">\n      <name>l%u_", l, l % 4 * 200,
                        l / 4 * 200, l);
        for (const char *at = model->location_names[l]; *at; at++)
            cor_bytes_put(
                out, strchr("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", *at) ? at : "_",
                1);
        export_put(out, "</name>\n    </location>\n");
    }
    cor_bytes_print(out, "    <init ref=\"l%u\"/>\n", model->initial);
    export_put(out, cor_bytes_text(&edges));
    export_put(out, "  </template>\n  <system>system Model;</system>\n");
    if (e->goal) {
        export_put_goal(e, &goal);
        export_put(out, "  <queries>\n    <query>\n      <formula>E&lt;&gt; ");
        export_put_escaped(out, cor_bytes_text(&goal));
        export_put(out, "</formula>\n      <comment/>\n    </query>\n  </queries>\n");
    }
    export_put(out, "</nta>\n");
    status = edges.status != COR_OK ? edges.status : goal.status != COR_OK ? goal.status : traps.status;
out:
    return status == COR_STATUS_MEMORY ? cor_fail_memory(error) : status;
}
