/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A worker process: takes the next position of the plan, lets the layer execute its suite, and appends the
 * finished suite to its own journal. */
#define _DEFAULT_SOURCE /* madvise */
#include "link.h"

#include <corridor/child.h>
#include <corridor/record.h>

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Suites that are written and not yet durable wait for others, so that one sync serves many short ones: at
 * most this long, or this many bytes. */
#define WAIT_SECONDS 0.05
#define WAIT_BYTES ((size_t)1 << 20)
#define WAIT_SUITES 512

struct worker {
    const struct cor_campaign *campaign;
    uint32_t index, number; /* of its journal, as suites note it */
    struct cor_journal *journal;
    FILE *times; /* NULL: they are not noted */
    struct cor_record *record;
    void *executor;                /* the layer's; of a host's worker: none */
    struct cor_link *link;         /* to the host that executes; NULL: this process does */
    const char *host;              /* NULL: this machine */
    uint64_t before;               /* cases of earlier suites */
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
    for (size_t i = 0; i < worker->waiting_count; i++) {
        campaign__times_note(worker->times, worker->campaign, worker->waiting[i]);
        atomic_store(&shared->note[worker->waiting[i]].done, 1);
    }
    if (worker->times)
        fflush(worker->times);
    worker->waiting_count = 0;
    return COR_OK;
}

static bool is_due(const struct worker *worker) {
    return worker->waiting_count == WAIT_SUITES || cor_journal_pending(worker->journal) >= WAIT_BYTES ||
           (worker->waiting_count > 0 && cor_wall_seconds() - worker->waiting_since >= WAIT_SECONDS);
}

/* Asked now and then while a suite runs, which may take long: those before it are stored meanwhile. */
static bool is_stopped(void *with) {
    struct worker *worker = with;
    struct cor_shared *shared = worker->campaign->shared;
    if (is_due(worker) && store(worker, &shared->worker[worker->index].error) != COR_OK)
        return true;
    const uint64_t position = atomic_load(&shared->worker[worker->index].position);
    if (atomic_load(&shared->stop) != 0)
        atomic_store(&shared->worker[worker->index].heard, 1);
    return atomic_load(&shared->stop) != 0 || position > atomic_load(&shared->limit);
}

static void show_cases(void *with, uint64_t cases) {
    struct worker *worker = with;
    atomic_store(&worker->campaign->shared->worker[worker->index].cases, worker->before + cases);
}

static void note_share(void *with, double share) {
    struct worker *worker = with;
    atomic_store(&worker->campaign->shared->worker[worker->index].share, (uint32_t)(1e6 * share));
}

static void note_starts(void *with, uint64_t starts, double seconds) {
    struct worker *worker = with;
    struct cor_shared *shared = worker->campaign->shared;
    atomic_fetch_add(&shared->worker[worker->index].starts, starts);
    atomic_fetch_add(&shared->worker[worker->index].start_us, (uint64_t)(1e6 * seconds));
}

/* That the host is lost is told to the planner. */
static enum cor_status tell_lost(struct worker *worker, bool lost, enum cor_status status) {
    if (lost)
        atomic_store(&worker->campaign->shared->worker[worker->index].lost, 1);
    return status;
}

static enum cor_status open_worker(struct worker *worker, struct cor_error *error) {
    const struct cor_campaign_definition *definition = &worker->campaign->definition;
    COR_TRY(cor_journal_create(worker->campaign->followed[worker->number].path, &worker->journal, error));
    worker->times = campaign__times_open(worker->campaign, worker->index,
                                         worker->campaign->followed[worker->number].path);
    bool lost = false;
    worker->host = campaign__host_of(worker->campaign, worker->index);
    if (worker->host)
        return tell_lost(
            worker, lost,
            campaign__link_open(worker->campaign, worker->host, &worker->watch, &worker->link, &lost, error));
    COR_TRY(cor_record_create(definition->layer->schema, &worker->record, error));
    cor_record_only_write(worker->record);
    return definition->layer->open(definition->experiment, &worker->executor, error);
}

/* Notes where the suite is that is written in between. */
static void begin_frame(const struct worker *worker, struct cor_suite_note *note) {
    note->journal = worker->number;
    note->offset = cor_journal_size(worker->journal);
}

static void end_frame(const struct worker *worker, struct cor_suite_note *note) {
    note->size = cor_journal_size(worker->journal) - note->offset;
}

/* On another host: what comes back is checked, and written as it is. */
static enum cor_status execute_there(struct worker *worker, uint64_t position, struct cor_error *error) {
    const struct cor_campaign *campaign = worker->campaign;
    struct cor_suite_note *note = &campaign->shared->note[position];
    uint32_t arm = campaign__arm_at(campaign, position), suite = campaign__suite_at(campaign, position);
    struct campaign__answer answer;
    bool lost = false;
    enum cor_status status =
        campaign__link_run(worker->link, arm, suite, &worker->watch, &answer, &lost, error);
    if (status == COR_OK) {
        const struct cor_journal_entry wanted = {
            .arm = (uint16_t)arm, .suite = suite, .origin = campaign->origins[arm]};
        note->wall_seconds = (float)answer.wall_seconds;
        note->cpu_seconds = (float)answer.cpu_seconds;
        begin_frame(worker, note);
        status = cor_journal_write_frame(worker->journal, campaign->definition.layer->schema, &wanted,
                                         answer.frame, answer.size, &note->tally, error);
        end_frame(worker, note);
        lost = status == COR_STATUS_INPUT;
    }
    if (status == COR_OK)
        show_cases(worker, note->tally.cases);
    return tell_lost(worker, lost, status);
}

static enum cor_status execute(struct worker *worker, uint64_t position, struct cor_error *error) {
    const struct cor_campaign *campaign = worker->campaign;
    struct cor_suite_note *note = &campaign->shared->note[position];
    double wall = cor_wall_seconds(), cpu = cor_cpu_seconds();
    worker->before = atomic_load(&campaign->shared->worker[worker->index].cases);
    note->tally = (struct cor_suite_counts){0};
    if (worker->link)
        return execute_there(worker, position, error);
    COR_TRY(campaign->definition.layer->execute(worker->executor, campaign__arm_at(campaign, position),
                                                campaign__suite_at(campaign, position), &worker->watch,
                                                worker->record, &note->tally, error));
    show_cases(worker, note->tally.cases);
    cor_record_count(worker->record, &note->tally);
    cor_record_origin(worker->record, campaign->origins[campaign__arm_at(campaign, position)]);
    note->wall_seconds = (float)(cor_wall_seconds() - wall);
    note->cpu_seconds = (float)(cor_cpu_seconds() - cpu);
    begin_frame(worker, note);
    enum cor_status status = cor_journal_write(worker->journal, worker->record, error);
    end_frame(worker, note);
    return status;
}

static enum cor_status work_at(struct worker *worker, uint64_t position, struct cor_error *error) {
    struct cor_shared *shared = worker->campaign->shared;
    uint32_t nobody = 0;
    if (!atomic_compare_exchange_strong(&shared->note[position].worker, &nobody, worker->index + 1) &&
        nobody != worker->index + 1)
        return COR_OK; /* another worker was faster */
    atomic_store(&shared->worker[worker->index].share, 0);
    atomic_store(&shared->worker[worker->index].since_ms, (uint64_t)(1000 * cor_wall_seconds()));
    atomic_store(&shared->worker[worker->index].position, position + 1);
    COR_TRY(execute(worker, position, error));
    atomic_fetch_add(&shared->worker[worker->index].work_us,
                     (uint64_t)(1e6 * (double)shared->note[position].wall_seconds));
    atomic_fetch_add(&shared->worker[worker->index].failures, shared->note[position].tally.failures);
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
        uint64_t turn = atomic_fetch_add(&shared->next, 1);
        *position = campaign__position_at(campaign, turn);
        if (turn >= (campaign->planned > 0 ? campaign->planned : atomic_load(&shared->limit)))
            return false;
        if (campaign__is_counted(campaign, *position) && campaign__share_holds(campaign, *position) &&
            !atomic_load(&shared->note[*position].done))
            return true;
    }
}

/* Plan positions that were taken for a host that is lost. */
static bool next_orphan(const struct cor_campaign *campaign, uint64_t *position) {
    struct cor_shared *shared = campaign->shared;
    uint64_t turns = atomic_load(&shared->next);
    if (campaign->planned > 0 && turns > campaign->planned)
        turns = campaign->planned;
    for (uint64_t turn = 0; turn < turns && atomic_load(&shared->orphans) != 0; turn++) {
        *position = campaign__position_at(campaign, turn);
        if (campaign__is_orphan(campaign, *position))
            return true;
    }
    return false;
}

/* What a worker of this index has taken, and lost when it was killed. */
static enum cor_status redo(struct worker *worker, struct cor_error *error) {
    const struct cor_campaign *campaign = worker->campaign;
    struct cor_shared *shared = campaign->shared;
    uint64_t turns = atomic_load(&shared->next);
    if (campaign->planned > 0 && turns > campaign->planned)
        turns = campaign->planned;
    for (uint64_t turn = 0; turn < turns && atomic_load(&shared->stop) == 0; turn++) {
        uint64_t position = campaign__position_at(campaign, turn);
        if (campaign__is_counted(campaign, position) &&
            atomic_load(&shared->note[position].worker) == worker->index + 1 &&
            !atomic_load(&shared->note[position].done))
            COR_TRY(work_at(worker, position, error));
    }
    return COR_OK;
}

static enum cor_status work(struct worker *worker, struct cor_error *error) {
    const struct cor_campaign *campaign = worker->campaign;
    uint64_t position;
    COR_TRY(redo(worker, error));
    while (atomic_load(&campaign->shared->stop) == 0 &&
           (next_position(campaign, &position) || next_orphan(campaign, &position)))
        COR_TRY(work_at(worker, position, error));
    return COR_OK;
}

/* The body of a worker process: first the suites that an earlier worker of its index took and did not finish,
 * then the next ones until there are none; returns its exit code. */
static int worker_main(const struct cor_campaign *campaign, uint32_t index, size_t journal) {
    COR_ASSERT(index < campaign->definition.workers);
    struct worker worker = {.campaign = campaign, .index = index, .number = (uint32_t)journal};
    struct cor_error *error = &campaign->shared->worker[index].error;
    *error = COR_NO_ERROR; /* of one before, whose suite cannot be executed */
    atomic_store(&campaign->shared->worker[index].heard, 0);
    worker.watch = (struct cor_watch){&worker, is_stopped, show_cases, note_starts, note_share};
    cor_ignore_signals();
    cor_die_with(campaign->planner);
    /* What is tested in a process of its own, forked from this one, has no business there. */
    madvise(campaign->shared, campaign->shared_size, MADV_DONTFORK);
    enum cor_status status = open_worker(&worker, error);
    if (status == COR_OK)
        status = work(&worker, error);
    atomic_store(&campaign->shared->worker[index].heard, 1);
    bool lost = atomic_load(&campaign->shared->worker[index].lost) != 0;
    if (worker.journal && (status == COR_OK || status == COR_STATUS_INTERRUPTED || lost ||
                           campaign__is_of_suite(status))) { /* those before it are whole */
        struct cor_error trouble = COR_NO_ERROR;
        enum cor_status stored = store(&worker, &trouble);
        if (stored != COR_OK) {
            *error = trouble;
            status = stored;
        }
    }
    if (status == COR_OK || status == COR_STATUS_INTERRUPTED)
        atomic_store(&campaign->shared->worker[index].position, 0);
    campaign__link_close(worker.link);
    worker.campaign->definition.layer->close(worker.executor);
    cor_record_destroy(worker.record);
    bool empty = worker.journal && cor_journal_size(worker.journal) == 0;
    cor_journal_close(worker.journal);
    if (worker.times)
        fclose(worker.times);
    if (empty) /* nothing was left to do */
        campaign__journal_remove(worker.campaign->followed[worker.number].path);
    return error->status == COR_OK && (status == COR_OK || status == COR_STATUS_INTERRUPTED) ? 0 : 1;
}

enum cor_status campaign__fork_worker(struct cor_campaign *campaign, uint32_t worker,
                                      struct cor_error *error) {
    size_t journal;
    COR_TRY(campaign__journal_new(campaign, &journal, error));
    pid_t pid = fork();
    if (pid == 0)
        _exit(worker_main(campaign, worker, journal));
    if (pid < 0)
        return cor_fail_errno(error, COR_STATUS_MEMORY, NULL, "use fewer workers (--jobs)",
                              "cannot start a worker");
    campaign->pid[worker] = pid;
    campaign->journal[worker] = journal;
    return COR_OK;
}

enum cor_status campaign__fork_workers(struct cor_campaign *campaign, struct cor_error *error) {
    campaign->planner = getpid();
    if (!campaign->signals_blocked) {
        /* SIGCHLD is blocked while a campaign lives: cor_campaign_look waits for it, and no wake-up is
         * lost. */
        sigset_t children;
        sigemptyset(&children);
        sigaddset(&children, SIGCHLD);
        sigprocmask(SIG_BLOCK, &children, &campaign->signals_before);
        campaign->signals_blocked = true;
    }
    COR_TRY(campaign__evaluate_prefix(campaign, error));
    if (campaign->limit != UINT64_MAX || (campaign->planned > 0 && campaign->kept == campaign->planned))
        return COR_OK; /* nothing is missing */
    for (uint32_t w = 0; w < campaign->definition.workers; w++)
        COR_TRY(campaign__fork_worker(campaign, w, error));
    return COR_OK;
}
