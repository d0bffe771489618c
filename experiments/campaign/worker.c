/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A worker process: takes the next position of the plan, lets the layer execute its suite, and appends the
 * finished suite to its own journal. */
#include "internal.h"

#include <corridor/process.h>
#include <corridor/record.h>

#include <stdlib.h>

/* Suites that are written and not yet durable wait for others, so that one sync serves many short ones: at
 * most this long, or this many bytes. */
#define WAIT_SECONDS 0.05
#define WAIT_BYTES ((size_t)1 << 20)
#define WAIT_SUITES 512

struct cor_watch {
    struct worker *worker;
    uint64_t before; /* cases of earlier suites */
};

struct worker {
    const struct cor_campaign *campaign;
    uint32_t index, number; /* of its journal, as suites note it */
    struct cor_journal *journal;
    struct cor_record *record;
    void *executor;                /* the layer's */
    uint64_t waiting[WAIT_SUITES]; /* plan positions written and not yet durable */
    size_t waiting_count;
    double waiting_since;
    struct cor_watch watch;
};

/* Makes what waits durable, and says so. */
static enum cor_status store(struct worker *worker, struct cor_error *error) {
    struct cor_shared *shared = worker->campaign->shared;
    COR_TRY(cor_journal_sync(worker->journal, error));
    atomic_fetch_add(&shared->done, worker->waiting_count); /* first: never fewer than those without a gap */
    for (size_t i = 0; i < worker->waiting_count; i++)
        atomic_store(&shared->note[worker->waiting[i]].done, 1);
    worker->waiting_count = 0;
    return COR_OK;
}

static bool is_due(const struct worker *worker) {
    return worker->waiting_count == WAIT_SUITES || cor_journal_pending(worker->journal) >= WAIT_BYTES ||
           (worker->waiting_count > 0 && cor_wall_seconds() - worker->waiting_since >= WAIT_SECONDS);
}

/* Asked now and then while a suite runs, which may take long: those before it are stored meanwhile. */
bool cor_watch_stopped(const struct cor_watch *watch) {
    if (!watch)
        return false;
    struct worker *worker = watch->worker;
    struct cor_shared *shared = worker->campaign->shared;
    if (is_due(worker) && store(worker, &shared->worker[worker->index].error) != COR_OK)
        return true;
    return atomic_load(&shared->stop) != 0;
}

void cor_watch_show(const struct cor_watch *watch, uint64_t cases) {
    if (watch)
        atomic_store(&watch->worker->campaign->shared->worker[watch->worker->index].cases,
                     watch->before + cases);
}

static enum cor_status open_worker(struct worker *worker, struct cor_error *error) {
    const struct cor_campaign_definition *definition = &worker->campaign->definition;
    COR_TRY(cor_journal_create(worker->campaign->followed[worker->number].path, &worker->journal, error));
    COR_TRY(cor_record_create(definition->layer->schema, &worker->record, error));
    return definition->layer->open(definition->experiment, &worker->executor, error);
}

static void close_worker(struct worker *worker) {
    worker->campaign->definition.layer->close(worker->executor);
    cor_record_destroy(worker->record);
    cor_journal_close(worker->journal);
}

static enum cor_status execute(struct worker *worker, uint64_t position, struct cor_error *error) {
    const struct cor_campaign *campaign = worker->campaign;
    struct cor_suite_note *note = &campaign->shared->note[position];
    double wall = cor_wall_seconds(), cpu = cor_cpu_seconds();
    worker->watch.before = atomic_load(&campaign->shared->worker[worker->index].cases);
    note->tally = (struct cor_suite_counts){0};
    COR_TRY(campaign->definition.layer->execute(worker->executor, cor__arm_at(campaign, position),
                                                cor__suite_at(campaign, position), &worker->watch,
                                                worker->record, &note->tally, error));
    cor_record_count(worker->record, &note->tally);
    note->wall_seconds = (float)(cor_wall_seconds() - wall);
    note->cpu_seconds = (float)(cor_cpu_seconds() - cpu);
    note->journal = worker->number;
    note->offset = cor_journal_size(worker->journal);
    enum cor_status status = cor_journal_write(worker->journal, worker->record, error);
    note->size = cor_journal_size(worker->journal) - note->offset;
    return status;
}

static enum cor_status work_at(struct worker *worker, uint64_t position, struct cor_error *error) {
    struct cor_shared *shared = worker->campaign->shared;
    atomic_store(&shared->note[position].worker, worker->index + 1);
    atomic_store(&shared->worker[worker->index].position, position + 1);
    COR_TRY(execute(worker, position, error));
    if (worker->waiting_count == 0)
        worker->waiting_since = cor_wall_seconds();
    worker->waiting[worker->waiting_count++] = position;
    if (is_due(worker))
        COR_TRY(store(worker, error));
    atomic_store(&shared->worker[worker->index].position, 0);
    return COR_OK;
}

/* Plan positions in the order in which they are taken; false when there are none left. */
static bool next_position(const struct cor_campaign *campaign, uint64_t *position) {
    struct cor_shared *shared = campaign->shared;
    for (;;) {
        uint64_t turn = atomic_fetch_add(&shared->next, 1), limit = atomic_load(&shared->limit);
        *position = cor__position_at(campaign, turn);
        if (turn >= (campaign->planned > 0 ? campaign->planned : limit))
            return false;
        if (*position < limit && cor__share_holds(campaign, *position) &&
            !atomic_load(&shared->note[*position].done))
            return true;
    }
}

/* What a worker of this index has taken, and lost when it was killed. */
static enum cor_status redo(struct worker *worker, struct cor_error *error) {
    const struct cor_campaign *campaign = worker->campaign;
    struct cor_shared *shared = campaign->shared;
    uint64_t turns = atomic_load(&shared->next);
    if (campaign->planned > 0 && turns > campaign->planned)
        turns = campaign->planned;
    for (uint64_t turn = 0; turn < turns && atomic_load(&shared->stop) == 0; turn++) {
        uint64_t position = cor__position_at(campaign, turn);
        if (atomic_load(&shared->note[position].worker) == worker->index + 1 &&
            !atomic_load(&shared->note[position].done))
            COR_TRY(work_at(worker, position, error));
    }
    return COR_OK;
}

static enum cor_status work(struct worker *worker, struct cor_error *error) {
    const struct cor_campaign *campaign = worker->campaign;
    uint64_t position;
    COR_TRY(redo(worker, error));
    while (atomic_load(&campaign->shared->stop) == 0 && next_position(campaign, &position))
        COR_TRY(work_at(worker, position, error));
    return COR_OK;
}

int cor__worker_main(const struct cor_campaign *campaign, uint32_t index, size_t journal) {
    COR_ASSERT(index < campaign->definition.workers);
    struct worker worker = {.campaign = campaign, .index = index, .number = (uint32_t)journal};
    struct cor_error *error = &campaign->shared->worker[index].error;
    worker.watch.worker = &worker;
    cor_ignore_signals();
    cor_die_with(campaign->planner);
    enum cor_status status = open_worker(&worker, error);
    if (status == COR_OK)
        status = work(&worker, error);
    if (status == COR_OK || status == COR_STATUS_INTERRUPTED) {
        enum cor_status stored = store(&worker, error);
        status = stored != COR_OK ? stored : status;
    }
    if (status == COR_OK || status == COR_STATUS_INTERRUPTED)
        atomic_store(&campaign->shared->worker[index].position, 0);
    close_worker(&worker);
    return error->status == COR_OK && (status == COR_OK || status == COR_STATUS_INTERRUPTED) ? 0 : 1;
}
