/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The same request again, in a process that has done nothing before: does it give the same? */
#include "session.h"

#include <corridor/cell.h>

#include <string.h>

static bool same_lists(const struct cor_lists *one, const struct cor_lists *other) {
    if (one->block_count != other->block_count || one->member_count != other->member_count)
        return false;
    if (one->nests != other->nests ||
        (one->nests && memcmp(one->parent, other->parent, one->block_count * sizeof *one->parent) != 0))
        return false;
    return (one->member_count == 0 ||
            memcmp(one->members, other->members, one->member_count * sizeof *one->members) == 0) &&
           (one->block_count == 0 ||
            memcmp(one->start, other->start, ((size_t)one->block_count + 1) * sizeof *one->start) == 0);
}

static bool same_interims(const struct cor_outcome *one, const struct cor_outcome *other) {
    if (one->interim_count != other->interim_count)
        return false;
    for (size_t i = 0; i < one->interim_count; i++)
        if (one->interims[i].spent != other->interims[i].spent ||
            !same_lists(&one->interims[i].solution, &other->interims[i].solution))
            return false;
    return true;
}

/* All but the words: they may name addresses. */
static bool same_outcome(const struct cor_outcome *one, const struct cor_outcome *other) {
    return one->smoke == other->smoke && one->stop == other->stop && one->spent == other->spent &&
           one->rounds == other->rounds && one->messages == other->messages &&
           one->messages_lost == other->messages_lost && one->move_count == other->move_count &&
           memcmp(&one->fault, &other->fault, sizeof one->fault) == 0 &&
           (one->move_count == 0 ||
            memcmp(one->moves, other->moves, one->move_count * sizeof *one->moves) == 0) &&
           same_lists(&one->solution, &other->solution) && same_interims(one, other);
}

bool cor_smoke_is_of_machine(enum cor_smoke smoke) {
    return smoke == COR_SMOKE_HUNG || smoke == COR_SMOKE_OVERDUE || smoke == COR_SMOKE_MEMORY;
}

/* Ended by the machine, or by whoever else: a signal that nothing raises which an algorithm does wrong, or
 * one of which nobody could tell. */
static bool is_killed(const struct cor_outcome *outcome) {
    const int signal = outcome->fate.signal;
    return outcome->smoke == COR_SMOKE_CRASHED &&
           cor_death_is_of_others(signal == 0 ? COR_DEATH_UNKNOWN : COR_DEATH_SIGNAL, signal);
}

static bool is_of_machine(const struct cor_outcome *outcome) {
    return cor_smoke_is_of_machine(outcome->smoke) || is_killed(outcome);
}

struct again {
    struct cor_session *session;
    const struct cor_session_memory *before;
    const struct cor_task *task;
    const struct cor_stream_name *name;
};

static enum cor_status ask_again(const struct again *again, struct cor_outcome *outcome,
                                 struct cor_error *error) {
    COR_TRY(cor_session_restore(again->session, again->before, error));
    again->session->wants_fresh = true;
    return cor_session_reorganize(again->session, again->task, again->name, outcome, error);
}

static enum cor_status compare(const struct again *again, struct cor_outcome *outcome,
                               struct cor_outcome *fresh, struct cor_outcome *fresher,
                               enum cor_confirmation *confirmation, struct cor_error *error) {
    COR_TRY(ask_again(again, fresh, error));
    *confirmation = COR_CONFIRMATION_SAME;
    if (same_outcome(outcome, fresh))
        return COR_OK;
    *confirmation = COR_CONFIRMATION_UNTOLD;
    if (is_of_machine(fresh))
        return COR_OK;
    COR_TRY(ask_again(again, fresher, error));
    if (is_of_machine(fresher))
        return COR_OK;
    *confirmation = COR_CONFIRMATION_DIFFERENT;
    const enum cor_smoke smoke = same_outcome(fresh, fresher) ? COR_SMOKE_LEAKED : COR_SMOKE_FLAKY;
    const struct cor_outcome was = *outcome;
    host__outcome_clear(again->session, outcome);
    outcome->spent = was.spent;
    outcome->fault = was.fault;
    outcome->smoke = smoke;
    outcome->stop = COR_STOP_FAILED;
    strcpy(outcome->complaint, smoke == COR_SMOKE_FLAKY
                                   ? "asked the same again, fresh processes gave different results"
                                   : "asked the same again, a fresh process gave another result");
    return COR_OK;
}

bool cor_session_can_confirm(const struct cor_session *session) {
    return session->definition.place == COR_SESSION_IN_CELL || cor_algorithm_is_program(session->algorithm);
}

enum cor_status cor_session_confirm(struct cor_session *session, const struct cor_session_memory *before,
                                    const struct cor_task *task, const struct cor_stream_name *name,
                                    struct cor_outcome *outcome, enum cor_confirmation *confirmation,
                                    struct cor_error *error) {
    COR_ASSERT(cor_session_can_confirm(session));
    *confirmation = COR_CONFIRMATION_UNTOLD;
    if (cor_smoke_is_of_machine(outcome->smoke))
        return COR_OK;
    struct again again = {session, before, task, name};
    COR_FINISHED(cor_session_memory) struct cor_session_memory after = {0};
    COR_FINISHED(cor_outcome) struct cor_outcome fresh = {0}, fresher = {0};
    cor_outcome_init(&fresh);
    cor_outcome_init(&fresher);
    if (is_killed(outcome)) { /* what comes when nobody ends it is what the algorithm does */
        COR_TRY(ask_again(&again, &fresh, error));
        const struct cor_outcome was = *outcome;
        *outcome = fresh;
        fresh = was;
        if (cor_smoke_is_of_machine(outcome->smoke))
            return COR_OK;
    }
    COR_TRY(cor_session_save(session, &after, error));
    COR_TRY(compare(&again, outcome, &fresh, &fresher, confirmation, error));
    /* What was counted counts once; what was kept by who gave two answers is nobody's. */
    bool stands = outcome->smoke != COR_SMOKE_FLAKY && outcome->smoke != COR_SMOKE_LEAKED;
    if (!stands && before->kept_size <= after.kept_capacity && before->kept_size > 0)
        memcpy(after.kept, before->kept, before->kept_size);
    if (!stands && before->kept_size <= after.kept_capacity)
        after.kept_size = before->kept_size;
    return cor_session_restore(session, &after, error);
}
