/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Suites, drawn: sizes and types of groups, where the model says how large groups are or how many agents of
 * a type there are; agents, attributes, profiles, the structure. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/layer.h>
#include <corridor/run.h>
#include <corridor/state.h>
#include <corridor/steering.h>
#include <corridor/terms.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static struct cor_rng suite_rng(const struct cor_suite *suite, enum cor_purpose purpose, uint32_t entity);

/* Bounds on sizes and numbers of blocks, and what the experiment calls them. */
struct bounds {
    int64_t size_min, size_max, count_min, count_max;
    const char *names[4];
};

/* Which bounds are broken, so that `agents` do not go into blocks within them (`overlaps`: of which an agent
 * may be in several): each that would do if it alone gave way, and how far it must. */
static void put_broken(const struct bounds *b, int64_t agents, bool overlaps, char *text, size_t size) {
    const int64_t least = (agents + b->size_max - 1) / b->size_max, most = !overlaps ? agents / b->size_min
                                                                           : b->size_min <= agents ? INT64_MAX
                                                                                                   : 0;
    const int64_t fewest = b->count_min > least ? b->count_min : least,
                  greatest = b->count_max < most ? b->count_max : most;
    const struct {
        bool helps, is_least;
        int64_t value;
    } ways[] = {
        {fewest <= b->count_max && (overlaps || fewest <= agents), true, overlaps ? agents : agents / fewest},
        {greatest >= b->count_min && greatest > 0, false,
         (agents + greatest - 1) / (greatest > 0 ? greatest : 1)},
        {greatest >= least, true, greatest},
        {fewest <= most, false, fewest}};
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (ways[i].helps && used < size)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s of %lld or %s", used > 0 ? ", or " : "",
                                 b->names[i], (long long)ways[i].value, ways[i].is_least ? "less" : "more");
    if (!overlaps && b->count_min > agents / b->size_min && b->count_min <= COR_AGENTS_MAX / b->size_min &&
        used < size)
        used += (size_t)snprintf(text + used, size - used, "%s%lld agents or more", used > 0 ? ", or " : "",
                                 (long long)(b->count_min * b->size_min));
    if (used < size)
        snprintf(text + used, size - used, "%s; of what is drawn a constraint keeps it so",
                 used > 0 ? " would do" : "change several of these bounds");
}

/* Group sizes within the range that the model gives, which is owned by the caller; each agent's type in mixed
 * groups; and types and sizes of groups that are not mixed: where it says how many agents are of a type.
 * COR_STATUS_UNSATISFIABLE: it cannot be. */
static enum cor_status draw_group_sizes(const struct cor_suite *suite, const struct cor_numbers *numbers,
                                        uint32_t *groups, uint32_t **sizes, struct cor_error *error) {
    struct cor_rng rng = suite_rng(suite, COR_PURPOSE_GROUPS, 3);
    const int64_t agents = numbers->agents, low = numbers->group_size_min, high = numbers->group_size_max;
    const int64_t least = (agents + high - 1) / high, most = agents / low;
    int64_t count = numbers->groups;
    if (least > most || (count > 0 && (count < least || count > most))) {
        const struct bounds bounds = {low,
                                      high,
                                      count > 0 ? count : 1,
                                      count > 0 ? count : INT64_MAX,
                                      {"the least size", "the largest size", "a count", "a count"}};
        char remedy[sizeof error->remedy];
        put_broken(&bounds, agents, false, remedy, sizeof remedy);
        return cor_fail(error, COR_STATUS_UNSATISFIABLE, suite->experiment->path, remedy,
                        "suite %u of arm %s: %lld agents cannot form %s%.0lld groups of %lld to %lld agents",
                        suite->index, suite->arm->name, (long long)agents, count > 0 ? "" : "any",
                        (long long)count, (long long)low, (long long)high);
    }
    if (count == 0)
        count = cor_rng_between(&rng, least, most);
    *groups = (uint32_t)count;
    COR_TRY(cor_made(*sizes = cor_calloc((size_t)count, sizeof **sizes), error));
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

static enum cor_status draw_types(const struct cor_suite *suite, const struct cor_numbers *numbers,
                                  struct interaction__population *population, struct cor_error *error) {
    struct cor_rng rng = suite_rng(suite, COR_PURPOSE_GROUPS, 4);
    const uint32_t types = suite->experiment->model->type_count, agents = (uint32_t)numbers->agents;
    int64_t counts[COR_TYPES_MAX];
    uint32_t at = 0;
    count_types(suite, numbers, &rng, counts);
    COR_TRY(cor_made(population->types = cor_calloc(agents, sizeof *population->types), error));
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

static enum cor_status draw_groups_of_types(const struct cor_suite *suite, const struct cor_numbers *numbers,
                                            struct interaction__population *population,
                                            struct cor_error *error) {
    struct cor_rng rng = suite_rng(suite, COR_PURPOSE_GROUPS, 4);
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

/* ---- agents, groups, places and profiles of a suite */

static uint32_t draw_group_count(struct cor_rng *rng, const struct cor_numbers *numbers) {
    uint32_t agents = (uint32_t)numbers->agents;
    if (numbers->groups > 0)
        return (uint32_t)numbers->groups;
    if (agents < 2)
        return 1;
    /* Of a target size g in 2 .. agents with probability proportional to 1/g, that is, log-uniform without a
     * logarithm. */
    double total = 0, sum = 0;
    for (uint32_t g = 2; g <= agents; g++)
        total += 1.0 / g;
    const double unit = cor_rng_unit(rng);
    const double aim = unit * total;
    uint32_t target = 2;
    for (; target < agents; target++) {
        sum += 1.0 / target;
        if (aim < sum)
            break;
    }
    return agents / target;
}

/* Chains by environment and place: open addressing, 1 + chain in each slot, 0 = free. */
struct places {
    uint32_t *slot; /* owned; NULL if each group has a place of its own */
    size_t mask;
    uint32_t
        of_all[COR_ENVIRONMENTS_MAX]; /* 1 + the chain of an environment that is the same for all; 0: none */
};

static uint32_t add_chain(struct interaction__population *population, uint16_t environment,
                          uint32_t location) {
    population->chain_environment[population->chain_count] = environment;
    population->chain_location[population->chain_count] = location;
    return population->chain_count++;
}

/* The chain at a place, made if there is none yet: an environment is the same for all groups at one place. */
static uint32_t find_chain(struct interaction__population *population, const struct places *places,
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
static uint32_t chain_of_scope(struct interaction__population *population, struct places *places,
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

/* Whether agents of one group live in environments of their own: each in that of its type. */
static bool types_live_apart(const struct cor_test_model *model) {
    bool is_any_named = false;
    for (uint32_t t = 0; t < model->type_count; t++)
        is_any_named = is_any_named || model->types[t].environment != COR_NOBODY;
    return model->mixed_groups && model->perceived_count > 1 && is_any_named;
}

/* The chain of an environment that a group perceives beside its own, made if there is none yet. */
static uint32_t add_other_chain(struct interaction__population *population, struct places *places,
                                const struct cor_test_model *model, uint32_t group, uint32_t environment,
                                uint32_t location) {
    uint32_t *chain = &population->other_chains[(size_t)group * model->environment_count + environment];
    if (*chain == COR_NOBODY)
        *chain = chain_of_scope(population, places, &model->environments[environment], (uint16_t)environment,
                                location);
    return *chain;
}

static void add_other_chains(struct interaction__population *population, struct places *places,
                             const struct cor_test_model *model, uint32_t group, uint32_t type,
                             uint32_t location) {
    for (uint32_t o = 0; o < model->types[type].other_count; o++)
        add_other_chain(population, places, model, group, model->types[type].others[o], location);
}

/* Chains of a group whose types live apart: those of every environment that a type of its agents, which begin
 * at `first`, lives in. Its own is `environment` if one of them lives wherever its group does, else the first
 * of these. */
static void add_chains_apart(struct interaction__population *population, struct places *places,
                             const struct cor_test_model *model, uint32_t group, uint32_t first,
                             uint32_t environment, uint32_t location) {
    bool is_there[COR_TYPES_MAX] = {false};
    for (uint32_t i = first; i < first + population->size[group]; i++)
        is_there[population->types[i]] = true;
    uint32_t own = COR_NOBODY;
    for (uint32_t t = 0; t < model->type_count; t++) {
        if (!is_there[t])
            continue;
        const bool is_named = model->types[t].environment != COR_NOBODY;
        const uint32_t chain = add_other_chain(
            population, places, model, group, is_named ? model->types[t].environment : environment, location);
        own = is_named ? own : chain;
        add_other_chains(population, places, model, group, t, location);
    }
    const uint32_t *chains = population->other_chains + (size_t)group * model->environment_count;
    for (uint32_t e = 0; own == COR_NOBODY && e < model->environment_count; e++)
        own = chains[e];
    COR_ASSERT(own != COR_NOBODY);
    population->chain[group] = own;
}

/* Draws groups, places and environments. */
static enum cor_status draw_population(const struct cor_suite *suite, const struct cor_numbers *numbers,
                                       struct interaction__population *population, struct cor_error *error) {
    struct cor_rng rng = suite_rng(suite, COR_PURPOSE_GROUPS, 0);
    uint32_t groups = draw_group_count(&rng, numbers), *sizes = NULL;
    struct places places;
    const struct cor_test_model *model = suite->experiment->model;
    const bool are_apart = types_live_apart(model), has_others = are_apart || model_has_others(model);
    if (numbers->group_size_max > 0)
        COR_TRY(draw_group_sizes(suite, numbers, &groups, &sizes, error));
    const size_t chains_most = has_others ? (size_t)groups * model->environment_count : groups;
    *population = (struct interaction__population){
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
    if (status == COR_OK && (numbers->has_type_counts || are_apart))
        status = model->mixed_groups ? draw_types(suite, numbers, population, error)
                                     : draw_groups_of_types(suite, numbers, population, error);
    if (status != COR_OK)
        free(places.slot);
    COR_TRY(status);
    for (uint32_t g = 0, first = 0; g < groups; first += population->size[g++]) {
        /* A group has one type or, where groups are mixed, types that live wherever it does, or apart. */
        uint32_t type = cor_rng_below(&rng, model->type_count);
        if (numbers->has_type_counts && !model->mixed_groups)
            type = population->type[g];
        uint32_t environment = cor_rng_below(&rng, model->perceived_count);
        uint32_t location = g;
        if (places.slot)
            location = cor_rng_below(&rng, (uint32_t)numbers->locations);
        if (!model->mixed_groups && model->types[type].environment != COR_NOBODY)
            environment = model->types[type].environment;
        population->type[g] = (uint16_t)type;
        if (are_apart) {
            add_chains_apart(population, &places, model, g, first, environment, location);
            continue;
        }
        population->chain[g] = chain_of_scope(population, &places, &model->environments[environment],
                                              (uint16_t)environment, location);
        if (has_others)
            add_other_chains(population, &places, model, g, type, location);
    }
    free(places.slot);
    return COR_OK;
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
    struct cor_rng rng =
        suite_rng(suite, COR_PURPOSE_LEVELS, type * suite->experiment->model->perceived_count + profile);
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

/* Makes the configuration: agents with types, inertia, effects and first states. No structure and no
 * threshold yet. */
static enum cor_status build_configuration(struct cor_suite *suite, const struct cor_numbers *numbers,
                                           const struct interaction__population *population,
                                           struct cor_error *error) {
    const struct cor_test_model *model = suite->experiment->model;
    struct cor_configuration *c;
    const uint32_t own = model->comes_and_goes ? (uint32_t)numbers->agents : 0; /* chains, at most */
    COR_TRY(cor_configuration_create((uint32_t)numbers->agents, population->group_count,
                                     population->chain_count + own, model->type_count,
                                     model->environment_count, &suite->configuration, error));
    c = suite->configuration;
    c->kind = model->kind;
    c->chain_count = population->chain_count;
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
    if (types_live_apart(model)) {
        COR_TRY(cor_configuration_set_profiles_of_types(c, error));
        for (uint32_t t = 0; t < c->type_count; t++)
            c->profile_of_type[t] = model->types[t].environment;
    }
    struct cor_rng rng = suite_rng(suite, COR_PURPOSE_GROUPS, 1),
                   states = suite_rng(suite, COR_PURPOSE_GROUPS, 2);
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
            const struct cor_effect *effect =
                cor_configuration_effect(c, c->type[i], cor_configuration_chain(c, c->type[i], g));
            const struct cor_influence *fixed = model->types[c->type[i]].fixed;
            c->initial_state[i] =
                fixed ? first_state(fixed, &states) : (uint8_t)cor_rng_below(&rng, effect->state_count);
            c->initial_value[i] = effect->level[c->initial_state[i]];
        }
    }
    /* Behind all others, so that these draw as they would without. */
    if (model->comes_and_goes)
        COR_TRY(cor_configuration_set_presence(c, error));
    for (uint32_t i = 0; model->comes_and_goes && i < c->agent_count; i++)
        if (model->types[c->type[i]].presence != COR_NOBODY) {
            c->profile_of_chain[c->chain_count] = (uint16_t)model->types[c->type[i]].presence;
            c->location_of_chain[c->chain_count] = i;
            c->presence_chain[i] = c->chain_count++;
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

/* The stream of that purpose and entity of a suite. */
static struct cor_rng suite_rng(const struct cor_suite *suite, enum cor_purpose purpose, uint32_t entity) {
    struct cor_stream_name name = suite->name;
    name.purpose = purpose;
    name.entity = entity;
    return cor_rng_named(&name);
}

/* ---- attributes of the agents of a suite: drawn, written into its file, read back */

/* The stream of an attribute of the agents of a type; with a profile, 1 + its index, that of levels. */
static struct cor_rng stream(const struct cor_suite *suite, uint32_t attribute, uint32_t type,
                             uint32_t profile) {
    return suite_rng(suite, COR_PURPOSE_ATTRIBUTE,
                     (attribute * COR_TYPES_MAX + type) * (COR_ENVIRONMENTS_MAX + 1) + profile);
}

static double draw(const struct cor_agent_attribute *attribute, const struct cor_attribute_law *law,
                   struct cor_rng *rng) {
    if (law->cumulative) {
        const double unit = cor_rng_unit(rng);
        uint32_t code = 0;
        while (unit >= law->cumulative[code] && code < (uint32_t)attribute->high)
            code++;
        return code;
    }
    if (attribute->type == COR_ATTRIBUTE_INTEGER)
        return (double)cor_rng_between(rng, (int64_t)law->low, (int64_t)law->high);
    const double unit = cor_rng_unit(rng);
    return law->low + unit * (law->high - law->low);
}

/* Levels of a type: as the model gives them to its states, or drawn for the states of each profile. */
static enum cor_status set_levels_attributes(const struct cor_suite *suite, uint32_t attribute, uint32_t type,
                                             struct cor_error *error) {
    struct cor_configuration *c = suite->configuration;
    const struct cor_attribute_law *law = &suite->experiment->model->types[type].attributes[attribute];
    COR_TRY(cor_configuration_set_levels(c, attribute, type, error));
    struct cor_attribute_rule *rule = &c->attributes[attribute].rules[type];
    rule->has_inertia = law->has_inertia;
    for (uint32_t p = 0; p < c->profile_count; p++) {
        const uint32_t states = c->effects[(size_t)type * c->profile_count + p].state_count;
        struct cor_rng rng = stream(suite, attribute, type, 1 + p);
        for (uint32_t s = 0; s < states; s++)
            rule->level[p][s] = law->level ? law->level[s] : draw(&c->attributes[attribute], law, &rng);
    }
    return COR_OK;
}

bool interaction__is_one_formula(const struct cor_configuration *c,
                                 const struct cor_agent_attribute *attribute) {
    for (uint32_t t = 0; t < c->type_count; t++)
        if (attribute->rules[t].source != COR_ATTRIBUTE_COMPUTED ||
            strcmp(attribute->rules[t].formula.text, attribute->rules[0].formula.text) != 0)
            return false;
    return true;
}

enum cor_status interaction__suite_describe(struct cor_suite *suite, struct cor_error *error) {
    const struct cor_configuration *c = suite->configuration;
    for (uint32_t a = 0; a < c->attribute_count; a++)
        c->attributes[a].is_written = cor_arm_writes(suite->arm, c->attributes[a].name);
    return c->attribute_count == 0
               ? COR_OK
               : cor_attribute_columns(c->attributes, c->attribute_count, &suite->columns, error);
}

/* ---- the initial structure, and the threshold by a pilot run (calibrated per suite, equal for all
 * algorithms) */

#define PILOT_SEQUENCE UINT32_MAX       /* no test sequence has this number */
#define START_SEQUENCE (UINT32_MAX - 1) /* likewise */
#define START_TRIES 1000
#define BISECTIONS 16
#define TAKEN_MOST ((size_t)1 << 26) /* bytes of what agents did in a pilot that are kept */
#define TOOL_MEMORY \
    ((size_t)1 << 32) /* of one reorganization: the largest suite needs more than an arm's limit */

/* A built-in algorithm used by the generator itself, with the defaults of its parameters. */
struct tool {
    struct cor_session *session;
    struct cor_rules rules;
    double *parameters;
    struct cor_outcome outcome;
};

static enum cor_status open_tool(const struct cor_suite *suite, const char *name, struct tool *tool,
                                 struct cor_error *error) {
    const struct cor_configuration *c = suite->configuration;
    const struct cor_algorithm *algorithm;
    *tool = (struct tool){0};
    cor_outcome_init(&tool->outcome);
    COR_TRY(cor_registry_find(suite->experiment->registry, name, &algorithm, error));
    uint32_t count = cor_algorithm_parameter_count(algorithm);
    COR_TRY(cor_made(tool->parameters = cor_calloc(count, sizeof *tool->parameters), error));
    for (uint32_t i = 0; i < count; i++)
        tool->parameters[i] = algorithm->parameters[i].value;
    tool->rules = cor_default_rules(algorithm, &c->limits, c->threshold, tool->parameters);
    tool->rules.organized = (uint32_t)c->kind;
    struct cor_session_definition definition = cor_default_session(algorithm);
    definition.memory_limit = TOOL_MEMORY;
    return cor_session_create(&definition, &tool->session, error);
}

static void close_tool(struct tool *tool) {
    cor_session_destroy(tool->session);
    cor_outcome_fini(&tool->outcome);
    free(tool->parameters);
}

/* One call; how it went is in the tool's outcome. */
static enum cor_status use_tool(struct tool *tool, const struct cor_lists *structure, const double *values,
                                uint32_t agents, const struct cor_stream_name *name,
                                struct cor_error *error) {
    const struct cor_task task = {
        .struct_size = sizeof task,
        .agent_count = agents,
        .rules = &tool->rules,
        .values = &values,
        .block_count = structure->block_count,
        .block_start = structure->start,
        .members = structure->members,
        .block_parent = cor_lists_parents(structure),
    };
    COR_TRY(cor_session_reorganize(tool->session, &task, name, &tool->outcome, error));
    return tool->outcome.smoke == COR_SMOKE_MEMORY ? cor_fail_memory(error) : COR_OK;
}

/* "2 to 5", or "2 or more" where there is no limit. */
static void put_range(uint32_t least, uint32_t most, char *text, size_t size) {
    if (most == UINT32_MAX)
        snprintf(text, size, "%u or more", least);
    else
        snprintf(text, size, "%u to %u", least, most);
}

static int compare_agents(const void *one, const void *other) {
    const uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

/* The lists become the initial structure, agents ascending within. */
static enum cor_status begin_with(const struct cor_suite *suite, const struct cor_lists *drawn,
                                  struct cor_error *error) {
    struct cor_configuration *c = suite->configuration;
    c->initial_partitions = drawn->block_count;
    if (c->kind != COR_STRUCTURE_PARTITIONING) {
        struct cor_lists *lists = &c->initial_organizations;
        COR_TRY(cor_lists_copy(lists, drawn, error));
        for (uint32_t b = 0; b < lists->block_count; b++)
            if (cor_lists_size(lists, b) > 0)
                qsort(lists->members + lists->start[b], cor_lists_size(lists, b), sizeof *lists->members,
                      compare_agents);
        return COR_OK;
    }
    /* By group: of what was drawn only the sizes count, and agents fill the partitions in their order. */
    for (uint32_t b = 0; b < drawn->block_count; b++)
        for (uint32_t m = drawn->start[b]; m < drawn->start[b + 1]; m++)
            c->initial_partition[suite->experiment->model->start == COR_START_BY_GROUP ? m
                                                                                       : drawn->members[m]] =
                b;
    return COR_OK;
}

/* The algorithm is shown one partition of all agents; what it makes of it is the initial structure. */
static enum cor_status draw_by(const struct cor_suite *suite, struct tool *tool, struct cor_lists *whole,
                               const struct cor_stream_name *name, struct cor_error *error) {
    struct cor_configuration *c = suite->configuration;
    uint32_t *all = cor_calloc(c->agent_count, sizeof *all);
    COR_TRY(cor_made(all, error));
    for (uint32_t i = 0; i < c->agent_count; i++)
        all[i] = i;
    enum cor_status status = cor_lists_put(whole, all, c->agent_count, error);
    free(all);
    COR_TRY(status);
    COR_TRY(use_tool(tool, whole, c->initial_value, c->agent_count, name, error));
    if (tool->outcome.smoke != COR_SMOKE_NONE) {
        const struct cor_rules *r = &tool->rules; /* the number of partitions may be given for the start */
        const struct bounds bounds = {r->size_min > 0 ? r->size_min : 1,
                                      r->size_max,
                                      r->count_min,
                                      r->count_max,
                                      {"\"size_min\"", "\"size_max\"", "\"count_min\"", "\"count_max\""}};
        char counts[40], sizes[40], remedy[sizeof error->remedy];
        put_range(r->count_min, r->count_max, counts, sizeof counts);
        put_range(r->size_min, r->size_max, sizes, sizeof sizes);
        put_broken(&bounds, c->agent_count, c->kind != COR_STRUCTURE_PARTITIONING, remedy, sizeof remedy);
        return cor_fail(error, COR_STATUS_UNSATISFIABLE, suite->experiment->path, remedy,
                        "suite %u of arm %s: %u agents cannot form %s %s of %s agents", suite->index,
                        suite->arm->name, c->agent_count, counts,
                        c->kind == COR_STRUCTURE_PARTITIONING ? "partitions" : "organizations", sizes);
    }
    return begin_with(suite, &tool->outcome.solution, error);
}

/* The initial structure as the model gives it. */
static enum cor_status take_given(const struct cor_suite *suite, struct cor_error *error) {
    const struct cor_configuration *c = suite->configuration;
    const struct cor_lists *given = &suite->experiment->model->start_lists;
    bool is_sound;
    char text[200];
    COR_TRY(interaction__judge_lists(c, given, &c->limits, &is_sound, text, sizeof text, error));
    if (!is_sound)
        return cor_fail(error, COR_STATUS_UNSATISFIABLE, suite->experiment->path,
                        "name agents from 0 on, as the kind and the limits of \"structure\" ask for it",
                        "suite %u of arm %s: \"start\" gives no structure of its %u agents: %s",
                        suite->index, suite->arm->name, c->agent_count, text);
    if (suite->start_partitions > 0 && suite->start_partitions != given->block_count)
        return cor_fail(error, COR_STATUS_UNSATISFIABLE, suite->experiment->path,
                        "start by \"drawn\", or leave \"partitions\" out of the traps",
                        "suite %u of arm %s: a trap asks for %u organizations at the start, of which %u are given",
                        suite->index, suite->arm->name, suite->start_partitions, given->block_count);
    return begin_with(suite, given, error);
}

/* Draws the initial structure by the algorithm "random": once, or, where it is to begin inside, until it
 * does, from streams of their own. */
static enum cor_status draw_structure(struct cor_suite *suite, struct cor_error *error) {
    const struct cor_test_model *model = suite->experiment->model;
    struct cor_stream_name name = suite->name;
    struct tool tool;
    struct cor_lists whole;
    enum cor_status status = COR_OK;
    if (model->start == COR_START_GIVEN)
        return take_given(suite, error);
    cor_lists_init(&whole);
    COR_TRY_OUT(open_tool(suite, "random", &tool, error));
    if (suite->start_partitions > 0)
        tool.rules.count_min = tool.rules.count_max = suite->start_partitions;
    COR_TRY_OUT(draw_by(suite, &tool, &whole, &name, error));
    name.sequence = START_SEQUENCE;
    while (model->start == COR_START_INSIDE) {
        enum cor_inside inside;
        suite->configuration->threshold = model->threshold; /* which is given */
        COR_TRY_OUT(cor_suite_start(suite, &inside, error));
        if (inside == COR_INSIDE_INSIDE || inside == COR_INSIDE_EDGE)
            break;
        if (name.identity == START_TRIES)
            COR_TRY_OUT(
                cor_fail(error, COR_STATUS_UNSATISFIABLE, suite->experiment->path,
                         "widen the corridor, or start by \"drawn\": then the algorithm leads into it",
                         "suite %u of arm %s: none of %d structures drawn for the start is inside of "
                         "the corridor",
                         suite->index, suite->arm->name, START_TRIES + 1));
        if (cor_watch_stopped(*suite->experiment->watch))
            COR_TRY_OUT(COR_STATUS_INTERRUPTED);
        name.identity++;
        cor_lists_clear(&whole);
        COR_TRY_OUT(draw_by(suite, &tool, &whole, &name, error));
    }
out:
    close_tool(&tool);
    cor_lists_fini(&whole);
    return status;
}

/* The pilot's run at a threshold. */
struct pilot_run {
    double rate;        /* share of cases with an alarm; of a run that was ended early, a lower bound of it */
    double from, below; /* any threshold from .. below, without the latter, parts the dissimilarities that
                           were seen in the same way: its run is this one, case by case */
};

struct pilot {
    struct cor_state *state;
    struct cor_adopter *adopter;
    struct cor_walk walk;
    /* Owned; [case - 1][agent] what agents did: states and values do not depend on the structure, so they are
     * drawn in the first run, and repeated in others. NULL: nothing is drawn, or it would be too much. */
    uint8_t *taken;
    bool is_taken; /* `taken` holds them */
    struct cor_lists structure;
    struct tool tool;
};

/* The pilot's cases, in each of which the dissimilarity exceeds `threshold` or not, and is answered by a
 * reorganization if it does. Ends early when the rate of alarms exceeds `most`. */
static enum cor_status run_pilot(const struct cor_suite *suite, struct pilot *pilot, double threshold,
                                 double most, struct pilot_run *run, struct cor_error *error) {
    struct cor_stream_name name = suite->name;
    name.sequence = PILOT_SEQUENCE;
    uint32_t alarms = 0;
    *run = (struct pilot_run){.from = -INFINITY, .below = INFINITY};
    cor_state_restart(pilot->state, cor_walk_at(&pilot->walk, 0));
    for (uint32_t i = 1; i <= pilot->walk.case_count && run->rate <= most; i++) {
        if (cor_watch_stopped(*suite->experiment->watch))
            return COR_STATUS_INTERRUPTED;
        name.identity = i;
        /* The i-th case, from 1: perceived, or perceived once more. */
        const size_t agents = pilot->state->configuration->agent_count;
        uint8_t *taken = pilot->taken ? pilot->taken + (i - 1) * agents : NULL;
        if (pilot->is_taken)
            cor_state_perceive_again(pilot->state, cor_walk_at(&pilot->walk, i), taken);
        else {
            cor_state_perceive(pilot->state, cor_walk_at(&pilot->walk, i), &name);
            if (taken)
                memcpy(taken, pilot->state->taken, agents);
        }
        const double dissimilarity = cor_monitor_dissimilarity(pilot->state);
        if (dissimilarity <= threshold) {
            run->from = fmax(run->from, dissimilarity);
            continue;
        }
        run->below = fmin(run->below, dissimilarity);
        run->rate = (double)++alarms / pilot->walk.case_count;
        struct cor_adoption_report report;
        COR_TRY(cor_state_lists(pilot->state, &pilot->structure, error));
        COR_TRY(use_tool(&pilot->tool, &pilot->structure, pilot->state->value,
                         pilot->state->configuration->agent_count, &name, error));
        COR_ASSERT(pilot->tool.outcome.smoke == COR_SMOKE_NONE);
        COR_TRY(cor_adopt(pilot->adopter, pilot->state, &pilot->tool.outcome.solution, NULL, 0, &name,
                          &report, error));
    }
    return COR_OK;
}

/* The rate falls, on the whole, as the threshold rises; bisection ends at the upper end of the last interval,
 * where the rate was seen to be at most the one wanted. */
static enum cor_status bisect(const struct cor_suite *suite, struct pilot *pilot, double *threshold,
                              double *rate, struct cor_error *error) {
    const double wanted = suite->experiment->model->alarm_rate;
    double low = 0, high = 1;
    struct pilot_run over = {.from = INFINITY}, under; /* the runs at low and at high */
    COR_TRY(run_pilot(suite, pilot, high, 1, &under, error));
    pilot->is_taken = pilot->taken != NULL;
    for (uint32_t i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (low + high);
        struct pilot_run run = under;
        if (middle < over.below && middle >= over.from)
            run = over;
        else if (middle < under.from)
            COR_TRY(run_pilot(suite, pilot, middle, wanted, &run, error));
        if (run.rate > wanted) {
            low = middle;
            over = run;
        } else {
            high = middle;
            under = run;
        }
    }
    *threshold = high;
    *rate = under.rate;
    return COR_OK;
}

/* Sets the threshold: as given, or by bisection on a pilot run with an algorithm of the testbed (so that it
 * is a function of the configuration alone, equal for all algorithms under test). */
static enum cor_status set_threshold(struct cor_suite *suite, struct cor_error *error) {
    const struct cor_test_model *model = suite->experiment->model;
    suite->pilot_rate = NAN;
    suite->configuration->threshold = model->threshold;
    if (model->threshold_given)
        return COR_OK;
    /* The pilot's system is sound: faults of monitor and adoption are the arm's, and not part of the
     * threshold. */
    struct cor_adoption_definition adoption = suite->configuration->adoption;
    suite->configuration->adoption.fault = COR_ADOPTION_FAULT_NONE;
    /* Nor do agents come and go in it. */
    uint32_t *const presence = suite->configuration->presence_chain;
    suite->configuration->presence_chain = NULL;
    struct pilot pilot = {0};
    enum cor_status status = COR_OK;
    const struct cor_configuration *c = suite->configuration;
    struct cor_walk_definition definition = {
        .source = &cor_source_profile,
        .profiles = (const struct cor_profile *const *)suite->profiles,
        .profile_of_chain = c->profile_of_chain,
        .chain_count = c->chain_count,
        .case_count = suite->experiment->model->pilot_cases,
        .name = suite->name,
    };
    definition.name.sequence = PILOT_SEQUENCE;
    cor_walk_init(&pilot.walk);
    cor_lists_init(&pilot.structure);
    COR_TRY_OUT(open_tool(suite, suite->experiment->model->pilot, &pilot.tool, error));
    /* A threshold fits a number of partitions: the more there are, the smaller and the less alike. The pilot
     * keeps to the number that the suite starts with. */
    pilot.tool.rules.count_min = pilot.tool.rules.count_max = c->initial_partitions;
    COR_TRY_OUT(cor_state_create(c, &pilot.state, error));
    COR_TRY_OUT(cor_adopter_create(c->agent_count, &pilot.adopter, error));
    const size_t taken = (size_t)definition.case_count * c->agent_count;
    if (cor_state_draws(pilot.state) && taken <= TAKEN_MOST) {
        COR_TRY_OUT(cor_made(pilot.taken = cor_calloc(taken, 1), error));
    }
    COR_TRY_OUT(cor_walk_begin(&pilot.walk, &definition, error));
    COR_TRY_OUT(bisect(suite, &pilot, &suite->configuration->threshold, &suite->pilot_rate, error));
out:
    cor_state_destroy(pilot.state);
    cor_adopter_destroy(pilot.adopter);
    cor_walk_fini(&pilot.walk);
    free(pilot.taken);
    cor_lists_fini(&pilot.structure);
    close_tool(&pilot.tool);
    suite->configuration->adoption = adoption;
    suite->configuration->presence_chain = presence;
    return status;
}

/* ---- generating a suite: numbers, population, profiles, configuration, structure, threshold - each from
 * streams of its own */

static enum cor_status take(const struct cor_suite *suite, const char *role,
                            const struct cor_derived_quantity *quantity, const int64_t *values, int64_t low,
                            int64_t high, int64_t *number, struct cor_error *error) {
    const char *text = quantity->expression.text, *file = suite->experiment->path;
    *number = quantity->given;
    if (text && !cor_expression_value(&quantity->expression, values, number))
        return cor_fail(error, COR_STATUS_UNSATISFIABLE, file, "add a constraint that keeps it defined",
                        "suite %u of arm %s: %s (%s) is undefined: division by zero or overflow",
                        suite->index, suite->arm->name, role, text);
    if (*number >= low && *number <= high)
        return COR_OK;
    return cor_fail(error, COR_STATUS_UNSATISFIABLE, file, "add a constraint that keeps it in this range",
                    "suite %u of arm %s: %s%s%s%s is %lld, expected %lld to %lld", suite->index,
                    suite->arm->name, role, text ? " (" : "", text ? text : "", text ? ")" : "",
                    (long long)*number, (long long)low, (long long)high);
}

static enum cor_status take_all(struct cor_suite *suite, const int64_t *values, struct cor_numbers *n,
                                struct cor_error *error) {
    const struct cor_roles *r = &suite->arm->roles;
    *n = (struct cor_numbers){.idle_ratio = r->idle_ratio};
    COR_TRY(take(suite, "agents", &r->agents, values, 1, COR_AGENTS_MAX, &n->agents, error));
    COR_TRY(take(suite, "size_min", &r->size_min, values, 1, UINT32_MAX, &n->size_min, error));
    COR_TRY(take(suite, "size_max", &r->size_max, values, n->size_min, UINT32_MAX, &n->size_max, error));
    COR_TRY(take(suite, "count_min", &r->count_min, values, 1, UINT32_MAX, &n->count_min, error));
    COR_TRY(take(suite, "count_max", &r->count_max, values, n->count_min, UINT32_MAX, &n->count_max, error));
    if (!r->groups_by_size && (r->groups.given > 0 || r->groups.expression.text))
        COR_TRY(take(suite, "groups", &r->groups, values, 1, n->agents, &n->groups, error));
    if (r->groups_have_sizes) {
        COR_TRY(take(suite, "the least group size", &r->group_size_min, values, 1, UINT32_MAX,
                     &n->group_size_min, error));
        COR_TRY(take(suite, "the largest group size", &r->group_size_max, values, n->group_size_min,
                     UINT32_MAX, &n->group_size_max, error));
    }
    const struct cor_type_counts *counts = suite->arm->type_counts;
    n->has_type_counts = counts != NULL;
    for (uint32_t t = 0; t < suite->experiment->model->type_count; t++) {
        n->type_count[t] = -1;
        if (counts && counts->texts[t])
            COR_TRY(take(suite, suite->experiment->model->types[t].name, &counts->numbers[t], values, 0,
                         n->agents, &n->type_count[t], error));
    }
    if (!r->location_per_group)
        COR_TRY(take(suite, "locations", &r->locations, values, 1, UINT32_MAX, &n->locations, error));
    if (r->idle_parameter >= 0)
        n->idle_ratio = suite->parameters[r->idle_parameter];
    return COR_OK;
}

/* By the arm's laws, within the classes of a row of its covering array or on a row of its design if it has
 * one. */
static enum cor_status draw_by_laws(struct cor_suite *suite, struct cor_rng *rng, int64_t *values,
                                    struct cor_draw *draw, struct cor_error *error) {
    const struct cor_arm *arm = suite->arm;
    if (arm->configuration_traps)
        return interaction__configuration_traps_draw(arm, suite->index, rng, values, suite->parameters, draw,
                                                     &suite->start_partitions, error);
    if (arm->explored)
        return interaction__configuration_design_draw(arm, suite->index, rng, values, suite->parameters, draw,
                                                      error);
    if (!arm->configurations)
        return cor_parameter_laws_draw(arm->laws, rng, values, suite->parameters, draw, error);
    struct cor_class *within = cor_calloc(cor_parameter_laws_capacity(arm->laws), sizeof *within);
    COR_TRY(cor_made(within, error));
    interaction__configurations_within(arm, suite->index, within);
    enum cor_status status = interaction__laws_draw_within(arm->laws, rng, within, values, suite->parameters,
                                                           COR_DRAWS_MAX, draw, error);
    free(within);
    return status;
}

/* Draws the parameters by the arm's laws, unless they are given, and evaluates the roles. */
static enum cor_status draw_numbers(struct cor_suite *suite, const double *parameters,
                                    struct cor_numbers *numbers, struct cor_error *error) {
    struct cor_rng rng = suite_rng(suite, COR_PURPOSE_CONFIGURATION, suite->draw);
    struct cor_draw draw;
    struct cor_error said = COR_NO_ERROR;
    COR_FREED int64_t *values = cor_calloc(cor_parameter_laws_capacity(suite->arm->laws), sizeof *values);
    COR_TRY(cor_made(values, error));
    enum cor_status status = COR_OK;
    if (parameters) {
        const uint32_t capacity = cor_parameter_laws_capacity(suite->arm->laws),
                       count = cor_parameter_laws_size(suite->arm->laws);
        draw = (struct cor_draw){.attempts = 1};
        memcpy(suite->parameters, parameters, capacity * sizeof *parameters);
        for (uint32_t p = 0; p < capacity; p++)
            if (p >= count || cor_parameter_laws_is_integer(suite->arm->laws, p))
                values[p] = (int64_t)parameters[p];
    } else {
        status = draw_by_laws(suite, &rng, values, &draw, &said);
    }
    if (status != COR_OK) {
        cor_fail(error, status, suite->experiment->path, said.remedy, "suite %u of arm %s: %s", suite->index,
                 suite->arm->name, said.cause);
        return status;
    }
    suite->attempts = draw.attempts;
    suite->fallback = draw.fallback;
    const struct cor_arm *arm = suite->arm;
    for (uint32_t i = 0; i < cor_algorithm_parameter_count(arm->algorithm); i++) {
        if (arm->algorithm_parameters[i] >= 0)
            suite->algorithm_parameters[i] = suite->parameters[arm->algorithm_parameters[i]];
    }
    COR_TRY(take_all(suite, values, numbers, error));
    int64_t budget = values[suite->arm->roles.budget_parameter];
    suite->budget = (uint64_t)budget;
    if (budget < 1)
        return cor_fail(error, COR_STATUS_UNSATISFIABLE, suite->experiment->path, "a budget is at least 1",
                        "suite %u of arm %s: the budget is %lld", suite->index, suite->arm->name,
                        (long long)budget);
    const struct cor_test_model *model = suite->experiment->model;
    for (uint32_t e = 0; e < model->environment_count; e++) {
        int64_t states = 0;
        if (model->environments[e].is_random)
            COR_TRY(take(suite, "states", &suite->arm->roles.random_states[e], values, 2,
                         COR_PROFILE_STATES_MAX, &states, error));
        suite->random_states[e] = (uint32_t)states;
    }
    return status;
}

/* The suite's profiles: given ones borrowed, random ones drawn. Profile p belongs to environment p. */
static enum cor_status draw_profiles(struct cor_suite *suite, struct cor_error *error) {
    const struct cor_test_model *model = suite->experiment->model;
    for (uint32_t e = 0; e < model->environment_count; e++) {
        const struct cor_environment *environment = &model->environments[e];
        suite->environment_of_profile[e] = (uint16_t)e;
        suite->profiles[e] = environment->profile;
        if (!environment->is_random)
            continue;
        struct cor_profile_law law = environment->random;
        law.states = suite->random_states[e];
        struct cor_rng rng = suite_rng(suite, COR_PURPOSE_PROFILE, e);
        COR_TRY(cor_profile_random(&law, environment->name, &rng, &suite->profiles[e], error));
        suite->owned_profiles[e] = true;
    }
    return COR_OK;
}

enum cor_status interaction__suite_create(const struct cor_experiment *experiment, uint32_t arm,
                                          uint32_t index, uint32_t sequences, struct cor_suite **suite,
                                          struct cor_error *error) {
    COR_ASSERT(arm < experiment->arm_count);
    struct cor_suite *s = *suite = cor_calloc(1, sizeof *s);
    COR_TRY(cor_made(s, error));
    uint32_t environments = experiment->model->environment_count;
    s->experiment = experiment;
    s->arm = &experiment->arms[arm];
    s->arm_index = arm;
    s->index = index;
    s->name = (struct cor_stream_name){.seed = experiment->seed,
                                       .arm = cor_experiment_stream(experiment, arm),
                                       .suite = cor_explored_stream(s->arm->explored, index)};
    s->profiles = cor_calloc(environments, sizeof *s->profiles);
    s->owned_profiles = cor_calloc(environments, sizeof *s->owned_profiles);
    s->environment_of_profile = cor_calloc(environments, sizeof *s->environment_of_profile);
    s->random_states = cor_calloc(environments, sizeof *s->random_states);
    s->parameters = cor_calloc(cor_parameter_laws_capacity(s->arm->laws), sizeof *s->parameters);
    s->algorithm_parameters =
        cor_calloc(cor_algorithm_parameter_count(s->arm->algorithm), sizeof *s->algorithm_parameters);
    for (uint32_t i = 0; s->algorithm_parameters && i < cor_algorithm_parameter_count(s->arm->algorithm); i++)
        s->algorithm_parameters[i] = s->arm->algorithm->parameters[i].value;
    s->sequence_count = sequences;
    s->case_counts = cor_calloc(sequences, sizeof *s->case_counts);
    s->pilot_rate = NAN;
    if (s->profiles && s->owned_profiles && s->environment_of_profile && s->random_states && s->parameters &&
        s->algorithm_parameters && s->case_counts)
        return COR_OK;
    cor_suite_destroy(s);
    *suite = NULL;
    return cor_fail_memory(error);
}

enum cor_status cor_suite_steer(struct cor_suite *suite, struct cor_error *error) {
    const struct cor_configuration *c = suite->configuration;
    if (!suite->arm->traps)
        return COR_OK;
    struct cor_error said = COR_NO_ERROR;
    COR_FREED const struct cor_profile **profiles = cor_calloc(c->chain_count, sizeof(struct cor_profile *));
    COR_FREED uint32_t *environments = cor_calloc(c->chain_count, sizeof *environments);
    struct cor_steering_definition definition = {
        .traps = suite->arm->traps,
        .profiles = profiles,
        .environments = environments,
        .chain_count = c->chain_count,
        .parameters = suite->parameters,
        .parameter_count = cor_parameter_laws_size(suite->arm->laws),
    };
    enum cor_status status = COR_OK;
    COR_TRY(profiles && environments ? COR_OK : cor_fail_memory(error));
    for (uint32_t chain = 0; chain < c->chain_count; chain++) {
        profiles[chain] = suite->profiles[c->profile_of_chain[chain]];
        environments[chain] = suite->environment_of_profile[c->profile_of_chain[chain]];
    }
    for (uint32_t s = 0; s < suite->sequence_count; s++)
        if (suite->case_counts[s] > definition.case_max)
            definition.case_max = suite->case_counts[s];
    status = cor_steering_create(&definition, &suite->steering, &said);
    if (status != COR_OK)
        cor_fail(error, status, suite->experiment->path, said.remedy, "suite %u of arm %s: %s", suite->index,
                 suite->arm->name, said.cause);
    return status;
}

/* What is larger than all of the file is refused before memory is taken for it. */
static enum cor_status check_size(const struct cor_suite *suite, const char *what, uint64_t number,
                                  uint64_t most, struct cor_error *error) {
    if (number <= most)
        return COR_OK;
    return cor_fail(error, COR_STATUS_INPUT, suite->experiment->path,
                    "generate it with the version that made the file, or take another copy",
                    "suite %u of arm %s: is generated with %llu %s, the suites of the file have at most %llu",
                    suite->index, suite->arm->name, (unsigned long long)number, what,
                    (unsigned long long)most);
}

/* Where the experiment gives a configuration, all suites draw it as that one does, and the rest by their own
 * numbers. */
static uint32_t configured_as(const struct cor_experiment *experiment, uint32_t index) {
    return experiment->given >= 0 ? (uint32_t)experiment->given : index;
}

static enum cor_status fill_suite(struct cor_suite *suite, uint32_t index, const double *parameters,
                                  struct interaction__population *population, struct cor_error *error) {
    struct cor_numbers numbers;
    const struct cor_experiment *experiment = suite->experiment;
    COR_TRY(draw_numbers(suite, parameters, &numbers, error));
    COR_TRY(check_size(suite, "agents", (uint64_t)numbers.agents, experiment->agents_most, error));
    COR_TRY(check_size(suite, "units of budget", suite->budget, experiment->budget_most, error));
    COR_TRY(draw_profiles(suite, error));
    COR_TRY(draw_population(suite, &numbers, population, error));
    COR_TRY(build_configuration(suite, &numbers, population, error));
    /* Gives the agents of a suite their attributes. */
    const struct cor_test_model *model = suite->experiment->model;
    COR_TRY(cor_configuration_set_attributes(suite->configuration, model->attribute_count, model->attributes,
                                             error));
    for (uint32_t a = 0; a < model->attribute_count; a++) {
        struct cor_configuration *c = suite->configuration;
        struct cor_agent_attribute *attribute = &c->attributes[a];
        struct cor_rng rng[COR_TYPES_MAX];
        for (uint32_t t = 0; t < c->type_count; t++) {
            const struct cor_attribute_law *law = &suite->experiment->model->types[t].attributes[a];
            if (law->source == COR_ATTRIBUTE_LEVEL)
                COR_TRY(set_levels_attributes(suite, a, t, error));
            if (law->formula.text)
                COR_TRY(cor_configuration_set_formula(c, a, t, law->source, &law->formula, error));
            rng[t] = stream(suite, a, t, 0);
        }
        attribute->is_one_formula = interaction__is_one_formula(c, attribute);
        for (uint32_t g = 0; g < c->group_count; g++)
            for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++) {
                const struct cor_attribute_law *law =
                    &suite->experiment->model->types[c->type[i]].attributes[a];
                if (law->source == COR_ATTRIBUTE_FIXED || law->source == COR_ATTRIBUTE_ADDED)
                    attribute->initial[i] = draw(attribute, law, &rng[c->type[i]]);
                else if (law->source == COR_ATTRIBUTE_LEVEL) /* that which the agent begins with */
                    attribute->initial[i] =
                        attribute->rules[c->type[i]]
                            .level[c->profile_of_chain[cor_configuration_chain(c, c->type[i], g)]]
                                  [c->initial_state[i]];
            }
    }
    COR_TRY(interaction__suite_describe(suite, error));
    COR_TRY(draw_structure(suite, error));
    COR_TRY(set_threshold(suite, error));
    suite->index = index;
    suite->name.suite = cor_explored_stream(suite->arm->explored, index);
    for (uint32_t s = 0; s < suite->sequence_count; s++) {
        struct cor_stream_name name = suite->name;
        name.purpose = COR_PURPOSE_LENGTH;
        name.sequence = s;
        struct cor_rng rng = cor_rng_named(&name);
        suite->case_counts[s] = (uint32_t)cor_rng_between(&rng, experiment->case_min, experiment->case_max);
        COR_TRY(check_size(suite, "test cases", suite->case_counts[s], experiment->cases_most, error));
    }
    return cor_suite_steer(suite, error);
}

enum cor_status cor_suite_draw(const struct cor_experiment *experiment, uint32_t arm, uint32_t index,
                               uint32_t draw, int64_t *integers, double *parameters,
                               struct cor_error *error) {
    COR_ASSERT(arm < experiment->arm_count);
    const struct cor_arm *it = &experiment->arms[arm];
    COR_ASSERT(!it->configurations && !it->configuration_traps && !it->explored);
    const struct cor_stream_name name = {.seed = experiment->seed,
                                         .arm = cor_experiment_stream(experiment, arm),
                                         .suite = configured_as(experiment, index),
                                         .purpose = COR_PURPOSE_CONFIGURATION,
                                         .entity = draw};
    struct cor_rng rng = cor_rng_named(&name);
    struct cor_draw drawn;
    return cor_parameter_laws_draw(it->laws, &rng, integers, parameters, &drawn, error);
}

static enum cor_status generate(const struct cor_experiment *experiment, uint32_t arm, uint32_t index,
                                uint32_t draw, const double *parameters, struct cor_suite **suite,
                                struct cor_error *error) {
    struct interaction__population population = {0};
    COR_TRY(interaction__suite_create(experiment, arm, configured_as(experiment, index),
                                      experiment->sequence_count, suite, error));
    (*suite)->draw = draw;
    enum cor_status status = fill_suite(*suite, index, parameters, &population, error);
    COR_FREE(population.size, population.chain, population.type, population.types, population.other_chains,
             population.chain_environment, population.chain_location);
    if (status != COR_OK) {
        cor_suite_destroy(*suite);
        *suite = NULL;
    }
    return status;
}

enum cor_status cor_suite_generate(const struct cor_experiment *experiment, uint32_t arm, uint32_t index,
                                   struct cor_suite **suite, struct cor_error *error) {
    return generate(experiment, arm, index, 0, NULL, suite, error);
}

enum cor_status cor_suite_generate_drawn(const struct cor_experiment *experiment, uint32_t arm,
                                         uint32_t index, uint32_t draw, struct cor_suite **suite,
                                         struct cor_error *error) {
    return generate(experiment, arm, index, draw, NULL, suite, error);
}

enum cor_status cor_suite_generate_of(const struct cor_experiment *experiment, uint32_t arm, uint32_t index,
                                      const double *parameters, struct cor_suite **suite,
                                      struct cor_error *error) {
    return generate(experiment, arm, index, 0, parameters, suite, error);
}
void cor_suite_destroy(struct cor_suite *suite) {
    if (!suite)
        return;
    for (uint32_t e = 0; suite->owned_profiles && e < suite->experiment->model->environment_count; e++)
        if (suite->owned_profiles[e])
            cor_profile_destroy(suite->profiles[e]);
    for (uint32_t s = 0; suite->recorded && s < suite->sequence_count; s++)
        cor_walk_fini(&suite->recorded[s]);
    cor_steering_destroy(suite->steering);
    cor_configuration_destroy(suite->configuration);
    COR_FREE(suite->profiles, suite->owned_profiles, suite->environment_of_profile, suite->random_states,
             suite->columns, suite->parameters, suite->algorithm_parameters, suite->case_counts,
             suite->recorded, suite);
}

struct cor_rules cor_suite_rules(const struct cor_suite *suite) {
    const struct cor_configuration *c = suite->configuration;
    struct cor_rules rules =
        cor_default_rules(suite->arm->algorithm, &c->limits, c->threshold, suite->algorithm_parameters);
    if (c->attribute_count > 0) {
        rules.value_count = 1 + c->attribute_count;
        rules.columns = suite->columns;
    }
    rules.fault = suite->arm->fault;
    rules.budget = suite->budget;
    rules.organized = (uint32_t)c->kind;
    return rules;
}

struct cor_walk_definition cor_suite_walk_definition(const struct cor_suite *suite, uint32_t sequence,
                                                     const struct cor_branch *branch) {
    uint32_t original = branch ? branch->parent : sequence, longest = suite->experiment->branching.cases;
    COR_ASSERT(original < suite->sequence_count);
    COR_ASSERT(!branch || sequence >= suite->sequence_count);
    struct cor_walk_definition definition = {
        .source = suite->recorded && !branch && !suite->steering ? &cor_source_recorded : suite->arm->source,
        .profiles = (const struct cor_profile *const *)suite->profiles,
        .profile_of_chain = suite->configuration->profile_of_chain,
        .chain_count = suite->configuration->chain_count,
        .case_count = suite->case_counts[original],
        .name = suite->name,
        .branch = branch,
        .recorded = suite->recorded ? &suite->recorded[original] : NULL,
        .steering = suite->steering,
    };
    if (branch && definition.case_count - branch->prefix > longest)
        definition.case_count = branch->prefix + longest;
    definition.name.sequence = sequence;
    return definition;
}

enum cor_status cor_suite_walk(const struct cor_suite *suite, uint32_t sequence, struct cor_walk *walk,
                               struct cor_error *error) {
    const struct cor_walk_definition definition = cor_suite_walk_definition(suite, sequence, NULL);
    return cor_walk_begin(walk, &definition, error);
}

/* ---- suite of walk */

void cor_suite_set_profile(struct cor_suite *suite, uint32_t index, struct cor_profile *profile) {
    COR_ASSERT(profile->state_count == suite->profiles[index]->state_count && !suite->steering);
    if (suite->owned_profiles[index])
        cor_profile_destroy(suite->profiles[index]);
    suite->profiles[index] = profile;
    suite->owned_profiles[index] = true;
}

static enum cor_status fill(const struct cor_suite *from, struct cor_walk *walk, struct cor_suite *to,
                            struct cor_error *error) {
    const struct cor_arm *arm = from->arm;
    to->name = from->name;
    to->budget = from->budget;
    to->draw = from->draw;
    to->attempts = from->attempts;
    to->start_partitions = from->start_partitions;
    to->fallback = from->fallback;
    to->pilot_rate = from->pilot_rate;
    memcpy(to->parameters, from->parameters, arm->parameter_count * sizeof *to->parameters);
    memcpy(to->algorithm_parameters, from->algorithm_parameters,
           cor_algorithm_parameter_count(arm->algorithm) * sizeof *to->algorithm_parameters);
    COR_TRY(cor_configuration_copy(from->configuration, &to->configuration, error));
    COR_TRY(interaction__suite_describe(to, error));
    /* Those of the model are borrowed, as they were. */
    for (uint32_t e = 0; e < from->experiment->model->environment_count; e++) {
        to->owned_profiles[e] = from->owned_profiles[e];
        to->profiles[e] = from->owned_profiles[e] ? cor_profile_share(from->profiles[e]) : from->profiles[e];
        to->environment_of_profile[e] = from->environment_of_profile[e];
        to->random_states[e] = from->random_states[e];
    }
    COR_TRY(cor_made(to->recorded = cor_calloc(1, sizeof *to->recorded), error));
    free(walk->memory);
    to->case_counts[0] = walk->known;
    to->recorded[0] = (struct cor_walk){.chain_count = walk->chain_count,
                                        .case_count = walk->known,
                                        .known = walk->known,
                                        .states = walk->states,
                                        .capacity = walk->capacity};
    cor_walk_init(walk);
    return COR_OK;
}

enum cor_status cor_suite_of_walk(const struct cor_suite *suite, const struct cor_arm *arm,
                                  struct cor_walk *walk, struct cor_suite **alone, struct cor_error *error) {
    COR_ASSERT(arm->algorithm == suite->arm->algorithm && arm->laws == suite->arm->laws);
    COR_ASSERT(walk->chain_count == suite->configuration->chain_count);
    COR_TRY(interaction__suite_create(suite->experiment, suite->arm_index, suite->index, 1, alone, error));
    enum cor_status status = fill(suite, walk, *alone, error);
    (*alone)->arm = arm;
    if (status == COR_OK)
        return COR_OK;
    cor_suite_destroy(*alone);
    *alone = NULL;
    return status;
}
