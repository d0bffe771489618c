/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sizes and types of groups, where the model says how large groups are or how many agents of a type there
 * are. */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

enum cor_status interaction__draw_group_sizes(const struct cor_suite *suite,
                                              const struct cor_numbers *numbers, uint32_t *groups,
                                              uint32_t **sizes, struct cor_error *error) {
    struct cor_rng rng = interaction__suite_rng(suite, COR_PURPOSE_GROUPS, 3);
    const int64_t agents = numbers->agents, low = numbers->group_size_min, high = numbers->group_size_max;
    const int64_t least = (agents + high - 1) / high, most = agents / low;
    int64_t count = numbers->groups;
    if (least > most || (count > 0 && (count < least || count > most)))
        return cor_fail(error, COR_STATUS_UNSATISFIABLE, suite->experiment->path,
                        "add a constraint that keeps them possible",
                        "suite %u of arm %s: %lld agents cannot form %s%.0lld groups of %lld to %lld agents",
                        suite->index, suite->arm->name, (long long)agents, count > 0 ? "" : "any",
                        (long long)count, (long long)low, (long long)high);
    if (count == 0)
        count = cor_rng_between(&rng, least, most);
    *groups = (uint32_t)count;
    *sizes = cor_calloc((size_t)count, sizeof **sizes);
    COR_TRY(cor_made(*sizes, error));
    /* All have the least size; each agent that is left joins one of the groups that have room. */
    uint32_t open = (uint32_t)count;
    uint32_t *with_room = cor_calloc((size_t)count, sizeof *with_room);
    COR_TRY(cor_made(with_room, error));
    for (uint32_t g = 0; g < open; g++) {
        (*sizes)[g] = (uint32_t)low;
        with_room[g] = g;
    }
    for (int64_t left = agents - count * low; left > 0 && low < high; left--) {
        const uint32_t at = cor_rng_below(&rng, open), group = with_room[at];
        if (++(*sizes)[group] == high)
            with_room[at] = with_room[--open];
    }
    free(with_room);
    return COR_OK;
}

/* Numbers of agents of all types: as they are said; what is left goes to the types that say nothing, each
 * agent to any. */
static void count_types(const struct cor_suite *suite, const struct cor_numbers *numbers, struct cor_rng *rng,
                        int64_t *counts) {
    const uint32_t types = suite->experiment->model->type_count;
    uint32_t free_types[COR_TYPES_MAX], free_count = 0;
    int64_t left = numbers->agents;
    for (uint32_t t = 0; t < types; t++) {
        counts[t] = numbers->type_count[t] >= 0 ? numbers->type_count[t] : 0;
        left -= counts[t];
        if (numbers->type_count[t] < 0)
            free_types[free_count++] = t;
    }
    COR_ASSERT(left == 0 || (left > 0 && free_count > 0)); /* a constraint of the laws */
    for (; left > 0; left--)
        counts[free_types[cor_rng_below(rng, free_count)]]++;
}

enum cor_status interaction__draw_types(const struct cor_suite *suite, const struct cor_numbers *numbers,
                                        struct cor_population *population, struct cor_error *error) {
    struct cor_rng rng = interaction__suite_rng(suite, COR_PURPOSE_GROUPS, 4);
    const uint32_t types = suite->experiment->model->type_count, agents = (uint32_t)numbers->agents;
    int64_t counts[COR_TYPES_MAX];
    uint32_t at = 0;
    count_types(suite, numbers, &rng, counts);
    population->types = cor_calloc(agents, sizeof *population->types);
    COR_TRY(cor_made(population->types, error));
    for (uint32_t t = 0; t < types; t++)
        for (int64_t i = 0; i < counts[t]; i++)
            population->types[at++] = t;
    cor_rng_shuffle(&rng, population->types, agents);
    return COR_OK;
}

/* How many groups each type has: one at least, and the others where its groups are largest. */
static void deal_groups(const int64_t *counts, uint32_t types, uint32_t groups, uint32_t *of_type) {
    for (uint32_t t = 0; t < types; t++) {
        of_type[t] = counts[t] > 0;
        groups -= of_type[t];
    }
    for (; groups > 0; groups--) {
        uint32_t best = types;
        for (uint32_t t = 0; t < types; t++)
            if (of_type[t] > 0 && of_type[t] < counts[t] &&
                (best == types || counts[t] * of_type[best] > counts[best] * of_type[t]))
                best = t;
        if (best == types)
            break;
        of_type[best]++;
    }
}

enum cor_status interaction__draw_groups_of_types(const struct cor_suite *suite,
                                                  const struct cor_numbers *numbers,
                                                  struct cor_population *population,
                                                  struct cor_error *error) {
    struct cor_rng rng = interaction__suite_rng(suite, COR_PURPOSE_GROUPS, 4);
    const uint32_t types = suite->experiment->model->type_count, groups = population->group_count;
    int64_t counts[COR_TYPES_MAX];
    uint32_t of_type[COR_TYPES_MAX], wanted = 0, group = 0;
    count_types(suite, numbers, &rng, counts);
    for (uint32_t t = 0; t < types; t++)
        wanted += counts[t] > 0;
    if (wanted > groups)
        return cor_fail(error, COR_STATUS_UNSATISFIABLE, suite->experiment->path,
                        "make more groups, or \"mixed_groups\": true",
                        "suite %u of arm %s: there are agents of %u types in %u groups, each of one type",
                        suite->index, suite->arm->name, wanted, groups);
    deal_groups(counts, types, groups, of_type);
    uint32_t *order = cor_calloc(groups, sizeof *order);
    COR_TRY(cor_made(order, error));
    for (uint32_t g = 0; g < groups; g++)
        order[g] = g;
    cor_rng_shuffle(&rng, order, groups);
    for (uint32_t t = 0; t < types; t++)
        for (uint32_t i = 0; i < of_type[t]; i++, group++) {
            const int64_t each = counts[t] / of_type[t], more = counts[t] % of_type[t];
            population->type[order[group]] = (uint16_t)t;
            population->size[order[group]] = (uint32_t)(each + (i < more));
        }
    COR_ASSERT(group == groups);
    free(order);
    return COR_OK;
}
