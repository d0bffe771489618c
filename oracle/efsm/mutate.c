/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A mutant is made as a user would make it: the file of the model is written again with one thing else in it,
 * and read. So everything that is refused in a model is refused in a mutant. */
#include <corridor/array.h>
#include <corridor/efsm_mutants.h>

#include <stdlib.h>
#include <string.h>

struct making {
    const struct cor_efsm *model;
    const struct cor_efsm_mutant *mutant; /* NULL: a copy */
    struct cor_json_writer *writer;
    struct cor_error *error;
    enum cor_status status; /* the first failure */
};

/* The mutation is this one, of this part of this transition. */
static bool is_here(const struct making *making, uint32_t transition, enum cor_efsm_mutation mutation,
                    uint32_t item) {
    const struct cor_efsm_mutant *mutant = making->mutant;
    return mutant && mutant->transition == transition && mutant->mutation == mutation && mutant->item == item;
}

static void put_text_take(struct making *making, const char *key, char *text) {
    const enum cor_status status = cor_made(text, making->error);
    if (making->status == COR_OK)
        making->status = status;
    if (text)
        cor_json_put_string(making->writer, key, text);
    free(text);
}

/* The guard with one side of comparison `node` off by `shift`: its right side, or its left where that alone
 * is a constant. */
static char *shifted_guard(const struct cor_efsm *model, const struct cor_expression *guard, uint32_t node,
                           int shift) {
    struct cor_node *nodes = cor_calloc((size_t)guard->node_count + 2, sizeof *nodes);
    if (!nodes)
        return NULL;
    const struct cor_node *at = &guard->nodes[node];
    const bool left =
        guard->nodes[at->left].operator== COR_OPERATOR_CONSTANT && guard->nodes[at->right].operator!=
        COR_OPERATOR_CONSTANT;
    for (uint32_t n = 0; n < guard->node_count; n++) {
        struct cor_node copy = guard->nodes[n];
        if (copy.operator!= COR_OPERATOR_CONSTANT && copy.operator!= COR_OPERATOR_VARIABLE) {
            copy.left += copy.left >= node ? 2 : 0;
            copy.right += copy.right >= node ? 2 : 0;
        }
        if (n == node)
            *(left ? &copy.left : &copy.right) = node + 1;
        nodes[n < node ? n : n + 2] = copy;
    }
    nodes[node] = (struct cor_node){
        .operator= COR_OPERATOR_CONSTANT, .constant = 1, .decimals = guard->nodes[at->left].decimals};
    nodes[node + 1] = (struct cor_node){.operator= shift> 0 ? COR_OPERATOR_ADD : COR_OPERATOR_SUBTRACT,
                                        .left = left ? at->left : at->right,
                                        .right = node};
    struct cor_expression made = *guard;
    made.nodes = nodes;
    made.node_count += 2;
    char *text = cor_expression_print(&made, made.node_count - 1, &model->naming);
    free(nodes);
    return text;
}

/* The value off by one, but for where that would leave the domain of the variable; the opposite truth; the
 * next word. */
static char *shifted_value(const struct cor_efsm *model, const struct cor_expression *value,
                           uint32_t variable, int shift) {
    const struct cor_efsm_variable *it = &model->variables[variable];
    if (it->type == COR_EFSM_BOOLEAN)
        return cor_format("!(%s)", value->text);
    if (it->type == COR_EFSM_WORDS)
        return cor_efsm_literal(model, variable, (value->nodes[0].constant + 1) % (it->high + 1));
    char *bound = cor_efsm_literal(model, variable, shift > 0 ? it->high : it->low),
         *step = cor_decimal_text(1, it->decimals), *text = NULL;
    if (bound && step)
        text = cor_format("%s(%s, %s %c %s)", shift > 0 ? "min" : "max", bound, value->text,
                          shift > 0 ? '+' : '-', step);
    free(bound);
    free(step);
    return text;
}

static void put_updates(struct making *making, uint32_t transition) {
    const struct cor_efsm_transition *t = &making->model->transitions[transition];
    cor_json_open_object(making->writer, "update");
    for (uint32_t u = 0; u < t->update_count; u++) {
        const struct cor_efsm_update *update = &t->updates[u];
        const char *name = making->model->variable_names[update->variable];
        if (is_here(making, transition, COR_EFSM_MUTATION_UPDATE_DROPPED, u))
            continue;
        if (is_here(making, transition, COR_EFSM_MUTATION_UPDATE_SHIFTED, u))
            put_text_take(
                making, name,
                shifted_value(making->model, &update->value, update->variable, making->mutant->shift));
        else
            cor_json_put_string(making->writer, name, update->value.text);
    }
    cor_json_close(making->writer);
}

/* An output with the label; what `from` (may be NULL) has no argument for is at its least. */
static void put_output(struct making *making, uint32_t transition, uint32_t item, uint32_t label,
                       const struct cor_efsm_output *from) {
    const struct cor_efsm *model = making->model;
    const uint32_t known = from ? model->outputs[from->label].parameter_count : 0;
    const bool value = is_here(making, transition, COR_EFSM_MUTATION_VALUE, item);
    cor_json_open_object(making->writer, NULL);
    cor_json_put_string(making->writer, "label", model->output_names[label]);
    cor_json_open_array(making->writer, "args");
    for (uint32_t a = 0; a < model->outputs[label].parameter_count; a++) {
        const uint32_t variable = model->outputs[label].parameters[a];
        if (a >= known)
            put_text_take(making, NULL, cor_efsm_literal(model, variable, model->variables[variable].low));
        else if (value && making->mutant->argument == a)
            put_text_take(making, NULL,
                          shifted_value(model, &from->arguments[a], variable, making->mutant->shift));
        else
            cor_json_put_string(making->writer, NULL, from->arguments[a].text);
    }
    cor_json_close(making->writer);
    cor_json_close(making->writer);
}

/* `extra`: the rival that leads elsewhere, in place of the transition itself. */
static void put_transition(struct making *making, uint32_t transition, bool extra) {
    const struct cor_efsm *model = making->model;
    const struct cor_efsm_transition *t = &model->transitions[transition];
    const bool elsewhere = extra || is_here(making, transition, COR_EFSM_MUTATION_TARGET, 0);
    cor_json_open_object(making->writer, NULL);
    put_text_take(making, "id", cor_format(extra ? "%s.extra" : "%s", t->id));
    cor_json_put_string(making->writer, "src", model->location_names[t->source]);
    cor_json_put_string(making->writer, "dst",
                        model->location_names[elsewhere ? making->mutant->other : t->target]);
    cor_json_put_string(making->writer, "input", model->input_names[t->input]);
    const struct cor_efsm_mutant *mutant = making->mutant;
    const struct cor_expression *guard = &making->model->transitions[transition].guard;
    const bool here = mutant && mutant->transition == transition;
    if (here && mutant->mutation == COR_EFSM_MUTATION_GUARD_SHIFTED)
        put_text_take(making, "guard", shifted_guard(making->model, guard, mutant->item, mutant->shift));
    else if (here && mutant->mutation == COR_EFSM_MUTATION_GUARD_NEGATED)
        put_text_take(making, "guard", cor_format("!(%s)", guard->text));
    else if (here && mutant->mutation == COR_EFSM_MUTATION_GUARD_DROPPED)
        cor_json_put_string(making->writer, "guard", "true");
    else if (here && mutant->mutation == COR_EFSM_MUTATION_MISSING)
        cor_json_put_string(making->writer, "guard", "false");
    else
        cor_json_put_string(making->writer, "guard", guard->text);
    put_updates(making, transition);
    const struct cor_efsm_transition *it = &making->model->transitions[transition];
    cor_json_open_array(making->writer, "outputs");
    if (is_here(making, transition, COR_EFSM_MUTATION_OUTPUT_ADDED, 0))
        put_output(making, transition, 0, making->mutant->other, NULL);
    for (uint32_t o = 0; o < it->output_count; o++) {
        const bool other = is_here(making, transition, COR_EFSM_MUTATION_OUTPUT_LABEL, o);
        if (!is_here(making, transition, COR_EFSM_MUTATION_OUTPUT_DROPPED, o))
            put_output(making, transition, o, other ? making->mutant->other : it->outputs[o].label,
                       &it->outputs[o]);
    }
    cor_json_close(making->writer);
    cor_json_close(making->writer);
}

enum cor_status cor_efsm_mutate(const struct cor_efsm *model, const struct cor_efsm_mutant *mutant,
                                struct cor_efsm **made, struct cor_error *error) {
    struct making making = {.model = model, .mutant = mutant, .error = error};
    char *text = NULL;
    *made = NULL;
    COR_TRY(cor_json_writer_create(&making.writer, error));
    static const char *const kept[] = {"format", "name", "vars", "locations", "initial", "inputs", "outputs"};
    const struct cor_json root = cor_json_root(making.model->document);
    struct cor_json member;
    cor_json_open_object(making.writer, NULL);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (cor_json_find(&root, kept[i], &member))
            cor_json_put_value(making.writer, kept[i], &member);
    cor_json_open_array(making.writer, "transitions");
    for (uint32_t t = 0; t < making.model->transition_count; t++)
        put_transition(&making, t, false);
    if (making.mutant && making.mutant->mutation == COR_EFSM_MUTATION_EXTRA)
        put_transition(&making, making.mutant->transition, true);
    cor_json_close(making.writer);
    cor_json_close(making.writer);
    enum cor_status status = cor_json_text_take(making.writer, 0, &text, error);
    if (status == COR_OK)
        status = making.status;
    if (status == COR_OK)
        status = cor_efsm_parse(text, mutant ? mutant->name : model->name, made, error);
    free(text);
    return status;
}

enum cor_status cor_efsm_mutate_named(const struct cor_efsm *model, const struct cor_json *json,
                                      struct cor_efsm **made, struct cor_error *error) {
    struct cor_efsm_mutants mutants;
    char known[512];
    const char *name, **names = NULL;
    *made = NULL;
    COR_TRY(cor_json_string(json, &name, error));
    COR_TRY(cor_efsm_mutants_list(model, &mutants, error));
    const struct cor_efsm_mutant *mutant = cor_efsm_mutants_find(&mutants, name);
    enum cor_status status = COR_OK;
    if (!mutant) {
        names = cor_calloc((size_t)mutants.count + 1, sizeof *names);
        COR_TRY_OUT(cor_made(names, error));
        for (uint32_t m = 0; m < mutants.count; m++)
            names[m] = mutants.mutants[m].name;
        cor_known_names(name, names, known, sizeof known);
        COR_TRY_OUT(cor_json_fail(json, error, known, "there is no mutant \"%s\"", name));
    }
    COR_TRY_OUT(cor_efsm_mutate(model, mutant, made, error));
out:
    free(names);
    cor_efsm_mutants_fini(&mutants);
    return status;
}
