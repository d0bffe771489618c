/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "closure.h"

#include <string.h>

static const int64_t *row_of(const struct efsm__closure *closure, uint32_t state) {
    return cor_pool_item(&closure->states, state);
}

uint32_t efsm__closure_location(const struct efsm__closure *closure, uint32_t state) {
    return (uint32_t)row_of(closure, state)[0];
}

const int64_t *efsm__closure_values(const struct efsm__closure *closure, uint32_t state) {
    return row_of(closure, state) + 1;
}

/* Location and state variables; inputs and outputs at their least, so that equal states are equal bytes. */
static void make_key(const struct efsm__closure *closure, uint32_t location, const int64_t *values,
                     int64_t *key) {
    key[0] = location;
    for (uint32_t v = 0; v < closure->model->variable_count; v++)
        key[v + 1] = closure->model->variables[v].kind == COR_EFSM_STATE ? values[v]
                                                                         : closure->model->variables[v].low;
}

bool efsm__closure_has(const struct efsm__closure *closure, uint32_t location, const int64_t *values) {
    int64_t key[COR_EFSM_VARIABLES_MAX + 1];
    make_key(closure, location, values, key);
    return cor_pool_find(&closure->states, key, closure->states.size) != COR_NONE;
}

static enum cor_status add(struct efsm__closure *closure, uint32_t location, const int64_t *values,
                           struct cor_error *error) {
    int64_t key[COR_EFSM_VARIABLES_MAX + 1];
    uint32_t number;
    make_key(closure, location, values, key);
    return cor_pool_add(&closure->states, key, closure->states.size, &number, error);
}

/* The successors of one state by one transition. */
static enum cor_status follow(struct efsm__closure *closure, uint32_t state, uint32_t t, uint64_t moves_max,
                              struct cor_error *error) {
    const struct cor_efsm *model = closure->model;
    const struct cor_efsm_label *input = &model->inputs[model->transitions[t].input];
    int64_t values[COR_EFSM_VARIABLES_MAX], next[COR_EFSM_VARIABLES_MAX];
    memcpy(values, efsm__closure_values(closure, state), model->variable_count * sizeof *values);
    do {
        if (closure->moves++ >= moves_max)
            return COR_OK;
        if (cor_efsm_step(model, t, values, next))
            COR_TRY(add(closure, model->transitions[t].target, next, error));
    } while (cor_efsm_next_values(model, input->parameters, input->parameter_count, values));
    return COR_OK;
}

enum cor_status efsm__closure_make(struct efsm__closure *closure, const struct cor_efsm *model,
                                   uint64_t states_max, uint64_t moves_max, struct cor_error *error) {
    int64_t values[COR_EFSM_VARIABLES_MAX];
    *closure =
        (struct efsm__closure){.model = model, .states.size = (model->variable_count + 1) * sizeof *values};
    cor_efsm_start(model, values);
    COR_TRY(add(closure, model->initial, values, error));
    for (uint32_t s = 0; s < closure->states.count; s++) {
        if (closure->states.count > states_max || closure->moves >= moves_max)
            return COR_OK;
        for (uint32_t t = 0; t < model->transition_count; t++)
            if (model->transitions[t].source == efsm__closure_location(closure, s))
                COR_TRY(follow(closure, s, t, moves_max, error));
    }
    closure->complete = closure->moves < moves_max;
    return COR_OK;
}

void efsm__closure_fini(struct efsm__closure *closure) {
    cor_pool_fini(&closure->states);
    *closure = (struct efsm__closure){0};
}
