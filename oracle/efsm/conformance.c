/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/efsm_conformance.h>
#include <corridor/efsm_inputs.h>
#include <corridor/pool.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cor_efsm_observation_clear(struct cor_efsm_observation *observation) {
    observation->label_count = observation->argument_count = 0;
}

enum cor_status cor_efsm_observation_label(struct cor_efsm_observation *observation, uint32_t label,
                                           struct cor_error *error) {
    COR_TRY(COR_RESERVE(&observation->labels, &observation->label_capacity,
                        (size_t)observation->label_count + 1, error));
    observation->labels[observation->label_count++] = label;
    return COR_OK;
}

enum cor_status cor_efsm_observation_argument(struct cor_efsm_observation *observation, int64_t value,
                                              struct cor_error *error) {
    COR_TRY(COR_RESERVE(&observation->arguments, &observation->argument_capacity,
                        (size_t)observation->argument_count + 1, error));
    observation->arguments[observation->argument_count++] = value;
    return COR_OK;
}

enum cor_status cor_efsm_observation_of(const struct cor_efsm *model, uint32_t transition,
                                        const int64_t *values, struct cor_efsm_observation *observation,
                                        struct cor_error *error) {
    const struct cor_efsm_transition *t = &model->transitions[transition];
    cor_efsm_observation_clear(observation);
    for (uint32_t o = 0; o < t->output_count; o++) {
        COR_TRY(cor_efsm_observation_label(observation, t->outputs[o].label, error));
        for (uint32_t a = 0; a < model->outputs[t->outputs[o].label].parameter_count; a++)
            COR_TRY(cor_efsm_observation_argument(observation,
                                                  cor_efsm_argument(model, transition, o, a, values), error));
    }
    return COR_OK;
}

bool cor_efsm_observation_equal(const struct cor_efsm_observation *a, const struct cor_efsm_observation *b) {
    if (a->label_count != b->label_count || a->argument_count != b->argument_count)
        return false;
    for (uint32_t i = 0; i < a->label_count; i++)
        if (a->labels[i] != b->labels[i])
            return false;
    for (uint32_t i = 0; i < a->argument_count; i++)
        if (a->arguments[i] != b->arguments[i])
            return false;
    return true;
}

void cor_efsm_observation_fini(struct cor_efsm_observation *observation) {
    COR_FREE(observation->labels, observation->arguments);
    *observation = (struct cor_efsm_observation){0};
}

size_t cor_efsm_state_width(const struct cor_efsm *model) {
    return (size_t)model->variable_count + 1;
}

void cor_efsm_state_put(const struct cor_efsm *model, uint32_t location, const int64_t *values,
                        int64_t *row) {
    row[0] = location;
    for (uint32_t v = 0; v < model->variable_count; v++)
        row[v + 1] = model->variables[v].kind == COR_EFSM_STATE ? values[v] : model->variables[v].low;
}

static enum cor_status add_explanation(struct cor_efsm_explanations *explanations,
                                       const struct cor_efsm *model, struct cor_efsm_explanation why,
                                       uint32_t location, const int64_t *values, struct cor_error *error) {
    const size_t width = cor_efsm_state_width(model), count = explanations->count;
    COR_TRY(COR_RESERVE(&explanations->items, &explanations->capacity, count + 1, error));
    COR_TRY(COR_RESERVE(&explanations->next, &explanations->next_capacity, (count + 1) * width, error));
    explanations->items[count] = why;
    cor_efsm_state_put(model, location, values, explanations->next + count * width);
    explanations->count++;
    explanations->taken += why.transition != COR_NONE;
    return COR_OK;
}

enum cor_status cor_efsm_explain(const struct cor_efsm *model, const int64_t *states, uint32_t count,
                                 uint32_t input, const int64_t *values,
                                 const struct cor_efsm_observation *observation,
                                 struct cor_efsm_explanations *explanations, struct cor_error *error) {
    const size_t width = cor_efsm_state_width(model);
    int64_t all[COR_EFSM_VARIABLES_MAX];
    explanations->count = explanations->taken = 0;
    for (uint32_t s = 0; s < count; s++) {
        memcpy(all, states + s * width + 1, model->variable_count * sizeof *all);
        cor_efsm_put_input(model, input, values, all);
        /* From one state, whose values with the input's parameters are `values`. */
        const uint32_t location = (uint32_t)states[s * width];
        int64_t next[COR_EFSM_VARIABLES_MAX];
        bool ignored = true;
        for (uint32_t t = 0; t < model->transition_count; t++) {
            const struct cor_efsm_transition *it = &model->transitions[t];
            if (it->source != location || it->input != input || !cor_efsm_step(model, t, all, next))
                continue;
            ignored = false;
            if (observation) {
                COR_TRY(cor_efsm_observation_of(model, t, all, &explanations->scratch, error));
                if (!cor_efsm_observation_equal(&explanations->scratch, observation))
                    continue;
            }
            COR_TRY(add_explanation(explanations, model, (struct cor_efsm_explanation){s, t}, it->target,
                                    next, error));
        }
        if (ignored && (!observation || observation->label_count == 0))
            COR_TRY(add_explanation(explanations, model, (struct cor_efsm_explanation){s, COR_NONE}, location,
                                    all, error));
    }
    return COR_OK;
}

static int compare_rows(const int64_t *a, const int64_t *b, size_t width) {
    for (size_t i = 0; i < width; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* Sets are small: each row is inserted where it belongs. */
uint32_t cor_efsm_states_tidy(int64_t *states, uint32_t count, size_t width) {
    int64_t row[COR_EFSM_VARIABLES_MAX + 2];
    uint32_t kept = 0;
    COR_ASSERT(width <= sizeof row / sizeof *row);
    for (uint32_t s = 0; s < count; s++) {
        uint32_t at = kept;
        memcpy(row, states + s * width, width * sizeof *row);
        while (at > 0 && compare_rows(row, states + (at - 1) * width, width) < 0)
            at--;
        if (at > 0 && compare_rows(row, states + (at - 1) * width, width) == 0)
            continue;
        memmove(states + (at + 1) * width, states + at * width, (kept - at) * width * sizeof *row);
        memcpy(states + at * width, row, width * sizeof *row);
        kept++;
    }
    return kept;
}

void cor_efsm_explanations_fini(struct cor_efsm_explanations *explanations) {
    COR_FREE(explanations->items, explanations->next);
    cor_efsm_observation_fini(&explanations->scratch);
    *explanations = (struct cor_efsm_explanations){0};
}

/* ---- A model beside another one: breadth first over what the other may be in and what the model may be in
 * after the same answers. The first answer that the model does not allow ends a shortest distinguishing test
 */

/* How a node was come to. */
struct node {
    uint32_t parent; /* COR_NONE: the start */
    uint32_t input;
};

/* Kinds of an input that are tried; where there are more nothing is proven equivalent. */
#define KINDS_MAX 4096

struct search {
    const struct cor_efsm *model, *other;
    size_t width;
    uint64_t moves_most;
    void (*doing)(const char *what);
    struct cor_pool rows; /* [node] the other's state, then the set of the model's: rows behind each other */
    struct node *nodes;   /* owned, as all below */
    int64_t *given;       /* [node][variable] parameters of its input */
    int64_t *next;
    size_t capacity, given_capacity, next_capacity;
    struct cor_efsm_explanations theirs, ours;
    struct cor_efsm_observation answer, allowed;
    struct cor_efsm_comparison *found;
    struct cor_efsm_site *sites; /* owned; [input]: one value of each kind of its parameters */
    bool partial;                /* of some input not all kinds are tried */
};

/* Its rows, until another node is met. */
static const int64_t *rows_of(const struct search *search, uint32_t node) {
    return cor_pool_item(&search->rows, node);
}

static uint32_t count_rows(const struct search *search, uint32_t node) {
    return (uint32_t)(cor_pool_item_size(&search->rows, node) / (search->width * sizeof(int64_t)));
}

/* The node of search->next, `rows` rows, which is new or not. */
static enum cor_status visit(struct search *search, uint32_t rows, uint32_t parent, uint32_t input,
                             const int64_t *values, struct cor_error *error) {
    const size_t variables = search->model->variable_count, count = search->rows.count;
    uint32_t node;
    COR_TRY(COR_RESERVE(&search->nodes, &search->capacity, count + 1, error));
    COR_TRY(COR_RESERVE(&search->given, &search->given_capacity, (count + 1) * variables + 1,
                        error)); /* never NULL */
    COR_TRY(
        cor_pool_add(&search->rows, search->next, rows * search->width * sizeof *search->next, &node, error));
    if (node < count)
        return COR_OK;
    search->nodes[node] = (struct node){parent, input};
    memcpy(search->given + node * variables, values, variables * sizeof *values);
    return COR_OK;
}

/* The inputs on the way to the node and the last one. */
static enum cor_status note_difference(struct search *search, uint32_t node, uint32_t input,
                                       const int64_t *values, struct cor_error *error) {
    struct cor_efsm_comparison *found = search->found;
    const size_t variables = search->model->variable_count;
    found->difference = COR_EFSM_DIFFERENT;
    found->is_shortest = !search->partial;
    found->length = 1;
    for (uint32_t n = node; search->nodes[n].parent != COR_NONE; n = search->nodes[n].parent)
        found->length++;
    found->inputs = cor_calloc(found->length, sizeof *found->inputs);
    found->values = cor_calloc(found->length * variables, sizeof *found->values);
    if (!found->inputs || !found->values)
        return cor_fail_memory(error);
    uint32_t at = found->length - 1;
    found->inputs[at] = input;
    memcpy(found->values + at * variables, values, variables * sizeof *values);
    for (uint32_t n = node; search->nodes[n].parent != COR_NONE; n = search->nodes[n].parent) {
        found->inputs[--at] = search->nodes[n].input;
        memcpy(found->values + at * variables, search->given + n * variables, variables * sizeof *values);
    }
    found->observation = search->answer;
    search->answer = (struct cor_efsm_observation){0};
    return COR_OK;
}

/* Those of the model's explanations that answer likewise become the set of the next node; how many rows it
 * has, its first row, the other's state, included: 1 = none. `state` has the values of the node's rows. */
static enum cor_status keep_alike(struct search *search, const int64_t *states, uint32_t input,
                                  const int64_t *values, const int64_t *other_next, uint32_t *rows,
                                  struct cor_error *error) {
    const size_t width = search->width;
    int64_t all[COR_EFSM_VARIABLES_MAX];
    COR_TRY(COR_RESERVE(&search->next, &search->next_capacity, (search->ours.count + 1) * width, error));
    memcpy(search->next, other_next, width * sizeof *other_next);
    *rows = 1;
    for (uint32_t e = 0; e < search->ours.count; e++) {
        const struct cor_efsm_explanation *why = &search->ours.items[e];
        cor_efsm_observation_clear(&search->allowed);
        if (why->transition != COR_NONE) {
            memcpy(all, states + why->state * width + 1, search->model->variable_count * sizeof *all);
            cor_efsm_put_input(search->model, input, values, all);
            COR_TRY(cor_efsm_observation_of(search->model, why->transition, all, &search->allowed, error));
        }
        if (cor_efsm_observation_equal(&search->allowed, &search->answer))
            memcpy(search->next + (*rows)++ * width, search->ours.next + e * width,
                   width * sizeof *other_next);
    }
    *rows = 1 + cor_efsm_states_tidy(search->next + width, *rows - 1, width);
    return COR_OK;
}

/* One input in one node. */
static enum cor_status try_input(struct search *search, uint32_t node, uint32_t input, const int64_t *values,
                                 struct cor_error *error) {
    const int64_t *rows = rows_of(search, node);
    const size_t width = search->width;
    int64_t all[COR_EFSM_VARIABLES_MAX];
    COR_TRY(cor_efsm_explain(search->model, rows + width, count_rows(search, node) - 1, input, values, NULL,
                             &search->ours, error));
    if (search->ours.taken == 0)
        return COR_OK;
    COR_TRY(cor_efsm_explain(search->other, rows, 1, input, values, NULL, &search->theirs, error));
    for (uint32_t e = 0; e < search->theirs.count && search->found->difference != COR_EFSM_DIFFERENT; e++) {
        uint32_t kept;
        rows = rows_of(search, node); /* may have moved */
        memcpy(all, rows + 1, search->model->variable_count * sizeof *all);
        cor_efsm_put_input(search->model, input, values, all);
        /* The other's answer by one of its explanations; into search->answer. */
        const uint32_t transition = search->theirs.items[e].transition;
        cor_efsm_observation_clear(&search->answer);
        if (transition != COR_NONE)
            COR_TRY(cor_efsm_observation_of(search->other, transition, all, &search->answer, error));
        COR_TRY(
            keep_alike(search, rows + width, input, values, search->theirs.next + e * width, &kept, error));
        if (kept == 1)
            COR_TRY(note_difference(search, node, input, values, error));
        else
            COR_TRY(visit(search, kept, node, input, values, error));
    }
    return COR_OK;
}

/* Does the model have transitions with the label where it may be? */
static bool may_take(const struct search *search, uint32_t node, uint32_t input) {
    const int64_t *rows = rows_of(search, node);
    for (uint32_t r = 1; r < count_rows(search, node); r++)
        for (uint32_t t = 0; t < search->model->transition_count; t++) {
            const struct cor_efsm_transition *it = &search->model->transitions[t];
            if (it->input == input && it->source == (uint32_t)rows[r * search->width])
                return true;
        }
    return false;
}

#define MOVES_SAID 8192u

static void say_moves(const struct search *search) {
    char text[128];
    snprintf(text, sizeof text, "%llu moves of at most %llu tried, %u states of the two met",
             (unsigned long long)search->found->moves, (unsigned long long)search->moves_most,
             search->rows.count);
    search->doing(text);
}

/* All inputs in one node, one of each kind; false in *whole: the budget is used up. */
static enum cor_status expand(struct search *search, uint32_t node, bool *whole, struct cor_error *error) {
    const struct cor_efsm *model = search->model;
    int64_t values[COR_EFSM_VARIABLES_MAX];
    for (uint32_t v = 0; v < model->variable_count; v++)
        values[v] = model->variables[v].low;
    for (uint32_t i = 0; i < model->input_count; i++) {
        const struct cor_efsm_label *label = &model->inputs[i];
        const struct cor_efsm_site *site = &search->sites[i];
        for (uint32_t v = 0; v < site->vector_count && may_take(search, node, i); v++) {
            for (uint32_t p = 0; p < label->parameter_count; p++)
                values[label->parameters[p]] = site->vectors[(size_t)v * label->parameter_count + p];
            if (search->found->moves++ >= search->moves_most) {
                *whole = false;
                return COR_OK;
            }
            if (search->doing && search->found->moves % MOVES_SAID == 0)
                say_moves(search);
            COR_TRY(try_input(search, node, i, values, error));
            if (search->found->difference == COR_EFSM_DIFFERENT)
                return COR_OK;
        }
    }
    return COR_OK;
}

/* Transitions of both models behind each other: values of parameters are of one kind if neither tells them
 * apart, wherever it is. */
static enum cor_status find_kinds(struct search *search, struct cor_error *error) {
    const struct cor_efsm *model = search->model, *other = search->other;
    struct cor_efsm both = *model;
    enum cor_status status = COR_OK;
    both.transition_count = model->transition_count + other->transition_count;
    both.transitions = cor_calloc(both.transition_count, sizeof *both.transitions);
    search->sites = cor_calloc(model->input_count, sizeof *search->sites);
    if (!both.transitions || !search->sites) {
        status = cor_fail_memory(error);
        goto out;
    }
    memcpy(both.transitions, model->transitions, model->transition_count * sizeof *both.transitions);
    memcpy(both.transitions + model->transition_count, other->transitions,
           other->transition_count * sizeof *both.transitions);
    for (uint32_t i = 0; i < model->input_count; i++) {
        struct cor_efsm_site *site = &search->sites[i];
        *site = (struct cor_efsm_site){.input = &model->inputs[i], .label = i, .most = KINDS_MAX};
        site->transitions = cor_calloc(both.transition_count, sizeof *site->transitions);
        COR_TRY_OUT(cor_made(site->transitions, error));
        for (uint32_t t = 0; t < both.transition_count; t++)
            if (both.transitions[t].input == i)
                site->transitions[site->transition_count++] = t;
        if (site->transition_count > 0)
            COR_TRY_OUT(cor_efsm_site_fill(&both, NULL, site, error));
        search->partial = search->partial || site->partial;
    }
out:
    free(both.transitions);
    return status;
}

static enum cor_status run(struct search *search, struct cor_error *error) {
    const struct cor_efsm *models[] = {search->other, search->model};
    int64_t values[COR_EFSM_VARIABLES_MAX];
    bool whole = true;
    COR_TRY(find_kinds(search, error));
    COR_TRY(COR_RESERVE(&search->next, &search->next_capacity, 2 * search->width, error));
    for (int m = 0; m < 2; m++) {
        cor_efsm_start(models[m], values);
        cor_efsm_state_put(models[m], models[m]->initial, values, search->next + (size_t)m * search->width);
    }
    COR_TRY(visit(search, 2, COR_NONE, COR_NONE, values, error));
    for (uint32_t n = 0; n < search->rows.count && whole; n++) {
        COR_TRY(expand(search, n, &whole, error));
        if (search->found->difference == COR_EFSM_DIFFERENT)
            return COR_OK;
    }
    search->found->difference = whole && !search->partial ? COR_EFSM_EQUIVALENT : COR_EFSM_UNDECIDED;
    return COR_OK;
}

enum cor_status cor_efsm_compare(const struct cor_efsm *model, const struct cor_efsm *other, uint64_t moves,
                                 void (*doing)(const char *what), struct cor_efsm_comparison *comparison,
                                 struct cor_error *error) {
    COR_ASSERT(model->variable_count == other->variable_count);
    struct search search = {.model = model,
                            .other = other,
                            .width = cor_efsm_state_width(model),
                            .moves_most = moves,
                            .doing = doing,
                            .found = comparison};
    *comparison = (struct cor_efsm_comparison){.difference = COR_EFSM_UNDECIDED};
    enum cor_status status = run(&search, error);
    for (uint32_t i = 0; search.sites && i < model->input_count; i++)
        cor_efsm_site_fini(&search.sites[i]);
    free(search.sites);
    cor_pool_fini(&search.rows);
    COR_FREE(search.nodes, search.given, search.next);
    cor_efsm_explanations_fini(&search.theirs);
    cor_efsm_explanations_fini(&search.ours);
    cor_efsm_observation_fini(&search.answer);
    cor_efsm_observation_fini(&search.allowed);
    if (status != COR_OK)
        cor_efsm_comparison_fini(comparison);
    return status;
}

void cor_efsm_comparison_fini(struct cor_efsm_comparison *comparison) {
    COR_FREE(comparison->inputs, comparison->values);
    cor_efsm_observation_fini(&comparison->observation);
    *comparison = (struct cor_efsm_comparison){0};
}
