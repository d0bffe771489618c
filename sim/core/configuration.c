/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

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
        .kind = COR_STRUCTURE_PARTITIONING,
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

enum cor_status cor_effect_set_others(struct cor_effect *effect, const struct cor_other_profile *others,
                                      uint32_t count, struct cor_error *error) {
    COR_ASSERT(!effect->others);
    if (count == 0)
        return COR_OK;
    effect->others = cor_calloc(count, sizeof *effect->others);
    COR_TRY(cor_made(effect->others, error));
    memcpy(effect->others, others, count * sizeof *others);
    effect->other_count = count;
    return COR_OK;
}

enum cor_status cor_configuration_set_other_chains(struct cor_configuration *configuration,
                                                   struct cor_error *error) {
    const size_t count = (size_t)configuration->group_count * configuration->profile_count;
    configuration->other_chains = cor_calloc(count, sizeof *configuration->other_chains);
    COR_TRY(cor_made(configuration->other_chains, error));
    memset(configuration->other_chains, 0xff, count * sizeof *configuration->other_chains);
    return COR_OK;
}

static enum cor_status copy_effect(const struct cor_effect *from, uint32_t type, uint32_t profile,
                                   struct cor_configuration *copy, struct cor_error *error) {
    size_t rows = (size_t)from->relevant_count * from->state_count;
    struct cor_effect *to;
    if (!from->relevant)
        return COR_OK;
    COR_TRY(cor_configuration_set_effect(copy, type, profile, from->environment_states, from->relevant_count,
                                         from->state_count, from->cumulative != NULL, &to, error));
    memcpy(to->relevant, from->relevant, from->environment_states);
    memcpy(to->next, from->next, rows);
    if (from->cumulative)
        memcpy(to->cumulative, from->cumulative, rows * from->state_count * sizeof *to->cumulative);
    memcpy(to->level, from->level, from->state_count * sizeof *to->level);
    return cor_effect_set_others(to, from->others, from->other_count, error);
}

enum cor_status cor_configuration_copy(const struct cor_configuration *configuration,
                                       struct cor_configuration **copy, struct cor_error *error) {
    const struct cor_configuration *c = configuration;
    COR_TRY(cor_configuration_create(c->agent_count, c->group_count, c->chain_count, c->type_count,
                                     c->profile_count, copy, error));
    enum cor_status status = COR_OK;
    struct cor_configuration *to = *copy;
    memcpy(to->type, c->type, c->agent_count * sizeof *to->type);
    memcpy(to->group_start, c->group_start, ((size_t)c->group_count + 1) * sizeof *to->group_start);
    memcpy(to->chain_of_group, c->chain_of_group, c->group_count * sizeof *to->chain_of_group);
    memcpy(to->profile_of_chain, c->profile_of_chain, c->chain_count * sizeof *to->profile_of_chain);
    memcpy(to->location_of_chain, c->location_of_chain, c->chain_count * sizeof *to->location_of_chain);
    memcpy(to->inertia, c->inertia, c->agent_count * sizeof *to->inertia);
    memcpy(to->initial_state, c->initial_state, c->agent_count);
    memcpy(to->initial_value, c->initial_value, c->agent_count * sizeof *to->initial_value);
    memcpy(to->initial_partition, c->initial_partition, c->agent_count * sizeof *to->initial_partition);
    to->initial_partitions = c->initial_partitions;
    to->kind = c->kind;
    to->limits = c->limits;
    to->measure = c->measure;
    to->threshold = c->threshold;
    to->idle_ratio = c->idle_ratio;
    to->monitor = c->monitor;
    to->adoption = c->adoption;
    for (uint32_t type = 0; type < c->type_count; type++)
        for (uint32_t profile = 0; profile < c->profile_count; profile++)
            COR_TRY_OUT(copy_effect(&c->effects[(size_t)type * c->profile_count + profile], type, profile, to,
                                    error));
    if (c->other_chains) {
        COR_TRY_OUT(cor_configuration_set_other_chains(to, error));
        memcpy(to->other_chains, c->other_chains,
               (size_t)c->group_count * c->profile_count * sizeof *to->other_chains);
    }
    COR_TRY_OUT(cor_lists_copy(&to->initial_organizations, &c->initial_organizations, error));
    COR_TRY_OUT(core__attributes_copy(c, to, error));
    if (!c->agent_identity)
        goto out;
    to->identity_count = c->identity_count;
    to->agent_identity = cor_calloc(c->agent_count, sizeof *to->agent_identity);
    COR_TRY_OUT(cor_made(to->agent_identity, error));
    memcpy(to->agent_identity, c->agent_identity, c->agent_count * sizeof *to->agent_identity);
out:
    if (status != COR_OK) {
        cor_configuration_destroy(*copy);
        *copy = NULL;
    }
    return status;
}

void cor_configuration_destroy(struct cor_configuration *c) {
    if (!c)
        return;
    core__attributes_destroy(c);
    for (size_t i = 0; c->effects && i < (size_t)c->type_count * c->profile_count; i++) {
        free(c->effects[i].relevant);
        free(c->effects[i].next);
        free(c->effects[i].cumulative);
        free(c->effects[i].level);
        free(c->effects[i].others);
    }
    free(c->effects);
    free(c->type);
    free(c->group_start);
    free(c->chain_of_group);
    free(c->other_chains);
    free(c->profile_of_chain);
    free(c->location_of_chain);
    free(c->inertia);
    free(c->initial_state);
    free(c->initial_value);
    free(c->initial_partition);
    cor_lists_fini(&c->initial_organizations);
    free(c->agent_identity);
    free(c);
}

static uint64_t hash_effect(uint64_t hash, const struct cor_effect *e) {
    size_t rows = (size_t)e->relevant_count * e->state_count;
    hash = cor_hash_bytes(hash, e->relevant, e->environment_states);
    hash = cor_hash_bytes(hash, e->next, rows);
    if (e->cumulative)
        hash = cor_hash_bytes(hash, e->cumulative, rows * e->state_count * sizeof *e->cumulative);
    if (e->others)
        hash = cor_hash_bytes(hash, e->others, e->other_count * sizeof *e->others);
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
    if (c->other_chains)
        hash = cor_hash_bytes(hash, c->other_chains,
                              (size_t)c->group_count * c->profile_count * sizeof *c->other_chains);
    if (c->kind != COR_STRUCTURE_PARTITIONING) {
        const struct cor_lists *lists = &c->initial_organizations;
        hash = cor_hash_word(hash, c->kind);
        for (uint32_t o = 0; o < lists->block_count; o++) {
            hash = cor_hash_word(hash, (uint64_t)cor_lists_size(lists, o) << 32 |
                                           (lists->nests ? lists->parent[o] : COR_NOBODY));
            hash = cor_hash_bytes(hash, cor_lists_block(lists, o),
                                  cor_lists_size(lists, o) * sizeof *lists->members);
        }
    }
    hash = core__attributes_hash(hash, c);
    if (!c->agent_identity)
        return hash;
    hash = cor_hash_bytes(hash, c->agent_identity, c->agent_count * sizeof *c->agent_identity);
    return cor_hash_word(hash, c->identity_count);
}
