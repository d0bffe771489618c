/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/joint.h>

#include <stdlib.h>
#include <string.h>

/* Arcs of all chains together, UINT64_MAX where they are very many. */
static uint64_t arcs_of(uint32_t chain_count, const struct cor_profile *const *profiles) {
    uint64_t arcs = 1;
    for (uint32_t c = 0; c < chain_count; c++) {
        arcs *= cor_profile_arcs(profiles[c]);
        if (arcs > COR_JOINT_ARCS_MAX)
            return UINT64_MAX;
    }
    return arcs;
}

bool cor_joint_is_small(uint32_t chain_count, const struct cor_profile *const *profiles) {
    return arcs_of(chain_count, profiles) <= COR_JOINT_ARCS_MAX;
}

uint8_t cor_joint_part(const struct cor_joint *joint, uint32_t state, uint32_t chain) {
    for (uint32_t c = 0; c < chain; c++)
        state /= joint->profiles[c]->state_count;
    return (uint8_t)(state % joint->profiles[chain]->state_count);
}

uint32_t cor_joint_state(const struct cor_joint *joint, const uint8_t *states) {
    uint32_t state = 0;
    for (uint32_t c = joint->chain_count; c-- > 0;)
        state = state * joint->profiles[c]->state_count + states[c];
    return state;
}

/* Adds the arcs of the chains below `chain_count` from `state`, to states that are `to` in those above. */
static void add_arcs(struct cor_joint *joint, uint32_t state, uint32_t chain_count, uint32_t to,
                     double probability, uint32_t *arc) {
    if (chain_count == 0) {
        joint->next[*arc] = to;
        joint->probability[(*arc)++] = probability;
        return;
    }
    const struct cor_profile *profile = joint->profiles[chain_count - 1];
    const double *row =
        profile->probability + (size_t)cor_joint_part(joint, state, chain_count - 1) * profile->state_count;
    for (uint32_t s = 0; s < profile->state_count; s++)
        if (row[s] > 0)
            add_arcs(joint, state, chain_count - 1, to * profile->state_count + s, probability * row[s], arc);
}

enum cor_status cor_joint_create(uint32_t chain_count, const uint32_t *environments,
                                 const struct cor_profile *const *profiles, struct cor_joint **joint,
                                 struct cor_error *error) {
    *joint = NULL;
    const uint64_t arcs = arcs_of(chain_count, profiles);
    if (arcs > COR_JOINT_ARCS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "speak of fewer environments, or of smaller ones",
                        "the environments spoken of have more than %d transitions together",
                        COR_JOINT_ARCS_MAX);
    struct cor_joint *j = *joint = cor_calloc(1, sizeof *j);
    COR_TRY(cor_made(j, error));
    j->chain_count = chain_count;
    j->state_count = 1;
    for (uint32_t c = 0; c < chain_count; c++)
        j->state_count *= profiles[c]->state_count;
    j->profiles = cor_calloc(chain_count, sizeof(struct cor_profile *));
    j->environments = cor_calloc(chain_count, sizeof *j->environments);
    j->first = cor_calloc(j->state_count + 1, sizeof *j->first);
    j->start = cor_calloc(j->state_count, sizeof *j->start);
    j->next = cor_calloc((size_t)arcs, sizeof *j->next);
    j->probability = cor_calloc((size_t)arcs, sizeof *j->probability);
    if (!j->profiles || !j->environments || !j->first || !j->start || !j->next || !j->probability) {
        cor_joint_destroy(j);
        *joint = NULL;
        return cor_fail_memory(error);
    }
    for (uint32_t c = 0; c < chain_count; c++) {
        j->profiles[c] = profiles[c];
        j->environments[c] = environments[c];
    }
    uint32_t arc = 0;
    for (uint32_t x = 0; x < j->state_count; x++) {
        j->first[x] = arc;
        add_arcs(j, x, j->chain_count, 0, 1, &arc);
        j->start[x] = 1;
        for (uint32_t c = 0; c < j->chain_count; c++)
            j->start[x] *= j->profiles[c]->start[cor_joint_part(j, x, c)];
    }
    j->first[j->state_count] = arc;
    return COR_OK;
}

void cor_joint_destroy(struct cor_joint *joint) {
    if (!joint)
        return;
    free(joint->profiles);
    free(joint->environments);
    free(joint->first);
    free(joint->next);
    free(joint->probability);
    free(joint->start);
    free(joint);
}

/* Of the chain's own arcs, those on which a conjunct that reads it alone may hold: [from] bits `to`. */
static void restrict_chain(const struct cor_joint *joint, uint32_t chain,
                           const struct cor_case_condition *condition, struct cor_facts *facts,
                           uint64_t *allowed) {
    const uint32_t states = joint->profiles[chain]->state_count, environment = joint->environments[chain];
    for (uint32_t i = 0; i < condition->conjunct_count; i++) {
        const uint32_t part = condition->conjuncts[i];
        if (condition->parts[part].environments != UINT64_C(1) << environment)
            continue;
        for (uint32_t from = 0; from < states; from++)
            for (uint32_t to = 0; to < states; to++) {
                if (!(allowed[from] >> to & 1))
                    continue;
                cor_facts_set_states(facts, environment, (uint8_t)from, (uint8_t)to);
                if (!cor_case_condition_may_hold(condition, part, facts))
                    allowed[from] &= ~(UINT64_C(1) << to);
            }
    }
}

/* Whether the conjuncts that read several of these chains, or none, may hold on an arc. */
static bool rest_may_hold(const struct cor_case_condition *condition, uint64_t known,
                          const struct cor_facts *facts) {
    for (uint32_t i = 0; i < condition->conjunct_count; i++) {
        const uint64_t read = condition->parts[condition->conjuncts[i]].environments;
        if ((read & (read - 1)) == 0 && read != 0) /* one alone: done */
            continue;
        if (!(read & ~known) && !cor_case_condition_may_hold(condition, condition->conjuncts[i], facts))
            return false;
    }
    return true;
}

void cor_joint_hits(const struct cor_joint *joint, const struct cor_case_condition *condition,
                    struct cor_facts *facts, uint8_t *hit) {
    uint64_t allowed[COR_CONDITION_ENVIRONMENTS_MAX][COR_PROFILE_STATES_MAX], known = 0;
    for (uint32_t c = 0; c < joint->chain_count; c++) {
        memset(allowed[c], 0xff, sizeof allowed[c]);
        restrict_chain(joint, c, condition, facts, allowed[c]);
        known |= UINT64_C(1) << joint->environments[c];
    }
    for (uint32_t x = 0; x < joint->state_count; x++)
        for (uint32_t arc = joint->first[x]; arc < joint->first[x + 1]; arc++) {
            bool may = true;
            for (uint32_t c = 0; c < joint->chain_count && may; c++)
                may =
                    allowed[c][cor_joint_part(joint, x, c)] >> cor_joint_part(joint, joint->next[arc], c) & 1;
            for (uint32_t c = 0; c < joint->chain_count && may; c++)
                cor_facts_set_states(facts, joint->environments[c], cor_joint_part(joint, x, c),
                                     cor_joint_part(joint, joint->next[arc], c));
            hit[arc] = may && rest_may_hold(condition, known, facts);
        }
}
