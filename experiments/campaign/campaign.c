/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The planning process: it forks workers, follows what they finish, and in the end makes one result file of
 * their journals, and times another.
 * A worker process: takes the next position of the plan, lets the layer execute its suite, and appends the
 * finished suite to its own journal. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */
#include "internal.h"
#include "link.h"

#include <corridor/array.h>
#include <corridor/child.h>
#include <corridor/hash.h>
#include <corridor/record.h>
#include <corridor/result.h>
#include <corridor/share.h>

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- which of how many processes this one is, by what launchers and batch systems put into the environment
 */

/* The variables of a launcher: ranks count from 0. The first row whose variables are both there is believed:
 * Open MPI's processes under srun have Slurm's variables, too, of the daemon that started them. */
struct launcher {
    const char *rank, *size;
};

static const struct launcher launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, /* Open MPI */
    {"PMI_RANK", "PMI_SIZE"},                         /* MPICH, Intel MPI; srun --mpi=pmi2 */
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},   /* MVAPICH */
    {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},            /* srun --mpi=pmix */
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},         /* srun: only a step has the second one */
};

/* The variables of a job array: indices run from `first` to `last` by `step`. */
struct array {
    const char *index, *first, *last, *step; /* NULL: batch systems that do not say */
    const char *none;                        /* the index of what is no task of an array */
};

static const struct array arrays[] = {
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP", ""},
    {"SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE", "undefined"},
    {"LSB_JOBINDEX", NULL, "LSB_JOBINDEX_END", "LSB_JOBINDEX_STEP", "0"},
    {"PBS_ARRAY_INDEX", NULL, NULL, NULL, ""},
    {"PBS_ARRAYID", NULL, NULL, NULL, ""},
};

/* A whole number, and nothing behind it but `end`. */
static bool read_number(const char *text, char end, uint32_t *number) {
    char *stop;
    errno = 0;
    unsigned long value = text && *text >= '0' && *text <= '9' ? strtoul(text, &stop, 10) : UINT32_MAX;
    *number = (uint32_t)value;
    return value < UINT32_MAX && errno == 0 && *stop == end;
}

static bool is_share(uint64_t index, uint64_t count) {
    return count >= 1 && count <= COR_SHARES_MAX && index < count;
}

static enum cor_status no_share(const char *name, const char *value, const char *other,
                                const char *other_value, struct cor_error *error) {
    return cor_fail(error, COR_STATUS_INPUT, NULL, "say which share this process is to run, as --share 1/8",
                    "the environment says %s=%s and %s=%s, which is no share", name, value, other,
                    other_value);
}

enum cor_status cor_share_launched(cor_lookup *lookup, struct cor_share *share, struct cor_error *error) {
    *share = (struct cor_share){0, 1, false};
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        const char *rank = lookup(launchers[i].rank), *size = lookup(launchers[i].size);
        if (!rank || !size)
            continue;
        uint32_t index, count;
        if (!read_number(rank, '\0', &index) || !read_number(size, '\0', &count) || !is_share(index, count))
            return no_share(launchers[i].rank, rank, launchers[i].size, size, error);
        *share = (struct cor_share){index, count, count > 1};
        return COR_OK;
    }
    return COR_OK;
}

/* The row of the batch system whose task this process is; NULL if it is none. */
static const struct array *array_of(cor_lookup *lookup) {
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        const char *index = lookup(arrays[i].index);
        if (index && *index != '\0' && strcmp(index, arrays[i].none) != 0)
            return &arrays[i];
    }
    return NULL;
}

bool cor_share_is_array_task(cor_lookup *lookup) {
    return array_of(lookup) != NULL;
}

/* A variable that may be missing, or of which the batch system says nothing. */
static const char *value_of(cor_lookup *lookup, const char *name, const char *otherwise) {
    const char *value = name ? lookup(name) : NULL;
    return value ? value : otherwise;
}

/* The place of the task in its array, of `count` (0: the environment is to say of how many). */
static enum cor_status read_task(uint32_t count, cor_lookup *lookup, struct cor_share *share,
                                 struct cor_error *error) {
    const struct array *array = array_of(lookup);
    if (!array)
        return cor_fail(error, COR_STATUS_INPUT, NULL,
                        "say which share this process is to run, as --share 1/8",
                        "this process is no task of a job array: none of SLURM_ARRAY_TASK_ID, SGE_TASK_ID, "
                        "LSB_JOBINDEX, PBS_ARRAY_INDEX is set");
    const char *index = lookup(array->index), *last = value_of(lookup, array->last, "");
    uint32_t at, first, end, step;
    if (!array->last && count == 0)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "say of how many, as --share auto/8",
                        "%s says which task this is, and nothing says of how many", array->index);
    if (!read_number(index, '\0', &at) || !read_number(value_of(lookup, array->first, "1"), '\0', &first) ||
        !read_number(value_of(lookup, array->step, "1"), '\0', &step) || step == 0 || at < first)
        return no_share(array->index, index, array->last ? array->last : "count", last, error);
    uint64_t place = (at - first) / step, places = count;
    if (count == 0 && read_number(last, '\0', &end) && end >= first)
        places = (uint64_t)(end - first) / step + 1;
    if ((at - first) % step != 0 || !is_share(place, places))
        return no_share(array->index, index, array->last ? array->last : "count", last, error);
    *share = (struct cor_share){(uint32_t)place, (uint32_t)places, false};
    return COR_OK;
}

/* The processes that a launcher has started in a task share its share. */
static enum cor_status divide(cor_lookup *lookup, struct cor_share *share, struct cor_error *error) {
    struct cor_share within;
    COR_TRY(cor_share_launched(lookup, &within, error));
    uint64_t count = (uint64_t)share->count * within.count;
    if (count > COR_SHARES_MAX)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "use fewer tasks or processes",
                        "%u tasks of %u processes are more than %d shares", share->count, within.count,
                        COR_SHARES_MAX);
    *share = (struct cor_share){share->index * within.count + within.index, (uint32_t)count, false};
    return COR_OK;
}

enum cor_status cor_share_read(const char *text, cor_lookup *lookup, struct cor_share *share,
                               struct cor_error *error) {
    uint32_t index, count = 0;
    const char *slash = strchr(text, '/');
    bool automatic = strcmp(text, "auto") == 0 || strncmp(text, "auto/", 5) == 0;
    if (slash && !read_number(slash + 1, '\0', &count))
        count = UINT32_MAX;
    if (automatic && (!slash || is_share(0, count))) {
        COR_TRY(read_task(count, lookup, share, error));
        return divide(lookup, share, error);
    }
    if (automatic || !slash || !read_number(text, '/', &index) || index == 0 || !is_share(index - 1, count))
        return cor_fail(error, COR_STATUS_INPUT, NULL,
                        "name one, as --share 1/8 to --share 8/8, or --share auto in a job array",
                        "\"%s\" is no share of a plan", text);
    *share = (struct cor_share){index - 1, count, false};
    return COR_OK;
}

/* ---- A process that runs a share of the plan, beside others on the same folder. They speak by files alone:
 * each holds a byte of the lock, and adds journals of its own. The first of those that a launcher has started
 * follows the journals of the others; when none holds its byte any more, however it ended, it takes the whole
 * lock, and what is missing then is its own */

#define STOP_NAME "STOP"
#define FOLLOW_EVERY_SECONDS 0.5

/* Refuses a share of what cannot be shared. */
static enum cor_status share_check(const struct cor_campaign *campaign, struct cor_error *error) {
    const struct cor_stop_conditions *stop = &campaign->definition.stop;
    bool ends = campaign->planned > 0 || cor_stop_suites(stop) != UINT64_MAX ||
                cor_stop_asks(stop, COR_STOP_AT_SECONDS) || campaign->share.launched;
    if (!campaign__share_is_part(campaign))
        return COR_OK;
    if (!campaign->definition.experiment->resumable)
        return cor_fail(error, COR_STATUS_INPUT, campaign->definition.experiment->path,
                        "run all of it in one process, with --jobs",
                        "depends on programs whose contents are not known, so no two processes can share it");
    if (!ends)
        return cor_fail(error, COR_STATUS_INPUT, campaign->definition.experiment->path,
                        "say where it ends: --suites N or --stop-seconds S",
                        "is endless, and a share of it, too");
    return COR_OK;
}

/* The file in which the first process tells the others that a stop condition is met. */
static char *stop_path(const struct cor_campaign *campaign) {
    return cor_format("%s/" STOP_NAME, campaign->folder);
}

/* Forgets that a stop condition was met: another run may have others. */
static void share_forget_stop(const struct cor_campaign *campaign) {
    char *path = stop_path(campaign);
    if (path && (!campaign__share_is_part(campaign) || campaign__share_leads(campaign)))
        unlink(path);
    free(path);
}

static bool is_stop_said(const struct cor_campaign *campaign) {
    struct stat there;
    char *path = stop_path(campaign);
    bool said = path && stat(path, &there) == 0;
    free(path);
    return said;
}

#define LEADER_SECONDS 60.0

/* Nobody would end an endless campaign whose first process was killed, or has never come. */
static bool is_left_alone(struct cor_campaign *campaign) {
    if (campaign->planned > 0 || !campaign->share.launched)
        return false;
    bool led = campaign__lock_has_leader(campaign);
    bool alone = !led && (campaign->led || cor_wall_seconds() - campaign->started > LEADER_SECONDS);
    campaign->led = campaign->led || led;
    return alone;
}

static enum cor_status fork_workers(struct cor_campaign *campaign, struct cor_error *error);

/* Looks what the others do; `working`: workers of this process run. Where it waits for them and none is left,
 * it starts workers for what is missing. */
static enum cor_status share_look(struct cor_campaign *campaign, bool working, struct cor_error *error) {
    if (!campaign__share_is_part(campaign))
        return COR_OK;
    if (!campaign__share_leads(campaign)) {
        if (!campaign->idle && (is_stop_said(campaign) || is_left_alone(campaign)))
            atomic_store(&campaign->shared->stop, 1);
        return COR_OK;
    }
    double now = cor_wall_seconds();
    if (now >= campaign->follow_next) {
        COR_TRY(campaign__share_follow(campaign, error));
        campaign->follow_next = now + FOLLOW_EVERY_SECONDS;
    }
    if (campaign->limit != UINT64_MAX && !is_stop_said(campaign))
        campaign__folder_say(campaign, STOP_NAME, "");
    if (working || !campaign__share_waits(campaign) || !campaign__lock_widen(campaign))
        return COR_OK;
    /* Nobody else is at work: what is missing now, this process runs. */
    COR_TRY(campaign__share_follow(campaign, error));
    campaign->share = (struct cor_share){0, 1, false};
    share_forget_stop(campaign);
    if (campaign->limit != UINT64_MAX)
        return COR_OK;
    for (uint64_t i = 0; i < campaign__position_count(campaign) && i < campaign->taken_over; i++)
        if (!atomic_load(&campaign->shared->note[i].done))
            atomic_store(&campaign->shared->note[i].worker, 0);
    atomic_store(&campaign->shared->next, 0);
    return fork_workers(campaign, error);
}

/* Looks what the others do; `working`: workers of this process run. Where it waits for them and none is left,
 * it starts workers for what is missing. */
static void share_fini(struct cor_campaign *campaign) {
    for (size_t i = 0; i < campaign->followed_count; i++)
        free(campaign->followed[i].path);
    free(campaign->followed);
    campaign->followed = NULL;
    campaign->followed_count = 0;
}

/* ---- campaign */

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

static enum cor_status work(struct worker *worker, struct cor_error *error) {
    const struct cor_campaign *campaign = worker->campaign;
    uint64_t position;
    /* What a worker of this index has taken, and lost when it was killed. */
    struct cor_shared *shared = campaign->shared;
    uint64_t turns = atomic_load(&shared->next);
    if (campaign->planned > 0 && turns > campaign->planned)
        turns = campaign->planned;
    for (uint64_t turn = 0; turn < turns && atomic_load(&shared->stop) == 0; turn++) {
        uint64_t taken = campaign__position_at(campaign, turn);
        if (campaign__is_counted(campaign, taken) &&
            atomic_load(&shared->note[taken].worker) == worker->index + 1 &&
            !atomic_load(&shared->note[taken].done))
            COR_TRY(work_at(worker, taken, error));
    }
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

static enum cor_status fork_worker(struct cor_campaign *campaign, uint32_t worker, struct cor_error *error) {
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

/* Starts all workers. */
static enum cor_status fork_workers(struct cor_campaign *campaign, struct cor_error *error) {
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
        COR_TRY(fork_worker(campaign, w, error));
    return COR_OK;
}

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b) {
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A stride without a common divisor visits every position of the plan once. */
static uint64_t stride_of(uint64_t planned, uint64_t shuffle) {
    if (planned < 2 || shuffle == 0)
        return 1;
    uint64_t stride = planned / 3 + shuffle % planned;
    while (greatest_common_divisor(stride, planned) != 1)
        stride++;
    return stride;
}

static bool any_runs(const struct cor_campaign *campaign) {
    for (uint32_t w = 0; w < campaign->definition.workers; w++)
        if (campaign->pid[w] != 0)
            return true;
    return false;
}

#define PACE_SECONDS 0.5 /* between two looks at how long the rest takes */

#define FOLLOW_SECONDS 0.01 /* of a look, at most, for people alone; */
#define CATCH_UP_SECONDS 1  /* of the last one */

/* Journals collected from elsewhere, after those of the folder. */
static enum cor_status find_sources(struct cor_campaign *campaign, struct cor_error *error) {
    enum cor_status status = COR_OK;
    campaign->source_begin = campaign->source_end = campaign->followed_count;
    for (size_t s = 0; s < campaign->definition.source_count; s++) {
        char **paths;
        size_t count;
        COR_TRY(campaign__folder_source(campaign, campaign->definition.sources[s], &paths, &count, error));
        status = campaign__share_follow_these(campaign, paths, count, error);
        campaign__folder_free(paths, count);
        COR_TRY(status);
    }
    campaign->source_end = campaign->followed_count;
    return COR_OK;
}

/* What earlier runs of the campaign have left; journals are only ever added. */
static enum cor_status resume(struct cor_campaign *campaign, struct cor_error *error) {
    char **paths;
    size_t count;
    enum cor_status status = COR_OK;
    COR_TRY(campaign__folder_journals(campaign->folder, &paths, &count, error));
    for (size_t i = 0; i < count && !campaign->definition.experiment->resumable; i++)
        unlink(paths[i]);
    campaign->next_journal = campaign__journal_next(campaign, paths, count);
    if (count > 0)
        COR_TRY_OUT(cor_file_sync_folder(paths[0], error));
    if (campaign->definition.experiment->resumable)
        COR_TRY_OUT(campaign__share_follow(campaign, error));
    COR_TRY_OUT(find_sources(campaign, error));
    campaign->before = atomic_load(&campaign->shared->done);
    campaign->removable = campaign->removable || campaign->before == 0;
    if (!campaign__share_is_part(campaign) || campaign->share.launched)
        campaign__folder_forget_tasks(campaign); /* this process knows of all */
    share_forget_stop(campaign);
out:
    campaign__folder_free(paths, count);
    return status;
}

enum cor_status cor_campaign_start(const struct cor_campaign_definition *definition,
                                   struct cor_campaign **campaign, struct cor_error *error) {
    COR_ASSERT(definition->workers <= COR_WORKERS_MAX);
    struct cor_campaign *c = *campaign = cor_calloc(1, sizeof *c);
    COR_TRY(cor_made(c, error));
    enum cor_status status = COR_OK;
    bool ours;
    c->definition = *definition;
    c->planned = (uint64_t)definition->experiment->suite_count * definition->experiment->arm_count;
    c->stride = stride_of(c->planned, definition->shuffle);
    c->share = definition->share;
    c->limit = c->failed = UINT64_MAX;
    c->seconds_left = NAN;
    c->lock = -1;
    c->started = cor_wall_seconds();
    COR_TRY_OUT(share_check(c, error));
    COR_TRY_OUT(campaign__output_check_kind(definition->output, error));
    COR_TRY_OUT(campaign__manifest_origins(c, error));
    char *manifest;
    COR_TRY_OUT(campaign__manifest_make(c, &manifest, error));
    status = campaign__folder_open(c, manifest, error);
    free(manifest);
    if (status != COR_OK)
        goto out;
    COR_TRY_OUT(campaign__output_is_ours(c, &ours, error));
    c->definition.overwrite = c->definition.overwrite || ours;
    if (definition->workers > 0 &&
        (!c->share.launched || campaign__share_leads(c))) /* which makes the result file */
        COR_TRY_OUT(campaign__output_check_free(c, error));
    COR_TRY_OUT(definition->as_run ? campaign__stop_take(c, error) : campaign__stop_keep(c, error));
    const uint64_t positions = c->planned > 0 ? c->planned : COR_PLAN_MAX,
                   arms = c->definition.experiment->arm_count;
    const size_t notes_size = sizeof *c->shared + positions * sizeof *c->shared->note;
    c->position_count = positions;
    c->shared_size = notes_size + arms * sizeof *c->arm_ends;
    void *memory =
        mmap(NULL, c->shared_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        COR_TRY_OUT(cor_fail_memory(error));
    c->shared = memory;
    c->arm_ends = (_Atomic uint64_t *)(void *)((char *)memory + notes_size);
    for (uint64_t a = 0; a < arms; a++)
        atomic_init(&c->arm_ends[a], UINT64_MAX);
    uint64_t limit = cor_stop_suites(&c->definition.stop);
    atomic_store(&c->shared->limit, limit < positions ? limit : positions);
    if (c->idle)
        goto out;
    COR_TRY_OUT(resume(c, error));
    COR_TRY_OUT(campaign__follower_create(definition, &c->follower, error));
    COR_TRY_OUT(campaign__check_stop(c, error));
    COR_TRY_OUT(share_look(c, true, error));
    COR_TRY_OUT(fork_workers(c, error));
out:
    if (status != COR_OK) {
        cor_campaign_destroy(c);
        *campaign = NULL;
    }
    return status;
}

#define DEATHS_MAX 3      /* of workers at one suite: it may have been somebody's kill, but not so often */
#define IDLE_DEATHS_MAX 8 /* of workers between suites */

/* Whether a new worker takes the place of one that was killed, and runs what it had taken. */
static bool may_retry(struct cor_campaign *campaign, uint32_t worker) {
    uint64_t position = atomic_load(&campaign->shared->worker[worker].position);
    if (atomic_load(&campaign->shared->stop) != 0)
        return false;
    if (position == 0)
        return ++campaign->idle_deaths < IDLE_DEATHS_MAX;
    return ++campaign->shared->note[position - 1].deaths < DEATHS_MAX;
}

/* What was taken for the host and not stored is anybody's. Where no other worker is left, all ends. */
static enum cor_status lose_host(struct cor_campaign *campaign, uint32_t worker, struct cor_error *error) {
    struct cor_shared *shared = campaign->shared;
    const struct cor_error *why = &shared->worker[worker].error;
    size_t length = strlen(campaign->news);
    bool any = false;
    campaign->gone[worker] = true;
    atomic_store(&shared->worker[worker].position, 0);
    if (atomic_load(&shared->stop) != 0)
        return COR_OK;
    for (uint64_t i = 0; i < campaign__position_count(campaign) && i < COR_PLAN_MAX; i++)
        if (atomic_load(&shared->note[i].worker) == worker + 1 && !atomic_load(&shared->note[i].done))
            atomic_store(&shared->note[i].worker, 0);
    atomic_store(&shared->orphans, 1);
    snprintf(campaign->news + length, sizeof campaign->news - length,
             "host %s is lost to worker %u: %s; its suites go to others\n",
             campaign__host_of(campaign, worker), worker, why->cause);
    for (uint32_t w = 0; w < campaign->definition.workers; w++)
        any = any || !campaign->gone[w];
    if (any)
        return COR_OK;
    atomic_store(&shared->stop, 1);
    return cor_fail(error, COR_STATUS_INTERRUPTED, campaign__host_of(campaign, worker),
                    "the same command goes on from what was finished", "no worker is left: %s", why->cause);
}

/* May a suite before the one that cannot be executed be such, too? What a lost host had is executed yet. */
static bool may_fail_before(const struct cor_campaign *campaign) {
    const struct cor_shared *shared = campaign->shared;
    const bool runs = any_runs(campaign),
               will_run = atomic_load(&shared->orphans) != 0 && atomic_load(&shared->stop) == 0;
    for (uint64_t i = campaign->kept; i < campaign->failed; i++)
        if (campaign__is_counted(campaign, i) && campaign__share_holds(campaign, i) &&
            !atomic_load(&shared->note[i].done) && (runs || (will_run && campaign__is_orphan(campaign, i))))
            return true;
    return false;
}

/* Once all before it is known. Where a stop condition is met before it, nobody wants it. */
static enum cor_status tell_failure(struct cor_campaign *campaign, struct cor_error *error) {
    if (campaign->failed == UINT64_MAX || campaign->failure_settled || may_fail_before(campaign))
        return COR_OK;
    COR_TRY(campaign__evaluate_prefix(campaign, error));
    campaign->failure_settled = true; /* no later one is told */
    if (campaign->limit != UINT64_MAX)
        return COR_OK;
    *error = campaign->failure;
    return error->status;
}

static enum cor_status worker_left(struct cor_campaign *campaign, uint32_t worker, int how,
                                   struct cor_error *error) {
    campaign->pid[worker] = 0;
    campaign->any_killed = campaign->any_killed || WIFSIGNALED(how);
    bool in_mid_suite = atomic_load(&campaign->shared->worker[worker].position) != 0;
    if (WIFEXITED(how) && WEXITSTATUS(how) == 0 && !in_mid_suite)
        return COR_OK;
    if (campaign->cut[worker]) {
        atomic_store(&campaign->shared->worker[worker].position, 0);
        return campaign__take_over(campaign, campaign->journal[worker], error); /* what it had finished */
    }
    if (atomic_load(&campaign->shared->worker[worker].lost) != 0)
        return lose_host(campaign, worker, error);
    const struct cor_error *said = &campaign->shared->worker[worker].error;
    if (WIFEXITED(how) && in_mid_suite && campaign__is_of_suite(said->status)) {
        /* Suites before it are executed yet, those behind it are not wanted: so it is the same one that is
         * named by any number of workers, in whichever order they go through the plan. */
        const uint64_t position = atomic_load(&campaign->shared->worker[worker].position) - 1;
        if (position < campaign->failed) {
            campaign->failed = position;
            campaign->failure = *said;
            atomic_store(&campaign->shared->limit, position);
        }
        if (campaign->stride == 1) /* those before it were all taken before */
            return COR_OK;
        atomic_store(&campaign->shared->worker[worker].position, 0);
        return fork_worker(campaign, worker, error);
    }
    if (WIFEXITED(how) && said->status != COR_OK) {
        atomic_store(&campaign->shared->stop, 1);
        if (error->status == COR_OK)
            *error = *said;
        return said->status;
    }
    if (may_retry(campaign, worker))
        return fork_worker(campaign, worker, error);
    static const char remedy[] =
        "an algorithm, a monitor or a mechanism that crashes takes its worker along; run it alone under a "
        "debugger with --jobs 1";
    char place[256], ended[COR_ENDED_SIZE];
    atomic_store(&campaign->shared->stop, 1);
    uint64_t position = atomic_load(&campaign->shared->worker[worker].position);
    if (position == 0)
        snprintf(place, sizeof place, "between suites");
    else
        snprintf(place, sizeof place, "in suite %u of arm %s", campaign__suite_at(campaign, position - 1),
                 campaign__arm_name_at(campaign, position - 1));
    if (WIFEXITED(how))
        return cor_fail(error, COR_STATUS_INTERNAL, NULL, remedy, "worker %u left with exit code %d %s",
                        worker, WEXITSTATUS(how), place);
    return cor_fail(error, COR_STATUS_INTERNAL, NULL, remedy, "worker %u was %s %s", worker,
                    cor_ended_by(WTERMSIG(how), ended), place);
}

static enum cor_status reap(struct cor_campaign *campaign, struct cor_error *error) {
    enum cor_status status = COR_OK;
    for (uint32_t w = 0; w < campaign->definition.workers; w++) {
        int how;
        if (campaign->pid[w] == 0 || waitpid(campaign->pid[w], &how, WNOHANG) != campaign->pid[w])
            continue;
        enum cor_status left = worker_left(campaign, w, how, error);
        status = status == COR_OK ? left : status;
    }
    if (status == COR_OK)
        status = tell_failure(campaign, error);
    if (status != COR_OK)
        return status;
    /* Workers that had nothing to do any more, for suites of a host that was lost later. */
    struct cor_shared *shared = campaign->shared;
    uint64_t end = campaign__position_count(campaign), turns = atomic_load(&shared->next);
    uint32_t worker = 0;
    if (atomic_load(&shared->orphans) == 0 || atomic_load(&shared->stop) != 0)
        return COR_OK;
    end = campaign->planned == 0 && turns < end ? turns : end;
    for (uint64_t i = 0; i < end; i++) {
        if (!campaign__is_orphan(campaign, i))
            continue;
        while (worker < campaign->definition.workers &&
               (campaign->pid[worker] != 0 || campaign->gone[worker]))
            worker++;
        if (worker == campaign->definition.workers)
            return COR_OK;
        COR_TRY(fork_worker(campaign, worker, error));
    }
    return COR_OK;
}

/* How long the worker is waited for. What it had finished is whole. One that is storing what it has is given
 * more, and likewise one whose suite is kept as far as it came: the patience is CPU time then. */
static bool is_late(const struct cor_campaign *campaign, uint32_t worker, double patience) {
    const bool is_parting = atomic_load(&campaign->shared->worker[worker].heard) != 0;
    const double waited = cor_wall_seconds() - campaign->stopping,
                 used = cor_cpu_seconds_of(campaign->pid[worker]) - campaign->cpu_then[worker];
    if (waited >= fmax(patience, COR_PARTING_PATIENCE))
        return true;
    return !is_parting && (campaign->definition.layer->is_cut ? used : waited) >= patience;
}

/* Workers stop between two tests. One that is in the midst of a test for longer than there is patience is
 * ended: its suite is abandoned either way. */
static void cut_short(struct cor_campaign *campaign) {
    const double asked = campaign->definition.stop_patience, patience = asked > 0 ? asked : COR_STOP_PATIENCE;
    uint32_t count = 0;
    if (atomic_load(&campaign->shared->stop) == 0)
        return;
    if (campaign->stopping <= 0) {
        campaign->stopping = cor_wall_seconds();
        for (uint32_t w = 0; w < campaign->definition.workers; w++)
            campaign->cpu_then[w] = cor_cpu_seconds_of(campaign->pid[w]);
    }
    for (uint32_t w = 0; w < campaign->definition.workers; w++) {
        if (campaign->pid[w] == 0 || campaign->cut[w] || !is_late(campaign, w, patience))
            continue;
        campaign->cut[w] = true;
        kill(campaign->pid[w], SIGKILL);
        count++;
    }
    const size_t length = strlen(campaign->news);
    if (count > 0)
        snprintf(campaign->news + length, sizeof campaign->news - length,
                 "discarded %u running test%s, not over %g s after the stop\n", count, count > 1 ? "s" : "",
                 patience);
}

enum cor_status cor_campaign_look(struct cor_campaign *campaign, int milliseconds,
                                  struct cor_campaign_status *status, struct cor_error *error) {
    struct timespec pause = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    if (any_runs(campaign) || campaign__share_waits(campaign))
        (void)sigtimedwait(&children, NULL, &pause);
    cut_short(campaign);
    enum cor_status result = reap(campaign, error);
    if (result == COR_OK)
        result = share_look(campaign, any_runs(campaign), error);
    if (result == COR_OK)
        result = campaign__evaluate_prefix(campaign, error);
    if (result != COR_OK)
        cor_campaign_interrupt(campaign); /* nobody is waited for */
    /* What nobody needs but those who watch: as far as there is time, and never trouble. */
    double until = cor_wall_seconds() + (any_runs(campaign) ? FOLLOW_SECONDS : CATCH_UP_SECONDS);
    struct cor_error ignored = COR_NO_ERROR;
    while (campaign->follower && campaign->follower->followed < campaign->kept && cor_wall_seconds() < until)
        if (campaign__follow_position(campaign, campaign->follower->followed, &ignored) != COR_OK) {
            campaign__follower_destroy(campaign->follower);
            campaign->follower = NULL;
        }
    if (cor_wall_seconds() >= campaign->pace_next) {
        campaign->seconds_left = cor_campaign_pace(campaign).seconds_left;
        campaign->pace_next = cor_wall_seconds() + PACE_SECONDS;
    }
    uint64_t planned = campaign->planned, wanted = cor_stop_suites(&campaign->definition.stop);
    if (wanted != UINT64_MAX && (planned == 0 || wanted < planned))
        planned = wanted;
    if (planned > 0)
        planned -= campaign->passed;
    const struct campaign__stored stored = campaign__count_stored(campaign);
    *status = (struct cor_campaign_status){
        .suites_planned = planned,
        .suites_before = stored.before,
        .suites_done = stored.done,
        .suites_kept = campaign->kept - campaign->passed,
        .kept_cases = campaign->kept_cases,
        .reorganizations = campaign->kept_reorganizations,
        .failures = campaign->kept_failures,
        .cases = campaign->stored_cases,
        .failures_seen = campaign->stored_failures,
        .seconds = cor_wall_seconds() - campaign->started,
        .seconds_left = campaign->seconds_left,
        .ended = !any_runs(campaign) && !campaign__share_waits(campaign),
        .partial = campaign__share_is_part(campaign),
        .stopped = campaign->limit != UINT64_MAX,
    };
    memcpy(status->news, campaign->news, sizeof status->news);
    for (uint32_t w = 0; w < campaign->definition.workers; w++) {
        status->cases += atomic_load(&campaign->shared->worker[w].cases);
        status->failures_seen += atomic_load(&campaign->shared->worker[w].failures);
        status->starts += atomic_load(&campaign->shared->worker[w].starts);
        status->start_seconds += 1e-6 * (double)atomic_load(&campaign->shared->worker[w].start_us);
        status->work_seconds += 1e-6 * (double)atomic_load(&campaign->shared->worker[w].work_us);
    }
    campaign->news[0] = '\0';
    campaign__status_say(campaign, status);
    return result;
}

void cor_campaign_interrupt(struct cor_campaign *campaign) {
    campaign->interrupted = true;
    atomic_store(&campaign->shared->stop, 1);
}

void cor_campaign_destroy(struct cor_campaign *campaign) {
    if (!campaign)
        return;
    for (uint32_t w = 0; w < COR_WORKERS_MAX; w++) {
        if (campaign->pid[w] == 0)
            continue;
        kill(campaign->pid[w], SIGKILL);
        while (waitpid(campaign->pid[w], NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    if (campaign->signals_blocked)
        sigprocmask(SIG_SETMASK, &campaign->signals_before, NULL);
    bool anything = campaign->shared && atomic_load(&campaign->shared->done) > 0 &&
                    campaign->definition.source_count == 0;
    campaign->finished = campaign->finished || (campaign->removable && !campaign__share_is_part(campaign) &&
                                                !campaign->definition.keep &&
                                                (!anything || !campaign->definition.experiment->resumable));
    if (campaign->shared)
        munmap(campaign->shared, campaign->shared_size);
    campaign__follower_destroy(campaign->follower);
    share_fini(campaign);
    campaign__folder_close(campaign);
    COR_FREE(campaign->origins, campaign->left_out, campaign);
}
