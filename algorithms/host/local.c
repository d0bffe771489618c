/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The life of a reorganization in this process: begin, then steps or rounds until the end, result, adopt,
 * end. */
#include "local.h"

#include <corridor/array.h>

#include <fenv.h>
#include <stdlib.h>

static struct host__local *local_of(struct cor_session *session) {
    return (struct host__local *)session;
}

static enum cor_status open_local(struct cor_session *session, struct cor_error *error) {
    struct host__local *local = local_of(session);
    host__arena_init(&local->arena, session->definition.memory_limit);
    COR_TRY(host__mail_init(&local->mail, &session->definition.mail, &local->arena, error));
    if (session->definition.strict)
        COR_TRY(host__strict_create(local, &local->strict, error));
    local->arena.strict = local->strict;
    const uint32_t starts = cor_algorithm_counter_count(session->algorithm) + HOST__GAP;
    local->cells = cor_calloc(host__cells_count(session->algorithm), sizeof *local->cells);
    COR_TRY(cor_made(local->cells, error));
    local->cell_start = cor_calloc(starts, sizeof *local->cell_start);
    COR_TRY(cor_made(local->cell_start, error));
    host__cells_lay(session->algorithm, local->cell_start, starts);
    host__services_offer(local);
    return COR_OK;
}

static void close_local(struct cor_session *session) {
    struct host__local *local = local_of(session);
    host__population_fini(&local->population);
    host__mail_fini(&local->mail);
    host__watch_fini(&local->watch);
    host__arena_fini(&local->arena);
    host__strict_destroy(local->strict);
    free(local->kept_next.bytes);
    free(local->seen);
    free(local->weighed);
    free(local->cells_are_lent ? NULL : local->cells);
    free(local->cell_start);
}

static void complain_of_draw(void *subject) {
    host__session_smoke(subject, COR_SMOKE_COMPLAINED,
                        "a handler drew from host->random instead of me->random");
}

static int begin(struct host__local *session) {
    if (!session->base.algorithm->begin)
        return 1;
    session->phase = HOST__BEGIN;
    enum cor_progress progress =
        session->base.algorithm->begin(session->state, session->lent_task, session->lent_host);
    if (session->strict && session->base.algorithm->wake)
        host__strict_settle(session);
    return host__session_alive(session, progress);
}

static enum cor_stop conclude(struct host__local *session, enum cor_stop stop) {
    session->phase = HOST__RESULT;
    enum cor_progress progress =
        session->base.algorithm->result(session->state, session->lent_task, session->lent_host);
    if (!host__session_alive(session, progress))
        return COR_STOP_FAILED;
    if (!session->base.algorithm->begin && progress == COR_STAGNATED)
        stop = COR_STOP_STAGNATED;
    if (!session->base.algorithm->adopt)
        return stop;
    session->phase = HOST__ADOPT;
    progress = session->base.algorithm->adopt(session->state, session->lent_task, session->lent_host);
    return host__session_alive(session, progress) ? stop : COR_STOP_FAILED;
}

/* The algorithm at work, from its states to its end. */
static enum cor_stop live(struct host__local *session) {
    /* The states of the algorithm and of its agents, zeroed; 0 at the limit. */
    session->state = NULL;
    if (session->base.algorithm->state_size > 0) {
        session->state = session->host.alloc(&session->host, session->base.algorithm->state_size);
        if (!session->state)
            return COR_STOP_FAILED;
    }
    if (session->base.algorithm->wake && !host__population_states(session))
        return COR_STOP_FAILED;
    enum cor_stop stop = COR_STOP_FAILED;
    if (begin(session))
        stop = host__session_run(session);
    if (stop != COR_STOP_FAILED)
        stop = conclude(session, stop);
    session->phase = HOST__END;
    if (session->base.algorithm->end)
        session->base.algorithm->end(session->state, session->lent_host);
    return stop;
}

/* What it counted goes to the session, and is judged with what else it says. */
static void judge_counts(struct host__local *session) {
    char text[sizeof session->outcome->complaint];
    if (!session->strict && !host__cells_fold(&session->base, session->cells, text, sizeof text))
        host__session_smoke(session, COR_SMOKE_COMPLAINED, text);
    if (!host__counts_judge(&session->task, &session->own, session->outcome, text, sizeof text))
        host__session_smoke(session, COR_SMOKE_GARBLED, text);
}

static enum cor_status reorganize(struct cor_session *base, const struct cor_task *task,
                                  const struct cor_stream_name *name, struct cor_outcome *outcome,
                                  struct cor_error *error) {
    struct host__local *session = local_of(base);
    session->error = error;
    /* Everything of the reorganization before is gone; what the algorithm will see is in place. */
    session->outcome = outcome;
    session->solution = &outcome->solution;
    session->host.spent = &outcome->spent;
    session->host.fault = &outcome->fault;
    session->status = COR_OK;
    session->is_over = 0;
    session->own = (struct cor_fault_counts){0};
    session->name = *name;
    session->task = *task;
    session->keeps_next = 0;
    host__arena_reset(&session->arena);
    COR_TRY(host__watch_begin(session, error));
    struct host__watch *watch = host__watch_is_on(&session->watch) ? &session->watch : NULL;
    session->mail.watch = watch;
    COR_TRY(host__mail_reset(&session->mail, &session->base.plan, &session->base.log, name, task->agent_count,
                             session->error));
    host__stream_init(&session->streams[COR_STREAM_ALGORITHM], &session->name, COR_PURPOSE_ALGORITHM, 0);
    host__stream_init(&session->streams[COR_STREAM_FAULT], &session->name, COR_PURPOSE_FAULT, 0);
    host__stream_init(&session->misuse, &session->name, COR_PURPOSE_ALGORITHM, UINT32_MAX);
    session->misuse.notice = complain_of_draw;
    session->misuse.subject = session;
    for (int i = 0; i < COR_STREAM_COUNT; i++) {
        session->streams[i].watch = watch;
        session->host.random[i] = &session->streams[i].view;
    }
    session->lent_task = &session->task;
    session->lent_host = &session->host;
    if (session->strict)
        COR_TRY(host__strict_prepare(session));
    COR_TRY(COR_RESERVE(&session->seen, &session->seen_capacity, task->agent_count, session->error));
    if (session->base.algorithm->wake)
        COR_TRY(host__population_prepare(session));
    enum cor_stop stop = session->strict ? host__strict_watch(session, live) : live(session);
    if (session->base.definition.origin)
        fesetenv(FE_DFL_ENV); /* a module may have left another behind */
    if (session->base.algorithm->wake && stop != COR_STOP_FAILED)
        outcome->spent = outcome->rounds; /* the host counts these itself */
    judge_counts(session);
    stop = outcome->smoke == COR_SMOKE_NONE ? stop : COR_STOP_FAILED;
    /* What was kept in a reorganization that failed is dropped. */
    if (session->keeps_next && stop != COR_STOP_FAILED) {
        struct host__kept before = session->base.kept;
        session->base.kept = session->kept_next;
        session->kept_next = before;
    }
    outcome->stop = stop;
    session->phase = HOST__IDLE;
    COR_TRY(session->status);
    return host__mail_conclude(&session->mail, error);
}

const struct host__session_kind host__local_kind = {
    .size = sizeof(struct host__local), .open = open_local, .close = close_local, .reorganize = reorganize};
