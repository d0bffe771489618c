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
    struct host__remote remote;
};

static struct isolated *isolated_of(struct cor_session *session) {
    return (struct isolated *)session;
}

static enum cor_status open_isolated(struct cor_session *session, struct cor_error *error) {
    const struct cor_session_definition *definition = &session->definition;
    const char *origin = definition->origin ? definition->origin : definition->algorithm->name;
    return host__remote_init(&isolated_of(session)->remote, origin, definition, error);
}

static void close_isolated(struct cor_session *session) {
    host__remote_fini(&isolated_of(session)->remote);
}

/* One request, as often as it takes until there is room for the answer. */
static enum cor_status ask(struct isolated *isolated, const struct cor_task *task,
                           const struct cor_stream_name *name, struct cor_outcome *outcome,
                           enum host__news *news, struct cor_error *error) {
    struct host__remote *remote = &isolated->remote;
    const size_t counted = host__counted_cells(&isolated->base) * sizeof(uint64_t);
    for (;;) {
        COR_TRY(host__remote_reserve(remote, host__request_bytes(&isolated->base, task),
                                     sizeof(struct host__reply) + counted, error));
        *news = host__remote_start(remote, error);
        if (*news != HOST__NEWS_DONE)
            return COR_OK;
        host__request_put(remote->shared.request, &isolated->base, task, name);
        if (isolated->base.definition.is_fresh || isolated->base.wants_fresh)
            host__remote_refresh(remote);
        isolated->base.wants_fresh = false;
        *news = host__remote_ask(remote);
        if (*news != HOST__NEWS_DONE)
            return COR_OK;
        const uint64_t needed = remote->shared.answer->needed,
                       room = remote->shared.answer_size - sizeof(struct host__reply);
        if (needed <= room || needed > ANSWER_MOST) {
            /* The answer, which may make no sense. */
            const char *garbled;
            const enum cor_status status = isolated->remote.shared.answer->status;
            if (status == COR_STATUS_MEMORY) {
                /* of the process there: its limit is the algorithm's */
                outcome->smoke = COR_SMOKE_MEMORY;
                outcome->stop = COR_STOP_FAILED;
                return COR_OK;
            }
            COR_TRY(
                host__reply_take(&isolated->remote.shared, &isolated->base, task, outcome, &garbled, error));
            if (!garbled && status == COR_OK)
                return COR_OK;
            host__outcome_clear(&isolated->base, outcome);
            outcome->smoke = COR_SMOKE_GARBLED;
            outcome->stop = COR_STOP_FAILED;
            snprintf(outcome->complaint, sizeof outcome->complaint, "%s",
                     garbled ? garbled : "it says that its host failed");
            host__remote_stop(&isolated->remote);
            return COR_OK;
        }
        COR_TRY(host__remote_reserve(remote, 0, 2 * needed + sizeof(struct host__reply), error));
    }
}

static enum cor_status reorganize(struct cor_session *session, const struct cor_task *task,
                                  const struct cor_stream_name *name, struct cor_outcome *outcome,
                                  struct cor_error *error) {
    struct isolated *isolated = isolated_of(session);
    struct cor_error trouble = COR_NO_ERROR;
    enum host__news news = HOST__NEWS_TROUBLE;
    for (int tries = 0; tries < TRIES && news == HOST__NEWS_TROUBLE; tries++) {
        trouble = COR_NO_ERROR;
        enum cor_status status = ask(isolated, task, name, outcome, &news, &trouble);
        if (status != COR_OK)
            return cor_fail(error, status, trouble.place, trouble.remedy, "%s", trouble.cause);
    }
    if (news == HOST__NEWS_TROUBLE)
        return cor_fail(error, trouble.status, trouble.place, trouble.remedy, "%s", trouble.cause);
    const struct cor_error *said = &isolated->remote.shared.answer->error;
    if (news == HOST__NEWS_UNUSABLE && session->definition.is_full && said->status == COR_STATUS_INPUT)
        return cor_fail(error, COR_STATUS_INPUT, isolated->remote.origin, "see corridor doctor",
                        "the sandbox around it is incomplete");
    if (news == HOST__NEWS_UNUSABLE) /* it could be used when it was described */
        news = HOST__NEWS_CELL_DEAD;
    if (news != HOST__NEWS_DONE) {
        /* The guest did not answer: that is the outcome. */
        if (news == HOST__NEWS_CELL_DEAD || news == HOST__NEWS_OVERDUE)
            host__remote_stop(&isolated->remote); /* then the grave is written */
        const struct host__ending ending = host__remote_ending(&isolated->remote, news);
        const enum cor_smoke smoke = host__ending_smoke(&ending);
        if (news == HOST__NEWS_DEAD && smoke != COR_SMOKE_HUNG)
            host__reply_take_rest(&isolated->remote.shared, &isolated->base, task, outcome);
        outcome->smoke = smoke;
        outcome->stop = COR_STOP_FAILED;
        host__ending_text(&ending, NULL, outcome->complaint, sizeof outcome->complaint);
        outcome->fate = host__ending_fate(&ending);
    }
    return COR_OK;
}

const struct host__session_kind host__isolated_kind = {.size = sizeof(struct isolated),
                                                       .open = open_isolated,
                                                       .close = close_isolated,
                                                       .reorganize = reorganize};
