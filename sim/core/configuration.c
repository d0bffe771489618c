/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/configuration.h>

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>

enum cor_status cor_configuration_create(uint32_t agents, uint32_t groups, uint32_t chains, uint32_t types,
                                         uint32_t profiles, struct cor_configuration **configuration,
                                         struct cor_error *error) {
    struct cor_configuration *c = *configuration = cor_calloc(1, sizeof *c);
    if (!c)
        return cor_fail_memory(error);
    *c = (struct cor_configuration){
        .agent_count = agents,
        .group_count = groups,
        .chain_count = chains,
        .type_count = types,
        .profile_count = profiles,
        .type = cor_calloc(agents, sizeof *c->type),
        .group_start = cor_calloc((size_t)groups + 1, sizeof *c->group_start),
        .chain_of_group = cor_calloc(groups, sizeof *c->chain_of_group),
        .profile_of_chain = cor_calloc(chains, sizeof *c->profile_of_chain),
        .location_of_chain = cor_calloc(chains, sizeof *c->location_of_chain),
        .inertia = cor_calloc(agents, sizeof *c->inertia),
        .initial_state = cor_calloc(agents, sizeof *c->initial_state),
        .initial_value = cor_calloc(agents, sizeof *c->initial_value),
        .initial_partition = cor_calloc(agents, sizeof *c->initial_partition),
        .effects = cor_calloc((size_t)types * profiles, sizeof *c->effects),
        .limits = COR_NO_LIMITS,
        .measure = COR_MEASURE_RANGE,
        .monitor.fault = COR_MONITOR_FAULT_NONE,
        .adoption.fault = COR_ADOPTION_FAULT_NONE,
    };
    if (c->type && c->group_start && c->chain_of_group && c->profile_of_chain && c->location_of_chain &&
        c->inertia && c->initial_state && c->initial_value && c->initial_partition && c->effects)
        return COR_OK;
    cor_configuration_destroy(c);
    *configuration = NULL;
    return cor_fail_memory(error);
}

enum cor_status cor_configuration_set_effect(struct cor_configuration *configuration, uint32_t type,
                                             uint32_t profile, uint32_t environment_states,
                                             uint32_t relevant_count, uint32_t state_count,
                                             bool probabilistic, struct cor_effect **effect,
                                             struct cor_error *error) {
    struct cor_effect *e = *effect =
        &configuration->effects[(size_t)type * configuration->profile_count + profile];
    size_t rows = (size_t)relevant_count * state_count;
    COR_ASSERT(!e->relevant && rows > 0);
    *e = (struct cor_effect){
        .environment_states = environment_states,
        .relevant_count = relevant_count,
        .state_count = state_count,
        .relevant = cor_calloc(environment_states, 1),
        .next = cor_calloc(rows, 1),
        .cumulative = probabilistic ? cor_calloc(rows * state_count, sizeof *e->cumulative) : NULL,
        .level = cor_calloc(state_count, sizeof *e->level),
    };
    bool whole = e->relevant && e->next && e->level && (!probabilistic || e->cumulative);
    return whole ? COR_OK : cor_fail_memory(error);
}

void cor_configuration_destroy(struct cor_configuration *c) {
    if (!c)
        return;
    for (size_t i = 0; c->effects && i < (size_t)c->type_count * c->profile_count; i++) {
        free(c->effects[i].relevant);
        free(c->effects[i].next);
        free(c->effects[i].cumulative);
        free(c->effects[i].level);
    }
    free(c->effects);
    free(c->type);
    free(c->group_start);
    free(c->chain_of_group);
    free(c->profile_of_chain);
    free(c->location_of_chain);
    free(c->inertia);
    free(c->initial_state);
    free(c->initial_value);
    free(c->initial_partition);
    free(c);
}

static uint64_t hash_effect(uint64_t hash, const struct cor_effect *e) {
    size_t rows = (size_t)e->relevant_count * e->state_count;
    hash = cor_hash_bytes(hash, e->relevant, e->environment_states);
    hash = cor_hash_bytes(hash, e->next, rows);
    if (e->cumulative)
        hash = cor_hash_bytes(hash, e->cumulative, rows * e->state_count * sizeof *e->cumulative);
    return cor_hash_bytes(hash, e->level, e->state_count * sizeof *e->level);
}

uint64_t cor_configuration_hash(const struct cor_configuration *c) {
    const uint32_t counts[] = {c->agent_count,         c->group_count,      c->chain_count,
                               c->type_count,          c->profile_count,    c->limits.size_min,
                               c->limits.size_max,     c->limits.count_min, c->limits.count_max,
                               c->initial_partitions,  c->measure,          c->monitor.fault,
                               c->monitor.delay_cases, c->adoption.fault};
    const double reals[] = {c->threshold, c->idle_ratio, c->monitor.probability, c->adoption.probability};
    uint64_t hash = cor_hash_bytes(COR_HASH_SEED, counts, sizeof counts);
    hash = cor_hash_bytes(hash, reals, sizeof reals);
    hash = cor_hash_bytes(hash, c->type, c->agent_count * sizeof *c->type);
    hash = cor_hash_bytes(hash, c->group_start, ((size_t)c->group_count + 1) * sizeof *c->group_start);
    hash = cor_hash_bytes(hash, c->chain_of_group, c->group_count * sizeof *c->chain_of_group);
    hash = cor_hash_bytes(hash, c->profile_of_chain, c->chain_count * sizeof *c->profile_of_chain);
    hash = cor_hash_bytes(hash, c->location_of_chain, c->chain_count * sizeof *c->location_of_chain);
    hash = cor_hash_bytes(hash, c->inertia, c->agent_count * sizeof *c->inertia);
    hash = cor_hash_bytes(hash, c->initial_state, c->agent_count);
    hash = cor_hash_bytes(hash, c->initial_value, c->agent_count * sizeof *c->initial_value);
    hash = cor_hash_bytes(hash, c->initial_partition, c->agent_count * sizeof *c->initial_partition);
    for (size_t i = 0; i < (size_t)c->type_count * c->profile_count; i++)
        hash = hash_effect(hash, &c->effects[i]);
    return hash;
}
