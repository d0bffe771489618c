/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A model in Promela and in UPPAAL's XML. Expressions are the same text in both; what a language does not
 * have is defined in front. An input that enables nothing leads back to where it was given, so that states
 * are as many as those of the model. */
#include "export.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* What a transition assigns: all at once, from the values before it. */
struct assignments {
    struct assignment {
        char *name, *value; /* owned */
    } * items;              /* owned */
    size_t capacity;
    uint32_t count;
};

void efsm__export_put(struct cor_bytes *out, const char *text) {
    cor_bytes_put(out, text, strlen(text));
}

/* As part of a comment, or of a text within quotes. */
void efsm__export_put_plain(struct cor_bytes *out, const char *text) {
    for (; *text; text++)
        cor_bytes_put(out, (unsigned char)*text < ' ' || strchr("*\"\\%", *text) ? " " : text, 1);
}

/* As text of XML. */
void efsm__export_put_escaped(struct cor_bytes *out, const char *text) {
    for (; *text; text++)
        if (*text == '<' || *text == '>' || *text == '&')
            efsm__export_put(out, *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : "&amp;");
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
        efsm__export_put(out, kind == COR_OPERATOR_EQUAL ? "true" : "false"); /* stored as 0 = 0 */
    } else if (kind < sizeof infix / sizeof *infix && infix[kind]) {
        efsm__export_put(out, is_inner ? "(" : "");
        put_node(model, x, it->left, true, out);
        efsm__export_put(out, infix[kind]);
        put_node(model, x, it->right, true, out);
        efsm__export_put(out, is_inner ? ")" : "");
    } else {
        COR_ASSERT(kind < sizeof called / sizeof *called && called[kind]);
        efsm__export_put(out, called[kind]);
        efsm__export_put(out, "(");
        put_node(model, x, it->left, false, out);
        if (kind != COR_OPERATOR_NEGATE && kind != COR_OPERATOR_NOT && kind != COR_OPERATOR_ABS) {
            efsm__export_put(out, ", ");
            put_node(model, x, it->right, false, out);
        }
        efsm__export_put(out, ")");
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
    for (uint32_t k = 0; e->goal && k < e->goal->trap_count; k++)
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
        efsm__export_put(out, " && ");
        put_expression(model, value, true, out);
        cor_bytes_print(out, side == 0 ? " >= %lld" : " <= %lld",
                        (long long)(side == 0 ? it->low : it->high));
    }
}

/* When the transition is enabled, its location aside. */
void efsm__export_put_enabled(const struct cor_efsm *model, const struct cor_efsm_transition *t,
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

/* What covers the trap, when one of its transitions is taken. */
static char *covered_by(const struct efsm__export *e, uint32_t trap, struct cor_error *error) {
    const struct cor_efsm_trap *it = &e->goal->traps[trap];
    struct cor_bytes text = {0};
    cor_bytes_print(&text, "c_%u || ", trap + 1);
    efsm__export_put(&text, it->after_count > 0 || it->previous != COR_NONE ? "(" : "");
    for (uint32_t a = 0; a < it->after_count; a++)
        cor_bytes_print(&text, "c_%u && ", it->after[a] + 1);
    if (it->previous != COR_NONE)
        cor_bytes_print(&text, "last == %u && ", it->previous + 1);
    if (it->constraint.node_count > 0)
        put_expression(e->model, &it->constraint, true, &text);
    else
        efsm__export_put(&text, "true");
    efsm__export_put(&text, it->after_count > 0 || it->previous != COR_NONE ? ")" : "");
    return cor_bytes_text_take(&text, error);
}

static enum cor_status add_take(struct assignments *all, char *name, char *value, struct cor_error *error) {
    enum cor_status status = name && value ? COR_RESERVE(&all->items, &all->capacity, all->count + 1, error)
                                           : cor_fail_memory(error);
    if (status != COR_OK) {
        free(name);
        free(value);
        return status;
    }
    all->items[all->count++] = (struct assignment){name, value};
    return COR_OK;
}

static void free_assignments(struct assignments *all) {
    for (uint32_t i = 0; i < all->count; i++) {
        free(all->items[i].name);
        free(all->items[i].value);
    }
    free(all->items);
}

/* Traps from the last, which waits for those before it: so it is written after it was read. */
static enum cor_status collect(const struct efsm__export *e, uint32_t transition, struct assignments *all,
                               struct cor_error *error) {
    const struct cor_efsm_transition *t = &e->model->transitions[transition];
    for (uint32_t k = e->goal ? e->goal->trap_count : 0; k-- > 0;)
        if (is_named(&e->goal->traps[k], transition))
            COR_TRY(add_take(all, cor_format("c_%u", k + 1), covered_by(e, k, error), error));
    for (uint32_t u = 0; u < t->update_count; u++) {
        struct cor_bytes value = {0};
        put_expression(e->model, &t->updates[u].value, false, &value);
        COR_TRY(add_take(all, cor_format("v_%s", e->model->variables[t->updates[u].variable].name),
                         cor_bytes_text_take(&value, error), error));
    }
    return e->knows_last ? add_take(all, cor_strdup("last"), cor_format("%u", transition + 1), error)
                         : COR_OK;
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
enum cor_status efsm__export_put_effects(struct efsm__export *e, uint32_t transition, struct cor_bytes *out,
                                         struct cor_error *error) {
    const char *sign = e->is_promela ? "; " : ",\n";
    struct assignments all = {0};
    enum cor_status status = COR_OK;
    COR_TRY_OUT(collect(e, transition, &all, error));
    const bool aside = reads_earlier(&all);
    for (uint32_t i = 0; aside && i < all.count; i++)
        cor_bytes_print(out, "n_%u = %s%s", i, all.items[i].value, sign);
    for (uint32_t i = 0; i < all.count; i++) {
        cor_bytes_print(out, "%s = ", all.items[i].name);
        if (aside)
            cor_bytes_print(out, "n_%u", i);
        else
            efsm__export_put(out, all.items[i].value);
        efsm__export_put(out, e->is_promela || i + 1 < all.count ? sign : "");
    }
    for (uint32_t i = 0; aside && e->is_promela && i < all.count; i++)
        cor_bytes_print(out, "n_%u = 0%s", i, sign);
    if (aside && all.count > e->temporaries)
        e->temporaries = all.count;
out:
    free_assignments(&all);
    return status;
}

void efsm__export_put_goal(const struct efsm__export *e, struct cor_bytes *out) {
    efsm__export_put(out, e->goal->trap_count == 0 ? "true" : "");
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
    COR_TRY_OUT(e.is_promela ? efsm__export_promela(&e, error) : efsm__export_uppaal(&e, error));
    *text = cor_bytes_text_take(&e.out, error);
    return *text ? COR_OK : COR_STATUS_MEMORY;
out:
    cor_bytes_fini(&e.out);
    return status;
}
