/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Agents, groups, places and profiles of a suite. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/terms.h>

#include <stdlib.h>
#include <string.h>

/* A target size g in 2 .. agents with probability proportional to 1/g, that is, log-uniform without a
 * logarithm. */
static uint32_t draw_target_size(struct cor_rng *rng, uint32_t agents) {
    double total = 0;
    for (uint32_t g = 2; g <= agents; g++)
        total += 1.0 / g;
    double unit = cor_rng_unit(rng);
    double aim = unit * total, sum = 0;
    for (uint32_t g = 2; g < agents; g++) {
        sum += 1.0 / g;
        if (aim < sum)
            return g;
    }
    return agents;
}

static uint32_t draw_group_count(struct cor_rng *rng, const struct cor_numbers *numbers) {
    uint32_t agents = (uint32_t)numbers->agents;
    if (numbers->groups > 0)
        return (uint32_t)numbers->groups;
    if (agents < 2)
        return 1;
    uint32_t target = draw_target_size(rng, agents);
    return agents / target;
}

/* Chains by environment and place: open addressing, 1 + chain in each slot, 0 = free. */
struct places {
    uint32_t *slot; /* owned; NULL if each group has a place of its own */
    size_t mask;
    uint32_t
        of_all[COR_ENVIRONMENTS_MAX]; /* 1 + the chain of an environment that is the same for all; 0: none */
};

static uint32_t add_chain(struct cor_population *population, uint16_t environment, uint32_t location) {
    population->chain_environment[population->chain_count] = environment;
    population->chain_location[population->chain_count] = location;
    return population->chain_count++;
}

/* The chain at a place, made if there is none yet: an environment is the same for all groups at one place. */
static uint32_t find_chain(struct cor_population *population, const struct places *places,
                           uint16_t environment, uint32_t location) {
    uint64_t key = (uint64_t)environment << 32 | location;
    size_t at = (size_t)cor_hash_word(COR_HASH_SEED, key) & places->mask;
    for (; places->slot[at] != 0; at = (at + 1) & places->mask) {
        uint32_t chain = places->slot[at] - 1;
        if (population->chain_environment[chain] == environment &&
            population->chain_location[chain] == location)
            return chain;
    }
    uint32_t made = add_chain(population, environment, location);
    places->slot[at] = made + 1;
    return made;
}

/* The chain of an environment for a group at a place: of its place, of its own, or of all. */
static uint32_t chain_of_scope(struct cor_population *population, struct places *places,
                               const struct cor_environment *environment, uint16_t index, uint32_t location) {
    if (environment->scope == COR_SCOPE_ALL) {
        if (places->of_all[index] == 0)
            places->of_all[index] = 1 + add_chain(population, index, location);
        return places->of_all[index] - 1;
    }
    return environment->scope == COR_SCOPE_PLACE && places->slot
               ? find_chain(population, places, index, location)
               : add_chain(population, index, location);
}

static bool model_has_others(const struct cor_test_model *model) {
    for (uint32_t t = 0; t < model->type_count; t++)
        if (model->types[t].other_count > 0)
            return true;
    return false;
}

/* Chains of the other environments of the types that live in a group: of its own, or of any in mixed ones. */
static void add_other_chains(struct cor_population *population, struct places *places,
                             const struct cor_test_model *model, uint32_t group, uint32_t environment,
                             uint32_t location) {
    uint32_t *chains = population->other_chains + (size_t)group * model->environment_count;
    for (uint32_t t = 0; t < model->type_count; t++) {
        const struct cor_agent_type *type = &model->types[t];
        if (type->environment != environment || (!model->mixed_groups && t != population->type[group]))
            continue;
        for (uint32_t o = 0; o < type->other_count; o++) {
            const uint32_t other = type->others[o];
            if (chains[other] == COR_NOBODY)
                chains[other] = chain_of_scope(population, places, &model->environments[other],
                                               (uint16_t)other, location);
        }
    }
}

enum cor_status interaction__draw_population(const struct cor_suite *suite, const struct cor_numbers *numbers,
                                             struct cor_population *population, struct cor_error *error) {
    struct cor_rng rng = interaction__suite_rng(suite, COR_PURPOSE_GROUPS, 0);
    uint32_t groups = draw_group_count(&rng, numbers), *sizes = NULL;
    struct places places;
    const bool has_others = model_has_others(suite->experiment->model);
    if (numbers->group_size_max > 0)
        COR_TRY(interaction__draw_group_sizes(suite, numbers, &groups, &sizes, error));
    const size_t chains_most =
        has_others ? (size_t)groups * suite->experiment->model->environment_count : groups;
    *population = (struct cor_population){
        .group_count = groups,
        .size = sizes ? sizes : cor_calloc(groups, sizeof *population->size),
        .chain = cor_calloc(groups, sizeof *population->chain),
        .type = cor_calloc(groups, sizeof *population->type),
        .chain_environment = cor_calloc(chains_most, sizeof *population->chain_environment),
        .chain_location = cor_calloc(chains_most, sizeof *population->chain_location),
    };
    if (!population->size || !population->chain || !population->type || !population->chain_environment ||
        !population->chain_location)
        return cor_fail_memory(error);
    size_t size = 2;
    places = (struct places){0};
    if (numbers->locations != 0) {
        while (size < 2 * chains_most)
            size *= 2;
        places.slot = cor_calloc(size, sizeof *places.slot);
        places.mask = size - 1;
        COR_TRY(cor_made(places.slot, error));
    }
    /* Balanced sizes: they differ by one at most. */
    const uint32_t agents = (uint32_t)numbers->agents;
    uint32_t each = agents / population->group_count, more = agents % population->group_count;
    for (uint32_t g = 0; g < population->group_count && !sizes; g++)
        population->size[g] = each + (g < more ? 1 : 0);
    enum cor_status status = COR_OK;
    if (has_others) {
        population->other_chains = cor_calloc(chains_most, sizeof *population->other_chains);
        status = cor_made(population->other_chains, error);
        if (status == COR_OK)
            memset(population->other_chains, 0xff, chains_most * sizeof *population->other_chains);
    }
    if (status == COR_OK && numbers->has_type_counts)
        status = suite->experiment->model->mixed_groups
                     ? interaction__draw_types(suite, numbers, population, error)
                     : interaction__draw_groups_of_types(suite, numbers, population, error);
    if (status != COR_OK)
        free(places.slot);
    COR_TRY(status);
    for (uint32_t g = 0; g < groups; g++) {
        /* A group has one type or, where groups are mixed, one environment. */
        const struct cor_test_model *model = suite->experiment->model;
        uint32_t type = cor_rng_below(&rng, model->type_count);
        if (numbers->has_type_counts && !model->mixed_groups)
            type = population->type[g];
        uint32_t environment = cor_rng_below(&rng, model->environment_count);
        uint32_t location = g;
        if (places.slot)
            location = cor_rng_below(&rng, (uint32_t)numbers->locations);
        if (!model->mixed_groups && model->types[type].environment != COR_NOBODY)
            environment = model->types[type].environment;
        population->type[g] = (uint16_t)type;
        population->chain[g] = chain_of_scope(population, &places, &model->environments[environment],
                                              (uint16_t)environment, location);
        if (has_others)
            add_other_chains(population, &places, model, g, environment, location);
    }
    free(places.slot);
    return COR_OK;
}

void interaction__suite_population_fini(struct cor_population *population) {
    free(population->size);
    free(population->chain);
    free(population->type);
    free(population->types);
    free(population->other_chains);
    free(population->chain_environment);
    free(population->chain_location);
}

/* The agent takes over the environment's state; each state's level is drawn for the suite. In an environment
 * that is not the type's own, the agent keeps the state it has. */
static enum cor_status set_levels(const struct cor_suite *suite, uint32_t type, uint32_t profile,
                                  struct cor_error *error) {
    struct cor_configuration *c = suite->configuration;
    const struct cor_agent_type *agent_type = &suite->experiment->model->types[type];
    bool touched = agent_type->environment == COR_NOBODY || agent_type->environment == profile;
    uint32_t states = suite->profiles[profile]->state_count, relevant = touched ? states : 1;
    struct cor_effect *effect;
    COR_TRY(cor_configuration_set_effect(c, type, profile, states, relevant, states, false, &effect, error));
    struct cor_rng rng = interaction__suite_rng(suite, COR_PURPOSE_LEVELS, type * c->profile_count + profile);
    for (uint32_t state = 0; state < states; state++) {
        effect->relevant[state] = (uint8_t)(touched ? state : 0);
        double unit = cor_rng_unit(&rng);
        effect->level[state] =
            agent_type->level_low + unit * (agent_type->level_high - agent_type->level_low);
    }
    for (uint32_t r = 0; r < relevant; r++)
        for (uint32_t state = 0; state < states; state++)
            effect->next[(size_t)r * states + state] = (uint8_t)(touched ? r : state);
    return COR_OK;
}

static enum cor_status set_effects(const struct cor_suite *suite, struct cor_error *error) {
    struct cor_configuration *c = suite->configuration;
    for (uint32_t t = 0; t < c->type_count; t++) {
        const struct cor_agent_type *type = &suite->experiment->model->types[t];
        for (uint32_t p = 0; p < c->profile_count; p++) {
            if (!type->fixed) {
                COR_TRY(set_levels(suite, t, p, error));
            } else if (type->environment == p) {
                struct cor_effect *effect;
                size_t rows = (size_t)type->fixed->relevant_count * type->fixed->state_count;
                COR_TRY(cor_configuration_set_effect(c, t, p, type->fixed->environment_states,
                                                     type->fixed->relevant_count, type->fixed->state_count,
                                                     type->fixed->cumulative != NULL, &effect, error));
                memcpy(effect->relevant, type->fixed->relevant, type->fixed->environment_states);
                memcpy(effect->next, type->fixed->next, rows);
                memcpy(effect->level, type->fixed->level, type->fixed->state_count * sizeof *effect->level);
                struct cor_other_profile others[COR_TYPE_OTHERS_MAX];
                for (uint32_t o = 0; o < type->other_count; o++)
                    others[o] = (struct cor_other_profile){type->others[o],
                                                           suite->profiles[type->others[o]]->state_count};
                COR_TRY(cor_effect_set_others(effect, others, type->other_count, error));
                if (type->fixed->cumulative)
                    memcpy(effect->cumulative, type->fixed->cumulative,
                           rows * type->fixed->state_count * sizeof *effect->cumulative);
            } else {
                /* Agents of a type that the profile's environment does not touch keep the state they have. */
                uint32_t states = type->fixed->state_count;
                struct cor_effect *effect;
                COR_TRY(cor_configuration_set_effect(c, t, p, suite->profiles[p]->state_count, 1, states,
                                                     false, &effect, error));
                for (uint32_t s = 0; s < states; s++)
                    effect->next[s] = (uint8_t)s;
                memcpy(effect->level, type->fixed->level, states * sizeof *effect->level);
            }
        }
    }
    return COR_OK;
}

/* The state in which an agent of a type with named states starts. */
static uint8_t first_state(const struct cor_influence *fixed, struct cor_rng *rng) {
    if (!fixed->initial_law)
        return fixed->initial;
    const double unit = cor_rng_unit(rng);
    uint8_t state = 0, likely = 0; /* the last that can be, where a sum falls short of 1 by rounding */
    double sum = 0;
    for (; state < fixed->state_count; state++) {
        sum += fixed->initial_law[state];
        likely = fixed->initial_law[state] > 0 ? state : likely;
        if (unit < sum)
            return state;
    }
    return likely;
}

enum cor_status interaction__build_configuration(struct cor_suite *suite, const struct cor_numbers *numbers,
                                                 const struct cor_population *population,
                                                 struct cor_error *error) {
    const struct cor_test_model *model = suite->experiment->model;
    struct cor_configuration *c;
    COR_TRY(cor_configuration_create((uint32_t)numbers->agents, population->group_count,
                                     population->chain_count, model->type_count, model->environment_count,
                                     &suite->configuration, error));
    c = suite->configuration;
    c->kind = model->kind;
    for (uint32_t i = 0; i < c->chain_count; i++) {
        c->profile_of_chain[i] = population->chain_environment[i];
        c->location_of_chain[i] = population->chain_location[i];
    }
    COR_TRY(set_effects(suite, error));
    if (population->other_chains) {
        COR_TRY(cor_configuration_set_other_chains(c, error));
        memcpy(c->other_chains, population->other_chains,
               (size_t)c->group_count * c->profile_count * sizeof *c->other_chains);
    }
    struct cor_rng rng = interaction__suite_rng(suite, COR_PURPOSE_GROUPS, 1),
                   states = interaction__suite_rng(suite, COR_PURPOSE_GROUPS, 2);
    for (uint32_t g = 0; g < c->group_count; g++) {
        c->chain_of_group[g] = population->chain[g];
        c->group_start[g + 1] = c->group_start[g] + population->size[g];
        /* Types of the agents of a group, in ascending order: agents of one type stand together, which the
         * steps of the simulation like, and which agent is first means nothing. */
        uint32_t first = c->group_start[g];
        const uint32_t end = c->group_start[g + 1];
        const uint16_t group_type = population->type[g];
        uint32_t drawn[COR_TYPES_MAX] = {0};
        for (uint32_t i = first; i < end; i++)
            drawn[population->types     ? population->types[i]
                  : model->mixed_groups ? cor_rng_below(&rng, model->type_count)
                                        : group_type]++;
        for (uint16_t type = 0; first < end; type++)
            for (; drawn[type] > 0; drawn[type]--)
                suite->configuration->type[first++] = type;
        for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++) {
            double unit = cor_rng_unit(&rng);
            c->inertia[i] = model->inertia_low + unit * (model->inertia_high - model->inertia_low);
            const struct cor_effect *effect = cor_configuration_effect(c, c->type[i], population->chain[g]);
            const struct cor_influence *fixed = model->types[c->type[i]].fixed;
            c->initial_state[i] =
                fixed ? first_state(fixed, &states) : (uint8_t)cor_rng_below(&rng, effect->state_count);
            c->initial_value[i] = effect->level[c->initial_state[i]];
        }
    }
    c->limits.size_min = (uint32_t)numbers->size_min;
    c->limits.size_max = (uint32_t)numbers->size_max;
    c->limits.count_min = (uint32_t)numbers->count_min;
    c->limits.count_max = (uint32_t)numbers->count_max;
    c->measure = model->measure;
    c->idle_ratio = numbers->idle_ratio;
    c->monitor = suite->arm->monitor;
    c->adoption = suite->arm->adoption;
    return COR_OK;
}

struct cor_rng interaction__suite_rng(const struct cor_suite *suite, enum cor_purpose purpose,
                                      uint32_t entity) {
    struct cor_stream_name name = suite->name;
    name.purpose = purpose;
    name.entity = entity;
    return cor_rng_named(&name);
}
