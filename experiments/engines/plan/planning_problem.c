/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/planning_problem.h>

#include <stdlib.h>
#include <string.h>

uint32_t cor_trap_words(uint32_t trap_count) {
    return trap_count == 0 ? 1 : (trap_count + 63) / 64;
}

bool cor_trap_is_in(const uint64_t *set, uint32_t trap) {
    return set[trap / 64] >> trap % 64 & 1;
}

void cor_trap_add(uint64_t *set, uint32_t trap) {
    set[trap / 64] |= UINT64_C(1) << trap % 64;
}

bool cor_all_covered(const struct cor_planning_problem *problem, const uint64_t *covered) {
    for (uint32_t trap = 0; trap < problem->trap_count; trap++)
        if (!cor_trap_is_in(covered, trap))
            return false;
    return true;
}

bool cor_trap_waits(const struct cor_planning_problem *problem, uint32_t trap, const uint64_t *covered) {
    const uint64_t *after = problem->after + (size_t)trap * problem->trap_words;
    for (uint32_t w = 0; w < problem->trap_words; w++)
        if (after[w] & ~covered[w])
            return true;
    return false;
}

bool cor_cover(const struct cor_planning_problem *problem, uint64_t *covered, uint64_t *hits) {
    uint64_t gained = 0;
    for (uint32_t w = 0; w < problem->trap_words; w++) {
        const uint64_t open = hits[w] & ~covered[w];
        hits[w] = 0;
        for (uint64_t left = open; left; left &= left - 1)
            if (!cor_trap_waits(problem, w * 64 + (uint32_t)__builtin_ctzll(left), covered))
                hits[w] |= left & -left;
    }
    for (uint32_t w = 0; w < problem->trap_words; w++) {
        covered[w] |= hits[w];
        gained |= hits[w];
    }
    return gained != 0;
}

enum cor_status cor_expand(const struct cor_planning_problem *problem, const void *state,
                           struct cor_expansion *expansion, struct cor_error *error) {
    expansion->input_count = expansion->outcome_count = 0;
    return problem->expand(problem->self, state, expansion, error);
}

enum cor_status cor_expansion_input(const struct cor_planning_problem *problem,
                                    struct cor_expansion *expansion, const void *input,
                                    struct cor_error *error) {
    const uint32_t i = expansion->input_count;
    COR_TRY(
        COR_RESERVE(&expansion->inputs, &expansion->input_capacity, (i + 1) * problem->input_size, error));
    COR_TRY(COR_RESERVE(&expansion->first, &expansion->first_capacity, i + 2, error));
    cor_copy_few(expansion->inputs + i * problem->input_size, input, problem->input_size);
    expansion->first[i] = expansion->first[i + 1] = expansion->outcome_count;
    expansion->input_count++;
    return COR_OK;
}

enum cor_status cor_expansion_outcome(const struct cor_planning_problem *problem,
                                      struct cor_expansion *expansion, struct cor_expanded_outcome outcome,
                                      const void *state, const uint64_t *hits, struct cor_error *error) {
    const uint32_t o = expansion->outcome_count;
    COR_TRY(COR_RESERVE(&expansion->outcomes, &expansion->outcome_capacity, o + 1, error));
    COR_TRY(
        COR_RESERVE(&expansion->states, &expansion->state_capacity, (o + 1) * problem->state_size, error));
    COR_TRY(COR_RESERVE(&expansion->hits, &expansion->hit_capacity, (size_t)(o + 1) * problem->trap_words,
                        error));
    expansion->outcomes[o] = outcome;
    cor_copy_few(expansion->states + o * problem->state_size, state, problem->state_size);
    for (uint32_t w = 0; w < problem->trap_words; w++)
        expansion->hits[(size_t)o * problem->trap_words + w] = hits[w];
    expansion->first[expansion->input_count] = ++expansion->outcome_count;
    return COR_OK;
}

void cor_expansion_fini(struct cor_expansion *expansion) {
    free(expansion->inputs);
    free(expansion->first);
    free(expansion->outcomes);
    free(expansion->states);
    free(expansion->hits);
    *expansion = (struct cor_expansion){0};
}
