/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A reason of which no fact can be spared: z3 is asked about each. Where doubles do not tell that all facts
 * are one, which judges by fractions, it is asked that first. */
#include "prover.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

#define PLACES_MAX 96 /* agents times organizations; more is not small */
#define FACTS_MAX 64

static uint32_t assumption_of(const struct cor_fact *fact, const struct solve__proof_task *task) {
    const uint32_t agents = task->state->agent_count;
    const uint32_t place = fact->agent * task->state->organizations->block_count + fact->organization;
    switch (fact->kind) {
    case COR_FACT_MEMBER:
        return SOLVE__MEMBER * SOLVE__ASSUMED + place;
    case COR_FACT_NO_MEMBER:
        return SOLVE__NO_MEMBER * SOLVE__ASSUMED + place;
    case COR_FACT_ATTRIBUTE:
        return SOLVE__ATTRIBUTE * SOLVE__ASSUMED + fact->attribute * agents + fact->agent;
    case COR_FACT_ORGANIZATION_ATTRIBUTE:
        return SOLVE__ORGANIZATION_ATTRIBUTE * SOLVE__ASSUMED +
               fact->attribute * task->state->organizations->block_count + fact->organization;
    default:
        return SOLVE__PARENT * SOLVE__ASSUMED + fact->organization;
    }
}

/* Whether the constraint is violated by the facts without fact *at, too: then it goes, and what the
 * refutation did not need goes along. Moves *at to the next. */
static enum cor_status try_without(struct solve__process *process, const struct solve__proof_task *task,
                                   struct cor_bytes *message, struct cor_reason *reason, size_t *at,
                                   uint64_t *work, enum cor_answer *answer, struct cor_error *error) {
    uint32_t assumed[FACTS_MAX + 1], count = 0;
    const size_t but = (*at)++;
    struct solve__proof_reply reply;
    for (size_t i = 0; i < reason->count; i++)
        if (i != but)
            assumed[count++] = assumption_of(&reason->facts[i], task);
    assumed[count++] = SOLVE__NOT_VIOLATED * SOLVE__ASSUMED + task->constraint;
    *answer = COR_ANSWER_UNDECIDED;
    if (*work == 0)
        return COR_OK;
    const uint32_t most = *work < SOLVE__WORK_QUESTION ? (uint32_t)*work : SOLVE__WORK_QUESTION;
    COR_TRY(solve__proof_ask(process, task, assumed, count, most, message, &reply, error));
    *work -= reply.work < *work ? reply.work : *work;
    *answer = reply.answer;
    if (reply.answer != COR_ANSWER_EMPTY)
        return COR_OK;
    size_t kept = 0;
    for (size_t i = 0; i < reason->count; i++) {
        *at = i == but ? kept : *at;
        for (uint32_t k = 0; k < reply.core_count; k++) {
            uint32_t needed;
            memcpy(&needed, message->bytes + k * sizeof needed, sizeof needed);
            if (i != but && needed == assumption_of(&reason->facts[i], task)) {
                reason->facts[kept++] = reason->facts[i];
                break;
            }
        }
    }
    reason->count = kept;
    return COR_OK;
}

/* Whether the state before is asked, which z3 is not told. */
static bool asks_before(const struct cor_expression *condition) {
    for (uint32_t i = 0; i < condition->node_count; i++)
        if (condition->nodes[i].operator== COR_OPERATOR_BEFORE)
            return true;
    return false;
}

enum cor_status cor_reason_sharpen(const struct cor_corridor *corridor, const struct cor_snapshot *state,
                                   uint32_t constraint, struct cor_reason *reason, struct cor_error *error) {
    const uint32_t n = state->agent_count, count = state->organizations->block_count;
    const struct solve__proof_task task = {corridor, {n, n, count, count}, state, constraint};
    struct solve__process process = {.pid = 0};
    struct cor_bytes message = {.bytes = NULL};
    struct solve__proof_reply reply;
    enum cor_status status = COR_OK;
    bool all_decided = true;
    uint64_t work = SOLVE__WORK_ALL;
    if (!cor_corridor_is_plain(corridor, constraint) || n > COR_PROOF_AGENTS_MAX ||
        count > COR_PROOF_ORGANIZATIONS_MAX || n * count > PLACES_MAX || reason->count > FACTS_MAX ||
        corridor->attribute_count * n >= SOLVE__ASSUMED ||
        corridor->organization_attribute_count * count >= SOLVE__ASSUMED ||
        asks_before(&corridor->constraints[constraint].condition))
        return COR_OK;
    COR_TRY_OUT(solve__proof_ask(&process, &task, NULL, 0, 0, &message, &reply, error));
    enum cor_answer answer;
    if (!reason->is_there) {
        size_t none = reason->count;
        COR_TRY_OUT(try_without(&process, &task, &message, reason, &none, &work, &answer, error));
        reason->is_there = answer == COR_ANSWER_EMPTY;
    }
    for (size_t i = 0; i < reason->count && reason->is_there;) {
        COR_TRY_OUT(try_without(&process, &task, &message, reason, &i, &work, &answer, error));
        all_decided = all_decided && answer != COR_ANSWER_UNDECIDED;
    }
    reason->is_minimal = all_decided;
out:
    solve__process_end(&process);
    cor_bytes_fini(&message);
    return status;
}
