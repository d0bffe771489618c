/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session whose algorithm works in a cell. The process there is kept from one reorganization to the next,
 * unless each is to have a fresh one; whatever it does instead of answering is a smoke code. */
#include "remote.h"

#include <stdio.h>
#include <string.h>

#define TRIES 3 /* to start a cell, which is no affair of the algorithm */
#define ANSWER_MOST ((size_t)1 << 31)

struct isolated {
    struct cor_session base;
    struct cor__remote remote;
};

static struct isolated *isolated_of(struct cor_session *session) {
    return (struct isolated *)session;
}

static enum cor_status open_isolated(struct cor_session *session, struct cor_error *error) {
    const struct cor_session_definition *definition = &session->definition;
    const char *origin = definition->origin ? definition->origin : definition->algorithm->name;
    return cor__remote_init(&isolated_of(session)->remote, origin, definition, error);
}

static void close_isolated(struct cor_session *session) {
    cor__remote_fini(&isolated_of(session)->remote);
}

static enum cor_smoke smoke_of_death(const struct isolated *isolated, enum cor__news news) {
    const struct cor__reply *answer = isolated->remote.shared.answer;
    const uint64_t memory = isolated->remote.shared.request->memory;
    enum cor_death death =
        news == COR__NEWS_DEAD ? (enum cor_death)answer->death : isolated->remote.cell.grave->death;
    if (news == COR__NEWS_OVERDUE)
        return COR_SMOKE_OVERDUE;
    if (death == COR_DEATH_CPU_TIME)
        return COR_SMOKE_HUNG;
    if (news == COR__NEWS_DEAD && memory > 0 && answer->peak > memory / 4 * 3)
        return COR_SMOKE_MEMORY;
    if (news == COR__NEWS_DEAD && death == COR_DEATH_EXIT && answer->left != COR__LEFT_NOTHING)
        return COR_SMOKE_LEAKED;
    return death == COR_DEATH_EXIT ? COR_SMOKE_EXITED : COR_SMOKE_CRASHED;
}

/* The guest did not answer: that is the outcome. */
static void note_failure(struct isolated *isolated, enum cor__news news, struct cor_outcome *outcome) {
    char fate[sizeof outcome->complaint];
    if (news == COR__NEWS_CELL_DEAD || news == COR__NEWS_OVERDUE)
        cor__remote_stop(&isolated->remote); /* then the grave is written */
    outcome->smoke = smoke_of_death(isolated, news);
    outcome->stop = COR_STOP_FAILED;
    cor__remote_fate(&isolated->remote, news, fate, sizeof fate);
    const struct cor_fate end = cor__remote_end(&isolated->remote, news);
    if (news == COR__NEWS_DEAD && outcome->smoke != COR_SMOKE_HUNG)
        cor__reply_take_rest(&isolated->remote.shared, &isolated->base, outcome);
    outcome->smoke = smoke_of_death(isolated, news);
    outcome->stop = COR_STOP_FAILED;
    memcpy(outcome->complaint, fate, sizeof fate);
    outcome->fate = end;
}

/* The answer, which may make no sense. */
static enum cor_status take_answer(struct isolated *isolated, const struct cor_task *task,
                                   struct cor_outcome *outcome, struct cor_error *error) {
    const char *garbled;
    const enum cor_status status = isolated->remote.shared.answer->status;
    if (status == COR_STATUS_MEMORY) { /* of the process there: its limit is the algorithm's */
        outcome->smoke = COR_SMOKE_MEMORY;
        outcome->stop = COR_STOP_FAILED;
        return COR_OK;
    }
    COR_TRY(cor__reply_take(&isolated->remote.shared, &isolated->base, task, outcome, &garbled, error));
    if (!garbled && status == COR_OK)
        return COR_OK;
    cor__outcome_clear(&isolated->base, outcome);
    outcome->smoke = COR_SMOKE_GARBLED;
    outcome->stop = COR_STOP_FAILED;
    snprintf(outcome->complaint, sizeof outcome->complaint, "%s",
             garbled ? garbled : "it says that its host failed");
    cor__remote_stop(&isolated->remote);
    return COR_OK;
}

/* One request, as often as it takes until there is room for the answer. */
static enum cor_status ask(struct isolated *isolated, const struct cor_task *task,
                           const struct cor_stream_name *name, struct cor_outcome *outcome,
                           enum cor__news *news, struct cor_error *error) {
    struct cor__remote *remote = &isolated->remote;
    for (;;) {
        COR_TRY(cor__remote_reserve(remote, cor__request_bytes(&isolated->base, task), 0, error));
        *news = cor__remote_start(remote, error);
        if (*news != COR__NEWS_DONE)
            return COR_OK;
        cor__request_put(remote->shared.request, &isolated->base, task, name);
        if (isolated->base.definition.is_fresh || isolated->base.wants_fresh)
            cor__remote_refresh(remote);
        isolated->base.wants_fresh = false;
        *news = cor__remote_ask(remote);
        if (*news != COR__NEWS_DONE)
            return COR_OK;
        const uint64_t needed = remote->shared.answer->needed,
                       room = remote->shared.answer_size - sizeof(struct cor__reply);
        if (needed <= room || needed > ANSWER_MOST)
            return take_answer(isolated, task, outcome, error);
        COR_TRY(cor__remote_reserve(remote, 0, 2 * needed + sizeof(struct cor__reply), error));
    }
}

static enum cor_status reorganize(struct cor_session *session, const struct cor_task *task,
                                  const struct cor_stream_name *name, struct cor_outcome *outcome,
                                  struct cor_error *error) {
    struct isolated *isolated = isolated_of(session);
    struct cor_error trouble = COR_NO_ERROR;
    enum cor__news news = COR__NEWS_TROUBLE;
    for (int tries = 0; tries < TRIES && news == COR__NEWS_TROUBLE; tries++) {
        trouble = COR_NO_ERROR;
        enum cor_status status = ask(isolated, task, name, outcome, &news, &trouble);
        if (status != COR_OK)
            return cor_fail(error, status, trouble.place, trouble.remedy, "%s", trouble.cause);
    }
    if (news == COR__NEWS_TROUBLE)
        return cor_fail(error, COR_STATUS_INTERNAL, trouble.place, trouble.remedy, "%s", trouble.cause);
    if (news == COR__NEWS_UNUSABLE) /* it could be used when it was described */
        news = COR__NEWS_CELL_DEAD;
    if (news != COR__NEWS_DONE)
        note_failure(isolated, news, outcome);
    return COR_OK;
}

const struct cor__session_kind cor__isolated_kind = {.size = sizeof(struct isolated),
                                                     .open = open_isolated,
                                                     .close = close_isolated,
                                                     .reorganize = reorganize};
