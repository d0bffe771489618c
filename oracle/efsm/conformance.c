/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/efsm_conformance.h>

#include <corridor/array.h>

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
    free(observation->labels);
    free(observation->arguments);
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

static enum cor_status add(struct cor_efsm_explanations *explanations, const struct cor_efsm *model,
                           struct cor_efsm_explanation why, uint32_t location, const int64_t *values,
                           struct cor_error *error) {
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
            COR_TRY(add(explanations, model, (struct cor_efsm_explanation){s, t}, it->target, next, error));
        }
        if (ignored && (!observation || observation->label_count == 0))
            COR_TRY(
                add(explanations, model, (struct cor_efsm_explanation){s, COR_NONE}, location, all, error));
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
    free(explanations->items);
    free(explanations->next);
    cor_efsm_observation_fini(&explanations->scratch);
    *explanations = (struct cor_efsm_explanations){0};
}
