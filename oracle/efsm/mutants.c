/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which mutants a model has; mutants.c makes them. */
#include <corridor/array.h>
#include <corridor/efsm_mutants.h>

#include <stdlib.h>
#include <string.h>

const char *cor_efsm_mutation_word(size_t index) {
    static const char *const words[] = {"guard shifted",  "guard negated",      "guard dropped",
                                        "update shifted", "update dropped",     "wrong target",
                                        "wrong output",   "output dropped",     "output added",
                                        "wrong value",    "missing transition", "extra transition"};
    return index < sizeof words / sizeof *words ? words[index] : NULL;
}

/* Takes what follows the transition in the mutant's name. */
static enum cor_status add_mutant(const struct cor_efsm *model, struct cor_efsm_mutants *mutants,
                                  struct cor_efsm_mutant mutant, char *name_take, struct cor_error *error) {
    char *name =
        name_take ? cor_format("%s.%s", model->transition_names[mutant.transition], name_take) : NULL;
    free(name_take);
    COR_TRY(cor_made(name, error));
    mutant.name = name;
    enum cor_status status =
        COR_RESERVE(&mutants->mutants, &mutants->capacity, (size_t)mutants->count + 1, error);
    if (status != COR_OK)
        free(name);
    else
        mutants->mutants[mutants->count++] = mutant;
    return status;
}

/* What a comparison is called: by the side on which its bound stands. */
static const char *comparison_word(const struct cor_expression *guard, const struct cor_node *node) {
    if (node->operator== COR_OPERATOR_EQUAL)
        return "equal";
    if (node->operator== COR_OPERATOR_NOT_EQUAL)
        return "unequal";
    return guard->nodes[node->right].operator== COR_OPERATOR_CONSTANT  ? "high"
           : guard->nodes[node->left].operator== COR_OPERATOR_CONSTANT ? "low"
                                                                       : "bound";
}

/* A truth value or a word, which no number is added to. */
static bool is_no_number(const struct cor_efsm *model, const struct cor_node *node) {
    return node->operator==
        COR_OPERATOR_VARIABLE &&(model->variables[node->variable].type == COR_EFSM_BOOLEAN ||
                                 model->variables[node->variable].type == COR_EFSM_WORDS);
}

/* Not one of constants alone, as "true" is, and not one of truth values or words. */
static bool can_shift(const struct cor_efsm *model, const struct cor_expression *guard,
                      const struct cor_node *node) {
    return node->operator>= COR_OPERATOR_LESS && !is_no_number(model, &guard->nodes[node->left]) &&
           !is_no_number(model, &guard->nodes[node->right]) &&
           node->operator<= COR_OPERATOR_NOT_EQUAL &&(
               guard->nodes[node->left].operator!= COR_OPERATOR_CONSTANT || guard->nodes[node->right].
               operator!= COR_OPERATOR_CONSTANT);
}

static enum cor_status list_guard(const struct cor_efsm *model, uint32_t transition,
                                  struct cor_efsm_mutants *mutants, struct cor_error *error) {
    const struct cor_expression *guard = &model->transitions[transition].guard;
    struct cor_efsm_mutant mutant = {.mutation = COR_EFSM_MUTATION_GUARD_SHIFTED, .transition = transition};
    bool any = false;
    for (uint32_t n = 0; n < guard->node_count; n++) {
        any = any || is_no_number(model, &guard->nodes[n]);
        if (!can_shift(model, guard, &guard->nodes[n]))
            continue;
        const char *word = comparison_word(guard, &guard->nodes[n]);
        uint32_t before = 0; /* comparisons called so */
        for (uint32_t m = 0; m < n; m++)
            before += can_shift(model, guard, &guard->nodes[m]) &&
                      strcmp(comparison_word(guard, &guard->nodes[m]), word) == 0;
        char number[16] = "";
        if (before > 0)
            snprintf(number, sizeof number, "%u", before + 1);
        any = true;
        mutant.item = n;
        for (mutant.shift = -1; mutant.shift <= 1; mutant.shift += 2)
            COR_TRY(add_mutant(model, mutants, mutant,
                               cor_format("guard.%s%s%+d", word, number, mutant.shift), error));
    }
    if (!any)
        return COR_OK;
    mutant = (struct cor_efsm_mutant){.mutation = COR_EFSM_MUTATION_GUARD_NEGATED, .transition = transition};
    COR_TRY(add_mutant(model, mutants, mutant, cor_strdup("guard.negated"), error));
    mutant.mutation = COR_EFSM_MUTATION_GUARD_DROPPED;
    return add_mutant(model, mutants, mutant, cor_strdup("guard.dropped"), error);
}

/* "update.x+1", "update.armed.negated", "update.mode.next". */
static char *shifted_name(const char *what, const struct cor_efsm_variable *variable, int shift) {
    const char *name = variable->name;
    return variable->type == COR_EFSM_BOOLEAN ? cor_format("%s.%s.negated", what, name)
           : variable->type == COR_EFSM_WORDS ? cor_format("%s.%s.next", what, name)
                                              : cor_format("%s.%s%+d", what, name, shift);
}

/* The first of the shifts that a value has, of which the last is 1; 3: none. */
static int first_shift(const struct cor_efsm_variable *variable, const struct cor_expression *value) {
    const bool is_constant = value->node_count == 1 && value->nodes[0].operator== COR_OPERATOR_CONSTANT;
    if (variable->low == variable->high || (variable->type == COR_EFSM_WORDS && !is_constant))
        return 3;
    return variable->type == COR_EFSM_BOOLEAN || variable->type == COR_EFSM_WORDS ? 1 : -1;
}

static enum cor_status list_updates(const struct cor_efsm *model, uint32_t transition,
                                    struct cor_efsm_mutants *mutants, struct cor_error *error) {
    const struct cor_efsm_transition *t = &model->transitions[transition];
    for (uint32_t u = 0; u < t->update_count; u++) {
        const struct cor_efsm_variable *variable = &model->variables[t->updates[u].variable];
        struct cor_efsm_mutant mutant = {
            .mutation = COR_EFSM_MUTATION_UPDATE_SHIFTED, .transition = transition, .item = u};
        for (mutant.shift = first_shift(variable, &t->updates[u].value); mutant.shift <= 1; mutant.shift += 2)
            COR_TRY(
                add_mutant(model, mutants, mutant, shifted_name("update", variable, mutant.shift), error));
        mutant.shift = 0;
        mutant.mutation = COR_EFSM_MUTATION_UPDATE_DROPPED;
        COR_TRY(add_mutant(model, mutants, mutant, cor_format("update.%s.dropped", variable->name), error));
    }
    return COR_OK;
}

/* The next label that takes as many arguments, or any other; COR_NONE: there is no other. */
static uint32_t other_output(const struct cor_efsm *model, uint32_t label) {
    for (int alike = 1; alike >= 0; alike--)
        for (uint32_t i = 1; i < model->output_count; i++) {
            const uint32_t other = (label + i) % model->output_count;
            if (!alike || model->outputs[other].parameter_count == model->outputs[label].parameter_count)
                return other;
        }
    return COR_NONE;
}

static enum cor_status list_outputs(const struct cor_efsm *model, uint32_t transition,
                                    struct cor_efsm_mutants *mutants, struct cor_error *error) {
    const struct cor_efsm_transition *t = &model->transitions[transition];
    struct cor_efsm_mutant mutant = {.transition = transition};
    if (t->output_count == 0 && model->output_count > 0) {
        mutant.mutation = COR_EFSM_MUTATION_OUTPUT_ADDED;
        COR_TRY(
            add_mutant(model, mutants, mutant, cor_format("output.%s.added", model->output_names[0]), error));
    }
    for (uint32_t o = 0; o < t->output_count; o++) {
        char output[300];
        uint32_t before = 0; /* outputs called so */
        for (uint32_t i = 0; i < o; i++)
            before += t->outputs[i].label == t->outputs[o].label;
        snprintf(output, sizeof output, "%.256s", model->output_names[t->outputs[o].label]);
        if (before > 0)
            snprintf(output + strlen(output), 16, "%u", before + 1);
        mutant = (struct cor_efsm_mutant){.transition = transition, .item = o};
        mutant.other = other_output(model, t->outputs[o].label);
        mutant.mutation = COR_EFSM_MUTATION_OUTPUT_LABEL;
        if (mutant.other != COR_NONE)
            COR_TRY(add_mutant(model, mutants, mutant,
                               cor_format("output.%s=%s", output, model->output_names[mutant.other]), error));
        mutant.other = 0;
        mutant.mutation = COR_EFSM_MUTATION_OUTPUT_DROPPED;
        COR_TRY(add_mutant(model, mutants, mutant, cor_format("output.%s.dropped", output), error));
        const struct cor_efsm_output *said = &model->transitions[mutant.transition].outputs[mutant.item];
        const struct cor_efsm_label *label = &model->outputs[said->label];
        mutant.mutation = COR_EFSM_MUTATION_VALUE;
        for (mutant.argument = 0; mutant.argument < label->parameter_count; mutant.argument++) {
            const struct cor_efsm_variable *variable = &model->variables[label->parameters[mutant.argument]];
            char prefix[310];
            snprintf(prefix, sizeof prefix, "value.%s", output);
            for (mutant.shift = first_shift(variable, &said->arguments[mutant.argument]); mutant.shift <= 1;
                 mutant.shift += 2)
                COR_TRY(
                    add_mutant(model, mutants, mutant, shifted_name(prefix, variable, mutant.shift), error));
        }
    }
    return COR_OK;
}

enum cor_status cor_efsm_mutants_list(const struct cor_efsm *model, struct cor_efsm_mutants *mutants,
                                      struct cor_error *error) {
    *mutants = (struct cor_efsm_mutants){0};
    enum cor_status status = COR_OK;
    for (uint32_t t = 0; t < model->transition_count; t++) {
        COR_TRY_OUT(list_guard(model, t, mutants, error));
        COR_TRY_OUT(list_updates(model, t, mutants, error));
        COR_TRY_OUT(list_outputs(model, t, mutants, error));
        struct cor_efsm_mutant mutant = {.transition = t};
        mutant.other = (model->transitions[t].target + 1) % model->location_count;
        const char *location = model->location_names[mutant.other];
        if (model->location_count > 1) {
            mutant.mutation = COR_EFSM_MUTATION_TARGET;
            COR_TRY_OUT(add_mutant(model, mutants, mutant, cor_format("target.%s", location), error));
            mutant.mutation = COR_EFSM_MUTATION_EXTRA;
            COR_TRY_OUT(add_mutant(model, mutants, mutant, cor_format("extra.%s", location), error));
        }
        mutant.other = 0;
        mutant.mutation = COR_EFSM_MUTATION_MISSING;
        COR_TRY_OUT(add_mutant(model, mutants, mutant, cor_strdup("missing"), error));
    }
out:
    if (status != COR_OK)
        cor_efsm_mutants_fini(mutants);
    return status;
}

const struct cor_efsm_mutant *cor_efsm_mutants_find(const struct cor_efsm_mutants *mutants,
                                                    const char *name) {
    for (uint32_t m = 0; m < mutants->count; m++)
        if (strcmp(mutants->mutants[m].name, name) == 0)
            return &mutants->mutants[m];
    return NULL;
}

void cor_efsm_mutants_fini(struct cor_efsm_mutants *mutants) {
    for (uint32_t m = 0; m < mutants->count; m++)
        free(mutants->mutants[m].name);
    free(mutants->mutants);
    *mutants = (struct cor_efsm_mutants){0};
}

/* ---- A mutant is made as a user would make it: the file of the model is written again with one thing else
 * in it, and read. So everything that is refused in a model is refused in a mutant */

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
    COR_FREE(bound, step);
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
        COR_TRY_OUT(cor_made(names = cor_calloc((size_t)mutants.count + 1, sizeof *names), error));
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
