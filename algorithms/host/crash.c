/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Agents that crash: who is down, and for how long. What they lose, mail and state, is lost in run.c. */
#include "local.h"

#include <corridor/array.h>

static uint32_t identities(const struct host__local *session) {
    return session->base.identity ? session->base.identity_count : session->task.agent_count;
}

static bool is_at_work(const struct host__local *session) {
    return session->base.definition.agents.fault == COR_CRASH_FAULT_CRASHED;
}

enum cor_status host__crashes_reset(struct host__local *session) {
    struct host__crashes *crashes = &session->population.crashes;
    struct cor_stream_name own = session->name;
    own.purpose = COR_PURPOSE_CRASH_FAULT;
    own.entity = 0;
    crashes->rng = cor_rng_named(&own);
    crashes->down_count = crashes->back_count = 0;
    crashes->at_risk = crashes->crashed = 0;
    if (!is_at_work(session))
        return COR_OK;
    uint32_t count = identities(session);
    COR_TRY(COR_RESERVE(&crashes->down, &crashes->down_capacity, count, session->error));
    memset(crashes->down, 0, count * sizeof *crashes->down);
    return COR_OK;
}

/* It asks for nothing any more. */
static void crash(struct host__local *session, uint32_t agent) {
    struct host__crashes *crashes = &session->population.crashes;
    crashes->down_count++;
    crashes->crashed++;
    session->population.asking[agent / 64] &= ~(UINT64_C(1) << agent % 64);
}

void host__crashes_strike(struct host__local *session) {
    const uint32_t *identity = session->base.identity;
    uint32_t count = is_at_work(session) ? identities(session) : 0, agent = 0;
    session->population.crashes.back_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool is_there = !identity || (agent < session->task.agent_count && identity[agent] == i);
        /* One round of one identity, that of `agent`, or of nobody any more. */
        const struct cor_crash_definition *fault = &session->base.definition.agents;
        struct host__crashes *crashes = &session->population.crashes;
        if (crashes->down[i] > 0) {
            if (--crashes->down[i] == 0 && is_there)
                crashes->back[crashes->back_count++] = agent;
        } else {
            crashes->at_risk += is_there;
            if (cor_rng_unit(&crashes->rng) < fault->probability) {
                crashes->down[i] = fault->down_rounds;
                if (is_there)
                    crash(session, agent);
            }
        }
        agent += is_there;
    }
}

void host__crashes_end(struct host__local *session) {
    struct host__crashes *crashes = &session->population.crashes;
    crashes->back_count = 0;
    for (uint32_t i = 0; crashes->down_count > 0 && i < session->task.agent_count; i++)
        if (host__crashes_down(session, i))
            crashes->back[crashes->back_count++] = i;
}
