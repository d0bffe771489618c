/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which mutants a model has; mutate.c makes them. */
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
static enum cor_status add(const struct cor_efsm *model, struct cor_efsm_mutants *mutants,
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
            COR_TRY(
                add(model, mutants, mutant, cor_format("guard.%s%s%+d", word, number, mutant.shift), error));
    }
    if (!any)
        return COR_OK;
    mutant = (struct cor_efsm_mutant){.mutation = COR_EFSM_MUTATION_GUARD_NEGATED, .transition = transition};
    COR_TRY(add(model, mutants, mutant, cor_strdup("guard.negated"), error));
    mutant.mutation = COR_EFSM_MUTATION_GUARD_DROPPED;
    return add(model, mutants, mutant, cor_strdup("guard.dropped"), error);
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
            COR_TRY(add(model, mutants, mutant, shifted_name("update", variable, mutant.shift), error));
        mutant.shift = 0;
        mutant.mutation = COR_EFSM_MUTATION_UPDATE_DROPPED;
        COR_TRY(add(model, mutants, mutant, cor_format("update.%s.dropped", variable->name), error));
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

static enum cor_status list_values(const struct cor_efsm *model, struct cor_efsm_mutant mutant,
                                   const char *output, struct cor_efsm_mutants *mutants,
                                   struct cor_error *error) {
    const struct cor_efsm_output *said = &model->transitions[mutant.transition].outputs[mutant.item];
    const struct cor_efsm_label *label = &model->outputs[said->label];
    mutant.mutation = COR_EFSM_MUTATION_VALUE;
    for (mutant.argument = 0; mutant.argument < label->parameter_count; mutant.argument++) {
        const struct cor_efsm_variable *variable = &model->variables[label->parameters[mutant.argument]];
        char prefix[310];
        snprintf(prefix, sizeof prefix, "value.%s", output);
        for (mutant.shift = first_shift(variable, &said->arguments[mutant.argument]); mutant.shift <= 1;
             mutant.shift += 2)
            COR_TRY(add(model, mutants, mutant, shifted_name(prefix, variable, mutant.shift), error));
    }
    return COR_OK;
}

static enum cor_status list_outputs(const struct cor_efsm *model, uint32_t transition,
                                    struct cor_efsm_mutants *mutants, struct cor_error *error) {
    const struct cor_efsm_transition *t = &model->transitions[transition];
    struct cor_efsm_mutant mutant = {.transition = transition};
    if (t->output_count == 0 && model->output_count > 0) {
        mutant.mutation = COR_EFSM_MUTATION_OUTPUT_ADDED;
        COR_TRY(add(model, mutants, mutant, cor_format("output.%s.added", model->output_names[0]), error));
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
            COR_TRY(add(model, mutants, mutant,
                        cor_format("output.%s=%s", output, model->output_names[mutant.other]), error));
        mutant.other = 0;
        mutant.mutation = COR_EFSM_MUTATION_OUTPUT_DROPPED;
        COR_TRY(add(model, mutants, mutant, cor_format("output.%s.dropped", output), error));
        COR_TRY(list_values(model, mutant, output, mutants, error));
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
            COR_TRY_OUT(add(model, mutants, mutant, cor_format("target.%s", location), error));
            mutant.mutation = COR_EFSM_MUTATION_EXTRA;
            COR_TRY_OUT(add(model, mutants, mutant, cor_format("extra.%s", location), error));
        }
        mutant.other = 0;
        mutant.mutation = COR_EFSM_MUTATION_MISSING;
        COR_TRY_OUT(add(model, mutants, mutant, cor_strdup("missing"), error));
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
