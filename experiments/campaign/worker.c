/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A worker process: takes the next position of the plan, lets the layer execute its suite, and appends the
 * finished suite to its own journal. */
#include "internal.h"

#include <corridor/record.h>

#include <corridor/process.h>

#include <stdlib.h>

struct worker {
    const struct cor_campaign *campaign;
    uint32_t index;
    struct cor_journal *journal;
    struct cor_record *record;
    void *executor; /* the layer's */
};

struct cor_watch {
    struct cor_shared *shared;
    uint32_t worker;
    uint64_t before; /* cases of earlier suites */
};

bool cor_watch_stopped(const struct cor_watch *watch) {
    return watch && atomic_load(&watch->shared->stop) != 0;
}

void cor_watch_show(const struct cor_watch *watch, uint64_t cases) {
    if (watch)
        atomic_store(&watch->shared->worker[watch->worker].cases, watch->before + cases);
}

static enum cor_status open_worker(struct worker *worker, struct cor_error *error) {
    const struct cor_campaign_definition *definition = &worker->campaign->definition;
    char *path = cor__journal_path(worker->campaign, worker->index);
    enum cor_status status =
        path ? cor_journal_create(path, &worker->journal, error) : cor_fail_memory(error);
    free(path);
    COR_TRY(status);
    COR_TRY(cor_record_create(definition->layer->schema, &worker->record, error));
    return definition->layer->open(definition->experiment, &worker->executor, error);
}

static void close_worker(struct worker *worker) {
    worker->campaign->definition.layer->close(worker->executor);
    cor_record_destroy(worker->record);
    cor_journal_close(worker->journal);
}

static enum cor_status work_at(struct worker *worker, uint64_t position, struct cor_error *error) {
    const struct cor_campaign *campaign = worker->campaign;
    struct cor_shared *shared = campaign->shared;
    struct cor_suite_note *note = &shared->note[position];
    const struct cor_watch watch = {shared, worker->index, atomic_load(&shared->worker[worker->index].cases)};
    double wall = cor_wall_seconds(), cpu = cor_cpu_seconds();
    COR_TRY(campaign->definition.layer->execute(worker->executor, cor__arm_at(campaign, position),
                                                cor__suite_at(campaign, position), &watch, worker->record,
                                                &note->tally, error));
    COR_TRY(cor_journal_append(worker->journal, worker->record, error));
    note->worker = worker->index;
    note->wall_seconds = (float)(cor_wall_seconds() - wall);
    note->cpu_seconds = (float)(cor_cpu_seconds() - cpu);
    atomic_store(&note->done, 1);
    atomic_fetch_add(&shared->done, 1);
    return COR_OK;
}

/* Plan positions in the order in which they are taken; false when there are none left. */
static bool next_position(const struct cor_campaign *campaign, uint64_t *position) {
    struct cor_shared *shared = campaign->shared;
    for (;;) {
        uint64_t turn = atomic_fetch_add(&shared->next, 1), limit = atomic_load(&shared->limit);
        *position = campaign->planned > 0 ? turn * campaign->stride % campaign->planned : turn;
        if (*position < limit && (campaign->planned == 0 || turn < campaign->planned))
            return true;
        if (turn >= (campaign->planned > 0 ? campaign->planned : limit))
            return false;
    }
}

int cor__worker_main(const struct cor_campaign *campaign, uint32_t index) {
    COR_ASSERT(index < campaign->definition.workers);
    struct worker worker = {.campaign = campaign, .index = index};
    struct cor_shared *shared = campaign->shared;
    struct cor_error *error = &shared->worker[index].error;
    cor_ignore_signals();
    cor_die_with(campaign->planner);
    enum cor_status status = open_worker(&worker, error);
    while (status == COR_OK && atomic_load(&shared->stop) == 0) {
        uint64_t position;
        if (!next_position(campaign, &position))
            break;
        atomic_store(&shared->worker[index].position, position + 1);
        status = work_at(&worker, position, error);
        atomic_store(&shared->worker[index].position, 0);
    }
    close_worker(&worker);
    return status == COR_OK || status == COR_STATUS_INTERRUPTED ? 0 : 1;
}
