/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tabu list of chi-RPT: for each trap and location the moves made there, as transition, state and input.
 * Only entries of the very state matter to a decision, so they are found by its hash. */
#include "chi_rpt.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

#define HEADS_FIRST 64 /* a power of two */

static enum cor_status make_heads(struct plan__tabu *tabu, uint32_t count, struct cor_error *error) {
    uint32_t *heads = cor_calloc(count, sizeof *heads);
    COR_TRY(cor_made(heads, error));
    memset(heads, 0xff, count * sizeof *heads);
    free(tabu->heads);
    tabu->heads = heads;
    tabu->head_count = count;
    return COR_OK;
}

enum cor_status plan__tabu_create(const struct cor_efsm *model, uint32_t trap_count, struct plan__tabu *tabu,
                                  struct cor_error *error) {
    *tabu = (struct plan__tabu){.model = model};
    tabu->generations = cor_calloc((size_t)trap_count * model->location_count, sizeof *tabu->generations);
    COR_TRY(cor_made(tabu->generations, error));
    return make_heads(tabu, HEADS_FIRST, error);
}

void plan__tabu_fini(struct plan__tabu *tabu) {
    free(tabu->entries);
    free(tabu->values);
    free(tabu->heads);
    free(tabu->generations);
    *tabu = (struct plan__tabu){0};
}

static const int64_t *values_of(const struct plan__tabu *tabu, uint32_t entry) {
    return tabu->values + (size_t)entry * tabu->model->variable_count;
}

static uint32_t head_of(const struct plan__tabu *tabu, uint32_t trap, uint32_t location,
                        const int64_t *values) {
    uint64_t hash = cor_hash_word(COR_HASH_SEED, (uint64_t)trap << 32 | location);
    for (uint32_t v = 0; v < tabu->model->variable_count; v++)
        if (tabu->model->variables[v].kind == COR_EFSM_STATE)
            hash = cor_hash_word(hash, (uint64_t)values[v]);
    return (uint32_t)(hash & (tabu->head_count - 1));
}

static bool same_state(const struct cor_efsm *model, const int64_t *a, const int64_t *b) {
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].kind == COR_EFSM_STATE && a[v] != b[v])
            return false;
    return true;
}

static bool same_input(const struct cor_efsm *model, uint32_t transition, const int64_t *a,
                       const int64_t *b) {
    const struct cor_efsm_label *input = &model->inputs[model->transitions[transition].input];
    for (uint32_t p = 0; p < input->parameter_count; p++)
        if (a[input->parameters[p]] != b[input->parameters[p]])
            return false;
    return true;
}

/* The next entry from `entry` on, of those in its chain, that is for the trap and the state and was not
 * emptied away. */
static uint32_t follow(const struct plan__tabu *tabu, uint32_t entry, uint32_t trap, uint32_t location,
                       const int64_t *values) {
    const uint32_t generation = tabu->generations[trap * tabu->model->location_count + location];
    for (; entry != COR_NONE; entry = tabu->entries[entry].next) {
        const struct plan__tabu_entry *e = &tabu->entries[entry];
        if (e->trap == trap && e->location == location && e->generation == generation &&
            same_state(tabu->model, values_of(tabu, entry), values))
            return entry;
    }
    return COR_NONE;
}

static void link_entry(struct plan__tabu *tabu, uint32_t entry) {
    struct plan__tabu_entry *e = &tabu->entries[entry];
    uint32_t *head = &tabu->heads[head_of(tabu, e->trap, e->location, values_of(tabu, entry))];
    e->next = *head;
    *head = entry;
}

enum cor_status plan__tabu_add(struct plan__tabu *tabu, uint32_t trap, uint32_t transition,
                               const int64_t *values, struct cor_error *error) {
    const uint32_t width = tabu->model->variable_count, entry = tabu->count;
    const uint32_t location = tabu->model->transitions[transition].source;
    COR_TRY(COR_RESERVE(&tabu->entries, &tabu->entry_capacity, entry + 1, error));
    COR_TRY(COR_RESERVE(&tabu->values, &tabu->value_capacity, ((size_t)entry + 1) * width, error));
    if (entry >= tabu->head_count) {
        COR_TRY(make_heads(tabu, 2 * tabu->head_count, error));
        for (uint32_t e = 0; e < entry; e++)
            link_entry(tabu, e);
    }
    memcpy(tabu->values + (size_t)entry * width, values, width * sizeof *values);
    tabu->entries[entry] =
        (struct plan__tabu_entry){trap, location, transition,
                                  tabu->generations[trap * tabu->model->location_count + location], COR_NONE};
    tabu->count++;
    link_entry(tabu, entry);
    return COR_OK;
}

void plan__tabu_empty(struct plan__tabu *tabu, uint32_t trap, uint32_t location) {
    tabu->generations[trap * tabu->model->location_count + location]++;
}

bool plan__tabu_knows(const struct plan__tabu *tabu, uint32_t trap, uint32_t location,
                      const int64_t *values) {
    return follow(tabu, tabu->heads[head_of(tabu, trap, location, values)], trap, location, values) !=
           COR_NONE;
}

bool plan__tabu_has(const struct plan__tabu *tabu, uint32_t trap, uint32_t transition,
                    const int64_t *values) {
    const uint32_t location = tabu->model->transitions[transition].source;
    uint32_t entry = tabu->heads[head_of(tabu, trap, location, values)];
    for (; (entry = follow(tabu, entry, trap, location, values)) != COR_NONE;
         entry = tabu->entries[entry].next)
        if (tabu->entries[entry].transition == transition &&
            same_input(tabu->model, transition, values_of(tabu, entry), values))
            return true;
    return false;
}
