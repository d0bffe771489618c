/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Agents that crash: who is down, and for how long. What they lose, mail and state, is lost in run.c. */
#include "local.h"

void cor__crashes_reset(struct cor__local *session) {
    struct cor__crashes *crashes = &session->population.crashes;
    struct cor_stream_name own = session->name;
    own.purpose = COR_PURPOSE_CRASH_FAULT;
    own.entity = 0;
    crashes->rng = cor_rng_named(&own);
    memset(crashes->down, 0, session->task.agent_count * sizeof *crashes->down);
    crashes->down_count = crashes->back_count = 0;
    crashes->at_risk = crashes->crashed = 0;
}

/* It asks for nothing any more. */
static void crash(struct cor__local *session, uint32_t agent) {
    struct cor__crashes *crashes = &session->population.crashes;
    crashes->down[agent] = session->base.definition.agents.down_rounds;
    crashes->down_count++;
    crashes->crashed++;
    session->population.asking[agent / 64] &= ~(UINT64_C(1) << agent % 64);
}

void cor__crashes_strike(struct cor__local *session) {
    const struct cor_crash_definition *fault = &session->base.definition.agents;
    struct cor__crashes *crashes = &session->population.crashes;
    crashes->back_count = 0;
    for (uint32_t i = 0; fault->fault == COR_CRASH_FAULT_CRASHED && i < session->task.agent_count; i++) {
        if (crashes->down[i] > 0) {
            if (--crashes->down[i] == 0)
                crashes->back[crashes->back_count++] = i;
            continue;
        }
        crashes->at_risk++;
        if (cor_rng_unit(&crashes->rng) < fault->probability)
            crash(session, i);
    }
}

void cor__crashes_end(struct cor__crashes *crashes, uint32_t agent_count) {
    crashes->back_count = 0;
    for (uint32_t i = 0; crashes->down_count > 0 && i < agent_count; i++)
        if (crashes->down[i] > 0)
            crashes->back[crashes->back_count++] = i;
}
