/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The planning process: it forks workers, follows what they finish, and in the end makes one result file of
 * their journals, and times another. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "internal.h"

#include <corridor/array.h>
#include <corridor/child.h>
#include <corridor/hash.h>
#include <corridor/result.h>

#include <errno.h>
#include <inttypes.h>
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
    campaign__share_forget_stop(campaign);
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
    COR_TRY_OUT(campaign__share_check(c, error));
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
    COR_TRY_OUT(campaign__share_look(c, true, error));
    COR_TRY_OUT(campaign__fork_workers(c, error));
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
        return campaign__fork_worker(campaign, worker, error);
    }
    if (WIFEXITED(how) && said->status != COR_OK) {
        atomic_store(&campaign->shared->stop, 1);
        if (error->status == COR_OK)
            *error = *said;
        return said->status;
    }
    if (may_retry(campaign, worker))
        return campaign__fork_worker(campaign, worker, error);
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
        COR_TRY(campaign__fork_worker(campaign, worker, error));
    }
    return COR_OK;
}

static void fill_status(const struct cor_campaign *campaign, struct cor_campaign_status *status) {
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
        result = campaign__share_look(campaign, any_runs(campaign), error);
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
    fill_status(campaign, status);
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
    campaign__share_fini(campaign);
    campaign__folder_close(campaign);
    free(campaign->origins);
    free(campaign->left_out);
    free(campaign);
}
