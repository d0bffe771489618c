/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One suite's fixed part (003, 4.2: the initial system configuration): agents, groups, chains, influences,
 * limits and initial structure. Made by experiments/layers/interaction, const for everybody else. Agents are
 * columns, ordered by group. */
#ifndef CORRIDOR_CONFIGURATION_H
#define CORRIDOR_CONFIGURATION_H

#include <corridor/attributes.h>
#include <corridor/error.h>
#include <corridor/lists.h>
#include <corridor/structures.h>
#include <corridor/terms.h>

#include <stdbool.h>
#include <stdint.h>

#define COR_HERE 0 /* the state of a chain of presence in which its agent is there */

/* How the states of one profile act on agents of one type: state <- next[relevant[environment]][state], then
 * value <- value + inertia * (level[state] - value). Arrays are owned by the configuration. */
struct cor_effect {
    uint32_t environment_states, relevant_count, state_count;
    uint8_t *relevant; /* [environment state] -> relevant state (003, 4.1) */
    /* Other profiles that matter, too: an environment state is then that of the first + its number of states
     * times (that of the next + ..), and environment_states their product. */
    uint32_t other_count;
    struct cor_other_profile {
        uint32_t profile, states;
    } * others;
    uint8_t *next; /* [relevant * state_count + state] -> state */
    /* NULL if deterministic; [(relevant * state_count + from) * state_count + to]: 32 random bits r lead to
     * the first `to` with r < cumulative; the first entry of UINT32_MAX, which every row has, takes the rest.
     */
    uint32_t *cumulative;
    double *level; /* [state], in 0 .. 1 */
};

/* The fault injected into the monitor (R-Detect); members that it does not use have no meaning. */
struct cor_monitor_definition {
    enum cor_monitor_fault fault;
    double probability;   /* MISSED, FALSE: of each alarm swallowed, or of each quiet case alarmed, 0 .. 1 */
    uint32_t delay_cases; /* LATE: consecutive cases outside before the alarm comes */
};

/* The fault injected into adoption (R-Distribution, cor_adopt). */
struct cor_adoption_definition {
    enum cor_adoption_fault fault;
    double probability; /* LOST, DOUBLED, MISDIRECTED: of each move; HALFWAY: of each adoption, 0 .. 1 */
};

/* A configuration; made by cor_configuration_create, freed by cor_configuration_destroy. Groups are
 * numbered in the order of their agents. */
struct cor_configuration {
    uint32_t agent_count, group_count, chain_count, type_count, profile_count;
    uint16_t *type;           /* owned; [agent] */
    uint32_t *group_start;    /* owned; group g is agents group_start[g] .. group_start[g + 1] */
    uint32_t *chain_of_group; /* owned; [group] */
    uint32_t
        *other_chains; /* owned; [group * profile_count + profile] the chain of another environment that its
                          agents perceive; COR_NOBODY: they do not; NULL: they perceive one chain each */
    /* Owned; [type] the profile that its agents perceive first, by `other_chains` of whichever group they are
     * in; COR_NOBODY: that of the group's chain. NULL: the agents of a group all do so. */
    uint32_t *profile_of_type;
    /* Owned; [agent] the chain that says whether it is there: in state 0, COR_HERE; COR_NOBODY: it always
     * is. NULL: all always are. */
    uint32_t *presence_chain;
    uint16_t *profile_of_chain;  /* owned; [chain] */
    uint32_t *location_of_chain; /* owned; [chain] */
    double *inertia;             /* owned; [agent], in (0, 1] */
    uint8_t *initial_state;      /* owned; [agent] */
    double *initial_value;       /* owned; [agent], in 0 .. 1 */
    uint32_t *initial_partition; /* owned; [agent], 0 .. initial_partitions - 1, none empty */
    uint32_t initial_partitions;
    uint32_t initial_kept_size;  /* what the algorithm has kept before the first case, */
    unsigned char *initial_kept; /* owned; NULL: nothing */
    /* owned; [agent], ascending strictly, below identity_count: what its random draws are named by; NULL: its
     * index. Where agents were left out, the others draw as before. */
    uint32_t *agent_identity;
    uint32_t identity_count;    /* agents that there were before; 0 without identities */
    struct cor_effect *effects; /* owned; [type * profile_count + profile] */
    uint32_t attribute_count;
    struct cor_agent_attribute *attributes; /* owned; NULL: none */
    struct cor_limits limits;
    enum cor_measure measure;
    double threshold;  /* the invariant holds while the dissimilarity is at most this */
    double idle_ratio; /* probability of each agent to idle in a case, 0 .. 1 */
    struct cor_monitor_definition monitor;
    struct cor_adoption_definition adoption;
    enum cor_structure_kind kind; /* of the system structure */
    /* Owned; of kinds other than partitionings, in place of initial_partition: initial_partitions
     * organizations of that kind, agents ascending within. */
    struct cor_lists initial_organizations;
};

/* A configuration with the arrays of that many agents, groups, chains, types and profiles allocated and
 * zeroed, effects empty, no limits, measure RANGE, no faults. */
enum cor_status cor_configuration_create(uint32_t agents, uint32_t groups, uint32_t chains, uint32_t types,
                                         uint32_t profiles, struct cor_configuration **configuration,
                                         struct cor_error *error) COR_MUST_USE;

/* Allocates the arrays of effect (type, profile); `probabilistic` decides whether it has cumulative rows. */
enum cor_status cor_configuration_set_effect(struct cor_configuration *configuration, uint32_t type,
                                             uint32_t profile, uint32_t environment_states,
                                             uint32_t relevant_count, uint32_t state_count,
                                             bool probabilistic, struct cor_effect **effect,
                                             struct cor_error *error) COR_MUST_USE;

/* Lets the effect depend on other profiles, too; its environment states are those of all of them. */
enum cor_status cor_effect_set_others(struct cor_effect *effect, const struct cor_other_profile *others,
                                      uint32_t count, struct cor_error *error) COR_MUST_USE;

/* Copies what the algorithm has kept before the first case, in the place of what was there; size 0: nothing;
 * bytes NULL: zeros. */
enum cor_status cor_configuration_set_kept(struct cor_configuration *configuration, const void *bytes,
                                           uint32_t size, struct cor_error *error) COR_MUST_USE;

/* Makes room for the chains of other environments, none of which is perceived. */
enum cor_status cor_configuration_set_other_chains(struct cor_configuration *configuration,
                                                   struct cor_error *error) COR_MUST_USE;

/* Makes room for chains of presence: agents are always there so far. */
enum cor_status cor_configuration_set_presence(struct cor_configuration *configuration,
                                               struct cor_error *error) COR_MUST_USE;

/* Makes room for the profiles of types, each COR_NOBODY. */
enum cor_status cor_configuration_set_profiles_of_types(struct cor_configuration *configuration,
                                                        struct cor_error *error) COR_MUST_USE;

/* Gives it attributes as they are declared, which it had none of: their rules FIXED, their values 0. */
enum cor_status cor_configuration_set_attributes(struct cor_configuration *configuration, uint32_t count,
                                                 const struct cor_agent_attribute *declared,
                                                 struct cor_error *error) COR_MUST_USE;

/* Makes an attribute one that goes with the state of agents of `type`, whose effects are set: levels of 0. */
enum cor_status cor_configuration_set_levels(struct cor_configuration *configuration, uint32_t attribute,
                                             uint32_t type, struct cor_error *error) COR_MUST_USE;

/* Makes it one that is computed of agents of `type`, or, with the source ADDED, adds up what is computed.
 * Text and steps are copied. */
enum cor_status cor_configuration_set_formula(struct cor_configuration *configuration, uint32_t attribute,
                                              uint32_t type, enum cor_attribute_source source,
                                              const struct cor_formula *formula,
                                              struct cor_error *error) COR_MUST_USE;

/* A copy of everything in it. */
enum cor_status cor_configuration_copy(const struct cor_configuration *configuration,
                                       struct cor_configuration **copy, struct cor_error *error) COR_MUST_USE;

/* Frees it and all it owns. NULL is allowed. */
void cor_configuration_destroy(struct cor_configuration *configuration);

/* The chain that agents of `type` perceive first, in a group. */
static inline uint32_t cor_configuration_chain(const struct cor_configuration *configuration, uint32_t type,
                                               uint32_t group) {
    const uint32_t own = configuration->profile_of_type ? configuration->profile_of_type[type] : COR_NOBODY;
    return own == COR_NOBODY
               ? configuration->chain_of_group[group]
               : configuration->other_chains[(size_t)group * configuration->profile_count + own];
}

/* Whether it is a chain by which an agent comes and goes: its location is then the agent's number. */
static inline bool cor_configuration_is_presence(const struct cor_configuration *configuration,
                                                 uint32_t chain) {
    for (uint32_t i = 0; configuration->presence_chain && i < configuration->agent_count; i++)
        if (configuration->presence_chain[i] == chain)
            return true;
    return false;
}

/* The effect of the profile of `chain` on an agent of `type`. */
static inline const struct cor_effect *cor_configuration_effect(const struct cor_configuration *configuration,
                                                                uint32_t type, uint32_t chain) {
    return &configuration->effects[(size_t)type * configuration->profile_count +
                                   configuration->profile_of_chain[chain]];
}

/* What the draws of an agent are named by. */
static inline uint32_t cor_configuration_identity(const struct cor_configuration *configuration,
                                                  uint32_t agent) {
    return configuration->agent_identity ? configuration->agent_identity[agent] : agent;
}

/* A fingerprint of everything in it. */
uint64_t cor_configuration_hash(const struct cor_configuration *configuration);

#endif
