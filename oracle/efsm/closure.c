/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "closure.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

static size_t width_of(const struct cor__closure *closure) {
    return closure->model->variable_count + 1;
}

uint32_t cor__closure_location(const struct cor__closure *closure, uint64_t state) {
    return (uint32_t)closure->states[state * width_of(closure)];
}

const int64_t *cor__closure_values(const struct cor__closure *closure, uint64_t state) {
    return closure->states + state * width_of(closure) + 1;
}

/* The slot that holds the state, or the free one where it belongs. `state` has its inputs at their least. */
static uint64_t slot_of(const struct cor__closure *closure, const int64_t *state) {
    const size_t size = width_of(closure) * sizeof *state;
    uint64_t slot = cor_hash_bytes(COR_HASH_SEED, state, size) & (closure->slot_count - 1);
    while (closure->slots[slot] != 0 &&
           memcmp(closure->states + (closure->slots[slot] - 1) * width_of(closure), state, size) != 0)
        slot = (slot + 1) & (closure->slot_count - 1);
    return slot;
}

/* Location and state variables; inputs and outputs at their least, so that equal states are equal bytes. */
static void make_key(const struct cor__closure *closure, uint32_t location, const int64_t *values,
                     int64_t *key) {
    key[0] = location;
    for (uint32_t v = 0; v < closure->model->variable_count; v++)
        key[v + 1] = closure->model->variables[v].kind == COR_EFSM_STATE ? values[v]
                                                                         : closure->model->variables[v].low;
}

bool cor__closure_has(const struct cor__closure *closure, uint32_t location, const int64_t *values) {
    int64_t key[COR_EFSM_VARIABLES_MAX + 1];
    make_key(closure, location, values, key);
    return closure->slots[slot_of(closure, key)] != 0;
}

static enum cor_status grow(struct cor__closure *closure, struct cor_error *error) {
    const uint64_t wanted = closure->slot_count ? 2 * closure->slot_count : 1024;
    uint64_t *slots = cor_calloc(wanted, sizeof *slots);
    COR_TRY(cor_made(slots, error));
    free(closure->slots);
    closure->slots = slots;
    closure->slot_count = wanted;
    for (uint64_t s = 0; s < closure->count; s++)
        slots[slot_of(closure, closure->states + s * width_of(closure))] = s + 1;
    return COR_OK;
}

static enum cor_status add(struct cor__closure *closure, uint32_t location, const int64_t *values,
                           struct cor_error *error) {
    int64_t key[COR_EFSM_VARIABLES_MAX + 1];
    const size_t width = width_of(closure);
    make_key(closure, location, values, key);
    if (2 * closure->count >= closure->slot_count)
        COR_TRY(grow(closure, error));
    const uint64_t slot = slot_of(closure, key);
    if (closure->slots[slot] != 0)
        return COR_OK;
    COR_TRY(COR_RESERVE(&closure->states, &closure->capacity, (closure->count + 1) * width, error));
    memcpy(closure->states + closure->count * width, key, width * sizeof *key);
    closure->slots[slot] = ++closure->count;
    return COR_OK;
}

/* The successors of one state by one transition. */
static enum cor_status follow(struct cor__closure *closure, uint64_t state, uint32_t t, uint64_t moves_max,
                              struct cor_error *error) {
    const struct cor_efsm *model = closure->model;
    const struct cor_efsm_label *input = &model->inputs[model->transitions[t].input];
    int64_t values[COR_EFSM_VARIABLES_MAX], next[COR_EFSM_VARIABLES_MAX];
    memcpy(values, cor__closure_values(closure, state), model->variable_count * sizeof *values);
    do {
        if (closure->moves++ >= moves_max)
            return COR_OK;
        if (cor_efsm_step(model, t, values, next))
            COR_TRY(add(closure, model->transitions[t].target, next, error));
    } while (cor_efsm_next_values(model, input->parameters, input->parameter_count, values));
    return COR_OK;
}

enum cor_status cor__closure_make(struct cor__closure *closure, const struct cor_efsm *model,
                                  uint64_t states_max, uint64_t moves_max, struct cor_error *error) {
    int64_t values[COR_EFSM_VARIABLES_MAX];
    *closure = (struct cor__closure){.model = model};
    cor_efsm_start(model, values);
    COR_TRY(add(closure, model->initial, values, error));
    for (uint64_t s = 0; s < closure->count; s++) {
        if (closure->count > states_max || closure->moves >= moves_max)
            return COR_OK;
        for (uint32_t t = 0; t < model->transition_count; t++)
            if (model->transitions[t].source == cor__closure_location(closure, s))
                COR_TRY(follow(closure, s, t, moves_max, error));
    }
    closure->complete = closure->moves < moves_max;
    return COR_OK;
}

void cor__closure_fini(struct cor__closure *closure) {
    free(closure->states);
    free(closure->slots);
    *closure = (struct cor__closure){0};
}
